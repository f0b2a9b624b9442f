//! `redraft judge`: the free checks, then judges, then a decision. The text stays
//! unchanged.

use std::io::Write as _;
use std::path::PathBuf;
use std::rc::Rc;

use anyhow::bail;
use clap::Args;
use redraft_run::setup::Goal;

use super::bank::TakenItems;
use super::events::{self, EventStream};
use super::exit::Exit;
use super::hints;
use super::jobs::JobResult;
use super::judged_formats;
use super::options::Format;
use super::output::{self, complain, shown};
use super::run_options::RunOptions;
use super::session::{self, Assignment, Review};
use redraft_report::check_text::{self, Amount};
use redraft_report::judge_report::{self, JudgeReport};
use redraft_report::{PLUG_IN, overview};
use serde_json::json;

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
    if options.run.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    output::spare(options.output.as_deref(), options.run.inputs())?;
    output::distinct(
        [options.output.as_deref()]
            .into_iter()
            .chain(options.run.judging.outputs()),
    )?;
    options.run.spare_inputs()?;
    let Some(models) = options.run.models()? else {
        complain(&no_model("judged"));
        return Ok(Exit::ModelTrouble);
    };
    let events = options.run.judging.events.as_deref();
    let streams =
        format == Format::Jsonl && options.output.is_none() && !events::take_stdout(events);
    let assignment = Assignment {
        goal: Goal::Judge,
        options: &options.run,
        models,
        review: Review::Unattended,
        events: Rc::new(EventStream::open(events)?),
        taken: TakenItems::All,
    };
    let results = session::run(assignment, &mut |result| {
        if streams {
            stream(result)?;
        }
        Ok(())
    })?;
    let exits = results.iter().map(|result| match result {
        JobResult::Judged(one) => Exit::of_judgement(one),
        other => other.exit(),
    });
    let exit = Exit::of_all(&exits.collect::<Vec<_>>());
    let report = gathered(results, "judge", &options.run)?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl if streams => return Ok(exit),
        Format::Jsonl => report.lines()?,
        Format::Sarif | Format::Junit | Format::Markdown => {
            judged_formats::render("judge", &report, &options.run, (exit, Exit::of_judgement))?
        }
        _ if options.run.shows_each(report.documents.len()) => judge_report::human(&report),
        _ => overview::human(&report),
    };
    output::put_beside(events, options.output.as_deref(), format, &text)?;
    Ok(exit)
}

/// Prints a result as a line of JSON, as soon as it is there.
pub(super) fn stream(result: &JobResult) -> anyhow::Result<()> {
    let line = match result {
        JobResult::Judged(one) => serde_json::to_string(one)?,
        JobResult::Skipped(file) => {
            json!({ "path": file.path, "skipped": file.reason }).to_string()
        }
        other => match other.unfinished() {
            Some(unfinished) => serde_json::to_string(&unfinished)?,
            None => return Ok(()),
        },
    };
    let line = line + "\n";
    output::undisturbed(|| anstream::stdout().write_all(line.as_bytes()))?;
    Ok(())
}

/// The error of a command that needs models when none is configured.
pub(super) fn no_model(what: &str) -> String {
    format!(
        "no model is configured, so nothing can be {what}.\n{PLUG_IN}\nWithout a model: `redraft check`, `redraft refine --free`, or scripted replies with --script FILE (see examples/)."
    )
}

/// The report of all documents. Failures and interruptions are printed at once.
pub(super) fn gathered(
    results: Vec<JobResult>,
    command: &str,
    options: &RunOptions,
) -> anyhow::Result<JudgeReport> {
    let mut report = JudgeReport::default();
    let is_skipped = |result: &&JobResult| matches!(result, JobResult::Skipped(_));
    let documents = results.len() - results.iter().filter(is_skipped).count();
    let mut journals = Vec::new();
    let (mut not_started, mut unfinished) = (0, 0);
    for result in results {
        report.unfinished.extend(result.unfinished());
        match result {
            JobResult::Judged(one) => report.add(*one),
            JobResult::Interrupted { journal, .. } => journals.push(journal),
            JobResult::NotStarted { .. } => not_started += 1,
            JobResult::Bank(bank) => report.banks.push(*bank),
            JobResult::Solver(solver) => report.solvers.push(solver),
            JobResult::Skipped(file) => report.skipped.push(file),
            JobResult::UnfinishedBank {
                bank, done, items, ..
            } => {
                unfinished += 1;
                complain(&format!(
                    "{}: {done} of {items} items are done, and every answer is saved",
                    shown(&bank)
                ));
            }
            JobResult::Failed { message, .. } => complain(&message),
        }
    }
    let hint = how_to_continue(&journals, (not_started, unfinished), documents);
    if let Some(hint) = hint {
        complain(&hint);
    }
    let listed = check_text::skipped(&report.skipped, Amount::Few);
    output::print_aside(Format::Human, &listed)?;
    if documents == 0 && !options.files.allow_empty {
        bail!("no lessons, cards or items found to {command}; use --allow-empty to succeed anyway");
    }
    Ok(report)
}

/// How to continue after an interruption: one run by its journal, several texts by
/// repeating the command with `--continue`.
fn how_to_continue(
    journals: &[PathBuf],
    (not_started, unfinished_banks): (usize, usize),
    documents: usize,
) -> Option<String> {
    let open = journals.len() + not_started;
    match (journals, not_started, unfinished_banks) {
        ([], 0, 0) => None,
        ([journal], 0, 0) => Some(format!(
            "interrupted; every answer is saved. Continue with\n  {}",
            hints::resumed(journal, &[])
        )),
        (_, _, 0) => Some(format!(
            "interrupted: {} of {documents} texts are done, and every answer is saved. Continue with\n  {}",
            documents.saturating_sub(open),
            hints::continued(&[])
        )),
        _ => Some(format!("continue with\n  {}", hints::continued(&[]))),
    }
}
