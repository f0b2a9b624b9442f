//! `judge` and `refine` in the formats of other programs.

use std::fs;

use serde_json::Value;

use crate::temp_folder::{Run, TempFolder, repository};

fn example(name: &str) -> String {
    fs::read_to_string(repository(&format!("examples/{name}"))).unwrap()
}

fn run(command: &str, format: &str) -> Run {
    let folder = TempFolder::new(&[
        ("lesson.md", &example("refine-kettle/lesson.md")),
        ("replies.toml", &example("refine-kettle/replies.toml")),
    ]);
    folder.run(&[
        command,
        "lesson.md",
        "--script",
        "replies.toml",
        "--runs",
        "runs",
        "--quiet",
        "--format",
        format,
    ])
}

#[test]
fn sarif_has_issues_at_their_place_and_what_was_not_accepted() {
    let judged = run("judge", "sarif");
    let log: Value = serde_json::from_str(&judged.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let issue = results
        .iter()
        .find(|result| result["ruleId"] == "judge/factual_accuracy")
        .unwrap();
    let region = &issue["locations"][0]["physicalLocation"]["region"];
    let lesson = example("refine-kettle/lesson.md");
    let from = region["byteOffset"].as_u64().unwrap() as usize;
    let length = region["byteLength"].as_u64().unwrap() as usize;
    assert!(lesson[from..from + length].contains("90 °C"), "{region}");
    let line = region["startLine"].as_u64().unwrap() as usize;
    assert!(lesson.lines().nth(line - 1).unwrap().contains("90 °C"));
    let rules: Vec<&str> = log["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|rule| rule["id"].as_str())
        .collect();
    assert!(rules.contains(&"judge/factual_accuracy"), "{rules:?}");
    let has_failed = results
        .iter()
        .any(|result| result["ruleId"] == "not-accepted");
    assert_eq!(has_failed, judged.code != 0, "{}", judged.stdout);
}

#[test]
fn junit_fails_what_the_exit_code_fails() {
    for command in ["judge", "refine"] {
        let run = run(command, "junit");
        let failures = usize::from(run.code != 0);
        assert!(
            run.stdout.contains(&format!(
                "<testsuite name=\"redraft {command}\" tests=\"1\" failures=\"{failures}\""
            )),
            "{}",
            run.stdout
        );
        assert!(
            run.stdout
                .contains("clarity_readability in sec_1: One sentence of 46 words"),
            "{}",
            run.stdout
        );
        assert_eq!(run.stdout.matches("<failure").count(), failures);
    }
}

#[test]
fn markdown_has_a_row_for_each_document_and_the_open_issues() {
    let run = run("refine", "markdown");
    for words in [
        "## redraft: passed",
        "1 document: 1 passed, 0 failed",
        "| lesson.md | accepted with warnings | 0.796 → 0.839 | 1 |",
        "- **minor** clarity&#95;readability (sec&#95;1, line 7): One sentence of 46 words",
    ] {
        assert!(run.stdout.contains(words), "{words}\n{}", run.stdout);
    }
}
