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

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_core::run::Goal;

use super::Exit;
use super::judge::{gathered, no_model, only_run_formats, put};
use super::options::{CommonOptions, Format};
use super::refine::at_the_terminal;
use super::session::{Ended, ModeName, RunOptions, Session, exit_of};
use super::staff::Staff;
use crate::report::refined;
use crate::report::verdict::JudgeReport;

/// Options of `write`.
#[derive(Clone, Debug, Default, Args)]
pub struct WriteOptions {
    /// Answer from this script instead of a model (TOML); the result says so
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Whether people are at hand (lessons only)
    #[arg(long, value_enum)]
    pub mode: Option<ModeName>,
    /// Figures of the decision to lay over the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Judge by this rubric instead of the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// Refuse a result that too few judges stand behind
    #[arg(long)]
    pub require_judged: bool,
    /// Language of the remarks, where it is not the lesson's
    #[arg(long, value_name = "TAG")]
    pub feedback_language: Option<String>,
    /// Where the journals of runs are kept
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
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
    let order = order(options)?;
    let Some(staff) = Staff::of(order.script.as_ref(), &order.common)? else {
        writeln!(anstream::stderr(), "redraft: {}", no_model("written"))?;
        return Ok(Exit::ModelTrouble);
    };
    let human = at_the_terminal(&order);
    let ended = Session::run(Goal::Write, &order, staff, human, &mut |_| Ok(()))?;
    let mut has_text = false;
    for one in &ended {
        if let Ended::Judged(one) = one
            && let Some(text) = &one.outcome.final_content
        {
            has_text = true;
            match &options.output {
                Some(path) => keep(path, text)?,
                None if format == Format::Human => anstream::stdout().write_all(text)?,
                None => {}
            }
        }
    }
    let exit = exit_of(&ended);
    let report: JudgeReport = gathered(ended, "write")?;
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

fn keep(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        std::fs::create_dir_all(parent)
            .with_context(|| format!("cannot make {}", parent.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The options of a session whose only text is yet to be written.
fn order(options: &WriteOptions) -> anyhow::Result<RunOptions> {
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
        script: options.script.clone(),
        mode: options.mode,
        policy: options.policy.clone(),
        rubric: options.rubric.clone(),
        require_judged: options.require_judged,
        feedback_language: options.feedback_language.clone(),
        concurrency: 1,
        record: None,
        play: None,
        seed_report: None,
        runs: options.runs.clone(),
        resume: options.resume.clone(),
        go_on: options.go_on,
        common,
    })
}
