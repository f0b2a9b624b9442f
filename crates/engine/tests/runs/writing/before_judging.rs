//! Lessons that are rewritten before a judge is paid: because a self-reviewer calls them unusable
//! and a check confirms it (ruling 54), or because no repair can reach the required length.

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::outcome::Status;
use redraft_run::setup::{Seat, Setup};
use serde_json::json;

use super::{
    HEAT, INTRODUCTION, NO_CHANGE, PLAN, STEAM, SUMMARY, beside, ordered, setup_for, writers,
};
use crate::fixtures::seat;
use crate::in_memory::{Finished, ModelReply, run_to_end, text_reply, verdict};
use redraft_run::setup::Goal;

/// The foreign letters are in the title, which belongs to no component.
const NOISY: &str = "# Boiling 热水 water\n\nThis lesson is about what happens in a kettle.\n\n## Heat\n\nThe plate under the kettle gets hot, and the water takes the heat up until it boils.\n\n## Steam\n\nBubbles of steam rise from the bottom and burst at the surface.\n";

fn answer(ask: &Ask, kind: &str) -> ModelReply {
    match ask.role {
        Role::SelfReviewer => {
            let review = json!({"text_id": ask.content.to_string(), "status": "REGENERATE",
                "reasoning": "It is beyond use.", "edits": [], "issues": [{
                "type": kind, "severity": "CRITICAL", "location": "sec_global",
                "description": "Most of it is beyond use."}]});
            text_reply(ask, review.to_string())
        }
        Role::Planner => text_reply(ask, PLAN),
        Role::Expander => {
            let parts = [
                ("sec_introduction", INTRODUCTION),
                ("sec_1", HEAT),
                ("sec_2", STEAM),
                ("sec_conclusion", SUMMARY),
            ];
            let part = parts.iter().find(|(id, _)| ask.id.0.contains(id));
            text_reply(ask, part.map_or("", |(_, text)| *text))
        }
        Role::Smoother => text_reply(ask, NO_CHANGE),
        _ => verdict(ask, 950, &[], "high", &[]),
    }
}

fn setup(text: &str, minutes: Option<f64>, seats: Vec<Seat>, goal: Goal) -> Setup {
    let mut companions = ordered();
    if let Some(specification) = &mut companions.specification {
        specification.minutes = minutes;
    }
    setup_for(goal, &beside(text, Hint::Markdown, companions), seats)
}

fn run(setup: Setup, kind: &str) -> Finished {
    run_to_end(setup, |ask| answer(ask, kind), &[])
}

fn with_reviewer(mut seats: Vec<Seat>) -> Vec<Seat> {
    seats.push(seat(Role::SelfReviewer, &["r"]));
    seats
}

fn only_judges() -> Vec<Seat> {
    let mut seats = writers();
    seats.retain(|seat| seat.role.is_judge());
    seats
}

#[test]
fn a_confirmed_regenerate_of_no_component_rewrites_the_whole_where_somebody_can() {
    let seats = with_reviewer(writers());
    let finished = run(setup(NOISY, None, seats, Goal::Refine), "LANGUAGE");
    assert_eq!(finished.asked("/plan"), 1, "{:?}", finished.names());
    assert!(finished.has("text_written"));
    assert!(!finished.result().contains("热水"), "{}", finished.result());
    assert!(finished.result().contains(STEAM));
    finished.ends_as(Status::Accepted);
    // The judge reads the new text and is not told about the old one.
    assert!(!finished.prompt("/judge/").contains("beyond use"));
    // It counts as a round and as a rewrite.
    let task = &finished.outcome.tasks[0];
    assert_eq!((task.iteration, task.kept), (1, true));
    // No writer is configured, no check agrees, or the run only judges: the judge sees the flag.
    for (seats, kind, goal) in [
        (with_reviewer(only_judges()), "LANGUAGE", Goal::Refine),
        (with_reviewer(writers()), "TRUNCATION", Goal::Refine),
        (with_reviewer(writers()), "LANGUAGE", Goal::Judge),
    ] {
        let finished = run(setup(NOISY, None, seats, goal), kind);
        assert_eq!(finished.asked("/plan"), 0, "{kind} {goal:?}");
        assert_eq!(finished.result(), NOISY);
        assert!(finished.prompt("/judge/").contains("beyond use"));
    }
}

#[test]
fn a_length_beyond_repair_pays_no_judge() {
    let short = NOISY.replace("热水 ", "");
    for goal in [Goal::Judge, Goal::Refine] {
        let finished = run(setup(&short, Some(60.0), only_judges(), goal), "");
        assert_eq!(finished.names(), [""; 0], "{goal:?}");
        assert_ne!(finished.outcome.status, Status::Accepted);
        assert!(finished.outcome.score.is_none());
        let because = finished.because();
        assert!(because.contains("no repair can change"), "{because}");
    }
    // If a writer is configured, the text is rewritten. If the result is not long enough either, no
    // judge is paid.
    let finished = run(setup(&short, Some(60.0), writers(), Goal::Refine), "");
    assert_eq!(finished.asked("/plan"), 1, "{:?}", finished.names());
    assert_eq!(finished.asked("/judge/"), 0, "{:?}", finished.names());
    assert!(finished.outcome.score.is_none());
    // A text whose length repairs can reach is judged, and so is one without a duration.
    for minutes in [Some(1.0), None] {
        let finished = run(setup(&short, minutes, only_judges(), Goal::Refine), "");
        assert!(finished.asked("/judge/") > 0, "{minutes:?}");
    }
    // The same applies to a text that is far too long.
    let long = format!(
        "{short}\n{}\n",
        "Bubbles rise from the bottom of the kettle. ".repeat(900)
    );
    let finished = run(setup(&long, Some(1.0), only_judges(), Goal::Refine), "");
    assert_eq!(finished.asked("/judge/"), 0, "{:?}", finished.names());
}
