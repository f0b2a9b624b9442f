//! What the tests of the scanner share: applying edits, comparing trees. Only
//! compiled for tests.

use std::ops::Range;

use serde_json::Value;

use super::{Json, Kind, Node, Opening, RecoveryKind, scan};

/// Whether the tree says what `serde_json` read. An invalid node is null;
/// doubles may differ in the last place, where `serde_json` rounds faster.
pub(super) fn same(node: Node<'_>, value: &Value) -> bool {
    match (node.kind(), value) {
        (Kind::Null | Kind::Invalid, Value::Null) => true,
        (Kind::Bool, Value::Bool(truth)) => node.as_bool() == Some(*truth),
        (Kind::Number, Value::Number(number)) => match number.as_i64() {
            Some(whole) => node.as_i64() == Some(whole),
            None => node
                .as_f64()
                .zip(number.as_f64())
                .is_some_and(|(a, b)| (a - b).abs() <= a.abs() * 1e-15),
        },
        (Kind::String, Value::String(text)) => node.as_str() == Some(text),
        (Kind::Array, Value::Array(items)) => {
            node.len() == items.len()
                && node.items().zip(items).all(|(node, item)| same(node, item))
        }
        (Kind::Object, Value::Object(members)) => {
            node.members()
                .all(|(key, _)| members.contains_key(&key.text))
                && members
                    .iter()
                    .all(|(key, value)| node.get(key).is_some_and(|node| same(node, value)))
        }
        _ => false,
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
