//! The cheap reviewer before the judges (seed 001): what it says is followed, and
//! what it scrubs is noise alone.

use redraft_gate::review;
use redraft_gate::span::Version;
use redraft_run::ask::Role;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::reasons::NotAccepted;
use redraft_run::setup::Goal;
use redraft_run::verdict::{Reason, Unscored};
use serde_json::{Value, json};

use super::{bench, judging};
use crate::fixtures::seat;
use crate::in_memory::{CLEAN_LESSON, Finished, run_to_end, scored_overall, text_reply};

fn reviewed(goal: Goal, text: &str, review: &Value) -> Finished {
    let mut seats = bench();
    seats.push(seat(Role::SelfReviewer, &["r"]));
    let mut setup = judging(text, seats, Mode::FullAuto);
    setup.goal = goal;
    run_to_end(
        setup,
        |ask| match ask.role {
            Role::SelfReviewer => {
                let mut review = review.clone();
                review["text_id"] = ask.content.to_string().into();
                text_reply(ask, review.to_string())
            }
            _ => scored_overall(ask, 950, "high", &[]),
        },
        &[],
    )
}

#[test]
fn what_the_self_reviewer_says_is_followed() {
    let review = |status: &str, severity: &str, edits: Value| {
        json!({"status": status, "reasoning": "So it is.", "edits": edits, "issues": [{
            "type": "ALIGNMENT", "severity": severity, "location": "sec_2",
            "description": "The boiling point looks odd.", "suggested_action": ""}]})
    };
    // REGENERATE: no judge.
    let finished = reviewed(
        Goal::Judge,
        CLEAN_LESSON,
        &review("REGENERATE", "CRITICAL", json!([])),
    );
    assert_eq!(finished.asked("/judge/"), 0);
    assert_eq!(finished.outcome.status, Status::BestEffort);
    assert_eq!(
        finished.lacks(),
        &NotAccepted::Unscored(Unscored::new(
            Reason::Unusable,
            "the review stopped it before a judge was paid: So it is."
        ))
    );
    // FLAG_TO_JUDGE: with the judge's prompt.
    let finished = reviewed(
        Goal::Judge,
        CLEAN_LESSON,
        &review("FLAG_TO_JUDGE", "COMPLEX", json!([])),
    );
    assert!(
        finished
            .prompt("/judge/")
            .contains("The boiling point looks odd.")
    );
    assert_eq!(finished.outcome.status, Status::Accepted);
    // FIXED: what only scrubs is applied, in a run that may.
    let chatty = CLEAN_LESSON.replace("## Summary\n\n", "## Summary\n\n天 ");
    let scrub =
        json!([{"location": "sec_conclusion", "search": "天 Heat makes", "replace": "Heat makes"}]);
    let finished = reviewed(Goal::Judge, &chatty, &review("FIXED", "FIXABLE", scrub));
    assert_eq!(
        finished.result(),
        chatty,
        "a run that judges changes nothing"
    );
    // FIXED: what does more is refused.
    let more = json!([{"location": "sec_2", "search": "Water boils at 90 °C", "replace": "Water boils at 100 °C"}]);
    let finished = reviewed(
        Goal::Refine,
        CLEAN_LESSON,
        &review("FIXED", "FIXABLE", more),
    );
    assert_eq!(finished.result(), CLEAN_LESSON);
    assert!(finished.has("skipped"));
    assert_eq!(finished.outcome.status, Status::Accepted);
    // Rubbish: the reviewer saves money and decides nothing.
    let finished = reviewed(Goal::Judge, CLEAN_LESSON, &json!({"status": "WONDERFUL"}));
    assert_eq!(finished.outcome.status, Status::Accepted);
    assert!(finished.has("skipped"));
}

#[test]
fn what_a_self_reviewer_scrubs_is_gone_before_a_judge_reads_it_and_stands_in_the_receipt() {
    // A word of another script: the program reports it and leaves it, for it may
    // carry meaning.
    let noisy = CLEAN_LESSON.replace("Heat makes water", "Heat makes 热水 water");
    let review = json!({
        "status": "FIXED",
        "reasoning": "A stray word was taken out.",
        "issues": [{"type": "HYGIENE", "severity": "FIXABLE", "location": "sec_conclusion",
            "description": "A word of another script.", "suggested_action": ""}],
        "edits": [
            {"location": "sec_conclusion", "search": "makes 热水 water", "replace": "makes water"},
            {"location": "sec_2", "search": "boils at 90 °C", "replace": "boils at 100 °C"},
        ],
    });
    let finished = reviewed(Goal::Refine, &noisy, &review);
    let seen = |part: &str| {
        let ask = finished.asks.iter().find(|ask| ask.id.0.contains(part));
        ask.unwrap().content
    };
    assert_eq!(seen("/review/"), Version::of(noisy.as_bytes()));
    assert_eq!(seen("/judge/"), Version::of(CLEAN_LESSON.as_bytes()));
    // Nor is a judge told of what is gone.
    assert!(!finished.prompt("/judge/").contains("热水"));
    // The edit that does more than scrub is refused, and takes nothing along.
    assert_eq!(finished.result(), CLEAN_LESSON);
    assert_eq!(finished.count("skipped"), 1);
    assert_eq!(finished.count("scrubbed"), 1);
    finished.ends_as(Status::Accepted);
    assert!(finished.events.iter().any(|event| matches!(
        event.kind,
        EventKind::SelfReview {
            status: review::Status::Fixed,
            ..
        }
    )));
    let edits = &finished.outcome.receipts.as_ref().unwrap().edits;
    assert_eq!(edits.len(), 1, "{edits:?}");
    assert_eq!(edits[0].component.as_str(), "sec_conclusion");
    assert_eq!(edits[0].tasks, ["self-review"]);
    assert_eq!(&noisy[edits[0].start..edits[0].end], "热水 ");
}
