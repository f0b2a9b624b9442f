//! Real HTTP: every fault ends in a retry, a fallback or a failure with a reason. No call hangs, no
//! fault becomes a score, and the key appears nowhere.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use redraft_engine::clock::{BoxFuture, Clock};
use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::connection::{Api, Structured};
use redraft_engine::model::limits::{ProcessLimits, ProcessSpent};
use redraft_engine::model::providers::{Providers, Timeouts};
use redraft_engine::model::recording::Recording;
use redraft_run::ask::{ModelSettings, Role, Time};
use redraft_run::event::Event;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::reasons::NotAccepted;
use redraft_run::run::Run;
use redraft_run::setup::Seat;
use redraft_run::token_estimate::usual_tokens;
use redraft_run::verdict::Reason;

use crate::fake_provider::{Behaviour, CANARY, FakeProvider, Request};
use crate::fixtures::{LESSON, header, setup, setup_of};
use crate::long_inputs;

pub(crate) const APIS: [Api; 3] = [Api::OpenAi, Api::Anthropic, Api::Gemini];

/// A clock that jumps to any awaited moment within a minute. It never reaches the end of a run,
/// which takes longer.
#[derive(Debug, Default)]
pub(crate) struct JumpingClock {
    now: AtomicU64,
}

impl Clock for JumpingClock {
    fn now(&self) -> Time {
        Time(self.now.load(Ordering::Relaxed))
    }

    fn sleep_until(&self, time: Time) -> BoxFuture<()> {
        if time.since(self.now()) > 60_000 {
            return Box::pin(std::future::pending());
        }
        self.now.fetch_max(time.0, Ordering::Relaxed);
        Box::pin(tokio::task::yield_now())
    }
}

pub(crate) fn settings(model: &str) -> ModelSettings {
    ModelSettings {
        provider: "loop".to_owned(),
        model: model.to_owned(),
        temperature_hundredths: 20,
        max_tokens: 2_000,
        price_in: 1_000_000,
        price_out: 1_000_000,
        cache: None,
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

pub(crate) fn timeouts() -> Timeouts {
    Timeouts {
        deadline: Duration::from_secs(60),
        // Long enough that a busy machine does not count as a stall.
        stall: Duration::from_secs(20),
        connect: Duration::from_secs(5),
        connect_retries: 1,
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// The result of a run over real HTTP.
struct Driven {
    outcome: Outcome,
    events: Vec<Event>,
    requests: Vec<Request>,
    spent: ProcessSpent,
    /// Everything that was written or could be printed.
    written: String,
}

struct Case<'a> {
    api: Api,
    structured: Structured,
    behaviours: &'a [(&'a str, &'a [Behaviour])],
    models: &'a [&'a str],
    timeouts: Timeouts,
    limits: ProcessLimits,
    text: &'a str,
    /// The minimum budget for judging, in tokens.
    budget: u64,
    /// The query of the address, as Azure has one.
    query: Option<&'a str>,
}

impl<'a> Case<'a> {
    fn new(api: Api, behaviours: &'a [(&'a str, &'a [Behaviour])]) -> Self {
        let stalls = |behaviours: &[Behaviour]| {
            behaviours.contains(&Behaviour::Stall) || behaviours.contains(&Behaviour::StallMidway)
        };
        let mut timeouts = timeouts();
        if behaviours.iter().any(|(_, behaviours)| stalls(behaviours)) {
            timeouts.stall = Duration::from_millis(700);
        }
        Self {
            api,
            structured: Structured::Native,
            behaviours,
            models: &["judge"],
            timeouts,
            limits: ProcessLimits::default(),
            text: LESSON,
            budget: 60_000,
            query: None,
        }
    }

    fn drive(&self) -> Driven {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(self.run(folder.path()))
    }

    async fn run(&self, folder: &Path) -> Driven {
        let mut setup = setup_of(self.text, seats(self.models), Mode::FullAuto);
        setup.policy.judging_tokens = Some(self.budget);
        let text_id = setup.inspected.document.source().version().to_string();
        let server = FakeProvider::open(self.api, &text_id, self.behaviours).await;
        let mut connection = server.connection(self.api);
        connection.structured = self.structured;
        if let Some(query) = self.query {
            connection.base_url = format!("{}?{query}", connection.base_url);
        }
        let mut written = format!("{connection:?}");
        let providers = Providers::new(vec![connection], self.timeouts)
            .unwrap()
            .with_limits(self.limits);
        let providers = Arc::new(providers);
        let recording = Recording::record(&folder.join("calls.jsonl"), providers.clone()).unwrap();
        let context = DriverContext {
            model: Arc::new(recording),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Unattended),
            in_flight: 4,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        let mut events = Vec::new();
        let path = folder.join("run.jsonl");
        let outcome = driver::drive(
            Run::new(setup, Time(0)),
            Journal::create(&path, &header()).unwrap(),
            Recorded::default(),
            &context,
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
            format!("{providers:?} {context:?}"),
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

/// A text that takes most of a lesson's judging budget to read once.
fn middling() -> String {
    long_inputs::lesson(&long_inputs::ENGLISH, 9, 12)
}

#[test]
fn the_fall_back_is_asked_though_what_failed_was_charged() {
    let text = middling();
    for behaviour in [
        Behaviour::Stall,
        Behaviour::StallMidway,
        Behaviour::CutMidway,
        Behaviour::ErrorMidway,
        Behaviour::BadEvent,
        Behaviour::RateLimitForHours,
    ] {
        let behaviours: [(&str, &[Behaviour]); 2] =
            [("judge", &[behaviour]), ("spare", &[Behaviour::Good])];
        let driven = Case {
            text: &text,
            budget: 20_000,
            models: &["judge", "spare"],
            ..Case::new(Api::OpenAi, &behaviours)
        }
        .drive();
        let (outcome, calls) = (&driven.outcome, driven.requests.len());
        let unscored = &outcome.unscored;
        assert_eq!(
            outcome.status,
            Status::Accepted,
            "{behaviour:?}: {unscored:?}"
        );
        assert!((2..=4).contains(&calls), "{behaviour:?}: {calls} calls");
    }
}

#[test]
fn where_the_budget_ends_in_failures_they_are_the_reason() {
    let text = middling();
    for (behaviour, words, reason) in [
        (Behaviour::Stall, "sent nothing for", Reason::CallFailed),
        (Behaviour::ErrorMidway, "busy", Reason::CallFailed),
        (
            Behaviour::RateLimitForHours,
            "to wait 7200 seconds",
            Reason::TimedOut,
        ),
    ] {
        let driven = Case {
            text: &text,
            budget: 10_000,
            ..Case::new(Api::OpenAi, &[("judge", &[behaviour])])
        }
        .drive();
        let unscored = driven.outcome.unscored.as_ref().unwrap();
        assert_eq!(
            unscored.reason, reason,
            "{behaviour:?}: {}",
            unscored.message
        );
        for words in ["loop/judge", words] {
            assert!(unscored.message.contains(words), "{}", unscored.message);
        }
    }
}

#[test]
fn a_provider_with_a_small_window_is_asked_again_with_what_fits() {
    let text = long_inputs::lesson(&long_inputs::ENGLISH, 50, 12);
    for api in APIS {
        let driven = Case {
            text: &text,
            ..Case::new(api, &[("judge", &[Behaviour::SmallWindow])])
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
        assert_no_key(&driven, Behaviour::SmallWindow);
    }
}

#[test]
fn every_fault_over_http_ends_unscored_with_its_reason() {
    for (behaviour, reason, calls) in [
        (Behaviour::RateLimit, Reason::CallFailed, 3),
        (Behaviour::ServerError, Reason::CallFailed, 3),
        (Behaviour::Reset, Reason::CallFailed, 3),
        (Behaviour::Unauthorised, Reason::CallFailed, 1),
        (Behaviour::Forbidden, Reason::CallFailed, 1),
        (Behaviour::TooLong, Reason::TooLong, 1),
        (Behaviour::Stall, Reason::CallFailed, 3),
        (Behaviour::StallMidway, Reason::CallFailed, 3),
        (Behaviour::CutMidway, Reason::CallFailed, 3),
        (Behaviour::BadUtf8, Reason::CallFailed, 3),
        (Behaviour::BadEvent, Reason::CallFailed, 3),
        (Behaviour::HalfAnEvent, Reason::CallFailed, 3),
        (Behaviour::ErrorMidway, Reason::CallFailed, 3),
        (Behaviour::TruncatedJson, Reason::Truncated, 2),
        (Behaviour::WrongSchema, Reason::NotAVerdict, 2),
        (Behaviour::Refusal, Reason::Refused, 1),
        (Behaviour::Empty, Reason::Empty, 2),
        (Behaviour::Score85, Reason::ScoreOutOfRange, 2),
        (Behaviour::AnotherLesson, Reason::AnotherText, 2),
        (Behaviour::Html, Reason::CallFailed, 1),
        (Behaviour::Redirect, Reason::CallFailed, 1),
    ] {
        for api in APIS {
            let driven = Case::new(api, &[("judge", &[behaviour])]).drive();
            let unscored = driven
                .outcome
                .unscored
                .as_ref()
                .unwrap_or_else(|| panic!("{behaviour:?} by {api:?} gave a score"));
            assert_eq!(
                unscored.reason, reason,
                "{behaviour:?}, {api:?}: {}",
                unscored.message
            );
            assert!(driven.outcome.score.is_none(), "{behaviour:?}, {api:?}");
            assert_eq!(
                driven.outcome.status,
                Status::BestEffort,
                "{behaviour:?}, {api:?}"
            );
            assert_eq!(driven.requests.len(), calls, "{behaviour:?}, {api:?}");
            assert_no_key(&driven, behaviour);
        }
    }
}

fn assert_no_key(driven: &Driven, behaviour: Behaviour) {
    let at = driven.written.find("sk-canary");
    let shown: String = driven.written[at.unwrap_or(0)..].chars().take(80).collect();
    assert_eq!(at, None, "{behaviour:?} shows the key: {shown}");
    // It was sent, but never in an address.
    for request in &driven.requests {
        assert!(request.head.contains(CANARY), "{behaviour:?}");
        assert!(!request.head.lines().next().unwrap().contains(CANARY));
    }
}

#[test]
fn a_provider_that_repeats_the_key_does_not_get_it_written_down() {
    for behaviour in [
        Behaviour::Echo,
        Behaviour::EchoLater,
        Behaviour::EchoInAnswer,
        Behaviour::Html,
        Behaviour::Unauthorised,
    ] {
        for api in APIS {
            let driven = Case::new(api, &[("judge", &[behaviour])]).drive();
            assert_no_key(&driven, behaviour);
            assert!(driven.written.contains("loop/judge"));
        }
    }
}

#[test]
fn good_answers_are_scored_in_every_form() {
    for behaviour in [
        Behaviour::Good,
        Behaviour::GoodWhole,
        Behaviour::GoodBehindMark,
        Behaviour::GoodCalledJson,
        Behaviour::GoodCalledStream,
        Behaviour::GoodUncounted,
        Behaviour::ProseAroundJson,
    ] {
        for api in APIS {
            for structured in [Structured::Native, Structured::Prompt] {
                let behaviours = [("judge", std::slice::from_ref(&behaviour))];
                let mut case = Case::new(api, &behaviours);
                case.structured = structured;
                let driven = case.drive();
                let outcome = &driven.outcome;
                assert_eq!(
                    outcome.status,
                    Status::Accepted,
                    "{behaviour:?}, {api:?}: {:?}",
                    outcome.unscored
                );
                assert_eq!(outcome.score.as_ref().unwrap().overall().thousandths(), 900);
                assert_eq!(driven.requests.len(), 1);
                assert_eq!(
                    driven.spent.estimated,
                    behaviour == Behaviour::GoodUncounted
                );
                if behaviour != Behaviour::GoodUncounted {
                    assert_eq!(driven.spent.tokens.total(), 790, "{behaviour:?}, {api:?}");
                }
                assert!(driven.spent.tokens.input > 500, "{:?}", driven.spent);
                let body = driven.requests[0].body.to_string();
                let in_prompt = body.contains("It must fit this JSON Schema");
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
fn an_estimate_of_what_was_sent_includes_the_form_of_the_answer() {
    let behaviours: [(&str, &[Behaviour]); 1] = [("judge", &[Behaviour::GoodUncounted])];
    let driven = Case::new(Api::OpenAi, &behaviours).drive();
    let body = &driven.requests[0].body;
    let messages = body["messages"].as_array().unwrap().iter();
    let words = messages.map(|message| usual_tokens(message["content"].as_str().unwrap()));
    let form = &body["response_format"]["json_schema"]["schema"];
    assert!(form.is_object(), "{body}");
    let sent = words.sum::<u64>() + usual_tokens(&form.to_string());
    assert_eq!(driven.spent.tokens.input, sent);
}

#[test]
fn after_repeated_failure_the_fall_back_takes_the_seat() {
    for behaviour in [
        Behaviour::RateLimit,
        Behaviour::Stall,
        Behaviour::Unauthorised,
        Behaviour::Refusal,
        Behaviour::TooLong,
    ] {
        let behaviours: [(&str, &[Behaviour]); 2] =
            [("first", &[behaviour]), ("second", &[Behaviour::Good])];
        let mut case = Case::new(Api::OpenAi, &behaviours);
        case.models = &["first", "second"];
        let driven = case.drive();
        assert_eq!(driven.outcome.status, Status::Accepted, "{behaviour:?}");
        assert_eq!(
            driven.outcome.verdicts[0].judge().model,
            "loop/second",
            "{behaviour:?}"
        );
    }
}

#[test]
fn a_failure_that_passes_is_asked_again() {
    for behaviour in [
        Behaviour::RateLimit,
        Behaviour::ServerError,
        Behaviour::Reset,
        Behaviour::Stall,
        Behaviour::CutMidway,
        Behaviour::Empty,
    ] {
        for api in APIS {
            let driven = Case::new(api, &[("judge", &[behaviour, Behaviour::Good])]).drive();
            assert_eq!(
                driven.outcome.status,
                Status::Accepted,
                "{behaviour:?}, {api:?}"
            );
            assert_eq!(driven.requests.len(), 2);
            let again = driven
                .events
                .iter()
                .any(|event| event.kind.name() == "asked_again");
            assert!(again, "{behaviour:?}, {api:?}");
        }
    }
}

#[test]
fn what_a_model_does_not_take_is_put_otherwise_at_no_cost() {
    for (api, behaviour) in [
        (Api::OpenAi, Behaviour::NoSchema),
        (Api::Anthropic, Behaviour::NoSchema),
        (Api::Gemini, Behaviour::NoSchema),
        (Api::OpenAi, Behaviour::NoMaxTokens),
    ] {
        let driven = Case::new(api, &[("judge", &[behaviour])]).drive();
        assert_eq!(
            driven.outcome.status,
            Status::Accepted,
            "{behaviour:?}, {api:?}"
        );
        assert_eq!(driven.requests.len(), 2, "{behaviour:?}, {api:?}");
        assert_eq!(driven.spent.calls, 1);
    }
}

#[test]
fn an_answer_without_end_is_given_up_in_time() {
    let mut case = Case::new(Api::OpenAi, &[("judge", &[Behaviour::Drip])]);
    case.timeouts.deadline = Duration::from_millis(200);
    let driven = case.drive();
    let unscored = driven.outcome.unscored.unwrap();
    assert_eq!(unscored.reason, Reason::CallFailed);
    assert!(
        unscored.message.contains("no whole response within 200 ms"),
        "{}",
        unscored.message
    );
    // What was received until then is counted.
    assert!(driven.spent.estimated && driven.spent.tokens.output > 0);
}

#[test]
fn the_limit_of_the_process_is_kept_over_all_runs() {
    let mut case = Case::new(Api::OpenAi, &[("judge", &[Behaviour::Good])]);
    case.limits.tokens = Some(1_000);
    let driven = case.drive();
    let message = driven.outcome.unscored.unwrap().message;
    assert!(
        message.contains("this process may use 1000 tokens"),
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
        let server = FakeProvider {
            address: free.local_addr().unwrap().to_string(),
            log: Arc::default(),
        };
        drop(free);
        let providers = Providers::new(vec![server.connection(Api::OpenAi)], timeouts()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let context = DriverContext {
            model: Arc::new(providers),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Unattended),
            in_flight: 4,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        driver::drive(
            Run::new(setup, Time(0)),
            Journal::create(&folder.path().join("run.jsonl"), &header()).unwrap(),
            Recorded::default(),
            &context,
            &mut |_| {},
            std::future::pending(),
        )
        .await
        .unwrap()
    });
    let message = outcome.unscored.unwrap().message;
    assert!(
        message.contains("cannot connect to 127.0.0.1:"),
        "{message}"
    );
    assert!(message.contains("connection refused"), "{message}");
}

#[test]
fn giving_a_run_up_closes_its_calls() {
    for behaviour in [Behaviour::Stall, Behaviour::StallMidway] {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let setup = setup(seats(&["judge"]), Mode::FullAuto);
            let text_id = setup.inspected.document.source().version().to_string();
            let server =
                FakeProvider::open(Api::OpenAi, &text_id, &[("judge", &[behaviour])]).await;
            let timeouts = Timeouts {
                stall: Duration::from_secs(600),
                ..timeouts()
            };
            let providers =
                Arc::new(Providers::new(vec![server.connection(Api::OpenAi)], timeouts).unwrap());
            let context = DriverContext {
                model: providers.clone(),
                clock: Arc::new(JumpingClock::default()),
                human: Arc::new(Unattended),
                in_flight: 4,
                patchers_in_flight: PATCHERS_IN_FLIGHT,
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
                &context,
                &mut |_| {},
                asked,
            )
            .await;
            assert!(result.is_err(), "{behaviour:?}");
            // The provider notices that the client is gone.
            while server.log.lock().unwrap().gone == 0 {
                tokio::task::yield_now().await;
            }
            // The prompt that was sent is charged.
            assert!(providers.spent().tokens.input > 0);
        });
    }
}

#[test]
fn a_model_that_is_being_loaded_is_waited_for() {
    let loading = [Behaviour::Loading, Behaviour::Loading, Behaviour::Good];
    let driven = Case::new(Api::OpenAi, &[("judge", &loading)]).drive();
    assert_eq!(driven.requests.len(), 3);
    assert_eq!(driven.outcome.status, Status::Accepted);
    // The run did not notice, and was not charged.
    assert_eq!(driven.spent.calls, 1);
    let asked_again = |event: &Event| event.kind.name() == "asked_again";
    assert!(!driven.events.iter().any(asked_again));
    // Only up to a limit.
    let mut case = Case::new(Api::OpenAi, &[("judge", &[Behaviour::Loading])]);
    case.timeouts.deadline = Duration::from_millis(50);
    let outcome = case.drive().outcome;
    let unscored = outcome.unscored.unwrap();
    assert_eq!(unscored.reason, Reason::CallFailed);
    assert!(
        unscored.message.contains("still loading the model (503)"),
        "{}",
        unscored.message
    );
}

#[test]
fn azure_is_called_by_deployment_and_version_with_its_own_header() {
    let folder = tempfile::tempdir().unwrap();
    let driven = runtime().block_on(
        Case {
            query: Some("api-version=2024-10-21"),
            ..Case::new(Api::OpenAi, &[("judge", &[Behaviour::Good])])
        }
        .run(folder.path()),
    );
    assert_eq!(driven.outcome.status, Status::Accepted);
    let head = driven.requests[0].head.to_lowercase();
    assert!(
        head.starts_with(
            "post /v1/openai/deployments/judge/chat/completions?api-version=2024-10-21 "
        ),
        "{head}"
    );
    assert!(head.contains(&format!("api-key: {CANARY}")), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    assert_no_key(&driven, Behaviour::Good);
}
