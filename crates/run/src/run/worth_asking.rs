//! Decides by `prospects` whether it is worth asking more judges: only if their verdicts could
//! change the next step.

use super::context::Context;
use super::judgements::{JUDGES, Judgements};
use super::judging::Wanted;
use super::text::Text;
use crate::ask::Role;
use crate::assess::{Assessed, Assessment};
use crate::decide::GoodEnough;
use crate::event::EventKind;
use crate::policy::Policy;
use crate::prospects;
use crate::reasons::SkipReason;
use crate::setup::Goal;
use redraft_gate::score::Score;

/// Whether more judges could change the next step. If not, an event says so.
pub(super) fn may_matter(
    context: &Context,
    judgements: &Judgements,
    (text, wanted): (&Text, Wanted),
    what: &'static str,
) -> bool {
    let setup = &context.setup;
    // For a run that only judges, the verdict itself is the result.
    if !matches!(setup.goal, Goal::Refine | Goal::Write) || wanted == Wanted::Confirmed {
        return true;
    }
    let Some(assessment) = judgements.assessment(text) else {
        return true;
    };
    if wanted == Wanted::First && may_be_rewritten(&setup.policy, &assessment) {
        return true;
    }
    // The first version is repaired while there is anything to repair (ruling 35).
    let good_enough = match wanted {
        Wanted::First if !judgements.issues(text).is_empty() => GoodEnough::NotYet,
        _ => GoodEnough::Accepted,
    };
    let prospects = judgements.decide(text, good_enough, None, prospects::may_be_accepted);
    let panel = judgements.panel(text.version());
    let could_ask = |role: &Role| {
        context.seat(*role).is_some() && panel.is_none_or(|panel| !panel.was_asked(*role))
    };
    match prospects {
        Ok(()) => true,
        Err(not_accepted) => {
            if JUDGES.iter().any(could_ask) {
                context.emit(EventKind::Skipped {
                    what,
                    reason: SkipReason::CannotChangeDecision { not_accepted },
                });
            }
            false
        }
    }
}

/// Whether the score is close to the threshold for rewriting the whole text (ruling 28), so that
/// other judges could decide that.
fn may_be_rewritten(policy: &Policy, assessment: &Assessment) -> bool {
    let line = policy.redo_below.thousandths();
    let is_near = |score: Score| {
        line > 0 && score.thousandths() < line.saturating_add(policy.clear_by.thousandths())
    };
    let structure = policy.repair.structure.as_deref();
    let mut criteria = assessment.criteria().iter();
    let is_weak = |one: &Assessed| Some(one.name()) == structure && is_near(one.score());
    is_near(assessment.overall()) || criteria.any(is_weak)
}
