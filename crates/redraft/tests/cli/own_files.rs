//! No command destroys what it reads: an output that is an input is refused, and so are events
//! that would go into a lesson.

use std::fs;

use crate::temp_folder::{CHATTY, GOOD, TempFolder, example};

const GIFT: &str = "::Q1:: Why? {=x ~y ~z}\n\nTell. {}\n";

fn place() -> TempFolder {
    let folder = TempFolder::new(&[
        ("lesson.md", &example("refine-kettle/lesson.md")),
        ("replies.toml", &example("refine-kettle/replies.toml")),
        ("good.md", GOOD),
        ("spec.json", "{\"topic\": \"Water\"}"),
        ("bank.gift", GIFT),
        ("cards.json", &example("refine-cards.json")),
    ]);
    let refine = ["refine", "lesson.md", "--script", "replies.toml"];
    let run = folder.run(&[&refine[..], &["--runs", "runs", "-q"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let journal = fs::read_dir(folder.path("runs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.is_file());
    fs::copy(journal.unwrap(), folder.path("run.jsonl")).unwrap();
    folder
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = place();
    let script = "--script replies.toml";
    for (command, file) in [
        ("report run.jsonl -o run.jsonl".to_owned(), "run.jsonl"),
        ("report runs -o run.jsonl".to_owned(), "run.jsonl"),
        ("convert bank.gift -o bank.gift".to_owned(), "bank.gift"),
        (
            "convert bank.gift -o ./bank.gift --to json".to_owned(),
            "bank.gift",
        ),
        (
            "export cards.json --store appwrite -o cards.json".to_owned(),
            "cards.json",
        ),
        ("check good.md -o good.md".to_owned(), "good.md"),
        (
            "check good.md --write-baseline good.md".to_owned(),
            "good.md",
        ),
        (
            "check good.md --spec spec.json -o spec.json".to_owned(),
            "spec.json",
        ),
        (
            format!("judge lesson.md {script} -o lesson.md"),
            "lesson.md",
        ),
        (
            format!("judge lesson.md {script} -o replies.toml"),
            "replies.toml",
        ),
        (
            format!("refine lesson.md {script} --report lesson.md"),
            "lesson.md",
        ),
        (
            format!("write --spec spec.json {script} -o spec.json --profile mcq"),
            "spec.json",
        ),
        (
            format!("refine lesson.md {script} --events lesson.md"),
            "lesson.md",
        ),
        (
            format!("judge good.md {script} --events lesson.md"),
            "lesson.md",
        ),
        (
            format!("judge good.md {script} --events run.jsonl"),
            "run.jsonl",
        ),
        (
            format!("judge lesson.md {script} --record lesson.md"),
            "lesson.md",
        ),
        (
            format!("judge lesson.md {script} --record good.md"),
            "good.md",
        ),
        (format!("plan lesson.md {script} -o lesson.md"), "lesson.md"),
        ("report run.jsonl -o lesson.md".to_owned(), "lesson.md"),
        ("check . -o good.md".to_owned(), "good.md"),
    ] {
        let before = fs::read(folder.path(file)).unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        let run = folder.run(&words);
        assert_eq!(run.code, 2, "{command}: {}", run.stdout);
        assert!(run.stderr.contains(file), "{command}: {}", run.stderr);
        assert!(
            run.stderr.contains("overwritten"),
            "{command}: {}",
            run.stderr
        );
        assert_eq!(fs::read(folder.path(file)).unwrap(), before, "{command}");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = place();
    let script = "--script replies.toml";
    for command in [
        "refine lesson.md --free -o new.md --report new.md".to_owned(),
        format!("refine lesson.md {script} -o new.md --report ./new.md"),
        format!("judge lesson.md {script} -o new.md --events new.md"),
        format!("judge lesson.md {script} --record new.md --events new.md"),
        format!("write --spec spec.json {script} -o new.md --report new.md"),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let run = folder.run(&words);
        assert_eq!(run.code, 2, "{command}: {}", run.stdout);
        let said = "is named for two outputs";
        assert!(run.stderr.contains(said), "{command}: {}", run.stderr);
        assert!(!folder.path("new.md").exists(), "{command}");
    }
}

#[test]
fn a_report_replaces_an_earlier_one_beside_the_lessons() {
    let folder = TempFolder::new(&[("a.md", GOOD)]);
    for (format, name) in [("json", "r.json"), ("markdown", "r.md"), ("junit", "r.xml")] {
        for _ in 0..2 {
            let run = folder.run(&["check", ".", "--format", format, "-o", name]);
            assert!(run.code < 2, "{format}: {}", run.stderr);
        }
        fs::remove_file(folder.path(name)).unwrap();
    }
}

#[test]
fn events_replace_only_events() {
    let folder = place();
    let judge = ["judge", "lesson.md", "--script", "replies.toml", "-q"];
    let with = |events: &str| folder.run(&[&judge[..], &["--events", events]].concat());
    with("e.jsonl");
    let lines = folder.read("e.jsonl").lines().count();
    assert!(lines > 3, "{}", folder.read("e.jsonl"));
    with("e.jsonl");
    assert_eq!(folder.read("e.jsonl").lines().count(), lines);
    fs::write(folder.path("empty"), "").unwrap();
    with("empty");
    assert_eq!(folder.read("empty").lines().count(), lines);
    assert!(with("/dev/null").code < 2);
}

#[test]
fn watching_changes_no_file() {
    let folder = TempFolder::new(&[("a.md", CHATTY)]);
    let run = folder.run(&["check", "a.md", "--watch", "--fix-only", "malformed-list"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("add --diff"), "{}", run.stderr);
    assert_eq!(folder.read("a.md"), CHATTY);
}

#[test]
fn a_conversion_that_leaves_questions_out_fails() {
    let folder = TempFolder::new(&[("bank.gift", GIFT)]);
    let run = folder.run(&["convert", "bank.gift", "-o", "bank.json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let said = "left out: 1 question that is not multiple-choice";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let run = folder.run(&["convert", "bank.json", "-o", "again.gift"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}
