//! The part that a judge names: by id, by title, by number or by what it is.
//!
//! | named | it is |
//! |---|---|
//! | `sec_2`, `item_4/stem`, also within a longer description | the part with that id |
//! | a title, with or without number, quotation marks and case | the part with that title |
//! | a longer text that holds one title | that part |
//! | `Section 2`, `Раздел 2`, `第2节`, `the second section` | the section whose heading prints that number, else by position among the body sections (ruling 42) |
//! | `card 3`, `question 4` | the card or item whose id has that number, else by position |
//! | `Section 2, exercise 1`, `item 4, option B` | that part of the section or item, else the section or item |
//! | `the introduction`, `заключение` | the introduction, the conclusion |
//! | `option B`, `the stem` | the part of that kind, where there is only one |
//! | words of one title | that part |
//! | anything else | nothing: whoever asks takes the whole |

use crate::content::{Component, ComponentKind, Document};

use super::anchor::fold;

/// The part that is named.
pub(crate) fn resolve<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    // Whoever names a part needs no more than this.
    const LONGEST: usize = 300;
    let named: String = named.chars().take(LONGEST).collect();
    let words = tokens(&named);
    by_id(document, &named)
        .or_else(|| by_title(document, &named))
        .or_else(|| by_number(document, &words))
        .or_else(|| by_kind(document, &words))
        .or_else(|| by_part_of_title(document, &named))
}

fn by_id<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const MOST: usize = 16;
    let named = named.trim().to_lowercase();
    let is_around = |c: char| c.is_whitespace() || ",;:#()[]{}<>\"'`“”«»„=".contains(c);
    let words: Vec<&str> = std::iter::once(named.as_str())
        .chain(
            named
                .split(is_around)
                .map(|word| word.trim_end_matches(['.', '/']))
                // Single letters are articles and options.
                .filter(|word| word.chars().count() > 1),
        )
        .take(MOST)
        .collect();
    // The first word that is an id; the whole has an id, too.
    document
        .components()
        .iter()
        .filter_map(|component| {
            let id = component.id.0.to_lowercase();
            let at = words.iter().position(|word| *word == id)?;
            Some((at, component))
        })
        .min_by_key(|(at, _)| *at)
        .map(|(_, component)| component)
}

/// The part whose title is named, or stands in what is named; of several the one
/// with the longest title, and none where that leaves a doubt.
fn by_title<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const LETTERS: usize = 5;
    const WIDE_LETTERS: usize = 3;
    let wanted = fold(named).text;
    let bare_wanted = bare(&wanted);
    let titled = || {
        document.components().iter().filter_map(|component| {
            let title = fold(component.title.as_deref()?).text;
            (!title.is_empty()).then_some((component, title))
        })
    };
    if let Some((component, _)) = titled().find(|(_, title)| *title == wanted) {
        return Some(component);
    }
    let alike = titled().filter(|(_, title)| !bare_wanted.is_empty() && bare(title) == bare_wanted);
    if let Some(component) = only(alike.map(|(component, _)| component)) {
        return Some(component);
    }
    let mut held: Vec<(usize, &Component)> = titled()
        .filter_map(|(component, title)| {
            let title = bare(&title);
            let letters = title.chars().filter(|c| c.is_alphabetic()).count();
            let is_wide = title.chars().any(is_wide);
            let enough = if is_wide { WIDE_LETTERS } else { LETTERS };
            // "Example" is a kind before it is a title.
            let says_something = letters >= enough && kind_at(&tokens(title), 0).is_none();
            (says_something && holds(&wanted, title)).then_some((letters, component))
        })
        .collect();
    let longest = held.iter().map(|(letters, _)| *letters).max()?;
    held.retain(|(letters, _)| *letters == longest);
    only(held.into_iter().map(|(_, component)| component))
}

/// The one part whose title holds the words that are named; of the parts of the
/// first level, if one of them does.
fn by_part_of_title<'d>(document: &'d Document, named: &str) -> Option<&'d Component> {
    const LETTERS: usize = 4;
    const ARTICLES: &[&str] = &[
        "the", "a", "in", "on", "der", "die", "das", "el", "la", "le", "в", "на",
    ];
    let wanted = fold(named).text;
    let is_frame = |word: &&str| ARTICLES.contains(word) || kind_at(&tokens(word), 0).is_some();
    let words: Vec<&str> = bare(&wanted).split(' ').skip_while(is_frame).collect();
    let framed = words.iter().rev().take_while(|word| is_frame(word)).count();
    let words = words.get(..words.len() - framed).unwrap_or_default();
    let wanted = words.join(" ");
    let letters = wanted.chars().filter(|c| c.is_alphabetic()).count();
    if letters < LETTERS && !(letters > 1 && wanted.chars().all(is_wide)) {
        return None;
    }
    let titled = || {
        document.components().iter().filter(|component| {
            component.parent.is_some()
                && component
                    .title
                    .as_deref()
                    .is_some_and(|title| holds(&fold(title).text, &wanted))
        })
    };
    only(titled().filter(|component| component.parent == Some(0))).or_else(|| only(titled()))
}

/// Whether folded words stand in folded text, from a word's beginning to a
/// word's end.
fn holds(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text
            .get(at + found.len()..)
            .and_then(|after| after.chars().next());
        let parts = |c: Option<char>| c.is_none_or(|c| c == ' ' || is_wide(c));
        parts(before) && parts(after)
    })
}

/// A folded title without the number, or the kind and number, it begins with.
fn bare(folded: &str) -> &str {
    let is_number = |c: char| c.is_ascii_digit() || c == ' ';
    let rest = folded.trim_start_matches(is_number);
    let rest = if rest.is_empty() { folded } else { rest };
    let words = tokens(rest);
    let is_numbered = |at: usize| words.get(at).and_then(|word| number(word)).is_some();
    // `Section 2`, or `第2节`.
    let head = match kind_at(&words, 0) {
        Some((_, length)) if is_numbered(length) => length + 1,
        _ if words.first().is_some_and(|word| word == "第") && is_numbered(1) => {
            match kind_at(&words, 2) {
                Some((_, length)) => 2 + length,
                None => return rest,
            }
        }
        _ => return rest,
    };
    let behind = words.iter().take(head).fold(rest, |rest, word| {
        let rest = rest.trim_start();
        rest.strip_prefix(word.as_str()).unwrap_or(rest)
    });
    let behind = behind.trim_start_matches(is_number);
    if behind.is_empty() { rest } else { behind }
}

fn only<T>(mut found: impl Iterator<Item = T>) -> Option<T> {
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// What can be named by a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
fn kind_at(words: &[String], at: usize) -> Option<(Kind, usize)> {
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
struct Mention {
    kind: Kind,
    number: Option<usize>,
}

fn mentions(words: &[String]) -> Vec<Mention> {
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

fn by_number<'d>(document: &'d Document, words: &[String]) -> Option<&'d Component> {
    let mentions = mentions(words);
    let around = mentions.iter().find_map(|mention| {
        let number = mention.number?;
        match mention.kind {
            Kind::Section => section(document, number),
            Kind::Card => numbered(document, ComponentKind::Card, number),
            Kind::Question => numbered(document, ComponentKind::Item, number),
            Kind::Part(_) => None,
        }
    });
    let inner = |around: Option<&Component>| {
        mentions.iter().find_map(|mention| {
            let Kind::Part(kind) = mention.kind else {
                return None;
            };
            let mut inside = document.components().iter().filter(|component| {
                component.kind == kind
                    && around.is_none_or(|around| {
                        component.parent.is_some()
                            && around.range.start <= component.range.start
                            && component.range.end <= around.range.end
                    })
            });
            match mention.number {
                Some(number) if is_counted(kind) => inside.nth(number.checked_sub(1)?),
                _ => only(inside),
            }
        })
    };
    match around {
        Some(around) => inner(Some(around)).or(Some(around)),
        None => inner(None),
    }
}

/// Whether a number counts the parts of this kind; that of an option counts
/// within the part.
fn is_counted(kind: ComponentKind) -> bool {
    matches!(kind, ComponentKind::Example | ComponentKind::Exercise)
}

/// A question without a number is the stem of an only item; a card without one,
/// an only card.
fn by_kind<'d>(document: &'d Document, words: &[String]) -> Option<&'d Component> {
    mentions(words)
        .iter()
        .find_map(|mention| match mention.kind {
            Kind::Question if mention.number.is_none() => {
                only(document.of_kind(ComponentKind::Stem))
            }
            Kind::Card if mention.number.is_none() => only(document.of_kind(ComponentKind::Card)),
            _ => None,
        })
}

/// The section with a number: printed in its heading, else by its position.
fn section(document: &Document, number: usize) -> Option<&Component> {
    let sections = || {
        document
            .of_kind(ComponentKind::Section)
            .filter(|component| component.parent == Some(0))
    };
    sections()
        .find(|component| component.title.as_deref().and_then(printed) == Some(number))
        .or_else(|| sections().nth(number.checked_sub(1)?))
}

/// The number that a heading prints: `2. Loops`, `Section 2`, `第2节`.
fn printed(title: &str) -> Option<usize> {
    let title = title.trim_start();
    let digits = title.bytes().take_while(u8::is_ascii_digit).count();
    let (figure, rest) = title.split_at_checked(digits)?;
    if digits > 0 {
        let marks = ['.', ')', ':', '、', '．'];
        return rest.starts_with(marks).then(|| figure.parse().ok())?;
    }
    let words = tokens(title);
    let words = words.get(..words.len().min(6))?;
    let first = kind_at(words, 0);
    let is_chinese = words.first().is_some_and(|word| word == "第");
    if first.is_some_and(|(kind, _)| kind == Kind::Section) || is_chinese {
        return mentions(words)
            .iter()
            .find(|mention| mention.kind == Kind::Section)?
            .number;
    }
    None
}

/// The card or item with a number: the one its id ends with, else by position.
fn numbered(document: &Document, kind: ComponentKind, number: usize) -> Option<&Component> {
    let trailing = |id: &str| -> Option<usize> {
        let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
        id.get(id.len() - digits..)?.parse().ok()
    };
    document
        .of_kind(kind)
        .find(|component| trailing(&component.id.0) == Some(number))
        .or_else(|| document.of_kind(kind).nth(number.checked_sub(1)?))
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

fn number(word: &str) -> Option<usize> {
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
fn tokens(text: &str) -> Vec<String> {
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

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}
