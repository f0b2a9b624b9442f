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

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use redraft_core::ask::{ModelSettings, Role};
use redraft_core::run::Seat;
use redraft_engine::model::connection::Connection;
use redraft_text::language::Language;

use super::bias::{self, SelfPreference};
use super::catalogue;
use super::family::Family;
use super::names::{JUDGES, Named};
use super::provider::Provider;
use super::surroundings::Surroundings;
use super::{detect, ollama};
use crate::config::{Complaint, Config, LimitsSection, ModelSection, RoleSection};

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of the file.
    File(Option<usize>),
    /// A variable of the environment.
    Variable(String),
    /// An Ollama that answered at this address.
    Answer(String),
    /// Nobody said anything.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(Some(line)) => write!(f, "line {line}"),
            Self::File(None) => f.write_str("file"),
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

/// What stops some roles from being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Whom.
    pub roles: BTreeSet<Role>,
    /// Why, and what to write.
    pub complaint: Complaint,
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
            cost_per_run: section.cost_per_run.map(millionths),
            cost_per_process: section.cost_per_process.map(millionths),
            tokens_per_process: section.tokens_per_process,
            seconds_per_call: section.seconds_per_call.unwrap_or(180),
            stall_seconds: section.stall_seconds.unwrap_or(60),
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
    pub fn require(&self, roles: &[Role]) -> Result<(), Complaint> {
        let stopped = self
            .problems
            .iter()
            .find(|problem| roles.iter().any(|role| problem.roles.contains(role)));
        stopped.map_or(Ok(()), |problem| Err(problem.complaint.clone()))
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
) -> Result<Resolved, Complaint> {
    let mut desk = Resolving {
        config,
        around,
        language,
        providers: BTreeMap::new(),
        local_models: OnceCell::new(),
    };
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
    let limits = Limits::of(&config.file().limits);
    let problems = problems(&desk, &roles, &limits);
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

/// A sum of dollars; the file was looked at, so that it fits.
fn millionths(dollars: f64) -> u64 {
    (dollars * 1e6).round() as u64
}

fn problems(desk: &Resolving<'_>, roles: &BTreeMap<Role, Seated>, limits: &Limits) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (name, provider) in &desk.providers {
        let Some(complaint) = &provider.fault else {
            continue;
        };
        let asking = roles.iter().filter(|(_, seated)| {
            seated
                .seat
                .models
                .iter()
                .any(|model| model.provider == *name)
        });
        let mut complaint = complaint.clone();
        if complaint.line.is_none() {
            // The provider has no table of its own: the role that names it has.
            complaint.line = asking.clone().find_map(|(_, seated)| {
                match (&seated.origins.provider, &seated.origins.model) {
                    (Origin::File(line), _) | (_, Origin::File(line)) => *line,
                    _ => None,
                }
            });
        }
        problems.push(Problem {
            roles: asking.map(|(role, _)| *role).collect(),
            complaint,
        });
    }
    let limit = match (limits.cost_per_run, limits.cost_per_process) {
        (Some(_), _) => "cost-per-run",
        (None, Some(_)) => "cost-per-process",
        (None, None) => return problems,
    };
    let mut unpriced: BTreeMap<String, (BTreeSet<Role>, Option<usize>)> = BTreeMap::new();
    for (role, seated) in roles {
        for (model, asked) in seated.seat.models.iter().zip(&seated.asked) {
            if asked.price.is_some() {
                continue;
            }
            let line = match seated.origins.model {
                Origin::File(line) => line,
                _ => None,
            };
            let entry = unpriced.entry(model.name()).or_default();
            entry.0.insert(*role);
            entry.1 = entry.1.or(line);
        }
    }
    problems.extend(unpriced.into_iter().map(|(name, (roles, line))| Problem {
        roles,
        complaint: Complaint {
            line: line.or_else(|| desk.config.lines().line(&format!("limits.{limit}"))),
            message: format!(
                "[limits] {limit} is set, but nobody knows what {name} costs: write price-in and price-out (dollars for a million tokens) beside the model, or in a table of [models]"
            ),
        },
    }));
    problems
}

/// What is worked with.
pub(super) struct Resolving<'a> {
    pub(super) config: &'a Config,
    pub(super) around: &'a Surroundings<'a>,
    pub(super) language: Option<Language>,
    pub(super) providers: BTreeMap<String, Provider>,
    local_models: OnceCell<Vec<String>>,
}

/// A table that speaks for a role.
struct Level<'a> {
    section: &'a RoleSection,
    path: String,
    of: Named,
}

/// A setting and the table it stands in.
struct Picked<T> {
    value: T,
    origin: Origin,
}

impl<'a> Resolving<'a> {
    /// The provider with a name.
    pub(super) fn provider(&mut self, name: &str) -> &Provider {
        let (config, around) = (self.config, self.around);
        self.providers
            .entry(name.to_owned())
            .or_insert_with(|| Provider::of(name, config, around))
    }

    /// The model that a provider is asked for in a role, while nobody names one.
    pub(super) fn usual_model(&self, provider: &str, role: Role) -> Option<String> {
        let known = catalogue::known(provider)?;
        if provider != "ollama" {
            return Some(known.models.of(role).to_owned());
        }
        let models = self.local_models.get_or_init(|| {
            let of_file = self.config.file().providers.get("ollama");
            let host = of_file
                .and_then(|section| section.base_url.as_deref())
                .or_else(|| self.around.variable("OLLAMA_HOST"));
            let address = ollama::address(host.unwrap_or_default());
            let host = address.split_once("://").map_or("", |(_, host)| host);
            if self.around.may_probe() {
                (self.around.ollama)(host).unwrap_or_default()
            } else {
                Vec::new()
            }
        });
        let place = match role {
            Role::JudgeSecondary => 1,
            Role::JudgeTiebreaker => 2,
            _ => 0,
        };
        let there = models.get(place.min(models.len().saturating_sub(1)));
        Some(there.map_or_else(|| known.models.of(role).to_owned(), Clone::clone))
    }

    fn levels(&self, role: Role) -> Vec<Level<'a>> {
        let mut levels = Vec::new();
        for of in Named::speaking_for(role) {
            let written = self
                .config
                .file()
                .roles
                .iter()
                .find(|(name, _)| Named::parse(name) == Some(of));
            let Some((name, section)) = written else {
                continue;
            };
            let path = format!("roles.{name}");
            let for_language = section
                .language
                .iter()
                .find(|(tag, _)| self.language.is_some() && Language::parse(tag) == self.language);
            if let Some((tag, section)) = for_language {
                levels.push(Level {
                    section,
                    path: format!("{path}.language.{tag}"),
                    of,
                });
            }
            levels.push(Level { section, path, of });
        }
        levels
    }

    fn pick<T>(
        &self,
        levels: &[Level<'a>],
        key: &str,
        value: impl Fn(&'a RoleSection) -> Option<T>,
    ) -> Option<Picked<T>> {
        levels.iter().find_map(|level| {
            Some(Picked {
                value: value(level.section)?,
                origin: self.line(&format!("{}.{key}", level.path)),
            })
        })
    }

    fn line(&self, path: &str) -> Origin {
        Origin::File(self.config.lines().line(path))
    }

    fn seat(&mut self, role: Role) -> Result<Option<Seated>, Complaint> {
        let levels = self.levels(role);
        let Some(at) = levels
            .iter()
            .position(|level| level.section.model.is_some() || level.section.provider.is_some())
        else {
            return Ok(None);
        };
        let (naming, behind) = (&levels[at], &levels[at..]);
        let Some((provider, model)) = self.model(role, naming, behind)? else {
            return Ok(None);
        };
        let entry = self.entry(&provider.value, &model.value);
        let (default_temperature, default_tokens) = catalogue::manner(role);
        let temperature = self.pick(&levels, "temperature", |section| section.temperature);
        let max_tokens = self.pick(&levels, "max-tokens", |section| section.max_tokens);
        let weight = self.pick(&levels, "weight", |section| section.weight);
        let of_model = levels.get(..=at).unwrap_or_default();
        let manner = Manner {
            temperature_hundredths: temperature.as_ref().map_or(default_temperature, |picked| {
                (picked.value * 100.0).round() as u16
            }),
            max_tokens: max_tokens
                .as_ref()
                .map_or(default_tokens, |picked| picked.value),
        };
        let figures = Figures {
            price_in: self.pick(of_model, "price-in", |section| section.price_in),
            price_out: self.pick(of_model, "price-out", |section| section.price_out),
            context: self.pick(of_model, "context", |section| section.context),
            family: self.pick(of_model, "family", |section| section.family.as_deref()),
        };
        let (settings, asked) =
            self.settled(&provider.value, &model.value, &manner, figures, entry);
        let mut models = vec![settings];
        let mut known = vec![asked];
        let fall_backs = self.pick(&levels, "fall-backs", |section| section.fall_backs.as_ref());
        for name in fall_backs.iter().flat_map(|picked| picked.value) {
            let (provider, model, entry) = self.fall_back(name, &provider.value);
            let (settings, asked) =
                self.settled(&provider, &model, &manner, Figures::default(), entry);
            if !models.iter().any(|other| other.name() == settings.name()) {
                models.push(settings);
                known.push(asked);
            }
        }
        Ok(Some(Seated {
            seat: Seat {
                role,
                // Thousandths, so that 0.75 is exactly what it says.
                weight: weight
                    .as_ref()
                    .map_or(1_000, |picked| (picked.value * 1_000.0).round() as u32),
                models,
            },
            asked: known,
            origins: Origins {
                provider: provider.origin,
                model: model.origin,
                temperature: temperature.map_or(Origin::Default, |picked| picked.origin),
                max_tokens: max_tokens.map_or(Origin::Default, |picked| picked.origin),
                weight: weight.map_or(Origin::Default, |picked| picked.origin),
            },
            is_named: naming.of != Named::Default,
        }))
    }

    /// The provider and the model that a table names, or the tables behind it.
    #[expect(
        clippy::type_complexity,
        reason = "a pair of two settings, or none; a name would not say more"
    )]
    fn model(
        &self,
        role: Role,
        naming: &Level<'a>,
        behind: &[Level<'a>],
    ) -> Result<Option<(Picked<String>, Picked<String>)>, Complaint> {
        let lines = self.config.lines();
        let at_model = format!("{}.model", naming.path);
        let Some(named) = &naming.section.model else {
            let Some(provider) = &naming.section.provider else {
                return Ok(None);
            };
            let at_provider = format!("{}.provider", naming.path);
            return match self.usual_model(provider, role) {
                Some(model) => Ok(Some((
                    Picked {
                        value: provider.clone(),
                        origin: self.line(&at_provider),
                    },
                    Picked {
                        value: model,
                        origin: Origin::Default,
                    },
                ))),
                // A provider for everybody is only a habit until a model is named.
                None if naming.of == Named::Default => Ok(None),
                None => Err(lines.complain(
                    &at_provider,
                    format!("which model of `{provider}`? write model = \"…\" beside it"),
                )),
            };
        };
        let entry = self.config.file().models.get(named);
        let value = entry
            .and_then(|entry| entry.model.clone())
            .unwrap_or_else(|| named.clone());
        let model = Picked {
            value,
            origin: self.line(&at_model),
        };
        // A table of [models] that names a provider means that one, unless the
        // role says otherwise in the same breath.
        let beside = naming.section.provider.as_ref().map(|provider| Picked {
            value: provider.clone(),
            origin: self.line(&format!("{}.provider", naming.path)),
        });
        let of_entry = || {
            let provider = entry?.provider.clone()?;
            Some(Picked {
                value: provider,
                origin: self.line(&format!("models.{named}.provider")),
            })
        };
        let inherited = || self.pick(behind, "provider", |section| section.provider.clone());
        let only = || {
            let mut names = self.config.file().providers.keys();
            match (names.next(), names.next()) {
                (Some(only), None) => Some(Picked {
                    value: only.clone(),
                    origin: self.line(&format!("providers.{only}")),
                }),
                _ => None,
            }
        };
        match beside.or_else(of_entry).or_else(inherited).or_else(only) {
            Some(provider) => Ok(Some((provider, model))),
            None => Err(lines.complain(
                &at_model,
                format!("who runs `{named}`? write provider = \"…\" beside it"),
            )),
        }
    }

    /// The table of [models] that speaks about a model, and its name.
    pub(super) fn entry(&self, provider: &str, model: &str) -> Option<(&'a str, &'a ModelSection)> {
        let mut entries = self.config.file().models.iter();
        entries
            .find(|(name, entry)| {
                entry.model.as_ref().unwrap_or(name) == model
                    && entry.provider.as_deref().is_none_or(|of| of == provider)
            })
            .map(|(name, entry)| (name.as_str(), entry))
    }

    /// A fall-back: a table of [models], `provider/model`, or a model of the same
    /// provider.
    fn fall_back(
        &self,
        name: &str,
        same: &str,
    ) -> (String, String, Option<(&'a str, &'a ModelSection)>) {
        let file = self.config.file();
        if let Some((name, entry)) = file.models.get_key_value(name) {
            let provider = entry.provider.as_deref().unwrap_or(same).to_owned();
            let model = entry.model.clone().unwrap_or_else(|| name.clone());
            return (provider, model, Some((name.as_str(), entry)));
        }
        let (provider, model) = match name.split_once('/') {
            Some((provider, model))
                if file.providers.contains_key(provider)
                    || catalogue::known(provider).is_some() =>
            {
                (provider.to_owned(), model.to_owned())
            }
            _ => (same.to_owned(), name.to_owned()),
        };
        let entry = self.entry(&provider, &model);
        (provider, model, entry)
    }

    /// A model with its figures: those beside it, else those of its table in
    /// [models], else what is certain anyway.
    pub(super) fn settled(
        &mut self,
        provider: &str,
        model: &str,
        manner: &Manner,
        figures: Figures<'_>,
        entry: Option<(&str, &ModelSection)>,
    ) -> (ModelSettings, Asked) {
        let is_local = self.provider(provider).is_local;
        let of_entry = |key: &str, value: Option<f64>| {
            Some(Picked {
                value: value?,
                origin: self.line(&format!("models.{}.{key}", entry?.0)),
            })
        };
        let price_in = figures
            .price_in
            .or_else(|| of_entry("price-in", entry?.1.price_in));
        let price_out = figures
            .price_out
            .or_else(|| of_entry("price-out", entry?.1.price_out));
        let price = match (&price_in, &price_out) {
            (Some(price), Some(_)) => Some(price.origin.clone()),
            // What runs on this machine sends no bill.
            _ if is_local => Some(Origin::Default),
            _ => None,
        };
        let dollars = |price: Option<Picked<f64>>| price.map_or(0, |price| millionths(price.value));
        let family = figures
            .family
            .map(|picked| picked.value)
            .or_else(|| entry?.1.family.as_deref())
            .map(Family::named)
            .or_else(|| Family::of_model(model));
        let context = figures
            .context
            .map(|picked| picked.value)
            .or_else(|| entry?.1.context);
        (
            ModelSettings {
                provider: provider.to_owned(),
                model: model.to_owned(),
                temperature_hundredths: manner.temperature_hundredths,
                max_tokens: manner.max_tokens,
                price_in: dollars(price_in),
                price_out: dollars(price_out),
            },
            Asked {
                family,
                price,
                context,
            },
        )
    }
}

/// How a model is called.
pub(super) struct Manner {
    pub(super) temperature_hundredths: u16,
    pub(super) max_tokens: u32,
}

/// Figures that stand beside a model.
#[derive(Default)]
pub(super) struct Figures<'a> {
    price_in: Option<Picked<f64>>,
    price_out: Option<Picked<f64>>,
    context: Option<Picked<u64>>,
    family: Option<Picked<&'a str>>,
}

#[cfg(test)]
mod tests;
