//! A set of cards for a database (`--database`): the template unchanged, with a
//! compressed copy of its cards in a field of its own. `store` makes the row.

use std::path::Path;

use anyhow::Context as _;
use redraft_run::outcome::Status;

use super::output::complain;
use crate::files::{self, HardLinks};
use crate::store;
use redraft_report::judge_report::Judged;
use redraft_report::plain;

/// Writes accepted cards to a file for a database, or prints why they are not written.
///
/// # Errors
/// When the template is not valid, or the file cannot be written.
pub(super) fn keep(one: &Judged, to: &Path) -> anyhow::Result<()> {
    let outcome = &one.outcome;
    let passed = matches!(outcome.status, Status::Accepted | Status::AcceptedWarning);
    let because = if outcome.profile != "sqa-lesson" {
        "this is not a set of cards"
    } else if !passed {
        "the cards were not accepted"
    } else {
        let content = outcome.final_content.as_ref().unwrap_or(&one.original);
        let row = store::plain_row(content).with_context(|| one.path.clone())?;
        return files::put(to, row.as_bytes(), HardLinks::Refuse);
    };
    complain(&format!(
        "{}: --database wrote nothing: {because}",
        plain::path(&one.path)
    ));
    Ok(())
}
