//! Escalating a text to a reviewer, and what they decide.

use super::context::Context;
use super::decision::Decision;
use super::judgements::Judgements;
use super::text::Text;
use crate::event::EventKind;
use crate::reasons::{Because, Refusal};

/// How often a reviewer may want what cannot be done before the text is left to
/// them as it is.
pub(super) const MOST_REFUSALS: usize = 5;

/// What a reviewer wants.
pub(super) enum Wish {
    /// To publish it.
    Accept { by: String },
    /// To leave it as it is: rejected, or nobody could be asked.
    Leave { by: Option<String> },
    /// To go on with this text instead.
    Edit(String),
    /// Another try with this instruction.
    Retry(String),
}

/// Asks a reviewer what is to become of a text.
pub(super) async fn ask(
    context: &Context,
    judgements: &Judgements,
    text: &Text,
    because: &Because,
) -> Wish {
    context.emit(EventKind::EscalationTriggered {
        reason: because.clone(),
    });
    let content = text.document().source().shared_text();
    match context.mailbox.person(because, content).await {
        Decision::Absent => {
            tell(context, "absent", None, None);
            Wish::Leave { by: None }
        }
        Decision::Reject { by } | Decision::Stop { by } => {
            tell(context, "reject", Some(&by), None);
            Wish::Leave { by: Some(by) }
        }
        // Not even a reviewer can accept what no judge has scored, or what is
        // certainly wrong.
        Decision::Accept { by } => {
            let refused = if judgements.assessment(text).is_none() {
                Some(Refusal::NotScored)
            } else if text.open_errors() > 0 {
                Some(Refusal::OpenError)
            } else {
                None
            };
            tell(context, "accept", Some(&by), refused);
            match refused {
                None => Wish::Accept { by },
                Some(_) => Wish::Leave { by: Some(by) },
            }
        }
        Decision::Edit { by, content } => {
            tell(context, "edit", Some(&by), None);
            Wish::Edit(content)
        }
        Decision::Retry { by, instruction } => {
            tell(context, "retry", Some(&by), None);
            Wish::Retry(instruction)
        }
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
        refused,
    });
}
