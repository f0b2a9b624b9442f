//! Which words a pattern cannot match without: of each list at least one is in every
//! text that matches. It reads the regular expressions that phrase files use, and
//! gives no list where it does not understand one.

/// Shorter words are in most texts; in bytes.
const SHORTEST: usize = 3;

/// More alternatives are not worth the search.
const MOST: usize = 64;

/// Words of which one is in every match; `None` if there are none.
pub(super) fn required(pattern: &str) -> Option<Vec<&str>> {
    let mut parser = Parser { rest: pattern };
    let words = parser.alternatives()?;
    parser.rest.is_empty().then_some(words)
}

struct Parser<'p> {
    rest: &'p str,
}

/// What one element of a pattern needs.
enum Element<'p> {
    Character,
    /// Zero width.
    Edge,
    Words(Option<Vec<&'p str>>),
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

    /// The words of alternatives: one of the words of each.
    fn alternatives(&mut self) -> Option<Vec<&'p str>> {
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
    fn sequence(&mut self) -> Option<Vec<&'p str>> {
        let mut best: Option<Vec<&'p str>> = None;
        // The characters since the last element of another kind.
        let mut run = self.rest;
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let before = self.rest;
            let element = self.element();
            let after = self.rest;
            let repeated = self.repeated();
            if matches!(element, Element::Character) && repeated == Repeated::Once {
                continue;
            }
            let is_kept =
                matches!(element, Element::Character) && repeated == Repeated::AtLeastOnce;
            keep_better(
                &mut best,
                between(run, if is_kept { after } else { before }),
            );
            run = self.rest;
            if repeated != Repeated::PerhapsNever
                && let Element::Words(Some(words)) = element
            {
                keep_better(&mut best, words);
            }
        }
        keep_better(&mut best, between(run, self.rest));
        best
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
                let words = self.alternatives();
                self.takes(")");
                Element::Words(words)
            }
            Some('[') => {
                self.class();
                Element::Words(None)
            }
            Some('\\') => match self.next() {
                Some('b' | 'B') | None => Element::Edge,
                Some(_) => Element::Words(None),
            },
            Some('^' | '$') | None => Element::Edge,
            Some('.') => Element::Words(None),
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
fn between<'p>(from: &'p str, to: &str) -> Vec<&'p str> {
    match &from[..from.len() - to.len()] {
        "" => Vec::new(),
        word => vec![word],
    }
}

/// Of two lists that each have to hold, the one whose shortest word is longer.
fn keep_better<'p>(best: &mut Option<Vec<&'p str>>, words: Vec<&'p str>) {
    let shortest = |words: &[&str]| words.iter().map(|word| word.len()).min().unwrap_or(0);
    let is_telling = shortest(&words) >= SHORTEST;
    if is_telling
        && best
            .as_deref()
            .is_none_or(|best| shortest(&words) > shortest(best))
    {
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
            ("a lesson\\.", Some(vec!["a lesson"])),
            (
                r"(?-u:[^\n\x80-\xBF][\x80-\xBF]*){0,3}lesson",
                Some(vec!["lesson"]),
            ),
            ("课程", Some(vec!["课程"])),
            ("lore+m", Some(vec!["lore"])),
            ("lorem*", Some(vec!["lore"])),
        ] {
            assert_eq!(required(pattern), words, "{pattern}");
        }
    }
}
