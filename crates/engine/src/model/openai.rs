//! Chat completions, the protocol of OpenAI and many others. Knows the format of requests and
//! responses, but sends nothing.

use std::borrow::Cow;

use redraft_run::ask::{Ask, Finish, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::cache_key::cache_key;
use super::failure::ProviderError;
use super::quirks::Quirks;
use super::request::{Message, Temperature};
use super::stream_state::{StreamState, is_given};

/// The path of calls, after the base URL.
pub(super) const PATH: &str = "chat/completions";

/// The path of calls to a deployment of Azure OpenAI, after the address of the resource.
pub(super) fn azure_path(deployment: &str, query: &str) -> String {
    format!("openai/deployments/{deployment}/{PATH}?{query}")
}

/// The request for an ask. `system` includes the schema if that goes into the prompt.
pub(super) fn body(
    ask: &Ask,
    system: &str,
    schema: Option<&Schema>,
    quirks: Quirks,
) -> serde_json::Result<Vec<u8>> {
    let messages = [("system", system), ("user", ask.prompt.user.as_str())]
        .map(|(role, content)| Message { role, content });
    let limit = Some(ask.model.max_tokens);
    let (max_tokens, max_completion_tokens) = if quirks.completion_tokens {
        (None, limit)
    } else {
        (limit, None)
    };
    serde_json::to_vec(&Body {
        model: &ask.model.model,
        messages: messages
            .into_iter()
            .filter(|message| !message.content.is_empty())
            .collect(),
        max_tokens,
        max_completion_tokens,
        temperature: Temperature::of(ask, quirks),
        stream: true,
        stream_options: (!quirks.no_stream_options).then_some(StreamOptions {
            include_usage: true,
        }),
        response_format: schema.map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: NamedSchema {
                name: "reply",
                strict: schema.is_closed(),
                schema: schema.value(),
            },
        }),
        prompt_cache_key: (!quirks.no_cache_marks && !system.is_empty())
            .then(|| cache_key(system, schema.map_or("", Schema::text))),
    })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Temperature>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: NamedSchema<'a>,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a Value,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(default, borrow)]
    choices: Vec<Choice<'a>>,
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
    // How servers and gateways report an error when there are no choices.
    object: Option<Value>,
    message: Option<Value>,
    detail: Option<Value>,
    msg: Option<Value>,
}

impl Chunk<'_> {
    /// Whether it is an error without an `error` field.
    fn is_error(&self) -> bool {
        let messages = [&self.message, &self.detail, &self.msg];
        let has_message = messages.into_iter().flatten().any(Value::is_string);
        let is_named = self.object.as_ref().is_some_and(|name| name == "error");
        self.choices.is_empty() && (is_named || has_message)
    }
}

#[derive(Deserialize)]
struct Choice<'a> {
    /// The index among several answers. Only one was requested.
    index: Option<i64>,
    /// OpenRouter's report about the server behind it.
    error: Option<Value>,
    /// What Azure's filters removed.
    content_filter_results: Option<Value>,
    #[serde(borrow)]
    delta: Option<AnswerPart<'a>>,
    #[serde(borrow)]
    message: Option<AnswerPart<'a>>,
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct AnswerPart<'a> {
    #[serde(borrow)]
    content: Option<Content<'a>>,
    #[serde(borrow)]
    refusal: Option<Cow<'a, str>>,
    // No tool was offered.
    tool_calls: Option<Value>,
    function_call: Option<Value>,
}

impl AnswerPart<'_> {
    fn has_calls(&self) -> bool {
        let calls = [&self.tool_calls, &self.function_call];
        calls.into_iter().flatten().any(is_given)
    }
}

/// Text, or a list of blocks as some providers send it. Only the text of blocks counts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    Blocks(Vec<Value>),
}

impl Content<'_> {
    /// Adds its text to the reply.
    fn append_to(&self, state: &mut StreamState) {
        match self {
            Self::Text(words) => state.text.push_str(words),
            Self::Blocks(blocks) => blocks.iter().for_each(|block| add_block(state, block)),
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self, Self::Text(words) if words == text)
    }

    fn is_empty(&self) -> bool {
        match self {
            Self::Text(words) => words.is_empty(),
            Self::Blocks(blocks) => blocks.is_empty(),
        }
    }
}

fn add_block(state: &mut StreamState, block: &Value) {
    let words = |name: &str| block.get(name).and_then(Value::as_str);
    match words("type") {
        None | Some("text" | "output_text") => match words("text") {
            Some(text) => state.text.push_str(text),
            None => state.is_ambiguous = true,
        },
        Some("refusal") => {
            let why = words("refusal").or_else(|| words("text"));
            state
                .refusal
                .push_str(why.filter(|why| !why.is_empty()).unwrap_or("declined"));
        }
        // Reasoning, and sources that were read for the answer.
        Some(
            "thinking" | "redacted_thinking" | "reasoning" | "reasoning_text" | "summary_text"
            | "reference" | "citation",
        ) => {}
        Some(_) => state.is_ambiguous = true,
    }
}

/// Adds a choice's text. A delta may repeat everything so far, and a message may replace the
/// deltas.
fn add_choice(
    state: &mut StreamState,
    delta: Option<AnswerPart<'_>>,
    message: Option<AnswerPart<'_>>,
) {
    for part in [&delta, &message].into_iter().flatten() {
        state.is_ambiguous |= part.has_calls();
    }
    let (said, beside) = match delta {
        Some(delta) => (Some(delta), message),
        None => (message, None),
    };
    let before = state.text.len();
    if let Some(part) = said {
        if let Some(content) = part.content {
            content.append_to(state);
        }
        if let Some(refusal) = part.refusal {
            state.refusal.push_str(&refusal);
        }
    }
    if let Some(content) = beside.and_then(|part| part.content) {
        let now = state.text.get(before..).unwrap_or_default();
        let agrees = content.is_empty() || content.is(now) || content.is(&state.text);
        state.is_ambiguous |= !agrees;
    }
}

/// Whether a filter removed part of the answer.
fn is_filtered(results: &Value) -> bool {
    let is_true = |result: &Value| result.get("filtered").and_then(Value::as_bool) == Some(true);
    results
        .as_object()
        .is_some_and(|results| results.values().any(is_true))
}

/// Reads an event of a stream or a complete response; they only differ in a field's name.
pub(super) fn read_event(state: &mut StreamState, data: &[u8]) {
    if data.trim_ascii() == b"[DONE]" {
        state.ended = true;
        return;
    }
    let Ok(chunk) = serde_json::from_slice::<Chunk<'_>>(data) else {
        state.reject_event(data);
        return;
    };
    if state.take_error(chunk.error.as_ref(), data) {
        return;
    }
    let mut of_choices = chunk
        .choices
        .iter()
        .filter_map(|choice| choice.error.as_ref());
    if let Some(error) = of_choices.find(|error| is_given(error)) {
        let whole = serde_json::json!({ "error": error });
        state.error = Some(ProviderError::read(&whole.to_string()));
        return;
    }
    if chunk.is_error() {
        state.error = Some(ProviderError::read(&String::from_utf8_lossy(data)));
        return;
    }
    if let Some(usage) = chunk.usage {
        state.count_input(&usage, &["prompt_tokens"]);
        state.count_output(&usage, &["completion_tokens"]);
        count_cache(state, &usage);
    }
    // One answer was requested. If there are several, it is unclear which is meant.
    let is_first = |choice: &Choice<'_>| choice.index.unwrap_or(0) == 0;
    state.is_ambiguous |= chunk.choices.len() > 1 || !chunk.choices.iter().all(is_first);
    let Some(choice) = chunk.choices.into_iter().find(is_first) else {
        return;
    };
    if choice
        .content_filter_results
        .as_ref()
        .is_some_and(is_filtered)
    {
        state.finish_as(Finish::Refusal);
    }
    add_choice(state, choice.delta, choice.message);
    // Some servers send a finish reason with every event, and leave it empty until the end.
    if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
        state.finish_as(match reason.as_ref() {
            "length" => Finish::Length,
            "content_filter" => Finish::Refusal,
            // Servers of open models send "eos" and similar reasons.
            "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "complete" => {
                Finish::Stop
            }
            _ => Finish::Unknown,
        });
    }
}

/// What was read from the cache and written to it; both are part of `prompt_tokens`.
/// DeepSeek and Moonshot have names of their own for the first. Gateways to Anthropic have
/// others for the second: what makes a call dearer is believed under any name.
fn count_cache(state: &mut StreamState, usage: &Value) {
    let details = usage.get("prompt_tokens_details").unwrap_or(&Value::Null);
    let is_given = |field: &str| details.get(field).is_some_and(|tokens| !tokens.is_null());
    match is_given("cached_tokens") {
        true => state.count_cached(details, &["cached_tokens"]),
        false => ["prompt_cache_hit_tokens", "cached_tokens"]
            .iter()
            .for_each(|field| state.count_cached(usage, &[field])),
    }
    let written = [
        (details, "cache_write_tokens"),
        (details, "cache_creation_tokens"),
        (usage, "cache_creation_input_tokens"),
    ];
    let written = written
        .iter()
        .filter_map(|(at, field)| at.get(*field)?.as_u64());
    state.cache_write = written.max().or(state.cache_write);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::fixtures;

    #[test]
    fn requests_keep_their_bytes() {
        let plain = Quirks::default();
        let odd = Quirks {
            completion_tokens: true,
            no_temperature: true,
            no_stream_options: true,
            no_cache_marks: true,
            no_schema_bounds: false,
            schema_in_prompt: false,
        };
        let schema = Schema::new(
            json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false}),
        );
        for (temperature, system, schema, quirks, expected) in [
            (
                70,
                "Be fair.",
                None,
                plain,
                r#"{"model":"m","messages":[{"role":"system","content":"Be fair."},{"role":"user","content":"a \"b\"\\\n\u0001é/"}],"max_tokens":9,"temperature":0.7,"stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"redraft-3c26da64a4948233"}"#,
            ),
            (
                200,
                "",
                Some(&schema),
                plain,
                r#"{"model":"m","messages":[{"role":"user","content":"a \"b\"\\\n\u0001é/"}],"max_tokens":9,"temperature":2,"stream":true,"stream_options":{"include_usage":true},"response_format":{"type":"json_schema","json_schema":{"name":"reply","strict":true,"schema":{"type":"object","properties":{},"required":[],"additionalProperties":false}}}}"#,
            ),
            (
                0,
                "",
                None,
                odd,
                r#"{"model":"m","messages":[{"role":"user","content":"a \"b\"\\\n\u0001é/"}],"max_completion_tokens":9,"stream":true}"#,
            ),
        ] {
            let mut ask = fixtures::ask(system, "a \"b\"\\\n\u{1}é/");
            ask.model.temperature_hundredths = temperature;
            let body = body(&ask, system, schema, quirks).unwrap();
            assert_eq!(String::from_utf8(body).unwrap(), expected);
        }
    }

    fn state(events: &[&str]) -> StreamState {
        StreamState::of(events, read_event)
    }

    #[test]
    fn events_add_up_to_the_reply() {
        let state = state(&[
            r#"{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"delta":{"content":"{\"a\""}}]}"#,
            r#"{"choices":[{"delta":{"content":":1}"}}],"usage":null}"#,
            r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":5}}}"#,
            "[DONE]",
        ]);
        assert_eq!(state.text, "{\"a\":1}");
        assert_eq!(state.finish, Some(Finish::Stop));
        assert_eq!((state.input, state.output), (Some(7), Some(3)));
        assert_eq!(state.cached_input, Some(5));
        assert!(state.ended && state.error.is_none() && state.unreadable.is_none());
    }

    #[test]
    fn text_usage_refusals_and_the_end_may_share_an_event() {
        let word = |word: &str| {
            format!(
                r#"{{"id":"x","choices":[{{"index":0,"delta":{{"content":"{word}"}},"finish_reason":null}}]}}"#
            )
        };
        let end = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"e"},"finish_reason":"length"}]}"#;
        let refusal = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"","refusal":"no"},"finish_reason":null}]}"#;
        let used = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"u"},"finish_reason":null}],"usage":{"prompt_tokens":5}}"#;
        let events = [
            word("a"),
            word("b"),
            word(r#"\"\n\u00e9"#),
            used.to_owned(),
            word("c"),
            word(""),
            refusal.to_owned(),
            word("d"),
            end.to_owned(),
        ];
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let all = state(&events);
        assert_eq!(all.text, "ab\"\né\u{75}cde");
        assert_eq!((all.input, all.refusal.as_str()), (Some(5), "no"));
        assert_eq!(all.finish, Some(Finish::Length));
        assert!(all.unreadable.is_none());
        // Broken JSON is never taken as text.
        let broken = state(&[&word("a"), &word(r#"b" x"#)]);
        assert_eq!(broken.text, "a");
        assert!(broken.unreadable.is_some());
    }

    #[test]
    fn cached_tokens_are_read_from_every_name_and_only_if_that_many_were_sent() {
        for (usage, cached, written) in [
            (r#"{"prompt_tokens_details":{"cached_tokens":5}}"#, 5, 0),
            (
                r#"{"prompt_tokens_details":{"cached_tokens":5,"cache_write_tokens":2}}"#,
                5,
                2,
            ),
            (
                r#"{"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":99}}"#,
                4,
                3,
            ),
            (
                r#"{"prompt_cache_hit_tokens":4,"prompt_cache_miss_tokens":3}"#,
                4,
                0,
            ),
            (r#"{"cached_tokens":3}"#, 3, 0),
            (
                r#"{"prompt_tokens_details":{"cached_tokens":null},"prompt_cache_hit_tokens":4}"#,
                4,
                0,
            ),
            (
                r#"{"prompt_tokens_details":{"cache_write_tokens":2}}"#,
                0,
                2,
            ),
            // Gateways to Anthropic: what makes a call dearer is believed.
            (
                r#"{"prompt_tokens_details":{"cached_tokens":5},"cache_read_input_tokens":5,"cache_creation_input_tokens":2}"#,
                5,
                2,
            ),
            (
                r#"{"prompt_tokens_details":{"cached_tokens":4,"cache_creation_tokens":2,"cache_write_tokens":0}}"#,
                4,
                2,
            ),
            // What makes it cheaper is not, from a field of another protocol.
            (r#"{"cache_read_input_tokens":4}"#, 0, 0),
            // What is not a count is none: full price.
            (r#"{"prompt_tokens_details":{"cached_tokens":"5"}}"#, 0, 0),
            (r#"{"prompt_tokens_details":{"cached_tokens":-5}}"#, 0, 0),
            (r#"{"prompt_tokens_details":{"cached_tokens":5.0}}"#, 0, 0),
            (r#"{"prompt_tokens_details":{"cached_tokens":true}}"#, 0, 0),
            (r#"{"prompt_tokens_details":null}"#, 0, 0),
            // Nor is more than was sent.
            (r#"{"prompt_tokens_details":{"cached_tokens":8}}"#, 0, 0),
            (
                r#"{"prompt_tokens_details":{"cached_tokens":99,"cache_write_tokens":99}}"#,
                0,
                7,
            ),
            ("{}", 0, 0),
        ] {
            let mut usage: Value = serde_json::from_str(usage).unwrap();
            usage["prompt_tokens"] = json!(7);
            usage["completion_tokens"] = json!(3);
            let event = json!({"choices": [], "usage": usage}).to_string();
            let tokens = state(&[&event]).usage(&["", ""], u32::MAX).tokens;
            assert_eq!(
                (tokens.input, tokens.cached_input, tokens.cache_write),
                (7, cached, written),
                "{event}"
            );
        }
        // Without a count of input tokens, cached tokens are ignored.
        let uncounted = r#"{"choices":[],"usage":{"prompt_tokens_details":{"cached_tokens":5}}}"#;
        let usage = state(&[uncounted]).usage(&["some words", ""], u32::MAX);
        assert!(usage.estimated);
        assert_eq!(usage.tokens.cached_input, 0);
    }

    #[test]
    fn an_invalid_count_of_tokens_does_not_discard_the_reply() {
        for (usage, expected) in [
            (
                r#"{"prompt_tokens":7,"completion_tokens":3}"#,
                (Some(7), Some(3)),
            ),
            (
                r#"{"prompt_tokens":-7,"completion_tokens":3}"#,
                (None, Some(3)),
            ),
            (
                r#"{"prompt_tokens":7,"completion_tokens":3.5}"#,
                (Some(7), None),
            ),
            (
                r#"{"prompt_tokens":"7","completion_tokens":null}"#,
                (None, None),
            ),
            (
                r#"{"prompt_tokens":{},"completion_tokens":[]}"#,
                (None, None),
            ),
            (r#""free""#, (None, None)),
            ("[]", (None, None)),
            ("-1.5", (None, None)),
        ] {
            let whole = format!(
                r#"{{"choices":[{{"message":{{"content":"paid"}},"finish_reason":"stop"}}],"usage":{usage}}}"#
            );
            let state = state(&[&whole]);
            assert_eq!(state.text, "paid", "{usage}");
            assert_eq!((state.input, state.output), expected, "{usage}");
            assert!(state.is_whole() && state.unreadable.is_none(), "{usage}");
            let estimated = state.usage(&["a prompt"], 9);
            assert_eq!(
                estimated.estimated,
                expected.0.is_none() || expected.1.is_none()
            );
            assert!(estimated.tokens.input > 0 && estimated.tokens.output > 0);
        }
    }

    #[test]
    fn a_whole_response_is_read_as_well() {
        let state = state(&[
            r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"x"}],"refusal":null},"finish_reason":"length"}],"usage":{"prompt_tokens":1}}"#,
        ]);
        assert_eq!(
            (state.text.as_str(), state.finish),
            ("x", Some(Finish::Length))
        );
        assert_eq!((state.input, state.output), (Some(1), None));
    }

    #[test]
    fn refusals_and_errors_are_told_apart() {
        let refused = state(&[
            r#"{"choices":[{"delta":{"refusal":"I can't"}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#,
        ]);
        assert_eq!(
            (refused.refusal.as_str(), refused.finish),
            ("I can't", Some(Finish::Refusal))
        );
        let broken = state(&[r#"{"error":{"code":502,"message":"upstream"},"choices":[]}"#]);
        assert_eq!(broken.error.unwrap().status, Some(502));
        assert!(state(&["<html>"]).unreadable.is_some());
    }
}
