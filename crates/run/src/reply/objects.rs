//! Finds the JSON object of a model's answer. A reply may contain thinking, fences, quoted objects
//! or other text around it. The reader gives the object its meaning.

use redraft_text::framing::{self, ReasoningKind};
use redraft_text::json::Json;
use redraft_text::reply;

use crate::ask::{Finish, Reply};

/// The objects of a reply that may be the answer, in order: those that contain `field` and are
/// outside reasoning and quotations. An incomplete object is recognised by the fields that come
/// `earlier`.
pub(crate) fn objects(text: &str, field: &str, earlier: &[&str]) -> Vec<Json> {
    let mut found = reply::objects(text);
    found.retain(|value| {
        let has = |name: &str| value.root().is_some_and(|root| root.get(name).is_some());
        has(field) || !value.complete() && earlier.iter().any(|name| has(name))
    });
    found
}

/// Whether a reply is cut off: it reached the length limit, ended for an unknown reason, or began
/// to think and never got to its answer. Objects inside unfinished thinking are drafts.
pub(crate) fn breaks_off(reply: &Reply) -> bool {
    let text = reply.text.as_str();
    let thinks = || {
        // After other words, the tag is part of the text.
        let first = framing::reasoning(text, &|_| false).into_iter().next();
        first.is_some_and(|thought| {
            let before = text.get(..thought.range.start).unwrap_or_default();
            thought.kind == ReasoningKind::Tagged { closed: false } && before.trim().is_empty()
        })
    };
    matches!(reply.finish, Finish::Length | Finish::Unknown) || thinks()
}

/// Whether a reply without an answer declines to give one.
pub(crate) fn looks_like_refusal(text: &str) -> bool {
    framing::declines(text)
}

/// The beginning of a reply, for messages.
pub(crate) fn first_lines(text: &str) -> String {
    const MOST: usize = 160;
    let joined: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("“{}…”", joined.get(..at).unwrap_or_default()),
        None => format!("“{joined}”"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_breaks_off_at_its_limit_or_in_its_thoughts() {
        let with = |text: &str, finish| Reply {
            finish,
            ..Reply::of(text)
        };
        for (text, finish, expected) in [
            ("{\"a\": 1}", Finish::Stop, false),
            ("{\"a\": 1}", Finish::Length, true),
            ("{\"a\": 1}", Finish::Unknown, true),
            ("<think>A draft: {\"a\": 1} But", Finish::Stop, true),
            (" <think>A draft</think> {\"a\": 1}", Finish::Stop, false),
            ("A draft</think> {\"a\": 1}", Finish::Stop, false),
            (
                "<|channel|>analysis<|message|>{\"a\": 1} Hm",
                Finish::Stop,
                true,
            ),
            (
                "<|channel|>analysis<|message|>Hm<|end|>{\"a\": 1}",
                Finish::Stop,
                false,
            ),
            // The judged text itself mentions tags.
            ("{\"quote\": \"write <think> here\"}", Finish::Stop, false),
            (
                "<<<<<<< SEARCH\n<think>\n=======\n>>>>>>> REPLACE",
                Finish::Stop,
                false,
            ),
            ("", Finish::Stop, false),
        ] {
            assert_eq!(breaks_off(&with(text, finish)), expected, "{text}");
        }
    }
}
