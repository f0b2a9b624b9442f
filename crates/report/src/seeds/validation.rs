//! The validation result of an item or a bank, in the field names of seed 004.

use redraft_gate::content::Document;
use redraft_gate::finding::{Finding, Severity};
use redraft_profiles::items::model::Bank;
use redraft_profiles::items::validation;
use schemars::JsonSchema;
use serde::Serialize;

/// Whether an item may be used; for a bank, item by item.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedItems {
    /// Whether there is no error; in a bank, whether no item has one.
    pub is_valid: bool,
    /// Errors and warnings of the item; empty for a bank.
    pub errors: Vec<ValidationError>,
    /// The items of a bank that have errors or warnings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<CheckedItem>>,
}

/// Whether an item of a bank may be used.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedItem {
    /// The item's id.
    pub id: String,
    /// Whether it has no error.
    pub is_valid: bool,
    /// Its errors and warnings.
    pub errors: Vec<ValidationError>,
}

/// An error or a warning about an item.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct ValidationError {
    /// `vignette`, `stem`, `distractors`, `answer_key` or `explanation`.
    pub field: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// `error` or `warning`.
    pub severity: Severity,
}

/// The validation result of a document; `None` if it holds no items.
pub(crate) fn checked_items(document: &Document, findings: &[Finding]) -> Option<CheckedItems> {
    let is_bank = document.model::<Bank>()?.is_bank;
    let mut items: Vec<CheckedItem> = validation::validate(document, findings)?
        .into_iter()
        .map(|item| CheckedItem {
            id: item.id.to_owned(),
            is_valid: item.is_valid(),
            errors: item
                .faults
                .iter()
                .map(|(field, finding)| ValidationError {
                    field: field.name(),
                    message: finding.message.clone(),
                    severity: finding.severity,
                })
                .collect(),
        })
        .collect();
    Some(CheckedItems {
        is_valid: items.iter().all(|item| item.is_valid),
        errors: if is_bank {
            Vec::new()
        } else {
            items.pop().map(|item| item.errors).unwrap_or_default()
        },
        items: is_bank.then_some(items),
    })
}
