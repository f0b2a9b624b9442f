//! What a run may come to, before anything is spent: calls, tokens and money by
//! stage, at best, usually and at worst, and what the budgets would stop.
//!
//! | stage | best | usually | worst |
//! |---|---|---|---|
//! | `self_review` | one call | one call | every try |
//! | `judge` | one judge | one judge | every try |
//! | `panel` (cascade) | none: the score is clear | none | two more judges, every try |
//! | `panel` (always) | one more judge: they agree | the same | two more judges, every try |
//! | `arbiter` | none | none | once an iteration |
//! | `repair` | none: accepted at once | one iteration over some parts | every iteration over every part, each asked twice |
//! | `verify` | none | one call a task | one call a task and one for the part behind; two where both orders are asked |
//! | `rejudge` | none | once | every iteration: the judge, every try, and once more on a mixed text (ruling 33) |
//! | `confirm` | none | one judge beside the one who has voted | every iteration the two others, every try |
//!
//! Where only the weakest part is corrected, an iteration has one task. The worst
//! case ends where a budget ends it (ruling 38): repair and verification share
//! one; every text that is scored has one for its judges. Before a call its worst
//! is reserved, so that at worst every call takes all its model may answer.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Targets;
use super::estimate::{self, Overheads, sum};
use crate::ask::{ModelSettings, Role, Tokens};
use crate::decide::{Confirm, Delta, Judging, Policy};
use crate::run::Goal;

/// What a forecast is made from.
#[derive(Clone, Debug)]
pub struct Forecast<'a> {
    /// The tokens of the document.
    pub document: u64,
    /// Those of each part that can be repaired.
    pub parts: &'a [u64],
    /// What our own words in prompts take.
    pub overheads: Overheads,
    /// The policy's figures.
    pub figures: ForecastFigures,
    /// The model of each role; a role without one is never asked.
    pub models: &'a BTreeMap<Role, ModelSettings>,
}

/// The figures of a policy that a forecast depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForecastFigures {
    /// How often a text is repaired and judged again, at most.
    pub iterations: u32,
    /// Which parts are repaired.
    pub targets: Targets,
    /// Edits a part may get.
    pub edits_a_part: u32,
    /// Who judges: one, a panel, or a panel where one leaves doubt.
    pub judging: Judging,
    /// Whether the panel has to look at what was repaired.
    pub confirm: bool,
    /// Whether the delta judge is asked in both orders.
    pub both_orders: bool,
    /// How often a model is asked for a reply in the right form.
    pub tries: u32,
    /// The budgets.
    pub budgets: Budgets,
    /// What a run may cost, in millionths of a dollar.
    pub cost_limit: Option<u64>,
}

/// What may be spent on a document, in tokens (ruling 38).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// On repair and verification.
    pub repair: u64,
    /// On the judges of one text.
    pub judging: u64,
}

impl ForecastFigures {
    /// The figures of a policy for a document of so many tokens.
    #[must_use]
    pub fn of(policy: &Policy, goal: Goal, document: u64, cost_limit: Option<u64>) -> Self {
        let repairs = goal == Goal::Refine;
        Self {
            iterations: if repairs { policy.repair.iterations } else { 0 },
            targets: policy.repair.targets,
            edits_a_part: policy.repair.edits_a_part,
            judging: policy.judging,
            confirm: repairs && policy.confirm == Confirm::Panel,
            both_orders: policy.repair.delta == Delta::BothOrders,
            tries: policy.tries_for_form,
            budgets: Budgets {
                repair: policy.repair_limit(document),
                judging: policy.judging_limit(document),
            },
            cost_limit,
        }
    }
}

/// Calls, and what they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// How many.
    pub calls: u64,
    /// Their tokens.
    #[serde(flatten)]
    pub tokens: Tokens,
    /// Millionths of a dollar.
    pub cost_micros: u64,
}

impl Amount {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: sum([self.tokens, other.tokens]),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }
}

/// What a stage may come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageEstimate {
    /// The stage.
    pub stage: Stage,
    /// Whom it asks.
    pub roles: Vec<Role>,
    /// At best.
    pub best: Amount,
    /// Usually.
    pub typical: Amount,
    /// At worst, as far as the budgets allow.
    pub worst: Amount,
    /// What a budget would stop, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// The stages that cost something, in the order in which a document meets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The self-review by a model.
    SelfReview,
    /// The single judge of the text as it came.
    Judge,
    /// The judges who vote where that judge leaves doubt.
    Panel,
    /// The words for merged instructions.
    Arbiter,
    /// Edits and parts written again.
    Repair,
    /// Whether repairs did what they were to do.
    Verify,
    /// The score of a repaired text.
    Rejudge,
    /// The panel before a repaired text is accepted.
    Confirm,
}

impl Stage {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfReview => "self_review",
            Self::Judge => "judge",
            Self::Panel => "panel",
            Self::Arbiter => "arbiter",
            Self::Repair => "repair",
            Self::Verify => "verify",
            Self::Rejudge => "rejudge",
            Self::Confirm => "confirm",
        }
    }
}

/// Tasks of a usual iteration, where more than the weakest part is repaired:
/// seed 003 §13.1 has two.
const USUAL_TASKS: usize = 2;
/// What a task tells a model, usually: a few instructions, sentences on both
/// sides, terms.
const BESIDE: u64 = 350;
/// Issues and constraints of a usual task.
const DEMANDS: u64 = 3;
/// Merged issues that the arbiter puts into words.
const MERGED: u64 = 4;
/// A policy with more rounds than this is counted as if it had so many.
const MOST_ROUNDS: u32 = 100;

/// What every stage of a run may come to. Stages for which no model is
/// configured are left out.
///
/// The best and the usual case are of the sizes as a tokeniser counts them; the
/// worst of those that are reserved before a call, which are rather too large.
#[must_use]
pub fn expect(counted: &Forecast<'_>, reserved: &Forecast<'_>) -> Vec<StageEstimate> {
    let mut stages = expected(reserved);
    for usual in expected(counted) {
        if let Some(stage) = stages.iter_mut().find(|stage| stage.stage == usual.stage) {
            stage.best = usual.best;
            stage.typical = usual.typical;
        }
    }
    // A call that at worst no longer fits behind one that took all it might fits
    // behind a usual one.
    for stage in &mut stages {
        if stage.worst.calls < stage.typical.calls {
            stage.worst = stage.typical;
        }
    }
    under_cost_limit(&mut stages, reserved.figures.cost_limit);
    without_what_never_begins(&mut stages);
    stages
}

fn expected(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
    let mut stages = Vec::new();
    stages.extend(self_review(forecast));
    let judging: Vec<StageEstimate> = judging(forecast);
    let (before, after): (Vec<_>, Vec<_>) = judging
        .into_iter()
        .partition(|stage| matches!(stage.stage, Stage::Judge | Stage::Panel));
    stages.extend(before);
    stages.extend(arbiter(forecast));
    stages.extend(repair(forecast));
    stages.extend(after);
    stages
}

/// A stage of which no call can be paid is not begun; and where nobody judges,
/// nothing behind it is.
fn without_what_never_begins(stages: &mut [StageEstimate]) {
    let is_unjudged = stages
        .iter()
        .any(|stage| stage.stage == Stage::Judge && stage.worst.calls == 0);
    for stage in stages {
        let follows = !matches!(stage.stage, Stage::SelfReview | Stage::Judge);
        if is_unjudged && follows {
            stage.worst = Amount::default();
            stage.stopped = Some("no judge can be paid, so that it never begins".to_owned());
        }
        if stage.worst.calls == 0 {
            stage.best = Amount::default();
            stage.typical = Amount::default();
        }
    }
}

/// All stages together.
#[must_use]
pub fn total(stages: &[StageEstimate]) -> (Amount, Amount, Amount) {
    let start = (Amount::default(), Amount::default(), Amount::default());
    stages.iter().fold(start, |sum, stage| {
        (
            sum.0.and(stage.best),
            sum.1.and(stage.typical),
            sum.2.and(stage.worst),
        )
    })
}

/// A call of a role: what it usually takes, and at worst.
#[derive(Clone, Copy)]
struct Call<'a> {
    usual: Tokens,
    model: &'a ModelSettings,
}

impl<'a> Call<'a> {
    fn of(forecast: &Forecast<'a>, role: Role, usual: Tokens) -> Option<Self> {
        let model = forecast.models.get(&role)?;
        Some(Self { usual, model })
    }

    /// The longest answer that the model may give.
    fn worst(&self) -> Tokens {
        Tokens {
            input: self.usual.input,
            output: u64::from(self.model.max_tokens).max(self.usual.output),
        }
    }

    fn usually(&self, calls: u64) -> Amount {
        amount(calls, self.usual, self.model)
    }

    /// The same, where the worst that is reserved for a call fits into so much;
    /// else none.
    fn usually_within(&self, calls: u64, room: u64) -> Amount {
        if self.worst().total() <= room {
            self.usually(calls)
        } else {
            Amount::default()
        }
    }

    fn at_worst(&self, calls: u64) -> Amount {
        amount(calls, self.worst(), self.model)
    }
}

fn amount(calls: u64, tokens: Tokens, model: &ModelSettings) -> Amount {
    let tokens = Tokens {
        input: tokens.input.saturating_mul(calls),
        output: tokens.output.saturating_mul(calls),
    };
    Amount {
        calls,
        tokens,
        cost_micros: tokens.cost(model),
    }
}

fn tries(forecast: &Forecast<'_>) -> u64 {
    u64::from(forecast.figures.tries.max(1))
}

fn self_review(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::self_review(forecast.document, &forecast.overheads);
    let call = Call::of(forecast, Role::SelfReviewer, usual)?;
    let mut purse = Purse::new(forecast.figures.budgets.judging, "the review");
    let [paid, _] = purse.pay([&[(call, tries(forecast))], &[]]);
    Some(StageEstimate {
        stage: Stage::SelfReview,
        roles: vec![Role::SelfReviewer],
        best: call.usually_within(1, purse.limit),
        typical: call.usually_within(1, purse.limit),
        worst: paid.amount,
        stopped: purse.stopped(&paid),
    })
}

fn arbiter(forecast: &Forecast<'_>) -> Option<StageEstimate> {
    let usual = estimate::arbiter(MERGED, &forecast.overheads);
    let call = Call::of(forecast, Role::Arbiter, usual)?;
    let rounds = u64::from(forecast.figures.iterations);
    if forecast.figures.judging == Judging::Single || rounds == 0 {
        return None;
    }
    Some(StageEstimate {
        stage: Stage::Arbiter,
        roles: vec![Role::Arbiter],
        best: Amount::default(),
        typical: Amount::default(),
        worst: call.at_worst(rounds),
        stopped: None,
    })
}

/// The stages in which a text is scored. Each text has a budget of its own for
/// its judges.
fn judging(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
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
    let limit = figures.budgets.judging;
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
    let mut purse = Purse::new(limit, "judging one text");
    let [first, votes] = purse.pay([&[(single, tries)], on_panel]);
    stages.push(StageEstimate {
        stage: Stage::Judge,
        roles: vec![single_role],
        best: single.usually_within(1, limit),
        typical: single.usually_within(1, limit),
        worst: first.amount,
        stopped: purse.stopped(&first),
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
            stopped: purse.stopped(&votes),
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
    let mut purse = Purse::new(limit, "judging one text");
    let again = [(single, tries.saturating_add(1))];
    let [again, confirmed] = purse.pay([&again, to_confirm]);
    stages.push(StageEstimate {
        stage: Stage::Rejudge,
        roles: vec![single_role],
        best: Amount::default(),
        typical: single.usually_within(1, limit),
        worst: times(again.amount, rounds),
        stopped: purse.stopped(&again),
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
            stopped: purse.stopped(&confirmed),
        });
    }
    stages
}

fn repair(forecast: &Forecast<'_>) -> Vec<StageEstimate> {
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
        // A part is locked after so many edits.
        Targets::All | Targets::Failing => (
            USUAL_TASKS.min(longest_first.len()) as u64,
            longest_first.len(),
            figures.iterations.min(figures.edits_a_part.max(1)),
        ),
    };

    // At worst every part is written again and looked at in every round; then, as
    // far as the budget goes, asked for once more, and the part behind looked at.
    let mut purse = Purse::new(figures.budgets.repair, "repair and verification together");
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
                let [edits, looks] = purse.pay([edits.as_slice(), looks.as_slice()]);
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
        typical: edit.usually_within(usual_tasks, purse.limit),
        worst: repaired.amount,
        stopped: purse.stopped(&repaired),
    }];
    if let Some(delta) = delta(usual) {
        stages.push(StageEstimate {
            stage: Stage::Verify,
            roles: vec![Role::DeltaJudge],
            best: Amount::default(),
            typical: delta.usually_within(
                usual_tasks * orders,
                purse.limit.saturating_sub(edit.usual.total()),
            ),
            worst: verified.amount,
            stopped: purse.stopped(&verified),
        });
    }
    stages
}

fn times(amount: Amount, number: u64) -> Amount {
    Amount {
        calls: amount.calls.saturating_mul(number),
        tokens: Tokens {
            input: amount.tokens.input.saturating_mul(number),
            output: amount.tokens.output.saturating_mul(number),
        },
        cost_micros: amount.cost_micros.saturating_mul(number),
    }
}

/// A budget that calls are paid from at their worst.
struct Purse {
    limit: u64,
    left: u64,
    purpose: &'static str,
}

/// Calls that were to be made, and those that fit.
#[derive(Clone, Copy, Debug, Default)]
struct Paid {
    wanted: u64,
    amount: Amount,
}

impl Paid {
    fn add(&mut self, other: &Self) {
        self.wanted = self.wanted.saturating_add(other.wanted);
        self.amount = self.amount.and(other.amount);
    }
}

impl Purse {
    fn new(limit: u64, purpose: &'static str) -> Self {
        Self {
            limit,
            left: limit,
            purpose,
        }
    }

    /// The calls of two stages that fit: everybody is asked once before anybody is
    /// asked again.
    fn pay(&mut self, stages: [&[(Call<'_>, u64)]; 2]) -> [Paid; 2] {
        let mut paid = [Paid::default(), Paid::default()];
        for round in 0..MOST_ROUNDS {
            for (stage, paid) in stages.into_iter().zip(&mut paid) {
                for (call, number) in stage {
                    if u64::from(round) >= *number {
                        continue;
                    }
                    paid.wanted += 1;
                    let worst = call.worst().total();
                    if worst <= self.left {
                        self.left -= worst;
                        paid.amount = paid.amount.and(call.at_worst(1));
                    }
                }
            }
        }
        paid
    }

    /// What did not fit, in words.
    fn stopped(&self, paid: &Paid) -> Option<String> {
        let missing = paid.wanted.saturating_sub(paid.amount.calls);
        (missing > 0).then(|| {
            format!(
                "at worst {missing} of {} calls do not fit into the {} tokens for {}",
                paid.wanted, self.limit, self.purpose
            )
        })
    }
}

/// What money stops comes last: stages are cut from the end.
fn under_cost_limit(stages: &mut [StageEstimate], limit: Option<u64>) {
    let Some(limit) = limit else {
        return;
    };
    let mut left = limit;
    for stage in stages {
        if stage.worst.cost_micros > left {
            let say = format!(
                "at worst it would cost {} when {} of {} are left",
                dollars(stage.worst.cost_micros),
                dollars(left),
                dollars(limit)
            );
            stage.stopped = Some(match stage.stopped.take() {
                Some(said) => format!("{said}; {say}"),
                None => say,
            });
            stage.worst = share(stage.worst, left);
        }
        left = left.saturating_sub(stage.worst.cost_micros);
    }
}

/// As many of an amount's calls as so much money buys.
fn share(amount: Amount, money: u64) -> Amount {
    let part = |number: u64, of: u64, whole: u64| {
        let part = u128::from(number) * u128::from(of) / u128::from(whole.max(1));
        u64::try_from(part).unwrap_or(u64::MAX)
    };
    let calls = part(amount.calls, money, amount.cost_micros).min(amount.calls);
    let of = |number: u64| part(number, calls, amount.calls);
    Amount {
        calls,
        tokens: Tokens {
            input: of(amount.tokens.input),
            output: of(amount.tokens.output),
        },
        cost_micros: of(amount.cost_micros),
    }
}

fn dollars(micros: u64) -> String {
    format!("${}.{:04}", micros / 1_000_000, micros % 1_000_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model(max_tokens: u32) -> ModelSettings {
        ModelSettings {
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            temperature_hundredths: 0,
            max_tokens,
            price_in: 1_000_000,
            price_out: 4_000_000,
        }
    }

    fn models(roles: &[Role]) -> BTreeMap<Role, ModelSettings> {
        roles.iter().map(|role| (*role, model(1_500))).collect()
    }

    const ROLES: [Role; 8] = [
        Role::SelfReviewer,
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
        Role::Arbiter,
        Role::Patcher,
        Role::SectionExpander,
        Role::DeltaJudge,
    ];

    const OVERHEADS: Overheads = Overheads {
        self_review: 600,
        judge: 2_000,
        arbiter: 300,
        patch: 400,
        expand: 500,
        delta: 300,
    };

    /// Ruling 38.
    fn budgets(document: u64) -> Budgets {
        Budgets {
            repair: (document * 75 / 10).max(15_000),
            judging: ((document + 3_000) * 3).max(10_000),
        }
    }

    fn figures() -> ForecastFigures {
        ForecastFigures {
            iterations: 3,
            targets: Targets::All,
            edits_a_part: 2,
            judging: Judging::Cascade,
            confirm: true,
            both_orders: false,
            tries: 2,
            budgets: budgets(2_000),
            cost_limit: None,
        }
    }

    fn forecast<'a>(
        models: &'a BTreeMap<Role, ModelSettings>,
        parts: &'a [u64],
        figures: ForecastFigures,
    ) -> Forecast<'a> {
        Forecast {
            document: parts.iter().sum(),
            parts,
            overheads: OVERHEADS,
            figures,
            models,
        }
    }

    /// Calls by stage: best/typical/worst.
    fn calls(stages: &[StageEstimate]) -> Vec<String> {
        stages
            .iter()
            .map(|stage| {
                format!(
                    "{} {}/{}/{}{}",
                    stage.stage.name(),
                    stage.best.calls,
                    stage.typical.calls,
                    stage.worst.calls,
                    if stage.stopped.is_some() {
                        " stopped"
                    } else {
                        ""
                    }
                )
            })
            .collect()
    }

    #[test]
    fn the_stages_of_the_table_come_with_their_calls() {
        let lesson = [300, 500, 400, 300, 500];
        let all = models(&ROLES);
        let judges = models(&[Role::JudgeSecondary]);
        let no_panel = ForecastFigures {
            judging: Judging::Single,
            confirm: false,
            ..figures()
        };
        let judged_only = ForecastFigures {
            iterations: 0,
            ..figures()
        };
        let weakest = ForecastFigures {
            targets: Targets::Weakest,
            iterations: 2,
            ..no_panel
        };
        for (name, models, figures, expected) in [
            (
                "cascade",
                &all,
                figures(),
                &[
                    "self_review 1/1/2",
                    "judge 1/1/1 stopped",
                    "panel 0/0/1 stopped",
                    "arbiter 0/0/3",
                    "repair 0/2/3 stopped",
                    "verify 0/2/2 stopped",
                    "rejudge 0/1/3 stopped",
                    "confirm 0/1/3 stopped",
                ][..],
            ),
            (
                "one judge, no repair",
                &judges,
                judged_only,
                &["judge 1/1/2"][..],
            ),
            (
                "weakest",
                &all,
                weakest,
                &[
                    "self_review 1/1/2",
                    "judge 1/1/2",
                    "repair 0/1/3 stopped",
                    "verify 0/1/2 stopped",
                    "rejudge 0/1/4 stopped",
                ][..],
            ),
            (
                "always a panel",
                &all,
                ForecastFigures {
                    judging: Judging::Panel,
                    iterations: 0,
                    tries: 1,
                    ..figures()
                },
                &["self_review 1/1/1", "judge 1/1/1", "panel 1/1/1 stopped"][..],
            ),
            ("nobody", &models(&[]), figures(), &[][..]),
        ] {
            let request = forecast(models, &lesson, figures);
            let stages = expect(&request, &request);
            assert_eq!(calls(&stages), expected, "{name}");
        }
    }

    #[test]
    fn where_no_judge_can_be_paid_nothing_behind_it_is_expected() {
        let all = models(&ROLES);
        let starved = Budgets {
            judging: 100,
            ..budgets(2_000)
        };
        for (name, figures) in [
            (
                "tokens",
                ForecastFigures {
                    budgets: starved,
                    ..figures()
                },
            ),
            (
                "money",
                ForecastFigures {
                    cost_limit: Some(1),
                    ..figures()
                },
            ),
        ] {
            let request = forecast(&all, &[300, 400], figures);
            for stage in expect(&request, &request) {
                assert_eq!(stage.typical, Amount::default(), "{name}: {stage:?}");
                assert_eq!(stage.worst, Amount::default(), "{name}: {stage:?}");
                assert!(stage.stopped.is_some(), "{name}: {stage:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_worst_case_keeps_to_the_budgets_and_the_best_is_the_cheapest(
            parts in prop::collection::vec(1_u64..5_000, 1..30),
            iterations in 0_u32..11,
            tries in 1_u32..4,
            targets in prop::sample::select(vec![Targets::All, Targets::Failing, Targets::Weakest]),
            cost_limit in prop::option::of(1_u64..1_000_000),
        ) {
            let all = models(&ROLES);
            let budgets = budgets(parts.iter().sum());
            let figures = ForecastFigures { iterations, tries, targets, cost_limit, budgets, ..figures() };
            let request = forecast(&all, &parts, figures);
            let stages = expect(&request, &request);
            let of = |wanted: &[Stage]| {
                stages.iter()
                    .filter(|stage| wanted.contains(&stage.stage))
                    .map(|stage| stage.worst.tokens.total())
                    .sum::<u64>()
            };
            let budgets = request.figures.budgets;
            prop_assert!(of(&[Stage::Repair, Stage::Verify]) <= budgets.repair);
            prop_assert!(of(&[Stage::Judge, Stage::Panel]) <= budgets.judging);
            prop_assert!(of(&[Stage::Rejudge, Stage::Confirm]) <= budgets.judging * u64::from(iterations));
            let (best, typical, worst) = total(&stages);
            prop_assert!(best.tokens.total() <= typical.tokens.total());
            if let Some(limit) = cost_limit {
                prop_assert!(worst.cost_micros <= limit);
            }
        }
    }
}
