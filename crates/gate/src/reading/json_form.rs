//! JSON content: one value with whatever stands around it, or a value a line.

use std::ops::Range;
use std::sync::Arc;

use redraft_text::json::{self, Json};

use super::values::{self, Values};
use super::wrapping::{self, Opening};
use super::{Form, Raw, Recovered, Trouble};
use crate::source::Source;

/// Reads the JSON value that begins at `at`; where more values follow it, the
/// file is a bank with one value after the other. A large list is one, too.
pub(super) fn read(source: Source, text: &Arc<str>, at: usize, opening: Opening) -> Raw {
    let bare = opening.outside.is_empty();
    if bare && let Some(ranges) = values::of_large_list(text, at) {
        let sound = |range: &Range<usize>| {
            let value = json::scan(text, range.clone());
            value.complete() && value.recoveries.is_empty() && value.end == range.end
        };
        if ranges.iter().all(sound) {
            return Raw {
                source,
                form: Form::JsonLines(Values::new(text, ranges)),
                outside: Vec::new(),
                recovered: Vec::new(),
            };
        }
    }
    let first = json::scan(text, at..text.len());
    if bare && first.complete() && next_value(text, first.end).is_some() {
        let mut recovered = recoveries(&first);
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut end = first.end;
        ranges.push(at..end);
        while let Some(start) = next_value(text, end) {
            let value = json::scan(text, start..text.len());
            end = value.end.max(start + 1);
            recovered.extend(recoveries(&value));
            ranges.push(start..end);
        }
        return lines(source, text, ranges, recovered);
    }
    let mut outside = opening.outside;
    outside.extend(wrapping::close(text, first.end));
    let recovered = recoveries(&first);
    Raw {
        source,
        form: Form::Json(first),
        outside,
        recovered,
    }
}

/// Reads a value a line; a broken line does not spoil the next.
pub(super) fn read_lines(source: Source, text: &Arc<str>) -> Raw {
    let mut ranges = Vec::new();
    let mut recovered = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        if let Some(offset) = line.find(|c: char| !c.is_whitespace() && c != '\u{feff}') {
            let range = range.start + offset..range.end;
            recovered.extend(recoveries(&json::scan(text, range.clone())));
            ranges.push(range);
        }
    }
    lines(source, text, ranges, recovered)
}

fn lines(
    source: Source,
    text: &Arc<str>,
    ranges: Vec<Range<usize>>,
    recovered: Vec<Recovered>,
) -> Raw {
    Raw {
        source,
        form: Form::JsonLines(Values::new(text, ranges)),
        outside: Vec::new(),
        recovered,
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

fn last_span(value: &Json) -> Range<usize> {
    value
        .recoveries
        .last()
        .map_or(value.end..value.end, |recovery| recovery.span.clone())
}

/// Where the next value begins, if nothing but white space lies before it.
fn next_value(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let skipped = rest.len() - rest.trim_start().len();
    rest.trim_start().starts_with('{').then_some(from + skipped)
}
