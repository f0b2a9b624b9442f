//! `escaped-newlines`: `\n` written out where a line should end.

use std::ops::Range;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::{Fix, Severity};
use redraft_text::markdown::BlockKind;

use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT014",
    name: "escaped-newlines",
    severity: Severity::Error,
    mends: Mends::Proposes,
    phase: Phase::Integrity,
    concern: Concern::Hygiene,
    summary: "line breaks are written as \\n",
    what: "Reports a text on a single line in which line breaks are written as the two characters `\\n`: a Markdown file that was written out of a JSON string, or a field of a JSON document that was escaped twice. It takes several of them between words, at least one of them a paragraph break or before a heading, list or quotation. A lesson that mentions `\\n`, shows it in code or uses LaTeX such as `\\nu` is left alone. It is an error if at least half of the texts of a document are like that, otherwise a warning. The line breaks are only proposed, because a `\\n` may be intended. A heading after the end of a sentence on the same line, and a table whose rows stand on one line, are errors: their line breaks were lost.",
    why: "The learner sees one endless paragraph with \\n in it; headings, lists and code are lost.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"intro": "Water boils.\\n\\nSteam rises.\\n- slowly\\n- quickly", "sections": []}"#,
            passes: r#"{"intro": "Water boils.\n\nSteam rises. In a program, `\\n` ends a line: `print(\"a\\nB\")`.", "sections": []}"#,
            fixed: None,
        },
        Example {
            form: ExampleForm::Markdown,
            fails: "# Water\\n\\nWater boils at 100 °C.\\n\\n## Steam\\n\\nSteam rises.\n",
            passes: "# Water\n\nThe character \\n ends a line, and \\n\\n a paragraph.\n",
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    lost_breaks(examination, sink);
    let bodies: Vec<&TextField> = examination.document.texts().iter().filter(|field| field.is_body()).collect();
    let escaped: Vec<(&TextField, Vec<Break>)> = bodies
        .iter()
        .filter_map(|field| Some((*field, escaped_breaks(field)?)))
        .collect();
    // Where most texts are whole, somebody may have meant the exceptions.
    let severity = match escaped.len() * 2 >= bodies.len() {
        true => Severity::Error,
        false => Severity::Warning,
    };
    for (field, breaks) in escaped {
        let Some(first) = breaks.first() else { continue };
        let edits = breaks
            .iter()
            .map(|found| examination.document.edit(field, found.at..found.at + 2, "\n"))
            .collect();
        sink.in_text(
            field,
            first.at..first.at + 2,
            format!(
                "{} line breaks are written as \\n; write real line breaks",
                breaks.len()
            ),
        )
        .severity(severity)
        .fix(Fix::proposed(edits));
    }
}

/// The line breaks of a text that was escaped twice; `None` for any other.
fn escaped_breaks(field: &TextField) -> Option<Vec<Break>> {
    let text = field.text.trim();
    if !text.contains("\\n") {
        return None;
    }
    let mut breaks = breaks(field);
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_some() {
        breaks = in_broken_lines(field, breaks);
    }
    let is_structure = breaks.iter().any(|found| found.kind == BreakKind::Structure);
    (breaks.len() > 1 && is_structure).then_some(breaks)
}

/// The breaks on lines of their own text that have several, one of them before a heading, list
/// or table: a part of the answer was escaped twice.
fn in_broken_lines(field: &TextField, breaks: Vec<Break>) -> Vec<Break> {
    let line_of = |at: usize| field.text[..at].rfind('\n').map_or(0, |at| at + 1);
    let markdown = field.markdown();
    let breaks: Vec<Break> = breaks.into_iter().filter(|found| !markdown.is_code(found.at)).collect();
    let is_broken = |line: usize| {
        let mut count = 0;
        let mut is_structure = false;
        for found in breaks.iter().filter(|found| line_of(found.at) == line) {
            count += 1;
            is_structure |= found.kind == BreakKind::Structure;
        }
        count > 1 && is_structure
    };
    let Some(line) = breaks.iter().map(|found| line_of(found.at)).find(|line| is_broken(*line)) else {
        return Vec::new();
    };
    breaks.into_iter().filter(|found| found.at >= line).collect()
}

/// Reports headings and tables whose line breaks became spaces.
fn lost_breaks(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination.document.texts().iter().filter(|field| field.is_body()) {
        let markdown = field.markdown();
        for block in markdown.blocks.iter().filter(|block| block.kind == BlockKind::Paragraph) {
            let text = field.text.get(block.content.clone()).unwrap_or_default();
            let found = joined_heading(text).map(|at| (at, "a heading stands in the middle of this line; begin a new line before it"))
                .or_else(|| collapsed_table(text).map(|at| (at, "the rows of this table stand on one line; begin a new line for each")));
            let Some((range, message)) = found else { continue };
            let range = block.content.start + range.start..block.content.start + range.end;
            if !markdown.is_code(range.start) {
                sink.in_text(field, range, message).severity(Severity::Error);
            }
        }
    }
}

/// `… of it. ## Next part`: a heading after the end of a sentence.
fn joined_heading(text: &str) -> Option<Range<usize>> {
    text.match_indices(" ##").find_map(|(at, _)| {
        let marks = text[at + 1..].trim_start_matches('#');
        let count = text.len() - at - 1 - marks.len();
        let before = text[..at].trim_end();
        let ends = before.ends_with(['.', '!', '?', ':', '。', '！', '？', '।', '؟', ')', '|', '*']);
        let names = marks.strip_prefix(' ').is_some_and(|title| title.starts_with(char::is_alphanumeric));
        (ends && names && count <= 6).then_some(at + 1..at + 1 + count)
    })
}

/// `| a | b | |---|---| | c | d |`: the rule of a table among its cells.
fn collapsed_table(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let is_rule = |cell: &str| {
            let cell = cell.trim().trim_matches(':');
            cell.len() > 2 && cell.chars().all(|c| c == '-')
        };
        let cells: Vec<&str> = bare.trim_matches('|').split('|').collect();
        let rules = cells.iter().filter(|cell| is_rule(cell)).count();
        let words = cells.iter().filter(|cell| cell.contains(char::is_alphanumeric)).count();
        if bare.starts_with('|') && rules > 0 && words > 1 {
            return Some(start..start + line.trim_end().len());
        }
        start += line.len();
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BreakKind {
    /// Before a blank line, a heading, an item or a quotation.
    Structure,
    Line,
}

struct Break {
    at: usize,
    kind: BreakKind,
}

/// The places where `\n` stands between words, as no mention of it does: with no space
/// on either side, outside code and quotation marks.
fn breaks(field: &TextField) -> Vec<Break> {
    let text = &*field.text;
    let mut found = Vec::new();
    for (at, _) in text.match_indices("\\n") {
        let before = text[..at].chars().next_back();
        let rest = &text[at + 2..];
        let is_double = rest.starts_with("\\n") || text[..at].ends_with("\\n");
        let next = rest.chars().next();
        let glued_before = before.is_some_and(|c| !c.is_whitespace() && !is_quote(c) && c != '\\');
        let glued_after = match next {
            None | Some('\\' | '#' | '-' | '*' | '>' | '|' | '(' | '[' | '!' | '$' | '`') => true,
            Some(c) => c.is_numeric() || c.is_uppercase() || (c.is_alphabetic() && !c.is_ascii()),
        };
        if !glued_before || !(glued_after || is_double) || is_in_code(field, at) {
            continue;
        }
        let marker = ["# ", "## ", "### ", "- ", "* ", "> ", "1. ", "| ", "```"];
        let kind = if is_double || marker.iter().any(|marker| rest.starts_with(marker)) {
            BreakKind::Structure
        } else {
            BreakKind::Line
        };
        found.push(Break { at, kind });
    }
    found
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '(')
}

/// Whether an offset is in a code span. A block whose line breaks are lost looks like
/// a span, too, and does not count.
fn is_in_code(field: &TextField, at: usize) -> bool {
    let code = &field.markdown().code;
    let next = code.partition_point(|range| range.end <= at);
    code.get(next).is_some_and(|range| {
        range.start <= at
            && field
                .text
                .get(range.clone())
                .is_some_and(|span| !span.starts_with("```"))
    })
}

#[cfg(test)]
mod tests {
    use super::{collapsed_table, joined_heading};

    #[test]
    fn lost_line_breaks_are_found() {
        assert!(joined_heading("Water boils. ## Steam rises").is_some());
        assert!(joined_heading("水开了。 ## 水汽").is_some());
        assert!(joined_heading("See issue ##12 of the list.").is_none());
        assert!(joined_heading("Two marks (## and ###) begin headings.").is_none());
        assert!(collapsed_table("| a | b | |---|---| | c | d |").is_some());
        assert!(collapsed_table("| a | b |\n| c | d |").is_none());
    }
}
