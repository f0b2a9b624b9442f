//! The three review nodes of seed 004 and their router, for a pipeline that has its own
//! graph: each takes the state of the pipeline and gives it back with what it adds. Other
//! fields of the state come back as they were.
//!
//! | node | does | adds |
//! |---|---|---|
//! | `validation-check` | the free checks | `validationResult` |
//! | `quality-score` | a run that judges | an entry of `reviewHistory` |
//! | `self-correction` | a run with one round of repair | the corrected item, an entry, and one more cycle |
//!
//! | the last score | cycle | the router says |
//! |---|---|---|
//! | passes | any | `format_output` |
//! | fails, or is missing | at the last one | `human_review` |
//! | fails, or is missing | before | `self_correction` |
//!
//! The same state gives the same run, so that a repeated call is not paid twice.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use redraft_profiles::registry;
use redraft_run::policy::Mode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::App;
use super::body::{Json, json as json_answer};
use super::problem::Problem;
use super::results;
use super::runs::{Submission, Submitted, of_caller, prepare};
use crate::hex;
use crate::store::{Caller, Created, RunInfo, RunState};
use crate::worker::now;
use crate::workshop::{Order, OrderGoal};

/// What items are read as, unless the state says so.
const PROFILE: &str = "clinical-mcq";
/// How long a node waits for its run; then the answer is the address of the run.
const PATIENCE: Duration = Duration::from_secs(50);
const LOOK: Duration = Duration::from_millis(100);

/// The state of a pipeline that makes items.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PipelineState {
    /// The item. Its fields may also stand in the state itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<Value>,
    #[serde(default)]
    review_history: Vec<Value>,
    /// From 1.
    #[serde(default = "first")]
    current_review_cycle: u32,
    #[serde(default)]
    final_status: FinalStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    validation_result: Option<Value>,
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "crate::object::read_or_null"
    )]
    config: Option<ReviewConfig>,
    /// Other fields, which come back as they were.
    #[serde(flatten)]
    rest: Map<String, Value>,
}

fn first() -> u32 {
    1
}

/// What became of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FinalStatus {
    Passed,
    Corrected,
    NeedsHumanReview,
    #[default]
    Pending,
}

/// What differs from the settings of the tenant and the operator.
#[derive(Clone, Debug, Default, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ReviewConfig {
    /// The composite score from which an item passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    quality_threshold: Option<f64>,
    /// How often an item is corrected at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_correction_loops: Option<u32>,
    /// Weight by dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dimension_weights: Option<BTreeMap<String, f64>>,
}

/// Where an item goes next.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Routed {
    next: Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Next {
    FormatOutput,
    SelfCorrection,
    HumanReview,
}

pub(super) async fn route(Json(state): Json<PipelineState>) -> Result<Response, Problem> {
    state.check()?;
    json_answer(&Routed { next: state.next() })
}

pub(super) async fn validate(
    State(app): State<App>,
    Json(mut state): Json<PipelineState>,
) -> Result<Response, Problem> {
    let order = state.order(OrderGoal::Check)?;
    let workshop = std::sync::Arc::clone(&app.parts().workshop);
    let checked = tokio::task::spawn_blocking(move || workshop.check(&order)).await;
    let report = checked.map_err(|error| Problem::internal(&error))??;
    let Some(result) = report.pointer("/seed/validation_result") else {
        return Err(Problem::invalid("question: expected one item"));
    };
    state.validation_result = Some(result.clone());
    json_answer(&state)
}

pub(super) async fn score(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(mut state): Json<PipelineState>,
) -> Result<Response, Problem> {
    let order = state.order(OrderGoal::Judge)?;
    let info = match finished(&app, &caller, &state, &order).await? {
        NodeRun::Over(info) => info,
        NodeRun::Later(answer) => return Ok(answer),
    };
    let review = review(&app, &info).await?;
    let Some(mut entry) = review.last().cloned() else {
        return Err(Problem::internal(&"a judged item has no review"));
    };
    entry["cycle"] = state.current_review_cycle.into();
    state.validation_result = Some(entry["validationResult"].clone());
    state.review_history.push(entry);
    state.settle();
    json_answer(&state)
}

pub(super) async fn correct(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Json(mut state): Json<PipelineState>,
) -> Result<Response, Problem> {
    let order = state.order(OrderGoal::Refine)?;
    let info = match finished(&app, &caller, &state, &order).await? {
        NodeRun::Over(info) => info,
        NodeRun::Later(answer) => return Ok(answer),
    };
    let review = review(&app, &info).await?;
    let Some(mut entry) = review.last().cloned() else {
        return Err(Problem::internal(&"a corrected item has no review"));
    };
    // The entry of the review that led to the correction says what was done.
    let tried = review.iter().find(|one| !one["feedback"].is_null());
    if let Some(tried) = tried {
        for name in [
            "correctionApplied",
            "correctionTarget",
            "correctionOutcome",
            "feedback",
            "undoneBecause",
        ] {
            if let Some(value) = tried.get(name) {
                entry[name] = value.clone();
            }
        }
    }
    let text = results::version(&app, &info, "final").await?;
    let question = serde_json::from_slice(&text).map_err(|error| Problem::internal(&error))?;
    state.put(question);
    state.current_review_cycle = state.current_review_cycle.saturating_add(1);
    entry["cycle"] = state.current_review_cycle.into();
    state.validation_result = Some(entry["validationResult"].clone());
    state.review_history.push(entry);
    state.settle();
    json_answer(&state)
}

impl PipelineState {
    fn item(&self) -> Value {
        match &self.question {
            Some(question) => question.clone(),
            None => Value::Object(self.rest.clone()),
        }
    }

    /// Replaces the item where it stands.
    fn put(&mut self, item: Value) {
        match (&mut self.question, item) {
            (Some(question), item) => *question = item,
            (None, Value::Object(fields)) => self.rest.extend(fields),
            (None, item) => self.question = Some(item),
        }
    }

    fn check(&self) -> Result<(), Problem> {
        let threshold = self.config.as_ref().and_then(|it| it.quality_threshold);
        if threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            return Err(Problem::invalid(
                "config.qualityThreshold: expected a number from 0 to 1",
            ));
        }
        Ok(())
    }

    fn order(&self, goal: OrderGoal) -> Result<Order, Problem> {
        self.check()?;
        let item = self.item();
        if item.as_object().is_none_or(Map::is_empty) {
            return Err(Problem::invalid(
                "question: missing; send the item as `question`, or its fields in the state",
            ));
        }
        let config = self.config.clone().unwrap_or_default();
        let mut policy = Map::new();
        if let Some(threshold) = config.quality_threshold {
            policy.insert("accept".to_owned(), threshold.into());
        }
        if goal == OrderGoal::Refine {
            policy.insert("repair".to_owned(), json!({"iterations": 1}));
        }
        Ok(Order {
            document: item.to_string(),
            name: Some("question.json".to_owned()),
            goal,
            profile: Some(PROFILE.to_owned()),
            policy: (!policy.is_empty()).then_some(policy),
            ..Order::default()
        })
    }

    fn next(&self) -> Next {
        let score = self.review_history.last();
        let passes = score.and_then(|entry| entry.pointer("/qualityScore/passesThreshold"));
        if passes == Some(&Value::Bool(true)) {
            return Next::FormatOutput;
        }
        let most = self.config.as_ref().and_then(|it| it.max_correction_loops);
        let most = most.or_else(|| {
            let profile = registry::profile(PROFILE)?;
            Some(profile.decision(Mode::FullAuto).repair.iterations)
        });
        if self.current_review_cycle > most.unwrap_or_default() {
            Next::HumanReview
        } else {
            Next::SelfCorrection
        }
    }

    fn settle(&mut self) {
        let is_corrected = |entry: &Value| entry["correctionApplied"] == true;
        self.final_status = match self.next() {
            Next::FormatOutput if self.review_history.iter().any(is_corrected) => {
                FinalStatus::Corrected
            }
            Next::FormatOutput => FinalStatus::Passed,
            Next::HumanReview => FinalStatus::NeedsHumanReview,
            Next::SelfCorrection => FinalStatus::Pending,
        };
    }
}

/// How far the run of a node is.
enum NodeRun {
    Over(Box<RunInfo>),
    /// The answer that says where to look later.
    Later(Response),
}

/// Waits a while for the run of a node.
async fn finished(
    app: &App,
    caller: &Caller,
    state: &PipelineState,
    order: &Order,
) -> Result<NodeRun, Problem> {
    let mut settings = app.store().settings(&caller.tenant).await?;
    let config = state.config.as_ref();
    if let Some(weights) = config.and_then(|config| config.dimension_weights.clone()) {
        settings.weights.extend(weights);
    }
    app.parts().workshop.check_settings(&settings)?;
    let text = serde_json::to_string(state).map_err(|error| Problem::internal(&error))?;
    let key = hex::sha256(format!("{} {text}", order.goal.name()).as_bytes());
    let submission = Submission {
        order: order.clone(),
        key: Some(format!("node {key}")),
        within: None,
    };
    let runs = prepare(app, caller, settings, vec![submission]).await?;
    let created = app.store().create(runs, now()).await?;
    let run = match created.into_iter().next() {
        Some(Created::New(run) | Created::Known(run)) => run,
        Some(Created::Conflict) | None => {
            return Err(Problem::conflict(
                "the settings have changed since this state was last sent; add a field to distinguish the two",
            ));
        }
    };
    app.parts().wake.notify_one();
    let give_up = Instant::now() + PATIENCE;
    loop {
        let info = of_caller(app, caller, &run).await?;
        match info.state {
            RunState::Done => return Ok(NodeRun::Over(Box::new(info))),
            RunState::Failed | RunState::Cancelled => {
                return Err(Problem::conflict(format!(
                    "run {run} is {}; GET /v1/runs/{run} says why",
                    info.state.name()
                )));
            }
            // The pipeline has a way to a person of its own.
            RunState::Waiting => {
                let stopped = app.store().stop(&caller.tenant, &run, &caller.name, now());
                stopped.await?;
                app.parts().wake.notify_one();
            }
            RunState::Queued | RunState::Running if Instant::now() >= give_up => {
                let url = format!("/v1/runs/{run}");
                let mut response = json_answer(&Submitted { run, url })?;
                *response.status_mut() = StatusCode::ACCEPTED;
                return Ok(NodeRun::Later(response));
            }
            RunState::Queued | RunState::Running => tokio::time::sleep(LOOK).await,
        }
    }
}

/// The review history of a run, in the shape of the seed.
async fn review(app: &App, info: &RunInfo) -> Result<Vec<Value>, Problem> {
    let shapes = results::seed(app, info).await?;
    let history = shapes.pointer("/review_history/reviewHistory");
    Ok(history
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default())
}
