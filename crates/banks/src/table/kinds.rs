//! Which rows of a table are multiple choice, where a column says what kind each is.

use std::sync::OnceLock;

use super::cells::{Cell, Row};
use super::header::{self, Column, Columns, NamesByRole};

pub(super) enum RowKind {
    Choice,
    /// Another kind of question, in words.
    Other(&'static str),
    /// A row under the header that tells people what to write into each column.
    Description,
}

pub(super) fn of_row(columns: &Columns, row: &Row, says: &dyn Fn(&Cell) -> String) -> RowKind {
    let place = columns
        .columns
        .iter()
        .position(|column| *column == Column::Kind);
    let Some((place, cell)) = place.and_then(|place| Some((place, row.cells.get(place)?))) else {
        return RowKind::Choice;
    };
    let said = header::normalised(&says(cell));
    let name = columns
        .names
        .get(place)
        .map(|name| header::normalised(name));
    let repeats_name = |name: String| !name.is_empty() && said.starts_with(&name);
    if name.is_some_and(repeats_name) {
        return RowKind::Description;
    }
    let names = kinds().iter();
    let mut found = names.filter(|(_, names)| names.contains(&said));
    found
        .next()
        .map_or(RowKind::Choice, |(kind, _)| RowKind::Other(kind))
}

fn kinds() -> &'static NamesByRole {
    static KINDS: OnceLock<NamesByRole> = OnceLock::new();
    KINDS.get_or_init(|| header::names_by_role(include_str!("../../data/kinds.txt")))
}
