//! Content is data: injections, active content, citations and copied passages, in
//! documents as users bring them.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod active;
mod composed;
mod injections;
mod reference_data;
#[path = "../support/reference_folder.rs"]
mod reference_folder;
mod sources;

use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;

/// What one check says about a text.
pub(crate) fn findings_of(check: &str, text: &str, hint: Hint) -> Vec<Finding> {
    findings_beside(
        &Companions::default(),
        &Settings::default(),
        check,
        (text, hint),
    )
}

/// What one check says about a text with companions and settings; the profile's
/// parameters hold where the settings have none.
pub(crate) fn findings_beside(
    companions: &Companions,
    settings: &Settings,
    check: &str,
    (text, hint): (&str, Hint),
) -> Vec<Finding> {
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
    let profile = registry::recognise(&raw)
        .or_else(|| registry::profile("lesson"))
        .unwrap();
    let document = profile.parse(raw, None);
    let mut parameters = profile.parameters().clone();
    parameters.overlay(&settings.parameters);
    let settings = Settings {
        parameters,
        ..settings.clone()
    };
    let checks: Vec<_> = profile
        .checks()
        .iter()
        .copied()
        .filter(|one| one.name == check)
        .collect();
    assert_eq!(checks.len(), 1, "{check}");
    examine::examine(&checks, &document, companions, &settings).findings
}

pub(crate) fn severities(findings: &[Finding]) -> Vec<Severity> {
    findings.iter().map(|finding| finding.severity).collect()
}
