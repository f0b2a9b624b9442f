//! `cargo xtask fuzz`: the fuzz targets, one after the other. They need a nightly
//! toolchain and cargo-fuzz, which nothing else here does.

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::docs;
use crate::process::Repository;

/// What to run and for how long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    target: Option<String>,
    seconds: u32,
}

impl Request {
    /// Reads `[target] [seconds]`; either may be left out.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let (target, seconds) = match words {
            [] => (None, None),
            [one] if one.parse::<u32>().is_ok() => (None, Some(*one)),
            [target] => (Some(*target), None),
            [target, seconds] => (Some(*target), Some(*seconds)),
            _ => return None,
        };
        Some(Self {
            target: target.map(str::to_owned),
            seconds: seconds.map_or(Some(60), |seconds| seconds.parse().ok())?,
        })
    }
}

/// Runs the targets; the first crash ends the run, its input is kept in
/// `fuzz/artifacts`.
pub(crate) fn run(repository: &Repository, request: &Request) -> Result<()> {
    let all = targets(repository)?;
    let chosen: Vec<&String> = all
        .iter()
        .filter(|name| request.target.as_ref().is_none_or(|wanted| wanted == *name))
        .collect();
    if chosen.is_empty() {
        bail!("there is no such fuzz target; there are {}", all.join(", "));
    }
    if !repository.succeeds("rustup".into(), &["run", "nightly", "cargo", "--version"]) {
        bail!("fuzzing needs a nightly toolchain: `rustup toolchain install nightly`");
    }
    if !repository.has_cargo_command("fuzz") {
        bail!("fuzzing needs cargo-fuzz: `cargo install cargo-fuzz --locked`");
    }
    let corpus = repository.path("fuzz/corpus");
    docs::example(repository, "seeds", &[&corpus.to_string_lossy()])?;
    for target in chosen {
        eprintln!("== fuzz {target} for {} s", request.seconds);
        fs::create_dir_all(corpus.join(target)).context("cannot make the corpus folder")?;
        let limit = format!("-max_total_time={}", request.seconds);
        // No sanitizer: the crates forbid unsafe code, so it would only be slow.
        // An input of four kilobytes that takes ten seconds is a fault, too.
        let words = [
            "run",
            "nightly",
            "cargo",
            "fuzz",
            "run",
            "--sanitizer",
            "none",
            target,
            "--",
            &limit,
            "-timeout=10",
            "-max_len=4096",
        ];
        repository
            .run("rustup", &words)
            .with_context(|| format!("{target}: the input is in fuzz/artifacts/{target}"))?;
    }
    Ok(())
}

fn targets(repository: &Repository) -> Result<Vec<String>> {
    let folder = repository.path("fuzz/fuzz_targets");
    let mut names = Vec::new();
    for entry in
        fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        if let Some(name) = entry?.path().file_stem() {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn target_and_seconds_may_both_be_left_out() {
        let request = |target: Option<&str>, seconds| {
            Some(Request {
                target: target.map(str::to_owned),
                seconds,
            })
        };
        for (words, expected) in [
            (&[][..], request(None, 60)),
            (&["decode"], request(Some("decode"), 60)),
            (&["5"], request(None, 5)),
            (&["decode", "5"], request(Some("decode"), 5)),
            (&["decode", "soon"], None),
        ] {
            assert_eq!(Request::parse(words), expected, "{words:?}");
        }
    }
}
