//! What a tenant sets for its runs: threshold, weights, policy, models and budgets. It
//! is checked when it is set, and every run records what it was set up with.

use std::collections::BTreeMap;

use redraft_profiles::registry;
use redraft_run::ask::Role;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::setup::{Goal, SpendingLimits};
use redraft_service::store::{Budgets, Settings};
use redraft_service::workshop::Rejection;
use serde_json::{Map, Value};

use crate::cli::model_source::ModelSource;
use crate::cli::policy_overlay;
use crate::cli::record::Layers;
use crate::config::suggest::suggestion;

/// Whether runs can use these settings.
pub(super) fn check(settings: &Settings, models: &ModelSource) -> Result<(), Rejection> {
    if settings
        .threshold
        .is_some_and(|threshold| !(0.0..=1.0).contains(&threshold))
    {
        return Err(invalid("threshold: expected a number from 0 to 1"));
    }
    check_weights(&settings.weights)?;
    check_policy(settings)?;
    check_budgets(&settings.budgets)?;
    check_models(&settings.models, models)
}

/// Policy and rubric of a run: the tenant's settings over the operator's, and the order's
/// over both.
pub(super) fn applied(
    layers: &Layers,
    mode: Mode,
    settings: &Settings,
) -> Result<(Policy, Rubric), Rejection> {
    let mut rubric = layers.rubric.clone();
    weigh(&mut rubric, &settings.weights)?;
    let threshold = threshold(settings);
    let all = [
        threshold.as_ref(),
        settings.policy.as_ref(),
        layers.order.as_ref(),
    ];
    let mut policy = layers.policy.clone();
    for overrides in all.into_iter().flatten() {
        policy = overridden(&policy, mode, overrides)?;
    }
    Ok((policy, rubric))
}

/// The threshold as an override of the policy.
fn threshold(settings: &Settings) -> Option<Map<String, Value>> {
    let threshold = settings.threshold?;
    Some(Map::from_iter([("accept".to_owned(), threshold.into())]))
}

fn overridden(
    policy: &Policy,
    mode: Mode,
    overrides: &Map<String, Value>,
) -> Result<Policy, Rejection> {
    let text = toml::to_string(overrides)
        .map_err(|error| Rejection::Invalid(format!("policy: {error}")))?;
    policy_overlay::overlay_text(policy, mode, "policy", &text)
        .map_err(|error| Rejection::Invalid(format!("{error:#}")))
}

/// Gives criteria other weights. Those of other profiles are left out.
fn weigh(rubric: &mut Rubric, weights: &BTreeMap<String, f64>) -> Result<(), Rejection> {
    for criterion in &mut rubric.criteria {
        if let Some(weight) = weights.get(&criterion.name) {
            criterion.weight = thousandths(&criterion.name, *weight)?;
        }
    }
    if rubric
        .criteria
        .iter()
        .all(|criterion| criterion.weight == 0)
    {
        return Err(invalid(
            "weights: all are 0; give at least one criterion a weight above 0",
        ));
    }
    Ok(())
}

/// Lowers limits; a tenant never raises them.
pub(super) fn spend_less(limits: &mut SpendingLimits, budgets: &Budgets) {
    if let Some(tokens) = budgets.tokens_per_run {
        limits.tokens = limits.tokens.min(tokens);
    }
    if let Some(dollars) = budgets.cost_per_run {
        let cost = millionths(dollars);
        limits.cost = Some(limits.cost.map_or(cost, |least| least.min(cost)));
    }
    if let Some(seconds) = budgets.seconds_per_run {
        limits.seconds = Some(limits.seconds.map_or(seconds, |least| least.min(seconds)));
    }
}

/// Lowers limits to those of today, where these are lower.
pub(super) fn spend_no_more(limits: &mut SpendingLimits, today: SpendingLimits) {
    let least = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    limits.tokens = limits.tokens.min(today.tokens);
    limits.cost = least(limits.cost, today.cost);
    limits.seconds = least(limits.seconds, today.seconds);
}

fn check_weights(weights: &BTreeMap<String, f64>) -> Result<(), Rejection> {
    let rubrics = || registry::PROFILES.iter().map(|profile| profile.rubric());
    for name in weights.keys() {
        if !rubrics().any(|rubric| rubric.criterion(name).is_some()) {
            let names = rubrics().flat_map(|rubric| &rubric.criteria);
            let names = names.map(|criterion| criterion.name.as_str());
            return Err(Rejection::Invalid(format!(
                "weights: unknown criterion \"{name}\"; {}",
                suggestion(name, names)
            )));
        }
    }
    for rubric in rubrics() {
        weigh(&mut rubric.clone(), weights)?;
    }
    Ok(())
}

/// A policy that no profile could use is rejected. What only some can use, such as
/// `good-enough`, is for their runs.
fn check_policy(settings: &Settings) -> Result<(), Rejection> {
    let threshold = threshold(settings);
    let usable = |profile: &dyn Profile| {
        for mode in [Mode::SemiAuto, Mode::FullAuto] {
            let mut policy = profile.decision(mode).clone();
            let all = [threshold.as_ref(), settings.policy.as_ref()];
            for overrides in all.into_iter().flatten() {
                policy = overridden(&policy, mode, overrides)?;
            }
        }
        Ok(())
    };
    let mut first = Ok(());
    for profile in registry::PROFILES {
        match usable(*profile) {
            Ok(()) => return Ok(()),
            Err(rejection) => first = first.and(Err(rejection)),
        }
    }
    first
}

fn check_budgets(budgets: &Budgets) -> Result<(), Rejection> {
    let is_dollars = |dollars: f64| (0.0..=1e9).contains(&dollars);
    if budgets.tokens_per_run == Some(0) {
        return Err(invalid("budgets.tokens_per_run: expected at least 1"));
    }
    if budgets.seconds_per_run == Some(0) {
        return Err(invalid("budgets.seconds_per_run: expected at least 1"));
    }
    if budgets
        .cost_per_run
        .is_some_and(|dollars| !is_dollars(dollars))
    {
        return Err(invalid("budgets.cost_per_run: expected dollars, 0 or more"));
    }
    Ok(())
}

fn check_models(choices: &BTreeMap<String, String>, models: &ModelSource) -> Result<(), Rejection> {
    if choices.is_empty() {
        return Ok(());
    }
    let offered = models.offered();
    if offered.is_empty() {
        return Err(invalid(
            "models: the operator offers none; add a table to [models] in redraft.toml to offer one",
        ));
    }
    for (role, model) in choices {
        if !Role::ALL.iter().any(|known| known.name() == role) {
            let names = Role::ALL.iter().map(|role| role.name());
            return Err(Rejection::Invalid(format!(
                "models: unknown role \"{role}\"; {}",
                suggestion(role, names)
            )));
        }
        if !offered.contains(&model.as_str()) {
            return Err(Rejection::Invalid(format!(
                "models.{role}: unknown model; the operator offers {}",
                offered.join(", ")
            )));
        }
    }
    let assigned = models.assigned_with(Goal::Judge, None, choices);
    assigned
        .map(drop)
        .map_err(|error| Rejection::Invalid(format!("models: {error:#}")))
}

fn thousandths(name: &str, weight: f64) -> Result<u32, Rejection> {
    const MOST: f64 = 1000.0;
    if !(0.0..=MOST).contains(&weight) {
        return Err(Rejection::Invalid(format!(
            "weights.{name}: expected a number from 0 to 1000, such as 0.25"
        )));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and a million"
    )]
    Ok((weight * 1000.0).round() as u32)
}

/// Dollars in millionths; checked when they were set.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and a thousand million dollars"
)]
fn millionths(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}

fn invalid(message: &str) -> Rejection {
    Rejection::Invalid(message.to_owned())
}
