//! Finds metadata at the very start of a text. The parser would take any `---`
//! line followed by text for metadata, anywhere, so it does not handle metadata
//! and sees only what comes after.

use memchr::memchr2;
use std::ops::Range;

/// The front matter from its opening line to the end of its closing line
/// (without the line break), looked for at `start` only.
///
/// | opening | closing | between |
/// |---|---|---|
/// | `---` | `---` or `...` | no blank line first; the first line that is not a comment has the form `key:`; or nothing |
/// | `+++` | `+++` | the same with `key =` or `[table]` |
///
/// The condition on what is between keeps a lesson that opens with a rule from
/// losing its first section.
pub(super) fn find_front_matter(text: &str, start: usize) -> Option<Range<usize>> {
    let mut lines = Lines { text, at: start };
    let (_, opening) = lines.next()?;
    let style = match opening.trim_end() {
        "---" => Style::Yaml,
        "+++" => Style::Toml,
        _ => return None,
    };
    let mut decided = false;
    for (index, (line_start, line)) in lines.enumerate() {
        let trimmed = line.trim_end();
        if style.closes(trimmed) {
            return Some(start..line_start + trimmed.len());
        }
        if decided {
            continue;
        }
        if trimmed.is_empty() && index == 0 {
            return None;
        }
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        if !style.is_entry(trimmed) {
            return None;
        }
        decided = true;
    }
    None
}

enum Style {
    Yaml,
    Toml,
}

impl Style {
    fn closes(&self, line: &str) -> bool {
        match self {
            Self::Yaml => line == "---" || line == "...",
            Self::Toml => line == "+++",
        }
    }

    fn is_entry(&self, line: &str) -> bool {
        match self {
            Self::Yaml => line.split_once(':').is_some_and(|(key, value)| {
                is_key(key) && (value.is_empty() || value.starts_with([' ', '\t']))
            }),
            Self::Toml => {
                line.starts_with('[') || line.split_once('=').is_some_and(|(key, _)| is_key(key))
            }
        }
    }
}

/// Keys may hold spaces and any letters, quoted or not, but no Markdown markers
/// at the start.
fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\''))
}

/// Lines without their breaks, each with its offset; a lone `\r` ends a line too.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let length = memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let (line, after) = rest.split_at(length);
        self.at += length
            + if after.starts_with("\r\n") {
                2
            } else {
                usize::from(!after.is_empty())
            };
        Some((start, line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_metadata_at_the_start_is_front_matter() {
        for (text, expected) in [
            ("---\ntitle: x\n---\n# a", Some("---\ntitle: x\n---")),
            ("---\r\ntitle: x\r\n---\r\n", Some("---\r\ntitle: x\r\n---")),
            ("---\rtitle: x\r---\ra", Some("---\rtitle: x\r---")),
            (
                "---\n# c\n\n\"a b\":\n  - y\n\n...\nz",
                Some("---\n# c\n\n\"a b\":\n  - y\n\n..."),
            ),
            ("---\nназвание: x\n---", Some("---\nназвание: x\n---")),
            ("---  \n---\nx", Some("---  \n---")),
            ("+++\ntitle = 'x'\n+++\n", Some("+++\ntitle = 'x'\n+++")),
            ("+++\n[a]\nb = 1\n+++\n", Some("+++\n[a]\nb = 1\n+++")),
            ("---\n\ntext: y\n\n---\n", None),
            ("---\n## Part\n\ntext\n\n---\n", None),
            ("---\nJust prose.\n\n---\n", None),
            ("---\n* **Note:** x\n---\n", None),
            ("---\ntitle: x\n", None),
            ("----\ntitle: x\n----\n", None),
            (" ---\ntitle: x\n---\n", None),
            ("a\n---\ntitle: x\n---\n", None),
            ("---", None),
            ("", None),
        ] {
            let found = find_front_matter(text, 0).map(|range| &text[range]);
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
