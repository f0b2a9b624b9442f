//! Tables: a question a row, its texts in columns that the header names.
//!
//! | column | what it is |
//! |---|---|
//! | a name of `stem`, `key`, `explanation`, `vignette`, `id`, `bloom` | that field |
//! | `A`, `Option B`, `Antwort 3` | an option |
//! | `Feedback A` | what is said to an option |
//! | anything else | left alone |
//!
//! Delimiter, quotes and line ends stay as they came; a row is edited cell by cell.

use std::ops::Range;
use std::sync::OnceLock;

use redraft_text::json::{Builder, Json, ReadText};
use redraft_text::writing::{FORMULA_SIGNS, Writing};

use crate::columns::{ColumnChoice, ColumnError};
use crate::units::{self, Unit};
use crate::{Bank, BankFormat, Question, QuestionKind, Trouble, TroubleKind};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Id,
    Vignette,
    Stem,
    /// An option, by its position.
    Option(u8),
    /// What is said to an option.
    Feedback(u8),
    Key,
    Explanation,
    Bloom,
    Other,
}

/// Columns after these are left alone: no bank has so many.
const MOST_COLUMNS: usize = 1000;

/// How a table was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    pub delimiter: char,
    pub columns: Vec<Column>,
    /// The names in the header.
    pub names: Vec<String>,
    /// Columns that stand for an option which another has already.
    pub(crate) doubled: Vec<usize>,
    /// Columns that would name the answer, if another did not.
    pub(crate) other_keys: Vec<usize>,
}

impl Columns {
    /// Understands the cells of a header; `None` if a question and two options are not
    /// among them.
    pub(crate) fn of(names: Vec<String>, delimiter: char) -> Option<Self> {
        let columns = Self::guessed(names, delimiter);
        columns.is_bank().then_some(columns)
    }

    /// The same where the user says what some columns are.
    pub(crate) fn chosen(
        names: Vec<String>,
        delimiter: char,
        choice: &ColumnChoice,
    ) -> Result<Self, ColumnError> {
        let mut columns = Self::guessed(names, delimiter);
        choice.apply(&mut columns)?;
        match columns.is_bank() {
            true => Ok(columns),
            false => Err(ColumnError::NoBank(columns.names)),
        }
    }

    fn guessed(names: Vec<String>, delimiter: char) -> Self {
        let mut columns: Vec<Column> = names
            .iter()
            .take(MOST_COLUMNS)
            .map(|name| column(name))
            .collect();
        columns.resize(names.len(), Column::Other);
        // `Answer` beside `Answer 1` is the key; of two columns of a kind the first counts.
        let mut taken = Vec::new();
        let (mut doubled, mut other_keys) = (Vec::new(), Vec::new());
        for (index, column) in columns.iter_mut().enumerate() {
            if taken.contains(column) {
                match column {
                    Column::Option(_) => doubled.push(index),
                    Column::Key => other_keys.push(index),
                    _ => {}
                }
                *column = Column::Other;
            } else if *column != Column::Other {
                taken.push(*column);
            }
        }
        // `Answer 1 - max 75 characters`, `Correct answer(s)`: what is said of a column after
        // its name counts for nothing, if no other is called so.
        for (own, name) in columns.iter_mut().zip(&names).take(MOST_COLUMNS) {
            let found = bare_name(name).map_or(Column::Other, column);
            if *own == Column::Other && !taken.contains(&found) {
                *own = found;
                taken.push(found);
            }
        }
        Self {
            delimiter,
            columns,
            names,
            doubled,
            other_keys,
        }
    }

    fn is_bank(&self) -> bool {
        let is_option = |column: &&Column| matches!(column, Column::Option(_));
        let options = self.columns.iter().filter(is_option).count();
        options >= 2 && self.columns.contains(&Column::Stem)
    }

    /// The names of the columns that hold something, in the order of the table.
    pub fn named(&self, is_it: impl Fn(Column) -> bool) -> impl Iterator<Item = &str> {
        let columns = self.columns.iter().zip(&self.names);
        columns
            .filter(move |(column, _)| is_it(**column))
            .map(|(_, name)| name.as_str())
    }
}

/// A name without what is said about it; `None` if nothing is.
fn bare_name(name: &str) -> Option<&str> {
    let ends = ["(", " - ", " – ", " — "].iter();
    let end = ends.filter_map(|sign| name.find(sign)).min()?;
    name.get(..end).filter(|name| !name.trim().is_empty())
}

/// What a header names.
fn column(name: &str) -> Column {
    let name = normalised(name);
    if let Some(position) = label(&name) {
        return Column::Option(position);
    }
    let known = names();
    let is = |role: &str, name: &str| {
        known
            .iter()
            .any(|(of, names)| of == role && names.iter().any(|known| known == name))
    };
    for (role, column) in [
        ("stem", Column::Stem),
        ("key", Column::Key),
        ("explanation", Column::Explanation),
        ("vignette", Column::Vignette),
        ("id", Column::Id),
        ("bloom", Column::Bloom),
    ] {
        if is(role, &name) {
            return column;
        }
    }
    let Some((words, position)) = split_label(&name) else {
        return Column::Other;
    };
    if is("option", words) {
        Column::Option(position)
    } else if is("feedback", words) {
        Column::Feedback(position)
    } else {
        Column::Other
    }
}

/// The words and the position of `option a`, `antwort 2`, `optiona`, `选项a`.
fn split_label(name: &str) -> Option<(&str, u8)> {
    if let Some((words, last)) = name.rsplit_once(' ')
        && let Some(position) = label(last)
    {
        return Some((words, position));
    }
    let (at, last) = name.char_indices().next_back()?;
    let words = name.get(..at)?;
    let position = label(last.encode_utf8(&mut [0; 4]))?;
    // `optiona` is an option, `correcta` is a word.
    let is_certain = last.is_ascii_digit()
        || words.chars().next_back().is_some_and(|c| !c.is_ascii())
        || matches!(words, "option" | "opt" | "op" | "choice");
    is_certain.then_some((words, position))
}

/// The position that a letter or a number names.
fn label(name: &str) -> Option<u8> {
    let name = name.trim_matches(['(', ')']);
    if let Ok(number) = name.parse::<u8>() {
        return (1..=12).contains(&number).then(|| number - 1);
    }
    let mut chars = name.chars();
    let only = chars.next().filter(|_| chars.next().is_none())?;
    match only {
        'a'..='l' => u8::try_from(u32::from(only) - u32::from('a')).ok(),
        'а' | 'б' | 'в' | 'г' | 'д' | 'е' => {
            u8::try_from(u32::from(only) - u32::from('а')).ok()
        }
        _ => None,
    }
}

fn normalised(name: &str) -> String {
    let name = apart(name).to_lowercase();
    let words: Vec<&str> = name
        .split(|c: char| c.is_whitespace() || matches!(c, '_' | '-' | '.' | '/' | ':' | '*' | '?'))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// A name with a space between its words: `correctAnswer` has two.
fn apart(name: &str) -> String {
    let mut before = ' ';
    let mut words = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            words.push(' ');
        }
        words.push(c);
        before = c;
    }
    words
}

/// The names of columns, by role.
fn names() -> &'static [(String, Vec<String>)] {
    static NAMES: OnceLock<Vec<(String, Vec<String>)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        include_str!("../data/columns.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(':'))
            .map(|(role, names)| {
                let names = names.split(',').map(normalised).collect();
                (role.to_owned(), names)
            })
            .collect()
    })
}

/// A cell and whether it has quotes.
#[derive(Clone, Debug)]
struct Cell {
    /// Without its quotes.
    inner: Range<usize>,
    is_quoted: bool,
    /// Where text follows the quote that ends it, which belongs to nothing.
    after_quote: Option<Range<usize>>,
}

/// A row of a table.
struct Row {
    range: Range<usize>,
    cells: Vec<Cell>,
    /// A quote that is never closed.
    unclosed: Option<usize>,
}

/// The row that begins at an offset, and where the next one begins.
fn row(text: &str, start: usize, delimiter: char) -> (Row, usize) {
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

/// Where the header begins, and the delimiter that a first line `sep=;` names.
fn beginning(text: &str) -> (usize, Option<char>) {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let rest = text.get(start..).unwrap_or_default();
    let Some(delimiter) = rest
        .strip_prefix("sep=")
        .and_then(|rest| rest.chars().next())
    else {
        return (start, None);
    };
    let line = rest.find('\n').map_or(rest.len(), |at| at + 1);
    (start + line, Some(delimiter))
}

/// The columns of a table, and where its first row begins.
pub(crate) fn header(
    text: &str,
    choice: Option<&ColumnChoice>,
) -> Result<(Columns, usize), ColumnError> {
    let (start, told) = beginning(text);
    let mut best: Option<(usize, ColumnError)> = None;
    for delimiter in [told, Some(','), Some(';'), Some('\t'), Some('|')]
        .into_iter()
        .flatten()
    {
        let (header, after) = header_row(text, start, delimiter);
        let names: Vec<String> = header
            .cells
            .iter()
            .map(|cell| field(text, cell, delimiter).text)
            .collect();
        let looked_at = names.iter().take(MOST_COLUMNS);
        let known = looked_at.filter(|name| column(name) != Column::Other);
        let likeness = 2 * known.count() + usize::from(names.len() > 1);
        let columns = match choice {
            Some(choice) => Columns::chosen(names, delimiter, choice),
            None => Columns::of(names.clone(), delimiter).ok_or(ColumnError::NoBank(names)),
        };
        match columns {
            Ok(columns) => return Ok((columns, after)),
            // The delimiter that makes the most of the columns tells best what is missing.
            Err(error) if best.as_ref().is_none_or(|(most, _)| likeness > *most) => {
                best = Some((likeness, error));
            }
            Err(_) => {}
        }
    }
    let none = || ColumnError::NoBank(Vec::new());
    Err(best
        .filter(|(likeness, _)| *likeness > 0)
        .map_or_else(none, |(_, error)| error))
}

/// A title may stand above the header of a table, and blank rows.
const MOST_TITLE_ROWS: usize = 10;

/// The row that names the columns: the first with more than one name in it.
fn header_row(text: &str, start: usize, delimiter: char) -> (Row, usize) {
    let first = row(text, start, delimiter);
    let mut at = start;
    for _ in 0..MOST_TITLE_ROWS {
        let (found, after) = row(text, at, delimiter);
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

pub(crate) fn cut(text: &str, choice: Option<&ColumnChoice>) -> Option<Bank> {
    let (columns, mut at) = header(text, choice).ok()?;
    let head = 0..at;
    let (mut questions, mut troubles) = (Vec::new(), Vec::new());
    // Columns that the user names by letter may have no header at all.
    let of_key = columns.named(|column| column == Column::Key).next();
    if choice.is_some() && of_key.is_some_and(|name| label(&normalised(name)).is_some()) {
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
        let (row, after) = row(text, at, columns.delimiter);
        at = after.max(at + 1);
        let is_blank = |cell: &Cell| {
            let inner = text.get(cell.inner.clone()).unwrap_or_default();
            inner.trim().is_empty()
        };
        if row.cells.iter().all(is_blank) {
            continue;
        }
        let says = |cell: &Cell| field(text, cell, columns.delimiter).text;
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
            if is_formula(text.get(cell.inner.clone()).unwrap_or_default()) {
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
        questions.push(Question {
            range: row.range,
            kind: QuestionKind::Choice,
        });
    }
    Some(Bank {
        format: BankFormat::Table,
        questions,
        troubles,
        head,
        columns: Some(columns),
    })
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

/// Whether a spreadsheet would compute a cell or start a program for it: a call of a
/// function, a reference to another cell, or one to another program (`=cmd|'/c x'!A1`).
/// A text such as `-5 °C` or `+ve` is left alone.
fn is_formula(cell: &str) -> bool {
    let cell = cell.trim_start_matches([' ', '\u{a0}']);
    let mut signs = cell.chars();
    let is_equation = match signs.next() {
        Some('=' | '＝') => true,
        Some('+' | '-' | '@' | '＋' | '－' | '＠') => false,
        _ => return false,
    };
    let rest = signs.as_str().trim_start_matches(['=', '+', '-', '@', ' ']);
    let name = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_alphanumeric() || "._$:".contains(c))
            .len();
    let (name, after) = rest.split_at_checked(name).unwrap_or_default();
    let begins_with_letter = name.starts_with(|c: char| c.is_alphabetic() || c == '$');
    let is_call = begins_with_letter && after.starts_with('(') && after.contains(')');
    let is_cell = begins_with_letter
        && after.is_empty()
        && name.ends_with(|c: char| c.is_ascii_digit())
        && name.chars().filter(char::is_ascii_uppercase).count() <= 6;
    let is_program = after.starts_with('|') && after.contains('!');
    is_program
        || is_call && (is_equation || name.chars().all(|c| !c.is_lowercase()))
        || is_equation && is_cell
}

pub(crate) fn read(text: &str, range: &Range<usize>, columns: Option<&Columns>) -> Json {
    let mut builder = Builder::default();
    builder.object("", range.start);
    if let Some(columns) = columns {
        let within = text.get(..range.end).unwrap_or_default();
        let (row, _) = row(within, range.start, columns.delimiter);
        let cells: Vec<(Column, &Cell)> = columns.columns.iter().copied().zip(&row.cells).collect();
        question(&mut builder, text, columns.delimiter, &cells);
    }
    builder.close(range.end);
    builder.finish(range.end)
}

fn question(builder: &mut Builder, text: &str, delimiter: char, cells: &[(Column, &Cell)]) {
    let is_option = |column: &Column| matches!(column, Column::Option(_) | Column::Feedback(_));
    let first = cells.iter().position(|(column, _)| is_option(column));
    let last = cells.iter().rposition(|(column, _)| is_option(column));
    let (first, last) = (first.unwrap_or(cells.len()), last.unwrap_or(cells.len()));
    let key = cells.iter().find(|(column, _)| *column == Column::Key);
    let key = key.map_or(String::new(), |(_, cell)| field(text, cell, delimiter).text);
    for (index, (column, cell)) in cells.iter().enumerate() {
        if index == first {
            options(
                builder,
                text,
                delimiter,
                cells.get(first..=last).unwrap_or_default(),
                &key,
            );
        }
        // Texts keep the order of the file; between options only the key can be read.
        if index > first && index < last && *column != Column::Key {
            continue;
        }
        let name = match column {
            Column::Id => "id",
            Column::Vignette => "vignette",
            Column::Stem => "stem",
            Column::Key => "correct_answer",
            Column::Explanation => "explanation",
            Column::Bloom => "bloom_level",
            Column::Option(_) | Column::Feedback(_) | Column::Other => continue,
        };
        let read = field(text, cell, delimiter);
        if !read.text.is_empty() || *column == Column::Stem {
            builder.text(name, read);
        }
    }
}

/// The options of a row. An empty cell after the last one is none; one between others is
/// empty, because keys count it.
fn options(
    builder: &mut Builder,
    text: &str,
    delimiter: char,
    cells: &[(Column, &Cell)],
    key: &str,
) {
    let (Some((_, first)), Some((_, last))) = (cells.first(), cells.last()) else {
        return;
    };
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
    let mut at = 0;
    while let Some((column, cell)) = cells.get(at) {
        at += 1;
        let Column::Option(position) = column else {
            continue;
        };
        let read = field(text, cell, delimiter);
        if read.text.is_empty() && filled.is_none_or(|filled| at > filled) {
            continue;
        }
        let mut end = cell.inner.end;
        builder.object("", cell.inner.start);
        if !is_in_order {
            builder.text("label", label_of(*position, key, cell.inner.start));
        }
        builder.text("text", read);
        let is_its = |(column, _): &(Column, &Cell)| *column == Column::Feedback(*position);
        if let Some(place) = cells.iter().position(is_its)
            && let Some((_, feedback)) = cells.get(place)
        {
            let read = field(text, feedback, delimiter);
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

/// The name of an option, which no place of the file holds: as the key names it.
fn label_of(position: u8, key: &str, at: usize) -> ReadText {
    let is_number = key.trim().parse::<u8>().is_ok();
    let name = match is_number {
        true => (u32::from(position) + 1).to_string(),
        false => char::from(b'A'.saturating_add(position)).to_string(),
    };
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

fn field(text: &str, cell: &Cell, delimiter: char) -> ReadText {
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

/// An apostrophe before a sign that begins a formula says that it is text, and is not part
/// of it.
fn without_apostrophe(mut units: Vec<Unit>) -> Vec<Unit> {
    if let [first, second, ..] = units.as_mut_slice()
        && first.c == '\''
        && FORMULA_SIGNS.contains(&second.c)
    {
        second.start = first.start;
        units.remove(0);
    }
    units
}

/// A cell that no spreadsheet takes for a formula.
pub(crate) fn cell_text(text: &str, delimiter: char) -> String {
    let is_formula = text.starts_with(FORMULA_SIGNS) && text.parse::<f64>().is_err();
    // What has an apostrophe already would lose it when it is read.
    let is_escaped = text
        .strip_prefix('\'')
        .is_some_and(|rest| rest.starts_with(FORMULA_SIGNS));
    let text = if is_formula || is_escaped {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    Writing::Cell(delimiter).write(&text)
}
