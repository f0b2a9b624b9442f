//! Arithmetic as teachers write it: right, wrong, or not a claim at all.

use super::*;

fn found(text: &str) -> Vec<(MistakeKind, String)> {
    mistakes(text)
        .into_iter()
        .map(|mistake| (mistake.kind, mistake.result))
        .collect()
}

#[test]
fn wrong_results_are_found_with_the_right_one() {
    use MistakeKind::{Rounded, RunOn, Wrong};
    for (text, kind, result) in [
        ("£20 ÷ 4 = £6", Wrong, "£5"),
        ("£20 ÷ 4 = £6.", Wrong, "£5"),
        ("Divide: £18 ÷ 3 = £7 each.", Wrong, "£6"),
        ("1/4 of £20 = £4", Wrong, "£5"),
        ("1/4 of £20 is £4.", Wrong, "£5"),
        ("So 20% of £50 is £15.", Wrong, "£10"),
        ("25% of 60 = 20", Wrong, "15"),
        ("£20 divided by 4 equals £6.", Wrong, "£5"),
        ("£5 times 3 equals £16", Wrong, "£15"),
        ("5 multiplied by 3 equals 16", Wrong, "15"),
        ("half of 30 is 16", Wrong, "15"),
        ("three quarters of £24 = £16", Wrong, "£18"),
        ("£24 - £8 = £15", Wrong, "£16"),
        ("£24 − £8 = £15", Wrong, "£16"),
        ("£24 – £8 = £15", Wrong, "£16"),
        ("£2.75 + £1.50 = £4.30", Wrong, "£4.25"),
        ("£2.75 + £1.50 = £4.3", Wrong, "£4.25"),
        ("55p + 55p = £1.15", Wrong, "£1.10"),
        ("3 × 30p = 80p", Wrong, "90p"),
        (r"$\frac{3}{4} \times 8 = 5$", Wrong, "6"),
        (r"$20 \div 4 = 6$", Wrong, "5"),
        (
            r"\(\frac{1}{4} \text{ of } \pounds 20 = \pounds 6\)",
            Wrong,
            "5",
        ),
        (r"$\frac{1}{2} + \frac{1}{4} = \frac{2}{6}$", Wrong, "0.75"),
        ("3 + 4 × 2 = 14", Wrong, "11"),
        ("(3 + 4) × 2 = 11", Wrong, "14"),
        ("2(3 + 4) = 10", Wrong, "14"),
        ("1,200 ÷ 4 = 400", Wrong, "300"),
        ("3 x 4 = 13", Wrong, "12"),
        ("3 * 4 = 13", Wrong, "12"),
        ("**£20 ÷ 4 = £6**", Wrong, "£5"),
        ("5² = 10", Wrong, "25"),
        ("1/4 of £20 = £20 ÷ 4 = £6", Wrong, "£5"),
        ("2 + 2 = 4 = 5", Wrong, "4"),
        ("30 ÷ 40 × 100 = 70%", Wrong, "75%"),
        ("100 - 37 = 64%", Wrong, "63%"),
        ("1 1/2 + 1/2 = 3", Wrong, "2"),
        ("2kg + 500g = 3kg", Wrong, "2.5kg"),
        ("1/4 = 0.4", Wrong, "0.25"),
        ("3/4 = 70%", Wrong, "75%"),
        ("Step 1 - 20 ÷ 4 = 6", Wrong, "5"),
        ("1. 20 ÷ 4 = 6", Wrong, "5"),
        ("First.\\n£20 ÷ 4 = £6\\nThen stop.", Wrong, "£5"),
        ("4 slices + 2 slices is fun. 4 + 2 = 7 slices", Wrong, "6"),
        ("£50 + 20% = £65", Wrong, "£60"),
        ("50% + 20% = 60%", Wrong, "70%"),
        ("7 ÷ 2 = 4", Rounded, "3.5"),
        ("5 + 3 = 8 × 2 = 16", RunOn, "8"),
        (
            "£10 ÷ 3 = £4.33",
            Wrong,
            "£3.33 (truncated after the pence)",
        ),
    ] {
        assert_eq!(found(text), [(kind, result.to_owned())], "{text}");
    }
}

#[test]
fn right_results_and_roundings_are_left_alone() {
    for text in [
        "£20 ÷ 4 = £5",
        "£20 ÷ 4 = £5.00",
        "£5 × 1 = £5",
        "1/4 of £20 = £5",
        "1/4 of £20 = £20 ÷ 4 = £5",
        "100 - 37 = 63%",
        "30 ÷ 40 × 100 = 75%",
        "1 ÷ 3 × 100 = 33%",
        "1.5 kg = 1.5 × 1000 = 1500 g",
        "£1.50 = 1.5 × 100 = 150p",
        "2 × 30 = 60 = 1 hour",
        "20 ÷ 40 = 0.5 = 50%",
        "£10 ÷ 4 = £2.50 = £2.5",
        "£10 ÷ 3 = £3.33",
        "£10 ÷ 3 = £3.34",
        "100 ÷ 3 = 33",
        "2/3 = 0.67",
        "2/3 = 0.66",
        "1/3 = 33%",
        "1/3 = 33.3%",
        "17.5% of £4.99 = £0.87",
        "15 ÷ 4 = 3.8",
        "10% = £50 ÷ 10 = £5",
        "10% = £5, so 20% = £10",
        "1/4 = £20 ÷ 4",
        "£50 + 20% = £60",
        "£50 - 20% = £40",
        "100% - 20% = 80%",
        "1.5kg = 1500g",
        "2kg + 500g = 2.5kg",
        "1 m + 50 cm = 150 cm",
        "55p + 45p = £1",
        "5 × 30p = £1.50",
        "£12.00 is 1200p",
        "3 cm × 4 cm = 12 cm²",
        "60 km ÷ 2 hours = 30 km/h",
        "£5/hour × 3 hours = £15",
        "1 kg = 1000 g. 1 l = 1000 ml.",
        "1 1/2 + 1/2 = 2",
        "1½ + ½ = 2",
        r"$1\frac{1}{2} + \frac{1}{2} = 2$",
        r"$\frac{3}{4} \times 8 = 6$",
        r"$\frac{1}{2} + \frac{1}{4} = \frac{3}{4}$",
        "1,200 ÷ 4 = 300",
        "1 200 ÷ 4 = 300",
        "-5 + 3 = -2",
        "5² = 25",
        "3^2 = 9",
        r"2^{3} = 8",
        "6 ÷ 2/3 = 9",
        "6 ÷ 2/3 = 1",
        "half of 30 is 15",
        "three quarters of £24 = £18",
        "0.1 + 0.2 = 0.3",
        "85 + (1.65 × 2.5) = 85 + 4 = 89",
        "Step 1 - 20 ÷ 4 = 5",
        "- 20 ÷ 4 = 5",
        "20 ÷ 4 = 5 - well done",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn what_claims_nothing_is_left_alone() {
    for text in [
        // Not arithmetic.
        "x = 3",
        "3x = 12",
        "x + 3 × 4 = 15",
        "y = 2x + 1 = 7",
        "9:45 + 45 minutes = 10:30",
        "2:3 = 4:6",
        "2 out of 5 = 40%",
        "3 of 5 = 60%",
        "√16 + 9 = 5",
        "The square root of 16 + 9 = 5",
        "17 ÷ 5 = 3 remainder 2",
        "17 ÷ 5 = 3 r 2",
        "a = b = c",
        "£20 for 4 people = £5 each",
        "20% off £50 is £40.",
        "A third is roughly 33%, so about £4 comes off.",
        "20 ÷ 4 = ?",
        "20 ÷ 4 = ___",
        "5 + 3 = x",
        "£1.2 million + £3 = £4 million",
        "if a == 3 + 4 == 8",
        "48 × 21 ≈ 50 × 20",
        // Asked, denied, rounded, attributed to someone else.
        "Is 20 ÷ 4 = 6?",
        "20 ÷ 4 is not 6, and 20 ÷ 4 = 6 is wrong.",
        "20 ÷ 4 ≠ 6",
        "Amy writes 20 ÷ 4 = 6. Is she right?",
        "A common mistake is 1/4 + 1/4 = 2/8.",
        "Spot the error. 20 ÷ 4 = 6",
        "20 ÷ 4 = 6. This is wrong.",
        "True or false: 20 ÷ 4 = 6",
        "47 + 38 = 90 to the nearest ten",
        "Estimate: 48 × 21 = 1000",
        "Some learners think 1/4 + 1/4 = 2/8.",
    ] {
        assert_eq!(found(text), [], "{text}");
    }
}

#[test]
fn a_question_for_a_result_is_worked_out() {
    for (stem, expected) in [
        ("What is 18 ÷ 3?", Some("6")),
        ("Calculate 25% of £60.", Some("15")),
        ("Find 1/3 of £18. Show your working, please.", Some("6")),
        ("Work out: 3.5 × 4", Some("14")),
        (r"Calculate $\frac{3}{4} \times 8$.", Some("6")),
        ("What is 20 ÷ 3, to the nearest whole number?", None),
        ("Find 1/3 of £18. Then add £2.", None),
        ("Find the price of 3 × 4 tiles.", None),
        (
            "A box costs £12. It is reduced by 1/3. How much is the discount?",
            None,
        ),
        ("What is 7?", None),
        ("What is 50p + 50p?", None),
        ("Find x when x + 3 = 5.", None),
        ("What is £50 + 20%?", None),
    ] {
        let value = asked(stem).map(|value| value.to_string());
        assert_eq!(value.as_deref(), expected, "{stem}");
    }
}

#[test]
fn an_answer_agrees_up_to_its_tolerance_and_the_pennies() {
    let number = |text: &str| number(text).unwrap();
    let third = asked("What is 10 ÷ 3?").unwrap();
    let nothing = Rational::ZERO;
    for (asked, answer, agree) in [
        (number("6"), "6.00", true),
        (number("6"), "£6", true),
        (number("6"), "5", false),
        (number("6"), "6.01", false),
        (third, "3.33", true),
        (third, "3.34", true),
        (third, "3.4", false),
    ] {
        assert_eq!(agrees(asked, number(answer), nothing), agree, "{answer}");
    }
}

#[test]
fn nothing_is_too_long_or_too_large() {
    let n = 50_000;
    for text in [
        "1+".repeat(n) + "1 = 3",
        "1 = ".repeat(n),
        "(".repeat(n) + "1" + &")".repeat(n) + " + 1 = 3",
        r"\frac{1}{".repeat(n) + "2 = 3",
        "9".repeat(n) + " + 1 = 3",
        "9999999999999999 × ".repeat(40) + "9 = 3",
        "- ".repeat(n) + "= 4",
        "1 - ".repeat(n) + "1 = 4 - 2 - 3",
        "9^30^30 = 2".to_owned(),
        "1 ÷ 0 = 0".to_owned(),
        "0 × 5 1/0 = 0".to_owned(),
    ] {
        let _ = mistakes(&text);
        let _ = asked(&text);
    }
}
