//! The checks of language, script and readability from the outside: their
//! documented examples, the damage they must find and undo, and published
//! lessons they must leave alone (where the reference data is at hand).
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod corpus;
mod damage;
mod fixtures;
mod hybrids;
mod judge;
mod lessons;
mod letters;
mod passages;
mod texts;

use fixtures::{codes, fixed, inspect};
use redraft_gate::check::ExampleForm;
use redraft_gate::companion::Companions;
use redraft_gate::finding::Severity;
use redraft_gate::reading::Hint;
use redraft_profiles::registry;
use redraft_text::language::Language;

/// The checks that are looked at here.
const CODES: [&str; 8] = [
    "TXT017", "TXT030", "TXT031", "TXT032", "TXT033", "TXT035", "TXT036", "TXT037",
];

#[test]
fn the_documented_examples_hold() {
    for code in CODES {
        let check = registry::find_check(code).expect("the check is registered");
        for example in check.examples {
            let hint = if example.form == ExampleForm::Json {
                Hint::Json
            } else {
                Hint::Markdown
            };
            let found =
                |text: &str| codes(&inspect(text, hint, &Companions::default())).contains(&code);
            assert!(
                found(example.fails),
                "{code} is silent on {}",
                example.fails
            );
            assert!(
                !found(example.passes),
                "{code} speaks up on {}",
                example.passes
            );
            let after = fixed(example.fails, hint, code);
            match example.fixed {
                Some(expected) => assert_eq!(after, expected, "{code}"),
                None => assert_eq!(after, example.fails, "{code}"),
            }
        }
    }
}

#[test]
fn a_text_in_another_language_than_asked_for_is_an_error() {
    for (written, text) in texts::ALL {
        for (asked, _) in texts::ALL {
            let companions = Companions {
                language: Language::parse(asked),
                ..Companions::default()
            };
            let inspected = inspect(text, Hint::Markdown, &companions);
            let severities: Vec<Severity> = inspected
                .findings
                .iter()
                .filter(|finding| finding.check.code == "TXT030")
                .map(|finding| finding.severity)
                .collect();
            let expected: &[Severity] = if written == asked {
                &[]
            } else {
                &[Severity::Error]
            };
            assert_eq!(severities, expected, "{written} for {asked}");
        }
    }
}

#[test]
fn a_lesson_that_teaches_a_language_is_left_alone() {
    for (language, text) in texts::LANGUAGE_LESSONS {
        let companions = Companions {
            language: Language::parse(language),
            ..Companions::default()
        };
        for companions in [companions, Companions::default()] {
            let inspected = inspect(text, Hint::Markdown, &companions);
            let found: Vec<_> = inspected
                .findings
                .iter()
                .filter(|finding| CODES.contains(&finding.check.code))
                .map(|finding| (finding.check.code, &finding.message))
                .collect();
            assert!(found.is_empty(), "{found:?} in {text}");
        }
    }
}

/// Only a specification, a scheme of work or the configuration can say that a lesson is
/// about attacks (ruling 76).
#[test]
fn an_attack_is_an_error_whatever_the_text_says_of_itself() {
    for (text, expected) in texts::ATTACKS {
        let inspected = inspect(text, Hint::Markdown, &Companions::default());
        let worst = inspected
            .findings
            .iter()
            .filter(|finding| finding.check.code == "TXT033")
            .map(|finding| finding.severity)
            .max();
        assert_eq!(worst, *expected, "{text}");
    }
}
