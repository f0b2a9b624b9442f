//! Maps the scales of severity onto each other, in one table for all (ruling 5).
//!
//! | finding of a check | a judge's scale (seed 002) | feedback on cards (seed 000) | items (seed 004) |
//! |---|---|---|---|
//! | an error, or anything critical | critical | critical | error |
//! | a warning that caps a dimension below its threshold | minor | high | warning |
//! | any other warning | minor | medium | warning |
//! | information | – | low | – |
//!
//! | issue of a judge (seed 002) | feedback on cards (seed 000) |
//! |---|---|
//! | critical | critical |
//! | major | high |
//! | minor | medium |
//!
//! The scale of the self-review (seed 001) also depends on the phase of the check and on whether
//! there is a safe fix. Its table is in `review`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::verdict::IssueSeverity;
use redraft_gate::finding::{Finding, Severity};

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

/// The severity of a finding.
#[derive(Clone, Copy, Debug)]
pub struct FindingGrade {
    pub severity: Severity,
    /// Whether this finding alone forbids a pass.
    pub critical: bool,
}

/// Whether an open finding keeps a dimension below its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapEffect {
    BelowThreshold,
    None,
}

impl FindingGrade {
    #[must_use]
    pub fn of(finding: &Finding) -> Self {
        Self {
            severity: finding.severity,
            critical: finding.critical,
        }
    }

    /// Whether the finding blocks acceptance.
    #[must_use]
    pub fn stops(self) -> bool {
        self.severity == Severity::Error || self.critical
    }

    /// The severity on a judge's scale.
    #[must_use]
    pub fn as_issue(self) -> IssueSeverity {
        if self.stops() {
            IssueSeverity::Critical
        } else {
            IssueSeverity::Minor
        }
    }

    #[must_use]
    pub fn urgency(self, caps: CapEffect) -> Urgency {
        match (self.severity, caps) {
            _ if self.stops() => Urgency::Critical,
            (Severity::Info, _) => Urgency::Low,
            (_, CapEffect::BelowThreshold) => Urgency::High,
            (_, CapEffect::None) => Urgency::Medium,
        }
    }
}

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
        for (severity, critical, caps, issue, urgency) in [
            (
                Severity::Error,
                false,
                CapEffect::None,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Error,
                true,
                CapEffect::BelowThreshold,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Warning,
                true,
                CapEffect::None,
                IssueSeverity::Critical,
                Urgency::Critical,
            ),
            (
                Severity::Warning,
                false,
                CapEffect::BelowThreshold,
                IssueSeverity::Minor,
                Urgency::High,
            ),
            (
                Severity::Warning,
                false,
                CapEffect::None,
                IssueSeverity::Minor,
                Urgency::Medium,
            ),
            (
                Severity::Info,
                false,
                CapEffect::BelowThreshold,
                IssueSeverity::Minor,
                Urgency::Low,
            ),
        ] {
            let grade = FindingGrade { severity, critical };
            assert_eq!(grade.as_issue(), issue, "{severity:?} {critical}");
            assert_eq!(
                grade.urgency(caps),
                urgency,
                "{severity:?} {critical} {caps:?}"
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
