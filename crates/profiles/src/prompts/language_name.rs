//! What a language is called in English. A prompt says "Write in German": a small model
//! takes `de` for a word.

use redraft_text::language::Language;

/// The English name; of a language that is not listed, its tag.
pub(super) fn language_name(language: &Language) -> String {
    let tag = language.as_str();
    NAMES.iter().find(|(known, _)| *known == tag).map_or_else(
        || format!("the language `{tag}`"),
        |(_, name)| (*name).to_owned(),
    )
}

/// The tags of the languages that are listed.
pub fn known_tags() -> impl Iterator<Item = &'static str> + Clone {
    NAMES.iter().map(|(tag, _)| *tag)
}

/// The languages that lessons are usually written in, by their tags.
const NAMES: [(&str, &str); 84] = [
    ("af", "Afrikaans"),
    ("am", "Amharic"),
    ("ar", "Arabic"),
    ("az", "Azerbaijani"),
    ("be", "Belarusian"),
    ("bg", "Bulgarian"),
    ("bn", "Bengali"),
    ("bs", "Bosnian"),
    ("ca", "Catalan"),
    ("cs", "Czech"),
    ("cy", "Welsh"),
    ("da", "Danish"),
    ("de", "German"),
    ("el", "Greek"),
    ("en", "English"),
    ("eo", "Esperanto"),
    ("es", "Spanish"),
    ("et", "Estonian"),
    ("eu", "Basque"),
    ("fa", "Persian"),
    ("fi", "Finnish"),
    ("fr", "French"),
    ("ga", "Irish"),
    ("gd", "Scottish Gaelic"),
    ("gl", "Galician"),
    ("gu", "Gujarati"),
    ("he", "Hebrew"),
    ("hi", "Hindi"),
    ("hr", "Croatian"),
    ("hu", "Hungarian"),
    ("hy", "Armenian"),
    ("id", "Indonesian"),
    ("is", "Icelandic"),
    ("it", "Italian"),
    ("ja", "Japanese"),
    ("jv", "Javanese"),
    ("ka", "Georgian"),
    ("kk", "Kazakh"),
    ("km", "Khmer"),
    ("kn", "Kannada"),
    ("ko", "Korean"),
    ("ku", "Kurdish"),
    ("ky", "Kyrgyz"),
    ("la", "Latin"),
    ("lb", "Luxembourgish"),
    ("lo", "Lao"),
    ("lt", "Lithuanian"),
    ("lv", "Latvian"),
    ("mk", "Macedonian"),
    ("ml", "Malayalam"),
    ("mn", "Mongolian"),
    ("mr", "Marathi"),
    ("ms", "Malay"),
    ("mt", "Maltese"),
    ("my", "Burmese"),
    ("nb", "Norwegian"),
    ("ne", "Nepali"),
    ("nl", "Dutch"),
    ("no", "Norwegian"),
    ("pa", "Punjabi"),
    ("pl", "Polish"),
    ("ps", "Pashto"),
    ("pt", "Portuguese"),
    ("ro", "Romanian"),
    ("ru", "Russian"),
    ("si", "Sinhala"),
    ("sk", "Slovak"),
    ("sl", "Slovenian"),
    ("so", "Somali"),
    ("sq", "Albanian"),
    ("sr", "Serbian"),
    ("sv", "Swedish"),
    ("sw", "Swahili"),
    ("ta", "Tamil"),
    ("te", "Telugu"),
    ("th", "Thai"),
    ("tl", "Tagalog"),
    ("tr", "Turkish"),
    ("uk", "Ukrainian"),
    ("ur", "Urdu"),
    ("uz", "Uzbek"),
    ("vi", "Vietnamese"),
    ("zh", "Chinese"),
    ("zu", "Zulu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_goes_by_its_name_and_an_unlisted_one_by_its_tag() {
        for (tag, expected) in [
            ("de", "German"),
            ("pt-BR", "Portuguese"),
            ("Chinese", "Chinese"),
            ("qya", "the language `qya`"),
        ] {
            let language = Language::parse(tag).unwrap();
            assert_eq!(language_name(&language), expected);
        }
        assert!(NAMES.is_sorted());
    }
}
