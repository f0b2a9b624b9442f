//! Which row of a table is its header, and whether it has one.

use std::ops::Range;

use crate::columns::{ColumnChoice, ColumnError};
use crate::units;

use super::cells::{self, Cell, Row};
use super::names::{Column, Columns, MOST_COLUMNS, column, label, no_bank, normalised};

/// What stands above the rows of a table.
struct Beginning {
    /// Where the header begins.
    header: usize,
    /// The delimiter that is named.
    delimiter: Option<char>,
    /// Where the rows begin, if what is above them names the columns.
    rows: Option<usize>,
}

impl Beginning {
    /// A first line `sep=;`, or the lines `#separator:tab`, `#columns:Front\tBack` with which
    /// Anki begins an export.
    fn of(text: &str) -> Self {
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        let rest = text.get(start..).unwrap_or_default();
        let mut beginning = Self {
            header: start,
            delimiter: None,
            rows: None,
        };
        if let Some(delimiter) = rest
            .strip_prefix("sep=")
            .and_then(|rest| rest.chars().next())
        {
            beginning.header += rest.find('\n').map_or(rest.len(), |at| at + 1);
            beginning.delimiter = Some(delimiter);
            return beginning;
        }
        let (mut at, mut columns) = (start, None);
        for line in units::lines(rest) {
            let Some((name, value)) = directive(line) else {
                break;
            };
            match name {
                "separator" => beginning.delimiter = separator(value.trim_end()),
                "columns" => columns = Some(at + line.len() - value.len()),
                _ => {}
            }
            at += line.len();
        }
        beginning.header = columns.unwrap_or(at);
        beginning.rows = columns.map(|_| at);
        beginning
    }
}

/// The name and the value of a line with which Anki says how an export is written.
fn directive(line: &str) -> Option<(&str, &str)> {
    const NAMES: [&str; 11] = [
        "separator",
        "html",
        "columns",
        "tags",
        "deck",
        "notetype",
        "tags column",
        "deck column",
        "notetype column",
        "guid column",
        "if matches",
    ];
    let (name, value) = line.strip_prefix('#')?.split_once(':')?;
    NAMES.contains(&name).then_some((name, value))
}

/// A delimiter as Anki names it.
fn separator(name: &str) -> Option<char> {
    match name.to_lowercase().as_str() {
        "tab" => Some('\t'),
        "comma" => Some(','),
        "semicolon" => Some(';'),
        "pipe" => Some('|'),
        "colon" => Some(':'),
        "space" => Some(' '),
        _ => name.chars().next(),
    }
}

/// The columns of a table, and where its first row begins.
pub(crate) fn header(
    text: &str,
    choice: Option<&ColumnChoice>,
) -> Result<(Columns, usize), ColumnError> {
    let beginning = Beginning::of(text);
    let (start, told) = (beginning.header, beginning.delimiter);
    if let Some(choice) = choice.filter(|choice| choice.is_without_header()) {
        return without_header(text, beginning.rows.unwrap_or(start), told, choice);
    }
    let mut best: Option<(usize, ColumnError)> = None;
    for delimiter in told.into_iter().chain(DELIMITERS) {
        let start = after_titles(text, start, delimiter);
        let (header, after) = header_row(text, start, delimiter);
        if let Some(choice) = choice.filter(|choice| choice.is_by_letter())
            && let Ok(columns) = Columns::by_letter(header.cells.len(), delimiter, choice)
            && is_question(text, &columns, &header)
        {
            return Ok((columns, header.range.start));
        }
        let names: Vec<String> = header
            .cells
            .iter()
            .map(|cell| cells::field(text, cell, delimiter).text)
            .collect();
        let looked_at = names.iter().take(MOST_COLUMNS);
        let known = looked_at.filter(|name| column(name, 1) != Column::Other);
        let likeness = 2 * known.count() + usize::from(names.len() > 1);
        let columns = match choice {
            Some(choice) => Columns::chosen(names, delimiter, choice),
            None => Columns::of(names.clone(), delimiter).ok_or(no_bank(names)),
        };
        match columns {
            Ok(columns) => return Ok((columns, beginning.rows.unwrap_or(after))),
            // The delimiter that makes the most of the columns tells best what is missing.
            Err(error) if best.as_ref().is_none_or(|(most, _)| likeness > *most) => {
                best = Some((likeness, error));
            }
            Err(_) => {}
        }
    }
    let none = || no_bank(Vec::new());
    Err(best
        .filter(|(likeness, _)| *likeness > 0)
        .map_or_else(none, |(_, error)| error))
}

/// Where the rows of a table begin, its header among them.
pub(super) fn first_row(text: &str) -> usize {
    let beginning = Beginning::of(text);
    beginning.rows.unwrap_or(beginning.header)
}

/// The columns of a table without a header, as the user names them by letters.
fn without_header(
    text: &str,
    start: usize,
    told: Option<char>,
    choice: &ColumnChoice,
) -> Result<(Columns, usize), ColumnError> {
    let delimiters = DELIMITERS.into_iter();
    let delimiters = told.map_or_else(|| delimiters.collect(), |told| vec![told]);
    let cells = |delimiter: &char| header_row(text, start, *delimiter).0.cells.len();
    // Of several that make as many cells the first counts.
    let most = delimiters.into_iter().rev().max_by_key(cells);
    let delimiter = most.unwrap_or(',');
    let (first, _) = header_row(text, start, delimiter);
    let columns = Columns::by_letter(first.cells.len(), delimiter, choice)?;
    Ok((columns, first.range.start))
}

pub(super) const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// Whether a row is a question with its answer, and no names of columns: its key is a letter,
/// a number or one of its options; without a key, it asks. `A, B, C, D` are names.
fn is_question(text: &str, columns: &Columns, row: &Row) -> bool {
    let says = |wanted: &dyn Fn(Column) -> bool| -> Vec<String> {
        let named = columns.columns.iter().zip(&row.cells);
        let named = named.filter(|(column, _)| wanted(**column));
        named
            .map(|(_, cell)| cells::field(text, cell, columns.delimiter).text)
            .collect()
    };
    let asks = || {
        let stem = says(&|column| column == Column::Stem);
        stem.iter().any(|stem| asks(stem))
    };
    match says(&|column| column == Column::Key).first() {
        Some(_) if columns.key_is_an_option() => asks(),
        Some(key) => {
            let options = says(&|column| matches!(column, Column::Option(_)));
            let named = options.iter().chain([key]).zip(0..);
            let is_named =
                |(name, position): (&String, u8)| label(&normalised(name)) == Some(position);
            let is_answer = label(&normalised(key)).is_some() || options.contains(key);
            is_answer && !named.into_iter().all(is_named)
        }
        None => asks(),
    }
}

/// Whether a text ends like a question.
pub(super) fn asks(text: &str) -> bool {
    text.trim_end()
        .ends_with(['?', '？', '؟', ':', '：', '_', '…'])
}

/// A title may stand above the header of a table, and blank rows.
const MOST_TITLE_ROWS: usize = 10;

/// Where the rows begin below titles that are one cell. With another delimiter they are two at
/// most, which no header of a bank is. Text that begins like Markdown is none, and bars make
/// tables in it.
fn after_titles(text: &str, start: usize, delimiter: char) -> usize {
    const MARKDOWN: [char; 7] = ['#', '`', '-', '*', '>', '|', '<'];
    let mut at = start;
    for _ in 0..MOST_TITLE_ROWS {
        let (row, after) = cells::row(text, at, delimiter);
        let says = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let is_short = |delimiter| cells::row(text, at, delimiter).0.cells.len() <= 2;
        if delimiter == '|'
            || after <= at
            || row.cells.len() > 1
            || says(&row.range).trim_start().starts_with(MARKDOWN)
            || !DELIMITERS.into_iter().all(is_short)
        {
            break;
        }
        at = after;
    }
    let is_end = text.get(at..).is_none_or(|rest| rest.trim().is_empty());
    if is_end { start } else { at }
}

/// The row that names the columns: the first with more than one name in it.
pub(super) fn header_row(text: &str, start: usize, delimiter: char) -> (Row, usize) {
    let first = cells::row(text, start, delimiter);
    let mut at = start;
    for _ in 0..MOST_TITLE_ROWS {
        let (found, after) = cells::row(text, at, delimiter);
        let is_filled = |cell: &&Cell| {
            let inner = text.get(cell.inner.clone()).unwrap_or_default();
            !inner.trim().is_empty()
        };
        let filled = found.cells.iter().filter(is_filled).count();
        let is_title = filled == 1 && found.cells.len() > 1;
        if filled > 0 && !is_title {
            return (found, after);
        }
        if after <= at {
            break;
        }
        at = after;
    }
    first
}
