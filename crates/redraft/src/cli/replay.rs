//! `redraft replay`: repeats the decisions of a run from its journal; with `--policy`, the
//! decisions under other thresholds.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use redraft_engine::journal::Journal;
use redraft_engine::replay::{self, Replayed};
use redraft_run::run::Run;

use super::check::shown;
use super::exit::Exit;
use super::journals::find;
use super::options::Format;
use super::record::{self, Record};
use redraft_report::refined::human;
use redraft_report::seated::Listener;
use redraft_report::seeds::{Ground, Seed};
use redraft_report::verdict::{JudgeReport, Judged};

/// Options of `replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayOptions {
    /// The run: its journal file or its name
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Decide under these thresholds, as far as recorded replies allow (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Folder for the journals of runs
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

pub(super) fn run(options: &ReplayOptions) -> anyhow::Result<Exit> {
    let at = find(&options.run, &options.runs)?;
    let (header, recorded) = Journal::read(&at)?;
    let mut record = Record::of(&header)?;
    if let Some(path) = &options.policy {
        record.policy = record::overlay(&record.policy, path)?;
    }
    let run = Run::new(record.setup(&header.run)?, header.started);
    let ground = Ground::of(run.setup());
    let mut listener = Listener::of(run.setup());
    let (replayed, events) = match &options.policy {
        Some(_) => replay::what_if(run, &recorded)?,
        None => replay::replay(run, &recorded)?,
    };
    events.iter().for_each(|event| listener.hear(event));
    let outcome = match replayed {
        Replayed::Outcome(outcome) => *outcome,
        Replayed::EndsAt { asks } => {
            let asks: Vec<String> = asks.iter().map(|(id, _)| id.to_string()).collect();
            writeln!(
                anstream::stdout(),
                "{}: the journal ends here. The next requests would be: {}",
                shown(&record.path),
                if asks.is_empty() {
                    "none".to_owned()
                } else {
                    asks.join(", ")
                }
            )?;
            return Ok(Exit::ModelTrouble);
        }
    };
    if options.policy.is_none()
        && let Some(before) = &recorded.outcome
        && serde_json::to_value(&outcome)? != *before
    {
        bail!(
            "this version decides differently from the one that wrote the journal ({}); the recorded outcome was {}",
            header.program,
            before["status"]
        );
    }
    let exit = Exit::of_outcome(&outcome);
    let mut report = JudgeReport::default();
    report.add(Judged {
        path: shown(&record.path),
        run: header.run,
        journal: shown(&at),
        original: record.bytes,
        seed: Seed::of(&outcome, &ground),
        seated: listener.told(),
        outcome,
    });
    let text =
        match options.format {
            Format::Human => {
                let was = options.policy.as_ref().zip(recorded.outcome.as_ref()).map(
                    |(policy, before)| {
                        let status = before["status"].as_str().unwrap_or("undecided");
                        format!(
                            "recorded: {}; under {}:\n",
                            status.replace('_', " "),
                            policy.display()
                        )
                    },
                );
                was.unwrap_or_default() + &human(&report)
            }
            Format::Json => serde_json::to_string_pretty(&report)? + "\n",
            Format::Jsonl => report.lines()?,
            _ => bail!("`replay` supports --format human, json and jsonl"),
        };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(exit)
}
