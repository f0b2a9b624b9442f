//! Cases of strings: their quotes, what stands in them, where they end.

use serde_json::json;

use super::{Doubt, check, kinds};
use crate::json::RecoveryKind;
use crate::json::testing::scan_all;

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
fn one_doubtful_string_does_not_swallow_the_rest() {
    let source = "{\"a\": \"x\", y z\", \"b\": [\"p\", q], \"c\": \"d\" e\n, \"f\": 1}";
    let json = scan_all(source);
    assert!(json.root().is_some_and(|root| root.len() >= 2), "{json:?}");
}
