//! Exit codes: how a command ended, and which outcome of a run means which code.

use redraft_report::judge_report::Judged;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::reasons::NotAccepted;
use redraft_run::verdict::Reason;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Clean or accepted.
    Clean,
    GateFailed,
    /// Wrong usage or unreadable input.
    Usage,
    /// Escalated to a reviewer.
    Escalated,
    /// The budget was exhausted before anything could be scored.
    OverBudget,
    /// No model is configured, or none gave a usable answer.
    ModelTrouble,
    /// The user interrupted the command; it can be resumed.
    Interrupted,
}

impl Exit {
    /// The exit code of the process.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::GateFailed => 1,
            Self::Usage => 2,
            Self::Escalated => 3,
            Self::OverBudget => 4,
            Self::ModelTrouble => 5,
            Self::Interrupted => 130,
        }
    }

    /// The exit of one outcome (ruling 43): the outcome first, model trouble only where
    /// nothing could be scored.
    #[must_use]
    pub fn of_outcome(outcome: &Outcome) -> Self {
        if let Some(unscored) = &outcome.unscored {
            return match unscored.reason {
                Reason::Unusable if outcome.status != Status::Escalated => Self::GateFailed,
                Reason::Unusable => Self::Escalated,
                Reason::OverBudget => Self::OverBudget,
                Reason::Stopped => Self::Escalated,
                _ => Self::ModelTrouble,
            };
        }
        match outcome.status {
            Status::Accepted | Status::AcceptedWarning => Self::Clean,
            Status::Escalated => Self::Escalated,
            // Ruling 58: nothing that was not accepted is green.
            Status::BestEffort => Self::GateFailed,
            Status::Checked if outcome.open_errors > 0 => Self::GateFailed,
            Status::Checked => Self::Clean,
        }
    }

    /// The exit of one outcome of `judge`: cards that need a revision are not escalated
    /// by that, for their author revises them next; a judgement in doubt is.
    #[must_use]
    pub fn of_judgement(judged: &Judged) -> Self {
        let outcome = &judged.outcome;
        let lacks = outcome
            .because
            .as_ref()
            .map(|because| &because.not_accepted);
        let is_certain = matches!(
            lacks,
            Some(
                NotAccepted::OpenError(_)
                    | NotAccepted::CriteriaBelow { .. }
                    | NotAccepted::OverallBelow { .. }
                    | NotAccepted::CriticalIssue
                    | NotAccepted::BlockingIssue { .. }
            )
        );
        match Self::of_outcome(outcome) {
            Self::Escalated if is_certain && judged.seed.needs_revision() => Self::GateFailed,
            exit => exit,
        }
    }

    /// The exit of several documents: the one that most needs attention.
    #[must_use]
    pub fn of_all(exits: &[Self]) -> Self {
        [
            Self::Interrupted,
            Self::Usage,
            Self::GateFailed,
            Self::Escalated,
            Self::ModelTrouble,
            Self::OverBudget,
        ]
        .into_iter()
        .find(|exit| exits.contains(exit))
        .unwrap_or(Self::Clean)
    }
}
