//! Where a session's answers come from: a script, the models of the configuration, or a
//! recording.
//!
//! A playback asks no model and spends nothing, so it needs no key and no price:
//!
//! | the configuration has | models of a playback |
//! |---|---|
//! | `[roles]` | those of `[roles]`, as if no key were missing |
//! | no `[roles]` | the detected ones if the recording has them, else the recorded ones |
//!
//! An optional role (the writers, for `refine`) is filled in a playback if the recording
//! has it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::model::Model;
use redraft_engine::model::batch::{self, BatchSettings};
use redraft_engine::model::connection::Connection;
use redraft_engine::model::recording::Recording;
use redraft_engine::model::reuse::{Freshness, Reuse};
use redraft_engine::model::scripted::ScriptedModel;
use redraft_engine::verdicts::Verdicts;
use redraft_run::ask::Role;
use redraft_run::policy::EditForm;
use redraft_run::setup::{Goal, Seat, SpendingLimits};
use redraft_text::language::Language;

use super::options::CommonOptions;
use crate::config::Config;
use crate::config::roles::JUDGES;
use crate::files;
use crate::models::{Environment, Resolved, SelfPreference, connect, resolve};
use crate::user_key::{self, KeyError};

/// The models of a session, and which of them answer for a role.
pub(super) struct ModelSource {
    /// Routes each ask to the model it names.
    pub(super) model: Arc<dyn Model>,
    seats: Seats,
    /// The file that every ask and answer is added to, if one is.
    recording: Option<(PathBuf, Arc<Recording>)>,
    /// The verdicts of earlier runs, or why they are not used.
    verdicts: Option<Result<Arc<Verdicts>, KeyError>>,
    /// Whether providers that offer batches are asked in these.
    in_batches: bool,
}

enum Seats {
    Fixed {
        seats: Vec<Seat>,
        limits: SpendingLimits,
    },
    Configured {
        config: Box<Config>,
        /// The text of the configuration and where it is.
        written: (String, PathBuf),
        /// The roles that a recording answers for, where one is played.
        played: Option<BTreeSet<Role>>,
    },
}

impl Seats {
    fn fixed(seats: Vec<Seat>) -> Self {
        Self::Fixed {
            seats,
            limits: SpendingLimits::default(),
        }
    }
}

/// The models that are asked about one document.
#[derive(Debug, Default)]
pub(super) struct AssignedModels {
    pub(super) seats: Vec<Seat>,
    /// Roles whose model the configuration does not name in a table of their own.
    pub(super) unnamed: BTreeSet<Role>,
    /// What its run may spend.
    pub(super) limits: SpendingLimits,
    pub(super) self_preference: Option<String>,
    /// The form in which the patcher's model is asked for edits.
    pub(super) edit_form: Option<EditForm>,
    /// The names of the models that run on this machine.
    pub(super) local: BTreeSet<String>,
}

impl ModelSource {
    /// The models of the script or of the configuration; `None` if none is configured.
    pub(super) fn from_options(
        script: Option<&PathBuf>,
        common: &CommonOptions,
        batches: Option<&BatchSettings>,
    ) -> anyhow::Result<Option<Self>> {
        match script {
            Some(script) => Self::scripted(script).map(Some),
            None => Self::configured(common, batches),
        }
    }

    fn scripted(script: &Path) -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let text = std::fs::read_to_string(script).with_context(|| files::cannot_read(script))?;
        let model =
            ScriptedModel::new(&text, clock).with_context(|| script.display().to_string())?;
        let seats = model
            .roles()
            .into_iter()
            .map(|role| {
                let settings = ScriptedModel::settings(role.name());
                Seat {
                    role,
                    weight: 1,
                    contexts: model
                        .context()
                        .map(|context| (settings.name(), context))
                        .into_iter()
                        .collect(),
                    models: vec![settings],
                }
            })
            .collect();
        Ok(Self {
            model: Arc::new(model),
            seats: Seats::fixed(seats),
            recording: None,
            verdicts: None,
            in_batches: false,
        })
    }

    fn configured(
        common: &CommonOptions,
        batches: Option<&BatchSettings>,
    ) -> anyhow::Result<Option<Self>> {
        let (config, written) = configuration(common)?;
        let surroundings = Environment::of_process();
        let resolved = resolve(&config, &surroundings, None)?;
        if !resolved.has_models() {
            return Ok(None);
        }
        // One router for all languages, so that the limits of the process hold.
        let mut connections: BTreeMap<String, Connection> = BTreeMap::new();
        for language in std::iter::once(None).chain(config.languages().into_iter().map(Some)) {
            let here = resolve(&config, &surroundings, language)?;
            for connection in here.connections() {
                connections
                    .entry(connection.name.clone())
                    .or_insert(connection);
            }
        }
        // A tenant of the service may choose any model that has a table.
        for model in config.file().models.keys() {
            let choice = BTreeMap::from([("judge_primary".to_owned(), model.clone())]);
            let Ok(chosen) = with_choices(&written, &choice) else {
                continue;
            };
            for connection in resolve(&chosen, &surroundings, None)?.connections() {
                connections
                    .entry(connection.name.clone())
                    .or_insert(connection);
            }
        }
        let known: BTreeSet<String> = resolved
            .providers
            .iter()
            .map(|provider| provider.connection.name.clone())
            .collect();
        let more: Vec<Connection> = connections
            .into_values()
            .filter(|connection| !known.contains(&connection.name))
            .collect();
        if batches.is_some() && batch_providers(&resolved).is_empty() {
            bail!(
                "--batch: none of the configured providers offers batches; OpenAI and Anthropic do"
            );
        }
        let model = connect::with_more(&resolved, more, batches)?;
        Ok(Some(Self {
            in_batches: batches.is_some(),
            model,
            seats: Seats::Configured {
                config: Box::new(config),
                written,
                played: None,
            },
            recording: None,
            verdicts: None,
        }))
    }

    /// Asks no judge of the configuration what it answered in an earlier run. Scripts
    /// answer for nothing, and always afresh.
    pub(super) fn reusing(self, runs: &Path, freshness: Freshness) -> Self {
        if !matches!(self.seats, Seats::Configured { .. }) {
            return self;
        }
        match user_key::of_process() {
            Ok(key) => {
                let verdicts = Arc::new(Verdicts::beside_journals(runs, key));
                Self {
                    model: Arc::new(Reuse::new(self.model, Arc::clone(&verdicts), freshness)),
                    verdicts: Some(Ok(verdicts)),
                    ..self
                }
            }
            Err(error) => Self {
                verdicts: Some(Err(error)),
                ..self
            },
        }
    }

    /// What there is to say about the verdicts of earlier runs.
    pub(super) fn reuse_notes(&self) -> Vec<String> {
        match &self.verdicts {
            None => Vec::new(),
            Some(Ok(verdicts)) => {
                let notes = verdicts.notes();
                notes.iter().map(|note| format!("note: {note}")).collect()
            }
            Some(Err(error)) => vec![format!("note: verdicts are not reused: {error}")],
        }
    }

    /// Adds every ask and answer to a recording.
    pub(super) fn recording_to(self, path: &Path) -> anyhow::Result<Self> {
        let recording = Arc::new(Recording::record(path, self.model)?);
        Ok(Self {
            model: Arc::clone(&recording) as Arc<dyn Model>,
            seats: self.seats,
            recording: Some((path.to_owned(), recording)),
            verdicts: self.verdicts,
            in_batches: self.in_batches,
        })
    }

    /// Answers from a recording.
    pub(super) fn playback(recording: &Path, common: &CommonOptions) -> anyhow::Result<Self> {
        let recording = Recording::play(recording)?;
        let recorded = recording.models();
        let (config, written) = configuration(common)?;
        let resolved = resolve(&config, &Environment::of_process(), None)?;
        let agrees = || {
            recorded.iter().all(|(role, models)| {
                let seat = resolved.seat(*role);
                seat.is_some_and(|seat| models.iter().all(|model| seat.models.contains(model)))
            })
        };
        let seats = if resolved.has_models() && (!config.file().roles.is_empty() || agrees()) {
            Seats::Configured {
                config: Box::new(config),
                written,
                played: Some(recorded.into_keys().collect()),
            }
        } else {
            let seats = recorded.into_iter().map(|(role, models)| Seat {
                role,
                weight: 1,
                models,
                contexts: BTreeMap::new(),
            });
            Seats::Fixed {
                seats: seats.collect(),
                limits: resolved.limits.of_run(),
            }
        };
        Ok(Self {
            model: Arc::new(recording),
            seats,
            recording: None,
            verdicts: None,
            in_batches: false,
        })
    }

    /// Why the recording is incomplete, if it is.
    pub(super) fn recording_error(&self) -> Option<String> {
        let (path, recording) = self.recording.as_ref()?;
        let why = recording.write_error()?;
        Some(format!(
            "{}: the recording is incomplete ({why}). The results are valid, but --play cannot reproduce them; free some space or choose another file, and record again",
            path.display()
        ))
    }

    /// No models, for the free stages.
    pub(super) fn none() -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        Ok(Self {
            model: Arc::new(ScriptedModel::new("reply = []", clock)?),
            seats: Seats::fixed(Vec::new()),
            recording: None,
            verdicts: None,
            in_batches: false,
        })
    }

    /// The models that have a table of their own, for those who choose among them.
    pub(super) fn offered(&self) -> Vec<&str> {
        match &self.seats {
            Seats::Fixed { .. } => Vec::new(),
            Seats::Configured { config, .. } => {
                config.file().models.keys().map(String::as_str).collect()
            }
        }
    }

    /// The models for a document in this language, with other models for some roles, by
    /// the names of their tables.
    pub(super) fn assigned_with(
        &self,
        goal: Goal,
        language: Option<&Language>,
        choices: &BTreeMap<String, String>,
    ) -> anyhow::Result<AssignedModels> {
        let Seats::Configured { written, .. } = &self.seats else {
            return self.assigned(goal, language);
        };
        if choices.is_empty() {
            return self.assigned(goal, language);
        }
        let chosen = with_choices(written, choices)?;
        let resolved = resolve(&chosen, &Environment::of_process(), language.copied())?;
        resolved.require(roles(goal))?;
        let is_available = |role: Role| resolved.require(&[role]).is_ok();
        Ok(assign(&resolved, goal, is_available))
    }

    /// The models for a document in this language.
    pub(super) fn assigned(
        &self,
        goal: Goal,
        language: Option<&Language>,
    ) -> anyhow::Result<AssignedModels> {
        match &self.seats {
            Seats::Fixed { seats, limits } => Ok(AssignedModels {
                seats: seats.clone(),
                limits: *limits,
                ..AssignedModels::default()
            }),
            Seats::Configured { config, played, .. } => {
                let surroundings = Environment::of_process();
                let resolved = resolve(config, &surroundings, language.copied())?;
                let is_available = |role: Role| match played {
                    Some(recorded) => recorded.contains(&role),
                    None => resolved.require(&[role]).is_ok(),
                };
                if played.is_none() {
                    resolved.require(roles(goal))?;
                }
                let mut assigned = assign(&resolved, goal, is_available);
                if self.in_batches {
                    assigned.wait_for_batches(&batch_providers(&resolved));
                }
                Ok(assigned)
            }
        }
    }
}

impl AssignedModels {
    /// Batches cost half and take hours: the run has no time limit.
    fn wait_for_batches(&mut self, providers: &BTreeSet<String>) {
        const MONTH: u64 = 30 * 24 * 3_600;
        self.limits.seconds = Some(MONTH);
        let models = self.seats.iter_mut().flat_map(|seat| &mut seat.models);
        for model in models.filter(|model| providers.contains(&model.provider)) {
            model.price_in = model.price_in.div_ceil(2);
            model.price_out = model.price_out.div_ceil(2);
            if let Some(cache) = &mut model.cache {
                cache.price_read = cache.price_read.div_ceil(2);
                cache.price_write = cache.price_write.div_ceil(2);
            }
        }
    }
}

/// The configured providers that offer batches.
fn batch_providers(resolved: &Resolved) -> BTreeSet<String> {
    let connections = resolved.providers.iter().map(|one| &one.connection);
    connections
        .filter(|one| batch::is_offered(one.api, &one.name, &one.base_url))
        .map(|one| one.name.clone())
        .collect()
}

/// The roles that a goal needs.
pub(super) fn roles(goal: Goal) -> &'static [Role] {
    match goal {
        Goal::Judge => &[
            Role::SelfReviewer,
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::JudgeTiebreaker,
        ],
        Goal::Refine => &[
            Role::SelfReviewer,
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::JudgeTiebreaker,
            Role::Patcher,
            Role::SectionExpander,
            Role::DeltaJudge,
        ],
        Goal::Free => &[],
        Goal::Write => &[
            Role::SelfReviewer,
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::JudgeTiebreaker,
            Role::Patcher,
            Role::SectionExpander,
            Role::DeltaJudge,
            Role::Planner,
            Role::Expander,
            Role::Smoother,
            Role::Author,
        ],
    }
}

/// The roles that a goal uses if they are configured: a lesson that repair does not help
/// is rewritten if there is a writer, instructions are put into words if an arbiter is
/// named, and items are solved if there is a judge whose model does it.
fn optional_roles(goal: Goal) -> &'static [Role] {
    match goal {
        Goal::Refine => &[
            Role::Solver,
            Role::Arbiter,
            Role::Planner,
            Role::Expander,
            Role::Smoother,
        ],
        Goal::Write => &[Role::Solver, Role::Arbiter],
        Goal::Judge => &[Role::Solver],
        Goal::Free => &[],
    }
}

/// A configuration in which some roles have other models.
fn with_choices(
    (text, path): &(String, PathBuf),
    choices: &BTreeMap<String, String>,
) -> anyhow::Result<Config> {
    let mut table: toml::Table = text.parse()?;
    let roles = table
        .entry("roles")
        .or_insert_with(|| toml::Table::new().into());
    let toml::Value::Table(roles) = roles else {
        bail!("roles: expected tables");
    };
    if roles.is_empty() {
        bail!("the configuration has no roles, so none can get another model");
    }
    for (role, model) in choices {
        let own = toml::Table::from_iter([("model".to_owned(), model.clone().into())]);
        roles.insert(role.clone(), own.into());
    }
    Ok(Config::parse(&toml::to_string(&table)?, path)?)
}

/// The configuration in force, with its text and where it is.
fn configuration(common: &CommonOptions) -> anyhow::Result<(Config, (String, PathBuf))> {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Config::path(common.config.as_deref(), &here);
    let Some(path) = path else {
        return Ok((Config::default(), (String::new(), PathBuf::new())));
    };
    let text = std::fs::read_to_string(&path).with_context(|| files::cannot_read(&path))?;
    Ok((Config::parse(&text, &path)?, (text, path)))
}

fn assign(resolved: &Resolved, goal: Goal, is_available: impl Fn(Role) -> bool) -> AssignedModels {
    let judges = resolved.judges();
    let is_named = |role: Role| {
        let assigned = resolved.roles.get(&role);
        assigned.is_some_and(|assigned| assigned.has_own_table)
    };
    let others = roles(goal)
        .iter()
        .filter(|role| !JUDGES.contains(role))
        .chain(
            optional_roles(goal)
                .iter()
                .filter(|role| is_available(**role)),
        )
        .filter(|role| **role != Role::Arbiter || is_named(**role))
        .filter_map(|role| resolved.seat(*role).cloned());
    let seats: Vec<Seat> = judges.iter().cloned().chain(others).collect();
    let roles = seats.iter().map(|seat| seat.role);
    AssignedModels {
        unnamed: roles.filter(|role| !is_named(*role)).collect(),
        seats,
        limits: resolved.limits.of_run(),
        self_preference: match &resolved.self_preference {
            Some(SelfPreference::Possible { judge, writer, .. }) => Some(format!(
                "possible: {judge} may be of the same family as {writer}"
            )),
            _ => None,
        },
        edit_form: resolved
            .roles
            .get(&Role::Patcher)
            .and_then(|patcher| patcher.info.first())
            .map(|info| info.edit_form),
        local: resolved.local_models(),
    }
}
