//! `redraft report`: runs and results as one HTML page. What was recorded is shown; nothing
//! is decided, and no model is asked.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::registry;
use redraft_report::bank;
use redraft_report::count::counted;
use redraft_report::html::{
    self, BankData, BankInput, BankItem, DocumentInput, Gathered, PageInput,
};
use redraft_report::item_path;

use super::exit::Exit;
use super::options::Format;
use super::output::{self, complain, shown};
use super::report_input::{self, Entry, Loaded};
use crate::files::{self, HardLinks};
use crate::inspection::{file_of, path_text};

/// Options of `report`.
#[derive(Clone, Debug, Args)]
pub struct ReportOptions {
    /// Runs (journal, name or folder) and JSON results of other commands
    #[arg(required = true, value_name = "RUN|RESULT.json")]
    pub inputs: Vec<PathBuf>,
    /// Write the page to this file; `-` for stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Title of the page
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Folder for the journals of runs
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
}

pub(super) fn run(options: &ReportOptions) -> anyhow::Result<Exit> {
    let named = options.inputs.iter().map(PathBuf::as_path);
    output::spare(Some(&options.output), named)?;
    if report_input::is_journal(&options.output) {
        bail!(
            "{} is the journal of a run and would be overwritten; write to another file",
            shown(&options.output)
        );
    }
    let Loaded {
        entries,
        banks,
        notices,
        ..
    } = report_input::load(&options.inputs, &options.runs)?;
    // The pages show texts that may be files here.
    output::spare(
        Some(&options.output),
        entries.iter().map(|entry| Path::new(&entry.data.path)),
    )?;
    for notice in &notices {
        complain(notice);
    }
    if entries.is_empty() && banks.is_empty() {
        bail!("nothing to report: the results contain no documents");
    }
    let mut documents: Vec<DocumentInput<'_>> = entries.iter().map(Entry::input).collect();
    html::worst_first(&mut documents);
    let mut all = banks_of_items(&entries, &documents);
    all.extend(banks.into_iter().map(|data| BankInput {
        data,
        ..BankInput::default()
    }));
    let page = html::page(&PageInput {
        title: options.title.clone().unwrap_or_else(|| title(&documents)),
        notices,
        banks: all,
        documents,
    })
    .context("cannot make the page")?;
    if output::is_stdout(&options.output) {
        output::print(Format::Json, &page)?;
        return Ok(Exit::Clean);
    }
    files::put(&options.output, page.as_bytes(), HardLinks::Refuse)?;
    writeln!(
        anstream::stdout(),
        "saved to {}: {}, {} kB",
        shown(&options.output),
        counted(entries.len(), "document"),
        page.len().div_ceil(1_000)
    )?;
    Ok(Exit::Clean)
}

fn title(documents: &[DocumentInput<'_>]) -> String {
    match documents {
        [one] => format!("Report on {}", one.data.path),
        _ => "Report".to_owned(),
    }
}

/// The banks whose items were judged one by one, each with a run of its own.
fn banks_of_items(entries: &[Entry], documents: &[DocumentInput<'_>]) -> Vec<BankInput> {
    let mut banks: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let path = Path::new(&entry.data.path);
        let file = file_of(path);
        if file != path {
            banks.entry(path_text(file)).or_default().push(entry);
        }
    }
    banks
        .into_iter()
        .map(|(path, entries)| bank_of_items(&path, &entries, documents))
        .collect()
}

fn bank_of_items(path: &str, entries: &[&Entry], documents: &[DocumentInput<'_>]) -> BankInput {
    let mut sheet = Sheet::default();
    for entry in entries {
        let after = entry.after.as_deref();
        let own = after.and_then(|after| {
            Sheet::of(
                &entry.data.path,
                &after.document,
                &after.findings,
                Use::InFolder,
            )
        });
        if let Some(own) = own {
            sheet.add(own);
        }
    }
    let profile = entries.first().map_or("", |entry| &entry.data.profile);
    let mut data = registry::profile(profile)
        .map(|profile| bank::report(path, &sheet, profile.parameters()))
        .and_then(|report| serde_json::to_value(report).ok())
        .and_then(|report| serde_json::from_value::<BankData>(report).ok())
        .unwrap_or_default();
    path.clone_into(&mut data.path);
    for worst in &mut data.worst {
        if let Some(item) = item_path::item(&worst.path) {
            item.clone_into(&mut worst.id);
            worst.line = 0;
        }
    }
    let items = documents.iter().enumerate().filter_map(|(index, input)| {
        let own = Path::new(&input.data.path);
        if file_of(own) == own || path_text(file_of(own)) != path {
            return None;
        }
        let id = item_path::item(&input.data.path)?;
        Some(BankItem {
            id: id.to_owned(),
            link: Some(format!("#{}", html::prefix(index))),
            score: input.data.score.as_ref().map(|score| score.overall),
            status: html::status_words(input).0,
            open: Some(input.findings.len() + input.data.issues.len()),
        })
    });
    BankInput {
        what: Gathered::Bank,
        data,
        items: items.collect(),
        thresholds: entries
            .first()
            .map(|entry| entry.thresholds)
            .unwrap_or_default(),
    }
}
