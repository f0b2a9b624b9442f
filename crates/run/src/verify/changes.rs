//! Extracts the changed passages of a component with some context for the delta judge: whole
//! sentences or lines, nearby changes together, within the limit of what a judge can be shown.

use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::sentences;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{Permitted, most_letters};
use crate::repair;
use crate::request::Change;
use redraft_gate::content::Document;
use redraft_gate::span::ComponentId;

/// Unchanged sentences shown on each side of a change.
const AROUND: usize = 1;
/// Changes with at most this many unchanged sentences between them are shown as one.
const NEAR: usize = 2;
/// Beyond this many differing sentences, the text is compared as one block, because the comparison
/// is quadratic in the worst case.
const MOST_COMPARED: usize = 600;
/// The maximum length of one side, in bytes; a regenerated section fits.
const MOST_SHOWN: usize = 12_000;

/// The whole component before and after, for the question which text is better. Small models guess
/// if they only see passages.
#[must_use]
pub fn whole_component(
    before: &Document,
    after: &Document,
    component: &ComponentId,
) -> Vec<Change> {
    let text = |document: &Document| {
        let passages = repair::passages(document, component);
        let texts = passages.iter().map(|passage| match passage.name {
            "" => passage.text.trim().to_owned(),
            name => format!("{name}: {}", passage.text.trim()),
        });
        texts.collect::<Vec<_>>().join("\n")
    };
    bounded(vec![Change {
        before: text(before),
        after: text(after),
    }])
}

/// The largest change that tier one allows: a component of the maximum length. The worst case of
/// its verification is measured on it.
#[must_use]
pub fn widest_change(
    document: &Document,
    component: &ComponentId,
    task: &Permitted<'_>,
) -> Vec<Change> {
    let mut widest = whole_component(document, document, component);
    let most = most_letters(document, component, task);
    for change in &mut widest {
        let old = change.before.chars().filter(|c| !c.is_whitespace()).count();
        let times = most.div_ceil(old.max(1)).min(most);
        change.after = match old {
            0 => "x".repeat(most),
            _ => change.before.repeat(times),
        };
        let end = change.after.char_indices().nth(most + most / 4);
        if let Some((end, _)) = end {
            change.after.truncate(end);
        }
    }
    bounded(widest)
}

/// The passages of a component that differ, in text order. Passages in these lists are left out,
/// because lists are shown as a whole.
#[must_use]
pub fn changes(
    (before, after): (&Document, &Document),
    component: &ComponentId,
    listed: &[String],
) -> Vec<Change> {
    let is_listed = |passage: &repair::Passage<'_>| {
        let rest = |list: &String| passage.name.strip_prefix(list.as_str());
        let mut rests = listed.iter().filter_map(rest);
        rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
    };
    let mut old = repair::passages(before, component);
    let mut new = repair::passages(after, component);
    old.retain(|passage| !is_listed(passage));
    new.retain(|passage| !is_listed(passage));
    let mut found = Vec::new();
    for passage in &old {
        let text = new
            .iter()
            .find(|other| other.name == passage.name)
            .map_or("", |other| other.text);
        compare(passage.text, text, before.language(), &mut found);
    }
    for passage in &new {
        if !old.iter().any(|other| other.name == passage.name) {
            compare("", passage.text, before.language(), &mut found);
        }
    }
    bounded(found)
}

fn compare(old: &str, new: &str, language: Option<&Language>, found: &mut Vec<Change>) {
    if old == new {
        return;
    }
    found.extend(hunks((old, new), language, (AROUND, NEAR)));
}

/// The sentences that differ between two texts, before and after, without those around them.
pub(super) fn inserted(
    texts: (&str, &str),
    language: Option<&Language>,
) -> impl Iterator<Item = (String, String)> {
    let hunks = hunks(texts, language, (0, 0));
    hunks.into_iter().map(|hunk| (hunk.before, hunk.after))
}

/// The changes with so many unchanged sentences around each, joined if at most `near` are between.
fn hunks(
    (old, new): (&str, &str),
    language: Option<&Language>,
    (around, near): (usize, usize),
) -> Vec<Change> {
    let (old_parts, new_parts) = (segments(old, language), segments(new, language));
    let old_texts: Vec<&str> = old_parts
        .iter()
        .map(|range| old.get(range.clone()).unwrap_or_default())
        .collect();
    let new_texts: Vec<&str> = new_parts
        .iter()
        .map(|range| new.get(range.clone()).unwrap_or_default())
        .collect();
    let front = old_texts
        .iter()
        .zip(&new_texts)
        .take_while(|(a, b)| a == b)
        .count();
    let (old_rest, new_rest) = (&old_texts[front..], &new_texts[front..]);
    let back = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let old_middle = &old_rest[..old_rest.len() - back];
    let new_middle = &new_rest[..new_rest.len() - back];
    let mut hunks: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    if old_middle.len().max(new_middle.len()) > MOST_COMPARED {
        hunks.push((
            front..front + old_middle.len(),
            front..front + new_middle.len(),
        ));
    } else {
        for op in capture_diff_slices(Algorithm::Myers, old_middle, new_middle) {
            if matches!(op, DiffOp::Equal { .. }) {
                continue;
            }
            let shift = |range: Range<usize>| range.start + front..range.end + front;
            let (a, b) = (shift(op.old_range()), shift(op.new_range()));
            match hunks.last_mut() {
                Some((last_a, last_b)) if a.start - last_a.end <= near => {
                    last_a.end = a.end;
                    last_b.end = b.end;
                }
                _ => hunks.push((a, b)),
            }
        }
    }
    let mut found = Vec::new();
    for (a, b) in hunks {
        let show = |text: &str, parts: &[Range<usize>], range: &Range<usize>| {
            let from = range.start.saturating_sub(around);
            let to = (range.end + around).min(parts.len());
            let start = parts.get(from).map_or(text.len(), |part| part.start);
            let end = to
                .checked_sub(1)
                .and_then(|last| parts.get(last))
                .map_or(start, |part| part.end);
            text.get(start..end.max(start))
                .unwrap_or_default()
                .trim_matches('\n')
                .to_owned()
        };
        found.push(Change {
            before: show(old, &old_parts, &a),
            after: show(new, &new_parts, &b),
        });
    }
    found
}

/// Splits a text into sentences within lines, so that list items, headings and code lines stay
/// whole. The segments cover the text without gaps.
fn segments(text: &str, language: Option<&Language>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut at = start;
        for sentence in sentences::sentences(line, language) {
            let next = start + sentence.start;
            if next > at {
                found.push(at..next);
                at = next;
            }
        }
        start += line.len();
        if at < start {
            found.push(at..start);
        }
    }
    found
}

/// Limits changes to what can be shown, and marks what was cut.
fn bounded(mut found: Vec<Change>) -> Vec<Change> {
    let each = MOST_SHOWN / found.len().clamp(1, 24);
    found.truncate(24);
    for change in &mut found {
        for side in [&mut change.before, &mut change.after] {
            if side.len() > each {
                let end = side.floor_char_boundary(each);
                side.truncate(end);
                side.push_str(" […]");
            }
        }
    }
    found
}
