//! `redraft export`: cards as rows of a store, and rows as cards again.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::temp_folder::repository;

fn redraft(folder: &std::path::Path, arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_redraft"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn cards_go_into_a_store_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let cards = fs::read_to_string(repository("examples/refine-cards.json")).unwrap();
    fs::write(folder.path().join("cards.json"), &cards).unwrap();
    let packed = redraft(
        folder.path(),
        &[
            "export",
            "cards.json",
            "--store",
            "appwrite",
            "-o",
            "row.json",
        ],
    );
    assert_eq!(packed.status.code(), Some(0), "{packed:?}");
    let row: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("row.json")).unwrap()).unwrap();
    assert!(row["cards"].as_str().unwrap().starts_with("gzip:"));
    assert_eq!(row["courseId"], "course_example");
    assert_eq!(row["sow_order"], 4);
    let back = redraft(folder.path(), &["export", "row.json", "--store", "json"]);
    let back: Value = serde_json::from_slice(&back.stdout).unwrap();
    let template: Value = serde_json::from_str(&cards).unwrap();
    assert_eq!(back["cards"], template["cards"]);
    assert_eq!(back["outcomeRefs"], template["outcomeRefs"]);
    // `check` reads the row as the cards in it.
    let names = |file: &str| -> Vec<String> {
        let output = redraft(folder.path(), &["check", file, "--format", "json"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = report["documents"][0]["findings"].as_array().unwrap();
        findings
            .iter()
            .map(|finding| finding["message"].to_string())
            .collect()
    };
    assert_eq!(names("row.json"), names("cards.json"));
    assert!(!names("row.json").is_empty());
    // It is not overwritten by what was unpacked.
    let before = fs::read(folder.path().join("row.json")).unwrap();
    let fixed = redraft(folder.path(), &["check", "row.json", "--fix", "--unsafe"]);
    assert_ne!(fixed.status.code(), Some(0));
    assert_eq!(fs::read(folder.path().join("row.json")).unwrap(), before);
}

#[test]
fn what_is_not_cards_or_lacks_a_course_is_said() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("bare.json"),
        r#"{"title": "T", "cards": []}"#,
    )
    .unwrap();
    fs::write(folder.path().join("lesson.md"), "# A lesson\n").unwrap();
    fs::write(
        folder.path().join("cut.json"),
        r#"{"courseId": "c", "cards": "gzip:H4sIAA"}"#,
    )
    .unwrap();
    for (arguments, says) in [
        (
            &["export", "bare.json", "--store", "appwrite"][..],
            "give --course ID",
        ),
        (
            &["export", "lesson.md", "--store", "json"],
            "not a JSON object with a `cards` array",
        ),
        (
            &["export", "cut.json", "--store", "json"],
            "not gzip: and the base64",
        ),
        (&["check", "cut.json"], "not gzip: and the base64"),
        (&["export", "none.json", "--store", "json"], "cannot read"),
    ] {
        let output = redraft(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}
