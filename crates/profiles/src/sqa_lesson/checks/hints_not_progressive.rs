//! `hints-not-progressive`: hints repeat each other or run backwards.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::model::{self, Text};
use crate::sqa_lesson::wording::{self, lower_words};

pub(super) static CHECK: Check = Check {
    code: "SQA013",
    name: "hints-not-progressive",
    severity: Severity::Warning,
    summary: "hints repeat each other or run backwards",
    what: "Reports a hint with nearly the same words as an earlier one for the same question, and a hint that starts with “First” or “Start” after one that starts with “Then”, “Next” or “Finally”. Whether each hint goes further than the last is left to a judge.",
    why: "Hints should lead from restating the task to the first step to the calculation. One that is repeated, or in the wrong order, does not help. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is two thirds of £18?\", \"hints\": [\"Then multiply by the top number.\", \"First divide by the bottom number.\", \"Write the £ sign.\"]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is two thirds of £18?\", \"hints\": [\"First divide by the bottom number.\", \"Then multiply by the top number.\", \"Write the £ sign.\"]}}]}",
        fixed: None,
    }],
    parameters: &[Parameter { name: "similarity", what: "share of common words at which a hint counts as a repetition" }],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let similarity = examination.number("similarity");
    for card in model::cards(examination.document) {
        for question in card.questions() {
            let hints: Vec<&Text> = question.hints.items.iter().take(MOST_HINTS).collect();
            for (index, hint) in hints.iter().enumerate() {
                let earlier = hints.get(..index).unwrap_or_default();
                let problem = repeats(hint, earlier, similarity)
                    .map(|first| format!("repeats hint {first}; make it go a step further, or remove it"))
                    .or_else(|| {
                        opens_with(hint, OPENING).then_some(())?;
                        let late = earlier.iter().position(|hint| opens_with(hint, GOING_ON))?;
                        Some(format!("is a first step, but comes after hint {}; move it to the front", late + 1))
                    });
                if let Some(problem) = problem {
                    let message = format!("hint {} of card {} {problem}", index + 1, card.number);
                    sink.in_source(hint.range.clone(), message).caps(CHECK.caps);
                }
            }
        }
    }
}

/// More hints are not compared; `hint-count` reports them.
const MOST_HINTS: usize = 30;

/// Shorter hints (“Look again.”) may be repeated.
const LEAST_WORDS: usize = 4;

const OPENING: &[&str] = &["first", "firstly", "start", "begin"];
const GOING_ON: &[&str] = &["then", "next", "finally", "lastly", "afterwards"];

fn repeats(hint: &Text, earlier: &[&Text], similarity: f64) -> Option<usize> {
    if lower_words(&hint.value).len() < LEAST_WORDS {
        return None;
    }
    earlier
        .iter()
        .position(|other| wording::similarity(&hint.value, &other.value) >= similarity)
        .map(|index| index + 1)
}

fn opens_with(hint: &Text, words: &[&str]) -> bool {
    lower_words(&hint.value)
        .first()
        .is_some_and(|first| words.contains(&first.as_str()))
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    #[test]
    fn hints_go_forward() {
        for (hints, expected) in [
            (
                &["Start by dividing £18 by 3.", "Now multiply by the top number.", "Remember the £ sign."][..],
                None,
            ),
            (
                &["First, find a third of £12.", "What is £12 ÷ 3?", "Does your answer make sense?"],
                None,
            ),
            (
                &["Divide £18 by the bottom number.", "Multiply the result by 2.", "Divide £18 by the bottom number!"],
                Some("hint 3 of card 1 repeats hint 1; make it go a step further, or remove it"),
            ),
            (
                &["Then multiply by two.", "First divide by three."],
                Some("hint 2 of card 1 is a first step, but comes after hint 1; move it to the front"),
            ),
            (&["What is 10% of £40?", "What is 5% of £40?", "What is 15% of £40?"], None),
            (&["Look again.", "Look again."], None),
        ] {
            let list: Vec<String> = hints.iter().map(|hint| format!("\"{hint}\"")).collect();
            let card = format!(
                r#"{{"explainer": "e", "cfu": {{"type": "numeric", "hints": [{}]}}}}"#,
                list.join(", ")
            );
            let found = findings(&CHECK, &teach(&card));
            assert_eq!(found.first().map(|said| said.message.as_str()), expected, "{hints:?}");
        }
    }
}
