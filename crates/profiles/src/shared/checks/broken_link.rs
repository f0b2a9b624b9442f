//! `broken-link`: links that Markdown does not understand, or that lead nowhere.
//!
//! No address is opened: this check only reads.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Phase, Sink};
use redraft_gate::content::{TextField, TextRole};
use redraft_gate::edit::Edit;
use redraft_gate::finding::{Fix, Severity};
use redraft_text::light_regex::not_in;
use redraft_text::markdown::{Link, LinkKind};
use regex::bytes::{Captures, Regex};

use crate::check_list::DEFAULTS;
use crate::shared::prose::prose_blocks;

pub(super) static CHECK: Check = Check {
    code: "TXT008",
    name: "broken-link",
    severity: Severity::Warning,
    mends: Mends::WhereCertain,
    phase: Phase::Hygiene,
    concern: Concern::Hygiene,
    summary: "a link that Markdown does not recognise or that has no target",
    what: "Reports links without an address, with a placeholder for one (`(#)`, `(url)`), with a space in the address or without the closing parenthesis, undefined references and footnotes, and links with round and square brackets swapped, which `--fix` corrects. No address is opened, so a well-formed link to a page that does not exist is not reported. Template tags (`{{ … }}`) are left alone.",
    why: "The learner sees brackets and addresses in the middle of a sentence, or clicks and nothing happens.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nRead (about steam)[https://example.org/steam], and [about ice]().\n",
        passes: "# Water\n\nRead [about steam](https://example.org/steam). In code, `a[0](x)` is a call.\n",
        fixed: Some(
            "# Water\n\nRead [about steam](https://example.org/steam), and [about ice]().\n",
        ),
    }],
    run,
    ..DEFAULTS
};

// Hundreds of characters as bytes: as characters each of them has many states, and a
// pattern takes longer to compile than a lesson takes to be checked.
static EXCHANGED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = not_in(r"()\[\]\n");
    pattern(&format!(r"\(({words}{{1,120}})\)\[(https?://[^\[\]\s()]+)\]"))
});
static SPACED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = not_in(r"\[\]\n");
    pattern(&format!(r"\[({words}{{1,120}})\] +\((https?://[^()\s]+)\)"))
});
static UNREADABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (words, address) = (not_in(r"\[\]\n"), not_in(r"()\n"));
    pattern(&format!(
        r"\[({words}{{1,200}})\]\(((?:https?://|www\.|mailto:|\.{{0,2}}/){address}*)(\)?)"
    ))
});
static UNDEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (words, label) = (not_in(r"\[\]\n^"), not_in(r"\[\]\n"));
    pattern(&format!(r"\[({words}{{2,200}})\]\[({label}{{0,200}})\]"))
});
static FOOTNOTE: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"\[\^([^\[\]\s]{1,60})\]"));

fn pattern(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()
}

/// What a group of a pattern found.
fn group<'t>(found: &Captures<'t>, number: usize) -> &'t str {
    let bytes = found.get(number).map(|group| group.as_bytes());
    std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

/// Addresses that were to be replaced.
const PLACEHOLDERS: &[&str] = &[
    "#",
    "url",
    "link",
    "todo",
    "tbd",
    "insert-link",
    "insert_link",
    "your-link-here",
    "link-here",
    "url-here",
    "insert-url",
    "ссылка",
    "enlace",
    "lien",
];

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for field in examination
        .document
        .texts()
        .iter()
        .filter(|field| field.role != TextRole::Code)
    {
        if !field.text.contains(']') {
            continue;
        }
        destinations(sink, field);
        for (_, block) in prose_blocks(field) {
            let text = &field.text[block.content.clone()];
            if text.contains(']') {
                Block {
                    examination,
                    field,
                    text,
                    offset: block.content.start,
                }
                .look(sink);
            }
        }
    }
}

/// Links that Markdown understands and that lead nowhere.
fn destinations(sink: &mut Sink<'_>, field: &TextField) {
    for link in &field.markdown().links {
        if link.kind != LinkKind::Inline {
            continue;
        }
        let destination = link.destination.trim().to_lowercase();
        let what = if link.image { "image" } else { "link" };
        if destination.is_empty() {
            sink.in_text(
                field,
                link.span.clone(),
                format!("this {what} has no address"),
            );
        } else if PLACEHOLDERS.contains(&destination.as_str()) && !leads_to_the_top(field, link) {
            sink.in_text(
                field,
                link.span.clone(),
                format!("the address of this {what} is a placeholder: “{destination}”"),
            );
        }
    }
}

/// `[Back to top](#)` is what that address means.
fn leads_to_the_top(field: &TextField, link: &Link) -> bool {
    const TOP: &[&str] = &[
        "top",
        "up",
        "↑",
        "⬆",
        "🔝",
        "▲",
        "наверх",
        "вверх",
        "началу",
        "oben",
        "anfang",
        "arriba",
        "inicio",
        "haut",
        "début",
        "topo",
        "início",
        "顶部",
        "返回",
    ];
    let text = field
        .text
        .get(link.text.clone())
        .unwrap_or_default()
        .to_lowercase();
    link.destination.trim() == "#" && TOP.iter().any(|word| text.contains(word))
}

/// A block of prose that is searched for what Markdown did not understand.
struct Block<'a> {
    examination: &'a Examination<'a>,
    field: &'a TextField,
    text: &'a str,
    offset: usize,
}

impl Block<'_> {
    fn look(&self, sink: &mut Sink<'_>) {
        if self.text.contains(")[") {
            for (range, found) in self.literal(&EXCHANGED) {
                let edit = self.as_link(&range, &found);
                sink.in_text(
                    self.field,
                    range,
                    "round and square brackets are swapped in this link; write `[text](address)`",
                )
                .fix(Fix::safe(vec![edit]));
            }
        }
        if self.text.contains("] ") && self.text.contains(" (http") {
            for (range, found) in self.literal(&SPACED) {
                // "[1] (https://…)" is a numbered note.
                if group(&found, 1).chars().any(char::is_alphabetic) {
                    let edit = self.as_link(&range, &found);
                    sink.in_text(
                        self.field,
                        range,
                        "the space between `]` and `(` breaks this link; delete it",
                    )
                    .fix(Fix::proposed(vec![edit]));
                }
            }
        }
        if self.has_outside_links("](") {
            for (range, found) in self.literal(&UNREADABLE) {
                let message = if group(&found, 3).is_empty() {
                    "this link has no closing parenthesis; add `)`"
                } else {
                    "the address of this link is not valid Markdown; remove spaces from it"
                };
                if !group(&found, 2).contains("{{") && !group(&found, 2).contains("{%") {
                    sink.in_text(self.field, range, message);
                }
            }
        }
        if self.may_have_reference() {
            self.undefined_references(sink);
        }
        if self.may_have_footnote() {
            let has_notes = self.has_footnotes();
            for (range, found) in self.literal(&FOOTNOTE) {
                // `[^abc]` and `[^0-9]` are classes of characters in a pattern.
                let is_number = group(&found, 1).bytes().all(|byte| byte.is_ascii_digit());
                let is_name =
                    group(&found, 1).chars().all(|c| c.is_alphanumeric() || c == '_') && has_notes;
                let goes_on = self.field.text[range.end..].starts_with(['+', '*', '?', '{']);
                if !(is_number || is_name) || goes_on {
                    continue;
                }
                sink.in_text(
                    self.field,
                    range,
                    format!("footnote “{}” is not defined", group(&found, 1)),
                );
            }
        }
    }

    /// Whether a sign stands where Markdown saw no link: most lessons need none of the
    /// patterns, which take longer to compile than a lesson takes to be read.
    fn has_outside_links(&self, sign: &str) -> bool {
        let links = &self.field.markdown().links;
        self.text.match_indices(sign).any(|(at, _)| {
            let at = self.offset + at;
            let next = links.partition_point(|link| link.span.end <= at);
            let link = links.get(next).filter(|link| link.kind != LinkKind::Bare);
            link.is_none_or(|link| link.span.start > at)
        })
    }

    /// Whether `][` stands where [`UNDEFINED`] could match and `literal` would keep it.
    fn may_have_reference(&self) -> bool {
        /// Of the text in the first brackets, in bytes.
        const LONGEST: usize = 4 * 200;
        self.text.match_indices("][").any(|(at, _)| {
            let before = self.text.floor_char_boundary(at.saturating_sub(LONGEST + 1));
            let before = self.text.get(before..at).unwrap_or_default();
            let opened = before.rfind('[').map(|open| at - (before.len() - open));
            opened.is_some_and(|open| self.is_literal(&(self.offset + open..self.offset + at + 2)))
        })
    }

    /// The same for `[^` and [`FOOTNOTE`].
    fn may_have_footnote(&self) -> bool {
        self.text.match_indices("[^").any(|(at, _)| {
            let at = self.offset + at;
            self.is_literal(&(at..at + 2))
        })
    }

    fn has_footnotes(&self) -> bool {
        !self.field.markdown().footnotes.is_empty()
    }

    /// The text and the address that were found, written as a link.
    fn as_link(&self, range: &Range<usize>, found: &Captures<'_>) -> Edit {
        let link = format!("[{}]({})", group(found, 1), group(found, 2));
        let document = self.examination.document;
        document.edit(self.field, range.clone(), &link)
    }

    fn undefined_references(&self, sink: &mut Sink<'_>) {
        for (range, found) in self.literal(&UNDEFINED) {
            // `row[i][j]`, `[a][b][c]`: an index, not a link.
            let before = self.field.text[..range.start].chars().next_back();
            let after = self.field.text[range.end..].chars().next();
            let is_index = before
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, ']' | ')' | '_'))
                || after.is_some_and(|c| matches!(c, '[' | '('));
            if is_index || !group(&found, 1).chars().any(char::is_alphabetic) {
                continue;
            }
            let label = if group(&found, 2).is_empty() {
                group(&found, 1)
            } else {
                group(&found, 2)
            };
            sink.in_text(
                self.field,
                range,
                format!("link reference “{label}” is not defined"),
            );
        }
    }

    /// Matches in prose outside recognised links.
    fn literal<'b>(
        &'b self,
        pattern: &'static LazyLock<Option<Regex>>,
    ) -> impl Iterator<Item = (Range<usize>, Captures<'b>)> {
        pattern
            .iter()
            .flat_map(|pattern| pattern.captures_iter(self.text.as_bytes()))
            .filter_map(|found| {
                let whole = found.get(0)?;
                Some((
                    self.offset + whole.start()..self.offset + whole.end(),
                    found,
                ))
            })
            .filter(|(range, _)| self.is_literal(range))
    }

    /// Whether a range of the field is prose outside recognised links and footnotes.
    fn is_literal(&self, range: &Range<usize>) -> bool {
        let analysis = self.field.markdown();
        let links = &analysis.links;
        let next = links.partition_point(|link| link.span.end <= range.start);
        let is_link = links
            .get(next)
            .is_some_and(|link| link.kind != LinkKind::Bare && link.span.start < range.end);
        let footnotes = &analysis.footnotes;
        let next = footnotes.partition_point(|note| note.span.end <= range.start);
        let is_footnote = footnotes
            .get(next)
            .is_some_and(|note| note.span.start < range.end);
        !is_link && !is_footnote && !analysis.is_verbatim(range.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_a_pattern() {
        for pattern in [&EXCHANGED, &SPACED, &UNREADABLE, &UNDEFINED, &FOOTNOTE] {
            assert!(pattern.is_some());
        }
    }
}
