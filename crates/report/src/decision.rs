//! Who decided on a text, and against which thresholds.
//!
//! | outcome | told |
//! |---|---|
//! | a reviewer accepted it | who, and what the program would have said |
//! | a reviewer left it as it is | who |
//! | accepted with warnings | what acceptance without them needed |
//! | every judged text | the mode and the thresholds |

use std::fmt::Write as _;

use redraft_run::assess::Assessment;
use redraft_run::outcome::{Needed, Outcome, Status};
use redraft_run::reasons::Because;

use super::decimals::Decimals;
use super::plain;
use super::sentences;
use super::style::DIM;

/// Why a text was not accepted, or who accepted it nevertheless, and against which threshold.
#[must_use]
pub fn because(outcome: &Outcome) -> Option<String> {
    match (&outcome.because, &outcome.overruled, &outcome.decided_by) {
        (Some(because), ..) => Some(sentences::because(because)),
        (None, Some(because), Some(by)) => Some(overruled(by, because)),
        _ => None,
    }
}

fn overruled(by: &str, because: &Because) -> String {
    format!("approved by {by}, although {}", sentences::because(because))
}

pub(super) fn write(text: &mut String, outcome: &Outcome) {
    if let Some(by) = &outcome.decided_by {
        let _ = match (&outcome.overruled, outcome.status) {
            (Some(because), _) => {
                writeln!(text, "  {}", plain::words(&overruled(by, because)))
            }
            (None, Status::Escalated) => writeln!(text, "  rejected by {}", plain::words(by)),
            (None, _) => writeln!(text, "  decided by {}", plain::words(by)),
        };
    }
    if outcome.status == Status::Checked {
        return;
    }
    let needed = &outcome.needed;
    let decimals = Decimals::of_outcome(outcome);
    if outcome.status == Status::AcceptedWarning {
        let score = outcome.score.as_ref().map(Assessment::overall);
        let below: Vec<String> = outcome
            .score
            .iter()
            .flat_map(Assessment::criteria)
            .filter(|one| needed.every_criterion && !one.suffices())
            .filter_map(|one| {
                Some(format!(
                    "{} {}",
                    one.name(),
                    decimals.show(one.threshold()?)
                ))
            })
            .collect();
        let mut lacks = Vec::new();
        if score.is_some_and(|score| score < needed.accept) {
            lacks.push(format!("{} overall", decimals.show(needed.accept)));
        }
        lacks.extend(below);
        if !lacks.is_empty() {
            let _ = writeln!(
                text,
                "  good enough, as no major issue is open; acceptance without a warning needs {}",
                lacks.join(", ")
            );
        }
    }
    let _ = writeln!(text, "  {DIM}{}{DIM:#}", thresholds(needed, decimals));
}

/// `full-auto mode; accepted from 0.850, good enough from 0.800`.
fn thresholds(needed: &Needed, decimals: Decimals) -> String {
    let mut parts = Vec::new();
    if let Some(mode) = needed.mode {
        parts.push(format!("{mode} mode; "));
    }
    parts.push(format!("accepted from {}", decimals.show(needed.accept)));
    if needed.every_criterion {
        parts.push(" and every criterion from its threshold".to_owned());
    }
    if let Some(enough) = needed.good_enough.filter(|enough| *enough < needed.accept) {
        parts.push(format!(", good enough from {}", decimals.show(enough)));
    }
    parts.concat()
}
