//! Proposals of repairs: requests them, applies them in the order of the components, scrubs the
//! result, and runs the program's verification. The delta judge is asked elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::asking::{AskOutcome, Conversation, Reading, converse};
use super::context::Context;
use super::planning::role_of;
use super::progress::Progress;
use super::repairs::{Kept, Tried, label};
use super::slots::slots_of;
use super::text::Text;
use super::wording::{self, Wordings};
use crate::ask::Role;
use crate::policy::EditForm;
use crate::prompt::PromptError;
use crate::reasons::RollbackReason;
use crate::repair::{self, ComplaintKind, EditTarget, FormError, Proposal};
use crate::request::Task;
use crate::route::RepairTask;
use crate::rubric::FixAction;
use crate::setup::Setup;
use crate::structure::Structure;
use crate::verdict::{Reason, Unscored};
use crate::verify::{self, Permitted, Protected};
use redraft_gate::span::ComponentId;

/// Requests the repairs of a batch in parallel. If edits do not fit, requests the whole component.
pub(super) async fn ask_for_repairs(
    context: &Context,
    progress: &Progress,
    base: &Text,
    (tasks, terms): (&[RepairTask], &[String]),
) -> Result<Vec<Tried>, PromptError> {
    let asking = Asking {
        context,
        progress,
        base,
        terms,
    };
    let first = asking.ask_patchers(tasks, Form::AsPlanned).await?;
    // If the whole component was requested already, there is no other form to try.
    let is_whole = context.setup.policy.repair.edit_form() == EditForm::Whole;
    let again: Vec<RepairTask> = tasks
        .iter()
        .zip(&first)
        .filter(|(task, ended)| {
            !is_whole
                && task.action_type == FixAction::SurgicalEdit
                && matches!(&ended.result, Err(unscored) if unscored.reason == Reason::WrongShape)
        })
        .map(|(task, _)| task.clone())
        .collect();
    let mut second: BTreeMap<ComponentId, AskOutcome<Proposal>> = BTreeMap::new();
    if !again.is_empty() {
        let ended = asking.ask_patchers(&again, Form::WholeComponent).await?;
        second.extend(again.iter().map(|task| task.section_id.clone()).zip(ended));
    }
    Ok(tasks
        .iter()
        .cloned()
        .zip(first)
        .map(|(task, first)| {
            let mut used = first.used;
            let mut result = first.result;
            let mut not_used = first.not_used;
            if let Some(second) = second.remove(&task.section_id) {
                used = used.plus(second.used);
                not_used.extend(result.err());
                not_used.extend(second.not_used);
                result = second.result;
            }
            let result = match result {
                Ok(Proposal::NoChange { reason }) => Err(RollbackReason::NoChange { reason }),
                Ok(proposal) => Ok(proposal),
                Err(unscored) if unscored.reason == Reason::Rejected => {
                    Err(RollbackReason::Rejected {
                        objections: unscored.message,
                    })
                }
                Err(unscored) => Err(RollbackReason::NoAnswer(unscored)),
            };
            let ids: Vec<&str> = task
                .source_issues
                .iter()
                .map(|issue| issue.id.as_str())
                .collect();
            let edits = result.as_ref().map_or_else(
                |_| Vec::new(),
                |proposal| repair::kept_edits(proposal, &ids),
            );
            Tried {
                task,
                result,
                edits,
                unsolved: None,
                left: None,
                next: None,
                used,
                not_used,
            }
        })
        .collect())
}

/// The form in which a repair is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As planned: edits (or the whole component if the policy asks for it first), or a rewrite.
    AsPlanned,
    /// The whole component, because edits did not fit.
    WholeComponent,
}

/// Repairs that are requested in parallel.
struct Asking<'a> {
    context: &'a Context,
    progress: &'a Progress,
    base: &'a Text,
    terms: &'a [String],
}

impl Asking<'_> {
    async fn ask_patchers(
        &self,
        tasks: &[RepairTask],
        form: Form,
    ) -> Result<Vec<AskOutcome<Proposal>>, PromptError> {
        let Self {
            context,
            progress,
            base,
            terms,
        } = *self;
        let setup = context.setup.as_ref();
        let round = progress.round;
        let earlier: Vec<Option<String>> = tasks
            .iter()
            .map(|task| progress.why_undone(&task.section_id))
            .collect();
        let mut conversations = Vec::new();
        for (task, undone) in tasks.iter().zip(&earlier) {
            let Some(seat) = context.seat(role_of(task)).cloned() else {
                continue;
            };
            let brief = RepairBrief {
                task,
                terms,
                undone: undone.as_deref(),
                structured: asks_for_structure(context, base, task),
            };
            let form = brief.form(setup, form);
            let (prompt_task, verb) = brief.prompt(setup, form);
            let is_whole =
                form == Form::WholeComponent || task.action_type == FixAction::RegenerateSection;
            conversations.push(Conversation {
                path: format!("{}/{verb}/{}", progress.path(), task.section_id),
                seat,
                content: base.version(),
                wordings: Wordings::new(None),
                reading: Reading::InPart,
                render: wording::render(setup, base.document(), prompt_task),
                read: Box::new(move |reply, _| {
                    let proposal = if is_whole {
                        repair::read_whole(reply)
                    } else {
                        repair::read_patch(reply)
                    }
                    .map_err(Unscored::from)?;
                    if let Proposal::NoChange { reason } = &proposal {
                        accept_refusal(task, form, reason).map_err(Unscored::from)?;
                        return Ok(proposal);
                    }
                    apply_one(context, round, base, (task, &proposal))?;
                    Ok(proposal)
                }),
            });
        }
        converse(setup, &context.mailbox, conversations).await
    }
}

/// A task with everything that its prompt needs.
#[derive(Clone, Copy)]
pub(super) struct RepairBrief<'a> {
    pub(super) task: &'a RepairTask,
    pub(super) terms: &'a [String],
    /// Why the last repair of the component was rolled back.
    pub(super) undone: Option<&'a str>,
    /// Whether its issues ask for a change to a list or value, which the component's text does not
    /// show.
    pub(super) structured: bool,
}

impl<'a> RepairBrief<'a> {
    /// The prompt's task, and its name in ask ids.
    pub(super) fn prompt(&self, setup: &Setup, form: Form) -> (Task<'a>, &'static str) {
        let Self {
            task,
            terms,
            undone,
            ..
        } = *self;
        let whole = self.form(setup, form) == Form::WholeComponent;
        match task.action_type {
            FixAction::SurgicalEdit => (
                Task::Patch {
                    task,
                    terms,
                    undone,
                    whole,
                },
                if whole { "rewrite" } else { "patch" },
            ),
            FixAction::RegenerateSection => (
                Task::Expand {
                    task,
                    terms,
                    undone,
                },
                "expand",
            ),
        }
    }
}

impl RepairBrief<'_> {
    /// The form under the policy, which may ask for the whole component first. Hints, marks and
    /// codes are still changed by operations only (ruling 59).
    fn form(&self, setup: &Setup, form: Form) -> Form {
        match setup.policy.repair.edit_form() {
            EditForm::Whole if !self.structured => Form::WholeComponent,
            EditForm::Edits | EditForm::Whole => form,
        }
    }
}

/// Whether a task's issues ask for a change to a list or value.
pub(super) fn asks_for_structure(context: &Context, text: &Text, task: &RepairTask) -> bool {
    let slots = slots_of(context, text, &task.section_id);
    slots.iter().any(|slot| slot.is_asked_for(task))
}

/// Checks whether a patcher may leave a component unchanged (ruling 72).
fn accept_refusal(task: &RepairTask, form: Form, reason: &str) -> Result<(), FormError> {
    // A request for the whole component must be answered with text.
    if task.action_type == FixAction::RegenerateSection || form == Form::WholeComponent {
        return Err(FormError::Malformed(
            "write the whole new text of the part, with its issues fixed".to_owned(),
        ));
    }
    let ids: Vec<&str> = task
        .source_issues
        .iter()
        .map(|issue| issue.id.as_str())
        .collect();
    repair::check_refusal(reason, &ids)
}

/// Applies one repair, scrubs the result and verifies it by program.
pub(super) fn apply_one(
    context: &Context,
    round: u32,
    text: &Text,
    (task, proposal): (&RepairTask, &Proposal),
) -> Result<Text, Unscored> {
    let component = &task.section_id;
    let inspector = context.setup.inspector.as_ref();
    let protected = context.setup.profile.protected(text.document());
    let target = EditTarget {
        document: text.document(),
        component,
        protected: &protected,
    };
    let slots = slots_of(context, text, component);
    let structure = Structure {
        slots: &slots,
        task,
    };
    let applied = repair::apply_with(target, Some(structure), proposal).map_err(|complaint| {
        let reason = match complaint.kind {
            ComplaintKind::Protected | ComplaintKind::Nothing | ComplaintKind::NotAllowed => {
                Reason::Rejected
            }
            _ => Reason::WrongShape,
        };
        Unscored::new(reason, complaint.message)
    })?;
    let named = |issues: &[String]| label(round, (task.action_type, component), issues);
    let labels = applied.issues.iter().map(|issues| named(issues));
    let edits = applied.edits.into_iter().zip(labels).collect();
    let label = named(&[]);
    let edited = text
        .edited_for(inspector, edits, component)
        .ok_or_else(|| Unscored::new(Reason::WrongShape, "the edits do not fit the text"))?;
    let after = scrub_within(edited, inspector, component, &label);
    let profile = context.setup.profile;
    let structured = applied.skeleton.map(|bytes| inspector.inspect(bytes));
    let structured = structured.as_ref().map(|inspected| &inspected.document);
    let base = structured.unwrap_or(text.document());
    let protected = profile.protected(base);
    let protected_after = profile.protected(after.document());
    let (sensitive, sensitive_after) =
        (profile.sensitive(base), profile.sensitive(after.document()));
    let mut permitted = Permitted::of(task, context.setup.policy.repair.length).protecting(
        Protected {
            before: &protected,
            after: &protected_after,
        },
        Protected {
            before: &sensitive,
            after: &sensitive_after,
        },
    );
    permitted.structured = structured;
    permitted.keeps_numbers = context.setup.policy.repair.keep_numbers;
    // Words that an issue quotes may only be reworded if a delta judge checks it.
    if context.seat(Role::DeltaJudge).is_none() {
        permitted.quotes.clear();
    }
    let compared = verify::tier_one(&text.inspected, &after.inspected, component, &permitted);
    let mut objections = compared.err().unwrap_or_default();
    let documents = (base, after.document());
    objections.extend(verify::own_text(inspector, documents, component));
    let companions = &context.setup.companions;
    objections.extend(verify::markup(documents, component, &permitted, companions));
    let meaning = profile.objections(base, after.document(), &permitted.quotes);
    objections.extend(meaning.into_iter().map(verify::Objection::about_meaning));
    if objections.is_empty() {
        return Ok(after);
    }
    let all: Vec<String> = objections.iter().map(ToString::to_string).collect();
    Err(Unscored::new(Reason::Rejected, all.join("; ")))
}

/// The base text with all good repairs applied, in text order. A repair that no longer fits next to
/// the others is rolled back.
pub(super) fn put_together(
    context: &Context,
    round: u32,
    base: &Text,
    tried: &mut [Tried],
) -> Text {
    let mut text = base.clone();
    for one in tried.iter_mut() {
        let Ok(proposal) = &one.result else { continue };
        match apply_one(context, round, &text, (&one.task, proposal)) {
            Ok(after) => text = after,
            Err(unscored) => one.roll_back(no_longer_fits(unscored)),
        }
    }
    text
}

/// Rebuilds the text from before a round without the repairs of these components. Also returns
/// repairs that do not fit without them.
pub(super) fn rebuild(
    context: &Context,
    round: u32,
    before: &Text,
    (kept, without): (&[Kept], &BTreeSet<ComponentId>),
) -> (Text, BTreeMap<ComponentId, RollbackReason>) {
    let mut text = before.clone();
    let mut lost = BTreeMap::new();
    for one in kept.iter().filter(|one| !without.contains(&one.component)) {
        match apply_one(context, round, &text, (&one.task, &one.proposal)) {
            Ok(after) => text = after,
            Err(unscored) => {
                lost.insert(one.component.clone(), no_longer_fits(unscored));
            }
        }
    }
    (text, lost)
}

fn no_longer_fits(unscored: Unscored) -> RollbackReason {
    RollbackReason::NoLongerFits {
        problem: unscored.message,
    }
}

/// Scrubs generated text before it is verified: applies the safe fixes within the component until
/// none is left.
fn scrub_within(
    mut text: Text,
    inspector: &dyn redraft_gate::inspect::Inspect,
    component: &ComponentId,
    label: &str,
) -> Text {
    const ROUNDS: usize = 3;
    for _ in 0..ROUNDS {
        let edits = text.safe_edits_within(component);
        if edits.is_empty() {
            break;
        }
        match text.edited(inspector, edits, label, Some(component)) {
            Some(after) => text = after,
            None => break,
        }
    }
    text
}
