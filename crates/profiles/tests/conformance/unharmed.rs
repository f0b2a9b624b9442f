//! Answers that lost something on their way: cut rows, words and seams in the middle of a text,
//! letters that an encoding ate, line breaks that became spaces, cards and items without a part.
//! None of them is green, before or after `--fix`, and their whole twins are.

use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::fixtures::fix;

/// The checks that still warn after the safe fixes.
fn found(text: &str, hint: Hint) -> Vec<&'static str> {
    let fixed = fix(text.as_bytes(), hint);
    let findings = fixed.inspected.findings.iter();
    let mut names: Vec<&str> = findings
        .filter(|finding| finding.severity != Severity::Info)
        .map(|finding| finding.check.name)
        .collect();
    names.dedup();
    names
}

fn lesson(section: &str) -> String {
    format!(
        "# Magnets\n\nA magnet pulls iron without touching it. This lesson shows where its force comes from.\n\n## What it pulls\n\n{section}\n\n## Summary\n\nIron and nickel are pulled, and copper is not. The force is strongest at the two ends.\n"
    )
}

#[test]
fn what_lost_a_part_is_not_green() {
    const PLAIN: &str = "A magnet pulls iron and nickel. Other metals stay where they are.";
    const TABLE: &str = "The table shows what a magnet pulls.\n\n| metal | pulled |\n|---|---|\n| iron | yes |\n| copper | no |\n| nickel | yes |";
    for whole in [
        PLAIN,
        TABLE,
        "Take three steps.\n\n1. Find the magnet.\n2. Note in which direction it turns.\n3. Draw it.",
    ] {
        assert_eq!(found(&lesson(whole), Hint::Markdown), [""; 0], "{whole}");
    }
    for (broken, check) in [
        // In the middle of a word, and the next paragraph goes on.
        (
            "A magnet pulls iron and nickel. Other metals st\n\nay where they are.",
            "truncated-content",
        ),
        (
            "Take three steps.\n\n1. Find the magnet.\n2. Note i\n\nn which direction it turns.\n3. Draw it.",
            "truncated-content",
        ),
        // Rows, heads and tables.
        (
            "The table shows it.\n\n| metal | pulled |\n|---|---|\n| iron | yes |\n| copper | n\n",
            "truncated-content",
        ),
        (
            "The table shows it.\n\n| metal | pulled |\n|---|---|\n| iron | yes |\n| cop",
            "truncated-content",
        ),
        (
            "The table shows it.\n\n| metal | pulled |\n|---|---|\n",
            "truncated-content",
        ),
        (
            "The table shows it.\n\n| metal | pul\n\nled |\n|---|---|\n| iron | yes |",
            "truncated-content",
        ),
        (
            "The table shows it.\n\n| metal | pulled | |---|---| | iron | yes | | copper | no |",
            "escaped-newlines",
        ),
        // Line breaks.
        (
            "A magnet pulls iron. ## Other metals\n\nThey stay where they are.",
            "escaped-newlines",
        ),
        (
            "It pulls two metals:\n- iron\\n- nickel\\n- steel, which is mostly iron",
            "escaped-newlines",
        ),
        // Seams.
        (
            "A magnet pulls iron and nickel.\n\n- iron is pulled\n- copper is not pulled\n\nOther metals st\n\nis not pulled\n\nOther metals stay where they are.",
            "repeated-text",
        ),
        // Letters.
        (
            "A magnet pulls iron and nic\u{fffd}el. Other metals stay where they are.",
            "wrong-encoding",
        ),
    ] {
        let names = found(&lesson(broken), Hint::Markdown);
        assert!(names.contains(&check), "{broken}: {names:?}");
    }
}

#[test]
fn a_section_that_stops_is_found_in_scripts_without_capital_letters() {
    for (title, whole, broken) in [
        (
            "音",
            "太鼓をたたくと、皮がふるえます。このふるえを振動といいます。",
            "太鼓をたたくと、皮がふるえます。このふるえを",
        ),
        (
            "छाया",
            "प्रकाश सीधी रेखा में चलता है। जब कोई वस्तु रास्ते में आती है तब छाया बनती है।",
            "प्रकाश सीधी रेखा में चलता है। जब कोई वस्तु रास्ते में आती है तब छाया बन",
        ),
        (
            "البذرة",
            "تحتاج البذرة إلى الماء والهواء. عندما يدخل الماء إليها تنتفخ وتتشقق القشرة.",
            "تحتاج البذرة إلى الماء والهواء. عندما يدخل الماء إليها تنتفخ وتتشقق",
        ),
    ] {
        let text = |section: &str| {
            format!(
                "# {title}\n\n{whole}\n\n## {title} 1\n\n{section}\n\n## {title} 2\n\n{whole} {whole}\n"
            )
        };
        assert_eq!(
            found(&text(whole), Hint::Markdown)
                .iter()
                .filter(|name| **name == "truncated-content")
                .count(),
            0
        );
        let names = found(&text(broken), Hint::Markdown);
        assert!(names.contains(&"truncated-content"), "{broken}: {names:?}");
    }
}

#[test]
fn lost_accents_and_written_spaces_are_a_wrong_encoding() {
    let sentence = "Le soleil chauffe la surface de la mer et une partie de cette eau devient de la vapeur, un gaz invisible que le vent emporte au loin. ";
    let with = format!("# La mer\n\n{sentence}Elle remonte déjà vers le ciel.\n");
    let plain: String = (1..=6)
        .map(|n| format!("## Partie {n}\n\nPoint {n}. {sentence}\n\n"))
        .collect();
    let text = format!("# La mer\n\n{plain}");
    assert!(found(&text, Hint::Markdown).contains(&"wrong-encoding"));
    assert!(!found(&with, Hint::Markdown).contains(&"wrong-encoding"));
    let spaced = lesson("A magnet pulls iron and nickel.").replace(' ', "▁");
    assert!(found(&spaced, Hint::Markdown).contains(&"wrong-encoding"));
}

#[test]
fn a_lesson_in_json_needs_its_sections_and_its_title() {
    let text = |title: &str, sections: &str| {
        format!(
            r#"{{"title": "{title}", "intro": "A magnet pulls iron without touching it.", "sections": {sections}, "summary": "Iron is pulled, and copper is not."}}"#
        )
    };
    let section = r#"[{"title": "What it pulls", "content": "A magnet pulls iron and nickel."}]"#;
    assert!(!found(&text("Magnets", section), Hint::Json).contains(&"empty-section"));
    for broken in [
        text("Magnets", "[]"),
        text("Magnets", "null"),
        text("", section),
    ] {
        let names = found(&broken, Hint::Json);
        assert!(names.contains(&"empty-section"), "{broken}: {names:?}");
    }
}

#[test]
fn a_question_that_stops_is_found_in_an_item_of_whole_sentences() {
    let item = |stem: &str, second: &str| {
        format!(
            r#"{{"vignette": "A man of 61 comes with crushing pain in his chest that began this morning. His pulse is weak.", "stem": "{stem}", "distractors": [{{"text": "Right coronary artery", "isCorrect": true, "explanation": "The inferior leads point to it."}}, {{"text": "Left main artery", "isCorrect": false, "explanation": "{second}"}}, {{"text": "Circumflex artery", "isCorrect": false, "explanation": "The lateral leads are normal."}}], "answerKey": "A", "explanation": "The inferior leads show the artery that is blocked."}}"#
        )
    };
    let second = "The anterior leads are normal.";
    assert_eq!(
        found(
            &item("Which artery is most likely occluded?", second),
            Hint::Json
        ),
        [""; 0]
    );
    assert_eq!(
        found(
            &item("The artery that is most likely occluded is", second),
            Hint::Json
        ),
        [""; 0]
    );
    assert!(
        found(&item("Which artery is most lik", second), Hint::Json).contains(&"truncated-content")
    );
    let foreign = item(
        "Which artery is most likely occluded?",
        "膈下游离气体提示空腔脏器穿孔。",
    );
    assert!(found(&foreign, Hint::Json).contains(&"wrong-language"));
}
