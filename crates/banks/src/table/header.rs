//! The header of a table: which row it is, and what its names mean.

use std::sync::OnceLock;

use crate::columns::{ColumnChoice, ColumnError};

use super::cells::{self, Cell, Row};

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
    /// The number of the first option, where the names of all options end with numbers.
    pub(crate) first_number: Option<u8>,
    /// The script of the letters that name the options, where all names end with letters.
    pub(crate) letters: Option<Letters>,
}

/// The scripts of letters that name options. A Cyrillic В is the third, a Latin B the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    Latin,
    Cyrillic,
}

impl Letters {
    /// The script of the names of options.
    fn of<'a>(names: impl Iterator<Item = &'a String>) -> Option<Self> {
        let last = |name: &String| normalised(bare_name(name).unwrap_or(name)).chars().last();
        let letters: Vec<char> = names.map(last).collect::<Option<_>>()?;
        let is_latin = |c: &char| c.is_ascii_lowercase();
        let is_cyrillic = |c: &char| CYRILLIC.contains(c);
        if letters.iter().all(is_latin) {
            Some(Self::Latin)
        } else {
            // An `A` looks the same in both, and is typed in either.
            let is_either = |c: &char| is_cyrillic(c) || *c == 'a';
            letters.iter().all(is_either).then_some(Self::Cyrillic)
        }
    }

    /// The script of a key that is one letter.
    pub(super) fn of_key(key: &str) -> Option<Self> {
        let mut letters = key.chars().filter(|c| c.is_alphabetic());
        let only = letters.next().filter(|_| letters.next().is_none())?;
        match only {
            c if c.is_ascii_alphabetic() => Some(Self::Latin),
            c if CYRILLIC.contains(&lower(c)) => Some(Self::Cyrillic),
            _ => None,
        }
    }

    /// The letter of a position.
    pub(super) fn letter(self, position: u8) -> char {
        match self {
            Self::Latin => char::from(b'A'.saturating_add(position)),
            Self::Cyrillic => char::from_u32(u32::from('А') + u32::from(position)).unwrap_or('?'),
        }
    }
}

/// The Cyrillic letters that name options.
const CYRILLIC: [char; 6] = ['а', 'б', 'в', 'г', 'д', 'е'];

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
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
        let first = if counts_from_zero(&names) { 0 } else { 1 };
        let column = |name: &str| column(name, first);
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
        let options = || {
            let named = columns.iter().zip(&names);
            let options = named.filter(|(column, _)| matches!(column, Column::Option(_)));
            options.map(|(_, name)| name)
        };
        let is_numbered = options().all(|name| {
            let name = bare_name(name).unwrap_or(name);
            normalised(name).ends_with(|c: char| c.is_ascii_digit())
        });
        Self {
            first_number: is_numbered.then_some(first),
            letters: Letters::of(options()),
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

/// Whether options are counted from 0: one is called `option 0`.
fn counts_from_zero(names: &[String]) -> bool {
    let is_zero = |name: &String| {
        let is_option = matches!(column(name, 0), Column::Option(0));
        is_option && normalised(name).ends_with('0')
    };
    names.iter().take(MOST_COLUMNS).any(is_zero)
}

/// What a header names, where the first option has this number.
fn column(name: &str, first: u8) -> Column {
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
    let Some((words, position)) = split_label(&name, first) else {
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

/// The words and the position of `option a`, `antwort 2`, `optiona`, `option12`, `选项a`.
fn split_label(name: &str, first: u8) -> Option<(&str, u8)> {
    if let Some((words, last)) = name.rsplit_once(' ')
        && let Some(position) = position(last, first, MOST_OPTIONS)
    {
        return Some((words, position));
    }
    let words = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some(number) = name.get(words.len()..)
        && !number.is_empty()
    {
        return Some((words, position(number, first, MOST_OPTIONS)?));
    }
    let (at, last) = name.char_indices().next_back()?;
    let words = name.get(..at)?;
    let position = position(last.encode_utf8(&mut [0; 4]), first, MOST_OPTIONS)?;
    // `optiona` is an option, `correcta` is a word.
    let is_certain = words.chars().next_back().is_some_and(|c| !c.is_ascii())
        || matches!(words, "option" | "opt" | "op" | "choice");
    is_certain.then_some((words, position))
}

/// The most options that letters and numbers after a word name.
const MOST_OPTIONS: u8 = 26;
/// The most that they name alone: a column `q` or `x` is none.
const MOST_ALONE: u8 = 12;

/// The position that a letter or a number alone names.
pub(super) fn label(name: &str) -> Option<u8> {
    position(name, 1, MOST_ALONE)
}

fn position(name: &str, first: u8, most: u8) -> Option<u8> {
    let name = name.trim_matches(['(', ')']);
    if let Ok(number) = name.parse::<u8>() {
        return number
            .checked_sub(first)
            .filter(|position| *position < most);
    }
    let mut chars = name.chars();
    let only = chars.next().filter(|_| chars.next().is_none())?;
    let position = match only {
        'a'..='z' => u8::try_from(u32::from(only) - u32::from('a')).ok(),
        _ => {
            let index = CYRILLIC.iter().position(|letter| *letter == only);
            index.and_then(|index| u8::try_from(index).ok())
        }
    };
    position.filter(|position| *position < most)
}

pub(super) fn normalised(name: &str) -> String {
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
        include_str!("../../data/columns.txt")
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
            .map(|cell| cells::field(text, cell, delimiter).text)
            .collect();
        let looked_at = names.iter().take(MOST_COLUMNS);
        let known = looked_at.filter(|name| column(name, 1) != Column::Other);
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
