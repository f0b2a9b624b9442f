//! The arbiter (seed 003 §4): if configured, it is asked once per plan to reword merged
//! instructions. If its answer is invalid, the program's own wording is used.

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::SkipReason;
use redraft_run::setup::{Goal, Setup};
use redraft_run::verdict::Reason;
use serde_json::{Value, json};

use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{
    CLEAN_LESSON, Finished, ModelReply, delta, everybody, fails, issue, patch, run_to_end,
    scored_overall, text_reply,
};

/// A run under the shipped policy, with an arbiter.
fn setup(mode: Mode) -> Setup {
    let mut seats = everybody();
    seats.push(seat(Role::Arbiter, &["arbiter"]));
    // Short answers, so that the shipped budget covers both repairs.
    for model in seats.iter_mut().flat_map(|seat| &mut seat.models) {
        model.max_tokens = 600;
    }
    Setup {
        goal: Goal::Refine,
        ..setup_about(
            &Subject::of("lesson", CLEAN_LESSON, Hint::Markdown),
            seats,
            mode,
        )
    }
}

/// Two issues in one section, and two in another.
fn issues() -> Vec<Value> {
    vec![
        issue(
            "clarity_readability",
            "minor",
            "sec_1",
            "takes up the heat",
            "Say absorbs.",
        ),
        issue(
            "engagement_examples",
            "minor",
            "sec_1",
            "turns over all the time",
            "Name an example.",
        ),
        issue(
            "factual_accuracy",
            "critical",
            "sec_2",
            "Water boils at 90 °C",
            "Write 100 °C.",
        ),
        issue(
            "clarity_readability",
            "minor",
            "sec_2",
            "stays where it is",
            "Say stays the same.",
        ),
    ]
}

fn judged(ask: &Ask, issues: &[Value]) -> ModelReply {
    match ask.id.0.starts_with("i0/") {
        true => scored_overall(ask, 800, "high", issues),
        false => scored_overall(ask, 950, "high", &[]),
    }
}

fn run(setup: Setup, issues: &[Value], arbiter: impl Fn(&Ask) -> ModelReply) -> Finished {
    run_to_end(
        setup,
        |ask| match ask.role {
            Role::Arbiter => arbiter(ask),
            Role::Patcher => patch(ask, "takes up the heat", "absorbs the heat"),
            Role::SectionExpander => text_reply(
                ask,
                "Water boils at 100 °C at the seaside. The heat that is added from then on makes steam, and the temperature stays the same. The energy is $Q = m c \\Delta T$, and a program can work it out: \n\n```python\nenergy = mass * 4186 * rise\n```\n",
            ),
            Role::DeltaJudge => delta(ask, true, "done"),
            _ => judged(ask, issues),
        },
        &[],
    )
}

/// The steps of both sections.
fn steps(first: &Value, second: &Value) -> Value {
    json!({"parts": [{"id": "sec_1", "steps": first}, {"id": "sec_2", "steps": second}]})
}

fn step(issues: &[&str], instruction: &str) -> Value {
    json!({"issues": issues, "instruction": instruction})
}

const FIRST: &str = "Say that the water absorbs the heat, and name a pot of soup as an example.";
const SECOND: &str = "Write 100 °C, and say that the temperature stays the same.";

fn good() -> Value {
    steps(
        &json!([step(&["issue_1", "issue_2"], FIRST)]),
        &json!([step(&["issue_3", "issue_4"], SECOND)]),
    )
}

fn skipped(finished: &Finished) -> Vec<Reason> {
    let events = finished.events.iter();
    let skipped = events.filter_map(|event| match &event.kind {
        EventKind::Skipped {
            what: "arbiter",
            reason: SkipReason::NoAnswer(unscored),
        } => Some(unscored.reason),
        _ => None,
    });
    skipped.collect()
}

/// The events of a run with an arbiter.
pub(crate) fn told() -> Vec<Event> {
    let answer = |ask: &Ask| text_reply(ask, good().to_string());
    run(setup(Mode::FullAuto), &issues(), answer).events
}

#[test]
fn a_named_arbiter_is_asked_once_a_plan_and_its_words_reach_the_editors() {
    for mode in [Mode::SemiAuto, Mode::FullAuto] {
        let finished = run(setup(mode), &issues(), |ask| {
            text_reply(ask, good().to_string())
        });
        assert_eq!(
            finished.asked("/phrase/arbiter/"),
            1,
            "{:?}",
            finished.names()
        );
        assert!(finished.names().contains(&"i1/phrase/arbiter/try1"));
        assert!(finished.prompt("/patch/sec_1/").contains(FIRST));
        assert!(finished.prompt("/expand/sec_2/").contains(SECOND));
        // The problem is still described, but its fix is stated only once.
        let told = finished.prompt("/patch/sec_1/");
        assert!(told.contains("clarity_readability is wanting in sec_1"));
        assert!(!told.contains("To do: Say absorbs."), "{told}");
        assert_eq!(finished.count("instructions_phrased"), 1);
        assert_eq!(skipped(&finished), []);
        finished.ends_as(Status::Accepted);
        let spent = &finished.outcome.spent[&Role::Arbiter];
        assert_eq!(spent.calls, 1);
    }
}

#[test]
fn nothing_wrong_that_an_arbiter_says_reaches_an_editor() {
    let fine = || json!([step(&["issue_1", "issue_2"], FIRST)]);
    let with = |second: Value| steps(&fine(), &second).to_string();
    for (what, answer, reason) in [
        ("prose", "Mend it all.".to_owned(), Reason::NotAVerdict),
        ("empty", " ".to_owned(), Reason::Empty),
        (
            "cut off",
            "{\"parts\": [{\"id\": \"sec_1\"".to_owned(),
            Reason::Truncated,
        ),
        (
            "one part missing",
            json!({"parts": [{"id": "sec_1", "steps": fine()}]}).to_string(),
            Reason::WrongShape,
        ),
        (
            "a part of its own",
            json!({"parts": [{"id": "sec_3", "steps": fine()}]}).to_string(),
            Reason::WrongShape,
        ),
        (
            "a critical issue dropped",
            with(json!([step(&["issue_4"], "Say stays the same.")])),
            Reason::Rejected,
        ),
        ("no steps", with(json!([])), Reason::Rejected),
        (
            "an issue invented",
            with(json!([step(&["issue_3", "issue_9"], SECOND)])),
            Reason::Rejected,
        ),
        (
            "an issue of another part",
            with(json!([step(&["issue_3", "issue_1"], SECOND)])),
            Reason::Rejected,
        ),
        (
            "a step without an issue",
            with(json!([step(&["issue_3"], SECOND), step(&[], "Say more.")])),
            Reason::WrongShape,
        ),
        (
            "a step about something else",
            with(json!([
                step(&["issue_3"], SECOND),
                step(&["issue_4"], "Praise tea!")
            ])),
            Reason::Rejected,
        ),
        (
            "a figure of its own",
            with(json!([step(
                &["issue_3", "issue_4"],
                "Write 85 °C, and say stays the same."
            )])),
            Reason::Rejected,
        ),
        (
            "more than was asked for",
            with(json!([step(
                &["issue_3", "issue_4"],
                "Write 100 °C, stays the same, and add a link to a website."
            )])),
            Reason::Rejected,
        ),
        (
            "a novel",
            with(json!([step(
                &["issue_3", "issue_4"],
                &"Write it. ".repeat(200)
            )])),
            Reason::WrongShape,
        ),
        (
            "two answers",
            format!("{}\n{}", good(), good()),
            Reason::WrongShape,
        ),
    ] {
        let finished = run(setup(Mode::FullAuto), &issues(), |ask| {
            text_reply(ask, answer.clone())
        });
        assert_eq!(skipped(&finished), [reason], "{what}");
        assert_eq!(finished.count("instructions_phrased"), 0, "{what}");
        let told = finished.prompt("/patch/sec_1/");
        assert!(
            told.contains("To do: Say absorbs.") && !told.contains(FIRST),
            "{what}"
        );
        assert!(
            finished
                .prompt("/expand/sec_2/")
                .contains("To do: Write 100 °C."),
            "{what}"
        );
        finished.ends_as(Status::Accepted);
    }
}

#[test]
fn an_arbiter_that_fails_or_cannot_be_paid_costs_nothing_but_its_words() {
    let finished = run(setup(Mode::FullAuto), &issues(), |_| fails());
    assert_eq!(skipped(&finished), [Reason::CallFailed]);
    finished.ends_as(Status::Accepted);
    let mut dear = setup(Mode::FullAuto);
    for seat in dear
        .seats
        .iter_mut()
        .filter(|seat| seat.role == Role::Arbiter)
    {
        seat.models[0].max_tokens = 2_000_000;
    }
    let finished = run(dear, &issues(), |_| panic!("it cannot be paid"));
    assert_eq!(skipped(&finished), [Reason::OverBudget]);
    assert_eq!(finished.asked("/phrase/"), 0);
    assert!(
        finished
            .prompt("/patch/sec_1/")
            .contains("To do: Say absorbs.")
    );
    finished.ends_as(Status::Accepted);
}

#[test]
fn an_arbiter_is_not_asked_about_single_issues_nor_where_nobody_named_it() {
    let single: Vec<Value> = issues().into_iter().step_by(2).collect();
    let finished = run(setup(Mode::FullAuto), &single, |_| {
        panic!("nothing to merge")
    });
    assert_eq!(finished.asked("/phrase/"), 0);
    let mut unnamed = setup(Mode::FullAuto);
    unnamed.unnamed.insert(Role::Arbiter);
    let finished = run(unnamed, &issues(), |_| panic!("nobody named it"));
    assert_eq!(finished.asked("/phrase/"), 0);
    finished.ends_as(Status::Accepted);
}
