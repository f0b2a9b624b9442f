//! Where the document is in an answer, and whether it is JSON.
//!
//! | after reasoning, tokens, tags and talk the answer | it is |
//! |---|---|
//! | begins with a JSON value | JSON |
//! | begins with a fence and a JSON value of a known shape | JSON |
//! | … of an unknown shape, and nothing but noise around it | JSON |
//! | holds an item, cards or another shape that no lesson is in | JSON |
//! | holds a lesson in JSON, and that is nearly all of it, or there is no heading outside and it is most of it | JSON |
//! | holds a fence with other JSON, that is most of it, and there is no heading outside | JSON |
//! | ends in JSON that is cut off, of whatever shape, after nothing but noise, or it is most of it and there is no heading | JSON |
//! | is anything else, and the file is named `.json` | JSON from its first brace, or none |
//! | is anything else | Markdown |
//!
//! Of several documents the last complete one counts; the others are drafts. Values of
//! a bank one after the other are no drafts. An answer many times longer than the
//! items that it shows, with headings, is a lesson about items.

use std::ops::Range;

use redraft_text::char_set::CharSet;
use redraft_text::framing::{self, Reasoning, ReasoningKind};
use redraft_text::json::{self, Json, Kind};
use redraft_text::wrappers;

use super::pieces::is_invisible;
use super::{Shape, Shapes, Stated};

/// JSON in an answer.
#[derive(Debug, Default)]
pub(super) struct JsonInAnswer {
    /// The value, or the values of a bank one after the other.
    pub(super) values: Vec<Range<usize>>,
    /// Other documents, in order.
    pub(super) drafts: Vec<Range<usize>>,
    /// The value where there is only one and it has been read already.
    pub(super) read: Option<Json>,
}

impl JsonInAnswer {
    fn one(value: Json, begin: usize) -> Self {
        let range = begin..value.end.max(begin + 1);
        Self {
            values: Vec::from([range]),
            drafts: Vec::new(),
            read: Some(value),
        }
    }
}

/// A value that may be the document.
#[derive(Clone, Debug)]
struct Candidate {
    range: Range<usize>,
    complete: bool,
    shape: Option<Shape>,
}

/// Finds the JSON document in an answer, if it is one.
pub(super) fn json_in(text: &str, stated: Stated, shapes: &Shapes) -> Option<JsonInAnswer> {
    let reasoning = framing::reasoning(text, &|_| false);
    let mut answer = Answer {
        text,
        stated,
        shapes,
        reasoning: &reasoning,
        begin: 0,
    };
    let (begin, entry) = answer.beginning();
    answer.begin = begin;
    let stated_here = match entry {
        Entry::Bare => stated,
        Entry::Fenced => Stated::Json,
    };
    if opens_json(&text[begin..], stated_here)
        && let Some(found) = answer.at_the_beginning(begin, entry)
    {
        return Some(found);
    }
    answer
        .among_other_text(begin)
        .or_else(|| answer.in_a_fence())
        .or_else(|| answer.cut_off())
        .or_else(|| answer.at_the_first_brace())
}

/// How the beginning of an answer was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Bare,
    /// A fence was passed on the way.
    Fenced,
}

struct Answer<'a> {
    text: &'a str,
    stated: Stated,
    shapes: &'a Shapes,
    reasoning: &'a [Reasoning],
    /// After the noise at the start, which does not count where sizes are compared.
    begin: usize,
}

impl Answer<'_> {
    /// After everything at the start that is certainly not the document.
    fn beginning(&self) -> (usize, Entry) {
        const MOST: usize = 32;
        let text = self.text;
        let (mut at, mut entry) = (0, Entry::Bare);
        for _ in 0..MOST {
            at = skip_invisible(text, at);
            let rest = &text[at..];
            if let Some(end) = self.reasoning_from(at) {
                at = end;
                continue;
            }
            let tokens = wrappers::leading_tokens(rest);
            if tokens > 0 {
                at += tokens;
                continue;
            }
            let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
            let fence = wrappers::fence_line(line.split(['{', '[']).next().unwrap_or(line));
            if let Some(fence) = fence {
                if !fence.may_hold_json() && !fence.holds_markdown() {
                    break;
                }
                entry = Entry::Fenced;
                at += line.find(['{', '[']).unwrap_or(line.len());
            } else if line.trim().eq_ignore_ascii_case("json") && line.len() < rest.len() {
                entry = Entry::Fenced;
                at += line.len();
            } else if let Some((length, _)) = wrappers::answer_tag(rest) {
                at += length;
            } else if let Some(chat) = framing::opening(rest).filter(|chat| chat.range.start == 0) {
                at += chat.range.end;
            } else {
                break;
            }
        }
        (at, entry)
    }

    /// The end of reasoning that certainly begins at an offset, and before the document.
    fn reasoning_from(&self, at: usize) -> Option<usize> {
        // Content that has begun is not reasoning, even if a `</think>` stands in one
        // of its strings.
        let rest = &self.text[at..];
        if rest.starts_with(['{', '[']) && !rest.starts_with("[THINK]") {
            return None;
        }
        self.reasoning
            .iter()
            .find(|thought| thought.range.start == at)
            .filter(|thought| thought.certain && !self.ends_in_a_value(thought))
            .map(|thought| thought.range.end)
    }

    /// Whether a lonely closing tag stands inside a value that begins before it.
    fn ends_in_a_value(&self, thought: &Reasoning) -> bool {
        if thought.kind != ReasoningKind::Unopened {
            return false;
        }
        let within = &self.text[thought.range.clone()];
        within.find("{\"").is_some_and(|offset| {
            let start = thought.range.start + offset;
            let value = json::scan(self.text, start..self.text.len());
            value.complete() && value.end > thought.range.end
        })
    }

    /// JSON that the answer begins with.
    fn at_the_beginning(&self, begin: usize, entry: Entry) -> Option<JsonInAnswer> {
        let first = json::scan(self.text, begin..self.text.len());
        let shape = self.shape(&first);
        let end = first.end.max(begin + 1);
        let mut values = vec![Candidate {
            range: begin..end,
            complete: first.complete(),
            shape,
        }];
        if first.complete() {
            self.add_following(end, &mut values);
        }
        let last = values.last().map_or(end, |value| value.range.end);
        let others = self.candidates(last);
        let is_known = values.iter().any(|value| value.shape.is_some());
        if entry == Entry::Fenced && !is_known && self.stated != Stated::Json {
            let found = JsonInAnswer::one(first, begin);
            let is_all = self.is_mostly(begin..last, 2) || self.is_all_noise(&found);
            return (others.is_empty() && is_all).then_some(found);
        }
        if values.len() == 1 && others.is_empty() {
            return Some(JsonInAnswer::one(first, begin));
        }
        let of_a_bank = |value: &Candidate| matches!(value.shape, None | Some(Shape::OfABank));
        if values.len() > 1 && values.iter().all(of_a_bank) && !self.are_drafts(&values) {
            return Some(JsonInAnswer {
                values: values.into_iter().map(|value| value.range).collect(),
                drafts: others.into_iter().map(|other| other.range).collect(),
                read: None,
            });
        }
        // What is of no known shape is a draft of nothing, but stands outside as well.
        values.extend(others);
        Some(chosen(values)?.0)
    }

    /// Adds the values that follow with only white space between.
    fn add_following(&self, from: usize, values: &mut Vec<Candidate>) {
        let mut end = from;
        loop {
            let rest = self.text.get(end..).unwrap_or_default();
            let next = end + (rest.len() - rest.trim_start().len());
            if !self.text[next..].starts_with('{') {
                return;
            }
            let value = json::scan(self.text, next..self.text.len());
            end = value.end.max(next + 1);
            values.push(Candidate {
                range: next..end,
                complete: value.complete(),
                shape: self.shape(&value),
            });
            if !value.complete() {
                return;
            }
        }
    }

    /// Documents of a known shape among other text.
    fn among_other_text(&self, from: usize) -> Option<JsonInAnswer> {
        let all = self.candidates(from.min(self.first_brace()?));
        let is_bank = all.len() > 1 && all.windows(2).all(|pair| self.are_of_a_bank(pair));
        if is_bank && !self.are_drafts(&all) {
            return Some(JsonInAnswer {
                values: all.into_iter().map(|value| value.range).collect(),
                ..JsonInAnswer::default()
            });
        }
        let (found, shape) = chosen(all)?;
        let extent = found.values.first()?.clone();
        let is_json = match shape {
            _ if self.stated == Stated::Json => true,
            Some(Shape::OfABank | Shape::Alone) => !self.only_shows(&extent),
            Some(Shape::MayBeShown) | None => {
                let first = found
                    .drafts
                    .first()
                    .map_or(extent.start, |draft| draft.start);
                let last = found.drafts.last().map_or(extent.end, |draft| draft.end);
                let all = first.min(extent.start)..last.max(extent.end);
                let documents = found.drafts.iter().chain([&extent]).map(Range::len).sum();
                self.is_share(documents, 5)
                    || (documents * 2 > self.size() && !self.has_headings(&all))
                    || self.is_all_noise(&found)
            }
        };
        is_json.then_some(found)
    }

    /// Whether two values are of a bank and nothing stands between them.
    fn are_of_a_bank(&self, pair: &[Candidate]) -> bool {
        let of_a_bank = |value: &Candidate| value.shape == Some(Shape::OfABank);
        let between = self.text.get(pair[0].range.end..pair[1].range.start);
        pair.iter().all(of_a_bank) && between.is_some_and(|text| text.trim().is_empty())
    }

    /// Whether some of a few values say the same item: they have the same id, or share
    /// most of their fields. An answer repeats itself so; a bank does not.
    fn are_drafts(&self, values: &[Candidate]) -> bool {
        const MOST: usize = 8;
        const FEWEST_FIELDS: usize = 3;
        if values.len() > MOST {
            return false;
        }
        let read: Vec<Json> = values
            .iter()
            .map(|value| json::scan(self.text, value.range.clone()))
            .collect();
        let fields = |value: &Json| -> Vec<(String, String)> {
            let members = value.root().into_iter().flat_map(|root| {
                let fields = root.members();
                fields.map(|(key, node)| {
                    let written = self.text.get(node.span()).unwrap_or_default();
                    (key.text.to_string(), written.to_owned())
                })
            });
            members.collect()
        };
        let all: Vec<Vec<(String, String)>> = read.iter().map(fields).collect();
        all.iter().enumerate().any(|(index, one)| {
            all[..index].iter().any(|other| {
                let shared = one.iter().filter(|field| other.contains(field)).count();
                let has_id = |fields: &[(String, String)]| {
                    let id = fields
                        .iter()
                        .find(|(key, _)| key.eq_ignore_ascii_case("id"));
                    id.map(|(_, id)| id.clone())
                };
                match (has_id(one), has_id(other)) {
                    (Some(id), Some(earlier)) => id == earlier,
                    _ => shared >= FEWEST_FIELDS && shared * 2 > one.len().max(other.len()),
                }
            })
        })
    }

    /// A fence with JSON of an unknown shape that is most of the text.
    fn in_a_fence(&self) -> Option<JsonInAnswer> {
        let text = self.text;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let Some(fence) = wrappers::fence_line(line).filter(|_| line.len() < 200) else {
                continue;
            };
            if !matches!(fence.language().as_str(), "json" | "json5" | "jsonc") {
                continue;
            }
            let begin = skip_invisible(text, start + line.len());
            if !opens_json(&text[begin..], Stated::Json) {
                return None;
            }
            let close = text[begin..]
                .find("\n```")
                .map_or(text.len(), |offset| begin + offset);
            let is_named = self.stated == Stated::Json && !self.has_headings(&(begin..close));
            let is_json = is_named || self.is_mostly(begin..close, 2);
            return is_json.then(|| JsonInAnswer::one(json::scan(text, begin..text.len()), begin));
        }
        None
    }

    /// JSON that is cut off before its shape can be known.
    fn cut_off(&self) -> Option<JsonInAnswer> {
        const MOST: usize = 8;
        let mut lines = self.text[self.begin..].match_indices('{').take(MOST);
        lines.find_map(|(offset, _)| {
            let start = self.begin + offset;
            let line = self.text[..start].rsplit('\n').next().unwrap_or_default();
            let is_first = line.trim().is_empty() || wrappers::fence_line(line).is_some();
            if !is_first || !may_be_document(&self.text[start..]) {
                return None;
            }
            let value = json::scan(self.text, start..self.text.len());
            let root = value.root()?;
            if value.complete() || root.members().next().is_none() {
                return None;
            }
            let extent = start..self.text.len();
            let found = JsonInAnswer::one(value, start);
            (self.is_mostly(extent, 2) || self.is_all_noise(&found)).then_some(found)
        })
    }

    /// In a file that is named as JSON, whatever begins with a brace.
    fn at_the_first_brace(&self) -> Option<JsonInAnswer> {
        if self.stated != Stated::Json {
            return None;
        }
        let begin = self.first_brace()?;
        if !opens_json(&self.text[begin..], Stated::Json) {
            return None;
        }
        let value = json::scan(self.text, begin..self.text.len());
        Some(JsonInAnswer::one(value, begin))
    }

    fn first_brace(&self) -> Option<usize> {
        self.text.find(['{', '['])
    }

    /// The values of a known shape from an offset on, outside reasoning.
    fn candidates(&self, from: usize) -> Vec<Candidate> {
        static OPENING: CharSet<2> = CharSet::new(['{', '[']);
        /// More values than an answer holds drafts, and than are worth scanning.
        const MOST: usize = 256;
        const MOST_CUT: usize = 8;
        let mut found = Vec::new();
        let (mut at, mut scanned, mut cut) = (from, 0, 0);
        while let Some((offset, _)) = OPENING.find(&self.text[at..]) {
            let start = at + offset;
            at = start + 1;
            if !may_be_document(&self.text[start..]) {
                continue;
            }
            if let Some(end) = self.thought_around(start) {
                at = end;
                continue;
            }
            scanned += 1;
            let value = json::scan(self.text, start..self.text.len());
            let end = value.end.max(start + 1);
            let shape = self.shape(&value);
            if shape.is_some() {
                found.push(Candidate {
                    range: start..end,
                    complete: value.complete(),
                    shape,
                });
                at = end;
            } else if value.complete() {
                at = end;
            } else {
                cut += 1;
            }
            if scanned > MOST || cut > MOST_CUT {
                break;
            }
        }
        found
    }

    /// The end of the reasoning around an offset.
    fn thought_around(&self, at: usize) -> Option<usize> {
        let index = self
            .reasoning
            .partition_point(|thought| thought.range.end <= at);
        self.reasoning
            .get(index)
            .filter(|thought| thought.certain && thought.range.contains(&at))
            .filter(|thought| !self.ends_in_a_value(thought))
            .map(|thought| thought.range.end)
    }

    fn shape(&self, value: &Json) -> Option<Shape> {
        let kind = value.root()?.kind();
        matches!(kind, Kind::Object | Kind::Array)
            .then(|| self.shapes.of(value))
            .flatten()
    }

    fn size(&self) -> usize {
        self.text[self.begin..].trim().len()
    }

    /// Whether a passage is more than one part in `parts` of the text, and no heading
    /// is outside it.
    fn is_mostly(&self, extent: Range<usize>, parts: usize) -> bool {
        extent.len() * parts > self.size() && !self.has_headings(&extent)
    }

    /// Whether so many bytes are all of the text but one part in `parts`.
    fn is_share(&self, bytes: usize, parts: usize) -> bool {
        let all = self.size();
        (all - bytes.min(all)) * parts <= all
    }

    /// Whether the text around a value of a bank or a set of cards is a lesson that
    /// shows it: many times longer, with headings.
    fn only_shows(&self, extent: &Range<usize>) -> bool {
        const TIMES: usize = 20;
        const HEADINGS: usize = 3;
        let around = self.size().saturating_sub(extent.len());
        around > extent.len() * TIMES && self.headings_outside(extent) >= HEADINGS
    }

    fn has_headings(&self, extent: &Range<usize>) -> bool {
        self.headings_outside(extent) > 0
    }

    fn headings_outside(&self, extent: &Range<usize>) -> usize {
        let after = self.text.get(extent.end..).unwrap_or_default();
        let from = self.begin.min(extent.start);
        [&self.text[from..extent.start], after]
            .iter()
            .flat_map(|part| part.lines())
            .filter(|line| {
                let rest = line.trim_start_matches('#');
                rest.len() < line.len() && rest.starts_with(' ')
            })
            .count()
    }

    fn is_all_noise(&self, found: &JsonInAnswer) -> bool {
        let outside = super::around(self.text, found);
        outside.iter().all(|piece| piece.certain)
    }
}

/// The document among several: the last complete one of a known shape, else the last
/// of a known shape, else the last.
fn chosen(all: Vec<Candidate>) -> Option<(JsonInAnswer, Option<Shape>)> {
    let index = all
        .iter()
        .rposition(|candidate| candidate.complete && candidate.shape.is_some())
        .or_else(|| all.iter().rposition(|candidate| candidate.shape.is_some()))
        .or_else(|| all.len().checked_sub(1))?;
    let shape = all[index].shape;
    let mut found = JsonInAnswer::default();
    for (at, candidate) in all.into_iter().enumerate() {
        if at == index {
            found.values.push(candidate.range);
        } else {
            found.drafts.push(candidate.range);
        }
    }
    Some((found, shape))
}

/// Whether a text is a string that holds JSON: `"{\"title\": …}"`.
pub(super) fn is_encoded_twice(text: &str) -> bool {
    let text = text.trim_start_matches(is_invisible);
    if text.starts_with("\"\\\"") {
        return true;
    }
    let inner = text.strip_prefix('"').unwrap_or(text);
    let mut rest = inner.trim_start_matches(['{', '[']);
    if rest.len() == inner.len() {
        return false;
    }
    loop {
        let next = rest.trim_start_matches([' ', '{']);
        let next = ["\\n", "\\r", "\\t"]
            .iter()
            .find_map(|escape| next.strip_prefix(escape))
            .unwrap_or(next);
        if next.len() == rest.len() {
            return rest.starts_with("\\\"");
        }
        rest = next;
    }
}

/// The sign at the start of every line of a text that is JSON without it, as in a
/// quotation (`> {`) or a diff (`+ {`).
pub(super) fn mark_of_each_line(text: &str) -> Option<char> {
    const ENOUGH: usize = 3;
    let text = text.trim_start_matches(is_invisible);
    let mark = text
        .chars()
        .next()
        .filter(|c| matches!(c, '>' | '+' | '|'))?;
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let first: String = lines()
        .take(ENOUGH)
        .map(|line| line.trim_start().trim_start_matches([' ', mark]))
        .collect();
    (opens_json(&first, Stated::Json) && lines().all(|line| line.trim_start().starts_with(mark)))
        .then_some(mark)
}

/// Whether a text without a heading is mostly the fields of JSON that nothing could read:
/// with a sign before each line, with escapes for its quotation marks, after a bracket
/// that was lost. A lesson shows JSON in a block of code.
pub(super) fn is_unread_json(text: &str) -> bool {
    const FEWEST: usize = 3;
    if is_in_braces(text) {
        return true;
    }
    let mut is_code = false;
    let (mut keys, mut with_keys, mut all) = (0_usize, 0_usize, 0_usize);
    for line in text.lines() {
        if wrappers::fence_line(line).is_some() {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        if line.starts_with('#') {
            return false;
        }
        let found = keys_in(line);
        keys += found;
        all += line.len();
        with_keys += if found > 0 { line.len() } else { 0 };
    }
    keys >= FEWEST && with_keys * 2 > all
}

/// Whether a text is one pair of braces, as no Markdown is. What templates and attributes put
/// into braces (`{% raw %}`, `{: .note}`) is.
fn is_in_braces(text: &str) -> bool {
    const LONGEST_LINE: usize = 400;
    let inner = text.trim_matches(is_invisible);
    let Some(rest) = inner.strip_prefix('{').filter(|_| inner.ends_with('}')) else {
        return false;
    };
    let name = rest.trim_start_matches(is_invisible);
    let is_template = name.starts_with(['%', '{', ':', '#', '.', '=', '}', '|', '<', '*', '-']);
    let is_heading = |line: &str| line.starts_with("# ") || line.starts_with("## ");
    let line = name.lines().next().unwrap_or_default();
    let line = &line[..line.floor_char_boundary(LONGEST_LINE)];
    !is_template && line.contains(':') && !text.lines().any(is_heading)
}

/// How many names in quotation marks with a colon after them a line has.
fn keys_in(line: &str) -> usize {
    const MARKS: [&str; 5] = ["\\\"", "&quot;", "\"", "”", "'"];
    line.match_indices(':')
        .filter(|(at, _)| {
            let before = line[..*at].trim_end();
            let bare = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
            let after = line[at + 1..].trim_start();
            if bare.len() < before.len()
                && bare.trim_end().ends_with(['{', ','])
                && after.starts_with(['"', '[', '{'])
            {
                return true;
            }
            let named = MARKS.iter().find_map(|mark| before.strip_suffix(mark));
            named.is_some_and(|before| {
                let name = before.len()
                    - before
                        .trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
                        .len();
                let rest = &before[..before.len() - name];
                (1..=40).contains(&name)
                    && (rest.ends_with('“') || MARKS.iter().any(|mark| rest.ends_with(mark)))
            })
        })
        .count()
}

fn skip_invisible(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    at + (rest.len() - rest.trim_start_matches(is_invisible).len())
}

/// Whether a document in JSON may begin here, in the middle of other text.
fn may_be_document(text: &str) -> bool {
    let noise = |c: char| is_invisible(c) || c.is_control();
    // A third bracket is one too many; of a long row no more is read at each of them.
    let opening = text.bytes().take(3).take_while(|byte| b"{[".contains(byte));
    let (brackets, rest) = text.split_at(opening.count());
    if !matches!(brackets, "{" | "[" | "[{") {
        return false;
    }
    let rest = rest.trim_start_matches(noise);
    let inner = rest.trim_start_matches('{').trim_start_matches(noise);
    let is_comment = inner.starts_with("//") || inner.starts_with("/*");
    (is_comment || inner.starts_with(['"', '\'', '“']))
        && (brackets != "[" || rest.starts_with('{'))
}

/// Whether a JSON value seems to begin here. A Markdown link (`[text](…)`), a
/// template tag (`{% … %}`, `{{ … }}`) and an attribute (`{: .note}`) do not.
pub(super) fn opens_json(text: &str, stated: Stated) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    // Control characters are noise, and deleting them must not change what this is.
    let next = chars.find(|c| !is_invisible(*c) && !c.is_control());
    match first {
        Some('{') => match next {
            None => stated != Stated::Markdown,
            Some(c) => {
                matches!(c, '"' | '\'' | '“' | '}' | '/')
                    || (stated == Stated::Json && c.is_alphabetic())
            }
        },
        Some('[') if stated == Stated::Markdown => matches!(next, Some('{')),
        Some('[') => match next {
            None => stated == Stated::Json,
            Some(c) => {
                matches!(c, '{' | '[' | '"')
                    || (stated == Stated::Json
                        && (matches!(c, ']' | '/' | '\'' | '-') || c.is_ascii_digit()))
            }
        },
        _ => false,
    }
}
