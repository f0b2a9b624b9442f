//! The answers of the delta judge.

use super::*;

#[test]
fn the_delta_judge_has_to_answer_every_question() {
    let task = task(FixAction::SurgicalEdit, None, "x", "y");
    let answers = |a: &str, b: &str| {
        format!(
            r#"{{"answers":[{{"id":"issue_1","reason":"r1","answer":{a}}},{{"id":"constraint_1","reason":"r2","answer":{b}}}]}}"#
        )
    };
    for (text, expected) in [
        (answers("\"yes\"", "\"yes\""), Some(true)),
        (answers("\"YES\"", "true"), Some(true)),
        (answers("\"yes\"", "\"no\""), Some(false)),
        (format!("<think>{}</think>{}", answers("\"yes\"", "\"yes\""), answers("\"no\"", "\"yes\"")), Some(false)),
        (format!("```json\n{}\n```", answers("\"yes\"", "\"yes\"")), Some(true)),
        (answers("\"maybe\"", "\"yes\""), None),
        (r#"{"answers":[{"id":"issue_1","reason":"","answer":"yes"}]}"#.to_owned(), None),
        (r#"{"answers":[{"id":"issue_1","answer":"yes"},{"id":"issue_1","answer":"no"},{"id":"constraint_1","answer":"yes"}]}"#.to_owned(), None),
        (r#"{"answers":"yes"}"#.to_owned(), None),
        ("yes".to_owned(), None),
        (answers("\"yes\"", "\"yes\"").trim_end_matches("]}").to_owned(), None),
    ] {
        let delta = read_delta(&reply(&text), &task, DeltaQuestion::YesNo);
        assert_eq!(delta.ok().map(|delta| delta.passed()), expected, "{text}");
    }
    let no = read_delta(
        &reply(&answers("\"yes\"", "\"no\"")),
        &task,
        DeltaQuestion::YesNo,
    )
    .unwrap();
    let demand = &task.constraints[0];
    assert_eq!(
        no.objection(&task).unwrap().to_string(),
        format!("“{demand}”: r2")
    );
}

#[test]
fn the_better_text_is_the_repaired_one_only_where_it_was_shown() {
    let task = task(FixAction::SurgicalEdit, None, "x", "y");
    for (answer, after_first, expected) in [
        ("first", true, Some(Better::After)),
        ("first", false, Some(Better::Before)),
        ("second", false, Some(Better::After)),
        ("same", true, Some(Better::Same)),
        ("third", true, None),
    ] {
        let text = format!(r#"{{"reason":"r","better":"{answer}"}}"#);
        let delta = read_delta(
            &reply(&text),
            &task,
            DeltaQuestion::WhichIsBetter { after_first },
        );
        let better = delta.ok().map(|delta| match delta {
            Delta::WhichIsBetter { better, .. } => better,
            Delta::YesNo(_) => Better::Same,
        });
        assert_eq!(better, expected, "{answer} {after_first}");
    }
}

#[test]
fn consistency_is_said_plainly_or_not_at_all() {
    let fits = read_consistency(&reply(
        r#"{"reason":"it repeats","quote":"As we saw","fits":"no"}"#,
    ))
    .unwrap();
    assert!(!fits.fits && fits.quote.as_deref() == Some("As we saw"));
    assert!(
        read_consistency(&reply(r#"{"reason":"","quote":"","fits":"yes"}"#))
            .unwrap()
            .fits
    );
    assert!(matches!(
        read_consistency(&reply(r#"{"fits":"perhaps"}"#)),
        Err(FormError::Malformed(_))
    ));
}

#[test]
fn the_part_behind_is_asked_about_with_the_repair_and_decides_nothing_about_it() {
    let yes = r#"{"id":"issue_1","reason":"","answer":"yes"},{"id":"constraint_1","reason":"","answer":"yes"}"#;
    let next = |answer: &str| {
        format!(r#"{{"answers":[{yes},{{"id":"next_part","reason":"why","answer":"{answer}"}}]}}"#)
    };
    let both_orders = DeltaQuestion::WhichIsBetter { after_first: true };
    for (action, behind, question, answers, fits) in [
        (
            FixAction::RegenerateSection,
            true,
            DeltaQuestion::YesNo,
            next("yes"),
            Some(true),
        ),
        (
            FixAction::RegenerateSection,
            true,
            DeltaQuestion::YesNo,
            next("no"),
            Some(false),
        ),
        // An answer that is not plain requires a separate question.
        (
            FixAction::RegenerateSection,
            true,
            DeltaQuestion::YesNo,
            next("perhaps"),
            None,
        ),
        (
            FixAction::RegenerateSection,
            true,
            DeltaQuestion::YesNo,
            format!(r#"{{"answers":[{yes}]}}"#),
            None,
        ),
        (
            FixAction::RegenerateSection,
            false,
            DeltaQuestion::YesNo,
            next("no"),
            None,
        ),
        (
            FixAction::SurgicalEdit,
            true,
            DeltaQuestion::YesNo,
            next("no"),
            None,
        ),
        (
            FixAction::RegenerateSection,
            true,
            both_orders,
            next("no"),
            None,
        ),
    ] {
        let task = RepairTask {
            check_after: behind.then(|| ComponentId::from("sec_2")),
            ..task(action, None, "Wrong.", "Mend it.")
        };
        let said = read_next(&reply(&answers), &task, question);
        assert_eq!(said.map(|said| said.fits), fits, "{answers}");
        let schema = delta_schema(&task, question);
        let is_asked = schema.text().contains("next_part");
        assert_eq!(
            is_asked,
            next_component_asked_about(&task, question).is_some()
        );
        if fits.is_some() {
            let delta = read_delta(&reply(&answers), &task, question).unwrap();
            assert!(delta.passed(), "{answers}");
        }
    }
}
