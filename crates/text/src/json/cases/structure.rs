//! Cases between the values: commas, colons, brackets, bare words, keys.

use serde_json::json;

use super::{Doubt, check};
use crate::json::testing::scan_all;
use crate::json::{Node, RecoveryKind};

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
