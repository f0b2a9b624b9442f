//! Panels: rulings by the profiles' own rubrics, and the reference data about
//! agreement and voting, where it is at hand.

use std::fs;

use redraft_gate::content::Document;
use redraft_gate::reading::Hint;
use redraft_gate::score::Score;
use redraft_profiles::registry;
use redraft_run::agreement::{self, Metric};
use redraft_run::arbitrate::{Arbitration, Scope, arbitrate};
use redraft_run::assess::{Assessment, Vote};
use redraft_run::cascade::{self, Cascade};
use redraft_run::profile::Profile;
use redraft_run::rubric::FixAction;
use redraft_run::verdict::Verdict;
use serde_json::{Value, json};

use crate::places::{parse, verdict};
use crate::reference_folder::data;

#[test]
fn alpha_equals_the_published_and_computed_figures() {
    let Some(folder) = data("krippendorff") else {
        return;
    };
    let text = fs::read_to_string(folder.join("examples.json")).unwrap();
    let examples: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    for (name, example) in &examples {
        let rows: Vec<Vec<Option<f64>>> = example["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_array().unwrap().iter().map(Value::as_f64).collect())
            .collect();
        for (metric, expected) in example["computed"].as_object().unwrap() {
            let found = agreement::alpha(
                &rows,
                match metric.as_str() {
                    "nominal" => Metric::Nominal,
                    "ordinal" => Metric::Ordinal,
                    "interval" => Metric::Interval,
                    "ratio" => Metric::Ratio,
                    other => panic!("{other}"),
                },
            );
            match (expected.as_f64(), found) {
                (Some(expected), Ok(found)) => {
                    assert!((expected - found).abs() < 1e-9, "{name} {metric}: {found}");
                }
                // The reference refuses it, and so do we, with a reason.
                (None, Err(_)) => {}
                (expected, found) => panic!("{name} {metric}: {expected:?} {found:?}"),
            }
            compared += 1;
        }
    }
    assert!(compared > 15, "{compared}");
}

/// Real votes of three judges for one of two answers, replayed: two are asked,
/// the third on dispute. A choice is a score of 1 or .9 for the first answer, an
/// unreadable vote leaves its seat to the third judge, and the aggregate decides.
#[test]
fn a_third_judge_on_dispute_reproduces_the_published_voting() {
    let Some(folder) = data("llmbar_votes") else {
        return;
    };
    let profile = registry::profile("lesson").unwrap();
    let rubric = profile.rubric();
    let document = parse(profile, "# A text\n\nTo vote about.\n", Hint::Markdown);
    let chosen = |model: &str, choice: u64| {
        let score = if choice == 1 { 1.0 } else { 0.9 };
        verdict(profile, &document, model, score, &[])
    };
    let ballots: Vec<(&str, [Verdict; 2])> = ["PaLM2", "ChatGPT", "GPT-4"]
        .map(|model| (model, [chosen(model, 1), chosen(model, 2)]))
        .into();
    let score = |thousandths| Score::from_thousandths(thousandths).unwrap();
    let figures = Cascade {
        clear_by: score(50),
        agree_within: score(50),
        redo_below: score(600),
    };
    let lines = fs::read_to_string(folder.join("items_votes.jsonl")).unwrap();
    let (mut items, mut calls, mut right) = (0u32, 0u32, 0u32);
    for line in lines.lines() {
        let item: Value = serde_json::from_str(line).unwrap();
        let votes: Vec<Option<Vote<'_>>> = ballots
            .iter()
            .map(|(model, ballot)| {
                // The judge's choice with the answers in their given order.
                let choice = item["votes"][format!("{model}/Vanilla")][0].as_u64()?;
                let verdict = &ballot[usize::try_from(choice - 1).ok()?];
                Some(Vote { verdict, weight: 1 })
            })
            .collect();
        let mut cast: Vec<Vote<'_>> = votes[..2].iter().copied().flatten().collect();
        calls += 2;
        if cascade::dispute(&cast, rubric, &figures) {
            cast.extend(votes[2]);
            calls += 1;
        }
        let overall = Assessment::of(&cast, rubric, &[]).unwrap().overall();
        // A tie is no decision.
        let decided = match overall.thousandths() {
            951.. => Some(1),
            950 => None,
            _ => Some(2),
        };
        items += 1;
        right += u32::from(decided == item["label"].as_u64());
    }
    let per_mille = |part: u32, whole: u32| (1000 * part + whole / 2) / whole;
    assert_eq!(items, 419);
    assert_eq!(per_mille(right, items), 695, "{right} of {items}");
    assert_eq!(per_mille(calls, 3 * items), 809, "{calls} calls");
}

fn ruled(profile: &dyn Profile, document: &Document, judges: &[(f64, Vec<Value>)]) -> Arbitration {
    let verdicts: Vec<Verdict> = judges
        .iter()
        .enumerate()
        .map(|(index, (score, issues))| {
            verdict(profile, document, &format!("judge-{index}"), *score, issues)
        })
        .collect();
    let votes: Vec<Vote<'_>> = verdicts
        .iter()
        .map(|verdict| Vote { verdict, weight: 1 })
        .collect();
    let assessment = Assessment::of(&votes, profile.rubric(), &[]).unwrap();
    arbitrate(&votes, &assessment, profile.rubric(), document)
}

fn issue(criterion: &str, severity: &str, location: &str, description: &str, fix: &str) -> Value {
    json!({
        "criterion": criterion, "severity": severity, "location": location, "quote": "",
        "description": description, "suggested_fix": fix,
    })
}

#[test]
fn the_aggregate_decides_where_judges_are_far_apart() {
    let profile = registry::profile("lesson").unwrap();
    let document = parse(profile, "# A text\n\nTo vote about.\n", Hint::Markdown);
    let verdicts = [0.95, 0.70, 0.50].map(|score| verdict(profile, &document, "judge", score, &[]));
    let votes = verdicts
        .each_ref()
        .map(|verdict| Vote { verdict, weight: 1 });
    let assessment = Assessment::of(&votes, profile.rubric(), &[]).unwrap();
    assert_eq!(assessment.overall().thousandths(), 717);
}

#[test]
fn issues_of_an_item_are_repaired_where_ruling_20_says() {
    let profile = registry::profile("clinical-mcq").unwrap();
    let whole = r#"{"vignette": "A man of 60 has chest pain since this morning.", "stem": "Which drug is given first?", "options": [{"key": "A", "text": "Aspirin"}, {"key": "B", "text": "Heparin"}], "correct_answer": "A", "rationale": "Aspirin helps."}"#;
    let bare = r#"{"stem": "Which drug is given first?", "options": [{"key": "A", "text": "Aspirin"}, {"key": "B", "text": "Heparin"}], "correct_answer": "A", "rationale": "Aspirin helps."}"#;
    let bank = format!("[{whole}, {whole}]");
    for (text, criterion, location, description, expected) in [
        (
            whole,
            "clinical_accuracy",
            "",
            "The finding is misread.",
            "vignette",
        ),
        (
            whole,
            "clinical_accuracy",
            "",
            "The explanation gives a false reason.",
            "explanation",
        ),
        (
            whole,
            "clinical_accuracy",
            "stem",
            "The explanation is fine.",
            "stem",
        ),
        (
            bare,
            "clinical_accuracy",
            "",
            "The finding is misread.",
            "stem",
        ),
        (
            whole,
            "distractor_quality",
            "",
            "Nobody would choose it.",
            "options",
        ),
        (whole, "slo_coverage", "", "Another outcome.", "stem"),
        (
            &bank,
            "distractor_quality",
            "item 2",
            "Nobody would choose it.",
            "item_2/options",
        ),
        (
            &bank,
            "distractor_quality",
            "",
            "Nobody would choose them.",
            "sec_global",
        ),
    ] {
        let document = parse(profile, text, Hint::Json);
        let said = issue(criterion, "major", location, description, "Mend it.");
        let ruled = ruled(profile, &document, &[(0.8, vec![said])]);
        let found = &ruled.issues[0].target_section_id;
        assert_eq!(found.0, expected, "{criterion} {location} {description}");
    }
}

#[test]
fn issues_of_cards_go_to_the_template_or_stay_with_the_whole() {
    let profile = registry::profile("sqa-lesson").unwrap();
    let card = r#"{"title": "Halves", "explainer": "Half of a pie.", "cfu": {"type": "numeric", "stem": "What is half of 2?"}}"#;
    for (cards, criterion, expected, scope) in [
        (
            card.to_owned(),
            "assessment_design",
            "card_001",
            Scope::Section,
        ),
        (
            format!("{card}, {card}"),
            "assessment_design",
            "sec_global",
            Scope::Global,
        ),
        (
            format!("{card}, {card}"),
            "sow_template_fidelity",
            "meta",
            Scope::Section,
        ),
    ] {
        let text =
            format!(r#"{{"title": "Fractions", "lesson_type": "teach", "cards": [{cards}]}}"#);
        let document = parse(profile, &text, Hint::Json);
        let said = issue(criterion, "major", "", "A fault.", "Mend it.");
        let ruled = ruled(profile, &document, &[(0.8, vec![said])]);
        let found = &ruled.issues[0];
        assert_eq!(found.target_section_id.0, expected, "{criterion}");
        assert_eq!(found.context_window.scope, scope, "{criterion}");
    }
}

#[test]
fn a_gap_that_an_addition_closes_is_edited() {
    let profile = registry::profile("lesson").unwrap();
    let document = parse(
        profile,
        "# Water\n\n## Heat\n\nIt is hot.\n\n## Steam\n\nIt rises.\n",
        Hint::Markdown,
    );
    for (severity, fix, expected) in [
        (
            "major",
            "Add an example of condensation.",
            FixAction::SurgicalEdit,
        ),
        (
            "major",
            "Write the section again.",
            FixAction::RegenerateSection,
        ),
        (
            "critical",
            "Add an example of condensation.",
            FixAction::RegenerateSection,
        ),
    ] {
        let said = issue("completeness", severity, "Section 2", "It is thin.", fix);
        let ruled = ruled(profile, &document, &[(0.8, vec![said])]);
        assert_eq!(ruled.issues[0].fix_action, expected, "{severity} {fix}");
    }
}
