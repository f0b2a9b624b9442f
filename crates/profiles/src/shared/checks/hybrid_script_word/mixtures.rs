//! Which mixtures of scripts are good: abbreviations and names with an ending,
//! prefixes of Hebrew and Arabic, Latin words in Chinese text, symbols of science,
//! identifiers.
//!
//! | mixture | good |
//! |---|---|
//! | an abbreviation in capitals and a part with small letters | `VIPы`, `SQLзапрос`, `микроSD`, `הAPI` |
//! | a Latin word and an ending of the language | `Pythonом`, `Windowsका`, `Pythonல்` |
//! | a prefix of the language and a Latin word | `בPython`, `الAPI` |
//! | capitals where the script changes | `getИмя`: an identifier |
//! | Latin letters beside Chinese, Japanese, Korean, Thai | `机器learning`; not inside a Korean or katakana word |
//! | a Greek letter or two and Latin letters | `Δx`, `μmol`, `TGFβ`; not inside a Latin word |

use std::ops::Range;

use redraft_text::scripts::{Script, script};

use super::word::{MixedWord, ScriptRun};
use crate::shared::home_script::{HomeScript, is_unspaced};

/// Whether a word is good as it is, whatever its letters look like.
pub(super) fn is_good(word: &MixedWord<'_>, home: &HomeScript) -> bool {
    let latin = || word.parts.iter().filter(|part| part.script == Script::Latin);
    match word.parts.as_slice() {
        [first, second] => {
            is_abbreviation_and_word(first, second)
                || is_abbreviation_and_word(second, first)
                || has_capital_between(first, second)
                || first.script == Script::Latin && is_name_with_ending(first, second, home)
                || second.script == Script::Latin && is_prefix(first)
        }
        // A prefix, an abbreviation and an ending.
        [first, _, _] if first.script != Script::Latin => {
            is_prefix(first) && latin().all(|part| part.letters() > 1 && part.is_upper())
        }
        _ => false,
    }
}

/// Whether a word that no exchange of letters mends is a hybrid.
pub(super) fn is_hybrid(word: &MixedWord<'_>, home: &HomeScript) -> bool {
    let Some([a, b]) = word.scripts else {
        return false;
    };
    match (a, b) {
        (Script::Latin, Script::Cyrillic) => true,
        (_, Script::Greek) => is_hybrid_with_greek(word, home),
        (Script::Latin, Script::Han) => is_broken_by_latin(word),
        (Script::Latin, other) => !is_unspaced(other),
        _ => false,
    }
}

fn is_abbreviation_and_word(abbreviation: &ScriptRun<'_>, word: &ScriptRun<'_>) -> bool {
    let has_case = matches!(
        word.script,
        Script::Latin | Script::Cyrillic | Script::Greek | Script::Armenian
    );
    abbreviation.letters() > 1
        && abbreviation.is_upper()
        && (!has_case || word.text.chars().any(char::is_lowercase))
        // Half a word in capitals is no abbreviation of Russian or Greek.
        && (abbreviation.script == Script::Latin || abbreviation.letters() <= 4)
}

/// `getИмя`, `ФайлExcel`: where the script changes a word begins, as in the names
/// of programs.
fn has_capital_between(first: &ScriptRun<'_>, second: &ScriptRun<'_>) -> bool {
    first.letters() > 1
        && second.letters() > 1
        && first.text.ends_with(char::is_lowercase)
        && second.text.starts_with(char::is_uppercase)
}

fn is_name_with_ending(name: &ScriptRun<'_>, ending: &ScriptRun<'_>, home: &HomeScript) -> bool {
    if home.leading != ending.script || name.letters() < 2 {
        return false;
    }
    let is_in = |list: &str| list.split(' ').any(|known| known == ending.text);
    match ending.script {
        Script::Cyrillic => is_in(CYRILLIC_ENDINGS),
        Script::Devanagari => is_in(DEVANAGARI_ENDINGS),
        Script::Hebrew => is_in("ים ות י ית"),
        Script::Arabic => is_in("ات ية ي"),
        // They add endings to any word.
        Script::Tamil
        | Script::Telugu
        | Script::Kannada
        | Script::Malayalam
        | Script::Sinhala
        | Script::Bengali
        | Script::Georgian
        | Script::Armenian
        | Script::Mongolian => name.letters() > 2 && ending.letters() <= 8,
        _ => false,
    }
}

/// Cases and articles of Russian, Ukrainian, Bulgarian and their neighbours.
const CYRILLIC_ENDINGS: &str = "а у ю я е и ы о й ом ем ам ям ах ях ой ей ов ев ами ями ого ему ому ым им ых их ую ый ий ая ое ые і ї ою ею ові еві ів ът ят та то те ите ове ова ка ки ку ке ком";

/// Postpositions of Hindi, Marathi and Nepali.
const DEVANAGARI_ENDINGS: &str =
    "का की के को में से पर ने तक वाला वाली वाले ों स चा ची चे ला मध्ये मा ले";

/// Prepositions, articles and conjunctions that are written before the next word
/// without a space.
fn is_prefix(part: &ScriptRun<'_>) -> bool {
    let prefixes = match part.script {
        Script::Hebrew => "ה ב ל מ ש ו כ בה וה לה מה שה כש מש וב ול ומ וש שב של וכש שבה",
        Script::Arabic => "ال بال وال لل فال كال وبال و ب ل ف ك س",
        Script::Ethiopic => "የ በ ለ ከ እ ወ ስለ",
        _ => return false,
    };
    prefixes.split(' ').any(|prefix| prefix == part.text)
}

/// Greek letters are symbols; three of them are a word. A single one inside a
/// Latin word in small letters stands for another letter.
fn is_hybrid_with_greek(word: &MixedWord<'_>, home: &HomeScript) -> bool {
    const FUNCTIONS: [&str; 7] = ["sin", "cos", "tan", "cot", "log", "exp", "lim"];
    let greek = word.letters(Script::Greek).count();
    let others = word.letter_count() - greek;
    let has_small = |part: &ScriptRun<'_>| part.text.chars().any(char::is_lowercase);
    let parts = || word.parts.iter();
    if greek > 2 {
        return parts().all(has_small);
    }
    if greek == 2 && home.leading == Script::Greek {
        return others > 1 && parts().all(has_small);
    }
    let inside = word.parts.windows(3).any(|three| {
        three[1].script == Script::Greek
            && three[0].text.ends_with(char::is_lowercase)
            && three[2].text.starts_with(char::is_lowercase)
    });
    inside && others > 3 && !FUNCTIONS.iter().any(|name| word.text.contains(name))
}

/// `컴pu터`, `コンpyuター`: a few small Latin letters inside a word of a syllabary.
fn is_broken_by_latin(word: &MixedWord<'_>) -> bool {
    word.parts.windows(3).any(|three| {
        let [before, latin, after] = three else {
            return false;
        };
        latin.script == Script::Latin
            && (2..=4).contains(&latin.letters())
            && latin.is_lower()
            && !NAMES_IN_CODE.split(' ').any(|name| name == latin.text)
            && is_inside_syllables(before, after)
    })
}

/// Short names that lessons about programs put between syllables.
const NAMES_IN_CODE: &str = "id div img url css php sql git api npm var for if get set put new int str key map app web log bit src xml html json page main user file root node test null true post head body link form data code list text name type font size";

fn is_inside_syllables(before: &ScriptRun<'_>, after: &ScriptRun<'_>) -> bool {
    const PARTICLES: &str = "은는이가을를에의로으와과도만까부처보라란랑나며고께한하되적형등및간별들입였인일임";
    let is_katakana = |c: char| matches!(c, '\u{30A1}'..='\u{30FC}');
    let (Some(last), Some(next)) = (before.text.chars().next_back(), after.text.chars().next())
    else {
        return false;
    };
    is_katakana(last) && is_katakana(next)
        || script(last) == Script::Hangul
            && script(next) == Script::Hangul
            && !PARTICLES.contains(next)
}

/// Whether a word is part of a path, an address, a file name or the like.
pub(super) fn is_identifier(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let mut after = text[range.end..].chars();
    let next = after.next();
    let is_sign = |c: char| matches!(c, '_' | '/' | '\\' | '@' | '=' | '<' | '>' | '{' | '}' | '#' | '$');
    let is_dotted = next == Some('.') && after.next().is_some_and(char::is_alphanumeric);
    let after_dot = before == Some('.')
        && text[..range.start].chars().nth_back(1).is_some_and(char::is_alphanumeric);
    [before, next].into_iter().flatten().any(|c| is_sign(c) || c.is_ascii_digit())
        || is_dotted
        || after_dot
}
