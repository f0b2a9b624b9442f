//! `redraft judge` and `redraft replay`, as a user runs them, with scripted
//! replies. One test kills the process for real.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::folder::{Folder, LESSON};
use crate::seeds::{CLINICAL, LESSONS, SQA};

const CARDS: &str = r#"{"title": "Sharing a bill fairly", "lesson_type": "teach", "cards": [
  {"id": "card_001", "title": "Starter", "explainer": "We share a bill of £20.", "explainer_plain": "We share £20.",
   "cfu": {"type": "numeric", "stem": "Share £20 between 4 people.", "answer": 5}}]}"#;

/// A script that gives every criterion of all three rubrics the same score.
fn script(score: &str, extra: &str) -> String {
    let mut text = format!("[[reply]]\nconfidence = \"high\"\n{extra}\n[reply.scores]\n");
    for name in [&LESSONS[..], &SQA, &CLINICAL].concat() {
        text.push_str(&format!("{name} = {score}\n"));
    }
    text
}

#[test]
fn every_profile_is_judged_and_decided() {
    let folder = Folder::new(CARDS);
    folder.write("good.toml", &script("0.95", ""));
    folder.write("weak.toml", &script("0.65", ""));
    for (file, replies, more, code, status) in [
        ("lesson.md", "good.toml", &[][..], 0, "accepted"),
        ("lesson.md", "weak.toml", &[][..], 1, "best_effort"),
        (
            "lesson.md",
            "weak.toml",
            &["--mode", "semi-auto"][..],
            3,
            "escalated",
        ),
        ("item.json", "good.toml", &[][..], 0, "accepted"),
        ("item.json", "weak.toml", &[][..], 3, "escalated"),
        ("cards.json", "weak.toml", &[][..], 3, "escalated"),
    ] {
        let arguments = [&["judge", file, "--script", replies][..], more].concat();
        let document = folder.judged(&arguments, code);
        assert_eq!(document["status"], status, "{file} {replies}");
        assert_eq!(document["scripted"], true);
        assert!(document["score"]["overall"].is_number(), "{document}");
        assert_eq!(document["score"]["content"], document["content"]);
    }
}

#[test]
fn cards_that_need_a_revision_are_not_escalated_by_that() {
    let cards = include_str!("../../../../examples/refine-cards.json").replace('$', "£");
    let folder = Folder::new(&cards);
    let scores = "scores = { pedagogical_design = 0.92, assessment_design = 0.85, accessibility = 0.82, scottish_context = 0.90, coherence = 0.90, sow_template_fidelity = 0.90 }\n";
    for (confidence, code) in [("high", 1), ("low", 3)] {
        let reply = format!("[[reply]]\nconfidence = \"{confidence}\"\n{scores}");
        folder.write("weak.toml", &reply);
        let document = folder.judged(&["judge", "cards.json", "--script", "weak.toml"], code);
        let critic = &document["seed"]["critic_result"];
        assert_eq!(critic["overall_status"], "needs_revision", "{document}");
    }
}

#[test]
fn an_item_with_a_doubtful_fact_does_not_pass() {
    let folder = Folder::new(CARDS);
    let scores = "scores = { clinical_accuracy = 0.80, pedagogical_alignment = 0.90, distractor_quality = 0.92, slo_coverage = 0.95, blooms_match = 0.95 }\n";
    let issue = "[[reply.issues]]\ncriterion = \"clinical_accuracy\"\nseverity = \"major\"\nlocation = \"stem\"\nquote = \"\"\ndescription = \"It is disputed.\"\nsuggested_fix = \"Name the guideline.\"\n";
    let reply = format!("[[reply]]\nconfidence = \"high\"\n{scores}");
    folder.write("sound.toml", &reply);
    folder.write("doubt.toml", &format!("{reply}{issue}"));
    for (replies, code, passes) in [("sound.toml", 0, true), ("doubt.toml", 3, false)] {
        let document = folder.judged(&["judge", "item.json", "--script", replies], code);
        assert_eq!(document["passed"], passes, "{document}");
        let review = &document["seed"]["review_history"]["reviewHistory"][0];
        assert_eq!(
            review["qualityScore"]["passesThreshold"], passes,
            "{review}"
        );
        assert_eq!(document["needs_review"], !passes);
    }
}

#[test]
fn what_is_rolled_back_in_every_round_is_told_once_and_never_without_a_reason() {
    let folder = Folder::new(CARDS);
    let lesson = include_str!("../../../../examples/refine-kettle/lesson.md");
    folder.write("kettle.md", lesson);
    folder.write(
        "replies.toml",
        r#"
[[reply]]
role = "judge_secondary"
confidence = "high"
scores = { learning_objective_alignment = 0.80, pedagogical_structure = 0.82, factual_accuracy = 0.62, clarity_readability = 0.78, engagement_examples = 0.80, completeness = 0.81 }
[[reply.issues]]
criterion = "factual_accuracy"
severity = "critical"
location = "sec_2"
quote = "At sea level water boils at 90 °C."
description = "At sea level water boils at 100 °C."
suggested_fix = "Write 100 °C."
[[reply.issues]]
criterion = "completeness"
severity = "minor"
location = "sec_2"
quote = ""
description = "At sea level, water boils at 100 °C!"
suggested_fix = "Say it."
[[reply]]
role = "section_expander"
text = '''
At sea level water boils at 95 °C. It keeps getting hotter for as long as the kettle is on, and this is why tea from a kettle that boils for ten minutes is hotter than other tea.

A thermometer shows it: hold it in the steam above the water, and read it once a minute.
'''
[[reply]]
role = "delta_judge"
text = '{"answers": [{"id": "issue_1", "reason": "", "answer": "no"}, {"id": "issue_2", "reason": "", "answer": "no"}]}'
"#,
    );
    let run = folder.run(&[
        "refine",
        "kettle.md",
        "--script",
        "replies.toml",
        "--no-color",
        "-o",
        "out.md",
    ]);
    assert_eq!(run.status.code(), Some(1));
    let report = String::from_utf8_lossy(&run.stdout);
    let lines = |words: &str| report.lines().filter(|line| line.contains(words)).count();
    assert_eq!(lines("rolled back"), 1, "{report}");
    let told = "Repairs of sec_2 “At what temperature it boils” (rounds 1 and 2) were rolled back: the issue is not solved\n";
    assert!(report.contains(told), "{report}");
    assert!(!report.contains("kept changing"), "{report}");
    assert_eq!(lines("water boils at 100 °C"), 1, "{report}");
}

#[test]
fn a_critical_issue_is_never_green() {
    let folder = Folder::new(CARDS);
    let issue = "[[reply.issues]]\ncriterion = \"factual_accuracy\"\nseverity = \"critical\"\nlocation = \"sec_1\"\nquote = \"\"\ndescription = \"It is wrong.\"\nsuggested_fix = \"Say what is right.\"\n";
    folder.write("critical.toml", &(script("0.96", "") + issue));
    for (mode, code, status) in [
        ("full-auto", 1, "best_effort"),
        ("semi-auto", 3, "escalated"),
    ] {
        let arguments = [
            "judge",
            "lesson.md",
            "--script",
            "critical.toml",
            "--mode",
            mode,
        ];
        let document = folder.judged(&arguments, code);
        assert_eq!(document["status"], status, "{mode}");
        assert_eq!(document["needs_review"], true, "{mode}");
    }
}

#[test]
fn without_a_model_nothing_is_judged_and_nothing_is_green() {
    let folder = Folder::new(CARDS);
    let output = folder.run(&["judge", "lesson.md"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--script"));
    assert!(output.stdout.is_empty() && folder.journals().is_empty());
}

#[test]
fn a_model_that_fails_gives_no_score_and_exit_5() {
    let folder = Folder::new(CARDS);
    folder.write("broken.toml", &script("0.95", "fault = \"score-85\""));
    let document = folder.judged(&["judge", "lesson.md", "--script", "broken.toml"], 5);
    assert_eq!(document["score"], Value::Null);
    assert_eq!(document["unscored"]["reason"], "score_out_of_range");
    let output = folder.run(&["judge", "lesson.md", "--script", "broken.toml"]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        shown.contains("not scored") && shown.contains("scripted replies"),
        "{shown}"
    );
}

#[test]
fn a_budget_that_does_not_suffice_ends_with_exit_4() {
    let folder = Folder::new(CARDS);
    folder.write("good.toml", &script("0.95", ""));
    folder.write("poor.toml", "[decide]\njudging-tokens = 10\n");
    let arguments = [
        "judge",
        "lesson.md",
        "--script",
        "good.toml",
        "--policy",
        "poor.toml",
    ];
    let document = folder.judged(&arguments, 4);
    assert_eq!(document["unscored"]["reason"], "over_budget");
}

#[test]
fn a_text_that_the_free_checks_stop_costs_nothing() {
    let folder = Folder::new(CARDS);
    folder.write("good.toml", &script("0.95", ""));
    folder.write(
        "cut.md",
        "# Water\n\n## Heat\n\nThe plate gets hot.\n\n```python\nprint(1)\n",
    );
    let document = folder.judged(&["judge", "cut.md", "--script", "good.toml"], 1);
    assert_eq!(document["unscored"]["reason"], "unusable");
    assert_eq!(document["spent"], serde_json::json!({}));
}

#[test]
fn a_run_is_replayed_to_the_same_bytes_and_decided_otherwise_under_another_policy() {
    let folder = Folder::new(CARDS);
    folder.write("weak.toml", &script("0.8", ""));
    let judged = folder.run(&[
        "judge",
        "lesson.md",
        "--script",
        "weak.toml",
        "--format",
        "json",
    ]);
    let journal = folder.journals().remove(0);
    let journal = journal.to_str().unwrap();
    // The text may be gone by then.
    fs::remove_file(folder.path().join("lesson.md")).unwrap();
    let replayed = folder.run(&["replay", journal, "--format", "json"]);
    let document = |output: &Output| {
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut document = report["documents"][0].clone();
        // The path of the journal is as it was named.
        document.as_object_mut().unwrap().remove("journal");
        document.to_string()
    };
    assert_eq!(document(&judged), document(&replayed));
    assert_eq!(judged.status.code(), replayed.status.code());
    folder.write(
        "strict.toml",
        "accept = 0.95\ngood-enough = { from = 0.9, warns = true }\n",
    );
    let strict = folder.judged(&["replay", journal, "--policy", "strict.toml"], 1);
    assert_eq!(strict["status"], "best_effort");
    folder.write("odd.toml", "acept = 0.95\n");
    let odd = folder.run(&["replay", journal, "--policy", "odd.toml"]);
    assert_eq!(odd.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&odd.stderr).contains("acept"));
}

#[test]
fn a_run_that_is_killed_is_resumed_without_asking_again() {
    let folder = Folder::new(CARDS);
    // The first reply is out of form and comes at once; the second takes long.
    let replies = format!(
        "[[reply]]\ntry = 1\nfault = \"empty\"\n{}",
        script("0.95", "delay_ms = 600000")
    );
    folder.write("slow.toml", &replies);
    let mut child = folder
        .command(&["judge", "lesson.md", "--script", "slow.toml"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Until the first reply is on the disk.
    let journal = loop {
        let written = folder
            .journals()
            .into_iter()
            .find(|path| fs::read_to_string(path).unwrap().contains("\"reply\""));
        match written {
            Some(path) => break path,
            None => std::thread::yield_now(),
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    // The script of the second try answers at once; that of the first would fail
    // for good, if it were asked.
    let replies = format!(
        "[[reply]]\ntry = 1\nfault = \"unauthorised\"\n{}",
        script("0.95", "")
    );
    folder.write("quick.toml", &replies);
    let journal = journal.to_str().unwrap();
    let resumed = folder.judged(&["judge", "--resume", journal, "--script", "quick.toml"], 0);
    assert_eq!(resumed["status"], "accepted");
    let asks: Vec<&String> = resumed["asked"].as_object().unwrap().keys().collect();
    assert_eq!(
        asks,
        [
            "i0/judge/judge_secondary/try1",
            "i0/judge/judge_secondary/try2"
        ]
    );
    // Resuming a run that is over changes nothing.
    let before = fs::read(journal).unwrap();
    let again = folder.judged(&["judge", "--resume", journal, "--script", "quick.toml"], 0);
    assert_eq!(again["status"], "accepted");
    assert_eq!(fs::read(journal).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn several_texts_that_are_interrupted_go_on_with_one_hint() {
    let folder = Folder::new(CARDS);
    let names = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    for name in names {
        folder.write(
            name,
            &LESSON.replace("kettle", &format!("kettle of {name}")),
        );
    }
    folder.write("slow.toml", &script("0.95", "delay_ms = 600000"));
    folder.write("quick.toml", &script("0.95", ""));
    let arguments =
        |names: &[&'static str], more: &[&'static str]| [&["judge"], names, more].concat();
    for (names, hint) in [
        (
            &names[..],
            "texts are done, and every answer is saved. Continue with\n  redraft judge a.md b.md c.md d.md e.md -j 2 --script slow.toml --continue\n",
        ),
        (
            &names[..1],
            "Continue with\n  redraft judge --script slow.toml --resume .redraft/runs/",
        ),
    ] {
        let _ = fs::remove_dir_all(folder.path().join(".redraft"));
        let child = folder
            .command(&arguments(names, &["-j", "2", "--script", "slow.toml"]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Until those whose turn it is have begun; by then signals are heard.
        let at_once = names.len().min(2);
        while folder.journals().len() < at_once {
            std::thread::yield_now();
        }
        let killed = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(killed.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert_eq!(stderr.matches("Continue with").count(), 1, "{stderr}");
        assert!(stderr.contains(hint), "{stderr}");
        assert_eq!(
            folder.journals().len(),
            at_once,
            "the others were not begun"
        );
    }
    let again = arguments(&names, &["--continue", "--script", "quick.toml"]);
    let output = folder.run(&again);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder.journals().len(), names.len());
}

#[test]
fn journals_of_a_newer_program_are_refused() {
    let folder = Folder::new(CARDS);
    folder.write("newer.jsonl", "{\"journal\":99,\"run\":\"x\"}\n");
    let output = folder.run(&["replay", "newer.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(shown.contains("version 99"), "{shown}");
}

#[test]
fn the_same_text_is_judged_by_a_rubric_of_ones_own() {
    let folder = Folder::new(CARDS);
    let output = folder.run(&[
        "judge",
        "lesson.md",
        "--script",
        "x.toml",
        "--rubric",
        "y.toml",
    ]);
    assert_eq!(output.status.code(), Some(2));
    folder.write("good.toml", &script("0.95", ""));
    folder.write("own.toml", "criteria = []\n");
    let output = folder.run(&[
        "judge",
        "lesson.md",
        "--script",
        "good.toml",
        "--rubric",
        "own.toml",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("own.toml"));
}
