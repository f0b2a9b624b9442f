//! The cost of asking: a thousand lessons, three judges each, sixty-four asks at
//! once, with the journal; compared with the same asks from a bare reqwest loop, which
//! only sends and parses. Each phase is a process of its own, to measure its memory.
//!
//! Besides the client alone, two more phases are measured: the same asks with every
//! reply flushed to a journal, and whole runs, which also write prompts, read verdicts
//! and decide.
//!
//! There are two bare loops. One gets the same streamed responses as our client; the
//! other gets whole responses, which are less to read but do not show whether a model
//! thinks or hangs.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use redraft_engine::clock::{Clock as _, SystemClock};
use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{
    Hashes, Header, Input, InputKind, Journal, Recorded, Recorder as _, VERSION,
};
use redraft_engine::model::Model as _;
use redraft_engine::model::connection::{Api, Connection, Structured};
use redraft_engine::model::providers::{Providers, Timeouts};
use redraft_gate::companion::Companions;
use redraft_gate::span::Version;
use redraft_run::ask::{
    Ask, AskId, CallFailure, Fingerprint, ModelSettings, Reply, Role, Schema, Tokens,
};
use redraft_run::policy::Judging;
use redraft_run::profile::Profile;
use redraft_run::prompt::Prompt;
use redraft_run::request::{PromptRequest, Task};
use redraft_run::run::Run;
use redraft_run::setup::{Seat, Setup};
use redraft_run::token_estimate::usual_tokens;
use redraft_run::verdict;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::clock::{Watch, cpu_seconds};
use crate::endpoint;
use crate::lessons::Corpus;
use crate::runs;

const LESSONS: usize = 1_000;
const JUDGES: [Role; 3] = [
    Role::JudgePrimary,
    Role::JudgeSecondary,
    Role::JudgeTiebreaker,
];
const AT_ONCE: usize = 64;

const PHASES: [&str; 5] = [
    "bare-whole",
    "bare-streamed",
    "client",
    "client-journal",
    "whole-runs",
];

/// Runs the phases and prints their cost.
pub(crate) fn measure(corpora: &[Corpus]) -> anyhow::Result<()> {
    let mut server = Command::new(std::env::current_exe()?)
        .arg("asks-endpoint")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let result = phases(&mut server, corpora);
    server.kill()?;
    server.wait()?;
    result
}

fn phases(server: &mut Child, corpora: &[Corpus]) -> anyhow::Result<()> {
    let output = server.stdout.take().context("the endpoint has no output")?;
    let mut address = String::new();
    BufReader::new(output).read_line(&mut address)?;
    println!(
        "{LESSONS} lessons of 8 to 9 KB, {} judges, {AT_ONCE} asks at once",
        JUDGES.len()
    );
    println!("                     CPU s    wall s   peak MB");
    let mut best = [f64::INFINITY; PHASES.len()];
    // Deleted at the end: a file system takes its time to use again what was deleted
    // a moment ago.
    let folder = tempfile::tempdir()?;
    for round in 0..3 {
        for (index, name) in PHASES.iter().enumerate() {
            let output = Command::new(std::env::current_exe()?)
                .args(["asks-phase", name, address.trim()])
                .arg(folder.path().join(format!("{name}-{round}")))
                .stderr(Stdio::inherit())
                .output()?;
            ensure!(output.status.success(), "the phase {name} failed");
            let said = String::from_utf8_lossy(&output.stdout);
            let figures: Value = serde_json::from_str(said.lines().last().unwrap_or_default())?;
            let figure = |name: &str| figures[name].as_f64().unwrap_or_default();
            let cpu = figure("cpu");
            println!(
                "  {name:<16} {cpu:>9.3} {:>9.2} {:>9.0}",
                figure("wall"),
                figure("peak_mb")
            );
            best[index] = best[index].min(cpu);
        }
    }
    let [whole, streamed, asking @ ..] = best;
    println!("  least of each, by the bare loop with");
    for (responses, bare) in [("streamed responses", streamed), ("whole responses", whole)] {
        let [client, journal, runs] = asking.map(|cpu| cpu / bare);
        println!(
            "    {responses:<21} the client alone {client:.2} ×, with the journal {journal:.2} ×, whole runs {runs:.2} ×"
        );
    }
    if let Some(corpus) = corpora.first() {
        let lessons = corpus.lessons(100, 1);
        let seconds = cpu_seconds(&lessons, |lesson| {
            std::hint::black_box(usual_tokens(lesson));
        });
        println!(
            "  estimating tokens, where a provider does not count: {:.0} µs a lesson",
            seconds / 100.0 * 1e6
        );
    }
    Ok(())
}

/// The endpoint's process.
pub(crate) fn serve(profile: &dyn Profile) -> anyhow::Result<()> {
    let scores: Vec<String> = profile
        .rubric()
        .criteria
        .iter()
        .map(|criterion| format!("\"{}\": 0.95", criterion.name))
        .collect();
    runtime()?.block_on(endpoint::serve(scores.join(", ")))
}

/// One phase, in its own process; prints its figures as JSON.
pub(crate) fn phase(
    name: &str,
    address: &str,
    folder: &Path,
    profile: &'static dyn Profile,
    corpora: &[Corpus],
) -> anyhow::Result<()> {
    let corpus = corpora.first().context("no lessons")?;
    let lessons = corpus.lessons(LESSONS, 1);
    let runtime = runtime()?;
    let local = tokio::task::LocalSet::new();
    let watch = Rc::new(Watch::start());
    match name {
        "client" => runtime.block_on(local.run_until(client(address, profile, lessons)))?,
        "client-journal" => {
            let work = (profile, lessons);
            runtime.block_on(local.run_until(journalled(address, work, folder)))?;
        }
        "bare-whole" => {
            let answers = Answers::Whole;
            runtime.block_on(local.run_until(bare(address, profile, lessons, answers)))?;
        }
        "bare-streamed" => {
            let answers = Answers::Streamed;
            runtime.block_on(local.run_until(bare(address, profile, lessons, answers)))?;
        }
        _ => {
            let work = (profile, lessons);
            runtime.block_on(local.run_until(whole(address, work, folder, &watch)))?;
        }
    }
    let (cpu, wall) = watch.seconds();
    println!("{}", json!({"cpu": cpu, "wall": wall, "peak_mb": peak()}));
    Ok(())
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?)
}

/// The peak memory of this process, in megabytes.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| {
            line.strip_prefix("VmHWM:")?
                .split_whitespace()
                .next()?
                .parse::<f64>()
                .ok()
        })
        .unwrap_or_default()
        / 1024.0
}

/// Does some work for every number below `most`, `AT_ONCE` of them in parallel.
async fn each<F: Future<Output = anyhow::Result<()>> + 'static>(
    most: usize,
    work: impl Fn(usize) -> F + 'static,
) -> anyhow::Result<()> {
    let (next, work) = (Rc::new(Cell::new(0)), Rc::new(work));
    let workers: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (next, work) = (Rc::clone(&next), Rc::clone(&work));
            tokio::task::spawn_local(async move {
                while next.get() < most {
                    let number = next.replace(next.get() + 1);
                    work(number).await?;
                }
                anyhow::Ok(())
            })
        })
        .collect();
    for worker in workers {
        worker.await??;
    }
    Ok(())
}

/// How a bare loop gets its answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    Whole,
    Streamed,
}

/// The simplest loop: puts the lesson into a template, sends it, parses the response.
/// The template is as long as our own prompt around a lesson.
async fn bare(
    address: &str,
    profile: &'static dyn Profile,
    lessons: Vec<String>,
    answers: Answers,
) -> anyhow::Result<()> {
    let sample = setup(profile, lessons.first().context("no lessons")?);
    let Prompt { system, user } = profile.render(&PromptRequest {
        document: &sample.inspected.document,
        companions: &sample.companions,
        rubric: &sample.rubric,
        task: Task::Judge { flagged: &[] },
        feedback_language: None,
        complaint: None,
    })?;
    let around = user
        .len()
        .saturating_sub(sample.inspected.document.source().text().len());
    let frame = format!("{} Its text_id is 0123456789abcdef.", "x".repeat(around));
    let schema = verdict::schema(profile.rubric(), &Companions::default())
        .value()
        .clone();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only(std::iter::empty())
        .build()?;
    let url = format!("http://{address}/v1/chat/completions");
    let shared = Rc::new((client, url, system, frame, schema, lessons));
    each(LESSONS * JUDGES.len(), move |number| {
        let shared = Rc::clone(&shared);
        async move {
            let (client, url, system, frame, schema, lessons) = &*shared;
            let lesson = lessons.get(number / JUDGES.len()).map(String::as_str);
            let body = json!({
                "model": "judge", "max_tokens": 2_000, "temperature": 0.0,
                "stream": answers == Answers::Streamed,
                "messages": [
                    {"role": "system", "content": system},
                    {"role": "user", "content": format!("{}{frame}", lesson.unwrap_or_default())},
                ],
                "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "strict": true, "schema": schema}},
            });
            let answer = client.post(url).body(body.to_string()).send().await?;
            let content = match answers {
                Answers::Whole => whole_response(answer).await?,
                Answers::Streamed => streamed(answer).await?,
            };
            let verdict: Value = serde_json::from_str(&content)?;
            ensure!(verdict["scores"].is_object(), "no verdict");
            Ok(())
        }
    })
    .await
}

async fn whole_response(answer: reqwest::Response) -> anyhow::Result<String> {
    let answer: Value = serde_json::from_slice(&answer.bytes().await?)?;
    let content = answer["choices"][0]["message"]["content"].as_str();
    Ok(content.unwrap_or_default().to_owned())
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    choices: Vec<Choice<'a>>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Delta<'a>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    content: Option<Cow<'a, str>>,
}

async fn streamed(answer: reqwest::Response) -> anyhow::Result<String> {
    let mut content = String::new();
    let stream = answer.text().await?;
    for data in stream
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
    {
        if data != "[DONE]" {
            let event: Event<'_> = serde_json::from_str(data)?;
            let words = event
                .choices
                .first()
                .and_then(|choice| choice.delta.content.as_deref());
            content.push_str(words.unwrap_or_default());
        }
    }
    Ok(content)
}

/// The same through our client alone: no runs, no prompts to write, no journal.
async fn client(
    address: &str,
    profile: &'static dyn Profile,
    lessons: Vec<String>,
) -> anyhow::Result<()> {
    let providers = Rc::new(providers(address)?);
    let schema = verdict::schema(profile.rubric(), &Companions::default());
    each(LESSONS * JUDGES.len(), move |number| {
        let lesson = lessons.get(number / JUDGES.len());
        let ask = ask(prompt(lesson), number, &schema);
        let providers = Rc::clone(&providers);
        async move {
            let reply = providers.ask(&ask).await;
            ensure!(reply.is_ok_and(|reply| reply.text.len() > 100), "no answer");
            Ok(())
        }
    })
    .await
}

/// The same, with every reply flushed to the journal of its lesson before the next
/// judge is asked. Two judges are asked at once, as in a run.
async fn journalled(
    address: &str,
    (profile, lessons): (&'static dyn Profile, Vec<String>),
    folder: &Path,
) -> anyhow::Result<()> {
    let providers = Rc::new(providers(address)?);
    let schema = verdict::schema(profile.rubric(), &Companions::default());
    let folder = folder.to_owned();
    each(LESSONS, move |number| {
        let lesson = lessons.get(number).cloned();
        let words = prompt(lesson.as_ref());
        let asks = [0, 1, 2].map(|judge| {
            let number = number * JUDGES.len() + judge;
            ask(Arc::clone(&words), number, &schema)
        });
        let path = folder.join(format!("{number}.jsonl"));
        let providers = Rc::clone(&providers);
        async move {
            let header = header("bench", lesson.as_deref().unwrap_or_default());
            let mut journal = Journal::create(&path, &header)?;
            let [first, second, third] = &asks;
            let (one, two) = tokio::join!(providers.ask(first), providers.ask(second));
            for (ask, result) in [(first, one), (second, two)] {
                journal.input(&told(ask, result)?)?;
            }
            journal.sync().await?;
            journal.input(&told(third, providers.ask(third).await)?)?;
            journal.sync().await?;
            Ok(())
        }
    })
    .await
}

fn told(ask: &Ask, result: Result<Reply, CallFailure>) -> anyhow::Result<Input> {
    ensure!(
        result.as_ref().is_ok_and(|reply| reply.text.len() > 100),
        "no answer"
    );
    Ok(Input {
        at: SystemClock.now(),
        what: InputKind::Reply {
            ask: ask.id.clone(),
            fingerprint: ask.fingerprint.clone(),
            result,
        },
    })
}

fn header(run: &str, text: &str) -> Header {
    Header {
        journal: VERSION,
        run: run.to_owned(),
        program: "bench".to_owned(),
        started: SystemClock.now(),
        hashes: Hashes::default(),
        setup: Value::from(text),
    }
}

/// As long as a judge's prompt about a lesson.
fn prompt(lesson: Option<&String>) -> Arc<Prompt> {
    let lesson = lesson.map(String::as_str).unwrap_or_default();
    Arc::new(Prompt {
        system: "x".repeat(8_000),
        user: format!("{lesson} 0123456789abcdef."),
    })
}

fn ask(prompt: Arc<Prompt>, number: usize, schema: &Arc<Schema>) -> Ask {
    Ask {
        id: AskId(number.to_string()),
        role: Role::JudgePrimary,
        model: model(),
        prompt,
        schema: Some(Arc::clone(schema)),
        content: Version::of(b""),
        fingerprint: Fingerprint(String::new()),
        reserved: Tokens::default(),
        not_before: None,
    }
}

fn providers(address: &str) -> anyhow::Result<Providers> {
    let connection = Connection {
        name: "loop".to_owned(),
        api: Api::OpenAi,
        base_url: format!("http://{address}/v1"),
        key: None,
        in_flight: AT_ONCE,
        structured: Structured::Native,
    };
    Ok(Providers::new(vec![connection], Timeouts::default())?)
}

fn model() -> ModelSettings {
    ModelSettings {
        provider: "loop".to_owned(),
        model: "judge".to_owned(),
        temperature_hundredths: 0,
        max_tokens: 2_000,
        price_in: 0,
        price_out: 0,
        cache: None,
    }
}

/// The same as whole runs. The free stages come just before, as in the program; they
/// are measured elsewhere and left out here.
async fn whole(
    address: &str,
    (profile, lessons): (&'static dyn Profile, Vec<String>),
    folder: &Path,
    watch: &Rc<Watch>,
) -> anyhow::Result<()> {
    let providers = Arc::new(providers(address)?);
    let context = Rc::new(DriverContext {
        model: providers.clone(),
        clock: Arc::new(SystemClock),
        human: Arc::new(Unattended),
        in_flight: JUDGES.len(),
        patchers_in_flight: PATCHERS_IN_FLIGHT,
    });
    let folder = folder.to_owned();
    let watch = Rc::clone(watch);
    each(LESSONS, move |number| {
        let context = Rc::clone(&context);
        let path = folder.join(format!("{number}.jsonl"));
        let setup = watch.leave_out(|| lessons.get(number).map(|text| setup(profile, text)));
        async move {
            let setup = setup.context("no lesson")?;
            let header = header(&setup.id, setup.inspected.document.source().text());
            let journal = Journal::create(&path, &header)?;
            let run = Run::new(setup, header.started);
            let nothing = Recorded::default();
            let mut observe = |_: &_| {};
            let driving = driver::drive(
                run,
                journal,
                nothing,
                &context,
                &mut observe,
                std::future::pending(),
            );
            let outcome = driving.await?;
            ensure!(
                outcome.score.is_some(),
                "a lesson has no score: {:?}",
                outcome.unscored
            );
            Ok(())
        }
    })
    .await?;
    let calls = providers.spent().calls;
    ensure!(calls == (LESSONS * JUDGES.len()) as u64, "{calls} asks");
    Ok(())
}

/// Three judges of three models; none is sure, so that all are asked.
fn setup(profile: &'static dyn Profile, lesson: &str) -> Setup {
    let seats = JUDGES
        .iter()
        .map(|role| Seat {
            role: *role,
            weight: 1,
            models: vec![ModelSettings {
                provider: "loop".to_owned(),
                model: role.name().to_owned(),
                temperature_hundredths: 0,
                max_tokens: 2_000,
                price_in: 0,
                price_out: 0,
                cache: None,
            }],
            contexts: BTreeMap::new(),
        })
        .collect();
    let mut setup = runs::setup(profile, lesson, seats);
    setup.policy.judging = Judging::Panel;
    setup
}
