//! What those are told who write a text: the planner, the expander of one part, the
//! smoother of the joins, the author of cards and items. They see what was ordered
//! and what came with it; of an earlier version only what was wrong with it.

use redraft_core::companion::SectionSpecification;
use redraft_core::prompt::{Prompt, PromptError, PromptRequest};
use redraft_core::write::{Join, JoinSide, PartKind, Plan, PlannedPart};
use serde::Serialize;

use super::data::Data;
use super::templates::Wording;
use super::{beside, complaint};

/// Characters of a line about an earlier version, of a purpose or a key point.
const REMARK: usize = 400;
/// Characters of one side of a join.
const SIDE: usize = 1_200;

/// The system half speaks of nothing but the form of the answer.
#[derive(Debug, Serialize)]
struct System {
    part: &'static str,
}

const SYSTEM: System = System { part: "system" };

/// What the user half may speak of. Everything foreign is [`Data`].
#[derive(Debug, Serialize)]
struct Writing {
    part: &'static str,
    language: Option<String>,
    specification: Vec<Data>,
    scheme: Vec<Data>,
    outcomes: Vec<Data>,
    outcomes_left_out: usize,
    sources: Vec<Data>,
    sources_left_out: usize,
    complaints: Vec<Data>,
    complaint: Option<Data>,
}

fn writing(request: &PromptRequest<'_>, complaints: &[String]) -> Writing {
    let (document, companions) = (request.document, request.companions);
    let entry = beside::scheme_entry(document, &companions.scheme_of_work);
    let outcomes = beside::outcomes(document, entry, &companions.outcomes);
    let sources = beside::sources(companions);
    Writing {
        part: "user",
        language: language(request),
        specification: companions
            .specification
            .as_ref()
            .map(beside::specification)
            .unwrap_or_default(),
        scheme: entry.map(beside::scheme_with_cards).unwrap_or_default(),
        outcomes: outcomes.lines,
        outcomes_left_out: outcomes.left_out,
        sources: sources.lines,
        sources_left_out: sources.left_out,
        complaints: remarks(complaints),
        complaint: complaint(request),
    }
}

/// The language it is to be in.
fn language(request: &PromptRequest<'_>) -> Option<String> {
    request
        .companions
        .expected_language()
        .or_else(|| request.document.language())
        .map(ToString::to_string)
}

fn remarks(complaints: &[String]) -> Vec<Data> {
    const MOST: usize = 12;
    complaints
        .iter()
        .filter(|line| !line.trim().is_empty())
        .take(MOST)
        .map(|line| Data::line(line, REMARK))
        .collect()
}

/// The words to a planner.
pub(super) fn plan(
    wording: &Wording,
    request: &PromptRequest<'_>,
    complaints: &[String],
) -> Result<Prompt, PromptError> {
    wording.fill(&request.task, &SYSTEM, &writing(request, complaints))
}

/// The words to an author.
pub(super) fn author(
    wording: &Wording,
    request: &PromptRequest<'_>,
    complaints: &[String],
) -> Result<Prompt, PromptError> {
    wording.fill(&request.task, &SYSTEM, &writing(request, complaints))
}

/// The words to an expander.
pub(super) fn part(
    wording: &Wording,
    request: &PromptRequest<'_>,
    (plan, at): (&Plan, usize),
    complaints: &[String],
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct User {
        part: &'static str,
        language: Option<String>,
        about: Vec<Data>,
        outline: Vec<Data>,
        plan: Vec<Data>,
        kind: PartKind,
        words: usize,
        sources: Vec<Data>,
        complaints: Vec<Data>,
        complaint: Option<Data>,
    }
    let planned = plan
        .parts
        .get(at)
        .ok_or_else(|| PromptError(format!("the plan has no part {}", at + 1)))?;
    let specification = request.companions.specification.as_ref();
    let specified = specification.and_then(|all| all.sections.get(plan.specified(at)?));
    let user = User {
        part: "user",
        language: language(request),
        about: beside::about_writing(&plan.title, specification),
        outline: plan
            .parts
            .iter()
            .enumerate()
            .map(|(index, part)| {
                let mark = if index == at { "→ " } else { "" };
                Data::line(&format!("{mark}{}", in_outline(part)), REMARK)
            })
            .collect(),
        plan: beside::part_plan(specification, specified, planned),
        kind: planned.kind,
        words: planned.words,
        sources: beside::sources_with_ids(request.companions, &about(planned, specified)),
        complaints: remarks(complaints),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &SYSTEM, &user)
}

/// A part in a line: its title, and what it is there for.
fn in_outline(part: &PlannedPart) -> String {
    let title = match part.kind {
        PartKind::Introduction => "(introduction)",
        PartKind::Section | PartKind::Conclusion => part.title.as_str(),
    };
    match part.purpose.trim() {
        "" => title.to_owned(),
        purpose => format!("{title}: {purpose}"),
    }
}

/// The words by which sources are chosen.
fn about(planned: &PlannedPart, specified: Option<&SectionSpecification>) -> String {
    let mut words = vec![planned.title.as_str(), planned.purpose.as_str()];
    words.extend(planned.key_points.iter().map(String::as_str));
    if let Some(specified) = specified {
        words.push(&specified.title);
        words.extend(specified.key_points.iter().map(String::as_str));
        words.extend(specified.required_keywords.iter().map(String::as_str));
    }
    words.join("\n")
}

/// The words to a smoother.
pub(super) fn smooth(
    wording: &Wording,
    request: &PromptRequest<'_>,
    joins: &[Join],
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct User {
        part: &'static str,
        language: Option<String>,
        joins: Vec<JoinView>,
        complaint: Option<Data>,
    }
    #[derive(Serialize)]
    struct JoinView {
        end: Option<Data>,
        start: Option<Data>,
    }
    let shown = |side: &Option<JoinSide>| {
        // A side that is cut could not be searched for; a sentence that long is
        // left alone.
        side.as_ref()
            .filter(|side| side.text.chars().count() <= SIDE)
            .map(|side| Data::new(&side.text))
    };
    let user = User {
        part: "user",
        language: language(request),
        joins: joins
            .iter()
            .map(|join| JoinView {
                end: shown(&join.end),
                start: shown(&join.start),
            })
            .collect(),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &SYSTEM, &user)
}
