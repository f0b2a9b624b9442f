//! A frame that opens right before the title, after a few words or a label, and closes behind
//! most of the text: a fence, quotation marks as in a program, a tag that no page has. What
//! `redraft_gate` can set aside it has set aside before; this is what is left.
//!
//! | right before `# Title` | behind it | then |
//! |---|---|---|
//! | a fence, or two inside each other | the same fence, and few words | a frame |
//! | `"""`, `'''`, a quotation mark | the other half of it | a frame |
//! | `<answer>`, `<lesson>` | its closing tag | a frame |
//! | any, after a heading of more than a few words | | part of the text |

use std::ops::Range;

use redraft_text::wrappers;

/// Bytes of a text in which its title is to be expected.
const FRONT: usize = 600;

/// The line that opens the frame.
pub(super) fn frame(text: &str) -> Option<(Range<usize>, &'static str)> {
    const MESSAGE: &str =
        "the lesson stands in a frame with other words around it; keep the lesson alone";
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if start > FRONT || is_title(line) && !is_label(line) {
            return None;
        }
        let Some((length, close)) = opener(line) else {
            continue;
        };
        let body = start + length;
        if closes_most(text, body, &close) {
            return Some((start..start + line.trim_end().len(), MESSAGE));
        }
    }
    None
}

/// What opens a frame at the start of a line: its length, and what closes it.
fn opener(line: &str) -> Option<(usize, String)> {
    const QUOTES: [(&str, &str); 6] =
        [("\"\"\"", "\"\"\""), ("'''", "'''"), ("\"", "\""), ("“", "”"), ("«", "»"), ("`", "`")];
    let unseen = line.len() - line.trim_start_matches(['\u{feff}', '\u{200b}', ' ']).len();
    let bare = line[unseen..].trim_end();
    if let Some(fence) = wrappers::fence_line(bare) {
        let mark: String = std::iter::repeat_n(fence.sign, fence.length).collect();
        return holds_text(&fence).then(|| (line.len(), format!("\n{mark}")));
    }
    let (length, close) = match wrappers::opening_tag(bare) {
        Some((length, name)) if !name.contains('-') => (length, format!("</{name}>")),
        _ => {
            let (open, close) = QUOTES.iter().find(|(open, _)| bare.starts_with(open))?;
            (open.len(), (*close).to_owned())
        }
    };
    let rest = bare[length..].trim_start();
    (rest.is_empty() || rest.starts_with("# ")).then(|| (unseen + length, close))
}

fn holds_text(fence: &wrappers::FenceLine<'_>) -> bool {
    let language = fence.language();
    fence.holds_markdown()
        || matches!(language.as_str(), "" | "text" | "txt" | "plaintext" | "json" | "lesson" | "answer")
}

/// Whether a lesson begins in a frame, and the frame holds most of the text.
fn closes_most(text: &str, body: usize, close: &str) -> bool {
    const MOST_WORDS_AFTER: usize = 80;
    let mut begin = body;
    while let Some(line) = text[begin..].split_inclusive('\n').next() {
        let is_passed = line.trim().is_empty() || wrappers::fence_line(line).is_some();
        if !is_passed {
            break;
        }
        begin += line.len();
    }
    let inner = text[begin..].trim_start_matches(' ');
    let mut lines = inner.lines();
    let has_title = lines.next().is_some_and(is_title)
        && lines.next().is_none_or(|line| line.trim().is_empty());
    let Some(end) = inner.rfind(close).filter(|_| has_title) else {
        return false;
    };
    let after = &inner[end + close.len()..];
    let is_rest = after.split_whitespace().count() <= MOST_WORDS_AFTER;
    let has_sentence = inner[..end].lines().skip(1).any(is_sentence);
    has_sentence && is_rest && end * 10 >= text.trim().len() * 6
}

/// A line of prose, as no program has it: it ends as a sentence does.
fn is_sentence(line: &str) -> bool {
    const FEWEST_WORDS: usize = 6;
    const FEWEST_WIDE: usize = 12;
    let line = line.trim();
    let is_wide = line.chars().filter(|c| ('\u{2e80}'..='\u{9fff}').contains(c)).count() >= FEWEST_WIDE;
    line.starts_with(char::is_alphabetic)
        && line.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।'])
        && (is_wide || line.split_whitespace().nth(FEWEST_WORDS - 1).is_some())
}

fn is_title(line: &str) -> bool {
    let words = line.trim_start_matches('#');
    words.len() < line.len() && words.starts_with(' ') && line.len() - words.len() <= 2
}

/// A heading that names what follows: `# Answer`, `### Response:`.
fn is_label(line: &str) -> bool {
    const MOST_WORDS: usize = 2;
    line.trim_start_matches('#').split_whitespace().count() <= MOST_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_opens_before_the_title_and_closes_behind_the_text() {
        let lesson = "# The sea at night\n\nThe water glows where small living things are moved.\n\n## Where\n\nLook for it in warm bays in August.";
        for (before, after, is_framed) in [
            ("Output:\n````\n```markdown\n", "\n```\n````\n", true),
            ("Voici la leçon :\n\n```\n", "\n```\n\n### Notes\n\nAll is well.", true),
            ("### Response:\n\"\"\"\n", "\n\"\"\"", true),
            ("JSON:\n'''", "'''\n\nDone.", true),
            ("\u{feff}'''", "'''", true),
            ("### Response:\n<final_answer>", "</final_answer>", true),
            ("<response>\n", "\n</response>\n\n### Notes\n\nAll is well.", true),
            ("", "", false),
            ("# How to write a lesson\n\nCopy this:\n\n```\n", "\n```\n", false),
            ("<center>\n", "\n</center>", false),
            ("“Look!” she said.\n\n", "", false),
            ("```python\n", "\n```\n", false),
        ] {
            let text = format!("{before}{lesson}{after}");
            assert_eq!(frame(&text).is_some(), is_framed, "{text}");
        }
        let script = "Run this:\n\n```\n# Install the tool\n\napt install -y curl git make\n```\n";
        assert_eq!(frame(script), None);
    }
}
