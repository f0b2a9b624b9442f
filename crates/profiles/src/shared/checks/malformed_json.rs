//! `malformed-json`: invalid JSON that was read by repairing it.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::finding::{Fix, Severity};
use redraft_gate::reading::{Recovered, Trouble};
use redraft_text::json::RecoveryKind;
use redraft_text::left_out::is_said_in_a_comment;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT023",
    name: "malformed-json",
    severity: Severity::Error,
    mends: Mends::WhereCertain,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "the JSON is invalid and had to be repaired to be read",
    what: "Reports every error at which a strict JSON parser would stop: a missing or surplus comma, single or typographic quotes, a line break or an unescaped quote inside a text, comments, Python's True and None, and so on. If there is only one way to read it, `--fix` repairs it; if the text had to be guessed, the repair is only proposed. JSON that ends too early is reported by `truncated-content`.",
    why: "The next program in the pipeline does not guess: it stops, or reads something other than what was meant.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"intro\": \"Water boils.\", \"sections\": [],}\n",
        passes: "{\"intro\": \"Water boils.\", \"sections\": []}\n",
        fixed: Some("{\"intro\": \"Water boils.\", \"sections\": []}\n"),
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for recovered in document.recovered() {
        let Some(message) = message(recovered) else {
            continue;
        };
        let edits: Vec<_> = recovered
            .edits
            .iter()
            .map(|(range, text)| document.edit_source(range.clone(), text.as_str()))
            .collect();
        let is_elision = stands_for_values(document.source().text(), recovered);
        let message = if is_elision {
            "a comment that says what was left out; write it".to_owned()
        } else {
            message
        };
        let finding = sink.in_source(recovered.range.clone(), message);
        if !edits.is_empty() {
            finding.fix(if recovered.certain && !is_elision {
                Fix::safe(edits)
            } else {
                Fix::proposed(edits)
            });
        }
    }
}

/// Whether a comment stands for values (`// ... 8 more`): without it nobody would know that
/// they are missing.
fn stands_for_values(text: &str, recovered: &Recovered) -> bool {
    let comment = text.get(recovered.range.clone()).unwrap_or_default();
    matches!(recovered.what, Trouble::Json(RecoveryKind::Comment)) && is_said_in_a_comment(comment)
}

fn message(recovered: &Recovered) -> Option<String> {
    match &recovered.what {
        // These have their own checks.
        Trouble::Json(
            RecoveryKind::CutOff { .. }
            | RecoveryKind::DuplicateKey
            | RecoveryKind::TooDeep
            | RecoveryKind::InvalidEscape
            | RecoveryKind::LoneSurrogate,
        )
        | Trouble::OddField { .. }
        | Trouble::StoppedByLimit
        | Trouble::Enveloped(_)
        | Trouble::Nothing { .. }
        | Trouble::NoBank(_)
        | Trouble::Bank(_)
        | Trouble::OtherQuestion(_)
        | Trouble::Degraded(_) => None,
        Trouble::Json(kind) => Some(kind.describe()),
        Trouble::More(number) => Some(format!("{number} more such errors")),
        Trouble::NoJson => Some("the file is named as JSON but contains no JSON value".to_owned()),
        Trouble::UnreadJson => Some(
            "the text seems to be JSON, but no value can be read in it; save the value alone".to_owned(),
        ),
        Trouble::EncodedTwice => {
            Some("the file is a string that holds JSON; decode it once".to_owned())
        }
        Trouble::Marked(mark) => Some(format!(
            "the file is JSON with `{mark}` at the start of each line; delete these signs"
        )),
    }
}
