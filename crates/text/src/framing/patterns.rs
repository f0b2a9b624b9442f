//! The sentences of chat framing, compiled from the phrase files in
//! `data/framing`. It does not know where in a text a sentence is.

use std::sync::LazyLock;

use crate::hints::Hints;
use crate::phrases::PhraseList;

use super::sentence_patterns::{Candidates, Form, SentencePatterns};

pub(super) static FRAMING: PhraseList = PhraseList::new(
    "framing",
    &[
        "part *",
        "not between",
        "acknowledgement",
        "weak acknowledgement",
        "opening veto",
        "polite opening",
        "likely opening",
        "announcement",
        "announcement on its line",
        "announcement after yes",
        "announcement with colon",
        "likely after yes",
        "closing veto",
        "offer",
        "likely closing",
        "polite closing",
        "self reference hints",
        "self reference",
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

/// What a pattern of an opening is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpeningPart {
    Acknowledgement(Acknowledges),
    Veto,
    Kind(OpeningKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClosingPart {
    Veto,
    Kind(Closing),
}

/// A sentence is tried in all languages, because models answer a request in one language
/// with a courtesy in another.
static OPENINGS: LazyLock<SentencePatterns<OpeningPart>> = LazyLock::new(|| {
    use OpeningPart::{Acknowledgement, Kind, Veto};
    SentencePatterns::new(
        &FRAMING,
        &[
            (
                Acknowledgement(Acknowledges::Clearly),
                "acknowledgement",
                Form::Yes,
            ),
            (
                Acknowledgement(Acknowledges::Weakly),
                "weak acknowledgement",
                Form::Yes,
            ),
            (Veto, "opening veto", Form::Whole),
            (Kind(OpeningKind::Announces), "announcement", Form::Whole),
            (
                Kind(OpeningKind::AnnouncesOnItsLine),
                "announcement on its line",
                Form::Whole,
            ),
            (
                Kind(OpeningKind::AnnouncesAfterYes),
                "announcement after yes",
                Form::Whole,
            ),
            (
                Kind(OpeningKind::AnnouncesWithColon),
                "announcement with colon",
                Form::Whole,
            ),
            (Kind(OpeningKind::IsLikely), "likely opening", Form::Whole),
            (Kind(OpeningKind::IsPolite), "polite opening", Form::Whole),
            (
                Kind(OpeningKind::IsLikelyAfterYes),
                "likely after yes",
                Form::Whole,
            ),
        ],
    )
});

static CLOSINGS: LazyLock<SentencePatterns<ClosingPart>> = LazyLock::new(|| {
    use ClosingPart::{Kind, Veto};
    SentencePatterns::new(
        &FRAMING,
        &[
            (Veto, "closing veto", Form::Whole),
            (Kind(Closing::Offers), "offer", Form::Whole),
            (Kind(Closing::IsLikely), "likely closing", Form::Whole),
            (Kind(Closing::IsPolite), "polite closing", Form::Whole),
        ],
    )
});

static SELF_REFERENCES: LazyLock<SentencePatterns<()>> =
    LazyLock::new(|| SentencePatterns::new(&FRAMING, &[((), "self reference", Form::Whole)]));

static THOUGHTS: LazyLock<SentencePatterns<Thinking>> = LazyLock::new(|| {
    SentencePatterns::new(
        &FRAMING,
        &[
            (Thinking::Certain, "thinking", Form::Beginning),
            (
                Thinking::BeforeJson,
                "thinking before json",
                Form::Beginning,
            ),
        ],
    )
});

/// How a sentence opens an answer, and in which language.
pub(super) fn opening(sentence: &str) -> Option<(Opening, &'static str)> {
    let candidates = OPENINGS.candidates(sentence);
    let found = candidates.by_language().filter_map(|of_language| {
        let opening = opening_in(sentence, &of_language)?;
        Some((opening, of_language.language()?))
    });
    // Of two languages the first wins, unless the second says more.
    found.reduce(|best, next| {
        if next.0.kind < best.0.kind {
            next
        } else {
            best
        }
    })
}

/// How a sentence opens an answer by the patterns of one language.
fn opening_in(sentence: &str, patterns: &Candidates<'_, OpeningPart>) -> Option<Opening> {
    let mut rest = sentence;
    let mut acknowledges = Acknowledges::No;
    // "Okay, sure, here is …": at most a few in a row.
    for _ in 0..3 {
        let yes = patterns.iter().find_map(|pattern| match pattern.meaning {
            OpeningPart::Acknowledgement(how) => Some((how, pattern.length(rest)?)),
            _ => None,
        });
        let Some((how, length)) = yes else { break };
        acknowledges = acknowledges.max(how);
        rest = rest.get(length..).unwrap_or_default();
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
        let kind = patterns.iter().find_map(|pattern| match pattern.meaning {
            OpeningPart::Kind(kind) => pattern.matches(part).then_some(kind),
            _ => None,
        })?;
        let is_vetoed = patterns.any(OpeningPart::Veto, part);
        (!is_vetoed).then_some(Opening { kind, acknowledges })
    })
}

/// How a sentence closes an answer, and in which language.
pub(super) fn closing(sentence: &str) -> Option<(Closing, &'static str)> {
    let candidates = CLOSINGS.candidates(sentence);
    let found = candidates.by_language().filter_map(|of_language| {
        let kind = of_language
            .iter()
            .find_map(|pattern| match pattern.meaning {
                ClosingPart::Kind(kind) => pattern.matches(sentence).then_some(kind),
                ClosingPart::Veto => None,
            })?;
        let is_vetoed = of_language.any(ClosingPart::Veto, sentence);
        Some((kind, of_language.language()?)).filter(|_| !is_vetoed)
    });
    found.reduce(|best, next| if next.0 < best.0 { next } else { best })
}

/// Whether any language rules out that a sentence opens an answer.
pub(super) fn vetoed_at_start(sentence: &str) -> bool {
    OPENINGS
        .candidates(sentence)
        .any(OpeningPart::Veto, sentence)
}

/// Whether any language rules out that a sentence closes an answer.
pub(super) fn vetoed_at_end(sentence: &str) -> bool {
    CLOSINGS
        .candidates(sentence)
        .any(ClosingPart::Veto, sentence)
}

/// Whether a language rules out that a sentence opens an answer.
pub(super) fn vetoes_opening(sentence: &str, language: &str) -> bool {
    vetoes(&OPENINGS, OpeningPart::Veto, sentence, language)
}

/// Whether a language rules out that a sentence closes an answer.
pub(super) fn vetoes_closing(sentence: &str, language: &str) -> bool {
    vetoes(&CLOSINGS, ClosingPart::Veto, sentence, language)
}

fn vetoes<Part: Copy + PartialEq>(
    patterns: &'static SentencePatterns<Part>,
    veto: Part,
    sentence: &str,
    language: &str,
) -> bool {
    let candidates = patterns.candidates(sentence);
    let mut of_language = candidates.by_language();
    of_language
        .any(|patterns| patterns.language() == Some(language) && patterns.any(veto, sentence))
}

/// How a sentence thinks about the request, in any language.
pub(super) fn thinking(sentence: &str) -> Option<Thinking> {
    let candidates = THOUGHTS.candidates(sentence);
    let mut patterns = candidates.iter();
    let found = patterns.find(|pattern| pattern.matches(sentence))?;
    Some(found.meaning)
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
    let candidates = SELF_REFERENCES.candidates(sentence);
    let mut patterns = candidates.iter();
    let found = patterns.find(|pattern| pattern.matches(sentence))?;
    Some(found.file.language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_names_only_parts_that_exist() {
        assert_eq!(OPENINGS.faults(), [""; 0]);
        assert_eq!(CLOSINGS.faults(), [""; 0]);
        assert_eq!(SELF_REFERENCES.faults(), [""; 0]);
        assert_eq!(THOUGHTS.faults(), [""; 0]);
        for file in FRAMING.files() {
            for (section, patterns) in file.sections_after("") {
                for pattern in patterns.iter().map(|pattern| file.parts().fill(pattern)) {
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
