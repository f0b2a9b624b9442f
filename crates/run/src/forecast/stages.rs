//! What each stage may come to: the rows of `expect`'s table. Whether a call can
//! be paid is the pool's business.

use super::budget::{Call, MOST_ROUNDS, Paid, TokenPool, times};
use super::{Amount, Forecast, Stage, StageEstimate};
use crate::ask::Role;
use crate::ledger::COMPLAINT_TOKENS;
use crate::policy::Judging;
use crate::policy::Targets;
use crate::route::estimate;

/// Tasks of a usual iteration, where more than the weakest component is repaired:
/// seed 003 §13.1 has two.
const USUAL_TASKS: usize = 2;
/// What a task tells a model, usually: a few instructions, sentences on both
/// sides, terms.
const BESIDE: u64 = 350;
/// Issues and constraints of a usual task.
const DEMANDS: u64 = 3;
/// Merged issues that the arbiter puts into words.
const MERGED: u64 = 4;

fn tries(forecast: &Forecast<'_>) -> u64 {
    u64::from(forecast.figures.tries.max(1))
}

pub(super) fn self_review(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::self_review(forecast.document, &forecast.overheads);
    let call = Call::of(forecast, Role::SelfReviewer, usual)?;
    let limit = forecast.figures.budgets.judging.unwrap_or(u64::MAX);
    let mut pool = TokenPool::new(limit, "the review");
    let [paid, _] = pool.pay([&[(call, tries(forecast))], &[]]);
    Some(StageEstimate {
        stage: Stage::SelfReview,
        roles: vec![Role::SelfReviewer],
        best: call.usually_within(1, pool.limit),
        typical: call.usually_within(1, pool.limit),
        worst: paid.amount,
        stopped: pool.stopped(&paid),
    })
}

pub(super) fn arbiter(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::arbiter(MERGED, &forecast.overheads);
    let call = Call::of(forecast, Role::Arbiter, usual)?;
    let rounds = u64::from(forecast.figures.iterations);
    if rounds == 0 {
        return None;
    }
    Some(StageEstimate {
        stage: Stage::Arbiter,
        roles: vec![Role::Arbiter],
        best: Amount::default(),
        typical: call.usually_within(1, u64::MAX),
        worst: call.at_worst(rounds.saturating_mul(tries(forecast))),
        stopped: None,
    })
}

/// What the judges of one text may need at worst, each with one retry, in tokens (ruling
/// 51): the budget of judging one version, unless the policy allows less.
#[must_use]
pub fn judging_need(forecast: &Forecast<'_>) -> u64 {
    let usual = estimate::judge(forecast.document, &forecast.overheads);
    let need = [
        Role::JudgeSecondary,
        Role::JudgePrimary,
        Role::JudgeTiebreaker,
    ]
    .into_iter()
    .filter_map(|role| Call::of(forecast, role, usual))
    .map(|call| call.worst().total() * 2 + COMPLAINT_TOKENS)
    .fold(0, u64::saturating_add);
    need.min(forecast.figures.budgets.judging.unwrap_or(u64::MAX))
}

/// The stages in which a text is scored. Each text has a budget of its own for
/// its judges.
pub(super) fn judging(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
    let figures = &forecast.figures;
    let usual = estimate::judge(forecast.document, &forecast.overheads);
    let call = |role| Call::of(forecast, role, usual).map(|call| (role, call));
    let single = call(Role::JudgeSecondary).or_else(|| call(Role::JudgePrimary));
    let Some((single_role, single)) = single else {
        return Vec::new();
    };
    let others: Vec<(Role, Call<'_>)> = [Role::JudgePrimary, Role::JudgeTiebreaker]
        .into_iter()
        .filter(|role| *role != single_role)
        .filter_map(call)
        .collect();
    let limit = figures.budgets.judging.unwrap_or(u64::MAX);
    let behind_one = limit.saturating_sub(usual.total());
    let tries = tries(forecast);
    let rounds = u64::from(figures.iterations);
    let roles = |calls: &[(Role, Call<'_>)]| calls.iter().map(|(role, _)| *role).collect();
    let mut stages = Vec::new();

    // One text: its single judge and the panel, out of one budget.
    let voters: Vec<(Call<'_>, u64)> = others.iter().map(|(_, call)| (*call, tries)).collect();
    let on_panel = if figures.judging == Judging::Single {
        &[]
    } else {
        voters.as_slice()
    };
    let mut pool = TokenPool::new(limit, "judging one text");
    let [first, votes] = pool.pay([&[(single, tries)], on_panel]);
    stages.push(StageEstimate {
        stage: Stage::Judge,
        roles: vec![single_role],
        best: single.usually_within(1, limit),
        typical: single.usually_within(1, limit),
        worst: first.amount,
        stopped: pool.stopped(&first),
    });
    if !on_panel.is_empty() {
        let usual = match (figures.judging, others.first()) {
            (Judging::Panel, Some((_, second))) => second.usually_within(1, behind_one),
            _ => Amount::default(),
        };
        stages.push(StageEstimate {
            stage: Stage::Panel,
            roles: roles(&others),
            best: usual,
            typical: usual,
            worst: votes.amount,
            stopped: pool.stopped(&votes),
        });
    }
    if rounds == 0 {
        return stages;
    }
    // Every repaired text: the judge, and once more where it was mixed; the others
    // confirm a score, or that a criterion has fallen.
    let to_confirm = if figures.confirm {
        voters.as_slice()
    } else {
        &[]
    };
    let mut pool = TokenPool::new(limit, "judging one text");
    let again = [(single, tries.saturating_add(1))];
    let [again, confirmed] = pool.pay([&again, to_confirm]);
    stages.push(StageEstimate {
        stage: Stage::Rejudge,
        roles: vec![single_role],
        best: Amount::default(),
        typical: single.usually_within(1, limit),
        worst: times(again.amount, rounds),
        stopped: pool.stopped(&again),
    });
    if !to_confirm.is_empty() {
        let typical = others
            .first()
            .map(|(_, call)| call.usually_within(1, behind_one));
        stages.push(StageEstimate {
            stage: Stage::Confirm,
            roles: roles(&others),
            best: Amount::default(),
            typical: typical.unwrap_or_default(),
            worst: times(confirmed.amount, rounds),
            stopped: pool.stopped(&confirmed),
        });
    }
    stages
}

pub(super) fn repair(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
    let figures = &forecast.figures;
    let overheads = &forecast.overheads;
    if figures.iterations == 0 || forecast.parts.is_empty() {
        return Vec::new();
    }
    let mut longest_first = forecast.parts.to_vec();
    longest_first.sort_unstable_by(|a, b| b.cmp(a));
    let usual = longest_first
        .get(longest_first.len() / 2)
        .copied()
        .unwrap_or_default();
    let patch = |part| {
        let tokens = estimate::patch(part, BESIDE, overheads);
        Call::of(forecast, Role::Patcher, tokens)
    };
    let expand = |part| {
        let tokens = estimate::expand(part, BESIDE, overheads);
        Call::of(forecast, Role::SectionExpander, tokens)
    };
    let delta = |part| {
        let tokens = estimate::delta(part, BESIDE, DEMANDS, overheads);
        Call::of(forecast, Role::DeltaJudge, tokens)
    };
    let Some(edit) = patch(usual).or_else(|| expand(usual)) else {
        return Vec::new();
    };
    let orders = if figures.both_orders { 2 } else { 1 };
    let (usual_tasks, most_tasks, rounds) = match figures.targets {
        Targets::Weakest => (1, 1, figures.iterations),
        // A component is locked after so many edits.
        Targets::All | Targets::Failing => (
            USUAL_TASKS.min(longest_first.len()) as u64,
            longest_first.len(),
            figures.iterations.min(figures.edits_per_component.max(1)),
        ),
    };

    // At worst every component is written again and looked at in every round; then, as
    // far as the budget goes, asked for once more, and the next component looked at.
    let mut pool = TokenPool::new(figures.budgets.repair, "repair and verification together");
    let (mut repaired, mut verified) = (Paid::default(), Paid::default());
    for looks in [orders, 1] {
        for _ in 0..rounds.min(MOST_ROUNDS) {
            for part in longest_first.iter().take(most_tasks) {
                let dearest = [patch(*part), expand(*part)]
                    .into_iter()
                    .flatten()
                    .max_by_key(|call| call.worst().total());
                let edits = dearest.map(|call| (call, 1));
                let looks = delta(*part).map(|call| (call, looks));
                let [edits, looks] = pool.pay([edits.as_slice(), looks.as_slice()]);
                repaired.add(&edits);
                verified.add(&looks);
            }
        }
    }
    let mut stages = vec![StageEstimate {
        stage: Stage::Repair,
        roles: [Role::Patcher, Role::SectionExpander]
            .into_iter()
            .filter(|role| forecast.models.contains_key(role))
            .collect(),
        best: Amount::default(),
        typical: edit.usually_within(usual_tasks, pool.limit),
        worst: repaired.amount,
        stopped: pool.stopped(&repaired),
    }];
    if let Some(delta) = delta(usual) {
        stages.push(StageEstimate {
            stage: Stage::Verify,
            roles: vec![Role::DeltaJudge],
            best: Amount::default(),
            typical: delta.usually_within(
                usual_tasks * orders,
                pool.limit.saturating_sub(edit.usual.total()),
            ),
            worst: verified.amount,
            stopped: pool.stopped(&verified),
        });
    }
    stages
}
