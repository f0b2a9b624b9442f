//! Rounds of repair: how they begin and end, and when to stop.

use super::context::Context;
use super::progress::{Attempt, Progress};
use super::text::Text;
use crate::event::EventKind;
use redraft_gate::score::Score;

use crate::policy::RepairPolicy;
use crate::reasons::StopReason;
use crate::route::RefinementPlan;
use redraft_gate::finding::Severity;

/// Begins a round, and returns the name of its stage.
pub(super) fn begin_round(
    context: &Context,
    progress: &mut Progress,
    plan: &RefinementPlan,
) -> &'static str {
    progress.round += 1;
    let node = context.setup.profile.stage_name("repair");
    context.emit(EventKind::NodeEnter { node });
    context.emit(EventKind::RefinementStart {
        iteration: progress.round,
        target_sections: plan.sections_to_modify.clone(),
        mode: context.setup.mode.name(),
        estimated_tokens: plan.estimated_cost,
    });
    node
}

/// Emits the findings of the free checks.
pub(super) fn emit_checks(context: &Context, text: &Text) {
    let node = context.setup.profile.stage_name("check");
    let count = |severity| {
        text.findings()
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    context.emit(EventKind::NodeEnter { node });
    context.emit(EventKind::CheckComplete {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        infos: count(Severity::Info),
    });
    context.emit(EventKind::NodeComplete { node });
}

/// Ends a round, with the score of the text and its change against the best so far in thousandths.
pub(super) fn emit_round_complete(
    context: &Context,
    round: u32,
    text: &Text,
    (score, gain): (Option<Score>, Option<i32>),
) {
    let mut mailbox = context.mailbox.lock();
    let bytes = text.document().source().bytes().to_vec();
    mailbox.rounds.insert(round, bytes);
    let (tokens, cost_micros) = mailbox.ledger.total();
    drop(mailbox);
    context.emit(EventKind::IterationComplete {
        iteration: round,
        score,
        score_delta: gain,
        content: text.version(),
        tokens,
        cost_micros,
    });
}

/// Why no further round is started.
pub(super) fn why_stop(context: &Context, progress: &Progress) -> Option<StopReason> {
    if let Some(stopped) = &context.mailbox.lock().stopped {
        return Some(StopReason::Interrupted(stopped.clone()));
    }
    let most = context.setup.policy.repair.iterations + progress.extra;
    if progress.round >= most {
        return Some(StopReason::IterationsUsedUp { most });
    }
    let reason = why_converged(progress, &context.setup.policy.repair)?;
    if matches!(
        reason,
        StopReason::Converged { .. } | StopReason::Oscillating
    ) {
        context.emit(EventKind::ConvergenceDetected {
            reason: reason.clone(),
        });
    }
    Some(reason)
}

/// Why more rounds would not improve the text (ruling 37): each of the last two gained less than
/// the policy's minimum, or the score oscillates. If that minimum is 0, only rounds without any
/// change end the loop.
fn why_converged(progress: &Progress, policy: &RepairPolicy) -> Option<StopReason> {
    let (idle, rolled_back) = (policy.idle_rounds, policy.rolled_back_rounds);
    let below = i32::from(policy.converged_below.thousandths());
    let was_proposed = progress.proposed_in > progress.round.saturating_sub(idle);
    if progress.idle >= idle && !was_proposed {
        return Some(StopReason::NoProposal { rounds: idle });
    }
    if progress.idle >= rolled_back {
        return Some(StopReason::NothingKept {
            rounds: rolled_back,
        });
    }
    if below == 0 {
        return None;
    }
    if let [.., before, last] = progress.gains.as_slice()
        && *before < below
        && *last < below
    {
        return Some(StopReason::Converged {
            below: policy.converged_below,
        });
    }
    let scores: Vec<i32> = progress
        .lineage()
        .filter_map(Attempt::overall)
        .map(|score| i32::from(score.thousandths()))
        .collect();
    match scores.as_slice() {
        [.., first, second, third]
            if (second - first).signum() * (third - second).signum() < 0
                && (third - first).abs() < below =>
        {
            Some(StopReason::Oscillating)
        }
        _ => None,
    }
}
