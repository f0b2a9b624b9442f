//! `redraft judge`: the free checks, then judges, then a decision. The text stays
//! unchanged.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_run::setup::Goal;

use super::check::shown;
use super::exit::Exit;
use super::jobs::{JobResult, exit_of};
use super::options::Format;
use super::run_options::RunOptions;
use super::session::{self, Assignment};
use redraft_report::PLUG_IN;
use redraft_report::judge_report::{self, JudgeReport};

/// Options of `judge`.
#[derive(Clone, Debug, Default, Args)]
pub struct JudgeOptions {
    #[command(flatten)]
    pub run: RunOptions,
    /// Write the result to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

pub(super) fn run(options: &JudgeOptions) -> anyhow::Result<Exit> {
    let format = options.run.common.format;
    only_run_formats("judge", format)?;
    if options.run.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    let Some(models) = options.run.models()? else {
        writeln!(anstream::stderr(), "redraft: {}", no_model("judged"))?;
        return Ok(Exit::ModelTrouble);
    };
    let streams = format == Format::Jsonl && options.output.is_none();
    let assignment = Assignment {
        goal: Goal::Judge,
        options: &options.run,
        models,
        human: None,
    };
    let results = session::run(assignment, &mut |result| {
        if let (true, JobResult::Judged(one)) = (streams, result) {
            let line = serde_json::to_string(one)? + "\n";
            anstream::stdout().write_all(line.as_bytes())?;
        }
        Ok(())
    })?;
    let exit = exit_of(&results);
    let report = gathered(results, "judge", &options.run.paths)?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl if streams => return Ok(exit),
        Format::Jsonl => report.lines()?,
        _ => judge_report::human(&report),
    };
    put(options.output.as_ref(), &text)?;
    Ok(exit)
}

/// The error of a command that needs models when none is configured.
pub(super) fn no_model(what: &str) -> String {
    format!(
        "no model is configured, so nothing can be {what}.\n{PLUG_IN}\nWithout a model: `redraft check`, `redraft refine --free`, or scripted replies with --script FILE (see examples/)."
    )
}

pub(super) fn only_run_formats(command: &str, format: Format) -> anyhow::Result<()> {
    if matches!(format, Format::Human | Format::Json | Format::Jsonl) {
        return Ok(());
    }
    bail!(
        "`{command}` supports --format human, json and jsonl; sarif, junit and markdown are for `check`"
    )
}

/// The report of all documents. Failures and interruptions are printed at once.
pub(super) fn gathered(
    results: Vec<JobResult>,
    command: &str,
    paths: &[PathBuf],
) -> anyhow::Result<JudgeReport> {
    let mut report = JudgeReport::default();
    let (is_empty, documents) = (results.is_empty(), results.len());
    let mut journals = Vec::new();
    let mut not_started = 0;
    for result in results {
        match result {
            JobResult::Judged(one) => report.add(*one),
            JobResult::Interrupted(journal) => journals.push(journal),
            JobResult::NotStarted => not_started += 1,
            JobResult::Bank(bank) => report.banks.push(*bank),
            JobResult::UnfinishedBank {
                bank, done, items, ..
            } => writeln!(
                anstream::stderr(),
                "redraft: {}: {done} of {items} items are done, and every answer is saved. Continue with\n  redraft {command} {} --continue",
                bank.display(),
                bank.display()
            )?,
            JobResult::Failed(message) => writeln!(anstream::stderr(), "redraft: {message}")?,
        }
    }
    if let Some(hint) = how_to_continue(&journals, not_started, documents, command, paths) {
        writeln!(anstream::stderr(), "redraft: {hint}")?;
    }
    if is_empty {
        bail!("no lessons, cards or items found to {command}");
    }
    Ok(report)
}

/// How to continue after an interruption: one run by its journal, several texts by
/// repeating the command with `--continue`.
fn how_to_continue(
    journals: &[PathBuf],
    not_started: usize,
    documents: usize,
    command: &str,
    paths: &[PathBuf],
) -> Option<String> {
    match (journals, not_started) {
        ([], 0) => None,
        ([journal], 0) => Some(format!(
            "interrupted; every answer is saved. Continue with\n  redraft {command} --resume {}",
            journal.display()
        )),
        _ => {
            let open = journals.len() + not_started;
            let paths: String = paths.iter().map(|path| shown(path) + " ").collect();
            Some(format!(
                "interrupted: {} of {documents} texts are done, and every answer is saved. Continue with\n  redraft {command} {paths}--continue",
                documents.saturating_sub(open)
            ))
        }
    }
}

pub(super) fn put(output: Option<&PathBuf>, text: &str) -> anyhow::Result<()> {
    match output {
        Some(path) => {
            let plain = anstream::adapter::strip_str(text).to_string();
            std::fs::write(path, plain).with_context(|| format!("cannot write {}", path.display()))
        }
        None => Ok(anstream::stdout().write_all(text.as_bytes())?),
    }
}
