//! How the columns of a table were understood, in one line.

use redraft_banks::{Column, Columns};

use crate::plain;

/// The most names that are listed of a kind.
const MOST: usize = 26;

type IsColumn = fn(Column) -> bool;

/// `question = Frage; options = A, B, C; key = Lösung; not read: Notiz`.
#[must_use]
pub fn line(columns: &Columns) -> String {
    const KINDS: [(&str, IsColumn); 10] = [
        ("id", |column| column == Column::Id),
        ("case", |column| column == Column::Vignette),
        ("question", |column| column == Column::Stem),
        ("options", |column| matches!(column, Column::Option(_))),
        ("feedback", |column| matches!(column, Column::Feedback(_))),
        ("wrong options", |column| matches!(column, Column::Wrong(_))),
        ("key", |column| {
            matches!(column, Column::Key | Column::MoreKey)
        }),
        ("explanation", |column| column == Column::Explanation),
        ("Bloom level", |column| column == Column::Bloom),
        ("kind", |column| column == Column::Kind),
    ];
    let listed = |is_it: IsColumn| listed(columns, is_it);
    let mut parts: Vec<String> = KINDS
        .into_iter()
        .map(|(kind, is_it)| (kind, listed(is_it)))
        .filter(|(_, names)| !names.is_empty())
        .map(|(kind, names)| format!("{kind} = {}", names.join(", ")))
        .collect();
    if !columns.columns.contains(&Column::Key) {
        parts.push("no key".to_owned());
    }
    parts.extend(not_read(columns).map(|others| format!("not read: {others}")));
    parts.join("; ")
}

/// The columns that are not read.
#[must_use]
pub fn not_read(columns: &Columns) -> Option<String> {
    let others = listed(columns, |column| column == Column::Other);
    (!others.is_empty()).then(|| others.join(", "))
}

fn listed(columns: &Columns, is_it: IsColumn) -> Vec<String> {
    let mut names = columns.named(is_it).filter(|name| !name.is_empty());
    let shown = names.by_ref().take(MOST);
    let mut shown: Vec<String> = shown.map(|name| plain::words(name).to_string()).collect();
    shown.extend(names.next().map(|_| "…".to_owned()));
    shown
}
