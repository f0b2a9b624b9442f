//! URLs in the text without any markup. Knows nothing of the parser.

use super::inline::{Link, LinkKind};
use super::view::Markdown;
use memchr::memmem;
use std::ops::Range;

const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// The URLs in the given ranges of `text`, in order. A URL ends at white space,
/// quotation marks, angle brackets, a bar, or the punctuation of East Asian
/// scripts; punctuation at its end belongs to the sentence.
pub(super) fn find_bare_urls(text: &str, prose: &[Range<usize>]) -> Vec<Range<usize>> {
    let finder = memmem::Finder::new("://");
    let mut urls = Vec::new();
    for range in prose {
        let Some(run) = text.get(range.clone()) else {
            continue;
        };
        let mut from = 0;
        while let Some(found) = finder.find(&run.as_bytes()[from..]) {
            let colon = from + found;
            from = colon + 3;
            let Some(scheme) = scheme_before(&run[..colon]) else {
                continue;
            };
            let length = url_length(&run[from..]);
            if length > 0 {
                from += length;
                urls.push(range.start + colon - scheme..range.start + from);
            }
        }
    }
    urls
}

/// Adds the URLs to the links; those in the text of a link are part of it already.
pub(super) fn add_bare_links(md: &mut Markdown, text: &str, urls: &[Range<usize>]) {
    let written = md.links.len();
    let mut covered = 0;
    let mut next = 0;
    for url in urls {
        while next < written && md.links[next].span.start <= url.start {
            covered = covered.max(md.links[next].span.end);
            next += 1;
        }
        if covered <= url.start {
            md.links.push(Link {
                kind: LinkKind::Bare,
                image: false,
                span: url.clone(),
                text: url.clone(),
                destination: text.get(url.clone()).unwrap_or_default().to_owned(),
            });
        }
    }
    md.links.sort_by_key(|link| link.span.start);
}

/// The length of the scheme at the end of `before`, if there is one.
fn scheme_before(before: &str) -> Option<usize> {
    // One byte more than the longest scheme, so that `xhttps` is seen as a word.
    let tail = before
        .bytes()
        .rev()
        .take(6)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    let word = before.get(before.len() - tail..)?;
    SCHEMES
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme))
        .then_some(tail)
}

fn url_length(rest: &str) -> usize {
    let length = rest.find(ends_url).unwrap_or(rest.len());
    let mut url = &rest[..length];
    let mut open = url.matches('(').count();
    let mut closed = url.matches(')').count();
    while let Some(last) = url.chars().next_back() {
        let strip = match last {
            '.' | ',' | ':' | ';' | '!' | '?' | '*' | '_' | '~' | '\'' | ']' | '}' | '…' => true,
            ')' => closed > open,
            _ => false,
        };
        if !strip {
            break;
        }
        closed -= usize::from(last == ')');
        open -= usize::from(last == '(');
        url = &url[..url.len() - last.len_utf8()];
    }
    url.len()
}

fn ends_url(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | '«' | '»' | '“' | '”' | '„' | '‘' | '’' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_ends_where_the_sentence_goes_on() {
        for (text, expected) in [
            ("see https://a.org/b.", &["https://a.org/b"] as &[&str]),
            ("(http://a.org/b_(c)), x", &["http://a.org/b_(c)"]),
            ("见https://a.org/数学。后", &["https://a.org/数学"]),
            (
                "HTTPS://A.org?x=1&y=2 ftp://b",
                &["HTTPS://A.org?x=1&y=2", "ftp://b"],
            ),
            ("xhttps://a.org", &[]),
            ("file://x and ://", &[]),
            ("http://", &[]),
            ("http://... ok", &[]),
            ("«http://a.org»", &["http://a.org"]),
        ] {
            let whole = 0..text.len();
            let found: Vec<_> = find_bare_urls(text, std::slice::from_ref(&whole))
                .into_iter()
                .map(|range| &text[range])
                .collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
