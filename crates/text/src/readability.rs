//! How hard a text is to read: sentences, words, letters and paragraphs of its
//! prose, and what follows from them (seed 003 §11, ruling 12). The measures
//! hold for every language; the Flesch-Kincaid grade is for English only. Which
//! figures are good is not known here.
//!
//! Prose are the paragraphs at top level. Headings, lists, tables, quotations
//! and code are not written in sentences, or not by the author.

mod syllables;

use std::ops::Range;

use crate::language::Language;
use crate::letters::is_letter;
use crate::markdown::{BlockKind, Markdown};
use crate::sentences::sentences;
use crate::words::words;

pub use syllables::{EnglishWords, syllables_of};

/// A paragraph of prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    pub range: Range<usize>,
    /// Its sentences, in order; never empty.
    pub sentences: Vec<Sentence>,
}

/// A sentence of prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub range: Range<usize>,
    /// Its words, numbers included.
    pub words: usize,
    /// Code spans and formulas, which are read as one word each.
    pub terms: usize,
    /// The letters and digits of its words.
    pub letters: usize,
}

impl Sentence {
    /// Its length to a reader.
    #[must_use]
    pub fn length(&self) -> usize {
        self.words + self.terms
    }
}

/// The paragraphs of prose in a text, with their sentences.
#[must_use]
pub fn paragraphs(text: &str, markdown: &Markdown, language: Option<&Language>) -> Vec<Paragraph> {
    let mut masked = String::new();
    let mut found = Vec::new();
    for (_, block) in markdown.top_level() {
        if block.kind != BlockKind::Paragraph {
            continue;
        }
        mask(text, markdown, &block.content, &mut masked);
        let mut counted: Vec<Sentence> = sentences(&masked, language)
            .filter_map(|range| measured(&masked, range, block.content.start))
            .collect();
        counted.shrink_to_fit();
        if !counted.is_empty() {
            found.push(Paragraph {
                range: block.content.clone(),
                sentences: counted,
            });
        }
    }
    found.shrink_to_fit();
    found
}

/// The figures of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Paragraphs of prose.
    pub paragraphs: usize,
    /// Sentences in them.
    pub sentences: usize,
    /// Words in those, code and formulas not counted.
    pub words: usize,
    /// Code spans and formulas.
    pub terms: usize,
    /// Letters of the words.
    pub letters: usize,
}

impl Figures {
    /// Adds paragraphs.
    pub fn add(&mut self, paragraphs: &[Paragraph]) {
        self.paragraphs += paragraphs.len();
        for sentence in paragraphs.iter().flat_map(|paragraph| &paragraph.sentences) {
            self.sentences += 1;
            self.words += sentence.words;
            self.terms += sentence.terms;
            self.letters += sentence.letters;
        }
    }

    /// `avgSentenceLength`: words in a sentence.
    #[must_use]
    pub fn avg_sentence_length(&self) -> Option<f64> {
        ratio(self.words + self.terms, self.sentences)
    }

    /// `avgWordLength`: letters in a word.
    #[must_use]
    pub fn avg_word_length(&self) -> Option<f64> {
        ratio(self.letters, self.words)
    }

    /// `paragraphBreakRatio`: paragraphs to sentences.
    #[must_use]
    pub fn paragraph_break_ratio(&self) -> Option<f64> {
        ratio(self.paragraphs, self.sentences)
    }

    /// The Flesch-Kincaid grade of English prose.
    #[must_use]
    pub fn flesch_kincaid(&self, english: EnglishWords) -> Option<f64> {
        let sentences = match english.sentences {
            0 => self.sentences,
            some => some,
        };
        let words_a_sentence = ratio(english.words, sentences)?;
        let syllables_a_word = ratio(english.syllables, english.words)?;
        // Kincaid et al. 1975.
        Some(0.39 * words_a_sentence + 11.8 * syllables_a_word - 15.59)
    }
}

#[expect(clippy::cast_precision_loss, reason = "no text has 2^52 words")]
fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Replaces a code span or a formula. Upper case, so that a sentence can
/// start with it.
const TERM: char = 'X';

/// Writes a block as plain text of the same length, so that offsets stay: markup
/// and images become spaces, code and formulas become [`TERM`]s.
fn mask(text: &str, markdown: &Markdown, block: &Range<usize>, masked: &mut String) {
    masked.clear();
    masked.reserve(block.len());
    let images: Vec<&Range<usize>> = overlapping(&markdown.links, block, |link| &link.span)
        .filter(|link| link.image)
        .map(|link| &link.span)
        .collect();
    let mut prose = overlapping(&markdown.prose, block, |range| range).peekable();
    let mut verbatim = overlapping(&markdown.verbatim, block, |range| range)
        .filter(|range| is_term(text, markdown, range))
        .peekable();
    let mut at = block.start;
    let fill = |masked: &mut String, filler: char, count: usize| {
        masked.extend(std::iter::repeat_n(filler, count));
    };
    loop {
        let next_prose = prose.peek().map_or(usize::MAX, |range| range.start);
        let next_term = verbatim.peek().map_or(usize::MAX, |range| range.start);
        let (range, is_prose) = if next_prose < next_term {
            (prose.next(), true)
        } else {
            (verbatim.next(), false)
        };
        let Some(range) = range else { break };
        let (start, end) = (range.start.max(at), range.end.min(block.end));
        if start >= end {
            continue;
        }
        fill(masked, ' ', start - at);
        let in_image = images
            .iter()
            .any(|image| image.start <= start && end <= image.end);
        match text.get(start..end) {
            Some(part) if is_prose && !in_image => masked.push_str(part),
            _ => fill(masked, if is_prose { ' ' } else { TERM }, end - start),
        }
        at = end;
    }
    fill(masked, ' ', block.end.saturating_sub(at));
}

fn overlapping<'a, T>(
    sorted: &'a [T],
    block: &Range<usize>,
    range: impl Fn(&T) -> &Range<usize> + Copy + 'a,
) -> impl Iterator<Item = &'a T> {
    let first = sorted.partition_point(|item| range(item).end <= block.start);
    let end = block.end;
    sorted
        .get(first..)
        .unwrap_or_default()
        .iter()
        .take_while(move |item| range(item).start < end)
}

/// Whether a word of masked prose replaces code or a formula.
fn is_term_word(word: &str) -> bool {
    word.bytes().all(|byte| byte == TERM as u8)
}

/// Code and formulas are read; addresses and tags are not.
fn is_term(text: &str, markdown: &Markdown, range: &Range<usize>) -> bool {
    markdown.is_code(range.start)
        || text
            .get(range.clone())
            .is_some_and(|verbatim| verbatim.starts_with('$'))
}

/// The letters and digits of words.
fn letters_of(word: &str) -> usize {
    if word.is_ascii() {
        return word.bytes().filter(u8::is_ascii_alphanumeric).count();
    }
    word.chars()
        .filter(|&c| is_letter(c) || c.is_numeric())
        .count()
}

/// Below this many words a text without a full stop is a label, no sentence.
const LABEL: usize = 5;

fn measured(masked: &str, range: Range<usize>, base: usize) -> Option<Sentence> {
    let sentence = masked.get(range.clone())?;
    // In plain text every letter and digit is part of a word.
    let is_plain = sentence.is_ascii();
    let mut measured = Sentence {
        range: base + range.start..base + range.end,
        words: 0,
        terms: 0,
        letters: if is_plain { letters_of(sentence) } else { 0 },
    };
    for (_, word) in words(sentence) {
        if is_term_word(word) {
            measured.terms += 1;
            measured.letters -= if is_plain { word.len() } else { 0 };
        } else {
            measured.words += 1;
            measured.letters += if is_plain { 0 } else { letters_of(word) };
        }
    }
    let ends = sentence
        .trim_end_matches([')', ']', '"', '\'', '”', '’', '»', '“', '」', '』', '）'])
        .ends_with(['.', '!', '?', '…', ':', '。', '！', '？', '：', ';', '；']);
    let length = measured.length();
    (length >= LABEL || (ends && length > 0)).then_some(measured)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::markdown::analyse;

    fn figures(text: &str, language: &str) -> Figures {
        let mut figures = Figures::default();
        figures.add(&paragraphs(
            text,
            &analyse(text),
            Language::parse(language).as_ref(),
        ));
        figures
    }

    #[test]
    fn only_paragraphs_are_prose() {
        let text = "# A heading here.\n\nOne sentence here. And another one.\n\n- A list item.\n\n> A quotation.\n\n| a | b |\n|---|---|\n| c. | d. |\n\n```\nCode here. More.\n```\n\n**Label**\n\n![An image of water.](x.png)\n\nA last one.\n";
        let found = figures(text, "en");
        assert_eq!((found.paragraphs, found.sentences, found.words), (2, 3, 9));
    }

    #[test]
    fn markup_is_no_word_and_code_is_one() {
        let text =
            "**Call** `f(x, y).z` on [the page](https://a.b/c.d?e=f). `g` is *not* $x + y$ here.";
        let found = paragraphs(text, &analyse(text), None);
        let sentences: Vec<_> = found[0]
            .sentences
            .iter()
            .map(|s| (&text[s.range.clone()], s.words, s.terms))
            .collect();
        assert_eq!(
            sentences,
            [
                (
                    "Call** `f(x, y).z` on [the page](https://a.b/c.d?e=f).",
                    4,
                    1
                ),
                ("`g` is *not* $x + y$ here.", 3, 2)
            ]
        );
    }

    #[test]
    fn the_measures_are_ratios() {
        let found = figures("Water boils. Steam rises quickly.\n\nIt is hot.", "en");
        assert_eq!(found.avg_sentence_length(), Some(8.0 / 3.0));
        assert_eq!(found.avg_word_length(), Some(34.0 / 8.0));
        assert_eq!(found.paragraph_break_ratio(), Some(2.0 / 3.0));
        assert_eq!(Figures::default().avg_sentence_length(), None);
    }

    #[test]
    fn scripts_without_spaces_are_measured_in_words() {
        let found = figures("我们学习植物。植物需要水和光。", "zh");
        assert_eq!((found.sentences, found.words, found.letters), (2, 7, 13));
        let found = figures("私は学生です。本を読みます。", "ja");
        assert_eq!(found.sentences, 2);
        assert!(found.words >= 6);
    }

    #[test]
    fn the_grade_follows_the_formula() {
        let text = "The cat sat on the mat.";
        let mut english = EnglishWords::default();
        english.add(
            text,
            &analyse(text),
            &paragraphs(text, &analyse(text), None),
        );
        let grade = figures(text, "en")
            .flesch_kincaid(english)
            .expect("there are words");
        assert!((grade - (0.39 * 6.0 + 11.8 - 15.59)).abs() < 1e-9);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn sentences_lie_in_their_paragraphs(text in "([a-zж汉。.!?\n*_`$<>&\\[\\]()#>|~!-]|\\PC| ){0,200}") {
            for paragraph in paragraphs(&text, &analyse(&text), None) {
                let mut at = paragraph.range.start;
                for sentence in &paragraph.sentences {
                    prop_assert!(sentence.range.start >= at && sentence.range.end <= paragraph.range.end);
                    prop_assert!(text.get(sentence.range.clone()).is_some());
                    at = sentence.range.end;
                }
            }
        }
    }
}
