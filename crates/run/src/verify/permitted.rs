//! Decides what a repair task permits: whether it may add text, and whether it is about code,
//! numbers, headings or links.
//!
//! Based on the quotes and the words of its issues, in all languages of lessons. Quotes are in the
//! language of the text, but a judge may write in another one, so all languages are looked up. If a
//! task is misread as permitting too little, the repair is rejected and retried; therefore
//! ambiguous words are not in the lists.

use std::ops::Range;

use redraft_text::markdown;
use redraft_text::phrases::PhraseList;

use super::facts::numbers;
use crate::policy::LengthLimits;
use crate::route::{RepairTask, fold};
use crate::rubric::FixAction;
use redraft_gate::content::Document;

#[derive(Clone, Debug, Default)]
pub struct Permitted<'a> {
    /// The task asks for an addition.
    pub may_add: bool,
    /// An issue is about code, a formula or a diagram.
    pub may_touch_code: bool,
    /// The numbers that may change: an issue quotes them and is about them, or a finding of the
    /// free checks marks them (ruling 61).
    pub numbers: Vec<String>,
    /// An issue is about headings.
    pub may_touch_headings: bool,
    /// An issue is about links or pictures.
    pub may_touch_links: bool,
    /// The component is rewritten.
    pub regenerates: bool,
    /// Numbers must stay even if it is rewritten.
    pub keeps_numbers: bool,
    /// The text with only the structured operations applied, if there are any. Ranges before the
    /// repair refer to it.
    pub structured: Option<&'a Document>,
    /// What no repair may change.
    pub protected: Protected<'a>,
    /// What a repair may change only if an issue quotes it.
    pub sensitive: Protected<'a>,
    /// The quotes of the issues, folded.
    pub quotes: Vec<String>,
    /// The highest number of words that a finding or an issue asks for at least (ruling 60).
    pub least_words: Option<usize>,
    pub length: LengthLimits,
}

/// Ranges of the source before and after the repair: see `Profile::protected` and
/// `Profile::sensitive`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Protected<'a> {
    pub before: &'a [Range<usize>],
    pub after: &'a [Range<usize>],
}

impl<'a> Permitted<'a> {
    /// What a task permits within these limits. Nothing is protected yet: see [`Self::protecting`].
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

    /// Adds the profile's protected and sensitive ranges.
    #[must_use]
    pub fn protecting(self, protected: Protected<'a>, sensitive: Protected<'a>) -> Self {
        Self {
            protected,
            sensitive,
            ..self
        }
    }

    /// Whether a formula, given without white space, may change: an issue quotes it or its
    /// contents.
    pub(super) fn may_touch_formula(&self, formula: &str) -> bool {
        let bare = |text: &str| -> String {
            // Folded quotes have no signs.
            let letters = text.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        let formula = bare(formula);
        let mut quotes = self.quotes.iter().map(|quote| bare(quote));
        quotes
            .any(|quote| quote.contains(&formula) || (quote.len() > 1 && formula.contains(&quote)))
    }

    /// Whether an issue quotes all of a short text, so that nothing of it must stay.
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

/// The numbers that an issue quotes and is about, and those that a finding marks.
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

/// Whether a quote is only a number, with a unit or a sign. An issue that quotes it is about that
/// number.
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

/// The largest minimum number of words that a task asks for. A number that exceeds any component is
/// an attempt to get around the limit and is ignored.
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

/// The number after “at least” in a text that mentions words.
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

/// Something is missing, and no text is quoted that could be changed instead.
fn is_addition(quote: Option<&str>, description: &str) -> bool {
    quote.is_none() && speaks_of(description, "missing")
}

/// The criteria that are about wrong numbers.
const FACTUAL: &[&str] = &["factual_accuracy", "clinical_accuracy", "accuracy"];

/// The topics of issues, by language (`data/issue_topics`).
static TOPICS: PhraseList = PhraseList::new(
    "issue_topics",
    &[
        "add", "missing", "words", "at least", "code", "numbers", "headings", "links",
    ],
);

/// Whether a folded text mentions a topic.
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
