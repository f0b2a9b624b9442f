//! Prompts for those who repair one component of a text.
//!
//! They see the component, the sentences around it and what is wrong with it, not the
//! rest of the text: a repair has to cost far less than writing the text again
//! (seed 003 §13). A component that is written again from the key points of a
//! specification is not shown in its old form. The component itself must fit; of what
//! surrounds it and of the sources as much is shown as fits.

use std::collections::HashSet;

use redraft_gate::companion::{SectionSpecification, Specification};
use redraft_gate::content::{Component, ComponentKind, Document};
use redraft_gate::span::ComponentId;
use redraft_run::fit::{self, Input, InputCut, Need, TokenLimits};
use redraft_run::prompt::{Fitted, PromptError, Unfit};
use redraft_run::request::PromptRequest;
use redraft_run::route::RepairTask;
use redraft_run::rubric::FixAction;
use redraft_run::structure::{Slot, SlotForm, Texts};
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::verdict::IssueSeverity;
use redraft_text::language::Language;
use redraft_text::sentences::sentences;
use redraft_text::words::count_words;
use serde::Serialize;

use super::companion_view::Passage;
use super::document_view::{self, Around, EditedComponent, Excerpt};
use super::templates::Wording;
use super::untrusted::Untrusted;
use super::{companion_view, complaint, fitting};

/// A repair that is to be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order<'a> {
    pub(super) task: &'a RepairTask,
    pub(super) terms: &'a [String],
    pub(super) undone: Option<&'a str>,
}

/// Characters of a description, an instruction or a constraint.
const REMARK: usize = 600;
const QUOTE: usize = 300;
/// Characters of the sentences on one side of a component.
const ANCHOR: usize = 600;

/// What the system half of a repair may speak of: the form of the answer, and
/// nothing of the document.
#[derive(Debug, Serialize)]
pub(super) struct System {
    part: &'static str,
    whole: bool,
}

impl System {
    /// For an answer in the form that the template asks for by default.
    pub(super) const fn new() -> Self {
        Self {
            part: "system",
            whole: false,
        }
    }
}

pub(super) fn patch(
    wording: &Wording,
    request: &PromptRequest<'_>,
    (order, whole): (Order<'_>, bool),
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    let document = request.document;
    let part = component_of(wording, document, &order.task.section_id)?;
    let specification = request.companions.specification.as_ref();
    let planned = specification.and_then(|plan| planned(document, part.component, plan));
    let mut repair = repair(wording, request, order, part);
    repair.plan = planned
        .map(companion_view::section_demands)
        .unwrap_or_default();
    repair.whole = whole;
    if !whole {
        repair.operations = operations(wording, request, order.task);
    }
    fitted(wording, request, repair, limits)
}

/// The words, with as much around the component as fits.
fn fitted(
    wording: &Wording,
    request: &PromptRequest<'_>,
    mut repair: Repair,
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    /// The headings of what is shown besides the component.
    const HEADINGS: u64 = 60;
    let system = System {
        whole: repair.whole,
        ..System::new()
    };
    let fill = |repair: &Repair| wording.fill(&request.task, &system, repair);
    let prompt = fill(&repair)?;
    let Some(limit) = fitting::lacking(&prompt, limits) else {
        let cuts = Vec::new();
        return Ok(Fitted { prompt, cuts });
    };
    let around = std::mem::take(&mut repair.around);
    let sources = std::mem::take(&mut repair.sources);
    repair.around_left_out = around.len();
    let alone = fill(&repair)?;
    if fitting::lacking(&alone, limits).is_some() {
        return Err(fitting::too_long(&alone, limit));
    }
    // The component is counted with all the words around it.
    let own = alone.tokens() + HEADINGS;
    let beside: Vec<(String, u64)> = around
        .iter()
        .map(|excerpt| (excerpt.component().to_string(), excerpt.tokens()))
        .collect();
    let sourced: Vec<(String, u64)> = sources
        .iter()
        .map(|source| {
            (
                source.id.clone(),
                estimated_tokens(source.text.as_str()) + 1,
            )
        })
        .collect();
    // options cannot be repaired without the question.
    let neighbours = match wording.around {
        Around::Item => Need::Must,
        Around::Anchors | Around::Meta => Need::May,
    };
    let part = |id, tokens, need| fit::SizedComponent { id, tokens, need };
    let listed: Vec<fit::SizedComponent<'_>> = std::iter::once(part("", own, Need::Must))
        .chain(beside.iter().map(|(id, size)| part(id, *size, neighbours)))
        .chain(sourced.iter().map(|(id, size)| part(id, *size, Need::May)))
        .collect();
    let kept: HashSet<usize> = fit::components(&listed, limit)?.kept.into_iter().collect();
    let kept_of = |first: usize, many: usize| -> Vec<usize> {
        (0..many)
            .filter(|index| kept.contains(&(index + first)))
            .collect()
    };
    let kept_beside = kept_of(1, around.len());
    let kept_sources = kept_of(1 + around.len(), sources.len());
    let cuts: Vec<InputCut> = [
        left_out(Input::Document, &beside, &kept_beside),
        left_out(Input::Sources, &sourced, &kept_sources),
    ]
    .into_iter()
    .flatten()
    .collect();
    repair.around_left_out = around.len() - kept_beside.len();
    repair.around = picked(around, &kept_beside);
    repair.sources = picked(sources, &kept_sources);
    let prompt = fill(&repair)?;
    if fitting::lacking(&prompt, limits).is_none() {
        return Ok(Fitted { prompt, cuts });
    }
    // The headings were longer than planned; the component alone fits.
    if neighbours == Need::Must && !beside.is_empty() {
        return Err(fitting::too_long(&prompt, limit));
    }
    let cuts = [
        left_out(Input::Document, &beside, &[]),
        left_out(Input::Sources, &sourced, &[]),
    ];
    Ok(Fitted {
        prompt: alone,
        cuts: cuts.into_iter().flatten().collect(),
    })
}

fn left_out(of: Input, all: &[(String, u64)], kept: &[usize]) -> Option<InputCut> {
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let tokens: Vec<u64> = all.iter().map(|(_, tokens)| *tokens).collect();
    fit::cut(of, &names, &tokens, kept)
}

/// Those at these places, which are in order.
fn picked<T>(all: Vec<T>, kept: &[usize]) -> Vec<T> {
    all.into_iter()
        .enumerate()
        .filter(|(index, _)| kept.binary_search(index).is_ok())
        .map(|(_, one)| one)
        .collect()
}

pub(super) fn expand(
    wording: &Wording,
    request: &PromptRequest<'_>,
    order: Order<'_>,
    limits: TokenLimits,
) -> Result<Fitted, Unfit> {
    let document = request.document;
    let part = component_of(wording, document, &order.task.section_id)?;
    let specification = request.companions.specification.as_ref();
    let planned = specification.and_then(|plan| planned(document, part.component, plan));
    let words = words_wanted(document, &part);
    let about = about_sources(document, part.component, order.task);
    let mut repair = repair(wording, request, order, part);
    // Key points say what the component has to teach; without them only the old text
    // does. Fields are filled in again one by one, so their names are needed.
    if planned.is_some_and(|plan| !plan.key_points.is_empty()) && !repair.has_fields {
        repair.passages.clear();
    }
    repair.plan = specification
        .map(|plan| companion_view::section_plan(plan, planned))
        .unwrap_or_default();
    repair.sources =
        companion_view::sources_about(request.companions, &about, request.document.language());
    repair.words = words;
    repair.whole = true;
    fitted(wording, request, repair, limits)
}

pub(super) fn component_of<'a>(
    wording: &Wording,
    document: &'a Document,
    id: &ComponentId,
) -> Result<EditedComponent<'a>, PromptError> {
    document_view::edited_component(document, id, wording.around)
        .ok_or_else(|| PromptError(format!("the text has no part `{id}`")))
}

/// What the user half of a repair may speak of. Everything foreign is [`Untrusted`].
#[derive(Debug, Serialize)]
struct Repair {
    part: &'static str,
    whole: bool,
    about: Vec<Untrusted>,
    around: Vec<Excerpt>,
    around_left_out: usize,
    before: Option<Untrusted>,
    after: Option<Untrusted>,
    passages: Vec<Untrusted>,
    has_fields: bool,
    plan: Vec<Untrusted>,
    sources: Vec<Passage>,
    words: Option<Words>,
    /// Lists and values that may be changed besides the texts.
    operations: Vec<Untrusted>,
    draws: bool,
    demands: Demands,
    undone: Option<Untrusted>,
    complaint: Option<Untrusted>,
}

fn repair(
    wording: &Wording,
    request: &PromptRequest<'_>,
    order: Order<'_>,
    part: EditedComponent<'_>,
) -> Repair {
    let Order {
        task,
        terms,
        undone,
    } = order;
    let document = request.document;
    let text = document.source().text();
    let own = text.get(part.component.range.clone()).unwrap_or_default();
    let specification = request.companions.specification.as_ref();
    let touched = touched(own, task);
    // A component that is edited is shown with its heading.
    let is_seen = task.action_type == FixAction::SurgicalEdit && own.trim_start().starts_with('#');
    let title = Some(task.section_title.as_str()).filter(|_| !is_seen);
    let anchor = |text: &Option<String>, side: End| {
        let text = text.as_deref().filter(|text| !text.trim().is_empty());
        // An editor who sees the whole item sees what is on both sides.
        let text = text.filter(|_| wording.around != Around::Item)?;
        Some(if touched.contains(&side) {
            Untrusted::line(text, ANCHOR)
        } else {
            Untrusted::line(nearest(text, side, document.language()), ANCHOR)
        })
    };
    let wanted = &task.synthesized_instructions;
    Repair {
        part: "user",
        whole: false,
        about: companion_view::about(document, specification, title, &kept(own, wanted, terms)),
        around: part.around,
        around_left_out: 0,
        before: anchor(&task.context_anchors.prev_section_end, End::Before),
        after: anchor(&task.context_anchors.next_section_start, End::After),
        passages: part.passages,
        has_fields: part.has_fields,
        plan: Vec::new(),
        sources: Vec::new(),
        words: None,
        operations: Vec::new(),
        draws: draws(own) || draws(wanted),
        demands: demands(task),
        undone: undone.map(|undone| Untrusted::line(undone, REMARK)),
        complaint: complaint(request),
    }
}

/// The slots that the task speaks of, one line each.
fn operations(wording: &Wording, request: &PromptRequest<'_>, task: &RepairTask) -> Vec<Untrusted> {
    (wording.slots)(request.document, &task.section_id, request.companions)
        .iter()
        .filter(|slot| slot.is_asked_for(task))
        .map(|slot| Untrusted::line(&described(slot), REMARK))
        .collect()
}

/// What a slot may have, in a line.
fn described(slot: &Slot) -> String {
    let path = &slot.path;
    match &slot.form {
        SlotForm::Texts(Texts {
            allowed: Some(allowed),
            ..
        }) => format!("{path}: only {}", allowed.join(", ")),
        SlotForm::Texts(_) => format!("{path}: texts, one on each line"),
        SlotForm::Entries(entries) => {
            let names: Vec<String> = entries
                .fields
                .iter()
                .map(|field| format!("`{}: …`", field.name))
                .collect();
            let total = entries.total.as_ref().map_or_else(String::new, |total| {
                format!("; their {} must add up to {}", total.of, total.name)
            });
            format!("{path}: entries with lines {}{total}", names.join(" and "))
        }
        SlotForm::Number => format!("{path}: a number (REPLACE only)"),
        SlotForm::Value(choices) => {
            let choices: Vec<String> = choices
                .iter()
                .map(|choice| format!("{} ({})", choice.value, choice.means))
                .collect();
            format!("{path}: REPLACE only, with {}", choices.join(" or "))
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Before,
    After,
}

/// The sides of a component on which a repair may have to join it anew: all of them
/// where it is written again, and where it is unknown where an issue is; else
/// those where an issue is in the paragraph at that end.
fn touched(part: &str, task: &RepairTask) -> Vec<End> {
    let both = vec![End::Before, End::After];
    if task.action_type == FixAction::RegenerateSection || task.source_issues.is_empty() {
        return both;
    }
    let body = part.trim();
    let is_heading = |block: &str| block.starts_with('#') && !block.contains('\n');
    let first_end = body
        .split("\n\n")
        .scan(0, |at, block| {
            *at += block.len() + 2;
            Some((*at, block))
        })
        .find(|(_, block)| !is_heading(block.trim()))
        .map_or(body.len(), |(end, _)| end);
    let last_start = body.rfind("\n\n").unwrap_or(0);
    let mut sides = Vec::new();
    for targeted in &task.source_issues {
        let quote = targeted.issue.quote.as_deref().map(str::trim);
        let Some(at) = quote
            .filter(|quote| !quote.is_empty())
            .and_then(|quote| body.find(quote))
        else {
            return both;
        };
        if at < first_end {
            sides.push(End::Before);
        }
        if at >= last_start {
            sides.push(End::After);
        }
    }
    sides
}

/// Of the sentences on one side of a component the one that is next to it.
fn nearest<'a>(text: &'a str, side: End, language: Option<&Language>) -> &'a str {
    let mut ranges = sentences(text, language);
    let found = match side {
        End::Before => ranges.last(),
        End::After => ranges.next(),
    };
    found.and_then(|range| text.get(range)).unwrap_or(text)
}

/// Of the terms to keep those that the repair may meet, no more than a writer
/// bears in mind.
fn kept<'a>(part: &str, wanted: &str, terms: &'a [String]) -> Vec<&'a str> {
    const MOST: usize = 15;
    let text = format!("{part}\n{wanted}").to_lowercase();
    terms
        .iter()
        .map(String::as_str)
        .filter(|term| !term.trim().is_empty() && text.contains(&term.to_lowercase()))
        .take(MOST)
        .collect()
}

/// Whether a text has a diagram, or speaks of one in one of the seven languages.
fn draws(text: &str) -> bool {
    const STEMS: [&str; 6] = ["mermaid", "diagram", "flowchart", "диаграмм", "схем", "图"];
    let lower = text.to_lowercase();
    STEMS.iter().any(|stem| lower.contains(stem))
}

/// What a repair has to do, and what it must not do.
#[derive(Debug, Serialize)]
pub(super) struct Demands {
    pub(super) instructions: Option<Untrusted>,
    pub(super) issues: Vec<IssueView>,
    pub(super) constraints: Vec<ConstraintView>,
}

#[derive(Debug, Serialize)]
pub(super) struct IssueView {
    pub(super) id: Untrusted,
    pub(super) severity: &'static str,
    /// Its criterion, where it does not say itself what is wrong.
    pub(super) criterion: Option<Untrusted>,
    pub(super) quote: Option<Untrusted>,
    pub(super) description: Untrusted,
    /// What to do about it, where that is said.
    pub(super) instruction: Option<Untrusted>,
}

#[derive(Debug, Serialize)]
pub(super) struct ConstraintView {
    id: String,
    text: Untrusted,
}

/// Every demand is made once: what is to be done about an issue beside it, and of
/// the merged instructions only what no issue asks for. An issue that they leave
/// out has lost a conflict, and is a constraint.
pub(super) fn demands(task: &RepairTask) -> Demands {
    /// More than this cannot be carried out at once.
    const MOST: usize = 30;
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let merged: Vec<String> = task
        .synthesized_instructions
        .lines()
        // Constraints are recognised by their ids.
        .take_while(|line| line.trim() != "While doing so:")
        .map(plain)
        .filter(|line| !line.is_empty())
        .collect();
    let asks = |line: &str, fix: &str| !fix.is_empty() && line.ends_with(fix);
    let fixes: Vec<String> = task
        .source_issues
        .iter()
        .map(|targeted| plain(&targeted.fix_instructions))
        .collect();
    let rest: Vec<&str> = merged
        .iter()
        .map(String::as_str)
        .filter(|line| !fixes.iter().any(|fix| asks(line, fix)))
        .collect();
    Demands {
        instructions: (!rest.is_empty()).then(|| Untrusted::line(&rest.join(" "), 2 * REMARK)),
        issues: task
            .source_issues
            .iter()
            .take(MOST)
            .map(|targeted| IssueView {
                id: Untrusted::name(&targeted.id),
                severity: match targeted.issue.severity {
                    IssueSeverity::Critical => "critical",
                    IssueSeverity::Major => "major",
                    IssueSeverity::Minor => "minor",
                },
                criterion: targeted
                    .issue
                    .description
                    .trim()
                    .is_empty()
                    .then(|| Untrusted::name(&targeted.issue.criterion)),
                quote: targeted
                    .issue
                    .quote
                    .as_deref()
                    .map(|quote| Untrusted::line(quote, QUOTE)),
                description: Untrusted::line(&targeted.issue.description, REMARK),
                instruction: Some(plain(&targeted.fix_instructions))
                    .filter(|fix| !fix.is_empty() && *fix != plain(&targeted.issue.description))
                    .filter(|fix| merged.is_empty() || merged.iter().any(|line| asks(line, fix)))
                    .map(|fix| Untrusted::line(&fix, REMARK)),
            })
            .collect(),
        constraints: task
            .constraints
            .iter()
            .take(MOST)
            .enumerate()
            .map(|(index, constraint)| ConstraintView {
                id: format!("constraint_{}", index + 1),
                text: Untrusted::line(constraint, REMARK),
            })
            .collect(),
    }
}

/// The specification of a component: by its title, else by its place where there are
/// as many as there are sections.
fn planned<'a>(
    document: &Document,
    component: &Component,
    specification: &'a Specification,
) -> Option<&'a SectionSpecification> {
    let plain = |title: &str| title.trim().to_lowercase();
    let title = component.title.as_deref().map(plain);
    let by_title = specification
        .sections
        .iter()
        .find(|section| title.is_some() && Some(plain(&section.title)) == title);
    by_title.or_else(|| {
        let sections: Vec<_> = document.of_kind(ComponentKind::Section).collect();
        let index = sections.iter().position(|part| part.id == component.id)?;
        specification
            .sections
            .get(index)
            .filter(|_| sections.len() == specification.sections.len())
    })
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Words {
    least: usize,
    most: usize,
}

/// How long a component of a lesson that is written again should be: about as long as
/// it was, and in the case of a stub about half as long as its like. A verifier
/// undoes what falls below 70% or grows beyond twice; this stays well within.
/// For cards and items the profile says it.
fn words_wanted(document: &Document, part: &EditedComponent<'_>) -> Option<Words> {
    let is_prose = matches!(
        part.component.kind,
        ComponentKind::Introduction
            | ComponentKind::Section
            | ComponentKind::Conclusion
            | ComponentKind::Example
            | ComponentKind::Exercise
    );
    if !is_prose {
        return None;
    }
    let text = document.source().text();
    let alike: Vec<usize> = document
        .of_kind(part.component.kind)
        .map(|other| text.get(other.range.clone()).map_or(0, count_words))
        .collect();
    let average = alike.iter().sum::<usize>() / alike.len().max(1);
    let about = part.words.max(average / 2).max(20);
    let tens = |words: usize| words / 10 * 10;
    Some(Words {
        least: tens(about * 9 / 10),
        most: tens(about * 14 / 10),
    })
}

/// The words by which sources are chosen: the component's own, and its issues'.
fn about_sources(document: &Document, component: &Component, task: &RepairTask) -> String {
    const MOST: usize = 4_000;
    let text = document.source().text();
    let part = text.get(component.range.clone()).unwrap_or_default();
    let issues = task
        .source_issues
        .iter()
        .map(|targeted| targeted.issue.description.as_str());
    let words: Vec<&str> = issues.chain([part]).collect();
    words.join("\n").chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use redraft_run::arbitrate::{ContextWindow, TargetedIssue};
    use redraft_run::ask::Tokens;
    use redraft_run::route::ContextAnchors;
    use redraft_run::verdict::{Anchored, Issue};

    use super::*;

    fn task(issues: &[(&str, &str, &str)], merged: &str) -> RepairTask {
        let section = ComponentId::from("sec_1");
        let issue =
            |(number, (quote, description, fix)): (usize, &(&str, &str, &str))| TargetedIssue {
                id: format!("issue_{}", number + 1),
                issue: Issue {
                    criterion: "clarity".to_owned(),
                    severity: IssueSeverity::Minor,
                    location: section.clone(),
                    quote: Some((*quote).to_owned()),
                    anchor: Anchored::Exact,
                    description: (*description).to_owned(),
                    suggested_fix: (*fix).to_owned(),
                    source: None,
                },
                target_section_id: section.clone(),
                fix_action: FixAction::SurgicalEdit,
                context_window: ContextWindow::default(),
                fix_instructions: (*fix).to_owned(),
                raised_by: 1,
            };
        RepairTask {
            section_id: section.clone(),
            section_title: "Steam".to_owned(),
            action_type: FixAction::SurgicalEdit,
            synthesized_instructions: merged.to_owned(),
            constraints: Vec::new(),
            context_anchors: ContextAnchors::default(),
            priority: IssueSeverity::Minor,
            source_issues: issues.iter().enumerate().map(issue).collect(),
            check_after: None,
            estimated_tokens: Tokens::default(),
            finding_words: Vec::new(),
        }
    }

    #[test]
    fn every_demand_is_said_once_and_none_is_lost() {
        let task = task(
            &[
                ("a", "The verb is wrong.", "Write “tells”."),
                ("b", "Too long.", "Split the sentence."),
            ],
            "1. [minor] clarity: At “a”: Write “tells”.\n2. [error] empty-section: The section has no text.\nWhile doing so:\n- Split the sentence.",
        );
        let demands = demands(&task);
        let todo: Vec<Option<&Untrusted>> = demands
            .issues
            .iter()
            .map(|issue| issue.instruction.as_ref())
            .collect();
        // The second has lost a conflict, and is a constraint.
        assert_eq!(todo, [Some(&Untrusted::new("Write “tells”.")), None]);
        assert_eq!(
            demands.instructions,
            Some(Untrusted::new(
                "2. [error] empty-section: The section has no text."
            ))
        );
    }

    #[test]
    fn an_editor_sees_more_of_the_side_that_the_repair_touches() {
        use End::{After, Before};
        let part = "## Steam\n\nIt is hot.\n\nIt rises.\n\nIt cools.\n";
        for (quotes, expected) in [
            (&["It is hot."][..], &[Before][..]),
            (&["It rises."][..], &[][..]),
            (&["It cools."][..], &[After][..]),
            (&["It rises.", "It cools."][..], &[After][..]),
            (&["nowhere"][..], &[Before, After][..]),
            (&[][..], &[Before, After][..]),
        ] {
            let issues: Vec<_> = quotes.iter().map(|quote| (*quote, "x", "y")).collect();
            assert_eq!(touched(part, &task(&issues, "")), expected, "{quotes:?}");
        }
        assert_eq!(nearest("One. Two. Three.", Before, None).trim(), "Three.");
        assert_eq!(nearest("One. Two. Three.", After, None).trim(), "One.");
    }

    #[test]
    fn of_many_terms_those_are_named_that_the_repair_may_meet() {
        let terms: Vec<String> = ["Steam", "boiler", "kettle", " "]
            .iter()
            .map(|term| (*term).to_owned())
            .collect();
        assert_eq!(
            kept("the steam rises", "say Kettle", &terms),
            ["Steam", "kettle"]
        );
        let many = vec!["a".to_owned(); 100];
        assert_eq!(kept("a", "", &many).len(), 15);
    }

    #[test]
    fn a_diagram_is_noticed_in_the_part_or_in_what_is_asked_for() {
        for (text, expected) in [
            ("```mermaid\ngraph TD\n```", true),
            ("Add a diagram.", true),
            ("Добавьте схему.", true),
            ("添加流程图。", true),
            ("Add an example.", false),
        ] {
            assert_eq!(draws(text), expected, "{text}");
        }
    }
}
