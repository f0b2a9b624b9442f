//! Which language a text is in. It sees prose only (callers leave out code),
//! and knows nothing of lessons or of what follows from a language.
//!
//! Scripts and letters decide where they can. Among languages that share a
//! script, function words and telling spellings are counted; only where they
//! leave doubt is whatlang asked, which is slow and weak on short texts.

mod families;
mod family;
mod passage;
mod sample;
mod script;

use std::fmt;

pub use passage::{differs, is_clearly, leading, mentions};

use families::{DEVANAGARI, LATIN};
use sample::sample;
use script::{Letters, Script};

/// A language by its primary BCP 47 subtag, such as `en`; regions and scripts
/// are dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

impl Language {
    pub const EN: Self = Self(*b"en\0");
    pub const RU: Self = Self(*b"ru\0");
    pub const ZH: Self = Self(*b"zh\0");
    pub const DE: Self = Self(*b"de\0");
    pub const ES: Self = Self(*b"es\0");
    pub const FR: Self = Self(*b"fr\0");
    pub const PT: Self = Self(*b"pt\0");

    /// Reads a tag (`pt-BR`, `zh_Hans`, `DEU`) or the name of one of the seven
    /// languages, in English or in itself.
    pub fn parse(tag: &str) -> Option<Self> {
        let lower = tag.trim().to_lowercase();
        let named = NAMES
            .iter()
            .find(|(_, names)| names.split(' ').any(|name| name == lower));
        if let Some((language, _)) = named {
            return Some(*language);
        }
        let mut subtags = lower.split(['-', '_']);
        let primary = subtags.next()?;
        let well_formed = subtags.all(|subtag| {
            (1..=8).contains(&subtag.len()) && subtag.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        // Tags that say "no language", "several" or "unknown".
        if !well_formed || matches!(primary, "und" | "mul" | "mis" | "zxx") {
            return None;
        }
        if let Some((language, _)) = NAMES
            .iter()
            .find(|(_, names)| primary.len() == 3 && names.split(' ').any(|name| name == primary))
        {
            return Some(*language);
        }
        Self::from_code(primary)
    }

    /// The subtag, in lower case.
    pub fn as_str(&self) -> &str {
        let len = self.0.iter().take_while(|&&byte| byte != 0).count();
        self.0
            .get(..len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    fn from_code(code: &str) -> Option<Self> {
        let bytes = code.as_bytes();
        if !(2..=3).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let mut tag = [0; 3];
        for (to, from) in tag.iter_mut().zip(bytes) {
            *to = *from;
        }
        Some(Self(tag))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Language({})", self.as_str())
    }
}

/// Names by which settings and models call the languages, in lower case.
const NAMES: [(Language, &str); 7] = [
    (
        Language::EN,
        "english eng английский englisch inglés inglês anglais 英语 英文",
    ),
    (
        Language::RU,
        "russian rus русский russisch ruso russe russo 俄语 俄文",
    ),
    (
        Language::ZH,
        "chinese mandarin zho chi cmn китайский chinesisch chino chinois chinês 中文 汉语 汉文 简体中文 繁體中文 普通话",
    ),
    (
        Language::DE,
        "german deu ger немецкий deutsch alemán alemão allemand 德语 德文",
    ),
    (
        Language::ES,
        "spanish spa испанский spanisch español espanol castellano espagnol espanhol 西班牙语 西班牙文",
    ),
    (
        Language::FR,
        "french fra fre французский französisch français francais francés francês 法语 法文",
    ),
    (
        Language::PT,
        "portuguese por португальский portugiesisch portugués português portugues portugais 葡萄牙语 葡萄牙文",
    ),
];

/// What [`detect`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The language; `None` where there is too little text, or none of the
    /// languages known here fits.
    pub language: Option<Language>,
    /// Whether to rely on it, say for a finding.
    pub reliable: bool,
}

impl Detection {
    const NONE: Self = Self {
        language: None,
        reliable: false,
    };

    fn or(self, other: Self) -> Self {
        if self.language.is_some() { self } else { other }
    }

    fn of(code: &str, reliable: bool) -> Self {
        let language = Language::from_code(code);
        Self {
            language,
            reliable: reliable && language.is_some(),
        }
    }
}

/// Recognises the language of prose from a bounded sample of it. The guess is
/// the best there is, however short the text; what must not be wrong asks
/// whether it is reliable, too.
pub fn detect(text: &str) -> Detection {
    let sample = sample(text);
    let letters = Letters::count(&sample);
    let Some(script) = letters.leading_script() else {
        return Detection::NONE;
    };
    match script {
        // Half of Japanese is kana. In a long Chinese text a Japanese passage may
        // have some; in a heading one syllable tells.
        Script::Han if is_japanese(letters.of(Script::Kana), letters.of(Script::Han)) => {
            Detection::of("ja", true)
        }
        Script::Han => Detection::of("zh", true),
        Script::Kana => Detection::of("ja", true),
        Script::Latin => family::by_words(&sample, &LATIN, letters.of(Script::Latin)),
        Script::Cyrillic => script::by_cyrillic_letters(&sample, letters.of(Script::Cyrillic)),
        Script::Arabic => script::by_arabic_letters(&sample),
        Script::Devanagari => {
            family::by_words(&sample, &DEVANAGARI, letters.of(Script::Devanagari))
                .or(Detection::of("hi", false))
        }
        Script::Other(code) => Detection::of(code, true),
    }
}

fn is_japanese(kana: usize, han: usize) -> bool {
    const LONG: usize = 60;
    kana * if kana + han < LONG { 20 } else { 3 } > han
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_and_names_are_read() {
        let cases = [
            ("en", Some("en")),
            ("EN-us", Some("en")),
            ("zh-CN", Some("zh")),
            ("zh_Hans_CN", Some("zh")),
            (" pt-BR ", Some("pt")),
            ("English", Some("en")),
            ("Russian", Some("ru")),
            ("русский", Some("ru")),
            ("Русский", Some("ru")),
            ("Deutsch", Some("de")),
            ("Français", Some("fr")),
            ("español", Some("es")),
            ("中文", Some("zh")),
            ("cmn-Hans", Some("zh")),
            ("deu", Some("de")),
            ("tlh", Some("tlh")),
            ("", None),
            ("e", None),
            ("Klingon", None),
            ("und", None),
            ("en us", None),
            ("en--us", None),
            ("日本", None),
        ];
        for (tag, expected) in cases {
            let parsed = Language::parse(tag).map(|language| language.to_string());
            assert_eq!(parsed.as_deref(), expected, "{tag:?}");
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "one row for each language")]
    fn prose_is_recognised() {
        let cases = [
            (
                "en",
                "Plants need light, and without it they cannot make their food.",
            ),
            (
                "ru",
                "Растениям нужен свет, без него они не могут создавать пищу.",
            ),
            ("ru", "Тема нового урока: вода в природе и жизни человека."),
            ("ru", "Доктор объяснил нам, что такое температура и пар"),
            ("zh", "植物需要阳光，没有阳光它们就无法制造食物。"),
            (
                "zh",
                "使用 JavaScript 的 addEventListener 方法来监听点击事件。",
            ),
            (
                "de",
                "Pflanzen brauchen Licht, ohne das sie keine Nahrung herstellen können.",
            ),
            (
                "es",
                "Las plantas necesitan luz y sin ella no pueden producir su alimento.",
            ),
            (
                "fr",
                "Les plantes ont besoin de lumière pour fabriquer leur nourriture.",
            ),
            (
                "pt",
                "As plantas precisam de luz e sem ela não podem produzir o seu alimento.",
            ),
            (
                "it",
                "Le piante hanno bisogno di luce per produrre il loro nutrimento.",
            ),
            (
                "nl",
                "Planten hebben licht nodig om hun eigen voedsel te maken.",
            ),
            (
                "pl",
                "Rośliny potrzebują światła, bez którego nie mogą się rozwijać.",
            ),
            (
                "sv",
                "Växter behöver ljus och utan det kan de inte göra sin egen föda.",
            ),
            (
                "tr",
                "Bitkiler ışığa ihtiyaç duyar ve onsuz kendi besinlerini üretemezler.",
            ),
            (
                "uk",
                "Рослинам потрібне світло, без нього вони не можуть жити.",
            ),
            (
                "be",
                "Раслінам патрэбна святло, без яго яны не могуць жыць у прыродзе, ды ўсё.",
            ),
            (
                "bg",
                "Растенията се нуждаят от светлина, за да произвеждат храната си.",
            ),
            ("ja", "植物は光がなければ食べ物を作ることができません。"),
            ("ko", "식물은 빛이 없으면 양분을 만들 수 없습니다."),
            (
                "et",
                "Taimed vajavad valgust ja ilma selleta ei saa nad oma toitu valmistada.",
            ),
            (
                "lt",
                "Augalams reikia šviesos ir be jos jie negali pasigaminti sau maisto.",
            ),
            (
                "lv",
                "Augiem ir vajadzīga gaisma, un bez tās tie nevar ražot savu barību.",
            ),
            (
                "sl",
                "Rastline potrebujejo svetlobo, ker brez nje ne morejo izdelati svoje hrane, in tudi vodo.",
            ),
            (
                "hr",
                "Biljke trebaju svjetlost jer bez nje ne mogu proizvesti svoju hranu, kao ni rasti.",
            ),
            (
                "sw",
                "Mimea inahitaji mwanga na bila mwanga huo haiwezi kutengeneza chakula chake kwa sababu hiyo.",
            ),
            (
                "tl",
                "Kailangan ng mga halaman ang liwanag at kung wala ito ay hindi sila makagagawa ng pagkain.",
            ),
            (
                "ms",
                "Tumbuhan memerlukan cahaya kerana tanpa cahaya tumbuhan tidak boleh membuat makanan sendiri daripada air.",
            ),
            (
                "id",
                "Tumbuhan membutuhkan cahaya karena tanpa cahaya tumbuhan tidak bisa membuat makanannya sendiri dari air.",
            ),
            (
                "fa",
                "گیاهان به نور نیاز دارند و بدون آن نمی‌توانند غذای خود را بسازند.",
            ),
            (
                "ar",
                "تحتاج النباتات إلى الضوء، ومن دونه لا تستطيع أن تصنع غذاءها.",
            ),
            (
                "ur",
                "پودوں کو روشنی کی ضرورت ہوتی ہے اور اس کے بغیر وہ اپنی خوراک نہیں بنا سکتے۔",
            ),
        ];
        for (code, text) in cases {
            assert_eq!(detect(text).language, Language::parse(code), "{text}");
        }
    }

    #[test]
    fn too_little_text_has_no_language() {
        for text in [
            "",
            "12 + 3 = 15",
            "```\n---\n```",
            "Hello",
            "https://example.org/path/of/the/file",
            "你好",
            "x = y_1 {the} <of>",
        ] {
            assert_eq!(detect(text), Detection::NONE, "{text:?}");
        }
    }

    #[test]
    fn names_and_gibberish_are_not_claimed_reliably() {
        for text in [
            "Zxcvbn Qwerty Asdfgh Yuiop Hjklm Bnmvc",
            "JavaScript TypeScript PostgreSQL Kubernetes Docker",
            "lkjh sdfg poiu mnbv tyui zxcv hjkl qaws",
        ] {
            assert!(!detect(text).reliable, "{text} is {:?}", detect(text));
        }
    }

    #[test]
    fn a_long_text_is_judged_by_a_bounded_sample() {
        let text = "Plants need light, and without it they cannot make food. ".repeat(50_000);
        assert!(sample(&text).len() <= sample::LONGEST);
        let expected = Detection {
            language: Some(Language::EN),
            reliable: true,
        };
        assert_eq!(detect(&text), expected);
        assert_eq!(
            detect(&"植物需要阳光".repeat(50_000)).language,
            Some(Language::ZH)
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn any_text_is_taken(text in "\\PC{0,200}", times in 1usize..30) {
            let _ = detect(&text.repeat(times));
            let _ = Language::parse(&text);
        }
    }
}
