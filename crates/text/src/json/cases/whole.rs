//! Cases of whole texts: cut, surrounded, large, deep.

use serde_json::{Value, json};

use super::kinds;
use crate::json::testing::{mended_and_closed, same, scan_all};
use crate::json::{Kind, Node, Opening, Quotes, RecoveryKind, scan};

#[test]
fn a_cut_text_keeps_what_was_there_and_says_so() {
    use Opening as O;
    let cases: &[(&str, Value, &[Opening])] = &[
        ("{\"a\": \"b", json!({"a": "b"}), &[O::Object, O::Text]),
        ("{\"a\": \"b\\", json!({"a": "b"}), &[O::Object, O::Text]),
        ("{\"a\": \"b\\u00", json!({"a": "b"}), &[O::Object, O::Text]),
        (
            "{\"a\": [1, 2",
            json!({"a": [1, 2]}),
            &[O::Object, O::Array],
        ),
        (
            "{\"a\": [1, 2,",
            json!({"a": [1, 2]}),
            &[O::Object, O::Array],
        ),
        ("{\"a\":", json!({"a": null}), &[O::Object, O::Key]),
        ("{\"a\"", json!({"a": null}), &[O::Object, O::Key]),
        (
            "[{\"a\": 1}, {",
            json!([{"a": 1}, {}]),
            &[O::Array, O::Object],
        ),
        (
            "{\"a\": \"He said \"hi\" to m",
            json!({"a": "He said \"hi\" to m"}),
            &[O::Object, O::Text],
        ),
        ("[", json!([]), &[O::Array]),
        ("\"abc", json!("abc"), &[O::Text]),
    ];
    for (source, value, open) in cases {
        let json = scan_all(source);
        assert!(!json.complete(), "{source}");
        assert!(
            json.root().is_some_and(|root| same(root, value)),
            "{source}: {json:?}"
        );
        let cut = json.recoveries.last().unwrap();
        assert_eq!(
            cut.kind,
            RecoveryKind::CutOff {
                open: open.to_vec()
            },
            "{source}"
        );
        assert!(cut.edits.is_empty() && !cut.certain, "{source}");
        assert_eq!(json.end, source.len());
    }
    for source in ["{\"a\": \"b\", \"c", "{\"a\": \"b\", c"] {
        let json = scan_all(source);
        assert!(
            json.root()
                .is_some_and(|root| same(root, &json!({"a": "b"}))),
            "{source}"
        );
        assert!(!json.complete());
    }
    let json = scan_all("[1, tru");
    assert_eq!(
        json.root()
            .and_then(|root| root.items().last())
            .map(Node::kind),
        Some(Kind::Invalid)
    );
    assert_eq!(
        mended_and_closed("[[1, {\"a\": ", &scan_all("[[1, {\"a\": ")),
        "[[1, {\"a\":null}]]"
    );
}

#[test]
fn text_around_the_value_is_left_alone() {
    let source = "é {\"a\": \"b\"} Hope this helps, \"friend\"!";
    let json = scan(source, 2..source.len());
    assert_eq!(json.root().map(Node::span), Some(3..13));
    assert_eq!((json.end, json.recoveries.len()), (13, 0));
    assert!(scan_all(" \n").root().is_none());
    assert_eq!(scan_all("]").root().map(Node::kind), Some(Kind::Invalid));
    assert_eq!(scan("éé", 1..3).end, 2);
}

#[test]
fn paths_and_accessors_read_well() {
    let json = scan_all(r#"{"sections": [1, 2.0, {"content": "x", "odd key": {"é": [true]}}]}"#);
    let root = json.root().unwrap();
    let section = root.get("sections").unwrap().items().nth(2).unwrap();
    assert_eq!(
        section.get("content").unwrap().path(),
        "sections[2].content"
    );
    let truth = section
        .get("odd key")
        .unwrap()
        .get("é")
        .unwrap()
        .items()
        .next()
        .unwrap();
    assert_eq!(truth.path(), "sections[2][\"odd key\"].é[0]");
    assert_eq!(truth.as_bool(), Some(true));
    assert_eq!(root.path(), "");
    let whole: Vec<_> = root
        .get("sections")
        .unwrap()
        .items()
        .map(Node::as_i64)
        .collect();
    assert_eq!(whole, [Some(1), Some(2), None]);
    assert_eq!(
        section
            .get("content")
            .and_then(Node::string)
            .map(|s| s.quotes),
        Some(Quotes::Double)
    );
}

#[test]
fn recoveries_beyond_the_cap_are_counted() {
    let source = format!("[{}", "True,".repeat(5000));
    let json = scan_all(&source);
    assert_eq!(
        (json.recoveries.len(), json.recoveries_omitted),
        (1001, 4000)
    );
    assert!(!json.complete());
}

/// Repetitions that tempt a scanner to look ahead again and again: read in
/// quadratic time, these would not end promptly.

#[test]
fn hostile_input_is_read_in_linear_time() {
    const N: usize = 24_000;
    let units = [
        "[",
        "{\"a\":",
        "{",
        "]",
        "}",
        "\"",
        "\" ",
        "\",",
        "\",\"",
        "\", \"",
        "\"\n",
        "\\\"",
        "'",
        "',“",
        "\",“",
        "“",
        "`",
        "a ",
        "a:",
        "a\"",
        "\"a\" ",
        "\"a\"\n",
        "\"a\",",
        "\"a\":",
        "[}",
        "{]",
        "{\"a\":[}",
        "[\"a\"]",
        ",",
        ":",
        "/*",
        "//",
        "#",
        "\n",
        "\0",
        "\u{a0}",
        "...",
        "1 ",
        "1,",
        "1",
        "true ",
        "\\u",
        "\\ud83d",
        "\\",
        "\"]",
        "\"}",
        "\"]}",
        "\"],",
        ";",
        "= ",
    ];
    for unit in units {
        for (head, tail) in [
            ("", ""),
            ("[", ""),
            ("{\"k\": \"", ""),
            ("[\"x ", "\"]"),
            ("{\"k\": [\"x\" y, \"", "\"]}"),
            ("{'", "'}"),
        ] {
            let source = format!("{head}{}{tail}", unit.repeat(N / unit.len().max(4)));
            scan_all(&source);
        }
    }
    let members: String = (0..N).map(|i| format!("\"k{}\":1,", i % 1000)).collect();
    assert_eq!(
        scan_all(&format!("{{{members}}}")).root().map(Node::len),
        Some(N)
    );
}

#[test]
fn nesting_beyond_the_limit_is_skipped_once() {
    let deep = format!("[{}{}, 7]", "[".repeat(100_000), "]".repeat(100_000));
    let json = scan_all(&deep);
    assert_eq!(kinds(&json), [RecoveryKind::TooDeep]);
    assert_eq!(
        json.root().and_then(|root| root.items().nth(1)?.as_i64()),
        Some(7)
    );
    let objects = "{\"a\":".repeat(200_000);
    let json = scan_all(&objects);
    assert!(matches!(
        kinds(&json).as_slice(),
        [RecoveryKind::TooDeep, RecoveryKind::CutOff { .. }]
    ));
}
