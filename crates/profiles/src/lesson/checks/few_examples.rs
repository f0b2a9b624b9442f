//! `few-examples`: fewer examples than requested.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES007",
    name: "few-examples",
    severity: Severity::Warning,
    summary: "fewer examples than requested",
    what: "Counts examples: those under a heading or in a field of their own, and paragraphs that give one (“for example”, “например”, “例如”). Reports a lesson with fewer examples than the policy requires, or than the key points of the specification request. Lessons with code listings are left alone: the listings are examples.",
    why: "Learners understand a rule through examples.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\n## Heat\n\nHeat makes water boil.\n",
        passes: "# Water\n\n## Heat\n\nHeat makes water boil. A kettle, for example, heats it from below.\n",
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "least",
        what: "minimum number of examples in every lesson",
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str = r#"{
  "title": "Water",
  "sections": [{"title": "Heat", "key_points_to_cover": ["an example from the kitchen"]}]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let requested = examination
        .companions
        .specification
        .iter()
        .flat_map(|specification| &specification.sections)
        .flat_map(|section| &section.key_points)
        .filter(|point| structure::asks_for_an_example(point))
        .count();
    if !structure::lists_code(document) {
        structure::EXAMPLES.expect(examination, sink, requested);
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::Warning;

    use crate::lesson::checks::testing::severities;

    #[test]
    fn examples_are_demanded_by_key_points_only() {
        let two = r#"{"title": "T", "sections": [{"title": "Heat", "key_points_to_cover": ["An example from the kitchen", "Example: steam engine", "why it boils"]}]}"#;
        for (lesson, spec, expected) in [
            ("# T\n\n## Heat\n\nIt boils.\n", None, &[][..]),
            (
                "# T\n\n## Heat\n\nIt boils.\n",
                Some(r#"{"title": "T", "sections": ["Heat"]}"#),
                &[],
            ),
            (
                "# T\n\n## Heat\n\nFor example, tea.\n",
                Some(two),
                &[Warning],
            ),
            (
                "# T\n\n## Heat\n\nFor example, tea.\n\n### Example: trains\n\nThey steam.\n",
                Some(two),
                &[],
            ),
            ("# T\n\n## Heat\n\n```python\nheat()\n```\n", Some(two), &[]),
        ] {
            assert_eq!(
                severities(&super::CHECK, lesson, spec),
                expected,
                "{lesson}"
            );
        }
    }
}
