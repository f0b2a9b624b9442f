//! `verify`, and the little program in `docs/receipts.md`.

use redraft_gate::profile::GateProfile as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use redraft_gate::edit::{self, Edit};
use redraft_gate::reading::{self, Hint};
use redraft_gate::receipt::{self, ServedEdit, Step};
use redraft_gate::source::Source;
use redraft_gate::span::{ComponentId, Span, Version};
use redraft_profiles::lesson::Lesson;

use crate::temp_folder::{GOOD, TempFolder};

/// A repaired lesson and its receipts.
fn repaired() -> (String, String) {
    let start = GOOD.find("Steam is").unwrap();
    let edit = Edit {
        span: Span {
            start,
            end: start + "Steam".len(),
            version: Version::of(GOOD.as_bytes()),
        },
        text: "Vapour".to_owned(),
    };
    let bytes = edit::apply(
        GOOD.as_bytes(),
        Version::of(GOOD.as_bytes()),
        std::slice::from_ref(&edit),
    )
    .unwrap();
    let parse = |bytes: &[u8]| {
        Lesson.parse(
            reading::read(Source::new(bytes.to_vec()), Hint::Markdown),
            None,
        )
    };
    let step = Step {
        edits: vec![ServedEdit {
            edit,
            component: ComponentId::from("sec_1"),
            task: "i1/patch/sec_1".to_owned(),
        }],
    };
    let receipts = receipt::receipts(&parse(GOOD.as_bytes()), &parse(&bytes), &[step]).unwrap();
    (
        String::from_utf8(bytes).unwrap(),
        serde_json::to_string_pretty(&receipts).unwrap(),
    )
}

#[test]
fn a_result_is_verified_from_its_outcome_or_beside_its_receipts() {
    let (result, receipts) = repaired();
    let outcome = serde_json::json!({
        "content": result,
        "receipts": serde_json::from_str::<serde_json::Value>(&receipts).unwrap(),
    });
    let temp_folder = TempFolder::new(&[
        ("lesson.md", GOOD),
        ("repaired.md", &result),
        ("receipts.json", &receipts),
        ("outcome.json", &outcome.to_string()),
    ]);
    let run = temp_folder.run(&["verify", "outcome.json", "lesson.md"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("verified") && run.stdout.contains("changed: sec_1"),
        "{}",
        run.stdout
    );
    let run = temp_folder.run(&[
        "verify",
        "repaired.md",
        "lesson.md",
        "--receipts",
        "receipts.json",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verified"], true);
}

#[test]
fn another_file_is_not_verified_and_a_missing_one_is_wrong_usage() {
    let (result, receipts) = repaired();
    let temp_folder = TempFolder::new(&[
        ("lesson.md", GOOD),
        ("repaired.md", &result.replace("100", "90")),
        ("receipts.json", &receipts),
    ]);
    let run = temp_folder.run(&[
        "verify",
        "repaired.md",
        "lesson.md",
        "--receipts",
        "receipts.json",
    ]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("NOT verified"), "{}", run.stdout);
    assert_eq!(
        temp_folder
            .run(&["verify", "repaired.md", "lesson.md"])
            .code,
        2
    );
    assert_eq!(
        temp_folder
            .run(&["verify", "nowhere.json", "lesson.md"])
            .code,
        2
    );
}

#[test]
fn the_program_on_the_page_checks_receipts() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/receipts.md");
    let page = fs::read_to_string(page).unwrap();
    let program = page
        .split("```python\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let (result, receipts) = repaired();
    let temp_folder = TempFolder::new(&[
        ("check.py", program),
        ("lesson.md", GOOD),
        ("repaired.md", &result),
        ("tampered.md", &result.replace("100", "90 ")),
        ("receipts.json", &receipts),
    ]);
    let run = |result: &str| {
        Command::new("python3")
            .args(
                ["check.py", "receipts.json", "lesson.md", result]
                    .map(|name| temp_folder.path(name)),
            )
            .output()
    };
    let Ok(good) = run("repaired.md") else {
        println!("skipped: no python3");
        return;
    };
    assert!(
        good.status.success(),
        "{}",
        String::from_utf8_lossy(&good.stderr)
    );
    assert!(!run("tampered.md").unwrap().status.success());
}
