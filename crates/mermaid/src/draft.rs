//! A diagram under repair: successive edits, which are expressed at the end as
//! edits of the original text. It knows nothing of Mermaid.

use std::collections::BTreeSet;
use std::ops::Range;

/// A replacement of bytes of the diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// Edits that make sense only together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) edits: Vec<Edit>,
}

impl Change {
    pub(super) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            edits: vec![Edit {
                range,
                text: text.into(),
            }],
        }
    }

    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }

    pub(super) fn delete(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    fn start(&self) -> usize {
        self.edits.first().map_or(0, |edit| edit.range.start)
    }
}

/// A segment of the text. Cut segments keep their range in the original.
#[derive(Clone, Debug)]
enum Segment {
    Kept(Range<usize>),
    Cut(Range<usize>, usize),
    New(String, usize),
}

/// The text with all changes so far.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    text: String,
    segments: Vec<Segment>,
    /// How many changes have been applied, and by which step each was made.
    steps: Vec<usize>,
    /// Pairs of changes of which one edits the text of the other, so that neither
    /// can be dropped alone.
    ties: Vec<(usize, usize)>,
}

/// The edits that belong together, in terms of the original.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The first step that contributed an edit.
    pub(super) step: usize,
    /// All steps that did.
    pub(super) steps: BTreeSet<usize>,
    pub(super) edits: Vec<Edit>,
}

impl Draft {
    pub(super) fn new(source: &str) -> Self {
        Self {
            text: source.to_owned(),
            segments: vec![Segment::Kept(0..source.len())],
            steps: Vec::new(),
            ties: Vec::new(),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Applies the changes of one step; those that overlap an earlier one of
    /// the same step are skipped. Returns how many were applied.
    pub(super) fn apply(&mut self, step: usize, mut changes: Vec<Change>) -> usize {
        changes.sort_by_key(Change::start);
        let mut edits: Vec<(Edit, usize)> = Vec::new();
        let mut applied = 0;
        for mut change in changes {
            change
                .edits
                .sort_by_key(|edit| (edit.range.start, edit.range.end));
            let fits = change.edits.iter().all(|edit| {
                edit.range.start <= edit.range.end
                    && self.text.get(edit.range.clone()).is_some()
                    && edits
                        .iter()
                        .rev()
                        .take(64)
                        .all(|(other, _)| apart(edit, other))
            });
            if !fits || change.edits.is_empty() {
                continue;
            }
            let id = self.steps.len();
            self.steps.push(step);
            edits.extend(change.edits.into_iter().map(|edit| (edit, id)));
            applied += 1;
        }
        edits.sort_by_key(|(edit, _)| (edit.range.start, edit.range.end));
        for (edit, id) in edits.iter().rev() {
            self.splice(edit, *id);
        }
        applied
    }

    fn splice(&mut self, edit: &Edit, id: usize) {
        let mut segments = Vec::with_capacity(self.segments.len() + 3);
        let (start, end) = (edit.range.start, edit.range.end);
        let mut at = 0;
        let mut written = false;
        for segment in std::mem::take(&mut self.segments) {
            let length = match &segment {
                Segment::Kept(range) => range.len(),
                Segment::New(text, _) => text.len(),
                Segment::Cut(..) => 0,
            };
            if length == 0 || at + length <= start || (written && at >= end) {
                segments.push(segment);
                at += length;
                continue;
            }
            let before = start.saturating_sub(at).min(length);
            let after = end.saturating_sub(at).min(length).max(before);
            let (left, middle, right) = split(segment, before, after, id, &mut self.ties);
            segments.extend(left);
            segments.extend(middle);
            if !written && at + length > start {
                // The new text follows what it replaces of the first
                // segment; what it replaces of later segments makes no difference.
                segments.push(Segment::New(edit.text.clone(), id));
                written = true;
            }
            segments.extend(right);
            at += length;
        }
        if !written {
            segments.push(Segment::New(edit.text.clone(), id));
        }
        segments.retain(|segment| !matches!(segment, Segment::New(text, _) if text.is_empty()));
        self.segments = segments;
        self.text.replace_range(edit.range.clone(), &edit.text);
    }

    /// The changes as groups of edits of the original that belong together, in
    /// the order of the text.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut leader: Vec<usize> = (0..self.steps.len()).collect();
        let mut edits: Vec<(Edit, BTreeSet<usize>)> = Vec::new();
        let mut at = 0;
        let mut open: Option<(Edit, BTreeSet<usize>)> = None;
        for segment in &self.segments {
            match segment {
                Segment::Kept(range) => {
                    edits.extend(open.take());
                    at = range.end;
                }
                Segment::Cut(range, id) => {
                    let (edit, ids) = open.get_or_insert_with(|| (empty(at), BTreeSet::new()));
                    edit.range.end = range.end;
                    at = range.end;
                    ids.insert(*id);
                }
                Segment::New(text, id) => {
                    let (edit, ids) = open.get_or_insert_with(|| (empty(at), BTreeSet::new()));
                    edit.text.push_str(text);
                    ids.insert(*id);
                }
            }
        }
        edits.extend(open);
        for (_, ids) in &edits {
            if let Some(first) = ids.first() {
                ids.iter().for_each(|id| join(&mut leader, *first, *id));
            }
        }
        for (a, b) in &self.ties {
            join(&mut leader, *a, *b);
        }
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for (edit, ids) in edits {
            let Some(id) = ids.first().map(|id| lead(&leader, *id)) else {
                continue;
            };
            let steps: BTreeSet<usize> = ids.iter().map(|id| self.steps[*id]).collect();
            let step = steps.first().copied().unwrap_or(0);
            match groups.iter_mut().find(|(group, _)| *group == id) {
                Some((_, group)) => {
                    group.step = group.step.min(step);
                    group.steps.extend(steps);
                    group.edits.push(edit);
                }
                None => groups.push((
                    id,
                    Group {
                        step,
                        steps,
                        edits: vec![edit],
                    },
                )),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }
}

/// The source with edits applied, which must not touch each other.
pub(super) fn apply(source: &str, edits: &[Edit]) -> Option<String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut text = String::with_capacity(source.len() + 64);
    let mut at = 0;
    for edit in sorted {
        text.push_str(source.get(at..edit.range.start)?);
        text.push_str(&edit.text);
        at = edit.range.end;
    }
    text.push_str(source.get(at..)?);
    Some(text)
}

fn empty(at: usize) -> Edit {
    Edit {
        range: at..at,
        text: String::new(),
    }
}

fn apart(a: &Edit, b: &Edit) -> bool {
    a.range != b.range && (a.range.end <= b.range.start || b.range.end <= a.range.start)
}

fn lead(leader: &[usize], mut id: usize) -> usize {
    while leader[id] != id {
        id = leader[id];
    }
    id
}

fn join(leader: &mut [usize], a: usize, b: usize) {
    let (a, b) = (lead(leader, a), lead(leader, b));
    leader[a.max(b)] = a.min(b);
}

type Split = (Option<Segment>, Option<Segment>, Option<Segment>);

/// Cuts `before..after` out of a segment.
fn split(
    segment: Segment,
    before: usize,
    after: usize,
    id: usize,
    ties: &mut Vec<(usize, usize)>,
) -> Split {
    match segment {
        Segment::Kept(range) => {
            let (cut, rest) = (range.start + before, range.start + after);
            (
                (before > 0).then_some(Segment::Kept(range.start..cut)),
                (cut < rest).then_some(Segment::Cut(cut..rest, id)),
                (rest < range.end).then_some(Segment::Kept(rest..range.end)),
            )
        }
        Segment::New(text, made_by) => {
            ties.push((made_by, id));
            let kept = |range: Range<usize>| {
                text.get(range)
                    .filter(|text| !text.is_empty())
                    .map(|text| Segment::New(text.to_owned(), made_by))
            };
            (kept(0..before), None, kept(after..text.len()))
        }
        cut @ Segment::Cut(..) => (Some(cut), None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edits_of(draft: &Draft) -> Vec<Edit> {
        draft
            .groups()
            .into_iter()
            .flat_map(|group| group.edits)
            .collect()
    }

    #[test]
    fn edits_upon_edits_are_told_in_terms_of_the_original() {
        let mut draft = Draft::new("A[x (y)] -> B");
        draft.apply(
            0,
            vec![Change {
                edits: vec![empty_with(2, "\""), empty_with(7, "\"")],
            }],
        );
        assert_eq!(draft.text(), "A[\"x (y)\"] -> B");
        draft.apply(1, vec![Change::replace(11..13, "-->")]);
        assert_eq!(draft.text(), "A[\"x (y)\"] --> B");
        let groups = draft.groups();
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].step, groups[0].edits.len()), (0, 2));
        assert_eq!(
            groups[1].edits,
            vec![Edit {
                range: 9..11,
                text: "-->".into()
            }]
        );
    }

    fn empty_with(at: usize, text: &str) -> Edit {
        Edit {
            range: at..at,
            text: text.into(),
        }
    }

    proptest! {
        #[test]
        fn the_told_edits_give_the_text(
            source in "[ab\n]{0,20}",
            rounds in prop::collection::vec((0usize..24, 0usize..5, "[xy]{0,3}"), 0..8),
        ) {
            let mut draft = Draft::new(&source);
            for (step, (start, length, text)) in rounds.into_iter().enumerate() {
                let start = start.min(draft.text().len());
                let end = (start + length).min(draft.text().len());
                draft.apply(step, vec![Change::replace(start..end, text)]);
            }
            let edited = apply(&source, &edits_of(&draft));
            prop_assert_eq!(edited.as_deref(), Some(draft.text()));
        }
    }
}
