//! Runs the tables of all languages, and the tests that belong to none.

use super::{patterns::FRAMING, *};
use crate::phrases::Examples;
use proptest::prelude::*;

const BODY: &str = "# Loops\n\nA loop repeats its body.";

/// Runs the examples of all languages and reports every failure at once.
fn run(
    section: &str,
    of: impl Fn(Examples) -> Vec<&'static str>,
    check: impl Fn(&str) -> Result<(), String>,
) {
    let mut failures = Vec::new();
    for file in FRAMING.files() {
        let texts = of(file.examples(section));
        assert!(!texts.is_empty(), "{}: [{section}]", file.language);
        for text in texts {
            if let Err(why) = check(text) {
                failures.push(format!("{} {section}: {text} ({why})", file.language));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Texts that a section must find.
fn fails(examples: Examples) -> Vec<&'static str> {
    examples.fails
}

/// Texts that a section must leave alone.
fn passes(examples: Examples) -> Vec<&'static str> {
    examples.passes
}

fn none<T: std::fmt::Debug>(found: Option<T>) -> Result<(), String> {
    found.map_or(Ok(()), |found| Err(format!("found {found:?}")))
}

fn whole(text: &str, found: Option<Framing>) -> Result<(), String> {
    match found {
        Some(found) if text.get(found.range.clone()) == Some(text) => Ok(()),
        Some(found) => Err(format!("only {:?}", text.get(found.range))),
        None => Err("not found".to_owned()),
    }
}

fn no_code(_: usize) -> bool {
    false
}

#[test]
fn the_phrase_files_are_sound() {
    assert_eq!(FRAMING.faults(), [""; 0]);
}

#[test]
fn announcements_of_the_answer_are_recognised() {
    run("opening", fails, |text| {
        whole(text, opening(text))?;
        let document = format!("\n{text}\n\n{BODY}");
        let found = opening(&document).ok_or("not found before a lesson")?;
        (found.range == (1..1 + text.len()))
            .then_some(())
            .ok_or("wrong range".to_owned())
    });
}

#[test]
fn what_a_teacher_begins_with_is_no_announcement() {
    run("opening", passes, |text| {
        none(opening(text))?;
        none(opening(&format!("{text}\n\n{BODY}")))?;
        none(opening(&format!("{text} {BODY}")))
    });
    // What ends a lesson does not begin one.
    run("closing", passes, |text| none(opening(text)));
}

#[test]
fn offers_of_changes_are_recognised() {
    run("closing", fails, |text| {
        // One sentence before an offer may be of another kind.
        let found = closing(text).ok_or("not found")?;
        (found.range.end == text.len())
            .then_some(())
            .ok_or("wrong end")?;
        let document = format!("{BODY}\n\n{text}\n");
        let again = closing(&document).ok_or("not found after a lesson")?;
        let start = BODY.len() + 2;
        (again.range == (start + found.range.start..start + found.range.end))
            .then_some(())
            .ok_or("wrong range".to_owned())
    });
}

#[test]
fn what_a_teacher_ends_with_is_no_offer() {
    run("closing", passes, |text| {
        none(closing(text))?;
        none(closing(&format!("{BODY}\n\n{text}\n")))
    });
    run("opening", passes, |text| none(closing(text)));
}

#[test]
fn a_model_that_speaks_of_itself_is_recognised() {
    run("self reference", fails, |text| {
        let document = format!("{BODY}\n\n{text}\n\n{BODY}");
        match self_reference(&document).as_slice() {
            [found] if document.get(found.range.clone()) == Some(text) => Ok(()),
            other => Err(format!("found {other:?}")),
        }
    });
    run("self reference", passes, |text| {
        none(self_reference(text).pop())
    });
    run("opening", passes, |text| none(self_reference(text).pop()));
}

#[test]
fn thoughts_about_the_request_are_recognised() {
    run("thinking", fails, |text| {
        let document = format!("{text}\nMore thoughts.\n\n{BODY}");
        match reasoning(&document, &no_code).as_slice() {
            [found] => {
                let expected = Reasoning {
                    range: 0..text.len() + "\nMore thoughts.".len(),
                    kind: ReasoningKind::Preamble,
                    certain: true,
                };
                (*found == expected)
                    .then_some(())
                    .ok_or(format!("found {found:?}"))
            }
            other => Err(format!("found {other:?}")),
        }
    });
}

#[test]
fn what_a_teacher_thinks_aloud_is_no_reasoning() {
    let check = |text: &str| {
        none(reasoning(text, &no_code).pop())?;
        none(reasoning(&format!("{text}\n\n{BODY}"), &no_code).pop())
    };
    run("thinking", passes, check);
    run("opening", passes, check);
    run("closing", passes, check);
}

#[test]
fn tagged_reasoning_is_found() {
    let closed = ReasoningKind::Tagged { closed: true };
    let cut = ReasoningKind::Tagged { closed: false };
    let (unopened, stray) = (ReasoningKind::Unopened, ReasoningKind::StrayTag);
    type Found<'a> = (&'a str, ReasoningKind, bool);
    let cases: [(&str, &[Found<'_>]); 17] = [
        (
            "<think>Hm.\n\nYes.</think>\n# Loops",
            &[("<think>Hm.\n\nYes.</think>", closed, true)],
        ),
        (
            "a <thinking>b</thinking> c <Reasoning>d</Reasoning>",
            &[
                ("<thinking>b</thinking>", closed, true),
                ("<Reasoning>d</Reasoning>", closed, true),
            ],
        ),
        (
            "The user wants it.\n</think>\n# Loops",
            &[("The user wants it.\n</think>", unopened, true)],
        ),
        (
            "Water boils.\n</think>\n\nSteam rises.",
            &[("Water boils.\n</think>", unopened, false)],
        ),
        (
            "# Loops\n\nThe tag </think> ends it.",
            &[("# Loops\n\nThe tag </think>", unopened, false)],
        ),
        (
            "</think></think>\n</think># Loops",
            &[("</think></think>\n</think>", stray, true)],
        ),
        (
            "<think>a</think>\n<think>b</think></think> c",
            &[("<think>a</think>\n<think>b</think></think>", closed, true)],
        ),
        (
            "<think>The user wants it.\n\n# Loops",
            &[("<think>", cut, false)],
        ),
        (
            "<think>a <think> b</think> c",
            &[("<think>a <think> b</think>", closed, true)],
        ),
        ("[THINK]a[/THINK] b", &[("[THINK]a[/THINK]", closed, true)]),
        ("[think] about it", &[]),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|># Loops",
            &[("<|channel|>analysis<|message|>Hm.<|end|>", closed, true)],
        ),
        (
            "<|begin_of_thought|>a<|end_of_thought|>b",
            &[("<|begin_of_thought|>a<|end_of_thought|>", closed, true)],
        ),
        ("◁think▷a◁/think▷b", &[("◁think▷a◁/think▷", closed, true)]),
        (
            "<scratchpad>a</reflection>",
            &[("<scratchpad>", cut, false)],
        ),
        ("I think that <b>this</b> is fine", &[]),
        ("Use the <thinker> tag.", &[]),
    ];
    for (text, expected) in cases {
        let found = reasoning(text, &no_code);
        let found: Vec<_> = found
            .iter()
            .map(|found| (&text[found.range.clone()], found.kind, found.certain))
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn in_a_field_a_lonely_closing_tag_is_only_a_tag() {
    for (text, tag, certain) in [
        ("Water boils.\n</think>\n\nSteam rises.", "</think>", true),
        ("The user wants it.\n</think>\n# Loops", "</think>", true),
        ("The tag </think> ends it.", "</think>", false),
        ("</think>Water boils.", "</think>", true),
    ] {
        let found = reasoning_in_field(text, &no_code);
        let found: Vec<_> = found
            .iter()
            .filter(|found| found.kind == ReasoningKind::StrayTag)
            .map(|found| (&text[found.range.clone()], found.certain))
            .collect();
        assert_eq!(found, [(tag, certain)], "{text}");
    }
}

#[test]
fn tags_in_code_do_not_count() {
    let text = "The tag `<think>` opens. <think>a</think>";
    let found = reasoning(text, &|at| at < 20);
    assert_eq!(&text[found[0].range.clone()], "<think>a</think>");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_preamble_before_json_ends_at_the_json() {
    let text = "We need to produce JSON with the lesson. Keep it short.\n\n{\"intro\": \"\"}";
    let found = reasoning(text, &no_code);
    assert_eq!(
        &text[found[0].range.clone()],
        "We need to produce JSON with the lesson. Keep it short."
    );
    assert!(found[0].certain);
    let prose = "We need to produce JSON with the lesson. Keep it short.\n\n# JSON";
    assert_eq!(reasoning(prose, &no_code), []);
}

#[test]
fn a_preamble_without_an_answer_is_not_certain() {
    let found = reasoning(
        "Okay, the user wants a lesson about loops. I will explain them.",
        &no_code,
    );
    assert_eq!(
        found.iter().map(|found| found.certain).collect::<Vec<_>>(),
        [false]
    );
}

#[test]
fn framing_may_span_paragraphs_and_mix_languages() {
    let text = "Sure!\n\nAquí tienes la lección revisada:\n\n# Bucles";
    let found = opening(text).expect("framing");
    assert_eq!(
        &text[found.range],
        "Sure!\n\nAquí tienes la lección revisada:"
    );
    assert_eq!(found.language, "es");
}

#[test]
fn an_announcement_may_take_two_paragraphs() {
    let text = "Certainly.\n\nHere is the corrected lesson plan.";
    assert_eq!(whole(text, opening(text)), Ok(()));
    let document = format!("\n{text}\n\n{BODY}");
    let found = opening(&document).expect("framing");
    assert_eq!(found.range, 1..1 + text.len());
}

#[test]
fn only_the_framing_sentences_of_a_paragraph_are_taken() {
    let text = "A loop repeats its body. I hope this helps! Let me know if you need any changes.";
    let found = closing(text).expect("framing");
    assert_eq!(
        &text[found.range],
        "I hope this helps! Let me know if you need any changes."
    );
    let text = "Sure! Here is your lesson on loops. A loop repeats its body.";
    let found = opening(text).expect("framing");
    assert_eq!(&text[found.range], "Sure! Here is your lesson on loops.");
}

#[test]
fn large_hostile_texts_are_searched_promptly() {
    for unit in [
        "Sure! ",
        "<think>",
        "</think>",
        "a",
        "Here is the ",
        "as an ai, ",
        "\n\n",
        "。",
        "[THINK]",
        "\n# ",
        "Okay, ",
    ] {
        let text = unit.repeat(200_000);
        let _ = (opening(&text), closing(&text), reasoning(&text, &no_code));
        let _ = self_reference(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn ranges_lie_in_the_text(text in "(Sure! |Here is the lesson:|I hope this helps!|<think>|</think>|\n|# |\\PC{0,8}|。|é ){0,12}") {
        let found = opening(&text).into_iter().chain(closing(&text)).chain(self_reference(&text));
        for framing in found {
            prop_assert!(text.get(framing.range).is_some_and(|found| !found.trim().is_empty()));
        }
        let mut last = 0;
        for found in reasoning(&text, &no_code) {
            prop_assert!(found.range.start >= last && text.get(found.range.clone()).is_some());
            last = found.range.end;
        }
    }
}

#[test]
fn offers_of_something_else_than_the_answer_are_kept() {
    for text in [
        "If the train is late, I will take a taxi.",
        "Tell me which film you like best.",
        "If there is a fire, I can call the fire brigade.",
        "I can make a cake if you like chocolate.",
        "I'd be happy to give you a lift to the station.",
        "Would you like me to make you a cup of tea?",
        "Should I continue with the medicine, doctor?",
        "Is there anything you need from the shop?",
        "It's always a good idea to watch a trailer before you go to the cinema.",
        "Just tell me when the bus comes and I'll be there.",
    ] {
        let lesson = format!("We talk about films.\n\n{text}");
        assert_eq!(closing(&lesson), None, "{text}");
    }
    for text in [
        "I hope this helps! Let me know if you want any changes.",
        "Would you like me to write another quiz on this topic?",
        "Is there anything else you'd like me to add?",
    ] {
        let lesson = format!("We talk about films.\n\n{text}");
        assert!(closing(&lesson).is_some(), "{text}");
    }
}
