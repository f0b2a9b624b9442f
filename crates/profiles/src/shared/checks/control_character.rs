//! `control-character`: invisible characters that no text should contain.

use redraft_core::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_core::content::TextField;
use redraft_core::finding::{Fix, Severity};

use super::eaten_escape;

pub(super) static CHECK: Check = Check {
    code: "TXT021",
    name: "control-character",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "an invisible control character",
    what: "Reports NUL bytes and other control characters except tab and line breaks, and a byte-order mark in the middle of a text. They are deleted by `--fix`. A control character that was a LaTeX command before JSON ate its backslash is left to `eaten-escape`. Joiners and direction marks, which some scripts need, are left alone.",
    why: "A control character shows as a box or not at all, stops searches from finding a word, and makes some databases refuse the text.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils\u{0} at 100 °C.\n",
        passes: "# Water\n\nWater boils at 100 °C.\n",
        fixed: Some("# Water\n\nWater boils at 100 °C.\n"),
    }],
    parameters: &[],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts() {
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
    let edit = examination.document.edit(field, start..end, "");
    let code = u32::from(first);
    let message = match field.text[start..end].chars().count() {
        1 => format!("control character U+{code:04X}"),
        number => format!("{number} control characters, the first U+{code:04X}"),
    };
    sink.in_text(field, start..end, message).fix(Fix::safe(vec![edit]));
}

fn is_unwanted(character: char) -> bool {
    matches!(character, '\u{feff}')
        || (character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{85}'))
}

fn is_first_in_file(field: &TextField, at: usize) -> bool {
    at == 0 && field.path.is_empty() && field.text.starts_with('\u{feff}')
}
