//! Files that are not lessons, each with its name, and lessons that look a little like
//! them.

use super::*;

fn seems(text: &str) -> String {
    of_text(text).map_or_else(|| "content".to_owned(), |format| format.0)
}

#[test]
fn a_format_is_told_by_its_text() {
    for (text, expected) in [
        ("question,a,b,answer\nWhat boils?,Water,Stone,A\n", "CSV"),
        (
            "question;answer\nWhat boils?;Water\nWhat freezes?;Water\n",
            "CSV",
        ),
        (
            "question, option_a, option_b\nWhat boils?, Water, Stone\nWhat burns?, Wood, Iron\n",
            "CSV",
        ),
        (
            "id,text\n1,\"Water boils, then\nsteam rises.\"\n2,\"Ice \"\"melts\"\".\"\n",
            "CSV",
        ),
        ("вопрос;ответ\nЧто кипит?;Вода\n", "CSV"),
        (
            "question|a|b\nWhat boils?|Water|Stone\nWhat burns?|Wood|Iron\n",
            "CSV",
        ),
        ("[server]\nport = 80\nhost = example\n", "configuration"),
        ("term\tmeaning\nsteam\twater in the air\n", "TSV"),
        // Quizlet and Blackboard.
        (
            "osmosis\tWater that goes through a skin.\nsteam\tWater in the air.\nice\tWater that is frozen.\n",
            "TSV",
        ),
        (
            "MC\tWhat boils?\tWater\tcorrect\tStone\tincorrect\nTF\tSteam is a gas.\ttrue\nESS\tSay why.\tIt is hot.\n",
            "TSV",
        ),
        (
            "// a comment\n::Q1:: What boils? {\n=Water\n~Stone\n}\n",
            "GIFT",
        ),
        (
            "What boils? {=Water ~Stone ~Wood}\n\nSteam is a gas. {T}\n",
            "GIFT",
        ),
        (
            "$CATEGORY: heat\n\nWater boils at {#100:1} degrees.\n",
            "GIFT",
        ),
        (
            "What boils?\nA. Water\nB. Stone\nANSWER: A\n\nWhat melts?\nA) Ice\nB) Steam\nANSWER: A\n",
            "Aiken",
        ),
        (
            "<?xml version=\"1.0\"?>\n<quiz>\n<question type=\"multichoice\"/>\n</quiz>\n",
            "Moodle XML",
        ),
        (
            "<quiz><question type=\"truefalse\"><name><text>a</text></name></question></quiz>",
            "Moodle XML",
        ),
        (
            "<assessmentItem xmlns=\"http://www.imsglobal.org/xsd/imsqti_v2p1\" identifier=\"a\"></assessmentItem>",
            "QTI",
        ),
        (
            "<?xml version=\"1.0\"?>\n<!-- exported -->\n<questestinterop>\n</questestinterop>",
            "QTI",
        ),
        ("<?xml version=\"1.0\"?><anything/>", "XML"),
        (
            "<!DOCTYPE html>\n<html><body><h1>Water</h1></body></html>",
            "HTML",
        ),
        ("\u{feff}  <html lang=\"en\"><head></head></html>", "HTML"),
        ("<h1>Water</h1><p>Water boils.</p>", "HTML"),
        (
            "<h1>Water</h1>\n<p>Water boils\nand steam rises.</p>\n\n<ul>\n  <li>Ice</li>\n</ul>\n",
            "HTML",
        ),
        (
            "title: Water\nsections:\n  - title: Steam\n    content: Steam rises.\n",
            "YAML",
        ),
        ("---\ntitle: Water\nlevel: 5\n---\n", "YAML"),
        (
            "---\nquestions:\n  - stem: What boils?\n    options: [Water, Stone]\n",
            "YAML",
        ),
        (
            "# a quiz\n- question: What boils?\n  options:\n    - Water\n    - Stone\n  answer: a\n",
            "YAML",
        ),
        ("title: Water\nlevel: 5\nsubject: physics\n", "YAML"),
        (
            "\\documentclass{article}\n\\begin{document}\nWater boils.\n\\end{document}\n",
            "LaTeX",
        ),
        ("% notes\n\\section{Water}\nWater boils.\n", "LaTeX"),
        ("```csv\na,b\n1,2\n```\n", "CSV"),
        ("```html\n<h1>Water</h1>\n```", "HTML"),
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
            "a Git LFS pointer (the file itself was not fetched; run `git lfs pull`)",
        ),
    ] {
        assert_eq!(seems(text), expected, "{text}");
    }
}

#[test]
fn a_lesson_that_shows_a_format_is_a_lesson() {
    for text in [
        "",
        "Water boils.",
        "# Water\n\nWater boils, and steam rises.\n",
        "Roses are red, violets are blue,\nsugar is sweet, and so are you.\n",
        "Water boils, steam rises, ice melts.\nIron rusts, wood burns, sand flows.\nDay breaks, night falls, time flies.\n",
        "Water boils; steam rises.\nIce melts; iron rusts.\n",
        "---\ntitle: Water\n---\n\nWater boils.\n",
        "---\ntitle: Water\n---\n\n# Water\n\nkey: value\n",
        "---\n\n# Water\n\nWater boils.\n\n---\n\nThe end.\n",
        "# CSV\n\n```csv\na,b\n1,2\n```\n\nEach line is a row.\n",
        "A table in CSV looks like this:\n\n```csv\na,b\n1,2\n```\n",
        "In GIFT you write:\n\n```\nWhat boils? {=Water ~Stone}\n```\n\nThe answer follows the sign.\n",
        "# GIFT\n\nWhat boils? {=Water ~Stone}\n",
        "Let $x = {=2}$ hold.\n\nThen it follows.\n",
        "`<b>`{=html} is raw.\n\nText.\n",
        "# Quiz\n\nWhat boils?\nA. Water\nB. Stone\nANSWER: A\n",
        "<div align=\"center\">\n\n# Water\n\n</div>\n\nWater boils.\n",
        "<p align=\"center\"><img src=\"a.png\"></p>\n\nWater boils.\n\n<p>End.</p>",
        "<!-- a note -->\n\n# Water\n\nWater boils.\n",
        "<details>\n<summary>Answer</summary>\n\nWater.\n\n</details>\n",
        "<lesson>\n# Water\n\nWater boils.\n</lesson>",
        "<quiz>\nWhat boils?\n</quiz>",
        "Steam: water in the air.\n\nIce: frozen water.\n\nDew: water on grass.\n",
        "Goal: know steam\nTime: 40 minutes\nLevel: beginners\n",
        "- Steam: water in the air\n- Ice: frozen water\n",
        "- note: read this\n- then go on\n",
        "In LaTeX, `\\documentclass{article}` begins a text.\n",
        "# LaTeX\n\n\\documentclass is the first command.\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a | b | c\n--- | --- | ---\n1 | 2 | 3\n4 | 5 | 6\n",
        "床前明月光,疑是地上霜\n举头望明月,低头思故乡\n",
        "steam: water in the air\nice: water that is frozen\ndew: water on the grass\n",
        "[Water]\n\nx = 1 and nothing else\n",
        "[1]\nWater boils.\n",
        "```python\nprint(1)\n```\n",
    ] {
        assert_eq!(seems(text), "content", "{text}");
    }
}

#[test]
fn other_files_are_told_by_their_first_bytes_and_their_names() {
    for (bytes, expected) in [
        (&b"%PDF-1.7\n"[..], "PDF"),
        (
            b"PK\x03\x04....[Content_Types].xml....word/document.xml",
            "a Word document",
        ),
        (
            b"PK\x03\x04....[Content_Types].xml....xl/workbook.xml",
            "an Excel workbook",
        ),
        (b"PK\x03\x04....imsmanifest.xml", "an IMS package (zip)"),
        (b"PK\x03\x04....", "a zip archive without QTI questions"),
        (b"{\\rtf1\\ansi Water}", "RTF"),
    ] {
        assert_eq!(of_bytes(bytes), Some(Format::named(expected)));
    }
    assert_eq!(of_bytes(b"# Water"), None);
    for (extension, expected) in [
        ("CSV", Some("CSV")),
        ("yml", Some("YAML")),
        ("py", Some("program code")),
        ("md", None),
        ("txt", None),
        ("json", None),
        ("", None),
    ] {
        assert_eq!(
            of_name(extension),
            expected.map(Format::named),
            "{extension}"
        );
    }
    for (extension, _) in BY_NAME
        .iter()
        .flat_map(|(endings, name)| endings.iter().map(move |ending| (ending, name)))
    {
        let is_bank = may_be_bank(extension);
        assert_eq!(is_read_in_folders(extension), is_bank, "{extension}");
    }
    assert!(
        READ_IN_FOLDERS
            .iter()
            .all(|extension| is_teaching(extension))
    );
}

#[test]
fn other_json_is_told_by_its_keys() {
    let of = |text: &str| {
        let json = redraft_text::json::scan(text, 0..text.len());
        of_json(&json).0
    };
    for (text, expected) in [
        (r#"{"nbformat": 4, "cells": []}"#, "a Jupyter notebook"),
        (
            r#"{"name": "a", "port": 1}"#,
            "JSON with the keys “name”, “port”",
        ),
        ("{}", "an empty JSON object"),
        ("[1, 2]", "a list of something else"),
    ] {
        assert_eq!(of(text), expected);
    }
}
