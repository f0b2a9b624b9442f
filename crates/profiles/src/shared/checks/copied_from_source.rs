//! `copied-from-source`: long passages that stand word for word in the sources, without
//! quotation marks, block quote or citation.
//!
//! Words of the sources are remembered by runs of [`RUN`] words; where a run of the
//! text is among them, it is followed as far as both agree. Characters of scripts that
//! are written without blanks count as words of their own.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash as _, Hasher as _};
use std::ops::Range;

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Parameter, Phase, Sink,
};
use redraft_gate::companion::SourcePassage;
use redraft_gate::content::{ComponentKind, Document, TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::letters;
use redraft_text::markdown::{Block, BlockKind};
use rustc_hash::FxHasher;

use super::citation_not_found::cites;
use crate::check_list::DEFAULTS;

pub(super) static CHECK: Check = Check {
    code: "TXT038",
    name: "copied-from-source",
    severity: Severity::Warning,
    phase: Phase::Semantics,
    concern: Concern::Hygiene,
    summary: "a long passage is copied from the sources without quotation",
    what: "With `--sources`: reports passages of at least `min-words` words in a row (`min-characters` characters in languages without spaces between words) that appear word for word in the sources, apart from case and punctuation. Passages in quotation marks or block quotes, paragraphs with a citation or a footnote, sections with `citations`, code, formulas and headings are left alone.",
    why: "A lesson that copies its sources without saying so infringes the rights of their authors, and learners take the source's words for the teacher's.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Levers\n\nA lever is a rigid bar that turns about a fixed point, and with it a small force that acts far from that point can lift a heavy load that rests close to it.\n",
        passes: "# Levers\n\nA lever is a stiff bar on a pivot. Push far away from the pivot, and you can lift something heavy that is close to it.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "min-words",
            what: "minimum number of words in a row that count as copied",
        },
        Parameter {
            name: "min-characters",
            what: "the same in characters, for languages without spaces between words",
        },
    ],
    run,
    ..DEFAULTS
};

/// So many words in a row begin a match.
const RUN: usize = 8;

/// So many places of one run are tried: a refrain stands in many.
const PLACES: usize = 4;

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let sources = &examination.companions.sources;
    if sources.is_empty() {
        return;
    }
    let least = Least {
        words: examination.count("min-words").max(1),
        characters: examination.count("min-characters").max(1),
    };
    let library = Library::of(sources);
    let document = examination.document;
    let cited = cited_components(document);
    for field in document.texts() {
        let is_prose = matches!(field.role, TextRole::Body | TextRole::Short);
        if !is_prose || cited.contains(&field.component) {
            continue;
        }
        for paragraph in paragraphs(field) {
            for copied in library.copied(&words(&field.text, &paragraph), least) {
                if is_quoted(&field.text, &paragraph, &copied.range) {
                    continue;
                }
                let from = sources
                    .get(copied.passage)
                    .and_then(|passage| passage.document.as_deref());
                let from = from.map_or_else(
                    || "the sources".to_owned(),
                    |name| format!("“{}”", crate::prompts::one_line(name, 60)),
                );
                let message = format!(
                    "{} in a row are copied from {from}; quote them with their source, or use your own words",
                    copied.amount
                );
                sink.in_text(field, copied.range, message);
            }
        }
    }
}

/// The sections of a JSON lesson that say where they come from.
fn cited_components(document: &Document) -> Vec<usize> {
    let source = document.source().text();
    if document.texts().iter().all(|field| field.path.is_empty())
        || !source.contains("\"citations\"")
    {
        return Vec::new();
    }
    let components = document.components().iter().enumerate();
    components
        .filter(|(_, component)| component.kind != ComponentKind::Whole)
        .filter(|(_, component)| {
            let text = source.get(component.range.clone()).unwrap_or_default();
            let after = text
                .split_once("\"citations\"")
                .map(|(_, after)| after.trim_start_matches([':', ' ', '\n', '\r', '\t']));
            after.is_some_and(|list| {
                list.strip_prefix('[')
                    .is_some_and(|list| !list.trim_start().starts_with(']'))
            })
        })
        .map(|(index, _)| index)
        .collect()
}

/// The paragraphs of a text that are neither quoted nor cited.
fn paragraphs(field: &TextField) -> Vec<Range<usize>> {
    let blocks = &field.markdown().blocks;
    let text: &str = &field.text;
    let is_free = |block: &&Block| {
        let mut parent = block.parent;
        while let Some(container) = parent.and_then(|index| blocks.get(index)) {
            if matches!(
                container.kind,
                BlockKind::BlockQuote | BlockKind::FootnoteDefinition { .. }
            ) {
                return false;
            }
            parent = container.parent;
        }
        true
    };
    blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Paragraph)
        .filter(is_free)
        .filter(|block| {
            text.get(block.span.clone())
                .is_some_and(|words| !cites(words))
        })
        .map(|block| block.content.clone())
        .collect()
}

/// Whether a quotation mark opens before the passage and closes in or after it.
fn is_quoted(text: &str, paragraph: &Range<usize>, copied: &Range<usize>) -> bool {
    let before = text.get(paragraph.start..copied.start).unwrap_or_default();
    let after = text.get(copied.start..paragraph.end).unwrap_or_default();
    let pairs = [
        ("“", "”"),
        ("„", "“"),
        ("«", "»"),
        ("「", "」"),
        ("『", "』"),
        ("‘", "’"),
        ("„", "”"),
    ];
    before.matches('"').count() % 2 == 1 && after.contains('"')
        || pairs.iter().any(|(open, close)| {
            let opened = before.rfind(open);
            opened.is_some() && opened > before.rfind(close) && after.contains(close)
        })
}

/// The least that counts as copied.
#[derive(Clone, Copy)]
struct Least {
    words: usize,
    characters: usize,
}

/// A word, or a character that stands for one.
#[derive(Clone, Debug)]
struct Word {
    hash: u64,
    range: Range<usize>,
    is_character: bool,
}

#[derive(Debug)]
struct Copied {
    range: Range<usize>,
    passage: usize,
    amount: String,
}

struct Library {
    /// The words of all passages, one after the other.
    words: Vec<u64>,
    /// Where each passage begins.
    starts: Vec<usize>,
    /// The first places of each run of words.
    runs: HashMap<u64, Vec<u32>, BuildHasherDefault<FxHasher>>,
}

impl Library {
    fn of(sources: &[SourcePassage]) -> Self {
        let mut library = Self {
            words: Vec::new(),
            starts: Vec::new(),
            runs: HashMap::default(),
        };
        for passage in sources {
            library.starts.push(library.words.len());
            let text = &passage.content;
            let words = words(text, &(0..text.len()));
            library.words.extend(words.iter().map(|word| word.hash));
        }
        for (at, run) in library.words.windows(RUN).enumerate() {
            let places = library.runs.entry(hash_of(run)).or_default();
            if places.len() < PLACES
                && let Ok(at) = u32::try_from(at)
            {
                places.push(at);
            }
        }
        library
    }

    /// The passages among some words that are copied. Each word is passed a few times
    /// at most: a match is followed to its end and then left behind.
    fn copied(&self, words: &[Word], least: Least) -> Vec<Copied> {
        let mut found = Vec::new();
        let mut at = 0;
        while at + RUN <= words.len() {
            let run: Vec<u64> = words[at..at + RUN].iter().map(|word| word.hash).collect();
            let places = self
                .runs
                .get(&hash_of(&run))
                .map(Vec::as_slice)
                .unwrap_or_default();
            let longest = places
                .iter()
                .map(|place| (self.common(*place as usize, &words[at..]), *place as usize))
                .max_by_key(|(length, _)| *length);
            let Some((length, place)) = longest.filter(|(length, _)| *length >= RUN) else {
                at += 1;
                continue;
            };
            let same = &words[at..at + length];
            if let Some(amount) = amount(same, least) {
                let passage = self
                    .starts
                    .partition_point(|start| *start <= place)
                    .saturating_sub(1);
                found.push(Copied {
                    range: words[at].range.start..words[at + length - 1].range.end,
                    passage,
                    amount,
                });
            }
            at += length;
        }
        found
    }

    /// How many words agree from a place on, within one passage.
    fn common(&self, place: usize, words: &[Word]) -> usize {
        let next = self.starts.partition_point(|start| *start <= place);
        let end = self.starts.get(next).copied().unwrap_or(self.words.len());
        let passage = self.words.get(place..end).unwrap_or_default();
        passage
            .iter()
            .zip(words)
            .take_while(|(known, word)| **known == word.hash)
            .count()
    }
}

/// How much it is, if it is enough.
fn amount(same: &[Word], least: Least) -> Option<String> {
    let characters = same.iter().filter(|word| word.is_character).count();
    let words = same.len() - characters;
    // Words and characters count together, each by its own measure.
    let is_enough =
        words * least.characters + characters * least.words >= least.words * least.characters;
    is_enough.then(|| {
        if characters > words {
            format!("{characters} characters")
        } else {
            format!("{words} words")
        }
    })
}

fn hash_of(run: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    run.hash(&mut hasher);
    hasher.finish()
}

/// The words in a range of a text.
fn words(text: &str, range: &Range<usize>) -> Vec<Word> {
    let mut words = Vec::new();
    let mut open: Option<(usize, FxHasher)> = None;
    let within = text.get(range.clone()).unwrap_or_default();
    let close = |open: &mut Option<(usize, FxHasher)>, end: usize, words: &mut Vec<Word>| {
        if let Some((start, hasher)) = open.take() {
            words.push(Word {
                hash: hasher.finish(),
                range: start..end,
                is_character: false,
            });
        }
    };
    for (at, c) in within.char_indices() {
        let at = range.start + at;
        if is_spaceless(c) {
            close(&mut open, at, &mut words);
            let mut hasher = FxHasher::default();
            hasher.write_u32(u32::from(c));
            words.push(Word {
                hash: hasher.finish(),
                range: at..at + c.len_utf8(),
                is_character: true,
            });
        } else if c.is_alphanumeric() {
            let (_, hasher) = open.get_or_insert_with(|| (at, FxHasher::default()));
            hasher.write_u32(u32::from(letters::lower(c)));
        } else if !matches!(c, '\'' | '’' | '*' | '_' | '\u{ad}') {
            close(&mut open, at, &mut words);
        }
    }
    close(&mut open, range.end, &mut words);
    words
}

/// Whether a character is of a script that is written without blanks.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}
