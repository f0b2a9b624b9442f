//! Classifies what went wrong with a call, and words it for the person who configured the model. A
//! message never contains a key.
//!
//! | the provider says | failure |
//! |---|---|
//! | 400, 413, 422, 500 about the size of the context; any 413 | too long |
//! | 401, 403, or 400 about the key | permanent: the key |
//! | 402, or 429 for lack of credit | permanent: the account |
//! | 404 | permanent: the model's name or the address |
//! | a redirect | permanent: the address; a key is not sent to another host |
//! | 408, 409, 425, 429, 5xx | transient, with the time to wait if given |
//! | 503 about loading the model | waited for (`providers`), then transient |
//! | any other status | permanent |
//! | nothing: not reached, reset, stalled, too slow, cut off | transient |

use std::time::{Duration, SystemTime};

use redraft_run::ask::{CallFailure, FailureKind, Usage};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use thiserror::Error;

use super::connection::Secret;

/// The model that a message is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) provider: &'a str,
    pub(super) model: &'a str,
    /// Host and port only: the rest of the address may contain a password.
    pub(super) host: &'a str,
    pub(super) key: Option<&'a Secret>,
}

impl Target<'_> {
    fn without_key(&self, text: String) -> String {
        match self.key {
            Some(key) => key.redact(text),
            None => text,
        }
    }

    /// The provider's words, for a message. The key is removed before they are shortened, because
    /// half a key would not be recognised.
    fn quoted(&self, words: &str) -> String {
        shortened(&self.without_key(words.to_owned()))
    }
}

/// An error as the provider describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProviderError {
    pub(super) message: String,
    /// Type, code and status, joined.
    pub(super) names: String,
    /// The HTTP status, if there is one.
    pub(super) status: Option<u16>,
    /// How long to wait, in milliseconds.
    pub(super) retry_after: Option<u64>,
    /// The context window in tokens, if the message says so.
    pub(super) context: Option<u64>,
}

/// Why there is no reply.
#[derive(Debug)]
pub(super) enum CallError {
    /// No connection, so nothing was sent.
    Unreachable(String),
    /// The provider sent an error, as a status or in the middle of its response.
    Rejected(ProviderError),
    /// The response was cut off.
    Disconnected(Disconnect),
    /// No byte arrived for this long.
    Stalled(Duration),
    /// No whole response within this time.
    DeadlineExceeded(Duration),
    /// The response does not follow the protocol; this is its beginning.
    InvalidResponse(String),
}

/// How a response was cut off.
#[derive(Debug, Error)]
pub(super) enum Disconnect {
    #[error("{0}")]
    Network(String),
    #[error("it is longer than {megabytes} MB")]
    TooLong { megabytes: usize },
    #[error("the stream ends inside an event")]
    InsideEvent,
    #[error("an event in the middle of the stream is invalid")]
    InvalidEvent,
    #[error("the stream ends before the reply does")]
    InsideReply,
}

impl ProviderError {
    /// Reads the body of an error response: any of the common shapes, or plain text.
    pub(super) fn read(body: &str) -> Self {
        let value: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        // Gemini sends a list if the request asked for a stream.
        let value = value.get(0).unwrap_or(&value);
        let error = value.get("error").unwrap_or(value);
        let message = [
            error.get("message"),
            value.get("message"),
            value.get("detail"),
            Some(error),
        ]
        .into_iter()
        .flatten()
        .find_map(serde_json::Value::as_str)
        .unwrap_or(if value.is_null() { body } else { "" });
        let names: Vec<String> = ["type", "code", "status"]
            .iter()
            .filter_map(|name| error.get(name))
            .map(|name| {
                name.as_str()
                    .map_or_else(|| name.to_string(), str::to_owned)
            })
            .collect();
        let status = error
            .get("code")
            .and_then(serde_json::Value::as_u64)
            .and_then(|code| u16::try_from(code).ok())
            .filter(|code| (400..600).contains(code));
        let delay = error
            .get("details")
            .and_then(serde_json::Value::as_array)
            .into_iter()
            .flatten()
            .find_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s'))
            .and_then(milliseconds);
        let context = error.get("n_ctx").and_then(serde_json::Value::as_u64);
        Self {
            context: context.or_else(|| context_in(message)),
            message: message.to_owned(),
            names: names.join(" "),
            status,
            retry_after: delay,
        }
    }

    /// The HTTP status, or the one that matches an error in the middle of a response.
    fn effective_status(&self) -> u16 {
        if let Some(status) = self.status {
            return status;
        }
        let names = self.names.to_lowercase();
        [
            ("overloaded", 529),
            ("rate_limit", 429),
            ("authentication", 401),
            ("permission", 403),
            ("not_found", 404),
            ("invalid_request", 400),
            ("too_large", 413),
        ]
        .iter()
        .find_map(|(name, status)| names.contains(name).then_some(*status))
        .unwrap_or(500)
    }

    /// Whether the server has not loaded the model yet, so nothing was processed. llama.cpp,
    /// Ollama, vLLM and similar servers report that with 503.
    pub(super) fn is_loading(&self) -> bool {
        const SIGNS: [&str; 5] = [
            "loading model",
            "model is loading",
            "currently loading",
            "still loading",
            "model not loaded",
        ];
        self.effective_status() == 503 && self.says(&SIGNS)
    }

    /// Whether the account has nothing left to pay with.
    pub(super) fn lacks_credit(&self) -> bool {
        let status = self.effective_status();
        status == 402 || status == 429 && self.says(&["insufficient_quota", "credit balance"])
    }

    fn says(&self, signs: &[&str]) -> bool {
        let said = format!("{} {}", self.names, self.message).to_lowercase();
        signs.iter().any(|sign| said.contains(sign))
    }
}

/// The context window, from a provider's message that the prompt is too long. Such messages also
/// contain other numbers, such as the tokens that were sent.
///
/// | a provider says | the number is |
/// |---|---|
/// | maximum context length is 8192 tokens; a limit of 272000 tokens | after these words |
/// | exceeds the available context size (4096 tokens) | after these words |
/// | exceeds the maximum number of tokens allowed (1048576) | after these words |
/// | 208310 tokens > 200000 maximum; 190000 + 20000 > 200000 | after the sign |
/// | too large for model with 32768 maximum context length | before these words |
fn context_in(message: &str) -> Option<u64> {
    const AFTER: [&str; 6] = [
        "maximum context length is",
        "maximum context length of",
        "context size (",
        "limit of",
        "tokens allowed (",
        "> ",
    ];
    const BEFORE: [&str; 2] = [" maximum context length", " token context"];
    /// The plausible range of context windows.
    const SENSIBLE: std::ops::Range<u64> = 256..100_000_000;
    let said = message.to_lowercase();
    let digits = |text: &str| {
        let number: String = text.chars().filter(char::is_ascii_digit).collect();
        number
            .parse()
            .ok()
            .filter(|tokens| SENSIBLE.contains(tokens))
    };
    let is_of_number = |character: char| character.is_ascii_digit() || character == ',';
    let after = AFTER.iter().filter_map(|sign| {
        let (_, rest) = said.split_once(sign)?;
        let rest = rest.trim_start();
        digits(&rest[..rest.find(|c| !is_of_number(c)).unwrap_or(rest.len())])
    });
    let before = BEFORE.iter().filter_map(|sign| {
        let (rest, _) = said.split_once(sign)?;
        digits(rest.rsplit(|c| !is_of_number(c)).next()?)
    });
    after.chain(before).next()
}

/// How long the headers ask to wait, in milliseconds. They give milliseconds, seconds or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let exact = ["retry-after-ms", "x-ms-retry-after-ms"]
        .iter()
        .find_map(|name| text(name)?.trim().parse::<u64>().ok());
    exact.or_else(|| {
        let given = text(RETRY_AFTER.as_str())?.trim();
        milliseconds(given).or_else(|| {
            let until = httpdate::parse_http_date(given).ok()?;
            // By the provider's own clock, if it sends its time.
            let now = text("date")
                .and_then(|date| httpdate::parse_http_date(date).ok())
                .unwrap_or(now);
            let wait = until.duration_since(now).unwrap_or_default();
            u64::try_from(wait.as_millis()).ok()
        })
    })
}

/// Parses seconds, which may have a fraction.
fn milliseconds(seconds: &str) -> Option<u64> {
    let seconds: f64 = seconds.parse().ok()?;
    let wait = Duration::try_from_secs_f64(seconds).ok()?;
    u64::try_from(wait.as_millis()).ok()
}

/// The failure that is reported to the run.
pub(super) fn failure(target: &Target<'_>, error: &CallError, usage: Option<Usage>) -> CallFailure {
    let (kind, what) = match error {
        CallError::Rejected(error) => refused(target, error),
        CallError::Unreachable(why) => (
            FailureKind::Transient { retry_after: None },
            format!(
                "cannot connect to {}: {why}; check that it is running and that `base-url` is right",
                target.host
            ),
        ),
        CallError::Disconnected(why) => (
            FailureKind::Transient { retry_after: None },
            format!("the response broke off: {why}"),
        ),
        CallError::Stalled(time) => (
            FailureKind::Transient { retry_after: None },
            format!(
                "sent nothing for {}; raise stall-seconds under [limits], and seconds-per-call if that is as short",
                seconds(*time)
            ),
        ),
        CallError::DeadlineExceeded(time) => (
            FailureKind::Transient { retry_after: None },
            format!(
                "no whole response within {}; raise seconds-per-call under [limits]",
                seconds(*time)
            ),
        ),
        CallError::InvalidResponse(beginning) => (
            FailureKind::Permanent,
            format!(
                "the response is not of the configured protocol; check `base-url` and `api` of the provider: “{}”",
                target.quoted(beginning)
            ),
        ),
    };
    let message = format!("{}/{}: {what}", target.provider, target.model);
    let context = match error {
        CallError::Rejected(error) if kind == FailureKind::TooLong => error.context,
        _ => None,
    };
    CallFailure {
        kind,
        context,
        message: target
            .key
            .map_or(message.clone(), |key| key.redact(message)),
        usage,
    }
}

fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(2) {
        format!("{} ms", time.as_millis())
    } else {
        format!("{} seconds", time.as_secs())
    }
}

fn refused(target: &Target<'_>, error: &ProviderError) -> (FailureKind, String) {
    const TOO_LONG: [&str; 10] = [
        "context_length_exceeded",
        "exceed_context_size",
        "context length",
        "context window",
        "context size",
        "context limit",
        "prompt is too long",
        "input token count",
        "input is too long",
        "request_too_large",
    ];
    let status = error.effective_status();
    let said = if error.message.is_empty() {
        String::new()
    } else {
        format!(": {}", target.quoted(&error.message))
    };
    let is_too_long =
        matches!(status, 400 | 413 | 422 | 500) && (status == 413 || error.says(&TOO_LONG));
    if is_too_long {
        return (
            FailureKind::TooLong,
            format!("the prompt is too long for this model ({status}){said}"),
        );
    }
    let is_about_key = matches!(status, 401 | 403)
        || status == 400 && error.says(&["api key", "api_key", "api-key"]);
    if is_about_key {
        // The provider's message may contain parts of the key.
        return (FailureKind::Permanent, about_key(target, status));
    }
    if error.lacks_credit() {
        return (
            FailureKind::Permanent,
            format!(
                "the account has no credit left ({status}); top it up or name another model{said}"
            ),
        );
    }
    match status {
        408 | 409 | 425 | 429 | 500..=599 => (
            FailureKind::Transient {
                retry_after: error.retry_after,
            },
            if error.is_loading() {
                "the server is still loading the model (503); raise seconds-per-call under [limits], or try again later".to_owned()
            } else {
                format!("{} ({status}){said}", description(status))
            },
        ),
        404 => (
            FailureKind::Permanent,
            format!(
                "unknown model or address at {} (404); check the model name and `base-url`{said}",
                target.host
            ),
        ),
        300..=399 => (
            FailureKind::Permanent,
            format!(
                "{} redirects to another address ({status}); set `base-url` to the new address",
                target.host
            ),
        ),
        _ => (
            FailureKind::Permanent,
            format!("the provider rejected the request ({status}){said}"),
        ),
    }
}

fn about_key(target: &Target<'_>, status: u16) -> String {
    let Some(key) = target.key else {
        return format!(
            "the provider needs a key ({status}); set its variable or file for `{}` in the configuration",
            target.provider
        );
    };
    let origin = key.origin().map_or_else(
        || format!("the key of `{}` in the configuration", target.provider),
        str::to_owned,
    );
    let what = if status == 403 {
        "the key has no access to this model"
    } else {
        "the provider does not accept the key"
    };
    format!("{what} ({status}); check {origin}")
}

fn description(status: u16) -> &'static str {
    match status {
        408 => "the provider timed out",
        409 | 425 => "the provider asks to try again",
        429 => "too many requests",
        503 | 529 => "the provider is overloaded",
        _ => "the provider failed",
    }
}

/// One short line.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    // A body may be megabytes of HTML.
    let beginning: String = text.chars().take(MOST * 4).collect();
    let joined = beginning.split_whitespace().collect::<Vec<_>>().join(" ");
    let joined = joined.trim_end_matches('.');
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", joined.get(..at).unwrap_or_default()),
        None => joined.to_owned(),
    }
}

/// A failure that no retry can fix.
pub(super) fn permanent(message: String) -> CallFailure {
    CallFailure {
        kind: FailureKind::Permanent,
        message,
        usage: None,
        context: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSIENT: FailureKind = FailureKind::Transient { retry_after: None };

    fn of(status: u16, body: &str) -> CallFailure {
        let key = Secret::new("sk-canary-123456").named("EXAMPLE_KEY");
        let target = Target {
            provider: "example",
            model: "m",
            host: "example.org",
            key: Some(&key),
        };
        let mut error = ProviderError::read(body);
        error.status = Some(status);
        failure(&target, &CallError::Rejected(error), None)
    }

    #[test]
    fn the_context_window_is_read_from_the_message() {
        for (body, context) in [
            (
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8001 in the messages, 1000 in the completion).","code":"context_length_exceeded"}}"#,
                Some(8_192),
            ),
            (
                r#"{"error":{"message":"Input tokens exceed the configured limit of 272,000 tokens. Your messages resulted in 300000 tokens.","code":"context_length_exceeded"}}"#,
                Some(272_000),
            ),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}"#,
                Some(200_000),
            ),
            (
                r#"{"error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length"}}"#,
                Some(200_000),
            ),
            (
                r#"[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
                Some(1_048_576),
            ),
            (
                r#"{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}"#,
                Some(4_096),
            ),
            (
                r#"{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"}}"#,
                Some(4_096),
            ),
            (
                r#"{"message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length"}"#,
                Some(32_768),
            ),
            // No number, or an implausible one.
            (
                r#"{"error":{"message":"This model's maximum context length is 10 tokens"}}"#,
                None,
            ),
            (
                r#"{"error":{"message":"context length exceeded: 99999999999999999999 > 99999999999999999999"}}"#,
                None,
            ),
            (
                r#"{"error":{"message":"the prompt is longer than the context window"}}"#,
                None,
            ),
        ] {
            let failure = of(400, body);
            assert_eq!(
                (failure.kind, failure.context),
                (FailureKind::TooLong, context),
                "{body}"
            );
        }
        // An error about something else says nothing about the context window.
        let busy = of(
            429,
            r#"{"error":{"message":"you are over the limit of 6000 tokens a minute"}}"#,
        );
        assert_eq!(busy.context, None);
    }

    #[test]
    fn every_status_has_its_kind() {
        for (status, body, kind, words) in [
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#,
                FailureKind::TooLong,
                "too long",
            ),
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}"#,
                FailureKind::TooLong,
                "208310",
            ),
            (
                400,
                r#"[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
                FailureKind::TooLong,
                "too long",
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
                FailureKind::TooLong,
                "too long",
            ),
            (413, "", FailureKind::TooLong, "413"),
            (
                400,
                r#"{"error":{"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#,
                FailureKind::Permanent,
                "EXAMPLE_KEY",
            ),
            (
                401,
                "no sk-canary-123456",
                FailureKind::Permanent,
                "check EXAMPLE_KEY",
            ),
            (403, "", FailureKind::Permanent, "no access"),
            (402, "", FailureKind::Permanent, "no credit"),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
                FailureKind::Permanent,
                "no credit",
            ),
            (
                404,
                r#"{"error":"model \"x\" not found"}"#,
                FailureKind::Permanent,
                "model \"x\" not found",
            ),
            (308, "", FailureKind::Permanent, "base-url"),
            (
                400,
                r#"{"detail":"bad Bearer sk-canary-123456"}"#,
                FailureKind::Permanent,
                "bad Bearer [key]",
            ),
            (408, "", TRANSIENT, "408"),
            (409, "", TRANSIENT, "409"),
            (425, "", TRANSIENT, "425"),
            (
                429,
                "slow down",
                TRANSIENT,
                "too many requests (429): slow down",
            ),
            (500, "<html>", TRANSIENT, "failed (500)"),
            (503, "", TRANSIENT, "overloaded"),
            (
                529,
                r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                TRANSIENT,
                "overloaded",
            ),
            (418, "", FailureKind::Permanent, "418"),
        ] {
            let failure = of(status, body);
            assert_eq!(failure.kind, kind, "{status} {body}");
            assert!(
                failure.message.contains(words),
                "{status}: {}",
                failure.message
            );
            assert!(failure.message.starts_with("example/m: "));
            assert!(!failure.message.contains("canary"), "{}", failure.message);
            assert!(failure.message.chars().count() < 420);
        }
    }

    #[test]
    fn a_wait_is_read_in_every_unit() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        for (name, value, expected) in [
            ("retry-after", "2", Some(2_000)),
            ("retry-after", "0.25", Some(250)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:47 GMT", Some(10_000)),
            ("retry-after", "Sun, 06 Nov 1994 08:49:07 GMT", Some(0)),
            ("retry-after", "soon", None),
            ("retry-after", "-1", None),
            ("retry-after", "1e300", None),
            ("retry-after-ms", "1234", Some(1_234)),
            ("other", "1", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            assert_eq!(retry_after(&headers, now), expected, "{name}: {value}");
        }
        let body = r#"{"error":{"code":429,"details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}"#;
        assert_eq!(ProviderError::read(body).retry_after, Some(34_500));
    }

    #[test]
    fn an_error_in_the_middle_of_a_response_has_the_status_of_its_name() {
        for (body, status) in [
            (
                r#"{"error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                529,
            ),
            (r#"{"error":{"code":429,"message":"slow"}}"#, 429),
            (r#"{"error":{"message":"what"}}"#, 500),
        ] {
            assert_eq!(
                ProviderError::read(body).effective_status(),
                status,
                "{body}"
            );
        }
    }
}
