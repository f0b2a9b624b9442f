//! The suite that takes banks which other programs write through redraft, and has those
//! programs read them again. Without Python, Node or the packages it is skipped, and says so.

use std::fs;

use anyhow::{Context as _, Result};

use crate::process::{self, Repository};
use crate::steps::Outcome;

const SCRIPT: &str = "xtask/src/banks.py";
const PACKAGES: [&str; 3] = ["text2qti", "moodle-questions", "qti-package-maker"];
const IMPORTS: &str = "import text2qti, moodle_questions, qti_package_maker, lxml";

pub(crate) fn check(repository: &Repository) -> Result<Outcome> {
    let folder = process::build_folder()?
        .parent()
        .context("the build folder lies in no folder")?
        .join("bank-tools");
    fs::create_dir_all(&folder)?;
    let place = folder.to_string_lossy().into_owned();
    let python = folder.join("bin/python");
    let has_packages = || repository.succeeds(python.clone(), &["-c", IMPORTS]);
    if !has_packages() {
        repository.succeeds("python3".into(), &["-m", "venv", &place]);
        let install = ["-m", "pip", "install", "--quiet"];
        let words: Vec<&str> = install.into_iter().chain(PACKAGES).collect();
        repository.succeeds(python.clone(), &words);
    }
    if !has_packages() {
        let why = format!("python3 with {} is missing", PACKAGES.join(", "));
        return Ok(Outcome::Skipped(why));
    }
    let npm = ["install", "--silent", "--prefix", &place, "gift-pegjs"];
    let is_there = folder.join("node_modules/gift-pegjs").is_dir();
    if !is_there && !repository.succeeds("npm".into(), &npm) {
        return Ok(Outcome::Skipped(
            "npm with gift-pegjs is missing".to_owned(),
        ));
    }
    repository.cargo(&["build", "--locked", "--quiet", "--package", "redraft"])?;
    let program = process::build_folder()?.join("redraft");
    repository.run(
        &python.to_string_lossy(),
        &[SCRIPT, &program.to_string_lossy(), &place],
    )?;
    Ok(Outcome::Ran)
}
