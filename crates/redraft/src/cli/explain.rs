//! `redraft explain`: the page of a check, or the list of all checks.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::bail;
use clap::Args;
use redraft_gate::check::Check;
use redraft_profiles::registry;
use redraft_report::{explain, wrap};

use super::exit::Exit;
use super::output;
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

/// Markdown for a pipe or a file, as it reads for a terminal, also without colours.
fn for_output(page: String) -> String {
    let has_colours = anstream::stdout().current_choice() != anstream::ColorChoice::Never;
    if has_colours || io::stdout().is_terminal() {
        wrap::prose(&explain::for_terminal(&page), output::report_width())
    } else {
        page
    }
}

fn list() -> String {
    let checks = registry::all_checks();
    let longest = checks.iter().map(|check| check.name.len()).max();
    let width = longest.unwrap_or_default();
    let line = |check: &&Check| {
        format!(
            "{}  {:<width$}  {:<7}  {}\n",
            check.code,
            check.name,
            check.severity.name(),
            check.summary
        )
    };
    let list: String = checks.iter().map(line).collect();
    wrap::screen(&list, output::report_width())
}
