//! The table of what cards and items must do (`docs/acceptance.md`) names tests that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The functions that are tests, by their names.
fn tests(text: &str) -> impl Iterator<Item = &str> {
    let after_attribute = text.split("#[test]").skip(1);
    after_attribute.filter_map(|rest| {
        let (_, name) = rest.split_once("fn ")?;
        name.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next()
    })
}

#[test]
fn every_test_of_the_acceptance_table_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    let texts: Vec<String> = files
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| tests(text)).collect();
    let table = fs::read_to_string(root.join("docs/acceptance.md")).unwrap();
    let rows: Vec<(&str, &str)> = table
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| ")?
                .strip_suffix(" |")?
                .rsplit_once(" | ")
        })
        .filter(|(_, tests)| *tests != "test")
        .collect();
    assert!(rows.len() >= 80, "{}", rows.len());
    for (point, named) in rows {
        let named: Vec<&str> = named
            .split(", ")
            .filter_map(|name| name.strip_prefix('`')?.strip_suffix('`'))
            .collect();
        assert!(!named.is_empty(), "no test for: {point}");
        for name in named {
            assert!(known.contains(name), "{point}: there is no test `{name}`");
        }
    }
}
