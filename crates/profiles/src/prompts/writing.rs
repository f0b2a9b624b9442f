//! Prompts for those who write a text: the planner, the expander of one component, the
//! smoother of the joins, the author of cards and items. They see what was ordered
//! and what came with it; of an earlier version only what was wrong with it.

use redraft_gate::companion::SectionSpecification;
use redraft_gate::companion::Specification;
use redraft_run::fit::TokenLimits;
use redraft_run::prompt::{Fitted, Prompt, PromptError, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::write::{Join, JoinSide, Plan, PlannedSection, SectionKind};
use serde::Serialize;

use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{companion_view, complaint, fitting, language_name, target_language};

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

/// What the user half may speak of. Everything foreign is [`Untrusted`].
#[derive(Debug, Serialize)]
struct Writing {
    part: &'static str,
    language: Option<String>,
    specification: Vec<Untrusted>,
    scheme: Vec<Untrusted>,
    outcomes: Vec<Untrusted>,
    outcomes_left_out: usize,
    sources: Vec<Untrusted>,
    sources_left_out: usize,
    complaints: Vec<Untrusted>,
    complaint: Option<Untrusted>,
}

fn writing(request: &PromptRequest<'_>, complaints: &[String]) -> Writing {
    let (document, companions) = (request.document, request.companions);
    let entry = companion_view::scheme_entry(document, &companions.scheme_of_work);
    let outcomes = companion_view::outcomes(document, entry, &companions.outcomes);
    Writing {
        part: "user",
        language: target_language(request).map(language_name),
        specification: companions
            .specification
            .as_ref()
            .map(companion_view::specification)
            .unwrap_or_default(),
        scheme: entry
            .map(companion_view::scheme_with_cards)
            .unwrap_or_default(),
        outcomes: outcomes.lines,
        outcomes_left_out: outcomes.left_out,
        sources: Vec::new(),
        sources_left_out: 0,
        complaints: remarks(complaints),
        complaint: complaint(request),
    }
}

fn remarks(complaints: &[String]) -> Vec<Untrusted> {
    const MOST: usize = 12;
    complaints
        .iter()
        .filter(|line| !line.trim().is_empty())
        .take(MOST)
        .map(|line| Untrusted::line(line, REMARK))
        .collect()
}

/// The words to a planner or an author: what was ordered, and as much of the sources
/// as fits.
pub(super) fn from_order(
    wording: &Wording,
    request: &PromptRequest<'_>,
    complaints: &[String],
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    let companions = request.companions;
    let ordered = ordered(companions.specification.as_ref());
    let parts: Vec<&str> = ordered.iter().map(String::as_str).collect();
    let language = companions
        .expected_language()
        .or_else(|| request.document.language());
    let sources = |limit| companion_view::sources(companions, &parts, language, limit);
    let mut user = writing(request, complaints);
    let mut fill = |shown: &companion_view::Sources| {
        user.sources.clone_from(&shown.lines);
        user.sources_left_out = shown.left_out();
        wording.fill(&request.task, &SYSTEM, &user)
    };
    let most = limits.for_sources(estimated_tokens(request.document.source().text()));
    let shown = sources(most);
    let prompt = fill(&shown)?;
    let Some(limit) = fitting::lacking(&prompt, limits) else {
        let cuts = shown.cut.into_iter().collect();
        return Ok(Fitted { prompt, cuts });
    };
    if shown.lines.is_empty() {
        return Err(fitting::too_long(&prompt, limit));
    }
    let heading = companion_view::Sources {
        lines: vec![Untrusted::new("")],
        cut: None,
    };
    let around = fill(&heading)?;
    if fitting::lacking(&around, limits).is_some() {
        return Err(fitting::too_long(&around, limit));
    }
    fitting::until_it_fits(limit, around.tokens(), |data| {
        let shown = sources(most.min(data));
        Ok(Fitted {
            prompt: fill(&shown)?,
            cuts: shown.cut.into_iter().collect(),
        })
    })
}

/// The components that were ordered, by which sources are chosen.
fn ordered(specification: Option<&Specification>) -> Vec<String> {
    let Some(specification) = specification else {
        return Vec::new();
    };
    let sections = specification.sections.iter().map(|section| {
        let points = section.key_points.iter().chain(&section.required_keywords);
        let words = std::iter::once(&section.title).chain(points);
        words.cloned().collect::<Vec<_>>().join("\n")
    });
    let objectives = specification.objectives.iter();
    let objectives = objectives.map(|objective| objective.objective.clone());
    let about = [&specification.title, &specification.topic];
    let about = about.into_iter().flatten().cloned();
    sections.chain(objectives).chain(about).collect()
}

pub(super) fn section(
    wording: &Wording,
    request: &PromptRequest<'_>,
    (plan, at): (&Plan, usize),
    complaints: &[String],
) -> Result<Prompt, PromptError> {
    #[derive(Serialize)]
    struct User {
        part: &'static str,
        language: Option<String>,
        about: Vec<Untrusted>,
        outline: Vec<Untrusted>,
        plan: Vec<Untrusted>,
        kind: SectionKind,
        words: usize,
        sources: Vec<Untrusted>,
        complaints: Vec<Untrusted>,
        complaint: Option<Untrusted>,
    }
    let planned = plan
        .sections
        .get(at)
        .ok_or_else(|| PromptError(format!("the plan has no part {}", at + 1)))?;
    let specification = request.companions.specification.as_ref();
    let specified = specification.and_then(|all| all.sections.get(plan.specified(at)?));
    let user = User {
        part: "user",
        language: target_language(request).map(language_name),
        about: companion_view::about_writing(&plan.title, specification),
        outline: plan
            .sections
            .iter()
            .enumerate()
            .map(|(index, section)| {
                let mark = if index == at { "→ " } else { "" };
                Untrusted::line(&format!("{mark}{}", in_outline(section)), REMARK)
            })
            .collect(),
        plan: companion_view::planned_section(specification, specified, planned),
        kind: planned.kind,
        words: planned.words,
        sources: companion_view::sources_with_ids(
            request.companions,
            &about(planned, specified),
            target_language(request),
        ),
        complaints: remarks(complaints),
        complaint: complaint(request),
    };
    wording.fill(&request.task, &SYSTEM, &user)
}

/// A component in a line: its title, and what it is there for.
fn in_outline(section: &PlannedSection) -> String {
    let title = match section.kind {
        SectionKind::Introduction => "(introduction)",
        SectionKind::Section | SectionKind::Conclusion => section.title.as_str(),
    };
    match section.purpose.trim() {
        "" => title.to_owned(),
        purpose => format!("{title}: {purpose}"),
    }
}

/// The words by which sources are chosen.
fn about(planned: &PlannedSection, specified: Option<&SectionSpecification>) -> String {
    let mut words = vec![planned.title.as_str(), planned.purpose.as_str()];
    words.extend(planned.key_points.iter().map(String::as_str));
    if let Some(specified) = specified {
        words.push(&specified.title);
        words.extend(specified.key_points.iter().map(String::as_str));
        words.extend(specified.required_keywords.iter().map(String::as_str));
    }
    words.join("\n")
}

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
        complaint: Option<Untrusted>,
    }
    #[derive(Serialize)]
    struct JoinView {
        end: Option<Untrusted>,
        start: Option<Untrusted>,
    }
    let shown = |side: &Option<JoinSide>| {
        // A side that is cut could not be searched for; a sentence that long is
        // left alone.
        side.as_ref()
            .filter(|side| side.text.chars().count() <= SIDE)
            .map(|side| Untrusted::new(&side.text))
    };
    let user = User {
        part: "user",
        language: target_language(request).map(language_name),
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
