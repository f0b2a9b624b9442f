//! `redraft check --watch`: checks again whenever a file changes. It looks twice a second at
//! the time and length of each file, which every file system tells.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use redraft_report::count::counted;

use super::check;
use super::exit::Exit;
use super::options::{CheckOptions, Format};
use super::output::complain;
use crate::config::Config;
use crate::files;

const PAUSE: Duration = Duration::from_millis(500);

/// What is looked at of a file.
type Stamp = Option<(SystemTime, u64)>;

/// Runs until it is interrupted.
pub(super) fn run(options: &CheckOptions) -> anyhow::Result<Exit> {
    if options.common.format != Format::Human {
        bail!("--watch needs --format human");
    }
    if options.paths.iter().any(|path| path == Path::new("-")) {
        bail!("--watch cannot watch standard input; name files or folders");
    }
    if !options.fix_only.is_empty() && !options.diff {
        bail!("--watch never changes files; add --diff to see what --fix-only would change");
    }
    let is_terminal = std::io::stdout().is_terminal();
    loop {
        // Whoever edits a file between the look and the check sees it checked again.
        let before = stamps(options);
        if is_terminal {
            write!(anstream::stdout(), "\u{1b}[2J\u{1b}[H")?;
        }
        if let Err(error) = check::once(options) {
            complain(&format!("{error:#}"));
        }
        writeln!(
            anstream::stdout(),
            "watching {}; press Ctrl-C to stop",
            counted(before.len(), "file")
        )?;
        while stamps(options) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// The files that the result depends on: content, companions, configuration, baseline, and
/// the banks of `--against`.
fn stamps(options: &CheckOptions) -> BTreeMap<PathBuf, Stamp> {
    let common = &options.common;
    let here = std::env::current_dir().unwrap_or_default();
    let config = Config::path(common.config.as_deref(), &here);
    let parsed = config
        .as_ref()
        .and_then(|path| Config::parse(&std::fs::read_to_string(path).ok()?, path).ok())
        .unwrap_or_default();
    let gathered = files::gather(&options.paths, &parsed, &[]);
    let content = gathered
        .into_iter()
        .flat_map(|gathered| gathered.files)
        .map(|file| file.path);
    let others = [
        &common.spec,
        &common.sources,
        &common.sow,
        &common.outcomes,
        &options.baseline,
        &config,
    ];
    content
        .chain(options.paths.iter().filter(|path| !path.is_dir()).cloned())
        .chain(others.into_iter().flatten().cloned())
        .chain(options.against.iter().cloned())
        .map(|path| {
            let stamp = std::fs::metadata(&path)
                .ok()
                .and_then(|file| Some((file.modified().ok()?, file.len())));
            (path, stamp)
        })
        .collect()
}
