//! Finds the terms that repairs must not change (ruling 41).
//!
//! | class | contains |
//! |---|---|
//! | asked for | keywords of the specification that occur in the lesson |
//! | defined | `**term** is …`, `**term**: …`, `called **term**`, and sentences such as “A variable is a …” whose subject is used again |
//! | shared | used in two sections or more: repeated phrases, names, technical words, words of a title |
//! | missing | keywords of the specification that do not occur in the lesson |
//!
//! In this order; within a class, terms of the components to repair come first, then the most
//! widely used. A word counts in all its forms. Code is ignored because repairs do not rename it.
//! Whether a term is correct is not checked.

mod defined;
mod tokens;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::component_tree::ComponentTree;
use redraft_gate::companion::Companions;
use tokens::Tokens;

/// The longest phrase that is counted, in words. Longer terms are only found where they are
/// defined.
const LONGEST_PHRASE: usize = 3;

/// In a text with fewer words, a phrase is a term if it occurs twice; in a longer one, if it occurs
/// three times.
const SHORT_TEXT: usize = 800;

/// Words of a title occur everywhere, so they must occur this often.
const TITLE_WORD: usize = 4;

/// A term and the evidence for it.
#[derive(Clone, Debug)]
struct Term {
    class: Class,
    words: Vec<u32>,
    shown: String,
    uses: Uses,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    AskedFor,
    Defined,
    Shared,
    Missing,
}

/// Where and how often a term is used.
#[derive(Clone, Debug, Default)]
struct Uses {
    count: usize,
    parts: BTreeSet<u32>,
    first: usize,
}

/// The terms of a document, the most relevant first, up to a limit. `touched` are the components to
/// repair.
pub(super) fn terminology(
    parts: &ComponentTree<'_>,
    companions: &Companions,
    touched: &BTreeSet<usize>,
    most: usize,
) -> Vec<String> {
    let document = parts.document();
    let mut tokens = Tokens::of(document);
    let mut terms = asked_for(companions, &mut tokens);
    for (words, shown) in defined::terms(document, &tokens) {
        let uses = tokens.uses(&words);
        terms.push(Term {
            class: Class::Defined,
            words,
            shown,
            uses,
        });
    }
    terms.extend(shared(&tokens));
    let touched: BTreeSet<usize> = touched
        .iter()
        .map(|part| parts.first_level(*part))
        .collect();
    let is_touched = |term: &Term| {
        let mut places = term.uses.parts.iter();
        places.any(|part| touched.contains(&(*part as usize)))
    };
    terms.sort_by_cached_key(|term| {
        (
            term.class,
            !is_touched(term),
            Reverse(term.uses.parts.len()),
            Reverse(term.uses.count),
            term.uses.first,
            term.shown.clone(),
        )
    });
    let mut chosen: Vec<Term> = Vec::new();
    for term in terms {
        if chosen.len() >= most {
            break;
        }
        let is_covered = chosen.iter().any(|other| covers(other, &term));
        if !is_covered {
            chosen.push(term);
        }
    }
    chosen.into_iter().map(|term| term.shown).collect()
}

/// Whether a listed term makes another one redundant: it is the same, or the other hardly ever
/// occurs outside it.
fn covers(other: &Term, term: &Term) -> bool {
    if other.words.is_empty() || term.words.is_empty() {
        return other.shown.to_lowercase() == term.shown.to_lowercase();
    }
    let is_part = other
        .words
        .windows(term.words.len())
        .any(|window| window == term.words);
    let outside = term.uses.count.saturating_sub(other.uses.count);
    other.words == term.words || (is_part && outside < 2)
}

fn asked_for(companions: &Companions, tokens: &mut Tokens<'_>) -> Vec<Term> {
    let sections = companions
        .specification
        .iter()
        .flat_map(|specification| &specification.sections);
    let keywords = sections.flat_map(|section| &section.required_keywords);
    keywords
        .map(|keyword| keyword.trim())
        .filter(|keyword| !keyword.is_empty())
        .map(|keyword| {
            let words = tokens.words_of(keyword);
            let uses = words.as_deref().map(|words| tokens.uses(words));
            let uses = uses.unwrap_or_default();
            Term {
                class: if uses.count > 0 {
                    Class::AskedFor
                } else {
                    Class::Missing
                },
                words: words.unwrap_or_default(),
                shown: keyword.to_owned(),
                uses,
            }
        })
        .collect()
}

/// Phrases and words that two sections share.
fn shared(tokens: &Tokens<'_>) -> Vec<Term> {
    let often = if tokens.len() < SHORT_TEXT { 2 } else { 3 };
    let mut found: BTreeMap<Vec<u32>, Uses> = BTreeMap::new();
    for start in 0..tokens.len() {
        for length in 1..=LONGEST_PHRASE {
            let Some(words) = tokens.phrase(start, length) else {
                break;
            };
            let uses = found.entry(words).or_insert_with(|| Uses {
                first: start,
                ..Uses::default()
            });
            uses.count += 1;
            uses.parts.insert(tokens.part(start));
        }
    }
    found.retain(|words, uses| {
        let enough = match words.as_slice() {
            [word] => {
                let kind = tokens.kind(*word);
                kind.is_technical(uses.count) && uses.count >= 2
                    || kind.is_name(uses.count) && uses.count >= often
                    || kind.in_title && uses.count >= TITLE_WORD
                    || kind.is_wide && uses.count >= often
            }
            _ => uses.count >= often,
        };
        enough && uses.parts.len() >= 2
    });
    // A phrase inside a longer one that occurs as often is not a separate term.
    let longer: Vec<(Vec<u32>, usize)> = found
        .iter()
        .filter(|(words, _)| words.len() == LONGEST_PHRASE)
        .map(|(words, uses)| (words.clone(), uses.count))
        .collect();
    for (words, count) in longer {
        for part in [words.get(1..), words.get(..LONGEST_PHRASE - 1)] {
            let shorter = part.map(<[u32]>::to_vec).unwrap_or_default();
            if found.get(&shorter).is_some_and(|uses| uses.count <= count) {
                found.remove(&shorter);
            }
        }
    }
    // Neither is a word that hardly ever occurs outside phrases.
    let mut in_phrases: BTreeMap<u32, usize> = BTreeMap::new();
    for (words, uses) in found.iter().filter(|(words, _)| words.len() == 2) {
        for word in words {
            *in_phrases.entry(*word).or_default() += uses.count;
        }
    }
    found.retain(|words, uses| match words.as_slice() {
        [word] => in_phrases
            .get(word)
            .is_none_or(|inside| uses.count.saturating_sub(*inside) >= 2),
        _ => true,
    });
    let shown = tokens.shown(found.keys());
    found
        .into_iter()
        .zip(shown)
        .map(|((words, uses), shown)| Term {
            class: Class::Shared,
            words,
            shown,
            uses,
        })
        .collect()
}
