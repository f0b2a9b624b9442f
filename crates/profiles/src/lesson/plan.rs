//! Matches the sections of a specification with those of the lesson. Titles
//! are compared by the stems of the words that name a topic, so that numbering,
//! inflection and word order do not matter.
//!
//! | the specification's section | it is |
//! |---|---|
//! | shares most of its title with a heading | matched with the component under it |
//! | shares its topics, three or more, with one component | covered |
//! | is between matched ones, and so is a component that matches nothing | perhaps retitled |
//! | else | missing |

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use redraft_gate::companion::Specification;
use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::vocabulary::normal_keys;
use redraft_text::language::Language;
use redraft_text::markdown;
use redraft_text::words::words;

use super::headings::{self, Role};
use super::structure;
use super::wording::Topicless;

/// How the lesson covers a section of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// By the component with this index.
    Matched(usize),
    /// The lesson covers it, but not in a component of its own.
    Covered,
    /// By the component with this index, under another title.
    Retitled(usize),
    Missing,
}

#[derive(Debug)]
pub(super) struct Plan {
    /// One for every section of the specification.
    pub(super) fits: Vec<Fit>,
    /// Body sections that the specification does not have.
    pub(super) unplanned: Vec<usize>,
}

/// Headings indexed per word; more frequent words do not distinguish headings.
const MOST_HEADINGS: usize = 64;

/// Compares a specification with a lesson in the same language.
pub(super) fn compare(
    document: &Document,
    specification: &Specification,
    language: Language,
) -> Plan {
    let index = Index::new(document, language);
    // Equal titles come first, so that others do not take them.
    let mut taken: BTreeSet<usize> = specification
        .sections
        .iter()
        .filter_map(|section| index.same(&index.topics(&section.title)))
        .collect();
    let mut fits: Vec<Fit> = specification
        .sections
        .iter()
        .map(|section| {
            let fit = index.fit(document, &section.title, &taken);
            if let Fit::Matched(component) = fit {
                taken.insert(component);
            }
            fit
        })
        .collect();
    let mut free: BTreeSet<usize> = structure::sections(document)
        .filter(|(index, section)| {
            let title = section.title.as_deref().unwrap_or_default();
            !taken.contains(index) && !title.trim().is_empty() && !structure::serves(title)
        })
        .map(|(index, _)| index)
        .collect();
    // If little matches, it is another lesson, and positions mean nothing.
    let matched = fits
        .iter()
        .filter(|fit| matches!(fit, Fit::Matched(_)))
        .count();
    if matched * 2 >= fits.len() {
        retitle(&mut fits, &mut free);
    }
    Plan {
        fits,
        unplanned: free.into_iter().collect(),
    }
}

/// Pairs missing sections between two matched ones with the unmatched components
/// between them.
fn retitle(fits: &mut [Fit], free: &mut BTreeSet<usize>) {
    let mut after = 0;
    let mut at = 0;
    while at < fits.len() {
        match fits[at] {
            Fit::Matched(component) => after = component,
            Fit::Missing => {
                let run = fits[at..]
                    .iter()
                    .take_while(|fit| !matches!(fit, Fit::Matched(_)))
                    .count();
                let before = match fits.get(at + run) {
                    Some(Fit::Matched(component)) => *component,
                    _ => usize::MAX,
                };
                for fit in &mut fits[at..at + run] {
                    let next = free.range(after.saturating_add(1)..).next().copied();
                    if let (Fit::Missing, Some(component)) =
                        (&fit, next.filter(|component| *component < before))
                    {
                        free.remove(&component);
                        *fit = Fit::Retitled(component);
                    }
                }
                at += run;
                continue;
            }
            Fit::Covered | Fit::Retitled(_) => {}
        }
        at += 1;
    }
}

/// A heading, the index of its component, and its topics.
struct Heading {
    component: usize,
    topics: BTreeSet<String>,
    is_title: bool,
}

struct Index {
    language: Language,
    topicless: Topicless,
    headings: Vec<Heading>,
    by_topics: HashMap<BTreeSet<String>, usize>,
    by_topic: HashMap<String, Vec<usize>>,
    introduction: Option<usize>,
    conclusion: Option<usize>,
    /// Which roles the lesson fills, whatever its headings say.
    filled: OnceCell<[(Role, bool); 4]>,
}

impl Index {
    fn new(document: &Document, language: Language) -> Self {
        let top_level: Vec<_> = structure::top_level(document).collect();
        let of_kind = |kind| {
            let mut components = top_level.iter();
            components
                .find(|(_, component)| component.kind == kind)
                .map(|(index, _)| *index)
        };
        let mut index = Self {
            introduction: of_kind(ComponentKind::Introduction),
            conclusion: of_kind(ComponentKind::Conclusion),
            language,
            topicless: Topicless::new(language),
            headings: Vec::new(),
            by_topics: HashMap::new(),
            by_topic: HashMap::new(),
            filled: OnceCell::new(),
        };
        for (at, component) in &top_level {
            index.add(*at, component.title.as_deref().unwrap_or_default(), true);
        }
        for field in document.texts().iter().filter(|field| field.is_body()) {
            for entry in markdown::outline(field.markdown(), &field.text) {
                let at = field.map.source_span().start + entry.heading.start;
                let next = top_level.partition_point(|(_, component)| component.range.start <= at);
                if let Some((component, _)) =
                    next.checked_sub(1).and_then(|last| top_level.get(last))
                {
                    index.add(*component, &entry.title, false);
                }
            }
        }
        index
    }

    fn add(&mut self, component: usize, title: &str, is_title: bool) {
        let topics = self.topics(title);
        if topics.is_empty() {
            return;
        }
        let heading = self.headings.len();
        for topic in &topics {
            let headings = self.by_topic.entry(topic.clone()).or_default();
            if headings.len() < MOST_HEADINGS {
                headings.push(heading);
            }
        }
        self.by_topics.entry(topics.clone()).or_insert(heading);
        self.headings.push(Heading {
            component,
            topics,
            is_title,
        });
    }

    /// The stems of the words that name a topic; all of them where none does.
    fn topics(&self, title: &str) -> BTreeSet<String> {
        let stems = |keep: &dyn Fn(&str) -> bool| -> BTreeSet<String> {
            words(title)
                .map(|(_, word)| word)
                .filter(|word| keep(word))
                .flat_map(|word| normal_keys(word, Some(self.language)))
                .collect()
        };
        let topics =
            stems(&|word| word.contains(char::is_alphabetic) && !self.topicless.contains(word));
        if topics.is_empty() {
            stems(&|word| word.contains(char::is_alphabetic))
        } else {
            topics
        }
    }

    fn fit(&self, document: &Document, title: &str, taken: &BTreeSet<usize>) -> Fit {
        let is_filled = |role| {
            let filled = self.filled.get_or_init(|| {
                [
                    (Role::Introduction, structure::opens(document)),
                    (Role::Conclusion, structure::closes(document)),
                    (Role::Example, structure::count_examples(document) > 0),
                    (Role::Exercise, structure::count_exercises(document) > 0),
                ]
            });
            filled.contains(&(role, true))
        };
        let topics = self.topics(title);
        if topics.is_empty() {
            return Fit::Covered;
        }
        let matched = self.same(&topics).or_else(|| self.nearest(&topics, taken));
        if let Some(component) = matched {
            return Fit::Matched(component);
        }
        let role = headings::role(title);
        let frame = match role {
            Some(Role::Introduction) => self.introduction,
            Some(Role::Conclusion) => self.conclusion,
            _ => None,
        };
        if let Some(component) = frame {
            return Fit::Matched(component);
        }
        if role.is_some_and(is_filled) {
            return Fit::Covered;
        }
        let vocabulary = document.vocabulary();
        let keys: Option<Vec<_>> = vocabulary.keys(title).collect();
        match keys {
            Some(keys) if topics.len() >= 3 && vocabulary.share_a_part(&keys) => Fit::Covered,
            _ => Fit::Missing,
        }
    }

    /// The component under a heading with exactly these topics.
    fn same(&self, topics: &BTreeSet<String>) -> Option<usize> {
        let heading = self.by_topics.get(topics)?;
        self.headings.get(*heading).map(|heading| heading.component)
    }

    /// The component under the heading that shares most of the topics, preferably
    /// one that no other section has taken.
    fn nearest(&self, topics: &BTreeSet<String>, taken: &BTreeSet<usize>) -> Option<usize> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for heading in topics
            .iter()
            .filter_map(|topic| self.by_topic.get(topic))
            .flatten()
        {
            *shared.entry(*heading).or_default() += 1;
        }
        shared
            .into_iter()
            .filter_map(|(index, shared)| {
                let heading = self.headings.get(index)?;
                let most = |of: usize| shared * 5 >= of * 3;
                // A title that says less, or one that says more.
                let alike = most(topics.len()) || heading.is_title && most(heading.topics.len());
                let all = topics.len().max(heading.topics.len());
                alike.then_some((
                    shared * 1000 / all,
                    !taken.contains(&heading.component),
                    heading.is_title,
                    std::cmp::Reverse(index),
                    heading.component,
                ))
            })
            .max()
            .map(|(_, _, _, _, component)| component)
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::companions::specification;
    use crate::lesson::Lesson;

    fn plan(language: &str, headings: &[&str], sections: &[&str]) -> (Vec<&'static str>, usize) {
        let mut lesson = "# T\n\nLead.\n".to_owned();
        for heading in headings {
            lesson.push_str(&format!("\n{heading}\n\nWords here.\n"));
        }
        let spec = serde_json::json!({"title": "T", "sections": sections});
        let spec = specification(spec.to_string().into_bytes()).unwrap();
        let raw = reading::read(Source::new(lesson.into_bytes()), Hint::Markdown);
        let language = Language::parse(language).unwrap();
        let document = Lesson.parse(raw, Some(language));
        let plan = compare(&document, &spec, language);
        let fits = plan.fits.iter().map(|fit| match fit {
            Fit::Matched(_) => "matched",
            Fit::Covered => "covered",
            Fit::Retitled(_) => "retitled",
            Fit::Missing => "missing",
        });
        (fits.collect(), plan.unplanned.len())
    }

    #[test]
    fn titles_are_compared_by_topic() {
        for (language, headings, sections, expected, unplanned) in [
            (
                "en",
                &["## 1. Boiling water", "## Ice"][..],
                &["Boiling Water", "Ices"][..],
                &["matched", "matched"][..],
                0,
            ),
            (
                "en",
                &["## Water: how it boils", "## Ice"],
                &["How water boils"],
                &["matched"],
                1,
            ),
            (
                "en",
                &["## Heat\n\n### Steam engines"],
                &["Heat", "Steam engine"],
                &["matched", "matched"],
                0,
            ),
            (
                "en",
                &["## What a funnel is", "## The stages"],
                &["Stages of the funnel", "What is a funnel?"],
                &["matched", "matched"],
                0,
            ),
            (
                "en",
                &["## Heat", "## Ice"],
                &["Heat", "Error handling"],
                &["matched", "retitled"],
                0,
            ),
            (
                "en",
                &["## Heat", "## Ice"],
                &["Heat", "Error handling", "Ice"],
                &["matched", "missing", "matched"],
                0,
            ),
            (
                "en",
                &["## Project scope", "## B", "## C"],
                &["Variable scope", "B", "C"],
                &["retitled", "matched", "matched"],
                0,
            ),
            (
                "en",
                &["## Heat", "## Exercise 1"],
                &["Introduction", "Heat", "Exercises"],
                &["matched", "matched", "matched"],
                0,
            ),
            (
                "ru",
                &["## Запросы к серверу"],
                &["Запрос сервера"],
                &["matched"],
                0,
            ),
            (
                "zh",
                &["## 二、光合作用的过程", "## 呼吸"],
                &["光合作用过程", "水"],
                &["matched", "retitled"],
                0,
            ),
        ] {
            assert_eq!(
                plan(language, headings, sections),
                (expected.to_vec(), unplanned),
                "{headings:?} {sections:?}"
            );
        }
    }

    #[test]
    fn many_like_titles_are_compared_promptly() {
        let headings = vec!["## Water and heat and more"; 5_000];
        let sections: Vec<String> = (0..5_000)
            .map(|number| format!("Water and heat w{number}x"))
            .collect();
        let sections: Vec<&str> = sections.iter().map(String::as_str).collect();
        assert_eq!(plan("en", &headings, &sections).0.len(), 5_000);
    }
}
