//! Everything about one document, as an article: what became of it and why, the score by
//! round, the text with its remarks, what changed, what the judges said, cost, receipts and
//! events.

use std::collections::BTreeSet;

use redraft_gate::content::Document;
use redraft_run::event::Event;
use redraft_run::ledger::Dollars;
use redraft_run::outcome::Status;
use serde::Serialize;

use super::chart::Thresholds;
use super::cost_view;
use super::data::RunData;
use super::diff_view;
use super::receipts_view::{self, Files};
use super::templates::{self, HtmlError};
use super::text_view::PlacedFinding;
use super::view::{self, View};
use crate::count::counted;
use crate::{progress, sentences};

/// Where a result comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// `check`: nobody judged.
    Check,
    /// `judge`, `refine` or `write`.
    #[default]
    Run,
    /// A run that has not ended.
    Unfinished,
}

/// What is known about one document.
#[derive(Clone, Debug, Default)]
pub struct DocumentInput<'a> {
    pub source: Source,
    pub data: RunData,
    /// Why it was not accepted, in a sentence.
    pub because: Option<String>,
    /// What is missing from the page, and why.
    pub notices: Vec<String>,
    pub events: &'a [Event],
    /// When the run started.
    pub started: Option<String>,
    /// The text that came in.
    pub before: Option<&'a Document>,
    /// The text that the result is about.
    pub after: Option<&'a Document>,
    pub findings: Vec<PlacedFinding>,
    pub thresholds: Thresholds,
}

#[derive(Serialize)]
struct DocumentView {
    prefix: String,
    path: String,
    title: String,
    kind: String,
    status: String,
    class: &'static str,
    score: Option<String>,
    before: Option<String>,
    because: Option<String>,
    remarks: Vec<String>,
    notices: Vec<String>,
    meta: Vec<(&'static str, String)>,
    chart_html: Option<String>,
    text_html: String,
    has_text: bool,
    remarks_count: String,
    diff_html: Option<String>,
    tasks: Vec<TaskView>,
    panel_html: Option<String>,
    cost_html: Option<String>,
    receipts_html: Option<String>,
    receipts_sentence: Option<String>,
    events_html: Option<String>,
    is_open: bool,
}

#[derive(Serialize)]
struct TaskView {
    place: String,
    what: &'static str,
    round: u32,
    issues: Vec<String>,
    is_kept: bool,
}

#[derive(Serialize)]
struct EventsView {
    events: Vec<EventView>,
}

#[derive(Serialize)]
struct EventView {
    after: String,
    words: String,
}

/// A status in words, and the class that colours it.
#[must_use]
pub fn status_words(input: &DocumentInput<'_>) -> (String, &'static str) {
    match input.source {
        Source::Unfinished => return ("not finished".to_owned(), "neutral"),
        Source::Check => {
            let errors = count_of(&input.findings, "error");
            let warnings = count_of(&input.findings, "warning");
            return match (errors, warnings) {
                (0, 0) => ("passed the checks".to_owned(), "good"),
                (0, number) => (counted(number, "warning"), "fair"),
                (number, _) => (counted(number, "error"), "bad"),
            };
        }
        Source::Run => {}
    }
    let Some(status) = input.data.known_status() else {
        return (input.data.status.replace('_', " "), "neutral");
    };
    let class = match (status, input.data.gate.as_deref()) {
        (Status::Accepted, _) | (Status::Checked, Some("passed")) => "good",
        (Status::AcceptedWarning | Status::BestEffort | Status::Checked, _) => "fair",
        (Status::Escalated, _) => "bad",
    };
    let words = match (status, input.data.gate.as_deref()) {
        (Status::Checked, Some("passed")) => "passed the free checks, not judged",
        (Status::Checked, Some(_)) => "failed the free checks",
        (status, _) => sentences::status(status),
    };
    (words.to_owned(), class)
}

pub(super) fn count_of(findings: &[PlacedFinding], severity: &str) -> usize {
    findings
        .iter()
        .filter(|finding| finding.data.severity == severity)
        .count()
}

/// Whether an article is open when the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Open,
    Closed,
}

/// The fragment.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn document(prefix: &str, input: &DocumentInput<'_>) -> Result<String, HtmlError> {
    article(prefix, input, Shown::Open)
}

pub(super) fn article(
    prefix: &str,
    input: &DocumentInput<'_>,
    shown: Shown,
) -> Result<String, HtmlError> {
    let data = &input.data;
    let (status, class) = status_words(input);
    let fragment = |view: View| view::view(prefix, input, view);
    let (before, after) = scores(data);
    let view = DocumentView {
        prefix: prefix.to_owned(),
        path: data.path.clone(),
        title: title(input),
        kind: kind(&data.profile).to_owned(),
        status,
        class,
        score: after,
        before,
        because: input.because.clone(),
        remarks: remarks(data),
        notices: input.notices.clone(),
        meta: meta(input),
        chart_html: fragment(View::Scores)?,
        has_text: input.after.is_some(),
        remarks_count: counted(input.findings.len() + data.issues.len(), "remark"),
        text_html: fragment(View::Text)?.unwrap_or_default(),
        diff_html: fragment(View::Changes)?,
        tasks: tasks(data),
        panel_html: fragment(View::Panel)?,
        cost_html: fragment(View::Cost)?,
        receipts_sentence: view::receipts_sentence(data),
        receipts_html: fragment(View::Receipts)?,
        events_html: events(input.events)?,
        is_open: shown == Shown::Open,
    };
    templates::fill("document.html", &view)
}

/// What changed, where both texts are known.
pub(super) fn changes(
    prefix: &str,
    input: &DocumentInput<'_>,
) -> Result<Option<String>, HtmlError> {
    match (input.before, input.after) {
        (Some(before), Some(after)) if !before.source().bytes().is_empty() => {
            diff_view::diff(prefix, before, after)
        }
        _ => Ok(None),
    }
}

pub(super) fn receipts(input: &DocumentInput<'_>) -> Result<Option<String>, HtmlError> {
    let noun = noun(&input.data.profile);
    let receipts = input.data.receipts.as_ref();
    receipts
        .map(|receipts| receipts_view::receipts(receipts, files(input), noun))
        .transpose()
}

/// The score before, if it was another, and the score.
pub(super) fn scores(data: &RunData) -> (Option<String>, Option<String>) {
    let after = data.score.as_ref().map(|score| score.overall);
    let before = data.iterations.first().and_then(|first| first.score);
    let before = before.filter(|before| {
        data.iterations.len() > 1 && after.is_some_and(|after| (after - before).abs() > 0.000_5)
    });
    let shown = |score: f64| format!("{score:.3}");
    (before.map(shown), after.map(shown))
}

pub(super) fn rounds(data: &RunData) -> Vec<(String, f64)> {
    let scored = data.iterations.iter().filter_map(|round| {
        let label = match round.iteration {
            0 => "before".to_owned(),
            number => format!("round {number}"),
        };
        Some((label, round.score?))
    });
    scored.collect()
}

pub(super) fn title(input: &DocumentInput<'_>) -> String {
    let title = input.after.and_then(Document::title);
    title.map_or_else(
        || {
            let path = &input.data.path;
            path.rsplit('/').next().unwrap_or(path).to_owned()
        },
        str::to_owned,
    )
}

pub(super) fn kind(profile: &str) -> &str {
    match profile {
        "lesson" => "Lesson",
        "sqa-lesson" => "Scottish lesson cards",
        "clinical-mcq" => "Clinical multiple-choice items",
        "mcq" => "Multiple-choice items",
        "companion" => "Companion file",
        other => other,
    }
}

/// What a component is called in a sentence.
pub(super) fn noun(profile: &str) -> &'static str {
    match profile {
        "lesson" => "section",
        "sqa-lesson" => "card",
        _ => "component",
    }
}

/// The ids of the components that an edit lies in.
pub(super) fn changed(data: &RunData) -> BTreeSet<String> {
    let receipts = data.receipts.iter();
    let parts = receipts.flat_map(|receipts| receipts.components.iter().skip(1));
    parts
        .filter(|part| !part.edits.is_empty())
        .map(|part| part.id.clone())
        .collect()
}

fn files<'a>(input: &DocumentInput<'a>) -> Option<Files<'a>> {
    Some(Files {
        original: input.before?.source().bytes(),
        result: input.after?.source().bytes(),
    })
}

pub(super) fn remarks(data: &RunData) -> Vec<String> {
    let mut remarks = Vec::new();
    if data.scripted {
        remarks.push("Scripted replies were used; no model has judged this.".to_owned());
    }
    if let Some(unscored) = &data.unscored {
        let message = unscored.message.trim_end_matches('.');
        remarks.push(format!("Not scored: {message}."));
    }
    if data.needs_review {
        remarks.push("A reviewer should look at this, whatever the status says.".to_owned());
    }
    if let Some(by) = &data.decided_by {
        remarks.push(format!("Decided by {by}."));
    }
    if let Some(why) = &data.self_preference {
        remarks.push(format!("A judge may favour the writer ({why})."));
    }
    remarks
}

fn meta(input: &DocumentInput<'_>) -> Vec<(&'static str, String)> {
    let data = &input.data;
    let spent = cost_view::total(data.spent.values());
    let mut meta = Vec::new();
    if let Some(started) = &input.started {
        meta.push(("Started", started.clone()));
    }
    if !data.run.is_empty() {
        meta.push(("Run", data.run.clone()));
    }
    if let Some(accept) = input.thresholds.accept {
        meta.push(("Accepted from", format!("{accept:.2}")));
    }
    if spent.calls > 0 {
        let calls = counted(usize::try_from(spent.calls).unwrap_or(usize::MAX), "call");
        let money = match spent.cost_micros {
            0 => String::new(),
            micros => format!(", ${}", Dollars(micros)),
        };
        meta.push(("Cost", format!("{calls}{money}")));
    }
    meta
}

fn tasks(data: &RunData) -> Vec<TaskView> {
    let tasks = data.tasks.iter().map(|task| TaskView {
        place: if task.section_title.is_empty() {
            task.section_id.clone()
        } else {
            format!("{} “{}”", task.section_id, task.section_title)
        },
        what: match task.action_type.as_str() {
            "REGENERATE_SECTION" => "rewritten",
            _ => "edited",
        },
        round: task.iteration,
        issues: task.issues.clone(),
        is_kept: task.kept,
    });
    tasks.collect()
}

fn events(events: &[Event]) -> Result<Option<String>, HtmlError> {
    let lines = events.iter().filter_map(|event| {
        Some(EventView {
            after: format!("{:.1} s", event.elapsed as f64 / 1_000.0),
            words: progress::line(event)?.trim().to_owned(),
        })
    });
    let events: Vec<EventView> = lines.collect();
    if events.is_empty() {
        return Ok(None);
    }
    templates::fill("events.html", &EventsView { events }).map(Some)
}
