use std::collections::BTreeSet;

use super::*;
use crate::ask::Finish;

fn question() -> BlindQuestion {
    let option = |text: &str| BlindOption {
        text: text.to_owned(),
        stays_last: text.ends_with("above"),
    };
    BlindQuestion {
        case: String::new(),
        stem: "Which?".to_owned(),
        options: ["Ramipril", "Aspirin", "Codeine", "None of the above"]
            .map(option)
            .to_vec(),
        key: 0,
    }
}

#[test]
fn orders_follow_from_the_text_and_no_option_keeps_its_place() {
    let question = question();
    let mut firsts = BTreeSet::new();
    for text in 0..200u32 {
        let version = Version::of(&text.to_le_bytes());
        let [one, two] = question.orders(version);
        assert_eq!(question.orders(version), [one.clone(), two.clone()]);
        for order in [&one, &two] {
            assert_eq!(order.iter().copied().collect::<BTreeSet<_>>().len(), 4);
            // It only makes sense in last place.
            assert_eq!(order.last(), Some(&3));
        }
        assert!((0..3).all(|at| one[at] != two[at]), "{one:?} {two:?}");
        firsts.insert(one);
    }
    // All orders occur.
    assert_eq!(firsts.len(), 6);
}

#[test]
fn the_letter_is_that_of_the_order_that_was_shown() {
    let reply = Reply::of(r#"{"reason": "ACE", "answer": "c", "confidence": "high"}"#);
    let answer = read(&question(), &[1, 2, 0, 3], &reply).unwrap();
    assert_eq!(answer.option, question().option(0));
    assert_eq!(
        (answer.option.letter.as_str(), answer.shown_as.as_str()),
        ("A", "C")
    );
    assert_eq!(answer.confidence, Confidence::High);
}

#[test]
fn an_answer_is_one_of_the_letters_or_none() {
    let whole = r#"{"reason": "x", "answer": "B", "confidence": "high"}"#;
    for (text, reason) in [
        // Two letters, an unknown letter, a word, a number, a list, nothing.
        (
            r#"{"reason": "x", "answer": "A or B", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": "AB", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": "E", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": "Aspirin", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": 2, "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": ["B"], "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": "", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        // A look-alike letter, and a word of another language.
        (
            r#"{"reason": "x", "answer": "В", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (
            r#"{"reason": "x", "answer": "B", "confidence": "sehr hoch"}"#,
            Reason::WrongShape,
        ),
        (r#"{"reason": "x", "answer": "B"}"#, Reason::WrongShape),
        // A duplicate key, two answers, a quoted answer next to the real one.
        (
            r#"{"answer": "A", "reason": "x", "answer": "B", "confidence": "high"}"#,
            Reason::WrongShape,
        ),
        (&format!("{whole} {whole}"), Reason::WrongShape),
        (
            &format!("{whole}\nNot `\"answer\": \"A\"`."),
            Reason::WrongShape,
        ),
        // No object.
        ("B", Reason::NotAVerdict),
        (
            "The answer is B, with high confidence.",
            Reason::NotAVerdict,
        ),
        ("Die Antwort ist B.", Reason::NotAVerdict),
        (
            r#"{"choice": "B", "confidence": "high"}"#,
            Reason::NotAVerdict,
        ),
        (
            "I'm sorry, but I can't help with medical questions.",
            Reason::Refused,
        ),
        (
            r#"{"reason": "x", "answer": "B", "confi"#,
            Reason::Truncated,
        ),
        ("  ", Reason::Empty),
    ] {
        let read = read(&question(), &[0, 1, 2, 3], &Reply::of(text));
        assert_eq!(
            read.map_err(|unscored| unscored.reason),
            Err(reason),
            "{text}"
        );
    }
    let refusal = Reply {
        finish: Finish::Refusal,
        ..Reply::of(whole)
    };
    assert!(read(&question(), &[0, 1, 2, 3], &refusal).is_err());
    for text in [
        whole.to_owned(),
        format!("<think>A? No.</think>\n```json\n{whole}\n```"),
        format!("Here is my answer:\n{whole}"),
    ] {
        let answer = read(&question(), &[0, 1, 2, 3], &Reply::of(&text)).unwrap();
        assert_eq!(answer.option.letter, "B", "{text}");
    }
}

#[test]
fn only_the_same_sure_answer_twice_disagrees() {
    let answer = |index: usize, confidence| SolverAnswer {
        option: question().option(index),
        shown_as: "A".to_owned(),
        confidence,
        reason: String::new(),
    };
    let (high, medium) = (Confidence::High, Confidence::Medium);
    let key = question().option(0);
    for (answers, second, expected) in [
        (vec![answer(0, high)], false, SolvingResult::Agrees),
        (
            vec![answer(0, Confidence::Low)],
            false,
            SolvingResult::Agrees,
        ),
        (vec![answer(1, medium)], false, SolvingResult::Unsure),
        (
            vec![answer(1, high), answer(1, high)],
            true,
            SolvingResult::Disagrees,
        ),
        (
            vec![answer(1, high), answer(1, medium)],
            true,
            SolvingResult::Unsure,
        ),
        (
            vec![answer(1, high), answer(2, high)],
            true,
            SolvingResult::Unsure,
        ),
        (
            vec![answer(1, high), answer(0, high)],
            true,
            SolvingResult::Unsure,
        ),
    ] {
        assert_eq!(
            Solving::result_of(&key, &answers, None),
            expected,
            "{answers:?}"
        );
        assert_eq!(
            Solving::needs_second(&key, &answers[0]),
            second,
            "{answers:?}"
        );
    }
    let failed = Unscored::new(Reason::CallFailed, "down");
    let once = [answer(1, high)];
    let unanswered = Solving::result_of(&key, &once, Some(&failed));
    assert_eq!(unanswered, SolvingResult::Unanswered);
    assert_eq!(
        Solving::result_of(&key, &[], None),
        SolvingResult::Unanswered
    );
}

#[test]
fn a_solver_that_differs_from_more_than_a_fifth_is_not_believed() {
    let policy = SolverPolicy::default();
    for (items, differs, expected) in [
        (10, 2, true),
        (10, 3, false),
        (9, 9, true),
        (1_000, 200, true),
        (1_000, 201, false),
        (0, 0, true),
    ] {
        let record = SolverRecord {
            items,
            differs,
            disputes: 0,
        };
        assert_eq!(record.is_believed(policy), expected, "{record:?}");
    }
}
