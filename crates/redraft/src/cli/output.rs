//! The last step of everything that is printed: on a terminal nothing foreign is obeyed
//! (ruling 66), and what goes to a file is written whole.

use std::io::{self, Write as _};
use std::path::Path;

use redraft_report::plain;

use super::options::Format;
use crate::files::{self, HardLinks};
use crate::inspection;

/// Prints a message to standard error, after the name of the program.
pub(super) fn complain(message: &str) {
    // Where standard error is closed, nobody can be told.
    let _ = writeln!(anstream::stderr(), "redraft: {}", plain::screen(message));
}

/// Prints a report to standard output. Only the human format has colours to strip for a
/// pipe; stripping the others would remove control characters of the content.
pub(super) fn print(format: Format, report: &str) -> io::Result<()> {
    match format {
        Format::Human => anstream::stdout().write_all(plain::screen(report).as_bytes()),
        _ => io::stdout().write_all(report.as_bytes()),
    }
}

/// Prints a report to standard error, where standard output carries a text.
pub(super) fn print_aside(format: Format, report: &str) -> io::Result<()> {
    match format {
        Format::Human => anstream::stderr().write_all(plain::screen(report).as_bytes()),
        _ => io::stderr().write_all(report.as_bytes()),
    }
}

/// Writes a report to a file, or prints it: without a file, and for `-`.
pub(super) fn put(output: Option<&Path>, format: Format, report: &str) -> anyhow::Result<()> {
    let Some(path) = output.filter(|path| !is_stdout(path)) else {
        return Ok(print(format, report)?);
    };
    let text = match format {
        Format::Human => anstream::adapter::strip_str(&plain::screen(report)).to_string(),
        _ => report.to_owned(),
    };
    files::put(path, text.as_bytes(), HardLinks::Refuse)
}

/// Whether an output is standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path in a message: quoted if it contains anything odd.
pub(super) fn shown(path: &Path) -> String {
    plain::path(&inspection::path_text(path)).into_owned()
}
