//! Decides what happens to a text: compares its assessment with the thresholds of the policy.
//!
//! | scored | meets the accept rule | then |
//! |---|---|---|
//! | no | – | escalated, or best effort below standard (ruling 23) |
//! | yes, but a judge could not read all of it | – | not accepted: the rest was not judged |
//! | yes, but an error is open | – | not accepted |
//! | yes, with low confidence | – | not accepted: a reviewer looks at it (ruling 3) |
//! | yes, but an issue is open that the policy never accepts (ruling 70) | – | not accepted |
//! | yes | yes, but a solver without the key names another option twice | not accepted: a reviewer looks at the key |
//! | yes | yes | accepted |
//! | yes | yes, but it was repaired and the panel has not confirmed it (ruling 31, 36) | not accepted |
//! | yes | no, but good enough, after a repair or with nothing left to repair (ruling 35), and no major or critical issue is open (ruling 58) | as the policy says: accepted, or accepted with a warning |
//! | yes | no | escalated, or best effort |

use schemars::JsonSchema;
use serde::Serialize;

use crate::assess::Assessment;
use crate::policy::{AtTheEnd, Policy};
use crate::reasons::{BeyondRepair, CriterionBelow, NotAccepted, OpenError, Unconfirmed};
use crate::solve::{Solving, SolvingResult};
use crate::verdict::{Confidence, Issue, IssueSeverity, Unscored};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::score::Score;

/// How good a text is, in both modes (ruling 39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityStatus {
    /// .85 or more.
    Good,
    /// .75 or more.
    Acceptable,
    /// Less, or unscored.
    BelowStandard,
}

impl QualityStatus {
    /// The status of a score.
    #[must_use]
    pub fn of(score: Score) -> Self {
        match score.thousandths() {
            850.. => Self::Good,
            750.. => Self::Acceptable,
            _ => Self::BelowStandard,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// It may be published.
    Accept,
    /// It may be published; the report lists the open issues.
    AcceptWithWarning,
    /// A reviewer must decide.
    HandOver(NotAccepted),
    /// It is returned as the best version so far, although it is not accepted.
    BestEffort(NotAccepted),
}

/// Whether a text that is good enough may be accepted (ruling 35).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoodEnough {
    /// Yes: it was repaired, or there is nothing left to repair.
    Accepted,
    /// Not yet: it is repaired first.
    NotYet,
}

/// What a decision is based on.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    pub policy: &'a Policy,
    /// The findings of the free checks.
    pub findings: &'a [Finding],
    /// The open issues from the judges.
    pub issues: &'a [Issue],
    /// The score, or why the text has none.
    pub scored: Result<&'a Assessment, &'a Unscored>,
    pub good_enough: GoodEnough,
    /// The result of blind solving, if the item was solved.
    pub solving: Option<&'a Solving>,
    /// Why the panel has not confirmed this text, if it still must.
    pub unconfirmed: Option<&'a Unconfirmed>,
}

#[must_use]
pub fn decide(grounds: &Grounds<'_>) -> Ruling {
    accepted(grounds).unwrap_or_else(|why| match grounds.policy.at_the_end {
        AtTheEnd::HandOver => Ruling::HandOver(why),
        AtTheEnd::BestEffort => Ruling::BestEffort(why),
    })
}

/// Accepts a text, with or without a warning.
///
/// # Errors
/// The reason why it is not accepted.
pub fn accepted(grounds: &Grounds<'_>) -> Result<Ruling, NotAccepted> {
    let assessment = grounds
        .scored
        .map_err(|unscored| NotAccepted::Unscored(unscored.clone()))?;
    if let Some(unread) = assessment.unread() {
        return Err(NotAccepted::PartlyRead {
            unread: unread.clone(),
        });
    }
    by_score(grounds, assessment)
}

/// Why repairing would not help a text that is not accepted: its scores suffice, and no repair
/// makes a judge read more or be more confident.
#[must_use]
pub fn beyond_repair(grounds: &Grounds<'_>) -> Option<BeyondRepair> {
    let assessment = grounds.scored.ok()?;
    if open_error(grounds.findings).is_some() || by_thresholds(grounds, assessment).is_err() {
        return None;
    }
    if assessment.unread().is_some() {
        Some(BeyondRepair::PartlyRead)
    } else if assessment.confidence() == Confidence::Low {
        Some(BeyondRepair::LowConfidence)
    } else if key_disputed(grounds).is_some() {
        Some(BeyondRepair::KeyDisputed)
    } else {
        None
    }
}

/// Whether the text would be accepted on what was read of it.
fn by_score(grounds: &Grounds<'_>, assessment: &Assessment) -> Result<Ruling, NotAccepted> {
    if let Some(error) = open_error(grounds.findings) {
        return Err(NotAccepted::OpenError(error));
    }
    if assessment.confidence() == Confidence::Low {
        return Err(NotAccepted::LowConfidence {
            doubts: assessment.doubts().to_vec(),
        });
    }
    let ruling = by_thresholds(grounds, assessment)?;
    match key_disputed(grounds) {
        Some(disputed) => Err(disputed),
        None => Ok(ruling),
    }
}

/// The objection of a solver who disputes the key.
fn key_disputed(grounds: &Grounds<'_>) -> Option<NotAccepted> {
    let solving = grounds.solving?;
    (solving.result == SolvingResult::Disagrees).then(|| NotAccepted::KeyDisputed {
        key: solving.key.clone(),
        answers: solving.answers.clone(),
    })
}

/// The first open error of the free checks.
pub(crate) fn open_error(findings: &[Finding]) -> Option<OpenError> {
    findings
        .iter()
        .find(|finding| finding.severity == Severity::Error)
        .map(OpenError::from)
}

/// Whether the scores suffice and enough judges support them.
fn by_thresholds(grounds: &Grounds<'_>, assessment: &Assessment) -> Result<Ruling, NotAccepted> {
    let ruling = match shortfall(grounds, assessment) {
        None => Ruling::Accept,
        Some(why) => match grounds.policy.good_enough {
            Some(enough)
                if grounds.good_enough == GoodEnough::Accepted
                    && assessment.overall() >= enough.from
                    && !has_open(grounds, IssueSeverity::Major)
                    && grounds.policy.blocking_issue(grounds.issues).is_none() =>
            {
                if enough.warns {
                    Ruling::AcceptWithWarning
                } else {
                    Ruling::Accept
                }
            }
            _ => return Err(why),
        },
    };
    match grounds.unconfirmed {
        Some(reason) => Err(NotAccepted::Unconfirmed {
            reason: reason.clone(),
        }),
        None => Ok(ruling),
    }
}

/// Which threshold a scored text misses.
fn shortfall(grounds: &Grounds<'_>, assessment: &Assessment) -> Option<NotAccepted> {
    let policy = grounds.policy;
    if policy.every_criterion {
        let criteria = criteria_below(assessment);
        if !criteria.is_empty() {
            return Some(NotAccepted::CriteriaBelow { criteria });
        }
    }
    if assessment.overall() < policy.accept {
        return Some(NotAccepted::OverallBelow {
            score: assessment.overall(),
            needed: policy.accept,
        });
    }
    if has_open(grounds, IssueSeverity::Critical) {
        return Some(NotAccepted::CriticalIssue);
    }
    let blocking = policy.blocking_issue(grounds.issues)?;
    Some(NotAccepted::BlockingIssue {
        criterion: blocking.criterion.clone(),
        component: blocking.location.clone(),
        severity: blocking.severity,
    })
}

fn criteria_below(assessment: &Assessment) -> Vec<CriterionBelow> {
    assessment
        .criteria()
        .iter()
        .filter(|criterion| !criterion.suffices())
        .filter_map(|criterion| {
            Some(CriterionBelow {
                criterion: criterion.name().to_owned(),
                score: criterion.score(),
                threshold: criterion.threshold()?,
            })
        })
        .collect()
}

/// Whether an issue of at least this severity is open.
fn has_open(grounds: &Grounds<'_>, severity: IssueSeverity) -> bool {
    grounds.findings.iter().any(|finding| finding.critical)
        || grounds
            .issues
            .iter()
            .any(|issue| issue.severity >= severity)
}
