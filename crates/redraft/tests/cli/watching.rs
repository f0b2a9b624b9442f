//! `check --watch`, `--fix-only`, and colours.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::temp_folder::{CHATTY, GOOD, HOLLOW, TempFolder};

/// Ends a program that would go on.
struct Stopped(Child);

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_watched_file_is_checked_again_when_it_changes() {
    let folder = TempFolder::new(&[("a.md", GOOD)]);
    let child = Command::new(env!("CARGO_BIN_EXE_redraft"))
        .args(["check", "a.md", "--watch"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Stopped(child);
    let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let mut until_watching = || {
        let mut seen = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            if line.starts_with("watching ") {
                assert_eq!(line, "watching 1 file; press Ctrl-C to stop");
                return seen;
            }
            seen.push_str(&line);
        }
        seen
    };
    assert!(until_watching().contains("gate passed"));
    fs::write(folder.path("a.md"), HOLLOW).unwrap();
    assert!(until_watching().contains("gate failed"));
    fs::remove_file(folder.path("a.md")).unwrap();
    until_watching();
    fs::write(folder.path("a.md"), GOOD).unwrap();
    assert!(until_watching().contains("gate passed"));
}

#[test]
fn earlier_banks_are_watched_too() {
    let bank = r#"[{"id": "q1", "question": "Which fruit is it?", "options": ["Mango", "Apple", "Papaya"], "answer": "B"}]"#;
    let folder = TempFolder::new(&[("a.json", bank), ("old.json", bank)]);
    let child = Command::new(env!("CARGO_BIN_EXE_redraft"))
        .args(["check", "a.json", "--against", "old.json", "--watch"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut child = Stopped(child);
    let lines = BufReader::new(child.0.stdout.take().unwrap()).lines();
    let watching = lines.map_while(Result::ok);
    let line = watching
        .into_iter()
        .find(|line| line.starts_with("watching "));
    assert_eq!(
        line.as_deref(),
        Some("watching 2 files; press Ctrl-C to stop")
    );
}

#[test]
fn what_cannot_be_watched_is_said() {
    let folder = TempFolder::new(&[("a.md", GOOD)]);
    for (arguments, words) in [
        ("check - --watch", "--watch cannot watch standard input"),
        (
            "check a.md --watch --format json",
            "--watch needs --format human",
        ),
        ("check a.md --fix --fix-only TXT99", "unknown check `TXT99`"),
        ("check a.md --fix --fix-only TXT001:x", "write CODE:LINE"),
    ] {
        let run = folder.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, 2, "{arguments}");
        assert!(run.stderr.contains(words), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn only_the_chosen_fixes_are_applied() {
    let list = "# Water\n\nWater boils at 100 °C.\n\n-Steam\n-Ice\n";
    for (only, expected) in [
        (
            "malformed-list",
            "Sure! Here is the lesson:\n\n# Water\n\nWater boils at 100 °C.\n\n- Steam\n- Ice\n",
        ),
        ("chatbot-framing", list),
        ("malformed-list:99", CHATTY),
    ] {
        let folder = TempFolder::new(&[("a.md", CHATTY)]);
        folder.run(&["check", "a.md", "--fix", "--fix-only", only]);
        assert_eq!(folder.read("a.md"), expected, "{only}");
    }
}

#[test]
fn colours_follow_the_variables() {
    let folder = TempFolder::new(&[("a.md", HOLLOW)]);
    let (force, none) = (("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1"));
    for (variables, is_coloured) in [
        (vec![], false),
        (vec![force], true),
        (vec![force, none], false),
    ] {
        let run = folder.run_among(&variables, &["check", "a.md"]);
        assert_eq!(run.stdout.contains('\u{1b}'), is_coloured, "{variables:?}");
        let page = folder.run_among(&variables, &["explain", "TXT002"]);
        assert_eq!(
            page.stdout.contains("# empty-section"),
            !is_coloured,
            "{variables:?}"
        );
    }
    let forced = folder.run_among(&[force], &["check", "a.md", "--no-color"]);
    assert!(!forced.stdout.contains('\u{1b}'));
}
