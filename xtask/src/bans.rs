//! The pure crates may not open files, look at the clock or print. Clippy
//! enforces it from a `clippy.toml` beside each of them; here we see that the
//! files are the same and that clippy really objects, and that nothing which
//! waits, asks or listens is linked into them.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::process::{self, Repository};
use crate::steps::Outcome;

const PURE: [&str; 5] = [
    "crates/text/clippy.toml",
    "crates/mermaid/clippy.toml",
    "crates/banks/clippy.toml",
    "crates/gate/clippy.toml",
    "crates/run/clippy.toml",
];

/// Code that a pure crate must not contain: one banned item of each kind, and
/// what clippy calls it.
const PROBE: &str = r#"//! What a pure crate must not do.
/// A file, the clock, the terminal.
pub fn impure() -> bool {
    println!("printed");
    let file: Option<std::fs::File> = None;
    std::fs::read("file").is_ok() && std::env::var("HOME").is_ok() && file.is_some()
}
"#;
const OBJECTIONS: [&str; 4] = [
    "`std::println`",
    "`std::fs::File`",
    "`std::fs::read`",
    "`std::env::var`",
];

/// Fails when the files differ or a ban does not bite.
pub(crate) fn check(repository: &Repository) -> Result<Outcome> {
    let mut rules = Vec::new();
    for path in PURE {
        rules.push(fs::read(repository.path(path)).with_context(|| format!("cannot read {path}"))?);
    }
    if let Some(other) = rules.iter().position(|rule| *rule != rules[0]) {
        bail!(
            "{} and {} differ; all pure crates have the same bans",
            PURE[0],
            PURE[other]
        );
    }
    let folder = process::build_folder()?.join("bans-probe");
    let said = clippy_on_probe(&folder, &rules[0])?;
    for item in OBJECTIONS {
        let objected = said
            .lines()
            .any(|line| line.contains("use of a disallowed") && line.contains(item));
        if !objected {
            bail!("clippy does not object to {item} in a pure crate; it said:\n{said}");
        }
    }
    for package in [
        "redraft-text",
        "redraft-mermaid",
        "redraft-gate",
        "redraft-run",
    ] {
        no_runtime_below(package)?;
    }
    Ok(Outcome::Ran)
}

/// Crates that wait, ask or listen.
const RUNTIMES: [&str; 11] = [
    "tokio",
    "async-std",
    "smol",
    "mio",
    "futures",
    "futures-util",
    "hyper",
    "reqwest",
    "ureq",
    "axum",
    "sqlx",
];

fn no_runtime_below(package: &str) -> Result<()> {
    let output = Command::new(process::cargo())
        .args([
            "tree",
            "--package",
            package,
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .output()
        .context("cannot start cargo tree")?;
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || tree.trim().is_empty() {
        bail!("cargo tree says nothing about {package}");
    }
    let linked = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .find(|name| RUNTIMES.contains(name));
    match linked {
        Some(name) => bail!("{package} is pure, but {name} is linked into it"),
        None => Ok(()),
    }
}

/// Runs clippy over a crate without dependencies that breaks the rules, and
/// gives what it says.
fn clippy_on_probe(folder: &Path, rules: &[u8]) -> Result<String> {
    const MANIFEST: &str = "[package]\nname = \"bans-probe\"\nedition = \"2024\"\n\n[workspace]\n";
    let write = |name: &str, content: &[u8]| {
        fs::write(folder.join(name), content)
            .with_context(|| format!("cannot write the probe's {name}"))
    };
    fs::create_dir_all(folder.join("src")).context("cannot make the probe's folder")?;
    write("Cargo.toml", MANIFEST.as_bytes())?;
    write("clippy.toml", rules)?;
    write("src/lib.rs", PROBE.as_bytes())?;
    let output = Command::new(process::cargo())
        .args([
            "clippy",
            "--quiet",
            "--offline",
            "--target-dir",
            "target",
            "--",
            "-D",
            "warnings",
        ])
        .current_dir(folder)
        .output()
        .context("cannot start cargo clippy")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        bail!("clippy accepts a pure crate that reads files and prints");
    }
    Ok(said)
}
