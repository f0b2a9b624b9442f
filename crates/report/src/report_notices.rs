//! What `redraft report` says about runs and results that it can show only in part.

use std::fmt::Display;

use super::count::counted;
use super::plain;

/// The run of a page has not ended.
pub const NOT_FINISHED: &str =
    "The run has not finished; resume it, or read this as the state so far.";

/// A result whose text is not there any more.
#[must_use]
pub fn no_text(path: &str) -> String {
    format!(
        "The text is not shown: {path} is missing or has changed since. Run the command again to see findings and issues in place."
    )
}

/// A result whose journal is not there.
#[must_use]
pub fn no_journal(journal: &str) -> String {
    format!("The journal of this run ({journal}) was not found; reasons and events are missing.")
}

/// A run that this program would decide on otherwise.
#[must_use]
pub fn decides_differently(program: &str, recorded: &str) -> String {
    format!(
        "This version of redraft decides differently from {program}, which recorded the run as {recorded}."
    )
}

/// A journal that cannot be shown.
#[must_use]
pub fn left_out(why: &impl Display) -> String {
    format!("left out: {why:#}")
}

/// Runs of documents that have a later one in the folder.
#[must_use]
pub fn earlier_runs(number: usize, folder: &str) -> String {
    format!(
        "{} of the same documents in {} left out; name a run to see it",
        counted(number, "earlier run"),
        plain::path(folder)
    )
}
