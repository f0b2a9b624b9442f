//! What those are told who read the whole text: the self-reviewer and the judges.
//! Neither learns what has to be reached, what was scored before, or what another
//! judge said.

use redraft_core::prompt::{Prompt, PromptError, PromptRequest};
use redraft_core::review::Issue;
use redraft_core::rubric::{Rubric, Score};
use serde::Serialize;

use super::data::Data;
use super::parts::{self, Entry, Piece};
use super::templates::Wording;
use super::{beside, complaint, feedback_language};

/// The words to a self-reviewer.
pub(super) fn self_review(
    wording: &Wording,
    request: &PromptRequest<'_>,
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct System {
        part: &'static str,
    }
    let user = user(wording, request, &[]);
    wording.fill(&request.task, &System { part: "system" }, &user)
}

/// The words to a judge.
pub(super) fn judge(
    wording: &Wording,
    request: &PromptRequest<'_>,
    flagged: &[Issue],
) -> Result<Prompt, PromptError> {
    let system = System {
        part: "system",
        criteria: criteria(request.rubric),
    };
    let user = user(wording, request, flagged);
    wording.fill(&request.task, &system, &user)
}

/// What the first half of the template may speak of: nothing of the document, so
/// that it is the same for all documents and can be kept by the model's cache.
#[derive(Debug, Serialize)]
struct System<'a> {
    part: &'static str,
    criteria: Vec<CriterionView<'a>>,
}

/// A criterion without its weight and without what it must reach: neither is a
/// judge's business.
#[derive(Debug, Serialize)]
struct CriterionView<'a> {
    name: &'a str,
    description: &'a str,
    not_about: &'a str,
    evidence: &'a str,
    anchors: Vec<AnchorView<'a>>,
}

#[derive(Debug, Serialize)]
struct AnchorView<'a> {
    at: String,
    means: &'a str,
}

fn criteria(rubric: &Rubric) -> Vec<CriterionView<'_>> {
    rubric
        .criteria
        .iter()
        .map(|criterion| CriterionView {
            name: &criterion.name,
            description: &criterion.description,
            not_about: without_stop(&criterion.not_about),
            evidence: without_stop(&criterion.evidence),
            anchors: criterion
                .anchors
                .iter()
                .map(|anchor| AnchorView {
                    at: printed(anchor.at),
                    means: &anchor.means,
                })
                .collect(),
        })
        .collect()
}

/// The template sets the full stop.
fn without_stop(text: &str) -> &str {
    text.trim_end_matches('.')
}

/// With two decimals, as judges answer, or three where it needs them.
fn printed(score: Score) -> String {
    let written = score.to_string();
    match written.strip_suffix('0') {
        Some(two) => two.to_owned(),
        None => written,
    }
}

/// What the second half may speak of. Everything foreign is [`Data`].
#[derive(Debug, Serialize)]
struct User {
    part: &'static str,
    text_id: String,
    language: Option<String>,
    target_language: Option<String>,
    feedback: Option<String>,
    contents: Vec<Entry>,
    pieces: Vec<Piece>,
    specification: Vec<Data>,
    scheme: Vec<Data>,
    outcomes: Vec<Data>,
    outcomes_left_out: usize,
    sources: Vec<Data>,
    sources_left_out: usize,
    flagged: Vec<Flag>,
    flags_left_out: usize,
    complaint: Option<Data>,
}

#[derive(Debug, Serialize)]
struct Flag {
    location: Data,
    description: Data,
}

fn user(wording: &Wording, request: &PromptRequest<'_>, flagged: &[Issue]) -> User {
    /// More remarks than this drown the judge's own reading.
    const FLAGS: usize = 30;
    const LINE: usize = 400;
    let document = request.document;
    let companions = request.companions;
    let entry = beside::scheme_entry(document, &companions.scheme_of_work);
    let outcomes = beside::outcomes(document, entry, &companions.outcomes);
    let sources = beside::sources(companions);
    User {
        part: "user",
        text_id: document.source().version().to_string(),
        language: document.language().map(ToString::to_string),
        target_language: companions
            .expected_language()
            .or_else(|| document.language())
            .map(ToString::to_string),
        feedback: feedback_language(request),
        contents: parts::contents(document),
        pieces: parts::pieces(document, wording.outside),
        specification: companions
            .specification
            .as_ref()
            .map(beside::specification)
            .unwrap_or_default(),
        scheme: entry.map(beside::scheme).unwrap_or_default(),
        outcomes: outcomes.lines,
        outcomes_left_out: outcomes.left_out,
        sources: sources.lines,
        sources_left_out: sources.left_out,
        flagged: flagged
            .iter()
            .take(FLAGS)
            .map(|issue| Flag {
                location: Data::name(&issue.location),
                description: Data::line(&issue.description, LINE),
            })
            .collect(),
        flags_left_out: flagged.len().saturating_sub(FLAGS),
        complaint: complaint(request),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_printed_with_two_decimals_or_as_many_as_they_have() {
        for (at, expected) in [("1", "1.00"), ("0.9", "0.90"), ("0.875", "0.875")] {
            assert_eq!(Score::parse(at).map(printed).as_deref(), Some(expected));
        }
    }
}
