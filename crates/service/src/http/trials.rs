//! Trying settings before they are used: which past runs would have ended otherwise, by
//! deciding them again from their records, and how the judges do in their test.

use std::sync::{Arc, Mutex, TryLockError};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use redraft_engine::replay::{self, Replayed};
use redraft_run::assess::Assessment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, json};
use super::problem::Problem;
use super::settings;
use crate::store::{Caller, Filter, RunInfo, RunState, Settings};
use crate::workshop::{JudgeTestInfo, ModelInfo, ProfileDefaults};

/// How many past runs are decided again, the latest first.
const MOST: i64 = 100;

/// What other settings would have made of past runs.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct SettingsPreview {
    /// How many past runs were decided again.
    looked_at: usize,
    /// How many of them cannot be decided again from their records.
    unknown: usize,
    /// Those that would have ended otherwise.
    changed: Vec<ChangedRun>,
}

/// A past run that would have ended otherwise.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ChangedRun {
    run: String,
    name: String,
    /// What became of the text.
    before: Option<String>,
    after: String,
    /// The score under the other settings, in thousandths.
    score: Option<u16>,
}

pub(super) async fn preview(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(settings): Json<Settings>,
) -> Result<Response, Problem> {
    settings::check(&app, &settings)?;
    let settings = Arc::new(settings);
    let filter = Filter {
        state: Some(RunState::Done),
        limit: MOST,
        ..Filter::default()
    };
    let runs = app.store().list(&caller.tenant, &filter).await?.runs;
    let mut preview = SettingsPreview {
        looked_at: 0,
        unknown: 0,
        changed: Vec::new(),
    };
    let judged = |run: &RunInfo| ["judge", "refine"].contains(&run.goal.as_str());
    for run in runs.into_iter().filter(judged) {
        preview.looked_at += 1;
        match decided_again(&app, &run, &settings).await? {
            None => preview.unknown += 1,
            Some((status, _)) if run.status.as_deref() == Some(status) => {}
            Some((status, score)) => preview.changed.push(ChangedRun {
                run: run.run,
                name: run.name,
                before: run.status,
                after: status.to_owned(),
                score,
            }),
        }
    }
    json(&preview)
}

type Decided = (&'static str, Option<u16>);

/// What becomes of a run under other settings; `None` where that is unknown.
async fn decided_again(
    app: &App,
    run: &RunInfo,
    settings: &Arc<Settings>,
) -> Result<Option<Decided>, Problem> {
    let stored = app.store().recorded(&run.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let (workshop, settings) = (Arc::clone(&app.parts().workshop), Arc::clone(settings));
    let decided = tokio::task::spawn_blocking(move || {
        // One past run that cannot be set up or replayed says nothing about the others.
        let run = workshop.machine_under(&stored.header, &blobs, &settings);
        let (replayed, _) = replay::what_if(run.ok()?, &stored.recorded).ok()?;
        match replayed {
            Replayed::Outcome(outcome) => {
                let score = outcome.score.as_ref().map(Assessment::overall);
                let score = score.map(redraft_gate::score::Score::thousandths);
                Some((outcome.status.name(), score))
            }
            Replayed::EndsAt { .. } => None,
        }
    });
    decided.await.map_err(|error| Problem::internal(&error))
}

/// What holds where a tenant has set nothing.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Defaults {
    defaults: Vec<ProfileDefaults>,
}

pub(super) async fn defaults(State(app): State<App>) -> Result<Response, Problem> {
    let workshop = Arc::clone(&app.parts().workshop);
    let found = tokio::task::spawn_blocking(move || workshop.defaults()).await;
    let defaults = found.map_err(|error| Problem::internal(&error))??;
    json(&Defaults { defaults })
}

/// The models of the service.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Models {
    models: Vec<ModelInfo>,
    /// The names that `models` of the settings may have.
    offered: Vec<String>,
}

pub(super) async fn models(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
) -> Result<Response, Problem> {
    let settings = app.store().settings(&caller.tenant).await?;
    let workshop = Arc::clone(&app.parts().workshop);
    let found = tokio::task::spawn_blocking(move || workshop.models(&settings)).await;
    let (models, offered) = found.map_err(|error| Problem::internal(&error))??;
    json(&Models { models, offered })
}

/// Which judges are tested.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestBody {
    /// The kind of content that they judge, such as `lesson`.
    profile: String,
}

/// How the judges did.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct JudgeTests {
    tests: Vec<JudgeTestInfo>,
}

/// Asks every judge about pairs of good and bad texts, which costs what its calls cost.
pub(super) async fn test(
    State(app): State<App>,
    Json(body): Json<TestBody>,
) -> Result<Response, Problem> {
    /// One test at a time: whoever clicks again pays nothing.
    static TESTING: Mutex<()> = Mutex::new(());
    let workshop = Arc::clone(&app.parts().workshop);
    let tested = tokio::task::spawn_blocking(move || {
        let _testing = match TESTING.try_lock() {
            Ok(testing) => testing,
            Err(TryLockError::Poisoned(after_a_panic)) => after_a_panic.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let busy = "the judges are being tested; wait for the result";
                return Err(Problem::conflict(busy));
            }
        };
        Ok::<_, Problem>(workshop.test_judges(&body.profile)?)
    });
    let tests = tested.await.map_err(|error| Problem::internal(&error))??;
    json(&JudgeTests { tests })
}
