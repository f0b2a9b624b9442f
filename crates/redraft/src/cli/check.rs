//! `redraft check`: the free gate.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use redraft_gate::finding::Finding;
use redraft_gate::fix::{Fixed, Inspected};
use redraft_gate::policy::Parameters;
use redraft_profiles::clinical_mcq::bank::sheet::{Sheet, Use};
use redraft_profiles::registry;

use super::exit::Exit;
use super::inputs::Inputs;
use super::options::{CheckOptions, CommonOptions, Format};
use crate::baseline::Baseline;
use crate::files::{self, ContentFile};
use crate::inspection::{FileInspection, Inspector, Unreadable};
use redraft_report::check_report::{
    self, CheckReport, Detail, DocumentReport, SkippedFile, Summary,
};
use redraft_report::check_run::{CheckRun, Totals, UnreadableFile};
use redraft_report::check_text::{self, Amount};
use redraft_report::count::counted;
use redraft_report::sarif::{self, Suppressed};
use redraft_report::{bank, diff};
use redraft_report::{junit, markdown};

/// The result for one file.
enum Outcome {
    Checked(Box<Checked>),
    /// A file in a folder that is not content.
    Skipped(SkippedFile),
    Failed(UnreadableFile),
}

#[derive(Default)]
struct Checked {
    report: Option<DocumentReport>,
    human: String,
    /// Results for SARIF, with `--format sarif`.
    sarif: Vec<serde_json::Value>,
    totals: Totals,
    remarks: Vec<String>,
    /// The fixed content, if it is not written back to its file.
    content: Option<Vec<u8>>,
    baseline: Baseline,
    /// What it contributes to the bank that its folder forms.
    sheet: Option<(PathBuf, Sheet)>,
}

pub(super) fn run(options: &CheckOptions) -> anyhow::Result<Exit> {
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    if options.diff && options.common.format != Format::Human {
        bail!("--diff needs --format human; the other formats list the edits of each fix");
    }
    let inspector = Inputs::read(&options.common, &options.select, &options.ignore)?.inspector()?;
    let inputs = files::gather(&options.paths, &inspector.config)?;
    if options.fix && options.output.is_some() && inputs.len() != 1 {
        bail!(
            "-o with --fix needs one input file, but there are {}; leave out -o to fix them in place",
            inputs.len()
        );
    }
    let known = match options
        .baseline
        .clone()
        .or_else(|| inspector.config.baseline())
    {
        Some(path) if options.write_baseline.is_none() => Baseline::load(&path)?,
        _ => Baseline::default(),
    };
    let task = Task {
        options,
        inspector: &inspector,
        known: &known,
    };
    let progress = progress(inputs.len(), &options.common);
    let outcomes: Vec<Outcome> = inputs
        .par_iter()
        .map(|input| {
            let outcome = task.check(input);
            progress.inc(1);
            outcome
        })
        .collect();
    progress.finish_and_clear();
    finish(&task, outcomes)
}

struct Task<'a> {
    options: &'a CheckOptions,
    inspector: &'a Inspector,
    known: &'a Baseline,
}

impl Task<'_> {
    fn check(&self, input: &ContentFile) -> Outcome {
        match self.try_check(input) {
            Ok(outcome) => outcome,
            Err(error) => Outcome::Failed(UnreadableFile {
                path: shown(&input.path),
                message: format!("{error:#}"),
            }),
        }
    }

    fn try_check(&self, input: &ContentFile) -> anyhow::Result<Outcome> {
        let path = shown(&input.path);
        let bytes = input
            .read()
            .with_context(|| format!("cannot read {path}"))?;
        let mut inspection = match self.inspector.inspect(&input.path, bytes) {
            Ok(inspection) => inspection,
            Err(error @ (Unreadable::UnknownKind | Unreadable::Binary)) if !input.named => {
                let reason = error.to_string();
                return Ok(Outcome::Skipped(SkippedFile { path, reason }));
            }
            Err(error) => bail!("{path}: {error}"),
        };
        let mut checked = Checked::default();
        checked.totals.silenced = inspection.silenced.len();
        let Inspected { document, findings } = &mut inspection.inspected;
        if self.options.write_baseline.is_some() {
            checked.baseline.add(&path, document, findings);
        }
        let known = self.known.subtract(&path, document, findings);
        checked.totals.known = known.len();
        let subject = check_report::Subject {
            path: &path,
            profile: inspection.profile,
            companions: &self.inspector.companions,
            detail: self.detail(),
        };
        checked.human = self.render(&path, &inspection.inspected);
        checked.sarif = self.results(&path, &inspection.inspected, &inspection.silenced, &known);
        checked.report = Some(check_report::document(&subject, &inspection.inspected));
        let findings = &inspection.inspected.findings;
        let is_fixable = findings.iter().any(|finding| finding.safe_fix().is_some());
        if is_fixable && self.options.fix {
            self.fix(&mut checked, input, &subject, inspection)?;
            return Ok(Outcome::Checked(Box::new(checked)));
        }
        self.add_bank(
            &mut checked,
            input,
            &inspection.inspected,
            inspection.parameters(),
        );
        let source = inspection.inspected.document.source().clone();
        checked.content = self.content_elsewhere(input, source.bytes());
        if is_fixable && self.options.diff {
            let fixed = inspection.fix()?;
            let after = fixed.inspected.document.source();
            checked.human = diff::unified(&path, source.text(), after.text());
            checked.totals.fixed = fixed.applied.len();
        }
        Ok(Outcome::Checked(Box::new(checked)))
    }

    /// Applies the safe fixes, writes the fixed text and reports on it.
    fn fix(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        subject: &check_report::Subject<'_>,
        inspection: FileInspection,
    ) -> anyhow::Result<()> {
        let path = subject.path;
        let source = inspection.inspected.document.source().clone();
        let parameters = inspection.parameters().clone();
        let mut fixed = inspection.fix()?;
        let Inspected { document, findings } = &mut fixed.inspected;
        let known = self.known.subtract(path, document, findings);
        checked.remarks = remarks(path, &fixed);
        checked.totals.fixed = fixed.applied.len();
        checked.totals.known = known.len();
        checked.human = check_text::applied(path, &source, &fixed.applied);
        checked.human.push_str(&self.render(path, &fixed.inspected));
        checked.report = Some(check_report::document(subject, &fixed.inspected));
        self.add_bank(checked, input, &fixed.inspected, &parameters);
        let new_bytes = fixed.inspected.document.source().bytes();
        let silenced = self.silenced(&input.path, new_bytes);
        checked.sarif = self.results(path, &fixed.inspected, &silenced, &known);
        checked.content = self.content_elsewhere(input, new_bytes);
        if checked.content.is_none() && new_bytes != source.bytes() {
            files::replace(&input.path, source.bytes(), new_bytes)?;
        }
        Ok(())
    }

    /// Adds the figures of a bank to its report, and keeps what a file contributes to the
    /// bank that its folder forms.
    fn add_bank(
        &self,
        checked: &mut Checked,
        input: &ContentFile,
        Inspected { document, findings }: &Inspected,
        parameters: &Parameters,
    ) {
        let path = shown(&input.path);
        let what_for = if input.folder.is_some() {
            Use::InFolder
        } else {
            Use::Alone
        };
        let Some(sheet) = Sheet::of(&path, document, findings, what_for) else {
            return;
        };
        if sheet.is_list {
            let report = bank::report(&path, &sheet, parameters);
            if self.options.common.format == Format::Human && !self.options.common.quiet {
                checked.human.push_str(&bank::table(&report));
            }
            if let Some(document) = &mut checked.report {
                document.bank = Some(report);
            }
        }
        checked.sheet = input.folder.clone().map(|folder| (folder, sheet));
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
        let amount = if self.options.all {
            Amount::All
        } else {
            Amount::Few
        };
        check_text::file(path, inspected, amount)
    }

    fn results(
        &self,
        path: &str,
        inspected: &Inspected,
        silenced: &[(Finding, String)],
        known: &[Finding],
    ) -> Vec<serde_json::Value> {
        if self.options.common.format != Format::Sarif {
            return Vec::new();
        }
        sarif::results(path, inspected, &Suppressed { silenced, known })
    }

    /// What comments silence in a file after fixing. Fixing does not keep them,
    /// and only SARIF shows them.
    fn silenced(&self, path: &Path, bytes: &[u8]) -> Vec<(Finding, String)> {
        if self.options.common.format != Format::Sarif {
            return Vec::new();
        }
        self.inspector
            .inspect(path, bytes.to_vec())
            .map(|inspection| inspection.silenced)
            .unwrap_or_default()
    }

    /// The content, if it is not written back to its file: with `-o`, and from standard
    /// input.
    fn content_elsewhere(&self, input: &ContentFile, content: &[u8]) -> Option<Vec<u8>> {
        let elsewhere = self.options.fix && (self.options.output.is_some() || input.is_stdin());
        elsewhere.then(|| content.to_vec())
    }
}

fn finish(task: &Task<'_>, outcomes: Vec<Outcome>) -> anyhow::Result<Exit> {
    let options = task.options;
    let mut run = CheckRun::default();
    let mut human = String::new();
    let mut results = Vec::new();
    let mut content = None;
    let mut baseline = Baseline::default();
    let mut folders: BTreeMap<PathBuf, (usize, Sheet)> = BTreeMap::new();
    for outcome in outcomes {
        match outcome {
            Outcome::Skipped(file) => {
                run.totals.skipped += 1;
                run.skipped.push(file);
            }
            Outcome::Failed(file) => {
                run.totals.unreadable += 1;
                writeln!(anstream::stderr(), "redraft: {}", file.message)?;
                run.unreadable.push(file);
            }
            Outcome::Checked(checked) => {
                run.totals.add(&checked.totals);
                for remark in &checked.remarks {
                    writeln!(anstream::stderr(), "redraft: {remark}")?;
                }
                human.push_str(&checked.human);
                results.extend(checked.sarif);
                if let Some((folder, sheet)) = checked.sheet {
                    let bank = folders.entry(folder).or_default();
                    bank.0 += 1;
                    bank.1.add(sheet);
                }
                content = checked.content.or(content);
                baseline.merge(checked.baseline);
                if let Some(report) = checked.report {
                    run.summary.add(&report);
                    run.documents.push(report);
                }
            }
        }
    }
    for (folder, (files, sheet)) in &folders {
        if *files > 1
            && let Some(profile) = registry::profile("clinical-mcq")
        {
            let parameters = task
                .inspector
                .config
                .settings_for(folder, profile)
                .parameters;
            let report = bank::report(&shown(folder), sheet, &parameters);
            if !options.common.quiet {
                human.push_str(&bank::table(&report));
            }
            run.banks.push(report);
        }
    }
    let (summary, unreadable) = (run.summary, run.totals.unreadable);
    if let Some(path) = &options.write_baseline {
        baseline.write(path)?;
        writeln!(
            anstream::stderr(),
            "{} in {} written to {}",
            counted(baseline.len(), "finding"),
            counted(summary.documents, "document"),
            path.display()
        )?;
        return Ok(if unreadable > 0 {
            Exit::Usage
        } else {
            Exit::Clean
        });
    }
    let text = match options.common.format {
        Format::Human => human + &closing(options, &run.totals, &summary),
        Format::Json => json_report(run)?,
        Format::Jsonl => json_lines(&run)?,
        Format::Sarif => {
            serde_json::to_string_pretty(&sarif::log(results, &run.unreadable))? + "\n"
        }
        Format::Junit => junit::report(&run),
        Format::Markdown => markdown::comment(&run),
    };
    put(options, &text, content.as_deref())?;
    Ok(if unreadable > 0 {
        Exit::Usage
    } else if summary.errors > 0 {
        Exit::GateFailed
    } else {
        Exit::Clean
    })
}

fn json_report(run: CheckRun) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(&CheckReport::from(run))? + "\n")
}

fn json_lines(run: &CheckRun) -> anyhow::Result<String> {
    let mut lines = String::new();
    for document in &run.documents {
        lines.push_str(&serde_json::to_string(document)?);
        lines.push('\n');
    }
    Ok(lines)
}

/// Warnings about fixes that were not applied.
fn remarks(path: &str, fixed: &Fixed) -> Vec<String> {
    let taken_back = fixed.taken_back.iter().map(|code| {
        format!("{path}: the fixes of {code} were rolled back because they caused new findings")
    });
    let capped = fixed
        .capped
        .then(|| format!("{path}: the fixes did not converge; run `redraft check --fix` again, or fix the rest by hand"));
    taken_back.chain(capped).collect()
}

/// The summary below the findings.
fn closing(options: &CheckOptions, totals: &Totals, summary: &Summary) -> String {
    let mut text = String::new();
    if options.diff && totals.fixed > 0 {
        text.push_str(&format!(
            "--fix would fix {}\n",
            counted(totals.fixed, "finding")
        ));
    }
    if totals.skipped > 0 && !options.common.quiet {
        let files = counted(totals.skipped, "file");
        text.push_str(&format!(
            "skipped: {files} without a lesson, cards or items\n"
        ));
    }
    text.push_str(&check_text::summary(summary, totals));
    if summary.errors + summary.warnings > 0 && !options.common.quiet {
        text.push_str("Run `redraft explain CODE` for what a check finds and why it matters.\n");
    }
    text
}

/// Writes the report and, unless it went back to its file, the fixed content.
fn put(options: &CheckOptions, report: &str, content: Option<&[u8]>) -> anyhow::Result<()> {
    match (content, &options.output) {
        (Some(content), Some(path)) => {
            fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))?;
            print(options, report)?;
        }
        // The content of standard input goes to standard output, so the report goes to
        // standard error.
        (Some(content), None) => {
            io::stdout().write_all(content)?;
            if !options.common.quiet {
                match options.common.format {
                    Format::Human => anstream::stderr().write_all(report.as_bytes())?,
                    _ => io::stderr().write_all(report.as_bytes())?,
                }
            }
        }
        (None, Some(path)) => {
            let plain = match options.common.format {
                Format::Human => anstream::adapter::strip_str(report).to_string(),
                _ => report.to_owned(),
            };
            fs::write(path, plain).with_context(|| format!("cannot write {}", path.display()))?;
        }
        (None, None) => print(options, report)?,
    }
    Ok(())
}

/// Prints the report. Only the human format has colours to strip for a pipe; stripping
/// the others would remove control characters of the content.
fn print(options: &CheckOptions, report: &str) -> io::Result<()> {
    match options.common.format {
        Format::Human => anstream::stdout().write_all(report.as_bytes()),
        _ => io::stdout().write_all(report.as_bytes()),
    }
}

fn progress(files: usize, common: &CommonOptions) -> ProgressBar {
    let wanted = files > 1 && !common.quiet && io::stderr().is_terminal();
    let target = if wanted {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(files as u64), target);
    if let Ok(style) = ProgressStyle::with_template("checking {bar:30} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar
}

/// A path as it is shown and kept in baselines: with forward slashes, without a
/// leading `./`.
pub(super) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    text.strip_prefix("./").map_or(text.clone(), str::to_owned)
}
