//! Finding the JSON object that a model answered with. A reply may think aloud,
//! fence its JSON, quote an object or talk around it. What the object means is
//! its reader's business.

use redraft_text::framing;
use redraft_text::json::{self, Json, Kind};

/// The objects of a reply that may be the answer, in order: with `field` in them,
/// outside reasoning and outside what is quoted. One that breaks off counts by
/// the fields that come `earlier`.
pub(crate) fn objects(text: &str, field: &str, earlier: &[&str]) -> Vec<Json> {
    // A reply is bounded, but nothing says what is in it.
    const MOST: usize = 64;
    let reasoning = framing::reasoning(text, &|_| false);
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
            .find(|thought| thought.certain && thought.range.contains(&start));
        if let Some(thought) = thought {
            at = thought.range.end.max(start + 1);
            continue;
        }
        let value = json::scan(text, start..text.len());
        at = value.end.max(start + 1);
        let is_candidate = value
            .root()
            .is_some_and(|root| root.kind() == Kind::Object && root.get(field).is_some());
        let is_cut = !value.complete()
            && value
                .root()
                .is_some_and(|root| earlier.iter().any(|name| root.get(name).is_some()));
        if (is_candidate || is_cut) && !is_quoted(text, start) {
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

/// Whether a reply without an answer declines to give one.
pub(crate) fn looks_like_refusal(text: &str) -> bool {
    const SIGNS: [&str; 8] = [
        "i can't",
        "i cannot",
        "i can’t",
        "i'm unable",
        "i am unable",
        "i'm sorry",
        "i’m sorry",
        "as an ai",
    ];
    let head: String = text.chars().take(300).collect::<String>().to_lowercase();
    SIGNS.iter().any(|sign| head.contains(sign))
}

/// The beginning of a reply, for a message.
pub(crate) fn first_lines(text: &str) -> String {
    const MOST: usize = 160;
    let joined: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match joined.char_indices().nth(MOST) {
        Some((at, _)) => format!("“{}…”", joined.get(..at).unwrap_or_default()),
        None => format!("“{joined}”"),
    }
}
