//! Repairs of real shapes through the real parsers: whatever a model answers, the
//! bytes outside the part are identical or the repair is refused, keys never
//! change, receipts verify, and JSON stays JSON.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::ops::Range;

use proptest::prelude::*;
use redraft_gate::content::Document;
use redraft_gate::fix::Inspected;
use redraft_gate::reading::{self, Hint};
use redraft_gate::receipt::{self, ServedEdit, Step};
use redraft_gate::source::Source;
use redraft_gate::span::ComponentId;
use redraft_profiles::registry;
use redraft_run::ask::Reply;
use redraft_run::profile::Profile;
use redraft_run::repair::{self, EditTarget, Proposal};
use redraft_run::verify::{self, Permitted, Protected};
use serde_json::{Value, json};

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("Water boils at 100 °C.".to_owned()),
        Just("He said “stop” — *twice*.".to_owned()),
        Just("$\\frac{1}{2}$ \"half\" \\ back".to_owned()),
        Just("## Heading\n\n```\ncode".to_owned()),
        Just("A. Aspirin".to_owned()),
        Just("=======\n>>>>>>> REPLACE".to_owned()),
        "[a-zа-я \"\\\\#*_`\n]{0,30}",
    ]
}

fn lesson_markdown() -> impl Strategy<Value = (&'static str, Hint, String)> {
    proptest::collection::vec(words(), 1..5).prop_map(|bodies| {
        let sections: String = bodies
            .iter()
            .enumerate()
            .map(|(index, body)| format!("## Part {index}\n\n{body}\n\n### Example\n\n{body}\n\n"))
            .collect();
        (
            "lesson",
            Hint::Markdown,
            format!("# T\n\nLead.\n\n{sections}## Summary\n\nEnd.\n"),
        )
    })
}

fn written(value: &Value, pretty: bool) -> String {
    if pretty {
        serde_json::to_string_pretty(value).unwrap()
    } else {
        value.to_string()
    }
}

fn lesson_json() -> impl Strategy<Value = (&'static str, Hint, String)> {
    (proptest::collection::vec(words(), 1..4), any::<bool>()).prop_map(|(bodies, pretty)| {
        let sections: Vec<Value> = bodies.iter().map(|body| json!({"title": "Part", "content": body})).collect();
        let exercises: Vec<Value> = bodies.iter().map(|body| json!({"question": body, "solution": "42"})).collect();
        let value = json!({"title": "T", "intro": "Lead.", "sections": sections, "exercises": exercises, "summary": ["End."]});
        ("lesson", Hint::Json, written(&value, pretty))
    })
}

fn cards() -> impl Strategy<Value = (&'static str, Hint, String)> {
    (proptest::collection::vec(words(), 1..4), any::<bool>()).prop_map(|(bodies, pretty)| {
        let cards: Vec<Value> = bodies
            .iter()
            .enumerate()
            .map(|(index, body)| {
                json!({"id": format!("c{index}"), "title": "Card", "explainer": body, "explainer_plain": body, "cfu": {
                    "type": "mcq", "stem": body, "options": ["one", body, "three"], "answerIndex": 1,
                    "rubric": {"total_points": 2, "criteria": [{"description": body, "points": 2}]},
                    "expected": body,
                }})
            })
            .collect();
        ("sqa-lesson", Hint::Json, written(&json!({"title": "T", "cards": cards}), pretty))
    })
}

fn items() -> impl Strategy<Value = (&'static str, Hint, String)> {
    (words(), words(), any::<bool>(), 0_usize..3).prop_map(|(a, b, pretty, shape)| {
        let value = match shape {
            0 => json!({"vignette": a, "stem": b, "distractors": [{"text": a, "isCorrect": true, "explanation": b}, {"text": "Heparin", "isCorrect": false, "explanation": b}], "answerKey": "A", "explanation": b}),
            1 => json!({"id": "q", "vignette": a, "stem": b, "options": [{"key": "A", "text": a}, {"key": "B", "text": "B. Heparin"}], "correct_answer": "A", "rationale": b}),
            _ => json!([{"id": "q1", "stem": a, "options": ["A. one", "B. two"], "correct_answer": "B"}, {"id": "q2", "stem": b, "options": {"A": a, "B": "two"}, "correct_answer": "A"}]),
        };
        ("clinical-mcq", Hint::Json, written(&value, pretty))
    })
}

fn parse(profile: &dyn Profile, hint: Hint, text: &str) -> Document {
    profile.parse(
        reading::read(Source::new(text.as_bytes().to_vec()), hint),
        None,
    )
}

fn proposal(
    document: &Document,
    part: &ComponentId,
    at: usize,
    length: usize,
    new: &str,
    whole: bool,
) -> Option<Proposal> {
    let passages = repair::passages(document, part);
    let passage = passages.get(at % passages.len().max(1))?;
    if whole {
        let field = if passage.name.is_empty() {
            String::new()
        } else {
            format!("field: {}\n", passage.name)
        };
        return repair::read_whole(&Reply::of(format!("{field}{new}"))).ok();
    }
    let start = passage.text.floor_char_boundary(at.min(passage.text.len()));
    let end = passage
        .text
        .floor_char_boundary((start + length).min(passage.text.len()));
    let search = &passage.text[start..end.max(start)];
    let field = if passage.name.is_empty() {
        String::new()
    } else {
        format!("field: {}\n", passage.name)
    };
    repair::read_patch(&Reply::of(format!(
        "{field}<<<<<<<<<< SEARCH\n{search}\n==========\n{new}\n>>>>>>>>>> REPLACE"
    )))
    .ok()
}

fn texts_at(text: &str, ranges: &[Range<usize>]) -> Vec<String> {
    ranges
        .iter()
        .map(|range| text[range.clone()].to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn repairs_of_every_shape_stay_in_their_part_or_are_refused(
        (name, hint, original) in prop_oneof![lesson_markdown(), lesson_json(), cards(), items()],
        plan in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..60, 0_usize..40, words(), any::<bool>()), 1..5),
        regenerates in any::<bool>(),
    ) {
        let profile = registry::profile(name).unwrap();
        let mut text = original.clone();
        let mut history = Vec::new();
        for (index, at, length, new, whole) in plan {
            let document = parse(profile, hint, &text);
            let part = index.get(document.components());
            let (part, range) = (part.id.clone(), part.range.clone());
            let Some(proposal) = proposal(&document, &part, at, length, &new, whole) else { continue };
            let protected = profile.protected(&document);
            let sensitive = profile.sensitive(&document);
            let target = EditTarget { document: &document, component: &part, protected: &protected };
            let Ok(applied) = repair::apply(target, &proposal) else { continue };
            let result = String::from_utf8(applied.bytes).unwrap();
            prop_assert_eq!(&result[..range.start], &text[..range.start]);
            prop_assert!(result.ends_with(&text[range.end..]));
            if hint == Hint::Json {
                let value: Result<Value, _> = serde_json::from_str(&result);
                prop_assert!(value.is_ok(), "{}", result);
            }
            let after = parse(profile, hint, &result);
            let (protected_after, sensitive_after) = (profile.protected(&after), profile.sensitive(&after));
            let permitted = Permitted { regenerates, ..Permitted::default() }.protecting(
                Protected { before: &protected, after: &protected_after },
                Protected { before: &sensitive, after: &sensitive_after },
            );
            let inspected = |document| Inspected { document, findings: Vec::new() };
            let (before, after) = (inspected(document), inspected(after));
            let _ = verify::changes((&before.document, &after.document), &part, &[]);
            if verify::tier_one(&before, &after, &part, &permitted).is_err() {
                continue;
            }
            prop_assert_eq!(texts_at(&text, &protected), texts_at(&result, &protected_after));
            prop_assert_eq!(texts_at(&text, &sensitive), texts_at(&result, &sensitive_after));
            let edits = applied.edits.into_iter().map(|edit| ServedEdit { edit, component: part.clone(), task: "t".to_owned() });
            history.push(Step { edits: edits.collect() });
            text = result;
        }
        let receipts = receipt::receipts(&parse(profile, hint, &original), &parse(profile, hint, &text), &history).unwrap();
        let value = serde_json::to_value(&receipts).unwrap();
        let verified = receipt::verify(&value, original.as_bytes(), text.as_bytes());
        prop_assert!(verified.is_ok(), "{:?}", verified);
        let tampered = text + " ";
        prop_assert!(receipt::verify(&value, original.as_bytes(), tampered.as_bytes()).is_err());
    }
}
