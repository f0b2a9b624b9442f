//! `rubric-points-mismatch`: criteria do not add up to the rubric’s total.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::model;

pub(super) static CHECK: Check = Check {
    code: "SQA009",
    name: "rubric-points-mismatch",
    severity: Severity::Error,
    summary: "criteria do not add up to the rubric’s total",
    what: "Adds up the points of a rubric’s criteria and compares the sum with `total_points`. A sum below the total is an error: the missing points cannot be earned. A sum above it is a warning, because criteria may be alternatives. Rubrics with a criterion without points are ignored.",
    why: "A learner who does everything right must get full marks. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 3, \"criteria\": [{\"description\": \"Divides £18 by 3\", \"points\": 1}, {\"description\": \"States £6\", \"points\": 1}]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 2, \"criteria\": [{\"description\": \"Divides £18 by 3\", \"points\": 1}, {\"description\": \"States £6\", \"points\": 1}]}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for card in model::cards(examination.document) {
        for rubric in card.rubrics() {
            let (Some(total), Some(sum)) = (&rubric.total, rubric.sum()) else {
                continue;
            };
            if rubric.criteria.is_empty() || (total.value - sum).abs() < HALF_A_POINT {
                continue;
            }
            let points = |points: f64| if points == 1.0 { "point" } else { "points" };
            let (severity, advice) = if sum < total.value {
                (
                    Severity::Error,
                    format!("set the total to {sum}, or add a criterion for the remaining {} {}", total.value - sum, points(total.value - sum)),
                )
            } else {
                (
                    Severity::Warning,
                    format!("set the total to {sum}, or say which criteria are alternatives"),
                )
            };
            let message = format!(
                "the criteria of card {} add up to {sum} {}, but the rubric’s total is {}; {advice}",
                card.number,
                points(sum),
                total.value
            );
            sink.in_source(total.range.clone(), message)
                .severity(severity)
                .caps(CHECK.caps);
        }
    }
}

/// Marks are whole or half points; a smaller difference is rounding.
const HALF_A_POINT: f64 = 0.25;

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn points_must_add_up() {
        for (rubric, expected) in [
            (r#"{"total_points": 2, "criteria": [{"points": 1}, {"points": 1}]}"#, None),
            (r#"{"total_points": "2", "criteria": [{"points": 1.5}, {"points": 0.5}]}"#, None),
            (r#"{"total_points": 3, "criteria": [{"points": 1}, {"points": 1}]}"#, Some(Severity::Error)),
            (r#"{"total_points": 2, "criteria": [{"points": 1}, {"points": 1}, {"points": 1}]}"#, Some(Severity::Warning)),
            (r#"{"total_points": 2, "criteria": [{"points": 1}, {"description": "d"}]}"#, None),
            (r#"{"total_points": 2, "criteria": []}"#, None),
            (r#"{"criteria": [{"points": 1}]}"#, None),
        ] {
            for card in [
                format!(r#"{{"explainer": "e", "rubric": {rubric}}}"#),
                format!(r#"{{"explainer": "e", "cfu": {{"rubric": {rubric}}}}}"#),
            ] {
                let found = findings(&CHECK, &teach(&card));
                assert_eq!(found.first().map(|said| said.severity), expected, "{card} {found:?}");
            }
        }
    }

    #[test]
    fn it_says_what_the_total_should_be() {
        let card = r#"{"explainer": "e", "rubric": {"total_points": 3, "criteria": [{"points": 1}, {"points": 1}]}}"#;
        let found = findings(&CHECK, &teach(card));
        assert_eq!(
            found[0].message,
            "the criteria of card 1 add up to 2 points, but the rubric’s total is 3; set the total to 2, or add a criterion for the remaining 1 point"
        );
        assert_eq!(found[0].at, "3");
    }
}
