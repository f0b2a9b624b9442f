//! `redraft replay`: repeats the decisions of a run from its journal; with `--policy`, the
//! decisions under other thresholds.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use redraft_engine::journal::Journal;
use redraft_engine::replay::{self, Replayed};
use redraft_run::policy::SolverPolicy;
use redraft_run::run::Run;
use redraft_run::setup::Goal;
use serde_json::{Value, json};

use super::exit::Exit;
use super::journals::find;
use super::options::Format;
use super::output::{self, shown};
use super::policy_overlay;
use super::record::Record;
use crate::inspection::path_text;
use redraft_report::fallbacks::FallbackRecorder;
use redraft_report::judge_report::{JudgeReport, Judged};
use redraft_report::refine_report::human;
use redraft_report::seeds::{Seed, SeedContext};

/// Options of `replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayOptions {
    /// The run: its journal file or its name
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Apply these thresholds, as far as recorded replies allow (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Folder for the journals of runs
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Whether a recorded outcome decides as the one of this program does. Outcomes of
/// older programs have other keys, and sentences instead of reasons: those are not
/// compared.
pub(super) fn decides_alike(now: &Value, recorded: &Value) -> bool {
    now == recorded || decided(now) == decided(recorded)
}

fn decided(outcome: &Value) -> Value {
    const WORDED: [&str; 3] = ["because", "improvement_hints", "tasks"];
    let mut decided = with_snake_case_keys(outcome);
    if let Value::Object(members) = &mut decided {
        members.retain(|key, _| !WORDED.contains(&key.as_str()));
    }
    decided
}

fn with_snake_case_keys(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (snake_case(key), with_snake_case_keys(value)))
            .collect(),
        Value::Array(values) => values.iter().map(with_snake_case_keys).collect(),
        other => other.clone(),
    }
}

fn snake_case(key: &str) -> String {
    key.chars().fold(String::new(), |mut snake, letter| {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
        snake
    })
}

pub(super) fn run(options: &ReplayOptions) -> anyhow::Result<Exit> {
    let at = find(&options.run, &options.runs)?;
    let (header, recorded) = Journal::read(&at)?;
    let mut record = Record::of(&header, &at)?;
    if let Some(path) = &options.policy {
        record.policy = policy_overlay::overlay(&record.policy, record.mode, path)?;
    }
    let run = Run::new(record.setup(&header.run)?, header.started);
    let ground = SeedContext::of(run.setup());
    let mut fallbacks = FallbackRecorder::of(run.setup());
    let (replayed, events) = match &options.policy {
        Some(_) => replay::what_if(run, &recorded)?,
        None => replay::replay(run, &recorded)?,
    };
    events.iter().for_each(|event| fallbacks.record(event));
    let outcome = match replayed {
        Replayed::Outcome(outcome) => *outcome,
        Replayed::EndsAt { asks } => {
            let asks: Vec<String> = asks.iter().map(|(id, _)| id.to_string()).collect();
            let before = recorded
                .outcome
                .as_ref()
                .map(|before| before["status"].clone());
            let text = undecided(options, &record.path, before.as_ref(), &asks)?;
            output::print(options.format, &text)?;
            return Ok(Exit::ModelTrouble);
        }
    };
    if options.policy.is_none()
        && let Some(before) = &recorded.outcome
        && !decides_alike(&serde_json::to_value(&outcome)?, before)
    {
        bail!(
            "the replay decides differently from the journal, which was changed since, or written by a version with other rules ({}); the recorded outcome was {}",
            header.program,
            before["status"]
        );
    }
    let mut report = JudgeReport::default();
    let judged = Judged {
        saved: None,
        already_done: None,
        path: path_text(&record.path),
        run: header.run,
        journal: path_text(&at),
        original: record.bytes,
        seed: Seed::of(&outcome, &ground),
        undisputed: None,
        solver: SolverPolicy::default(),
        fallbacks: fallbacks.finish(),
        outcome,
    };
    let exit = match record.goal {
        Goal::Judge => Exit::of_judgement(&judged),
        Goal::Refine | Goal::Free | Goal::Write => Exit::of_outcome(&judged.outcome),
    };
    report.add(judged);
    let text =
        match options.format {
            Format::Human => {
                let was = options.policy.as_ref().zip(recorded.outcome.as_ref()).map(
                    |(policy, before)| {
                        let status = before["status"].as_str().unwrap_or("undecided");
                        format!(
                            "recorded: {}; under {}:\n",
                            status.replace('_', " "),
                            shown(policy)
                        )
                    },
                );
                was.unwrap_or_default() + &human(&report)
            }
            Format::Json => serde_json::to_string_pretty(&report)? + "\n",
            Format::Jsonl => report.lines()?,
            _ => bail!("`replay` supports --format human, json and jsonl"),
        };
    output::print(options.format, &text)?;
    Ok(exit)
}

/// What is said of a replay that needs replies which were never recorded.
fn undecided(
    options: &ReplayOptions,
    path: &Path,
    before: Option<&Value>,
    asks: &[String],
) -> anyhow::Result<String> {
    let next = match asks {
        [] => "none".to_owned(),
        asks => asks.join(", "),
    };
    let line = json!({
        "path": path_text(path),
        "recorded": before,
        "undecided": { "next_requests": asks },
    });
    Ok(match (options.format, &options.policy) {
        (Format::Json, _) => serde_json::to_string_pretty(&line)? + "\n",
        (Format::Jsonl, _) => line.to_string() + "\n",
        (Format::Human, Some(policy)) => format!(
            "{}: {}under {}: undecided, since it would ask for what was not recorded\n  the next requests would be: {next}\n  to ask for them, run the command again with --policy {}\n",
            shown(path),
            match before.and_then(Value::as_str) {
                Some(status) => format!("recorded: {}; ", status.replace('_', " ")),
                None => String::new(),
            },
            shown(policy),
            shown(policy),
        ),
        (Format::Human, None) => format!(
            "{}: the journal ends here. The next requests would be: {next}\n",
            shown(path)
        ),
        _ => bail!("`replay` supports --format human, json and jsonl"),
    })
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn an_outcome_of_an_older_program_is_compared_by_what_it_decides() {
        let now = json!({
            "status": "best_effort",
            "because": {"not_accepted": {"kind": "critical_issue"}},
            "quality_status": "good",
            "iterations": [{"remaining_issues": []}],
        });
        for (recorded, expected) in [
            (now.clone(), true),
            (
                json!({
                    "status": "best_effort",
                    "because": "a critical issue is open",
                    "qualityStatus": "good",
                    "iterations": [{"remainingIssues": []}],
                }),
                true,
            ),
            (
                json!({
                    "status": "accepted",
                    "qualityStatus": "good",
                    "iterations": [{"remainingIssues": []}],
                }),
                false,
            ),
            (
                json!({
                    "status": "best_effort",
                    "because": "a critical issue is open",
                    "qualityStatus": "acceptable",
                    "iterations": [{"remainingIssues": []}],
                }),
                false,
            ),
        ] {
            assert_eq!(decides_alike(&now, &recorded), expected, "{recorded}");
        }
    }
}
