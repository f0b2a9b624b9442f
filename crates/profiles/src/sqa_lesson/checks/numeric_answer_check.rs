//! `numeric-answer-check`: written-out arithmetic is wrong.

use redraft_gate::check::{Check, Concern, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::arithmetic::{self, Mistake, MistakeKind, Rational};
use crate::sqa_lesson::caps::{ASSESSMENT_BELOW, COHERENCE_BELOW};
use crate::sqa_lesson::card_texts::{CardText, card_texts};
use crate::sqa_lesson::model::{self, Answer, Cfu, CfuKind};

pub(super) static CHECK: Check = Check {
    code: "SQA050",
    name: "numeric-answer-check",
    severity: Severity::Error,
    concern: Concern::Hallucination,
    summary: "written-out arithmetic is wrong",
    what: "Recalculates every equation in explainers, stems, hints, rubrics, right options and clarifications with exact fractions: sums, products, fractions and percentages of amounts, money in pounds and pence, LaTeX, chains with several equals signs. Also compares the single calculation that a stem asks for with `expected` or the right option. Results that cannot be written out may be rounded or truncated; nothing is reported if the sentence says that it rounds or estimates, asks a question, or calls the equation wrong. Ignores distractors and misconceptions, which are wrong on purpose, and everything with variables, ratios, times of day or units that do not match. A result that is silently rounded to a whole number, and a run-on equals sign (`5 + 3 = 8 × 2`), are warnings. Errors cap `assessment_design` and `coherence` below their thresholds (seed 000: no contradictions; accuracy marks for the correct answer).",
    why: "A learner who gets it right is marked wrong, and one who trusts the card learns the mistake.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer": "Divide by the bottom number: £20 ÷ 4 = £6.", "cfu": {"type": "numeric", "stem": "What is £18 ÷ 3?", "expected": 6}}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer": "Divide by the bottom number: £20 ÷ 4 = £5. And £10 ÷ 3 = £3.33.", "cfu": {"type": "numeric", "stem": "What is £18 ÷ 3?", "expected": 6}, "misconceptions": [{"misconception": "1/4 + 1/4 = 2/8", "clarification": "1/4 + 1/4 = 1/2"}]}]}"#,
        fixed: None,
    }],
    caps: &[ASSESSMENT_BELOW, COHERENCE_BELOW],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for text in card_texts(document) {
        if text.card_field.may_be_wrong() {
            continue;
        }
        for mistake in arithmetic::mistakes(text.text()) {
            report(&text, &mistake, sink);
        }
    }
    let cards = model::template(document).map_or(&[][..], |template| &template.cards);
    for cfu in cards.iter().flat_map(model::Card::questions) {
        compare_answer(cfu, sink);
    }
}

fn report(text: &CardText<'_>, mistake: &Mistake, sink: &mut Sink<'_>) {
    // A reader does not need the dollar signs around a formula.
    let quote = |range: &std::ops::Range<usize>| {
        let quoted = text.text().get(range.clone()).unwrap_or_default();
        quoted.replace('$', "")
    };
    let (working, written) = (quote(&mistake.working), quote(&mistake.written));
    let label = text.label();
    let result = &mistake.result;
    let message = match mistake.kind {
        MistakeKind::Wrong => format!(
            "{label}: {working} is {result}, not {written}; write {result}, or correct the working"
        ),
        MistakeKind::Rounded => format!(
            "{label}: {working} is {result}, but {written} is rounded; write {result}, or say that the answer is rounded"
        ),
        MistakeKind::RunOn => format!(
            "{label}: run-on equals sign: {} says that {working} equals {written}; write each step on its own line",
            quote(&mistake.range)
        ),
    };
    let finding = sink.in_text(text.field, mistake.range.clone(), message);
    if mistake.kind == MistakeKind::Wrong {
        finding.caps(CHECK.caps);
    } else {
        finding.severity(Severity::Warning);
    }
}

/// Compares the result of the calculation in a stem with the expected answer.
fn compare_answer(cfu: &Cfu, sink: &mut Sink<'_>) {
    let Some((asked, expected)) = contradiction(cfu) else { return };
    let stem = cfu.stem.as_ref().map_or("", |stem| stem.value.trim());
    let message = format!(
        "the answer to “{stem}” is {}, but {} is expected; correct the answer or the question",
        arithmetic::written(asked),
        expected.text.trim(),
    );
    sink.in_source(expected.range, message).caps(CHECK.caps);
}

/// What a question works out to, where another answer is expected.
pub(crate) fn proven_answer(cfu: &Cfu) -> Option<Rational> {
    contradiction(cfu).map(|(asked, _)| asked)
}

/// What a question works out to, and the other answer that is expected.
fn contradiction(cfu: &Cfu) -> Option<(Rational, Answer)> {
    let stem = cfu.stem.as_ref()?;
    // A question with subquestions is answered in those.
    if !cfu.subquestions.is_empty() {
        return None;
    }
    let asked = arithmetic::asked(&stem.value)?;
    let tolerance = cfu
        .tolerance
        .as_ref()
        .and_then(|tolerance| arithmetic::number(&tolerance.value.abs().to_string()))
        .unwrap_or(Rational::ZERO);
    let expected = match cfu.kind {
        CfuKind::Mcq => key_answer(cfu),
        _ => match cfu.expected.as_slice() {
            [answer] => Some(answer.clone()),
            _ => None,
        },
    };
    let expected = expected?;
    let answer = arithmetic::number(&expected.text)?;
    (!arithmetic::agrees(asked, answer, tolerance)).then_some((asked, expected))
}

/// The option that the key names, if it names exactly one.
fn key_answer(cfu: &Cfu) -> Option<Answer> {
    let [key] = cfu.keys.as_slice() else {
        return None;
    };
    let option = cfu.options.items.get(usize::try_from(key.index?).ok()?)?;
    let text = option.text.as_ref()?;
    Some(Answer {
        range: option.range.clone(),
        text: text.value.clone(),
        number: None,
    })
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{Error, Warning};

    use crate::sqa_lesson::testing::findings;

    fn said(card: &str) -> Vec<(redraft_gate::finding::Severity, String)> {
        let template = format!(r#"{{"cards": [{{"id": "c1", {card}}}]}}"#);
        findings(&super::CHECK, &template)
            .into_iter()
            .map(|said| (said.severity, said.at))
            .collect()
    }

    #[test]
    fn wrong_arithmetic_is_an_error_where_it_teaches() {
        for (card, expected) in [
            (r#""explainer": "£20 ÷ 4 = £6""#, &[(Error, "£20 ÷ 4 = £6")][..]),
            (r#""explainer_plain": "So £20 divided by 4 equals £6.""#, &[(Error, "£20 divided by 4 equals £6")]),
            (r#""cfu": {"stem": "Given 3 × 4 = 13, go on.", "hints": ["1/4 of £20 is £4."]}"#, &[(Error, "3 × 4 = 13"), (Error, "1/4 of £20 is £4")]),
            (r#""rubric": {"criteria": [{"description": "Divides: £18 ÷ 3 = £7", "points": 1}]}"#, &[(Error, "£18 ÷ 3 = £7")]),
            (r#""explainer": "7 ÷ 2 = 4""#, &[(Warning, "7 ÷ 2 = 4")]),
            (r#""explainer": "5 + 3 = 8 × 2 = 16""#, &[(Warning, "5 + 3 = 8 × 2")]),
            (r#""cfu": {"type": "mcq", "stem": "Which is right?", "options": ["3 + 4 = 8", "3 + 4 = 7"], "answerIndex": 1}"#, &[]),
            (r#""cfu": {"type": "mcq", "stem": "Which is right?", "options": ["3 + 4 = 8", "3 + 4 = 7"], "answerIndex": 0}"#, &[(Error, "3 + 4 = 8")]),
            (r#""misconceptions": [{"misconception": "20 ÷ 4 = 6", "clarification": "It is 20 ÷ 4 = 5"}]"#, &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|(severity, at)| (*severity, (*at).to_owned())).collect();
            assert_eq!(said(card), expected, "{card}");
        }
    }

    #[test]
    fn an_expected_answer_is_compared_with_what_is_asked() {
        for (cfu, expected) in [
            (r#""type": "numeric", "stem": "What is 18 ÷ 3?", "expected": 7"#, &["7"][..]),
            (r#""type": "numeric", "stem": "What is 18 ÷ 3?", "expected": 6.0, "tolerance": 0.01"#, &[]),
            (r#""type": "numeric", "stem": "What is £10 ÷ 3?", "expected": 3.33, "money2dp": true"#, &[]),
            (r#""type": "numeric", "stem": "Calculate 25% of £60.", "expected": "£12""#, &["\"£12\""]),
            (r#""type": "mcq", "stem": "Find 1/3 of £18.", "options": ["£5", "£6"], "answerIndex": 0"#, &["\"£5\""]),
            (r#""type": "mcq", "stem": "Find 1/3 of £18.", "options": ["£5", "£6"], "answerIndex": 1"#, &[]),
            (r#""type": "numeric", "stem": "A box costs £12. How much is 1/3 off?", "expected": 8"#, &[]),
        ] {
            let at: Vec<String> = said(&format!(r#""cfu": {{{cfu}}}"#)).into_iter().map(|(_, at)| at).collect();
            assert_eq!(at, expected, "{cfu}");
        }
    }

    #[test]
    fn the_message_says_what_to_write() {
        let found = findings(&super::CHECK, r#"{"cards": [{"id": "a"}, {"id": "b", "explainer": "£20 ÷ 4 = £6"}]}"#);
        assert_eq!(
            found[0].message,
            "card 2 explainer: £20 ÷ 4 is £5, not £6; write £5, or correct the working"
        );
    }
}
