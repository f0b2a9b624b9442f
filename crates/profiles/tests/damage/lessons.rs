//! The good lessons that are damaged: our own, and the reference data where it
//! is at hand.

use std::path::PathBuf;

/// A lesson that was published, or could be.
#[derive(Clone, Debug)]
pub(crate) struct Lesson {
    pub(crate) id: String,
    pub(crate) language: String,
    pub(crate) text: String,
}

/// The lessons written for this test, `<language>-<topic>.md`.
pub(crate) fn own() -> Vec<Lesson> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/damage/lessons");
    let mut lessons: Vec<Lesson> = std::fs::read_dir(folder)
        .expect("the folder of lessons is part of the repository")
        .map(|entry| {
            let path = entry.expect("a readable entry").path();
            let id = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            Lesson {
                language: id.split('-').next().unwrap_or_default().to_owned(),
                text: std::fs::read_to_string(&path).expect("UTF-8"),
                id,
            }
        })
        .collect();
    lessons.sort_by(|a, b| a.id.cmp(&b.id));
    lessons
}

/// The published lessons of the reference data; none where it is absent.
pub(crate) fn published() -> Vec<Lesson> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("REDRAFT_DATA").map_or(root, PathBuf::from);
    let Ok(lines) = std::fs::read_to_string(folder.join("lessons_markdown/lessons.jsonl")) else {
        println!("skipped: no reference data");
        return Vec::new();
    };
    lines
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
            Lesson {
                id: text("id"),
                language: text("lang"),
                text: text("text"),
            }
        })
        .collect()
}

/// All lessons at hand.
pub(crate) fn all() -> Vec<Lesson> {
    let mut lessons = own();
    lessons.extend(published());
    lessons
}
