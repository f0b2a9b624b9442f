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
        matches(&WHOLE, bare) || (bare.len() >= 4 && is_crosses(bare))
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

/// A word, or a stem with `*` for any ending.
fn fits(part: &str, word: &str) -> bool {
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
        }
    }
    if block.contains("XXX") && !block.to_lowercase().contains("roman") {
        let crosses = CROSSES.iter().flat_map(|pattern| pattern.captures_iter(block.as_bytes()));
        found.extend(crosses.filter_map(|found| found.get(1)).map(|found| found.range()));
    }
    found.sort_by_key(|range| range.start);
    found
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
                && ((is_constant(inner) && inner.contains('_'))
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
        for patterns in [&INSERT, &GAP, &HOLE, &REST, &WHOLE, &NOTE] {
            assert_eq!(patterns.faults(), [""; 0]);
        }
        assert!(CROSSES.is_some());
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
        ] {
            let found = in_sentence(text);
            let found = found.first().map(|range| &text[range.clone()]);
            assert_eq!(found, expected, "{text}");
        }
    }
}
