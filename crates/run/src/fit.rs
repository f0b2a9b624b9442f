//! Chooses what goes into a prompt if not everything fits the context window. Components are kept
//! or left out as a whole, and nothing is left out silently: a note tells the model, and an
//! [`InputCut`] becomes an event. Knows no model and counts no tokens; the caller provides counts
//! and limit.
//!
//! | | it fits | it does not |
//! |---|---|---|
//! | the document | whole | required components, then the others in their order while they fit |
//! | sources | whole | the chunks closest to each component of the document, in turns, while they fit |
//!
//! Sources are split into chunks of one or more paragraphs. A chunk is named `source_3` if it is
//! the whole third source, otherwise `source_3.2` for its second chunk. Models refer to chunks by
//! these names.

mod chunks;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use redraft_text::bm25::Index;
use redraft_text::language::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use chunks::chunks;

/// Tokens reserved for the note. A note names at most [`NAMED`] ranges, which bounds its length.
pub const NOTE_TOKENS: u64 = 150;

/// The default limit of sources, in tokens by the upper estimate: 4,000 characters in any script.
/// For a longer document the limit is its own length, so that sources never outgrow the document.
pub const SOURCES: u64 = 8_000;

/// How many ranges of omitted components a note names.
const NAMED: usize = 8;

/// How many components take turns in choosing chunks. If there are more, neighbours share a turn.
/// Together with the bound on words in `bm25` this keeps the work linear in the size of the
/// sources.
const TURNS: usize = 64;

/// The limits of a prompt, in tokens by the upper estimate that reservations use
/// (`crate::token_estimate::estimated_tokens`). What fits by that estimate also fits by a
/// tokeniser's count, which is lower for prose in every script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenLimits {
    /// The whole prompt; `None` if the context window is unknown, in which case nothing of a
    /// document is left out.
    pub prompt: Option<u64>,
    /// The sources in it; the default is [`TokenLimits::for_sources`].
    pub sources: Option<u64>,
}

impl TokenLimits {
    /// The limit of the sources in a prompt about a document of `document` tokens.
    #[must_use]
    pub fn for_sources(&self, document: u64) -> u64 {
        self.sources.unwrap_or(document.max(SOURCES))
    }
}

/// A component of the document with its size.
#[derive(Clone, Copy, Debug)]
pub struct SizedComponent<'a> {
    /// The component's id, such as `sec_3`.
    pub id: &'a str,
    pub tokens: u64,
    pub need: Need,
}

/// Whether a component may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The question is about it.
    Must,
    /// It is only context.
    May,
}

/// What was left out, for the event `input_cut`.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct InputCut {
    /// Of what.
    pub of: Input,
    /// The names of what was left out, in their order.
    pub parts: Vec<String>,
    /// How many there are, those that were left out among them.
    pub all: usize,
    /// How many tokens were left out.
    pub tokens: u64,
    /// What the prompt says about it.
    pub note: String,
}

impl fmt::Display for InputCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.all.saturating_sub(self.parts.len());
        let what = match self.of {
            Input::Document => "parts",
            Input::Sources => "passages of the sources",
        };
        write!(f, "{shown} of {} {what}; {}", self.all, self.note)
    }
}

/// What was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The document itself.
    Document,
    /// The sources it was written from.
    Sources,
}

/// The required components do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the prompt needs {needed} tokens, and the context window holds {limit}")]
pub struct TooLong {
    /// The minimum, in tokens.
    pub needed: u64,
    pub limit: u64,
}

/// The components that go into a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedComponents {
    /// Their indices, in order.
    pub kept: Vec<usize>,
    pub cut: Option<InputCut>,
}

/// Decides which components of a document go into a prompt.
///
/// # Errors
/// If the required components do not fit, or no component does.
pub fn components(
    components: &[SizedComponent<'_>],
    limit: u64,
) -> Result<FittedComponents, TooLong> {
    let sum =
        |components: &mut dyn Iterator<Item = u64>| components.fold(0u64, u64::saturating_add);
    let total = sum(&mut components.iter().map(|component| component.tokens));
    if total <= limit {
        return Ok(FittedComponents {
            kept: (0..components.len()).collect(),
            cut: None,
        });
    }
    let is_must = |component: &&SizedComponent<'_>| component.need == Need::Must;
    let must = sum(&mut components
        .iter()
        .filter(is_must)
        .map(|component| component.tokens));
    let least = if components.iter().any(|component| is_must(&component)) {
        must
    } else {
        let smallest = components.iter().map(|component| component.tokens).min();
        smallest.unwrap_or_default()
    };
    let needed = least.saturating_add(NOTE_TOKENS);
    if needed > limit {
        return Err(TooLong { needed, limit });
    }
    let mut left = limit - NOTE_TOKENS - must;
    let mut kept = Vec::new();
    for (index, component) in components.iter().enumerate() {
        if component.need == Need::Must {
            kept.push(index);
        } else if component.tokens <= left {
            left -= component.tokens;
            kept.push(index);
        }
    }
    let names: Vec<&str> = components.iter().map(|component| component.id).collect();
    let tokens: Vec<u64> = components
        .iter()
        .map(|component| component.tokens)
        .collect();
    Ok(FittedComponents {
        cut: cut(Input::Document, &names, &tokens, &kept),
        kept,
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The name: `source_3`, or `source_3.2` for its second chunk.
    pub id: String,
    /// Index of the source, from 0.
    pub source: usize,
    pub range: Range<usize>,
}

/// The chunks that go into a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedSources {
    /// In the order of the sources.
    pub kept: Vec<Chunk>,
    pub cut: Option<InputCut>,
}

/// What the sources are needed for, and how much of them fits.
pub struct SourceRequest<'a> {
    /// The texts of the components that they should support, in order.
    pub components: &'a [&'a str],
    /// The language of the sources, for stemming.
    pub language: Option<Language>,
    pub limit: u64,
    pub count: &'a dyn Fn(&str) -> u64,
}

impl fmt::Debug for SourceRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceRequest")
            .field("components", &self.components.len())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Decides which sources, or which chunks of them, go into a prompt. If no component shares a word
/// with any of them, they are taken in order: retrieval puts the best first.
#[must_use]
pub fn sources(sources: &[&str], wanted: &SourceRequest<'_>) -> FittedSources {
    let total = sources
        .iter()
        .fold(0u64, |sum, text| sum.saturating_add((wanted.count)(text)));
    let is_empty = |index: &usize| {
        sources
            .get(*index)
            .is_none_or(|text| text.trim().is_empty())
    };
    if total <= wanted.limit {
        return FittedSources {
            kept: (0..sources.len())
                .filter(|index| !is_empty(index))
                .map(|index| Chunk {
                    id: format!("source_{}", index + 1),
                    source: index,
                    range: 0..sources.get(index).map_or(0, |text| text.len()),
                })
                .collect(),
            cut: None,
        };
    }
    let found: Vec<Chunk> = sources
        .iter()
        .enumerate()
        .flat_map(|(index, text)| chunks(index, text))
        .collect();
    let text_of = |chunk: &Chunk| {
        let source = sources.get(chunk.source).copied().unwrap_or_default();
        source.get(chunk.range.clone()).unwrap_or_default()
    };
    let texts: Vec<&str> = found.iter().map(text_of).collect();
    let tokens: Vec<u64> = texts.iter().map(|text| (wanted.count)(text)).collect();
    let left = wanted.limit.saturating_sub(NOTE_TOKENS);
    let kept: Vec<usize> = choose(&texts, &tokens, wanted, left).into_iter().collect();
    let names: Vec<&str> = found.iter().map(|chunk| chunk.id.as_str()).collect();
    FittedSources {
        cut: cut(Input::Sources, &names, &tokens, &kept),
        kept: kept
            .iter()
            .filter_map(|index| found.get(*index).cloned())
            .collect(),
    }
}

/// The chunks closest to each component, in turns, while they fit.
fn choose(
    texts: &[&str],
    tokens: &[u64],
    wanted: &SourceRequest<'_>,
    mut left: u64,
) -> BTreeSet<usize> {
    let chunks = Index::new(texts.iter().copied(), wanted.language);
    let mut turns: Vec<std::vec::IntoIter<usize>> = turns(wanted.components)
        .iter()
        .map(|text| chunks.nearest(text).into_iter())
        .filter(|ranked| ranked.len() > 0)
        .collect();
    if turns.is_empty() {
        turns.push((0..texts.len()).collect::<Vec<_>>().into_iter());
    }
    let mut kept = BTreeSet::new();
    // A chunk that did not fit never will: the remaining space only shrinks.
    let mut refused = BTreeSet::new();
    while !turns.is_empty() {
        turns.retain_mut(|ranked| {
            let new = ranked.find(|index| !kept.contains(index) && !refused.contains(index));
            let Some(index) = new else { return false };
            let size = tokens.get(index).copied().unwrap_or(u64::MAX);
            if size <= left {
                left -= size;
                kept.insert(index);
            } else {
                refused.insert(index);
            }
            true
        });
    }
    kept
}

/// The texts of the components, with neighbours joined if there are too many.
fn turns(components: &[&str]) -> Vec<String> {
    let each = components.len().div_ceil(TURNS).max(1);
    components
        .chunks(each)
        .map(|texts| texts.join("\n"))
        .collect()
}

/// Records what was left out; `None` if nothing was.
#[must_use]
pub fn cut(of: Input, names: &[&str], tokens: &[u64], kept: &[usize]) -> Option<InputCut> {
    let kept: BTreeSet<usize> = kept.iter().copied().collect();
    let left: Vec<usize> = (0..names.len())
        .filter(|index| !kept.contains(index))
        .collect();
    if left.is_empty() {
        return None;
    }
    let sum = left
        .iter()
        .filter_map(|index| tokens.get(*index))
        .fold(0u64, |sum, tokens| sum.saturating_add(*tokens));
    Some(InputCut {
        of,
        parts: left
            .iter()
            .filter_map(|index| names.get(*index))
            .map(|name| (*name).to_owned())
            .collect(),
        all: names.len(),
        tokens: sum,
        note: note(of, names, &left, sum),
    })
}

/// The note's wording: `parts sec_7 to sec_9 were left out, 4200 tokens`.
fn note(of: Input, names: &[&str], left: &[usize], tokens: u64) -> String {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for index in left {
        match stretches.last_mut() {
            Some(last) if last.end == *index => last.end += 1,
            _ => stretches.push(*index..index + 1),
        }
    }
    let name = |index: usize| names.get(index).copied().unwrap_or_default();
    let mut said: Vec<String> = stretches
        .iter()
        .take(NAMED)
        .map(|stretch| match stretch.len() {
            1 => name(stretch.start).to_owned(),
            2 => format!("{}, {}", name(stretch.start), name(stretch.end - 1)),
            _ => format!("{} to {}", name(stretch.start), name(stretch.end - 1)),
        })
        .collect();
    let more: usize = stretches
        .iter()
        .skip(NAMED)
        .map(ExactSizeIterator::len)
        .sum();
    if more > 0 {
        said.push(format!("and {more} more"));
    }
    let what = match (of, left.len()) {
        (Input::Document, 1) => "part",
        (Input::Document, _) => "parts",
        (Input::Sources, 1) => "passage",
        (Input::Sources, _) => "passages",
    };
    let were = if left.len() == 1 { "was" } else { "were" };
    format!(
        "{what} {} {were} left out, {tokens} tokens",
        said.join(", ")
    )
}

#[cfg(test)]
mod tests;
