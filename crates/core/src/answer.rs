//! Finding the JSON object that a model answered with. A reply may think aloud,
//! fence its JSON, quote an object or talk around it. What the object means is
//! its reader's business.

use redraft_text::json::Json;
use redraft_text::reply;

/// The objects of a reply that may be the answer, in order: with `field` in them,
/// outside reasoning and outside what is quoted. One that breaks off counts by
/// the fields that come `earlier`.
pub(crate) fn objects(text: &str, field: &str, earlier: &[&str]) -> Vec<Json> {
    let mut found = reply::objects(text);
    found.retain(|value| {
        let has = |name: &str| value.root().is_some_and(|root| root.get(name).is_some());
        has(field) || !value.complete() && earlier.iter().any(|name| has(name))
    });
    found
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
