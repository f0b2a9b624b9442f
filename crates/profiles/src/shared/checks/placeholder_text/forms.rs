//! The forms of placeholders that need no certain words: brackets of any kind
//! around an order, a noun that stands for what is missing, or the name of a
//! variable; dots; comments. It does not know how serious a form is where it
//! stands.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::light_regex::{PatternList, Regex, not_in, regex};

use super::patterns;

/// What a block is instead of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// `…`, `[...]`
    Dots,
    /// `[Image: a cell]`, `{topic}`
    Named,
}

/// Longer texts in brackets are not placeholders, in bytes.
const LONGEST: usize = 200;

static INSERT: LazyLock<PatternList> = LazyLock::new(|| inside(&["insert"]));
static GAP: LazyLock<PatternList> = LazyLock::new(|| inside(&["gap"]));
static HOLE: LazyLock<PatternList> = LazyLock::new(|| inside(&["insert", "gap", "hole", "rest"]));
static REST: LazyLock<PatternList> = LazyLock::new(|| inside(&["insert", "rest"]));
static WHOLE: LazyLock<PatternList> = LazyLock::new(|| inside(&["whole pattern"]));
static NOTE: LazyLock<PatternList> = LazyLock::new(|| {
    PatternList::new(patterns("note", ".").map(|pattern| format!("^(?:{pattern})")))
});

/// `XXX` where a word is missing.
static CROSSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(r"\b(?:is|are|was|the|of|at|in|to|by|ist|das|der|die|es|el|la|est|le|é|o|это)\s+(X{3,})\s")
        .ok()
});

/// Patterns of these sections for the whole of what is inside brackets.
fn inside(sections: &[&str]) -> PatternList {
    let character = not_in(r"\[\]<>{}\n");
    let patterns = sections.iter().flat_map(|section| patterns(section, &character));
    PatternList::new(patterns.map(|pattern| format!(r"^(?:{pattern})[.!…]*$")))
}

pub(super) fn matches(patterns: &PatternList, text: &str) -> bool {
    patterns.any_matches(&text.to_lowercase())
}

/// Whether what follows TODO is something to do.
pub(super) fn is_note(rest: &str) -> bool {
    matches(&NOTE, rest)
}

/// “Definition of osmosis: TBD”, in all languages.
static PENDING: LazyLock<PatternList> = LazyLock::new(|| inside(&["pending"]));

/// Whether all that follows the colon of a short block says that it is not written yet.
pub(super) fn is_pending(block: &str) -> bool {
    const LONGEST: usize = 160;
    let text = block.trim().trim_end_matches(['*', '_', '.', '!', '…', '。', '！', ' ']);
    let Some((before, rest)) = text.rsplit_once([':', '：']) else {
        return false;
    };
    text.len() <= LONGEST && !before.trim().is_empty() && matches(&PENDING, rest.trim())
}

/// Whether a note to the author begins or ends a block: “FIXME check this number”,
/// “… is covered by water. TODO”. “FIXME comments” are a topic.
pub(super) fn is_marked(block: &str) -> bool {
    const TOPICS: [&str; 6] = ["comment", "note", "tag", "marker", "is ", "and "];
    let text = block.trim_matches(['*', '_', ' ', '(', ')']);
    let begins = text.strip_prefix("FIXME").is_some_and(|rest| {
        let words = rest.trim_start();
        words.len() < rest.len() && !TOPICS.iter().any(|topic| words.starts_with(topic))
    });
    let ends = ["FIXME", "TODO", "TBD", "XXX"].iter().any(|mark| {
        let before = text.strip_suffix(mark).unwrap_or_default().trim_end();
        before.ends_with(['.', '!', '?', '。', '！', '？'])
    });
    begins || ends
}

/// What a whole block lacks.
pub(super) fn of_block(block: &str) -> Option<Gap> {
    // `__TOPIC__` is a name here, whatever Markdown makes of it.
    if is_left_by_a_program(block.trim()) {
        return Some(Gap::Named);
    }
    let text = block.trim().trim_matches(['*', '_']).trim();
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    if text.chars().all(|c| matches!(c, '.' | '…' | '[' | ']' | '(' | ')' | ' ')) {
        let dots = text.chars().filter(|c| *c == '.').count();
        return (dots >= 3 || text.contains('…')).then_some(Gap::Dots);
    }
    let bare = text.trim_matches(['.', '…', ' ', '!', '。', '！']);
    let is_gap = if let Some((open, inner)) = unwrapped(bare) {
        match open {
            '[' | '【' => {
                matches(&HOLE, inner)
                    || matches(&WHOLE, inner)
                    || is_crosses(inner)
                    || (bare.starts_with("[[") && is_constant(inner))
                    || is_vocabulary(inner)
            }
            '(' | '（' => matches(&REST, inner) || matches(&WHOLE, inner) || is_vocabulary(inner),
            '<' => {
                (matches(&HOLE, inner) && inner.contains(|c: char| c == ' ' || !c.is_ascii()))
                    || (is_constant(inner) && (bare.starts_with("<<") || inner.contains('_')))
                    || is_vocabulary(inner)
            }
            '{' => is_variable(inner) || matches(&HOLE, inner) || is_vocabulary(inner),
            _ => is_variable(inner),
        }
    } else {
        matches(&WHOLE, bare) || (bare.len() >= 4 && is_crosses(bare)) || is_bare_order(bare)
    };
    is_gap.then_some(Gap::Named)
}

/// What is inside the brackets around a whole text, with the opening one.
fn unwrapped(text: &str) -> Option<(char, &str)> {
    const PAIRS: [(&str, &str); 17] = [
        ("{{{", "}}}"),
        ("{{", "}}"),
        ("${{", "}}"),
        ("${", "}"),
        ("#{", "}"),
        ("%(", ")s"),
        ("<%=", "%>"),
        ("<<", ">>"),
        ("[[", "]]"),
        ("@@", "@@"),
        ("%%", "%%"),
        ("[", "]"),
        ("【", "】"),
        ("(", ")"),
        ("（", "）"),
        ("<", ">"),
        ("{", "}"),
    ];
    PAIRS.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        // `<<topic>>` and `[[topic]]` are as good as one bracket.
        let first = open.chars().next()?;
        let bare = inner.trim_matches(['.', '…', ' ']);
        (!inner.contains(['[', ']', '{', '}', '<', '>', '\n'])).then_some((first, bare))
    })
}

/// What a program prints for a value that it did not have, or a format that it did
/// not fill in.
fn is_left_by_a_program(text: &str) -> bool {
    const VALUES: [&str; 8] = [
        "undefined",
        "null",
        "NaN",
        "[object Object]",
        "%s",
        "%d",
        "{0}",
        "{}",
    ];
    let framed = |sign: &str| {
        let inner = text.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
        inner.is_some_and(is_constant)
    };
    VALUES.contains(&text) || framed("__") || framed("%") || framed("$") || framed("##")
}

/// A name in capitals: `TOPIC`, `YOUR_NAME`. `[[TOC]]` asks for a table of contents.
fn is_constant(inner: &str) -> bool {
    inner.len() >= 3
        && inner != "TOC"
        && inner.starts_with(|c: char| c.is_ascii_uppercase())
        && inner
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// `[XX]`, `[XXX]`: a figure that is missing.
fn is_crosses(inner: &str) -> bool {
    inner.len() >= 2 && inner.chars().all(|c| matches!(c, 'X' | 'x')) && inner != "xx"
}

/// Whether every word in the brackets is one that names or asks for a part of a text
/// ("Здесь добавить определение"), whatever their order.
fn is_vocabulary(inner: &str) -> bool {
    static WORDS: LazyLock<Vec<Vocabulary>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| Vocabulary {
                telling: file.words("words").collect(),
                joining: file.words("joining words").collect(),
            })
            .collect()
    });
    const MOST: usize = 12;
    let lower = inner.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    (1..=MOST).contains(&words.len())
        && WORDS.iter().any(|vocabulary| vocabulary.covers(&words))
}

/// “Insert diagram here”, “Sample explanation”: a short block of nothing but words of a
/// placeholder, one of which says that something else comes here.
fn is_bare_order(text: &str) -> bool {
    static MARKS: LazyLock<Vec<(Vec<&'static str>, Vec<&'static str>)>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| (file.words("marks").collect(), file.words("learner's").collect()))
            .collect()
    });
    const MOST: usize = 7;
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_marked = MARKS.iter().any(|(marks, learners)| {
        let has = |list: &[&str]| words.iter().any(|word| list.iter().any(|part| fits(part, word)));
        has(marks) && !has(learners)
    });
    (2..=MOST).contains(&words.len()) && is_marked && !text.contains(['“', '"', '«', '„', '`']) && is_vocabulary(text)
}

/// Whether brackets in a sentence hold the name of what is missing: `[Course name]`,
/// `[author, year]`.
fn is_slot(inner: &str) -> bool {
    static SLOTS: LazyLock<Vec<(Vocabulary, Vec<&'static str>)>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files
            .map(|file| {
                let vocabulary = Vocabulary {
                    telling: file.words("slots").collect(),
                    joining: file.words("slot joining words").collect(),
                };
                (vocabulary, file.words("slot labels").collect())
            })
            .collect()
    });
    const MOST: usize = 6;
    let lower = inner.to_lowercase().replace(['_', '-'], " ");
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_plain = inner
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '/' | '_' | '-' | '\'' | '’'));
    let is_named = |(vocabulary, labels): &(Vocabulary, Vec<&'static str>)| {
        let is_slot = |word: &&str| vocabulary.telling.iter().any(|part| fits(part, word));
        let is_joining = |word: &&str| vocabulary.joining.iter().any(|part| fits(part, word));
        let is_label = |word: &&str| labels.iter().any(|part| fits(part, word));
        let is_all = words.iter().all(|word| is_slot(word) || is_joining(word));
        let is_lone_label = words.len() == 1 && words.iter().any(is_label);
        is_all && words.iter().any(is_slot) && !is_lone_label
    };
    is_plain && (1..=MOST).contains(&words.len()) && SLOTS.iter().any(is_named)
}

/// `[step 1]`: without its number the name of what is missing. Alone it may be a label.
fn is_counted_slot(inner: &str) -> bool {
    let name = inner.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    // Twice, because a label that stands alone is none.
    name.len() < inner.len() && is_slot(&format!("{name}, {name}"))
}

/// What stands for a number after a word that a number follows: “see Figure XX”, “p. ??”,
/// “section X.X”.
fn missing_numbers(block: &str) -> Vec<Range<usize>> {
    static NUMBERED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let files = super::LIST.files().iter();
        files.flat_map(|file| file.words("numbered")).collect()
    });
    let mut found = Vec::new();
    let mut at = 0;
    let is_sign = |c: char| matches!(c, 'X' | '#' | '?');
    while let Some(start) = block.get(at..).and_then(|rest| rest.find(is_sign)) {
        let start = at + start;
        let rest = block.get(start..).unwrap_or_default();
        let signs = rest.find(|c: char| !is_sign(c) && c != '.').unwrap_or(rest.len());
        let signs = rest.get(..signs).unwrap_or_default().trim_end_matches('.');
        let end = start + signs.len().max(1);
        at = end;
        let before = block.get(..start).unwrap_or_default();
        let stem = before.trim_end_matches([' ', '.', '\u{a0}']);
        let word = stem
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_lowercase();
        let next = block.get(end..).and_then(|rest| rest.chars().next());
        let is_free = next.is_none_or(|c| !c.is_ascii_alphanumeric());
        let is_number = signs.len() > 1 && !signs.contains("..") && is_free;
        let follows = NUMBERED.iter().any(|known| {
            let is_apart = stem.len() < before.len();
            (is_apart && *known == word) || (!known.is_ascii() && word.ends_with(known))
        });
        if is_number && follows && !word.is_empty() {
            found.push(start..end);
        }
    }
    found
}

/// Signs for a value that is missing, wherever they stand: `XX mg`, `19XX`, ` ??? `, `XXXX`.
static VALUES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    regex(
        r"(?:^|[\s(])((?:[Xx]{2,}\s?(?:%|mg|µg|ml|mL|kg|km|cm|mm|°C|°|€|£|\$)|(?:1[0-9]|20)XX|X{4,}|\?{3,}|\?\?\s?(?:%|mg|ml|kg))(?:[\s.,;:!)]|$))",
    )
    .ok()
});

/// A name that a program was to replace: `%TOPIC%`, `@@name@@`, `INSERT_TEXT_HERE`.
fn program_names(block: &str) -> Vec<Range<usize>> {
    const ORDERS: [&str; 7] = ["INSERT", "YOUR", "HERE", "PLACEHOLDER", "TODO", "TBD", "FIXME"];
    let mut found = Vec::new();
    let mut at = 0;
    for part in block.split_inclusive(char::is_whitespace) {
        let start = at;
        at += part.len();
        let word = part.trim_matches(|c: char| c.is_whitespace() || ".,;:!?()\"'".contains(c));
        let offset = part.find(word).unwrap_or_default();
        let framed = ["%", "@@", "##"].iter().any(|sign| {
            let inner = word.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
            inner.is_some_and(is_constant)
        });
        let is_order = is_constant(word)
            && word.contains('_')
            && word.split('_').any(|piece| ORDERS.contains(&piece));
        let is_variable = ["${", "#{"].iter().any(|open| {
            let inner = word.strip_prefix(open).and_then(|rest| rest.strip_suffix('}'));
            inner.is_some_and(is_variable)
        });
        if framed || is_order || is_variable {
            found.push(start + offset..start + offset + word.len());
        }
    }
    found
}

/// The words of placeholders in a language.
struct Vocabulary {
    telling: Vec<&'static str>,
    joining: Vec<&'static str>,
}

impl Vocabulary {
    /// A single word may be a label or a key ("[Text]", "[Enter]").
    fn covers(&self, words: &[&str]) -> bool {
        const FEWEST: usize = 2;
        let is_telling = |word: &&&str| self.telling.iter().any(|part| fits(part, word));
        let is_joining = |word: &&str| self.joining.iter().any(|part| fits(part, word));
        words.iter().filter(is_telling).count() >= FEWEST
            && words
                .iter()
                .all(|word| is_telling(&word) || is_joining(word))
    }
}

/// A word, or a stem with `*` for any ending or beginning.
fn fits(part: &str, word: &str) -> bool {
    if let Some(end) = part.strip_prefix('*') {
        return word.ends_with(end);
    }
    match part.strip_suffix('*') {
        Some(stem) => word.starts_with(stem),
        None => word == part,
    }
}

/// The name of a variable: at least three letters, no formula and no file name.
fn is_variable(inner: &str) -> bool {
    // "the text between {{ and }}"
    const JOINERS: [&str; 6] = ["and", "und", "oder", "или", "any", "the"];
    // Without a filter (`content | safe`).
    let inner = inner.split(" | ").next().unwrap_or_default().trim();
    if JOINERS.contains(&inner) {
        return false;
    }
    let letters = inner.chars().filter(|c| c.is_alphabetic()).count();
    let wide = !inner.is_ascii();
    (letters >= 3 || (wide && letters >= 2))
        && inner
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !inner.ends_with('.')
        && inner.starts_with(char::is_alphabetic)
}

/// Placeholders within a sentence.
pub(super) fn in_sentence(block: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut counted = Vec::new();
    let opens = |byte: u8| matches!(byte, b'[' | b'{' | b'(' | 0xE3 | 0xEF);
    let mut at = 0;
    while let Some(start) = block
        .as_bytes()
        .get(at..)
        .and_then(|rest| rest.iter().position(|&byte| opens(byte)))
    {
        let start = at + start;
        at = start + 1;
        if let Some(end) = bracketed(block, start) {
            found.push(start..end);
            at = end;
        } else if let Some(end) = counted_slot(block, start) {
            counted.push(start..end);
        }
    }
    if counted.len() > 1 {
        found.append(&mut counted);
    }
    if block.contains("XX") || block.contains("??") || block.contains("##") || block.contains("X.X") || block.contains("xx") {
        found.extend(missing_numbers(block));
        let values = VALUES
            .iter()
            .flat_map(|pattern| pattern.captures_iter(block.as_bytes()));
        for value in values.filter_map(|found| found.get(1)) {
            let range = value.range();
            let text = block.get(range.clone()).unwrap_or_default();
            let bare = text.trim_end_matches(|c: char| c.is_whitespace() || ".,;:!)".contains(c));
            found.push(range.start..range.start + bare.len());
        }
    }
    if block.contains(['_', '%', '@', '#', '$']) {
        found.extend(program_names(block));
    }
    if block.contains("XXX") && !block.to_lowercase().contains("roman") {
        let crosses = CROSSES.iter().flat_map(|pattern| pattern.captures_iter(block.as_bytes()));
        found.extend(crosses.filter_map(|found| found.get(1)).map(|found| found.range()));
    }
    found.sort_by_key(|range| range.start);
    found.dedup_by(|next, before| next.start < before.end);
    found
}

/// The end of a numbered slot in square brackets that opens at `start`.
fn counted_slot(block: &str, start: usize) -> Option<usize> {
    let inner = block.get(start..)?.strip_prefix('[')?;
    let window = inner.get(..inner.floor_char_boundary(LONGEST.min(inner.len())))?;
    let end = window.find(']')?;
    let is_link = inner.get(end + 1..)?.starts_with(['(', '[', ':']);
    (!is_link && is_counted_slot(window.get(..end)?)).then_some(start + 1 + end + 1)
}

/// The end of a placeholder in brackets that opens at `start`.
fn bracketed(block: &str, start: usize) -> Option<usize> {
    let rest = block.get(start..)?;
    let (open, close) = [("{{", "}}"), ("{", "}"), ("[", "]"), ("【", "】"), ("(", ")"), ("（", "）")]
        .into_iter()
        .find(|(open, _)| rest.starts_with(open))?;
    let inner_start = open.len();
    let window = rest.get(..rest.floor_char_boundary(LONGEST.min(rest.len())))?;
    let inner_end = inner_start + window.get(inner_start..)?.find(close)?;
    let inner = window.get(inner_start..inner_end)?;
    let end = inner_end + close.len();
    let before = block.get(..start)?.chars().next_back();
    let after = rest.get(end..)?.chars().next();
    let is_free = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric() && !"\\^_$/}{=<>".contains(c));
    let is_gap = match open {
        "{{" | "{" => is_free(before) && is_free(after) && is_variable(inner),
        "[" | "【" => {
            let is_link = after.is_some_and(|c| matches!(c, '(' | '[' | ':'));
            !is_link
                && (matches(&GAP, inner.trim())
                    || is_slot(inner.trim())
                    || is_vocabulary(inner.trim())
                    || matches(&INSERT, inner.trim())
                    || is_crosses(inner)
                    || (inner == "X" && after == Some('%')))
        }
        _ => matches(&INSERT, inner.trim()),
    };
    is_gap.then_some(start + end)
}

/// Placeholders that Markdown reads as HTML: `<insert example>` and comments.
pub(super) fn in_markup(field: &TextField) -> Vec<(Range<usize>, Severity)> {
    let text: &str = &field.text;
    let mut found = Vec::new();
    for start in memchr::memchr_iter(b'<', text.as_bytes()) {
        let Some(rest) = text.get(start..) else {
            continue;
        };
        let window = rest
            .get(..rest.floor_char_boundary(LONGEST.min(rest.len())))
            .unwrap_or_default();
        let (end, severity) = if let Some(comment) = window.strip_prefix("<!--") {
            let Some(end) = comment.find("-->") else {
                continue;
            };
            let words = comment.get(..end).unwrap_or_default().trim();
            let asks = ["TODO", "FIXME", "TBD"]
                .iter()
                .any(|word| words.starts_with(word))
                || matches(&INSERT, words)
                || matches(&REST, words)
                || is_vocabulary(words);
            if !asks {
                continue;
            }
            (end + 7, Severity::Warning)
        } else {
            let Some(end) = window.find('>') else {
                continue;
            };
            let inner = window.get(1..end).unwrap_or_default().trim();
            let is_words = inner.starts_with(char::is_alphabetic) && !inner.contains(['=', '<', '/']);
            let is_gap = is_words
                && ((is_constant(inner) && (inner.contains('_') || is_slot(inner)))
                    || (!inner.is_ascii() && (is_slot(inner) || matches(&GAP, inner)))
                    || (inner.contains(' ') && is_slot(inner))
                    || (matches!(inner, "topic" | "placeholder" | "example")
                        && severity_in(text, start..start + end + 1) == Severity::Error)
                    || is_vocabulary(inner)
                    || matches(&INSERT, inner)
                    || (inner.contains(' ') && (matches(&HOLE, inner) || matches(&WHOLE, inner))));
            if !is_gap {
                continue;
            }
            (end + 1, severity_in(text, start..start + end + 1))
        };
        if !field.markdown().is_code(start) {
            found.push((start..start + end, severity));
        }
    }
    found
}

/// An order that is alone on its line is certain.
fn severity_in(text: &str, range: Range<usize>) -> Severity {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let begins = before.is_empty() || before.ends_with('\n');
    let ends = after.is_empty() || after.starts_with(['\n', '\r']);
    if begins && ends {
        Severity::Error
    } else {
        Severity::Warning
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_pattern() {
        for patterns in [&INSERT, &GAP, &HOLE, &REST, &WHOLE, &NOTE, &PENDING] {
            assert_eq!(patterns.faults(), [""; 0]);
        }
        assert!(CROSSES.is_some());
        assert!(VALUES.is_some());
    }

    #[test]
    fn blocks_that_are_gaps_are_told_apart_from_text() {
        for (text, expected) in [
            ("[...]", Some(Gap::Dots)),
            ("…", Some(Gap::Dots)),
            ("{topic}", Some(Gap::Named)),
            ("{{ lesson_body }}", Some(Gap::Named)),
            ("[Image: a plant cell]", Some(Gap::Named)),
            ("(insert image)", Some(Gap::Named)),
            ("{x}", None),
            ("{a, b}", None),
            ("{: .note}", None),
            ("{% include a.html %}", None),
            ("{{< figure >}}", None),
            ("[1]", None),
            ("[todo.txt]", None),
            ("{{ section.body }}", Some(Gap::Named)),
            ("${lessonTitle}", Some(Gap::Named)),
            ("<<TOPIC>>", Some(Gap::Named)),
            ("@@TOPIC@@", Some(Gap::Named)),
            ("__TOPIC__", Some(Gap::Named)),
            ("%(topic)s", Some(Gap::Named)),
            ("[object Object]", Some(Gap::Named)),
            ("undefined", Some(Gap::Named)),
            ("[XX]", Some(Gap::Named)),
            ("[add a short definition here]", Some(Gap::Named)),
            ("[Verse 1]", None),
            ("[[TOC]]", None),
            ("<HTML>", None),
            ("{% endraw %}", None),
            ("[Enter]", None),
            ("$x$", None),
            ("{x | x > 0}", None),
            (". .", None),
        ] {
            assert_eq!(of_block(text), expected, "{text}");
        }
    }

    #[test]
    fn gaps_in_a_sentence_are_found_with_their_brackets() {
        for (text, expected) in [
            ("Dear [name], hello.", Some("[name]")),
            ("Plants need {element} to grow.", Some("{element}")),
            ("A picture (insert image) is here.", Some("(insert image)")),
            ("The set {x} is small.", None),
            ("The macro \\text{abc} prints abc.", None),
            ("See [1] and [Table 2].", None),
            ("Press [Enter].", None),
            ("A link to [name](a.md).", None),
            ("Welcome to [Course Name]!", Some("[Course Name]")),
            ("A study by [Author, Year] shows it.", Some("[Author, Year]")),
            ("Willkommen im Kurs [Kursname]!", Some("[Kursname]")),
            ("The stages are [stage 1] and [stage 2].", Some("[stage 1]")),
            ("See [stage 2] of the plan.", None),
            ("For details, see Figure XX.", Some("XX")),
            ("详见图XX。", Some("XX")),
            ("Read section X.X again.", Some("X.X")),
            ("It was built in 19XX.", Some("19XX")),
            ("Give XX mg of the drug.", Some("XX mg")),
            ("Dear %NAME%, welcome.", Some("%NAME%")),
            ("The rule is INSERT_RULE_HERE and so on.", Some("INSERT_RULE_HERE")),
            ("In the XX century it changed.", None),
            ("What??? Nobody knows.", None),
            ("Use MAX_LENGTH for it.", None),
            ("He [Darwin] never came back.", None),
            ("Smoking doubles the risk [source].", None),
        ] {
            let found = in_sentence(text);
            let found = found.first().map(|range| &text[range.clone()]);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_block_may_say_that_it_is_not_finished() {
        for (text, expected) in [
            ("Definition of osmosis: TBD", true),
            ("Définition de l'osmose : à rédiger", true),
            ("渗透作用的定义：待定", true),
            ("FIXME check this number: 70 percent", true),
            ("Water covers 70 percent of the Earth. TODO", true),
            ("FIXME comments mark unfinished work.", false),
            ("The letters on the door: TBDX", false),
            ("The abbreviation for “to be done” is TBD", false),
        ] {
            assert_eq!(is_pending(text) || is_marked(text), expected, "{text}");
        }
    }
}
