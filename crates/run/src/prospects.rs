//! Decides whether more judges could still get a text accepted. If not, they are not asked: their
//! verdicts would change nothing about the next step.
//!
//! | the text, as scored so far | may be accepted |
//! |---|---|
//! | an error of the free checks is open | no |
//! | a critical issue is open: no vote overrules it (ruling 25) | no |
//! | the cap of a finding keeps a criterion below its own threshold | no |
//! | a criterion is further below its threshold than other judges may differ | no |
//! | the overall score is further below the threshold than that | no |
//! | else | yes |
//!
//! The overall threshold is the accept threshold, or the good-enough one if that applies and no
//! major issue is open. Other judges may differ by `clear_by` from a judge with high confidence, by
//! `agree_within` from one with medium confidence, and by any amount from one with low confidence
//! (ruling 21).

use crate::assess::{Assessed, Assessment};
use crate::decide::{self, GoodEnough, Grounds};
use crate::policy::Policy;
use crate::reasons::{CriterionBelow, NotAccepted};
use crate::verdict::{Confidence, IssueSeverity};
use redraft_gate::score::Score;

/// Whether a text may be accepted after more judges have voted. Always true without a score.
///
/// # Errors
/// Why it certainly will not be.
pub fn may_be_accepted(grounds: &Grounds<'_>) -> Result<(), NotAccepted> {
    let Ok(assessment) = grounds.scored else {
        return Ok(());
    };
    if let Some(error) = decide::open_error(grounds.findings) {
        return Err(NotAccepted::OpenError(error));
    }
    let is_open = |severity| grounds.issues.iter().any(|one| one.severity >= severity);
    let has_critical = grounds.findings.iter().any(|finding| finding.critical);
    if has_critical || is_open(IssueSeverity::Critical) {
        return Err(NotAccepted::CriticalIssue);
    }
    let policy = grounds.policy;
    let apart = apart(policy, assessment);
    if policy.every_criterion {
        let criteria = far_below(assessment, apart);
        if !criteria.is_empty() {
            return Err(NotAccepted::CriteriaBelow { criteria });
        }
    }
    let enough = policy
        .good_enough
        .filter(|_| grounds.good_enough == GoodEnough::Accepted && !is_open(IssueSeverity::Major));
    let needed = enough.map_or(policy.accept, |enough| enough.from.min(policy.accept));
    let score = assessment.overall();
    if score.thousandths().saturating_add(apart) < needed.thousandths() {
        return Err(NotAccepted::OverallBelow { score, needed });
    }
    Ok(())
}

/// How much other judges may differ, in thousandths.
fn apart(policy: &Policy, assessment: &Assessment) -> u16 {
    match assessment.confidence() {
        Confidence::High => policy.clear_by.thousandths(),
        Confidence::Medium => policy.agree_within.thousandths(),
        Confidence::Low => Score::ONE.thousandths(),
    }
}

/// The criteria that stay below their thresholds whatever other judges give.
fn far_below(assessment: &Assessment, apart: u16) -> Vec<CriterionBelow> {
    let is_far = |criterion: &Assessed, threshold: Score| {
        let may_rise = match criterion.capped_at() {
            Some(_) => 0,
            None => apart,
        };
        criterion.score().thousandths().saturating_add(may_rise) < threshold.thousandths()
    };
    let criteria = assessment.criteria().iter();
    criteria
        .filter_map(|criterion| {
            let threshold = criterion.threshold()?;
            is_far(criterion, threshold).then(|| CriterionBelow {
                criterion: criterion.name().to_owned(),
                score: criterion.score(),
                threshold,
            })
        })
        .collect()
}
