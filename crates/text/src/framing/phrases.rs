//! How the phrases of one language are written down, and compiled. It does not
//! know where in a text a sentence stands.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

use crate::hints::Hints;

/// The phrases of one language. Every pattern is matched against a whole
/// sentence in lower case without its final punctuation; `{name}` stands for
/// the part of that name.
pub(super) struct Source {
    pub(super) code: &'static str,
    pub(super) parts: &'static [(&'static str, &'static str)],
    /// Words that say yes to a request; they may begin any sentence below.
    pub(super) acknowledgement: &'static str,
    /// Pieces of words, one of which is in every sentence that may open an
    /// answer, and the same for closing one. Compiling the patterns takes
    /// milliseconds, and most texts hold no hint of framing at all.
    pub(super) opening_hints: &'static str,
    pub(super) closing_hints: &'static str,
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

/// The phrases of one language, compiled when first needed. A pattern that does
/// not compile matches nothing; a test compiles them all.
pub(super) struct Phrases {
    pub(super) code: &'static str,
    source: &'static Source,
    opening: OnceLock<Option<OpeningPhrases>>,
    closing: OnceLock<Option<ClosingPhrases>>,
    self_reference: OnceLock<Option<RegexSet>>,
    thinking: OnceLock<Option<ThinkingPhrases>>,
}

struct OpeningPhrases {
    acknowledgement: Regex,
    polite: RegexSet,
    announcement: RegexSet,
    after_yes: RegexSet,
    on_its_line: RegexSet,
}

struct ClosingPhrases {
    offer: RegexSet,
    polite: RegexSet,
}

struct ThinkingPhrases {
    certain: RegexSet,
    before_json: RegexSet,
}

/// All languages; a sentence is tried in each, because models answer a request
/// in one language with a courtesy in another.
pub(super) static LANGUAGES: LazyLock<Vec<Phrases>> =
    LazyLock::new(|| SOURCES.iter().map(|source| Phrases::new(source)).collect());

pub(super) const SOURCES: [&Source; 7] = [
    &super::en::SOURCE,
    &super::ru::SOURCE,
    &super::zh::SOURCE,
    &super::de::SOURCE,
    &super::es::SOURCE,
    &super::fr::SOURCE,
    &super::pt::SOURCE,
];

impl Source {
    fn fill(&self, pattern: &str) -> String {
        let mut filled = pattern.to_owned();
        // Parts may use parts that stand before them in the list.
        for (name, part) in self.parts.iter().rev() {
            filled = filled.replace(&format!("{{{name}}}"), &format!("(?:{part})"));
        }
        filled
    }

    fn whole(&self, patterns: &[&str]) -> Result<RegexSet, regex::Error> {
        RegexSet::new(
            patterns
                .iter()
                .map(|pattern| format!("^(?:{})$", self.fill(pattern))),
        )
    }

    fn beginning(&self, patterns: &[&str]) -> Result<RegexSet, regex::Error> {
        RegexSet::new(
            patterns
                .iter()
                .map(|pattern| format!("^(?:{})", self.fill(pattern))),
        )
    }

    fn compile_opening(&self) -> Result<OpeningPhrases, regex::Error> {
        let yes = self.fill(self.acknowledgement);
        Ok(OpeningPhrases {
            acknowledgement: Regex::new(&format!(
                "^(?:{yes})(?:$|[ ,，、;]+(?:(?:-|–|—) )?|(?: ?(?:-|–|—) ))"
            ))?,
            polite: self.whole(self.polite_opening)?,
            announcement: self.whole(self.announcement)?,
            after_yes: self.whole(self.announcement_after_yes)?,
            on_its_line: self.whole(self.announcement_on_its_line)?,
        })
    }

    fn compile_closing(&self) -> Result<ClosingPhrases, regex::Error> {
        Ok(ClosingPhrases {
            offer: self.whole(self.offer)?,
            polite: self.whole(self.polite_closing)?,
        })
    }

    fn compile_thinking(&self) -> Result<ThinkingPhrases, regex::Error> {
        Ok(ThinkingPhrases {
            certain: self.beginning(self.thinking)?,
            before_json: self.beginning(self.thinking_before_json)?,
        })
    }

    /// Compiles everything, and says what does not compile.
    #[cfg(test)]
    pub(super) fn check(&self) -> Result<(), regex::Error> {
        self.compile_opening()?;
        self.compile_closing()?;
        self.compile_thinking()?;
        self.whole(self.self_reference)?;
        Ok(())
    }
}

/// Whether a sentence may open an answer in any language, by the hints of all of
/// them: one look instead of hundreds.
pub(super) fn may_open(sentence: &str) -> bool {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| {
        let hints = SOURCES
            .iter()
            .flat_map(|source| source.opening_hints.split('|'));
        Hints::new(hints)
    });
    HINTS.any_in(sentence)
}

/// The same for closing one.
pub(super) fn may_close(sentence: &str) -> bool {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| {
        let hints = SOURCES
            .iter()
            .flat_map(|source| source.closing_hints.split('|'));
        Hints::new(hints)
    });
    HINTS.any_in(sentence)
}

/// How a sentence thinks about the request, in whatever language.
pub(super) fn thinking(sentence: &str) -> Option<Thinking> {
    static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::new(THINKING_HINTS.split('|')));
    if !HINTS.any_in(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find_map(|language| language.thinking(sentence))
}

/// Whether a text may hold a sentence in which a model speaks of itself: a look
/// that costs nearly nothing, before sentences are cut.
pub(super) fn may_speak_of_itself(text: &str) -> bool {
    static HINT: LazyLock<Hints> = LazyLock::new(|| Hints::new(SELF_HINTS.split('|')));
    HINT.any_in(text)
}

/// The language in which a model speaks of itself in this sentence.
pub(super) fn speaks_of_itself(sentence: &str) -> Option<&'static str> {
    if !may_speak_of_itself(sentence) {
        return None;
    }
    LANGUAGES
        .iter()
        .find(|language| language.speaks_of_itself(sentence))
        .map(|language| language.code)
}

fn has_hint(sentence: &str, hints: &str) -> bool {
    hints.split('|').any(|hint| sentence.contains(hint))
}

impl Phrases {
    fn new(source: &'static Source) -> Self {
        Self {
            code: source.code,
            source,
            opening: OnceLock::new(),
            closing: OnceLock::new(),
            self_reference: OnceLock::new(),
            thinking: OnceLock::new(),
        }
    }

    pub(super) fn opening(&self, sentence: &str) -> Option<Opening> {
        if !has_hint(sentence, self.source.opening_hints) {
            return None;
        }
        let phrases = self
            .opening
            .get_or_init(|| self.source.compile_opening().ok())
            .as_ref()?;
        let mut rest = sentence;
        let mut here = false;
        // "Okay, sure, here is …": at most a few in a row.
        for _ in 0..3 {
            let Some(yes) = phrases.acknowledgement.find(rest) else {
                break;
            };
            here = true;
            rest = rest.get(yes.end()..).unwrap_or_default();
        }
        if rest.is_empty() {
            return here.then_some(Opening::Acknowledges);
        }
        if phrases.announcement.is_match(rest) {
            Some(Opening::Announces)
        } else if phrases.on_its_line.is_match(rest) && !here {
            Some(Opening::AnnouncesOnItsLine)
        } else if phrases.after_yes.is_match(rest) {
            Some(Opening::AnnouncesIfAcknowledged { here })
        } else if phrases.polite.is_match(rest) {
            Some(Opening::IsPolite)
        } else {
            None
        }
    }

    pub(super) fn closing(&self, sentence: &str) -> Option<Closing> {
        if !has_hint(sentence, self.source.closing_hints) {
            return None;
        }
        let phrases = self
            .closing
            .get_or_init(|| self.source.compile_closing().ok())
            .as_ref()?;
        if phrases.offer.is_match(sentence) {
            Some(Closing::Offers)
        } else if phrases.polite.is_match(sentence) {
            Some(Closing::IsPolite)
        } else {
            None
        }
    }

    fn speaks_of_itself(&self, sentence: &str) -> bool {
        self.self_reference
            .get_or_init(|| self.source.whole(self.source.self_reference).ok())
            .as_ref()
            .is_some_and(|patterns| patterns.is_match(sentence))
    }

    fn thinking(&self, sentence: &str) -> Option<Thinking> {
        let phrases = self
            .thinking
            .get_or_init(|| self.source.compile_thinking().ok())
            .as_ref()?;
        if phrases.certain.is_match(sentence) {
            Some(Thinking::Certain)
        } else if phrases.before_json.is_match(sentence) {
            Some(Thinking::BeforeJson)
        } else {
            None
        }
    }
}

/// As the hints of the languages, for all of them together: the request that is
/// refused, the name of the machine.
const SELF_HINTS: &str = " ai| ia|-ia|ki-| ki | ии|作为|我是|model|modèle|modelo|модель|modell|模型|助手|人工智能|请求|intelig|intellig|интеллект|assist|request|запрос|anfrage|solicit|petición|pedido|demande|training|cutoff|update";

/// Who asked, what for, and who has to answer.
const THINKING_HINTS: &str = "user|prompt|lesson|response|answer|json|i need to|let me|let's|task|asked|пользовател|юзер|урок|ответ|задача|просят|попросили|用户|我|nutzer|anwender|lektion|antwort|unterricht|aufgabe|gebeten|usuari|lección|respuesta|tarea|ped|utilisat|leçon|réponse|tâche|demand|utilizador|aula|lição|resposta|tarefa";
