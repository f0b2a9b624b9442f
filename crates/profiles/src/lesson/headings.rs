//! What introductions, conclusions, examples and exercises are called, in the
//! languages we read. A heading is recognised with numbers, emoji and emphasis
//! around its words.

/// Names of introductions.
const INTRODUCTION: &[&str] = &[
    "introduction",
    "intro",
    "overview",
    "getting started",
    "введение",
    "вступление",
    "вводная часть",
    "einleitung",
    "einführung",
    "introducción",
    "introdução",
    "presentación",
    "简介",
    "引言",
    "介绍",
    "导言",
    "概述",
    "前言",
];

/// Names of conclusions.
const CONCLUSION: &[&str] = &[
    "conclusion",
    "conclusions",
    "concluding remarks",
    "summary",
    "summing up",
    "wrap-up",
    "wrap up",
    "wrapping up",
    "key takeaways",
    "takeaways",
    "recap",
    "заключение",
    "выводы",
    "вывод",
    "итоги",
    "итог",
    "резюме",
    "подведение итогов",
    "fazit",
    "zusammenfassung",
    "schluss",
    "schlussfolgerung",
    "schlussbemerkung",
    "conclusión",
    "conclusiones",
    "resumen",
    "en resumen",
    "résumé",
    "synthèse",
    "pour conclure",
    "bilan",
    "conclusão",
    "conclusões",
    "resumo",
    "considerações finais",
    "总结",
    "结论",
    "小结",
    "结语",
    "结束语",
];

/// Names of worked examples.
const EXAMPLE: &[&str] = &[
    "example",
    "worked example",
    "пример",
    "beispiel",
    "ejemplo",
    "exemple",
    "exemplo",
    "示例",
    "例子",
    "例",
    "案例",
];

/// Names of tasks.
const EXERCISE: &[&str] = &[
    "exercise",
    "practice exercise",
    "task",
    "challenge",
    "assignment",
    "упражнение",
    "задание",
    "задача",
    "вызов",
    "übung",
    "aufgabe",
    "herausforderung",
    "ejercicio",
    "tarea",
    "desafío",
    "reto",
    "exercice",
    "défi",
    "exercício",
    "tarefa",
    "desafio",
    "练习",
    "作业",
    "任务",
    "挑战",
];

/// What a heading announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Introduction,
    Conclusion,
    Example,
    Exercise,
}

/// What a heading announces, if it is one of the known names.
///
/// Introductions and conclusions must be named so, or go on after a colon, dash
/// or "and" ("Summary and next steps"); "Introduction to GitHub" is the title of
/// a topic. Examples and exercises may go on as they like ("Exercise 3: loops").
pub(super) fn role(heading: &str) -> Option<Role> {
    let words = bare(heading);
    let exactly = |names: &[&str]| names.iter().any(|name| is_named(&words, name));
    let begins = |names: &[&str]| names.iter().any(|name| begins_with(&words, name));
    if exactly(CONCLUSION) {
        Some(Role::Conclusion)
    } else if exactly(INTRODUCTION) {
        Some(Role::Introduction)
    } else if begins(EXAMPLE) {
        Some(Role::Example)
    } else if begins(EXERCISE) {
        Some(Role::Exercise)
    } else {
        None
    }
}

/// The heading without numbers, emoji and punctuation in front, lower case.
pub(super) fn bare(heading: &str) -> String {
    heading
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn is_named(words: &str, name: &str) -> bool {
    const JOINS: &[&str] = &[
        "and ", "& ", "и ", "und ", "y ", "e ", "et ", "und ", "与", "和",
    ];
    let Some(rest) = words.strip_prefix(name) else {
        return false;
    };
    let trimmed = rest.trim_start();
    let spaced = rest.len() > trimmed.len() || name.chars().any(|c| c > '\u{2e80}');
    trimmed.is_empty()
        || trimmed.starts_with([':', '：', '-', '–', '—', '(', '（', ',', '/'])
        || (spaced && JOINS.iter().any(|join| trimmed.starts_with(join)))
}

fn begins_with(words: &str, name: &str) -> bool {
    words.strip_prefix(name).is_some_and(|rest| {
        let plural_free = rest.trim_start_matches(['s', 'n']);
        let wide = name.chars().any(|c| c > '\u{2e80}');
        plural_free.is_empty() || wide || !plural_free.starts_with(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_recognised_in_the_languages_we_read() {
        use Role::{Conclusion, Example, Exercise, Introduction};
        for (heading, expected) in [
            ("Introduction", Some(Introduction)),
            ("1. Introduction", Some(Introduction)),
            ("🎯 Introduction: why it matters", Some(Introduction)),
            ("Introduction to GitHub", None),
            ("Введение", Some(Introduction)),
            ("Введение в GitHub", None),
            ("Einführung", Some(Introduction)),
            ("Introducción", Some(Introduction)),
            ("Introdução", Some(Introduction)),
            ("简介", Some(Introduction)),
            ("Conclusion", Some(Conclusion)),
            ("Summary and Next Steps", Some(Conclusion)),
            ("Summary statistics", None),
            ("Выводы", Some(Conclusion)),
            ("Fazit", Some(Conclusion)),
            ("Conclusión", Some(Conclusion)),
            ("Conclusão", Some(Conclusion)),
            ("总结", Some(Conclusion)),
            ("Resumen", Some(Conclusion)),
            ("Resumen del texto", None),
            ("Example 2: loops", Some(Example)),
            ("Пример 1", Some(Example)),
            ("Exercise", Some(Exercise)),
            ("Übung 3", Some(Exercise)),
            ("练习一", Some(Exercise)),
            ("🚀 Herausforderung", Some(Exercise)),
            ("Desafío 2", Some(Exercise)),
            ("Exercised rights", None),
            ("The Canvas", None),
        ] {
            assert_eq!(role(heading), expected, "{heading}");
        }
    }
}
