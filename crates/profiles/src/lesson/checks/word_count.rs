//! `word-count`: the lesson is too short or too long for its duration.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::{Remedy, Severity};
use redraft_gate::metrics;

use crate::check_list::DEFAULTS;
use crate::lesson::structure;

pub(super) static CHECK: Check = Check {
    code: "LES001",
    name: "word-count",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "the lesson is too short or too long for its duration",
    what: "Compares the number of words, in any script and without code, with the duration in the specification: 120 to 600 words per minute, with a minimum of 300 and a maximum of 25,000. Less than half of the minimum or more than twice the maximum is an error. Without a duration, 500 to 10,000 words are usual; anything else is only info, because no length was requested, and texts without several sections are skipped.",
    why: "A half-hour lesson that takes two minutes to read leaves a class idle; one that is three times too long is never finished.",
    examples: &[Example {
        form: ExampleForm::Markdown,
        fails: "# Water\n\nWater boils at 100 °C.\n\n## Heat\n\nHeat makes water boil.\n\n## Steam\n\nSteam is water in the air.\n",
        passes: "Water boils at 100 °C. Heat makes it boil.\n",
        fixed: None,
    }],
    parameters: &[
        Parameter {
            name: "words-per-minute-least",
            what: "minimum number of words per minute",
        },
        Parameter {
            name: "words-per-minute-most",
            what: "maximum number of words per minute",
        },
        Parameter {
            name: "least",
            what: "minimum number of words for any duration",
        },
        Parameter {
            name: "most",
            what: "maximum number of words for any duration",
        },
        Parameter {
            name: "usual-least",
            what: "usual minimum number of words without a duration",
        },
        Parameter {
            name: "usual-most",
            what: "usual maximum number of words without a duration",
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    let words = metrics::word_count(document);
    // `empty-section` reports an empty document.
    if words == 0 {
        return;
    }
    let minutes = examination
        .companions
        .specification
        .as_ref()
        .and_then(|specification| specification.minutes)
        .filter(|minutes| minutes.is_finite() && *minutes > 0.0);
    if let Some(minutes) = minutes {
        timed(examination, sink, words, minutes);
    } else if structure::is_whole(document) {
        let (least, most) = (
            examination.count("usual-least"),
            examination.count("usual-most"),
        );
        if let Some(how) = outside(words, least, most) {
            let message = format!("the lesson has {} words; {how}", grouped(words));
            structure::report(document, sink, message).severity(Severity::Info);
        }
    }
}

/// Ruling 11: below half of the minimum or above twice the maximum is an error.
fn timed(examination: &Examination<'_>, sink: &mut Sink<'_>, words: usize, minutes: f64) {
    let of_minutes = |parameter: &str| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "both factors are positive and the cast saturates"
        )]
        let count = (minutes * examination.number(parameter)) as usize;
        count
    };
    let most = of_minutes("words-per-minute-most").min(examination.count("most"));
    let least = of_minutes("words-per-minute-least")
        .max(examination.count("least"))
        // After some hours the minimum would exceed the maximum.
        .min(most);
    let Some(how) = outside(words, least, most) else {
        return;
    };
    let message = format!(
        "the lesson has {} words for {minutes} minutes; {how}",
        grouped(words)
    );
    let finding = structure::report(examination.document, sink, message);
    // What it takes to be merely too short or too long.
    let wanted = if words.saturating_mul(2) < least {
        least.div_ceil(2)
    } else if words > most.saturating_mul(2) {
        most.saturating_mul(2)
    } else {
        return;
    };
    let hundredths = wanted.saturating_mul(100) / words;
    finding.severity(Severity::Error).remedy(Remedy::Resize {
        hundredths: u32::try_from(hundredths).unwrap_or(u32::MAX),
    });
}

fn outside(words: usize, least: usize, most: usize) -> Option<String> {
    if words < least {
        Some(format!("the minimum is {}", grouped(least)))
    } else if words > most {
        Some(format!("the maximum is {}", grouped(most)))
    } else {
        None
    }
}

/// A number with thousands separators.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use redraft_gate::finding::Severity::{self, Error, Info, Warning};

    use crate::lesson::checks::testing::severities;

    #[test]
    fn words_are_compared_with_the_minutes_that_were_given() {
        let cases: [(usize, Option<u32>, Option<Severity>); 13] = [
            (600, None, None),
            (300, None, Some(Info)),
            (12_000, None, Some(Info)),
            (1_200, Some(10), None),
            (1_199, Some(10), Some(Warning)),
            (600, Some(10), Some(Warning)),
            (590, Some(10), Some(Error)),
            (6_000, Some(10), None),
            (6_100, Some(10), Some(Warning)),
            (12_100, Some(10), Some(Error)),
            (300, Some(1), None),
            (25_000, Some(600), None),
            (25_100, Some(600), Some(Warning)),
        ];
        for (words, minutes, expected) in cases {
            // Headings and lead are four words.
            let body = "word ".repeat(words - 4);
            let lesson = format!("# T\n\n{body}\n\n## Aa\n\nOne.\n\n## Bb\n");
            let spec = minutes.map(|minutes| {
                format!(r#"{{"title": "T", "estimated_duration_minutes": {minutes}}}"#)
            });
            let found = severities(&super::CHECK, &lesson, spec.as_deref());
            assert_eq!(
                found,
                expected.into_iter().collect::<Vec<_>>(),
                "{words} {minutes:?}"
            );
        }
    }

    #[test]
    fn chinese_words_are_counted() {
        let lesson = format!(
            "# 水\n\n## 一\n\n{}\n\n## 二\n\n水。\n",
            "我们学习植物。".repeat(200)
        );
        assert_eq!(severities(&super::CHECK, &lesson, None), []);
    }
}
