//! `exercise-without-solution`: an exercise without a solution or rubric.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::content::ComponentKind;
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "LES009",
    name: "exercise-without-solution",
    severity: Severity::Info,
    phase: Phase::Acceptance,
    summary: "an exercise without a solution or rubric",
    what: "Reports exercises of a JSON lesson that have no solution, answer or rubric. It is only info, because not every author needs one; raise the severity in the configuration if you do. Exercises in Markdown are left alone, because their solutions may be anywhere.",
    why: "Without a solution, neither learners nor teachers can check the answers.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"intro\": \"Water boils.\", \"sections\": [], \"exercises\": [{\"question\": \"Why does water boil?\", \"solution\": \"\"}]}",
        passes: "{\"intro\": \"Water boils.\", \"sections\": [], \"exercises\": [{\"question\": \"Why does water boil?\", \"grading_rubric\": \"Names the pressure of the air.\"}]}",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    if document.shape() == "markdown" {
        return;
    }
    for exercise in document.of_kind(ComponentKind::Exercise) {
        let source = document
            .source()
            .text()
            .get(exercise.range.clone())
            .unwrap_or_default();
        if !source.trim().is_empty() && !SOLUTIONS.iter().any(|name| has_value(source, name)) {
            sink.in_source(
                exercise.range.clone(),
                "this exercise has no solution or rubric; add one",
            );
        }
    }
}

/// Fields with the solution or marking of an exercise.
const SOLUTIONS: &[&str] = &[
    "solution",
    "solutions",
    "grading_rubric",
    "rubric",
    "answer",
    "answers",
    "correct_answer",
    "expected_output",
    "expected_answer",
    "sample_answer",
];

/// Whether the source of an object has a field with a value. Solutions may be
/// of any type, so this looks at the source and not at the texts in it.
fn has_value(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let before = source.get(..at).unwrap_or_default();
        let after = source.get(at + name.len()..).unwrap_or_default();
        let opens = before.ends_with(['"', '\'', '“', '{', ',', ' ', '\n']);
        let value = after
            .trim_start_matches(['"', '\'', '”'])
            .trim_start()
            .strip_prefix(':')
            .map(str::trim_start);
        opens
            && value.is_some_and(|value| {
                !["null", "\"\"", "''", "[]", "{}", "}", ","]
                    .iter()
                    .any(|nothing| value.starts_with(nothing))
            })
    })
}

#[cfg(test)]
mod tests {
    use crate::lesson::checks::testing::severities;

    #[test]
    fn a_solution_of_any_type_is_one() {
        for (exercise, expected) in [
            (r#"{"question": "q"}"#, 1),
            (r#"{"question": "q", "solution": null}"#, 1),
            (
                r#"{"question": "What is the solution?", "hints": ["a"]}"#,
                1,
            ),
            (r#"{"question": "q", "solution": 42}"#, 0),
            (r#"{"question": "q", "solution" : ["a", "b"]}"#, 0),
            (
                r#"{"question": "q", "grading_rubric": {"criteria": ["x"]}}"#,
                0,
            ),
            (r#"{question: 'q', answer: 'a'}"#, 0),
        ] {
            let lesson = format!(r#"{{"intro": "i", "sections": [], "exercises": [{exercise}]}}"#);
            assert_eq!(
                severities(&super::CHECK, &lesson, None).len(),
                expected,
                "{exercise}"
            );
        }
    }
}
