//! What must hold for the words of every task in every profile: they render,
//! whatever they are about; foreign text stays in its block; the first half knows
//! no document; nothing says what has to be reached; repairs are cheap to ask for.

use proptest::prelude::*;
use redraft_gate::companion::Companions;
use redraft_gate::content::{ComponentKind, Document};
use redraft_gate::reading::Hint;
use redraft_gate::review::Issue;
use redraft_gate::span::ComponentId;
use redraft_profiles::registry::{self, PROFILES};
use redraft_run::arbitrate::{ContextWindow, TargetedIssue};
use redraft_run::ask::Tokens;
use redraft_run::profile::Profile;
use redraft_run::prompt::Prompt;
use redraft_run::request::{Change, DeltaQuestion, PromptRequest, Task};
use redraft_run::route::{ContextAnchors, RepairTask};
use redraft_run::rubric::FixAction;
use redraft_run::token_estimate::estimated_tokens;
use redraft_run::verdict::{Anchored, Issue as Judged, IssueSeverity};
use redraft_run::write::{Join, JoinSide, Plan, PlannedSection, SectionKind};

use crate::fixtures::profile_of;
use crate::hostile::large_inputs;
use crate::prompts::{
    DOCUMENTS, companions, document, flag, hostile_text, looks_like_a_tag, names_no_mark,
};

/// The first part that is edited as such.
pub(crate) fn first_part(document: &Document) -> ComponentId {
    let kinds = [
        ComponentKind::Section,
        ComponentKind::Card,
        ComponentKind::Options,
    ];
    document
        .components()
        .iter()
        .find(|part| kinds.contains(&part.kind))
        .or_else(|| document.components().last())
        .map_or_else(ComponentId::whole, |part| part.id.clone())
}

/// A repair with `words` in every place.
fn repair(id: &ComponentId, action: FixAction, words: &str) -> RepairTask {
    let words = || words.to_owned();
    RepairTask {
        section_id: id.clone(),
        section_title: words(),
        action_type: action,
        synthesized_instructions: words(),
        constraints: vec![words()],
        context_anchors: ContextAnchors {
            prev_section_end: Some(words()),
            next_section_start: Some(words()),
        },
        priority: IssueSeverity::Major,
        source_issues: vec![TargetedIssue {
            id: "issue_1".to_owned(),
            issue: Judged {
                criterion: "clarity_readability".to_owned(),
                severity: IssueSeverity::Major,
                location: id.clone(),
                quote: Some(words()),
                anchor: Anchored::Exact,
                description: words(),
                suggested_fix: words(),
                source: None,
            },
            target_section_id: id.clone(),
            fix_action: action,
            context_window: ContextWindow::default(),
            fix_instructions: words(),
            raised_by: 2,
        }],
        check_after: None,
        estimated_tokens: Tokens::default(),
        finding_words: Vec::new(),
    }
}

/// A plan with `words` in every place.
fn planned(words: &str) -> Plan {
    let part = |id: &str, kind| PlannedSection {
        id: ComponentId::from(id),
        kind,
        title: words.to_owned(),
        purpose: words.to_owned(),
        key_points: vec![words.to_owned()],
        words: 150,
    };
    Plan {
        title: words.to_owned(),
        sections: vec![
            part("sec_introduction", SectionKind::Introduction),
            part("sec_1", SectionKind::Section),
            part("sec_conclusion", SectionKind::Conclusion),
        ],
    }
}

/// What all tasks are made of.
pub(crate) struct Case<'a> {
    pub(crate) profile: &'a dyn Profile,
    pub(crate) document: &'a Document,
    pub(crate) companions: &'a Companions,
    pub(crate) part: ComponentId,
    /// Stands in every place of a task that takes words.
    pub(crate) words: &'a str,
    pub(crate) complaint: Option<&'a str>,
}

/// The prompts of all tasks, with their names.
pub(crate) fn all(case: &Case<'_>) -> Vec<(&'static str, Prompt)> {
    let words = case.words;
    let patch = repair(&case.part, FixAction::SurgicalEdit, words);
    let expand = repair(&case.part, FixAction::RegenerateSection, words);
    let flagged: [Issue; 1] = [flag(words, words)];
    let terms = [words.to_owned()];
    let changes = [Change {
        before: words.to_owned(),
        after: words.to_owned(),
    }];
    let plan = planned(words);
    let side = || {
        Some(JoinSide {
            range: 0..0,
            text: words.to_owned(),
        })
    };
    let joins = [Join {
        from: case.part.clone(),
        to: case.part.clone(),
        end: side(),
        start: side(),
    }];
    let patching = |whole| Task::Patch {
        task: &patch,
        terms: &terms,
        undone: Some(words),
        whole,
    };
    let verifying = |question| Task::Verify {
        task: &patch,
        changes: &changes,
        question,
    };
    let comparing = |after_first| verifying(DeltaQuestion::WhichIsBetter { after_first });
    let blind = case.profile.blind_question(case.document);
    let order: Vec<usize> = (0..blind.as_ref().map_or(0, |blind| blind.options.len())).collect();
    let solving = blind.as_ref().map(|question| {
        let order = order.as_slice();
        ("solve", Task::Solve { question, order })
    });
    [
        ("self_review", Task::SelfReview),
        ("judge", Task::Judge { flagged: &flagged }),
        ("patch", patching(false)),
        ("patch_whole", patching(true)),
        (
            "expand",
            Task::Expand {
                task: &expand,
                terms: &terms,
                undone: Some(words),
            },
        ),
        ("verify", verifying(DeltaQuestion::YesNo)),
        (
            "verify_rewritten",
            Task::Verify {
                task: &expand,
                changes: &changes,
                question: DeltaQuestion::YesNo,
            },
        ),
        ("compare_after_first", comparing(true)),
        ("compare_before_first", comparing(false)),
        (
            "consistency",
            Task::Consistency {
                rewritten: &case.part,
                next: &case.part,
            },
        ),
        (
            "arbiter",
            Task::Phrase {
                tasks: &[&patch, &expand],
            },
        ),
        ("plan", Task::Plan { complaints: &terms }),
        (
            "write_part",
            Task::WriteSection {
                plan: &plan,
                section: 1,
                complaints: &terms,
            },
        ),
        ("smooth", Task::Smooth { joins: &joins }),
        ("author", Task::Author { complaints: &terms }),
    ]
    .into_iter()
    .chain(solving)
    .map(|(name, task)| (name, rendered(case, name, task)))
    .collect()
}

fn rendered(case: &Case<'_>, name: &str, task: Task<'_>) -> Prompt {
    let prompt = case.profile.render(&PromptRequest {
        document: case.document,
        companions: case.companions,
        rubric: case.profile.rubric(),
        task,
        feedback_language: None,
        complaint: case.complaint,
    });
    prompt.unwrap_or_else(|error| panic!("{name}: {error}"))
}

const WORDS: &str = "The bottom is hotter than the water.";

/// A case of every profile.
fn each(look: impl Fn(&str, &Case<'_>)) {
    let beside = companions("dividing money fairly");
    for (name, text, hint) in DOCUMENTS {
        let profile = registry::profile(name).unwrap();
        let document = document(profile, text, hint);
        let case = Case {
            profile,
            part: first_part(&document),
            document: &document,
            companions: &beside,
            words: WORDS,
            complaint: None,
        };
        look(name, &case);
    }
}

/// What a scheme of work says about a lesson beside its codes.
#[test]
fn author_and_judge_see_the_whole_entry() {
    const ENTRY: &str = r#"{"order": 2, "label": "Sharing a bill", "big_idea": "Fair shares are equal shares", "lesson_type": "teach", "estMinutes": 50, "outcomeRefs": ["O1"], "assessmentStandardRefs": [{"code": "AS1.1", "description": "Select units and notation", "outcome": "O1"}], "engagement_tags": ["finance"], "policy": {"calculator_section": "non_calc", "assessment_notes": "Accept a diagram as working"}, "coherence": {"unit": "Numeracy", "block_name": "Money block", "prerequisites": ["Halving amounts"]}, "accessibility_profile": {"plain_language_level": "CEFR_A2_B1"}, "lesson_plan": {"card_structure": [{"card_number": 1, "card_type": "starter", "title": "Warm-up with coins", "purpose": "Recall of halves", "cfu_strategy": "MCQ on halves", "estimated_minutes": 8}]}}"#;
    const SAID: [&str; 11] = [
        "Fair shares are equal shares",
        "AS1.1",
        "Select units and notation",
        "finance",
        "Accept a diagram as working",
        "Money block",
        "Halving amounts",
        "CEFR_A2_B1",
        "Warm-up with coins",
        "Recall of halves",
        "MCQ on halves",
    ];
    let scheme = redraft_profiles::companions::scheme_of_work(ENTRY.as_bytes().to_vec()).unwrap();
    let beside = Companions {
        scheme_of_work: scheme,
        ..Companions::default()
    };
    let profile = registry::profile("sqa-lesson").unwrap();
    let (_, text, hint) = DOCUMENTS
        .into_iter()
        .find(|(name, ..)| *name == "sqa-lesson")
        .unwrap();
    let document = document(profile, text, hint);
    for task in [
        Task::Judge { flagged: &[] },
        Task::Author { complaints: &[] },
    ] {
        let prompt = profile.render(&PromptRequest {
            document: &document,
            companions: &beside,
            rubric: profile.rubric(),
            task,
            feedback_language: None,
            complaint: None,
        });
        let prompt = prompt.unwrap();
        for said in SAID {
            assert!(prompt.user.contains(said), "{said}: {}", prompt.user);
        }
    }
}

#[test]
fn the_words_of_every_task_read_well() {
    each(|profile, case| {
        for (task, prompt) in all(case) {
            // What the profiles share is shown once.
            let is_own = matches!(
                task,
                "self_review" | "patch" | "patch_whole" | "expand" | "author"
            );
            let is_shown = match task {
                "judge" => false,
                // Only items are solved.
                "solve" => profile == "clinical-mcq",
                _ => is_own || profile == "lesson",
            };
            if is_shown {
                let whole = format!("{}\n\n=== user ===\n\n{}\n", prompt.system, prompt.user);
                insta::assert_snapshot!(format!("{profile}_{task}"), whole);
            }
        }
    });
}

#[test]
fn every_example_can_be_put_into_the_words_of_every_task() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut seen = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let hint = match path.extension().and_then(|extension| extension.to_str()) {
            Some("md") => Hint::Markdown,
            Some("json") => Hint::Json,
            _ => continue,
        };
        let text = std::fs::read_to_string(&path).unwrap();
        let profile = profile_of(text.as_bytes(), hint);
        let document = document(profile, &text, hint);
        for beside in [&Companions::default(), &companions("some words")] {
            for part in document.components() {
                let prompts = all(&Case {
                    profile,
                    document: &document,
                    companions: beside,
                    part: part.id.clone(),
                    words: "some words",
                    complaint: Some("no JSON"),
                });
                for (task, prompt) in prompts {
                    assert!(
                        !prompt.system.is_empty() && !prompt.user.is_empty(),
                        "{task}"
                    );
                }
            }
        }
        seen.push(profile.id());
    }
    for profile in PROFILES {
        assert!(seen.contains(&profile.id()), "no example: {}", profile.id());
    }
}

#[test]
fn the_first_half_is_the_same_for_every_document_and_the_second_for_the_same_one() {
    each(|profile, case| {
        let first = all(case);
        assert_eq!(first, all(case), "{profile}");
        let known = DOCUMENTS.iter().find(|(name, ..)| *name == profile);
        let (_, text, hint) = *known.unwrap();
        let other = text
            .replace("pay", "owe")
            .replace("water", "tea")
            .replace("test", "scan");
        let other = document(case.profile, &other, hint);
        let changed = all(&Case {
            document: &other,
            part: first_part(&other),
            companions: &Companions::default(),
            words: "Other words.",
            complaint: Some("no JSON"),
            ..*case
        });
        for ((task, first), (_, changed)) in first.iter().zip(&changed) {
            assert_eq!(first.system, changed.system, "{profile} {task}");
            assert_ne!(first.user, changed.user, "{profile} {task}");
        }
    });
}

#[test]
fn no_task_says_what_has_to_be_reached_or_what_was_reached() {
    each(|profile, case| {
        for (task, prompt) in all(case) {
            // Only judges are told of scores, and of their scale alone.
            let mut words = vec!["deadline", "panel"];
            words.extend((task != "judge").then_some("score"));
            names_no_mark(&prompt, &words, &[], &format!("{profile} {task}"));
        }
    });
}

#[test]
fn a_task_about_a_part_that_is_not_there_is_refused() {
    each(|profile, case| {
        let task = repair(&ComponentId::from("sec_99"), FixAction::SurgicalEdit, "x");
        let asked = case.profile.render(&PromptRequest {
            document: case.document,
            companions: case.companions,
            rubric: case.profile.rubric(),
            task: Task::Patch {
                task: &task,
                terms: &[],
                undone: None,
                whole: false,
            },
            feedback_language: None,
            complaint: None,
        });
        let error = asked.unwrap_err().to_string();
        assert!(error.contains("no part `sec_99`"), "{profile}: {error}");
    });
}

pub(crate) fn of<'a>(prompts: &'a [(&'static str, Prompt)], task: &str) -> &'a Prompt {
    let found = prompts.iter().find(|(name, _)| *name == task);
    &found.unwrap_or_else(|| panic!("{task}")).1
}

#[test]
fn an_editor_sees_the_part_what_is_around_it_and_what_is_wrong_and_no_more() {
    each(|profile, case| {
        let prompts = all(case);
        let user = &of(&prompts, "patch").user;
        let block = |name: &str| {
            let (_, rest) = user.split_once(&format!("<redraft:{name}>\n"))?;
            Some(rest.split_once(&format!("\n</redraft:{name}>"))?.0)
        };
        let (text, beside) = match profile {
            "lesson" => (
                "## Bubbles at the bottom\n\nThe bottom is hotter than the water above it. Steam bubbles form there and collapse.\n\n### Example: a glass pot\n\nIn a glass pot you can watch them.",
                None,
            ),
            "sqa-lesson" => (
                "field: cards[0].title\nSplit it\nfield: cards[0].explainer\nFour friends eat in Leith.\nThey pay £24.\nfield: cards[0].explainer_plain\nDivide £24 by 4. Each pays £6.\nfield: cards[0].cfu.stem\nFive friends pay £30. What does each pay?\nfield: cards[0].cfu.hints[0]\nSay it in your own words",
                Some("cfu.expected: 6"),
            ),
            "mcq" => (
                "field: options[0].text\nJupiter\nfield: options[1].text\nSaturn\nfield: options[2].text\nNeptune",
                Some("<redraft:part id=\"answer_key\">\ncorrect_answer: A"),
            ),
            _ => (
                "field: options[0].text\nAn electrocardiogram\nfield: options[1].text\nA stress test",
                Some("<redraft:part id=\"answer_key\">\ncorrect_answer: A"),
            ),
        };
        assert_eq!(block("text"), Some(text), "{user}");
        assert_eq!(
            beside.map(|beside| block("beside").is_some_and(|shown| shown.contains(beside))),
            beside.map(|_| true),
            "{user}"
        );
        assert_eq!(
            block("issues"),
            Some(
                // What is to be done about it is what is wrong, and said once.
                format!("issue_1 at “{WORDS}”: {WORDS}\nconstraint_1: {WORDS}").as_str()
            )
        );
        assert!(!user.contains("0.93"), "{user}");
    });
}

#[test]
fn the_old_text_is_shown_to_whoever_writes_it_again_unless_key_points_say_what_to_teach() {
    let profile = registry::profile("lesson").unwrap();
    let (_, text, hint) = DOCUMENTS[0];
    let document = document(profile, text, hint);
    let mut planned = companions("dividing money fairly");
    let plan = planned.specification.as_mut().unwrap();
    plan.sections[0].title = "bubbles at the Bottom".to_owned();
    for (beside, is_shown) in [(&Companions::default(), true), (&planned, false)] {
        let prompts = all(&Case {
            profile,
            document: &document,
            companions: beside,
            part: first_part(&document),
            words: "x",
            complaint: None,
        });
        let user = &of(&prompts, "expand").user;
        assert_eq!(user.contains("Steam bubbles form"), is_shown, "{user}");
        assert_eq!(user.contains("- to cover: "), !is_shown, "{user}");
        assert!(user.contains("Length: 20 to 40 words."), "{user}");
    }
}

#[test]
fn which_version_comes_first_is_all_that_differs_between_the_two_orders() {
    each(|profile, case| {
        let task = repair(&case.part, FixAction::SurgicalEdit, "x");
        let changes = [Change {
            before: "OLD".to_owned(),
            after: "NEW".to_owned(),
        }];
        let ask = |after_first| {
            let request = PromptRequest {
                document: case.document,
                companions: case.companions,
                rubric: case.profile.rubric(),
                task: Task::Verify {
                    task: &task,
                    changes: &changes,
                    question: DeltaQuestion::WhichIsBetter { after_first },
                },
                feedback_language: None,
                complaint: None,
            };
            case.profile.render(&request).unwrap()
        };
        let (after, before) = (ask(true), ask(false));
        assert_eq!(after.system, before.system);
        assert!(after.user.contains("<redraft:first>\nNEW"), "{profile}");
        assert!(before.user.contains("<redraft:first>\nOLD"), "{profile}");
        let swapped = before
            .user
            .replace("OLD", "…")
            .replace("NEW", "OLD")
            .replace('…', "NEW");
        assert_eq!(after.user, swapped, "{profile}");
    });
}

#[test]
fn rules_for_diagrams_come_along_only_where_there_may_be_one() {
    each(|_, case| {
        for (words, expected) in [("Add a diagram.", true), ("Add a word.", false)] {
            let prompts = all(&Case {
                words,
                part: case.part.clone(),
                ..*case
            });
            for task in ["patch", "expand"] {
                let user = &of(&prompts, task).user;
                assert_eq!(user.contains("Mermaid blocks:"), expected, "{user}");
            }
        }
    });
}

/// Issue 9: repair and verification of a 2,000-token lesson, one section written
/// again and one patched, within some 2,600 tokens in all.
#[test]
fn the_fixed_part_of_a_repair_is_short() {
    each(|profile, case| {
        let prompts = all(case);
        for (task, most) in [
            // With a filled example: without one small models miss the form.
            ("patch", 410),
            ("patch_whole", 400),
            ("expand", 380),
            ("verify", 150),
            ("compare_after_first", 150),
            ("consistency", 150),
            ("plan", 480),
            ("write_part", 420),
            ("smooth", 330),
            ("author", 1_000),
        ] {
            let tokens = estimated_tokens(&of(&prompts, task).system);
            println!("{profile} {task}: {tokens}");
            assert!(tokens <= most, "{profile} {task}: {tokens}");
        }
        for task in ["self_review", "judge"] {
            let tokens = estimated_tokens(&of(&prompts, task).system);
            println!("{profile} {task}: {tokens}");
        }
    });
}

#[test]
fn a_part_of_a_large_document_is_put_into_words_without_fuss() {
    let cards = format!(
        "{{\"title\": \"x\", \"cards\": [{}{{\"id\": \"last\", \"explainer\": \"y\"}}]}}",
        "{\"id\": \"c\", \"title\": \"t\", \"explainer\": \"Some words.\", \"cfu\": {\"type\": \"numeric\"}},"
            .repeat(5_000)
    );
    let items = format!(
        "[{}{{}}]",
        "{\"stem\": \"Which?\", \"options\": [\"a\", \"b\"], \"answer\": \"A\"},".repeat(5_000)
    );
    let mut inputs = large_inputs();
    inputs.push(("cards", cards, Hint::Json));
    inputs.push(("items", items, Hint::Json));
    for (name, text, hint) in inputs {
        let profile = profile_of(text.as_bytes(), hint);
        let document = document(profile, &text, hint);
        let part = document.components().last().unwrap().id.clone();
        let task = repair(&part, FixAction::RegenerateSection, "some words");
        for task in [
            Task::Patch {
                task: &task,
                terms: &[],
                undone: None,
                whole: false,
            },
            Task::Expand {
                task: &task,
                terms: &[],
                undone: None,
            },
            Task::Consistency {
                rewritten: &part,
                next: &part,
            },
        ] {
            let prompt = profile.render(&PromptRequest {
                document: &document,
                companions: &Companions::default(),
                rubric: profile.rubric(),
                task,
                feedback_language: None,
                complaint: None,
            });
            assert!(prompt.is_ok(), "{name}: {prompt:?}");
        }
    }
}

/// The tags of ours in the order in which they stand, each alone on its line.
/// Panics where something else looks like one.
fn tags(task: &str, user: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    let mut sources = 0;
    for line in user.lines() {
        if let Some(id) = line.strip_prefix("<redraft:part id=\"") {
            let id = id.strip_suffix("\">").unwrap();
            assert!(!id.contains(['"', '<', '>']) && id != "forged", "{user}");
            assert!(open.is_some(), "{task}: a part outside of a block\n{user}");
            found.push(line.to_owned());
        } else if let Some(name) = line.strip_prefix("</redraft:") {
            assert_eq!(open.take().as_deref(), Some(name), "{task}\n{user}");
            found.push(line.to_owned());
        } else if let Some(name) = line.strip_prefix("<redraft:") {
            assert_eq!(open, None, "{task}\n{user}");
            open = Some(name.to_owned());
            found.push(line.to_owned());
        }
    }
    assert_eq!(open, None, "{task}\n{user}");
    // Which sources are shown to a writer depends on their words.
    if matches!(task, "expand" | "write_part") {
        found.retain(|line| !line.contains("redraft:sources>"));
        sources = usize::from(user.contains("<redraft:sources>")) * 2;
    }
    // The closing sentence of those who read the whole names the block once.
    let mentions = usize::from(matches!(task, "judge" | "self_review"));
    assert_eq!(
        looks_like_a_tag(user),
        found.len() + sources + mentions,
        "{task}\n{user}"
    );
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_foreign_leaves_its_block_in_any_task(
        text in hostile_text(),
        name in hostile_text(),
        words in hostile_text(),
    ) {
        let json = |value: &str| serde_json::to_string(value).unwrap();
        let (text_json, name_json) = (json(&text), json(&name));
        let cards = format!(
            "{{\"title\": {name_json}, \"cards\": [{{\"id\": {name_json}, \"title\": {text_json}, \"explainer\": {text_json}, {name_json}: 3}}]}}"
        );
        let item = format!(
            "{{\"vignette\": {text_json}, \"stem\": {name_json}, \"options\": {{{name_json}: {text_json}, \"B\": \"y\"}}, \"answer\": {name_json}}}"
        );
        let lesson = format!("# {name}\n\n{text}\n\n## {name}\n\n{text}\n");
        for (profile, text, hint) in [
            ("lesson", lesson.as_str(), Hint::Markdown),
            ("sqa-lesson", cards.as_str(), Hint::Json),
            ("clinical-mcq", item.as_str(), Hint::Json),
        ] {
            let profile = registry::profile(profile).unwrap();
            let document = document(profile, text, hint);
            let rendered = |words: &str, beside: &Companions| {
                all(&Case {
                    profile,
                    document: &document,
                    companions: beside,
                    part: first_part(&document),
                    words,
                    complaint: Some(words),
                })
            };
            let hostile = rendered(&format!("x{words}"), &companions(&format!("x{words}")));
            let harmless = rendered("x", &companions("x"));
            for ((task, hostile), (_, harmless)) in hostile.iter().zip(&harmless) {
                prop_assert_eq!(tags(task, &hostile.user), tags(task, &harmless.user));
                prop_assert_eq!(&hostile.system, &harmless.system);
            }
        }
    }
}

#[test]
fn whoever_writes_is_told_how_diagrams_are_drawn_and_what_was_ordered() {
    each(|profile, case| {
        let prompts = all(case);
        for task in ["write_part", "author"] {
            let prompt = of(&prompts, task);
            assert!(prompt.system.contains("Mermaid blocks"), "{profile} {task}");
        }
        for (task, told) in [
            (
                "plan",
                vec!["objective LO1: ", "[source_1]", "- words to avoid: "],
            ),
            (
                "write_part",
                vec![
                    "objective LO1: ",
                    "[source_1]",
                    "- words to use: ",
                    "about 150 words",
                ],
            ),
            (
                "author",
                vec!["outcomeRefs: ", "objective LO1: ", "[source_1]", "O1: "],
            ),
        ] {
            let beside = companions(WORDS);
            let prompts = all(&Case {
                companions: &beside,
                part: case.part.clone(),
                ..*case
            });
            let user = &of(&prompts, task).user;
            for words in told {
                assert!(user.contains(words), "{profile} {task}: {words}\n{user}");
            }
        }
    });
}

#[test]
fn a_plan_without_such_a_part_is_a_fault_of_ours() {
    each(|profile, case| {
        let plan = planned("x");
        let asked = case.profile.render(&PromptRequest {
            document: case.document,
            companions: case.companions,
            rubric: case.profile.rubric(),
            task: Task::WriteSection {
                plan: &plan,
                section: 7,
                complaints: &[],
            },
            feedback_language: None,
            complaint: None,
        });
        assert!(asked.is_err(), "{profile}");
    });
}
