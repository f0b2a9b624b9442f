//! `redundant-card`: a card repeats another card.

use std::collections::BTreeMap;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{COHERENCE_BELOW, PEDAGOGY_BELOW};
use crate::sqa_lesson::model::{self, Card, Cfu};
use crate::sqa_lesson::wording::{self, Bag};

pub(super) static CHECK: Check = Check {
    code: "SQA003",
    name: "redundant-card",
    severity: Severity::Warning,
    summary: "a card repeats another card",
    what: "Compares the cards with each other. Reports two that ask exactly the same question (stem, subquestions, options and answer), or whose explainers and questions share nearly all of their words. The same task with different numbers is practice and is ignored unless the explainer is repeated, too.",
    why: "Each card should have its own purpose; a repeated one costs ten minutes of a lesson. Caps `coherence` below its threshold of .85 and `pedagogical_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"revision\", \"cards\": [{\"title\": \"Quick recall\", \"explainer\": \"Think of halves.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is one quarter of £20?\", \"expected\": 5}}, {\"title\": \"Exam style\", \"explainer\": \"Now as in an exam.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is one quarter of £20?\", \"expected\": 5}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"revision\", \"cards\": [{\"title\": \"Quick recall\", \"explainer\": \"Think of halves.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is one quarter of £20?\", \"expected\": 5}}, {\"title\": \"Exam style\", \"explainer\": \"Now as in an exam.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"A £24 ticket is reduced by one third. What does it cost now?\", \"expected\": 16}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "similarity", what: "share of common words at which a card counts as a repetition" },
        Parameter { name: "least-words", what: "minimum words for two cards to be compared" },
    ],
    caps: &[PEDAGOGY_BELOW, COHERENCE_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let similarity = examination.number("similarity");
    let least_words = examination.count("least-words");
    let mut asked: BTreeMap<Vec<String>, &Card> = BTreeMap::new();
    let mut seen: Vec<(&Card, Bag)> = Vec::new();
    for card in model::cards(examination.document) {
        let question = question(card);
        if question.len() >= LEAST_QUESTION {
            if let Some(first) = asked.get(&question) {
                report(sink, card, first, "asks the same question as");
                continue;
            }
            asked.insert(question, card);
        }
        let words = Bag::of(&text(card));
        if words.words() < least_words {
            continue;
        }
        let twin = seen
            .iter()
            .rev()
            .find(|(_, other)| words.similarity(other) >= similarity);
        if let Some((first, _)) = twin {
            report(sink, card, first, "is nearly the same as");
        } else if seen.len() < MOST_COMPARED {
            seen.push((card, words));
        }
    }
}

fn report(sink: &mut Sink<'_>, card: &Card, first: &Card, how: &str) {
    let message = format!(
        "card {} {how} card {}; remove one of them, or give card {} a new context and a harder task",
        card.number, first.number, card.number
    );
    sink.in_source(card.anchor(), message).caps(CHECK.caps);
}

/// Shorter questions (“Which one?”) may be asked twice.
const LEAST_QUESTION: usize = 4;

/// A mock exam has 15 cards; comparing every pair is cheap up to this number.
const MOST_COMPARED: usize = 60;

/// The words of a card's questions, with options and expected answers.
fn question(card: &Card) -> Vec<String> {
    let mut words = Vec::new();
    for cfu in card.questions() {
        for text in texts(cfu) {
            words.extend(wording::lower_words(text));
        }
        words.extend(cfu.expected.iter().map(|answer| answer.text.clone()));
    }
    words
}

fn texts(cfu: &Cfu) -> impl Iterator<Item = &str> {
    let options = cfu.options.items.iter().filter_map(|option| option.text.as_ref());
    cfu.stem
        .iter()
        .chain(&cfu.context)
        .chain(options)
        .map(|text| text.value.as_str())
}

/// The explainer and the questions of a card.
fn text(card: &Card) -> String {
    let mut text = card
        .explainer
        .as_ref()
        .map_or_else(String::new, |explainer| explainer.value.clone());
    for cfu in card.questions() {
        for words in texts(cfu) {
            text.push('\n');
            text.push_str(words);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    fn card(explainer: &str, stem: &str, rest: &str) -> String {
        format!(r#"{{"title": "A", "explainer": "{explainer}", "cfu": {{"type": "mcq", "stem": "{stem}"{rest}}}}}"#)
    }

    const LONG: &str = "To find a fraction of an amount, divide by the bottom number and then multiply by the top number, as with a quarter of twenty pounds";

    #[test]
    fn a_card_is_redundant_when_question_or_words_are_repeated() {
        let first = card(LONG, "What is a quarter of £20 in pounds?", "");
        for (second, fires) in [
            (card("Other words.", "What is a quarter of £20 in pounds?", ""), true),
            (card(LONG, "What is a quarter of £24 in pounds?", ""), true),
            (card("Now on your own.", "What is a quarter of £24 in pounds?", ""), false),
            (card("Now with prices in a shop in Perth.", "A coat costs £60. A third is taken off. What is left?", ""), false),
        ] {
            let found = findings(&CHECK, &teach(&format!("{first}, {second}")));
            assert_eq!(!found.is_empty(), fires, "{second} {found:?}");
        }
    }

    #[test]
    fn the_same_stem_with_other_options_is_another_question() {
        let a = card("a", "Which of these is the smallest?", r#", "options": ["1/2", "1/3", "1/4"]"#);
        let b = card("b", "Which of these is the smallest?", r#", "options": ["0.5", "0.3", "0.25"]"#);
        assert!(findings(&CHECK, &teach(&format!("{a}, {b}"))).is_empty());
        let found = findings(&CHECK, &teach(&format!("{a}, {b}, {a}")));
        assert_eq!(
            found[0].message,
            "card 3 asks the same question as card 1; remove one of them, or give card 3 a new context and a harder task"
        );
    }

    #[test]
    fn cards_without_words_are_not_compared() {
        assert!(findings(&CHECK, &teach("{}, {}, null, 5")).is_empty());
    }
}
