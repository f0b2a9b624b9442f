//! `few-exercises`: fewer exercises than requested.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES008",
    name: "few-exercises",
    severity: Severity::Warning,
    summary: "fewer exercises than requested",
    what: "Counts exercises: those of a JSON lesson, headings that announce one (Exercise 2, Challenge, Задание, 练习), and the items or headings under one that announces several. Reports a lesson with fewer exercises than the specification lists or the policy requires.",
    why: "Learners need the planned practice; reading alone is not enough.",
    examples: &[
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\n\n## Heat\n\nHeat makes water boil.\n\n## Exercise\n\nBoil water.\n",
            passes: "# Water\n\n## Heat\n\nHeat makes water boil.\n\n## Exercises\n\n1. Boil water.\n2. Measure its temperature.\n",
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: "{\"intro\": \"Water boils.\", \"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}], \"exercises\": []}",
            passes: "{\"intro\": \"Water boils.\", \"sections\": [{\"title\": \"Heat\", \"content\": \"Heat makes water boil.\"}], \"exercises\": [{\"question\": \"Why?\"}, {\"question\": \"When?\"}]}",
            fixed: None,
        },
    ],
    parameters: &[Parameter {
        name: "least",
        what: "minimum number of exercises in every lesson",
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str =
    r#"{"title": "Water", "exercises": [{"type": "practice"}, {"type": "practice"}]}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let specification = examination.companions.specification.as_ref();
    let requested = specification
        .and_then(|specification| specification.exercises)
        .unwrap_or(0);
    structure::EXERCISES.expect(examination, sink, requested);
}
