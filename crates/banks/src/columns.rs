//! What the user says about the columns of a table: `stem=Frage,options=A..D,key=Lösung`.
//!
//! | written | what it names |
//! |---|---|
//! | `Frage` | the column with this header, in any case |
//! | `A..D` | the columns from one header to another; if no header is called so, those with these letters in a spreadsheet |
//! | `C` | likewise: a header, else the third column |
//!
//! What is not named is found by its header, as without a choice.

use thiserror::Error;

use crate::table::{Column, Columns};

/// The names of what a column may hold.
const ROLES: [(&str, Role); 12] = [
    ("stem", Role::One(Column::Stem)),
    ("question", Role::One(Column::Stem)),
    ("options", Role::Options),
    ("option", Role::Options),
    ("feedback", Role::Feedback),
    ("key", Role::One(Column::Key)),
    ("answer", Role::One(Column::Key)),
    ("explanation", Role::One(Column::Explanation)),
    ("vignette", Role::One(Column::Vignette)),
    ("case", Role::One(Column::Vignette)),
    ("id", Role::One(Column::Id)),
    ("bloom", Role::One(Column::Bloom)),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    One(Column),
    /// One column for each option.
    Options,
    /// What is said to each option.
    Feedback,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    One(String),
    From(String, String),
}

/// Which columns hold what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice(Vec<(Role, Named)>);

/// What is wrong with a choice, or with a header.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ColumnError {
    #[error(
        "`{0}` does not say what a column holds; write for example stem=Question,options=A..D,key=Answer"
    )]
    NotAssigned(String),
    #[error(
        "unknown kind of column `{0}`; known: stem, options, feedback, key, explanation, vignette, id, bloom"
    )]
    Unknown(String),
    #[error("no column `{0}`; the table has {list}", list = listed(.1))]
    NoColumn(String, Vec<String>),
    #[error("the columns of the table ({list}) do not show a question and two options; say which they are with --columns stem=NAME,options=FIRST..LAST,key=NAME", list = listed(.0))]
    NoBank(Vec<String>),
}

/// Some names of columns, in words.
fn listed(names: &[String]) -> String {
    const MOST: usize = 12;
    if names.is_empty() {
        return "none".to_owned();
    }
    let mut list: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{}`", name.chars().take(40).collect::<String>()))
        .collect();
    if names.len() > MOST {
        list.push("…".to_owned());
    }
    list.join(", ")
}

impl ColumnChoice {
    /// Reads a choice.
    ///
    /// # Errors
    /// When a part of it is not an assignment to a known kind of column.
    pub fn parse(written: &str) -> Result<Self, ColumnError> {
        let parts = written.split(',').map(str::trim);
        parts
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (role, name) = part
                    .split_once('=')
                    .filter(|(_, name)| !name.trim().is_empty())
                    .ok_or_else(|| ColumnError::NotAssigned(part.to_owned()))?;
                let role = role.trim().to_lowercase();
                let known = ROLES.iter().find(|(known, _)| *known == role);
                let (_, role) = known.ok_or(ColumnError::Unknown(role))?;
                let named = match name.split_once("..") {
                    Some((from, to)) => Named::From(from.trim().to_owned(), to.trim().to_owned()),
                    None => Named::One(name.trim().to_owned()),
                };
                Ok((*role, named))
            })
            .collect::<Result<Vec<_>, _>>()
            .and_then(|choice| match choice.is_empty() {
                true => Err(ColumnError::NotAssigned(written.to_owned())),
                false => Ok(Self(choice)),
            })
    }

    /// Lays the choice over what the header shows.
    pub(crate) fn apply(&self, columns: &mut Columns) -> Result<(), ColumnError> {
        let names = &columns.names;
        let mut placed = Vec::new();
        let (mut options, mut feedback) = (0, 0);
        for (role, named) in &self.0 {
            for index in named.indexes(names)? {
                let column = match role {
                    Role::One(column) => *column,
                    Role::Options => Column::Option(next(&mut options)),
                    Role::Feedback => Column::Feedback(next(&mut feedback)),
                };
                placed.push((index, column));
            }
        }
        let is_named = |column: Column| {
            self.0.iter().any(|(role, _)| match role {
                Role::One(named) => *named == column,
                Role::Options => matches!(column, Column::Option(_)),
                Role::Feedback => matches!(column, Column::Feedback(_)),
            })
        };
        for column in &mut columns.columns {
            if is_named(*column) {
                *column = Column::Other;
            }
        }
        for (index, column) in placed {
            if let Some(place) = columns.columns.get_mut(index) {
                *place = column;
            }
        }
        Ok(())
    }
}

fn next(count: &mut u8) -> u8 {
    let position = *count;
    *count = count.saturating_add(1);
    position
}

impl Named {
    /// The columns that are meant.
    fn indexes(&self, names: &[String]) -> Result<Vec<usize>, ColumnError> {
        match self {
            Self::One(name) => Ok(vec![index(names, name)?]),
            Self::From(from, to) => {
                let (from, to) = (index(names, from)?, index(names, to)?);
                Ok((from.min(to)..=from.max(to)).collect())
            }
        }
    }
}

/// The column with a header, else the one with this letter in a spreadsheet.
fn index(names: &[String], wanted: &str) -> Result<usize, ColumnError> {
    let lower = wanted.to_lowercase();
    let by_name = names
        .iter()
        .position(|name| name.trim().to_lowercase() == lower);
    let by_letter = || {
        let mut letters = wanted.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        let letter = u32::from(letter.to_ascii_uppercase()).checked_sub(u32::from('A'))?;
        usize::try_from(letter)
            .ok()
            .filter(|index| *index < 26 && *index < names.len())
    };
    by_name
        .or_else(by_letter)
        .ok_or_else(|| ColumnError::NoColumn(wanted.to_owned(), names.to_vec()))
}
