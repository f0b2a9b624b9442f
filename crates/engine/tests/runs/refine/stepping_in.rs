//! A reviewer intervenes during a run: locks, skipped repairs, edits. Every run is replayed from
//! its inputs and must end the same way.

use redraft_run::ask::{Ask, Role, Time};
use redraft_run::event::{Event, EventKind};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::Mode;
use redraft_run::reasons::{LockReason, RollbackReason};
use redraft_run::run::{Awaiting, Decision, Run, Step};
use redraft_run::setup::Setup;

use super::{CLEAN_LESSON, LIGHTER, PLAINER, POTATOES, heavy, vague, willing};
use crate::in_memory::{ModelReply, refining, scored_overall};

const SHORTER: &str =
    "Therefore water boils sooner there. It is less hot, so potatoes take longer to cook.";

#[derive(Clone)]
enum Input {
    Reply(Box<Ask>, ModelReply),
    Decision(Decision),
}

struct Played {
    outcome: Outcome,
    events: Vec<Event>,
    asked: Vec<String>,
}

impl Played {
    fn result(&self) -> String {
        let bytes = self.outcome.final_content.clone();
        bytes.map_or_else(
            || CLEAN_LESSON.to_owned(),
            |bytes| String::from_utf8(bytes).unwrap(),
        )
    }

    fn has(&self, wanted: impl Fn(&EventKind) -> bool) -> bool {
        self.events.iter().any(|event| wanted(&event.kind))
    }

    fn asked(&self, name: &str) -> usize {
        self.asked.iter().filter(|id| id.contains(name)).count()
    }
}

/// Plays a run. Each decision is delivered before the first ask whose id contains its word is
/// answered; `person` are delivered in turn when a reviewer is asked.
fn play(
    setup: fn() -> Setup,
    model: impl Fn(&Ask) -> ModelReply,
    steps_in: &[(&str, Decision)],
    person: &[Decision],
) -> Played {
    let mut inputs = Vec::new();
    let mut left: Vec<&(&str, Decision)> = steps_in.iter().collect();
    let mut people = person.iter();
    let played = step(Run::new(setup(), Time(0)), |on, out| {
        if matches!(on, Awaiting::Human(_)) {
            let decision = people.next().cloned().unwrap_or(Decision::Absent);
            inputs.push(Input::Decision(decision.clone()));
            return Input::Decision(decision);
        }
        let due = left
            .iter()
            .position(|(word, _)| out.iter().any(|ask| ask.id.0.contains(word)));
        let told = match due {
            Some(index) => Input::Decision(left.remove(index).1.clone()),
            None => {
                let ask = out.remove(0);
                let reply = model(&ask);
                Input::Reply(Box::new(ask), reply)
            }
        };
        inputs.push(told.clone());
        told
    });
    assert!(left.is_empty(), "never told: {left:?}");
    let mut inputs = inputs.into_iter();
    let again = step(Run::new(setup(), Time(0)), |_, _| inputs.next().unwrap());
    assert_eq!(again.events, played.events);
    assert_eq!(again.result(), played.result());
    played
}

fn step(mut run: Run, mut tell: impl FnMut(&Awaiting, &mut Vec<Ask>) -> Input) -> Played {
    let (mut events, mut asked, mut out) = (Vec::new(), Vec::new(), Vec::<Ask>::new());
    let mut now = 0;
    loop {
        let next = run.next_step().unwrap();
        events.extend(run.drain_events());
        match next {
            Step::Ask(asks) => {
                asked.extend(asks.iter().map(|ask| ask.id.0.clone()));
                out.extend(asks);
            }
            Step::Cancel(ids) => out.retain(|ask| !ids.contains(&ask.id)),
            Step::Done(outcome) => {
                return Played {
                    outcome: *outcome,
                    events,
                    asked,
                };
            }
            Step::Wait { on, .. } => {
                now += 10;
                match tell(&on, &mut out) {
                    Input::Reply(ask, Some(reply)) => run.handle_reply(Time(now), &ask.id, reply),
                    Input::Reply(_, None) => {}
                    Input::Decision(decision) => run.handle_decision(Time(now), &decision),
                }
            }
        }
    }
}

fn semi_auto() -> Setup {
    refining(CLEAN_LESSON, Mode::SemiAuto)
}

fn lock(section: &str) -> Decision {
    Decision::Lock {
        by: "Ada".to_owned(),
        section: section.into(),
    }
}

fn skip(section: &str) -> Decision {
    Decision::Skip {
        by: "Ada".to_owned(),
        section: section.into(),
    }
}

fn both(ask: &Ask) -> ModelReply {
    willing(ask, &[heavy(), vague()])
}

#[test]
fn a_locked_section_is_left_alone_and_the_others_are_not() {
    let played = play(semi_auto, both, &[("i0/judge", lock("sec_1"))], &[]);
    assert_eq!(played.result(), CLEAN_LESSON.replace(POTATOES, SHORTER));
    assert_eq!(played.asked("patch/sec_1"), 0);
    assert!(played.has(|event| matches!(
        event,
        EventKind::SectionLocked { section, reason: LockReason::ByReviewer { by } }
            if section.0 == "sec_1" && by == "Ada"
    )));
    let everything = play(semi_auto, both, &[("i0/judge", lock("sec_global"))], &[]);
    assert_eq!(everything.result(), CLEAN_LESSON);
    assert_eq!(everything.asked("patch"), 0);
}

#[test]
fn a_lock_or_skip_that_comes_while_a_repair_is_out_rolls_it_back() {
    for at in ["i1/patch/sec_1", "i1/delta/sec_1"] {
        for (decision, expected) in [
            (
                lock("sec_1"),
                RollbackReason::Locked {
                    by: "Ada".to_owned(),
                },
            ),
            (
                skip("sec_1"),
                RollbackReason::Skipped {
                    by: "Ada".to_owned(),
                },
            ),
        ] {
            let played = play(semi_auto, both, &[(at, decision)], &[]);
            assert!(
                played.has(|event| matches!(
                    event,
                    EventKind::RolledBack { task, reason, .. }
                        if task.section.0 == "sec_1" && *reason == expected
                )),
                "{at}: {:#?}",
                played.events
            );
            assert_eq!(played.result(), CLEAN_LESSON.replace(POTATOES, SHORTER));
        }
    }
}

/// Judges that never accept, so that there are more rounds.
fn never_content(ask: &Ask) -> ModelReply {
    if ask.role.is_judge() {
        return scored_overall(ask, 800, "high", &[heavy(), vague()]);
    }
    both(ask)
}

#[test]
fn a_skipped_repair_is_tried_in_the_next_round_and_a_lock_stays() {
    let played = play(
        semi_auto,
        never_content,
        &[("i0/judge", skip("sec_1"))],
        &[],
    );
    assert_eq!(played.asked("i1/patch/sec_1"), 0);
    assert_eq!(played.asked("i2/patch/sec_1"), 1, "{:?}", played.asked);
    let unlock = Decision::Unlock {
        by: "Ada".to_owned(),
        section: "sec_1".into(),
    };
    let locked = [("i0/judge", lock("sec_1")), ("i1/judge", unlock)];
    let unlocked = play(semi_auto, never_content, &locked, &[]);
    assert_eq!(unlocked.asked("i1/patch/sec_1"), 0);
    assert_eq!(unlocked.asked("i2/patch/sec_1"), 1);
    let stays = play(semi_auto, never_content, &locked[..1], &[]);
    assert_eq!(stays.asked("patch/sec_1"), 0);
}

#[test]
fn what_a_person_wrote_is_theirs_and_no_later_repair_touches_it() {
    let theirs = CLEAN_LESSON.replace(
        LIGHTER,
        "Warm water rises, for it becomes lighter and rises.",
    );
    let people = [
        Decision::Edit {
            by: "Ada".to_owned(),
            content: theirs.clone(),
        },
        // A retry resets the program's own locks.
        Decision::Retry {
            by: "Ada".to_owned(),
            instruction: "Mend the rest.".to_owned(),
        },
        Decision::Accept {
            by: "Ada".to_owned(),
        },
    ];
    let one_round = || {
        let mut setup = semi_auto();
        setup.policy.repair.iterations = 0;
        setup
    };
    let played = play(one_round, never_content, &[], &people);
    assert_eq!(played.outcome.status, Status::Accepted);
    assert_eq!(played.asked("patch/sec_1"), 0, "{:?}", played.asked);
    assert_eq!(played.result(), theirs.replace(POTATOES, SHORTER));
    assert_ne!(LIGHTER, PLAINER);
    let receipts = played.outcome.receipts.as_ref().unwrap();
    let tasks: Vec<&str> = receipts
        .edits
        .iter()
        .flat_map(|edit| edit.tasks.iter().map(String::as_str))
        .collect();
    assert!(tasks.contains(&"by hand (Ada)"), "{tasks:?}");
    assert!(played.has(|event| matches!(
        event,
        EventKind::SectionLocked { section, reason: LockReason::EditedByReviewer { .. } }
            if section.0 == "sec_1"
    )));
    assert!(!played.has(|event| matches!(
        event,
        EventKind::SectionLocked { section, .. } if section.0 == "sec_3"
    )));
}

#[test]
fn a_lock_follows_its_section_when_a_person_adds_one_before_it() {
    let (_, rest) = CLEAN_LESSON.split_once("\n## ").unwrap();
    let start = CLEAN_LESSON.len() - rest.len() - 4;
    let mut longer = CLEAN_LESSON.to_owned();
    longer.insert_str(start, "\n\n## Kettles\n\nA kettle is a pot with a spout.");
    let people = [
        lock("sec_1"),
        Decision::Edit {
            by: "Ada".to_owned(),
            content: longer,
        },
        Decision::Retry {
            by: "Ada".to_owned(),
            instruction: "Mend the rest.".to_owned(),
        },
    ];
    let one_round = || {
        let mut setup = semi_auto();
        setup.policy.repair.iterations = 0;
        setup
    };
    let played = play(
        one_round,
        |ask| match ask.role {
            Role::Patcher => crate::in_memory::patch(ask, LIGHTER, PLAINER),
            _ => never_content(ask),
        },
        &[],
        &people,
    );
    assert!(played.result().contains(LIGHTER), "{}", played.result());
    assert!(played.result().contains("pot with a spout"));
}
