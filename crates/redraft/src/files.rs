//! Finding the files that the user named, reading them, and writing them safely.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use ignore::WalkBuilder;

use crate::config::Config;

/// A file to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentFile {
    /// `-` for standard input.
    pub path: PathBuf,
    /// Whether the user named it, rather than a folder that contains it.
    pub named: bool,
    /// The folder that the user named, if the file was found in one.
    pub folder: Option<PathBuf>,
}

impl ContentFile {
    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// # Errors
    /// When it cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        if self.is_stdin() {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            Ok(bytes)
        } else {
            fs::read(&self.path)
        }
    }
}

/// Extensions that are content in a folder; a file that is named may have any.
const EXTENSIONS: &[&str] = &["md", "markdown", "json", "jsonl", "ndjson"];

/// All files that the paths name: a file itself, a folder with every content file below
/// it that neither .gitignore nor the configuration excludes. Sorted, without
/// duplicates.
///
/// # Errors
/// When a path does not exist or a folder cannot be read.
pub fn gather(paths: &[PathBuf], config: &Config) -> anyhow::Result<Vec<ContentFile>> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" || !path.is_dir() {
            if path.as_os_str() != "-" && !path.exists() {
                bail!("{}: file or folder not found", path.display());
            }
            inputs.push(ContentFile {
                path: path.clone(),
                named: true,
                folder: None,
            });
            continue;
        }
        let walk = WalkBuilder::new(path).require_git(false).build();
        for entry in walk {
            let entry =
                entry.with_context(|| format!("cannot read the folder {}", path.display()))?;
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let file = entry.into_path();
            if is_file && is_content(&file) && !config.excludes(&file) {
                inputs.push(ContentFile {
                    path: file,
                    named: false,
                    folder: Some(path.clone()),
                });
            }
        }
    }
    inputs.sort_by(|a, b| a.path.cmp(&b.path).then(b.named.cmp(&a.named)));
    inputs.dedup_by(|later, earlier| later.path == earlier.path);
    Ok(inputs)
}

fn is_content(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Replaces a file atomically, and only if its content is still what was read.
///
/// # Errors
/// When the file changed since it was read, or cannot be written.
pub fn replace(path: &Path, read: &[u8], content: &[u8]) -> anyhow::Result<()> {
    let target = fs::canonicalize(path).with_context(|| path.display().to_string())?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write to the folder of {}", path.display()))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    let permissions = fs::metadata(&target)?.permissions();
    fs::set_permissions(file.path(), permissions)?;
    if fs::read(&target)? != read {
        bail!(
            "{} changed on disk while it was being checked; nothing was written, run the command again",
            path.display()
        );
    }
    file.persist(&target)
        .with_context(|| format!("cannot replace {}", path.display()))?;
    Ok(())
}

/// Writes a file, creating its folder if needed.
///
/// # Errors
/// When the folder cannot be created or the file cannot be written.
pub fn put(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    folder_of(path)?;
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// The same, atomically: a program that watches the file never reads half of it.
///
/// # Errors
/// When the folder cannot be created or the file cannot be written.
pub fn put_whole(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let folder = folder_of(path)?;
    let mut builder = tempfile::Builder::new();
    // Readable like any new file, not only by its owner.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let written = || -> anyhow::Result<()> {
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(content)?;
        file.persist(path)?;
        Ok(())
    };
    written().with_context(|| format!("cannot write {}", path.display()))
}

fn folder_of(path: &Path) -> anyhow::Result<&Path> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let Some(parent) = parent else {
        return Ok(Path::new("."));
    };
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    Ok(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lesson.md");
        fs::write(&path, "somebody else's words").unwrap();
        let refused = replace(&path, b"what was read", b"what was fixed");
        assert!(refused.unwrap_err().to_string().contains("changed on disk"));
        assert_eq!(fs::read(&path).unwrap(), b"somebody else's words");
        replace(&path, b"somebody else's words", b"fixed").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"fixed");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }

    #[test]
    fn folders_are_walked_in_order_and_ignored_files_stay_out() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.md", "a.json", "c.txt", "ignored.md", ".gitignore"] {
            fs::write(folder.path().join(name), "ignored.md\n").unwrap();
        }
        let inputs = gather(
            &[folder.path().to_owned(), folder.path().join("b.md")],
            &Config::default(),
        )
        .unwrap();
        let names: Vec<_> = inputs
            .iter()
            .map(|input| {
                (
                    input.path.file_name().unwrap().to_str().unwrap(),
                    input.named,
                )
            })
            .collect();
        assert_eq!(names, [("a.json", false), ("b.md", true)]);
    }

    #[test]
    fn a_missing_path_is_named() {
        let error = gather(&[PathBuf::from("no-such.md")], &Config::default()).unwrap_err();
        assert_eq!(error.to_string(), "no-such.md: file or folder not found");
    }
}
