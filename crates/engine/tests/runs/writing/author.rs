//! Cards and items, which one author writes in one answer.

use redraft_gate::companion::{Companions, SchemeEntry};
use redraft_gate::reading::Hint;
use redraft_run::ask::Role;
use redraft_run::outcome::Status;
use redraft_run::setup::Goal;

use super::{Ran, ordered, reply, run, setup_for, text_of};
use crate::fixtures::{Subject, seat};

/// The result of an author's answer that the judge accepts.
fn authored(profile: &str, companions: &Companions, answer: &str) -> Ran {
    let seats = vec![
        seat(Role::JudgeSecondary, &["judge"]),
        seat(Role::Author, &["author"]),
    ];
    let subject = Subject {
        companions: companions.clone(),
        ..Subject::of(profile, "", Hint::Json)
    };
    let setup = setup_for(Goal::Write, &subject, seats);
    let scores: Vec<String> = setup
        .rubric
        .criteria
        .iter()
        .map(|criterion| format!("{} = 0.95", criterion.name))
        .collect();
    let judge = format!(
        "[[reply]]\nrole = \"judge_secondary\"\nconfidence = \"high\"\n[reply.scores]\n{}\n",
        scores.join("\n")
    );
    run(setup, &format!("{}{judge}", reply("author", "", answer)))
}

#[test]
fn cards_and_items_are_written_by_an_author_and_judged() {
    let item = r#"{"vignette": "A 62-year-old woman wakes at night with a burning feeling in both feet. She has had type 2 diabetes for eleven years and takes metformin.", "stem": "Which drug is the best first treatment of her pain?", "distractors": [{"text": "Ibuprofen", "isCorrect": false, "explanation": "It acts on inflammation."}, {"text": "Duloxetine", "isCorrect": true, "explanation": "It eases neuropathic pain."}, {"text": "Morphine", "isCorrect": false, "explanation": "Opioids come last."}, {"text": "Paracetamol", "isCorrect": false, "explanation": "It has little effect on nerves."}], "answerKey": "B", "explanation": "Burning feet in long diabetes point to neuropathy, and duloxetine is a drug of first choice."}"#;
    let cards = r#"{"title": "Sharing a bill", "lesson_type": "teach", "estMinutes": 20, "sow_order": 2, "outcomeRefs": ["O1"], "cards": [{"id": "c1", "title": "Split it", "explainer": "Four friends eat in Leith. They pay £24 in all. Divide to find what each pays.", "explainer_plain": "Divide £24 by 4. Each friend pays £6.", "cfu": {"type": "numeric", "stem": "Five friends pay £30. What does each pay?", "expected": 6}}]}"#;
    let entry = Companions {
        scheme_of_work: vec![SchemeEntry {
            order: Some(2),
            label: Some("Sharing a bill".to_owned()),
            ..SchemeEntry::default()
        }],
        ..Companions::default()
    };
    for (profile, beside, answer) in [
        ("clinical-mcq", ordered(), item),
        ("sqa-lesson", entry, cards),
    ] {
        for wrapped in [
            answer.to_owned(),
            format!("Here it is:\n\n```json\n{answer}\n```\n"),
        ] {
            let ran = authored(profile, &beside, &wrapped);
            let text: serde_json::Value = serde_json::from_str(&text_of(&ran.outcome)).unwrap();
            let expected: serde_json::Value = serde_json::from_str(answer).unwrap();
            assert_eq!(text, expected, "{profile}");
            assert!(ran.outcome.score.is_some(), "{profile}");
        }
        for bad in [
            "I'd rather talk about it.",
            "{\"a\": 1}",
            &answer[..answer.floor_char_boundary(answer.len() / 2)],
        ] {
            let ran = authored(profile, &beside, bad);
            assert_eq!(ran.outcome.status, Status::Escalated, "{profile} {bad}");
            assert!(ran.outcome.final_content.is_none(), "{profile} {bad}");
        }
    }
}
