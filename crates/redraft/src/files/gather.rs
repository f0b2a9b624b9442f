//! The files that the paths of a command name: a file itself, a folder with every file
//! below it. What may hold teaching material and is not read is listed with the reason,
//! never dropped.
//!
//! | in a folder | |
//! |---|---|
//! | Markdown, JSON, JSON Lines, question banks | read |
//! | plain text | listed: read only if it is named |
//! | other teaching formats (Word, PDF …) | listed |
//! | hidden files, files in hidden folders | listed if they are a teaching format |
//! | `node_modules`, `target`, `.git` and the like | left out |
//! | what `.gitignore` or `[files]` excludes | left out |
//! | symbolic links inside the folder | followed, each file once |
//! | symbolic links that lead out, nowhere or in a circle | listed |
//!
//! A folder or a file that the user named is read whatever it is called.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use ignore::{DirEntry, WalkBuilder};
use redraft_gate::format;
use redraft_report::plain;

use super::names::{item_of, similar};
use super::packing::content;
use super::read::{Limits, ReadError, other_kind};
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
    /// The items of a bank that the user chose with `FILE#ID`; none for the whole file.
    pub items: Vec<String>,
}

impl ContentFile {
    #[must_use]
    pub fn named(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            named: true,
            folder: None,
            items: Vec::new(),
        }
    }

    #[must_use]
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }

    /// # Errors
    /// When it cannot be read, or is not to be.
    pub fn read(&self, limits: &Limits) -> Result<Vec<u8>, ReadError> {
        content(&self.path, limits)
    }
}

/// A file that may hold teaching material and is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    pub path: PathBuf,
    pub reason: String,
}

/// What the paths of a command name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gathered {
    /// Sorted, each file once.
    pub files: Vec<ContentFile>,
    /// Sorted by path.
    pub unread: Vec<Unread>,
}

/// Folders that tools make; nobody writes lessons there.
const NO_CONTENT: &[&str] = &[
    "node_modules",
    "bower_components",
    "target",
    "dist",
    "build",
    "_build",
    "_site",
    "vendor",
    "venv",
    "site-packages",
    "__pycache__",
    ".git",
    ".hg",
    ".svn",
    ".github",
    ".gitlab",
    ".circleci",
    ".vscode",
    ".idea",
    ".venv",
    ".tox",
    ".nox",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".ipynb_checkpoints",
    ".obsidian",
    ".quarto",
    ".docusaurus",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".terraform",
    ".husky",
    ".devcontainer",
    ".changeset",
    ".yarn",
    ".cargo",
    ".redraft",
];

/// All files that the paths name. `others` are files that the command reads or writes in
/// another role (a specification, a baseline, the report) and that are no content.
///
/// # Errors
/// When a path does not exist or a folder cannot be read.
pub fn gather(paths: &[PathBuf], config: &Config, others: &[&Path]) -> anyhow::Result<Gathered> {
    let others: BTreeSet<PathBuf> = others
        .iter()
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    let mut found = Collected::default();
    for path in paths {
        if path.as_os_str() == "-" {
            found.add(ContentFile::named(path), Way::Direct);
            continue;
        }
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let Some((file, item)) = item_of(path) else {
                    bail!("{}: file or folder not found{}", shown(path), similar(path));
                };
                let mut file = ContentFile::named(&file);
                file.items.push(item);
                found.add(file, Way::Direct);
                continue;
            }
            Err(error) => return Err(error).with_context(|| shown(path)),
        };
        if !metadata.is_dir() {
            found.add(ContentFile::named(path), Way::Direct);
            continue;
        }
        let root = fs::canonicalize(path).with_context(|| shown(path))?;
        let mut folder = Folder {
            named: path,
            root,
            config,
            others: &others,
            followed: BTreeSet::new(),
            open: vec![(path.clone(), Way::Direct)],
        };
        while let Some((start, way)) = folder.open.pop() {
            folder.walk(&start, way, &mut found)?;
        }
    }
    Ok(found.finish())
}

/// How a file was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Direct,
    ThroughLink,
}

#[derive(Default)]
struct Collected {
    /// By the file itself, however it was reached.
    files: BTreeMap<PathBuf, (Way, ContentFile)>,
    /// By where they are, however that was reached.
    unread: BTreeMap<PathBuf, (Way, Unread)>,
}

impl Collected {
    /// Adds a file, unless it is there already: one that is named wins, then one that
    /// needs no link.
    fn add(&mut self, mut file: ContentFile, way: Way) {
        let itself = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        if let Some((_, earlier)) = self.files.get_mut(&itself) {
            earlier.items = together(&earlier.items, &file.items);
            file.items.clone_from(&earlier.items);
        }
        let rank = |way: Way, file: &ContentFile| (!file.named, way, file.path.clone());
        match self.files.get(&itself) {
            Some((other, earlier)) if rank(*other, earlier) <= rank(way, &file) => {}
            _ => {
                self.files.insert(itself, (way, file));
            }
        }
    }

    /// Lists a file or link that is not read, unless it is listed already.
    fn list(&mut self, path: &Path, way: Way, reason: &str) {
        let folder = path
            .parent()
            .and_then(|folder| fs::canonicalize(folder).ok());
        let place = match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        };
        if self
            .unread
            .get(&place)
            .is_none_or(|(earlier, _)| way < *earlier)
        {
            let unread = Unread {
                path: path.to_owned(),
                reason: reason.to_owned(),
            };
            self.unread.insert(place, (way, unread));
        }
    }

    fn finish(self) -> Gathered {
        let mut files: Vec<ContentFile> = self.files.into_values().map(|(_, file)| file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let read: BTreeSet<&Path> = files.iter().map(|file| file.path.as_path()).collect();
        let unread = self.unread.into_values().map(|(_, unread)| unread);
        let mut unread: Vec<Unread> = unread
            .filter(|unread| !read.contains(unread.path.as_path()))
            .collect();
        unread.sort_by(|a, b| a.path.cmp(&b.path));
        Gathered { files, unread }
    }
}

/// The items of a file that was named twice: all, where the whole file was.
fn together(some: &[String], others: &[String]) -> Vec<String> {
    if some.is_empty() || others.is_empty() {
        return Vec::new();
    }
    let new = others.iter().filter(|item| !some.contains(item));
    some.iter().chain(new).cloned().collect()
}

/// A folder that the user named.
struct Folder<'a> {
    named: &'a Path,
    /// The same without links.
    root: PathBuf,
    config: &'a Config,
    others: &'a BTreeSet<PathBuf>,
    /// Folders that links led to.
    followed: BTreeSet<PathBuf>,
    /// Folders still to be walked.
    open: Vec<(PathBuf, Way)>,
}

impl Folder<'_> {
    fn walk(&mut self, start: &Path, way: Way, found: &mut Collected) -> anyhow::Result<()> {
        let walk = WalkBuilder::new(start)
            .require_git(false)
            .hidden(false)
            .follow_links(false)
            .filter_entry(|entry| entry.depth() == 0 || !is_no_content(entry))
            .build();
        for entry in walk {
            let entry =
                entry.with_context(|| format!("cannot read the folder {}", shown(start)))?;
            if entry.depth() == 0 || self.config.excludes(entry.path()) {
                continue;
            }
            let Some(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_symlink() {
                self.link(entry.path(), way, found);
            } else if kind.is_file() {
                self.file(entry.path(), way, found);
            } else if let (false, Some(other)) = (kind.is_dir(), other_kind(kind)) {
                let reason = format!("not a regular file but {other}");
                self.unread((entry.path(), way), &reason, found);
            }
        }
        Ok(())
    }

    fn file(&self, path: &Path, way: Way, found: &mut Collected) {
        if !self.others.is_empty()
            && fs::canonicalize(path).is_ok_and(|itself| self.others.contains(&itself))
        {
            return;
        }
        let extension = extension(path);
        if self.is_hidden(path) {
            self.unread((path, way), "hidden; name it to have it read", found);
        } else if format::is_read_in_folders(&extension) {
            let file = ContentFile {
                path: path.to_owned(),
                named: false,
                folder: Some(self.named.to_owned()),
                items: Vec::new(),
            };
            found.add(file, way);
        } else if let Some(format) = format::of_name(&extension) {
            let reason = format!("{}, which redraft does not read", format.0);
            self.unread((path, way), &reason, found);
        } else {
            self.unread((path, way), "plain text; name it to have it read", found);
        }
    }

    /// Lists a file that is not read, if it may hold teaching material.
    fn unread(&self, (path, way): (&Path, Way), reason: &str, found: &mut Collected) {
        if format::is_teaching(&extension(path)) {
            found.list(path, way, reason);
        }
    }

    fn link(&mut self, link: &Path, way: Way, found: &mut Collected) {
        let listed = |found: &mut Collected, reason: &str| found.list(link, way, reason);
        let by_name = extension(link);
        let may_hold = format::is_teaching(&by_name) || by_name.is_empty();
        let target = match fs::canonicalize(link) {
            Ok(target) => target,
            Err(_) if !may_hold => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return listed(found, "a symbolic link whose target does not exist");
            }
            Err(_) => return listed(found, "a circular symbolic link"),
        };
        let is_folder = target.is_dir();
        let is_content = is_folder
            || may_hold && !by_name.is_empty()
            || format::is_teaching(&extension(&target));
        if !target.starts_with(&self.root) {
            if is_content {
                let reason = format!(
                    "a symbolic link that leads out of {}; name its target to have it read",
                    shown(self.named)
                );
                listed(found, &reason);
            }
            return;
        }
        if !is_folder {
            return self.file(link, Way::ThroughLink, found);
        }
        let above = link
            .parent()
            .and_then(|folder| fs::canonicalize(folder).ok());
        if above.is_some_and(|above| above.starts_with(&target)) {
            return listed(found, "a symbolic link to a folder that contains it");
        }
        if self.followed.insert(target) {
            self.open.push((link.to_owned(), Way::ThroughLink));
        }
    }

    /// Whether a file or a folder above it, below the one that was named, is hidden.
    fn is_hidden(&self, path: &Path) -> bool {
        path.strip_prefix(self.named)
            .unwrap_or(path)
            .components()
            .any(|component| matches!(component, Component::Normal(name) if is_dotted(name)))
    }
}

fn is_no_content(entry: &DirEntry) -> bool {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    !is_file
        && entry
            .file_name()
            .to_str()
            .is_some_and(|name| NO_CONTENT.contains(&name))
}

fn is_dotted(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

fn extension(path: &Path) -> String {
    path.extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
        .to_lowercase()
}

fn shown(path: &Path) -> String {
    plain::path(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "ignored.md\n").unwrap();
        }
        folder
    }

    /// What is read and what is listed, relative to the folder.
    fn names(folder: &Path, gathered: &Gathered) -> (Vec<String>, Vec<String>) {
        let name = |path: &Path| {
            let path = path.strip_prefix(folder).unwrap_or(path);
            path.to_string_lossy().into_owned()
        };
        (
            gathered.files.iter().map(|file| name(&file.path)).collect(),
            gathered
                .unread
                .iter()
                .map(|file| name(&file.path))
                .collect(),
        )
    }

    fn gathered(folder: &Path) -> Gathered {
        gather(&[folder.to_owned()], &Config::default(), &[]).unwrap()
    }

    #[test]
    fn every_file_of_a_folder_is_read_listed_or_no_teaching_material() {
        let folder = folder(&[
            "b.md",
            "a.json",
            "c.mdx",
            "notes.txt",
            "quiz.csv",
            "quiz.GIFT",
            "page.html",
            "image.png",
            "ignored.md",
            ".gitignore",
            ".draft.md",
            ".secret/a.md",
            ".git/a.md",
            "node_modules/a.md",
            "x/target/a.json",
            "x/targets/a.json",
        ]);
        let (read, listed) = names(folder.path(), &gathered(folder.path()));
        assert_eq!(
            read,
            [
                "a.json",
                "b.md",
                "c.mdx",
                "quiz.GIFT",
                "quiz.csv",
                "x/targets/a.json"
            ]
        );
        assert_eq!(
            listed,
            [".draft.md", ".secret/a.md", "notes.txt", "page.html"]
        );
    }

    #[test]
    fn what_the_user_names_is_read_whatever_it_is_called() {
        let folder = folder(&["build/a.md", "b.md", ".draft.md"]);
        let path = |name: &str| folder.path().join(name);
        let paths = [
            path("build"),
            path("b.md"),
            path(".draft.md"),
            path("./b.md"),
        ];
        let gathered = gather(&paths, &Config::default(), &[]).unwrap();
        let (read, listed) = names(folder.path(), &gathered);
        assert_eq!(read, [".draft.md", "b.md", "build/a.md"]);
        assert_eq!(listed, [""; 0]);
        assert_eq!(
            gathered.files.iter().filter(|file| file.named).count(),
            2,
            "those of the folder are not"
        );
    }

    #[test]
    fn files_with_another_role_are_no_content() {
        let folder = folder(&["a.md", "spec.json", "sources.txt"]);
        let paths = [folder.path().to_owned()];
        let spec = folder.path().join("spec.json");
        let sources = folder.path().join("sources.txt");
        let gathered = gather(&paths, &Config::default(), &[&spec, &sources]).unwrap();
        assert_eq!(names(folder.path(), &gathered).0, ["a.md"]);
        assert_eq!(gathered.unread, []);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_the_folder_and_listed_elsewhere() {
        use std::os::unix::fs::symlink;
        let outside = folder(&["other.md", "sub/a.md", "picture.png"]);
        let folder = folder(&["real/a.md", ".store/b", "node_modules/c/d.md"]);
        let link = |to: &Path, name: &str| symlink(to, folder.path().join(name)).unwrap();
        link(Path::new("real/a.md"), "again.md");
        link(Path::new(".store/b"), "b.md");
        link(Path::new("real"), "z-folder");
        link(Path::new("node_modules/c"), "linked");
        link(&outside.path().join("other.md"), "out.md");
        link(&outside.path().join("picture.png"), "out.png");
        link(&outside.path().join("sub"), "out-folder");
        link(Path::new("missing.md"), "dangling.md");
        link(Path::new("circle.md"), "circle.md");
        link(Path::new(".."), "real/up");
        let gathered = gathered(folder.path());
        let (read, listed) = names(folder.path(), &gathered);
        assert_eq!(read, ["b.md", "linked/d.md", "real/a.md"]);
        assert_eq!(
            listed,
            [
                "circle.md",
                "dangling.md",
                "out-folder",
                "out.md",
                "real/up"
            ]
        );
        let reasons: Vec<&str> = gathered
            .unread
            .iter()
            .map(|file| file.reason.as_str())
            .collect();
        assert_eq!(reasons[0], "a circular symbolic link");
        assert_eq!(reasons[1], "a symbolic link whose target does not exist");
        assert!(reasons[3].starts_with("a symbolic link that leads out of"));
        assert_eq!(reasons[4], "a symbolic link to a folder that contains it");
    }

    #[test]
    fn a_missing_path_is_named() {
        let error = gather(&[PathBuf::from("no-such.md")], &Config::default(), &[]).unwrap_err();
        assert_eq!(error.to_string(), "no-such.md: file or folder not found");
    }
}
