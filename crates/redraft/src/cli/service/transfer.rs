//! Moving a run between the service and a journal file of the command line.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};
use redraft_engine::journal::{Header, Journal, Recorded};
use redraft_engine::replay::{self, Replayed};
use redraft_run::ask::Time;
use redraft_run::policy::Mode;
use redraft_run::run::Run;
use redraft_run::setup::Goal;
use redraft_service::store::{NewRun, Store};
use redraft_service::workshop::OrderGoal;
use serde_json::json;

use super::workshop;
use crate::cli::output::shown;
use crate::cli::record::Record;
use crate::cli::replay::decides_alike;
use crate::cli::runs;

/// Writes a run of the store as a journal, for `redraft replay`.
pub(super) async fn export(store: &Store, run: &str, to: &Path) -> anyhow::Result<String> {
    if store.tenant_of(run).await?.is_none() {
        bail!("run {run} not found");
    }
    let stored = store.recorded(run).await?;
    let blobs = store.blobs(&stored.tenant, &stored.blobs).await?;
    let record = workshop::restored(&stored.header, &blobs)?;
    let header = Header {
        setup: record.header(run, stored.header.started, to)?.setup,
        ..stored.header
    };
    let mut lines = serde_json::to_string(&header)? + "\n";
    let recorded = stored.recorded;
    let inputs = recorded.inputs.iter().map(|input| json!({"input": input}));
    let events = recorded.events.iter().map(|event| json!({"event": event}));
    let outcome = recorded
        .outcome
        .iter()
        .map(|outcome| json!({"outcome": outcome}));
    for line in inputs.chain(events).chain(outcome) {
        lines += &(line.to_string() + "\n");
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| shown(folder))?;
    }
    let mut file = std::fs::File::create_new(to).with_context(|| shown(to))?;
    file.write_all(lines.as_bytes())
        .and_then(|()| file.sync_all())
        .with_context(|| shown(to))?;
    Ok(format!("saved to {}\n", shown(to)))
}

/// Stores the run of a journal for a tenant. Whoever can write the database answers for
/// where the journal comes from; an outcome that its record does not lead to is refused, and
/// none is ever signed.
pub(super) async fn import(
    store: &Store,
    from: &Path,
    tenant: &str,
    now: Time,
) -> anyhow::Result<String> {
    let (header, recorded) = Journal::read(from)?;
    let record = Record::of(&header, from)?;
    let recorded = with_its_outcome(&header, &record, recorded)?;
    let prepared = workshop::prepared(&record, &header.run, header.started)?;
    let goal = match record.goal {
        Goal::Free => OrderGoal::Check,
        Goal::Judge => OrderGoal::Judge,
        Goal::Refine => OrderGoal::Refine,
        Goal::Write => OrderGoal::Write,
    };
    let mode = match record.mode {
        Mode::FullAuto => "full-auto",
        Mode::SemiAuto => "semi-auto",
    };
    let state = if recorded.outcome.is_some() {
        "done"
    } else {
        "queued"
    };
    let run = NewRun {
        id: header.run.clone(),
        tenant: tenant.to_owned(),
        goal: goal.name().to_owned(),
        profile: prepared.profile,
        mode: mode.to_owned(),
        name: prepared.name,
        batch: None,
        priority: 0,
        order_hash: prepared.document.hash.clone(),
        header: Header {
            setup: prepared.header.setup,
            ..header
        },
        document: prepared.document,
        companions: prepared.companions,
        submitted_by: "import".to_owned(),
        idempotency: None,
        is_imported: true,
    };
    // Who imports a journal answers for it (ruling 68).
    let text = format!(
        "{}imported run {} of {}: {state}\n",
        runs::origin(from)?,
        run.id,
        run.name
    );
    store.import(run, recorded, now).await?;
    Ok(text)
}

/// What was recorded, with the outcome that follows from it.
fn with_its_outcome(
    header: &Header,
    record: &Record,
    recorded: Recorded,
) -> anyhow::Result<Recorded> {
    let Some(told) = &recorded.outcome else {
        return Ok(recorded);
    };
    let run = Run::new(record.setup(&header.run)?, header.started);
    let outcome = match replay::replay(run, &recorded)?.0 {
        Replayed::Outcome(outcome) => Some(serde_json::to_value(&*outcome)?),
        Replayed::EndsAt { .. } => None,
    };
    match outcome.filter(|outcome| decides_alike(outcome, told)) {
        Some(outcome) => Ok(Recorded {
            outcome: Some(outcome),
            ..recorded
        }),
        None => bail!(
            "the recorded outcome of run {} does not follow from its journal; nothing was imported. Run `redraft replay` for details",
            header.run
        ),
    }
}
