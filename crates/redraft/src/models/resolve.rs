//! Assigns models to roles from the file, the environment and the defaults; every
//! setting keeps where it came from.
//!
//! | the file has | then |
//! |---|---|
//! | tables of `[roles]` | they alone decide; a role without a table has no model |
//! | none | providers of the file and of the usual variables, else a local Ollama |
//!
//! Price, family and context belong to a model: a table that names a model does not
//! inherit them from a less specific table, where they were meant for another model.
//! It does inherit provider, temperature, limits, weight and fallbacks.
//!
//! A mistake in the file is an error. A missing key or price is a [`Problem`] of
//! certain roles and stops only commands that need them.

mod detect;
mod roles;

use std::collections::{BTreeMap, BTreeSet};

use redraft_engine::model::connection::Connection;
use redraft_run::ask::{ModelSettings, Role};
use redraft_run::setup::{Seat, SpendingLimits};
use redraft_text::language::Language;

use super::assignment::AssignedModels;
use super::environment::Environment;
use super::provider::Provider;
use super::self_preference::{self, SelfPreference};
use crate::config::roles::JUDGES;
use crate::config::{Config, ConfigError, LimitsSection};

use roles::{CallSettings, Resolver};

/// The models of all roles, and everything about them.
#[derive(Debug)]
pub struct Resolved {
    /// The language of the content, if models depend on it.
    pub language: Option<Language>,
    pub roles: BTreeMap<Role, AssignedModels>,
    pub providers: Vec<Provider>,
    pub limits: Limits,
    /// How many different models judge: roles with the same model are one judge.
    pub panel_size: usize,
    /// `None` if no role writes or no role judges.
    pub self_preference: Option<SelfPreference>,
    /// Missing keys and prices.
    pub problems: Vec<Problem>,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// Why some roles cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub roles: BTreeSet<Role>,
    pub error: ConfigError,
}

/// The limits of `[limits]`; costs in millionths of a dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub cost_per_run: Option<u64>,
    pub tokens_per_run: Option<u64>,
    pub cost_per_process: Option<u64>,
    pub tokens_per_process: Option<u64>,
    pub seconds_per_run: Option<u64>,
    pub seconds_per_call: u64,
    pub stall_seconds: u64,
    /// For providers on this machine, which may be slow and cost nothing.
    pub local_seconds_per_call: u64,
    pub local_stall_seconds: u64,
}

impl Limits {
    fn of(section: &LimitsSection) -> Self {
        let per_call = section.seconds_per_call.as_deref().copied();
        let stall = section.stall_seconds.as_deref().copied();
        let local_seconds_per_call = per_call.unwrap_or(900);
        Self {
            cost_per_run: section.cost_per_run.as_deref().copied().map(millionths),
            tokens_per_run: section.tokens_per_run.as_deref().copied(),
            cost_per_process: section.cost_per_process.as_deref().copied().map(millionths),
            tokens_per_process: section.tokens_per_process.as_deref().copied(),
            seconds_per_run: section.seconds_per_run.as_deref().copied(),
            seconds_per_call: per_call.unwrap_or(180),
            stall_seconds: stall.unwrap_or(60),
            local_seconds_per_call,
            local_stall_seconds: stall.unwrap_or(local_seconds_per_call),
        }
    }
}

impl Limits {
    /// What one run may spend.
    #[must_use]
    pub fn of_run(&self) -> SpendingLimits {
        SpendingLimits {
            tokens: self
                .tokens_per_run
                .unwrap_or(SpendingLimits::default().tokens),
            cost: self.cost_per_run,
            seconds: self.seconds_per_run,
        }
    }
}

impl Resolved {
    #[must_use]
    pub fn seat(&self, role: Role) -> Option<&Seat> {
        self.roles.get(&role).map(|assigned| &assigned.seat)
    }

    /// The judges, the primary one first. Roles with the same provider and model are
    /// one judge (ruling 24): the first of them stays.
    #[must_use]
    pub fn judges(&self) -> Vec<Seat> {
        let mut names = BTreeSet::new();
        JUDGES
            .iter()
            .filter_map(|role| self.seat(*role))
            .filter(|seat| names.insert(first_name(seat)))
            .cloned()
            .collect()
    }

    /// The models that run on this machine, by their names.
    #[must_use]
    pub fn local_models(&self) -> BTreeSet<String> {
        let is_local = |model: &&ModelSettings| {
            let provider = self
                .providers
                .iter()
                .find(|provider| provider.connection.name == model.provider);
            provider.is_some_and(|provider| provider.is_local)
        };
        self.roles
            .values()
            .flat_map(|assigned| &assigned.seat.models)
            .filter(is_local)
            .map(ModelSettings::name)
            .collect()
    }

    #[must_use]
    pub fn connections(&self) -> Vec<Connection> {
        self.providers
            .iter()
            .map(|provider| provider.connection.clone())
            .collect()
    }

    #[must_use]
    pub fn has_models(&self) -> bool {
        !self.roles.is_empty()
    }

    /// # Errors
    /// If a key or a price that one of these roles needs is missing.
    pub fn require(&self, roles: &[Role]) -> Result<(), ConfigError> {
        let stopped = self
            .problems
            .iter()
            .find(|problem| roles.iter().any(|role| problem.roles.contains(role)));
        stopped.map_or(Ok(()), |problem| Err(problem.error.clone()))
    }
}

fn first_name(seat: &Seat) -> Option<String> {
    seat.models.first().map(ModelSettings::name)
}

/// Assigns models to roles for content in a language.
///
/// # Errors
/// If the file contradicts itself.
pub fn resolve(
    config: &Config,
    environment: &Environment<'_>,
    language: Option<Language>,
) -> Result<Resolved, ConfigError> {
    let mut resolver = Resolver::new(config, environment, language);
    let mut notes = Vec::new();
    let roles = if config.file().roles.is_empty() {
        let found = detect::detect(config, environment);
        notes.extend(found.note.clone());
        detect::assign(&found, &mut resolver)
    } else {
        let mut roles = BTreeMap::new();
        for role in Role::ALL {
            if let Some(assigned) = resolver.assign(role)? {
                roles.insert(role, assigned);
            }
        }
        roles
    };
    let roles = with_solver(roles);
    notes.extend(resolver.ollama_note());
    notes.extend(context_note(&resolver, &roles));
    let limits = Limits::of(&config.file().limits);
    let problems = problems(&resolver, &roles);
    let distinct: BTreeSet<_> = JUDGES
        .iter()
        .filter_map(|role| first_name(&roles.get(role)?.seat))
        .collect();
    Ok(Resolved {
        language,
        self_preference: self_preference::check(&roles, config)?,
        roles,
        providers: resolver.providers.into_values().collect(),
        limits,
        panel_size: distinct.len(),
        problems,
        notes,
    })
}

/// A solver that no table names is the first judge there is.
fn with_solver(mut roles: BTreeMap<Role, AssignedModels>) -> BTreeMap<Role, AssignedModels> {
    let judge = JUDGES.iter().find_map(|role| roles.get(role)).cloned();
    if let (Some(mut judge), false) = (judge, roles.contains_key(&Role::Solver)) {
        let call = CallSettings::default_for(Role::Solver);
        judge.seat.role = Role::Solver;
        for model in &mut judge.seat.models {
            call.apply_to(model);
        }
        judge.has_own_table = false;
        roles.insert(Role::Solver, judge);
    }
    roles
}

/// Local models without a known context window: their servers often truncate a
/// longer text silently.
fn context_note(resolver: &Resolver<'_>, roles: &BTreeMap<Role, AssignedModels>) -> Option<String> {
    let unknown: BTreeSet<String> = roles
        .values()
        .flat_map(|assigned| assigned.seat.models.iter().zip(&assigned.info))
        .filter(|(model, info)| {
            let provider = resolver.providers.get(&model.provider);
            info.context.is_none() && provider.is_some_and(|provider| provider.is_local)
        })
        .map(|(model, _)| model.name())
        .collect();
    if unknown.is_empty() {
        return None;
    }
    let names: Vec<String> = unknown.into_iter().collect();
    Some(format!(
        "unknown context window of {}; local servers often truncate longer texts silently: add context = 8192 (or what the server is set to) to the role or to its table of [models]",
        names.join(", ")
    ))
}

/// Dollars in millionths; the file was validated, so the sum fits.
fn millionths(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}

fn problems(resolver: &Resolver<'_>, roles: &BTreeMap<Role, AssignedModels>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, provider) in &resolver.providers {
        let Some(error) = &provider.error else {
            continue;
        };
        let users = roles.iter().filter(|(_, assigned)| {
            assigned
                .seat
                .models
                .iter()
                .any(|model| model.provider == *name)
        });
        let mut error = error.clone();
        if error.line.is_none() {
            // The provider has no table of its own: the role that names it has.
            error.line = users
                .clone()
                .find_map(|(_, assigned)| assigned.origins.provider_line());
        }
        problems.push(Problem {
            roles: users.map(|(role, _)| *role).collect(),
            error,
        });
    }
    let section = &resolver.config.file().limits;
    let (key, limit) = match (&section.cost_per_run, &section.cost_per_process) {
        (Some(limit), _) => ("cost-per-run", limit),
        (None, Some(limit)) => ("cost-per-process", limit),
        (None, None) => return problems,
    };
    let source = resolver.config.source();
    let mut unpriced: BTreeMap<String, (BTreeSet<Role>, Option<usize>)> = BTreeMap::new();
    for (role, assigned) in roles {
        for (model, info) in assigned.seat.models.iter().zip(&assigned.info) {
            if info.price.is_none() {
                let entry = unpriced.entry(model.name()).or_default();
                entry.0.insert(*role);
                entry.1 = entry.1.or(assigned.origins.model.line());
            }
        }
    }
    problems.extend(unpriced.into_iter().map(|(name, (roles, line))| Problem {
        roles,
        error: source.error_on(
            line.or_else(|| Some(source.line(limit))),
            format!(
                "[limits] {key} is set, but the price of {name} is unknown: add price-in and price-out (dollars per million tokens) to its role or to a table of [models]"
            ),
        ),
    }));
    problems
}

#[cfg(test)]
mod tests;
