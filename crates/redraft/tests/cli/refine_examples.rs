//! The example refinements end to end: what happened, what the report says, what
//! came of it, and that the receipts hold. Times, names of runs and prices of our
//! own prompts are left out.

use std::fs;

use serde_json::{Value, json};

use crate::temp_folder::{TempFolder, repository};

struct Example {
    report: String,
    events: String,
    outcome: String,
}

fn refine(name: &str) -> Example {
    let read =
        |file: &str| fs::read_to_string(repository(&format!("examples/{name}/{file}"))).unwrap();
    let (lesson, replies) = (read("lesson.md"), read("replies.toml"));
    assert!(
        replies.starts_with("# SCRIPTED REPLIES"),
        "a script says in its first line that it is one"
    );
    let place = TempFolder::new(&[("lesson.md", &lesson), ("replies.toml", &replies)]);
    let refine = |format: &str| {
        let run = place.run(&[
            "refine",
            "lesson.md",
            "--script",
            "replies.toml",
            "--mode",
            "semi-auto",
            "--runs",
            "runs",
            "--quiet",
            "--format",
            format,
        ]);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        run.stdout
    };
    let report = refine("human");
    let journal = fs::read_dir(place.path("runs"))
        .unwrap()
        .find_map(|entry| {
            let path = entry.unwrap().path();
            (path.extension()? == "jsonl").then_some(path)
        })
        .unwrap();
    let events: Vec<String> = fs::read_to_string(journal)
        .unwrap()
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line)
                .unwrap()
                .get("event")
                .cloned()
        })
        .map(|event| told(&event))
        .collect();
    let printed: Value = serde_json::from_str(&refine("json")).unwrap();
    let outcome = &printed["documents"][0];
    let result = outcome["final_content"]["text"].as_str().unwrap();
    redraft_gate::receipt::verify(&outcome["receipts"], lesson.as_bytes(), result.as_bytes())
        .unwrap();
    Example {
        report: plain(&report),
        events: events.join("\n"),
        outcome: serde_json::to_string_pretty(&chosen(outcome)).unwrap(),
    }
}

/// What a snapshot holds of an outcome: all but times, names and prices.
fn chosen(outcome: &Value) -> Value {
    let edits: Vec<Value> = outcome["receipts"]["edits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| json!({"component": edit["component"], "start": edit["start"], "end": edit["end"], "tasks": edit["tasks"]}))
        .collect();
    let tasks: Vec<Value> = outcome["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| json!({"round": task["iteration"], "section": task["section_id"], "action": task["action_type"], "kept": task["kept"], "because": task["because"]}))
        .collect();
    let scores: Vec<Value> = outcome["iterations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!({"round": one["iteration"], "score": one["score"], "judges": one["judges"], "issues": one["issues"]}))
        .collect();
    let list = |name: &str, shown: &dyn Fn(&Value) -> Value| -> Vec<Value> {
        outcome[name]
            .as_array()
            .unwrap()
            .iter()
            .map(shown)
            .collect()
    };
    let keys = |name: &str| -> Vec<&String> { outcome[name].as_object().unwrap().keys().collect() };
    let changed: Vec<&Value> = outcome["receipts"]["components"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| part["after"]["sha256"] != part["before"]["sha256"])
        .map(|part| &part["id"])
        .collect();
    json!({
        "status": outcome["status"],
        "recommendation": outcome["recommendation"],
        "quality_status": outcome["quality_status"],
        "needs_review": outcome["needs_review"],
        "profile": outcome["profile"],
        "scripted": outcome["scripted"],
        "input": outcome["input"],
        "content": outcome["content"],
        "score": outcome["score"],
        "agreement": outcome["agreement"]["level"],
        "self_review": outcome["self_review"]["status"],
        "findings": list("findings", &|one| json!([one["code"], one["component"]])),
        "verdicts": list("verdicts", &|one| json!([one["judge"]["role"], one["content"]])),
        "set_aside": outcome["set_aside"],
        "improvement_hints": outcome["improvement_hints"],
        "still_changing": outcome["still_changing"],
        "asked": keys("asked"),
        "changed": changed,
        "iterations": scores,
        "tasks": tasks,
        "conflict_ledger": outcome["conflict_ledger"],
        "unresolved_issues": outcome["unresolved_issues"],
        "edits": edits,
    })
}

/// An event in a line, without what differs between two runs.
fn told(event: &Value) -> String {
    let mut fields = Vec::new();
    for name in [
        "role",
        "section",
        "sections",
        "target_sections",
        "score",
        "score_delta",
        "passed",
        "reason",
        "status",
        "kept",
        "rolled_back",
        "issues",
        "conflicts",
    ] {
        if let Some(value) = event.get(name).filter(|value| !value.is_null()) {
            fields.push(format!("{name}={value}"));
        }
    }
    if let Some(scored) = event.get("scored") {
        fields.push(format!("scored={}", scored["score"]));
    }
    format!("{} {}", event["event"].as_str().unwrap(), fields.join(" "))
        .trim_end()
        .to_owned()
}

/// The report without the name of the run, and without figures that change with
/// every word of our prompts.
fn plain(report: &str) -> String {
    let mut lines = Vec::new();
    for line in anstream::adapter::strip_str(report).to_string().lines() {
        let trimmed = line.trim_start();
        lines.push(if trimmed.starts_with("journal ") {
            "  journal …".to_owned()
        } else if let [role @ .., calls, _in, _out, "(estimated)"] =
            &trimmed.split_whitespace().collect::<Vec<_>>()[..]
        {
            format!("  {}  {calls}  …  … (estimated)", role.join(" "))
        } else {
            line.to_owned()
        });
    }
    lines.join("\n")
}

#[test]
fn the_kettle_is_refined() {
    let example = refine("refine-kettle");
    insta::assert_snapshot!("refine_kettle_report", example.report);
    insta::assert_snapshot!("refine_kettle_events", example.events);
    insta::assert_snapshot!("refine_kettle_outcome", example.outcome);
}

#[test]
fn a_russian_lesson_is_refined() {
    let example = refine("refine-chainik");
    insta::assert_snapshot!("refine_chainik_report", example.report);
    insta::assert_snapshot!("refine_chainik_events", example.events);
    insta::assert_snapshot!("refine_chainik_outcome", example.outcome);
}
