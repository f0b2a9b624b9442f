//! The result of `redraft check` over all files: the report, the exit code, and where the
//! text was saved.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use redraft_profiles::items::bank::sheet::Sheet;
use redraft_profiles::registry;
use redraft_report::check_report::CheckReport;
use redraft_report::check_run::CheckRun;
use redraft_report::check_text;
use redraft_report::count::counted;
use redraft_report::{bank, junit, markdown, sarif};
use serde::Serialize;
use serde_json::json;

use super::check_file::{Checked, Outcome, Task};
use super::exit::Exit;
use super::options::Format;
use super::output::{self, complain, shown};
use crate::baseline::Baseline;
use crate::files;
use crate::inspection::path_text;

/// Everything that the files gave.
#[derive(Default)]
struct Gathering {
    run: CheckRun,
    human: String,
    sarif: Vec<serde_json::Value>,
    content: Option<Vec<u8>>,
    baseline: Baseline,
    folders: BTreeMap<PathBuf, (usize, Sheet)>,
}

pub(super) fn finish(
    task: &Task<'_>,
    outcomes: impl Iterator<Item = Outcome>,
) -> anyhow::Result<Exit> {
    let mut all = Gathering::default();
    for outcome in outcomes {
        match outcome {
            Outcome::Skipped(file) => all.run.skip(file),
            Outcome::Failed(file) => {
                all.run.totals.unreadable += 1;
                complain(&file.message);
                all.run.unreadable.push(file);
            }
            Outcome::Checked(checked) => all.add(*checked),
            Outcome::Companion(checked) => {
                all.add(*checked);
                all.run.summary.documents = all.run.summary.documents.saturating_sub(1);
            }
        }
    }
    all.run.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    all.add_folder_banks(task);
    let options = task.options;
    if let Some(path) = &options.write_baseline {
        all.baseline.write(path)?;
        writeln!(
            anstream::stderr(),
            "{} in {} written to {}",
            counted(all.baseline.len(), "finding"),
            counted(all.run.summary.documents, "document"),
            shown(path)
        )?;
        return Ok(match exit(task, &all.run) {
            Exit::GateFailed => Exit::Clean,
            other => other,
        });
    }
    let exit = exit(task, &all.run);
    let saved = all.save(task)?;
    // Standard output carries the text, so the report goes to standard error.
    let is_aside = saved == Saved::Stdout;
    if is_aside && options.common.quiet {
        return Ok(exit);
    }
    let to = options.output.as_deref().filter(|_| !options.fix);
    let format = options.common.format;
    match (all.report(task, &saved), is_aside) {
        (Report::Text(report), true) => output::print_aside(format, &report)?,
        (Report::Text(report), false) => output::put(to, format, &report)?,
        (Report::Pieces(report), true) => output::print_pieces_aside(&*report)?,
        (Report::Pieces(report), false) => output::put_pieces(to, &*report)?,
    }
    Ok(exit)
}

fn exit(task: &Task<'_>, run: &CheckRun) -> Exit {
    let is_empty = run.summary.documents == 0 && !task.options.files.allow_empty;
    if run.totals.unreadable == 0 && is_empty {
        complain(
            "nothing was read; name a file or folder with lessons, cards or items, or use --allow-empty",
        );
    }
    if run.totals.unreadable > 0 || is_empty {
        Exit::Usage
    } else if run.summary.errors > 0 {
        Exit::GateFailed
    } else {
        Exit::Clean
    }
}

/// Where the text of a command went.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Saved {
    Stdout,
    /// Elsewhere, or back to their files; none if nothing changed.
    Files(Vec<String>),
    /// The command makes no text.
    NoText,
    /// It would, but was not told where to.
    NotAsked,
}

type WriteReport = dyn Fn(&mut dyn Write) -> io::Result<()>;

/// What is printed of a check.
enum Report {
    Text(String),
    /// Written piece by piece.
    Pieces(Box<WriteReport>),
}

impl Gathering {
    fn add(&mut self, checked: Checked) {
        self.run.totals.add(&checked.totals);
        for remark in &checked.remarks {
            complain(remark);
        }
        self.human.push_str(&checked.human);
        self.sarif.extend(checked.sarif);
        if let Some((folder, sheet)) = checked.sheet {
            let bank = self.folders.entry(folder).or_default();
            bank.0 += 1;
            bank.1.add(sheet);
        }
        self.content = checked.content.or(self.content.take());
        self.baseline.merge(checked.baseline);
        if let Some(report) = checked.report {
            self.run.summary.add(&report);
            self.run.documents.push(report);
        }
    }

    /// The banks that the files of a folder form together.
    fn add_folder_banks(&mut self, task: &Task<'_>) {
        let Some(profile) = registry::profile("clinical-mcq") else {
            return;
        };
        for (folder, (files, sheet)) in &self.folders {
            if *files < 2 {
                continue;
            }
            let settings = task.inspector.config.settings_for(folder, profile);
            let report = bank::report(&path_text(folder), sheet, &settings.parameters);
            if !task.options.common.quiet {
                self.human.push_str(&bank::table(&report));
            }
            self.run.banks.push(report);
        }
    }

    /// Writes the text that did not go back to its file.
    fn save(&mut self, task: &Task<'_>) -> anyhow::Result<Saved> {
        if !task.options.fix {
            let would = task.options.diff && self.run.totals.fixed > 0;
            return Ok(if would {
                Saved::NotAsked
            } else {
                Saved::NoText
            });
        }
        let Some(content) = self.content.take() else {
            let files = self.run.documents.iter();
            return Ok(Saved::Files(
                files
                    .filter_map(|document| document.saved.clone())
                    .collect(),
            ));
        };
        let (to, saved) = match task.text_goes_to() {
            Some(path) => {
                files::put(path, &content, task.hard_links())?;
                let path = path_text(path);
                (path.clone(), Saved::Files(vec![path]))
            }
            None => {
                io::stdout().write_all(&content)?;
                io::stdout().flush()?;
                ("-".to_owned(), Saved::Stdout)
            }
        };
        if let Some(document) = self.run.documents.first_mut() {
            document.saved = Some(to);
        }
        Ok(saved)
    }

    fn report(self, task: &Task<'_>, saved: &Saved) -> Report {
        match task.options.common.format {
            Format::Human => {
                let closing = closing(task, &self.run, saved);
                Report::Text(self.human + &closing)
            }
            Format::Json => pretty(CheckReport::from(self.run)),
            Format::Jsonl => Report::Pieces(Box::new(move |out| json_lines(out, &self.run))),
            Format::Sarif => {
                let (unreadable, skipped) = (&self.run.unreadable, &self.run.skipped);
                pretty(sarif::log(self.sarif, unreadable, skipped))
            }
            Format::Junit => Report::Text(junit::report(&self.run)),
            Format::Markdown => Report::Text(markdown::comment(&self.run)),
        }
    }
}

fn pretty(value: impl Serialize + 'static) -> Report {
    Report::Pieces(Box::new(move |out| {
        serde_json::to_writer_pretty(&mut *out, &value)?;
        out.write_all(b"\n")
    }))
}

/// A document a line, then a line for each file that was not read.
fn json_lines(out: &mut dyn Write, run: &CheckRun) -> io::Result<()> {
    for document in &run.documents {
        serde_json::to_writer(&mut *out, document)?;
        out.write_all(b"\n")?;
    }
    for file in &run.skipped {
        let skipped = json!({ "path": file.path, "skipped": file.reason });
        writeln!(out, "{skipped}")?;
    }
    Ok(())
}

/// What stands below the findings: files that were not read, the summary, and where the
/// text was saved.
fn closing(task: &Task<'_>, run: &CheckRun, saved: &Saved) -> String {
    let options = task.options;
    let mut text = String::new();
    if options.diff && run.totals.fixed > 0 {
        let fix = if options.unsafe_fixes {
            "--fix --unsafe"
        } else {
            "--fix"
        };
        let findings = counted(run.totals.fixed, "finding");
        text.push_str(&format!("{fix} would fix {findings}\n"));
    }
    text.push_str(&check_text::skipped(&run.skipped, task.amount()));
    text.push_str(&check_text::ignore_comments(&run.documents, task.amount()));
    text.push_str(&check_text::summary(&run.summary, &run.totals));
    if run.summary.errors + run.summary.warnings > 0 && !options.common.quiet {
        text.push_str("Run `redraft explain CODE` for what a check finds and why it matters.\n");
    }
    text.push_str(&match saved {
        Saved::NoText => String::new(),
        Saved::NotAsked => "not saved; use -o or --fix\n".to_owned(),
        Saved::Stdout => "saved to standard output\n".to_owned(),
        Saved::Files(files) => match files.as_slice() {
            [] => "nothing changed, nothing saved\n".to_owned(),
            [file] => format!("saved to {}\n", shown(Path::new(file))),
            files => format!("saved: {} in place\n", counted(files.len(), "file")),
        },
    });
    text
}
