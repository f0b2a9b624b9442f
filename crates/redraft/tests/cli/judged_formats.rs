//! `judge` and `refine` in the formats of other programs.

use std::fs;

use serde_json::Value;

use crate::temp_folder::{Run, TempFolder, example};

fn run(command: &str, format: &str) -> Run {
    run_over(&["lesson.md"], command, format)
}

/// Runs over these files; `bin.md` cannot be read.
fn run_over(files: &[&str], command: &str, format: &str) -> Run {
    let folder = TempFolder::new(&[
        ("lesson.md", &example("refine-kettle/lesson.md")),
        ("replies.toml", &example("refine-kettle/replies.toml")),
    ]);
    fs::write(folder.path("bin.md"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    let options = [
        "--script",
        "replies.toml",
        "--runs",
        "runs",
        "--quiet",
        "--format",
        format,
    ];
    folder.run(&[&[command], files, &options].concat())
}

#[test]
fn a_document_without_a_result_is_an_error_in_every_format() {
    // Together with one that is accepted, and alone.
    for (files, tests) in [(&["lesson.md", "bin.md"][..], 2), (&["bin.md"], 1)] {
        let junit = run_over(files, "refine", "junit");
        assert_eq!(junit.code, 2, "{}", junit.stderr);
        let counts = format!("tests=\"{tests}\" failures=\"0\" errors=\"1\"");
        assert!(junit.stdout.contains(&counts), "{}", junit.stdout);
        assert_eq!(junit.stdout.matches("<error ").count(), 1);
        let said = "name=\"bin.md\">\n      <error type=\"failed\" message=\"bin.md: ";
        assert!(junit.stdout.contains(said), "{}", junit.stdout);
        let page = run_over(files, "refine", "markdown");
        for words in [
            "## redraft: failed",
            "1 without a result",
            "| bin.md | **failed** |",
        ] {
            assert!(page.stdout.contains(words), "{words}\n{}", page.stdout);
        }
        let log = run_over(files, "refine", "sarif");
        let log: Value = serde_json::from_str(&log.stdout).unwrap();
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false, "{invocation}");
        let notice = &invocation["toolExecutionNotifications"][0];
        let place = &notice["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uri"], "bin.md", "{notice}");
    }
    let both = &["lesson.md", "bin.md"];
    let report = run_over(both, "refine", "json");
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["unfinished"][0]["path"], "bin.md");
    assert_eq!(report["unfinished"][0]["unfinished"], "failed");
    let lines = run_over(both, "refine", "jsonl").stdout;
    assert!(lines.contains("\"unfinished\":\"failed\""), "{lines}");
    let alone = run_over(&["bin.md"], "judge", "human");
    assert_eq!((alone.code, alone.stdout.as_str()), (2, ""));
    assert_eq!(
        alone.stderr.matches("bin.md").count(),
        1,
        "{}",
        alone.stderr
    );
}

#[test]
fn an_item_is_named_whole_and_has_no_line_of_the_bank() {
    let item = |id: &str| {
        let item = example("refine-item.json").replace('\n', " ");
        item.replacen('{', &format!("{{\"id\": \"{id}\","), 1)
    };
    let folder = TempFolder::new(&[
        ("Q.JSONL", &format!("{}\n{}\n", item("a#1"), item("b"))),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    let judge = |format: &str| {
        let run = folder.run(&[
            "judge",
            "Q.JSONL",
            "--script",
            "replies.toml",
            "--format",
            format,
        ]);
        run.stdout
    };
    let log: Value = serde_json::from_str(&judge("sarif")).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let names: Vec<&str> = results
        .iter()
        .filter(|result| result["ruleId"] == "judge/distractor_quality")
        .map(|result| &result["locations"][0]["logicalLocations"][0]["name"])
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(names, ["a#1", "b"]);
    let page = judge("markdown");
    assert!(page.contains("distractor"), "{page}");
    assert!(!page.contains(", line "), "{page}");
    let tests = judge("junit");
    assert!(!tests.contains("Q.JSONL#b:1:"), "{tests}");
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
    assert_eq!(judged.code, 1, "{}", judged.stderr);
    let has_failed = results
        .iter()
        .any(|result| result["ruleId"] == "not-accepted");
    assert!(has_failed, "{}", judged.stdout);
}

#[test]
fn junit_fails_what_the_exit_code_fails() {
    // The example is below the threshold, and repaired to be above it.
    for (command, code, failures) in [("judge", 1, 1), ("refine", 0, 0)] {
        let run = run(command, "junit");
        assert_eq!(run.code, code, "{}", run.stderr);
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
