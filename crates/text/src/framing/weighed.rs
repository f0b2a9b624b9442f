//! Sentences that sound like chat about an answer, though no list knows them: the sum of
//! their cues says so (`weights.rs`). Such an opinion is reported to a person; it never
//! deletes anything, and it decides nothing about documents, verdicts or repairs.
//!
//! | where | what is weighed |
//! |---|---|
//! | the start of a text | its first sentence, then the first two, then the first three |
//! | the end of a text | its last sentence, then the last two, then the last three |
//! | a paragraph that is all there is of a text or between two headings | the paragraph, as a refusal |
//!
//! What is quoted, said by somebody or goes on after a colon in its line is content.

use std::ops::Range;

use super::refusal::declines_in;
use super::sentences::{
    End, Sentence, first_sentences, last_sentences, lonely_paragraphs, paragraph_sentences,
};
use super::weights::{Talk, Weighed, weigh};
use super::{is_name, vetoed_at_end, vetoed_at_start};

/// Sentences that sound like chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sounds {
    /// From the first letter to the last full stop.
    pub range: Range<usize>,
    /// The words that say most for it, at most three.
    pub telling: Vec<String>,
}

/// What follows the sentences at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Following {
    /// Whatever it is.
    Anything,
    /// A heading or a rule: a lesson begins with its heading, so that what stands before
    /// it is more likely to be chat.
    Content,
}

/// How many sentences at an edge are weighed together.
const FEW_SENTENCES: usize = 3;

/// Sentences so far below the limit are not saved by those beside them, in thousandths.
const HOPELESS: i64 = -120_000;

/// How much less is enough before a heading, in thousandths.
const BEFORE_CONTENT: i64 = 5_000;

/// Chat is most often a paragraph of its own; beside other text more is needed, in
/// thousandths.
const IN_A_PARAGRAPH: i64 = 8_000;

/// Longer texts are not chat, in bytes.
const LONGEST: usize = 900;

/// "Good luck!" says too little, in words; in a script without spaces, in bytes.
const FEWEST_WORDS: usize = 3;
const FEWEST_BYTES: usize = 24;

/// "Sure!" on a line of its own is shorter, in bytes.
const LONGEST_AGREEMENT: usize = 40;

/// Shorter chat is too little to go by where other text stands on its line, in bytes.
const SHORTEST: usize = 16;

/// A text that is nothing but a refusal is hardly longer, in bytes.
const LONGEST_REFUSAL: usize = 600;

/// The first sentences of a text, if they sound like chat.
pub fn sounds_like_opening(text: &str, following: Following) -> Option<Sounds> {
    let least = match following {
        Following::Anything => 0,
        Following::Content => -BEFORE_CONTENT,
    };
    if text.trim_start().starts_with('#') {
        return None;
    }
    let mut start = None;
    let mut last: Option<Range<usize>> = None;
    for sentence in first_sentences(text).take(FEW_SENTENCES) {
        let start = *start.get_or_insert(sentence.range.start);
        let before = last.unwrap_or(start..start);
        let is_same = is_one_paragraph(text, before.end..sentence.range.start);
        if !is_same && before.end - start > LONGEST_AGREEMENT {
            return None;
        }
        let range = start..sentence.range.end;
        let weighed = weigh_range(text, &range, Talk::Opening)?;
        // "Here is the question: why is the sky blue?" goes on with the lesson.
        // "Great!" before something else says nothing of an answer.
        let ends = sentence.end != End::ColonInLine
            && says_enough(text, &range)
            && !is_before_a_list(text, &sentence)
            && !is_word_before_text(text, &range);
        let more = if has_text_after(text, &range) {
            IN_A_PARAGRAPH
        } else {
            0
        };
        if weighed.sum > least + more && ends && !vetoed_at_start(&sentence.plain(text)) {
            return Some(sounds(range, weighed));
        }
        if weighed.sum < HOPELESS {
            return None;
        }
        last = Some(sentence.range);
    }
    None
}

/// The last sentences of a text, if they sound like chat.
pub fn sounds_like_closing(text: &str) -> Option<Sounds> {
    let sentences = last_sentences(text);
    let mut end = None;
    let mut next: Option<usize> = None;
    for (index, sentence) in sentences.iter().enumerate().rev().take(FEW_SENTENCES) {
        let end = *end.get_or_insert(sentence.range.end);
        if !is_one_paragraph(text, sentence.range.end..next.unwrap_or(end)) {
            return None;
        }
        let range = sentence.range.start..end;
        let weighed = weigh_range(text, &range, Talk::Closing)?;
        let before = index.checked_sub(1).and_then(|at| sentences.get(at));
        let more = if has_text_before(text, &range) {
            IN_A_PARAGRAPH
        } else {
            0
        };
        if weighed.sum > more
            && says_enough(text, &range)
            && !is_said(text, before)
            && !is_text_before_word(text, &range)
            && !vetoed_at_end(&sentence.plain(text))
        {
            return Some(sounds(range, weighed));
        }
        if weighed.sum < HOPELESS {
            return None;
        }
        next = Some(sentence.range.start);
    }
    None
}

/// Whether a sentence that has the form of an offer sounds like the end of an answer.
pub(super) fn sounds_like_one(text: &str, sentence: &Sentence) -> bool {
    let weighed = weigh_range(text, &sentence.range, Talk::Closing);
    weighed.is_some_and(|weighed| weighed.sum > -OF_THAT_FORM)
}

/// How much less is enough for a sentence that has the form of an offer, in thousandths.
const OF_THAT_FORM: i64 = 20_000;

/// The paragraphs that sound like a refusal, a request for what is missing or a failure,
/// each of them all there is of a text or between two headings.
pub fn sounds_like_refusal(text: &str) -> Vec<Sounds> {
    lonely_paragraphs(text)
        .filter_map(|range| refusal(text, range))
        .collect()
}

fn refusal(text: &str, range: Range<usize>) -> Option<Sounds> {
    let part = text.get(range.clone())?;
    if part.len() > LONGEST_REFUSAL
        || is_shown(part)
        || quotes_speech(part)
        || !says_enough(text, &range)
    {
        return None;
    }
    // "Bot: I'm sorry, but I can't help with that." shows a refusal.
    let sentences = paragraph_sentences(part, |_| true).next();
    let is_said = sentences
        .unwrap_or_default()
        .windows(2)
        .any(|pair| match pair {
            [name, said] => name.end == End::ColonInLine && declines_in(part, said),
            _ => false,
        });
    let weighed = (!is_said).then(|| weigh(part, Talk::Refusal))??;
    (weighed.sum > 0).then(|| sounds(range, weighed))
}

/// "Anna: Let me know if you need more."
fn is_said(text: &str, before: Option<&Sentence>) -> bool {
    before.is_some_and(|before| before.end == End::ColonInLine || is_name(text, before))
}

/// Whether a range holds a word or two, and other text stands before it on its line.
fn is_text_before_word(text: &str, range: &Range<usize>) -> bool {
    range.len() < SHORTEST && has_text_before(text, range)
}

/// Whether a range holds a word or two, and other text follows on its line.
fn is_word_before_text(text: &str, range: &Range<usize>) -> bool {
    range.len() < SHORTEST && has_text_after(text, range)
}

/// Whether other text stands before a range on its line.
fn has_text_before(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    !line.trim().is_empty()
}

/// Whether other text follows a range on its line.
fn has_text_after(text: &str, range: &Range<usize>) -> bool {
    let rest = text.get(range.end..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    !line.trim().is_empty()
}

fn is_one_paragraph(text: &str, between: Range<usize>) -> bool {
    !text.get(between).unwrap_or_default().contains('\n')
}

/// "A good heap has two kinds of material:" belongs to the list, table or code after it.
fn is_before_a_list(text: &str, sentence: &Sentence) -> bool {
    let rest = text.get(sentence.range.end..).unwrap_or_default();
    let rest = rest.trim_start();
    let is_numbered = rest.starts_with(|c: char| c.is_ascii_digit());
    sentence.end == End::ColonBeforeBreak
        && (is_numbered
            || ["- ", "* ", "+ ", "|", ">", "```", "$$", "!["]
                .iter()
                .any(|sign| rest.starts_with(sign)))
}

/// Whether there are enough words to go by.
fn says_enough(text: &str, range: &Range<usize>) -> bool {
    let part = text.get(range.clone()).unwrap_or_default();
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    part.split_whitespace().filter(is_word).count() >= FEWEST_WORDS
        || (!part.is_ascii() && part.len() >= FEWEST_BYTES && !part.contains(' '))
}

fn weigh_range(text: &str, range: &Range<usize>, talk: Talk) -> Option<Weighed> {
    let part = text.get(range.clone())?;
    (part.len() <= LONGEST && !is_shown(part)).then(|| weigh(part, talk))?
}

/// Speech in a story, code, or words that the text is about. Chat may name a word or two:
/// `I removed "all of the above" from the options.`
fn is_shown(part: &str) -> bool {
    const LARGEST_SHARE: usize = 3;
    if part.contains('`') || part.starts_with(['—', '–', '-', '|', '>']) {
        return true;
    }
    let Some(quoted) = quotations(part) else {
        return true;
    };
    quoted.iter().map(|text| text.len()).sum::<usize>() * LARGEST_SHARE > part.len()
}

/// Whether a quotation is long enough to be something that somebody says: `such as "I cannot
/// do that"`.
fn quotes_speech(part: &str) -> bool {
    const FEWEST_WORDS: usize = 3;
    let is_speech = |text: &&str| text.split_whitespace().count() >= FEWEST_WORDS;
    quotations(part).is_none_or(|quoted| quoted.iter().any(is_speech))
}

/// What stands in quotation marks; `None` if the text begins with a quotation or does not end
/// one.
fn quotations(part: &str) -> Option<Vec<&str>> {
    const PAIRS: [(char, char); 7] = [
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('「', '」'),
        ('『', '』'),
        ('”', '”'),
    ];
    let mut quoted = Vec::new();
    let mut rest = part;
    let opens = |c: char| PAIRS.iter().any(|(open, _)| *open == c);
    while let Some((start, open)) = rest.char_indices().find(|(_, c)| opens(*c)) {
        let inner = rest.get(start + open.len_utf8()..).unwrap_or_default();
        let closes = |c: char| PAIRS.contains(&(open, c));
        let length = inner
            .find(closes)
            .filter(|_| start > 0 || !quoted.is_empty())?;
        quoted.push(inner.get(..length).unwrap_or_default());
        let close = inner.get(length..).and_then(|rest| rest.chars().next());
        let after = length + close.map_or(0, char::len_utf8);
        rest = inner.get(after..).unwrap_or_default();
    }
    Some(quoted)
}

fn sounds(range: Range<usize>, weighed: Weighed) -> Sounds {
    Sounds {
        range,
        telling: weighed.telling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chat_may_name_a_word_and_speech_is_shown() {
        for said in [
            "I removed \"all of the above\" from the options of the second question.",
            "In der Einleitung habe ich „man“ durch „wir“ ersetzt, damit sie persönlicher klingt.",
            "No quotation at all.",
        ] {
            assert!(!is_shown(said), "{said}");
        }
        for shown in [
            "“I have prepared a lesson for you,” said Anna.",
            "Anna said: “Let me know if you need more.”",
            "Run `cargo test` to see it.",
            "— Let me know.",
            "He said \"let me know and never came back.",
        ] {
            assert!(is_shown(shown), "{shown}");
        }
    }

    #[test]
    fn refusals_that_are_quoted_are_no_refusals() {
        for text in [
            "A plain refusal, such as \"I cannot do that\", could be answered.",
            "Omar says, \"Hmm, let me reconsider: the design is ready.\"",
        ] {
            assert!(quotes_speech(text), "{text}");
        }
        assert!(!quotes_speech("I cannot write about \"dark web\" here."));
    }

    #[test]
    fn wishes_of_two_words_say_too_little() {
        for text in ["Bonne chance !", "Good luck ! ", "Viel Erfolg ✨ !"] {
            assert!(!says_enough(text, &(0..text.len())), "{text}");
        }
    }
}
