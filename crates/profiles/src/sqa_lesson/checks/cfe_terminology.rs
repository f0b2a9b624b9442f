//! `cfe-terminology`: words of other school systems.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::sqa_lesson::caps::SCOTTISH_MINOR;
use crate::sqa_lesson::card_texts::card_texts;
use crate::sqa_lesson::phrases::{find, rows};
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA065",
    name: "cfe-terminology",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "words of other school systems",
    what: "Looks for the words that English and American schools use (learning objectives, content standards, GCSE, Key Stage 3) and suggests those of the Curriculum for Excellence and the SQA. Also reports “standards” where it means outcomes (“meets the standards”, “standards covered”); the bare word is info. “Assessment standard” is the SQA's own term, and standard form, standard deviation, high standards and a standard way of writing are mathematics and everyday language: none of them is reported. Caps `scottish_context` at .95 (seed 000: CfE terminology accuracy).",
    why: "Teachers and learners in Scotland look for outcomes, National 4 and S4. Other terms tell them that the lesson was written for someone else.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "The learning objectives of this card are two."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "This card has two outcomes. It meets assessment standard 1.1. Write 300 in standard form."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "words",
            what: "words of other school systems, each with the Scottish one",
        },
        Parameter {
            name: "other-standards",
            what: "words before “standards” that give it a meaning other than outcomes",
        },
    ],
    caps: &[SCOTTISH_MINOR],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in card_texts(examination.document) {
        let plain = Plain::of(&text);
        for (range, row) in find(plain.text(), rows(examination.texts("words"))) {
            let found = text.text().get(range.clone()).unwrap_or_default();
            // The SQA's own term.
            let before = plain.text().get(..range.start).unwrap_or_default();
            let before = before.trim_end().to_lowercase();
            let is_sqa = before.ends_with("assessment");
            let lower = found.to_lowercase();
            if is_sqa && lower.starts_with("standard") {
                continue;
            }
            // The bare word also means other things.
            let is_bare = lower == "standards";
            if is_bare {
                let after = plain.text().get(range.end..).unwrap_or_default();
                let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                let is_other = examination.texts("other-standards").iter().any(|word| word == last);
                if is_other || after.trim_start().to_lowercase().starts_with("of ") {
                    continue;
                }
            }
            let message = format!(
                "{} says “{found}”, which is not a word of the Scottish curriculum; write “{}”",
                text.label(),
                row.instead
            );
            let finding = sink.in_text(text.field, range, message).caps(CHECK.caps);
            if is_bare {
                finding.severity(Severity::Info);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn assessment_standards_and_standard_form_are_never_reported() {
        for (text, expected) in [
            ("Our learning objective is clear.", 1),
            ("This is a GCSE question for Key Stage 3.", 2),
            ("Meets the content standards.", 1),
            ("Assessment standard 1.1 and the assessment standards", 0),
            ("Write it in standard form. The standard deviation is 2. A standard way.", 0),
            ("High standards are set. Safety standards apply. A standard of living.", 0),
            ("This lesson meets the standards. Standards covered: 2.", 2),
            ("Assessment standards covered: AS1.1.", 0),
            ("The standards for this course are clear. Learn the standards.", 2),
            ("Trading Standards checks scales. Living standards rise. Standards of hygiene matter.", 0),
        ] {
            let template = format!(r#"{{"cards": [{{"id": "c1", "explainer": "{text}"}}]}}"#);
            assert_eq!(findings(&super::CHECK, &template).len(), expected, "{text}");
        }
    }
}
