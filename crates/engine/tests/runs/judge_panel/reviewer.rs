//! The cheap self-reviewer before the judges (seed 001): its status is followed, and its edits may
//! only remove noise.

use redraft_gate::companion::{Companions, SourcePassage, Specification};
use redraft_gate::reading::Hint;
use redraft_gate::review;
use redraft_gate::span::Version;
use redraft_run::ask::Role;
use redraft_run::event::EventKind;
use redraft_run::outcome::Status;
use redraft_run::policy::Mode;
use redraft_run::setup::{Goal, Seat, Setup};
use serde_json::{Value, json};

use super::{bench, judging};
use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{
    CLEAN_LESSON, Finished, delta, run_to_end, scored_overall, text_reply, verdict,
};

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
    // FLAG_TO_JUDGE: the issues are in the judge's prompt.
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
    // FIXED: edits that only remove noise are applied, if the run may change the text.
    let chatty = CLEAN_LESSON.replace("## Summary\n\n", "## Summary\n\n天 ");
    let scrub =
        json!([{"location": "sec_conclusion", "search": "天 Heat makes", "replace": "Heat makes"}]);
    let finished = reviewed(Goal::Judge, &chatty, &review("FIXED", "FIXABLE", scrub));
    assert_eq!(
        finished.result(),
        chatty,
        "a run that judges changes nothing"
    );
    // FIXED: an edit that does more is rejected.
    let more = json!([{"location": "sec_2", "search": "Water boils at 90 °C", "replace": "Water boils at 100 °C"}]);
    let finished = reviewed(
        Goal::Refine,
        CLEAN_LESSON,
        &review("FIXED", "FIXABLE", more),
    );
    assert_eq!(finished.result(), CLEAN_LESSON);
    assert!(finished.has("skipped"));
    assert_eq!(finished.outcome.status, Status::Accepted);
    // An invalid status: the self-review saves money and decides nothing.
    let finished = reviewed(Goal::Judge, CLEAN_LESSON, &json!({"status": "WONDERFUL"}));
    assert_eq!(finished.outcome.status, Status::Accepted);
    assert!(finished.has("skipped"));
}

#[test]
fn what_a_self_reviewer_scrubs_is_gone_before_a_judge_reads_it_and_stands_in_the_receipt() {
    // A word in another script: the program reports it but leaves it, because it may carry meaning.
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
    // The judge is not told about it, because it is gone.
    assert!(!finished.prompt("/judge/").contains("热水"));
    // The edit that does more is rejected; it does not affect others.
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

/// A good text of every profile.
const GOOD_TEXTS: [(&str, &str, Hint); 3] = [
    ("lesson", CLEAN_LESSON, Hint::Markdown),
    (
        "sqa-lesson",
        include_str!("../../../../../examples/scottish-cards.json"),
        Hint::Json,
    ),
    (
        "clinical-mcq",
        include_str!("../../../../../examples/clinical-item.json"),
        Hint::Json,
    ),
];

/// A run under the shipped policy of a profile, with a self-reviewer.
fn shipped(profile: &str, text: &str, hint: Hint, mode: Mode) -> Setup {
    let mut seats = bench();
    let others = [Role::SelfReviewer, Role::Patcher, Role::DeltaJudge];
    seats.extend(others.map(|role| seat(role, &[role.name()])));
    setup_about(&Subject::of(profile, text, hint), seats, mode)
}

/// The last paragraph of the lesson, rewritten by an expander.
const REWRITTEN: &str = "Heat makes water rise and turn over. When it boils, its temperature stays the same, because all the heat goes into steam. On a mountain it boils at a lower temperature.";

/// A self-reviewer that asks for a rewrite, and judges that like the text.
fn regenerate(setup: Setup, kind: &str, location: &str) -> Finished {
    run_to_end(
        setup,
        |ask| match ask.role {
            Role::SelfReviewer => {
                let review = json!({"text_id": ask.content.to_string(), "status": "REGENERATE",
                    "reasoning": "It is beyond use.", "edits": [], "issues": [{
                    "type": kind, "severity": "CRITICAL", "location": location,
                    "description": "Most of it is beyond use."}]});
                text_reply(ask, review.to_string())
            }
            Role::SectionExpander => text_reply(ask, REWRITTEN),
            Role::DeltaJudge => delta(ask, true, "done"),
            Role::Patcher => text_reply(ask, "I would rather not."),
            _ => verdict(ask, 950, &[], "high", &[]),
        },
        &[],
    )
}

fn said_regenerate(finished: &Finished) -> Vec<(review::Status, Option<review::Status>)> {
    let reviews = finished
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::SelfReview {
                by, status, said, ..
            } if by != "program" => Some((*status, *said)),
            _ => None,
        });
    reviews.collect()
}

#[test]
fn a_regenerate_that_no_check_confirms_is_one_opinion_in_every_profile() {
    for (profile, text, hint) in GOOD_TEXTS {
        for goal in [Goal::Judge, Goal::Refine] {
            for mode in [Mode::FullAuto, Mode::SemiAuto] {
                for kind in ["TRUNCATION", "LANGUAGE", "HALLUCINATION"] {
                    let with = || {
                        let mut setup = shipped(profile, text, hint, mode);
                        setup.goal = goal;
                        setup
                    };
                    let mut without = with();
                    let is_other = |seat: &Seat| seat.role != Role::SelfReviewer;
                    without.seats.retain(is_other);
                    let without = regenerate(without, kind, "sec_global");
                    let finished = regenerate(with(), kind, "sec_global");
                    let case = format!("{profile}, {goal:?}, {mode:?}, {kind}");
                    assert!(finished.asked("/judge/") > 0, "{case}");
                    let told = finished.prompt("/judge/");
                    assert!(told.contains("Most of it is beyond use."), "{case}");
                    assert!(finished.outcome.score.is_some(), "{case}");
                    assert_eq!(finished.outcome.status, without.outcome.status, "{case}");
                    let flagged = (
                        review::Status::FlagToJudge,
                        Some(review::Status::Regenerate),
                    );
                    assert_eq!(said_regenerate(&finished), [flagged], "{case}");
                    assert_eq!(finished.result(), without.result(), "{case}");
                }
            }
        }
    }
}

#[test]
fn a_regenerate_that_a_check_confirms_rewrites_the_component_where_somebody_can() {
    let noisy = CLEAN_LESSON.replace("Heat makes water", "Heat makes 热水 water");
    let with = |writer: Option<Seat>, kind: &str, location: &str| {
        let mut setup = shipped("lesson", &noisy, Hint::Markdown, Mode::FullAuto);
        setup.goal = Goal::Refine;
        setup.seats.extend(writer);
        regenerate(setup, kind, location)
    };
    let expander = || Some(seat(Role::SectionExpander, &["e"]));
    for location in ["sec_conclusion", "sec_global"] {
        let finished = with(expander(), "LANGUAGE", location);
        assert_eq!(finished.asked("/expand/"), 1, "{:?}", finished.names());
        assert!(!finished.result().contains("热水"));
        assert!(finished.result().contains(REWRITTEN));
        finished.ends_as(Status::Accepted);
        let task = &finished.outcome.tasks[0];
        assert_eq!((task.iteration, task.kept), (1, true));
        // The judge reads the new text and is not told about the old one.
        assert!(!finished.prompt("/judge/").contains("beyond use"));
        // It counts as an edit and as a round.
        assert!(finished.names().iter().any(|name| name.starts_with("i1/")));
    }
    // No writer is configured; another kind of damage; another component.
    for (writer, kind, location) in [
        (None, "LANGUAGE", "sec_conclusion"),
        (expander(), "TRUNCATION", "sec_conclusion"),
        (expander(), "LANGUAGE", "sec_1"),
    ] {
        let finished = with(writer, kind, location);
        assert_eq!(finished.asked("/expand/"), 0);
        assert_eq!(finished.result(), noisy);
        assert!(finished.prompt("/judge/").contains("beyond use"));
        finished.ends_as(Status::Accepted);
    }
    // A run that only judges changes nothing.
    let mut setup = shipped("lesson", &noisy, Hint::Markdown, Mode::SemiAuto);
    setup.seats.extend(expander());
    let finished = regenerate(setup, "LANGUAGE", "sec_conclusion");
    assert_eq!(finished.asked("/expand/"), 0);
    finished.ends_as(Status::Accepted);
}

#[test]
fn a_self_reviewer_that_nobody_named_is_asked_only_where_it_has_something_to_look_at() {
    let sources = Companions {
        sources: vec![SourcePassage {
            content: "Water boils at 100 °C at the seaside.".to_owned(),
            ..SourcePassage::default()
        }],
        ..Companions::default()
    };
    let specification = Companions {
        specification: Some(Specification::default()),
        ..Companions::default()
    };
    let flagged = CLEAN_LESSON.replace("Heat makes water", "Heat makes 热水 water");
    for (what, text, companions, asked_unnamed) in [
        ("nothing", CLEAN_LESSON, Companions::default(), 0),
        ("sources", CLEAN_LESSON, sources, 1),
        ("a specification", CLEAN_LESSON, specification, 1),
        ("a flag", flagged.as_str(), Companions::default(), 1),
    ] {
        for (is_named, asked) in [(true, 1), (false, asked_unnamed)] {
            let subject = Subject {
                companions: companions.clone(),
                ..Subject::of("lesson", text, Hint::Markdown)
            };
            let mut seats = bench();
            seats.push(seat(Role::SelfReviewer, &["r"]));
            let mut setup = setup_about(&subject, seats, Mode::FullAuto);
            if !is_named {
                setup.unnamed.insert(Role::SelfReviewer);
            }
            let finished = regenerate(setup, "HALLUCINATION", "sec_2");
            assert_eq!(finished.asked("/review/"), asked, "{what}, {is_named}");
        }
    }
}
