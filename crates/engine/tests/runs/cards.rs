//! Sets of Scottish cards (seed 000): author and critic, up to ten attempts, revising only the
//! cards that fail.

use proptest::prelude::*;
use redraft_run::outcome::Status;
use redraft_run::reasons::StopReason;
use redraft_run::setup::Setup;
use redraft_run::verdict::{IssueSeverity, Reason};

use crate::fixtures::block;
use crate::json_fixtures::{
    Refined, ScriptedIssue, content, holds, refined, refinement, repair, verdict,
};
use crate::kill_and_resume::{Cuts, survives_being_killed};

const CARDS: &str = include_str!("../../../../examples/refine-cards.json");
const REPLIES: &str = include_str!("../../../../examples/refine-cards-replies.toml");

pub(crate) const NAMES: [&str; 6] = [
    "pedagogical_design",
    "assessment_design",
    "accessibility",
    "scottish_context",
    "coherence",
    "sow_template_fidelity",
];

pub(crate) const GOOD: [f64; 6] = [0.95, 0.90, 0.88, 0.93, 0.90, 0.92];
pub(crate) const BAD: [f64; 6] = [0.90, 0.85, 0.82, 0.88, 0.88, 0.85];

pub(crate) fn scored(round: u32, scores: [f64; 6], issues: &[ScriptedIssue<'_>]) -> String {
    let scores: Vec<(&str, f64)> = NAMES.into_iter().zip(scores).collect();
    verdict(round, &scores, issues)
}

fn setup(cards: &str) -> Setup {
    refinement("sqa-lesson", cards)
}

pub(crate) const LONG: &str =
    "When we divide the fare of £27 into 3 equal parts we can see that each single part is £9.";
pub(crate) const SHORT: &str = "Divide the fare of £27 into 3 equal parts. Each part is £9.";
const ANSWER_ONLY: &str = "Gives the right answer in pounds";
const METHOD: &str = "Divides £48 by 4 and shows the working";

/// The cards without anything that the free checks object to.
pub(crate) fn sound() -> String {
    CARDS
        .replace("$20", "£20")
        .replace("$5", "£5")
        .replace(LONG, SHORT)
        .replace(ANSWER_ONLY, METHOD)
}

fn run(cards: &str, script: &str) -> Refined {
    let refined = refined(setup(cards), script);
    holds(cards, &setup(cards), &refined);
    refined
}

/// The cards whose bytes have changed.
pub(crate) fn changed(refined: &Refined) -> Vec<String> {
    let receipts = refined.outcome.receipts.as_ref().unwrap();
    receipts
        .components
        .iter()
        .filter(|part| part.parent.is_some())
        .filter(|part| {
            part.after
                .as_ref()
                .is_none_or(|after| after.sha256 != part.before.sha256)
        })
        .map(|part| part.id.clone())
        .collect()
}

#[test]
fn the_worked_examples_of_feedback_revise_those_cards_alone() {
    for (issue, card, good) in [
        // A simple sentence that is too long.
        (
            (
                "accessibility",
                "minor",
                "card_003",
                LONG,
                "The sentence has 20 words.",
            ),
            "card_003",
            SHORT,
        ),
        // A rubric without a method mark.
        (
            (
                "assessment_design",
                "major",
                "card_004",
                ANSWER_ONLY,
                "The working earns no mark.",
            ),
            "card_004",
            METHOD,
        ),
    ] {
        let cards = sound().replace(good, issue.3);
        let script = [
            scored(0, BAD, &[issue]),
            scored(1, GOOD, &[]),
            repair("patcher", card, &block(issue.3, good)),
            content(),
        ]
        .concat();
        let refined = run(&cards, &script);
        let outcome = &refined.outcome;
        assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
        assert_eq!(changed(&refined), [card]);
        assert_eq!(refined.text(&cards), sound());
    }
    // Dollars, which the free checks find; and all three problems at once.
    let refined = run(CARDS, REPLIES);
    assert_eq!(
        refined.outcome.status,
        Status::Accepted,
        "{:?}",
        refined.outcome.because
    );
    assert_eq!(changed(&refined), ["card_002", "card_003", "card_004"]);
    assert!(!refined.text(CARDS).contains('$'));
}

#[test]
fn what_no_revision_of_a_card_can_mend_goes_to_a_person() {
    let about = |criterion, description| -> ScriptedIssue<'static> {
        (criterion, "critical", "", "", description)
    };
    for issue in [
        about(
            "sow_template_fidelity",
            "The outcome AS1.3 of the scheme of work is missing.",
        ),
        about(
            "pedagogical_design",
            "There are five cards where four would do.",
        ),
    ] {
        let script = [
            scored(0, BAD, &[issue]),
            "[[reply]]\nrole = \"patcher\"\ntext = \"NO CHANGE NEEDED: no words of this part can mend it\"\n".to_owned(),
            "[[reply]]\nrole = \"section_expander\"\ntext = \"NO CHANGE NEEDED: no words of this part can mend it\"\n".to_owned(),
            content(),
        ]
        .concat();
        let refined = run(&sound(), &script);
        assert_eq!(refined.outcome.status, Status::Escalated);
        assert_eq!(changed(&refined), [] as [&str; 0]);
    }
}

#[test]
fn a_card_that_passes_is_left_alone_while_another_fails() {
    // A minor issue in card 1, of a dimension that passes, has to wait.
    let trifle = "A fraction counts equal parts.";
    let script = [
        scored(
            0,
            [0.95, 0.85, 0.90, 0.93, 0.90, 0.92],
            &[
                (
                    "coherence",
                    "minor",
                    "card_001",
                    trifle,
                    "It could be livelier.",
                ),
                (
                    "assessment_design",
                    "major",
                    "card_004",
                    METHOD,
                    "The mark is vague.",
                ),
            ],
        ),
        scored(1, GOOD, &[]),
        repair(
            "patcher",
            "card_001",
            &block("More parts are smaller parts.", "Never!"),
        ),
        repair(
            "patcher",
            "card_004",
            &block(METHOD, "Divides £48 by 4 with the working on paper"),
        ),
        content(),
    ]
    .concat();
    let refined = run(&sound(), &script);
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    assert_eq!(changed(&refined), ["card_004"]);
    assert!(refined.asked().iter().all(|ask| !ask.contains("card_001")));
}

#[test]
fn what_caps_a_dimension_below_its_threshold_is_revised_though_no_critic_names_it() {
    let cards = sound().replace(SHORT, LONG);
    let script = [
        scored(0, GOOD, &[]),
        scored(1, GOOD, &[]),
        repair("patcher", "card_003", &block(LONG, SHORT)),
        content(),
    ]
    .concat();
    let refined = run(&cards, &script);
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    assert_eq!(refined.text(&cards), sound());
    assert_eq!(
        outcome.iterations[0].criteria["accessibility"].thousandths(),
        870
    );
}

#[test]
fn the_worst_cards_are_revised_first() {
    let issue = |card, severity, quote| -> ScriptedIssue<'static> {
        (
            "accessibility",
            severity,
            card,
            quote,
            "This is hard to read.",
        )
    };
    let script = [
        scored(
            0,
            BAD,
            &[
                issue("card_001", "minor", "More parts are smaller parts."),
                issue("card_002", "critical", "Sharing equally is dividing."),
                issue("card_003", "major", "Let us work this one out together."),
            ],
        ),
        scored(1, GOOD, &[]),
        repair(
            "patcher",
            "card_001",
            &block("More parts are smaller parts.", "More parts are less."),
        ),
        repair(
            "patcher",
            "card_002",
            &block("Sharing equally is dividing.", "To share is to divide."),
        ),
        repair(
            "patcher",
            "card_003",
            &block(
                "Let us work this one out together.",
                "We do this one together.",
            ),
        ),
        content(),
    ]
    .concat();
    let refined = run(&sound(), &script);
    let order: Vec<(&str, IssueSeverity)> = refined
        .outcome
        .tasks
        .iter()
        .map(|task| (task.section_id.0.as_str(), task.priority))
        .collect();
    assert_eq!(order[0], ("card_002", IssueSeverity::Critical), "{order:?}");
    assert_eq!(order.len(), 3, "{order:?}");
}

/// Ten verdicts that never pass, and patches that each change something.
fn hopeless() -> String {
    let mut script = String::new();
    for round in 0..12u32 {
        // Scores go up and down, as with real critics.
        let noise = f64::from(round % 3) * 0.01;
        let issue = (
            "accessibility",
            "major",
            "card_001",
            "",
            "It is hard to read.",
        );
        script.push_str(&scored(round, BAD.map(|score| score - noise), &[issue]));
        let word = |number: u32| {
            const WORDS: [&str; 13] = [
                "bottom", "lower", "lowest", "second", "other", "last", "under", "base", "latter",
                "final", "ground", "root", "foot",
            ];
            format!(
                "The {} number says",
                WORDS[usize::try_from(number).unwrap()]
            )
        };
        script.push_str(&format!(
            "[[reply]]\nrole = \"patcher\"\nround = {}\ntext = '''\n{}\n'''\n",
            round + 1,
            block(&word(round), &word(round + 1))
        ));
    }
    script.push_str(&content());
    script
}

#[test]
fn after_ten_attempts_a_person_is_asked() {
    let refined = run(&sound(), &hopeless());
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Escalated);
    // The first attempt is the author's.
    assert_eq!(outcome.iterations.len(), 10, "{:?}", outcome.because);
    let judged = |ask: &&String| ask.contains("/judge/");
    assert_eq!(refined.asked().iter().filter(judged).count(), 10);
    assert_eq!(
        outcome.because.as_ref().unwrap().stopped,
        Some(StopReason::IterationsUsedUp { most: 9 })
    );
    // Each attempt lists the critic's issues.
    for attempt in &outcome.iterations {
        assert_eq!(attempt.remaining.len(), 1);
        assert_eq!(attempt.criteria.len(), 6);
    }
}

#[test]
fn a_revision_that_is_undone_is_an_attempt_and_the_next_may_do_better() {
    let discontent = |round: u32| {
        content()
            .replace("[[reply]]", &format!("[[reply]]\nround = {round}"))
            .replace("\"yes\"", "\"no\"")
    };
    let issue = (
        "accessibility",
        "major",
        "card_003",
        LONG,
        "The sentence has 20 words.",
    );
    let cards = sound().replace(SHORT, LONG);
    let undone: Vec<String> = (1..=2).map(discontent).collect();
    let script = [
        scored(0, BAD, &[issue]),
        undone.concat(),
        content(),
        repair("patcher", "card_003", &block(LONG, SHORT)),
        scored(3, GOOD, &[]),
    ]
    .concat();
    let refined = run(&cards, &script);
    let outcome = &refined.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    let attempts = outcome.tasks.iter().filter(|task| !task.retry);
    let kept: Vec<bool> = attempts.map(|task| task.kept).collect();
    assert_eq!(kept, [false, false, true]);
    assert_eq!(refined.text(&cards), sound());
}

#[test]
fn six_revisions_that_are_all_undone_end_the_attempts() {
    let issue = (
        "accessibility",
        "major",
        "card_003",
        LONG,
        "The sentence has 20 words.",
    );
    let cards = sound().replace(SHORT, LONG);
    let script = [
        scored(0, BAD, &[issue]),
        content().replace("\"yes\"", "\"no\""),
        repair("patcher", "card_003", &block(LONG, SHORT)),
    ]
    .concat();
    let outcome = run(&cards, &script).outcome;
    // Each task is tried twice.
    let retries = outcome.tasks.iter().filter(|task| task.retry).count();
    assert_eq!((outcome.tasks.len(), retries), (12, 6));
    assert_eq!(
        outcome.because.unwrap().stopped,
        Some(StopReason::NothingKept { rounds: 6 })
    );
}

#[test]
fn revisions_that_change_nothing_end_the_attempts_early() {
    let script = [
        scored(
            0,
            BAD,
            &[(
                "accessibility",
                "major",
                "card_001",
                "",
                "It is hard to read.",
            )],
        ),
        "[[reply]]\nrole = \"patcher\"\ntext = \"NO CHANGE NEEDED: it is plain enough\"\n"
            .to_owned(),
        content(),
    ]
    .concat();
    let outcome = run(&sound(), &script).outcome;
    assert_eq!(outcome.status, Status::Escalated);
    assert_eq!(outcome.tasks.len(), 3);
    assert_eq!(
        outcome.because.unwrap().stopped,
        Some(StopReason::NoProposal { rounds: 3 })
    );
}

#[test]
fn errors_are_mended_before_the_critic_is_paid_where_the_policy_says_so() {
    let patch = [
        (
            "Four friends share a bill of $20",
            "Four friends share a bill of £20",
        ),
        (
            "bottom number: $20 ÷ 4 = $5.",
            "bottom number: £20 ÷ 4 = £5.",
        ),
        ("Check: 4 × $5 = $20.", "Check: 4 × £5 = £20."),
    ]
    .map(|(search, replace)| block(search, replace))
    .join("\n");
    let script = [
        scored(0, GOOD, &[]),
        scored(1, GOOD, &[]),
        repair("patcher", "card_002", &patch),
        content(),
    ]
    .concat();
    let mut first = setup(CARDS);
    first.policy.judge_invalid = false;
    let mended = refined(first, &script);
    assert_eq!(
        mended.asked()[..2],
        ["i1/patch/card_002", "i1/judge/judge_secondary"]
    );
    let before = &mended.outcome.iterations[0];
    assert_eq!(before.unscored.as_ref().unwrap().reason, Reason::Unusable);
    assert!(
        before
            .findings
            .iter()
            .any(|one| one.name == "foreign-currency")
    );
    // By default the critic sees these findings first, and they cap the score.
    let judged = refined(setup(CARDS), &script);
    assert_eq!(judged.asked()[0], "i0/judge/judge_secondary");
}

#[test]
fn a_revision_that_is_killed_comes_to_the_same_end() {
    survives_being_killed(&|| setup(CARDS), REPLIES, 25, Cuts::InTurn);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_critics_and_patchers_say_cards_keep_their_promises(
        scores in prop::collection::vec(prop::array::uniform6(70u16..=95), 10),
        raised in prop::collection::vec((0usize..4, 0usize..3), 0..5),
        answers in prop::array::uniform4(0usize..6),
    ) {
        let cards = sound();
        let quotes = [
            "More parts are smaller parts.",
            "Sharing equally is dividing.",
            "Let us work this one out together.",
            "Now work alone. Divide first.",
        ];
        let names = ["card_001", "card_002", "card_003", "card_004"];
        let severities = ["minor", "major", "critical"];
        let issues: Vec<ScriptedIssue<'_>> = raised
            .iter()
            .map(|(card, severity)| {
                ("accessibility", severities[*severity], names[*card], quotes[*card], "It is hard to read.")
            })
            .collect();
        let mut script = String::new();
        for (round, scores) in scores.iter().enumerate() {
            let scores = scores.map(|score| f64::from(score) / 100.0);
            script.push_str(&scored(u32::try_from(round).unwrap(), scores, &issues));
        }
        for (card, which) in answers.iter().enumerate() {
            let reply = match which {
                0 => block(quotes[card], "This says the same in other words."),
                1 => block("words that are not there", "x"),
                2 => "I would rather not say.".to_owned(),
                3 => "NO CHANGE NEEDED: it is good".to_owned(),
                4 => block("1/4", "3/4"),
                _ => String::new(),
            };
            script.push_str(&repair("patcher", names[card], &reply));
        }
        script.push_str(&content());
        let refined = refined(setup(&cards), &script);
        holds(&cards, &setup(&cards), &refined);
        let blamed: Vec<&str> = raised.iter().map(|(card, _)| names[*card]).collect();
        for card in changed(&refined) {
            prop_assert!(blamed.contains(&card.as_str()) || raised.is_empty(), "{}", card);
        }
        prop_assert!(refined.outcome.iterations.len() <= 10);
    }
}
