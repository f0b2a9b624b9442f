//! A run as it stands, made again from its record without a model: the texts, what was said
//! about them, and what limits it. Of the runs that were looked at last it is kept.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use redraft_engine::journal::Recorded;
use redraft_engine::replay::{self, SoFar};
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Inspect;
use redraft_gate::score::Score;
use redraft_report::html::{DocumentInput, PlacedFinding, RunData, Source, Thresholds};
use redraft_report::sentences;
use redraft_run::ask::Budget;
use redraft_run::forecast::Measure;
use redraft_run::route::estimate;
use redraft_run::run::{Decision, ReviewCase, Run, Step};
use redraft_run::setup::Setup;
use redraft_run::token_estimate::usual_tokens;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::App;
use super::problem::Problem;
use crate::store::{RunInfo, RunState};

/// What a run may use, and what it has used.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub(super) struct RunBudgets {
    /// The most rounds of repair.
    pub(super) rounds: u32,
    /// How often one component may be edited.
    pub(super) edits_per_component: u32,
    /// Tokens of all budgets together.
    pub(super) tokens: Option<u64>,
    /// Millionths of a dollar.
    pub(super) cost_micros: Option<u64>,
    /// Tokens by budget: judging, repair, writing.
    pub(super) budgets: BTreeMap<&'static str, Budgeted>,
    /// Tokens that writing the text again would take, by our estimate.
    pub(super) rewriting: u64,
}

/// Tokens of a budget.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(super) struct Budgeted {
    pub(super) used: u64,
    pub(super) limit: u64,
}

/// See the module.
pub(super) struct Shown {
    pub(super) before: Arc<Inspected>,
    pub(super) after: Arc<Inspected>,
    pub(super) inspector: Arc<dyn Inspect>,
    pub(super) data: RunData,
    pub(super) source: Source,
    pub(super) because: Option<String>,
    pub(super) thresholds: Thresholds,
    pub(super) findings: Vec<PlacedFinding>,
    /// The models by role.
    pub(super) models: BTreeMap<String, String>,
    pub(super) budgets: RunBudgets,
    /// Why not even a reviewer can accept it, and why it cannot be changed.
    pub(super) cannot: [Option<&'static str>; 2],
}

impl Shown {
    pub(super) fn input(&self) -> DocumentInput<'_> {
        DocumentInput {
            source: self.source,
            data: self.data.clone(),
            because: self.because.clone(),
            before: Some(&self.before.document),
            after: Some(&self.after.document),
            findings: self.findings.clone(),
            thresholds: self.thresholds,
            ..DocumentInput::default()
        }
    }
}

/// The runs that were looked at last.
#[derive(Default)]
pub(super) struct Cache(Mutex<VecDeque<(Key, Arc<Shown>)>>);

/// A run does not change while it has as many events and the same state.
type Key = (String, i64, RunState, i64);

/// How many are kept.
const KEPT: usize = 8;

impl Cache {
    fn get(&self, key: &Key) -> Option<Arc<Shown>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(other, _)| other == key)?;
        let found = kept.remove(at)?;
        let shown = Arc::clone(&found.1);
        kept.push_front(found);
        Some(shown)
    }

    fn put(&self, key: Key, shown: &Arc<Shown>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(other, _)| other.0 != key.0);
        kept.push_front((key, Arc::clone(shown)));
        kept.truncate(KEPT);
    }
}

/// The run as it stands.
pub(super) async fn shown(app: &App, info: &RunInfo) -> Result<Arc<Shown>, Problem> {
    let key = (info.run.clone(), info.events, info.state, info.updated);
    if let Some(shown) = app.0.shown.get(&key) {
        return Ok(shown);
    }
    let stored = app.store().recorded(&info.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let workshop = Arc::clone(&app.parts().workshop);
    let name = info.name.clone();
    let made = tokio::task::spawn_blocking(move || {
        let run = workshop.machine(&stored.header, &blobs)?;
        make(run, &stored.recorded, &name)
    });
    let shown = Arc::new(made.await.map_err(|error| Problem::internal(&error))??);
    app.0.shown.put(key, &shown);
    Ok(shown)
}

fn make(mut run: Run, recorded: &Recorded, name: &str) -> Result<Shown, Problem> {
    let so_far = replay::so_far(&mut run, recorded).map_err(|error| Problem::internal(&error))?;
    let setup = run.setup();
    let (before, inspector) = (Arc::clone(&setup.inspected), Arc::clone(&setup.inspector));
    let (thresholds, models) = (thresholds(setup), models(setup));
    let (id, profile) = (setup.id.clone(), setup.profile.id().0.to_owned());
    let budgets = budgets(&run, &before);
    let (value, source, because, text, cannot) = match &so_far {
        SoFar::Done(outcome) => (
            serde_json::to_value(outcome).map_err(|error| Problem::internal(&error))?,
            Source::Run,
            outcome.because.as_ref().map(sentences::because),
            outcome.final_content.clone(),
            [None, None],
        ),
        SoFar::Review(case) => (
            of_case(&mut run, case, recorded)?,
            Source::Unfinished,
            Some(sentences::because(&case.because)),
            Some(case.content.as_bytes().to_vec()),
            [case.cannot_accept, case.cannot_change].map(|why| why.map(sentences::refused)),
        ),
        SoFar::Running => (
            of_events(&run, recorded)?,
            Source::Unfinished,
            None,
            (1..=rounds(recorded))
                .rev()
                .find_map(|round| run.text_after(round)),
            [None, None],
        ),
    };
    let mut data: RunData =
        serde_json::from_value(value).map_err(|error| Problem::internal(&error))?;
    data.path = name.to_owned();
    data.run = id;
    data.profile = profile;
    let after = match text {
        Some(bytes) => Arc::new(inspector.inspect_as(bytes, before.document.form())),
        None => Arc::clone(&before),
    };
    Ok(Shown {
        findings: after.findings.iter().map(PlacedFinding::from).collect(),
        thresholds,
        models,
        budgets,
        because,
        before,
        after,
        inspector,
        data,
        source,
        cannot,
    })
}

/// What a reviewer is shown, in the fields of an outcome: the one that the run would have if
/// it was rejected now, with conflicts, plan and tasks, but for what only an end tells.
fn of_case(run: &mut Run, case: &ReviewCase, recorded: &Recorded) -> Result<Value, Problem> {
    let now = recorded.inputs.last().map(|input| input.at);
    let left = Decision::Reject { by: String::new() };
    run.handle_decision(now.unwrap_or_default(), &left);
    let internal = |error: &dyn std::fmt::Display| Problem::internal(&error.to_string());
    let mut value = match run.next_step().map_err(|error| internal(&error))? {
        Step::Done(outcome) => serde_json::to_value(outcome),
        _ => Ok(json!({})),
    }
    .map_err(|error| internal(&error))?;
    if let Some(fields) = value.as_object_mut() {
        for of_the_end in [
            "status",
            "decided_by",
            "receipts",
            "final_content",
            "because",
        ] {
            fields.remove(of_the_end);
        }
    }
    let made = || {
        Ok([
            ("score", serde_json::to_value(&case.assessment)?),
            ("verdicts", serde_json::to_value(&case.verdicts)?),
            ("unresolved_issues", serde_json::to_value(&case.issues)?),
            ("spent", serde_json::to_value(&case.spent)?),
        ])
    };
    for (name, field) in made().map_err(|error: serde_json::Error| internal(&error))? {
        value[name] = field;
    }
    for (name, field) in [
        ("agreement", agreement(recorded)),
        ("iterations", iterations(recorded).into()),
    ] {
        if value[name].is_null() {
            value[name] = field;
        }
    }
    Ok(value)
}

/// What is known of a run that goes on.
fn of_events(run: &Run, recorded: &Recorded) -> Result<Value, Problem> {
    let spent = serde_json::to_value(run.ledger().spent());
    Ok(json!({
        "spent": spent.map_err(|error| Problem::internal(&error))?,
        "iterations": iterations(recorded),
    }))
}

fn of_kind<'r>(
    recorded: &'r Recorded,
    kind: &'r str,
) -> impl DoubleEndedIterator<Item = &'r Value> {
    recorded
        .events
        .iter()
        .filter(move |event| event["event"] == kind)
}

fn rounds(recorded: &Recorded) -> u32 {
    let last = of_kind(recorded, "refinement_start").next_back();
    let round = last.and_then(|event| event["iteration"].as_u64());
    u32::try_from(round.unwrap_or_default()).unwrap_or_default()
}

fn agreement(recorded: &Recorded) -> Value {
    let last = of_kind(recorded, "arbiter_consolidation").next_back();
    last.map_or(
        Value::Null,
        |event| json!({"level": event["agreement"], "alpha": event["alpha"]}),
    )
}

/// The text that came in and the rounds that are over. The first round tells how far it is
/// from the score before.
fn iterations(recorded: &Recorded) -> Vec<Value> {
    let mut rounds = of_kind(recorded, "iteration_complete").peekable();
    let before = rounds.peek().and_then(|first| {
        let delta = first["score_delta"].as_f64()? / 1_000.0;
        Some(json!({"iteration": 0, "score": first["score"].as_f64()? - delta}))
    });
    let rounds =
        rounds.map(|event| json!({"iteration": event["iteration"], "score": event["score"]}));
    before.into_iter().chain(rounds).collect()
}

fn thresholds(setup: &Setup) -> Thresholds {
    let share = |score: Score| f64::from(score.thousandths()) / 1_000.0;
    Thresholds {
        accept: Some(share(setup.policy.accept)),
        good_enough: setup
            .policy
            .good_enough
            .as_ref()
            .map(|enough| share(enough.from)),
    }
}

fn models(setup: &Setup) -> BTreeMap<String, String> {
    let seats = setup.seats.iter();
    seats
        .filter_map(|seat| {
            let model = seat.models.first()?;
            Some((seat.role.name().to_owned(), model.name()))
        })
        .collect()
}

fn budgets(run: &Run, before: &Inspected) -> RunBudgets {
    let (setup, ledger) = (run.setup(), run.ledger());
    let limits = ledger.limits();
    let all = [
        ("judging", Budget::Judging, limits.judging),
        ("repair", Budget::Repair, limits.repair),
        ("writing", Budget::Writing, limits.writing),
    ];
    RunBudgets {
        rounds: setup.policy.repair.iterations,
        edits_per_component: setup.policy.repair.edits_per_component,
        tokens: limits.total,
        cost_micros: limits.cost,
        budgets: all
            .into_iter()
            .map(|(name, budget, limit)| {
                let used = ledger.committed_to(budget);
                (name, Budgeted { used, limit })
            })
            .collect(),
        rewriting: rewriting(setup, before),
    }
}

/// Tokens that writing every component again would take, by our estimate.
fn rewriting(setup: &Setup, before: &Inspected) -> u64 {
    let document = &before.document;
    let measure = Measure {
        profile: setup.profile,
        document,
        companions: &setup.companions,
        rubric: &setup.rubric,
        count: &usual_tokens,
        asked: (setup.policy.repair.edit_form(), setup.policy.repair.delta),
    };
    let overheads = measure.repair().unwrap_or_default();
    let parts = document.components().iter();
    let top = parts.filter(|part| part.parent == Some(0));
    top.map(|part| {
        let text = document.source().text().get(part.range.clone());
        let size = usual_tokens(text.unwrap_or_default());
        estimate::expand(size, 0, &overheads).total()
    })
    .sum()
}
