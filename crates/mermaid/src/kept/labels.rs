//! Labels of flowcharts: which of them can be read in two ways, and what they say
//! without quotes, brackets and codes.

use super::super::flow_scan::{Label, link_length};
use super::is_balanced;

/// A label that may end elsewhere is ambiguous.
pub(super) fn check(text: &str, label: &Label) -> Option<()> {
    let inner = text[label.inner.clone()].trim();
    let is_quoted = inner.len() > 1 && inner.starts_with('"') && inner.ends_with('"');
    let has_link = inner.char_indices().any(|(at, c)| {
        let length = link_length(&inner[at..])
            .filter(|_| is_stroke(c))
            .unwrap_or(0);
        // `a == b` is no link.
        let link = &inner[at..at + length];
        link.contains(['>', '→', '⟶', '⇒', '➔', '—', '–']) || link.contains("--")
    });
    let opener = &text[label.open.clone()];
    let inside = inner.trim_matches('"');
    let is_ambiguous = match &label.close {
        // Text may be missing at the end of a line, or the other sign of a shape.
        None => {
            opener.len() > 1
                || opener == ">"
                || inner.is_empty()
                || inner.ends_with(['(', '[', '{'])
                || inside.contains('"')
                || ends_line(text, label.inner.end)
        }
        Some(_) if is_quoted => {
            inner.starts_with("\"\"")
                || inner.ends_with("\"\"")
                || (inside.contains('"') && (has_link || reopens(inside)))
        }
        Some(_) => {
            is_wrapped(inner)
                || (inner.starts_with(['/', '\\']) && inner.contains([' ', '\t']))
                || (inner.starts_with('"') && inside.contains('"'))
                || inner.contains("label :")
                || inner.contains("shape:")
        }
    };
    // `A[text)` has the wrong bracket.
    let plain = inner
        .strip_suffix([')', ']', '}'])
        .filter(|_| label.close.is_none() && !is_balanced(inner))
        .unwrap_or(inner);
    let is_whole = is_quoted || is_balanced(plain);
    let hides_link = has_link && !is_quoted;
    (!hides_link && !inner.contains('\n') && !is_ambiguous && is_whole).then_some(())
}

fn ends_line(text: &str, at: usize) -> bool {
    let rest = text[at..].lines().next().unwrap_or_default();
    rest.trim_matches([' ', '\t', ';']).is_empty() && !text[..at].ends_with([')', ']', '}'])
}

/// `a"]  B["c`: two labels without an arrow between them.
fn reopens(label: &str) -> bool {
    ["\"]", "\")", "\"}"].iter().any(|close| {
        label.find(close).is_some_and(|at| {
            ["[\"", "(\"", "{\""]
                .iter()
                .any(|open| label[at + 2..].contains(open))
        })
    })
}

/// `(text)`: the brackets may be those of a shape.
fn is_wrapped(inner: &str) -> bool {
    inner.starts_with(['(', '[', '{']) && inner.ends_with([')', ']', '}'])
}

fn is_stroke(c: char) -> bool {
    matches!(c, '-' | '=' | '<' | '→' | '⟶' | '⇒' | '➔' | '—' | '–' | '~')
}

/// A title: its name, if it has one besides, is repeated in the repair.
pub(super) fn words_of(title: &str) -> String {
    let shown = shown(title);
    let mut words: Vec<&str> = shown.split_whitespace().collect();
    if words.len() > 1 && words.first() == words.get(1) {
        words.remove(0);
    }
    words.join(" ")
}

/// A label without quotes, brackets and codes.
pub(super) fn shown(label: &str) -> String {
    let plain = label
        .replace("#quot;", "")
        .replace("&quot;", "")
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    let letters: String = plain
        .chars()
        .filter(|c| {
            !matches!(
                c,
                '"' | '\\' | '“' | '”' | '„' | '«' | '»' | '[' | ']' | '(' | ')' | '{' | '}'
            )
        })
        .collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}
