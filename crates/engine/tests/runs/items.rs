//! Multiple-choice items (seed 004): validation, scoring, at most two corrections of the weakest
//! component, and then a reviewer. Each acceptance criterion of the seed has a test named after it.

use proptest::prelude::*;
use redraft_gate::finding::Severity;
use redraft_gate::score::Score;
use redraft_profiles::items::validation::validate;
use redraft_run::assess::Assessed;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::{AtTheEnd, Mode};
use redraft_run::reasons::{NotAccepted, StopReason};
use redraft_run::setup::{Goal, Setup};
use redraft_run::verdict::{IssueSeverity, Reason};

use crate::fixtures::block;
use crate::json_fixtures::{
    Refined, ScriptedIssue, content, holds, refined, refinement, repair, verdict,
};
use crate::kill_and_resume::{Cuts, survives_being_killed};

pub(crate) const ITEM: &str = r#"{
  "vignette": "A 58-year-old man has had a dry cough for six weeks. It began a fortnight after a new tablet for his blood pressure. His chest is clear.",
  "stem": "Which of these medicines is the most likely cause of his cough?",
  "distractors": [
    { "text": "Ramipril", "isCorrect": true, "explanation": "It lets bradykinin build up in the airways." },
    { "text": "Vitamin C", "isCorrect": false, "explanation": "It is not known to cause a cough." },
    { "text": "Amlodipine", "isCorrect": false, "explanation": "Its usual complaint is swollen ankles." },
    { "text": "Simvastatin", "isCorrect": false, "explanation": "Its usual complaint is aching muscles." }
  ],
  "answerKey": "A",
  "explanation": "A dry cough within weeks of a new tablet for blood pressure points to an ACE inhibitor."
}"#;

pub(crate) const NAMES: [&str; 5] = [
    "clinical_accuracy",
    "pedagogical_alignment",
    "distractor_quality",
    "slo_coverage",
    "blooms_match",
];

/// The weak option.
const WEAK: ScriptedIssue<'static> = (
    "distractor_quality",
    "major",
    "",
    "Vitamin C",
    "Nobody takes a vitamin for a drug against high blood pressure.",
);

fn scored(round: u32, scores: [f64; 5], issues: &[ScriptedIssue<'_>]) -> String {
    let scores: Vec<(&str, f64)> = NAMES.into_iter().zip(scores).collect();
    verdict(round, &scores, issues)
}

fn setup(item: &str) -> Setup {
    refinement("clinical-mcq", item)
}

fn options(text: &str) -> String {
    repair("patcher", "options", text)
}

fn better() -> String {
    options(&block("Vitamin C", "Doxazosin"))
}

/// A low verdict, a correction, and a good verdict.
fn corrected() -> String {
    [
        scored(0, [0.8, 0.6, 0.4, 0.7, 0.7], &[WEAK]),
        scored(1, [0.9, 0.8, 0.75, 0.85, 0.8], &[]),
        better(),
        content(),
    ]
    .concat()
}

fn run(item: &str, script: &str) -> Refined {
    let refined = refined(setup(item), script);
    holds(item, &setup(item), &refined);
    refined
}

fn parts_done(outcome: &Outcome) -> Vec<(u32, &str, bool)> {
    outcome
        .tasks
        .iter()
        .map(|task| (task.iteration, task.section_id.0.as_str(), task.kept))
        .collect()
}

#[test]
fn criterion_1_validation_looks_at_vignette_stem_options_and_key() {
    for (from, to, field, is_error) in [
        (
            "A 58-year-old man has had a dry cough for six weeks. It began a fortnight after a new tablet for his blood pressure. His chest is clear.",
            "Short.",
            "vignette",
            true,
        ),
        (
            "Which of these medicines is the most likely cause of his cough?",
            "Which of the following is true?",
            "stem",
            false,
        ),
        ("\"Vitamin C\"", "\"I don't know\"", "distractors", false),
        (
            "\"answerKey\": \"A\"",
            "\"answerKey\": \"F\"",
            "answer_key",
            true,
        ),
    ] {
        let item = ITEM.replacen(from, to, 1);
        assert_ne!(item, ITEM);
        let setup = setup(&item);
        let validated = validate(&setup.inspected.document, &setup.inspected.findings).unwrap();
        let named: Vec<&str> = validated
            .iter()
            .flat_map(|item| &item.faults)
            .map(|(field, _)| field.name())
            .collect();
        assert!(named.contains(&field), "{to}: {named:?}");
        let severity = |index: usize| setup.inspected.findings[index].severity;
        let has_error = validated
            .iter()
            .flat_map(|item| &item.faults)
            .any(|&(_, index)| severity(index) == Severity::Error);
        assert_eq!(has_error, is_error, "{to}");
    }
    let setup = setup(ITEM);
    assert!(
        validate(&setup.inspected.document, &setup.inspected.findings)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn criterion_2_a_judge_scores_five_dimensions_by_the_rubric() {
    let refined = run(ITEM, &scored(0, [0.9, 0.8, 0.75, 0.85, 0.8], &[]));
    assert_eq!(refined.asked(), ["i0/judge/judge_secondary"]);
    let prompt = &refined.asks[0].prompt;
    let words = format!("{}{}", prompt.system, prompt.user);
    for name in NAMES {
        assert!(words.contains(name), "{name}");
    }
    assert!(prompt.user.contains("dry cough for six weeks"));
    let score = refined.outcome.score.unwrap();
    let names: Vec<&str> = score.criteria().iter().map(Assessed::name).collect();
    assert_eq!(names, NAMES);
}

#[test]
fn criterion_3_the_composite_is_the_weighted_mean() {
    for (scores, composite) in [
        ([0.9, 0.8, 0.75, 0.85, 0.8], 830),
        ([0.4, 0.6, 0.5, 0.7, 0.6], 540),
        ([1.0, 0.0, 0.0, 0.0, 0.0], 300),
        ([0.0, 0.0, 0.0, 0.0, 1.0], 100),
    ] {
        let script = scored(0, scores, &[]);
        let mut setup = setup(ITEM);
        setup.policy.repair.iterations = 0;
        let outcome = refined(setup, &script).outcome;
        assert_eq!(outcome.score.unwrap().overall().thousandths(), composite);
    }
}

#[test]
fn criterion_4_only_the_weakest_component_is_corrected() {
    // The weakest dimension decides; issues of others have to wait.
    let about = |criterion, quote| -> ScriptedIssue<'static> {
        (criterion, "major", "", quote, "This is not good enough.")
    };
    let all = [
        about("clinical_accuracy", "His chest is clear."),
        about("pedagogical_alignment", "Which of these medicines"),
        about("distractor_quality", "Vitamin C"),
    ];
    for (scores, part) in [
        ([0.3, 0.6, 0.6, 0.7, 0.6], "vignette"),
        ([0.6, 0.3, 0.6, 0.7, 0.6], "stem"),
        ([0.6, 0.6, 0.3, 0.7, 0.6], "options"),
        ([0.6, 0.6, 0.6, 0.3, 0.6], "stem"),
        ([0.6, 0.6, 0.6, 0.7, 0.3], "stem"),
        // On a tie, the heavier dimension.
        ([0.4, 0.6, 0.4, 0.7, 0.6], "vignette"),
    ] {
        let script = [
            scored(0, scores, &all),
            scored(1, [0.9; 5], &[]),
            repair(
                "patcher",
                "vignette",
                &block("His chest is clear.", "Auscultation is normal."),
            ),
            repair(
                "patcher",
                "stem",
                &block("Which of these medicines", "Which medicine"),
            ),
            // Without an issue that quotes it, the stem is rewritten.
            repair(
                "section_expander",
                "stem",
                "Which medicine is the most likely cause of his cough?",
            ),
            better(),
            content(),
        ]
        .concat();
        let refined = run(ITEM, &script);
        let outcome = &refined.outcome;
        assert_eq!(parts_done(outcome), [(1, part, true)], "{scores:?}");
        assert_eq!(outcome.status, Status::Accepted);
        let receipts = outcome.receipts.as_ref().unwrap();
        let touched: Vec<&str> = receipts
            .components
            .iter()
            .filter(|one| !one.edits.is_empty() && one.parent.is_some())
            .map(|one| one.id.as_str())
            .collect();
        assert_eq!(touched, [part], "{scores:?}");
    }
}

#[test]
fn criterion_5_an_institution_may_ask_for_more() {
    for (threshold, status) in [
        (None, Status::Accepted),
        (Some(830), Status::Accepted),
        (Some(831), Status::Escalated),
    ] {
        let mut setup = setup(ITEM);
        assert_eq!(setup.policy.accept.thousandths(), 700);
        if let Some(threshold) = threshold {
            setup.policy.accept = Score::from_thousandths(threshold).unwrap();
        }
        let script = scored(0, [0.9, 0.8, 0.75, 0.85, 0.8], &[]);
        assert_eq!(refined(setup, &script).outcome.status, status);
    }
}

#[test]
fn criterion_6_there_are_two_corrections_and_no_more() {
    let script = [
        scored(0, [0.4; 5], &[WEAK]),
        scored(1, [0.5; 5], &[WEAK]),
        scored(2, [0.6; 5], &[WEAK]),
        better(),
        options(&block("Amlodipine", "Bisoprolol")),
        content(),
        "[[reply]]\nrole = \"section_expander\"\ntext = \"NO CHANGE NEEDED: it is good\"\n"
            .to_owned(),
    ]
    .concat();
    let refined = run(ITEM, &script);
    let rounds = refined.outcome.tasks.iter().map(|task| task.iteration);
    assert_eq!(rounds.max(), Some(2));
    assert!(refined.asked().iter().all(|ask| !ask.starts_with("i3")));
    assert_eq!(refined.outcome.status, Status::Escalated);
}

#[test]
fn criterion_7_the_router_has_three_ways() {
    let good = [0.9, 0.8, 0.75, 0.85, 0.8];
    let bad = [0.4, 0.6, 0.5, 0.7, 0.6];
    let nothing =
        "[[reply]]\nrole = \"section_expander\"\ntext = \"NO CHANGE NEEDED: it is good\"\n";
    for (script, status, nodes) in [
        // It passes: output.
        (
            scored(0, good, &[]),
            Status::Accepted,
            &["validation-check", "quality-score"][..],
        ),
        // It fails and may be corrected: self-correction, then again.
        (
            corrected(),
            Status::Accepted,
            &[
                "validation-check",
                "quality-score",
                "self-correction",
                "validation-check",
                "quality-score",
            ],
        ),
        // It fails after two corrections: a reviewer decides.
        (
            [scored(0, bad, &[]), nothing.to_owned(), content()].concat(),
            Status::Escalated,
            &[
                "validation-check",
                "quality-score",
                "self-correction",
                "self-correction",
            ],
        ),
    ] {
        let refined = run(ITEM, &script);
        assert_eq!(refined.outcome.status, status);
        assert_eq!(refined.nodes(), nodes);
    }
}

#[test]
fn criterion_8_every_cycle_is_on_record_with_its_feedback() {
    let refined = run(ITEM, &corrected());
    let [first, second] = refined.outcome.iterations.as_slice() else {
        panic!("{:?}", refined.outcome.iterations);
    };
    assert_eq!((first.iteration, second.iteration), (0, 1));
    assert_eq!(first.score.unwrap().thousandths(), 650);
    assert_eq!(first.remaining.len(), 1);
    assert_eq!(first.remaining[0].description, WEAK.4);
    assert_eq!(second.score.unwrap().thousandths(), 830);
    assert!(second.remaining.is_empty());
    assert_eq!(parts_done(&refined.outcome), [(1, "options", true)]);
    // A cycle that validation stopped is recorded without a score.
    let short = ITEM.replacen(
        "Which of these medicines is the most likely cause of his cough?",
        "",
        1,
    );
    let refined = run(
        &short,
        &[
            scored(1, [0.9; 5], &[]),
            repair("patcher", "stem", "<redraft:part>\nWhich medicine is the most likely cause of his cough?\n</redraft:part>"),
            repair("section_expander", "stem", "Which medicine is the most likely cause of his cough?"),
            content(),
        ]
        .concat(),
    );
    let first = &refined.outcome.iterations[0];
    assert_eq!(first.unscored.as_ref().unwrap().reason, Reason::Unusable);
    assert_eq!(first.findings[0].name, "missing-stem");
}

#[test]
fn criterion_9_what_fails_after_two_corrections_needs_a_person() {
    let script = [
        scored(0, [0.5; 5], &[WEAK]),
        scored(1, [0.55; 5], &[]),
        scored(2, [0.6; 5], &[]),
        better(),
        content(),
    ]
    .concat();
    let refined = run(ITEM, &script);
    assert_eq!(refined.outcome.status, Status::Escalated);
    assert!(refined.outcome.needs_review);
    assert_eq!(
        refined.outcome.because.unwrap().stopped,
        Some(StopReason::IterationsUsedUp { most: 2 })
    );
}

#[test]
fn the_feedback_of_the_dimension_reaches_whoever_corrects() {
    let refined = run(ITEM, &corrected());
    let patch = refined
        .asks
        .iter()
        .find(|ask| ask.id.0.starts_with("i1/patch/options"))
        .unwrap();
    assert!(patch.prompt.user.contains(WEAK.4), "{}", patch.prompt.user);
    assert!(patch.prompt.user.contains("Vitamin C"));
}

#[test]
fn a_key_that_follows_from_the_flags_is_written_without_a_model() {
    let item = ITEM.replacen("\"answerKey\": \"A\"", "\"answerKey\": null", 1);
    let refined = run(&item, &scored(0, [0.9; 5], &[]));
    assert_eq!(refined.outcome.status, Status::Accepted);
    assert_eq!(refined.text(&item), ITEM);
    assert_eq!(refined.asked(), ["i0/judge/judge_secondary"]);
}

/// A serious doubt about the facts of the case.
const DOUBT: ScriptedIssue<'static> = (
    "clinical_accuracy",
    "major",
    "vignette",
    "His chest is clear.",
    "A clear chest does not exclude pneumonia.",
);

#[test]
fn a_major_issue_of_accuracy_or_of_the_key_is_never_accepted_however_high_the_scores() {
    let of_key: ScriptedIssue<'static> = (
        "distractor_quality",
        "major",
        "answer_key",
        "",
        "Two answers can be defended.",
    );
    for (issue, blocks) in [
        (DOUBT, true),
        (
            ("clinical_accuracy", "minor", DOUBT.2, DOUBT.3, DOUBT.4),
            false,
        ),
        (of_key, true),
        (WEAK, false),
    ] {
        // Credible: the criticised criterion has the lowest score.
        let mut scores = [0.92, 0.95, 0.96, 0.95, 0.94];
        let criticised = NAMES.iter().position(|name| *name == issue.0).unwrap();
        scores[criticised] = 0.85;
        for mode in [Mode::SemiAuto, Mode::FullAuto] {
            for goal in [Goal::Judge, Goal::Refine] {
                let mut setup = setup(ITEM);
                setup.goal = goal;
                setup.mode = mode;
                setup.policy = setup.profile.decision(mode).clone();
                setup.seats.truncate(1);
                let outcome = refined(setup, &scored(0, scores, &[issue])).outcome;
                let case = format!("{issue:?}, {mode:?}, {goal:?}");
                let expected = if blocks {
                    Status::Escalated
                } else {
                    Status::Accepted
                };
                assert_eq!(outcome.status, expected, "{case}");
                assert_eq!(outcome.passed, !blocks, "{case}");
                assert_eq!(outcome.needs_review, blocks, "{case}");
                let lacks = outcome.because.map(|because| because.not_accepted);
                let is_blocked = matches!(&lacks, Some(NotAccepted::BlockingIssue {
                    criterion, severity: IssueSeverity::Major, ..
                }) if criterion == issue.0);
                assert_eq!(is_blocked, blocks, "{case}: {lacks:?}");
            }
        }
    }
}

#[test]
fn where_nobody_decides_a_blocked_item_is_best_effort_with_a_review() {
    let mut setup = setup(ITEM);
    setup.policy.at_the_end = AtTheEnd::BestEffort;
    setup.seats.truncate(1);
    let script = scored(0, [0.85, 0.95, 0.96, 0.95, 0.94], &[DOUBT]);
    let outcome = refined(setup, &script).outcome;
    assert_eq!(outcome.status, Status::BestEffort);
    assert!(outcome.needs_review && !outcome.passed);
}

#[test]
fn what_blocks_an_item_is_corrected_first_and_then_it_is_accepted() {
    // The options score lower, but only the case blocks acceptance.
    let script = [
        scored(0, [0.85, 0.95, 0.8, 0.95, 0.94], &[DOUBT, WEAK]),
        scored(1, [0.95, 0.95, 0.8, 0.95, 0.94], &[WEAK]),
        repair(
            "patcher",
            "vignette",
            &block("His chest is clear.", "A chest radiograph is normal."),
        ),
        better(),
        content(),
    ]
    .concat();
    let refined = run(ITEM, &script);
    assert_eq!(parts_done(&refined.outcome), [(1, "vignette", true)]);
    assert_eq!(refined.outcome.status, Status::Accepted);
}

#[test]
fn nobody_is_paid_for_an_item_whose_key_nobody_knows() {
    let no_flag = ITEM.replacen("true", "false", 1);
    for item in [
        // No key and no flag, in either form; and another error in addition.
        no_flag.replacen("\"answerKey\": \"A\"", "\"answerKey\": null", 1),
        no_flag.replacen("\"answerKey\": \"A\",", "", 1),
        no_flag.replacen("\"answerKey\": \"A\",", "", 1).replacen(
            "Which of these medicines is the most likely cause of his cough?",
            "",
            1,
        ),
        // A key that is not an option.
        ITEM.replacen("\"answerKey\": \"A\"", "\"answerKey\": \"F\"", 1),
    ] {
        let mut setup = setup(&item);
        setup.seats.push(crate::fixtures::seat(
            redraft_run::ask::Role::SelfReviewer,
            &["reviewer"],
        ));
        let refined = refined(setup, &corrected());
        assert_eq!(refined.asked(), [] as [&str; 0], "{item}");
        let outcome = refined.outcome;
        assert_eq!(outcome.status, Status::Escalated);
        assert_eq!(outcome.unscored.unwrap().reason, Reason::Unusable);
        assert!(outcome.final_content.is_none());
    }
}

#[test]
fn a_structural_error_is_corrected_before_anybody_scores_and_counts_as_a_cycle() {
    let item = ITEM.replacen(
        "A 58-year-old man has had a dry cough for six weeks. It began a fortnight after a new tablet for his blood pressure. His chest is clear.",
        "A man coughs.",
        1,
    );
    let longer = "A 58-year-old man has had a dry cough for six weeks. It began soon after a new tablet for his blood pressure.";
    let loose: ScriptedIssue<'_> = (
        "pedagogical_alignment",
        "major",
        "stem",
        "Which of these medicines",
        "The question is loose.",
    );
    let replies = |text: &str| {
        [
            scored(1, [0.6, 0.3, 0.6, 0.6, 0.6], &[loose]),
            scored(2, [0.9; 5], &[]),
            repair("patcher", "vignette", text),
            repair(
                "patcher",
                "stem",
                &block("Which of these medicines", "Which medicine"),
            ),
            repair("section_expander", "vignette", longer),
            content(),
        ]
        .concat()
    };
    let refined = run(&item, &replies(&block("A man coughs.", longer)));
    let asked = refined.asked();
    assert_eq!(
        asked[..2],
        [
            "i1/patch/vignette".to_owned(),
            "i1/judge/judge_secondary".to_owned()
        ],
        "{asked:?}"
    );
    // One correction is left, and it is the last.
    assert_eq!(refined.outcome.status, Status::Accepted);
    assert_eq!(refined.outcome.tasks.last().unwrap().iteration, 2);
    // If the limit is used up, no model is asked.
    let mut none = setup(&item);
    none.policy.repair.iterations = 0;
    let none = crate::json_fixtures::refined(none, &replies(""));
    assert_eq!(none.asked(), [] as [&str; 0]);
    assert_eq!(none.outcome.status, Status::Escalated);
    // A repair that does not help is tried twice; then a reviewer is asked.
    let refined = run(&item, &replies("NO CHANGE NEEDED: short is good"));
    assert!(
        refined.asked().iter().all(|ask| !ask.contains("judge")),
        "{:?}",
        refined.asked()
    );
    assert_eq!(refined.outcome.status, Status::Escalated);
}

#[test]
fn neither_key_nor_right_answer_changes_silently() {
    let right: ScriptedIssue<'_> = (
        "distractor_quality",
        "major",
        "options",
        "Ramipril",
        "The right answer should be the class of the drug.",
    );
    let renamed = block("Ramipril", "An ACE inhibitor");
    for (issue, delta, is_renamed) in [
        // No issue is about the right answer.
        (WEAK, true, false),
        // One quotes it, and a delta judge looks at it.
        (right, true, true),
        // An issue quotes it, but no delta judge would check it.
        (right, false, false),
    ] {
        let script = [
            scored(0, [0.8, 0.6, 0.4, 0.7, 0.7], &[issue]),
            scored(1, [0.9; 5], &[]),
            scored(2, [0.9; 5], &[]),
            options(&renamed),
            content(),
        ]
        .concat();
        let mut setup = setup(ITEM);
        if !delta {
            setup
                .seats
                .retain(|seat| seat.role != redraft_run::ask::Role::DeltaJudge);
        }
        let refined = refined(setup, &script);
        let text = refined.text(ITEM);
        assert_eq!(
            text.contains("An ACE inhibitor\""),
            is_renamed,
            "{issue:?} {delta}"
        );
        assert!(text.contains("\"answerKey\": \"A\""));
        assert!(text.contains("\"isCorrect\": true"));
    }
}

#[test]
fn a_correction_that_is_killed_comes_to_the_same_end() {
    survives_being_killed(&|| setup(ITEM), &corrected(), 15, Cuts::InTurn);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_judges_and_patchers_say_an_item_keeps_its_promises(
        scores in prop::collection::vec(prop::array::uniform5(0u16..=20), 3),
        answers in prop::collection::vec(0usize..7, 6),
        damage in 0usize..4,
    ) {
        let item = match damage {
            0 => ITEM.replacen("\"answerKey\": \"A\"", "\"answerKey\": null", 1),
            1 => ITEM.replacen("His chest is clear.", "", 1),
            2 => ITEM.replacen("Which of these medicines is the most likely cause of his cough?", "", 1),
            _ => ITEM.to_owned(),
        };
        let mut script = String::new();
        for (round, scores) in scores.iter().enumerate() {
            let scores = scores.map(|score| f64::from(score) / 20.0);
            script.push_str(&scored(u32::try_from(round).unwrap(), scores, &[WEAK]));
        }
        let kinds = |which: usize, search: &str| match which {
            0 => block(search, "Something else that is as long as it was before"),
            1 => block("words that are not there", "x"),
            2 => "I would rather not say.".to_owned(),
            3 => "NO CHANGE NEEDED: it is good".to_owned(),
            4 => block("\"answerKey\": \"A\"", "\"answerKey\": \"B\""),
            5 => block("Ramipril", "Aspirin"),
            _ => String::new(),
        };
        let parts = ["vignette", "stem", "options"];
        let searches = ["dry cough", "most likely cause", "Vitamin C"];
        for (index, which) in answers.iter().enumerate() {
            let part = index % parts.len();
            let role = if index < parts.len() { "patcher" } else { "section_expander" };
            script.push_str(&repair(role, parts[part], &kinds(*which, searches[part])));
        }
        script.push_str(&content());
        let refined = refined(setup(&item), &script);
        holds(&item, &setup(&item), &refined);
        let text = refined.text(&item);
        prop_assert!(text.contains("\"answerKey\": \"A\"") || damage == 0);
        prop_assert_eq!(text.matches("\"isCorrect\": true").count(), 1);
        prop_assert!(text.contains("\"text\": \"Ramipril\", \"isCorrect\": true"));
        prop_assert!(refined.outcome.tasks.iter().all(|task| task.iteration <= 2));
    }
}
