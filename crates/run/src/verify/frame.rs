//! What a file format puts around a text as its encoding:
//!
//! | format | around the text |
//! |---|---|
//! | a cell of a table | quotes, blanks, the apostrophe that marks it as text |
//! | GIFT | a leading `[plain]` |
//! | HTML | trailing tags of emphasis from between its words |
//!
//! A repair may change these along with the text, but not images and blocks.

use std::ops::Range;

use redraft_text::writing::Writing;

/// Inline tags that show nothing of their own.
const INLINE: &[&str] = &[
    "abbr", "b", "code", "em", "font", "i", "mark", "s", "small", "span", "strong", "sub", "sup",
    "tt", "u", "var",
];

/// The gap between two texts, without the frames of the text `before` and the text `after` it if
/// those may change.
pub(super) fn without(gap: &str, before: Option<Writing>, after: Option<Writing>) -> &str {
    let gap = match before {
        Some(Writing::Cell(delimiter)) => gap.trim_start_matches(of_cell(delimiter)),
        Some(Writing::QuotedCell) => gap.trim_start_matches(of_cell('\0')),
        Some(writing) if is_html(writing) => without_tags(gap),
        _ => gap,
    };
    match after {
        Some(Writing::Cell(delimiter)) => gap.trim_end_matches(of_cell(delimiter)),
        Some(Writing::QuotedCell) => gap.trim_end_matches(of_cell('\0')),
        Some(Writing::Gift) => {
            let gap = gap.trim_end();
            gap.strip_suffix("[plain]").unwrap_or(gap).trim_end()
        }
        _ => gap,
    }
}

/// The same as a range of a document's text.
#[must_use]
pub fn without_frames(
    text: &str,
    gap: Range<usize>,
    before: Option<Writing>,
    after: Option<Writing>,
) -> Range<usize> {
    let whole = text.get(gap.clone()).unwrap_or_default();
    let rest = without(whole, before, None);
    let start = gap.end - rest.len();
    start..start + without(rest, None, after).len()
}

fn of_cell(delimiter: char) -> impl Fn(char) -> bool {
    move |c| c != delimiter && matches!(c, '"' | '\'' | ' ' | '\u{a0}')
}

fn is_html(writing: Writing) -> bool {
    matches!(
        writing,
        Writing::GiftHtml
            | Writing::XmlHtml
            | Writing::XmlHtmlMixed
            | Writing::CdataHtml
            | Writing::Xhtml
    )
}

fn without_tags(mut text: &str) -> &str {
    'tags: loop {
        for (open, close) in [("<", ">"), ("&lt;", "&gt;")] {
            if let Some((tag, rest)) = text
                .strip_prefix(open)
                .and_then(|rest| rest.split_once(close))
            {
                let tag = tag.trim_start_matches('/');
                let end = tag.find(|c: char| !c.is_ascii_alphanumeric());
                let name = tag.get(..end.unwrap_or(tag.len())).unwrap_or_default();
                if INLINE.contains(&name.to_ascii_lowercase().as_str()) {
                    text = rest;
                    continue 'tags;
                }
            }
        }
        return text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_text_may_change_and_nothing_else() {
        let cell = Some(Writing::Cell(','));
        let quoted = Some(Writing::QuotedCell);
        let html = Some(Writing::XmlHtml);
        for (gap, before, after, expected) in [
            ("\", \"", quoted, cell, ","),
            (", '", None, cell, ","),
            ("\",\"", None, None, "\",\""),
            ("\",\"", quoted, None, ",\""),
            ("\n~[plain]", None, Some(Writing::Gift), "\n~"),
            (
                "&lt;/b&gt;&lt;/p&gt;</text>",
                html,
                None,
                "&lt;/p&gt;</text>",
            ),
            ("<sub></sub></p>", Some(Writing::Xhtml), None, "</p>"),
            ("<img src=\"a\"></p>", html, None, "<img src=\"a\"></p>"),
            ("<br></p>", html, None, "<br></p>"),
            ("\nB. ", Some(Writing::Line), Some(Writing::Line), "\nB. "),
        ] {
            assert_eq!(without(gap, before, after), expected, "{gap}");
        }
    }
}
