//! `hint-gives-answer`: a hint, or the example in a question, gives the answer
//! away.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ASSESSMENT_BELOW;
use crate::sqa_lesson::marking::{Rewards, rewards};
use crate::sqa_lesson::model::{self, Card, Cfu};
use crate::sqa_lesson::wording::{self, has_phrase, lower_words, numbers};

pub(super) static CHECK: Check = Check {
    code: "SQA015",
    name: "hint-gives-answer",
    severity: Severity::Warning,
    summary: "a hint, or the example in a question, gives the answer away",
    what: "Looks for the answer in the hints: the expected number or words, the text of the right option, or the result named in the rubric. A number counts if the hint gives it as a result (“= £6”, “around £4”), not if it is used in a calculation or already appears in the question. A hint that names several options is ignored. Also reports a question that uses its own answer as the example of how to write one (“e.g. 4.00”).",
    why: "A hint that gives the answer away ends the thinking it should start. Caps `assessment_design` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"expected\": 6, \"hints\": [\"Divide by three.\", \"What is £18 ÷ 3?\", \"Check: the answer is £6.\"]}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"We Do: Thirds\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"What is a third of £18?\", \"expected\": 6, \"hints\": [\"Divide by three.\", \"What is £18 ÷ 3?\", \"Check: three times your answer must be £18.\"]}}]}",
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for card in model::cards(examination.document) {
        for question in card.questions() {
            let answers = Answers::of(card, question);
            own_example(card, question, &answers, sink);
            for (index, hint) in question.hints.items.iter().enumerate().take(MOST_HINTS) {
                let Some(said) = answers.said_in(&hint.value) else {
                    continue;
                };
                let message = format!(
                    "hint {} of card {} gives away the answer, {said}; hint at the step that leads to it instead",
                    index + 1,
                    card.number
                );
                sink.in_source(hint.range.clone(), message).caps(CHECK.caps);
            }
        }
    }
}

/// Reports “Enter pounds, e.g. 4.00” in a question whose answer is 4.
fn own_example(card: &Card, question: &Cfu, answers: &Answers, sink: &mut Sink<'_>) {
    let Some(stem) = &question.stem else { return };
    let found = numbers(&stem.value).into_iter().find(|number| {
        is_example(&stem.value, number)
            && answers.numbers.iter().any(|answer| same(*answer, number.value))
    });
    if let Some(number) = found {
        let message = format!(
            "the question of card {} uses its own answer, {}, as the example of how to write one; use a different number",
            card.number,
            stem.value.get(number.range).unwrap_or_default()
        );
        sink.in_source(stem.range.clone(), message).caps(CHECK.caps);
    }
}

/// Whether a number is only an example of the format.
fn is_example(text: &str, number: &wording::Number) -> bool {
    let before = text
        .get(..number.range.start)
        .unwrap_or_default()
        .trim_end_matches(['£', ' ', ',', ':', '.']);
    ["e.g", "eg", "for example", "for instance", "such as"]
        .iter()
        .any(|words| {
            let start = before.len().saturating_sub(words.len());
            before
                .get(start..)
                .is_some_and(|end| end.eq_ignore_ascii_case(words))
        })
}

/// More than these are not compared; other checks report them.
const MOST_HINTS: usize = 30;
const MOST_OPTIONS: usize = 30;

/// Numbers and phrases that would give a question's answer away.
#[derive(Debug, Default)]
struct Answers {
    numbers: Vec<f64>,
    phrases: Vec<String>,
    /// The wrong options: a hint that also names one of these only compares.
    others: Vec<String>,
}

impl Answers {
    fn of(card: &Card, question: &Cfu) -> Self {
        let mut answers = Self::default();
        for answer in &question.expected {
            match answer.number {
                Some(number) => answers.numbers.push(number),
                None => answers.add_words(&answer.text),
            }
        }
        let keys: Vec<usize> = question
            .keys
            .iter()
            .filter_map(|key| usize::try_from(key.index?).ok())
            .collect();
        for (index, option) in question.options.items.iter().enumerate().take(MOST_OPTIONS) {
            let Some(text) = &option.text else { continue };
            if keys.contains(&index) || option.correct == Some(true) {
                answers.add_words(&text.value);
            } else {
                answers.others.push(lower_words(&text.value).join(" "));
            }
        }
        if answers.numbers.is_empty() && answers.phrases.is_empty() {
            answers.add_rubric(card, question);
        }
        let given: Vec<f64> = question
            .stem
            .iter()
            .chain(&question.context)
            .flat_map(|text| {
                let mut found = numbers(&text.value);
                found.retain(|number| !is_example(&text.value, number));
                found
            })
            .map(|number| number.value)
            .collect();
        answers.numbers.retain(|number| !given.iter().any(|other| same(*number, *other)));
        answers
    }

    /// Adds an answer in words: a lone amount is a number, several words are a
    /// phrase. A single word could occur by chance and is ignored.
    fn add_words(&mut self, text: &str) {
        let words = lower_words(text);
        match (numbers(text).as_slice(), words.len()) {
            ([number], 1) => self.numbers.push(number.value),
            (_, 2..) => self.phrases.push(words.join(" ")),
            _ => {}
        }
    }

    /// The result that an accuracy criterion names last: “States £6”.
    fn add_rubric(&mut self, card: &Card, question: &Cfu) {
        let own = question.rubric.as_ref();
        for criterion in own.or(card.rubric.as_ref()).into_iter().flat_map(|rubric| &rubric.criteria) {
            let Some(description) = &criterion.description else {
                continue;
            };
            if rewards(&description.value) == Rewards::Accuracy {
                self.numbers
                    .extend(numbers(&description.value).last().map(|number| number.value));
            }
        }
    }

    fn said_in(&self, hint: &str) -> Option<String> {
        let words = lower_words(hint);
        let says = |phrase: &String| has_phrase(&words, phrase);
        if self.others.iter().any(says) {
            return None;
        }
        if let Some(phrase) = self.phrases.iter().find(|phrase| says(phrase)) {
            return Some(format!("“{}”", wording::excerpt(phrase)));
        }
        numbers(hint)
            .into_iter()
            .filter(|number| self.numbers.iter().any(|answer| same(*answer, number.value)))
            .find(|number| is_said_as_result(hint, number))
            .map(|number| {
                let sign = if hint.get(..number.range.start).is_some_and(|before| before.ends_with('£')) { "£" } else { "" };
                format!("{sign}{}", hint.get(number.range).unwrap_or_default())
            })
    }
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Whether a number is given as a result: after “=” or “is”, and not used in
/// another calculation.
fn is_said_as_result(hint: &str, number: &wording::Number) -> bool {
    let before = hint
        .get(..number.range.start)
        .unwrap_or_default()
        .trim_end_matches('£')
        .trim_end();
    let after = hint.get(number.range.end..).unwrap_or_default().trim_start();
    let goes_on = after.starts_with(['÷', '×', '+', '−', '-', '*', '/', '%'])
        || ["of ", "x ", "times ", "divided ", "plus ", "minus ", "decimal", "lots "]
            .iter()
            .any(|word| after.starts_with(word));
    let last = wording::last_word(before);
    let announced = before.ends_with('=')
        || (before.ends_with(char::is_alphabetic) && RESULT_WORDS.contains(&last.as_str()))
        || (before.ends_with(':') && last == "answer");
    announced && !goes_on
}

const RESULT_WORDS: &[&str] = &[
    "is", "are", "be", "equals", "equal", "get", "gets", "gives", "makes", "answer", "about",
    "around", "approximately", "exactly", "leaves", "total",
];

#[cfg(test)]
mod tests {
    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    fn said(cfu: &str, hint: &str) -> Option<String> {
        let card = format!(r#"{{"explainer": "e", "cfu": {{{cfu}, "hints": ["{hint}"]}}}}"#);
        findings(&CHECK, &teach(&card))
            .into_iter()
            .next()
            .map(|said| said.message)
    }

    #[test]
    fn the_answer_is_found_only_where_it_is_said_as_one() {
        let number = r#""type": "numeric", "stem": "What is a third of £18?", "expected": 6.0"#;
        let choice = r#""type": "mcq", "stem": "Which unit?", "options": ["kilograms (kg)", "millilitres (ml)", "3.5"], "answerIndex": 0"#;
        let rubric = r#""type": "structured", "stem": "Find 1/3 of £18.", "rubric": {"criteria": [{"description": "Divides: £18 ÷ 3 = £6", "points": 1}, {"description": "States the final answer: £6", "points": 1}]}"#;
        for (cfu, hint, fires) in [
            (number, "£18 ÷ 3 = £6", true),
            (number, "The answer should be around £6.", true),
            (number, "You should get 6.00 pounds", true),
            (number, "What is £18 ÷ 3?", false),
            (number, "Is it more than 5?", false),
            (number, "See page 6 of your book.", false),
            (number, "What is 6 × 3?", false),
            (number, "Round to 6 decimal places", false),
            (choice, "Think of kilograms (kg) for heavy things.", true),
            (choice, "Is it kilograms (kg) or millilitres (ml)?", false),
            (choice, "Is it heavy or liquid?", false),
            (rubric, "So it is £6.", true),
            (rubric, "Divide £18 by 3.", false),
            // The number is already in the question.
            (r#""type": "numeric", "stem": "Is 12 a multiple of 6?", "expected": 12"#, "The number is 12.", false),
            (r#""type": "short", "stem": "q", "expected": "Correct""#, "Is the unit correct?", false),
        ] {
            assert_eq!(said(cfu, hint).is_some(), fires, "{cfu} {hint}");
        }
    }

    #[test]
    fn a_question_does_not_show_its_own_answer_as_an_example() {
        for (stem, expected) in [
            ("A third of £12? (Enter pounds, e.g., 4.00)", true),
            ("A third of £12? (Enter pounds, for example £4)", true),
            ("A third of £12? (Enter pounds, e.g. 7.50)", false),
            ("Find a third of £12, then add £4.", false),
        ] {
            let cfu = format!(r#""type": "numeric", "stem": "{stem}", "expected": 4.0"#);
            assert_eq!(said(&cfu, "Divide.").is_some(), expected, "{stem}");
        }
        let cfu = r#""type": "numeric", "stem": "A third of £12? (e.g., 4.00)", "expected": 4.0"#;
        let card = format!(r#"{{"explainer": "e", "cfu": {{{cfu}, "hints": ["It is around £4."]}}}}"#);
        assert_eq!(findings(&CHECK, &teach(&card)).len(), 2);
    }

    #[test]
    fn it_names_the_answer_as_the_hint_says_it() {
        let cfu = r#""type": "numeric", "stem": "A third of £12?", "expected": 4"#;
        assert_eq!(
            said(cfu, "It should be around £4.").as_deref(),
            Some("hint 1 of card 1 gives away the answer, £4; hint at the step that leads to it instead")
        );
    }
}
