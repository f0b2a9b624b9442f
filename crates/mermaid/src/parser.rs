//! Wraps the library that parses Mermaid in one function. No other file uses it.
//!
//! It is asked only about texts of a size that mermaid itself would draw, and a
//! panic inside it is an answer like any other: it does not know.

use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use merman_core::diagram::RenderSemanticModel;
use merman_core::{Engine, Error, ParseOptions};

use super::kind::{self, Kind};

/// Mermaid does not draw longer texts (`maxTextSize`); they are not judged.
pub(super) const LONGEST: usize = 50_000;
/// No published diagram comes near; beyond it the library's cost is not linear.
const MOST_LINES: usize = 2_000;
const LONGEST_LINE: usize = 8_000;
/// Links that `A & B --> C & D` may expand to.
const MOST_PAIRS: usize = 20_000;
/// Brackets open at once, and blocks open at once. The library descends
/// recursively.
const DEEPEST: usize = 64;

/// What the library says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Accepted,
    Rejected(Rejection),
    /// Not asked, or it broke down.
    Unknown,
}

/// Why the library rejects a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    /// The library's name of the kind of diagram; empty if it saw none.
    pub(super) kind: String,
    /// Its words. They mislead readers and are never shown.
    pub(super) words: String,
    /// Where it stopped, if it knows.
    pub(super) at: Option<Range<usize>>,
}

/// The names of the nodes of a flowchart, and its links from one to another.
pub(super) type FlowGraph = (BTreeSet<String>, Vec<(String, String)>);

/// Reads one or many texts.
pub(super) struct Parser {
    engine: Engine,
}

impl Parser {
    pub(super) fn new() -> Self {
        Self {
            engine: Engine::new(),
        }
    }

    /// Whether the text is a diagram in the library's eyes.
    pub(super) fn read(&self, text: &str) -> Reading {
        if text.len() > LONGEST || is_beyond_reason(text) {
            return Reading::Unknown;
        }
        let plain = without_wide_spaces(text);
        let text = plain.as_deref().unwrap_or(text);
        let answer = catch_unwind(AssertUnwindSafe(|| {
            self.engine
                .parse_diagram_for_render_model_sync(text, ParseOptions::strict())
                .map(|diagram| diagram.is_some())
        }));
        match answer {
            Ok(Ok(true)) => Reading::Accepted,
            Ok(Ok(false)) => Reading::Rejected(Rejection::without_kind("no diagram")),
            Ok(Err(error)) => rejection(error, text),
            Err(_) => Reading::Unknown,
        }
    }
}

impl Parser {
    /// The nodes of a flowchart and its links, each from one node to another, as the
    /// library reads them; `None` if it does not read the text as a flowchart.
    pub(super) fn flow_graph(&self, text: &str) -> Option<FlowGraph> {
        if is_beyond_reason(text) {
            return None;
        }
        let answer = catch_unwind(AssertUnwindSafe(|| {
            self.engine
                .parse_diagram_for_render_model_sync(text, ParseOptions::strict())
        }));
        match answer.ok()?.ok()??.into_parts().1 {
            RenderSemanticModel::Flowchart(flowchart) => Some((
                flowchart.nodes.into_iter().map(|node| node.id).collect(),
                flowchart
                    .edges
                    .into_iter()
                    .map(|edge| (edge.from, edge.to))
                    .collect(),
            )),
            _ => None,
        }
    }
}

/// The library panics at a space beyond ASCII in an entity-relationship diagram,
/// where mermaid sees white space: as many plain spaces keep the offsets.
fn without_wide_spaces(text: &str) -> Option<String> {
    let is_wide = |c: char| !c.is_ascii() && c.is_whitespace();
    if !text.contains(is_wide) || kind::header(text)?.kind != Some(Kind::Er) {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if is_wide(c) {
            plain.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            plain.push(c);
        }
    }
    Some(plain)
}

impl Rejection {
    fn without_kind(words: &str) -> Self {
        Self {
            kind: String::new(),
            words: words.to_owned(),
            at: None,
        }
    }
}

fn rejection(error: Error, text: &str) -> Reading {
    Reading::Rejected(match error {
        Error::DiagramParse {
            diagram_type,
            diagnostic,
        } => Rejection {
            kind: diagram_type,
            words: diagnostic.message().to_owned(),
            at: diagnostic
                .span()
                .map(|span| span.start..span.end.max(span.start))
                .filter(|range| text.get(range.clone()).is_some()),
        },
        Error::DetectType(_) => Rejection::without_kind("no diagram type"),
        Error::MalformedFrontMatter | Error::InvalidFrontMatterYaml { .. } => {
            Rejection::without_kind("front matter")
        }
        Error::InvalidDirectiveJson { .. } => Rejection::without_kind("directive"),
        Error::UnsupportedDiagram { .. }
        | Error::OperationCancelled(_)
        | Error::ThemeColor(_)
        | Error::RuntimePolicy(_) => return Reading::Unknown,
    })
}

/// Whether a text is of a size or shape on which the library's cost or its
/// stack is not bounded.
fn is_beyond_reason(text: &str) -> bool {
    let (mut lines, mut links) = (0usize, 0usize);
    for line in text.lines() {
        lines += 1;
        // `A & B --> C & D` means every pair.
        let joined = line.bytes().filter(|byte| *byte == b'&').count();
        links += joined * joined / 4;
        if line.len() > LONGEST_LINE || links > MOST_PAIRS || lines > MOST_LINES {
            return true;
        }
    }
    brackets_open(text) > DEEPEST || blocks_open(text) > DEEPEST
}

/// The most brackets open at once; closers take back, so that flat diagrams of
/// any length pass.
fn brackets_open(text: &str) -> usize {
    let is_er = kind::header(text).is_some_and(|header| header.kind == Some(Kind::Er));
    let (mut depth, mut deepest, mut before) = (0usize, 0usize, b' ');
    for byte in text.bytes() {
        match byte {
            // `||--o{` is a relation.
            b'{' if is_er && matches!(before, b'|' | b'o') => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
        before = byte;
    }
    deepest
}

/// The most blocks open at once.
fn blocks_open(text: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        match word {
            "subgraph" | "alt" | "loop" | "opt" | "par" | "critical" | "break" | "rect" | "box"
            | "block" | "par_over" => depth += 1,
            "end" => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
