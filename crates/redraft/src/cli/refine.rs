//! `redraft refine`: repairs weak sections and proves that nothing else changed.
//!
//! Where the repaired text goes is decided in [`super::saving`].

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::bail;
use clap::Args;
use redraft_run::setup::Goal;

use super::database;
use super::events::{self, EventStream};
use super::exit::Exit;
use super::jobs::{JobResult, exit_of};
use super::judge::{gathered, no_model, stream};
use super::judged_formats;
use super::model_source::ModelSource;
use super::options::Format;
use super::output::{self, complain};
use super::run_options::RunOptions;
use super::saving::{self, Saver};
use super::session::{self, Assignment, Review};
use redraft_report::judge_report::{JudgeReport, Judged};
use redraft_report::{overview, refine_report};

/// Options of `refine`.
#[derive(Clone, Debug, Default, Args)]
pub struct RefineOptions {
    #[command(flatten)]
    pub run: RunOptions,
    /// Use no model: only checks, safe fixes and receipts
    #[arg(long, conflicts_with_all = ["script", "require_judged"])]
    pub free: bool,
    /// Replace the file with the repaired text
    #[arg(long, short, conflicts_with = "output")]
    pub write: bool,
    /// With --write: replace the file even if the text was not accepted
    #[arg(long, requires = "write")]
    pub accept_best: bool,
    /// Replace a file even if that breaks its hard links
    #[arg(long)]
    pub break_links: bool,
    /// Write the repaired text to this file or folder; `-` for stdout
    #[arg(long, short, value_name = "FILE|DIR")]
    pub output: Option<PathBuf>,
    /// Write accepted cards, plain and compressed, for a database
    #[arg(long, value_name = "FILE|DIR")]
    pub database: Option<PathBuf>,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

pub(super) fn run(options: &RefineOptions) -> anyhow::Result<Exit> {
    let format = options.run.common.format;
    if options.run.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    output::spare(options.report.as_deref(), options.run.inputs())?;
    output::spare(
        options.output.as_deref(),
        options.run.inputs().skip(options.run.paths.len()),
    )?;
    output::distinct(
        [
            options.output.as_deref(),
            options.report.as_deref(),
            options.database.as_deref(),
        ]
        .into_iter()
        .chain(options.run.judging.outputs()),
    )?;
    options.run.spare_inputs()?;
    let (goal, models) = if options.free {
        (Goal::Free, ModelSource::none()?)
    } else {
        let Some(models) = options.run.models()? else {
            complain(&no_model("refined"));
            return Ok(Exit::ModelTrouble);
        };
        (Goal::Refine, models)
    };
    let events = options.run.judging.events.as_deref();
    let text_to_stdout = options.output.as_deref().is_some_and(output::is_stdout);
    if events::take_stdout(events) && text_to_stdout {
        bail!(
            "the text and the events cannot both go to standard output; give a file with -o or --events"
        );
    }
    let streams =
        format == Format::Jsonl && options.report.is_none() && !events::take_stdout(events);
    let assignment = Assignment {
        goal,
        options: &options.run,
        models,
        review: Review::of(&options.run),
        events: Rc::new(EventStream::open(events)?),
        taken: Saver::taken_items(options),
    };
    let mut saver = Saver::new(options)?;
    let results = session::run(assignment, &mut |result| {
        match result {
            JobResult::Judged(one) => {
                saver.document(one)?;
                if let Some(output) = &options.database {
                    let to = saving::target(options, output, Path::new(&one.path));
                    database::keep(one, &to)?;
                }
            }
            JobResult::Bank(bank) => saver.bank(bank)?,
            _ => {}
        }
        if streams {
            stream(result)?;
        }
        Ok(())
    })?;
    let mut exits = vec![exit_of(&results)];
    exits.extend(saver.has_failed.then_some(Exit::Usage));
    let exit = Exit::of_all(&exits);
    let report: JudgeReport = gathered(results, "refine", &options.run)?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl if streams => return Ok(exit),
        Format::Jsonl => report.lines()?,
        Format::Sarif | Format::Junit | Format::Markdown => {
            let exit_of = |one: &Judged| Exit::of_outcome(&one.outcome);
            judged_formats::render("refine", &report, &options.run, (exit, exit_of))?
        }
        _ => {
            let mut text = if options.run.shows_each(report.documents.len()) {
                refine_report::human(&report)
            } else {
                overview::human(&report)
            };
            if !options.run.common.quiet {
                text.push_str(&saver.summary());
            }
            text
        }
    };
    // Where standard output carries the text, the report goes to standard error.
    let taken = [events, options.output.as_deref()];
    let taken = taken.into_iter().flatten().find(|to| output::is_stdout(to));
    output::put_beside(taken, options.report.as_deref(), format, &text)?;
    Ok(exit)
}
