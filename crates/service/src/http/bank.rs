//! A bank whose items were submitted together, as it is shown: the statistics of the free
//! checks over all items, and the scores of those that were judged.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_report::bank::report;
use redraft_report::html::{self, BankData, BankInput, BankItem, Thresholds};

use super::App;
use super::problem::Problem;
use super::views::{fragment, rendered};
use crate::store::{Caller, Filter, RunInfo, Stored};

/// As many items as a bank may have.
const MOST: i64 = 1_000;

pub(super) async fn view(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    Path(batch): Path<String>,
) -> Result<Response, Problem> {
    let filter = Filter {
        batch: Some(batch),
        limit: MOST,
        ..Filter::default()
    };
    let mut runs = app.store().list(&caller.tenant, &filter).await?.runs;
    // The latest run of an item comes first.
    let mut names = HashSet::new();
    runs.retain(|run| names.insert(run.name.clone()));
    let Some(first) = runs.first() else {
        return Err(Problem::not_found("bank not found"));
    };
    let path = first.name.split('#').next().unwrap_or_default().to_owned();
    let (sheet, accept) = statistics(&app, &runs).await?;
    let items: Vec<BankItem> = runs.iter().map(item).collect();
    let made = rendered(move || {
        html::bank(&BankInput {
            data: BankData { path, ..sheet },
            items,
            thresholds: Thresholds {
                accept,
                ..Thresholds::default()
            },
        })
    });
    Ok(fragment(Some(made.await?)))
}

fn item(run: &RunInfo) -> BankItem {
    BankItem {
        id: id_of(run).to_owned(),
        anchor: None,
        score: run.score.map(|score| score as f64 / 1_000.0),
        status: run
            .status
            .as_deref()
            .unwrap_or(run.state.name())
            .replace('_', " "),
        open: None,
    }
}

fn id_of(run: &RunInfo) -> &str {
    run.name.rsplit('#').next().unwrap_or(&run.name)
}

/// What the checks say of all items together, and from which score on they are accepted.
async fn statistics(app: &App, runs: &[RunInfo]) -> Result<(BankData, Option<f64>), Problem> {
    let mut sheet = Sheet::default();
    let mut accept = None;
    let mut parameters = None;
    for run in runs {
        let stored: Stored = app.store().recorded(&run.run).await?;
        let blobs = app.store().blobs(&stored.tenant, &stored.blobs).await?;
        let workshop = Arc::clone(&app.parts().workshop);
        let id = id_of(run).to_owned();
        let read = tokio::task::spawn_blocking(move || {
            let machine = workshop.machine(&stored.header, &blobs)?;
            let setup = machine.setup();
            let inspected = &setup.inspected;
            let one = Sheet::of(&id, &inspected.document, &inspected.findings, Use::InFolder);
            let accept = f64::from(setup.policy.accept.thousandths()) / 1_000.0;
            Ok::<_, Problem>((one, accept, setup.profile.parameters()))
        });
        let (one, from, figures) = read.await.map_err(|error| Problem::internal(&error))??;
        if let Some(one) = one {
            sheet.add(one);
        }
        accept = Some(from);
        parameters.get_or_insert(figures);
    }
    let Some(parameters) = parameters else {
        return Ok((BankData::default(), accept));
    };
    let report = serde_json::to_value(report("", &sheet, parameters));
    let data = report.and_then(serde_json::from_value);
    let mut data: BankData = data.map_err(|error| Problem::internal(&error))?;
    for item in &mut data.worst {
        // Each item is a document of its own, under its id.
        item.id = std::mem::take(&mut item.path);
        item.line = 0;
    }
    Ok((data, accept))
}
