//! What programs around a model leave in its answers, and texts that were damaged on their
//! way: a lesson with it must keep an error, whatever `--fix` does (ruling 45). The same
//! words inside a lesson that speaks of them are fine.

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::fixtures::fix;

const LESSON: &str = "# Lichens\n\nA lichen is two living things in one. This lesson shows how they share the work.\n\n## Two partners\n\nA fungus builds the house and holds the water. An alga inside it makes sugar from light.\n\nNeither could live on bare rock alone.\n\n## Summary\n\nThe fungus gives shelter, and the alga gives food.";

const LESSON_JSON: &str = r#"{"title": "Lichens", "intro": "A lichen is two living things in one.", "sections": [{"title": "Two partners", "content": "A fungus builds the house and holds the water. {} An alga inside it makes sugar from light."}], "summary": "The fungus gives shelter, and the alga gives food."}"#;

fn errors(text: &str, hint: Hint) -> Vec<String> {
    let fixed = fix(text.as_bytes(), hint);
    let findings = fixed.inspected.findings.iter();
    findings
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| format!("{}: {}", finding.check.name, finding.message))
        .collect()
}

#[test]
fn the_lessons_themselves_are_good() {
    assert_eq!(errors(LESSON, Hint::Markdown), [""; 0]);
    let json = LESSON_JSON.replace("{} ", "");
    assert_eq!(errors(&json, Hint::Json), [""; 0]);
}

#[test]
fn a_line_of_a_program_after_the_lesson_is_an_error() {
    for tail in [
        "Tokens: 512 (in 80, out 432)",
        "Token usage: 1024",
        "[429 Too Many Requests]",
        "504 Gateway Timeout",
        "Error: connection reset by peer",
        "Ошибка: превышено время ожидания",
        "Fehler: Netzwerkfehler",
        "httpx.ReadTimeout: timed out",
        "Traceback (most recent call last):\n  File \"ask.py\", line 3, in ask\nKeyError: 'text'",
        "[WARN] 2024-11-02 10:11:12 slow answer",
        "id=7 ms=813 ok=1",
        "stop_reason: max_tokens",
        "Word count: 77",
        "Wortanzahl: 77",
        "(77 mots)",
        "Copy code",
        "Regenerate response",
        "---\n\nFinish reason: stop",
        "User: shorter, please",
        "【12†notes.pdf】",
        "Text.:contentReference[oaicite:3]{index=3}",
        "Fungi store water.[cite: 3, 4]",
        "[cite_start]Fungi store water.",
        "Fungi store water.<grok:render type=\"x\"><argument name=\"citation_id\">0</argument></grok:render>",
        "real\t0m2.113s\nuser\t0m0.031s",
        "teacher@school:~/lessons$ ",
        "Process finished with exit code 0",
        "eval rate:            31.40 tokens/s",
        "An error occurred while writing the answer. Please try again in a few minutes.",
        "Beim Erstellen der Antwort ist ein Fehler aufgetreten.",
        "undefined",
        "[object Object]",
    ] {
        let text = format!("{LESSON}\n\n{tail}\n");
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{tail}");
    }
}

#[test]
fn a_line_of_a_program_in_the_last_paragraph_is_an_error() {
    for tail in [
        "Tokens used: 612",
        "User: and now one about moss",
        "Error: connection reset by peer",
        "real\t0m2.113s",
        "Regenerate response",
        "\\n\\nHuman:",
    ] {
        let text = format!("{LESSON}\n{tail}\n");
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{tail}");
    }
}

#[test]
fn a_failure_instead_of_a_section_is_an_error() {
    for content in [
        "Request timed out.",
        "Error: 429 Too Many Requests",
        "There was an error generating this part.",
        "null",
        "undefined",
        "[object Object]",
    ] {
        let json = LESSON_JSON
            .replace("A fungus builds the house and holds the water. {} An alga inside it makes sugar from light.", content);
        assert!(json.contains(content));
        assert!(!errors(&json, Hint::Json).is_empty(), "{content}");
    }
}

#[test]
fn a_request_to_go_on_is_an_error_wherever_it_stands() {
    for request in ["User: continue\n\nAssistant: ", "Nutzer: weiter\n\nKI: "] {
        let text = LESSON.replace("\n\nNeither", &format!("\n\n{request}Neither"));
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{request}");
    }
    let dialogue = "\n\nUser: what is moss?\n\nAssistant: A small plant.\n\nNeither";
    let text = LESSON.replace("\n\nNeither", dialogue);
    assert_eq!(errors(&text, Hint::Markdown), [""; 0]);
}

#[test]
fn thinking_in_a_mark_of_its_own_is_outside_the_lesson() {
    for before in [
        "<inner_voice>The reader wants three short sections, so I plan them first.</inner_voice>\n\n",
        "<details>\n<summary>Thinking process</summary>\n\nPlan three sections.\n\n</details>\n\n",
        "```thinking\nPlan three sections.\n```\n\n",
        "There you are.\n\n```text\n",
        "There you are.\n\n```markdown\n",
    ] {
        let text = format!("{before}{LESSON}\n");
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{before}");
    }
    let details = "<details>\n<summary>What you need</summary>\n\nA lens.\n\n</details>\n\n";
    let text = LESSON.replace("## Two", &format!("{details}## Two"));
    assert_eq!(errors(&text, Hint::Markdown), [""; 0]);
}

#[test]
fn a_fence_of_any_language_around_a_lesson_is_a_wrapper() {
    let code = LESSON.replace("## Summary", "```python\nx = 1\n```\n\n## Summary");
    for language in ["", "text", "json", "javascript", "lesson"] {
        for lesson in [LESSON, &code] {
            for (before, after) in [("", ""), ("Zorp flim:\n\n", ""), ("", "\n\nGrobnik.")] {
                let text = format!("{before}```{language}\n{lesson}\n```{after}\n");
                let fixed = fix(text.as_bytes(), Hint::None);
                let is_reported = !errors(&text, Hint::None).is_empty();
                let written = fixed.inspected.document.source().text();
                assert!(is_reported || written.trim() == lesson, "{text}");
            }
        }
    }
    // A lesson may show one.
    let text = format!("# Markdown\n\nA lesson looks like this:\n\n```\n{LESSON}\n```\n");
    assert_eq!(errors(&text, Hint::Markdown), [""; 0]);
}

#[test]
fn json_that_nothing_can_read_is_not_taken_for_a_text() {
    for (from, to) in [
        ("\"title\":", "«title»:"),
        ("\"title\":", "„title“:"),
        ("\"title\":", "title ="),
        ("\"title\":", "&nbsp;\"title\":"),
    ] {
        let json = LESSON_JSON.replace("{} ", "").replace(from, to);
        for hint in [Hint::None, Hint::Markdown] {
            let fixed = fix(json.as_bytes(), hint);
            let written = fixed.inspected.document.source().text();
            let parses = serde_json::from_str::<serde_json::Value>(written).is_ok();
            assert!(parses || !errors(&json, hint).is_empty(), "{json}");
        }
    }
}

#[test]
fn a_seam_between_two_messages_is_an_error() {
    for seam in [
        "Continuing from where the last message ended:",
        "Picking up where I left off.",
        "Here is the rest:",
        "Продолжаю с того места, где остановился:",
        "Voici la suite :",
        "Continúo desde donde lo dejé:",
        "接着上文：",
        "=== Part 2 of 2 ===",
        "(continued)",
    ] {
        let text = LESSON.replace("\n\nNeither", &format!("\n\n{seam}\n\nNeither"));
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{seam}");
        let json = LESSON_JSON.replace("{}", &format!("\\n\\n{seam}\\n\\n"));
        assert!(!errors(&json, Hint::Json).is_empty(), "{seam}");
    }
}

#[test]
fn a_line_of_a_program_alone_is_no_lesson() {
    for text in [
        "Error: 500 Internal Server Error",
        "The server is overloaded. Please try again later.",
        "None",
        "[object Object]",
        "OK",
        "The lesson has been saved.",
        "java.io.IOException: broken pipe",
    ] {
        assert!(!errors(text, Hint::Markdown).is_empty(), "{text}");
    }
}

#[test]
fn a_frame_around_every_line_is_an_error() {
    let quoted: Vec<String> = LESSON.lines().map(|line| format!("> {line}")).collect();
    let indented: Vec<String> = LESSON.lines().map(|line| format!("  {line}")).collect();
    for text in [
        format!("{}\n\nThat is all.", quoted.join("\n")),
        format!("text: |\n{}", indented.join("\n")),
        format!("<pre>\n{LESSON}\n</pre>"),
        format!("<lesson>\n{LESSON}\n</lesson>\n\nThat is all of it."),
        format!("I wrote it.\n\n<lesson>\n{LESSON}\n</lesson>\n\nThat is all of it."),
        format!("<![CDATA[{LESSON}]]>"),
        format!(":::writing{{variant=\"document\"}}\n{LESSON}\n:::"),
        format!("<div class=\"assistant-message\">\n\n{LESSON}\n\n</div>"),
        LESSON.replace('\n', "<br>\n"),
        LESSON
            .replace(
                "two living",
                "deux êtres dÃ©jÃ\u{a0} liÃ©s, Ã©tÃ© comme hiver, two living",
            )
            .replace('ê', "Ãª"),
    ] {
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{text}");
    }
    let wrapped = format!("<output type=\"lesson\">\n{LESSON}\n</output>");
    assert_eq!(errors(&wrapped, Hint::Markdown), [""; 0]);
}

#[test]
fn a_lesson_may_speak_of_all_that() {
    for sentence in [
        "The page answers with `Error: 429 Too Many Requests` when you ask too often.",
        "A model reads tokens: pieces of words, not letters.",
        "Copy the code into the editor and run it.",
        "Continue with the next exercise when you are done.",
        "The user: the person who sits in front of the screen.",
        "Here is the rest of the code that we need for the page.",
        "A status of 503 means that the service is not available.",
        "Model: a picture of the world that leaves things out.",
        "Your essay should have 400 words.",
        "Something went wrong in the first summer: the algae died.",
        "An error occurred in the old map, which shows the moor as a lake.",
        "The answer is true.",
    ] {
        let text = LESSON.replace("\n\nNeither", &format!("\n\n{sentence}\n\nNeither"));
        assert_eq!(errors(&text, Hint::Markdown), [""; 0], "{sentence}");
        let last = format!("{LESSON}\n\n{sentence}\n");
        assert_eq!(errors(&last, Hint::Markdown), [""; 0], "{sentence}");
    }
}
