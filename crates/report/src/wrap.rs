//! Finished output, broken at the width of the terminal: between words, never inside one,
//! with the indentation of its line. Colours take no room.
//!
//! Between wide characters (Chinese, Japanese, Korean) a line may break as well, but no line
//! begins with a mark that closes something. What is too long otherwise stays on one line,
//! and so does a command to paste.

use unicode_width::UnicodeWidthChar as _;

/// The text in lines of at most `width` columns; as it is without a width. Later lines of a
/// line are set in by two columns more, so that it is seen where the next one begins.
#[must_use]
pub fn screen(text: &str, width: Option<usize>) -> String {
    lines(text, width, |_| 2)
}

/// The same for a page of prose, where only the entries of lists are set in.
#[must_use]
pub fn prose(text: &str, width: Option<usize>) -> String {
    lines(text, width, |line| {
        let is_entry = visible(line).find(|c| *c != ' ') == Some('•');
        if is_entry { 2 } else { 0 }
    })
}

fn lines(text: &str, width: Option<usize>, hanging: impl Fn(&str) -> usize) -> String {
    const LEAST: usize = 20;
    let Some(width) = width.map(|width| width.max(LEAST)) else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                wrap(&mut out, line, width, hanging(line));
                out.push('\n');
            }
            None => wrap(&mut out, line, width, hanging(line)),
        }
    }
    out
}

fn wrap(out: &mut String, line: &str, width: usize, hanging: usize) {
    // A command is pasted, so it stays on its line.
    let is_command = line.trim_start().starts_with("redraft ") && line.starts_with(' ');
    if is_command || columns(line) <= width {
        return out.push_str(line);
    }
    let own = visible(line).take_while(|c| *c == ' ').count();
    let indent = (own + hanging).min(width / 2);
    let mut column = 0;
    for word in line.split_inclusive(' ').flat_map(pieces) {
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

/// A word, and what it may be broken into: before and after each wide character.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = piece_end(rest)?;
        let (piece, later) = rest.split_at(end);
        rest = later;
        Some(piece)
    })
}

/// Where the first piece ends; `None` if nothing is left.
fn piece_end(rest: &str) -> Option<usize> {
    let is_wide = |c: char| c.width() == Some(2);
    let mut characters = rest.char_indices();
    let (_, mut before) = characters.next()?;
    for (at, next) in characters {
        let may_break = is_wide(before) || (is_wide(next) && before != '\u{1b}');
        // Marks stay with what they close or open.
        if may_break && !closes(next) && !opens(before) {
            return Some(at);
        }
        before = next;
    }
    Some(rest.len())
}

fn closes(c: char) -> bool {
    "，。、；：！？）］｝」』】》〉”’…—ー,.;:!?)]} \u{1b}".contains(c)
}

fn opens(c: char) -> bool {
    "（［｛「『【《〈“‘([{".contains(c)
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
                "水水水水水 水水水水\n  水 水\n",
            ),
            (
                "  水在一百度时沸腾。然后它不会变热。\n",
                "  水在一百度时沸腾。\n    然后它不会变热。\n",
            ),
            (
                "  这个 word 在（一百度）时沸腾了，\n",
                "  这个 word 在（一百\n    度）时沸腾了，\n",
            ),
        ] {
            assert_eq!(screen(text, Some(20)), expected, "{text:?}");
            assert_eq!(screen(text, None), text);
        }
    }
}
