//! Plans from small documents: the tables of the router row by row, and what must
//! hold for every plan.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::arbitrate::{Agreement, ContextWindow};
use crate::ask::{Finish, ModelSettings, Reply, Role, Usage};
use crate::assess::Vote;
use crate::check::{Check, Concern, Mends};
use crate::content::{Component, DocumentBuilder, NewText, TextRole};
use crate::edit::Edit;
use crate::finding::Fix;
use crate::rubric::{Anchor, Criterion, Precision, Repair};
use crate::source::Source;
use crate::verdict::{self, Issue, Judge, Question};
use redraft_text::language::Language;
use redraft_text::text_map::TextMap;

/// A Markdown lesson of sections `## …` with examples `### …` in them; what
/// stands before them is the introduction.
pub(super) fn lesson(text: &str) -> Document {
    let source = Source::new(text.as_bytes().to_vec());
    let mut builder = DocumentBuilder::new(source, "markdown");
    let heads: Vec<(usize, &str)> = text
        .match_indices("## ")
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with(['\n', '#']))
        .map(|(at, _)| {
            let start = if text[..at].ends_with('#') {
                at - 1
            } else {
                at
            };
            (start, text[start..].lines().next().unwrap())
        })
        .collect();
    let end_of = |at: usize, level: usize| {
        let later = heads.iter().filter(|(start, _)| *start > at);
        later
            .filter(|(_, line)| line.chars().take_while(|c| *c == '#').count() <= level)
            .map(|(start, _)| *start)
            .next()
            .unwrap_or(text.len())
    };
    let mut add = |id: String, kind, title: Option<String>, range, parent| {
        builder.component(Component {
            id: ComponentId(id),
            kind,
            title,
            range,
            parent: Some(parent),
        })
    };
    let first = heads.first().map_or(text.len(), |(start, _)| *start);
    if first > 0 {
        add(
            "sec_introduction".to_owned(),
            ComponentKind::Introduction,
            None,
            0..first,
            0,
        );
    }
    let (mut sections, mut examples, mut parent) = (0, 0, 0);
    for (start, line) in &heads {
        let title = Some(line.trim_start_matches('#').trim().to_owned());
        if line.starts_with("###") {
            examples += 1;
            let id = format!("example_{examples}");
            add(
                id,
                ComponentKind::Example,
                title,
                *start..end_of(*start, 3),
                parent,
            );
        } else {
            sections += 1;
            let id = format!("sec_{sections}");
            let range = *start..end_of(*start, 2);
            parent = add(id, ComponentKind::Section, title, range, 0);
        }
    }
    builder.text(NewText {
        component: 0,
        path: "".into(),
        role: TextRole::Body,
        map: TextMap::identity(0, text.len()),
        text: builder.source_text().into(),
        markdown: None,
    });
    builder.finish(Some(Language::EN))
}

fn seven() -> Document {
    let text = (1..=7).fold(String::new(), |mut text, number| {
        let _ = write!(
            text,
            "## Part {number} of it\n\nFact {number} is told. It is long. More of {number}. Last of {number}.\n\n"
        );
        text
    });
    lesson(&text)
}

fn score(thousandths: u16) -> Score {
    Score::from_thousandths(thousandths).unwrap()
}

const CRITERIA: [(&str, u32, Option<&str>); 4] = [
    ("accuracy", 30, Some("sec_2")),
    ("structure", 20, None),
    ("clarity", 20, None),
    ("completeness", 10, Some("sec_4")),
];

fn rubric(with_targets: bool) -> Rubric {
    let criteria = CRITERIA.iter().map(|(name, weight, target)| Criterion {
        name: (*name).to_owned(),
        weight: *weight,
        threshold: Some(score(880)),
        description: format!("what {name} is about"),
        not_about: String::new(),
        anchors: vec![Anchor {
            at: Score::ONE,
            means: String::new(),
        }],
        evidence: String::new(),
        repair: Repair {
            critical: FixAction::RegenerateSection,
            major: FixAction::RegenerateSection,
            minor: FixAction::SurgicalEdit,
            major_addition: None,
            target: target.filter(|_| with_targets).map(str::to_owned),
        },
        factual: false,
    });
    Rubric {
        name: "test".to_owned(),
        criteria: criteria.collect(),
        hierarchy: CRITERIA
            .iter()
            .map(|(name, ..)| (*name).to_owned())
            .collect(),
        precision: Precision::Thousandths,
    }
}

/// Scores come only out of a judge's reply.
fn assessment(document: &Document, rubric: &Rubric, scores: [&str; 4]) -> Assessment {
    let model = ModelSettings {
        provider: "scripted".to_owned(),
        model: "m".to_owned(),
        temperature_hundredths: 0,
        max_tokens: 100,
        price_in: 0,
        price_out: 0,
    };
    let judge = Judge::new(Role::JudgeSecondary, &model);
    let question = Question {
        document,
        rubric,
        judge: &judge,
    };
    let given: Vec<String> = CRITERIA
        .iter()
        .zip(scores)
        .map(|((name, ..), score)| format!("\"{name}\": {score}"))
        .collect();
    let reply = format!(
        "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}, \"overall\": 0.5, \"confidence\": \"high\"}}",
        document.source().version(),
        given.join(", ")
    );
    let reply = Reply {
        text: reply,
        finish: Finish::Stop,
        usage: Usage {
            tokens: Tokens::default(),
            estimated: true,
        },
        took: 0,
    };
    let verdict = verdict::read(&question, &reply).unwrap();
    let vote = Vote {
        verdict: &verdict,
        weight: 1,
    };
    Assessment::of(&[vote], rubric, &[]).unwrap()
}

fn issue(id: usize, target: &str, severity: IssueSeverity, action: FixAction) -> TargetedIssue {
    TargetedIssue {
        id: format!("issue_{id}"),
        issue: Issue {
            criterion: "clarity".to_owned(),
            severity,
            location: ComponentId::from(target),
            quote: None,
            anchor: Anchored::NotQuoted,
            description: format!("fault {id}"),
            suggested_fix: String::new(),
            source: None,
        },
        target_section_id: ComponentId::from(target),
        fix_action: action,
        context_window: ContextWindow::default(),
        fix_instructions: format!("Mend fault {id}."),
        raised_by: 1,
    }
}

use FixAction::{RegenerateSection as Rewrite, SurgicalEdit as Edited};
use IssueSeverity::{Critical, Major, Minor};

fn ruled(issues: Vec<TargetedIssue>) -> Arbitration {
    Arbitration {
        agreement: Agreement {
            level: AgreementLevel::NotApplicable,
            alpha: None,
            undefined_because: None,
            widest_spread: 0,
        },
        issues,
        set_aside: Vec::new(),
        conflicts: Vec::new(),
        needs_review: false,
    }
}

/// A plan under some figures; the rest is nothing out of the ordinary.
struct Case<'a> {
    document: &'a Document,
    arbitration: Arbitration,
    rubric: Rubric,
    scores: Option<[&'a str; 4]>,
    findings: Vec<Finding>,
    figures: RouteFigures,
    locked: &'a [&'a str],
}

impl<'a> Case<'a> {
    fn of(document: &'a Document, issues: Vec<TargetedIssue>) -> Self {
        Self {
            document,
            arbitration: ruled(issues),
            rubric: rubric(false),
            scores: None,
            findings: Vec::new(),
            figures: RouteFigures::part_by_part(Targets::All),
            locked: &[],
        }
    }

    fn plan(&self) -> RefinementPlan {
        let assessment = self
            .scores
            .map(|scores| assessment(self.document, &self.rubric, scores));
        route(&Routing {
            document: self.document,
            companions: &Companions::default(),
            rubric: &self.rubric,
            arbitration: &self.arbitration,
            assessment: assessment.as_ref(),
            findings: &self.findings,
            figures: &self.figures,
            locked: &self
                .locked
                .iter()
                .map(|id| ComponentId::from(*id))
                .collect(),
        })
    }
}

/// `sec_1 edit: issue_1 issue_2`, a line a task.
fn shown(plan: &RefinementPlan) -> Vec<String> {
    plan.tasks
        .iter()
        .map(|task| {
            let action = match task.action_type {
                Edited => "edit",
                Rewrite => "rewrite",
            };
            let issues: Vec<&str> = task
                .source_issues
                .iter()
                .map(|issue| issue.id.as_str())
                .collect();
            format!("{} {action}: {}", task.section_id, issues.join(" "))
        })
        .collect()
}

fn batches_of(plan: &RefinementPlan) -> Vec<Vec<&str>> {
    plan.execution_batches
        .iter()
        .map(|batch| batch.iter().map(|id| id.0.as_str()).collect())
        .collect()
}

fn whole_figures() -> RouteFigures {
    RouteFigures::seed("structure")
}

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
        // Two of seven are 29%, three 43%.
        (good, critical(&[1, 2]), None),
        (good, critical(&[1, 2, 3]), Some("3 of 7")),
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
                let because = plan.whole_because.clone().unwrap();
                assert!(because.contains(word), "{because}");
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

/// Seed 003 §13.2, with the actions that a lesson's rubric gives (ruling 28).
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
    // Multiple major ones that bring the score down: all of it.
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
    assert!(plan.unserved[0].because.contains("sec_1 has been edited"));
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
        // Clarity and completeness are the lowest, clarity weighs more.
        (Targets::Weakest, scores, &["sec_3"][..], 2),
        (
            Targets::Weakest,
            ["0.85", "0.70", "0.80", "0.80"],
            &["sec_6"][..],
            2,
        ),
        // Nobody said what is wrong: the rubric names the part.
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
            figures: RouteFigures::part_by_part(targets),
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
        figures: RouteFigures::part_by_part(Targets::Failing),
        ..Case::of(&document, minor)
    };
    assert_eq!(shown(&case.plan()), ["sec_1 edit: issue_1"]);
}

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
        about: "adding against cutting".to_owned(),
        winner: "issue_1".to_owned(),
        loser: "issue_2".to_owned(),
        constraint: "Keep it short.".to_owned(),
        resolution: String::new(),
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

static HYGIENE: Check = check(Phase::Hygiene);
static SEMANTICS: Check = check(Phase::Semantics);

const fn check(phase: Phase) -> Check {
    Check {
        code: "TST001",
        name: "test-fault",
        severity: Severity::Error,
        critical: false,
        mends: Mends::Never,
        phase,
        concern: Concern::Hygiene,
        summary: "",
        what: "",
        why: "",
        examples: &[],
        parameters: &[],
        caps: &[],
        run: |_, _| {},
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn open_findings_go_along_and_errors_make_tasks() {
    let document = seven();
    let finding = |check: &'static Check, severity, part: &str, fix: Option<Fix>| Finding {
        check,
        severity,
        critical: false,
        component: ComponentId::from(part),
        span: document.span(0..1),
        message: format!("a fault in {part}"),
        fix,
        caps: Vec::new(),
    };
    let safe = || {
        Some(Fix::safe(vec![Edit {
            span: document.span(0..1),
            text: String::new(),
        }]))
    };
    for (check, severity, part, fix, expected) in [
        (
            &SEMANTICS,
            Severity::Warning,
            "sec_2",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &SEMANTICS,
            Severity::Error,
            "sec_2",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &HYGIENE,
            Severity::Error,
            "sec_2",
            None,
            &["sec_2 rewrite: issue_1"][..],
        ),
        (
            &SEMANTICS,
            Severity::Error,
            "sec_4",
            None,
            &["sec_2 edit: issue_1", "sec_4 edit: "][..],
        ),
        (
            &HYGIENE,
            Severity::Error,
            "sec_4",
            None,
            &["sec_2 edit: issue_1", "sec_4 rewrite: "][..],
        ),
        // Nothing to be done: a warning alone, information, a safe fix, the whole.
        (
            &SEMANTICS,
            Severity::Warning,
            "sec_4",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &SEMANTICS,
            Severity::Info,
            "sec_2",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &HYGIENE,
            Severity::Error,
            "sec_4",
            safe(),
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &HYGIENE,
            Severity::Error,
            "sec_global",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
        (
            &HYGIENE,
            Severity::Error,
            "sec_7",
            None,
            &["sec_2 edit: issue_1"][..],
        ),
    ] {
        let goes_along = severity != Severity::Info
            && fix.is_none()
            && !["sec_global", "sec_7"].contains(&part)
            && !(severity == Severity::Warning && part == "sec_4");
        let case = Case {
            findings: vec![finding(check, severity, part, fix)],
            locked: &["sec_7"],
            ..Case::of(&document, vec![issue(1, "sec_2", Minor, Edited)])
        };
        let plan = case.plan();
        assert_eq!(shown(&plan), expected, "{severity:?} {part}");
        assert_eq!(
            plan.served_findings.len(),
            usize::from(goes_along),
            "{severity:?} {part}"
        );
        let is_told = plan
            .tasks
            .iter()
            .any(|task| task.synthesized_instructions.contains("a fault in"));
        assert_eq!(is_told, goes_along, "{severity:?} {part}");
    }
}

#[test]
fn the_text_on_both_sides_is_three_whole_sentences() {
    let text = "Hello there. Dr. Smith waits.\n\n## One here\n\nFirst. Second one. Third.\n\n```\nlet x = 1. Then. More.\n```\n\n- Fourth *item*. Fifth.\n\n## Two here\n\nIn it.\n\n### Example a\n\nMiddle.\n\nEnd of two.\n\n## Three here\n\n```\ncode. only.\n```\n";
    let document = lesson(text);
    let parts = Parts::of(&document);
    for (part, before, behind) in [
        ("sec_introduction", None, Some("First. Second one. Third.")),
        (
            "sec_1",
            Some("Hello there. Dr. Smith waits."),
            Some("In it. Middle. End of two."),
        ),
        ("sec_2", Some("Third. Fourth item. Fifth."), None),
        // Nothing behind it in its section, and only code behind that.
        ("example_1", Some("In it."), None),
        ("sec_3", Some("In it. Middle. End of two."), None),
    ] {
        let index = parts.find(&ComponentId::from(part)).unwrap();
        let anchors = context::anchors(&parts, index);
        assert_eq!(anchors.prev_section_end.as_deref(), before, "{part}");
        assert_eq!(anchors.next_section_start.as_deref(), behind, "{part}");
    }
}

#[test]
fn a_plan_is_written_in_the_seeds_field_names() {
    let document = seven();
    let issues = vec![
        issue(1, "sec_2", Major, Rewrite),
        issue(2, "sec_global", Minor, Edited),
    ];
    let plan = serde_json::to_value(Case::of(&document, issues).plan()).unwrap();
    assert_eq!(plan["status"], "PENDING");
    for name in [
        "tasks",
        "executionBatches",
        "estimatedCost",
        "agreementScore",
        "agreementLevel",
        "conflictResolutions",
        "sectionsToPreserve",
        "sectionsToModify",
        "preserveTerminology",
        "globalIssues",
        "unserved",
    ] {
        assert!(plan.get(name).is_some(), "{name}");
    }
    let task = &plan["tasks"][0];
    assert_eq!(task["sectionId"], "sec_2");
    assert_eq!(task["actionType"], "REGENERATE_SECTION");
    assert_eq!(task["priority"], "major");
    for name in [
        "sectionTitle",
        "synthesizedInstructions",
        "contextAnchors",
        "sourceIssues",
    ] {
        assert!(task.get(name).is_some(), "{name}");
    }
    assert!(task["contextAnchors"].get("prevSectionEnd").is_some());
    assert!(task["contextAnchors"].get("nextSectionStart").is_some());
    assert_eq!(task["sourceIssues"][0]["targetSectionId"], "sec_2");
}

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
        let mut figures = if whole { whole_figures() } else { RouteFigures::part_by_part(targets) };
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
