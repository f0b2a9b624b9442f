//! `longest-option-is-key`: the key is by far the longest option.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Mends, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ011",
    name: "longest-option-is-key",
    severity: Severity::Warning,
    summary: "the key is by far the longest option",
    what: "Compares the length of the key with that of the longest wrong option. Reports a key that is at least half as long again and has at least 25 more characters. While an item is refined, this makes a repair task for its options. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Authors qualify the answer that has to be right. Learners know this and choose the longest option without knowing the answer.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin, chewed at once, unless he is allergic to it or bleeding", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "times-longer", what: "ratio to the longest wrong option at which the key is reported" },Parameter { name: "characters-more", what: "additional characters at which the key is reported" },],
    mends: Mends::ByTask,
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let times = examination.number("times-longer");
    let more = examination.count("characters-more");
    for view in items(examination.document) {
        let Some(key) = view.correct().filter(|_| view.options().len() > 2) else {
            continue;
        };
        let own = wording::length(view.option(key));
        let other = (0..view.options().len())
            .filter(|index| *index != key)
            .map(|index| wording::length(view.option(index)))
            .max()
            .unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "lengths of options")]
        let longer = own as f64 >= other as f64 * times;
        if longer && own >= other + more && other > 0 {
            sink.in_source(
                view.option_range(key),
                format!(
                    "the key {} has {own} characters, the longest wrong option {other}; give the wrong options as much detail, or shorten the key",
                    letter(key)
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn only_a_key_that_stands_out_is_reported() {
        for (options, expected) in [
            (r#"["A long answer that says everything there is to say", "Short", "Brief"]"#, 1),
            (r#"["Short", "A long answer that says everything there is to say", "Brief"]"#, 0),
            (r#"["A long answer that says everything there is to say", "Another answer that says nearly as much", "Brief"]"#, 0),
            (r#"["Aspirin now", "Oxygen", "Rest"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
