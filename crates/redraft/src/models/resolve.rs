//! Who is asked in which role: the file, the environment and the known defaults
//! put together, each setting with where it came from.
//!
//! | the file has | then |
//! |---|---|
//! | tables of `[roles]` | they alone decide; a role that none speaks for has no model |
//! | none | providers of the file and of the usual variables are found; else an Ollama |
//!
//! What belongs to a model goes with it: a table that names a model does not take
//! the price, the family or the context of a table behind it, which were meant
//! for another one. Its provider, temperature, bounds, weight and fall-backs it
//! does take.
//!
//! What is wrong with the file is an error. What is missing around it (a key, a
//! price) is a [`Problem`] of certain roles: only who needs them is stopped.

mod seats;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use redraft_engine::model::connection::Connection;
use redraft_run::ask::{ModelSettings, Role};
use redraft_run::setup::Seat;
use redraft_text::language::Language;

use super::bias::{self, SelfPreference};
use super::detect;
use super::family::Family;
use super::names::JUDGES;
use super::provider::Provider;
use super::surroundings::Surroundings;
use crate::config::{Config, ConfigError, LimitsSection};

pub(super) use seats::{Figures, Manner, Resolving, contexts};

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of the file.
    File(usize),
    /// A variable of the environment.
    Variable(String),
    /// An Ollama that answered at this address.
    Answer(String),
    /// Nobody said anything.
    Default,
}

impl Origin {
    /// The line of the file, where it is one.
    pub(super) fn line(&self) -> Option<usize> {
        match self {
            Self::File(line) => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(line) => write!(f, "line {line}"),
            Self::Variable(name) => f.write_str(name),
            Self::Answer(host) => write!(f, "Ollama at {host}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// Everything about who is asked.
#[derive(Debug)]
pub struct Resolved {
    /// The language it was worked out for.
    pub language: Option<Language>,
    /// The roles that have a model.
    pub roles: BTreeMap<Role, Seated>,
    /// The providers that they ask.
    pub providers: Vec<Provider>,
    /// What may be spent.
    pub limits: Limits,
    /// How many different models judge: seats with the same one are one judge.
    pub panel_size: usize,
    /// Whether a judge may favour the writer; `None` where nobody writes or
    /// nobody judges.
    pub self_preference: Option<SelfPreference>,
    /// What is missing, and whom it stops.
    pub problems: Vec<Problem>,
    /// What is worth knowing.
    pub notes: Vec<String>,
}

/// A role with its models.
#[derive(Clone, Debug)]
pub struct Seated {
    /// What a run needs to know.
    pub seat: Seat,
    /// More about each of the seat's models, in their order.
    pub asked: Vec<Asked>,
    /// Where its settings come from.
    pub origins: Origins,
    /// Whether somebody named this model for this role or its group.
    pub is_named: bool,
}

/// What is known about a model besides how it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Whose child it is.
    pub family: Option<Family>,
    /// Where its price comes from; `None` where it has none.
    pub price: Option<Origin>,
    /// How many tokens fit into one call.
    pub context: Option<u64>,
}

/// Where the settings of a seat come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// The provider.
    pub provider: Origin,
    /// The model.
    pub model: Origin,
    /// The temperature.
    pub temperature: Origin,
    /// The most it may answer.
    pub max_tokens: Origin,
    /// The weight of its vote.
    pub weight: Origin,
}

impl Origins {
    /// The line of the file that names the model, else the provider.
    pub(super) fn line(&self) -> Option<usize> {
        self.model.line().or_else(|| self.provider.line())
    }

    /// The line of the file that names the provider, else the model.
    fn provider_line(&self) -> Option<usize> {
        self.provider.line().or_else(|| self.model.line())
    }
}

/// What stops some roles from being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whom.
    pub roles: BTreeSet<Role>,
    /// Why, and what to write.
    pub error: ConfigError,
}

/// What may be spent; sums in millionths of a dollar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// By one run.
    pub cost_per_run: Option<u64>,
    /// By one call of the program.
    pub cost_per_process: Option<u64>,
    /// By one call of the program.
    pub tokens_per_process: Option<u64>,
    /// For one call of a model.
    pub seconds_per_call: u64,
    /// Without a sign of life.
    pub stall_seconds: u64,
}

impl Limits {
    fn of(section: &LimitsSection) -> Self {
        Self {
            cost_per_run: section.cost_per_run.as_deref().copied().map(millionths),
            cost_per_process: section.cost_per_process.as_deref().copied().map(millionths),
            tokens_per_process: section.tokens_per_process.as_deref().copied(),
            seconds_per_call: section.seconds_per_call.as_deref().copied().unwrap_or(180),
            stall_seconds: section.stall_seconds.as_deref().copied().unwrap_or(60),
        }
    }
}

impl Resolved {
    /// The seat of a role, if it has one.
    #[must_use]
    pub fn seat(&self, role: Role) -> Option<&Seat> {
        self.roles.get(&role).map(|seated| &seated.seat)
    }

    /// Those who judge, the first judge first. Seats with the same provider and
    /// model are one judge (ruling 24): the first of them stays.
    #[must_use]
    pub fn bench(&self) -> Vec<Seat> {
        let mut names = BTreeSet::new();
        JUDGES
            .iter()
            .filter_map(|role| self.seat(*role))
            .filter(|seat| names.insert(first_name(seat)))
            .cloned()
            .collect()
    }

    /// How the providers are reached.
    #[must_use]
    pub fn connections(&self) -> Vec<Connection> {
        self.providers
            .iter()
            .map(|provider| provider.connection.clone())
            .collect()
    }

    /// Whether any role has a model.
    #[must_use]
    pub fn has_models(&self) -> bool {
        !self.roles.is_empty()
    }

    /// Complains about what stops one of these roles.
    ///
    /// # Errors
    /// When a key or a price is missing.
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

/// Works out who is asked.
///
/// # Errors
/// When the file contradicts itself.
pub fn resolve(
    config: &Config,
    around: &Surroundings<'_>,
    language: Option<Language>,
) -> Result<Resolved, ConfigError> {
    let mut desk = Resolving::new(config, around, language);
    let mut notes = Vec::new();
    let roles = if config.file().roles.is_empty() {
        let found = detect::detect(config, around);
        notes.extend(found.note.clone());
        detect::seats(&found, &mut desk)
    } else {
        let mut roles = BTreeMap::new();
        for role in Role::ALL {
            if let Some(seated) = desk.seat(role)? {
                roles.insert(role, seated);
            }
        }
        roles
    };
    notes.extend(desk.note_on_local());
    notes.extend(note_on_windows(&desk, &roles));
    let limits = Limits::of(&config.file().limits);
    let problems = problems(&desk, &roles);
    let distinct: BTreeSet<_> = JUDGES
        .iter()
        .filter_map(|role| first_name(&roles.get(role)?.seat))
        .collect();
    Ok(Resolved {
        language,
        self_preference: bias::look(&roles, config)?,
        roles,
        providers: desk.providers.into_values().collect(),
        limits,
        panel_size: distinct.len(),
        problems,
        notes,
    })
}

/// Models on this machine of which nobody says how much they take: their servers
/// often cut a longer text off without a word.
fn note_on_windows(desk: &Resolving<'_>, roles: &BTreeMap<Role, Seated>) -> Option<String> {
    let unsaid: BTreeSet<String> = roles
        .values()
        .flat_map(|seated| seated.seat.models.iter().zip(&seated.asked))
        .filter(|(model, asked)| {
            let provider = desk.providers.get(&model.provider);
            asked.context.is_none() && provider.is_some_and(|provider| provider.is_local)
        })
        .map(|(model, _)| model.name())
        .collect();
    if unsaid.is_empty() {
        return None;
    }
    let names: Vec<String> = unsaid.into_iter().collect();
    Some(format!(
        "nobody says how many tokens fit into one call of {}; servers on one's own machine often cut a longer text off without a word: write context = 8192, or what the server is set to, beside the model or in its table of [models]",
        names.join(", ")
    ))
}

/// A sum of dollars; the file was looked at, so that it fits.
fn millionths(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}

fn problems(desk: &Resolving<'_>, roles: &BTreeMap<Role, Seated>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, provider) in &desk.providers {
        let Some(error) = &provider.fault else {
            continue;
        };
        let asking = roles.iter().filter(|(_, seated)| {
            seated
                .seat
                .models
                .iter()
                .any(|model| model.provider == *name)
        });
        let mut error = error.clone();
        if error.line.is_none() {
            // The provider has no table of its own: the role that names it has.
            error.line = asking
                .clone()
                .find_map(|(_, seated)| seated.origins.provider_line());
        }
        problems.push(Problem {
            roles: asking.map(|(role, _)| *role).collect(),
            error,
        });
    }
    let section = &desk.config.file().limits;
    let (key, limit) = match (&section.cost_per_run, &section.cost_per_process) {
        (Some(limit), _) => ("cost-per-run", limit),
        (None, Some(limit)) => ("cost-per-process", limit),
        (None, None) => return problems,
    };
    let source = desk.config.source();
    let mut unpriced: BTreeMap<String, (BTreeSet<Role>, Option<usize>)> = BTreeMap::new();
    for (role, seated) in roles {
        for (model, asked) in seated.seat.models.iter().zip(&seated.asked) {
            if asked.price.is_none() {
                let entry = unpriced.entry(model.name()).or_default();
                entry.0.insert(*role);
                entry.1 = entry.1.or(seated.origins.model.line());
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
