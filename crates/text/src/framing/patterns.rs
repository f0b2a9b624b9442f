//! The sentences of chat framing, compiled from the phrase files in
//! `data/framing`. It does not know where in a text a sentence is.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

use crate::hints::Hints;
use crate::phrases::{PhraseFile, PhraseList};

pub(super) static FRAMING: PhraseList = PhraseList::new(
    "framing",
    &[
        "part *",
        "acknowledgement",
        "opening hints",
        "polite opening",
        "announcement",
        "announcement after yes",
        "announcement on its line",
        "closing hints",
        "offer",
        "polite closing",
        "self reference hints",
        "self reference",
        "thinking hints",
        "thinking",
        "thinking before json",
    ],
);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Acknowledges,
    IsPolite,
    Announces,
    /// `here`: the acknowledgement is in the same sentence.
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

/// The patterns of one language, compiled when first needed: that takes
/// milliseconds, and most texts hold no hint of framing at all. A pattern that
/// does not compile matches nothing; a test compiles them all.
pub(super) struct Patterns {
    file: &'static PhraseFile,
    opening: OnceLock<Option<OpeningPatterns>>,
    closing: OnceLock<Option<ClosingPatterns>>,
    self_reference: OnceLock<Option<RegexSet>>,
    thinking: OnceLock<Option<ThinkingPatterns>>,
}

struct OpeningPatterns {
    acknowledgement: Regex,
    polite: RegexSet,
    announcement: RegexSet,
    after_yes: RegexSet,
    on_its_line: RegexSet,
}

struct ClosingPatterns {
    offer: RegexSet,
    polite: RegexSet,
}

struct ThinkingPatterns {
    certain: RegexSet,
    before_json: RegexSet,
}

/// All languages; a sentence is tried in each, because models answer a request
/// in one language with a courtesy in another.
static LANGUAGES: LazyLock<Vec<Patterns>> =
    LazyLock::new(|| FRAMING.files().iter().map(Patterns::new).collect());

/// How a sentence opens an answer, and in which language.
pub(super) fn opening(sentence: &str) -> Option<(Opening, &'static str)> {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(FRAMING.all("opening hints")));
    if !HINTS.any_in(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find_map(|patterns| Some((patterns.opening(sentence)?, patterns.file.language)))
}

/// How a sentence closes an answer, and in which language.
pub(super) fn closing(sentence: &str) -> Option<(Closing, &'static str)> {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(FRAMING.all("closing hints")));
    if !HINTS.any_in(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find_map(|patterns| Some((patterns.closing(sentence)?, patterns.file.language)))
}

/// How a sentence thinks about the request, in any language.
pub(super) fn thinking(sentence: &str) -> Option<Thinking> {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(FRAMING.all("thinking hints")));
    if !HINTS.any_in(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find_map(|patterns| patterns.thinking(sentence))
}

/// Whether a text may hold a sentence in which a model speaks of itself: a look
/// that costs nearly nothing, before sentences are cut.
pub(super) fn may_speak_of_itself(text: &str) -> bool {
    static HINTS: LazyLock<Hints> =
        LazyLock::new(|| Hints::new(FRAMING.all("self reference hints")));
    HINTS.any_in(text)
}

/// The language in which a model speaks of itself in this sentence.
pub(super) fn speaks_of_itself(sentence: &str) -> Option<&'static str> {
    if !may_speak_of_itself(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find(|patterns| patterns.speaks_of_itself(sentence))
        .map(|patterns| patterns.file.language)
}

impl Patterns {
    fn new(file: &'static PhraseFile) -> Self {
        Self {
            file,
            opening: OnceLock::new(),
            closing: OnceLock::new(),
            self_reference: OnceLock::new(),
            thinking: OnceLock::new(),
        }
    }

    fn has_hint(&self, sentence: &str, section: &str) -> bool {
        let mut hints = self.file.phrases(section).iter();
        hints.any(|hint| sentence.contains(hint))
    }

    fn opening(&self, sentence: &str) -> Option<Opening> {
        if !self.has_hint(sentence, "opening hints") {
            return None;
        }
        let patterns = self
            .opening
            .get_or_init(|| compile_opening(self.file).ok())
            .as_ref()?;
        let mut rest = sentence;
        let mut here = false;
        // "Okay, sure, here is …": at most a few in a row.
        for _ in 0..3 {
            let Some(yes) = patterns.acknowledgement.find(rest) else {
                break;
            };
            here = true;
            rest = rest.get(yes.end()..).unwrap_or_default();
        }
        if rest.is_empty() {
            return here.then_some(Opening::Acknowledges);
        }
        if patterns.announcement.is_match(rest) {
            Some(Opening::Announces)
        } else if patterns.on_its_line.is_match(rest) && !here {
            Some(Opening::AnnouncesOnItsLine)
        } else if patterns.after_yes.is_match(rest) {
            Some(Opening::AnnouncesIfAcknowledged { here })
        } else if patterns.polite.is_match(rest) {
            Some(Opening::IsPolite)
        } else {
            None
        }
    }

    fn closing(&self, sentence: &str) -> Option<Closing> {
        if !self.has_hint(sentence, "closing hints") {
            return None;
        }
        let patterns = self
            .closing
            .get_or_init(|| compile_closing(self.file).ok())
            .as_ref()?;
        if patterns.offer.is_match(sentence) {
            Some(Closing::Offers)
        } else if patterns.polite.is_match(sentence) {
            Some(Closing::IsPolite)
        } else {
            None
        }
    }

    fn speaks_of_itself(&self, sentence: &str) -> bool {
        self.self_reference
            .get_or_init(|| whole(self.file, "self reference").ok())
            .as_ref()
            .is_some_and(|patterns| patterns.is_match(sentence))
    }

    fn thinking(&self, sentence: &str) -> Option<Thinking> {
        let patterns = self
            .thinking
            .get_or_init(|| compile_thinking(self.file).ok())
            .as_ref()?;
        if patterns.certain.is_match(sentence) {
            Some(Thinking::Certain)
        } else if patterns.before_json.is_match(sentence) {
            Some(Thinking::BeforeJson)
        } else {
            None
        }
    }
}

fn compile_opening(file: &PhraseFile) -> Result<OpeningPatterns, regex::Error> {
    let yes = fill(file, &file.phrases("acknowledgement").join("|"));
    Ok(OpeningPatterns {
        acknowledgement: Regex::new(&format!(
            "^(?:{yes})(?:$|[ ,，、;]+(?:(?:-|–|—) )?|(?: ?(?:-|–|—) ))"
        ))?,
        polite: whole(file, "polite opening")?,
        announcement: whole(file, "announcement")?,
        after_yes: whole(file, "announcement after yes")?,
        on_its_line: whole(file, "announcement on its line")?,
    })
}

fn compile_closing(file: &PhraseFile) -> Result<ClosingPatterns, regex::Error> {
    Ok(ClosingPatterns {
        offer: whole(file, "offer")?,
        polite: whole(file, "polite closing")?,
    })
}

fn compile_thinking(file: &PhraseFile) -> Result<ThinkingPatterns, regex::Error> {
    Ok(ThinkingPatterns {
        certain: beginning(file, "thinking")?,
        before_json: beginning(file, "thinking before json")?,
    })
}

/// Patterns for whole sentences.
fn whole(file: &PhraseFile, section: &str) -> Result<RegexSet, regex::Error> {
    let patterns = file.phrases(section).iter();
    RegexSet::new(patterns.map(|pattern| format!("^(?:{})$", fill(file, pattern))))
}

/// Patterns for beginnings of sentences.
fn beginning(file: &PhraseFile, section: &str) -> Result<RegexSet, regex::Error> {
    let patterns = file.phrases(section).iter();
    RegexSet::new(patterns.map(|pattern| format!("^(?:{})", fill(file, pattern))))
}

/// The pattern with its parts in place of their names. A part may use parts that
/// come before it in the file.
fn fill(file: &PhraseFile, pattern: &str) -> String {
    let mut filled = pattern.to_owned();
    for (name, alternatives) in file.sections_after("part ").rev() {
        let name = format!("{{{name}}}");
        if filled.contains(&name) {
            filled = filled.replace(&name, &format!("(?:{})", alternatives.join("|")));
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_names_only_parts_that_exist() {
        for file in FRAMING.files() {
            let compiled = compile_opening(file)
                .map(drop)
                .and_then(|()| compile_closing(file).map(drop))
                .and_then(|()| compile_thinking(file).map(drop))
                .and_then(|()| whole(file, "self reference").map(drop));
            assert_eq!(compiled, Ok(()), "{}", file.language);
            for (section, patterns) in file.sections_after("") {
                for pattern in patterns.iter().map(|pattern| fill(file, pattern)) {
                    let unknown = pattern
                        .split('{')
                        .skip(1)
                        .find(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
                    assert_eq!(unknown, None, "{} [{section}]", file.language);
                }
            }
        }
    }
}
