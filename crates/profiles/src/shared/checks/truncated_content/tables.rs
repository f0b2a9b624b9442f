//! Tables that were cut: a last row that stops, a head without a row, half a head.
//!
//! | the table | evidence |
//! |---|---|
//! | its last row lacks the last bar and cells, where all rows above have them | enough |
//! | the same with all cells, but the last is the beginning of another cell, a letter, a bare number where others have a unit | enough |
//! | a head and no row | enough |
//! | a line in bars that is no table, outside any table | enough |

use redraft_gate::content::TextField;
use redraft_text::markdown::{Block, BlockKind};

use super::Cut;

/// Where and how a table was cut, wherever it stands.
pub(super) fn cut_table(field: &TextField, block: &Block) -> Option<Cut> {
    let BlockKind::Table { columns } = block.kind else {
        return None;
    };
    let table = field.text.get(block.span.clone())?.trim_end();
    if table.lines().count() == 2 && columns > 1 {
        let end = block.span.start + table.len();
        return Some(Cut::certain(
            block.span.start..end,
            "this table has a head and no rows".to_owned(),
        ));
    }
    let (above, last) = table.rsplit_once('\n')?;
    let is_closed = |row: &str| row.trim_end().ends_with('|');
    // A line of prose directly below a table counts as a row, too.
    let cells = last.matches('|').count() - last.matches("\\|").count();
    let is_open = !is_closed(last) && last.trim_start().starts_with('|') && above.lines().all(is_closed);
    let is_cut = is_open && (cells < columns || stops_in_a_cell(above, last));
    is_cut.then(|| {
        let end = block.span.start + table.len();
        Cut::certain(
            end - last.len()..end,
            "the text ends in the middle of this row of a table".to_owned(),
        )
    })
}

/// Whether the last cell of an open row cannot be whole, by the cells above it.
fn stops_in_a_cell(above: &str, last: &str) -> bool {
    let end = |row: &str| -> String {
        let row = row.trim().trim_end_matches('|');
        let cell = row.rsplit('|').next().unwrap_or_default();
        cell.trim().to_owned()
    };
    let cell = end(last);
    let others: Vec<String> = above.lines().skip(2).map(end).filter(|other| !other.is_empty()).collect();
    let mut letters = cell.chars();
    let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    let is_beginning = !cell.is_empty()
        && others.iter().any(|other| other.len() > cell.len() && other.starts_with(&cell))
        && !others.contains(&cell);
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let lacks_unit = is_number(&cell)
        && !others.is_empty()
        && others.iter().all(|other| {
            other.starts_with(|c: char| c.is_ascii_digit()) && other.ends_with(|c: char| !c.is_ascii_digit())
        });
    let are_words = || others.iter().all(|other| other.chars().nth(1).is_some());
    cell.is_empty() || is_beginning || lacks_unit || is_letter && are_words()
}

/// A paragraph in bars that is no table: its head was cut, or its rule is missing.
pub(super) fn half_a_head(field: &TextField, block: &Block) -> Option<Cut> {
    let text = field.text.get(block.content.clone())?;
    let is_in_bars = block.kind == BlockKind::Paragraph
        && text.starts_with("| ")
        && text.contains(" | ")
        && text.lines().all(|line| line.trim_start().starts_with('|'))
        && !text.contains("--")
        && text.contains(char::is_alphabetic)
        && !field.markdown().is_verbatim(block.content.start);
    // Rows that stand apart belong to a table that was written with blank lines.
    let is_alone = text.lines().count() == 1 || !text.trim_end().ends_with('|');
    (is_in_bars && is_alone).then(|| {
        Cut::certain(
            block.content.clone(),
            "this is the head of a table, and its rows are missing".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::stops_in_a_cell;

    #[test]
    fn a_cell_that_stops_is_told_from_a_whole_one() {
        let head = "| material | attracted |\n|---|---|\n";
        for (rows, last, is_cut) in [
            ("| iron | yes |\n| copper | no |", "| nickel | y", true),
            ("| iron | yes |\n| copper | no |", "| nickel | yes", false),
            ("| water | 1.00 g |\n| oil | 0.90 g |", "| ice | 0", true),
            ("| water | 1 |\n| oil | 2 |", "| ice | 3", false),
            ("| water | a |\n| oil | b |", "| ice | c", false),
        ] {
            let above = format!("{head}{rows}");
            assert_eq!(stops_in_a_cell(&above, last), is_cut, "{last}");
        }
    }
}
