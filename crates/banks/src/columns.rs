//! What the user says about the columns of a table: `stem=Frage,options=A..D,key=Lösung`.
//!
//! | written | what it names |
//! |---|---|
//! | `Frage` | the column with this header, in any case |
//! | `A..D` | the columns from one header to another; if no header is called so, those with these letters in a spreadsheet |
//! | `C` | likewise: a header, else the third column |
//! | `header=none` | the first row is a question, too |
//!
//! What is not named is found by its header, as without a choice.

use thiserror::Error;

use crate::table::{Column, Columns};

/// The names of what a column may hold.
const ROLES: [(&str, Role); 14] = [
    ("stem", Role::One(Column::Stem)),
    ("question", Role::One(Column::Stem)),
    ("options", Role::Options),
    ("option", Role::Options),
    ("feedback", Role::Feedback),
    ("wrong", Role::Wrong),
    ("kind", Role::One(Column::Kind)),
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
    /// One column for each wrong answer.
    Wrong,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    One(String),
    From(String, String),
}

/// Which columns hold what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnChoice {
    named: Vec<(Role, Named)>,
    /// Whether the user says that the first row names no columns.
    without_header: bool,
}

/// What is wrong with a choice, or with a header.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ColumnError {
    #[error(
        "`{0}` does not say what a column holds; write for example stem=Question,options=A..D,key=Answer"
    )]
    NotAssigned(String),
    #[error(
        "unknown kind of column `{0}`; known: stem, options, feedback, key, wrong, explanation, vignette, id, bloom, kind, header"
    )]
    Unknown(String),
    #[error("no column `{0}`; the table has {list}", list = listed(.1))]
    NoColumn(String, Vec<String>),
    #[error(
        "the first row of the table is a question, not the names of columns; put names above it, or say what the columns hold: --columns \"{0}\""
    )]
    NoHeader(String),
    #[error("only `header=none` is known, not `header={0}`")]
    Header(String),
    #[error("{}", no_bank(.names, .example.as_deref()))]
    NoBank {
        names: Vec<String>,
        /// A choice that would fit this table.
        example: Option<String>,
    },
}

fn no_bank(names: &[String], example: Option<&str>) -> String {
    if names.is_empty() {
        return "the table is empty, or its first row names nothing; put the names of the columns there, such as question, A, B, C, answer".to_owned();
    }
    let example = example.map_or_else(
        || "stem=NAME,options=FIRST..LAST,key=NAME".to_owned(),
        |example| format!("\"{example}\" if that is what they hold"),
    );
    format!(
        "the columns of the table ({}) do not show a question and two options; say which they are with --columns {example}",
        listed(names)
    )
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
        let mut choice = Self::default();
        let parts = written.split(',').map(str::trim);
        for part in parts.filter(|part| !part.is_empty()) {
            let (role, name) = part
                .split_once('=')
                .filter(|(_, name)| !name.trim().is_empty())
                .ok_or_else(|| ColumnError::NotAssigned(part.to_owned()))?;
            let role = role.trim().to_lowercase();
            if role == "header" {
                let header = name.trim().to_lowercase();
                choice.without_header = header == "none";
                if !choice.without_header {
                    return Err(ColumnError::Header(header));
                }
                continue;
            }
            let known = ROLES.iter().find(|(known, _)| *known == role);
            let (_, role) = known.ok_or(ColumnError::Unknown(role))?;
            let named = match name.split_once("..") {
                Some((from, to)) => Named::From(from.trim().to_owned(), to.trim().to_owned()),
                None => Named::One(name.trim().to_owned()),
            };
            choice.named.push((*role, named));
        }
        match choice.named.is_empty() {
            true => Err(ColumnError::NotAssigned(written.to_owned())),
            false => Ok(choice),
        }
    }

    pub(crate) const fn is_without_header(&self) -> bool {
        self.without_header
    }

    /// Whether all columns are named like the columns of a spreadsheet.
    pub(crate) fn is_by_letter(&self) -> bool {
        let is_letter =
            |name: &str| name.len() == 1 && name.bytes().all(|c| c.is_ascii_uppercase());
        self.named.iter().all(|(_, named)| match named {
            Named::One(name) => is_letter(name),
            Named::From(from, to) => is_letter(from) && is_letter(to),
        })
    }

    /// Lays the choice over what the header shows.
    pub(crate) fn apply(&self, columns: &mut Columns) -> Result<(), ColumnError> {
        let names = &columns.names;
        let mut placed = Vec::new();
        let (mut options, mut feedback, mut wrong) = (0, 0, 0);
        for (role, named) in &self.named {
            for index in named.indexes(names)? {
                let column = match role {
                    Role::One(column) => *column,
                    Role::Options => Column::Option(next(&mut options)),
                    Role::Feedback => Column::Feedback(next(&mut feedback)),
                    Role::Wrong => Column::Wrong(next(&mut wrong)),
                };
                placed.push((index, column));
            }
        }
        let is_named = |column: Column| {
            self.named.iter().any(|(role, _)| match role {
                Role::One(named) => *named == column,
                Role::Options | Role::Wrong => {
                    matches!(column, Column::Option(_) | Column::Wrong(_))
                }
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
    let by_letter = || {
        let mut letters = wanted.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        let letter = u32::from(letter.to_ascii_uppercase()).checked_sub(u32::from('A'))?;
        usize::try_from(letter)
            .ok()
            .filter(|index| *index < 26 && *index < names.len())
    };
    by_name(names, wanted)
        .or_else(by_letter)
        .ok_or_else(|| ColumnError::NoColumn(wanted.to_owned(), names.to_vec()))
}

fn by_name(names: &[String], wanted: &str) -> Option<usize> {
    let lower = wanted.to_lowercase();
    names
        .iter()
        .position(|name| name.trim().to_lowercase() == lower)
}
