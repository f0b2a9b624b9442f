//! Recognises the headings of introductions, conclusions, examples and exercises
//! in several languages, with numbers, emoji and emphasis around their words. The
//! names are in `crates/text/data/headings`.

use redraft_text::phrases::PhraseList;

static LIST: PhraseList = PhraseList::new(
    "headings",
    &["introduction", "conclusion", "joins", "example", "exercise"],
);

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
    let exactly = |section| LIST.all(section).any(|name| is_named(&words, name));
    let begins = |section| LIST.all(section).any(|name| begins_with(&words, name));
    if exactly("conclusion") {
        Some(Role::Conclusion)
    } else if exactly("introduction") {
        Some(Role::Introduction)
    } else if begins("example") {
        Some(Role::Example)
    } else if begins("exercise") {
        Some(Role::Exercise)
    } else {
        None
    }
}

/// The heading in lower case, without numbers, emoji and punctuation before it.
pub(super) fn bare(heading: &str) -> String {
    heading
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .trim_end_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
}

fn is_named(words: &str, name: &str) -> bool {
    let Some(rest) = words.strip_prefix(name) else {
        return false;
    };
    let trimmed = rest.trim_start();
    let spaced = rest.len() > trimmed.len() || name.chars().any(|c| c > '\u{2e80}');
    trimmed.is_empty()
        || trimmed.starts_with([':', '：', '-', '–', '—', '(', '（', ',', '/'])
        || (spaced && LIST.all("joins").any(|join| trimmed.starts_with(join)))
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
    fn the_phrase_files_are_sound() {
        assert_eq!(LIST.faults(), [""; 0]);
        for (section, expected) in [
            ("introduction", Role::Introduction),
            ("conclusion", Role::Conclusion),
            ("example", Role::Example),
            ("exercise", Role::Exercise),
        ] {
            let wrong = LIST.wrong_examples(section, |_, text| role(text) == Some(expected));
            assert_eq!(wrong, [""; 0]);
        }
    }

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
