//! The one table that maps the scales of severity onto each other (ruling 5).
//!
//! | what a check found | a judge's scale (seed 002) | feedback on cards (seed 000) | items (seed 004) |
//! |---|---|---|---|
//! | an error, or anything critical | critical | critical | error |
//! | a warning that caps a dimension below its threshold | minor | high | warning |
//! | any other warning | minor | medium | warning |
//! | information | – | low | – |
//!
//! | what a judge found (seed 002) | feedback on cards (seed 000) |
//! |---|---|
//! | critical | critical |
//! | major | high |
//! | minor | medium |
//!
//! The scale of the self-review (seed 001) also depends on the phase of the check
//! and on whether there is a safe fix; its table stands in `review`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::verdict::IssueSeverity;
use redraft_gate::finding::Severity;

/// How urgent feedback on cards is (seed 000).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// Optional.
    Low,
    /// Nice to fix.
    Medium,
    /// Should be fixed: the lesson does not pass with it.
    High,
    /// Must be fixed.
    Critical,
}

/// Whether a finding keeps a text from being accepted.
#[must_use]
pub fn stops(severity: Severity, critical: bool) -> bool {
    severity == Severity::Error || critical
}

/// A finding on a judge's scale.
#[must_use]
pub fn as_issue(severity: Severity, critical: bool) -> IssueSeverity {
    if stops(severity, critical) {
        IssueSeverity::Critical
    } else {
        IssueSeverity::Minor
    }
}

/// How urgent a finding is. `caps_below` says whether a dimension stays below its
/// threshold while the finding is open.
#[must_use]
pub fn urgency_of_finding(severity: Severity, critical: bool, caps_below: bool) -> Urgency {
    match severity {
        _ if stops(severity, critical) => Urgency::Critical,
        Severity::Info => Urgency::Low,
        _ if caps_below => Urgency::High,
        _ => Urgency::Medium,
    }
}

/// How urgent a judge's issue is.
#[must_use]
pub fn urgency_of_issue(severity: IssueSeverity) -> Urgency {
    match severity {
        IssueSeverity::Critical => Urgency::Critical,
        IssueSeverity::Major => Urgency::High,
        IssueSeverity::Minor => Urgency::Medium,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scales_are_mapped_row_by_row() {
        for (severity, critical, caps_below, issue, urgency) in [
            (
                Severity::Error,
                false,
                false,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Error,
                true,
                true,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Warning,
                true,
                false,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Warning,
                false,
                true,
                IssueSeverity::Minor,
                Urgency::High,
            ),
            (
                Severity::Warning,
                false,
                false,
                IssueSeverity::Minor,
                Urgency::Medium,
            ),
            (
                Severity::Info,
                false,
                true,
                IssueSeverity::Minor,
                Urgency::Low,
            ),
        ] {
            assert_eq!(
                as_issue(severity, critical),
                issue,
                "{severity:?} {critical}"
            );
            assert_eq!(
                urgency_of_finding(severity, critical, caps_below),
                urgency,
                "{severity:?} {critical} {caps_below}"
            );
        }
        for (issue, urgency) in [
            (IssueSeverity::Critical, Urgency::Critical),
            (IssueSeverity::Major, Urgency::High),
            (IssueSeverity::Minor, Urgency::Medium),
        ] {
            assert_eq!(urgency_of_issue(issue), urgency);
        }
    }
}
