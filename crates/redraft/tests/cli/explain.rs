//! `explain`.

use crate::temp_folder::TempFolder;

#[test]
fn a_check_is_explained_by_code_and_by_name() {
    let temp_folder = TempFolder::new(&[]);
    let by_code = temp_folder.run(&["explain", "txt002"]);
    let by_name = temp_folder.run(&["explain", "empty-section"]);
    assert_eq!(by_code.code, 0);
    assert_eq!(by_code.stdout, by_name.stdout);
    for expected in [
        "# empty-section (TXT002)",
        "## What it does",
        "## Why it matters",
        "Fails:",
        "Passes:",
    ] {
        assert!(by_code.stdout.contains(expected), "{expected}");
    }
}

#[test]
fn without_a_name_all_are_listed_and_a_misspelt_one_is_corrected() {
    let temp_folder = TempFolder::new(&[]);
    let list = temp_folder.run(&["explain"]);
    assert!(list.stdout.lines().count() >= 20 && list.stdout.contains("TXT001  truncated-content"));
    let wrong = temp_folder.run(&["explain", "empty-sektion"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("did you mean `empty-section`?"),
        "{}",
        wrong.stderr
    );
}
