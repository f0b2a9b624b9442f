//! A bank put together again from the stored outcomes of its items.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;
use redraft_banks::ArchiveKind;
use redraft_gate::receipt::Receipts;
use redraft_run::bytes_json;
use redraft_run::outcome::Status;
use redraft_service::workshop::{Assembled, TakenItems};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::cli::bank::{self, BankFile, ItemEnd};
use crate::cli::inputs::Inputs;
use crate::files;
use crate::inspection::path_text;

/// How an item ended, as its outcome is stored.
#[derive(Deserialize)]
struct StoredEnd {
    status: String,
    #[serde(default, deserialize_with = "stored_bytes")]
    final_content: Option<Vec<u8>>,
    receipts: Option<Receipts>,
}

fn stored_bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
    bytes_json::deserialize(from).map(Some)
}

/// The bank with the results of its items, whose names and outcomes are given.
pub(super) fn assembled(
    inputs: &Inputs,
    (name, bytes): (&str, Vec<u8>),
    outcomes: &[(String, String)],
    taken: TakenItems,
) -> anyhow::Result<Assembled> {
    let inspector = inputs.inspector()?;
    let path = PathBuf::from(name);
    let unpacked = files::unpacked(&path, &bytes, &inspector.config.limits())?;
    let content = unpacked.clone().unwrap_or_else(|| bytes.clone());
    let bank = BankFile::of(&inspector, &path, content).context("the document is not a bank")?;
    let by_name: BTreeMap<&str, &str> = outcomes
        .iter()
        .map(|(name, outcome)| (name.as_str(), outcome.as_str()))
        .collect();
    let mut stored: Vec<StoredEnd> = Vec::new();
    for input in bank.inputs() {
        let name = path_text(&input.path);
        let outcome = by_name.get(name.as_str());
        let outcome = outcome.with_context(|| format!("{name} has no outcome"))?;
        stored.push(serde_json::from_str(outcome)?);
    }
    let good = [Status::Accepted.name(), Status::AcceptedWarning.name()];
    let ends = stored.iter().map(|end| ItemEnd {
        is_accepted: good.contains(&end.status.as_str()),
        content: end.final_content.as_deref(),
        receipts: end.receipts.as_ref(),
    });
    let ends: Vec<ItemEnd<'_>> = ends.collect();
    let taken = match taken {
        TakenItems::All => bank::TakenItems::All,
        TakenItems::Accepted => bank::TakenItems::Accepted,
    };
    let refined = bank.put_together(&inspector, &ends, taken)?;
    let mut report = serde_json::to_value(&refined)?;
    if let Value::Object(fields) = &mut report {
        // It has a route of its own.
        fields.remove("final_content");
    }
    let content = match unpacked {
        Some(_) if !is_workbook(&bytes) => files::packed(&path, &bytes, &refined.content)?,
        // A workbook is read, not written: what comes back is its table.
        Some(_) => files::table_of_workbook(&refined.content)?,
        None => refined.content,
    };
    Ok(Assembled { content, report })
}

fn is_workbook(bytes: &[u8]) -> bool {
    let archive = redraft_banks::unpack(bytes, u64::MAX).ok().flatten();
    archive.is_some_and(|archive| archive.kind == ArchiveKind::Workbook)
}
