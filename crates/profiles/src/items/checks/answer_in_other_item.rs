//! `answer-in-other-item`: the text of one item gives away the answer of another.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::whole_bank;
use crate::check_list::DEFAULTS;
use crate::items::bank::leaks::{self, Stated};
use crate::items::model::{ItemView, items};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "BNK005",
    name: "answer-in-other-item",
    severity: Severity::Warning,
    summary: "the text of one item gives away the answer of another",
    what: "Looks for sentences in vignettes and stems that contain the right answer of another item together with most of the words of its question. Explanations do not count, because learners read them after answering. Items are also compared with those of earlier banks that `--against` names. Criterion: `distractor_quality`, in `mcq` `distractors`, for the bank as a whole.",
    why: "Learners look for answers in the rest of the test, and find them without knowing anything.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"[{"stem": "Which hormone lowers the glucose level of the blood?", "options": ["Glucagon", "Insulin", "Cortisol"], "answer": "B"}, {"stem": "Insulin is the hormone that lowers the glucose level of the blood. Where is it made?", "options": ["In the liver", "In the pancreas", "In the kidney"], "answer": "B"}]"#,
        passes: r#"[{"stem": "Which hormone lowers the glucose level of the blood?", "options": ["Glucagon", "Insulin", "Cortisol"], "answer": "B"}, {"stem": "Where is insulin made?", "options": ["In the liver", "In the pancreas", "In the kidney"], "answer": "B"}]"#,
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "least-words", what: "minimum words of a question, without short ones, that a sentence must repeat" },
        Parameter { name: "share", what: "share of those words that a sentence must repeat" },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let earlier = &examination.companions.earlier;
    if whole_bank(document).is_none() && earlier.is_empty() {
        return;
    }
    let needed = leaks::Needed {
        words: examination.count("least-words"),
        share: examination.number("share"),
    };
    let own: Vec<ItemView<'_>> = items(document).collect();
    let banks = earlier.iter();
    let others: Vec<(&str, ItemView<'_>)> = banks
        .flat_map(|bank| items(&bank.document).map(|view| (bank.path.as_str(), view)))
        .collect();
    let mut all = own.clone();
    all.extend(others.iter().map(|(_, view)| *view));
    let name = |index: usize| match index.checked_sub(own.len()) {
        None => all[index].id().to_owned(),
        Some(other) => format!("{} of {}", all[index].id(), others[other].0),
    };
    for Stated { by, answer_of, range } in leaks::find(&all, needed) {
        let answer = all[answer_of].correct().map_or("", |key| all[answer_of].option(key));
        let answer = wording::shortened(answer);
        // What stands in an earlier bank is reported where it harms.
        if by < own.len() {
            let message = format!("this gives away the answer of {}: “{answer}”", name(answer_of));
            sink.in_source(range, message);
        } else if answer_of < own.len() {
            let message = format!("{} gives away the answer: “{answer}”", name(by));
            sink.in_source(own[answer_of].stem_range(), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, messages};

    #[test]
    fn only_a_sentence_that_states_the_answer_counts() {
        let asked = r#"{"id": "q1", "stem": "Which planet of the solar system has the shortest year?", "options": ["Venus", "Mercury", "Mars"], "answer": "B"}"#;
        for (stem, expected) in [
            ("Mercury is the planet of our solar system with the shortest year. How long is it?", 1),
            ("Mercury is near the Sun. Which planet of the solar system has the longest year?", 0),
            ("How many moons has Mercury?", 0),
            ("Venus is the planet of our solar system with the longest year. How long is it?", 0),
            ("Quecksilber oder Mercury: Welcher Name ist älter?", 0),
        ] {
            let bank = format!(r#"[{asked}, {{"stem": "{stem}", "options": ["One", "Two", "Three"], "answer": "A"}}]"#);
            assert_eq!(count(&super::CHECK, &bank), expected, "{stem}");
        }
        let bank = format!(r#"[{asked}, {{"stem": "Mercury is the planet of our solar system with the shortest year. How long is it?", "options": ["One", "Two", "Three"], "answer": "A"}}]"#);
        assert_eq!(messages(&super::CHECK, &bank), ["this gives away the answer of q1: “Mercury”"]);
    }
}
