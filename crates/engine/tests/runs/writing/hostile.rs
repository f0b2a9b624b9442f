//! Writers that fail in every way: a run ends within its budget, the order of replies does not
//! matter, and only judged texts are accepted.

use proptest::prelude::*;
use redraft_gate::reading::Hint;
use redraft_profiles::registry;
use redraft_run::ask::{
    Ask, AskId, Budget, CallFailure, FailureKind, Finish, Reply, Role, Time, Tokens, Usage,
};
use redraft_run::event::Event;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::run::Run;
use redraft_run::setup::Setup;

use super::{HEAT, INTRODUCTION, NO_CHANGE, PLAN, STEAM, SUMMARY, refining, writing};
use crate::in_memory::{ModelReply, World, shuffled, step_to_end};

/// The behaviour of fake writers.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// The fault of each ask, chosen by the sum of the bytes of its id.
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

fn answered(ask: &Ask, answers: &Answers) -> ModelReply {
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
            context: None,
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
            tokens: Tokens::new(answers.used, answers.used / 3),
            estimated: false,
        },
        took: 5,
        reused: false,
    }))
}

/// Runs to the end; `swaps` reorders the replies of a batch.
pub(super) fn run_to_end(
    setup: Setup,
    answers: &Answers,
    swaps: &[prop::sample::Index],
) -> (Outcome, Vec<Event>, Vec<Ask>) {
    let limit = setup.policy.writing_tokens;
    let around = World {
        model: &|ask| answered(ask, answers),
        people: &[],
        shuffle: &|asks| shuffled(asks, swaps),
    };
    step_to_end(Run::new(setup, Time(0)), &around, |run, _, _| {
        // Reservations for writing fit in addition to what was spent, unless a provider counted
        // more than could be expected.
        let ledger = run.ledger();
        let overrun: u64 = ledger.spent().values().map(|spent| spent.overrun).sum();
        let committed = ledger.committed_to(Budget::Writing);
        assert!(
            committed <= limit + overrun,
            "{committed} > {limit} + {overrun}"
        );
    })
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
        let first = run_to_end(setup(), &answers, &[]);
        let second = run_to_end(setup(), &answers, &swaps);
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
