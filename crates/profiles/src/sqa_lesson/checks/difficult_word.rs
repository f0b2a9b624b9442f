//! `difficult-word`: words in a plain explainer that a reader at B1 may not know.

use redraft_gate::check::{
    Check, Concern, Examination, Example, ExampleForm, Mends, Parameter, Phase, Sink,
};
use redraft_gate::finding::Severity;

use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::plain_texts;
use crate::sqa_lesson::easy_words::load;
use crate::sqa_lesson::phrases::{find, in_case_of, rows};
use crate::sqa_lesson::plain_language::Plain;
use crate::sqa_lesson::wording::quoted;

pub(super) static CHECK: Check = Check {
    code: "SQA054",
    name: "difficult-word",
    severity: Severity::Warning,
    critical: false,
    mends: Mends::Never,
    phase: Phase::Acceptance,
    concern: Concern::Alignment,
    summary: "words in a plain explainer that are too hard for B1",
    what: "Reports two things in `explainer_plain`: words that have an easy replacement (utilise, purchase, commence), and sentences that weigh too much, with their hard words. A sentence weighs one for each word, and twelve more for each word that is not on our list of some 2,700 easy words. Names, numbers, units and the words of school mathematics are easy. On the sentences of CEFR-SP this finds more of those above B1 than the limit of 15 words, with fewer false alarms. Caps `accessibility` at .90 (seed 000: CEFR A2-B1 language, concrete nouns).",
    why: "A sentence can be short and still say nothing to its reader. One new word can be guessed; three cannot.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"cards": [{"id": "c1", "explainer_plain": "Utilise the bottom number."}]}"#,
            passes: r#"{"cards": [{"id": "c1", "explainer_plain": "Use the bottom number."}]}"#,
            fixed: None,
        },
        Example {
            form: ExampleForm::Json,
            fails: r#"{"cards": [{"id": "c1", "explainer_plain": "Consumers evaluate comparable merchandise before they buy it."}]}"#,
            passes: r#"{"cards": [{"id": "c1", "explainer_plain": "People look at similar things before they buy one."}]}"#,
            fixed: None,
        },
    ],
    parameters: &[
        Parameter {
            name: "limit",
            what: "weight at which a sentence is too hard",
        },
        Parameter {
            name: "words",
            what: "hard words, each with an easy one",
        },
    ],
    caps: &[ACCESSIBILITY_MINOR],
    run,
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let limit = examination.count("limit");
    for text in plain_texts(examination.document) {
        let plain = Plain::of(&text);
        for (range, row) in find(plain.text(), rows(examination.texts("words"))) {
            let found = text.text().get(range.clone()).unwrap_or_default();
            let message = format!(
                "{} says “{found}”, which is above B1; write “{}”",
                text.label(),
                in_case_of(found, row.instead)
            );
            sink.in_text(text.field, range, message).caps(CHECK.caps);
        }
        for sentence in plain.sentences() {
            let load = load(plain.get(sentence));
            if load.weight() < limit || load.hard.is_empty() {
                continue;
            }
            let mut hard = load.hard.clone();
            hard.dedup();
            hard.truncate(6);
            let message = format!(
                "{} has a sentence that is too hard for A2 to B1: {} words, among them {}; use everyday words, or explain each new word in a sentence of its own",
                text.label(),
                load.words,
                quoted(&hard)
            );
            sink.in_text(text.field, sentence.clone(), message).caps(CHECK.caps);
        }
    }
}
