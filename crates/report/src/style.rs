//! The styles of the reports for the terminal.

use anstyle::{AnsiColor, Style};
use redraft_run::outcome::Status;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

pub(crate) fn of_status(status: Status) -> Style {
    let color = match status {
        Status::Accepted => AnsiColor::Green,
        Status::AcceptedWarning | Status::BestEffort | Status::Checked => AnsiColor::Yellow,
        Status::Escalated => AnsiColor::Red,
    };
    Style::new().bold().fg_color(Some(color.into()))
}
