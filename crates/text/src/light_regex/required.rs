//! Which words a pattern cannot match without: of each of its lists at least one is in
//! every text that matches, in the order of the lists and without overlaps. It reads the
//! regular expressions that phrase files use, and gives no list where it does not
//! understand one.

use std::sync::Arc;

use super::Parts;

/// Shorter words are in most texts; in bytes.
const SHORTEST: usize = 2;

/// More alternatives are not worth the search.
const MOST: usize = 64;

/// Words of which one is in every match.
pub(super) type Words = Arc<[Box<str>]>;

/// Lists of words, of each of which one is in every match.
pub(super) fn required(pattern: &str, parts: &Parts) -> Vec<Words> {
    let mut parser = Parser::new(pattern, parts);
    parser.alternatives();
    match parser.rest {
        "" => parser.lists.iter().map(List::shared).collect(),
        _ => Vec::new(),
    }
}

/// The same for any of several patterns: one list, or none.
pub(super) fn required_by_any(patterns: &[&str], parts: &Parts) -> Vec<Words> {
    let each = patterns.iter().map(|pattern| required(pattern, parts));
    let each: Vec<Vec<Words>> = each.collect();
    let lists = each.iter().map(|lists| {
        let lists = lists.iter().map(List::Shared).collect();
        most_telling(lists)
    });
    let any = List::any_of(lists);
    any.iter().map(List::shared).collect()
}

/// A list of words while a pattern is read.
#[derive(Clone)]
enum List<'p> {
    One(&'p str),
    Any(Vec<&'p str>),
    Shared(&'p Words),
}

impl<'p> List<'p> {
    fn shared(&self) -> Words {
        match self {
            Self::One(word) => Arc::new([Box::from(*word)]),
            Self::Any(words) => words.iter().map(|word| Box::from(*word)).collect(),
            Self::Shared(words) => Arc::clone(words),
        }
    }

    fn add_to(&self, all: &mut Vec<&'p str>) {
        match self {
            Self::One(word) => all.push(word),
            Self::Any(words) => all.extend(words),
            Self::Shared(words) => all.extend(words.iter().map(|word| &**word)),
        }
    }

    /// The length of its shortest word.
    fn shortest(&self) -> usize {
        let least = match self {
            Self::One(word) => Some(word.len()),
            Self::Any(words) => words.iter().map(|word| word.len()).min(),
            Self::Shared(words) => words.iter().map(|word| word.len()).min(),
        };
        least.unwrap_or_default()
    }

    /// One list for alternatives, if each of them has one.
    fn any_of(each: impl Iterator<Item = Option<Self>>) -> Option<Self> {
        let mut all = Vec::new();
        for list in each {
            list?.add_to(&mut all);
        }
        (all.len() <= MOST).then_some(Self::Any(all))
    }
}

/// The list whose shortest word is the longest; the last of several.
fn most_telling(lists: Vec<List<'_>>) -> Option<List<'_>> {
    lists.into_iter().max_by_key(List::shortest)
}

/// Which of some lists tells most.
pub(super) fn most_telling_of(lists: &[Words]) -> Option<&Words> {
    let shortest = |words: &&Words| words.iter().map(|word| word.len()).min();
    lists.iter().max_by_key(shortest)
}

struct Parser<'p> {
    rest: &'p str,
    parts: &'p Parts,
    /// The lists of what has been read, without those of optional elements.
    lists: Vec<List<'p>>,
}

/// How often an element has to occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    Once,
    AtLeastOnce,
    PerhapsNever,
}

impl<'p> Parser<'p> {
    fn new(pattern: &'p str, parts: &'p Parts) -> Self {
        Self {
            rest: pattern,
            parts,
            lists: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn takes(&mut self, prefix: char) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads alternatives: keeps the lists of a single one; of several, one list with the
    /// most telling words of each.
    fn alternatives(&mut self) {
        let before = self.lists.len();
        self.sequence();
        if !self.rest.starts_with('|') {
            return;
        }
        let mut each = vec![self.most_telling_from(before)];
        while self.takes('|') {
            self.sequence();
            each.push(self.most_telling_from(before));
        }
        self.lists.extend(List::any_of(each.into_iter()));
    }

    /// The most telling of the last lists, which are dropped.
    fn most_telling_from(&mut self, start: usize) -> Option<List<'p>> {
        self.lists.drain(start..).max_by_key(List::shortest)
    }

    /// Reads a sequence and keeps the lists of all its elements.
    fn sequence(&mut self) {
        // The characters since the last element of another kind.
        let mut run = self.rest;
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            self.skip_letters();
            let before = self.rest;
            let known = self.lists.len();
            let is_character = self.is_character();
            let after = self.rest;
            let repeated = self.repeated();
            if is_character && repeated == Repeated::Once {
                continue;
            }
            if repeated == Repeated::PerhapsNever {
                self.lists.truncate(known);
            }
            let is_kept = is_character && repeated == Repeated::AtLeastOnce;
            if let Some(word) = telling(run, if is_kept { after } else { before }) {
                self.lists.insert(known, word);
            }
            run = self.rest;
        }
        self.lists.extend(telling(run, self.rest));
    }

    /// Reads what stands once for certain: of some characters without a meaning all but
    /// the last.
    fn skip_letters(&mut self) {
        let end = self.rest.bytes().position(is_sign);
        let letters = self.rest.get(..end.unwrap_or(self.rest.len()));
        let last = letters.and_then(|letters| letters.char_indices().next_back());
        self.rest = last.map_or(self.rest, |(at, _)| &self.rest[at..]);
    }

    /// Reads an element and keeps its lists. Whether it is a single character.
    fn is_character(&mut self) -> bool {
        match self.next() {
            Some('(') => {
                // `?:`, `?-u:` or `?P<name>`; flags for the rest of a pattern are not
                // understood, and it is left unread.
                if self.takes('?') {
                    let end = self
                        .rest
                        .find([':', '>'])
                        .map_or(self.rest.len(), |end| end + 1);
                    self.rest = &self.rest[end..];
                }
                self.alternatives();
                self.takes(')');
            }
            Some('[') => self.class(),
            Some('\\') => {
                self.next();
            }
            Some('{') => self.part(),
            Some('^' | '$' | '.') | None => {}
            Some(_) => return true,
        }
        false
    }

    /// Reads the name of a part, after its opening brace; nothing is needed where there is
    /// none of the name.
    fn part(&mut self) {
        let (name, rest) = self.rest.split_once('}').unwrap_or((self.rest, ""));
        self.rest = rest;
        let lists = self.parts.required(name);
        self.lists.extend(lists.iter().map(List::Shared));
    }

    fn class(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.next();
                }
                ']' => return,
                _ => {}
            }
        }
    }

    fn repeated(&mut self) -> Repeated {
        let repeated = if self.takes('?') || self.takes('*') {
            Repeated::PerhapsNever
        } else if self.takes('+') {
            Repeated::AtLeastOnce
        } else if is_repetition(self.rest) {
            let end = self.rest.find('}').map_or(self.rest.len(), |end| end + 1);
            let is_optional = self.rest.starts_with("{0") || self.rest.starts_with("{,");
            self.rest = &self.rest[end..];
            if is_optional {
                Repeated::PerhapsNever
            } else {
                Repeated::AtLeastOnce
            }
        } else {
            Repeated::Once
        };
        if repeated != Repeated::Once {
            self.takes('?');
        }
        repeated
    }
}

/// Whether a byte has a meaning in patterns. Asked of every byte of every pattern.
fn is_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'|'
            | b'\\'
            | b'^'
            | b'$'
            | b'.'
            | b'?'
            | b'*'
            | b'+'
    )
}

/// Whether a brace tells how often, and is not the name of a part.
fn is_repetition(rest: &str) -> bool {
    let inner = rest.strip_prefix('{');
    inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit() || c == ','))
}

/// What lies between two ends of a pattern, as a list of one word.
fn telling<'p>(from: &'p str, to: &str) -> Option<List<'p>> {
    let word = &from[..from.len() - to.len()];
    (word.len() >= SHORTEST).then_some(List::One(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_required() {
        let cases: [(&str, &[&[&str]]); 16] = [
            ("here is your lesson", &[&["here is your lesson"]]),
            ("^(?:here is|this is) .*$", &[&["here is", "this is"]]),
            ("(?:a|the) lesson\\w*", &[&[" lesson"]]),
            ("{here} x{2}", &[&["here is", "this is"], &[" x"]]),
            ("(?:{none}|here)", &[]),
            ("lessons? about", &[&["lesson"], &[" about"]]),
            (
                "(?:please )?(?:insert|add)\\b.{0,60}\\bhere\\b",
                &[&["insert", "add"], &["here"]],
            ),
            ("(?:x|the) \\S+", &[]),
            ("[abc]+", &[]),
            (
                "(?:let me know|feel free)(?: to ask)?",
                &[&["let me know", "feel free"]],
            ),
            ("(?:one two.*three|four)", &[&["one two", "four"]]),
            ("(?P<mid>(?:\\S+ ){0,6}?)lesson", &[&["lesson"]]),
            (
                r"(?-u:[^\n\x80-\xBF][\x80-\xBF]*){0,3}lesson",
                &[&["lesson"]],
            ),
            ("课程", &[&["课程"]]),
            ("lore+m", &[&["lore"]]),
            ("lorem*", &[&["lore"]]),
        ];
        for (pattern, lists) in cases {
            let parts = Parts::new([("here", &["here is", "this is"][..])].into_iter());
            let found = required(pattern, &parts);
            let found: Vec<Vec<&str>> = found
                .iter()
                .map(|words| words.iter().map(AsRef::as_ref).collect())
                .collect();
            assert_eq!(found, lists, "{pattern}");
        }
    }
}
