//! Finds a value by its path, in the form that `Node::path` writes.

use redraft_text::json::Node;

/// A step of a path: a key or an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step<'p> {
    Key(&'p str),
    Index(usize),
}

/// Parses a path; `None` if it is malformed. Keys in brackets must not contain quotation marks.
pub(super) fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    let mut rest = path.trim();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("[\"") {
            let (key, after) = inner.split_once("\"]")?;
            steps.push(Step::Key(key));
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            steps.push(Step::Index(index.trim().parse().ok()?));
            rest = after;
        } else {
            let bare = rest.strip_prefix('.').unwrap_or(rest);
            let end = bare.find(['.', '[']).unwrap_or(bare.len());
            let (key, after) = bare.split_at(end);
            if key.is_empty() {
                return None;
            }
            steps.push(Step::Key(key));
            rest = after;
        }
    }
    Some(steps)
}

/// The value at a path below `root`.
pub(crate) fn find<'a>(root: Node<'a>, path: &str) -> Option<Node<'a>> {
    steps(path)?
        .into_iter()
        .try_fold(root, |node, step| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.items().nth(index),
        })
}

/// A path without its last step, and the key of that step.
pub(super) fn parent(path: &str) -> Option<(&str, &str)> {
    match path.rsplit_once('.') {
        Some((parent, key)) if !key.contains('[') => Some((parent, key)),
        None if !path.contains('[') => Some(("", path)),
        _ => None,
    }
}

/// Splits off a trailing index: `hints[2]` becomes `hints` and 2.
pub(super) fn split_index(path: &str) -> (&str, Option<usize>) {
    let path = path.trim();
    let split = path
        .strip_suffix(']')
        .and_then(|path| path.rsplit_once('['))
        .and_then(|(list, index)| Some((list, index.trim().parse().ok()?)));
    match split {
        Some((list, index)) => (list, Some(index)),
        None => (path, None),
    }
}
