//! The forms of placeholders that need no certain words: brackets of any kind
//! around an order, a noun that stands for what is missing, or the name of a
//! variable; dots; comments. It does not know how serious a form is where it
//! stands.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::char_set::CharSet;
use redraft_text::light_regex::{PatternList, Regex, not_in, regex};

use super::lines;
use super::names::{
    VALUES, is_counted_slot, is_slot, is_variable, is_vocabulary, missing_numbers, program_names,
};
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
    const FEW_WORDS: usize = 5;
    let text = block.trim().trim_end_matches(['*', '_', '.', '!', '…', '。', '！', ' ']);
    // Most blocks are longer: they need not be read.
    if text.len() > LONGEST {
        return false;
    }
    let Some((before, rest)) = text.rsplit_once([':', '：']) else {
        return false;
    };
    let is_label = !before.trim().is_empty() && before.split_whitespace().count() <= FEW_WORDS;
    let is_dots = rest.trim().is_empty() && block.trim_end_matches(['*', '_', ' ']).ends_with(['…', '.']);
    let is_left_open = is_dots && is_label && !block.trim_end().ends_with([':', '：']);
    !before.trim().is_empty()
        && (is_left_open || matches(&PENDING, rest.trim()))
}

/// Whether a block is one word again and again (“sample text, sample text, sample text”), or
/// one with numbers or letters (“Option 1, Option 2, Option 3”).
pub(super) fn is_repeated(block: &str) -> bool {
    const LONGEST: usize = 200;
    if block.len() > LONGEST || !block.contains(char::is_alphabetic) {
        return false;
    }
    let lower = block.to_lowercase();
    if lines::repeats_itself(lower.trim()) {
        return true;
    }
    let by_signs = lower.split([',', ';', '.', '\n', '，', '、', '；', '。', '/']);
    let parts = by_signs.map(str::trim).filter(|part| !part.is_empty());
    let words = lower.split_whitespace();
    let words = words.map(|word| word.trim_matches(['.', '!', '…']));
    are_one(parts) || are_one(words)
}

/// Whether parts are the same word, at least three times.
fn are_one<'t>(mut parts: impl Iterator<Item = &'t str>) -> bool {
    const FEWEST: usize = 3;
    let Some(first) = parts.next().map(without_number) else {
        return false;
    };
    let letters = first.chars().filter(|c| c.is_alphabetic()).count();
    let is_wide = !first.is_ascii() && letters >= 2;
    let mut count = 1;
    (letters >= 4 || is_wide)
        && parts.all(|part| {
            count += 1;
            without_number(part) == first
        })
        && count >= FEWEST
}

/// “option 1” and “option a” without what counts them.
fn without_number(part: &str) -> &str {
    let bare = part.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.len() < part.len() {
        return bare.trim_end();
    }
    match part.rsplit_once(' ') {
        Some((before, last)) if last.chars().count() == 1 => before.trim_end(),
        _ => part,
    }
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
    let text = without_symbols(text);
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
            '(' | '（' => {
                let order = lines::after_addressee(inner);
                matches(&REST, inner)
                    || matches(&WHOLE, inner)
                    || is_vocabulary(inner)
                    || order.is_some_and(|order| matches(&INSERT, order))
            }
            '<' => {
                (matches(&HOLE, inner) && inner.contains(|c: char| c == ' ' || !c.is_ascii()))
                    || (is_constant(inner) && (bare.starts_with("<<") || inner.contains('_')))
                    || is_vocabulary(inner)
                    || lines::is_missing(inner)
            }
            '{' => {
                is_variable(inner) && !is_type(inner)
                    || matches(&HOLE, inner)
                    || is_vocabulary(inner)
                    || lines::is_words(inner)
            }
            _ => is_variable(inner),
        }
    } else {
        matches(&WHOLE, bare) || (bare.len() >= 4 && is_crosses(bare))
    };
    is_gap.then_some(Gap::Named)
}

/// A text in brackets without the symbols before and after it: “📷 [Photo: a cell]”.
fn without_symbols(text: &str) -> &str {
    let is_symbol = |c: char| c > '\u{2190}' && !c.is_alphanumeric() && !"【】（）「」『』《》。！？，：；、".contains(c);
    let bare = text.trim_matches(|c: char| is_symbol(c) || c == ' ');
    if bare.starts_with(['[', '【']) { bare } else { text }
}

/// What documentation of programs gives in braces: the type of a value (`Type: {string}`).
fn is_type(inner: &str) -> bool {
    const TYPES: [&str; 14] = [
        "string", "number", "integer", "boolean", "Object", "Array", "Function", "Buffer", "Error",
        "Set", "Map", "Promise", "any", "undefined",
    ];
    TYPES.contains(&inner)
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

/// A capital letter, or one of a script without them that needs no spaces.
fn is_capital(c: char) -> bool {
    c.is_uppercase() || ('\u{3400}'..='\u{9FFF}').contains(&c)
}

/// A name in capitals: `TOPIC`, `YOUR_NAME`. `[[TOC]]` asks for a table of contents.
pub(super) fn is_constant(inner: &str) -> bool {
    inner.len() >= 3
        && inner != "TOC"
        && inner.starts_with(is_capital)
        && inner
            .chars()
            .all(|c| is_capital(c) || c.is_ascii_digit() || c == '_')
}

/// `[XX]`, `[XXX]`: a figure that is missing.
fn is_crosses(inner: &str) -> bool {
    inner.len() >= 2 && inner.chars().all(|c| matches!(c, 'X' | 'x')) && inner != "xx"
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
    if block.contains("XX") || block.contains("??") || block.contains("？？") || block.contains("##") || block.contains("X.X") || block.contains("ХХ") || block.contains("xx") {
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
    static OF_NAMES: CharSet<5> = CharSet::new(['_', '%', '@', '#', '$']);
    if OF_NAMES.is_in(block) {
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
                    || lines::is_missing(inner)
                    || (inner.contains(' ') && (matches(&HOLE, inner) || matches(&WHOLE, inner))));
            if !is_gap || lines::is_of_a_command(text, start, inner) {
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
