//! The prompt for the solver: an item as a candidate sees it, its options in a given order
//! and without anything that tells which of them is right.

use redraft_run::prompt::{Prompt, PromptError};
use redraft_run::request::PromptRequest;
use redraft_run::solve::{BlindQuestion, letter};
use serde::Serialize;

use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{complaint, feedback_language};

#[derive(Serialize)]
struct User {
    part: &'static str,
    case: Untrusted,
    stem: Untrusted,
    options: Vec<OptionView>,
    /// The letter of the last option.
    last: String,
    feedback: Option<String>,
    complaint: Option<Untrusted>,
}

#[derive(Serialize)]
struct OptionView {
    letter: String,
    text: Untrusted,
}

/// The most characters of an option, which takes one line.
pub(crate) const LONGEST_OPTION: usize = 1_000;

pub(super) fn solve(
    wording: &Wording,
    request: &PromptRequest<'_>,
    question: &BlindQuestion,
    order: &[usize],
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct System {
        part: &'static str,
    }
    let options = order
        .iter()
        .filter_map(|index| question.options.get(*index))
        .enumerate()
        .map(|(at, option)| OptionView {
            letter: letter(at),
            text: Untrusted::line(&option.text, LONGEST_OPTION),
        });
    let user = User {
        part: "user",
        case: Untrusted::new(question.case.trim()),
        stem: Untrusted::new(question.stem.trim()),
        options: options.collect(),
        last: letter(order.len().saturating_sub(1)),
        feedback: feedback_language(request),
        complaint: complaint(request),
    };
    let system = wording.first_half(&request.task, None, || System { part: "system" })?;
    Ok(Prompt {
        system: system.as_str().to_owned(),
        user: wording.second_half(&request.task, &user)?,
    })
}
