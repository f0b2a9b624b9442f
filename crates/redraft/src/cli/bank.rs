//! A bank of items, judged or repaired item by item: split into its items, each with a
//! run and a journal of its own, and put together again. Only the bytes of changed
//! items differ then, and one receipt covers the whole file.
//!
//! It knows nothing of models and of how an item is decided on.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::format;
use redraft_gate::reading::{FormKind, Trouble};
use redraft_gate::receipt::{self, ReceiptEdit, Receipts, ServedEdit, Step};
use redraft_gate::span::{ComponentId, Span};
use redraft_profiles::items::counting::Base;
use redraft_profiles::items::model::Bank;
use redraft_run::outcome::{Outcome, Status};
use redraft_run::setup::Goal;
use redraft_text::encoding::Encoding;
use redraft_text::lines::LineIndex;

use super::inputs::Inputs;
use super::jobs::{Job, JobInput, JobResult};
use super::output::shown;
use crate::config::nearest;
use crate::files::ContentFile;
use crate::inspection::{Inspector, path_text};
use redraft_report::count::counted;
use redraft_report::judge_report::{Judged, RefinedBank};
use redraft_report::plain;

/// A bank that was read.
pub(super) struct BankFile {
    pub(super) path: PathBuf,
    document: Document,
    items: Vec<BankItem>,
    /// The lines of values that are not items.
    not_items: Vec<usize>,
    /// Whether all its items are meant, rather than some that the user chose.
    is_whole: bool,
    /// What its items are read as.
    profile: &'static str,
    /// What keys that are numbers count from, which one item does not show.
    index_base: Option<u8>,
    /// What an item needs before it to be read alone, in bytes: the header of a table.
    head: Range<usize>,
}

/// The repaired items that are put into their bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TakenItems {
    #[default]
    All,
    /// Those that were accepted; the others stay as they were.
    Accepted,
}

/// How the run of an item ended, as far as its bank needs it.
pub(super) struct ItemEnd<'a> {
    pub(super) is_accepted: bool,
    /// The new text, if there is one.
    pub(super) content: Option<&'a [u8]>,
    pub(super) receipts: Option<&'a Receipts>,
}

impl<'a> ItemEnd<'a> {
    fn of(outcome: &'a Outcome) -> Self {
        Self {
            is_accepted: matches!(outcome.status, Status::Accepted | Status::AcceptedWarning),
            content: outcome.final_content.as_deref(),
            receipts: outcome.receipts.as_ref(),
        }
    }
}

struct BankItem {
    id: ComponentId,
    /// Its bytes in the file.
    range: Range<usize>,
}

impl BankItem {
    /// Where an offset of the item as a document of its own stands in the file.
    fn in_file(&self, offset: usize, head: usize) -> anyhow::Result<usize> {
        offset
            .checked_sub(head)
            .map(|offset| self.range.start + offset)
            .context("internal error, please report it: an edit of an item changes the header")
    }
}

impl BankFile {
    /// The bank in these bytes; `None` if they are not a bank, or cannot be split
    /// (in UTF-16, a range of the file is not a file).
    pub(super) fn of(inspector: &Inspector, path: &Path, bytes: Vec<u8>) -> Option<Self> {
        let (profile, document) = inspector.parse_as(path, bytes).ok()?;
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
        let not_items = lines_of_others(&document, bank);
        let head = match document.form() {
            FormKind::Bank(format) => {
                let columns = inspector.columns.as_deref();
                redraft_banks::cut_with(document.source().text(), format, columns)?.head
            }
            _ => 0..0,
        };
        Some(Self {
            path: path.to_owned(),
            items,
            not_items,
            is_whole: true,
            profile: profile.id().0,
            index_base: bank.index_base.map(Base::number),
            head: document.span(head).range(),
            document,
        })
    }

    /// The same with these items alone; the others stay as they are.
    pub(super) fn only(mut self, chosen: &[String]) -> anyhow::Result<Self> {
        choose(&self.path, &self.document, chosen)?;
        if !chosen.is_empty() {
            self.items.retain(|item| chosen.contains(&item.id.0));
            self.is_whole = false;
        }
        Ok(self)
    }

    /// The inputs of its items: each is read as the whole bank is.
    pub(super) fn inputs_of_items(&self, inputs: &Inputs) -> Inputs {
        Inputs {
            profile: Some(self.profile.to_owned()),
            index_base: self.index_base.or(inputs.index_base),
            format_in: self
                .document
                .form()
                .bank_format()
                .map(|format| format.name().to_owned())
                .or_else(|| inputs.format_in.clone()),
            ..inputs.clone()
        }
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// What is wrong with it as a bank, so that to judge its items is not to judge all of it:
    /// values that are not items, and errors outside of them, such as a question without an
    /// answer.
    pub(super) fn trouble(&self, inspector: &Inspector) -> Option<String> {
        if !self.is_whole {
            return None;
        }
        let troubles = [
            other_values(&self.path, &self.not_items),
            self.errors_outside(inspector),
        ];
        let troubles: Vec<String> = troubles.into_iter().flatten().collect();
        (!troubles.is_empty()).then(|| troubles.join("\n"))
    }

    /// The errors of the free checks that stand in none of its items.
    fn errors_outside(&self, inspector: &Inspector) -> Option<String> {
        const MOST: usize = 3;
        let inspection = inspector.inspect(&self.path, self.bytes().to_vec()).ok()?;
        let Inspected { document, findings } = inspection.inspected;
        let bank = document.model::<Bank>()?;
        let others = bank.not_items.iter();
        let known: Vec<Range<usize>> = others
            .map(|range| document.span(range.clone()).range())
            .chain(self.items.iter().map(|item| item.range.clone()))
            .collect();
        let is_known = |at: usize| known.iter().any(|range| range.contains(&at));
        let errors: Vec<&Finding> = findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .filter(|finding| !is_known(finding.span.range().start))
            .collect();
        if errors.is_empty() {
            return None;
        }
        let lines = LineIndex::new(document.source().text());
        let mut shown_errors: Vec<String> = errors
            .iter()
            .take(MOST)
            .map(|finding| {
                let at = document.source().text_range(finding.span).start;
                format!(
                    "line {}: {} ({})",
                    lines.line_column(at).0,
                    finding.message,
                    finding.check.name
                )
            })
            .collect();
        if let Some(more) = errors.len().checked_sub(MOST).filter(|more| *more > 0) {
            shown_errors.push(format!("and {}", counted(more, "more error")));
        }
        Some(format!(
            "{}: not all of it could be judged: {}",
            shown(&self.path),
            shown_errors.join("; ")
        ))
    }

    /// A note on the questions of other kinds, which are neither checked nor judged.
    pub(super) fn not_judged(&self) -> Option<String> {
        let recovered = self.document.recovered();
        let others: Vec<usize> = recovered
            .iter()
            .filter(|one| matches!(one.what, Trouble::OtherQuestion(_)))
            .map(|one| one.range.start)
            .collect();
        if others.is_empty() || !self.is_whole {
            return None;
        }
        let lines = LineIndex::new(self.document.source().text());
        let places: Vec<usize> = others.iter().map(|at| lines.line_column(*at).0).collect();
        let are = if places.len() == 1 { "is" } else { "are" };
        Some(format!(
            "note: {}: {} {are} not multiple-choice and {are} not judged, on {}",
            shown(&self.path),
            counted(places.len(), "question"),
            listed_lines(&places),
        ))
    }

    /// Its items as documents of their own: `bank.jsonl#item_3`, and their bytes.
    pub(super) fn inputs(&self) -> impl Iterator<Item = JobInput> + '_ {
        self.items.iter().map(|item| {
            let mut path = self.path.clone().into_os_string();
            path.push(format!("#{}", item.id));
            JobInput {
                path: PathBuf::from(path),
                bytes: self.bytes_of(item),
            }
        })
    }

    /// The bytes of an item as a document of its own.
    fn bytes_of(&self, item: &BankItem) -> Vec<u8> {
        [self.head.clone(), item.range.clone()]
            .into_iter()
            .flat_map(|range| self.bytes().get(range).unwrap_or_default())
            .copied()
            .collect()
    }

    fn bytes(&self) -> &[u8] {
        self.document.source().bytes()
    }

    /// The bank with the results of its items. `done` has one for each item, in their
    /// order.
    pub(super) fn put_together(
        &self,
        inspector: &Inspector,
        done: &[ItemEnd<'_>],
        taken: TakenItems,
    ) -> anyhow::Result<RefinedBank> {
        let version = self.document.source().version();
        let is_left = |end: &ItemEnd<'_>| {
            taken == TakenItems::Accepted && !end.is_accepted && end.content.is_some()
        };
        let mut served = Vec::new();
        for (item, end) in self.items.iter().zip(done) {
            if is_left(end) {
                continue;
            }
            for edit in self.edits_of(item, end)? {
                let span = Span {
                    start: item.in_file(edit.start, self.head.len())?,
                    end: item.in_file(edit.end, self.head.len())?,
                    version,
                };
                served.push(ServedEdit {
                    component: item.id.clone(),
                    edit: Edit {
                        span,
                        text: edit.inserted.clone(),
                    },
                    task: format!("{}: {}", item.id, edit.tasks.join(", ")),
                });
            }
        }
        let edits: Vec<Edit> = served.iter().map(|served| served.edit.clone()).collect();
        let content = edit::apply(self.bytes(), version, &edits).context(
            "internal error, please report it: the edits of the items do not fit the bank",
        )?;
        let result = inspector.parse(&self.path, content.clone())?;
        let receipts = receipt::receipts(&self.document, &result, &[Step { edits: served }])?;
        let count =
            |is_it: &dyn Fn(&ItemEnd<'_>) -> bool| done.iter().filter(|end| is_it(end)).count();
        Ok(RefinedBank {
            path: path_text(&self.path),
            items: self.items.len(),
            not_items: self.not_items.len(),
            passed: count(&|end| end.is_accepted && end.content.is_none()),
            corrected: count(&|end| end.is_accepted && end.content.is_some()),
            needs_human_review: count(&|end| !end.is_accepted),
            left_out: count(&is_left),
            input: version,
            is_changed: content != self.bytes(),
            content,
            receipts,
        })
    }

    /// The same for a bank of which one item was resumed alone.
    pub(super) fn with_item(
        &self,
        inspector: &Inspector,
        outcome: &Outcome,
        taken: TakenItems,
    ) -> anyhow::Result<JobResult> {
        let report = self.put_together(inspector, &[ItemEnd::of(outcome)], taken)?;
        Ok(JobResult::Bank(Box::new(report)))
    }

    /// The edits in an item's receipts, verified: applied to its bytes in the file they
    /// give its result.
    fn edits_of<'o>(
        &self,
        item: &BankItem,
        end: &ItemEnd<'o>,
    ) -> anyhow::Result<&'o [ReceiptEdit]> {
        let Some(content) = end.content else {
            return Ok(&[]);
        };
        let Some(receipts) = end.receipts else {
            bail!("{}#{} has no receipts", shown(&self.path), item.id);
        };
        let before = self.bytes_of(item);
        let written = serde_json::to_value(receipts)?;
        if receipt::verify(&written, &before, content).is_err() {
            bail!(
                "internal error, please report it: the receipts of {}#{} do not fit",
                shown(&self.path),
                item.id
            );
        }
        Ok(&receipts.edits)
    }

    /// The result of the bank once all its items are done; `is_its` tells by their index which
    /// they are. The results of interrupted items give way to one for the bank.
    pub(super) fn result(
        &self,
        (goal, taken): (Goal, TakenItems),
        inputs: &Inputs,
        all: &mut Vec<(usize, JobResult)>,
        is_its: impl Fn(usize) -> bool,
    ) -> anyhow::Result<Option<JobResult>> {
        let mut done: Vec<(usize, &Judged)> = all
            .iter()
            .filter(|(index, _)| is_its(*index))
            .filter_map(|(index, result)| match result {
                JobResult::Judged(judged) => Some((*index, judged.as_ref())),
                _ => None,
            })
            .collect();
        if done.len() < self.len() {
            let done = done.len();
            let before = all.len();
            all.retain(|(index, result)| {
                let is_open = matches!(
                    result,
                    JobResult::Interrupted { .. } | JobResult::NotStarted { .. }
                );
                !(is_its(*index) && is_open)
            });
            return Ok(Some(JobResult::UnfinishedBank {
                bank: self.path.clone(),
                done,
                items: self.len(),
                interrupted: all.len() < before,
            }));
        }
        if goal != Goal::Refine {
            return Ok(None);
        }
        done.sort_by_key(|(index, _)| *index);
        let done: Vec<ItemEnd<'_>> = done
            .into_iter()
            .map(|(_, judged)| ItemEnd::of(&judged.outcome))
            .collect();
        let report = self.put_together(&inputs.inspector()?, &done, taken)?;
        Ok(Some(JobResult::Bank(Box::new(report))))
    }
}

/// Whether a bank has the items that the user chose with `FILE#ID`.
///
/// # Errors
/// When it has not, or is not a bank.
pub(super) fn choose(path: &Path, document: &Document, chosen: &[String]) -> anyhow::Result<()> {
    let Some(first) = chosen.first() else {
        return Ok(());
    };
    let Some(bank) = document.model::<Bank>().filter(|bank| bank.is_bank) else {
        return Err(not_a_bank(path, first));
    };
    let ids: Vec<&str> = ids_of(document, bank).collect();
    let Some(missing) = chosen.iter().find(|name| !ids.contains(&name.as_str())) else {
        return Ok(());
    };
    let near = match nearest(missing, ids.iter().copied()) {
        Some(near) => format!("did you mean {}?", plain::words(near)),
        None => format!("it has {}", counted(ids.len(), "item")),
    };
    bail!(
        "{}: no item `{}`; {near}",
        shown(path),
        plain::words(missing)
    )
}

/// The ids of the items of a bank.
pub(super) fn item_ids(document: &Document) -> BTreeSet<String> {
    let bank = document.model::<Bank>();
    bank.map(|bank| ids_of(document, bank).map(str::to_owned).collect())
        .unwrap_or_default()
}

fn ids_of<'d>(document: &'d Document, bank: &'d Bank) -> impl Iterator<Item = &'d str> {
    let components = document.components();
    let items = bank.items.iter();
    items.filter_map(|item| Some(components.get(item.component)?.id.0.as_str()))
}

fn not_a_bank(path: &Path, item: &str) -> anyhow::Error {
    anyhow!(
        "{}: not a bank that can be split into items; name it without #{}",
        shown(path),
        plain::words(item)
    )
}

/// The lines of the values of a bank that are not items.
pub(super) fn lines_of_others(document: &Document, bank: &Bank) -> Vec<usize> {
    if bank.not_items.is_empty() {
        return Vec::new();
    }
    let lines = LineIndex::new(document.source().text());
    let starts = bank.not_items.iter().map(|range| range.start);
    starts.map(|start| lines.line_column(start).0).collect()
}

/// That a bank has values that are not items, in a sentence.
pub(super) fn other_values(path: &Path, lines: &[usize]) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    let what = if lines.len() == 1 {
        "1 value is not an item, on".to_owned()
    } else {
        format!("{} values are not items, on", lines.len())
    };
    Some(format!(
        "{}: {what} {}; `redraft check` shows {}",
        shown(path),
        listed_lines(lines),
        if lines.len() == 1 { "it" } else { "them" }
    ))
}

/// The first of these lines, in words.
fn listed_lines(lines: &[usize]) -> String {
    const MOST: usize = 10;
    let mut places: Vec<String> = lines.iter().take(MOST).map(ToString::to_string).collect();
    if lines.len() > MOST {
        places.push("…".to_owned());
    }
    let word = if lines.len() == 1 { "line" } else { "lines" };
    format!("{word} {}", places.join(", "))
}

/// Splits banks into their items; every other file is one job.
pub(super) fn split(
    goal: Goal,
    inspector: &Inspector,
    files: Vec<ContentFile>,
) -> anyhow::Result<(Vec<Job>, Vec<BankFile>)> {
    let (mut all, mut banks) = (Vec::new(), Vec::new());
    for file in files {
        let whole = |file: &ContentFile| match file.items.first() {
            None => Ok(()),
            Some(item) => Err(not_a_bank(&file.path, item)),
        };
        let may_be_bank = file
            .path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(format::may_be_bank);
        // The free stages take a file as a whole.
        if goal == Goal::Free || !(may_be_bank || file.is_stdin()) {
            whole(&file)?;
            all.push(Job::File(file, None));
            continue;
        }
        // What cannot be read is told when its turn comes.
        let Ok(bytes) = file.read(&inspector.config.limits()) else {
            all.push(Job::File(file, None));
            continue;
        };
        let kept = file.is_stdin().then(|| bytes.clone());
        let Some(bank) = BankFile::of(inspector, &file.path, bytes) else {
            whole(&file)?;
            all.push(Job::File(file, kept));
            continue;
        };
        let bank = bank.only(&file.items)?;
        let number = banks.len();
        all.extend(bank.inputs().map(|input| Job::Item {
            bank: number,
            input,
        }));
        banks.push(bank);
    }
    Ok((all, banks))
}
