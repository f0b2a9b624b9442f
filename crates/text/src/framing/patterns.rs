//! The sentences of chat framing, compiled from the phrase files in
//! `data/framing`. It does not know where in a text a sentence is.

use std::cmp::Reverse;
use std::sync::{LazyLock, OnceLock};

use crate::hints::Hints;
use crate::light_regex::{PatternList, Regex, regex};
use crate::phrases::{PhraseFile, PhraseList};

pub(super) static FRAMING: PhraseList = PhraseList::new(
    "framing",
    &[
        "part *",
        "not between",
        "acknowledgement",
        "weak acknowledgement",
        "opening hints",
        "opening veto",
        "polite opening",
        "likely opening",
        "announcement",
        "announcement on its line",
        "announcement after yes",
        "announcement with colon",
        "likely after yes",
        "closing hints",
        "closing veto",
        "offer",
        "likely closing",
        "polite closing",
        "self reference hints",
        "self reference",
        "thinking hints",
        "thinking",
        "thinking before json",
    ],
);

/// How a sentence opens an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) kind: OpeningKind,
    pub(super) acknowledges: Acknowledges,
}

/// Whether a sentence begins with an acknowledgement, or is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Acknowledges {
    #[default]
    No,
    /// "Okay", which a teacher says to a class, too.
    Weakly,
    /// "Of course!"
    Clearly,
}

/// What a sentence at the start of a text does, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OpeningKind {
    /// "Here is your revised lesson:"
    Announces,
    /// "Here is the lesson:", if it is alone on its line.
    AnnouncesOnItsLine,
    /// "Here is a lesson about loops.", if it follows an acknowledgement.
    AnnouncesAfterYes,
    /// "Here is the question:", if it has its colon.
    AnnouncesWithColon,
    /// "Great question!"
    IsLikely,
    /// "Let's get started!"
    IsPolite,
    /// "Here is an overview:", if it follows an acknowledgement.
    IsLikelyAfterYes,
    Acknowledges,
}

/// What a sentence at the end of a text does, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closing {
    /// "Let me know if you want a longer version."
    Offers,
    /// "Feel free to ask if you have questions."
    IsLikely,
    /// "Good luck!"
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
    closing: OnceLock<ClosingPatterns>,
    self_reference: OnceLock<PatternList>,
    thinking: OnceLock<ThinkingPatterns>,
}

struct OpeningPatterns {
    acknowledgement: Regex,
    weak_acknowledgement: Regex,
    veto: Sentences,
    kinds: Vec<(OpeningKind, Sentences)>,
}

struct ClosingPatterns {
    veto: Sentences,
    kinds: Vec<(Closing, Sentences)>,
}

struct ThinkingPatterns {
    certain: PatternList,
    before_json: PatternList,
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
    let found = LANGUAGES
        .iter()
        .filter_map(|patterns| Some((patterns.opening(sentence)?, patterns.file.language)));
    // Of two languages the first wins, unless the second says more.
    found.reduce(|best, next| {
        if next.0.kind < best.0.kind {
            next
        } else {
            best
        }
    })
}

/// How a sentence closes an answer, and in which language.
pub(super) fn closing(sentence: &str) -> Option<(Closing, &'static str)> {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(FRAMING.all("closing hints")));
    if !HINTS.any_in(sentence) {
        return None;
    }
    let found = LANGUAGES
        .iter()
        .filter_map(|patterns| Some((patterns.closing(sentence)?, patterns.file.language)));
    found.reduce(|best, next| if next.0 < best.0 { next } else { best })
}

/// Whether a language rules out that a sentence opens an answer.
pub(super) fn vetoes_opening(sentence: &str, language: &str) -> bool {
    in_language(language).is_some_and(|patterns| {
        let opening = patterns
            .opening
            .get_or_init(|| compile_opening(patterns.file).ok());
        opening
            .as_ref()
            .is_some_and(|opening| opening.veto.match_whole(sentence))
    })
}

/// Whether a language rules out that a sentence closes an answer.
pub(super) fn vetoes_closing(sentence: &str, language: &str) -> bool {
    in_language(language).is_some_and(|patterns| {
        let closing = patterns
            .closing
            .get_or_init(|| closing_patterns(patterns.file));
        closing.veto.match_whole(sentence)
    })
}

fn in_language(language: &str) -> Option<&'static Patterns> {
    LANGUAGES
        .iter()
        .find(|patterns| patterns.file.language == language)
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
        let mut acknowledges = Acknowledges::No;
        // "Okay, sure, here is …": at most a few in a row.
        for _ in 0..3 {
            let clear = patterns.acknowledgement.find(rest.as_bytes());
            let Some(yes) = clear.or_else(|| patterns.weak_acknowledgement.find(rest.as_bytes()))
            else {
                break;
            };
            acknowledges = acknowledges.max(if clear.is_some() {
                Acknowledges::Clearly
            } else {
                Acknowledges::Weakly
            });
            rest = rest.get(yes.end()..).unwrap_or_default();
        }
        if rest.is_empty() {
            return Some(Opening {
                kind: OpeningKind::Acknowledges,
                acknowledges,
            });
        }
        // "Great question" begins like an acknowledgement.
        let whole = (rest.len() < sentence.len()).then_some((sentence, Acknowledges::No));
        let mut parts = [(rest, acknowledges)].into_iter().chain(whole);
        parts.find_map(|(part, acknowledges)| {
            let (kind, _) = patterns
                .kinds
                .iter()
                .find(|(_, sentences)| sentences.match_whole(part))
                .filter(|_| !patterns.veto.match_whole(part))?;
            Some(Opening {
                kind: *kind,
                acknowledges,
            })
        })
    }

    fn closing(&self, sentence: &str) -> Option<Closing> {
        if !self.has_hint(sentence, "closing hints") {
            return None;
        }
        let patterns = self.closing.get_or_init(|| closing_patterns(self.file));
        let (kind, _) = patterns
            .kinds
            .iter()
            .find(|(_, sentences)| sentences.match_whole(sentence))
            .filter(|_| !patterns.veto.match_whole(sentence))?;
        Some(*kind)
    }

    fn speaks_of_itself(&self, sentence: &str) -> bool {
        self.self_reference
            .get_or_init(|| whole(self.file, "self reference"))
            .any_matches(sentence)
    }

    fn thinking(&self, sentence: &str) -> Option<Thinking> {
        let patterns = self.thinking.get_or_init(|| thinking_patterns(self.file));
        if patterns.certain.any_matches(sentence) {
            Some(Thinking::Certain)
        } else if patterns.before_json.any_matches(sentence) {
            Some(Thinking::BeforeJson)
        } else {
            None
        }
    }
}

fn compile_opening(file: &PhraseFile) -> Result<OpeningPatterns, regex::Error> {
    let yes = |section: &str| {
        // "Gern geschehen" before "gern".
        let mut phrases = file.phrases(section).to_vec();
        phrases.sort_by_key(|phrase| Reverse(phrase.len()));
        let yes = fill(file, &phrases.join("|"));
        regex(&format!(
            "^(?:{yes})(?:$|[ ,，、;]+(?:(?:-|–|—) )?|(?: ?(?:-|–|—) )|(?:—|–)+)"
        ))
    };
    Ok(OpeningPatterns {
        acknowledgement: yes("acknowledgement")?,
        weak_acknowledgement: yes("weak acknowledgement")?,
        veto: Sentences::new(file, "opening veto"),
        kinds: [
            (OpeningKind::Announces, "announcement"),
            (OpeningKind::AnnouncesOnItsLine, "announcement on its line"),
            (OpeningKind::AnnouncesAfterYes, "announcement after yes"),
            (OpeningKind::AnnouncesWithColon, "announcement with colon"),
            (OpeningKind::IsLikely, "likely opening"),
            (OpeningKind::IsPolite, "polite opening"),
            (OpeningKind::IsLikelyAfterYes, "likely after yes"),
        ]
        .into_iter()
        .map(|(kind, section)| (kind, Sentences::new(file, section)))
        .collect(),
    })
}

fn closing_patterns(file: &PhraseFile) -> ClosingPatterns {
    ClosingPatterns {
        veto: Sentences::new(file, "closing veto"),
        kinds: [
            (Closing::Offers, "offer"),
            (Closing::IsLikely, "likely closing"),
            (Closing::IsPolite, "polite closing"),
        ]
        .into_iter()
        .map(|(kind, section)| (kind, Sentences::new(file, section)))
        .collect(),
    }
}

/// Patterns for whole sentences, in which `{mid}` stands for up to six words that
/// belong to the noun after them. Without it "Here is the code of the lesson"
/// would hand over a lesson.
#[derive(Debug)]
pub(super) struct Sentences {
    patterns: PatternList,
    not_between: Vec<&'static str>,
}

impl Sentences {
    pub(super) fn new(file: &PhraseFile, section: &str) -> Self {
        Self {
            patterns: whole(file, section),
            not_between: file.words("not between").collect(),
        }
    }

    /// Whether a pattern matches a whole sentence, given in lower case.
    pub(super) fn match_whole(&self, sentence: &str) -> bool {
        self.patterns.matching(sentence).any(|pattern| {
            let has_middle = pattern.captures_len() > 1;
            let middle = || {
                pattern
                    .captures(sentence.as_bytes())?
                    .name("mid")
                    .map(|mid| mid.range())
            };
            !has_middle || self.is_noun_phrase(middle().and_then(|middle| sentence.get(middle)))
        })
    }

    /// The patterns that do not compile.
    #[cfg(test)]
    pub(super) fn faults(&self) -> Vec<&str> {
        self.patterns.faults()
    }

    /// Whether these words may stand before a noun. The first is its article.
    fn is_noun_phrase(&self, middle: Option<&str>) -> bool {
        middle.is_none_or(|middle| {
            let mut words = middle.split_whitespace().skip(1);
            words.all(|word| !self.not_between.contains(&word.trim_matches(',')))
        })
    }
}

fn thinking_patterns(file: &PhraseFile) -> ThinkingPatterns {
    ThinkingPatterns {
        certain: beginning(file, "thinking"),
        before_json: beginning(file, "thinking before json"),
    }
}

/// Patterns for whole sentences.
fn whole(file: &PhraseFile, section: &str) -> PatternList {
    let patterns = file.phrases(section).iter();
    PatternList::new(patterns.map(|pattern| format!("^(?:{})$", fill(file, pattern))))
}

/// Patterns for beginnings of sentences.
fn beginning(file: &PhraseFile, section: &str) -> PatternList {
    let patterns = file.phrases(section).iter();
    PatternList::new(patterns.map(|pattern| format!("^(?:{})", fill(file, pattern))))
}

/// The pattern with its parts in place of their names. A part may use parts that
/// come before it in the file.
fn fill(file: &PhraseFile, pattern: &str) -> String {
    let mut filled = pattern.to_owned();
    filled = filled.replace("{mid}", r"(?P<mid>(?:\S+ ){0,6}?)");
    filled = filled.replace("{mid2}", r"(?:\S+ ){0,4}?");
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
            assert_eq!(compile_opening(file).map(drop), Ok(()), "{}", file.language);
            for (section, _) in file.sections_after("") {
                let compiles = !section.starts_with("part ") && !section.ends_with("hints");
                if compiles && section != "not between" {
                    assert_eq!(whole(file, section).faults(), [""; 0], "{}", file.language);
                }
            }
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
