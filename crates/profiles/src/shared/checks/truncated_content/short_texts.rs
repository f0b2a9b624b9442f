//! Explanations of options, hints and other short texts that stop in the middle of a
//! sentence. They need no full stop (ruling 50): a word that needs another is evidence, and
//! so, for a warning, is that all texts of the same name beside it have a full stop.

use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Severity;

use super::blocks::{ends_as_a_sentence, has_words};
use super::ending::{Ending, Unfinished};
use super::{Cut, describe};

/// Fields whose text explains something, rather than names or asks it.
const NAMES: [&str; 8] = [
    "explanation",
    "rationale",
    "feedback",
    "clarification",
    "misconception",
    "why",
    "reason",
    "comment",
];
/// Fewer words may be a phrase.
const FEWEST: usize = 5;
/// The same where three others of the name are all sentences.
const FEWEST_AMONG_SENTENCES: usize = 3;

/// Fields that ask.
const QUESTIONS: [&str; 5] = ["stem", "question", "lead_in", "leadIn", "prompt"];

/// A question that begins as one and stops without its mark, in an item of which all other
/// sentences have theirs. A stem may also be a sentence that the options complete, which begins
/// otherwise.
pub(super) fn cut_question<'a>(
    field: &TextField,
    beside: impl FnOnce() -> &'a [TextField],
    language: Option<&str>,
) -> Option<Cut> {
    const FEWEST: usize = 3;
    const SENTENCE: usize = 4;
    let last = super::last_segment(&field.path);
    let text = field.text.trim_end();
    if !QUESTIONS.contains(&last) || !text.ends_with(char::is_alphanumeric) {
        return None;
    }
    let start = Ending::of(text, language).map_or(0, |ending| text.len() - ending.sentence.len());
    if !super::ending::asks(text.get(start..)?, language) {
        return None;
    }
    let mut whole = 0;
    for other in beside() {
        let is_sentence = has_words(&other.text, SENTENCE) || other.is_body();
        if std::ptr::eq(other, field) || !is_sentence || name(other).is_none() && !other.is_body() {
            continue;
        }
        if !ends_as_a_sentence(other.text.trim_end()) {
            return None;
        }
        whole += 1;
    }
    (whole >= FEWEST).then(|| Cut {
        range: 0..text.len(),
        message: "the question has no question mark, and every other text of the item has its mark; it may be cut".to_owned(),
        severity: Severity::Warning,
    })
}

/// Where a short text was cut. `beside` are the texts of its item or set of cards.
pub(super) fn cut<'a>(
    field: &TextField,
    beside: impl FnOnce() -> &'a [TextField],
    language: Option<&str>,
) -> Option<Cut> {
    let name = name(field)?;
    let text = field.text.trim_end();
    if field.role != TextRole::Short
        || ends_as_a_sentence(text)
        || !has_words(text, FEWEST_AMONG_SENTENCES)
    {
        return None;
    }
    let is_long = has_words(text, FEWEST);
    let ending = Ending::of(text, language)?;
    let at = |severity, why: &str| {
        Some(Cut {
            range: 0..text.len(),
            message: format!("the text stops in the middle of a sentence: {why}"),
            severity,
        })
    };
    match ending.unfinished() {
        Some(Unfinished::Open(_)) => return None,
        Some(unfinished) if is_long => return at(Severity::Error, &describe(&unfinished)),
        Some(_) => {}
        None => {}
    }
    let mut others = 0;
    for other in beside() {
        if std::ptr::eq(other, field) || self::name(other) != Some(name) {
            continue;
        }
        if !ends_as_a_sentence(other.text.trim_end()) {
            return None;
        }
        others += 1;
    }
    if others < 2 || !is_long && others < 3 {
        return None;
    }
    match ending.hangs() {
        Some(hanging) => at(Severity::Error, &describe(&hanging)),
        None => at(
            Severity::Warning,
            "it has no punctuation, unlike the texts beside it",
        ),
    }
}

fn name(field: &TextField) -> Option<&'static str> {
    let last = super::last_segment(&field.path);
    let last = last.split('[').next().unwrap_or(last);
    NAMES.iter().copied().find(|name| *name == last)
}
