//! Which words a pattern cannot match without: of each of its lists at least one is in
//! every text that matches. It reads the regular expressions that phrase files use, and
//! gives no list where it does not understand one.

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
    let mut parser = Parser {
        rest: pattern,
        parts,
    };
    let lists = parser.alternatives();
    match parser.rest {
        "" => lists,
        _ => Vec::new(),
    }
}

struct Parser<'p> {
    rest: &'p str,
    parts: &'p Parts,
}

/// What one element of a pattern needs.
enum Element {
    Character,
    Other(Vec<Words>),
}

/// How often an element has to occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    Once,
    AtLeastOnce,
    PerhapsNever,
}

impl<'p> Parser<'p> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn takes(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The lists of a single alternative; of several, one list with the most telling
    /// words of each.
    fn alternatives(&mut self) -> Vec<Words> {
        let first = self.sequence();
        if !self.rest.starts_with('|') {
            return first;
        }
        let mut each = vec![most_telling(first)];
        while self.takes("|") {
            each.push(most_telling(self.sequence()));
        }
        any_of(each).into_iter().collect()
    }

    /// The lists of all elements of a sequence.
    fn sequence(&mut self) -> Vec<Words> {
        let mut lists = Vec::new();
        // The characters since the last element of another kind.
        let mut run = self.rest;
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let before = self.rest;
            let element = self.element();
            let after = self.rest;
            let repeated = self.repeated();
            let is_character = matches!(element, Element::Character);
            if is_character && repeated == Repeated::Once {
                continue;
            }
            let is_kept = is_character && repeated == Repeated::AtLeastOnce;
            lists.extend(telling(run, if is_kept { after } else { before }));
            run = self.rest;
            if repeated != Repeated::PerhapsNever
                && let Element::Other(of_element) = element
            {
                lists.extend(of_element);
            }
        }
        lists.extend(telling(run, self.rest));
        lists
    }

    fn element(&mut self) -> Element {
        match self.next() {
            Some('(') => {
                // `?:`, `?-u:` or `?P<name>`; flags for the rest of a pattern are not
                // understood, and it is left unread.
                if self.takes("?") {
                    let end = self
                        .rest
                        .find([':', '>'])
                        .map_or(self.rest.len(), |end| end + 1);
                    self.rest = &self.rest[end..];
                }
                let lists = self.alternatives();
                self.takes(")");
                Element::Other(lists)
            }
            Some('[') => {
                self.class();
                Element::Other(Vec::new())
            }
            Some('\\') => {
                self.next();
                Element::Other(Vec::new())
            }
            Some('{') => Element::Other(self.part()),
            Some('^' | '$' | '.') | None => Element::Other(Vec::new()),
            Some(_) => Element::Character,
        }
    }

    /// What a part needs, after its opening brace; nothing where there is none of the name.
    fn part(&mut self) -> Vec<Words> {
        let (name, rest) = self.rest.split_once('}').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.parts.required(name)
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
        let repeated = if self.takes("?") || self.takes("*") {
            Repeated::PerhapsNever
        } else if self.takes("+") {
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
            self.takes("?");
        }
        repeated
    }
}

/// One list for alternatives, if each of them has one.
pub(super) fn any_of(each: Vec<Option<Words>>) -> Option<Words> {
    let each: Vec<Words> = each.into_iter().collect::<Option<_>>()?;
    let count: usize = each.iter().map(|words| words.len()).sum();
    (count <= MOST).then(|| {
        each.iter()
            .flat_map(|words| words.iter())
            .cloned()
            .collect()
    })
}

/// Whether a brace tells how often, and is not the name of a part.
fn is_repetition(rest: &str) -> bool {
    let inner = rest.strip_prefix('{');
    inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit() || c == ','))
}

/// What lies between two ends of a pattern, as a list of one word.
fn telling(from: &str, to: &str) -> Option<Words> {
    let word = &from[..from.len() - to.len()];
    (word.len() >= SHORTEST).then(|| Arc::new([Box::from(word)]) as Words)
}

/// The list whose shortest word is the longest.
pub(super) fn most_telling(lists: Vec<Words>) -> Option<Words> {
    let shortest = |words: &Words| words.iter().map(|word| word.len()).min();
    lists.into_iter().max_by_key(shortest)
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
