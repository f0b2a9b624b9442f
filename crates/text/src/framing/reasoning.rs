//! Finds reasoning that leaked into an answer: tagged blocks, and untagged
//! preambles that think about the request. It does not know which parts of a
//! text are code; the caller says so.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    patterns::{self, Thinking},
    sentences::first_sentences,
};

/// Reasoning in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The block with its tags; for an unclosed tag the tag alone; for a
    /// preamble everything before the answer.
    pub range: Range<usize>,
    /// How it shows.
    pub kind: ReasoningKind,
    /// Whether the range holds reasoning and nothing else, so that it may be
    /// deleted without asking.
    pub certain: bool,
}

/// How reasoning shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningKind {
    /// Between tags such as `<think>`. Closed also where only the closing tag is
    /// left and everything before it is reasoning.
    Tagged {
        /// Whether the end is marked.
        closed: bool,
    },
    /// Sentences about the request, without tags, before the answer.
    Preamble,
}

/// All reasoning in `text`, in order. `skip` says which offsets are code or
/// otherwise quoted; tags that begin there do not count.
pub fn reasoning(text: &str, skip: &dyn Fn(usize) -> bool) -> Vec<Reasoning> {
    let mut found = tagged(text, skip);
    let starts_tagged = found.first().is_some_and(|first| {
        text.get(..first.range.start)
            .is_none_or(|before| before.trim().is_empty())
    });
    if !starts_tagged && let Some(preamble) = preamble(text) {
        found.retain(|tagged| tagged.range.start >= preamble.range.end);
        found.insert(0, preamble);
    }
    found
}

/// The names are those of published model formats: DeepSeek and Qwen (`think`),
/// Claude (`thinking`, `antThinking`), reflection models, Mistral (`[THINK]`),
/// harmony (`<|channel|>analysis`), Sky-T1 (`<|begin_of_thought|>`), Kimi (`◁think▷`).
#[expect(
    clippy::expect_used,
    reason = "a constant pattern, compiled in every test run"
)]
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) \A (?:
        <(?P<close>/)?\s*(?P<name>think|thinking|thought|thoughts|reasoning|reflection|scratchpad|antthinking|inner_monologue|chain_of_thought)\s*>
        | \[(?P<bclose>/)?(?P<bname>THINK|THINKING|REASONING)\]
        | ◁(?P<kclose>/)?(?P<kname>think)▷
        | (?P<hopen>(?:<\|start\|>assistant)?<\|channel\|>\s*(?:analysis|commentary)\s*<\|message\|>)
        | (?P<hclose><\|end\|>|(?:<\|start\|>assistant)?<\|channel\|>\s*final\s*<\|message\|>)
        | (?P<sopen><\|begin_of_thought\|>)
        | (?P<sclose><\|end_of_thought\|>)
        )",
    )
    .expect("the pattern is valid")
});

struct Tag {
    range: Range<usize>,
    name: String,
    closes: bool,
}

fn tags(text: &str, skip: &dyn Fn(usize) -> bool) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut at = 0;
    // The pattern is only tried where a tag can begin; run over the whole text it
    // would cost as much as parsing it.
    for start in memchr::memchr3_iter(b'<', b'[', KIMI[0], text.as_bytes()) {
        if start < at || !may_begin(&text.as_bytes()[start..]) {
            continue;
        }
        let Some(tag) = text.get(start..).and_then(|rest| tag_at(rest, start)) else {
            continue;
        };
        at = tag.range.end;
        if !skip(start) {
            tags.push(tag);
        }
    }
    tags
}

/// The first bytes of `◁`.
const KIMI: [u8; 3] = [0xE2, 0x97, 0x81];

/// Whether the first bytes are those of one of the tags.
fn may_begin(rest: &[u8]) -> bool {
    match rest {
        [b'<', b'|', ..] => true,
        [b'<', b'/', next, ..] | [b'<', next, ..] => {
            next.is_ascii_whitespace() || b"trsaic".contains(&next.to_ascii_lowercase())
        }
        [b'[', b'/', next, ..] | [b'[', next, ..] => b"TR".contains(next),
        _ => rest.starts_with(&KIMI),
    }
}

/// The tag at the start of `rest`, which begins at `base`.
fn tag_at(rest: &str, base: usize) -> Option<Tag> {
    let captures = TAG.captures(rest)?;
    let has = |name: &str| captures.name(name).is_some();
    // `[THINK]` in lower case is a link or an option, not a tag.
    let in_capitals = |name: regex::Match<'_>| name.as_str() == name.as_str().to_uppercase();
    if !captures.name("bname").is_none_or(in_capitals) {
        return None;
    }
    let named = ["name", "bname", "kname"]
        .iter()
        .find_map(|name| captures.name(name));
    let name = match named {
        Some(name) => name.as_str().to_lowercase(),
        None if has("hopen") || has("hclose") => "channel".to_owned(),
        None => "thought".to_owned(),
    };
    let closes = ["close", "bclose", "kclose", "hclose", "sclose"]
        .iter()
        .any(|name| has(name));
    Some(Tag {
        range: base..base + captures.get(0)?.end(),
        name,
        closes,
    })
}

fn tagged(text: &str, skip: &dyn Fn(usize) -> bool) -> Vec<Reasoning> {
    let mut found: Vec<Reasoning> = Vec::new();
    let mut open: Option<Tag> = None;
    for tag in tags(text, skip) {
        match (&open, tag.closes) {
            (None, false) => open = Some(tag),
            (Some(start), true) if start.name == tag.name => {
                found.push(block(start.range.start..tag.range.end));
                open = None;
            }
            // A model whose prompt ended in the opening tag leaves only the
            // closing one. The channel tags of harmony frame answers, too.
            (None, true) if tag.name != "channel" && found.is_empty() => {
                let start = text.len() - text.trim_start().len();
                found.push(block(start..tag.range.end));
            }
            // Another tag inside a block is part of the reasoning.
            _ => {}
        }
    }
    if let Some(start) = open {
        found.push(Reasoning {
            range: start.range,
            kind: ReasoningKind::Tagged { closed: false },
            certain: false,
        });
    }
    found
}

fn block(range: Range<usize>) -> Reasoning {
    Reasoning {
        range,
        kind: ReasoningKind::Tagged { closed: true },
        certain: true,
    }
}

/// How many sentences a preamble may take before it speaks of the request:
/// "Okay, let's see. The user wants …".
const LEAD_IN: usize = 3;

fn preamble(text: &str) -> Option<Reasoning> {
    let mut sentences = first_sentences(text).peekable();
    let start = sentences.peek()?.range.start;
    // What begins as a heading, JSON or a fence is the answer itself.
    if starts_answer(text.get(start..)?) {
        return None;
    }
    let (sentence, thinking) = sentences.take(LEAD_IN).find_map(|sentence| {
        let thinking = patterns::thinking(&sentence.plain(text))?;
        Some((sentence, thinking))
    })?;
    let answer = answer_start(text, sentence.range.start);
    let certain = match (thinking, answer) {
        (Thinking::Certain, found) => found.is_some(),
        (Thinking::BeforeJson, Some(at)) => is_json_to_the_end(text.get(at..)?),
        (Thinking::BeforeJson, None) => false,
    };
    if !certain && thinking == Thinking::BeforeJson {
        return None;
    }
    let end = answer.unwrap_or(sentence.range.end);
    let range = start..start + text.get(start..end)?.trim_end().len();
    Some(Reasoning {
        range,
        kind: ReasoningKind::Preamble,
        certain,
    })
}

/// The first line after `from` that an answer begins with.
fn answer_start(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    for line in text.get(from..)?.split_inclusive('\n') {
        if at > from && starts_answer(line) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn starts_answer(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    (heading.len() < line.len() && heading.starts_with(' '))
        || line.starts_with("---")
        || is_json_start(line)
        || line.starts_with("~~~")
        || line.starts_with("```")
}

fn is_json_start(line: &str) -> bool {
    line.starts_with(['{', '['])
}

/// Whether nothing but JSON follows. A lesson about JSON has prose around it,
/// or a fence.
fn is_json_to_the_end(answer: &str) -> bool {
    let answer = answer.trim_end();
    (answer.starts_with('{') && answer.ends_with('}'))
        || (answer.starts_with('[') && answer.ends_with(']'))
}
