//! `low-keyword-coverage`: many keywords of the specification are missing.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::lesson::{keywords, structure};

pub(super) static CHECK: Check = Check {
    code: "LES004",
    name: "low-keyword-coverage",
    severity: Severity::Warning,
    summary: "many keywords of the specification are missing",
    what: "Looks up the keywords of the specification: those its sections require, and the words of its learning objectives that name a topic. Words are found in all their forms (Chinese and Japanese as whole words), numbers and code only exactly as written; the words of a phrase may occur in any order within a section. Reports a lesson in which fewer than half of them occur, and names the missing ones. Does not run if the specification is in another language than the lesson, or in a language whose word forms are unknown.",
    why: "A lesson that does not mention its topics does not teach them.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nTea is a drink. Many people like it with milk, and some of them take sugar as well.\n",
        passes: "# Water\n\nA liquid boils when its vapour has the pressure of the air. The bubbles are vapour.\n",
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "min-coverage",
        what: "minimum share of the keywords that must occur",
    }],
    run,
    ..DEFAULTS
};

pub(super) const SPECIFICATION: &str = r#"{
  "title": "Water",
  "learning_objectives": ["Explain why liquids boil"],
  "sections": [{"title": "Heat", "constraints": {"required_keywords": ["vapour", "air pressure", "bubble"]}}]
}"#;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let Some(coverage) = keywords::coverage(document, examination.companions) else {
        return;
    };
    if coverage.share() >= examination.number("min-coverage") {
        return;
    }
    let mut named: Vec<String> = coverage
        .missing
        .iter()
        .take(MOST_NAMED)
        .map(|keyword| format!("“{}”", shortened(keyword)))
        .collect();
    let rest = coverage.missing.len() - named.len();
    if rest > 0 {
        named.push(format!("{rest} more"));
    }
    let message = format!(
        "only {} of the specification’s {} keywords occur; missing: {}",
        coverage.found,
        coverage.total,
        named.join(", ")
    );
    structure::report(document, sink, message);
}

/// Keywords named in a message.
const MOST_NAMED: usize = 6;

fn shortened(keyword: &str) -> &str {
    keyword
        .get(..keyword.floor_char_boundary(60))
        .unwrap_or(keyword)
}
