//! The contents of tasks and plans: instructions, constraints, context, and the seed's names.

use super::super::*;
use super::cases::*;
use crate::planning_reasons::{Opposition, Precedence};

#[test]
fn the_loser_of_a_conflict_is_a_constraint_and_no_demand() {
    let document = seven();
    let issues = vec![
        issue(1, "sec_2", Major, Edited),
        issue(2, "sec_2", Minor, Edited),
    ];
    let mut case = Case::of(&document, issues);
    case.arbitration.conflicts.push(Conflict {
        section_id: ComponentId::from("sec_2"),
        about: Opposition::AddOrCut,
        winner: "issue_1".to_owned(),
        loser: "issue_2".to_owned(),
        constraint: "Keep it short.".to_owned(),
        because: Precedence::Position,
        winner_criterion: String::new(),
        loser_criterion: String::new(),
    });
    let plan = case.plan();
    assert_eq!(shown(&plan), ["sec_2 edit: issue_1 issue_2"]);
    assert_eq!(plan.tasks[0].constraints, ["Keep it short."]);
    assert_eq!(
        plan.tasks[0].synthesized_instructions,
        "1. [major] clarity: Mend fault 1.\nWhile doing so:\n- Keep it short."
    );
}

#[test]
fn instructions_say_where_and_nothing_twice() {
    let document = seven();
    let mut one = issue(1, "sec_2", Major, Edited);
    one.issue.quote = Some("Fact 2".to_owned());
    one.issue.anchor = Anchored::Exact;
    let mut same = issue(2, "sec_2", Minor, Edited);
    same.fix_instructions = "Mend fault 3".to_owned();
    let plan = Case::of(&document, vec![one, same, issue(3, "sec_2", Minor, Edited)]).plan();
    assert_eq!(
        plan.tasks[0].synthesized_instructions,
        "1. [major] clarity: At “Fact 2”: Mend fault 1.\n2. [minor] clarity: Mend fault 3"
    );
    assert_eq!(plan.tasks[0].source_issues.len(), 3);
}

#[test]
fn the_text_on_both_sides_is_three_whole_sentences() {
    let text = "Hello there. Dr. Smith waits.\n\n## One here\n\nFirst. Second one. Third.\n\n```\nlet x = 1. Then. More.\n```\n\n- Fourth *item*. Fifth.\n\n## Two here\n\nIn it.\n\n### Example a\n\nMiddle.\n\nEnd of two.\n\n## Three here\n\n```\ncode. only.\n```\n";
    let document = lesson(text);
    let parts = ComponentTree::of(&document);
    for (part, before, after) in [
        ("sec_introduction", None, Some("First. Second one. Third.")),
        (
            "sec_1",
            Some("Hello there. Dr. Smith waits."),
            Some("In it. Middle. End of two."),
        ),
        ("sec_2", Some("Third. Fourth item. Fifth."), None),
        // Its section has nothing after it, and then there is only code.
        ("example_1", Some("In it."), None),
        ("sec_3", Some("In it. Middle. End of two."), None),
    ] {
        let index = parts.find(&ComponentId::from(part)).unwrap();
        let anchors = context::anchors(&parts, index);
        assert_eq!(anchors.prev_section_end.as_deref(), before, "{part}");
        assert_eq!(anchors.next_section_start.as_deref(), after, "{part}");
    }
}

#[test]
fn a_plan_has_the_seeds_fields_in_snake_case() {
    let document = seven();
    let issues = vec![
        issue(1, "sec_2", Major, Rewrite),
        issue(2, "sec_global", Minor, Edited),
    ];
    let plan = serde_json::to_value(Case::of(&document, issues).plan()).unwrap();
    assert_eq!(plan["status"], "PENDING");
    for name in [
        "tasks",
        "execution_batches",
        "estimated_cost",
        "agreement_score",
        "agreement_level",
        "conflict_resolutions",
        "sections_to_preserve",
        "sections_to_modify",
        "preserve_terminology",
        "global_issues",
        "unserved",
    ] {
        assert!(plan.get(name).is_some(), "{name}");
    }
    let task = &plan["tasks"][0];
    assert_eq!(task["section_id"], "sec_2");
    assert_eq!(task["action_type"], "REGENERATE_SECTION");
    assert_eq!(task["priority"], "major");
    for name in [
        "section_title",
        "synthesized_instructions",
        "context_anchors",
        "source_issues",
    ] {
        assert!(task.get(name).is_some(), "{name}");
    }
    assert!(task["context_anchors"].get("prev_section_end").is_some());
    assert!(task["context_anchors"].get("next_section_start").is_some());
    assert_eq!(task["source_issues"][0]["target_section_id"], "sec_2");
}
