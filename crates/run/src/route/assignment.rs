//! Assigns each issue to the component in which it is repaired.
//!
//! | the issue is about | then |
//! |---|---|
//! | a component that can be repaired | that component |
//! | an item as a whole | the component of it that the rubric names for the criterion; else the best fit |
//! | a key | none: a model never sets one (ruling 19) |
//! | the whole, with a quote from a component | that component |
//! | the whole, naming components by id or title | those components |
//! | the whole, and the rubric names a component for the criterion | that component; the best fit if there are several of its kind |
//! | the whole, critical, none of these | the best fit: a critical issue blocks acceptance, so some task must address it |
//! | the whole, none of these | a constraint on every task; the best fit if there is no task |
//!
//! The best fit is the component that shares the most words with the issue, with extra weight for
//! words of its title; on a tie, the first body component.

use std::collections::{BTreeMap, BTreeSet};

use super::component_tree::ComponentTree;
use super::stop_words::StopWords;
use super::wording::bare;
use crate::arbitrate::TargetedIssue;
use crate::planning_reasons::UnservedReason;
use crate::rubric::Rubric;
use crate::verdict::{Anchored, IssueSeverity};
use redraft_gate::content::ComponentKind;
use redraft_gate::span::ComponentId;
use redraft_gate::vocabulary::normal_keys;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assignment {
    /// In these components, which the issue identifies.
    Named(Vec<usize>),
    /// In this component. It is a guess, so it never causes a rewrite.
    Guessed(usize),
    /// A constraint on every task; the best fit if there is no task.
    Everywhere,
    /// In no component, for this reason.
    Nowhere(UnservedReason),
}

/// An issue that names more components than this does not mean them literally.
const NAMED: usize = 3;

/// Assigns issues to components.
#[derive(Debug)]
pub(super) struct Assigner<'a> {
    tree: &'a ComponentTree<'a>,
    rubric: &'a Rubric,
    locked: &'a BTreeSet<ComponentId>,
    stop_words: StopWords,
}

impl<'a> Assigner<'a> {
    pub(super) fn new(
        tree: &'a ComponentTree<'a>,
        rubric: &'a Rubric,
        locked: &'a BTreeSet<ComponentId>,
    ) -> Self {
        Self {
            tree,
            rubric,
            locked,
            stop_words: StopWords::of(tree.document().language().copied()),
        }
    }

    pub(super) fn of(&self, issue: &TargetedIssue) -> Assignment {
        match self.tree.find(&issue.target_section_id) {
            Some(index) if self.tree.is_repairable(index) => self.unless_locked(vec![index]),
            Some(index) if self.tree.get(index).kind == ComponentKind::AnswerKey => {
                Assignment::Nowhere(UnservedReason::AnswerKey)
            }
            Some(frame) if self.tree.get(frame).kind != ComponentKind::Whole => {
                self.in_frame(issue, frame)
            }
            _ => self.in_whole(issue),
        }
    }

    /// The component that fits an issue best, among those that may still be edited.
    pub(super) fn best_fit(&self, issue: &TargetedIssue) -> Assignment {
        self.guess(issue, self.tree.in_frame(0))
    }

    /// The components of a frame that the rubric names for a criterion, by id (`item_4/stem`) or by
    /// kind (`card`).
    pub(super) fn for_criterion(&self, criterion: &str, frame: usize) -> Vec<usize> {
        let target = self
            .rubric
            .criterion(criterion)
            .and_then(|criterion| criterion.repair.target.as_deref());
        let Some(target) = target else {
            return Vec::new();
        };
        let inside = self.tree.in_frame(frame);
        let is_named = |index: &usize| {
            let id = self.tree.get(*index).id.0.as_str();
            id.rsplit('/').next() == Some(target)
        };
        let named: Vec<usize> = inside.iter().copied().filter(is_named).collect();
        if !named.is_empty() {
            return named;
        }
        let of_kind = |index: &usize| kind_name(self.tree.get(*index).kind) == Some(target);
        inside.into_iter().filter(of_kind).collect()
    }

    fn in_frame(&self, issue: &TargetedIssue, frame: usize) -> Assignment {
        if let Some(index) = self.quoted(issue) {
            return self.unless_locked(vec![index]);
        }
        let named = self.for_criterion(&issue.issue.criterion, frame);
        match named.as_slice() {
            [] => self.guess(issue, self.tree.in_frame(frame)),
            [one] => self.unless_locked(vec![*one]),
            _ => self.guess(issue, named),
        }
    }

    fn in_whole(&self, issue: &TargetedIssue) -> Assignment {
        if let Some(index) = self.quoted(issue) {
            return self.unless_locked(vec![index]);
        }
        let named = self.named(issue);
        if !named.is_empty() {
            return self.unless_locked(named);
        }
        let targets = self.for_criterion(&issue.issue.criterion, 0);
        match targets.as_slice() {
            [] if issue.issue.severity == IssueSeverity::Critical => self.best_fit(issue),
            [] => Assignment::Everywhere,
            [one] => self.unless_locked(vec![*one]),
            _ => self.guess(issue, targets),
        }
    }

    fn unless_locked(&self, indices: Vec<usize>) -> Assignment {
        let components: Vec<ComponentId> = indices
            .iter()
            .map(|index| self.tree.get(*index).id.clone())
            .collect();
        let open: Vec<usize> = indices
            .into_iter()
            .filter(|index| !self.tree.is_within(*index, self.locked))
            .collect();
        if open.is_empty() {
            Assignment::Nowhere(UnservedReason::Locked { components })
        } else {
            Assignment::Named(open)
        }
    }

    /// The component that contains the quote.
    fn quoted(&self, issue: &TargetedIssue) -> Option<usize> {
        if !matches!(issue.issue.anchor, Anchored::Exact | Anchored::Normalised) {
            return None;
        }
        let quote = issue.issue.quote.as_deref()?;
        let document = self.tree.document();
        let exact = document.texts().iter().find_map(|field| {
            let at = field.text.find(quote)?;
            let id = &document.component_in(field, at..at + quote.len()).id;
            self.tree.find(id)
        });
        let wanted = bare(quote);
        exact
            .filter(|index| self.tree.is_repairable(*index))
            .or_else(|| {
                let inside = self.tree.in_frame(0).into_iter();
                inside
                    .filter(|_| !wanted.is_empty())
                    .find(|index| bare(self.tree.text(*index)).contains(&wanted))
            })
    }

    /// The components that an issue names by id or title.
    fn named(&self, issue: &TargetedIssue) -> Vec<usize> {
        let said = said(issue);
        let language = self.tree.document().language().copied();
        let keys = normal_keys(&said, language);
        let is_named = |index: &usize| {
            let component = self.tree.get(*index);
            let by_id = said
                .split(|c: char| !(c.is_alphanumeric() || "_-/~".contains(c)))
                .any(|word| word == component.id.0);
            // A one-word title is often used without meaning the section.
            let title = normal_keys(component.title.as_deref().unwrap_or_default(), language);
            let by_title = title.len() >= 2
                && title.iter().map(|key| key.chars().count()).sum::<usize>() >= 4
                && keys.windows(title.len()).any(|window| *window == title);
            by_id || by_title
        };
        let inside = self.tree.in_frame(0).into_iter();
        let named: Vec<usize> = inside.filter(is_named).collect();
        if named.len() > NAMED {
            Vec::new()
        } else {
            named
        }
    }

    fn guess(&self, issue: &TargetedIssue, among: Vec<usize>) -> Assignment {
        if among.is_empty() {
            return Assignment::Nowhere(UnservedReason::NoComponent);
        }
        let open = among
            .into_iter()
            .filter(|index| !self.tree.is_within(*index, self.locked));
        let fits = Fits::of(self, issue);
        let best = open
            .enumerate()
            .max_by_key(|(order, index)| (fits.how_well(*index), std::cmp::Reverse(*order)));
        match best {
            Some((_, index)) => Assignment::Guessed(index),
            None => Assignment::Nowhere(UnservedReason::Locked {
                components: Vec::new(),
            }),
        }
    }
}

/// The full text of an issue.
fn said(issue: &TargetedIssue) -> String {
    [
        issue.issue.description.as_str(),
        &issue.issue.suggested_fix,
        &issue.fix_instructions,
    ]
    .join("\n")
}

/// Measures how well components fit an issue.
struct Fits<'a> {
    tree: &'a ComponentTree<'a>,
    wanted: BTreeSet<String>,
    /// The number of the issue's words in each first-level component.
    shared: BTreeMap<usize, usize>,
}

impl<'a> Fits<'a> {
    fn of(assigner: &'a Assigner<'a>, issue: &TargetedIssue) -> Self {
        let document = assigner.tree.document();
        let said = said(issue);
        let vocabulary = document.vocabulary();
        let (mut wanted, mut keys) = (BTreeSet::new(), BTreeSet::new());
        let normal = normal_keys(&said, document.language().copied());
        for (normal, key) in normal.into_iter().zip(vocabulary.keys(&said)) {
            if !assigner.stop_words.contains_key(&normal) {
                keys.extend(key);
                wanted.insert(normal);
            }
        }
        let found: BTreeSet<_> = vocabulary
            .words()
            .iter()
            .filter(|word| keys.contains(&word.key))
            .map(|word| (word.part, word.key))
            .collect();
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, _) in found {
            *shared.entry(index as usize).or_default() += 1;
        }
        Self {
            tree: assigner.tree,
            wanted,
            shared,
        }
    }

    fn how_well(&self, index: usize) -> usize {
        /// A word of the title counts as much as this many words of the text.
        const TITLE: usize = 4;
        let title = self.tree.get(index).title.as_deref().unwrap_or_default();
        let language = self.tree.document().language().copied();
        let in_title = normal_keys(title, language)
            .into_iter()
            .filter(|key| self.wanted.contains(key))
            .count();
        let in_text = self.shared.get(&self.tree.first_level(index)).copied();
        in_title * TITLE + in_text.unwrap_or_default()
    }
}

/// The name of a component kind in rubrics.
fn kind_name(kind: ComponentKind) -> Option<&'static str> {
    match kind {
        ComponentKind::Introduction => Some("introduction"),
        ComponentKind::Section => Some("section"),
        ComponentKind::Conclusion => Some("conclusion"),
        ComponentKind::Example => Some("example"),
        ComponentKind::Exercise => Some("exercise"),
        ComponentKind::Meta => Some("meta"),
        ComponentKind::Card => Some("card"),
        ComponentKind::Vignette => Some("vignette"),
        ComponentKind::Stem => Some("stem"),
        ComponentKind::Options => Some("options"),
        ComponentKind::Explanation => Some("explanation"),
        ComponentKind::Whole | ComponentKind::Item | ComponentKind::AnswerKey => None,
    }
}
