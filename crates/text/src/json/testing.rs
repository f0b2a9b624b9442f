//! What the tests of the scanner share: applying edits, comparing trees. Only
//! compiled for tests.

use std::ops::Range;

use serde_json::Value;

use super::{Json, Kind, Node, Opening, RecoveryKind, scan};

/// The tree as a `serde_json` value; an invalid node is null.
pub(super) fn to_value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Null | Kind::Invalid => Value::Null,
        Kind::Bool => Value::from(node.as_bool()),
        Kind::Number => node
            .as_i64()
            .map_or_else(|| Value::from(node.as_f64()), Value::from),
        Kind::String => Value::from(node.as_str()),
        Kind::Array => node.items().map(to_value).collect(),
        Kind::Object => {
            let members = node
                .members()
                .map(|(key, value)| (key.text.clone(), to_value(value)));
            Value::Object(members.collect())
        }
    }
}

pub(super) fn scan_all(source: &str) -> Json {
    scan(source, 0..source.len())
}

/// Which edits to apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Certain,
    All,
}

/// The edits of the recoveries in the order of application.
pub(super) fn edits(json: &Json, which: Which) -> Vec<(Range<usize>, String)> {
    let mut edits: Vec<_> = json
        .recoveries
        .iter()
        .filter(|recovery| which == Which::All || recovery.certain)
        .flat_map(|recovery| recovery.edits.clone())
        .collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

/// The scanned value's text with the edits applied.
pub(super) fn mended(source: &str, json: &Json, which: Which) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (range, with) in edits(json, which) {
        assert!(
            at <= range.start,
            "overlapping edits at {range:?} in {source:?}"
        );
        out.push_str(&source[at..range.start]);
        out.push_str(&with);
        at = range.end;
    }
    out.push_str(&source[at..json.end.max(at)]);
    out
}

/// As [`mended`], with what was cut off closed in the simplest way.
pub(super) fn mended_and_closed(source: &str, json: &Json) -> String {
    let mut text = mended(source, json, Which::All);
    let open = json
        .recoveries
        .iter()
        .find_map(|recovery| match &recovery.kind {
            RecoveryKind::CutOff { open } => Some(open.clone()),
            _ => None,
        });
    for opening in open.unwrap_or_default().into_iter().rev() {
        if opening == Opening::Text {
            text.push('"');
            continue;
        }
        text.truncate(text.trim_end().len());
        if text.ends_with(',') {
            text.pop();
        }
        match opening {
            Opening::Text => {}
            Opening::Key if text.ends_with(':') => text.push_str("null"),
            Opening::Key => text.push_str(":null"),
            Opening::Array => text.push(']'),
            Opening::Object => text.push('}'),
        }
    }
    text
}
