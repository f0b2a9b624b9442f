//! `redraft plan`, as a user runs it: before anything is spent.

use serde_json::Value;

use crate::temp_folder::{GOOD, HOLLOW, TempFolder, repository};

const PRICED: &str = "[roles.default]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\nprice-in = 2.0\nprice-out = 8.0\n\n[roles.judge_primary]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nprice-in = 3.0\nprice-out = 15.0\n";
const KEYS: [(&str, &str); 2] = [
    ("OPENAI_API_KEY", "sk-not-a-key"),
    ("ANTHROPIC_API_KEY", "sk-not-a-key"),
];

fn planned(place: &TempFolder, variables: &[(&str, &str)], arguments: &[&str]) -> Value {
    let arguments = [&["plan"], arguments, &["--format", "json"]].concat();
    let run = place.run_among(variables, &arguments);
    assert_eq!(run.code, 0, "{arguments:?}\n{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["schema"], 2);
    report["documents"][0].clone()
}

fn stages(plan: &Value) -> Vec<&str> {
    plan["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| stage["stage"].as_str().unwrap())
        .collect()
}

#[test]
fn every_profile_is_planned_without_a_model() {
    let place = TempFolder::new(&[]);
    // Cards and items get a second opinion at worst (ruling 64).
    for (example, profile) in [
        ("photosynthesis.md", "lesson"),
        ("scottish-cards.json", "sqa-lesson"),
        ("clinical-item.json", "clinical-mcq"),
    ] {
        let file = repository(&format!("examples/{example}"));
        let plan = planned(&place, &[], &[file.to_str().unwrap()]);
        assert_eq!(plan["profile"], profile);
        assert_eq!(plan["configured"], false, "{example}");
        let found = stages(&plan);
        for stage in ["judge", "panel", "repair", "verify", "rejudge"] {
            assert!(found.contains(&stage), "{example}: {found:?}");
        }
        let total = &plan["total"];
        let tokens = |name: &str| total[name]["input"].as_u64().unwrap();
        assert!(tokens("best") > 1_000, "{example}: {total}");
        assert!(tokens("best") < tokens("typical"), "{example}: {total}");
        assert!(tokens("typical") < tokens("worst"), "{example}: {total}");
        assert_eq!(total["worst"]["cost_micros"], 0, "{example}");
    }
    assert!(!place.path(".redraft").exists(), "nothing is written");
}

#[test]
fn a_person_without_a_model_is_told_that_prices_are_unknown() {
    let place = TempFolder::new(&[("lesson.md", GOOD)]);
    let run = place.run_among(&[], &["plan", "lesson.md"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for words in [
        "estimate for `redraft refine` (lesson, full-auto;",
        "best case",
        "worst case",
        "total",
        "No model is configured, so prices are unknown",
        "OPENAI_API_KEY",
    ] {
        assert!(run.stdout.contains(words), "{words}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains('$'), "{}", run.stdout);
}

#[test]
fn prices_come_from_the_configuration_and_the_key_stays_out() {
    let place = TempFolder::new(&[("lesson.md", GOOD), ("redraft.toml", PRICED)]);
    let plan = planned(&place, &KEYS, &["lesson.md"]);
    assert_eq!(plan["configured"], true);
    assert_eq!(plan["unpriced"], Value::Array(Vec::new()));
    assert_eq!(
        plan["models"]["judge_primary"]["model"],
        "anthropic/claude-sonnet-4-5"
    );
    let all = plan["stages"].as_array().unwrap();
    let judge = all.iter().find(|one| one["stage"] == "judge").unwrap();
    let (input, output) = (&judge["best"]["input"], &judge["best"]["output"]);
    // What is sent at $2 and what comes back at $8 a million.
    let expected = input.as_u64().unwrap() * 2 + output.as_u64().unwrap() * 8;
    assert_eq!(judge["best"]["cost_micros"], expected);
    let run = place.run_among(&KEYS, &["plan", "lesson.md"]);
    assert!(run.stdout.contains("openai/gpt-4.1: "), "{}", run.stdout);
    assert!(!run.stdout.contains("sk-not"), "{}", run.stdout);
}

#[test]
fn what_the_budget_would_stop_is_said() {
    let place = TempFolder::new(&[
        ("lesson.md", GOOD),
        ("redraft.toml", PRICED),
        ("starved.toml", "judging-tokens = 100\n"),
        (
            "mending.toml",
            "[decide.repair]\niterations = 3\nedits-a-part = 2\nwhole-regenerations = 1\ntokens = 300\ntokens-a-hundred = 1\ntargets = \"all\"\ndelta = \"yes-no\"\ntolerance = 0.05\nconverged-below = 0.02\ncritical-share = 40\n",
        ),
        (
            "poor.toml",
            &format!("{PRICED}\n[limits]\ncost-per-run = 0.0001\n"),
        ),
    ]);
    for (name, arguments, calls, stage, (reason, words)) in [
        (
            "no judge",
            &["--policy", "starved.toml"][..],
            0,
            "judge",
            (
                "tokens",
                "do not fit into the 100 tokens for judging one text",
            ),
        ),
        (
            "no repair",
            &["--policy", "mending.toml"][..],
            3,
            "repair",
            (
                "tokens",
                "do not fit into the 300 tokens for repair and verification",
            ),
        ),
        (
            "no money",
            &["--config", "poor.toml"][..],
            0,
            "judge",
            ("cost", "$0.0001"),
        ),
    ] {
        let arguments = [&["lesson.md"], arguments].concat();
        let plan = planned(&place, &KEYS, &arguments);
        let typical = plan["total"]["typical"]["calls"].as_u64().unwrap();
        // The review before the judge may still be paid.
        assert!(typical <= calls + 1, "{name}: {plan:#}");
        let all = plan["stages"].as_array().unwrap();
        let found = all.iter().find(|one| one["stage"] == stage).unwrap();
        assert_eq!(found["worst"]["calls"], 0, "{name}: {found:#}");
        let stopped = found["stopped"].as_array().unwrap();
        assert!(
            stopped.iter().any(|limit| limit["reason"] == reason),
            "{name}: {stopped:?}"
        );
        let shown = place.run_among(&KEYS, &[&["plan"], arguments.as_slice()].concat());
        assert!(shown.stdout.contains(words), "{name}: {}", shown.stdout);
    }
}

#[test]
fn a_plan_to_judge_has_no_repair_and_a_role_without_a_model_is_not_counted() {
    let place = TempFolder::new(&[
        ("lesson.md", GOOD),
        (
            "one.toml",
            "[[reply]]\nrole = \"judge_secondary\"\ntext = \"{}\"\n",
        ),
    ]);
    let plan = planned(&place, &[], &["lesson.md", "--goal", "judge"]);
    assert_eq!(stages(&plan), ["judge", "panel"]);
    let plan = planned(&place, &[], &["lesson.md", "--script", "one.toml"]);
    assert_eq!(stages(&plan), ["judge", "rejudge"]);
}

#[test]
fn the_reviewer_and_the_arbiter_are_planned_as_they_are_asked() {
    let named = format!(
        "{PRICED}\n[roles.self_reviewer]\nmodel = \"gpt-4.1-mini\"\nprice-in = 1.0\nprice-out = 2.0\n\n[roles.arbiter]\nmodel = \"gpt-4.1-mini\"\nprice-in = 1.0\nprice-out = 2.0\n"
    );
    let flagged = GOOD.replacen("water", "热水", 1);
    let place = TempFolder::new(&[
        ("lesson.md", GOOD),
        ("flagged.md", &flagged),
        ("spec.json", "{\"title\": \"Water\"}"),
        ("redraft.toml", PRICED),
        ("named.toml", &named),
    ]);
    for (arguments, reviews, phrases) in [
        (&["lesson.md"][..], false, false),
        (&["flagged.md"], true, false),
        (&["lesson.md", "--spec", "spec.json"], true, false),
        (&["lesson.md", "--config", "named.toml"], true, true),
        (
            &["lesson.md", "--config", "named.toml", "--goal", "judge"],
            true,
            false,
        ),
    ] {
        let plan = planned(&place, &KEYS, arguments);
        let found = stages(&plan);
        assert_eq!(
            found.contains(&"self_review"),
            reviews,
            "{arguments:?}: {found:?}"
        );
        assert_eq!(
            found.contains(&"arbiter"),
            phrases,
            "{arguments:?}: {found:?}"
        );
    }
}

#[test]
fn a_text_that_no_judge_would_see_is_named_as_such() {
    let place = TempFolder::new(&[("lesson.md", HOLLOW)]);
    let plan = planned(&place, &[], &["lesson.md", "--goal", "judge"]);
    let unusable = plan["unusable"].as_str().unwrap();
    assert!(unusable.contains("empty-section"), "{unusable}");
    let run = place.run_among(&[], &["plan", "lesson.md", "--goal", "judge"]);
    assert!(
        run.stdout
            .contains("As the text stands, no judge is asked."),
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_no_content_is_an_error_and_a_format_for_findings_is_refused() {
    let place = TempFolder::new(&[("lesson.md", GOOD), ("other.json", "{\"a\": 1}")]);
    for arguments in [
        &["plan", "missing.md"][..],
        &["plan", "other.json"][..],
        &["plan", "lesson.md", "--format", "sarif"][..],
        &["plan", "lesson.md", "--policy", "missing.toml"][..],
    ] {
        assert_eq!(place.run_among(&[], arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn typical_costs_count_on_the_cache_after_the_first_call_and_the_worst_never() {
    let priced = |caching: &str| {
        let models = "[roles.default]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\nprice-in = 2.0\nprice-out = 8.0\n";
        format!("{models}{caching}")
    };
    let second = GOOD.replace("# ", "# Again: ");
    let documents = |caching: &str| -> Vec<Value> {
        let place = TempFolder::new(&[
            ("all/a.md", GOOD),
            ("all/b.md", &second),
            ("redraft.toml", &priced(caching)),
        ]);
        let run = place.run_among(&KEYS, &["plan", "all", "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        report["documents"].as_array().unwrap().clone()
    };
    let stage = |document: &Value, name: &str| -> Value {
        let stages = document["stages"].as_array().unwrap();
        stages
            .iter()
            .find(|stage| stage["stage"] == name)
            .unwrap()
            .clone()
    };
    let cached = documents("");
    let full = documents("price-cached-in = 2.0\n");
    assert_eq!(
        stage(&cached[0], "judge")["typical"]["cached_input"],
        Value::Null
    );
    for (document, name) in [(0, "rejudge"), (1, "judge"), (1, "rejudge")] {
        let typical = &stage(&cached[document], name)["typical"];
        let read = typical["cached_input"].as_u64().unwrap();
        // A text is judged again less than once on average.
        let least = if name == "judge" { 1_024 } else { 300 };
        assert!((least..2_500).contains(&read), "{name}: {typical}");
        // A quarter of the price, for what is read.
        let saved = read * 3 / 2;
        let full = stage(&full[document], name)["typical"]["cost_micros"].as_u64();
        assert_eq!(
            typical["cost_micros"].as_u64().map(|cost| cost + saved),
            full
        );
    }
    for (cached, full) in cached.iter().zip(&full) {
        assert_eq!(cached["total"]["worst"], full["total"]["worst"]);
    }
    let place = TempFolder::new(&[("lesson.md", GOOD), ("redraft.toml", &priced(""))]);
    let run = place.run_among(&KEYS, &["plan", "lesson.md"]);
    assert!(
        run.stdout
            .contains("read from the providers' prompt caches"),
        "{}",
        run.stdout
    );
}
