//! A last line of which only the beginning is there: the mark of an item, a quotation or a
//! heading without words, one letter, half of the line under the head of a table.

use redraft_gate::content::TextField;

use super::Cut;

pub(super) fn cut(field: &TextField) -> Option<Cut> {
    let text = field.text.trim_end();
    if let Some(at) = half_an_escape(text).filter(|at| !field.markdown().is_verbatim(*at)) {
        let why = "the text ends in the middle of an escaped letter".to_owned();
        return Some(Cut::certain(at..text.len(), why));
    }
    let (before, line) = text.rsplit_once('\n')?;
    let start = text.len() - line.trim_start().len();
    if !field.is_last || field.markdown().is_verbatim(start) {
        return None;
    }
    let why = cause(before, line.trim())?;
    Some(Cut::certain(start..text.len(), why.to_owned()))
}

/// Where `\\u00` begins, without the rest of its digits, at the very end.
fn half_an_escape(text: &str) -> Option<usize> {
    const DIGITS: usize = 4;
    let before = text.trim_end_matches(|c: char| c.is_ascii_hexdigit());
    let digits = text.len() - before.len();
    (digits < DIGITS && before.ends_with("\\u")).then(|| before.len() - "\\u".len())
}

/// What the last line lacks, by itself and the text before it.
fn cause(before: &str, line: &str) -> Option<&'static str> {
    let above = before.trim_end().rsplit('\n').next().unwrap_or_default();
    if is_half_a_rule(above.trim(), line) {
        return Some("the text ends in the middle of a table, under its head");
    }
    if is_head_alone(above.trim(), line) {
        return Some("the text ends with the head of a table");
    }
    let (is_marked, words) = without_mark(line);
    if is_marked && words.is_empty() {
        return Some("the text ends with a mark of a list, quotation or heading without words");
    }
    let mut letters = words.chars();
    let is_letter = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    // One of them is a word or a syllable, as in “끝”.
    let is_cjk = words.starts_with(|c: char| {
        ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ac00}'..='\u{d7a3}').contains(&c)
    });
    // Letters one below the other are variables or options.
    let (_, sibling) = without_mark(above.trim());
    let is_list_of_letters = sibling.chars().count() <= 2 && !sibling.is_empty();
    let stops = above.trim_end().ends_with(['.', '!', '?', '。', '！', '？']) || above.starts_with('#');
    (is_letter && !is_cjk && stops && !is_list_of_letters)
        .then_some("the text ends with a single letter")
}

/// A line without the marks at its start, and whether it had any.
fn without_mark(line: &str) -> (bool, &str) {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = digits.strip_prefix(['.', ')']).filter(|_| digits.len() < line.len());
    let rest = numbered.unwrap_or_else(|| {
        let marks = line.trim_start_matches(['>', '#']);
        if marks.len() < line.len() {
            return marks;
        }
        line.strip_prefix(['-', '*', '+']).unwrap_or(line)
    });
    let is_marked = rest.len() < line.len() && (rest.is_empty() || rest.starts_with(' '));
    (is_marked, if is_marked { rest.trim() } else { line })
}

/// `| a | b |` with no row above or below it.
fn is_head_alone(above: &str, line: &str) -> bool {
    let is_whole = line.ends_with('|') && line.matches('|').count() > 2;
    let is_half = line.starts_with("| ") && line.contains(" | ");
    line.len() > 1
        && line.starts_with('|')
        && (is_whole || is_half)
        && line.contains(char::is_alphabetic)
        && !above.starts_with('|')
}

/// `|--` under `| a | b |`.
fn is_half_a_rule(head: &str, line: &str) -> bool {
    let bars = |text: &str| text.matches('|').count();
    line.starts_with('|')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
        && head.starts_with('|')
        && head.ends_with('|')
        && bars(line) < bars(head)
        && head.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_told_from_a_whole_line() {
        for (before, line, is_cut) in [
            ("- One thing.\n- Another.", "-", true),
            ("1. One thing.", "2.", true),
            ("Text.\n", ">", true),
            ("Text.\n", "##", true),
            ("Text.\n", "W", true),
            ("- One thing.", "- T", true),
            ("## End\n", "T", true),
            ("| a | b |", "|--", true),
            ("| a | b |", "|---|---|", false),
            ("Text.\n", "| a | b |", true),
            ("Text.\n", "|a|", false),
            ("Text.\n", "| place | pres", true),
            ("|---|---|", "| a | b |", false),
            ("- a\n- b", "- c", false),
            ("Text.\n", "---", false),
            ("Text.\n", "***", false),
            ("Text.", "42", false),
            ("The answer is:\n", "B", false),
            ("- One thing.", "- Two things.", false),
        ] {
            assert_eq!(cause(before, line).is_some(), is_cut, "{before:?} {line:?}");
        }
    }
}
