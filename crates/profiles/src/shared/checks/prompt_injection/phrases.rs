//! Demands in a text: phrases by which it addresses its judge, from the files in
//! `crates/text/data/prompt_injection`.
//!
//! A demand is a word that opens it and further words that follow within the
//! same sentence. All phrases are beginnings of words, in lower case. Nothing here
//! knows where the text comes from.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_text::phrases::PhraseList;

pub(super) static LIST: PhraseList = PhraseList::new(
    "prompt_injection",
    &[
        "override",
        "override scope",
        "override object",
        "advice",
        "condition",
        "give",
        "best mark",
        "judge",
        "address",
        "this text",
        "attack",
        "example",
    ],
);

/// Markers of a chat with a model, in whatever language.
const MARKERS: &[&str] = &[
    "<|im_start|>",
    "<|system|>",
    "<<sys>>",
    "[inst]",
    "<|endoftext|>",
    "[system override]",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// Drop your instructions.
    Override,
    /// You there, judge.
    Address,
    /// Give the best mark.
    Verdict,
    /// Markers of a chat.
    Markers,
    /// The text mentions itself.
    ThisText,
}

/// The first demand of each kind.
#[derive(Debug, Default)]
pub(super) struct Found([Option<Range<usize>>; 5]);

impl Found {
    pub(super) fn get(&self, demand: Demand) -> Option<Range<usize>> {
        self.0[demand as usize].clone()
    }
}

/// The phrases of all languages together.
struct Phrases {
    advice: Vec<&'static str>,
    condition: Vec<&'static str>,
    give: Vec<&'static str>,
    best_mark: Vec<&'static str>,
    judge: Vec<&'static str>,
    address: Vec<&'static str>,
    this_text: Vec<&'static str>,
    attack: Vec<&'static str>,
    example: Vec<&'static str>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let of = |section| LIST.all(section).collect();
    Phrases {
        advice: of("advice"),
        condition: of("condition"),
        give: of("give"),
        best_mark: of("best mark"),
        judge: of("judge"),
        address: of("address"),
        this_text: of("this text"),
        attack: of("attack"),
        example: of("example"),
    }
});

/// Words of which every demand has one.
pub(super) fn triggers() -> impl Iterator<Item = &'static str> {
    LIST.all("override")
        .chain(LIST.all("best mark"))
        .chain(MARKERS.iter().copied())
}

/// How far after its opening a demand may reach, in bytes.
const REACH: usize = 160;

/// How many openings of one kind are followed up in one window.
const MOST: usize = 8;

/// The demands in a window of a text.
pub(super) fn find(text: &str) -> Found {
    let lower = lower_case(text);
    let mut found = Found::default();
    found.0[Demand::Override as usize] = LIST.files().iter().find_map(|file| {
        occurrences(&lower, file.phrases("override"))
            .take(MOST)
            .filter(|at| !is_advice(&lower, at.start))
            .find_map(|at| {
                let rest = sentence_from(&lower, at.end);
                let object = occurrences(rest, file.phrases("override object")).next()?;
                let scope = occurrences(rest, file.phrases("override scope")).next()?;
                Some(at.start..at.end + object.end.max(scope.end))
            })
    });
    let best_marks = occurrences(&lower, &PHRASES.best_mark);
    found.0[Demand::Verdict as usize] = best_marks.take(MOST).find_map(|best| {
        let before = sentence_to(&lower, best.start);
        let give = occurrences(before, &PHRASES.give).last()?;
        Some(best.start - before.len() + give.start..best.end)
    });
    found.0[Demand::Markers as usize] = MARKERS
        .iter()
        .find_map(|marker| lower.find(marker).map(|at| at..at + marker.len()));
    if found.0.iter().all(Option::is_none) {
        return found;
    }
    found.0[Demand::Address as usize] = occurrences(&lower, &PHRASES.judge).find_map(|judge| {
        let from = lower.ceil_char_boundary(judge.start.saturating_sub(30));
        let address = occurrences(&lower[from..judge.start], &PHRASES.address).last();
        let is_called = lower[judge.end..]
            .trim_start_matches(char::is_alphabetic)
            .starts_with([':', '：']);
        match address {
            Some(address) => Some(from + address.start..judge.end),
            None => is_called.then_some(judge),
        }
    });
    found.0[Demand::ThisText as usize] = occurrences(&lower, &PHRASES.this_text).next();
    found
}

/// Whether a text shows that it is about attacks, or gives an example.
pub(super) fn talks_about_attacks(text: &str) -> bool {
    let lower = lower_case(text);
    [&PHRASES.attack, &PHRASES.example]
        .iter()
        .any(|words| occurrences(&lower, words).next().is_some())
}

pub(super) fn names_attack(text: &str) -> bool {
    let lower = lower_case(text);
    PHRASES.attack.iter().any(|name| lower.contains(name))
}

/// In lower case, byte for byte.
fn lower_case(text: &str) -> String {
    text.chars()
        .map(|c| {
            let mut lower = c.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(single), None) if single.len_utf8() == c.len_utf8() => single,
                _ => c,
            }
        })
        .collect()
}

/// Where the phrases occur at the start of a word, in order.
fn occurrences<'a>(
    text: &'a str,
    phrases: &'a [&'static str],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut all: Vec<Range<usize>> = phrases
        .iter()
        .flat_map(|phrase| {
            text.match_indices(phrase)
                .map(|(at, found)| at..at + found.len())
        })
        .filter(|range| starts_word(text, range.start))
        .collect();
    all.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    all.into_iter()
}

fn starts_word(text: &str, at: usize) -> bool {
    let is_han = |c: char| ('\u{3400}'..='\u{9FFF}').contains(&c);
    let before = text[..at].chars().next_back();
    let first = text[at..].chars().next();
    before.is_none_or(|c| !c.is_alphanumeric() || is_han(c)) || first.is_some_and(is_han)
}

/// Whether the words before an opening make it advice.
fn is_advice(text: &str, at: usize) -> bool {
    let sentence = sentence_to(text, at);
    let is = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        PHRASES.advice.contains(&word)
    };
    let mut words = sentence.split_whitespace();
    words.clone().rev().take(3).any(is)
        || words
            .next()
            .is_some_and(|first| PHRASES.condition.contains(&first))
}

/// The rest of the sentence, as far as a demand reaches.
fn sentence_from(text: &str, at: usize) -> &str {
    let to = text.floor_char_boundary((at + REACH).min(text.len()));
    let rest = &text[at..to];
    &rest[..sentence_end(rest).unwrap_or(rest.len())]
}

/// The sentence up to here, as far as a demand reaches.
fn sentence_to(text: &str, at: usize) -> &str {
    let from = text.ceil_char_boundary(at.saturating_sub(REACH));
    let mut rest = &text[from..at];
    while let Some(end) = sentence_end(rest) {
        rest = &rest[end..];
    }
    rest
}

/// Where the first sentence ends, if it does.
fn sentence_end(text: &str) -> Option<usize> {
    text.char_indices().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => text[end..].starts_with(char::is_whitespace),
            _ => false,
        };
        is_end.then_some(end)
    })
}
