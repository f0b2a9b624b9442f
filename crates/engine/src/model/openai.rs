//! Chat completions, as OpenAI has them and everybody copies them. Knows the form
//! of requests and of answers, nothing of sending.

use std::borrow::Cow;
use std::fmt;

use redraft_run::ask::{Ask, Finish, Schema};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use super::frame::Frame;
use super::heard::Heard;
use super::quirks::Quirks;
use crate::json_text;

/// Where a call goes, behind the base address.
pub(super) const PATH: &str = "chat/completions";

/// The request for an ask. `system` holds the schema already where it goes into
/// the prompt.
pub(super) fn body(ask: &Ask, system: &str, schema: Option<&Schema>, quirks: Quirks) -> Vec<u8> {
    let messages = [("system", system), ("user", ask.prompt.user.as_str())];
    let form = schema.map_or(0, |schema| schema.text().len());
    json_text::object(system.len() + ask.prompt.user.len() + form, |body| {
        body.string("model", &ask.model.model);
        let messages = messages.iter().filter(|(_, content)| !content.is_empty());
        body.list("messages", messages, |message, (role, content)| {
            message.string("role", role);
            message.string("content", content);
        });
        let limit = if quirks.completion_tokens {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        body.plain(limit, ask.model.max_tokens);
        body.plain_if("temperature", super::call::temperature(ask, quirks));
        body.plain("stream", true);
        if !quirks.no_stream_options {
            body.object("stream_options", |options| {
                options.plain("include_usage", true);
            });
        }
        if let Some(schema) = schema {
            body.object("response_format", |format| {
                format.string("type", "json_schema");
                format.object("json_schema", |form| {
                    form.string("name", "reply");
                    form.plain("strict", schema.is_closed());
                    form.json("schema", schema.text());
                });
            });
        }
    })
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(default, borrow)]
    choices: Vec<Choice<'a>>,
    usage: Option<Used>,
    #[serde(default)]
    error: Option<Value>,
}

impl Chunk<'_> {
    /// Its words, where they are all that it has to say.
    fn words_alone(&self) -> Option<&str> {
        let choice = self.choices.first().filter(|_| self.usage.is_none())?;
        let part = choice.delta.as_ref()?;
        let is_more = choice.finish_reason.is_some() || part.refusal.is_some();
        let Content(words) = part.content.as_ref().filter(|_| !is_more)?;
        Some(words)
    }
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

/// Words, or pieces of several kinds, of which only the words are wanted. Read
/// without a guess between the two: there is one of them in every event.
struct Content<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = Content<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("words, or a list of pieces")
            }

            fn visit_borrowed_str<E>(self, words: &'de str) -> Result<Self::Value, E> {
                Ok(Content(words.into()))
            }

            fn visit_str<E>(self, words: &str) -> Result<Self::Value, E> {
                Ok(Content(words.to_owned().into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut words = String::new();
                while let Some(piece) = list.next_element::<Value>()? {
                    words += piece
                        .get("text")
                        .and_then(Value::as_str)
                        .unwrap_or_default();
                }
                Ok(Content(words.into()))
            }
        }
        deserializer.deserialize_any(Words)
    }
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
    // As text: its words are borrowed then, and looked at only once.
    let text = std::str::from_utf8(data).unwrap_or_default();
    if heard.takes_words_of(text) {
        return;
    }
    let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(text) else {
        heard.cannot_read(data);
        return;
    };
    if heard.complains(chunk.error.as_ref(), data) {
        return;
    }
    heard.frame = chunk
        .words_alone()
        .and_then(|words| Frame::around(text, words));
    if let Some(used) = chunk.usage {
        heard.input = used.prompt_tokens.or(heard.input);
        heard.output = used.completion_tokens.or(heard.output);
    }
    let Some(choice) = chunk.choices.into_iter().next() else {
        return;
    };
    if let Some(part) = choice.delta.or(choice.message) {
        if let Some(Content(words)) = part.content {
            heard.text.push_str(&words);
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
    fn events_that_differ_in_their_words_alone_are_heard_as_any_others() {
        let word = |word: &str| {
            format!(
                r#"{{"id":"x","choices":[{{"index":0,"delta":{{"content":"{word}"}},"finish_reason":null}}]}}"#
            )
        };
        let end = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"e"},"finish_reason":"length"}]}"#;
        let refusal = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"","refusal":"no"},"finish_reason":null}]}"#;
        let used = r#"{"id":"x","choices":[{"index":0,"delta":{"content":"u"},"finish_reason":null}],"usage":{"prompt_tokens":5}}"#;
        let events = [
            word("a"),
            word("b"),
            word(r#"\"\n\u00e9"#),
            used.to_owned(),
            word("c"),
            word(""),
            refusal.to_owned(),
            word("d"),
            end.to_owned(),
        ];
        let events: Vec<&str> = events.iter().map(String::as_str).collect();
        let all = heard(&events);
        assert_eq!(all.text, "ab\"\né\u{75}cde");
        assert_eq!((all.input, all.refusal.as_str()), (Some(5), "no"));
        assert_eq!(all.finish, Some(Finish::Length));
        assert!(all.unreadable.is_none());
        // What breaks the string is not heard as words.
        let broken = heard(&[&word("a"), &word(r#"b" x"#)]);
        assert_eq!(broken.text, "a");
        assert!(broken.unreadable.is_some());
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
}
