//! Finds reasoning that leaked into an answer: tagged blocks, and untagged
//! preambles that think about the request. It does not know which parts of a
//! text are code; the caller says so.
//!
//! | in the text | in an answer | in a field of one |
//! |---|---|---|
//! | `<think>…</think>` | the block | the block |
//! | `<think>` without an end | the tag, in doubt | the tag, in doubt |
//! | words, then `</think>`, nothing before them | the words and the tag; certain where the answer begins after it or the words think | the tag |
//! | `</think>` anywhere else | the tag; certain where it is alone on its line | the tag, likewise |
//! | `analysis…assistantfinal`, channels without their tokens | all of it | – |
//! | sentences about the request | up to the answer | the sentences, in doubt |
//!
//! Blocks and tags that stand beside each other are one finding, so that they are
//! deleted in one step.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use crate::wrappers;

use super::{
    patterns::{self, Thinking},
    sentences::first_sentences,
};

/// Reasoning in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The block with its tags; for a tag without its partner the tag alone; for a
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
    /// Between tags such as `<think>`.
    Tagged {
        /// Whether the end is marked.
        closed: bool,
    },
    /// Everything before a closing tag that nothing opens, at the start of an
    /// answer: the prompt of the model ended in the opening tag.
    Unopened,
    /// A closing tag that nothing opens.
    StrayTag,
    /// Sentences about the request, without tags, before the answer.
    Preamble,
}

/// What a text is to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Answer,
    Field,
}

/// All reasoning in an answer, in order. `skip` says which offsets are code or
/// otherwise quoted; tags that begin there do not count.
pub fn reasoning(text: &str, skip: &dyn Fn(usize) -> bool) -> Vec<Reasoning> {
    let mut found = tagged(text, skip, Scope::Answer);
    add_preamble(text, &mut found);
    if let Some(range) = without_tokens(text) {
        found.retain(|other| other.range.start >= range.end);
        found.insert(
            0,
            Reasoning {
                range,
                kind: ReasoningKind::Tagged { closed: true },
                certain: true,
            },
        );
    }
    found
}

/// The channels of harmony after a program dropped the control tokens around their
/// names: `analysisWe need …assistantfinal# Water`.
fn without_tokens(text: &str) -> Option<Range<usize>> {
    const LAST: &str = "assistantfinal";
    let start = text.len() - text.trim_start().len();
    let rest = text.get(start..)?.strip_prefix("analysis")?;
    rest.starts_with(char::is_uppercase).then_some(())?;
    let end = text.rfind(LAST)? + LAST.len();
    Some(start..end)
}

/// All reasoning in a text that is only a part of an answer, such as a section: what
/// comes before a lonely closing tag is teaching there, and sentences about the
/// request are never certain.
pub fn reasoning_in_field(text: &str, skip: &dyn Fn(usize) -> bool) -> Vec<Reasoning> {
    let mut found = tagged(text, skip, Scope::Field);
    add_preamble(text, &mut found);
    for thought in &mut found {
        thought.certain &= thought.kind != ReasoningKind::Preamble;
    }
    found
}

fn add_preamble(text: &str, found: &mut Vec<Reasoning>) {
    let starts_tagged = found.first().is_some_and(|first| {
        text.get(..first.range.start)
            .is_none_or(|before| before.trim().is_empty())
    });
    if !starts_tagged && let Some(preamble) = preamble(text) {
        found.retain(|tagged| tagged.range.start >= preamble.range.end);
        found.insert(0, preamble);
    }
}

/// The names are those of published model formats: DeepSeek and Qwen (`think`),
/// Claude (`thinking`, `antThinking`), reflection models, Mistral (`[THINK]`),
/// Seed (`seed:think`), harmony (`<|channel|>analysis`), Sky-T1 (`<|begin_of_thought|>`), Kimi (`◁think▷`).
#[expect(
    clippy::expect_used,
    reason = "a constant pattern, compiled in every test run"
)]
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix) \A (?:
        <(?P<close>/)?\s*(?P<name>think|seed:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|antthinking|inner_monologue|chain_of_thought)\s*>
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

fn tagged(text: &str, skip: &dyn Fn(usize) -> bool, scope: Scope) -> Vec<Reasoning> {
    let mut found: Vec<Reasoning> = Vec::new();
    let mut open: Option<Tag> = None;
    for tag in tags(text, skip) {
        match (&open, tag.closes) {
            (None, false) => open = Some(tag),
            (Some(start), true) if start.name == tag.name => {
                let block = start.range.start..tag.range.end;
                add(
                    &mut found,
                    text,
                    block,
                    ReasoningKind::Tagged { closed: true },
                );
                open = None;
            }
            // The channel tags of harmony frame answers, too.
            (None, true) if tag.name != "channel" => {
                let start = text.len() - text.trim_start().len();
                if scope == Scope::Answer && found.is_empty() && start < tag.range.start {
                    add(
                        &mut found,
                        text,
                        start..tag.range.end,
                        ReasoningKind::Unopened,
                    );
                } else {
                    add(&mut found, text, tag.range, ReasoningKind::StrayTag);
                }
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
    for thought in &mut found {
        thought.certain = match thought.kind {
            ReasoningKind::Tagged { closed } => closed,
            ReasoningKind::Unopened => is_reasoning(text, &thought.range),
            ReasoningKind::StrayTag => is_alone(text, &thought.range),
            ReasoningKind::Preamble => thought.certain,
        };
    }
    found
}

/// Adds a block or tag; one that follows another with nothing between is part of it.
fn add(found: &mut Vec<Reasoning>, text: &str, range: Range<usize>, kind: ReasoningKind) {
    if let Some(last) = found.last_mut()
        && text
            .get(last.range.end..range.start)
            .is_some_and(|between| between.trim().is_empty())
    {
        last.range.end = range.end;
        if last.kind == ReasoningKind::StrayTag {
            last.kind = kind;
        }
        return;
    }
    found.push(Reasoning {
        range,
        kind,
        certain: false,
    });
}

/// Whether what stands before a lonely closing tag is reasoning: it has no heading,
/// and either the answer begins after the tag or its first sentences think about the
/// request. A lesson that mentions such a tag must not lose the text before it.
fn is_reasoning(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(range.clone()).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let after = after[wrappers::leading_tokens(after)..].trim_start();
    let begins = after.starts_with("# ")
        || after.starts_with("---")
        || after.starts_with("```")
        || after.starts_with("~~~")
        || after.starts_with('{')
        || after.starts_with("[{")
        || super::opening(after).is_some();
    let thinks = || {
        first_sentences(before)
            .take(LEAD_IN)
            .any(|sentence| patterns::thinking(&sentence.plain(before)).is_some())
    };
    !after.is_empty() && !before.lines().any(is_heading) && (begins || thinks())
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && rest.starts_with(' ')
}

/// Whether nothing else is on the line of a tag, or on one side of it in the whole
/// text. Between words the tag may be what they speak of.
fn is_alone(text: &str, range: &Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let line_before = before.rsplit('\n').next().unwrap_or_default();
    let line_after = after.split('\n').next().unwrap_or_default();
    (line_before.trim().is_empty() && line_after.trim().is_empty()) || before.trim().is_empty()
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
    is_heading(line)
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
