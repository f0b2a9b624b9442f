//! Finds the component that a judge names: by id, title, number or kind.
//!
//! | named | component |
//! |---|---|
//! | `sec_2`, `item_4/stem`, also within a longer description | the component with that id |
//! | a title, with or without number, quotation marks and case | the component with that title |
//! | a longer text that contains one title | that component |
//! | `Section 2`, `Раздел 2`, `第2节`, `the second section` | the section with that number in its heading, else by position among the body sections (ruling 42) |
//! | `card 3`, `question 4` | the card or item with that number in its id, else by position |
//! | `Section 2, exercise 1`, `item 4, option B` | that component of the section or item, else the section or item |
//! | `the introduction`, `заключение` | the introduction, the conclusion |
//! | `option B`, `the stem` | the component of that kind, if there is only one |
//! | words of one title | that component |
//! | anything else | none: the caller uses the whole document |

mod words;

use redraft_gate::content::{Component, ComponentKind, Document};

use super::anchor::fold;
use words::{NamedKind, is_wide, kind_at, mentions, number, tokens};

pub(crate) fn resolve<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    // Enough for any name.
    const LONGEST: usize = 300;
    let named: String = named.chars().take(LONGEST).collect();
    let words = tokens(&named);
    by_id(document, &named)
        .or_else(|| by_title(document, &named))
        .or_else(|| by_number(document, &words))
        .or_else(|| by_kind(document, &words))
        .or_else(|| by_part_of_title(document, &named))
}

fn by_id<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const MOST: usize = 16;
    let named = named.trim().to_lowercase();
    let is_around = |c: char| c.is_whitespace() || ",;:#()[]{}<>\"'`“”«»„=".contains(c);
    let words: Vec<&str> = std::iter::once(named.as_str())
        .chain(
            named
                .split(is_around)
                .map(|word| word.trim_end_matches(['.', '/']))
                // Single letters are articles and options.
                .filter(|word| word.chars().count() > 1),
        )
        .take(MOST)
        .collect();
    // The first word that is an id. The whole document has an id, too.
    document
        .components()
        .iter()
        .filter_map(|component| {
            let id = component.id.0.to_lowercase();
            let at = words.iter().position(|word| *word == id)?;
            Some((at, component))
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, component)| component)
}

/// The component whose title is named, or is part of what is named: the one with the longest title,
/// or none if that is ambiguous.
fn by_title<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const LETTERS: usize = 5;
    const WIDE_LETTERS: usize = 3;
    let wanted = fold(named).text;
    let bare_wanted = bare(&wanted);
    let titled = || {
        document.components().iter().filter_map(|component| {
            let title = fold(component.title.as_deref()?).text;
            (!title.is_empty()).then_some((component, title))
        })
    };
    if let Some((component, _)) = titled().find(|(_, title)| *title == wanted) {
        return Some(component);
    }
    let alike = titled().filter(|(_, title)| !bare_wanted.is_empty() && bare(title) == bare_wanted);
    if let Some(component) = only(alike.map(|(component, _)| component)) {
        return Some(component);
    }
    let mut held: Vec<(usize, &Component)> = titled()
        .filter_map(|(component, title)| {
            let title = bare(&title);
            let letters = title.chars().filter(|c| c.is_alphabetic()).count();
            let is_wide = title.chars().any(is_wide);
            let enough = if is_wide { WIDE_LETTERS } else { LETTERS };
            // "Example" is a kind first and a title second.
            let says_something = letters >= enough && kind_at(&tokens(title), 0).is_none();
            (says_something && holds(&wanted, title)).then_some((letters, component))
        })
        .collect();
    let longest = held.iter().map(|(letters, _)| *letters).max()?;
    held.retain(|(letters, _)| *letters == longest);
    only(held.into_iter().map(|(_, component)| component))
}

/// The only component whose title contains the named words; first-level components take precedence.
fn by_part_of_title<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const LETTERS: usize = 4;
    const ARTICLES: &[&str] = &[
        "the", "a", "in", "on", "der", "die", "das", "el", "la", "le", "в", "на",
    ];
    let wanted = fold(named).text;
    let is_frame = |word: &&str| ARTICLES.contains(word) || kind_at(&tokens(word), 0).is_some();
    let words: Vec<&str> = bare(&wanted).split(' ').skip_while(is_frame).collect();
    let framed = words.iter().rev().take_while(|word| is_frame(word)).count();
    let words = words.get(..words.len() - framed).unwrap_or_default();
    let wanted = words.join(" ");
    let letters = wanted.chars().filter(|c| c.is_alphabetic()).count();
    if letters < LETTERS && !(letters > 1 && wanted.chars().all(is_wide)) {
        return None;
    }
    let titled = || {
        document.components().iter().filter(|component| {
            component.parent.is_some()
                && component
                    .title
                    .as_deref()
                    .is_some_and(|title| holds(&fold(title).text, &wanted))
        })
    };
    only(titled().filter(|component| component.parent == Some(0))).or_else(|| only(titled()))
}

/// Whether folded words occur in folded text as whole words.
fn holds(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + found.len()..)
            .and_then(|after| after.chars().next());
        let parts = |c: Option<char>| c.is_none_or(|c| c == ' ' || is_wide(c));
        parts(before) && parts(after)
    })
}

/// A folded title without a leading number, or a leading kind and number.
fn bare(folded: &str) -> &str {
    let is_number = |c: char| c.is_ascii_digit() || c == ' ';
    let rest = folded.trim_start_matches(is_number);
    let rest = if rest.is_empty() { folded } else { rest };
    let words = tokens(rest);
    let is_numbered = |at: usize| words.get(at).and_then(|word| number(word)).is_some();
    // `Section 2`, or `第2节`.
    let head = match kind_at(&words, 0) {
        Some((_, length)) if is_numbered(length) => length + 1,
        _ if words.first().is_some_and(|word| word == "第") && is_numbered(1) => {
            match kind_at(&words, 2) {
                Some((_, length)) => 2 + length,
                None => return rest,
            }
        }
        _ => return rest,
    };
    let after = words.iter().take(head).fold(rest, |rest, word| {
        let rest = rest.trim_start();
        rest.strip_prefix(word.as_str()).unwrap_or(rest)
    });
    let after = after.trim_start_matches(is_number);
    if after.is_empty() { rest } else { after }
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn by_number<'d>(document: &'d Document, words: &[String]) -> Option<&'d Component> {
    let mentions = mentions(words);
    let around = mentions.iter().find_map(|mention| {
        let number = mention.number?;
        match mention.kind {
            NamedKind::Section => section(document, number),
            NamedKind::Card => numbered(document, ComponentKind::Card, number),
            NamedKind::Question => numbered(document, ComponentKind::Item, number),
            NamedKind::Component(_) => None,
        }
    });
    let inner = |around: Option<&Component>| {
        mentions.iter().find_map(|mention| {
            let NamedKind::Component(kind) = mention.kind else {
                return None;
            };
            let mut inside = document.components().iter().filter(|component| {
                component.kind == kind
                    && around.is_none_or(|around| {
                        component.parent.is_some()
                            && around.range.start <= component.range.start
                            && component.range.end <= around.range.end
                    })
            });
            match mention.number {
                Some(number) if is_counted(kind) => inside.nth(number.checked_sub(1)?),
                _ => only(inside),
            }
        })
    };
    match around {
        Some(around) => inner(Some(around)).or(Some(around)),
        None => inner(None),
    }
}

/// Whether a number counts all components of this kind. The number of an option counts within its
/// item.
fn is_counted(kind: ComponentKind) -> bool {
    matches!(kind, ComponentKind::Example | ComponentKind::Exercise)
}

/// A question without a number is the stem of the only item; a card without one is the only card.
fn by_kind<'d>(document: &'d Document, words: &[String]) -> Option<&'d Component> {
    mentions(words)
        .iter()
        .find_map(|mention| match mention.kind {
            NamedKind::Question if mention.number.is_none() => {
                only(document.of_kind(ComponentKind::Stem))
            }
            NamedKind::Card if mention.number.is_none() => {
                only(document.of_kind(ComponentKind::Card))
            }
            _ => None,
        })
}

/// The section with this number in its heading, else by position.
fn section(document: &Document, number: usize) -> Option<&Component> {
    let sections = || {
        document
            .of_kind(ComponentKind::Section)
            .filter(|component| component.parent == Some(0))
    };
    sections()
        .find(|component| component.title.as_deref().and_then(printed) == Some(number))
        .or_else(|| sections().nth(number.checked_sub(1)?))
}

/// The number in a heading: `2. Loops`, `Section 2`, `第2节`.
fn printed(title: &str) -> Option<usize> {
    let title = title.trim_start();
    let digits = title.bytes().take_while(u8::is_ascii_digit).count();
    let (figure, rest) = title.split_at_checked(digits)?;
    if digits > 0 {
        let marks = ['.', ')', ':', '、', '．'];
        return rest.starts_with(marks).then(|| figure.parse().ok())?;
    }
    let words = tokens(title);
    let words = words.get(..words.len().min(6))?;
    let first = kind_at(words, 0);
    let is_chinese = words.first().is_some_and(|word| word == "第");
    if first.is_some_and(|(kind, _)| kind == NamedKind::Section) || is_chinese {
        return mentions(words)
            .iter()
            .find(|mention| mention.kind == NamedKind::Section)?
            .number;
    }
    None
}

/// The card or item whose id ends in this number, else by position.
fn numbered(document: &Document, kind: ComponentKind, number: usize) -> Option<&Component> {
    let trailing = |id: &str| -> Option<usize> {
        let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
        id.get(id.len() - digits..)?.parse().ok()
    };
    document
        .of_kind(kind)
        .find(|component| trailing(&component.id.0) == Some(number))
        .or_else(|| document.of_kind(kind).nth(number.checked_sub(1)?))
}
