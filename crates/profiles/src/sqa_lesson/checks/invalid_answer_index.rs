//! `invalid-answer-index`: a missing key, or one that does not match an
//! option.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::model::{self, Card, Cfu, CfuKind};
use crate::sqa_lesson::wording::counted;

pub(super) static CHECK: Check = Check {
    code: "SQA025",
    name: "invalid-answer-index",
    severity: Severity::Error,
    summary: "a missing key, or one that does not match an option",
    what: "Reports an `answerIndex` or an entry of `answerIndices` that is not a whole number or is outside the options (counted from 0), and options whose own `isCorrect` contradicts it. A multiple-choice question without a key, and several keys without `multiSelect`, are warnings. A key is never invented.",
    why: "A wrong key marks every right answer wrong. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\", \"cfu\": {\"type\": \"mcq\", \"stem\": \"Which is one half?\", \"options\": [\"1/3\", \"1/4\", \"1/2\"], \"answerIndex\": 3}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\", \"cfu\": {\"type\": \"mcq\", \"stem\": \"Which is one half?\", \"options\": [\"1/3\", \"1/4\", \"1/2\"], \"answerIndex\": 2}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for card in model::cards(examination.document) {
        for question in card.questions() {
            if !question.options.items.is_empty() {
                look_at(card, question, sink);
            }
        }
    }
}

fn look_at(card: &Card, question: &Cfu, sink: &mut Sink<'_>) {
    let options = question.options.items.len();
    let flagged: Vec<usize> = question
        .options
        .items
        .iter()
        .enumerate()
        .filter(|(_, option)| option.correct == Some(true))
        .map(|(index, _)| index)
        .collect();
    let mut pointed = Vec::new();
    for key in &question.keys {
        let problem = match key.index.map(usize::try_from) {
            Some(Ok(index)) if index < options => {
                pointed.push(index);
                continue;
            }
            Some(_) => format!(
                "does not match an option: there are {}, numbered from 0 to {}",
                counted(options, "option"),
                options.saturating_sub(1)
            ),
            None => "is not a whole number".to_owned(),
        };
        let last = key.index.and_then(|index| usize::try_from(index).ok()) == Some(options);
        let advice = if last {
            format!("if the last option is right, write {}", options.saturating_sub(1))
        } else {
            "write the number of the right option, counted from 0".to_owned()
        };
        let message = format!("the answer index of card {} {problem}; {advice}", card.number);
        sink.in_source(key.range.clone(), message).caps(CHECK.caps);
    }
    if question.keys.is_empty() {
        if flagged.is_empty() && question.kind == CfuKind::Mcq && question.expected.is_empty() {
            let message = format!(
                "no option of the question on card {} is marked as right; set answerIndex, counted from 0",
                card.number
            );
            sink.in_source(question.anchor(), message)
                .severity(Severity::Warning)
                .caps(CHECK.caps);
        }
        return;
    }
    let all_valid = pointed.len() == question.keys.len();
    let mut distinct = pointed.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if all_valid && !flagged.is_empty() && distinct != flagged {
        let message = format!(
            "the answer index of card {} gives option {}, but isCorrect gives option {}; find out which is right",
            card.number,
            numbers(&distinct),
            numbers(&flagged)
        );
        sink.in_source(question.keys[0].range.clone(), message)
            .caps(CHECK.caps);
    }
    let is_multiple = question.multi_select.as_ref().is_some_and(|multi| multi.value);
    if all_valid && distinct.len() > 1 && !is_multiple {
        let message = format!(
            "card {} has {} right options, but is not multiSelect; set multiSelect, or keep one key",
            card.number,
            distinct.len()
        );
        let range = question.indices_range.clone();
        sink.in_source(range.unwrap_or_else(|| question.anchor()), message)
            .severity(Severity::Warning)
            .caps(CHECK.caps);
    }
}

fn numbers(indices: &[usize]) -> String {
    let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
    indices.join(", ")
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn a_key_matches_an_option() {
        let three = r#""options": ["a", "b", "c"]"#;
        let flagged = r#""options": [{"text": "a", "isCorrect": true}, {"text": "b", "isCorrect": false}]"#;
        let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
        for (options, key, expected) in [
            (three, r#""answerIndex": 0"#, None),
            (three, r#""answerIndex": 2"#, None),
            (three, r#""answerIndex": "2""#, None),
            (three, r#""answerIndex": 3"#, error),
            (three, r#""answerIndex": -1"#, error),
            (three, r#""answerIndex": 1.5"#, error),
            (three, r#""answerIndex": "B""#, error),
            (three, r#""x": 1"#, warning),
            (three, r#""answer": "b""#, None),
            (three, r#""answerIndices": [0, 2], "multiSelect": true"#, None),
            (three, r#""answerIndices": [0, 2]"#, warning),
            (three, r#""answerIndices": [0, 7], "multiSelect": true"#, error),
            (flagged, r#""x": 1"#, None),
            (flagged, r#""answerIndex": 0"#, None),
            (flagged, r#""answerIndex": 1"#, error),
            (r#""options": []"#, r#""answerIndex": 4"#, None),
        ] {
            let card = format!(r#"{{"explainer": "e", "cfu": {{"type": "mcq", {options}, {key}}}}}"#);
            let found = findings(&CHECK, &teach(&card));
            assert_eq!(found.first().map(|said| said.severity), expected, "{card} {found:?}");
        }
    }

    #[test]
    fn a_key_that_counts_from_one_is_recognised() {
        let card = r#"{"explainer": "e", "cfu": {"type": "mcq", "options": ["a", "b", "c", "d"], "answerIndex": 4}}"#;
        assert_eq!(
            findings(&CHECK, &teach(card))[0].message,
            "the answer index of card 1 does not match an option: there are 4 options, numbered from 0 to 3; if the last option is right, write 3"
        );
    }
}
