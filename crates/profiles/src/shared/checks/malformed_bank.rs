//! `malformed-bank`: a question bank whose form is broken.

use redraft_banks::TroubleKind;
use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Trouble;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT039",
    name: "malformed-bank",
    severity: Severity::Error,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "a question bank is not written as its format wants it",
    what: "Reports what breaks a question bank in GIFT, Aiken, Moodle XML, QTI or a table: a brace, tag, quote or CDATA section that is never closed, a closing one that nothing opened, text that belongs to no question, a question without its answer, a row with more cells than the header, a table without a header, text after the quote that ends a cell, and a document type or entity declaration, which redraft does not obey.",
    why: "A learning platform stops at it or loses the question, and often those after it.",
    examples: &[Example {
        form: ExampleForm::Gift,
        fails: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium\n",
        passes: "Which gas do plants take in? {=Carbon dioxide ~Oxygen ~Helium}\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for recovered in examination.document.recovered() {
        let message = match &recovered.what {
            Trouble::Bank(what) => message(*what),
            Trouble::NoBank(format) => format!(
                "the file is said to be {}, but has no question in that format",
                format.name()
            ),
            _ => continue,
        };
        sink.in_source(recovered.range.clone(), message);
    }
}

fn message(what: TroubleKind) -> String {
    match what {
        TroubleKind::Unclosed(sign) => match sign {
            "{" => "this `{` is never closed; end the answers with `}`".to_owned(),
            "\"" => "this quote is never closed, so the rest of the table is one cell".to_owned(),
            "tag" => "this element is never closed".to_owned(),
            sign => format!("this is never closed; `{sign}` is missing"),
        },
        TroubleKind::Unopened("tag") => "this tag closes nothing".to_owned(),
        TroubleKind::Unopened(sign) => {
            format!("this `{sign}` closes nothing; write `\\{sign}` if it is part of the text")
        }
        TroubleKind::Stray => "this belongs to no question".to_owned(),
        TroubleKind::Declaration => {
            "a document type is declared here; redraft obeys none and expands no entity of it"
                .to_owned()
        }
        TroubleKind::NoAnswer => {
            "no `ANSWER:` line follows this question, so it is not read".to_owned()
        }
        TroubleKind::AfterQuote => {
            "this stands after the quote that ends its cell and is not read; double quotes that are part of the text"
                .to_owned()
        }
        TroubleKind::NoHeader => {
            "this row seems to be a question, and is not read; put a row with the names of the columns above it"
                .to_owned()
        }
        TroubleKind::LongRow => {
            "the row has more cells than the header; a delimiter in a text needs quotes around it"
                .to_owned()
        }
    }
}
