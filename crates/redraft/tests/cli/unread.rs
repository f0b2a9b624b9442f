//! Exit 0 means: something was read, all of it, and what was not read is named.

use std::fs;

use serde_json::Value;

use crate::temp_folder::{GOOD, HOLLOW, TempFolder, example};

/// A table, but no question bank.
const CSV: &str = "pupil,points,grade,date\nAnna,12,B,2026-03-01\nBen,15,A,2026-03-01\n";
const HTML: &str = "<!DOCTYPE html>\n<html><body><h1>Water</h1></body></html>\n";
const YAML: &str = "title: Water\nsections:\n  - title: Steam\n    content: It rises.\n";
const LATEX: &str = "\\documentclass{article}\n\\begin{document}\nWater.\n\\end{document}\n";
const NOTEBOOK: &str = "{\"cells\": [], \"nbformat\": 4}";
const ITEM: &str = r#"{"stem": "What is the answer to the question?", "options": ["one", "two", "six", "eleven"], "answer": "B", "explanation": "It is two because one and one are two."}"#;

#[test]
fn a_named_file_of_another_format_is_an_error_that_names_it() {
    for (content, format) in [
        (CSV, "CSV"),
        (HTML, "HTML"),
        (YAML, "YAML"),
        (LATEX, "LaTeX"),
        (NOTEBOOK, "a Jupyter notebook"),
        (
            "{\"name\": \"x\", \"port\": 1}",
            "JSON with the keys “name”, “port”",
        ),
    ] {
        for name in ["quiz.txt", "quiz.md", "quiz", "quiz.json"] {
            // A `.json` without JSON is malformed JSON, which is an error of its own.
            if name == "quiz.json" && !content.starts_with('{') {
                continue;
            }
            let folder = TempFolder::new(&[(name, content), ("good.md", GOOD)]);
            let run = folder.run(&["check", name]);
            assert_eq!(run.code, 2, "{name} {format}: {}", run.stdout);
            for expected in [name, format, "redraft reads Markdown, JSON"] {
                assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
            }
            assert!(!run.stdout.contains("gate passed"), "{}", run.stdout);
            let both = folder.run(&["check", name, "good.md"]);
            assert_eq!(both.code, 2, "one good file does not make up for it");
            let listed = folder.run(&["check", "--skip-unknown", name, "good.md"]);
            assert_eq!(listed.code, 0, "{}", listed.stderr);
            assert!(
                listed
                    .stdout
                    .contains(&format!("warning[TXT018 unread-file]: {name} was not read")),
                "{}",
                listed.stdout
            );
            assert!(
                listed.stdout.contains("1 file not read"),
                "{}",
                listed.stdout
            );
            let only = folder.run(&["check", "--skip-unknown", name]);
            assert_eq!(only.code, 2, "nothing was read");
            let allowed = folder.run(&["check", "--skip-unknown", "--allow-empty", name]);
            assert_eq!(allowed.code, 0, "{}", allowed.stderr);
        }
    }
}

#[test]
fn standard_input_of_another_format_is_an_error_too() {
    let folder = TempFolder::new(&[]);
    let run = folder.run_with(&["check", "-"], CSV);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(
        run.stderr.contains("-: this seems to be CSV"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_name_of_a_file_tells_its_format_and_the_user_decides_where_it_does_not() {
    let folder = TempFolder::new(&[("a.csv", "Water boils."), ("b.txt", YAML), ("c.txt", GOOD)]);
    assert_eq!(folder.run(&["check", "a.csv"]).code, 2);
    assert_eq!(folder.run(&["check", "b.txt"]).code, 2);
    assert_eq!(folder.run(&["check", "c.txt"]).code, 0, "prose in a .txt");
    let insisted = folder.run(&["check", "--profile", "lesson", "b.txt"]);
    assert_ne!(insisted.code, 2, "{}", insisted.stderr);
    fs::write(folder.path("redraft.toml"), "profile = \"lesson\"\n").unwrap();
    assert_eq!(
        folder.run(&["check", "b.txt"]).code,
        2,
        "it speaks of all files"
    );
}

#[test]
fn a_folder_lists_what_it_did_not_read_in_every_format() {
    let folder = TempFolder::new(&[
        ("course/a.md", GOOD),
        ("course/quiz.csv", CSV),
        ("course/page.html", HTML),
        ("course/notes.txt", GOOD),
        ("course/package.json", "{\"name\": \"x\"}"),
        ("course/table.md", CSV),
        ("course/picture.png", "no teaching material"),
    ]);
    let unread = [
        "quiz.csv",
        "page.html",
        "notes.txt",
        "package.json",
        "table.md",
    ];
    for format in ["human", "json", "jsonl", "sarif", "junit", "markdown"] {
        let run = folder.run(&["check", "course", "--format", format]);
        assert_eq!(run.code, 0, "{format}: {}", run.stderr);
        for name in unread {
            assert!(run.stdout.contains(name), "{format} {name}: {}", run.stdout);
        }
        assert!(
            run.stdout.contains("CSV, which redraft does not read"),
            "{format}"
        );
        assert!(!run.stdout.contains("picture.png"), "{format}");
    }
    let human = folder.run(&["check", "course"]).stdout;
    assert!(
        human.contains("1 document checked, no errors, 5 warnings, no remarks; 5 files not read"),
        "{human}"
    );
    let json: Value =
        serde_json::from_str(&folder.run(&["check", "course", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["summary"]["skipped"], 5);
    assert_eq!(json["summary"]["warnings"], 5);
    assert_eq!(json["skipped"].as_array().unwrap().len(), 5);
    let sarif: Value =
        serde_json::from_str(&folder.run(&["check", "course", "--format", "sarif"]).stdout)
            .unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 5);
    assert!(results.iter().all(|result| result["ruleId"] == "TXT018"));
    let junit = folder.run(&["check", "course", "--format", "junit"]).stdout;
    assert!(junit.contains("skipped=\"5\""), "{junit}");
}

#[test]
fn the_configuration_makes_an_unread_file_an_error_or_ignores_it() {
    let files = [("course/a.md", GOOD), ("course/quiz.csv", CSV)];
    let folder = TempFolder::new(&files);
    let configured = |text: &str| {
        fs::write(folder.path("redraft.toml"), text).unwrap();
        folder.run(&["check", "course"])
    };
    let error = configured("[severity]\nunread-file = \"error\"\n");
    assert_eq!(error.code, 1, "{}", error.stdout);
    assert!(
        error
            .stdout
            .contains("error[TXT018 unread-file]: course/quiz.csv")
    );
    let ignored = configured("ignore = [\"TXT018\"]\n");
    assert_eq!(ignored.code, 0);
    assert!(
        ignored.stdout.contains("skipped: course/quiz.csv"),
        "{}",
        ignored.stdout
    );
    assert!(ignored.stdout.contains("no warnings"), "{}", ignored.stdout);
    let excluded = configured("[files]\nexclude = [\"**/*.csv\"]\n");
    assert!(!excluded.stdout.contains("quiz.csv"), "{}", excluded.stdout);
    let one = configured(
        "[severity]\nunread-file = \"error\"\n[[override]]\npaths = [\"course/**\"]\nignore = [\"unread-file\"]\n",
    );
    assert_eq!(one.code, 0, "{}", one.stdout);
}

#[test]
fn nothing_read_is_an_error_unless_it_is_allowed() {
    let folder = TempFolder::new(&[
        ("empty/.gitignore", ""),
        ("ignored/.gitignore", "*.md\n"),
        ("ignored/a.md", GOOD),
        ("tools/node_modules/a.md", GOOD),
        ("texts/a.txt", GOOD),
    ]);
    for path in ["empty", "ignored", "tools", "texts"] {
        let run = folder.run(&["check", path]);
        assert_eq!(run.code, 2, "{path}: {}", run.stdout);
        assert!(run.stdout.contains("nothing was read"), "{}", run.stdout);
        assert!(run.stderr.contains("--allow-empty"), "{}", run.stderr);
        assert_eq!(
            folder.run(&["check", "--allow-empty", path]).code,
            0,
            "{path}"
        );
    }
    let named = folder.run(&["check", "tools/node_modules"]);
    assert_eq!(
        named.code, 0,
        "a folder that the user named is read: {}",
        named.stderr
    );
}

#[test]
fn a_profile_that_finds_nothing_of_its_kind_is_an_error() {
    let folder = TempFolder::new(&[
        ("lesson.md", GOOD),
        ("other.json", "{\"name\": \"x\"}"),
        ("item.json", ITEM),
        ("broken.json", "{\"stem\": \"What boils?\"}"),
    ]);
    for (profile, file, code) in [
        ("clinical-mcq", "lesson.md", 2),
        ("clinical-mcq", "other.json", 2),
        ("sqa-lesson", "lesson.md", 2),
        ("sqa-lesson", "item.json", 2),
        ("clinical-mcq", "broken.json", 1),
    ] {
        let run = folder.run(&["check", "--profile", profile, file]);
        assert_eq!(
            run.code, code,
            "{profile} {file}: {}{}",
            run.stdout, run.stderr
        );
        if code == 2 {
            let expected = format!("no content of the profile {profile}");
            assert!(run.stderr.contains(&expected), "{}", run.stderr);
        }
    }
    assert_eq!(folder.run(&["check", "item.json"]).code, 0);
}

#[test]
fn an_empty_bank_in_a_folder_is_an_error() {
    for name in ["bank.gift", "bank.aiken", "bank.csv", "bank.xml"] {
        let folder = TempFolder::new(&[("good.md", GOOD), (name, "\n")]);
        let run = folder.run(&["check", "."]);
        assert_eq!(run.code, 1, "{name}: {}", run.stdout);
        assert!(run.stdout.contains("empty-document"), "{}", run.stdout);
        assert!(
            !run.stdout.contains("redraft does not read"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn an_error_of_a_bank_outside_its_items_keeps_judge_refine_and_plan_from_passing() {
    let aiken = "What boils at 100 degrees at sea level?\nA. Water\nB. Iron\nC. Gold\nANSWER: A\n\nNo answer?\nA. x\nB. y\n";
    let replies = example("judge-replies.toml");
    let folder = TempFolder::new(&[("a.aiken", aiken), ("replies.toml", &replies)]);
    assert_eq!(folder.run(&["check", "a.aiken"]).code, 1);
    for command in ["judge", "refine", "plan"] {
        let run = folder.run(&[command, "a.aiken", "--script", "replies.toml"]);
        assert_eq!(run.code, 2, "{command}: {}", run.stdout);
        let said = "not all of it could be judged: line 7:";
        assert!(run.stderr.contains(said), "{command}: {}", run.stderr);
    }
    let json = folder.run(&[
        "judge",
        "a.aiken",
        "--script",
        "replies.toml",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["unfinished"][0]["path"], "a.aiken");
}

#[test]
fn questions_that_are_not_judged_are_named() {
    let gift = "::q1:: Which boils at 100 degrees? {=Water ~Iron ~Gold}\n\n::q2:: Say why. {}\n\n::q3:: Which melts at 0 degrees? {=Ice ~Iron ~Gold}\n";
    let replies = example("judge-replies.toml");
    let folder = TempFolder::new(&[("b.gift", gift), ("replies.toml", &replies)]);
    let run = folder.run(&["judge", "b.gift", "--script", "replies.toml"]);
    let said = "b.gift: 1 question is not multiple-choice and is not judged, on line 3";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn the_values_of_a_bank_that_are_not_items_keep_the_gate_shut() {
    let bank = format!(
        "{ITEM}\n\"a stray text\"\n17\n{}\n",
        ITEM.replace("question", "riddle")
    );
    let list = format!("[{ITEM}, 17]");
    let folder = TempFolder::new(&[("bank.jsonl", &bank), ("bank.json", &list)]);
    let run = folder.run(&["check", "bank.jsonl"]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    for expected in ["a text, not an item", "outside the JSON value"] {
        assert!(run.stdout.contains(expected), "{}", run.stdout);
    }
    assert_eq!(folder.run(&["check", "bank.json"]).code, 1);
    let plan = folder.run_among(&[], &["plan", "bank.jsonl"]);
    assert_eq!(plan.code, 2, "{}", plan.stdout);
    assert!(
        plan.stderr
            .contains("bank.jsonl: 2 values are not items, on lines 2, 3"),
        "{}",
        plan.stderr
    );
    let converted = folder.run(&["convert", "bank.jsonl", "--to", "json", "-o", "out.json"]);
    assert_eq!(converted.code, 1, "{}", converted.stderr);
    assert!(
        converted
            .stderr
            .contains("bank.jsonl: 2 values are not items, on lines 2, 3"),
        "{}",
        converted.stderr
    );
}

#[test]
fn convert_names_the_items_whose_key_names_no_option() {
    let bank = format!("[{ITEM}, {}]", ITEM.replace(r#""B""#, r#""Z""#));
    let folder = TempFolder::new(&[("bank.json", &bank)]);
    let run = folder.run(&["convert", "bank.json", "--to", "jsonl", "-o", "out.jsonl"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let expected = "keys that name no option for certain, which `redraft check` shows: 1 item";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn every_command_lists_what_it_did_not_read_and_refuses_what_was_named() {
    let folder = TempFolder::new(&[
        ("course/a.md", GOOD),
        ("course/quiz.csv", CSV),
        ("empty/.keep", ""),
    ]);
    for arguments in [&["plan"] as &[&str], &["refine", "--free"]] {
        let with = |more: &[&str]| folder.run_among(&[], &[arguments, more].concat());
        let listed = with(&["course"]);
        assert_eq!(listed.code, 0, "{arguments:?}: {}", listed.stderr);
        assert!(
            listed
                .stderr
                .contains("course/quiz.csv was not read: a table without columns"),
            "{}",
            listed.stderr
        );
        let json = with(&["course", "--format", "json"]);
        let report: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(report["skipped"][0]["path"], "course/quiz.csv");
        assert_eq!(with(&["course/quiz.csv"]).code, 2);
        let skipped = with(&["course/quiz.csv", "course/a.md", "--skip-unknown"]);
        assert_eq!(skipped.code, 0, "{}", skipped.stderr);
        assert_eq!(with(&["empty"]).code, 2);
        assert_eq!(with(&["empty", "--allow-empty"]).code, 0);
    }
}

#[test]
fn what_is_too_large_is_refused_with_the_setting_that_allows_it() {
    let folder = TempFolder::new(&[
        ("a.md", GOOD),
        ("spec.json", "{\"title\": \"Water\"}"),
        ("redraft.toml", "[limits]\nmax-input-bytes = 40\n"),
    ]);
    let run = folder.run(&["check", "a.md"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    for expected in [
        "a.md: larger than 40 bytes",
        "`max-input-bytes` under [limits]",
    ] {
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    let stdin = folder.run_with(&["check", "-"], GOOD);
    assert_eq!(stdin.code, 2, "{}", stdin.stdout);
    assert!(
        stdin.stderr.contains("-: larger than 40 bytes"),
        "{}",
        stdin.stderr
    );
    fs::write(folder.path("small.md"), "# Water\n\nWater boils.\n").unwrap();
    let small = folder.run(&["check", "small.md", "--spec", "spec.json"]);
    assert_ne!(small.code, 2, "{}", small.stderr);
    fs::write(
        folder.path("spec.json"),
        format!("{{\"title\": \"{}\"}}", "x".repeat(40)),
    )
    .unwrap();
    let companion = folder.run(&["check", "small.md", "--spec", "spec.json"]);
    assert_eq!(companion.code, 2);
    assert!(
        companion.stderr.contains("larger than 40 bytes"),
        "{}",
        companion.stderr
    );
    let listed = folder.run(&["check", "."]);
    assert!(
        listed.stdout.contains("a.md was not read: larger than"),
        "{}",
        listed.stdout
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let folder = TempFolder::new(&[("a.md", HOLLOW)]);
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("pipe.md"))
        .status()
        .unwrap();
    assert!(made.success());
    for (path, kind) in [("pipe.md", "a named pipe"), ("/dev/zero", "a device")] {
        let run = folder.run(&["check", path]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(kind), "{}", run.stderr);
    }
    let listed = folder.run(&["check", "."]);
    assert!(
        listed
            .stdout
            .contains("pipe.md was not read: not a regular file but a named pipe"),
        "{}",
        listed.stdout
    );
    let companion = folder.run(&["check", "a.md", "--sources", "pipe.md"]);
    assert_eq!(companion.code, 2);
}
