//! Shared fixtures: a lesson, a clock that jumps, a model that counts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use redraft_engine::clock::{BoxFuture, Clock};
use redraft_engine::driver::{self, DriveError, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Hashes, Header, Journal, Recorded, VERSION};
use redraft_engine::model::Model;
use redraft_engine::model::scripted::ScriptedModel;
use redraft_gate::companion::Companions;
use redraft_gate::examine::Settings;
use redraft_gate::inspect::{Inspect as _, Reader};
use redraft_gate::reading::Hint;
use redraft_gate::review;
use redraft_profiles::registry;
use redraft_run::ask::{Ask, AskId, CallFailure, Reply, Role, Time};
use redraft_run::event::Event;
use redraft_run::outcome::Outcome;
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::{Goal, Seat, Setup, SpendingLimits};

pub(crate) const LESSON: &str = "# Boiling water\n\nThis lesson is about what happens in a kettle.\n\n## Heat\n\nThe plate under the kettle gets hot, and the water takes the heat up until it boils.\n\n## Steam\n\nBubbles of steam rise from the bottom and burst at the surface.\n";

pub(crate) const GOOD: &str = r#"
[[reply]]
confidence = "high"
[reply.scores]
learning_objective_alignment = 0.9
pedagogical_structure = 0.9
factual_accuracy = 0.9
clarity_readability = 0.9
engagement_examples = 0.9
completeness = 0.9
"#;

/// A clock that starts at a given time and runs with tokio's paused time: it jumps to the next
/// moment that something waits for.
#[derive(Debug)]
pub(crate) struct PausedClock {
    start: Time,
    began: tokio::time::Instant,
}

impl Clock for PausedClock {
    fn now(&self) -> Time {
        let elapsed = u64::try_from(self.began.elapsed().as_millis()).unwrap();
        self.start.after(elapsed)
    }

    fn sleep_until(&self, time: Time) -> BoxFuture<()> {
        let wait = std::time::Duration::from_millis(time.since(self.now()));
        Box::pin(tokio::time::sleep(wait))
    }
}

/// A model that counts how often each ask is sent.
pub(crate) struct Counting {
    inner: ScriptedModel,
    pub(crate) asked: Mutex<BTreeMap<AskId, usize>>,
}

impl Model for Counting {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        *self
            .asked
            .lock()
            .unwrap()
            .entry(ask.id.clone())
            .or_default() += 1;
        self.inner.ask(ask)
    }
}

pub(crate) fn seat(role: Role, models: &[&str]) -> Seat {
    Seat {
        role,
        weight: 1,
        models: models
            .iter()
            .map(|name| ScriptedModel::settings(name))
            .collect(),
        contexts: BTreeMap::new(),
    }
}

pub(crate) fn setup(seats: Vec<Seat>, mode: Mode) -> Setup {
    setup_of(LESSON, seats, mode)
}

pub(crate) fn setup_of(text: &str, seats: Vec<Seat>, mode: Mode) -> Setup {
    setup_about(&Subject::of("lesson", text, Hint::Markdown), seats, mode)
}

/// The input of a run.
pub(crate) struct Subject<'a> {
    pub(crate) profile: &'a str,
    pub(crate) text: &'a str,
    pub(crate) hint: Hint,
    pub(crate) companions: Companions,
}

impl<'a> Subject<'a> {
    /// A text without companions.
    pub(crate) fn of(profile: &'a str, text: &'a str, hint: Hint) -> Self {
        Self {
            profile,
            text,
            hint,
            companions: Companions::default(),
        }
    }
}

/// A run that judges a text under the defaults of its profile.
pub(crate) fn setup_about(subject: &Subject<'_>, seats: Vec<Seat>, mode: Mode) -> Setup {
    let profile = registry::profile(subject.profile).unwrap();
    let companions = Arc::new(subject.companions.clone());
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::clone(&companions),
        hint: subject.hint,
    };
    let inspected = reader.inspect(subject.text.as_bytes().to_vec());
    Setup {
        id: "test".to_owned(),
        goal: Goal::Judge,
        profile,
        self_review: review::review(&inspected.findings, &inspected.findings),
        inspector: Arc::new(reader),
        inspected: Arc::new(inspected),
        companions,
        rubric: profile.rubric().clone(),
        policy: profile.decision(mode).clone(),
        mode,
        seats,
        unnamed: std::collections::BTreeSet::new(),
        feedback_language: None,
        limits: SpendingLimits::default(),
        require_judged: false,
        self_preference: None,
        models: redraft_run::setup::KnownModels::default(),
    }
}

pub(crate) fn header() -> Header {
    Header {
        journal: VERSION,
        run: "test".to_owned(),
        program: "test".to_owned(),
        started: Time(0),
        hashes: Hashes::default(),
        setup: serde_json::Value::Null,
    }
}

/// The result of a driven run.
pub(crate) struct Driven {
    pub(crate) result: Result<Outcome, DriveError>,
    pub(crate) events: Vec<Event>,
    pub(crate) asked: BTreeMap<AskId, usize>,
}

/// Drives a run with a script. `recorded` is the content of the journal if the run is resumed.
pub(crate) fn drive(setup: Setup, script: &str, journal: Journal, recorded: Recorded) -> Driven {
    let latest = recorded.inputs.iter().map(|input| input.at).max();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let _entered = runtime.enter();
    let clock = Arc::new(PausedClock {
        start: latest.unwrap_or_default(),
        began: tokio::time::Instant::now(),
    });
    let model = Arc::new(Counting {
        inner: ScriptedModel::new(script, clock.clone()).unwrap(),
        asked: Mutex::default(),
    });
    let context = DriverContext {
        model: model.clone(),
        clock,
        human: Arc::new(Unattended),
        in_flight: 4,
        patchers_in_flight: PATCHERS_IN_FLIGHT,
    };
    let mut events = Vec::new();
    let result = runtime.block_on(driver::drive(
        Run::new(setup, Time(0)),
        journal,
        recorded,
        &context,
        &mut |event: &Event| events.push(event.clone()),
        std::future::pending(),
    ));
    let asked = model.asked.lock().unwrap().clone();
    Driven {
        result,
        events,
        asked,
    }
}

/// Drives a run from the start, with a journal in this folder.
pub(crate) fn fresh(folder: &Path, setup: Setup, script: &str) -> Driven {
    let journal = Journal::create(&folder.join("run.jsonl"), &header()).unwrap();
    drive(setup, script, journal, Recorded::default())
}

pub(crate) fn one_judge() -> Vec<Seat> {
    vec![seat(Role::JudgeSecondary, &["judge"])]
}

/// Three judges, including that of [`one`].
pub(crate) fn three_judges() -> Vec<Seat> {
    vec![
        seat(Role::JudgePrimary, &["a"]),
        seat(Role::JudgeSecondary, &["judge"]),
        seat(Role::JudgeTiebreaker, &["c"]),
    ]
}

/// One search/replace block, as a patcher or smoother writes it.
pub(crate) fn block(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE")
}
