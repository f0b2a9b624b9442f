use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::fixtures::{LESSON, document, issue, rubric, verdict};
use crate::verdict::Verdict;

/// A judge's scores and issues.
struct Says<'a> {
    scores: [u16; 3],
    issues: Vec<[&'a str; 6]>,
}

fn says<'a>(scores: [u16; 3], issues: &[[&'a str; 6]]) -> Says<'a> {
    Says {
        scores,
        issues: issues.to_vec(),
    }
}

fn ruled(judges: &[Says<'_>]) -> Arbitration {
    let document = document(LESSON);
    let rubric = rubric();
    let verdicts: Vec<Verdict> = judges
        .iter()
        .enumerate()
        .map(|(index, judge)| {
            let issues: Vec<Value> = judge.issues.iter().copied().map(issue).collect();
            let model = format!("judge-{index}");
            verdict(&document, &rubric, &model, &judge.scores, "high", &issues)
        })
        .collect();
    rule(&verdicts, &rubric, &document)
}

fn rule(verdicts: &[Verdict], rubric: &Rubric, document: &Document) -> Arbitration {
    let votes: Vec<Vote<'_>> = verdicts
        .iter()
        .map(|verdict| Vote { verdict, weight: 1 })
        .collect();
    let assessment = Assessment::of(&votes, rubric, &[]).unwrap();
    arbitrate(&votes, &assessment, rubric, document)
}

const BOILS: [&str; 6] = [
    "truth",
    "major",
    "sec_1",
    "Water boils at ninety degrees",
    "Water boils at a hundred degrees.",
    "Write: Water boils at a hundred degrees.",
];
const BOILS_TOO: [&str; 6] = [
    "truth",
    "minor",
    "Heat",
    "boils at ninety degrees.",
    "The figure is false",
    "Correct the boiling point to 100.",
];
const STEAM: [&str; 6] = [
    "clarity",
    "minor",
    "sec_2",
    "Steam is water in the form of a gas",
    "The sentence is heavy.",
    "Say: Steam is water as gas.",
];
const CRITICAL: [&str; 6] = [
    "completeness",
    "critical",
    "sec_3",
    "",
    "The part on ice breaks off.",
    "Write the part to its end.",
];

/// Scores of three judges with close, moderate and low agreement.
const CLOSE: [[u16; 3]; 3] = [[900, 850, 800], [850, 850, 850], [880, 800, 800]];
const MODERATE: [[u16; 3]; 3] = [[900, 500, 700], [850, 600, 700], [950, 640, 500]];
const FAR: [[u16; 3]; 3] = [[950, 950, 950], [700, 700, 700], [500, 500, 500]];

#[test]
fn agreement_decides_which_issues_stand() {
    for (scores, level, standing, aside) in [
        (
            CLOSE,
            AgreementLevel::High,
            &["truth", "clarity", "completeness"][..],
            0,
        ),
        (
            MODERATE,
            AgreementLevel::Moderate,
            &["truth", "completeness"],
            1,
        ),
        (FAR, AgreementLevel::Low, &["completeness"], 2),
    ] {
        let ruled = ruled(&[
            says(scores[0], &[BOILS, STEAM]),
            says(scores[1], &[BOILS_TOO]),
            says(scores[2], &[CRITICAL]),
        ]);
        let found: Vec<&str> = ruled
            .issues
            .iter()
            .map(|issue| issue.issue.criterion.as_str())
            .collect();
        assert_eq!(ruled.agreement.level, level, "{:?}", ruled.agreement);
        assert_eq!(found, standing);
        assert_eq!(ruled.set_aside.len(), aside);
        assert_eq!(ruled.needs_review, level == AgreementLevel::Low);
    }
}

#[test]
fn what_is_set_aside_says_why() {
    let ruled = ruled(&[
        says(MODERATE[0], &[STEAM]),
        says(MODERATE[1], &[]),
        says(MODERATE[2], &[]),
    ]);
    assert_eq!(
        ruled.set_aside[0].because,
        SetAsideReason::RaisedByOne { judges: 3 }
    );
}

#[test]
fn one_judge_is_no_panel_and_all_its_issues_stand() {
    let ruled = ruled(&[says([400, 900, 500], &[BOILS, STEAM, CRITICAL])]);
    assert_eq!(ruled.agreement.level, AgreementLevel::NotApplicable);
    assert_eq!(
        ruled.agreement.undefined_because.as_deref(),
        Some("fewer than two judges")
    );
    assert_eq!(ruled.issues.len(), 3);
    assert!(!ruled.needs_review);
}

#[test]
fn two_seats_with_one_model_are_one_judge() {
    let (document, rubric) = (document(LESSON), rubric());
    let judge = |scores: [u16; 3], said| {
        verdict(&document, &rubric, "same", &scores, "high", &[issue(said)])
    };
    let verdicts = [
        judge([900, 900, 900], BOILS),
        judge([300, 300, 300], BOILS_TOO),
    ];
    let ruled = rule(&verdicts, &rubric, &document);
    assert_eq!(ruled.agreement.level, AgreementLevel::NotApplicable);
    assert_eq!(ruled.issues[0].raised_by, 1);
}

#[test]
fn identical_flat_scores_keep_every_issue() {
    let flat = [800; 3];
    let ruled = ruled(&[
        says(flat, &[BOILS]),
        says(flat, &[STEAM]),
        says(flat, &[CRITICAL]),
    ]);
    assert_eq!(ruled.agreement.level, AgreementLevel::High);
    assert_eq!(ruled.agreement.alpha, None);
    assert_eq!(
        ruled.agreement.undefined_because.as_deref(),
        Some("all values are alike")
    );
    assert_eq!((ruled.issues.len(), ruled.set_aside.len()), (3, 0));
}

#[test]
fn judges_within_a_tenth_agree_though_alpha_is_negative() {
    let ruled = ruled(&[says([800, 840, 800], &[STEAM]), says([840, 800, 840], &[])]);
    assert!(ruled.agreement.alpha.unwrap() < 0.0);
    assert_eq!(ruled.agreement.level, AgreementLevel::High);
    assert_eq!(ruled.agreement.widest_spread, 40);
    assert_eq!(ruled.issues.len(), 1);
}

#[test]
fn where_low_agreement_leaves_nothing_to_do_what_can_be_seen_is_kept() {
    // The criterion averages below .75, the issue is major, and its quote is in the text.
    let low = |issues: &[[&'static str; 6]]| {
        let mut unquoted = issues.to_vec();
        unquoted.push([
            "truth",
            "major",
            "sec_2",
            "",
            "Something else is false.",
            "Mend it.",
        ]);
        unquoted.push(STEAM);
        ruled(&[
            says(FAR[0], &unquoted),
            says(FAR[1], &[]),
            says(FAR[2], &[]),
        ])
    };
    let kept = low(&[BOILS]);
    assert_eq!(kept.agreement.level, AgreementLevel::Low);
    assert_eq!(kept.issues.len(), 1);
    assert_eq!(kept.issues[0].issue.description, BOILS[4]);
    assert_eq!(kept.set_aside.len(), 2);
    // A critical issue is a task of its own.
    let critical = low(&[BOILS, CRITICAL]);
    assert_eq!(critical.issues.len(), 1);
    assert_eq!(critical.issues[0].issue.severity, IssueSeverity::Critical);
    // No issue of a strong criterion is kept.
    let strong = ruled(&[
        says([950, 800, 950], &[BOILS]),
        says([500, 800, 700], &[]),
        says([500, 800, 400], &[]),
    ]);
    assert_eq!(strong.agreement.level, AgreementLevel::Low);
    assert_eq!(strong.issues.len(), 0);
}

#[test]
fn near_duplicates_are_one_issue_in_the_words_of_the_most_severe() {
    let ruled = ruled(&[says(CLOSE[0], &[BOILS_TOO]), says(CLOSE[1], &[BOILS])]);
    let [one] = ruled.issues.as_slice() else {
        panic!("{:?}", ruled.issues);
    };
    assert_eq!(one.raised_by, 2);
    assert_eq!(one.issue.severity, IssueSeverity::Major);
    assert_eq!(one.issue.description, BOILS[4]);
    // The other judge's different advice is not lost.
    assert!(
        one.fix_instructions.contains(BOILS[5]),
        "{}",
        one.fix_instructions
    );
    assert!(
        one.fix_instructions.contains(BOILS_TOO[5]),
        "{}",
        one.fix_instructions
    );
    assert_eq!(one.context_window.scope, Scope::Paragraph);
    assert_eq!(
        one.context_window.start_quote.as_deref(),
        Some("Water boils at ninety degrees")
    );
}

#[test]
fn what_is_not_quoted_is_the_same_when_its_words_are() {
    let gap = |description| ["completeness", "minor", "sec_3", "", description, ""];
    let ruled = ruled(&[
        says(CLOSE[0], &[gap("The term condensation is never defined.")]),
        says(
            CLOSE[1],
            &[
                gap("Condensation is not defined anywhere"),
                gap("There is no exercise."),
            ],
        ),
    ]);
    let raised: Vec<usize> = ruled.issues.iter().map(|issue| issue.raised_by).collect();
    assert_eq!(raised, [2, 1]);
    assert_eq!(ruled.issues[0].context_window.scope, Scope::Section);
    assert_eq!(ruled.issues[1].fix_instructions, "There is no exercise.");
}

#[test]
fn the_fix_action_is_the_rubrics_with_its_exceptions() {
    use FixAction::{RegenerateSection, SurgicalEdit};
    let nowhere = "These words stand nowhere";
    for (criterion, severity, quote, fix, expected) in [
        ("truth", "major", BOILS[3], "Correct it.", RegenerateSection),
        ("truth", "minor", BOILS[3], "Correct it.", SurgicalEdit),
        // Ruling 26.
        ("truth", "critical", nowhere, "Correct it.", SurgicalEdit),
        (
            "clarity",
            "major",
            BOILS[3],
            "Say it plainly.",
            SurgicalEdit,
        ),
        (
            "completeness",
            "major",
            "",
            "Write the section again.",
            RegenerateSection,
        ),
        // Ruling 28.
        (
            "completeness",
            "major",
            "",
            "Add an example of ice.",
            SurgicalEdit,
        ),
        (
            "completeness",
            "critical",
            "",
            "Add an example of ice.",
            RegenerateSection,
        ),
        (
            "truth",
            "major",
            "",
            "Add an example of ice.",
            RegenerateSection,
        ),
    ] {
        let said = [criterion, severity, "sec_1", quote, "A fault.", fix];
        let ruled = ruled(&[says(CLOSE[0], &[said])]);
        assert_eq!(ruled.issues[0].fix_action, expected, "{said:?}");
    }
}

#[test]
fn a_quote_that_another_judge_found_anchors_a_fault() {
    let ruled = ruled(&[
        says(
            CLOSE[0],
            &[[
                "truth",
                "critical",
                "sec_1",
                "Water is boiling at 90",
                BOILS[4],
                BOILS[5],
            ]],
        ),
        says(CLOSE[1], &[BOILS]),
    ]);
    let [one] = ruled.issues.as_slice() else {
        panic!("{:?}", ruled.issues);
    };
    assert_eq!(one.issue.severity, IssueSeverity::Critical);
    assert_eq!(one.issue.quote.as_deref(), Some(BOILS[3]));
    assert_eq!(one.fix_action, FixAction::RegenerateSection);
}

#[test]
fn a_long_quote_is_known_by_its_first_and_last_words() {
    let quote = "steam is water, in the form of a “gas”: bubbles rise in the kettle when it boils";
    let said = ["clarity", "minor", "", quote, "Heavy.", "Split it."];
    let ruled = ruled(&[says(CLOSE[0], &[said])]);
    let window = &ruled.issues[0].context_window;
    assert_eq!(
        ruled.issues[0].target_section_id,
        ComponentId::from("sec_2")
    );
    assert_eq!(
        window.start_quote.as_deref(),
        Some("Steam is water in the form of a")
    );
    assert_eq!(
        window.end_quote.as_deref(),
        Some("Bubbles rise in the kettle when it boils")
    );
}

#[test]
fn opposed_demands_are_settled_by_the_hierarchy_and_the_ledger_says_so() {
    let add = [
        "completeness",
        "major",
        "sec_2",
        "",
        "Too thin.",
        "Add more details about steam.",
    ];
    let simplify = [
        "clarity",
        "minor",
        "sec_2",
        "",
        "Heavy.",
        "Simplify the language.",
    ];
    let ruled = ruled(&[says(CLOSE[0], &[add]), says(CLOSE[1], &[simplify])]);
    let [entry] = ruled.conflicts.as_slice() else {
        panic!("{:?}", ruled.conflicts);
    };
    assert_eq!(entry.about, Opposition::DetailOrSimplicity);
    let winner = ruled
        .issues
        .iter()
        .find(|issue| issue.id == entry.winner)
        .unwrap();
    assert_eq!(winner.issue.criterion, "clarity");
    assert_eq!(
        entry.constraint,
        "completeness must not get worse: Add more details about steam."
    );
    assert_eq!(entry.because, Precedence::Hierarchy);
    assert_eq!(entry.winner_criterion, "clarity");
    assert_eq!(entry.loser_criterion, "completeness");
    // The loser is not dropped.
    assert_eq!(ruled.issues.len(), 2);
}

#[test]
fn only_what_is_opposed_is_a_conflict() {
    let simplify = "Simplify the language.";
    let shorten = "Shorten the section.";
    for (one, other, expected) in [
        (("", "Add a simple example."), ("", simplify), false),
        (("", "Elaborate on the steps."), ("", simplify), true),
        (("", "Add an example of condensation."), ("", shorten), true),
        (
            ("", "Add an example of condensation."),
            ("", "Remove the repeated joke."),
            false,
        ),
        (
            ("", "Add more on bubbles."),
            ("Bubbles rise in the kettle", "Remove the bubbles."),
            true,
        ),
        (
            ("", "Add a table of figures."),
            ("Bubbles rise in the kettle", "Remove this."),
            false,
        ),
        (
            ("Steam is water in the form of a gas", "Elaborate."),
            ("Bubbles rise in the kettle", simplify),
            false,
        ),
        (
            ("Steam is water in the form of a gas", "Elaborate."),
            ("water in the form of a gas.", simplify),
            true,
        ),
        (
            ("", "Use a more formal tone."),
            ("", "Use plain language."),
            true,
        ),
        (
            ("", "Сделайте стиль более формальным, добавьте детали."),
            ("", "Упростите текст."),
            true,
        ),
        (("", "补充更多细节。"), ("", "请简化语言。"), true),
    ] {
        let said = |criterion, (quote, fix)| [criterion, "minor", "sec_2", quote, "A fault.", fix];
        let ruled = ruled(&[
            says(CLOSE[0], &[said("completeness", one)]),
            says(CLOSE[1], &[said("clarity", other)]),
        ]);
        assert_eq!(!ruled.conflicts.is_empty(), expected, "{one:?} {other:?}");
    }
}

#[test]
fn who_yields_to_one_wins_over_nobody() {
    let said = |criterion, description, fix| [criterion, "major", "sec_2", "", description, fix];
    let ruled = ruled(&[says(
        CLOSE[0],
        &[
            said("truth", "Too heavy.", "Simplify the language."),
            said("clarity", "Too thin.", "Add more details."),
            said("completeness", "Too much.", "Shorten the section."),
        ],
    )]);
    let of = |id: &str| {
        let issue = ruled.issues.iter().find(|issue| issue.id == id).unwrap();
        issue.issue.criterion.as_str()
    };
    let ledger: Vec<(&str, &str)> = ruled
        .conflicts
        .iter()
        .map(|entry| (of(&entry.winner), of(&entry.loser)))
        .collect();
    assert_eq!(ledger, [("truth", "clarity"), ("completeness", "clarity")]);
    let to = ruled.conflicts[0].winner.clone();
    assert_eq!(
        ruled.conflicts[1].because,
        Precedence::OtherAlreadyLost { to }
    );
}

#[test]
fn a_critical_issue_never_becomes_a_constraint_on_a_lesser_one() {
    let add = [
        "completeness",
        "critical",
        "sec_2",
        "",
        "Thin.",
        "Add more details.",
    ];
    let simplify = [
        "clarity",
        "minor",
        "sec_2",
        "",
        "Heavy.",
        "Simplify the language.",
    ];
    let ruled = ruled(&[says(CLOSE[0], &[add, simplify])]);
    let winner = &ruled.conflicts[0].winner;
    let winner = ruled
        .issues
        .iter()
        .find(|issue| issue.id == *winner)
        .unwrap();
    assert_eq!(winner.issue.criterion, "completeness");
}

#[test]
fn an_issue_that_the_sources_do_not_speak_of_is_no_contradiction() {
    let (document, rubric) = (document(LESSON), rubric());
    for (criterion, source, quote, fix, severity, action) in [
        (
            "truth",
            "source_3",
            BOILS[3],
            "100",
            IssueSeverity::Critical,
            FixAction::RegenerateSection,
        ),
        (
            "truth",
            "",
            BOILS[3],
            "100",
            IssueSeverity::Critical,
            FixAction::RegenerateSection,
        ),
        (
            "truth",
            "Not in sources",
            BOILS[3],
            "100",
            IssueSeverity::Major,
            FixAction::SurgicalEdit,
        ),
        (
            "truth",
            "not in the sources",
            BOILS[3],
            "",
            IssueSeverity::Minor,
            FixAction::SurgicalEdit,
        ),
        (
            "truth",
            "not_in_sources",
            "",
            "100",
            IssueSeverity::Minor,
            FixAction::SurgicalEdit,
        ),
        (
            "clarity",
            "not in sources",
            "",
            "x",
            IssueSeverity::Critical,
            FixAction::SurgicalEdit,
        ),
    ] {
        let mut said = issue([criterion, "critical", "sec_1", quote, "Not so.", fix]);
        said["source"] = source.into();
        let verdict = verdict(&document, &rubric, "j", &[900, 900, 900], "high", &[said]);
        assert_eq!(
            verdict.issues()[0].severity,
            severity,
            "{criterion} {source}"
        );
        let ruled = rule(&[verdict], &rubric, &document);
        assert_eq!(ruled.issues[0].fix_action, action, "{criterion} {source}");
    }
}

/// Issues as judges might write them, good and bad.
fn any_issue() -> impl Strategy<Value = [&'static str; 6]> {
    (
        prop::sample::select(vec!["truth", "clarity", "completeness"]),
        prop::sample::select(vec!["critical", "major", "minor"]),
        prop::sample::select(vec!["sec_1", "Section 2", "ice", "nowhere", ""]),
        prop::sample::select(vec![
            "",
            "Water boils at ninety degrees",
            "boils at NINETY degrees",
            "Bubbles rise",
            "not there",
        ]),
        prop::sample::select(vec![
            "The figure is false.",
            "A false figure is given.",
            "Steam is not explained.",
            "没有解释",
        ]),
        prop::sample::select(vec![
            "",
            "Add more details.",
            "Simplify the language.",
            "Shorten the section.",
            "Correct it.",
        ]),
    )
        .prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f])
}

fn any_panel() -> impl Strategy<Value = Vec<([u16; 3], Vec<[&'static str; 6]>)>> {
    let judge = (
        prop::array::uniform3(0u16..=1000),
        prop::collection::vec(any_issue(), 0..6),
    );
    prop::collection::vec(judge, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rulings_know_no_order_no_names_and_lose_nothing(
        panel in any_panel(),
        turn in 0usize..4,
        names in prop::sample::select(vec![["a", "b", "c"], ["z", "m", "a"], ["x", "y", "q"]]),
    ) {
        let (document, rubric) = (document(LESSON), rubric());
        let sit = |names: [&str; 3]| -> Vec<Verdict> {
            panel
                .iter()
                .zip(names)
                .map(|((scores, issues), name)| {
                    let issues: Vec<Value> = issues.iter().copied().map(issue).collect();
                    verdict(&document, &rubric, name, scores, "medium", &issues)
                })
                .collect()
        };
        let verdicts = sit(["a", "b", "c"]);
        let ruled = rule(&verdicts, &rubric, &document);

        let mut others = sit(names);
        let length = others.len();
        others.rotate_left(turn % length);
        if turn > 1 {
            others.reverse();
        }
        prop_assert_eq!(&ruled, &rule(&others, &rubric, &document));

        let standing = &ruled.issues;
        let all: Vec<&TargetedIssue> = standing
            .iter()
            .chain(ruled.set_aside.iter().map(|aside| &aside.issue))
            .collect();
        for said in verdicts.iter().flat_map(Verdict::issues) {
            let covers = |targeted: &TargetedIssue| {
                targeted.issue.criterion == said.criterion
                    && targeted.target_section_id == said.location
                    && targeted.issue.severity >= said.severity
            };
            prop_assert!(all.iter().any(|targeted| covers(targeted)), "{said:?}");
            if said.severity == IssueSeverity::Critical {
                prop_assert!(standing.iter().any(covers), "{said:?}");
            }
        }
        for targeted in &all {
            prop_assert!(targeted.raised_by >= 1 && targeted.raised_by <= verdicts.len());
            let is_unanchored = verdicts.iter().flat_map(Verdict::issues).all(|said| {
                said.location != targeted.target_section_id
                    || said.criterion != targeted.issue.criterion
                    || said.anchor == Anchored::Unanchored
            });
            if is_unanchored {
                prop_assert_eq!(targeted.fix_action, FixAction::SurgicalEdit);
            }
        }
        // Every loser is a kept issue, and no issue both wins and loses.
        for entry in &ruled.conflicts {
            for id in [&entry.winner, &entry.loser] {
                prop_assert!(standing.iter().any(|issue| issue.id == *id));
            }
            prop_assert!(ruled.conflicts.iter().all(|other| other.loser != entry.winner));
        }
    }
}
