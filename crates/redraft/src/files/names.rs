//! Names of the command line that are not files: an item of a bank (`FILE#ID`), and a
//! misspelt path, for which the nearest name is suggested.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use redraft_report::plain;

use crate::config::nearest;

/// The file and the item that `FILE#ID` names, where there is such a file.
pub(super) fn item_of(path: &Path) -> Option<(PathBuf, String)> {
    let text = path.to_str()?;
    let mut marks = text.match_indices('#');
    marks.find_map(|(at, _)| {
        let (file, item) = (Path::new(&text[..at]), &text[at + 1..]);
        (file.is_file() && !item.is_empty()).then(|| (file.to_owned(), item.to_owned()))
    })
}

/// That a file the user named cannot be read, with the nearest name if there is no such file.
pub(crate) fn cannot_read(path: &Path) -> String {
    let shown = plain::path(&path.to_string_lossy()).into_owned();
    match nearest_path(path).filter(|_| !path.exists()) {
        Some(near) => format!("cannot read {shown} (did you mean {near}?)"),
        None => format!("cannot read {shown}"),
    }
}

/// The name most like one that does not exist, as the end of a sentence about it.
pub(crate) fn similar(path: &Path) -> String {
    // A link whose target is missing is itself the nearest name.
    if let Ok(target) = fs::read_link(path) {
        let target = target.to_string_lossy().into_owned();
        return format!(
            "; it is a symbolic link to {}, which does not exist",
            plain::path(&target)
        );
    }
    match nearest_path(path) {
        Some(near) => format!("; did you mean {near}?"),
        None => String::new(),
    }
}

/// The path most like one that does not exist, of those beside it.
fn nearest_path(path: &Path) -> Option<String> {
    const MOST: usize = 10_000;
    let mut folder = path.parent().unwrap_or(Path::new(""));
    let mut missing = path.file_name();
    // The first folder that exists, and what is missing in it.
    while !folder.as_os_str().is_empty() && !folder.is_dir() {
        missing = folder.file_name();
        folder = folder.parent().unwrap_or(Path::new(""));
    }
    let here = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let names: Vec<String> = fs::read_dir(here)
        .into_iter()
        .flatten()
        .flatten()
        .take(MOST)
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let near = missing
        .and_then(OsStr::to_str)
        .and_then(|missing| nearest(missing, names.iter().map(String::as_str)));
    let near = folder.join(near?);
    Some(plain::path(&near.to_string_lossy()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_named_after_its_file_and_only_where_the_file_exists() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name);
        for file in ["bank.jsonl", "c#.json"] {
            fs::write(name(file), "{}").unwrap();
        }
        for (path, expected) in [
            ("bank.jsonl#item_3", Some(("bank.jsonl", "item_3"))),
            ("bank.jsonl#a#b", Some(("bank.jsonl", "a#b"))),
            ("c#.json#q1", Some(("c#.json", "q1"))),
            ("bank.jsonl#", None),
            ("other.jsonl#item_3", None),
        ] {
            let expected = expected.map(|(file, item)| (name(file), item.to_owned()));
            assert_eq!(item_of(&name(path)), expected, "{path}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested_also_in_a_misspelt_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("lessons")).unwrap();
        fs::write(folder.path().join("lessons/water.md"), "").unwrap();
        for (path, near) in [
            ("lessons/watre.md", Some("lessons/water.md")),
            ("lesons/water.md", Some("lessons")),
            ("lessons/zebra.txt", None),
        ] {
            let path = folder.path().join(path);
            let said = similar(&path);
            let shown = path.display();
            let opened = cannot_read(&path);
            match near {
                Some(near) => {
                    assert!(said.ends_with(&format!("{near}?")), "{shown}: {said}");
                    assert!(opened.ends_with(&format!("{near}?)")), "{opened}");
                }
                None => {
                    assert_eq!(said, "", "{shown}");
                    assert_eq!(opened, format!("cannot read {shown}"));
                }
            }
        }
    }
}
