//! Repair with the shipped budgets and answer lengths: every requested repair can be verified, for
//! any length of the text and any malformed reply (ruling 51).

use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::reading::Hint;
use redraft_run::ask::{Ask, Role};
use redraft_run::event::EventKind;
use redraft_run::policy::Mode;
use redraft_run::reasons::{RollbackReason, SkipReason, StopReason};
use redraft_run::setup::{Goal, Seat, Setup};
use redraft_run::verdict::Reason;
use serde_json::Value;

use crate::fixtures::{Subject, block, seat, setup_about};
use crate::in_memory::{
    Finished, ModelReply, delta, issue, parts, run_to_end, text_reply, verdict,
};
use crate::long_inputs::{self, ENGLISH};

/// All roles, with the longest answers in the shipped configuration.
fn shipped() -> Vec<Seat> {
    let roles = [
        (Role::JudgePrimary, 2_000),
        (Role::JudgeSecondary, 2_000),
        (Role::JudgeTiebreaker, 2_000),
        (Role::Patcher, 1_500),
        (Role::SectionExpander, 3_000),
        (Role::DeltaJudge, 800),
    ];
    roles
        .into_iter()
        .map(|(role, longest)| {
            let mut seat = seat(role, &[role.name()]);
            for model in &mut seat.models {
                model.max_tokens = longest;
            }
            seat
        })
        .collect()
}

fn refinement(profile: &str, text: &str, mode: Mode) -> Setup {
    let hint = match profile {
        "lesson" => Hint::Markdown,
        _ => Hint::Json,
    };
    Setup {
        goal: Goal::Refine,
        ..setup_about(&Subject::of(profile, text, hint), shipped(), mode)
    }
}

/// The first sentences of editable sections, with their ids.
fn sentences(document: &Document) -> Vec<(String, String)> {
    let text = document.source().text();
    document
        .of_kind(ComponentKind::Section)
        .filter_map(|part| {
            let body = text.get(part.range.clone())?.split_once("\n\n")?.1;
            let end = body.find(". ")?;
            let sentence = body.get(..=end)?.trim().to_owned();
            (text.matches(&sentence).count() == 1).then(|| (part.id.0.clone(), sentence))
        })
        .collect()
}

/// A verdict that criticises this many of the sentences, the sixth as critical.
fn verdict_about(ask: &Ask, weak: &[(String, String)], number: usize) -> ModelReply {
    let criticised = weak.iter().take(number).enumerate();
    let issues: Vec<Value> = criticised
        .map(|(index, (id, sentence))| {
            let severity = if index == 5 { "critical" } else { "major" };
            let fix = "Say why it matters.";
            issue("clarity_readability", severity, id, sentence, fix)
        })
        .collect();
    verdict(ask, 800, &[("clarity_readability", 650)], "high", &issues)
}

/// A judge that criticises eight sections, a patcher that edits them, and a delta judge that gives
/// the same answer about every repair. The first reply of one role is malformed.
fn play(text: &str, (mode, malformed, yes): (Mode, Option<Role>, bool)) -> Finished {
    let setup = refinement("lesson", text, mode);
    let weak = sentences(&setup.inspected.document);
    let model = |ask: &Ask| -> ModelReply {
        if malformed == Some(ask.role) && ask.id.0.ends_with("try1") {
            return text_reply(ask, "It is fine by me.");
        }
        match ask.role {
            Role::Patcher => {
                let (_, _, section) = parts(ask);
                let found = weak.iter().find(|(id, _)| id == section);
                let Some((_, sentence)) = found else {
                    return text_reply(ask, "NO CHANGE NEEDED");
                };
                let better = sentence.replacen('.', ", and this is why it matters.", 1);
                // What an earlier round kept is edited once more.
                let (sentence, better) = match ask.prompt.user.contains(better.as_str()) {
                    true => (&better, &better.replace("matters.", "matters very much.")),
                    false => (sentence, &better),
                };
                text_reply(ask, format!("issues: issue_1\n{}", block(sentence, better)))
            }
            Role::DeltaJudge => delta(ask, yes, "looked at"),
            _ => verdict_about(ask, &weak, 8),
        }
    };
    run_to_end(setup, model, &[])
}

/// Asserts that no paid repair is lost because a later call could not be paid.
fn nothing_is_lost(finished: &Finished, case: &str) {
    for event in &finished.events {
        if let EventKind::RolledBack { reason, task, .. } = &event.kind {
            let is_unpaid = match reason {
                RollbackReason::NotVerified(unscored) | RollbackReason::NoAnswer(unscored) => {
                    unscored.reason == Reason::OverBudget
                }
                _ => false,
            };
            assert!(!is_unpaid, "{case}: {task:?} {reason:?}");
        }
    }
    let asked = |verb: &str| -> Vec<(u32, &str)> {
        let of = |ask: &&Ask| parts(ask).1 == verb && ask.id.0.ends_with("/try1");
        let asks = finished.asks.iter().filter(of);
        asks.map(|ask| (parts(ask).0, parts(ask).2)).collect()
    };
    let verified = asked("delta");
    for patch in asked("patch") {
        assert!(
            verified.contains(&patch),
            "{case}: {patch:?} was not verified"
        );
    }
}

#[test]
fn every_repair_of_a_lesson_that_is_paid_for_is_verified() {
    // From about 300 to 12,000 words.
    for sections in [2, 3, 8, 25, 100] {
        let text = long_inputs::lesson(&ENGLISH, sections, 11);
        for malformed in [None, Some(Role::DeltaJudge)] {
            for yes in [true, false] {
                let finished = play(&text, (Mode::FullAuto, malformed, yes));
                let case = format!("{sections} sections, {malformed:?}, {yes}");
                assert!(
                    finished.asked("/patch/") > 0,
                    "{case}: {}",
                    finished.because()
                );
                nothing_is_lost(&finished, &case);
            }
        }
    }
}

#[test]
fn what_cannot_be_paid_is_told_and_critical_tasks_come_first() {
    let text = long_inputs::lesson(&ENGLISH, 8, 11);
    let mut setup = refinement("lesson", &text, Mode::FullAuto);
    // Enough for one repair with its verification, and little else.
    setup.policy.repair.tokens = 11_000;
    setup.policy.repair.tokens_a_hundred = 0;
    let weak = sentences(&setup.inspected.document);
    let finished = run_to_end(
        setup,
        |ask| match ask.role {
            Role::Patcher => {
                let (_, _, section) = parts(ask);
                let sentence = &weak.iter().find(|(id, _)| id == section).unwrap().1;
                let better = sentence.replacen('.', ", and this is why it matters.", 1);
                let reply = format!(
                    "issues: issue_1\n{}{}",
                    block(sentence, &better),
                    " ".repeat(3_000)
                );
                text_reply(ask, reply)
            }
            Role::DeltaJudge => delta(ask, true, "looked at"),
            _ => verdict_about(ask, &weak, 6),
        },
        &[],
    );
    nothing_is_lost(&finished, "a small budget");
    let skipped = finished.events.iter().any(|event| {
        matches!(
            event.kind,
            EventKind::Skipped {
                reason: SkipReason::OverBudget { .. },
                ..
            }
        )
    });
    let stopped = matches!(finished.stopped(), StopReason::BudgetExhausted(_));
    assert!(skipped || stopped, "{}", finished.because());
    let critical = &weak[5].0;
    let first = finished.asks.iter().find(|ask| ask.role == Role::Patcher);
    let edited = finished
        .asks
        .iter()
        .any(|ask| parts(ask).1 == "patch" && parts(ask).2 == critical);
    assert!(edited, "{critical} is critical and was left out: {first:?}");
}
