//! `vague-criterion`: a criterion cannot be observed.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::model::{self, Cfu};
use crate::sqa_lesson::wording::{self, has_phrase, lower_words};

pub(super) static CHECK: Check = Check {
    code: "SQA011",
    name: "vague-criterion",
    severity: Severity::Warning,
    summary: "a criterion cannot be observed",
    what: "Reports criteria that name a state of mind (“Understands fractions”, “Shows good knowledge of …”) or only a judgement (“Good answer”, “Appropriate response”) and nothing observable: no number, quotation or example, no “by …ing”. “Correct answer” and the like are reported if the question does not say what the correct answer is.",
    why: "Each criterion should be observable and measurable, so that two teachers give the same mark. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 1, \"criteria\": [{\"description\": \"Shows good understanding of fractions\", \"points\": 1}]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"rubric\": {\"total_points\": 1, \"criteria\": [{\"description\": \"Divides £18 by 3 to find one third\", \"points\": 1}]}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for card in model::cards(examination.document) {
        let has_answer = card.questions().into_iter().any(has_answer);
        for criterion in card.rubrics().into_iter().flat_map(|rubric| &rubric.criteria) {
            let Some(description) = &criterion.description else {
                continue;
            };
            let Some(problem) = problem(&description.value, has_answer) else {
                continue;
            };
            let message = format!(
                "“{}” {problem}",
                wording::excerpt(description.value.trim().trim_end_matches('.'))
            );
            sink.in_source(description.range.clone(), message)
                .caps(CHECK.caps);
        }
    }
}

fn has_answer(question: &Cfu) -> bool {
    !question.expected.is_empty() || !question.keys.is_empty()
}

fn problem(description: &str, has_answer: bool) -> Option<&'static str> {
    let words = lower_words(description);
    if is_concrete(description, &words) {
        return None;
    }
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| has_phrase(&words, phrase));
    let is = |phrases: &[&str]| phrases.iter().any(|phrase| words.join(" ") == *phrase);
    if says(STATES_OF_MIND) {
        return Some(
            "cannot be observed; say what the learner writes or does, such as “Divides by …” or “Names …”",
        );
    }
    if is(JUDGEMENTS) {
        return Some("does not say what earns the mark; name the step or the result");
    }
    if !has_answer && is(BARE_ANSWERS) {
        return Some("does not say which answer is right; write it out, as in “States £4”");
    }
    None
}

/// Whether there is something to look for: a number, a quotation, an example, an
/// arithmetic sign, or how it is done.
fn is_concrete(description: &str, words: &[String]) -> bool {
    description.contains(|c: char| c.is_ascii_digit() || "£=%'\"‘“:".contains(c))
        || ["by", "eg", "e.g", "example", "because", "such"]
            .iter()
            .any(|word| words.iter().any(|other| other == word))
}

const STATES_OF_MIND: &[&str] = &[
    "understands", "understand", "understanding of", "good understanding", "clear understanding",
    "knowledge of", "knows", "know", "appreciates", "is aware of", "aware of", "awareness of",
    "is familiar with", "grasps",
];

const JUDGEMENTS: &[&str] = &[
    "good answer", "good response", "good effort", "good work", "appropriate response",
    "appropriate answer", "reasonable answer", "suitable answer", "quality of answer",
    "clear answer", "full marks", "partial marks", "effort", "presentation", "good explanation",
    "clear explanation", "good understanding", "shows understanding", "well explained",
];

const BARE_ANSWERS: &[&str] = &[
    "correct answer", "correct", "right answer", "answer", "accuracy", "correct final answer",
    "final answer", "states correct answer", "gives correct answer", "correct response",
    "correct solution", "answers correctly", "states the correct answer",
    "gives the correct answer",
];

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    fn fires(description: &str, cfu: &str) -> bool {
        let card = format!(
            r#"{{"explainer": "e", "cfu": {cfu}, "rubric": {{"criteria": [{{"description": "{description}", "points": 1}}]}}}}"#
        );
        !findings(&CHECK, &teach(&card)).is_empty()
    }

    #[test]
    fn a_criterion_names_something_observable() {
        for (description, expected) in [
            ("Understands fractions", true),
            ("Demonstrates a good understanding of percentages.", true),
            ("Shows knowledge of units", true),
            ("Good answer", true),
            ("Clear explanation", true),
            ("Correct answer", true),
            ("Divides by the denominator", false),
            ("States £4", false),
            ("Shows understanding of scale by choosing kg", false),
            ("Shows understanding: divides by 4", false),
            ("Writes one quarter as a fraction", false),
            ("Identifies butter unit as correct", false),
            ("Explains why the discount is not the price", false),
            ("Correctly converts the knowledge quiz score", false),
            ("", false),
        ] {
            assert_eq!(fires(description, "{}"), expected, "{description}");
        }
    }

    #[test]
    fn a_correct_answer_is_clear_where_the_question_has_one() {
        assert!(!fires("Correct answer", r#"{"expected": 4}"#));
        assert!(!fires("Correct answer", r#"{"answerIndex": 1}"#));
        assert!(fires("Understands fractions", r#"{"expected": 4}"#));
    }
}
