//! One file of `redraft check`: read, examined, fixed where that is asked for, and reported.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use redraft_banks::BankFormat;
use redraft_gate::content::Document;
use redraft_gate::finding::Finding;
use redraft_gate::fix::{Fixed, Inspected};
use redraft_gate::inspect::{Inspection, Reader};
use redraft_gate::policy::Parameters;
use redraft_gate::reading;
use redraft_gate::source::Source;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::registry;
use redraft_run::profile::Profile;

use super::bank as item_bank;
use super::options::{CheckOptions, Format};
use super::output::{self, is_stdout, shown};
use super::rebalance;
use super::unread;
use crate::baseline::Baseline;
use crate::files::{self, ContentFile, HardLinks};
use crate::fix_choice::FixChoice;
use crate::inspection::{FileInspection, Inspector, path_text};
use redraft_report::bank::BankReport;
use redraft_report::check_report::{
    self, Detail, DocumentReport, IgnoreCommentReport, SkippedFile,
};
use redraft_report::check_run::{Totals, UnreadableFile};
use redraft_report::check_text::{self, Amount};
use redraft_report::sarif::{self, Suppressed};
use redraft_report::{bank, columns, diff, plain};

/// The result for one file.
pub(super) enum Outcome {
    Checked(Box<Checked>),
    /// A companion in which something was found; it is no document.
    Companion(Box<Checked>),
    /// A file that is not content and need not be.
    Skipped(SkippedFile),
    Failed(UnreadableFile),
}

#[derive(Default)]
pub(super) struct Checked {
    pub(super) report: Option<DocumentReport>,
    pub(super) human: String,
    /// Results for SARIF, with `--format sarif`.
    pub(super) sarif: Vec<serde_json::Value>,
    pub(super) totals: Totals,
    pub(super) remarks: Vec<String>,
    /// The fixed text, if it is not written back to its file.
    pub(super) content: Option<Vec<u8>>,
    pub(super) baseline: Baseline,
    /// What it contributes to the bank that its folder forms.
    pub(super) sheet: Option<(PathBuf, Sheet)>,
}

/// What is reported of a version of a file besides its findings.
struct Outline {
    document: check_report::Outline,
    ignore_comments: Vec<IgnoreCommentReport>,
    bank: Option<BankReport>,
}

impl Outline {
    /// Adds the report to what is told of the file.
    fn report(self, checked: &mut Checked, findings: &[Finding]) {
        checked.report = Some(DocumentReport {
            ignore_comments: self.ignore_comments,
            bank: self.bank,
            ..self.document.report(findings)
        });
    }
}

pub(super) struct Task<'a> {
    pub(super) options: &'a CheckOptions,
    pub(super) inspector: &'a Inspector,
    pub(super) fixes: FixChoice,
    /// Whether keys are moved to other positions.
    pub(super) rebalances: bool,
}

impl Task<'_> {
    pub(super) fn check(&self, input: &ContentFile) -> Outcome {
        let failed = |message: String| {
            Outcome::Failed(UnreadableFile {
                path: path_text(&input.path),
                message,
            })
        };
        let is_listed = !input.named || self.options.files.skip_unknown;
        match unread::inspect(self.inspector, input) {
            Ok(inspection) => match only_items(inspection, input)
                .and_then(|inspection| self.examined(input, inspection))
            {
                Ok(checked) => Outcome::Checked(Box::new(checked)),
                Err(error) => failed(format!("{error:#}")),
            },
            Err(reason) if is_listed && reason.is_refusal() => {
                let config = &self.inspector.config;
                Outcome::Skipped(unread::skipped(config, &input.path, reason.in_short()))
            }
            Err(reason) => failed(reason.sentence(&input.path)),
        }
    }

    fn examined(&self, input: &ContentFile, inspection: FileInspection) -> anyhow::Result<Checked> {
        let path = path_text(&input.path);
        let mut checked = Checked::default();
        let Inspected { document, findings } = &inspection.inspected;
        if self.options.write_baseline.is_some() {
            checked.baseline.add(&path, document, findings);
        }
        if self.rebalances {
            self.rebalance(&mut checked, input, inspection)?;
            return Ok(checked);
        }
        let is_fixable = findings.iter().any(self.fixes.of(&inspection.inspected));
        if is_fixable && self.options.fix {
            self.fix(&mut checked, input, inspection)?;
            return Ok(checked);
        }
        let content = inspection.inspected.document.source().bytes();
        checked.content = self.content_elsewhere(input, content)?;
        if is_fixable && self.options.diff {
            let source = inspection.inspected.document.source().clone();
            let outline = self.outline(&mut checked, input, &inspection);
            outline.report(&mut checked, &inspection.inspected.findings);
            let fixed = inspection.fix(&self.fixes)?;
            let after = fixed.inspected.document.source();
            checked.human = diff::unified(&path, source.text(), after.text());
            checked.totals.fixed = fixed.applied.len();
        } else {
            self.report(&mut checked, input, inspection);
        }
        Ok(checked)
    }

    /// Applies the fixes, writes the fixed text and reports on it.
    fn fix(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        inspection: FileInspection,
    ) -> anyhow::Result<()> {
        let path = path_text(&input.path);
        let source = inspection.inspected.document.source().clone();
        let (profile, reader) = (inspection.profile, inspection.reader.clone());
        let fixed = inspection.fix(&self.fixes)?;
        checked.remarks = remarks(&path, &fixed);
        checked.totals.fixed = fixed.applied.len();
        checked.human = check_text::applied(&path, &source, &fixed.applied);
        let new_bytes = fixed.inspected.document.source().bytes().to_vec();
        self.write_fixed(checked, input, &source, (profile, reader, new_bytes))
    }

    /// Moves the keys of a bank to other positions, writes it and reports on it.
    fn rebalance(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        inspection: FileInspection,
    ) -> anyhow::Result<()> {
        let path = path_text(&input.path);
        let source = inspection.inspected.document.source().clone();
        let moved = rebalance::rebalance(&inspection).with_context(|| shown(&input.path))?;
        if self.options.common.format == Format::Human {
            checked.human = rebalance::human(&path, moved.as_ref(), self.amount());
        }
        let bytes = moved
            .as_ref()
            .map_or_else(|| source.bytes().to_vec(), |moved| moved.bytes.clone());
        if self.options.diff {
            let after = Source::new(bytes);
            checked
                .human
                .push_str(&diff::unified(&path, source.text(), after.text()));
            self.report(checked, input, inspection);
        } else {
            let (profile, reader) = (inspection.profile, inspection.reader);
            self.write_fixed(checked, input, &source, (profile, reader, bytes))?;
        }
        checked.totals.fixed = moved.as_ref().map_or(0, |moved| moved.report.moved.len());
        if let (Some(report), Some(moved)) = (&mut checked.report, moved) {
            report.rebalanced = Some(moved.report);
        }
        Ok(())
    }

    /// Writes a fixed text and reports on it.
    fn write_fixed(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        source: &Source,
        (profile, reader, new_bytes): (&'static dyn Profile, Reader, Vec<u8>),
    ) -> anyhow::Result<()> {
        let path = path_text(&input.path);
        // Fixing keeps neither what comments silence nor what the baseline lists.
        let source_after = Source::new(new_bytes.clone());
        let raw = reading::read_with(source_after, reader.hint, &reader.settings.shapes);
        let Inspection {
            inspected,
            silenced,
            known,
            unheeded,
        } = reader.inspect_raw(raw);
        let after = FileInspection {
            profile,
            inspected,
            silenced,
            known,
            unheeded,
            reader,
        };
        self.report(checked, input, after);
        checked.content = self.content_elsewhere(input, &new_bytes)?;
        if checked.content.is_none() && new_bytes != source.bytes() {
            files::replace(&input.path, source.bytes(), &new_bytes, self.hard_links())?;
            if let Some(report) = &mut checked.report {
                report.saved = Some(path);
            }
        }
        Ok(())
    }

    /// Adds what is reported of a version of the file, which is not needed any more: the
    /// document of a large bank and its report would be much together.
    fn report(&self, checked: &mut Checked, input: &ContentFile, file: FileInspection) {
        let outline = self.outline(checked, input, &file);
        let Inspected { document, findings } = file.inspected;
        drop(document);
        outline.report(checked, &findings);
    }

    /// Adds what is reported of a version of the file besides its findings.
    fn outline(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        file: &FileInspection,
    ) -> Outline {
        let path = path_text(&input.path);
        let subject = check_report::Subject {
            path: &path,
            profile: file.profile,
            companions: &self.inspector.companions,
            detail: self.detail(),
        };
        let document = check_report::Outline::of(&subject, &file.inspected);
        let ignore_comments =
            check_report::ignore_comments(&file.inspected.document, &file.unheeded);
        checked.totals.silenced = file.silenced.len();
        checked.totals.known = file.known.len();
        checked.totals.ignore_comments = ignore_comments.len();
        checked.human.push_str(&self.render(&path, &file.inspected));
        if self.options.common.format == Format::Sarif {
            let suppressed = Suppressed {
                silenced: &file.silenced,
                known: &file.known,
            };
            checked.sarif = sarif::results(&path, &file.inspected, &suppressed);
        }
        Outline {
            document,
            ignore_comments,
            bank: self.bank(checked, input, &file.inspected, file.parameters()),
        }
    }

    /// What is reported of a companion: its findings, like those of a document.
    pub(super) fn companion(&self, path: &Path, inspected: &Inspected) -> Checked {
        let mut checked = Checked::default();
        let Some(profile) = registry::profile("lesson") else {
            return checked;
        };
        let path = path_text(path);
        let subject = check_report::Subject {
            path: &path,
            profile,
            companions: &self.inspector.companions,
            detail: Detail::Findings,
        };
        let mut report = check_report::document(&subject, inspected);
        "companion".clone_into(&mut report.profile);
        checked.report = Some(report);
        checked.human = self.render(&path, inspected);
        if self.options.common.format == Format::Sarif {
            let suppressed = Suppressed {
                silenced: &[],
                known: &[],
            };
            checked.sarif = sarif::results(&path, inspected, &suppressed);
        }
        checked
    }

    /// The figures of a bank; what a file contributes to the bank that its folder forms is
    /// kept.
    fn bank(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        Inspected { document, findings }: &Inspected,
        parameters: &Parameters,
    ) -> Option<BankReport> {
        let path = path_text(&input.path);
        let what_for = if input.folder.is_some() {
            Use::InFolder
        } else {
            Use::Alone
        };
        if !input.items.is_empty() {
            return None;
        }
        let sheet = Sheet::of(&path, document, findings, what_for)?;
        let report = sheet
            .is_list
            .then(|| bank::report(&path, &sheet, parameters));
        if let Some(report) = &report
            && self.options.common.format == Format::Human
            && !self.options.common.quiet
        {
            checked.human.push_str(&self.columns(document));
            checked.human.push_str(&bank::table(report));
        }
        checked.sheet = input.folder.clone().map(|folder| (folder, sheet));
        report
    }

    /// How the columns of a table were understood.
    fn columns(&self, document: &Document) -> String {
        let columns = (document.form().bank_format() == Some(BankFormat::Table))
            .then(|| {
                let choice = self.inspector.columns.as_deref();
                redraft_banks::columns(document.source().text(), choice).ok()
            })
            .flatten();
        columns.map_or_else(String::new, |columns| {
            format!("columns: {}\n", columns::line(&columns))
        })
    }

    pub(super) fn hard_links(&self) -> HardLinks {
        if self.options.break_links {
            HardLinks::Break
        } else {
            HardLinks::Refuse
        }
    }

    pub(super) fn amount(&self) -> Amount {
        if self.options.all {
            Amount::All
        } else {
            Amount::Few
        }
    }

    fn detail(&self) -> Detail {
        match self.options.common.format {
            Format::Json | Format::Jsonl => Detail::Full,
            _ => Detail::Findings,
        }
    }

    fn render(&self, path: &str, inspected: &Inspected) -> String {
        if self.options.common.format != Format::Human {
            return String::new();
        }
        let columns = match &self.options.output {
            Some(path) if !self.options.fix && !is_stdout(path) => None,
            _ => output::report_width(),
        };
        check_text::file(path, inspected, self.amount(), columns)
    }

    /// The text, if it is not written back to its file: with `-o`, and from standard
    /// input. It is written also when nothing changed.
    fn content_elsewhere(
        &self,
        input: &ContentFile,
        content: &[u8],
    ) -> anyhow::Result<Option<Vec<u8>>> {
        let elsewhere = self.options.fix && (self.options.output.is_some() || input.is_stdin());
        let to = self.text_goes_to().unwrap_or(Path::new("-"));
        elsewhere
            .then(|| files::for_output(&input.path, to, content))
            .transpose()
    }

    /// Where a text goes that is not written back to its file.
    pub(super) fn text_goes_to(&self) -> Option<&Path> {
        let output = self.options.output.as_deref();
        output.filter(|path| !is_stdout(path))
    }
}

/// The inspection of a bank, with the findings of the chosen items alone.
fn only_items(
    mut inspection: FileInspection,
    input: &ContentFile,
) -> anyhow::Result<FileInspection> {
    if input.items.is_empty() {
        return Ok(inspection);
    }
    let Inspected { document, findings } = &mut inspection.inspected;
    item_bank::choose(&input.path, document, &input.items)?;
    let all = item_bank::item_ids(document);
    // The id of an item may begin as that of another does: `a/x` is not within `a`.
    let is_in = |id: &str| {
        let ends = std::iter::once(id.len()).chain(id.rmatch_indices('/').map(|(at, _)| at));
        let mut within = ends.filter_map(|end| id.get(..end));
        let item = within.find(|item| all.contains(*item));
        item.is_some_and(|item| input.items.iter().any(|chosen| chosen == item))
    };
    findings.retain(|finding| is_in(&finding.component.0));
    inspection
        .silenced
        .retain(|(finding, _)| is_in(&finding.component.0));
    inspection
        .known
        .retain(|finding| is_in(&finding.component.0));
    Ok(inspection)
}

/// Warnings about fixes that were not applied.
fn remarks(path: &str, fixed: &Fixed) -> Vec<String> {
    let path = plain::path(path);
    let taken_back = fixed.taken_back.iter().map(|code| {
        format!("{path}: the fixes of {code} were rolled back because they caused new findings")
    });
    let capped = fixed
        .capped
        .then(|| format!("{path}: the fixes did not converge; run `redraft check --fix` again, or fix the rest yourself"));
    taken_back.chain(capped).collect()
}
