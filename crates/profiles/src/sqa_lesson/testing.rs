//! The helper of this profile's tests: takes a template and its companions, returns
//! the findings.

use redraft_gate::profile::GateProfile as _;
use std::path::{Path, PathBuf};

use redraft_gate::check::Check;
use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::examine::{self, Settings};
use redraft_gate::finding::Severity;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;

use super::SqaLesson;
use crate::companions;

/// A finding, as tests compare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestFinding {
    pub severity: Severity,
    pub component: String,
    /// The text that it points at.
    pub at: String,
    pub message: String,
}

pub(crate) fn document(template: &str) -> Document {
    let raw = reading::read(Source::new(template.as_bytes().to_vec()), Hint::Json);
    SqaLesson.parse(raw, None)
}

/// The findings of a check in a template without companions.
pub(crate) fn findings(check: &'static Check, template: &str) -> Vec<TestFinding> {
    findings_beside(check, template, &Companions::default())
}

/// The findings of a check in a template with companions.
pub(crate) fn findings_beside(
    check: &'static Check,
    template: &str,
    companions: &Companions,
) -> Vec<TestFinding> {
    let document = document(template);
    let settings = Settings {
        parameters: SqaLesson.parameters().clone(),
        ..Settings::default()
    };
    examine::examine(&[check], &document, companions, &settings)
        .findings
        .into_iter()
        .map(|finding| {
            let source = document.source();
            TestFinding {
                severity: finding.severity,
                component: finding.component.to_string(),
                at: source.text()[source.text_range(finding.span)].to_owned(),
                message: finding.message,
            }
        })
        .collect()
}

/// A scheme of work, or an entry of one, as a companion.
pub(crate) fn scheme(json: &str) -> Companions {
    Companions {
        scheme_of_work: companions::scheme_of_work(json.as_bytes().to_vec()).unwrap(),
        ..Companions::default()
    }
}

/// A teach lesson of 50 minutes with these cards, as JSON.
pub(crate) fn teach(cards: &str) -> String {
    lesson("teach", cards)
}

/// A lesson of 50 minutes with these cards, as JSON.
pub(crate) fn lesson(kind: &str, cards: &str) -> String {
    format!(
        r#"{{"title": "Fractions of Amounts", "lesson_type": "{kind}", "estMinutes": 50, "outcomeRefs": ["O1"], "cards": [{cards}]}}"#
    )
}

/// A card with a title and a question, as JSON.
pub(crate) fn card(title: &str, cfu: &str) -> String {
    format!(r#"{{"title": "{title}", "explainer": "About {title}.", "cfu": {cfu}}}"#)
}

/// The folder of the reference data, if it is available.
pub(crate) fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("REDRAFT_DATA")
        .map_or(beside, PathBuf::from)
        .join("sqa");
    if folder.is_dir() {
        Some(folder)
    } else {
        eprintln!("skipped: no reference data (sqa)");
        None
    }
}
