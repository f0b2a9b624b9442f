//! Replaces a whole component by new text. The heading and the surrounding blank lines stay, and
//! headings of the new text are moved below the component's level.
//!
//! | the new text begins with | then |
//! |---|---|
//! | the component's own title as a heading of any level | it is dropped, and deeper headings are shifted along |
//! | another heading at the component's level or above | the same |
//! | a deeper heading, or none | it stays |
//!
//! Headings at the component's level or above would start another component, so they are moved one
//! level below it.

use std::ops::Range;

use redraft_text::markdown::{self, BlockKind};

use super::matching::{in_line_breaks_of, unknown_field};
use super::reply::field_name;
use super::unwrap;
use super::{Complaint, ComplaintKind, Passage, Splice};
use redraft_gate::content::{ComponentKind, Document, TextRole};
use redraft_gate::span::ComponentId;

/// The splices that replace a component's passages by a whole text.
pub(super) fn splices(
    document: &Document,
    component: &ComponentId,
    passages: &[Passage<'_>],
    text: &str,
) -> Result<Vec<Splice>, Complaint> {
    let part = document
        .components()
        .iter()
        .find(|part| part.id == *component);
    let title = part.and_then(|part| part.title.as_deref());
    if let Some(at) = passages.iter().position(|passage| passage.name.is_empty()) {
        let frame = Frame {
            title,
            is_whole: part.is_none_or(|part| part.kind == ComponentKind::Whole),
            section_level: section_level(document),
        };
        // A section of a lesson is never JSON.
        if let Some(members) = unwrap::from_json(&[], text) {
            members?;
        }
        return Ok(vec![markdown_part(&passages[at], at, &frame, text)]);
    }
    fields(passages, title, text)
}

/// The parts of a Markdown component that stay.
struct Frame<'a> {
    title: Option<&'a str>,
    is_whole: bool,
    section_level: u8,
}

/// The heading level at which components of a Markdown document start.
fn section_level(document: &Document) -> u8 {
    document
        .texts()
        .iter()
        .filter(|field| field.path.is_empty())
        .flat_map(|field| {
            let base = field.map.source_span().start;
            field.markdown().headings().filter_map(move |(_, block)| {
                let begins = document.components().iter().any(|part| {
                    part.parent == Some(0) && part.range.start == base + block.span.start
                });
                match block.kind {
                    BlockKind::Heading { level, .. } if begins => Some(level),
                    _ => None,
                }
            })
        })
        .next()
        .unwrap_or(2)
}

fn markdown_part(passage: &Passage<'_>, at: usize, frame: &Frame<'_>, text: &str) -> Splice {
    let whole = passage.range.clone();
    let own = passage.field.markdown().headings().find_map(|(_, block)| {
        let before = passage.field.text.get(whole.start..block.span.start)?;
        match block.kind {
            BlockKind::Heading { level, .. }
                if !frame.is_whole && before.trim().is_empty() && block.span.end <= whole.end =>
            {
                Some((level, block.span.end))
            }
            _ => None,
        }
    });
    let level = own.map_or(frame.section_level, |(level, _)| level);
    let new = if frame.is_whole {
        text.trim_matches('\n').to_owned()
    } else {
        below(text, frame.title.filter(|_| own.is_some()), level)
    };
    let new = in_line_breaks_of(&passage.field.text, &new);
    let line_break = if passage.field.text.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let start = own.map_or(whole.start, |(_, end)| end);
    let rest = passage.field.text.get(start..whole.end).unwrap_or_default();
    let lead = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
    let body = rest.trim().len();
    if body == 0 {
        // A heading with nothing below it: the blank lines after it stay after it. An answer that
        // only repeats the heading changes nothing.
        let text = match own {
            _ if new.is_empty() => String::new(),
            Some(_) => line_break.repeat(2) + &new,
            None => new + line_break,
        };
        return Splice {
            passage: at,
            range: start..start,
            text,
            ..Splice::default()
        };
    }
    let end = start + rest.trim_end().len();
    Splice {
        passage: at,
        range: start + lead..end,
        text: new,
        ..Splice::default()
    }
}

/// Fits a new text into a component at this level: drops its own heading, and moves others below.
pub(crate) fn below(text: &str, title: Option<&str>, level: u8) -> String {
    let text = text.trim_matches('\n');
    let analysis = markdown::analyse(text);
    let headings: Vec<(u8, bool, Range<usize>, Range<usize>)> = analysis
        .headings()
        .filter_map(|(_, block)| match block.kind {
            BlockKind::Heading { level, setext, .. } => {
                Some((level, setext, block.span.clone(), block.content.clone()))
            }
            _ => None,
        })
        .collect();
    let mut start = 0;
    let mut shift = 0_i16;
    let mut rest = headings.as_slice();
    if let Some(((first, _, span, content), others)) = headings.split_first()
        && text
            .get(..span.start)
            .is_some_and(|before| before.trim().is_empty())
    {
        let named = text.get(content.clone()).unwrap_or_default();
        let same = title.is_some_and(|title| plain(title) == plain(named));
        if same || *first <= level {
            start = span.end;
            shift = i16::from(level) - i16::from(*first);
            rest = others;
        }
    }
    let highest = rest.iter().map(|(level, ..)| i16::from(*level)).min();
    if let Some(highest) = highest.filter(|highest| highest + shift <= i16::from(level)) {
        shift = i16::from(level) + 1 - highest;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = start;
    for (old, setext, span, content) in rest {
        let new = (i16::from(*old) + shift).clamp(i16::from(level) + 1, 6);
        let words = text.get(content.clone()).unwrap_or_default();
        // A heading over several lines, or one whose level does not change, stays.
        if (new == i16::from(*old) && !*setext) || words.contains('\n') {
            continue;
        }
        out.push_str(text.get(done..span.start).unwrap_or_default());
        out.push_str(&"#".repeat(usize::try_from(new).unwrap_or(6)));
        out.push(' ');
        out.push_str(words.trim());
        done = span.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out.trim_matches('\n').trim_end().to_owned()
}

/// Only letters and digits, for comparing titles.
fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The splices that replace fields of a JSON component.
fn fields(
    passages: &[Passage<'_>],
    title: Option<&str>,
    text: &str,
) -> Result<Vec<Splice>, Complaint> {
    if let Some(members) = unwrap::from_json(passages, text) {
        return Ok(spliced(passages, title, members?));
    }
    let mut named: Vec<(usize, String)> = Vec::new();
    let mut before = String::new();
    for line in text.split('\n') {
        let at = field_name(line)
            .and_then(|name| passages.iter().position(|passage| passage.name == name));
        match (at, named.last_mut()) {
            (Some(at), _) => named.push((at, String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {
                before.push_str(line);
                before.push('\n');
            }
        }
    }
    if named.is_empty() {
        if let Some(name) = text
            .lines()
            .find_map(field_name)
            .filter(|_| passages.len() > 1)
        {
            return Err(unknown_field(passages, name));
        }
        let bodies: Vec<usize> = (0..passages.len())
            .filter(|at| passages[*at].field.role == TextRole::Body)
            .collect();
        let only = match (bodies.as_slice(), passages.len()) {
            ([only], _) => *only,
            (_, 1) => 0,
            _ => {
                let names: Vec<&str> = passages.iter().map(|passage| passage.name).collect();
                return Err(Complaint::new(
                    ComplaintKind::UnknownField,
                    format!(
                        "this part has several fields; write a line `field: NAME` before the text of each: {}",
                        names.join(", ")
                    ),
                ));
            }
        };
        named.push((only, before));
    }
    let mut taken: Vec<usize> = named.iter().map(|(at, _)| *at).collect();
    taken.sort_unstable();
    if let Some(pair) = taken.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Complaint::new(
            ComplaintKind::Ambiguous,
            format!("the field {} is given twice", passages[pair[0]].name),
        ));
    }
    Ok(spliced(passages, title, named))
}

fn spliced(
    passages: &[Passage<'_>],
    title: Option<&str>,
    texts: Vec<(usize, String)>,
) -> Vec<Splice> {
    texts
        .into_iter()
        .filter_map(|(at, text)| Some(field_splice(passages.get(at)?, at, title, &text)))
        .collect()
}

/// Keeps the white space at both ends of the field.
fn field_splice(passage: &Passage<'_>, at: usize, title: Option<&str>, text: &str) -> Splice {
    let text = unwrap::bare(text.trim_matches('\n'), passage);
    let new = if passage.field.role == TextRole::Body {
        without_title(text, title)
    } else {
        text
    };
    let old = passage.text;
    let lead = old.len() - old.trim_start().len();
    let end = old.trim_end().len().max(lead);
    Splice {
        passage: at,
        range: passage.range.start + lead..passage.range.start + end,
        text: in_line_breaks_of(old, new.trim_end()),
        ..Splice::default()
    }
}

/// Drops a title from the text if the title has its own field.
fn without_title<'t>(text: &'t str, title: Option<&str>) -> &'t str {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_title = first.starts_with('#')
        && title.is_some_and(|title| plain(title) == plain(first))
        && !rest.trim().is_empty();
    if is_title {
        rest.trim_start_matches('\n')
    } else {
        text
    }
}
