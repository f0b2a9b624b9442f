//! What the words around an equation say about it: claimed by the lesson, asked,
//! called wrong, attributed to someone, rounded. English only, like the cards.
//! Knows nothing of numbers.

use std::ops::Range;

use super::tokens::{Token, TokenKind};

/// Whether the lesson itself claims that an equation holds.
pub(super) fn is_claimed(text: &str, equation: &Range<usize>) -> bool {
    let sentence = sentence_around(text, equation);
    let Some(around) = text.get(sentence.clone()) else {
        return false;
    };
    let after = text.get(equation.end..).unwrap_or_default();
    let is_asked = after
        .trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '?' | '.' | '\n'))
        .starts_with('?');
    let lower = around.to_lowercase();
    let neighbours = neighbourhood(text, &sentence).to_lowercase();
    !is_asked
        && !has_word(&lower, DENIED)
        && !has_word(&lower, ROUNDED)
        && !has_word(&neighbours, DOUBTED)
}

/// Words of sentences that do not claim the equation.
const DENIED: &[&str] = &[
    "not",
    "n't",
    "never",
    "wrong",
    "wrongly",
    "incorrect",
    "incorrectly",
    "mistake",
    "mistakes",
    "mistakenly",
    "error",
    "errors",
    "false",
    "misconception",
    "instead",
    "rather",
    "confuse",
    "confusing",
    "confused",
    "forget",
    "forgets",
    "forgetting",
    "forgot",
    "thinks",
    "think",
    "thinking",
    "thought",
    "believe",
    "believes",
    "believing",
    "claims",
    "says",
    "said",
    "wrote",
    "writes",
    "writing",
    "answered",
    "if",
    "suppose",
    "would",
    "might",
    "could",
    "avoid",
    "whether",
    "without",
    "✗",
    "❌",
    "✘",
];

/// Words of sentences that round or estimate the result.
const ROUNDED: &[&str] = &[
    "round",
    "rounded",
    "rounding",
    "rounds",
    "nearest",
    "estimate",
    "estimated",
    "estimating",
    "estimation",
    "approximately",
    "approx",
    "approximate",
    "about",
    "around",
    "roughly",
    "nearly",
    "almost",
    "decimal place",
    "decimal places",
    "significant",
    "truncate",
    "truncated",
    "remainder",
    "d.p",
    "dp",
    "s.f",
    "sig",
    "whole number",
];

/// Words that cast doubt on the sentences next to them.
const DOUBTED: &[&str] = &[
    "mistake",
    "mistakes",
    "wrong",
    "incorrect",
    "incorrectly",
    "error",
    "errors",
    "misconception",
    "spot the",
    "true or false",
    "is this correct",
    "is this right",
    "is he right",
    "is she right",
    "is he correct",
    "is she correct",
    "are they right",
    "is it true",
    "who is right",
    "agree",
];

/// Whether the tokens around an expression leave its meaning unchanged.
pub(super) fn stands_alone(text: &str, (before, after): (Option<&Token>, Option<&Token>)) -> bool {
    let word = |token: &Token| {
        text.get(token.range.clone())
            .unwrap_or_default()
            .to_lowercase()
    };
    let before_fits = before.is_none_or(|token| match token.kind {
        TokenKind::Unknown | TokenKind::Unequal => false,
        TokenKind::Word => !BEFORE.contains(&word(token).as_str()),
        _ => true,
    });
    let after_fits = after.is_none_or(|token| match token.kind {
        TokenKind::Unknown => false,
        TokenKind::Word => !AFTER.contains(&word(token).as_str()),
        _ => true,
    });
    before_fits && after_fits
}

/// Words before an expression that change what it means.
const BEFORE: &[&str] = &[
    "root",
    "cube",
    "square",
    "squared",
    "log",
    "sin",
    "cos",
    "tan",
    "mean",
    "average",
    "median",
    "ratio",
    "scale",
    "remainder",
    "by",
];

/// Words after a number that change what it means.
const AFTER: &[&str] = &[
    "r",
    "rem",
    "remainder",
    "million",
    "billion",
    "thousand",
    "hundred",
    "dozen",
    "squared",
    "cubed",
    "k",
    "m",
    "bn",
    "st",
    "nd",
    "rd",
    "th",
    "out",
    "to",
    "or",
];

/// Whether a number follows this word as a label: "Step 1".
pub(super) fn is_label(word: &str) -> bool {
    const LABELS: &[&str] = &[
        "step", "steps", "question", "part", "example", "card", "hint", "task", "stage", "level",
        "week", "day", "section", "chapter", "exercise", "method", "option", "q", "item", "line",
        "row", "no", "number", "problem", "round",
    ];
    LABELS.contains(&word.to_lowercase().as_str())
}

/// The range of the expression in a stem that only asks for a result: after "What
/// is", "Calculate", "Find", "Work out", up to the end of the sentence. The rest of
/// the stem may only ask for working.
pub(super) fn question(stem: &str) -> Option<Range<usize>> {
    const ASKS: &[&str] = &[
        "what is",
        "calculate",
        "find",
        "work out",
        "evaluate",
        "what's",
        "how much is",
        "compute",
    ];
    let lower = stem.to_lowercase();
    // Lower case can change the length of some letters; offsets would not match.
    if lower.len() != stem.len() {
        return None;
    }
    let lead = lower.len() - lower.trim_start_matches([' ', '\n', '*', '$']).len();
    let rest = lower.get(lead..)?;
    let ask = ASKS.iter().find(|ask| {
        rest.strip_prefix(**ask)
            .is_some_and(|after| after.starts_with([' ', ':', '\n']))
    })?;
    let mut start = lead + ask.len();
    start += lower.get(start..)?.len()
        - lower
            .get(start..)?
            .trim_start_matches([':', ' ', '\n', '*', '$'])
            .len();
    // The sentence ends with a full stop that is not followed by a digit.
    let end = lower
        .get(start..)?
        .char_indices()
        .find(|(at, c)| {
            let next = lower
                .get(start + at + c.len_utf8()..)
                .and_then(|after| after.chars().next());
            matches!(c, '.' | '?') && !next.is_some_and(|next| next.is_ascii_digit())
        })
        .map_or(lower.len(), |(at, c)| start + at + c.len_utf8());
    let tail = lower.get(end..)?;
    let asks_more = tail.contains('?')
        || has_word(
            tail,
            &["then", "and", "round", "nearest", "now", "change", "left"],
        );
    (!asks_more && !has_word(lower.get(..end)?, ROUNDED)).then_some(start..end)
}

/// Whether a text in lower case contains one of the words.
fn has_word(text: &str, words: &[&str]) -> bool {
    let is_letter = |c: char| c.is_alphanumeric();
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, found)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text
                .get(at + found.len()..)
                .and_then(|after| after.chars().next());
            let starts = word.starts_with("n'") || !before.is_some_and(is_letter);
            starts && !after.is_some_and(is_letter)
        })
    })
}

/// Maximum distance in bytes to the ends of an equation's sentence.
const REACH: usize = 200;

/// The sentence or line around a range, within reach.
fn sentence_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let from = text.ceil_char_boundary(range.start.saturating_sub(REACH));
    let before = text.get(from..range.start).unwrap_or_default();
    let start = before
        .char_indices()
        .rev()
        .find(|(at, c)| ends_sentence(before, *at, *c))
        .map_or(from, |(at, c)| from + at + c.len_utf8());
    let to = text.floor_char_boundary(range.end.saturating_add(REACH).min(text.len()));
    let after = text.get(range.end..to).unwrap_or_default();
    let end = after
        .char_indices()
        .find(|(at, c)| ends_sentence(after, *at, *c))
        .map_or(to, |(at, _)| range.end + at);
    start..end
}

fn ends_sentence(text: &str, at: usize, c: char) -> bool {
    let next = text
        .get(at + c.len_utf8()..)
        .and_then(|after| after.chars().next());
    match c {
        '\n' | '!' | '?' => true,
        '.' => next.is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// The sentence with the text around it.
fn neighbourhood<'t>(text: &'t str, sentence: &Range<usize>) -> &'t str {
    const NEAR: usize = 120;
    let start = text.ceil_char_boundary(sentence.start.saturating_sub(NEAR));
    let end = text.floor_char_boundary(sentence.end.saturating_add(NEAR).min(text.len()));
    text.get(start..end).unwrap_or_default()
}
