//! Why something happened in a run, as data: why a text was not accepted, why repair ended, why a
//! repair was rolled back. Events and outcomes carry these reasons.
//!
//! `redraft-report` makes the sentences. Only [`RollbackReason`] is worded here, because a later
//! prompt repeats it to a model.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::ask::Role;
use crate::fit::InputCut;
use crate::planning_reasons::WholeRewriteReason;
use crate::solve::{ItemOption, SolverAnswer};
use crate::verdict::{Doubt, IssueSeverity, Unscored};
use redraft_gate::finding::Finding;
use redraft_gate::score::Score;
use redraft_gate::span::ComponentId;

/// Why a text was not accepted, and why its repair ended.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Because {
    /// What the text lacks.
    pub not_accepted: NotAccepted,
    /// Why there was no further round of repair; absent where repair was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopReason>,
}

impl From<NotAccepted> for Because {
    fn from(not_accepted: NotAccepted) -> Self {
        Self {
            not_accepted,
            stopped: None,
        }
    }
}

/// What keeps a text from being accepted. The first that applies, in this order.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NotAccepted {
    /// There was nothing to judge: the text could not be written.
    NotWritten {
        /// Why not.
        reason: NotWritten,
    },
    /// No judge scored it.
    Unscored(Unscored),
    /// A judge could not read all of it.
    PartlyRead {
        /// What was left out.
        unread: InputCut,
    },
    /// An error of the free checks is open; of several the first.
    OpenError(OpenError),
    /// The judges are not sure of the score.
    LowConfidence {
        /// Why their verdicts are not credible, where it was not they who said so.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        doubts: Vec<Doubt>,
    },
    /// Criteria score less than the rubric demands of them.
    CriteriaBelow {
        /// All of them, in the order of the rubric.
        criteria: Vec<CriterionBelow>,
    },
    /// The overall score is too low.
    OverallBelow {
        /// The score.
        score: Score,
        /// What the policy demands.
        needed: Score,
    },
    /// A critical issue is open.
    CriticalIssue,
    /// An issue is open that the policy never accepts; of several the most severe.
    BlockingIssue {
        /// Its criterion.
        criterion: String,
        /// The component it is in.
        component: ComponentId,
        /// How bad it is.
        severity: IssueSeverity,
    },
    /// A solver who does not see the key names another option, twice.
    KeyDisputed {
        /// The option that the item says is right.
        key: ItemOption,
        /// What the solver answered.
        answers: Vec<SolverAnswer>,
    },
    /// The panel has not confirmed the score.
    Unconfirmed {
        /// Why not.
        reason: Unconfirmed,
    },
}

/// An open error of the free checks.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub struct OpenError {
    /// The permanent code of the check.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

impl From<&Finding> for OpenError {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.check.code,
            name: finding.check.name,
            message: finding.message.clone(),
        }
    }
}

/// A criterion that scores less than the rubric demands of it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct CriterionBelow {
    /// Its name.
    pub criterion: String,
    /// Its score.
    pub score: Score,
    /// The least it needs.
    pub threshold: Score,
}

/// Why too few judges confirm a score.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unconfirmed {
    /// Only one judge is configured.
    OneJudge,
    /// Another version of the text was scored, but by other judges.
    Incomparable,
    /// Two judges disagree, and a third has not decided between them.
    Disputed {
        /// Why the third gave no verdict; absent where none is configured.
        #[serde(skip_serializing_if = "Option::is_none")]
        unscored: Option<Unscored>,
    },
    /// Only one judge has scored the text; this one gave no verdict.
    NoVerdict {
        /// The judge without a verdict; of several the first.
        role: Role,
        /// Why it gave none.
        unscored: Unscored,
    },
    /// The second judge was not asked.
    NotAsked,
}

/// Why a text could not be written.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NotWritten {
    /// It was not tried.
    NotTried {
        /// Why not.
        reason: CannotWrite,
    },
    /// A writer gave no usable answer.
    NoAnswer(Unscored),
    /// What was written could not be shown to a judge.
    Unusable(Unscored),
}

/// Why a whole text is not written.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CannotWrite {
    /// There is no specification to write it from.
    NoSpecification,
    /// No model is configured for a role that writes.
    NoModel {
        /// The role.
        role: Role,
    },
    /// The policy does not allow a rewrite of the whole text.
    Forbidden,
    /// It was rewritten as often as the policy allows.
    RewrittenOften {
        /// How often.
        times: u32,
    },
    /// A judge has read only a part of it, and nothing unread is thrown away.
    PartlyRead,
    /// A reviewer locked or edited a component.
    Locked,
}

/// Why there is no further round of repair.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StopReason {
    /// The time is up, or a person stopped the run.
    Interrupted(Unscored),
    /// All rounds are used up.
    IterationsUsedUp {
        /// How many there were.
        most: u32,
    },
    /// The last two rounds improved the score by less than the policy asks for.
    Converged {
        /// What the policy calls an improvement.
        below: Score,
    },
    /// The score rises and falls by turns.
    Oscillating,
    /// No usable change was proposed.
    NoProposal {
        /// In so many rounds.
        rounds: u32,
    },
    /// Changes were proposed, and none was kept.
    NothingKept {
        /// In so many rounds.
        rounds: u32,
    },
    /// What is left of the budget does not pay for a repair and its verification.
    BudgetExhausted(OverBudget),
    /// A repair led to a version that was judged before.
    SameTextAgain,
    /// There is no repair to do.
    NothingToRepair {
        /// Why not.
        reason: NothingToRepair,
    },
    /// Repair would not help.
    BeyondRepair {
        /// Why not.
        reason: BeyondRepair,
    },
    /// The whole text was to be rewritten, and that failed.
    NotRewritten {
        /// Why.
        reason: NotWritten,
    },
}

/// What a budget lacks, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct OverBudget {
    /// What is needed at worst.
    pub needs: u64,
    /// What is left.
    pub left: u64,
}

/// Why there is no repair to do.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NothingToRepair {
    /// No judge has named anything to repair.
    NotJudged,
    /// The whole text would have to be rewritten, and cannot be.
    WholeNeeded {
        /// Why repair by component is not enough.
        because: WholeRewriteReason,
        /// Why the whole is not rewritten.
        obstacle: CannotWrite,
    },
    /// No task is left that could be done.
    NoTaskLeft,
}

/// Why repair would not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BeyondRepair {
    /// What was read is good enough; the rest could not be read.
    PartlyRead,
    /// The scores are high enough; the judge is not sure of them.
    LowConfidence,
    /// The scores are high enough; a solver disputes the key, which no repair changes.
    KeyDisputed,
}

/// Why a repair is not kept, or was rolled back later. Its words are also what the
/// next attempt's prompt tells the model.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RollbackReason {
    /// The model proposed no change.
    NoChange {
        /// What it gave as its reason.
        reason: String,
    },
    /// No usable answer came.
    NoAnswer(Unscored),
    /// The program rejected the proposal.
    Rejected {
        /// What it objected to.
        objections: String,
    },
    /// It no longer fits beside the other repairs of its batch.
    NoLongerFits {
        /// What does not fit.
        problem: String,
    },
    /// The delta judge found demands that it does not meet.
    NotSolved {
        /// Those demands.
        unmet: Vec<Unmet>,
    },
    /// The delta judge did not find the repaired text better.
    NotBetter {
        /// Its reason.
        reason: String,
    },
    /// The delta judge gave no usable answer.
    NotVerified(Unscored),
    /// It made a good criterion worse.
    QualityLock {
        /// The criterion.
        criterion: String,
    },
    /// Another version of the text is the result.
    OtherVersionPreferred,
    /// The whole text could not be rewritten.
    NotRewritten {
        /// Why not.
        reason: NotWritten,
    },
    /// A reviewer locked the component.
    Locked {
        /// Who.
        by: String,
    },
    /// A reviewer skipped the repair.
    Skipped {
        /// Who.
        by: String,
    },
}

impl fmt::Display for RollbackReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChange { reason } => write!(f, "nothing was changed: {reason}"),
            Self::NoAnswer(Unscored { message, .. })
            | Self::Rejected {
                objections: message,
            }
            | Self::NoLongerFits { problem: message } => f.write_str(message),
            Self::NotSolved { unmet } => {
                // Ids mean nothing to a later attempt, whose issues have other ids.
                for (at, one) in unmet.iter().enumerate() {
                    let separator = if at == 0 { "" } else { "; " };
                    write!(f, "{separator}“{}”: {}", one.demand, one.reason)?;
                }
                Ok(())
            }
            Self::NotBetter { reason } => write!(f, "the new text is not better: {reason}"),
            Self::NotVerified(unscored) => {
                write!(f, "it could not be verified: {}", unscored.message)
            }
            Self::QualityLock { criterion } => write!(f, "it made {criterion} worse"),
            Self::OtherVersionPreferred => f.write_str("another version was preferred"),
            Self::NotRewritten { .. } => f.write_str("the text could not be rewritten"),
            Self::Locked { by } => write!(f, "{by} locked the component"),
            Self::Skipped { by } => write!(f, "{by} skipped the repair"),
        }
    }
}

/// A demand that a repair does not meet.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unmet {
    /// The id of an issue of the task, or `constraint_1` and so on.
    pub id: String,
    /// What was demanded.
    pub demand: String,
    /// What the delta judge says about it.
    pub reason: String,
}

/// Why a component is no longer edited.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LockReason {
    /// It was edited as often as the policy allows.
    EditedOften {
        /// How often.
        edits: u32,
    },
    /// A repair of it made a good criterion worse.
    MadeWorse {
        /// The criterion.
        criterion: String,
    },
    /// A reviewer locked it.
    ByReviewer {
        /// Who.
        by: String,
    },
    /// A reviewer edited it.
    EditedByReviewer {
        /// Who.
        by: String,
    },
}

/// Why something that was asked for was left out.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SkipReason {
    /// No model is configured for it.
    NoModel,
    /// Whatever it said, the text is not accepted.
    CannotChangeDecision {
        /// Why not.
        not_accepted: NotAccepted,
    },
    /// A judge scores a good criterion lower than before, and names no new issue about it.
    FallWithoutIssue {
        /// The criterion.
        criterion: String,
    },
    /// No usable answer came.
    NoAnswer(Unscored),
    /// A proposed edit was rejected.
    EditRejected {
        /// The component it is in.
        component: ComponentId,
        /// What was wrong with it.
        problem: String,
    },
    /// The proposed edits do not fit the text.
    DoesNotFit,
    /// A repair and its verification do not fit into the budget.
    OverBudget {
        /// The component that is not repaired.
        component: ComponentId,
        /// What is lacking.
        #[serde(flatten)]
        lack: OverBudget,
    },
    /// The text could not be rewritten.
    NotRewritten {
        /// Why not.
        reason: NotWritten,
    },
    /// An internal error.
    Internal {
        /// What went wrong.
        message: String,
    },
}

/// Why a reviewer's decision was not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refusal {
    /// A text that no judge has scored is not accepted.
    NotScored,
    /// A text with an open error is not accepted.
    OpenError,
    /// This run only judges.
    JudgingOnly,
    /// The text was edited as often as is allowed.
    EditedOften,
    /// It was retried as often as is allowed.
    RetriedOften,
}
