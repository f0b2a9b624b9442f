//! What rebalancing the key positions of a bank did: which keys moved, which items kept
//! their order and why, and the receipts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use redraft_gate::receipt::Receipts;
use redraft_profiles::items::model::letter;
use redraft_profiles::items::order::KeptOrder;
use redraft_profiles::items::permute::{Kept, MovedKey, Rebalanced};
use schemars::JsonSchema;
use serde::Serialize;

use super::amount::Amount;
use super::count::counted;
use super::plain;

/// What rebalancing did to a bank.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct RebalancedReport {
    /// The keys that changed places with a wrong option, in the order of the file.
    pub moved: Vec<MovedKeyReport>,
    /// Items whose options keep their order, by reason.
    pub kept: Vec<KeptItemsReport>,
    /// Every changed byte; `redraft verify` checks them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Receipts>,
}

/// A key that changed places with a wrong option.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct MovedKeyReport {
    /// The item.
    pub item: String,
    /// The letter of the right option before.
    pub from: String,
    /// Its letter now.
    pub to: String,
    /// From the old to the new letters of the options that moved.
    pub letters: BTreeMap<String, String>,
}

/// Items whose options keep their order.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct KeptItemsReport {
    /// `key`, `refers`, `numbers`, `ordered`, `letters`, `other_fields` or `form`.
    pub reason: &'static str,
    /// How many.
    pub items: usize,
}

#[must_use]
pub fn report(rebalanced: &Rebalanced, receipts: Option<Receipts>) -> RebalancedReport {
    RebalancedReport {
        moved: rebalanced.moved.iter().map(moved).collect(),
        kept: rebalanced
            .kept
            .iter()
            .map(|(kept, items)| KeptItemsReport {
                reason: name(*kept),
                items: *items,
            })
            .collect(),
        receipts,
    }
}

fn moved(key: &MovedKey) -> MovedKeyReport {
    MovedKeyReport {
        item: key.item.clone(),
        from: letter(key.from),
        to: letter(key.to),
        letters: key.letters().into_iter().collect(),
    }
}

fn name(kept: Kept) -> &'static str {
    match kept {
        Kept::Key => "key",
        Kept::Options(KeptOrder::Refers) => "refers",
        Kept::Options(KeptOrder::Numbers) => "numbers",
        Kept::Options(KeptOrder::Ordered) => "ordered",
        Kept::Letters => "letters",
        Kept::OtherFields => "other_fields",
        Kept::Form => "form",
    }
}

fn reason(kept: &str) -> &'static str {
    match kept {
        "key" => "no single key, or options without an order",
        "refers" => "an option refers to others, such as “all of the above”",
        "numbers" => "options with numbers",
        "ordered" => "options in the order of a scale or the alphabet",
        "letters" => "a text names letters that may be options",
        "other_fields" => "another field depends on the order of the options",
        _ => "a form that cannot be moved safely",
    }
}

/// The result for people.
#[must_use]
pub fn text(path: &str, report: &RebalancedReport, amount: Amount) -> String {
    const FEW: usize = 10;
    let mut text = format!(
        "{}: moved {}\n",
        plain::path(path),
        counted(report.moved.len(), "key")
    );
    let most = match amount {
        Amount::All => report.moved.len(),
        Amount::Few => FEW,
    };
    for key in report.moved.iter().take(most) {
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "  {}: the key was {} and is {}; {} is now {}",
            plain::words(&key.item),
            key.from,
            key.to,
            key.to,
            key.from
        );
    }
    if report.moved.len() > most {
        let _ = writeln!(
            text,
            "  … and {} more; --all lists them, --format json with receipts",
            report.moved.len() - most
        );
    }
    for kept in &report.kept {
        let _ = writeln!(
            text,
            "  kept in order: {} ({})",
            counted(kept.items, "item"),
            reason(kept.reason)
        );
    }
    text
}

/// Why the keys of a biased bank are not moved.
pub const NOT_UTF8: &str =
    "the keys cannot be moved: the file is not UTF-8; convert it first (TXT020)";

/// That the positions of the keys need no change.
#[must_use]
pub fn nothing_to_do(path: &str) -> String {
    format!(
        "{}: the keys are spread evenly enough, or too few to tell; nothing to move\n",
        plain::path(path)
    )
}
