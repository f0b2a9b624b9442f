//! Batches over real HTTP, against a server for each protocol: asks that wait at the same time are
//! sent together, each gets its own answer, and nothing is submitted twice.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redraft_engine::model::Model as _;
use redraft_engine::model::batch::BatchSettings;
use redraft_engine::model::connection::{Api, Connection};
use redraft_engine::model::providers::Providers;
use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, ModelSettings, Reply, Role, Time};
use redraft_run::policy::Mode;
use redraft_run::run::{Run, Step};
use redraft_run::setup::Seat;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use crate::fake_provider::{CANARY, connection_to, receive_bytes};
use crate::fixtures::{LESSON, setup_of};
use crate::http::{runtime, settings, timeouts};

const APIS: [Api; 2] = [Api::OpenAi, Api::Anthropic];

/// What the server does with a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Does {
    Answers,
    /// It never finishes.
    Works,
    /// The first request of each batch fails, the last has no result.
    FailsSome,
    /// OpenAI rejects the file; Anthropic the request.
    Rejects,
    /// As `Rejects`, but it answers the second batch.
    RejectsFirst,
    /// Every request of the first batch fails, and it answers the second.
    FailsFirst,
    /// The first batch was cancelled before anything was processed.
    CancelsFirst,
    /// It accepts no batch: the key is invalid.
    Refuses,
    /// It accepts batches but does not show them: the key has expired since.
    Hides,
    /// It has lost all earlier batches, but answers new ones.
    Forgets,
    /// It asks for patience three times.
    Busy,
    /// It accepts the first batch, and the connection breaks before it says so.
    Swallows,
    /// It accepts batches and never says so.
    Hangs,
    /// It answers the first submission with an error of its own, and accepts the next one.
    Stumbles,
    /// It takes at most two requests at a time (OpenAI says so only later).
    HasLittleRoom,
    /// The first request has two results that differ, the second a result and an error; and
    /// there is a result that belongs to no request.
    AnswersTwice,
}

#[derive(Default)]
struct Log {
    /// The requests of each batch: id and parameters.
    batches: Vec<Vec<(String, Value)>>,
    /// The file of each, with OpenAI.
    files: Vec<String>,
    lookups: usize,
    /// How often a batch was submitted or a file uploaded.
    posts: usize,
}

struct Server {
    api: Api,
    does: Mutex<Does>,
    log: Mutex<Log>,
    /// The requests of every file.
    file: Mutex<Vec<Vec<(String, Value)>>>,
}

struct Open {
    address: String,
    server: Arc<Server>,
}

impl Open {
    /// Runs a server in its own thread, so that it outlives its clients.
    fn at(api: Api, does: Does) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = Arc::new(Server {
            api,
            does: Mutex::new(does),
            log: Mutex::default(),
            file: Mutex::default(),
        });
        let serving = Arc::clone(&server);
        std::thread::spawn(move || {
            runtime().block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, Arc::clone(&serving)));
                }
            });
        });
        Self { address, server }
    }

    fn connection(&self) -> Connection {
        Connection {
            name: "openai".to_owned(),
            ..connection_to(&self.address, self.server.api)
        }
    }

    fn models(&self, folder: &Path) -> Providers {
        let settings = BatchSettings {
            folder: folder.to_owned(),
            quiet: Duration::from_millis(50),
            pauses: (Duration::from_millis(5), Duration::from_millis(20)),
        };
        let providers = Providers::new(vec![self.connection()], timeouts()).unwrap();
        providers.with_batches(&settings)
    }

    fn batches(&self) -> Vec<usize> {
        let log = self.server.log.lock().unwrap();
        log.batches.iter().map(Vec::len).collect()
    }
}

/// In the place of a status: no answer.
const CLOSES: u16 = 0;
const HANGS: u16 = 1;

async fn serve(mut stream: TcpStream, server: Arc<Server>) {
    while let Some((head, body)) = receive_bytes(&mut stream).await {
        assert!(head.contains(CANARY), "{head}");
        let (status, body) = server.answer(&head, &body);
        match status {
            CLOSES => return,
            HANGS => std::future::pending().await,
            _ => {}
        }
        let patience = if status == 429 {
            "retry-after-ms: 7\r\n"
        } else {
            ""
        };
        let answer = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n{patience}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

impl Server {
    fn answer(&self, head: &str, body: &[u8]) -> (u16, String) {
        let does = *self.does.lock().unwrap();
        let mut words = head.split_whitespace();
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let path = path.strip_prefix("/v1/").unwrap();
        if does == Does::Refuses {
            let error = json!({"error": {"message": "wrong key", "type": "authentication_error"}});
            return (401, error.to_string());
        }
        let posts = {
            let mut log = self.log.lock().unwrap();
            log.posts += usize::from(method == "POST");
            log.posts
        };
        match (method, path) {
            ("POST", _) if does == Does::Busy && posts <= 3 => {
                let error = json!({"error": {"message": "slow down", "type": "rate_limit_error"}});
                (429, error.to_string())
            }
            ("POST", "batches" | "messages/batches")
                if does == Does::Stumbles && self.log.lock().unwrap().lookups == 0 =>
            {
                (500, json!({"error": {"message": "oh dear"}}).to_string())
            }
            ("GET", _) if does == Does::Hides => (
                401,
                json!({"error": {"message": "expired key"}}).to_string(),
            ),
            ("POST", "files") => {
                assert!(head.contains("multipart/form-data; boundary="), "{head}");
                let mut files = self.file.lock().unwrap();
                files.push(lines_of(body));
                let id = format!("file-{}", files.len());
                (200, json!({"id": id, "object": "file"}).to_string())
            }
            ("POST", "batches") => {
                let body: Value = serde_json::from_slice(body).unwrap();
                let file = body["input_file_id"].as_str().unwrap().to_owned();
                let number: usize = file.strip_prefix("file-").unwrap().parse().unwrap();
                assert_eq!(body["endpoint"], "/v1/chat/completions");
                assert_eq!(body["completion_window"], "24h");
                let entries = self.file.lock().unwrap()[number - 1].clone();
                self.accepted(entries, file)
            }
            ("POST", "messages/batches") => {
                let body: Value = serde_json::from_slice(body).unwrap();
                let requests = body["requests"].as_array().unwrap().iter();
                let entries = requests.map(|request| {
                    let id = request["custom_id"].as_str().unwrap().to_owned();
                    (id, request["params"].clone())
                });
                self.accepted(entries.collect(), String::new())
            }
            ("GET", "batches?limit=100" | "messages/batches?limit=100") => (200, self.list(does)),
            ("GET", path) => self.looked_up(path, does),
            other => unreachable!("{other:?}"),
        }
    }

    /// All batches, the last first.
    fn list(&self, does: Does) -> String {
        let mut log = self.log.lock().unwrap();
        log.lookups += 1;
        let mut data = Vec::new();
        for (index, batch) in log.batches.iter().enumerate().rev() {
            let id = format!("batch_{}", index + 1);
            let status = if does == Does::Works {
                "in_progress"
            } else {
                "ended"
            };
            data.push(match self.api {
                Api::Anthropic => {
                    let counts = json!({"processing": batch.len(), "succeeded": 0, "errored": 0});
                    json!({"id": id, "processing_status": status, "request_counts": counts})
                }
                _ => json!({"id": id, "status": "completed", "input_file_id": log.files[index]}),
            });
        }
        json!({"data": data, "has_more": false}).to_string()
    }

    fn accepted(&self, entries: Vec<(String, Value)>, file: String) -> (u16, String) {
        for (id, params) in &entries {
            assert!(id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            assert!(params.get("stream").is_none(), "{params}");
        }
        let mut log = self.log.lock().unwrap();
        log.batches.push(entries);
        log.files.push(file);
        match *self.does.lock().unwrap() {
            Does::Hangs => return (HANGS, String::new()),
            Does::Swallows if log.batches.len() == 1 => return (CLOSES, String::new()),
            _ => {}
        }
        let id = format!("batch_{}", log.batches.len());
        let answer = match self.api {
            Api::Anthropic => json!({"id": id, "processing_status": "in_progress"}),
            _ => json!({"id": id, "status": "validating"}),
        };
        (200, answer.to_string())
    }

    fn looked_up(&self, path: &str, does: Does) -> (u16, String) {
        let mut log = self.log.lock().unwrap();
        log.lookups += 1;
        let number = |path: &str| -> usize {
            let digits = path.split("batch_").nth(1).unwrap();
            let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        if path.ends_with("/results") || path.ends_with("/content") {
            let index = number(path) - 1;
            let does = match does {
                Does::RejectsFirst | Does::FailsFirst if index == 0 => Does::Rejects,
                Does::CancelsFirst if index == 0 => does,
                Does::RejectsFirst | Does::FailsFirst | Does::CancelsFirst => Does::Answers,
                does => does,
            };
            return (200, self.results(&log.batches[index], does));
        }
        let number = number(path);
        if does == Does::Forgets && number == 1 {
            let error = json!({"error": {"message": "no such batch", "type": "not_found_error"}});
            return (404, error.to_string());
        }
        let id = format!("batch_{number}");
        let batch = &log.batches[number - 1];
        let model = |(_, params): &(String, Value)| params["model"].clone();
        let are_mixed = batch.iter().map(model).any(|one| one != model(&batch[0]));
        let answer = match (self.api, does) {
            (Api::OpenAi, _) if are_mixed => {
                let errors = json!({"data": [{"code": "mismatched_model", "message": "the file has several models"}]});
                json!({"id": id, "status": "failed", "errors": errors})
            }
            (Api::OpenAi, Does::HasLittleRoom) if batch.len() > 2 => {
                let errors = json!({"data": [{"code": "token_limit_exceeded", "message": "too much waits"}]});
                json!({"id": id, "status": "failed", "errors": errors})
            }
            (Api::Anthropic, Does::Works) => {
                json!({"id": id, "processing_status": "in_progress"})
            }
            (Api::Anthropic, _) => {
                json!({"id": id, "processing_status": "ended", "results_url": "https://elsewhere.example/x"})
            }
            (_, Does::Works) => json!({"id": id, "status": "in_progress"}),
            (_, Does::CancelsFirst) if number == 1 => {
                json!({"id": id, "status": "cancelled", "output_file_id": null, "error_file_id": null})
            }
            (_, Does::FailsFirst) if number == 1 => {
                json!({"id": id, "status": "completed", "output_file_id": null, "error_file_id": format!("err-{id}")})
            }
            (_, Does::RejectsFirst) if number > 1 => {
                json!({"id": id, "status": "completed", "output_file_id": format!("out-{id}")})
            }
            (_, Does::Rejects | Does::RejectsFirst) => {
                let errors = json!({"data": [{"message": "line 1 is not valid"}]});
                json!({"id": id, "status": "failed", "errors": errors})
            }
            _ => json!({"id": id, "status": "completed", "output_file_id": format!("out-{id}")}),
        };
        (200, answer.to_string())
    }

    /// The results in reverse, because their order must not matter.
    fn results(&self, entries: &[(String, Value)], does: Does) -> String {
        let mut lines = Vec::new();
        for (index, (id, params)) in entries.iter().enumerate() {
            let is_last = index + 1 == entries.len();
            let fails = does == Does::Rejects || (does == Does::FailsSome && index == 0);
            if does == Does::FailsSome && is_last {
                continue;
            }
            let said = said(params);
            let line = match (self.api, fails) {
                (_, false) if does == Does::CancelsFirst => {
                    json!({"custom_id": id, "result": {"type": "canceled"}})
                }
                (Api::Anthropic, true) => {
                    let error =
                        json!({"type": "invalid_request_error", "message": "line 1 is not valid"});
                    json!({"custom_id": id, "result": {"type": "errored", "error": {"type": "error", "error": error}}})
                }
                (Api::Anthropic, false) => {
                    let usage = json!({"input_tokens": 100, "output_tokens": 7});
                    let content = json!([{"type": "text", "text": said}]);
                    let message = json!({"type": "message", "content": content, "stop_reason": "end_turn", "usage": usage});
                    json!({"custom_id": id, "result": {"type": "succeeded", "message": message}})
                }
                (_, true) => {
                    let error = json!({"error": {"message": "line 1 is not valid"}});
                    json!({"custom_id": id, "response": {"status_code": 400, "body": error}})
                }
                (_, false) => {
                    let usage = json!({"prompt_tokens": 100, "completion_tokens": 7});
                    let choice =
                        json!({"index": 0, "message": {"content": said}, "finish_reason": "stop"});
                    let body = json!({"choices": [choice], "usage": usage});
                    json!({"custom_id": id, "response": {"status_code": 200, "body": body}, "error": null})
                }
            };
            lines.push(format!("{line}\n"));
            if does == Does::AnswersTwice && index < 2 {
                let other = line.to_string().replace("kettle number", "kettle, number");
                let error = match self.api {
                    Api::Anthropic => json!({"custom_id": id, "result": {"type": "expired"}}),
                    _ => json!({"custom_id": id, "response": {"status_code": 500, "body": {}}}),
                };
                lines.push(format!(
                    "{}\n",
                    if index == 0 { other } else { error.to_string() }
                ));
                lines.push(format!(
                    "{}\n",
                    line.to_string().replace(id, "nobody-asked-for-it")
                ));
            }
        }
        lines.reverse();
        lines.concat()
    }
}

/// The requests in a form with a file.
fn lines_of(body: &[u8]) -> Vec<(String, Value)> {
    let text = std::str::from_utf8(body).unwrap();
    assert!(text.contains("name=\"purpose\"\r\n\r\nbatch\r\n"), "{text}");
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["method"], "POST");
            assert_eq!(line["url"], "/v1/chat/completions");
            let id = line["custom_id"].as_str().unwrap().to_owned();
            (id, line["body"].clone())
        })
        .collect()
}

/// The model's answer to a request: the kettle that it was asked about.
fn said(params: &Value) -> String {
    let prompt = params["messages"].to_string();
    let at = prompt.find("kettle number ").unwrap();
    prompt[at..].chars().take(15).collect()
}

/// The first ask of a run, about a text with this number.
fn ask(number: usize) -> Ask {
    ask_of("m", number)
}

fn ask_of(model: &str, number: usize) -> Ask {
    let text = LESSON.replace("a kettle", &format!("kettle number {number}"));
    let seat = Seat {
        role: Role::JudgeSecondary,
        weight: 1,
        models: vec![ModelSettings {
            provider: "openai".to_owned(),
            ..settings(model)
        }],
        contexts: std::collections::BTreeMap::new(),
    };
    let mut run = Run::new(setup_of(&text, vec![seat], Mode::FullAuto), Time(0));
    match run.next_step().unwrap() {
        Step::Ask(asks) => asks.into_iter().next().unwrap(),
        other => unreachable!("{other:?}"),
    }
}

/// Asks about several texts at once.
async fn ask_all(models: &Providers, numbers: &[usize]) -> Vec<Result<Reply, CallFailure>> {
    ask_these(models, numbers.iter().map(|number| ask(*number))).await
}

async fn ask_these(
    models: &Providers,
    asks: impl Iterator<Item = Ask>,
) -> Vec<Result<Reply, CallFailure>> {
    let calls: Vec<_> = asks.map(|ask| tokio::spawn(models.ask(&ask))).collect();
    let mut replies = Vec::new();
    for call in calls {
        replies.push(call.await.unwrap());
    }
    replies
}

fn records(folder: &Path) -> usize {
    std::fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn asks_that_wait_together_are_one_batch_and_each_gets_its_own_answer() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Answers);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2, 3, 4, 5]).await;
            for (number, reply) in (1..).zip(replies) {
                let reply = reply.unwrap();
                assert_eq!(reply.text, format!("kettle number {number}"), "{api:?}");
                assert_eq!(reply.finish, Finish::Stop);
                let tokens = reply.usage.tokens;
                assert_eq!((tokens.input, tokens.output), (100, 7));
                assert!(!reply.usage.estimated);
            }
            assert_eq!(open.batches(), [5], "{api:?}");
            // Later asks wait for their own batch.
            ask_all(&models, &[6, 7]).await;
            assert_eq!(open.batches(), [5, 2]);
        });
        assert_eq!(
            records(folder.path()),
            0,
            "{api:?}: all answers were delivered"
        );
    }
}

#[test]
fn a_killed_process_finds_its_batch_again_and_pays_nothing_twice() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        let open = Open::at(api, Does::Works);
        runtime().block_on(async {
            let models = open.models(folder.path());
            let waiting = async { ask_all(&models, &[1, 2, 3]).await };
            let killed = async {
                while open.server.log.lock().unwrap().lookups < 2 {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                _ = waiting => panic!("nothing was answered"),
                () = killed => {}
            }
        });
        assert_eq!(records(folder.path()), 1, "{api:?}");
        let record = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
        let record = std::fs::read_to_string(record.unwrap().path()).unwrap();
        assert!(
            record.contains("batch_1") && !record.contains(CANARY),
            "{record}"
        );
        *open.server.does.lock().unwrap() = Does::Answers;
        runtime().block_on(async {
            let models = open.models(folder.path());
            // One more than before, in a different order.
            let replies = ask_all(&models, &[3, 4, 1, 2]).await;
            let said: Vec<String> = replies.into_iter().map(|one| one.unwrap().text).collect();
            assert_eq!(
                said,
                [3, 4, 1, 2].map(|number| format!("kettle number {number}"))
            );
        });
        assert_eq!(open.batches(), [3, 1], "{api:?}");
    }
}

#[test]
fn what_fails_in_a_batch_fails_alone_and_what_is_rejected_fails_with_its_reason() {
    for api in APIS {
        for (does, failed) in [(Does::FailsSome, 2), (Does::Rejects, 4), (Does::Refuses, 4)] {
            let folder = tempfile::tempdir().unwrap();
            let replies = runtime().block_on(async {
                let open = Open::at(api, does);
                let models = open.models(folder.path());
                ask_all(&models, &[1, 2, 3, 4]).await
            });
            let failures: Vec<CallFailure> = replies.into_iter().filter_map(Result::err).collect();
            assert_eq!(failures.len(), failed, "{api:?} {does:?}");
            let told: Vec<&str> = failures.iter().map(|one| one.message.as_str()).collect();
            let words = match does {
                Does::Refuses => "key",
                _ => "line 1 is not valid",
            };
            assert!(
                told.iter().any(|one| one.contains(words)),
                "{api:?} {told:?}"
            );
            assert!(told.iter().all(|one| !one.contains(CANARY)), "{told:?}");
            if does == Does::Refuses {
                let is_permanent = |one: &CallFailure| one.kind == FailureKind::Permanent;
                assert!(failures.iter().all(is_permanent), "{failures:?}");
                assert_eq!(records(folder.path()), 0, "nothing was submitted");
            }
        }
    }
}

#[test]
fn a_batch_of_which_nothing_is_left_is_submitted_once_more() {
    for api in APIS {
        for does in [Does::RejectsFirst, Does::FailsFirst, Does::Rejects] {
            let folder = tempfile::tempdir().unwrap();
            runtime().block_on(async {
                let open = Open::at(api, does);
                let models = open.models(folder.path());
                let replies = ask_all(&models, &[1, 2]).await;
                assert_eq!(open.batches(), [2, 2], "{api:?} {does:?}");
                for reply in replies {
                    match (does, reply) {
                        (Does::Rejects, Err(failure)) => {
                            assert_eq!(failure.kind, FailureKind::Permanent, "{api:?}");
                        }
                        (Does::RejectsFirst | Does::FailsFirst, Ok(_)) => {}
                        other => unreachable!("{api:?} {other:?}"),
                    }
                }
                // The failed batch cost nothing.
                let paid = if does == Does::Rejects { 0 } else { 200 };
                assert_eq!(models.spent().tokens.input, paid, "{api:?} {does:?}");
            });
            assert_eq!(records(folder.path()), 0, "{api:?} {does:?}");
        }
    }
}

#[test]
fn what_a_cancelled_batch_left_out_may_be_asked_again() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::CancelsFirst);
            let models = open.models(folder.path());
            for reply in ask_all(&models, &[1, 2]).await {
                let kind = reply.unwrap_err().kind;
                assert!(
                    matches!(kind, FailureKind::Transient { .. }),
                    "{api:?} {kind:?}"
                );
            }
            let replies = ask_all(&models, &[1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [2, 2], "{api:?}");
        });
    }
}

#[test]
fn a_paid_batch_that_is_not_shown_is_read_with_the_next_key() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Hides);
            let models = open.models(folder.path());
            for _ in 0..2 {
                let replies = ask_all(&models, &[1, 2]).await;
                assert!(replies.iter().all(Result::is_err), "{api:?} {replies:?}");
            }
            drop(models);
            assert_eq!(records(folder.path()), 1, "{api:?}");
            *open.server.does.lock().unwrap() = Does::Answers;
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [2], "{api:?}");
        });
    }
}

#[test]
fn who_asks_the_same_after_the_answer_is_answered_too() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Answers);
            let models = open.models(folder.path());
            for _ in 0..2 {
                let replies = ask_all(&models, &[1]).await;
                assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            }
        });
    }
}

#[test]
fn a_batch_that_the_provider_has_forgotten_is_submitted_again() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Forgets);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [2, 2], "{api:?}");
        });
    }
}

#[test]
fn a_batch_of_openai_has_one_model() {
    for (api, batches) in [(Api::OpenAi, vec![2, 1]), (Api::Anthropic, vec![3])] {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Answers);
            let models = open.models(folder.path());
            let asks = [ask_of("m", 1), ask_of("m", 2), ask_of("n", 3)];
            let replies = ask_these(&models, asks.into_iter()).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            let mut sizes = open.batches();
            sizes.sort_by_key(|size| std::cmp::Reverse(*size));
            assert_eq!(sizes, batches, "{api:?}");
        });
        assert_eq!(records(folder.path()), 0, "{api:?}");
    }
}

#[test]
fn who_is_asked_for_patience_submits_again() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Busy);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [2], "{api:?}");
        });
    }
}

#[test]
fn a_batch_whose_answer_never_came_is_found_and_not_paid_twice() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Swallows);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2, 3]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [3], "{api:?}");
        });
        assert_eq!(records(folder.path()), 0, "{api:?}");
    }
}

#[test]
fn a_batch_that_never_arrived_is_submitted_again() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Stumbles);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2, 3]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            assert_eq!(open.batches(), [3], "{api:?}");
        });
        assert_eq!(records(folder.path()), 0, "{api:?}");
    }
}

#[test]
fn who_is_killed_while_a_batch_is_submitted_finds_it_and_pays_nothing_twice() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        let open = Open::at(api, Does::Hangs);
        runtime().block_on(async {
            let models = open.models(folder.path());
            let waiting = async { ask_all(&models, &[1, 2, 3]).await };
            let killed = async {
                while open.batches().is_empty() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                _ = waiting => panic!("nothing was answered"),
                () = killed => {}
            }
        });
        assert_eq!(records(folder.path()), 1, "{api:?}");
        // For a while nobody can say what is in it.
        *open.server.does.lock().unwrap() = Does::Works;
        runtime().block_on(async {
            let models = open.models(folder.path());
            let replies = async { ask_all(&models, &[3, 4, 1, 2]).await };
            let done = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                *open.server.does.lock().unwrap() = Does::Answers;
                std::future::pending::<()>().await;
            };
            let replies = tokio::select! {
                replies = replies => replies,
                () = done => unreachable!(),
            };
            let said: Vec<String> = replies.into_iter().map(|one| one.unwrap().text).collect();
            assert_eq!(
                said,
                [3, 4, 1, 2].map(|number| format!("kettle number {number}"))
            );
        });
        assert_eq!(open.batches(), [3, 1], "{api:?}");
        assert_eq!(records(folder.path()), 0, "{api:?}");
    }
}

#[test]
fn what_the_provider_has_no_room_for_is_submitted_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let open = Open::at(Api::OpenAi, Does::HasLittleRoom);
        let models = open.models(folder.path());
        let replies = ask_all(&models, &[1, 2, 3, 4]).await;
        assert!(replies.iter().all(Result::is_ok), "{replies:?}");
        assert_eq!(open.batches(), [4, 2, 2]);
    });
    assert_eq!(records(folder.path()), 0);
}

#[test]
fn of_two_results_that_differ_neither_counts_and_what_nobody_asked_for_is_left() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::AnswersTwice);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2, 3]).await;
            let failures: Vec<&CallFailure> = replies
                .iter()
                .filter_map(|one| one.as_ref().err())
                .collect();
            assert_eq!(failures.len(), 1, "{api:?} {replies:?}");
            assert!(failures[0].message.contains("differ"), "{failures:?}");
            let is_transient =
                |one: &&CallFailure| matches!(one.kind, FailureKind::Transient { .. });
            assert!(failures.iter().all(is_transient), "{failures:?}");
        });
    }
}

#[test]
fn two_runs_with_the_same_question_pay_once() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        runtime().block_on(async {
            let open = Open::at(api, Does::Answers);
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
            let paid = |one: &Reply| (one.usage.tokens.input, one.reused);
            let mut paid: Vec<_> = replies
                .into_iter()
                .flatten()
                .map(|one| paid(&one))
                .collect();
            paid.sort_unstable();
            assert_eq!(paid, [(0, true), (100, false), (100, false)], "{api:?}");
            assert_eq!(models.spent().tokens.input, 200, "{api:?}");
            assert_eq!(open.batches(), [2], "{api:?}");
        });
    }
}

#[test]
fn an_answer_that_nobody_took_is_still_there_for_the_next_process() {
    for api in APIS {
        let folder = tempfile::tempdir().unwrap();
        let open = Open::at(api, Does::Works);
        runtime().block_on(async {
            let models = open.models(folder.path());
            let calls: Vec<_> = [1, 2]
                .map(|number| tokio::spawn(models.ask(&ask(number))))
                .into();
            while open.batches().is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // The runs are interrupted; the answers come all the same.
            for call in &calls {
                call.abort();
            }
            *open.server.does.lock().unwrap() = Does::Answers;
            tokio::time::sleep(Duration::from_millis(300)).await;
        });
        runtime().block_on(async {
            let models = open.models(folder.path());
            let replies = ask_all(&models, &[1, 2]).await;
            assert!(replies.iter().all(Result::is_ok), "{api:?} {replies:?}");
        });
        assert_eq!(open.batches(), [2], "{api:?}");
    }
}
