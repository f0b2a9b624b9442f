//! Reads, examines and fixes a text, as the program does.

use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::fix::{self, Inspected};
use redraft_gate::profile::GateProfile as _;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::lesson::Lesson;
use redraft_profiles::registry;

pub(crate) fn inspect(text: &str, hint: Hint, companions: &Companions) -> Inspected {
    inspect_with(text.as_bytes().to_vec(), hint, companions, None)
}

/// Runs one check only.
pub(crate) fn inspect_for(text: &str, code: &str) -> Inspected {
    inspect_with(
        text.as_bytes().to_vec(),
        Hint::Markdown,
        &Companions::default(),
        Some(code),
    )
}

pub(crate) fn codes(inspected: &Inspected) -> Vec<&'static str> {
    inspected
        .findings
        .iter()
        .map(|finding| finding.check.code)
        .collect()
}

/// What the safe fixes of one check make of a text.
pub(crate) fn fixed(text: &str, hint: Hint, code: &str) -> String {
    let companions = Companions::default();
    let start = inspect_with(text.as_bytes().to_vec(), hint, &companions, Some(code));
    let fixed = fix::fix(start, |bytes, form| {
        inspect_with(bytes, Hint::Decided(form), &companions, Some(code))
    });
    match fixed {
        Ok(fixed) => fixed.inspected.document.source().text().to_owned(),
        Err(error) => format!("the edits do not fit: {error}"),
    }
}

fn inspect_with(
    bytes: Vec<u8>,
    hint: Hint,
    companions: &Companions,
    only: Option<&str>,
) -> Inspected {
    let raw = reading::read(Source::new(bytes), hint);
    let document = Lesson.parse(raw, companions.expected_language().copied());
    let checks: Vec<_> = Lesson
        .checks()
        .iter()
        .copied()
        .filter(|check| only.is_none_or(|only| check.code == only))
        .collect();
    let settings = Settings {
        parameters: Lesson.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    let examined = examine::examine(&checks, &document, companions, &settings);
    Inspected {
        document,
        findings: examined.findings,
    }
}
