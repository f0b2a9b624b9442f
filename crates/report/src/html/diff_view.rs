//! What changed, section by section and word by word: as it reads, and as it stands in the
//! file.

use std::collections::BTreeMap;

use redraft_gate::content::{ComponentKind, Document};
use serde::Serialize;

use super::escape::escape;
use super::groups::{self, Group, Homes};
use super::markdown;
use super::marks::{Mark, MarkKind, Marks};
use super::templates::{self, HtmlError};
use crate::word_diff::{self, Change};

#[derive(Serialize)]
struct DiffView {
    prefix: String,
    sections: Vec<SectionView>,
    unchanged: usize,
}

#[derive(Serialize)]
struct SectionView {
    id: String,
    title: String,
    kind: &'static str,
    passages: Vec<PassageView>,
}

#[derive(Serialize)]
struct PassageView {
    label: Option<String>,
    source_html: String,
    before_html: Option<String>,
    after_html: Option<String>,
    /// Whether the passage is shown as source alone: it is not text for a reader.
    is_source_only: bool,
}

/// The fragment; `None` if nothing changed.
///
/// # Errors
/// When a template fails, which is an internal error.
pub fn diff(
    prefix: &str,
    before: &Document,
    after: &Document,
) -> Result<Option<String>, HtmlError> {
    if before.source().bytes() == after.source().bytes() {
        return Ok(None);
    }
    let old: Vec<Group<'_>> = groups::of(before);
    let new: Vec<Group<'_>> = groups::of(after);
    let mut sections = Vec::new();
    let mut unchanged = 0;
    for group in ids(&old, &new) {
        let find = |groups: &[Group<'_>]| groups.iter().position(|other| other.id == group);
        let (from, to) = (find(&old), find(&new));
        let passages = passages((before, &old, from), (after, &new, to));
        if passages.is_empty() {
            unchanged += 1;
            continue;
        }
        let named = to.map(|at| &new[at]).or_else(|| from.map(|at| &old[at]));
        sections.push(SectionView {
            id: group.to_owned(),
            title: named
                .and_then(|group| group.title)
                .unwrap_or_default()
                .to_owned(),
            kind: named.map_or("", |group| groups::kind(group.kind)),
            passages,
        });
    }
    let view = DiffView {
        prefix: prefix.to_owned(),
        sections,
        unchanged,
    };
    templates::fill("diff.html", &view).map(Some)
}

/// The ids of the groups of both versions, in the order of the later one; what is gone
/// comes last.
fn ids<'d>(old: &[Group<'d>], new: &[Group<'d>]) -> Vec<&'d str> {
    let mut ids: Vec<&str> = new.iter().map(|group| group.id).collect();
    ids.extend(
        old.iter()
            .map(|group| group.id)
            .filter(|id| new.iter().all(|group| group.id != *id)),
    );
    ids
}

type Side<'a, 'd> = (&'d Document, &'a [Group<'d>], Option<usize>);

fn passages(before: Side<'_, '_>, after: Side<'_, '_>) -> Vec<PassageView> {
    let (old, new) = (source_of(before), source_of(after));
    if old == new {
        return Vec::new();
    }
    let is_text = groups::is_one_text(before.0) && groups::is_one_text(after.0);
    if is_text {
        return vec![passage(
            None,
            Some(old).filter(|t| !t.is_empty()),
            Some(new).filter(|t| !t.is_empty()),
        )];
    }
    let (old_fields, new_fields) = (fields_of(before), fields_of(after));
    let mut views = Vec::new();
    for (path, (label, text)) in &new_fields {
        let earlier = old_fields.get(path).map(|(_, text)| *text);
        if earlier != Some(*text) {
            views.push(passage(label.clone(), earlier, Some(text)));
        }
    }
    for (path, (label, text)) in &old_fields {
        if !new_fields.contains_key(path) {
            views.push(passage(label.clone(), Some(text), None));
        }
    }
    if views.is_empty() {
        // Something that no learner reads: a key, points, a flag.
        views.push(PassageView {
            label: None,
            source_html: inline(old, new),
            before_html: None,
            after_html: None,
            is_source_only: true,
        });
    }
    views
}

/// The source of a group.
fn source_of<'d>((document, groups, at): Side<'_, 'd>) -> &'d str {
    let range = at
        .and_then(|at| groups.get(at))
        .map(|group| group.range.clone());
    let text = document.source().text();
    range.and_then(|range| text.get(range)).unwrap_or_default()
}

/// The texts of a group by their paths. An item that moved in its list keeps its own.
fn fields_of<'d>(
    (document, groups, at): Side<'_, 'd>,
) -> BTreeMap<&'d str, (Option<String>, &'d str)> {
    let kind = at
        .and_then(|at| groups.get(at))
        .map_or(ComponentKind::Whole, |group| group.kind);
    let homes = Homes::of(document, groups);
    let fields = document.texts().iter();
    fields
        .filter(|field| Some(homes.of_field(field)) == at)
        .map(|field| (&*field.path, (groups::label(field, kind), &*field.text)))
        .collect()
}

fn passage(label: Option<String>, before: Option<&str>, after: Option<&str>) -> PassageView {
    let changes = word_diff::changes(before.unwrap_or_default(), after.unwrap_or_default());
    let side = |text: &str, wanted: MarkKind| {
        let marks = changes.iter().filter_map(|change| match (change, wanted) {
            (Change::Deleted(range), MarkKind::Deleted)
            | (Change::Inserted(range), MarkKind::Inserted) => Some(Mark {
                range: range.clone(),
                kind: wanted,
            }),
            _ => None,
        });
        let mut marks = Marks::new("", "", marks.collect());
        markdown::render(text, &[], &mut marks).concat()
    };
    PassageView {
        label,
        source_html: inline(before.unwrap_or_default(), after.unwrap_or_default()),
        before_html: before.map(|text| side(text, MarkKind::Deleted)),
        after_html: after.map(|text| side(text, MarkKind::Inserted)),
        is_source_only: false,
    }
}

/// Two versions of a text in one, with what was deleted and inserted.
fn inline(before: &str, after: &str) -> String {
    let mut html = String::new();
    for change in word_diff::changes(before, after) {
        match change {
            Change::Same { after: range, .. } => html.push_str(&folded(&after[range])),
            Change::Deleted(range) => {
                html.push_str(&format!("<del>{}</del>", escape(&before[range])));
            }
            Change::Inserted(range) => {
                html.push_str(&format!("<ins>{}</ins>", escape(&after[range])));
            }
        }
    }
    html
}

/// A stretch that did not change: of a long one its ends.
fn folded(text: &str) -> String {
    const EACH_SIDE: usize = 300;
    if text.len() <= EACH_SIDE * 3 {
        return escape(text).into_owned();
    }
    let head = floor(text, EACH_SIDE);
    let tail = floor(text, text.len() - EACH_SIDE);
    format!(
        "{}<span class=\"left-out\"> … </span>{}",
        escape(&text[..head]),
        escape(&text[tail..])
    )
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}
