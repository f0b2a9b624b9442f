//! Which words a pattern cannot match without: of each list at least one is in every
//! text that matches. It reads the regular expressions that phrase files use, and
//! gives no list where it does not understand one.

/// Shorter words are in most texts.
const SHORTEST: usize = 3;

/// More alternatives are not worth the search.
const MOST: usize = 64;

/// Words of which one is in every match, in lower case; `None` if there are none.
pub(super) fn required(pattern: &str) -> Option<Vec<String>> {
    let mut parser = Parser {
        rest: pattern.trim_start_matches("(?i)"),
    };
    let words = parser.alternatives()?;
    parser.rest.is_empty().then_some(words)
}

struct Parser<'p> {
    rest: &'p str,
}

/// What one element of a pattern needs.
enum Element {
    Character(char),
    /// Zero width: it does not part the characters around it.
    Edge,
    Words(Option<Vec<String>>),
}

/// How often an element has to occur.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeated {
    Once,
    AtLeastOnce,
    PerhapsNever,
}

impl Parser<'_> {
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

    /// The words of alternatives: one of the words of each.
    fn alternatives(&mut self) -> Option<Vec<String>> {
        let mut all = self.sequence();
        while self.takes("|") {
            let next = self.sequence();
            all = match (all, next) {
                (Some(mut all), Some(next)) if all.len() + next.len() <= MOST => {
                    all.extend(next);
                    Some(all)
                }
                _ => None,
            };
        }
        all
    }

    /// The words of a sequence: those of its most telling element.
    fn sequence(&mut self) -> Option<Vec<String>> {
        let mut best: Option<Vec<String>> = None;
        let mut run = String::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let element = self.element();
            let repeated = self.repeated();
            match (element, repeated) {
                (Element::Edge, _) => {}
                (Element::Character(c), Repeated::Once) => run.extend(c.to_lowercase()),
                (Element::Character(c), Repeated::AtLeastOnce) => {
                    run.extend(c.to_lowercase());
                    keep_better(&mut best, Some(vec![std::mem::take(&mut run)]));
                }
                (Element::Words(words), Repeated::Once | Repeated::AtLeastOnce) => {
                    keep_better(&mut best, Some(vec![std::mem::take(&mut run)]));
                    keep_better(&mut best, words);
                }
                (_, Repeated::PerhapsNever) => {
                    keep_better(&mut best, Some(vec![std::mem::take(&mut run)]));
                }
            }
        }
        keep_better(&mut best, Some(vec![run]));
        best
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
                let words = self.alternatives();
                self.takes(")");
                Element::Words(words)
            }
            Some('[') => {
                self.class();
                Element::Words(None)
            }
            Some('\\') => match self.next() {
                Some('b' | 'B') => Element::Edge,
                Some(c) if c.is_alphanumeric() => Element::Words(None),
                Some(c) => Element::Character(c),
                None => Element::Edge,
            },
            Some('^' | '$') | None => Element::Edge,
            Some('.') => Element::Words(None),
            Some(c) => Element::Character(c),
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

/// Of two lists that each have to hold, the one whose shortest word is longer.
fn keep_better(best: &mut Option<Vec<String>>, words: Option<Vec<String>>) {
    let shortest = |words: &Vec<String>| words.iter().map(|word| word.chars().count()).min();
    let Some(words) = words else { return };
    // Two Chinese characters are a word.
    let is_telling = |word: &String| {
        word.chars().count() >= SHORTEST || !word.is_ascii() && word.len() > SHORTEST
    };
    if words.iter().all(is_telling) && shortest(&words) > best.as_ref().and_then(shortest) {
        *best = Some(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_telling_words_are_required() {
        for (pattern, words) in [
            ("here is your lesson", Some(vec!["here is your lesson"])),
            ("^(?:here is|this is) .*$", Some(vec!["here is", "this is"])),
            ("(?:a|the) lesson\\w*", Some(vec![" lesson"])),
            ("lessons? about", Some(vec!["lesson"])),
            (
                "(?:please )?(?:insert|add)\\b.{0,60}\\bhere\\b",
                Some(vec!["here"]),
            ),
            ("(?:x|the) \\S+", None),
            ("[abc]+", None),
            (
                "(?:let me know|feel free)(?: to ask)?",
                Some(vec!["let me know", "feel free"]),
            ),
            ("(?P<mid>(?:\\S+ ){0,6}?)lesson", Some(vec!["lesson"])),
            ("a\\.b\\(c\\)", Some(vec!["a.b(c)"])),
            (
                r"(?-u:[^\n\x80-\xBF][\x80-\xBF]*){0,3}lesson",
                Some(vec!["lesson"]),
            ),
            ("课程", Some(vec!["课程"])),
            ("(?i)Lorem", Some(vec!["lorem"])),
        ] {
            let words = words.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(required(pattern), words, "{pattern}");
        }
    }
}
