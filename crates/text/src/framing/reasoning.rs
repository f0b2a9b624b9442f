//! Finds reasoning that leaked into an answer: tagged blocks, and untagged
//! preambles that think about the request. It does not know which parts of a
//! text are code; the caller says so.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    phrases::{LANGUAGES, Thinking},
    sentences::first_sentences,
};

/// Reasoning in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The block with its tags; for an unclosed tag the tag alone; for a
    /// preamble everything in front of the answer.
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
    /// Sentences about the request, without tags, in front of the answer.
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
        r"(?ix)
        <(?P<close>/)?\s*(?P<name>think|thinking|thought|thoughts|reasoning|reflection|scratchpad|antthinking|inner_monologue|chain_of_thought)\s*>
        | \[(?P<bclose>/)?(?P<bname>THINK|THINKING|REASONING)\]
        | ◁(?P<kclose>/)?(?P<kname>think)▷
        | (?P<hopen>(?:<\|start\|>assistant)?<\|channel\|>\s*(?:analysis|commentary)\s*<\|message\|>)
        | (?P<hclose><\|end\|>|(?:<\|start\|>assistant)?<\|channel\|>\s*final\s*<\|message\|>)
        | (?P<sopen><\|begin_of_thought\|>)
        | (?P<sclose><\|end_of_thought\|>)
        ",
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
    for captures in TAG.captures_iter(text) {
        let Some(whole) = captures.get(0) else {
            continue;
        };
        if skip(whole.start()) {
            continue;
        }
        let has = |name: &str| captures.name(name).is_some();
        let named = ["name", "bname", "kname"]
            .iter()
            .find_map(|name| captures.name(name));
        let name = match named {
            Some(name) => name.as_str().to_lowercase(),
            None if has("hopen") || has("hclose") => "channel".to_owned(),
            None => "thought".to_owned(),
        };
        // `[THINK]` in lower case is a link or an option, not a tag.
        let bracket = captures
            .name("bname")
            .is_some_and(|name| name.as_str() != name.as_str().to_uppercase());
        if bracket {
            continue;
        }
        let closes = ["close", "bclose", "kclose", "hclose", "sclose"]
            .iter()
            .any(|name| has(name));
        tags.push(Tag {
            range: whole.range(),
            name,
            closes,
        });
    }
    tags
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
    let sentences = first_sentences(text);
    let start = sentences.first()?.range.start;
    // What begins as a heading, JSON or a fence is the answer itself.
    if starts_answer(text.get(start..)?) {
        return None;
    }
    let (sentence, thinking) = sentences.iter().take(LEAD_IN).find_map(|sentence| {
        let thinking = LANGUAGES
            .iter()
            .find_map(|language| language.thinking(&sentence.plain))?;
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
