//! The prose of a document, by section and paragraph, as far as its language
//! counts: without code, quotations, tables, links and lists of sources.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use redraft_gate::content::{Document, TextField, TextRole};
use redraft_text::char_set::CharSet;
use redraft_text::markdown::{Block, BlockKind};
use redraft_text::phrases::{PhraseList, is_unspaced};
use redraft_text::word_index::WordIndex;

use crate::shared::prose::is_inside;

/// The prose of one component.
pub(super) struct Section<'a> {
    /// The name of the component.
    pub component: &'a str,
    pub passages: Vec<Passage>,
    /// Whether its title announces a text by somebody else: a dialogue, a licence.
    pub announces_text: bool,
}

impl Section<'_> {
    /// All its prose.
    pub(super) fn prose(&self) -> String {
        let mut prose = String::new();
        for passage in &self.passages {
            prose.push_str(&passage.prose);
            prose.push('\n');
        }
        prose
    }

    /// Whether these of its passages are all that it says.
    pub(super) fn is_wholly(&self, passages: &[&Passage]) -> bool {
        let length = |passage: &Passage| passage.prose.len();
        let all: usize = self.passages.iter().map(length).sum();
        let these: usize = passages.iter().map(|passage| length(passage)).sum();
        these * 10 >= all * 9
    }
}

/// A paragraph or an item of a list.
pub(super) struct Passage {
    /// The index of its text among the document's texts.
    pub field: usize,
    pub range: Range<usize>,
    /// Its prose, without quotations and emphasised words; the beginning of it,
    /// where it is very long.
    pub prose: String,
    /// Whether it may be in any language: a quotation, a poem, a reference.
    pub is_apart: bool,
}

impl Passage {
    /// How much it says: its letters, where a Chinese character or a syllable of
    /// Korean says as much as three.
    pub(super) fn weight(&self) -> usize {
        let is_dense = |c: char| matches!(c, '\u{3040}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}');
        self.prose
            .chars()
            .map(|c| if is_dense(c) { 3 } else { 1 })
            .sum()
    }
}

/// Bytes of prose kept of a passage; the detector samples anyway.
const LONGEST_PASSAGE: usize = 2_000;

pub(super) fn sections(document: &Document) -> Vec<Section<'_>> {
    sections_of(document, 0..document.texts().len())
}

/// The prose of some of the document's texts.
pub(super) fn sections_of(document: &Document, texts: Range<usize>) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    // `None` for a list of sources.
    let mut by_component: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for index in texts {
        let Some(field) = document.texts().get(index) else {
            break;
        };
        if matches!(field.role, TextRole::Code | TextRole::Title) {
            continue;
        }
        let blocks = &field.markdown().blocks;
        let says_it_in_several = says_it_in_several(document, field);
        let mut before: Option<&Block> = None;
        for block in blocks {
            if !is_prose(field, block) {
                continue;
            }
            let component = document.component_in(field, block.content.clone());
            let at = *by_component
                .entry(component.id.0.as_str())
                .or_insert_with(|| {
                    let title = component.title.as_deref().unwrap_or_default();
                    if SOURCES.are_in(title) {
                        return None;
                    }
                    sections.push(Section {
                        component: component.id.0.as_str(),
                        passages: Vec::new(),
                        announces_text: QUOTED.are_in(title),
                    });
                    Some(sections.len() - 1)
                });
            if let Some(at) = at {
                let prose = prose_of(field, block);
                let is_apart = says_it_in_several
                    || is_apart(field, block, &prose)
                    || block.parent.is_none() && before.is_some_and(|before| introduces(field, before));
                sections[at].passages.push(Passage {
                    field: index,
                    range: block.content.clone(),
                    prose,
                    is_apart,
                });
            }
            before = Some(block);
        }
    }
    sections
}

/// Whether a text of a bank says the same in several languages, of which Moodle shows one:
/// `<span lang="de" class="multilang">`, `{mlang de}`.
fn says_it_in_several(document: &Document, field: &TextField) -> bool {
    if field.writing.is_none() {
        return false;
    }
    let source = document.source().text();
    let written = source.get(field.map.source_span()).unwrap_or_default();
    // The first of them begins before the first word.
    written.contains("{mlang ") || written.contains("multilang") && written.contains("lang=")
}

/// Paragraphs and list items written in sentences.
fn is_prose(field: &TextField, block: &Block) -> bool {
    block.kind == BlockKind::Paragraph
        && !is_inside(field, block, |kind| {
            matches!(
                kind,
                BlockKind::BlockQuote | BlockKind::FootnoteDefinition { .. }
            )
        })
}

/// Whether a paragraph ends with a colon, so that the next may be what it quotes.
fn introduces(field: &TextField, block: &Block) -> bool {
    let text = field.text.get(block.content.clone()).unwrap_or_default();
    block.parent.is_none() && text.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether a paragraph is a quotation, a poem or a reference.
fn is_apart(field: &TextField, block: &Block, prose: &str) -> bool {
    let text = field.text.get(block.content.clone()).unwrap_or_default();
    let bare = text.trim_matches(['*', '_', ' ']);
    let opens = bare.starts_with(['"', '“', '„', '«', '‹', '‘', '「', '『', '《', '—', '–']);
    // Little is left of it without quotations, emphasis and links.
    let is_quotation = opens || prose.len() * 3 < text.len();
    let is_linked_title = block.parent.is_some() && text.contains("](http") && text.len() < LONGEST_REFERENCE;
    is_quotation || is_linked_title || is_poem(text) || is_reference(text)
}

/// The longest reference, in bytes.
const LONGEST_REFERENCE: usize = 400;

/// Whether a paragraph is written in short lines.
fn is_poem(text: &str) -> bool {
    const LONGEST_LINE: usize = 55;
    let lines = || text.lines().map(|line| line.trim().chars().count());
    lines().count() > 2 && lines().all(|length| length <= LONGEST_LINE)
}

/// Whether a paragraph names a publication: a year in brackets, a DOI, an ISBN.
fn is_reference(text: &str) -> bool {
    let has_year = || {
        text.as_bytes().windows(6).any(|window| {
            matches!(window, [b'(', b'1' | b'2', a, b, c, b')'] if a.is_ascii_digit() && b.is_ascii_digit() && c.is_ascii_digit())
        })
    };
    text.len() <= LONGEST_REFERENCE
        && (["doi:", "doi.org", "ISBN", "arXiv"].iter().any(|name| text.contains(name)) || has_year())
}

static HEADINGS: PhraseList = PhraseList::new("foreign_sections", &["sources", "quoted"]);

/// The phrases of a section of the list.
struct Announcements {
    #[cfg(test)]
    section: &'static str,
    phrases: WordIndex,
}

impl Announcements {
    fn new(section: &'static str) -> Self {
        Self {
            #[cfg(test)]
            section,
            phrases: WordIndex::new(HEADINGS.all(section)),
        }
    }

    /// Whether a heading has one of the phrases where a word begins. Titles of sources
    /// and texts by others may be in any language.
    fn are_in(&self, heading: &str) -> bool {
        let heading = heading.to_lowercase();
        self.phrases.find(&heading).any(|found| {
            let before = heading[..found.range.start].chars().next_back();
            // Chinese is written without spaces: its phrases may stand anywhere.
            is_unspaced(&heading[found.range]) || !before.is_some_and(char::is_alphanumeric)
        })
    }
}

static SOURCES: LazyLock<Announcements> = LazyLock::new(|| Announcements::new("sources"));
static QUOTED: LazyLock<Announcements> = LazyLock::new(|| Announcements::new("quoted"));

/// The prose of a block. Link texts are titles of other things, in their language;
/// quoted and emphasised words are being discussed.
fn prose_of(field: &TextField, block: &Block) -> String {
    let markdown = field.markdown();
    let mut prose = String::new();
    let first = markdown
        .prose
        .partition_point(|range| range.end <= block.content.start);
    let mut links = markdown
        .links
        .partition_point(|link| link.span.end <= block.content.start);
    for range in markdown
        .prose
        .iter()
        .skip(first)
        .take_while(|range| range.start < block.content.end)
    {
        while markdown
            .links
            .get(links)
            .is_some_and(|link| link.span.end <= range.start)
        {
            links += 1;
        }
        let in_link = markdown
            .links
            .get(links)
            .is_some_and(|link| link.span.start <= range.start);
        if !in_link && !is_emphasised(&field.text, range) {
            add_unquoted(field.text.get(range.clone()).unwrap_or_default(), &mut prose);
            prose.push(' ');
        }
        if prose.len() > LONGEST_PASSAGE {
            break;
        }
    }
    prose
}

fn is_emphasised(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    matches!((before, after), (Some('*'), Some('*')) | (Some('_'), Some('_')))
}

/// Adds a line without what is in quotation marks. A mark that is not closed in
/// the line opens nothing.
fn add_unquoted(line: &str, prose: &mut String) {
    static OPENERS: CharSet<6> = CharSet::new(['“', '„', '«', '「', '『', '"']);
    let mut rest = line;
    // Marks without a closing one in the rest of the line.
    let mut unclosed: Vec<char> = Vec::new();
    while let Some((start, opener)) = OPENERS.find(rest) {
        let (before, quoted) = rest.split_at(start);
        let closers: &[char] = match opener {
            '“' => &['”'],
            '„' => &['“', '”'],
            '«' => &['»'],
            '「' => &['」'],
            '『' => &['』'],
            _ => &['"'],
        };
        let inner = &quoted[opener.len_utf8()..];
        prose.push_str(before);
        let end = if unclosed.contains(&opener) {
            None
        } else {
            inner.find(closers)
        };
        if let Some(end) = end {
            let closer = inner[end..].chars().next().map_or(0, char::len_utf8);
            rest = &inner[end + closer..];
        } else {
            if !unclosed.contains(&opener) {
                unclosed.push(opener);
            }
            rest = inner;
        }
    }
    prose.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_left_out() {
        for (line, expected) in [
            ("He said “bonjour à tous” to us", "He said  to us"),
            ("Das heißt „good morning“ auf Englisch", "Das heißt  auf Englisch"),
            ("An inch (\") is short", "An inch () is short"),
            ("no quotation", "no quotation"),
        ] {
            let mut prose = String::new();
            add_unquoted(line, &mut prose);
            assert_eq!(prose, expected);
        }
    }

    #[test]
    fn headings_of_foreign_sections_are_found() {
        assert_eq!(HEADINGS.faults(), [""; 0]);
        for list in [&SOURCES, &QUOTED] {
            let wrong = HEADINGS.wrong_examples(list.section, |_, heading| list.are_in(heading));
            assert_eq!(wrong, [""; 0]);
        }
    }

    #[test]
    fn poems_and_references_are_told_from_prose() {
        assert!(is_poem("Sur le pont d'Avignon\nL'on y danse, l'on y danse\nSur le pont d'Avignon"));
        assert!(!is_poem("One line\nand another"));
        assert!(is_reference("Müller, Hans (1998): Die Geschichte der Wälder. Berlin."));
        assert!(!is_reference("The forest burned (twice) in 1998."));
    }
}
