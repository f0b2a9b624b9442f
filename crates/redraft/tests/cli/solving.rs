//! Blind solving over a bank: disputed items go to a reviewer, unless the solver differs
//! from so many keys that it is reported itself.

use std::fmt::Write as _;

use redraft_gate::profile::GateProfile as _;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_gate::span::Version;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_run::profile::Profile as _;
use redraft_run::solve::letter;
use serde_json::Value;

use crate::folder::Folder;

const ITEMS: usize = 12;

fn item(number: usize) -> String {
    format!(
        r#"{{"id": "q{number}", "vignette": "A man of 58 years has had chest pain for an hour; his pulse and blood pressure are normal in case {number}.", "stem": "Which of these drugs is given first in case {number}?", "options": ["Aspirin {number}", "Warfarin {number}", "Morphine {number}", "Furosemide {number}"], "answer": "B", "explanation": "It works at once in case {number}."}}"#
    )
}

/// What the solver answers about an item that names an option both times.
fn names(number: usize, option: usize) -> String {
    let item = item(number);
    let version = Version::of(item.as_bytes());
    let raw = reading::read(Source::new(item.into_bytes()), Hint::Json);
    let question = CLINICAL_MCQ
        .blind_question(&CLINICAL_MCQ.parse(raw, None))
        .unwrap();
    let mut script = String::new();
    for (order, name) in question.orders(version).iter().zip(["first", "second"]) {
        let at = order.iter().position(|index| *index == option).unwrap();
        let _ = write!(
            script,
            "[[reply]]\nrole = \"solver\"\ntext_id = \"{version}\"\nsection = \"{name}\"\ntext = '{{\"reason\": \"It acts first.\", \"answer\": \"{}\", \"confidence\": \"high\"}}'\n",
            letter(at)
        );
    }
    script
}

/// A bank whose solver disputes the keys of the first items.
fn bank(disputed: usize) -> Folder {
    let folder = Folder::new("{}");
    let items: Vec<String> = (0..ITEMS).map(item).collect();
    folder.write("bank.jsonl", &items.join("\n"));
    let mut script = "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\nscores = { clinical_accuracy = 0.92, pedagogical_alignment = 0.88, distractor_quality = 0.9, slo_coverage = 0.86, blooms_match = 0.84 }\n".to_owned();
    for number in 0..ITEMS {
        script.push_str(&names(number, if number < disputed { 2 } else { 1 }));
    }
    folder.write("replies.toml", &script);
    folder
}

fn report(folder: &Folder, command: &str, more: &[&str], code: i32) -> Value {
    let arguments = [
        &[
            command,
            "bank.jsonl",
            "--script",
            "replies.toml",
            "--format",
            "json",
        ],
        more,
    ]
    .concat();
    let output = folder.run(&arguments);
    let shown = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{shown}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn statuses(report: &Value) -> Vec<&str> {
    let documents = report["documents"].as_array().unwrap();
    documents
        .iter()
        .map(|one| one["status"].as_str().unwrap())
        .collect()
}

#[test]
fn a_disputed_key_of_a_bank_goes_to_a_reviewer_with_both_answers() {
    let folder = bank(2);
    for command in ["judge", "refine"] {
        let report = report(&folder, command, &[], 3);
        let statuses = statuses(&report);
        assert_eq!(statuses[..3], ["escalated", "escalated", "accepted"]);
        let solver = &report["solvers"][0];
        assert_eq!(solver["believed"], true);
        assert_eq!(
            (&solver["items"], &solver["disputes"]),
            (&12.into(), &2.into())
        );
        let first = &report["documents"][0];
        let because = &first["because"]["not_accepted"];
        assert_eq!(because["kind"], "key_disputed");
        assert_eq!(because["key"]["letter"], "B");
        assert_eq!(because["answers"].as_array().unwrap().len(), 2);
        assert_eq!(because["answers"][1]["text"], "Morphine 0");
        let history = &first["seed"]["review_history"];
        assert_eq!(history["finalStatus"], "needs_human_review");
        let entry = &history["reviewHistory"][0]["qualityScore"];
        assert_eq!(entry["passesThreshold"], false);
    }
    let told = folder.run(&["judge", "bank.jsonl", "--script", "replies.toml"]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("it disputes 2 keys"), "{told}");
    assert!(told.contains("chose C (“Morphine 0”) twice"), "{told}");
}

#[test]
fn a_solver_that_differs_from_more_than_a_fifth_is_reported_and_the_items_are_not() {
    let folder = bank(3);
    for command in ["judge", "refine"] {
        let report = report(&folder, command, &[], 0);
        assert!(statuses(&report).iter().all(|status| *status == "accepted"));
        let solver = &report["solvers"][0];
        assert_eq!(solver["believed"], false, "{solver}");
        let first = &report["documents"][0];
        assert_eq!(first["because"], Value::Null);
        assert_eq!(first["solving"]["result"], "disagrees");
        assert_eq!(first["seed"]["review_history"]["finalStatus"], "passed");
    }
    // Lines that are printed as they come say the same.
    let lines = folder.run(&[
        "judge",
        "bank.jsonl",
        "--script",
        "replies.toml",
        "--format",
        "jsonl",
    ]);
    assert_eq!(lines.status.code(), Some(0));
    let lines = String::from_utf8(lines.stdout).unwrap();
    let accepted = lines.matches("\"status\":\"accepted\"").count();
    assert_eq!(accepted, ITEMS, "{lines}");
    let told = folder.run(&["judge", "bank.jsonl", "--script", "replies.toml"]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(
        told.contains("3 of 12 items, more than 20%: its answers are ignored"),
        "{told}"
    );
}

#[test]
fn solving_can_be_switched_off() {
    let folder = bank(2);
    folder.write("redraft.toml", "[judging]\nsolve = false\n");
    let off = report(&folder, "judge", &[], 0);
    assert_eq!(off.get("solvers"), None);
    assert!(off["documents"][0].get("solving").is_none());
    folder.write("redraft.toml", "");
    folder.write("policy.toml", "[decide]\nsolve = false\n");
    let off = report(&folder, "judge", &["--policy", "policy.toml"], 0);
    assert_eq!(off.get("solvers"), None);
    // An institution may believe a solver longer.
    let folder = bank(3);
    folder.write("policy.toml", "[decide.solver]\nmost-disputed = 30\n");
    let believed = report(&folder, "judge", &["--policy", "policy.toml"], 3);
    assert_eq!(believed["solvers"][0]["believed"], true);
}
