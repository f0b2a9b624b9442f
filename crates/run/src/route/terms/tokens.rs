//! The words of a document in order, numbered by their base form, with what is known about each.
//! Knows nothing of terms.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use redraft_text::language::Language;
use redraft_text::words::words;

use super::Uses;
use super::defined::bold_ranges;
use crate::route::stop_words::StopWords;
use redraft_gate::content::Document;
use redraft_gate::vocabulary::{Word, normal_keys};

/// Bounds the work; words beyond this are ignored. No lesson has as many.
const MOST: usize = 60_000;

/// The words of a document outside code.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    document: &'a Document,
    language: Option<Language>,
    all: Vec<Token>,
    numbers: HashMap<String, u32>,
    kinds: Vec<WordFacts>,
    /// The positions of each word.
    places: Vec<Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Token {
    word: u32,
    text: u32,
    range: Range<usize>,
    part: u32,
    /// Whether it follows the previous word after a mere space or hyphen, or in Chinese directly.
    joined: bool,
    /// Whether it is in a heading or in bold.
    displayed: bool,
}

/// What is known about a word in all its forms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordFacts {
    /// A stop word.
    pub(super) is_stop: bool,
    /// A Chinese or Japanese word of two characters or more.
    pub(super) is_wide: bool,
    /// Occurs in a title of the document or of a component.
    pub(super) in_title: bool,
    /// How often it is written like an abbreviation or code.
    technical: usize,
    /// How often it is capitalised in the middle of a sentence.
    capital: usize,
}

impl WordFacts {
    pub(super) fn is_technical(&self, count: usize) -> bool {
        !self.is_stop && self.technical * 2 > count
    }

    pub(super) fn is_name(&self, count: usize) -> bool {
        !self.is_stop && self.capital * 2 >= count
    }
}

impl<'a> Tokens<'a> {
    pub(super) fn of(document: &'a Document) -> Self {
        let language = document.language().copied();
        let mut tokens = Self {
            document,
            language,
            all: Vec::new(),
            numbers: HashMap::new(),
            kinds: Vec::new(),
            places: Vec::new(),
        };
        let stop_words = StopWords::of(language);
        let texts = document.texts().iter();
        let headings: Vec<Vec<Range<usize>>> = texts
            .clone()
            .map(|field| {
                let headings = field.markdown().headings();
                headings.map(|(_, block)| block.span.clone()).collect()
            })
            .collect();
        let bold: Vec<Vec<Range<usize>>> = texts.map(bold_ranges).collect();
        let mut known: HashMap<&'a str, u32> = HashMap::new();
        let words = document.vocabulary().words();
        let mut at = 0;
        while let Some(first) = words.get(at) {
            let length = whole_word(words.get(at..).unwrap_or_default());
            let last = words.get(at + length - 1).unwrap_or(first);
            at += length;
            if first.in_code || tokens.all.len() >= MOST {
                continue;
            }
            let range = first.start as usize..last.end as usize;
            let Some(field) = document.texts().get(first.text as usize) else {
                continue;
            };
            let Some(written) = field.text.get(range.clone()) else {
                continue;
            };
            let word = *known
                .entry(written)
                .or_insert_with(|| tokens.learn(written, &stop_words));
            let before = field.text.get(..range.start).unwrap_or_default();
            let is_in = |ranges: &[Vec<Range<usize>>]| {
                ranges.get(first.text as usize).is_some_and(|ranges| {
                    let after = ranges.partition_point(|other| other.end <= range.start);
                    let next = ranges.get(after);
                    next.is_some_and(|other| other.start <= range.start)
                })
            };
            let in_heading = is_in(&headings);
            let displayed = in_heading || is_in(&bold);
            let kind = &mut tokens.kinds[word as usize];
            if !in_heading {
                kind.technical += usize::from(looks_technical(written));
                let is_capital = written.chars().next().is_some_and(char::is_uppercase);
                kind.capital += usize::from(is_capital && goes_on(before));
            }
            let joined = tokens.all.last().is_some_and(|previous| {
                let between = field.text.get(previous.range.end..range.start);
                previous.text == first.text
                    && previous.part == first.part
                    && match between {
                        Some(" " | "-" | "‑") => true,
                        Some("") => tokens.kinds[word as usize].is_wide,
                        _ => false,
                    }
            });
            tokens.places[word as usize].push(tokens.all.len());
            tokens.all.push(Token {
                word,
                text: first.text,
                range,
                part: first.part,
                joined,
                displayed,
            });
        }
        tokens.mark_titles();
        tokens
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn part(&self, at: usize) -> u32 {
        self.all.get(at).map_or(0, |token| token.part)
    }

    pub(super) fn kind(&self, word: u32) -> WordFacts {
        self.kinds.get(word as usize).copied().unwrap_or_default()
    }

    /// The phrase of `length` words that begins here. `None` if something comes between them or one
    /// is a stop word.
    pub(super) fn phrase(&self, start: usize, length: usize) -> Option<Vec<u32>> {
        let tokens = self.all.get(start..start + length)?;
        let (first, rest) = tokens.split_first()?;
        let is_whole = rest.iter().all(|token| token.joined);
        let words = std::iter::once(first).chain(rest).map(|token| token.word);
        let words: Vec<u32> = words.collect();
        let names = |word: &u32| !self.kind(*word).is_stop;
        (is_whole && words.iter().all(names)).then_some(words)
    }

    /// The numbers of a phrase's words. `None` if one of them is not in the document.
    pub(super) fn words_of(&self, phrase: &str) -> Option<Vec<u32>> {
        words(phrase)
            .map(|(_, word)| self.numbers.get(&normal(word, self.language)).copied())
            .collect()
    }

    /// The words in a range of one of the texts.
    pub(super) fn within(&self, text: usize, range: &Range<usize>) -> Vec<u32> {
        let key = |token: &Token| (token.text as usize, token.range.start);
        let begin = self
            .all
            .partition_point(|token| key(token) < (text, range.start));
        let end = self
            .all
            .partition_point(|token| key(token) < (text, range.end));
        let tokens = self.all.get(begin..end).unwrap_or_default();
        tokens.iter().map(|token| token.word).collect()
    }

    /// Where and how often a phrase is used.
    pub(super) fn uses(&self, phrase: &[u32]) -> Uses {
        let mut uses = Uses::default();
        let Some(first) = phrase.first() else {
            return uses;
        };
        let places = self.places.get(*first as usize);
        for at in places.into_iter().flatten() {
            let here = self.all.get(*at..at + phrase.len());
            let same = here.is_some_and(|tokens| {
                tokens
                    .iter()
                    .map(|token| token.word)
                    .eq(phrase.iter().copied())
            });
            if same {
                if uses.count == 0 {
                    uses.first = *at;
                }
                uses.count += 1;
                uses.parts.insert(self.part(*at));
            }
        }
        uses
    }

    /// How often a phrase is used outside headings and bold text.
    pub(super) fn plain_uses(&self, phrase: &[u32]) -> usize {
        let first = phrase
            .first()
            .and_then(|first| self.places.get(*first as usize));
        let places = first.into_iter().flatten();
        places
            .filter_map(|at| self.all.get(*at..at + phrase.len()))
            .filter(|tokens| {
                tokens
                    .iter()
                    .map(|token| token.word)
                    .eq(phrase.iter().copied())
            })
            .filter(|tokens| tokens.iter().all(|token| !token.displayed))
            .count()
    }

    /// Phrases as they are written: in the most frequent form, on a tie the shorter.
    pub(super) fn shown<'p>(&self, phrases: impl Iterator<Item = &'p Vec<u32>>) -> Vec<String> {
        phrases.map(|phrase| self.usual_form(phrase)).collect()
    }

    fn usual_form(&self, phrase: &[u32]) -> String {
        let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
        let first = phrase
            .first()
            .and_then(|first| self.places.get(*first as usize));
        for at in first.into_iter().flatten() {
            let Some(tokens) = self.all.get(*at..at + phrase.len()) else {
                continue;
            };
            if !tokens
                .iter()
                .map(|token| token.word)
                .eq(phrase.iter().copied())
            {
                continue;
            }
            let (Some(begin), Some(end)) = (tokens.first(), tokens.last()) else {
                continue;
            };
            let field = self.document.texts().get(begin.text as usize);
            let written = field.and_then(|field| field.text.get(begin.range.start..end.range.end));
            if let Some(written) = written {
                *forms.entry(written).or_default() += 1;
            }
        }
        // A capital at the start of a sentence is not part of the word, so a lower-case form wins
        // if there is one.
        let small: BTreeMap<String, usize> = forms
            .iter()
            .filter(|(form, _)| form.chars().all(|c| !c.is_uppercase()))
            .map(|(form, count)| ((*form).to_owned(), *count))
            .collect();
        let weigh = |form: &str, count: usize| {
            let lower = form.to_lowercase();
            match small.get(&lower) {
                Some(of_small) if *form != lower => (0, *of_small),
                Some(_) => {
                    let all = forms
                        .iter()
                        .filter(|(other, _)| other.to_lowercase() == lower);
                    (1, all.map(|(_, count)| *count).sum())
                }
                None => (1, count),
            }
        };
        forms
            .iter()
            .max_by_key(|(form, count)| {
                (
                    weigh(form, **count),
                    std::cmp::Reverse(form.chars().count()),
                    std::cmp::Reverse(**form),
                )
            })
            .map(|(form, _)| (*form).to_owned())
            .unwrap_or_default()
    }

    fn learn(&mut self, written: &str, stop_words: &StopWords) -> u32 {
        let normal = normal(written, self.language);
        let next = u32::try_from(self.kinds.len()).unwrap_or(u32::MAX);
        let letters = written.chars().count();
        let is_wide = written.chars().all(is_wide);
        let is_short = !is_wide && letters < 3 && !looks_technical(written);
        let is_number = written.chars().all(|c| !c.is_alphabetic());
        let kind = WordFacts {
            is_stop: stop_words.contains_key(&normal)
                || is_short
                || is_number
                // `figure.html` is an address.
                || written.contains('.')
                || (is_wide && letters < 2),
            is_wide: is_wide && letters >= 2,
            ..WordFacts::default()
        };
        let word = *self.numbers.entry(normal).or_insert(next);
        if word == next {
            self.kinds.push(kind);
            self.places.push(Vec::new());
        }
        word
    }

    /// Marks words in the document's title or in two component titles. In German only nouns, which
    /// are capitalised.
    fn mark_titles(&mut self) {
        let mut titles: HashMap<u32, usize> = HashMap::new();
        let components = self.document.components().iter();
        let of_parts = components.filter_map(|component| component.title.as_deref());
        let of_whole = self
            .document
            .title()
            .into_iter()
            .flat_map(|title| [title, title]);
        for title in of_parts.chain(of_whole) {
            for (_, word) in words(title) {
                if let Some(number) = self.numbers.get(&normal(word, self.language)) {
                    *titles.entry(*number).or_default() += 1;
                }
            }
        }
        let all_nouns = self
            .language
            .is_some_and(|language| language.as_str() == "de");
        for (number, kind) in self.kinds.iter_mut().enumerate() {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            let times = titles.get(&number).copied().unwrap_or_default();
            kind.in_title = times >= 2 && !kind.is_stop && (!all_nouns || kind.capital > 0);
        }
    }
}

/// How many vocabulary entries the first word takes: in Chinese one per character.
fn whole_word(words: &[Word]) -> usize {
    let Some(first) = words.first() else {
        return 1;
    };
    let mut length = 1;
    let mut last = first;
    while !last.ends {
        match words.get(length) {
            Some(next) if !next.begins && next.text == first.text && next.start == last.end => {
                last = next;
                length += 1;
            }
            _ => break,
        }
    }
    length
}

fn normal(word: &str, language: Option<Language>) -> String {
    normal_keys(word, language).concat()
}

/// `HTTP`, `useState`, `max_words`, `H2O`; but not `I`, `42`, `Don't`.
fn looks_technical(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = word.chars().filter(|c| c.is_uppercase()).count();
    let inner_capital = word.chars().skip(1).any(char::is_uppercase);
    let has_sign = word.chars().any(|c| c.is_numeric() || c == '_');
    letters > 0
        && ((inner_capital && (capitals >= 2 || letters >= 3)) || has_sign)
        && !word.chars().next().is_some_and(char::is_numeric)
}

/// Whether the text before a word shows that a sentence continues.
fn goes_on(before: &str) -> bool {
    let mut last = before.chars().rev();
    match (last.next(), last.next()) {
        (Some(' '), Some(c)) => c.is_alphanumeric() || c == ',',
        _ => false,
    }
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}
