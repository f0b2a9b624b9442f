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
//! | the other side asks to go on, and the model does | anywhere |
//! | a failure, a value that is not there | as a whole section or explanation |
//! | any of these but labels of one word | the last lines of the last paragraph of a lesson |
//! | a mark of a citation | anywhere but in code |

use std::ops::Range;

use redraft_gate::check::{Examination, Sink};
use redraft_gate::content::{ComponentKind, Document, TextField, TextRole};
use redraft_gate::finding::Fix;
use redraft_text::edit_notes::edit_notes;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::residue::{self, Residue};

pub(super) fn report(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for field in document.texts() {
        let found = match field.role {
            TextRole::Body => lines(field, is_section(document, field)),
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

/// Whether a text is a whole section or explanation, where a line of a program cannot be what
/// was asked for, as it may be in a solution.
fn is_section(document: &Document, field: &TextField) -> bool {
    let component = document.components().get(field.component);
    component.is_some_and(|component| {
        matches!(
            component.kind,
            ComponentKind::Introduction
                | ComponentKind::Section
                | ComponentKind::Conclusion
                | ComponentKind::Card
                | ComponentKind::Vignette
                | ComponentKind::Explanation
        )
    })
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
        Residue::Turn | Residue::Request => "this is the other side of a chat; delete it",
        Residue::Value => {
            "a program printed this for a text that is not there; write the text, or delete it"
        }
    }
}

/// Paragraphs of a stem, an option or a hint that no author writes there.
fn in_short_text(text: &str) -> Vec<(Range<usize>, Residue)> {
    let mut start = 0;
    let mut found = Vec::new();
    for paragraph in text.split("\n\n").filter(|_| text.contains("\n\n")) {
        let next = text.get(start + paragraph.len() + 2..).unwrap_or_default();
        let what = residue::residue(paragraph).filter(|what| {
            let is_answered = *what == Residue::Request && residue::is_turn_of_the_model(next);
            what.is_certain_anywhere() || is_answered
        });
        let is_label = what == Some(Residue::Interface) && paragraph.split_whitespace().count() < 2;
        if let Some(what) = what.filter(|_| !is_label) {
            found.push((start..start + paragraph.len(), what));
        }
        start += paragraph.len() + 2;
    }
    found
}

/// The paragraphs that are no text of the author.
fn lines(field: &TextField, is_section: bool) -> Vec<(Range<usize>, Residue)> {
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
            let text = field.text.get(block.content.clone()).filter(|_| is_paragraph)?;
            residue::residue(text)
        })
        .collect();
    let is_answered = |at: usize| {
        top.get(at + 1)
            .and_then(|next| field.text.get(next.content.clone()))
            .is_some_and(residue::is_turn_of_the_model)
    };
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
            Residue::Failure | Residue::Measure if is_lesson || !is_alone => is_edge,
            Residue::Failure => is_section,
            Residue::Measure => false,
            Residue::Value => is_lesson && at >= top.len() - to_end || is_section && is_alone,
            Residue::Request => is_answered(at),
            Residue::Call => is_edge && is_lesson,
            Residue::Note => false,
            Residue::Turn => is_lesson && turns == 1 && at > 0 && at + LAST >= top.len(),
        };
        if counts {
            found.push((block.content.clone(), what));
        }
    }
    if is_lesson
        && let Some(block) = top.last()
        && block.kind == BlockKind::Paragraph
        && let Some(text) = field.text.get(block.content.clone())
        && let Some((range, what)) = residue::residue_at_the_end(text)
        && (what != Residue::Turn || turns == 0)
    {
        let start = block.content.start;
        found.push((start + range.start..start + range.end, what));
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
        // Before a list the label may be the last line of the paragraph.
        let lines = [text.lines().next()?, text.lines().next_back()?];
        let is_note = lines.iter().any(|line| {
            let label = line.trim().trim_matches(['*', '_']);
            label.ends_with([':', '：'])
                && label.split_whitespace().count() <= MOST_WORDS
                && !edit_notes(label).is_empty()
        });
        let is_text = block.kind == BlockKind::Paragraph && field.path.is_empty();
        (is_note && is_text).then(|| (block.content.clone(), Residue::Note))
    })
}
