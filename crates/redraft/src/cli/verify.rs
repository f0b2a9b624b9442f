//! `redraft verify`: verifies that a result was made from its original by the edits that
//! its receipts list, and by nothing else. It runs no model and trusts nothing in the
//! receipts; `docs/receipts.md` explains how to do the same with another program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_gate::receipt::{self, Discrepancy, Verified};
use redraft_run::bytes_json;
use redraft_service::signing::{self, SigningError};
use serde_json::{Value, json};

use super::exit::Exit;
use super::options::Format;
use super::output::{self, shown};
use crate::files::{self, Limits};
use crate::trust;

/// Options of `verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyOptions {
    /// Output of `refine --format json`, or the repaired file
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// The original file
    #[arg(value_name = "ORIGINAL")]
    pub original: PathBuf,
    /// Receipts, if they are in a separate file
    #[arg(long, value_name = "FILE")]
    pub receipts: Option<PathBuf>,
    /// Verify RESULT as an outcome signed with this public key
    #[arg(long, value_name = "KEY", conflicts_with = "receipts")]
    pub key: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What comes of comparing a result with its receipts.
enum Verification {
    Holds(Verified),
    Differs(Vec<Discrepancy>),
}

impl Verification {
    fn of(receipts: &Value, original: &[u8], result: &[u8]) -> Self {
        match receipt::verify(receipts, original, result) {
            Ok(verified) => Self::Holds(verified),
            Err(discrepancies) => Self::Differs(discrepancies),
        }
    }
}

pub(super) fn run(options: &VerifyOptions) -> anyhow::Result<Exit> {
    let original = content(&options.original)?;
    let verified = match (&options.receipts, &options.key) {
        (Some(path), _) => {
            let value = parse(path)?;
            let result = content(&options.result)?;
            Verification::of(receipts_in(&value), &original, &result)
        }
        (None, Some(key)) => signed(options, key, &original)?,
        (None, None) => {
            let (receipts, result) = of_outcome(options)?;
            Verification::of(&receipts, &original, &result)
        }
    };
    let text = match options.format {
        Format::Human => human(options, &verified),
        Format::Json => serde_json::to_string_pretty(&machine(&verified))? + "\n",
        Format::Jsonl => machine(&verified).to_string() + "\n",
        _ => bail!("`verify` supports --format human, json and jsonl"),
    };
    output::print(options.format, &text)?;
    Ok(match verified {
        Verification::Holds(_) => Exit::Clean,
        Verification::Differs(_) => Exit::GateFailed,
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| files::cannot_read(path))
}

/// The content that receipts speak of: of a packed file, what is in it.
fn content(path: &Path) -> anyhow::Result<Vec<u8>> {
    files::content(path, &Limits::UNLIMITED).with_context(|| files::cannot_read(path))
}

fn parse(path: &Path) -> anyhow::Result<Value> {
    serde_json::from_slice(&read(path)?)
        .with_context(|| format!("{} is not valid JSON", shown(path)))
}

/// The receipts and the content of an outcome: at its top, or in the one document
/// of a report.
fn of_outcome(options: &VerifyOptions) -> anyhow::Result<(Value, Vec<u8>)> {
    let path = options.result.as_path();
    let value = parse(path).with_context(
        || "give the output of `refine --format json`, or the repaired file with --receipts FILE",
    )?;
    if value.get("payloadType").is_some() {
        bail!(
            "{} is a signed outcome; give the public key of its service with --key",
            shown(path)
        );
    }
    let mut at = &value;
    while at.get("receipts").is_none() {
        // A bank has one receipt, its items among the documents have their own.
        let inner = ["outcome", "banks", "documents", "results"]
            .iter()
            .find_map(|name| at.get(name));
        at = match inner {
            Some(Value::Array(list)) if list.len() == 1 => &list[0],
            Some(Value::Array(list)) => bail!(
                "{} has {} documents; verify one at a time with --receipts FILE",
                shown(path),
                list.len()
            ),
            Some(inner) => inner,
            None => bail!(
                "{} has no receipts; give the repaired file with --receipts FILE",
                shown(path)
            ),
        };
    }
    let content = ["final_content", "finalContent", "content"]
        .iter()
        .find_map(|name| at.get(name))
        .and_then(|content| content.as_str().or_else(|| content.get("text")?.as_str()))
        .with_context(|| {
            format!(
                "{} has receipts but no content; give the repaired file with --receipts FILE",
                shown(path)
            )
        })?;
    Ok((at["receipts"].clone(), content.as_bytes().to_vec()))
}

/// The receipts in a file: they themselves, or those of the one document of a report.
fn receipts_in(value: &Value) -> &Value {
    let mut at = value;
    // A bank has one receipt, its items among the documents have their own.
    if let Some([bank]) = value
        .get("banks")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && bank.get("receipts").is_some()
    {
        at = bank;
    }
    loop {
        let inner = ["receipts", "rebalanced", "documents", "banks", "outcome"]
            .iter()
            .find_map(|name| at.get(name));
        at = match inner {
            Some(Value::Array(list)) if list.len() == 1 => &list[0],
            Some(inner) if inner.is_object() => inner,
            _ => return at,
        };
    }
}

/// Verifies a signed outcome: who made it, and what it is about. One that changed nothing has
/// no receipts; it is about the text whose hash it has.
fn signed(options: &VerifyOptions, key: &str, original: &[u8]) -> anyhow::Result<Verification> {
    let path = options.result.as_path();
    let is_not = |at: &str, message: String| {
        Verification::Differs(vec![Discrepancy {
            at: at.to_owned(),
            message,
        }])
    };
    let outcome = match signing::open(&read(path)?, key) {
        Err(error @ SigningError::Mismatch) => return Ok(is_not("signature", error.to_string())),
        opened => opened.with_context(|| shown(path))?,
    };
    let outcome: Value = serde_json::from_slice(&outcome)?;
    if let Some(receipts) = outcome.get("receipts") {
        let result = match outcome.get("final_content") {
            Some(content) => bytes_json::deserialize(content)?,
            None => original.to_vec(),
        };
        return Ok(Verification::of(receipts, original, &result));
    }
    let Some(hash) = outcome["original"]["sha256"].as_str() else {
        bail!(
            "{}: the signature is valid, but the outcome does not say which text it is about",
            shown(path)
        );
    };
    // Of a packed file the service has the file itself, or what is in it.
    let is_it = trust::hash(original) == hash || trust::hash(&read(&options.original)?) == hash;
    Ok(if is_it {
        Verification::Holds(Verified {
            edits: 0,
            bytes_replaced: 0,
            bytes_identical: original.len(),
            touched: Vec::new(),
            untouched: Vec::new(),
        })
    } else {
        is_not(
            "original",
            format!("the outcome is about another text, {hash}"),
        )
    })
}

fn machine(verified: &Verification) -> Value {
    match verified {
        Verification::Holds(verified) => json!({"verified": true, "figures": verified}),
        Verification::Differs(discrepancies) => {
            json!({"verified": false, "discrepancies": discrepancies})
        }
    }
}

fn human(options: &VerifyOptions, verified: &Verification) -> String {
    let result = shown(&options.result);
    match verified {
        Verification::Holds(verified) => {
            format!(
                "{result}: verified\n  {} of {} bytes of the original were replaced, by {} {}; all others are identical\n  changed: {}\n  untouched: {}\n",
                verified.bytes_replaced,
                verified.bytes_replaced + verified.bytes_identical,
                verified.edits,
                if verified.edits == 1 { "edit" } else { "edits" },
                listed(&verified.touched),
                listed(&verified.untouched),
            )
        }
        Verification::Differs(discrepancies) => {
            let mut text = format!("{result}: NOT verified\n");
            for discrepancy in discrepancies {
                text.push_str(&format!("  {}: {}\n", discrepancy.at, discrepancy.message));
            }
            text
        }
    }
}

/// The ids of components, not more than fit on a line or two; JSON has them all.
fn listed(ids: &[String]) -> String {
    const MOST: usize = 8;
    match ids.get(MOST..) {
        _ if ids.is_empty() => "none".to_owned(),
        None | Some([]) => ids.join(", "),
        Some(rest) => format!(
            "{} and {} more ({} components; --format json lists them all)",
            ids[..MOST].join(", "),
            rest.len(),
            ids.len()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_components_are_cut() {
        let ids = |number: usize| -> Vec<String> {
            (1..=number).map(|index| format!("sec_{index}")).collect()
        };
        assert_eq!(listed(&[]), "none");
        assert_eq!(listed(&ids(2)), "sec_1, sec_2");
        assert!(listed(&ids(8)).ends_with("sec_7, sec_8"));
        let cut = listed(&ids(50));
        assert!(cut.contains("sec_8 and 42 more (50 components"), "{cut}");
        assert!(!cut.contains("sec_9"), "{cut}");
    }
}
