//! Raw answers of models, each with the document that was meant. After inspecting and
//! fixing, either an error is left, or what is written is that document and parses as
//! what it is (rulings 45 and 46). Answers in which the document is cut off always keep
//! an error. The cases are data: documents, wrappers and tails are combined, and odd
//! answers are listed one by one.

use redraft_gate::finding::Severity;
use redraft_gate::fix::Fixed;
use redraft_gate::reading::Hint;
use serde_json::Value;

use crate::fixtures::fix;

const ITEM: &str = r#"{"id": "q1", "vignette": "A woman of 45 comes with sudden chest pain that spreads to her left arm. She has high blood pressure and high cholesterol. The tracing shows raised segments in four leads.", "stem": "Which of these is her most likely diagnosis?", "options": [{"key": "A", "text": "Myocardial infarction"}, {"key": "B", "text": "Lung embolism"}, {"key": "C", "text": "Torn aorta"}, {"key": "D", "text": "Inflamed pericardium"}], "correct_answer": "A", "rationale": "Raised segments and risk factors together decide it."}"#;

const CARDS: &str = r#"{"courseId": "c1", "title": "Halves and quarters", "lesson_type": "teach", "estMinutes": 50, "outcomeRefs": ["O1"], "cards": [{"id": "card_001", "title": "Starter", "explainer": "We share a pizza equally between four friends. Each friend gets one quarter of it.", "explainer_plain": "Four friends share a pizza. Each gets one quarter.", "cfu": {"type": "mcq", "stem": "What does each friend get?", "options": ["One half", "One quarter", "One third"], "answerIndex": 1}, "rubric": {"total_points": 1, "criteria": [{"description": "Chooses one quarter", "points": 1}]}, "misconceptions": [{"misconception": "A quarter is bigger than a half", "clarification": "More parts make each part smaller."}]}]}"#;

const LESSON: &str = r##"{"title": "Boiling water", "intro": "Water boils when it is heated. This lesson shows when and why.", "sections": [{"title": "Heat", "content": "Heat makes the water move faster. At 100 °C it begins to boil.\n\n- Bubbles form.\n- Steam rises.\n\n```json\n{\"degrees\": 100}\n```\n\nThe number in the example is the boiling point."}], "summary": "Water boils at 100 °C. Steam rises from it."}"##;

const TEXT: &str = "# Boiling water\n\nWater boils when it is heated. This lesson shows when and why.\n\n## Heat\n\nHeat makes the water move faster. At 100 °C it begins to boil.\n\n```python\ndegrees = 100\n```\n\nThe number in the example is the boiling point.\n\n## Summary\n\nWater boils at 100 °C. Steam rises from it.";

const DOCUMENTS: [(&str, &str); 4] = [
    ("item", ITEM),
    ("cards", CARDS),
    ("lesson", LESSON),
    ("markdown", TEXT),
];

/// What stands before and after; `DOC` is the language of the document.
const WRAPPERS: [(&str, &str); 5] = [
    ("", ""),
    ("```DOC\n", "\n```"),
    ("~~~~DOC title=\"answer\"\n", "\n~~~~"),
    ("<answer>\n", "\n</answer>"),
    ("````DOC\n", "\n````"),
];

/// What comes before the wrapper.
const OPENERS: [&str; 16] = [
    "",
    "Here is the question:\n\n",
    "JSON:\n",
    "Output:\n\n",
    "Sure! Here is the lesson you asked for:\n\n",
    "<think>\nThe user wants something short. A draft: {\"stem\": \"x\"}\n</think>\n\n",
    "The user wants a lesson. I will keep it short.\n</think>\n\n",
    "<|channel|>analysis<|message|>Need to write it.<|end|><|start|>assistant<|channel|>final<|message|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<|im_start|>assistant\n",
    "<s> [INST] write [/INST] ",
    "[THINK]Hm.[/THINK]",
    "Zorp flim, grobnik dastel:\n\n",
    "This answer begins with words that no list of phrases has.\n\n",
    "**Difficulty:** medium. **Topic:** cardiology.\n\n",
    "\u{feff}",
];

/// What comes after the wrapper.
const TAILS: [&str; 14] = [
    "",
    "\n",
    "<|im_end|>",
    "\n<|eot_id|>\n",
    "</s>",
    "<｜end▁of▁sentence｜>",
    "\n\n<|im_end|>\n<|im_start|>user\n",
    "\n\n**Explanation:** the answer is A because of the tracing.",
    "\n\nLet me know if you would like any changes!",
    "\n\nI hope this helps! Let me know if you need anything else.<|endoftext|>",
    "\n\nSource: own work.",
    "\n\n---\n\n*Generated on request.*",
    "<end_of_turn>",
    "\n\nGrobnik dastel zorp.",
];

fn is_json(document: &str) -> bool {
    document.starts_with(['{', '['])
}

fn errors(fixed: &Fixed) -> Vec<&'static str> {
    let errors = fixed.inspected.findings.iter();
    errors
        .filter(|finding| finding.severity == Severity::Error)
        .map(|finding| finding.check.name)
        .collect()
}

/// Whether what was written is what was meant.
fn is_meant(written: &[u8], meant: &str) -> bool {
    if is_json(meant) {
        let read: Result<Value, _> = serde_json::from_slice(written);
        let expected: Value = serde_json::from_str(meant).unwrap();
        read.is_ok_and(|read| read == expected)
    } else {
        String::from_utf8_lossy(written)
            .trim_start_matches('\u{feff}')
            .replace("\r\n", "\n")
            .trim()
            == meant.trim()
    }
}

/// What became of an answer.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// No error is left, and the document is what was meant.
    Meant,
    /// An error is left.
    Reported,
    /// No error is left, and the document is something else.
    Wrong,
}

fn outcome(answer: &[u8], hint: Hint, meant: &str) -> Outcome {
    let fixed = fix(answer, hint);
    let written = fixed.inspected.document.source().bytes();
    if !errors(&fixed).is_empty() {
        Outcome::Reported
    } else if is_meant(written, meant) {
        Outcome::Meant
    } else {
        Outcome::Wrong
    }
}

fn hints(document: &str) -> Vec<Hint> {
    let named = if is_json(document) {
        Hint::Json
    } else {
        Hint::Markdown
    };
    vec![Hint::None, named, Hint::Markdown]
}

#[test]
fn the_documents_themselves_are_good() {
    for (name, document) in DOCUMENTS {
        for hint in hints(document) {
            let outcome = outcome(document.as_bytes(), hint, document);
            assert_eq!(outcome, Outcome::Meant, "{name}");
        }
    }
}

#[test]
fn without_an_error_the_document_is_the_one_that_was_meant() {
    let (mut meant, mut all) = (0, 0);
    let mut wrong = Vec::new();
    for (name, document) in DOCUMENTS {
        let language = if is_json(document) {
            "json"
        } else {
            "markdown"
        };
        for (before, after) in WRAPPERS {
            for opener in OPENERS {
                for tail in TAILS {
                    let answer = format!(
                        "{opener}{}{document}{}{tail}",
                        before.replace("DOC", language),
                        after.replace("DOC", language)
                    );
                    // Unknown prose around bare Markdown is part of the text.
                    let is_text = !is_json(document) && !before.contains("DOC");
                    for hint in hints(document) {
                        all += 1;
                        match outcome(answer.as_bytes(), hint, document) {
                            Outcome::Meant => meant += 1,
                            Outcome::Reported => {}
                            Outcome::Wrong if is_text => all -= 1,
                            Outcome::Wrong => wrong.push((name, hint, answer.clone())),
                        }
                    }
                }
            }
        }
    }
    eprintln!(
        "{meant} of {all} answers came out as meant, {} wrong",
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong: {:?}",
        wrong.len(),
        wrong.first()
    );
    assert!(meant * 2 > all, "only {meant} of {all}");
}

#[test]
fn a_document_that_is_cut_off_keeps_an_error() {
    for (name, document) in DOCUMENTS {
        let language = if is_json(document) {
            "json"
        } else {
            "markdown"
        };
        for share in [3, 5, 8] {
            let cut = &document[..document.floor_char_boundary(document.len() * share / 10 + 3)];
            // Text that ends with a whole sentence is not cut as far as anyone can see.
            if !is_json(document) && cut.trim_end().ends_with(['.', '`']) {
                continue;
            }
            for (before, after) in WRAPPERS {
                for opener in OPENERS {
                    for tail in ["", "<|im_end|>", "\n\nLet me know if you need changes!"] {
                        let answer = format!(
                            "{opener}{}{cut}{}{tail}",
                            before.replace("DOC", language),
                            after.replace("DOC", language)
                        );
                        for hint in hints(document) {
                            let fixed = fix(answer.as_bytes(), hint);
                            let written = fixed.inspected.document.source().bytes();
                            if is_json(document) {
                                assert!(!errors(&fixed).is_empty(), "{name} {hint:?} {answer}");
                                let read: Result<Value, _> = serde_json::from_slice(written);
                                assert!(read.is_err(), "{name} {hint:?} {answer}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn answers_in_other_encodings_come_out_as_meant_or_with_an_error() {
    let utf16 = |text: &str, little: bool| -> Vec<u8> {
        let mark = if little { [0xff, 0xfe] } else { [0xfe, 0xff] };
        let units = text.encode_utf16();
        let bytes = units.flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        });
        mark.into_iter().chain(bytes).collect()
    };
    let (mut meant, mut all) = (0, 0);
    for (name, document) in DOCUMENTS {
        for (before, after) in [
            ("", ""),
            ("```json\n", "\n```"),
            ("<think>Hm.</think>", "<|im_end|>"),
        ] {
            if !is_json(document) && before.contains("json") {
                continue;
            }
            let answer = format!("{before}{document}{after}");
            for bytes in [
                utf16(&answer, true),
                utf16(&answer, false),
                format!("\u{feff}{answer}").into_bytes(),
                answer.replace('\n', "\r\n").into_bytes(),
                format!("\u{feff}{}", answer.replace('\n', "\r\n")).into_bytes(),
                windows_1251(
                    &answer
                        .replace("boils", "кипит")
                        .replace("pain", "боль")
                        .replace('°', "гр"),
                ),
            ] {
                for hint in hints(document) {
                    all += 1;
                    let outcome = outcome(&bytes, hint, document);
                    assert_ne!(outcome, Outcome::Wrong, "{name} {hint:?} {answer}");
                    meant += usize::from(outcome == Outcome::Meant);
                }
            }
        }
    }
    eprintln!("{meant} of {all} answers in other encodings came out as meant");
    assert!(meant * 2 > all, "only {meant} of {all}");
}

fn windows_1251(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c {
            'А'..='я' => 0xC0 + u8::try_from(u32::from(c) - 0x410).unwrap(),
            '°' => 0xB0,
            c if c.is_ascii() => u8::try_from(u32::from(c)).unwrap(),
            _ => b'?',
        })
        .collect()
}

/// Answers that go wrong in other ways. `ITEM`, `CARDS`, `LESSON` and `TEXT` stand for
/// the documents; what was meant is the one that is named first.
const ODD: &[(&str, &str)] = &[
    ("ITEM", "Draft:\nITEM2\n\nFinal:\nITEM"),
    (
        "ITEM",
        "```json\nITEM2\n```\n\nOn reflection, I improved it:\n\n```json\nITEM\n```",
    ),
    ("ITEM", "ITEM\n\nAlternative:\n\nITEM2"),
    ("ITEM", "json\nITEM"),
    ("ITEM", "JSON\nITEM\n"),
    ("ITEM", "`ITEM`"),
    ("ITEM", "``json\nITEM\n``"),
    ("ITEM", "```json ITEM ```"),
    ("ITEM", "```json\nITEM"),
    ("ITEM", "ITEM\n```"),
    ("ITEM", "````markdown\n```json\nITEM\n```\n````"),
    ("ITEM", "const item = ITEM;\nexport default item;"),
    ("ITEM", "item = ITEM"),
    ("ITEM", "return ITEM"),
    ("ITEM", "> ITEM"),
    ("ITEM", "- ITEM"),
    ("ITEM", "1. ITEM\n2. ITEM2"),
    (
        "ITEM",
        "# Question\n\n```json\nITEM\n```\n\n# Notes\n\nThe key is A.",
    ),
    ("ITEM", "| JSON |\n|---|\n| ITEM |"),
    ("ITEM", "<pre><code>ITEM</code></pre>"),
    ("ITEM", "<item>ITEM</item>"),
    ("ITEM", "<json>ITEM</json>"),
    ("ITEM", "ITEM}"),
    ("ITEM", "ITEM]"),
    ("ITEM", "{ITEM}"),
    ("ITEM", "ITEM,"),
    ("ITEM", "ITEM;"),
    ("ITEM", "ITEM."),
    ("ITEM", "ITEM\u{200b}"),
    ("ITEM", "\u{200b}ITEM"),
    ("ITEM", "\u{a0}ITEM\u{a0}"),
    ("ITEM", "\0ITEM\0\0"),
    ("ITEM", "ITEM // done"),
    ("ITEM", "/* item */ ITEM"),
    ("ITEM", "# item\nITEM"),
    ("ITEM", "ITEM\n</think>"),
    ("ITEM", "</think>\nITEM"),
    ("ITEM", "<think>\nITEM2\n</think>\nITEM"),
    ("ITEM", "<think>\nITEM2\nITEM"),
    ("ITEM", "ITEM\n<think>Was that right?</think>"),
    ("ITEM", "ITEM\n\nConfidence: 0.93"),
    ("ITEM", "ITEM\n{\"confidence\": 0.93}"),
    ("ITEM", "{\"thinking\": \"hm\"}\nITEM"),
    ("ITEM", "data: ITEM\n\ndata: [DONE]"),
    ("ITEM", "HTTP/1.1 200 OK\n\nITEM"),
    ("ITEM", "User: write an item\nAssistant: ITEM\nUser: thanks"),
    ("ITEM", "analysisThe user wants an item.assistantfinalITEM"),
    (
        "ITEM",
        "<|channel|>final <|constrain|>json<|message|>ITEM<|return|>",
    ),
    (
        "ITEM",
        "<|channel|>analysis<|message|>Hm ITEM2<|end|><|start|>assistant<|channel|>final<|message|>ITEM",
    ),
    ("ITEM", "[TOOL_CALLS]ITEM"),
    ("ITEM", "<tool_call>ITEM</tool_call>"),
    ("ITEM", "<|python_tag|>ITEM<|eom_id|>"),
    ("ITEM", "I'm sorry, but I can't help with that. ITEM"),
    ("ITEM", "Вот вопрос:\n\nITEM\n\nНадеюсь, это поможет!"),
    ("ITEM", "这是题目：\nITEM"),
    ("ITEM", "ITEM\n\nПояснение: ответ A."),
    ("ITEM", "<s><s>ITEM</s></s></s>"),
    (
        "CARDS",
        "Here are the cards:\n\n```json\nCARDS\n```\n\nEnjoy your lesson!",
    ),
    ("CARDS", "CARDS\nCARDS2"),
    ("CARDS", "CARDS2\n\n---\n\nCARDS"),
    (
        "CARDS",
        "## Cards\n\nCARDS\n\n## Notes for the teacher\n\nBring a pizza.",
    ),
    ("LESSON", "## Lesson\n\n```json\nLESSON\n```"),
    ("LESSON", "Lesson follows.\n\nLESSON\n\nLesson ends."),
    ("LESSON", "LESSON2\n\nLESSON"),
    ("LESSON", "Plan: first heat, then steam.\n</think>LESSON"),
    ("LESSON", "LESSON\n\n# Teacher's notes\n\nBring a kettle."),
    (
        "TEXT",
        "Sure! Here is the lesson you asked for:\n\n```markdown\nTEXT\n```\n\nLet me know if you would like any changes!",
    ),
    ("TEXT", "```\nTEXT\n```"),
    ("TEXT", "~~~markdown\nTEXT\n~~~"),
    (
        "TEXT",
        "Bonjour à tous.\n\n```markdown\nTEXT\n```\n\nAu revoir.",
    ),
    (
        "TEXT",
        "Draft:\n\n```markdown\nTEXT2\n```\n\nFinal:\n\n```markdown\nTEXT\n```",
    ),
    ("TEXT", "<|im_start|>assistant\nTEXT<|im_end|>\n"),
    ("TEXT", "<think>Plan.</think>\nTEXT</s>"),
    (
        "TEXT",
        "<think>Plan.</think><think>More.</think></think>\n\nTEXT",
    ),
    (
        "TEXT",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>TEXT<|return|>",
    ),
    ("TEXT", "<answer>\nTEXT\n</answer>"),
    (
        "TEXT",
        "TEXT\n\n<|eot_id|><|start_header_id|>user<|end_header_id|>",
    ),
    // What stands before the title, whatever its words are.
    ("TEXT", "Part 1/2\n\nTEXT"),
    ("TEXT", "✅ Zorp!\n\nTEXT"),
    (
        "TEXT",
        "HTTP/1.1 200 OK\nContent-Type: text/markdown\n\nTEXT",
    ),
    ("TEXT", "User: write it\n\nAssistant: TEXT\n\nUser: thanks"),
    ("TEXT", "Zorp flim: TEXT"),
    ("TEXT", "# Response\n\nTEXT"),
    ("TEXT", "Zorp flim.\n\n---\n\nTEXT\n\n---\n\nGrobnik."),
    ("TEXT", "'''markdown\nTEXT\n'''"),
    ("TEXT", "\u{200b}TEXT"),
    ("TEXT", "```\n```markdown\nTEXT\n```\n```"),
    // Tags of no web page, with and without their other half.
    ("TEXT", "<lesson>\nTEXT\n</lesson>"),
    ("TEXT", "<answer>\nTEXT"),
    ("TEXT", "TEXT\n</answer>"),
    // Copies and drafts.
    ("TEXT", "TEXT\n\nTEXT"),
    ("TEXT", "Option 1:\n\nTEXT\n\nOption 2:\n\nTEXT"),
    ("ITEM", "ITEM\n\nITEM"),
    // In the answer of an API, with a comment, after a refusal.
    ("ITEM", "{\"output\": ITEM}"),
    ("ITEM", "[{\"generated_text\": ITEM}]"),
    ("ITEM", "// the item\nITEM"),
    ("ITEM", "I'm sorry, but I can't write all of it.\n\nITEM"),
];

/// Written last, without looking at the code.
const HELD_OUT: &[(&str, &str)] = &[
    (
        "ITEM",
        "Certainly, doctor. Your vignette is below.\n\nITEM\n\nBest regards,\nYour assistant",
    ),
    ("ITEM", "ITEM\n\n[End of response]"),
    ("ITEM", "=== BEGIN JSON ===\nITEM\n=== END JSON ==="),
    ("ITEM", "<!-- item -->\nITEM\n<!-- /item -->"),
    (
        "ITEM",
        "Antwort:\n```\nITEM\n```\nDie richtige Antwort ist A.",
    ),
    ("ITEM", "Voici la question :\n\nITEM"),
    ("ITEM", "ITEM\n\n✅ Correct answer: A"),
    ("ITEM", "🧠 Thinking...\n\nITEM"),
    ("ITEM", "{\"items\": [ITEM]}\n\nITEM"),
    (
        "ITEM",
        "[ITEM2, ITEM2]\n\nAfter review I keep only one:\nITEM",
    ),
    ("ITEM", "```json\nITEM\n```\n```json\nITEM\n```"),
    ("ITEM", "```json\r\nITEM\r\n```\r\n"),
    ("ITEM", "\n\n\n   ITEM   \n\n\n"),
    ("ITEM", "ITEM<|fim_middle|>"),
    (
        "ITEM",
        "<|begin_of_text|><|start_header_id|>assistant<|end_header_id|>\n\nITEM<|eot_id|>",
    ),
    (
        "ITEM",
        "<reasoning>Check the key.</reasoning>\n<output>ITEM</output>",
    ),
    ("ITEM", "Reasoning: the key must be A.\nItem: ITEM"),
    ("ITEM", "ITEM\nNote that the value above is valid JSON."),
    ("ITEM", "console.log(ITEM)"),
    ("ITEM", "\"ITEM\""),
    (
        "CARDS",
        "Lesson cards for National 4\n===========================\n\n```json\nCARDS\n```",
    ),
    ("CARDS", "CARDS</s></s><pad><pad>"),
    (
        "CARDS",
        "<thinking>four friends</thinking>Here you go!\n~~~json\nCARDS\n~~~\nHappy teaching!",
    ),
    (
        "LESSON",
        "Of course! Let's dive in.\n\nLESSON\n\nFeel free to ask for more.",
    ),
    ("LESSON", "LESSON\n\n```\n\n```"),
    (
        "LESSON",
        "Version 1\n\n```json\nLESSON2\n```\n\nVersion 2\n\n```json\nLESSON\n```\n\nWhich do you prefer?",
    ),
    (
        "TEXT",
        "Great question! Here is your lesson:\n\n````markdown\nTEXT\n````\n\nFeel free to ask if anything is unclear.",
    ),
    ("TEXT", "<|assistant|>\nTEXT\n<|end|>"),
    ("TEXT", "<thinking>Plan it.</thinking>\n\n```md\nTEXT\n```"),
    ("TEXT", "[INST] Write a lesson. [/INST]\nTEXT</s>"),
    ("TEXT", "\u{feff}```markdown\r\nTEXT\r\n```\r\n"),
    ("TEXT", "◁think▷Hm.◁/think▷TEXT"),
];

#[test]
fn answers_that_were_held_out_come_out_as_meant_or_with_an_error() {
    let (meant, wrong) = tally(HELD_OUT);
    eprintln!(
        "{meant} of {} held-out answers came out as meant",
        HELD_OUT.len() * 3
    );
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// How many answers came out as meant, and which came out as something else without an
/// error.
fn tally(answers: &[(&str, &str)]) -> (usize, Vec<(String, Hint)>) {
    let (mut meant, mut wrong) = (0, Vec::new());
    for (document, pattern) in answers {
        let answer = odd(pattern);
        let document = odd(document);
        for hint in hints(&document) {
            match outcome(answer.as_bytes(), hint, &document) {
                Outcome::Meant => meant += 1,
                Outcome::Reported => {}
                Outcome::Wrong => wrong.push(((*pattern).to_owned(), hint)),
            }
        }
    }
    (meant, wrong)
}

fn odd(pattern: &str) -> String {
    pattern
        .replace("ITEM2", &ITEM.replace("most likely", "probable"))
        .replace("ITEM", ITEM)
        .replace("CARDS2", &CARDS.replace("pizza", "cake"))
        .replace("CARDS", CARDS)
        .replace("LESSON2", &LESSON.replace("faster", "quicker"))
        .replace("LESSON", LESSON)
        .replace("TEXT2", &TEXT.replace("faster", "quicker"))
        .replace("TEXT", TEXT)
}

#[test]
fn odd_answers_come_out_as_meant_or_with_an_error() {
    let (meant, wrong) = tally(ODD);
    eprintln!("{meant} of {} odd answers came out as meant", ODD.len() * 3);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_lonely_closing_tag_never_costs_a_paragraph() {
    for (text, hint, left) in [
        (
            LESSON.replace("At 100", "</think> At 100"),
            Hint::Json,
            "Heat makes the water move faster.",
        ),
        (
            LESSON.replace("\\n\\n- Bubbles", "\\n</think>\\n\\n- Bubbles"),
            Hint::Json,
            "At 100 °C it begins to boil.",
        ),
        (
            TEXT.replace("## Heat", "</think>\n\n## Heat"),
            Hint::Markdown,
            "This lesson shows when and why.",
        ),
    ] {
        let fixed = fix(text.as_bytes(), hint);
        let written = fixed.inspected.document.source().text();
        assert!(written.contains(left), "{written}");
    }
}

#[test]
fn fixing_comes_to_rest_on_long_runs_of_tags() {
    for unit in [
        "</think>",
        "<think></think>",
        "</think>\n",
        "<think>a</think> ",
        "</s>",
        "<|im_end|>\n",
    ] {
        for (before, after) in [
            ("# T\n\nWater boils.\n\n", ""),
            ("", "\n# T\n\nWater boils.\n"),
        ] {
            let text = format!("{before}{}{after}", unit.repeat(3_000));
            let fixed = fix(text.as_bytes(), Hint::Markdown);
            assert!(!fixed.capped, "{unit:?}");
        }
        let json = LESSON.replace(
            "Steam rises.\\n",
            &format!("{}\\n", unit.replace('\n', "\\n").repeat(500)),
        );
        assert!(!fix(json.as_bytes(), Hint::Json).capped, "{unit:?}");
    }
}

#[test]
fn a_fix_that_makes_a_file_unreadable_is_rolled_back() {
    for tail in [
        &b"\x00\x00\x00\x01\x00"[..],
        b"a\x00\x00\x00\x00\x00b\x00",
        b"\x01\x02\x03\x04\x05\x06",
    ] {
        let mut bytes = vec![0xff, 0xfe];
        bytes.extend_from_slice(tail);
        let fixed = fix(&bytes, Hint::Markdown);
        let before = crate::fixtures::inspect(&bytes, Hint::Markdown);
        let is_binary = |document: &redraft_gate::content::Document| {
            document.source().encoding() == redraft_text::encoding::Encoding::Binary
        };
        assert!(is_binary(&before.document) || !is_binary(&fixed.inspected.document));
    }
}
