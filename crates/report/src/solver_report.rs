//! How a solver did over a bank: told once, and not with every item. Whether it is believed
//! was decided before.

use std::fmt::Write as _;

use redraft_run::policy::SolverPolicy;
use redraft_run::solve::SolverRecord;
use schemars::JsonSchema;
use serde::Serialize;

use super::count::counted;
use super::plain;
use super::style::BOLD;

/// What blind solving came to over a bank.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct SolverReport {
    /// The bank.
    pub path: String,
    /// The model.
    pub model: String,
    /// How it did.
    #[serde(flatten)]
    pub record: SolverRecord,
    /// Whether the items that it disputes go to a reviewer. If not, the solver itself is
    /// to be looked at.
    pub believed: bool,
    /// The share of keys that it may differ from, in hundredths.
    pub most_disputed: u32,
}

impl SolverReport {
    #[must_use]
    pub fn new(path: String, model: String, record: SolverRecord, policy: SolverPolicy) -> Self {
        Self {
            path,
            model,
            record,
            believed: record.is_believed(policy),
            most_disputed: policy.most_disputed,
        }
    }
}

/// A line about every solver that differs from a key.
pub(super) fn write(text: &mut String, solvers: &[SolverReport]) {
    for solver in solvers.iter().filter(|solver| solver.record.differs > 0) {
        let SolverRecord {
            items,
            differs,
            disputes,
        } = solver.record;
        let _ = write!(
            text,
            "{BOLD}{}{BOLD:#}: solver {} chose a different option from the key for {differs} of {}",
            plain::path(&solver.path),
            plain::words(&solver.model),
            counted(items, "item")
        );
        let _ = match (solver.believed, disputes) {
            (true, 0) => writeln!(text, "; it is sure of none, and no key is disputed"),
            (true, _) => writeln!(text, "; it disputes {}", counted(disputes, "key")),
            (false, _) => writeln!(
                text,
                ", more than {}%: its answers are ignored, and no item is escalated because of them\n  use a stronger model for the role `solver`, or set `solve = false` in [judging]",
                solver.most_disputed
            ),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_that_differs_often_is_reported_itself() {
        let told = |items, differs, disputes| {
            let record = SolverRecord {
                items,
                differs,
                disputes,
            };
            let policy = SolverPolicy::default();
            let report = SolverReport::new("bank.json".into(), "x/y".into(), record, policy);
            let mut text = String::new();
            write(&mut text, &[report]);
            anstream::adapter::strip_str(&text).to_string()
        };
        assert_eq!(told(40, 0, 0), "");
        assert_eq!(
            told(40, 2, 1),
            "bank.json: solver x/y chose a different option from the key for 2 of 40 items; it disputes 1 key\n"
        );
        assert!(told(40, 2, 0).contains("no key is disputed"));
        let told = told(40, 9, 5);
        assert!(
            told.contains("9 of 40 items, more than 20%: its answers are ignored"),
            "{told}"
        );
        assert!(told.contains("role `solver`"), "{told}");
    }
}
