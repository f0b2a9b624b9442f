//! Tables: a question a row, its texts in columns that the header names.
//!
//! | column | what it is |
//! |---|---|
//! | a name of `stem`, `key`, `explanation`, `vignette`, `id`, `bloom` | that field |
//! | `A`, `Option B`, `Antwort 3` | an option |
//! | `Incorrect answer 1` | a wrong option; the right one is the text of the key |
//! | `Feedback A` | what is said to an option |
//! | `Question type` | questions that are not multiple choice |
//! | anything else | left alone |
//!
//! Delimiter, quotes and line ends stay as they came; a row is edited cell by cell.

mod cells;
mod example;
mod header;
mod keys;
mod kinds;
mod names;

use std::ops::Range;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::Writing;

use crate::columns::{ColumnChoice, ColumnError};
use crate::marks::UNREAD_MARK;
use crate::units::{self, Unit};
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

use cells::{Cell, Row};
use names::Letters;

pub(crate) use cells::cell_text;
pub(crate) use header::header;
pub use names::{Column, Columns};

pub(crate) fn cut(text: &str, choice: Option<&ColumnChoice>) -> Option<Bank> {
    let (columns, mut at) = header(text, choice).ok()?;
    let head = 0..at;
    let (mut questions, mut troubles) = (Vec::new(), Vec::new());
    // Columns that the user names by letter may have no header at all.
    let of_key = columns.named(|column| column == Column::Key).next();
    if choice.is_some()
        && columns.has_header
        && of_key.is_some_and(|name| names::label(&names::normalised(name)).is_some())
    {
        troubles.push(Trouble {
            range: units::trimmed(text, head.clone()),
            what: TroubleKind::NoHeader,
        });
    }
    // What the user says about the columns counts, and nothing else is in doubt.
    let is_doubtful = choice.is_none();
    if is_doubtful && !columns.doubled.is_empty() {
        troubles.push(Trouble {
            range: units::trimmed(text, head.clone()),
            what: TroubleKind::SameColumn,
        });
    }
    while at < text.len() {
        let (row, after) = cells::row(text, at, columns.delimiter);
        at = after.max(at + 1);
        let is_blank = |cell: &Cell| {
            let inner = text.get(cell.inner.clone()).unwrap_or_default();
            inner.trim().is_empty()
        };
        if row.cells.iter().all(is_blank) || is_padding(text, &columns, &row) {
            continue;
        }
        if let [only] = row.cells.as_slice()
            && let words = text.get(only.inner.clone()).unwrap_or_default()
            && words.starts_with(UNREAD_MARK)
        {
            troubles.push(Trouble {
                range: only.inner.clone(),
                what: TroubleKind::Unread,
            });
            continue;
        }
        let says = |cell: &Cell| cells::field(text, cell, columns.delimiter).text;
        let mut named = row.cells.iter().zip(&columns.names);
        if row.cells.len() == columns.names.len()
            && named.all(|(cell, name)| says(cell) == name.trim())
        {
            troubles.push(Trouble {
                range: row.range,
                what: TroubleKind::SecondHeader,
            });
            continue;
        }
        let known = row.cells.iter().zip(&columns.columns);
        for (cell, _) in known.filter(|(_, column)| **column != Column::Other) {
            if cells::is_formula(text.get(cell.inner.clone()).unwrap_or_default()) {
                troubles.push(Trouble {
                    range: cell.inner.clone(),
                    what: TroubleKind::Formula,
                });
            }
        }
        if is_doubtful && let Some(other) = other_key(&columns, &row, &says) {
            troubles.push(Trouble {
                range: other,
                what: TroubleKind::TwoKeys,
            });
        }
        let lost = row.cells.iter().filter_map(|cell| cell.after_quote.clone());
        troubles.extend(lost.map(|range| Trouble {
            range,
            what: TroubleKind::AfterQuote,
        }));
        if let Some(quote) = row.unclosed {
            troubles.push(Trouble {
                range: quote..quote + 1,
                what: TroubleKind::Unclosed("\""),
            });
        }
        let is_extra = row.cells.get(columns.columns.len()..).unwrap_or_default();
        if !is_extra.iter().all(is_blank) {
            troubles.push(Trouble {
                range: row.range.clone(),
                what: TroubleKind::LongRow,
            });
        }
        let kind = match kinds::of_row(&columns, &row, &says) {
            kinds::RowKind::Choice => QuestionKind::Choice,
            kinds::RowKind::Other(kind) => QuestionKind::Other(kind),
            kinds::RowKind::Description => continue,
        };
        let range = row.range;
        questions.push(Question { range, kind });
    }
    Some(Bank {
        format: BankFormat::Table,
        questions,
        troubles,
        head,
        columns: Some(columns),
    })
}

/// The columns of a table, for people: what is missing is said with an example.
pub(crate) fn columns(text: &str, choice: Option<&ColumnChoice>) -> Result<Columns, ColumnError> {
    header(text, choice)
        .map(|(columns, _)| columns)
        .map_err(|error| match (error, choice) {
            (ColumnError::NoBank { names, .. }, None) => example::error(text, names),
            (error, _) => error,
        })
}

/// A row that a template has numbered and left for a question: nothing but a number, where
/// no question and answer stands.
fn is_padding(text: &str, columns: &Columns, row: &Row) -> bool {
    let named = row.cells.iter().zip(&columns.columns);
    named.into_iter().all(|(cell, column)| {
        let words = text.get(cell.inner.clone()).unwrap_or_default().trim();
        let is_number = words.chars().all(|c| c.is_ascii_digit() || c == '.');
        words.is_empty() || is_number && matches!(column, Column::Id | Column::Other)
    }) && row.cells.len() <= columns.columns.len()
}

/// Where a second column names another answer than the first. One that explains the answer
/// is longer than a letter or a number.
fn other_key(columns: &Columns, row: &Row, says: &dyn Fn(&Cell) -> String) -> Option<Range<usize>> {
    const LONGEST_KEY: usize = 3;
    let key = columns
        .columns
        .iter()
        .position(|column| *column == Column::Key)?;
    let key = says(row.cells.get(key)?);
    let others = columns.other_keys.iter();
    let mut others = others.filter_map(|index| row.cells.get(*index));
    let differs = |cell: &&Cell| {
        let other = says(cell);
        let is_key = (1..=LONGEST_KEY).contains(&other.chars().count());
        is_key && key.chars().count() <= LONGEST_KEY && !other.eq_ignore_ascii_case(&key)
    };
    others.find(differs).map(|cell| cell.inner.clone())
}
pub(crate) fn read(text: &str, range: &Range<usize>, columns: Option<&Columns>) -> Json {
    let mut builder = Builder::default();
    builder.object("", range.start);
    if let Some(columns) = columns {
        let within = text.get(..range.end).unwrap_or_default();
        let (row, _) = cells::row(within, range.start, columns.delimiter);
        let cells: Vec<(Column, &Cell)> = columns.columns.iter().copied().zip(&row.cells).collect();
        question(&mut builder, text, columns, &cells);
    }
    builder.close(range.end);
    builder.finish(range.end)
}

fn question(builder: &mut Builder, text: &str, columns: &Columns, cells: &[(Column, &Cell)]) {
    let delimiter = columns.delimiter;
    let is_option = |column: &Column| matches!(column, Column::Option(_) | Column::Feedback(_));
    let first = cells.iter().position(|(column, _)| is_option(column));
    let last = cells.iter().rposition(|(column, _)| is_option(column));
    let (first, last) = (first.unwrap_or(cells.len()), last.unwrap_or(cells.len()));
    let key = cells.iter().find(|(column, _)| *column == Column::Key);
    let key = key.map_or(String::new(), |(_, cell)| {
        cells::field(text, cell, delimiter).text
    });
    let several = keys::several(text, columns, cells, &key);
    let is_unread = several == keys::Several::Unread;
    let several = match several {
        keys::Several::Positions(positions) => Some(positions),
        _ => None,
    };
    for (index, (column, cell)) in cells.iter().enumerate() {
        if index == first {
            options(
                builder,
                text,
                columns,
                cells.get(first..=last).unwrap_or_default(),
                (&key, several.as_deref()),
            );
            if several.as_ref().is_some_and(|several| several.len() > 1) {
                builder.flag("multiple_answers", cell.inner.start..cell.inner.start, true);
            }
        }
        // Texts keep the order of the file; between options only the key can be read.
        if index > first && index < last && *column != Column::Key {
            continue;
        }
        if *column == Column::Key && (several.is_some() || is_unread) {
            continue;
        }
        if let Column::Wrong(position) = column
            && columns.key_is_an_option()
        {
            let read = cells::field(text, cell, delimiter);
            if !read.text.is_empty() {
                builder.text(&format!("incorrect_answer_{}", position + 1), read);
            }
            continue;
        }
        let name = match column {
            Column::Id => "id",
            Column::Vignette => "vignette",
            Column::Stem => "stem",
            Column::Key if columns.key_is_index => "answer_index",
            Column::Key => "correct_answer",
            Column::Explanation => "explanation",
            Column::Bloom => "bloom_level",
            Column::Option(_)
            | Column::Feedback(_)
            | Column::Wrong(_)
            | Column::MoreKey
            | Column::Kind
            | Column::Other => continue,
        };
        let read = cells::field(text, cell, delimiter);
        if !read.text.is_empty() || *column == Column::Stem {
            builder.text(name, read);
        }
    }
}

/// The options of a row. An empty cell after the last one is none; one between others is
/// empty, because keys count it. `several` are the right ones where the key is a list.
fn options(
    builder: &mut Builder,
    text: &str,
    columns: &Columns,
    cells: &[(Column, &Cell)],
    (key, several): (&str, Option<&[u8]>),
) {
    let (Some((_, first)), Some((_, last))) = (cells.first(), cells.last()) else {
        return;
    };
    let delimiter = columns.delimiter;
    builder.list("options", first.inner.start);
    let is_filled = |(column, cell): &(Column, &Cell)| {
        let inner = text.get(cell.inner.clone()).unwrap_or_default();
        matches!(column, Column::Option(_)) && !inner.trim().is_empty()
    };
    let filled = cells.iter().rposition(is_filled);
    // Letters and numbers of keys mean the columns that are called so, wherever they stand.
    let positions = cells.iter().filter_map(|(column, _)| match column {
        Column::Option(position) => Some(usize::from(*position)),
        _ => None,
    });
    let is_in_order = positions
        .enumerate()
        .all(|(index, position)| index == position);
    // A number is that of a column, where the columns have numbers.
    let first_number = columns.first_number.filter(|_| is_number(key));
    // A letter is that of a column, where the key or the columns have Cyrillic ones.
    let letters = columns.letters.filter(|own| {
        let of_key = Letters::of_key(key);
        of_key.is_some_and(|of_key| of_key == Letters::Cyrillic || *own == Letters::Cyrillic)
    });
    let needs_labels = !is_in_order || first_number.is_some() || letters.is_some();
    let mut at = 0;
    while let Some((column, cell)) = cells.get(at) {
        at += 1;
        let Column::Option(position) = column else {
            continue;
        };
        let read = cells::field(text, cell, delimiter);
        if read.text.is_empty() && filled.is_none_or(|filled| at > filled) {
            continue;
        }
        let mut end = cell.inner.end;
        builder.object("", cell.inner.start);
        if needs_labels {
            let name = match is_number(key) {
                true => (u32::from(*position) + u32::from(first_number.unwrap_or(1))).to_string(),
                false => letters
                    .unwrap_or(Letters::Latin)
                    .letter(*position)
                    .to_string(),
            };
            builder.text("label", label_of(&name, cell.inner.start));
        }
        if let Some(several) = several {
            let start = cell.inner.start;
            builder.flag("correct", start..start, several.contains(position));
        }
        builder.text("text", read);
        let is_its = |(column, _): &(Column, &Cell)| *column == Column::Feedback(*position);
        if let Some(place) = cells.iter().position(is_its)
            && let Some((_, feedback)) = cells.get(place)
        {
            let read = cells::field(text, feedback, delimiter);
            if !read.text.is_empty() {
                builder.text("feedback", read);
            }
            // Right after its option it is part of it; it may also stand elsewhere.
            if place == at {
                end = feedback.inner.end;
                at += 1;
            }
        }
        builder.close(end);
    }
    builder.close(last.inner.end);
}

/// Whether a key is a number, also in the wide digits of Chinese and Japanese.
fn is_number(key: &str) -> bool {
    let digit = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')),
        _ => Some(c),
    };
    let key: Option<String> = key.trim().chars().map(digit).collect();
    key.is_some_and(|key| key.parse::<u8>().is_ok())
}

/// The name of an option, which no place of the file holds: as the key names it.
fn label_of(name: &str, at: usize) -> ReadText {
    let units: Vec<Unit> = name
        .chars()
        .map(|c| Unit {
            c,
            start: at,
            end: at,
        })
        .collect();
    units::read(&units, at, Writing::Line)
}

#[cfg(test)]
mod tests;
