//! `non-scottish-brand`: shops and places that learners in Scotland do not know.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::sqa_lesson::caps::{SCOTTISH_BELOW, SCOTTISH_MINOR};
use crate::sqa_lesson::card_texts::{CardText, card_texts};
use crate::sqa_lesson::phrases::{Row, find, rows};
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA063",
    name: "non-scottish-brand",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "shops and places that learners in Scotland do not know",
    what: "Looks for names of American shops and services, written with a capital letter, and suggests a Scottish one for each. Places in the United States are info only, because people travel there. A brand caps `scottish_context` below its threshold, a place at .95 (seed 000: Scottish locations and brands; Walmart and US locations are a common failure).",
    why: "A context helps only learners who know it.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "You buy apples at Walmart."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "You buy apples at Morrisons in Stirling. Hit the target."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "brands",
            what: "brands, each with a Scottish one",
        },
        Parameter {
            name: "places",
            what: "places, each with a Scottish one",
        },
    ],
    caps: &[SCOTTISH_BELOW, SCOTTISH_MINOR],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in card_texts(examination.document) {
        let plain = Plain::of(&text);
        for (range, row) in find(plain.text(), rows(examination.texts("brands"))) {
            report(&text, range, row, sink, "is not a shop or service in Scotland").map(|finding| finding.caps(&[SCOTTISH_BELOW]));
        }
        for (range, row) in find(plain.text(), rows(examination.texts("places"))) {
            report(&text, range, row, sink, "learners in Scotland may not know").map(|finding| {
                finding.severity(Severity::Info).caps(&[SCOTTISH_MINOR])
            });
        }
    }
}

fn report<'s>(
    text: &CardText<'_>,
    range: std::ops::Range<usize>,
    row: Row<'_>,
    sink: &'s mut Sink<'_>,
    why: &str,
) -> Option<&'s mut redraft_gate::finding::Finding> {
    let found = text.text().get(range.clone())?;
    // A name has a capital letter.
    if !found.starts_with(char::is_uppercase) {
        return None;
    }
    let message = format!("{} names {found}, which {why}; use {} instead", text.label(), row.instead);
    Some(sink.in_text(text.field, range, message))
}
