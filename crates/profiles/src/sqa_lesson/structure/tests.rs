use redraft_gate::companion::Companions;
use redraft_gate::span::ComponentId;
use redraft_run::structure::{Slot, SlotForm, Value};

use crate::sqa_lesson::testing::{document, scheme};

use super::slots;

fn slots_of(card: &str) -> Vec<Slot> {
    let template = format!(r#"{{"title": "T", "cards": [{{"id": "c1", {card}}}]}}"#);
    slots(
        &document(&template),
        &ComponentId::from("c1"),
        &Companions::default(),
    )
}

fn paths(slots: &[Slot]) -> Vec<&str> {
    slots.iter().map(|slot| slot.path.as_str()).collect()
}

#[test]
fn a_card_has_its_lists_wherever_they_are() {
    let found = slots_of(
        r#""cfu": {"type": "structured", "stem": "Q", "parts": [{"stem": "a"}], "rubric": {"total_points": 1, "criteria": [{"description": "x", "points": 1}]}}"#,
    );
    assert_eq!(
        paths(&found),
        [
            "cards[0].cfu.hints",
            "cards[0].cfu.parts[0].hints",
            "cards[0].cfu.rubric.criteria",
            "cards[0].cfu.rubric.total_points",
            "cards[0].misconceptions",
            "cards[0].context_hooks",
        ]
    );
}

#[test]
fn a_question_may_become_what_its_key_allows() {
    let types = |cfu: &str, rubric: &str| -> Vec<String> {
        let found = slots_of(&format!(r#""cfu": {{{cfu}}}{rubric}"#));
        found
            .iter()
            .filter(|slot| slot.path.ends_with(".type"))
            .flat_map(|slot| match &slot.form {
                SlotForm::Value(choices) => choices.clone(),
                _ => Vec::new(),
            })
            .map(|choice| choice.value)
            .collect()
    };
    let mcq = |options: &str| {
        format!(r#""type": "mcq", "stem": "Q", "options": [{options}], "answerIndex": 0"#)
    };
    let rubric = r#", "rubric": {"total_points": 1, "criteria": []}"#;
    assert_eq!(types(&mcq(r#""£11.45", "£12""#), ""), ["numeric"]);
    assert_eq!(
        types(&mcq(r#""£11.45", "£12""#), rubric),
        ["numeric", "structured_response"]
    );
    assert_eq!(types(&mcq(r#""kg", "ml""#), ""), [] as [&str; 0]);
    assert_eq!(
        types(r#""type": "numeric", "stem": "Q", "expected": 2"#, rubric),
        [] as [&str; 0]
    );
}

#[test]
fn an_answer_changes_only_to_what_arithmetic_proves() {
    for (cfu, path, value) in [
        (
            r#""type": "numeric", "stem": "What is 18 ÷ 3?", "expected": 7"#,
            Some("cards[0].cfu.expected"),
            Some(Value::Number("6".to_owned())),
        ),
        (
            r#""type": "numeric", "stem": "Calculate 25% of £60.", "expected": "£12""#,
            Some("cards[0].cfu.expected"),
            Some(Value::Text("£15".to_owned())),
        ),
        (
            r#""type": "mcq", "stem": "Find 1/3 of £18.", "options": ["£5", "£6", "£9"], "answerIndex": 0"#,
            Some("cards[0].cfu.answerIndex"),
            Some(Value::Number("1".to_owned())),
        ),
        (
            r#""type": "numeric", "stem": "What is 18 ÷ 3?", "expected": 6"#,
            None,
            None,
        ),
        (
            r#""type": "numeric", "stem": "How long is it?", "expected": 6"#,
            None,
            None,
        ),
    ] {
        let found = slots_of(&format!(r#""cfu": {{{cfu}}}"#));
        let proven = found
            .iter()
            .find(|slot| slot.path.ends_with("expected") || slot.path.ends_with("answerIndex"));
        assert_eq!(proven.map(|slot| slot.path.as_str()), path, "{cfu}");
        let to = proven.and_then(|slot| match &slot.form {
            SlotForm::Value(choices) => choices[0].changes[0].to.clone(),
            _ => None,
        });
        assert_eq!(to, value, "{cfu}");
    }
}

#[test]
fn codes_are_those_of_the_scheme_and_what_it_asks_for_stays() {
    let template = document(
        r#"{"title": "Fractions", "outcomeRefs": ["O1", "X9"], "engagement_tags": ["sport"], "cards": []}"#,
    );
    let meta = ComponentId::from("meta");
    assert_eq!(
        paths(&slots(&template, &meta, &Companions::default())),
        ["engagement_tags"]
    );
    let companions = scheme(
        r#"{"order": 1, "label": "Fractions", "outcomeRefs": ["O1"], "assessmentStandardRefs": ["AS1.1"], "engagement_tags": ["sport", "food"]}"#,
    );
    let found = slots(&template, &meta, &companions);
    let SlotForm::Texts(codes) = &found[0].form else {
        panic!("{found:?}")
    };
    assert_eq!(codes.allowed.as_deref().unwrap(), ["AS1.1", "O1"]);
    assert_eq!(codes.keep, ["O1"]);
    let SlotForm::Texts(tags) = &found[1].form else {
        panic!("{found:?}")
    };
    assert_eq!(tags.allowed.as_deref().unwrap(), ["sport", "food"]);
}
