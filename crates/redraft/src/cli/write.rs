//! `redraft write`: write a lesson, a set of cards or an item from what was ordered,
//! then judge and repair it as `refine` does.
//!
//! | profile | written from |
//! |---|---|
//! | lesson | `--spec`, with `--sources` |
//! | sqa-lesson | `--sow`, one entry, with `--outcomes` |
//! | clinical-mcq | `--spec` with a learning outcome, a Bloom level, a topic |
//!
//! The text goes to `-o`; without it to standard output, and the report to standard
//! error. Where nothing could be written there is no text, and the exit code says
//! so.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use redraft_run::setup::Goal;

use super::database;
use super::exit::Exit;
use super::jobs::{JobResult, exit_of};
use super::judge::{gathered, no_model, only_run_formats, put};
use super::options::{CommonOptions, Format};
use super::refine::at_the_terminal;
use super::run_options::{JudgingOptions, RunOptions};
use super::session::{self, Assignment};
use crate::files;
use redraft_report::refined;
use redraft_report::verdict::JudgeReport;

/// Options of `write`.
#[derive(Clone, Debug, Default, Args)]
pub struct WriteOptions {
    /// How it is judged.
    #[command(flatten)]
    pub judging: JudgingOptions,
    /// Go on with an interrupted run: its journal, or its name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["policy", "rubric", "mode"])]
    pub resume: Option<PathBuf>,
    /// Take what an earlier run of the same order under the same settings has
    /// answered from its journal, and go on where it stopped
    #[arg(long = "continue")]
    pub go_on: bool,
    /// Write the text to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write cards that passed to this file, compressed beside the plain ones, as a
    /// database takes them
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
    only_run_formats("write", format)?;
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    let run = run_options(options)?;
    let Some(models) = run.models()? else {
        writeln!(anstream::stderr(), "redraft: {}", no_model("written"))?;
        return Ok(Exit::ModelTrouble);
    };
    let assignment = Assignment {
        goal: Goal::Write,
        options: &run,
        models,
        human: at_the_terminal(&run),
    };
    let results = session::run(assignment, &mut |_| Ok(()))?;
    let mut has_text = false;
    for result in &results {
        let JobResult::Judged(one) = result else {
            continue;
        };
        if let Some(to) = &options.database {
            database::keep(one, to)?;
        }
        if let Some(text) = &one.outcome.final_content {
            has_text = true;
            match &options.output {
                Some(path) => files::put(path, text)?,
                None if format == Format::Human => anstream::stdout().write_all(text)?,
                None => {}
            }
        }
    }
    let exit = exit_of(&results);
    let report: JudgeReport = gathered(results, "write", &[])?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl => report.lines()?,
        _ => refined::human(&report),
    };
    if options.report.is_none() && format == Format::Human && has_text && options.output.is_none() {
        anstream::stderr().write_all(text.as_bytes())?;
    } else {
        put(options.report.as_ref(), &text)?;
    }
    Ok(exit)
}

/// The options of a session whose only text is yet to be written.
fn run_options(options: &WriteOptions) -> anyhow::Result<RunOptions> {
    let mut common = options.common.clone();
    let profile = common
        .profile
        .get_or_insert_with(|| "lesson".to_owned())
        .clone();
    let name = match profile.as_str() {
        "lesson" => "lesson.md",
        "sqa-lesson" => "cards.json",
        _ => "item.json",
    };
    if options.resume.is_none() {
        let lacks = match profile.as_str() {
            "sqa-lesson" if common.sow.is_none() => {
                "cards are written from an entry of a scheme of work: give --sow FILE"
            }
            "lesson" if common.spec.is_none() => {
                "a lesson is written from its specification: give --spec FILE"
            }
            "clinical-mcq" if common.spec.is_none() => {
                "an item is written from a learning outcome, a Bloom level and a topic: give --spec FILE"
            }
            _ => "",
        };
        if !lacks.is_empty() {
            bail!("{lacks}");
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
        bail!("lessons are written in Markdown; give -o FILE.md");
    }
    Ok(RunOptions {
        paths: vec![PathBuf::from(name)],
        judging: options.judging.clone(),
        concurrency: 1,
        resume: options.resume.clone(),
        go_on: options.go_on,
        common,
    })
}
