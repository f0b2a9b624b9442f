//! Generated arithmetic, right and wrong, in the forms teachers write.

use proptest::prelude::*;

use super::rational::decimal;
use super::*;

/// An equation's left side in a generated form, and its value.
fn equation() -> impl Strategy<Value = (String, Rational)> {
    let amount = (1..2_000_i128, 0..3_u32);
    let sum =
        (amount.clone(), amount, 0..4_usize, 0..6_usize).prop_map(|(a, b, operation, form)| {
            let (first, second) = (written_amount(a), written_amount(b));
            let (x, y) = (of(a), of(b));
            let signs: [&[&str]; 4] = [
                &["+", "plus", " + "],
                &["-", "−", "minus", "–"],
                &["×", r"\times", "times", "x", "*", "multiplied by"],
                &["÷", r"\div", "divided by", "/"],
            ];
            let choices = signs[operation];
            let sign = choices[form % choices.len()];
            let value = match operation {
                0 => x.add(y),
                1 => x.subtract(y),
                2 => x.multiply(y),
                _ => x.divide(y),
            };
            (format!("{first} {sign} {second}"), value.unwrap())
        });
    let share =
        (1..12_i128, 2..13_i128, 1..500_i128, 0..4_usize).prop_map(|(a, b, whole, form)| {
            let value = Rational::new(a, b)
                .unwrap()
                .multiply(Rational::whole(whole))
                .unwrap();
            let text = match form {
                0 => format!("{a}/{b} of £{whole}"),
                1 => format!(r"\frac{{{a}}}{{{b}}} \times {whole}"),
                2 => format!(r"\frac{{{a}}}{{{b}}} \text{{ of }} {whole}"),
                _ => format!("{a}/{b} × {whole}"),
            };
            (text, value)
        });
    let percent = (1..200_i128, 1..1_000_i128).prop_map(|(percent, whole)| {
        let value = Rational::new(percent * whole, 100).unwrap();
        (format!("{percent}% of £{whole}"), value)
    });
    prop_oneof![sum, share, percent]
}

fn of((value, decimals): (i128, u32)) -> Rational {
    Rational::new(value, 10_i128.pow(decimals)).unwrap()
}

fn written_amount((value, decimals): (i128, u32)) -> String {
    decimal(of((value, decimals)), decimals)
}

/// The sentences around the equations.
const FRAMES: &[&str] = &[
    "EQ",
    "EQ.",
    "Step 2: EQ",
    "**EQ**",
    "First divide.\nEQ\nThen stop.",
    "Correctly calculates the discount: EQ",
    "$EQ$ is the answer.",
    "So EQ, and we are done.",
];

fn framed(equation: &str, frame: usize) -> String {
    FRAMES[frame % FRAMES.len()].replace("EQ", equation)
}

/// The result, written out or truncated after the pence.
fn result(value: Rational) -> String {
    match value.decimals() {
        Some(decimals) if decimals <= 4 => decimal(value, decimals),
        _ => decimal(value, 2),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn what_is_right_is_never_called_wrong((left, value) in equation(), frame in 0..8_usize, pound in any::<bool>()) {
        let sign = if pound && left.contains('£') { "£" } else { "" };
        let result = result(value);
        // A negative amount is written with the minus sign before the pound sign.
        prop_assume!(!value.is_negative() || sign.is_empty());
        let text = framed(&format!("{left} = {sign}{result}"), frame);
        prop_assert_eq!(mistakes(&text), [], "{}", text);
    }

    #[test]
    fn what_is_wrong_is_always_found((left, value) in equation(), off in 1..50_i128, more in any::<bool>(), frame in 0..8_usize) {
        let off = Rational::whole(if more { off } else { -off });
        let wrong = value.add(off).unwrap();
        let text = framed(&format!("{left} = {}", result(wrong)), frame);
        let found = mistakes(&text);
        prop_assert_eq!(found.len(), 1, "{}", text);
        prop_assert_eq!(found[0].kind, MistakeKind::Wrong, "{}", text);
    }

    #[test]
    fn nothing_panics(text in "[0-9£$%()\\\\{}=+*/÷×−.,: a-fx\\n-]{0,60}") {
        for mistake in mistakes(&text) {
            prop_assert!(text.get(mistake.range.clone()).is_some());
            prop_assert!(text.get(mistake.working.clone()).is_some());
            prop_assert!(text.get(mistake.written.clone()).is_some());
        }
        let _ = (asked(&text), number(&text));
    }

    #[test]
    fn no_text_panics(text in ".{0,80}") {
        let _ = (mistakes(&text), asked(&text), number(&text));
    }
}
