//! Good and bad repairs, as a table.

mod delta;
mod permitted;

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
    // Not even a regenerated component may get another heading.
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
fn changes_show_whole_sentences_with_their_neighbours() {
    let before = "## A\n\nOne is here. Two is here. Three is here. Four is here. Five is here. Six is here.\n\nSeven is far. Eight is far. Nine is far.\n";
    let after = before
        .replace("Two is", "Zwei ist")
        .replace("Nine is", "Neun ist");
    let found = changes(
        (&markdown_lesson(before), &markdown_lesson(&after)),
        &ComponentId::from("sec_1"),
        &[],
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
        (&markdown_lesson(before), &markdown_lesson(&near)),
        &ComponentId::from("sec_1"),
        &[],
    );
    assert_eq!(found.len(), 1);
    assert!(
        changes(
            (&markdown_lesson(before), &markdown_lesson(before)),
            &ComponentId::from("sec_1"),
            &[],
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
        (
            &markdown_lesson(&long("One")),
            &markdown_lesson(&long("Two")),
        ),
        &ComponentId::from("sec_1"),
        &[],
    );
    assert_eq!(found.len(), 1);
    assert!(found[0].before.len() < 13_000 && found[0].after.contains("Two"));
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
