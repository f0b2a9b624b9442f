//! Published lessons and real templates, where the reference data is at hand
//! (`../shared/data` beside the project, or `REDRAFT_DATA`). It is not part of
//! the project.

use std::fs;
use std::path::{Path, PathBuf};

use redraft_core::edit;
use redraft_core::finding::Severity;
use redraft_core::reading::Hint;

use crate::desk::{fix, inspect};

pub(crate) fn data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("REDRAFT_DATA")
        .map_or(beside, PathBuf::from)
        .join(name);
    if folder.is_dir() {
        Some(folder)
    } else {
        eprintln!("skipped: no reference data ({name})");
        None
    }
}

#[test]
fn no_published_lesson_has_an_error_and_no_fix_touches_one() {
    let Some(folder) = data("lessons_markdown") else {
        return;
    };
    let lines = fs::read_to_string(folder.join("lessons.jsonl")).unwrap();
    let mut lessons = 0;
    for line in lines.lines() {
        let lesson: serde_json::Value = serde_json::from_str(line).unwrap();
        let (id, text) = (
            lesson["id"].as_str().unwrap(),
            lesson["text"].as_str().unwrap(),
        );
        let inspected = inspect(text.as_bytes(), Hint::Markdown);
        let errors: Vec<_> = inspected
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{id}: {errors:?}");
        let fixed = fix(text.as_bytes(), Hint::Markdown);
        // Four of them hold the same diagram with quotation marks inside a label,
        // which Mermaid itself refuses; nothing else may change.
        let unexpected: Vec<_> = fixed
            .applied
            .iter()
            .filter(|finding| finding.check.name != "invalid-mermaid")
            .collect();
        assert!(unexpected.is_empty(), "{id}: {unexpected:?}");
        let after = fixed.inspected.document.source().text();
        assert_eq!(without_diagrams(after), without_diagrams(text), "{id}");
        if fixed.applied.is_empty() {
            assert_eq!(after, text, "{id}");
        }
        let language = inspected.document.language().map(ToString::to_string);
        assert_eq!(language.as_deref(), lesson["lang"].as_str(), "{id}");
        lessons += 1;
    }
    assert!(lessons > 30, "only {lessons} lessons");
}

/// A lesson with its diagrams taken out, byte for byte otherwise.
fn without_diagrams(text: &str) -> String {
    let mut in_diagram = false;
    text.split_inclusive('\n')
        .filter(|line| {
            let opens = line.trim_start().starts_with("```mermaid");
            let closes = in_diagram && line.trim_start().starts_with("```");
            let is_inside = in_diagram && !closes;
            in_diagram = opens || is_inside;
            !is_inside
        })
        .collect()
}

#[test]
fn every_real_scottish_file_is_written_back_byte_for_byte() {
    let Some(folder) = data("sqa") else { return };
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let document = inspect(&bytes, Hint::Json).document;
        assert!(document.recovered().iter().all(|recovered| {
            !matches!(recovered.what, redraft_core::reading::Trouble::Json(_))
        }));
        let written =
            edit::apply(document.source().bytes(), document.source().version(), &[]).unwrap();
        assert_eq!(written, bytes, "{}", path.display());
        let fixed = fix(&bytes, Hint::Json);
        assert_eq!(
            fixed.inspected.document.source().bytes(),
            bytes,
            "{}",
            path.display()
        );
        files += 1;
    }
    assert!(files > 10, "only {files} files");
}
