//! Which words a pattern cannot match without: of each of its lists at least one is in
//! every text that matches. It reads the regular expressions that phrase files use, and
//! gives no list where it does not understand one.

/// Shorter words are in most texts; in bytes.
const SHORTEST: usize = 3;

/// More alternatives are not worth the search.
const MOST: usize = 64;

/// Lists of words, of each of which one is in every match.
pub(super) fn required(pattern: &str) -> Vec<Vec<&str>> {
    let mut parser = Parser { rest: pattern };
    let lists = parser.alternatives();
    match parser.rest {
        "" => lists,
        _ => Vec::new(),
    }
}

struct Parser<'p> {
    rest: &'p str,
}

/// What one element of a pattern needs.
enum Element<'p> {
    Character,
    Other(Vec<Vec<&'p str>>),
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
    fn alternatives(&mut self) -> Vec<Vec<&'p str>> {
        let first = self.sequence();
        if !self.rest.starts_with('|') {
            return first;
        }
        let mut all = most_telling(first);
        while self.takes("|") {
            let next = most_telling(self.sequence());
            all = match (all, next) {
                (Some(mut all), Some(next)) if all.len() + next.len() <= MOST => {
                    all.extend(next);
                    Some(all)
                }
                _ => None,
            };
        }
        all.into_iter().collect()
    }

    /// The lists of all elements of a sequence.
    fn sequence(&mut self) -> Vec<Vec<&'p str>> {
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

    fn element(&mut self) -> Element<'p> {
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
            Some('^' | '$' | '.') | None => Element::Other(Vec::new()),
            Some(_) => Element::Character,
        }
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
        } else if self.rest.starts_with(['{']) {
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

/// What lies between two ends of a pattern, as a list of one word.
fn telling<'p>(from: &'p str, to: &str) -> Option<Vec<&'p str>> {
    let word = &from[..from.len() - to.len()];
    (word.len() >= SHORTEST).then(|| vec![word])
}

/// The list whose shortest word is the longest.
fn most_telling(lists: Vec<Vec<&str>>) -> Option<Vec<&str>> {
    let shortest = |words: &Vec<&str>| words.iter().map(|word| word.len()).min();
    lists.into_iter().max_by_key(shortest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_required() {
        let cases: [(&str, &[&[&str]]); 14] = [
            ("here is your lesson", &[&["here is your lesson"]]),
            ("^(?:here is|this is) .*$", &[&["here is", "this is"]]),
            ("(?:a|the) lesson\\w*", &[&[" lesson"]]),
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
            assert_eq!(required(pattern), lists, "{pattern}");
        }
    }
}
