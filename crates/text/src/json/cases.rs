//! Cases of the scanner, as data: what a broken text is read as, what is
//! recorded, and that its edits lead to the same reading by strict JSON.

use serde_json::{Value, json};

use super::testing::{Which, mended, mended_and_closed, same, scan_all};
use super::{Json, Kind, Node, Opening, Quotes, RecoveryKind, scan};

fn kinds(json: &Json) -> Vec<RecoveryKind> {
    json.recoveries
        .iter()
        .map(|recovery| recovery.kind.clone())
        .collect()
}

/// Each case: the source, the value it is read as, the recoveries, and whether
/// any of them is in doubt. The mended text must parse to the same value.
fn check(cases: &[(&str, Value, &[RecoveryKind], Doubt)]) {
    for (source, value, expected, doubt) in cases {
        let json = scan_all(source);
        let root = json.root().unwrap_or_else(|| panic!("no root: {source}"));
        assert!(
            same(root, value),
            "{source} is read otherwise than as {value}: {json:?}"
        );
        assert_eq!(&kinds(&json), expected, "{source}");
        let certain = json.recoveries.iter().all(|recovery| recovery.certain);
        assert_eq!(
            certain,
            *doubt == Doubt::None,
            "{source}: {:?}",
            json.recoveries
        );
        assert!(json.complete(), "{source}");
        let text = mended(source, &json, Which::All);
        let strict: Value =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{source} → {text}: {e}"));
        assert_eq!(&strict, value, "{source} → {text}");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    None,
    Some,
}

#[test]
fn punctuation_between_values_is_mended() {
    use RecoveryKind as K;
    check(&[
        (
            "{\"a\": 1 // one\n}",
            json!({"a": 1}),
            &[K::Comment],
            Doubt::None,
        ),
        (
            "{\"a\": /* one */ 1}",
            json!({"a": 1}),
            &[K::Comment],
            Doubt::None,
        ),
        (
            "{\"a\": 1, # one\n\"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::Comment],
            Doubt::None,
        ),
        ("[1, 2,]", json!([1, 2]), &[K::TrailingComma], Doubt::None),
        (
            "{\"a\": 1,\n}",
            json!({"a": 1}),
            &[K::TrailingComma],
            Doubt::None,
        ),
        ("[1,, 2]", json!([1, 2]), &[K::DoubledComma], Doubt::Some),
        (
            "{\"a\": 1,, \"b\": 2}",
            json!({"a": 1, "b": 2}),
            &[K::DoubledComma],
            Doubt::None,
        ),
        (
            "{\"a\": \"x\" \"b\": \"y\"}",
            json!({"a": "x", "b": "y"}),
            &[K::MissingComma],
            Doubt::None,
        ),
        (
            "[\"a\"\n\"b\"]",
            json!(["a", "b"]),
            &[K::MissingComma],
            Doubt::None,
        ),
        ("[{}{}]", json!([{}, {}]), &[K::MissingComma], Doubt::None),
        ("[1 2]", json!([1, 2]), &[K::MissingComma], Doubt::Some),
        (
            "{\"a\" \"b\"}",
            json!({"a": "b"}),
            &[K::MissingColon],
            Doubt::None,
        ),
        (
            "{\"a\" => 1}",
            json!({"a": 1}),
            &[K::MissingColon],
            Doubt::None,
        ),
        (
            "{\"a\":, \"b\": 1}",
            json!({"a": null, "b": 1}),
            &[K::MissingValue],
            Doubt::Some,
        ),
        (
            "{\"a\"}",
            json!({"a": null}),
            &[K::MissingValue],
            Doubt::Some,
        ),
        ("{: 1}", json!({"": 1}), &[K::MissingKey], Doubt::Some),
        (
            "{\"a\":: 1}",
            json!({"a": 1}),
            &[K::Unexpected],
            Doubt::Some,
        ),
        (
            "[1, 2, ...]",
            json!([1, 2]),
            &[K::TrailingComma, K::Ellipsis],
            Doubt::Some,
        ),
        ("[1,\0 2]", json!([1, 2]), &[K::StrayControl], Doubt::None),
        (
            "{\"a\":\u{a0}1}",
            json!({"a": 1}),
            &[K::OddSpace],
            Doubt::None,
        ),
    ]);
}

#[test]
fn brackets_that_do_not_fit_are_mended() {
    use RecoveryKind as K;
    check(&[
        (
            "{\"a\": 2]",
            json!({"a": 2}),
            &[K::WrongBracket],
            Doubt::Some,
        ),
        ("[1, [}]", json!([1, []]), &[K::WrongBracket], Doubt::Some),
        (
            "{\"a\": [1, 2}}",
            json!({"a": [1, 2]}),
            &[K::WrongBracket],
            Doubt::Some,
        ),
        (
            "{\"a\": [1, 2\n}",
            json!({"a": [1, 2]}),
            &[K::MissingBracket],
            Doubt::Some,
        ),
        (
            "{\"x\": {\"a\": [1, 2}}",
            json!({"x": {"a": [1, 2]}}),
            &[K::MissingBracket],
            Doubt::Some,
        ),
        (
            "{\"x\": {\"a\": [1, 2}}}",
            json!({"x": {"a": [1, 2]}}),
            &[K::WrongBracket],
            Doubt::Some,
        ),
        (
            "[{\"b\": 2]",
            json!([{"b": 2}]),
            &[K::MissingBracket],
            Doubt::Some,
        ),
        (
            "[{\"b\": {\"c\": 2,]",
            json!([{"b": {"c": 2}}]),
            &[K::TrailingComma, K::MissingBracket, K::MissingBracket],
            Doubt::Some,
        ),
        (
            "[{\"i\": 1, {\"i\": 2}]",
            json!([{"i": 1}, {"i": 2}]),
            &[K::MissingBracket],
            Doubt::Some,
        ),
        (
            "[{\"i\": 1 {\"i\": 2}]",
            json!([{"i": 1}, {"i": 2}]),
            &[K::MissingBracket, K::MissingComma],
            Doubt::Some,
        ),
        (
            "[{\"a\": [1, 2}, {\"a\": []}]",
            json!([{"a": [1, 2]}, {"a": []}]),
            &[K::MissingBracket],
            Doubt::Some,
        ),
        (
            "[{\"a\": [1, 2}, \"b\": 3}]",
            json!([{"a": [1, 2], "b": 3}]),
            &[K::WrongBracket],
            Doubt::Some,
        ),
    ]);
}

#[test]
fn words_without_quotes_are_read() {
    use RecoveryKind as K;
    check(&[
        (
            "{a: 1, b_2: 2}",
            json!({"a": 1, "b_2": 2}),
            &[K::BareKey, K::BareKey],
            Doubt::None,
        ),
        (
            "{my key: 1}",
            json!({"my key": 1}),
            &[K::BareKey],
            Doubt::Some,
        ),
        (
            "{a: hello world}",
            json!({"a": "hello world"}),
            &[K::BareKey, K::BareWord],
            Doubt::Some,
        ),
        (
            "[https://a.b/c, 12:20]",
            json!(["https://a.b/c", "12:20"]),
            &[K::BareWord, K::BareWord],
            Doubt::Some,
        ),
        ("[#fff]", json!(["#fff"]), &[K::BareWord], Doubt::Some),
        (
            "[5 apples]",
            json!(["5 apples"]),
            &[K::BareWord],
            Doubt::Some,
        ),
        (
            "[True, False, None]",
            json!([true, false, null]),
            &[K::PythonLiteral, K::PythonLiteral, K::PythonLiteral],
            Doubt::None,
        ),
        (
            "[NaN, -Infinity]",
            json!([null, null]),
            &[K::NotFinite, K::NotFinite],
            Doubt::Some,
        ),
        ("[undefined]", json!([null]), &[K::Undefined], Doubt::None),
        (
            "[+1, .5, 1.]",
            json!([1, 0.5, 1.0]),
            &[K::OddNumber, K::OddNumber, K::OddNumber],
            Doubt::None,
        ),
        ("[007]", json!([7]), &[K::OddNumber], Doubt::Some),
        (
            "{\"a\": foo\", \"b\": 1}",
            json!({"a": "foo", "b": 1}),
            &[K::MissingQuote],
            Doubt::Some,
        ),
        ("{a\": 1}", json!({"a": 1}), &[K::MissingQuote], Doubt::None),
        (
            "{\"a\":\"foo\",b\":\"bar\"}",
            json!({"a": "foo", "b": "bar"}),
            &[K::MissingQuote],
            Doubt::None,
        ),
    ]);
}

#[test]
fn odd_quotes_are_read() {
    use RecoveryKind as K;
    check(&[
        (
            "{'a': 'it\\'s'}",
            json!({"a": "it's"}),
            &[K::OddQuotes, K::OddQuotes],
            Doubt::None,
        ),
        (
            "['it's', 'b']",
            json!(["it's", "b"]),
            &[K::OddQuotes, K::OddQuotes],
            Doubt::Some,
        ),
        (
            "['say \"hi\"']",
            json!(["say \"hi\""]),
            &[K::OddQuotes],
            Doubt::None,
        ),
        (
            "{“a”: “b”}",
            json!({"a": "b"}),
            &[K::OddQuotes, K::OddQuotes],
            Doubt::None,
        ),
        (
            "{„a“: ‘b’}",
            json!({"a": "b"}),
            &[K::OddQuotes, K::OddQuotes],
            Doubt::None,
        ),
        (
            "[`a\n${b}`, `c´]",
            json!(["a\n${b}", "c"]),
            &[K::OddQuotes, K::RawControl, K::OddQuotes],
            Doubt::None,
        ),
        (
            "[\"“quoted” it’s\"]",
            json!(["“quoted” it’s"]),
            &[],
            Doubt::None,
        ),
    ]);
}

#[test]
fn unescaped_quotes_inside_a_string_are_told_from_its_end() {
    use RecoveryKind as K;
    let inner: &[RecoveryKind] = &[K::UnescapedQuote];
    check(&[
        (
            "{\"a\": \"He said \"hi\" to me\", \"b\": 1}",
            json!({"a": "He said \"hi\" to me", "b": 1}),
            inner,
            Doubt::None,
        ),
        (
            "{\"a\": \"He said \"hi\", then left\", \"b\": 1}",
            json!({"a": "He said \"hi\", then left", "b": 1}),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"say \"hi\", \"bye\" and go\"}",
            json!({"a": "say \"hi\", \"bye\" and go"}),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"a 24\" screen\", \"b\": 1}",
            json!({"a": "a 24\" screen", "b": 1}),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"\"Hello\"\", \"b\": 1}",
            json!({"a": "\"Hello\"", "b": 1}),
            inner,
            Doubt::None,
        ),
        (
            "{\"a\": \"use {\"k\": 1}, done\"}",
            json!({"a": "use {\"k\": 1}, done"}),
            inner,
            Doubt::None,
        ),
        (
            "{\"a\": \"e.g. [\"a\", \"b\"], etc\"}",
            json!({"a": "e.g. [\"a\", \"b\"], etc"}),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"the word \"cat\": an animal\"}",
            json!({"a": "the word \"cat\": an animal"}),
            inner,
            Doubt::None,
        ),
        (
            "[\"ok\", \"He said \"hi\" to me\"]",
            json!(["ok", "He said \"hi\" to me"]),
            inner,
            Doubt::None,
        ),
        (
            "[\"Hello\", she said\", \"x\"]",
            json!(["Hello\", she said", "x"]),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"He said \"stop\", note: it works\"}",
            json!({"a": "He said \"stop\", note: it works"}),
            inner,
            Doubt::Some,
        ),
        (
            "{\"a\": \"x\", b: 1}",
            json!({"a": "x", "b": 1}),
            &[K::BareKey],
            Doubt::None,
        ),
        (
            "[\",\", \":\", \"}\"]",
            json!([",", ":", "}"]),
            &[],
            Doubt::None,
        ),
    ]);
}

#[test]
fn a_string_without_its_closing_quote_ends_before_the_next_member() {
    use RecoveryKind as K;
    check(&[
        (
            "{\"a\":\"b,\"c\":\"d\"}",
            json!({"a": "b", "c": "d"}),
            &[K::MissingQuote],
            Doubt::Some,
        ),
        (
            "{\"a\": \"b,\n \"c\": 1}",
            json!({"a": "b", "c": 1}),
            &[K::MissingQuote],
            Doubt::Some,
        ),
        (
            "{\"a\": \"b\n \"c\": 1}",
            json!({"a": "b", "c": 1}),
            &[K::MissingQuote, K::MissingComma],
            Doubt::Some,
        ),
        (
            "[\"a,\n\"b\"\n]",
            json!(["a", "b"]),
            &[K::MissingQuote],
            Doubt::Some,
        ),
    ]);
}

#[test]
fn characters_inside_strings_are_mended() {
    use RecoveryKind as K;
    check(&[
        (
            "[\"a\nb\tc\"]",
            json!(["a\nb\tc"]),
            &[K::RawControl],
            Doubt::None,
        ),
        (
            "[\"\\alpha \\(x\\) \\q\"]",
            json!(["\\alpha \\(x\\) \\q"]),
            &[K::InvalidEscape],
            Doubt::None,
        ),
        (
            "[\"\\underline{x}\"]",
            json!(["\\underline{x}"]),
            &[K::InvalidEscape],
            Doubt::None,
        ),
        (
            "[\"\\u12\"]",
            json!(["\\u12"]),
            &[K::InvalidEscape],
            Doubt::None,
        ),
        (
            "[\"it\\'s\"]",
            json!(["it's"]),
            &[K::InvalidEscape],
            Doubt::None,
        ),
        (
            "[\"\\é\"]",
            json!(["\\é"]),
            &[K::InvalidEscape],
            Doubt::None,
        ),
        (
            "[\"a\\\nb\"]",
            json!(["a\\\nb"]),
            &[K::InvalidEscape, K::RawControl],
            Doubt::None,
        ),
        (
            "[\"\\ud83d\\ude00\\u00E9\"]",
            json!(["😀é"]),
            &[],
            Doubt::None,
        ),
    ]);
}

#[test]
fn half_a_surrogate_pair_is_a_replacement_character_and_has_no_edit() {
    for source in ["[\"a\\ud83d\"]", "[\"a\\ude00\"]"] {
        let json = scan_all(source);
        assert_eq!(
            json.root().and_then(|root| root.items().next()?.as_str()),
            Some("a\u{fffd}")
        );
        assert_eq!(kinds(&json), [RecoveryKind::LoneSurrogate]);
        assert_eq!(json.recoveries[0].span, 3..9);
        assert!(json.recoveries[0].edits.is_empty() && !json.recoveries[0].certain);
    }
    let json = scan_all("[\"\\ud83d\\ud83d\\ude00\"]");
    assert_eq!(
        json.root().and_then(|root| root.items().next()?.as_str()),
        Some("\u{fffd}😀")
    );
}

#[test]
fn of_duplicate_keys_the_last_counts() {
    let source = r#"{"a": 1, "b": 2, "a": 3, "\u0061": 4}"#;
    let json = scan_all(source);
    let root = json.root().unwrap();
    assert_eq!(root.get("a").and_then(Node::as_i64), Some(4));
    assert_eq!(root.len(), 4);
    let spans: Vec<&str> = json
        .recoveries
        .iter()
        .map(|r| &source[r.span.clone()])
        .collect();
    assert_eq!(spans, ["\"a\"", "\"\\u0061\""]);
    assert!(
        json.recoveries
            .iter()
            .all(|r| r.kind == RecoveryKind::DuplicateKey && r.edits.is_empty())
    );
}

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
fn one_doubtful_string_does_not_swallow_the_rest() {
    let source = "{\"a\": \"x\", y z\", \"b\": [\"p\", q], \"c\": \"d\" e\n, \"f\": 1}";
    let json = scan_all(source);
    assert!(json.root().is_some_and(|root| root.len() >= 2), "{json:?}");
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
