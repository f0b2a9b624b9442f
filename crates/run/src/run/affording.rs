//! What a repair may come to, set aside before it is asked for (ruling 51).
//!
//! | a task | then |
//! |---|---|
//! | its repair and its verification, with one retry, fit into what is left, and the result can still be judged | they are set aside together |
//! | they do not fit beside those of the tasks before it | it waits until those are verified |
//! | they do not fit at all | it is not asked for, with the reason |
//!
//! Critical tasks come first, and what those of later batches need is kept from all
//! others (ruling 30). So no repair is paid for that could not be verified.

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

/// Tasks that are asked for together, and those that wait for them.
#[derive(Default)]
pub(super) struct Admitted {
    pub(super) tasks: Vec<RepairTask>,
    pub(super) waiting: Vec<RepairTask>,
    repairs: Vec<AskId>,
    verifications: Vec<AskId>,
}

impl Admitted {
    /// What was set aside for repairs is free for them.
    pub(super) fn free_repairs(&mut self, context: &Context) {
        free(context, &mut self.repairs);
    }

    /// The same for verification.
    pub(super) fn free_verifications(&mut self, context: &Context) {
        free(context, &mut self.verifications);
    }
}

fn free(context: &Context, ids: &mut Vec<AskId>) {
    let ledger = &mut context.mailbox.lock().ledger;
    for id in ids.drain(..) {
        ledger.release(&id);
    }
}

/// What a task needs, call by call.
struct Need {
    repair: Option<Call>,
    verification: Vec<Call>,
}

impl Need {
    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.repair.iter().chain(&self.verification)
    }
}

/// Who is asked, and with how many tokens.
#[derive(Clone)]
struct Call {
    role: Role,
    model: ModelSettings,
    words: u64,
}

/// Tasks about one version of the text, and what they need besides.
#[derive(Clone, Copy)]
pub(super) struct Orders<'a> {
    pub(super) context: &'a Context,
    pub(super) progress: &'a Progress,
    pub(super) text: &'a Text,
    /// The terms that must be kept.
    pub(super) terms: &'a [String],
}

impl Orders<'_> {
    /// Sets aside what tasks need, in their order, until one has to wait for those before
    /// it. One that does not fit alone is left out, with an event. `later` is kept for
    /// critical tasks of later batches.
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

    /// What keeps all of these tasks from being paid: what the first of them lacks;
    /// `None` where one can be.
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

    /// What it takes to verify the longest repair that is permitted, with one retry.
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

    /// What the judges of a repaired text need at worst: a repair that no judge can score
    /// any more is money lost, too.
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

    /// The dearest call of a question among the models of a seat; `None` where it fits
    /// into none of them.
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

/// Sets aside all calls of a task, or none. What is left of the run must also pay for
/// judging the result.
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
