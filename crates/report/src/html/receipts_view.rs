//! Receipts: which components were changed, and that nothing else was. They are verified
//! here against both files, where these are at hand.

use redraft_gate::receipt::{self, ComponentReceipt, Receipts};
use serde::Serialize;

use super::templates::{self, HtmlError};
use crate::count::counted;

/// The two files that receipts speak of.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    pub original: &'a [u8],
    pub result: &'a [u8],
}

#[derive(Serialize)]
struct ReceiptsView {
    sentence: String,
    verdict: &'static str,
    problems: Vec<String>,
    rows: Vec<RowView>,
    original: String,
    result: String,
}

#[derive(Serialize)]
struct RowView {
    id: String,
    is_changed: bool,
    edits: usize,
    before: usize,
    after: Option<usize>,
    tasks: Vec<String>,
}

/// The fragment.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn receipts(
    receipts: &Receipts,
    files: Option<Files<'_>>,
    noun: &str,
) -> Result<String, HtmlError> {
    let top: Vec<&ComponentReceipt> = top_level(receipts);
    let unchanged = top.iter().filter(|part| part.edits.is_empty()).count();
    let checked = files.map(|files| {
        let written = serde_json::to_value(receipts).unwrap_or_default();
        receipt::verify(&written, files.original, files.result)
    });
    let (verdict, problems) = match checked {
        None => ("unknown", Vec::new()),
        Some(Ok(_)) => ("verified", Vec::new()),
        Some(Err(found)) => {
            let found = found.iter().take(10);
            let problems = found.map(|one| format!("{}: {}", one.at, one.message));
            ("failed", problems.collect())
        }
    };
    let rows = top.iter().map(|part| RowView {
        id: part.id.clone(),
        is_changed: !part.edits.is_empty(),
        edits: part.edits.len(),
        before: part.before.end.saturating_sub(part.before.start),
        after: part
            .after
            .as_ref()
            .map(|after| after.end.saturating_sub(after.start)),
        tasks: tasks(receipts, part),
    });
    let view = ReceiptsView {
        sentence: sentence(unchanged, top.len(), receipts.edits.len(), noun),
        verdict,
        problems,
        rows: rows.collect(),
        original: short(&receipts.original.sha256),
        result: short(&receipts.result.sha256),
    };
    templates::fill("receipts.html", &view)
}

/// `7 of 8 sections unchanged`.
pub(super) fn sentence(unchanged: usize, all: usize, edits: usize, noun: &str) -> String {
    if edits == 0 {
        return "nothing was changed".to_owned();
    }
    if all == 0 {
        return counted(edits, "edit");
    }
    let plural = if all == 1 { "" } else { "s" };
    format!("{unchanged} of {all} {noun}{plural} unchanged")
}

/// The components right below the whole.
pub(super) fn top_level(receipts: &Receipts) -> Vec<&ComponentReceipt> {
    let whole = receipts.components.first().map(|part| part.id.as_str());
    let parts = receipts.components.iter().skip(1);
    parts
        .filter(|part| part.parent.as_deref() == whole)
        .collect()
}

fn tasks(receipts: &Receipts, part: &ComponentReceipt) -> Vec<String> {
    let mut tasks: Vec<String> = part
        .edits
        .iter()
        .filter_map(|index| receipts.edits.get(*index))
        .flat_map(|edit| edit.tasks.iter().cloned())
        .collect();
    tasks.dedup();
    tasks
}

fn short(hash: &str) -> String {
    hash.chars().take(16).collect()
}
