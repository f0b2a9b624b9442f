//! `options-not-parallel`: one option has a different form from the others.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ024",
    name: "options-not-parallel",
    severity: Severity::Warning,
    summary: "one option has a different form from the others",
    what: "Reports the one option that is a full sentence among short terms, or a word among numbers. Options such as “None of these” are left to other checks. Criterion: `distractor_quality`; field: `distractors`.",
    why: "Learners choose or rule out the odd one because of its form.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "It is not possible to treat him before the results are known", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "sentence-words", what: "number of words at which an option counts as a sentence" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let sentence = examination.count("sentence-words");
    for view in items(examination.document) {
        let count = view.options().len();
        if count < 3 {
            continue;
        }
        let is_name = |index: usize| {
            let text = view.option(index);
            !text.is_empty() && !wording::has_words(text, 3) && !text.contains(|c: char| c.is_ascii_digit())
        };
        let quantities: Vec<_> = (0..count)
            .map(|index| wording::quantity(view.option(index)))
            .collect();
        let unit = quantities.iter().flatten().next().map(|quantity| &quantity.unit);
        let is_number = |index: usize| {
            let quantity = quantities.get(index).and_then(Option::as_ref);
            quantity.is_some_and(|quantity| Some(&quantity.unit) == unit)
        };
        let is_sentence = |index: usize| {
            let text = view.option(index);
            wording::has_words(text, sentence) && !text.contains(',')
        };
        let odd = |others: &dyn Fn(usize) -> bool, odd: &dyn Fn(usize) -> bool| {
            let mut different = (0..count).filter(|index| !others(*index));
            let first = different.next()?;
            (different.next().is_none() && odd(first)).then_some(first)
        };
        let stands_out = odd(&is_name, &is_sentence).map(|index| (index, "a full sentence among short terms"));
        let stands_out = stands_out.or_else(|| {
            let is_word = |index: usize| is_name(index) && !is_catch_all(view.option(index));
            odd(&is_number, &is_word).map(|index| (index, "a word among numbers"))
        });
        if let Some((index, how)) = stands_out {
            sink.in_source(
                view.option_range(index),
                format!("option {} is {how}; write all options in the same form", letter(index)),
            );
        }
    }
}

/// Options that fit any list.
fn is_catch_all(option: &str) -> bool {
    ["none", "all", "any", "both", "either", "neither", "never", "nil", "zero", "infinity", "unknown", "normal",
        "no",
        "not", "variable"]
        .iter()
        .any(|word| wording::find_phrase(option, word).is_some())
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn one_odd_option_is_reported() {
        for (options, expected) in [
            (r#"["Aspirin", "Heparin", "It should never be given to anybody at all"]"#, 1),
            (r#"["Aspirin", "It should be given to nobody at all today", "It should never be given to anybody at all"]"#, 0),
            (r#"["1 mg", "2 mg", "Aspirin"]"#, 1),
            (r#"["1 mg", "2 mg", "None"]"#, 0),
            (r#"["Aspirin", "Low-dose heparin", "Warfarin tablets"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
