//! Properties of the scanner over generated input: nothing panics, spans are
//! sound, valid JSON is read as `serde_json` reads it, edits splice exactly.

use proptest::prelude::*;
use serde_json::Value;

use super::testing::{Which, edits, mended, same, scan_all};
use super::{EscapeStyle, Json, Kind, Node};

/// Spans in bounds, on character boundaries, children inside parents, in order.
fn assert_sound(source: &str, json: &Json) {
    let on_text = |range: &std::ops::Range<usize>| source.get(range.clone()).is_some();
    assert!(source.is_char_boundary(json.end));
    for recovery in &json.recoveries {
        assert!(on_text(&recovery.span), "{recovery:?} in {source:?}");
        for (range, _) in &recovery.edits {
            assert!(on_text(range), "{recovery:?} in {source:?}");
        }
    }
    let mut open: Vec<Node<'_>> = json.root().into_iter().collect();
    while let Some(node) = open.pop() {
        let span = node.span();
        assert!(
            on_text(&span) && span.end <= json.end,
            "{node:?} in {source:?}"
        );
        let strings = node
            .string()
            .into_iter()
            .chain(node.members().map(|(key, _)| key));
        for string in strings {
            assert!(
                on_text(&string.span) && on_text(&string.inner),
                "{string:?} in {source:?}"
            );
            assert!(string.span.start <= string.inner.start && string.inner.end <= string.span.end);
            assert_eq!(string.map.source_span(), string.inner, "{source:?}");
            assert_eq!(string.map.len(), string.text.len(), "{source:?}");
            for (at, _) in string.text.char_indices() {
                let range = string.map.to_source(at..string.text.len());
                assert!(on_text(&range), "{string:?} in {source:?}");
                assert_eq!(
                    string.map.to_decoded(string.map.to_source(at..at).start),
                    string.map.widened(at..at).start
                );
            }
        }
        let mut last = span.start;
        let mut count = 0;
        for child in node.items().chain(node.members().map(|(_, value)| value)) {
            let from = child.key().map_or(child.span().start, |key| key.span.start);
            assert!(
                last <= from && child.span().end <= span.end,
                "{child:?} in {source:?}"
            );
            assert!(
                child
                    .key()
                    .is_none_or(|key| key.span.end <= child.span().start)
            );
            last = child.span().end;
            count += 1;
            open.push(child);
        }
        assert_eq!(count, node.len());
    }
    let all = edits(json, Which::All);
    for pair in all.windows(2) {
        assert!(
            pair[0].0.end <= pair[1].0.start,
            "{pair:?} overlap in {source:?}: {:?}",
            json.recoveries
        );
    }
    let certain = edits(json, Which::Certain);
    for pair in certain.windows(2) {
        assert!(
            pair[0].0 != pair[1].0,
            "{pair:?} in one place in {source:?}"
        );
    }
}

/// Soup of the tokens that matter, so that every rule of the grammar is met.
fn soup() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        8 => prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\"", "\"", "'", "`", "“", "”", "‘", "’", "\\", "\n", " ",
            "\"a\"", "\"b\":", "\"key\": \"value\"", "a", "true", "None", "NaN", "undefined", "1", "-", ".5", "007",
            "\\u", "\\ud83d", "\\ude00", "\\u00e9", "\\n", "\\q", "\\'", "//", "/*", "*/", "#", "...", "…", "\0",
            "\u{1}", "\u{a0}", "\u{feff}", ";", "=", "=>", "+", "```", "é", "😀", "´", "he said", ", \"", "\",",
            "\"}", "tru", "\r\n", "\t",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(token, 0..40).prop_map(|tokens| tokens.concat())
}

fn documents() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[a-z \"\\\\/\n\té😀\u{1}\u{7f}:,{}\\[\\]']{0,12}",
        any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Documents with an array or an object at the root.
fn containers() -> impl Strategy<Value = Value> {
    documents().prop_map(|document| match document {
        Value::Array(_) | Value::Object(_) => document,
        leaf => Value::Array(vec![leaf]),
    })
}

/// Documents with at least one string value.
fn documents_with_a_string() -> impl Strategy<Value = Value> {
    documents().prop_map(|document| {
        if holds_a_string(&document) {
            document
        } else {
            serde_json::json!({ "a": document, "b": "text" })
        }
    })
}

fn holds_a_string(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().any(holds_a_string),
        Value::Object(members) => members.values().any(holds_a_string),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// How a document is written out.
#[derive(Clone, Copy, Debug)]
enum Written {
    Compact,
    Pretty,
    Ascii,
}

fn write(document: &Value, written: Written) -> String {
    let compact = serde_json::to_string(document).unwrap();
    match written {
        Written::Compact => compact,
        Written::Pretty => serde_json::to_string_pretty(document).unwrap(),
        Written::Ascii => compact
            .chars()
            .map(|c| {
                if c.is_ascii() {
                    return c.to_string();
                }
                let mut units = [0; 2];
                c.encode_utf16(&mut units)
                    .iter()
                    .map(|unit| format!("\\u{unit:04X}"))
                    .collect()
            })
            .collect(),
    }
}

fn writings() -> impl Strategy<Value = Written> {
    prop::sample::select(vec![Written::Compact, Written::Pretty, Written::Ascii])
}

/// All string values, in the order of the source.
fn strings(json: &Json) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = json.root().into_iter().collect();
    while let Some(node) = open.pop() {
        if node.kind() == Kind::String {
            found.push(node);
        }
        open.extend(node.items().chain(node.members().map(|(_, value)| value)));
    }
    found
}

/// The same place in the `serde_json` value.
fn place<'v>(document: &'v mut Value, node: Node<'_>) -> &'v mut Value {
    let mut steps: Vec<Node<'_>> =
        std::iter::successors(Some(node), |node| node.parent()).collect();
    steps.pop();
    steps
        .into_iter()
        .rev()
        .fold(document, |value, step| match step.key() {
            Some(key) => &mut value[&key.text],
            None => {
                let parent = step.parent().unwrap();
                let index = parent
                    .items()
                    .position(|item| item.span() == step.span())
                    .unwrap();
                &mut value[index]
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_gives_a_sound_tree(source in any::<String>()) {
        assert_sound(&source, &scan_all(&source));
    }

    #[test]
    fn token_soup_gives_a_sound_tree(source in soup()) {
        for source in [source.clone(), format!("{{{source}"), format!("[{source}]"), format!("{{\"k\": \"{source}")] {
            let json = scan_all(&source);
            assert_sound(&source, &json);
            mended(&source, &json, Which::Certain);
        }
    }

    #[test]
    fn any_range_of_a_text_can_be_scanned(source in soup(), start in 0..80_usize, end in 0..200_usize) {
        assert_sound(&source, &super::scan(&source, start..end));
    }

    #[test]
    fn a_cut_document_never_claims_to_be_complete(document in containers(), written in writings(), at in any::<prop::sample::Index>()) {
        let source = write(&document, written);
        let mut cut = 1 + at.index(source.len() - 1);
        while !source.is_char_boundary(cut) {
            cut -= 1;
        }
        prop_assume!(cut > 0 && cut < source.len());
        let json = super::scan(&source, 0..cut);
        assert_sound(&source, &json);
        prop_assert!(!json.complete(), "{}", &source[..cut]);
    }

    #[test]
    fn valid_documents_are_read_as_serde_json_reads_them(document in documents(), written in writings()) {
        let source = write(&document, written);
        let json = scan_all(&source);
        assert_sound(&source, &json);
        prop_assert_eq!(&json.recoveries, &vec![], "{}", source);
        prop_assert!(json.complete() && json.end == source.len());
        prop_assert!(json.root().is_some_and(|root| same(root, &document)), "{}", source);
    }

    #[test]
    fn an_edit_changes_one_string_and_nothing_else(
        document in documents_with_a_string(),
        written in writings(),
        which in any::<prop::sample::Index>(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
        replacement in any::<String>(),
    ) {
        let source = write(&document, written);
        let json = scan_all(&source);
        let strings = strings(&json);
        let node = strings[which.index(strings.len())];
        let string = node.string().unwrap();
        let edges: Vec<usize> = string.text.char_indices().map(|(at, _)| at).chain([string.text.len()]).collect();
        let (a, b) = (edges[from.index(edges.len())], edges[to.index(edges.len())]);
        let range = a.min(b)..a.max(b);

        let mut edited = source.clone();
        edited.replace_range(string.map.to_source(range.clone()), &EscapeStyle::of(&source).escape(&replacement));
        let mut text = string.text.clone();
        text.replace_range(range, &replacement);
        let mut expected: Value = serde_json::from_str(&source).unwrap();
        *place(&mut expected, node) = Value::from(text);
        let got: Value = serde_json::from_str(&edited).unwrap();
        prop_assert_eq!(got, expected);
    }
}
