//! Finds the text that a block searches for, and works out what to replace there.
//!
//! Tries an exact match first. Then it ignores what models copy carelessly: runs of white space,
//! quotation marks, dashes, emphasis; but never letters or digits. Only what differs is replaced,
//! so that the author's own quotation marks survive an edit next to them.

use std::ops::Range;

use super::{Block, Complaint, ComplaintKind, Passage, Splice, quoted};

/// Turns blocks into splices.
pub(super) fn splices(
    passages: &[Passage<'_>],
    blocks: &[Block],
) -> Result<Vec<Splice>, Complaint> {
    let mut folded: Vec<Option<Folded>> = vec![None; passages.len()];
    blocks
        .iter()
        .map(|block| {
            let splice = splice(passages, &mut folded, block)?;
            let issues = block.issues.clone();
            Ok(Splice { issues, ..splice })
        })
        .collect()
}

fn splice(
    passages: &[Passage<'_>],
    folded: &mut [Option<Folded>],
    block: &Block,
) -> Result<Splice, Complaint> {
    let wanted: Vec<usize> = match &block.field {
        None => (0..passages.len()).collect(),
        Some(name) => {
            let named: Vec<usize> = (0..passages.len())
                .filter(|at| passages[*at].name == name)
                .collect();
            if named.is_empty() {
                return Err(unknown_field(passages, name));
            }
            named
        }
    };
    let mut found: Vec<(bool, Splice)> = Vec::new();
    let mut trouble = None;
    for (search, replacement) in &block.readings {
        match look_up(passages, folded, &wanted, search, replacement) {
            Ok(splice) => {
                let rules = |text: &str| text.lines().filter(|line| is_rule(line)).count();
                found.push((rules(search) == rules(replacement), splice));
            }
            Err(complaint) => {
                trouble.get_or_insert(complaint);
            }
        }
    }
    // If several readings match the component, prefer those that neither add nor remove a line that
    // looks like the divider.
    if found.len() > 1 && found.iter().any(|(even, _)| *even) {
        found.retain(|(even, _)| *even);
    }
    match (found.pop(), found.is_empty(), trouble) {
        (Some((_, splice)), true, _) => Ok(splice),
        (None, _, Some(complaint)) => Err(complaint),
        _ => Err(Complaint::new(
            ComplaintKind::Ambiguous,
            "a block can be read in two ways, because several of its lines look like its divider; write all three markers with ten signs",
        )),
    }
}

/// Whether a line looks like the divider of a block.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 5 && line.bytes().all(|byte| byte == b'=')
}

pub(super) fn unknown_field(passages: &[Passage<'_>], name: &str) -> Complaint {
    let names: Vec<&str> = passages.iter().map(|passage| passage.name).collect();
    let message = if names.iter().all(|name| name.is_empty()) {
        format!(
            "there is no field {}; leave the `field:` line out",
            quoted(name)
        )
    } else {
        format!(
            "there is no field {} in this part; its fields are {}",
            quoted(name),
            names.join(", ")
        )
    };
    Complaint::new(ComplaintKind::UnknownField, message)
}

fn look_up(
    passages: &[Passage<'_>],
    folded: &mut [Option<Folded>],
    wanted: &[usize],
    search: &str,
    replacement: &str,
) -> Result<Splice, Complaint> {
    if search.trim().is_empty() {
        return into_empty(passages, wanted, replacement);
    }
    // Blank lines next to a marker come from the model, not from the text. Taken literally they
    // would join two lines.
    let search = search.trim_matches('\n');
    let replacement = replacement.trim_matches('\n');
    let mut exact = Vec::new();
    for at in wanted {
        for form in [search.to_owned(), search.replace('\n', "\r\n")] {
            let text = passages[*at].text;
            let mut places = text.match_indices(&form).map(|(start, _)| start).take(2);
            if let Some(first) = places.next() {
                exact.push((*at, first..first + form.len()));
                exact.extend(places.map(|start| (*at, start..start + form.len())));
                break;
            }
        }
    }
    match exact.as_slice() {
        [(at, range)] => {
            return Ok(replace(
                &passages[*at],
                *at,
                range.clone(),
                search,
                replacement,
            ));
        }
        [] => {}
        _ => return Err(found_often(search)),
    }
    let needle = Folded::of(search);
    let mut places = Vec::new();
    if !needle.text.trim().is_empty() {
        for at in wanted {
            let hay = folded[*at].get_or_insert_with(|| Folded::of(passages[*at].text));
            places.extend(
                occurrences(&hay.text, needle.text.trim())
                    .into_iter()
                    .map(|range| (*at, range)),
            );
        }
    }
    match places.as_slice() {
        [(at, range)] => {
            let hay = folded[*at].get_or_insert_with(|| Folded::of(passages[*at].text));
            let source = hay.source(range.clone());
            replace_alike(&passages[*at], *at, source, search, replacement)
                .ok_or_else(|| not_found(search))
        }
        [] => Err(not_found(search)),
        _ => Err(found_often(search)),
    }
}

/// At most two matches are needed: one, or more than one.
fn occurrences(hay: &str, needle: &str) -> Vec<Range<usize>> {
    hay.match_indices(needle)
        .map(|(start, _)| start..start + needle.len())
        .take(2)
        .collect()
}

fn not_found(search: &str) -> Complaint {
    Complaint::new(
        ComplaintKind::NotFound,
        format!(
            "the words to find are not in this part: {}; copy them from the part as they stand there, a whole sentence or line",
            quoted(search)
        ),
    )
}

fn found_often(search: &str) -> Complaint {
    Complaint::new(
        ComplaintKind::Ambiguous,
        format!(
            "the words to find occur more than once in this part: {}; include the sentence before or after, or name the field",
            quoted(search)
        ),
    )
}

/// An empty search text can only refer to an empty passage.
fn into_empty(
    passages: &[Passage<'_>],
    wanted: &[usize],
    replacement: &str,
) -> Result<Splice, Complaint> {
    match wanted {
        [at] if passages[*at].text.trim().is_empty() => Ok(Splice {
            passage: *at,
            range: passages[*at].range.clone(),
            text: replacement.to_owned(),
            ..Splice::default()
        }),
        _ => Err(Complaint::new(
            ComplaintKind::NotFound,
            "a block searches for nothing; to insert, search for the sentence beside the place and repeat it in the replacement",
        )),
    }
}

/// An exact match: the common beginning and end of search text and replacement stay.
fn replace(
    passage: &Passage<'_>,
    at: usize,
    found: Range<usize>,
    search: &str,
    replacement: &str,
) -> Splice {
    if replacement.trim().is_empty() {
        return deletion(passage, at, found);
    }
    let replacement = in_line_breaks_of(passage.text, replacement);
    let search = passage.text.get(found.clone()).unwrap_or(search);
    let (front, back) = alike(search, &replacement);
    Splice {
        passage: at,
        range: passage.range.start + found.start + front..passage.range.start + found.end - back,
        text: replacement
            .get(front..replacement.len() - back)
            .unwrap_or_default()
            .to_owned(),
        ..Splice::default()
    }
}

/// A match apart from signs. The common beginning and end, ignoring signs, stay as the author wrote
/// them. `None` if that would split emphasis.
fn replace_alike(
    passage: &Passage<'_>,
    at: usize,
    found: Range<usize>,
    search: &str,
    replacement: &str,
) -> Option<Splice> {
    let text = passage.text;
    let mut range = found;
    if replacement.trim().is_empty() {
        range = balanced(text, range)?;
        return Some(deletion(passage, at, range));
    }
    let replacement = in_line_breaks_of(text, replacement);
    let old = Folded::of(text.get(range.clone())?);
    let new = Folded::of(&replacement);
    let wanted = Folded::of(search);
    // Search text and match fold to the same text, so offsets into one are valid in the other.
    if wanted.text.trim() != old.text.trim() {
        return None;
    }
    let (front, back) = alike(&old.text, &new.text);
    let kept_front = old.source(0..front).end;
    let kept_back = old.source(old.text.len() - back..old.text.len()).start;
    let new_front = new.source(0..front).end;
    let new_back = new.source(new.text.len() - back..new.text.len()).start;
    let (kept_front, new_front) = if front == 0 {
        (0, 0)
    } else {
        (kept_front, new_front)
    };
    let (kept_back, new_back) = if back == 0 {
        (range.len(), replacement.len())
    } else {
        (kept_back, new_back)
    };
    let middle = replacement.get(new_front..new_back.max(new_front))?;
    let inner = range.start + kept_front..range.start + kept_back.max(kept_front);
    let inner = if emphasis(text.get(inner.clone())?) == emphasis(middle) {
        inner
    } else {
        // Part of the emphasis is in what would stay, so the whole match is replaced.
        range = balanced(text, range)?;
        return Some(Splice {
            passage: at,
            range: passage.range.start + range.start..passage.range.start + range.end,
            text: replacement,
            ..Splice::default()
        });
    };
    Some(Splice {
        passage: at,
        range: passage.range.start + inner.start..passage.range.start + inner.end,
        text: middle.to_owned(),
        ..Splice::default()
    })
}

/// Unpaired emphasis marks: how many `**` and `*` are left over.
fn emphasis(text: &str) -> (usize, usize) {
    let count = |mark| text.matches(mark).count() % 2;
    (count("**"), count("*"))
}

/// Widens a range that splits emphasis to include the adjacent marks.
fn balanced(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let whole = |range: &Range<usize>| text.get(range.clone()).map(emphasis) == Some((0, 0));
    let marks = |c: char| c == '*' || c == '_';
    let before = text.get(..range.start)?;
    let after = text.get(range.end..)?;
    let front = before.trim_end_matches(marks).len();
    let back = text.len() - after.trim_start_matches(marks).len();
    [
        range.clone(),
        front..range.end,
        range.start..back,
        front..back,
    ]
    .into_iter()
    .find(whole)
}

/// A deletion. Whole lines are removed with their line breaks, so that no gap is left, except at
/// the edges of the component.
fn deletion(passage: &Passage<'_>, at: usize, found: Range<usize>) -> Splice {
    let text = passage.text;
    let before = text.get(..found.start).unwrap_or_default();
    let after = text.get(found.end..).unwrap_or_default();
    let is_break = |c: char| c == '\n' || c == '\r';
    let starts_line = before.is_empty() || before.ends_with(is_break);
    let ends_line = after.is_empty() || after.starts_with(is_break);
    let mut range = found;
    if starts_line && ends_line {
        let breaks_after = after.len() - after.trim_start_matches(is_break).len();
        let breaks_before = before.len() - before.trim_end_matches(is_break).len();
        if breaks_after < after.len() {
            // The neighbours keep as many line breaks as there were before the deleted text.
            range.end += breaks_after.min(breaks_before.max(1));
        } else if breaks_before < before.len() {
            range.start -= breaks_before;
        }
    } else if before.ends_with(' ')
        && (after.is_empty() || after.starts_with([' ', '.', ',', '\n', '\r']))
    {
        range.start -= 1;
    } else if starts_line && after.starts_with(' ') {
        range.end += 1;
    }
    // A line break of two bytes is removed whole.
    if text
        .get(..range.end)
        .is_some_and(|text| text.ends_with('\r'))
        && text
            .get(range.end..)
            .is_some_and(|text| text.starts_with('\n'))
    {
        range.end += 1;
    }
    Splice {
        passage: at,
        range: passage.range.start + range.start..passage.range.start + range.end,
        text: String::new(),
        ..Splice::default()
    }
}

/// The replacement with the kind of line break that the text uses.
pub(super) fn in_line_breaks_of(text: &str, replacement: &str) -> String {
    let all = text.matches('\n').count();
    let pairs = text.matches("\r\n").count();
    if pairs > 0 && pairs * 2 >= all {
        replacement.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        replacement.to_owned()
    }
}

/// How many bytes at the beginning and at the end are the same in both, up to a word boundary.
fn alike(old: &str, new: &str) -> (usize, usize) {
    let common = |pairs: &mut dyn Iterator<Item = (char, char)>| {
        pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum::<usize>()
    };
    let mut front = common(&mut old.chars().zip(new.chars()));
    // Not inside a word or a number.
    let at_border = |text: &str, at: usize| {
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at..).and_then(|text| text.chars().next());
        !(joins(before) && joins(after))
    };
    while front > 0 && !(at_border(old, front) && at_border(new, front)) {
        front = old.floor_char_boundary(front - 1);
    }
    let (old_rest, new_rest) = (
        old.get(front..).unwrap_or_default(),
        new.get(front..).unwrap_or_default(),
    );
    let mut back = common(&mut old_rest.chars().rev().zip(new_rest.chars().rev()));
    while back > 0
        && !(at_border(old_rest, old_rest.len() - back)
            && at_border(new_rest, new_rest.len() - back))
    {
        let at = old_rest.len() - back;
        let step = old_rest.get(at..).and_then(|text| text.chars().next());
        back -= step.map_or(back, char::len_utf8);
    }
    (front, back)
}

/// A text with everything normalised that models copy carelessly, and a map back to the original.
#[derive(Clone, Debug)]
struct Folded {
    text: String,
    /// For every byte of `text`, the range of the original character.
    origins: Vec<Range<usize>>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut folded = Self {
            text: String::with_capacity(text.len()),
            origins: Vec::with_capacity(text.len()),
        };
        let mut skip_to = 0;
        for (at, c) in text.char_indices() {
            if at < skip_to {
                continue;
            }
            let mut origin = at..at + c.len_utf8();
            match c {
                // Our own escape for a foreign tag.
                '&' if text.get(at..).is_some_and(|rest| rest.starts_with("&lt;")) => {
                    origin.end = at + 4;
                    skip_to = origin.end;
                    folded.push("<", &origin);
                }
                '*' | '_' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
                c if c.is_whitespace() => match folded.origins.last_mut() {
                    Some(last) if folded.text.ends_with(' ') => last.end = origin.end,
                    _ => folded.push(" ", &origin),
                },
                '“' | '”' | '„' | '‟' | '«' | '»' | '″' => folded.push("\"", &origin),
                '‘' | '’' | '‚' | '‛' | '′' | '´' => folded.push("'", &origin),
                '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => folded.push("-", &origin),
                '…' => folded.push("...", &origin),
                c => {
                    let mut bytes = [0; 4];
                    folded.push(c.encode_utf8(&mut bytes), &origin);
                }
            }
        }
        folded
    }

    fn push(&mut self, text: &str, origin: &Range<usize>) {
        self.text.push_str(text);
        self.origins
            .extend(std::iter::repeat_n(origin.clone(), text.len()));
    }

    /// The range of the original for a range of the folded text.
    fn source(&self, range: Range<usize>) -> Range<usize> {
        let end_of_all = self.origins.last().map_or(0, |origin| origin.end);
        let start = self
            .origins
            .get(range.start)
            .map_or(end_of_all, |origin| origin.start);
        let end = range
            .end
            .checked_sub(1)
            .and_then(|last| self.origins.get(last))
            .map_or(start, |origin| origin.end);
        start..end.max(start)
    }
}
