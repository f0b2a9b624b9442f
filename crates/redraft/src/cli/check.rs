//! `redraft check`: the free gate.
//!
//! | exit | when |
//! |---|---|
//! | 2 | a named file could not be read, or nothing was read at all |
//! | 1 | a finding of severity error, also about a file that was not read |
//! | 0 | at least one document was read, and what was not read is listed |

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use redraft_gate::companion::EarlierDocument;
use redraft_gate::finding::Applicability;
use redraft_profiles::items::model::Bank;
use redraft_profiles::registry;

use super::check_file::{Outcome, Task};
use super::check_result;
use super::exit::Exit;
use super::inputs::{Choice, Inputs, KnownFrom};
use super::options::{CheckOptions, CommonOptions, Format};
use super::output::{self, shown};
use super::rebalance;
use super::unread;
use super::watch;
use crate::files::{self, Gathered};
use crate::fix_choice::FixChoice;
use crate::inspection::{Inspector, path_text};

pub(super) fn run(options: &CheckOptions) -> anyhow::Result<Exit> {
    if options.watch {
        return watch::run(options);
    }
    once(options)
}

/// One check of all files.
pub(super) fn once(options: &CheckOptions) -> anyhow::Result<Exit> {
    let options = &CheckOptions {
        fix: options.fix || !(options.fix_only.is_empty() || options.diff),
        ..options.clone()
    };
    if options.common.no_color {
        anstream::ColorChoice::Never.write_global();
    }
    if options.diff && options.common.format != Format::Human {
        bail!("--diff needs --format human; the other formats list the edits of each fix");
    }
    let read = || {
        let paths = options.paths.iter().chain(&options.against);
        paths
            .map(PathBuf::as_path)
            .chain(options.common.companions())
    };
    if !options.fix {
        output::spare(options.output.as_deref(), read())?;
    }
    output::spare(options.write_baseline.as_deref(), read())?;
    let fixes = fixes(options)?;
    let known = match (&options.write_baseline, &options.baseline) {
        (Some(_), _) => KnownFrom::Nowhere,
        (None, Some(path)) => KnownFrom::File(path),
        (None, None) => KnownFrom::Configuration,
    };
    let choice = Choice {
        select: &options.select,
        ignore: &options.ignore,
        known,
    };
    let inputs = Inputs::read(&options.common, choice)?;
    let mut inspector = inputs.inspector()?;
    inspector.ignore_comments = inspector.config.ignore_comments();
    let mut others = inputs.paths();
    // A report or a baseline of an earlier run is no content either.
    let outputs = [&options.output, &options.write_baseline, &options.baseline];
    others.extend(outputs.into_iter().flatten().map(PathBuf::as_path));
    others.extend(options.against.iter().map(PathBuf::as_path));
    let gathered = files::gather(&options.paths, &inspector.config, &others)?;
    let Gathered { files, unread } = gathered;
    if let Some(file) = files.iter().find(|file| !file.items.is_empty())
        && (options.fix || options.diff || options.write_baseline.is_some())
    {
        bail!(
            "{}: fixes and baselines are for whole files; name it without #ID",
            shown(&file.path)
        );
    }
    if options.fix && options.output.is_some() && files.len() != 1 {
        bail!(
            "-o with --fix needs one input file, but there are {}; leave out -o to fix them in place",
            files.len()
        );
    }
    if options.fix {
        for file in &files {
            files::clean_up(file.path.parent().unwrap_or(Path::new(".")));
        }
    }
    let earlier = earlier_banks(&inspector, &options.against)?;
    Arc::make_mut(&mut inspector.companions).earlier = earlier;
    let task = Task {
        options,
        inspector: &inspector,
        fixes,
        rebalances: rebalances(options)?,
    };
    let progress = progress(files.len(), &options.common);
    let checked: Vec<Outcome> = files
        .par_iter()
        .map(|input| {
            let outcome = task.check(input);
            progress.inc(1);
            outcome
        })
        .collect();
    progress.finish_and_clear();
    let unread = unread
        .into_iter()
        .map(|file| Outcome::Skipped(unread::skipped(&inspector.config, &file.path, file.reason)));
    let companions = inputs.suspicious(&inspector.config);
    let companions = companions
        .iter()
        .map(|(path, inspected)| Outcome::Companion(Box::new(task.companion(path, inspected))));
    check_result::finish(&task, unread.chain(companions).chain(checked))
}

/// Whether `--fix-only` asks for keys to be moved.
fn rebalances(options: &CheckOptions) -> anyhow::Result<bool> {
    let is_it = |name: &String| {
        registry::find_check(name).is_some_and(|check| check.name == rebalance::CHECK)
    };
    let Some(name) = options.fix_only.iter().find(|name| is_it(name)) else {
        return Ok(false);
    };
    if !options.unsafe_fixes {
        bail!("--fix-only {name} moves keys to other letters; add --unsafe, and review the result");
    }
    if options.fix_only.len() > 1 {
        bail!("--fix-only {name} moves keys to other letters; run it alone");
    }
    Ok(true)
}

/// The documents that `--against` names.
fn earlier_banks(inspector: &Inspector, paths: &[PathBuf]) -> anyhow::Result<Vec<EarlierDocument>> {
    let limits = inspector.config.limits();
    paths
        .iter()
        .map(|path| {
            let bytes = files::content(path, &limits).with_context(|| files::cannot_read(path))?;
            let document = inspector
                .parse(path, bytes)
                .with_context(|| format!("--against {}", shown(path)))?;
            if document
                .model::<Bank>()
                .is_none_or(|bank| bank.items.is_empty())
            {
                bail!("--against {}: no multiple-choice items found", shown(path));
            }
            Ok(EarlierDocument {
                path: path_text(path),
                document: Arc::new(document),
            })
        })
        .collect()
}

/// The fixes that are applied: the safe ones, or also those that are only proposed.
fn fixes(options: &CheckOptions) -> anyhow::Result<FixChoice> {
    if !options.fix && !options.diff && options.unsafe_fixes {
        bail!("--unsafe needs --fix or --diff");
    }
    let most = if options.unsafe_fixes {
        Applicability::Unsafe
    } else {
        Applicability::Safe
    };
    FixChoice::parse(most, &options.fix_only)
}

fn progress(files: usize, common: &CommonOptions) -> ProgressBar {
    use std::io::IsTerminal as _;
    let wanted = files > 1 && !common.quiet && std::io::stderr().is_terminal();
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
