//! `lost-sequence`: numeric options are out of order.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::items::model::{ItemView, items};
use crate::items::wording::{self, Quantity};

pub(super) static CHECK: Check = Check {
    code: "MCQ023",
    name: "lost-sequence",
    severity: Severity::Info,
    summary: "numeric options are out of order",
    what: "Where all options are numbers or ranges with the same unit, checks that they are in ascending or descending order. Criterion: `distractor_quality`; field: `distractors`.",
    why: "The learner has to search for a number that could be found at a glance; that takes time and tests nothing.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "At how many mg is it given?", "options": ["300 mg", "75 mg", "600 mg", "150 mg"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "At how many mg is it given?", "options": ["75 mg", "150 mg", "300 mg", "600 mg"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let Some(quantities) = quantities(view) else {
            continue;
        };
        let rises = quantities.windows(2).all(|pair| key(&pair[0]) <= key(&pair[1]));
        let falls = quantities.windows(2).all(|pair| key(&pair[0]) >= key(&pair[1]));
        if !rises && !falls {
            sink.in_source(
                view.options_range(),
                format!("the {} numeric options are out of order; sort them", quantities.len()),
            );
        }
    }
}

fn key(quantity: &Quantity<'_>) -> (f64, f64) {
    (quantity.low, quantity.high)
}

/// The options as quantities, if all of them are quantities with the same unit
/// (or none).
pub(super) fn quantities<'a>(view: ItemView<'a>) -> Option<Vec<Quantity<'a>>> {
    let count = view.options().len();
    let mut quantities: Vec<Quantity<'a>> = Vec::with_capacity(count);
    for text in view.option_texts() {
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        quantities.push(wording::quantity(text)?);
    }
    let mut units = quantities
        .iter()
        .map(|quantity| &quantity.unit)
        .filter(|unit| !unit.is_empty());
    let first = units.next();
    let same = units.all(|unit| Some(unit) == first);
    (count > 2 && same).then_some(quantities)
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn numbers_with_one_unit_are_compared() {
        for (options, expected) in [
            (r#"["3", "1", "2"]"#, 1),
            (r#"["1", "2", "3"]"#, 0),
            (r#"["3", "2", "1"]"#, 0),
            ("[2, 1, 3]", 1),
            (r#"["5 mg", "1 g", "2 mg"]"#, 0),
            (r#"["10-20%", "0-10%", "20-30%"]"#, 1),
            (r#"["1st", "3rd", "2nd"]"#, 0),
            (r#"["Aspirin", "Heparin", "Insulin"]"#, 0),
            (r#"["1:4", "1:2", "1:8"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
