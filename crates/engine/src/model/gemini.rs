//! `streamGenerateContent`, the protocol of Gemini. Knows the format of requests and responses, but
//! sends nothing.
//!
//! Its schemas are a subset of OpenAPI's, not JSON Schema. Unknown keywords are left out, which
//! allows more replies, never fewer. A schema that cannot be converted (because of an unresolvable
//! reference) goes into the prompt.

use std::borrow::Cow;

use redraft_run::ask::{Ask, Finish};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::failure::ProviderError;
use super::quirks::Quirks;
use super::request::Temperature;
use super::stream_state::{StreamState, is_given};

/// The path of calls, after the base URL.
pub(super) fn path(model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    format!("models/{model}:streamGenerateContent?alt=sse")
}

/// The request for an ask. The schema must come from [`to_gemini_schema`].
pub(super) fn body(
    ask: &Ask,
    system: &str,
    schema: Option<&Value>,
    quirks: Quirks,
) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec(&Body {
        system_instruction: (!system.is_empty()).then(|| Turn::new(None, system)),
        contents: [Turn::new(Some("user"), &ask.prompt.user)],
        generation_config: GenerationConfig {
            max_output_tokens: ask.model.max_tokens,
            temperature: Temperature::of(ask, quirks),
            response_mime_type: schema.map(|_| "application/json"),
            response_schema: schema,
        },
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Turn<'a>>,
    contents: [Turn<'a>; 1],
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct Turn<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [TextPart<'a>; 1],
}

impl<'a> Turn<'a> {
    fn new(role: Option<&'static str>, text: &'a str) -> Self {
        Self {
            role,
            parts: [TextPart { text }],
        }
    }
}

#[derive(Serialize)]
struct TextPart<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<Temperature>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_schema: Option<&'a Value>,
}

/// Converts a JSON Schema; `None` if that would change its meaning.
pub(super) fn to_gemini_schema(schema: &Value) -> Option<Value> {
    convert(schema, schema, 0)
}

fn convert(schema: &Value, root: &Value, depth: usize) -> Option<Value> {
    // A schema may refer to itself.
    const DEEPEST: usize = 24;
    if depth > DEEPEST {
        return None;
    }
    let schema = schema.as_object()?;
    if let Some(reference) = schema.get("$ref") {
        let target = root.pointer(reference.as_str()?.strip_prefix('#')?)?;
        return convert(target, root, depth + 1);
    }
    let mut result = Map::new();
    for (name, value) in schema {
        let name = name.as_str();
        match name {
            "type" => convert_type(value, &mut result)?,
            "description" | "format" | "required" | "minItems" | "maxItems" | "minimum"
            | "maximum" | "title" => {
                result.insert(name.to_owned(), value.clone());
            }
            // Gemini only supports enums of strings.
            "enum"
                if value
                    .as_array()
                    .is_some_and(|list| list.iter().all(Value::is_string)) =>
            {
                result.insert("enum".to_owned(), value.clone());
            }
            "const" if value.is_string() => {
                result.insert("enum".to_owned(), Value::from(vec![value.clone()]));
                result.insert("type".to_owned(), "STRING".into());
            }
            "items" => {
                result.insert(name.to_owned(), convert(value, root, depth + 1)?);
            }
            "anyOf" | "oneOf" => {
                let choices: Option<Vec<Value>> = value
                    .as_array()?
                    .iter()
                    .map(|choice| convert(choice, root, depth + 1))
                    .collect();
                result.insert("anyOf".to_owned(), Value::from(choices?));
            }
            "properties" => {
                let mut properties = Map::new();
                for (name, value) in value.as_object()? {
                    properties.insert(name.clone(), convert(value, root, depth + 1)?);
                }
                // Keeping the order makes the model write evidence before scores.
                let order: Vec<Value> = properties.keys().cloned().map(Value::from).collect();
                result.insert("propertyOrdering".to_owned(), order.into());
                result.insert(name.to_owned(), properties.into());
            }
            _ => {}
        }
    }
    Some(result.into())
}

/// A type, or one of two if the other is `null`.
fn convert_type(value: &Value, result: &mut Map<String, Value>) -> Option<()> {
    let names: Vec<&str> = match value {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let mut real = names.iter().filter(|name| **name != "null");
    let name = real.next()?;
    if real.next().is_some() {
        return None;
    }
    result.insert("type".to_owned(), name.to_uppercase().into());
    if names.contains(&"null") {
        result.insert("nullable".to_owned(), true.into());
    }
    Some(())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(default, borrow)]
    candidates: Vec<Candidate<'a>>,
    prompt_feedback: Option<Value>,
    usage_metadata: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
    // How gateways report an error when there are no candidates.
    message: Option<Value>,
    detail: Option<Value>,
}

impl Chunk<'_> {
    /// Whether it is an error without an `error` field.
    fn is_error(&self) -> bool {
        let messages = [&self.message, &self.detail];
        self.candidates.is_empty() && messages.into_iter().flatten().any(Value::is_string)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    /// The index among several answers. Only one was requested.
    index: Option<i64>,
    #[serde(default)]
    safety_ratings: Option<Value>,
    #[serde(borrow)]
    content: Option<Content<'a>>,
    #[serde(borrow)]
    finish_reason: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(default, borrow)]
    parts: Vec<ContentPart<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ContentPart<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(default)]
    thought: bool,
    // Neither tools nor files were requested.
    function_call: Option<Value>,
    function_response: Option<Value>,
    inline_data: Option<Value>,
    file_data: Option<Value>,
}

impl ContentPart<'_> {
    fn is_unasked(&self) -> bool {
        let others = [
            &self.function_call,
            &self.function_response,
            &self.inline_data,
            &self.file_data,
        ];
        others.into_iter().flatten().any(is_given)
    }
}

/// Reads an event of a stream or a complete response; both have the same format.
pub(super) fn read_event(state: &mut StreamState, data: &[u8]) {
    // Some gateways send all events as one list.
    let chunks = if data.starts_with(b"[") {
        serde_json::from_slice::<Vec<Chunk<'_>>>(data)
    } else {
        serde_json::from_slice::<Chunk<'_>>(data).map(|chunk| vec![chunk])
    };
    match chunks {
        Ok(chunks) => chunks.into_iter().for_each(|chunk| read(state, chunk)),
        Err(_) => state.reject_event(data),
    }
}

fn read(state: &mut StreamState, chunk: Chunk<'_>) {
    let messages = [&chunk.message, &chunk.detail];
    if let Some(error) = chunk.error.as_ref().filter(|error| is_given(error)) {
        let whole = serde_json::json!({ "error": error });
        state.error = Some(ProviderError::read(&whole.to_string()));
        return;
    }
    if chunk.is_error() {
        let words = messages.into_iter().flatten().find_map(Value::as_str);
        state.error = Some(ProviderError::read(words.unwrap_or_default()));
        return;
    }
    if let Some(usage) = chunk.usage_metadata {
        state.count_input(&usage, &["promptTokenCount"]);
        state.count_output(&usage, &["candidatesTokenCount", "thoughtsTokenCount"]);
        // Included in `promptTokenCount`. Gemini caches automatically, so nothing is marked.
        state.count_cached(&usage, &["cachedContentTokenCount"]);
    }
    let blocked = chunk
        .prompt_feedback
        .as_ref()
        .and_then(|feedback| feedback.get("blockReason"))
        .filter(|reason| is_given(reason));
    if let Some(reason) = blocked {
        let reason = reason
            .as_str()
            .map_or_else(|| reason.to_string(), str::to_owned);
        state.finish_as(Finish::Refusal);
        state.refusal = format!("the prompt was blocked: {reason}");
    }
    // One answer was requested. If there are several, it is unclear which is meant.
    let is_first = |candidate: &Candidate<'_>| candidate.index.unwrap_or(0) == 0;
    state.is_ambiguous |= chunk.candidates.len() > 1 || !chunk.candidates.iter().all(is_first);
    let Some(candidate) = chunk.candidates.into_iter().find(is_first) else {
        return;
    };
    if candidate.safety_ratings.as_ref().is_some_and(is_blocked) {
        state.finish_as(Finish::Refusal);
    }
    let parts = candidate
        .content
        .into_iter()
        .flat_map(|content| content.parts);
    for part in parts.filter(|part| !part.thought) {
        state.is_ambiguous |= part.is_unasked();
        state
            .text
            .push_str(part.text.as_deref().unwrap_or_default());
    }
    if let Some(reason) = candidate.finish_reason.filter(|reason| !reason.is_empty()) {
        state.finish_as(match reason.as_ref() {
            "MAX_TOKENS" => Finish::Length,
            "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
                Finish::Refusal
            }
            "STOP" => Finish::Stop,
            _ => Finish::Unknown,
        });
    }
}

/// Whether a safety rating blocked the answer.
fn is_blocked(ratings: &Value) -> bool {
    let is_true = |rating: &Value| rating.get("blocked").and_then(Value::as_bool) == Some(true);
    ratings
        .as_array()
        .is_some_and(|ratings| ratings.iter().any(is_true))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::fixtures;

    #[test]
    fn requests_keep_their_bytes() {
        let schema = json!({"type": "OBJECT"});
        for (system, schema, expected) in [
            (
                "Be fair.",
                None,
                r#"{"systemInstruction":{"parts":[{"text":"Be fair."}]},"contents":[{"role":"user","parts":[{"text":"a\n"}]}],"generationConfig":{"maxOutputTokens":9,"temperature":0}}"#,
            ),
            (
                "",
                Some(&schema),
                r#"{"contents":[{"role":"user","parts":[{"text":"a\n"}]}],"generationConfig":{"maxOutputTokens":9,"temperature":0,"responseMimeType":"application/json","responseSchema":{"type":"OBJECT"}}}"#,
            ),
        ] {
            let ask = fixtures::ask(system, "a\n");
            let body = body(&ask, system, schema, Quirks::default()).unwrap();
            assert_eq!(String::from_utf8(body).unwrap(), expected);
        }
    }

    fn state(events: &[&str]) -> StreamState {
        StreamState::of(events, read_event)
    }

    #[test]
    fn a_list_of_events_is_read_like_a_stream() {
        let list = r#"[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},
            {"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2}}]"#;
        let all = StreamState::of(&[list], read_event);
        assert_eq!((all.text.as_str(), all.finish), ("ab", Some(Finish::Stop)));
        assert_eq!((all.input, all.output), (Some(3), Some(2)));
        assert!(StreamState::of(&["[1]"], read_event).unreadable.is_some());
        assert!(StreamState::of(&["[["], read_event).unreadable.is_some());
    }

    #[test]
    fn events_add_up_to_the_reply() {
        let state = state(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"{\"a\""}],"role":"model"}}],"usageMetadata":{"promptTokenCount":8,"totalTokenCount":8}}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":":1}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":4,"thoughtsTokenCount":6,"cachedContentTokenCount":5}}"#,
        ]);
        assert_eq!(state.text, "{\"a\":1}");
        assert_eq!((state.input, state.output), (Some(8), Some(10)));
        assert_eq!(state.usage(&[], u32::MAX).tokens.cached_input, 5);
        assert_eq!(state.finish, Some(Finish::Stop));
    }

    #[test]
    fn an_invalid_count_of_tokens_does_not_discard_the_reply() {
        for (usage, expected) in [
            (
                r#"{"promptTokenCount":3,"candidatesTokenCount":2}"#,
                (Some(3), Some(2)),
            ),
            (
                r#"{"promptTokenCount":"3","candidatesTokenCount":2,"thoughtsTokenCount":-1}"#,
                (None, None),
            ),
            (
                r#"{"promptTokenCount":0.5,"candidatesTokenCount":2}"#,
                (None, Some(2)),
            ),
            ("7", (None, None)),
        ] {
            let event = format!(
                r#"{{"candidates":[{{"content":{{"parts":[{{"text":"paid"}}]}},"finishReason":"STOP"}}],"usageMetadata":{usage}}}"#
            );
            let state = state(&[&event]);
            assert_eq!(
                (state.text.as_str(), state.finish),
                ("paid", Some(Finish::Stop))
            );
            assert_eq!((state.input, state.output), expected, "{usage}");
        }
    }

    #[test]
    fn a_blocked_reply_is_a_refusal() {
        let blocked = state(&[r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#]);
        assert_eq!(blocked.finish, Some(Finish::Refusal));
        let filtered = state(&[r#"{"candidates":[{"finishReason":"SAFETY"}]}"#]);
        assert_eq!(filtered.finish, Some(Finish::Refusal));
        let broken = state(&[r#"{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}"#]);
        assert_eq!(broken.error.unwrap().status, Some(503));
    }

    #[test]
    fn schemas_are_converted_or_left_to_the_prompt() {
        for (given, expected) in [
            (
                json!({"type": "object", "additionalProperties": false, "required": ["a"],
                       "properties": {"b": {"type": ["number", "null"], "minimum": 0}, "a": {"$ref": "#/$defs/x"}},
                       "$defs": {"x": {"const": "y"}}}),
                Some(
                    json!({"type": "OBJECT", "required": ["a"], "propertyOrdering": ["b", "a"],
                       "properties": {"b": {"type": "NUMBER", "nullable": true, "minimum": 0}, "a": {"type": "STRING", "enum": ["y"]}}}),
                ),
            ),
            (
                json!({"oneOf": [{"type": "string", "enum": ["a"]}, {"type": "array", "items": {"type": "integer"}}]}),
                Some(
                    json!({"anyOf": [{"type": "STRING", "enum": ["a"]}, {"type": "ARRAY", "items": {"type": "INTEGER"}}]}),
                ),
            ),
            (json!({"type": ["string", "number"]}), None),
            (json!({"$ref": "#"}), None),
            (json!({"$ref": "other.json"}), None),
            (json!(true), None),
        ] {
            assert_eq!(to_gemini_schema(&given), expected, "{given}");
        }
    }
}
