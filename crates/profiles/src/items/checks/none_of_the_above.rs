//! `none-of-the-above`: an option is “None of the above”.

use redraft_gate::check::{Check, Example, ExampleForm, Parameter};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, options_that_say};
use crate::check_list::DEFAULTS;
use crate::items::whole_list::WholeList;

pub(super) static CHECK: Check = Check {
    code: "MCQ013",
    name: "none-of-the-above",
    severity: Severity::Warning,
    summary: "an option is “None of the above”",
    what: "Reports options that consist of “None of the above” in one of its usual forms. Criterion: `distractor_quality`; field: `distractors`.",
    why: "It tests whether the learner can recognise wrong answers, not whether they know the right one; and the best of the other options can often be defended.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "None of the above"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[
        Parameter { name: "phrases", what: "wordings to look for, in lower case" },
        Parameter { name: "first", what: "first words of other wordings" },
        Parameter { name: "words", what: "words that may follow a first word" },
    ],
    run: |examination, sink| options_that_say(examination, sink, WholeList::None),
    ..DEFAULTS
};

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::counted_alone;

    #[test]
    fn the_phrase_alone_counts() {
        counted_alone(
            &super::CHECK,
            &[
                ("NONE OF THE ABOVE", 1),
                ("None of the above.", 1),
                ("None of the above cells", 0),
                ("None of the options given is correct", 1),
                ("No answer is correct", 1),
                ("Keine der genannten Antworten", 1),
                ("Ninguna de las anteriores es correcta", 1),
                ("Aucune de ces réponses", 1),
                ("Ничего из перечисленного", 1),
                ("以上都不是", 1),
                ("No treatment", 0),
                ("None of the drugs", 0),
                ("Aspirin", 0),
            ],
        );
    }
}
