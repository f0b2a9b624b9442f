//! `ambiguous-answer-index`: the key is a number that may count from 0 or from 1.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::items::model::{Key, items, letter};
use crate::items::{key, labels};

pub(super) static CHECK: Check = Check {
    code: "MCQ030",
    name: "ambiguous-answer-index",
    severity: Severity::Error,
    summary: "the key is a number that may count from 0 or from 1",
    what: "Reports keys that are numbers, if nothing says whether they count from 0 or from 1. A bank shows it if one of its keys is 0, or is as high as the number of options, or agrees with a flag or with another field; a field named as an index (`answer_index`) counts from 0 unless the bank shows otherwise. Set `index-base` (or use `--index-base`) to settle it; the key is never guessed. Criterion: `clinical_accuracy`, in `mcq` `accuracy`; field: `answer_key`.",
    why: "If the number is counted from the wrong base, every learner is marked against the wrong option.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"question": "Which planet is the largest?", "options": ["Mars", "Jupiter", "Venus", "Saturn"], "correct": 1, "explanation": "Jupiter has more mass than all others together."}"#,
        passes: r#"[{"question": "Which planet is the largest?", "options": ["Mars", "Jupiter", "Venus", "Saturn"], "correct": 1, "explanation": "Jupiter has more mass than all others together."}, {"question": "Which planet is the hottest?", "options": ["Venus", "Mercury", "Mars", "Neptune"], "correct": 0, "explanation": "Its dense air holds the heat."}]"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "index-base",
        what: "number of the first option in numeric keys: 0 or 1; -1 to infer it from the bank",
    }],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let source = examination.document.source().text();
    for view in items(examination.document) {
        if view.item.key != Key::Number {
            continue;
        }
        let Some(range) = view.item.key_range.clone() else {
            continue;
        };
        let written = source.get(range.clone()).unwrap_or_default();
        let written = written.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '[' | ']'));
        let options = view.options().len();
        let named = |position: Option<usize>| {
            let position = position.filter(|position| *position < options);
            position.map_or("no option".to_owned(), |position| format!("option {}", letter(position)))
        };
        // `(2)`, `Option 2`, `2.0`
        let bare = key::bare_label(written.trim_end_matches(".0")).map(labels::folded);
        let number: Option<usize> = bare.and_then(|bare| bare.parse().ok());
        let from_zero = named(number);
        let from_one = named(number.and_then(|number| number.checked_sub(1)));
        sink.in_source(
            range,
            format!(
                "the key {written} is {from_zero} counted from 0 and {from_one} counted from 1, and nothing else in the file settles it; use --index-base 0 or --index-base 1, or write the letter"
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, messages};

    #[test]
    fn a_number_is_reported_only_where_nothing_settles_it() {
        let item = |fields: &str| format!(r#"{{"question": "q", "options": ["a", "b", "c", "d"], {fields}}}"#);
        for (json, expected) in [
            (item(r#""correct": 1"#), 1),
            (item(r#""correct": "2""#), 1),
            (item(r#""correct": 0"#), 0),
            (item(r#""correct": 4"#), 0),
            (item(r#""correct": "B""#), 0),
            (item(r#""answer_index": 1"#), 0),
            (item(r#""answer": 1, "correct_answer": "b""#), 0),
            (format!("[{}, {}]", item(r#""answer": 2"#), item(r#""answer": 4"#)), 0),
            (format!("[{}, {}]", item(r#""answer": 2"#), item(r#""answer": 3"#)), 2),
            (format!("[{}, {}]", item(r#""answer": 0"#), item(r#""answer": 4"#)), 2),
        ] {
            assert_eq!(count(&super::CHECK, &json), expected, "{json}");
        }
        for (written, shown) in [("1", "1"), (r#""(1)""#, "(1)"), (r#""Option 1""#, "Option 1"), ("1.0", "1.0"), ("[1]", "1")] {
            let message = &messages(&super::CHECK, &item(&format!(r#""correct": {written}"#)))[0];
            let expected = format!("the key {shown} is option B counted from 0 and option A counted from 1");
            assert!(message.starts_with(&expected), "{message}");
        }
    }
}
