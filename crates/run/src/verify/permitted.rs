//! What a repair task permits beyond its own words: whether it adds, and whether
//! it is about code, numbers, headings or links.
//!
//! Decided by what the issues quote and by their words, in the languages of the
//! lessons. The quotes are the text's own; the words are a judge's, who may write
//! in another language than the lesson's, so all languages are looked up. A task
//! that is misread as permitting less than it should is refused and retried; so
//! where a word has two meanings it is left out.

use std::ops::Range;

use redraft_text::markdown;
use redraft_text::phrases::PhraseList;

use super::facts::numbers;
use crate::policy::LengthLimits;
use crate::route::{RepairTask, fold};
use crate::rubric::FixAction;
use redraft_gate::content::Document;

/// What a repair may do.
#[derive(Clone, Debug, Default)]
pub struct Permitted<'a> {
    /// The task is to add something.
    pub may_add: bool,
    /// An issue is about code, a formula or a diagram.
    pub may_touch_code: bool,
    /// The numbers that may change: an issue quotes them and is about them, or a finding
    /// of the free checks lies on them (ruling 61).
    pub numbers: Vec<String>,
    /// An issue is about headings.
    pub may_touch_headings: bool,
    /// An issue is about links or pictures.
    pub may_touch_links: bool,
    /// The component is written again.
    pub regenerates: bool,
    /// Numbers stay also where it is written again.
    pub keeps_numbers: bool,
    /// The text with the structured operations alone, where there are any: ranges before
    /// the repair are measured in it.
    pub structured: Option<&'a Document>,
    /// What no repair may change.
    pub protected: Protected<'a>,
    /// What a repair may change only where an issue quotes it.
    pub sensitive: Protected<'a>,
    /// What the issues quote, folded.
    pub quotes: Vec<String>,
    /// The least number of words that a finding or an issue asks for (ruling 60).
    pub least_words: Option<usize>,
    pub length: LengthLimits,
}

/// Ranges of the source's text, before and after the repair: see
/// `Profile::protected` and `Profile::sensitive`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protected<'a> {
    /// In the text before.
    pub before: &'a [Range<usize>],
    /// In the text after.
    pub after: &'a [Range<usize>],
}

impl<'a> Permitted<'a> {
    /// What a task permits under these limits. Nothing is protected yet: see
    /// [`Self::protecting`].
    #[must_use]
    pub fn of(task: &RepairTask, length: LengthLimits) -> Self {
        let issues = || task.source_issues.iter();
        let quotes: Vec<&str> = issues()
            .filter_map(|issue| issue.issue.quote.as_deref())
            .collect();
        let mut words = fold(&task.synthesized_instructions);
        let mut wishes = words.clone();
        for issue in issues() {
            for text in [
                &issue.issue.description,
                &issue.issue.suggested_fix,
                &issue.fix_instructions,
            ] {
                words.push_str(&fold(text));
            }
            for text in [&issue.issue.suggested_fix, &issue.fix_instructions] {
                wishes.push_str(&fold(text));
            }
        }
        let speaks = |topic: &str| speaks_of(&words, topic);
        let quotes_code = quotes
            .iter()
            .any(|quote| !markdown::analyse(quote).code.is_empty());
        let quotes_heading = quotes
            .iter()
            .any(|quote| quote.trim_start().starts_with('#'));
        Self {
            may_add: speaks_of(&wishes, "add")
                || issues().any(|issue| {
                    is_addition(
                        issue.issue.quote.as_deref(),
                        &fold(&issue.issue.description),
                    )
                }),
            may_touch_code: quotes_code || speaks("code"),
            numbers: changeable_numbers(task),
            least_words: named_minimum(task, length.most_words),
            length,
            may_touch_headings: quotes_heading || speaks("headings"),
            may_touch_links: speaks("links"),
            regenerates: task.action_type == FixAction::RegenerateSection,
            quotes: quotes.into_iter().map(fold).collect(),
            ..Self::default()
        }
    }

    /// The same with what the profile protects, and what it calls sensitive.
    #[must_use]
    pub fn protecting(self, protected: Protected<'a>, sensitive: Protected<'a>) -> Self {
        Self {
            protected,
            sensitive,
            ..self
        }
    }

    /// Whether a formula, without its white space, may change: an issue quotes it, or what
    /// is between its signs.
    pub(super) fn may_touch_formula(&self, formula: &str) -> bool {
        let bare = |text: &str| -> String {
            // Quotes are folded: signs are lost.
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let formula = bare(formula);
        let mut quotes = self.quotes.iter().map(|quote| bare(quote));
        quotes
            .any(|quote| quote.contains(&formula) || (quote.len() > 1 && formula.contains(&quote)))
    }

    /// Whether an issue quotes a short text as a whole, so that nothing of it has to stay.
    pub(super) fn quotes_all_of(&self, text: &str) -> bool {
        let text = fold(text);
        let text = text.trim();
        !text.is_empty()
            && text.chars().count() <= self.length.free
            && self.quotes.iter().any(|quote| quote.contains(text))
    }

    /// Whether an issue quotes these words, or a substantial part of them.
    pub(super) fn is_quoted(&self, words: &str) -> bool {
        const TRIFLE: usize = 4;
        let words = fold(words);
        let words = words.trim();
        self.quotes.iter().map(|quote| quote.trim()).any(|quote| {
            !words.is_empty()
                && (quote.contains(words)
                    || (quote.chars().count() >= TRIFLE && words.contains(quote)))
        })
    }
}

/// The numbers that an issue quotes and is about, and those that a finding lies on.
fn changeable_numbers(task: &RepairTask) -> Vec<String> {
    let quoted = task.source_issues.iter().filter_map(|targeted| {
        let issue = &targeted.issue;
        let quote = issue.quote.as_deref()?;
        let said = [
            &issue.description,
            &issue.suggested_fix,
            &targeted.fix_instructions,
        ];
        let is_about_numbers = FACTUAL.contains(&issue.criterion.as_str())
            || is_a_number(quote)
            || said
                .iter()
                .any(|text| text.contains(char::is_numeric) || speaks_of(&fold(text), "numbers"));
        is_about_numbers.then_some(quote)
    });
    let found = task.finding_words.iter().map(String::as_str);
    quoted.chain(found).flat_map(numbers).collect()
}

/// Whether a quote is nothing but a number, with a unit or a sign: an issue about it is about
/// that number.
fn is_a_number(quote: &str) -> bool {
    const UNIT: usize = 4;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',');
    let mut words = quote
        .split(|c: char| !is_part(c))
        .filter(|word| !word.is_empty());
    let is_digit = |word: &str| word.contains(|c: char| c.is_numeric());
    let (first, rest) = (words.next(), words.collect::<Vec<_>>());
    first.is_some_and(is_digit)
        && rest.len() <= 2
        && rest
            .iter()
            .all(|word| !is_digit(word) && word.chars().count() <= UNIT)
}

/// The largest number of words that a task asks for at least. More than any component
/// has is not a minimum but a way around the limit.
fn named_minimum(task: &RepairTask, most: usize) -> Option<usize> {
    let said = task.source_issues.iter().flat_map(|targeted| {
        let issue = &targeted.issue;
        [
            &issue.description,
            &issue.suggested_fix,
            &targeted.fix_instructions,
        ]
    });
    said.map(String::as_str)
        .chain(task.synthesized_instructions.lines())
        .filter_map(|text| minimum(&fold(text)))
        .filter(|words| *words <= most)
        .max()
}

/// The number after “at least” in a text that speaks of words.
fn minimum(folded: &str) -> Option<usize> {
    if !speaks_of(folded, "words") {
        return None;
    }
    TOPICS
        .all("at least")
        .flat_map(|phrase| folded.match_indices(phrase))
        .filter_map(|(at, phrase)| {
            let rest = folded.get(at + phrase.len()..)?.trim_start();
            let end = rest.find(|c: char| !c.is_ascii_digit());
            rest.get(..end.unwrap_or(rest.len()))?.parse().ok()
        })
        .max()
}

/// Something is missing, and nothing is quoted that could be changed instead.
fn is_addition(quote: Option<&str>, description: &str) -> bool {
    quote.is_none() && speaks_of(description, "missing")
}

/// The criteria under which a figure may be wrong.
const FACTUAL: &[&str] = &["factual_accuracy", "clinical_accuracy", "accuracy"];

/// What issues ask for or are about, by language (`data/issue_topics`).
static TOPICS: PhraseList = PhraseList::new(
    "issue_topics",
    &[
        "add", "missing", "words", "at least", "code", "numbers", "headings", "links",
    ],
);

/// Whether a folded text speaks of a topic.
fn speaks_of(folded: &str, topic: &str) -> bool {
    TOPICS.all(topic).any(|stem| folded.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_topics_are_in_order_and_their_examples_hold() {
        assert_eq!(TOPICS.faults(), [""; 0]);
        for topic in ["add", "numbers"] {
            let wrong = TOPICS.wrong_examples(topic, |_, text| speaks_of(&fold(text), topic));
            assert_eq!(wrong, [""; 0]);
        }
    }
}
