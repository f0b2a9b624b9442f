//! Any text through the JSON scanner: every span exists, and the certain edits
//! fit together. Whether the reading is the right one is for the tests to say.

use crate::{assert_on_text, splice};
use redraft_text::json::{Json, Node, scan};

pub(crate) fn holds(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else {
        return;
    };
    let json = scan(source, 0..source.len());
    walk(source, &json);
    let mut edits: Vec<_> = json
        .recoveries
        .iter()
        .filter(|recovery| recovery.certain)
        .flat_map(|recovery| recovery.edits.iter().cloned())
        .collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let repaired = String::from_utf8(splice(source.as_bytes(), &edits))
        .unwrap_or_else(|error| panic!("edits of a text made no text: {error}"));
    walk(&repaired, &scan(&repaired, 0..repaired.len()));
}

fn walk(source: &str, json: &Json) {
    assert!(json.end <= source.len());
    for recovery in &json.recoveries {
        assert_on_text(source, &recovery.span);
        for (range, _) in &recovery.edits {
            assert_on_text(source, range);
        }
    }
    let mut open: Vec<Node<'_>> = json.root().into_iter().collect();
    while let Some(node) = open.pop() {
        assert_on_text(source, &node.span());
        let strings = node
            .string()
            .into_iter()
            .chain(node.members().map(|(key, _)| key));
        for string in strings {
            assert_on_text(source, &string.span);
            assert_on_text(source, &string.inner);
            assert_eq!(string.map.len(), string.text.len());
            assert_on_text(source, &string.map.to_source(0..string.text.len()));
        }
        // `len` counts every child, so a node that is lost shows here.
        let children: Vec<Node<'_>> = node
            .items()
            .chain(node.members().map(|(_, value)| value))
            .collect();
        assert_eq!(children.len(), node.len());
        open.extend(children);
    }
}
