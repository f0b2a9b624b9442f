//! `inconsistent-cfu-shape`: a question lacks what its type needs, or is
//! written unlike the others.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, COHERENCE_MINOR};
use crate::sqa_lesson::model::{self, Card, Cfu, Choice, CfuKind, Template};
use crate::sqa_lesson::wording::{counted, lower_words, numbers, quoted};

pub(super) static CHECK: Check = Check {
    code: "SQA026",
    name: "inconsistent-cfu-shape",
    severity: Severity::Warning,
    summary: "a question lacks what its type needs, or is written unlike the others",
    what: "Reports a question without a stem or of an unknown type, a card without any question among others that have one, multiple choice with fewer than 3 or more than 5 options, with a repeated option or one without words, a numeric question without an expected number, and options on a question that is not multiple choice. As info, reports a template that writes some options as texts and others as objects, keeps some rubrics on the card and others in the question, or spells the same type in two ways.",
    why: "An incomplete question shows up as an empty card. That caps `assessment_design` below its threshold of .88; a mixed style caps `coherence` at .90.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\", \"cfu\": {\"type\": \"mcq\", \"stem\": \"Which is one half?\", \"options\": [\"1/3\", \"1/2\"], \"answerIndex\": 1}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"Starter: Halves\", \"explainer\": \"Halve it.\", \"cfu\": {\"type\": \"mcq\", \"stem\": \"Which is one half?\", \"options\": [\"1/3\", \"1/2\", \"2/1\"], \"answerIndex\": 1}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "options-least", what: "minimum options in a multiple-choice question" },
        Parameter { name: "options-most", what: "maximum options in a multiple-choice question" },
    ],
    caps: &[ASSESSMENT_BELOW, COHERENCE_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let options = (
        examination.count("options-least"),
        examination.count("options-most"),
    );
    for card in &template.cards {
        for cfu in &card.cfus {
            look_at(card, cfu, Level::Question, options, sink);
        }
    }
    without_question(template, sink);
    mixed_styles(template, sink);
}

/// The only cards without a question, where all others have one.
fn without_question(template: &Template, sink: &mut Sink<'_>) {
    const FEWEST: usize = 2;
    let lacks = |card: &&Card| card.cfus.is_empty();
    let without = template.cards.iter().filter(lacks).count();
    let with = template.cards.len() - without;
    if with < FEWEST || without * 3 > template.cards.len() {
        return;
    }
    for card in template.cards.iter().filter(lacks) {
        let message = format!("card {} has no question, unlike the others; write its cfu", card.number);
        sink.in_source(card.anchor(), message).caps(&[ASSESSMENT_BELOW]);
    }
}

/// Whether a question is on its own or belongs to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Question,
    Subquestion,
}

fn look_at(card: &Card, cfu: &Cfu, level: Level, range: (usize, usize), sink: &mut Sink<'_>) {
    for subquestion in &cfu.subquestions {
        look_at(card, subquestion, Level::Subquestion, range, sink);
    }
    if cfu.range.len() <= EMPTY {
        return;
    }
    for problem in problems(cfu, level, range) {
        let message = format!("the question of card {} {problem}", card.number);
        sink.in_source(cfu.anchor(), message).caps(&[ASSESSMENT_BELOW]);
    }
}

/// The length of `{}`.
const EMPTY: usize = 2;

fn problems(cfu: &Cfu, level: Level, (least, most): (usize, usize)) -> Vec<String> {
    let mut problems = Vec::new();
    let has_stem = cfu.stem.as_ref().is_some_and(|stem| !stem.value.trim().is_empty());
    if !has_stem && cfu.subquestions.is_empty() {
        problems.push("has no stem; write the question".to_owned());
    }
    let options = cfu.options.items.len();
    match cfu.kind {
        CfuKind::Mcq if options < least || options > most => problems.push(format!(
            "has {}; give {least} to {most}, with a likely mistake as each wrong option",
            if options == 0 { "no options".to_owned() } else { counted(options, "option") }
        )),
        CfuKind::Mcq if cfu.options.items.iter().any(is_blank) => {
            problems.push("has an option without words; write it".to_owned());
        }
        CfuKind::Mcq => problems.extend(repeated_option(cfu).map(|option| {
            format!("has the option “{option}” twice; replace one of them")
        })),
        CfuKind::Numeric if cfu.expected.is_empty() && cfu.subquestions.is_empty() => {
            problems.push("is numeric, but has no expected answer; set expected".to_owned());
        }
        CfuKind::Numeric if cfu.expected.iter().all(|answer| answer.number.is_none() && numbers(&answer.text).is_empty()) && !cfu.expected.is_empty() => {
            problems.push("is numeric, but expects a text; set expected to a number, or make it short_text".to_owned());
        }
        CfuKind::Structured | CfuKind::ShortText if options > 0 => {
            problems.push(format!(
                "is a {}, but has options; make it multiple choice or remove them",
                cfu.kind.words()
            ));
        }
        // Subquestions inherit their type; a question must state it.
        CfuKind::Other => match &cfu.kind_written {
            Some(written) => problems.push(format!(
                "has the unknown type “{}”; use mcq, numeric, structured_response or short_text",
                written.value
            )),
            None if level == Level::Question && has_stem => {
                problems.push("has no type; use mcq, numeric, structured_response or short_text".to_owned());
            }
            None => {}
        },
        _ => {}
    }
    problems
}

/// An option that is `null`, an object without text, or an empty string.
fn is_blank(option: &Choice) -> bool {
    option.text.as_ref().is_none_or(|text| text.value.trim().is_empty())
}

fn repeated_option(cfu: &Cfu) -> Option<&str> {
    let texts: Vec<&str> = cfu
        .options
        .items
        .iter()
        .filter_map(|option| option.text.as_ref())
        .map(|text| text.value.trim())
        .collect();
    let repeated = texts.iter().enumerate().find(|(index, text)| {
        let earlier = texts.get(..*index).unwrap_or_default();
        !text.is_empty() && earlier.contains(text)
    });
    repeated.map(|(_, text)| *text)
}

fn mixed_styles(template: &Template, sink: &mut Sink<'_>) {
    let questions: Vec<(&Card, &Cfu)> = template
        .cards
        .iter()
        .flat_map(|card| card.questions().into_iter().map(move |question| (card, question)))
        .collect();
    let mut report = |card: &Card, what: &str| {
        let message = format!("card {} {what}", card.number);
        sink.in_source(card.anchor(), message)
            .severity(Severity::Info)
            .caps(&[COHERENCE_MINOR]);
    };
    let mut forms = questions
        .iter()
        .flat_map(|(card, question)| question.options.items.iter().map(move |option| (card, option.form)));
    if let Some((_, first)) = forms.next()
        && let Some((card, _)) = forms.find(|(_, form)| *form != first)
    {
        report(card, "writes options differently from the cards before it: some are texts, some objects; use one form throughout");
    }
    let mut rubrics = template.cards.iter().filter_map(|card| {
        let on_card = card.rubric.is_some();
        let in_question = card.questions().iter().any(|question| question.rubric.is_some());
        (on_card != in_question).then_some((card, on_card))
    });
    if let Some((_, first)) = rubrics.next()
        && let Some((card, on_card)) = rubrics.find(|(_, on_card)| *on_card != first)
    {
        let what = if on_card {
            "keeps its rubric on the card, but earlier cards keep it in the question; use one form throughout"
        } else {
            "keeps its rubric in the question, but earlier cards keep it on the card; use one form throughout"
        };
        report(card, what);
    }
    for kind in [CfuKind::Structured, CfuKind::ShortText] {
        let mut written = questions.iter().filter(|(_, question)| question.kind == kind).filter_map(
            |(card, question)| Some((*card, question.kind_written.as_ref()?.value.as_str())),
        );
        if let Some((_, first)) = written.next()
            && let Some((card, other)) = written.find(|(_, other)| lower_words(other) != lower_words(first))
        {
            report(card, &format!("spells a question type in a second way: {}; use one spelling throughout", quoted(&[first, other])));
        }
    }
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    fn found(cards: &[&str]) -> Vec<(Severity, String)> {
        let cards: Vec<String> = cards
            .iter()
            .map(|card| format!(r#"{{"explainer": "e", {card}}}"#))
            .collect();
        findings(&CHECK, &teach(&cards.join(", ")))
            .into_iter()
            .map(|said| (said.severity, said.message))
            .collect()
    }

    #[test]
    fn a_question_has_what_its_type_needs() {
        for (cfu, expected) in [
            (r#"{"type": "mcq", "stem": "q", "options": ["a", "b", "c"]}"#, None),
            (r#"{"type": "mcq", "stem": "q", "options": ["a", "b"]}"#, Some("has 2 options;")),
            (r#"{"type": "mcq", "stem": "q", "options": ["a", "b", "c", "d", "e", "f"]}"#, Some("has 6 options;")),
            (r#"{"type": "mcq", "stem": "q"}"#, Some("has no options;")),
            (r#"{"type": "mcq", "stem": "q", "options": ["a", "b", "a"]}"#, Some("has the option “a” twice;")),
            (r#"{"type": "numeric", "stem": "q", "expected": 4}"#, None),
            (r#"{"type": "numeric", "stem": "q", "expected": "£4.00"}"#, None),
            (r#"{"type": "numeric", "stem": "q"}"#, Some("has no expected answer;")),
            (r#"{"type": "numeric", "stem": "q", "expected": "four"}"#, Some("expects a text;")),
            (r#"{"type": "structured_response", "stem": "q"}"#, None),
            (r#"{"type": "structured", "parts": [{"stem": "a", "type": "short", "expected": "kg"}]}"#, None),
            (r#"{"type": "structured", "stem": "q", "parts": [{"stem": "a"}]}"#, None),
            (r#"{"type": "short_text", "stem": "q", "options": ["a", "b", "c"]}"#, Some("has options;")),
            (r#"{"type": "essay", "stem": "q"}"#, Some("the unknown type “essay”;")),
            (r#"{"stem": "q"}"#, Some("has no type;")),
            (r#"{"type": "short_text", "stem": " "}"#, Some("has no stem;")),
            ("{}", None),
        ] {
            let found = found(&[&format!(r#""cfu": {cfu}"#)]);
            match expected {
                Some(words) => assert!(found[0].1.contains(words), "{cfu} {found:?}"),
                None => assert!(found.is_empty(), "{cfu} {found:?}"),
            }
        }
    }

    #[test]
    fn mixed_styles_are_info() {
        let plain = r#""cfu": {"type": "mcq", "stem": "q", "options": ["a", "b", "c"]}"#;
        let objects = r#""cfu": {"type": "mcq", "stem": "q", "options": [{"text": "a"}, {"text": "b"}, {"text": "c"}]}"#;
        let structured = r#""cfu": {"type": "structured", "stem": "q"}"#;
        let response = r#""cfu": {"type": "structured_response", "stem": "q"}"#;
        let on_card = r#""cfu": {"type": "structured", "stem": "q"}, "rubric": {}"#;
        let in_question = r#""cfu": {"type": "structured", "stem": "q", "rubric": {}}"#;
        for (cards, expected) in [
            (&[plain, plain][..], None),
            (&[plain, objects], Some("some are texts, some objects")),
            (&[structured, structured], None),
            (&[structured, response], Some("“structured” and “structured_response”")),
            (&[on_card, on_card], None),
            (&[on_card, structured, in_question], Some("but earlier cards keep it on the card")),
        ] {
            let found = found(cards);
            match expected {
                Some(words) => {
                    assert!(found[0].1.contains(words), "{cards:?} {found:?}");
                    assert_eq!(found[0].0, Severity::Info);
                }
                None => assert!(found.is_empty(), "{cards:?} {found:?}"),
            }
        }
    }
}
