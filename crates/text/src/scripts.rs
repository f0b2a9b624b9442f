//! The script of a character, which letters of two scripts look alike, and how
//! many letters of each script a text has. It knows nothing of languages.
//!
//! A table covers the alphabets up to U+05FF, where nearly all text lives; the
//! rest is a chain of ranges. Both are compared with Unicode's own data in the
//! tests. Scripts that no lesson is written in are [`Script::Other`].

/// A script, as far as the checks distinguish it from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Script {
    /// Digits, punctuation, symbols, marks: belongs to every script.
    Common,
    Latin,
    /// Greek; its letters are symbols everywhere.
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Devanagari,
    Thai,
    Bengali,
    Gurmukhi,
    Gujarati,
    Oriya,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
    Sinhala,
    Lao,
    Tibetan,
    Burmese,
    Ethiopic,
    Khmer,
    Mongolian,
    Georgian,
    /// Korean letters and syllables.
    Hangul,
    /// Hiragana and katakana.
    Kana,
    /// Chinese characters.
    Han,
    /// Any other script.
    Other,
}

const SCRIPTS: usize = Script::Other as usize + 1;

impl Script {
    /// The name, as in “a Cyrillic letter”.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Latin => "Latin",
            Self::Greek => "Greek",
            Self::Cyrillic => "Cyrillic",
            Self::Armenian => "Armenian",
            Self::Hebrew => "Hebrew",
            Self::Arabic => "Arabic",
            Self::Devanagari => "Devanagari",
            Self::Thai => "Thai",
            Self::Bengali => "Bengali",
            Self::Gurmukhi => "Gurmukhi",
            Self::Gujarati => "Gujarati",
            Self::Oriya => "Oriya",
            Self::Tamil => "Tamil",
            Self::Telugu => "Telugu",
            Self::Kannada => "Kannada",
            Self::Malayalam => "Malayalam",
            Self::Sinhala => "Sinhala",
            Self::Lao => "Lao",
            Self::Tibetan => "Tibetan",
            Self::Burmese => "Burmese",
            Self::Ethiopic => "Ethiopic",
            Self::Khmer => "Khmer",
            Self::Mongolian => "Mongolian",
            Self::Georgian => "Georgian",
            Self::Hangul => "Korean",
            Self::Kana => "Japanese",
            Self::Han => "Chinese",
            Self::Other => "another script",
        }
    }
}

/// The script of a character.
#[must_use]
pub fn script(c: char) -> Script {
    match ALPHABETS.get(c as usize) {
        Some(script) => *script,
        None => beyond_alphabets(c),
    }
}

/// Where the table ends.
const TABLE: usize = 0x600;

static ALPHABETS: [Script; TABLE] = {
    let mut table = [Script::Common; TABLE];
    let mut at = 0;
    while at < TABLE {
        table[at] = match at as u32 {
            0x41..=0x5A | 0x61..=0x7A | 0xAA | 0xBA => Script::Latin,
            0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2B8 | 0x2E0..=0x2E4 => Script::Latin,
            0x370..=0x373 | 0x375..=0x377 | 0x37A..=0x37D | 0x37F | 0x384 => Script::Greek,
            0x386 | 0x388..=0x38A | 0x38C | 0x38E..=0x3A1 => Script::Greek,
            0x3A3..=0x3E1 | 0x3F0..=0x3FF => Script::Greek,
            0x3E2..=0x3EF => Script::Other,
            0x400..=0x484 | 0x487..=0x52F => Script::Cyrillic,
            0x531..=0x556 | 0x559..=0x58A | 0x58D..=0x58F => Script::Armenian,
            0x591..=0x5C7 | 0x5D0..=0x5EA | 0x5EF..=0x5F4 => Script::Hebrew,
            0x2EA | 0x2EB => Script::Other,
            _ => Script::Common,
        };
        at += 1;
    }
    table
};

fn beyond_alphabets(c: char) -> Script {
    match c as u32 {
        0x2000..=0x206F | 0x20A0..=0x20F0 | 0x2190..=0x27FF | 0x2900..=0x2BFF => Script::Common,
        0x4E00..=0x9FFF | 0x3400..=0x4DBF => Script::Han,
        0x3000..=0x3004 | 0x3006 | 0x3008..=0x3020 | 0x302A..=0x302D => Script::Common,
        0x3030..=0x3037 | 0x303C..=0x3040 | 0x3099..=0x309C | 0x30A0 | 0x30FB | 0x30FC => {
            Script::Common
        }
        0x3005 | 0x3007 | 0x3021..=0x3029 | 0x3038..=0x303B | 0x2E80..=0x2FD5 => Script::Han,
        0x3041..=0x309F | 0x30A1..=0x30FF | 0x31F0..=0x31FF | 0x32D0..=0x32FE => Script::Kana,
        0x3300..=0x3357 | 0xFF66..=0xFF6F | 0xFF71..=0xFF9D => Script::Kana,
        0x1AFF0..=0x1B122 | 0x1B132..=0x1B167 | 0x1F200 => Script::Kana,
        0xAC00..=0xD7FB | 0x1100..=0x11FF | 0x3131..=0x318E | 0xA960..=0xA97C => Script::Hangul,
        0x302E | 0x302F | 0x3200..=0x321E | 0x3260..=0x327E | 0xFFA0..=0xFFDC => Script::Hangul,
        0x3105..=0x312F | 0x31A0..=0x31BF => Script::Other,
        0x3100..=0x33FF | 0xFF00..=0xFF20 | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65 => Script::Common,
        0xFF70 | 0xFF9E | 0xFF9F | 0xFFE0..=0xFFFF => Script::Common,
        0x600..=0x604 | 0x606..=0x60B | 0x60D..=0x61A | 0x61C..=0x61E => Script::Arabic,
        0x620..=0x63F | 0x641..=0x64A | 0x656..=0x66F | 0x671..=0x6DC => Script::Arabic,
        0x6DE..=0x6FF | 0x750..=0x77F | 0x870..=0x8E1 | 0x8E3..=0x8FF => Script::Arabic,
        0xFB50..=0xFD3D | 0xFD40..=0xFDFF | 0xFE70..=0xFEFC => Script::Arabic,
        0x10E60..=0x10E7E | 0x10EC0..=0x10EFF | 0x1EE00..=0x1EEF1 => Script::Arabic,
        0x605 | 0x60C | 0x61B | 0x61F | 0x640 | 0x64B..=0x655 | 0x670 | 0x6DD | 0x8E2 => {
            Script::Common
        }
        0x900..=0x950 | 0x955..=0x963 | 0x966..=0x97F | 0xA8E0..=0xA8FF => Script::Devanagari,
        0x11B00..=0x11B09 => Script::Devanagari,
        0x951..=0x954 | 0x964 | 0x965 | 0xE3F => Script::Common,
        0xE01..=0xE5B => Script::Thai,
        0x980..=0x9FE => Script::Bengali,
        0xA01..=0xA76 => Script::Gurmukhi,
        0xA81..=0xAFF => Script::Gujarati,
        0xB01..=0xB77 => Script::Oriya,
        0xB82..=0xBFA | 0x11FC0..=0x11FFF => Script::Tamil,
        0xC00..=0xC7F => Script::Telugu,
        0xC80..=0xCF3 => Script::Kannada,
        0xD00..=0xD7F => Script::Malayalam,
        0xD81..=0xDF4 | 0x111E1..=0x111F4 => Script::Sinhala,
        0xE81..=0xEDF => Script::Lao,
        0xF00..=0xFD4 | 0xFD9..=0xFDA => Script::Tibetan,
        0x1000..=0x109F | 0xA9E0..=0xA9FE | 0xAA60..=0xAA7F | 0x116D0..=0x116E3 => Script::Burmese,
        0x1200..=0x1399 | 0x2D80..=0x2DDE | 0xAB01..=0xAB2E | 0x1E7E0..=0x1E7FE => Script::Ethiopic,
        0x1780..=0x17F9 | 0x19E0..=0x19FF => Script::Khmer,
        0x1802 | 0x1803 | 0x1805 => Script::Common,
        0x1800..=0x18AA | 0x11660..=0x1166C => Script::Mongolian,
        0x10A0..=0x10FA | 0x10FC..=0x10FF | 0x1C90..=0x1CBF | 0x2D00..=0x2D2D => Script::Georgian,
        0x1E00..=0x1EFF | 0x1D00..=0x1D25 | 0x1D2C..=0x1D5C | 0x1D62..=0x1D65 => Script::Latin,
        0x1D6B..=0x1D77 | 0x1D79..=0x1DBE | 0x2071 | 0x207F | 0x2090..=0x209C => Script::Latin,
        0x212A | 0x212B | 0x2132 | 0x214E | 0x2160..=0x2188 | 0x2C60..=0x2C7F => Script::Latin,
        0xA722..=0xA787 | 0xA78B..=0xA7FF | 0xAB30..=0xAB5A | 0xAB5C..=0xAB64 => Script::Latin,
        0xAB66..=0xAB69 | 0xFB00..=0xFB06 | 0xFF21..=0xFF3A | 0xFF41..=0xFF5A => Script::Latin,
        0x10780..=0x107BA | 0x1DF00..=0x1DF2A => Script::Latin,
        0x1F00..=0x1FFE | 0x1D26..=0x1D2A | 0x1D5D..=0x1D61 | 0x1D66..=0x1D6A | 0x1DBF => {
            Script::Greek
        }
        0x2126 | 0xAB65 | 0x10140..=0x1018E | 0x101A0 | 0x1D200..=0x1D245 => Script::Greek,
        0x1C80..=0x1C8A | 0x1D2B | 0x1D78 | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => Script::Cyrillic,
        0xFE2E | 0xFE2F | 0x1E030..=0x1E08F => Script::Cyrillic,
        0xFB13..=0xFB17 => Script::Armenian,
        0xFB1D..=0xFB4F => Script::Hebrew,
        0xF900..=0xFAD9 | 0x16FE2..=0x16FF6 | 0x20000..=0x3347F => Script::Han,
        0x10FB | 0x1AB0..=0x1ACE | 0x1CD0..=0x1CFA | 0x1DC0..=0x1DFF => Script::Common,
        0x2070..=0x218B | 0x2E00..=0x2E5D | 0x2FF0..=0x2FFF | 0xA700..=0xA721 => Script::Common,
        0xA788..=0xA78A | 0xA830..=0xA839 | 0xA92E | 0xA9CF | 0xAB5B | 0xAB6A | 0xAB6B => {
            Script::Common
        }
        0xD800..=0xF8FF | 0xFD3E | 0xFD3F | 0xFE00..=0xFE2D | 0xFE30..=0xFE6F | 0xFEFF => {
            Script::Common
        }
        0x1D000..=0x1D1FF | 0x1D2C0..=0x1D7FF | 0x1F000..=0x1FBFF | 0xE0000..=0x10_FFFF => {
            Script::Common
        }
        _ => Script::Other,
    }
}

/// How many letters of each script there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptCounts([usize; SCRIPTS]);

impl ScriptCounts {
    /// Adds the letters of `text`.
    pub fn add(&mut self, text: &str) {
        let bytes = text.as_bytes();
        // ASCII needs no decoding, and most of most lessons is ASCII.
        let ascii = bytes.iter().take_while(|byte| byte.is_ascii()).count();
        let plain = bytes.iter().take(ascii);
        self.0[Script::Latin as usize] += plain.filter(|byte| byte.is_ascii_alphabetic()).count();
        for c in text.get(ascii..).unwrap_or_default().chars() {
            self.0[script(c) as usize] += 1;
        }
    }

    /// The letters of one script.
    #[must_use]
    pub fn of(&self, script: Script) -> usize {
        self.0[script as usize]
    }

    /// The scripts that there are letters of.
    pub fn present(&self) -> impl Iterator<Item = Script> {
        KNOWN.into_iter().filter(|script| self.of(*script) > 0)
    }

    #[must_use]
    pub fn letters(&self) -> usize {
        self.0.iter().skip(Script::Common as usize + 1).sum()
    }

    /// The script that carries the text: the one with most letters, where a
    /// Chinese character counts for as much as two letters.
    #[must_use]
    pub fn leading(&self) -> Option<Script> {
        let weight = |script: Script| {
            let letters = self.of(script);
            match script {
                Script::Han | Script::Kana | Script::Hangul => letters * 2,
                _ => letters,
            }
        };
        KNOWN
            .into_iter()
            .max_by_key(|script| weight(*script))
            .filter(|script| self.of(*script) > 0)
    }
}

/// All scripts that have letters.
const KNOWN: [Script; SCRIPTS - 1] = [
    Script::Other,
    Script::Han,
    Script::Kana,
    Script::Hangul,
    Script::Georgian,
    Script::Mongolian,
    Script::Khmer,
    Script::Ethiopic,
    Script::Burmese,
    Script::Tibetan,
    Script::Lao,
    Script::Sinhala,
    Script::Malayalam,
    Script::Kannada,
    Script::Telugu,
    Script::Tamil,
    Script::Oriya,
    Script::Gujarati,
    Script::Gurmukhi,
    Script::Bengali,
    Script::Thai,
    Script::Devanagari,
    Script::Arabic,
    Script::Hebrew,
    Script::Armenian,
    Script::Cyrillic,
    Script::Greek,
    Script::Latin,
];

/// The letter of another script that looks just like this one: `а` (Cyrillic)
/// for `a` (Latin). Only letters that no font tells apart.
#[must_use]
pub fn look_alike(c: char, wanted: Script) -> Option<char> {
    let own = script(c);
    LOOK_ALIKES.iter().find_map(|(latin, cyrillic, greek)| {
        let given = match own {
            Script::Latin => *latin,
            Script::Cyrillic => (*cyrillic)?,
            Script::Greek => (*greek)?,
            _ => return None,
        };
        let twin = match wanted {
            Script::Latin => Some(*latin),
            Script::Cyrillic => *cyrillic,
            Script::Greek => *greek,
            _ => None,
        };
        (given == c).then_some(twin).flatten()
    })
}

/// Latin, Cyrillic, Greek. `І`, `Ѕ` and `Ј` are not letters of Russian, but of
/// its neighbours.
const LOOK_ALIKES: &[(char, Option<char>, Option<char>)] = &[
    ('a', Some('а'), None),
    ('c', Some('с'), None),
    ('e', Some('е'), None),
    ('o', Some('о'), Some('ο')),
    ('p', Some('р'), None),
    ('x', Some('х'), None),
    ('y', Some('у'), None),
    ('i', Some('і'), None),
    ('s', Some('ѕ'), None),
    ('j', Some('ј'), None),
    ('h', Some('һ'), None),
    ('d', Some('ԁ'), None),
    ('q', Some('ԛ'), None),
    ('w', Some('ԝ'), None),
    ('ë', Some('ё'), None),
    ('ï', Some('ї'), None),
    ('A', Some('А'), Some('Α')),
    ('B', Some('В'), Some('Β')),
    ('C', Some('С'), None),
    ('E', Some('Е'), Some('Ε')),
    ('H', Some('Н'), Some('Η')),
    ('K', Some('К'), Some('Κ')),
    ('M', Some('М'), Some('Μ')),
    ('O', Some('О'), Some('Ο')),
    ('P', Some('Р'), Some('Ρ')),
    ('T', Some('Т'), Some('Τ')),
    ('X', Some('Х'), Some('Χ')),
    ('Y', Some('У'), Some('Υ')),
    ('I', Some('І'), Some('Ι')),
    ('S', Some('Ѕ'), None),
    ('J', Some('Ј'), None),
    ('Ë', Some('Ё'), None),
    ('Ï', Some('Ї'), Some('Ϊ')),
    ('N', None, Some('Ν')),
    ('Z', None, Some('Ζ')),
];

#[cfg(test)]
mod tests {
    use unicode_script::{Script as Unicode, UnicodeScript};

    use super::*;

    fn expected(c: char) -> Script {
        match c.script() {
            Unicode::Common | Unicode::Inherited | Unicode::Unknown => Script::Common,
            Unicode::Latin => Script::Latin,
            Unicode::Greek => Script::Greek,
            Unicode::Cyrillic => Script::Cyrillic,
            Unicode::Armenian => Script::Armenian,
            Unicode::Hebrew => Script::Hebrew,
            Unicode::Arabic => Script::Arabic,
            Unicode::Devanagari => Script::Devanagari,
            Unicode::Thai => Script::Thai,
            Unicode::Bengali => Script::Bengali,
            Unicode::Gurmukhi => Script::Gurmukhi,
            Unicode::Gujarati => Script::Gujarati,
            Unicode::Oriya => Script::Oriya,
            Unicode::Tamil => Script::Tamil,
            Unicode::Telugu => Script::Telugu,
            Unicode::Kannada => Script::Kannada,
            Unicode::Malayalam => Script::Malayalam,
            Unicode::Sinhala => Script::Sinhala,
            Unicode::Lao => Script::Lao,
            Unicode::Tibetan => Script::Tibetan,
            Unicode::Myanmar => Script::Burmese,
            Unicode::Ethiopic => Script::Ethiopic,
            Unicode::Khmer => Script::Khmer,
            Unicode::Mongolian => Script::Mongolian,
            Unicode::Georgian => Script::Georgian,
            Unicode::Hangul => Script::Hangul,
            Unicode::Hiragana | Unicode::Katakana => Script::Kana,
            Unicode::Han => Script::Han,
            _ => Script::Other,
        }
    }

    #[test]
    fn every_letter_has_the_script_that_unicode_gives_it() {
        let wrong: Vec<String> = ('\0'..=char::MAX)
            .filter(|c| c.is_alphabetic() && script(*c) != expected(*c))
            .map(|c| format!("{:x} {c} {:?} {:?}", c as u32, script(c), expected(c)))
            .collect();
        assert!(
            wrong.is_empty(),
            "{} {:?}",
            wrong.len(),
            &wrong[..wrong.len().min(60)]
        );
    }

    #[test]
    fn signs_belong_to_every_script() {
        for c in "0 9,.;:!?-—…«»“”„‘’()[]{}#*_~`^°±×÷√∞≈≤≥→⇒①½€₽£¥№™©🌵👍\u{200B}\u{FEFF}\u{301}\u{20D0}。，、！？「」《》（）ー・％".chars() {
            assert_eq!(script(c), Script::Common, "{c} {:x}", c as u32);
        }
    }

    #[test]
    fn the_leading_script_is_that_of_the_prose() {
        for (text, expected) in [
            ("", None),
            ("12 + 30", None),
            ("Water boils", Some(Script::Latin)),
            ("Вода кипит (water)", Some(Script::Cyrillic)),
            ("Hello Мир world", Some(Script::Latin)),
            ("使用 Python 语言编程", Some(Script::Han)),
        ] {
            let mut counts = ScriptCounts::default();
            counts.add(text);
            assert_eq!(counts.leading(), expected, "{text}");
        }
    }

    #[test]
    fn letters_that_look_alike_are_exchanged() {
        assert_eq!(look_alike('а', Script::Latin), Some('a'));
        assert_eq!(look_alike('H', Script::Cyrillic), Some('Н'));
        assert_eq!(look_alike('Ρ', Script::Latin), Some('P'));
        assert_eq!(look_alike('Д', Script::Latin), None);
        assert_eq!(look_alike('的', Script::Latin), None);
        for (latin, cyrillic, greek) in LOOK_ALIKES {
            assert_eq!(script(*latin), Script::Latin);
            assert!(cyrillic.is_none_or(|c| script(c) == Script::Cyrillic));
            assert!(greek.is_none_or(|c| script(c) == Script::Greek));
        }
    }
}
