//! `section-not-in-specification`: a section that the specification does not list.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::{keywords, plan, structure};

pub(super) static CHECK: Check = Check {
    code: "LES011",
    name: "section-not-in-specification",
    severity: Severity::Info,
    phase: Phase::Acceptance,
    summary: "a section that the specification does not list",
    what: "Reports body sections whose title matches no section of the specification. Exercises, examples, introductions, conclusions and lists of sources are left alone.",
    why: "An unplanned section takes time from the planned ones, or belongs in another lesson.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils.\n\n## Heating water\n\nHeat makes water boil.\n\n## Famous kettles\n\nThere are many.\n",
        passes: "# Water\n\nWater boils.\n\n## Heating water\n\nHeat makes water boil.\n\n## Exercise\n\nBoil water.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str = r#"{"title": "Water", "sections": ["Heating water"]}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some((specification, language)) = keywords::comparable(document, examination.companions)
    else {
        return;
    };
    if specification.sections.is_empty() {
        return;
    }
    for index in plan::compare(document, specification, language).unplanned {
        let Some(section) = document.components().get(index) else {
            continue;
        };
        let title = section.title.as_deref().unwrap_or_default().trim();
        let message = format!("section “{title}” is not in the specification");
        structure::report_component(document, sink, index, message);
    }
}
