//! Estimates each stage: the rows of the table in `forecast`. The token pool decides whether a call
//! can be paid.

use super::budget::{Call, MOST_ROUNDS, Paid, TokenPool, times};
use super::{Amount, Forecast, ForecastFigures, Stage, StageEstimate, TokenBudget};
use crate::ask::Role;
use crate::ledger::COMPLAINT_TOKENS;
use crate::policy::{EditForm, Judging, Targets};
use crate::route::estimate;

/// Tokens that a usual task adds to a prompt: a few instructions, neighbouring sentences, terms.
const TASK_TOKENS: u64 = 350;
/// Issues and constraints of a usual task.
const DEMANDS: u64 = 3;
/// Tokens and demands of a usual task in the delta judge's prompt. It sees the changes only, which
/// are a fraction of the component.
const DELTA_TASK_TOKENS: u64 = 60;
const USUAL_DEMANDS: u64 = 1;
/// Merged issues that the arbiter rephrases.
const MERGED_ISSUES: u64 = 4;

/// The most answers to one question of a role: every try of every model.
fn tries(forecast: &Forecast<'_>, role: Role) -> u64 {
    let models = forecast
        .roles
        .get(&role)
        .map_or(1, |facts| facts.models.max(1));
    u64::from(forecast.figures.tries.max(1)) * u64::from(models)
}

pub(super) fn self_review(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::self_review(forecast.document, &forecast.overheads);
    let call = Call::of(forecast, Role::SelfReviewer, usual)?;
    let limit = forecast.figures.budgets.judging.unwrap_or(u64::MAX);
    let mut pool = TokenPool::new(limit, TokenBudget::SelfReview);
    let [paid, _] = pool.pay([&[(call, tries(forecast, Role::SelfReviewer))], &[]]);
    Some(StageEstimate {
        stage: Stage::SelfReview,
        roles: vec![Role::SelfReviewer],
        best: call.usually_within(1, pool.limit),
        typical: call.usually_within(1, pool.limit),
        worst: paid.amount,
        stopped: pool.stopped(&paid),
    })
}

/// An item is solved when it would otherwise be accepted, and a second time only if the first
/// answer differs from its key.
pub(super) fn solve(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::solve(&forecast.overheads);
    let call = Call::of(forecast, Role::Solver, usual).filter(|_| usual.input > 0)?;
    Some(StageEstimate {
        stage: Stage::Solve,
        roles: vec![Role::Solver],
        best: call.usually_within(1, u64::MAX),
        typical: call.usually_within(1, u64::MAX),
        worst: call.at_worst(2 * tries(forecast, Role::Solver)),
        stopped: Vec::new(),
    })
}

pub(super) fn arbiter(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::arbiter(MERGED_ISSUES, &forecast.overheads);
    let call = Call::of(forecast, Role::Arbiter, usual)?;
    let rounds = u64::from(forecast.figures.iterations);
    if rounds == 0 {
        return None;
    }
    Some(StageEstimate {
        stage: Stage::Arbiter,
        roles: vec![Role::Arbiter],
        best: Amount::default(),
        typical: call.hundredths_within(forecast.figures.usual.rejudge.into(), u64::MAX),
        worst: call.at_worst(rounds.saturating_mul(tries(forecast, Role::Arbiter))),
        stopped: Vec::new(),
    })
}

/// What the judges of one text need at worst, with one retry each, in tokens (ruling 51). This is
/// the budget of judging a version unless the policy sets a lower one.
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

/// The stages that score a text. Each text has its own budget for judges.
pub(super) fn judging(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
    let figures = &forecast.figures;
    let usual = estimate::judge(forecast.document, &forecast.overheads);
    let call = |role| {
        let call = Call::of(forecast, role, usual)?;
        Some((role, call.answering(figures.usual.judge_answer)))
    };
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
    let after_one = limit.saturating_sub(usual.total());
    let single_tries = tries(forecast, single_role);
    // Every repaired text, and once more a mix of it with the previous one.
    let versions = u64::from(figures.iterations) * 2;
    let roles = |calls: &[(Role, Call<'_>)]| calls.iter().map(|(role, _)| *role).collect();
    let mut stages = Vec::new();

    // One text's judges, the single one and the others, share a budget.
    let voters: Vec<(Call<'_>, u64)> = others
        .iter()
        .map(|(role, call)| (*call, tries(forecast, *role)))
        .collect();
    let mut pool = TokenPool::new(limit, TokenBudget::Judging);
    let [first, votes] = if figures.judging == Judging::Single {
        // The others are asked only after the single judge has answered.
        let [first, _] = pool.pay([&[(single, single_tries)], &[]]);
        let [_, votes] = pool.pay([&[], &voters]);
        [first, votes]
    } else {
        pool.pay([&[(single, single_tries)], &voters])
    };
    stages.push(StageEstimate {
        stage: Stage::Judge,
        roles: vec![single_role],
        best: single.usually_within(1, limit),
        typical: single.usually_within(1, limit),
        worst: first.amount,
        stopped: pool.stopped(&first),
    });
    if !voters.is_empty() {
        let share = u64::from(figures.usual.panel);
        let (best, typical) = match (figures.judging, others.first()) {
            (Judging::Panel, Some((_, second))) => {
                let one = second.usually_within(1, after_one);
                (one, one)
            }
            (_, Some((_, second))) => {
                let typical = second.hundredths_within(share, after_one);
                (Amount::default(), typical)
            }
            (_, None) => Default::default(),
        };
        stages.push(StageEstimate {
            stage: Stage::Panel,
            roles: roles(&others),
            best,
            typical,
            worst: votes.amount,
            stopped: pool.stopped(&votes),
        });
    }
    if versions == 0 {
        return stages;
    }
    stages.push(StageEstimate {
        stage: Stage::Rejudge,
        roles: vec![single_role],
        best: Amount::default(),
        typical: single.hundredths_within(figures.usual.rejudge.into(), limit),
        worst: times(first.amount, versions),
        stopped: pool.stopped(&first),
    });
    if !voters.is_empty() {
        let share = u64::from(figures.usual.confirm);
        let second = others.first();
        let typical = second.map(|(_, call)| call.hundredths_within(share, after_one));
        stages.push(StageEstimate {
            stage: Stage::Confirm,
            roles: roles(&others),
            best: Amount::default(),
            typical: typical.unwrap_or_default(),
            worst: times(votes.amount, versions),
            stopped: pool.stopped(&votes),
        });
    }
    stages
}

/// The maximum number of tasks in a round, and of rounds.
fn most_repairs(figures: &ForecastFigures, parts: usize) -> (usize, u32) {
    let rounds = figures.iterations.saturating_mul(2);
    let (tasks, rounds) = match figures.targets {
        Targets::Weakest => (1, rounds),
        // A component is locked after this many edits. Within a round it may be edited once more
        // after its predecessor was rewritten.
        Targets::All | Targets::Failing => (parts, figures.edits_per_component.max(1).min(rounds)),
    };
    (tasks, rounds.saturating_mul(figures.retries + 1))
}

pub(super) fn repair(forecast: &Forecast<'_>, least_prompt: u64) -> Vec<StageEstimate> {
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
        let mut tokens = estimate::patch(part, TASK_TOKENS, overheads);
        if figures.edit_form == EditForm::Whole {
            tokens.output = estimate::expand(part, TASK_TOKENS, overheads).output;
        }
        Call::of(forecast, Role::Patcher, tokens)
    };
    let expand = |part| {
        let tokens = estimate::expand(part, TASK_TOKENS, overheads);
        Call::of(forecast, Role::SectionExpander, tokens)
    };
    let delta = |part| {
        let tokens = estimate::delta(part, TASK_TOKENS, DEMANDS, overheads);
        Call::of(forecast, Role::DeltaJudge, tokens)
    };
    let Some(edit) = patch(usual).or_else(|| expand(usual)) else {
        return Vec::new();
    };
    let orders = if figures.both_orders { 2 } else { 1 };
    let (most_tasks, rounds) = most_repairs(figures, longest_first.len());
    // If edits do not fit, the whole component is requested.
    let forms = match figures.edit_form {
        EditForm::Edits => 2,
        EditForm::Whole => 1,
    };
    let (patches, rewrites, looks) = (
        tries(forecast, Role::Patcher) * forms,
        tries(forecast, Role::SectionExpander),
        tries(forecast, Role::DeltaJudge) * (orders + 1),
    );

    // At worst every component is repaired in every round, with every retry that is allowed.
    let mut pool = TokenPool::new(figures.budgets.repair, TokenBudget::Repair);
    let (mut repaired, mut verified) = (Paid::default(), Paid::default());
    for _ in 0..rounds.min(MOST_ROUNDS) {
        for part in longest_first.iter().take(most_tasks) {
            let dearest = [(patch(*part), patches), (expand(*part), rewrites)]
                .into_iter()
                .filter_map(|(call, calls)| Some((call?, calls)))
                .max_by_key(|(call, calls)| call.worst().total().saturating_mul(*calls));
            let looks = delta(*part).map(|call| (call, looks));
            let [edits, looks] = pool.pay([dearest.as_slice(), looks.as_slice()]);
            repaired.add(&edits);
            verified.add(&looks);
        }
    }
    let mut worst = pool.most(&repaired, least_prompt);
    let any_fits = repaired.amount.calls > 0;
    let all_fit = pool.stopped(&repaired).is_empty() && pool.stopped(&verified).is_empty();
    if any_fits && !all_fit {
        worst = worst.and(pool.rest(edit));
    }
    let of_each = |call: Option<Call<'_>>, share: u32| {
        let call = call.unwrap_or(edit);
        call.hundredths_within(share.into(), pool.limit)
    };
    let edited = patch(usual).map(|call| call.answering(figures.usual.edit_answer));
    let patched = of_each(edited, figures.usual.patch);
    let expanded = of_each(expand(usual), figures.usual.expand);
    let mut stages = vec![StageEstimate {
        stage: Stage::Repair,
        roles: [Role::Patcher, Role::SectionExpander]
            .into_iter()
            .filter(|role| forecast.models.contains_key(role))
            .collect(),
        best: Amount::default(),
        typical: patched.and(expanded),
        worst,
        stopped: pool.stopped(&repaired),
    }];
    let looked_at = estimate::delta(usual / 4, DELTA_TASK_TOKENS, USUAL_DEMANDS, overheads);
    if let Some(delta) = Call::of(forecast, Role::DeltaJudge, looked_at) {
        let delta = delta.answering(figures.usual.verify_answer);
        stages.push(StageEstimate {
            stage: Stage::Verify,
            roles: vec![Role::DeltaJudge],
            best: Amount::default(),
            typical: delta.hundredths_within(
                u64::from(figures.usual.verify) * orders,
                pool.limit.saturating_sub(edit.usual.total()),
            ),
            worst: pool.most(&verified, least_prompt),
            stopped: pool.stopped(&verified),
        });
    }
    stages
}
