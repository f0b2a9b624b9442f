//! The styles of the reports for the terminal. The colours are of the palette of 256 and
//! dark enough for a light background, light enough for a dark one: each has a contrast of
//! about 4 or more with both black and white. Nothing is told by colour alone.

use anstyle::{Ansi256Color, Color, Style};
use redraft_run::outcome::Status;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();

pub(crate) const GREEN: Style = of(28);
pub(crate) const AMBER: Style = of(130);
pub(crate) const RED: Style = of(160);
pub(crate) const BLUE: Style = of(32);

const fn of(color: u8) -> Style {
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(color))))
}

pub(crate) fn of_status(status: Status) -> Style {
    let style = match status {
        Status::Accepted => GREEN,
        Status::AcceptedWarning | Status::BestEffort | Status::Checked => AMBER,
        Status::Escalated => RED,
    };
    style.bold()
}
