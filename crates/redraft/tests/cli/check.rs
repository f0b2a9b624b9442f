//! `check`: what it looks at, what it prints, how it exits.

use std::fs;

use crate::temp_folder::{CHATTY, GOOD, HOLLOW, TempFolder, repository};

#[test]
fn a_clean_lesson_exits_0_and_one_with_an_error_1() {
    let temp_folder = TempFolder::new(&[
        ("good.md", GOOD),
        ("hollow.md", HOLLOW),
        ("chatty.md", CHATTY),
    ]);
    assert_eq!(temp_folder.run(&["check", "good.md"]).code, 0);
    assert_eq!(
        temp_folder.run(&["check", "chatty.md"]).code,
        0,
        "warnings do not fail the gate"
    );
    let failed = temp_folder.run(&["check", "hollow.md"]);
    assert_eq!(failed.code, 1);
    assert!(
        failed
            .stdout
            .contains("error[TXT002 empty-section]: nothing under the heading “Heat”")
    );
    assert!(failed.stdout.contains("--> hollow.md:5:1"));
    assert!(
        failed
            .stdout
            .contains("gate failed: 1 document checked, 1 error, no warnings, no remarks")
    );
    assert!(!failed.stdout.contains('\u{1b}'), "no colours into a pipe");
    assert!(failed.stderr.is_empty(), "{}", failed.stderr);
}

#[test]
fn a_closed_output_is_not_a_success() {
    let temp_folder = TempFolder::new(&[("hollow.md", HOLLOW)]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = std::process::Command::new(assert_cmd::cargo::cargo_bin!("redraft"))
        .args(["check", "hollow.md"])
        .current_dir(temp_folder.path("."))
        .stdout(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(141));
}

#[test]
fn an_unapplied_safe_fix_of_an_error_still_exits_1() {
    let thinking = format!("<think>The user wants a lesson.</think>\n\n{GOOD}");
    let temp_folder = TempFolder::new(&[("thinking.md", &thinking)]);
    assert_eq!(temp_folder.run(&["check", "thinking.md"]).code, 1);
    assert_eq!(temp_folder.run(&["check", "--diff", "thinking.md"]).code, 1);
    assert_eq!(temp_folder.run(&["check", "--fix", "thinking.md"]).code, 0);
    assert_eq!(temp_folder.read("thinking.md"), GOOD);
}

#[test]
fn what_cannot_be_read_exits_2_and_is_named() {
    let temp_folder =
        TempFolder::new(&[("other.json", "{\"name\": \"package\"}"), ("empty.md", "")]);
    fs::write(
        temp_folder.path("picture.md"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    )
    .unwrap();
    for (path, expected) in [
        ("missing.md", "missing.md: file or folder not found"),
        ("other.json", "other.json: unknown kind of JSON"),
        ("picture.md", "picture.md: this seems to be an image"),
    ] {
        let run = temp_folder.run(&["check", path]);
        assert_eq!(run.code, 2, "{path}");
        assert!(run.stderr.contains(expected), "{path}: {}", run.stderr);
        assert!(
            !run.stdout.contains("gate passed"),
            "{path}: {}",
            run.stdout
        );
    }
    let empty = temp_folder.run(&["check", "empty.md"]);
    assert_eq!(empty.code, 1);
    assert!(empty.stdout.contains("TXT012 empty-document"));
}

#[test]
fn wrong_usage_exits_2() {
    let temp_folder = TempFolder::new(&[("good.md", GOOD)]);
    for arguments in [
        &["check"] as &[&str],
        &["nonsense"],
        &["check", "--profile", "poem", "good.md"],
        &["check", "--format", "xml", "good.md"],
        &["check", "--fix", "--diff", "good.md"],
        &["check", "--language", "klingonish-and-more", "good.md"],
        &["check", "--select", "nonsense", "good.md"],
        &["check", "--spec", "missing.json", "good.md"],
        &["check", "--spec", "good.md", "good.md"],
        &["check", "--baseline", "missing.json", "good.md"],
    ] {
        let run = temp_folder.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_folder_is_walked_and_what_is_no_content_is_listed() {
    let temp_folder = TempFolder::new(&[
        ("course/b.md", GOOD),
        ("course/a.md", HOLLOW),
        ("course/package.json", "{\"name\": \"x\"}"),
        ("course/notes.txt", "[Insert text here]"),
        ("course/.gitignore", "ignored.md\n"),
        ("course/ignored.md", HOLLOW),
    ]);
    let run = temp_folder.run(&["check", "course"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout.contains("2 documents checked, 1 error"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("2 files not read"), "{}", run.stdout);
}

#[test]
fn standard_input_is_checked_as_a_file_is() {
    let temp_folder = TempFolder::new(&[]);
    let run = temp_folder.run_with(&["check", "-"], HOLLOW);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("--> -:5:1"), "{}", run.stdout);
    assert_eq!(temp_folder.run_with(&["check", "-"], GOOD).code, 0);
}

#[test]
fn the_profile_can_be_named_and_companions_are_read() {
    let temp_folder = TempFolder::new(&[
        ("odd.json", "{\"body\": \"text\"}"),
        ("good.md", GOOD),
        (
            "spec.json",
            "{\"title\": \"Water\", \"language\": \"ru\", \"sections\": []}",
        ),
        ("sources.txt", "Water boils."),
        (
            "sow.json",
            "{\"order\": 1, \"label\": \"Water\", \"outcomeRefs\": [\"O1\"]}",
        ),
        (
            "outcomes.json",
            "[{\"outcomeId\": \"O1\", \"outcomeTitle\": \"t\"}]",
        ),
    ]);
    assert_eq!(temp_folder.run(&["check", "odd.json"]).code, 2);
    assert_ne!(
        temp_folder
            .run(&["check", "--profile", "lesson", "odd.json"])
            .code,
        2
    );
    let run = temp_folder.run(&[
        "check",
        "good.md",
        "--spec",
        "spec.json",
        "--sources",
        "sources.txt",
        "--sow",
        "sow.json",
        "--outcomes",
        "outcomes.json",
        "--format",
        "jsonl",
    ]);
    assert!(
        run.stdout.contains("\"language\":\"ru\""),
        "the specification names the language: {}",
        run.stdout
    );
    let told = temp_folder.run(&[
        "check",
        "good.md",
        "--spec",
        "spec.json",
        "--language",
        "de",
        "--format",
        "jsonl",
    ]);
    assert!(
        told.stdout.contains("\"language\":\"de\""),
        "the command line wins"
    );
}

#[test]
fn the_same_fault_is_not_shown_again_and_again() {
    let many = format!(
        "{GOOD}\n{}",
        "See [this]() and so on, please.\n\n".repeat(20)
    );
    let temp_folder = TempFolder::new(&[("many.md", &many)]);
    let run = temp_folder.run(&["check", "many.md"]);
    assert_eq!(run.stdout.matches("broken-link]").count(), 3);
    assert!(
        run.stdout
            .contains("… 17 more `broken-link` in many.md (use --all to show them)"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("20 warnings"));
    let all = temp_folder.run(&["check", "--all", "many.md"]);
    assert_eq!(all.stdout.matches("broken-link]").count(), 20);
}

#[test]
fn a_baseline_hides_what_was_there_and_nothing_else() {
    let temp_folder = TempFolder::new(&[("a.md", HOLLOW)]);
    let written = temp_folder.run(&["check", "a.md", "--write-baseline", "known.json"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let known = temp_folder.run(&["check", "a.md", "--baseline", "known.json"]);
    assert_eq!(known.code, 0);
    assert!(
        known.stdout.contains("1 in the baseline"),
        "{}",
        known.stdout
    );
    // The fault moves with the text and stays known; a new one is new.
    fs::write(
        temp_folder.path("a.md"),
        format!("{HOLLOW}\n## Ice\n\n## Frost\n\nCold.\n"),
    )
    .unwrap();
    let moved = temp_folder.run(&["check", "a.md", "--baseline", "known.json"]);
    assert_eq!(moved.code, 1);
    assert!(
        moved.stdout.contains("“Ice”") && !moved.stdout.contains("“Heat”"),
        "{}",
        moved.stdout
    );
    fs::write(
        temp_folder.path("known.json"),
        "{\"schema\": 99, \"files\": {}}",
    )
    .unwrap();
    let newer = temp_folder.run(&["check", "a.md", "--baseline", "known.json"]);
    assert_eq!(newer.code, 2);
    assert!(
        newer.stderr.contains("baseline format 99"),
        "{}",
        newer.stderr
    );
}

#[test]
fn the_examples_of_the_repository_show_what_the_readme_says() {
    let temp_folder = TempFolder::new(&[]);
    let raw = repository("examples/raw-model-output.json");
    let fixed = temp_folder.run(&["check", "--fix", raw.to_str().unwrap(), "-o", "lesson.json"]);
    assert_eq!(fixed.code, 0, "{}", fixed.stdout);
    assert!(fixed.stdout.contains("gate passed"));
    let value: serde_json::Value = serde_json::from_str(&temp_folder.read("lesson.json")).unwrap();
    assert!(value["intro"].as_str().unwrap().contains("$\\frac{3}{4}$"));
    let kettle = temp_folder.run(&["check", repository("examples/kettle.md").to_str().unwrap()]);
    assert_eq!(kettle.code, 1);
    assert!(kettle.stdout.contains("3 errors"));
    let good = temp_folder.run(&[
        "check",
        repository("examples/photosynthesis.md").to_str().unwrap(),
    ]);
    assert_eq!(good.code, 0);
    assert!(
        good.stdout.contains("no errors, no warnings"),
        "{}",
        good.stdout
    );
}

#[test]
fn the_example_of_scottish_cards_shows_what_its_structure_lacks() {
    let temp_folder = TempFolder::new(&[]);
    let cards = repository("examples/scottish-cards.json");
    let entry = repository("examples/scheme-of-work-entry.json");
    let run = temp_folder.run(&[
        "check",
        cards.to_str().unwrap(),
        "--sow",
        entry.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    for expected in [
        "error[SQA009 rubric-points-mismatch]: the criteria of card 2 add up to 2 points, but the rubric’s total is 3",
        "error[SQA022 missing-assessment-standard]: outcomeRefs has “O1” and “AS1.1”",
        "error[SQA025 invalid-answer-index]: the answer index of card 1 does not match an option",
        "warning[SQA001 card-count]: a teach lesson should have 3 to 4 cards, but this one has 5; merge cards 3 and 4",
        "warning[SQA008 rubric-without-method-marks]: the rubric of card 3",
        "warning[SQA011 vague-criterion]: “Shows good understanding of discounts”",
        "warning[SQA015 hint-gives-answer]: hint 3 of card 3 gives away the answer, £9",
        "warning[SQA016 undescribed-visual]: card 4 refers to “the picture below”",
    ] {
        assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
    }
    let alone = temp_folder.run(&["check", cards.to_str().unwrap()]);
    assert!(!alone.stdout.contains("missing-assessment-standard"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let temp_folder = TempFolder::new(&[("good.md", GOOD)]);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("redraft"))
        .args(["check", "good.md"])
        .current_dir(temp_folder.path("."))
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("redraft: cannot write the output: "),
        "{said}"
    );
}
