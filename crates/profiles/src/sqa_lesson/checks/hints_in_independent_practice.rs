//! `hints-in-independent-practice`: hints in a lesson where learners should
//! work alone.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, PEDAGOGY_BELOW};
use crate::sqa_lesson::model::{self, LessonType};
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA014",
    name: "hints-in-independent-practice",
    severity: Severity::Warning,
    summary: "hints in a lesson where learners should work alone",
    what: "Reports hints in lessons of type `independent_practice`. For teach lessons, `scaffolding-not-fading` compares independent with guided practice.",
    why: "Independent practice shows what learners can do without help. Caps `pedagogical_design` and `assessment_design` below their thresholds of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Practice: Fractions of Amounts\", \"lesson_type\": \"independent_practice\", \"cards\": [{\"title\": \"Thirds\", \"explainer\": \"Work alone.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"hints\": [\"Divide by 3.\"]}}]}",
        passes: "{\"title\": \"Practice: Fractions of Amounts\", \"lesson_type\": \"independent_practice\", \"cards\": [{\"title\": \"Thirds\", \"explainer\": \"Work alone.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\"}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW, PEDAGOGY_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    if template.kind() != Some(LessonType::IndependentPractice) {
        return;
    }
    for card in &template.cards {
        let hints = card.hints();
        if let Some(first) = hints.first() {
            let message = format!(
                "card {} has {} in an independent practice lesson; remove them, or make this a teach lesson",
                card.number,
                counted(hints.len(), "hint")
            );
            sink.in_source(first.range.clone(), message).caps(CHECK.caps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    #[test]
    fn only_independent_practice_goes_without_hints() {
        for (kind, hints, expected) in [
            ("independent_practice", r#"["a", "b"]"#, 1),
            ("independent_practice", "[]", 0),
            ("teach", r#"["a"]"#, 0),
            ("revision", r#"["a"]"#, 0),
        ] {
            let card = format!(
                r#"{{"explainer": "e", "cfu": {{"type": "structured", "parts": [{{"hints": {hints}}}]}}}}"#
            );
            assert_eq!(findings(&CHECK, &lesson(kind, &card)).len(), expected, "{kind} {hints}");
        }
    }
}
