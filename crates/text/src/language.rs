//! Which language a text is in. It sees prose only (callers leave out code),
//! and knows nothing of lessons or of what follows from a language.
//!
//! Scripts and letters decide where they can. Among languages that share a
//! script, function words and telling spellings are counted; only where they
//! leave doubt is whatlang asked, which is slow and weak on short texts.

mod families;

use std::{collections::BTreeMap, fmt};

use families::{CYRILLIC, LATIN};
use whatlang::{Detector, Lang};

/// A language by its primary BCP 47 subtag, such as `en`; regions and scripts
/// are dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language([u8; 3]);

impl Language {
    /// English.
    pub const EN: Self = Self(*b"en\0");
    /// Russian.
    pub const RU: Self = Self(*b"ru\0");
    /// Chinese.
    pub const ZH: Self = Self(*b"zh\0");
    /// German.
    pub const DE: Self = Self(*b"de\0");
    /// Spanish.
    pub const ES: Self = Self(*b"es\0");
    /// French.
    pub const FR: Self = Self(*b"fr\0");
    /// Portuguese.
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

    fn of(code: &str, reliable: bool) -> Self {
        let language = Language::from_code(code);
        Self {
            language,
            reliable: reliable && language.is_some(),
        }
    }
}

/// Recognises the language of prose from a bounded sample of it.
pub fn detect(text: &str) -> Detection {
    let sample = sample(text);
    let letters = Letters::count(&sample);
    let Some(script) = letters.leading_script() else {
        return Detection::NONE;
    };
    match script {
        Script::Han if letters.kana * 20 > letters.han => Detection::of("ja", true),
        Script::Han => Detection::of("zh", true),
        Script::Kana => Detection::of("ja", true),
        Script::Latin => by_words(&sample, &LATIN, letters.of(Script::Latin)),
        Script::Cyrillic => by_cyrillic_letters(&sample, letters.of(Script::Cyrillic)),
        Script::Arabic => by_arabic_letters(&sample),
        Script::Devanagari => by_whatlang(&sample).unwrap_or(Detection::of("hi", false)),
        Script::Other(code) => Detection::of(code, true),
    }
}

/// Texts longer than this are judged by three pieces of a third of it each.
const SAMPLE: usize = 2048;

/// Beginning, middle and end of the text, cut between words, without the
/// tokens that are no prose (addresses, code, markup).
fn sample(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(SAMPLE) + 8);
    let mut add = |piece: &str| {
        for token in piece.split_whitespace() {
            if !token.contains("://") && !token.contains(['`', '_', '\\', '=', '<', '{', '@']) {
                out.push_str(token);
                out.push(' ');
            }
        }
    };
    if text.len() <= SAMPLE {
        add(text);
        return out;
    }
    let third = SAMPLE / 3;
    for start in [0, text.len() / 2 - third / 2, text.len() - third] {
        let mut from = text.floor_char_boundary(start);
        let mut to = text.floor_char_boundary(start + third);
        let piece = text.get(from..to).unwrap_or_default();
        // Half a word at either edge would count as a word. Text without
        // spaces is cut anywhere.
        if from > 0
            && let Some(space) = piece.find(char::is_whitespace)
        {
            from += space;
        }
        if to < text.len()
            && let Some(space) = piece.rfind(char::is_whitespace)
        {
            to = to - piece.len() + space;
        }
        add(text.get(from..to).unwrap_or_default());
    }
    out
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Han,
    Kana,
    Arabic,
    Devanagari,
    /// A script that stands for one language.
    Other(&'static str),
}

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z'
        | 'A'..='Z'
        | '\u{AA}'
        | '\u{BA}'
        | '\u{C0}'..='\u{24F}'
        | '\u{1E00}'..='\u{1EFF}'
            if c.is_alphabetic() =>
        {
            Script::Latin
        }
        '\u{400}'..='\u{52F}' if c.is_alphabetic() => Script::Cyrillic,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Script::Kana,
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}' => Script::Han,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' if c.is_alphabetic() => Script::Arabic,
        '\u{900}'..='\u{97F}' if c.is_alphabetic() => Script::Devanagari,
        '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' => Script::Other("ko"),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' if c.is_alphabetic() => Script::Other("el"),
        '\u{5D0}'..='\u{5EA}' => Script::Other("he"),
        '\u{531}'..='\u{587}' if c.is_alphabetic() => Script::Other("hy"),
        '\u{10A0}'..='\u{10FF}' => Script::Other("ka"),
        '\u{E01}'..='\u{E30}' => Script::Other("th"),
        '\u{E81}'..='\u{EB0}' => Script::Other("lo"),
        '\u{1780}'..='\u{17B3}' => Script::Other("km"),
        '\u{1000}'..='\u{102A}' => Script::Other("my"),
        '\u{985}'..='\u{9B9}' => Script::Other("bn"),
        '\u{A05}'..='\u{A39}' => Script::Other("pa"),
        '\u{A85}'..='\u{AB9}' => Script::Other("gu"),
        '\u{B85}'..='\u{BB9}' => Script::Other("ta"),
        '\u{C05}'..='\u{C39}' => Script::Other("te"),
        '\u{C85}'..='\u{CB9}' => Script::Other("kn"),
        '\u{D05}'..='\u{D39}' => Script::Other("ml"),
        '\u{D85}'..='\u{DC6}' => Script::Other("si"),
        '\u{1200}'..='\u{135A}' => Script::Other("am"),
        _ => return None,
    })
}

/// How many letters of each script a sample holds.
struct Letters {
    han: usize,
    kana: usize,
    counts: Vec<(Script, usize)>,
}

impl Letters {
    fn count(sample: &str) -> Self {
        let mut counts: Vec<(Script, usize)> = Vec::new();
        for script in sample.chars().filter_map(script) {
            match counts.iter_mut().find(|(known, _)| *known == script) {
                Some((_, count)) => *count += 1,
                None => counts.push((script, 1)),
            }
        }
        let mut letters = Self {
            han: 0,
            kana: 0,
            counts,
        };
        letters.han = letters.of(Script::Han);
        letters.kana = letters.of(Script::Kana);
        letters
    }

    fn of(&self, script: Script) -> usize {
        self.counts
            .iter()
            .find(|(known, _)| *known == script)
            .map_or(0, |(_, count)| *count)
    }

    /// The script that carries the text; `None` with too few letters. A Han
    /// character or a syllable of Hangul says as much as several Latin letters,
    /// and Chinese prose about programming is full of Latin names.
    fn leading_script(&self) -> Option<Script> {
        let weigh = |script, count| match script {
            Script::Han | Script::Kana => count * 4,
            Script::Other("ko") => count * 3,
            Script::Latin => count,
            _ => count * 2,
        };
        let (script, weight) = self
            .counts
            .iter()
            .map(|&(script, count)| (script, weigh(script, count)))
            .max_by_key(|&(_, weight)| weight)?;
        let enough = if script == Script::Latin { 20 } else { 28 };
        (weight >= enough).then_some(script)
    }
}

/// Letters that only some languages of the script write. Counts decide, so
/// that one quoted foreign word does not.
fn by_cyrillic_letters(sample: &str, letters: usize) -> Detection {
    let lower = sample.to_lowercase();
    let count = |set: &str| lower.chars().filter(|&c| set.contains(c)).count();
    let russian = count("ыэё");
    let ukrainian = count("іїєґў");
    let (serbian, macedonian) = (count("ђјљњћџ"), count("ѓќѕ"));
    // Russian and Ukrainian write и in every other word, Belarusian never.
    let i = count("и");
    if count("әғқңөұүһҳҷҡҙҫ") * 50 > letters {
        return Detection::NONE;
    }
    if ukrainian > 0 && ukrainian * 12 > russian {
        let writes_belarusian = count("ў") > 0 || (russian > 0 && i * 8 <= count("і") + russian);
        let code = if writes_belarusian { "be" } else { "uk" };
        return Detection::of(code, true);
    }
    if serbian + macedonian > russian {
        return Detection::of(if macedonian > 0 { "mk" } else { "sr" }, true);
    }
    if i == 0 && letters >= 80 {
        return Detection::of("be", false);
    }
    if russian > 0 {
        return Detection::of("ru", letters >= 40 || russian > 1);
    }
    // One ъ may be Russian ("объяснил"); Bulgarian has it in every line.
    let hard_signs = count("ъ");
    if hard_signs > 1 && hard_signs * 100 > letters * 2 {
        return Detection::of("bg", letters >= 40);
    }
    // Bulgarian writes ь only before о, Serbian and Macedonian not at all.
    let soft_signs = count("ь");
    if soft_signs > lower.matches("ьо").count() {
        return Detection::of("ru", soft_signs > 1);
    }
    // Russian without a single ы, э, ё or ь is a guess, however many words agree.
    let found = by_words(sample, &CYRILLIC, letters);
    Detection {
        reliable: found.reliable && found.language != Some(Language::RU),
        ..found
    }
}

fn by_arabic_letters(sample: &str) -> Detection {
    let has = |set: &str| sample.chars().any(|c| set.contains(c));
    if has("ٹڈڑںے") {
        Detection::of("ur", true)
    } else if has("پچژگ") {
        Detection::of("fa", true)
    } else {
        Detection::of("ar", true)
    }
}

fn by_whatlang(sample: &str) -> Option<Detection> {
    let info = Detector::new().detect(sample)?;
    let code = two_letters(info.lang().code());
    Some(Detection::of(code, info.is_reliable()))
}

/// Languages of one script with the words and spellings that tell them apart.
struct Family {
    codes: Vec<&'static str>,
    /// Those of them that whatlang is asked about.
    candidates: Vec<Lang>,
    words: BTreeMap<&'static str, u32>,
    endings: Vec<(&'static str, u32)>,
    letters: BTreeMap<char, u32>,
}

impl Family {
    fn new(
        words: &[(&'static str, &'static str)],
        endings: &[(&'static str, &'static str)],
        letters: &[(&'static str, &'static str)],
    ) -> Self {
        let codes: Vec<&'static str> = words.iter().map(|&(code, _)| code).collect();
        let bit = |code: &str| {
            codes
                .iter()
                .position(|&known| known == code)
                .map_or(0, |index| 1u32 << index)
        };
        let mut family = Self {
            words: BTreeMap::new(),
            endings: Vec::new(),
            letters: BTreeMap::new(),
            candidates: Vec::new(),
            codes: Vec::new(),
        };
        for (code, list) in words {
            for word in list.split_whitespace() {
                *family.words.entry(word).or_default() |= bit(code);
            }
        }
        for (codes, list) in endings {
            let bits = codes.split(' ').map(bit).fold(0, |all, bit| all | bit);
            family
                .endings
                .extend(list.split_whitespace().map(|ending| (ending, bits)));
        }
        for (codes, list) in letters {
            let bits = codes.split(' ').map(bit).fold(0, |all, bit| all | bit);
            for letter in list.chars().filter(|c| !c.is_whitespace()) {
                *family.letters.entry(letter).or_default() |= bits;
            }
        }
        family.candidates = Lang::all()
            .iter()
            .copied()
            // Both resemble half of Europe to a detector that counts trigrams.
            .filter(|lang| !matches!(lang, Lang::Epo | Lang::Lat))
            .filter(|lang| codes.contains(&two_letters(lang.code())))
            .collect();
        family.codes = codes;
        family
    }

    /// Points for every language, and how many words there were.
    fn score(&self, sample: &str) -> (Vec<u32>, u32) {
        // A head start of half a word for the language that most often comes
        // without its telling letters.
        let mut points: Vec<u32> = self
            .codes
            .iter()
            .map(|&code| if code == "ru" { 14 } else { 0 })
            .collect();
        let mut total = 0;
        for written in sample
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
        {
            // A lone capital is an initial or a label, not a function word.
            if written.len() <= 2 && written.chars().all(char::is_uppercase) {
                continue;
            }
            let word = written.to_lowercase();
            let word = word.as_str();
            total += 1;
            if let Some(&bits) = self.words.get(word) {
                share(&mut points, bits, 24);
            } else if let Some((_, bits)) = self
                .endings
                .iter()
                .find(|(ending, _)| word.len() > ending.len() + 2 && word.ends_with(ending))
            {
                share(&mut points, *bits, 12);
            }
            let telling = word
                .chars()
                .filter(|c| !c.is_ascii())
                .find_map(|c| self.letters.get(&c));
            if let Some(&bits) = telling {
                share(&mut points, bits, 14);
            }
        }
        for c in sample.chars().filter(|c| matches!(c, '¿' | '¡')) {
            if let Some(&bits) = self.letters.get(&c) {
                share(&mut points, bits, 24);
            }
        }
        (points, total)
    }
}

/// A word that several languages share says less about each of them.
fn share(points: &mut [u32], bits: u32, worth: u32) {
    let each = match bits.count_ones() {
        0 | 1 => worth,
        2 => worth * 2 / 3,
        3 => worth / 2,
        _ => worth / 3,
    };
    for (index, points) in points.iter_mut().enumerate() {
        if bits & (1 << index) != 0 {
            *points += each;
        }
    }
}

/// Decides by counted words, and asks whatlang where they leave doubt.
fn by_words(sample: &str, family: &Family, letters: usize) -> Detection {
    let (mut points, words) = family.score(sample);
    let (best, top, second) = leader(&points);
    // Prose has a function word in every second or third word, about 8 points
    // a word; names and lists fall far below, and so do languages without a
    // list, which share a word with some language here by chance.
    let supported = |top: u32| top >= words * 2;
    if top >= 72 && top * 2 >= second * 3 && top >= words * 4 {
        return Detection::of(code_at(family, best), letters >= 30);
    }
    let guess = Detector::with_allowlist(family.candidates.clone()).detect(sample);
    let (code, confidence) = guess.map_or(("", 0.0), |info| {
        (two_letters(info.lang().code()), info.confidence())
    });
    let guessed = family.codes.iter().position(|&known| known == code);
    if let Some(points) = guessed.and_then(|index| points.get_mut(index)) {
        *points += match confidence {
            0.9.. => 40,
            0.3.. => 24,
            _ => 12,
        };
    }
    let (best, top, second) = leader(&points);
    if top == second || top < 24 || !supported(top) {
        return Detection::NONE;
    }
    let agreed = code == code_at(family, best) || top * 2 >= second * 3;
    let reliable = letters >= 30 && top >= 72 && top * 5 >= second * 6 && agreed;
    Detection::of(code_at(family, best), reliable)
}

fn code_at(family: &Family, index: usize) -> &'static str {
    family.codes.get(index).copied().unwrap_or_default()
}

/// The best index, its points, and the points of the next best.
fn leader(points: &[u32]) -> (usize, u32, u32) {
    let (mut best, mut top, mut second) = (0, 0, 0);
    for (index, &points) in points.iter().enumerate() {
        if points > top {
            (best, top, second) = (index, points, top);
        } else {
            second = second.max(points);
        }
    }
    (best, top, second)
}

/// whatlang speaks ISO 639-3; the rest of the program two letters.
fn two_letters(code: &str) -> &'static str {
    const CODES: &str = "eng en rus ru cmn zh spa es por pt ita it fra fr deu de ukr uk pol pl nob no dan da swe sv fin fi \
        tur tr nld nl hun hu ces cs bul bg bel be ron ro slv sl hrv hr srp sr mkd mk lit lt lav lv est et vie vi \
        aze az ind id uzb uz tuk tk aka ak zul zu sna sn afr af lat la slk sk cat ca tgl tl cym cy epo eo jav jv \
        hin hi mar mr nep ne";
    let mut codes = CODES.split_whitespace();
    while let (Some(three), Some(two)) = (codes.next(), codes.next()) {
        if three == code {
            return two;
        }
    }
    ""
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
        assert!(sample(&text).len() <= SAMPLE);
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
