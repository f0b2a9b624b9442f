//! Plans, components and joins, case by case.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::fixtures::document;
use crate::repair::Block;
use redraft_gate::companion::SectionSpecification;

fn reply(text: &str) -> Reply {
    Reply::of(text)
}

fn planned() -> Value {
    let part = |title: &str, words: u32| json!({"title": title, "purpose": "p", "key_points": ["k"], "words": words});
    json!({
        "title": "Water",
        "introduction": part("", 100),
        "sections": [part("Heat", 300), part("Steam", 200)],
        "conclusion": part("Summary", 100),
    })
}

fn specification(sections: usize, minutes: Option<f64>) -> Specification {
    Specification {
        minutes,
        sections: (1..=sections)
            .map(|number| SectionSpecification {
                title: format!("Section {number}"),
                ..SectionSpecification::default()
            })
            .collect(),
        ..Specification::default()
    }
}

fn read(value: &Value, plan: &Specification) -> Result<Plan, Unscored> {
    read_plan(&reply(&value.to_string()), Some(plan))
}

#[test]
fn a_plan_names_its_parts_and_the_sections_they_fulfil() {
    let plan = read(&planned(), &specification(2, None)).unwrap();
    let parts: Vec<(&str, usize, Option<usize>)> = plan
        .sections
        .iter()
        .enumerate()
        .map(|(at, part)| (part.id.0.as_str(), part.words, plan.specified(at)))
        .collect();
    assert_eq!(
        parts,
        [
            ("sec_introduction", 100, None),
            ("sec_1", 300, Some(0)),
            ("sec_2", 200, Some(1)),
            ("sec_conclusion", 100, None),
        ]
    );
}

#[test]
fn a_plan_that_cannot_be_followed_is_refused_with_the_reason() {
    let without = |name: &str| {
        let mut value = planned();
        value.as_object_mut().unwrap().remove(name);
        value.to_string()
    };
    let mut untitled = planned();
    untitled["sections"][1]["title"] = json!("  ");
    let mut many = planned();
    many["sections"] = json!(vec![planned()["sections"][0].clone(); 21]);
    let whole = planned().to_string();
    for (text, finish, specified, reason, says) in [
        (" ", Finish::Stop, 0, Reason::Empty, "empty"),
        ("No.", Finish::Refusal, 0, Reason::Refused, "declined"),
        (
            "I'm sorry, I can't.",
            Finish::Stop,
            0,
            Reason::Refused,
            "declined",
        ),
        (
            "A lesson on water.",
            Finish::Stop,
            0,
            Reason::WrongShape,
            "no plan",
        ),
        (
            &whole[..whole.len() / 2],
            Finish::Length,
            0,
            Reason::Truncated,
            "breaks off",
        ),
        (
            &without("title"),
            Finish::Stop,
            0,
            Reason::WrongShape,
            "`title`",
        ),
        (
            &without("introduction"),
            Finish::Stop,
            0,
            Reason::WrongShape,
            "`introduction`",
        ),
        (
            &without("conclusion"),
            Finish::Stop,
            0,
            Reason::WrongShape,
            "`conclusion`",
        ),
        (
            &untitled.to_string(),
            Finish::Stop,
            0,
            Reason::WrongShape,
            "section 2",
        ),
        (
            &many.to_string(),
            Finish::Stop,
            0,
            Reason::WrongShape,
            "at most 20",
        ),
        (
            &whole,
            Finish::Stop,
            3,
            Reason::WrongShape,
            "Section 1; Section 2; Section 3",
        ),
    ] {
        let reply = Reply {
            finish,
            ..reply(text)
        };
        let error = read_plan(&reply, Some(&specification(specified, None))).unwrap_err();
        assert_eq!(error.reason, reason, "{text}: {error:?}");
        assert!(error.message.contains(says), "{text}: {error:?}");
    }
}

#[test]
fn the_last_well_formed_plan_outside_quotations_counts() {
    let mut other = planned();
    other["title"] = json!("Ice");
    let text = format!("> {}\n\nNo, better:\n```json\n{}\n```\n", planned(), other);
    let plan = read_plan(&reply(&text), None).unwrap();
    assert_eq!(plan.title, "Ice");
}

#[test]
fn lengths_fit_the_time_that_there_is() {
    for (minutes, expected) in [
        (None, [100, 300, 200, 100]),
        (Some(5.0), [100, 300, 200, 100]),
        // 20 minutes at 120 words per minute, the minimum.
        (Some(20.0), [343, 1029, 686, 343]),
        // One minute at 600 words per minute, the maximum.
        (Some(1.0), [86, 258, 172, 86]),
        (Some(f64::NAN), [100, 300, 200, 100]),
        (Some(f64::INFINITY), [1500, 1500, 1500, 1500]),
    ] {
        let plan = read(&planned(), &specification(2, minutes)).unwrap();
        let words: Vec<usize> = plan.sections.iter().map(|part| part.words).collect();
        assert_eq!(words, expected, "{minutes:?}");
    }
    let mut odd = planned();
    odd["introduction"]["words"] = json!("many");
    odd["sections"][0]["words"] = json!(-3);
    odd["sections"][1]["words"] = json!(9_000);
    odd["conclusion"]["words"] = json!(1);
    let plan = read(&odd, &specification(2, None)).unwrap();
    let words: Vec<usize> = plan.sections.iter().map(|part| part.words).collect();
    assert_eq!(words, [100, 200, 1500, 40]);
    // A plan must not have more words in total than a lesson has.
    let mut long = odd.clone();
    long["sections"][0]["words"] = json!(20_000);
    let error = read(&long, &specification(2, None)).unwrap_err();
    assert_eq!(error.reason, Reason::WrongShape);
    for words in [25_001, 1_500_000_000_000_000_i64, i64::MAX] {
        for part in ["introduction", "conclusion"] {
            let mut endless = planned();
            endless[part]["words"] = json!(words);
            let error = read(&endless, &specification(2, None)).unwrap_err();
            assert_eq!(error.reason, Reason::WrongShape, "{words}");
        }
        let mut endless = planned();
        endless["sections"][1]["words"] = json!(words);
        let error = read(&endless, &specification(2, None)).unwrap_err();
        assert!(error.message.contains("25000"), "{}", error.message);
    }
}

#[test]
fn the_words_of_a_heading_stay_on_its_line() {
    let mut value = planned();
    value["title"] = json!("# Water\n\n## and steam");
    value["sections"][0]["title"] = json!("## Heat\nand cold");
    let plan = read(&value, &specification(2, None)).unwrap();
    assert_eq!(plan.title, "Water ## and steam");
    assert_eq!(plan.sections[1].title, "Heat and cold");
}

fn section() -> PlannedSection {
    PlannedSection {
        id: ComponentId::from("sec_1"),
        kind: SectionKind::Section,
        title: "Heat".to_owned(),
        purpose: String::new(),
        key_points: Vec::new(),
        words: 12,
    }
}

#[test]
fn a_part_comes_without_its_heading_and_about_as_long_as_planned() {
    const BODY: &str = "The plate gets hot and the water takes the heat up.";
    for (text, expected) in [
        (BODY.to_owned(), BODY.to_owned()),
        (format!("## Heat\n\n{BODY}"), BODY.to_owned()),
        (
            format!("<redraft:part>\n{BODY}\n</redraft:part>"),
            BODY.to_owned(),
        ),
        (
            format!("{BODY}\n\n## More\n\nIt boils."),
            format!("{BODY}\n\n### More\n\nIt boils."),
        ),
    ] {
        assert_eq!(read_section(&reply(&text), &section()).unwrap(), expected);
    }
    for (text, reason) in [
        (String::new(), Reason::Empty),
        ("It is hot.".to_owned(), Reason::Rejected),
        (BODY.repeat(10), Reason::Rejected),
        ("NO CHANGE NEEDED: fine".to_owned(), Reason::WrongShape),
        (
            "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE".to_owned(),
            Reason::WrongShape,
        ),
    ] {
        let error = read_section(&reply(&text), &section()).unwrap_err();
        assert_eq!(error.reason, reason, "{text}: {error:?}");
    }
}

#[test]
fn of_an_authors_answer_the_last_complete_object_counts() {
    for (text, expected) in [
        ("{\"a\": 1}", Ok("{\"a\": 1}\n")),
        ("Here:\n```json\n{\"a\": 1}\n```\nBye!", Ok("{\"a\": 1}\n")),
        ("{\"a\": 1}\n{\"b\": [1", Ok("{\"a\": 1}\n")),
        ("{\"b\": [1", Err(Reason::WrongShape)),
        ("I cannot do that.", Err(Reason::Refused)),
        ("", Err(Reason::Empty)),
    ] {
        let read = read_object(&reply(text)).map_err(|error| error.reason);
        assert_eq!(read.as_deref(), expected.as_deref(), "{text}");
    }
}

const LESSON: &str = "# Water\n\n## Heat\n\nIt is cold. It gets warm. It gets hot. It boils.\n\n\
## Steam\n\nSteam is a gas. It rises. It burns.\n\n- a list\n\n## Ice\n\nIce is cold.\n";

#[test]
fn joins_are_the_sentences_where_parts_meet_and_only_prose() {
    let document = document(LESSON);
    let joins: Vec<(String, Option<String>, Option<String>)> = joins(&document)
        .into_iter()
        .map(|join| {
            let text = |side: Option<JoinSide>| side.map(|side| side.text);
            (
                join.from.0 + join.to.0.as_str(),
                text(join.end),
                text(join.start),
            )
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        joins,
        [
            (
                "sec_1sec_2".to_owned(),
                some("It gets hot. It boils."),
                some("Steam is a gas. It rises.")
            ),
            ("sec_2sec_3".to_owned(), None, some("Ice is cold.")),
        ]
    );
}

proptest! {
    /// Whatever is searched for and replaced: the text outside the joins stays the same byte for
    /// byte, or nothing is applied.
    #[test]
    fn no_edit_of_a_smoother_reaches_beyond_a_join(
        start in 0..LESSON.len(),
        length in 0usize..60,
        replace in "[a-z .#\\n]{0,20}",
    ) {
        let document = document(LESSON);
        let joins = joins(&document);
        let end = (start + length).min(LESSON.len());
        let search = &LESSON[start..end];
        let proposal = Proposal::Blocks(vec![Block {
            field: None,
            readings: vec![(search.to_owned(), replace.clone())],
            ..Block::default()
        }]);
        let sides: Vec<&JoinSide> = joins
            .iter()
            .flat_map(|join| [&join.end, &join.start])
            .flatten()
            .collect();
        if let Ok(applied) = smoothed(&document, &joins, &proposal) {
            let text = std::str::from_utf8(&applied.bytes).unwrap();
            // With the joins cut out, the text in between is unchanged.
            let mut rest = text;
            let mut at = 0;
            for side in sides {
                let between = &LESSON[at..side.range.start];
                let found = rest.find(between);
                prop_assert!(found.is_some(), "{search:?} {replace:?}: {text:?}");
                rest = &rest[found.unwrap_or_default() + between.len()..];
                at = side.range.end;
            }
            prop_assert!(rest.ends_with(&LESSON[at..]), "{text:?}");
            prop_assert!(text.lines().count() == LESSON.lines().count());
        }
    }
}
