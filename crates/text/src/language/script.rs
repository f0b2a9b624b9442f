//! What the letters of a text alone tell about its language: the script, and
//! letters that only some of the languages of a script write.

use super::families::CYRILLIC;
use super::{Detection, Language, family};
use crate::letters::{is_letter, lower};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Han,
    Kana,
    Arabic,
    Devanagari,
    /// A script that is used by one language.
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
            if is_letter(c) =>
        {
            Script::Latin
        }
        '\u{400}'..='\u{52F}' if is_letter(c) => Script::Cyrillic,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Script::Kana,
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}' => Script::Han,
        '\u{600}'..='\u{6FF}' | '\u{750}'..='\u{77F}' if is_letter(c) => Script::Arabic,
        '\u{900}'..='\u{97F}' if is_letter(c) => Script::Devanagari,
        '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}' => Script::Other("ko"),
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' if is_letter(c) => Script::Other("el"),
        '\u{5D0}'..='\u{5EA}' => Script::Other("he"),
        '\u{531}'..='\u{587}' if is_letter(c) => Script::Other("hy"),
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
#[derive(Default)]
pub(super) struct Letters {
    latin: usize,
    cyrillic: usize,
    rest: Vec<(Script, usize)>,
}

impl Letters {
    pub(super) fn count(sample: &str) -> Self {
        let mut letters = Self::default();
        for c in sample.chars() {
            if c.is_ascii() {
                letters.latin += usize::from(c.is_ascii_alphabetic());
                continue;
            }
            match script(c) {
                None => {}
                Some(Script::Latin) => letters.latin += 1,
                Some(Script::Cyrillic) => letters.cyrillic += 1,
                Some(script) => match letters.rest.iter_mut().find(|(known, _)| *known == script) {
                    Some((_, count)) => *count += 1,
                    None => letters.rest.push((script, 1)),
                },
            }
        }
        letters
    }

    pub(super) fn of(&self, script: Script) -> usize {
        self.counts()
            .find(|(known, _)| *known == script)
            .map_or(0, |(_, count)| count)
    }

    fn counts(&self) -> impl Iterator<Item = (Script, usize)> {
        [
            (Script::Latin, self.latin),
            (Script::Cyrillic, self.cyrillic),
        ]
        .into_iter()
        .chain(self.rest.iter().copied())
    }

    /// The script that carries the text; `None` with too few letters. A Han
    /// character or a syllable of Hangul says as much as several Latin letters,
    /// and Chinese prose about programming is full of Latin names.
    pub(super) fn leading_script(&self) -> Option<Script> {
        let weigh = |script, count| match script {
            Script::Han | Script::Kana => count * 4,
            Script::Other("ko") => count * 3,
            Script::Latin => count,
            _ => count * 2,
        };
        self.counts()
            .map(|(script, count)| (script, weigh(script, count)))
            .max_by_key(|&(_, weight)| weight)
            .filter(|&(_, weight)| weight >= ENOUGH)
            .map(|(script, _)| script)
    }
}

/// The weight of letters from which on a guess is made: two short words.
const ENOUGH: usize = 12;

/// Letters that only some languages in Cyrillic write, counted.
#[derive(Default)]
struct Telling {
    /// ы э ё
    russian: usize,
    /// і ї є ґ ў
    ukrainian: usize,
    /// і alone
    dotted_i: usize,
    /// ў alone
    short_u: usize,
    /// ђ ј љ њ ћ џ
    serbian: usize,
    /// ѓ ќ ѕ
    macedonian: usize,
    /// Letters of Kazakh, Tatar, Bashkir and others.
    turkic: usize,
    /// и
    i: usize,
    hard_signs: usize,
    soft_signs: usize,
    /// ь before о, as Bulgarian writes it.
    soft_before_o: usize,
}

impl Telling {
    fn count(sample: &str) -> Self {
        let mut telling = Self::default();
        let mut previous = ' ';
        for c in sample.chars() {
            let c = lower(c);
            match c {
                'ы' | 'э' | 'ё' => telling.russian += 1,
                'і' => {
                    telling.ukrainian += 1;
                    telling.dotted_i += 1;
                }
                'ў' => {
                    telling.ukrainian += 1;
                    telling.short_u += 1;
                }
                'ї' | 'є' | 'ґ' => telling.ukrainian += 1,
                'ђ' | 'ј' | 'љ' | 'њ' | 'ћ' | 'џ' => telling.serbian += 1,
                'ѓ' | 'ќ' | 'ѕ' => telling.macedonian += 1,
                'ә' | 'ғ' | 'қ' | 'ң' | 'ө' | 'ұ' | 'ү' | 'һ' | 'ҳ' | 'ҷ' | 'ҡ' | 'ҙ' | 'ҫ' =>
                {
                    telling.turkic += 1;
                }
                'и' => telling.i += 1,
                'ъ' => telling.hard_signs += 1,
                'ь' => telling.soft_signs += 1,
                'о' if previous == 'ь' => telling.soft_before_o += 1,
                _ => {}
            }
            previous = c;
        }
        telling
    }
}

/// Letters that only some languages of the script write. Counts decide, so
/// that one quoted foreign word does not.
pub(super) fn by_cyrillic_letters(sample: &str, letters: usize) -> Detection {
    let telling = Telling::count(sample);
    if telling.turkic * 50 > letters {
        return Detection::NONE;
    }
    // A passage in a neighbour's language does not make the whole text one in it.
    let is_rare = |count: usize, percent: usize| count * 100 <= letters * percent;
    // Bulgarian writes ъ in every line, and ь only before о.
    let soft_signs = telling.soft_signs.saturating_sub(telling.soft_before_o);
    let is_bulgarian = telling.hard_signs > 1
        && !is_rare(telling.hard_signs, 1)
        && telling.russian.max(soft_signs) * 2 <= telling.hard_signs
        && is_rare(telling.ukrainian, 4)
        && is_rare(telling.serbian + telling.macedonian, 3);
    if is_bulgarian {
        return Detection::of("bg", letters >= 40);
    }
    // Russian and Ukrainian write и in every other word, Belarusian never.
    let writes_belarusian = telling.short_u > 0
        || telling.russian > 0 && telling.i * 8 <= telling.dotted_i + telling.russian;
    let is_ukrainian = !is_rare(telling.ukrainian, 4)
        || telling.russian == 0 && telling.serbian <= telling.ukrainian
        || writes_belarusian && telling.ukrainian * 12 > telling.russian;
    if telling.ukrainian > 0 && is_ukrainian {
        let code = if writes_belarusian { "be" } else { "uk" };
        return Detection::of(code, true);
    }
    if telling.serbian + telling.macedonian > telling.russian {
        let code = if telling.macedonian > 0 { "mk" } else { "sr" };
        return Detection::of(code, true);
    }
    if telling.i == 0 && letters >= 80 {
        return Detection::of("be", false);
    }
    if telling.russian > 0 {
        return Detection::of("ru", letters >= 40 || telling.russian > 1);
    }
    // One ъ may be Russian ("объяснил"); Bulgarian has it in every line.
    if telling.hard_signs > 1 && telling.hard_signs * 100 > letters * 2 {
        return Detection::of("bg", letters >= 40);
    }
    // Bulgarian writes ь only before о, Serbian and Macedonian not at all.
    if telling.soft_signs > telling.soft_before_o {
        return Detection::of("ru", telling.soft_signs > 1);
    }
    // Russian without a single ы, э, ё or ь is a guess, however many words agree.
    let found = family::by_words(sample, &CYRILLIC, letters);
    match found.language {
        None if letters < 80 => Detection::of("ru", false),
        language => Detection {
            reliable: found.reliable && language != Some(Language::RU),
            ..found
        },
    }
}

/// Urdu and Persian have letters that Arabic lacks, and Persian writes two others
/// with characters of its own. Counts decide, so that a foreign name does not.
pub(super) fn by_arabic_letters(sample: &str) -> Detection {
    let count = |set: &str| sample.chars().filter(|c| set.contains(*c)).count();
    let letters = sample
        .chars()
        .filter(|c| script(*c) == Some(Script::Arabic))
        .count();
    let (urdu, persian, arabic) = (count("ٹڈڑںےہھ"), count("پچژگیک"), count("يكةىؤ"));
    let code = if urdu * 20 > letters {
        "ur"
    } else if persian > arabic {
        "fa"
    } else {
        "ar"
    };
    Detection::of(code, letters >= 30)
}
