//! Hostile input: whatever comes in, nothing panics, every span exists, and the
//! work stays linear. The large inputs here take minutes if something is not;
//! `cargo xtask acceptance hostile` makes them four times as long.

use proptest::prelude::*;
use redraft_gate::check::Phase;
use redraft_gate::finding::Severity;
use redraft_gate::fix::Inspected;
use redraft_gate::reading::Hint;

use crate::fixtures::{fix, inspect};

const HINTS: [Hint; 4] = [Hint::None, Hint::Markdown, Hint::Json, Hint::JsonLines];

fn every_span_exists(inspected: &Inspected) {
    let source = inspected.document.source();
    for finding in &inspected.findings {
        let span = finding.span;
        assert!(
            span.start <= span.end && span.end <= source.bytes().len(),
            "{finding:?}"
        );
        let range = source.text_range(span);
        assert!(source.text().get(range).is_some(), "{finding:?}");
        for edit in finding.fix.iter().flat_map(|fix| &fix.edits) {
            assert!(edit.span.start <= edit.span.end && edit.span.end <= source.bytes().len());
            assert_eq!(edit.span.version, source.version());
        }
    }
}

pub(crate) fn large_inputs() -> Vec<(&'static str, String, Hint)> {
    let n = if std::env::var_os("REDRAFT_ACCEPTANCE").is_some() {
        200_000
    } else {
        50_000
    };
    vec![
        ("nested brackets", "[".repeat(n), Hint::Json),
        ("nested objects", "{\"a\":".repeat(n), Hint::Json),
        (
            "nested sections",
            format!("{{\"sections\":{}", "[".repeat(n)),
            Hint::Json,
        ),
        (
            "brackets in a lesson",
            format!("# T\n\n{}\n\n{}", "[".repeat(n), "{".repeat(n)),
            Hint::Markdown,
        ),
        ("one long line", "water ".repeat(n), Hint::Markdown),
        (
            "one long JSON string",
            format!(
                "{{\"intro\": \"{}\", \"sections\": []}}",
                "w\\u0430ter\\n ".repeat(n / 2)
            ),
            Hint::Json,
        ),
        ("headings", "# x\n".repeat(n), Hint::Markdown),
        (
            "sections",
            "## Heat\n\nHeat makes water boil.\n\n".repeat(n / 20),
            Hint::Markdown,
        ),
        ("curly quotes", "“".repeat(n), Hint::Markdown),
        (
            "quotes in JSON",
            format!("{{\"intro\": \"{}", "\" ".repeat(n)),
            Hint::Json,
        ),
        (
            "nested lists",
            (0..600)
                .map(|i| format!("{}- a\n", "  ".repeat(i)))
                .collect(),
            Hint::Markdown,
        ),
        ("nested quotations", "> ".repeat(n), Hint::Markdown),
        ("list markers", "-A\n".repeat(n), Hint::Markdown),
        ("bold markers", "**a ** ".repeat(n / 4), Hint::Markdown),
        (
            "links",
            "[a](b c [d][e] (f)[http://x] ".repeat(n / 10),
            Hint::Markdown,
        ),
        (
            "placeholders",
            "[Insert text here] ".repeat(n / 10),
            Hint::Markdown,
        ),
        (
            "same paragraph",
            "Water boils at a hundred degrees when the pressure of the air is normal.\n\n"
                .repeat(n / 40),
            Hint::Markdown,
        ),
        (
            "comments",
            "<!-- redraft-ignore TXT001: x -->\n\n".repeat(n / 40),
            Hint::Markdown,
        ),
        (
            "thoughts",
            "<think>a</think> ".repeat(n / 10),
            Hint::Markdown,
        ),
        ("open thoughts", "<think> ".repeat(n / 10), Hint::Markdown),
        (
            "control characters",
            "a\u{c}rac{1}\0 ".repeat(n / 10),
            Hint::Markdown,
        ),
        ("dollars", "$ \t".repeat(n), Hint::Markdown),
        ("fences", "```\n".repeat(n), Hint::Markdown),
        (
            "items",
            "{\"question\": \"Why?\", \"options\": [\"a\"]}\n".repeat(n / 20),
            Hint::JsonLines,
        ),
        (
            "duplicate keys",
            format!("{{{}\"sections\": []}}", "\"intro\": 1, ".repeat(n / 10)),
            Hint::Json,
        ),
        ("full stops", ". ".repeat(n), Hint::Markdown),
    ]
}

/// A template of one card that says the same in several fields.
fn card(text: &str) -> String {
    format!(
        r#"{{"cards": [{{"id": "c", "explainer": "{text}", "explainer_plain": "{text}", "cfu": {{"stem": "{text}", "expected": 1}}}}]}}"#
    )
}

#[test]
fn a_card_that_is_no_object_is_pointed_at_where_it_stands() {
    let text = "{\"cards\": [{\"explainer_plain\": \"x\"}, “a”, \"“b\"]}";
    every_span_exists(&inspect(text.as_bytes(), Hint::Json));
}

/// Templates with more of everything than anybody writes.
fn large_templates() -> Vec<(&'static str, String, Hint)> {
    let n = 200_000;
    vec![
        ("cards", cards(&CARD.repeat(n / 100)), Hint::Json),
        (
            "hints, options, parts and criteria",
            cards(&format!(
                r#"{{"title": "We Do: a", "explainer": "{0}", "cfu": {{"type": "mcq", "stem": "{0}", "expected": 4, "options": [{1}], "answerIndices": [{2}], "hints": [{1}], "parts": [{3}], "rubric": {{"criteria": [{3}]}}}}}}"#,
                "Draw it. In the chart below sin 37 is 4 × 4 = £4 ÷ calculator e.g. 4. "
                    .repeat(n / 100),
                r#""It is about 4 or 5","#.repeat(n / 20),
                "0,".repeat(n / 10),
                r#"{"stem": "What is 4?", "description": "Correct answer: 4", "points": 1},"#
                    .repeat(n / 100),
            )),
            Hint::Json,
        ),
        (
            "money in a card",
            card(&"$5 20£ a coffee 5€ ".repeat(n / 100)),
            Hint::Json,
        ),
        (
            "formulas in a card",
            card(&"$x$ \\\\( $3 and $$ ".repeat(n / 100)),
            Hint::Json,
        ),
        (
            "equations in a card",
            card(&"1/4 of £20 = £6 = 3 - 1 - ".repeat(n / 100)),
            Hint::Json,
        ),
        (
            "sentences in a card",
            card(&"Then the color is utilised. First add. ".repeat(n / 100)),
            Hint::Json,
        ),
        (
            "emphasis in a card",
            card(&"*a* **b** <u>c ".repeat(n / 100)),
            Hint::Json,
        ),
        (
            "a long card among many",
            cards(&format!(
                r#"{{"title": "A", "explainer": "{}"}}, {}"#,
                (0..n / 4).map(|i| format!("w{i} ")).collect::<String>(),
                CARD.repeat(n / 200)
            )),
            Hint::Json,
        ),
    ]
}

const CARD: &str = r#"{"id": "c", "title": "You Do: a", "explainer": "Divide the amount by the bottom number and multiply it by the top number, then write the sign of the pound before it", "cfu": {"type": "numeric", "stem": "What is a third of £18?", "expected": 6, "hints": ["Divide £18."]}},"#;

fn cards(cards: &str) -> String {
    format!(
        r#"{{"title": "T", "lesson_type": "teach", "estMinutes": 50, "engagement_tags": ["transport"], "policy": {{"calculator_allowed": false}}, "cards": [{cards}]}}"#
    )
}

#[test]
fn large_hostile_input_is_read_and_fixed_in_linear_time() {
    for (name, text, hint) in large_inputs().into_iter().chain(large_templates()) {
        eprintln!("{name}");
        let fixed = fix(text.as_bytes(), hint);
        every_span_exists(&fixed.inspected);
    }
}

#[test]
fn nesting_beyond_sense_is_a_clear_finding() {
    for (text, hint) in [
        ("[".repeat(200_000), Hint::Json),
        (
            format!("# T\n\n{}deep\n", "> ".repeat(5_000)),
            Hint::Markdown,
        ),
    ] {
        let inspected = inspect(text.as_bytes(), hint);
        assert!(
            inspected
                .findings
                .iter()
                .any(|finding| finding.check.name == "excessive-nesting")
        );
    }
}

/// Pieces that content is made of, and that break it.
fn piece() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "# T\n",
        "## A\n\n",
        "### Exercise\n",
        "\n\n",
        "\r\n",
        "\r",
        "text ",
        "**",
        "** ",
        "`",
        "```\n",
        "```json\n",
        "~~~\n",
        "- ",
        "-A\n",
        "1.B\n2.C\n",
        "• x\n",
        "> ",
        "[a](",
        "[a]()",
        "](b)",
        "[x][y]",
        "[^1]",
        "<think>",
        "</think>",
        "<!-- ",
        "redraft-ignore TXT001: r",
        " -->",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\\"",
        "\\u04",
        "\\ud83d",
        "\\n",
        "\\frac",
        "\u{c}rac{",
        "\t",
        "$",
        "$$",
        ":",
        ",",
        "\"intro\": ",
        "\"sections\": ",
        "\"content\": ",
        "\"cards\": ",
        "\"cfu\": ",
        "\"stem\": ",
        "\"options\": ",
        "\"explainer_plain\": ",
        "{\"cards\": [{\"explainer_plain\": \"",
        "20£ ",
        "the color ",
        "$5 ",
        "£20 ÷ 4 = £6 ",
        "\\u00a3",
        "null",
        "True",
        "'",
        "“",
        "”",
        "字。",
        "Вода ",
        "\u{feff}",
        "\0",
        "😀",
        "---\n",
        "|a|b|\n|-|-|\n",
        "Sure! Here is the lesson:\n\n",
        "I hope this helps!",
        "[Insert text here]",
        "TODO: x\n",
        "Lorem ipsum dolor ",
        "the",
    ];
    proptest::sample::select(PIECES).prop_map(str::to_owned)
}

fn content() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
        ".{0,200}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_makes_it_panic_and_every_span_exists(text in content(), hint in 0..4_usize) {
        every_span_exists(&inspect(text.as_bytes(), HINTS[hint]));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), hint in 0..4_usize) {
        every_span_exists(&inspect(&bytes, HINTS[hint]));
    }

    #[test]
    fn fixing_comes_to_rest_and_brings_no_new_finding(text in content(), hint in 0..4_usize) {
        comes_to_rest(&text, HINTS[hint]);
    }
}

#[test]
fn texts_whose_fixes_once_went_on_come_to_rest() {
    for text in [
        // A comma that is certain only once a guessed bracket stands before it.
        "[\"intro\": - {{text [x][y]",
        // A key beside a comma that is guessed.
        "{\"cards\": [{\"explainer_plain\": \"text # T\n\"intro\": - \"intro\": ““```\n\"sections\": ",
        // JSON that is broken before its first value.
        "[\"intro\": text {\"cards\": [{\"explainer_plain\": \"",
        // A marker that is loose without a space to delete.
        "\\u00a3**[a](**",
    ] {
        for hint in HINTS {
            comes_to_rest(text, hint);
        }
    }
}

/// Fixes until nothing changes, then fixes again.
fn comes_to_rest(text: &str, hint: Hint) {
    let before = inspect(text.as_bytes(), hint);
    let fixed = fix(text.as_bytes(), hint);
    assert!(!fixed.capped, "{text:?}");
    // What the text is was decided from its first bytes (ruling 45).
    let decided = Hint::Decided(fixed.inspected.document.form());
    let again = fix(fixed.inspected.document.source().bytes(), decided);
    if fixed.taken_back.is_empty() {
        assert_eq!(
            again.inspected.document.source().bytes(),
            fixed.inspected.document.source().bytes(),
            "{text:?}"
        );
    }
    let count = |inspected: &Inspected, code| {
        let findings = inspected.findings.iter();
        findings
            .filter(|finding| finding.check.code == code)
            .count()
    };
    for finding in &fixed.inspected.findings {
        let about_state = matches!(finding.check.phase, Phase::Integrity | Phase::Hygiene);
        if finding.severity > Severity::Info && about_state {
            let code = finding.check.code;
            assert!(
                count(&before, code) >= count(&fixed.inspected, code),
                "{code} {text:?}"
            );
        }
    }
}
