//! The words by which components and numbers are named, in the languages we read, and
//! where a text has them. Knows no document.

use redraft_gate::content::ComponentKind;

/// What can be named by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Section,
    Card,
    Question,
    Part(ComponentKind),
}

/// Words by their beginnings, in the languages we read; Chinese ones as they are.
const KINDS: &[(Kind, &str)] = &[
    (
        Kind::Section,
        "section|sec|part|chapter|раздел|секци|глав|част|параграф|abschnitt|\
         kapitel|teil|sección|seccion|apartado|parte|capítulo|capitulo|partie|\
         chapitre|seção|secao|节|節|章|部分",
    ),
    (
        Kind::Card,
        "card|карточк|karte|tarjeta|ficha|carte|fiche|cartão|卡片",
    ),
    (
        Kind::Question,
        "item|question|вопрос|frage|pregunta|questão|题|題",
    ),
    (
        Kind::Part(ComponentKind::Example),
        "example|пример|beispiel|ejemplo|exemple|exemplo|示例|例子|案例",
    ),
    (
        Kind::Part(ComponentKind::Exercise),
        "exercise|task|упражнени|задани|задач|übung|aufgabe|ejercicio|tarea|\
         exercice|exercício|练习|練習|作业",
    ),
    (
        Kind::Part(ComponentKind::Introduction),
        "introduction|intro|introductory|opening|введени|вступлени|einleitung|\
         einführung|introducción|introduccion|introdução|引言|简介|介绍|导言|前言",
    ),
    (
        Kind::Part(ComponentKind::Conclusion),
        "conclusion|concluding|summary|closing|заключени|вывод|итог|fazit|\
         zusammenfassung|schluss|conclusión|resumen|résumé|conclusão|总结|结论|小结|\
         结语",
    ),
    (
        Kind::Part(ComponentKind::AnswerKey),
        "key|ключ|lösung|clave|corrigé|答案",
    ),
    (
        Kind::Part(ComponentKind::Explanation),
        "explanation|rationale|объяснени|пояснени|обосновани|erklärung|\
         begründung|explicación|explication|解释|解析",
    ),
    (
        Kind::Part(ComponentKind::Options),
        "option|distractor|choice|answer|вариант|дистрактор|ответ|antwort|\
         opción|opcion|opciones|distractor|réponse|选项",
    ),
    (
        Kind::Part(ComponentKind::Vignette),
        "vignette|case|scenario|виньетк|случа|fallbeispiel|viñeta|caso|cas|病例",
    ),
    (
        Kind::Part(ComponentKind::Stem),
        "stem|lead|основ|stamm|enunciado|énoncé|题干",
    ),
    (Kind::Part(ComponentKind::Meta), "meta|metadata|template"),
];

/// The kind named at a token, and over how many tokens. Of several the longest.
pub(super) fn kind_at(words: &[String], at: usize) -> Option<(Kind, usize)> {
    // What an ending may add to a stem.
    const ENDING: usize = 4;
    let mut best: Option<(usize, Kind, usize)> = None;
    for (kind, names) in KINDS {
        for name in names.split('|') {
            let length = if name.chars().all(is_wide) {
                let matches = name.chars().enumerate().all(|(offset, c)| {
                    words
                        .get(at + offset)
                        .is_some_and(|word| word.chars().eq(std::iter::once(c)))
                });
                matches.then(|| name.chars().count())
            } else {
                words
                    .get(at)
                    .and_then(|word| word.strip_prefix(name))
                    .filter(|ending| ending.chars().count() <= ENDING)
                    // "Partial" is no part, "cases" are, "casual" is not.
                    .filter(|ending| {
                        name.len() > 4 || matches!(*ending, "" | "s" | "и" | "ь" | "а" | "е" | "n")
                    })
                    .map(|_| 1)
            };
            if let Some(length) = length
                && best.is_none_or(|(known, _, _)| name.len() > known)
            {
                best = Some((name.len(), *kind, length));
            }
        }
    }
    best.map(|(_, kind, length)| (kind, length))
}

/// A kind with the number beside it.
pub(super) struct Mention {
    pub(super) kind: Kind,
    pub(super) number: Option<usize>,
}

pub(super) fn mentions(words: &[String]) -> Vec<Mention> {
    const AFTER: &[&str] = &[
        "no",
        "nr",
        "number",
        "num",
        "n",
        "номер",
        "número",
        "numéro",
    ];
    const BEFORE: &[&str] = &[
        "st", "nd", "rd", "th", "й", "я", "е", "ая", "ый", "ой", "er", "re", "e", "ème", "eme",
        "个", "张", "道", "小", "大",
    ];
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some((kind, length)) = kind_at(words, at) else {
            at += 1;
            continue;
        };
        // An answer key is no answer.
        if matches!(
            kind_at(words, at + length),
            Some((Kind::Part(ComponentKind::AnswerKey), _))
        ) {
            at += length;
            continue;
        }
        let is = |index: usize, list: &[&str]| {
            words
                .get(index)
                .is_some_and(|word| list.contains(&word.as_str()))
        };
        let mut next = at + length;
        if is(next, AFTER) {
            next += 1;
        }
        let mut previous = at.checked_sub(1);
        if previous.is_some_and(|index| is(index, BEFORE)) {
            previous = at.checked_sub(2);
        }
        let number_at = |index: usize| words.get(index).and_then(|word| number(word));
        found.push(Mention {
            kind,
            number: number_at(next).or_else(|| previous.and_then(number_at)),
        });
        at += length;
    }
    found
}

/// Numbers in words, by their beginnings, from one to ten.
const NUMERALS: [&str; 10] = [
    "first|one|перв|один|erste|eins|primer|uno|premi|一",
    "second|two|втор|два|zweit|zwei|segund|dos|deuxi|deux|二|两",
    "third|three|трет|три|dritt|drei|tercer|tres|troisi|trois|三",
    "fourth|four|четверт|четвёрт|четыре|viert|vier|cuart|cuatro|quatr|四",
    "fifth|five|пят|fünf|quint|cinco|cinqui|cinq|五",
    "sixth|six|шест|sechs|sext|seis|sixi|六",
    "seventh|seven|седьм|семь|sieb|séptim|siete|septi|sept|七",
    "eighth|eight|восьм|восемь|acht|octav|ocho|huiti|huit|八",
    "ninth|nine|девят|neunt|neun|noven|nueve|neuvi|neuf|九",
    "tenth|ten|десят|zehn|décim|diez|dixi|dix|十",
];

pub(super) fn number(word: &str) -> Option<usize> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().ok();
    }
    let roman = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];
    if let Some(at) = roman.iter().position(|numeral| *numeral == word) {
        return Some(at + 1);
    }
    let longest = |names: &str| {
        names
            .split('|')
            .filter(|name| match name.chars().count() {
                0..=3 => word == *name,
                length => word.starts_with(*name) && word.chars().count() <= length + 4,
            })
            .map(str::len)
            .max()
    };
    NUMERALS
        .iter()
        .enumerate()
        .filter_map(|(index, names)| Some((longest(names)?, index + 1)))
        .max()
        .map(|(_, number)| number)
}

/// Words in lower case, letters and digits apart, Chinese character by character.
pub(super) fn tokens(text: &str) -> Vec<String> {
    #[derive(PartialEq)]
    enum Class {
        Letter,
        Digit,
        Wide,
        Other,
    }
    let class = |c: char| {
        if is_wide(c) {
            Class::Wide
        } else if c.is_numeric() {
            Class::Digit
        } else if c.is_alphabetic() {
            Class::Letter
        } else {
            Class::Other
        }
    };
    let mut words: Vec<String> = Vec::new();
    let mut last = Class::Other;
    for c in text.chars() {
        let here = class(c);
        if here != Class::Other {
            let goes_on = here == last && here != Class::Wide;
            match words.last_mut() {
                Some(word) if goes_on => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = here;
    }
    words
}

pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}
