//! The tree a scan gives: nodes in an arena, reached through [`Node`]. It keeps
//! no source text and knows nothing of how broken input is read.

use std::fmt;
use std::ops::Range;

use super::recovery::Recovery;
use crate::text_map::TextMap;
use crate::writing::Writing;

/// A scanned JSON text. Links between nodes are indices, so neither building
/// nor dropping it recurses.
#[derive(Debug)]
pub struct Json {
    pub(super) arena: Arena,
    pub(super) cut_off: bool,
    /// What had to be forgiven, in the order of the source.
    pub recoveries: Vec<Recovery>,
    /// How many further recoveries were found but not kept.
    pub recoveries_omitted: usize,
    /// Where the scanned value ended (absolute).
    pub end: usize,
}

impl Json {
    /// The value, unless the range held nothing but white space and comments.
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        (!self.arena.nodes.is_empty()).then_some(Node { json: self, id: 0 })
    }

    /// Whether the value ended before the text did, that is, it was not cut off.
    #[must_use]
    pub const fn complete(&self) -> bool {
        !self.cut_off
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`, and its other spellings (`None`, `undefined`, `NaN`).
    Null,
    /// `true` or `false`.
    Bool,
    Number,
    String,
    Array,
    Object,
    /// A value that is missing, unreadable or nested too deep.
    Invalid,
}

/// How a string was delimited in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quotes {
    /// `"…"`, as JSON wants it.
    Double,
    /// `'…'`.
    Single,
    /// `` `…` ``.
    Backtick,
    /// `“…”` and its relatives.
    TypographicDouble,
    /// `‘…’` and its relatives.
    TypographicSingle,
    /// No quotes at all: a bare key or word.
    Bare,
    /// As another format than JSON writes it.
    Foreign(Writing),
}

/// A string, decoded, with the map back to the source.
///
/// The map is exact for valid JSON. Where a recovery touches the string, apply
/// that recovery and scan again before editing the text.
#[derive(Clone, Debug)]
pub struct JsonString {
    /// With its quotes.
    pub span: Range<usize>,
    /// Between its quotes.
    pub inner: Range<usize>,
    /// The decoded text.
    pub text: String,
    /// From the decoded text to the source.
    pub map: TextMap,
    /// How it was delimited.
    pub quotes: Quotes,
}

/// A value of the tree.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    json: &'a Json,
    id: u32,
}

impl<'a> Node<'a> {
    fn data(self) -> &'a NodeData {
        // Ids come from the arena itself, which never shrinks.
        &self.json.arena.nodes[self.id as usize]
    }

    fn at(self, id: u32) -> Option<Self> {
        (id != NONE).then_some(Self {
            json: self.json,
            id,
        })
    }

    /// What the value is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.data().kind
    }

    /// Where the value is in the source; empty if it is missing.
    #[must_use]
    pub fn span(self) -> Range<usize> {
        let data = self.data();
        data.start..data.end
    }

    /// The member with this key; of several the last, as `JSON.parse` has it.
    /// Takes time proportional to the number of members.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.members()
            .filter_map(|(name, value)| (name.text == key).then_some(value))
            .last()
    }

    /// The members of an object, in the order of the source, with duplicates.
    pub fn members(self) -> impl Iterator<Item = (&'a JsonString, Self)> {
        self.children()
            .filter_map(|child| child.key().map(|key| (key, child)))
    }

    /// The elements of an array.
    pub fn items(self) -> impl Iterator<Item = Self> {
        let is_array = self.kind() == Kind::Array;
        self.children().filter(move |_| is_array)
    }

    fn children(self) -> impl Iterator<Item = Self> {
        let first = self.at(self.data().first_child);
        std::iter::successors(first, move |child| self.at(child.data().next_sibling))
    }

    /// How many elements or members there are; 0 for anything else.
    #[must_use]
    pub fn len(self) -> usize {
        match self.kind() {
            Kind::Array | Kind::Object => self.data().payload as usize,
            _ => 0,
        }
    }

    /// Whether there are no elements or members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The key of this value in its object.
    #[must_use]
    pub fn key(self) -> Option<&'a JsonString> {
        self.json.arena.strings.get(self.data().key as usize)
    }

    /// The array or object that holds this value.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.at(self.data().parent)
    }

    /// The string, with its spans, if this is one.
    #[must_use]
    pub fn string(self) -> Option<&'a JsonString> {
        let data = self.data();
        match data.kind {
            Kind::String => self.json.arena.strings.get(data.payload as usize),
            _ => None,
        }
    }

    /// The decoded text, if this is a string.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.string().map(|string| string.text.as_str())
    }

    /// The truth value, if this is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.data().payload != 0)
    }

    /// The number, if this is one that a double can hold.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number()
            .map(|number| number.float)
            .filter(|float| float.is_finite())
    }

    /// The number, if it is whole and fits. `2.0` is whole.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.number().and_then(|number| number.integer)
    }

    fn number(self) -> Option<&'a Number> {
        let data = self.data();
        match data.kind {
            Kind::Number => self.json.arena.numbers.get(data.payload as usize),
            _ => None,
        }
    }

    /// Where the value is in the document, as one would write it in code:
    /// `sections[2].content`, `["odd key"].x`. Empty for the root.
    #[must_use]
    pub fn path(self) -> String {
        let mut steps: Vec<Self> =
            std::iter::successors(Some(self), |node| node.parent()).collect();
        steps.pop();
        let mut path = String::new();
        for step in steps.into_iter().rev() {
            match step.key() {
                Some(key) if is_identifier(&key.text) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key.text);
                }
                Some(key) => path.push_str(&format!("[{}]", super::escape::quoted(&key.text))),
                None => path.push_str(&format!("[{}]", step.data().index)),
            }
        }
        path
    }
}

/// Names the node; the tree below it would drown any message.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} at {:?} ({})",
            self.kind(),
            self.span(),
            self.path()
        )
    }
}

fn is_identifier(key: &str) -> bool {
    let mut chars = key.chars();
    chars
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// No node, no key.
pub(super) const NONE: u32 = u32::MAX;

/// All nodes, strings and numbers of a document; node 0 is the root.
#[derive(Debug, Default)]
pub(super) struct Arena {
    pub(super) nodes: Vec<NodeData>,
    pub(super) strings: Vec<JsonString>,
    pub(super) numbers: Vec<Number>,
}

/// A node as it is stored. `payload` is the number of children, the index of
/// the string or number, or the truth value, according to the kind.
#[derive(Debug)]
pub(super) struct NodeData {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) next_sibling: u32,
    pub(super) index: u32,
    pub(super) key: u32,
    pub(super) payload: u32,
    pub(super) kind: Kind,
}

/// A number as a double and, where it is whole, as an integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) float: f64,
    pub(super) integer: Option<i64>,
}

impl Arena {
    /// Whether another value still has an index. Only texts of many gigabytes
    /// come near the limit.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < NONE as usize - 1 && self.strings.len() < NONE as usize - 2
    }

    /// Stores a string; the caller has made sure of room.
    pub(super) fn add_string(&mut self, string: JsonString) -> u32 {
        self.strings.push(string);
        index_of(self.strings.len())
    }

    pub(super) fn add_number(&mut self, number: Number) -> u32 {
        self.numbers.push(number);
        index_of(self.numbers.len())
    }

    pub(super) fn add_node(&mut self, node: NodeData) -> u32 {
        self.nodes.push(node);
        index_of(self.nodes.len())
    }

    pub(super) fn node_mut(&mut self, id: u32) -> Option<&mut NodeData> {
        self.nodes.get_mut(id as usize)
    }

    /// Later members of an object whose key occurred before: indices of their
    /// keys. Sorted by hash first, so that the usual object costs one hash per
    /// key; equal hashes fall back to the text, so that crafted collisions cost
    /// no more than a sort.
    pub(super) fn duplicate_keys(&self, object: u32) -> Vec<u32> {
        let child_of = |id: u32| self.nodes.get(id as usize);
        let first = child_of(object).map_or(NONE, |node| node.first_child);
        let keys: Vec<(u64, &str, u32)> =
            std::iter::successors(child_of(first), |node| child_of(node.next_sibling))
                .filter_map(|node| {
                    let text = self.strings.get(node.key as usize)?.text.as_str();
                    Some((hash(text), text, node.key))
                })
                .collect();
        let mut keys = keys;
        keys.sort_unstable();
        let mut later: Vec<u32> = keys
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if a.0 == b.0 && a.1 == b.1 => Some(b.2),
                _ => None,
            })
            .collect();
        later.sort_unstable();
        later
    }
}

fn index_of(len: usize) -> u32 {
    u32::try_from(len.saturating_sub(1)).unwrap_or(NONE)
}

/// FNV-1a: the same on every machine, and short keys are what it is good at.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
