//! `redraft refine`: repairs weak sections and proves that nothing else changed.
//!
//! The repaired text goes to `-o`, or replaces the file with `--write`; without either it
//! is only reported. A file that changed during the run is not overwritten.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_engine::clock::BoxFuture;
use redraft_engine::driver::Human;
use redraft_gate::span::Version;
use redraft_run::reasons::Because;
use redraft_run::run::Decision;
use redraft_run::setup::Goal;

use super::database;
use super::exit::Exit;
use super::jobs::{JobResult, exit_of};
use super::judge::{gathered, no_model, stream};
use super::judged_formats;
use super::model_source::ModelSource;
use super::options::Format;
use super::output::{self, complain, shown};
use super::run_options::{ModeName, RunOptions};
use super::session::{self, Assignment};
use crate::files::{self, HardLinks};
use crate::inspection::file_of;
use redraft_report::count::counted;
use redraft_report::judge_report::{JudgeReport, Judged};
use redraft_report::refine_report;
use redraft_report::sentences;

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
    /// Write a file that has several hard links, separating them
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
    let (goal, models) = if options.free {
        (Goal::Free, ModelSource::none()?)
    } else {
        let Some(models) = options.run.models()? else {
            complain(&no_model("refined"));
            return Ok(Exit::ModelTrouble);
        };
        (Goal::Refine, models)
    };
    let streams = format == Format::Jsonl && options.report.is_none();
    let assignment = Assignment {
        goal,
        options: &options.run,
        models,
        human: at_the_terminal(&options.run),
    };
    let mut saved = Vec::new();
    let results = session::run(assignment, &mut |result| {
        match result {
            JobResult::Judged(one) => {
                saved.extend(keep(options, one)?);
                if let Some(output) = &options.database {
                    let to = target(options, output, Path::new(&one.path));
                    database::keep(one, &to)?;
                }
            }
            JobResult::Bank(bank) if bank.is_changed || options.output.is_some() => {
                let kept = Kept {
                    path: &bank.path,
                    input: bank.input,
                    content: &bank.content,
                    run: "journals of its items",
                };
                saved.extend(put_away(options, kept)?);
            }
            _ => {}
        }
        if streams {
            stream(result)?;
        }
        Ok(())
    })?;
    let exit = exit_of(&results);
    let report: JudgeReport = gathered(results, "refine", &options.run)?;
    let text = match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Jsonl if streams => return Ok(exit),
        Format::Jsonl => report.lines()?,
        Format::Sarif | Format::Junit | Format::Markdown => {
            let exit = |one: &Judged| Exit::of_outcome(&one.outcome);
            judged_formats::render("refine", &report, &options.run, exit)?
        }
        _ => {
            let mut text = refine_report::human(&report);
            if !options.run.common.quiet {
                text.push_str(&where_saved(&saved));
            }
            text
        }
    };
    // Where standard output carries the text, the report goes to standard error.
    if options.report.is_none() && options.output.as_deref().is_some_and(output::is_stdout) {
        output::print_aside(format, &text)?;
    } else {
        output::put(options.report.as_deref(), format, &text)?;
    }
    Ok(exit)
}

/// Where the texts were saved, in a line.
fn where_saved(saved: &[PathBuf]) -> String {
    match saved {
        [] => "not saved; use -o or --write\n".to_owned(),
        [path] if output::is_stdout(path) => "saved to standard output\n".to_owned(),
        [path] => format!("saved to {}\n", shown(path)),
        paths => format!("saved: {}\n", counted(paths.len(), "file")),
    }
}

/// Writes the text where the user wants it, and tells where; with `-o` also a text that
/// did not change. An item is written with its bank.
fn keep(options: &RefineOptions, one: &Judged) -> anyhow::Result<Option<PathBuf>> {
    let path = Path::new(&one.path);
    let is_item = file_of(path) != path;
    let changed = one.outcome.final_content.as_ref();
    if is_item {
        if changed.is_some() && options.run.resume.is_some() {
            complain(&format!(
                "this is an item of a bank; run `redraft refine {} --continue` to update the bank",
                shown(file_of(path))
            ));
        }
        return Ok(None);
    }
    let unchanged = options.output.as_ref().map(|_| &one.original);
    let Some(content) = changed.or(unchanged) else {
        return Ok(None);
    };
    let kept = Kept {
        path: &one.path,
        input: one.outcome.input,
        content,
        run: &one.run,
    };
    put_away(options, kept)
}

/// A repaired file.
#[derive(Clone, Copy)]
struct Kept<'a> {
    path: &'a str,
    /// The version that came in.
    input: Version,
    content: &'a [u8],
    run: &'a str,
}

fn put_away(options: &RefineOptions, one: Kept<'_>) -> anyhow::Result<Option<PathBuf>> {
    let from = Path::new(one.path);
    if options.write {
        if one.path == "-" {
            bail!("--write cannot replace standard input; use -o FILE");
        }
        let now = std::fs::read(from).with_context(|| format!("cannot read {}", one.path))?;
        if Version::of(&now) != one.input {
            bail!(
                "{} changed on disk during the run and was not overwritten; the repaired text is in run {}",
                one.path,
                one.run
            );
        }
        files::replace(from, &now, one.content, hard_links(options))?;
        return Ok(Some(from.to_owned()));
    }
    let Some(output) = &options.output else {
        return Ok(None);
    };
    if output::is_stdout(output) {
        io::stdout().write_all(one.content)?;
        return Ok(Some(output.clone()));
    }
    let to = target(options, output, from);
    files::put(&to, one.content, hard_links(options))?;
    Ok(Some(to))
}

fn hard_links(options: &RefineOptions) -> HardLinks {
    if options.break_links {
        HardLinks::Break
    } else {
        HardLinks::Refuse
    }
}

/// The output path for a file.
fn target(options: &RefineOptions, output: &Path, from: &Path) -> PathBuf {
    let is_folder = options.run.paths.iter().any(|path| path.is_dir());
    if is_folder {
        let within = options
            .run
            .paths
            .iter()
            .find_map(|path| from.strip_prefix(path).ok())
            .unwrap_or(from);
        output.join(within)
    } else {
        output.to_owned()
    }
}

/// The user at the terminal, who can be asked in semi-auto mode about one file.
pub(super) fn at_the_terminal(options: &RunOptions) -> Option<Arc<dyn Human>> {
    let is_asked = options.judging.mode == Some(ModeName::SemiAuto)
        && options.paths.len() <= 1
        && !options
            .paths
            .iter()
            .any(|path| path.is_dir() || path == Path::new("-"))
        && io::stdin().is_terminal()
        && io::stderr().is_terminal();
    is_asked.then(|| Arc::new(Terminal) as Arc<dyn Human>)
}

#[derive(Debug)]
struct Terminal;

impl Human for Terminal {
    fn decide(&self, because: &Because, content: &str) -> BoxFuture<Decision> {
        let (because, content) = (sentences::because(because), content.to_owned());
        Box::pin(async move {
            tokio::task::spawn_blocking(move || ask(&because, &content))
                .await
                .unwrap_or(Decision::Absent)
        })
    }
}

/// Asks until there is an answer. When the input ends, the reviewer is absent.
fn ask(because: &str, content: &str) -> Decision {
    let by = std::env::var("USER").unwrap_or_else(|_| "unknown user".to_owned());
    let mut out = anstream::stderr();
    let _ = writeln!(out, "\nNot accepted: {because}");
    loop {
        let _ = write!(
            out,
            "[a]ccept, [e]dit, [t]ry again with an instruction, [r]eject? "
        );
        let _ = out.flush();
        let mut line = String::new();
        if !matches!(io::stdin().lock().read_line(&mut line), Ok(read) if read > 0) {
            return Decision::Absent;
        }
        match line.trim().to_lowercase().as_str() {
            "a" | "accept" => return Decision::Accept { by },
            "r" | "reject" => return Decision::Reject { by },
            "t" | "try" | "retry" => {
                let _ = write!(out, "Instruction for the next attempt: ");
                let _ = out.flush();
                let mut instruction = String::new();
                if io::stdin().lock().read_line(&mut instruction).is_ok()
                    && !instruction.trim().is_empty()
                {
                    return Decision::Retry {
                        by,
                        instruction: instruction.trim().to_owned(),
                    };
                }
            }
            "e" | "edit" => match edited(content) {
                Ok(content) => return Decision::Edit { by, content },
                Err(error) => {
                    let _ = writeln!(out, "{error:#}");
                }
            },
            _ => {}
        }
    }
}

/// The text as edited in the user's editor.
fn edited(content: &str) -> anyhow::Result<String> {
    let editor = std::env::var("VISUAL")
        .or_else(|_| std::env::var("EDITOR"))
        .context("no editor configured; set EDITOR, or edit the file yourself")?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let path = folder.path().join("text.md");
    std::fs::write(&path, content).context("cannot write the text")?;
    let mut words = editor.split_whitespace();
    let program = words
        .next()
        .context("EDITOR is empty; set it to a program")?;
    let status = std::process::Command::new(program)
        .args(words)
        .arg(&path)
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("{program} failed ({status}); nothing was changed");
    }
    std::fs::read_to_string(&path).context("cannot read the text back")
}
