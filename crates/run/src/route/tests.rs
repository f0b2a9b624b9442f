//! Plans for small documents: the router's tables row by row. The submodules test wording, findings
//! and properties of every plan.

mod cases;
mod findings;
mod properties;
mod tasks;

use super::*;
use cases::*;

#[test]
fn the_whole_is_written_again_where_the_table_says_so() {
    let document = seven();
    let good = ["0.9", "0.9", "0.9", "0.9"];
    let critical = |sections: &[usize]| -> Vec<TargetedIssue> {
        sections
            .iter()
            .map(|number| issue(*number, &format!("sec_{number}"), Critical, Edited))
            .collect()
    };
    for (scores, issues, expected) in [
        (good, critical(&[]), None),
        (
            ["0.9", "0.599", "0.9", "0.9"],
            critical(&[]),
            Some("structure"),
        ),
        (["0.9", "0.600", "0.9", "0.9"], critical(&[]), None),
        // Two of seven sections are 29%, three are 43%.
        (good, critical(&[1, 2]), None),
        (good, critical(&[1, 2, 3]), Some("critical_sections")),
        (good, critical(&[1, 1, 1]), None),
        (["0.5", "0.7", "0.5", "0.5"], critical(&[]), Some("overall")),
        (["0.6", "0.6", "0.6", "0.6"], critical(&[]), None),
    ] {
        let count = issues.len();
        let case = Case {
            scores: Some(scores),
            figures: whole_figures(),
            ..Case::of(&document, issues)
        };
        let plan = case.plan();
        match expected {
            Some(word) => {
                let because = serde_json::to_value(&plan.whole_because).unwrap();
                assert_eq!(because["kind"], word);
                assert!(plan.tasks.is_empty());
                assert_eq!(plan.unserved.len(), count);
            }
            None => assert_eq!(plan.whole_because, None, "{scores:?}"),
        }
    }
}

#[test]
fn a_missing_quote_never_alone_regenerates() {
    let document = seven();
    let mut unanchored = issue(1, "sec_1", Critical, Rewrite);
    unanchored.issue.anchor = Anchored::Unanchored;
    let mut others = vec![unanchored.clone()];
    for number in 2..=4 {
        let mut other = unanchored.clone();
        other.id = format!("issue_{number}");
        other.target_section_id = ComponentId(format!("sec_{number}"));
        others.push(other);
    }
    let case = Case {
        figures: whole_figures(),
        ..Case::of(&document, others)
    };
    assert_eq!(case.plan().whole_because, None);
    assert_eq!(
        shown(&Case::of(&document, vec![unanchored.clone()]).plan()),
        ["sec_1 edit: issue_1"]
    );
    let sure = issue(2, "sec_1", Minor, Rewrite);
    let plan = Case::of(&document, vec![unanchored, sure]).plan();
    assert_eq!(shown(&plan), ["sec_1 rewrite: issue_1 issue_2"]);
}

#[test]
fn a_section_gets_the_strongest_action_and_all_its_issues() {
    let document = seven();
    let plan = Case::of(
        &document,
        vec![
            issue(3, "sec_2", Minor, Edited),
            issue(1, "sec_2", Major, Rewrite),
            issue(2, "sec_5", Critical, Edited),
            issue(4, "sec_2", Critical, Edited),
        ],
    )
    .plan();
    assert_eq!(
        shown(&plan),
        [
            "sec_2 rewrite: issue_4 issue_1 issue_3",
            "sec_5 edit: issue_2"
        ]
    );
    assert_eq!(plan.tasks[0].priority, Critical);
    assert_eq!(plan.tasks[0].check_after, Some(ComponentId::from("sec_3")));
    assert_eq!(plan.tasks[1].check_after, None);
    assert_eq!(batches_of(&plan), [["sec_5"], ["sec_2"]]);
    assert_eq!(
        plan.tasks[0].synthesized_instructions,
        "1. [critical] clarity: Mend fault 4.\n2. [major] clarity: Mend fault 1.\n3. [minor] clarity: Mend fault 3."
    );
    assert_eq!(plan.sections_to_preserve.len(), 5);
    assert!(
        plan.tasks
            .iter()
            .all(|task| task.estimated_tokens.total() > 0)
    );
    assert_eq!(
        plan.estimated_cost,
        plan.tasks
            .iter()
            .map(|task| task.estimated_tokens.total())
            .sum::<u64>()
    );
}

/// The cases of seed 003 §13.2, with the actions of a lesson's rubric (ruling 28).
#[test]
fn the_kinds_of_issue_of_the_seed_get_the_repair_it_recommends() {
    let document = seven();
    for (kind, severity, action, expected) in [
        ("grammar or tone", Minor, Edited, "sec_3 edit: issue_1"),
        ("minor clarity", Minor, Edited, "sec_3 edit: issue_1"),
        ("missing examples", Major, Edited, "sec_3 edit: issue_1"),
        ("factual error", Major, Rewrite, "sec_3 rewrite: issue_1"),
        ("structure", Major, Rewrite, "sec_3 rewrite: issue_1"),
    ] {
        let case = Case {
            figures: whole_figures(),
            ..Case::of(&document, vec![issue(1, "sec_3", severity, action)])
        };
        assert_eq!(shown(&case.plan()), [expected], "{kind}");
    }
    // Several major issues that lower the score: rewrite everything.
    let majors = (1..=7).map(|number| issue(number, &format!("sec_{number}"), Major, Rewrite));
    let case = Case {
        figures: whole_figures(),
        scores: Some(["0.5", "0.65", "0.55", "0.5"]),
        ..Case::of(&document, majors.collect())
    };
    assert!(case.plan().whole_because.is_some());
}

#[test]
fn the_example_of_the_seed_gives_its_batches() {
    let document = seven();
    let of = |numbers: &[(usize, IssueSeverity)]| {
        let issues = numbers
            .iter()
            .map(|(number, severity)| issue(*number, &format!("sec_{number}"), *severity, Edited));
        Case::of(&document, issues.collect()).plan()
    };
    let plan = of(&[(7, Minor), (4, Minor), (1, Minor), (3, Minor)]);
    assert_eq!(
        batches_of(&plan),
        [vec!["sec_1", "sec_3", "sec_7"], vec!["sec_4"]]
    );
    let plan = of(&[(1, Minor), (3, Minor), (4, Critical), (7, Major)]);
    assert_eq!(
        batches_of(&plan),
        [vec!["sec_4", "sec_7", "sec_1"], vec!["sec_3"]]
    );
}

#[test]
fn issues_about_the_whole_are_placed_as_the_table_says() {
    let text = "## Boiling water\n\nWater boils at 100 °C. Steam rises.\n\n## Heat and pressure\n\nA pan has a lid.\n\n## Cooling\n\nIce melts.\n";
    let document = lesson(text);
    let global = |id, severity| issue(id, "sec_global", severity, Rewrite);
    let mut quoted = global(1, Major);
    quoted.issue.quote = Some("pan has a lid".to_owned());
    quoted.issue.anchor = Anchored::Exact;
    let mut straightened = quoted.clone();
    straightened.issue.quote = Some("Steam, rises!".to_owned());
    straightened.issue.anchor = Anchored::Normalised;
    let mut named = global(1, Minor);
    named.issue.description = "In sec_3 nothing is explained".to_owned();
    let mut titled = global(1, Minor);
    titled.issue.description = "“Heat and pressure” is thin".to_owned();
    let mut missing = global(1, Minor);
    missing.issue.description = "nothing is said about how ice melts".to_owned();
    let mut unknown = global(1, Minor);
    unknown.issue.description = "zzz".to_owned();
    unknown.fix_instructions = "yyy".to_owned();
    let mut critical = missing.clone();
    critical.issue.severity = Critical;
    let nowhere = issue(1, "sec_99", Minor, Edited);
    let other = issue(2, "sec_1", Minor, Edited);
    for (name, one, alone, beside) in [
        ("quoted", &quoted, "sec_2 rewrite: issue_1", true),
        (
            "straightened",
            &straightened,
            "sec_1 rewrite: issue_1",
            true,
        ),
        ("named", &named, "sec_3 rewrite: issue_1", true),
        ("titled", &titled, "sec_2 rewrite: issue_1", true),
        ("missing", &missing, "sec_3 edit: issue_1", false),
        ("critical", &critical, "sec_3 edit: issue_1", true),
        ("unknown", &unknown, "sec_1 edit: issue_1", false),
        ("no such part", &nowhere, "sec_1 edit: issue_1", false),
    ] {
        assert_eq!(
            shown(&Case::of(&document, vec![one.clone()]).plan()),
            [alone],
            "{name}"
        );
        let plan = Case::of(&document, vec![one.clone(), other.clone()]).plan();
        if beside {
            assert!(plan.global_issues.is_empty(), "{name}");
        } else {
            assert_eq!(shown(&plan), ["sec_1 edit: issue_2"], "{name}");
            assert_eq!(plan.global_issues, std::slice::from_ref(one), "{name}");
            assert!(
                plan.tasks[0].constraints[0].contains(&one.fix_instructions),
                "{name}"
            );
            assert!(
                plan.tasks[0]
                    .synthesized_instructions
                    .contains(&one.fix_instructions)
            );
        }
        assert!(plan.unserved.is_empty(), "{name}");
    }
}

#[test]
fn a_locked_part_gets_no_task_and_its_issues_say_why() {
    let document =
        lesson("## One here\n\nText.\n\n### Example a\n\nText.\n\n## Two here\n\nText.\n");
    let issues = vec![
        issue(1, "sec_1", Critical, Rewrite),
        issue(2, "example_1", Minor, Edited),
        issue(3, "sec_2", Minor, Edited),
        issue(4, "sec_global", Minor, Edited),
    ];
    let case = Case {
        locked: &["sec_1"],
        ..Case::of(&document, issues.clone())
    };
    let plan = case.plan();
    assert_eq!(shown(&plan), ["sec_2 edit: issue_3"]);
    let left: Vec<&str> = plan
        .unserved
        .iter()
        .map(|left| left.issue.id.as_str())
        .collect();
    assert_eq!(left, ["issue_1", "issue_2"]);
    let locked = vec![ComponentId("sec_1".to_owned())];
    assert_eq!(
        plan.unserved[0].because,
        UnservedReason::Locked { components: locked }
    );
    let case = Case {
        locked: &["sec_1", "sec_2"],
        ..Case::of(&document, issues)
    };
    assert_eq!(case.plan().unserved.len(), 4);
}

#[test]
fn what_lies_in_a_rewritten_part_is_served_there_and_else_runs_apart() {
    let text = "## One here\n\nText.\n\n### Example a\n\nText.\n\n## Two here\n\nText.\n";
    let document = lesson(text);
    let plan = |action| {
        let issues = vec![
            issue(1, "sec_1", Major, action),
            issue(2, "example_1", Critical, Edited),
        ];
        Case::of(&document, issues).plan()
    };
    assert_eq!(shown(&plan(Rewrite)), ["sec_1 rewrite: issue_2 issue_1"]);
    let apart = plan(Edited);
    assert_eq!(
        shown(&apart),
        ["sec_1 edit: issue_1", "example_1 edit: issue_2"]
    );
    assert_eq!(batches_of(&apart), [["example_1"], ["sec_1"]]);
    assert_eq!(apart.sections_to_preserve, [ComponentId::from("sec_2")]);
}

#[test]
fn the_policys_targets_choose_the_parts() {
    let document = seven();
    let issues = || {
        let mut passing = issue(3, "sec_6", Minor, Edited);
        passing.issue.criterion = "structure".to_owned();
        vec![
            issue(1, "sec_1", Minor, Edited),
            issue(2, "sec_3", Major, Edited),
            passing,
        ]
    };
    let scores = ["0.85", "0.95", "0.80", "0.80"];
    for (targets, scores, expected, left) in [
        (Targets::All, scores, &["sec_1", "sec_3", "sec_6"][..], 0),
        // Clarity is below its threshold, structure is not.
        (Targets::Failing, scores, &["sec_1", "sec_3"][..], 1),
        // Clarity and completeness have the lowest scores, and clarity weighs more.
        (Targets::Weakest, scores, &["sec_3"][..], 2),
        (
            Targets::Weakest,
            ["0.85", "0.70", "0.80", "0.80"],
            &["sec_6"][..],
            2,
        ),
        // No issue explains the score, so the rubric names the component.
        (
            Targets::Weakest,
            ["0.60", "0.95", "0.80", "0.80"],
            &["sec_2"][..],
            3,
        ),
    ] {
        let case = Case {
            rubric: rubric(true),
            scores: Some(scores),
            figures: RouteFigures::by_component(targets),
            ..Case::of(&document, issues())
        };
        let plan = case.plan();
        let modified: Vec<&str> = plan
            .sections_to_modify
            .iter()
            .map(|id| id.0.as_str())
            .collect();
        assert_eq!(modified, expected, "{targets:?} {scores:?}");
        assert_eq!(plan.unserved.len(), left, "{targets:?} {scores:?}");
        let told = plan
            .tasks
            .iter()
            .all(|task| !task.synthesized_instructions.is_empty());
        assert!(told, "{targets:?} {scores:?}");
    }
    let minor = vec![issue(1, "sec_1", Minor, Edited)];
    let case = Case {
        scores: Some(["0.95", "0.95", "0.95", "0.95"]),
        figures: RouteFigures::by_component(Targets::Failing),
        ..Case::of(&document, minor)
    };
    assert_eq!(shown(&case.plan()), ["sec_1 edit: issue_1"]);
}
