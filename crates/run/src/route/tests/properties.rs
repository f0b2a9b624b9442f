//! What must hold for every plan.

use proptest::prelude::*;

use super::super::*;
use super::cases::*;

fn any_issue() -> impl Strategy<Value = TargetedIssue> {
    let targets = [
        "sec_1",
        "sec_2",
        "sec_3",
        "example_1",
        "example_2",
        "sec_introduction",
        "sec_global",
        "nobody",
    ];
    (
        prop::sample::select(targets.to_vec()),
        prop::sample::select(vec![Minor, Major, Critical]),
        prop::sample::select(vec![Edited, Rewrite]),
        prop::sample::select(vec![
            Anchored::NotQuoted,
            Anchored::Unanchored,
            Anchored::Exact,
        ]),
        0_usize..3,
    )
        .prop_map(|(target, severity, action, anchor, criterion)| {
            let mut issue = issue(0, target, severity, action);
            issue.issue.anchor = anchor;
            issue.issue.criterion = CRITERIA[criterion].0.to_owned();
            issue.issue.quote = (anchor != Anchored::NotQuoted).then(|| "Alpha".to_owned());
            issue
        })
}

proptest! {
    #[test]
    fn no_issue_is_lost_and_the_order_of_issues_does_not_matter(
        issues in prop::collection::vec(any_issue(), 0..12),
        targets in prop::sample::select(vec![Targets::All, Targets::Failing, Targets::Weakest]),
        locked in prop::sample::subsequence(vec!["sec_1", "sec_2", "example_2"], 0..=3),
        whole in any::<bool>(),
    ) {
        let document = lesson("Opening words.\n\n## One here\n\nAlpha is told.\n\n### Example a\n\nBeta.\n\n## Two here\n\nGamma.\n\n### Example b\n\nDelta.\n\n## Three here\n\nEnd.\n");
        let mut issues = issues;
        for (number, issue) in issues.iter_mut().enumerate() {
            issue.id = format!("issue_{}", number + 1);
        }
        let mut figures = if whole { whole_figures() } else { RouteFigures::by_component(targets) };
        figures.targets = targets;
        let mut case = Case {
            scores: Some(["0.7", "0.8", "0.75", "0.9"]),
            locked: &locked,
            figures,
            ..Case::of(&document, issues.clone())
        };
        let plan = case.plan();
        for issue in &issues {
            let in_task = plan.tasks.iter().any(|task| task.source_issues.contains(issue));
            let bound = plan.global_issues.contains(issue);
            let left = plan.unserved.iter().filter(|left| left.issue == *issue).count();
            prop_assert!(in_task || bound || left == 1, "{} is lost", issue.id);
            prop_assert!(left == 0 || !(in_task || bound), "{} is both", issue.id);
        }
        let mut batched: Vec<ComponentId> = plan.execution_batches.concat();
        batched.sort();
        let mut tasks: Vec<ComponentId> = plan.tasks.iter().map(|task| task.section_id.clone()).collect();
        tasks.sort();
        prop_assert_eq!(batched, tasks);
        for id in &locked {
            prop_assert!(plan.tasks.iter().all(|task| task.section_id.0 != *id));
        }
        case.arbitration.issues.reverse();
        prop_assert_eq!(&case.plan(), &plan);
    }
}
