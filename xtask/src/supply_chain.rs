//! What we depend on: licences, sources, known faults. `deny.toml` holds the
//! policy; without cargo-deny the steps are skipped.

use anyhow::Result;

use crate::process::{self, Repository};
use crate::steps::Outcome;

const MISSING: &str = "cargo-deny is not installed: `cargo install cargo-deny --locked`";

/// Licences, banned crates and sources. Needs no network.
pub(crate) fn check_policy(repository: &Repository) -> Result<Outcome> {
    if !repository.has_cargo_command("deny") {
        return Ok(Outcome::Skipped(MISSING.to_owned()));
    }
    repository.cargo(&[
        "deny",
        "--workspace",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ])?;
    Ok(Outcome::Ran)
}

/// Known faults of dependencies. Needs a database that is fetched first; when it
/// cannot be fetched that says nothing about the dependencies.
pub(crate) fn check_advisories(repository: &Repository) -> Result<Outcome> {
    if !repository.has_cargo_command("deny") {
        return Ok(Outcome::Skipped(MISSING.to_owned()));
    }
    if !repository.succeeds(process::cargo(), &["deny", "fetch", "db"]) {
        return Ok(Outcome::Skipped(
            "the advisory database cannot be fetched".to_owned(),
        ));
    }
    repository.cargo(&[
        "deny",
        "--workspace",
        "check",
        "--disable-fetch",
        "advisories",
    ])?;
    Ok(Outcome::Ran)
}
