//! Who answers a session's asks: a script, or the models of the configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use redraft_core::ask::Role;
use redraft_core::run::{Goal, Seat};
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::model::Model;
use redraft_engine::model::connection::Connection;
use redraft_engine::model::recording::Recording;
use redraft_engine::model::scripted::ScriptedModel;
use redraft_text::language::Language;

use super::options::CommonOptions;
use crate::config::{Complaint, Config};
use crate::models::{Resolved, SelfPreference, Surroundings, connect, names, resolve};

/// Whoever answers.
pub(super) struct Staff {
    /// The door to all of them.
    pub(super) model: Arc<dyn Model>,
    seats: Seats,
}

enum Seats {
    Fixed(Vec<Seat>),
    Configured {
        config: Box<Config>,
        path: Option<PathBuf>,
    },
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
            seats: Seats::Fixed(seats),
        })
    }

    fn configured(common: &CommonOptions) -> anyhow::Result<Option<Self>> {
        let here = std::env::current_dir().unwrap_or_default();
        let path = Config::path(common.config.as_deref(), &here);
        let config = match &path {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                let root = path.parent().map(Path::to_owned).unwrap_or_default();
                Config::parse(&text, root).with_context(|| path.display().to_string())?
            }
            None => Config::default(),
        };
        let around = Surroundings::of_this_process();
        let resolved = resolve(&config, &around, None)
            .map_err(|complaint| in_file(complaint, path.as_deref()))?;
        if !resolved.has_models() {
            return Ok(None);
        }
        // One door for all languages, so that the limits of the process hold.
        let mut connections: BTreeMap<String, Connection> = BTreeMap::new();
        for language in std::iter::once(None).chain(config.languages().into_iter().map(Some)) {
            let here = resolve(&config, &around, language)
                .map_err(|complaint| in_file(complaint, path.as_deref()))?;
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
                path,
            },
        }))
    }

    /// The same, with what is asked and answered added to a file; or answered from
    /// such a file, without asking anybody.
    pub(super) fn recorded(
        staff: Option<Self>,
        record: Option<&PathBuf>,
        play: Option<&PathBuf>,
    ) -> anyhow::Result<Option<Self>> {
        if let Some(path) = play {
            let recording = Recording::play(path)?;
            let seats = recording
                .models()
                .into_iter()
                .map(|(role, models)| Seat {
                    role,
                    weight: 1,
                    models,
                    contexts: BTreeMap::new(),
                })
                .collect();
            return Ok(Some(Self {
                seats: match staff {
                    Some(staff) => staff.seats,
                    None => Seats::Fixed(seats),
                },
                model: Arc::new(recording),
            }));
        }
        match (staff, record) {
            (Some(staff), Some(path)) => Ok(Some(Self {
                model: Arc::new(Recording::record(path, staff.model)?),
                seats: staff.seats,
            })),
            (staff, _) => Ok(staff),
        }
    }

    /// Nobody: for what is free.
    pub(super) fn nobody() -> anyhow::Result<Self> {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        Ok(Self {
            model: Arc::new(ScriptedModel::new("reply = []", clock)?),
            seats: Seats::Fixed(Vec::new()),
        })
    }

    /// Who is asked about a document in this language.
    pub(super) fn asked(&self, goal: Goal, language: Option<&Language>) -> anyhow::Result<Asked> {
        match &self.seats {
            Seats::Fixed(seats) => Ok(Asked {
                seats: seats.clone(),
                ..Asked::default()
            }),
            Seats::Configured { config, path } => {
                let around = Surroundings::of_this_process();
                let resolved = resolve(config, &around, language.copied())
                    .map_err(|complaint| in_file(complaint, path.as_deref()))?;
                resolved
                    .require(roles(goal))
                    .map_err(|complaint| in_file(complaint, path.as_deref()))?;
                Ok(of(&resolved, goal))
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

fn of(resolved: &Resolved, goal: Goal) -> Asked {
    let bench = resolved.bench();
    let others = roles(goal)
        .iter()
        .filter(|role| !names::JUDGES.contains(role))
        .chain(
            further_roles(goal)
                .iter()
                .filter(|role| resolved.require(&[**role]).is_ok()),
        )
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

fn in_file(complaint: Complaint, path: Option<&Path>) -> anyhow::Error {
    match path {
        Some(path) => anyhow!(complaint).context(path.display().to_string()),
        None => anyhow!(complaint),
    }
}
