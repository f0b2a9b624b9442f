//! `field-length`: a field is empty, copied or far too long.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;
use redraft_gate::score::Cap;
use redraft_text::words::count_words;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ACCESSIBILITY_BELOW, COHERENCE_MINOR};
use crate::sqa_lesson::model::{self, Card, Text};

pub(super) static CHECK: Check = Check {
    code: "SQA027",
    name: "field-length",
    severity: Severity::Warning,
    summary: "a field is empty, copied or far too long",
    what: "Reports cards without a title, an explainer or a plain explainer, and a plain explainer that repeats a long explainer word for word. Fields far beyond the usual length are info: lesson titles over 80 characters, card titles over 60, explainers over 500 words, plain explainers a quarter longer than their explainer, questions over 150 words. Short fields are ignored: good cards are often short.",
    why: "The plain explainer is all that some learners read; without it they get nothing, and a copy of the full text is no easier. A missing or copied plain explainer caps `accessibility` below its threshold of .88; overlong fields cap `coherence` at .90.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch how I find a quarter of £20: I divide by four.\", \"explainer_plain\": \"\"}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"I Do: Quarters\", \"explainer\": \"Watch how I find a quarter of £20: I divide by four.\", \"explainer_plain\": \"Divide £20 by 4.\"}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "title-most", what: "maximum characters in a lesson’s title" },
        Parameter { name: "card-title-most", what: "maximum characters in a card’s title" },
        Parameter { name: "explainer-most-words", what: "maximum words in an explainer" },
        Parameter { name: "plain-most-share", what: "maximum length of a plain explainer relative to its explainer" },
        Parameter { name: "stem-most-words", what: "maximum words in a question" },
        Parameter { name: "copy-least-words", what: "minimum words for a copied explainer to be reported" },
    ],
    caps: &[ACCESSIBILITY_BELOW, COHERENCE_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let mut report = Report { sink };
    if let Some(title) = &template.title {
        report.too_long(title, examination.count("title-most"), "the title", Unit::Characters);
    }
    for card in &template.cards {
        look_at(examination, card, &mut report);
    }
}

fn look_at(examination: &Examination<'_>, card: &Card, report: &mut Report<'_, '_>) {
    let number = card.number;
    let empty = |text: &Option<Text>| text.as_ref().is_none_or(|text| text.value.trim().is_empty());
    let anchor = |text: &Option<Text>| {
        text.as_ref()
            .map_or_else(|| card.anchor(), |text| text.range.clone())
    };
    if empty(&card.title) {
        let message = format!("card {number} has no title; name its task");
        report.missing(anchor(&card.title), &message, &[COHERENCE_MINOR]);
    }
    if empty(&card.explainer) {
        let message = format!("card {number} has no explainer; say what it teaches");
        report.missing(anchor(&card.explainer), &message, &[COHERENCE_MINOR]);
    } else if empty(&card.explainer_plain) {
        let message = format!("card {number} has no explainer_plain; rewrite the explainer in short, simple sentences");
        report.missing(anchor(&card.explainer_plain), &message, &[ACCESSIBILITY_BELOW]);
    }
    if let (Some(explainer), Some(plain)) = (&card.explainer, &card.explainer_plain) {
        compare(examination, (explainer, plain), number, report);
    }
    if let Some(title) = &card.title {
        let most = examination.count("card-title-most");
        report.too_long(title, most, &format!("the title of card {number}"), Unit::Characters);
    }
    if let Some(explainer) = &card.explainer {
        let most = examination.count("explainer-most-words");
        report.too_long(explainer, most, &format!("the explainer of card {number}"), Unit::Words);
    }
    for question in card.questions() {
        if let Some(stem) = &question.stem {
            let most = examination.count("stem-most-words");
            report.too_long(stem, most, &format!("the question of card {number}"), Unit::Words);
        }
    }
}

fn compare(
    examination: &Examination<'_>,
    (explainer, plain): (&Text, &Text),
    number: usize,
    report: &mut Report<'_, '_>,
) {
    let words = count_words(&explainer.value);
    if words < examination.count("copy-least-words") {
        return;
    }
    if explainer.value.trim() == plain.value.trim() {
        let message = format!(
            "the explainer_plain of card {number} repeats its explainer word for word; rewrite it in short, simple sentences"
        );
        report.missing(plain.range.clone(), &message, &[ACCESSIBILITY_BELOW]);
        return;
    }
    let plain_words = count_words(&plain.value);
    #[expect(clippy::cast_precision_loss, reason = "texts have few words")]
    let share = plain_words as f64 / words as f64;
    if share > examination.number("plain-most-share") {
        let message = format!(
            "the explainer_plain of card {number} has {plain_words} words, its explainer {words}; make the plain version the shorter one"
        );
        report.info(plain.range.clone(), &message);
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Characters,
    Words,
}

struct Report<'s, 'a> {
    sink: &'s mut Sink<'a>,
}

impl Report<'_, '_> {
    fn missing(&mut self, range: Range<usize>, message: &str, caps: &[Cap]) {
        self.sink.in_source(range, message).caps(caps);
    }

    fn info(&mut self, range: Range<usize>, message: &str) {
        self.sink
            .in_source(range, message)
            .severity(Severity::Info)
            .caps(&[COHERENCE_MINOR]);
    }

    fn too_long(&mut self, text: &Text, most: usize, what: &str, unit: Unit) {
        let (length, unit) = match unit {
            Unit::Characters => (text.value.chars().count(), "characters"),
            Unit::Words => (count_words(&text.value), "words"),
        };
        if length > most {
            let message = format!("{what} has {length} {unit}; cut it to at most {most}");
            self.info(text.range.clone(), &message);
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn fields_are_there_and_not_too_long() {
        let long = "word ".repeat(60);
        let very_long = "word ".repeat(501);
        let (info, warning) = (Some(Severity::Info), Some(Severity::Warning));
        for (title, explainer, plain, expected) in [
            ("A", "Divide.", "Divide.", None),
            ("", "Divide.", "Divide.", warning),
            ("A", "", "", warning),
            ("A", "Divide.", " ", warning),
            ("A", long.as_str(), long.as_str(), warning),
            ("A", long.as_str(), "Short words.", None),
            ("A", long.as_str(), very_long.as_str(), info),
            ("A", very_long.as_str(), "Short words.", info),
            ("A title of a card that goes on and on until nobody reads it any more", "a", "b", info),
        ] {
            let card = format!(
                r#"{{"title": "{title}", "explainer": "{explainer}", "explainer_plain": "{plain}"}}"#
            );
            let found = findings(&CHECK, &teach(&card));
            assert_eq!(found.first().map(|found| found.severity), expected, "{card}");
            assert!(found.len() < 2, "{found:?}");
        }
    }
}
