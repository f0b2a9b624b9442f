//! `word-repeat-cue`: only the key repeats a word of the stem.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use super::{GOOD_ITEM, negative_stem::negation};
use crate::check_list::DEFAULTS;
use crate::items::model::{items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ018",
    name: "word-repeat-cue",
    severity: Severity::Warning,
    summary: "only the key repeats a word of the stem",
    what: "Looks for a word of at least five letters that occurs in the sentence that asks the question and in the key, but in no other option. Ignores common words of questions and of medicine, and negatively phrased stems. Criterion: `distractor_quality`; field: `distractors`.",
    why: "The repeated word gives the key away to learners who look for such cues.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug inhibits platelet aggregation in thrombosis?", "options": ["An inhibitor of thrombosis", "Furosemide", "Morphine", "Insulin"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "letters", what: "minimum length of a repeated word" },Parameter { name: "common", what: "words to ignore, in lower case" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let least = examination.count("letters");
    let common = examination.texts("common");
    for view in items(examination.document) {
        let (Some(key), Some(field)) = (view.correct(), view.lead_in()) else {
            continue;
        };
        let asked = field
            .text
            .get(wording::last_sentence(&field.text))
            .unwrap_or_default();
        // Longer texts are not questions, and comparing every word with every other
        // would take too long.
        if asked.len() > 2_000 || view.option(key).len() > 500 {
            continue;
        }
        let echo = wording::words(view.option(key)).find(|word| {
            wording::length(word) >= least
                && word.chars().all(char::is_alphabetic)
                && !common.iter().any(|common| alike(common, word))
                && wording::words(asked).any(|other| alike(other, word))
        });
        let Some(echo) = echo else { continue };
        // The key of a negative question is the option that does not belong.
        if negation(view, examination.parameters).is_some() {
            continue;
        }
        let elsewhere = (0..view.options().len())
            .filter(|index| *index != key)
            .any(|index| wording::words(view.option(index)).any(|other| related(other, echo)));
        if !elsewhere {
            sink.in_source(
                view.option_range(key),
                format!("“{echo}” occurs in the stem and in the key {}, but in no other option; reword the key or the stem", letter(key)),
            );
        }
    }
}

/// Whether two words are the same, ignoring short endings: *renal* and *renally*,
/// *thrombosis* and *thrombotic*.
fn alike(a: &str, b: &str) -> bool {
    const ROOT: usize = 7;
    const ENDING: usize = 4;
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let same = short
        .bytes()
        .zip(long.bytes())
        .take_while(|(a, b)| a.eq_ignore_ascii_case(b))
        .count();
    same == short.len() && long.len() - same <= 2 || same >= ROOT && long.len() - same <= ENDING
}

/// Whether two words may be forms of the same word: they start alike.
fn related(a: &str, b: &str) -> bool {
    const SAME: usize = 5;
    alike(a, b)
        || matches!((a.get(..SAME), b.get(..SAME)), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::count;

    #[test]
    fn an_echo_in_the_key_alone_is_a_cue() {
        for (stem, options, expected) in [
            ("Which enzyme digests lactose?", r#"["A lactose splitter", "Pepsin", "Trypsin"]"#, 1),
            ("What digests proteins in milk?", r#"["Proteins", "Pepsin", "Trypsin"]"#, 1),
            ("What digests proteins in milk?", r#"["Proteins", "Protein kinase", "Trypsin"]"#, 0),
            ("What digests proteins in milk?", r#"["Trypsin", "Proteins", "Pepsin"]"#, 0),
            ("Renal stones are best seen by which test?", r#"["Renal ultrasound", "Chest X-ray", "ECG"]"#, 1),
            ("Which drug is used against thrombosis?", r#"["An antithrombotic or thrombotic agent", "Morphine", "Insulin"]"#, 1),
            ("Which drug treats hypertension?", r#"["A hyperthermic bath", "Morphine", "Insulin"]"#, 0),
            ("Which drug is given first?", r#"["The first of them", "Pepsin", "Trypsin"]"#, 0),
            ("Which of the following is a disease?", r#"["Heart disease", "Bread", "Milk"]"#, 0),
        ] {
            let json = format!(r#"{{"stem": "{stem}", "options": {options}, "answer": "A"}}"#);
            assert_eq!(count(&super::CHECK, &json), expected, "{stem} {options}");
        }
    }
}
