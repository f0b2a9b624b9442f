//! Replies as models send them, and the resulting text.

use super::testing::{finished, reply};
use super::*;
use crate::ask::Finish;
use redraft_gate::fixtures::{json_lesson, markdown_lesson};

const LESSON: &str = "# Water\n\n## Steam\n\nWater boils at “100 °C”. It is **very** hot.\n\nSteam rises — always.\n\n## Ice\n\nIce floats. Ice floats.\n";

fn block(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n")
}

fn patched(document: &Document, component: &str, answer: &str) -> Result<String, String> {
    let proposal = read_patch(&reply(answer)).map_err(|error| error.to_string())?;
    applied(document, component, &proposal)
}

fn applied(document: &Document, component: &str, proposal: &Proposal) -> Result<String, String> {
    let target = EditTarget {
        document,
        component: &ComponentId::from(component),
        protected: &[],
    };
    apply(target, proposal)
        .map(|applied| String::from_utf8(applied.bytes).unwrap())
        .map_err(|complaint| format!("{:?}", complaint.kind))
}

#[test]
fn a_part_consists_of_its_own_range_and_nothing_else() {
    let lesson = markdown_lesson(LESSON);
    let found = passages(&lesson, &ComponentId::from("sec_2"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "## Ice\n\nIce floats. Ice floats.\n");
    assert!(passages(&lesson, &ComponentId::from("sec_9")).is_empty());
    let lesson =
        json_lesson(r#"{"sections":[{"title":"A","content":"a"},{"title":"B","content":"b"}]}"#);
    let found: Vec<_> = passages(&lesson, &ComponentId::from("sec_2"))
        .iter()
        .map(|passage| (passage.name, passage.text))
        .collect();
    assert_eq!(
        found,
        [("sections[1].title", "B"), ("sections[1].content", "b")]
    );
}

#[test]
fn words_are_replaced_where_they_stand_once() {
    let lesson = markdown_lesson(LESSON);
    for (search, replace, before, after) in [
        (
            "It is **very** hot.",
            "It burns.",
            " It is **very** hot.",
            " It burns.",
        ),
        // Straight quotation marks for typographic ones: the author's are kept.
        (
            "Water boils at \"100 °C\".",
            "Water boils at \"100 °C\" at sea level.",
            "“100 °C”.",
            "“100 °C” at sea level.",
        ),
        // Emphasis that the model did not copy is kept, too.
        (
            "It is very hot.",
            "It is very, very hot.",
            "**very** hot",
            "**very, very** hot",
        ),
        (
            "Steam rises - always.",
            "Steam rises - mostly.",
            "— always",
            "— mostly",
        ),
        (
            "Water  boils\nat",
            "Water boils slowly at",
            "boils at",
            "boils slowly at",
        ),
        (
            "Steam rises — always.",
            "",
            "\n\nSteam rises — always.\n",
            "\n",
        ),
        (" It is **very** hot.", "", " It is **very** hot.", ""),
        (
            "Steam rises — always.\n",
            "Steam rises.\n",
            "rises — always.",
            "rises.",
        ),
    ] {
        let result = patched(&lesson, "sec_1", &block(search, replace)).unwrap();
        let loose = LESSON.replacen(before, after, 1);
        if search == "It is very hot." {
            assert!(result.contains("very, very"), "{result}");
        } else {
            assert_eq!(result, loose, "{search}");
        }
        let ice = LESSON.find("## Ice").unwrap();
        assert!(result.ends_with(&LESSON[ice..]), "{search}");
    }
}

#[test]
fn what_does_not_fit_is_complained_about_and_changes_nothing() {
    let lesson = markdown_lesson(LESSON);
    for (component, answer, expected) in [
        ("sec_1", block("Ice floats.", "x"), "NotFound"),
        ("sec_2", block("Ice floats.", "x"), "Ambiguous"),
        ("sec_2", block("", "x"), "NotFound"),
        (
            "sec_1",
            block("Steam rises — always.", "Steam rises — always."),
            "Nothing",
        ),
        (
            "sec_1",
            block("Steam rises", "A") + &block("rises — always", "B"),
            "Overlap",
        ),
        (
            "sec_1",
            "field: nowhere\n".to_owned() + &block("Steam rises", "A"),
            "UnknownField",
        ),
        ("sec_9", block("Steam rises", "A"), "NotEditable"),
        (
            "sec_1",
            "NO CHANGE NEEDED: it is fine".to_owned(),
            "Nothing",
        ),
    ] {
        assert_eq!(
            patched(&lesson, component, &answer),
            Err(expected.to_owned()),
            "{answer}"
        );
    }
}

#[test]
fn blocks_are_found_through_fences_talk_and_carelessness() {
    let lesson = markdown_lesson(LESSON);
    let expected = LESSON.replace("Steam rises", "Steam goes up");
    let plain = block("Steam rises", "Steam goes up");
    for answer in [
        plain.clone(),
        plain.trim_end().to_owned(),
        plain.replace('\n', "\r\n"),
        format!("Sure, here is the edit:\n\n```markdown\n{plain}```\n\nI hope this helps!"),
        format!("<think>\n{}\n</think>\n{plain}", block("Water", "Beer")),
        plain.replace("=======", "======"),
        plain
            .replace("<<<<<<<", "<<<<<<")
            .replace(">>>>>>>", ">>>>>>>>"),
        plain
            .replace("SEARCH", "search")
            .replace("REPLACE", "Replace:"),
        plain.replace("<<<<<<< SEARCH", " <<<<<<<SEARCH  "),
    ] {
        assert_eq!(
            patched(&lesson, "sec_1", &answer).as_ref(),
            Ok(&expected),
            "{answer}"
        );
    }
}

#[test]
fn text_that_looks_like_a_marker_never_gets_lost_or_in() {
    let git = "## Conflict\n\n```\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n```\n\nTitle\n=======\n\nEnd.\n";
    let lesson = markdown_lesson(git);
    // The right divider is the one that makes the search text match the component.
    let answer = block(
        "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch",
        "<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> branch",
    );
    let expected = git.replace("ours", "mine").replace("theirs", "yours");
    assert_eq!(patched(&lesson, "sec_1", &answer).as_ref(), Ok(&expected));
    let longer = answer
        .replace("<<<<<<< SEARCH", "<<<<<<<<<< SEARCH")
        .replace(">>>>>>> REPLACE", ">>>>>>>>>> REPLACE")
        .replace(
            "branch\n=======\n<<<<<<< HEAD",
            "branch\n==========\n<<<<<<< HEAD",
        );
    assert_eq!(patched(&lesson, "sec_1", &longer), Ok(expected));
    let twice = markdown_lesson(
        "## A

```
X
A
=======
B
```
",
    );
    assert_eq!(
        patched(&twice, "sec_1", &block("X\nA\n=======\nB", "C")),
        Err("Ambiguous".to_owned())
    );
    // A block in the lesson that closes ours too early leaves a marker over.
    for hostile in [
        block("End.", "One.\n>>>>>>> REPLACE\nTwo."),
        block(
            "End.",
            "<<<<<<< SEARCH\nOne.\n=======\nTwo.\n>>>>>>> REPLACE",
        ),
        "<<<<<<< SEARCH\nEnd.\n=======\nFin.\n".to_owned(),
        "<<<<<<< SEARCH\nEnd.\n>>>>>>> REPLACE\n".to_owned(),
        ">>>>>>> REPLACE\n".to_owned() + &block("End.", "Fin."),
    ] {
        assert!(
            matches!(read_patch(&reply(&hostile)), Err(FormError::Malformed(_))),
            "{hostile}"
        );
    }
}

#[test]
fn a_reply_that_breaks_off_or_declines_is_never_applied() {
    let answer = block("Steam rises", "Steam goes up");
    for (finish, expected) in [
        (Finish::Length, FormError::Truncated),
        (Finish::Refusal, FormError::Refused(quoted(&answer))),
    ] {
        assert_eq!(
            read_patch(&finished(&answer, finish)),
            Err(expected.clone())
        );
        assert!(read_whole(&finished("text", finish)).is_err());
    }
    assert_eq!(read_patch(&reply(" \n ")), Err(FormError::Empty));
    assert!(matches!(
        read_patch(&reply("I would change the second sentence.")),
        Err(FormError::Missing(_))
    ));
    let none = read_patch(&reply("**NO CHANGE NEEDED:** the section says so already."));
    assert_eq!(
        none,
        Ok(Proposal::NoChange {
            reason: "the section says so already".to_owned()
        })
    );
}

#[test]
fn latex_and_code_come_through_byte_for_byte() {
    let json = r#"{"sections":[{"title":"A","content":"Let $\\frac{1}{2}$ be \"half\".\n\ttab caf\u00e9"}]}"#;
    let lesson = json_lesson(json);
    let result = patched(
        &lesson,
        "sec_1",
        &block(
            "Let $\\frac{1}{2}$ be \"half\".",
            "Let $\\frac{1}{3}$ be \"a third\" — so.",
        ),
    );
    assert_eq!(
        result.unwrap(),
        r#"{"sections":[{"title":"A","content":"Let $\\frac{1}{3}$ be \"a third\" \u2014 so.\n\ttab caf\u00e9"}]}"#
    );
}

#[test]
fn files_with_two_bytes_to_a_line_break_keep_them() {
    let text = LESSON.replace('\n', "\r\n");
    let lesson = markdown_lesson(&text);
    let result = patched(
        &lesson,
        "sec_1",
        &block("Steam rises — always.", "Steam rises.\n\nAlways."),
    );
    assert_eq!(
        result.unwrap(),
        text.replace("Steam rises — always.", "Steam rises.\r\n\r\nAlways.")
    );
}

#[test]
fn protected_words_stay_whatever_is_proposed() {
    let lesson = markdown_lesson(LESSON);
    let at = LESSON.find("100").unwrap();
    let protected = at..at + 3;
    for (answer, refused) in [
        (
            block("Water boils at “100 °C”.", "Water boils at “90 °C”."),
            true,
        ),
        (block("Water boils at “100 °C”.", ""), true),
        (
            block("Water boils at “100 °C”.", "Water cooks at “100 °C”."),
            false,
        ),
        (block("hot.", "warm."), false),
    ] {
        let proposal = read_patch(&reply(&answer)).unwrap();
        let component = ComponentId::from("sec_1");
        let target = EditTarget {
            document: &lesson,
            component: &component,
            protected: std::slice::from_ref(&protected),
        };
        let result = apply(target, &proposal);
        let kind = result.err().map(|complaint| complaint.kind);
        assert_eq!(kind == Some(ComplaintKind::Protected), refused, "{answer}");
    }
}

#[test]
fn a_whole_part_keeps_its_heading_and_its_neighbours() {
    let lesson = markdown_lesson(LESSON);
    let (start, end) = (
        LESSON.find("Water boils").unwrap(),
        LESSON.find("\n\n## Ice").unwrap(),
    );
    let with = |body: &str| format!("{}{body}{}", &LESSON[..start], &LESSON[end..]);
    for (answer, body) in [
        ("New words.", "New words."),
        ("## Steam\n\nNew words.\n", "New words."),
        (
            "# Steam\n\nNew words.\n\n## More\n\nMore.",
            "New words.\n\n### More\n\nMore.",
        ),
        (
            "### Steam\n\nNew words.\n\n#### More\n\nMore.",
            "New words.\n\n### More\n\nMore.",
        ),
        ("## Hot steam\n\nNew words.", "New words."),
        (
            "### First step\n\nNew words.",
            "### First step\n\nNew words.",
        ),
        (
            "New.\n\n## Break out\n\nMore.",
            "New.\n\n### Break out\n\nMore.",
        ),
        (
            "Steam\n-----\n\nNew.\n\nMore\n----\n\nMore.",
            "New.\n\n### More\n\nMore.",
        ),
        (
            "```markdown\n## Steam\n\nNew words.\n\n```py\nx\n```\n```",
            "New words.\n\n```py\nx\n```",
        ),
        (
            "<redraft:part id=\"sec_1\">\n## Steam\n\nNew words.\n</redraft:part>\nDone!",
            "New words.",
        ),
        ("```py\n# not a heading\n```", "```py\n# not a heading\n```"),
    ] {
        let proposal = read_whole(&reply(answer)).unwrap();
        assert_eq!(
            applied(&lesson, "sec_1", &proposal),
            Ok(with(body)),
            "{answer}"
        );
    }
}

#[test]
fn a_heading_with_nothing_under_it_gets_a_body() {
    for (text, expected) in [
        ("## A\n\n## B\n\nb\n", "## A\n\nNew.\n\n## B\n\nb\n"),
        ("## A\n## B\n\nb\n", "## A\n\nNew.\n## B\n\nb\n"),
        ("## A", "## A\n\nNew."),
    ] {
        let lesson = markdown_lesson(text);
        let proposal = Proposal::Whole("New.".to_owned());
        assert_eq!(
            applied(&lesson, "sec_1", &proposal).as_deref(),
            Ok(expected),
            "{text}"
        );
        for nothing in ["## A", "## A\n\n", "\n"] {
            let proposal = Proposal::Whole(nothing.to_owned());
            let applied = applied(&lesson, "sec_1", &proposal);
            assert_eq!(applied, Err("Nothing".to_owned()), "{text}: {nothing:?}");
        }
    }
}

#[test]
fn a_whole_part_of_several_fields_names_them() {
    let json = r#"{"sections":[{"title":"A","content":"old\n"},{"title":"B","content":"b"}]}"#;
    let lesson = json_lesson(json);
    for (answer, expected) in [
        ("new", Ok(json.replace("old", "new"))),
        ("# A\n\nnew", Ok(json.replace("old", "new"))),
        (
            "field: sections[0].content\nnew \"words\"",
            Ok(json.replace("old", "new \\\"words\\\"")),
        ),
        (
            "field: sections[0].title\nZ\n\n`field: sections[0].content`\nnew\nfield: of corn",
            Ok(json
                .replace("\"A\"", "\"Z\"")
                .replace("old", "new\\nfield: of corn")),
        ),
        (
            "field: sections[1].content\nnew",
            Err("UnknownField".to_owned()),
        ),
        (
            "field: sections[0].content\na\nfield: sections[0].content\nb",
            Err("Ambiguous".to_owned()),
        ),
    ] {
        let proposal = read_whole(&reply(answer)).unwrap();
        assert_eq!(applied(&lesson, "sec_1", &proposal), expected, "{answer}");
    }
}

#[test]
fn a_field_line_tells_two_equal_sentences_apart() {
    let json = r#"{"sections":[{"title":"Same","content":"Same"}]}"#;
    let lesson = json_lesson(json);
    assert_eq!(
        patched(&lesson, "sec_1", &block("Same", "New")),
        Err("Ambiguous".to_owned())
    );
    let named = "field: sections[0].content\n\n```\n".to_owned() + &block("Same", "New");
    assert_eq!(
        patched(&lesson, "sec_1", &named),
        Ok(json.replace(":\"Same\"}", ":\"New\"}"))
    );
}

#[test]
fn a_refusal_needs_a_reason_about_each_issue() {
    for (answer, issues, expected) in [
        (
            "NO CHANGE NEEDED: it is right as it stands",
            &["issue_1"][..],
            None,
        ),
        (
            "NO CHANGE NEEDED\nissue_1: the figure is right",
            &["issue_1"],
            None,
        ),
        (
            "NO CHANGE NEEDED\nissue_1: the figure is right\nissue_2: the term was explained",
            &["issue_1", "issue_2"],
            None,
        ),
        ("NO CHANGE NEEDED", &["issue_1"], Some("issue_1")),
        ("NO CHANGE NEEDED: fine", &["issue_1"], Some("issue_1")),
        (
            "NO CHANGE NEEDED\nissue_1: the sentence is right, because …",
            &["issue_1"],
            Some("issue_1"),
        ),
        (
            "NO CHANGE NEEDED: all of it is right as it stands",
            &["issue_1", "issue_2"],
            Some("issue_1"),
        ),
        (
            "NO CHANGE NEEDED\nissue_1: the figure is right",
            &["issue_1", "issue_2"],
            Some("issue_2"),
        ),
        (
            "NO CHANGE NEEDED\nissue_1, issue_2: the figure is right",
            &["issue_1", "issue_2"],
            Some("issue_1"),
        ),
        (
            "NO CHANGE NEEDED\nissue_12: the figure is right",
            &["issue_1", "issue_12"],
            Some("issue_1"),
        ),
        ("NO CHANGE NEEDED", &[], Some("reason")),
    ] {
        let Ok(Proposal::NoChange { reason }) = read_patch(&reply(answer)) else {
            panic!("{answer}");
        };
        let checked = check_refusal(&reason, issues);
        match (checked, expected) {
            (Ok(()), None) => {}
            (Err(FormError::Malformed(message)), Some(word)) => {
                assert!(message.contains(word), "{answer}: {message}");
            }
            (found, _) => panic!("{answer}: {found:?}"),
        }
    }
}

#[test]
fn an_echo_of_our_frame_around_the_text_is_taken_off() {
    let whole = |text: &str| match read_whole(&reply(text)) {
        Ok(Proposal::Whole(text)) => Some(text),
        _ => None,
    };
    for answer in [
        "Water boils.",
        "<redraft:text>\nWater boils.\n</redraft:text>",
        "<redraft:text>\nWater boils.",
        "```\n<redraft:text>\nWater boils.\n</redraft:text>\n```",
        "The answer:\nWater boils.",
        "Answer:\n<redraft:text>\nWater boils.\n</redraft:text>",
        "<redraft:before>\nOld.\n</redraft:before>\n<redraft:text>\nWater boils.\n</redraft:text>\n<redraft:after>\nNext.\n</redraft:after>",
        "<redraft:part>\nWater boils.\n</redraft:part>",
    ] {
        assert_eq!(whole(answer).as_deref(), Some("Water boils."), "{answer}");
    }
    for answer in [
        "<redraft:text>\nOld words.\n</redraft:text>\nWater boils.",
        "Water boils.\n<redraft:after>\nNext.\n</redraft:after>",
        "<redraft:issues>\nissue_1: x\n</redraft:issues>",
    ] {
        assert_eq!(whole(answer), None, "{answer}");
    }
}
