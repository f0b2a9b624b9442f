//! `missing-rubric`: a question has no rubric.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, ASSESSMENT_MINOR};
use crate::sqa_lesson::model::{self, Card, CfuKind};

pub(super) static CHECK: Check = Check {
    code: "SQA007",
    name: "missing-rubric",
    severity: Severity::Warning,
    summary: "a question has no rubric",
    what: "Every card with a question needs a rubric with at least one criterion, on the card or in its question. If a key decides all of its questions (multiple choice, a number), this is info.",
    why: "Two teachers should give the same marks for the same answer, and learners should know what earns them. Caps `assessment_design` below its threshold of .88, or at .90 if a key decides.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"cfu\": {\"type\": \"structured_response\", \"stem\": \"Find a quarter of £20. Show your working.\"}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch me.\", \"cfu\": {\"type\": \"structured_response\", \"stem\": \"Find a quarter of £20. Show your working.\", \"rubric\": {\"total_points\": 2, \"criteria\": [{\"description\": \"Divides £20 by 4\", \"points\": 1}, {\"description\": \"States £5\", \"points\": 1}]}}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW, ASSESSMENT_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for card in model::cards(examination.document).iter().filter(|card| !card.cfus.is_empty()) {
        let rubrics = card.rubrics();
        if rubrics.iter().any(|rubric| !rubric.criteria.is_empty()) {
            continue;
        }
        let (anchor, lack) = match rubrics.first() {
            Some(empty) => (empty.anchor(), "the rubric of card {} has no criteria"),
            None => (card.cfus[0].anchor(), "card {} has no rubric"),
        };
        let lack = lack.replace("{}", &card.number.to_string());
        if has_keys_only(card) {
            let advice = "add a criterion that says what the mark is for, such as “Selects the correct option” (1 point)";
            let finding = sink.in_source(anchor, format!("{lack}; {advice}"));
            finding.severity(Severity::Info);
            finding.caps(&[ASSESSMENT_MINOR]);
        } else {
            let advice = "add criteria with points: method marks for the steps and an accuracy mark for the answer";
            let finding = sink.in_source(anchor, format!("{lack}; {advice}"));
            finding.caps(&[ASSESSMENT_BELOW]);
        }
    }
}

/// Whether a key alone decides every answer.
fn has_keys_only(card: &Card) -> bool {
    card.questions()
        .iter()
        .filter(|question| question.subquestions.is_empty())
        .all(|question| match question.kind {
            CfuKind::Mcq => !question.keys.is_empty() || !question.expected.is_empty(),
            CfuKind::Numeric => !question.expected.is_empty(),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn a_question_needs_criteria_somewhere() {
        let criteria = r#""rubric": {"criteria": [{"description": "d", "points": 1}]}"#;
        for (card, expected) in [
            (r#""cfu": {"type": "structured"}"#.to_owned(), Some(Severity::Warning)),
            (r#""cfu": {"type": "short_text"}, "rubric": {"total_points": 2, "criteria": []}"#.to_owned(), Some(Severity::Warning)),
            (r#""cfu": {"type": "mcq", "answerIndex": 1}"#.to_owned(), Some(Severity::Info)),
            (r#""cfu": {"type": "mcq"}"#.to_owned(), Some(Severity::Warning)),
            (r#""cfu": {"type": "numeric", "expected": 4}"#.to_owned(), Some(Severity::Info)),
            (r#""cfu": {"type": "structured", "parts": [{"type": "numeric", "expected": 4}]}"#.to_owned(), Some(Severity::Info)),
            (format!(r#""cfu": {{"type": "structured"}}, {criteria}"#), None),
            (format!(r#""cfu": {{"type": "structured", {criteria}}}"#), None),
            (format!(r#""cfu": {{"type": "structured", "parts": [{{{criteria}}}]}}"#), None),
            (r#""explainer": "No question at all.""#.to_owned(), None),
        ] {
            let found = findings(&CHECK, &teach(&format!(r#"{{"explainer": "e", {card}}}"#)));
            assert_eq!(found.first().map(|said| said.severity), expected, "{card} {found:?}");
        }
    }
}
