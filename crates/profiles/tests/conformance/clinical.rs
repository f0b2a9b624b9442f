//! Items as a whole: the valid and the invalid item that seed 004 describes, every
//! shape, and exam items where the reference data is at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;

use redraft_gate::finding::{Finding, Severity};
use redraft_gate::fix::Inspected;
use redraft_gate::reading::Hint;
use redraft_profiles::items::bank::sheet::{Sheet, Use};
use redraft_profiles::items::model::{Bank, items};
use redraft_profiles::items::validation::{Field, validate};
use redraft_profiles::registry;

use crate::fixtures::{fix, inspect, inspect_with};
use crate::reference_folder::data;

/// An item like the valid one of seed 004: a case, five options with flags and
/// explanations, a key.
fn item(vignette: &str, key: &str) -> String {
    let options = [
        ("Myocardial infarction", true),
        ("Lung embolism", false),
        ("Torn aorta", false),
        ("Inflamed pericardium", false),
        ("Inflamed rib cartilage", false),
    ]
    .map(|(text, right)| {
        format!(
            r#"{{"text": "{text}", "isCorrect": {right}, "explanation": "The tracing decides."}}"#
        )
    });
    format!(
        r#"{{"vignette": "{vignette}", "stem": "Which of these is his most likely diagnosis?", "distractors": [{}], "answerKey": {key}, "explanation": "Raised segments and risk factors together decide it."}}"#,
        options.join(", ")
    )
}

const CASE: &str = "A woman of 45 comes with sudden chest pain that spreads to her left arm. She has high blood pressure and high cholesterol. The tracing shows raised segments in four leads.";

fn faults(json: &str) -> Vec<(Field, Severity)> {
    let inspected = inspect(json.as_bytes(), Hint::Json);
    validate(&inspected.document, &inspected.findings)
        .unwrap()
        .into_iter()
        .flat_map(|item| item.faults)
        .map(|(field, index)| (field, inspected.findings[index].severity))
        .collect()
}

#[test]
fn the_valid_item_of_the_seed_passes_and_the_invalid_one_names_vignette_and_key() {
    assert_eq!(faults(&item(CASE, r#""A""#)), []);
    assert_eq!(
        faults(&item("Short.", "null")),
        [
            (Field::Vignette, Severity::Error),
            (Field::AnswerKey, Severity::Error)
        ]
    );
}

#[test]
fn a_missing_key_is_derived_from_the_only_flag_and_never_otherwise() {
    let missing = item(CASE, "null");
    let fixed = fix(missing.as_bytes(), Hint::Json);
    assert_eq!(
        fixed.inspected.document.source().text(),
        item(CASE, r#""A""#)
    );
    for json in [
        missing.replace("true", "false"),
        missing.replacen("false", "true", 1),
        item(CASE, r#""C""#),
    ] {
        let fixed = fix(json.as_bytes(), Hint::Json);
        assert_eq!(fixed.inspected.document.source().text(), json);
    }
}

#[test]
fn the_model_points_at_the_texts_of_every_shape() {
    for (json, key) in [
        (item(CASE, r#""A""#), Some(0)),
        (
            // Fields in another order than they are read in.
            r#"{"rationale": "Why.", "correct_answer": "B", "options": [{"key": "A", "text": "One"}, {"key": "B", "text": "Two"}], "stem": "Which?", "vignette": "Case."}"#.to_owned(),
            Some(1),
        ),
        (
            r#"{"rationale": {"correct_explanation": "Why.", "distractor_explanations": {"A": "Not so.", "C": ["Nor so."]}}, "options": [{"reasoning": "No.", "is_correct": false, "text": "One", "label": "A"}, {"reasoning": "Yes.", "is_correct": true, "text": "Two", "label": "B"}], "stem": {"text": "Consider.", "lead_in": "Which?"}, "vignette": {"patient_presentation": "Case.", "lab_results": {"sodium": "It is low."}}}"#.to_owned(),
            Some(1),
        ),
        (
            r#"{"question": "Which?", "options": {"A": "One", "B": "Two"}, "answer": "Two"}"#.to_owned(),
            Some(1),
        ),
    ] {
        let inspected = inspect(json.as_bytes(), Hint::Json);
        let document = &inspected.document;
        assert!(document.model::<Bank>().is_some(), "{json}");
        let view = items(document).next().unwrap();
        assert_eq!(view.correct(), key, "{json}");
        let asked = view.lead_in().unwrap().text.to_string();
        assert!(asked.starts_with("Which"), "{asked}");
        for (index, option) in view.options().iter().enumerate() {
            let range = document.texts()[option.text.0 as usize].map.source_span();
            assert!(option.range.start <= range.start && range.end <= option.range.end);
            if json.contains("One") {
                assert_eq!(view.option(index), ["One", "Two"][index]);
            }
        }
        for part in [&view.item.vignette, &view.item.stem, &view.item.explanation] {
            for field in view.texts(part.as_ref()) {
                let (part, range) = (part.as_ref().unwrap(), field.map.source_span());
                assert!(part.range.start <= range.start && range.end <= part.range.end);
            }
        }
    }
}

/// The items of a large list are read one by one; what is found is the same as in
/// a small one.
#[test]
fn a_large_bank_is_read_as_a_small_one_is() {
    let items: Vec<String> = (0..40)
        .map(|number| item(&format!("Case {number}. {CASE}"), r#""B""#))
        .collect();
    let small = format!("[{}]", items.join(",\n"));
    let large = format!("[{}]", vec![items.join(",\n"); 40].join(",\n"));
    assert!(large.len() > 1 << 20);
    let names = |json: &str| {
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in inspect(json.as_bytes(), Hint::Json).findings {
            *names.entry(finding.check.name).or_default() += 1;
        }
        names
    };
    let (small, large) = (names(&small), names(&large));
    assert_eq!(small["answer-key-mismatch"], 40);
    assert_eq!(large["answer-key-mismatch"], 40 * 40);
}

#[test]
fn exam_items_have_few_errors() {
    let Some(folder) = data("medmcqa") else {
        return;
    };
    let bytes = fs::read(folder.join("medmcqa_dev_1500.jsonl")).unwrap();
    let inspected = inspect(&bytes, Hint::JsonLines);
    let validated = validate(&inspected.document, &inspected.findings).unwrap();
    let number = items(&inspected.document).count();
    let is_error =
        |&(_, index): &(Field, usize)| inspected.findings[index].severity == Severity::Error;
    let invalid = validated
        .iter()
        .filter(|item| item.faults.iter().any(is_error))
        .count();
    assert!(number >= 1_000);
    assert!(invalid * 20 <= number, "{invalid} of {number}");
}

#[test]
fn articles_that_give_the_key_away_are_found_among_cloze_items() {
    let Some(folder) = data("q_aacd") else { return };
    let table = fs::read_to_string(folder.join("q_aacd.csv")).unwrap();
    let rows: Vec<Vec<String>> = table.lines().skip(1).map(cells).collect();
    let bank: Vec<serde_json::Value> = rows
        .iter()
        .filter(|row| row.len() > 10)
        .map(|row| {
            serde_json::json!({"id": row[0], "stem": row[2], "options": [row[3], row[4], row[5], row[6]], "answer": "A"})
        })
        .collect();
    let bank = serde_json::to_string(&bank).unwrap();
    let inspected = inspect(bank.as_bytes(), Hint::Json);
    let found: Vec<&str> = inspected
        .findings
        .iter()
        .filter(|finding| finding.check.name == "grammatical-cue")
        .map(|finding| finding.component.0.split('/').next().unwrap())
        .collect();
    let (mut right, mut wanted) = (0, 0);
    for row in rows.iter().filter(|row| row.len() > 10) {
        if row[10].contains("a/an") {
            wanted += 1;
            right += usize::from(found.contains(&row[0].as_str()));
        }
    }
    assert_eq!(right, wanted);
    assert!(found.len() - right <= 3, "{found:?}");
}

/// The cells of a line of comma-separated values.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// Items that would take for ever if any check compared everything with everything.
/// The test takes minutes if one does.
#[test]
fn hostile_items_are_examined_in_linear_time() {
    let n = 100_000;
    let options = |option: &str| vec![format!("\"{option}\""); n].join(",");
    for (name, json) in [
        (
            "a stem of line breaks",
            format!(r#"{{"stem": "{}", "options": ["a", "b", "c"], "answer": "A"}}"#, "?\\n".repeat(n)),
        ),
        (
            "a stem of full stops",
            format!(r#"{{"stem": "A {}", "options": ["a", "b", "c"], "answer": "A"}}"#, ". ".repeat(n)),
        ),
        (
            "a long stem and a long key",
            format!(
                r#"{{"stem": "{0}", "options": ["{0}", "b", "c"], "answer": "A", "explanation": "{1}"}}"#,
                "following heartbeat not an ___ ".repeat(n / 10),
                "Ans: answer is ".repeat(n / 10)
            ),
        ),
        (
            "many options",
            format!(r#"{{"stem": "It is an", "options": [{}], "answer": "A"}}"#, options("1 and 2, 3")),
        ),
        (
            "many equal options in a bank",
            format!(r#"[{{"stem": "It is an", "options": [{}], "answer": "A"}}]"#, options("10-20 mg")),
        ),
        (
            "an option of many parts",
            format!(r#"{{"stem": "Which?", "options": ["{0}", "{0}", "{0}", "{0}"], "answer": "B"}}"#, "a, b and ".repeat(n / 5)),
        ),
        (
            "one item again and again",
            vec![r#"{"id": "x", "stem": "Which of the following is not true about an hour?", "options": ["a", "b", "c"], "answer": "A"}"#; n / 20].join("\n"),
        ),
    ] {
        let hint = if name.contains("again") { Hint::JsonLines } else { Hint::Json };
        let inspected = inspect(json.as_bytes(), hint);
        assert!(items(&inspected.document).next().is_some(), "{name}");
        for finding in &inspected.findings {
            let range = inspected.document.source().text_range(finding.span);
            assert!(inspected.document.source().text().get(range).is_some(), "{name}");
        }
    }
}

/// What is found in an item: check, severity, message and place relative to the item.
type Found = BTreeSet<(&'static str, Severity, String, usize, usize)>;

fn found(inspected: &Inspected, item: Range<usize>) -> Found {
    let findings = inspected.findings.iter();
    findings
        .filter(|finding| item.start <= finding.span.start && finding.span.end <= item.end)
        // What is only true of a bank, such as the same item twice.
        .filter(|finding| !finding.check.code.starts_with("BNK"))
        .map(|finding| {
            (
                finding.check.code,
                finding.severity,
                finding.message.clone(),
                finding.span.start - item.start,
                finding.span.end - item.start,
            )
        })
        .collect()
}

/// Compares the findings of each item alone with those of the item in a bank, and gives
/// how many items differ by check.
fn differences(items: &[String]) -> BTreeMap<&'static str, usize> {
    let bank = items.join("\n");
    let together = inspect(bank.as_bytes(), Hint::JsonLines);
    let mut differing: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut start = 0;
    for item in items {
        let alone = found(&inspect(item.as_bytes(), Hint::Json), 0..item.len());
        let in_bank = found(&together, start..start + item.len());
        start += item.len() + 1;
        let codes: BTreeSet<_> = alone.symmetric_difference(&in_bank).collect();
        let mut codes: Vec<_> = codes.into_iter().map(|found| found.0).collect();
        codes.dedup();
        for code in codes {
            *differing.entry(code).or_default() += 1;
        }
    }
    differing
}

#[test]
fn an_item_has_the_same_findings_alone_and_in_a_bank() {
    let good = item(CASE, r#""A""#);
    let mut items = vec![
        good.clone(),
        item("Short.", "null"),
        item(CASE, r#""C""#),
        good.replace("together decide it.", "together decide the"),
        good.replace("together decide it.", "together decide it"),
        good.replace(
            "together decide it.",
            "together decide it. I hope this helps!",
        ),
        good.replace("Torn aorta", "All of the above"),
        good.replace("Torn aorta", "TODO"),
        good.replace("sudden chest pain", "sudden **chest pain"),
        good.replace("Which of these is his", "Какой из этих диагнозов у него"),
        good.replace(
            "The tracing decides.",
            "Сегменты подняты, и это решает дело.",
        ),
        good.replace("high blood pressure", "high blo\u{43e}d pressure"),
        good.replace("Lung embolism", "Lung embolism</think>"),
        good.replace("Raised segments", "<think>Hm.</think>Raised segments"),
        r#"{"stem": "Which?", "options": []}"#.to_owned(),
        r#"{"question": "Why?", "options": {"A": "So.", "B": "No."}, "answer": "A"}"#.to_owned(),
    ];
    assert_eq!(differences(&items), BTreeMap::new());
    items.reverse();
    assert_eq!(differences(&items), BTreeMap::new());
}

#[test]
fn exam_items_have_the_same_findings_alone_and_in_a_bank() {
    let Some(folder) = data("medmcqa") else {
        return;
    };
    let text = fs::read_to_string(folder.join("medmcqa_dev_1500.jsonl")).unwrap();
    let items: Vec<String> = text.lines().take(400).map(str::to_owned).collect();
    assert_eq!(differences(&items), BTreeMap::new());
}

#[test]
fn every_line_of_a_bank_that_is_no_item_is_an_error_and_is_counted() {
    let good = item(CASE, r#""A""#);
    for (junk, not_read) in [
        ("Question two was left out.", 1),
        ("42", 1),
        ("null", 1),
        ("\"a text\"", 1),
        ("[]", 1),
        ("{\"note\": \"nothing\"}", 1),
        ("{\"stem\": \"Cut", 0),
        ("```json", 0),
        ("", 0),
    ] {
        let bank = format!("{good}\n{junk}\n{good}\n");
        let inspected = inspect(bank.as_bytes(), Hint::JsonLines);
        let at = good.len() + 1..good.len() + 1 + junk.len();
        let errors = inspected.findings.iter().filter(|finding| {
            finding.severity == Severity::Error
                && at.start <= finding.span.start
                && finding.span.end <= at.end
        });
        assert_eq!(errors.count() > 0, !junk.is_empty(), "{junk}");
        let bank = inspected.document.model::<Bank>().unwrap();
        assert_eq!(bank.not_items.len(), not_read, "{junk}");
        // Its errors are not those of the item before it.
        if not_read > 0 {
            let (document, findings) = (&inspected.document, &inspected.findings);
            let sheet = Sheet::of("bank.jsonl", document, findings, Use::Alone).unwrap();
            let worst = sheet.worst.iter().map(|item| item.errors).max();
            assert_eq!(worst.unwrap_or_default(), 0, "{junk}");
        }
    }
}

#[test]
fn content_without_an_item_is_an_error_where_items_are_expected() {
    let profile = registry::profile("clinical-mcq").unwrap();
    for (text, hint) in [
        ("# A lesson\n\nWater boils.\n", Hint::Markdown),
        ("", Hint::Json),
        ("[]", Hint::Json),
        ("{}", Hint::Json),
        ("{\"title\": \"T\"}", Hint::Json),
        ("[1, 2]", Hint::Json),
        ("\n\n", Hint::JsonLines),
        ("no item", Hint::JsonLines),
    ] {
        let found = inspect_with(profile.checks(), profile, text.into(), hint).findings;
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        assert!(found.iter().any(is_error), "{text:?}: {found:?}");
    }
}
