//! Writes the documented examples of all checks, and a bank of each format, as a first
//! corpus for the fuzz targets that read documents: `seeds <corpus folder>`. Started by `cargo xtask
//! fuzz`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use redraft_gate::check::ExampleForm;
use redraft_profiles::registry;
use redraft_promises::bank_examples::BANKS;

fn main() -> Result<()> {
    let corpus = std::env::args()
        .nth(1)
        .context("usage: seeds <corpus folder>")?;
    for check in registry::all_checks() {
        for (index, example) in check.examples.iter().enumerate() {
            let parser = match example.form {
                ExampleForm::Json => "json_scan",
                _ => "markdown_analyse",
            };
            for (how, text) in [("fails", example.fails), ("passes", example.passes)] {
                for target in ["read_document", parser] {
                    let folder = Path::new(&corpus).join(target);
                    fs::create_dir_all(&folder)?;
                    fs::write(folder.join(format!("{}-{index}-{how}", check.name)), text)?;
                }
            }
        }
    }
    for (index, (target, bank)) in BANKS.iter().enumerate() {
        let folder = Path::new(&corpus).join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("bank-{index}")), bank)?;
    }
    Ok(())
}
