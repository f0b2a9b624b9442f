//! Hostile and honest repairs of items in fifteen languages, as data (`hostile/repairs_*.json`):
//! answers given away in a stem, options that repeat the key in another form or unit, explanations
//! for another option, reversed facts, markup and look-alike letters. Each hostile repair is
//! rejected with a reason, and each honest one is kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use redraft_run::ask::Role;
use redraft_run::outcome::TaskDone;
use serde::Deserialize;
use serde_json::Value;

use crate::fixtures::block;
use crate::items::NAMES;
use crate::json_fixtures::{Refined, ScriptedIssue, content, refined, refinement, repair, verdict};

const IN_MORE_LANGUAGES: [&str; 2] = ["repairs_of_items.json", "more_repairs_of_items.json"];
const IN_SEVEN_LANGUAGES: [&str; 1] = ["repairs_in_seven_languages.json"];
const OF_A_BANK: [&str; 1] = ["repairs_of_a_bank.json"];
const OF_SUBJECTS: [&str; 1] = ["repairs_of_subjects.json"];

fn all_repairs(files: &[&str]) -> Vec<Repairs> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs/hostile");
    let read = |name: &&str| {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    files.iter().map(read).collect()
}

#[derive(Deserialize)]
struct Repairs {
    items: BTreeMap<String, Value>,
    hostile: Vec<Repair>,
    honest: Vec<Repair>,
}

#[derive(Debug, Deserialize)]
struct Repair {
    item: String,
    component: String,
    /// What the issue quotes.
    quote: String,
    #[serde(default)]
    edits: Vec<(String, String)>,
    #[serde(default)]
    whole: Option<String>,
}

fn tried(repairs: &Repairs, case: &Repair) -> Refined {
    let component = case.component.as_str();
    let is_whole = case.whole.is_some();
    let (weak, severity) = match component {
        "options" => (2, "major"),
        "stem" => (1, if is_whole { "major" } else { "minor" }),
        _ => (0, if is_whole { "major" } else { "minor" }),
    };
    let issue: ScriptedIssue<'_> = (
        NAMES[weak],
        severity,
        component,
        &case.quote,
        "This is too weak for its purpose.",
    );
    let mut scores: Vec<(&str, f64)> = NAMES.into_iter().map(|name| (name, 0.76)).collect();
    scores[weak].1 = 0.3;
    scores[4].1 = 0.78;
    let better: Vec<(&str, f64)> = NAMES
        .into_iter()
        .zip([0.92, 0.88, 0.9, 0.86, 0.84])
        .collect();
    let edits: Vec<String> = case
        .edits
        .iter()
        .map(|(from, to)| block(from, to))
        .collect();
    let answer = case.whole.clone().unwrap_or_else(|| edits.join("\n"));
    let script = [
        verdict(0, &scores, &[issue]),
        verdict(1, &better, &[]),
        repair("patcher", component, &answer),
        repair("section_expander", component, &answer),
        content(),
    ]
    .concat();
    let item = serde_json::to_string_pretty(&repairs.items[&case.item]).unwrap();
    let mut setup = refinement("clinical-mcq", &item);
    setup.seats.retain(|seat| seat.role != Role::Solver);
    refined(setup, &script)
}

/// Why a repair was not kept, and why earlier answers were discarded.
pub(crate) fn reasons(task: &TaskDone) -> String {
    let because = task.because.as_ref().map(ToString::to_string);
    let not_used = task.not_used.iter().map(|one| one.message.clone());
    not_used.chain(because).collect::<Vec<_>>().join(" | ")
}

fn hostile_ones_are_rejected(files: &[&str], least: usize) {
    let all = all_repairs(files);
    let mut kept = Vec::new();
    let cases = all
        .iter()
        .flat_map(|all| all.hostile.iter().map(move |case| (all, case)));
    let mut count = 0;
    for (repairs, case) in cases {
        count += 1;
        let outcome = tried(repairs, case).outcome;
        if outcome.final_content.is_some() {
            kept.push(format!("{case:?}"));
            continue;
        }
        assert!(!outcome.tasks.is_empty(), "{case:?}");
        for task in &outcome.tasks {
            assert!(!task.kept && !reasons(task).is_empty(), "{case:?}");
        }
    }
    assert!(count >= least, "{count}");
    assert!(kept.is_empty(), "{} kept:\n{}", kept.len(), kept.join("\n"));
}

fn honest_ones_are_kept(files: &[&str]) {
    let all = all_repairs(files);
    let mut lost = Vec::new();
    for (repairs, case) in all
        .iter()
        .flat_map(|all| all.honest.iter().map(move |case| (all, case)))
    {
        let outcome = tried(repairs, case).outcome;
        let told: Vec<String> = outcome.tasks.iter().map(reasons).collect();
        if outcome.final_content.is_none() {
            lost.push(format!("{case:?}: {told:?}"));
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn hostile_repairs_in_more_languages_are_rejected_with_a_reason() {
    hostile_ones_are_rejected(&IN_MORE_LANGUAGES, 230);
}

#[test]
fn honest_repairs_in_more_languages_are_kept() {
    honest_ones_are_kept(&IN_MORE_LANGUAGES);
}

#[test]
fn hostile_repairs_in_seven_languages_are_rejected_with_a_reason() {
    hostile_ones_are_rejected(&IN_SEVEN_LANGUAGES, 100);
}

#[test]
fn honest_repairs_in_seven_languages_are_kept() {
    honest_ones_are_kept(&IN_SEVEN_LANGUAGES);
}

#[test]
fn hostile_repairs_of_a_bank_are_rejected_with_a_reason() {
    hostile_ones_are_rejected(&OF_A_BANK, 60);
}

#[test]
fn honest_repairs_of_a_bank_are_kept() {
    honest_ones_are_kept(&OF_A_BANK);
}

#[test]
fn hostile_repairs_of_many_subjects_are_rejected_with_a_reason() {
    hostile_ones_are_rejected(&OF_SUBJECTS, 80);
}

#[test]
fn honest_repairs_of_many_subjects_are_kept() {
    honest_ones_are_kept(&OF_SUBJECTS);
}
