//! What the service does on this machine: runs a second with a model that answers at
//! once, the latency of submitting, and readers of events. The load is made by a small
//! Python program, so that the figures include a client.

use std::env;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::postgres::Postgres;
use crate::process::{self, Repository};

const LOAD: &str = include_str!("service_load.py");

pub(crate) fn run(repository: &Repository, runs: u32) -> Result<()> {
    repository.cargo(&["build", "--release", "--locked", "-p", "redraft"])?;
    let folder = process::build_folder()?;
    let target = folder
        .parent()
        .context("the build folder lies in no folder")?;
    let postgres = Postgres::start()?;
    let mut command = Command::new("python3");
    command
        .args(["-c", LOAD])
        .arg(target.join("release/redraft"))
        .arg(repository.path("examples"))
        .arg(runs.to_string())
        .arg(postgres.url().unwrap_or_default())
        .current_dir(env::temp_dir());
    if !command.status().context("cannot start python3")?.success() {
        bail!("the load could not be measured");
    }
    Ok(())
}
