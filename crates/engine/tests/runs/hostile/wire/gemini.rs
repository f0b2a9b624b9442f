//! Responses that exist only in Gemini's protocol.

use serde_json::{Value, json};

use super::super::Expect::{Good, Nothing};
use super::super::server::Raw;
use super::Row;

pub(super) const GEMINI: &[Row] = &[
    ("no candidates", Nothing, |w| {
        w.with("/candidates", json!([]))
    }),
    ("candidates null", Nothing, |w| {
        w.with("/candidates", Value::Null)
    }),
    ("no reason to finish", Nothing, |w| {
        w.with("/candidates/0/finishReason", Value::Null)
    }),
    ("no parts", Nothing, |w| {
        w.with("/candidates/0/content", json!({"role": "model"}))
    }),
    ("content null", Nothing, |w| {
        w.with("/candidates/0/content", Value::Null)
    }),
    ("parts in two", Good, |w| {
        let half = w.good.len() / 2;
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good[..half]}, {"text": w.good[half..]}]),
        )
    }),
    ("a thought beside the answer", Good, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.critical, "thought": true}, {"text": w.good}]),
        )
    }),
    ("a thought in the middle of the answer", Good, |w| {
        let half = w.good.len() / 2;
        w.with("/candidates/0/content/parts", json!([
            {"text": w.good[..half]}, {"text": w.critical, "thought": true}, {"text": w.good[half..]},
        ]))
    }),
    ("only a thought", Nothing, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good, "thought": true}]),
        )
    }),
    ("a thought that is a string", Nothing, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good, "thought": "true"}]),
        )
    }),
    ("a function call", Nothing, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        w.with(
            "/candidates/0/content/parts",
            json!([{"functionCall": {"name": "reply", "args": verdict}}]),
        )
    }),
    ("code that was run", Nothing, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"codeExecutionResult": {"output": w.good}}]),
        )
    }),
    ("a blocked prompt", Nothing, |_| {
        Raw::json(r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#)
    }),
    ("a blocked prompt with a verdict", Nothing, |w| {
        let mut whole = w.whole();
        whole["promptFeedback"] = json!({"blockReason": "OTHER"});
        Raw::json(whole.to_string())
    }),
    ("a list of events", Good, |w| {
        Raw::json(json!(w.events()).to_string())
    }),
    ("a list of events, cut", Nothing, |w| {
        let list = json!(w.events()).to_string();
        Raw::json(list[..list.len() - 1].to_owned())
    }),
    ("a list with an error", Nothing, |w| {
        let mut events = w.events();
        events.push(
            json!({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}),
        );
        Raw::json(json!(events).to_string())
    }),
    ("the second candidate first", Nothing, |w| {
        w.with(
            "/candidates",
            json!([
                {"index": 1, "content": {"parts": [{"text": w.good}]}, "finishReason": "STOP"},
                {"index": 0, "content": {"parts": [{"text": w.critical}]}, "finishReason": "STOP"},
            ]),
        )
    }),
    ("two reasons to finish", Nothing, |w| {
        w.amid(
            1,
            &[json!({"candidates": [{"index": 0, "finishReason": "MAX_TOKENS"}]})],
        )
    }),
    ("a stream without a reason", Nothing, |w| {
        let mut events = w.events();
        events.pop();
        Raw::stream(&events)
    }),
    ("usage of thoughts negative", Good, |w| {
        let mut whole = w.whole();
        whole["usageMetadata"]["thoughtsTokenCount"] = json!(-5);
        Raw::json(whole.to_string())
    }),
];
