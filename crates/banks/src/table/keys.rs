//! Keys of a table that name several options, or one by the name of its column.
//!
//! | key | what it names |
//! |---|---|
//! | `1,3` under options that are numbered | positions, if there are such options |
//! | `2, 5`, `Iron, Copper` | the options with these texts |
//! | both of these, and not the same options | nothing |
//! | `A` and `C` in columns of their own | these letters |
//! | `Option 2`, and a column is called so | its option, unless it is the text of one |

use std::borrow::Cow;

use super::cells;
use super::cells::Cell;
use super::names::{self, Column, Columns};

/// The signs between the entries of a key.
const SEPARATORS: [char; 8] = [',', ';', '|', '\n', '，', '；', '、', '\r'];
/// The most entries of a key that is a list.
const MOST_ENTRIES: usize = 64;

/// What a key says that is a list, or the name of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Several {
    /// It is none.
    No,
    Positions(Vec<u8>),
    /// A cell of it names no option.
    Unread,
}

/// The options that a key names together.
pub(super) fn several(
    text: &str,
    columns: &Columns,
    cells: &[(Column, &Cell)],
    key: &str,
) -> Several {
    let says = |cell: &Cell| cells::field(text, cell, columns.delimiter).text;
    let more = cells.iter().filter_map(|(column, cell)| {
        let words = (*column == Column::MoreKey).then(|| says(cell))?;
        (!words.is_empty()).then_some(words)
    });
    let more: Vec<String> = more.collect();
    let key = joined(key);
    let key = key.as_ref();
    let of_column = columns.named_option(key).filter(|_| more.is_empty());
    let is_one = more.is_empty() && !key.contains(SEPARATORS) && of_column.is_none();
    if columns.key_is_an_option() || is_one {
        return Several::No;
    }
    let options: Vec<(u8, String)> = cells
        .iter()
        .filter_map(|(column, cell)| match column {
            Column::Option(position) => Some((*position, same(&says(cell)))),
            _ => None,
        })
        .filter(|(_, words)| !words.is_empty())
        .collect();
    let is_there = |position: &u8| options.iter().any(|(own, _)| own == position);
    if !more.is_empty() {
        let all = std::iter::once(key).chain(more.iter().map(String::as_str));
        let positions: Option<Vec<u8>> = all
            .filter(|word| !word.is_empty())
            .map(|word| names::label(&names::normalised(word)).filter(is_there))
            .collect();
        return positions.map_or(Several::Unread, |positions| {
            Several::Positions(in_order(positions))
        });
    }
    // A list that is the text of an option is one answer.
    if options.iter().any(|(_, words)| *words == same(key)) {
        return Several::No;
    }
    if let Some(position) = of_column.filter(is_there) {
        return Several::Positions(vec![position]);
    }
    let numbers = columns
        .first_number
        .and_then(|first| numbered(key, first))
        .filter(|positions| positions.iter().all(is_there));
    match (numbers, texts(key, &options)) {
        (Some(numbers), Some(texts)) if numbers != texts => Several::No,
        (Some(found), _) | (None, Some(found)) => Several::Positions(found),
        (None, None) => Several::No,
    }
}

/// Numbers with words or signs between them as a list: `1 und 3`, `1 & 3`, `1 y 2`.
fn joined(key: &str) -> Cow<'_, str> {
    let words: Vec<&str> = key
        .split([' ', '+', '&'])
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &str| word.parse::<u8>().is_ok();
    let numbers: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| is_number(word))
        .collect();
    let is_joined = |word: &&str| is_number(word) || AND.contains(&word.to_lowercase().as_str());
    if numbers.len() > 1 && words.iter().all(is_joined) {
        Cow::Owned(numbers.join(","))
    } else {
        Cow::Borrowed(key)
    }
}

/// The words between two numbers of a key.
const AND: [&str; 10] = [
    "and", "und", "et", "y", "e", "и", "和", "sowie", "plus", "і",
];

fn in_order(mut positions: Vec<u8>) -> Vec<u8> {
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// The positions of a list of numbers.
fn numbered(key: &str, first: u8) -> Option<Vec<u8>> {
    let parts: Vec<&str> = key.split(SEPARATORS).map(str::trim).collect();
    let numbers = parts
        .iter()
        .map(|part| part.parse::<u8>().ok()?.checked_sub(first));
    let positions = in_order(numbers.collect::<Option<_>>()?);
    (positions.len() > 1 && positions.len() == parts.len()).then_some(positions)
}

/// The options whose texts stand one after the other in a key. An option may have a separator
/// in it; if there are two ways to read the key, neither is certain.
fn texts(key: &str, options: &[(u8, String)]) -> Option<Vec<u8>> {
    let mut starts = vec![0];
    starts.extend(
        key.match_indices(SEPARATORS)
            .map(|(at, sign)| at + sign.len()),
    );
    let mut ends: Vec<usize> = key.match_indices(SEPARATORS).map(|(at, _)| at).collect();
    ends.push(key.len());
    if starts.len() > MOST_ENTRIES {
        return None;
    }
    // For each entry the ways to read what begins there, at most two.
    let mut ways: Vec<Vec<Vec<u8>>> = vec![Vec::new(); starts.len() + 1];
    *ways.last_mut()? = vec![Vec::new()];
    for (entry, start) in starts.iter().enumerate().rev() {
        let mut found: Vec<Vec<u8>> = Vec::new();
        for (last, end) in ends.iter().enumerate().skip(entry) {
            let words = same(key.get(*start..*end).unwrap_or_default());
            let mut named = options.iter().filter(|(_, option)| *option == words);
            let (Some((position, _)), None) = (named.next(), named.next()) else {
                continue;
            };
            for rest in ways.get(last + 1).into_iter().flatten() {
                let mut positions = vec![*position];
                positions.extend(rest);
                found.push(positions);
            }
        }
        found.truncate(2);
        *ways.get_mut(entry)? = found;
    }
    match ways.first()?.as_slice() {
        [only] => {
            let positions = in_order(only.clone());
            (positions.len() > 1 && positions.len() == only.len()).then_some(positions)
        }
        _ => None,
    }
}

/// A text as texts of keys and options are compared.
fn same(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_options_in_a_key_are_read_where_there_is_one_way() {
        let options = |texts: &[&str]| -> Vec<(u8, String)> {
            let numbered = texts.iter().zip(0..);
            numbered.map(|(text, index)| (index, same(text))).collect()
        };
        for (key, texts_of, expected) in [
            ("2, 5", &["2", "4", "5", "6"][..], Some(&[0, 2][..])),
            ("Iron; copper", &["Iron", "Copper", "Wood"], Some(&[0, 1])),
            (
                "Red, white, Blue",
                &["Blue", "Red, white", "Red"],
                Some(&[0, 1]),
            ),
            // Two ways.
            ("a, b, c", &["a", "b, c", "a, b", "c"], None),
            ("a, a", &["a", "b"], None),
            ("a, d", &["a", "b"], None),
            ("a, b", &["a", "b", "b"], None),
            ("a", &["a", "b"], None),
        ] {
            let found = texts(key, &options(texts_of));
            assert_eq!(found.as_deref(), expected, "{key}");
        }
    }
}
