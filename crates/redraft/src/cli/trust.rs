//! `redraft trust`: lets a configuration that came with a folder send keys where it says.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_report::plain;

use super::exit::Exit;
use super::options::CommonOptions;
use super::output::{self, shown};
use crate::config::{Config, FILE_NAME};
use crate::files::{self, Limits};
use crate::trust::{self, needs_trust};

/// Options of `trust`.
#[derive(Clone, Debug, Default, Args)]
pub struct TrustOptions {
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
}

pub(super) fn run(options: &TrustOptions) -> anyhow::Result<Exit> {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Config::path(options.file.as_deref(), &here)
        .with_context(|| format!("no {FILE_NAME} in this or a parent folder; name the file"))?;
    let text =
        files::read_text(&path, &Limits::default()).with_context(|| files::cannot_read(&path))?;
    let config = Config::parse(&text, &path)?;
    let mut out = String::new();
    for one in needs_trust(&config) {
        let what = plain::words(&one.what);
        let _ = writeln!(out, "{}:{}: {what}", shown(&path), one.line);
    }
    let list = trust::trust(&path, text.as_bytes())?;
    let _ = writeln!(
        out,
        "trusted {} until it changes (sha256 {}, listed in {})",
        shown(&path),
        trust::hash(text.as_bytes()),
        shown(&list)
    );
    output::say(&out)?;
    Ok(Exit::Clean)
}

/// Fails if the configuration that was found would send a key where the user did not say.
///
/// # Errors
/// Then; names the line and what to do.
pub(super) fn require(common: &CommonOptions) -> anyhow::Result<()> {
    require_for(common.config.as_deref())
}

/// The same for the `--config` of a command.
pub(super) fn require_for(named: Option<&std::path::Path>) -> anyhow::Result<()> {
    require_of(named, needs_trust)
}

/// The same for commands that use `[service]` alone.
pub(super) fn require_for_service(named: Option<&std::path::Path>) -> anyhow::Result<()> {
    require_of(named, trust::service_needs_trust)
}

fn require_of(
    named: Option<&std::path::Path>,
    needs: fn(&Config) -> Vec<trust::NeedsTrust>,
) -> anyhow::Result<()> {
    if named.is_some() {
        return Ok(());
    }
    let here = std::env::current_dir().unwrap_or_default();
    let Some(path) = Config::path(None, &here) else {
        return Ok(());
    };
    let text =
        files::read_text(&path, &Limits::default()).with_context(|| files::cannot_read(&path))?;
    let config = Config::parse(&text, &path)?;
    let found = needs(&config);
    let Some(first) = found
        .first()
        .filter(|_| !trust::is_trusted(text.as_bytes()))
    else {
        return Ok(());
    };
    let path = path.strip_prefix(&here).unwrap_or(&path);
    let name = shown(path);
    bail!(
        "{name}:{}: {}, and you have not trusted this file. Read it; then name it with --config, or run\n  {}",
        first.line,
        plain::words(&first.what),
        redraft_report::shell::command(["redraft", "trust", &path.to_string_lossy()])
    )
}
