//! Reserves the cost of a repair before it is requested (ruling 51).
//!
//! | a task | then |
//! |---|---|
//! | its repair and its verification, with one retry, fit into the remaining budget, and the result can still be judged | they are reserved together |
//! | they do not fit in addition to the tasks before it | it waits until those are verified |
//! | they do not fit at all | it is skipped, with the reason |
//!
//! Critical tasks come first, and the needs of critical tasks in later batches are held back from
//! all others (ruling 30). No repair is paid for that could not be verified.

use std::sync::Arc;

use super::context::Context;
use super::judgements::JUDGES;
use super::judging::worst_with_retry;
use super::planning::role_of;
use super::progress::Progress;
use super::proposing::{Form, RepairBrief, asks_for_structure};
use super::text::Text;
use super::verifying::delta_questions;
use super::wording::{self, Wordings};
use crate::ask::{AskId, Budget, ModelSettings, Role, Schema};
use crate::event::EventKind;
use crate::ledger::{COMPLAINT_TOKENS, Ledger};
use crate::policy::Judging;
use crate::prompt::{PromptError, Unfit};
use crate::reasons::{OverBudget, SkipReason};
use crate::request::Task;
use crate::route::RepairTask;
use crate::setup::Seat;
use crate::verdict::IssueSeverity;
use crate::verify::{self, Permitted};

/// Tasks that are started together, and tasks that wait for them.
#[derive(Default)]
pub(super) struct Admitted {
    pub(super) tasks: Vec<RepairTask>,
    pub(super) waiting: Vec<RepairTask>,
    repairs: Vec<AskId>,
    verifications: Vec<AskId>,
}

impl Admitted {
    /// Releases the reservations of repairs.
    pub(super) fn free_repairs(&mut self, context: &Context) {
        release(context, &mut self.repairs);
    }

    /// Releases the reservations of verifications.
    pub(super) fn free_verifications(&mut self, context: &Context) {
        release(context, &mut self.verifications);
    }
}

fn release(context: &Context, ids: &mut Vec<AskId>) {
    let ledger = &mut context.mailbox.lock().ledger;
    for id in ids.drain(..) {
        ledger.release(&id);
    }
}

/// The calls that a task needs.
struct Need {
    repair: Option<Call>,
    verification: Vec<Call>,
}

impl Need {
    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.repair.iter().chain(&self.verification)
    }
}

/// A call to reserve: role, model and size of the prompt.
#[derive(Clone)]
struct Call {
    role: Role,
    model: ModelSettings,
    words: u64,
}

/// Tasks about one version of the text, with what they need besides.
#[derive(Clone, Copy)]
pub(super) struct Orders<'a> {
    pub(super) context: &'a Context,
    pub(super) progress: &'a Progress,
    pub(super) text: &'a Text,
    /// The terms that must not change.
    pub(super) terms: &'a [String],
}

impl Orders<'_> {
    /// Reserves what tasks need, in order, until one must wait for those before it. A task that
    /// does not fit on its own is skipped, with an event. `later` is held back for critical tasks
    /// of later batches.
    pub(super) fn admit(
        &self,
        tasks: Vec<RepairTask>,
        later: u64,
    ) -> Result<Admitted, PromptError> {
        let mut admitted = Admitted::default();
        let judging = self.judging_need()?;
        let mut tasks = tasks.into_iter();
        for task in tasks.by_ref() {
            let need = self.need(&task)?;
            let mut contents = self.context.mailbox.lock();
            let held = match task.priority {
                IssueSeverity::Critical => 0,
                IssueSeverity::Major | IssueSeverity::Minor => later,
            };
            contents.ledger.hold_back(Budget::Repair, held);
            let name = format!("{}/{}", self.progress.path(), task.section_id);
            match set_aside(&mut contents.ledger, &need, (&name, judging)) {
                Ok((repair, verification)) => {
                    admitted.repairs.extend(repair);
                    admitted.verifications.extend(verification);
                    admitted.tasks.push(task);
                }
                Err(_) if !admitted.tasks.is_empty() => {
                    admitted.waiting.push(task);
                    break;
                }
                Err(lack) => contents.emit(EventKind::Skipped {
                    what: "repair",
                    reason: SkipReason::OverBudget {
                        component: task.section_id,
                        lack,
                    },
                }),
            }
        }
        admitted.waiting.extend(tasks);
        Ok(admitted)
    }

    /// Why none of these tasks can be paid: what the first one lacks. `None` if one can be paid.
    pub(super) fn lack(&self, tasks: &[RepairTask]) -> Result<Option<OverBudget>, PromptError> {
        let judging = self.judging_need()?;
        let mut first = None;
        for task in tasks {
            let need = self.need(task)?;
            let mut ledger = self.context.mailbox.lock().ledger.clone();
            match set_aside(&mut ledger, &need, ("what if", judging)) {
                Ok(_) => return Ok(None),
                Err(lack) => first = first.or(Some(lack)),
            }
        }
        Ok(first)
    }

    /// What the critical ones of these tasks need at worst.
    pub(super) fn critical_need<'t>(
        &self,
        tasks: impl Iterator<Item = &'t RepairTask>,
    ) -> Result<u64, PromptError> {
        let mut sum = 0u64;
        for task in tasks.filter(|task| task.priority == IssueSeverity::Critical) {
            let need = self.need(task)?;
            let ledger = &self.context.mailbox.lock().ledger;
            let worst = |call: &Call| ledger.worst(&call.model, call.words).total();
            sum = need.calls().map(worst).fold(sum, u64::saturating_add);
        }
        Ok(sum)
    }

    fn need(&self, task: &RepairTask) -> Result<Need, PromptError> {
        let setup = self.context.setup.as_ref();
        let undone = self.progress.why_undone(&task.section_id);
        let brief = RepairBrief {
            task,
            terms: self.terms,
            undone: undone.as_deref(),
            structured: asks_for_structure(self.context, self.text, task),
        };
        let (prompt, _) = brief.prompt(setup, Form::AsPlanned);
        let repair = match self.context.seat(role_of(task)) {
            Some(seat) => self.dearest(seat, None, prompt)?,
            None => None,
        };
        Ok(Need {
            repair,
            verification: self.verification(task)?,
        })
    }

    /// The calls that verify the longest permitted repair, with one retry.
    fn verification(&self, task: &RepairTask) -> Result<Vec<Call>, PromptError> {
        let policy = &self.context.setup.policy.repair;
        let mut calls = Vec::new();
        let asks_nothing = task.source_issues.is_empty() && task.constraints.is_empty();
        let Some(seat) = self
            .context
            .seat(Role::DeltaJudge)
            .filter(|_| !asks_nothing)
        else {
            return Ok(calls);
        };
        let permitted = Permitted::of(task, policy.length);
        let changes = verify::widest_change(self.text.document(), &task.section_id, &permitted);
        for question in delta_questions(policy.delta).iter().copied() {
            let schema = verify::delta_schema(task, question);
            let asked = Task::Verify {
                task,
                changes: &changes,
                question,
            };
            if let Some(call) = self.dearest(seat, Some(schema), asked)? {
                let words = call.words.saturating_add(COMPLAINT_TOKENS);
                calls.extend([call.clone(), Call { words, ..call }]);
            }
        }
        Ok(calls)
    }

    /// What the judges of the repaired text need at worst. A repair that no judge can score would
    /// be wasted.
    fn judging_need(&self) -> Result<u64, PromptError> {
        let policy = &self.context.setup.policy;
        let seats = JUDGES.iter().filter_map(|role| self.context.seat(*role));
        let mut sum = 0u64;
        for seat in seats {
            let Some(call) = self.dearest(seat, None, Task::Judge { flagged: &[] })? else {
                continue;
            };
            let ledger = &self.context.mailbox.lock().ledger;
            if policy.judging == Judging::Single {
                return Ok(worst_with_retry(ledger, seat, call.words));
            }
            sum = sum.saturating_add(ledger.worst(&call.model, call.words).total());
        }
        Ok(sum)
    }

    /// The most expensive call of a question among the models of a role. `None` if it fits into
    /// none of them.
    fn dearest(
        &self,
        seat: &Seat,
        schema: Option<Arc<Schema>>,
        asked: Task<'_>,
    ) -> Result<Option<Call>, PromptError> {
        let render = wording::render(&self.context.setup, self.text.document(), asked);
        let mut wordings = Wordings::new(schema);
        let mut found: Option<(u64, Call)> = None;
        for model in &seat.models {
            let room = wordings.room(&self.context.mailbox.lock().ledger, seat, model);
            let words = match wordings.word(&render, None, room) {
                Ok(wording) => wording.prepared.tokens,
                Err(Unfit::TooLong(_)) => continue,
                Err(Unfit::Fault(fault)) => return Err(fault),
            };
            let worst = self
                .context
                .mailbox
                .lock()
                .ledger
                .worst(model, words)
                .total();
            if found.as_ref().is_none_or(|(most, _)| *most < worst) {
                let call = Call {
                    role: seat.role,
                    model: model.clone(),
                    words,
                };
                found = Some((worst, call));
            }
        }
        Ok(found.map(|(_, call)| call))
    }
}

/// Reserves all calls of a task, or none. The rest of the run's budget must also pay for judging
/// the result.
fn set_aside(
    ledger: &mut Ledger,
    need: &Need,
    (name, judging): (&str, u64),
) -> Result<(Option<AskId>, Vec<AskId>), OverBudget> {
    let mut ids = Vec::new();
    let mut lack = None;
    for (number, call) in need.calls().enumerate() {
        let id = AskId(format!("{name}/set aside/{number}"));
        match ledger.reserve(&id, call.role, &call.model, call.words) {
            Ok(_) => ids.push(id),
            Err(does_not_fit) => {
                lack = Some(OverBudget {
                    needs: does_not_fit.needs.total(),
                    left: does_not_fit.left,
                });
                break;
            }
        }
    }
    let left_of_run = ledger
        .limits()
        .total
        .map(|total| total.saturating_sub(ledger.committed()));
    if let Some(left) = left_of_run.filter(|left| *left < judging) {
        lack.get_or_insert(OverBudget {
            needs: judging,
            left,
        });
    }
    if let Some(lack) = lack {
        for id in ids {
            ledger.release(&id);
        }
        return Err(lack);
    }
    let mut ids = ids.into_iter();
    let repair = need.repair.as_ref().and_then(|_| ids.next());
    Ok((repair, ids.collect()))
}
