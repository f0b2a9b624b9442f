//! Where the texts of `refine` go, and what the report says of it (ruling 69).
//!
//! | given | accepted, or passed the free checks | otherwise |
//! |---|---|---|
//! | `-o` | written, also if nothing changed | written, also if nothing changed |
//! | `--write` | replaced, if anything changed | kept, unless `--accept-best` |
//! | neither | not saved | not saved |
//! | `-o` that is the original | refused | refused |
//!
//! A file that changed during the run is not overwritten; one that has the text of the run
//! already is done.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use redraft_gate::span::Version;
use redraft_report::judge_report::{Judged, RefinedBank};
use redraft_report::saved::{self, Saved};
use redraft_run::outcome::{Gate, Outcome, Status};

use super::bank::TakenItems;
use super::hints;
use super::output::{self, complain, shown};
use super::refine::RefineOptions;
use crate::files::{self, HardLinks, Limits};
use crate::inspection::{file_of, path_text};

/// Saves the texts of a session.
pub(super) struct Saver<'a> {
    options: &'a RefineOptions,
    /// What was written to `-o`, with where it came from.
    written: BTreeMap<PathBuf, String>,
    saved: Vec<Saved>,
    pub(super) has_failed: bool,
}

/// A repaired file.
#[derive(Clone, Copy)]
struct Text<'a> {
    path: &'a str,
    /// The version that came in.
    input: Version,
    content: &'a [u8],
    journal: Option<&'a str>,
}

impl<'a> Saver<'a> {
    /// # Errors
    /// When `-o` cannot take what there will be to save.
    pub(super) fn new(options: &'a RefineOptions) -> anyhow::Result<Self> {
        if let Some(output) = &options.output
            && is_several(&options.run.paths)
        {
            if output::is_stdout(output) {
                bail!("`-o -` writes a single text; for several, give a folder: -o DIR");
            }
            if output.is_file() {
                bail!(
                    "{} is a file, but several texts need a folder: -o DIR",
                    shown(output)
                );
            }
        }
        for path in &options.run.paths {
            let file = file_of(path);
            let output = options.output.as_deref();
            if let Some(to) = output.filter(|to| !output::is_stdout(to)) {
                spare_original(&target(options, to, file), file)?;
            }
        }
        if options.write && options.run.paths.iter().any(|path| output::is_stdout(path)) {
            bail!("--write cannot replace standard input; use -o FILE");
        }
        Ok(Self {
            options,
            written: BTreeMap::new(),
            saved: Vec::new(),
            has_failed: false,
        })
    }

    /// The items that a bank is put together of.
    pub(super) fn taken_items(options: &RefineOptions) -> TakenItems {
        if options.write && !options.accept_best {
            TakenItems::Accepted
        } else {
            TakenItems::All
        }
    }

    /// Saves a text; what cannot be written is told, and the session goes on.
    pub(super) fn document(&mut self, one: &mut Judged) -> anyhow::Result<()> {
        let path = Path::new(&one.path);
        let changed = one.outcome.final_content.is_some();
        // An item is written with its bank.
        if file_of(path) != path {
            return Ok(());
        }
        if let Some(content) = &one.outcome.final_content
            && self.options.write
            && output::is_stdout(path)
        {
            let more = ["--output", name_of(content)];
            let error = anyhow!(
                "standard input cannot be replaced; to save the repaired text run\n  {}",
                hints::resumed(Path::new(&one.journal), &more)
            );
            self.told(Err(error));
            return Ok(());
        }
        if self.options.write && changed && !self.may_replace(&one.outcome) {
            let (path, journal) = (one.path.clone(), one.journal.clone());
            self.saved.push(Saved::NotAccepted { path, journal });
            return Ok(());
        }
        let original = self.options.output.is_some().then_some(&one.original);
        let Some(content) = one.outcome.final_content.as_ref().or(original) else {
            self.saved.push(Saved::Unchanged);
            return Ok(());
        };
        let text = Text {
            path: &one.path,
            input: one.outcome.input,
            content,
            journal: Some(&one.journal),
        };
        let saved = self.text(text)?;
        if let Some(Saved::To(path) | Saved::Already(path)) = &saved {
            one.saved = Some(path.clone());
        }
        self.saved.extend(saved);
        Ok(())
    }

    pub(super) fn bank(&mut self, bank: &RefinedBank) -> anyhow::Result<()> {
        if !bank.is_changed && self.options.output.is_none() {
            self.saved.push(Saved::Unchanged);
            return Ok(());
        }
        let text = Text {
            path: &bank.path,
            input: bank.input,
            content: &bank.content,
            journal: None,
        };
        let saved = self.text(text)?;
        self.saved.extend(saved);
        Ok(())
    }

    fn may_replace(&self, outcome: &Outcome) -> bool {
        let is_good = match outcome.status {
            Status::Accepted | Status::AcceptedWarning => true,
            Status::Checked => outcome.gate == Some(Gate::Passed),
            Status::BestEffort | Status::Escalated => false,
        };
        is_good || self.options.accept_best
    }

    /// `None` where it could not be written, which was told.
    fn text(&mut self, text: Text<'_>) -> anyhow::Result<Option<Saved>> {
        let Some(output) = &self.options.output else {
            if self.options.write {
                return Ok(self.told(replace(self.options, text)));
            }
            return Ok(Some(Saved::NotAsked {
                path: text.path.to_owned(),
                journal: text.journal.map(str::to_owned),
                name: name_of(text.content),
            }));
        };
        if output::is_stdout(output) {
            let packed = files::for_output(Path::new(text.path), output, text.content)?;
            // A closed output ends the command.
            io::stdout().write_all(&packed)?;
            return Ok(Some(Saved::To(path_text(output))));
        }
        let to = target(self.options, output, Path::new(text.path));
        if let Some(other) = self.written.get(&to) {
            let error = format!(
                "{} was not saved: {} has the text of {other}; run the command for one of them alone",
                text.path,
                shown(&to)
            );
            return Ok(self.told(Err(anyhow!(error))));
        }
        self.written.insert(to.clone(), text.path.to_owned());
        let written = spare_original(&to, Path::new(text.path))
            .and_then(|()| files::for_output(Path::new(text.path), &to, text.content))
            .and_then(|packed| files::put(&to, &packed, hard_links(self.options)));
        Ok(self.told(written.map(|()| Saved::To(path_text(&to)))))
    }

    fn told(&mut self, saved: anyhow::Result<Saved>) -> Option<Saved> {
        match saved {
            Ok(saved) => Some(saved),
            Err(error) => {
                complain(&format!("{error:#}"));
                self.has_failed = true;
                None
            }
        }
    }

    /// The last lines of the report: where the texts were saved, and how to save the others.
    pub(super) fn summary(&self) -> String {
        let output = self.options.output.as_deref().map(path_text);
        let resumed = |journal: &str, more: &[&str]| hints::resumed(Path::new(journal), more);
        let hints = saved::Hints {
            resumed: &resumed,
            continued: &hints::continued,
        };
        saved::summary(&self.saved, output.as_deref(), hints)
    }
}

/// What a text that came from standard input may be called.
fn name_of(content: &[u8]) -> &'static str {
    match content.trim_ascii_start().first() {
        Some(b'{' | b'[') => "refined.json",
        _ => "refined.md",
    }
}

fn replace(options: &RefineOptions, text: Text<'_>) -> anyhow::Result<Saved> {
    let from = Path::new(text.path);
    let unlimited = Limits {
        document: u64::MAX,
        bank: u64::MAX,
    };
    let now =
        files::content(from, &unlimited).with_context(|| format!("cannot read {}", shown(from)))?;
    if now == text.content {
        return Ok(Saved::Already(text.path.to_owned()));
    }
    if Version::of(&now) != text.input {
        let Some(journal) = text.journal else {
            bail!(
                "{} changed on disk during the run and was not overwritten; run the command again",
                shown(from)
            );
        };
        let beside = beside(from);
        let more = ["--output", &beside.to_string_lossy()];
        bail!(
            "{} changed on disk during the run and was not overwritten; to save the repaired text beside it run\n  {}",
            shown(from),
            hints::resumed(Path::new(journal), &more)
        );
    }
    files::replace(from, &now, text.content, hard_links(options))?;
    Ok(Saved::To(text.path.to_owned()))
}

/// Fails where `-o` names the original (or its folder), which only `--write` replaces, and
/// only with an accepted text.
fn spare_original(to: &Path, from: &Path) -> anyhow::Result<()> {
    let is_same = match (to.canonicalize(), from.canonicalize()) {
        (Ok(to), Ok(from)) => to == from,
        _ => false,
    };
    if is_same {
        bail!(
            "-o would overwrite {} itself; use --write to replace it with an accepted text, or give -o another name",
            shown(from)
        );
    }
    Ok(())
}

/// `lesson.refined.md` beside `lesson.md`.
fn beside(path: &Path) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("refined.{extension}"))
}

fn hard_links(options: &RefineOptions) -> HardLinks {
    if options.break_links {
        HardLinks::Break
    } else {
        HardLinks::Refuse
    }
}

/// Whether the paths of a command may name more than one file.
fn is_several(paths: &[PathBuf]) -> bool {
    let file = |path: &PathBuf| file_of(path).to_owned();
    let first = paths.first().map(file);
    paths
        .iter()
        .any(|path| path.is_dir() || Some(file(path)) != first)
}

/// The output path for a file: `-o` itself for one, a file below it for several.
pub(super) fn target(options: &RefineOptions, output: &Path, from: &Path) -> PathBuf {
    let paths = &options.run.paths;
    if !is_several(paths) {
        return match from.file_name() {
            Some(name) if output.is_dir() => output.join(name),
            _ => output.to_owned(),
        };
    }
    let folder = match paths.as_slice() {
        [folder] => from.strip_prefix(folder).ok(),
        _ => None,
    };
    let within = folder.unwrap_or(from).components();
    let within: PathBuf = within
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect();
    output.join(within)
}
