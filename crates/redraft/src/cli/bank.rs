//! A bank of items, worked on item by item: cut into its items, each of which has
//! a run and a journal of its own, and put together again. Only the bytes of items
//! that were changed are others then, and one receipt says so for the whole file.
//!
//! It knows nothing of models and of how an item is decided on.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::receipt::{self, ReceiptEdit, ServedEdit, Step};
use redraft_gate::span::{ComponentId, Span};
use redraft_profiles::clinical_mcq::model::Bank;
use redraft_run::outcome::{Outcome, Status};
use redraft_text::encoding::Encoding;

use super::check::shown;
use super::work::Piece;
use crate::inspection::Inspector;
use redraft_report::verdict::{BankReport, Judged};

/// A bank that was read.
pub(super) struct BankFile {
    pub(super) path: PathBuf,
    document: Document,
    items: Vec<BankItem>,
}

struct BankItem {
    id: ComponentId,
    /// Its bytes in the file.
    range: Range<usize>,
}

impl BankFile {
    /// The bank in these bytes; `None` where they are no bank, or cannot be cut
    /// (an encoding in which a piece of the file is no file).
    pub(super) fn of(inspector: &Inspector, path: &Path, bytes: Vec<u8>) -> Option<Self> {
        let document = inspector.parse(path, bytes).ok()?;
        let bank = document.model::<Bank>()?;
        let is_plain = matches!(
            document.source().encoding(),
            Encoding::Utf8 | Encoding::Utf8WithBom
        );
        if !bank.is_bank || bank.items.is_empty() || !is_plain {
            return None;
        }
        let items = bank
            .items
            .iter()
            .map(|item| {
                Some(BankItem {
                    id: document.components().get(item.component)?.id.clone(),
                    range: document.span(item.range.clone()).range(),
                })
            })
            .collect::<Option<_>>()?;
        Some(Self {
            path: path.to_owned(),
            items,
            document,
        })
    }

    /// How many items it has.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Its items as documents of their own: `bank.jsonl#item_3`, and their bytes.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        self.items.iter().map(|item| {
            let mut path = self.path.clone().into_os_string();
            path.push(format!("#{}", item.id));
            Piece {
                path: PathBuf::from(path),
                bytes: self
                    .bytes()
                    .get(item.range.clone())
                    .unwrap_or_default()
                    .to_vec(),
                named: true,
            }
        })
    }

    fn bytes(&self) -> &[u8] {
        self.document.source().bytes()
    }

    /// The bank after its items were worked on. `done` is in the order of the
    /// items, one for each.
    pub(super) fn put_together(
        &self,
        inspector: &Inspector,
        done: &[&Judged],
    ) -> anyhow::Result<BankReport> {
        let version = self.document.source().version();
        let mut served = Vec::new();
        for (item, judged) in self.items.iter().zip(done) {
            let edits = self.edits_of(item, &judged.outcome)?;
            served.extend(edits.iter().map(|edit| ServedEdit {
                component: item.id.clone(),
                edit: Edit {
                    span: Span {
                        start: item.range.start + edit.start,
                        end: item.range.start + edit.end,
                        version,
                    },
                    text: edit.inserted.clone(),
                },
                task: format!("{}: {}", item.id, edit.tasks.join(", ")),
            }));
        }
        let edits: Vec<Edit> = served.iter().map(|served| served.edit.clone()).collect();
        let content = edit::apply(self.bytes(), version, &edits)
            .context("the items do not fit their bank any more: a fault of ours")?;
        let result = inspector.parse(&self.path, content.clone())?;
        let receipts = receipt::receipts(&self.document, &result, &[Step { edits: served }])?;
        let count = |is_it: &dyn Fn(&Outcome) -> bool| {
            done.iter().filter(|judged| is_it(&judged.outcome)).count()
        };
        let is_good = |outcome: &Outcome| {
            matches!(outcome.status, Status::Accepted | Status::AcceptedWarning)
        };
        Ok(BankReport {
            path: shown(&self.path),
            items: self.items.len(),
            passed: count(&|outcome| is_good(outcome) && outcome.final_content.is_none()),
            corrected: count(&|outcome| is_good(outcome) && outcome.final_content.is_some()),
            needs_human_review: count(&|outcome| !is_good(outcome)),
            input: version,
            is_changed: content != self.bytes(),
            content,
            receipts,
        })
    }

    /// The edits of an item's receipts, which lead from its bytes in the file to
    /// its result, or to nothing that is believed.
    fn edits_of<'o>(
        &self,
        item: &BankItem,
        outcome: &'o Outcome,
    ) -> anyhow::Result<&'o [ReceiptEdit]> {
        let Some(content) = &outcome.final_content else {
            return Ok(&[]);
        };
        let Some(receipts) = &outcome.receipts else {
            bail!("{}#{} has no receipts", shown(&self.path), item.id);
        };
        let before = self.bytes().get(item.range.clone()).unwrap_or_default();
        let written = serde_json::to_value(receipts)?;
        if receipt::verify(&written, before, content).is_err() {
            bail!(
                "the receipts of {}#{} do not fit: a fault of ours",
                shown(&self.path),
                item.id
            );
        }
        Ok(&receipts.edits)
    }
}
