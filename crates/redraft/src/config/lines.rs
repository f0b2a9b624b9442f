//! In which line of the file a key stands, so that a complaint can say where.
//! It knows nothing of what keys mean, and never shows a line's words: somebody
//! may have written a key of a provider there.

use std::collections::BTreeMap;
use std::fmt;

use toml::de::{DeTable, DeValue};

use super::secret;

/// What is wrong with a configuration, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The line, from 1, where it is about one.
    pub line: Option<usize>,
    /// What is wrong and what to write.
    pub message: String,
}

impl Complaint {
    /// A complaint; words that may be a key of a provider are left out.
    #[must_use]
    pub fn new(line: Option<usize>, message: impl Into<String>) -> Self {
        Self {
            line,
            message: secret::shown("", message.into()),
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Complaint {}

/// The lines of keys by their path, such as `roles.judge.model` or `ignore[0]`.
#[derive(Clone, Debug, Default)]
pub struct Lines(BTreeMap<String, usize>);

impl Lines {
    /// Looks all keys of a file up.
    pub(super) fn of(text: &str, table: &DeTable<'_>) -> Self {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let mut lines = Self::default();
        let mut open = vec![(String::new(), table)];
        while let Some((path, table)) = open.pop() {
            for (key, value) in table {
                let here = below(&path, key.get_ref());
                lines
                    .0
                    .insert(here.clone(), line_of(&starts, key.span().start));
                match value.get_ref() {
                    DeValue::Table(inner) => open.push((here, inner)),
                    DeValue::Array(items) => {
                        for (index, item) in items.iter().enumerate() {
                            let here = format!("{here}[{index}]");
                            let line = line_of(&starts, item.span().start);
                            lines.0.insert(here.clone(), line);
                            if let DeValue::Table(inner) = item.get_ref() {
                                open.push((here, inner));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        lines
    }

    /// The line of a key, else of the table it would stand in.
    #[must_use]
    pub fn line(&self, path: &str) -> Option<usize> {
        let mut path = path;
        loop {
            if let Some(line) = self.0.get(path) {
                return Some(*line);
            }
            let (above, _) = path.rsplit_once(['.', '['])?;
            path = above;
        }
    }

    /// A complaint about a key; words that may be a key of a provider are left out.
    #[must_use]
    pub fn complain(&self, path: &str, message: impl Into<String>) -> Complaint {
        Complaint {
            line: self.line(path),
            message: secret::shown(path, message.into()),
        }
    }
}

/// The path of a key in a table.
pub(super) fn below(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// What TOML's reader has to say about a text that it cannot read, without the words
/// of the line.
pub(super) fn unreadable(text: &str, error: &toml::de::Error) -> Complaint {
    let said: Vec<&str> = error.message().lines().map(str::trim).collect();
    let message = format!("this is no TOML: {}", said.join("; "));
    Complaint::new(line_of_error(text, error), message)
}

/// What it has to say about a value that does not fit: what would, not what stands
/// there.
pub(super) fn misfit(text: &str, error: &toml::de::Error) -> Complaint {
    let said = error.message();
    let message = match said.rsplit_once(", expected ") {
        Some((_, expected)) => format!("this takes {expected}"),
        None => said.lines().map(str::trim).collect::<Vec<_>>().join("; "),
    };
    Complaint::new(line_of_error(text, error), message)
}

fn line_of_error(text: &str, error: &toml::de::Error) -> Option<usize> {
    error.span().map(|span| {
        let before = text.get(..span.start).unwrap_or(text);
        before.matches('\n').count() + 1
    })
}

fn line_of(starts: &[usize], offset: usize) -> usize {
    starts.partition_point(|start| *start <= offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_line_and_a_missing_one_that_of_its_table() {
        let text = "a = 1\n\n[roles.judge]\nmodel = \"m\"\nlist = [\n  \"x\",\n  \"y\",\n]\n[[override]]\npaths = []\n[models.\"gpt-4.1\"]\nprice-in = 2\n";
        let table = DeTable::parse(text).unwrap();
        let lines = Lines::of(text, table.get_ref());
        for (path, line) in [
            ("a", Some(1)),
            ("roles.judge", Some(3)),
            ("roles.judge.model", Some(4)),
            ("roles.judge.weight", Some(3)),
            ("roles.judge.list[1]", Some(7)),
            ("override[0].paths", Some(10)),
            ("models.gpt-4.1.price-in", Some(12)),
            ("models.gpt-4.1.context", Some(11)),
            ("limits.cost", None),
        ] {
            assert_eq!(lines.line(path), line, "{path}");
        }
    }
}
