//! Recognises a sentence that talks about the answer by the kinds of words that
//! meet in it, not by its wording: who wrote the answer, who gets it, what it is
//! called, what was done to it, what was asked for. Models say the same in
//! endlessly many ways, and a list of sentences always misses the next one.
//!
//! A sentence counts only if hardly a word is left over: "I wrote a lesson for you
//! about the kidneys of a frog" says more than a courtesy. So it is never certain,
//! and a person decides. The words are data, one file per language
//! (`data/chat_words`); [`RULES`] says which of them make chat.

use super::lexicon::{
    ASK, Beginning, CHARACTERS_OF_A_WORD, COURTESY, DECLINE, HERE, LEXICON, Lexicon, MAKE, NEVER,
    READER, REQUEST, SPEAKER, Signs, TEXT, WE, WORK, YES, tokens, weight,
};
use super::patterns::{vetoes_closing, vetoes_opening};
use super::sentences::{End, Sentence};
use crate::char_set::CharSet;

/// The edge of a text at which a sentence stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    End,
}

/// Two words that wait for a reply.
const ASKS: Signs = 1 << 14;
const COLON: Signs = 1 << 15;
const QUESTION: Signs = 1 << 16;
/// No word is left over.
const PURE: Signs = 1 << 18;
/// A few words.
const SHORT: Signs = 1 << 19;
/// It begins with a word that hands over.
const FIRST_HERE: Signs = 1 << 23;
/// It begins with something to do, as teachers begin: "Complete the quiz below."
const ORDER: Signs = 1 << 24;
/// It names nothing that is handed over.
const UNNAMED: Signs = 1 << 21;

/// The kinds of words that speak of an answer; the more of them meet, the more
/// words may be left over.
const TELLING: [Signs; 9] = [
    SPEAKER,
    READER,
    WORK | TEXT,
    MAKE,
    REQUEST,
    HERE,
    COURTESY,
    ASK,
    YES,
];

const ANY: Signs = Signs::MAX;

/// Signs that make chat: the edge, signs of which all are there, signs of which one
/// is there.
const RULES: &[(Option<Edge>, Signs, Signs)] = &[
    // "I've put together a lesson."
    (None, SPEAKER | MAKE | WORK | PURE, ANY),
    (
        None,
        SPEAKER | MAKE | WORK,
        READER | REQUEST | HERE | YES | ASK,
    ),
    (
        None,
        SPEAKER | MAKE | TEXT,
        READER | REQUEST | HERE | YES | ASK,
    ),
    (None, WE | MAKE | WORK | PURE, ANY),
    (None, SPEAKER | YES, WORK | MAKE),
    (None, SPEAKER | READER | REQUEST, ANY),
    (None, SPEAKER | READER | MAKE, WORK | TEXT | HERE),
    (Some(Edge::Start), SPEAKER | READER | COURTESY, HERE | MAKE),
    // "Below is your question."
    (None, FIRST_HERE | WORK, READER | MAKE | TEXT | COLON),
    (None, HERE | WORK, REQUEST | SPEAKER | YES),
    (None, HERE | TEXT, REQUEST | SPEAKER | YES),
    (None, HERE | PURE | SPEAKER, ANY),
    (
        Some(Edge::Start),
        HERE | COLON | PURE | SHORT | UNNAMED,
        ANY,
    ),
    // "The item meets the criteria you gave."
    (None, REQUEST | READER, WORK | TEXT | MAKE | HERE),
    (None, REQUEST | SPEAKER, WORK | TEXT | MAKE | HERE | PURE),
    // "Sorry for the mistake in my answer!"
    (None, COURTESY | READER | REQUEST, ANY),
    (None, COURTESY | SPEAKER, MAKE | REQUEST),
    // "Shall I add a question?"
    (Some(Edge::End), ASK | SPEAKER, WORK | TEXT | REQUEST),
    (Some(Edge::End), ASK | PURE | ASKS, SPEAKER | READER | WORK),
    (Some(Edge::End), ASK | QUESTION | PURE | MAKE, WORK),
    (Some(Edge::End), QUESTION | PURE | SPEAKER, WORK),
    (Some(Edge::Start), YES | COURTESY | MAKE | PURE, ANY),
];

/// How many words may be left over, by how many of [`TELLING`] meet.
const LEFT_OVER: [(usize, usize); 2] = [(4, 2), (3, 1)];

/// Chat is shorter, in words.
const LONGEST: usize = 45;

/// A sentence of so few words is short.
const FEW: usize = 6;

/// The language in which a sentence at an edge of a text talks about the answer.
/// `agreed` says that the sentence before it agreed to a request ("Sure!").
pub(super) fn talks(
    text: &str,
    sentence: &Sentence,
    edge: Edge,
    agreed: bool,
) -> Option<&'static str> {
    let raw = text.get(sentence.range.clone()).unwrap_or_default();
    if is_quoted(raw) {
        return None;
    }
    let plain = sentence.plain(text);
    let mut given = match sentence.end {
        End::ColonBeforeBreak | End::ColonInLine => COLON,
        End::Stop => 0,
    };
    if raw.trim_end_matches(['*', '_', ' ']).ends_with(['?', '？']) {
        given |= QUESTION;
    }
    if agreed {
        given |= YES;
    }
    let vetoes = match edge {
        Edge::Start => vetoes_opening,
        Edge::End => vetoes_closing,
    };
    let mut found = read(&LEXICON, &plain).into_iter();
    found.find_map(|(language, found)| {
        (found.is_chat(given, edge) && !vetoes(&plain, language)).then_some(language)
    })
}

/// Whether a sentence is a courtesy and nothing else ("Good catch!"): it says nothing of
/// an answer, but a sentence that does may follow.
pub(super) fn is_courtesy(text: &str, sentence: &Sentence) -> bool {
    let raw = text.get(sentence.range.clone()).unwrap_or_default();
    !is_quoted(raw)
        && read(&LEXICON, &sentence.plain(text))
            .iter()
            .any(|(_, found)| {
                found.left_over == 0
                    && found.length <= FEW * CHARACTERS_OF_A_WORD
                    && found.signs & (COURTESY | YES) != 0
                    && found.signs & NEVER == 0
            })
}

/// Whether a sentence speaks of nothing but the answer: no word is left over, or it names
/// the answer and hardly one is. "I'd be happy to give you a lift to the station" offers
/// something else.
pub(super) fn speaks_of_the_answer(text: &str, sentence: &Sentence) -> bool {
    let found = read(&LEXICON, &sentence.plain(text)).into_iter();
    found.map(|(_, found)| found).any(|found| {
        let has = |wanted: Signs| found.signs & wanted != 0;
        let limit = if has(WORK | TEXT) {
            LEFT_OVER[0].1
        } else {
            usize::from(has(ASK) && has(MAKE))
        };
        found.left_over <= limit * CHARACTERS_OF_A_WORD && found.signs & NEVER == 0
    })
}

/// The language in which a sentence declines to write: somebody cannot do what only
/// the writer of an answer does.
pub(super) fn declines(text: &str, sentence: &Sentence) -> Option<&'static str> {
    let raw = text.get(sentence.range.clone()).unwrap_or_default();
    if is_quoted(raw) {
        return None;
    }
    let mut found = read(&LEXICON, &sentence.plain(text)).into_iter();
    found.find_map(|(language, found)| {
        let signs = found.signs;
        let has = |wanted: Signs| signs & wanted != 0;
        let says_all = has(SPEAKER) && has(MAKE) && has(WORK | TEXT | REQUEST);
        let is_one = has(DECLINE) && !has(NEVER) && (says_all || has(REQUEST) && has(COURTESY));
        (is_one && found.left_over <= CHARACTERS_OF_A_WORD).then_some(language)
    })
}

/// Speech in a story, or words that the text is about.
pub(super) fn is_quoted(sentence: &str) -> bool {
    static MARKS: CharSet<9> = CharSet::new(['"', '“', '”', '«', '»', '„', '「', '『', '`']);
    MARKS.is_in(sentence) || sentence.starts_with(['—', '–', '-', '|', '>'])
}

/// What was found of one language in a sentence.
#[derive(Clone, Debug, Default)]
struct Found {
    signs: Signs,
    /// Half-words, for scripts without spaces.
    left_over: usize,
    length: usize,
    /// Words that a phrase still covers, and whether their own signs count.
    covered: usize,
    counts_inside: bool,
    /// Whether anything but agreement was read.
    begun: bool,
}

impl Found {
    fn is_chat(&self, given: Signs, edge: Edge) -> bool {
        let mut signs = self.signs | given;
        match edge {
            Edge::Start => signs &= !(ASK | ASKS),
            Edge::End => signs &= !YES,
        }
        let orders = signs & ORDER != 0 && signs & (SPEAKER | ASK | QUESTION) == 0;
        if orders || signs & NEVER != 0 || self.length > LONGEST * CHARACTERS_OF_A_WORD {
            return false;
        }
        if self.left_over == 0 {
            signs |= PURE;
        }
        if signs & (WORK | TEXT) == 0 {
            signs |= UNNAMED;
        }
        if self.length <= FEW * CHARACTERS_OF_A_WORD {
            signs |= SHORT;
        }
        let telling = TELLING.iter().filter(|kind| signs & **kind != 0).count();
        let limit = LEFT_OVER.iter().find(|(least, _)| telling >= *least);
        let limit = limit.map_or(0, |(_, limit)| limit * CHARACTERS_OF_A_WORD);
        self.left_over <= limit
            && RULES.iter().any(|(at, all, any)| {
                at.is_none_or(|at| at == edge) && signs & all == *all && signs & any != 0
            })
    }

    /// Adds a word: the length and the signs of the longest phrase that begins with it,
    /// and its signs as a word of its own.
    fn add(
        &mut self,
        weight: usize,
        is_number: bool,
        longest: Option<(usize, Signs)>,
        alone: Signs,
    ) {
        self.length += weight;
        if self.covered > 0 {
            self.covered -= 1;
            if self.counts_inside {
                self.signs |= alone & (SPEAKER | READER);
            }
            return;
        }
        let Some((words, mut signs)) = longest else {
            self.left_over += if is_number { 0 } else { weight };
            self.begun |= !is_number;
            return;
        };
        self.covered = words - 1;
        // "Let me know" speaks of who wrote it; "let's" does not.
        self.counts_inside = words > 1 && signs & (ASK | REQUEST | COURTESY | MAKE | HERE) != 0;
        if self.counts_inside {
            signs |= alone & (SPEAKER | READER);
        }
        // "Sure" agrees at the start of a sentence alone.
        if self.begun {
            signs &= !YES;
        }
        if !self.begun {
            if signs & HERE != 0 {
                signs |= FIRST_HERE;
            } else if signs & MAKE != 0 && signs & (SPEAKER | WE | ASK | COURTESY | REQUEST) == 0 {
                signs |= ORDER;
            }
        }
        self.begun |= signs & !(YES | COURTESY) != 0 || signs & YES == 0;
        if signs & ASK != 0 && self.signs & ASK != 0 {
            signs |= ASKS;
        }
        self.signs |= signs;
    }
}

/// What each language has of a sentence, given in lower case. Stops where no language
/// can have enough of it.
fn read(lexicon: &Lexicon, sentence: &str) -> Vec<(&'static str, Found)> {
    let languages = lexicon.languages();
    let mut found = vec![Found::default(); languages.len()];
    let most = LEFT_OVER[0].1 * CHARACTERS_OF_A_WORD;
    let words: Vec<&str> = tokens(sentence)
        .take(LONGEST * CHARACTERS_OF_A_WORD + 1)
        .collect();
    let mut beginnings = vec![Beginning::default(); found.len()];
    for (at, word) in words.iter().enumerate() {
        lexicon.begin(&words, at, &mut beginnings);
        let weight = weight(word);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let mut hopeful = false;
        for (found, beginning) in found.iter_mut().zip(&beginnings) {
            found.add(weight, is_number, beginning.longest, beginning.alone);
            hopeful |= found.left_over <= most;
        }
        if !hopeful {
            return Vec::new();
        }
    }
    languages.iter().copied().zip(found).collect()
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::{KINDS, WORDS};
    use super::super::sentences::first_sentences;
    use super::*;

    fn is_talk(text: &str) -> bool {
        [Edge::Start, Edge::End].into_iter().any(|edge| {
            let mut agreed = false;
            first_sentences(text).any(|sentence| {
                let talks = talks(text, &sentence, edge, agreed).is_some();
                agreed = true;
                talks
            })
        })
    }

    #[test]
    fn the_word_files_are_sound_and_their_examples_hold() {
        assert_eq!(WORDS.faults(), [""; 0]);
        assert_eq!(
            WORDS.wrong_examples("talk", |_, text| is_talk(text)),
            [""; 0]
        );
    }

    #[test]
    fn every_word_is_one_that_a_plain_sentence_can_hold() {
        for file in WORDS.files() {
            for (section, signs) in KINDS {
                for word in file.words(section) {
                    let is_lower = word
                        .chars()
                        .all(|c| crate::letters::lower(c) == c && c != 'ё');
                    assert!(
                        is_lower && tokens(word).next().is_some(),
                        "{word} ({signs})"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_cut_at_signs_and_ideographs_stand_alone() {
        let words: Vec<&str> = tokens("l'eau 用markdown写, ci-joint").collect();
        assert_eq!(words, ["l", "eau", "用", "markdown", "写", "ci", "joint"]);
    }

    #[test]
    fn content_and_quotations_are_no_chat() {
        for text in [
            "I wrote a lesson for you about kidneys, ureters and the bladder.",
            "“I have prepared a lesson for you,” said Anna.",
            "— I have prepared a lesson for you.",
            "She has prepared a lesson for you.",
            "Here is an example:",
            "Of course, water boils at 100 °C.",
            "Let us look at three examples.",
            "Answer the following questions:",
            "Write your answer below.",
            "Answer the questions below.",
            "Complete the quiz below to test your knowledge.",
            "Translate the text below:",
            "Follow the instructions in your book.",
            "Beantworte die Fragen unten.",
            "Répondez aux questions ci-dessous.",
            "Ответьте на вопросы ниже.",
            "请回答下面的问题。",
            "In this lesson, we'll cover:",
        ] {
            assert!(!is_talk(text), "{text}");
        }
        assert!(is_talk("I have prepared a lesson for you."));
    }
}
