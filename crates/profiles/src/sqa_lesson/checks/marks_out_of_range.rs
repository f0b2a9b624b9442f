//! `marks-out-of-range`: too many or too few marks for a card in this kind of
//! lesson.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, ASSESSMENT_MINOR};
use crate::sqa_lesson::model::{self, Card, LessonType};

pub(super) static CHECK: Check = Check {
    code: "SQA010",
    name: "marks-out-of-range",
    severity: Severity::Warning,
    summary: "too many or too few marks for a card in this kind of lesson",
    what: "Adds up the marks of a card: 1 to 3 in a teach lesson, 3 to 5 in a formative assessment, 4 to 8 in a mock exam. A card slightly outside its range is info, because four short questions with a mark each are common in good teach lessons; more than twice the maximum, or less than half the minimum, is a warning. Other kinds of lesson have no range.",
    why: "Marks should be in proportion to the card’s task and time. Caps `assessment_design` below its threshold of .88 if they are far out of range, otherwise at .90.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 8, \"criteria\": [{\"description\": \"Divides £18 by 3\", \"points\": 5}, {\"description\": \"States £6\", \"points\": 3}]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 2, \"criteria\": [{\"description\": \"Divides £18 by 3\", \"points\": 1}, {\"description\": \"States £6\", \"points\": 1}]}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "teach-least", what: "minimum marks for a card in a teach lesson" },
        Parameter { name: "teach-most", what: "maximum marks for a card in a teach lesson" },
        Parameter { name: "formative-assessment-least", what: "minimum marks for a card in a formative assessment" },
        Parameter { name: "formative-assessment-most", what: "maximum marks for a card in a formative assessment" },
        Parameter { name: "mock-exam-least", what: "minimum marks for a card in a mock exam" },
        Parameter { name: "mock-exam-most", what: "maximum marks for a card in a mock exam" },
        Parameter { name: "gross-factor", what: "factor beyond the range at which marks are a warning" },
    ],
    caps: &[ASSESSMENT_BELOW, ASSESSMENT_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let kind = template.kind().filter(|kind| {
        matches!(
            kind,
            LessonType::Teach | LessonType::FormativeAssessment | LessonType::MockExam
        )
    });
    let Some((kind, name)) = kind.and_then(|kind| Some((kind, kind.name()?))) else {
        return;
    };
    let least = examination.number(&format!("{name}-least"));
    let most = examination.number(&format!("{name}-most"));
    let factor = examination.number("gross-factor");
    for card in &template.cards {
        let Some(marks) = marks(card).filter(|marks| !(least..=most).contains(marks)) else {
            continue;
        };
        let Some(rubric) = card.rubrics().first().copied() else {
            continue;
        };
        let gross = marks > most * factor || marks * factor < least;
        let advice = match (marks > most, gross) {
            (true, true) => "split the task over two cards, or give fewer marks to each step",
            (true, false) => "remove a question that shows nothing new, unless all are short",
            (false, _) => "give marks for more steps, or combine it with another task",
        };
        let message = format!(
            "card {} gives {marks} {}, but {least} to {most} are usual for a card in {}; {advice}",
            card.number,
            if marks == 1.0 { "mark" } else { "marks" },
            kind.words()
        );
        let finding = sink.in_source(rubric.anchor(), message);
        if gross {
            finding.caps(&[ASSESSMENT_BELOW]);
        } else {
            finding.severity(Severity::Info);
            finding.caps(&[ASSESSMENT_MINOR]);
        }
    }
}

/// The marks of a card: those of its own rubric, otherwise the sum of its
/// questions' rubrics.
fn marks(card: &Card) -> Option<f64> {
    if let Some(rubric) = &card.rubric {
        return rubric.marks();
    }
    card.rubrics()
        .into_iter()
        .filter_map(model::Rubric::marks)
        .reduce(|sum, marks| sum + marks)
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, lesson};

    #[test]
    fn each_kind_of_lesson_has_its_marks() {
        let (info, warning) = (Some(Severity::Info), Some(Severity::Warning));
        for (kind, marks, expected) in [
            ("teach", "1", None),
            ("teach", "3", None),
            ("teach", "4", info),
            ("teach", "6", info),
            ("teach", "7", warning),
            ("teach", "0", warning),
            ("formative_assessment", "2", info),
            ("formative_assessment", "1", warning),
            ("formative_assessment", "5", None),
            ("mock_exam", "3", info),
            ("mock_exam", "8", None),
            ("mock_exam", "1", warning),
            ("revision", "30", None),
        ] {
            let card = format!(
                r#"{{"explainer": "e", "cfu": {{"rubric": {{"total_points": {marks}, "criteria": []}}}}}}"#
            );
            let found = findings(&CHECK, &lesson(kind, &card));
            assert_eq!(found.first().map(|said| said.severity), expected, "{kind} {marks}");
        }
    }

    #[test]
    fn the_rubrics_of_subquestions_count_together() {
        let part = r#"{"rubric": {"total_points": 2, "criteria": []}}"#;
        let card = format!(r#"{{"explainer": "e", "cfu": {{"parts": [{part}, {part}]}}}}"#);
        let found = findings(&CHECK, &lesson("teach", &card));
        assert!(found[0].message.starts_with("card 1 gives 4 marks, but 1 to 3 are usual for a card in a teach lesson;"));
    }
}
