//! `rubric-without-method-marks`: the rubric of a calculation only rewards the
//! answer.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, ASSESSMENT_MINOR};
use crate::sqa_lesson::marking::{Rewards, rewards};
use crate::sqa_lesson::model::{self, Card, Cfu, CfuKind, Rubric, Template};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::wording::{self, has_phrase, lower_words, quoted};

pub(super) static CHECK: Check = Check {
    code: "SQA008",
    name: "rubric-without-method-marks",
    severity: Severity::Warning,
    summary: "the rubric of a calculation only rewards the answer",
    what: "Looks at rubrics of numeric questions and of structured questions that ask for a calculation. Reports a rubric in which every criterion rewards a result (“States £4”) and none a step (“Divides £12 by 3”). Ignores a single mark for a short sum, starters, multiple choice, and criteria that could be either. Where all criteria of a rubric of at least four marks are clear and the method gets far more or less than 60%, the balance is reported as info.",
    why: "In SQA marking, a learner who slips in the last line keeps the marks for the method: typically 60% method, 40% accuracy. A rubric without method marks caps `assessment_design` below its threshold of .88; the balance alone caps it at .90.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"You Do: A Sale\", \"explainer\": \"Divide, then subtract.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"A coat costs £60 and is reduced by one third. What does it cost now?\", \"expected\": 40, \"rubric\": {\"total_points\": 2, \"criteria\": [{\"description\": \"States the correct answer: £40\", \"points\": 2}]}}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"cards\": [{\"title\": \"You Do: A Sale\", \"explainer\": \"Divide, then subtract.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"A coat costs £60 and is reduced by one third. What does it cost now?\", \"expected\": 40, \"rubric\": {\"total_points\": 2, \"criteria\": [{\"description\": \"Divides £60 by 3 to find the discount\", \"points\": 1}, {\"description\": \"States the new price: £40\", \"points\": 1}]}}}]}",
        fixed: None,
    }],
    parameters: &[
        Parameter { name: "method-share", what: "typical share of marks for the method" },
        Parameter { name: "share-tolerance", what: "accepted distance from that share" },
        Parameter { name: "balance-least-marks", what: "minimum marks for the balance to be checked" },
    ],
    caps: &[ASSESSMENT_BELOW, ASSESSMENT_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    for card in &template.cards {
        if card.role == Some(Role::Starter) {
            continue;
        }
        if let Some(rubric) = &card.rubric {
            look_at(examination, template, card, (rubric, &card.questions()), sink);
        }
        for question in card.questions() {
            if let Some(rubric) = &question.rubric {
                look_at(examination, template, card, (rubric, &[question]), sink);
            }
        }
    }
}

fn look_at(
    examination: &Examination<'_>,
    template: &Template,
    card: &Card,
    (rubric, questions): (&Rubric, &[&Cfu]),
    sink: &mut Sink<'_>,
) {
    let marks = rubric.marks().unwrap_or_default();
    let classified: Vec<(Rewards, f64)> = rubric
        .criteria
        .iter()
        .map(|criterion| {
            let words = criterion.description.as_ref();
            (
                rewards(words.map_or("", |words| words.value.as_str())),
                criterion.points.as_ref().map_or(0.0, |points| points.value),
            )
        })
        .collect();
    if classified.is_empty() || !questions.iter().any(|question| needs_working(question, marks)) {
        return;
    }
    if classified.iter().all(|(what, _)| *what == Rewards::Accuracy) {
        let results: Vec<String> = rubric
            .criteria
            .iter()
            .filter_map(|criterion| criterion.description.as_ref())
            .map(|description| wording::excerpt(&description.value))
            .take(2)
            .collect();
        let message = format!(
            "the rubric of card {} only gives marks for the answer ({}); add a method mark, such as “{}” (1 point), and keep the accuracy mark for the answer",
            card.number,
            quoted(&results),
            method_mark(template, card)
        );
        sink.in_source(rubric.anchor(), message).caps(&[ASSESSMENT_BELOW]);
        return;
    }
    let is_clear = classified.iter().all(|(what, _)| *what != Rewards::Unclear);
    if is_clear && marks >= examination.number("balance-least-marks") {
        let method: f64 = classified
            .iter()
            .filter(|(what, _)| *what == Rewards::Method)
            .map(|(_, points)| points)
            .sum();
        let typical = examination.number("method-share");
        let share = method / marks;
        if (share - typical).abs() > examination.number("share-tolerance") + f64::EPSILON {
            let message = format!(
                "the rubric of card {} gives {method} of {marks} marks for the method; {:.0}% for the method and {:.0}% for accuracy is typical",
                card.number,
                typical * 100.0,
                (1.0 - typical) * 100.0
            );
            sink.in_source(rubric.anchor(), message)
                .severity(Severity::Info)
                .caps(&[ASSESSMENT_MINOR]);
        }
    }
}

/// Whether a question asks for a calculation of more than one step: it gives more
/// than one mark, or it is a word problem with several numbers.
fn needs_working(question: &Cfu, marks: f64) -> bool {
    let Some(stem) = &question.stem else {
        return false;
    };
    let words = lower_words(&stem.value);
    let asks = ASKS.iter().any(|phrase| has_phrase(&words, phrase));
    let is_calculation = match question.kind {
        CfuKind::Numeric => true,
        CfuKind::Structured => asks && stem.value.contains(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    let is_word_problem =
        words.len() >= LEAST_WORDS && wording::numbers(&stem.value).len() >= 2;
    is_calculation && (marks >= 2.0 || is_word_problem)
}

/// Words that ask for a calculation.
const ASKS: &[&str] = &[
    "calculate", "work out", "find", "how much", "how many", "how long", "how far", "solve",
    "working", "what is the total", "what is the cost",
];

/// “What is 7 × 8?” is a sum, not a problem.
const LEAST_WORDS: usize = 10;

/// A method mark in the words of the lesson: the first operation mentioned on the
/// card, otherwise on one of the cards before it.
fn method_mark(template: &Template, card: &Card) -> String {
    let before = template.cards.iter().filter(|other| other.number < card.number).rev();
    for card in std::iter::once(card).chain(before.take(3)) {
        let mut text = card.explainer.as_ref().map_or_else(String::new, |text| text.value.to_lowercase());
        for hint in card.hints() {
            text.push_str(&hint.value.to_lowercase());
        }
        let first = OPERATIONS
            .iter()
            .filter_map(|(stem, operation)| text.find(stem).map(|at| (at, operation)))
            .min();
        if let Some((_, operation)) = first {
            return format!("Uses {operation} on the right numbers, with the working shown");
        }
    }
    "Shows a correct method, with each step written down".to_owned()
}

const OPERATIONS: &[(&str, &str)] = &[
    ("divi", "division"),
    ("multipl", "multiplication"),
    ("subtract", "subtraction"),
    ("add ", "addition"),
];

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, teach};

    const PROBLEM: &str = "A jacket at £48 is reduced by a quarter. How much does it cost now, with £2 for the bag?";

    fn card(title: &str, kind: &str, stem: &str, criteria: &[(&str, u8)]) -> String {
        let criteria: Vec<String> = criteria
            .iter()
            .map(|(description, points)| format!(r#"{{"description": "{description}", "points": {points}}}"#))
            .collect();
        format!(
            r#"{{"title": "{title}", "explainer": "First divide, then subtract.", "cfu": {{"type": "{kind}", "stem": "{stem}", "rubric": {{"criteria": [{}]}}}}}}"#,
            criteria.join(", ")
        )
    }

    fn severity(card: &str) -> Option<Severity> {
        findings(&CHECK, &teach(card)).first().map(|said| said.severity)
    }

    #[test]
    fn only_calculations_that_reward_nothing_but_the_answer_are_reported() {
        let answer = &[("States the final answer: £38", 1)][..];
        let warning = Some(Severity::Warning);
        for (card, expected) in [
            (card("We Do: a", "numeric", PROBLEM, answer), warning),
            (card("We Do: a", "numeric", "What is a quarter of £48?", &[("Correct answer", 2)]), warning),
            (card("We Do: a", "structured", PROBLEM, &[("States £12", 1), ("Correct answer: £38", 1)]), warning),
            (card("We Do: a", "numeric", PROBLEM, &[("Divides by 4", 1), ("States £38", 1)]), None),
            (card("We Do: a", "numeric", PROBLEM, &[("Finds the discount", 1), ("States £38", 1)]), None),
            (card("We Do: a", "numeric", "What is 7 × 8?", &[("States 56", 1)]), None),
            (card("Starter: a", "numeric", PROBLEM, answer), None),
            (card("We Do: a", "mcq", PROBLEM, answer), None),
            (card("We Do: a", "structured", "Name two units of length.", &[("States metre", 1), ("States mile", 1)]), None),
            (card("We Do: a", "numeric", PROBLEM, &[]), None),
        ] {
            assert_eq!(severity(&card), expected, "{card}");
        }
    }

    /// Seed 000, feedback example 3: a rubric that only awards the final answer.
    #[test]
    fn the_advice_is_a_criterion_in_the_words_of_the_lesson() {
        let found = findings(
            &CHECK,
            &teach(&card("We Do: a", "numeric", PROBLEM, &[("States the final answer: £38", 1)])),
        );
        assert_eq!(
            found[0].message,
            "the rubric of card 1 only gives marks for the answer (“States the final answer: £38”); add a method mark, such as “Uses division on the right numbers, with the working shown” (1 point), and keep the accuracy mark for the answer"
        );
    }

    #[test]
    fn the_balance_is_info_from_four_marks_on() {
        for (method, accuracy, expected) in [
            (3, 2, None),
            (2, 2, None),
            (1, 3, Some(Severity::Info)),
            (5, 1, Some(Severity::Info)),
            (1, 2, None),
        ] {
            let card = card("We Do: a", "numeric", PROBLEM, &[("Divides by 4", method), ("States £38", accuracy)]);
            assert_eq!(severity(&card), expected, "{method} {accuracy}");
        }
    }
}
