//! Judging with the shipped policies and limits: a dispute always gets its third verdict, for any
//! length of the text and any malformed reply (rulings 51, 52).

use std::cell::Cell;

use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::outcome::{Outcome, Status};
use redraft_run::policy::{Judging, Mode};
use redraft_run::reasons::{NotAccepted, Unconfirmed};
use redraft_run::setup::{Goal, Seat, Setup};
use serde_json::Value;

use crate::cards;
use crate::fixtures::{Subject, seat, setup_about};
use crate::in_memory::{
    CLEAN_LESSON, ModelReply, delta, everybody, fails, issue, parts, patch, run_to_end,
    scored_overall, text_reply, verdict,
};
use crate::items::ITEM;
use crate::long_inputs::{self, ENGLISH};

/// The longest answer of a judge in the shipped configuration.
const LONGEST_ANSWER: u32 = 2_000;

fn judges() -> Vec<Seat> {
    let roles = [
        (Role::JudgePrimary, "a"),
        (Role::JudgeSecondary, "b"),
        (Role::JudgeTiebreaker, "c"),
    ];
    roles
        .into_iter()
        .map(|(role, name)| {
            let mut seat = seat(role, &[name]);
            for model in &mut seat.models {
                model.max_tokens = LONGEST_ANSWER;
            }
            seat
        })
        .collect()
}

fn judging(text: &str, mode: Mode) -> Setup {
    let mut setup = setup_about(&Subject::of("lesson", text, Hint::Markdown), judges(), mode);
    setup.goal = Goal::Judge;
    setup
}

/// Judges that disagree; the first reply of one of them is malformed.
fn disputed(ask: &Ask, malformed: Option<Role>) -> ModelReply {
    if malformed == Some(ask.role) && ask.id.0.ends_with("try1") {
        return text_reply(ask, "Looks good to me!");
    }
    match ask.role {
        Role::JudgePrimary => scored_overall(ask, 700, "high", &[]),
        // Near the threshold, so that the panel is asked.
        Role::JudgeSecondary => scored_overall(ask, 880, "high", &[]),
        _ => scored_overall(ask, 500, "high", &[]),
    }
}

#[test]
fn a_dispute_gets_its_third_verdict_at_every_length_and_with_any_malformed_reply() {
    // From about 300 to 12,000 words.
    for sections in [2, 3, 8, 25, 50, 100] {
        let text = long_inputs::lesson(&ENGLISH, sections, 11);
        for malformed in [
            None,
            Some(Role::JudgePrimary),
            Some(Role::JudgeSecondary),
            Some(Role::JudgeTiebreaker),
        ] {
            for mode in [Mode::FullAuto, Mode::SemiAuto] {
                let finished =
                    run_to_end(judging(&text, mode), |ask| disputed(ask, malformed), &[]);
                let case = format!("{sections} sections, {malformed:?}, {mode:?}");
                let judges = finished
                    .outcome
                    .score
                    .as_ref()
                    .map(|score| score.judges().len());
                assert_eq!(judges, Some(3), "{case}: {}", finished.because());
                let accepted = [Status::Accepted, Status::AcceptedWarning];
                assert!(!accepted.contains(&finished.outcome.status), "{case}");
            }
        }
    }
}

#[test]
fn a_dispute_is_settled_whatever_is_wrong_with_one_reply() {
    // A judge that declines is not asked again, and the dispute stays open.
    const REFUSAL: &str = "I'm sorry, but I can't help with that.";
    const WRONG: [&str; 5] = [
        "",
        "{\"text_id\": \"00\", \"issues\": [",
        REFUSAL,
        "<think>It may be good, or it may not",
        "{\"scores\": 0.9, \"issues\": \"none\"}",
    ];
    let roles = [
        Role::JudgePrimary,
        Role::JudgeSecondary,
        Role::JudgeTiebreaker,
    ];
    // About 600 to 8,500 words, between the lengths above.
    for (turn, sections) in [5, 13, 37, 70].into_iter().enumerate() {
        let text = long_inputs::lesson(&ENGLISH, sections, 7);
        for (number, words) in WRONG.into_iter().enumerate() {
            let malformed = roles[(turn + number) % roles.len()];
            for mode in [Mode::FullAuto, Mode::SemiAuto] {
                let finished = run_to_end(
                    judging(&text, mode),
                    |ask| match ask.role == malformed && ask.id.0.ends_with("try1") {
                        true => text_reply(ask, words),
                        false => disputed(ask, None),
                    },
                    &[],
                );
                let case = format!("{sections} sections, {malformed:?}, {mode:?}, {words}");
                let outcome = &finished.outcome;
                let judges = outcome.score.as_ref().map(|score| score.judges().len());
                match words {
                    REFUSAL => assert!(judges < Some(3), "{case}: {}", finished.because()),
                    _ => assert_eq!(judges, Some(3), "{case}: {}", finished.because()),
                }
                let accepted = [Status::Accepted, Status::AcceptedWarning];
                assert!(!accepted.contains(&outcome.status), "{case}");
            }
        }
    }
}

#[test]
fn a_dispute_is_settled_where_models_count_more_tokens_than_estimated() {
    for sections in [2, 8, 25, 50] {
        let text = long_inputs::lesson(&ENGLISH, sections, 11);
        for malformed in [
            Role::JudgePrimary,
            Role::JudgeSecondary,
            Role::JudgeTiebreaker,
        ] {
            let model = |ask: &Ask| {
                let mut reply = disputed(ask, Some(malformed));
                if let Some(Ok(reply)) = &mut reply {
                    reply.usage.tokens.input *= 3;
                    reply.usage.tokens.input /= 2;
                    reply.usage.estimated = false;
                }
                reply
            };
            let finished = run_to_end(judging(&text, Mode::FullAuto), model, &[]);
            let score = finished.outcome.score.as_ref();
            let judges = score.map(|score| score.judges().len());
            let case = format!("{sections} sections, {malformed:?}");
            assert_eq!(judges, Some(3), "{case}: {}", finished.because());
        }
    }
}

#[test]
fn a_dispute_without_a_third_verdict_is_never_accepted() {
    for (mode, status) in [
        (Mode::FullAuto, Status::BestEffort),
        (Mode::SemiAuto, Status::Escalated),
    ] {
        let finished = run_to_end(
            judging(CLEAN_LESSON, mode),
            |ask| match ask.role {
                Role::JudgePrimary => scored_overall(ask, 700, "high", &[]),
                Role::JudgeSecondary => scored_overall(ask, 880, "high", &[]),
                _ => fails(),
            },
            &[],
        );
        // .79 would be enough in full-auto if the judges agreed.
        finished.ends_as(status);
        let is_disputed = |lack: &NotAccepted| {
            matches!(
                lack,
                NotAccepted::Unconfirmed {
                    reason: Unconfirmed::Disputed { unscored: Some(_) }
                }
            )
        };
        if mode == Mode::FullAuto {
            assert!(is_disputed(finished.lacks()), "{}", finished.because());
        }
        assert!(finished.outcome.needs_review);
    }
}

#[test]
fn a_document_does_not_set_its_own_budget() {
    let unsure = |ask: &Ask| scored_overall(ask, 880, "high", &[]);
    let free = run_to_end(judging(CLEAN_LESSON, Mode::FullAuto), unsure, &[]);
    let one_call = free.asks[0].reserved.total();
    // Enough for one judge, not for the second.
    let limit = one_call + one_call / 8;
    let mut setup = judging(CLEAN_LESSON, Mode::FullAuto);
    setup.limits.tokens = limit;
    let finished = run_to_end(setup, unsure, &[]);
    assert!(
        finished.because().contains("tokens-per-run"),
        "{}",
        finished.because()
    );
    let spent: u64 = finished.asks.iter().map(|ask| ask.reserved.total()).sum();
    assert!(spent <= limit, "{spent} of {limit}");
}

/// Valid cards, repeated this often.
fn many_cards(times: usize) -> String {
    let mut lesson: Value = serde_json::from_str(&cards::sound()).unwrap();
    let cards = lesson["cards"].as_array().unwrap().clone();
    let mut all = Vec::new();
    for turn in 0..times {
        for card in &cards {
            let mut card = card.clone();
            let renamed = |id: &Value| Value::from(format!("{}_{turn}", id.as_str().unwrap()));
            card["id"] = renamed(&card["id"]);
            card["cfu"]["id"] = renamed(&card["cfu"]["id"]);
            all.push(card);
        }
    }
    lesson["cards"] = all.into();
    lesson.to_string()
}

/// A credible verdict around a score, for any rubric.
fn opinion(ask: &Ask, score: u16, confidence: &str) -> ModelReply {
    let schema = ask.schema.as_ref().unwrap().value();
    let names = schema["properties"]["scores"]["properties"]
        .as_object()
        .unwrap();
    let names: Vec<&str> = names.keys().map(String::as_str).collect();
    let issues: Vec<Value> = match score < 800 {
        true => names
            .iter()
            .map(|name| issue(name, "minor", "", "", "Improve it."))
            .collect(),
        false => Vec::new(),
    };
    verdict(ask, score, &[(names[0], score + 20)], confidence, &issues)
}

/// Whether three judges settled the dispute.
fn is_settled(outcome: &Outcome) -> bool {
    let accepted = [Status::Accepted, Status::AcceptedWarning];
    let overalls: Vec<u16> = outcome
        .verdicts
        .iter()
        .map(|verdict| {
            let scores = verdict
                .awarded()
                .iter()
                .map(|one| one.score().thousandths());
            scores.sum::<u16>() / u16::try_from(verdict.awarded().len()).unwrap()
        })
        .collect();
    let apart = match (overalls.iter().min(), overalls.iter().max()) {
        (Some(least), Some(most)) => most - least,
        _ => 0,
    };
    !accepted.contains(&outcome.status) || apart <= 100 || overalls.len() > 2
}

#[test]
fn cards_and_items_get_their_third_verdict_as_well() {
    let cards: Vec<String> = [1, 4].map(many_cards).to_vec();
    let texts = [
        ("sqa-lesson", cards[0].as_str()),
        ("sqa-lesson", cards[1].as_str()),
        ("clinical-mcq", ITEM),
    ];
    for (profile, text) in texts {
        for judging in [Judging::Single, Judging::Cascade, Judging::Panel] {
            for malformed in [
                None,
                Some(Role::JudgePrimary),
                Some(Role::JudgeSecondary),
                Some(Role::JudgeTiebreaker),
            ] {
                let subject = Subject::of(profile, text, Hint::Json);
                let mut setup = setup_about(&subject, judges(), Mode::FullAuto);
                setup.policy.judging = judging;
                let model = |ask: &Ask| {
                    if malformed == Some(ask.role) && ask.id.0.ends_with("try1") {
                        return text_reply(ask, "Looks good to me!");
                    }
                    match ask.role {
                        // The only judge of these kinds is not confident.
                        Role::JudgeSecondary => opinion(ask, 940, "low"),
                        Role::JudgePrimary => opinion(ask, 700, "high"),
                        _ => opinion(ask, 960, "high"),
                    }
                };
                let finished = run_to_end(setup, model, &[]);
                let case = format!("{profile}, {judging:?}, {malformed:?}");
                let outcome = &finished.outcome;
                // A confident second opinion replaces that of a single judge.
                let least = if judging == Judging::Single { 2 } else { 3 };
                let verdicts = outcome.verdicts.len();
                assert!(verdicts >= least, "{case}: {}", finished.because());
            }
        }
    }
}

#[test]
fn a_malformed_reply_anywhere_in_a_refinement_leaves_no_dispute_unsettled() {
    // About 300, 3,000 and 12,000 words; for the longest, only the first positions.
    for (sections, most) in [(2, usize::MAX), (25, 12), (100, 4)] {
        let text = long_inputs::lesson(&ENGLISH, sections, 11);
        for mode in [Mode::FullAuto, Mode::SemiAuto] {
            let mut position = 0;
            loop {
                let subject = Subject::of("lesson", &text, Hint::Markdown);
                let mut setup = setup_about(&subject, everybody(), mode);
                setup.goal = Goal::Refine;
                let asked = Cell::new(0);
                let finished = run_to_end(
                    setup,
                    |ask| {
                        let number = asked.replace(asked.get() + 1);
                        match number == position {
                            true => text_reply(ask, "Looks good to me!"),
                            false => quarrelling(ask),
                        }
                    },
                    &[],
                );
                let case = format!("{sections} sections, {mode:?}, reply {position}");
                assert!(is_settled(&finished.outcome), "{case}");
                let judged = finished.asked("/judge/");
                assert!(judged >= 3, "{case}: {:?}", finished.names());
                position += 1;
                if position >= finished.asks.len().min(most) {
                    break;
                }
            }
        }
    }
}

/// Judges that disagree about every version, and editors that follow instructions.
fn quarrelling(ask: &Ask) -> ModelReply {
    let (round, verb, _) = parts(ask);
    let gate = "Gate 1 is opened by hand.";
    let found = issue(
        "clarity_readability",
        "major",
        "sec_1",
        gate,
        "Say who opens it.",
    );
    match (ask.role, verb) {
        (_, "patch") => patch(ask, gate, "Somebody opens gate 1 by hand."),
        (_, "delta" | "consistency") => delta(ask, true, "done"),
        (Role::JudgePrimary, _) if round == 0 => scored_overall(ask, 700, "high", &[found]),
        (Role::JudgePrimary, _) => scored_overall(ask, 740, "high", &[]),
        (Role::JudgeSecondary, _) => scored_overall(ask, 880, "high", &[]),
        _ => scored_overall(ask, 900, "high", &[]),
    }
}
