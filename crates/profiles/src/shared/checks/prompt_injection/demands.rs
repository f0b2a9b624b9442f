//! Demands on a judge or a model in one paragraph, put together from its words.
//!
//! | in one sentence | addressed to a judge | otherwise |
//! |---|---|---|
//! | drop + instructions, rubric, system prompt | certain | certain for “all previous”, “your”, the system prompt; likely for “previous”, a rubric |
//! | give + best mark | certain | after “drop your instructions”, or for this text and all criteria, certain; for one of them, likely |
//! | pretend + criteria met | certain | likely |
//! | reveal + system prompt, your instructions | certain | “your”: certain; “the”: likely |
//! | report no issues | certain | for this text: certain |
//! | “developer mode enabled” and its like | certain | certain |
//!
//! A condition (“if you use Windows”), advice (“you can ignore”) and a verb in the
//! middle of a clause take one step off. Nothing here knows where the text stands.

mod sentence;

use std::ops::Range;

use super::fold::{BREAK, Folded};
use super::phrases::{self, Boundaries, Word};
use sentence::Sentence;

/// What a demand asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A judge is told which verdict to give.
    Verdict,
    /// A model is told to drop its instructions.
    Override,
    /// A model is told to reveal its instructions.
    Secret,
    /// A model is given another role.
    Takeover,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    Likely,
    Certain,
}

impl Strength {
    fn less(self) -> Option<Self> {
        (self == Self::Certain).then_some(Self::Likely)
    }
}

/// A demand, in the bytes of the paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    pub(super) what: What,
    pub(super) strength: Strength,
    pub(super) range: Range<usize>,
}

/// The strongest demand of a paragraph, the first of several.
pub(super) fn in_paragraph(paragraph: &str, boundaries: Boundaries) -> Option<Demand> {
    let folded = Folded::new(paragraph);
    let core = phrases::core_words(&folded.text, boundaries);
    if core.is_empty() {
        return None;
    }
    let sentences = sentences(&folded.text);
    let near = sentences_near(&core, &sentences);
    let words = phrases::words(&folded.text, boundaries, core, &near);
    let mut best: Option<Demand> = None;
    for language in 0..phrases::languages() {
        let is_here = words
            .iter()
            .any(|word| word.language == Some(language) && word.slot.is_core());
        if !is_here {
            continue;
        }
        let mut reader = Reader {
            text: &folded.text,
            language,
            addressed: None,
            is_overridden: false,
        };
        for sentence in &sentences {
            if let Some(demand) = reader.read(sentence, &words)
                && best
                    .as_ref()
                    .is_none_or(|best| best.strength < demand.strength)
            {
                best = Some(demand);
            }
        }
    }
    best.map(|demand| Demand {
        range: folded.original(&demand.range),
        ..demand
    })
}

/// The sentences that have one of these words, with the one before them, which may address
/// a judge.
fn sentences_near(core: &[Word], sentences: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut near: Vec<Range<usize>> = Vec::new();
    for word in core {
        let own = sentences.partition_point(|sentence| sentence.end <= word.range.start);
        let both = sentences.get(own.saturating_sub(1)..).into_iter().flatten();
        for sentence in both.take(if own == 0 { 1 } else { 2 }) {
            if near.last().is_none_or(|last| last.end <= sentence.start) {
                near.push(sentence.clone());
            }
        }
    }
    near
}

/// Longer sentences are cut: a demand is short, and words are compared in pairs.
const LONGEST: usize = 600;

fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let is_last = chars.peek().is_none();
        let ends = match c {
            '。' | '！' | '？' | '।' | '؟' | '!' | '?' | BREAK => true,
            '.' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            ' ' => end - start > LONGEST,
            _ => end - start > 2 * LONGEST,
        };
        if ends || is_last {
            sentences.push(start..end);
            start = end;
        }
    }
    sentences
}

/// How a judge is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    /// “Dear grader”, “AI:”, “if you are a language model”.
    Called,
    /// “You are the judge”, “as a reviewer”.
    InRole,
    /// “The model must”.
    Told,
    /// “The AI must”.
    AiTold,
}

struct Reader<'a> {
    text: &'a str,
    language: u8,
    /// How the sentence before spoke to a judge.
    addressed: Option<Address>,
    is_overridden: bool,
}

impl Reader<'_> {
    fn read(&mut self, range: &Range<usize>, words: &[Word]) -> Option<Demand> {
        let from = words.partition_point(|word| word.range.start < range.start);
        let to = words.partition_point(|word| word.range.start < range.end);
        let own = |word: &&Word| {
            word.language
                .is_none_or(|language| language == self.language)
        };
        let words: Vec<&Word> = words[from..to].iter().filter(own).collect();
        let has_core = words.iter().any(|word| word.slot.is_core());
        let sentence = Sentence {
            text: self.text,
            range: range.clone(),
            words,
            has_free_order: phrases::has_free_order(self.language),
            is_overridden: self.is_overridden,
        };
        let (here, address_range) = sentence.address().unzip();
        let address = here.or(self.addressed);
        self.addressed = here;
        if !has_core {
            return None;
        }
        let demands = [
            sentence.takeover(),
            sentence.overriding(address),
            sentence.verdict(address),
            sentence.pretence(address),
            sentence.secret(address),
            sentence.no_issues(address),
        ];
        let mut found: Option<Demand> = None;
        for demand in demands.into_iter().flatten() {
            self.is_overridden |= demand.what == What::Override;
            found = Some(match found {
                Some(earlier) if earlier.strength >= demand.strength => earlier,
                _ => demand,
            });
        }
        let mut found = found?;
        if let Some(address) = address_range {
            found.range.start = found.range.start.min(address.start);
            found.range.end = found.range.end.max(address.end);
        }
        Some(found)
    }
}
