//! Whole texts that are written: what comes of them, what they may cost, and what
//! happens where somebody fails.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;
use redraft_core::ask::{
    Ask, AskId, CallFailure, FailureKind, Finish, Reply, Role, Time, Tokens, Usage,
};
use redraft_core::companion::{Companions, Objective, SchemeEntry, SectionSpecification};
use redraft_core::companion::{SourcePassage, Specification};
use redraft_core::decide::{Mode, Policy};
use redraft_core::event::{Event, EventKind};
use redraft_core::examine::Settings;
use redraft_core::inspect::{Inspect as _, Reader};
use redraft_core::outcome::{Outcome, Status};
use redraft_core::reading::Hint;
use redraft_core::receipt;
use redraft_core::review;
use redraft_core::run::{Awaiting, Decision, Goal, Run, Seat, Setup, Step};
use redraft_core::verdict::Reason;
use redraft_engine::journal::{Journal, Told};
use redraft_profiles::registry;

use crate::desk::{GOOD, drive, fresh, seat};

/// What is ordered: a lesson of two sections.
fn ordered() -> Companions {
    let section = |title: &str, point: &str| SectionSpecification {
        title: title.to_owned(),
        key_points: vec![point.to_owned()],
        ..SectionSpecification::default()
    };
    Companions {
        specification: Some(Specification {
            title: Some("Boiling water".to_owned()),
            objectives: vec![Objective {
                id: None,
                objective: "say why a kettle hisses".to_owned(),
            }],
            sections: vec![
                section("Heat", "the plate heats the water"),
                section("Steam", "bubbles rise and burst"),
            ],
            ..Specification::default()
        }),
        sources: vec![SourcePassage {
            content: "Water boils at 100 °C at sea level.".to_owned(),
            ..SourcePassage::default()
        }],
        ..Companions::default()
    }
}

fn setup_for(
    (goal, profile): (Goal, &str),
    (text, hint): (&str, Hint),
    companions: Companions,
    seats: Vec<Seat>,
) -> Setup {
    let profile = registry::profile(profile).unwrap();
    let companions = Arc::new(companions);
    let reader = Reader {
        profile,
        settings: Settings {
            parameters: profile.parameters().clone(),
            ..Settings::default()
        },
        companions: Arc::clone(&companions),
        hint,
    };
    let inspected = reader.inspect(text.as_bytes().to_vec());
    Setup {
        id: "test".to_owned(),
        goal,
        profile,
        self_review: review::review(&inspected.findings, &inspected.findings),
        inspector: Arc::new(reader),
        inspected: Arc::new(inspected),
        companions,
        rubric: profile.rubric().clone(),
        policy: Policy {
            judging_tokens: 60_000,
            ..profile.decision(Mode::FullAuto).clone()
        },
        mode: Mode::FullAuto,
        seats,
        feedback_language: None,
        cost_limit: None,
        require_judged: false,
        self_preference: None,
    }
}

fn writers() -> Vec<Seat> {
    vec![
        seat(Role::JudgeSecondary, &["judge"]),
        seat(Role::JudgePrimary, &["other"]),
        seat(Role::Planner, &["planner"]),
        seat(Role::Expander, &["expander"]),
        seat(Role::Smoother, &["smoother"]),
    ]
}

fn writing() -> Setup {
    setup_for(
        (Goal::Write, "lesson"),
        ("", Hint::Markdown),
        ordered(),
        writers(),
    )
}

fn refining(text: &str, hint: Hint) -> Setup {
    setup_for((Goal::Refine, "lesson"), (text, hint), ordered(), writers())
}

const PLAN: &str = r#"{"title": "Boiling water", "introduction": {"purpose": "why it matters", "key_points": [], "words": 40}, "sections": [{"title": "Heat", "purpose": "where heat goes", "key_points": ["the plate"], "words": 40}, {"title": "Steam", "purpose": "what steam does", "key_points": ["bubbles"], "words": 40}], "conclusion": {"title": "Summary", "purpose": "what to take along", "key_points": [], "words": 40}}"#;

const INTRODUCTION: &str =
    "A kettle hisses long before the water in it boils. Whoever listens can tell how far it is.";
const HEAT: &str = "The plate under the kettle gets hot, and the water above it takes the heat up. The water at the bottom is the first to boil.";
const STEAM: &str = "Bubbles of steam rise from the bottom of the kettle. They collapse in the colder water above them, and each collapse is a small click.";
const SUMMARY: &str = "The hiss is the sound of many small bubbles that collapse. It stops when all of the water boils.";

fn written() -> String {
    format!(
        "# Boiling water\n\n{INTRODUCTION}\n\n## Heat\n\n{HEAT}\n\n## Steam\n\n{STEAM}\n\n## Summary\n\n{SUMMARY}\n"
    )
}

fn reply(role: &str, narrowed: &str, text: &str) -> String {
    format!("[[reply]]\nrole = \"{role}\"\n{narrowed}\ntext = '''\n{text}'''\n")
}

const NO_CHANGE: &str = "NO CHANGE NEEDED: all of it reads well.";

/// A script in which everybody answers well, but for what comes `first`.
fn script(first: &str) -> String {
    [
        first.to_owned(),
        reply("planner", "", PLAN),
        reply("expander", "section = \"sec_introduction\"", INTRODUCTION),
        reply("expander", "section = \"sec_1\"", HEAT),
        reply("expander", "section = \"sec_2\"", STEAM),
        reply("expander", "section = \"sec_conclusion\"", SUMMARY),
        reply("smoother", "", NO_CHANGE),
        GOOD.to_owned(),
    ]
    .concat()
}

/// The text of an outcome.
fn text_of(outcome: &Outcome) -> String {
    String::from_utf8(outcome.final_content.clone().unwrap()).unwrap()
}

struct Ran {
    outcome: Outcome,
    events: Vec<Event>,
    asked: Vec<AskId>,
}

impl Ran {
    fn asked_of(&self, role: &str) -> usize {
        let named = |ask: &&AskId| ask.0.contains(role);
        self.asked.iter().filter(named).count()
    }

    fn skipped(&self) -> Vec<(&str, &str)> {
        let skipped = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Skipped { what, because } => Some((*what, because.as_str())),
            _ => None,
        });
        skipped.collect()
    }
}

fn run(setup: Setup, script: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(folder.path(), setup, script);
    Ran {
        outcome: driven.result.unwrap(),
        events: driven.events,
        asked: driven.asked.into_keys().collect(),
    }
}

/// What a run that writes tells.
pub(crate) fn told() -> Vec<Event> {
    run(writing(), &script("")).events
}

#[test]
fn a_lesson_is_planned_written_part_by_part_put_together_and_judged() {
    let ran = run(writing(), &script(""));
    assert_eq!(ran.outcome.status, Status::Accepted);
    assert_eq!(text_of(&ran.outcome), written());
    // Nothing came in, so nothing was left alone.
    assert!(ran.outcome.receipts.is_none());
    let parts: Vec<&str> = ran
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::SectionWritten { section, .. } => Some(section.0.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        parts,
        ["sec_introduction", "sec_1", "sec_2", "sec_conclusion"]
    );
    assert_eq!(ran.asked_of("/plan/"), 1);
    assert_eq!(ran.asked_of("/section/"), 4);
    assert_eq!(ran.outcome.spent[&Role::Expander].calls, 4);
}

fn edit(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE")
}

#[test]
fn a_smoother_changes_the_joins_and_every_other_byte_stays() {
    let (old, new) = (
        "The water at the bottom is the first to boil.",
        "The water at the bottom boils first, and there the bubbles begin.",
    );
    let first = reply("smoother", "", &edit(old, new));
    let ran = run(writing(), &script(&first));
    assert_eq!(text_of(&ran.outcome), written().replace(old, new));
    assert_eq!(ran.outcome.status, Status::Accepted);
}

#[test]
fn a_smoother_that_touches_anything_but_a_join_is_refused_byte_for_byte() {
    let good = edit(
        "The water at the bottom is the first to boil.",
        "The water at the bottom boils first.",
    );
    for bad in [
        edit("# Boiling water", "# Boiling"),
        edit("## Heat", "## Warmth"),
        edit("## Heat\n", "New.\n\n## Heat\n"),
        // The end of the last part joins nothing.
        edit("It stops when all of the water boils.", "It stops then."),
        edit(
            "The water at the bottom is the first to boil.\n\n## Steam",
            "The water boils.\n\n## Gas",
        ),
        edit(
            "The water at the bottom is the first to boil.",
            "The water boils.\n\nThen there is steam.",
        ),
        edit("These words are nowhere.", "x"),
        format!("{good}\n{}", edit("## Summary", "## End")),
        format!(
            "{good}\n{}",
            edit("It stops when all of the water boils.", "")
        ),
        // A long speech in the place of a sentence.
        edit(
            "The water at the bottom is the first to boil.",
            &"The water boils, and it boils, and boils. ".repeat(30),
        ),
        // A figure that nobody wrote.
        edit(
            "The water at the bottom is the first to boil.",
            "The water at the bottom boils at 90 degrees.",
        ),
        "Here is a better lesson.".to_owned(),
        written().to_uppercase(),
    ] {
        let ran = run(writing(), &script(&reply("smoother", "", &bad)));
        assert_eq!(text_of(&ran.outcome), written(), "{bad}");
        let skipped = ran.skipped();
        assert!(
            skipped.iter().any(|(what, _)| *what == "smoother"),
            "{bad}: {skipped:?}"
        );
    }
}

#[test]
fn where_somebody_fails_nothing_is_written_and_nothing_accepted() {
    let fault = |role: &str, narrowed: &str, fault: &str| {
        format!("[[reply]]\nrole = \"{role}\"\n{narrowed}\nfault = \"{fault}\"\n")
    };
    let two = PLAN.replace(r#"{"title": "Steam", "purpose": "what steam does", "key_points": ["bubbles"], "words": 40}"#, "")
        .replace("}, ], \"conclusion\"", "}], \"conclusion\"");
    for (first, reason, says) in [
        (
            fault("planner", "", "unauthorised"),
            Reason::CallFailed,
            "401",
        ),
        (
            fault("planner", "", "wrong-schema"),
            Reason::WrongShape,
            "no plan",
        ),
        (fault("planner", "", "empty"), Reason::Empty, "empty"),
        (
            reply("planner", "", &two),
            Reason::WrongShape,
            "lists 2 sections",
        ),
        (
            fault("expander", "section = \"sec_2\"", "refusal"),
            Reason::Refused,
            "sec_2 “Steam”",
        ),
        (
            fault("expander", "section = \"sec_1\"", "server-error"),
            Reason::CallFailed,
            "sec_1 “Heat”",
        ),
        (
            reply("expander", "section = \"sec_1\"", "Too short."),
            Reason::Rejected,
            "2 words",
        ),
        (
            fault("expander", "section = \"sec_1\"", "truncated-json"),
            Reason::Truncated,
            "breaks off",
        ),
    ] {
        let ran = run(writing(), &script(&first));
        let outcome = &ran.outcome;
        assert_eq!(outcome.status, Status::Escalated, "{first}");
        let unscored = outcome.unscored.as_ref().unwrap();
        assert_eq!(unscored.reason, reason, "{first}: {unscored:?}");
        assert!(unscored.message.contains(says), "{first}: {unscored:?}");
        assert!(outcome.final_content.is_none() && outcome.score.is_none());
        assert_eq!(ran.asked_of("judge"), 0, "{first}");
    }
}

#[test]
fn without_a_writer_or_an_order_the_reason_says_what_is_missing() {
    let mut nobody = writing();
    nobody.seats.retain(|seat| seat.role != Role::Expander);
    let nothing = setup_for(
        (Goal::Write, "lesson"),
        ("", Hint::Markdown),
        Companions::default(),
        writers(),
    );
    for (setup, says) in [(nobody, "as expander"), (nothing, "specification")] {
        let ran = run(setup, &script(""));
        assert_eq!(ran.outcome.status, Status::Escalated);
        assert!(ran.outcome.because.as_ref().unwrap().contains(says));
        assert!(ran.asked.is_empty());
    }
}

#[test]
fn a_part_that_broke_off_is_written_with_twice_the_limit() {
    // Whoever answers within the usual limit breaks off.
    let first =
        "[[reply]]\nrole = \"expander\"\nsection = \"section/sec_1\"\nfault = \"truncated-json\"\n";
    let ran = run(writing(), &script(first));
    assert_eq!(text_of(&ran.outcome), written());
    let again: Vec<&str> = ran
        .asked
        .iter()
        .map(|ask| ask.0.as_str())
        .filter(|ask| ask.contains("/section2/"))
        .collect();
    assert_eq!(again, ["i0/section2/sec_1/try1"]);
}

#[test]
fn generated_text_is_scrubbed_before_it_is_checked() {
    let chart = "```mermaid\ngraph TD\nA[\\\"cold\\\"] --> B[\\\"hot\\\"]\n```";
    let noisy = format!("{HEAT}\n\n{chart}");
    let first = reply(
        "expander",
        "section = \"sec_1\"",
        &format!("Sure! Here is the section:\n\n## Heat\n\n{noisy}"),
    );
    let ran = run(writing(), &script(&first));
    let text = text_of(&ran.outcome);
    assert!(!text.contains("Sure!") && !text.contains('\\'), "{text}");
    assert_eq!(text.matches("## Heat").count(), 1, "{text}");
    assert_eq!(ran.outcome.open_errors, 0);
}

/// A judge that finds every text so weak that it has to be written again, and
/// others that answer well.
fn weak(round: &str) -> String {
    format!(
        "[[reply]]\nrole = \"judge_secondary\"\n{round}\nconfidence = \"high\"\n[reply.scores]\n\
         learning_objective_alignment = 0.3\npedagogical_structure = 0.3\nfactual_accuracy = 0.3\n\
         clarity_readability = 0.3\nengagement_examples = 0.3\ncompleteness = 0.3\n\
         [[reply.issues]]\ncriterion = \"pedagogical_structure\"\nseverity = \"critical\"\nlocation = \"sec_global\"\n\
         quote = \"\"\ndescription = \"It has no thread.\"\nsuggested_fix = \"Begin with the hiss.\"\n"
    )
}

const OLD: &str = "# Boiling water\n\nThis lesson is about what happens in a kettle.\n\n## Heat\n\nThe plate under the kettle gets hot, and the water takes the heat up until it boils.\n\n## Steam\n\nBubbles of steam rise from the bottom and burst at the surface.\n";

#[test]
fn what_repair_does_not_help_is_written_anew_and_the_receipt_says_so() {
    let ran = run(refining(OLD, Hint::Markdown), &script(&weak("round = 0")));
    let outcome = &ran.outcome;
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    assert_eq!(text_of(outcome), written());
    let receipts = serde_json::to_value(outcome.receipts.as_ref().unwrap()).unwrap();
    receipt::verify(&receipts, OLD.as_bytes(), written().as_bytes()).unwrap();
    let edits = receipts["edits"].as_array().unwrap();
    assert_eq!(edits.len(), 1);
    assert_eq!(edits[0]["tasks"][0], "round 1: written anew");
    assert_eq!(edits[0]["removed"], OLD);
    // Whoever plans it anew hears what was wrong.
    assert_eq!(outcome.tasks.len(), 1);
    assert_eq!(outcome.tasks[0].issues, ["It has no thread."]);
}

#[test]
fn a_lesson_in_json_stays_one() {
    let old = r#"{"lesson_id": 7, "title": "Old", "introduction": "About kettles.", "sections": [{"title": "Heat", "content": "The plate under the kettle gets hot."}], "conclusion": "It boils."}"#;
    let ran = run(refining(old, Hint::Json), &script(&weak("round = 0")));
    let lesson: serde_json::Value = serde_json::from_str(&text_of(&ran.outcome)).unwrap();
    assert_eq!(lesson["lesson_id"], 7);
    assert_eq!(lesson["introduction"], INTRODUCTION);
    assert_eq!(lesson["sections"][1]["title"], "Steam");
    assert_eq!(lesson["sections"][1]["content"], STEAM);
}

#[test]
fn the_whole_is_written_anew_at_most_twice_a_run() {
    let another = |round: u32| {
        // Another text each time: the same one coming back would end the run.
        reply(
            "expander",
            &format!("round = {round}\nsection = \"sec_1\""),
            &format!("{HEAT} It takes about {round} minutes in a kettle of this size."),
        )
    };
    let first = [weak(""), another(1), another(2), another(3)].concat();
    for (most, planned) in [(0, 0), (1, 1), (2, 2)] {
        let mut setup = refining(OLD, Hint::Markdown);
        setup.policy.repair.whole_regenerations = most;
        setup.policy.repair.iterations = 5;
        // Three texts of the same score would end it as well.
        setup.policy.repair.converged_below = redraft_core::rubric::Score::parse("0").unwrap();
        let ran = run(setup, &script(&first));
        assert_eq!(ran.asked_of("/plan/"), planned, "{:?}", ran.asked);
        assert_eq!(ran.outcome.status, Status::BestEffort);
        let because = ran.outcome.because.unwrap();
        assert!(because.contains("written again"), "{because}");
        // Of equals the earlier (ruling 39).
        assert!(ran.outcome.final_content.is_none());
    }
}

#[test]
fn without_a_writer_the_reason_is_told_and_the_text_stays() {
    let mut setup = refining(OLD, Hint::Markdown);
    setup.seats.retain(|seat| seat.role != Role::Planner);
    let ran = run(setup, &script(&weak("")));
    assert_eq!(ran.outcome.status, Status::BestEffort);
    assert!(ran.outcome.because.unwrap().contains("as planner"));
    assert!(ran.outcome.final_content.is_none());
}

#[test]
fn a_planner_that_fails_leaves_the_best_text_so_far() {
    let down = "[[reply]]\nrole = \"planner\"\nfault = \"unauthorised\"\n";
    let ran = run(
        refining(OLD, Hint::Markdown),
        &script(&format!("{down}{}", weak(""))),
    );
    assert_eq!(ran.outcome.status, Status::BestEffort);
    assert!(ran.outcome.because.unwrap().contains("401"));
    assert!(ran.outcome.final_content.is_none());
}

#[test]
fn a_whole_that_nobody_can_read_is_written_anew_with_a_higher_limit() {
    let cut = r#"{"title": "Boiling water", "introduction": "A kettle hisses long bef"#;
    let setup = refining(cut, Hint::Json);
    assert_eq!(setup.self_review.status, review::Status::Regenerate);
    let run_of = setup;
    let (outcome, _, asks) = play(run_of, &Answers::default(), &[]);
    let limits: Vec<u32> = asks
        .iter()
        .filter(|ask| ask.role == Role::Expander)
        .map(|ask| ask.model.max_tokens)
        .collect();
    assert_eq!(limits, [4_000; 4]);
    assert_eq!(outcome.status, Status::Accepted, "{:?}", outcome.because);
    let lesson: serde_json::Value = serde_json::from_str(&text_of(&outcome)).unwrap();
    assert_eq!(lesson["conclusion"], SUMMARY);
}

#[test]
fn a_killed_run_goes_on_and_comes_to_the_same_end() {
    let first = format!(
        "[[reply]]\nrole = \"planner\"\ntry = 1\nfault = \"empty\"\n\
         [[reply]]\nrole = \"expander\"\nsection = \"sec_2\"\ntry = 1\nfault = \"rate-limit\"\nretry_after_ms = 2000\n{}",
        reply("smoother", "try = 1", "Nothing.")
    );
    let script = script(&first);
    let folder = tempfile::tempdir().unwrap();
    let whole = fresh(folder.path(), writing(), &script);
    let outcome = serde_json::to_string(&whole.result.unwrap()).unwrap();
    let events = serde_json::to_string(&whole.events).unwrap();
    let journal = fs::read(folder.path().join("run.jsonl")).unwrap();
    let ends: Vec<usize> = journal
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    assert!(ends.len() > 20, "{} lines", ends.len());
    for (index, end) in ends.iter().enumerate() {
        let torn = end + ends.get(index + 1).map_or(0, |next| (next - end) / 2);
        for cut in [*end, torn] {
            let path = folder.path().join(format!("cut-{cut}-{index}.jsonl"));
            fs::write(&path, &journal[..cut]).unwrap();
            let (journal, _, recorded) = Journal::resume(&path).unwrap();
            let answered: Vec<AskId> = recorded
                .inputs
                .iter()
                .filter_map(|input| match &input.what {
                    Told::Reply { ask, .. } => Some(ask.clone()),
                    _ => None,
                })
                .collect();
            let resumed = drive(writing(), &script, journal, recorded);
            let again = serde_json::to_string(&resumed.result.unwrap()).unwrap();
            assert_eq!(again, outcome, "cut at {cut}");
            let told = serde_json::to_string(&resumed.events).unwrap();
            assert_eq!(told, events, "cut at {cut}");
            for ask in answered {
                assert_eq!(resumed.asked.get(&ask), None, "{ask} was paid twice");
            }
        }
    }
}

#[test]
fn cards_and_items_are_written_by_an_author_and_judged() {
    let item = r#"{"vignette": "A 62-year-old woman wakes at night with a burning feeling in both feet. She has had type 2 diabetes for eleven years and takes metformin.", "stem": "Which drug is the best first treatment of her pain?", "distractors": [{"text": "Ibuprofen", "isCorrect": false, "explanation": "It acts on inflammation."}, {"text": "Duloxetine", "isCorrect": true, "explanation": "It eases neuropathic pain."}, {"text": "Morphine", "isCorrect": false, "explanation": "Opioids come last."}, {"text": "Paracetamol", "isCorrect": false, "explanation": "It has little effect on nerves."}], "answerKey": "B", "explanation": "Burning feet in long diabetes point to neuropathy, and duloxetine is a drug of first choice."}"#;
    let cards = r#"{"title": "Sharing a bill", "lesson_type": "teach", "estMinutes": 20, "sow_order": 2, "outcomeRefs": ["O1"], "cards": [{"id": "c1", "title": "Split it", "explainer": "Four friends eat in Leith. They pay £24 in all. Divide to find what each pays.", "explainer_plain": "Divide £24 by 4. Each friend pays £6.", "cfu": {"type": "numeric", "stem": "Five friends pay £30. What does each pay?", "expected": 6}}]}"#;
    let scores = |profile: &str| {
        let rubric = registry::profile(profile).unwrap().rubric();
        let all: Vec<String> = rubric
            .criteria
            .iter()
            .map(|criterion| format!("{} = 0.95", criterion.name))
            .collect();
        format!(
            "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\n[reply.scores]\n{}\n",
            all.join("\n")
        )
    };
    let entry = Companions {
        scheme_of_work: vec![SchemeEntry {
            order: Some(2),
            label: Some("Sharing a bill".to_owned()),
            ..SchemeEntry::default()
        }],
        ..Companions::default()
    };
    for (profile, beside, answer) in [
        ("clinical-mcq", ordered(), item),
        ("sqa-lesson", entry, cards),
    ] {
        for wrapped in [
            answer.to_owned(),
            format!("Here it is:\n\n```json\n{answer}\n```\n"),
        ] {
            let seats = vec![
                seat(Role::JudgeSecondary, &["judge"]),
                seat(Role::Author, &["author"]),
            ];
            let setup = setup_for(
                (Goal::Write, profile),
                ("", Hint::Json),
                beside.clone(),
                seats,
            );
            let script = format!("{}{}", reply("author", "", &wrapped), scores(profile));
            let ran = run(setup, &script);
            let text: serde_json::Value = serde_json::from_str(&text_of(&ran.outcome)).unwrap();
            let expected: serde_json::Value = serde_json::from_str(answer).unwrap();
            assert_eq!(text, expected, "{profile}");
            assert!(ran.outcome.score.is_some(), "{profile}");
        }
        for bad in [
            "I'd rather talk about it.",
            "{\"a\": 1}",
            &answer[..answer.floor_char_boundary(answer.len() / 2)],
        ] {
            let seats = vec![
                seat(Role::JudgeSecondary, &["judge"]),
                seat(Role::Author, &["author"]),
            ];
            let setup = setup_for(
                (Goal::Write, profile),
                ("", Hint::Json),
                beside.clone(),
                seats,
            );
            let script = format!("{}{}", reply("author", "", bad), scores(profile));
            let ran = run(setup, &script);
            assert_eq!(ran.outcome.status, Status::Escalated, "{profile} {bad}");
            assert!(ran.outcome.final_content.is_none(), "{profile} {bad}");
        }
    }
}

/// What made-up writers do.
#[derive(Clone, Debug, Default)]
struct Answers {
    /// By the sum of the bytes of an ask's name: what goes wrong with it.
    faults: Vec<Fault>,
    used: u64,
}

#[derive(Clone, Debug)]
enum Fault {
    None,
    Empty,
    Cut,
    Transient,
    Permanent,
    Never,
}

fn faults() -> impl Strategy<Value = Fault> {
    prop_oneof![
        8 => Just(Fault::None),
        1 => Just(Fault::Empty),
        1 => Just(Fault::Cut),
        1 => Just(Fault::Transient),
        1 => Just(Fault::Permanent),
        1 => Just(Fault::Never),
    ]
}

fn answered(ask: &Ask, answers: &Answers) -> Option<Result<Reply, CallFailure>> {
    let key = ask.id.0.bytes().map(usize::from).sum::<usize>();
    let fault = match answers.faults.len() {
        0 => Fault::None,
        most => answers.faults[key % most].clone(),
    };
    let failure = |kind| {
        Some(Err(CallFailure {
            kind,
            message: "no".to_owned(),
            usage: None,
        }))
    };
    let mut finish = Finish::Stop;
    let mut text = match ask.role {
        Role::Planner => PLAN.to_owned(),
        Role::Smoother => NO_CHANGE.to_owned(),
        Role::Expander if ask.id.0.contains("sec_introduction") => INTRODUCTION.to_owned(),
        Role::Expander if ask.id.0.contains("sec_1") => HEAT.to_owned(),
        Role::Expander if ask.id.0.contains("sec_2") => STEAM.to_owned(),
        Role::Expander => SUMMARY.to_owned(),
        _ => {
            let rubric = registry::profile("lesson").unwrap().rubric();
            let scores: Vec<String> = rubric
                .criteria
                .iter()
                .map(|criterion| format!("\"{}\": 0.95", criterion.name))
                .collect();
            format!(
                "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}, \"confidence\": \"high\"}}",
                ask.content,
                scores.join(", ")
            )
        }
    };
    match fault {
        Fault::None => {}
        Fault::Empty => text.clear(),
        Fault::Cut => finish = Finish::Length,
        Fault::Transient => return failure(FailureKind::Transient { retry_after: None }),
        Fault::Permanent => return failure(FailureKind::Permanent),
        Fault::Never => return None,
    }
    Some(Ok(Reply {
        text,
        finish,
        usage: Usage {
            tokens: Tokens {
                input: answers.used,
                output: answers.used / 3,
            },
            estimated: false,
        },
        took: 5,
    }))
}

/// Plays a run to its end; replies of a batch arrive in the order that `swaps`
/// stirs them into.
fn play(
    setup: Setup,
    answers: &Answers,
    swaps: &[prop::sample::Index],
) -> (Outcome, Vec<Event>, Vec<Ask>) {
    let limit = setup.policy.writing_tokens;
    let mut run = Run::new(setup, Time(0));
    let (mut events, mut all, mut out) = (Vec::new(), Vec::new(), Vec::<Ask>::new());
    let mut now = 0;
    loop {
        let step = run.next_step().unwrap();
        events.extend(run.drain_events());
        match step {
            Step::Ask(asks) => {
                // What is reserved for writing fits beside what was spent on it,
                // unless a provider counted more than anybody could expect.
                let ledger = run.ledger();
                let overrun: u64 = ledger.spent().values().map(|spent| spent.overrun).sum();
                let committed = ledger.committed_to(redraft_core::ask::Purse::Writing);
                assert!(
                    committed <= limit + overrun,
                    "{committed} > {limit} + {overrun}"
                );
                all.extend(asks.iter().cloned());
                out = asks;
            }
            Step::Cancel(_) => {}
            Step::Done(outcome) => return (*outcome, events, all),
            Step::Wait {
                on: Awaiting::Human { .. },
                ..
            } => run.handle_decision(Time(now), &Decision::Absent),
            Step::Wait { until, .. } => {
                for index in swaps {
                    if out.len() > 1 {
                        let other = index.index(out.len());
                        out.swap(0, other);
                    }
                }
                now += 10;
                let mut silent = false;
                for ask in std::mem::take(&mut out) {
                    match answered(&ask, answers) {
                        Some(result) => run.handle_reply(Time(now), &ask.id, result),
                        None => silent = true,
                    }
                }
                if silent {
                    now = now.max(until.unwrap().0);
                    run.handle_timeout(Time(now));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_comes_back_a_written_run_ends_within_its_budget_and_accepts_only_what_was_judged(
        faults in prop::collection::vec(faults(), 1..8),
        swaps in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        used in 0u64..4_000,
        limit in prop_oneof![Just(0u64), 1_000u64..60_000],
        anew in any::<bool>(),
    ) {
        let setup = || {
            let mut setup = if anew {
                refining(r#"{"title": "Boiling water", "introduction": "It hisses bef"#, Hint::Json)
            } else {
                writing()
            };
            setup.policy.writing_tokens = limit;
            setup
        };
        let answers = Answers { faults, used };
        let first = play(setup(), &answers, &[]);
        let second = play(setup(), &answers, &swaps);
        prop_assert_eq!(serde_json::to_string(&first.0).unwrap(), serde_json::to_string(&second.0).unwrap());
        prop_assert_eq!(&first.1, &second.1);
        let mut names: Vec<&AskId> = first.2.iter().map(|ask| &ask.id).collect();
        let asked = names.len();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), asked, "an ask was sent twice");
        let plans = first.2.iter().filter(|ask| ask.id.0.ends_with("plan/planner/try1")).count();
        prop_assert!(plans <= 2);
        let outcome = first.0;
        if matches!(outcome.status, Status::Accepted | Status::AcceptedWarning) {
            prop_assert!(outcome.score.is_some());
            prop_assert!(outcome.final_content.is_some());
        }
    }
}
