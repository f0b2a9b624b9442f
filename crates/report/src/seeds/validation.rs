//! The validation result of an item or a bank, in the field names of seed 004.

use redraft_gate::content::Document;
use redraft_gate::finding::{Finding, Severity};
use redraft_profiles::items::model::Bank;
use redraft_profiles::items::validation::{self, Field, Validated};
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

/// Which items of a document have which findings, so that a report can be made without it.
#[derive(Clone, Debug)]
pub(crate) struct Faults {
    is_bank: bool,
    items: Vec<Validated>,
}

impl Faults {
    /// `None` if the document holds no items.
    pub(crate) fn of(document: &Document, findings: &[Finding]) -> Option<Self> {
        Some(Self {
            is_bank: document.model::<Bank>()?.is_bank,
            items: validation::validate(document, findings)?,
        })
    }

    /// The validation result.
    pub(crate) fn checked(self, findings: &[Finding]) -> CheckedItems {
        let error = |(field, number): &(Field, usize)| {
            let finding = findings.get(*number)?;
            Some(ValidationError {
                field: field.name(),
                message: finding.message.clone(),
                severity: finding.severity,
            })
        };
        let checked = |item: Validated| {
            let errors: Vec<ValidationError> = item.faults.iter().filter_map(error).collect();
            let mut severities = errors.iter().map(|error| error.severity);
            CheckedItem {
                id: item.id,
                is_valid: severities.all(|severity| severity != Severity::Error),
                errors,
            }
        };
        let mut items: Vec<CheckedItem> = self.items.into_iter().map(checked).collect();
        CheckedItems {
            is_valid: items.iter().all(|item| item.is_valid),
            errors: if self.is_bank {
                Vec::new()
            } else {
                items.pop().map(|item| item.errors).unwrap_or_default()
            },
            items: self.is_bank.then_some(items),
        }
    }
}
