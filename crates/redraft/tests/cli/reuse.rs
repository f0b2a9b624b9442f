//! A judge that has given its verdict on a text is not paid for it again: across runs,
//! by whoever holds the user's key.

use std::fs;

use serde_json::Value;

use crate::folder::LESSON;
use crate::served::serve;
use crate::temp_folder::{Run, TempFolder};

/// A lesson and a judge at $10 and $20 a million tokens.
fn place() -> TempFolder {
    let address = serve();
    TempFolder::new(&[
        ("a.md", LESSON),
        (
            "redraft.toml",
            &format!(
                "[roles.judge_secondary]\nprovider = \"good\"\nmodel = \"m1\"\nprice-in = 10\nprice-out = 20\n\n[providers.good]\nbase-url = \"{address}/good/v1\"\nkey-env = \"HOUSE_KEY\"\n"
            ),
        ),
    ])
}

fn judge(place: &TempFolder, more: &[&str]) -> Run {
    judge_as(place, &[], more)
}

fn judge_as(place: &TempFolder, variables: &[(&str, &str)], more: &[&str]) -> Run {
    let variables = [&[("HOUSE_KEY", "sk-canary")], variables].concat();
    let run = place.run_among(&variables, &[&["judge", "a.md"], more].concat());
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    run
}

const PAID: &str = "  1 call, 1000 tokens in, 300 out, $0.0160; journal ";
const REUSED: &str = "  no calls, 1 answer reused; journal ";

fn stored(place: &TempFolder) -> Vec<std::path::PathBuf> {
    let files = fs::read_dir(place.path(".redraft/runs/verdicts"));
    let files = files.into_iter().flatten().flatten();
    files.map(|file| file.path()).collect()
}

fn write(place: &TempFolder, name: &str, text: &str) {
    fs::write(place.path(name), text).unwrap();
}

#[test]
fn the_same_text_is_judged_once_and_another_text_rubric_or_model_again() {
    let place = place();
    let first = judge(&place, &[]);
    assert!(first.stdout.contains(PAID), "{}", first.stdout);
    let second = judge(&place, &[]);
    assert!(second.stdout.contains(REUSED), "{}", second.stdout);
    assert!(!second.stdout.contains('$'), "{}", second.stdout);
    let fresh = judge(&place, &["--fresh"]);
    assert!(fresh.stdout.contains(PAID), "{}", fresh.stdout);
    let json = judge(&place, &["--format", "json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let document = &report["documents"][0];
    assert_eq!(document["status"], "accepted");
    let spent = &document["spent"]["judge_secondary"];
    assert_eq!(spent["reused"], 1, "{spent}");
    assert_eq!(
        (&spent["calls"], &spent["cost_micros"]),
        (&0.into(), &0.into())
    );
    // Another price is no other question; another model or text is.
    write(
        &place,
        "redraft.toml",
        &place.read("redraft.toml").replace("= 10", "= 11"),
    );
    assert!(judge(&place, &[]).stdout.contains(REUSED));
    write(
        &place,
        "redraft.toml",
        &place.read("redraft.toml").replace("m1", "m2"),
    );
    assert!(judge(&place, &[]).stdout.contains("1 call"));
    write(&place, "a.md", &LESSON.replace("kettle", "pan"));
    assert!(judge(&place, &[]).stdout.contains("1 call"));
    assert_eq!(stored(&place).len(), 3);
}

#[test]
fn a_reused_verdict_is_journalled_and_replays() {
    let place = place();
    judge(&place, &[]);
    let second = judge(&place, &[]);
    let (_, journal) = second.stdout.split_once("journal ").unwrap();
    let journal = journal.trim();
    let run = place.run_among(&[], &["replay", journal]);
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    // The event says so, and so does the reply.
    let lines = place.read(journal);
    assert_eq!(lines.matches("\"reused\":true").count(), 2, "{lines}");
    assert!(run.stdout.contains("0.96"), "{}", run.stdout);
    assert!(run.stdout.contains("1 answer reused"), "{}", run.stdout);
}

#[test]
fn a_forged_torn_or_foreign_verdict_is_ignored_with_a_note_and_asked_for_again() {
    let place = place();
    judge(&place, &[]);
    let file = stored(&place).remove(0);
    let whole = fs::read_to_string(&file).unwrap();
    for (text, note) in [
        (whole.replace("0.96", "0.99"), "not signed with your key"),
        (whole[..whole.len() / 2].to_owned(), "not whole"),
    ] {
        assert_ne!(text, whole);
        fs::write(&file, &text).unwrap();
        let run = judge(&place, &[]);
        assert!(run.stdout.contains(PAID), "{}", run.stdout);
        assert!(run.stderr.contains(note), "{note}: {}", run.stderr);
        // The new one takes its place.
        assert!(judge(&place, &[]).stdout.contains(REUSED));
    }
    let stranger = [("REDRAFT_KEY", "the key of somebody else")];
    let run = judge_as(&place, &stranger, &[]);
    assert!(run.stdout.contains(PAID), "{}", run.stdout);
    assert!(
        run.stderr.contains("not signed with your key"),
        "{}",
        run.stderr
    );
}

#[test]
fn without_a_key_nothing_is_stored_and_the_run_says_so() {
    let place = place();
    for _ in 0..2 {
        let run = judge_as(&place, &[("REDRAFT_KEY", "short")], &[]);
        assert!(run.stdout.contains(PAID), "{}", run.stdout);
        assert!(
            run.stderr.contains("verdicts are not reused"),
            "{}",
            run.stderr
        );
    }
    assert!(stored(&place).is_empty());
}

#[test]
fn the_same_text_in_two_files_of_a_folder_is_judged_once() {
    let place = place();
    write(&place, "b.md", LESSON);
    let run = place.run_among(
        &[("HOUSE_KEY", "sk-canary")],
        &["judge", "a.md", "b.md", "--format", "json"],
    );
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let spent = |field: &str| {
        let documents = report["documents"].as_array().unwrap().iter();
        let spent = documents.map(|one| one["spent"]["judge_secondary"][field].as_u64());
        spent.map(Option::unwrap_or_default).sum::<u64>()
    };
    assert_eq!(
        (spent("calls"), spent("reused"), spent("cost_micros")),
        (1, 1, 16_000),
        "{report}"
    );
    for document in report["documents"].as_array().unwrap() {
        assert_eq!(document["status"], "accepted", "{document}");
    }
}
