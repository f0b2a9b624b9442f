//! Prompts: a profile's templates, filled with what they may speak of. What a prompt
//! says is in the `prompts` folders of the profiles and of `shared`, nowhere in code.
//!
//! | module | what it does |
//! |---|---|
//! | `untrusted` | escapes foreign text |
//! | `document_view` | shows a document with the names of its components |
//! | `companion_view` | shows what came with it |
//! | `reading` | prompts for those who read the whole text |
//! | `solving` | the prompt for the solver |
//! | `repairing` | prompts for those who repair one component |
//! | `phrasing` | the prompt for the arbiter |
//! | `verifying` | prompts for those who look at a repair |
//! | `writing` | prompts for those who write |
//! | `fitting` | keeps prompts within the context window |
//! | `language_name` | says which language is meant |
//! | `templates` | fills the templates |

mod companion_view;
mod document_view;
mod fitting;
mod language_name;
mod phrasing;
mod reading;
mod repairing;
mod solving;
mod templates;
mod untrusted;
mod verifying;
mod writing;

pub use language_name::known_tags;

use redraft_run::fit::TokenLimits;
use redraft_run::prompt::{Fitted, Unfit};
use redraft_run::request::{PromptRequest, Task};
use redraft_text::language::Language;

pub(crate) use document_view::{Around, Outside};
use language_name::language_name;
pub(crate) use solving::LONGEST_OPTION;
pub(crate) use templates::Wording;
pub(crate) use untrusted::{one_line, tags_of_ours};

/// Puts a task into words that fit.
///
/// # Errors
/// When a template cannot be read or filled, a task names a component that the text
/// does not have, or what must be there does not fit.
pub(crate) fn render_within(
    wording: &Wording,
    request: &PromptRequest<'_>,
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    match request.task {
        Task::SelfReview => reading::self_review(wording, request, limits),
        Task::Judge { flagged } => reading::judge(wording, request, flagged, limits),
        Task::Solve { question, order } => {
            fitting::whole(solving::solve(wording, request, question, order)?, limits)
        }
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
            repairing::patch(wording, request, (order, whole), limits)
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
            repairing::expand(wording, request, order, limits)
        }
        Task::Verify {
            task,
            changes,
            question,
        } => fitting::whole(
            verifying::verify(wording, request, (task, changes), question)?,
            limits,
        ),
        Task::Consistency { rewritten, next } => fitting::whole(
            verifying::consistency(wording, request, rewritten, next)?,
            limits,
        ),
        Task::Phrase { tasks } => {
            fitting::whole(phrasing::phrase(wording, request, tasks)?, limits)
        }
        Task::Plan { complaints } | Task::Author { complaints } => {
            writing::from_order(wording, request, complaints, limits)
        }
        Task::WriteSection {
            plan,
            section,
            complaints,
        } => fitting::whole(
            writing::section(wording, request, (plan, section), complaints)?,
            limits,
        ),
        Task::Smooth { joins } => fitting::whole(writing::smooth(wording, request, joins)?, limits),
    }
}

/// What was wrong with the form of the last answer.
fn complaint(request: &PromptRequest<'_>) -> Option<untrusted::Untrusted> {
    const LINE: usize = 400;
    request
        .complaint
        .map(|complaint| untrusted::Untrusted::line(complaint, LINE))
}

/// The language that a text is to be in.
fn target_language<'a>(request: &PromptRequest<'a>) -> Option<&'a Language> {
    request
        .companions
        .expected_language()
        .or_else(|| request.document.language())
}

/// The language that remarks are written in.
fn feedback_language(request: &PromptRequest<'_>) -> Option<String> {
    request
        .feedback_language
        .as_ref()
        .or_else(|| request.document.language())
        .map(language_name)
}
