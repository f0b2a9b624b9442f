//! `plain-sentence-too-long`: a sentence in a plain explainer is too long.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ACCESSIBILITY_BELOW, ACCESSIBILITY_MINOR};
use crate::sqa_lesson::card_texts::plain_texts;
use crate::sqa_lesson::plain_language::{Plain, halfway};

pub(super) static CHECK: Check = Check {
    code: "SQA051",
    name: "plain-sentence-too-long",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "a sentence in a plain explainer is too long",
    what: "Counts the words of each sentence in `explainer_plain` as a person would: a formula, a price or a fraction is one word, an operator is none, and a new line starts a new sentence unless it continues in lower case. More than 15 words is a warning that caps `accessibility` at .87 (seed 000: any sentence above 15 words is below the threshold); 13 to 15 words are info that caps it at .90 (seed 000: good accessibility, occasional sentences of 13-15 words).",
    why: "The plain explainer is for readers at A2 to B1 and for readers with dyslexia, who lose the start of a long sentence before they reach its end.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "If six of us share a bill of £30 then you will find that everyone pays £5."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "Six of us share a bill of £30. Everyone pays £5."}]}"#,
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "most",
            what: "maximum number of words in a sentence",
        },
        Parameter {
            name: "target",
            what: "maximum number of words to aim for",
        },
    ],
    caps: &[ACCESSIBILITY_BELOW, ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let (most, target) = (examination.count("most"), examination.count("target"));
    for text in plain_texts(examination.document) {
        let plain = Plain::of(&text);
        for sentence in plain.sentences() {
            let words = plain.words(sentence);
            let length = words.len();
            if length <= target {
                continue;
            }
            let cut = halfway(plain.text(), &words)
                .and_then(|index| words.get(index..index.saturating_add(3)))
                .and_then(|opening| {
                    let range = opening.first()?.0.start..opening.last()?.0.end;
                    text.text().get(range)
                })
                .map(|opening| format!(", for example before “{opening} …”"))
                .unwrap_or_default();
            let halves = length.div_ceil(target.max(1)).max(2);
            let message = if length > most {
                format!(
                    "{} has a sentence of {length} words, but the limit is {most}; split it into {halves} sentences of at most {target} words{cut}",
                    text.label()
                )
            } else {
                format!(
                    "{} has a sentence of {length} words, but at most {target} read best; shorten or split it{cut}",
                    text.label()
                )
            };
            let finding = sink.in_text(text.field, sentence.clone(), message);
            if length > most {
                finding.caps(&[ACCESSIBILITY_BELOW]);
            } else {
                finding.severity(Severity::Info).caps(&[ACCESSIBILITY_MINOR]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Info, Warning};

    use crate::sqa_lesson::testing::findings;

    fn severities(plain: &str) -> Vec<Severity> {
        let template = format!(r#"{{"cards": [{{"id": "c1", "explainer_plain": "{plain}"}}]}}"#);
        findings(&super::CHECK, &template).into_iter().map(|said| said.severity).collect()
    }

    #[test]
    fn twelve_words_pass_thirteen_are_info_and_sixteen_are_too_many() {
        for (words, expected) in [(12, &[][..]), (13, &[Info]), (15, &[Info]), (16, &[Warning]), (40, &[Warning])] {
            let sentence = format!("We{}.", " share".repeat(words - 1));
            assert_eq!(severities(&sentence), expected, "{words}");
        }
    }

    #[test]
    fn lines_formulas_and_lists_are_counted_as_they_are_read() {
        for plain in [
            "One two three four five six seven\\nEight nine ten eleven twelve thirteen fourteen",
            "One two three four five six seven.\\\\nEight nine ten eleven twelve thirteen.",
            "We get $\\\\frac{1}{4} + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1$ here.",
            "So 1 + 2 + 3 + 4 + 5 + 6 = 21.",
            "- one two three four five six\\n- seven eight nine ten eleven\\n- twelve thirteen",
        ] {
            assert_eq!(severities(plain), [], "{plain}");
        }
    }

    #[test]
    fn a_long_sentence_is_found_with_a_place_to_cut() {
        let found = findings(&super::CHECK, r#"{"cards": [{"id": "a"}, {"id": "b"}, {"id": "c", "explainer_plain": "Look. If six of us share a bill of £30 then you will find that everyone pays £5"}]}"#);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, "If six of us share a bill of £30 then you will find that everyone pays £5");
        assert_eq!(
            found[0].message,
            "card 3 explainer_plain has a sentence of 17 words, but the limit is 15; split it into 2 sentences of at most 12 words, for example before “then you will …”"
        );
    }
}
