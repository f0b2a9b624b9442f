//! The judge test of `redraft models --test`, as a user runs it, and what its result
//! means for `judge` and `refine`.

use redraft_gate::span::Version;
use redraft_profiles::judge_pairs;
use redraft_profiles::registry;
use serde_json::Value;

use crate::temp_folder::{GOOD, TempFolder};

/// A script that ranks so many pairs of a profile correctly, and accepts every other
/// text.
fn script(profile: &str, right: usize) -> String {
    let criteria = &registry::profile(profile).unwrap().rubric().criteria;
    let mut script = String::new();
    let mut reply = |head: String, score: &str| {
        script.push_str(&format!(
            "[[reply]]\nconfidence = \"high\"\n{head}[reply.scores]\n"
        ));
        for criterion in criteria {
            script.push_str(&format!("{} = {score}\n", criterion.name));
        }
    };
    for (index, pair) in judge_pairs::of_profile(profile).unwrap().iter().enumerate() {
        let id = |bytes: &[u8]| format!("text_id = \"{}\"\n", Version::of(bytes));
        reply(id(&pair.good.bytes()), "0.95");
        let bad = if index < right { "0.91" } else { "0.95" };
        reply(id(&pair.bad.bytes()), bad);
    }
    reply(String::new(), "0.96");
    script
}

fn folder() -> TempFolder {
    let script = |right| script("lesson", right);
    TempFolder::new(&[
        ("lesson.md", GOOD),
        ("eight.toml", &script(8)),
        ("seven.toml", &script(7)),
        ("six.toml", &script(6)),
        ("trust.toml", "[decide]\ntrust-failed-judge = true\n"),
    ])
}

fn test<'a>(script: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["models", "--test", "--script", script][..], more].concat()
}

fn json(folder: &TempFolder, arguments: &[&str], code: i32) -> Value {
    let run = folder.run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.code, code, "{}\n{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_judge_passes_with_seven_of_eight_pairs_and_fails_with_six() {
    for (script, right, passed, code) in [
        ("eight.toml", 8, true, 0),
        ("seven.toml", 7, true, 0),
        ("six.toml", 6, false, 1),
    ] {
        let folder = folder();
        let report = json(&folder, &test(script, &[]), code);
        let [judge] = &report["judge_tests"].as_array().unwrap()[..] else {
            panic!("{report}");
        };
        assert_eq!(judge["model"], "scripted/judge_secondary");
        assert_eq!(judge["profile"], "lesson");
        assert_eq!(
            (&judge["right"], &judge["pairs"]),
            (&right.into(), &8.into())
        );
        assert_eq!(judge["passed"], passed, "{script}");
    }
    let run = folder().run(&test("six.toml", &[]));
    assert!(run.stderr.contains("16 texts"), "{}", run.stderr);
    assert!(run.stderr.contains("at most"), "{}", run.stderr);
    assert!(run.stdout.contains("6 of 8"), "{}", run.stdout);
    assert!(
        run.stdout.contains("cannot tell them apart"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("lesson-plavanie: good 0.950, bad 0.950"),
        "{}",
        run.stdout
    );
}

/// How often each text is asked about, by a recording.
fn asked(folder: &TempFolder, recording: &str) -> usize {
    let text = std::fs::read_to_string(folder.path(recording)).unwrap_or_default();
    text.matches("judge-test/").count()
}

#[test]
fn a_test_ends_when_the_judge_can_no_longer_pass() {
    let folder = folder();
    let none = script("lesson", 0);
    std::fs::write(folder.path("none.toml"), none).unwrap();
    let run = folder.run(&test("none.toml", &["--record", "answers.jsonl"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("0 of 2"), "{}", run.stdout);
    assert!(
        run.stdout.contains("stopped with 6 pairs unasked"),
        "{}",
        run.stdout
    );
    assert_eq!(asked(&folder, "answers.jsonl"), 4);
    // A policy that needs fewer pairs lets it go on.
    std::fs::write(folder.path("half.toml"), "[decide]\njudge-test-pairs = 4\n").unwrap();
    let run = folder.run(&test("none.toml", &["--policy", "half.toml"]));
    assert!(run.stdout.contains("0 of 5"), "{}", run.stdout);
    let run = folder.run(&test("six.toml", &["--policy", "half.toml"]));
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stdout.contains("6 of 8"), "{}", run.stdout);
}

#[test]
fn a_good_text_without_a_verdict_spares_the_bad_one() {
    let folder = folder();
    let refused = "[[reply]]\nrole = \"judge_secondary\"\nfault = \"refusal\"\n";
    std::fs::write(folder.path("refused.toml"), refused).unwrap();
    let run = folder.run(&test("refused.toml", &["--record", "answers.jsonl"]));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(asked(&folder, "answers.jsonl"), 2);
    assert!(
        run.stderr.contains("no verdict on the good text"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_test_that_is_broken_off_goes_on_where_it_was() {
    let folder = folder();
    // The judge answers about the first pairs and then no more.
    let eight = script("lesson", 8);
    let few: String = eight.split_inclusive("[[reply]]").take(7).collect();
    let few = few.trim_end_matches("[[reply]]");
    let broken = format!("{few}[[reply]]\nfault = \"unauthorised\"\n");
    std::fs::write(folder.path("broken.toml"), broken).unwrap();
    let run = folder.run(&test("broken.toml", &[]));
    assert_eq!(run.code, 5, "{}", run.stdout);
    assert!(
        run.stdout.contains("3 pairs ranked so far"),
        "{}",
        run.stdout
    );
    // Nothing is known of the judge yet.
    let arguments = ["judge", "lesson.md", "--script", "eight.toml"];
    let report = json(&folder, &arguments, 0);
    assert!(
        report["documents"][0].get("judge_tests").is_none(),
        "{report}"
    );
    let run = folder.run(&test("eight.toml", &["--record", "answers.jsonl"]));
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert!(run.stderr.contains("3 of 8 pairs ranked"), "{}", run.stderr);
    assert!(run.stdout.contains("8 of 8"), "{}", run.stdout);
    assert_eq!(asked(&folder, "answers.jsonl"), 10);
    // The next test begins again.
    folder.run(&test("eight.toml", &["--record", "again.jsonl"]));
    assert_eq!(asked(&folder, "again.jsonl"), 16);
}

#[test]
fn every_profile_can_be_tested() {
    for profile in ["lesson", "sqa-lesson", "clinical-mcq", "mcq"] {
        let folder = TempFolder::new(&[("replies.toml", &script(profile, 8))]);
        let report = json(&folder, &test("replies.toml", &["--profile", profile]), 0);
        assert_eq!(report["judge_tests"][0]["right"], 8, "{profile}: {report}");
    }
}

#[test]
fn a_sole_judge_that_failed_is_not_paid_and_accepts_nothing() {
    let folder = folder();
    let judge = |script| ["judge", "lesson.md", "--script", script];
    // Whoever was not tested may judge.
    let before = json(&folder, &judge("six.toml"), 0);
    assert_eq!(before["documents"][0]["status"], "accepted");
    assert!(before["documents"][0].get("judge_tests").is_none());
    json(&folder, &test("six.toml", &[]), 1);
    for command in ["judge", "refine"] {
        let arguments = [command, "lesson.md", "--script", "six.toml"];
        let after = json(&folder, &arguments, 5);
        let document = &after["documents"][0];
        assert_eq!(document["unscored"]["reason"], "failed_test", "{after}");
        assert_eq!(document["score"], Value::Null);
        assert_eq!(document["spent"], serde_json::json!({}));
        let message = document["unscored"]["message"].as_str().unwrap();
        assert!(
            message.contains("scripted/judge_secondary 6 of 8 (7 needed)")
                && message.contains("trust-failed-judge"),
            "{message}"
        );
    }
    // The policy insists.
    let arguments = [&judge("six.toml")[..], &["--policy", "trust.toml"]].concat();
    let trusted = json(&folder, &arguments, 0);
    let document = &trusted["documents"][0];
    assert_eq!(document["status"], "accepted");
    let test = &document["judge_tests"]["scripted/judge_secondary"];
    assert_eq!((&test["right"], &test["stale"]), (&6.into(), &false.into()));
    let run = folder.run(&arguments);
    assert!(
        run.stdout
            .contains("scripted/judge_secondary ranked 6 of 8 test pairs correctly"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_result_of_other_prompts_is_stale_and_says_so() {
    let folder = folder();
    json(&folder, &test("six.toml", &[]), 1);
    let kept = std::fs::read_dir(folder.path(".redraft/runs/judge-tests"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    for path in kept {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut result: Value = serde_json::from_str(&text).unwrap();
        result["prompts"] = "0000000000000000".into();
        std::fs::write(&path, result.to_string()).unwrap();
    }
    let arguments = ["judge", "lesson.md", "--script", "six.toml"];
    let report = json(&folder, &arguments, 0);
    let test = &report["documents"][0]["judge_tests"]["scripted/judge_secondary"];
    assert_eq!(test["stale"], true, "{report}");
    let run = folder.run(&arguments);
    assert!(
        run.stdout.contains("with prompts that have changed since"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_test_can_be_recorded_and_played_back() {
    let folder = folder();
    json(
        &folder,
        &test("seven.toml", &["--record", "answers.jsonl"]),
        0,
    );
    std::fs::remove_dir_all(folder.path(".redraft")).unwrap();
    let played = json(&folder, &["models", "--test", "--play", "answers.jsonl"], 0);
    assert_eq!(played["judge_tests"][0]["right"], 7, "{played}");
}

#[test]
fn a_judge_that_does_not_answer_has_no_result() {
    let folder = folder();
    let broken = "[[reply]]\nrole = \"judge_secondary\"\nfault = \"unauthorised\"\n";
    std::fs::write(folder.path("broken.toml"), broken).unwrap();
    let report = json(&folder, &test("broken.toml", &[]), 5);
    assert_eq!(report["judge_tests"], serde_json::json!([]));
    let run = folder.run(&test("broken.toml", &[]));
    assert!(run.stdout.contains("not tested: "), "{}", run.stdout);
}

#[test]
fn unreadable_verdicts_are_wrong() {
    let folder = folder();
    let refused = "[[reply]]\nrole = \"judge_secondary\"\nfault = \"refusal\"\n";
    std::fs::write(folder.path("refused.toml"), refused).unwrap();
    let report = json(&folder, &test("refused.toml", &[]), 1);
    assert_eq!(report["judge_tests"][0]["right"], 0, "{report}");
}
