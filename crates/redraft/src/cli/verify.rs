//! `redraft verify`: checks that a result was made from an original by the edits
//! that its receipts list, and by nothing else. It runs no model and believes
//! nothing that the receipts say; `docs/receipts.md` tells how to do the same
//! with another program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_gate::receipt::{self, Discrepancy, Verified};
use serde_json::{Value, json};

use super::check::shown;
use super::exit::Exit;
use super::options::Format;

/// Options of `verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyOptions {
    /// What `refine --format json` wrote, or the repaired file with `--receipts`
    #[arg(value_name = "RESULT")]
    pub result: PathBuf,
    /// The file as it was before
    #[arg(value_name = "ORIGINAL")]
    pub original: PathBuf,
    /// The receipts, where they lie in a file of their own
    #[arg(long, value_name = "FILE")]
    pub receipts: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

pub(super) fn run(options: &VerifyOptions) -> anyhow::Result<Exit> {
    let original = read(&options.original)?;
    let (receipts, result) = match &options.receipts {
        Some(path) => {
            let value = parse(path)?;
            let receipts = value.get("receipts").unwrap_or(&value).clone();
            (receipts, read(&options.result)?)
        }
        None => of_outcome(&options.result)?,
    };
    let verified = receipt::verify(&receipts, &original, &result);
    let text = match options.format {
        Format::Human => human(options, &verified),
        Format::Json => serde_json::to_string_pretty(&machine(&verified))? + "\n",
        Format::Jsonl => machine(&verified).to_string() + "\n",
        _ => bail!("`verify` prints human, json or jsonl"),
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(match verified {
        Ok(_) => Exit::Clean,
        Err(_) => Exit::GateFailed,
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn parse(path: &Path) -> anyhow::Result<Value> {
    serde_json::from_slice(&read(path)?).with_context(|| format!("{} is no JSON", path.display()))
}

/// The receipts and the content of an outcome: at its top, or in the one document
/// of a report.
fn of_outcome(path: &Path) -> anyhow::Result<(Value, Vec<u8>)> {
    let value = parse(path).with_context(|| {
        "give the outcome that `refine --format json` wrote, or the repaired file and `--receipts`"
    })?;
    let mut at = &value;
    while at.get("receipts").is_none() {
        // A bank has one receipt, its items among the documents have their own.
        let inner = ["outcome", "banks", "documents", "results"]
            .iter()
            .find_map(|name| at.get(name));
        at = match inner {
            Some(Value::Array(list)) if list.len() == 1 => &list[0],
            Some(Value::Array(list)) => bail!(
                "{} holds {} documents; verify one at a time, with `--receipts`",
                path.display(),
                list.len()
            ),
            Some(inner) => inner,
            None => bail!(
                "{} has no receipts; give the repaired file and `--receipts`",
                path.display()
            ),
        };
    }
    let content = ["final_content", "finalContent", "content"]
        .iter()
        .find_map(|name| at.get(name))
        .and_then(|content| content.as_str().or_else(|| content.get("text")?.as_str()))
        .with_context(|| {
            format!(
                "{} has receipts but no content; give the repaired file and `--receipts`",
                path.display()
            )
        })?;
    Ok((at["receipts"].clone(), content.as_bytes().to_vec()))
}

fn machine(verified: &Result<Verified, Vec<Discrepancy>>) -> Value {
    match verified {
        Ok(verified) => json!({"verified": true, "figures": verified}),
        Err(discrepancies) => json!({"verified": false, "discrepancies": discrepancies}),
    }
}

fn human(options: &VerifyOptions, verified: &Result<Verified, Vec<Discrepancy>>) -> String {
    let result = shown(&options.result);
    match verified {
        Ok(verified) => {
            let parts = |names: &[String]| match names {
                [] => "none".to_owned(),
                names => names.join(", "),
            };
            format!(
                "{result}: verified\n  {} of {} bytes of the original were replaced, by {} {}; all others are identical\n  changed: {}\n  untouched: {}\n",
                verified.bytes_replaced,
                verified.bytes_replaced + verified.bytes_identical,
                verified.edits,
                if verified.edits == 1 { "edit" } else { "edits" },
                parts(&verified.touched),
                parts(&verified.untouched),
            )
        }
        Err(discrepancies) => {
            let mut text = format!("{result}: NOT verified\n");
            for discrepancy in discrepancies {
                text.push_str(&format!("  {}: {}\n", discrepancy.at, discrepancy.message));
            }
            text
        }
    }
}
