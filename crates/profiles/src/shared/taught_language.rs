//! Whether a lesson teaches a language, as its specification or its scheme of
//! work says. The text under test is not asked: it could excuse itself (ruling
//! 76). The names of languages are in `crates/text/data/language_names`.

use redraft_gate::companion::Companions;
use redraft_text::language::Language;
use redraft_text::phrases::PhraseList;
use redraft_text::words::words;

static NAMES: PhraseList = PhraseList::new("language_names", &["*"]);

/// Whether the specification or the scheme of work names this language.
pub(super) fn is_taught(companions: &Companions, language: Language) -> bool {
    names(&topic(companions), language)
}

/// What the companions say the lesson is about.
pub(super) fn topic(companions: &Companions) -> String {
    let mut topic: Vec<&str> = Vec::new();
    if let Some(specification) = &companions.specification {
        topic.extend(specification.title.as_deref());
        topic.extend(specification.topic.as_deref());
        let objectives = specification.objectives.iter();
        topic.extend(objectives.map(|objective| objective.objective.as_str()));
        for section in &specification.sections {
            topic.push(&section.title);
            topic.extend(section.required_keywords.iter().map(String::as_str));
            topic.extend(section.key_points.iter().map(String::as_str));
        }
    }
    for entry in &companions.scheme_of_work {
        topic.extend(entry.course.as_deref());
        topic.extend(entry.label.as_deref());
    }
    topic.join("\n")
}

fn names(text: &str, language: Language) -> bool {
    if text.is_empty() {
        return false;
    }
    let (unspaced, spaced): (Vec<&str>, Vec<&str>) = NAMES
        .all(language.as_str())
        .partition(|name| name.starts_with(|c: char| c > '\u{2e80}'));
    unspaced.iter().any(|name| text.contains(name))
        || words(text).any(|(_, word)| {
            let word = word.to_lowercase();
            spaced.iter().any(|name| word.starts_with(name))
        })
}

#[cfg(test)]
mod tests {
    use redraft_gate::companion::{SchemeEntry, Specification};

    use super::*;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(NAMES.faults(), [""; 0]);
        let french = Language::FR;
        assert_eq!(
            NAMES.wrong_examples("fr", |_, text| names(text, french)),
            [""; 0]
        );
    }

    #[test]
    fn a_language_is_taught_if_the_companions_say_so() {
        let by_title = Companions {
            specification: Some(Specification {
                title: Some("Französisch für Anfänger".to_owned()),
                ..Specification::default()
            }),
            ..Companions::default()
        };
        let by_scheme = Companions {
            scheme_of_work: vec![SchemeEntry {
                course: Some("French, National 4".to_owned()),
                ..SchemeEntry::default()
            }],
            ..Companions::default()
        };
        for companions in [by_title, by_scheme] {
            assert!(is_taught(&companions, Language::FR));
            assert!(!is_taught(&companions, Language::ES));
        }
        assert!(!is_taught(&Companions::default(), Language::FR));
    }
}
