//! Every shape that templates come in gives the same model.

use std::fs;

use crate::sqa_lesson::model::{Card, CfuKind, ChoiceForm, LessonType, Template, template};
use crate::sqa_lesson::roles::Role;
use crate::sqa_lesson::testing::{data, document};

fn read(json: &str) -> Template {
    template(&document(json)).unwrap().clone()
}

fn card(json: &str) -> Card {
    read(&format!(r#"{{"cards": [{json}]}}"#)).cards.remove(0)
}

#[test]
fn the_fields_about_the_lesson_are_kept_with_their_places() {
    let json = r#"{"label": "Units", "lesson_type": "spiral_revisit", "estMinutes": "50", "sow_order": 3,
        "outcomeRefs": ["O1", 2, {"code": "AS1.1"}], "assessmentStandardRefs": ["AS1.2"],
        "engagement_tags": ["finance"], "policy": {"calculator_section": "non_calc", "assessment_notes": "Show working."},
        "cards": []}"#;
    let read = read(json);
    assert_eq!(read.kind(), Some(LessonType::Revision));
    assert_eq!(
        read.minutes.as_ref().map(|written| written.value),
        Some(50.0)
    );
    assert_eq!(read.order.as_ref().map(|written| written.value), Some(3));
    assert_eq!(
        read.codes()
            .map(|code| code.value.as_str())
            .collect::<Vec<_>>(),
        ["O1", "2", "AS1.1", "AS1.2"]
    );
    assert_eq!(
        read.engagement_tags.values().collect::<Vec<_>>(),
        ["finance"]
    );
    let calculator = read.calculator_allowed.clone().unwrap();
    assert!(!calculator.value);
    assert_eq!(&json[calculator.range], "\"non_calc\"");
    assert_eq!(&json[read.anchor()], "\"Units\"");
    assert_eq!(
        read.assessment_notes.map(|notes| notes.value).as_deref(),
        Some("Show working.")
    );
}

#[test]
fn a_rubric_is_found_on_the_card_and_in_the_question() {
    let rubric = r#""rubric": {"total_points": 2, "criteria": [{"description": "Divides by 4", "points": 1}, {"description": "States £5", "points": 1}]}"#;
    for json in [
        format!(r#"{{"explainer": "e", "cfu": {{"type": "numeric", {rubric}}}}}"#),
        format!(r#"{{"explainer": "e", "cfu": {{"type": "numeric"}}, {rubric}}}"#),
        format!(
            r#"{{"explainer": "e", "cfu": {{"type": "structured", "parts": [{{"type": "numeric", {rubric}}}]}}}}"#
        ),
    ] {
        let card = card(&json);
        let rubrics = card.rubrics();
        assert_eq!(rubrics.len(), 1, "{json}");
        assert_eq!(
            (rubrics[0].sum(), rubrics[0].marks()),
            (Some(2.0), Some(2.0))
        );
        assert_eq!(
            rubrics[0].criteria[0].description.as_ref().unwrap().value,
            "Divides by 4"
        );
    }
}

#[test]
fn options_are_texts_numbers_or_objects() {
    for (options, form) in [
        (r#"["4", "5"]"#, ChoiceForm::Plain),
        ("[4, 5]", ChoiceForm::Plain),
        (r#"[{"text": "4"}, {"text": "5"}]"#, ChoiceForm::Object),
        (
            r#"[{"label": "4", "value": "a"}, {"label": "5", "value": "b"}]"#,
            ChoiceForm::Object,
        ),
    ] {
        let card = card(&format!(
            r#"{{"explainer": "e", "cfu": {{"type": "mcq", "options": {options}, "answerIndex": 1}}}}"#
        ));
        let cfu = &card.cfus[0];
        let words: Vec<&str> = cfu
            .options
            .items
            .iter()
            .map(|option| option.text.as_ref().unwrap().value.as_str())
            .collect();
        assert_eq!(words, ["4", "5"], "{options}");
        assert!(cfu.options.items.iter().all(|option| option.form == form));
        assert_eq!(cfu.keys[0].index, Some(1));
    }
}

#[test]
fn every_spelling_of_a_type_is_known() {
    for (written, expected) in [
        ("mcq", CfuKind::Mcq),
        ("numeric", CfuKind::Numeric),
        ("structured_response", CfuKind::Structured),
        ("structured", CfuKind::Structured),
        ("short_text", CfuKind::ShortText),
        ("short_answer", CfuKind::ShortText),
        ("short", CfuKind::ShortText),
        ("multi_cfu_collection", CfuKind::Collection),
        ("essay", CfuKind::Other),
    ] {
        let card = card(&format!(
            r#"{{"explainer": "e", "cfu": {{"type": "{written}"}}}}"#
        ));
        assert_eq!(card.cfus[0].kind, expected, "{written}");
    }
}

#[test]
fn collections_parts_and_lists_give_their_questions_in_order() {
    for cfu in [
        r#"{"type": "multi_cfu_collection", "stem": "q0", "cfus": [{"stem": "q1"}, {"stem": "q2"}]}"#,
        r#"{"type": "structured", "stem": "q0", "parts": [{"stem": "q1", "parts": [{"stem": "q2"}]}]}"#,
        r#"[{"stem": "q0"}, {"question": "q1"}, {"prompt": "q2"}]"#,
    ] {
        let card = card(&format!(r#"{{"explainer": "e", "cfu": {cfu}}}"#));
        let stems: Vec<&str> = card
            .questions()
            .iter()
            .map(|question| question.stem.as_ref().unwrap().value.as_str())
            .collect();
        assert_eq!(stems, ["q0", "q1", "q2"], "{cfu}");
    }
}

#[test]
fn a_question_keeps_answer_money_hints_and_keys() {
    let card = card(
        r#"{"id": 7, "title": "We Do: Sums", "explainer": "e", "explainer_plain": "p", "minutes": 12, "context_hooks": "Use a receipt.",
            "cfu": {"type": "numeric", "stem": "How much?", "expected": 4.0, "tolerance": 0.01, "money2dp": true, "hints": ["a", "b"],
                    "answerIndices": [0, "2", 1.5], "multiSelect": true, "explanation": "because"},
            "misconceptions": [{"id": "M1", "misconception": "m", "clarification": "c"}, "bare"]}"#,
    );
    let cfu = &card.cfus[0];
    assert_eq!(card.id.as_ref().unwrap().value, "7");
    assert_eq!(card.role, Some(Role::Guided));
    assert_eq!(card.minutes.as_ref().unwrap().value, 12.0);
    assert_eq!(
        card.context_hooks.values().collect::<Vec<_>>(),
        ["Use a receipt."]
    );
    assert_eq!(cfu.expected[0].number, Some(4.0));
    assert_eq!(cfu.tolerance.as_ref().unwrap().value, 0.01);
    assert!(cfu.money.as_ref().unwrap().value && cfu.multi_select.as_ref().unwrap().value);
    assert_eq!(cfu.hints.values().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(
        cfu.keys.iter().map(|key| key.index).collect::<Vec<_>>(),
        [Some(0), Some(2), None]
    );
    assert_eq!(cfu.explanations[0].value, "because");
    assert_eq!(card.misconceptions.items.len(), 2);
    assert_eq!(
        card.misconceptions.items[1]
            .misconception
            .as_ref()
            .unwrap()
            .value,
        "bare"
    );
}

#[test]
fn every_text_of_the_model_can_be_pointed_into() {
    let json = r#"{"title": "T", "cards": [{"title": "A", "explainer": "e", "explainer_plain": "p", "context_hooks": ["h"],
        "cfu": {"type": "mcq", "stem": "s", "options": ["£5", {"text": "£6", "feedback": "no"}], "hints": ["x"], "expected": "£5",
                "rubric": {"criteria": [{"description": "d", "points": 1}]}},
        "misconceptions": [{"misconception": "m", "clarification": "c"}]}]}"#;
    let document = document(json);
    let template = template(&document).unwrap();
    let card = &template.cards[0];
    let cfu = &card.cfus[0];
    let texts = [
        template.title.as_ref(),
        card.title.as_ref(),
        card.explainer.as_ref(),
        card.explainer_plain.as_ref(),
        cfu.stem.as_ref(),
        cfu.hints.items.first(),
        card.context_hooks.items.first(),
        cfu.options.items[0].text.as_ref(),
        cfu.options.items[1].text.as_ref(),
        cfu.rubric.as_ref().unwrap().criteria[0]
            .description
            .as_ref(),
        card.misconceptions.items[0].misconception.as_ref(),
        card.misconceptions.items[0].clarification.as_ref(),
    ];
    for text in texts {
        let text = text.unwrap();
        let field = text.field(&document).unwrap();
        assert_eq!(*field.text, *text.value);
    }
    let answer = document.text_within(&cfu.expected[0].range).unwrap();
    assert_eq!(&*answer.text, "£5");
}

#[test]
fn what_is_odd_is_absent_and_reported() {
    let json = r#"{"title": 7, "estMinutes": "soon", "lesson_type": ["teach"], "outcomeRefs": "O1", "policy": "none",
        "cards": [{"explainer": "e", "cfu": "What is 2 + 2?", "rubric": "one mark", "misconceptions": {"misconception": "m"}}, 5, null]}"#;
    let read = read(json);
    assert!(read.title.is_none() && read.minutes.is_none() && read.lesson_type.is_none());
    assert!(read.outcomes.items.is_empty());
    assert_eq!(read.cards.len(), 3);
    assert!(read.cards[0].cfus.is_empty() && read.cards[0].rubric.is_none());
    assert_eq!(read.cards[0].misconceptions.items.len(), 1);
    assert!(document(json).recovered().len() >= 2);
}

#[test]
fn the_reference_templates_give_all_their_cards() {
    let Some(folder) = data() else { return };
    let roles = [
        Role::Starter,
        Role::Modelling,
        Role::Guided,
        Role::Independent,
    ];
    for (file, questions, hints, marks) in [
        ("mock_lesson_template.json", 4, 6, [1.0, 3.0, 2.0, 4.0]),
        (
            "lesson_template_authored_mathematics_nat4.json",
            12,
            0,
            [4.0, 1.0, 4.0, 2.0],
        ),
        (
            "lesson_template_authored_mathematics_nat4_original.json",
            12,
            0,
            [1.0, 2.0, 4.0, 4.0],
        ),
    ] {
        let read = read(&fs::read_to_string(folder.join(file)).unwrap());
        assert_eq!(read.kind(), Some(LessonType::Teach), "{file}");
        assert_eq!(read.minutes.as_ref().unwrap().value, 50.0);
        assert!(!read.calculator_allowed.as_ref().unwrap().value);
        assert_eq!(read.codes().count(), 2);
        assert!(!read.engagement_tags.items.is_empty());
        let found: Vec<Option<Role>> = read.cards.iter().map(|card| card.role).collect();
        assert_eq!(found, roles.map(Some), "{file}");
        let all = read.cards.iter().map(|card| card.questions().len());
        assert_eq!(all.sum::<usize>(), questions, "{file}");
        let all = read.cards.iter().map(|card| card.hints().len());
        assert_eq!(all.sum::<usize>(), hints, "{file}");
        for (card, marks) in read.cards.iter().zip(marks) {
            assert_eq!(card.rubrics()[0].marks(), Some(marks), "{file}");
            assert!(card.explainer.is_some() && card.explainer_plain.is_some());
            assert!(!card.misconceptions.items.is_empty());
        }
    }
}
