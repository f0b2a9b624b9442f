//! Recognises the words a chat model puts around its answer: "Sure! Here is the
//! lesson:", "Let me know if you need changes.", leaked reasoning, refusals. What
//! is certain may be deleted without asking, so a sentence counts only when it
//! talks *about the answer* and is matched as a whole, from its first word to
//! its last, at the start or the end of a text (ruling 15). It knows nothing of
//! lessons, Markdown or JSON; callers give it one field at a time.
//!
//! The phrases are data, one file per language (`data/framing`); this file only
//! cuts sentences and decides which of them belong together.

mod cues;
mod lexicon;
mod patterns;
mod reasoning;
mod refusal;
mod reply_words;
mod sentence_patterns;
mod sentences;
mod slots;
mod talk;
#[cfg(test)]
mod tests;
mod weighed;
mod weights;

use std::ops::Range;

#[doc(hidden)]
pub use cues::{Cue, cues};
use patterns::{
    Acknowledges, Closing, Opening, OpeningKind, may_speak_of_itself, speaks_of_itself,
    vetoed_at_end, vetoed_at_start,
};
pub use reasoning::{Reasoning, ReasoningKind, reasoning, reasoning_in_field};
pub use refusal::{Refusal, RefusalKind, refusals};
pub use reply_words::{announces_sample, declines, knows_language_of, only_ends};
use sentences::{End, Sentence, first_sentences, last_sentences, paragraph_edges};
pub use slots::{Bracketed, bracketed, sounds_like_gap, sounds_like_slots};
use talk::{Edge, is_courtesy, speaks_of_the_answer, talks};
use weighed::sounds_like_one;
pub use weighed::{
    Following, Sounds, sounds_like_closing, sounds_like_opening, sounds_like_refusal,
};
#[doc(hidden)]
pub use weights::scaled;

/// Sentences that frame an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Framing {
    /// The framing sentences, from the first letter to the last full stop.
    pub range: Range<usize>,
    /// What they do, to continue "this sentence …".
    pub what: &'static str,
    /// The language of the telling sentence, as a BCP 47 tag.
    pub language: &'static str,
    pub certainty: Certainty,
}

/// How sure it is that sentences are framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A teacher might write them, too; a person decides.
    Likely,
    /// They speak of the answer and of nothing else, and may be deleted.
    Certain,
}

/// Whether a text may be more than one sentence: most short texts are not.
pub fn may_be_sentences(text: &str) -> bool {
    let mut sentences = first_sentences(text);
    sentences.next().is_some() && sentences.next().is_some()
}

/// Certain framing at the very start of `text`: from the first character that is
/// not blank to the end of the last framing sentence. `None` if there is none.
pub fn opening(text: &str) -> Option<Framing> {
    any_opening(text).filter(|found| found.certainty == Certainty::Certain)
}

/// Framing at the very start of `text`, certain or likely.
///
/// | sentence | alone | after an acknowledgement ("Sure!") |
/// |---|---|---|
/// | acknowledgement | no | no |
/// | courtesy ("Let's get started!") | no | likely, unless it is "Okay" |
/// | praise ("Great question!") | likely | likely |
/// | hands over a kind of content ("Here is a lesson about loops.") | likely on its line | certain |
/// | hands over what a lesson may hold, too ("Here is the question:") | likely with its colon, on its line | certain |
/// | "Here is the lesson:" | certain with its colon, on its line | certain |
/// | speaks of a request or a revision | certain | certain |
///
/// What follows the colon on the same line belongs to the content, so that such
/// an announcement is likely at most.
pub fn any_opening(text: &str) -> Option<Framing> {
    // No phrase begins with a heading, and most lessons do.
    if text.trim_start().starts_with('#') {
        return None;
    }
    let mut run = OpeningRun::default();
    for sentence in first_sentences(text) {
        let agreed = run.acknowledged == Acknowledges::Clearly;
        let Some((opening, language)) = opening_of(text, &sentence, agreed) else {
            break;
        };
        if !run.add(text, &sentence, opening, language) {
            break;
        }
    }
    run.found
}

/// The language of a courtesy, which is never what is reported.
const UNKNOWN: &str = "und";

/// How a sentence opens an answer: by its wording, or else by the kinds of words
/// in it.
fn opening_of(text: &str, sentence: &Sentence, agreed: bool) -> Option<(Opening, &'static str)> {
    let by_wording = patterns::opening(&sentence.plain(text));
    let says_little = |(opening, _): &(Opening, _)| {
        matches!(
            opening.kind,
            OpeningKind::IsPolite | OpeningKind::IsLikelyAfterYes
        )
    };
    if by_wording.as_ref().is_some_and(|found| !says_little(found)) {
        return by_wording;
    }
    let Some(language) = talks(text, sentence, Edge::Start, agreed) else {
        let agrees = Opening {
            kind: OpeningKind::Acknowledges,
            acknowledges: Acknowledges::No,
        };
        let by_courtesy = || is_courtesy(text, sentence).then_some((agrees, UNKNOWN));
        return by_wording.or_else(by_courtesy);
    };
    let acknowledges = by_wording.map_or(Acknowledges::No, |(opening, _)| opening.acknowledges);
    let opening = Opening {
        kind: OpeningKind::IsLikely,
        acknowledges,
    };
    Some((opening, language))
}

/// How a sentence closes an answer, in the same way.
fn closing_of(text: &str, sentence: &Sentence) -> Option<(Closing, &'static str)> {
    let by_wording = patterns::closing(&sentence.plain(text));
    // "If the train is late, I will take a taxi." has the form of an offer.
    let by_wording = match by_wording {
        Some((Closing::Offers, language)) if !speaks_of_the_answer(text, sentence) => {
            sounds_like_one(text, sentence).then_some((Closing::IsLikely, language))
        }
        other => other,
    };
    if by_wording.is_some_and(|(closing, _)| closing < Closing::IsPolite) {
        return by_wording;
    }
    let by_words = talks(text, sentence, Edge::End, false);
    by_words
        .map(|language| (Closing::IsLikely, language))
        .or(by_wording)
}

/// The framing sentences at the start of a text, as far as they were read.
#[derive(Default)]
struct OpeningRun {
    start: Option<usize>,
    acknowledged: Acknowledges,
    courtesies: usize,
    found: Option<Framing>,
}

impl OpeningRun {
    /// Whether the sentence belongs to the run.
    fn add(
        &mut self,
        text: &str,
        sentence: &Sentence,
        opening: Opening,
        language: &'static str,
    ) -> bool {
        let start = *self.start.get_or_insert(sentence.range.start);
        self.acknowledged = self.acknowledged.max(opening.acknowledges);
        self.courtesies += usize::from(opening.kind == OpeningKind::IsPolite);
        let Some(mut certainty) = self.judge(text, sentence, opening.kind) else {
            return false;
        };
        if sentence.end == End::ColonInLine && certainty.is_some() {
            // "Here is the lesson: never trust input." goes on with the lesson.
            if certainty == Some(Certainty::Likely) {
                return false;
            }
            certainty = Some(Certainty::Likely);
        }
        let so_far = self.found.as_ref().map(|found| found.certainty);
        // What follows a certain announcement in its paragraph belongs to it.
        let belongs = so_far == Some(Certainty::Certain)
            && self.found.as_ref().is_some_and(|found| {
                let between = text.get(found.range.end..sentence.range.start);
                !between.unwrap_or_default().contains('\n')
            });
        if certainty > so_far || certainty == Some(Certainty::Certain) || belongs {
            self.found = Some(Framing {
                range: start..sentence.range.end,
                what: "announces the answer",
                language,
                certainty: certainty.max(so_far).unwrap_or(Certainty::Likely),
            });
        } else if certainty.is_some()
            && so_far == Some(Certainty::Likely)
            && let Some(found) = &mut self.found
        {
            found.range.end = sentence.range.end;
        }
        true
    }

    /// How sure a sentence makes it; `None` if it is no framing where it stands.
    fn judge(
        &self,
        text: &str,
        sentence: &Sentence,
        kind: OpeningKind,
    ) -> Option<Option<Certainty>> {
        let yes = self.acknowledged > Acknowledges::No;
        let clearly = self.acknowledged == Acknowledges::Clearly;
        let has_colon = sentence.end == End::ColonBeforeBreak;
        let certain_if = |is: bool| {
            if is {
                Certainty::Certain
            } else {
                Certainty::Likely
            }
        };
        let rest = text.get(sentence.range.end..).unwrap_or_default();
        let is_on_its_line = rest
            .trim_start_matches([' ', '\t', '\r'])
            .chars()
            .next()
            .is_none_or(|next| next == '\n');
        match kind {
            OpeningKind::Acknowledges => Some(None),
            OpeningKind::IsPolite => {
                Some((clearly || self.courtesies > 1).then_some(Certainty::Likely))
            }
            OpeningKind::IsLikely => Some(Some(Certainty::Likely)),
            OpeningKind::Announces => Some(Some(Certainty::Certain)),
            OpeningKind::AnnouncesOnItsLine => {
                (yes || is_on_its_line).then_some(Some(certain_if(yes || has_colon)))
            }
            OpeningKind::AnnouncesAfterYes => {
                (yes || is_on_its_line).then_some(Some(certain_if(yes)))
            }
            OpeningKind::AnnouncesWithColon => (yes || has_colon).then_some(Some(certain_if(yes))),
            OpeningKind::IsLikelyAfterYes => clearly.then_some(Some(Certainty::Likely)),
        }
    }
}

/// Certain framing at the very end of `text`, without the blanks around it:
/// offers of changes, hopes that the answer helps. `None` if there is none.
pub fn closing(text: &str) -> Option<Framing> {
    any_closing(text).filter(|found| found.certainty == Certainty::Certain)
}

/// Framing at the very end of `text`, certain or likely. A sentence that a
/// teacher might also write ("Feel free to ask if you have questions.") is
/// certain only beside another one in its paragraph, and an offer only if it speaks
/// of the answer and of nothing else.
pub fn any_closing(text: &str) -> Option<Framing> {
    let mut found: Option<Framing> = None;
    let mut end = None;
    let sentences = last_sentences(text);
    for (index, sentence) in sentences.iter().enumerate().rev() {
        let end = *end.get_or_insert(sentence.range.end);
        let Some((kind, language)) = closing_of(text, sentence) else {
            break;
        };
        // "Anna: Let me know if you need more."
        let before = index
            .checked_sub(1)
            .and_then(|before| sentences.get(before));
        if before.is_some_and(|before| is_name(text, before)) {
            break;
        }
        let certainty = match kind {
            Closing::Offers => Some(Certainty::Certain),
            Closing::IsLikely => Some(Certainty::Likely),
            Closing::IsPolite => None,
        };
        let so_far = found.as_ref().map(|found| found.certainty);
        let belongs = so_far.is_some()
            && found.as_ref().is_some_and(|found| {
                let between = text.get(sentence.range.end..found.range.start);
                !between.unwrap_or_default().contains('\n')
            });
        if certainty.is_some() && certainty >= so_far || belongs {
            let language = found.map_or(language, |found| found.language);
            found = Some(Framing {
                range: sentence.range.start..end,
                what: "offers further help",
                language,
                certainty: certainty.max(so_far).unwrap_or(Certainty::Likely),
            });
        }
    }
    found
}

/// Whether a sentence is the name of who speaks, before a colon on the same line.
fn is_name(text: &str, sentence: &Sentence) -> bool {
    const MOST_WORDS: usize = 3;
    sentence.end == End::ColonInLine
        && sentence.plain(text).split(' ').count() <= MOST_WORDS
        && patterns::closing(&sentence.plain(text)).is_none()
}

/// Whether `text` is nothing but framing, certain or likely: enough where the
/// content is known to be elsewhere, as before and after a JSON document.
pub fn is_chat(text: &str) -> bool {
    let mut sentences = first_sentences(text).peekable();
    let mut says_anything = false;
    let mut agreed = false;
    let short = text.len() <= LONGEST_CHAT && sentences.peek().is_some();
    short
        && sentences.all(|sentence| {
            let opening = opening_of(text, &sentence, agreed);
            agreed |= opening.is_some_and(|(opening, _)| opening.acknowledges != Acknowledges::No);
            says_anything |= opening
                .is_some_and(|(opening, _)| !matches!(opening.kind, OpeningKind::IsLikelyAfterYes));
            let closing = closing_of(text, &sentence);
            says_anything |= closing.is_some();
            opening.is_some() || closing.is_some()
        })
        && says_anything
}

/// Whether `text` is framing from its first sentence to its last, each of them at
/// least likely: then it can go where the document is known to be elsewhere.
pub fn is_framing(text: &str) -> bool {
    let mut sentences = first_sentences(text).peekable();
    let mut agreed = false;
    let mut says_anything = false;
    let short = text.len() <= LONGEST_CHAT && sentences.peek().is_some();
    short
        && sentences.all(|sentence| {
            let opening = opening_of(text, &sentence, agreed).map(|(opening, _)| opening);
            agreed |= opening.is_some_and(|opening| opening.acknowledges != Acknowledges::No);
            let opens = opening.is_some_and(|opening| opening.kind <= OpeningKind::IsLikely);
            let agrees = opening.is_some_and(|opening| opening.kind == OpeningKind::Acknowledges);
            let closes = closing_of(text, &sentence).is_some();
            says_anything |= opens || closes;
            opens || agrees || closes
        })
        && says_anything
}

/// Chat is shorter, in bytes.
const LONGEST_CHAT: usize = 1500;

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
                certainty: Certainty::Certain,
            });
        }
    }
    found
}
