//! JSON content: one value, the values of a bank, or a value a line.

use std::ops::Range;
use std::sync::Arc;

use redraft_text::json::{self, Json, Kind};

use super::find::JsonInAnswer;
use super::pieces::{self, Side};
use super::values::{self, Values};
use super::{Form, FormKind, Outside, Raw, Recovered, Trouble};
use crate::source::Source;

/// The values of a large list that is all of a text and written as JSON wants it.
pub(super) fn large_list(text: &str) -> Option<Vec<Range<usize>>> {
    let at = text.len() - text.trim_start().len();
    let ranges = values::of_large_list(text, at)?;
    let sound = |range: &Range<usize>| {
        let value = json::scan(text, range.clone());
        value.complete() && value.recoveries.is_empty() && value.end == range.end
    };
    ranges.iter().all(sound).then_some(ranges)
}

pub(super) fn read_large_list(source: Source, text: &Arc<str>, ranges: Vec<Range<usize>>) -> Raw {
    Raw {
        source,
        form: Form::JsonLines(Values::new(text, ranges)),
        outside: Vec::new(),
        recovered: Vec::new(),
        kind: FormKind::Json,
    }
}

/// Reads the JSON that was found: one value, or the values of a bank.
pub(super) fn read(
    source: Source,
    text: &Arc<str>,
    found: JsonInAnswer,
    outside: Vec<Outside>,
) -> Raw {
    if found.values.len() > 1 {
        let recovered = found
            .values
            .iter()
            .flat_map(|range| recoveries(&json::scan(text, range.clone())))
            .collect();
        return Raw {
            source,
            form: Form::JsonLines(Values::new(text, found.values)),
            outside,
            recovered,
            kind: FormKind::Json,
        };
    }
    let start = found.values.first().map_or(0, |range| range.start);
    let value = found
        .read
        .unwrap_or_else(|| json::scan(text, start..text.len()));
    let recovered = recoveries(&value);
    Raw {
        source,
        form: Form::Json(value),
        outside,
        recovered,
        kind: FormKind::Json,
    }
}

/// Reads a value a line; a broken line does not spoil the next. A line that no value
/// begins stands outside.
pub(super) fn read_lines(source: Source, text: &Arc<str>) -> Raw {
    let mut ranges = Vec::new();
    let mut recovered = Vec::new();
    let mut outside: Vec<Outside> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let blank = line.len() - line.trim_start().len();
        if blank == line.len() {
            continue;
        }
        let invisible = line.len() - line.trim_start_matches(pieces::is_invisible).len();
        let begin = range.start + invisible;
        if !text[begin..].starts_with(['{', '[', '"']) {
            // Each line is a piece of its own: it may be a value that was lost.
            outside.extend(pieces::pieces(text, range, &[], Side::Before));
            continue;
        }
        if invisible > blank {
            outside.extend(pieces::pieces(text, range.start..begin, &[], Side::Before));
        }
        // What breaks off does so in its own line, not at the beginning of the next.
        let end = range.start + line.trim_end().len();
        let value = json::scan(text, begin..end);
        recovered.extend(recoveries(&value));
        if value.complete() && value.end < end {
            outside.extend(pieces::pieces(text, value.end..end, &[], Side::After));
        }
        ranges.push(begin..end);
    }
    Raw {
        source,
        form: Form::JsonLines(Values::new(text, ranges)),
        outside,
        recovered,
        kind: FormKind::JsonLines,
    }
}

fn recoveries(value: &Json) -> Vec<Recovered> {
    let mut recovered: Vec<Recovered> = value
        .recoveries
        .iter()
        .map(|recovery| Recovered {
            what: Trouble::Json(recovery.kind.clone()),
            range: recovery.span.clone(),
            edits: recovery.edits.clone(),
            certain: recovery.certain,
        })
        .collect();
    recovered.extend(stopped_by_limit(value));
    recovered.extend(enveloped(value));
    if value.recoveries_omitted > 0 {
        recovered.push(Recovered {
            what: Trouble::More(value.recoveries_omitted),
            range: last_span(value),
            edits: Vec::new(),
            certain: false,
        });
    }
    recovered
}

/// A field in which the generator says why it stopped, at the top or in the
/// metadata, as the usual services name it.
fn stopped_by_limit(value: &Json) -> Option<Recovered> {
    let root = value.root()?;
    let reason = [Some(root), root.get("metadata")]
        .into_iter()
        .flatten()
        .flat_map(|node| {
            [
                node.get("finish_reason"),
                node.get("stop_reason"),
                node.get("finishReason"),
            ]
        })
        .flatten()
        .find(|reason| {
            matches!(
                reason.as_str(),
                Some("length" | "max_tokens" | "MAX_TOKENS" | "max_output_tokens")
            )
        })?;
    Some(Recovered {
        what: Trouble::StoppedByLimit,
        range: reason.span(),
        edits: Vec::new(),
        certain: false,
    })
}

/// A field of a model's API that holds nearly everything, beside some short ones: what was
/// asked for is inside, and programs that expect it do not find it.
fn enveloped(value: &Json) -> Option<Recovered> {
    const FIELDS: [&str; 15] = [
        "response",
        "output",
        "answer",
        "final_answer",
        "completion",
        "generated_text",
        "choices",
        "candidates",
        "message",
        "messages",
        "arguments",
        "tool_calls",
        "result",
        "assistant",
        "text",
    ];
    const MOST_TURNS: usize = 8;
    let root = value.root()?;
    let whole = root.span();
    let holders = match root.kind() {
        Kind::Array => root.items().take(MOST_TURNS).collect(),
        _ => vec![root],
    };
    let (holder, name, node) = holders.into_iter().find_map(|holder| {
        let is_turn = holder.get("role").is_some() && holder.get("content").is_some();
        let turn = is_turn.then_some("content");
        let mut names = FIELDS.iter().copied().chain(turn);
        names.find_map(|name| {
            let node = holder.get(name)?;
            matches!(node.kind(), Kind::Object | Kind::Array).then_some((holder, name, node))
        })
    })?;
    let extent = node.span();
    let size = if root.kind() == Kind::Array {
        holder.span().len()
    } else {
        whole.len()
    };
    (extent.len() * 5 > size * 4).then(|| Recovered {
        what: Trouble::Enveloped(name),
        range: whole.start..extent.start.max(whole.start),
        edits: Vec::new(),
        certain: false,
    })
}

fn last_span(value: &Json) -> Range<usize> {
    value
        .recoveries
        .last()
        .map_or(value.end..value.end, |recovery| recovery.span.clone())
}
