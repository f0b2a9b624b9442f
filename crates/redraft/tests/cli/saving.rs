//! Where a text is saved: whole or not at all, and the report says where.

use std::fs;

use crate::temp_folder::{CHATTY, CHATTY_FIXED, GOOD, TempFolder};

#[test]
fn the_report_ends_with_where_the_text_was_saved() {
    for (arguments, expected) in [
        (&["check", "--fix", "a.md"] as &[&str], "saved to a.md\n"),
        (
            &["check", "--fix", "good.md"],
            "nothing changed, nothing saved\n",
        ),
        (&["check", "--fix", "a.md", "-o", "b.md"], "saved to b.md\n"),
        (
            &["check", "--fix", "good.md", "-o", "b.md"],
            "saved to b.md\n",
        ),
        (
            &["check", "--fix", "a.md", "c.md"],
            "saved: 2 files in place\n",
        ),
        (&["check", "--diff", "a.md"], "not saved; use -o or --fix\n"),
    ] {
        let folder = TempFolder::new(&[("a.md", CHATTY), ("c.md", CHATTY), ("good.md", GOOD)]);
        let run = folder.run(arguments);
        assert!(
            run.stdout.ends_with(expected),
            "{arguments:?}: {}",
            run.stdout
        );
        if arguments.contains(&"-o") {
            let text = if arguments.contains(&"a.md") {
                CHATTY_FIXED
            } else {
                GOOD
            };
            assert_eq!(folder.read("b.md"), text);
        }
    }
    let folder = TempFolder::new(&[("a.md", CHATTY)]);
    let run = folder.run(&["check", "--fix", "a.md", "-o", "-"]);
    assert_eq!(run.stdout, CHATTY_FIXED);
    assert!(
        run.stderr.ends_with("saved to standard output\n"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.read("a.md"), CHATTY);
    let json = folder.run(&["check", "--fix", "a.md", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["documents"][0]["saved"], "a.md");
    let report = folder.run(&["check", "a.md", "-o", "-"]);
    assert!(report.stdout.contains("gate passed"), "{}", report.stdout);
}

/// A lesson whose only fix is proposed, not certain.
const PROPOSED: &str =
    "# Water\n\nWater boils at 100 °C.\n\nSee [the picture] (https://a.example/b) for more.\n";

#[test]
fn proposed_fixes_are_applied_only_with_unsafe() {
    let folder = TempFolder::new(&[("a.md", PROPOSED), ("b.md", GOOD)]);
    let alone = folder.run(&["check", "--unsafe", "b.md"]);
    assert_eq!(alone.code, 2, "--unsafe needs --fix or --diff");
    let json = folder.run(&["check", "a.md", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let findings = report["documents"][0]["findings"].as_array().unwrap();
    let proposed = findings
        .iter()
        .filter(|finding| finding["fix"]["applicability"] == "unsafe")
        .count();
    assert!(
        proposed > 0,
        "the example has no proposed fix: {findings:?}"
    );
    folder.run(&["check", "--fix", "a.md"]);
    assert_eq!(folder.read("a.md"), PROPOSED);
    let diff = folder.run(&["check", "--diff", "--unsafe", "a.md"]);
    assert!(
        diff.stdout.contains("--fix --unsafe would fix"),
        "{}",
        diff.stdout
    );
    assert_eq!(folder.read("a.md"), PROPOSED);
    let fixed = folder.run(&["check", "--fix", "--unsafe", "a.md"]);
    assert!(
        fixed.stdout.ends_with("saved to a.md\n"),
        "{}",
        fixed.stdout
    );
    assert_ne!(folder.read("a.md"), PROPOSED);
}

#[cfg(unix)]
#[test]
fn a_file_with_several_hard_links_is_refused() {
    let folder = TempFolder::new(&[("a.md", CHATTY)]);
    fs::hard_link(folder.path("a.md"), folder.path("b.md")).unwrap();
    let refused = folder.run(&["check", "--fix", "a.md"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("--break-links"),
        "{}",
        refused.stderr
    );
    assert_eq!(folder.read("a.md"), CHATTY);
    let broken = folder.run(&["check", "--fix", "--break-links", "a.md"]);
    assert_eq!(broken.code, 0, "{}", broken.stderr);
    assert_eq!(folder.read("a.md"), CHATTY_FIXED);
    assert_eq!(folder.read("b.md"), CHATTY);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_whole_leaves_the_old_file() {
    let long = format!(
        "{CHATTY}\n{}",
        "Steam is water in the air. Ice is hard.\n\n".repeat(400)
    );
    let folder = TempFolder::new(&[("a.md", &long), ("old.md", "old")]);
    let program = assert_cmd::cargo::cargo_bin!("redraft");
    for arguments in ["--fix a.md", "--fix a.md -o old.md"] {
        // At most 4,096 bytes: the signal for it would otherwise end the program.
        let script = format!("ulimit -f 8; exec \"$0\" check {arguments}");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(program)
            .current_dir(folder.path("."))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.contains("cannot write"), "{said}");
        assert_eq!(folder.read("a.md"), long);
        assert_eq!(folder.read("old.md"), "old");
    }
    let left: Vec<String> = fs::read_dir(folder.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert_eq!(left, [""; 0], "no temporary file is left");
}

#[test]
fn what_a_killed_program_left_is_removed_by_the_next() {
    let folder = TempFolder::new(&[("a.md", GOOD), (".redraft-4294967294-ab.tmp", "half")]);
    assert_eq!(folder.run(&["check", "a.md"]).code, 0);
    assert!(
        folder.path(".redraft-4294967294-ab.tmp").exists(),
        "nothing was written"
    );
    assert_eq!(folder.run(&["check", "--fix", "a.md"]).code, 0);
    assert!(!folder.path(".redraft-4294967294-ab.tmp").exists());
}
