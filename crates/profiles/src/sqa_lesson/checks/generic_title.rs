//! `generic-title`: a title does not say what is learned.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::COHERENCE_BELOW;
use crate::sqa_lesson::model::{self, LessonType};
use crate::sqa_lesson::wording::lower_words;

pub(super) static CHECK: Check = Check {
    code: "SQA017",
    name: "generic-title",
    severity: Severity::Warning,
    summary: "a title does not say what is learned",
    what: "Reports lesson titles that are missing or consist of words like “Lesson 1”, “Introduction”, “Maths revision”; and, as info, card titles like “Card 2” or “Untitled”. A mock exam may be called just that.",
    why: "The title is how learners and teachers find the lesson again, so it should name what is learned. Caps `coherence` below its threshold of .85.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Lesson 1: Introduction\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\"}]}",
        passes: "{\"title\": \"Finding Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\"}]}",
        fixed: None,
    }],
    caps: &[COHERENCE_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let title = template.title.as_ref();
    let words = title.map_or_else(Vec::new, |title| lower_words(&title.value));
    let is_exam = template.kind() == Some(LessonType::MockExam);
    let advice = "name what learners will be able to do, such as “Finding Fractions of Amounts”";
    if words.is_empty() {
        sink.in_source(template.anchor(), format!("the lesson has no title; {advice}"))
            .caps(CHECK.caps);
    } else if is_generic(&words, is_exam) {
        let message = format!(
            "the title “{}” does not say what the lesson is about; {advice}",
            title.map_or("", |title| title.value.as_str())
        );
        sink.in_source(template.anchor(), message).caps(CHECK.caps);
    }
    for card in &template.cards {
        let Some(title) = &card.title else { continue };
        let words = lower_words(&title.value);
        if !words.is_empty() && words.iter().all(|word| is_number(word) || CARD_WORDS.contains(&word.as_str())) {
            let message = format!(
                "the title “{}” does not say what card {} is about; name its task or context",
                title.value, card.number
            );
            sink.in_source(title.range.clone(), message)
                .severity(Severity::Info);
        }
    }
}

fn is_generic(words: &[String], is_exam: bool) -> bool {
    words.iter().all(|word| {
        let word = word.as_str();
        is_number(word)
            || LESSON_WORDS.contains(&word)
            || (!is_exam && KIND_WORDS.contains(&word))
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || ["one", "two", "three", "four", "five", "i", "ii", "iii", "a", "b", "c"].contains(&word)
}

const LESSON_WORDS: &[&str] = &[
    "lesson", "unit", "week", "day", "topic", "module", "part", "card", "title", "untitled", "new",
    "template", "introduction", "intro", "overview", "the", "to", "and", "of", "for", "my", "our",
    "draft", "example", "n", "x", "tbc", "todo", "class",
];

/// Words for kinds of lesson, levels and subjects; only a mock exam may be called
/// by these alone.
const KIND_WORDS: &[&str] = &[
    "teach", "teaching", "revision", "revise", "practice", "independent", "assessment", "formative",
    "check", "in", "mock", "exam", "test", "quiz", "review", "maths", "math", "mathematics",
    "national", "higher", "n3", "n4", "n5", "nat", "nat3", "nat4", "nat5", "paper",
];

const CARD_WORDS: &[&str] = &["card", "untitled", "title", "page", "slide", "new", "tbc", "todo"];

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::findings;

    #[test]
    fn a_title_names_a_topic() {
        for (kind, title, fires) in [
            ("teach", "Lesson 1", true),
            ("teach", "Introduction", true),
            ("teach", "Maths Revision", true),
            ("teach", "National 5 Mathematics: Lesson 3", true),
            ("teach", "", true),
            ("teach", "Untitled", true),
            ("teach", "Teach: Selecting Notation and Units", false),
            ("teach", "Introduction to Fractions", false),
            ("teach", "Time, Speed and Distance", false),
            ("revision", "Revision: Core Numeracy Skills", false),
            ("mock_exam", "National 5 Mathematics Mock Exam, Paper 1", false),
            ("mock_exam", "Lesson 12", true),
        ] {
            let template = format!(r#"{{"title": "{title}", "lesson_type": "{kind}", "cards": []}}"#);
            assert_eq!(!findings(&CHECK, &template).is_empty(), fires, "{title}");
        }
        assert_eq!(findings(&CHECK, r#"{"cards": []}"#).len(), 1);
    }

    #[test]
    fn a_card_may_be_called_by_its_stage_but_not_by_its_number() {
        for (title, fires) in [
            ("Card 2", true),
            ("Untitled", true),
            ("You Do: Your Turn", false),
            ("Guided Practice", false),
            ("1", true),
            ("", false),
        ] {
            let template = format!(
                r#"{{"title": "Finding Fractions", "cards": [{{"title": "{title}", "explainer": "e"}}]}}"#
            );
            assert_eq!(!findings(&CHECK, &template).is_empty(), fires, "{title}");
        }
    }
}
