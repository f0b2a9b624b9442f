//! `redraft write`, as a user runs it, with the scripted examples.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::loops::unpacked;
use crate::seeds::Schemas;
use crate::temp_folder::KEY;

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../../examples").join(name);
    path.to_str().unwrap().to_owned()
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin!("redraft"))
        .env("REDRAFT_KEY", KEY)
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
    // The report names the file that was written, and no other.
    assert!(said(&output).contains("out/lever.md"), "{}", said(&output));
    assert!(!said(&output).contains("lesson.md"), "{}", said(&output));
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
    let is_journal = |path: &std::path::Path| path.extension().is_some_and(|end| end == "jsonl");
    let journals = runs.filter(|entry| is_journal(&entry.as_ref().unwrap().path()));
    assert_eq!(journals.count(), 2);
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
fn the_example_of_cards_goes_from_author_to_critic_to_revision_to_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let (sow, script) = (
        example("scheme-of-work-entry.json"),
        example("write-cards-replies.toml"),
    );
    let replies = fs::read_to_string(&script).unwrap();
    assert!(
        replies.starts_with("# SCRIPTED REPLIES"),
        "a script says in its first line that it is one"
    );
    let output = run(
        &folder,
        &[
            "--profile",
            "sqa-lesson",
            "--sow",
            &sow,
            "--script",
            &script,
            "-o",
            "cards.json",
            "--database",
            "row.json",
            "--seed-report",
            "critic",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("scripted replies were used"));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let value = |name: &str| serde_json::from_str::<Value>(&read(name)).unwrap();
    let cards = read("cards.json");
    // Two cards passed at once and are the author's to the byte; two were revised.
    let card = |text: &str, number: usize| {
        let at = |number: usize| text.find(&format!("\"id\": \"card_00{number}\"")).unwrap();
        text[at(number)..at(number + 1)].to_owned()
    };
    for (number, stays) in [(1, true), (2, true), (3, false)] {
        let is_same = card(&cards, number) == card(&replies, number);
        assert_eq!(is_same, stays, "card {number}");
    }
    assert!(cards.contains("Divides £16 by 8 and shows the working"));
    // One result for each attempt, and the last of them under its plain name.
    let schemas = Schemas::new();
    for (name, status, feedback) in [
        ("critic/critic_result.1.json", "needs_revision", true),
        ("critic/critic_result.2.json", "pass", false),
        ("critic/critic_result.json", "pass", false),
    ] {
        let result = value(name);
        schemas.follows("critic_result", &result);
        assert_eq!(result["overall_status"], status, "{name}");
        let urgent = result["feedback"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["severity"] == "high");
        assert_eq!(urgent, feedback, "{name}: {result:#}");
    }
    assert_eq!(
        read("critic/critic_result.2.json"),
        read("critic/critic_result.json")
    );
    assert_eq!(value("critic/report.json")["scripted"], true);
    let row = value("row.json");
    assert!(
        cards.contains(&unpacked(&row)),
        "the very bytes of the plain cards"
    );
    assert_eq!(row["cards"], value("cards.json")["cards"]);
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

/// A scheme of two entries, the second of which is the example's.
fn scheme() -> String {
    let entry = fs::read_to_string(example("scheme-of-work-entry.json")).unwrap();
    format!(
        r#"{{"courseId": "course_scheme", "entries": [{{"order": 1, "label": "Halves", "lesson_type": "teach"}}, {entry}]}}"#
    )
}

#[test]
fn an_entry_of_a_scheme_is_chosen_by_its_order_or_the_nearest_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scheme.json"), scheme()).unwrap();
    let script = example("write-cards-replies.toml");
    let entry: Value =
        serde_json::from_str(&fs::read_to_string(example("scheme-of-work-entry.json")).unwrap())
            .unwrap();
    let order = entry["order"].to_string();
    let output = run(&folder, &["--sow", "scheme.json", "--script", &script]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("has 2 entries; choose one with --order N"),
        "{}",
        said(&output)
    );
    let output = run(
        &folder,
        &["--sow", "scheme.json", "--order", "99", "--script", &script],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("no entry with order 99; the nearest are"),
        "{}",
        said(&output)
    );
    let output = run(
        &folder,
        &[
            "--sow",
            "scheme.json",
            "--order",
            &order,
            "--script",
            &script,
            "-o",
            "cards.json",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // The same cards as from the entry alone.
    let cards = fs::read_to_string(folder.path().join("cards.json")).unwrap();
    assert!(
        cards.contains("Divides £16 by 8 and shows the working"),
        "{cards}"
    );
}

#[test]
fn a_whole_scheme_is_written_entry_by_entry_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scheme.json"), scheme()).unwrap();
    let script = example("write-cards-replies.toml");
    let arguments = [
        "--sow",
        "scheme.json",
        "--all",
        "--script",
        &script,
        "-o",
        "out",
    ];
    let output = run(
        &folder,
        &["--sow", "scheme.json", "--all", "--script", &script],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("give a folder with -o DIR"),
        "{}",
        said(&output)
    );
    let first = run(&folder, &arguments);
    let table = String::from_utf8(first.stdout.clone()).unwrap();
    assert!(table.contains("entry  title"), "{table}{}", said(&first));
    assert!(table.contains("Halves"), "{table}");
    assert!(table.contains("of 2 lessons accepted"), "{table}");
    let mut files: Vec<String> = fs::read_dir(folder.path().join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert!(
        files.iter().any(|name| name.starts_with("001-halves")),
        "{files:?}"
    );
    assert_eq!(files.len(), 2, "{files:?}");
    // Events of all entries, and of them alone.
    let events = ["--events", "-", "--runs", "other"];
    let followed = run(&folder, &[&arguments[..], &events].concat());
    let events = String::from_utf8(followed.stdout.clone()).unwrap();
    let is_event = |line: &str| serde_json::from_str::<Value>(line).is_ok();
    assert!(events.lines().all(is_event), "{events}");
    assert!(
        said(&followed).contains("entry  title"),
        "{}",
        said(&followed)
    );
    let file = ["--events", "e.jsonl", "--runs", "third"];
    run(&folder, &[&arguments[..], &file].concat());
    let kept = fs::read_to_string(folder.path().join("e.jsonl")).unwrap();
    assert_eq!(
        kept.matches("\"event\":\"run_started\"").count(),
        2,
        "{kept}"
    );
    assert_eq!(kept.lines().count(), events.lines().count());
    // Run again it asks nothing anew and says the same.
    let again = run(&folder, &arguments);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), table);
}
