//! Finished output, broken at the width of the terminal: between words, never inside one,
//! with the indentation of its line. Colours take no room.
//!
//! What is too long without a space stays on one line, and so does a command to paste.

use unicode_width::UnicodeWidthChar as _;

/// The text in lines of at most `width` columns; as it is without a width.
#[must_use]
pub fn screen(text: &str, width: Option<usize>) -> String {
    const LEAST: usize = 20;
    let Some(width) = width.map(|width| width.max(LEAST)) else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                wrap(&mut out, line, width);
                out.push('\n');
            }
            None => wrap(&mut out, line, width),
        }
    }
    out
}

fn wrap(out: &mut String, line: &str, width: usize) {
    // A command is pasted, so it stays on its line.
    let is_command = line.trim_start().starts_with("redraft ") && line.starts_with(' ');
    if is_command || columns(line) <= width {
        return out.push_str(line);
    }
    let indent = indentation(line, width);
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let wide = columns(word.trim_end_matches(' '));
        if column > indent && column + wide > width {
            while out.ends_with(' ') {
                out.pop();
            }
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        }
        out.push_str(word);
        column += columns(word);
    }
}

/// The columns that later lines of a line are set in: its own, and two more for what it
/// begins with.
fn indentation(line: &str, width: usize) -> usize {
    let own = visible(line).take_while(|c| *c == ' ').count();
    (own + 2).min(width / 2)
}

fn columns(text: &str) -> usize {
    visible(text).map(|c| c.width().unwrap_or(0)).sum()
}

/// The characters that are not part of a colour.
fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut is_colour = false;
    text.chars().filter(move |c| {
        if is_colour {
            is_colour = *c != 'm';
            return false;
        }
        is_colour = *c == '\u{1b}';
        !is_colour
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indentation() {
        for (text, expected) in [
            ("short\n", "short\n"),
            (
                "  one two three four five six\n",
                "  one two three four\n    five six\n",
            ),
            (
                "  \u{1b}[1mone\u{1b}[0m two three fourr six\n",
                "  \u{1b}[1mone\u{1b}[0m two three\n    fourr six\n",
            ),
            (
                "  averyveryverylongwordwithoutaspace and more\n",
                "  averyveryverylongwordwithoutaspace\n    and more\n",
            ),
            (
                "  redraft refine --resume run.jsonl -o a.md\n",
                "  redraft refine --resume run.jsonl -o a.md\n",
            ),
            (
                "水水水水水 水水水水水 水\n",
                "水水水水水\n  水水水水水 水\n",
            ),
        ] {
            assert_eq!(screen(text, Some(20)), expected, "{text:?}");
            assert_eq!(screen(text, None), text);
        }
    }
}
