//! Sentences in which a model refuses to write ("I'm sorry, but I can't help with
//! that."). The phrases are in `data/refusal`. It does not know whether the
//! sentence is all there is, nor what follows from it.

use std::ops::Range;
use std::sync::LazyLock;

use super::sentence_patterns::{Form, SentencePatterns};
use super::sentences::{End, Sentence, paragraph_sentences};
use super::talk::declines as declines_by_words;
use crate::hints::Hints;
use crate::phrases::PhraseList;

pub(super) static REFUSAL: PhraseList = PhraseList::new(
    "refusal",
    &["part *", "hints", "negations", "telling", "bare"],
);

/// A sentence in which a model refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub range: Range<usize>,
    pub kind: RefusalKind,
    /// The language of the sentence, as a BCP 47 tag.
    pub language: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// It speaks of a request, of content, or of a model.
    Telling,
    /// Somebody in a story might say it, too.
    Bare,
}

static PATTERNS: LazyLock<SentencePatterns<RefusalKind>> = LazyLock::new(|| {
    SentencePatterns::new(
        &REFUSAL,
        &[
            (RefusalKind::Telling, "telling", Form::Whole),
            (RefusalKind::Bare, "bare", Form::Whole),
        ],
    )
});

static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(REFUSAL.all("hints")));

static NEGATIONS: LazyLock<Hints> = LazyLock::new(|| Hints::new(REFUSAL.all("negations")));

/// A text that is nothing but a refusal is hardly longer, in bytes.
const SHORT: usize = 600;

/// The refusals of a text, in order. What is quoted, a list item or said by
/// somebody ("Anna: …") does not count.
pub fn refusals(text: &str) -> Vec<Refusal> {
    let mut found = Vec::new();
    let is_short = text.len() <= SHORT;
    let of_interest =
        |paragraph: &str| HINTS.any_in(paragraph) || (is_short && NEGATIONS.any_in(paragraph));
    for paragraph in paragraph_sentences(text, of_interest) {
        let mut before: Option<&Sentence> = None;
        let mut quotes = Quotes::default();
        for sentence in &paragraph {
            let is_said = before.is_some_and(|before| before.end == End::ColonInLine);
            if let Some(before) = before {
                quotes.read(text.get(before.range.clone()).unwrap_or_default());
            }
            if !is_said && !quotes.are_open() {
                let plain = sentence.plain(text);
                let by_words = || Some((RefusalKind::Bare, declines_by_words(text, sentence)?));
                found.extend(
                    kind(&plain)
                        .or_else(by_words)
                        .map(|(kind, language)| Refusal {
                            range: sentence.range.clone(),
                            kind,
                            language,
                        }),
                );
            }
            before = Some(sentence);
        }
    }
    found
}

/// Whether a sentence is one in which a model refuses.
pub(super) fn declines_in(text: &str, sentence: &Sentence) -> bool {
    kind(&sentence.plain(text)).is_some()
}

fn kind(sentence: &str) -> Option<(RefusalKind, &'static str)> {
    if !HINTS.any_in(sentence) {
        return None;
    }
    let candidates = PATTERNS.candidates(sentence);
    let mut patterns = candidates.iter();
    let found = patterns.find(|pattern| pattern.matches(sentence))?;
    Some((found.meaning, found.file.language))
}

/// The quotation marks of a paragraph, as far as it was read.
#[derive(Default)]
struct Quotes {
    straight: usize,
    opened: usize,
    closed: usize,
}

impl Quotes {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '"' => self.straight += 1,
                '“' | '„' | '«' | '「' | '『' => self.opened += 1,
                '”' | '»' | '」' | '』' => self.closed += 1,
                _ => {}
            }
        }
    }

    fn are_open(&self) -> bool {
        !self.straight.is_multiple_of(2) || self.opened > self.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(REFUSAL.faults(), [""; 0]);
        assert_eq!(PATTERNS.faults(), [""; 0]);
        let finds = |wanted| {
            move |_: &_, text: &str| refusals(text).iter().any(|found| found.kind == wanted)
        };
        let telling = REFUSAL.wrong_examples("telling", finds(RefusalKind::Telling));
        assert_eq!(telling, [""; 0]);
        let bare = REFUSAL.wrong_examples("bare", finds(RefusalKind::Bare));
        assert_eq!(bare, [""; 0]);
    }

    #[test]
    fn what_somebody_says_is_no_refusal_of_the_text() {
        for text in [
            "The model answers: I'm sorry, but I can't help with that.",
            "Anna: I'm sorry, but I can't help with that.",
            "\"I'm sorry, but I can't help with that.\"",
            "He wrote: “Thank you. I'm sorry, but I can't help with that.”",
            "> I'm sorry, but I can't help with that.",
            "- I'm sorry, but I can't help with that.",
        ] {
            assert_eq!(refusals(text), [], "{text}");
        }
    }
}
