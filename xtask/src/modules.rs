//! `cargo xtask modules`: which modules of a crate know each other, and whether some
//! form a cycle.
//!
//! Among the modules that lie side by side (a module counts with everything below it)
//! no cycle may be larger than three. Read from the source as text: `use` items and
//! paths that begin with `crate`, `super`, `self` or a child's name. Tests do not
//! count, and neither do re-exports without a path of ours.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::process::Repository;
use crate::steps::Outcome;

/// The most modules that may form a cycle.
const LARGEST: usize = 3;

/// A module by its path below the crate's root: `["route", "drafts"]`.
type Module = Vec<String>;

/// Prints every cycle of every crate; fails where one is too large.
pub(crate) fn check(repository: &Repository) -> Result<Outcome> {
    let mut largest = 1;
    let mut too_large = Vec::new();
    for name in crates(repository)? {
        let root = repository.path("crates").join(&name).join("src");
        for cycle in cycles(&Sources::read(&root)?) {
            largest = largest.max(cycle.len());
            let names: Vec<String> = cycle.iter().map(|module| module.join("::")).collect();
            let line = format!("{name}: {}", names.join(", "));
            eprintln!("   cycle of {}: {line}", cycle.len());
            if cycle.len() > LARGEST {
                too_large.push(line);
            }
        }
    }
    if !too_large.is_empty() {
        bail!(
            "modules form a cycle of more than {LARGEST}:\n  {}",
            too_large.join("\n  ")
        );
    }
    Ok(Outcome::RanBut(format!("the largest cycle has {largest}")))
}

fn crates(repository: &Repository) -> Result<Vec<String>> {
    let folder = repository.path("crates");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The text of every module of a crate, without tests, comments and strings.
struct Sources(BTreeMap<Module, String>);

impl Sources {
    fn read(root: &Path) -> Result<Self> {
        let mut sources = BTreeMap::new();
        collect(root, &[], &mut sources)?;
        Ok(Self(sources))
    }

    /// The module that a path leads into: the longest beginning of it that is one.
    fn target(&self, mut path: Module) -> Module {
        while !path.is_empty() && !self.0.contains_key(&path) {
            path.pop();
        }
        path
    }

    fn has_child(&self, module: &Module, name: &str) -> bool {
        let mut child = module.clone();
        child.push(name.to_owned());
        self.0.contains_key(&child)
    }
}

fn collect(folder: &Path, below: &[String], into: &mut BTreeMap<Module, String>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let Some(stem) = path.file_stem().map(|stem| stem.to_string_lossy()) else {
            continue;
        };
        if matches!(
            &*stem,
            "tests" | "properties" | "testing" | "cases" | "fixtures"
        ) {
            continue;
        }
        let mut module = below.to_vec();
        if path.is_dir() {
            module.push(stem.into_owned());
            collect(&path, &module, into)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if !matches!(&*stem, "mod" | "lib" | "main") {
                module.push(stem.into_owned());
            }
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            into.entry(module).or_default().push_str(&code_of(&text));
        }
    }
    Ok(())
}

/// The code of a file: no comments, no contents of strings, no module of tests.
fn code_of(text: &str) -> String {
    let text = match text.find("#[cfg(test)]\nmod tests {") {
        Some(tests) => &text[..tests],
        None => text,
    };
    let mut code = String::with_capacity(text.len());
    for line in text.lines() {
        let mut in_string = false;
        let mut before = ' ';
        for (at, c) in line.char_indices() {
            if !in_string && line[at..].starts_with("//") {
                break;
            }
            if c == '"' && before != '\\' {
                in_string = !in_string;
            } else if !in_string {
                code.push(c);
            }
            before = c;
        }
        code.push('\n');
    }
    code
}

/// Every path in a module's code that may lead to another module of the crate.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let starts_a_word = rest[..at]
            .chars()
            .next_back()
            .is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let after = &rest[at + 4..];
        let Some(end) = after.find(';').filter(|_| starts_a_word) else {
            rest = after;
            continue;
        };
        expand(&after[..end], &mut Vec::new(), &mut found);
        rest = &after[end..];
    }
    found.extend(inline_paths(code));
    found
}

/// Unfolds `a::{b, c::{d, e}}` into its paths.
fn expand(tree: &str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    let depth = before.len();
    let (path, inner) = match tree.split_once('{') {
        Some((path, inner)) => (path, inner.trim_end().strip_suffix('}')),
        None => (tree.split(" as ").next().unwrap_or(tree), None),
    };
    before.extend(
        path.split("::")
            .map(str::trim)
            .filter(|segment| !segment.is_empty() && *segment != "self" || before_is_empty(depth))
            .filter(|segment| !segment.is_empty())
            .map(str::to_owned),
    );
    match inner {
        Some(inner) => split_at_commas(inner)
            .into_iter()
            .for_each(|item| expand(item, before, found)),
        None => found.push(before.clone()),
    }
    before.truncate(depth);
}

/// `self` means this module at the beginning of a path, and nothing new inside one.
fn before_is_empty(depth: usize) -> bool {
    depth == 0
}

fn split_at_commas(list: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    items.retain(|item| !item.trim().is_empty());
    items
}

/// Paths in expressions and types: `super::flow::Flow`, `child::function`.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c: char| !is_name(c) && c != ':')
        .filter(|word| word.contains("::"))
        .map(|word| word.split("::").map(str::to_owned).collect::<Vec<String>>())
        .filter(|path| path.len() > 1 && path.iter().all(|segment| !segment.is_empty()))
        .collect()
}

/// Who knows whom, module by module.
fn edges(sources: &Sources) -> Vec<(Module, Module)> {
    let mut edges = Vec::new();
    for (module, code) in &sources.0 {
        for path in paths(code) {
            let mut names = path.into_iter().peekable();
            let mut base = match names.peek().map(String::as_str) {
                Some("crate") => {
                    names.next();
                    Vec::new()
                }
                Some("self") => {
                    names.next();
                    module.clone()
                }
                Some("super") => module.clone(),
                Some(name) if sources.has_child(module, name) => module.clone(),
                _ => continue,
            };
            while names.next_if(|name| name == "super").is_some() {
                base.pop();
            }
            base.extend(names);
            let target = sources.target(base);
            if target != *module {
                edges.push((module.clone(), target));
            }
        }
    }
    edges
}

/// The cycles among modules side by side, below any module.
fn cycles(sources: &Sources) -> Vec<BTreeSet<Module>> {
    let edges = edges(sources);
    let parents: BTreeSet<Module> = sources
        .0
        .keys()
        .filter(|module| !module.is_empty())
        .map(|module| module[..module.len() - 1].to_vec())
        .collect();
    let mut found = Vec::new();
    for parent in parents {
        let child = |module: &Module| {
            (module.len() > parent.len() && module.starts_with(&parent))
                .then(|| module[..=parent.len()].to_vec())
        };
        let mut graph: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (from, to) in &edges {
            if let (Some(from), Some(to)) = (child(from), child(to))
                && from != to
            {
                graph.entry(from).or_default().insert(to);
            }
        }
        found.extend(strongly_connected(&graph));
    }
    found
}

/// The sets of more than one node of which each can be reached from each other.
fn strongly_connected(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<BTreeSet<Module>> {
    let reach: BTreeMap<&Module, BTreeSet<&Module>> = graph
        .keys()
        .map(|start| {
            let mut seen = BTreeSet::new();
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                for next in graph.get(node).into_iter().flatten() {
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
            (start, seen)
        })
        .collect();
    let mut sets: BTreeSet<BTreeSet<Module>> = BTreeSet::new();
    for (start, reached) in &reach {
        let mutual: BTreeSet<Module> = reached
            .iter()
            .filter(|other| reach.get(*other).is_some_and(|back| back.contains(start)))
            .map(|other| (*other).clone())
            .collect();
        if mutual.len() > 1 {
            sets.insert(mutual);
        }
    }
    sets.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Sources {
        Sources(
            files
                .iter()
                .map(|(path, code)| {
                    let module = path.split("::").filter(|name| !name.is_empty());
                    (module.map(str::to_owned).collect(), code_of(code))
                })
                .collect(),
        )
    }

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        cycles(&crate_of(files))
            .into_iter()
            .map(|cycle| cycle.iter().map(|module| module.join("::")).collect())
            .collect()
    }

    #[test]
    fn modules_that_use_each_other_are_a_cycle() {
        let files = [
            ("", "mod a; mod b; mod c;"),
            ("a", "use crate::b::{self, Thing};"),
            ("b", "fn f() { crate::c::g(); }"),
            ("c", "use super::a::{inner::{X, Y}, Z};"),
        ];
        assert_eq!(found(&files), [["a", "b", "c"]]);
    }

    #[test]
    fn a_module_counts_with_everything_below_it() {
        let files = [
            ("", ""),
            ("a", "mod deep;"),
            ("a::deep", "use crate::b::Thing;"),
            ("b", "use crate::a::Other;"),
        ];
        assert_eq!(found(&files), [["a", "b"]]);
    }

    #[test]
    fn comments_strings_and_tests_make_no_edge() {
        let files = [
            ("", ""),
            ("a", "use crate::b::Thing;"),
            (
                "b",
                "// crate::a::X\nconst S: &str = \"crate::a::X\";\n#[cfg(test)]\nmod tests {\nuse crate::a::X;\n}",
            ),
        ];
        assert!(found(&files).is_empty());
    }

    #[test]
    fn one_direction_is_no_cycle() {
        let files = [
            ("", "pub use a::X; pub use b::Y;"),
            ("a", "use super::b::Y;"),
            ("b", ""),
        ];
        assert!(found(&files).is_empty());
    }
}
