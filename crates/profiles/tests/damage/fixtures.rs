//! Examines and fixes texts as the program does, without its command line.

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::examine::{self, Settings};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::{self, Inspected};
use redraft_gate::profile::GateProfile as _;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::lesson::Lesson;
use redraft_profiles::registry;

/// How a text is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Markdown,
    Json,
}

impl Form {
    fn hint(self) -> Hint {
        match self {
            Self::Markdown => Hint::Markdown,
            Self::Json => Hint::Json,
        }
    }
}

pub(crate) fn parse(form: Form, bytes: Vec<u8>) -> Document {
    Lesson.parse(reading::read(Source::new(bytes), form.hint()), None)
}

/// What is found in a text.
pub(crate) fn inspect(form: Form, bytes: Vec<u8>) -> Inspected {
    let document = parse(form, bytes);
    let settings = Settings {
        parameters: Lesson.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    let examined = examine::examine(
        Lesson.checks(),
        &document,
        &Companions::default(),
        &settings,
    );
    Inspected {
        document,
        findings: examined.findings,
    }
}

/// What one check finds in a Markdown text.
pub(crate) fn found_by(name: &str, text: &str) -> Vec<Finding> {
    let document = parse(Form::Markdown, text.as_bytes().to_vec());
    let settings = Settings {
        parameters: Lesson.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    let all = Lesson.checks().iter().copied();
    let checks: Vec<_> = all.filter(|check| check.name == name).collect();
    examine::examine(&checks, &document, &Companions::default(), &settings).findings
}

/// What the safe fixes make of a text.
pub(crate) fn fixed(form: Form, inspected: Inspected) -> String {
    let fixed =
        fix::fix(inspected, |bytes, _| inspect(form, bytes)).expect("edits fit their document");
    fixed.inspected.document.source().text().to_owned()
}

/// A finding in one line, for messages.
pub(crate) fn describe(finding: &Finding) -> String {
    format!(
        "{} {} {}",
        finding.check.name,
        finding.severity.name(),
        finding.message
    )
}

/// Whether a finding alone keeps a text from being published.
pub(crate) fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}
