//! Traces for an OpenTelemetry collector: a span for each run that is driven and one for
//! each ask, named after the conventions for generative AI. OTLP over HTTP in JSON, without
//! an SDK; off unless an endpoint is given. Spans carry no text.
//!
//! The ids follow from the run, so that the asks of a run are one trace whichever workers
//! made them.

use std::time::Duration;

use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Time};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::hex;
use crate::log;

/// How many spans wait at most; more are dropped, for no run waits for its traces.
const WAITING: usize = 10_000;
const BATCH: usize = 512;
const EVERY: Duration = Duration::from_secs(2);

/// Why traces cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum TracerError {
    #[error("{endpoint} is not the URL of a collector: {error}")]
    Endpoint { endpoint: String, error: String },
    #[error("OTEL_EXPORTER_OTLP_HEADERS: expected name=value,name=value")]
    Headers,
    #[error(transparent)]
    Client(#[from] reqwest::Error),
}

/// Where traces go.
#[derive(Clone, Debug, Default)]
pub struct Tracer(Option<mpsc::Sender<Value>>);

impl Tracer {
    /// Sends traces to a collector, such as `http://127.0.0.1:4318`. `headers` are
    /// `name=value`, separated by commas.
    ///
    /// # Errors
    /// When the endpoint or a header is invalid.
    pub fn to(endpoint: &str, headers: &str) -> Result<Self, TracerError> {
        let url = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        let url = reqwest::Url::parse(&url).map_err(|error| TracerError::Endpoint {
            endpoint: endpoint.to_owned(),
            error: error.to_string(),
        })?;
        let client = client(headers)?;
        let (send, receive) = mpsc::channel(WAITING);
        tokio::spawn(export(client, url, receive));
        Ok(Self(Some(send)))
    }

    /// A run was driven from one time to another.
    pub(crate) fn run(&self, run: &str, (start, end): (Time, Time), ended: &str) {
        let span = Span {
            run,
            id: hex::sha256(format!("{run} {}", start.0).as_bytes()),
            name: "invoke_workflow redraft".to_owned(),
            kind: 1,
            time: (start, end),
            attributes: vec![
                ("gen_ai.operation.name", text("invoke_workflow")),
                ("redraft.run", text(run)),
                ("redraft.ended", text(ended)),
            ],
            error: (ended == "failed").then_some("failed"),
        };
        self.send(&span);
    }

    /// A model was asked.
    pub(crate) fn ask(
        &self,
        run: &str,
        ask: &Ask,
        time: (Time, Time),
        result: &Result<Reply, CallFailure>,
    ) {
        if self.0.is_none() {
            return;
        }
        let mut attributes = vec![
            ("gen_ai.operation.name", text("chat")),
            ("gen_ai.provider.name", text(&ask.model.provider)),
            ("gen_ai.request.model", text(&ask.model.model)),
            (
                "gen_ai.request.max_tokens",
                number(u64::from(ask.model.max_tokens)),
            ),
            ("redraft.run", text(run)),
            ("redraft.ask", text(&ask.id.0)),
            ("redraft.role", text(ask.role.name())),
        ];
        let error = match result {
            Ok(reply) => {
                let finish = match reply.finish {
                    Finish::Stop => "stop",
                    Finish::Length => "length",
                    _ => "other",
                };
                attributes.extend([
                    (
                        "gen_ai.usage.input_tokens",
                        number(reply.usage.tokens.input),
                    ),
                    (
                        "gen_ai.usage.output_tokens",
                        number(reply.usage.tokens.output),
                    ),
                    (
                        "gen_ai.response.finish_reasons",
                        json!({"arrayValue": {"values": [text(finish)]}}),
                    ),
                ]);
                None
            }
            Err(failure) => {
                let kind = match failure.kind {
                    FailureKind::Transient { .. } => "transient",
                    FailureKind::Permanent => "permanent",
                    FailureKind::TooLong => "too_long",
                    FailureKind::OverBudget => "over_budget",
                };
                attributes.push(("error.type", text(kind)));
                Some(kind)
            }
        };
        let span = Span {
            run,
            id: hex::sha256(format!("{run} {} {}", ask.id.0, time.0.0).as_bytes()),
            name: format!("chat {}", ask.model.model),
            kind: 3,
            time,
            attributes,
            error,
        };
        self.send(&span);
    }

    fn send(&self, span: &Span<'_>) {
        if let Some(send) = &self.0 {
            // A full queue or an end of the service loses it.
            let _ = send.try_send(span.json());
        }
    }
}

struct Span<'a> {
    run: &'a str,
    id: String,
    name: String,
    /// 1 internal, 3 client.
    kind: u8,
    time: (Time, Time),
    attributes: Vec<(&'static str, Value)>,
    error: Option<&'static str>,
}

impl Span<'_> {
    fn json(&self) -> Value {
        let trace = hex::sha256(self.run.as_bytes());
        let attributes: Vec<Value> = self
            .attributes
            .iter()
            .map(|(key, value)| json!({"key": key, "value": value}))
            .collect();
        let nanos = |time: Time| format!("{}", u128::from(time.0) * 1_000_000);
        let mut span = json!({
            "traceId": trace.get(..32),
            "spanId": self.id.get(..16),
            "name": self.name,
            "kind": self.kind,
            "startTimeUnixNano": nanos(self.time.0),
            "endTimeUnixNano": nanos(self.time.1),
            "attributes": attributes,
        });
        if let Some(error) = self.error {
            span["status"] = json!({"code": 2, "message": error});
        }
        span
    }
}

fn text(value: &str) -> Value {
    json!({ "stringValue": value })
}

/// OTLP has 64-bit numbers as text.
fn number(value: u64) -> Value {
    json!({"intValue": value.to_string()})
}

fn client(headers: &str) -> Result<reqwest::Client, TracerError> {
    let mut map = HeaderMap::new();
    for pair in headers.split(',').filter(|pair| !pair.trim().is_empty()) {
        let (name, value) = pair.split_once('=').ok_or(TracerError::Headers)?;
        let name = HeaderName::try_from(name.trim()).map_err(|_| TracerError::Headers)?;
        let mut value = HeaderValue::try_from(value.trim()).map_err(|_| TracerError::Headers)?;
        value.set_sensitive(true);
        map.insert(name, value);
    }
    // Fails if the process has a default already, which may stay.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .default_headers(map)
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(10))
        .build()?;
    Ok(client)
}

async fn export(client: reqwest::Client, url: reqwest::Url, mut spans: mpsc::Receiver<Value>) {
    let mut batch = Vec::new();
    while spans.recv_many(&mut batch, BATCH).await > 0 {
        let body = json!({"resourceSpans": [{
            "resource": {"attributes": [
                {"key": "service.name", "value": text("redraft")},
                {"key": "service.version", "value": text(env!("CARGO_PKG_VERSION"))},
            ]},
            "scopeSpans": [{"scope": {"name": "redraft"}, "spans": std::mem::take(&mut batch)}],
        }]});
        let sent = client
            .post(url.clone())
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await;
        let failed = match sent {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(answer.status().to_string()),
            Err(error) => Some(error.without_url().to_string()),
        };
        if let Some(error) = failed {
            log::line("traces_lost", json!({"error": error}));
        }
        tokio::time::sleep(EVERY).await;
    }
}
