//! `specification-section-missing`: the lesson does not cover a section of its
//! specification.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::headings::{self, Role};
use crate::lesson::plan::{self, Fit};
use crate::lesson::{keywords, structure};

pub(super) static CHECK: Check = Check {
    code: "LES010",
    name: "specification-section-missing",
    severity: Severity::Warning,
    summary: "the lesson does not cover a section of its specification",
    what: "Compares titles by the words that name a topic, in any form, order and numbering, including headings of all levels. A section in the right position under another title is info. Introductions and conclusions have their own checks. Does not run if the specification is in another language than the lesson.",
    why: "Later lessons build on everything that the specification plans.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils.\n\n## How water is heated\n\nHeat makes water boil.\n",
        passes: "# Water\n\nWater boils.\n\n## How water is heated\n\nHeat makes water boil.\n\n## 2. Freezing point of salt water\n\nSalt water freezes late.\n",
        fixed: None,
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str =
    r#"{"title": "Water", "sections": ["Heating water", "The freezing point of salt water"]}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some((specification, language)) = keywords::comparable(document, examination.companions)
    else {
        return;
    };
    if structure::sections(document).next().is_none() {
        return;
    }
    let plan = plan::compare(document, specification, language);
    for (section, fit) in specification.sections.iter().zip(plan.fits) {
        let is_frame = matches!(
            headings::role(&section.title),
            Some(Role::Introduction | Role::Conclusion)
        );
        let title = section.title.trim();
        match fit {
            Fit::Missing if !is_frame => {
                let message = format!("section “{title}” of the specification is missing; add it");
                structure::report(document, sink, message);
            }
            Fit::Retitled(index) if !is_frame => {
                let other = document
                    .components()
                    .get(index)
                    .and_then(|component| component.title.as_deref());
                let message = format!(
                    "section “{title}” of the specification has another title here: “{}”",
                    other.unwrap_or_default()
                );
                structure::report(document, sink, message).severity(Severity::Info);
            }
            _ => {}
        }
    }
}
