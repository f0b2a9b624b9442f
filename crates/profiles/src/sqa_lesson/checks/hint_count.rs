//! `hint-count`: too few or too many hints.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::model::{self, CfuKind, LessonType};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA012",
    name: "hint-count",
    severity: Severity::Warning,
    summary: "too few or too many hints",
    what: "In teach and revision lessons, questions with hints should have 3 to 5. Guided practice (We do) in a teach lesson without any hint is reported, too, unless it is multiple choice. Starters and independent practice may have fewer, because support should fade there.",
    why: "Three hints can lead from the task to the first step to the calculation; a single hint is either useless or the answer. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"hints\": [\"Divide.\"]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"hints\": [\"A third is one of three equal parts.\", \"Start with a division.\", \"Share £18 between three.\"]}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "least", what: "minimum number of hints for a question" },
        Parameter { name: "most", what: "maximum number of hints for a question" },
    ],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let Some(kind @ (LessonType::Teach | LessonType::Revision)) = template.kind() else {
        return;
    };
    let least = examination.count("least");
    let most = examination.count("most");
    for card in &template.cards {
        let fades = matches!(card.role, Some(Role::Starter | Role::Independent));
        for question in card.questions() {
            let hints = question.hints.items.len();
            let advice = if hints > most {
                format!("keep the {most} most useful ones")
            } else if hints > 0 && hints < least && !fades {
                format!("add {} more, from restating the task to the first step to the next", least - hints)
            } else {
                continue;
            };
            let message = format!(
                "card {} has {}, but needs {least} to {most}; {advice}",
                card.number,
                counted(hints, "hint")
            );
            let range = question.hints.range.clone();
            sink.in_source(range.unwrap_or_else(|| question.anchor()), message)
                .caps(CHECK.caps);
        }
        let is_choice = card.cfus.iter().all(|cfu| cfu.kind == CfuKind::Mcq);
        let needs_help = kind == LessonType::Teach && card.role == Some(Role::Guided);
        if needs_help && !card.cfus.is_empty() && !is_choice && card.hints().is_empty() {
            let message = format!(
                "card {} is guided practice, but has no hints; add {least} to {most}: restate the task, give the first step, then help with the next",
                card.number
            );
            sink.in_source(card.cfus[0].anchor(), message).caps(CHECK.caps);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    #[test]
    fn three_to_five_hints_help() {
        for (kind, title, cfu, hints, fires) in [
            ("teach", "We Do: a", "numeric", 3, false),
            ("teach", "We Do: a", "numeric", 5, false),
            ("teach", "We Do: a", "numeric", 6, true),
            ("teach", "We Do: a", "numeric", 2, true),
            ("teach", "We Do: a", "numeric", 0, true),
            ("teach", "We Do: a", "mcq", 0, false),
            ("teach", "I Do: a", "numeric", 0, false),
            ("teach", "I Do: a", "numeric", 1, true),
            ("teach", "You Do: a", "numeric", 1, false),
            ("teach", "You Do: a", "numeric", 6, true),
            ("teach", "Starter: a", "mcq", 1, false),
            ("revision", "Tickets", "numeric", 2, true),
            ("revision", "Guided Practice", "numeric", 0, false),
            ("formative_assessment", "Tickets", "numeric", 1, false),
        ] {
            let hints = vec!["\"Look.\""; hints].join(", ");
            let card = format!(
                r#"{{"title": "{title}", "explainer": "e", "cfu": {{"type": "{cfu}", "hints": [{hints}]}}}}"#
            );
            let found = findings(&CHECK, &lesson(kind, &card));
            assert_eq!(!found.is_empty(), fires, "{kind} {card} {found:?}");
        }
    }

    #[test]
    fn the_hints_of_subquestions_count_for_the_card() {
        let part = r#"{"type": "short", "hints": ["a", "b", "c"]}"#;
        let card = format!(
            r#"{{"title": "We Do: a", "explainer": "e", "cfu": {{"type": "structured", "parts": [{part}]}}}}"#
        );
        assert!(findings(&CHECK, &lesson("teach", &card)).is_empty());
    }
}
