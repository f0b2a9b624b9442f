//! The sentences of a text, as byte ranges. It sees plain text: callers
//! mask markup first. It knows nothing of lessons.
//!
//! sentencex does the splitting; it knows the abbreviations of thirty
//! languages. Two things are ours. It is quadratic on unclosed quotation marks,
//! so it only ever sees a bounded window. And it takes list markers, German
//! ordinals and `No.` before a number for ends of sentences, which is corrected
//! here:
//!
//! | it says | we say |
//! |---|---|
//! | `1.` `Fill the kettle 2.` `Boil the water` | `1. Fill the kettle` `2. Boil the water` |
//! | `im 19.` `Jahrhundert` | `im 19. Jahrhundert` |
//! | `bus N°.` `14` | `bus N°. 14` |
//! | `1.Helado, 2.` `Carne` | `1.Helado, 2.Carne` |
//! | `т. е.` `при давлении` | `т. е. при давлении` |

use std::ops::Range;

use crate::language::Language;

/// The sentences of `text` in order, without the white space around them. A
/// blank line always ends one; a single line break does not. The language says
/// which abbreviations are known; without one they are those of English.
pub fn sentences(text: &str, language: Option<&Language>) -> impl Iterator<Item = Range<usize>> {
    let language = language.copied().unwrap_or(Language::EN);
    blocks(text).flat_map(move |block| in_block(text, block, language))
}

/// No more than this is shown to the library at once, in bytes. Its worst case
/// grows with the square of it; a longer sentence is put together again.
const WINDOW: usize = 2048;

/// The stretches between blank lines.
fn blocks(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        if start >= text.len() {
            return None;
        }
        let bytes = text.as_bytes();
        while at < bytes.len() {
            let Some(newline) = memchr::memchr(b'\n', &bytes[at..]) else {
                at = bytes.len();
                break;
            };
            let line_end = at + newline;
            at = line_end + 1;
            let blank = bytes[at..]
                .iter()
                .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
                .count();
            if bytes.get(at + blank) == Some(&b'\n') {
                at += blank + 1;
                return Some(start..line_end);
            }
        }
        Some(start..at)
    })
}

/// The sentences of one block.
fn in_block(text: &str, block: Range<usize>, language: Language) -> Vec<Range<usize>> {
    let block = trimmed(text, block);
    if block.is_empty() {
        return Vec::new();
    }
    let mut found = by_library(text, &block, language);
    mend_joints(text, &mut found, language);
    mend_enumeration(text, &block, &mut found);
    found
}

/// What the library finds, window by window. The last sentence of a window may
/// go on after it, so the next window starts with it; one that fills a whole
/// window is carried on.
fn by_library(text: &str, block: &Range<usize>, language: Language) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = block.start;
    // Where the sentence began that the window before left open.
    let mut open: Option<usize> = None;
    while start < block.end {
        let end = window_end(text, start, block.end);
        let window = text.get(start..end).unwrap_or_default();
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let mut at = start;
        for piece in sentencex::segment(language.as_str(), window) {
            pieces.push(at..at + piece.len());
            at += piece.len();
        }
        let last = pieces.pop().unwrap_or(start..end);
        for piece in pieces.iter().cloned() {
            let from = open.take().unwrap_or(piece.start);
            push(text, &mut found, from..piece.end);
        }
        if end == block.end {
            let from = open.take().unwrap_or(last.start);
            push(text, &mut found, from..last.end);
            break;
        }
        if last.start > start {
            start = last.start;
        } else {
            open.get_or_insert(start);
            start = end;
        }
    }
    if let Some(from) = open {
        push(text, &mut found, from..block.end);
    }
    found
}

/// Where a window that starts here ends: after a space, where there is one.
fn window_end(text: &str, start: usize, block_end: usize) -> usize {
    if block_end - start <= WINDOW {
        return block_end;
    }
    let end = text.floor_char_boundary(start + WINDOW);
    let window = text.get(start..end).unwrap_or_default();
    match window.rfind([' ', '\n']) {
        Some(space) if space > WINDOW / 2 => start + space + 1,
        _ => end,
    }
}

fn push(text: &str, found: &mut Vec<Range<usize>>, range: Range<usize>) {
    let range = trimmed(text, range);
    if !range.is_empty() {
        found.push(range);
    }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let end = range.start + part.trim_end().len();
    let start = range.start + (part.len() - part.trim_start().len());
    start.min(end)..end
}

/// Joins neighbours that the library should not have parted.
fn mend_joints(text: &str, found: &mut Vec<Range<usize>>, language: Language) {
    if found.len() < 2 {
        return;
    }
    found.dedup_by(|later, earlier| {
        let before = text.get(earlier.clone()).unwrap_or_default();
        let after = text.get(later.clone()).unwrap_or_default();
        let joins = belong_together(before, after, later.start > earlier.end, language);
        if joins {
            earlier.end = later.end;
        }
        joins
    });
}

fn belong_together(before: &str, after: &str, spaced: bool, language: Language) -> bool {
    let Some(stem) = before.strip_suffix('.') else {
        return false;
    };
    let number = trailing_digits(stem);
    let head = stem.get(..stem.len() - number).unwrap_or_default();
    // `2.Carne`: no space after the number of an item.
    if !spaced && (1..=2).contains(&number) && head.ends_with([' ', ',', '(']) {
        return true;
    }
    // `N°. 14`
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return ["N°", "Nº", "n°", "nº", "№"]
            .iter()
            .any(|sign| stem.ends_with(sign));
    }
    // `т. е. при`: after a word this short a sentence does not start in lower
    // case.
    if spaced && after.starts_with(char::is_lowercase) {
        let word = stem
            .chars()
            .rev()
            .take(5)
            .take_while(|c| c.is_alphabetic())
            .count();
        return (1..=4).contains(&word);
    }
    if language == Language::DE && (1..=2).contains(&number) && is_german_ordinal(head, after) {
        return true;
    }
    is_marker(before)
}

/// `im 19.` before a noun; a number at the end of a sentence has no article or
/// preposition before it.
fn is_german_ordinal(head: &str, after: &str) -> bool {
    const BEFORE: [&str; 24] = [
        "im", "am", "dem", "der", "die", "das", "den", "des", "vom", "zum", "zur", "beim", "ins",
        "jeder", "jedes", "jeden", "jedem", "ihr", "ihrem", "sein", "seinem", "unser", "bis", "ab",
    ];
    if head.is_empty() || !after.starts_with(char::is_alphabetic) {
        return false;
    }
    // The second half of `1. -3.` and of `17./18.`
    if head.ends_with(['-', '–', '/']) {
        return true;
    }
    let head = head.trim_end();
    let word = head
        .char_indices()
        .rev()
        .take(12)
        .take_while(|(_, c)| c.is_alphabetic())
        .last()
        .and_then(|(at, _)| head.get(at..))
        .unwrap_or_default();
    BEFORE.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn trailing_digits(text: &str) -> usize {
    text.bytes()
        .rev()
        .take(20)
        .take_while(u8::is_ascii_digit)
        .count()
}

/// Whether a "sentence" is nothing but the marker of a list item.
fn is_marker(sentence: &str) -> bool {
    sentence.len() <= 12 && marker(sentence).is_some_and(|marker| marker.len == sentence.len())
}

/// The marker of a list item: bullets, a number or a letter, a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marker<'t> {
    bullets: &'t str,
    value: Value,
    stop: &'t str,
    len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Number(u32),
    Letter(u8),
}

impl Value {
    fn next(self) -> Option<Self> {
        match self {
            Self::Number(number) => Some(Self::Number(number + 1)),
            Self::Letter(b'z' | b'Z') => None,
            Self::Letter(letter) => Some(Self::Letter(letter + 1)),
        }
    }
}

/// The marker at the start of `text`.
fn marker(text: &str) -> Option<Marker<'_>> {
    let body = text.trim_start_matches(['•', '⁃', '‣', '◦', '-', '*', ' ']);
    let bullets = text.get(..text.len() - body.len())?;
    if bullets.len() > 8 {
        return None;
    }
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let (value, width) = match digits {
        0 => {
            let letter = *body
                .as_bytes()
                .first()
                .filter(|byte| byte.is_ascii_alphabetic())?;
            (Value::Letter(letter), 1)
        }
        1..=3 => (Value::Number(body.get(..digits)?.parse().ok()?), digits),
        _ => return None,
    };
    let rest = body.get(width..)?;
    let stop_len = if rest.starts_with(".)") {
        2
    } else {
        usize::from(rest.starts_with(['.', ')']))
    };
    let stop = rest.get(..stop_len).filter(|stop| !stop.is_empty())?;
    Some(Marker {
        bullets: bullets.trim(),
        value,
        stop,
        len: bullets.len() + width + stop_len,
    })
}

/// A block that starts with the marker of an item and has the next markers in
/// line (`1. Fill the kettle 2. Boil the water`) is split before each of them.
fn mend_enumeration(text: &str, block: &Range<usize>, found: &mut Vec<Range<usize>>) {
    let whole = text.get(block.clone()).unwrap_or_default();
    let Some(first) = marker(whole) else { return };
    let starts = item_starts(whole, first);
    if starts.is_empty() {
        return;
    }
    let mut mended: Vec<Range<usize>> = Vec::with_capacity(found.len() + starts.len());
    let mut starts = starts
        .into_iter()
        .map(|start| block.start + start)
        .peekable();
    for sentence in found.drain(..) {
        let mut from = sentence.start;
        while let Some(start) = starts.next_if(|start| *start < sentence.end) {
            if start > from {
                push(text, &mut mended, from..start);
            }
            from = start;
        }
        push(text, &mut mended, from..sentence.end);
    }
    // The library parted the last marker of a sentence from its item.
    mended.dedup_by(|later, earlier| {
        let joins = is_marker(text.get(earlier.clone()).unwrap_or_default());
        if joins {
            earlier.end = later.end;
        }
        joins
    });
    *found = mended;
}

/// The markers that follow the first one, in order.
fn item_starts(block: &str, first: Marker<'_>) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut expected = first.value.next();
    let mut at = first.len;
    while let Some(value) = expected {
        let rest = block.get(at..).unwrap_or_default();
        let next = rest.match_indices(' ').find_map(|(space, _)| {
            let start = at + space + 1;
            let candidate = block.get(start..)?;
            let found = marker(candidate)?;
            let item = candidate.get(found.len..)?;
            let fits = found.value == value
                && found.stop == first.stop
                && found.bullets == first.bullets
                && !candidate.starts_with(' ')
                && item.starts_with(' ')
                && item.trim_start().starts_with(char::is_uppercase);
            fits.then_some((start, found.len))
        });
        let Some((start, len)) = next else { break };
        starts.push(start);
        at = start + len;
        expected = value.next();
    }
    starts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
        sentences(text, Language::parse(language).as_ref())
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn sentences_are_split_as_a_reader_splits_them() {
        let cases: &[(&str, &[&str])] = &[
            ("en", &[]),
            ("en", &["Water boils."]),
            (
                "en",
                &["Dr. Smith boils water.", "It takes 3.5 min. at most."],
            ),
            ("en", &["Use e.g. a kettle.", "Is it hot?", "Yes!"]),
            (
                "en",
                &["1. Fill the kettle", "2. Boil the water", "3. Pour the tea"],
            ),
            ("en", &["1. Fill the kettle.", "2. Boil the water."]),
            ("en", &["⁃9. Fill the kettle", "⁃10. Boil the water"]),
            (
                "en",
                &["a. Fill the kettle", "b. Boil the water", "c. Pour the tea"],
            ),
            ("en", &["A line that\ngoes on.", "The next."]),
            (
                "ru",
                &[
                    "Вода кипит при 100 °C, т. е. при нормальном давлении.",
                    "Это знают все.",
                ],
            ),
            (
                "de",
                &[
                    "Das war im 19. Jahrhundert.",
                    "Danach kam der 2. Weltkrieg.",
                ],
            ),
            ("de", &["Es waren 19.", "Jahre später kamen mehr."]),
            ("de", &["Das ist z. B. Wasser.", "Es kocht."]),
            ("es", &["El bus N°. 14 sale ahora.", "¿Cuánto cuesta?"]),
            ("es", &["Compre 1.Helado, 2.Carne y 3.Arroz.", "Gracias."]),
        ];
        for (language, expected) in cases {
            let text = expected.join(" ");
            assert_eq!(split(&text, language), *expected);
        }
    }

    #[test]
    fn scripts_without_spaces_are_split() {
        assert_eq!(
            split("水在一百度沸腾。这是常识！你知道吗？", "zh"),
            ["水在一百度沸腾。", "这是常识！", "你知道吗？"]
        );
        assert_eq!(
            split("水は沸く。知っていますか。", "ja"),
            ["水は沸く。", "知っていますか。"]
        );
    }

    #[test]
    fn a_blank_line_ends_a_sentence_even_with_spaces_on_it() {
        assert_eq!(
            split("Title\n \nText\nhere.\r\n\r\nMore", "en"),
            ["Title", "Text\nhere.", "More"]
        );
    }

    #[test]
    fn a_sentence_longer_than_the_window_stays_whole() {
        let long = format!("Many {}end.", "words ".repeat(WINDOW));
        let text = format!("First. {long} Last one.");
        assert!(split(&text, "en") == ["First.", long.as_str(), "Last one."]);
        let unspaced = "汉".repeat(WINDOW);
        assert!(split(&unspaced, "zh") == [unspaced.as_str()]);
    }

    #[test]
    fn many_sentences_are_the_same_in_one_block_and_in_many_windows() {
        let sentence = "Dr. Smith boils water at 100 °C, doesn't he?";
        let text = vec![sentence; 500].join(" ");
        assert!(split(&text, "en").iter().all(|found| *found == sentence));
    }

    #[test]
    fn large_hostile_texts_are_split_promptly() {
        for unit in [
            "“", "“a. ", "\"", "'", "(", "1. ", " 2. A", ".", ". ", "a. ", "• ", "\n", "\n \n",
            "。", "e.g. ", "«x.", "!? ", "a@b.", "[", "- ", "A.",
        ] {
            let text = unit.repeat(200_000 / unit.len());
            let _ = sentences(&text, None).count();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn sentences_lie_in_the_text_in_order_and_lose_no_letter(
            text in "([a-zA-ZжЖ汉字。.!? \n\"“”'«»()1-9•-]|1\\. |e\\.g\\. |\\PC){0,200}",
            language in "en|ru|zh|de|es|fr|pt|xx",
        ) {
            let mut end = 0;
            for range in sentences(&text, Language::parse(&language).as_ref()) {
                prop_assert!(range.start >= end && range.start < range.end);
                prop_assert!(text[end..range.start].trim().is_empty());
                prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
                end = range.end;
            }
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}
