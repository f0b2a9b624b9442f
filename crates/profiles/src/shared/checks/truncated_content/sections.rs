//! Sections that were cut in the middle of a document: the last block before a
//! heading stops in the middle of a sentence. Much that good lessons do at the end of
//! a section looks like a cut, so that a missing full stop is only a warning here.

use std::cell::OnceCell;

use redraft_gate::finding::Severity;
use redraft_text::markdown::{Block, BlockKind};

use super::ending::{Ending, is_in_short_lines};
use super::{
    Cut, Habit, Text, describe, ends_as_a_sentence, ends_in_something_else, has_words, tables,
    unclosed_inline, without_notes,
};
use crate::shared::prose::{is_inside, shows_something};

/// Words from which on a single sentence without a full stop is no caption or label,
/// and from which on one is a sentence at all.
const LONG: usize = 6;
const FEWEST: usize = 3;

/// Sections of a document that may end without a full stop before it is a habit.
const MOST_LIKELY: usize = 2;

impl Text<'_> {
    /// The cuts before the headings of the text.
    pub(super) fn cut_sections(&self) -> Vec<Cut> {
        if !self.is_written_in_sentences() {
            return Vec::new();
        }
        let blocks = &self.field.markdown().blocks;
        let habit = OnceCell::new();
        let mut cuts = Vec::new();
        let (mut after, mut sections) = (0, 0_usize);
        for (heading, _) in self.field.markdown().headings() {
            let body = blocks.get(after..heading).unwrap_or_default();
            after = heading + 1;
            if let Some(last) = body.iter().rposition(|block| shows_text(self, block)) {
                let index = after - 1 - body.len() + last;
                sections += 1;
                cuts.extend(self.cut_section(index, &body[last], &habit));
            }
        }
        cuts.extend(self.cut_between_paragraphs(&habit));
        // Where many sections end without a full stop, it is a habit.
        let is_likely = |cut: &Cut| cut.severity == Severity::Warning;
        let likely = cuts.iter().filter(|cut| is_likely(cut)).count();
        if likely > MOST_LIKELY.max(sections / 10) {
            cuts.retain(|cut| !is_likely(cut));
        }
        cuts
    }

    /// The cuts before other blocks: tables that stop, paragraphs that the next goes on with.
    fn cut_between_paragraphs(&self, habit: &OnceCell<Habit>) -> Vec<Cut> {
        let field = self.field;
        let blocks = &field.markdown().blocks;
        let mut cuts = Vec::new();
        let mut before: Option<(usize, &Block)> = None;
        for (index, block) in blocks.iter().enumerate() {
            if block.kind.is_container() {
                continue;
            }
            cuts.extend(tables::cut_table(field, block));
            cuts.extend(tables::half_a_head(field, block));
            let is_paragraph = block.kind == BlockKind::Paragraph;
            // Before a list many authors leave the colon out.
            let begins_table = matches!(block.kind, BlockKind::Table { .. });
            if let Some((index, first)) = before.filter(|(_, first)| begins_table && first.parent.is_none()) {
                let cut = self.cut_section(index, first, habit).filter(|cut| {
                    cut.severity == Severity::Error && cut.range.len() < first.content.len()
                });
                cuts.extend(cut.map(|cut| Cut { severity: Severity::Warning, ..cut }));
            }
            if let Some((first_index, first)) = before.filter(|_| is_paragraph && block.parent.is_none()) {
                let seam = self.goes_on(first_index, first, block);
                cuts.extend(seam);
            }
            before = is_paragraph.then_some((index, block));
        }
        cuts
    }

    /// A paragraph that stops in a word or before one, and the next begins in small letters: two
    /// messages meet here, or a line was lost.
    fn goes_on(&self, index: usize, first: &Block, second: &Block) -> Option<Cut> {
        const FEWEST_AFTER: usize = 2;
        let field = self.field;
        let (before, after) = (
            field.text.get(first.content.clone())?.trim_end(),
            field.text.get(second.content.clone())?,
        );
        let meets = before.ends_with(char::is_alphabetic) && after.starts_with(char::is_lowercase);
        if !meets
            || ends_in_something_else(field, first)
            || !has_words(after, FEWEST_AFTER)
        {
            return None;
        }
        let in_item = is_inside(field, first, |kind| matches!(kind, BlockKind::Item { .. }));
        if !in_item && (is_in_short_lines(before) || is_in_short_lines(after)) {
            return None;
        }
        let siblings = if in_item { self.siblings(index) } else { Vec::new() };
        let stops = |item: &&str| item.trim_end().ends_with(['.', '!', '?']);
        let is_cut = match in_item {
            true => !siblings.is_empty() && siblings.iter().filter(|item| stops(item)).count() * 2 >= siblings.len(),
            false => has_words(before, FEWEST) && ends_as_a_sentence(after),
        };
        is_cut.then(|| {
            let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
            let start = first.content.start + before.len() - word.len();
            Cut::certain(
                start..first.content.start + before.len(),
                "the text stops here in the middle of a sentence, and the next paragraph goes on".to_owned(),
            )
        })
    }

    fn cut_section(&self, index: usize, block: &Block, habit: &OnceCell<Habit>) -> Option<Cut> {
        let field = self.field;
        if block.kind != BlockKind::Paragraph {
            return None;
        }
        let is_formula = || field.text[block.content.clone()].starts_with("$$");
        if let Some(cut) = unclosed_inline(field, block, &|| self.has_arguments()).filter(|_| !is_formula()) {
            return Some(cut);
        }
        if ends_in_something_else(field, block) {
            return None;
        }
        let plain = field
            .markdown()
            .plain_text(&field.text, block.content.clone());
        let ending = Ending::of(without_notes(&plain), self.language())?;
        if ending.is_farewell() || ending.is_label() {
            return None;
        }
        let in_item = is_inside(field, block, |kind| matches!(kind, BlockKind::Item { .. }));
        if let Some(unfinished) = ending.unfinished() {
            // A line of verse may end in a dash.
            let source = field.text.get(block.content.clone())?;
            if is_in_short_lines(source)
                && is_inside(field, block, |kind| matches!(kind, BlockKind::BlockQuote))
            {
                return None;
            }
            let is_prose = ending.words_before > 0 || ending.words >= self.min_words;
            let is_short = !is_prose
                && (in_item
                    || ending.words < FEWEST
                    || *habit.get_or_init(|| self.habit(block)) != Habit::Punctuated);
            if is_short || (in_item && self.items_hang(index)) {
                return None;
            }
            return Some(self.in_sentence(block, &ending, &describe(&unfinished), Severity::Error));
        }
        if block.parent.is_some() {
            return in_item
                .then(|| self.unlike_its_siblings(index, block, &ending))
                .flatten();
        }
        let source = field.text.get(block.content.clone())?;
        let goes_on = ending.hangs().is_some() || ending.is_of_ordinary_words();
        let is_sentence = if ending.words_before > 0 {
            (goes_on || ending.begins_a_sentence()) && !ending.is_title()
        } else {
            let is_long = ending.words >= LONG || ending.begins_a_sentence();
            (ending.words >= FEWEST && ending.hangs().is_some()) || (is_long && goes_on)
        };
        let stops = is_sentence
            && !is_in_short_lines(source)
            && *habit.get_or_init(|| self.habit(block)) == Habit::Punctuated;
        let why = match ending.hangs() {
            Some(hanging) => describe(&hanging),
            None => "it has no punctuation".to_owned(),
        };
        // After whole sentences, where every other paragraph ends as sentences do, a slip of
        // the author is less likely than a cut in the middle of one.
        let severity = match ending.words_before > 0 && goes_on {
            true => Severity::Error,
            false => Severity::Warning,
        };
        stops.then(|| self.in_sentence(block, &ending, &why, severity))
    }

    /// A last item that stops in ordinary words, where all others end with a full stop. Of a
    /// few items an author may have forgotten the last stop.
    fn unlike_its_siblings(&self, index: usize, block: &Block, ending: &Ending<'_>) -> Option<Cut> {
        const FEWEST_SIBLINGS: usize = 2;
        const ENOUGH_SIBLINGS: usize = 4;
        let siblings = self.siblings(index);
        let stops = |item: &&str| item.trim_end().ends_with(['.', '。']);
        let is_unlike = siblings.len() >= FEWEST_SIBLINGS && siblings.iter().all(stops);
        let is_sentence = ending.hangs().is_some() || ending.is_of_ordinary_words();
        (is_unlike && is_sentence).then(|| {
            let why = "it has no punctuation, unlike all the items before it";
            let is_certain = ending.hangs().is_some() || siblings.len() >= ENOUGH_SIBLINGS;
            let severity = if is_certain {
                Severity::Error
            } else {
                Severity::Warning
            };
            self.in_sentence(block, ending, why, severity)
        })
    }

    /// Whether other items of the list stop in the same way, as in a cloze.
    fn items_hang(&self, index: usize) -> bool {
        self.siblings(index).into_iter().any(|sibling| {
            Ending::of(sibling, self.language()).is_some_and(|other| other.hangs().is_some())
        })
    }
}

/// Whether a reader sees a block as the end of its section. The label of a footnote
/// or a link definition is elsewhere on the page.
fn shows_text(text: &Text<'_>, block: &Block) -> bool {
    shows_something(block)
        && !matches!(block.kind, BlockKind::FootnoteDefinition { .. })
        && !is_inside(text.field, block, |kind| {
            matches!(kind, BlockKind::FootnoteDefinition { .. })
        })
}
