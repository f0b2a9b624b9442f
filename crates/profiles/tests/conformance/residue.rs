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
    ] {
        let text = format!("{LESSON}\n\n{tail}\n");
        assert!(!errors(&text, Hint::Markdown).is_empty(), "{tail}");
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
    ] {
        let text = LESSON.replace("\n\nNeither", &format!("\n\n{sentence}\n\nNeither"));
        assert_eq!(errors(&text, Hint::Markdown), [""; 0], "{sentence}");
        let last = format!("{LESSON}\n\n{sentence}\n");
        assert_eq!(errors(&last, Hint::Markdown), [""; 0], "{sentence}");
    }
}
