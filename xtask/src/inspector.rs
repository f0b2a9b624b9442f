//! The inspector: building its page, and trying it in a real browser against the real
//! program with scripted models (`web/tests`).
//!
//! The page is built before the program, which embeds it. Without npm the program is built
//! without it, and says so in its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context as _, Result};

use crate::process::{Repository, build_folder};
use crate::report_page::{self, Length};
use crate::steps::Outcome;

/// What the page is made from.
const SOURCES: [&str; 6] = [
    "web/src",
    "web/public",
    "web/index.html",
    "web/vite.config.ts",
    "web/package-lock.json",
    "crates/report/src/html/templates/style.css",
];

/// Builds the page where it is older than its sources; skipped without npm.
pub(crate) fn build(repository: &Repository) -> Result<Outcome> {
    if !repository.succeeds("npm".into(), &["--version"]) {
        return Ok(Outcome::Skipped(
            "no npm; install Node.js 20 or later to build the inspector".to_owned(),
        ));
    }
    install(repository)?;
    npm(repository, &["run", "--silent", "check"])?;
    let built = latest(&repository.path("web/dist/index.html"));
    let changed = SOURCES
        .iter()
        .filter_map(|source| latest(&repository.path(source)))
        .max();
    if built.is_none() || built < changed {
        npm(repository, &["run", "--silent", "build"])?;
    }
    Ok(Outcome::Ran)
}

/// Installs what the lock file names, unless that was done.
fn install(repository: &Repository) -> Result<()> {
    let lock = latest(&repository.path("web/package-lock.json"));
    let installed = latest(&repository.path("web/node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lock {
        return Ok(());
    }
    npm(
        repository,
        &["ci", "--no-audit", "--no-fund", "--loglevel=error"],
    )
}

fn npm(repository: &Repository, words: &[&str]) -> Result<()> {
    let words: Vec<&str> = ["--prefix", "web"].iter().chain(words).copied().collect();
    repository.run("npm", &words)
}

/// When a file, or any file of a folder, was changed last.
fn latest(path: &Path) -> Option<SystemTime> {
    let facts = fs::metadata(path).ok()?;
    if facts.is_file() {
        return facts.modified().ok();
    }
    let entries = fs::read_dir(path).ok()?;
    entries
        .flatten()
        .filter_map(|entry| latest(&entry.path()))
        .max()
}

/// Tries the page; skipped without npm or a browser.
pub(crate) fn check(repository: &Repository, length: Length) -> Result<Outcome> {
    let Some(browser) = report_page::browser(repository) else {
        return Ok(Outcome::Skipped(
            "no Chromium; install `chromium` to try the inspector".to_owned(),
        ));
    };
    if let Outcome::Skipped(why) = build(repository)? {
        return Ok(Outcome::Skipped(why));
    }
    // The tests have just built the program with the page in it.
    if length == Length::Long || !program()?.exists() {
        repository.cargo(&["build", "--package", "redraft", "--locked", "--quiet"])?;
    }
    let program = program()?;
    let (program, browser) = (program.to_string_lossy(), which(&browser)?);
    let mut words = vec![
        "web/tests/run.mjs",
        "--program",
        &program,
        "--browser",
        &browser,
    ];
    if length == Length::Long {
        words.push("--long");
    }
    repository.run("node", &words)?;
    Ok(match length {
        Length::Short => Outcome::Ran,
        Length::Long => {
            Outcome::RanBut("screenshots are in target/inspector; look at them".to_owned())
        }
    })
}

fn program() -> Result<PathBuf> {
    Ok(build_folder()?.join("redraft"))
}

/// The path of a program that is found by its name.
fn which(name: &Path) -> Result<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
        .map(|path| path.to_string_lossy().into_owned())
        .with_context(|| format!("{} is not in PATH", name.display()))
}
