//! Text that was left out, continued twice or printed with something around it: a lesson with
//! it must keep an error, whatever `--fix` does (ruling 45). The same words in a lesson that
//! says something with them are fine.

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::fixtures::fix;

const LESSON: &str = "# Lichens\n\nA lichen is two living things in one. This lesson shows how they share the work.\n\n## Two partners\n\nA fungus builds the house and holds the water. An alga inside it makes sugar from light, and both of them live on bare rock where nothing else can grow.\n\n## Where they grow\n\nLook at old walls, at the bark of trees and at rocks by the sea. Some grow only a millimetre in a year.\n\n## Summary\n\nThe fungus gives shelter, and the alga gives food.";

const SECOND: &str = "A fungus builds the house and holds the water. An alga inside it makes sugar from light, and both of them live on bare rock where nothing else can grow.";

const ITEM: &str = r#"{"vignette": "A man of 61 comes with crushing pain in his chest that began while he was shovelling snow this morning.", "stem": "Which artery is most likely occluded?", "options": [{"key": "A", "text": "Right coronary artery"}, {"key": "B", "text": "Left main artery"}, {"key": "C", "text": "Circumflex artery"}], "correct_answer": "A", "rationale": "WHY"}"#;

fn errors(text: &str, hint: Hint) -> Vec<String> {
    let fixed = fix(text.as_bytes(), hint);
    let findings = fixed.inspected.findings.iter();
    findings
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| format!("{}: {}", finding.check.name, finding.message))
        .collect()
}

/// The lesson with another second section, in Markdown and as JSON.
fn with_second(text: &str) -> [(String, Hint); 2] {
    let json = serde_json::json!({
        "title": "Lichens",
        "intro": "A lichen is two living things in one. This lesson shows how they share the work.",
        "sections": [
            {"title": "Two partners", "content": text},
            {"title": "Where they grow", "content": "Look at old walls, at the bark of trees and at rocks by the sea. Some grow only a millimetre in a year."},
        ],
        "summary": "The fungus gives shelter, and the alga gives food.",
    });
    [
        (LESSON.replace(SECOND, text), Hint::Markdown),
        (json.to_string(), Hint::Json),
    ]
}

#[test]
fn the_documents_themselves_are_good() {
    for (text, hint) in with_second(SECOND) {
        assert_eq!(errors(&text, hint), [""; 0]);
    }
    let item = ITEM.replace("WHY", "The inferior leads point to it.");
    assert_eq!(errors(&item, Hint::Json), [""; 0]);
}

#[test]
fn a_section_that_stands_for_a_text_is_an_error() {
    for text in [
        "Same as before.",
        "(unchanged)",
        "[Unchanged]",
        "...existing content...",
        "Rest of the section remains the same.",
        "*As above.*",
        "See above.",
        "Wie zuvor.",
        "[Abschnitt unverändert]",
        "Без изменений.",
        "(см. выше)",
        "Igual que antes.",
        "Identique à la version précédente.",
        "Igual ao anterior.",
        "同上",
        "（内容不变）",
    ] {
        for (lesson, hint) in with_second(text) {
            assert_ne!(errors(&lesson, hint), [""; 0], "{text} {hint:?}");
        }
    }
    for text in ["[item]", "<content>"] {
        let [_, (json, hint)] = with_second(text);
        assert_ne!(errors(&json, hint), [""; 0], "{text}");
    }
}

#[test]
fn a_text_that_breaks_off_in_dots_is_an_error() {
    for text in [
        "A fungus builds the house and holds the water. An alga inside it makes sugar...",
        "A fungus builds the house and holds the water. An alga inside it makes…",
        "A fungus builds the house and holds the [truncated]",
        "A fungus builds the house and holds the water. An alga (cut off)",
    ] {
        for (lesson, hint) in with_second(text) {
            assert_ne!(errors(&lesson, hint), [""; 0], "{text} {hint:?}");
        }
    }
    for why in [
        "The inferior leads point to the right...",
        "The inferior leads point to the [truncated]",
        "Same as before.",
    ] {
        let item = ITEM.replace("WHY", why);
        assert_ne!(errors(&item, Hint::Json), [""; 0], "{why}");
    }
}

#[test]
fn dots_may_end_a_list_or_a_promise() {
    for text in [
        "A fungus builds the house. Look for it on walls, on bark, on roofs, on rocks…",
        "A fungus builds the house, and there is much more to say about it and so on...",
        "A fungus builds the house and holds the water. But that is another story…",
        "A fungus builds the house. Good luck…",
        "The mass of the water is the same as before.",
        "A fungus builds the house (see above).",
    ] {
        for (lesson, hint) in with_second(text) {
            assert_eq!(errors(&lesson, hint), [""; 0], "{text}");
        }
    }
    let item = ITEM.replace("WHY", "See above.");
    assert_eq!(errors(&item, Hint::Json), [""; 0]);
}

#[test]
fn a_remark_about_what_was_left_out_is_an_error() {
    for remark in [
        "[The rest of the lesson stays the same]",
        "[Sections 3–5 remain as before]",
        "[... truncated for brevity ...]",
        "(Die übrigen Abschnitte bleiben gleich.)",
        "[остальные разделы урока без изменений]",
    ] {
        let text = LESSON.replace("\n\n## Summary", &format!("\n\n{remark}\n\n## Summary"));
        assert_ne!(errors(&text, Hint::Markdown), [""; 0], "{remark}");
    }
    for remark in [
        "(The rest of the file is unchanged.)",
        "[Exercise 3: lichens on a wall]",
        "<!-- section two -->",
        "(Read the first section again.)",
    ] {
        let text = LESSON.replace("\n\n## Summary", &format!("\n\n{remark}\n\n## Summary"));
        assert_eq!(errors(&text, Hint::Markdown), [""; 0], "{remark}");
    }
}

#[test]
fn a_comment_that_stands_for_values_is_not_deleted() {
    for comment in [
        "// ... 8 more sections",
        "// rest of the list unchanged",
        "/* additional sections here */",
    ] {
        let [_, (json, hint)] = with_second(SECOND);
        let text = json.replacen("}],", &format!("}}\n{comment}\n],"), 1);
        assert_ne!(errors(&text, hint), [""; 0], "{comment}");
    }
    let [_, (json, hint)] = with_second(SECOND);
    let text = json.replacen('{', "{ // the lesson\n", 1);
    assert_eq!(errors(&text, hint), [""; 0]);
}

#[test]
fn the_seam_of_a_continued_answer_is_an_error() {
    let at = "makes sugar from light, and both of them";
    for joint in [
        "makes sugar from light, and both makes sugar from light, and both of them",
        "makes sugar from light, and both… makes sugar from light, and both of them",
        "makes sugar from light, and bothmakes sugar from light, and both of them",
        "makes sugar from light, and\n\nmakes sugar from light, and both of them",
        "makes sugar\n\nAn alga inside it makes sugar from light, and both of them",
    ] {
        for (lesson, hint) in with_second(&SECOND.replace(at, joint)) {
            assert_ne!(errors(&lesson, hint), [""; 0], "{joint}");
        }
    }
    let twice = format!("{SECOND}\n\n{SECOND}");
    for (lesson, hint) in with_second(&twice) {
        assert_ne!(errors(&lesson, hint), [""; 0]);
    }
    let reopened = LESSON.replace("\n\n## Where", "\n\n```\n\n```markdown\n## Where");
    assert_ne!(errors(&reopened, Hint::Markdown), [""; 0]);
    for text in [
        "A fungus builds the house. Step by step by step it grows. A fungus builds the house.",
        "The more it rains, the more it grows. The more it grows, the more it holds.",
    ] {
        for (lesson, hint) in with_second(text) {
            assert_eq!(errors(&lesson, hint), [""; 0], "{text}");
        }
    }
}

#[test]
fn an_offer_to_continue_is_evidence_that_fix_keeps() {
    for offer in [
        "Would you like me to continue with the remaining sections?",
        "Continue?",
        "Let me know if you'd like me to continue.",
        "Soll ich fortfahren?",
    ] {
        let text = format!("{LESSON}\n\n{offer}");
        assert_ne!(errors(&text, Hint::Markdown), [""; 0], "{offer}");
        let [_, (json, hint)] = with_second(SECOND);
        assert_ne!(
            errors(&format!("{json}\n\n{offer}"), hint),
            [""; 0],
            "{offer}"
        );
    }
}

#[test]
fn what_a_program_printed_around_a_lesson_is_an_error() {
    let commented: String = LESSON.lines().map(|line| format!("// {line}\n")).collect();
    let boxed: String = LESSON.lines().map(|line| format!("│ {line}\n")).collect();
    let numbers: String = LESSON
        .chars()
        .map(|c| {
            if c.is_alphabetic() {
                format!("&#{};", u32::from(c))
            } else {
                c.to_string()
            }
        })
        .collect();
    let rule = "=".repeat(40);
    for text in [
        commented,
        boxed,
        numbers,
        format!("{rule}\nRESPONSE\n{rule}\n{LESSON}\n{rule}"),
        format!("Here is the lesson:\n\n:::document\n{LESSON}\n:::\n"),
        LESSON
            .replace("\n## ", "\n\\#\\# ")
            .replacen("# ", "\\# ", 1),
        format!("{LESSON}\n}}"),
        format!("{LESSON}\""),
        format!("{LESSON}\n</div>"),
        format!("{LESSON}\n```\n```"),
        format!("{LESSON}\n\nConfidence: 0.92"),
        format!("{LESSON}\n\n| Place | Speed |"),
        LESSON
            .replace("le", "l?")
            .replace("an", "?n")
            .replace("ro", "r?"),
    ] {
        assert_ne!(errors(&text, Hint::Markdown), [""; 0], "{text}");
    }
    for last in [
        "It is called \"lichen.\"",
        "</div>",
        "```js\nlet x = {};\n```",
    ] {
        let text = format!("{LESSON}\n\n<div>\n\n{last}");
        assert_eq!(errors(&text, Hint::Markdown), [""; 0], "{last}");
    }
}
