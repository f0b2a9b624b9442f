//! `redraft write`: writes a lesson, a set of cards or an item from its specification, then
//! judges and repairs it as `refine` does.
//!
//! | profile | written from |
//! |---|---|
//! | lesson | `--spec`, with `--sources` |
//! | sqa-lesson | `--sow`, one entry or a scheme with `--order` or `--all`, with `--outcomes` |
//! | clinical-mcq, mcq | `--spec` with a learning outcome, a Bloom level, a topic |
//!
//! The text goes to `-o`; without it to standard output, and the report to standard
//! error. If nothing could be written there is no text, and the exit code says so.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::bail;
use clap::Args;
use redraft_run::setup::Goal;

use super::bank::TakenItems;
use super::database;
use super::events::{self, EventStream};
use super::exit::Exit;
use super::jobs::{JobResult, exit_of};
use super::judge::{gathered, no_model};
use super::options::{CommonOptions, FileOptions, Format};
use super::output::{self, complain, shown};
use super::run_options::{JudgingOptions, RunOptions};
use super::session::{self, Assignment, Review};
use crate::files::{self, HardLinks};
use crate::inspection::path_text;
use redraft_report::judge_report::JudgeReport;
use redraft_report::refine_report;

/// Options of `write`.
#[derive(Clone, Debug, Default, Args)]
pub struct WriteOptions {
    #[command(flatten)]
    pub judging: JudgingOptions,
    /// Resume an interrupted run: its journal file or its name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["policy", "rubric", "mode"])]
    pub resume: Option<PathBuf>,
    /// Continue an earlier run of the same specification and settings
    #[arg(long = "continue")]
    pub go_on: bool,
    /// Write the entry of the scheme of work with this `order`
    #[arg(long, value_name = "N", requires = "sow", conflicts_with_all = ["all", "resume"])]
    pub order: Option<i64>,
    /// Write every entry of the scheme of work to the folder -o
    #[arg(long, requires = "sow", conflicts_with = "resume")]
    pub all: bool,
    /// Write the text to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write accepted cards, plain and compressed, for a database
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}

pub(super) fn run(options: &WriteOptions) -> anyhow::Result<Exit> {
    let format = options.common.format;
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    let inputs = || options.common.companions().chain(options.judging.inputs());
    output::spare(options.output.as_deref(), inputs())?;
    output::spare(options.report.as_deref(), inputs())?;
    for output in options.judging.outputs() {
        output::spare(output, inputs())?;
    }
    output::distinct(
        [options.output.as_deref(), options.report.as_deref()]
            .into_iter()
            .chain(options.judging.outputs()),
    )?;
    if options.all {
        return super::write_all::run(options);
    }
    let run = run_options(options, None)?;
    let events = options.judging.events.as_deref();
    if events::take_stdout(events)
        && options.output.as_deref().is_none_or(output::is_stdout)
        && format == Format::Human
    {
        bail!(
            "the text and the events cannot both go to standard output; write the text to a file with -o"
        );
    }
    let stream = Rc::new(EventStream::open(events)?);
    let Some(results) = written(options, &run, &stream)? else {
        return Ok(Exit::ModelTrouble);
    };
    let mut has_text = false;
    for result in &results {
        let JobResult::Judged(one) = result else {
            continue;
        };
        if let Some(text) = &one.outcome.final_content {
            has_text = true;
            match &options.output {
                Some(path) if output::is_stdout(path) => std::io::stdout().write_all(text)?,
                None if format == Format::Human => anstream::stdout().write_all(text)?,
                Some(_) | None => {}
            }
        }
    }
    let exit = exit_of(&results);
    let report: JudgeReport = gathered(results, "write", &run)?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl => report.lines()?,
        _ => refine_report::human(&report) + &saved(options, has_text),
    };
    let to_stdout = match &options.output {
        Some(path) => output::is_stdout(path),
        None => format == Format::Human,
    };
    let is_taken = events::take_stdout(events) || (has_text && to_stdout);
    if options.report.is_none() && is_taken {
        output::print_aside(format, &text)?;
    } else {
        output::put(options.report.as_deref(), format, &text)?;
    }
    Ok(exit)
}

/// The last line of the report: where the text is.
fn saved(options: &WriteOptions, has_text: bool) -> String {
    match &options.output {
        _ if !has_text => "nothing was written, nothing saved\n".to_owned(),
        Some(path) if !output::is_stdout(path) => format!("saved to {}\n", shown(path)),
        _ => "saved to standard output\n".to_owned(),
    }
}

/// Writes one text, to its file where it has one; `None` where no model is configured.
pub(super) fn written(
    options: &WriteOptions,
    run: &RunOptions,
    events: &Rc<EventStream>,
) -> anyhow::Result<Option<Vec<JobResult>>> {
    let Some(models) = run.models()? else {
        complain(&no_model("written"));
        return Ok(None);
    };
    let assignment = Assignment {
        goal: Goal::Write,
        options: run,
        models,
        review: Review::of(run),
        events: Rc::clone(events),
        taken: TakenItems::All,
    };
    let mut results = session::run(assignment, &mut |_| Ok(()))?;
    for result in &mut results {
        let JobResult::Judged(one) = result else {
            continue;
        };
        // The report names the file that the text is written to.
        one.path = options
            .output
            .as_ref()
            .map_or_else(|| "-".to_owned(), |path| path_text(path));
        if let Some(to) = &options.database {
            database::keep(one, to)?;
        }
        if let (Some(text), Some(path)) = (&one.outcome.final_content, &options.output)
            && !output::is_stdout(path)
        {
            files::put(path, text, HardLinks::Refuse)?;
        }
    }
    Ok(Some(results))
}

/// The options of a session whose only text is not written yet.
pub(super) fn run_options(
    options: &WriteOptions,
    named: Option<&str>,
) -> anyhow::Result<RunOptions> {
    let mut common = options.common.clone();
    common.sow_order = options.order;
    // A scheme of work is for cards.
    let usual = match (&common.sow, &common.spec) {
        (Some(_), None) => "sqa-lesson",
        _ => "lesson",
    };
    let profile = common
        .profile
        .get_or_insert_with(|| usual.to_owned())
        .clone();
    let name = match profile.as_str() {
        "lesson" => "lesson.md",
        "sqa-lesson" => "cards.json",
        _ => "item.json",
    };
    if options.resume.is_none() {
        let missing = match profile.as_str() {
            "sqa-lesson" if common.sow.is_none() => {
                "writing cards needs an entry of a scheme of work; give --sow FILE"
            }
            "lesson" if common.spec.is_none() => {
                "writing a lesson needs its specification; give --spec FILE"
            }
            "clinical-mcq" | "mcq" if common.spec.is_none() => {
                "writing an item needs a specification with a learning outcome, a Bloom level and a topic; give --spec FILE"
            }
            _ => "",
        };
        if !missing.is_empty() {
            bail!("{missing}");
        }
        if profile == "sqa-lesson" && options.order.is_none() {
            only_entry(options)?;
        }
    }
    let form = |path: &Path| {
        path.extension()
            .and_then(|name| name.to_str())
            .map(str::to_lowercase)
    };
    if let Some(output) = &options.output
        && name == "lesson.md"
        && form(output).as_deref() == Some("json")
    {
        bail!("lessons are written in Markdown, not JSON; give -o FILE.md");
    }
    Ok(RunOptions {
        paths: vec![PathBuf::from(named.unwrap_or(name))],
        judging: options.judging.clone(),
        concurrency: 1,
        all: false,
        batch: false,
        resume: options.resume.clone(),
        go_on: options.go_on,
        files: FileOptions::default(),
        common,
    })
}

/// Checks that a scheme of work has one entry, where none is chosen.
fn only_entry(options: &WriteOptions) -> anyhow::Result<()> {
    let Some(path) = &options.common.sow else {
        return Ok(());
    };
    let entries = super::write_all::entries(path, &options.common)?;
    if let [_, _, ..] = entries.as_slice() {
        bail!(
            "{} has {} entries; choose one with --order N, or write all of them with --all -o DIR",
            shown(path),
            entries.len()
        );
    }
    Ok(())
}
