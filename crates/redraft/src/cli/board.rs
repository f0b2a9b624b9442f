//! What a user sees while many documents are worked on: a line for each that is running
//! (name, stage, score, cost), and a bar with the count, the cost and the remaining time.
//! Shown on a terminal only, never with `-q`, and erased at the end: the report follows.

use std::cell::RefCell;
use std::fmt::Write;
use std::io::{self, IsTerminal as _};

use indicatif::{
    HumanDuration, MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use redraft_report::overview::Tally;
use redraft_report::progress::Stage;
use redraft_run::event::Event;

use super::jobs::JobResult;
use super::output;

/// See the module.
pub(super) struct Board {
    lines: Option<MultiProgress>,
    bar: ProgressBar,
    tally: RefCell<Tally>,
}

impl Board {
    pub(super) fn new(documents: usize, quiet: bool) -> Self {
        let shows = documents > 1 && !quiet && io::stderr().is_terminal();
        if !shows {
            return Self {
                lines: None,
                bar: ProgressBar::hidden(),
                tally: RefCell::default(),
            };
        }
        let lines = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let bar = lines.add(ProgressBar::new(documents as u64));
        if let Ok(style) = ProgressStyle::with_template("{bar:20} {pos}/{len}  {wide_msg} {left}") {
            bar.set_style(style.with_key("left", remaining));
        }
        bar.enable_steady_tick(std::time::Duration::from_secs(1));
        output::share_screen(&lines);
        Self {
            lines: Some(lines),
            bar,
            tally: RefCell::default(),
        }
    }

    /// The line of a document that starts.
    pub(super) fn start(&self, path: &str) -> BoardLine {
        let bar = self.lines.as_ref().map(|lines| {
            let line = lines.insert_before(&self.bar, ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
                line.set_style(style);
            }
            line
        });
        let line = BoardLine {
            bar,
            stage: Stage::new(path),
        };
        line.show();
        line
    }

    /// Counts a document that is done.
    pub(super) fn done(&self, result: &JobResult) {
        let mut tally = self.tally.borrow_mut();
        if let JobResult::Judged(one) = result {
            tally.add(one);
        }
        self.bar.set_message(tally.in_short());
        self.bar.inc(1);
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
        if let Some(lines) = &self.lines {
            let _ = lines.clear();
        }
        output::leave_screen();
    }
}

/// The remaining time, as far as the documents that are done tell it.
fn remaining(state: &ProgressState, out: &mut dyn Write) {
    // Where it cannot be written, it is not shown.
    let _ = match state.pos() {
        0 => Ok(()),
        _ => write!(out, "{:#} left", HumanDuration(state.eta())),
    };
}

/// The line of a running document; it goes with it.
pub(super) struct BoardLine {
    bar: Option<ProgressBar>,
    stage: Stage,
}

impl BoardLine {
    pub(super) fn event(&mut self, event: &Event) {
        if self.stage.update(event) {
            self.show();
        }
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            bar.set_message(self.stage.line());
        }
    }
}

impl Drop for BoardLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
