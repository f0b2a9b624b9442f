//! `cargo xtask test`: the one command that says whether the repository is in
//! order. Cheap steps come first. What needs a tool that is not installed is
//! skipped and said, except where there is another way.

use std::fs;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::postgres::Postgres;
use crate::process::Repository;
use crate::report_page::{self, Length};
use crate::steps::{Outcome, Steps, unless_skips_fail};
use crate::{bans, data, decisions, docs, inspector, modules, real_model, supply_chain};

/// Runs every step; the first that fails ends the run.
pub(crate) fn run(repository: &Repository) -> Result<()> {
    let mut steps = Steps::default();
    let result = run_steps(repository, &mut steps);
    steps.summarise();
    result
}

fn run_steps(repository: &Repository, steps: &mut Steps) -> Result<()> {
    steps.run("reference data", || Ok(data::look(repository)))?;
    steps.run("format", || {
        repository
            .cargo(&["fmt", "--all", "--check", "--", "--files-with-diff"])
            .context("run `cargo fmt --all`")?;
        Ok(Outcome::Ran)
    })?;
    steps.run("bans of the pure crates", || bans::check(repository))?;
    steps.run("cycles of modules", || modules::check(repository))?;
    steps.run("index of decisions", || decisions::check(repository))?;
    steps.run("inspector page", || inspector::build(repository))?;
    steps.run("lints", || {
        repository.cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ])?;
        Ok(Outcome::Ran)
    })?;
    steps.run("generated pages", || {
        docs::check(repository)?;
        Ok(Outcome::Ran)
    })?;
    steps.run("tests", || tests(repository))?;
    steps.run("real model", || real_model::check(repository))?;
    steps.run("report page in a browser", || {
        report_page::check(repository, Length::Short)
    })?;
    steps.run("inspector in a browser", || {
        inspector::check(repository, Length::Short)
    })?;
    steps.run("doc tests", || doc_tests(repository))?;
    steps.run("licences, bans and sources of dependencies", || {
        supply_chain::check_policy(repository)
    })?;
    steps.run("advisories about dependencies", || {
        supply_chain::check_advisories(repository)
    })
}

fn tests(repository: &Repository) -> Result<Outcome> {
    let postgres = Postgres::start()?;
    let (url, authority) = (postgres.url(), postgres.authority());
    let variables: Vec<(&str, &str)> = [
        ("TEST_DATABASE_URL", &url),
        ("TEST_DATABASE_CA", &authority),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name, value.as_deref()?)))
    .collect();
    let mut notes = Vec::new();
    if repository.has_cargo_command("nextest") {
        let at_once = tests_at_once().to_string();
        let words = ["nextest", "run", "--workspace", "--locked"];
        let words = [&words[..], &["--test-threads", &at_once]].concat();
        repository.cargo_with(&words, &variables)?;
    } else {
        // Doc tests have a step of their own.
        let words = [
            "test",
            "--workspace",
            "--locked",
            "--quiet",
            "--all-targets",
        ];
        repository.cargo_with(&words, &variables)?;
        notes.push("with cargo test; `cargo install cargo-nextest --locked` is faster".to_owned());
    }
    if let Postgres::Missing(why) = postgres {
        let why = format!("the service on PostgreSQL: {why}");
        unless_skips_fail(Outcome::Skipped(why.clone()))?;
        notes.push(format!("skipped {why}"));
    }
    Ok(if notes.is_empty() {
        Outcome::Ran
    } else {
        Outcome::RanBut(notes.join("; "))
    })
}

/// Many tests wait for processes, servers and clocks: two for each core keep it busy.
fn tests_at_once() -> usize {
    const FOR_EACH_CORE: usize = 2;
    std::thread::available_parallelism().map_or(1, NonZero::get) * FOR_EACH_CORE
}

/// Doc tests are linked one by one, so the step is left out while there are none.
fn doc_tests(repository: &Repository) -> Result<Outcome> {
    if !has_doc_tests(&repository.path("crates"))? {
        return Ok(Outcome::RanBut("there are none".to_owned()));
    }
    repository.cargo(&["test", "--workspace", "--locked", "--quiet", "--doc"])?;
    Ok(Outcome::Ran)
}

/// Whether a doc comment below a folder holds a code block.
fn has_doc_tests(folder: &Path) -> Result<bool> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let found = if path.is_dir() {
            has_doc_tests(&path)?
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            source.lines().any(opens_code_in_a_doc_comment)
        } else {
            false
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

fn opens_code_in_a_doc_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.strip_prefix("///")
        .or_else(|| line.strip_prefix("//!"))
        .is_some_and(|comment| comment.trim_start().starts_with("```"))
}

#[cfg(test)]
mod tests {
    use super::opens_code_in_a_doc_comment;

    #[test]
    fn only_code_blocks_of_doc_comments_are_doc_tests() {
        for (line, expected) in [
            ("/// ```", true),
            ("    //! ```rust", true),
            ("/// A fence is ``` or more.", false),
            ("// ```", false),
            ("let fence = \"```\";", false),
        ] {
            assert_eq!(opens_code_in_a_doc_comment(line), expected, "{line}");
        }
    }
}
