//! `all-of-the-above`: an option is “All of the above”.

use redraft_gate::check::{Check, Example, ExampleForm, Parameter};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, options_that_say};
use crate::check_list::DEFAULTS;
use crate::items::whole_list::WholeList;

pub(super) static CHECK: Check = Check {
    code: "MCQ012",
    name: "all-of-the-above",
    severity: Severity::Warning,
    summary: "an option is “All of the above”",
    what: "Reports options that consist of “All of the above” in one of its usual forms. Criterion: `distractor_quality`; field: `distractors`.",
    why: "A learner who sees that two options are right knows the answer, and one who sees that one is wrong has ruled it out; the item no longer tests the remaining options.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "All of the above"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[
        Parameter { name: "phrases", what: "wordings to look for, in lower case" },
        Parameter { name: "first", what: "first words of other wordings" },
        Parameter { name: "words", what: "words that may follow a first word" },
    ],
    run: |examination, sink| options_that_say(examination, sink, WholeList::All),
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
                ("ALL OF THE ABOVE", 1),
                ("All of the above.", 1),
                ("All of the above cells", 0),
                ("All of the options given are correct", 1),
                ("All the statements above are true", 1),
                ("All answers are right", 1),
                ("All of the preceding", 1),
                ("All four of the above", 1),
                ("All of A, B and C", 1),
                ("All four limbs", 0),
                ("Any fever above 39 °C", 0),
                ("Alle genannten Antworten sind richtig", 1),
                ("Todas las respuestas anteriores son correctas", 1),
                ("Toutes les réponses ci-dessus", 1),
                ("Все вышеперечисленное", 1),
                ("以上都是", 1),
                ("Both of the above", 1),
                ("All four options are correct", 1),
                ("Tutte le precedenti", 1),
                ("Wszystkie powyższe odpowiedzi są poprawne", 1),
                ("上記すべて", 1),
                ("كل ما سبق", 1),
                ("All four", 0),
                ("All three drugs", 0),
                ("All correct doses of insulin", 0),
                ("Aspirin", 0),
            ],
        );
    }
}
