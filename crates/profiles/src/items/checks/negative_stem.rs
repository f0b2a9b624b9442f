//! `negative-stem`: the stem is phrased negatively.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use std::ops::Range;

use redraft_gate::content::TextField;
use redraft_gate::policy::Parameters;

use super::GOOD_ITEM;
use crate::check_list::DEFAULTS;
use crate::items::model::{ItemView, items};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ014",
    name: "negative-stem",
    severity: Severity::Warning,
    summary: "the stem is phrased negatively",
    what: "Reports lead-ins that ask for the exception: EXCEPT, NOT, “least likely”, “false”, “incorrect”. In capitals, where it cannot be overlooked, it is only info. Looks only at the sentence that asks the question, not at the case before it. Criterion: `pedagogical_alignment`; field: `stem`.",
    why: "Learners overlook a “not” and are marked wrong although they know the answer; and what is not the case is seldom worth knowing.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which of the following is not a treatment of heart attack?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: GOOD_ITEM,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "phrases", what: "words that make a question negative, in lower case" },Parameter { name: "harmless", what: "phrases that contain such a word without making the question negative" },],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for view in items(examination.document) {
        let Some((field, at)) = negation(view, examination.parameters) else {
            continue;
        };
        let words = field.text.get(at.clone()).unwrap_or_default();
        let loud = words
            .split_whitespace()
            .next_back()
            .is_some_and(|last| last.chars().all(|c| !c.is_lowercase()));
        let message = if loud {
            format!("the stem is phrased negatively (“{words}”)")
        } else {
            format!(
                "the stem is phrased negatively (“{words}”); rephrase it positively, or write the word in capitals"
            )
        };
        let finding = sink.in_text(field, at, message);
        if loud {
            finding.severity(Severity::Info);
        }
    }
}

/// The word that makes an item's question negative, in the sentence that asks it.
/// In a sentence with a blank, the word belongs to the language exercise.
pub(super) fn negation<'a>(
    view: ItemView<'a>,
    parameters: &Parameters,
) -> Option<(&'a TextField, Range<usize>)> {
    let field = view.lead_in()?;
    let range = wording::last_sentence(&field.text);
    let asked = field.text.get(range.clone())?;
    let phrases = parameters.texts(CHECK.name, "phrases");
    let found = wording::find_any(asked, phrases)?;
    let harmless = parameters.texts(CHECK.name, "harmless");
    let is_harmless = harmless
        .iter()
        .any(|phrase| wording::find_phrase(asked, phrase).is_some());
    let in_quotes = asked
        .get(..found.start)
        .is_some_and(|before| before.contains(['"', '“']));
    if is_harmless || in_quotes || wording::blank(asked).is_some() {
        return None;
    }
    Some((field, range.start + found.start..range.start + found.end))
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn only_the_sentence_that_asks_counts() {
        for (stem, expected) in [
            ("All of the following are signs of asthma except:", 1),
            ("Which is NOT a sign of asthma?", 1),
            ("Which is the least likely diagnosis?", 1),
            ("A man does not sleep. What is the cause?", 0),
            ("Which drug is used if he does not respond?", 0),
            ("Which of these is a knot?", 0),
            ("What is the most likely cause?", 0),
            ("He did not ____ the rules.", 0),
        ] {
            let item = item(&format!(r#""stem": "{stem}""#));
            assert_eq!(count(&super::CHECK, &item), expected, "{stem}");
        }
    }
}
