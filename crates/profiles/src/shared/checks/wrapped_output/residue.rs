//! What the programs around a model printed into its answer, by the place of the line:
//! `redraft_text::residue` says what a line is.
//!
//! | line | where it counts |
//! |---|---|
//! | a label of a page with two words or more, a seam between messages | as a paragraph of its own |
//! | a label of one word, a failure, a count | the first and the last paragraphs of a text of several, a whole answer |
//! | a call of a tool | an edge of a lesson |
//! | a label such as `Changes made:` | the last two blocks of a lesson |
//! | the other side of a chat | once, among the last paragraphs of a lesson |
//! | a mark of a citation | anywhere but in code |

use std::ops::Range;

use redraft_gate::check::{Examination, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::finding::Fix;
use redraft_text::edit_notes::edit_notes;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::residue::{self, Residue};

pub(super) fn report(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for field in document.texts() {
        let found = match field.role {
            TextRole::Body => lines(field),
            TextRole::Code => continue,
            _ => in_short_text(&field.text),
        };
        for (range, what) in found {
            let deletion = vec![document.edit(field, range.clone(), "")];
            sink.in_text(field, range, wording(what))
                .fix(Fix::proposed(deletion));
        }
        for range in residue::citation_marks(&field.text) {
            if field.is_body() && field.markdown().is_code(range.start) {
                continue;
            }
            let deletion = vec![document.edit(field, range.clone(), "")];
            let message = "a mark of a citation that leads nowhere was left in the text; name the source or delete it";
            sink.in_text(field, range, message)
                .fix(Fix::proposed(deletion));
        }
    }
}

fn wording(what: Residue) -> &'static str {
    match what {
        Residue::Interface => "a label of the page that shows the chat was copied along; delete it",
        Residue::Seam => {
            "here one message of the model ends and the next begins; look at what is missing, and delete this line"
        }
        Residue::Failure => {
            "a program failed here instead of writing; write what is missing, and delete this line"
        }
        Residue::Measure => {
            "a program printed this about the answer; it is not part of the lesson, delete it"
        }
        Residue::Note => "a note about the writing of the text is not part of the lesson; delete it",
        Residue::Call => "this is a call of a tool and not part of the lesson; delete it",
        Residue::Turn => "this is the other side of a chat; delete it",
    }
}

/// Paragraphs of a stem, an option or a hint that no author writes there.
fn in_short_text(text: &str) -> Vec<(Range<usize>, Residue)> {
    let mut start = 0;
    let mut found = Vec::new();
    for paragraph in text.split("\n\n").filter(|_| text.contains("\n\n")) {
        let what = residue::residue(paragraph).filter(|what| what.is_certain_anywhere());
        let is_label = what == Some(Residue::Interface) && paragraph.split_whitespace().count() < 2;
        if let Some(what) = what.filter(|_| !is_label) {
            found.push((start..start + paragraph.len(), what));
        }
        start += paragraph.len() + 2;
    }
    found
}

/// The paragraphs that are no text of the author.
fn lines(field: &TextField) -> Vec<(Range<usize>, Residue)> {
    /// After the words of the other side hardly anything follows.
    const LAST: usize = 3;
    let analysis = field.markdown();
    let top: Vec<_> = analysis
        .blocks
        .iter()
        .filter(|block| block.parent.is_none())
        .collect();
    let is_lesson = field.path.is_empty();
    let read: Vec<Option<Residue>> = top
        .iter()
        .map(|block| {
            let is_paragraph =
                matches!(block.kind, BlockKind::Paragraph | BlockKind::Html);
            let text = field.text.get(block.content.clone())?;
            residue::residue(text).filter(|_| is_paragraph)
        })
        .collect();
    let is_rule = |at: usize| matches!(top[at].kind, BlockKind::ThematicBreak);
    let from_start = (0..top.len()).take_while(|at| read[*at].is_some() || is_rule(*at)).count();
    let to_end = (0..top.len()).rev().take_while(|at| read[*at].is_some() || is_rule(*at)).count();
    let turns = read.iter().filter(|what| **what == Some(Residue::Turn)).count();
    let mut found = Vec::new();
    for (at, block) in top.iter().enumerate() {
        let Some(what) = read[at] else { continue };
        let is_edge = at < from_start || at >= top.len() - to_end;
        let is_alone = top.len() == 1;
        let words = field.text[block.content.clone()].split_whitespace().count();
        let counts = match what {
            Residue::Seam => true,
            Residue::Interface => words > 1 || is_edge && is_lesson && !is_alone,
            Residue::Failure | Residue::Measure => is_edge && (is_lesson || !is_alone),
            Residue::Call => is_edge && is_lesson,
            Residue::Note => false,
            Residue::Turn => is_lesson && turns == 1 && at > 0 && at + LAST >= top.len(),
        };
        if counts {
            found.push((block.content.clone(), what));
        }
    }
    found.extend(note_at_the_end(field, &top));
    found
}

/// A label such as `**Changes made:**` among the last blocks of a lesson: what follows is
/// about the text and not part of it.
fn note_at_the_end(field: &TextField, top: &[&Block]) -> Option<(Range<usize>, Residue)> {
    const LAST: usize = 2;
    const MOST_WORDS: usize = 6;
    let last = top.get(top.len().saturating_sub(LAST)..)?;
    last.iter().find_map(|block| {
        let text = field.text.get(block.content.clone())?;
        let label = text.lines().next()?.trim().trim_matches(['*', '_']);
        let is_label = block.kind == BlockKind::Paragraph
            && field.path.is_empty()
            && label.ends_with([':', '：'])
            && label.split_whitespace().count() <= MOST_WORDS;
        (is_label && !edit_notes(label).is_empty()).then(|| (block.content.clone(), Residue::Note))
    })
}
