//! `redraft runs`: lists the recorded runs, adopts those of others (ruling 68), and moves
//! runs between journals and the store of a service.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use redraft_engine::journal::{self, Header, Journal, JournalError, Recorded};
use redraft_engine::verdicts::UserKey;
use redraft_report::{plain, timestamps};

use super::exit::Exit;
use super::journals;
use super::output::{self, complain, shown};
use super::record::Record;
use super::service::{self, StoreOptions};
use crate::{trust, user_key};

/// Options of `runs`.
#[derive(Clone, Debug, Args)]
pub struct RunsOptions {
    #[command(subcommand)]
    pub command: RunsCommand,
}

#[derive(Clone, Debug, Subcommand)]
pub enum RunsCommand {
    /// List the runs: name, status and text
    List {
        /// Folder for the journals of runs
        #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
        runs: PathBuf,
    },
    /// Show where foreign journals come from, and seal them as your own
    Adopt {
        /// Journal files, or names of runs
        #[arg(required = true, value_name = "RUN")]
        names: Vec<PathBuf>,
        /// Adopt them without asking
        #[arg(long)]
        yes: bool,
        /// Folder for the journals of runs
        #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
        runs: PathBuf,
    },
    /// Write a run of the service as a journal file
    Export(ExportOptions),
    /// Store the run of a journal file in the service
    Import(ImportOptions),
}

/// Options of `runs export`.
#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// Id of the run
    pub run: String,
    /// File to write; it must not exist yet
    pub file: PathBuf,
    #[command(flatten)]
    pub store: StoreOptions,
}

/// Options of `runs import`.
#[derive(Clone, Debug, Args)]
pub struct ImportOptions {
    /// Journal to import; an unfinished run is continued
    pub file: PathBuf,
    /// Tenant that gets the run
    #[arg(long, default_value = "default")]
    pub tenant: String,
    #[command(flatten)]
    pub store: StoreOptions,
}

pub(super) fn run(options: &RunsOptions) -> anyhow::Result<Exit> {
    match &options.command {
        RunsCommand::List { runs } => list(runs, &user_key::of_process()?),
        RunsCommand::Export(options) => service::export(options),
        RunsCommand::Import(options) => service::import(options),
        RunsCommand::Adopt { names, yes, runs } => {
            let key = user_key::of_process()?;
            let mut journals = Vec::new();
            for name in names {
                let journal = journals::find(name, runs)?;
                write!(anstream::stdout(), "{}", origin(&journal)?)?;
                journals.push(journal);
            }
            if !yes && !agrees()? {
                complain("nothing was adopted; run it again with --yes if you trust them");
                return Ok(Exit::Usage);
            }
            for path in &journals {
                journal::adopt(path, &key)?;
                writeln!(anstream::stdout(), "adopted {}", shown(path))?;
            }
            Ok(Exit::Clean)
        }
    }
}

/// Whether the user at the terminal agrees; nobody else does.
fn agrees() -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    write!(
        anstream::stderr(),
        "Resuming a run believes every answer in its journal. Adopt? [y/N] "
    )?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Where a journal comes from.
pub(super) fn origin(path: &Path) -> anyhow::Result<String> {
    let (header, recorded) = Journal::read(path)?;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", shown(path)))?;
    let text = Record::of(&header, path)
        .map(|record| shown(&record.path))
        .unwrap_or_default();
    let mut lines = format!("{}\n", shown(path));
    for (name, value) in [
        ("run", plain::words(&header.run).into_owned()),
        ("text", text),
        ("recorded by", plain::words(&header.program).into_owned()),
        ("started", timestamps::stamp(header.started)),
        ("status", status(&recorded)),
        ("sha256", trust::hash(&bytes)),
    ] {
        lines.push_str(&format!("  {name:<11} {value}\n"));
    }
    Ok(lines)
}

fn status(recorded: &Recorded) -> String {
    let status = recorded.outcome.as_ref().and_then(|outcome| {
        let status = outcome.get("status")?.as_str()?;
        Some(plain::words(status).replace('_', " "))
    });
    status.unwrap_or_else(|| "unfinished".to_owned())
}

fn list(runs: &Path, key: &UserKey) -> anyhow::Result<Exit> {
    let mut found: Vec<PathBuf> = match std::fs::read_dir(runs) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", shown(runs)));
        }
    };
    found.retain(|path| path.extension().is_some_and(|name| name == "jsonl"));
    found.sort();
    if found.is_empty() {
        bail!("no runs in {}; give their folder with --runs", shown(runs));
    }
    let mut rows = Vec::new();
    for path in &found {
        rows.push(match Journal::read_for(path, Some(key)) {
            Ok((header, recorded)) => Ok(row(&header, path, status(&recorded))),
            Err(JournalError::Foreign { .. }) => Journal::read(path)
                .map(|(header, _)| row(&header, path, "not yours".to_owned()))
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        });
    }
    let readable = || rows.iter().flatten();
    let longest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or_default();
    let name = longest(&mut readable().map(|row| row[0].chars().count()));
    let status = longest(&mut readable().map(|row| row[1].chars().count()));
    let mut text = String::new();
    for row in &rows {
        match row {
            Ok([run, state, path]) => {
                text.push_str(&format!("{run:<name$}  {state:<status$}  {path}\n"));
            }
            Err(error) => text.push_str(&format!("{error}\n")),
        }
    }
    output::say(&text)?;
    Ok(Exit::Clean)
}

/// The name of a run, its status, and the text it is about.
fn row(header: &Header, path: &Path, status: String) -> [String; 3] {
    let text = header.setup.get("path").and_then(serde_json::Value::as_str);
    let text = text.map_or_else(|| shown(path), |text| plain::path(text).into_owned());
    [plain::words(&header.run).into_owned(), status, text]
}
