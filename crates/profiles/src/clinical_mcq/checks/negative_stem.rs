//! `negative-stem`: the stem asks for what is not so.

use redraft_core::check::{Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink};
use redraft_core::finding::Severity;

use crate::clinical_mcq::model::items;
use crate::clinical_mcq::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ014",
    name: "negative-stem",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Semantics,
    concern: Concern::Alignment,
    summary: "the stem asks for what is not so",
    what: "Reports lead-ins that turn the question round: EXCEPT, NOT, “least likely”, “false”, “incorrect”. Written in capitals, so that nobody overlooks it, it is a remark. Only the sentence that asks is looked at, not the case before it. Criterion: pedagogical_alignment; the field is `stem`.",
    why: "Learners overlook a “not” and are marked wrong for knowing the answer; and what is not so is seldom worth knowing.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which of the following is not a treatment of heart attack?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#,
            fixed: None,
        },
    ],
    parameters: &[Parameter { name: "phrases", what: "words that turn a question round, in lower case" },Parameter { name: "harmless", what: "phrases with such a word that do not" },],
    caps: &[],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let phrases = examination.texts("phrases");
    let harmless = examination.texts("harmless");
    for view in items(examination.document) {
        let Some(field) = view.lead_in() else {
            continue;
        };
        let range = wording::last_sentence(&field.text);
        let Some(asked) = field.text.get(range.clone()) else {
            continue;
        };
        let found = phrases
            .iter()
            .find_map(|phrase| wording::find_phrase(asked, phrase))
            .filter(|_| {
                !harmless
                    .iter()
                    .any(|phrase| wording::find_phrase(asked, phrase).is_some())
            });
        let Some(found) = found else { continue };
        let words = asked.get(found.clone()).unwrap_or_default();
        let loud = words.chars().any(char::is_uppercase)
            && words
                .split_whitespace()
                .next_back()
                .is_some_and(|last| last.chars().all(|c| !c.is_lowercase()));
        let at = range.start + found.start..range.start + found.end;
        let finding = sink.in_text(
            field,
            at,
            if loud {
                format!("the stem asks for what is not so (“{words}”)")
            } else {
                format!("the stem asks for what is not so (“{words}”); ask for what is, or write the word in capitals")
            },
        );
        if loud {
            finding.severity(Severity::Info);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::clinical_mcq::checks::testing::{count, item};

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
        ] {
            let item = item(&format!(r#""stem": "{stem}""#));
            assert_eq!(count(&super::CHECK, &item), expected, "{stem}");
        }
    }
}
