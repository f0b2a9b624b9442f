//! Whether a text talks *about* a foreign character: it calls it a letter, it
//! explains it, it names the language.

use redraft_text::scripts::Script;
use redraft_text::words::words;

/// What a character is called, directly before or behind it, as beginnings of
/// words in the seven languages.
const CALLED: &[&str] = &[
    "letter",
    "character",
    "symbol",
    "glyph",
    "particle",
    "ideogram",
    "kanji",
    "hanzi",
    "hangul",
    "cyrillic",
    "chinese",
    "russian",
    "japanese",
    "korean",
    "arabic",
    "hebrew",
    "pronounced",
    "means",
    "букв",
    "символ",
    "знак",
    "иероглиф",
    "частиц",
    "китайск",
    "японск",
    "корейск",
    "означает",
    "читается",
    "buchstab",
    "zeichen",
    "symbol",
    "partikel",
    "kyrillisch",
    "chinesisch",
    "japanisch",
    "russisch",
    "bedeutet",
    "letra",
    "carácter",
    "símbolo",
    "partícula",
    "cirílic",
    "chino",
    "japonés",
    "ruso",
    "significa",
    "lettre",
    "caractère",
    "symbole",
    "particule",
    "cyrillique",
    "chinois",
    "japonais",
    "russe",
    "signifie",
    "caractere",
    "caracter",
    "chinês",
    "russo",
    "cirílico",
];

/// The same in Chinese and Japanese, where it stands without a space.
const CALLED_UNSPACED: &[&str] = &[
    "字母",
    "字符",
    "符号",
    "汉字",
    "漢字",
    "文字",
    "假名",
    "仮名",
    "单词",
    "字",
    "读作",
    "读音",
    "发音",
    "的发音",
    "的读音",
    "的意思",
    "表示",
];

/// Whether the words around name it a letter, a character or a word of some
/// language.
pub(super) fn names_it(before: &str, after: &str) -> bool {
    let before = tail(before);
    let after = head(after);
    if CALLED_UNSPACED
        .iter()
        .any(|name| before.trim_end().ends_with(name) || after.trim_start().starts_with(name))
    {
        return true;
    }
    let is_called = |word: &str| {
        let word = word.to_lowercase();
        CALLED.iter().any(|name| word.starts_with(name))
    };
    let last = before.split_whitespace().rev().take(2);
    let next = after.split_whitespace().next();
    // Glued to a word it is no name of anything.
    let stands_alone = before.is_empty() || before.ends_with(char::is_whitespace);
    let ends_alone = after.is_empty() || !after.starts_with(char::is_alphanumeric);
    stands_alone && ends_alone && last.chain(next).any(is_called)
}

/// Whether it is explained: `的 — a particle`, `water: 水`, `水 = water`.
pub(super) fn is_gloss(before: &str, after: &str) -> bool {
    let line = tail(before).rsplit('\n').next().unwrap_or_default().trim();
    let after = head(after).trim_start();
    let starts = line.is_empty()
        || line.ends_with(['.', '-', '*', '+', '|'])
        || line.ends_with(|c: char| c.is_ascii_digit());
    line.ends_with([':', '=', '→', '≈', '：', '(', '/'])
        || after.starts_with(['=', '→', '≈', '(', '/'])
        || starts && after.starts_with(['—', '–', '-', ':', '：'])
}

fn tail(text: &str) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(64));
    &text[from..]
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(text.len().min(64))]
}

/// Whether a document names a language that is written in this script.
pub(super) fn names_language(text: &str, script: Script) -> bool {
    let names: &[&str] = match script {
        Script::Cyrillic => &[
            "russia",
            "cyrillic",
            "ukrain",
            "bulgari",
            "serbia",
            "slavic",
            "русск",
            "кирилл",
            "russisch",
            "russland",
            "kyrillisch",
            "ukraine",
            "ruso",
            "rusa",
            "rusia",
            "cirílic",
            "russe",
            "russie",
            "cyrilli",
            "rússia",
            "russo",
        ],
        Script::Han | Script::Kana => &[
            "china",
            "chinese",
            "mandarin",
            "japan",
            "kanji",
            "hanzi",
            "китай",
            "япон",
            "иероглиф",
            "chinesisch",
            "chino",
            "chine",
            "chinois",
            "chinês",
            "japon",
            "japón",
            "cjk",
        ],
        Script::Hangul => &[
            "korea", "hangul", "коре", "corea", "coreano", "coré", "coreia", "cjk",
        ],
        Script::Arabic => &[
            "arab",
            "persian",
            "urdu",
            "farsi",
            "quran",
            "koran",
            "iran",
            "араб",
            "перси",
            "árab",
            "persa",
        ],
        Script::Hebrew => &[
            "hebrew",
            "israel",
            "jewish",
            "иврит",
            "hebräisch",
            "hebre",
            "hébreu",
        ],
        Script::Greek | Script::Latin | Script::Common => &[],
        Script::Armenian => &["armen", "армян"],
        Script::Georgian => &["georgia", "грузин", "georgisch"],
        Script::Thai => &["thai", "тайск"],
        Script::Devanagari => &[
            "hindi",
            "sanskrit",
            "devanagari",
            "india",
            "nepal",
            "marathi",
            "хинди",
            "санскрит",
        ],
        Script::Other => &[
            "language", "script", "unicode", "язык", "sprache", "schrift", "lengua", "langue",
            "língua",
        ],
    };
    let unspaced: &[&str] = match script {
        Script::Cyrillic => &["俄", "西里尔", "乌克兰"],
        Script::Han | Script::Kana => &["日语", "日文", "日本", "假名"],
        Script::Hangul => &["韩", "朝鲜"],
        Script::Arabic => &["阿拉伯"],
        _ => &[],
    };
    unspaced.iter().any(|name| text.contains(name))
        || words(text).any(|(_, word)| {
            let word = word.to_lowercase();
            names.iter().any(|name| word.starts_with(name))
        })
}
