//! The validation result of items, in the fields of seed 004: which field has a
//! finding. Derived from findings alone.

use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::span::ComponentId;

use super::model::{Bank, ItemView, items};

/// A field of an item, as seed 004 names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Vignette,
    Stem,
    Distractors,
    AnswerKey,
    Explanation,
}

impl Field {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vignette => "vignette",
            Self::Stem => "stem",
            Self::Distractors => "distractors",
            Self::AnswerKey => "answer_key",
            Self::Explanation => "explanation",
        }
    }
}

/// An item and its errors and warnings. It borrows nothing from the document, which may be
/// gone when a report is made.
#[derive(Clone, Debug)]
pub struct Validated {
    /// The item's id; `item` for a single item.
    pub id: String,
    /// The indices of the findings in the order of the file, each with its field.
    pub faults: Vec<(Field, usize)>,
}

/// The items with errors or warnings; `None` if the document has no items.
#[must_use]
pub fn validate(document: &Document, findings: &[Finding]) -> Option<Vec<Validated>> {
    let bank = document.model::<Bank>()?;
    let mut validated: Vec<(usize, Validated)> = Vec::new();
    let views: Vec<ItemView<'_>> = items(document).collect();
    let of_items = findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| finding.severity > Severity::Info)
        .filter(|(_, finding)| !finding.check.code.starts_with("BNK"));
    for (number, finding) in of_items {
        let at = document.source().text_range(finding.span).start;
        let before = bank.items.partition_point(|item| item.range.start <= at);
        // Findings before the first item belong to no item.
        let Some(index) = before.checked_sub(1) else {
            continue;
        };
        let fault = (field(document, finding, at), number);
        match validated.last_mut() {
            Some((last, item)) if *last == index => item.faults.push(fault),
            _ => validated.push((
                index,
                Validated {
                    id: views.get(index).map_or("item", ItemView::id).to_owned(),
                    faults: vec![fault],
                },
            )),
        }
    }
    Some(validated.into_iter().map(|(_, item)| item).collect())
}

/// The field that a finding is about: the field that its check looks for, because a
/// missing field has no location; otherwise the field it points at.
fn field(document: &Document, finding: &Finding, at: usize) -> Field {
    if let Some(field) = looked_for(finding.check.name) {
        return field;
    }
    match document.component_at(at).kind {
        ComponentKind::Vignette => Field::Vignette,
        ComponentKind::Options => Field::Distractors,
        ComponentKind::AnswerKey => Field::AnswerKey,
        ComponentKind::Explanation => Field::Explanation,
        _ => Field::Stem,
    }
}

/// The field that a check looks for, if it looks for a single one.
fn looked_for(check: &str) -> Option<Field> {
    match check {
        "vignette-too-short" => Some(Field::Vignette),
        "missing-stem" => Some(Field::Stem),
        "missing-answer-key" | "answer-key-mismatch" => Some(Field::AnswerKey),
        "missing-explanation" => Some(Field::Explanation),
        _ => None,
    }
}

/// The field that a finding is about, by the name of its check and its component
/// (`stem`, `item_4/options`), for callers without the document.
#[must_use]
pub fn field_of(check: &str, component: &ComponentId) -> Field {
    looked_for(check).unwrap_or_else(|| field_named(component))
}

#[must_use]
pub fn field_named(component: &ComponentId) -> Field {
    match component.0.rsplit('/').next().unwrap_or_default() {
        "vignette" => Field::Vignette,
        "options" => Field::Distractors,
        "answer_key" => Field::AnswerKey,
        "explanation" => Field::Explanation,
        _ => Field::Stem,
    }
}
