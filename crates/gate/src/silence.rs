//! Ignore comments: `<!-- redraft-ignore CODE: reason -->` in Markdown.
//!
//! A comment before any content silences the whole document; elsewhere it holds
//! from the comment to the end of the component it stands in. In a JSON document
//! it holds for the component whose text contains it. A comment without a reason
//! silences nothing.
//!
//! The text under test must not silence the gate (ruling 48): comments count only where
//! the user's settings say so, and never for the checks in [`NEVER_SILENCED`].

use std::collections::BTreeMap;
use std::ops::Range;

use redraft_text::markdown::{Block, BlockKind};

use crate::check::Check;
use crate::content::{Document, TextField};

/// The marker that a comment begins with.
pub const MARKER: &str = "redraft-ignore";

/// Checks that no comment silences: they find attacks, and the comment may be part of one
/// (ruling 48).
pub const NEVER_SILENCED: [&str; 2] = ["prompt-injection", "active-content"];

/// Whether ignore comments count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IgnoreComments {
    /// They are counted and named, and silence nothing.
    #[default]
    NotHonoured,
    Honoured,
}

/// Whether an ignore comment may silence a check at all.
#[must_use]
pub fn may_silence(check: &Check) -> bool {
    !NEVER_SILENCED.contains(&check.name)
}

/// Whether a text contains an ignore comment, also one in code or without effect. A
/// repair that adds one is rejected.
#[must_use]
pub fn contains_comment(text: &str) -> bool {
    text.match_indices(MARKER)
        .any(|(at, _)| text[..at].trim_end().ends_with("<!--"))
}

/// The ignore comments of a text, also those in code or without effect.
pub(crate) fn comments(text: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 200;
    let found = text.match_indices(MARKER);
    let inside = found.filter(|(at, _)| text[..*at].trim_end().ends_with("<!--"));
    inside.map(|(at, _)| {
        let end = text.floor_char_boundary((at + MOST).min(text.len()));
        let comment = &text[at..end];
        comment.split("-->").next().unwrap_or(comment)
    })
}

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

/// The directives in force in a document.
#[derive(Clone, Debug, Default)]
pub struct Silences {
    /// By code or name in lower case: ranges by their start, each with the
    /// furthest end and its reason among those up to it, so that one look-up
    /// answers whether any of them covers a place.
    by_check: BTreeMap<String, Vec<Silence>>,
}

#[derive(Clone, Debug)]
struct Silence {
    start: usize,
    end: usize,
    reason: String,
}

impl Silences {
    /// The reason why a finding of this check at this place is silenced, if it is.
    #[must_use]
    pub fn reason(&self, check: &Check, at: usize) -> Option<&str> {
        if !may_silence(check) {
            return None;
        }
        [check.code.to_ascii_lowercase().as_str(), check.name]
            .iter()
            .filter_map(|name| self.by_check.get(*name))
            .find_map(|silences| {
                let before = silences.partition_point(|silence| silence.start <= at);
                let furthest = silences[..before].last()?;
                (at <= furthest.end).then_some(furthest.reason.as_str())
            })
    }

    fn finish(mut self) -> Self {
        for silences in self.by_check.values_mut() {
            silences.sort_by_key(|silence| silence.start);
            let mut furthest: Option<(usize, String)> = None;
            for silence in silences.iter_mut() {
                match &furthest {
                    Some((end, reason)) if *end > silence.end => {
                        silence.end = *end;
                        silence.reason.clone_from(reason);
                    }
                    _ => furthest = Some((silence.end, silence.reason.clone())),
                }
            }
        }
        self
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

/// An ignore comment that silences nothing because comments do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unheeded {
    /// Where it begins in the source's text.
    pub at: usize,
    /// The checks it names, as written.
    pub checks: Vec<String>,
}

/// The ignore comments of a document, for when they do not count.
#[must_use]
pub fn unheeded(document: &Document) -> Vec<Unheeded> {
    document
        .texts()
        .iter()
        .flat_map(|field| {
            directives(field).into_iter().map(|directive| Unheeded {
                at: field.map.to_source(directive.range.clone()).start,
                checks: directive
                    .checks
                    .iter()
                    .map(|check| (*check).to_owned())
                    .collect(),
            })
        })
        .collect()
}

/// The silences in force in a document.
#[must_use]
pub fn in_document(document: &Document) -> Silences {
    let mut silences = Silences::default();
    for field in document.texts() {
        let directives = directives(field);
        if directives.is_empty() {
            continue;
        }
        let first_content = first_content(field);
        for directive in directives {
            if directive.reason.is_empty() || directive.checks.is_empty() {
                continue;
            }
            let Range { start, end } = scope(document, field, first_content, &directive);
            for check in &directive.checks {
                let silence = Silence {
                    start,
                    end,
                    reason: directive.reason.to_owned(),
                };
                let of_check = silences.by_check.entry(check.to_lowercase());
                of_check.or_default().push(silence);
            }
        }
    }
    silences.finish()
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

fn scope(
    document: &Document,
    field: &TextField,
    first_content: usize,
    directive: &Directive<'_>,
) -> Range<usize> {
    let at = field.map.to_source(directive.range.clone()).start;
    if field.path.is_empty() {
        if directive.range.start <= first_content {
            return 0..document.source().text().len();
        }
        at..document.component_at(at).range.end
    } else {
        document.components()[field.component].range.clone()
    }
}

/// Where the content begins, after front matter and comments.
fn first_content(field: &TextField) -> usize {
    field
        .markdown()
        .blocks
        .iter()
        .find(|block| !matches!(block.kind, BlockKind::FrontMatter) && !is_comment(block))
        .map_or(field.text.len(), |content| content.span.start)
}

/// HTML of nothing but comments has no content of its own.
fn is_comment(block: &Block) -> bool {
    block.kind == BlockKind::Html && block.content.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_its_checks_and_its_reason() {
        for (comment, expected) in [
            (
                "<!-- redraft-ignore TXT003: shown on purpose -->",
                Some((vec!["TXT003"], "shown on purpose")),
            ),
            (
                "<!--redraft-ignore TXT003,empty-section: two: of them-->",
                Some((vec!["TXT003", "empty-section"], "two: of them")),
            ),
            ("<!-- redraft-ignore TXT003 -->", Some((vec!["TXT003"], ""))),
            ("<!-- redraft-ignore -->", Some((vec![], ""))),
            ("<!-- redraft-ignored -->", None),
            ("<!-- nothing -->", None),
        ] {
            let parsed = parse(comment, 0..comment.len());
            assert_eq!(parsed.map(|d| (d.checks, d.reason)), expected, "{comment}");
        }
    }

    #[test]
    fn a_text_with_an_ignore_comment_is_told_from_one_that_speaks_of_it() {
        for (text, expected) in [
            ("Water.\n<!-- redraft-ignore TXT003: a -->", true),
            ("<!--redraft-ignore-->", true),
            ("<!--\n  redraft-ignore TXT003 -->", true),
            ("`<!-- redraft-ignore TXT003: a -->`", true),
            ("Write redraft-ignore in a comment.", false),
            ("<!-- a note --> redraft-ignore", false),
            ("Water.", false),
        ] {
            assert_eq!(contains_comment(text), expected, "{text}");
        }
    }
}
