//! An issue in the field names of seed 002.

use redraft_run::verdict::{Anchored, Issue, IssueSeverity};
use schemars::JsonSchema;
use serde::Serialize;

/// An issue in seed 002's field names.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JudgeIssue {
    /// The criterion it concerns.
    pub criterion: String,
    /// Its severity.
    pub severity: IssueSeverity,
    /// The component it is about.
    pub location: String,
    /// What is wrong.
    pub description: String,
    /// The words it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quoted_text: Option<String>,
    /// Whether those words are in the text.
    pub anchor: Anchored,
    /// What to do.
    pub suggested_fix: String,
}

impl From<&Issue> for JudgeIssue {
    fn from(issue: &Issue) -> Self {
        Self {
            criterion: issue.criterion.clone(),
            severity: issue.severity,
            location: issue.location.to_string(),
            description: issue.description.clone(),
            quoted_text: issue.quote.clone(),
            anchor: issue.anchor,
            suggested_fix: issue.suggested_fix.clone(),
        }
    }
}
