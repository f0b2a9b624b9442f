//! HTML, XML with its quiz formats, LaTeX, and configuration in sections.

use super::Lines;

/// Elements that only a whole page of HTML begins with.
const PAGE: &[&str] = &["!doctype", "html", "head", "body"];

/// Elements of which a page may consist.
const BLOCKS: &[&str] = &[
    "h1", "h2", "h3", "h4", "p", "div", "section", "article", "ul", "ol", "table", "main", "header",
];

/// The root elements that are a format of their own.
const ROOTS: &[(&str, &str)] = &[
    ("quiz", "Moodle XML"),
    ("questestinterop", "QTI"),
    ("assessmentitem", "QTI"),
    ("assessmenttest", "QTI"),
    ("qti-assessment-item", "QTI"),
    ("qti-assessment-test", "QTI"),
    ("manifest", "an IMS manifest (XML)"),
    ("mediawiki", "a MediaWiki export (XML)"),
    ("rss", "RSS"),
    ("feed", "Atom"),
    ("svg", "an SVG image"),
];

pub(super) fn of(text: &str) -> Option<&'static str> {
    if !text.starts_with('<') {
        return None;
    }
    let is_xml = text.starts_with("<?xml");
    let root = first_element(text)?;
    let is = |name: &str| root.eq_ignore_ascii_case(name);
    if PAGE.iter().any(|name| is(name)) {
        return Some("HTML");
    }
    let root_format = ROOTS.iter().find(|(name, _)| is(name));
    if let Some((name, format)) = root_format {
        // A lesson may be wrapped in tags of its own; a quiz has questions.
        let is_quiz = *name != "quiz" || is_xml || text.contains("<question");
        if is_quiz {
            return Some(format);
        }
    }
    if is_xml {
        return Some("XML");
    }
    is_fragment(text, root).then_some("HTML")
}

/// The name of the first element after declarations and comments.
fn first_element(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let skipped = if let Some(inner) = rest.strip_prefix("<?") {
            inner.split_once("?>")?.1
        } else if let Some(inner) = rest.strip_prefix("<!--") {
            inner.split_once("-->")?.1
        } else {
            break;
        };
        rest = skipped.trim_start();
    }
    let rest = rest.strip_prefix('<')?;
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/' | ':'))?;
    // `ns:name` is the element `name`.
    if rest[end..].starts_with(':') {
        let local = &rest[end + 1..];
        let end = local.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/'))?;
        return local.get(..end);
    }
    rest.get(..end).filter(|name| !name.is_empty())
}

/// Whether a text is HTML from its first line to its last, without a page around it.
fn is_fragment(text: &str, root: &str) -> bool {
    let is_block = BLOCKS.iter().any(|name| root.eq_ignore_ascii_case(name));
    if !is_block || !text.ends_with('>') || !text.contains("</") {
        return false;
    }
    // In Markdown, text stands between the tags, separated by blank lines.
    let mut after_blank = true;
    for line in text.lines().map(str::trim) {
        if after_blank && !line.is_empty() && !line.starts_with('<') {
            return false;
        }
        after_blank = line.is_empty();
    }
    let opened = |name: &str| text.contains(&format!("<{name}"));
    opened("p") || opened("li") || opened("h1") || opened("h2") || opened("td")
}

pub(super) fn latex(lines: &Lines<'_>) -> Option<&'static str> {
    const SECTIONS: &[&str] = &["\\section{", "\\chapter{", "\\subsection{", "\\part{"];
    let mut content = lines
        .lines
        .iter()
        .map(|line| line.trim_start())
        .filter(|line| !line.is_empty() && !line.starts_with('%'));
    let first = content.next()?;
    let is_document =
        |line: &str| line.starts_with("\\documentclass") || line.starts_with("\\begin{document}");
    let begins = SECTIONS.iter().any(|section| first.starts_with(section));
    (begins || is_document(first) || content.any(is_document)).then_some("LaTeX")
}

/// Nothing but `[section]` and `key = value`.
pub(super) fn configuration(lines: &Lines<'_>) -> Option<&'static str> {
    let (mut sections, mut values) = (0, 0);
    for line in lines.lines.iter().map(|line| line.trim()) {
        if line.is_empty() || line.starts_with([';', '#']) {
            continue;
        }
        if line.starts_with('[') && line.ends_with(']') {
            sections += 1;
        } else if line
            .split_once('=')
            .is_some_and(|(key, _)| is_name(key.trim()))
        {
            values += 1;
        } else {
            return None;
        }
    }
    (sections > 0 && values > 1).then_some("configuration")
}

fn is_name(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}
