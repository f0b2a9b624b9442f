//! Moving the keys of a bank: every key keeps its text, only options, keys and the letters
//! that name options change, and what depends on its order is left alone.

use std::collections::BTreeMap;
use std::fs;

use redraft_gate::content::Document;
use redraft_gate::edit::{self, Edit};
use redraft_gate::reading::Hint;
use redraft_gate::receipt::{self, Step};
use redraft_profiles::items::model::items;
use redraft_profiles::items::permute::{Rebalanced, rebalance};

use crate::fixtures::inspect;
use crate::reference_folder::data;

fn moved(text: &str, hint: Hint) -> (Document, Rebalanced, Document) {
    let before = inspect(text.as_bytes(), hint).document;
    let rebalanced = rebalance(&before).unwrap();
    let edits: Vec<Edit> = rebalanced
        .edits
        .iter()
        .map(|served| served.edit.clone())
        .collect();
    let source = before.source();
    let bytes = edit::apply(source.bytes(), source.version(), &edits).unwrap();
    let after = inspect(&bytes, hint).document;
    (before, rebalanced, after)
}

/// The options of each item and the text of its key.
fn read(document: &Document) -> Vec<(String, Vec<String>, Option<String>)> {
    items(document)
        .map(|view| {
            let options = view.option_texts().map(str::to_owned).collect();
            let key = view.correct().map(|key| view.option(key).to_owned());
            (view.id().to_owned(), options, key)
        })
        .collect()
}

fn positions(document: &Document) -> BTreeMap<(usize, usize), usize> {
    let mut positions = BTreeMap::new();
    for view in items(document) {
        if let Some(key) = view.correct() {
            *positions.entry((view.options().len(), key)).or_default() += 1;
        }
    }
    positions
}

/// Every key keeps its text, every option is still there, and nothing but the items that are
/// said to have moved has changed.
fn holds(before: &Document, rebalanced: &Rebalanced, after: &Document) {
    let (old, new) = (read(before), read(after));
    assert_eq!(old.len(), new.len());
    let mut expected = rebalanced.moved.iter().peekable();
    for (old, new) in old.iter().zip(&new) {
        assert_eq!(old.2, new.2, "{}", old.0);
        let mut options = old.1.clone();
        if let Some(key) = expected.next_if(|key| key.item == old.0) {
            options.swap(key.from, key.to);
            assert_ne!(key.from, key.to);
        }
        assert_eq!(options, new.1, "{}", old.0);
    }
    assert!(expected.peek().is_none());
    let step = Step {
        edits: rebalanced.edits.clone(),
    };
    let receipts = receipt::receipts(before, after, &[step]).unwrap();
    let receipts = serde_json::to_value(receipts).unwrap();
    receipt::verify(&receipts, before.source().bytes(), after.source().bytes()).unwrap();
}

const FRUIT: [&str; 12] = [
    "Mango", "Apple", "Papaya", "Cherry", "Lemon", "Banana", "Quince", "Apricot", "Melon", "Grape",
    "Plum", "Fig",
];

/// Four fruits in no order.
fn fruits(number: usize) -> [&'static str; 4] {
    const ORDERS: [[usize; 4]; 3] = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
    ORDERS[number % 3].map(|index| FRUIT[index])
}

/// A bank in which every key is the second option, in a form of an item; `{n}` is a number,
/// `{0}` to `{3}` are options.
fn bank(form: &str, size: usize) -> String {
    let items: Vec<String> = (0..size)
        .map(|number| {
            let mut item = form.replace("{n}", &number.to_string());
            for (index, fruit) in fruits(number).iter().enumerate() {
                item = item.replace(&format!("{{{index}}}"), fruit);
            }
            item
        })
        .collect();
    format!("[\n  {}\n]\n", items.join(",\n  "))
}

#[test]
fn keys_are_spread_evenly_in_every_form_of_item() {
    for form in [
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["{0}", "{1}", "{2}", "{3}"], "answer": "B", "explanation": "The {1} does. Option B is right, option A is not."}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["A. {0}", "B. {1}", "C. {2}", "D. {3}"], "answer": "B. {1}"}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["{0}", "{1}", "{2}", "{3}"], "answer_index": 1}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["{0}", "{1}", "{2}", "{3}"], "answer": "{1}", "answer_idx": "b"}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": {"A": "{0}", "B": "{1}", "C": "{2}", "D": "{3}"}, "correct": "(B)"}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "a": "{0}", "b": "{1}", "c": "{2}", "d": "{3}", "key": "b"}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "opa": "{0}", "opb": "{1}", "opc": "{2}", "opd": "{3}", "cop": "opb"}"#,
        r#"{"id": "q{n}", "stem": "Which grows in garden {n}?", "distractors": [{"text": "{0}", "isCorrect": false, "explanation": "Not here."}, {"text": "{1}", "isCorrect": true, "explanation": "It is here."}, {"text": "{2}", "isCorrect": false, "explanation": "Nor this."}, {"text": "{3}", "isCorrect": false, "explanation": "Nor that."}], "answerKey": "B"}"#,
        r#"{"id": "q{n}", "stem": "Which grows in garden {n}?", "options": [{"label": "A", "text": "{0}"}, {"label": "B", "text": "{1}"}, {"label": "C", "text": "{2}"}, {"label": "D", "text": "{3}"}], "correct_answer": "B"}"#,
        r#"{"id": "q{n}", "stem": "Which grows in garden {n}?", "options": [{"id": "x1", "text": "{0}"}, {"id": "x7", "text": "{1}"}, {"id": "x3", "text": "{2}"}, {"id": "x9", "text": "{3}"}], "correct_answer": "x7"}"#,
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "choices": {"label": ["A", "B", "C", "D"], "text": ["{0}", "{1}", "{2}", "{3}"]}, "answerKey": "B"}"#,
    ] {
        let text = bank(form, 40);
        let (before, rebalanced, after) = moved(&text, Hint::Json);
        assert_eq!(rebalanced.moved.len(), 30, "{form}: {:?}", rebalanced.kept);
        holds(&before, &rebalanced, &after);
        let expected: BTreeMap<_, _> = (0..4).map(|key| ((4, key), 10)).collect();
        assert_eq!(positions(&after), expected, "{form}");
        // The same again gives the same, and what is even stays as it is.
        let again = moved(&text, Hint::Json).2;
        assert_eq!(again.source().text(), after.source().text());
        assert!(moved(after.source().text(), Hint::Json).1.moved.is_empty());
    }
}

#[test]
fn letters_in_explanations_go_with_their_options() {
    let text = bank(
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["{0}", "{1}", "{2}", "{3}"], "answer": "B", "explanation": "The answer is B ({1}). Options A and C are wrong."}"#,
        40,
    );
    let (before, rebalanced, after) = moved(&text, Hint::Json);
    holds(&before, &rebalanced, &after);
    for key in &rebalanced.moved {
        let view = items(&after).find(|view| view.id() == key.item).unwrap();
        let explained = view.explanation()[0].text.to_string();
        let letter = char::from(b'A' + u8::try_from(key.to).unwrap());
        assert!(
            explained.starts_with(&format!("The answer is {letter} ({})", view.option(key.to))),
            "{explained}"
        );
    }
}

/// An address in an explanation does not hide the letters beside it.
#[test]
fn letters_beside_an_address_go_with_their_options() {
    let text = bank(
        r#"{"id": "q{n}", "question": "Which grows in garden {n}?", "options": ["{0}", "{1}", "{2}", "{3}"], "answer": "B", "explanation": "Ans: B. See https://example.org/garden for more."}"#,
        40,
    );
    let (before, rebalanced, after) = moved(&text, Hint::Json);
    holds(&before, &rebalanced, &after);
    assert!(!rebalanced.moved.is_empty());
    for key in &rebalanced.moved {
        let view = items(&after).find(|view| view.id() == key.item).unwrap();
        let letter = char::from(b'A' + u8::try_from(key.to).unwrap());
        let explained = view.explanation()[0].text.to_string();
        assert!(
            explained.starts_with(&format!("Ans: {letter}.")),
            "{explained}"
        );
    }
}

#[test]
fn what_depends_on_its_order_is_left_alone() {
    let item = |options: &str, more: &str| {
        format!(
            r#"{{"id": "q{{n}}", "question": "Which grows in garden {{n}}?", "options": [{options}], "answer": "B"{more}}}"#
        )
    };
    let by_place = [
        "The last two grow elsewhere.",
        "The former is a herb, the latter is not.",
        "The second and third are too tall.",
        "The middle options are weeds.",
        "The 2nd is right.",
        "It is listed second.",
        "Choice (ii) is right.",
        "Die letzten beiden wachsen woanders.",
        "Las dos últimas son malas hierbas.",
        "Les deux premières réponses sont fausses.",
        "Последние два варианта неверны.",
        "前两项都错。",
    ];
    let by_place = by_place.map(|said| {
        let more = format!(r#", "explanation": "{said}""#);
        item(r#""{0}", "{1}", "{2}", "{3}""#, &more)
    });
    let in_stem = item(r#""{0}", "{1}", "{2}", "{3}""#, "")
        .replace("Which grows", "Which of A, B and D grows");
    let forms = by_place.into_iter().chain([in_stem]);
    for form in forms.chain([
        item(r#""{0}", "{1}", "{2}", "All of the above""#, ""),
        item(r#""{0}", "{1}", "{2}", "None of these""#, ""),
        item(r#""{0}", "{1}", "{2}", "Both A and B""#, ""),
        item(r#""{0}", "{1}", "{2}", "A & C only""#, ""),
        item(r#""{0}", "{1}", "{2}", "Alle genannten""#, ""),
        item(r#""{0}", "{1}", "{2}", "Todas las anteriores""#, ""),
        item(r#""{0}", "{1}", "{2}", "Aucune de ces réponses""#, ""),
        item(r#""{0}", "{1}", "{2}", "Nenhuma das anteriores""#, ""),
        item(r#""{0}", "{1}", "{2}", "Все перечисленное""#, ""),
        item(r#""{0}", "{1}", "{2}", "以上都是""#, ""),
        item(r#""{0}", "{1}", "{2}", "Tutte le precedenti""#, ""),
        item(r#""{0}", "{1}", "{2}", "Żadna z powyższych""#, ""),
        item(r#""{0}", "{1}", "{2}", "上記すべて""#, ""),
        item(r#""{0}", "{1}", "{2}", "كل ما سبق""#, ""),
        item(r#""{0}", "{1}", "{2}", "위의 모든 것""#, ""),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "explanation": "Правильный ответ: Б.""#,
        ),
        item(r#""{0}", "{1}", "{2}", "The same as the first""#, ""),
        item(
            r#""{0}", "{1}", "{2}", "The opposite of the previous one""#,
            "",
        ),
        item(r#""{0}", "{1}", "{2}", "Nur die ersten beiden""#, ""),
        item(r#""Tertiary", "Primary", "{2}", "{3}""#, ""),
        item(r#""5 mg", "10 mg", "20 mg", "40 mg""#, ""),
        item(r#""{0} 2", "{1} 1", "{2}", "{3}""#, ""),
        item("5, 10, 20, 40", ""),
        item(r#""First {0}", "Second {0}", "Third {0}", "{1}""#, ""),
        item(r#""Mild", "Moderate", "Severe", "Fatal""#, ""),
        item(r#""Apple", "Banana", "Cherry", "Lemon""#, ""),
        item(r#""True", "False""#, ""),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "explanation": "B is right because it grows there.""#,
        ),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "explanation": "The second option is right.""#,
        ),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "explanation": {"A": "It does not.", "B": "It does."}"#,
        ),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "feedback_by_option": ["no", "yes", "no", "no"]"#,
        ),
        item(
            r#""{0}", "{1}", "{2}", "{3}""#,
            r#", "type": "multi_select""#,
        ),
        item(r#""{0}", "{1}", "{2}", "{3}""#, r#", "answer_index": 3"#),
    ]) {
        let text = bank(&form, 40);
        let (before, rebalanced, after) = moved(&text, Hint::Json);
        assert!(rebalanced.moved.is_empty(), "{form}");
        assert_eq!(before.source().text(), after.source().text(), "{form}");
        assert_eq!(rebalanced.kept.values().sum::<usize>(), 40, "{form}");
    }
}

#[test]
fn over_exam_items_every_key_keeps_its_text_and_no_special_item_is_touched() {
    let Some(folder) = data("medmcqa") else {
        return;
    };
    let text = fs::read_to_string(folder.join("medmcqa_dev_1500.jsonl")).unwrap();
    // Three quarters of the items with the key A are left, and others with it, so that many
    // keys have to move.
    let lines: Vec<&str> = text.lines().collect();
    let biased: Vec<&str> = lines
        .iter()
        .enumerate()
        .filter(|(index, line)| line.contains("\"answer\": \"A\"") || index % 4 == 0)
        .map(|(_, line)| *line)
        .collect();
    for text in [text.clone(), biased.join("\n")] {
        let (before, rebalanced, after) = moved(&text, Hint::JsonLines);
        assert!(!rebalanced.moved.is_empty());
        holds(&before, &rebalanced, &after);
        let special = |option: &str| {
            let lower = option.to_lowercase();
            let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
            ["all", "none", "both", "above", "neither"]
                .iter()
                .any(|word| words.contains(word))
        };
        for key in &rebalanced.moved {
            let view = items(&before).find(|view| view.id() == key.item).unwrap();
            assert!(!view.option_texts().any(special), "{}", key.item);
            let digits = view
                .option_texts()
                .filter(|option| option.contains(|c: char| c.is_ascii_digit()));
            assert!(digits.count() < 2, "{}", key.item);
        }
        println!(
            "{} moved, kept {:?}",
            rebalanced.moved.len(),
            rebalanced.kept
        );
    }
}
