//! Runs that are killed at any point and resumed: the same end, the same events, and no recorded
//! answer is requested again.

use std::fs;
use std::path::Path;

use redraft_engine::journal::{InputKind, Journal, Recorded};
use redraft_run::ask::AskId;
use redraft_run::outcome::Outcome;
use redraft_run::setup::Setup;

use crate::fixtures::{Driven, drive, fresh};

/// Where a journal is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cuts {
    /// After every line, and in the middle of every line.
    Everywhere,
    /// Alternately after a line and in the middle of the next one, for long journals.
    InTurn,
}

/// The result of an undisturbed run, after checking that it is the same after any kill. The journal
/// must have more than `least` lines, because a shorter one would show too little.
pub(crate) fn survives_being_killed(
    make: &dyn Fn() -> Setup,
    script: &str,
    least: usize,
    cuts: Cuts,
) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let whole = fresh(folder.path(), make(), script);
    let journal = fs::read(folder.path().join("run.jsonl")).unwrap();
    let ends: Vec<usize> = journal
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    assert!(ends.len() > least, "{} lines are too few", ends.len());
    for (index, end) in ends.iter().enumerate() {
        let torn = end + ends.get(index + 1).map_or(0, |next| (next - end) / 2);
        let places = match cuts {
            Cuts::Everywhere => vec![*end, torn],
            Cuts::InTurn if index % 2 == 0 => vec![*end],
            Cuts::InTurn => vec![torn],
        };
        for cut in places {
            let path = folder.path().join("cut.jsonl");
            fs::write(&path, &journal[..cut]).unwrap();
            goes_on(&path, make(), script, &whole, cut);
        }
    }
    whole.result.unwrap()
}

fn goes_on(path: &Path, setup: Setup, script: &str, whole: &Driven, cut: usize) {
    let (journal, _, recorded) = Journal::resume(path).unwrap();
    let answered = answered(&recorded);
    let resumed = drive(setup, script, journal, recorded);
    let told = |driven: &Driven| {
        let outcome = serde_json::to_string(driven.result.as_ref().unwrap()).unwrap();
        (outcome, serde_json::to_string(&driven.events).unwrap())
    };
    assert_eq!(told(&resumed), told(whole), "cut at {cut}");
    for ask in answered {
        assert_eq!(resumed.asked.get(&ask), None, "{ask} was paid twice");
    }
    let (_, now) = Journal::read(path).unwrap();
    assert_eq!(now.events.len(), whole.events.len(), "cut at {cut}");
}

fn answered(recorded: &Recorded) -> Vec<AskId> {
    recorded
        .inputs
        .iter()
        .filter_map(|input| match &input.what {
            InputKind::Reply { ask, .. } => Some(ask.clone()),
            _ => None,
        })
        .collect()
}
