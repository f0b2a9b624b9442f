//! How the phrases of one language are written down, and compiled. It does not
//! know where in a text a sentence stands.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

/// The phrases of one language. Every pattern is matched against a whole
/// sentence without its final punctuation, whatever its case; `{name}` stands
/// for the part of that name.
pub(super) struct Source {
    pub(super) code: &'static str,
    pub(super) parts: &'static [(&'static str, &'static str)],
    /// Words that say yes to a request; they may begin any sentence below.
    pub(super) acknowledgement: &'static str,
    /// Polite sentences that may stand among framing, but are none.
    pub(super) polite_opening: &'static [&'static str],
    /// Sentences that can only hand over an answer.
    pub(super) announcement: &'static [&'static str],
    /// Sentences that hand over an answer if they follow an acknowledgement.
    pub(super) announcement_after_yes: &'static [&'static str],
    /// Sentences that hand over an answer if they end a line with a colon.
    pub(super) announcement_on_its_line: &'static [&'static str],
    /// Sentences that offer changes to the answer, or hope that it helps.
    pub(super) offer: &'static [&'static str],
    /// Sentences that end an answer but might also end a lesson.
    pub(super) polite_closing: &'static [&'static str],
    /// Sentences in which a model speaks of itself.
    pub(super) self_reference: &'static [&'static str],
    /// Beginnings of sentences that think about the request in the first person.
    pub(super) thinking: &'static [&'static str],
    /// The same, but believed only in front of bare JSON.
    pub(super) thinking_before_json: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Acknowledges,
    IsPolite,
    Announces,
    /// `here`: the acknowledgement stands in the same sentence.
    AnnouncesIfAcknowledged {
        here: bool,
    },
    AnnouncesOnItsLine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closing {
    Offers,
    IsPolite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thinking {
    Certain,
    BeforeJson,
}

/// The compiled phrases of one language.
pub(super) struct Phrases {
    pub(super) code: &'static str,
    acknowledgement: Regex,
    polite_opening: RegexSet,
    announcement: RegexSet,
    announcement_after_yes: RegexSet,
    announcement_on_its_line: RegexSet,
    offer: RegexSet,
    polite_closing: RegexSet,
    self_reference: RegexSet,
    thinking: RegexSet,
    thinking_before_json: RegexSet,
}

/// All languages; a sentence is tried in each, because models answer a request
/// in one language with a courtesy in another.
pub(super) static LANGUAGES: LazyLock<Vec<Phrases>> = LazyLock::new(|| {
    SOURCES
        .iter()
        .filter_map(|source| Phrases::compile(source).ok())
        .collect()
});

pub(super) const SOURCES: [&Source; 7] = [
    &super::en::SOURCE,
    &super::ru::SOURCE,
    &super::zh::SOURCE,
    &super::de::SOURCE,
    &super::es::SOURCE,
    &super::fr::SOURCE,
    &super::pt::SOURCE,
];

impl Phrases {
    pub(super) fn compile(source: &Source) -> Result<Self, regex::Error> {
        let fill = |pattern: &str| {
            let mut filled = pattern.to_owned();
            // Parts may use parts that stand before them in the list.
            for (name, part) in source.parts.iter().rev() {
                filled = filled.replace(&format!("{{{name}}}"), &format!("(?:{part})"));
            }
            filled
        };
        let whole = |patterns: &[&str]| {
            RegexSet::new(
                patterns
                    .iter()
                    .map(|pattern| format!("(?i)^(?:{})$", fill(pattern))),
            )
        };
        let beginning = |patterns: &[&str]| {
            RegexSet::new(
                patterns
                    .iter()
                    .map(|pattern| format!("(?i)^(?:{})", fill(pattern))),
            )
        };
        let yes = fill(source.acknowledgement);
        Ok(Self {
            code: source.code,
            acknowledgement: Regex::new(&format!(
                "(?i)^(?:{yes})(?:$|[ ,，、;]+(?:(?:-|–|—) )?|(?: ?(?:-|–|—) ))"
            ))?,
            polite_opening: whole(source.polite_opening)?,
            announcement: whole(source.announcement)?,
            announcement_after_yes: whole(source.announcement_after_yes)?,
            announcement_on_its_line: whole(source.announcement_on_its_line)?,
            offer: whole(source.offer)?,
            polite_closing: whole(source.polite_closing)?,
            self_reference: whole(source.self_reference)?,
            thinking: beginning(source.thinking)?,
            thinking_before_json: beginning(source.thinking_before_json)?,
        })
    }

    pub(super) fn opening(&self, sentence: &str) -> Option<Opening> {
        let mut rest = sentence;
        let mut here = false;
        // "Okay, sure, here is …": at most a few in a row.
        for _ in 0..3 {
            let Some(yes) = self.acknowledgement.find(rest) else {
                break;
            };
            here = true;
            rest = rest.get(yes.end()..).unwrap_or_default();
        }
        if rest.is_empty() {
            return here.then_some(Opening::Acknowledges);
        }
        if self.announcement.is_match(rest) {
            Some(Opening::Announces)
        } else if self.announcement_on_its_line.is_match(rest) && !here {
            Some(Opening::AnnouncesOnItsLine)
        } else if self.announcement_after_yes.is_match(rest) {
            Some(Opening::AnnouncesIfAcknowledged { here })
        } else if self.polite_opening.is_match(rest) {
            Some(Opening::IsPolite)
        } else {
            None
        }
    }

    pub(super) fn closing(&self, sentence: &str) -> Option<Closing> {
        if self.offer.is_match(sentence) {
            Some(Closing::Offers)
        } else if self.polite_closing.is_match(sentence) {
            Some(Closing::IsPolite)
        } else {
            None
        }
    }

    pub(super) fn speaks_of_itself(&self, sentence: &str) -> bool {
        self.self_reference.is_match(sentence)
    }

    pub(super) fn thinking(&self, sentence: &str) -> Option<Thinking> {
        if self.thinking.is_match(sentence) {
            Some(Thinking::Certain)
        } else if self.thinking_before_json.is_match(sentence) {
            Some(Thinking::BeforeJson)
        } else {
            None
        }
    }
}
