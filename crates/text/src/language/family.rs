//! Telling languages of one script apart by their frequent words, endings and
//! letters. whatlang, which is slow and weak on short texts, is asked only where
//! these leave doubt.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use whatlang::{Detector, Lang};

use super::{Detection, Language};
use crate::letters::{is_letter, lower};

/// Languages of one script with the words and spellings that tell them apart.
pub(super) struct Family {
    codes: Vec<&'static str>,
    /// Those of them that whatlang is asked about.
    candidates: Vec<Lang>,
    words: FxHashMap<&'static str, u64>,
    /// By their last two bytes, the longest first.
    endings: FxHashMap<[u8; 2], Vec<(&'static str, u64)>>,
    letters: FxHashMap<char, u64>,
}

impl Family {
    pub(super) fn new(
        words: &[(&'static str, &'static str)],
        endings: &[(&'static str, &'static str)],
        letters: &[(&'static str, &'static str)],
    ) -> Self {
        let codes: Vec<&'static str> = words.iter().map(|&(code, _)| code).collect();
        let bits = |list: &str| {
            list.split(' ')
                .filter_map(|code| codes.iter().position(|&known| known == code))
                .fold(0, |all, index| all | 1u64 << index)
        };
        let mut family = Self {
            words: FxHashMap::default(),
            endings: FxHashMap::default(),
            letters: FxHashMap::default(),
            candidates: Vec::new(),
            codes: Vec::new(),
        };
        for (code, list) in words {
            for word in list.split_whitespace() {
                *family.words.entry(word).or_default() |= bits(code);
            }
        }
        for (codes, list) in endings {
            for ending in list.split_whitespace() {
                let Some(last) = ending.as_bytes().last_chunk() else {
                    continue;
                };
                let alike = family.endings.entry(*last).or_default();
                match alike.iter_mut().find(|(known, _)| *known == ending) {
                    Some((_, known)) => *known |= bits(codes),
                    None => alike.push((ending, bits(codes))),
                }
            }
        }
        for alike in family.endings.values_mut() {
            alike.sort_by_key(|(ending, _)| Reverse(ending.len()));
        }
        for (codes, list) in letters {
            for letter in list.chars().filter(|c| !c.is_whitespace()) {
                *family.letters.entry(letter).or_default() |= bits(codes);
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
        let mut points: Vec<u32> = self.codes.iter().map(|code| head_start(code)).collect();
        let mut total = 0;
        let mut word = String::new();
        for written in sample
            .split(|c: char| !is_letter(c))
            .filter(|word| !word.is_empty())
        {
            // A lone capital is an initial or a label, not a function word.
            if written.len() <= 2 && written.chars().all(char::is_uppercase) {
                continue;
            }
            word.clear();
            if written.is_ascii() {
                word.push_str(written);
                word.make_ascii_lowercase();
            } else {
                word.extend(written.chars().map(lower));
            }
            total += 1;
            if let Some(&bits) = self.words.get(word.as_str()) {
                share(&mut points, bits, 24);
            } else if let Some(bits) = self.ending(&word) {
                share(&mut points, bits, 12);
            }
            if word.is_ascii() {
                continue;
            }
            let telling = word
                .chars()
                .filter(|c| !c.is_ascii())
                .find_map(|c| self.letters.get(&c));
            if let Some(&bits) = telling {
                share(&mut points, bits, 14);
            }
        }
        let questions = if sample.is_ascii() { "" } else { sample };
        for c in questions.chars().filter(|c| matches!(c, '¿' | '¡')) {
            if let Some(&bits) = self.letters.get(&c) {
                share(&mut points, bits, 24);
            }
        }
        (points, total)
    }

    /// The languages whose ending a word of some length has.
    fn ending(&self, word: &str) -> Option<u64> {
        let last = word.as_bytes().last_chunk()?;
        self.endings
            .get(last)?
            .iter()
            .find(|(ending, _)| word.len() > ending.len() + 2 && word.ends_with(ending))
            .map(|&(_, bits)| bits)
    }

    /// Whether no language has more points than this one; `false` for languages of
    /// other families.
    pub(super) fn is_led_by(&self, sample: &str, code: &str) -> bool {
        let Some(index) = self.index(code) else {
            return false;
        };
        let (points, _) = self.score(sample);
        points.get(index) == points.iter().max()
    }

    /// The language with the most points, if it is the only one.
    pub(super) fn leader(&self, sample: &str) -> Option<Language> {
        let (points, _) = self.score(sample);
        let most = points.iter().max()?;
        let mut leaders = self
            .codes
            .iter()
            .zip(&points)
            .filter(|(_, points)| *points == most);
        let (code, _) = leaders.next()?;
        leaders
            .next()
            .is_none()
            .then(|| Language::from_code(code))?
    }

    /// The points of one language; none if it is of another family.
    pub(super) fn points_of(&self, sample: &str, code: &str) -> usize {
        let (points, _) = self.score(sample);
        let own = self.index(code).and_then(|index| points.get(index));
        own.map_or(0, |points| *points as usize)
    }

    pub(super) fn knows(&self, code: &str) -> bool {
        self.index(code).is_some()
    }

    pub(super) fn has_word(&self, word: &str, code: &str) -> bool {
        let bits = self.words.get(word).copied().unwrap_or_default();
        self.index(code).is_some_and(|index| bits >> index & 1 == 1)
    }

    fn index(&self, code: &str) -> Option<usize> {
        self.codes.iter().position(|known| *known == code)
    }

    fn code_at(&self, index: usize) -> &'static str {
        self.codes.get(index).copied().unwrap_or_default()
    }
}

/// What a language has before a word is read: less than half a function word,
/// for those that lessons are mostly written in. Russian also often comes
/// without its telling letters.
fn head_start(code: &str) -> u32 {
    match code {
        "ru" => 14,
        "en" | "de" | "es" | "fr" | "pt" => 10,
        _ => 0,
    }
}

/// A word that several languages share says less about each of them.
fn share(points: &mut [u32], bits: u64, worth: u32) {
    let each = match bits.count_ones() {
        0 | 1 => worth,
        2 => worth * 2 / 3,
        3 => worth / 2,
        _ => worth / 3,
    };
    let mut left = bits;
    while left != 0 {
        if let Some(points) = points.get_mut(left.trailing_zeros() as usize) {
            *points += each;
        }
        left &= left - 1;
    }
}

/// Decides by counted words, and asks whatlang where they leave doubt.
pub(super) fn by_words(sample: &str, family: &Family, letters: usize) -> Detection {
    let (mut points, words) = family.score(sample);
    let (best, top, second) = leader(family, &points);
    // Prose has a function word in every second or third word, about 8 points
    // a word; names and lists fall far below, and so do languages without a
    // list, which share a word with some language here by chance.
    let supported = |top: u32| top >= words * 2;
    if top >= 72 && top * 2 >= second * 3 && top >= words * 4 {
        return Detection::of(family.code_at(best), letters >= 30);
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
    let (best, top, second) = leader(family, &points);
    if top == second || top < 24 || !supported(top) {
        return Detection::NONE;
    }
    let agreed = code == family.code_at(best) || top * 2 >= second * 3;
    let reliable = letters >= 30 && top >= 72 && top * 5 >= second * 6 && agreed;
    Detection::of(family.code_at(best), reliable)
}

/// The best index, its points, and the points of the next best that is no near
/// relative of it.
fn leader(family: &Family, points: &[u32]) -> (usize, u32, u32) {
    let (mut best, mut top) = (0, 0);
    for (index, &points) in points.iter().enumerate() {
        if points > top {
            (best, top) = (index, points);
        }
    }
    let is_rival =
        |index: usize| index != best && !are_relatives(family.code_at(best), family.code_at(index));
    let rivals = points
        .iter()
        .enumerate()
        .filter(|(index, _)| is_rival(*index));
    (
        best,
        top,
        rivals.map(|(_, points)| *points).max().unwrap_or_default(),
    )
}

/// Languages that share nearly all their function words. A text is reliably in one
/// of them, though which one may be in doubt.
fn are_relatives(a: &str, b: &str) -> bool {
    const RELATIVES: [[&str; 2]; 3] = [["id", "ms"], ["da", "no"], ["cs", "sk"]];
    RELATIVES
        .iter()
        .any(|pair| pair.contains(&a) && pair.contains(&b))
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
