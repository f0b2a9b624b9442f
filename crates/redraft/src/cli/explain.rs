//! `redraft explain`: the page of a check, or the list of all checks.

use std::io::Write as _;

use anyhow::bail;
use clap::Args;
use redraft_profiles::registry;
use redraft_report::explain;

use super::exit::Exit;
use crate::config::nearest;

/// Options of `explain`.
#[derive(Clone, Debug, Args)]
pub struct ExplainOptions {
    /// Code or name of a check; without it, list all checks
    pub check: Option<String>,
}

pub(super) fn run(options: &ExplainOptions) -> anyhow::Result<Exit> {
    let text = match &options.check {
        None => list(),
        Some(name) => match registry::find_check(name) {
            Some(check) => for_output(explain::check_page(check)),
            None => {
                let checks = registry::all_checks();
                let known = checks.iter().flat_map(|check| [check.code, check.name]);
                match nearest(name, known) {
                    Some(near) => bail!("unknown check `{name}`; did you mean `{near}`?"),
                    None => bail!("unknown check `{name}`; run `redraft explain` for a list"),
                }
            }
        },
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Clean)
}

/// Markdown for a pipe or a file, as it reads for a terminal.
fn for_output(page: String) -> String {
    match anstream::stdout().current_choice() {
        anstream::ColorChoice::Never => page,
        _ => explain::for_terminal(&page),
    }
}

fn list() -> String {
    registry::all_checks()
        .iter()
        .map(|check| {
            format!(
                "{}  {:<20} {:<8} {}\n",
                check.code,
                check.name,
                check.severity.name(),
                check.summary
            )
        })
        .collect()
}
