//! What the names of columns mean.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use crate::columns::{ColumnChoice, ColumnError};

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
    /// Another letter of the key, where several answers are right.
    MoreKey,
    /// A wrong answer, where the key is the text of the right one.
    Wrong(u8),
    Explanation,
    Bloom,
    /// The kind of question.
    Kind,
    Other,
}

/// Columns after these are left alone: no bank has so many.
pub(super) const MOST_COLUMNS: usize = 1000;

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
    /// Whether the first row holds the names.
    pub(crate) has_header: bool,
    /// Whether the name of the key says that its numbers are indices, which may count from 0.
    pub(crate) key_is_index: bool,
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
        let last = |name: &String| {
            let bare = bare_name(name);
            normalised(bare.as_deref().unwrap_or(name)).chars().last()
        };
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

/// The Chinese numbers from one on.
const CHINESE: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/// The characters of Chinese, which has no space after a letter.
const UNSPACED: RangeInclusive<char> = '\u{4E00}'..='\u{9FFF}';

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
            false => Err(no_bank(columns.names)),
        }
    }

    /// The columns of a table without a header, as the user names them by letters.
    pub(super) fn by_letter(
        count: usize,
        delimiter: char,
        choice: &ColumnChoice,
    ) -> Result<Self, ColumnError> {
        let mut columns = Self {
            delimiter,
            columns: vec![Column::Other; count],
            names: (0..count).map(letters_of).collect(),
            doubled: Vec::new(),
            other_keys: Vec::new(),
            first_number: None,
            letters: None,
            has_header: false,
            key_is_index: false,
        };
        choice.apply(&mut columns)?;
        match columns.is_bank() {
            true => Ok(columns),
            false => Err(no_bank(columns.names)),
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
        same_names(&names, &mut columns);
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
            let found = match bare_name(name).map_or(Column::Other, |name| column(&name)) {
                Column::Other => of_alternatives(name, &column),
                found => found,
            };
            if *own == Column::Other && !taken.contains(&found) {
                *own = found;
                taken.push(found);
            }
        }
        more_keys(&names, &mut columns, &mut doubled);
        if !columns.contains(&Column::Stem) {
            let is_weak = |name: &String| is("weak stem", &normalised(name));
            if let Some(own) = names.iter().take(MOST_COLUMNS).position(is_weak)
                && let Some(column) = columns.get_mut(own)
                && *column == Column::Other
            {
                *column = Column::Stem;
            }
        }
        let options = || {
            let named = columns.iter().zip(&names);
            let options = named.filter(|(column, _)| matches!(column, Column::Option(_)));
            options.map(|(_, name)| name)
        };
        let is_numbered = options().all(|name| {
            let bare = bare_name(name);
            let name = normalised(bare.as_deref().unwrap_or(name));
            let is_digit = |c: char| c.is_ascii_digit();
            name.starts_with(is_digit) || name.ends_with(is_digit)
        });
        let key = columns.iter().position(|column| *column == Column::Key);
        let key_is_index = key
            .and_then(|key| names.get(key))
            .is_some_and(|name| is_index(name));
        Self {
            key_is_index,
            first_number: is_numbered.then_some(first).filter(|_| !key_is_index),
            letters: Letters::of(options()),
            has_header: true,
            delimiter,
            columns,
            names,
            doubled,
            other_keys,
        }
    }

    pub(super) fn is_bank(&self) -> bool {
        let has = |column| self.columns.contains(&column);
        has(Column::Stem) && (self.options() >= 2 || self.key_is_an_option() && has(Column::Key))
    }

    fn options(&self) -> usize {
        let is_option = |column: &&Column| matches!(column, Column::Option(_));
        self.columns.iter().filter(is_option).count()
    }

    /// Whether the right answer stands in the column of the key, beside those of the wrong
    /// ones.
    #[must_use]
    pub fn key_is_an_option(&self) -> bool {
        let is_wrong = |column: &Column| matches!(column, Column::Wrong(_));
        self.options() == 0 && self.columns.iter().any(is_wrong)
    }

    /// The option whose column a key names (`Option 2`, `opt_b`); a letter or a number alone
    /// is left to those who know the options.
    pub(super) fn named_option(&self, key: &str) -> Option<u8> {
        const LONGEST: usize = 80;
        if key.len() > LONGEST || key.trim().chars().nth(1).is_none() {
            return None;
        }
        let key = normalised(key);
        if key.is_empty() || label(&key).is_some() {
            return None;
        }
        let named = self.columns.iter().zip(&self.names);
        let mut found = named.filter_map(|(column, name)| match column {
            Column::Option(position) if normalised(name) == key => Some(*position),
            _ => None,
        });
        found.next().filter(|_| found.next().is_none())
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
fn bare_name(name: &str) -> Option<String> {
    const SIGNS: [&str; 8] = ["(", "（", "[", " - ", " – ", " — ", ": ", "："];
    let whole = without_plurals(name);
    let end = SIGNS.iter().filter_map(|sign| whole.find(sign)).min();
    let bare = end.and_then(|end| whole.get(..end));
    bare.filter(|name| !name.trim().is_empty())
        .map(str::to_owned)
}

/// What several names in one say, if all say the same: `Frage/Aufgabe`.
fn of_alternatives(name: &str, column: &dyn Fn(&str) -> Column) -> Column {
    let mut all = name.split('/').map(column);
    let first = all.next().unwrap_or(Column::Other);
    match name.contains('/') && all.all(|other| other == first) {
        true => first,
        false => Column::Other,
    }
}

/// Whether options are counted from 0: one is called `option 0`.
fn counts_from_zero(names: &[String]) -> bool {
    let is_zero = |name: &String| {
        let is_option = matches!(column(name, 0), Column::Option(0));
        is_option && normalised(name).ends_with('0')
    };
    names.iter().take(MOST_COLUMNS).any(is_zero)
}

/// Several columns with the same name for answers, as in `Answer, Answer, Answer, Correct` or
/// `Correct answer, Wrong answer, Wrong answer`, are answers in their order.
fn same_names(names: &[String], columns: &mut [Column]) {
    let has_options = columns
        .iter()
        .any(|column| matches!(column, Column::Option(_)));
    for (role, as_column) in [
        ("wrong", Column::Wrong as fn(u8) -> Column),
        ("option", Column::Option as fn(u8) -> Column),
    ] {
        let known: Vec<String> = names
            .iter()
            .take(MOST_COLUMNS)
            .map(|name| {
                let bare = bare_name(name);
                normalised(bare.as_deref().unwrap_or(name))
            })
            .collect();
        let Some(name) = known.iter().find(|name| is(role, name)) else {
            continue;
        };
        let places = || known.iter().enumerate().filter(|(_, other)| *other == name);
        if role == "option" && (has_options || places().count() < 2) {
            continue;
        }
        for ((place, _), position) in places().zip(0..MOST_OPTIONS) {
            if let Some(column) = columns.get_mut(place) {
                *column = as_column(position);
            }
        }
    }
}

/// `Answer 1`, `Answer 2` beside options that are called `A`, `B`, `C` name the right ones,
/// as in the CSV format of Moodle.
fn more_keys(names: &[String], columns: &mut [Column], doubled: &mut Vec<usize>) {
    if doubled.is_empty() || columns.contains(&Column::Key) {
        return;
    }
    let is_letter = |name: &str| normalised(name).chars().count() == 1;
    let is_key = |name: &str| {
        let name = normalised(name);
        split_label(&name, 1).is_some_and(|(words, _)| is("key", words))
    };
    let named = || columns.iter().zip(names).enumerate();
    let others: Vec<usize> = named()
        .filter(|(index, (column, name))| {
            let is_option = matches!(column, Column::Option(_)) && !is_letter(name);
            is_option || doubled.contains(index)
        })
        .map(|(index, _)| index)
        .collect();
    if !others
        .iter()
        .all(|index| names.get(*index).is_some_and(|name| is_key(name)))
    {
        return;
    }
    let keys = std::iter::once(Column::Key).chain(std::iter::repeat(Column::MoreKey));
    for (index, key) in others.into_iter().zip(keys) {
        if let Some(column) = columns.get_mut(index) {
            *column = key;
        }
    }
    doubled.clear();
}

/// Whether a name says that what it names is an index.
fn is_index(name: &str) -> bool {
    const WORDS: [&str; 8] = [
        "index",
        "indices",
        "idx",
        "índice",
        "indice",
        "индекс",
        "索引",
        "下标",
    ];
    let name = normalised(name);
    name.split(' ').any(|word| WORDS.contains(&word)) || name.ends_with("索引")
}

/// Whether a normalised name is one of a role.
fn is(role: &str, name: &str) -> bool {
    names()
        .iter()
        .any(|(of, names)| *of == role && names.iter().any(|known| known == name))
}

/// What a header names, where the first option has this number.
pub(super) fn column(name: &str, first: u8) -> Column {
    let name = normalised(name);
    if let Some(position) = label(&name) {
        return Column::Option(position);
    }
    for (role, column) in [
        ("stem", Column::Stem),
        ("key", Column::Key),
        ("explanation", Column::Explanation),
        ("vignette", Column::Vignette),
        ("id", Column::Id),
        ("bloom", Column::Bloom),
        ("kind", Column::Kind),
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
    } else if is("wrong", words) {
        Column::Wrong(position)
    } else {
        Column::Other
    }
}

/// The words and the position of `option a`, `antwort 2`, `optiona`, `option12`, `选项a`,
/// `1 antwort`, `a选项`.
fn split_label(name: &str, first_number: u8) -> Option<(&str, u8)> {
    if let Some((words, last)) = name.rsplit_once(' ')
        && let Some(position) = position(last, first_number, MOST_OPTIONS)
    {
        return Some((words, position));
    }
    if let Some((first, words)) = name.split_once(' ')
        && let Some(position) = position(first, first_number, MOST_OPTIONS)
    {
        return Some((words, position));
    }
    if let Some(words) = name.strip_prefix(|c: char| c.is_ascii_alphanumeric())
        && words.starts_with(|c: char| UNSPACED.contains(&c))
        && let Some(first) = name.get(..name.len() - words.len())
    {
        return Some((words, position(first, first_number, MOST_OPTIONS)?));
    }
    let words = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if let Some(number) = name.get(words.len()..)
        && !number.is_empty()
    {
        return Some((words, position(number, first_number, MOST_OPTIONS)?));
    }
    let (at, last) = name.char_indices().next_back()?;
    let words = name.get(..at)?;
    let position = position(last.encode_utf8(&mut [0; 4]), first_number, MOST_OPTIONS)?;
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
            let is_only = |letter: &char| *letter == only;
            let index = CYRILLIC.iter().position(is_only);
            let index = index.or_else(|| CHINESE.iter().position(is_only));
            index.and_then(|index| u8::try_from(index).ok())
        }
    };
    position.filter(|position| *position < most)
}

pub(super) fn normalised(name: &str) -> String {
    let name = apart(&without_plurals(name)).to_lowercase();
    let words: Vec<&str> = name
        .split(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '_' | '-' | '.' | '/' | ':' | '*' | '?' | '、' | '．' | '：'
                )
        })
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// A name without endings in brackets: `Bonne(s) réponse(s)`, `Richtige Antwort(en)`.
fn without_plurals(name: &str) -> Cow<'_, str> {
    let is_there = |(at, _): (usize, &str)| ending(name, at).is_some();
    if !name.match_indices('(').any(is_there) {
        return Cow::Borrowed(name);
    }
    let mut bare = String::with_capacity(name.len());
    let mut at = 0;
    while let Some(c) = name.get(at..).and_then(|rest| rest.chars().next()) {
        if let Some(end) = (c == '(').then(|| ending(name, at)).flatten() {
            at = end;
        } else {
            bare.push(c);
            at += c.len_utf8();
        }
    }
    Cow::Owned(bare)
}

/// Where brackets end that hold the ending of the word before them, by where they open.
/// `a(b)` is no word with an ending.
fn ending(name: &str, at: usize) -> Option<usize> {
    const LONGEST: usize = 3;
    let mut before = name.get(..at)?.chars().rev();
    let is_word = before.next()?.is_lowercase() && before.next()?.is_alphabetic();
    let inner = name.get(at + 1..)?.split(')').next()?;
    let is_ending =
        (1..=LONGEST).contains(&inner.chars().count()) && inner.chars().all(char::is_lowercase);
    let end = at + 1 + inner.len();
    let is_closed = name.get(end..)?.starts_with(')');
    (is_word && is_ending && is_closed).then_some(end + 1)
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
fn names() -> &'static [(&'static str, Vec<String>)] {
    static NAMES: OnceLock<NamesByRole> = OnceLock::new();
    NAMES.get_or_init(|| names_by_role(include_str!("../../data/columns.txt")))
}

pub(super) type NamesByRole = Vec<(&'static str, Vec<String>)>;

/// Reads a list of names: a role, a colon, its names.
pub(super) fn names_by_role(list: &'static str) -> NamesByRole {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(':'))
        .map(|(role, names)| (role, names.split(',').map(normalised).collect()))
        .collect()
}

/// What spreadsheets call a column: `A` to `Z`, `AA` and so on.
pub(super) fn letters_of(mut index: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(u8::try_from(index % 26).map_or('?', |letter| char::from(b'A' + letter)));
        if index < 26 {
            break;
        }
        index = index / 26 - 1;
    }
    letters.iter().rev().collect()
}

pub(super) fn no_bank(names: Vec<String>) -> ColumnError {
    ColumnError::NoBank {
        names,
        example: None,
    }
}
