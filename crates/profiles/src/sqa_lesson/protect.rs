//! What a repair of a card must not change: keys, flags, expected answers and marks;
//! and what it may only change if an issue is about it: the words of right options,
//! model answers and criteria.

use std::ops::Range;

use redraft_gate::content::Document;

use super::model::{self, Cfu, ChoiceForm};
use crate::fields::outside_texts;

/// Keys, flags, expected answers, tolerances and points.
pub(super) fn protected(document: &Document) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for card in model::cards(document) {
        for cfu in card.questions() {
            found.extend(cfu.keys.iter().map(|key| key.range.clone()));
            found.extend(cfu.expected.iter().map(|answer| answer.range.clone()));
            found.extend(cfu.tolerance.as_ref().map(|written| written.range.clone()));
            found.extend(cfu.money.as_ref().map(|written| written.range.clone()));
            found.extend(
                cfu.multi_select
                    .as_ref()
                    .map(|written| written.range.clone()),
            );
            found.extend(cfu.points.as_ref().map(|written| written.range.clone()));
            let flagged = cfu
                .options
                .items
                .iter()
                .filter(|option| option.form == ChoiceForm::Object);
            for option in flagged {
                found.extend(outside_texts(document, &option.range));
            }
        }
        for rubric in card.rubrics() {
            found.extend(rubric.total.as_ref().map(|total| total.range.clone()));
            let points = rubric
                .criteria
                .iter()
                .filter_map(|criterion| criterion.points.as_ref());
            found.extend(points.map(|points| points.range.clone()));
        }
    }
    in_order(found)
}

/// The words of right options, model answers and criteria.
pub(super) fn sensitive(document: &Document) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for card in model::cards(document) {
        for cfu in card.questions() {
            found.extend(right_options(cfu));
            let answers = cfu.explanations.iter().filter(|explanation| {
                explanation
                    .field(document)
                    .is_some_and(|field| field.path.ends_with("model_answer"))
            });
            found.extend(answers.map(|explanation| explanation.range.clone()));
        }
        for rubric in card.rubrics() {
            let words = rubric
                .criteria
                .iter()
                .filter_map(|criterion| criterion.description.as_ref());
            found.extend(words.map(|words| words.range.clone()));
        }
    }
    in_order(found)
}

fn right_options(cfu: &Cfu) -> impl Iterator<Item = Range<usize>> {
    cfu.options
        .items
        .iter()
        .enumerate()
        .filter_map(|(index, option)| {
            let named = cfu
                .keys
                .iter()
                .any(|key| key.index.and_then(|key| usize::try_from(key).ok()) == Some(index));
            let text = option.text.as_ref()?;
            (named || option.correct == Some(true)).then(|| text.range.clone())
        })
}

fn in_order(mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;
    use redraft_run::profile::Profile as _;

    use super::super::SqaLesson;

    #[test]
    fn keys_answers_and_marks_are_protected_and_right_words_sensitive() {
        let json = r#"{"title": "T", "cards": [{"id": "c1", "explainer": "x", "cfu": {"type": "mcq", "stem": "Which?", "options": ["three", "four"], "answerIndex": 1, "rubric": {"total_points": 2, "criteria": [{"description": "Adds up.", "points": 2}]}}}, {"id": "c2", "explainer": "y", "cfu": {"type": "numeric", "stem": "How much?", "expected": 4.5, "tolerance": 0.1}}, {"id": "c3", "explainer": "z", "cfu": {"type": "short_text", "stem": "Why?", "expected": "It floats.", "model_answer": "It is light."}}]}"#;
        let raw = reading::read(Source::new(json.as_bytes().to_vec()), Hint::Json);
        let document = SqaLesson.parse(raw, None);
        let texts = |ranges: Vec<std::ops::Range<usize>>| -> Vec<&str> {
            ranges.into_iter().map(|range| &json[range]).collect()
        };
        assert_eq!(
            texts(SqaLesson.protected(&document)),
            ["1", "2", "2", "4.5", "0.1", "\"It floats.\""]
        );
        assert_eq!(
            texts(SqaLesson.sensitive(&document)),
            ["\"four\"", "\"Adds up.\"", "\"It is light.\""]
        );
    }
}
