//! The Messages protocol of Anthropic. Knows the format of requests and responses, but sends
//! nothing.
//!
//! A schema is sent as the only tool, which the model must use. Every model supports that, and the
//! reply is the tool's input.

use std::borrow::Cow;

use redraft_run::ask::{Ask, Finish, Schema};
use redraft_text::json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::ProviderError;
use super::quirks::Quirks;
use super::request::{Message, Temperature};
use super::stream_state::{Block, StreamState};

/// The path of calls, after the base URL.
pub(super) const PATH: &str = "messages";

/// The version of the protocol.
pub(super) const VERSION: &str = "2023-06-01";

const TOOL: &str = "reply";

/// The request for an ask. `system` includes the schema if that goes into the prompt.
pub(super) fn body(
    ask: &Ask,
    system: &str,
    schema: Option<&Schema>,
    quirks: Quirks,
) -> serde_json::Result<Vec<u8>> {
    let mark = (!quirks.no_cache_marks).then_some(CacheControl {
        r#type: "ephemeral",
    });
    serde_json::to_vec(&Body {
        model: &ask.model.model,
        max_tokens: ask.model.max_tokens,
        temperature: Temperature::of(ask, quirks).map(Temperature::at_most_one),
        system: (!system.is_empty()).then(|| Content::marked(system, mark)),
        messages: [Message {
            role: "user",
            content: user_content(ask, mark),
        }],
        stream: true,
        tools: schema.map(|schema| {
            [Tool {
                name: TOOL,
                description: "Hands the answer over.",
                input_schema: schema.value(),
            }]
        }),
        tool_choice: schema.map(|_| ToolChoice {
            r#type: "tool",
            name: TOOL,
        }),
    })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Temperature>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Content<'a>>,
    messages: [Message<Content<'a>>; 1],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
}

/// The user message of an ask. The part before the text (specification, sources) is marked for the
/// cache: it is the same when a judge reads the next version of the text, and often for the next
/// text. The text is not marked, because writing it to the cache costs a quarter more and only a
/// retry after a malformed answer would read it again.
fn user_content(ask: &Ask, mark: Option<CacheControl>) -> Content<'_> {
    let (beside, text) = ask.prompt.user.split_at(ask.prompt.before_text());
    if beside.is_empty() || mark.is_none() || !ask.role.is_judge() {
        return Content::Text(&ask.prompt.user);
    }
    Content::Blocks(vec![
        PromptBlock::new(beside, mark),
        PromptBlock::new(text, None),
    ])
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Blocks(Vec<PromptBlock<'a>>),
}

impl<'a> Content<'a> {
    fn marked(text: &'a str, mark: Option<CacheControl>) -> Self {
        match mark {
            Some(_) => Self::Blocks(vec![PromptBlock::new(text, mark)]),
            None => Self::Text(text),
        }
    }
}

#[derive(Serialize)]
struct PromptBlock<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

impl<'a> PromptBlock<'a> {
    fn new(text: &'a str, cache_control: Option<CacheControl>) -> Self {
        Self {
            r#type: "text",
            text,
            cache_control,
        }
    }
}

/// Asks the provider to cache the prompt up to and including the block that contains it.
#[derive(Clone, Copy, Serialize)]
struct CacheControl {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'static str,
    description: &'static str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
struct ToolChoice {
    r#type: &'static str,
    name: &'static str,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<Whole<'a>>,
    #[serde(borrow)]
    delta: Option<Delta<'a>>,
    usage: Option<Value>,
    // A complete response is an event of type `message`.
    #[serde(default, borrow)]
    content: Vec<AnswerBlock<'a>>,
    #[serde(borrow)]
    content_block: Option<AnswerBlock<'a>>,
    index: Option<i64>,
    error: Option<Value>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

/// A block of the answer. Only text and the input of our tool count; thinking and server tools do
/// not.
#[derive(Deserialize)]
struct AnswerBlock<'a> {
    #[serde(borrow)]
    r#type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    input: Option<Value>,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    Text,
    /// A call of the tool that returns the answer.
    Tool,
    /// Not part of the answer.
    Aside,
    /// A call of an unknown tool, or a block without a type.
    Unasked,
}

impl AnswerBlock<'_> {
    fn kind(&self) -> BlockKind {
        match self.r#type.as_deref() {
            Some("text") => BlockKind::Text,
            Some("tool_use") if self.name.as_deref().is_none_or(|name| name == TOOL) => {
                BlockKind::Tool
            }
            Some("tool_use") | None => BlockKind::Unasked,
            Some(_) => BlockKind::Aside,
        }
    }

    /// Sets the kind of block, and adds the text that it starts with.
    fn begin(&self, state: &mut StreamState) -> BlockKind {
        let kind = self.kind();
        match kind {
            BlockKind::Text => state
                .text
                .push_str(self.text.as_deref().unwrap_or_default()),
            BlockKind::Tool => state.tools += 1,
            BlockKind::Aside => {}
            BlockKind::Unasked => state.is_ambiguous = true,
        }
        state.is_ambiguous |= state.tools > 1;
        kind
    }
}

#[derive(Deserialize)]
struct Whole<'a> {
    usage: Option<Value>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    r#type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    partial_json: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

/// Reads one event of a stream, or a whole response.
pub(super) fn read_event(state: &mut StreamState, data: &[u8]) {
    let Ok(event) = serde_json::from_slice::<Event<'_>>(data) else {
        state.reject_event(data);
        return;
    };
    if event.r#type != "error" && state.take_error(event.error.as_ref(), data) {
        return;
    }
    match event.r#type.as_ref() {
        "error" => state.error = Some(ProviderError::read(&String::from_utf8_lossy(data))),
        "message_stop" => state.ended = true,
        "message_start" => {
            state.is_ambiguous |= state.marks_end;
            state.marks_end = true;
            if let Some(message) = event.message {
                used(state, message.usage.as_ref());
                finished(state, message.stop_reason.as_deref());
            }
        }
        "content_block_start" => {
            let Some(block) = event.content_block else {
                return;
            };
            let kind = block.begin(state);
            // The input of a tool follows in later events; here it is empty.
            let input = block.input.as_ref().and_then(Value::as_object);
            state.is_ambiguous |=
                kind == BlockKind::Tool && input.is_some_and(|input| !input.is_empty());
            state.block = Block {
                index: event.index,
                is_aside: kind == BlockKind::Aside,
            };
        }
        "content_block_delta" | "message_delta" => {
            used(state, event.usage.as_ref());
            if let Some(delta) = event.delta {
                let numbers = event.index.zip(state.block.index);
                state.is_ambiguous |= numbers.is_some_and(|(this, open)| this != open);
                let is_thought = delta.r#type.as_deref() == Some("thinking_delta");
                let is_aside = is_thought || state.block.is_aside;
                let said = [delta.text, delta.partial_json].into_iter().flatten();
                for words in said.filter(|_| !is_aside) {
                    state.text.push_str(&words);
                }
                finished(state, delta.stop_reason.as_deref());
            }
        }
        "message" => {
            used(state, event.usage.as_ref());
            for (at, block) in event.content.iter().enumerate() {
                if block.begin(state) == BlockKind::Tool {
                    state.text.push_str(input_of(data, at));
                }
            }
            finished(state, event.stop_reason.as_deref());
        }
        _ => {}
    }
}

/// `input_tokens` leaves out what was read from the cache or written to it, and the cache
/// fields alone do not add up to what was sent. An event that leaves some of them out takes
/// nothing back of what an earlier one said.
fn used(state: &mut StreamState, usage: Option<&Value>) {
    let Some(usage) = usage else { return };
    let is_given = |field: &str| usage.get(field).is_some_and(|tokens| !tokens.is_null());
    if is_given("input_tokens") {
        let cache = ["cache_read_input_tokens", "cache_creation_input_tokens"];
        state.count_cached(usage, &cache[..1]);
        state.count_cache_write(usage, &cache[1..]);
        let parts = usage.get("cache_creation").filter(|_| !is_given(cache[1]));
        if let Some(parts) = parts {
            let kinds = ["ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens"];
            state.count_cache_write(parts, &kinds);
        }
        state.count_input(usage, &["input_tokens"]);
        let is_count = |field: &&str| !is_given(field) || usage[*field].is_u64();
        let others = [state.cached_input, state.cache_write];
        let others = others.into_iter().flatten().fold(0, u64::saturating_add);
        state.input = state
            .input
            .filter(|_| cache.iter().all(is_count))
            .map(|plain| plain.saturating_add(others));
    }
    state.count_output(usage, &["output_tokens"]);
}

/// The input of the tool in the block at index `at`, as the model wrote it. Parsed as a value, it
/// would lose duplicate keys and the notation of numbers.
fn input_of(data: &[u8], at: usize) -> &str {
    let text = std::str::from_utf8(data).unwrap_or_default();
    let whole = json::scan(text, 0..text.len());
    let block = whole
        .root()
        .and_then(|root| root.get("content")?.items().nth(at));
    let input = block.and_then(|block| text.get(block.get("input")?.span()));
    input.unwrap_or_default()
}

fn finished(state: &mut StreamState, reason: Option<&str>) {
    let Some(reason) = reason else { return };
    state.finish_as(match reason {
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refusal,
        "end_turn" | "stop_sequence" => Finish::Stop,
        // A call in a later event would violate the protocol.
        "tool_use" if state.tools > 0 => Finish::Stop,
        _ => Finish::Unknown,
    });
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::Role;
    use serde_json::json;

    use super::*;
    use crate::model::fixtures;

    #[test]
    fn requests_keep_their_bytes() {
        let plain = Quirks::default();
        let odd = Quirks {
            no_temperature: true,
            no_cache_marks: true,
            ..plain
        };
        let schema = Schema::new(json!({"type": "object"}));
        for (temperature, system, schema, quirks, expected) in [
            (
                150,
                "Be fair.",
                None,
                plain,
                r#"{"model":"m","max_tokens":9,"temperature":1,"system":[{"type":"text","text":"Be fair.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"a\n"}],"stream":true}"#,
            ),
            (
                20,
                "",
                Some(&schema),
                plain,
                r#"{"model":"m","max_tokens":9,"temperature":0.2,"messages":[{"role":"user","content":"a\n"}],"stream":true,"tools":[{"name":"reply","description":"Hands the answer over.","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"reply"}}"#,
            ),
            (
                0,
                "Be fair.",
                None,
                odd,
                r#"{"model":"m","max_tokens":9,"system":"Be fair.","messages":[{"role":"user","content":"a\n"}],"stream":true}"#,
            ),
        ] {
            let mut ask = fixtures::ask(system, "a\n");
            ask.model.temperature_hundredths = temperature;
            let body = body(&ask, system, schema, quirks).unwrap();
            assert_eq!(String::from_utf8(body).unwrap(), expected);
        }
    }

    #[test]
    fn what_stands_beside_a_text_is_marked_for_judges_and_the_text_is_not() {
        let user = "<redraft:sources>\ns\n</redraft:sources>\n<redraft:text>\nt\n";
        let mut ask = fixtures::ask("Be fair.", user);
        let sent = |ask: &Ask, quirks| -> Value {
            let body = body(ask, &ask.prompt.system, None, quirks).unwrap();
            serde_json::from_slice::<Value>(&body).unwrap()["messages"][0]["content"].clone()
        };
        let (beside, text) = user.split_at(user.find("<redraft:text>").unwrap());
        assert_eq!(
            sent(&ask, Quirks::default()),
            json!([
                {"type": "text", "text": beside, "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": text},
            ])
        );
        let unmarked = Quirks {
            no_cache_marks: true,
            ..Quirks::default()
        };
        assert_eq!(sent(&ask, unmarked), json!(user));
        ask.role = Role::Patcher;
        assert_eq!(sent(&ask, Quirks::default()), json!(user));
    }

    #[test]
    fn cached_tokens_are_part_of_what_was_sent() {
        let usage = |usage: &str| {
            let start = format!(r#"{{"type":"message_start","message":{{"usage":{usage}}}}}"#);
            let end = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}"#;
            state(&[&start, end]).usage(&["", ""], u32::MAX).tokens
        };
        let tokens = usage(
            r#"{"input_tokens":5,"cache_read_input_tokens":20,"cache_creation_input_tokens":3,"output_tokens":1}"#,
        );
        assert_eq!((tokens.input, tokens.output), (28, 4));
        assert_eq!((tokens.cached_input, tokens.cache_write), (20, 3));
        let silent = usage(r#"{"input_tokens":28,"output_tokens":1}"#);
        assert_eq!(
            (silent.input, silent.cached_input, silent.cache_write),
            (28, 0, 0)
        );
    }

    #[test]
    fn what_a_later_event_leaves_out_is_not_forgotten() {
        let start =
            |usage: &str| format!(r#"{{"type":"message_start","message":{{"usage":{usage}}}}}"#);
        let end = |usage: &str| {
            format!(
                r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{usage}}}"#
            )
        };
        let all = r#"{"input_tokens":5,"cache_read_input_tokens":20,"cache_creation_input_tokens":3,"output_tokens":1}"#;
        for (first, last, expected) in [
            (all, r#"{"input_tokens":5,"output_tokens":4}"#, (28, 20, 3)),
            (
                all,
                r#"{"input_tokens":5,"cache_read_input_tokens":null,"cache_creation_input_tokens":null,"output_tokens":4}"#,
                (28, 20, 3),
            ),
            (
                all,
                r#"{"input_tokens":6,"cache_read_input_tokens":21,"cache_creation_input_tokens":0,"output_tokens":4}"#,
                (27, 21, 0),
            ),
            // Only the parts of what was written.
            (
                r#"{"input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":4}}"#,
                r#"{"output_tokens":4}"#,
                (12, 0, 7),
            ),
            // The sum and its parts are not added.
            (
                r#"{"input_tokens":5,"cache_creation_input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":3}}"#,
                r#"{"output_tokens":4}"#,
                (8, 0, 3),
            ),
        ] {
            let tokens = state(&[&start(first), &end(last)])
                .usage(&["", ""], u32::MAX)
                .tokens;
            assert_eq!(
                (tokens.input, tokens.cached_input, tokens.cache_write),
                expected,
                "{first} {last}"
            );
            assert_eq!(tokens.output, 4);
        }
    }

    fn state(events: &[&str]) -> StreamState {
        StreamState::of(events, read_event)
    }

    #[test]
    fn the_input_of_the_tool_is_the_reply() {
        let state = state(&[
            r#"{"type":"message_start","message":{"id":"x","usage":{"input_tokens":5,"cache_read_input_tokens":20,"output_tokens":1},"stop_reason":null}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"reply","input":{}}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"1"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":", \"b\":"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"2}"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
            r#"{"type":"message_stop"}"#,
        ]);
        assert_eq!(state.text, "{\"a\":1, \"b\":2}");
        assert_eq!((state.input, state.output), (Some(25), Some(9)));
        assert_eq!(state.finish, Some(Finish::Stop));
        assert!(state.ended);
    }

    #[test]
    fn an_invalid_count_of_tokens_does_not_discard_the_reply() {
        for (start, end, expected) in [
            (
                r#"{"input_tokens":5,"output_tokens":1}"#,
                r#"{"output_tokens":9}"#,
                (Some(5), Some(9)),
            ),
            (
                r#"{"input_tokens":-5,"output_tokens":1}"#,
                r#"{"output_tokens":"9"}"#,
                (None, None),
            ),
            (
                r#"{"input_tokens":5,"cache_read_input_tokens":0.5}"#,
                r#"{"output_tokens":2.5}"#,
                (None, None),
            ),
            (
                r#"{"input_tokens":18446744073709551615,"cache_read_input_tokens":1}"#,
                "null",
                (Some(u64::MAX), None),
            ),
            (r#""free""#, "[]", (None, None)),
        ] {
            let start = format!(r#"{{"type":"message_start","message":{{"usage":{start}}}}}"#);
            let end = format!(
                r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{end}}}"#
            );
            let text =
                r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"paid"}}"#;
            let state = state(&[&start, text, &end]);
            assert_eq!(
                (state.text.as_str(), state.finish),
                ("paid", Some(Finish::Stop))
            );
            assert_eq!((state.input, state.output), expected, "{start} {end}");
            assert!(state.unreadable.is_none());
        }
    }

    #[test]
    fn text_refusals_and_errors_are_told_apart() {
        let spoken = state(&[
            r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"No."}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{}}"#,
        ]);
        assert_eq!(
            (spoken.text.as_str(), spoken.finish),
            ("No.", Some(Finish::Refusal))
        );
        let broken = state(&[
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ]);
        assert!(broken.error.unwrap().names.contains("overloaded"));
        let whole = state(&[
            r#"{"type":"message","content":[{"type":"tool_use","input":{"a":1}}],"stop_reason":"max_tokens","usage":{"input_tokens":2,"output_tokens":3}}"#,
        ]);
        assert_eq!(
            (whole.text.as_str(), whole.finish),
            ("{\"a\":1}", Some(Finish::Length))
        );
        assert!(state(&["{}"]).unreadable.is_some());
    }
}
