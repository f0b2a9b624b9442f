//! `overlapping-options`: numeric ranges overlap.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use super::lost_sequence::quantities;
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording::{self, Quantity};

pub(super) static CHECK: Check = Check {
    code: "MCQ026",
    name: "overlapping-options",
    severity: Severity::Warning,
    summary: "numeric ranges overlap",
    what: "Where all options are numbers or ranges with the same unit, reports two that share more than an end point (10–20 and 15–25, more than 5 and more than 10). Ranges that only meet at a number are ignored, and so are stems that ask for a range or an age. Criterion: `distractor_quality`; field: `distractors`.",
    why: "If one of two overlapping ranges is right, so is the other, or neither is.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "How many mg is he given?", "options": ["50-100 mg", "75-300 mg", "400-500 mg", "600-700 mg"], "correct_answer": "C", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "How many mg is he given?", "options": ["50-100 mg", "100-300 mg", "400-500 mg", "600-700 mg"], "correct_answer": "B", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        // If the stem asks for a range, the range itself is the answer.
        let asks_for_range = view.lead_in().is_some_and(|field| {
            ["range", "interval", "period", "age"]
                .iter()
                .any(|word| wording::find_phrase(&field.text, word).is_some())
        });
        if asks_for_range {
            continue;
        }
        let Some(quantities) = quantities(view).filter(|quantities| quantities.len() <= 12) else {
            continue;
        };
        let overlapping = (0..quantities.len()).find_map(|second| {
            (0..second)
                .find(|first| overlap(&quantities[*first], &quantities[second]))
                .map(|first| (first, second))
        });
        if let Some((first, second)) = overlapping {
            sink.in_source(
                view.option_range(second),
                format!(
                    "options {} and {} overlap (“{}”, “{}”); make them mutually exclusive",
                    letter(first),
                    letter(second),
                    view.option(first),
                    view.option(second)
                ),
            );
        }
    }
}

/// Whether two ranges share more than an end point, or a number lies inside a
/// range.
fn overlap(a: &Quantity<'_>, b: &Quantity<'_>) -> bool {
    let strictly_in = |point: f64, span: &Quantity<'_>| span.low < point && point < span.high;
    match (a.is_point(), b.is_point()) {
        (true, true) => false,
        (true, false) => strictly_in(a.low, b),
        (false, true) => strictly_in(b.low, a),
        (false, false) => a.low.max(b.low) < a.high.min(b.high),
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn spans_that_meet_do_not_overlap() {
        for (options, expected) in [
            (r#"["10-20", "20-30", "30-40"]"#, 0),
            (r#"["10-20", "15-30", "30-40"]"#, 1),
            (r#"["> 5", "> 10", "> 20"]"#, 1),
            (r#"["< 5", "5-10", "> 10"]"#, 0),
            (r#"["5", "10", "20"]"#, 0),
            (r#"["5-15 mg", "10 kg", "20 g"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "q", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{options}");
        }
    }
}
