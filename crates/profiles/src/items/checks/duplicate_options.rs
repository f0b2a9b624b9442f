//! `duplicate-options`: two options are the same.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::inverted;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ007",
    name: "duplicate-options",
    severity: Severity::Error,
    summary: "two options are the same",
    what: "Reports options that are identical apart from white space and a final full stop, and those that say the same in another order of words (“Myocardial infarction, acute” and “Acute myocardial infarction”, “Cancer of the lung” and “Lung cancer”). Options that differ only in upper and lower case are a warning, because “Co” and “CO” may both be intended. Criterion: `distractor_quality`; field: `distractors`.",
    why: "If one of the two is the key, the other is right as well; if neither is, the item has one option fewer than it seems.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Warfarin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let mut seen: Vec<(String, usize)> = Vec::new();
        for index in 0..view.options().len() {
            let text = view.option(index);
            if text.is_empty() {
                continue;
            }
            seen.push((inverted::natural(text), index));
        }
        seen.sort();
        for pair in seen.windows(2) {
            let ((a, first), (b, second)) = (&pair[0], &pair[1]);
            if a != b {
                continue;
            }
            let [one, other] = [view.option(*first), view.option(*second)];
            let exact = squeezed(one) == squeezed(other) || wording::plain(one) != wording::plain(other);
            // Short symbols may differ only in case.
            if !exact && wording::length(a) < 5 {
                continue;
            }
            let finding = sink.in_source(
                view.option_range(*second),
                format!(
                    "option {} is the same as option {}: “{}”",
                    letter(*second),
                    letter(*first),
                    wording::shortened(one)
                ),
            );
            if !exact {
                finding.severity(Severity::Warning);
            }
        }
    }
}

fn squeezed(text: &str) -> String {
    let words: Vec<&str> = text.trim_end_matches(['.', ';', ',']).split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn the_same_words_are_found_and_other_ones_are_not() {
        for (options, expected) in [
            (r#"["Aspirin", "aspirin ", "Heparin"]"#, 1),
            (r#"["Aspirin", "Aspirin.", "Heparin"]"#, 1),
            (r#"["Co", "CO", "C"]"#, 0),
            (r#"["A. Aspirin", "B. Aspirin", "C. Heparin"]"#, 1),
            (r#"["-5", "5", "+5"]"#, 0),
            (r#"["5 mg", "5 g", "5 kg"]"#, 0),
            (r#"["x", "x", "x", "y"]"#, 2),
            (r#"["Myocardial infarction, acute", "Pneumonia", "Acute myocardial infarction"]"#, 1),
            (r#"["Low sodium, high potassium", "High sodium, low potassium", "Both normal"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
