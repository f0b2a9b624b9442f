//! What `redraft report` shows, read from journals and from JSON results.
//!
//! | given | read as |
//! |---|---|
//! | a folder | the journals in it; of several runs of a text the latest |
//! | a journal, or the name of a run | the run, repeated without a model |
//! | a result of `judge` or `refine` | its runs where their journals are, else what it says itself |
//! | a result of `check` | its findings, and the texts that are still as they were |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use rayon::prelude::*;
use redraft_engine::journal::{Header, Journal, Recorded};
use redraft_engine::replay::{self, Replayed};
use redraft_gate::fix::Inspected;
use redraft_gate::score::Score;
use redraft_gate::span::Version;
use redraft_report::html::{
    BankData, DocumentInput, FindingData, PlacedFinding, RunData, Source, Thresholds,
};
use redraft_report::{decision, report_notices, timestamps};
use redraft_run::bytes_json;
use redraft_run::event::Event;
use redraft_run::policy::Policy;
use redraft_run::run::Run;
use serde_json::Value;

use super::inputs::{self, Inputs};
use super::journals;
use super::output::shown;
use super::record::Record;
use super::replay::decides_alike;
use crate::files::{self, Limits};
use crate::inspection::path_text;

/// Everything that was given.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) entries: Vec<Entry>,
    /// Statistics of banks that `check` gave.
    pub(super) banks: Vec<BankData>,
    /// What was left out, and why.
    pub(super) notices: Vec<String>,
    /// What is read of a file.
    limits: Limits,
}

/// One document and what is known about it.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) data: RunData,
    pub(super) thresholds: Thresholds,
    /// The text that the result is about.
    pub(super) after: Option<Arc<Inspected>>,
    before: Option<Arc<Inspected>>,
    source: Source,
    because: Option<String>,
    notices: Vec<String>,
    events: Vec<Event>,
    started: Option<String>,
    findings: Vec<PlacedFinding>,
}

impl Entry {
    pub(super) fn input(&self) -> DocumentInput<'_> {
        DocumentInput {
            source: self.source,
            data: self.data.clone(),
            because: self.because.clone(),
            notices: self.notices.clone(),
            events: &self.events,
            started: self.started.clone(),
            before: self.before.as_deref().map(|inspected| &inspected.document),
            after: self.after.as_deref().map(|inspected| &inspected.document),
            findings: self.findings.clone(),
            thresholds: self.thresholds,
        }
    }
}

pub(super) fn load(inputs: &[PathBuf], runs: &Path) -> anyhow::Result<Loaded> {
    let mut loaded = Loaded {
        limits: inputs::limits(None)?,
        ..Loaded::default()
    };
    for input in inputs {
        if input.is_dir() {
            folder(&mut loaded, input)?;
        } else if input.is_file() && !is_journal(input) {
            result_file(&mut loaded, input)?;
        } else {
            let journal = journals::find(input, runs)?;
            loaded.entries.push(of_journal(&journal)?);
        }
    }
    Ok(loaded)
}

/// Whether a file is a journal, by its first line.
pub(super) fn is_journal(path: &Path) -> bool {
    use std::io::Read as _;
    let mut head = [0; 16];
    std::fs::File::open(path)
        .and_then(|mut file| file.read(&mut head))
        .is_ok_and(|read| head[..read].starts_with(b"{\"journal\":"))
}

fn folder(loaded: &mut Loaded, folder: &Path) -> anyhow::Result<()> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot list {}", shown(folder)))?;
    let mut journals: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl") && is_journal(path))
        .collect();
    journals.sort();
    if journals.is_empty() {
        bail!(
            "no runs in {}; name a run, a folder of journals or a result of check, judge or refine",
            shown(folder)
        );
    }
    let mut left_out = 0;
    // Names begin with the time, so the last of a document is its latest run.
    let mut latest: BTreeMap<String, PathBuf> = BTreeMap::new();
    for path in journals {
        match Journal::read(&path) {
            Ok((header, _)) => {
                // `judge .` and `judge FILE` name the same file in two ways.
                let document = header.setup["path"].as_str().unwrap_or_default();
                let document = document.trim_start_matches("./").to_owned();
                left_out += usize::from(latest.insert(document, path).is_some());
            }
            Err(error) => loaded.notices.push(report_notices::left_out(&error)),
        }
    }
    if left_out > 0 {
        let folder = path_text(folder);
        let notice = report_notices::earlier_runs(left_out, &folder);
        loaded.notices.push(notice);
    }
    let entries: Vec<anyhow::Result<Entry>> = latest
        .into_values()
        .collect::<Vec<_>>()
        .par_iter()
        .map(|path| of_journal(path))
        .collect();
    for entry in entries {
        match entry {
            Ok(entry) => loaded.entries.push(entry),
            Err(error) => loaded.notices.push(report_notices::left_out(&error)),
        }
    }
    Ok(())
}

/// A run, repeated from its journal.
fn of_journal(path: &Path) -> anyhow::Result<Entry> {
    let (header, recorded) = Journal::read(path)?;
    of_run(path, &header, &recorded).with_context(|| format!("cannot show {}", shown(path)))
}

fn of_run(journal: &Path, header: &Header, recorded: &Recorded) -> anyhow::Result<Entry> {
    let record = Record::of(header, journal)?;
    let setup = record.setup(&header.run)?;
    let (before, inspector) = (Arc::clone(&setup.inspected), Arc::clone(&setup.inspector));
    let mut entry = Entry {
        thresholds: thresholds(&record.policy),
        started: Some(started(header)),
        ..Entry::default()
    };
    let (replayed, events) = replay::replay(Run::new(setup, header.started), recorded)?;
    entry.events = events;
    let after = match replayed {
        Replayed::Outcome(outcome) => {
            entry.because = decision::because(&outcome);
            let value = serde_json::to_value(&outcome)?;
            if let Some(recorded) = recorded
                .outcome
                .as_ref()
                .filter(|old| !decides_alike(&value, old))
            {
                let status = recorded["status"].as_str().unwrap_or("something else");
                let notice = report_notices::decides_differently(&header.program, status);
                entry.notices.push(notice);
            }
            entry.data = serde_json::from_value(value).context("cannot read the outcome")?;
            match outcome.final_content {
                Some(bytes) => Arc::new(inspector.inspect_as(bytes, before.document.form())),
                None => Arc::clone(&before),
            }
        }
        Replayed::EndsAt { .. } => {
            entry.source = Source::Unfinished;
            entry.data.profile.clone_from(&record.profile);
            let notice = report_notices::NOT_FINISHED.to_owned();
            entry.notices.push(notice);
            Arc::clone(&before)
        }
    };
    entry.data.path = path_text(&record.path);
    entry.data.run.clone_from(&header.run);
    entry.findings = after.findings.iter().map(PlacedFinding::from).collect();
    entry.before = Some(before);
    entry.after = Some(after);
    Ok(entry)
}

fn thresholds(policy: &Policy) -> Thresholds {
    let share = |score: Score| f64::from(score.thousandths()) / 1_000.0;
    Thresholds {
        accept: Some(share(policy.accept)),
        good_enough: policy.good_enough.as_ref().map(|enough| share(enough.from)),
    }
}

/// `2026-11-15 14:30 UTC`.
fn started(header: &Header) -> String {
    let iso = timestamps::iso(header.started);
    match (iso.get(..10), iso.get(11..16)) {
        (Some(day), Some(time)) => format!("{day} {time} UTC"),
        _ => iso,
    }
}

/// A result of `check`, `judge` or `refine`, as JSON or as JSON lines.
fn result_file(loaded: &mut Loaded, path: &Path) -> anyhow::Result<()> {
    let text = files::read_text(path, &loaded.limits).with_context(|| files::cannot_read(path))?;
    let documents = match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(mut result)) if result.contains_key("documents") => {
            let banks = result.remove("banks").unwrap_or_default();
            add_banks(loaded, banks);
            match result.remove("documents") {
                Some(Value::Array(documents)) => documents,
                _ => bail!("{}: `documents` is not a list", shown(path)),
            }
        }
        Ok(one) => vec![one],
        Err(_) => lines(path, &text)?,
    };
    for document in documents {
        if document.get("skipped").is_some() || document.get("unfinished").is_some() {
            continue;
        }
        if document.get("status").is_some() {
            loaded
                .entries
                .push(of_result((path, &loaded.limits), document)?);
        } else if document.get("self_review").is_some() {
            if let Some(bank) = document.get("bank") {
                add_banks(loaded, Value::Array(vec![bank.clone()]));
            }
            loaded
                .entries
                .push(of_check((path, &loaded.limits), document)?);
        } else {
            bail!(
                "{} is neither a run nor a result of redraft; give a journal, or the --format json output of check, judge or refine",
                shown(path)
            );
        }
    }
    Ok(())
}

fn lines(path: &Path, text: &str) -> anyhow::Result<Vec<Value>> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            serde_json::from_str(line).with_context(|| {
                format!(
                    "{} is neither JSON nor JSON lines: line {}",
                    shown(path),
                    index + 1
                )
            })
        })
        .collect()
}

/// Statistics of `check`; the banks of `refine` list items that are shown anyway.
fn add_banks(loaded: &mut Loaded, banks: Value) {
    let Value::Array(banks) = banks else { return };
    let known = banks
        .into_iter()
        .filter(|bank| bank.get("key_positions").is_some());
    loaded
        .banks
        .extend(known.filter_map(|bank| serde_json::from_value(bank).ok()));
}

/// A path that a result names: as it was then, or beside the result.
fn beside(result: &Path, path: &str) -> Option<PathBuf> {
    let here = PathBuf::from(path);
    let there = result.parent().map(|folder| folder.join(path));
    [Some(here), there]
        .into_iter()
        .flatten()
        .find(|path| path.is_file())
}

fn of_result((result, limits): (&Path, &Limits), document: Value) -> anyhow::Result<Entry> {
    let data: RunData = serde_json::from_value(document)
        .with_context(|| format!("{} has a result that cannot be read", shown(result)))?;
    if let Some(journal) = beside(result, &data.journal).filter(|path| is_journal(path))
        && let Ok((header, recorded)) = Journal::read(&journal)
        && header.run == data.run
    {
        return of_run(&journal, &header, &recorded)
            .with_context(|| format!("cannot show {}", shown(&journal)));
    }
    let mut entry = Entry {
        notices: vec![report_notices::no_journal(&data.journal)],
        ..Entry::default()
    };
    let changed = data
        .final_content
        .as_ref()
        .and_then(|content| bytes_json::deserialize(content).ok());
    let original = read_as((result, limits), &data.path, &data.input);
    entry.before = original.and_then(|bytes| inspected(&data.path, &data.profile, bytes));
    entry.after = match changed {
        Some(bytes) => inspected(&data.path, &data.profile, bytes),
        None => entry.before.clone(),
    };
    if entry.after.is_none() {
        entry.notices.push(report_notices::no_text(&data.path));
    }
    entry.findings = data
        .findings
        .iter()
        .cloned()
        .map(PlacedFinding::from)
        .collect();
    entry.data = data;
    Ok(entry)
}

fn of_check((result, limits): (&Path, &Limits), document: Value) -> anyhow::Result<Entry> {
    #[derive(serde::Deserialize)]
    struct Checked {
        path: String,
        profile: String,
        #[serde(default)]
        content: String,
        #[serde(default)]
        findings: Vec<FindingData>,
    }
    let checked: Checked = serde_json::from_value(document)
        .with_context(|| format!("{} has a result that cannot be read", shown(result)))?;
    let text = read_as((result, limits), &checked.path, &checked.content);
    let after = text.and_then(|bytes| inspected(&checked.path, &checked.profile, bytes));
    let notices = match after {
        Some(_) => Vec::new(),
        None => vec![report_notices::no_text(&checked.path)],
    };
    Ok(Entry {
        source: Source::Check,
        data: RunData {
            path: checked.path,
            profile: checked.profile,
            ..RunData::default()
        },
        findings: checked
            .findings
            .into_iter()
            .map(PlacedFinding::from)
            .collect(),
        after,
        notices,
        ..Entry::default()
    })
}

/// The bytes of a file, if they are still the version that a result speaks of.
fn read_as((result, limits): (&Path, &Limits), path: &str, version: &str) -> Option<Vec<u8>> {
    let bytes = files::content(&beside(result, path)?, limits).ok()?;
    (Version::of(&bytes).to_string() == version).then_some(bytes)
}

/// A text, read as its profile does. What the checks find in it now is not asked: the
/// result says what they found.
fn inspected(path: &str, profile: &str, bytes: Vec<u8>) -> Option<Arc<Inspected>> {
    let inputs = Inputs {
        profile: (profile != "companion").then(|| profile.to_owned()),
        ..Inputs::default()
    };
    let document = inputs
        .inspector()
        .ok()?
        .parse(Path::new(path), bytes)
        .ok()?;
    Some(Arc::new(Inspected {
        document,
        findings: Vec::new(),
    }))
}
