//! The reasons of arbitration and routing in words, once.

use redraft_run::arbitrate::Conflict;
use redraft_run::planning_reasons::{Opposition, Precedence, SetAsideReason, WholeRewriteReason};

/// Why an issue is not followed.
pub(crate) fn set_aside(reason: &SetAsideReason, alpha: Option<f64>) -> String {
    let alpha = alpha
        .map(|alpha| format!(" (Krippendorff's alpha {alpha:.3})"))
        .unwrap_or_default();
    match reason {
        SetAsideReason::RaisedByOne { judges } => {
            format!("only one of {judges} judges raised it, and they agree only moderately{alpha}")
        }
        SetAsideReason::JudgesDisagree { raised_by, judges } => format!(
            "it is not critical, was raised by {raised_by} of {judges} judges, and their agreement is low{alpha}"
        ),
    }
}

/// What two issues are at odds about.
pub(crate) fn opposition(opposition: Opposition) -> &'static str {
    match opposition {
        Opposition::AddOrCut => "adding versus cutting",
        Opposition::DetailOrSimplicity => "more detail versus simplifying",
        Opposition::FormalOrPlain => "a formal tone versus a plain one",
    }
}

/// How a conflict was settled, for people: by criterion, without the ids of issues.
pub(crate) fn settled(winner: &str, loser: &str, because: &Precedence) -> String {
    let why = match because {
        Precedence::OtherAlreadyLost { .. } => format!("{loser} already yields to another issue"),
        _ => precedence(winner, loser, because),
    };
    format!("{winner} is followed and {loser} becomes a constraint, because {why}")
}

/// The same with the ids of the issues, as the seeds' plan has it.
pub(crate) fn resolution(conflict: &Conflict) -> String {
    let (winner, loser) = (&conflict.winner_criterion, &conflict.loser_criterion);
    let why = match &conflict.because {
        Precedence::OtherAlreadyLost { to } => {
            format!("{} already yields to {to}", conflict.loser)
        }
        because => precedence(winner, loser, because),
    };
    format!(
        "{} ({winner}) is followed and {} ({loser}) becomes a constraint, because {why}",
        conflict.winner, conflict.loser
    )
}

fn precedence(winner: &str, loser: &str, because: &Precedence) -> String {
    match because {
        Precedence::Critical => "it is critical and the other is not".to_owned(),
        Precedence::Hierarchy => format!("{winner} ranks above {loser} in the hierarchy"),
        Precedence::Severity => "it is the more severe of the two".to_owned(),
        Precedence::Judges { winner, loser } => {
            format!("more judges raised it ({winner} against {loser})")
        }
        Precedence::Position => "it comes first in the text".to_owned(),
        Precedence::OtherAlreadyLost { to } => format!("the other already yields to {to}"),
    }
}

/// Why the whole text is to be written again.
pub(crate) fn whole_rewrite(reason: &WholeRewriteReason) -> String {
    match reason {
        WholeRewriteReason::Structure {
            criterion,
            score,
            least,
        } => format!("{criterion} scores {score}, below {least}: edits of sections cannot fix it"),
        WholeRewriteReason::CriticalSections {
            critical,
            sections,
            most_percent,
        } => format!(
            "{critical} of {sections} sections have a critical issue, more than {most_percent}%"
        ),
        WholeRewriteReason::Overall { score, least } => {
            format!("the overall score is {score}, below {least}")
        }
    }
}
