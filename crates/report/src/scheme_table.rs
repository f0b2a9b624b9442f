//! What became of the entries of a scheme of work that were written (`write --all`): one
//! line each, and the sums below.

use std::fmt::Write as _;

use redraft_gate::score::Score;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::Status;

use crate::decimals::Decimals;
use crate::{plain, sentences};

/// An entry that was to be written.
#[derive(Clone, Debug)]
pub struct WrittenEntry {
    pub order: i64,
    pub label: String,
    pub ended: Ended,
    /// Why its cards were not accepted, or could not be written.
    pub because: Option<String>,
    /// Millionths of a dollar.
    pub cost_micros: u64,
}

/// How the writing of an entry ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// With cards, or without a text, by its status.
    Judged(Status, Option<Score>),
    /// It was interrupted; running the command again goes on with it.
    Interrupted,
    /// It was not started.
    NotStarted,
    Failed,
}

impl Ended {
    fn score(&self) -> Option<Score> {
        match self {
            Self::Judged(_, score) => *score,
            _ => None,
        }
    }

    fn words(&self) -> &str {
        match self {
            Self::Judged(status, _) => sentences::status(*status),
            Self::Interrupted => "interrupted",
            Self::NotStarted => "not started",
            Self::Failed => "failed",
        }
    }
}

/// The table, for people.
#[must_use]
pub fn human(entries: &[WrittenEntry]) -> String {
    const TITLE: usize = 30;
    const STATUS: usize = 23;
    let decimals = Decimals::of(entries.iter().filter_map(|entry| entry.ended.score()));
    let mut text = format!(
        "{:>5}  {:TITLE$}  {:STATUS$}  {:>5}  {:>9}\n",
        "entry", "title", "status", "score", "cost"
    );
    for entry in entries {
        let score = entry
            .ended
            .score()
            .map_or("-".to_owned(), |score| decimals.show(score));
        let title = crate::count::cut(&plain::words(&entry.label), TITLE);
        let cost = in_dollars(entry.cost_micros).unwrap_or("-".to_owned());
        let _ = writeln!(
            text,
            "{:>5}  {title:TITLE$}  {:STATUS$}  {score:>5}  {cost:>9}",
            entry.order,
            entry.ended.words(),
        );
        if let Some(why) = &entry.because {
            let _ = writeln!(text, "       {}", plain::words(why));
        }
    }
    let accepted = entries
        .iter()
        .filter(|entry| {
            matches!(
                entry.ended,
                Ended::Judged(Status::Accepted | Status::AcceptedWarning, _)
            )
        })
        .count();
    let cost: u64 = entries.iter().map(|entry| entry.cost_micros).sum();
    let _ = writeln!(
        text,
        "\n{accepted} of {} accepted{}",
        crate::count::counted(entries.len(), "lesson"),
        in_dollars(cost).map_or(String::new(), |cost| format!(", {cost}"))
    );
    let open = entries
        .iter()
        .filter(|entry| matches!(entry.ended, Ended::Interrupted | Ended::NotStarted))
        .count();
    if open > 0 {
        let _ = writeln!(
            text,
            "{} left; run the same command again to continue",
            crate::count::counted(open, "lesson")
        );
    }
    text
}

/// A cost; nothing where no price is known.
fn in_dollars(micros: u64) -> Option<String> {
    (micros > 0).then(|| format!("${}", Dollars(micros)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_line_and_what_is_left_is_said() {
        let entry = |order, label: &str, ended| WrittenEntry {
            order,
            label: label.to_owned(),
            ended,
            because: None,
            cost_micros: 12_000,
        };
        let text = human(&[
            entry(
                1,
                "Fractions of an Amount in a Shop or on a Train",
                Ended::Judged(Status::Accepted, Score::from_thousandths(910)),
            ),
            WrittenEntry {
                because: Some("no entry".to_owned()),
                ..entry(2, "Time", Ended::Failed)
            },
            entry(3, "Speed", Ended::NotStarted),
        ]);
        assert!(
            text.contains(
                "    1  Fractions of an Amount in a S…  accepted                  0.91    $0.0120"
            ),
            "{text}"
        );
        assert!(
            text.contains("failed                       -    $0.0120\n       no entry\n"),
            "{text}"
        );
        assert!(text.contains("1 of 3 lessons accepted, $0.0360"), "{text}");
        assert!(
            text.contains("1 lesson left; run the same command again"),
            "{text}"
        );
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        let unpriced = human(&[WrittenEntry {
            cost_micros: 0,
            ..entry(
                4,
                "Area",
                Ended::Judged(Status::Escalated, Score::from_thousandths(875)),
            )
        }]);
        assert!(
            unpriced.contains("escalated to a reviewer  0.875          -"),
            "{unpriced}"
        );
        assert!(unpriced.ends_with("0 of 1 lesson accepted\n"), "{unpriced}");
    }
}
