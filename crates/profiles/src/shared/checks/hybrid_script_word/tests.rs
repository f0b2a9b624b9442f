//! Tests of the decision table.

use redraft_gate::profile::GateProfile as _;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;

use crate::lesson::Lesson;

use super::*;

fn context(leading: &str) -> Context {
    let text = match leading {
        "ru" => "Вода кипит при ста градусах, если давление обычное, и пар поднимается вверх.",
        "uk" => "Вода кипить при ста градусах, якщо тиск звичайний, і пара піднімається вгору.",
        "sr" => "Вода кључа на сто степени, а пара се диже увис и нестаје, јер је лака.",
        "bg" => "Водата кипи при сто градуса, ако налягането е обикновено, и парата се издига.",
        "el" => "Το νερό βράζει στους εκατό βαθμούς και ο ατμός ανεβαίνει προς τα πάνω.",
        "he" => "המים רותחים במאה מעלות והאדים עולים למעלה אל התקרה של החדר הקטן.",
        "ar" => "يغلي الماء عند مئة درجة ويتصاعد البخار إلى الأعلى في الغرفة الصغيرة.",
        "hi" => "पानी सौ डिग्री पर उबलता है और भाप ऊपर उठती है, फिर ठंडी होकर गिरती है।",
        "ko" => "물은 백 도에서 끓고 증기가 위로 올라가며 다시 식으면 물방울이 되어 떨어집니다.",
        "ja" => "水は百度で沸騰し、水蒸気が上に昇り、冷えると再び水滴になって落ちてきます。",
        "zh" => "水在一百度时沸腾，水蒸气向上升起，冷却后又变成水滴落下来，这就是循环的过程。",
        _ => "Water boils at a hundred degrees, and the steam rises to the ceiling of the room.",
    };
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
    Context::of(&Lesson.parse(raw, None)).expect("enough letters")
}

fn decide(text: &str, leading: &str) -> Option<Meant> {
    let context = context(leading);
    let mut found = Vec::new();
    mixed_words(text, |word| found.extend(meant(text, &word, &context)));
    found.first().copied()
}

const CYRILLIC: Meant = Meant::Certain(Script::Cyrillic);
const LATIN: Meant = Meant::Certain(Script::Latin);

#[test]
fn letters_that_look_alike_are_told_apart_by_those_that_do_not() {
    for (text, leading, expected) in [
        ("в мoре", "ru", CYRILLIC),
        ("Bода", "ru", CYRILLIC),
        ("нa", "ru", CYRILLIC),
        ("свiт", "uk", CYRILLIC),
        ("eлектроснабдяване", "bg", CYRILLIC),
        ("systеm", "en", LATIN),
        ("systеm", "ru", LATIN),
        ("ХIХ", "ru", LATIN),
        ("Ηello", "en", LATIN),
        ("使用Prоcreate手绘", "zh", LATIN),
        ("Gорје", "sr", Meant::Likely(Script::Latin)),
        ("сServer", "ru", Meant::Likely(Script::Latin)),
        ("cор", "ru", Meant::Either(Script::Latin, Script::Cyrillic)),
        ("caр", "en", Meant::Either(Script::Latin, Script::Cyrillic)),
    ] {
        assert_eq!(decide(text, leading), Some(expected), "{text}");
    }
}

#[test]
fn words_that_change_script_halfway_are_found() {
    for (leading, texts) in [
        ("ru", "Biлет взven навигаator этоintangible програjмма комpьюter infoрмация пoтenциал"),
        ("uk", "навчаnня інфоrмація studентам проgрама"),
        ("bg", "училisте компютrите educация задaчite"),
        ("el", "υπολογιsτής ενέργεiα συstημα μαθηtής"),
        ("he", "מחשbים תלמidים לimודים"),
        ("ar", "الحاsوب المدrسة المعلومaت"),
        ("hi", "टेलिphone विद्याrthी कंप्यूter"),
        ("ko", "컴pu터를"),
        ("ja", "コンpyuターを"),
    ] {
        for text in texts.split(' ') {
            assert!(decide(text, leading).is_some(), "{leading} {text}");
        }
    }
}

#[test]
fn good_mixtures_are_left_alone() {
    for (leading, texts) in [
        ("ru", "SQL-запрос SQLзапрос COMпорт e-mail'ом IT-шник C-образный Pythonа х1 VIPы DJ'и микроSD getИмя API-ключ X-лучи кВт·h 1С С++ HTTPСоединение gitом user_имя файл.txt"),
        ("en", "Δx kΩ μm αβγ ΔT λx μmol TGFβ NFκB α-amylase sinαcosβ Müller naïve"),
        ("el", "Δx kΩ μmol API-κλειδί"),
        ("he", "בPython הAPI ה-API SQLים"),
        ("ar", "الAPI بPython"),
        ("hi", "APIको Windowsका Python-स्क्रिप्ट"),
        ("zh", "机器learning用Python写API接口"),
        ("ko", "Python은 기계learning은 API를 변수x를"),
        ("ja", "機械learningの APIを ボタンのclickを テストdivタグ"),
        ("ru", "ещё й и́"),
    ] {
        for text in texts.split(' ') {
            assert_eq!(decide(text, leading), None, "{leading} {text}");
        }
    }
}

#[test]
fn quantities_with_an_index_are_left_alone() {
    for (leading, text) in [
        ("ru", "температура плавления Tпл металла"),
        ("ru", "удельная теплоёмкость cв воды"),
        ("ru", "где pатм = 100 кПа"),
        ("ru", "сила Hпир · 3"),
        ("ru", "сопротивление Rобщ цепи"),
        ("uk", "кінетична енергія Eк тіла"),
        ("bg", "температура Tк на кипене"),
        ("el", "η δύναμη Tολ = μN"),
        ("he", "האנרגיה Eק של הגוף"),
        ("ar", "الطاقة Eح للجسم"),
    ] {
        assert_eq!(decide(text, leading), None, "{leading} {text}");
    }
    for (leading, text) in [
        ("ru", "длина 5 cм"),
        ("ru", "Bода — это жидкость"),
        ("ru", "Mы идём"),
        ("ru", "cо стола"),
    ] {
        assert!(decide(text, leading).is_some(), "{leading} {text}");
    }
}

#[test]
fn where_some_quantities_are_certain_others_are_believed() {
    let text = "Вода кипит, и пар поднимается вверх: Tпл и Qпл известны, а Eкин и pатм нет.";
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), Hint::Markdown);
    let context = Context::of(&Lesson.parse(raw, None)).unwrap();
    mixed_words(text, |word| {
        assert_eq!(meant(text, &word, &context), None, "{}", word.text);
    });
}

#[test]
fn a_letter_put_in_between_is_not_exchanged() {
    let vocabulary = HashSet::from(["water".to_owned()]);
    assert!(is_insertion("wаater", Script::Latin, &vocabulary));
    assert!(!is_insertion("wаter", Script::Latin, &vocabulary));
}

#[test]
fn a_word_that_can_be_read_either_way_is_exchanged_only_if_the_document_has_it() {
    let either = Meant::Either(Script::Latin, Script::Cyrillic);
    let mut repaired = Vec::new();
    for known in ["сор", "cop", "вода"] {
        let vocabulary = HashSet::from([known.to_owned()]);
        mixed_words("cор", |word| repaired.push(repair(&word, either, &vocabulary)));
    }
    assert_eq!(
        repaired,
        [
            Some((Script::Cyrillic, true)),
            Some((Script::Latin, true)),
            Some((Script::Cyrillic, false)),
        ]
    );
}
