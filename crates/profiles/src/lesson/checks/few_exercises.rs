//! `few-exercises`: fewer exercises than requested.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES008",
    name: "few-exercises",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
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
    caps: &[],
    run,
};

pub(super) const SPECIFICATION: &str =
    r#"{"title": "Water", "exercises": [{"type": "practice"}, {"type": "practice"}]}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let specification = examination.companions.specification.as_ref();
    let listed = specification
        .and_then(|specification| specification.exercises)
        .unwrap_or(0);
    let least = listed.max(examination.count("least"));
    if least == 0 || structure::sections(document).next().is_none() {
        return;
    }
    let count = structure::count_exercises(document);
    if count < least {
        let message = format!("the lesson has {count} of {least} required exercises; add more");
        structure::report(document, sink, message);
    }
}
