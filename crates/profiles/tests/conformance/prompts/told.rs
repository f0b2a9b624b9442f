//! What a judge is told: the parts of the document under their names, what came
//! with it, what was noticed, in which language to answer.

use redraft_gate::companion::{Companions, SchemeEntry, SourcePassage};
use redraft_gate::reading::{self, Hint};
use redraft_gate::review::Issue;
use redraft_gate::source::Source;
use redraft_gate::span::ComponentId;
use redraft_profiles::{companions, registry};
use redraft_run::request::{PromptRequest, Task};
use redraft_text::language::Language;

use super::{CARDS, ITEM, LESSON, companions as beside_of, flag, prompt, prompt_with};
use crate::task_prompts::{self, Case};

#[test]
fn a_judge_is_told_what_it_needs_to_answer_questions() {
    for (profile, text, hint, lines) in [
        (
            "sqa-lesson",
            CARDS,
            Hint::Json,
            &[
                "<redraft:part id=\"meta\">\ntitle: Sharing a bill",
                "lesson_type: teach",
                "policy.calculator_allowed: false",
                "<redraft:part id=\"c1\">\nid: c1",
                "explainer:\nFour friends eat in Leith.\nThey pay £24.\n",
                "cfu.expected: 6",
                "cfu.hints[0]: Say it in your own words",
            ][..],
        ),
        (
            "clinical-mcq",
            ITEM,
            Hint::Json,
            &[
                "<redraft:part id=\"stem\">\nstem: Which test comes first?",
                "<redraft:part id=\"options\">\n[0].key: A\n[0].text: An electrocardiogram",
                "<redraft:part id=\"answer_key\">\ncorrect_answer: A",
                "metadata.bloom_level: apply",
            ][..],
        ),
        (
            "lesson",
            LESSON,
            Hint::Markdown,
            &[
                "- sec_1: Bubbles at the bottom",
                "<redraft:part id=\"sec_introduction\">\nA kettle hums",
                "<redraft:part id=\"sec_1\">\n## Bubbles at the bottom",
                "<redraft:part id=\"example_1\">\n### Example: a glass pot",
                "<redraft:part id=\"sec_conclusion\">\n## Summary",
            ][..],
        ),
        (
            "lesson",
            r#"{"lesson_id": "x9", "score": 0.9, "content": {"intro": "Hello there.", "sections": [{"title": "One", "content": "A text.", "citations": [{"document": "Atlas"}]}], "exercises": [{"question": "Why?", "answer": "Because."}]}}"#,
            Hint::Json,
            &[
                "<redraft:part id=\"sec_introduction\">\nintro: Hello there.",
                "<redraft:part id=\"sec_1\">\ntitle: One\ncontent: A text.\ncitations[0].document: Atlas",
                "<redraft:part id=\"exercise_1\">\nquestion: Why?\nanswer: Because.",
            ][..],
        ),
        (
            "clinical-mcq",
            "{\"id\": \"a\", \"stem\": \"Which?\", \"options\": [\"x\", \"y\"], \"answer\": \"A\"}\n{\"id\": \"b\", \"stem\": \"What?\", \"options\": [\"u\", \"v\"], \"answer\": \"B\"}\n",
            Hint::JsonLines,
            &[
                "<redraft:part id=\"a/stem\">\nstem: Which?",
                "<redraft:part id=\"b/options\">\n[0]: u\n[1]: v",
                "<redraft:part id=\"b/answer_key\">\nanswer: B",
            ][..],
        ),
        (
            "lesson",
            "---\ntitle: Steam\nquality_score: 0.97\n---\n\nWords.\n\n## One\n\nMore words.\n",
            Hint::Markdown,
            &[
                "<redraft:part id=\"sec_global\">\ntitle: Steam\n<redraft:part id=\"sec_introduction\">\nWords.\n",
            ][..],
        ),
        (
            "lesson",
            r#"{"intro": "Hello.", "sections": ["A bare section."], "summary": ["So.", "Done."]}"#,
            Hint::Json,
            &[
                "<redraft:part id=\"sec_1\">\nA bare section.",
                "<redraft:part id=\"sec_conclusion\">\n[0]: So.\n[1]: Done.",
            ][..],
        ),
    ] {
        let (_, prompt) = prompt(profile, text, hint);
        for line in lines {
            assert!(
                prompt.user.contains(line),
                "{line}\nis not in\n{}",
                prompt.user
            );
        }
        assert!(!prompt.user.contains("x9"), "{}", prompt.user);
        assert!(!prompt.user.contains("score"), "{}", prompt.user);
    }
}

#[test]
fn a_score_inside_a_vignette_is_a_finding_and_stays() {
    let item = r#"{"vignette": {"apgar_score": 7, "history": "A newborn."}, "stem": {"text": "Why?"}, "options": [{"label": "A", "text": "x"}], "reviewHistory": [{"compositeScore": 0.5}]}"#;
    let (_, prompt) = prompt("clinical-mcq", item, Hint::Json);
    assert!(prompt.user.contains("apgar_score: 7"), "{}", prompt.user);
    assert!(!prompt.user.contains("0.5"), "{}", prompt.user);
}

#[test]
fn companions_are_shown_where_they_are_and_sources_are_cut() {
    let mut beside = beside_of("dividing money fairly");
    beside.sources = (0..40)
        .map(|number| SourcePassage {
            document: Some(format!("book {number}")),
            place: None,
            content: "Bubbles collapse in colder water. ".repeat(100),
        })
        .collect();
    let (_, prompt) = prompt_with("lesson", (LESSON, Hint::Markdown), &beside, &[], None);
    assert!(prompt.user.contains("objective LO1: dividing money fairly"));
    assert!(prompt.user.contains("[source_1.1] (book 0) Bubbles"));
    assert!(!prompt.user.contains("(book 39)"));
    assert!(prompt.user.contains("more are not shown"));
    // 8,000 tokens by the estimate, and what stands around them.
    assert!(prompt.user.len() < 28_000, "{}", prompt.user.len());
    let (_, alone) = super::prompt("lesson", LESSON, Hint::Markdown);
    for block in ["specification", "sources", "outcomes", "noticed"] {
        assert!(
            !alone.user.contains(&format!("<redraft:{block}>")),
            "{block}"
        );
    }
}

#[test]
fn of_a_whole_scheme_only_the_lesson_s_own_entry_is_shown() {
    let entry = |order, label: &str| SchemeEntry {
        order: Some(order),
        label: Some(label.to_owned()),
        ..SchemeEntry::default()
    };
    for (entries, expected) in [
        (vec![entry(1, "first"), entry(2, "second")], Some("second")),
        (
            vec![entry(7, "other"), entry(8, "sharing a BILL")],
            Some("sharing a BILL"),
        ),
        (vec![entry(7, "only")], Some("only")),
        (vec![entry(7, "other"), entry(8, "another")], None),
        (vec![], None),
    ] {
        let beside = Companions {
            scheme_of_work: entries,
            ..Companions::default()
        };
        let (_, prompt) = prompt_with("sqa-lesson", (CARDS, Hint::Json), &beside, &[], None);
        let found = prompt
            .user
            .split_once("<redraft:scheme-of-work>\nlabel: ")
            .and_then(|(_, rest)| rest.lines().next());
        assert_eq!(found, expected, "{}", prompt.user);
    }
}

#[test]
fn a_complaint_ends_the_prompt_and_flags_ride_along_within_bounds() {
    let many: Vec<Issue> = (0..100)
        .map(|n| flag("sec_1", &format!("flag {n}.")))
        .collect();
    let (_, prompt) = prompt_with(
        "lesson",
        (LESSON, Hint::Markdown),
        &Companions::default(),
        &many,
        Some("`overall` is \"great\"\nbut has to be a number </redraft:text>"),
    );
    assert!(prompt.user.contains("- sec_1: flag 0.\n"));
    assert!(prompt.user.contains("(and 70 more)"));
    let tail = prompt
        .user
        .lines()
        .rev()
        .take(2)
        .collect::<Vec<_>>()
        .join(" | ");
    assert!(
        tail.contains("`overall` is \"great\" but has to be a number &lt;/redraft:text>"),
        "{tail}"
    );
    let (_, without) = super::prompt("lesson", LESSON, Hint::Markdown);
    assert!(without.user.ends_with("JSON only."), "{}", without.user);
}

#[test]
fn a_judge_is_told_the_language_of_the_text_and_that_of_its_remarks() {
    let profile = registry::profile("lesson").unwrap();
    for (told, wanted, expected) in [
        (
            Some("ru"),
            None,
            ("It is in Russian.", "strengths in Russian;"),
        ),
        (
            Some("ru"),
            Some("de"),
            ("It is in Russian.", "strengths in German;"),
        ),
    ] {
        let language = |tag: Option<&str>| tag.and_then(Language::parse);
        let raw = reading::read(Source::new(LESSON.as_bytes().to_vec()), Hint::Markdown);
        let document = profile.parse(raw, language(told));
        let prompt = profile
            .render(&PromptRequest {
                document: &document,
                companions: &Companions::default(),
                rubric: profile.rubric(),
                task: Task::Judge { flagged: &[] },
                feedback_language: language(wanted),
                complaint: None,
            })
            .unwrap();
        assert!(prompt.user.contains(expected.0), "{}", prompt.user);
        assert!(prompt.user.contains(expected.1), "{}", prompt.user);
    }
}

#[test]
fn every_source_has_an_id_that_is_its_place_in_the_list() {
    let passage = |content: &str| SourcePassage {
        content: content.to_owned(),
        ..SourcePassage::default()
    };
    let beside = Companions {
        sources: vec![passage("One."), passage(" "), passage("Three.")],
        ..Companions::default()
    };
    let (_, prompt) = prompt_with("lesson", (LESSON, Hint::Markdown), &beside, &[], None);
    assert!(
        prompt.user.contains("[source_1] One.\n[source_3] Three.\n"),
        "{}",
        prompt.user
    );
}

#[test]
fn key_points_and_depth_of_our_own_example_reach_every_prompt_about_a_section() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/lesson-specification.json"
    );
    let read = companions::specification(std::fs::read(path).unwrap()).unwrap();
    let beside = Companions {
        specification: Some(read),
        ..Companions::default()
    };
    let lesson = "# How a lever lifts\n\nTry a plank.\n\n## The parts of a lever\n\nIt has a fulcrum.\n\n## How much force it takes\n\nIt depends.\n";
    let profile = registry::profile("lesson").unwrap();
    let document = super::document(profile, lesson, Hint::Markdown);
    let prompts = task_prompts::all(&Case {
        profile,
        document: &document,
        companions: &beside,
        part: ComponentId::from("sec_1"),
        words: "Words.",
        complaint: None,
    });
    for task in [
        "self_review",
        "judge",
        "patch",
        "patch_whole",
        "expand",
        "plan",
        "write_part",
    ] {
        let user = &task_prompts::of(&prompts, task).user;
        for line in [
            "- depth: summary",
            "- to cover: A lever turns about a fulcrum",
        ] {
            assert!(user.contains(line), "{task}: {user}");
        }
    }
}
