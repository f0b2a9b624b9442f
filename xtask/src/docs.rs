//! `cargo xtask docs`: the generated pages, written or compared. What stands in
//! them is the program's business; `examples/pages.rs` asks it.

use anyhow::{Context as _, Result};

use crate::process::{self, Repository};

/// Writes the pages and deletes those that nothing generates any more.
pub(crate) fn write(repository: &Repository) -> Result<()> {
    pages(repository, "write")
}

/// Fails when the pages in the repository are not those of the code.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    pages(repository, "check").context("the generated pages are stale: run `cargo xtask docs`")
}

fn pages(repository: &Repository, what: &str) -> Result<()> {
    let root = repository.path("");
    example(repository, "pages", &[what, &root.to_string_lossy()])
}

/// Builds an example of this package as the tests are built, in their profile and with
/// the features of the whole workspace, so that nothing is compiled twice, and runs it.
pub(crate) fn example(repository: &Repository, name: &str, arguments: &[&str]) -> Result<()> {
    repository.cargo(&[
        "build",
        "--profile",
        "test",
        "--workspace",
        "--locked",
        "--example",
        name,
    ])?;
    let program = process::build_folder()?.join("examples").join(name);
    repository.run(&program.to_string_lossy(), arguments)
}
