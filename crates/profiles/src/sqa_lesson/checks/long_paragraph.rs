//! `long-paragraph`: a paragraph of an explainer has too many sentences.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::{CardField, card_texts};
use crate::sqa_lesson::plain_language::Plain;
use crate::sqa_lesson::wording::excerpt;

pub(super) static CHECK: Check = Check {
    code: "SQA055",
    name: "long-paragraph",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "a paragraph of an explainer has too many sentences",
    what: "Counts the sentences between two line breaks in `explainer` and `explainer_plain`. More than 4 are info, more than 6 a warning. Caps `accessibility` at .90 (seed 000: short paragraphs of 2-4 sentences).",
    why: "White space shows where a thought ends. Without it, readers with dyslexia lose the line.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "Look at the price. It is £20. Find the bottom number. It is 4. Divide £20 by 4. You get £5. That is one quarter."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "Look at the price. It is £20.\n\nFind the bottom number. It is 4.\n\nDivide £20 by 4. You get £5. That is one quarter."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "most",
            what: "maximum sentences in a paragraph",
        },
        Parameter {
            name: "far",
            what: "sentences above which it is a warning",
        },
    ],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let (most, far) = (examination.count("most"), examination.count("far"));
    for text in card_texts(examination.document) {
        if !matches!(text.card_field, CardField::Explainer | CardField::Plain) {
            continue;
        }
        for line in Plain::of(&text).lines {
            let count = line.sentences.len();
            if count <= most {
                continue;
            }
            let middle = line.sentences.get(count.div_ceil(2));
            let cut = middle
                .and_then(|sentence| text.text().get(sentence.clone()))
                .map(|sentence| format!(", for example before “{}”", excerpt(sentence.trim_end_matches(['.', '!']))))
                .unwrap_or_default();
            let message = format!(
                "{} has a paragraph of {count} sentences, but 2 to {most} read best; start a new line{cut}",
                text.label()
            );
            let range = line.range.start..line.sentences.last().map_or(line.range.end, |last| last.end);
            let finding = sink.in_text(text.field, range, message).caps(CHECK.caps);
            if count <= far {
                finding.severity(Severity::Info);
            }
        }
    }
}
