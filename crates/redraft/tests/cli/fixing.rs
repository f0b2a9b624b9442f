//! `--fix` and `--diff`: what is written where.

use std::fs;

use crate::temp_folder::{CHATTY, CHATTY_FIXED, GOOD, TempFolder};

#[test]
fn fixes_are_applied_in_place_and_reported() {
    let temp_folder = TempFolder::new(&[("a.md", CHATTY), ("good.md", GOOD)]);
    let untouched = fs::metadata(temp_folder.path("good.md"))
        .unwrap()
        .modified()
        .unwrap();
    let run = temp_folder.run(&["check", "--fix", "a.md", "good.md"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(temp_folder.read("a.md"), CHATTY_FIXED);
    assert!(
        run.stdout.contains("a.md: 2 findings fixed"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("fixed line 1    TXT004 chatbot-framing"),
        "{}",
        run.stdout
    );
    assert_eq!(
        fs::metadata(temp_folder.path("good.md"))
            .unwrap()
            .modified()
            .unwrap(),
        untouched
    );
    let again = temp_folder.run(&["check", "--fix", "a.md"]);
    assert!(!again.stdout.contains("fixed"), "{}", again.stdout);
}

#[test]
fn a_diff_shows_the_fixes_and_changes_nothing() {
    let temp_folder = TempFolder::new(&[("a.md", CHATTY)]);
    let run = temp_folder.run(&["check", "--diff", "a.md"]);
    assert_eq!(temp_folder.read("a.md"), CHATTY);
    assert!(
        run.stdout.contains("--- a.md\n+++ a.md (fixed)\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("-Sure! Here is the lesson:\n"));
    assert!(run.stdout.contains("--Steam\n") && run.stdout.contains("+- Steam\n"));
    assert!(
        run.stdout.contains("--fix would fix 2 findings"),
        "{}",
        run.stdout
    );
}

#[test]
fn fixed_content_goes_to_a_file_or_to_standard_output() {
    let temp_folder = TempFolder::new(&[("a.md", CHATTY), ("good.md", GOOD)]);
    let run = temp_folder.run(&["check", "--fix", "a.md", "-o", "b.md"]);
    assert_eq!(run.code, 0);
    assert_eq!(temp_folder.read("a.md"), CHATTY);
    assert_eq!(temp_folder.read("b.md"), CHATTY_FIXED);
    let unchanged = temp_folder.run(&["check", "--fix", "good.md", "-o", "c.md"]);
    assert_eq!(
        (unchanged.code, temp_folder.read("c.md").as_str()),
        (0, GOOD)
    );
    let piped = temp_folder.run_with(&["check", "--fix", "-"], CHATTY);
    assert_eq!(
        piped.stdout, CHATTY_FIXED,
        "standard output carries the content alone"
    );
    assert!(
        piped.stderr.contains("2 findings fixed"),
        "{}",
        piped.stderr
    );
    let two = temp_folder.run(&["check", "--fix", "a.md", "good.md", "-o", "d.md"]);
    assert_eq!(two.code, 2);
    assert!(two.stderr.contains("one input file"), "{}", two.stderr);
}

#[test]
fn a_report_can_be_written_to_a_file() {
    let temp_folder = TempFolder::new(&[("a.md", CHATTY)]);
    let run = temp_folder.run(&["check", "a.md", "--format", "json", "-o", "report.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    let report: serde_json::Value = serde_json::from_str(&temp_folder.read("report.json")).unwrap();
    assert_eq!(report["summary"]["fixable"], 2);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay_as_they_were() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let temp_folder = TempFolder::new(&[("real.md", CHATTY)]);
    fs::set_permissions(
        temp_folder.path("real.md"),
        fs::Permissions::from_mode(0o640),
    )
    .unwrap();
    symlink("real.md", temp_folder.path("link.md")).unwrap();
    assert_eq!(temp_folder.run(&["check", "--fix", "link.md"]).code, 0);
    assert!(
        fs::symlink_metadata(temp_folder.path("link.md"))
            .unwrap()
            .is_symlink()
    );
    assert_eq!(temp_folder.read("real.md"), CHATTY_FIXED);
    let mode = fs::metadata(temp_folder.path("real.md"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}
