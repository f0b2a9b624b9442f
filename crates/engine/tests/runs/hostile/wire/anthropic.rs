//! Responses that exist only in the Messages protocol.

use serde_json::{Value, json};

use super::super::Expect::{Good, Nothing};
use super::super::server::Raw;
use super::Row;

pub(super) const ANTHROPIC: &[Row] = &[
    ("no content", Nothing, |w| w.with("/content", json!([]))),
    ("content null", Nothing, |w| w.with("/content", Value::Null)),
    ("content a string", Nothing, |w| {
        w.with("/content", json!(w.good))
    }),
    ("no reason to stop", Nothing, |w| {
        w.with("/stop_reason", Value::Null)
    }),
    ("text in two blocks", Good, |w| {
        let half = w.good.len() / 2;
        w.with("/content", json!([{"type": "text", "text": w.good[..half]}, {"type": "text", "text": w.good[half..]}]))
    }),
    ("thinking beside the text", Good, |w| {
        w.with(
            "/content",
            json!([{"type": "thinking", "thinking": w.critical}, {"type": "text", "text": w.good}]),
        )
    }),
    ("thinking with a text", Nothing, |w| {
        w.with(
            "/content",
            json!([{"type": "thinking", "text": w.good, "thinking": ""}]),
        )
    }),
    ("only thinking", Nothing, |w| {
        w.with(
            "/content",
            json!([{"type": "thinking", "thinking": w.good}]),
        )
    }),
    ("thinking that is hidden", Nothing, |w| {
        w.with(
            "/content",
            json!([{"type": "redacted_thinking", "data": w.good}]),
        )
    }),
    ("a tool", Good, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        w.with(
            "/content",
            json!([{"type": "tool_use", "name": "reply", "input": verdict}]),
        )
    }),
    ("words before the tool", Good, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        w.with("/content", json!([{"type": "text", "text": "I have read it."}, {"type": "tool_use", "name": "reply", "input": verdict}]))
    }),
    ("two tools", Nothing, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        let tool = json!({"type": "tool_use", "name": "reply", "input": verdict});
        w.with("/content", json!([tool, tool]))
    }),
    ("a verdict in words and another in the tool", Nothing, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        w.with("/content", json!([{"type": "text", "text": w.critical}, {"type": "tool_use", "name": "reply", "input": verdict}]))
    }),
    ("a tool of the server", Nothing, |w| {
        let verdict: Value = serde_json::from_str(&w.good).unwrap();
        w.with(
            "/content",
            json!([{"type": "server_tool_use", "name": "search", "input": verdict}]),
        )
    }),
    ("a key twice in the tool's input", Nothing, |w| {
        let body = w.with(
            "/content",
            json!([{"type": "tool_use", "name": "reply", "input": 0}]),
        );
        let body = String::from_utf8(body.pieces.concat()).unwrap();
        let input = w
            .good
            .replacen("\"issues\":[]", "\"issues\":[1],\"issues\":[]", 1);
        Raw::json(body.replacen("\"input\":0", &format!("\"input\":{input}"), 1))
    }),
    (
        "a score in another notation in the tool's input",
        Nothing,
        |w| {
            let body = w.with(
                "/content",
                json!([{"type": "tool_use", "name": "reply", "input": 0}]),
            );
            let body = String::from_utf8(body.pieces.concat()).unwrap();
            let input = w.good.replacen("0.97", "9.7e-1", 1);
            Raw::json(body.replacen("\"input\":0", &format!("\"input\":{input}"), 1))
        },
    ),
    ("a tool's input in a string", Nothing, |w| {
        w.with(
            "/content",
            json!([{"type": "tool_use", "name": "reply", "input": w.good}]),
        )
    }),
    ("an error event", Nothing, |w| {
        w.amid(
            3,
            &[json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})],
        )
    }),
    ("an unknown event", Good, |w| {
        w.amid(3, &[json!({"type": "news", "text": "0.20"})])
    }),
    ("an event without a type", Nothing, |w| {
        w.amid(3, &[json!({"delta": {"text": "0.20"}})])
    }),
    ("a thinking delta", Good, |w| {
        w.amid(2, &[json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": w.critical}})])
    }),
    ("a thinking delta with a text", Good, |w| {
        w.amid(2, &[json!({"type": "content_block_delta", "delta": {"type": "thinking_delta", "text": w.critical}})])
    }),
    ("text at the start of a block", Nothing, |w| {
        w.amid(1, &[json!({"type": "content_block_start", "content_block": {"type": "text", "text": w.critical}})])
    }),
    ("two reasons to stop", Nothing, |w| {
        w.amid(
            6,
            &[json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}})],
        )
    }),
    ("stopped without a reason", Nothing, |w| {
        let mut events = w.events();
        events.remove(6);
        Raw::stream(&events)
    }),
    ("stopped before the end", Nothing, |w| {
        w.amid(3, &[json!({"type": "message_stop"})])
    }),
];
