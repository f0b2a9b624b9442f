//! `active-content` in every kind of document.

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::{findings_of, severities};

const CHECK: &str = "active-content";

#[test]
fn active_content_is_an_error_in_any_kind_of_document() {
    for danger in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "<javascript:alert(1)>",
        "<svg><script>x</script></svg>",
        "<style>@import url(x.css);</style>",
        "<link rel=stylesheet href=x.css>",
    ] {
        let markdown = format!("# A\n\nText {danger} more.\n");
        assert_eq!(
            severities(&findings_of(CHECK, &markdown, Hint::Markdown)),
            [Severity::Error],
            "{markdown}"
        );
        for row in [
            r#"{"title": "A", "intro": "Text {} more.", "sections": [{"title": "B", "content": "Text."}]}"#,
            r#"{"question": "Which {}?", "options": ["a", "b", "c"], "answer": "a", "explanation": "Because."}"#,
        ] {
            let json = row.replace("{}", danger);
            assert_eq!(
                severities(&findings_of(CHECK, &json, Hint::Json)),
                [Severity::Error],
                "{json}"
            );
        }
    }
    let definition = "# A\n\nSee [it][x].\n\n[x]: javascript:alert(1)\n";
    assert!(!findings_of(CHECK, definition, Hint::Markdown).is_empty());
    let unread = r#"{"title": "A", "intro": "Text.", "author": "<script>x</script>", "sections": [{"title": "B", "content": "Text."}]}"#;
    assert_eq!(
        severities(&findings_of(CHECK, unread, Hint::Json)),
        [Severity::Error]
    );
}

#[test]
fn what_is_shown_rather_than_used_is_left_alone() {
    for text in [
        "# A\n\nThe `<script>` element runs code; `onerror=\"x\"` does too.\n",
        "# A\n\n```html\n<script>alert(1)</script>\n<iframe src=\"x\"></iframe>\n```\n",
        "# A\n\n    <script>alert(1)</script>\n",
        "# A\n\nWrite &lt;script> or \\<script> to show it.\n",
        "# A\n\n<!-- <script>x</script> -->\n",
        "# A\n\n<details><summary>Answer</summary>42</details>\n",
        "# A\n\n<iframe src=\"https://www.youtube.com/embed/x\"></iframe>\n",
        "# A\n\nif a < b and c > d then List<Object> is fine, javascript: the language\n",
        "# A\n\n[x](https://example.org/?q=javascript:1) and ![y](data:image/png;base64,AAAA)\n",
    ] {
        let findings = findings_of(CHECK, text, Hint::Markdown);
        assert!(findings.is_empty(), "{text}: {findings:?}");
    }
}

#[test]
fn foreign_frames_and_hidden_blocks_are_warnings() {
    for text in [
        "# A\n\n<iframe src=\"https://example.org/\"></iframe>\n",
        "# A\n\n<div style=\"display:none\">\n\nText.\n\n</div>\n",
        "# A\n\nText <span hidden>more</span>.\n",
    ] {
        assert_eq!(
            severities(&findings_of(CHECK, text, Hint::Markdown)),
            [Severity::Warning],
            "{text}"
        );
    }
}
