//! Messages, as Anthropic has them. Knows the form of requests and of answers,
//! nothing of sending.
//!
//! A schema goes out as the one tool that the model has to use: every model takes
//! that, and the answer is the tool's input.

use std::borrow::Cow;

use redraft_run::ask::{Ask, Finish, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::failure::Complaint;
use super::heard::Heard;
use super::quirks::Quirks;
use super::request::{Message, Temperature};

/// Where a call goes, behind the base address.
pub(super) const PATH: &str = "messages";

/// The version of the protocol.
pub(super) const VERSION: &str = "2023-06-01";

const TOOL: &str = "reply";

/// The request for an ask. `system` already holds the schema if it goes into the
/// prompt.
pub(super) fn body(
    ask: &Ask,
    system: &str,
    schema: Option<&Schema>,
    quirks: Quirks,
) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Body {
        model: &ask.model.model,
        max_tokens: ask.model.max_tokens,
        temperature: Temperature::of(ask, quirks).map(Temperature::at_most_one),
        system: Some(system).filter(|system| !system.is_empty()),
        messages: [Message {
            role: "user",
            content: &ask.prompt.user,
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
    system: Option<&'a str>,
    messages: [Message<'a>; 1],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<ToolChoice>,
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
    usage: Option<Used>,
    // A whole answer is an event of type `message`.
    #[serde(default)]
    content: Vec<Value>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Whole<'a> {
    usage: Option<Used>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    partial_json: Option<Cow<'a, str>>,
    #[serde(borrow)]
    stop_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Used {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

/// Takes one event of a stream, or a whole answer.
pub(super) fn hear(heard: &mut Heard, data: &[u8]) {
    let Ok(event) = serde_json::from_slice::<Event<'_>>(data) else {
        heard.cannot_read(data);
        return;
    };
    match event.r#type.as_ref() {
        "error" => heard.complaint = Some(Complaint::read(&String::from_utf8_lossy(data))),
        "message_stop" => heard.ended = true,
        "message_start" => {
            if let Some(message) = event.message {
                used(heard, message.usage);
                finished(heard, message.stop_reason.as_deref());
            }
        }
        "content_block_delta" | "message_delta" => {
            used(heard, event.usage);
            if let Some(delta) = event.delta {
                for words in [delta.text, delta.partial_json].into_iter().flatten() {
                    heard.text.push_str(&words);
                }
                finished(heard, delta.stop_reason.as_deref());
            }
        }
        "message" => {
            used(heard, event.usage);
            for block in &event.content {
                match (
                    block.get("text").and_then(Value::as_str),
                    block.get("input"),
                ) {
                    (Some(words), _) => heard.text.push_str(words),
                    (None, Some(input)) => heard.text.push_str(&input.to_string()),
                    _ => {}
                }
            }
            finished(heard, event.stop_reason.as_deref());
        }
        _ => {}
    }
}

fn used(heard: &mut Heard, usage: Option<Used>) {
    let Some(usage) = usage else { return };
    if let Some(fresh) = usage.input_tokens {
        let cached = [
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        ];
        let cached: u64 = cached.iter().flatten().sum();
        heard.input = Some(fresh.saturating_add(cached));
    }
    heard.output = usage.output_tokens.or(heard.output);
}

fn finished(heard: &mut Heard, reason: Option<&str>) {
    heard.finish = match reason {
        Some("max_tokens" | "model_context_window_exceeded") => Some(Finish::Length),
        Some("refusal") => Some(Finish::Refusal),
        Some(_) => Some(Finish::Stop),
        None => heard.finish,
    };
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
            no_temperature: true,
            ..plain
        };
        let schema = Schema::new(json!({"type": "object"}));
        for (temperature, system, schema, quirks, expected) in [
            (
                150,
                "Be fair.",
                None,
                plain,
                r#"{"model":"m","max_tokens":9,"temperature":1,"system":"Be fair.","messages":[{"role":"user","content":"a\n"}],"stream":true}"#,
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
                "",
                None,
                odd,
                r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a\n"}],"stream":true}"#,
            ),
        ] {
            let mut ask = fixtures::ask(system, "a\n");
            ask.model.temperature_hundredths = temperature;
            let body = body(&ask, system, schema, quirks).unwrap();
            assert_eq!(String::from_utf8(body).unwrap(), expected);
        }
    }

    fn heard(events: &[&str]) -> Heard {
        Heard::of(events, hear)
    }

    #[test]
    fn the_input_of_the_tool_is_the_answer() {
        let heard = heard(&[
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
        assert_eq!(heard.text, "{\"a\":1, \"b\":2}");
        assert_eq!((heard.input, heard.output), (Some(25), Some(9)));
        assert_eq!(heard.finish, Some(Finish::Stop));
        assert!(heard.ended);
    }

    #[test]
    fn text_refusals_and_errors_are_told_apart() {
        let spoken = heard(&[
            r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"No."}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"refusal"},"usage":{}}"#,
        ]);
        assert_eq!(
            (spoken.text.as_str(), spoken.finish),
            ("No.", Some(Finish::Refusal))
        );
        let broken = heard(&[
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        ]);
        assert!(broken.complaint.unwrap().names.contains("overloaded"));
        let whole = heard(&[
            r#"{"type":"message","content":[{"type":"tool_use","input":{"a":1}}],"stop_reason":"max_tokens","usage":{"input_tokens":2,"output_tokens":3}}"#,
        ]);
        assert_eq!(
            (whole.text.as_str(), whole.finish),
            ("{\"a\":1}", Some(Finish::Length))
        );
        assert!(heard(&["{}"]).unreadable.is_some());
    }
}
