//! `difficult-connective`: a joining word in a plain explainer that readers at A2
//! to B1 do not know.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::plain_texts;
use crate::sqa_lesson::phrases::{find, in_case_of, rows};
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA053",
    name: "difficult-connective",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Acceptance,
    concern: Concern::Alignment,
    summary: "a hard joining word in a plain explainer",
    what: "Looks in `explainer_plain` for joining words such as however, moreover or consequently, and suggests an easy one for each. Caps `accessibility` at .90 (seed 000: simple connectives, First, Then, Next; avoid However, Moreover).",
    why: "The joining word carries the thought. To a reader who does not know it, the two sentences have nothing to do with each other.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "Divide by 4. However, check the answer."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "First divide by 4. Then check the answer."}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "words",
        what: "hard joining words, each with an easy one",
    }],
    caps: &[ACCESSIBILITY_MINOR],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in plain_texts(examination.document) {
        let plain = Plain::of(&text);
        for (range, row) in find(plain.text(), rows(examination.texts("words"))) {
            let found = text.text().get(range.clone()).unwrap_or_default();
            let message = format!(
                "{} joins sentences with “{found}”, which is hard at A2 to B1; write “{}”",
                text.label(),
                in_case_of(found, row.instead)
            );
            sink.in_text(text.field, range, message).caps(CHECK.caps);
        }
    }
}
