//! Lessons learned from small models (ruling 72): the whole section is requested first, without the
//! option to decline; an echo of our frame is removed; a refusal needs reasons; and the question
//! which of two versions is better shows whole sections.

use redraft_run::ask::{Ask, Role};
use redraft_run::outcome::Status;
use redraft_run::policy::{Delta, EditForm, Mode};

use super::{LIGHTER, PLAINER, heavy, refined, tuned, willing};
use crate::in_memory::{CLEAN_LESSON, Finished, ModelReply, parts, patch, text_reply};

/// The first section with the intended repair.
fn repaired_section() -> String {
    let section = CLEAN_LESSON.split("## ").nth(1).unwrap();
    let (_, body) = section.split_once('\n').unwrap();
    body.trim().replace(LIGHTER, PLAINER)
}

fn whole_first(model: impl Fn(&Ask) -> ModelReply) -> Finished {
    let tune = |setup: &mut redraft_run::setup::Setup| {
        setup.policy.repair.edit_form = Some(EditForm::Whole);
    };
    tuned(Mode::SemiAuto, tune, model)
}

#[test]
fn the_whole_section_is_asked_for_first_and_the_echoed_frame_is_taken_off() {
    for answer in [
        repaired_section(),
        format!("<redraft:text>\n{}\n</redraft:text>", repaired_section()),
        format!("The answer:\n{}", repaired_section()),
    ] {
        let finished = whole_first(|ask| match ask.role {
            Role::Patcher => text_reply(ask, answer.clone()),
            _ => willing(ask, &[heavy()]),
        });
        finished.ends_as(Status::Accepted);
        assert_eq!(finished.asked("patch/"), 0, "{:?}", finished.names());
        assert_eq!(finished.asked("rewrite/sec_1"), 1);
        assert_eq!(finished.result(), CLEAN_LESSON.replace(LIGHTER, PLAINER));
    }
}

#[test]
fn who_is_asked_for_the_whole_section_cannot_decline() {
    let finished = whole_first(|ask| match ask.role {
        Role::Patcher if ask.id.0.ends_with("try1") => text_reply(
            ask,
            "NO CHANGE NEEDED\nissue_1: the sentence is short enough as it is",
        ),
        Role::Patcher => text_reply(ask, repaired_section()),
        _ => willing(ask, &[heavy()]),
    });
    finished.ends_as(Status::Accepted);
    assert!(
        finished
            .prompt("rewrite/sec_1/try2")
            .contains("write the whole new text of the part")
    );
}

#[test]
fn a_refusal_without_a_reason_is_asked_again_and_one_with_a_reason_stands() {
    let finished = refined(Mode::SemiAuto, |ask| {
        match (ask.role, ask.id.0.ends_with("patch/sec_1/try1")) {
            (Role::Patcher, true) => text_reply(ask, "NO CHANGE NEEDED"),
            (Role::Patcher, false) => patch(ask, LIGHTER, PLAINER),
            _ => willing(ask, &[heavy()]),
        }
    });
    finished.ends_as(Status::Accepted);
    assert!(
        finished
            .prompt("i1/patch/sec_1/try2")
            .contains("without a reason about issue_1")
    );
    let finished = refined(Mode::SemiAuto, |ask| match ask.role {
        Role::Patcher => text_reply(
            ask,
            "NO CHANGE NEEDED\nissue_1: the sentence is short enough as it is",
        ),
        _ => willing(ask, &[heavy()]),
    });
    assert_eq!(
        finished.asked("i1/patch/sec_1"),
        1,
        "{:?}",
        finished.names()
    );
    assert_eq!(finished.asked("rewrite"), 0);
    assert_eq!(finished.result(), CLEAN_LESSON);
}

#[test]
fn both_orders_compare_the_whole_section() {
    let better = |ask: &Ask| {
        let place = if ask.id.0.contains("before-after") {
            "second"
        } else {
            "first"
        };
        text_reply(
            ask,
            format!(r#"{{"reason": "plainer", "better": "{place}"}}"#),
        )
    };
    let finished = tuned(
        Mode::SemiAuto,
        |setup| setup.policy.repair.delta = Delta::BothOrders,
        |ask| match (ask.role, parts(ask).1) {
            (Role::DeltaJudge, "delta") => better(ask),
            _ => willing(ask, &[heavy()]),
        },
    );
    finished.ends_as(Status::Accepted);
    let prompt = finished.prompt("delta/sec_1/before-after");
    // Both versions, from the heading to the last list item.
    for words in [
        "What the heat does",
        "The element at the bottom",
        "bubbles that break at the surface",
    ] {
        assert_eq!(prompt.matches(words).count(), 2, "{words}: {prompt}");
    }
}
