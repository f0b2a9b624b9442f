//! One exchange over HTTP: a request, a response, and everything that can go wrong
//! between them. Knows neither budgets nor retries.
//!
//! Responses are streamed although nothing reads them incrementally: only a stream shows whether a
//! model is thinking or hanging. If no byte arrives for the stall timeout, the call fails, at any
//! point of the response.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use reqwest::header::CONTENT_TYPE;
use reqwest::{RequestBuilder, Response};

use super::connection::Api;
use super::failure::{CallError, Disconnect, ProviderError, retry_after};
use super::sse::{Data, Events};
use super::stream_state::StreamState;
use super::{anthropic, gemini, openai};

/// Longer than any reply. Protects against a server that never stops sending.
const LONGEST_RESPONSE: usize = 32 << 20;
/// Only the beginning of an error page is read.
const LONGEST_ERROR: usize = 64 << 10;

/// Sends a request and reads the response. Everything that was received stays in `state`, even
/// after an error.
pub(super) async fn exchange(
    request: RequestBuilder,
    api: Api,
    stall: Duration,
    state: &mut StreamState,
) -> Result<(), CallError> {
    let sent = tokio::time::timeout(stall, request.send()).await;
    let mut response = sent
        .map_err(|_| CallError::Stalled(stall))?
        .map_err(|error| {
            if error.is_connect() {
                CallError::Unreachable(cause(error))
            } else {
                CallError::Disconnected(Disconnect::Network(cause(error)))
            }
        })?;
    if !response.status().is_success() {
        return Err(CallError::Rejected(provider_error(response, stall).await));
    }
    state.began = true;
    let says_stream = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.contains("event-stream"));
    let declared = if says_stream {
        BodyFormat::Stream
    } else {
        BodyFormat::Whole
    };
    let read_event = match api {
        Api::OpenAi => openai::read_event,
        Api::Anthropic => anthropic::read_event,
        Api::Gemini => gemini::read_event,
    };
    // Ignore everything after the end.
    let read_event = |state: &mut StreamState, data: Data<'_>| match data {
        _ if state.ended => {}
        Data::Usual(data) => read_event(state, data),
        Data::Error(data) => {
            state.error = Some(ProviderError::read(&String::from_utf8_lossy(data)));
        }
    };
    // `whole` collects the response until its format is known.
    let (mut events, mut whole) = (Events::default(), Vec::new());
    let (mut format, mut length) = (None, 0);
    while let Some(bytes) = next(&mut response, stall).await? {
        // By now the prefix of the prompt is in the provider's cache.
        state.first_call = None;
        length += bytes.len();
        if length > LONGEST_RESPONSE {
            return Err(CallError::Disconnected(Disconnect::TooLong {
                megabytes: LONGEST_RESPONSE >> 20,
            }));
        }
        if format == Some(BodyFormat::Stream) {
            events.feed(&bytes, |data| read_event(state, data));
        } else {
            whole.extend_from_slice(&bytes);
            format = format.or_else(|| BodyFormat::of(&whole, declared));
            if format == Some(BodyFormat::Stream) {
                events.feed(without_mark(&whole), |data| read_event(state, data));
            }
        }
        if state.ended || state.error.is_some() {
            drain(&mut response).await;
            break;
        }
    }
    let is_stream = format.unwrap_or(declared) == BodyFormat::Stream;
    let was_unreadable = state.unreadable.is_some();
    if !is_stream {
        read_event(state, Data::Usual(without_mark(&whole)));
    } else if !state.ended {
        events.finish(|data| read_event(state, data));
    }
    if let Some(error) = state.error.take() {
        return Err(CallError::Rejected(error));
    }
    // A response with an unreadable event is invalid, however it ends: the lost text may be
    // essential.
    match state.unreadable.take() {
        Some(_) if is_stream && !was_unreadable => {
            Err(CallError::Disconnected(Disconnect::InsideEvent))
        }
        Some(_) if is_stream && !state.text.is_empty() => {
            Err(CallError::Disconnected(Disconnect::InvalidEvent))
        }
        Some(beginning) => Err(CallError::InvalidResponse(beginning)),
        None if state.is_whole() => Ok(()),
        None if is_stream => Err(CallError::Disconnected(Disconnect::InsideReply)),
        None => Err(CallError::InvalidResponse(
            String::from_utf8_lossy(&whole)
                .chars()
                .take(2_000)
                .collect(),
        )),
    }
}

/// Reads a complete response that did not come from [`exchange`].
pub(super) fn read_whole(
    api: Api,
    state: &mut StreamState,
    response: &[u8],
) -> Result<(), CallError> {
    state.began = true;
    match api {
        Api::OpenAi => openai::read_event(state, response),
        Api::Anthropic => anthropic::read_event(state, response),
        Api::Gemini => gemini::read_event(state, response),
    }
    if let Some(error) = state.error.take() {
        return Err(CallError::Rejected(error));
    }
    match state.unreadable.take() {
        Some(beginning) => Err(CallError::InvalidResponse(beginning)),
        None if state.is_whole() => Ok(()),
        None => Err(CallError::Disconnected(Disconnect::InsideReply)),
    }
}

/// The format of a response. Its first bytes decide rather than its content type, because gateways
/// send streams under any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyFormat {
    Stream,
    Whole,
}

impl BodyFormat {
    /// Detects the format as soon as there are enough bytes.
    fn of(bytes: &[u8], declared: Self) -> Option<Self> {
        const FIELDS: [&[u8]; 5] = [b":", b"id:", b"data:", b"event:", b"retry:"];
        const LONGEST_FIELD: usize = 6;
        let bytes = without_mark(bytes);
        if matches!(bytes.first(), Some(b'{' | b'[')) {
            Some(Self::Whole)
        } else if FIELDS.iter().any(|field| bytes.starts_with(field)) {
            Some(Self::Stream)
        } else if bytes.len() >= LONGEST_FIELD {
            Some(declared)
        } else {
            None
        }
    }
}

/// Skips a byte order mark and leading white space.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// Reads the rest after the last event, so that the connection can be reused. Does not wait for
/// servers that keep it open.
async fn drain(response: &mut Response) {
    const LONGEST: Duration = Duration::from_millis(100);
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    let _ = tokio::time::timeout(LONGEST, rest).await;
}

async fn next(
    response: &mut Response,
    stall: Duration,
) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, CallError> {
    tokio::time::timeout(stall, response.chunk())
        .await
        .map_err(|_| CallError::Stalled(stall))?
        .map_err(|error| CallError::Disconnected(Disconnect::Network(cause(error))))
}

/// The error in a response with an error status.
async fn provider_error(mut response: Response, stall: Duration) -> ProviderError {
    let status = response.status().as_u16();
    let wait = retry_after(response.headers(), SystemTime::now());
    let mut body = Vec::new();
    while body.len() < LONGEST_ERROR {
        // The status is enough if the rest never arrives.
        let Ok(Some(bytes)) = next(&mut response, stall).await else {
            break;
        };
        body.extend_from_slice(&bytes);
    }
    let mut error = ProviderError::read(&String::from_utf8_lossy(&body));
    error.status = Some(status);
    error.retry_after = wait.or(error.retry_after);
    error
}

/// The innermost cause of an error, without the URL.
fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        innermost = inner.to_string();
        source = inner.source();
    }
    innermost
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}
