//! `bidi-control`: invisible characters that change the order in which text is
//! shown.
//!
//! | character | outside code | in code |
//! |---|---|---|
//! | override (U+202D, U+202E) | reported | reported |
//! | embedding (U+202A, U+202B, U+202C) | reported, unless it is closed on its line and the line has right-to-left letters | reported |
//! | isolate (U+2066 to U+2069) | reported where it is not closed on its line | reported |
//! | mark (U+200E, U+200F, U+061C) | reported inside a word that is not right-to-left | reported on a line without right-to-left letters |
//!
//! Outside code an entity (`&#8238;`, `&#x202e;`) is the character that it shows.
//!
//! A line break ends what such a character does, so each line is looked at alone.

use std::ops::Range;

use memchr::memchr2_iter;
use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{Document, TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};
use redraft_text::scripts::{Script, script};

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT017",
    name: "bidi-control",
    severity: Severity::Warning,
    mends: Mends::Proposes,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "an invisible character changes the order of the text",
    what: "Reports direction overrides anywhere, and embeddings and isolates that are not closed on their line. In code every such character is reported, because code that is shown in a different order from how it runs is an attack (“Trojan source”). Closed isolates around a name, closed embeddings in Arabic, Hebrew or Persian lines, and direction marks where right-to-left text needs them are left alone. The removal is proposed, not applied.",
    why: "The reader, the reviewer and the computer see different texts: a command or an answer can be hidden in plain sight.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Files\n\nOpen the file \u{202E}cod.exe and read what it says.\n",
        passes: "# Files\n\nThe word \u{2067}שלום\u{2069} means peace, and it is read from right to left.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for field in document.texts() {
        let mut lines = lines_with_controls(&field.text);
        lines.dedup();
        for line in lines {
            report(document, field, line, sink);
        }
    }
}

fn report(document: &Document, field: &TextField, line: Range<usize>, sink: &mut Sink<'_>) {
    let in_code = |at: usize| field.role == TextRole::Code || field.markdown().is_code(at);
    let shown = Shown::new(&field.text[line.clone()], |at| in_code(line.start + at));
    let suspects = suspects(&shown.text, |at| in_code(line.start + shown.written(at).start));
    let Some((first, control)) = suspects.first().copied() else {
        return;
    };
    let place = |at: usize| {
        let written = shown.written(at);
        line.start + written.start..line.start + written.end
    };
    let last = suspects.last().map_or(place(first).end, |(at, _)| place(*at).end);
    let message = format!(
        "{} (U+{:04X}) shows the text in another order than it is written; remove it",
        name(control),
        u32::from(control)
    );
    let edits = suspects
        .iter()
        .map(|(at, _)| document.edit(field, place(*at), ""))
        .collect();
    sink.in_text(field, place(first).start..last, message)
        .fix(Fix::proposed(edits));
}

/// A line as a page shows it: with characters for the entities of controls.
struct Shown {
    text: String,
    /// Where entities stood: the offset in the shown text, and their place in the line.
    entities: Vec<(usize, Range<usize>)>,
}

impl Shown {
    fn new(line: &str, in_code: impl Fn(usize) -> bool) -> Self {
        let mut shown = Self {
            text: String::with_capacity(line.len()),
            entities: Vec::new(),
        };
        let mut from = 0;
        for (at, control, length) in entities(line) {
            if in_code(at) {
                continue;
            }
            shown.text.push_str(&line[from..at]);
            shown.entities.push((shown.text.len(), at..at + length));
            shown.text.push(control);
            from = at + length;
        }
        shown.text.push_str(&line[from..]);
        shown
    }

    /// Where the character at an offset of the shown text is written.
    fn written(&self, at: usize) -> Range<usize> {
        let next = self.entities.partition_point(|(shown, _)| *shown <= at);
        let length = |at: usize| self.text[at..].chars().next().map_or(0, char::len_utf8);
        let Some((shown, place)) = next.checked_sub(1).and_then(|last| self.entities.get(last))
        else {
            return at..at + length(at);
        };
        if *shown == at {
            return place.clone();
        }
        let start = place.end + (at - shown - length(*shown));
        start..start + length(at)
    }
}

/// The entities of controls of direction in a text: where, which, and how long.
fn entities(text: &str) -> impl Iterator<Item = (usize, char, usize)> + '_ {
    const LONGEST: usize = 10;
    text.match_indices("&#").filter_map(|(at, _)| {
        let rest = &text.as_bytes()[at..];
        let end = rest.iter().take(LONGEST).position(|byte| *byte == b';')?;
        let number = text.get(at + 2..at + end)?;
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        };
        let control = char::from_u32(code)
            .filter(|c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'))?;
        Some((at, control, end + 1))
    })
}

/// The lines with at least one control of direction.
fn lines_with_controls(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let is_control = |at: &usize| {
        matches!(
            bytes.get(*at..(at + 3).min(bytes.len())),
            Some([0xE2, 0x80, 0x8E | 0x8F | 0xAA..=0xAE] | [0xE2, 0x81, 0xA6..=0xA9] | [0xD8, 0x9C, ..])
        )
    };
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut places: Vec<usize> = memchr2_iter(0xE2, 0xD8, bytes).filter(is_control).collect();
    places.extend(entities(text).map(|(at, _, _)| at));
    places.sort_unstable();
    for at in places {
        if lines.last().is_some_and(|line| line.contains(&at)) {
            continue;
        }
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        lines.push(start..end);
    }
    lines
}

/// The controls of a line that do not belong there.
fn suspects(line: &str, in_code: impl Fn(usize) -> bool) -> Vec<(usize, char)> {
    let has_right_to_left = line.chars().any(is_right_to_left);
    let mut suspects = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, c) in line.char_indices() {
        let closes = |opener: char| matches!(opener, '\u{2066}'..='\u{2068}') == (c == '\u{2069}');
        let is_suspect = match c {
            '\u{202D}' | '\u{202E}' => true,
            '\u{202A}' | '\u{202B}' | '\u{2066}'..='\u{2068}' if !in_code(at) => {
                open.push((at, c));
                false
            }
            '\u{202C}' | '\u{2069}' if !in_code(at) => match open.pop() {
                Some((_, opener)) if closes(opener) => {
                    c == '\u{202C}' && !has_right_to_left
                }
                Some(other) => {
                    open.push(other);
                    true
                }
                None => true,
            },
            '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}' => true,
            '\u{200E}' | '\u{200F}' | '\u{61C}' if in_code(at) => !has_right_to_left,
            '\u{200E}' | '\u{200F}' | '\u{61C}' => is_inside_word(line, at, c),
            _ => false,
        };
        if is_suspect {
            suspects.push((at, c));
        }
    }
    suspects.extend(open);
    suspects.sort_unstable();
    suspects
}

fn is_inside_word(line: &str, at: usize, c: char) -> bool {
    let is_letter = |c: char| c.is_alphabetic() && !is_right_to_left(c);
    let before = line[..at].chars().next_back();
    let after = line[at + c.len_utf8()..].chars().next();
    before.is_some_and(is_letter) && after.is_some_and(is_letter)
}

/// Whether a letter is of a script that is written from right to left.
fn is_right_to_left(c: char) -> bool {
    matches!(script(c), Script::Hebrew | Script::Arabic)
        || matches!(c, '\u{700}'..='\u{8FF}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

fn name(control: char) -> &'static str {
    match control {
        '\u{202A}' => "left-to-right embedding",
        '\u{202B}' => "right-to-left embedding",
        '\u{202C}' => "end of an embedding",
        '\u{202D}' => "left-to-right override",
        '\u{202E}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "isolate",
        '\u{2069}' => "end of an isolate",
        _ => "direction mark",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_direction_are_told_from_those_that_right_to_left_text_needs() {
        for (line, in_code, expected) in [
            ("plain text", false, 0),
            ("an \u{202E}override", false, 1),
            ("an \u{202E}override\u{202C}", false, 2),
            ("שלום \u{202E}עולם\u{202C}", false, 2),
            ("\u{202B}שלום world\u{202C}", false, 0),
            ("\u{202B}שלום world", false, 1),
            ("a \u{2067}name\u{2069} here", false, 0),
            ("a \u{2067}name here", false, 1),
            ("a name\u{2069} here", false, 1),
            ("a \u{2067}name\u{2069} here", true, 2),
            ("if access != \"user\u{202E} \u{2066}// admin\u{2069} \u{2066}\"", true, 4),
            ("מחיר: 5\u{200F} ש\"ח", false, 0),
            ("‎11 May\u{200E}", false, 0),
            ("pass\u{200E}word", false, 1),
            ("x = 1\u{200F}", true, 1),
            ("print(\"שלום\u{200F}\")", true, 0),
        ] {
            assert_eq!(suspects(line, |_| in_code).len(), expected, "{line:?}");
        }
    }

    #[test]
    fn an_entity_is_the_character_that_it_shows() {
        for (line, place) in [
            ("an &#8238;override", Some(3..10)),
            ("an &#x202E;override", Some(3..11)),
            ("é &#8234;שלום&#8236; &#8238;x", Some(26..33)),
            ("a &#8295;name&#8297; here", None),
            ("x &#8212; y", None),
        ] {
            let shown = Shown::new(line, |_| false);
            let found = suspects(&shown.text, |_| false);
            let found = found.first().map(|(at, _)| shown.written(*at));
            assert_eq!(found, place, "{line}");
        }
        assert_eq!(lines_with_controls("one\ntwo &#8238;x\nthree").first(), Some(&(4..16)));
        assert!(suspects(&Shown::new("&#8238;x", |_| true).text, |_| true).is_empty());
    }

    #[test]
    fn every_control_is_seen() {
        for c in "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}".chars() {
            let text = format!("one\ntwo {c}three\nfour");
            let lines = lines_with_controls(&text);
            assert_eq!(lines.len(), 1, "{c:?}");
            assert!(text[lines[0].clone()].starts_with("two"));
        }
        assert!(lines_with_controls("“curly” — ‘quotes’ … سلام").is_empty());
    }
}
