//! Prompt caching over real HTTP: a local provider that keeps a cache by the rules of each of the
//! three protocols and computes its own bill. The costs that a run, its process and its journal
//! report must match that bill.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use redraft_engine::driver::{self, DriverContext, PATCHERS_IN_FLIGHT, Unattended};
use redraft_engine::journal::{Journal, Recorded};
use redraft_engine::model::connection::{Api, Connection, Secret, Structured};
use redraft_engine::model::limits::{ProcessLimits, ProcessSpent};
use redraft_engine::model::providers::{Providers, Timeouts};
use redraft_run::ask::{CacheTerms, ModelSettings, Role, Time, Tokens};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::Seat;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};

use crate::fake_provider::{Request, events, receive, verdict};
use crate::fixtures::{LESSON, header, setup_of};
use crate::http::{JumpingClock, runtime};

const APIS: [Api; 3] = [Api::OpenAi, Api::Anthropic, Api::Gemini];

/// Shorter prefixes are not cached.
const LEAST: usize = 1_024;

/// What a million tokens cost, in millionths of a dollar.
#[derive(Clone, Copy)]
struct Prices {
    input: u64,
    output: u64,
    read: u64,
    write: u64,
}

/// The providers' pricing: only Anthropic charges for cache writes.
fn prices(api: Api) -> Prices {
    let (read, write) = match api {
        Api::OpenAi => (500_000, 2_000_000),
        Api::Anthropic => (200_000, 2_500_000),
        Api::Gemini => (200_000, 2_000_000),
    };
    Prices {
        input: 2_000_000,
        output: 8_000_000,
        read,
        write,
    }
}

/// Whether the provider reports cached tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reports {
    Cached,
    /// Only input and output tokens; and it charges the full price.
    Nothing,
}

/// What the provider counted for a call.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    plain: usize,
    read: usize,
    written: usize,
    output: usize,
}

struct Server {
    api: Api,
    reports: Reports,
    /// Whether the first request is answered with an error.
    fails_first: bool,
    state: Mutex<ServerState>,
}

#[derive(Default)]
struct ServerState {
    /// Cached prefixes.
    cached: Vec<String>,
    calls: Vec<Counted>,
    /// Requests received, requests answered, and the most that were open before the first answer.
    received: usize,
    answered: usize,
    together_at_first: usize,
}

impl Server {
    /// The prompt in the order in which the provider reads it, and the offsets where it may be cut
    /// for the cache.
    fn prompt(&self, body: &Value) -> (String, Vec<usize>) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let mut prompt = String::new();
        let mut marks = Vec::new();
        match self.api {
            Api::OpenAi => {
                prompt += &body["response_format"].to_string();
                for message in body["messages"].as_array().unwrap() {
                    prompt += &text(&message["content"]);
                }
            }
            Api::Anthropic => {
                prompt += &body["tools"].to_string();
                let user = &body["messages"][0]["content"];
                let plain = [json!({ "text": user })];
                let blocks = [&body["system"], user]
                    .into_iter()
                    .flat_map(|part| part.as_array().map_or(plain.as_slice(), Vec::as_slice));
                for block in blocks {
                    prompt += &text(&block["text"]);
                    if block.get("cache_control").is_some() {
                        marks.push(prompt.len());
                    }
                }
            }
            Api::Gemini => {
                prompt += &text(&body["systemInstruction"]["parts"][0]["text"]);
                prompt += &text(&body["contents"][0]["parts"][0]["text"]);
            }
        }
        (prompt, marks)
    }

    /// Counts a call by the rules of the protocol: a token is four bytes.
    fn count(&self, body: &Value, output: usize) -> Counted {
        let (prompt, marks) = self.prompt(body);
        let all = prompt.len() / 4;
        let mut state = self.state.lock().unwrap();
        let (mut read, mut written) = (0, 0);
        if self.reports == Reports::Cached && self.api == Api::Anthropic {
            // Whole prefixes up to a mark.
            let usable: Vec<usize> = marks.into_iter().filter(|end| end / 4 >= LEAST).collect();
            let known = |end: &&usize| state.cached.iter().any(|known| *known == prompt[..**end]);
            read = usable.iter().filter(known).max().copied().unwrap_or(0) / 4;
            let end = usable.iter().max().copied().unwrap_or(0);
            written = (end / 4).saturating_sub(read);
            let new = usable.iter().map(|end| prompt[..*end].to_owned());
            state.cached.extend(new);
        } else if self.reports == Reports::Cached {
            // The common prefix with an earlier prompt, in steps.
            let common = |known: &String| {
                let same = |(a, b): &(u8, u8)| a == b;
                prompt.bytes().zip(known.bytes()).take_while(same).count() / 4
            };
            let longest = state.cached.iter().map(common).max().unwrap_or(0);
            read = if longest < LEAST {
                0
            } else {
                longest - longest % 128
            };
            state.cached.push(prompt);
        }
        let counted = Counted {
            plain: all - read - written,
            read,
            written,
            output,
        };
        state.calls.push(counted);
        counted
    }

    /// The bill, in millionths of a millionth of a dollar.
    fn bill(&self) -> u128 {
        let prices = prices(self.api);
        let state = self.state.lock().unwrap();
        let of = |tokens: usize, price: u64| tokens as u128 * u128::from(price);
        state
            .calls
            .iter()
            .map(|call| {
                of(call.plain, prices.input)
                    + of(call.read, prices.read)
                    + of(call.written, prices.write)
                    + of(call.output, prices.output)
            })
            .sum()
    }

    fn said(&self, text: &str, call: Counted) -> Vec<String> {
        let reports = self.reports == Reports::Cached;
        let all = call.plain + call.read + call.written;
        let said = match self.api {
            Api::OpenAi => {
                let mut usage = json!({"prompt_tokens": all, "completion_tokens": call.output});
                if reports {
                    usage["prompt_tokens_details"] = json!({"cached_tokens": call.read});
                }
                vec![
                    json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}),
                    json!({"choices": [], "usage": usage}),
                ]
            }
            Api::Anthropic => {
                let mut usage = json!({"input_tokens": call.plain, "output_tokens": 1});
                if reports {
                    usage["cache_read_input_tokens"] = json!(call.read);
                    usage["cache_creation_input_tokens"] = json!(call.written);
                }
                vec![
                    json!({"type": "message_start", "message": {"usage": usage}}),
                    json!({"type": "content_block_start", "content_block": {"type": "tool_use", "name": "reply", "input": {}}}),
                    json!({"type": "content_block_delta", "delta": {"partial_json": text}}),
                    json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": call.output}}),
                    json!({"type": "message_stop"}),
                ]
            }
            Api::Gemini => {
                let mut usage =
                    json!({"promptTokenCount": all, "candidatesTokenCount": call.output});
                if reports && call.read > 0 {
                    usage["cachedContentTokenCount"] = json!(call.read);
                }
                vec![
                    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}], "usageMetadata": usage}),
                ]
            }
        };
        let mut lines: Vec<String> = said
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        if self.api == Api::OpenAi {
            lines.push("data: [DONE]\n\n".to_owned());
        }
        lines
    }
}

async fn serve(mut stream: TcpStream, server: Arc<Server>) {
    use tokio::io::AsyncWriteExt as _;
    while let Some(Request { body, .. }) = receive(&mut stream).await {
        let is_first = {
            let mut state = server.state.lock().unwrap();
            state.received += 1;
            if state.answered == 0 {
                state.together_at_first = state.received;
            }
            state.received == 1
        };
        // Leaves time for requests that would be sent together with the first.
        tokio::time::sleep(std::time::Duration::from_millis(60)).await;
        server.state.lock().unwrap().answered += 1;
        if is_first && server.fails_first {
            let answer = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno";
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
            continue;
        }
        let said = verdict(&text_id(&body), 1.0);
        let counted = server.count(&body, said.len() / 4);
        if events(&mut stream, &server.said(&said, counted))
            .await
            .is_none()
        {
            return;
        }
    }
}

fn text_id(body: &Value) -> String {
    let body = body.to_string();
    let (_, rest) = body.split_once("text_id is ").unwrap();
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

fn model(api: Api) -> ModelSettings {
    let prices = prices(api);
    ModelSettings {
        provider: "loop".to_owned(),
        model: "judge".to_owned(),
        temperature_hundredths: 0,
        max_tokens: 2_000,
        price_in: prices.input,
        price_out: prices.output,
        cache: Some(CacheTerms {
            least_tokens: LEAST as u64,
            price_read: prices.read,
            price_write: prices.write,
        }),
    }
}

struct Driven {
    outcomes: Vec<Outcome>,
    spent: ProcessSpent,
    server: Arc<Server>,
}

/// Judges this many lessons concurrently, as for a folder.
async fn judge(
    documents: usize,
    server: Server,
    limits: ProcessLimits,
    run_cost: Option<u64>,
) -> Driven {
    let server = Arc::new(server);
    let api = server.api;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = Arc::clone(&server);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&serving)));
        }
    });
    let connection = Connection {
        name: "loop".to_owned(),
        api,
        base_url: format!("http://{address}/v1"),
        key: Some(Secret::new("sk-not-a-key")),
        in_flight: 8,
        structured: Structured::Native,
    };
    let providers = Providers::new(vec![connection], Timeouts::default()).unwrap();
    let providers = Arc::new(providers.with_limits(limits));
    let folder = tempfile::tempdir().unwrap();
    let runs = (0..documents).map(|number| {
        let text = LESSON.replace("kettle", &format!("kettle {number}"));
        let mut seats = vec![Seat {
            role: Role::JudgeSecondary,
            weight: 1,
            models: vec![model(api)],
            contexts: BTreeMap::new(),
        }];
        seats[0].models[0].provider = "loop".to_owned();
        let mut setup = setup_of(&text, seats, Mode::FullAuto);
        setup.limits.cost = run_cost;
        let journal = folder.path().join(format!("{number}.jsonl"));
        let journal = Journal::create(&journal, &header()).unwrap();
        let context = DriverContext {
            model: providers.clone(),
            clock: Arc::new(JumpingClock::default()),
            human: Arc::new(Unattended),
            in_flight: 4,
            patchers_in_flight: PATCHERS_IN_FLIGHT,
        };
        async move {
            let run = Run::new(setup, Time(0));
            let nothing = Recorded::default();
            let never = std::future::pending();
            driver::drive(run, journal, nothing, &context, &mut |_| {}, never)
                .await
                .unwrap()
        }
    });
    let mut tasks = tokio::task::JoinSet::new();
    let local = tokio::task::LocalSet::new();
    let runs: Vec<_> = runs.collect();
    let outcomes = local
        .run_until(async move {
            for (number, run) in runs.into_iter().enumerate() {
                tasks.spawn_local(async move { (number, run.await) });
            }
            let mut outcomes = tasks.join_all().await;
            outcomes.sort_by_key(|(number, _)| *number);
            outcomes.into_iter().map(|(_, outcome)| outcome).collect()
        })
        .await;
    Driven {
        outcomes,
        spent: providers.spent(),
        server,
    }
}

fn server(api: Api, reports: Reports) -> Server {
    Server {
        api,
        reports,
        fails_first: false,
        state: Mutex::default(),
    }
}

impl Driven {
    fn spent_by_runs(&self) -> (Tokens, u64) {
        let spent = self
            .outcomes
            .iter()
            .flat_map(|outcome| outcome.spent.values());
        spent.fold((Tokens::default(), 0), |(tokens, cost), spent| {
            (tokens.plus(spent.tokens), cost + spent.cost_micros)
        })
    }

    /// Compares with the bill, in millionths of a dollar. The cost of every call may be rounded up.
    fn assert_cost_is_the_bill(&self, case: &str) {
        let (tokens, cost) = self.spent_by_runs();
        let calls = self.server.state.lock().unwrap().calls.len() as u128;
        let bill = self.server.bill().div_ceil(1_000_000);
        assert!(
            (bill..=bill + calls).contains(&u128::from(cost)),
            "{case}: {cost}, billed {bill}"
        );
        assert_eq!(
            (tokens, cost),
            (self.spent.tokens, self.spent.cost_micros),
            "{case}"
        );
    }
}

#[test]
fn every_document_after_the_first_reads_the_constant_part_from_the_cache() {
    for api in APIS {
        let driven = runtime().block_on(judge(
            5,
            server(api, Reports::Cached),
            ProcessLimits::default(),
            None,
        ));
        let case = format!("{api:?}");
        for outcome in &driven.outcomes {
            assert_eq!(outcome.status, Status::Accepted, "{case}: {outcome:?}");
        }
        driven.assert_cost_is_the_bill(&case);
        let state = driven.server.state.lock().unwrap();
        assert_eq!(
            state.together_at_first, 1,
            "{case}: the first goes ahead alone"
        );
        let hits = state.calls.iter().filter(|call| call.read >= LEAST).count();
        assert_eq!(hits, 4, "{case}: {:?}", state.calls);
        let writes = state.calls.iter().filter(|call| call.written > 0).count();
        assert_eq!(writes, usize::from(api == Api::Anthropic), "{case}");
        drop(state);
        let (tokens, _) = driven.spent_by_runs();
        assert!(
            tokens.cached_input >= 4 * LEAST as u64,
            "{case}: {tokens:?}"
        );
        let json = serde_json::to_value(&driven.outcomes[4]).unwrap();
        assert!(
            json["spent"]["judge_secondary"]["cached_input"].as_u64() >= Some(LEAST as u64),
            "{case}: {}",
            json["spent"]
        );
    }
}

#[test]
fn a_provider_that_reports_nothing_costs_the_full_price() {
    for api in APIS {
        let driven = runtime().block_on(judge(
            3,
            server(api, Reports::Nothing),
            ProcessLimits::default(),
            None,
        ));
        driven.assert_cost_is_the_bill(&format!("{api:?}"));
        let (tokens, _) = driven.spent_by_runs();
        assert_eq!((tokens.cached_input, tokens.cache_write), (0, 0), "{api:?}");
    }
}

#[test]
fn a_first_call_that_fails_keeps_nobody_from_asking() {
    for api in APIS {
        let failing = Server {
            fails_first: true,
            ..server(api, Reports::Cached)
        };
        let driven = runtime().block_on(judge(4, failing, ProcessLimits::default(), None));
        let judged = driven
            .outcomes
            .iter()
            .filter(|outcome| outcome.score.is_some());
        assert_eq!(judged.count(), 3, "{api:?}");
        driven.assert_cost_is_the_bill(&format!("{api:?}"));
    }
}

#[test]
fn limits_never_count_on_a_cache() {
    for api in APIS {
        let free = runtime().block_on(judge(
            1,
            server(api, Reports::Cached),
            ProcessLimits::default(),
            None,
        ));
        let document = setup_of(LESSON, Vec::new(), Mode::FullAuto);
        assert!(document.seats.is_empty());
        let model = model(api);
        // The cost if the whole prompt were cached, with the longest answer.
        let (used, _) = free.spent_by_runs();
        let hopeful = Tokens {
            cached_input: used.input,
            ..Tokens::new(used.input, u64::from(model.max_tokens))
        };
        let limit = hopeful.cost(&model);
        let starved = runtime().block_on(judge(
            2,
            server(api, Reports::Cached),
            ProcessLimits::default(),
            Some(limit),
        ));
        assert!(
            starved.server.state.lock().unwrap().calls.is_empty(),
            "{api:?}"
        );
        let limits = ProcessLimits {
            tokens: None,
            cost: Some(limit),
        };
        let starved = runtime().block_on(judge(2, server(api, Reports::Cached), limits, None));
        assert!(
            starved.server.state.lock().unwrap().calls.is_empty(),
            "{api:?}"
        );
        assert_eq!(starved.spent, ProcessSpent::default());
    }
}
