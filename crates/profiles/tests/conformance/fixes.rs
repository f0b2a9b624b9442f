//! Fixes change nothing outside their spans, in Markdown and through the escapes
//! of JSON.

use proptest::prelude::*;
use redraft_gate::edit::{self, Edit};
use redraft_gate::finding::Finding;
use redraft_gate::reading::Hint;

use crate::fixtures::{fix, inspect};

/// Texts with faults that have safe fixes, between good ones.
fn paragraphs() -> impl Strategy<Value = String> {
    const PARAGRAPHS: &[&str] = &[
        "Water boils at 100 °C.",
        "**Steam** is water in the air; 2**3 is 8.",
        "Das ist **wichtig ** für alle.",
        "**Важно: вода кипит.",
        "你好，**世界**。",
        "-Water\n-Tea\n-Cups",
        "1.First\n2.Second",
        "• one\n• two",
        "Read (this)[https://example.org/a].",
        "A half is $\u{c}rac{1}{2}$.",
        "zero\0width",
        "A paragraph of more than twelve words that stands here twice, one after the other.\n\nA paragraph of more than twelve words that stands here twice, one after the other.",
        "<think>The user wants this.</think>",
        "```python\nx = \"**\"\n```",
        "| a | b |\n|---|---|\n| **x | y |",
    ];
    proptest::collection::vec(proptest::sample::select(PARAGRAPHS), 1..6)
        .prop_map(|chosen| chosen.join("\n\n"))
}

/// Applies the safe fixes of a first round by hand and compares every byte.
fn only_the_spans_change(bytes: &[u8], hint: Hint) {
    let inspected = inspect(bytes, hint);
    for finding in &inspected.findings {
        let Some(fix) = finding.safe_fix() else {
            continue;
        };
        let source = inspected.document.source();
        let fixed = edit::apply(source.bytes(), source.version(), &fix.edits).unwrap();
        assert_eq!(
            without(&fix.edits, bytes),
            unedited(&fix.edits, bytes, &fixed),
            "{finding:?}"
        );
    }
}

/// The bytes outside the edits, before.
fn without(edits: &[Edit], bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort();
    let mut pieces = Vec::new();
    let mut at = 0;
    for edit in edits {
        pieces.push(bytes[at..edit.span.start].to_vec());
        at = edit.span.end;
    }
    pieces.push(bytes[at..].to_vec());
    pieces
}

/// The bytes outside the edits, afterwards.
fn unedited(edits: &[Edit], before: &[u8], after: &[u8]) -> Vec<Vec<u8>> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort();
    let mut pieces = Vec::new();
    let (mut at_before, mut at_after) = (0, 0);
    for edit in edits {
        let length = edit.span.start - at_before;
        pieces.push(after[at_after..at_after + length].to_vec());
        at_after += length + edit.text.len();
        at_before = edit.span.end;
    }
    assert_eq!(after.len() - at_after, before.len() - at_before);
    pieces.push(after[at_after..].to_vec());
    pieces
}

/// Every string of a JSON document but one.
fn others(value: &serde_json::Value, path: &str) -> serde_json::Value {
    let mut value = value.clone();
    *value.pointer_mut(path).unwrap() = serde_json::Value::Null;
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_markdown_fix_changes_only_its_spans(body in paragraphs()) {
        let text = format!("# T\n\nLead.\n\n## A\n\n{body}\n\n## B\n\nEnd.\n");
        only_the_spans_change(text.as_bytes(), Hint::Markdown);
    }

    #[test]
    fn a_json_fix_changes_only_its_spans_and_no_other_field(body in paragraphs(), ascii in any::<bool>()) {
        let value = serde_json::json!({
            "intro": "Ünïcode and \"quotes\" \\ here.",
            "sections": [{"title": "A / \u{1F600}", "content": body}, {"title": "B", "content": "Ende\tgut.\n"}],
            "unknown": [1.50, null, true, "**kept ** as it is"],
        });
        let mut text = serde_json::to_string_pretty(&value).unwrap();
        if ascii {
            text = text
                .chars()
                .map(|c| if c.is_ascii() { c.to_string() } else {
                    let mut units = [0; 2];
                    c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
                })
                .collect();
        }
        only_the_spans_change(text.as_bytes(), Hint::Json);
        let fixed = fix(text.as_bytes(), Hint::Json);
        let after: serde_json::Value = serde_json::from_slice(fixed.inspected.document.source().bytes()).unwrap();
        prop_assert_eq!(others(&value, "/sections/0/content"), others(&after, "/sections/0/content"));
        if ascii {
            prop_assert!(fixed.inspected.document.source().bytes().is_ascii(), "the file's own style is kept");
        }
        // The field reads as the same Markdown would after the same fixes.
        let findings: Vec<&Finding> = fixed.inspected.findings.iter().filter(|finding| finding.safe_fix().is_some()).collect();
        prop_assert!(findings.is_empty() || !fixed.taken_back.is_empty(), "{findings:?}");
    }
}
