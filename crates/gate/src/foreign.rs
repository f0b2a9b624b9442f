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
    if let Some(edit) = edit_of_cell(document, field, writing, &range, text) {
        return edit;
    }
    let begins_field = range.start == 0 && !names_format(document, field);
    let source = place(field, range);
    let writing = writing.at_place(|| is_in_cdata(document, source.start));
    let mut written = match begins_field {
        true => writing.write_first(text),
        false => writing.write(text),
    };
    let is_gift = matches!(writing, Writing::Gift | Writing::GiftHtml);
    // At the beginning of a line it would be a comment.
    let is_comment = |text: &str| text.trim_start_matches(is_blank).starts_with("//");
    if is_gift && is_comment(&written) && begins_line(document, &source, "") {
        written.insert_str(0, LINE_BREAK);
    }
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
    let after = document.source().text().get(source.end..);
    if is_gift
        && source.end < field.map.source_span().end
        && is_comment(after.unwrap_or_default())
        && !begins_line(document, &(source.end..source.end), "")
        && begins_line(document, &source, &written)
    {
        written.push_str(LINE_BREAK);
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

/// How GIFT writes a line break.
const LINE_BREAK: &str = "\\n";

/// The place of a range in the file. A line break between two elements stands nowhere in
/// it: what is put after it belongs to the second one.
fn place(field: &TextField, range: Range<usize>) -> Range<usize> {
    let source = field.map.to_source(range.clone());
    let before = field.text.get(..range.start).unwrap_or_default();
    let after = field.text.get(range.end..).unwrap_or_default();
    let is_nowhere = before.chars().next_back().is_some_and(|c| {
        let last = range.start - c.len_utf8()..range.start;
        c == '\n' && field.map.to_source(last).is_empty()
    });
    match after.chars().next() {
        Some(next) if range.is_empty() && is_nowhere => {
            let start = range.start..range.start + next.len_utf8();
            let start = field.map.to_source(start).start;
            start..start
        }
        _ => source,
    }
}

/// An edit of a cell that can only be written as a whole: one that gets quotes, or gets or
/// had the apostrophe that says it is no formula, which stands at the edge of the cell.
fn edit_of_cell(
    document: &Document,
    field: &TextField,
    writing: Writing,
    range: &Range<usize>,
    text: &str,
) -> Option<Edit> {
    if !matches!(writing, Writing::Cell(_) | Writing::QuotedCell) {
        return None;
    }
    let head = field.text.get(..range.start).unwrap_or_default();
    let tail = field.text.get(range.end..).unwrap_or_default();
    let whole = format!("{head}{text}{tail}");
    // Also where the old text was a formula: what a model writes is none.
    let needs_mark = is_formula_like(&whole) || has_text_mark(&whole);
    let old = document.source().text().get(field.map.source_span());
    let has_mark = old.is_some_and(has_text_mark);
    let is_at_edge = range.start == 0 && (needs_mark || has_mark);
    if !is_at_edge && !writing.needs_whole(text) {
        return None;
    }
    let whole = match needs_mark {
        true => format!("'{whole}"),
        false => whole,
    };
    Some(Edit {
        span: document.span(whole_cell(document, field, writing)),
        text: writing.write(&whole),
    })
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

/// The place of a cell with the white space around its text: what marks it must stand at its
/// edges. As where cells are read, white space there is not part of their text.
fn whole_cell(document: &Document, field: &TextField, writing: Writing) -> Range<usize> {
    let span = field.map.source_span();
    let text = document.source().text();
    let is_around = |c: char| match writing {
        Writing::Cell(delimiter) => c != delimiter && is_blank(c),
        _ => c.is_whitespace(),
    };
    let before = text.get(..span.start).unwrap_or_default();
    let after = text.get(span.end..).unwrap_or_default();
    let start = before.trim_end_matches(is_around).len();
    let end = span.end + (after.len() - after.trim_start_matches(is_around).len());
    start..end
}
