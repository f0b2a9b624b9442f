//! Edits of texts in question banks that are neither Markdown nor JSON, so that nothing but
//! the text changes: markup inside it stays, a cell gets quotes where it needs them, and no
//! cell becomes a formula.

use std::ops::Range;

use redraft_text::writing::{Writing, has_text_mark, is_formula_like};

use crate::content::{Document, TextField};
use crate::edit::Edit;

pub(crate) fn edit(
    document: &Document,
    field: &TextField,
    writing: Writing,
    range: Range<usize>,
    text: &str,
) -> Edit {
    if writing.needs_whole(text) {
        let head = field.text.get(..range.start).unwrap_or_default();
        let tail = field.text.get(range.end..).unwrap_or_default();
        let whole = format!("{head}{text}{tail}");
        let whole = without_formula(field, writing, &(0..field.text.len()), &whole);
        return Edit {
            span: document.span(whole_cell(document, field, writing)),
            text: writing.write(&whole),
        };
    }
    let text = without_formula(field, writing, &range, text);
    let begins_field = range.start == 0 && !names_format(document, field);
    let source = field.map.to_source(range);
    let writing = writing.at_place(|| is_in_cdata(document, source.start));
    let mut written = match begins_field {
        true => writing.write_first(&text),
        false => writing.write(&text),
    };
    let is_gift = matches!(writing, Writing::Gift | Writing::GiftHtml);
    // Tags, images and comments between the old words are kept after the new ones.
    for left_out in field.map.left_out(&source) {
        let markup = document.source().text().get(left_out).unwrap_or_default();
        // A comment stands on a line of its own.
        let is_comment = is_gift && markup.trim_start().starts_with("//");
        if is_comment && !begins_line(document, &source, &written) {
            written.push('\n');
        }
        written.push_str(markup);
    }
    let (source, written) = match is_gift {
        true => without_blank_line(document, source, written),
        false => (source, written),
    };
    Edit {
        span: document.span(source),
        text: written,
    }
}

/// Whether a field of GIFT names its format, as in `[plain]`: what follows it is text.
fn names_format(document: &Document, field: &TextField) -> bool {
    let before = document
        .source()
        .text()
        .get(..field.map.source_span().start);
    field.writing == Some(Writing::Gift) && before.unwrap_or_default().trim_end().ends_with(']')
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !is_line_end(c)
}

/// Whether what follows the new text stands at the beginning of a line.
fn begins_line(document: &Document, source: &Range<usize>, written: &str) -> bool {
    let before = document.source().text().get(..source.start);
    let line = match written.trim_end_matches(is_blank) {
        "" => before.unwrap_or_default().trim_end_matches(is_blank),
        written => written,
    };
    line.is_empty() || line.ends_with(is_line_end)
}

/// An edit of GIFT that leaves no blank line behind: it would end the question.
fn without_blank_line(
    document: &Document,
    mut source: Range<usize>,
    mut written: String,
) -> (Range<usize>, String) {
    let after = document.source().text().get(source.end..);
    let after = after.unwrap_or_default();
    let rest = after.trim_start_matches(is_blank);
    if !rest.starts_with(is_line_end) || !begins_line(document, &source, &written) {
        return (source, written);
    }
    let line_end = if rest.starts_with("\r\n") { 2 } else { 1 };
    let kept = written.trim_end().len();
    if kept > 0 {
        written.truncate(kept);
    } else {
        source.end += after.len() - rest.len() + line_end;
    }
    (source, written)
}

/// Whether a place lies in a CDATA section.
fn is_in_cdata(document: &Document, at: usize) -> bool {
    let before = document.source().text().get(..at).unwrap_or_default();
    before.rfind("<![CDATA[") > before.rfind("]]>")
}

/// The place of a cell without quotes, with the spaces around its text: quotes must stand at
/// its edges.
fn whole_cell(document: &Document, field: &TextField, writing: Writing) -> Range<usize> {
    let span = field.map.source_span();
    let Writing::Cell(delimiter) = writing else {
        return span;
    };
    let text = document.source().text();
    // As where cells are read: white space at their edges is not part of their text.
    let is_blank = |c: char| c != delimiter && is_blank(c);
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    let start = before.trim_end_matches(is_blank).len();
    let end = span.end + (after.len() - after.trim_start_matches(is_blank).len());
    start..end
}

/// A text that begins a cell and would be taken for a formula gets an apostrophe, as
/// spreadsheets want it. A number with a sign is no formula.
fn without_formula(
    field: &TextField,
    writing: Writing,
    range: &Range<usize>,
    text: &str,
) -> String {
    let is_cell = matches!(writing, Writing::Cell(_) | Writing::QuotedCell);
    if !is_cell || range.start > 0 {
        return text.to_owned();
    }
    let rest = field.text.get(range.end..).unwrap_or_default();
    let whole = format!("{text}{rest}");
    // Also where the old text was a formula: what a model writes is none.
    if is_formula_like(&whole) || has_text_mark(&whole) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}
