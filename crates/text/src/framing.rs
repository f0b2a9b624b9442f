//! Recognises the words a chat model puts around its answer: "Sure! Here is the
//! lesson:", "Let me know if you need changes.", leaked reasoning. What is found
//! here may be deleted without asking, so a sentence counts only when it
//! talks *about the answer* and is matched as a whole, from its first word to
//! its last, at the start or the end of a text (ruling 15). It knows nothing of
//! lessons, Markdown or JSON; callers give it one field at a time.
//!
//! The phrases are data, one file per language (`data/framing`); this file only
//! cuts sentences and decides which of them belong together.

mod patterns;
mod reasoning;
mod sentences;
#[cfg(test)]
mod tests;

use std::ops::Range;

use patterns::{Closing, Opening, may_speak_of_itself, speaks_of_itself};
pub use reasoning::{Reasoning, ReasoningKind, reasoning, reasoning_in_field};
use sentences::{End, first_sentences, last_sentences, paragraph_edges};

/// Sentences that frame an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// The framing sentences, from the first letter to the last full stop.
    pub range: Range<usize>,
    /// What they do, to continue "this sentence …".
    pub what: &'static str,
    /// The language of the telling sentence, as a BCP 47 tag.
    pub language: &'static str,
}

/// Framing at the very start of `text`: from the first character that is not
/// blank to the end of the last framing sentence. `None` if there is none.
///
/// | sentence | alone | after an acknowledgement ("Sure!") |
/// |---|---|---|
/// | acknowledgement, politeness | no | no |
/// | names the lesson or text handed over | no | yes |
/// | … and a request or a revision | yes | yes |
/// | "Here is the lesson:" alone on its line | yes | yes |
pub fn opening(text: &str) -> Option<Framing> {
    // No phrase begins with a heading, and most lessons do.
    if text.trim_start().starts_with('#') {
        return None;
    }
    let mut acknowledged = false;
    let mut found: Option<Framing> = None;
    let mut start = None;
    for sentence in first_sentences(text) {
        let start = *start.get_or_insert(sentence.range.start);
        let Some((kind, language)) = patterns::opening(&sentence.plain(text)) else {
            break;
        };
        let counts = match kind {
            Opening::Acknowledges => {
                acknowledged = true;
                false
            }
            Opening::IsPolite => false,
            Opening::Announces => true,
            Opening::AnnouncesIfAcknowledged { here } => here || acknowledged,
            Opening::AnnouncesOnItsLine => acknowledged || sentence.end == End::ColonBeforeBreak,
        };
        // "Here is the lesson: never trust input." goes on with the lesson.
        if counts && sentence.end == End::ColonInLine {
            break;
        }
        if counts {
            found = Some(Framing {
                range: start..sentence.range.end,
                what: "announces the answer",
                language,
            });
        } else if !matches!(kind, Opening::Acknowledges | Opening::IsPolite) {
            break;
        }
    }
    found
}

/// Framing at the very end of `text`, without the blanks around it: offers of
/// changes, hopes that the answer helps. `None` if there is none. A sentence
/// that a teacher might also write ("Feel free to ask if you have questions.")
/// counts only beside another one.
pub fn closing(text: &str) -> Option<Framing> {
    let mut found: Option<Framing> = None;
    let mut end = None;
    let mut polite = 0;
    for sentence in last_sentences(text).iter().rev() {
        let end = *end.get_or_insert(sentence.range.end);
        let Some((kind, language)) = patterns::closing(&sentence.plain(text)) else {
            break;
        };
        polite += usize::from(kind == Closing::IsPolite);
        if found.is_some() || kind == Closing::Offers || polite > 1 {
            let language = found.map_or(language, |found| found.language);
            found = Some(Framing {
                range: sentence.range.start..end,
                what: "offers further help",
                language,
            });
        }
    }
    found
}

/// Sentences in which a model speaks of itself ("As an AI language model, I
/// cannot …"), at the start or the end of any paragraph.
pub fn self_reference(text: &str) -> Vec<Framing> {
    let mut found = Vec::new();
    for sentence in paragraph_edges(text, may_speak_of_itself) {
        if let Some(language) = speaks_of_itself(&sentence.plain(text)) {
            found.push(Framing {
                range: sentence.range,
                what: "speaks as an assistant",
                language,
            });
        }
    }
    found
}
