//! Responses of proxies, gateways and servers that imitate a provider: wrong content types, unusual
//! streams, endings other than words.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE};
use serde_json::{Value, json};

use super::super::Expect::{Critical, Good, Nothing};
use super::super::server::Raw;
use super::{Row, Wire};
use crate::fake_provider::CANARY;

impl Wire {
    /// The bytes of the stream, in one piece, after a change.
    pub(super) fn restreamed(&self, change: impl Fn(String) -> String) -> Raw {
        let text = String::from_utf8(self.stream().pieces.concat()).unwrap();
        Raw::lines(vec![change(text).into_bytes()])
    }

    /// A good response whose strengths contain the key in some encoding.
    fn telling(&self, key: &str) -> Raw {
        let body = self.body();
        assert!(body.contains("Clear"));
        Raw::json(body.replace("Clear", key))
    }
}

/// The raw response under another content type.
fn called(mut raw: Raw, content_type: &str) -> Raw {
    raw.headers = match content_type {
        "" => String::new(),
        name => format!("content-type: {name}\r\n"),
    };
    raw
}

pub(super) const ODD_ANY: &[Row] = &[
    ("a body without a type", Good, |w| {
        called(Raw::json(w.body()), "")
    }),
    ("a body of plain text", Good, |w| {
        called(Raw::json(w.body()), "text/plain; charset=utf-8")
    }),
    ("a body that is called a page", Good, |w| {
        called(Raw::json(w.body()), "text/html")
    }),
    ("no space after the colon", Good, |w| {
        w.restreamed(|text| text.replace("data: ", "data:"))
    }),
    ("two spaces after the colon", Good, |w| {
        w.restreamed(|text| text.replace("data: ", "data:  "))
    }),
    ("ids and names of events", Good, |w| {
        w.restreamed(|text| text.replace("data: ", "id: 7\nretry: 3000\ndata: "))
    }),
    ("no blank line at the end", Good, |w| {
        w.restreamed(|text| text.trim_end().to_owned())
    }),
    ("blank lines before the stream", Good, |w| {
        w.restreamed(|text| format!("\n\n\n{text}"))
    }),
    ("a byte order mark before the stream", Good, |w| {
        w.restreamed(|text| format!("\u{feff}{text}"))
    }),
    ("the first event twice", Nothing, |w| {
        // Either the text is duplicated or the protocol is broken: there is no verdict.
        let mut raw = w.stream();
        let words = raw.pieces.iter().position(|piece| {
            let text = String::from_utf8_lossy(piece);
            text.contains("text_id") || text.contains("issues")
        });
        let at = words.unwrap();
        raw.pieces.insert(at, raw.pieces[at].clone());
        raw
    }),
    ("an event that is lost", Nothing, |w| {
        let mut raw = w.stream();
        let words = raw
            .pieces
            .iter()
            .position(|piece| String::from_utf8_lossy(piece).contains("scores"));
        raw.pieces.remove(words.unwrap());
        raw
    }),
    ("half of an event", Nothing, |w| {
        w.restreamed(|text| {
            let at = text.floor_char_boundary(text.len() / 2);
            text[..at].to_owned()
        })
    }),
    ("data that is null", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.insert(1, b"data: null\n\n".to_vec());
        raw
    }),
    ("data that is a list", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.insert(1, b"data: [1]\n\n".to_vec());
        raw
    }),
    ("an error by the name of its event", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.insert(
            2,
            b"event: error\ndata: {\"error\":{\"message\":\"busy\"}}\n\n".to_vec(),
        );
        raw
    }),
    ("a body in Latin letters", Nothing, |w| {
        let body = w.body().replace("Clear", "Klar, schön");
        let latin: Vec<u8> = body
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect();
        Raw::json(latin)
    }),
    ("a body in base64", Nothing, |w| {
        Raw::json(STANDARD_NO_PAD.encode(w.body()))
    }),
    ("a body in a string", Nothing, |w| {
        Raw::json(json!(w.body()).to_string())
    }),
    ("a body in a list", Nothing, |w| {
        Raw::json(format!("[{},{}]", w.body(), w.body()))
    }),
    ("a body in an object", Nothing, |w| {
        Raw::json(format!("{{\"data\":{}}}", w.body()))
    }),
    ("a guard before the body", Nothing, |w| {
        Raw::json(format!(")]}}'\n{}", w.body()))
    }),
    ("a call around the body", Nothing, |w| {
        Raw::json(format!("callback({});", w.body()))
    }),
    ("a verdict with 201", Good, |w| {
        Raw::status("201 Created", &w.body())
    }),
    ("a verdict with 206", Good, |w| {
        Raw::status("206 Partial Content", &w.body())
    }),
    ("a verdict with 402", Nothing, |w| {
        Raw::status("402 Payment Required", &w.body())
    }),
    ("a verdict with 418", Nothing, |w| {
        Raw::status("418 I'm a teapot", &w.body())
    }),
    ("an end of no number", Nothing, |_| {
        Raw::status("429 Too Many Requests", "{}")
            .with("retry-after: Wed, 21 Oct 2015 07:28:00 GMT")
    }),
    ("a wait below nothing", Nothing, |_| {
        Raw::status("429 Too Many Requests", "{}").with("retry-after: -5")
    }),
    ("the key backwards in base64 of addresses", Good, |w| {
        w.telling(&URL_SAFE.encode(format!("x{CANARY}")))
    }),
    ("the key in base64 without its end", Good, |w| {
        w.telling(&STANDARD_NO_PAD.encode(format!("Authorization: Bearer {CANARY}")))
    }),
    ("the key in the name of a model", Good, |w| {
        let mut whole = w.whole();
        whole["model"] = json!(CANARY);
        Raw::json(whole.to_string())
    }),
    ("the key in an error, for an address", Nothing, |_| {
        let escaped: String = CANARY.bytes().map(|byte| format!("%{byte:02X}")).collect();
        Raw::status(
            "400 Bad Request",
            &format!("{{\"error\":{{\"message\":\"bad key {escaped}\"}}}}"),
        )
    }),
];

pub(super) const ODD_OPENAI: &[Row] = &[
    ("a reason in a list", Nothing, |w| {
        w.with("/choices/0/finish_reason", json!(["stop"]))
    }),
    ("a reason in an object", Nothing, |w| {
        w.with("/choices/0/finish_reason", json!({"type": "stop"}))
    }),
    ("a reason that is true", Nothing, |w| {
        w.with("/choices/0/finish_reason", json!(true))
    }),
    ("a reason that is zero", Nothing, |w| {
        w.with("/choices/0/finish_reason", json!(0))
    }),
    ("a reason with a blank", Nothing, |w| {
        w.with("/choices/0/finish_reason", json!("stop "))
    }),
    ("an error that is null", Good, |w| {
        let mut whole = w.whole();
        whole["error"] = Value::Null;
        Raw::json(whole.to_string())
    }),
    ("a refusal that is null", Good, |w| {
        let mut whole = w.whole();
        whole["choices"][0]["message"]["refusal"] = Value::Null;
        Raw::json(whole.to_string())
    }),
    ("a refusal in a list", Nothing, |w| {
        let mut whole = w.whole();
        whole["choices"][0]["message"]["refusal"] = json!(["I can't."]);
        Raw::json(whole.to_string())
    }),
    ("no tool calls", Good, |w| {
        w.with(
            "/choices/0/message",
            json!({"role": "assistant", "content": w.good, "tool_calls": [], "annotations": []}),
        )
    }),
    ("choices in an object", Nothing, |w| {
        w.with(
            "/choices",
            json!({"0": {"message": {"content": w.good}, "finish_reason": "stop"}}),
        )
    }),
    ("blocks of output text", Nothing, |w| {
        Raw::json(json!({"output": [{"type": "message", "content": [{"type": "output_text", "text": w.good}]}], "status": "completed"}).to_string())
    }),
    ("the message of another user", Good, |w| {
        w.with(
            "/choices/0/message",
            json!({"role": "tool", "content": w.good}),
        )
    }),
    ("cached tokens beyond the prompt", Good, |w| {
        let mut whole = w.whole();
        whole["usage"]["prompt_tokens_details"] = json!({"cached_tokens": 9_000_000});
        Raw::json(whole.to_string())
    }),
    ("cached tokens below nothing", Good, |w| {
        let mut whole = w.whole();
        whole["usage"]["prompt_tokens_details"] = json!({"cached_tokens": -40});
        Raw::json(whole.to_string())
    }),
    ("usage in a list", Good, |w| {
        let mut whole = w.whole();
        whole["usage"] = json!([700, 90]);
        Raw::json(whole.to_string())
    }),
    ("done in small letters", Nothing, |w| {
        w.restreamed(|text| text.replace("[DONE]", "[done]"))
    }),
    ("words after done", Good, |w| {
        w.restreamed(|text| format!("{text}data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"0.2\"}}}}]}}\n\n"))
    }),
];

pub(super) const ODD_ANTHROPIC: &[Row] = &[
    ("a text that is null", Nothing, |w| {
        w.with("/content", json!([{"type": "text", "text": null}]))
    }),
    ("a text in a list", Nothing, |w| {
        w.with("/content", json!([{"type": "text", "text": [w.good]}]))
    }),
    ("blocks in an object", Nothing, |w| {
        w.with("/content", json!({"type": "text", "text": w.good}))
    }),
    ("a reason in a list", Nothing, |w| {
        w.with("/stop_reason", json!(["end_turn"]))
    }),
    ("a reason of OpenAI", Nothing, |w| {
        w.with("/stop_reason", json!("stop"))
    }),
    ("a reason of Bedrock", Nothing, |w| {
        w.with("/stop_reason", json!("guardrail_intervened"))
    }),
    ("a tool as the reason, without a tool", Nothing, |w| {
        let mut whole = w.whole();
        whole["stop_reason"] = json!("tool_use");
        whole["content"] = json!([{"type": "text", "text": ""}]);
        Raw::json(whole.to_string())
    }),
    ("an error with a verdict", Nothing, |w| {
        let mut whole = w.whole();
        whole["type"] = json!("error");
        whole["error"] = json!({"type": "overloaded_error"});
        Raw::json(whole.to_string())
    }),
    ("a result of a search", Nothing, |w| {
        w.with("/content", json!([{"type": "web_search_tool_result", "content": [{"type": "text", "text": w.good}]}]))
    }),
    ("hidden thinking before the text", Good, |w| {
        w.with(
            "/content",
            json!([{"type": "redacted_thinking", "data": "xyz"}, {"type": "text", "text": w.good}]),
        )
    }),
    ("citations beside the text", Good, |w| {
        w.with(
            "/content",
            json!([{"type": "text", "text": w.good, "citations": [{"cited_text": w.critical}]}]),
        )
    }),
    ("tokens in the cache below nothing", Good, |w| {
        let mut whole = w.whole();
        whole["usage"]["cache_read_input_tokens"] = json!(-1);
        whole["usage"]["cache_creation_input_tokens"] = json!("many");
        Raw::json(whole.to_string())
    }),
    ("pings", Good, |w| {
        w.amid(2, &[json!({"type": "ping"}), json!({"type": "ping"})])
    }),
    ("a second tool with another verdict", Nothing, |w| {
        w.amid(6, &[
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "name": "reply", "input": {}}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": w.critical}}),
            json!({"type": "content_block_stop", "index": 1}),
        ])
    }),
];

pub(super) const ODD_GEMINI: &[Row] = &[
    ("a text that is null", Nothing, |w| {
        w.with("/candidates/0/content/parts", json!([{"text": null}]))
    }),
    ("a text in a list", Nothing, |w| {
        w.with("/candidates/0/content/parts", json!([{"text": [w.good]}]))
    }),
    ("parts in an object", Nothing, |w| {
        w.with("/candidates/0/content/parts", json!({"text": w.good}))
    }),
    ("a reason in a list", Nothing, |w| {
        w.with("/candidates/0/finishReason", json!(["STOP"]))
    }),
    ("a reason by its number", Nothing, |w| {
        w.with("/candidates/0/finishReason", json!(1))
    }),
    ("a reason of pictures", Nothing, |w| {
        w.with("/candidates/0/finishReason", json!("IMAGE_SAFETY"))
    }),
    ("a reason of tools", Nothing, |w| {
        w.with("/candidates/0/finishReason", json!("UNEXPECTED_TOOL_CALL"))
    }),
    ("data in a part", Nothing, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"inlineData": {"mimeType": "application/json", "data": w.good}}]),
        )
    }),
    ("code beside the answer", Good, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good}, {"executableCode": {"code": w.critical}}]),
        )
    }),
    ("no index", Good, |w| {
        w.with(
            "/candidates",
            json!([{"content": {"parts": [{"text": w.good}]}, "finishReason": "STOP"}]),
        )
    }),
    ("no block of the prompt", Good, |w| {
        let mut whole = w.whole();
        whole["promptFeedback"] = json!({"safetyRatings": []});
        Raw::json(whole.to_string())
    }),
    ("a critical verdict", Critical, |w| {
        w.with("/candidates/0/content/parts", json!([{"text": w.critical}]))
    }),
    ("words after the end", Nothing, |w| {
        let mut events = w.events();
        events.push(json!({"candidates": [{"index": 0, "content": {"parts": [{"text": w.critical}]}, "finishReason": "STOP"}]}));
        Raw::stream(&events)
    }),
    ("cached tokens beyond the prompt", Good, |w| {
        let mut whole = w.whole();
        whole["usageMetadata"]["cachedContentTokenCount"] = json!(9_000_000);
        Raw::json(whole.to_string())
    }),
];
