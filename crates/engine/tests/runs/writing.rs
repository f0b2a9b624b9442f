//! Writing whole texts: the results, the costs, and failures of models.

mod author;
mod before_judging;
mod hostile;
mod rewriting;

use redraft_gate::companion::{Companions, Objective, SectionSpecification};
use redraft_gate::companion::{SourcePassage, Specification};
use redraft_gate::reading::Hint;
use redraft_run::ask::{AskId, Role};
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::reasons::{CannotWrite, NotAccepted, NotWritten, SkipReason};
use redraft_run::setup::{Goal, Seat, Setup};
use redraft_run::verdict::Reason;

use crate::fixtures::{GOOD, Subject, block, fresh, seat, setup_about};
use crate::kill_and_resume::{Cuts, survives_being_killed};

/// The specification: a lesson of two sections.
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

fn setup_for(goal: Goal, subject: &Subject<'_>, seats: Vec<Seat>) -> Setup {
    let mut setup = setup_about(subject, seats, Mode::FullAuto);
    setup.goal = goal;
    setup
}

/// A text with companions.
fn beside<'a>(text: &'a str, hint: Hint, companions: Companions) -> Subject<'a> {
    Subject {
        companions,
        ..Subject::of("lesson", text, hint)
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
    let nothing = beside("", Hint::Markdown, ordered());
    setup_for(Goal::Write, &nothing, writers())
}

fn refining(text: &str, hint: Hint) -> Setup {
    setup_for(Goal::Refine, &beside(text, hint, ordered()), writers())
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

/// A script in which every model answers well, except for what comes `first`.
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

    fn skipped(&self) -> Vec<(&str, &SkipReason)> {
        let skipped = self.events.iter().filter_map(|event| match &event.kind {
            EventKind::Skipped { what, reason } => Some((*what, reason)),
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

/// The events of a run that writes.
pub(crate) fn told() -> Vec<Event> {
    run(writing(), &script("")).events
}

#[test]
fn a_lesson_is_planned_written_part_by_part_put_together_and_judged() {
    let ran = run(writing(), &script(""));
    assert_eq!(ran.outcome.status, Status::Accepted);
    assert_eq!(text_of(&ran.outcome), written());
    // There was no original text, so there is nothing to prove.
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

#[test]
fn a_smoother_changes_the_joins_and_every_other_byte_stays() {
    let (old, new) = (
        "The water at the bottom is the first to boil.",
        "The water at the bottom boils first, and there the bubbles begin.",
    );
    let first = reply("smoother", "", &block(old, new));
    let ran = run(writing(), &script(&first));
    assert_eq!(text_of(&ran.outcome), written().replace(old, new));
    assert_eq!(ran.outcome.status, Status::Accepted);
}

#[test]
fn a_smoother_that_touches_anything_but_a_join_is_refused_byte_for_byte() {
    let good = block(
        "The water at the bottom is the first to boil.",
        "The water at the bottom boils first.",
    );
    for bad in [
        block("# Boiling water", "# Boiling"),
        block("## Heat", "## Warmth"),
        block("## Heat\n", "New.\n\n## Heat\n"),
        // The end of the last section is not a join.
        block("It stops when all of the water boils.", "It stops then."),
        block(
            "The water at the bottom is the first to boil.\n\n## Steam",
            "The water boils.\n\n## Gas",
        ),
        block(
            "The water at the bottom is the first to boil.",
            "The water boils.\n\nThen there is steam.",
        ),
        block("These words are nowhere.", "x"),
        format!("{good}\n{}", block("## Summary", "## End")),
        format!(
            "{good}\n{}",
            block("It stops when all of the water boils.", "")
        ),
        // A long speech replaces a sentence.
        block(
            "The water at the bottom is the first to boil.",
            &"The water boils, and it boils, and boils. ".repeat(30),
        ),
        // A new number.
        block(
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
    use Reason::{CallFailed, Empty, Refused, Rejected, Truncated, WrongShape};
    let fault = |role: &str, narrowed: &str, fault: &str| {
        format!("[[reply]]\nrole = \"{role}\"\n{narrowed}\nfault = \"{fault}\"\n")
    };
    let two = PLAN.replace(r#"{"title": "Steam", "purpose": "what steam does", "key_points": ["bubbles"], "words": 40}"#, "")
        .replace("}, ], \"conclusion\"", "}], \"conclusion\"");
    let (first, second) = ("section = \"sec_1\"", "section = \"sec_2\"");
    for (first, reason, says) in [
        (fault("planner", "", "unauthorised"), CallFailed, "401"),
        (fault("planner", "", "wrong-schema"), WrongShape, "no plan"),
        (fault("planner", "", "empty"), Empty, "empty"),
        (reply("planner", "", &two), WrongShape, "lists 2 sections"),
        (
            fault("expander", second, "refusal"),
            Refused,
            "sec_2 “Steam”",
        ),
        (
            fault("expander", first, "server-error"),
            CallFailed,
            "sec_1 “Heat”",
        ),
        (reply("expander", first, "Too short."), Rejected, "2 words"),
        (
            fault("expander", first, "truncated-json"),
            Truncated,
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
    let unordered = beside("", Hint::Markdown, Companions::default());
    let nothing = setup_for(Goal::Write, &unordered, writers());
    let no_model = CannotWrite::NoModel {
        role: Role::Expander,
    };
    for (setup, reason) in [(nobody, no_model), (nothing, CannotWrite::NoSpecification)] {
        let ran = run(setup, &script(""));
        assert_eq!(ran.outcome.status, Status::Escalated);
        assert_eq!(
            ran.outcome.because.unwrap().not_accepted,
            NotAccepted::NotWritten {
                reason: NotWritten::NotTried { reason }
            }
        );
        assert!(ran.asked.is_empty());
    }
}

#[test]
fn a_part_that_broke_off_is_written_with_twice_the_limit() {
    // An answer within the usual limit is cut off.
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

#[test]
fn a_killed_run_goes_on_and_comes_to_the_same_end() {
    let first = format!(
        "[[reply]]\nrole = \"planner\"\ntry = 1\nfault = \"empty\"\n\
         [[reply]]\nrole = \"expander\"\nsection = \"sec_2\"\ntry = 1\nfault = \"rate-limit\"\nretry_after_ms = 2000\n{}",
        reply("smoother", "try = 1", "Nothing.")
    );
    survives_being_killed(&writing, &script(&first), 20, Cuts::Everywhere);
}
