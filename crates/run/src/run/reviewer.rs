//! Escalates a text to a reviewer, and carries out their decision.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::context::Context;
use super::decision::Decision;
use super::judgements::Judgements;
use super::text::Text;
use crate::ask::Role;
use crate::assess::Assessment;
use crate::event::EventKind;
use crate::ledger::Spent;
use crate::outcome::{Needed, OpenFinding};
use crate::reasons::{Because, Refusal};
use crate::setup::Goal;
use crate::verdict::{Issue, Reason, Unscored, Verdict};
use redraft_gate::finding::Severity;

/// How often a reviewer may ask for something impossible before the text is left as it is.
pub(super) const MOST_REFUSALS: usize = 5;

/// What a reviewer sees before deciding.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewCase {
    pub because: Because,
    pub original: Arc<str>,
    /// The best version so far, which is to be decided on.
    pub content: Arc<str>,
    pub needed: Needed,
    pub assessment: Option<Assessment>,
    pub verdicts: Vec<Verdict>,
    pub issues: Vec<Issue>,
    pub errors: Vec<OpenFinding>,
    pub spent: BTreeMap<Role, Spent>,
    /// Why not even a reviewer can accept it.
    pub cannot_accept: Option<Refusal>,
    /// Why it cannot be edited or retried.
    pub cannot_change: Option<Refusal>,
}

pub(super) enum ReviewerChoice {
    /// Publish the text.
    Accept { by: String },
    /// Leave it as it is: it was rejected, or no reviewer is available.
    Leave { by: Option<String> },
    /// Continue with this text instead.
    Edit { by: String, content: String },
    /// Make another attempt with this instruction.
    Retry(String),
}

/// Asks a reviewer to decide on a text.
pub(super) async fn ask(
    context: &Context,
    judgements: &Judgements,
    text: &Text,
    because: &Because,
) -> ReviewerChoice {
    // Stopping the run was already a decision.
    let is_stopped = |why: &Unscored| why.reason == Reason::Stopped;
    if context
        .mailbox
        .lock()
        .stopped
        .as_ref()
        .is_some_and(is_stopped)
    {
        return ReviewerChoice::Leave { by: None };
    }
    context.emit(EventKind::EscalationTriggered {
        reason: because.clone(),
    });
    let case = case(context, judgements, text, because);
    let refused = case.cannot_accept;
    match context.mailbox.person(case).await {
        Decision::Undecided { by } => {
            emit_decision(context, "undecided", Some(&by), None);
            ReviewerChoice::Leave { by: None }
        }
        // Decisions about components are handled before this point.
        Decision::Absent
        | Decision::Lock { .. }
        | Decision::Unlock { .. }
        | Decision::Skip { .. } => {
            emit_decision(context, "absent", None, None);
            ReviewerChoice::Leave { by: None }
        }
        Decision::Reject { by } | Decision::Stop { by } => {
            emit_decision(context, "reject", Some(&by), None);
            ReviewerChoice::Leave { by: Some(by) }
        }
        // Not even a reviewer can accept a text that no judge has scored or that has a certain
        // error.
        Decision::Accept { by } => {
            emit_decision(context, "accept", Some(&by), refused);
            match refused {
                None => ReviewerChoice::Accept { by },
                Some(_) => ReviewerChoice::Leave { by: Some(by) },
            }
        }
        Decision::Edit { by, content } => {
            emit_decision(context, "edit", Some(&by), None);
            ReviewerChoice::Edit { by, content }
        }
        Decision::Retry { by, instruction } => {
            emit_decision(context, "retry", Some(&by), None);
            ReviewerChoice::Retry(instruction)
        }
    }
}

fn case(context: &Context, judgements: &Judgements, text: &Text, because: &Because) -> ReviewCase {
    let setup = &context.setup;
    let assessment = judgements.assessment(text);
    let cannot_accept = if assessment.is_none() {
        Some(Refusal::NotScored)
    } else if text.open_errors() > 0 {
        Some(Refusal::OpenError)
    } else {
        None
    };
    let panel = judgements.panel(text.version());
    let errors = text.findings().iter();
    ReviewCase {
        because: because.clone(),
        original: setup.inspected.document.source().shared_text(),
        content: text.document().source().shared_text(),
        needed: setup.needed(),
        assessment,
        verdicts: panel
            .map(|panel| panel.verdicts().cloned().collect())
            .unwrap_or_default(),
        issues: judgements.issues(text),
        errors: errors
            .filter(|finding| finding.severity == Severity::Error)
            .map(OpenFinding::of)
            .collect(),
        spent: context.mailbox.lock().ledger.spent().clone(),
        cannot_accept,
        cannot_change: (setup.goal == Goal::Judge).then_some(Refusal::JudgingOnly),
    }
}

/// Reports that a decision cannot be followed.
pub(super) fn refuse(context: &Context, reason: Refusal) {
    emit_decision(context, "refused", None, Some(reason));
}

fn emit_decision(
    context: &Context,
    decision: &'static str,
    by: Option<&String>,
    refused: Option<Refusal>,
) {
    context.emit(EventKind::HumanDecision {
        decision,
        by: by.cloned(),
        section: None,
        refused,
    });
}
