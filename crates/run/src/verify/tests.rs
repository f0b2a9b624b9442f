//! Repairs good and bad, as a table; then the answers of the delta judge.

use super::*;
use crate::arbitrate::{ContextWindow, TargetedIssue};
use crate::ask::Tokens;
use crate::policy::LengthLimits;
use crate::repair::FormError;
use crate::repair::testing::reply;
use crate::request::DeltaQuestion;
use crate::route::{ContextAnchors, RepairTask};
use crate::rubric::FixAction;
use crate::verdict::{Anchored, Issue, IssueSeverity};
use redraft_gate::fixtures::{json_lesson, markdown_lesson};

const LESSON: &str = "# Water\n\n## Steam\n\nWater boils at 100 °C in the pot. Steam rises from it, and `kettle` sings a song.\n\n### Why\n\n```py\nboil(water)\n```\n\nSee [the book](https://example.org/book) for more of it.\n\n## Ice\n\nIce floats.\n";

fn inspected(document: Document) -> Inspected {
    Inspected {
        document,
        findings: Vec::new(),
    }
}

fn kinds(after: &str, task: &Permitted<'_>) -> Vec<ObjectionKind> {
    let result = tier_one(
        &inspected(markdown_lesson(LESSON)),
        &inspected(markdown_lesson(after)),
        &ComponentId::from("sec_1"),
        task,
    );
    let mut kinds: Vec<_> = result
        .err()
        .unwrap_or_default()
        .into_iter()
        .map(|objection| objection.kind)
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn what_a_repair_may_not_do_is_objected_to() {
    use ObjectionKind::*;
    for (old, new, expected) in [
        ("rises", "goes up", None),
        ("sings a song", "sings", None),
        ("Ice floats", "Ice sinks", Some(LeavesComponent)),
        (
            "## Ice",
            "## Snow\n\nSnow.\n\n## Ice",
            Some(LeavesComponent),
        ),
        (
            "for more of it.",
            "for more of it.\n\n```",
            Some(LeavesComponent),
        ),
        (
            "for more of it.",
            "for more of it.\n\n<!-- ",
            Some(LeavesComponent),
        ),
        ("## Steam", "# Steam", Some(LeavesComponent)),
        ("## Steam", "## Vapour", Some(Headings)),
        ("### Why\n\n", "", Some(Headings)),
        ("### Why", "### Why\n\n#### Really", Some(Headings)),
        ("boil(water)", "boil(milk)", Some(Code)),
        ("`kettle`", "kettle", Some(Code)),
        ("See [the", "```\nx\n```\n\nSee [the", Some(Code)),
        ("100 °C", "90 °C", Some(Numbers)),
        ("100 °C", "a hundred °C", Some(Numbers)),
        (
            "[the book](https://example.org/book)",
            "the book",
            Some(Links),
        ),
    ] {
        let after = LESSON.replacen(old, new, 1);
        assert_ne!(after, LESSON);
        let found = kinds(&after, &Permitted::default());
        assert_eq!(
            found,
            expected.into_iter().collect::<Vec<_>>(),
            "{old} -> {new}"
        );
    }
}

#[test]
fn what_the_task_permits_is_not_objected_to() {
    let base = Permitted::default;
    let longer = format!(
        "{} for more of it. {}",
        "",
        "And steam is made of water. ".repeat(20)
    );
    for (old, new, task) in [
        (
            "boil(water)",
            "boil(milk)",
            Permitted {
                may_touch_code: true,
                ..base()
            },
        ),
        (
            "100 °C",
            "90 °C",
            Permitted {
                numbers: vec!["100".to_owned()],
                ..base()
            },
        ),
        (
            "[the book](https://example.org/book)",
            "the book",
            Permitted {
                may_touch_links: true,
                ..base()
            },
        ),
        (
            "### Why",
            "### How",
            Permitted {
                may_touch_headings: true,
                ..base()
            },
        ),
        (
            " for more of it.",
            longer.as_str(),
            Permitted {
                may_add: true,
                ..base()
            },
        ),
        (
            "for more of it.",
            "for more of it.\n\n```\nx\n```",
            Permitted {
                may_add: true,
                ..base()
            },
        ),
        (
            "### Why\n\n```py\nboil(water)\n```\n\n",
            "All of it is new, 7 times over, and a good deal longer than before.\n\n",
            Permitted {
                regenerates: true,
                ..base()
            },
        ),
    ] {
        let after = LESSON.replacen(old, new, 1);
        assert_ne!(after, LESSON);
        assert!(!kinds(&after, &base()).is_empty(), "{old}");
        assert_eq!(kinds(&after, &task), [], "{old}");
    }
    // Not even a regenerated component gets another heading.
    let after = LESSON.replacen("## Steam", "## Vapour", 1);
    assert_eq!(
        kinds(
            &after,
            &Permitted {
                regenerates: true,
                ..base()
            }
        ),
        [ObjectionKind::Headings]
    );
}

#[test]
fn a_part_neither_shrinks_nor_grows_beyond_its_figures() {
    let text = |words: usize| format!("## A\n\n{}\n", "word ".repeat(words).trim_end());
    let judge = |words: usize, task: &Permitted<'_>| {
        tier_one(
            &inspected(markdown_lesson(&text(100))),
            &inspected(markdown_lesson(&text(words))),
            &ComponentId::from("sec_1"),
            task,
        )
        .err()
        .map(|objections| objections[0].kind)
    };
    let base = Permitted::default();
    let regenerates = Permitted {
        regenerates: true,
        ..Permitted::default()
    };
    let adds = Permitted {
        may_add: true,
        ..Permitted::default()
    };
    let names_a_minimum = Permitted {
        least_words: Some(200),
        ..Permitted::default()
    };
    for (words, task, expected) in [
        (71, &base, None),
        (69, &base, Some(ObjectionKind::Shrinks)),
        (200, &base, None),
        (203, &base, Some(ObjectionKind::Grows)),
        (203, &adds, None),
        (700, &adds, Some(ObjectionKind::Grows)),
        (700, &regenerates, Some(ObjectionKind::Grows)),
        (203, &names_a_minimum, None),
        (290, &names_a_minimum, None),
        (500, &names_a_minimum, Some(ObjectionKind::Grows)),
        (69, &adds, Some(ObjectionKind::Shrinks)),
        (203, &regenerates, None),
        (31, &regenerates, None),
        (29, &regenerates, Some(ObjectionKind::Shrinks)),
    ] {
        assert_eq!(judge(words, task), expected, "{words}");
    }
}

#[test]
fn another_language_is_noticed() {
    let english = "## A\n\nThe water in the pot is boiling, and the steam rises slowly towards the ceiling of the kitchen.\n";
    let german = "## A\n\nDas Wasser im Topf kocht, und der Dampf steigt langsam zur Decke der Küche empor, wo er abkühlt.\n";
    let result = tier_one(
        &inspected(markdown_lesson(english)),
        &inspected(markdown_lesson(german)),
        &ComponentId::from("sec_1"),
        &Permitted::default(),
    );
    assert_eq!(result.unwrap_err()[0].kind, ObjectionKind::Language);
}

#[test]
fn in_json_only_texts_of_the_part_may_change() {
    let json = r#"{"sections":[{"title":"A","content":"one two three","id":7},{"title":"B","content":"b"}]}"#;
    for (old, new, allowed) in [
        ("one two three", "one two drei", true),
        ("\"id\":7", "\"id\":8", false),
        ("\"title\":\"B\"", "\"title\":\"C\"", false),
        ("one two three\"", "one two three\",\"x\":\"y\"", false),
        ("\"content\":\"one two three\",", "", false),
    ] {
        let result = tier_one(
            &inspected(json_lesson(json)),
            &inspected(json_lesson(&json.replacen(old, new, 1))),
            &ComponentId::from("sec_1"),
            &Permitted {
                regenerates: true,
                ..Permitted::default()
            },
        );
        assert_eq!(result.is_ok(), allowed, "{old} -> {new}: {result:?}");
    }
}

#[test]
fn protected_text_never_changes_and_sensitive_text_only_where_it_is_quoted() {
    let before = "## A\n\nThe key is B. The answer is aspirin.\n";
    let ranges = |text: &str, words: &str| {
        let at = text.find(words).unwrap();
        std::iter::once(at..at + words.len()).collect::<Vec<_>>()
    };
    let judge = |after: &str, key: &str, answer: &str, quote: Option<&str>| {
        let (kb, ka) = (ranges(before, "B."), ranges(after, key));
        let (sb, sa) = (ranges(before, "aspirin"), ranges(after, answer));
        let task = task(FixAction::SurgicalEdit, quote, "reword", "reword it");
        let permitted = Permitted::of(&task, LengthLimits::default()).protecting(
            Protected {
                before: &kb,
                after: &ka,
            },
            Protected {
                before: &sb,
                after: &sa,
            },
        );
        tier_one(
            &inspected(markdown_lesson(before)),
            &inspected(markdown_lesson(after)),
            &ComponentId::from("sec_1"),
            &permitted,
        )
        .is_ok()
    };
    let other_key = before.replace("B.", "C.");
    let other_answer = before.replace("aspirin", "heparin");
    assert!(judge(
        &before.replace("The key", "The mark"),
        "B.",
        "aspirin",
        None
    ));
    assert!(!judge(&other_key, "C.", "aspirin", Some("The key is B.")));
    assert!(!judge(&other_answer, "B.", "heparin", None));
    assert!(!judge(&other_answer, "B.", "heparin", Some("The key")));
    assert!(judge(
        &other_answer,
        "B.",
        "heparin",
        Some("The answer is aspirin.")
    ));
}

fn task(action: FixAction, quote: Option<&str>, description: &str, fix: &str) -> RepairTask {
    let issue = TargetedIssue {
        id: "issue_1".to_owned(),
        issue: Issue {
            criterion: "clarity_readability".to_owned(),
            severity: IssueSeverity::Major,
            location: ComponentId::from("sec_1"),
            quote: quote.map(str::to_owned),
            anchor: Anchored::Exact,
            description: description.to_owned(),
            suggested_fix: fix.to_owned(),
            source: None,
        },
        target_section_id: ComponentId::from("sec_1"),
        fix_action: action,
        context_window: ContextWindow::default(),
        fix_instructions: fix.to_owned(),
        raised_by: 1,
    };
    RepairTask {
        section_id: ComponentId::from("sec_1"),
        section_title: "A".to_owned(),
        action_type: action,
        synthesized_instructions: fix.to_owned(),
        constraints: vec!["keep it short".to_owned()],
        context_anchors: ContextAnchors::default(),
        priority: IssueSeverity::Major,
        source_issues: vec![issue],
        check_after: None,
        estimated_tokens: Tokens::default(),
        finding_words: Vec::new(),
    }
}

#[test]
fn a_task_permits_what_its_issues_are_about() {
    for (quote, description, fix, expected) in [
        (
            Some("hard words"),
            "The sentence is hard to read.",
            "Use short words.",
            "",
        ),
        (
            Some("the loop"),
            "The code is wrong.",
            "Correct the code.",
            "code",
        ),
        (Some("`x = 1`"), "Wrong.", "Mend it.", "code"),
        // That a quote holds a number does not make the issue one about it (ruling 61).
        (Some("boils at 90"), "Clumsy.", "Mend it.", ""),
        (
            Some("boils at 90"),
            "It boils at 100.",
            "Mend it.",
            "numbers",
        ),
        (None, "There is no example of a loop.", "Show one.", "add"),
        (
            Some("loops"),
            "Too thin.",
            "Add an example of a loop.",
            "add",
        ),
        (
            Some("цикл"),
            "Ошибка в коде.",
            "Добавьте пример.",
            "add code",
        ),
        (
            Some("3 Schleifen"),
            "Die Zahl ist falsch.",
            "Ändere sie.",
            "numbers",
        ),
        (Some("循环"), "代码有错误。", "修改。", "code"),
        (Some("x"), "The heading is vague.", "Reword it.", "headings"),
        (
            Some("x"),
            "The address is wrong.",
            "Address the reader.",
            "",
        ),
    ] {
        let task = task(FixAction::SurgicalEdit, quote, description, fix);
        let permitted = Permitted::of(&task, LengthLimits::default());
        let found: Vec<&str> = [
            (permitted.may_add, "add"),
            (permitted.may_touch_code, "code"),
            (!permitted.numbers.is_empty(), "numbers"),
            (permitted.may_touch_headings, "headings"),
        ]
        .into_iter()
        .filter(|(may, _)| *may)
        .map(|(_, what)| what)
        .collect();
        assert_eq!(found.join(" "), expected, "{description} {fix}");
    }
    let mut factual = task(FixAction::RegenerateSection, Some("90 °C of 7"), "x", "y");
    factual.source_issues[0].issue.criterion = "factual_accuracy".to_owned();
    factual.finding_words = vec!["costs £500".to_owned()];
    let permitted = Permitted::of(&factual, LengthLimits::default());
    assert_eq!(permitted.numbers, ["90", "7", "500"]);
    assert!(permitted.regenerates);
}

#[test]
fn changes_show_whole_sentences_with_their_neighbours() {
    let before = "## A\n\nOne is here. Two is here. Three is here. Four is here. Five is here. Six is here.\n\nSeven is far. Eight is far. Nine is far.\n";
    let after = before
        .replace("Two is", "Zwei ist")
        .replace("Nine is", "Neun ist");
    let found = changes(
        &markdown_lesson(before),
        &markdown_lesson(&after),
        &ComponentId::from("sec_1"),
    );
    let shown: Vec<(&str, &str)> = found
        .iter()
        .map(|change| (change.before.trim(), change.after.trim()))
        .collect();
    assert_eq!(
        shown,
        [
            (
                "One is here. Two is here. Three is here.",
                "One is here. Zwei ist here. Three is here."
            ),
            ("Eight is far. Nine is far.", "Eight is far. Neun ist far."),
        ]
    );
    let near = before
        .replace("Two is", "Zwei ist")
        .replace("Four is", "Vier ist");
    let found = changes(
        &markdown_lesson(before),
        &markdown_lesson(&near),
        &ComponentId::from("sec_1"),
    );
    assert_eq!(found.len(), 1);
    assert!(
        changes(
            &markdown_lesson(before),
            &markdown_lesson(before),
            &ComponentId::from("sec_1")
        )
        .is_empty()
    );
}

#[test]
fn changes_of_any_size_are_bounded() {
    let long = |word: &str| {
        format!(
            "## A\n\n{}\n",
            format!("{word} goes on and on. ").repeat(5_000)
        )
    };
    let found = changes(
        &markdown_lesson(&long("One")),
        &markdown_lesson(&long("Two")),
        &ComponentId::from("sec_1"),
    );
    assert_eq!(found.len(), 1);
    assert!(found[0].before.len() < 13_000 && found[0].after.contains("Two"));
}

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
        // What is not said plainly has to be asked about by itself.
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

#[test]
fn the_self_review_scrubs_noise_and_nothing_else() {
    let lesson = "# Water\n\nWater boils **at 100 degrees. Steam 你好 rises.\n";
    for (before, after, allowed) in [
        (
            lesson.to_owned(),
            lesson.replace("100 degrees", "100 degrees**"),
            true,
        ),
        (lesson.to_owned(), lesson.replace(" 你好", ""), true),
        (
            format!("Sure! Here is the lesson:\n\n{lesson}"),
            lesson.to_owned(),
            true,
        ),
        (lesson.replace("Steam", "Stеam"), lesson.to_owned(), true),
        (lesson.to_owned(), lesson.replace(" rises", ""), false),
        (lesson.to_owned(), lesson.replace("100", "90"), false),
        (
            lesson.to_owned(),
            lesson.replace("rises", "rises up"),
            false,
        ),
        (lesson.to_owned(), String::new(), false),
    ] {
        let result = scrubs_only(&markdown_lesson(&before), &markdown_lesson(&after));
        assert_eq!(result.is_ok(), allowed, "{before} -> {after}: {result:?}");
    }
}

#[test]
fn a_named_minimum_of_words_is_read_in_several_languages() {
    for (said, expected) in [
        (
            "the vignette has 3 words, but needs at least 15; describe it",
            Some(15),
        ),
        ("Write at least 120 words.", Some(120)),
        ("Schreibe mindestens 80 Wörter.", Some(80)),
        ("Escribe al menos 90 palabras.", Some(90)),
        ("Écrivez au moins 70 mots.", Some(70)),
        ("Escreva pelo menos 60 palavras.", Some(60)),
        ("Напишите не менее 50 слов.", Some(50)),
        ("至少40字。", Some(40)),
        ("Add at least 2 examples.", None),
        ("It has 40 words.", None),
        // No component is as long as that.
        ("Write at least 900000 words.", None),
    ] {
        let task = task(FixAction::SurgicalEdit, None, said, "");
        let permitted = Permitted::of(&task, LengthLimits::default());
        assert_eq!(permitted.least_words, expected, "{said}");
    }
}

#[test]
fn only_the_number_that_an_issue_quotes_may_change() {
    let before =
        "## A\n\nThe pot holds 3 litres. It boils at 90 degrees, and 12 cups are filled with it.\n";
    let judge = |old: &str, new: &str, quote: &str| {
        let mut task = task(
            FixAction::SurgicalEdit,
            Some(quote),
            "The number is wrong.",
            "Correct it.",
        );
        task.constraints.clear();
        tier_one(
            &inspected(markdown_lesson(before)),
            &inspected(markdown_lesson(&before.replacen(old, new, 1))),
            &ComponentId::from("sec_1"),
            &Permitted::of(&task, LengthLimits::default()),
        )
        .is_ok()
    };
    for (old, new, quote, expected) in [
        ("90", "100", "It boils at 90 degrees", true),
        ("12", "13", "It boils at 90 degrees", false),
        ("3 litres", "4 litres", "It boils at 90 degrees", false),
        ("90", "100", "The pot", false),
        (
            "90 degrees, and 12",
            "100 degrees, and 13",
            "boils at 90",
            false,
        ),
    ] {
        assert_eq!(judge(old, new, quote), expected, "{old} {new} {quote}");
    }
}
