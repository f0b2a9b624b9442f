//! `control-character`: an invisible control character.
//!
//! | where | fix |
//! |---|---|
//! | beside a space, a sign or the edge of a line | deleted |
//! | a page break between two words | a space |
//! | a code that Windows uses for a quotation mark or a dash, after a plain letter or sign | that character |
//! | another code of Windows | an error; that character, proposed |
//! | part of a character that was decoded wrongly (`â` and two codes for `’`) | an error; that character, proposed |
//! | between two letters or digits | an error, for it may stand for a lost space or letter; deletion, proposed |
//! | in code, quotes or brackets, or alone between two spaces | none: the text shows it |

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::{Fix, Severity};

use super::eaten_escape;
use crate::check_list::DEFAULTS;
use crate::shared::prose::is_quoted;

pub(super) static CHECK: Check = Check {
    code: "TXT021",
    name: "control-character",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "an invisible control character",
    what: "Reports NUL bytes and other control characters except tab and line breaks, and a byte-order mark in the middle of a text. `--fix` deletes them beside spaces and signs. A code that Windows uses for a quotation mark or a dash (U+0092 was an apostrophe) becomes that character, and a page break between two words becomes a space. Between two letters, where a space or a letter may be lost, it is an error and the deletion is only proposed; in code, quotes and brackets and alone between two spaces, where the text may show the character, there is no fix. A control character left over from a LaTeX command that lost its backslash in JSON is reported by `eaten-escape`. Joiners and direction marks, which some scripts need, are left alone.",
    why: "A control character shows as a box or not at all, breaks searching, and makes some databases reject the text.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils\u{0} at 100 °C.\n",
        passes: "# Water\n\nWater boils at 100 °C.\n",
        fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
        if !may_have_some(&field.text) {
            continue;
        }
        let mut run: Option<(usize, usize, char)> = None;
        for (at, character) in field.text.char_indices() {
            if !is_unwanted(character) {
                continue;
            }
            if is_first_in_file(field, at) || eaten_escape::is_eaten(&field.text, at) {
                continue;
            }
            let end = at + character.len_utf8();
            run = match run {
                Some((start, before, first)) if before == at => Some((start, end, first)),
                Some(done) => {
                    report(examination, sink, field, done);
                    Some((at, end, character))
                }
                None => Some((at, end, character)),
            };
        }
        if let Some(done) = run {
            report(examination, sink, field, done);
        }
    }
}

fn report(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    field: &TextField,
    (start, end, first): (usize, usize, char),
) {
    let text = &field.text[start..end];
    let code = u32::from(first);
    let message = match text.chars().count() {
        1 => format!("control character U+{code:04X}"),
        number => format!("{number} control characters, the first U+{code:04X}"),
    };
    let finding = sink.in_text(field, start..end, message);
    if is_shown(field, start, end) {
        return;
    }
    let document = examination.document;
    let remedy = remedy(&field.text, start, end);
    // A letter or a space may be lost, so the text is harmed until somebody looks.
    if matches!(remedy, Remedy::ProposeDeletion | Remedy::Propose(..)) {
        finding.severity(Severity::Error);
    }
    finding.fix(match remedy {
        Remedy::Delete => Fix::safe(vec![document.edit(field, start..end, "")]),
        Remedy::Replace(with) => Fix::safe(vec![document.edit(field, start..end, &with)]),
        Remedy::ProposeDeletion => Fix::proposed(vec![document.edit(field, start..end, "")]),
        Remedy::Propose(range, with) => Fix::proposed(vec![document.edit(field, range, &with)]),
    });
}

/// What can be done about a run of control characters.
#[derive(Debug, PartialEq, Eq)]
enum Remedy {
    Delete,
    Replace(String),
    ProposeDeletion,
    Propose(Range<usize>, String),
}

/// The decision table at the top.
fn remedy(text: &str, start: usize, end: usize) -> Remedy {
    if let Some((range, character)) = decoded_wrongly(text, start) {
        return Remedy::Propose(range, character.to_string());
    }
    let run = &text[start..end];
    let joins = joins_words(text, start, end);
    let is_break = |c: char| matches!(c, '\u{b}' | '\u{c}');
    if joins && run.chars().all(is_break) {
        return Remedy::Replace(" ".to_owned());
    }
    let windows: Option<String> = run.chars().map(windows_1252).collect();
    // After an accented letter the code may be the rest of that letter.
    let after_plain = text[..start].chars().next_back().is_none_or(|c| c.is_ascii());
    match windows {
        Some(meant) if after_plain && run.chars().all(is_punctuation) => Remedy::Replace(meant),
        Some(meant) => Remedy::Propose(start..end, meant),
        None if joins => Remedy::ProposeDeletion,
        None => Remedy::Delete,
    }
}

/// Quotation marks, dashes and the ellipsis of Windows, which are what occurs.
fn is_punctuation(control: char) -> bool {
    matches!(control, '\u{85}' | '\u{91}'..='\u{97}')
}

/// A character whose bytes were read as Latin letters and control characters:
/// where it is, and what it was.
fn decoded_wrongly(text: &str, start: usize) -> Option<(Range<usize>, char)> {
    let lead = text[..start].chars().next_back()?;
    let length = match lead {
        '\u{C2}'..='\u{DF}' => 2,
        '\u{E0}'..='\u{EF}' => 3,
        '\u{F0}'..='\u{F4}' => 4,
        _ => return None,
    };
    let from = start - lead.len_utf8();
    let mut bytes = Vec::with_capacity(length);
    let mut end = from;
    for c in text[from..].chars().take(length) {
        bytes.push(u8::try_from(u32::from(c)).ok()?);
        end += c.len_utf8();
    }
    let meant = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    (bytes.len() == length).then_some((from..end, meant))
}

/// Whether the text shows the character to its reader.
fn is_shown(field: &TextField, start: usize, end: usize) -> bool {
    let markdown = field.markdown();
    if field.role == TextRole::Code || markdown.is_verbatim(start) {
        return true;
    }
    let before = field.text[..start].chars().next_back();
    let after = field.text[end..].chars().next();
    let in_brackets = matches!(
        (before, after),
        (Some('('), Some(')')) | (Some('['), Some(']')) | (Some('⟨'), Some('⟩'))
    );
    in_brackets
        || stands_alone(&field.text, start, end)
        || is_quoted(&field.text, &(start..end))
}

/// Whether a character stands between spaces as a word of its own, as in “the
/// character ␇ rings the bell”.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_space = |c: char| c == ' ' || c == '\u{a0}';
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    before.is_some_and(is_space) && after.is_some_and(is_space)
}

/// Whether there can be an unwanted character at all. Nearly every text has
/// none, so that this goes over the bytes without a branch.
fn may_have_some(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_low = |byte: u8| (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
    let low = bytes
        .iter()
        .fold(false, |found, byte| found | is_low(*byte) | (*byte == 0x7f));
    // U+0080 to U+009F.
    let high = || {
        let next = bytes.get(1..).unwrap_or_default();
        bytes
            .iter()
            .zip(next)
            .fold(false, |found, (a, b)| found | ((*a == 0xc2) & (*b < 0xa0)))
    };
    low || high() || text.contains('\u{feff}')
}

fn joins_words(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

/// The characters that Windows has where Unicode has control characters: such a
/// text was read as Latin-1 once, and a quotation mark became U+0092.
fn windows_1252(character: char) -> Option<char> {
    const TABLE: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0',
        '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    let index = u32::from(character).checked_sub(0x80)?;
    TABLE
        .get(usize::try_from(index).ok()?)
        .copied()
        .filter(|c| *c != '\0')
}

fn is_unwanted(character: char) -> bool {
    matches!(character, '\u{feff}')
        || (character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}'))
}

fn is_first_in_file(field: &TextField, at: usize) -> bool {
    at == 0 && field.path.is_empty() && field.text.starts_with('\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_windows_are_letters_and_quotation_marks() {
        for (from, to) in [
            ('\u{80}', Some('€')),
            ('\u{92}', Some('’')),
            ('\u{9f}', Some('Ÿ')),
            ('\u{81}', None),
            ('a', None),
        ] {
            assert_eq!(windows_1252(from), to, "{from:?}");
        }
    }

    #[test]
    fn a_deletion_joins_no_words_and_breaks_no_character() {
        for (text, expected) in [
            ("boils\0 at", Remedy::Delete),
            ("zero\0width", Remedy::ProposeDeletion),
            ("one\u{c}two", Remedy::Replace(" ".to_owned())),
            ("Claire\u{92}s", Remedy::Replace("’".to_owned())),
            ("don\u{e2}\u{80}\u{99}t", Remedy::Propose(3..9, "’".to_owned())),
            ("p\u{139}\u{82}yty", Remedy::Propose(3..5, "‚".to_owned())),
            ("caf\u{c3}\u{89}", Remedy::Propose(3..7, "É".to_owned())),
        ] {
            let start = text.find(is_unwanted).expect("there is one");
            let run = text[start..].find(|c| !is_unwanted(c));
            let end = run.map_or(text.len(), |length| start + length);
            assert_eq!(remedy(text, start, end), expected, "{text:?}");
        }
    }

    #[test]
    fn a_character_between_spaces_may_be_shown() {
        assert!(stands_alone("rings \u{7} the", 6, 7));
        assert!(!stands_alone("rings\u{7} the", 5, 6));
    }

    #[test]
    fn no_unwanted_character_is_passed_over() {
        for character in (0..0x1_0000).filter_map(char::from_u32) {
            let text = format!("a{character}b");
            assert!(
                !is_unwanted(character) || may_have_some(&text),
                "{character:?}"
            );
        }
        assert!(!may_have_some(
            "Ça va ? « Oui »	中文，
"
        ));
    }
}
