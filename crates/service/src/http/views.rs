//! Views of a run for the inspector: fragments of HTML that `redraft-report` makes and
//! escapes, and the facts around them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use redraft_gate::finding::Severity;
use redraft_gate::fix::Inspected;
use redraft_report::html::{
    self, BankData, BankInput, DocumentInput, HintData, HtmlError, PlacedFinding, RunData, Source,
    TaskData, View,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::App;
use super::body::{Json, json};
use super::problem::Problem;
use super::runs::{check_priority, no_content, of_caller};
use super::shown::{RunBudgets, Shown, shown};
use crate::store::{Caller, RunInfo};
use crate::workshop::{Checked, Order};

/// What ids of a fragment begin with.
const PREFIX: &str = "d1";

/// What stands around the views of a run.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct RunSummary {
    run: RunInfo,
    /// The title of the text.
    title: String,
    /// What the document is, such as `Lesson`.
    kind: String,
    /// What became of it, in words.
    status: String,
    /// `good`, `fair`, `bad` or `neutral`.
    class: &'static str,
    /// Why it was not accepted.
    because: Option<String>,
    /// What else is worth knowing, a sentence each.
    remarks: Vec<String>,
    score: Option<f64>,
    /// From here on a text is accepted.
    accept: Option<f64>,
    good_enough: Option<f64>,
    components: Vec<ComponentInfo>,
    /// How much stayed as it was.
    receipts: Option<String>,
    /// The repairs of all rounds, as far as the outcome or a reviewer's case has them.
    tasks: Vec<TaskInfo>,
    /// The score of the text that came in (round 0) and after each round, where it is known.
    scores: Vec<RoundScore>,
    /// `good`, `acceptable` or `below_standard`.
    quality: Option<String>,
    /// How many issues of the judges are open.
    open_issues: usize,
    /// What could be done next, the worst first.
    hints: Vec<HintInfo>,
    /// The models by role.
    models: BTreeMap<String, String>,
    budgets: RunBudgets,
    /// Why a reviewer cannot approve it.
    cannot_approve: Option<&'static str>,
    /// Why a reviewer can neither edit nor instruct.
    cannot_change: Option<&'static str>,
}

/// The score of a version.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct RoundScore {
    round: u32,
    score: f64,
}

/// A repair, or the try of one.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct TaskInfo {
    /// The round, from 1.
    round: u32,
    /// The component.
    section: String,
    /// `critical`, `major` or `minor`.
    priority: String,
    /// What was to be done.
    instructions: String,
    /// The issues that it was to solve.
    issues: Vec<String>,
}

/// What could be done next.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct HintInfo {
    component: String,
    title: Option<String>,
    criterion: String,
    severity: String,
    fix: String,
}

/// A section, a card, an item, or what lies in one.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct ComponentInfo {
    id: String,
    /// What it is, in a word.
    kind: &'static str,
    title: String,
}

pub(super) async fn summary(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let shown = shown(&app, &info).await?;
    json(&summary_of(info, &shown))
}

fn summary_of(mut run: RunInfo, shown: &Shown) -> RunSummary {
    // Of a run that goes on the list has what one judge said; here all of them count.
    let first = shown.data.iterations.iter().find(|one| one.iteration == 0);
    if let Some(score) = first.and_then(|one| one.score) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a score is between 0 and 1"
        )]
        let thousandths = (score * 1_000.0).round() as i64;
        run.score_before = Some(thousandths);
    }
    let facts = html::facts(&shown.input());
    let components = facts.components.into_iter().map(|part| ComponentInfo {
        id: part.id,
        kind: part.kind,
        title: part.title,
    });
    RunSummary {
        run,
        title: facts.title,
        kind: facts.kind,
        status: facts.status.0,
        class: facts.status.1,
        because: shown.because.clone(),
        remarks: facts.remarks,
        score: shown.data.score.as_ref().map(|score| score.overall),
        accept: shown.thresholds.accept,
        good_enough: shown.thresholds.good_enough,
        components: components.collect(),
        receipts: facts.receipts,
        tasks: shown.data.tasks.iter().map(task).collect(),
        scores: shown
            .data
            .iterations
            .iter()
            .filter_map(|one| {
                Some(RoundScore {
                    round: one.iteration,
                    score: one.score?,
                })
            })
            .collect(),
        quality: Some(shown.data.quality.clone()).filter(|quality| !quality.is_empty()),
        open_issues: shown.data.issues.len(),
        hints: shown.data.hints.iter().map(hint).collect(),
        models: shown.models.clone(),
        budgets: shown.budgets.clone(),
        cannot_approve: shown.cannot[0],
        cannot_change: shown.cannot[1],
    }
}

fn task(task: &TaskData) -> TaskInfo {
    TaskInfo {
        round: task.iteration,
        section: task.section_id.clone(),
        priority: task.priority.to_lowercase(),
        instructions: task.synthesized_instructions.clone(),
        issues: task.issues.clone(),
    }
}

fn hint(hint: &HintData) -> HintInfo {
    HintInfo {
        component: hint.component.clone(),
        title: hint.title.clone(),
        criterion: hint.criterion.clone(),
        severity: hint.severity.to_lowercase(),
        fix: hint.fix.clone(),
    }
}

/// A view as a fragment of HTML.
pub(super) async fn view(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path((run, view)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let Some(view) = View::parse(&view) else {
        let known: Vec<&str> = View::ALL.iter().map(|view| view.name()).collect();
        return Err(Problem::not_found(format!(
            "unknown view; there are {}",
            known.join(", ")
        )));
    };
    let shown = shown(&app, &info).await?;
    let made = rendered(move || html::view(PREFIX, &shown.input(), view)).await?;
    Ok(fragment(made))
}

/// Rendering long texts takes a while.
pub(super) async fn rendered<T: Send + 'static>(
    render: impl FnOnce() -> Result<T, HtmlError> + Send + 'static,
) -> Result<T, Problem> {
    let made = tokio::task::spawn_blocking(render).await;
    made.map_err(|error| Problem::internal(&error))?
        .map_err(|error| Problem::internal(&error))
}

pub(super) fn fragment(html: Option<String>) -> Response {
    match html {
        Some(html) => ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
        None => no_content(),
    }
}

/// A text that a reviewer has changed.
#[derive(Debug, JsonSchema, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditBody {
    /// The whole text.
    content: String,
}

/// What the checks say about a changed text, and what was changed.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct EditPreview {
    findings: Vec<PreviewFinding>,
    /// Against the version in question, as HTML; absent if nothing changed.
    changes: Option<String>,
}

/// A finding in a changed text.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct PreviewFinding {
    code: &'static str,
    name: &'static str,
    /// `error`, `warning` or `info`.
    severity: &'static str,
    message: String,
    /// Its place in the text, in bytes of UTF-8.
    start: usize,
    end: usize,
    line: usize,
}

pub(super) async fn preview(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(run): Path<String>,
    Json(body): Json<EditBody>,
) -> Result<Response, Problem> {
    let info = of_caller(&app, &caller, &run).await?;
    let shown = shown(&app, &info).await?;
    let made = rendered(move || {
        let form = shown.before.document.form();
        let edited = shown.inspector.inspect_as(body.content.into_bytes(), form);
        Ok(EditPreview {
            findings: findings(&edited),
            changes: html::changes("e1", &shown.after.document, &edited.document)?,
        })
    });
    json(&made.await?)
}

fn findings(inspected: &Inspected) -> Vec<PreviewFinding> {
    let text = inspected.document.source().text();
    let mut found: Vec<PreviewFinding> = inspected
        .findings
        .iter()
        .map(|finding| {
            let range = finding.span.range();
            let before = text.as_bytes().get(..range.start).unwrap_or_default();
            PreviewFinding {
                code: finding.check.code,
                name: finding.check.name,
                severity: finding.severity.name(),
                message: finding.message.clone(),
                line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
                start: range.start,
                end: range.end,
            }
        })
        .collect();
    let rank = |severity: &str| match severity {
        name if name == Severity::Error.name() => 0,
        name if name == Severity::Warning.name() => 1,
        _ => 2,
    };
    found.sort_by_key(|finding| (rank(finding.severity), finding.start));
    found
}

/// A document that was just checked, as it is shown.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CheckView {
    title: String,
    kind: String,
    profile: String,
    /// What the checks came to, in words.
    status: String,
    /// `good`, `fair` or `bad`.
    class: &'static str,
    /// The text with its findings at their places, as HTML.
    text: String,
    /// Statistics as HTML, if it is a bank.
    bank: Option<String>,
    /// How many items it has, if it is a bank; each gets a run of its own.
    items: Option<usize>,
    /// Whether models are configured, so that it can be judged.
    can_judge: bool,
}

pub(super) async fn check(
    State(app): State<App>,
    Json(order): Json<Order>,
) -> Result<Response, Problem> {
    check_priority(&order)?;
    let workshop = Arc::clone(&app.parts().workshop);
    let checked = tokio::task::spawn_blocking(move || workshop.checked(&order)).await;
    let checked = checked.map_err(|error| Problem::internal(&error))??;
    json(&rendered(move || check_view(checked)).await?)
}

fn check_view(checked: Checked) -> Result<CheckView, HtmlError> {
    let input = DocumentInput {
        source: Source::Check,
        data: RunData {
            path: checked.name,
            profile: checked.profile.to_owned(),
            ..RunData::default()
        },
        after: Some(&checked.inspected.document),
        findings: checked
            .inspected
            .findings
            .iter()
            .map(PlacedFinding::from)
            .collect(),
        ..DocumentInput::default()
    };
    let facts = html::facts(&input);
    let bank: Option<BankData> = checked
        .report
        .get("bank")
        .and_then(|bank| serde_json::from_value(bank.clone()).ok());
    Ok(CheckView {
        title: facts.title,
        kind: facts.kind,
        profile: checked.profile.to_owned(),
        status: facts.status.0,
        class: facts.status.1,
        text: html::view(PREFIX, &input, View::Text)?.unwrap_or_default(),
        bank: bank
            .map(|data| {
                html::bank(&BankInput {
                    data,
                    ..BankInput::default()
                })
            })
            .transpose()?,
        items: checked.items,
        can_judge: checked.can_judge,
    })
}
