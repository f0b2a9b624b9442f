//! The service against its own OpenAPI document, on both databases: schemathesis sends valid
//! and invalid requests to every operation. It is installed into a folder of its own.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::postgres::Postgres;
use crate::process::{self, Repository};

const PROGRAM: &str = include_str!("service_api.py");

pub(crate) fn run(repository: &Repository) -> Result<()> {
    repository.cargo(&["build", "--locked", "-p", "redraft"])?;
    let folder = process::build_folder()?;
    let target = folder
        .parent()
        .context("the build folder lies in no folder")?;
    let python = target.join("venv-api/bin");
    if !python.join("schemathesis").is_file() {
        install(&python)?;
    }
    let postgres = Postgres::start()?;
    let mut command = Command::new("python3");
    command
        .args(["-c", PROGRAM])
        .arg(target.join("debug/redraft"))
        .arg(repository.path("examples"))
        .arg(python.join("schemathesis"))
        .arg(postgres.url().unwrap_or_default())
        .current_dir(env::temp_dir());
    if !command.status().context("cannot start python3")?.success() {
        bail!("the service does not do what its OpenAPI document says");
    }
    Ok(())
}

fn install(python: &Path) -> Result<()> {
    let folder = python.parent().context("no folder")?;
    let made = Command::new("python3")
        .args(["-m", "venv"])
        .arg(folder)
        .status()
        .context("cannot start python3")?;
    let installed = Command::new(python.join("pip"))
        .args(["install", "--quiet", "schemathesis>=4,<5"])
        .status()
        .context("cannot start pip")?;
    if !made.success() || !installed.success() {
        bail!("schemathesis cannot be installed into {}", folder.display());
    }
    Ok(())
}
