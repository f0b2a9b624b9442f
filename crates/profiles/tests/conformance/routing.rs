//! Plans for real documents of every profile: terms, anchors and places.

use std::collections::BTreeSet;
use std::fs;

use redraft_gate::companion::Companions;
use redraft_gate::content::Document;
use redraft_gate::reading::Hint;
use redraft_gate::span::ComponentId;
use redraft_run::arbitrate::{Arbitration, ContextWindow, TargetedIssue};
use redraft_run::policy::Targets;
use redraft_run::profile::Profile;
use redraft_run::route::{RefinementPlan, RouteFigures, Routing, route};
use redraft_run::rubric::FixAction;
use redraft_run::verdict::{Anchored, Issue, IssueSeverity};

use crate::fixtures::{inspect, profile_of};
use crate::reference_folder::data;

fn nothing() -> Arbitration {
    Arbitration::of_nobody(Vec::new())
}

fn plan(profile: &dyn Profile, document: &Document, arbitration: &Arbitration) -> RefinementPlan {
    route(&Routing {
        document,
        companions: &Companions::default(),
        rubric: profile.rubric(),
        arbitration,
        assessment: None,
        findings: &[],
        figures: &RouteFigures::by_component(Targets::All),
        locked: &BTreeSet::new(),
    })
}

fn plan_for(text: &str, hint: Hint, arbitration: &Arbitration) -> RefinementPlan {
    let inspected = inspect(text.as_bytes(), hint);
    let profile = profile_of(text.as_bytes(), hint);
    plan(profile, &inspected.document, arbitration)
}

fn terms(text: &str) -> Vec<String> {
    plan_for(text, Hint::Markdown, &nothing()).preserve_terminology
}

fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
    fs::read_to_string(format!("{folder}{name}")).unwrap()
}

fn issue(
    target: &str,
    criterion: &str,
    severity: IssueSeverity,
    action: FixAction,
) -> TargetedIssue {
    TargetedIssue {
        id: "issue_1".to_owned(),
        issue: Issue {
            criterion: criterion.to_owned(),
            severity,
            location: ComponentId::from(target),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: "It is wrong.".to_owned(),
            suggested_fix: String::new(),
            source: None,
        },
        target_section_id: ComponentId::from(target),
        fix_action: action,
        context_window: ContextWindow::default(),
        fix_instructions: "Put it right.".to_owned(),
        raised_by: 1,
    }
}

#[test]
fn terms_that_a_lesson_defines_or_shares_are_kept_in_any_language() {
    let russian = "# Клетка\n\nУрок о том, из чего состоит растение.\n\n## Строение\n\n**Хлоропласт** — это часть клетки, в которой образуется сахар. Клеточная стенка держит форму.\n\n## Работа\n\nВ хлоропластах растение ловит свет. Клеточную стенку видно под микроскопом.\n";
    let chinese = "# 光合作用\n\n## 原料\n\n植物通过**气孔**吸收二氧化碳。**叶绿体**是指进行光合作用的细胞器。\n\n## 产物\n\n叶绿体产生氧气。二氧化碳变成糖。光合作用需要阳光。\n";
    for (text, wanted) in [
        (
            example("photosynthesis.md").as_str(),
            &["stomata", "carbon dioxide"][..],
        ),
        (russian, &["Хлоропласт", "Клеточная стенка"][..]),
        (chinese, &["叶绿体", "二氧化碳"][..]),
    ] {
        let found = terms(text);
        let lower: Vec<String> = found.iter().map(|term| term.to_lowercase()).collect();
        for term in wanted {
            assert!(lower.contains(&term.to_lowercase()), "{term}: {found:?}");
        }
        assert!(found.len() <= 30);
    }
}

#[test]
fn published_lessons_have_few_terms_each_of_which_they_use() {
    let Some(folder) = data("lessons_markdown") else {
        return;
    };
    let lines = fs::read_to_string(folder.join("lessons.jsonl")).unwrap();
    for line in lines.lines() {
        let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = lesson["text"].as_str().unwrap();
        let found = terms(text);
        assert!(found.len() <= 30, "{}", lesson["id"]);
        assert_eq!(found, terms(text), "{}", lesson["id"]);
        for term in &found {
            let word = term.split_whitespace().next().unwrap();
            assert!(text.contains(word), "{}: {term}", lesson["id"]);
        }
    }
}

/// Seed 003 §13.2: what each kind of issue is repaired by.
#[test]
fn a_lessons_rubric_sends_every_kind_of_issue_to_the_repair_the_seed_names() {
    let text = "# Heat\n\n## One part\n\nText of one.\n\n## Two parts\n\nText of two.\n";
    let rubric = profile_of(text.as_bytes(), Hint::Markdown).rubric();
    for (kind, criterion, severity, expected) in [
        (
            "tone",
            "clarity_readability",
            IssueSeverity::Minor,
            FixAction::SurgicalEdit,
        ),
        (
            "clarity",
            "clarity_readability",
            IssueSeverity::Major,
            FixAction::SurgicalEdit,
        ),
        (
            "examples",
            "engagement_examples",
            IssueSeverity::Major,
            FixAction::SurgicalEdit,
        ),
        (
            "fact",
            "factual_accuracy",
            IssueSeverity::Major,
            FixAction::RegenerateSection,
        ),
        (
            "structure",
            "pedagogical_structure",
            IssueSeverity::Major,
            FixAction::RegenerateSection,
        ),
        (
            "gap",
            "completeness",
            IssueSeverity::Critical,
            FixAction::RegenerateSection,
        ),
    ] {
        let repair = &rubric.criterion(criterion).unwrap().repair;
        let action = match severity {
            IssueSeverity::Critical => repair.critical,
            IssueSeverity::Major => repair.major,
            IssueSeverity::Minor => repair.minor,
        };
        let mut arbitration = nothing();
        arbitration
            .issues
            .push(issue("sec_1", criterion, severity, action));
        let plan = plan_for(text, Hint::Markdown, &arbitration);
        assert_eq!(plan.tasks[0].action_type, expected, "{kind}");
        assert_eq!(plan.tasks[0].section_id.0, "sec_1", "{kind}");
    }
}

#[test]
fn issues_of_an_item_go_to_the_part_the_rubric_names_and_never_to_its_key() {
    let item = example("clinical-item.json");
    let inspected = inspect(item.as_bytes(), Hint::Json);
    let ids: Vec<&str> = inspected
        .document
        .components()
        .iter()
        .map(|component| component.id.0.as_str())
        .collect();
    let key = ids.iter().find(|id| id.ends_with("answer_key")).unwrap();
    for (target, criterion, expected) in [
        ("sec_global", "clinical_accuracy", Some("vignette")),
        ("sec_global", "distractor_quality", Some("options")),
        ("sec_global", "blooms_match", Some("stem")),
        (*key, "clinical_accuracy", None),
    ] {
        let mut arbitration = nothing();
        let action = FixAction::SurgicalEdit;
        arbitration
            .issues
            .push(issue(target, criterion, IssueSeverity::Major, action));
        let plan = plan_for(&item, Hint::Json, &arbitration);
        match expected {
            Some(expected) => {
                assert!(
                    plan.tasks[0].section_id.0.ends_with(expected),
                    "{target} {criterion}"
                );
                assert!(plan.unserved.is_empty());
            }
            None => {
                assert!(plan.tasks.is_empty());
                assert_eq!(plan.unserved.len(), 1);
            }
        }
    }
    // The stem stands between the case and the options.
    let stem = ids.iter().find(|id| id.ends_with("stem")).unwrap();
    let mut arbitration = nothing();
    let action = FixAction::SurgicalEdit;
    arbitration
        .issues
        .push(issue(stem, "blooms_match", IssueSeverity::Minor, action));
    let anchors = &plan_for(&item, Hint::Json, &arbitration).tasks[0].context_anchors;
    assert!(
        anchors
            .prev_section_end
            .as_deref()
            .unwrap()
            .ends_with("strength are normal.")
    );
    assert!(
        anchors
            .next_section_start
            .as_deref()
            .unwrap()
            .starts_with("Ibuprofen")
    );
}
