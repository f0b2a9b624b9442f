//! Writes the generated pages into the repository, or compares them with it:
//! `pages write|check <repository>`. Started by `cargo xtask docs`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use redraft::pages::{self, Page};

/// The folder in which every file is generated, so that a page of a check that
/// is gone can be told from one that somebody wrote.
const ALL_GENERATED: &str = "docs/checks";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["write", root] => write(Path::new(root)),
        ["check", root] => check(Path::new(root)),
        _ => bail!("usage: pages write|check <repository>"),
    }
}

fn write(root: &Path) -> Result<()> {
    let pages = pages::all();
    for page in pages.iter().filter(|page| !is_fresh(root, page)) {
        let path = root.join(&page.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&path, &page.content)
            .with_context(|| format!("cannot write {}", path.display()))?;
        eprintln!("wrote {}", page.path);
    }
    for stale in stale(root, &pages)? {
        let path = root.join(&stale);
        fs::remove_file(&path).with_context(|| format!("cannot delete {}", path.display()))?;
        eprintln!("deleted {}", stale.display());
    }
    Ok(())
}

fn check(root: &Path) -> Result<()> {
    let pages = pages::all();
    let mut faults = 0;
    for page in pages.iter().filter(|page| !is_fresh(root, page)) {
        let what = if root.join(&page.path).exists() {
            "differs"
        } else {
            "is missing"
        };
        eprintln!("{} {what}", page.path);
        faults += 1;
    }
    for stale in stale(root, &pages)? {
        eprintln!("{} is of no check", stale.display());
        faults += 1;
    }
    if faults > 0 {
        bail!(
            "{faults} of {} generated pages are not those of the code",
            pages.len()
        );
    }
    Ok(())
}

fn is_fresh(root: &Path, page: &Page) -> bool {
    fs::read(root.join(&page.path)).is_ok_and(|bytes| bytes == page.content.as_bytes())
}

/// Files in the generated folder that nothing generates, below the repository.
fn stale(root: &Path, pages: &[Page]) -> Result<BTreeSet<PathBuf>> {
    let folder = root.join(ALL_GENERATED);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot list {}", folder.display()));
        }
    };
    let generated: BTreeSet<&Path> = pages.iter().map(|page| Path::new(&page.path)).collect();
    let mut stale = BTreeSet::new();
    for entry in entries {
        let path = Path::new(ALL_GENERATED).join(entry?.file_name());
        if !generated.contains(path.as_path()) {
            stale.insert(path);
        }
    }
    Ok(stale)
}
