//! `cargo xtask cost-table`: what a repair takes against writing the whole again.
//! The counting is done by `examples/cost_table.rs`, with the program's own runs.

use anyhow::{Context as _, Result};

use crate::docs;
use crate::process::Repository;

/// Prints the tables; fails where the scenario takes more than its goal.
pub(crate) fn run(repository: &Repository) -> Result<()> {
    docs::example(repository, "cost_table", &[])
        .context("repairing the lesson of seed 003 §13.1 takes more than it may")
}
