//! A server that sends exactly the given bytes over real HTTP, and the usual forms of a reply in
//! the three protocols.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use redraft_engine::model::connection::{Api, Connection};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};

use crate::fake_provider::{Request, connection_to, receive};

/// The response to one request.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    pub(crate) status: &'static str,
    pub(crate) headers: String,
    /// The body, sent one piece at a time.
    pub(crate) pieces: Vec<Vec<u8>>,
    pub(crate) end: End,
}

/// How a response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the announced length.
    Whole,
    /// The connection is closed although more was announced.
    Cut,
}

impl Raw {
    pub(crate) fn json(body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: "200 OK",
            headers: "content-type: application/json\r\n".to_owned(),
            pieces: vec![body.into()],
            end: End::Whole,
        }
    }

    pub(crate) fn stream(events: &[Value]) -> Self {
        let lines = events.iter().map(|event| format!("data: {event}\n\n"));
        Self::lines(lines.map(String::into_bytes).collect())
    }

    /// A stream of these bytes.
    pub(crate) fn lines(pieces: Vec<Vec<u8>>) -> Self {
        Self {
            headers: "content-type: text/event-stream\r\n".to_owned(),
            pieces,
            ..Self::json("")
        }
    }

    pub(crate) fn status(status: &'static str, body: &str) -> Self {
        Self {
            status,
            ..Self::json(body)
        }
    }

    pub(crate) fn with(mut self, header: &str) -> Self {
        self.headers.push_str(header);
        self.headers.push_str("\r\n");
        self
    }

    pub(crate) fn cut(mut self) -> Self {
        self.end = End::Cut;
        self
    }

    /// One byte at a time.
    pub(crate) fn dripping(mut self) -> Self {
        let bytes = self.pieces.concat();
        self.pieces = bytes.chunks(1).map(<[u8]>::to_vec).collect();
        self
    }
}

/// Answers a question; the number says how often the model was asked before.
pub(crate) type Answer = dyn Fn(&Question, usize) -> Raw + Send + Sync;

/// A question to a model.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) model: String,
    /// The whole request.
    pub(crate) body: String,
}

impl Question {
    fn of(api: Api, request: &Request) -> Self {
        let line = request.head.lines().next().unwrap_or_default();
        let model = match api {
            Api::Gemini => line
                .split("/models/")
                .nth(1)
                .and_then(|rest| rest.split(':').next())
                .unwrap_or_default(),
            Api::OpenAi | Api::Anthropic => request.body["model"].as_str().unwrap_or_default(),
        };
        Self {
            model: model.to_owned(),
            body: request.body.to_string(),
        }
    }

    /// The id of the text that a judge is asked about.
    pub(crate) fn text_id(&self) -> String {
        let (_, after) = self.body.rsplit_once("text_id is ").unwrap_or_default();
        let is_hex = |c: &char| c.is_ascii_hexdigit();
        after.chars().take_while(is_hex).collect()
    }
}

pub(crate) struct HostileServer {
    address: String,
    pub(crate) asked: Arc<Mutex<Vec<Question>>>,
}

impl HostileServer {
    /// Must be called within a runtime.
    pub(crate) async fn open(api: Api, answer: Arc<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
        let log = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, api, Arc::clone(&answer), Arc::clone(&log)));
            }
        });
        Self { address, asked }
    }

    pub(crate) fn connection(&self, api: Api) -> Connection {
        connection_to(&self.address, api)
    }
}

async fn serve(
    mut stream: TcpStream,
    api: Api,
    answer: Arc<Answer>,
    log: Arc<Mutex<Vec<Question>>>,
) {
    while let Some(request) = receive(&mut stream).await {
        let question = Question::of(api, &request);
        let before = {
            let mut asked = log.lock().unwrap();
            let same = asked.iter().filter(|one| one.model == question.model);
            let before = same.count();
            asked.push(question.clone());
            before
        };
        let raw = answer(&question, before);
        if send(&mut stream, &raw).await.is_none() || raw.end == End::Cut {
            return;
        }
    }
}

async fn send(stream: &mut TcpStream, raw: &Raw) -> Option<()> {
    let mut length: usize = raw.pieces.iter().map(Vec::len).sum();
    if raw.end == End::Cut {
        length += 100;
    }
    let head = format!(
        "HTTP/1.1 {}\r\n{}content-length: {length}\r\n\r\n",
        raw.status, raw.headers
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    for piece in &raw.pieces {
        stream.write_all(piece).await.ok()?;
        if raw.pieces.len() > 1 {
            stream.flush().await.ok()?;
            tokio::task::yield_now().await;
        }
    }
    if raw.end == End::Cut {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    Some(())
}

/// How a reply is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Stream,
    Whole,
}

/// A reply as a correct provider sends it.
pub(crate) fn reply(api: Api, form: Form, text: &str) -> Raw {
    match form {
        Form::Whole => Raw::json(whole(api, text).to_string()),
        Form::Stream => {
            let mut raw = Raw::stream(&events(api, text));
            if api == Api::OpenAi {
                raw.pieces.push(b"data: [DONE]\n\n".to_vec());
            }
            raw
        }
    }
}

/// A reply in one piece.
pub(crate) fn whole(api: Api, text: &str) -> Value {
    match api {
        Api::OpenAi => json!({
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 700, "completion_tokens": 90},
        }),
        Api::Anthropic => json!({
            "type": "message", "role": "assistant",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 700, "output_tokens": 90},
        }),
        Api::Gemini => json!({
            "candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 700, "candidatesTokenCount": 90},
        }),
    }
}

/// A reply as a stream, in thirds.
pub(crate) fn events(api: Api, text: &str) -> Vec<Value> {
    let one = text.floor_char_boundary(text.len() / 3);
    let two = text.floor_char_boundary(text.len() * 2 / 3);
    let thirds = [&text[..one], &text[one..two], &text[two..]];
    match api {
        Api::OpenAi => {
            let words = thirds.map(|part| json!({"choices": [{"index": 0, "delta": {"content": part}, "finish_reason": null}]}));
            let mut events = words.to_vec();
            events.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
            events.push(
                json!({"choices": [], "usage": {"prompt_tokens": 700, "completion_tokens": 90}}),
            );
            events
        }
        Api::Anthropic => {
            // The input of a tool is an object; everything else is text.
            let is_input = text.starts_with('{');
            let (block, reason) = match is_input {
                true => (
                    json!({"type": "tool_use", "name": "reply", "input": {}}),
                    "tool_use",
                ),
                false => (json!({"type": "text", "text": ""}), "end_turn"),
            };
            let delta = |part: &str| match is_input {
                true => json!({"type": "input_json_delta", "partial_json": part}),
                false => json!({"type": "text_delta", "text": part}),
            };
            let mut events = vec![
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 700, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": block}),
            ];
            events.extend(thirds.map(
                |part| json!({"type": "content_block_delta", "index": 0, "delta": delta(part)}),
            ));
            events.push(json!({"type": "content_block_stop", "index": 0}));
            events.push(json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 90}}));
            events.push(json!({"type": "message_stop"}));
            events
        }
        Api::Gemini => {
            let words = thirds.map(|part| json!({"candidates": [{"index": 0, "content": {"parts": [{"text": part}]}}]}));
            let mut events = words.to_vec();
            events.push(json!({"candidates": [{"index": 0, "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 700, "candidatesTokenCount": 90}}));
            events
        }
    }
}
