//! Escalating a text to a reviewer, and what they decide.

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

/// How often a reviewer may want what cannot be done before the text is left to
/// them as it is.
pub(super) const MOST_REFUSALS: usize = 5;

/// What a reviewer is shown before they decide.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewCase {
    /// Why the text was not accepted.
    pub because: Because,
    /// The text as it came in.
    pub original: Arc<str>,
    /// The text in question: the best version so far.
    pub content: Arc<str>,
    pub needed: Needed,
    pub assessment: Option<Assessment>,
    pub verdicts: Vec<Verdict>,
    /// The open issues.
    pub issues: Vec<Issue>,
    /// The open errors of the free checks.
    pub errors: Vec<OpenFinding>,
    /// What was spent so far, by role.
    pub spent: BTreeMap<Role, Spent>,
    /// Why not even a reviewer can accept it.
    pub cannot_accept: Option<Refusal>,
    /// Why it cannot be edited or tried again.
    pub cannot_change: Option<Refusal>,
}

/// What a reviewer wants.
pub(super) enum ReviewerChoice {
    /// To publish it.
    Accept { by: String },
    /// To leave it as it is: rejected, or nobody could be asked.
    Leave { by: Option<String> },
    /// To go on with this text instead.
    Edit { by: String, content: String },
    /// Another try with this instruction.
    Retry(String),
}

/// Asks a reviewer what is to become of a text.
pub(super) async fn ask(
    context: &Context,
    judgements: &Judgements,
    text: &Text,
    because: &Because,
) -> ReviewerChoice {
    // Whoever stopped the run has decided already.
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
            tell(context, "undecided", Some(&by), None);
            ReviewerChoice::Leave { by: None }
        }
        // What is decided about components never gets here.
        Decision::Absent
        | Decision::Lock { .. }
        | Decision::Unlock { .. }
        | Decision::Skip { .. } => {
            tell(context, "absent", None, None);
            ReviewerChoice::Leave { by: None }
        }
        Decision::Reject { by } | Decision::Stop { by } => {
            tell(context, "reject", Some(&by), None);
            ReviewerChoice::Leave { by: Some(by) }
        }
        // Not even a reviewer can accept what no judge has scored, or what is
        // certainly wrong.
        Decision::Accept { by } => {
            tell(context, "accept", Some(&by), refused);
            match refused {
                None => ReviewerChoice::Accept { by },
                Some(_) => ReviewerChoice::Leave { by: Some(by) },
            }
        }
        Decision::Edit { by, content } => {
            tell(context, "edit", Some(&by), None);
            ReviewerChoice::Edit { by, content }
        }
        Decision::Retry { by, instruction } => {
            tell(context, "retry", Some(&by), None);
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

/// Says that a decision cannot be followed.
pub(super) fn refuse(context: &Context, reason: Refusal) {
    tell(context, "refused", None, Some(reason));
}

fn tell(context: &Context, decision: &'static str, by: Option<&String>, refused: Option<Refusal>) {
    context.emit(EventKind::HumanDecision {
        decision,
        by: by.cloned(),
        section: None,
        refused,
    });
}
