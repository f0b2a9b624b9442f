//! Journals contain enough to resume after a kill, to replay, and to decide again under other
//! rules.

use std::fs;

use redraft_engine::driver::DriveError;
use redraft_engine::journal::{Journal, JournalError, VERSION};
use redraft_engine::replay::{self, Replayed};
use redraft_run::ask::Role;
use redraft_run::policy::{Judging, Mode};
use redraft_run::run::Run;

use crate::fixtures::{GOOD, drive, fresh, header, one_judge, setup, three_judges};
use crate::kill_and_resume::{Cuts, survives_being_killed};
use crate::{arbiter, faults, long_inputs, refine, writing};

/// A run with many events: a rate limit, a malformed reply, three judges.
fn eventful() -> String {
    format!(
        "[[reply]]\nrole = \"judge_primary\"\ntry = 1\nfault = \"rate-limit\"\nretry_after_ms = 2000\n\
         [[reply]]\nrole = \"judge_secondary\"\ntry = 1\nfault = \"empty\"\n\
         [[reply]]\nrole = \"judge_tiebreaker\"\nfault = \"refusal\"\n{GOOD}"
    )
}

#[test]
fn a_run_killed_after_any_line_comes_to_the_same_end() {
    let make = || setup(three_judges(), Mode::SemiAuto);
    survives_being_killed(&make, &eventful(), 15, Cuts::Everywhere);
}

#[test]
fn every_event_is_in_the_catalogue_with_its_fields() {
    let mut seen = std::collections::BTreeSet::new();
    let mut streams = Vec::new();
    for (mode, script) in [
        (Mode::SemiAuto, eventful()),
        (Mode::SemiAuto, "[[reply]]\nfault = \"empty\"\n".to_owned()),
        (Mode::FullAuto, "[[reply]]\nfault = \"empty\"\n".to_owned()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        streams.push(fresh(folder.path(), setup(three_judges(), mode), &script).events);
    }
    streams.extend(
        refine::told_of_everything()
            .into_iter()
            .map(|finished| finished.events),
    );
    streams.push(arbiter::told());
    streams.push(writing::told());
    streams.push(faults::fallen_back().events);
    streams.push(long_inputs::told());
    for events in streams {
        for event in events {
            let value = serde_json::to_value(&event).unwrap();
            let name = value["event"].as_str().unwrap().to_owned();
            assert_eq!(name, event.kind.name());
            let (_, _, fields) = redraft_run::event::CATALOGUE
                .iter()
                .find(|(known, ..)| *known == name)
                .unwrap_or_else(|| panic!("{name} is not in the catalogue"));
            for field in value.as_object().unwrap().keys() {
                let is_known = ["event", "seq", "at", "elapsed"].contains(&field.as_str())
                    || fields
                        .iter()
                        .any(|known| known.split(' ').any(|part| part == field));
                assert!(
                    is_known,
                    "{name} carries {field}, which the catalogue does not tell"
                );
            }
            seen.insert(name);
        }
    }
    // All events except late replies, which need a slow model, and solving, which needs an item.
    let unseen: Vec<&str> = redraft_run::event::CATALOGUE
        .iter()
        .map(|(name, ..)| *name)
        .filter(|name| !seen.contains(*name))
        .collect();
    assert_eq!(unseen, ["solved", "late_reply"]);
}

#[test]
fn a_journal_replays_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let driven = fresh(
        folder.path(),
        setup(three_judges(), Mode::FullAuto),
        &eventful(),
    );
    let outcome = driven.result.unwrap();
    let (header, recorded) = Journal::read(&folder.path().join("run.jsonl")).unwrap();
    let run = Run::new(setup(three_judges(), Mode::FullAuto), header.started);
    let (replayed, events) = replay::replay(run, &recorded).unwrap();
    assert_eq!(replayed, Replayed::Outcome(Box::new(outcome.clone())));
    assert_eq!(events, driven.events);
    assert_eq!(
        recorded.outcome.unwrap(),
        serde_json::to_value(&outcome).unwrap()
    );
}

#[test]
fn other_rules_decide_otherwise_as_far_as_the_replies_reach() {
    let folder = tempfile::tempdir().unwrap();
    fresh(folder.path(), setup(one_judge(), Mode::FullAuto), GOOD);
    let (header, recorded) = Journal::read(&folder.path().join("run.jsonl")).unwrap();
    let mut strict = setup(one_judge(), Mode::FullAuto);
    strict.policy.accept = redraft_gate::score::Score::ONE;
    strict.policy.good_enough = None;
    let (replayed, _) = replay::what_if(Run::new(strict, header.started), &recorded).unwrap();
    let Replayed::Outcome(outcome) = replayed else {
        panic!("the replies suffice");
    };
    assert_eq!(outcome.status.name(), "best_effort");
    // A panel was never asked.
    let mut panel = setup(three_judges(), Mode::FullAuto);
    panel.policy.judging = Judging::Panel;
    let panel = Run::new(panel, header.started);
    let (replayed, _) = replay::what_if(panel, &recorded).unwrap();
    let Replayed::EndsAt { asks } = replayed else {
        panic!("nobody asked three judges");
    };
    let roles: Vec<Role> = asks.iter().map(|(_, role)| *role).collect();
    assert_eq!(roles, [Role::JudgePrimary]);
}

#[test]
fn a_run_is_parked_where_it_would_ask_something_else() {
    let folder = tempfile::tempdir().unwrap();
    fresh(folder.path(), setup(one_judge(), Mode::FullAuto), GOOD);
    let (journal, _, mut recorded) = Journal::resume(&folder.path().join("run.jsonl")).unwrap();
    recorded.outcome = None;
    let mut other = setup(one_judge(), Mode::FullAuto);
    other.rubric.criteria[0].description.push_str(" And more.");
    let driven = drive(other, GOOD, journal, recorded);
    let Err(DriveError::Diverged { ask }) = driven.result else {
        panic!("it went on: {:?}", driven.result);
    };
    assert_eq!(ask.0, "i0/judge/judge_secondary/try1");
    assert!(driven.asked.is_empty());
}

#[test]
fn journals_that_cannot_be_used_are_refused_politely() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let mut newer = serde_json::to_value(header()).unwrap();
    newer["journal"] = (VERSION + 1).into();
    let newer = write("newer.jsonl", &format!("{newer}\n"));
    assert!(matches!(
        Journal::read(&newer),
        Err(JournalError::Newer { found, .. }) if found == VERSION + 1
    ));
    for (name, text) in [
        ("empty.jsonl", String::new()),
        ("other.jsonl", "{\"a\": 1}\n".to_owned()),
        ("text.jsonl", "hello\n".to_owned()),
        (
            "middle.jsonl",
            format!(
                "{}\nhello\n{{}}\n",
                serde_json::to_string(&header()).unwrap()
            ),
        ),
    ] {
        let path = write(name, &text);
        assert!(
            matches!(Journal::read(&path), Err(JournalError::Unreadable { .. })),
            "{name}"
        );
    }
    let busy = folder.path().join("busy.jsonl");
    let _held = Journal::create(&busy, &header()).unwrap();
    assert!(matches!(
        Journal::resume(&busy),
        Err(JournalError::Busy { .. })
    ));
}
