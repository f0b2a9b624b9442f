//! Random documents, tasks and hostile replies: bytes outside the component stay identical or the
//! repair is rejected, protected text never changes, receipts verify, JSON decodes to the intended
//! text, and nothing panics.

use proptest::prelude::*;

use super::testing::reply;
use super::*;
use crate::verify::{self, Permitted};
use redraft_gate::fix::Inspected;
use redraft_gate::fixtures::{json_lesson, markdown_lesson};
use redraft_gate::receipt::{self, ServedEdit, Step};

/// Lines of a lesson or of a hostile reply.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("Water boils at 100 °C.".to_owned()),
        Just("Ice “floats” — *always*, says `ice()`.".to_owned()),
        Just("- item one\n- item two".to_owned()),
        Just("```py\nx = 1\n```".to_owned()),
        Just("```".to_owned()),
        Just("## Another".to_owned()),
        Just("### Deeper".to_owned()),
        Just("<!-- open".to_owned()),
        Just("=======".to_owned()),
        Just("<<<<<<< SEARCH".to_owned()),
        Just(">>>>>>> REPLACE".to_owned()),
        Just("</redraft:part>".to_owned()),
        Just("field: sections[0].content".to_owned()),
        Just("$\\frac{1}{2}$ \"quoted\" \\ back".to_owned()),
        "[a-zа-я \"\\\\#*_`\u{1}\r\t]{0,20}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 0..6).prop_map(|lines| lines.join("\n"))
}

fn markdown() -> impl Strategy<Value = String> {
    proptest::collection::vec(text(), 1..4).prop_map(|sections| {
        let mut lesson = "# T\n\n".to_owned();
        for (index, body) in sections.iter().enumerate() {
            lesson.push_str(&format!("## S{index}\n\n{body}\n\n"));
        }
        lesson
    })
}

fn json() -> impl Strategy<Value = String> {
    (proptest::collection::vec(text(), 1..4), any::<bool>()).prop_map(|(sections, pretty)| {
        let sections: Vec<serde_json::Value> = sections
            .iter()
            .enumerate()
            .map(|(index, body)| serde_json::json!({"id": index, "title": format!("S{index}"), "content": body, "key": "B"}))
            .collect();
        let value = serde_json::json!({"sections": sections, "status": "draft"});
        if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        }
    })
}

/// A model's answer: passages of the text, or anything else.
#[derive(Clone, Debug)]
enum Answer {
    Block {
        from: usize,
        length: usize,
        new: String,
    },
    Anything(String),
    Whole(String),
}

fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        4 => (0_usize..200, 1_usize..60, text()).prop_map(|(from, length, new)| Answer::Block { from, length, new }),
        1 => text().prop_map(Answer::Anything),
        2 => text().prop_map(Answer::Whole),
    ]
}

fn proposal(document: &Document, component: &ComponentId, answer: &Answer) -> Option<Proposal> {
    match answer {
        Answer::Anything(text) => read_patch(&reply(text)).ok(),
        Answer::Whole(text) => read_whole(&reply(text)).ok(),
        Answer::Block { from, length, new } => {
            let passages = passages(document, component);
            let passage = passages.get(from % passages.len().max(1))?;
            let start = passage
                .text
                .floor_char_boundary((*from).min(passage.text.len()));
            let end = passage
                .text
                .floor_char_boundary((start + length).min(passage.text.len()));
            let search = &passage.text[start..end.max(start)];
            let answer =
                format!("<<<<<<<<<< SEARCH\n{search}\n==========\n{new}\n>>>>>>>>>> REPLACE");
            read_patch(&reply(&answer)).ok()
        }
    }
}

/// The first letter of each of the component's texts, which no edit may change.
fn first_letters(document: &Document, component: &ComponentId) -> Vec<Range<usize>> {
    passages(document, component)
        .iter()
        .filter_map(|passage| {
            let first = passage.text.chars().next()?;
            let start = passage.range.start;
            Some(passage.field.map.to_source(start..start + first.len_utf8()))
        })
        .collect()
}

/// Repairs one component several times, and checks all properties.
fn holds(
    original: &str,
    parse: fn(&str) -> Document,
    component: &ComponentId,
    answers: &[Answer],
    regenerates: bool,
) -> Result<(), TestCaseError> {
    let mut text = original.to_owned();
    let mut history = Vec::new();
    for answer in answers {
        let document = parse(&text);
        let Some(proposal) = proposal(&document, component, answer) else {
            continue;
        };
        let part = document
            .components()
            .iter()
            .find(|part| part.id == *component);
        let Some(part) = part else { return Ok(()) };
        let range = document.span(part.range.clone()).range();
        let protected = first_letters(&document, component);
        let target = EditTarget {
            document: &document,
            component,
            protected: &protected,
        };
        let Ok(applied) = apply(target, &proposal) else {
            continue;
        };
        for edit in &applied.edits {
            prop_assert!(range.start <= edit.span.start && edit.span.end <= range.end);
            prop_assert!(
                !protected
                    .iter()
                    .any(|kept| overlaps(&edit.span.range(), kept))
            );
        }
        let new = String::from_utf8(applied.bytes).unwrap();
        prop_assert_eq!(&new[..range.start], &text[..range.start]);
        prop_assert!(new.ends_with(&text[range.end..]));
        let after = parse(&new);
        if text.starts_with('{') {
            let value: serde_json::Value = serde_json::from_str(&new).unwrap();
            prop_assert_eq!(&value["status"], "draft");
            let intended: String = after
                .texts()
                .iter()
                .map(|field| field.text.to_string())
                .collect();
            let decoded: String = value["sections"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|section| {
                    [
                        section["title"].as_str().unwrap(),
                        section["content"].as_str().unwrap(),
                    ]
                })
                .collect();
            prop_assert_eq!(intended, decoded);
        }
        let inspected = |document| Inspected {
            document,
            findings: Vec::new(),
        };
        let permitted = Permitted {
            regenerates,
            ..Permitted::default()
        };
        let (before, after) = (inspected(document), inspected(after));
        let _ = verify::changes((&before.document, &after.document), component, &[]);
        if verify::tier_one(&before, &after, component, &permitted).is_err() {
            continue;
        }
        // Kept repairs leave every other component unchanged.
        let others = |document: &Document| -> Vec<(ComponentId, String)> {
            let source = document.source().text();
            document
                .components()
                .iter()
                .filter(|part| part.parent.is_some() && part.id != *component)
                .map(|part| (part.id.clone(), source[part.range.clone()].to_owned()))
                .collect()
        };
        prop_assert_eq!(others(&before.document), others(&after.document));
        history.push(Step {
            edits: applied
                .edits
                .into_iter()
                .map(|edit| ServedEdit {
                    edit,
                    component: component.clone(),
                    task: "t".to_owned(),
                })
                .collect(),
        });
        text = new;
    }
    receipts_hold(original, &text, parse, component, &history)
}

/// The receipts verify, name no other component, and match no other result.
fn receipts_hold(
    original: &str,
    text: &str,
    parse: fn(&str) -> Document,
    component: &ComponentId,
    history: &[Step],
) -> Result<(), TestCaseError> {
    let receipts = receipt::receipts(&parse(original), &parse(text), history).unwrap();
    let value = serde_json::to_value(&receipts).unwrap();
    let verified = receipt::verify(&value, original.as_bytes(), text.as_bytes());
    prop_assert!(verified.is_ok(), "{:?}", verified);
    let untouched = verified.unwrap().untouched;
    let parts = parse(original);
    let parts = parts
        .components()
        .iter()
        .filter(|part| part.parent.is_some() && part.id != *component);
    for part in parts {
        prop_assert!(untouched.contains(&part.id.0), "{}", part.id);
    }
    let tampered = format!("{text}x");
    prop_assert!(receipt::verify(&value, original.as_bytes(), tampered.as_bytes()).is_err());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_markdown_repair_stays_in_its_part_or_is_refused(
        lesson in markdown(),
        part in 1_usize..4,
        answers in proptest::collection::vec(answer(), 1..5),
        regenerates in any::<bool>(),
    ) {
        holds(&lesson, markdown_lesson, &ComponentId(format!("sec_{part}")), &answers, regenerates)?;
    }

    #[test]
    fn a_json_repair_stays_in_its_part_or_is_refused(
        lesson in json(),
        part in 1_usize..4,
        answers in proptest::collection::vec(answer(), 1..5),
        regenerates in any::<bool>(),
    ) {
        holds(&lesson, json_lesson, &ComponentId(format!("sec_{part}")), &answers, regenerates)?;
    }

    #[test]
    fn no_reply_makes_the_reader_panic(text in ".{0,300}", lines in text()) {
        for text in [text.as_str(), lines.as_str()] {
            let _ = read_patch(&reply(text));
            let _ = read_whole(&reply(text));
            let _ = verify::read_consistency(&reply(text));
        }
    }
}
