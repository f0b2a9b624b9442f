//! The cost of a run besides the checks: state machine, prompt, reply, journal.
//! Replies arrive at once.

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_engine::clock::{BoxFuture, SystemClock};
use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Hashes, Header, Journal, Recorded, VERSION};
use redraft_engine::model::Model;
use redraft_engine::model::scripted::ScriptedModel;
use redraft_gate::companion::Companions;
use redraft_gate::examine::Settings;
use redraft_gate::fix::Inspected;
use redraft_gate::inspect::Reader;
use redraft_gate::reading::{self, Hint};
use redraft_gate::review;
use redraft_gate::source::Source;
use redraft_run::ask::{Ask, CallFailure, Finish, Reply, Role, Time, Tokens, Usage};
use redraft_run::policy::Mode;
use redraft_run::profile::Profile;
use redraft_run::run::Run;
use redraft_run::setup::{Goal, Seat, Setup, SpendingLimits};

use crate::clock::{cpu_seconds, program_and_system};
use crate::lessons::Corpus;

const RUNS: usize = 1_000;

/// A judge that replies at once.
struct Instant {
    scores: String,
}

impl Model for Instant {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        let text = format!(
            "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}, \"overall\": 0.9, \"confidence\": \"high\"}}",
            ask.content, self.scores
        );
        Box::pin(async {
            Ok(Reply {
                text,
                finish: Finish::Stop,
                usage: Usage {
                    tokens: Tokens::new(3_000, 200),
                    estimated: false,
                },
                took: 0,
                reused: false,
            })
        })
    }
}

/// Measures runs with one judge and a journal.
pub(crate) fn measure(profile: &'static dyn Profile, corpora: &[Corpus]) -> anyhow::Result<()> {
    let Some(corpus) = corpora.first() else {
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let scores: Vec<String> = profile
        .rubric()
        .criteria
        .iter()
        .map(|criterion| format!("\"{}\": 0.9", criterion.name))
        .collect();
    let context = DriverContext {
        model: Arc::new(Instant {
            scores: scores.join(", "),
        }),
        clock: Arc::new(SystemClock),
        human: Arc::new(Unattended),
        in_flight: 1,
        patchers_in_flight: PATCHERS_IN_FLIGHT,
    };
    // The free stages are measured elsewhere.
    let lessons = corpus.lessons(RUNS, 1);
    let mut setups: Vec<Option<Setup>> = Vec::new();
    let mut best = (f64::INFINITY, f64::INFINITY);
    for round in 0..3 {
        setups.clear();
        setups.extend(lessons.iter().map(|lesson| {
            let seats = vec![Seat {
                role: Role::JudgeSecondary,
                weight: 1,
                models: vec![ScriptedModel::settings("judge")],
                contexts: BTreeMap::new(),
            }];
            Some(setup(profile, lesson, seats))
        }));
        let mut number = 0;
        let mut failed = None;
        let seconds = program_and_system(|| {
            setups.iter_mut().for_each(|slot| {
                number += 1;
                let path = folder.path().join(format!("{round}-{number}.jsonl"));
                if let Some(setup) = slot.take()
                    && let Err(error) = one(&runtime, &context, setup, &path)
                {
                    failed = Some(error);
                }
            });
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if seconds.0 < best.0 {
            best = seconds;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a thousand runs")]
    let (program, system) = (best.0 / RUNS as f64 * 1e6, best.1 / RUNS as f64 * 1e6);
    let parsing = cpu_seconds(&lessons[..200.min(lessons.len())], |lesson| {
        std::hint::black_box(redraft_text::markdown::analyse(lesson));
    }) / 200.0
        * 1e6;
    println!(
        "{RUNS} runs with one judge, journal on: {program:.0} µs a run besides the checks, {:.1} × parsing; {system:.0} µs in the system for files and fsync",
        program / parsing
    );
    Ok(())
}

fn one(
    runtime: &tokio::runtime::Runtime,
    context: &DriverContext,
    setup: Setup,
    path: &std::path::Path,
) -> anyhow::Result<()> {
    let header = Header {
        journal: VERSION,
        run: setup.id.clone(),
        program: "bench".to_owned(),
        started: Time(0),
        hashes: Hashes::default(),
        setup: serde_json::Value::from(setup.inspected.document.source().text()),
    };
    let journal = Journal::create(path, &header)?;
    runtime.block_on(driver::drive(
        Run::new(setup, Time(0)),
        journal,
        Recorded::default(),
        context,
        &mut |_| {},
        std::future::pending(),
    ))?;
    Ok(())
}

/// A run about a lesson whose free stages are done.
pub(crate) fn setup(profile: &'static dyn Profile, lesson: &str, seats: Vec<Seat>) -> Setup {
    let companions = Arc::new(Companions::default());
    let raw = reading::read(Source::new(lesson.as_bytes().to_vec()), Hint::Markdown);
    Setup {
        id: "bench".to_owned(),
        goal: Goal::Judge,
        profile,
        inspector: Arc::new(Reader {
            profile,
            settings: Settings::default(),
            companions: Arc::clone(&companions),
            hint: Hint::Markdown,
        }),
        inspected: Arc::new(Inspected {
            document: profile.parse(raw, None),
            findings: Vec::new(),
        }),
        companions,
        self_review: review::review(&[], &[]),
        rubric: profile.rubric().clone(),
        policy: profile.decision(Mode::FullAuto).clone(),
        mode: Mode::FullAuto,
        seats,
        unnamed: std::collections::BTreeSet::new(),
        feedback_language: None,
        limits: SpendingLimits::default(),
        require_judged: false,
        self_preference: None,
        models: redraft_run::setup::KnownModels::default(),
    }
}
