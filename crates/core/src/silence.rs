//! Ignore comments: `<!-- redraft-ignore CODE: reason -->` in Markdown.
//!
//! A comment before any content silences the whole document; elsewhere it holds
//! from the comment to the end of the component it stands in. In a JSON document
//! it holds for the component whose text contains it. A comment without a reason
//! silences nothing.

use std::ops::Range;

use redraft_text::markdown::BlockKind;

use crate::check::Check;
use crate::content::{Document, TextField};

/// The marker that a comment begins with.
pub const MARKER: &str = "redraft-ignore";

/// An ignore comment as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive<'a> {
    /// The comment, in the text it stands in.
    pub range: Range<usize>,
    /// Codes or names, as written.
    pub checks: Vec<&'a str>,
    /// The reason; empty where none was given.
    pub reason: &'a str,
}

/// A directive in force.
#[derive(Clone, Debug)]
pub struct Silence {
    checks: Vec<String>,
    range: Range<usize>,
    /// Why.
    pub reason: String,
}

impl Silence {
    /// Whether a finding of this check at this range of the source is silenced.
    #[must_use]
    pub fn covers(&self, check: &Check, at: &Range<usize>) -> bool {
        self.range.start <= at.start
            && at.start <= self.range.end
            && self
                .checks
                .iter()
                .any(|name| name.eq_ignore_ascii_case(check.code) || name == check.name)
    }
}

/// The ignore comments in a text, also the faulty ones.
#[must_use]
pub fn directives(field: &TextField) -> Vec<Directive<'_>> {
    if !field.text.contains(MARKER) {
        return Vec::new();
    }
    field
        .markdown()
        .comments
        .iter()
        .filter_map(|range| parse(&field.text, range.clone()))
        .collect()
}

/// The silences in force in a document.
#[must_use]
pub fn in_document(document: &Document) -> Vec<Silence> {
    let mut silences = Vec::new();
    for field in document.texts() {
        for directive in directives(field) {
            if directive.reason.is_empty() || directive.checks.is_empty() {
                continue;
            }
            silences.push(Silence {
                checks: directive.checks.iter().map(ToString::to_string).collect(),
                range: scope(document, field, &directive),
                reason: directive.reason.to_owned(),
            });
        }
    }
    silences
}

fn parse(text: &str, range: Range<usize>) -> Option<Directive<'_>> {
    let comment = text.get(range.clone())?;
    let inner = comment.strip_prefix("<!--")?.trim_start();
    let inner = inner.strip_suffix("-->").unwrap_or(inner).trim_end();
    let rest = inner.strip_prefix(MARKER)?;
    if !rest.is_empty() && !rest.starts_with([' ', '\t', '\n', '\r', ':']) {
        return None;
    }
    let (checks, reason) = rest.split_once(':').unwrap_or((rest, ""));
    Some(Directive {
        range,
        checks: checks
            .split([',', ' ', '\t', '\n'])
            .map(str::trim)
            .filter(|check| !check.is_empty())
            .collect(),
        reason: reason.trim(),
    })
}

fn scope(document: &Document, field: &TextField, directive: &Directive<'_>) -> Range<usize> {
    let at = field.map.to_source(directive.range.clone()).start;
    if field.path.is_empty() {
        if nothing_before(field, directive.range.start) {
            return 0..document.source().text().len();
        }
        at..document.component_at(at).range.end
    } else {
        document.components()[field.component].range.clone()
    }
}

/// Whether only front matter and comments stand before an offset.
fn nothing_before(field: &TextField, at: usize) -> bool {
    field
        .markdown()
        .blocks
        .iter()
        .take_while(|block| block.span.start < at)
        .all(|block| matches!(block.kind, BlockKind::FrontMatter | BlockKind::Html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_its_checks_and_its_reason() {
        for (comment, expected) in [
            ("<!-- redraft-ignore TXT003: shown on purpose -->", Some((vec!["TXT003"], "shown on purpose"))),
            ("<!--redraft-ignore TXT003,empty-section: two: of them-->", Some((vec!["TXT003", "empty-section"], "two: of them"))),
            ("<!-- redraft-ignore TXT003 -->", Some((vec!["TXT003"], ""))),
            ("<!-- redraft-ignore -->", Some((vec![], ""))),
            ("<!-- redraft-ignored -->", None),
            ("<!-- nothing -->", None),
        ] {
            let parsed = parse(comment, 0..comment.len());
            assert_eq!(parsed.map(|d| (d.checks, d.reason)), expected, "{comment}");
        }
    }
}
