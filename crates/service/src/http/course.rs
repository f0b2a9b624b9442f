//! A course, or a bank whose items were submitted together, as a whole: the scores, what the
//! free checks find in the texts as they stand, the statistics of items, texts that are
//! nearly the same, and the worst of them.
//!
//! What a document adds is kept as long as its run does not change, so that looking again
//! costs little.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use redraft_gate::profile::GateProfile as _;
use redraft_profiles::clinical_mcq::CLINICAL_MCQ;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::items::bank::similar::{self, Fingerprint};
use redraft_profiles::items::profile::ItemProfile;
use redraft_profiles::mcq::MCQ;
use redraft_report::bank::report;
use redraft_report::html::{
    self, BankData, BankInput, BankItem, CountData, DuplicateData, Gathered, RunData, Thresholds,
    WorstData,
};
use redraft_run::bytes_json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::App;
use super::body::{Params, json};
use super::events::Received;
use super::problem::Problem;
use super::views::{fragment, rendered};
use crate::store::{Caller, DoneRun, Filter, RunInfo, RunState};

/// As many documents as are put together, the latest first; a bank has no more.
const MOST: i64 = 1_000;
/// How many outcomes are read at once.
const CHUNK: usize = 50;
/// For how many runs it is kept what they add.
const KEPT: usize = 5_000;
/// How many documents with findings are named.
const WORST: usize = 15;

/// A course as it is shown.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CourseView {
    /// The overview as HTML.
    html: String,
    /// The latest run of each document, the lowest scores first.
    documents: Vec<CourseDocument>,
    /// Whether there are more runs than are put together here.
    is_cut: bool,
}

/// A document of a course.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct CourseDocument {
    run: RunInfo,
    /// What the free checks find in the text as it stands, once that is known.
    findings: Option<FindingCounts>,
}

/// How many findings.
#[derive(Clone, Copy, Debug, Default, JsonSchema, Serialize)]
pub(super) struct FindingCounts {
    errors: usize,
    warnings: usize,
    infos: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CourseQuery {
    batch: Option<String>,
    profile: Option<String>,
}

pub(super) async fn read(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Params(query): Params<CourseQuery>,
) -> Result<Response, Problem> {
    let gathered = Gathering::of(&app, &caller, query.batch, query.profile).await?;
    json(&gathered.shown().await?)
}

/// The statistics and scores of a bank alone.
pub(super) async fn bank(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(batch): Path<String>,
) -> Result<Response, Problem> {
    let gathered = Gathering::of(&app, &caller, Some(batch), None).await?;
    if gathered.runs.is_empty() {
        return Err(Problem::not_found("bank not found"));
    }
    Ok(fragment(Some(gathered.shown().await?.html)))
}

/// The outcomes of a course's documents that are done, one a line.
pub(super) async fn outcomes(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Params(query): Params<CourseQuery>,
) -> Result<Response, Problem> {
    let (runs, _) = latest(&app, &caller, query.batch, query.profile).await?;
    let ids: Vec<String> = runs.into_iter().map(|run| run.run).collect();
    let (send, receive) = mpsc::channel(4);
    tokio::spawn(async move {
        for chunk in ids.chunks(CHUNK) {
            let Ok(done) = app.store().done_runs(&caller.tenant, chunk).await else {
                // The answer breaks off, and the client sees that it does.
                return;
            };
            let mut lines = String::new();
            for run in done {
                // Outcomes are stored without line ends.
                lines.push_str(&run.outcome);
                lines.push('\n');
            }
            if send.send(Ok(Bytes::from(lines))).await.is_err() {
                return;
            }
        }
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, Body::from_stream(Received(receive))).into_response())
}

/// The latest run of each document, and whether there are more runs than were looked at.
async fn latest(
    app: &App,
    caller: &Caller,
    batch: Option<String>,
    profile: Option<String>,
) -> Result<(Vec<RunInfo>, bool), Problem> {
    let filter = Filter {
        batch,
        profile,
        limit: MOST,
        ..Filter::default()
    };
    let page = app.store().list(&caller.tenant, &filter).await?;
    let mut runs = page.runs;
    // The latest run of a document comes first.
    let mut names = HashSet::new();
    runs.retain(|run| run.state != RunState::Cancelled && names.insert(run.name.clone()));
    Ok((runs, page.next.is_some()))
}

/// What a document adds to the whole.
#[derive(Default)]
struct Share {
    /// Of an item.
    sheet: Option<Sheet>,
    findings: FindingCounts,
    /// The checks that find something, by name.
    flaws: BTreeSet<String>,
    /// The criteria of the judges' open issues.
    issues: BTreeSet<String>,
    /// Of a text that is not an item.
    fingerprint: Option<Fingerprint>,
    /// From which score on it is accepted, as far as it is known.
    accept: Option<f64>,
}

/// What runs add that do not change any more, by run.
#[derive(Default)]
pub(super) struct Cache(Mutex<HashMap<Key, Arc<Share>>>);

/// A run does not change while it has as many events and the same state.
type Key = (String, i64, RunState, i64);

fn key(run: &RunInfo) -> Key {
    (run.run.clone(), run.events, run.state, run.updated)
}

impl Cache {
    fn get(&self, run: &RunInfo) -> Option<Arc<Share>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&key(run)).cloned()
    }

    fn put(&self, run: &RunInfo, share: &Arc<Share>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key(run), Arc::clone(share));
    }
}

/// Runs, and what each of them adds.
struct Gathering {
    what: Gathered,
    runs: Vec<(RunInfo, Option<Arc<Share>>)>,
    is_cut: bool,
}

impl Gathering {
    async fn of(
        app: &App,
        caller: &Caller,
        batch: Option<String>,
        profile: Option<String>,
    ) -> Result<Self, Problem> {
        let is_batch = batch.is_some();
        let (runs, is_cut) = latest(app, caller, batch, profile).await?;
        let is_bank = is_batch && runs.iter().all(|run| item_profile(run).is_some());
        let shares = shares(app, caller, &runs).await?;
        Ok(Self {
            what: if is_bank {
                Gathered::Bank
            } else {
                Gathered::Course
            },
            runs: runs.into_iter().zip(shares).collect(),
            is_cut,
        })
    }

    async fn shown(mut self) -> Result<CourseView, Problem> {
        let input = self.input()?;
        let html = rendered(move || html::bank(&input)).await?;
        self.runs.sort_by_key(|(run, _)| run.score.unwrap_or(-1));
        let documents = self.runs.into_iter().map(|(run, share)| CourseDocument {
            run,
            findings: share.map(|share| share.findings),
        });
        Ok(CourseView {
            html,
            documents: documents.collect(),
            is_cut: self.is_cut,
        })
    }

    fn input(&self) -> Result<BankInput, Problem> {
        let mut data = self.statistics()?;
        let shares = || {
            let all = self.runs.iter();
            all.filter_map(|(run, share)| Some((run, share.as_deref()?)))
        };
        // An item's own sheet has its findings already.
        let texts = || shares().filter(|(_, share)| share.sheet.is_none());
        add_counts(&mut data.flaws, texts().map(|(_, share)| &share.flaws));
        add_counts(&mut data.issues, shares().map(|(_, share)| &share.issues));
        data.worst = shares()
            .map(|(run, share)| WorstData {
                id: self.label(run),
                errors: share.findings.errors,
                warnings: share.findings.warnings,
                infos: share.findings.infos,
                ..WorstData::default()
            })
            .filter(|one| one.errors + one.warnings + one.infos > 0)
            .collect();
        data.worst
            .sort_by_key(|one| std::cmp::Reverse((one.errors, one.warnings, one.infos)));
        data.worst.truncate(WORST);
        data.duplicates.extend(self.similar_texts());
        let items = self.runs.iter().map(|(run, _)| BankItem {
            id: self.label(run),
            link: Some(format!("/runs/{}", run.run)),
            score: run.score.map(|score| score as f64 / 1_000.0),
            status: run
                .status
                .as_deref()
                .unwrap_or(run.state.name())
                .replace('_', " "),
            open: None,
        });
        let items = items.collect();
        // One line in the chart, where one threshold holds for all.
        let accepts: Option<Vec<f64>> = shares().map(|(_, share)| share.accept).collect();
        let accept = accepts.and_then(|all| {
            let first = *all.first()?;
            let is_one = all.iter().all(|one| (one - first).abs() < 1e-9);
            is_one.then_some(first)
        });
        Ok(BankInput {
            what: self.what,
            data,
            items,
            thresholds: Thresholds {
                accept,
                ..Thresholds::default()
            },
        })
    }

    /// Keys, lengths, levels, duplicates and findings of the items.
    fn statistics(&self) -> Result<BankData, Problem> {
        let mut sheet = Sheet::default();
        let mut profile: Option<&ItemProfile> = None;
        for (run, share) in &self.runs {
            if let Some(own) = share.as_ref().and_then(|share| share.sheet.clone()) {
                sheet.add(own);
                profile = profile.or(item_profile(run));
            }
        }
        let Some(profile) = profile else {
            return Ok(BankData::default());
        };
        let parameters = profile.parameters();
        let report = serde_json::to_value(report("", &sheet, parameters));
        let data = report.and_then(serde_json::from_value);
        let mut data: BankData = data.map_err(|error| Problem::internal(&error))?;
        data.items = 0;
        // Each item is a document of its own, so its line says nothing.
        data.duplicates = sheet
            .duplicates_between_files(parameters)
            .into_iter()
            .map(|pair| DuplicateData {
                first: self.label_of(&pair.first.path),
                second: self.label_of(&pair.second.path),
                likeness: pair.likeness,
            })
            .collect();
        Ok(data)
    }

    /// Lessons and cards that are nearly the same.
    fn similar_texts(&self) -> Vec<DuplicateData> {
        let parameters = MCQ.parameters();
        let least = parameters.number("duplicate-items", "least-likeness");
        let prints: Vec<Option<Fingerprint>> = self
            .runs
            .iter()
            .map(|(_, share)| share.as_ref()?.fingerprint.clone())
            .collect();
        let label = |at: usize| self.runs.get(at).map(|(run, _)| self.label(run));
        similar::pairs(&prints, least)
            .into_iter()
            .filter_map(|pair| {
                Some(DuplicateData {
                    first: label(pair.first)?,
                    second: label(pair.second)?,
                    likeness: pair.likeness,
                })
            })
            .collect()
    }

    fn label(&self, run: &RunInfo) -> String {
        self.label_of(&run.name)
    }

    /// What a document is called: an item of one bank by its id alone.
    fn label_of(&self, name: &str) -> String {
        let label = match self.what {
            Gathered::Bank => name.rsplit('#').next().unwrap_or(name),
            Gathered::Course => name,
        };
        label.to_owned()
    }
}

/// The profile of an item; `None` for other documents.
fn item_profile(run: &RunInfo) -> Option<&'static ItemProfile> {
    [&CLINICAL_MCQ, &MCQ]
        .into_iter()
        .find(|profile| profile.id().0 == run.profile)
}

/// Adds how many documents have each name, and puts the most frequent first.
fn add_counts<'a>(counts: &mut Vec<CountData>, all: impl Iterator<Item = &'a BTreeSet<String>>) {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for one in counts.drain(..) {
        *found.entry(one.name).or_default() += one.items;
    }
    for name in all.flatten() {
        *found.entry(name.clone()).or_default() += 1;
    }
    counts.extend(
        found
            .into_iter()
            .map(|(name, items)| CountData { name, items }),
    );
    counts.sort_by_key(|one| std::cmp::Reverse(one.items));
}

/// What each run adds; nothing, where nothing is known yet.
async fn shares(
    app: &App,
    caller: &Caller,
    runs: &[RunInfo],
) -> Result<Vec<Option<Arc<Share>>>, Problem> {
    let mut found: HashMap<&str, Arc<Share>> = HashMap::new();
    let mut unread: Vec<&RunInfo> = Vec::new();
    for run in runs {
        match app.0.course.get(run) {
            Some(share) => {
                found.insert(&run.run, share);
            }
            None if item_profile(run).is_some() => {
                let share = Arc::new(of_item(app, run).await?);
                app.0.course.put(run, &share);
                found.insert(&run.run, share);
            }
            None if run.state == RunState::Done => unread.push(run),
            None => {}
        }
    }
    for chunk in unread.chunks(CHUNK) {
        let ids: Vec<String> = chunk.iter().map(|run| run.run.clone()).collect();
        let done = app.store().done_runs(&caller.tenant, &ids).await?;
        let hashes: Vec<String> = done.iter().map(|run| run.document.clone()).collect();
        let blobs = app.store().blobs(&caller.tenant, &hashes).await?;
        let read = tokio::task::spawn_blocking(move || {
            let read = done.iter().map(|run| {
                let before = blobs.get(&run.document).map(Vec::as_slice);
                Ok((run.run.clone(), of_text(run, before.unwrap_or_default())?))
            });
            read.collect::<Result<Vec<_>, serde_json::Error>>()
        });
        let read = read.await.map_err(|error| Problem::internal(&error))?;
        for (id, share) in read.map_err(|error| Problem::internal(&error))? {
            if let Some(run) = chunk.iter().find(|run| run.run == id) {
                let share = Arc::new(share);
                app.0.course.put(run, &share);
                found.insert(&run.run, share);
            }
        }
    }
    Ok(runs
        .iter()
        .map(|run| found.get(run.run.as_str()).cloned())
        .collect())
}

/// What a lesson or a set of cards adds, from its outcome.
fn of_text(run: &DoneRun, before: &[u8]) -> Result<Share, serde_json::Error> {
    let data: RunData = serde_json::from_str(&run.outcome)?;
    let after = data.final_content.as_ref();
    let after = after.map(bytes_json::deserialize).transpose()?;
    let text = String::from_utf8_lossy(after.as_deref().unwrap_or(before));
    Ok(Share {
        findings: counted(
            data.findings
                .iter()
                .map(|finding| finding.severity.as_str()),
        ),
        flaws: data
            .findings
            .iter()
            .map(|finding| finding.name.clone())
            .collect(),
        issues: criteria(&data),
        fingerprint: similar::fingerprint_of_text(&text),
        ..Share::default()
    })
}

/// What an item adds: its text as it stands, checked and counted.
async fn of_item(app: &App, run: &RunInfo) -> Result<Share, Problem> {
    let stored = app.store().recorded(&run.run).await?;
    let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
    let workshop = Arc::clone(&app.parts().workshop);
    let name = run.name.clone();
    let read = tokio::task::spawn_blocking(move || {
        let machine = workshop.machine(&stored.header, &blobs)?;
        let setup = machine.setup();
        let outcome = stored.recorded.outcome;
        let data: RunData = outcome
            .map(serde_json::from_value)
            .transpose()
            .map_err(|error| Problem::internal(&error))?
            .unwrap_or_default();
        let after = data.final_content.as_ref();
        let after = after.map(bytes_json::deserialize).transpose();
        let after = after.map_err(|error| Problem::internal(&error))?;
        let changed = after.map(|bytes| setup.inspector.inspect(bytes));
        let inspected = changed.as_ref().unwrap_or(&setup.inspected);
        let severities = inspected.findings.iter().map(|one| one.severity.name());
        Ok::<_, Problem>(Share {
            sheet: Sheet::of(
                &name,
                &inspected.document,
                &inspected.findings,
                Use::InFolder,
            ),
            findings: counted(severities),
            flaws: inspected
                .findings
                .iter()
                .map(|one| one.check.name.to_owned())
                .collect(),
            issues: criteria(&data),
            fingerprint: None,
            accept: Some(f64::from(setup.policy.accept.thousandths()) / 1_000.0),
        })
    });
    read.await.map_err(|error| Problem::internal(&error))?
}

fn criteria(data: &RunData) -> BTreeSet<String> {
    let issues = data.issues.iter();
    issues
        .map(|issue| issue.criterion.replace('_', " "))
        .collect()
}

fn counted<'a>(severities: impl Iterator<Item = &'a str>) -> FindingCounts {
    let mut counts = FindingCounts::default();
    for severity in severities {
        match severity {
            "error" => counts.errors += 1,
            "warning" => counts.warnings += 1,
            _ => counts.infos += 1,
        }
    }
    counts
}
