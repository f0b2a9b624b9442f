//! The prompt for the arbiter, who puts the merged instructions of repairs into words. It
//! sees the issues and constraints of each component, not the text.

use redraft_run::prompt::{Prompt, PromptError};
use redraft_run::request::PromptRequest;
use redraft_run::route::RepairTask;
use serde::Serialize;

use super::repairing::{Demands, System, demands};
use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{complaint, feedback_language};

/// Characters of a title.
const TITLE: usize = 120;

pub(super) fn phrase(
    wording: &Wording,
    request: &PromptRequest<'_>,
    tasks: &[&RepairTask],
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct Phrase {
        part: &'static str,
        parts: Vec<PartView>,
        feedback: Option<String>,
        complaint: Option<Untrusted>,
    }
    #[derive(Serialize)]
    struct PartView {
        id: Untrusted,
        title: Option<Untrusted>,
        demands: Demands,
    }
    let parts = tasks.iter().map(|task| PartView {
        id: Untrusted::name(&task.section_id.0),
        title: Some(task.section_title.trim())
            .filter(|title| !title.is_empty())
            .map(|title| Untrusted::line(title, TITLE)),
        demands: demands(task),
    });
    let user = Phrase {
        part: "user",
        parts: parts.collect(),
        feedback: feedback_language(request),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &System::new(), &user)
}
