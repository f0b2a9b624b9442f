//! Whether two options say the same in other forms of their words: plural and singular, other
//! endings, accents and hyphens, or one word more or less. Knows no synonyms: those are for
//! a judge.
//!
//! | beside the right answer, an option has | it says the same |
//! |---|---|
//! | the same words in other forms or another order | always |
//! | all of its two or more words, and more | unless a word joins or denies something |
//! | all but one of its three or more words | always |
//! | the initials of its three or more words (`CRAO`) | always |

use std::collections::BTreeSet;

use redraft_text::language::Language;
use redraft_text::stems;

use super::meaning;
use super::order;

/// The stems of the words that carry the meaning of an option.
pub(super) fn of(option: &str, language: Option<&Language>) -> BTreeSet<String> {
    let plain: String = option.chars().map(without_accent).collect();
    let words = meaning::content_words(&plain);
    let stem = |word: String| -> String {
        let found = language.and_then(|language| stems::stem(&word, language));
        found.map_or_else(|| word.clone(), std::borrow::Cow::into_owned)
    };
    words.into_iter().map(stem).collect()
}

/// Whether an option with these words says what the right answer says.
pub(super) fn covers(
    right: &BTreeSet<String>,
    option: &BTreeSet<String>,
    text: &str,
    language: Option<&Language>,
) -> bool {
    let has_digits = |words: &BTreeSet<String>| {
        let mut all = words.iter();
        all.any(|word| word.contains(|c: char| c.is_numeric()))
    };
    if right.is_empty() || option.is_empty() || has_digits(right) {
        return false;
    }
    let is_alike = right.len() > 1
        && right.len() == option.len()
        && right
            .iter()
            .all(|word| option.iter().any(|other| is_derived(word, other)));
    if right == option || is_alike {
        return true;
    }
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let is_joined = words.any(|word| order::joins_in(word, language) || meaning::is_negation(word))
        || text.contains(['+', '/', '&', ',']);
    right.len() > 1 && right.is_subset(option) && !is_joined
        || right.len() > 2 && option.is_subset(right) && option.len() + 1 == right.len()
}

/// Whether an option is the initials of the right answer: `CRAO` for central retinal artery
/// occlusion, with any small words between.
pub(super) fn abbreviates(right: &str, option: &str) -> bool {
    const LEAST: usize = 3;
    let letters: Vec<char> = option.trim().chars().collect();
    let is_acronym = letters.len() >= LEAST && letters.iter().all(|c| c.is_uppercase());
    let words = || {
        right
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let initials = |all: bool| -> Vec<char> {
        let words = words().filter(|word| all || !meaning::content_words(word).is_empty());
        words
            .filter_map(|word| word.chars().next()?.to_uppercase().next())
            .collect()
    };
    is_acronym && (initials(true) == letters || initials(false) == letters)
}

/// *Retina* and *retinal*, *Westphalia* and *Westphalian*: alike but for an ending of two
/// letters. *Chloride* is no *chlorite*.
fn is_derived(one: &str, other: &str) -> bool {
    const BEGUN: usize = 5;
    const ROOT: usize = 7;
    if one == other {
        return true;
    }
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let (one, other) = (one.chars().count(), other.chars().count());
    let is_begun = same == one.min(other) && same >= BEGUN;
    (is_begun || same >= ROOT) && one.max(other) - same <= 2
}

/// Whether two texts without spaces have the same signs in another order: 急性胆囊炎 and
/// 胆囊炎（急性）.
pub(super) fn same_signs(one: &str, other: &str) -> bool {
    const LEAST: usize = 4;
    let signs = |text: &str| -> Vec<char> {
        let mut signs: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        signs.sort_unstable();
        signs
    };
    let (one, other) = (signs(one), signs(other));
    let is_unspaced = |c: &char| redraft_text::phrases::is_unspaced(c.encode_utf8(&mut [0; 4]));
    one.len() >= LEAST && one.iter().all(is_unspaced) && one == other
}

/// A letter of a European alphabet without its accent.
fn without_accent(c: char) -> char {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'å' => 'a',
        'À' | 'Á' | 'Â' | 'Ã' | 'Å' => 'A',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'È' | 'É' | 'Ê' | 'Ë' => 'E',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'Ì' | 'Í' | 'Î' | 'Ï' => 'I',
        'ò' | 'ó' | 'ô' | 'õ' => 'o',
        'Ò' | 'Ó' | 'Ô' | 'Õ' => 'O',
        'ù' | 'ú' | 'û' => 'u',
        'Ù' | 'Ú' | 'Û' => 'U',
        'ç' => 'c',
        'Ç' => 'C',
        'ñ' => 'n',
        'Ñ' => 'N',
        'ё' => 'е',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_forms_say_the_same_and_other_answers_do_not() {
        for (language, right, option, expected) in [
            (
                "en",
                "Central retinal artery occlusion",
                "Central retinal-artery occlusions",
                true,
            ),
            (
                "en",
                "Central retinal artery occlusion",
                "Left central retinal artery occlusion",
                true,
            ),
            (
                "en",
                "Central retinal artery occlusion",
                "Retinal artery occlusion",
                true,
            ),
            (
                "en",
                "Central retinal artery occlusion",
                "Central retinal vein occlusion",
                false,
            ),
            (
                "en",
                "Central retinal artery occlusion",
                "Occlusion of the central artery of the retina",
                true,
            ),
            (
                "en",
                "Heterophile antibody test",
                "Test for heterophil antibodies",
                true,
            ),
            (
                "fr",
                "Échographie doppler veineuse",
                "Doppler veineux",
                true,
            ),
            (
                "it",
                "Pericardite acuta",
                "Una pericardite in fase acuta",
                true,
            ),
            ("it", "Pericardite acuta", "Pericardite cronica", false),
            ("en", "Sodium nitrate", "Sodium nitrite", false),
            ("en", "Sodium chloride", "Sodium chlorite", false),
            ("en", "Peace of Westphalia", "Westphalian Peace", true),
            (
                "en",
                "Peace of Westphalia",
                "The Peace of Westphalia of 1648",
                true,
            ),
            (
                "nl",
                "Acute pericarditis",
                "Acute pericarditis of myocarditis",
                false,
            ),
            ("en", "Peace of Westphalia", "Peace of Augsburg", false),
            ("en", "Aspirin", "Aspirin and heparin", false),
            ("en", "Hypertension", "Portal hypertension", false),
            ("en", "Shock with fever", "Shock without fever", false),
            (
                "en",
                "Aspirin with heparin",
                "Aspirin with heparin and warfarin",
                false,
            ),
            ("en", "Grade 2 fever", "Grade 3 fever", false),
            (
                "de",
                "Akute Pyelonephritis",
                "Eine akute Pyelonephritis",
                true,
            ),
        ] {
            let language = Language::parse(language);
            let covered = covers(
                &of(right, language.as_ref()),
                &of(option, language.as_ref()),
                option,
                language.as_ref(),
            );
            assert_eq!(covered, expected, "{option}");
        }
    }

    #[test]
    fn initials_and_signs_in_another_order_say_the_same() {
        assert!(abbreviates("Central retinal artery occlusion", "CRAO"));
        assert!(abbreviates(
            "Syndrome of inappropriate antidiuretic hormone",
            "SIAH"
        ));
        assert!(!abbreviates("Central retinal artery occlusion", "CRVO"));
        assert!(!abbreviates("Electrocardiogram", "EEG"));
        assert!(same_signs("急性胆囊炎", "胆囊炎（急性）"));
        assert!(!same_signs("急性胆囊炎", "慢性胆囊炎"));
    }
}
