//! `calculator-policy`: a question needs a calculator in a lesson without one.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{SCHEME_BELOW, SCHEME_MINOR};
use crate::sqa_lesson::model::{self, Card, Text};
use crate::sqa_lesson::scheme;
use crate::sqa_lesson::wording::{self, lower_words, numbers};

pub(super) static CHECK: Check = Check {
    code: "SQA023",
    name: "calculator-policy",
    severity: Severity::Warning,
    summary: "a question needs a calculator in a lesson without one",
    what: "In lessons whose policy, or whose entry in the scheme of work, does not allow a calculator: reports texts that tell learners to use one, and questions that cannot reasonably be done in the head or on paper (products of two numbers with three or more significant figures, divisions by such a number, sines of odd angles, expected answers with four decimal places). Also reports a lesson that allows a calculator where its scheme of work does not; the reverse is info. A mixed policy is ignored.",
    why: "The non-calculator paper tests what learners can do without one, and the lesson prepares them for it. A breach of the calculator policy caps `sow_template_fidelity` below its threshold of .88.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"policy\": {\"calculator_allowed\": false}, \"cards\": [{\"title\": \"We Do: A Bill\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"Use your calculator to find 347 × 268.\"}}]}",
        passes: "{\"title\": \"Fractions of Amounts\", \"lesson_type\": \"teach\", \"policy\": {\"calculator_allowed\": false}, \"cards\": [{\"title\": \"We Do: A Bill\", \"explainer\": \"Try it with me.\", \"cfu\": {\"type\": \"numeric\", \"stem\": \"Without a calculator, find 340 × 20.\"}}]}",
        fixed: None,
    }],
    caps: &[SCHEME_BELOW, SCHEME_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let Some(template) = model::template(examination.document) else {
        return;
    };
    let matched = scheme::entry(template, examination.companions);
    let planned = matched.and_then(|matched| matched.entry.calculator_allowed);
    let own = template.calculator_allowed.as_ref();
    if let (Some(matched), Some(planned), Some(own)) = (matched, planned, own)
        && planned != own.value
    {
        let (says, severity, cap) = if planned {
            ("the lesson does not allow a calculator, but", Severity::Info, SCHEME_MINOR)
        } else {
            ("the lesson allows a calculator, but", Severity::Warning, SCHEME_BELOW)
        };
        let allows = if planned { " does" } else { " does not" };
        let message = format!("{says} {}{allows}; change the policy to match", matched.name());
        sink.in_source(own.range.clone(), message)
            .severity(severity)
            .caps(&[cap]);
    }
    if own.map(|own| own.value).or(planned) != Some(false) {
        return;
    }
    for card in &template.cards {
        look_at(examination, card, sink);
    }
}

fn look_at(examination: &Examination<'_>, card: &Card, sink: &mut Sink<'_>) {
    let mut told: Vec<&Text> = card.explainer.iter().chain(&card.explainer_plain).collect();
    for question in card.questions() {
        told.extend(question.stem.iter().chain(&question.context).chain(&question.hints.items));
        if let Some(stem) = &question.stem
            && let Some(sum) = hard_sum(&stem.value)
        {
            let message = format!(
                "card {} asks for {sum} in a lesson without a calculator; choose numbers that can be worked out by hand, or allow a calculator",
                card.number
            );
            sink.in_source(stem.range.clone(), message).caps(&[SCHEME_BELOW]);
        }
        for answer in &question.expected {
            if answer.number.is_some_and(|number| decimals(number) > MOST_DECIMALS) {
                let message = format!(
                    "card {} expects {} in a lesson without a calculator; choose numbers with a short result, or ask for a rounded answer",
                    card.number, answer.text
                );
                sink.in_source(answer.range.clone(), message).caps(&[SCHEME_BELOW]);
            }
        }
    }
    for text in told {
        if !tells_to_use_one(&text.value) {
            continue;
        }
        let message = format!(
            "card {} tells learners to use a calculator, but the lesson does not allow one; change the task or the policy",
            card.number
        );
        let at = text.value.to_ascii_lowercase().find("calculator");
        let range = at.map(|at| at..at + "calculator".len());
        let finding = match (text.field(examination.document), range) {
            (Some(field), Some(range)) if field.text.get(range.clone()).is_some() => {
                sink.in_text(field, range, message)
            }
            _ => sink.in_source(text.range.clone(), message),
        };
        finding.caps(&[SCHEME_BELOW]);
    }
}

/// “Use a calculator”, “with your calculator”, but not “without a calculator”.
fn tells_to_use_one(text: &str) -> bool {
    let words = lower_words(text);
    words.iter().enumerate().any(|(at, word)| {
        let is_one = word == "calculator" || word == "calculators";
        let before = words.get(at.saturating_sub(4)..at).unwrap_or_default();
        let says = |list: &[&str]| before.iter().any(|word| list.contains(&word.as_str()));
        is_one && says(&["use", "using", "with", "need", "needs", "on"]) && !says(&["no", "not", "without", "never", "don't", "don’t", "cannot", "can't", "can’t", "non"])
    })
}

/// Decimal places that can be worked out on paper: 0.125 is an eighth.
const MOST_DECIMALS: usize = 3;

fn decimals(number: f64) -> usize {
    let written = number.to_string();
    written.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The first calculation in a text that is too hard to do by hand, as written.
fn hard_sum(text: &str) -> Option<String> {
    let found = numbers(text);
    for pair in found.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let between = text.get(a.range.end..b.range.start)?;
        let sign = between.trim().trim_end_matches('£').trim();
        let figures = |number: &wording::Number| {
            significant_figures(text.get(number.range.clone()).unwrap_or_default())
        };
        let hard = match sign {
            "×" | "*" | "x" => figures(a) >= HARD_FIGURES && figures(b) >= HARD_FIGURES,
            "÷" => figures(b) >= HARD_FIGURES,
            _ => false,
        };
        if hard {
            return text.get(a.range.start..b.range.end).map(str::to_owned);
        }
    }
    let odd_angle = found.iter().find(|number| {
        let before = text.get(..number.range.start).unwrap_or_default();
        let last = wording::last_word(before.trim_end_matches([' ', '(']));
        ["sin", "cos", "tan"].contains(&last.as_str()) && number.value % 15.0 != 0.0
    })?;
    let start = text.get(..odd_angle.range.start)?.trim_end_matches([' ', '(']).len().saturating_sub(3);
    text.get(start..odd_angle.range.end).map(str::to_owned)
}

/// Significant figures from which a factor is too long to work with on paper.
const HARD_FIGURES: usize = 3;

/// Digits of a number without leading and trailing zeros: 2 for 3400 and for 0.34.
fn significant_figures(written: &str) -> usize {
    let digits: String = written.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').len()
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity;

    use super::CHECK;
    use crate::sqa_lesson::testing::{findings, findings_beside, scheme};

    fn lesson(allowed: &str, cfu: &str) -> String {
        format!(
            r#"{{"title": "Bills", "lesson_type": "teach", "policy": {{"calculator_allowed": {allowed}}}, "cards": [{{"explainer": "Be careful.", "cfu": {{{cfu}}}}}]}}"#
        )
    }

    #[test]
    fn a_lesson_without_calculator_asks_nothing_that_needs_one() {
        for (cfu, fires) in [
            (r#""stem": "Use a calculator to find the total.""#, true),
            (r#""stem": "With your calculator, find it.""#, true),
            (r#""stem": "Do not use a calculator.""#, false),
            (r#""stem": "Work without a calculator.""#, false),
            (r#""stem": "A calculator costs £8. What do three cost?""#, false),
            (r#""stem": "Find 347 × 268.""#, true),
            (r#""stem": "Find 340 × 200.""#, false),
            (r#""stem": "Find £12.50 × 16.""#, false),
            (r#""stem": "Find 1728 ÷ 144.""#, true),
            (r#""stem": "Find £18 ÷ 3.""#, false),
            (r#""stem": "Find sin 37° for the ramp.""#, true),
            (r#""stem": "Find cos(60°).""#, false),
            (r#""stem": "A third of 2?", "expected": 0.6667"#, true),
            (r#""stem": "An eighth of 1?", "expected": 0.125"#, false),
            (r#""stem": "q", "hints": ["Check it on a calculator."]"#, true),
        ] {
            assert_eq!(!findings(&CHECK, &lesson("false", cfu)).is_empty(), fires, "{cfu}");
            assert!(findings(&CHECK, &lesson("true", cfu)).is_empty(), "{cfu}");
            assert!(findings(&CHECK, &lesson("null", cfu)).is_empty(), "{cfu}");
        }
    }

    #[test]
    fn the_policy_agrees_with_the_scheme() {
        let entry = |section: &str| {
            scheme(&format!(
                r#"{{"order": 2, "label": "Bills", "policy": {{"calculator_section": "{section}"}}}}"#
            ))
        };
        for (allowed, section, expected) in [
            ("true", "non_calc", Some(Severity::Warning)),
            ("false", "calc", Some(Severity::Info)),
            ("true", "mixed", None),
            ("false", "non_calc", None),
        ] {
            let found = findings_beside(&CHECK, &lesson(allowed, r#""stem": "q""#), &entry(section));
            assert_eq!(found.first().map(|said| said.severity), expected, "{allowed} {section}");
        }
        let silent = lesson("null", r#""stem": "Use a calculator.""#);
        assert_eq!(findings_beside(&CHECK, &silent, &entry("non_calc")).len(), 1);
    }
}
