//! `cargo xtask simulate`: what redraft does to texts whose true quality is known.
//! The world and the counting are `examples/simulate`; it is built for speed,
//! because some thousand documents go through whole runs.

use anyhow::Result;

use crate::process::Repository;

/// Prints the report; arguments go through to the example.
pub(crate) fn run(repository: &Repository, arguments: &[&str]) -> Result<()> {
    let mut words = vec![
        "run",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "xtask",
        "--example",
        "simulate",
        "--",
    ];
    words.extend_from_slice(arguments);
    repository.cargo(&words)
}
