//! `--resume`: one run of a journal. An item is put into its bank as the bank is now.

use std::path::Path;

use anyhow::{Context as _, bail};
use redraft_engine::journal::Journal;
use redraft_report::judge_report::Judged;
use redraft_run::setup::Goal;

use super::{OnResult, Session};
use crate::cli::bank::BankFile;
use crate::cli::hints;
use crate::cli::jobs::JobResult;
use crate::cli::output::{self, complain, shown};
use crate::cli::record::Record;
use crate::files::{self, ContentFile};
use crate::inspection::{Inspector, file_of};

impl Session {
    pub(super) async fn resumed(
        &self,
        run: &Path,
        on_result: OnResult<'_>,
    ) -> anyhow::Result<Vec<JobResult>> {
        let mut result = self.resume(run, &mut |_| {}).await?;
        self.write_seed(&result, None)?;
        on_result(&mut result)?;
        let bank = match &result {
            JobResult::Judged(one) if self.goal == Goal::Refine => self.bank_with(one)?,
            _ => None,
        };
        let mut results = vec![result];
        if let Some(mut bank) = bank {
            on_result(&mut bank)?;
            results.push(bank);
        }
        Ok(results)
    }

    /// The bank of a resumed item, with its new text; `None` if it is not an item, or if its
    /// bank has the new text already or cannot be read again.
    fn bank_with(&self, one: &Judged) -> anyhow::Result<Option<JobResult>> {
        let path = Path::new(&one.path);
        let file = file_of(path);
        let Some(content) = &one.outcome.final_content else {
            return Ok(None);
        };
        if file == path {
            return Ok(None);
        }
        if output::is_stdout(file) {
            complain(&format!(
                "{} is an item of a bank that came from standard input; to put it into the bank, give the bank as a file",
                shown(path)
            ));
            return Ok(None);
        }
        let journal = Path::new(&one.journal);
        let (header, _) = Journal::read_for(journal, self.key.as_ref().ok())?;
        let record = Record::of(&header, journal)?;
        let inspector = record.given.inspector()?;
        let bank = bank_now(&inspector, path)?;
        let now = bank.inputs().next().map(|input| input.bytes);
        if now.as_ref() == Some(content) {
            complain(&format!("{} already has the repaired item", shown(file)));
            return Ok(None);
        }
        if now.as_ref() != Some(&record.bytes) {
            bail!(
                "{} changed on disk since the run and was not put into its bank; to refine it as it is now (add --policy or --rubric if the run had one), run\n  {}",
                shown(path),
                hints::anew(path, record.mode)
            );
        }
        Ok(Some(bank.with_item(
            &inspector,
            &one.outcome,
            self.taken,
        )?))
    }
}

/// The bank of `FILE#ID` as it is now, with this item alone.
fn bank_now(inspector: &Inspector, path: &Path) -> anyhow::Result<BankFile> {
    let config = &inspector.config;
    let mut files = files::gather(&[path.to_owned()], config, &[])?.files;
    let file: ContentFile = files
        .pop()
        .with_context(|| format!("{} no longer exists", shown(path)))?;
    let bytes = file.read(&config.limits())?;
    let bank = BankFile::of(inspector, &file.path, bytes);
    bank.with_context(|| format!("{} is no longer a bank", shown(&file.path)))?
        .only(&file.items)
}
