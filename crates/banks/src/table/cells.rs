//! Rows and cells of a table as they stand in the file: delimiters, quotes, line ends, and
//! what keeps a spreadsheet from running a text as a formula.

use std::ops::Range;

use redraft_text::json::ReadText;
use redraft_text::writing::{FORMULA_SIGNS, Writing, has_text_mark, is_formula_like};

use crate::units::{self, Unit};

/// A cell and whether it has quotes.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Without its quotes.
    pub(super) inner: Range<usize>,
    pub(super) is_quoted: bool,
    /// Where text follows the quote that ends it, which belongs to nothing.
    pub(super) after_quote: Option<Range<usize>>,
}

/// A row of a table.
pub(super) struct Row {
    pub(super) range: Range<usize>,
    pub(super) cells: Vec<Cell>,
    /// A quote that is never closed.
    pub(super) unclosed: Option<usize>,
}

/// The row that begins at an offset, and where the next one begins.
pub(super) fn row(text: &str, start: usize, delimiter: char) -> (Row, usize) {
    let mut cells = Vec::new();
    let mut unclosed = None;
    let mut at = start;
    let end;
    loop {
        let (cell, after) = cell(text, at, delimiter);
        if cell.is_quoted && cell.inner.end == after {
            unclosed = Some(cell.inner.start - 1);
        }
        cells.push(cell);
        let next = text.get(after..).and_then(|rest| rest.chars().next());
        match next {
            Some(c) if c == delimiter => at = after + c.len_utf8(),
            _ => {
                end = after;
                break;
            }
        }
    }
    let rest = text.get(end..).unwrap_or_default();
    let line_end = ["\r\n", "\n", "\r"]
        .iter()
        .find(|line_end| rest.starts_with(**line_end))
        .map_or(0, |line_end| line_end.len());
    let row = Row {
        range: start..end,
        cells,
        unclosed,
    };
    (row, end + line_end)
}

/// The cell that begins at an offset, and what follows it.
fn cell(text: &str, start: usize, delimiter: char) -> (Cell, usize) {
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with('"') {
        let mut at = start + 1;
        loop {
            let Some(quote) = text.get(at..).and_then(|rest| rest.find('"')) else {
                let inner = start + 1..text.len();
                return (
                    Cell {
                        inner,
                        is_quoted: true,
                        after_quote: None,
                    },
                    text.len(),
                );
            };
            let quote = at + quote;
            if text.as_bytes().get(quote + 1) == Some(&b'"') {
                at = quote + 2;
                continue;
            }
            let inner = start + 1..quote;
            let after = text.get(quote + 1..).unwrap_or_default();
            let skipped = after.find([delimiter, '\n', '\r']).unwrap_or(after.len());
            let rest = units::trimmed(text, quote + 1..quote + 1 + skipped);
            return (
                Cell {
                    inner,
                    is_quoted: true,
                    after_quote: (!rest.is_empty()).then_some(rest),
                },
                quote + 1 + skipped,
            );
        }
    }
    let length = rest.find([delimiter, '\n', '\r']).unwrap_or(rest.len());
    let inner = start..start + length;
    (
        Cell {
            inner,
            is_quoted: false,
            after_quote: None,
        },
        start + length,
    )
}
pub(super) fn field(text: &str, cell: &Cell, delimiter: char) -> ReadText {
    let plain = units::plain(text, cell.inner.clone());
    if !cell.is_quoted {
        let decoded = without_apostrophe(plain);
        return units::read(&decoded, cell.inner.start, Writing::Cell(delimiter));
    }
    let mut decoded: Vec<Unit> = Vec::with_capacity(plain.len());
    let mut at = 0;
    while let Some(unit) = plain.get(at) {
        let next = plain
            .get(at + 1)
            .filter(|next| unit.c == '"' && next.c == '"');
        decoded.push(Unit {
            end: next.map_or(unit.end, |next| next.end),
            ..*unit
        });
        at += 1 + usize::from(next.is_some());
    }
    let decoded = without_apostrophe(decoded);
    units::read(&decoded, cell.inner.start, Writing::QuotedCell)
}

/// An apostrophe before a sign that begins a formula, or before more apostrophes and such a
/// sign, says that it is text, and is not part of it.
fn without_apostrophe(mut units: Vec<Unit>) -> Vec<Unit> {
    let apostrophes = units.iter().take_while(|unit| unit.c == '\'').count();
    let sign = units.get(apostrophes).map(|unit| unit.c);
    if apostrophes > 0
        && sign.is_some_and(|sign| FORMULA_SIGNS.contains(&sign))
        && let [first, second, ..] = units.as_mut_slice()
    {
        second.start = first.start;
        units.remove(0);
    }
    units
}

/// A cell that no spreadsheet takes for a formula.
pub(crate) fn cell_text(text: &str, delimiter: char) -> String {
    // What has an apostrophe already would lose it when it is read.
    let text = match is_formula_like(text) || has_text_mark(text) {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    Writing::Cell(delimiter).write(&text)
}

/// Whether a spreadsheet would compute a cell or start a program for it: a call of a
/// function, a reference to another cell, or one to another program (`=cmd|'/c x'!A1`),
/// wherever they stand in it. A text such as `-5 °C` or `+ve` is left alone.
pub(super) fn is_formula(cell: &str) -> bool {
    // Spreadsheets skip white space before the sign.
    let cell = cell.trim_start_matches([' ', '\u{a0}', '\t', '\r']);
    let mut signs = cell.chars();
    let is_equation = match signs.next() {
        Some('=' | '＝') => true,
        Some('+' | '-' | '@' | '＋' | '－' | '＠') => false,
        _ => return false,
    };
    let rest = signs.as_str().trim_start_matches(['=', '+', '-', '@', ' ']);
    starts_program(rest)
        || names(rest).any(|(name, after)| {
            let at = rest.len() - name.len() - after.len();
            let before = rest.get(..at).unwrap_or_default();
            let (is_first, is_joined) = (before.is_empty(), before.ends_with(OPERATORS));
            let is_call = after.starts_with('(') && after.contains(')');
            let is_upper = name.chars().all(|c| !c.is_lowercase());
            let is_cell = is_first
                && after.is_empty()
                && name.ends_with(|c: char| c.is_ascii_digit())
                && name.chars().filter(char::is_ascii_uppercase).count() <= 6;
            // `-2+F(x)` is mathematics, `+2 CO(g)` chemistry.
            let is_function = is_equation || is_upper && (is_first || is_joined && name.len() > 1);
            is_call && is_function || is_equation && is_cell
        })
}

/// What stands between the parts of a formula.
const OPERATORS: [char; 11] = ['+', '-', '*', '/', '^', '&', ',', ';', '(', '<', '>'];

/// The names in a formula that begin with a letter, and what follows each.
fn names(formula: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || "._$:".contains(c);
    let mut rest = formula;
    std::iter::from_fn(move || {
        loop {
            rest = rest.get(rest.find(is_name)?..)?;
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end)?;
            rest = after;
            if name.starts_with(|c: char| c.is_alphabetic() || c == '$') {
                return Some((name, after));
            }
        }
    })
}

/// Whether a formula has a reference to another program: `cmd|'/c calc'!A1`.
fn starts_program(formula: &str) -> bool {
    let Some((program, rest)) = formula.split_once('|') else {
        return false;
    };
    let Some((_, place)) = rest.rsplit_once('!') else {
        return false;
    };
    let begins_place = |c: char| c.is_alphanumeric() || c == '$';
    program.ends_with(|c: char| c.is_ascii_alphanumeric()) && place.starts_with(begins_place)
}
