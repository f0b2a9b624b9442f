//! The grammar: reads one value, whatever is wrong with it, into a tree. A loop
//! over an explicit stack, one token a turn; every turn moves on in the text,
//! closes a container, or changes what the container expects next. The text
//! between tokens, the ends of strings, the meaning of words and the pairing of
//! brackets have modules of their own.

use std::ops::Range;

use super::escape::quoted;
use super::quotes::{self, Context, Ending, Role};
use super::recovery::{Opening, Reading, Recoveries, RecoveryKind};
use super::string::{self, Tail};
use super::tree::{Arena, Json, JsonString, Kind, NONE, NodeData, Quotes};
use super::trivia::{self, Hash, Text};
use super::words::{self, Bare, Word};
use crate::text_map::TextMap;

/// How many arrays and objects may be open at once. Lessons nest some ten deep;
/// what is deeper than this is skipped, not read.
const MAX_DEPTH: usize = 256;

/// Scans one value in `source[range]`. Spans are absolute offsets into `source`.
/// Text after the value is left alone; [`Json::end`] says where it starts.
#[must_use]
pub fn scan(source: &str, range: Range<usize>) -> Json {
    let mut end = range.end.min(source.len());
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    let mut start = range.start.min(end);
    while !source.is_char_boundary(start) {
        start += 1;
    }
    let mut scanner = Scanner {
        text: Text(source.get(..end).unwrap_or_default()),
        at: start,
        newline: false,
        arena: Arena::default(),
        found: Recoveries::default(),
        stack: Vec::new(),
        cut: None,
        trust_quotes: false,
        too_deep: false,
    };
    scanner.run();
    scanner.finish()
}

/// An open array or object.
pub(super) struct Frame {
    pub(super) node: u32,
    pub(super) shape: Shape,
    pub(super) expect: Expect,
    /// The last child, to link the next one to.
    pub(super) last_child: u32,
    pub(super) children: u32,
    /// The key whose value is awaited.
    pub(super) key: u32,
    /// The comma after the last child, if there was one.
    pub(super) comma: Option<usize>,
    /// The end of the last token other than a comma.
    pub(super) last_end: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Array,
    Object,
}

impl Shape {
    pub(super) const fn of(bracket: u8) -> Self {
        match bracket {
            b'[' | b']' => Self::Array,
            _ => Self::Object,
        }
    }

    pub(super) const fn closer(self) -> &'static str {
        match self {
            Self::Array => "]",
            Self::Object => "}",
        }
    }
}

/// What a container awaits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    /// An element of an array, or its end.
    Item,
    /// A key of an object, or its end.
    Key,
    Colon,
    /// The value of a member.
    Value,
    /// A comma or the end.
    Comma,
}

pub(super) struct Scanner<'s> {
    pub(super) text: Text<'s>,
    pub(super) at: usize,
    /// Whether a line ended before the current token.
    pub(super) newline: bool,
    pub(super) arena: Arena,
    pub(super) found: Recoveries,
    pub(super) stack: Vec<Frame>,
    /// What the text broke off in, besides the open containers.
    pub(super) cut: Option<Option<Opening>>,
    pub(super) trust_quotes: bool,
    pub(super) too_deep: bool,
}

impl Scanner<'_> {
    fn run(&mut self) {
        self.skip_trivia(Hash::MayBeWord);
        match self.text.byte(self.at) {
            None => return,
            Some(b'}' | b']' | b',' | b':') => {
                let span = self.at..self.at + 1;
                self.found.replace(
                    RecoveryKind::Unexpected,
                    span.clone(),
                    "",
                    Reading::Doubtful,
                );
                self.add(Kind::Invalid, span, 0);
                self.at += 1;
                return;
            }
            Some(byte) => self.value(byte, Role::Root),
        }
        while let Some(frame) = self.stack.last() {
            let (shape, expect) = (frame.shape, frame.expect);
            self.skip_trivia(match expect {
                Expect::Item | Expect::Value => Hash::MayBeWord,
                _ => Hash::Comment,
            });
            let Some(byte) = self.text.byte(self.at) else {
                self.cut.get_or_insert(None);
                return;
            };
            match expect {
                Expect::Item | Expect::Key => self.element(byte, shape),
                Expect::Colon => self.colon(byte),
                Expect::Value => self.member_value(byte),
                Expect::Comma => self.comma(byte, shape),
            }
        }
    }

    fn finish(mut self) -> Json {
        if let Some(inside) = self.cut {
            let mut open: Vec<Opening> = self
                .stack
                .iter()
                .map(|frame| match frame.shape {
                    Shape::Array => Opening::Array,
                    Shape::Object => Opening::Object,
                })
                .collect();
            let awaits = self
                .stack
                .last()
                .is_some_and(|frame| matches!(frame.expect, Expect::Colon | Expect::Value));
            open.extend(inside.or(awaits.then_some(Opening::Key)));
            let end = self.text.len();
            if awaits {
                let at = self.last_end();
                self.add(Kind::Invalid, at..at, 0);
            }
            while !self.stack.is_empty() {
                self.close(end);
            }
            let kind = RecoveryKind::CutOff { open };
            self.found
                .push(kind, end..end, Vec::new(), Reading::Doubtful);
            self.at = end;
        }
        let (recoveries, recoveries_omitted) = self.found.finish();
        Json {
            arena: self.arena,
            cut_off: self.cut.is_some(),
            recoveries,
            recoveries_omitted,
            end: self.at,
        }
    }

    fn skip_trivia(&mut self, hash: Hash) {
        let gap = trivia::skip(self.text, self.at, hash, &mut self.found);
        self.at = gap.at;
        self.newline = gap.newline;
    }

    pub(super) fn last_end(&self) -> usize {
        self.stack.last().map_or(self.at, |frame| frame.last_end)
    }

    fn expect(&mut self, expect: Expect) {
        if let Some(frame) = self.stack.last_mut() {
            frame.expect = expect;
        }
    }

    /// Takes one character and records that it does not belong here.
    fn unexpected(&mut self, instead: &str) {
        let len = self.text.char(self.at).map_or(1, char::len_utf8);
        let span = self.at..self.at + len;
        self.found
            .replace(RecoveryKind::Unexpected, span, instead, Reading::Doubtful);
        self.at += len;
    }

    /// At the start of an element or member, or the end of the container.
    fn element(&mut self, byte: u8, shape: Shape) {
        match (byte, shape) {
            (b'}' | b']', _) => self.closer(byte),
            (b',', _) => {
                let reading = Reading::certain_if(shape == Shape::Object);
                self.found.replace(
                    RecoveryKind::DoubledComma,
                    self.at..self.at + 1,
                    "",
                    reading,
                );
                self.at += 1;
            }
            _ if self.ellipsis() => {}
            (b':', Shape::Array) => self.unexpected(""),
            (_, Shape::Array) => self.value(byte, Role::Item),
            (b'{' | b'[', Shape::Object) => {
                if !self.end_object_in_array() {
                    self.missing_key("\"\": ");
                    self.expect(Expect::Value);
                }
            }
            (b':', Shape::Object) => {
                self.missing_key("\"\"");
                self.expect(Expect::Colon);
            }
            (_, Shape::Object) => self.key(),
        }
    }

    fn colon(&mut self, byte: u8) {
        match byte {
            b':' => self.at += 1,
            b'=' => {
                let len = 1 + usize::from(self.text.byte(self.at + 1) == Some(b'>'));
                let span = self.at..self.at + len;
                self.found
                    .replace(RecoveryKind::MissingColon, span, ":", Reading::Certain);
                self.at += len;
            }
            b',' | b'}' | b']' => return self.missing_value(": null"),
            _ => {
                let at = self.last_end();
                let quoted = quotes::opening_quote(self.text, self.at).is_some();
                let reading = Reading::certain_if(quoted || matches!(byte, b'{' | b'['));
                self.found
                    .insert(RecoveryKind::MissingColon, at, ":", reading);
                return self.expect(Expect::Value);
            }
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.last_end = self.at;
            frame.expect = Expect::Value;
        }
    }

    fn member_value(&mut self, byte: u8) {
        match byte {
            b',' | b'}' | b']' => self.missing_value(" null"),
            b':' => self.unexpected(""),
            _ => self.value(byte, Role::Member),
        }
    }

    fn comma(&mut self, byte: u8, shape: Shape) {
        let next = match shape {
            Shape::Array => Expect::Item,
            Shape::Object => Expect::Key,
        };
        match byte {
            b',' | b';' => {
                let at = self.at;
                if byte == b';' {
                    self.unexpected(",");
                } else {
                    self.at += 1;
                }
                if let Some(frame) = self.stack.last_mut() {
                    frame.comma = Some(at);
                    frame.expect = next;
                }
            }
            b'}' | b']' => self.closer(byte),
            b':' => self.unexpected(""),
            _ if self.ellipsis() => {}
            b'{' | b'[' if shape == Shape::Object && self.end_object_in_array() => {}
            _ => {
                let at = self.last_end();
                let before = at.checked_sub(1).and_then(|last| self.text.byte(last));
                let bracketed = matches!(byte, b'{' | b'[') || matches!(before, Some(b'}' | b']'));
                let quoted_key = shape == Shape::Object && byte == b'"';
                let reading = Reading::certain_if(self.newline || bracketed || quoted_key);
                self.found
                    .insert(RecoveryKind::MissingComma, at, ",", reading);
                self.expect(next);
            }
        }
    }

    fn ellipsis(&mut self) -> bool {
        let Some(end) = self.text.ellipsis_at(self.at) else {
            return false;
        };
        self.found
            .replace(RecoveryKind::Ellipsis, self.at..end, "", Reading::Doubtful);
        self.at = end;
        true
    }

    fn missing_key(&mut self, insert: &str) {
        self.found
            .insert(RecoveryKind::MissingKey, self.at, insert, Reading::Doubtful);
        let at = self.at;
        let key = self.arena.add_string(JsonString {
            span: at..at,
            inner: at..at,
            text: String::new(),
            map: TextMap::identity(at, 0),
            quotes: Quotes::Bare,
        });
        self.set_key(key, at);
    }

    fn set_key(&mut self, key: u32, end: usize) {
        if let Some(frame) = self.stack.last_mut() {
            frame.key = key;
            frame.comma = None;
            frame.last_end = end;
            frame.expect = Expect::Colon;
        }
    }

    fn missing_value(&mut self, insert: &str) {
        let at = self.last_end();
        self.found
            .insert(RecoveryKind::MissingValue, at, insert, Reading::Doubtful);
        self.add(Kind::Invalid, at..at, 0);
    }

    fn key(&mut self) {
        if let Some((quotes, len)) = quotes::opening_quote(self.text, self.at) {
            let (string, ending) = self.string(quotes, len, Role::Key);
            if ending == Ending::Cut {
                self.cut = Some(Some(Opening::Key));
                return;
            }
            let end = string.span.end;
            let key = self.arena.add_string(string);
            return self.set_key(key, end);
        }
        let (bare, end) = words::read_key(self.text, self.at);
        if end == self.at {
            return self.unexpected("");
        }
        if end == self.text.len() {
            self.at = end;
            self.cut = Some(Some(Opening::Key));
            return;
        }
        let string = self.bare_string(end, bare);
        let kind = match bare {
            Bare::Plain => RecoveryKind::BareKey,
            Bare::ClosedByQuote => RecoveryKind::MissingQuote,
        };
        let one_word = !string.text.contains(char::is_whitespace);
        let reading = Reading::certain_if(one_word);
        self.found
            .replace(kind, string.span.clone(), &quoted(&string.text), reading);
        self.at = end;
        let key = self.arena.add_string(string);
        self.set_key(key, end);
    }

    fn bare_string(&self, end: usize, bare: Bare) -> JsonString {
        let inner = self.at..end - usize::from(bare == Bare::ClosedByQuote);
        JsonString {
            span: self.at..end,
            text: self.text.slice(inner.clone()).to_owned(),
            map: TextMap::identity(inner.start, inner.len()),
            inner,
            quotes: Quotes::Bare,
        }
    }

    fn value(&mut self, byte: u8, role: Role) {
        if !self.arena.has_room() || (self.stack.len() >= MAX_DEPTH && matches!(byte, b'{' | b'['))
        {
            return self.skip_deep();
        }
        if matches!(byte, b'{' | b'[') {
            return self.open(Shape::of(byte));
        }
        if let Some((quotes, len)) = quotes::opening_quote(self.text, self.at) {
            let (string, ending) = self.string(quotes, len, role);
            if ending == Ending::Cut {
                self.cut = Some(Some(Opening::Text));
            }
            let span = string.span.clone();
            let payload = self.arena.add_string(string);
            self.add(Kind::String, span, payload);
            return;
        }
        self.word();
    }

    fn word(&mut self) {
        let (word, end) = words::read_value(self.text, self.at);
        let span = self.at..end;
        self.at = end;
        let mut mend = |kind, with: &str, certain| {
            self.found
                .replace(kind, span.clone(), with, Reading::certain_if(certain));
        };
        let (kind, payload) = match word {
            Word::Null => (Kind::Null, 0),
            Word::Bool(truth) => (Kind::Bool, u32::from(truth)),
            Word::Python(truth) => {
                let with = truth.map_or("null", |truth| if truth { "true" } else { "false" });
                mend(RecoveryKind::PythonLiteral, with, true);
                (
                    truth.map_or(Kind::Null, |_| Kind::Bool),
                    u32::from(truth == Some(true)),
                )
            }
            Word::NotFinite => {
                mend(RecoveryKind::NotFinite, "null", false);
                (Kind::Null, 0)
            }
            Word::Undefined => {
                mend(RecoveryKind::Undefined, "null", true);
                (Kind::Null, 0)
            }
            Word::Number(number, mended) => {
                if let Some(mended) = mended {
                    mend(RecoveryKind::OddNumber, &mended.text, mended.certain);
                }
                (Kind::Number, self.arena.add_number(number))
            }
            Word::CutLiteral => {
                self.cut = Some(None);
                (Kind::Invalid, 0)
            }
            Word::Bare(bare) => {
                self.at = span.start;
                let string = self.bare_string(end, bare);
                self.at = end;
                let kind = match bare {
                    Bare::Plain => RecoveryKind::BareWord,
                    Bare::ClosedByQuote => RecoveryKind::MissingQuote,
                };
                let with = quoted(&string.text);
                self.found
                    .replace(kind, span.clone(), &with, Reading::Doubtful);
                (Kind::String, self.arena.add_string(string))
            }
        };
        self.add(kind, span, payload);
    }

    /// Reads the string at the current offset and records its faults.
    fn string(&mut self, quotes: Quotes, open_len: usize, role: Role) -> (JsonString, Ending) {
        let start = self.at;
        let inner = start + open_len;
        let depth = self.stack.len();
        let below = depth.checked_sub(2).and_then(|i| self.stack.get(i));
        let context = Context {
            role,
            depth,
            object_in_array: below.is_some_and(|frame| frame.shape == Shape::Array),
            trust_quotes: self.trust_quotes,
        };
        let found = quotes::find_end(self.text, inner, quotes, context);
        let (close_len, tail) = match found.ending {
            Ending::Quote(len) | Ending::Fallback(len) => (len, Tail::Whole),
            Ending::Missing => (0, Tail::Whole),
            Ending::Cut => (0, Tail::Cut),
        };
        self.trust_quotes |= matches!(found.ending, Ending::Fallback(_));
        let decoded = string::decode(self.text, inner..found.at, quotes, tail);
        let closed = matches!(found.ending, Ending::Quote(_)) && found.clear;
        let span = start..found.at + close_len;
        let string = JsonString {
            span: span.clone(),
            inner: inner..decoded.end,
            text: decoded.text,
            map: decoded.map,
            quotes,
        };
        self.at = span.end;

        let faults = decoded.faults;
        let reading = Reading::certain_if(closed);
        if quotes == Quotes::Double {
            self.crowd(RecoveryKind::UnescapedQuote, 1, faults.quotes, reading);
        } else {
            let mut edits = vec![(start..inner, "\"".to_owned())];
            edits.extend(faults.quotes);
            edits.extend(faults.odd_quote_escapes);
            if close_len > 0 {
                edits.push((found.at..span.end, "\"".to_owned()));
            }
            edits.sort_by_key(|(range, _)| range.start);
            self.found
                .push(RecoveryKind::OddQuotes, span, edits, reading);
        }
        // No name of a field has a line break: something was lost or put in there.
        let controls = match role {
            Role::Key => Reading::Doubtful,
            _ => reading,
        };
        self.crowd(RecoveryKind::RawControl, 1, faults.controls, controls);
        self.crowd(
            RecoveryKind::InvalidEscape,
            2,
            faults.escapes,
            Reading::Certain,
        );
        for surrogate in faults.lone_surrogates {
            self.found.push(
                RecoveryKind::LoneSurrogate,
                surrogate,
                Vec::new(),
                Reading::Doubtful,
            );
        }
        if found.ending == Ending::Missing {
            self.found.insert(
                RecoveryKind::MissingQuote,
                found.at,
                "\"",
                Reading::Doubtful,
            );
        }
        (string, found.ending)
    }

    /// Records the faults of one kind in one string; the span is the first,
    /// `len` bytes or as far as characters go.
    fn crowd(&mut self, kind: RecoveryKind, len: usize, edits: string::Edits, reading: Reading) {
        let Some((first, _)) = edits.first() else {
            return;
        };
        let mut end = (first.start + len).min(self.text.len());
        while !self.text.0.is_char_boundary(end) {
            end += 1;
        }
        self.found.push(kind, first.start..end, edits, reading);
    }

    fn open(&mut self, shape: Shape) {
        let kind = match shape {
            Shape::Array => Kind::Array,
            Shape::Object => Kind::Object,
        };
        let node = self.add(kind, self.at..self.at + 1, 0);
        self.at += 1;
        self.stack.push(Frame {
            node,
            shape,
            expect: match shape {
                Shape::Array => Expect::Item,
                Shape::Object => Expect::Key,
            },
            last_child: NONE,
            children: 0,
            key: NONE,
            comma: None,
            last_end: self.at,
        });
    }

    /// Adds a value to the open container, or as the root.
    pub(super) fn add(&mut self, kind: Kind, span: Range<usize>, payload: u32) -> u32 {
        let (parent, index, key) = self.stack.last().map_or((NONE, 0, NONE), |frame| {
            (frame.node, frame.children, frame.key)
        });
        let id = self.arena.add_node(NodeData {
            start: span.start,
            end: span.end,
            parent,
            first_child: NONE,
            next_sibling: NONE,
            index,
            key,
            payload,
            kind,
        });
        if let Some(frame) = self.stack.last_mut() {
            let (previous, parent) = (frame.last_child, frame.node);
            frame.last_child = id;
            frame.children += 1;
            frame.key = NONE;
            frame.comma = None;
            frame.last_end = span.end;
            frame.expect = Expect::Comma;
            if let Some(previous) = self.arena.node_mut(previous) {
                previous.next_sibling = id;
            } else if let Some(parent) = self.arena.node_mut(parent) {
                parent.first_child = id;
            }
        }
        id
    }

    /// Closes the innermost container, which ends at `end`.
    pub(super) fn close(&mut self, end: usize) {
        let Some(frame) = self.stack.pop() else {
            return;
        };
        if let Some(node) = self.arena.node_mut(frame.node) {
            node.end = end;
            node.payload = frame.children;
        }
        if let Some(outer) = self.stack.last_mut() {
            outer.last_end = end;
        }
        if frame.shape == Shape::Object && frame.children > 1 {
            for key in self.arena.duplicate_keys(frame.node) {
                let span = self
                    .arena
                    .strings
                    .get(key as usize)
                    .map(|key| key.span.clone());
                let span = span.unwrap_or(end..end);
                self.found.push(
                    RecoveryKind::DuplicateKey,
                    span,
                    Vec::new(),
                    Reading::Doubtful,
                );
            }
        }
    }
}
