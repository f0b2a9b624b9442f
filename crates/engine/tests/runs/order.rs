//! The order in which replies arrive never matters, and no reply makes a run spend more than its
//! budget.

use proptest::prelude::*;
use redraft_run::ask::{Ask, CallFailure, FailureKind, Finish, Reply, Time, Tokens, Usage};
use redraft_run::event::Event;
use redraft_run::outcome::Outcome;
use redraft_run::policy::Mode;
use redraft_run::run::Run;

use crate::fixtures::{setup, three_judges};
use crate::in_memory::{ModelReply, World, shuffled, step_to_end};

/// A fake model's reaction to an ask.
#[derive(Clone, Debug)]
enum Answer {
    Verdict(u16),
    Misshapen,
    Transient,
    Permanent,
    Never,
}

fn any_answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        4 => (0u16..=1000).prop_map(Answer::Verdict),
        1 => Just(Answer::Misshapen),
        1 => Just(Answer::Transient),
        1 => Just(Answer::Permanent),
        1 => Just(Answer::Never),
    ]
}

fn result(ask: &Ask, answer: &Answer, used: u64) -> ModelReply {
    let usage = Usage {
        tokens: Tokens::new(used, used / 3),
        estimated: false,
    };
    let reply = |text: String| {
        Some(Ok(Reply {
            text,
            finish: Finish::Stop,
            usage,
            took: 5,
            reused: false,
        }))
    };
    let failure = |kind| {
        Some(Err(CallFailure {
            kind,
            message: "no".to_owned(),
            usage: None,
            context: None,
        }))
    };
    match answer {
        Answer::Verdict(thousandths) => {
            let score = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
            let scores: Vec<String> = [
                "learning_objective_alignment",
                "pedagogical_structure",
                "factual_accuracy",
                "clarity_readability",
                "engagement_examples",
                "completeness",
            ]
            .iter()
            .map(|name| format!("\"{name}\": {score}"))
            .collect();
            reply(format!(
                "{{\"text_id\": \"{}\", \"issues\": [], \"strengths\": [], \"scores\": {{{}}}, \"confidence\": \"high\"}}",
                ask.content,
                scores.join(", ")
            ))
        }
        Answer::Misshapen => reply("I would say it is good.".to_owned()),
        Answer::Transient => failure(FailureKind::Transient { retry_after: None }),
        Answer::Permanent => failure(FailureKind::Permanent),
        Answer::Never => None,
    }
}

/// Runs to the end. `swaps` reorders the replies of a batch; the content of an answer depends only
/// on the ask.
fn run_to_end(
    table: &[Answer],
    used: u64,
    swaps: &[prop::sample::Index],
    limit: u64,
) -> (Outcome, Vec<Event>) {
    let mut setup = setup(three_judges(), Mode::SemiAuto);
    setup.policy.judging_tokens = Some(limit);
    let around = World {
        model: &|ask| {
            // The same ask gets the same answer at any time.
            let key = ask.id.0.bytes().map(usize::from).sum::<usize>();
            result(ask, &table[key % table.len()], used)
        },
        people: &[],
        shuffle: &|asks| shuffled(asks, swaps),
    };
    let run = Run::new(setup, Time(0));
    let (outcome, events, _) = step_to_end(run, &around, |run, _, asks| {
        // Reservations fit in addition to what was spent.
        let spent: u64 = run
            .ledger()
            .spent()
            .values()
            .map(|spent| spent.tokens.total())
            .sum();
        let reserved: u64 = asks.iter().map(|ask| ask.reserved.total()).sum();
        assert!(spent + reserved <= limit, "{spent} + {reserved} > {limit}");
        assert_eq!(run.ledger().committed(), spent + reserved);
    });
    (outcome, events)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_order_of_arrival_changes_nothing(
        table in prop::collection::vec(any_answer(), 1..8),
        swaps in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
        used in 0u64..4_000,
        limit in prop_oneof![Just(0u64), 1_000u64..60_000],
    ) {
        let first = run_to_end(&table, used, &[], limit);
        let second = run_to_end(&table, used, &swaps, limit);
        prop_assert_eq!(serde_json::to_string(&first.0).unwrap(), serde_json::to_string(&second.0).unwrap());
        prop_assert_eq!(first.1, second.1);
    }
}
