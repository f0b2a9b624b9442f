//! The words of a text, as Unicode's word boundaries (UAX #29) see them. It
//! knows nothing of languages: the characters alone decide how a run is read.
//!
//! Alphabets that separate words by spaces (Latin, Cyrillic, Greek, Armenian)
//! are scanned by hand, because ICU costs dozens of microseconds a lesson;
//! everything else goes to ICU, whose dictionaries know where Chinese, Japanese
//! and Thai words end. The scanner follows ICU's rules (`don't` and `3.14` are
//! one word, `well-known` is two, `l'eau` is one) but for two deliberate
//! differences: a segment is a word when it holds a letter or a digit (ICU's own
//! word type misses words that end in a combining mark), and modifier symbols
//! that only linguists write (U+02C2 and its like) separate words.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::{
    WordSegmenter, WordSegmenterBorrowed, iterators::WordBreakIterator,
    options::WordBreakInvariantOptions, scaffold::Utf8,
};

use crate::letters::end_of_plain;

/// How many words there are in `text`.
pub fn count_words(text: &str) -> usize {
    if text.is_ascii() {
        return count_ascii(text);
    }
    words(text).count()
}

/// The words of plain text, which need no places.
fn count_ascii(text: &str) -> usize {
    let mut count = 0;
    let mut at = 0;
    loop {
        let (start, end) = plain_word(text.as_bytes(), at);
        at = match end {
            Some(end) => end,
            // Digits and joining signs have rules of their own.
            None => match text.get(start..).and_then(scan_word) {
                Some(word) => start + word.end,
                None => return count,
            },
        };
        count += 1;
    }
}

/// The words of `text` in order, each with its byte range. Punctuation, symbols
/// and spaces are not words; numbers are.
pub fn words(text: &str) -> Words<'_> {
    Words {
        text,
        at: 0,
        plain_until: 0,
        dictionary: None,
    }
}

/// Iterator over words; see [`words`].
pub struct Words<'t> {
    text: &'t str,
    at: usize,
    /// Up to here the text is known to need no dictionary.
    plain_until: usize,
    dictionary: Option<DictionaryRun<'t>>,
}

/// A stretch between spaces that ICU splits.
struct DictionaryRun<'t> {
    base: usize,
    from: usize,
    run: &'t str,
    breaks: WordBreakIterator<'static, 't, Utf8>,
}

impl<'t> Iterator for Words<'t> {
    type Item = (Range<usize>, &'t str);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if let Some(plain) = self.text.as_bytes().get(..self.plain_until)
            && let (start, Some(end)) = plain_word(plain, self.at)
        {
            self.at = end;
            return Some((start..end, self.text.get(start..end)?));
        }
        self.next_of_any_kind()
    }
}

impl<'t> Words<'t> {
    fn next_of_any_kind(&mut self) -> Option<(Range<usize>, &'t str)> {
        loop {
            let range = match &mut self.dictionary {
                Some(run) => match run.next_word() {
                    Some(range) => range,
                    None => {
                        self.dictionary = None;
                        continue;
                    }
                },
                None if self.at < self.plain_until => match self.next_plain() {
                    Some(range) => range,
                    None => continue,
                },
                None if self.at < self.text.len() => {
                    self.enter_stretch();
                    continue;
                }
                None => return None,
            };
            let word = self.text.get(range.clone())?;
            return Some((range, word));
        }
    }

    /// Finds out how the text from here to the next dictionary script, or the
    /// next space after one, is to be read.
    fn enter_stretch(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(offset) = first_unscannable(rest) else {
            self.plain_until = self.text.len();
            return;
        };
        let before = rest.get(..offset).unwrap_or_default();
        let after_space = before
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_whitespace())
            .map_or(0, |(at, c)| at + c.len_utf8());
        if after_space > 0 {
            self.plain_until = self.at + after_space;
            return;
        }
        // The character itself may be a space (U+1680), and is passed all the same.
        let end = rest
            .get(offset..)
            .and_then(|tail| tail.char_indices().skip(1).find(|(_, c)| c.is_whitespace()))
            .map_or(rest.len(), |(len, _)| offset + len);
        let run = rest.get(..end).unwrap_or_default();
        self.dictionary = Some(DictionaryRun::new(self.at, run));
        self.at += end;
        self.plain_until = self.at;
    }

    /// The next word of the plain stretch; `None` at its end.
    fn next_plain(&mut self) -> Option<Range<usize>> {
        let stretch = self.text.get(..self.plain_until).unwrap_or_default();
        let (start, end) = plain_word(stretch.as_bytes(), self.at);
        if let Some(end) = end {
            self.at = end;
            return Some(start..end);
        }
        let Some(range) = stretch.get(start..).and_then(scan_word) else {
            self.at = self.plain_until;
            return None;
        };
        self.at = start + range.end;
        Some(start + range.start..self.at)
    }
}

impl<'t> DictionaryRun<'t> {
    fn new(base: usize, run: &'t str) -> Self {
        // Looking the dictionaries up takes longer than a short stretch.
        static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
            LazyLock::new(|| WordSegmenter::new_auto(WordBreakInvariantOptions::default()));
        Self {
            base,
            from: 0,
            run,
            breaks: SEGMENTER.segment_str(run),
        }
    }

    fn next_word(&mut self) -> Option<Range<usize>> {
        for end in self.breaks.by_ref() {
            let range = self.from..end;
            self.from = end;
            // ICU's own word type goes by the last character, and so misses
            // words that end in a combining mark.
            let segment = self.run.get(range.clone()).unwrap_or_default();
            if segment.contains(makes_a_word) {
                return Some(self.base + range.start..self.base + range.end);
            }
        }
        None
    }
}

/// Where the first character is that the scanner does not cover. Everything of
/// one or two bytes up to U+058F is covered, and most text is that.
fn first_unscannable(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte > 0xD5)?;
        let c = text.get(at..).and_then(|rest| rest.chars().next())?;
        if !is_scannable(c) {
            return Some(at);
        }
        at += c.len_utf8();
    }
}

/// Whether the hand-made rules below cover this character: Latin, Greek,
/// Cyrillic and Armenian with their extensions, punctuation, symbols, emoji.
/// Full-width punctuation counts too, so that a Chinese comma alone does not
/// send an English stretch to ICU.
fn is_scannable(c: char) -> bool {
    matches!(c,
        '\0'..='\u{058F}'
        | '\u{1C80}'..='\u{1C8F}'
        | '\u{1D00}'..='\u{2CFF}'
        | '\u{2DE0}'..='\u{2E7F}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}'
        | '\u{A640}'..='\u{A69F}'
        | '\u{A720}'..='\u{A7FF}'
        | '\u{AB30}'..='\u{AB6F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{FF01}'..='\u{FF06}'
        | '\u{FF08}'..='\u{FF0D}'
        | '\u{FFFD}'
        | '\u{1F000}'..='\u{1FAFF}')
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Underscore,
    /// Belongs to the character before it.
    Extend,
    /// Joins letters.
    MidLetter,
    /// Joins digits.
    MidNumber,
    /// Joins letters and digits.
    MidBoth,
    Other,
}

#[inline]
fn class(c: char) -> Class {
    match c {
        // The letters of most texts come first; the general question at the
        // end is a slow one.
        '\0'..='\x7f' => ASCII[c as usize],
        'а'..='я' | 'А'..='Я' | 'ё' => Class::Letter,
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ÿ' => Class::Letter,
        '\u{203F}' | '\u{2040}' | '\u{2054}' | '\u{202F}' => Class::Underscore,
        '\u{37E}' | '\u{2044}' => Class::MidNumber,
        '\u{2018}' | '\u{2019}' | '\u{2024}' => Class::MidBoth,
        '\u{B7}' | '\u{387}' | '\u{55F}' | '\u{2027}' => Class::MidLetter,
        '\u{AD}'
        | '\u{300}'..='\u{36F}'
        | '\u{483}'..='\u{489}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{200C}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{20D0}'..='\u{20F0}'
        | '\u{2DE0}'..='\u{2DFF}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{1F3FB}'..='\u{1F3FF}' => Class::Extend,
        _ if c.is_alphabetic() => Class::Letter,
        _ => Class::Other,
    }
}

/// Letters and digits make a segment a word; superscripts and fractions do not.
fn makes_a_word(c: char) -> bool {
    matches!(class(c), Class::Letter | Class::Digit) || (!is_scannable(c) && c.is_numeric())
}

/// Where the next word starts, looking from `at`, and where it ends if it is
/// one like most: plain letters, with a plain sign after them that joins nothing
/// on. For any other, [`scan_word`] has to look from its start.
#[inline]
fn plain_word(bytes: &[u8], at: usize) -> (usize, Option<usize>) {
    let mut start = at;
    while bytes.get(start).is_some_and(|&byte| is_gap(byte)) {
        start += 1;
    }
    let end = end_of_plain(bytes, start);
    let joins_on = match bytes.get(end) {
        Some(b'.' | b'\'' | b':') => bytes
            .get(end + 1)
            .is_some_and(|next| next.is_ascii_alphabetic() || !next.is_ascii()),
        Some(&byte) => !is_gap(byte),
        None => false,
    };
    (start, (end > start && !joins_on).then_some(end))
}

/// The first word of `text`, by the rules of UAX #29 for alphabets.
fn scan_word(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut start = 0;
    loop {
        while bytes.get(start).is_some_and(|&byte| is_gap(byte)) {
            start += 1;
        }
        let (first, len) = class_at(text, start)?;
        if !matches!(first, Class::Letter | Class::Digit | Class::Underscore) {
            start += len;
            continue;
        }
        let mut last = first;
        let mut is_word = last != Class::Underscore;
        let mut end = start + len;
        if first == Class::Letter {
            // Most of a word is plain letters.
            end = plain_letters(bytes, end);
            if bytes.get(end) == Some(&b' ') {
                return Some(start..end);
            }
        }
        while let Some((next, len)) = class_at(text, end) {
            match next {
                Class::Letter | Class::Digit | Class::Underscore => {
                    is_word |= next != Class::Underscore;
                    last = next;
                }
                Class::Extend => {}
                mid if joins(last, mid) && following(text, end + len) == Some(last) => {}
                _ => break,
            }
            end += len;
        }
        if is_word {
            return Some(start..end);
        }
        start = end;
    }
}

/// Where a row of plain Latin or Russian letters that goes on at `at` ends.
#[inline]
fn plain_letters(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            at += 1;
        }
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(0xD0), Some(0x90..=0xBF)) | (Some(0xD1), Some(0x80..=0x8F)) => at += 2,
            _ => return at,
        }
    }
}

/// Whether a byte is a character in which no word starts.
#[inline]
fn is_gap(byte: u8) -> bool {
    GAPS[usize::from(byte)]
}

static GAPS: [bool; 256] = {
    let mut gaps = [false; 256];
    let mut byte = 0u8;
    while byte.is_ascii() {
        gaps[byte as usize] = !byte.is_ascii_alphanumeric() && byte != b'_';
        byte += 1;
    }
    gaps
};

/// The class and the length of the character at a boundary; ASCII, which most
/// text is, takes one look into a table.
#[inline]
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if let Some(&class) = ASCII.get(usize::from(byte)) {
        return Some((class, 1));
    }
    // Most Cyrillic letters, without decoding them.
    if matches!(byte, 0xD0 | 0xD1) {
        let next = text.as_bytes().get(at + 1).copied().unwrap_or_default();
        if byte == 0xD0 && next >= 0x90 || byte == 0xD1 && next <= 0x8F {
            return Some((Class::Letter, 2));
        }
    }
    let c = text.get(at..)?.chars().next()?;
    Some((class(c), c.len_utf8()))
}

static ASCII: [Class; 128] = ascii();

const fn ascii() -> [Class; 128] {
    let mut classes = [Class::Other; 128];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Underscore,
            b',' | b';' => Class::MidNumber,
            b'.' | b'\'' => Class::MidBoth,
            b':' => Class::MidLetter,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
}

fn joins(last: Class, mid: Class) -> bool {
    match last {
        Class::Letter => matches!(mid, Class::MidLetter | Class::MidBoth),
        Class::Digit => matches!(mid, Class::MidNumber | Class::MidBoth),
        _ => false,
    }
}

/// The class of the next character that is not an extension. Extensions after
/// joining punctuation are so rare that looking past a few of them is enough,
/// and it keeps the scanner linear.
fn following(text: &str, from: usize) -> Option<Class> {
    let mut at = from;
    for _ in 0..8 {
        let (class, len) = class_at(text, at)?;
        if class != Class::Extend {
            return Some(class);
        }
        at += len;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_icu(text: &str) -> Vec<Range<usize>> {
        let mut run = DictionaryRun::new(0, text);
        std::iter::from_fn(|| run.next_word()).collect()
    }

    fn ranges(text: &str) -> Vec<Range<usize>> {
        words(text).map(|(range, _)| range).collect()
    }

    #[test]
    fn ordinary_sentences_are_split_as_icu_splits_them() {
        let cases = [
            "The plant can't grow without light, can it? It's 3.14 times slower (see p. 12).",
            "A well-known e-mail address is j.smith@example.org; don't use 1,000,000 copies…",
            "“Quoted” text — with dashes–and a URL: https://example.org/a_b?c=d&e=1 today.",
            "Use `snake_case_names`, x_1, C++, C#, and 3rd-party code. It's 10:30 a.m., isn’t it?",
            "Rock 'n' roll of the '90s; the students' books; U.S.A. and Ph.D. 50% $20 -5 °C",
            "Растение не может жить без света. Кто-нибудь видел XXI век? В 2024-м г. было 3,5 млн.",
            "«Ёлка» — это дерево, т.е. растение; и т. д. Объём = 12 см³, №5.",
            "Die Größe der Straße beträgt 3,5 km; z.B. geht’s so: „Wie geht es dir?“ Er sagt's.",
            "¿Cómo estás? ¡Muy bien! El niño comió 2 manzanas, ¿verdad? La 1.ª vez.",
            "L'eau de l’été n'est pas froide aujourd'hui ; c’est-à-dire qu'elle est à 25 °C !",
            "Não é fácil: a água d'oeste está à disposição; guarda-chuva custa R$ 10,50 (nº 3).",
            "col·lecció naïve cafe\u{301} co\u{AD}operate Ωμέγα αβγ մեծ",
            "- [ ] **bold** and _emphasis_ and ~~gone~~ | a | b | $x^2 + y_1$ {key: \"value\"}",
            "emoji 👩‍🔬 and 👍🏽 between words ✔️ → ok № ™ ½ x² ª º Ⅳ",
            "a.b 1.b a.1 1.2 a,b 1,2 1,b a'b 1'2 a’1 a:b 1:2 a..b a. .b _a_ a_b 1_2 __ a_.b",
        ];
        for text in cases {
            let own: Vec<&str> = ranges(text).into_iter().map(|range| &text[range]).collect();
            let icu: Vec<&str> = by_icu(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(own, icu, "{text}");
        }
    }

    #[test]
    fn words_are_counted_in_scripts_without_spaces() {
        let cases = [
            ("", 0),
            (" \n… — !", 0),
            ("One two three", 3),
            ("__ * __", 0),
            ("我们学习植物。", 3),
            ("私は学生です。", 4),
            ("ฉันรักภาษาไทย", 4),
            ("Python语言 is 简单 really", 5),
            ("שלום עולם", 2),
            ("नमस्ते दुनिया", 2),
            ("한국어를 배웁니다", 2),
        ];
        for (text, expected) in cases {
            let found: Vec<_> = words(text).collect();
            assert_eq!(found.len(), expected, "{found:?}");
        }
    }

    #[test]
    fn large_hostile_texts_are_split_promptly() {
        for unit in [
            "a", "a'", "_", "汉", "汉 ", "a汉", "ก", ".\u{301}", "a\u{301}", "'_'", "。",
        ] {
            let _ = count_words(&unit.repeat(100_000));
        }
    }

    #[test]
    fn every_white_space_is_passed() {
        for space in ('\0'..=char::MAX).filter(|c| c.is_whitespace()) {
            for text in [
                format!("{space}"),
                format!("a{space}b"),
                format!("ไ{space}b{space}"),
            ] {
                assert!(words(&text).count() <= 2, "{text:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn words_lie_in_the_text_in_order(text in "\\PC{0,120}") {
            let mut last = 0;
            for (range, word) in words(&text) {
                prop_assert!(range.start >= last && !word.is_empty());
                prop_assert_eq!(&text[range.clone()], word);
                last = range.end;
            }
        }

        #[test]
        fn mixed_scripts_are_split_as_icu_splits_them(text in "[a1_ .,'’жé汉字かのไทย。-]{0,60}") {
            prop_assert_eq!(ranges(&text), by_icu(&text));
        }
    }
}
