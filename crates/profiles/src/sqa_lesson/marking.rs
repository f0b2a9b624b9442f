//! What a criterion of a rubric rewards: the method, the answer, or something
//! unclear. Method marks reward an observable process (“Divides by the
//! denominator”), accuracy marks a result (“States £4”); seed 000 names both. Looks
//! only at the wording, not at the card.

use super::wording::{has_phrase, lower_words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewards {
    /// A step towards the answer.
    Method,
    /// The result.
    Accuracy,
    /// The wording could be either.
    Unclear,
}

/// What a criterion rewards, by its description. A criterion that mentions a
/// calculation rewards the method even if it also names the result.
pub(crate) fn rewards(description: &str) -> Rewards {
    let words = lower_words(description);
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| has_phrase(&words, phrase));
    if says(STRONG_METHOD) || has_calculation(description) {
        Rewards::Method
    } else if says(ACCURACY) || is_bare_result(&words) {
        Rewards::Accuracy
    } else if says(WEAK_METHOD) {
        Rewards::Method
    } else {
        Rewards::Unclear
    }
}

/// Words for a process.
const STRONG_METHOD: &[&str] = &[
    "method",
    "methods",
    "working",
    "workings",
    "process",
    "strategy",
    "formula",
    "step",
    "steps",
    "using",
    "divides",
    "divide",
    "dividing",
    "multiplies",
    "multiply",
    "multiplying",
    "subtracts",
    "subtract",
    "subtracting",
    "adds",
    "adding",
    "converts",
    "convert",
    "converting",
    "substitutes",
    "substitute",
    "substitutes into",
    "substitution",
    "rearranges",
    "expands",
    "factorises",
    "simplifies",
    "sets up",
    "set up",
    "rounds",
    "measures",
    "plots",
    "by dividing",
    "by multiplying",
    "compares",
    "lists",
    "counts",
    "estimates",
];

/// Words for a result.
const ACCURACY: &[&str] = &[
    "final answer",
    "correct answer",
    "right answer",
    "the answer",
    "answer of",
    "answer is",
    "answer",
    "states",
    "state",
    "correct value",
    "correct result",
    "correct total",
    "correct final",
    "final value",
    "final price",
    "obtains",
    "arrives at",
    "selects",
    "chooses",
];

/// Words for a process, unless the criterion also names the answer.
const WEAK_METHOD: &[&str] = &[
    "shows",
    "show",
    "uses",
    "use",
    "applies",
    "apply",
    "attempts",
    "explains",
    "justifies",
    "draws",
    "describes",
];

/// “£4”, “Correct: 12 cm”: a result without a method.
fn is_bare_result(words: &[String]) -> bool {
    let mut has_number = false;
    let only_results = words.iter().all(|word| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        has_number |= is_number;
        is_number || word.len() <= 2 || ["correct", "correctly", "gives"].contains(&word.as_str())
    });
    has_number && only_results
}

/// Whether an operator has a number on both sides, as in `£18 ÷ 3`. A slash does
/// not count: `1/3` is a fraction.
fn has_calculation(text: &str) -> bool {
    text.char_indices().any(|(at, sign)| {
        let sides = || {
            let before = text.get(..at).unwrap_or_default().trim_end();
            let after = text.get(at + sign.len_utf8()..).unwrap_or_default();
            let after = after.trim_start().trim_start_matches('£');
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            digit(before.chars().next_back()) && digit(after.chars().next())
        };
        let spaced = || {
            let before = text.get(..at).unwrap_or_default();
            before.ends_with(' ') && text.get(at + 1..).is_some_and(|rest| rest.starts_with(' '))
        };
        match sign {
            '÷' | '×' | '+' | '−' | '*' => sides(),
            '-' | 'x' => spaced() && sides(),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_and_answer_are_distinguished() {
        for (description, expected) in [
            ("Divides by denominator", Rewards::Method),
            (
                "Correctly divides by the bottom number: £21 ÷ 3 = £7",
                Rewards::Method,
            ),
            ("Correctly finds the saving by dividing", Rewards::Method),
            (
                "Calculates the final price: £24 - £8 = £16",
                Rewards::Method,
            ),
            ("Shows working", Rewards::Method),
            ("Uses Pythagoras", Rewards::Method),
            ("Correctly subtracts 55p from £12.00", Rewards::Method),
            ("States £4", Rewards::Accuracy),
            ("States correct final answer: £6", Rewards::Accuracy),
            ("Correct answer", Rewards::Accuracy),
            ("Shows the correct answer", Rewards::Accuracy),
            ("£4", Rewards::Accuracy),
            ("Correct: 12 cm", Rewards::Accuracy),
            (
                "Selects the answer with the right notation",
                Rewards::Accuracy,
            ),
            ("Identifies butter unit as correct", Rewards::Unclear),
            (
                "Correct notation for the mass of the parcel (2.5kg).",
                Rewards::Unclear,
            ),
            (
                "Correctly calculates the saving: 1/3 of £27 = £9",
                Rewards::Unclear,
            ),
            ("", Rewards::Unclear),
        ] {
            assert_eq!(rewards(description), expected, "{description}");
        }
    }
}
