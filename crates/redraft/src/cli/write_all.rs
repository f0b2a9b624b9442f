//! `redraft write --all`: every entry of a scheme of work, one after the other, each into a
//! file of its own. Run again it goes on: finished runs are not paid twice.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context as _, anyhow, bail};
use redraft_gate::companion::SchemeEntry;
use redraft_profiles::companions;
use redraft_report::decision;
use redraft_report::judge_report::JudgeReport;
use redraft_report::scheme_table::{self, Ended, WrittenEntry};

use super::events::EventStream;
use super::exit::Exit;
use super::inputs;
use super::jobs::{JobResult, exit_of};
use super::judge::gathered;
use super::options::{CommonOptions, Format};
use super::output::{self, shown};
use super::write::{self, WriteOptions};
use crate::files;
use crate::inspection::path_text;

pub(super) fn run(options: &WriteOptions) -> anyhow::Result<Exit> {
    let format = options.common.format;
    let scheme = options
        .common
        .sow
        .as_ref()
        .context("--all needs a scheme of work; give --sow FILE")?;
    let folder = options
        .output
        .as_ref()
        .filter(|folder| !output::is_stdout(folder) && !folder.is_file())
        .context("--all writes a file for each entry; give a folder with -o DIR")?;
    let entries = numbered(entries(scheme, &options.common)?, scheme)?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", shown(folder)))?;
    // Opened once: every entry has a session of its own.
    let events = Rc::new(EventStream::open(options.judging.events.as_deref())?);
    let mut table = Vec::new();
    let mut all: Vec<JobResult> = Vec::new();
    let mut stopped = false;
    for (order, entry) in &entries {
        let label = entry.label.clone().unwrap_or_default();
        let name = file_name(*order, &label);
        let path = folder.join(&name);
        let mut row = WrittenEntry {
            order: *order,
            label,
            ended: Ended::NotStarted,
            because: None,
            cost_micros: 0,
        };
        if !stopped {
            let one = one_entry(options, *order, (&path, &name));
            let run = write::run_options(&one, Some(&name))?;
            match write::written(&one, &run, &events) {
                Ok(None) => return Ok(Exit::ModelTrouble),
                Ok(Some(results)) => {
                    note(&mut row, &results);
                    stopped = matches!(row.ended, Ended::Interrupted);
                    all.extend(results);
                }
                Err(error) => {
                    let message = format!("{error:#}");
                    row.ended = Ended::Failed;
                    row.because = Some(message.clone());
                    all.push(JobResult::Failed {
                        path: path_text(&path),
                        message,
                    });
                }
            }
        }
        table.push(row);
    }
    let exit = exit_of(&all);
    let text = match format {
        Format::Json | Format::Jsonl => {
            let run = write::run_options(&one_entry(options, 0, (folder, "cards.json")), None)?;
            let report: JudgeReport = gathered(all, "write", &run)?;
            match format {
                Format::Json => serde_json::to_string_pretty(&report)? + "\n",
                _ => report.lines()?,
            }
        }
        _ => scheme_table::human(&table),
    };
    let events = options.judging.events.as_deref();
    output::put_beside(events, options.report.as_deref(), format, &text)?;
    Ok(exit)
}

/// The entries of a scheme of work.
pub(super) fn entries(path: &Path, common: &CommonOptions) -> anyhow::Result<Vec<SchemeEntry>> {
    let limits = inputs::limits(common.config.as_deref())?;
    let bytes = files::read(path, &limits).with_context(|| files::cannot_read(path))?;
    companions::scheme_of_work(bytes)
        .map_err(|expected| anyhow!("{}: expected {}", shown(path), expected.0))
}

/// The entries by their orders, each of which must be there once.
fn numbered(entries: Vec<SchemeEntry>, path: &Path) -> anyhow::Result<Vec<(i64, SchemeEntry)>> {
    let mut numbered: BTreeMap<i64, SchemeEntry> = BTreeMap::new();
    for entry in entries {
        let Some(order) = entry.order else {
            let label = entry.label.as_deref().unwrap_or("without a label");
            bail!(
                "{}: the entry “{label}” has no `order`; add one",
                shown(path)
            );
        };
        if numbered.insert(order, entry).is_some() {
            bail!(
                "{}: two entries have the order {order}; give each its own number",
                shown(path)
            );
        }
    }
    Ok(numbered.into_iter().collect())
}

/// The options for one entry: it goes on with what an earlier command left.
fn one_entry(options: &WriteOptions, order: i64, (path, name): (&Path, &str)) -> WriteOptions {
    WriteOptions {
        order: Some(order),
        all: false,
        go_on: true,
        output: Some(path.to_owned()),
        database: options.database.as_ref().map(|folder| folder.join(name)),
        ..options.clone()
    }
}

fn note(row: &mut WrittenEntry, results: &[JobResult]) {
    for result in results {
        match result {
            JobResult::Judged(one) => {
                let outcome = &one.outcome;
                let score = outcome
                    .score
                    .as_ref()
                    .map(redraft_run::assess::Assessment::overall);
                row.ended = Ended::Judged(outcome.status, score);
                row.because = decision::because(outcome);
                row.cost_micros = outcome.spent.values().map(|spent| spent.cost_micros).sum();
            }
            JobResult::Interrupted { .. } | JobResult::NotStarted { .. } => {
                row.ended = Ended::Interrupted;
            }
            JobResult::Failed { message, .. } => {
                row.ended = Ended::Failed;
                row.because = Some(message.clone());
            }
            JobResult::Skipped(_)
            | JobResult::Bank(_)
            | JobResult::Solver(_)
            | JobResult::UnfinishedBank { .. } => {}
        }
    }
}

/// `004-sharing-costs.json`.
fn file_name(order: i64, label: &str) -> String {
    const MOST: usize = 50;
    let mut slug = String::new();
    for c in label.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.chars().count() >= MOST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    match slug {
        "" => format!("{order:03}.json"),
        slug => format!("{order:03}-{slug}.json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_their_entries() {
        for (order, label, expected) in [
            (
                4,
                "Sharing Costs: Fractions",
                "004-sharing-costs-fractions.json",
            ),
            (12, "  ../etc/passwd ", "012-etc-passwd.json"),
            (1, "", "001.json"),
            (7, "Ünits & 1/2", "007-ünits-1-2.json"),
        ] {
            assert_eq!(file_name(order, label), expected);
        }
    }

    #[test]
    fn every_entry_needs_an_order_of_its_own() {
        let entry = |order| SchemeEntry {
            order,
            ..SchemeEntry::default()
        };
        let path = Path::new("sow.json");
        assert!(numbered(vec![entry(Some(1)), entry(Some(2))], path).is_ok());
        assert!(numbered(vec![entry(Some(1)), entry(Some(1))], path).is_err());
        assert!(numbered(vec![entry(None)], path).is_err());
    }
}
