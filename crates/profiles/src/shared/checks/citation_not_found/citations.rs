//! What a citation looks like, in Markdown and in JSON. Whether the sources have it
//! is not known here.

use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::{Document, TextField};
use redraft_text::json::{self, Kind, Node};
use redraft_text::markdown::BlockKind;
use regex::Regex;

use crate::fields::{first_of, id_text};

/// A document and perhaps a place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    pub(super) range: Range<usize>,
    pub(super) document: String,
    pub(super) place: Option<String>,
    pub(super) naming: Naming,
}

/// Whether the words are surely the name of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    Certain,
    /// It may be an author, a figure, a word such as “ibid.”.
    Doubtful,
}

/// Words for a page or section, before its number.
const PLACE: &str = r"(?:pp?|pages?|pgs?|s|seiten?|стр|с|págs?|páginas?|pags?|pagina|sections?|sect|sec|§|chapters?|chap|ch|kapitel|раздел|глава|sección|capítulo|chapitre|str|sayfa)";

static SOURCED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)[\[(（【]\s*(?:source|sources|quelle|quellen|fuente|fuentes|fonte|fontes|источник|источники|джерело|来源|來源|出典|출처|źródło|kaynak|bron)\s*[:：]\s*([^\[\]()（）【】\n]{2,160})[\])）】]",
    )
    .ok()
});

/// `(Physics, p. 12)` and `[Physics, pp. 3–4]`.
static BARE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)[\[(（]([^\[\]()（）\n]{{2,120}}?),\s*({PLACE}\.?\s*[0-9][0-9.,\- –]*)[\])）]"
    ))
    .ok()
});

/// A place at the end of a citation.
static AT_END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?i)(?:[,，;:]\s*|\s+)({PLACE}\.?\s*[0-9][0-9.,\- –]*|第\s*[0-9]+\s*[页頁章节])\s*\.?\s*$"
    ))
    .ok()
});

/// Whether a text has a citation, wherever it leads.
pub(in crate::shared::checks) fn cites(text: &str) -> bool {
    let is_match =
        |regex: &LazyLock<Option<Regex>>| regex.as_ref().is_some_and(|regex| regex.is_match(text));
    text.contains("[^") || is_match(&SOURCED) || is_match(&BARE)
}

/// The citations in a text, outside code.
pub(super) fn in_text(field: &TextField) -> Vec<Citation> {
    let text: &str = &field.text;
    let markdown = field.markdown();
    let mut found = Vec::new();
    for captures in SOURCED.iter().flat_map(|regex| regex.captures_iter(text)) {
        let (Some(whole), Some(inner)) = (captures.get(0), captures.get(1)) else {
            continue;
        };
        for part in inner
            .as_str()
            .split(';')
            .filter(|part| !part.trim().is_empty())
        {
            found.push(citation(part, whole.range(), Naming::Certain));
        }
    }
    for captures in BARE.iter().flat_map(|regex| regex.captures_iter(text)) {
        let (Some(whole), Some(name), Some(place)) =
            (captures.get(0), captures.get(1), captures.get(2))
        else {
            continue;
        };
        let is_taken = found
            .iter()
            .any(|known: &Citation| known.range == whole.range());
        if !is_taken {
            found.push(Citation {
                range: whole.range(),
                document: name.as_str().trim().to_owned(),
                place: Some(place.as_str().trim().to_owned()),
                naming: naming(name.as_str()),
            });
        }
    }
    for block in &markdown.blocks {
        if matches!(block.kind, BlockKind::FootnoteDefinition { .. })
            && let Some(note) = text.get(block.span.clone())
            && let Some((_, note)) = note.split_once("]:")
        {
            let note = note.trim();
            let citation = citation(note, block.span.clone(), naming(note));
            if citation.place.is_some() && !note.contains('\n') {
                found.push(citation);
            }
        }
    }
    found.retain(|citation| !markdown.is_code(citation.range.start));
    found
}

fn citation(text: &str, range: Range<usize>, naming: Naming) -> Citation {
    let text = text.trim();
    let at_end = AT_END.as_ref().and_then(|regex| regex.captures(text));
    let place = at_end.as_ref().and_then(|captures| captures.get(1));
    let end = at_end
        .as_ref()
        .and_then(|captures| captures.get(0))
        .map_or(text.len(), |whole| whole.start());
    Citation {
        range,
        document: text[..end]
            .trim_matches(|c: char| {
                c.is_whitespace() || matches!(c, '*' | '_' | '"' | '“' | '”' | '«' | '»' | ',')
            })
            .to_owned(),
        place: place.map(|place| place.as_str().trim().to_owned()),
        naming,
    }
}

/// Authors with a year, references to the book itself and the like are doubtful.
fn naming(name: &str) -> Naming {
    let name = name.trim();
    let has_year = name
        .split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4);
    let words = name.split_whitespace().count();
    let begins_small = name.chars().next().is_some_and(char::is_lowercase);
    let first = name
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_end_matches('.')
        .to_lowercase();
    let is_pointer = matches!(
        first.as_str(),
        "see"
            | "cf"
            | "ibid"
            | "figure"
            | "fig"
            | "table"
            | "tab"
            | "chapter"
            | "exercise"
            | "also"
            | "above"
            | "below"
            | "textbook"
            | "vgl"
            | "siehe"
            | "ebd"
            | "voir"
            | "véase"
            | "ver"
            | "см"
            | "там"
            | "рис"
            | "abbildung"
            | "appendix"
            | "op"
            | "id"
    );
    // One capitalised word is as often an author as a title.
    if has_year || begins_small || is_pointer || words < 2 {
        Naming::Doubtful
    } else {
        Naming::Certain
    }
}

/// The citations of a JSON document: the entries of every `citations`.
pub(super) fn in_json(document: &Document) -> Vec<Citation> {
    let source = document.source().text();
    let is_json = document.texts().iter().any(|field| !field.path.is_empty());
    if !is_json || !source.contains("citations") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = source.get(at..).and_then(|rest| rest.find(['{', '['])) {
        let scanned = json::scan(source, at + start..source.len());
        if let Some(root) = scanned.root() {
            collect(root, &mut found);
        }
        at = scanned.end.max(at + start + 1);
    }
    found
}

fn collect(root: Node<'_>, found: &mut Vec<Citation>) {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node.kind() {
            Kind::Object => {
                for (key, value) in node.members() {
                    if key.text == "citations" {
                        found.extend(value.items().filter_map(entry));
                    } else {
                        open.push(value);
                    }
                }
            }
            Kind::Array => open.extend(node.items()),
            _ => {}
        }
    }
}

fn entry(node: Node<'_>) -> Option<Citation> {
    if let Some(text) = node.as_str() {
        return Some(citation(text, node.span(), Naming::Certain))
            .filter(|citation| !citation.document.is_empty());
    }
    let document = first_of(
        node,
        &[
            "document",
            "document_name",
            "document_id",
            "source",
            "title",
        ],
    )?;
    let place = first_of(node, &["page_or_section", "page", "section", "pages"]);
    Some(Citation {
        range: node.span(),
        document: id_text(document)?,
        place: place.and_then(id_text),
        naming: Naming::Certain,
    })
}
