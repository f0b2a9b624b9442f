//! What a file seems to be when it is not content: CSV, GIFT, Moodle XML, HTML, YAML and
//! the like. Read as a lesson such a file would pass, because almost any text is Markdown.
//!
//! It looks at bytes, text and the ending of the file name. It does not know what a
//! lesson is; a Markdown text that only *contains* a table, a block of HTML, front matter
//! or a sample in a fence is none of these formats.

mod encoded;
mod markup;
mod quiz;
mod tables;
mod yaml;

use redraft_text::json::{Json, Kind};

/// The most of a text that is looked at: what it is shows at its beginning.
const ENOUGH: usize = 64 * 1024;

/// What a file seems to be, in words that complete "this seems to be".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format(pub String);

impl Format {
    fn named(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// Formats that the ending of a file name tells, whatever the file contains.
const BY_NAME: &[(&[&str], &str)] = &[
    (&["csv"], "CSV"),
    (&["tsv", "tab"], "TSV"),
    (&["gift"], "GIFT"),
    (&["aiken"], "Aiken"),
    (&["xml", "qti"], "XML"),
    (&["html", "htm", "xhtml"], "HTML"),
    (&["yaml", "yml"], "YAML"),
    (&["tex", "latex", "ltx"], "LaTeX"),
    (&["rtf"], "RTF"),
    (&["rst"], "reStructuredText"),
    (&["adoc", "asciidoc"], "AsciiDoc"),
    (&["org"], "Org"),
    (&["ipynb"], "a Jupyter notebook"),
    (&["docx", "doc"], "a Word document"),
    (&["xlsx", "xls"], "an Excel workbook"),
    (&["pptx", "ppt"], "a PowerPoint presentation"),
    (&["odt", "ods", "odp"], "an OpenDocument file"),
    (&["pdf"], "PDF"),
    (&["epub"], "an EPUB book"),
    (
        &["zip", "imscc", "h5p"],
        "a zip archive without QTI questions",
    ),
    (&["srt", "vtt"], "subtitles"),
    (
        &["toml", "ini", "cfg", "conf", "properties"],
        "configuration",
    ),
    (
        &[
            "py", "js", "mjs", "ts", "jsx", "tsx", "java", "c", "h", "cpp", "hpp", "cs", "rs",
            "go", "rb", "php", "sh", "bash", "ps1", "sql", "css", "scss", "r", "swift", "kt",
        ],
        "program code",
    ),
];

/// Endings of file names that hold teaching material, whether redraft reads them or not.
const TEACHING: &[&str] = &[
    "md", "mdx", "markdown", "mdown", "qmd", "rmd", "json", "jsonl", "ndjson", "json5", "jsonc",
    "csv", "tsv", "tab", "xlsx", "xls", "gift", "aiken", "xml", "qti", "zip", "imscc", "h5p",
    "txt", "text", "html", "htm", "xhtml", "docx", "doc", "odt", "ods", "odp", "pptx", "ppt",
    "pdf", "epub", "rtf", "tex", "rst", "adoc", "asciidoc", "org", "ipynb", "yaml", "yml",
];

/// Endings of the files that are read in a folder.
const READ_IN_FOLDERS: &[&str] = &[
    "md", "markdown", "mdx", "qmd", "rmd", "json", "jsonl", "ndjson", "gift", "aiken", "xml",
    "qti", "csv", "tsv", "tab", "zip", "imscc", "xlsx",
];

/// Endings of files that may be question banks.
const BANKS: &[&str] = &[
    "json", "jsonl", "ndjson", "gift", "aiken", "xml", "qti", "csv", "tsv", "tab", "txt", "zip",
    "imscc", "xlsx",
];

/// Whether a file with this ending may be a question bank.
#[must_use]
pub fn may_be_bank(extension: &str) -> bool {
    is_among(BANKS, extension)
}

/// Whether a file with this ending is read when its folder is.
#[must_use]
pub fn is_read_in_folders(extension: &str) -> bool {
    is_among(READ_IN_FOLDERS, extension)
}

/// Whether files with this ending hold teaching material.
#[must_use]
pub fn is_teaching(extension: &str) -> bool {
    is_among(TEACHING, extension)
}

fn is_among(list: &[&str], extension: &str) -> bool {
    list.iter()
        .any(|known| known.eq_ignore_ascii_case(extension))
}

/// The format that the ending of a file name tells.
#[must_use]
pub fn of_name(extension: &str) -> Option<Format> {
    BY_NAME
        .iter()
        .find(|(endings, _)| is_among(endings, extension))
        .map(|(_, name)| Format::named(name))
}

/// The format that the first bytes tell, for files that are not text.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> Option<Format> {
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"%PDF-", "PDF"),
        (b"{\\rtf", "RTF"),
        (b"\xD0\xCF\x11\xE0", "an old Office document"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"7z\xBC\xAF", "a 7z archive"),
        (b"Rar!", "a RAR archive"),
        (b"\x89PNG", "an image"),
        (b"\xFF\xD8\xFF", "an image"),
        (b"GIF8", "an image"),
        (b"SQLite format 3", "a database"),
        (b"\x7FELF", "a program"),
    ];
    if bytes.starts_with(b"PK\x03\x04") {
        return Some(Format::named(archive(bytes)));
    }
    SIGNATURES
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
        .map(|(_, name)| Format::named(name))
}

/// What a zip archive holds; the names of its files stand in it as they are.
fn archive(bytes: &[u8]) -> &'static str {
    const PARTS: &[(&[u8], &str)] = &[
        (b"imsmanifest.xml", "an IMS package (zip)"),
        (b"word/", "a Word document"),
        (b"xl/", "an Excel workbook"),
        (b"ppt/", "a PowerPoint presentation"),
        (b"opendocument", "an OpenDocument file"),
        (b"epub+zip", "an EPUB book"),
        (b"h5p.json", "an H5P package (zip)"),
    ];
    let head = bytes.get(..ENOUGH).unwrap_or(bytes);
    let tail = bytes
        .len()
        .checked_sub(ENOUGH)
        .and_then(|from| bytes.get(from..))
        .unwrap_or_default();
    let has = |part: &[u8]| {
        [head, tail]
            .iter()
            .any(|bytes| bytes.windows(part.len()).any(|window| window == part))
    };
    PARTS
        .iter()
        .find(|(part, _)| has(part))
        .map_or("a zip archive without QTI questions", |(_, name)| name)
}

/// The format of a text that would otherwise be read as Markdown.
#[must_use]
pub fn of_text(text: &str) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with("version https://git-lfs.github.com/spec/") {
        return Some(Format::named(
            "a Git LFS pointer (the file itself was not fetched; run `git lfs pull`)",
        ));
    }
    if is_anki(text) {
        return Some(Format::named("an export of Anki (a table)"));
    }
    let text = &text[..text.floor_char_boundary(ENOUGH.min(text.len()))];
    let name = in_one_fence(text)
        .or_else(|| encoded::of(text))
        .or_else(|| markup::of(text))
        .or_else(|| yaml::of(text))
        .or_else(|| {
            let lines = Lines::of(text);
            // What has a Markdown heading is a lesson, with or without samples.
            if lines.has_heading {
                return None;
            }
            markup::latex(&lines)
                .or_else(|| markup::configuration(&lines))
                .or_else(|| quiz::of(&lines))
                .or_else(|| tables::of(&lines))
        })?;
    Some(Format::named(name))
}

/// Whether a text begins like an export of Anki.
#[must_use]
pub fn is_anki(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    text.starts_with("#separator:")
}

/// A file that is a fence and nothing else.
fn in_one_fence(text: &str) -> Option<&'static str> {
    const LANGUAGES: &[(&str, &str)] = &[
        ("csv", "CSV"),
        ("tsv", "TSV"),
        ("gift", "GIFT"),
        ("aiken", "Aiken"),
        ("xml", "XML"),
        ("html", "HTML"),
        ("yaml", "YAML"),
        ("yml", "YAML"),
        ("latex", "LaTeX"),
        ("tex", "LaTeX"),
    ];
    let (first, rest) = text.split_once('\n')?;
    let language = first.trim_end().strip_prefix("```")?;
    let (inner, last) = rest.rsplit_once('\n')?;
    if last.trim() != "```" || inner.lines().any(|line| line.starts_with("```")) {
        return None;
    }
    LANGUAGES
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(language))
        .map(|(_, name)| *name)
}

/// The lines of a text without what stands in code fences.
struct Lines<'a> {
    lines: Vec<&'a str>,
    /// Whether a line outside fences is a Markdown heading.
    has_heading: bool,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines = Vec::new();
        let mut has_heading = false;
        let mut fence: Option<&str> = None;
        for line in text.lines() {
            let marker = ["```", "~~~"]
                .into_iter()
                .find(|marker| line.trim_start().starts_with(marker));
            match (fence, marker) {
                (None, Some(marker)) => {
                    fence = Some(marker);
                    // A sample counts as one line of something else.
                    lines.push("(sample)");
                }
                (Some(open), Some(marker)) if open == marker => fence = None,
                (Some(_), _) => {}
                (None, None) => {
                    has_heading |= is_heading(line);
                    lines.push(line);
                }
            }
        }
        Self { lines, has_heading }
    }

    /// Runs of lines between blank ones.
    fn paragraphs(&self) -> impl Iterator<Item = &[&'a str]> {
        self.lines
            .split(|line| line.trim().is_empty())
            .filter(|lines| !lines.is_empty())
    }
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    (1..=6).contains(&level) && rest.starts_with([' ', '\t']) && !rest.trim().is_empty()
}

/// What JSON that is neither a lesson nor cards nor items seems to be.
#[must_use]
pub fn of_json(json: &Json) -> Format {
    const KNOWN: &[(&[&str], &str)] = &[
        (&["nbformat", "cells"], "a Jupyter notebook"),
        (&["$schema", "properties"], "a JSON Schema"),
        (&["name", "version", "dependencies"], "a package file"),
        (&["lockfileVersion"], "a lock file"),
        (
            &["entries", "metadata"],
            "a scheme of work, which --sow takes",
        ),
        (
            &["order", "label", "outcomeRefs"],
            "an entry of a scheme of work, which --sow takes",
        ),
        (
            &["key_points_to_cover"],
            "a specification, which --spec takes",
        ),
        (
            &["learning_objectives", "title"],
            "a specification, which --spec takes",
        ),
        (&["compilerOptions"], "a TypeScript configuration"),
        (&["openapi"], "an OpenAPI description"),
        (&["schema", "files"], "a redraft baseline"),
        (&["schema", "documents"], "a report of redraft"),
        (&["runs", "version"], "a SARIF log"),
        (&["type", "features"], "GeoJSON"),
    ];
    const MOST_KEYS: usize = 4;
    let Some(root) = json.root() else {
        return Format::named("JSON without a value");
    };
    if root.kind() != Kind::Object {
        let what = if root.kind() == Kind::Array {
            "a list of something else"
        } else {
            "a single JSON value"
        };
        return Format::named(what);
    }
    if let Some((_, name)) = KNOWN
        .iter()
        .find(|(keys, _)| keys.iter().all(|key| root.get(key).is_some()))
    {
        return Format::named(name);
    }
    let keys: Vec<String> = root
        .members()
        .take(MOST_KEYS)
        .map(|(key, _)| format!("“{}”", key.text.chars().take(30).collect::<String>()))
        .collect();
    if keys.is_empty() {
        return Format::named("an empty JSON object");
    }
    Format(format!("JSON with the keys {}", keys.join(", ")))
}

#[cfg(test)]
mod tests;
