//! Whether two options say the same in other forms of their words: plural and singular, other
//! endings, accents and hyphens, or one word more or less. Abbreviations, spellings and what adds
//! nothing are in `same_answer`. Knows no synonyms: those are for a judge.
//!
//! | beside the right answer, an option has | it says the same |
//! |---|---|
//! | the same words in other forms or another order | always |
//! | all of its two or more words, and more | unless a word joins or denies something |
//! | all but one of its three or more words | always |
//! | its words, and numbers with units, brackets or words that add nothing | always |
//! | the year that it is, with a day or a month | always |
//! | other numbers than it has | never |

use std::collections::BTreeSet;

use redraft_text::language::Language;
use redraft_text::stems;

use super::amounts;
use super::meaning;
use super::option_words;
use super::same_answer;

/// Whether an option says what the right answer says. A number says the same with the words of
/// the question: *60* and *60 km/h*.
pub(super) fn say_the_same(
    (right, option): (&str, &str),
    question: &str,
    language: Option<&Language>,
) -> bool {
    let (right, option) = (&usual_signs(right), &usual_signs(option));
    covers((right, option), question, language)
        || is_right_with_brackets(right, option)
        || are_the_same_letters(right, option)
        || is_date_of(right, option)
        || same_answer::abbreviates(right, option)
        || amounts::same(right, option)
        || same_signs(right, option)
}

/// Full-width signs and digits below the line as usual ones: `H₂O`, `Ｈ２Ｏ`.
fn usual_signs(text: &str) -> String {
    let usual = |c: char| match c {
        '\u{2080}'..='\u{2089}' => char::from_u32(c as u32 - 0x2080 + 0x30).unwrap_or(c),
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    };
    text.chars().map(usual).collect()
}

/// *Mercury* and *Mercury (Hg)*: what is in brackets makes it more exact, and right as well.
fn is_right_with_brackets(right: &str, option: &str) -> bool {
    let plain = |text: &str| text.trim().trim_end_matches('.').to_lowercase();
    let (right, option) = (plain(right), plain(option));
    let rest = option.strip_prefix(&right).filter(|_| !right.is_empty());
    rest.is_some_and(|rest| {
        let rest = rest.trim();
        rest.starts_with(['(', '[']) && rest.ends_with([')', ']'])
    })
}

/// *Levothyroxine* and *Levo-thyroxine*.
fn are_the_same_letters(one: &str, other: &str) -> bool {
    const LEAST: usize = 5;
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphabetic());
        letters.flat_map(char::to_lowercase).collect()
    };
    let has_digits = |text: &str| text.contains(|c: char| c.is_numeric());
    let (a, b) = (letters(one), letters(other));
    a == b && a.chars().count() >= LEAST && !has_digits(one) && !has_digits(other)
}

/// *1989* and *9 November 1989*: a day or a month of the year that is the right answer. “Before
/// 1989” is another answer.
fn is_date_of(year: &str, option: &str) -> bool {
    const DAY: usize = 2;
    let year = year.trim();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if year.len() != 4 || !is_number(year) {
        return false;
    }
    let lower = option.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !meaning::content_words(word).is_empty())
        .collect();
    let is_part =
        |word: &&str| is_number(word) && word.len() <= DAY || option_words::scales().has(word);
    let (years, others): (Vec<&str>, Vec<&str>) = words.into_iter().partition(|word| *word == year);
    years.len() == 1 && !others.is_empty() && others.iter().all(is_part)
}

/// The stems of the words that carry the meaning of an option.
fn of(option: &str, language: Option<&Language>) -> BTreeSet<String> {
    let words = meaning::content_words(option);
    words.iter().map(|word| stem(word, language)).collect()
}

/// A word as it is compared.
fn stem(word: &str, language: Option<&Language>) -> String {
    let plain: String = word.chars().map(without_accent).collect();
    let word = match same_answer::written(word, language) {
        number if number.contains(|c: char| c.is_numeric()) => number,
        _ => same_answer::written(&plain, language),
    };
    let found = language.and_then(|language| stems::stem(&word, language));
    found.map_or_else(|| word.clone(), std::borrow::Cow::into_owned)
}

/// Whether an option has the words of the right answer, in other forms, with more or one less.
fn covers((right, text): (&str, &str), question: &str, language: Option<&Language>) -> bool {
    let (right, option) = (of(right, language), of(text, language));
    let numbers = |words: &BTreeSet<String>| -> Vec<String> {
        let all = words
            .iter()
            .filter(|word| word.contains(|c: char| c.is_numeric()));
        all.cloned().collect()
    };
    let (own, others) = (numbers(&right), numbers(&option));
    // Another number is another answer.
    if right.is_empty() || option.is_empty() || !own.is_empty() && own != others {
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
    let is_joined =
        words.any(|word| option_words::joins_in(word, language) || meaning::is_negation(word));
    let is_listed = is_joined || text.contains(['+', '/', '&', ',']);
    let has_more = right.is_subset(&option);
    // “60” and “60 km/h”, “the Danube” and “the river Danube”: words of the question add nothing.
    let asked = match own.is_empty() && is_listed {
        true => BTreeSet::new(),
        false => of(question, language),
    };
    if has_more
        && option
            .iter()
            .all(|word| right.contains(word) || asked.contains(word))
    {
        return true;
    }
    let is_own = |word: &str| right.contains(&stem(word, language));
    right.len() > 1 && has_more && !is_listed
        || has_more && !is_joined && same_answer::adds_nothing(text, &is_own)
        || own.is_empty()
            && right.len() > 2
            && option.is_subset(&right)
            && option.len() + 1 == right.len()
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
fn same_signs(one: &str, other: &str) -> bool {
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
            let covered = covers((right, option), "", language.as_ref());
            assert_eq!(covered, expected, "{option}");
        }
    }

    #[test]
    fn signs_in_another_order_say_the_same() {
        assert!(same_signs("急性胆囊炎", "胆囊炎（急性）"));
        assert!(!same_signs("急性胆囊炎", "慢性胆囊炎"));
    }
}
