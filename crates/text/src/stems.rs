//! Stems of words, so that a keyword is found in all its forms. Snowball knows
//! the rules; where it has none for a language (Chinese, Japanese, Ukrainian,
//! Polish), there is no stem, and callers compare whole words.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::language::Language;

/// The stem of a word in lower case; `None` where no stemmer knows the language.
pub fn stem<'w>(word: &'w str, language: &Language) -> Option<Cow<'w, str>> {
    let stemmer = Stemmer::create(algorithm(*language)?);
    if word.len() > LONGEST {
        return Some(lower_case(word));
    }
    Some(match lower_case(word) {
        Cow::Borrowed(word) => stemmer.stem(word),
        Cow::Owned(word) => Cow::Owned(stemmer.stem(&word).into_owned()),
    })
}

/// Whether words of the language can be stemmed.
pub fn has_stemmer(language: &Language) -> bool {
    algorithm(*language).is_some()
}

/// What is longer is not a word, in bytes.
const LONGEST: usize = 200;

/// Snowball expects lower case, and `е` for `ё`.
fn lower_case(word: &str) -> Cow<'_, str> {
    if !word.chars().any(|c| c.is_uppercase() || c == 'ё') {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.to_lowercase().replace('ё', "е"))
}

fn algorithm(language: Language) -> Option<Algorithm> {
    Some(match language.as_str() {
        "en" => Algorithm::English,
        "ru" => Algorithm::Russian,
        "de" => Algorithm::German,
        "es" => Algorithm::Spanish,
        "fr" => Algorithm::French,
        "pt" => Algorithm::Portuguese,
        "it" => Algorithm::Italian,
        "nl" => Algorithm::Dutch,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (language, forms) in [
            (
                "en",
                &["Connection", "connections", "connected", "connecting"][..],
            ),
            (
                "ru",
                &["запрос", "запроса", "запросы", "Запросами", "запросу"],
            ),
            ("ru", &["зелёный", "зеленый", "Зелёного"]),
            ("de", &["Pflanze", "pflanzen"]),
            ("es", &["función", "Función"]),
            ("es", &["planta", "plantas"]),
            ("fr", &["plante", "plantes"]),
            ("pt", &["planta", "plantas"]),
        ] {
            let language = Language::parse(language).expect("a tag");
            let stems: Vec<_> = forms.iter().map(|form| stem(form, &language)).collect();
            assert!(stems[0].is_some());
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        }
    }

    #[test]
    fn a_language_without_a_stemmer_has_no_stems() {
        for tag in ["zh", "ja", "uk", "pl"] {
            let language = Language::parse(tag).expect("a tag");
            assert_eq!(stem("word", &language), None);
            assert!(!has_stemmer(&language));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn whatever_comes_in_has_a_stem(
            word in "(\\PC|[a-zäöüßéèêçñãõ'’yа-яё]){0,24}",
            language in "en|ru|de|es|fr|pt|it|nl",
        ) {
            let language = Language::parse(&language).expect("a tag");
            prop_assert!(stem(&word, &language).is_some());
        }
    }
}
