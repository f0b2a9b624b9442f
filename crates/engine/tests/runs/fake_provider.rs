//! A local provider that speaks the three protocols over real HTTP, and does everything wrong that
//! a provider can.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redraft_engine::model::connection::{Api, Connection, Secret, Structured};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The key, which must never appear anywhere.
pub(crate) const CANARY: &str = "sk-canary-7f3a9e51c2d84b60";

/// Bytes of a request of about 8,000 tokens.
const SMALL_WINDOW: usize = 24_000;

/// What the provider does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    Good,
    /// A good answer in one piece, although a stream was requested.
    GoodWhole,
    /// A good answer without a count of tokens.
    GoodUncounted,
    RateLimit,
    /// 429, with a wait of two hours.
    RateLimitForHours,
    ServerError,
    /// 503 while the model is loading, in the words of llama.cpp.
    Loading,
    /// The connection is closed without a response.
    Reset,
    Unauthorised,
    Forbidden,
    TooLong,
    /// An error that names the limit while the request is too long; then a good answer.
    SmallWindow,
    /// No response, ever.
    Stall,
    /// The beginning of an answer, then nothing.
    StallMidway,
    /// The beginning of an answer, then the connection is closed.
    CutMidway,
    /// The first half of an answer, and the second half with invalid UTF-8.
    BadUtf8,
    /// The first half of an answer, and the second half as broken JSON.
    BadEvent,
    /// The beginning of an answer, then half an event, then a clean end.
    HalfAnEvent,
    /// A stream that begins with a byte order mark.
    GoodBehindMark,
    /// A stream with the content type of JSON.
    GoodCalledJson,
    /// A complete response with the content type of a stream.
    GoodCalledStream,
    /// An endless answer, a little at a time.
    Drip,
    /// The beginning of an answer, then an error.
    ErrorMidway,
    TruncatedJson,
    WrongSchema,
    Refusal,
    Empty,
    ProseAroundJson,
    Score85,
    AnotherLesson,
    /// 400 that repeats everything sent, including headers and key.
    Echo,
    /// 500 that repeats the same.
    EchoLater,
    /// A good answer that quotes the key.
    EchoInAnswer,
    /// A page of HTML.
    Html,
    /// A redirect.
    Redirect,
    /// 400 about the schema, as long as there is one.
    NoSchema,
    /// 400 about `max_tokens`, as long as the limit has that name.
    NoMaxTokens,
}

/// A request that was received.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// What the provider records.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) requests: Vec<Request>,
    /// Connections that the client closed while waiting for an answer.
    pub(crate) gone: usize,
}

pub(crate) struct FakeProvider {
    pub(crate) address: String,
    pub(crate) log: Arc<Mutex<Log>>,
}

struct Server {
    api: Api,
    text_id: String,
    /// Behaviours by model: one per request, the last for all later ones.
    behaviours: BTreeMap<String, Vec<Behaviour>>,
    log: Arc<Mutex<Log>>,
}

impl FakeProvider {
    /// Must be called within a runtime.
    pub(crate) async fn open(api: Api, text_id: &str, behaviours: &[(&str, &[Behaviour])]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let log = Arc::new(Mutex::new(Log::default()));
        let server = Arc::new(Server {
            api,
            text_id: text_id.to_owned(),
            behaviours: behaviours
                .iter()
                .map(|(model, behaviours)| ((*model).to_owned(), behaviours.to_vec()))
                .collect(),
            log: Arc::clone(&log),
        });
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&server)));
            }
        });
        Self { address, log }
    }

    /// The connection to it.
    pub(crate) fn connection(&self, api: Api) -> Connection {
        connection_to(&self.address, api)
    }
}

pub(crate) async fn receive(stream: &mut TcpStream) -> Option<Request> {
    let (head, body) = receive_bytes(stream).await?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Request { head, body })
}

/// The head of a request, and its body as sent.
pub(crate) async fn receive_bytes(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length: usize = head
        .lines()
        .find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length:")?
                .trim()
                .parse()
                .ok()
        })
        .unwrap_or(0);
    while bytes.len() < end + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some((head, bytes.split_off(end + 4)))
}

async fn serve(mut stream: TcpStream, server: Arc<Server>) {
    while let Some(request) = receive(&mut stream).await {
        let model = server.model(&request);
        let number = {
            let mut log = server.log.lock().unwrap();
            let number = log
                .requests
                .iter()
                .filter(|earlier| server.model(earlier) == model)
                .count();
            log.requests.push(request.clone());
            number
        };
        let behaviours = server
            .behaviours
            .get(&model)
            .or_else(|| server.behaviours.get("*"));
        let behaviour = behaviours
            .and_then(|behaviours| behaviours.get(number).or(behaviours.last()))
            .copied()
            .unwrap_or(Behaviour::Good);
        if perform(&mut stream, &server, behaviour, &request)
            .await
            .is_none()
        {
            return;
        }
    }
}

/// `None` if the connection should be closed.
#[expect(
    clippy::too_many_lines,
    reason = "a list of behaviours, each a line or three"
)]
async fn perform(
    stream: &mut TcpStream,
    server: &Server,
    behaviour: Behaviour,
    request: &Request,
) -> Option<()> {
    let good = verdict(&server.text_id, 1.0);
    let sent = format!("{} {}", request.head, request.body);
    let has_schema = ["response_format", "tools"]
        .iter()
        .any(|name| request.body.get(name).is_some())
        || request.body["generationConfig"]
            .get("responseSchema")
            .is_some();
    let answer = |text: &str, finish| server.events(text, finish, true);
    match behaviour {
        Behaviour::NoSchema if has_schema => {
            let complaint = "response_format: this schema is not supported, nor are tools";
            status(stream, "400 Bad Request", "", &error(complaint)).await
        }
        Behaviour::NoMaxTokens if request.body.get("max_tokens").is_some() => {
            let complaint =
                "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
            status(stream, "400 Bad Request", "", &error(complaint)).await
        }
        Behaviour::SmallWindow if request.body.to_string().len() > SMALL_WINDOW => {
            let complaint = server
                .too_long()
                .replace("10", "8000")
                .replace("12", "20000");
            status(stream, "400 Bad Request", "", &error(&complaint)).await
        }
        Behaviour::Good | Behaviour::NoSchema | Behaviour::NoMaxTokens | Behaviour::SmallWindow => {
            events(stream, &answer(&good, Stop::Done)).await
        }
        Behaviour::GoodUncounted => events(stream, &server.events(&good, Stop::Done, false)).await,
        Behaviour::GoodWhole => status(stream, "200 OK", "", &server.whole(&good)).await,
        Behaviour::RateLimit => {
            let wait = "retry-after: 2\r\n";
            status(stream, "429 Too Many Requests", wait, &error("slow down")).await
        }
        Behaviour::RateLimitForHours => {
            let wait = "retry-after: 7200\r\n";
            status(stream, "429 Too Many Requests", wait, &error("slow down")).await
        }
        Behaviour::Loading => {
            let said = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
            let wait = "retry-after-ms: 3\r\n";
            status(stream, "503 Service Unavailable", wait, &said.to_string()).await
        }
        Behaviour::ServerError => status(stream, "500 Internal Server Error", "", "oops").await,
        Behaviour::Reset => None,
        Behaviour::Unauthorised => {
            let said = error(&format!("Incorrect API key provided: {CANARY}"));
            status(stream, "401 Unauthorized", "", &said).await
        }
        Behaviour::Forbidden => status(stream, "403 Forbidden", "", &error(&sent)).await,
        Behaviour::TooLong => {
            status(stream, "400 Bad Request", "", &error(server.too_long())).await
        }
        Behaviour::Stall => {
            wait_for_client(stream, server).await;
            None
        }
        Behaviour::StallMidway => {
            begin(stream, &answer(&good, Stop::Done)).await?;
            wait_for_client(stream, server).await;
            None
        }
        Behaviour::CutMidway => {
            begin(stream, &answer(&good, Stop::Done)).await?;
            None
        }
        Behaviour::BadUtf8 | Behaviour::BadEvent => {
            head(stream).await?;
            let said = answer(&good, Stop::Done);
            // The second half of the text.
            let spoilt = if server.api == Api::Anthropic { 2 } else { 1 };
            for (index, event) in said.iter().enumerate() {
                let mut bytes = event.clone().into_bytes();
                if index == spoilt && behaviour == Behaviour::BadUtf8 {
                    let middle = bytes.len() / 2;
                    bytes[middle] = 0xff;
                } else if index == spoilt {
                    bytes = event.replace("}\n\n", "\n\n").into_bytes();
                }
                chunk_of(stream, &bytes).await?;
            }
            chunk(stream, "").await
        }
        Behaviour::HalfAnEvent => {
            let said = answer(&good, Stop::Done);
            begin(stream, &said).await?;
            chunk(stream, &said[1][..said[1].len() / 2]).await?;
            chunk(stream, "").await
        }
        Behaviour::GoodBehindMark => {
            let mut said = answer(&good, Stop::Done);
            said[0].insert(0, '\u{feff}');
            events(stream, &said).await
        }
        Behaviour::GoodCalledJson => {
            status(stream, "200 OK", "", &answer(&good, Stop::Done).concat()).await
        }
        Behaviour::GoodCalledStream => {
            head(stream).await?;
            chunk(stream, &server.whole(&good)).await?;
            chunk(stream, "").await
        }
        Behaviour::Drip => {
            begin(stream, &answer(&good, Stop::Done)).await?;
            loop {
                tokio::time::sleep(Duration::from_millis(5)).await;
                if chunk(stream, ": still here\n\n").await.is_none() {
                    server.log.lock().unwrap().gone += 1;
                    return None;
                }
            }
        }
        Behaviour::ErrorMidway => {
            begin(stream, &answer(&good, Stop::Done)).await?;
            let said = json!({"type": "error", "error": {"type": "overloaded_error", "message": format!("busy {sent}")}});
            chunk(stream, &format!("data: {said}\n\n")).await?;
            chunk(stream, "").await
        }
        Behaviour::TruncatedJson => {
            let half = good.floor_char_boundary(good.len() / 2);
            events(stream, &answer(&good[..half], Stop::Length)).await
        }
        Behaviour::WrongSchema => {
            events(
                stream,
                &answer(r#"{"verdict": "good", "stars": 5}"#, Stop::Done),
            )
            .await
        }
        Behaviour::Refusal => {
            let words = "I'm sorry, but I can't help with that.";
            events(stream, &answer(words, Stop::Refusal)).await
        }
        Behaviour::Empty => events(stream, &answer("", Stop::Done)).await,
        Behaviour::ProseAroundJson => {
            let words =
                format!("Sure! Here is my verdict:\n\n```json\n{good}\n```\n\nLet me know!");
            events(stream, &answer(&words, Stop::Done)).await
        }
        Behaviour::Score85 => {
            events(
                stream,
                &answer(&verdict(&server.text_id, 100.0), Stop::Done),
            )
            .await
        }
        Behaviour::AnotherLesson => {
            events(
                stream,
                &answer(&verdict("0123456789abcdef", 1.0), Stop::Done),
            )
            .await
        }
        Behaviour::Echo => status(stream, "400 Bad Request", "", &error(&sent)).await,
        Behaviour::EchoLater => status(stream, "500 Internal Server Error", "", &sent).await,
        Behaviour::EchoInAnswer => {
            let words = good.replace("\"strengths\":[]", &format!("\"strengths\":[\"{CANARY}\"]"));
            assert!(words.contains(CANARY));
            events(stream, &answer(&words, Stop::Done)).await
        }
        Behaviour::Html => {
            let page = format!("<html>{sent}</html>");
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{page}",
                page.len()
            );
            stream.write_all(head.as_bytes()).await.ok()
        }
        Behaviour::Redirect => {
            let place = "location: http://127.0.0.1:9/elsewhere\r\n";
            status(stream, "307 Temporary Redirect", place, "").await
        }
    }
}

/// Why an answer ends.
#[derive(Clone, Copy)]
enum Stop {
    Done,
    Length,
    Refusal,
}

impl Server {
    fn model(&self, request: &Request) -> String {
        if self.api == Api::Gemini {
            let line = request.head.lines().next().unwrap_or_default();
            let name = line
                .split("/models/")
                .nth(1)
                .and_then(|rest| rest.split(':').next());
            return name.unwrap_or_default().to_owned();
        }
        request.body["model"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    fn too_long(&self) -> &'static str {
        match self.api {
            Api::OpenAi => "This model's maximum context length is 10 tokens",
            Api::Anthropic => "prompt is too long: 12 tokens > 10 maximum",
            Api::Gemini => {
                "The input token count (12) exceeds the maximum number of tokens allowed (10)."
            }
        }
    }

    /// The answer as a stream of events.
    fn events(&self, text: &str, stop: Stop, counted: bool) -> Vec<String> {
        let half = text.floor_char_boundary(text.len() / 2);
        let halves = [&text[..half], &text[half..]];
        let mut events: Vec<Value> = Vec::new();
        match self.api {
            Api::OpenAi => {
                events
                    .extend(halves.map(|part| json!({"choices": [{"delta": {"content": part}}]})));
                let reason = match stop {
                    Stop::Done => "stop",
                    Stop::Length => "length",
                    Stop::Refusal => "content_filter",
                };
                events.push(json!({"choices": [{"delta": {}, "finish_reason": reason}]}));
                if counted {
                    events.push(json!({"choices": [], "usage": {"prompt_tokens": 700, "completion_tokens": 90}}));
                }
            }
            Api::Anthropic => {
                let used = if counted {
                    json!({"input_tokens": 700, "output_tokens": 1})
                } else {
                    Value::Null
                };
                events.push(json!({"type": "message_start", "message": {"usage": used}}));
                // The input of a tool is an object; everything else is text.
                let is_input = text.starts_with('{');
                let block = match is_input {
                    true => json!({"type": "tool_use", "name": "reply", "input": {}}),
                    false => json!({"type": "text", "text": ""}),
                };
                let delta = |part: &str| match is_input {
                    true => json!({"type": "input_json_delta", "partial_json": part}),
                    false => json!({"type": "text_delta", "text": part}),
                };
                events.push(
                    json!({"type": "content_block_start", "index": 0, "content_block": block}),
                );
                events.extend(halves.map(
                    |part| json!({"type": "content_block_delta", "index": 0, "delta": delta(part)}),
                ));
                let reason = match stop {
                    Stop::Done if is_input => "tool_use",
                    Stop::Done => "end_turn",
                    Stop::Length => "max_tokens",
                    Stop::Refusal => "refusal",
                };
                let used = if counted {
                    json!({"output_tokens": 90})
                } else {
                    Value::Null
                };
                events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": used}));
                events.push(json!({"type": "message_stop"}));
            }
            Api::Gemini => {
                events.extend(
                    halves.map(
                        |part| json!({"candidates": [{"content": {"parts": [{"text": part}]}}]}),
                    ),
                );
                let reason = match stop {
                    Stop::Done => "STOP",
                    Stop::Length => "MAX_TOKENS",
                    Stop::Refusal => "SAFETY",
                };
                let used = if counted {
                    json!({"promptTokenCount": 700, "candidatesTokenCount": 90})
                } else {
                    Value::Null
                };
                events
                    .push(json!({"candidates": [{"finishReason": reason}], "usageMetadata": used}));
            }
        }
        let mut lines: Vec<String> = events
            .iter()
            .map(|event| format!("data: {event}\n\n"))
            .collect();
        if self.api == Api::OpenAi {
            lines.push("data: [DONE]\n\n".to_owned());
        }
        lines
    }

    /// The answer in one piece.
    fn whole(&self, text: &str) -> String {
        let whole = match self.api {
            Api::OpenAi => {
                json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 700, "completion_tokens": 90}})
            }
            Api::Anthropic => {
                json!({"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "usage": {"input_tokens": 700, "output_tokens": 90}})
            }
            Api::Gemini => {
                json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 700, "candidatesTokenCount": 90}})
            }
        };
        whole.to_string()
    }
}

pub(crate) fn verdict(text_id: &str, times: f64) -> String {
    let scores: serde_json::Map<String, Value> = [
        "learning_objective_alignment",
        "pedagogical_structure",
        "factual_accuracy",
        "clarity_readability",
        "engagement_examples",
        "completeness",
    ]
    .iter()
    .map(|name| ((*name).to_owned(), json!(0.9 * times)))
    .collect();
    json!({"text_id": text_id, "issues": [], "strengths": [], "scores": scores, "overall": 0.9 * times, "confidence": "high"}).to_string()
}

fn error(message: &str) -> String {
    json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string()
}

async fn status(stream: &mut TcpStream, line: &str, headers: &str, body: &str) -> Option<()> {
    let answer = format!(
        "HTTP/1.1 {line}\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await.ok()
}

async fn head(stream: &mut TcpStream) -> Option<()> {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.ok()
}

async fn chunk(stream: &mut TcpStream, text: &str) -> Option<()> {
    chunk_of(stream, text.as_bytes()).await
}

async fn chunk_of(stream: &mut TcpStream, bytes: &[u8]) -> Option<()> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk).await.ok()?;
    stream.flush().await.ok()
}

pub(crate) async fn events(stream: &mut TcpStream, events: &[String]) -> Option<()> {
    head(stream).await?;
    for event in events {
        chunk(stream, event).await?;
    }
    chunk(stream, "").await
}

/// The first two events of an answer.
async fn begin(stream: &mut TcpStream, events: &[String]) -> Option<()> {
    head(stream).await?;
    for event in events.iter().take(2) {
        chunk(stream, event).await?;
    }
    Some(())
}

async fn wait_for_client(stream: &mut TcpStream, server: &Server) {
    let mut byte = [0; 1];
    // Only the end of the connection follows.
    let _ = stream.read(&mut byte).await;
    server.log.lock().unwrap().gone += 1;
}

/// The connection to a local server, with the key that must never be repeated.
pub(crate) fn connection_to(address: &str, api: Api) -> Connection {
    Connection {
        name: "loop".to_owned(),
        api,
        base_url: format!("http://{address}/v1"),
        key: Some(Secret::new(CANARY).named("LOOP_KEY")),
        in_flight: 4,
        structured: Structured::Native,
    }
}
