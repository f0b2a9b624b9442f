//! Finds the phrases of a table in a text: whole words, in any case. A row of a
//! table is written `phrase -> what to write instead` in the policy. Knows nothing of
//! what the phrases mean.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<'t> {
    pub(crate) phrase: &'t str,
    /// The text after the arrow; empty if there is none.
    pub(crate) instead: &'t str,
}

pub(crate) fn rows(table: &[String]) -> impl Iterator<Item = Row<'_>> {
    table.iter().map(|row| {
        let (phrase, instead) = row.split_once("->").unwrap_or((row, ""));
        Row {
            phrase: phrase.trim(),
            instead: instead.trim(),
        }
    })
}

/// Where the rows of a table are found in a text, in order; of two that overlap
/// only the one that starts first, or the longer one.
pub(crate) fn find<'t>(
    text: &str,
    rows: impl Iterator<Item = Row<'t>>,
) -> Vec<(Range<usize>, Row<'t>)> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(Range<usize>, Row<'t>)> = rows
        .filter(|row| !row.phrase.is_empty())
        .flat_map(|row| {
            let phrase = row.phrase.to_ascii_lowercase();
            occurrences(&lower, &phrase)
                .map(|range| (range, row))
                .collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut end = 0;
    found.retain(|(range, _)| {
        let is_free = range.start >= end;
        if is_free {
            end = range.end;
        }
        is_free
    });
    found
}

/// Where a phrase occurs as whole words; both in lower case.
pub(crate) fn occurrences<'t>(
    text: &'t str,
    phrase: &str,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let ranges: Vec<Range<usize>> = text
        .match_indices(phrase)
        .filter(|(at, found)| {
            let before = text
                .get(..*at)
                .and_then(|before| before.chars().next_back());
            let after = text
                .get(at + found.len()..)
                .and_then(|after| after.chars().next());
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
        .map(|(at, found)| at..at + found.len())
        .collect();
    ranges.into_iter()
}

/// A replacement in the case of what it replaces.
pub(crate) fn in_case_of(found: &str, instead: &str) -> String {
    let mut letters = found.chars().filter(|c| c.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let all = first
        && found.chars().filter(|c| c.is_alphabetic()).count() > 1
        && letters.all(char::is_uppercase);
    if all {
        return instead.to_uppercase();
    }
    let mut chars = instead.chars();
    match chars.next().filter(|_| first) {
        Some(initial) => initial.to_uppercase().chain(chars).collect(),
        None => instead.to_owned(),
    }
}

/// Whether an offset is the start of a sentence or line.
pub(crate) fn opens_sentence(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let trimmed = before.trim_end_matches([' ', '*', '_', '"', '“', '‘', '\'', '(', '-', '#', '•']);
    trimmed.is_empty() || trimmed.ends_with(['.', '!', '?', ':', '\n', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words_and_the_longest_wins() {
        let table = [
            "color -> colour".to_owned(),
            "color scheme -> colours".to_owned(),
            "gray".to_owned(),
        ];
        let found: Vec<(Range<usize>, &str)> =
            find("Color scheme, colors, a gray color.", rows(&table))
                .into_iter()
                .map(|(range, row)| (range, row.instead))
                .collect();
        assert_eq!(
            found,
            [(0..12, "colours"), (24..28, ""), (29..34, "colour")]
        );
    }

    #[test]
    fn replacements_follow_the_case() {
        for (found, expected) in [
            ("color", "colour"),
            ("Color", "Colour"),
            ("COLOR", "COLOUR"),
        ] {
            assert_eq!(in_case_of(found, "colour"), expected);
        }
    }
}
