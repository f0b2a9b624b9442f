//! Repairs: small deterministic steps, tried one after the other until the
//! diagram parses, then reduced to those that were needed. A diagram that parses
//! is never given to this module.
//!
//! Most steps keep the meaning and correct the notation. Some have to guess what
//! was meant (a direction, a shape, the diagram type), or drop what cannot be
//! drawn; they are tried last, and their result is only proposed. So is every
//! result of which `kept` cannot show that it keeps all nodes, edges and labels.

mod class;
mod common;
mod flowchart;
mod labels;
mod others;
mod sequence;
mod signs;
mod state;
mod text;

use super::draft::{self, Change, Draft, Edit, Group};
use super::kept::{self, Keeps};
use super::kind::{self, Kind};

/// Longer diagrams are reported, not repaired: every step costs a parse.
const LONGEST: usize = 20_000;
/// Up to this number of groups, each is tested for whether it is needed.
const MOST_GROUPS: usize = 40;

/// One kind of error and its repair.
struct Step {
    /// The message for the author.
    says: &'static str,
    repair: Repair,
    reach: Reach,
    keeps: Keeps,
}

/// How a step finds the changes it could make.
#[derive(Clone, Copy)]
enum Repair {
    /// Line by line.
    Rules(&'static [text::Rule]),
    /// By reading the whole text.
    Proposals(fn(&str) -> Vec<Change>),
}

impl Step {
    const fn everywhere(says: &'static str, repair: Repair) -> Self {
        Self {
            says,
            repair,
            reach: Reach::Everywhere,
            keeps: Keeps::Words,
        }
    }

    const fn where_needed(says: &'static str, repair: Repair) -> Self {
        Self {
            says,
            repair,
            reach: Reach::WhereNeeded,
            keeps: Keeps::Words,
        }
    }

    const fn keeping(mut self, keeps: Keeps) -> Self {
        self.keeps = keeps;
        self
    }

    fn propose(&self, text: &str) -> Vec<Change> {
        match self.repair {
            Repair::Rules(rules) => text::by_rules(text, rules),
            Repair::Proposals(propose) => propose(text),
        }
    }
}

/// Which of its changes a step that is needed makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// All: the notation is always wrong.
    Everywhere,
    /// Only those without which the diagram does not parse.
    WhereNeeded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It keeps what the author wrote and corrects the notation.
    Certain,
    /// It makes the diagram parse, but the author may have meant something else.
    Guess,
}

#[derive(Debug)]
pub(super) struct Repaired {
    pub(super) edits: Vec<Edit>,
    pub(super) certainty: Certainty,
    /// The messages, each with its offset.
    pub(super) errors: Vec<(usize, &'static str)>,
}

/// Repairs a text so that `parses` holds, if the steps suffice. A repair that
/// keeps the drawing is certain; of the others the first is returned as a guess.
pub(super) fn repair(source: &str, parses: &dyn Fn(&str) -> bool) -> Option<Repaired> {
    if source.len() > LONGEST {
        return None;
    }
    let mut guess = None;
    for certainty in [Certainty::Certain, Certainty::Guess] {
        for attempt in [together, alone] {
            let Some(attempt) = attempt(source, parses, certainty) else {
                continue;
            };
            let repaired = finished(source, parses, attempt, certainty);
            match repaired {
                Some(repaired) if repaired.certainty == Certainty::Certain => {
                    return Some(repaired);
                }
                repaired => guess = guess.or(repaired),
            }
        }
        if guess.is_some() {
            return guess;
        }
    }
    None
}

/// The edits of an attempt that are needed, and whether they are certain.
fn finished(
    source: &str,
    parses: &dyn Fn(&str) -> bool,
    (draft, steps): Attempt,
    certainty: Certainty,
) -> Option<Repaired> {
    let groups = needed(source, parses, draft.groups(), &steps);
    let text = applied(source, &groups)?;
    let keeps = |group: &Group| {
        let keeps = group.steps.iter().filter_map(|step| steps.get(*step));
        keeps.map(|step| step.keeps).max().unwrap_or(Keeps::Words)
    };
    let is_layout = |group: &Group| {
        let mut made_by = group.steps.iter().filter_map(|step| steps.get(*step));
        made_by.all(|step| common::is_common(step))
    };
    let repaired = kept::Repaired {
        source,
        text: &text,
        groups: &groups,
    };
    // Mermaid takes such a semicolon for a part of the state's name, so that another state of
    // that name would be drawn.
    let is_state = kind::header(&text).is_some_and(|header| header.kind == Some(Kind::State));
    let keeps_semicolon = is_state && text.lines().any(|line| line.trim_end().ends_with(';'));
    let certainty = match certainty {
        Certainty::Certain if !keeps_semicolon && kept::is_kept(&repaired, &keeps, &is_layout) => {
            Certainty::Certain
        }
        _ => Certainty::Guess,
    };
    let errors = groups
        .iter()
        .filter_map(|group| {
            Some((
                group.edits.first()?.range.start,
                steps.get(group.step)?.says,
            ))
        })
        .collect();
    let mut edits: Vec<Edit> = groups.into_iter().flat_map(|group| group.edits).collect();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.retain(|edit| source.get(edit.range.clone()) != Some(edit.text.as_str()));
    (!edits.is_empty()).then_some(Repaired {
        edits,
        certainty,
        errors,
    })
}

fn applied(source: &str, groups: &[Group]) -> Option<String> {
    let edits: Vec<Edit> = groups
        .iter()
        .flat_map(|group| group.edits.clone())
        .collect();
    draft::apply(source, &edits)
}

/// The groups without which the diagram does not parse: whole steps are dropped
/// first, the later ones before the earlier; then single groups.
fn needed(
    source: &str,
    parses: &dyn Fn(&str) -> bool,
    mut groups: Vec<Group>,
    steps: &[&'static Step],
) -> Vec<Group> {
    let parses_with = |groups: &[Group]| applied(source, groups).is_some_and(|text| parses(&text));
    for step in (0..steps.len()).rev() {
        let fewer: Vec<Group> = groups
            .iter()
            .filter(|group| group.step != step)
            .cloned()
            .collect();
        if !fewer.is_empty() && fewer.len() < groups.len() && parses_with(&fewer) {
            groups = fewer;
        }
    }
    for index in (0..groups.len()).rev() {
        let everywhere = steps
            .get(groups[index].step)
            .is_none_or(|step| step.reach == Reach::Everywhere);
        if everywhere || groups.len() == 1 || groups.len() > MOST_GROUPS {
            continue;
        }
        let group = groups.remove(index);
        if !parses_with(&groups) {
            groups.insert(index, group);
        }
    }
    groups
}

/// Whether the diagram ends inside a block, so that closing it would hide that
/// the rest is missing.
pub(super) fn is_open_at_end(text: &str, kind: Kind) -> bool {
    let changes = match kind {
        Kind::Flowchart => flowchart::balance_subgraphs(text),
        Kind::Sequence => sequence::balance_blocks(text),
        Kind::Class | Kind::State => text::balance_braces(text),
        Kind::Er => others::balance_entities(text),
        _ => Vec::new(),
    };
    let end = text.trim_end().len();
    changes
        .iter()
        .flat_map(|change| &change.edits)
        .any(|edit| edit.range.start >= end && !edit.text.trim().is_empty())
}

type Attempt = (Draft, Vec<&'static Step>);

/// All steps, each applied to the result of the one before.
fn together(source: &str, parses: &dyn Fn(&str) -> bool, certainty: Certainty) -> Option<Attempt> {
    let mut draft = Draft::new(source);
    let mut taken: Vec<&'static Step> = Vec::new();
    // The steps of a kind are chosen once the header is valid.
    for step in up_to_header(certainty) {
        if attempt(&mut draft, &mut taken, step, parses) {
            return Some((draft, taken));
        }
    }
    let kind = kind::header(draft.text()).and_then(|header| header.kind)?;
    for step in after_header(kind, certainty) {
        if attempt(&mut draft, &mut taken, step, parses) {
            return Some((draft, taken));
        }
    }
    None
}

/// Each step by itself, in case one of them broke the diagram.
fn alone(source: &str, parses: &dyn Fn(&str) -> bool, certainty: Certainty) -> Option<Attempt> {
    let kind = kind::header(source).and_then(|header| header.kind)?;
    for step in up_to_header(certainty).chain(after_header(kind, certainty)) {
        let mut draft = Draft::new(source);
        let mut taken = Vec::new();
        if attempt(&mut draft, &mut taken, step, parses) {
            return Some((draft, taken));
        }
    }
    None
}

/// The steps for every kind up to the header.
fn up_to_header(certainty: Certainty) -> impl Iterator<Item = &'static Step> {
    common::FIRST.iter().chain(only(certainty, common::GUESSES))
}

/// The steps of a kind, and those for every kind that come last.
fn after_header(kind: Kind, certainty: Certainty) -> impl Iterator<Item = &'static Step> {
    steps_of(kind)
        .iter()
        .chain(only(certainty, guesses_of(kind)))
        .chain(common::LAST)
        .chain(only(certainty, common::LAST_GUESSES))
}

/// Guesses, if they are allowed.
fn only(certainty: Certainty, guesses: &'static [Step]) -> &'static [Step] {
    match certainty {
        Certainty::Certain => &[],
        Certainty::Guess => guesses,
    }
}

/// Applies a step; returns whether the diagram parses now.
fn attempt(
    draft: &mut Draft,
    taken: &mut Vec<&'static Step>,
    step: &'static Step,
    parses: &dyn Fn(&str) -> bool,
) -> bool {
    let changes = step.propose(draft.text());
    if changes.is_empty() || draft.apply(taken.len(), changes) == 0 {
        return false;
    }
    taken.push(step);
    parses(draft.text())
}

fn steps_of(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::Flowchart => flowchart::STEPS,
        Kind::Sequence => sequence::STEPS,
        Kind::Class => class::STEPS,
        Kind::State => state::STEPS,
        Kind::Er => others::ER,
        Kind::Pie => others::PIE,
        Kind::Quadrant => others::QUADRANT,
        Kind::Git => others::GIT,
        Kind::XyChart => others::XYCHART,
        Kind::Mindmap | Kind::Kanban => others::INDENTED,
        Kind::Other => others::EVENTS,
        Kind::Gantt | Kind::Block | Kind::C4 | Kind::Sankey => &[],
    }
}

fn guesses_of(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::Flowchart => flowchart::GUESSES,
        Kind::Sequence => sequence::GUESSES,
        Kind::Class => class::GUESSES,
        Kind::State => state::GUESSES,
        Kind::Er => others::ER_GUESSES,
        Kind::Mindmap | Kind::Kanban => others::INDENTED_GUESSES,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a debug build a wrong pattern panics when it is first used.
    #[test]
    fn every_pattern_is_a_pattern() {
        let body = "\n  A -- x --> B\n  note right of A\n  A --> B : x\n  title x\n  linkStyle 0 x\n  activate A\n A->>-B: x\n -->|x B\n";
        let headers = [
            "graph TD",
            "sequenceDiagram",
            "classDiagram",
            "stateDiagram-v2",
            "erDiagram",
            "pie",
            "quadrantChart",
            "gitGraph",
            "xychart-beta",
            "mindmap",
            "journey",
            "nothing",
        ];
        for header in headers {
            let text = format!("{header}{body}");
            let kind = kind::header(&text).and_then(|header| header.kind);
            let own = kind
                .into_iter()
                .flat_map(|kind| after_header(kind, Certainty::Guess));
            for step in up_to_header(Certainty::Guess)
                .chain(own)
                .chain(common::LAST)
            {
                let _ = step.propose(&text);
            }
        }
    }
}
