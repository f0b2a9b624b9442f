//! `redraft init`: a commented `redraft.toml` to begin with.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::Args;

use super::exit::Exit;
use crate::config::{FILE_NAME, nearest};
use crate::models::presets::{PRESETS, Preset};

/// Options of `init`.
#[derive(Clone, Debug, Default, Args)]
pub struct InitOptions {
    /// Which models to set up; `--list` shows what there is [default: none]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// List the presets and write nothing
    #[arg(long, conflicts_with_all = ["preset", "force"])]
    pub list: bool,
    /// Overwrite a redraft.toml that is there
    #[arg(long)]
    pub force: bool,
}

pub(super) fn run(options: &InitOptions) -> anyhow::Result<Exit> {
    if options.list {
        let list: String = PRESETS
            .iter()
            .map(|preset| format!("{:<16} {}\n", preset.name, preset.about))
            .collect();
        anstream::stdout().write_all(list.as_bytes())?;
        return Ok(Exit::Clean);
    }
    let name = options.preset.as_deref().unwrap_or("none");
    let Some(preset) = Preset::named(name) else {
        let names = || PRESETS.iter().map(|preset| preset.name);
        match nearest(name, names()) {
            Some(near) => bail!("there is no preset `{name}`; did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = names().collect();
                bail!(
                    "there is no preset `{name}`; there are {}",
                    names.join(", ")
                )
            }
        }
    };
    write(Path::new(FILE_NAME), &preset.text(), options.force)?;
    let next = if preset.name == "none" {
        "`redraft check FILE` needs no model; `redraft init --list` shows presets with models"
    } else {
        "`redraft models` shows who is asked, `redraft models --test` asks each model once"
    };
    writeln!(
        anstream::stderr(),
        "wrote {FILE_NAME} ({}). {next}",
        preset.name
    )?;
    Ok(Exit::Clean)
}

fn write(path: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    if force {
        return fs::write(path, text).with_context(|| format!("cannot write {}", path.display()));
    }
    // Whether it exists is asked in the same breath, so that nothing is lost.
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
            "{} is there already and was left as it is; --force overwrites it",
            path.display()
        ),
        Err(error) => Err(error).with_context(|| format!("cannot write {}", path.display())),
    }
}
