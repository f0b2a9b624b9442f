//! `check --fix-only BNK001 --unsafe`: rebalances the key positions of a bank. What moves and
//! what keeps its order is decided in `redraft_profiles::items::permute`; this applies the
//! edits, proves that every key still names the same text, and reports.

use anyhow::{Context as _, bail};
use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::fix::Inspected;
use redraft_gate::receipt::{self, Step};
use redraft_profiles::items::model::items;
use redraft_profiles::items::permute::{self, Rebalanced};
use redraft_report::check_text::Amount;
use redraft_report::rebalanced::{self, RebalancedReport};

use crate::inspection::FileInspection;

/// The check whose finding is fixed by moving keys.
pub(super) const CHECK: &str = "key-position-bias";

/// A bank with its keys moved.
pub(super) struct Moved {
    pub(super) bytes: Vec<u8>,
    pub(super) report: RebalancedReport,
}

/// Moves keys; `None` if nothing is wrong with their positions, or nothing may move.
pub(super) fn rebalance(file: &FileInspection) -> anyhow::Result<Option<Moved>> {
    let Inspected { document, findings } = &file.inspected;
    let is_biased = findings.iter().any(|finding| finding.check.name == CHECK);
    if !is_biased {
        return Ok(None);
    }
    if !document.source().takes_text() {
        bail!("{}", rebalanced::NOT_UTF8);
    }
    let Some(rebalanced) = permute::rebalance(document) else {
        return Ok(None);
    };
    if rebalanced.moved.is_empty() {
        let report = rebalanced::report(&rebalanced, None);
        let bytes = document.source().bytes().to_vec();
        return Ok(Some(Moved { bytes, report }));
    }
    let source = document.source();
    let edits: Vec<Edit> = rebalanced
        .edits
        .iter()
        .map(|served| served.edit.clone())
        .collect();
    let bytes = edit::apply(source.bytes(), source.version(), &edits)
        .context("internal error, please report it: the moved options do not fit the bank")?;
    let after = file.reader.parse_version(bytes.clone(), document.form());
    prove(document, &after, &rebalanced)?;
    let step = Step {
        edits: rebalanced.edits.clone(),
    };
    let receipts = receipt::receipts(document, &after, &[step])?;
    let report = rebalanced::report(&rebalanced, Some(receipts));
    Ok(Some(Moved { bytes, report }))
}

/// Proves that every item still has the same options and the same right one.
fn prove(before: &Document, after: &Document, rebalanced: &Rebalanced) -> anyhow::Result<()> {
    let mut moved = rebalanced.moved.iter().peekable();
    if items(before).count() != items(after).count() {
        bail!(
            "internal error, please report it: an item was lost while moving keys; nothing was written"
        );
    }
    for (old, new) in items(before).zip(items(after)) {
        let mut expected: Vec<&str> = old.option_texts().collect();
        if let Some(key) = moved.next_if(|key| key.item == old.id()) {
            expected.swap(key.from, key.to);
        }
        let right = |view: &redraft_profiles::items::model::ItemView<'_>| {
            view.correct().map(|key| view.option(key).to_owned())
        };
        if !new.option_texts().eq(expected) || right(&old) != right(&new) {
            bail!(
                "internal error, please report it: moving the key of {} would change it; nothing was written",
                old.id()
            );
        }
    }
    if moved.peek().is_some() {
        bail!("internal error, please report it: an item was lost while moving keys");
    }
    Ok(())
}

/// What was done, for people.
pub(super) fn human(path: &str, moved: Option<&Moved>, amount: Amount) -> String {
    match moved {
        Some(moved) => rebalanced::text(path, &moved.report, amount),
        None => rebalanced::nothing_to_do(path),
    }
}
