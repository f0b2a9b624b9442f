//! JSON in what a chat model answers: after reasoning, in fences, among prose,
//! or not quite JSON. It knows nothing of what an object should say.

use crate::framing::{self, Reasoning, ReasoningKind};
use crate::json::{self, Json, Kind};
use crate::wrappers;

/// A reply without what surrounds every answer of some models: reasoning before
/// it, and control tokens at both ends. What is said in it is left as it is, and so is
/// reasoning of which it is not certain where it ends.
#[must_use]
pub fn stripped(text: &str) -> &str {
    /// Reasoning, tokens, reasoning again; more is not an answer.
    const MOST: usize = 8;
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut rest = text.trim_start_matches(blank);
    for _ in 0..MOST {
        let before = rest.len();
        rest = rest[wrappers::leading_tokens(rest)..].trim_start_matches(blank);
        let thought = framing::reasoning(rest, &|_| false)
            .into_iter()
            .find(|thought| thought.range.start == 0 && thought.certain)
            .filter(|thought| !ends_in_object(rest, thought));
        let end = thought.map_or(0, |thought| thought.range.end);
        rest = rest[end..].trim_start_matches(blank);
        if rest.len() == before {
            break;
        }
    }
    &rest[..wrappers::trailing_tokens(rest).start]
}

/// Whether a lonely closing tag stands inside an object that begins before it, so that
/// nothing before it is reasoning.
fn ends_in_object(text: &str, thought: &Reasoning) -> bool {
    let within = text.get(thought.range.clone()).unwrap_or_default();
    thought.kind == ReasoningKind::Unopened
        && within.find('{').is_some_and(|offset| {
            let start = thought.range.start + offset;
            let value = json::scan(text, start..text.len());
            value.complete() && value.end > thought.range.end
        })
}

/// The objects of a reply in their order, outside reasoning and outside what is
/// quoted in Markdown. The last may be cut off.
#[must_use]
pub fn objects(text: &str) -> Vec<Json> {
    // A reply is bounded, but nothing says what is in it.
    const MOST: usize = 64;
    let mut reasoning = framing::reasoning(text, &|_| false);
    reasoning.retain(|thought| {
        let is_certain = thought.certain || thought.kind == ReasoningKind::Unopened;
        is_certain && !ends_in_object(text, thought)
    });
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..MOST {
        let Some(start) = text
            .get(at..)
            .and_then(|rest| rest.find('{'))
            .map(|offset| at + offset)
        else {
            break;
        };
        let thought = reasoning
            .iter()
            .find(|thought| thought.range.contains(&start));
        if let Some(thought) = thought {
            at = thought.range.end.max(start + 1);
            continue;
        }
        let value = json::scan(text, start..text.len());
        at = value.end.max(start + 1);
        let is_object = value.root().is_some_and(|root| root.kind() == Kind::Object);
        if is_object && !is_quoted(text, start) {
            found.push(value);
        }
    }
    found
}

/// Whether the line is a quotation of Markdown.
fn is_quoted(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim_start().starts_with('>')
}

/// An object of a reply as valid JSON: as it is, or with its slips put right
/// (quotes, commas, comments, words of Python). `None` where it is cut off,
/// because closing it would hide that, and where it is past repair.
#[must_use]
pub fn valid_json(text: &str, object: &Json) -> Option<String> {
    /// More than any answer in JSON; the repair is not ours, and its time is not
    /// promised to be linear.
    const LONGEST: usize = 256 << 10;
    if !object.complete() {
        return None;
    }
    let written = text.get(object.root()?.span())?;
    if object.recoveries.is_empty() && object.recoveries_omitted == 0 {
        return Some(written.to_owned());
    }
    if written.len() > LONGEST {
        return None;
    }
    jsonrepair_rs::jsonrepair(written).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Option<String>> {
        objects(text)
            .iter()
            .map(|object| valid_json(text, object))
            .collect()
    }

    #[test]
    fn objects_are_found_in_every_wrapping() {
        for (text, expected) in [
            (r#"{"a": 1}"#, vec![Some(r#"{"a": 1}"#)]),
            (
                "Sure!\n```json\n{\"a\": 1}\n```\nBye!",
                vec![Some(r#"{"a": 1}"#)],
            ),
            (
                "<think>{\"a\": 0}</think>{\"a\": 1}",
                vec![Some(r#"{"a": 1}"#)],
            ),
            (
                "{\"a\": 0} hm\n</think>\n{\"a\": 1}<|im_end|>",
                vec![Some(r#"{"a": 1}"#)],
            ),
            (
                r#"{"quote": "the tag </think> ends it"}"#,
                vec![Some(r#"{"quote": "the tag </think> ends it"}"#)],
            ),
            ("> {\"a\": 0}\n\n{\"a\": 1}", vec![Some(r#"{"a": 1}"#)]),
            (
                "{\"a\": 1} and {\"b\": {}}",
                vec![Some(r#"{"a": 1}"#), Some(r#"{"b": {}}"#)],
            ),
            (
                "{'a': True, /* yes */ 'b': None,}",
                vec![Some("{\"a\": true,  \"b\": null}")],
            ),
            (r#"{"a": [1, 2"#, vec![None]),
            ("no object", vec![]),
            ("", vec![]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|json| json.map(str::to_owned))
                .collect();
            assert_eq!(all(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_and_reasoning_around_a_reply_are_stripped() {
        for (text, inner) in [
            ("<|im_start|>assistant\nYes.<|im_end|>", "Yes."),
            (
                "<think>Hm.</think>\n<|start|>assistant<|message|>Yes.</s>",
                "Yes.",
            ),
            ("</think>\n\nYes.", "Yes."),
            (
                "Yes, the tag </think> ends it.",
                "Yes, the tag </think> ends it.",
            ),
            ("<think>never ends", "<think>never ends"),
            ("", ""),
        ] {
            assert_eq!(stripped(text), inner, "{text}");
        }
    }

    #[test]
    fn hostile_replies_come_to_an_end() {
        for text in [
            "{".repeat(200_000),
            "{\"a\":".repeat(100_000),
            "{'a': [".repeat(50_000) + &"]}".repeat(50_000),
            format!("{{'a': {}1{}}}", "[".repeat(30_000), "]".repeat(30_000)),
            "{'a', ".repeat(30_000),
        ] {
            let _ = all(&text);
        }
    }
}
