//! Prompts: a profile's templates, filled with what they may speak of.
//!
//! `data` makes foreign text harmless, `parts` shows a document with the names of
//! its parts, `beside` shows what came with it; `reading` gathers what those are
//! told who read the whole text, `repairing` what those are told who repair one
//! part of it, `writing` what those are told who write it, `templates` fills the templates. What a prompt says stands in the
//! `prompts` folders of the profiles and of `shared`, nowhere in code.

mod beside;
mod data;
mod parts;
mod reading;
mod repairing;
mod templates;
mod writing;

use redraft_core::prompt::{Prompt, PromptError, PromptRequest, Task};

pub(crate) use parts::{Around, Outside};
pub(crate) use templates::Wording;

/// Puts a task into words.
///
/// # Errors
/// When a template cannot be read or filled, or a task names a part that the text
/// does not have.
pub(crate) fn render(
    wording: &Wording,
    request: &PromptRequest<'_>,
) -> Result<Prompt, PromptError> {
    match request.task {
        Task::SelfReview => reading::self_review(wording, request),
        Task::Judge { flagged } => reading::judge(wording, request, flagged),
        Task::Patch {
            task,
            terms,
            undone,
            whole,
        } => {
            let order = repairing::Order {
                task,
                terms,
                undone,
            };
            repairing::patch(wording, request, order, whole)
        }
        Task::Expand {
            task,
            terms,
            undone,
        } => {
            let order = repairing::Order {
                task,
                terms,
                undone,
            };
            repairing::expand(wording, request, order)
        }
        Task::Verify {
            task,
            changes,
            question,
        } => repairing::verify(wording, request, (task, changes), question),
        Task::Consistency { rewritten, next } => {
            repairing::consistency(wording, request, rewritten, next)
        }
        Task::Plan { complaints } => writing::plan(wording, request, complaints),
        Task::WritePart {
            plan,
            part,
            complaints,
        } => writing::part(wording, request, (plan, part), complaints),
        Task::Smooth { joins } => writing::smooth(wording, request, joins),
        Task::Author { complaints } => writing::author(wording, request, complaints),
    }
}

/// What was wrong with the form of the last answer.
fn complaint(request: &PromptRequest<'_>) -> Option<data::Data> {
    const LINE: usize = 400;
    request
        .complaint
        .map(|complaint| data::Data::line(complaint, LINE))
}

/// The language that remarks are written in.
fn feedback_language(request: &PromptRequest<'_>) -> Option<String> {
    request
        .feedback_language
        .as_ref()
        .or_else(|| request.document.language())
        .map(ToString::to_string)
}
