//! Responses with something next to the reply: a refusal, an error, a tool call, a second answer,
//! text after the end. It is unclear which was meant, so none is a complete reply. Between them are
//! similar responses that are valid, from servers that imitate a provider.

use serde_json::{Value, json};

use super::super::Expect::{Critical, Good, Nothing};
use super::super::server::Raw;
use super::{Row, Wire};

impl Wire {
    /// The complete response after a change.
    fn but(&self, change: impl FnOnce(&mut Value)) -> Raw {
        let mut whole = self.whole();
        change(&mut whole);
        Raw::json(whole.to_string())
    }

    /// The stream after a change to its events.
    fn events_but(&self, change: impl FnOnce(&mut Vec<Value>)) -> Raw {
        let mut events = self.events();
        change(&mut events);
        Raw::stream(&events)
    }

    fn verdict(&self) -> Value {
        serde_json::from_str(&self.good).unwrap()
    }

    /// Another event in the middle of the stream, written literally.
    fn line(&self, written: &str) -> Raw {
        let mut raw = self.stream();
        raw.pieces.insert(2, format!("{written}\n\n").into_bytes());
        raw
    }
}

/// A chunk of chat completions with this choice.
fn chunk(choice: &Value) -> Value {
    json!({ "choices": [choice] })
}

/// A final candidate of Gemini with these parts.
fn candidate(parts: &Value) -> Value {
    json!({"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"})
}

pub(super) const BESIDE_ANY: &[Row] = &[
    ("an error only by the name of its event", Nothing, |w| {
        w.line("event: error\ndata: {\"message\":\"busy\"}")
    }),
    ("an error in words by the name of its event", Nothing, |w| {
        w.line("event: error\ndata: upstream timed out")
    }),
    ("an error as a field of the stream", Nothing, |w| {
        // llama.cpp.
        w.line("error: {\"code\":500,\"message\":\"slot unavailable\",\"type\":\"server_error\"}")
    }),
    ("an error after the last words", Nothing, |w| {
        let mut raw = w.stream();
        let last = raw.pieces.len() - 1;
        raw.pieces.insert(
            last,
            b"event: error\ndata: {\"error\":{\"message\":\"interrupted\"}}\n\n".to_vec(),
        );
        raw
    }),
    ("names of events that are no errors", Good, |w| {
        w.restreamed(|text| text.replace("data: {", "event: message\ndata: {"))
    }),
    ("an error that is true", Nothing, |w| {
        w.but(|whole| whole["error"] = json!(true))
    }),
    ("errors in a list", Nothing, |w| {
        w.but(|whole| whole["error"] = json!([{"message": "partial"}]))
    }),
];

pub(super) const BESIDE_OPENAI: &[Row] = &[
    // Errors.
    ("an error in the choice", Nothing, |w| {
        w.but(|whole| {
            whole["choices"][0]["error"] = json!({"code": 502, "message": "upstream"});
        })
    }),
    ("an error in a choice of the stream", Nothing, |w| {
        w.amid(
            2,
            &[chunk(
                &json!({"index": 0, "delta": {"content": ""}, "error": {"code": 502}}),
            )],
        )
    }),
    ("no error in the choice", Good, |w| {
        w.but(|whole| whole["choices"][0]["error"] = Value::Null)
    }),
    ("an error that is an object of its own", Nothing, |w| {
        // vLLM before 0.10.
        w.amid(2, &[json!({"object": "error", "message": "engine died", "type": "InternalServerError", "code": 500})])
    }),
    ("a message of a gateway in the stream", Nothing, |w| {
        w.amid(2, &[json!({"message": "upstream request timeout"})])
    }),
    ("a detail in the stream", Nothing, |w| {
        w.amid(2, &[json!({"detail": "Internal error"})])
    }),
    ("a code and words in the stream", Nothing, |w| {
        w.amid(2, &[json!({"code": 1301, "msg": "sensitive content"})])
    }),
    ("an error that is false", Good, |w| {
        w.but(|whole| whole["error"] = json!(false))
    }),
    ("an error of no words", Good, |w| {
        w.but(|whole| whole["error"] = json!(""))
    }),
    // Refusals.
    ("a refusal in the blocks", Nothing, |w| {
        w.with(
            "/choices/0/message/content",
            json!([{"type": "text", "text": w.good}, {"type": "refusal", "refusal": "I can't."}]),
        )
    }),
    ("a refusal of no words", Good, |w| {
        w.but(|whole| whole["choices"][0]["message"]["refusal"] = json!(""))
    }),
    ("a refusal after the end", Nothing, |w| {
        w.amid(
            4,
            &[chunk(
                &json!({"index": 0, "delta": {"refusal": "I can't."}}),
            )],
        )
    }),
    ("a filter that took something out", Nothing, |w| {
        w.but(|whole| {
            whole["choices"][0]["content_filter_results"] =
                json!({"hate": {"filtered": false}, "violence": {"filtered": true, "severity": "high"}});
        })
    }),
    ("a filter that took nothing out", Good, |w| {
        w.but(|whole| {
            whole["choices"][0]["content_filter_results"] =
                json!({"hate": {"filtered": false, "severity": "safe"}});
            whole["prompt_filter_results"] = json!([{"prompt_index": 0}]);
        })
    }),
    // Calls of tools.
    ("tool calls beside the verdict", Nothing, |w| {
        let call = json!([{"id": "1", "type": "function", "function": {"name": "reply", "arguments": w.critical}}]);
        w.with(
            "/choices/0/message",
            json!({"content": w.good, "tool_calls": call}),
        )
    }),
    ("a tool call in the stream", Nothing, |w| {
        let call = json!([{"index": 0, "function": {"name": "search", "arguments": "{}"}}]);
        w.amid(
            2,
            &[chunk(&json!({"index": 0, "delta": {"tool_calls": call}}))],
        )
    }),
    ("an old function call beside the verdict", Nothing, |w| {
        w.with(
            "/choices/0/message",
            json!({"content": w.good, "function_call": {"name": "reply", "arguments": w.critical}}),
        )
    }),
    ("a call in the blocks", Nothing, |w| {
        w.with(
            "/choices/0/message/content",
            json!([{"type": "text", "text": w.good}, {"type": "tool_use", "name": "reply", "input": {}}]),
        )
    }),
    ("a block whose text is a list", Nothing, |w| {
        w.with(
            "/choices/0/message/content",
            json!([{"type": "text", "text": w.good}, {"type": "text", "text": ["more"]}]),
        )
    }),
    ("calls that are null or empty", Good, |w| {
        w.with(
            "/choices/0/message",
            json!({"role": "assistant", "content": w.good, "tool_calls": null, "function_call": null, "audio": null}),
        )
    }),
    ("empty calls in the stream", Good, |w| {
        w.amid(
            2,
            &[chunk(
                &json!({"index": 0, "delta": {"content": "", "tool_calls": []}}),
            )],
        )
    }),
    // Several answers.
    ("two choices with the same index", Nothing, |w| {
        w.with(
            "/choices",
            json!([
                {"index": 0, "message": {"content": w.good}, "finish_reason": "stop"},
                {"index": 0, "message": {"content": w.critical}, "finish_reason": "stop"},
            ]),
        )
    }),
    ("two choices without an index", Nothing, |w| {
        w.with(
            "/choices",
            json!([
                {"message": {"content": w.good}, "finish_reason": "stop"},
                {"message": {"content": w.critical}, "finish_reason": "stop"},
            ]),
        )
    }),
    ("a second choice with another verdict", Nothing, |w| {
        w.with(
            "/choices",
            json!([
                {"index": 0, "message": {"content": w.good}, "finish_reason": "stop"},
                {"index": 1, "message": {"content": w.critical}, "finish_reason": "stop"},
            ]),
        )
    }),
    ("a choice without an index", Good, |w| {
        w.with(
            "/choices",
            json!([{"message": {"content": w.good}, "finish_reason": "stop"}]),
        )
    }),
    ("a delta and another message", Nothing, |w| {
        w.with(
            "/choices/0",
            json!({"index": 0, "delta": {"content": w.good}, "message": {"content": w.critical}, "finish_reason": "stop"}),
        )
    }),
    ("a delta and all that was said so far", Good, |w| {
        // Perplexity.
        w.events_but(|events| {
            let mut said = String::new();
            for event in events.iter_mut().take(3) {
                let choice = &mut event["choices"][0];
                said.push_str(choice["delta"]["content"].as_str().unwrap());
                choice["message"] = json!({"role": "assistant", "content": said});
            }
        })
    }),
    ("a delta and an empty message", Good, |w| {
        w.events_but(|events| {
            for event in events.iter_mut().take(3) {
                event["choices"][0]["message"] = json!({"role": "assistant", "content": ""});
            }
        })
    }),
    ("a message as the only event", Good, |w| {
        Raw::stream(&[chunk(
            &json!({"index": 0, "message": {"content": w.good}, "finish_reason": "stop"}),
        )])
    }),
    // Ends.
    ("the end of a server of open models", Good, |w| {
        w.with("/choices/0/finish_reason", json!("eos_token"))
    }),
    ("reasons of no words before the end", Good, |w| {
        // LocalAI.
        w.events_but(|events| {
            for event in events.iter_mut().take(3) {
                event["choices"][0]["finish_reason"] = json!("");
            }
        })
    }),
    ("only reasons of no words", Nothing, |w| {
        w.events_but(|events| events[3]["choices"][0]["finish_reason"] = json!(""))
    }),
    ("usage alone", Nothing, |_| {
        Raw::json(r#"{"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":90}}"#)
    }),
    ("a stream of usage alone", Nothing, |w| {
        w.events_but(|events| drop(events.drain(..4)))
    }),
    ("usage in every event", Good, |w| {
        w.events_but(|events| {
            for (at, event) in events.iter_mut().enumerate() {
                event["usage"] = json!({"prompt_tokens": 700, "completion_tokens": at});
            }
        })
    }),
    ("an event of filters before the words", Good, |w| {
        // Azure.
        w.amid(
            0,
            &[json!({"choices": [], "prompt_filter_results": [{"prompt_index": 0}]})],
        )
    }),
    ("an event without choices", Good, |w| {
        w.amid(
            1,
            &[json!({"id": "x", "object": "chat.completion.chunk", "timings": {}})],
        )
    }),
];

pub(super) const BESIDE_ANTHROPIC: &[Row] = &[
    ("no end of the message", Nothing, |w| {
        w.events_but(|events| drop(events.pop()))
    }),
    ("no end of the message, the connection cut", Nothing, |w| {
        w.events_but(|events| drop(events.pop())).cut()
    }),
    ("an error after the reason to stop", Nothing, |w| {
        w.amid(
            7,
            &[json!({"type": "error", "error": {"type": "api_error", "message": "lost"}})],
        )
    }),
    ("a message within the message", Nothing, |w| {
        w.amid(
            5,
            &[json!({"type": "message_start", "message": {"usage": {"input_tokens": 9}}})],
        )
    }),
    ("a tool of another name", Nothing, |w| {
        w.with("/content", json!([{"type": "text", "text": "I search first."}, {"type": "tool_use", "name": "web_search", "input": w.verdict()}]))
    }),
    ("a tool of another name in the stream", Nothing, |w| {
        w.events_but(|events| events[1]["content_block"]["name"] = json!("web_search"))
    }),
    ("a tool of another name beside the text", Nothing, |w| {
        w.with("/content", json!([{"type": "text", "text": w.good}, {"type": "tool_use", "name": "web_search", "input": {"query": "x"}}]))
    }),
    ("a second, empty tool", Nothing, |w| {
        w.with("/content", json!([{"type": "tool_use", "name": "reply", "input": w.verdict()}, {"type": "tool_use", "name": "reply", "input": {}}]))
    }),
    ("a tool that begins with another verdict", Nothing, |w| {
        let critical: Value = serde_json::from_str(&w.critical).unwrap();
        w.events_but(|events| events[1]["content_block"]["input"] = critical)
    }),
    ("a tool as the reason, but words", Nothing, |w| {
        w.with("/stop_reason", json!("tool_use"))
    }),
    ("a block without a type", Nothing, |w| {
        w.with("/content", json!([{"text": w.good}]))
    }),
    ("words in a block of thinking", Nothing, |w| {
        w.events_but(|events| {
            events[1]["content_block"] = json!({"type": "thinking", "thinking": ""});
            for event in &mut events[2..5] {
                let words = event["delta"]["partial_json"].take();
                event["delta"] = json!({"type": "text_delta", "text": words});
            }
        })
    }),
    ("the input of a tool of the server", Nothing, |w| {
        w.events_but(|events| {
            events[1]["content_block"] =
                json!({"type": "server_tool_use", "name": "web_search", "input": {}});
        })
    }),
    ("words for a block that is not open", Nothing, |w| {
        w.events_but(|events| events[3]["index"] = json!(4))
    }),
    ("thinking before the tool in the stream", Good, |w| {
        w.amid(1, &[
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": w.critical}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "xyz"}}),
            json!({"type": "content_block_stop", "index": 0}),
        ])
    }),
    ("words in the stream instead of the tool", Good, |w| {
        w.events_but(|events| {
            events[1]["content_block"] = json!({"type": "text", "text": ""});
            for event in &mut events[2..5] {
                let words = event["delta"]["partial_json"].take();
                event["delta"] = json!({"type": "text_delta", "text": words});
            }
            events[6]["delta"]["stop_reason"] = json!("end_turn");
        })
    }),
    ("words before the tool in the stream", Good, |w| {
        w.events_but(|events| {
            for event in &mut events[1..6] {
                event["index"] = json!(1);
            }
            events.splice(1..1, [
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I have read it."}}),
                json!({"type": "content_block_stop", "index": 0}),
            ]);
        })
    }),
    ("a second message after the end", Good, |w| {
        w.events_but(|events| {
            let again = events.clone();
            events.extend(again);
        })
    }),
    ("a message as the only event", Good, |w| {
        Raw::stream(&[w.whole()])
    }),
    ("a critical verdict in the tool", Critical, |w| {
        let verdict: Value = serde_json::from_str(&w.critical).unwrap();
        w.with(
            "/content",
            json!([{"type": "tool_use", "name": "reply", "input": verdict}]),
        )
    }),
];

pub(super) const BESIDE_GEMINI: &[Row] = &[
    ("a call beside the answer", Nothing, |w| {
        let verdict: Value = serde_json::from_str(&w.critical).unwrap();
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good}, {"functionCall": {"name": "reply", "args": verdict}}]),
        )
    }),
    ("a picture beside the answer", Nothing, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]),
        )
    }),
    ("two candidates with the same index", Nothing, |w| {
        w.with(
            "/candidates",
            json!([
                candidate(&json!([{"text": w.good}])),
                candidate(&json!([{"text": w.critical}]))
            ]),
        )
    }),
    ("two candidates without an index", Nothing, |w| {
        w.with(
            "/candidates",
            json!([
                {"content": {"parts": [{"text": w.good}]}, "finishReason": "STOP"},
                {"content": {"parts": [{"text": w.critical}]}, "finishReason": "STOP"},
            ]),
        )
    }),
    ("a second candidate with another verdict", Nothing, |w| {
        let mut second = candidate(&json!([{"text": w.critical}]));
        second["index"] = json!(1);
        w.with(
            "/candidates",
            json!([candidate(&json!([{"text": w.good}])), second]),
        )
    }),
    ("a second candidate in the stream", Nothing, |w| {
        w.amid(
            2,
            &[json!({"candidates": [{"index": 1, "content": {"parts": [{"text": "x"}]}}]})],
        )
    }),
    ("a block of the prompt amid the stream", Nothing, |w| {
        w.amid(
            2,
            &[json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}})],
        )
    }),
    ("a block of the prompt by its number", Nothing, |w| {
        w.but(|whole| whole["promptFeedback"] = json!({"blockReason": 1}))
    }),
    ("a block that is null", Good, |w| {
        w.but(|whole| whole["promptFeedback"] = json!({"blockReason": null}))
    }),
    ("a rating that blocked", Nothing, |w| {
        w.but(|whole| {
            whole["candidates"][0]["safetyRatings"] =
                json!([{"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": true}]);
        })
    }),
    ("ratings that blocked nothing", Good, |w| {
        w.but(|whole| {
            whole["candidates"][0]["safetyRatings"] =
                json!([{"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"}, {"blocked": false}]);
        })
    }),
    ("a reason to finish in every event", Good, |w| {
        // Earlier models of Gemini.
        w.events_but(|events| {
            for event in events.iter_mut() {
                event["candidates"][0]["finishReason"] = json!("STOP");
            }
        })
    }),
    ("parts twice in a list of events", Nothing, |w| {
        let list = json!(w.events()).to_string();
        Raw::json(list.replacen("\"parts\":", "\"parts\":[{\"text\":\"\"}],\"parts\":", 1))
    }),
    ("a message of a gateway in the stream", Nothing, |w| {
        w.amid(2, &[json!({"message": "upstream request timeout"})])
    }),
    ("usage alone", Nothing, |_| {
        Raw::json(r#"{"usageMetadata":{"promptTokenCount":700,"candidatesTokenCount":90}}"#)
    }),
    ("a candidate without content before the words", Good, |w| {
        w.amid(
            0,
            &[json!({"candidates": [{"index": 0, "content": {"role": "model"}}]})],
        )
    }),
    ("a signature beside the answer", Good, |w| {
        w.with(
            "/candidates/0/content/parts",
            json!([{"text": w.good, "thoughtSignature": "xyz"}]),
        )
    }),
];
