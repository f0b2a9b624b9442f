//! Finding the document in answers, with shapes as the profiles have them.

use redraft_text::json::Kind;

use super::*;

fn shapes() -> Shapes {
    Shapes {
        json: |value| {
            let node = value.root()?;
            match node.kind() {
                Kind::Array => Some(Shape::Alone),
                _ if node.get("stem").is_some() => Some(Shape::OfABank),
                _ if node.get("cards").is_some() => Some(Shape::Alone),
                _ if node.get("sections").is_some() => Some(Shape::MayBeShown),
                _ => None,
            }
        },
        columns: None,
    }
}

fn read_text(text: &str, hint: Hint) -> Raw {
    read_with(Source::new(text.as_bytes().to_vec()), hint, &shapes())
}

fn is_json(raw: &Raw) -> bool {
    raw.kind == FormKind::Json
}

/// What is left when everything certain around the document is deleted, and whether
/// that was all.
fn stripped(text: &str, raw: &Raw) -> (String, bool) {
    let mut left = text.to_owned();
    let mut removals: Vec<_> = raw.outside.iter().filter(|piece| piece.certain).collect();
    removals.sort_by_key(|piece| piece.removal.start);
    for piece in removals.iter().rev() {
        left.replace_range(piece.removal.clone(), "");
    }
    (left, raw.outside.iter().all(|piece| piece.certain))
}

const ITEM: &str = "{\"stem\": \"Why?\", \"options\": [\"a\", \"b\"]}";
const LESSON: &str = "{\"title\": \"T\", \"sections\": [{\"content\": \"Water boils at a hundred degrees. Steam rises, and the lid begins to move.\"}]}";
const TEXT: &str = "# Water\n\nWater boils at a hundred degrees.\n\n## Steam\n\nSteam rises, and the lid begins to move.";

#[test]
fn what_begins_a_text_decides_its_form() {
    use Hint::{Json, Markdown, None};
    for (text, hint, json) in [
        ("{\"title\": 1}", None, true),
        ("  \u{feff}{\"a\":1}", None, true),
        ("[{\"a\":1}]", Markdown, true),
        ("[link](x) text", None, false),
        ("[\"quoted\"](x)", Markdown, false),
        ("{% include x %}", Markdown, false),
        ("{{ page.title }}", None, false),
        ("{: .note}\ntext", None, false),
        ("{title: 'x'}", Json, true),
        ("```json\n{\"a\":1}\n```", None, true),
        ("```js\nlet a = {};\n```\n\n# T\n", Markdown, false),
        ("# T\n\n```json\n{\"a\":1}\n```\n", Markdown, false),
        (
            "```json\n{\"a\":1}\n```\n\n# T\n\nThis is JSON.\n",
            Markdown,
            false,
        ),
        (
            "Some words.\n\n```json\n{\"a\":1, \"b\": [1,2,3,4,5,6,7]}\n```\n",
            None,
            true,
        ),
        (
            "{\"intro\": \"a </think> b\", \"sections\": []}",
            None,
            true,
        ),
        ("plain words", None, false),
        ("", None, false),
    ] {
        assert_eq!(is_json(&read_text(text, hint)), json, "{text:?}");
    }
}

#[test]
fn a_known_document_is_json_whatever_the_file_is_called_and_whatever_surrounds_it() {
    let shown = format!(
        "# Water\n\nA lesson.\n\n```json\n{LESSON}\n```\n\n{}",
        "More words follow here. ".repeat(20)
    );
    let about_items = format!(
        "# A\n\n# B\n\n# C\n\n{}```json\n{ITEM}\n```\n",
        "Many words about items. ".repeat(80)
    );
    for (text, json) in [
        (
            format!("Words that no list knows.\n\n{ITEM}\n\nMore of them."),
            true,
        ),
        (
            format!("# Question\n\n```json\n{ITEM}\n```\n\n## Explanation\n\nBecause."),
            true,
        ),
        (format!("# Question\n\n{}", &ITEM[..30]), true),
        (format!("Words.\n\n{LESSON}\n"), true),
        (format!("## Final lesson\n\n```json\n{LESSON}\n```\n"), true),
        (shown, false),
        (about_items, false),
    ] {
        for hint in [Hint::None, Hint::Markdown] {
            assert_eq!(is_json(&read_text(&text, hint)), json, "{text:?}");
        }
        assert!(
            is_json(&read_text(&text, Hint::Decided(FormKind::Json))),
            "{text:?}"
        );
        assert!(!is_json(&read_text(
            &text,
            Hint::Decided(FormKind::Markdown)
        )));
    }
}

#[test]
fn deleting_what_certainly_surrounds_a_document_leaves_the_document() {
    let wrappers = [
        ("", ""),
        ("```DOC\n", "\n```"),
        ("~~~DOC title=\"x\"\n", "\n~~~"),
        ("````DOC\n", "\n````\n"),
        (
            "Sure! Here is the lesson:\n\n```DOC\n",
            "\n```\n\nI hope this helps!",
        ),
        ("<think>The user wants a lesson.</think>\n\n", ""),
        ("<think>plan</think>\n```DOC\n", "\n```"),
        ("The user wants a lesson.\n</think>\n\n", "<|im_end|>"),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>",
            "<|return|>",
        ),
        ("<|im_start|>assistant\n", "\n<|im_end|>\n"),
        ("<s>[INST] ", " [/INST]</s>"),
        ("<answer>\n", "\n</answer><|eot_id|>"),
        ("[THINK]Hm.[/THINK]", "</s>"),
        ("<think></think><think></think></think>\n", ""),
    ];
    for document in [ITEM, LESSON, TEXT] {
        for (before, after) in wrappers {
            let name = if document == TEXT { "markdown" } else { "json" };
            let text = format!(
                "{}{document}{}",
                before.replace("DOC", name),
                after.replace("DOC", name)
            );
            let raw = read_text(&text, Hint::None);
            assert_eq!(is_json(&raw), document != TEXT, "{text:?}");
            let (left, all) = stripped(&text, &raw);
            assert_eq!(left.trim(), document, "{text:?} {:?}", raw.outside);
            assert!(all, "{text:?} {:?}", raw.outside);
        }
    }
}

#[test]
fn every_byte_around_json_belongs_to_a_piece() {
    for (before, after) in [
        ("\u{feff}", ""),
        ("Question 1.\n", "\n\n**Explanation:** because.\n"),
        ("JSON: ", " ;"),
        ("json\n", "\n}"),
        ("<think>open ", " </think>"),
        ("const x = ", ";\nexport default x"),
        ("\u{a0}\0", "\0\u{a0}."),
        ("- ", "\n- and more"),
    ] {
        for document in [ITEM, LESSON] {
            let text = format!("{before}{document}{after}");
            let raw = read_text(&text, Hint::Json);
            let mut left = text.clone();
            for piece in raw.outside.iter().rev() {
                left.replace_range(piece.removal.clone(), "");
            }
            assert_eq!(left.trim(), document, "{text:?} {:?}", raw.outside);
        }
    }
}

#[test]
fn of_several_documents_the_last_complete_one_counts() {
    let other = ITEM.replace("Why", "How");
    for text in [
        format!("Draft:\n{ITEM}\n\nFinal:\n{other}"),
        format!("```json\n{ITEM}\n```\n\nImproved version:\n\n```json\n{other}\n```"),
        format!("{LESSON}\n{other}"),
        format!("{other}\n\nAnd again:\n{}", &ITEM[..25]),
        format!("<think>{ITEM}</think>{other}"),
    ] {
        let raw = read_text(&text, Hint::None);
        let Form::Json(value) = &raw.form else {
            panic!("{text}")
        };
        assert_eq!(text[value.root().unwrap().span()], other, "{text}");
    }
    let drafts =
        format!("Draft:\n```markdown\n{TEXT}\n```\n\nFinal:\n\n```markdown\n{TEXT} Again.\n```\n");
    let raw = read_text(&drafts, Hint::None);
    let Form::Markdown(body) = raw.form else {
        panic!("not Markdown")
    };
    assert_eq!(drafts[body], format!("{TEXT} Again."));
    assert!(
        raw.outside
            .iter()
            .any(|piece| piece.kind == OutsideKind::Draft)
    );
}

#[test]
fn values_of_a_bank_are_no_drafts_also_in_a_fence() {
    for text in [
        format!("{ITEM}\n{ITEM}\n"),
        format!("```json\n{ITEM}\n{ITEM}\n```\n"),
        format!("Here are the questions:\n{ITEM}\n\n{ITEM}"),
    ] {
        let raw = read_text(&text, Hint::None);
        let Form::JsonLines(values) = &raw.form else {
            panic!("{text}")
        };
        assert_eq!(values.iter().count(), 2);
    }
}

#[test]
fn a_line_of_a_bank_that_is_no_value_stands_outside() {
    let text = format!("Here they are:\n{ITEM}\nQuestion two got lost\n{ITEM} and more\n");
    let raw = read_text(&text, Hint::JsonLines);
    let shown: Vec<&str> = raw
        .outside
        .iter()
        .map(|piece| &text[piece.range.clone()])
        .collect();
    assert_eq!(
        shown,
        ["Here they are:", "Question two got lost", "and more"]
    );
}

#[test]
fn markdown_in_a_fence_is_unwrapped_with_its_inner_fences() {
    let text = "```markdown\n# T\n\n```python\nx\n```\n\nEnd.\n```\n";
    let raw = read_text(text, Hint::None);
    let Form::Markdown(body) = raw.form else {
        panic!("not Markdown")
    };
    assert_eq!(&text[body], "# T\n\n```python\nx\n```\n\nEnd.");
    assert_eq!(raw.outside.len(), 2);
}

#[test]
fn a_fence_with_unknown_words_around_it_is_in_doubt_and_a_sample_is_left_alone() {
    let wrapped = format!("Zorp flim grobnik dastel.\n\n```markdown\n{TEXT}\n```\n\nGrobnik.");
    let raw = read_text(&wrapped, Hint::None);
    let fences = raw
        .outside
        .iter()
        .filter(|piece| piece.kind == OutsideKind::Fence);
    assert_eq!(
        fences.map(|piece| piece.certain).collect::<Vec<_>>(),
        [false; 2]
    );
    let sample = format!("# Markdown\n\nA heading:\n\n```markdown\n{TEXT}\n```\n\nTry it.");
    let raw = read_text(&sample, Hint::None);
    assert_eq!(raw.outside, []);
}

#[test]
fn a_token_that_a_sentence_speaks_of_is_in_doubt() {
    for (text, certain) in [
        ("# T\n\nWater boils.<|im_end|>", true),
        ("# T\n\n- Water\n- Steam\n<|im_end|>", true),
        ("# T\n\nThe last token is <|im_end|>", false),
        ("# T\n\nThe last token is:\n\n<|im_end|>", false),
        ("<|endoftext|> is a token.", false),
        ("<|endoftext|># T", true),
    ] {
        let raw = read_text(text, Hint::None);
        let found: Vec<bool> = raw.outside.iter().map(|piece| piece.certain).collect();
        assert_eq!(found, [certain], "{text}");
    }
}

#[test]
fn a_json_file_without_json_is_said_to_have_none() {
    for hint in [Hint::Json, Hint::Decided(FormKind::NoJson)] {
        assert_eq!(read_text("just words", hint).kind, FormKind::NoJson);
    }
}
