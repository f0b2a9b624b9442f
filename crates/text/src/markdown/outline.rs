//! The division of a text by its top-level headings, byte for byte: nothing is
//! lost between the parts. Knows nothing of what a section is for.

use super::block::BlockKind;
use super::line_edges::{line_start, next_line};
use super::view::Markdown;
use std::ops::Range;

/// A heading and what it governs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// 1 to 6.
    pub level: u8,
    /// The heading's text without markup.
    pub title: String,
    /// The heading's lines, indentation and last line break included.
    pub heading: Range<usize>,
    /// From the end of the heading to the next heading of any level.
    pub body: Range<usize>,
    /// The heading, its body, and all deeper headings that follow.
    pub extent: Range<usize>,
    /// Index of the heading in `Markdown::blocks`.
    pub block: usize,
}

/// The outline over the top-level headings. The preamble and the extents of
/// siblings, or the preamble and every heading with its body, make up the text.
pub fn outline(md: &Markdown, text: &str) -> Vec<OutlineEntry> {
    let mut entries: Vec<OutlineEntry> = Vec::new();
    // Entries whose extent is still open, levels ascending.
    let mut open: Vec<usize> = Vec::new();
    for (block, heading) in md.headings() {
        let BlockKind::Heading {
            level, text: title, ..
        } = &heading.kind
        else {
            continue;
        };
        let start = line_start(text, heading.span.start);
        let body = next_line(text, heading.span.end);
        if let Some(last) = entries.last_mut() {
            last.body.end = start;
        }
        while let Some(&deeper) = open.last()
            && entries[deeper].level >= *level
        {
            entries[deeper].extent.end = start;
            open.pop();
        }
        open.push(entries.len());
        entries.push(OutlineEntry {
            level: *level,
            title: title.clone(),
            heading: start..body,
            body: body..text.len(),
            extent: start..text.len(),
            block,
        });
    }
    entries
}

/// Everything before the first top-level heading: a byte order mark, front
/// matter, opening prose; all of the text if there is no heading.
pub fn preamble(md: &Markdown, text: &str) -> Range<usize> {
    let end = md
        .headings()
        .next()
        .map_or(text.len(), |(_, block)| line_start(text, block.span.start));
    0..end
}

#[cfg(test)]
mod tests {
    use super::super::analyse;
    use super::*;

    #[test]
    fn extents_end_at_the_next_heading_of_the_same_or_higher_level() {
        // Each row: level, heading lines, body, extent.
        type Row<'a> = (u8, &'a str, &'a str, &'a str);
        let rows: &[(&str, &str, &[Row<'_>])] = &[
            ("no headings\n", "no headings\n", &[]),
            ("", "", &[]),
            (
                "p\n\n# A\na\n  ## B\nb\n# C",
                "p\n\n",
                &[
                    (1, "# A\n", "a\n", "# A\na\n  ## B\nb\n"),
                    (2, "  ## B\n", "b\n", "  ## B\nb\n"),
                    (1, "# C", "", "# C"),
                ],
            ),
            (
                "### A\r\n\r\n# B\r\nb",
                "",
                &[
                    (3, "### A\r\n", "\r\n", "### A\r\n\r\n"),
                    (1, "# B\r\n", "b", "# B\r\nb"),
                ],
            ),
            ("A\n===\na\n", "", &[(1, "A\n===\n", "a\n", "A\n===\na\n")]),
            ("\u{feff}# A\ra", "\u{feff}", &[(1, "# A\r", "a", "# A\ra")]),
            (
                "# 一\n> # q\n\n- # i\n\n```\n# f\n```\n",
                "",
                &[(
                    1,
                    "# 一\n",
                    "> # q\n\n- # i\n\n```\n# f\n```\n",
                    "# 一\n> # q\n\n- # i\n\n```\n# f\n```\n",
                )],
            ),
            (
                "---\na: b\n---\n# A\n",
                "---\na: b\n---\n",
                &[(1, "# A\n", "", "# A\n")],
            ),
        ];
        for (text, before, expected) in rows {
            let md = analyse(text);
            assert_eq!(&text[preamble(&md, text)], *before, "{text:?}");
            let entries = outline(&md, text);
            let found: Vec<Row<'_>> = entries
                .iter()
                .map(|e| {
                    let cut = |range: &Range<usize>| &text[range.clone()];
                    (e.level, cut(&e.heading), cut(&e.body), cut(&e.extent))
                })
                .collect();
            assert_eq!(found, *expected, "{text:?}");
        }
    }
}
