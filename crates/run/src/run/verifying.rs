//! Asks the delta judge about repairs: whether each solved its issues, and whether the section
//! after a rewritten one still fits.

use super::asking::{AskOutcome, Conversation, Reading, converse};
use super::context::Context;
use super::repairs::{Kept, Tried};
use super::slots::slots_of;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::{Role, Tokens};
use crate::event::EventKind;
use crate::policy::Delta;
use crate::prompt::PromptError;
use crate::reasons::{RollbackReason, SkipReason};
use crate::request::{Change, DeltaQuestion, Task};
use crate::route::{RefinementPlan, RepairTask};
use crate::rubric::FixAction;
use crate::verdict::Unscored;
use crate::verify::{self, Fits};
use redraft_gate::span::ComponentId;

/// The delta judge's answer about one repair.
pub(super) struct DeltaSaid {
    pub(super) result: Result<(), RollbackReason>,
    pub(super) next: Option<Fits>,
    pub(super) used: Tokens,
}

impl DeltaSaid {
    fn yes() -> Self {
        Self {
            result: Ok(()),
            next: None,
            used: Tokens::default(),
        }
    }

    fn record(&mut self, answer: AskOutcome<(verify::Delta, Option<Fits>)>, tried: &Tried) {
        self.used = self.used.plus(answer.used);
        let objection = match answer.result {
            Ok((delta, next)) => {
                self.next = next;
                delta.objection(&tried.task)
            }
            Err(unscored) => Some(RollbackReason::NotVerified(unscored)),
        };
        if let Some(objection) = objection
            && self.result.is_ok()
        {
            self.result = Err(objection);
        }
    }
}

/// The questions to the delta judge about one repair.
pub(super) fn delta_questions(delta: Delta) -> &'static [DeltaQuestion] {
    match delta {
        Delta::YesNo => &[DeltaQuestion::YesNo],
        Delta::BothOrders => &[
            DeltaQuestion::WhichIsBetter { after_first: false },
            DeltaQuestion::WhichIsBetter { after_first: true },
        ],
    }
}

/// Asks about every repair that has not failed yet whether it solved its issues. Returns one answer
/// for each of `tried`; failed ones are not asked about.
pub(super) async fn ask_delta_judge(
    context: &Context,
    path: &str,
    (base, after): (&Text, &Text),
    tried: &[Tried],
) -> Result<Vec<DeltaSaid>, PromptError> {
    let Some(seat) = context.seat(Role::DeltaJudge) else {
        if tried.iter().any(|one| one.result.is_ok()) {
            context.emit(EventKind::Skipped {
                what: "delta_judge",
                reason: SkipReason::NoModel,
            });
        }
        return Ok(tried.iter().map(|_| DeltaSaid::yes()).collect());
    };
    let setup = &context.setup;
    let questions = delta_questions(setup.policy.repair.delta);
    let changes: Vec<_> = tried
        .iter()
        .map(|one| {
            let section = &one.task.section_id;
            match setup.policy.repair.delta {
                Delta::YesNo => {
                    let (mut changes, listed) = structured(context, (base, after), section);
                    changes.extend(verify::changes(
                        (base.document(), after.document()),
                        section,
                        &listed,
                    ));
                    changes
                }
                Delta::BothOrders => {
                    let mut whole =
                        verify::whole_component(base.document(), after.document(), section);
                    whole.extend(structured(context, (base, after), section).0);
                    whole
                }
            }
        })
        .collect();
    let mut said: Vec<DeltaSaid> = tried.iter().map(|_| DeltaSaid::yes()).collect();
    // One after the other: a repair that fails in one order is not asked about in the other.
    for question in questions.iter().copied() {
        let mut conversations = Vec::new();
        let mut whose = Vec::new();
        for (index, one) in tried.iter().enumerate() {
            // The program verifies tasks that only remove findings.
            let asks_nothing = one.task.source_issues.is_empty() && one.task.constraints.is_empty();
            let has_failed = said.get(index).is_none_or(|said| said.result.is_err());
            if one.result.is_err() || asks_nothing || has_failed {
                continue;
            }
            let Some(changes) = changes.get(index) else {
                continue;
            };
            let name = match question {
                DeltaQuestion::YesNo => "",
                DeltaQuestion::WhichIsBetter { after_first: false } => "/before-after",
                DeltaQuestion::WhichIsBetter { after_first: true } => "/after-before",
            };
            let task = &one.task;
            whose.push(index);
            conversations.push(Conversation {
                path: format!("{path}/delta/{}{name}", task.section_id),
                seat: seat.clone(),
                content: after.version(),
                wordings: Wordings::new(Some(verify::delta_schema(task, question))),
                reading: Reading::InPart,
                render: wording::render(
                    setup,
                    after.document(),
                    Task::Verify {
                        task,
                        changes,
                        question,
                    },
                ),
                read: Box::new(move |reply, _| {
                    let delta =
                        verify::read_delta(reply, task, question).map_err(Unscored::from)?;
                    Ok((delta, verify::read_next(reply, task, question)))
                }),
            });
        }
        let ended = converse(setup, &context.mailbox, conversations).await?;
        for (index, one) in whose.into_iter().zip(ended) {
            if let (Some(said), Some(tried)) = (said.get_mut(index), tried.get(index)) {
                said.record(one, tried);
            }
        }
    }
    Ok(said)
}

/// The lists and values of a component that differ, with their paths.
fn structured(
    context: &Context,
    (base, after): (&Text, &Text),
    section: &ComponentId,
) -> (Vec<Change>, Vec<String>) {
    verify::structured_changes(
        (base.document(), &slots_of(context, base, section)),
        (after.document(), &slots_of(context, after, section)),
    )
}

/// The sections after those that this batch has rewritten.
pub(super) fn parts_to_look_at(
    kept: &[Kept],
    batch: usize,
    plan: &RefinementPlan,
) -> Vec<(RepairTask, Option<Fits>)> {
    let Some(batch) = plan.execution_batches.get(batch) else {
        return Vec::new();
    };
    kept.iter()
        .filter(|one| batch.contains(&one.component))
        .filter(|one| one.task.action_type == FixAction::RegenerateSection)
        .filter(|one| one.task.check_after.is_some())
        .map(|one| (one.task.clone(), one.next.clone()))
        .collect()
}

/// Asks whether a section still fits the one before it, which was rewritten.
pub(super) async fn ask_whether_it_fits(
    context: &Context,
    path: &str,
    text: &Text,
    (section, next): (&ComponentId, &ComponentId),
) -> Result<Option<Fits>, PromptError> {
    let Some(seat) = context.seat(Role::DeltaJudge).cloned() else {
        return Ok(None);
    };
    let setup = &context.setup;
    let conversation = Conversation {
        path: format!("{path}/consistency/{next}"),
        seat,
        content: text.version(),
        wordings: Wordings::new(Some(verify::consistency_schema())),
        reading: Reading::InPart,
        render: wording::render(
            setup,
            text.document(),
            Task::Consistency {
                rewritten: section,
                next,
            },
        ),
        read: Box::new(|reply, _| verify::read_consistency(reply).map_err(Unscored::from)),
    };
    let ended = converse(setup, &context.mailbox, vec![conversation]).await?;
    Ok(ended.into_iter().next().and_then(|one| one.result.ok()))
}
