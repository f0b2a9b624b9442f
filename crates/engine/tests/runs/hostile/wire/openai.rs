//! Responses that exist only in chat completions.

use serde_json::{Value, json};

use super::super::Expect::{Good, Nothing};
use super::super::server::Raw;
use super::Row;

pub(super) const OPENAI: &[Row] = &[
    ("a very long response", Nothing, |w| {
        Raw::json(format!("{}{}", " ".repeat(33 << 20), w.body()))
    }),
    ("no choices", Nothing, |w| w.with("/choices", json!([]))),
    ("choices null", Nothing, |w| w.with("/choices", Value::Null)),
    ("no reason to finish", Nothing, |w| {
        w.with("/choices/0/finish_reason", Value::Null)
    }),
    ("content null", Nothing, |w| {
        w.with("/choices/0/message/content", Value::Null)
    }),
    ("content a number", Nothing, |w| {
        w.with("/choices/0/message/content", json!(1))
    }),
    ("content an object", Nothing, |w| {
        w.with("/choices/0/message/content", json!({"scores": 1}))
    }),
    ("content in blocks", Good, |w| {
        let half = w.good.len() / 2;
        let blocks = json!([{"type": "text", "text": w.good[..half]}, {"type": "text", "text": w.good[half..]}]);
        w.with("/choices/0/message/content", blocks)
    }),
    ("content in a block of reasoning", Nothing, |w| {
        w.with(
            "/choices/0/message/content",
            json!([{"type": "reasoning", "text": w.good}]),
        )
    }),
    ("reasoning in a block beside the text", Good, |w| {
        let blocks =
            json!([{"type": "thinking", "text": w.critical}, {"type": "text", "text": w.good}]);
        w.with("/choices/0/message/content", blocks)
    }),
    ("only reasoning content", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": "", "reasoning_content": w.good}),
        )
    }),
    ("only reasoning", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": null, "reasoning": w.good}),
        )
    }),
    ("a refusal instead", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": null, "refusal": "I can't."}),
        )
    }),
    ("a refusal with a verdict in it", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": null, "refusal": w.good}),
        )
    }),
    ("a refusal beside the verdict", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": w.good, "refusal": "I can't judge this."}),
        )
    }),
    ("a refusal amid the stream", Nothing, |w| {
        w.amid(
            2,
            &[json!({"choices": [{"index": 0, "delta": {"refusal": "I can't judge this."}}]})],
        )
    }),
    ("a tool call", Nothing, |w| {
        let call = json!([{"id": "1", "type": "function", "function": {"name": "reply", "arguments": w.good}}]);
        w.with(
            "/choices/0/message",
            json!({"content": null, "tool_calls": call}),
        )
    }),
    ("an old function call", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": null, "function_call": {"arguments": w.good}}),
        )
    }),
    ("an old completion", Nothing, |w| {
        w.with(
            "/choices/0",
            json!({"text": w.good, "finish_reason": "stop"}),
        )
    }),
    ("a message instead of choices", Nothing, |w| {
        Raw::json(json!({"message": {"content": w.good}}).to_string())
    }),
    ("the second choice first", Nothing, |w| {
        w.with(
            "/choices",
            json!([
                {"index": 1, "message": {"content": w.good}, "finish_reason": "stop"},
                {"index": 0, "message": {"content": w.critical}, "finish_reason": "stop"},
            ]),
        )
    }),
    ("another choice amid the stream", Nothing, |w| {
        w.amid(
            1,
            &[json!({"choices": [{"index": 1, "delta": {"content": "0.20"}}]})],
        )
    }),
    ("content twice", Nothing, |w| {
        Raw::json(
            w.body()
                .replacen("\"content\":", "\"content\":\"{}\",\"content\":", 1),
        )
    }),
    ("an end, then more", Nothing, |w| {
        w.amid(
            3,
            &[json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]})],
        )
    }),
    ("done without a reason", Nothing, |w| {
        let mut events = w.events();
        events.remove(3);
        let mut raw = Raw::stream(&events);
        raw.pieces.push(b"data: [DONE]\n\n".to_vec());
        raw
    }),
    ("done before the end", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.insert(2, b"data: [DONE]\n\n".to_vec());
        raw
    }),
    ("no done", Good, |w| {
        let mut raw = w.stream();
        raw.pieces.pop();
        raw
    }),
    ("an error amid the stream", Nothing, |w| {
        w.amid(2, &[json!({"error": {"message": "upstream", "code": 502}})])
    }),
    ("an error that is empty", Nothing, |w| {
        w.amid(2, &[json!({"error": {}})])
    }),
    ("choices of strings", Nothing, |w| {
        w.with("/choices", json!([w.good]))
    }),
];
