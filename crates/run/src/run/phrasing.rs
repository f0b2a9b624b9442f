//! Asks the arbiter, if one is configured, to reword a plan's merged instructions, once per plan.
//! If anything goes wrong, the program's own wording is kept.

use super::asking::{Conversation, Reading, converse};
use super::context::Context;
use super::review::allot;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::{ModelSettings, Role};
use crate::event::EventKind;
use crate::phrase::{self, Keys, Phrased, Phrasing};
use crate::prompt::PromptError;
use crate::reasons::SkipReason;
use crate::repair;
use crate::request::Task;
use crate::route::{RefinementPlan, RepairTask};

/// The plan, with the arbiter's wording where there is any.
pub(super) async fn phrased(
    context: &Context,
    path: &str,
    text: &Text,
    plan: RefinementPlan,
) -> Result<RefinementPlan, PromptError> {
    let setup = &context.setup;
    let seat = context.seat(Role::Arbiter);
    let Some(seat) = seat.filter(|seat| !setup.unnamed.contains(&seat.role)) else {
        return Ok(plan);
    };
    let tasks: Vec<RepairTask> = phrase::worth_phrasing(&plan).into_iter().cloned().collect();
    let tasks: Vec<&RepairTask> = tasks.iter().collect();
    if tasks.is_empty() {
        return Ok(plan);
    }
    let keys = match setup.profile.protected(text.document()).as_slice() {
        [] => Keys::None,
        _ => Keys::Protected,
    };
    let texts: Vec<String> = tasks.iter().map(|task| words_of(text, task)).collect();
    let about: Vec<Phrasing<'_>> = tasks
        .iter()
        .zip(&texts)
        .map(|(task, text)| Phrasing {
            task,
            text,
            keys,
            length: setup.policy.repair.length,
        })
        .collect();
    let mut wordings = Wordings::new(Some(phrase::schema(&tasks)));
    let render = wording::render(setup, text.document(), Task::Phrase { tasks: &tasks });
    allot(context, seat, &mut wordings, &render);
    let about = &about;
    let conversation = Conversation {
        path: format!("{path}/phrase/arbiter"),
        seat: seat.clone(),
        content: text.version(),
        wordings,
        reading: Reading::Whole,
        render,
        read: Box::new(move |reply, _| phrase::read(reply, about)),
    };
    let ended = converse(setup, &context.mailbox, vec![conversation]).await?;
    let mut plan = plan;
    for one in ended {
        match one.result {
            Ok(phrased) => {
                context.emit(EventKind::InstructionsPhrased {
                    by: one
                        .model
                        .as_ref()
                        .map(ModelSettings::name)
                        .unwrap_or_default(),
                    sections: phrased.iter().map(|one| one.section.clone()).collect(),
                    tokens: one.used,
                });
                apply_wording(&mut plan, &phrased);
            }
            Err(unscored) => context.emit(EventKind::Skipped {
                what: "arbiter",
                reason: SkipReason::NoAnswer(unscored),
            }),
        }
    }
    Ok(plan)
}

fn apply_wording(plan: &mut RefinementPlan, all: &[Phrased]) {
    for task in &mut plan.tasks {
        if let Some(phrased) = all.iter().find(|one| one.section == task.section_id) {
            task.synthesized_instructions = phrase::rephrased(task, &phrased.steps);
        }
    }
}

/// The text of a task's component.
fn words_of(text: &Text, task: &RepairTask) -> String {
    let passages = repair::passages(text.document(), &task.section_id);
    let passages: Vec<&str> = passages.iter().map(|passage| passage.text).collect();
    passages.join("\n")
}
