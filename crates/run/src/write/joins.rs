//! The joins between the components of a text: the last sentences of one and the first of the next.
//! A smoother sees nothing else and may change nothing else.
//!
//! | an edit of a smoother | then |
//! |---|---|
//! | lies within the sentences of one side of a join | applied |
//! | touches anything else, even a space | all edits are rejected |
//! | adds a line break, adds or removes a number, or makes a side more than twice as long | all edits are rejected |
//!
//! If a component ends or begins with a list, a table, code or a diagram, there is no prose to
//! smooth, and that side of the join is left out. Whether the smoothed text is better is not
//! checked here.

use std::ops::Range;

use crate::ask::Reply;
use crate::repair::{self, Applied, EditTarget, Proposal};
use crate::verdict::{Reason, Unscored};
use redraft_gate::content::{Component, ComponentKind, Document, TextField};
use redraft_gate::span::ComponentId;

/// The point where two components meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The component that ends.
    pub from: ComponentId,
    /// The component that begins.
    pub to: ComponentId,
    /// The last sentences of `from`.
    pub end: Option<JoinSide>,
    /// The first sentences of `to`.
    pub start: Option<JoinSide>,
}

/// The sentences on one side of a join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinSide {
    /// The range in the source text.
    pub range: Range<usize>,
    pub text: String,
}

/// Enough for any planned lesson; a book is not smoothed at once.
const MOST_JOINS: usize = 40;
/// The maximum sentences on one side, and at most half of the paragraph.
const SENTENCES: usize = 2;
/// Characters by which a side may always grow, enough for a transition sentence.
const FREE_GROWTH: usize = 200;

/// The joins of a text, in order.
#[must_use]
pub fn joins(document: &Document) -> Vec<Join> {
    let mut parts: Vec<(usize, &Component)> = document
        .components()
        .iter()
        .enumerate()
        .filter(|(_, part)| {
            matches!(
                part.kind,
                ComponentKind::Introduction | ComponentKind::Section | ComponentKind::Conclusion
            )
        })
        .collect();
    parts.sort_by_key(|(_, part)| part.range.start);
    parts
        .windows(2)
        .take(MOST_JOINS)
        .map(|pair| Join {
            from: pair[0].1.id.clone(),
            to: pair[1].1.id.clone(),
            end: side(document, pair[0], Edge::End),
            start: side(document, pair[1], Edge::Start),
        })
        .filter(|join| join.end.is_some() || join.start.is_some())
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    End,
}

fn side(document: &Document, (index, part): (usize, &Component), edge: Edge) -> Option<JoinSide> {
    let mut bodies = document
        .texts()
        .iter()
        .filter(|field| field.is_body() && (field.path.is_empty() || field.component == index));
    let field = match edge {
        Edge::Start => bodies.next(),
        Edge::End => bodies.last(),
    }?;
    let within = if field.path.is_empty() {
        field.map.to_decoded(part.range.start)..field.map.to_decoded(part.range.end)
    } else {
        0..field.text.len()
    };
    let sentences = sentences(document, field, &within, edge)?;
    let text = field.text.get(sentences.clone())?.to_owned();
    Some(JoinSide {
        range: field.map.to_source(sentences),
        text,
    })
}

/// The sentences at one edge of a range, if there is prose.
fn sentences(
    document: &Document,
    field: &TextField,
    within: &Range<usize>,
    edge: Edge,
) -> Option<Range<usize>> {
    let is_within = |range: &Range<usize>| within.start <= range.start && range.end <= within.end;
    let mut paragraphs = document
        .paragraphs(field)
        .iter()
        .filter(|paragraph| is_within(&paragraph.range));
    let paragraph = match edge {
        Edge::Start => paragraphs.next(),
        Edge::End => paragraphs.next_back(),
    }?;
    // Only headings may come between the prose and the edge.
    let is_at_edge = field
        .markdown()
        .top_level()
        .filter(|(_, block)| is_within(&block.span))
        .all(|(_, block)| match edge {
            Edge::Start => {
                block.span.end > paragraph.range.start
                    || matches!(
                        block.kind,
                        redraft_text::markdown::BlockKind::Heading { .. }
                    )
            }
            Edge::End => block.span.start < paragraph.range.end,
        });
    if !is_at_edge {
        return None;
    }
    let all = &paragraph.sentences;
    let number = SENTENCES.min(all.len().div_ceil(2));
    let chosen = match edge {
        Edge::Start => all.get(..number),
        Edge::End => all.get(all.len() - number..),
    }?;
    Some(chosen.first()?.range.start..chosen.last()?.range.end)
}

/// Reads a smoother's reply; `None` if it has nothing to smooth.
///
/// # Errors
/// If the reply has no edits, or some that touch more than the joins. None is applied then.
pub fn read_smoothed(
    document: &Document,
    joins: &[Join],
    reply: &Reply,
) -> Result<Option<Applied>, Unscored> {
    let proposal = repair::read_patch(reply).map_err(Unscored::from)?;
    match &proposal {
        Proposal::NoChange { .. } => Ok(None),
        Proposal::Whole(_) => Err(Unscored::new(
            Reason::WrongShape,
            "edits of the joins are wanted, not a text",
        )),
        Proposal::Blocks(_) => smoothed(document, joins, &proposal).map(Some),
    }
}

/// Applies edits of joins: all or none.
///
/// # Errors
/// If one of them does not fit, or touches anything but a join.
pub fn smoothed(
    document: &Document,
    joins: &[Join],
    proposal: &Proposal,
) -> Result<Applied, Unscored> {
    let whole = ComponentId::whole();
    let target = EditTarget {
        document,
        component: &whole,
        protected: &[],
    };
    let applied = repair::apply(target, proposal)
        .map_err(|complaint| Unscored::new(Reason::WrongShape, complaint.message))?;
    let rejected = |message: String| Unscored::new(Reason::Rejected, message);
    let sides: Vec<&JoinSide> = joins
        .iter()
        .flat_map(|join| [&join.end, &join.start])
        .flatten()
        .collect();
    let mut grown = vec![0usize; sides.len()];
    for edit in &applied.edits {
        let touched = document.source().text_range(edit.span);
        let old = document
            .source()
            .text()
            .get(touched.clone())
            .unwrap_or_default();
        let home = sides
            .iter()
            .position(|side| side.range.start <= touched.start && touched.end <= side.range.end);
        let Some(home) = home else {
            return Err(rejected(format!(
                "an edit touches {}, which is not a sentence of a join; change only the sentences that are shown",
                crate::reply::first_lines(old)
            )));
        };
        let breaks = |text: &str| text.matches(['\n', '\r']).count();
        let escaped = |text: &str| text.matches("\\n").count();
        if breaks(&edit.text) > breaks(old) || escaped(&edit.text) > escaped(old) {
            return Err(rejected(
                "a join stays one paragraph; put no line breaks into it".to_owned(),
            ));
        }
        if numbers(&edit.text) != numbers(old) {
            return Err(rejected(format!(
                "an edit of {} changes its numbers; leave them as they are",
                crate::reply::first_lines(old)
            )));
        }
        if let Some(grown) = grown.get_mut(home) {
            *grown += edit
                .text
                .chars()
                .count()
                .saturating_sub(old.chars().count());
        }
    }
    for (side, grown) in sides.iter().zip(grown) {
        let length = side.text.chars().count();
        if grown > length.max(FREE_GROWTH) {
            return Err(rejected(format!(
                "the join at {} would grow by {grown} characters; a sentence or two is enough",
                crate::reply::first_lines(&side.text)
            )));
        }
    }
    Ok(applied)
}

/// The runs of digits in a text as the file writes it, sorted. Digits of an escape such as `\u00e9`
/// do not count.
fn numbers(text: &str) -> Vec<String> {
    const ESCAPED: usize = 4;
    let mut found: Vec<String> = text
        .split("\\u")
        .enumerate()
        .flat_map(|(index, piece)| {
            let skipped = if index == 0 { 0 } else { ESCAPED };
            let rest: String = piece.chars().skip(skipped).collect();
            rest.split(|c: char| !c.is_numeric())
                .filter(|run| !run.is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    found.sort();
    found
}
