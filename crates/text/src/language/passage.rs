//! Whether a passage is in another language than the text around it. It knows
//! nothing of documents.
//!
//! Nearly every passage is in the right language, and the function words of its
//! beginning show it. The detector, which costs more, is asked only about others.

use super::families::LATIN;
use super::sample::sample;
use super::script::{self, Letters, Script};
use super::{Detection, Language, detect};
use crate::letters::{is_letter, lower};

/// The language of a passage, if it is certainly not `main`, the language of the
/// text around it.
#[must_use]
pub fn differs(passage: &str, main: Language) -> Option<Language> {
    if agrees(glance(passage), main) {
        return None;
    }
    let detection = detect(passage);
    let other = detection.language.filter(|_| detection.reliable)?;
    (other != main && !holds(passage, main, other)).then_some(other)
}

/// The language that a text seems to be in by its script and its function words, without
/// asking the detector about what is in doubt.
#[must_use]
pub fn leading(text: &str) -> Option<Language> {
    let sample = sample(text);
    let script = Letters::count(&sample).leading_script()?;
    match script {
        Script::Latin => LATIN.leader(&sample),
        _ => detect(&sample).language,
    }
}

/// Whether the beginning of a passage is in a language, as far as a glance can tell: no
/// such passage [differs](differs) from it.
#[must_use]
pub fn is_clearly(passage: &str, main: Language) -> bool {
    agrees(glance(passage), main)
}

fn glance(passage: &str) -> &str {
    &passage[..passage.floor_char_boundary(passage.len().min(GLANCE))]
}

/// Bytes of a passage that show its language in most cases.
const GLANCE: usize = 240;

/// Whether nothing speaks against the language.
fn agrees(glance: &str, main: Language) -> bool {
    let letters = Letters::count(glance);
    let Some(script) = letters.leading_script() else {
        return true;
    };
    match script {
        Script::Latin => LATIN.is_led_by(glance, main.as_str()),
        Script::Cyrillic => by_letters(
            script::by_cyrillic_letters(glance, letters.of(script)),
            main,
        ),
        Script::Arabic => by_letters(script::by_arabic_letters(glance), main),
        Script::Devanagari => matches!(main.as_str(), "hi" | "mr" | "ne"),
        Script::Han | Script::Kana => detect(glance).language == Some(main),
        Script::Other(code) => code == main.as_str(),
    }
}

fn by_letters(detection: Detection, main: Language) -> bool {
    detection.language == Some(main)
}

/// Whether a passage is partly in `main`: it mixes the two languages.
fn holds(passage: &str, main: Language, other: Language) -> bool {
    let sample = sample(passage);
    let letters = Letters::count(&sample);
    let Some(leading) = letters.leading_script() else {
        return true;
    };
    match script_of(main) {
        // Latin words and names are good in any language.
        Some(Script::Latin) if leading != Script::Latin => {
            LATIN.points_of(&sample, main.as_str()) > letters.of(Script::Latin).max(48)
        }
        Some(Script::Latin) => {
            let points = |language: Language| LATIN.points_of(&sample, language.as_str());
            points(main) * 4 > points(other) * 3
        }
        // Japanese is written with Chinese characters.
        Some(Script::Han | Script::Kana) if matches!(leading, Script::Han | Script::Kana) => false,
        Some(own) if own != leading => letters.of(own) * 5 > letters.of(leading),
        _ => false,
    }
}

/// The script of a language, as far as it is needed here.
fn script_of(language: Language) -> Option<Script> {
    let code = language.as_str();
    Some(match code {
        "ru" | "uk" | "be" | "bg" | "sr" | "mk" => Script::Cyrillic,
        "zh" => Script::Han,
        "ja" => Script::Kana,
        "ar" | "fa" | "ur" => Script::Arabic,
        "hi" | "mr" | "ne" => Script::Devanagari,
        _ if LATIN.knows(code) => Script::Latin,
        _ => return None,
    })
}

/// Whether a text in `main` has words of `other` in it: two function words in a
/// row that `main` does not have, or a word in another script.
#[must_use]
pub fn mentions(text: &str, other: Language, main: Language) -> bool {
    let (wanted, own) = (script_of(other), script_of(main));
    if let Some(Script::Latin) = wanted {
        return has_two_words(text, other, main);
    }
    let letters = Letters::count(text);
    if wanted == own {
        return wanted == Some(Script::Cyrillic)
            && script::by_cyrillic_letters(text, letters.of(Script::Cyrillic))
                == Detection::of(other.as_str(), true);
    }
    match (wanted, own) {
        // Both are written with Chinese characters.
        (Some(Script::Han), Some(Script::Kana)) => return false,
        (Some(Script::Kana), Some(Script::Han)) => return letters.of(Script::Kana) > 0,
        _ => {}
    }
    match wanted {
        Some(Script::Kana) => letters.of(Script::Kana) + letters.of(Script::Han) > 0,
        Some(wanted) => letters.of(wanted) > 1,
        None => letters.of(leading_alone(other)) > 1,
    }
}

/// The script that only this language uses.
fn leading_alone(language: Language) -> Script {
    ALONE
        .iter()
        .find(|code| **code == language.as_str())
        .map_or(Script::Latin, |code| Script::Other(code))
}

const ALONE: [&str; 18] = [
    "ko", "el", "he", "hy", "ka", "th", "lo", "km", "my", "bn", "pa", "gu", "ta", "te", "kn", "ml",
    "si", "am",
];

fn has_two_words(text: &str, other: Language, main: Language) -> bool {
    let mut in_a_row = 0;
    let mut word = String::new();
    for written in text
        .split(|c: char| !is_letter(c))
        .filter(|word| !word.is_empty())
    {
        word.clear();
        word.extend(written.chars().map(lower));
        let is_theirs =
            LATIN.has_word(&word, other.as_str()) && !LATIN.has_word(&word, main.as_str());
        in_a_row = if is_theirs { in_a_row + 1 } else { 0 };
        if in_a_row == 2 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSAGES: [(&str, &str); 18] = [
        (
            "en",
            "Plants need light, and without it they cannot make their food. They also need water from the soil.",
        ),
        (
            "de",
            "Pflanzen brauchen Licht, ohne das sie keine Nahrung herstellen können. Sie brauchen auch Wasser aus dem Boden.",
        ),
        (
            "nl",
            "Planten hebben licht nodig om hun eigen voedsel te maken. Ze hebben ook water uit de bodem nodig.",
        ),
        (
            "fr",
            "Les plantes ont besoin de lumière pour fabriquer leur nourriture. Elles ont aussi besoin de l'eau du sol.",
        ),
        (
            "es",
            "Las plantas necesitan luz y sin ella no pueden producir su alimento. También necesitan el agua del suelo.",
        ),
        (
            "pt",
            "As plantas precisam de luz e sem ela não podem produzir o seu alimento. Também precisam da água do solo.",
        ),
        (
            "it",
            "Le piante hanno bisogno di luce per produrre il loro nutrimento. Hanno bisogno anche dell'acqua del suolo.",
        ),
        (
            "pl",
            "Rośliny potrzebują światła, bez którego nie mogą się rozwijać. Potrzebują także wody z gleby.",
        ),
        (
            "ru",
            "Растениям нужен свет, без него они не могут создавать пищу. Ещё им нужна вода из почвы.",
        ),
        (
            "uk",
            "Рослинам потрібне світло, без нього вони не можуть жити. Ще їм потрібна вода з ґрунту.",
        ),
        (
            "bg",
            "Растенията се нуждаят от светлина, за да произвеждат храната си. Нужна им е също вода от почвата, която поглъщат.",
        ),
        (
            "zh",
            "植物需要阳光，没有阳光它们就无法制造食物。它们还需要土壤里的水分。",
        ),
        (
            "ja",
            "植物は光がなければ食べ物を作ることができません。土の中の水も必要です。",
        ),
        (
            "ko",
            "식물은 빛이 없으면 양분을 만들 수 없습니다. 흙 속의 물도 필요합니다.",
        ),
        (
            "ar",
            "تحتاج النباتات إلى الضوء، ومن دونه لا تستطيع أن تصنع غذاءها. وهي تحتاج أيضا إلى ماء التربة.",
        ),
        (
            "he",
            "צמחים זקוקים לאור, ובלעדיו אינם יכולים לייצר את מזונם. הם זקוקים גם למים מן האדמה.",
        ),
        (
            "el",
            "Τα φυτά χρειάζονται φως και χωρίς αυτό δεν μπορούν να φτιάξουν την τροφή τους. Χρειάζονται και νερό.",
        ),
        (
            "hi",
            "पौधों को प्रकाश की आवश्यकता होती है और उसके बिना वे अपना भोजन नहीं बना सकते। उन्हें पानी भी चाहिए।",
        ),
    ];

    #[test]
    fn a_passage_differs_from_every_language_but_its_own() {
        for (code, passage) in PASSAGES {
            for (main, _) in PASSAGES {
                let main = Language::parse(main).expect("a language");
                let expected = Language::parse(code).filter(|language| *language != main);
                assert_eq!(differs(passage, main), expected, "{code} in {main}");
            }
        }
    }

    #[test]
    fn names_lists_and_mixtures_do_not_differ() {
        for (passage, main) in [
            (
                "JavaScript, TypeScript, PostgreSQL, Kubernetes, Docker, Git, Linux",
                "ru",
            ),
            (
                "Johann Sebastian Bach, Wolfgang Amadeus Mozart und Ludwig van Beethoven",
                "en",
            ),
            (
                "The German sentence das Haus ist groß und der Hund ist nicht klein means that the house is big and the dog is not small",
                "en",
            ),
            (
                "Команда git commit -m записывает изменения, а git push отправляет их на сервер",
                "ru",
            ),
            (
                "使用 JavaScript 的 addEventListener 方法来监听点击事件",
                "zh",
            ),
        ] {
            let main = Language::parse(main).expect("a language");
            assert_eq!(differs(passage, main), None, "{passage}");
        }
    }

    #[test]
    fn words_of_another_language_in_a_sentence_are_mentions() {
        let (en, fr, ru) = (Language::EN, Language::FR, Language::RU);
        assert!(mentions("Ask: où est la gare?", fr, en));
        assert!(mentions("The word Москва has two vowels.", ru, en));
        assert!(!mentions("The table has four legs.", fr, en));
        assert!(!mentions("The table has four legs.", ru, en));
    }
}
