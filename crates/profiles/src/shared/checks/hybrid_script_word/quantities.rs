//! Quantities with an index: a Latin letter and a short word of the language, as lessons on
//! physics write them without markup (`Tпл`, `Eк`, `cв`, `Uδυν`). A word whose first letter was
//! exchanged (`Bода`) looks alike, so the text around it and the document decide.
//!
//! | the word | a quantity |
//! |---|---|
//! | beside a sign of arithmetic (`Tпл = 232`) | yes |
//! | a unit after a number (`5 cм`), or a word that the document has (`вода`) | no |
//! | an index of a script without look-alikes (`Eկ`, `Eק`), or of consonants (`Tпл`, `cв`) | yes |
//! | a capital that no letter of the language looks like, and three letters at most (`Rобщ`) | yes |
//! | any other (`Eкин`, `pатм`) | if the document has two quantities that are certain |
//! | a Greek letter before a capital (`μN`) | yes: a product |

use std::collections::HashSet;
use std::ops::Range;

use redraft_gate::content::Document;
use redraft_text::scripts::{Script, look_alike};

use super::word::{MixedWord, ScriptRun, mixed_words};
use super::{Context, exchanged, prose_of};

/// The most letters of an index.
const LONGEST_INDEX: usize = 5;

/// Different quantities from which on a document is one that has them.
const ENOUGH: usize = 2;

pub(super) fn is_quantity(text: &str, word: &MixedWord<'_>, context: &Context) -> bool {
    is_product(word)
        || match certainty(text, word, &context.vocabulary) {
            Certainty::Certain => true,
            Certainty::Possible => context.has_quantities,
            Certainty::None => false,
        }
}

/// Whether a document has enough quantities that are certain.
pub(super) fn are_used(document: &Document, vocabulary: &HashSet<String>) -> bool {
    let mut found: HashSet<&str> = HashSet::new();
    for (field, range) in prose_of(document) {
        let text = field.text.get(range).unwrap_or_default();
        mixed_words(text, |word| {
            if certainty(text, &word, vocabulary) == Certainty::Certain {
                found.insert(word.text);
            }
        });
    }
    found.len() >= ENOUGH
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    Certain,
    Possible,
    None,
}

/// The decision table at the top.
fn certainty(text: &str, word: &MixedWord<'_>, vocabulary: &HashSet<String>) -> Certainty {
    let [symbol, index] = word.parts.as_slice() else {
        return Certainty::None;
    };
    let is_formed_so = symbol.script == Script::Latin
        && symbol.letters() == 1
        && index.letters() <= LONGEST_INDEX
        && !index.text.chars().any(char::is_uppercase);
    if !is_formed_so {
        return Certainty::None;
    }
    if is_beside_sign(text, &word.range) {
        return Certainty::Certain;
    }
    let whole = exchanged(word.text, index.script);
    let is_word = whole != word.text && vocabulary.contains(&whole.to_lowercase());
    if is_word || is_after_number(text, word.range.start) {
        return Certainty::None;
    }
    let is_alphabet = matches!(index.script, Script::Cyrillic | Script::Greek);
    if !is_alphabet || !has_vowel(index) || is_distinct_capital(symbol, index) {
        return Certainty::Certain;
    }
    Certainty::Possible
}

/// `μN`: a coefficient and a force.
fn is_product(word: &MixedWord<'_>) -> bool {
    let [first, second] = word.parts.as_slice() else {
        return false;
    };
    let is_greek_sign = first.script == Script::Greek
        && first.letters() == 1
        && first
            .text
            .chars()
            .all(|c| look_alike(c, Script::Latin).is_none());
    is_greek_sign && second.script == Script::Latin && second.letters() == 1 && second.is_upper()
}

fn is_distinct_capital(symbol: &ScriptRun<'_>, index: &ScriptRun<'_>) -> bool {
    const MOST: usize = 3;
    let mut letters = symbol.text.chars();
    index.letters() <= MOST
        && letters.all(|c| c.is_uppercase() && look_alike(c, index.script).is_none())
}

fn has_vowel(index: &ScriptRun<'_>) -> bool {
    const VOWELS: &str = "аеёиоуыэюяіїєәөүұѝαεηιουωάέήίόύώϊϋΐΰ";
    index.text.chars().any(|c| VOWELS.contains(c))
}

/// A dash is no such sign: “Вода — это …” is how definitions begin.
fn is_beside_sign(text: &str, range: &Range<usize>) -> bool {
    let is_sign = |c: char| "=≈≠<>≤≥·×*∙⋅/+−^∝".contains(c);
    let before = text[..range.start].trim_end().chars().next_back();
    let after = text[range.end..].trim_start().chars().next();
    [before, after].into_iter().flatten().any(is_sign)
}

fn is_after_number(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end().chars().next_back();
    before.is_some_and(|c| c.is_ascii_digit())
}
