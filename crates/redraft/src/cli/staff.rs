//! Who answers a session's asks: a script, the models of the configuration, or a
//! recording of what they said.
//!
//! Who plays a recording asks nobody and spends nothing, so that no key and no
//! price has to be at hand:
//!
//! | the file has | seats of a playback |
//! |---|---|
//! | tables of `[roles]` | theirs, as if nothing were missing |
//! | none | those that are found, where the recording knows them, else the recorded ones |
//!
//! Whoever a run only takes where he can be had (the writers, for `refine`) sits in
//! a playback if he was recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::model::Model;
use redraft_engine::model::connection::Connection;
use redraft_engine::model::recording::Recording;
use redraft_engine::model::scripted::ScriptedModel;
use redraft_run::ask::Role;
use redraft_run::setup::{Goal, Seat};
use redraft_text::language::Language;

use super::options::CommonOptions;
use crate::config::Config;
use crate::config::roles::JUDGES;
use crate::models::{Environment, Resolved, SelfPreference, connect, resolve};

/// Whoever answers.
pub(super) struct Staff {
    /// The door to all of them.
    pub(super) model: Arc<dyn Model>,
    seats: Seats,
    /// Where everything is written down, if it is.
    tape: Option<(PathBuf, Arc<Recording>)>,
}

enum Seats {
    Fixed {
        seats: Vec<Seat>,
        cost_limit: Option<u64>,
    },
    Configured {
        config: Box<Config>,
        /// The roles that a recording answers for, where one is played.
        played: Option<BTreeSet<Role>>,
    },
}

impl Seats {
    fn fixed(seats: Vec<Seat>) -> Self {
        Self::Fixed {
            seats,
            cost_limit: None,
        }
    }
}

/// Who is asked about one document.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) seats: Vec<Seat>,
    /// What its run may cost, in millionths of a dollar.
    pub(super) cost_limit: Option<u64>,
    pub(super) self_preference: Option<String>,
}

impl Staff {
    /// Whoever the script or the configuration names; `None` where nobody is
    /// configured.
    pub(super) fn of(
        script: Option<&PathBuf>,
        common: &CommonOptions,
    ) -> anyhow::Result<Option<Self>> {
        match script {
            Some(script) => Self::scripted(script).map(Some),
            None => Self::configured(common),
        }
    }

    fn scripted(script: &Path) -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let text = std::fs::read_to_string(script)
            .with_context(|| format!("cannot read {}", script.display()))?;
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
            tape: None,
        })
    }

    fn configured(common: &CommonOptions) -> anyhow::Result<Option<Self>> {
        let config = configuration(common)?;
        let around = Environment::of_process();
        let resolved = resolve(&config, &around, None)?;
        if !resolved.has_models() {
            return Ok(None);
        }
        // One door for all languages, so that the limits of the process hold.
        let mut connections: BTreeMap<String, Connection> = BTreeMap::new();
        for language in std::iter::once(None).chain(config.languages().into_iter().map(Some)) {
            let here = resolve(&config, &around, language)?;
            for connection in here.connections() {
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
        let model = connect::with_more(&resolved, more)?;
        Ok(Some(Self {
            model,
            seats: Seats::Configured {
                config: Box::new(config),
                played: None,
            },
            tape: None,
        }))
    }

    /// The same, with what is asked and answered added to a file.
    pub(super) fn recorded(self, path: &Path) -> anyhow::Result<Self> {
        let tape = Arc::new(Recording::record(path, self.model)?);
        Ok(Self {
            model: Arc::clone(&tape) as Arc<dyn Model>,
            seats: self.seats,
            tape: Some((path.to_owned(), tape)),
        })
    }

    /// Whoever a recording answers for. Nobody is asked, so that no key is looked
    /// at.
    pub(super) fn played(recording: &Path, common: &CommonOptions) -> anyhow::Result<Self> {
        let recording = Recording::play(recording)?;
        let recorded = recording.models();
        let config = configuration(common)?;
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
                cost_limit: resolved.limits.cost_per_run,
            }
        };
        Ok(Self {
            model: Arc::new(recording),
            seats,
            tape: None,
        })
    }

    /// What the user has to know about the recording, once all is done.
    pub(super) fn trouble(&self) -> Option<String> {
        let (path, tape) = self.tape.as_ref()?;
        let why = tape.write_error()?;
        Some(format!(
            "the recording {} could not be written in full ({why}). The results stand, but they cannot be played back from it: make room or name another file, and record again",
            path.display()
        ))
    }

    /// Nobody: for what is free.
    pub(super) fn nobody() -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        Ok(Self {
            model: Arc::new(ScriptedModel::new("reply = []", clock)?),
            seats: Seats::fixed(Vec::new()),
            tape: None,
        })
    }

    /// Who is asked about a document in this language.
    pub(super) fn asked(&self, goal: Goal, language: Option<&Language>) -> anyhow::Result<Asked> {
        match &self.seats {
            Seats::Fixed { seats, cost_limit } => Ok(Asked {
                seats: seats.clone(),
                cost_limit: *cost_limit,
                ..Asked::default()
            }),
            Seats::Configured { config, played } => {
                let around = Environment::of_process();
                let resolved = resolve(config, &around, language.copied())?;
                let can_be_had = |role: Role| match played {
                    Some(recorded) => recorded.contains(&role),
                    None => resolved.require(&[role]).is_ok(),
                };
                if played.is_none() {
                    resolved.require(roles(goal))?;
                }
                Ok(of(&resolved, goal, can_be_had))
            }
        }
    }
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

/// The roles that it uses where they can be had: a lesson that repair does not
/// help is written anew, if somebody can write.
fn further_roles(goal: Goal) -> &'static [Role] {
    match goal {
        Goal::Refine => &[Role::Planner, Role::Expander, Role::Smoother],
        Goal::Judge | Goal::Free | Goal::Write => &[],
    }
}

/// The configuration in force.
fn configuration(common: &CommonOptions) -> anyhow::Result<Config> {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Config::path(common.config.as_deref(), &here);
    let config = match &path {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Config::parse(&text, path)?
        }
        None => Config::default(),
    };
    Ok(config)
}

fn of(resolved: &Resolved, goal: Goal, can_be_had: impl Fn(Role) -> bool) -> Asked {
    let bench = resolved.judges();
    let others = roles(goal)
        .iter()
        .filter(|role| !JUDGES.contains(role))
        .chain(further_roles(goal).iter().filter(|role| can_be_had(**role)))
        .filter_map(|role| resolved.seat(*role).cloned());
    Asked {
        seats: bench.iter().cloned().chain(others).collect(),
        cost_limit: resolved.limits.cost_per_run,
        self_preference: match &resolved.self_preference {
            Some(SelfPreference::Possible { judge, writer, .. }) => Some(format!(
                "possible: {judge} may be of the family of {writer}"
            )),
            _ => None,
        },
    }
}
