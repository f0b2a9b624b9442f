//! One exchange over HTTP: a request goes out, an answer comes in, and every way
//! in which it may not. It knows neither budgets nor retries.
//!
//! Answers are streamed, though nobody reads along: only so can a model that
//! thinks for a minute be told from one that hangs. No byte for the time of a
//! stall is a failure, wherever in the answer that is.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use reqwest::header::CONTENT_TYPE;
use reqwest::{RequestBuilder, Response};

use super::connection::Api;
use super::failure::{Complaint, Trouble, retry_after};
use super::heard::Heard;
use super::sse::Events;
use super::{anthropic, gemini, openai};

/// More than any answer; a server that sends on and on is none.
const LONGEST_ANSWER: usize = 32 << 20;
/// Of a refusal only the beginning is read.
const LONGEST_COMPLAINT: usize = 64 << 10;

/// Sends a request and hears the answer out. What was heard stays in `heard`
/// whatever happens.
pub(super) async fn exchange(
    request: RequestBuilder,
    api: Api,
    stall: Duration,
    heard: &mut Heard,
) -> Result<(), Trouble> {
    let sent = tokio::time::timeout(stall, request.send()).await;
    let mut response = sent
        .map_err(|_| Trouble::Stalled(stall))?
        .map_err(|error| {
            let why = cause(error);
            if why.1 {
                Trouble::Unreached(why.0)
            } else {
                Trouble::Broken(why.0)
            }
        })?;
    if !response.status().is_success() {
        return Err(Trouble::Refused(complaint(response, stall).await));
    }
    heard.began = true;
    let says_stream = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.contains("event-stream"));
    let hear = match api {
        Api::OpenAi => openai::hear,
        Api::Anthropic => anthropic::hear,
        Api::Gemini => gemini::hear,
    };
    // What came, as long as it is not known to be a stream.
    let (mut events, mut whole) = (Events::default(), Vec::new());
    let (mut form, mut length) = (None, 0);
    while let Some(bytes) = next(&mut response, stall).await? {
        length += bytes.len();
        if length > LONGEST_ANSWER {
            return Err(Trouble::Broken(format!(
                "it is longer than {} MB",
                LONGEST_ANSWER >> 20
            )));
        }
        if form == Some(Form::Stream) {
            events.feed(&bytes, |data| hear(heard, data));
        } else {
            whole.extend_from_slice(&bytes);
            form = form.or_else(|| Form::of(&whole, says_stream));
            if form == Some(Form::Stream) {
                events.feed(beginning(&whole), |data| hear(heard, data));
            }
        }
        if heard.ended || heard.complaint.is_some() {
            hear_out(&mut response).await;
            break;
        }
    }
    let is_stream = form == Some(Form::Stream) || form.is_none() && says_stream;
    let is_spoilt = heard.unreadable.is_some();
    if !is_stream {
        hear(heard, &whole);
    } else if !heard.ended {
        events.finish(|data| hear(heard, data));
    }
    if let Some(complaint) = heard.complaint.take() {
        return Err(Trouble::Refused(complaint));
    }
    // An answer of which something could not be read is none, however it ends: what
    // was lost may have been what matters.
    match heard.unreadable.take() {
        Some(_) if is_stream && !is_spoilt => Err(Trouble::Broken(
            "the stream ends inside an event".to_owned(),
        )),
        Some(_) if is_stream && !heard.text.is_empty() => Err(Trouble::Broken(
            "a piece in the middle of it cannot be read".to_owned(),
        )),
        Some(beginning) => Err(Trouble::Unreadable(beginning)),
        None if heard.is_whole() => Ok(()),
        None if is_stream => Err(Trouble::Broken("the stream ends in the middle".to_owned())),
        None => Err(Trouble::Unreadable(
            String::from_utf8_lossy(&whole)
                .chars()
                .take(2_000)
                .collect(),
        )),
    }
}

/// How an answer comes. What it looks like counts for more than what it is called:
/// gateways call a stream anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Stream,
    Whole,
}

impl Form {
    /// From the beginning of an answer, once there is enough of it.
    fn of(bytes: &[u8], says_stream: bool) -> Option<Self> {
        const FIELDS: [&[u8]; 5] = [b":", b"id:", b"data:", b"event:", b"retry:"];
        const LONGEST_FIELD: usize = 6;
        let bytes = beginning(bytes);
        if matches!(bytes.first(), Some(b'{' | b'[')) {
            Some(Self::Whole)
        } else if FIELDS.iter().any(|field| bytes.starts_with(field)) {
            Some(Self::Stream)
        } else if bytes.len() >= LONGEST_FIELD {
            Some(if says_stream {
                Self::Stream
            } else {
                Self::Whole
            })
        } else {
            None
        }
    }
}

/// Without what some put before their first word: a mark of the byte order, white
/// space.
fn beginning(bytes: &[u8]) -> &[u8] {
    bytes
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(bytes)
        .trim_ascii_start()
}

/// Reads what little follows the last event, so that the connection can be used
/// again. Some keep it open; they are not waited for.
async fn hear_out(response: &mut Response) {
    const PATIENCE: Duration = Duration::from_millis(100);
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    let _ = tokio::time::timeout(PATIENCE, rest).await;
}

async fn next(
    response: &mut Response,
    stall: Duration,
) -> Result<Option<impl std::ops::Deref<Target = [u8]> + use<>>, Trouble> {
    tokio::time::timeout(stall, response.chunk())
        .await
        .map_err(|_| Trouble::Stalled(stall))?
        .map_err(|error| Trouble::Broken(cause(error).0))
}

/// What a provider says with a status that is no success.
async fn complaint(mut response: Response, stall: Duration) -> Complaint {
    let status = response.status().as_u16();
    let wait = retry_after(response.headers(), SystemTime::now());
    let mut body = Vec::new();
    while body.len() < LONGEST_COMPLAINT {
        // The status alone says enough, should the rest never come.
        let Ok(Some(bytes)) = next(&mut response, stall).await else {
            break;
        };
        body.extend_from_slice(&bytes);
    }
    let mut complaint = Complaint::read(&String::from_utf8_lossy(&body));
    complaint.status = Some(status);
    complaint.retry_after = wait.or(complaint.retry_after);
    complaint
}

/// The innermost reason of an error, without the address, and whether nothing can
/// have been sent.
fn cause(error: reqwest::Error) -> (String, bool) {
    let error = error.without_url();
    let never_sent = error.is_connect();
    let mut innermost = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        innermost = inner.to_string();
        source = inner.source();
    }
    let words = innermost
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase();
    (words, never_sent)
}
