//! Paragraphs and sections in another language than the rest of a lesson: which
//! are found, and which are good.

use std::collections::BTreeMap;

use redraft_gate::companion::{Companions, Specification};
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;

use crate::corpus::{self, Base};
use crate::fixtures::inspect_for;
use crate::{fixtures, lessons};

/// The worst severity of `wrong-language` in a text.
fn worst(text: &str) -> Option<Severity> {
    let found = inspect_for(text, "TXT030");
    found.findings.iter().map(|finding| finding.severity).max()
}

/// Languages that readers confuse, and the detector may.
fn are_kin(a: &str, b: &str) -> bool {
    [["id", "ms"], ["sr", "hr"]]
        .iter()
        .any(|pair| pair.contains(&a) && pair.contains(&b))
}

/// The lesson with a paragraph added to its second section.
fn with_paragraph(base: &Base, paragraph: &str) -> String {
    let after = base.topics[1].paragraph;
    base.lesson()
        .replace(after, &format!("{after}\n\n{paragraph}"))
}

/// The lesson with a section in the middle that another language has.
fn with_section(base: &Base, other: &Base) -> String {
    let topic = &other.topics[3];
    let items = topic.items.join("\n- ");
    let first = other.topics[2].paragraph;
    let section = format!(
        "## {}\n\n{}\n\n{first}\n\n- {items}\n\n",
        topic.title, topic.paragraph
    );
    let heading = format!("## {}\n", base.topics[2].title);
    base.lesson()
        .replace(&heading, &format!("{section}{heading}"))
}

#[derive(Default)]
struct Recall {
    found: usize,
    tried: usize,
    missed: Vec<String>,
}

impl Recall {
    fn count(&mut self, is_found: bool, name: impl FnOnce() -> String) {
        self.tried += 1;
        self.found += usize::from(is_found);
        if !is_found {
            self.missed.push(name());
        }
    }

    fn assert(&self, what: &str, percent: usize) {
        println!(
            "{what}: {} of {} found; missed {:?}",
            self.found, self.tried, self.missed
        );
        assert!(
            self.found * 100 >= self.tried * percent,
            "{what}: {} of {}; {:?}",
            self.found,
            self.tried,
            self.missed
        );
    }
}

#[test]
fn a_paragraph_in_another_language_is_found() {
    let bases = corpus::bases();
    let mut recall = Recall::default();
    for base in &bases {
        for other in bases
            .iter()
            .filter(|other| !are_kin(base.language, other.language))
        {
            if other.language != base.language {
                let text = with_paragraph(base, other.topics[3].paragraph);
                recall.count(worst(&text).is_some(), || {
                    format!("{} in {}", other.language, base.language)
                });
            }
        }
    }
    recall.assert("paragraphs", 95);
}

#[test]
fn a_section_in_another_language_is_an_error() {
    let bases = corpus::bases();
    let mut recall = Recall::default();
    for base in &bases {
        for other in bases
            .iter()
            .filter(|other| !are_kin(base.language, other.language))
        {
            if other.language != base.language {
                let found = worst(&with_section(base, other));
                recall.count(found == Some(Severity::Error), || {
                    format!("{} in {} {found:?}", other.language, base.language)
                });
            }
        }
    }
    recall.assert("sections", 97);
}

/// Sentences that nobody here wrote, two by two, in each of our lessons.
#[test]
fn a_paragraph_of_foreign_sentences_is_found_in_the_reference_data() {
    let mut sentences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (language, kind, text) in lessons::langid() {
        if kind == "sentences" && text.chars().count() > 40 {
            sentences.entry(language).or_default().push(text);
        }
    }
    let bases = corpus::bases();
    let mut recall = Recall::default();
    let mut close = Recall::default();
    for (language, sentences) in &sentences {
        for (index, pair) in sentences.chunks(2).take(12).enumerate() {
            let base = &bases
                [(index * 7 + language.len() + usize::from(language.as_bytes()[1])) % bases.len()];
            if base.language == language || are_kin(base.language, language) {
                continue;
            }
            let text = with_paragraph(base, &pair.join(" "));
            recall.count(worst(&text).is_some(), || {
                format!("{} in {}: {}", language, base.language, pair[0])
            });
        }
    }
    for (a, b) in CLOSE {
        let Some(base) = bases.iter().find(|base| base.language == b) else {
            continue;
        };
        for pair in sentences
            .get(a)
            .map(Vec::as_slice)
            .unwrap_or_default()
            .chunks(2)
            .take(20)
        {
            let text = with_paragraph(base, &pair.join(" "));
            close.count(worst(&text).is_some(), || {
                format!("{a} in {b}: {}", pair.join(" "))
            });
        }
    }
    recall.assert("paragraphs of the reference data", 90);
    close.assert("close languages of the reference data", 90);
}

const CLOSE: [(&str, &str); 12] = [
    ("ru", "uk"),
    ("uk", "ru"),
    ("bg", "ru"),
    ("es", "pt"),
    ("pt", "es"),
    ("it", "es"),
    ("de", "nl"),
    ("en", "de"),
    ("de", "en"),
    ("fr", "en"),
    ("zh", "ja"),
    ("ja", "zh"),
];

#[test]
fn a_lesson_in_one_language_is_left_alone() {
    for base in corpus::bases() {
        assert_eq!(worst(&base.lesson()), None, "{}", base.language);
        for style in 0..corpus::STYLES {
            assert_eq!(
                worst(&base.styled(style)),
                None,
                "{} {style}",
                base.language
            );
        }
    }
}

#[test]
fn quotations_poems_and_references_may_be_in_another_language() {
    let bases = corpus::bases();
    let find = |code: &str| {
        bases
            .iter()
            .find(|base| base.language == code)
            .expect("a language")
    };
    for (own, other) in [
        ("en", "de"),
        ("ru", "en"),
        ("zh", "ja"),
        ("es", "pt"),
        ("de", "fr"),
    ] {
        let (base, other) = (find(own), find(other));
        let quoted = other.topics[3].paragraph;
        for paragraph in [
            format!("> {quoted}"),
            format!("“{quoted}”"),
            format!("*{quoted}*"),
            format!("```\n{quoted}\n```"),
            format!(
                "{} (2014): {}",
                other.topics[0].title,
                quoted.split_inclusive('.').next().unwrap_or_default()
            ),
            quoted
                .split(' ')
                .collect::<Vec<_>>()
                .chunks(5)
                .map(|line| line.join(" "))
                .collect::<Vec<_>>()
                .join("\n"),
            format!("[{quoted}](https://example.org)"),
        ] {
            let text = with_paragraph(base, &paragraph);
            // Chinese is not written in lines of five words.
            if paragraph.lines().all(|line| line.chars().count() < 400)
                && (own != "zh" || paragraph.contains(['>', '“', '*', '`', '[']))
            {
                assert_eq!(worst(&text), None, "{own}: {paragraph}");
            }
        }
        let sources = format!("{}\n## References\n\n{quoted}\n", base.lesson());
        assert_eq!(worst(&sources), None, "{own}");
    }
}

#[test]
fn a_lesson_that_teaches_the_other_language_is_left_alone() {
    let bases = corpus::bases();
    let find = |code: &str| {
        bases
            .iter()
            .find(|base| base.language == code)
            .expect("a language")
    };
    for (own, other, title) in [
        ("en", "fr", "French for beginners"),
        ("ru", "en", "Английский язык: чтение"),
        ("de", "es", "Spanisch im Alltag"),
        ("es", "pt", "Portugués para viajeros"),
        ("zh", "ja", "日语入门"),
    ] {
        let (base, other) = (find(own), find(other));
        let section = with_section(base, other);
        let companions = Companions {
            specification: Some(Specification {
                title: Some(title.to_owned()),
                ..Specification::default()
            }),
            ..Companions::default()
        };
        let found = fixtures::inspect(&section, Hint::Markdown, &companions);
        let is_found = fixtures::codes(&found).contains(&"TXT030");
        assert!(!is_found, "{title}");
        assert!(worst(&section).is_some(), "{own} {}", other.language);
        // Sentence by sentence, with the translation below.
        let mut both = format!("# {}\n", base.topics[0].title);
        for (a, b) in base.topics.iter().zip(&other.topics) {
            both.push_str(&format!(
                "\n## {}\n\n{}\n\n{}\n",
                a.title, a.paragraph, b.paragraph
            ));
        }
        assert_eq!(worst(&both), None, "{own} and {}", other.language);
    }
}
