//! CSV and TSV: every line has the same number of fields, and the first one names them; or
//! nearly every line has a tab between two texts, as in the exports of Quizlet and in the
//! questions of Blackboard.
//!
//! Prose has commas too. It has a space after nearly all of them, and no line of names.

use super::Lines;

/// The most words and characters of the name of a column.
const NAME_WORDS: usize = 4;
const NAME_LENGTH: usize = 40;

pub(super) fn of(lines: &Lines<'_>) -> Option<&'static str> {
    let text = lines.lines.join("\n");
    let is_markdown = lines.lines.iter().any(|line| is_separator(line));
    for (delimiter, name) in [('\t', "TSV"), (',', "CSV"), (';', "CSV"), ('|', "CSV")] {
        if delimiter == '|' && is_markdown {
            continue;
        }
        let table = Table::read(&text, delimiter);
        if table.is_one(delimiter) {
            return Some(name);
        }
    }
    is_tabbed(lines).then_some("TSV")
}

/// Whether nearly every line has a tab between two texts. A list that was copied from a word
/// processor has one after each number, and a form after each colon.
fn is_tabbed(lines: &Lines<'_>) -> bool {
    const FEWEST: usize = 3;
    let filled = || lines.lines.iter().filter(|line| !line.trim().is_empty());
    let is_row = |line: &&&str| {
        line.trim_end().split_once('\t').is_some_and(|(first, _)| {
            let is_marker = first.ends_with(['.', ')', ':']) && first.chars().count() <= 4
                || first.ends_with(':');
            first.chars().filter(|c| c.is_alphanumeric()).count() > 1
                && !is_marker
                && !first.starts_with([' ', '-', '*', '>', '|'])
        })
    };
    let (rows, all) = (filled().filter(is_row).count(), filled().count());
    rows >= FEWEST && rows * 10 >= all * 9
}

/// The line below the head of a table in Markdown.
fn is_separator(line: &str) -> bool {
    line.contains("--") && line.chars().all(|c| matches!(c, '-' | '|' | ':' | ' '))
}

/// A text as a table would be read.
#[derive(Default)]
struct Table {
    header: Vec<String>,
    rows: usize,
    /// Rows after the first with as many fields as it.
    fitting: usize,
    delimiters: usize,
    /// Delimiters that a space follows.
    spaced: usize,
}

impl Table {
    fn read(text: &str, delimiter: char) -> Self {
        let mut table = Self::default();
        let mut row = vec![String::new()];
        let mut quoted = false;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => {
                    chars.next();
                }
                '"' if quoted => quoted = false,
                '"' if row.last().is_some_and(|field| field.trim().is_empty()) => quoted = true,
                '\n' if !quoted => table.end_row(&mut row),
                c if c == delimiter && !quoted => {
                    table.delimiters += 1;
                    table.spaced += usize::from(chars.peek() == Some(&' '));
                    row.push(String::new());
                }
                c => {
                    if let Some(field) = row.last_mut() {
                        field.push(c);
                    }
                }
            }
        }
        table.end_row(&mut row);
        table
    }

    fn end_row(&mut self, row: &mut Vec<String>) {
        let row = std::mem::replace(row, vec![String::new()]);
        if row.iter().all(|field| field.trim().is_empty()) {
            return;
        }
        if self.rows == 0 {
            self.header = row;
        } else {
            self.fitting += usize::from(row.len() == self.header.len());
        }
        self.rows += 1;
    }

    fn is_one(&self, delimiter: char) -> bool {
        let columns = self.header.len();
        let others = self.rows.saturating_sub(1);
        // Nine in ten: models forget to quote a comma now and then.
        if columns < 2 || others == 0 || self.fitting * 10 < others * 9 || !self.has_names() {
            return false;
        }
        // Scripts without spaces have none after a comma either.
        let has_spaces = !self.header.iter().any(|name| name.chars().any(is_unspaced));
        let is_tight = self.spaced * 5 <= self.delimiters && has_spaces && delimiter != '|';
        delimiter == '\t' || is_tight || columns >= 3 && others >= 2
    }

    /// Whether the first row names columns: short, distinct, no sentences.
    fn has_names(&self) -> bool {
        let names: Vec<&str> = self.header.iter().map(|name| name.trim()).collect();
        let is_name = |name: &str| {
            !name.is_empty()
                && name.chars().count() <= NAME_LENGTH
                && name.split_whitespace().count() <= NAME_WORDS
                && !name.ends_with(['.', '!', '?', ':', ';'])
                && !name.starts_with(['-', '*', '>', '|'])
        };
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        names.iter().all(|name| is_name(name)) && sorted.len() == names.len()
    }
}

/// Letters of Chinese, Japanese, Thai, Lao, Burmese and Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{9FFF}'
    )
}
