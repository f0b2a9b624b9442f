//! `redraft judge`: the free checks, then a judge, then a decision.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use redraft_core::ask::{Role, Time};
use redraft_core::decide::{Mode, QualityStatus};
use redraft_core::event::Event;
use redraft_core::outcome::{Outcome, Status};
use redraft_core::run::{Run, Seat};
use redraft_core::verdict::Reason;
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::driver::{self, DriveError, Hands, Nobody};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::scripted::ScriptedModel;

use super::Exit;
use super::check::shown;
use super::desk::Given;
use super::options::{CommonOptions, Format};
use super::record::{self, Record};
use crate::desk::Unreadable;
use crate::files::{self, Input};
use crate::report::verdict::{self, JudgeReport, Judged};

/// Options of `judge`.
#[derive(Clone, Debug, Default, Args)]
pub struct JudgeOptions {
    /// Files or folders; `-` for standard input
    #[arg(required_unless_present = "resume", value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
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
    /// Where the journals of runs are kept
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Go on with an interrupted run: its journal, or its name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["paths", "policy", "rubric", "mode"])]
    pub resume: Option<PathBuf>,
    /// Write the result to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}

/// The modes, as the command line spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// What is not accepted goes to a person
    SemiAuto,
    /// Something always comes out
    FullAuto,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::SemiAuto => Self::SemiAuto,
            ModeName::FullAuto => Self::FullAuto,
        }
    }
}

const NO_MODEL: &str = "no model is configured, so nothing can be judged.
This version asks no provider yet: give scripted replies with --script FILE (see examples/judge-replies.toml), or use `redraft check`, which needs no model.";

pub(super) fn run(options: &JudgeOptions) -> anyhow::Result<Exit> {
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    if !matches!(
        options.common.format,
        Format::Human | Format::Json | Format::Jsonl
    ) {
        bail!("`judge` prints human, json or jsonl; sarif, junit and markdown are for `check`");
    }
    let Some(script) = &options.script else {
        writeln!(anstream::stderr(), "redraft: {NO_MODEL}")?;
        return Ok(Exit::ModelTrouble);
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let text = std::fs::read_to_string(script)
        .with_context(|| format!("cannot read {}", script.display()))?;
    let model = ScriptedModel::new(&text, Arc::clone(&clock))
        .with_context(|| script.display().to_string())?;
    let hands = Hands {
        model: Arc::new(model),
        clock,
        human: Arc::new(Nobody),
        in_flight: 4,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start")?;
    runtime.block_on(judge_all(options, &hands))
}

async fn judge_all(options: &JudgeOptions, hands: &Hands) -> anyhow::Result<Exit> {
    let mut report = JudgeReport::default();
    let mut exits = Vec::new();
    let judged = match &options.resume {
        Some(run) => vec![resume(options, hands, run).await?],
        None => {
            let given = Given::read(&options.common, &[], &[])?;
            let inputs = files::gather(&options.paths, &given.desk()?.config)?;
            let mut judged = Vec::new();
            for input in &inputs {
                match judge(options, hands, &given, input).await {
                    Ok(Some(one)) => judged.push(one),
                    Ok(None) => {}
                    Err(error) if inputs.len() > 1 => {
                        writeln!(anstream::stderr(), "redraft: {error:#}")?;
                        exits.push(Exit::Usage);
                    }
                    Err(error) => return Err(error),
                }
            }
            judged
        }
    };
    for one in judged {
        match one {
            Ended::Judged(one) => {
                exits.push(exit(&one.outcome));
                report.add(*one);
            }
            Ended::Interrupted(journal) => {
                writeln!(
                    anstream::stderr(),
                    "redraft: interrupted; nothing that was answered is lost. Go on with\n  redraft judge --resume {} --script …",
                    journal.display()
                )?;
                exits.push(Exit::Interrupted);
            }
        }
    }
    if report.is_empty() && exits.is_empty() {
        bail!("there is no lesson, no set of cards and no item to judge");
    }
    let text = match options.common.format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl => report.lines()?,
        _ => verdict::human(&report),
    };
    put(options, &text)?;
    Ok(worst(&exits))
}

enum Ended {
    Judged(Box<Judged>),
    Interrupted(PathBuf),
}

async fn judge(
    options: &JudgeOptions,
    hands: &Hands,
    given: &Given,
    input: &Input,
) -> anyhow::Result<Option<Ended>> {
    let path = shown(&input.path);
    let bytes = input
        .read()
        .with_context(|| format!("cannot read {path}"))?;
    let desk = given.desk()?;
    let inspection = match desk.inspect(&input.path, bytes.clone()) {
        Ok(inspection) => inspection,
        Err(Unreadable::UnknownKind | Unreadable::Binary) if !input.named => return Ok(None),
        Err(error) => bail!("{path}: {error}"),
    };
    let profile = inspection.profile;
    let mode = options.mode.map(Mode::from).unwrap_or_default();
    let policy = match &options.policy {
        Some(path) => record::overlay(profile.decision(mode), path)?,
        None => profile.decision(mode).clone(),
    };
    let rubric = match &options.rubric {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            redraft_profiles::rubric_file::read(&text)
                .with_context(|| path.display().to_string())?
        }
        None => profile.rubric().clone(),
    };
    let record = Record {
        path: input.path.clone(),
        bytes,
        given: given.clone(),
        profile: profile.id().0.to_owned(),
        mode,
        policy,
        rubric,
        seats: vec![Seat {
            role: Role::JudgeSecondary,
            weight: 1,
            models: vec![ScriptedModel::settings("judge")],
        }],
        cost_limit: None,
    };
    let started = hands.clock.now();
    let version = inspection.inspected.document.source().version();
    let (journal, name, at) = create(options, &record, started, &version.to_string())?;
    let setup = record.setup_of(&name, desk, inspection)?;
    let run = Run::new(setup, started);
    drive(options, hands, run, journal, Recorded::default(), &path, at)
        .await
        .map(Some)
}

async fn resume(options: &JudgeOptions, hands: &Hands, run: &Path) -> anyhow::Result<Ended> {
    let at = find(run, &options.runs)?;
    let (journal, header, recorded) = Journal::resume(&at)?;
    if recorded.was_torn {
        writeln!(
            anstream::stderr(),
            "redraft: the last line of {} was torn and is written again",
            at.display()
        )?;
    }
    let record = Record::of(&header)?;
    let setup = record.setup(&header.run)?;
    let machine = Run::new(setup, header.started);
    let path = shown(&record.path);
    drive(options, hands, machine, journal, recorded, &path, at).await
}

async fn drive(
    options: &JudgeOptions,
    hands: &Hands,
    run: Run,
    journal: Journal,
    recorded: Recorded,
    path: &str,
    at: PathBuf,
) -> anyhow::Result<Ended> {
    let shows = !options.common.quiet && io::stderr().is_terminal();
    let name = run.setup().id.clone();
    let mut observe = |event: &Event| {
        if shows {
            let _ = writeln!(anstream::stderr(), "{path}: {}", verdict::event(event));
        }
    };
    let interrupt = async {
        // Where signals cannot be heard, nobody interrupts.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    match driver::drive(run, journal, recorded, hands, &mut observe, interrupt).await {
        Ok(outcome) => Ok(Ended::Judged(Box::new(Judged {
            path: path.to_owned(),
            run: name,
            journal: shown(&at),
            outcome,
        }))),
        Err(DriveError::Interrupted) => Ok(Ended::Interrupted(at)),
        Err(error) => Err(error.into()),
    }
}

/// A journal under a name that is not taken: when, and what about.
fn create(
    options: &JudgeOptions,
    record: &Record,
    started: Time,
    version: &str,
) -> anyhow::Result<(Journal, String, PathBuf)> {
    const MOST: usize = 1_000;
    let stem = format!("{}-{}", stamp(started), version.get(..8).unwrap_or(version));
    for number in 1..=MOST {
        let name = if number == 1 {
            stem.clone()
        } else {
            format!("{stem}-{number}")
        };
        let at = options.runs.join(format!("{name}.jsonl"));
        if !at.exists() {
            let journal = Journal::create(&at, &record.header(&name, started)?)?;
            return Ok((journal, name, at));
        }
    }
    bail!(
        "there are too many runs of this text in {}",
        options.runs.display()
    )
}

/// `20261115-143000` for a moment, in UTC.
fn stamp(time: Time) -> String {
    let seconds = time.0 / 1_000;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil from days (H. Hinnant), for days since 1970.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 {
        month_index + 3
    } else {
        month_index - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}{month:02}{day:02}-{:02}{:02}{:02}",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60
    )
}

/// The journal of a run that the user names by its file or its name.
pub(super) fn find(run: &Path, runs: &Path) -> anyhow::Result<PathBuf> {
    let named = runs.join(format!("{}.jsonl", run.display()));
    [run.to_owned(), named]
        .into_iter()
        .find(|path| path.is_file())
        .with_context(|| {
            format!(
                "there is no run {}; runs are kept in {}",
                run.display(),
                runs.display()
            )
        })
}

/// The exit code of an outcome (ruling 43): the outcome first, trouble only where
/// nothing could be scored.
pub(super) fn exit(outcome: &Outcome) -> Exit {
    if let Some(unscored) = &outcome.unscored {
        return match unscored.reason {
            Reason::Unusable => Exit::GateFailed,
            Reason::OverBudget => Exit::OverBudget,
            Reason::Stopped => Exit::Escalated,
            _ => Exit::ModelTrouble,
        };
    }
    match outcome.status {
        Status::Accepted | Status::AcceptedWarning => Exit::Clean,
        Status::Escalated => Exit::Escalated,
        Status::BestEffort
            if outcome.open_errors > 0 || outcome.quality == QualityStatus::BelowStandard =>
        {
            Exit::GateFailed
        }
        Status::BestEffort => Exit::Clean,
    }
}

/// Of several documents the one that most needs to be heard.
fn worst(exits: &[Exit]) -> Exit {
    [
        Exit::Interrupted,
        Exit::Usage,
        Exit::GateFailed,
        Exit::Escalated,
        Exit::ModelTrouble,
        Exit::OverBudget,
    ]
    .into_iter()
    .find(|exit| exits.contains(exit))
    .unwrap_or(Exit::Clean)
}

fn put(options: &JudgeOptions, text: &str) -> anyhow::Result<()> {
    match &options.output {
        Some(path) => {
            let plain = anstream::adapter::strip_str(text).to_string();
            std::fs::write(path, plain).with_context(|| format!("cannot write {}", path.display()))
        }
        None => Ok(anstream::stdout().write_all(text.as_bytes())?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_readable_names() {
        for (seconds, expected) in [
            (0, "19700101-000000"),
            (951_782_400, "20000229-000000"),
            (1_794_753_045, "20261115-143045"),
            (4_102_444_799, "20991231-235959"),
        ] {
            assert_eq!(stamp(Time(seconds * 1_000)), expected);
        }
    }
}
