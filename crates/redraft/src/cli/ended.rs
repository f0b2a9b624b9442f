//! Finished runs: what their journals say, decided again.

use std::path::Path;

use anyhow::bail;
use redraft_engine::journal::{Header, Recorded};
use redraft_engine::replay::{self, Replayed};
use redraft_report::fallbacks::FallbackRecorder;
use redraft_report::judge_report::{Judged, Undisputed};
use redraft_report::seeds::{Seed, SeedContext};
use redraft_run::run::Run;

use super::output::shown;
use super::record::Record;
use crate::inspection::path_text;

/// How a finished run ended, decided again from its journal; no model is asked.
pub(super) fn ended(
    journal: &Path,
    header: &Header,
    recorded: &Recorded,
) -> anyhow::Result<Judged> {
    let record = Record::of(header, journal)?;
    let run = Run::new(record.setup(&header.run)?, header.started);
    let ground = SeedContext::of(run.setup());
    let solver = run.setup().policy.solver;
    let mut fallbacks = FallbackRecorder::of(run.setup());
    let (Replayed::Outcome(outcome), events) = replay::replay(run, recorded)? else {
        bail!(
            "{}: the recorded run ended here, but this version of redraft would continue; use the version that recorded it, or run the command again",
            shown(journal)
        );
    };
    events.iter().for_each(|event| fallbacks.record(event));
    Ok(Judged {
        path: path_text(&record.path),
        run: header.run.clone(),
        journal: path_text(journal),
        saved: None,
        already_done: None,
        original: record.bytes,
        seed: Seed::of(&outcome, &ground),
        undisputed: Undisputed::of(&outcome, &ground),
        solver,
        fallbacks: fallbacks.finish(),
        outcome: *outcome,
    })
}
