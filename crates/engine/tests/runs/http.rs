//! Real HTTP: every fault ends in a retry, a fall-back or a failure with a
//! reason; none hangs, none becomes a score, and the key is seen nowhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redraft_engine::clock::{Boxed, Clock};
use redraft_engine::driver::{self, Hands, Nobody};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::connection::{Api, Structured};
use redraft_engine::model::limits::{ProcessLimits, ProcessSpent};
use redraft_engine::model::providers::{Patience, Providers};
use redraft_engine::model::recording::Recording;
use redraft_run::ask::{ModelSettings, Role, Time};
use redraft_run::event::Event;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::reasons::NotAccepted;
use redraft_run::run::Run;
use redraft_run::setup::Seat;
use redraft_run::verdict::Reason;

use crate::desk::{LESSON, header, setup, setup_of};
use crate::long_inputs;
use crate::loopback::{Act, CANARY, Loopback, Request};

const APIS: [Api; 3] = [Api::OpenAi, Api::Anthropic, Api::Gemini];

/// A clock that jumps to every moment within a minute that somebody waits for,
/// and never comes to the end of a run: that takes longer.
#[derive(Debug, Default)]
pub(crate) struct JumpingClock {
    now: AtomicU64,
}

impl Clock for JumpingClock {
    fn now(&self) -> Time {
        Time(self.now.load(Ordering::Relaxed))
    }

    fn sleep_until(&self, time: Time) -> Boxed<()> {
        if time.since(self.now()) > 60_000 {
            return Box::pin(std::future::pending());
        }
        self.now.fetch_max(time.0, Ordering::Relaxed);
        Box::pin(tokio::task::yield_now())
    }
}

fn settings(model: &str) -> ModelSettings {
    ModelSettings {
        provider: "loop".to_owned(),
        model: model.to_owned(),
        temperature_hundredths: 20,
        max_tokens: 2_000,
        price_in: 1_000_000,
        price_out: 1_000_000,
    }
}

fn seats(models: &[&str]) -> Vec<Seat> {
    vec![Seat {
        role: Role::JudgeSecondary,
        weight: 1,
        models: models.iter().map(|name| settings(name)).collect(),
        contexts: BTreeMap::new(),
    }]
}

fn patience() -> Patience {
    Patience {
        deadline: Duration::from_secs(60),
        // A busy machine is no stall.
        stall: Duration::from_secs(20),
        connect: Duration::from_secs(5),
        attempts: 1,
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// What a run over real HTTP gave.
struct Driven {
    outcome: Outcome,
    events: Vec<Event>,
    requests: Vec<Request>,
    spent: ProcessSpent,
    /// Everything that was written or could be printed.
    written: String,
}

struct Desk<'a> {
    api: Api,
    structured: Structured,
    acts: &'a [(&'a str, &'a [Act])],
    models: &'a [&'a str],
    patience: Patience,
    limits: ProcessLimits,
    text: &'a str,
    /// The least that may be spent on judging, in tokens.
    budget: u64,
}

impl<'a> Desk<'a> {
    fn new(api: Api, acts: &'a [(&'a str, &'a [Act])]) -> Self {
        let stalls = |acts: &[Act]| acts.contains(&Act::Stall) || acts.contains(&Act::StallMidway);
        let mut patience = patience();
        if acts.iter().any(|(_, acts)| stalls(acts)) {
            patience.stall = Duration::from_millis(700);
        }
        Self {
            api,
            structured: Structured::Native,
            acts,
            models: &["judge"],
            patience,
            limits: ProcessLimits::default(),
            text: LESSON,
            budget: 60_000,
        }
    }

    fn drive(&self) -> Driven {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(self.run(folder.path()))
    }

    async fn run(&self, folder: &Path) -> Driven {
        let mut setup = setup_of(self.text, seats(self.models), Mode::FullAuto);
        setup.policy.judging_tokens = self.budget;
        let text_id = setup.inspected.document.source().version().to_string();
        let server = Loopback::open(self.api, &text_id, self.acts).await;
        let mut connection = server.connection(self.api);
        connection.structured = self.structured;
        let mut written = format!("{connection:?}");
        let providers = Providers::new(vec![connection], self.patience)
            .unwrap()
            .with_limits(self.limits);
        let providers = Arc::new(providers);
        let recording = Recording::record(&folder.join("calls.jsonl"), providers.clone()).unwrap();
        let hands = Hands {
            model: Arc::new(recording),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Nobody),
            in_flight: 4,
        };
        let mut events = Vec::new();
        let path = folder.join("run.jsonl");
        let outcome = driver::drive(
            Run::new(setup, Time(0)),
            Journal::create(&path, &header()).unwrap(),
            Recorded::default(),
            &hands,
            &mut |event: &Event| events.push(event.clone()),
            std::future::pending(),
        )
        .await
        .unwrap();
        let calls = std::fs::read_to_string(folder.join("calls.jsonl")).unwrap();
        let journal = std::fs::read_to_string(&path).unwrap();
        for more in [
            format!("{outcome:?}"),
            format!("{events:?}"),
            format!("{providers:?} {hands:?}"),
            serde_json::to_string(&outcome).unwrap(),
            calls,
            journal,
        ] {
            written.push_str(&more);
        }
        let requests = server.log.lock().unwrap().requests.clone();
        Driven {
            outcome,
            events,
            requests,
            spent: providers.spent(),
            written,
        }
    }
}

/// What takes most of the judging budget of a lesson to read once.
fn middling() -> String {
    long_inputs::lesson(&long_inputs::ENGLISH, 9, 12)
}

#[test]
fn the_fall_back_is_asked_though_what_failed_was_charged() {
    let text = middling();
    for act in [
        Act::Stall,
        Act::StallMidway,
        Act::CutMidway,
        Act::ErrorMidway,
        Act::BadEvent,
        Act::RateLimitForHours,
    ] {
        let acts: [(&str, &[Act]); 2] = [("judge", &[act]), ("spare", &[Act::Good])];
        let driven = Desk {
            text: &text,
            budget: 10_000,
            models: &["judge", "spare"],
            ..Desk::new(Api::OpenAi, &acts)
        }
        .drive();
        let (outcome, calls) = (&driven.outcome, driven.requests.len());
        let unscored = &outcome.unscored;
        assert_eq!(outcome.status, Status::Accepted, "{act:?}: {unscored:?}");
        assert!((2..=4).contains(&calls), "{act:?}: {calls} calls");
    }
}

#[test]
fn where_the_budget_ends_in_failures_they_are_the_reason() {
    let text = middling();
    for (act, words, reason) in [
        (Act::Stall, "sent nothing for", Reason::CallFailed),
        (Act::ErrorMidway, "busy", Reason::CallFailed),
        (
            Act::RateLimitForHours,
            "to wait 7200 seconds",
            Reason::TimedOut,
        ),
    ] {
        let driven = Desk {
            text: &text,
            budget: 10_000,
            ..Desk::new(Api::OpenAi, &[("judge", &[act])])
        }
        .drive();
        let unscored = driven.outcome.unscored.as_ref().unwrap();
        assert_eq!(unscored.reason, reason, "{act:?}: {}", unscored.message);
        for words in ["loop/judge", words] {
            assert!(unscored.message.contains(words), "{}", unscored.message);
        }
    }
}

#[test]
fn a_provider_with_a_small_window_is_asked_again_with_what_fits() {
    let text = long_inputs::lesson(&long_inputs::ENGLISH, 50, 12);
    for api in APIS {
        let driven = Desk {
            text: &text,
            ..Desk::new(api, &[("judge", &[Act::SmallWindow])])
        }
        .drive();
        assert_eq!(driven.requests.len(), 2, "{api:?}");
        let score = driven.outcome.score.as_ref();
        assert!(score.is_some(), "{api:?}: {:?}", driven.outcome.unscored);
        let because = driven.outcome.because.as_ref().unwrap();
        assert!(
            matches!(because.not_accepted, NotAccepted::PartlyRead { .. }),
            "{api:?}: {because:?}"
        );
        assert_eq!(driven.outcome.status, Status::BestEffort, "{api:?}");
        assert!(!driven.outcome.passed, "{api:?}");
        let told = format!("{:?}", driven.events);
        assert!(told.contains("it is asked again with what fits"), "{told}");
        assert!(told.contains("InputCut"), "{told}");
        assert_no_key(&driven, Act::SmallWindow);
    }
}

#[test]
fn every_fault_over_http_ends_unscored_with_its_reason() {
    for (act, reason, calls) in [
        (Act::RateLimit, Reason::CallFailed, 3),
        (Act::ServerError, Reason::CallFailed, 3),
        (Act::Reset, Reason::CallFailed, 3),
        (Act::Unauthorised, Reason::CallFailed, 1),
        (Act::Forbidden, Reason::CallFailed, 1),
        (Act::TooLong, Reason::TooLong, 1),
        (Act::Stall, Reason::CallFailed, 3),
        (Act::StallMidway, Reason::CallFailed, 3),
        (Act::CutMidway, Reason::CallFailed, 3),
        (Act::BadUtf8, Reason::CallFailed, 3),
        (Act::BadEvent, Reason::CallFailed, 3),
        (Act::HalfAnEvent, Reason::CallFailed, 3),
        (Act::ErrorMidway, Reason::CallFailed, 3),
        (Act::TruncatedJson, Reason::Truncated, 2),
        (Act::WrongSchema, Reason::NotAVerdict, 2),
        (Act::Refusal, Reason::Refused, 1),
        (Act::Empty, Reason::Empty, 2),
        (Act::Score85, Reason::ScoreOutOfRange, 2),
        (Act::AnotherLesson, Reason::AnotherText, 2),
        (Act::Html, Reason::CallFailed, 1),
        (Act::Redirect, Reason::CallFailed, 1),
    ] {
        for api in APIS {
            let driven = Desk::new(api, &[("judge", &[act])]).drive();
            let unscored = driven
                .outcome
                .unscored
                .as_ref()
                .unwrap_or_else(|| panic!("{act:?} by {api:?} gave a score"));
            assert_eq!(
                unscored.reason, reason,
                "{act:?}, {api:?}: {}",
                unscored.message
            );
            assert!(driven.outcome.score.is_none(), "{act:?}, {api:?}");
            assert_eq!(
                driven.outcome.status,
                Status::BestEffort,
                "{act:?}, {api:?}"
            );
            assert_eq!(driven.requests.len(), calls, "{act:?}, {api:?}");
            assert_no_key(&driven, act);
        }
    }
}

fn assert_no_key(driven: &Driven, act: Act) {
    let at = driven.written.find("sk-canary");
    let shown: String = driven.written[at.unwrap_or(0)..].chars().take(80).collect();
    assert_eq!(at, None, "{act:?} shows the key: {shown}");
    // It was sent, and in no address.
    for request in &driven.requests {
        assert!(request.head.contains(CANARY), "{act:?}");
        assert!(!request.head.lines().next().unwrap().contains(CANARY));
    }
}

#[test]
fn a_provider_that_repeats_the_key_does_not_get_it_written_down() {
    for act in [
        Act::Echo,
        Act::EchoLater,
        Act::EchoInAnswer,
        Act::Html,
        Act::Unauthorised,
    ] {
        for api in APIS {
            let driven = Desk::new(api, &[("judge", &[act])]).drive();
            assert_no_key(&driven, act);
            assert!(driven.written.contains("loop/judge"));
        }
    }
}

#[test]
fn good_answers_are_scored_in_every_form() {
    for act in [
        Act::Good,
        Act::GoodWhole,
        Act::GoodBehindMark,
        Act::GoodCalledJson,
        Act::GoodCalledStream,
        Act::GoodUncounted,
        Act::ProseAroundJson,
    ] {
        for api in APIS {
            for structured in [Structured::Native, Structured::Prompt] {
                let acts = [("judge", std::slice::from_ref(&act))];
                let mut desk = Desk::new(api, &acts);
                desk.structured = structured;
                let driven = desk.drive();
                let outcome = &driven.outcome;
                assert_eq!(
                    outcome.status,
                    Status::Accepted,
                    "{act:?}, {api:?}: {:?}",
                    outcome.unscored
                );
                assert_eq!(outcome.score.as_ref().unwrap().overall().thousandths(), 900);
                assert_eq!(driven.requests.len(), 1);
                assert_eq!(driven.spent.estimated, act == Act::GoodUncounted);
                if act != Act::GoodUncounted {
                    assert_eq!(driven.spent.tokens.total(), 790, "{act:?}, {api:?}");
                }
                assert!(driven.spent.tokens.input > 500, "{:?}", driven.spent);
                let body = driven.requests[0].body.to_string();
                let in_prompt = body.contains("It has to fit this JSON Schema");
                assert_eq!(in_prompt, structured == Structured::Prompt, "{api:?}");
                let names = ["response_format", "tool_choice", "responseSchema"];
                let is_native = names.iter().any(|name| body.contains(name));
                assert_eq!(is_native, structured == Structured::Native, "{api:?}");
                let limits = ["\"max_tokens\":2000", "\"maxOutputTokens\":2000"];
                assert!(limits.iter().any(|limit| body.contains(limit)), "{api:?}");
                assert!(body.contains("\"temperature\":0.2"), "{api:?}");
            }
        }
    }
}

#[test]
fn after_repeated_failure_the_fall_back_takes_the_seat() {
    for act in [
        Act::RateLimit,
        Act::Stall,
        Act::Unauthorised,
        Act::Refusal,
        Act::TooLong,
    ] {
        let acts: [(&str, &[Act]); 2] = [("first", &[act]), ("second", &[Act::Good])];
        let mut desk = Desk::new(Api::OpenAi, &acts);
        desk.models = &["first", "second"];
        let driven = desk.drive();
        assert_eq!(driven.outcome.status, Status::Accepted, "{act:?}");
        assert_eq!(
            driven.outcome.verdicts[0].judge().model,
            "loop/second",
            "{act:?}"
        );
    }
}

#[test]
fn a_failure_that_passes_is_asked_again() {
    for act in [
        Act::RateLimit,
        Act::ServerError,
        Act::Reset,
        Act::Stall,
        Act::CutMidway,
        Act::Empty,
    ] {
        for api in APIS {
            let driven = Desk::new(api, &[("judge", &[act, Act::Good])]).drive();
            assert_eq!(driven.outcome.status, Status::Accepted, "{act:?}, {api:?}");
            assert_eq!(driven.requests.len(), 2);
            let again = driven
                .events
                .iter()
                .any(|event| event.kind.name() == "asked_again");
            assert!(again, "{act:?}, {api:?}");
        }
    }
}

#[test]
fn what_a_model_does_not_take_is_put_otherwise_at_no_cost() {
    for (api, act) in [
        (Api::OpenAi, Act::NoSchema),
        (Api::Anthropic, Act::NoSchema),
        (Api::Gemini, Act::NoSchema),
        (Api::OpenAi, Act::NoMaxTokens),
    ] {
        let driven = Desk::new(api, &[("judge", &[act])]).drive();
        assert_eq!(driven.outcome.status, Status::Accepted, "{act:?}, {api:?}");
        assert_eq!(driven.requests.len(), 2, "{act:?}, {api:?}");
        assert_eq!(driven.spent.calls, 1);
    }
}

#[test]
fn an_answer_without_end_is_given_up_in_time() {
    let mut desk = Desk::new(Api::OpenAi, &[("judge", &[Act::Drip])]);
    desk.patience.deadline = Duration::from_millis(200);
    let driven = desk.drive();
    let unscored = driven.outcome.unscored.unwrap();
    assert_eq!(unscored.reason, Reason::CallFailed);
    assert!(
        unscored.message.contains("no whole answer within 200 ms"),
        "{}",
        unscored.message
    );
    // What was said until then is counted.
    assert!(driven.spent.estimated && driven.spent.tokens.output > 0);
}

#[test]
fn the_limit_of_the_process_is_kept_over_all_runs() {
    let mut desk = Desk::new(Api::OpenAi, &[("judge", &[Act::Good])]);
    desk.limits.tokens = Some(1_000);
    let driven = desk.drive();
    let message = driven.outcome.unscored.unwrap().message;
    assert!(
        message.contains("the limit of this process is 1000 tokens"),
        "{message}"
    );
    assert!(driven.requests.is_empty());
    assert_eq!(driven.spent.calls, 0);
}

#[test]
fn nobody_there_is_a_failure_that_says_where() {
    let setup = setup(seats(&["judge"]), Mode::FullAuto);
    let outcome = runtime().block_on(async {
        // A port that was free a moment ago.
        let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Loopback {
            address: free.local_addr().unwrap().to_string(),
            log: Arc::default(),
        };
        drop(free);
        let providers = Providers::new(vec![server.connection(Api::OpenAi)], patience()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let hands = Hands {
            model: Arc::new(providers),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Nobody),
            in_flight: 4,
        };
        driver::drive(
            Run::new(setup, Time(0)),
            Journal::create(&folder.path().join("run.jsonl"), &header()).unwrap(),
            Recorded::default(),
            &hands,
            &mut |_| {},
            std::future::pending(),
        )
        .await
        .unwrap()
    });
    let message = outcome.unscored.unwrap().message;
    assert!(
        message.contains("cannot be reached at 127.0.0.1:"),
        "{message}"
    );
    assert!(message.contains("connection refused"), "{message}");
}

#[test]
fn giving_a_run_up_closes_its_calls() {
    for act in [Act::Stall, Act::StallMidway] {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let setup = setup(seats(&["judge"]), Mode::FullAuto);
            let text_id = setup.inspected.document.source().version().to_string();
            let server = Loopback::open(Api::OpenAi, &text_id, &[("judge", &[act])]).await;
            let patience = Patience {
                stall: Duration::from_secs(600),
                ..patience()
            };
            let providers =
                Arc::new(Providers::new(vec![server.connection(Api::OpenAi)], patience).unwrap());
            let hands = Hands {
                model: providers.clone(),
                clock: Arc::new(JumpingClock::default()),
                human: Arc::new(Nobody),
                in_flight: 4,
            };
            let log = Arc::clone(&server.log);
            let asked = async {
                while log.lock().unwrap().requests.is_empty() {
                    tokio::task::yield_now().await;
                }
            };
            let result = driver::drive(
                Run::new(setup, Time(0)),
                Journal::create(&folder.path().join("run.jsonl"), &header()).unwrap(),
                Recorded::default(),
                &hands,
                &mut |_| {},
                asked,
            )
            .await;
            assert!(result.is_err(), "{act:?}");
            // The provider sees that nobody waits any more.
            while server.log.lock().unwrap().gone == 0 {
                tokio::task::yield_now().await;
            }
            // What was sent will be charged.
            assert!(providers.spent().tokens.input > 0);
        });
    }
}
