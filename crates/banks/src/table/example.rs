//! What to write for `--columns`, worked out for a table whose columns do not show what they
//! hold. It is shown to people and never used.

use crate::columns::ColumnError;

use super::cells;
use super::header::{self, DELIMITERS};
use super::names;

/// How many rows are looked at.
const MOST_ROWS: usize = 30;
/// The most options that are proposed.
const MOST_OPTIONS: usize = 12;

type Cells = Vec<Vec<String>>;

/// The error for a table without a header that is understood.
pub(super) fn error(text: &str, names: Vec<String>) -> ColumnError {
    let found = DELIMITERS
        .into_iter()
        .filter_map(|delimiter| {
            let rows = rows(text, delimiter)?;
            let proposed = proposal(&rows)?;
            Some((rows.first()?.len(), proposed))
        })
        .max_by_key(|(columns, _)| *columns);
    match found {
        Some((_, (true, example))) => ColumnError::NoHeader(example),
        found => ColumnError::NoBank {
            names,
            example: found.map(|(_, (_, example))| example),
        },
    }
}

/// The first rows, if most have as many cells as the first.
fn rows(text: &str, delimiter: char) -> Option<Cells> {
    let (first, mut at) = header::header_row(text, header::first_row(text), delimiter);
    let says = |row: &cells::Row| -> Vec<String> {
        let cells = row.cells.iter();
        cells
            .map(|cell| cells::field(text, cell, delimiter).text)
            .collect()
    };
    let mut rows = vec![says(&first)];
    while at < text.len() && rows.len() < MOST_ROWS {
        let (row, after) = cells::row(text, at, delimiter);
        at = after.max(at + 1);
        let cells = says(&row);
        if cells.iter().any(|cell| !cell.is_empty()) {
            rows.push(cells);
        }
    }
    let count = first.cells.len();
    let alike = rows.iter().filter(|row| row.len() == count).count();
    rows.retain(|row| row.len() == count);
    (count >= 3 && alike * 5 >= rows.len() * 4).then_some(rows)
}

/// Whether the table has no header, and what to write.
fn proposal(rows: &Cells) -> Option<(bool, String)> {
    let (first, rest) = rows.split_first()?;
    let sample = if rest.is_empty() { rows } else { rest };
    let count = first.len();
    let cell = |row: &'_ Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
    let is_key = |row: &Vec<String>, column: usize| {
        let key = cell(row, column);
        let others = row.iter().enumerate().filter(|(other, _)| *other != column);
        let is_another = others.into_iter().any(|(_, other)| *other == key);
        !key.is_empty() && (names::label(&names::normalised(&key)).is_some() || is_another)
    };
    let counts_up = |column: usize| {
        let numbers = rows.iter().map(|row| cell(row, column).parse::<u32>());
        let numbers: Vec<u32> = numbers.flatten().collect();
        numbers.len() > 1
            && numbers.len() + 1 >= rows.len()
            && numbers.is_sorted_by(|before, after| before + 1 == *after)
    };
    let key = (0..count)
        .rev()
        .find(|column| !counts_up(*column) && sample.iter().all(|row| is_key(row, *column)));
    // A question has several words, and most end like one.
    let worth = |column: usize| {
        let texts = sample.iter().map(|row| cell(row, column));
        let (mut asking, mut words) = (0, 0);
        for text in texts {
            asking += usize::from(header::asks(&text));
            words += text
                .split_whitespace()
                .count()
                .max(text.chars().count() / 12);
        }
        (asking, words)
    };
    let stem = (0..count)
        .filter(|column| Some(*column) != key)
        .rev()
        .max_by_key(|column| worth(*column))?;
    let (asking, words) = worth(stem);
    if asking * 2 < sample.len() && words < 3 * sample.len() {
        return None;
    }
    let is_option = |column: usize| {
        let filled = sample.iter().filter(|row| !cell(row, column).is_empty());
        filled.count() * 2 >= sample.len()
    };
    let from = match key {
        Some(key) if key == stem + 1 => key + 1,
        _ => stem + 1,
    };
    let to = key.filter(|key| *key > from).unwrap_or(count);
    let options = (from..to).take_while(|column| is_option(*column));
    let last = options
        .take(MOST_OPTIONS)
        .last()
        .filter(|last| *last > from)?;
    let is_headless = match key {
        // `a`, `b`, `c`, `d` are names of columns, and no question with its letter.
        Some(key) => {
            let named = (from..=last).chain([key]).zip(0..);
            let is_named = |(column, position): (usize, u8)| {
                names::label(&names::normalised(&cell(first, column))) == Some(position)
            };
            is_key(first, key) && !named.into_iter().all(is_named)
        }
        None => first.get(stem).is_some_and(|stem| header::asks(stem)),
    };
    // Names that show nothing and no key: what would be proposed is a guess.
    if !is_headless && key.is_none() {
        return None;
    }
    let name = |column: usize| match first.get(column) {
        Some(name) if !is_headless && is_a_name(name) && is_alone(first, name) => name.clone(),
        _ => names::letters_of(column),
    };
    let mut example = String::new();
    if is_headless {
        example.push_str("header=none,");
    }
    example.push_str(&format!(
        "stem={},options={}..{}",
        name(stem),
        name(from),
        name(last)
    ));
    if let Some(key) = key {
        example.push_str(&format!(",key={}", name(key)));
    }
    Some((is_headless, example))
}

/// Whether a cell can be written as the name of a column.
fn is_a_name(cell: &str) -> bool {
    const LONGEST: usize = 40;
    let is_plain = |c: char| c.is_alphanumeric() || " _-()/#".contains(c);
    !cell.trim().is_empty() && cell.chars().count() <= LONGEST && cell.chars().all(is_plain)
}

fn is_alone(names: &[String], name: &str) -> bool {
    let lower = name.to_lowercase();
    let same = names.iter().filter(|other| other.to_lowercase() == lower);
    same.count() == 1
}
