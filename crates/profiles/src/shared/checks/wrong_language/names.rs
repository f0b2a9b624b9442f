//! What there is to know about languages by their names alone.

use redraft_text::language::Language;

/// Languages that can be recognised.
pub(super) const KNOWN: [&str; 47] = [
    "en", "de", "es", "fr", "pt", "it", "nl", "pl", "sv", "da", "no", "ro", "ca", "cs", "sk", "hr",
    "sl", "tr", "fi", "et", "lt", "lv", "hu", "id", "ms", "vi", "sw", "tl", 
    "ru", "bg", "sr", "mk", "uk", "be", "zh", "ja", "ko", "el", "he", "hy", "ka", "th", "ar",
    "fa", "ur", "hi", "af",
];

/// Languages that the detector, or a reader, may confuse.
pub(super) fn are_kin(a: Language, b: Language) -> bool {
    const KIN: [&[&str]; 7] = [
        &["no", "nb", "nn", "da", "nor"],
        &["sr", "hr", "bs", "sh"],
        &["id", "ms"],
        &["zh", "yue", "cmn", "wuu"],
        &["es", "gl"],
        &["pt", "gl"],
        &["cs", "sk"],
    ];
    a == b
        || KIN
            .iter()
            .any(|group| group.contains(&a.as_str()) && group.contains(&b.as_str()))
}

pub(super) fn name(language: Language) -> String {
    match language.as_str() {
        "en" => "English",
        "ru" => "Russian",
        "zh" => "Chinese",
        "de" => "German",
        "es" => "Spanish",
        "fr" => "French",
        "pt" => "Portuguese",
        "ja" => "Japanese",
        "uk" => "Ukrainian",
        "it" => "Italian",
        "pl" => "Polish",
        "nl" => "Dutch",
        "sv" => "Swedish",
        "da" => "Danish",
        "no" => "Norwegian",
        "fi" => "Finnish",
        "cs" => "Czech",
        "sk" => "Slovak",
        "hr" => "Croatian",
        "sl" => "Slovenian",
        "sr" => "Serbian",
        "bg" => "Bulgarian",
        "be" => "Belarusian",
        "mk" => "Macedonian",
        "ro" => "Romanian",
        "hu" => "Hungarian",
        "tr" => "Turkish",
        "el" => "Greek",
        "he" => "Hebrew",
        "ar" => "Arabic",
        "fa" => "Persian",
        "ur" => "Urdu",
        "hi" => "Hindi",
        "ko" => "Korean",
        "vi" => "Vietnamese",
        "th" => "Thai",
        "id" => "Indonesian",
        "ms" => "Malay",
        "sw" => "Swahili",
        "tl" => "Tagalog",
        "et" => "Estonian",
        "lt" => "Lithuanian",
        "lv" => "Latvian",
        "ca" => "Catalan",
        "ka" => "Georgian",
        "hy" => "Armenian",
        code => return format!("“{code}”"),
    }
    .to_owned()
}

