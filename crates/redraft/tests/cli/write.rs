//! `redraft write`, as a user runs it, with the scripted examples.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../examples").join(name);
    path.to_str().unwrap().to_owned()
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("redraft"))
        .current_dir(folder.path())
        .arg("write")
        .args(arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn the_example_of_a_lesson_is_written_judged_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, script) = (
        example("lesson-specification.json"),
        example("write-replies.toml"),
    );
    let order = ["--spec", &spec, "--script", &script];
    let output = run(&folder, &[&order[..], &["-o", "out/lever.md"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("scripted"), "{}", said(&output));
    let lesson = fs::read_to_string(folder.path().join("out/lever.md")).unwrap();
    assert!(lesson.starts_with("# How a lever lifts\n\nA stone lies"));
    // The smoother's edit of a join.
    assert!(lesson.contains("how long they are decides how hard you have to push"));
    // Without -o it goes to standard output, and nothing else does.
    let output = run(&folder, &order);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), lesson);
    // What was answered is not asked again.
    let report = run(
        &folder,
        &[&order[..], &["--continue", "--format", "json"]].concat(),
    );
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["documents"][0]["status"], "accepted");
    let runs = fs::read_dir(folder.path().join(".redraft/runs")).unwrap();
    assert_eq!(runs.count(), 2);
}

#[test]
fn the_example_of_an_item_is_written_from_a_learning_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        &folder,
        &[
            "--profile",
            "clinical-mcq",
            "--spec",
            &example("learning-outcome.json"),
            "--script",
            &example("write-item-replies.toml"),
            "-o",
            "item.json",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let item = fs::read_to_string(folder.path().join("item.json")).unwrap();
    let item: Value = serde_json::from_str(&item).unwrap();
    assert_eq!(item["answerKey"], "B");
}

#[test]
fn what_is_missing_is_said_and_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, script) = (
        example("lesson-specification.json"),
        example("judge-replies.toml"),
    );
    let (sow, cards) = (example("scheme-of-work-entry.json"), "sqa-lesson");
    for (arguments, code, says) in [
        (vec!["--script", &script], 2, "--spec FILE"),
        (
            vec!["--script", &script, "--profile", cards],
            2,
            "--sow FILE",
        ),
        (
            vec!["--script", &script, "--spec", &spec, "-o", "x.json"],
            2,
            "Markdown",
        ),
        (
            vec!["--script", &script, "--spec", &spec, "-o", "x.md"],
            5,
            "no model is configured as planner",
        ),
        (
            vec![
                "--script",
                &script,
                "--profile",
                cards,
                "--sow",
                &sow,
                "-o",
                "x.md",
            ],
            5,
            "no model is configured as author",
        ),
    ] {
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(says), "{}", said(&output));
        assert!(!folder.path().join("x.md").exists());
    }
}
