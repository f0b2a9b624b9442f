//! Loops of whole units: sentences, items, rows, fields. A unit is known by the hash of
//! its text, so that a text is a sequence of numbers, and a loop a stretch of it that
//! equals itself some places before.

use std::cmp::Reverse;
use std::hash::Hasher as _;
use std::ops::Range;

use redraft_gate::check::{Examination, Sink};
use redraft_gate::content::{ComponentKind, TextField, TextRole};
use redraft_gate::finding::Severity;
use redraft_text::markdown::{Block, BlockKind};
use rustc_hash::{FxHashSet, FxHasher};

use super::words::{Words, combined_hash};
use super::{CERTAIN_LOOP, SHORTEST_LOOP, is_verse, teaches};

/// The longest loop, in units: some paragraphs of several sentences.
const LONGEST_PERIOD: usize = 40;

/// Words of a period from which on two repetitions are enough.
const LONG_PERIOD: usize = 24;

/// Words of a period below which twice as many repetitions are needed.
const SHORT_PERIOD: usize = 6;

/// Words of a loop of lines that may be verse.
const VERSE: usize = 30;

/// The least of lines that differ in a counter or a word: how many, and how many words
/// each has. Exercises and lists of parallel sentences are shorter.
const COUNTED: (usize, usize) = (5, 4);
const COUNTED_ROWS: (usize, usize) = (8, 5);
const ALIKE: (usize, usize) = (6, 5);

/// Rounds from which on identical units are certainly a loop.
const CERTAIN_ROUNDS: usize = 6;

#[derive(Clone, Debug)]
struct Unit {
    range: Range<usize>,
    kind: UnitKind,
    /// A hash of its text; unique where it must not be compared.
    id: u64,
    /// The same with every number alike.
    shape: u64,
    words: Vec<u64>,
    /// The numbers among the words.
    numbers: Vec<u64>,
    /// Words alone: no link, code or formula.
    is_prose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitKind {
    Sentence,
    Verse,
    Item,
    Row,
    Field,
    /// Code, a formula, a line to fill in.
    Other,
}

/// Reports the loops of a text; returns where they are.
pub(super) fn in_text(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    field: &TextField,
) -> Vec<Range<usize>> {
    let min_loop = examination.count("min-loop").max(2);
    let units = units_of(field);
    let found = search(&units, min_loop);
    for lap in &found {
        report(sink, field, lap);
    }
    found.into_iter().map(|lap| lap.range).collect()
}

/// Reports entries of a list, and texts of successive sections, that are all the same.
pub(super) fn in_fields(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    if document.shape() == "markdown" {
        return;
    }
    let min_loop = examination.count("min-loop").max(2);
    let mut groups: Vec<(String, Vec<&TextField>)> = Vec::new();
    let texts = document.texts().iter();
    for field in texts.filter(|field| field.role != TextRole::Code && teaches(examination, field)) {
        if document.components()[field.component].kind == ComponentKind::Item {
            continue;
        }
        let name = group_of(field);
        match groups.iter_mut().rev().take(32).find(|(group, _)| *group == name) {
            Some((_, fields)) => fields.push(field),
            None => groups.push((name, vec![field])),
        }
    }
    for (_, fields) in groups.iter().filter(|(_, fields)| fields.len() >= min_loop) {
        let mut words = Words::default();
        let mut units = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            words.read(&field.text);
            let mut unit = unit(&words, &field.text, index..index + 1, UnitKind::Field);
            make_unique_if_blank(&mut unit, &field.text, index);
            units.push(unit);
        }
        for mut lap in search(&units, min_loop) {
            if let Some(last) = fields.get(lap.range.end - 1) {
                lap.range = 0..last.text.len();
                report(sink, last, &lap);
            }
        }
    }
}

/// Entries of one list belong together; other texts do if they have the same name in
/// successive parts of the document.
fn group_of(field: &TextField) -> String {
    if field.path.ends_with(']')
        && let Some((list, _)) = field.path.rsplit_once('[')
    {
        return list.to_owned();
    }
    let digits = |c: char| c.is_ascii_digit();
    let name: String = field.path.chars().filter(|c| !digits(*c)).collect();
    // Short texts of different cards may well be the same.
    match field.role {
        TextRole::Short => field.path.to_string(),
        _ => name,
    }
}

/// A loop that was found.
struct Lap {
    range: Range<usize>,
    rounds: usize,
    how: How,
    is_certain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Same,
    Counted,
    Alike,
}

fn report(sink: &mut Sink<'_>, field: &TextField, lap: &Lap) {
    let rounds = lap.rounds;
    let message = match lap.how {
        How::Same => format!("the same text is repeated {rounds} times in a row; delete the repetitions"),
        How::Counted => format!("{rounds} lines in a row differ only in a number; delete the repetitions"),
        How::Alike => format!("{rounds} lines in a row say nearly the same; keep one"),
    };
    let finding = sink.in_text(field, lap.range.clone(), message);
    if lap.is_certain {
        finding.severity(Severity::Error);
    }
}

/// The loops of a sequence, in order and apart from each other: of two that overlap
/// the one that starts first counts, then the longer one.
fn search(units: &[Unit], min_loop: usize) -> Vec<Lap> {
    if units.len() < 3 || !may_loop(units) {
        return Vec::new();
    }
    let mut found: Vec<(Range<usize>, usize, How)> = Vec::new();
    for period in 1..=LONGEST_PERIOD.min(units.len() / 2) {
        let rounds = |range: Range<usize>, how: How| (range.clone(), range.len() / period, how);
        found.extend(same(units, period, min_loop).map(|range| rounds(range, How::Same)));
        found.extend(counted(units, period).map(|range| rounds(range, How::Counted)));
    }
    found.extend(alike(units).map(|range| (range.clone(), range.len(), How::Alike)));
    found.sort_by_key(|(range, rounds, _)| (range.start, Reverse(range.len()), Reverse(*rounds)));
    let mut laps: Vec<Lap> = Vec::new();
    let mut from = 0;
    for (range, rounds, how) in found {
        if range.start >= from {
            from = range.end;
            laps.push(lap(units, &range, rounds, how));
        }
    }
    laps
}

/// Whether enough units come back at all, exactly or but for their numbers, or
/// resemble each other.
fn may_loop(units: &[Unit]) -> bool {
    let mut seen = FxHashSet::default();
    let again = units.iter().filter(|unit| !seen.insert(unit.shape)).count();
    again >= 2 || alike(units).next().is_some()
}

fn lap(units: &[Unit], range: &Range<usize>, rounds: usize, how: How) -> Lap {
    let stretch = &units[range.clone()];
    let words: usize = stretch.iter().map(|unit| unit.words.len()).sum();
    let is_plain = stretch
        .iter()
        .all(|unit| !matches!(unit.kind, UnitKind::Verse | UnitKind::Row));
    let start = stretch.first().map_or(0, |unit| unit.range.start);
    let end = stretch.last().map_or(start, |unit| unit.range.end);
    Lap {
        range: start..end,
        rounds,
        how,
        is_certain: how == How::Same
            && is_plain
            && rounds >= CERTAIN_ROUNDS
            && words >= CERTAIN_LOOP,
    }
}

/// The stretches in which every unit equals the one a period before.
fn stretches<'a>(
    units: &'a [Unit],
    period: usize,
    equals: impl Fn(&Unit, &Unit) -> bool + 'a,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut run = 0;
    (period..=units.len()).filter_map(move |index| {
        if index < units.len() && equals(&units[index - period], &units[index]) {
            run += 1;
            return None;
        }
        let length = std::mem::take(&mut run);
        (length > 0).then(|| index - period - length..index)
    })
}

fn same(units: &[Unit], period: usize, min_loop: usize) -> impl Iterator<Item = Range<usize>> {
    stretches(units, period, |a, b| a.id == b.id).filter(move |range| {
        let rounds = range.len() / period;
        let stretch = &units[range.clone()];
        let words: usize = stretch.iter().map(|unit| unit.words.len()).sum();
        let in_period: usize = stretch[..period].iter().map(|unit| unit.words.len()).sum();
        let is_verse = stretch.iter().any(|unit| unit.kind == UnitKind::Verse);
        let rounds_needed = match in_period {
            _ if is_verse => min_loop + 1,
            LONG_PERIOD.. => min_loop.min(3),
            // "Stand up", "Sit down": an exercise.
            ..SHORT_PERIOD => min_loop * 2,
            _ => min_loop,
        };
        let words_needed = if is_verse { VERSE } else { SHORTEST_LOOP };
        let has_words = stretch[..period]
            .iter()
            .any(|unit| unit.words.len() > unit.numbers.len());
        rounds >= rounds_needed && words >= words_needed && has_words
    })
}

/// Lines with the same words whose numbers stay or count on by one.
fn counted(units: &[Unit], period: usize) -> impl Iterator<Item = Range<usize>> {
    let counts_on = |a: &Unit, b: &Unit| {
        a.shape == b.shape
            && a.kind == b.kind
            && !matches!(a.kind, UnitKind::Verse | UnitKind::Other)
            && a.numbers.len() == b.numbers.len()
            && a.numbers
                .iter()
                .zip(&b.numbers)
                .all(|(a, b)| a == b || *b == a.wrapping_add(1))
    };
    stretches(units, period, counts_on).filter(move |range| {
        let stretch = &units[range.clone()];
        let is_row = stretch.iter().any(|unit| unit.kind == UnitKind::Row);
        let (rounds, words) = if is_row { COUNTED_ROWS } else { COUNTED };
        let in_period: usize = stretch[..period]
            .iter()
            .map(|unit| unit.words.len() - unit.numbers.len())
            .sum();
        range.len() / period >= rounds && in_period >= words * period
    })
}

/// Lines of which each has nearly the words of the one before, but not always at the
/// same place: where one word is put in for another, it is an exercise or a list.
fn alike(units: &[Unit]) -> impl Iterator<Item = Range<usize>> {
    let (rounds, words) = ALIKE;
    let is_alike = move |a: &Unit, b: &Unit| {
        a.kind == b.kind
            && matches!(a.kind, UnitKind::Item | UnitKind::Sentence | UnitKind::Field)
            && a.words.len().min(b.words.len()) >= words
            && a.numbers == b.numbers
            && a.is_prose
            && b.is_prose
            && share_most(&a.words, &b.words)
    };
    stretches(units, 1, is_alike)
        .filter(move |range| range.len() >= rounds && !is_exercise(&units[range.clone()]))
}

/// Whether two lines share three words of four, in whatever order.
fn share_most(a: &[u64], b: &[u64]) -> bool {
    let longer = a.len().max(b.len());
    if a.len().min(b.len()) * 4 < longer * 3 {
        return false;
    }
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_unstable();
    b.sort_unstable();
    let (mut shared, mut at) = (0, 0);
    for word in &a {
        while b.get(at).is_some_and(|other| other < word) {
            at += 1;
        }
        if b.get(at) == Some(word) {
            shared += 1;
            at += 1;
        }
    }
    shared * 4 >= longer * 3
}

/// Whether all lines have the same beginning and the same end, and a word or two
/// between them that change.
fn is_exercise(stretch: &[Unit]) -> bool {
    const CHANGING: usize = 2;
    let Some((first, others)) = stretch.split_first() else {
        return false;
    };
    let first = &first.words;
    let (mut head, mut tail) = (first.len(), first.len());
    for other in others.iter().map(|unit| &unit.words) {
        let same = |pair: &(&u64, &u64)| pair.0 == pair.1;
        head = head.min(first.iter().zip(other).take_while(same).count());
        let ends = first.iter().rev().zip(other.iter().rev());
        tail = tail.min(ends.take_while(same).count());
    }
    stretch
        .iter()
        .all(|unit| unit.words.len().saturating_sub(head + tail) <= CHANGING)
}

// --- the units of a text ---

fn units_of(field: &TextField) -> Vec<Unit> {
    let text = &*field.text;
    let mut words = Words::default();
    let mut units = Vec::new();
    let mut verbatim = field.markdown().verbatim.iter().peekable();
    for block in &field.markdown().blocks {
        if block.kind.is_container() {
            continue;
        }
        let kind = match block.kind {
            BlockKind::Paragraph | BlockKind::Heading { .. } => kind_of(field, block),
            BlockKind::Table { .. } => UnitKind::Row,
            BlockKind::FrontMatter | BlockKind::ThematicBreak | BlockKind::LinkDefinition { .. } => {
                continue;
            }
            _ => UnitKind::Other,
        };
        let content = text.get(block.content.clone()).unwrap_or_default();
        for range in split(content, kind) {
            let piece = &content[range.clone()];
            words.read(piece);
            let at = block.content.start;
            let place = at + range.start..at + range.end;
            let mut unit = unit(&words, piece, place.clone(), kind);
            while verbatim.next_if(|other| other.end <= place.start).is_some() {}
            unit.is_prose = verbatim.peek().is_none_or(|other| other.start >= place.end);
            // A row of dashes, an empty line.
            if unit.words.is_empty() && kind != UnitKind::Other {
                continue;
            }
            make_unique_if_blank(&mut unit, piece, units.len());
            units.push(unit);
        }
    }
    units
}

fn kind_of(field: &TextField, block: &Block) -> UnitKind {
    let blocks = &field.markdown().blocks;
    let in_item = block
        .parent
        .and_then(|parent| blocks.get(parent))
        .is_some_and(|parent| matches!(parent.kind, BlockKind::Item { .. }));
    let content = field.text.get(block.content.clone()).unwrap_or_default();
    if is_verse(content) {
        UnitKind::Verse
    } else if in_item {
        UnitKind::Item
    } else {
        UnitKind::Sentence
    }
}

/// Rows and items as they are, prose into sentences, verse into lines. That a sentence
/// is split in the wrong place does no harm: its copies are split there, too.
fn split(content: &str, kind: UnitKind) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut push = |from: usize, to: usize| {
        let piece = &content[from..to];
        let lead = piece.len() - piece.trim_start().len();
        if !piece.trim().is_empty() {
            ranges.push(from + lead..from + piece.trim_end().len());
        }
    };
    if matches!(kind, UnitKind::Item | UnitKind::Other | UnitKind::Field) {
        push(0, content.len());
        return ranges;
    }
    let mut ended = false;
    for (at, c) in content.char_indices() {
        let ends = match c {
            '\n' => kind != UnitKind::Sentence,
            c if kind == UnitKind::Sentence => {
                let ends = ended && c.is_whitespace();
                ended = matches!(c, '.' | '!' | '?' | '…');
                ends || matches!(c, '。' | '！' | '？' | '।' | '؟' | '۔' | '።' | '។')
            }
            _ => false,
        };
        if ends {
            let end = at + c.len_utf8();
            push(start, end);
            start = end;
        }
    }
    push(start, content.len());
    ranges
}

fn unit(words: &Words<'_>, piece: &str, range: Range<usize>, kind: UnitKind) -> Unit {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = words
        .words
        .iter()
        .filter(|(_, word)| is_number(word))
        .map(|(_, word)| word.parse().unwrap_or(u64::MAX))
        .collect();
    let (id, shape) = hashes(piece);
    Unit {
        range,
        kind,
        id,
        shape,
        words: words.ids.clone(),
        numbers,
        is_prose: true,
    }
}

/// A hash of a text, and one in which every number is alike; signs count (`5 + 3` is
/// not `5 - 3`), the kind of white space does not.
fn hashes(piece: &str) -> (u64, u64) {
    let (mut exact, mut shape) = (FxHasher::default(), FxHasher::default());
    let mut before = 0;
    for &byte in piece.trim().as_bytes() {
        let byte = if byte.is_ascii_whitespace() { b' ' } else { byte };
        if byte == b' ' && before == b' ' {
            continue;
        }
        exact.write_u8(byte);
        if !byte.is_ascii_digit() {
            shape.write_u8(byte);
        } else if !before.is_ascii_digit() {
            shape.write_u8(b'0');
        }
        before = byte;
    }
    (exact.finish(), shape.finish())
}

/// Code and formulas are not compared, nor are lines to be filled in.
fn make_unique_if_blank(unit: &mut Unit, piece: &str, index: usize) {
    let is_blank = piece.contains("__") || piece.contains("....") || piece.contains("……");
    if unit.kind == UnitKind::Other || is_blank || unit.words.is_empty() {
        unit.kind = UnitKind::Other;
        unit.id = combined_hash([unit.id, index as u64, 7].into_iter());
        unit.shape = unit.id;
    }
}
