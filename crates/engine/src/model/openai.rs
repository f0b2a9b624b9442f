//! Chat completions, as OpenAI has them and everybody copies them. Knows the form
//! of requests and of answers, nothing of sending.

use std::borrow::Cow;

use redraft_core::ask::{Ask, Finish};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::heard::Heard;
use super::quirks::Quirks;

/// Where a call goes, behind the base address.
pub(super) const PATH: &str = "chat/completions";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a Value,
}

/// The request for an ask. `system` holds the schema already where it goes into
/// the prompt.
pub(super) fn body(ask: &Ask, system: &str, schema: Option<&Value>, quirks: Quirks) -> Vec<u8> {
    let limit = Some(ask.model.max_tokens);
    let (max_tokens, max_completion_tokens) = if quirks.completion_tokens {
        (None, limit)
    } else {
        (limit, None)
    };
    let messages = [("system", system), ("user", &ask.prompt.user)]
        .into_iter()
        .filter(|(_, content)| !content.is_empty())
        .map(|(role, content)| Message { role, content })
        .collect();
    let body = Body {
        model: &ask.model.model,
        messages,
        max_tokens,
        max_completion_tokens,
        temperature: super::call::temperature(ask, quirks),
        stream: true,
        stream_options: (!quirks.no_stream_options).then_some(StreamOptions {
            include_usage: true,
        }),
        response_format: schema.map(|schema| ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema {
                name: "reply",
                strict: is_strict(schema),
                schema,
            },
        }),
    };
    serde_json::to_vec(&body).unwrap_or_default()
}

/// Whether a schema keeps the rules of the strict mode: every object closed, and
/// all that it may have required.
fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            let closed =
                map.get("properties")
                    .and_then(Value::as_object)
                    .is_none_or(|properties| {
                        let required = map.get("required").and_then(Value::as_array);
                        map.get("additionalProperties") == Some(&Value::Bool(false))
                            && required.is_some_and(|required| {
                                properties
                                    .keys()
                                    .all(|name| required.iter().any(|other| other == name.as_str()))
                            })
                    });
            closed && map.values().all(is_strict)
        }
        Value::Array(items) => items.iter().all(is_strict),
        _ => true,
    }
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(default, borrow)]
    choices: Vec<Choice<'a>>,
    usage: Option<Used>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    delta: Option<Part<'a>>,
    #[serde(borrow)]
    message: Option<Part<'a>>,
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow)]
    content: Option<Content<'a>>,
    #[serde(borrow)]
    refusal: Option<Cow<'a, str>>,
}

/// Words, or pieces of several kinds, of which only the words are wanted.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Pieces(Vec<Value>),
}

#[derive(Deserialize)]
struct Used {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

/// Takes one event of a stream, or a whole answer: they differ only in a name.
pub(super) fn hear(heard: &mut Heard, data: &[u8]) {
    if data == b"[DONE]" {
        heard.ended = true;
        return;
    }
    let Ok(chunk) = serde_json::from_slice::<Chunk<'_>>(data) else {
        heard.cannot_read(data);
        return;
    };
    if heard.complains(chunk.error.as_ref(), data) {
        return;
    }
    if let Some(used) = chunk.usage {
        heard.input = used.prompt_tokens.or(heard.input);
        heard.output = used.completion_tokens.or(heard.output);
    }
    let Some(choice) = chunk.choices.into_iter().next() else {
        return;
    };
    if let Some(part) = choice.delta.or(choice.message) {
        match part.content {
            Some(Content::Text(text)) => heard.text.push_str(&text),
            Some(Content::Pieces(pieces)) => {
                let words = pieces
                    .iter()
                    .filter_map(|piece| piece.get("text")?.as_str());
                words.for_each(|words| heard.text.push_str(words));
            }
            None => {}
        }
        if let Some(refusal) = part.refusal {
            heard.refusal.push_str(&refusal);
        }
    }
    if let Some(reason) = choice.finish_reason {
        heard.finish = Some(match reason.as_ref() {
            "length" => Finish::Length,
            "content_filter" => Finish::Refusal,
            _ => Finish::Stop,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn heard(events: &[&str]) -> Heard {
        Heard::of(events, hear)
    }

    #[test]
    fn a_stream_is_put_together() {
        let heard = heard(&[
            r#"{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
            r#"{"choices":[{"delta":{"content":"{\"a\""}}]}"#,
            r#"{"choices":[{"delta":{"content":":1}"}}],"usage":null}"#,
            r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":5}}}"#,
            "[DONE]",
        ]);
        assert_eq!(heard.text, "{\"a\":1}");
        assert_eq!(heard.finish, Some(Finish::Stop));
        assert_eq!((heard.input, heard.output), (Some(7), Some(3)));
        assert!(heard.ended && heard.complaint.is_none() && heard.unreadable.is_none());
    }

    #[test]
    fn a_whole_answer_is_read_as_well() {
        let heard = heard(&[
            r#"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"x"}],"refusal":null},"finish_reason":"length"}],"usage":{"prompt_tokens":1}}"#,
        ]);
        assert_eq!(
            (heard.text.as_str(), heard.finish),
            ("x", Some(Finish::Length))
        );
        assert_eq!((heard.input, heard.output), (Some(1), None));
    }

    #[test]
    fn refusals_and_errors_are_told_apart() {
        let refused = heard(&[
            r#"{"choices":[{"delta":{"refusal":"I can't"}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#,
        ]);
        assert_eq!(
            (refused.refusal.as_str(), refused.finish),
            ("I can't", Some(Finish::Refusal))
        );
        let broken = heard(&[r#"{"error":{"code":502,"message":"upstream"},"choices":[]}"#]);
        assert_eq!(broken.complaint.unwrap().status, Some(502));
        assert!(heard(&["<html>"]).unreadable.is_some());
    }

    #[test]
    fn only_a_closed_schema_is_strict() {
        let closed = json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}});
        assert!(is_strict(&closed));
        let mut open = closed;
        open["properties"]["b"] = json!({});
        assert!(!is_strict(&open));
        assert!(!is_strict(&json!({"items": open})));
    }
}
