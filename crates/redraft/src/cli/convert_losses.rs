//! What a bank has that no item carries over to another format: questions of other kinds,
//! categories, files, markup, and what an archive holds beside its questions.

use redraft_banks::{BankFormat, ColumnChoice, TroubleKind};
use redraft_gate::content::{Document, TextField};
use redraft_gate::reading::Trouble;
use redraft_report::count::counted;
use redraft_report::{columns, plain};
use redraft_text::writing::Writing;

/// Tags whose effect is lost with them. Paragraphs and line breaks become lines.
const FORMATTING: [&str; 31] = [
    "b",
    "i",
    "em",
    "strong",
    "u",
    "s",
    "strike",
    "sub",
    "sup",
    "code",
    "kbd",
    "tt",
    "mark",
    "small",
    "big",
    "font",
    "span",
    "a",
    "ul",
    "ol",
    "li",
    "table",
    "pre",
    "blockquote",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "math",
];
const MEDIA: [&str; 7] = ["img", "audio", "video", "object", "embed", "svg", "iframe"];

/// How many questions are of a type that is not converted.
pub(super) fn other_questions(document: &Document) -> usize {
    document
        .recovered()
        .iter()
        .filter(|recovered| matches!(recovered.what, Trouble::OtherQuestion(_)))
        .count()
}

/// What an archive names as not read.
pub(super) fn unread(document: &Document) -> impl Iterator<Item = &str> {
    let text = document.source().text();
    let is_unread = Trouble::Bank(TroubleKind::Unread);
    let unread = document.recovered().iter();
    unread
        .filter(move |recovered| recovered.what == is_unread)
        .filter_map(|recovered| text.get(recovered.range.clone()))
        .map(redraft_banks::unread_name)
}

/// What the file has that no item carries over, in words.
pub(super) fn of_source(document: &Document) -> Vec<String> {
    let mut lost = Vec::new();
    let others = other_questions(document);
    if others > 0 {
        lost.push(format!(
            "left out: {} that {} not multiple-choice",
            counted(others, "question"),
            if others == 1 { "is" } else { "are" }
        ));
    }
    let beside = unread(document).map(|name| format!("left out: {}", plain::words(name)));
    lost.extend(beside);
    let Some(format) = document.form().bank_format() else {
        return lost;
    };
    let tags: Vec<String> = document
        .texts()
        .iter()
        .flat_map(|field| tags_of(document, field))
        .collect();
    let has = |known: &[&str]| tags.iter().any(|tag| known.contains(&tag.as_str()));
    let found = [
        (has_categories(document, format), "lost: categories"),
        (
            has(&MEDIA) || has_files(document, format),
            "lost: images and files",
        ),
        (
            has(&FORMATTING),
            "lost: formatting such as bold, sub- and superscripts, links and lists",
        ),
    ];
    let found = found.into_iter().filter(|(is_lost, _)| *is_lost);
    lost.extend(found.map(|(_, what)| what.to_owned()));
    lost
}

/// The columns of a table that no item carries over, in words.
pub(super) fn columns(document: &Document, choice: Option<&ColumnChoice>) -> Option<String> {
    if document.form().bank_format() != Some(BankFormat::Table) {
        return None;
    }
    let found = redraft_banks::columns(document.source().text(), choice).ok()?;
    let others = columns::not_read(&found)?;
    Some(format!("left out: columns that are not read: {others}"))
}

fn has_categories(document: &Document, format: BankFormat) -> bool {
    let text = document.source().text();
    match format {
        BankFormat::Gift => text.split(['\n', '\r']).any(|line| {
            line.trim_start_matches('\u{feff}')
                .trim_start()
                .starts_with("$CATEGORY:")
        }),
        BankFormat::MoodleXml => text.contains("type=\"category\""),
        BankFormat::Aiken | BankFormat::Qti | BankFormat::Table => false,
    }
}

/// Files that stand beside the texts of a question.
fn has_files(document: &Document, format: BankFormat) -> bool {
    let text = document.source().text();
    match format {
        BankFormat::MoodleXml => text.contains("<file "),
        BankFormat::Qti => ["<matimage", "<mataudio", "<matvideo"]
            .iter()
            .any(|sign| text.contains(sign)),
        BankFormat::Gift | BankFormat::Aiken | BankFormat::Table => false,
    }
}

/// The names of the tags in and around a text, where it is HTML.
fn tags_of(document: &Document, field: &TextField) -> Vec<String> {
    let is_escaped = match field.writing {
        Some(Writing::XmlHtml | Writing::XmlHtmlMixed) => true,
        Some(Writing::GiftHtml | Writing::CdataHtml | Writing::Xhtml) => false,
        _ => return Vec::new(),
    };
    let span = field.map.source_span();
    let text = document.source().text();
    let first = text.floor_char_boundary(span.start.saturating_sub(FARTHEST));
    let last = text.floor_char_boundary(span.end.saturating_add(FARTHEST));
    let before = text.get(first..span.start).unwrap_or_default();
    let after = text.get(span.end..last).unwrap_or_default();
    let start = span.start - (before.len() - before_tags(before).len());
    let end = span.end + (after.len() - after_tags(after).len());
    let raw = text.get(start..end).unwrap_or_default();
    let raw = match is_escaped {
        true => raw.replace("&lt;", "<"),
        false => raw.to_owned(),
    };
    let names = raw.match_indices('<').filter_map(|(at, _)| {
        let rest = raw.get(at + 1..)?;
        let name: String = rest
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        (!name.is_empty()).then_some(name)
    });
    names.collect()
}

/// How far from a text its tags are sought.
const FARTHEST: usize = 2000;

/// The signs that begin and end a tag, in a CDATA section or escaped.
const SIGNS: [(&str, &str); 2] = [("<", ">"), ("&lt;", "&gt;")];

/// What stands before the tags that a text ends with.
fn before_tags(text: &str) -> &str {
    let mut rest = text;
    'tags: loop {
        let trimmed = rest.trim_end();
        for (open, close) in SIGNS {
            if trimmed.ends_with(close)
                && let Some(at) = trimmed.rfind(open)
                && !trimmed.get(at..).unwrap_or_default().starts_with("<![")
            {
                rest = trimmed.get(..at).unwrap_or_default();
                continue 'tags;
            }
        }
        return rest;
    }
}

/// What stands after the tags that a text begins with.
fn after_tags(text: &str) -> &str {
    let mut rest = text;
    'tags: loop {
        let trimmed = rest.trim_start();
        for (open, close) in SIGNS {
            if trimmed.starts_with(open)
                && !trimmed.starts_with("<![")
                && let Some(at) = trimmed.find(close)
            {
                rest = trimmed.get(at + close.len()..).unwrap_or_default();
                continue 'tags;
            }
        }
        return rest;
    }
}
