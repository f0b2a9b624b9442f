//! Shared fixtures for cards and items: whole refinements that record every question, and the
//! invariants of all of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use redraft_engine::clock::{BoxFuture, SystemClock};
use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::Model;
use redraft_engine::model::scripted::ScriptedModel;
use redraft_gate::companion::Companions;
use redraft_gate::reading::Hint;
use redraft_gate::receipt;
use redraft_gate::review;
use redraft_run::ask::{Ask, CallFailure, Reply, Role};
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::{Goal, Seat, Setup};

use crate::fixtures::{Subject, header, seat, setup_about};

/// One judge, and the roles that repair.
pub(crate) fn everybody() -> Vec<Seat> {
    vec![
        seat(Role::JudgeSecondary, &["judge"]),
        seat(Role::Patcher, &["patcher"]),
        seat(Role::SectionExpander, &["expander"]),
        seat(Role::DeltaJudge, &["delta"]),
    ]
}

/// The refinement of a text under its profile's defaults.
pub(crate) fn refinement(profile: &str, text: &str) -> Setup {
    refinement_beside(profile, text, Companions::default())
}

/// The same with companions.
pub(crate) fn refinement_beside(profile: &str, text: &str, companions: Companions) -> Setup {
    let subject = Subject {
        companions,
        ..Subject::of(profile, text, Hint::Json)
    };
    let setup = setup_about(&subject, everybody(), Mode::FullAuto);
    let fixed = setup.inspector.fix(text.as_bytes().to_vec()).unwrap();
    Setup {
        goal: Goal::Refine,
        self_review: review::review(&setup.inspected.findings, &fixed.inspected.findings),
        ..setup
    }
}

/// A model that records every question.
struct AskLog {
    inner: ScriptedModel,
    asks: Mutex<Vec<Ask>>,
}

impl Model for AskLog {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        self.asks.lock().unwrap().push(ask.clone());
        self.inner.ask(ask)
    }
}

/// The result of a refinement.
pub(crate) struct Refined {
    pub(crate) outcome: Outcome,
    pub(crate) events: Vec<Event>,
    pub(crate) asks: Vec<Ask>,
}

impl Refined {
    /// The ids of all questions, without their tries.
    pub(crate) fn asked(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .asks
            .iter()
            .map(|ask| ask.id.0.rsplit_once('/').unwrap().0.to_owned())
            .collect();
        names.dedup();
        names
    }

    /// The nodes in the order in which they were entered.
    pub(crate) fn nodes(&self) -> Vec<&'static str> {
        self.events
            .iter()
            .filter_map(|event| match event.kind {
                EventKind::NodeEnter { node } => Some(node),
                _ => None,
            })
            .collect()
    }

    /// The final text.
    pub(crate) fn text(&self, before: &str) -> String {
        match &self.outcome.final_content {
            Some(bytes) => String::from_utf8(bytes.clone()).unwrap(),
            None => before.to_owned(),
        }
    }
}

/// Drives a refinement to its end.
pub(crate) fn refined(setup: Setup, script: &str) -> Refined {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::create(&folder.path().join("run.jsonl"), &header()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap();
    let clock = Arc::new(SystemClock);
    let model = Arc::new(AskLog {
        inner: ScriptedModel::new(script, clock.clone()).unwrap(),
        asks: Mutex::default(),
    });
    let context = DriverContext {
        model: model.clone(),
        clock: clock.clone(),
        human: Arc::new(Unattended),
        in_flight: 4,
        patchers_in_flight: PATCHERS_IN_FLIGHT,
    };
    let mut events = Vec::new();
    let now = redraft_engine::clock::Clock::now(clock.as_ref());
    let outcome = runtime
        .block_on(driver::drive(
            Run::new(setup, now),
            journal,
            Recorded::default(),
            &context,
            &mut |event: &Event| events.push(event.clone()),
            std::future::pending(),
        ))
        .unwrap();
    let asks = model.asks.lock().unwrap().clone();
    Refined {
        outcome,
        events,
        asks,
    }
}

/// A scripted judge's issue: criterion, severity, component, quote, description.
pub(crate) type ScriptedIssue<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

/// A judge's verdict in this round and all later ones, unless another follows.
pub(crate) fn verdict(round: u32, scores: &[(&str, f64)], issues: &[ScriptedIssue<'_>]) -> String {
    let mut text = format!(
        "[[reply]]\nrole = \"judge_secondary\"\nround = {round}\nconfidence = \"high\"\n[reply.scores]\n"
    );
    for (name, score) in scores {
        let _ = writeln!(text, "{name} = {score:.3}");
    }
    for (criterion, severity, location, quote, description) in issues {
        let _ = writeln!(
            text,
            "[[reply.issues]]\ncriterion = {criterion:?}\nseverity = {severity:?}\nlocation = {location:?}\nquote = {quote:?}\ndescription = {description:?}\nsuggested_fix = \"Say it rightly: {description}\""
        );
    }
    text
}

/// A patcher's or expander's answer about a component.
pub(crate) fn repair(role: &str, section: &str, text: &str) -> String {
    format!("[[reply]]\nrole = {role:?}\nsection = {section:?}\ntext = '''\n{text}\n'''\n")
}

/// A delta judge that accepts everything.
pub(crate) fn content() -> String {
    let answers: Vec<String> = (1..=20)
        .flat_map(|number| {
            ["issue", "constraint"].map(|kind| {
                format!(r#"{{"id": "{kind}_{number}", "answer": "yes", "reason": "done"}}"#)
            })
        })
        .collect();
    format!(
        "[[reply]]\nrole = \"delta_judge\"\ntext = '''{{\"answers\": [{}]}}'''\n",
        answers.join(", ")
    )
}

/// The invariants of every refinement: nothing but the repaired components changes, every score
/// comes from a judge, and every end has a reason.
pub(crate) fn holds(before: &str, setup: &Setup, refined: &Refined) {
    let outcome = &refined.outcome;
    let after = refined.text(before);
    let receipts = outcome.receipts.as_ref().unwrap();
    let written = serde_json::to_value(receipts).unwrap();
    receipt::verify(&written, before.as_bytes(), after.as_bytes()).unwrap();
    let repaired: BTreeSet<&str> = outcome
        .tasks
        .iter()
        .filter(|task| task.kept)
        .map(|task| task.section_id.0.as_str())
        .collect();
    for edit in &receipts.edits {
        let is_served = edit.tasks.iter().all(|task| {
            // `round 1: patch card_2 (issue_1)`
            let task = task.split(" (").next().unwrap_or_default();
            task == "safe fixes"
                || repaired
                    .iter()
                    .any(|part| task.ends_with(&format!(" {part}")))
        });
        assert!(is_served, "{edit:?} serves none of {repaired:?}");
    }
    let frames: BTreeSet<&str> = receipts
        .components
        .iter()
        .filter_map(|part| part.parent.as_deref())
        .collect();
    let scrubbed = receipts
        .edits
        .iter()
        .any(|edit| edit.tasks.iter().any(|task| task == "safe fixes"));
    for part in &receipts.components {
        let id = part.id.as_str();
        if scrubbed || repaired.contains(id) || frames.contains(id) {
            continue;
        }
        let after = part.after.as_ref().unwrap();
        assert_eq!(
            part.before.sha256, after.sha256,
            "{id} was changed, and nobody repaired it"
        );
    }
    match &outcome.score {
        Some(score) => {
            assert_eq!(score.content(), outcome.content);
            assert!(
                outcome
                    .verdicts
                    .iter()
                    .all(|one| one.content() == outcome.content)
            );
            assert!(!outcome.verdicts.is_empty());
        }
        None => assert!(outcome.unscored.is_some()),
    }
    for iteration in &outcome.iterations {
        assert_eq!(iteration.score.is_some(), iteration.judges > 0);
        assert_eq!(iteration.score.is_none(), iteration.unscored.is_some());
        assert!(iteration.iteration <= setup.policy.repair.iterations);
    }
    let accepted = outcome.status == Status::Accepted;
    assert_eq!(accepted, outcome.because.is_none());
    assert!(accepted || outcome.status == Status::Escalated);
    assert!(!accepted || outcome.open_errors == 0);
    // Nothing is asked twice.
    let names: BTreeSet<&str> = refined.asks.iter().map(|ask| ask.id.0.as_str()).collect();
    assert_eq!(names.len(), refined.asks.len());
}
