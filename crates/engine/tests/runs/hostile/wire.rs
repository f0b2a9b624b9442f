//! How a provider sends a verdict: responses that do not quite follow the protocol. They contain
//! the good verdict unless stated otherwise.

mod anthropic;
mod beside;
mod gemini;
mod oddities;
mod openai;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use redraft_engine::model::connection::Api;
use redraft_run::setup::Setup;
use serde_json::{Value, json};

use super::Expect::{self, Good, Nothing};
use super::server::{Form, Raw, events, reply, whole};
use super::{CONTENTS, Trial, Wrong, first_criterion, good, judged};
use crate::fake_provider::CANARY;
use crate::http::APIS;
use anthropic::ANTHROPIC;
use beside::{BESIDE_ANTHROPIC, BESIDE_ANY, BESIDE_GEMINI, BESIDE_OPENAI};
use gemini::GEMINI;
use oddities::{ODD_ANTHROPIC, ODD_ANY, ODD_GEMINI, ODD_OPENAI};
use openai::OPENAI;

/// The material of a response.
struct Wire {
    api: Api,
    /// The good verdict.
    good: String,
    /// A verdict with a critical issue.
    critical: String,
}

impl Wire {
    fn of(api: Api, setup: &Setup, text_id: &str) -> Self {
        let mut verdict = good(setup, text_id);
        let good = verdict.to_string();
        let first = first_criterion(setup);
        verdict["issues"] = json!([{
            "criterion": first, "severity": "critical", "location": "sec_global", "quote": "",
            "source": "", "description": "It is dangerous.", "suggested_fix": "Remove it.",
        }]);
        verdict["scores"][&first] = json!(0.91);
        Self {
            api,
            good,
            critical: verdict.to_string(),
        }
    }

    fn whole(&self) -> Value {
        whole(self.api, &self.good)
    }

    fn body(&self) -> String {
        self.whole().to_string()
    }

    fn stream(&self) -> Raw {
        reply(self.api, Form::Stream, &self.good)
    }

    /// The whole response with one value changed, by its JSON pointer.
    fn with(&self, pointer: &str, value: Value) -> Raw {
        let mut whole = self.whole();
        *whole.pointer_mut(pointer).unwrap() = value;
        Raw::json(whole.to_string())
    }

    fn events(&self) -> Vec<Value> {
        events(self.api, &self.good)
    }

    /// The stream with these events inserted at this index.
    fn amid(&self, at: usize, more: &[Value]) -> Raw {
        let mut events = self.events();
        events.splice(at..at, more.iter().cloned());
        let mut raw = Raw::stream(&events);
        if self.api == Api::OpenAi {
            raw.pieces.push(b"data: [DONE]\n\n".to_vec());
        }
        raw
    }

    fn usage(&self, written: &str) -> Raw {
        let body = self.body();
        let (names, count) = match self.api {
            Api::OpenAi => (["prompt_tokens", "completion_tokens"], body),
            Api::Anthropic => (["input_tokens", "output_tokens"], body),
            Api::Gemini => (["promptTokenCount", "candidatesTokenCount"], body),
        };
        let body = count
            .replace(
                &format!("\"{}\":700", names[0]),
                &format!("\"{}\":{written}", names[0]),
            )
            .replace(
                &format!("\"{}\":90", names[1]),
                &format!("\"{}\":{written}", names[1]),
            );
        assert!(body.contains(written));
        Raw::json(body)
    }
}

type Row = (&'static str, Expect, fn(&Wire) -> Raw);

/// Responses in any protocol.
const ANY: &[Row] = &[
    ("whole", Good, |w| Raw::json(w.body())),
    ("stream", Good, Wire::stream),
    ("a byte at a time", Good, |w| w.stream().dripping()),
    ("whole, a byte at a time", Good, |w| {
        Raw::json(w.body()).dripping()
    }),
    ("a byte order mark before the body", Good, |w| {
        Raw::json(format!("\u{feff}{}", w.body()))
    }),
    ("white space before the body", Good, |w| {
        Raw::json(format!("\r\n  {}", w.body()))
    }),
    ("carriage returns in the stream", Good, |w| {
        let bytes = w.stream().pieces.concat();
        let text = String::from_utf8(bytes).unwrap().replace('\n', "\r\n");
        Raw::lines(vec![text.into_bytes()])
    }),
    ("comments in the stream", Good, |w| {
        let mut raw = w.stream();
        raw.pieces
            .insert(1, b": ping\n\nevent: ping\n\nretry: 10\n\n".to_vec());
        raw
    }),
    ("a body in UTF-16", Nothing, |w| {
        Raw::json(
            w.body()
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        )
    }),
    ("a body that is not UTF-8", Nothing, |w| {
        let mut bytes = w.body().into_bytes();
        let at = w.body().find("Clear").unwrap();
        bytes[at] = 0xff;
        Raw::json(bytes)
    }),
    ("half a surrogate", Nothing, |w| {
        Raw::json(w.body().replace("Clear", "\\ud83d"))
    }),
    ("a body cut in half", Nothing, |w| {
        let body = w.body();
        Raw::json(body.as_bytes()[..body.len() / 2].to_vec())
    }),
    ("a body shorter than announced", Nothing, |w| {
        let body = w.body();
        Raw::json(body.as_bytes()[..body.len() / 2].to_vec()).cut()
    }),
    ("a stream cut in half", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.truncate(2);
        raw.cut()
    }),
    ("a stream that just stops", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.truncate(3);
        raw
    }),
    ("a stream with garbage", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces.insert(2, b"data: @@@@\n\n".to_vec());
        raw
    }),
    ("a stream with a broken event", Nothing, |w| {
        let mut raw = w.stream();
        raw.pieces[2] = b"data: {\"choices\": [\n\n".to_vec();
        raw
    }),
    ("a trailing comma in the body", Nothing, |w| {
        let body = w.body();
        Raw::json(format!("{},}}", &body[..body.len() - 1]))
    }),
    ("words after the body", Nothing, |w| {
        Raw::json(format!("{} OK", w.body()))
    }),
    ("two bodies", Nothing, |w| {
        Raw::json(format!("{0}{0}", w.body()))
    }),
    ("an empty body", Nothing, |_| Raw::json("")),
    ("an empty object", Nothing, |_| Raw::json("{}")),
    ("an empty list", Nothing, |_| Raw::json("[]")),
    ("null", Nothing, |_| Raw::json("null")),
    ("the verdict itself", Nothing, |w| Raw::json(w.good.clone())),
    ("a page", Nothing, |w| {
        Raw::json(format!("<html>{}</html>", w.good))
    }),
    ("a body that is called gzip", Nothing, |w| {
        Raw::json(
            [
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03".as_slice(),
                w.body().as_bytes(),
            ]
            .concat(),
        )
        .with("content-encoding: gzip")
    }),
    ("a plain body that is called gzip", Good, |w| {
        Raw::json(w.body()).with("content-encoding: gzip")
    }),
    ("an error with 200", Nothing, |_| {
        Raw::json(r#"{"error":{"message":"upstream failed","code":502}}"#)
    }),
    ("an error in words with 200", Nothing, |_| {
        Raw::json(r#"{"error":"no"}"#)
    }),
    ("an error beside the verdict", Nothing, |w| {
        let body = w.body();
        Raw::json(format!(
            "{},\"error\":{{\"message\":\"partial\"}}}}",
            &body[..body.len() - 1]
        ))
    }),
    ("a detail with 200", Nothing, |_| {
        Raw::json(r#"{"detail":"not found"}"#)
    }),
    ("a verdict with 500", Nothing, |w| {
        Raw::status("500 Internal Server Error", &w.body())
    }),
    ("a verdict with 400", Nothing, |w| {
        Raw::status("400 Bad Request", &w.body())
    }),
    ("a verdict with 302", Nothing, |w| {
        Raw::status("302 Found", &w.body())
    }),
    ("no content", Nothing, |_| Raw::status("204 No Content", "")),
    ("429", Nothing, |_| {
        Raw::status("429 Too Many Requests", "{}").with("retry-after: 1")
    }),
    ("429 until never", Nothing, |_| {
        Raw::status("429 Too Many Requests", "{}").with("retry-after: 99999999999999999999")
    }),
    ("503", Nothing, |_| {
        Raw::status("503 Service Unavailable", "no capacity")
    }),
    ("529", Nothing, |_| {
        Raw::status(
            "529 Overloaded",
            r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
        )
    }),
    ("the key in an error", Nothing, |_| {
        Raw::status(
            "500 Internal Server Error",
            &format!("{{\"error\":\"key {CANARY}\"}}"),
        )
    }),
    ("the key in a strength", Good, |w| {
        Raw::json(w.body().replace("Clear", CANARY))
    }),
    ("the key in a strength, escaped", Good, |w| {
        let escaped: String = CANARY
            .chars()
            .map(|c| format!("\\\\u{:04x}", u32::from(c)))
            .collect();
        Raw::json(w.body().replace("Clear", &escaped))
    }),
    ("the key in a strength, escaped twice", Good, |w| {
        let escaped: String = CANARY
            .chars()
            .map(|c| format!("\\\\\\\\u{:04x}", u32::from(c)))
            .collect();
        Raw::json(w.body().replace("Clear", &escaped))
    }),
    ("the key in a strength, in base64", Good, |w| {
        let encoded = STANDARD.encode(format!("Bearer {CANARY}"));
        Raw::json(w.body().replace("Clear", &encoded))
    }),
    ("the key in a refusal", Nothing, |w| {
        let words = format!("I'm sorry, but I can't help with that. Your key is {CANARY}.");
        reply(w.api, Form::Stream, &words)
    }),
    ("usage negative", Good, |w| w.usage("-7")),
    ("usage fractional", Good, |w| w.usage("7.5")),
    ("usage a string", Good, |w| w.usage("\"7\"")),
    ("usage null", Good, |w| w.usage("null")),
    ("usage zero", Good, |w| w.usage("0")),
    ("usage a list", Good, |w| w.usage("[7]")),
    ("usage absurd", Good, |w| w.usage("900000000000")),
    ("usage of all numbers", Good, |w| {
        w.usage("18446744073709551615")
    }),
    ("usage beyond all numbers", Good, |w| {
        w.usage("18446744073709551616")
    }),
];

/// Endings that do not end an answer: the path to the reason and its values, all without a verdict.
const ENDS: &[(Api, &str, &[&str])] = &[
    (
        Api::OpenAi,
        "/choices/0/finish_reason",
        &[
            "length",
            "content_filter",
            "error",
            "tool_calls",
            "function_call",
            "abort",
            "STOP",
            "",
            "max_tokens",
            "insufficient_system_resource",
        ],
    ),
    (
        Api::Anthropic,
        "/stop_reason",
        &[
            "max_tokens",
            "refusal",
            "pause_turn",
            "model_context_window_exceeded",
            "error",
            "",
            "END_TURN",
        ],
    ),
    (
        Api::Gemini,
        "/candidates/0/finishReason",
        &[
            "MAX_TOKENS",
            "SAFETY",
            "RECITATION",
            "OTHER",
            "BLOCKLIST",
            "PROHIBITED_CONTENT",
            "SPII",
            "MALFORMED_FUNCTION_CALL",
            "FINISH_REASON_UNSPECIFIED",
            "LANGUAGE",
            "stop",
            "",
        ],
    ),
];

fn all(apis: &[Api], table: &[Row]) {
    let mut wrong = Wrong::default();
    for (at, (name, expect, make)) in table.iter().enumerate() {
        for (protocol, api) in apis.iter().enumerate() {
            let place = Trial {
                api: *api,
                form: Form::Whole,
                content: CONTENTS[(at + protocol) % 3],
            };
            wrong.look(|| {
                judged(name, place, *expect, |setup, text_id| {
                    make(&Wire::of(*api, setup, text_id))
                });
            });
        }
    }
    wrong.assert_none();
}

#[test]
fn what_a_server_does_to_a_response_invents_no_score() {
    all(&APIS, ANY);
}

#[test]
fn chat_completions_are_read_as_the_protocol_has_it() {
    all(&[Api::OpenAi], OPENAI);
}

#[test]
fn messages_are_read_as_the_protocol_has_it() {
    all(&[Api::Anthropic], ANTHROPIC);
}

#[test]
fn generated_content_is_read_as_the_protocol_has_it() {
    all(&[Api::Gemini], GEMINI);
}

#[test]
fn servers_that_only_resemble_a_provider_invent_no_score() {
    all(&APIS, ODD_ANY);
}

#[test]
fn servers_that_resemble_one_protocol_invent_no_score() {
    let mut wrong = Wrong::default();
    wrong.look(|| all(&[Api::OpenAi], ODD_OPENAI));
    wrong.look(|| all(&[Api::Anthropic], ODD_ANTHROPIC));
    wrong.look(|| all(&[Api::Gemini], ODD_GEMINI));
    wrong.assert_none();
}

#[test]
fn what_stands_beside_a_reply_makes_it_none() {
    let mut wrong = Wrong::default();
    wrong.look(|| all(&APIS, BESIDE_ANY));
    wrong.look(|| all(&[Api::OpenAi], BESIDE_OPENAI));
    wrong.look(|| all(&[Api::Anthropic], BESIDE_ANTHROPIC));
    wrong.look(|| all(&[Api::Gemini], BESIDE_GEMINI));
    wrong.assert_none();
}

#[test]
fn a_reply_that_did_not_end_by_itself_is_no_verdict() {
    let mut wrong = Wrong::default();
    for (api, pointer, reasons) in ENDS {
        for (at, reason) in reasons.iter().enumerate() {
            let place = Trial {
                api: *api,
                form: Form::Whole,
                content: CONTENTS[at % 3],
            };
            wrong.look(|| {
                judged(reason, place, Nothing, |setup, text_id| {
                    Wire::of(*api, setup, text_id).with(pointer, json!(reason))
                });
            });
        }
    }
    wrong.assert_none();
}

/// The number of different responses.
pub(super) fn count() -> usize {
    let own = [ANY, OPENAI, ANTHROPIC, GEMINI];
    let odd = [ODD_ANY, ODD_OPENAI, ODD_ANTHROPIC, ODD_GEMINI];
    let beside = [BESIDE_ANY, BESIDE_OPENAI, BESIDE_ANTHROPIC, BESIDE_GEMINI];
    let tables = [own, odd, beside].concat();
    let ends = ENDS.iter().map(|(_, _, reasons)| reasons.len());
    tables.iter().map(|table| table.len()).sum::<usize>() + ends.sum::<usize>()
}
