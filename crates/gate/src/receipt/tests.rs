//! Histories and receipts, and tampering with them.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::fixtures::{json_lesson, markdown_lesson};
use crate::span::{Span, Version};

const LESSON: &str = "# Water\n\n## Steam\n\nWater boils at 100 °C.\n\n## Ice\n\nIce floats.\n";

fn served(text: &str, old: &str, new: &str, component: &str, task: &str) -> ServedEdit {
    let start = text.find(old).unwrap();
    ServedEdit {
        edit: Edit {
            span: Span {
                start,
                end: start + old.len(),
                version: Version::of(text.as_bytes()),
            },
            text: new.to_owned(),
        },
        component: ComponentId::from(component),
        task: task.to_owned(),
    }
}

/// Steps given as (old, new, part, task), each on the text that the last one left.
fn history(steps: &[&[(&str, &str, &str, &str)]]) -> (Vec<Step>, String) {
    let mut text = LESSON.to_owned();
    let mut history = Vec::new();
    for step in steps {
        let edits: Vec<ServedEdit> = step
            .iter()
            .map(|(old, new, part, task)| served(&text, old, new, part, task))
            .collect();
        let plain: Vec<Edit> = edits.iter().map(|served| served.edit.clone()).collect();
        let bytes =
            crate::edit::apply(text.as_bytes(), Version::of(text.as_bytes()), &plain).unwrap();
        text = String::from_utf8(bytes).unwrap();
        history.push(Step { edits });
    }
    (history, text)
}

fn receipts_of(steps: &[&[(&str, &str, &str, &str)]]) -> (Receipts, String) {
    let (history, text) = history(steps);
    let result = receipts(&markdown_lesson(LESSON), &markdown_lesson(&text), &history).unwrap();
    (result, text)
}

#[test]
fn steps_on_the_same_words_become_one_edit_of_the_original() {
    let (receipts, text) = receipts_of(&[
        &[
            ("boils at 100", "cooks at 100", "sec_1", "t1"),
            ("floats", "swims", "sec_2", "t2"),
        ],
        &[("cooks at 100 °C", "cooks at 100 degrees", "sec_1", "t3")],
    ]);
    let edits: Vec<_> = receipts
        .edits
        .iter()
        .map(|edit| {
            (
                edit.component.as_str(),
                edit.removed.as_deref().unwrap(),
                edit.inserted.as_str(),
                edit.tasks.join(" "),
            )
        })
        .collect();
    assert_eq!(
        edits,
        [
            (
                "sec_1",
                "boils at 100 °C",
                "cooks at 100 degrees",
                "t1 t3".to_owned()
            ),
            ("sec_2", "floats", "swims", "t2".to_owned()),
        ]
    );
    let value = serde_json::to_value(&receipts).unwrap();
    let verified = verify(&value, LESSON.as_bytes(), text.as_bytes()).unwrap();
    assert_eq!(verified.touched, ["sec_1", "sec_2"]);
    assert_eq!(verified.edits, 2);
}

#[test]
fn a_change_inside_an_earlier_one_keeps_what_stands_around_it() {
    let (receipts, text) = receipts_of(&[
        &[(
            "Ice floats.",
            "Ice floats on water because it is light.",
            "sec_2",
            "t1",
        )],
        &[
            ("on water", "on brine", "sec_2", "t2"),
            ("light", "less dense", "sec_2", "t3"),
        ],
        &[("Ice floats on brine", "It floats", "sec_2", "t4")],
    ]);
    assert_eq!(receipts.edits.len(), 1);
    assert_eq!(
        receipts.edits[0].inserted,
        "It floats because it is less dense."
    );
    assert_eq!(receipts.edits[0].tasks, ["t1", "t2", "t3", "t4"]);
    assert!(
        verify(
            &serde_json::to_value(&receipts).unwrap(),
            LESSON.as_bytes(),
            text.as_bytes()
        )
        .is_ok()
    );
}

#[test]
fn what_was_undone_leaves_no_edit() {
    let (receipts, text) = receipts_of(&[
        &[("floats", "sinks", "sec_2", "t1")],
        &[("sinks", "floats", "sec_2", "undo")],
    ]);
    assert_eq!(text, LESSON);
    assert!(receipts.edits.is_empty());
    let verified = verify(
        &serde_json::to_value(&receipts).unwrap(),
        LESSON.as_bytes(),
        LESSON.as_bytes(),
    );
    assert_eq!(verified.unwrap().untouched, ["sec_1", "sec_2"]);
}

#[test]
fn an_insertion_between_two_parts_belongs_to_the_one_it_was_made_for() {
    for (part, touched) in [("sec_1", "sec_1"), ("sec_2", "sec_2")] {
        let at = LESSON.find("## Ice").unwrap();
        let edit = ServedEdit {
            edit: Edit {
                span: Span {
                    start: at,
                    end: at,
                    version: Version::of(LESSON.as_bytes()),
                },
                text: "More.\n\n".to_owned(),
            },
            component: ComponentId::from(part),
            task: "t".to_owned(),
        };
        let text = LESSON.replacen("## Ice", "More.\n\n## Ice", 1);
        let receipts = receipts(
            &markdown_lesson(LESSON),
            &markdown_lesson(&text),
            &[Step { edits: vec![edit] }],
        )
        .unwrap();
        let verified = verify(
            &serde_json::to_value(&receipts).unwrap(),
            LESSON.as_bytes(),
            text.as_bytes(),
        )
        .unwrap();
        assert_eq!(verified.touched, [touched]);
    }
}

#[test]
fn a_history_that_leads_elsewhere_gives_no_receipts() {
    let original = markdown_lesson(LESSON);
    let (history, text) = history(&[&[("floats", "sinks", "sec_2", "t")]]);
    assert_eq!(
        receipts(&original, &original, &history),
        Err(ReceiptError::AnotherResult)
    );
    let twice = [history[0].clone(), history[0].clone()];
    assert!(matches!(
        receipts(&original, &markdown_lesson(&text), &twice),
        Err(ReceiptError::Broken { step: 2, .. })
    ));
}

#[test]
fn every_part_of_a_receipt_that_can_be_checked_is_checked() {
    let (receipts, text) = receipts_of(&[&[("floats", "sinks", "sec_2", "t")]]);
    let good = serde_json::to_value(&receipts).unwrap();
    assert!(verify(&good, LESSON.as_bytes(), text.as_bytes()).is_ok());
    for (pointer, value) in [
        ("/format", Value::from("redraft-receipts/2")),
        ("/original/sha256", Value::from(sha256(b""))),
        ("/original/bytes", Value::from(1)),
        ("/result/sha256", Value::from(sha256(LESSON.as_bytes()))),
        ("/result/bytes", Value::from(1)),
        ("/edits/0/component", Value::from("sec_1")),
        ("/edits/0/component", Value::from("sec_9")),
        ("/edits/0/start", Value::from(0)),
        ("/edits/0/end", Value::from(usize::MAX)),
        ("/edits/0/removed_sha256", Value::from(sha256(b""))),
        ("/edits/0/removed", Value::from("flies")),
        ("/edits/0/removed", Value::Null),
        ("/edits/0/inserted", Value::from("flies")),
        ("/edits", Value::Array(Vec::new())),
        ("/components", Value::Array(Vec::new())),
        ("/components/0/before/end", Value::from(3)),
        ("/components/1/id", Value::from("sec_2")),
        ("/components/1/parent", Value::from("sec_2")),
        ("/components/1/parent", Value::Null),
        ("/components/1/before/start", Value::from(8)),
        ("/components/1/before/end", Value::from(usize::MAX)),
        ("/components/1/before/sha256", Value::from(sha256(b""))),
        ("/components/1/after", Value::Null),
        ("/components/2/after/start", Value::from(0)),
        ("/components/2/after/sha256", Value::from(sha256(b""))),
        ("/components/2/edits", Value::Array(Vec::new())),
        ("/components/1/edits", Value::from(vec![0])),
        ("", Value::Null),
    ] {
        let mut tampered = good.clone();
        *tampered.pointer_mut(pointer).unwrap() = value;
        assert!(
            verify(&tampered, LESSON.as_bytes(), text.as_bytes()).is_err(),
            "{pointer}"
        );
    }
}

#[test]
fn a_file_with_a_byte_order_mark_has_receipts_too() {
    let text = "\u{feff}## A\n\na\n";
    let document = markdown_lesson(text);
    let receipts = receipts(&document, &markdown_lesson(text), &[]).unwrap();
    let value = serde_json::to_value(&receipts).unwrap();
    assert!(verify(&value, text.as_bytes(), text.as_bytes()).is_ok());
    let json = json_lesson(r#"{"sections":[{"title":"A","content":"a"}]}"#);
    let bytes = json.source().bytes().to_vec();
    let receipts = super::receipts(&json, &json, &[]).unwrap();
    assert!(verify(&serde_json::to_value(&receipts).unwrap(), &bytes, &bytes).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the edits were, the receipts verify, and neither another result
    /// nor another original does.
    #[test]
    fn receipts_of_any_history_verify_and_tampered_files_do_not(
        steps in proptest::collection::vec(
            proptest::collection::vec((0_usize..80, 0_usize..12, "[a-zé\n#]{0,6}", 0_usize..4), 0..4),
            0..5,
        ),
        place in any::<proptest::sample::Index>(),
        flip in 1_u8..255,
    ) {
        let original = markdown_lesson(LESSON);
        let mut text = LESSON.to_owned();
        let mut history = Vec::new();
        for step in steps {
            let mut edits = Vec::new();
            let mut done = 0;
            let mut sorted = step;
            sorted.sort();
            for (start, length, new, part) in sorted {
                let start = text.ceil_char_boundary(start.max(done).min(text.len()));
                let end = text.ceil_char_boundary((start + length).min(text.len()));
                if start < done || (start == done && done > 0) {
                    continue;
                }
                done = end.max(start + 1);
                edits.push(ServedEdit {
                    edit: Edit {
                        span: Span { start, end, version: Version::of(text.as_bytes()) },
                        text: new,
                    },
                    component: ComponentId(format!("sec_{part}")),
                    task: format!("t{start}"),
                });
            }
            let plain: Vec<Edit> = edits.iter().map(|served| served.edit.clone()).collect();
            let bytes = crate::edit::apply(text.as_bytes(), Version::of(text.as_bytes()), &plain).unwrap();
            text = String::from_utf8(bytes).unwrap();
            history.push(Step { edits });
        }
        let receipts = receipts(&original, &markdown_lesson(&text), &history).unwrap();
        let value = serde_json::to_value(&receipts).unwrap();
        let verified = verify(&value, LESSON.as_bytes(), text.as_bytes());
        prop_assert!(verified.is_ok(), "{:?}", verified);
        let mut tampered = text.clone().into_bytes();
        if !tampered.is_empty() {
            let at = place.index(tampered.len());
            tampered[at] ^= flip;
            prop_assert!(verify(&value, LESSON.as_bytes(), &tampered).is_err());
        }
        let mut tampered = LESSON.as_bytes().to_vec();
        let at = place.index(tampered.len());
        tampered[at] ^= flip;
        prop_assert!(verify(&value, &tampered, text.as_bytes()).is_err());
    }
}
