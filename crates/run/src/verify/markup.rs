//! Checks the markup that a repair adds. A list of dangerous markup can never be complete, so this
//! is a list of plain markup; everything else must have been in the text before, word for word
//! (rulings 56 and 65).
//!
//! | added | allowed |
//! |---|---|
//! | a listed tag with listed attributes, linking to pages | yes |
//! | any other tag, or a listed one with `style`, `class`, `id` … | no |
//! | a comment, a declaration, a processing instruction | no |
//! | an attribute list of Markdown (`{: …}`, `{style=…}`) | no |
//! | a command of mathematics that links, styles or loads | no |
//! | a link or picture on a host that neither the text nor its companions mention | if the task is about links or pictures |

use std::ops::Range;

use redraft_text::html_tags::{Tag, tag_at};
use redraft_text::mathematics::mathematics;

use super::facts::shown;
use super::{Objection, ObjectionKind, Permitted};
use crate::repair::{self, Passage};
use redraft_gate::companion::Companions;
use redraft_gate::content::{Document, TextRole};
use redraft_gate::span::ComponentId;

/// Elements of HTML and MathML that only format text.
const PLAIN: &[&str] = &[
    "a",
    "abbr",
    "b",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var",
    "wbr",
    "math",
    "mfrac",
    "mi",
    "mn",
    "mo",
    "mover",
    "mroot",
    "mrow",
    "msqrt",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];
const PLAIN_ATTRIBUTES: &[&str] = &[
    "align", "alt", "cite", "colspan", "datetime", "display", "height", "href", "lang", "open",
    "reversed", "rowspan", "scope", "src", "start", "title", "valign", "width", "xmlns",
];
/// Elements whose whole content belongs to their tag.
const RAW: &[&str] = &[
    "canvas", "iframe", "math", "noembed", "noframes", "noscript", "object", "script", "style",
    "svg", "template", "textarea", "title", "xmp",
];
/// LaTeX commands that do more than typeset.
const COMMANDS: &[&str] = &[
    r"\href",
    r"\url",
    r"\style",
    r"\class",
    r"\cssId",
    r"\data",
    r"\html",
    r"\require",
    r"\includegraphics",
    r"\input",
    r"\include",
    r"\write",
    r"\def",
    r"\newcommand",
    r"\let",
    r"\toggle",
    r"\mmlToken",
    r"\texttip",
    r"\enclose",
];

/// The markup that a repair added and that is more than plain.
#[must_use]
pub fn markup(
    (before, after): (&Document, &Document),
    component: &ComponentId,
    task: &Permitted<'_>,
    companions: &Companions,
) -> Vec<Objection> {
    let is_known = |piece: &str| {
        let mut texts = before.texts().iter();
        texts.any(|field| field.text.contains(piece))
    };
    let mut objections = Vec::new();
    for passage in repair::passages(after, component) {
        if passage.field.role == TextRole::Code || is_known(passage.text) {
            continue;
        }
        let pieces = tags(&passage)
            .into_iter()
            .chain(attribute_lists(&passage))
            .chain(commands(&passage));
        for piece in pieces.filter(|piece| !is_known(piece)) {
            objections.push(Objection::new(
                ObjectionKind::Wrapped,
                format!(
                    "{} is more than plain text; write Markdown without it",
                    shown(piece)
                ),
            ));
        }
        if !task.may_touch_links {
            foreign_links(&passage, before, companions, &mut objections);
        }
    }
    objections.dedup();
    objections.truncate(5);
    objections
}

/// Whether an offset in a passage's field is inside code.
fn is_code(passage: &Passage<'_>, at: usize) -> bool {
    let code = &passage.field.markdown().code;
    let next = code.partition_point(|range| range.end <= at);
    code.get(next).is_some_and(|range| range.start <= at)
}

/// Tags, comments and declarations that are more than plain.
fn tags<'a>(passage: &Passage<'a>) -> Vec<&'a str> {
    let text: &str = &passage.field.text;
    let mut found = Vec::new();
    let mut from = passage.range.start;
    while let Some(at) = text
        .get(from..passage.range.end)
        .and_then(|rest| rest.find('<'))
        .map(|offset| from + offset)
    {
        from = at + 1;
        if is_code(passage, at) || is_escaped(text, at) {
            continue;
        }
        let Some(piece) = piece_at(text, at) else {
            continue;
        };
        if let Some(piece) = text.get(piece) {
            from = at + piece.len();
            found.push(piece);
        }
    }
    found
}

/// The markup that begins at a `<`, if it is more than plain.
fn piece_at(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let until = |end: &str| {
        rest.find(end)
            .map_or(text.len(), |found| at + found + end.len())
    };
    if rest.starts_with("<!--") {
        return Some(at..until("-->"));
    }
    let mut signs = rest.chars().skip(1);
    match (signs.next()?, signs.next()) {
        ('!', Some(c)) if c.is_ascii_alphabetic() || c == '[' => return Some(at..until(">")),
        ('?', Some(c)) if c.is_ascii_alphabetic() || c == '=' => return Some(at..until(">")),
        ('/', Some(c)) if c.is_ascii_alphabetic() => {
            let name = rest.get(2..)?;
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?;
            let is_closed = name.get(end..)?.trim_start().starts_with('>');
            let is_plain = PLAIN.contains(&name.get(..end)?.to_ascii_lowercase().as_str());
            return (is_closed && !is_plain).then(|| at..until(">"));
        }
        _ => {}
    }
    let tag = tag_at(text, at)?;
    // Without an end it is a less-than sign, or a matter for `active-content`.
    if !text.get(tag.range.clone())?.ends_with('>') || is_address(rest) || is_plain(&tag) {
        return None;
    }
    if RAW.contains(&tag.name.as_str()) {
        let behind = text.get(tag.range.end..)?;
        let closing = format!("</{}", tag.name);
        let end = behind.to_ascii_lowercase().find(&closing);
        let end = end.map_or(text.len(), |end| tag.range.end + end);
        return Some(at..end);
    }
    Some(tag.range)
}

fn is_plain(tag: &Tag) -> bool {
    let mut attributes = tag.attributes.iter();
    PLAIN.contains(&tag.name.as_str())
        && attributes.all(|attribute| {
            let is_link = matches!(attribute.name.as_str(), "href" | "src" | "cite");
            let value = attribute.value.as_deref().unwrap_or_default();
            PLAIN_ATTRIBUTES.contains(&attribute.name.as_str()) && (!is_link || is_page(value))
        })
}

/// `<https://…>` or `<someone@example.org>`: a link, not a tag.
fn is_address(rest: &str) -> bool {
    let inner = rest.get(1..).unwrap_or_default();
    let inner = inner.split('>').next().unwrap_or_default();
    let has_blank = inner.contains(char::is_whitespace);
    !has_blank && (inner.contains("://") || inner.contains('@') || inner.starts_with("mailto:"))
}

/// Whether a link leads to a page or a file, not to code.
fn is_page(address: &str) -> bool {
    let address = address.trim();
    match address.split_once(':') {
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => {
            let scheme = scheme.to_ascii_lowercase();
            matches!(scheme.as_str(), "http" | "https" | "mailto")
        }
        _ => true,
    }
}

fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().bytes().rev();
    before.take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Attribute lists of Markdown: `{: .hidden}`, `{style="…"}`, `::: {.hidden}`.
fn attribute_lists<'a>(passage: &Passage<'a>) -> Vec<&'a str> {
    let text: &str = &passage.field.text;
    let formulas = mathematics(text, &passage.field.markdown().code);
    let is_formula = |at: usize| formulas.iter().any(|range| range.contains(&at));
    let within = text.get(passage.range.clone()).unwrap_or_default();
    let opens = within
        .match_indices('{')
        .map(|(at, _)| passage.range.start + at);
    opens
        .filter(|at| !is_code(passage, *at) && !is_formula(*at))
        .filter_map(|at| {
            let rest = text.get(at..passage.range.end)?;
            let end = rest.find(['}', '\n'])?;
            let inner = rest.get(1..end)?.trim_start();
            let folded = inner.to_ascii_lowercase();
            let names_class = inner
                .strip_prefix(['.', '#'])
                .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
            let is_list = inner.starts_with(':') || names_class || folded.contains("style=");
            let is_list = is_list || folded.split_whitespace().any(is_handler);
            is_list.then(|| rest.get(..=end)).flatten()
        })
        .collect()
}

/// `onclick=…`
fn is_handler(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let event = name.strip_prefix("on").unwrap_or_default();
        event.len() > 2 && event.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// LaTeX commands that do more than typeset.
fn commands<'a>(passage: &Passage<'a>) -> Vec<&'a str> {
    let text: &str = &passage.field.text;
    let formulas = mathematics(text, &passage.field.markdown().code);
    let within =
        |range: &Range<usize>| passage.range.start <= range.start && range.end <= passage.range.end;
    let formulas = formulas.into_iter().filter(within);
    formulas
        .filter_map(|range| text.get(range))
        .filter(|formula| {
            COMMANDS.iter().any(|command| {
                let mut found = formula.match_indices(command);
                found.any(|(at, _)| {
                    let behind = formula.get(at + command.len()..).unwrap_or_default();
                    *command == r"\html" || !behind.starts_with(|c: char| c.is_ascii_alphabetic())
                })
            })
        })
        .collect()
}

/// Links and pictures on unknown hosts.
fn foreign_links(
    passage: &Passage<'_>,
    before: &Document,
    companions: &Companions,
    objections: &mut Vec<Objection>,
) {
    let links = passage.field.markdown().links.iter();
    let links = links.filter(|link| {
        passage.range.start <= link.span.start && link.span.end <= passage.range.end
    });
    let in_markdown = links.map(|link| link.destination.clone());
    let text: &str = &passage.field.text;
    let within = text.get(passage.range.clone()).unwrap_or_default();
    let in_tags = within.match_indices('<').filter_map(|(at, _)| {
        let at = passage.range.start + at;
        let tag = tag_at(text, at).filter(|_| !is_code(passage, at))?;
        let value = tag.value("href").or_else(|| tag.value("src"))?;
        Some(value.to_owned())
    });
    let is_named = |host: &str| {
        let in_text = before.source().text().contains(host);
        let mut sources = companions.sources.iter();
        in_text
            || sources.any(|source| {
                let document = source.document.as_deref().unwrap_or_default();
                source.content.contains(host) || document.contains(host)
            })
    };
    for address in in_markdown.chain(in_tags) {
        let Some(host) = host(&address) else {
            continue;
        };
        if !is_named(host) {
            objections.push(Objection::new(
                ObjectionKind::Links,
                format!(
                    "the link {} leads to a page that neither the text nor its sources name; leave it out",
                    shown(&address)
                ),
            ));
        }
    }
}

fn host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("//")?;
    let is_web = matches!(
        scheme.to_ascii_lowercase().as_str(),
        "" | "http:" | "https:"
    );
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (is_web && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_markup_is_known_from_all_other() {
        for text in [
            "<b>",
            "<br/>",
            "<sub>",
            "<p align=center>",
            "<a href='https://x.example/'>",
            "<a href=page.html#a>",
            "<img src=a.png alt='a b'>",
            "<https://x.example/a>",
            "<me@x.example>",
            "a < b",
            "i<n and so on",
            "</p>",
            "<td colspan=2>",
            "<mfrac>",
            "<3",
        ] {
            let at = text.find('<').unwrap();
            assert_eq!(piece_at(text, at), None, "{text}");
        }
        for text in [
            "<style>p { display: none }",
            "<p style='color:red'>",
            "<p class=hidden>",
            "<link rel=stylesheet href=x>",
            "<meta charset=x>",
            "<base target=_top>",
            "<form>",
            "<input>",
            "<button>",
            "<svg>",
            "<svg:rect>",
            "<object>",
            "<video src=x>",
            "<audio>",
            "<marquee>",
            "<blink>",
            "<bdo dir=rtl>",
            "<font color=white>",
            "<noscript>",
            "<template>",
            "<textarea>",
            "<select>",
            "<dialog open>",
            "<x-card>",
            "<Callout>",
            "<!-- x -->",
            "<!DOCTYPE x>",
            "<?php x ?>",
            "<a href='javascript:x'>",
            "<a href='data:text/plain,x'>",
            "<img src=x onerror=x>",
            "<p hidden>",
            "</style>",
            "</body>",
            "<maction>",
            "<annotation-xml>",
            "<math><mi href='x:y'>",
            "<a id=x>",
        ] {
            let found = (0..text.len())
                .any(|at| text[at..].starts_with('<') && piece_at(text, at).is_some());
            assert!(found, "{text}");
        }
    }

    #[test]
    fn the_content_of_a_style_belongs_to_it() {
        let text = "a <style>p {}</style> b";
        assert_eq!(piece_at(text, 2), Some(2..13));
    }
}
