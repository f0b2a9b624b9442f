//! `redraft init`: writes a commented `redraft.toml`, or adds to it what a file needs.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use super::exit::Exit;
use super::init_shape;
use super::output;
use crate::config::{Config, FILE_NAME, suggestion};
use crate::files::{self, HardLinks};
use crate::models::presets::{PRESETS, Preset};
use crate::trust::{self, needs_trust};

#[derive(Clone, Debug, Default, Args)]
pub struct InitOptions {
    /// Set up the models of this preset; see --list [default: none]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// List the presets and write nothing
    #[arg(long, conflicts_with_all = ["preset", "force"])]
    pub list: bool,
    /// Overwrite an existing redraft.toml
    #[arg(long)]
    pub force: bool,
    /// Propose a field map for this JSON file and add it to redraft.toml
    #[arg(long, value_name = "FILE", conflicts_with_all = ["preset", "list", "force"])]
    pub from: Option<PathBuf>,
    /// With --from: print the map instead of adding it
    #[arg(long, requires = "from")]
    pub print: bool,
}

pub(super) fn run(options: &InitOptions) -> anyhow::Result<Exit> {
    if let Some(file) = &options.from {
        return init_shape::run(options, file);
    }
    if options.list {
        let list: String = PRESETS
            .iter()
            .map(|preset| format!("{:<16} {}\n", preset.name, preset.about))
            .collect();
        output::say(&list)?;
        return Ok(Exit::Clean);
    }
    let name = options.preset.as_deref().unwrap_or("none");
    let Some(preset) = Preset::named(name) else {
        let names = PRESETS.iter().map(|preset| preset.name);
        bail!("unknown preset \"{name}\"; {}", suggestion(name, names));
    };
    write(Path::new(FILE_NAME), &preset.text(), options)?;
    // What the user has just had written here is theirs.
    if !needs_trust(&Config::parse(&preset.text(), Path::new(FILE_NAME))?).is_empty() {
        let _ = trust::trust(Path::new(FILE_NAME), preset.text().as_bytes());
    }
    let next = if preset.name == "none" {
        "`redraft check FILE` needs no model; `redraft init --list` shows presets with models"
    } else {
        "`redraft models` shows the model of each role, `redraft models --test` calls each once"
    };
    writeln!(
        anstream::stderr(),
        "wrote {FILE_NAME} ({}). {next}",
        preset.name
    )?;
    Ok(Exit::Clean)
}

fn write(path: &Path, text: &str, options: &InitOptions) -> anyhow::Result<()> {
    if options.force {
        return files::put(path, text.as_bytes(), HardLinks::Refuse);
    }
    // Created atomically, so that no existing file is lost.
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
            "{} already exists; use --force to overwrite it",
            path.display()
        ),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}
