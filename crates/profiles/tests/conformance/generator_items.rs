//! Items as text generators and public question banks write them: every name and form of
//! question, options and key is read, and nothing else is taken for an item.

use redraft_gate::finding::Severity;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::items::model::items;
use redraft_profiles::registry;

use crate::fixtures::{inspect, profile_of};
use crate::generator_forms::{BANKS, MORE, UNCERTAIN};

/// What is read of an item: its options and the right one.
fn read(json: &str) -> Vec<(Vec<String>, Option<usize>)> {
    let hint = if json.contains("}\n{") {
        Hint::JsonLines
    } else {
        Hint::Json
    };
    let inspected = inspect(json.as_bytes(), hint);
    items(&inspected.document)
        .map(|view| {
            (
                view.option_texts().map(str::to_owned).collect(),
                view.correct(),
            )
        })
        .collect()
}

const CITIES: [&str; 4] = ["Paris", "Rome", "Madrid", "Berlin"];

/// Each is one item about the capital of Italy.
const FORMS: &[&str] = &[
    r#"{"question": "Capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": "B"}"#,
    r#"{"question": "Capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": "Rome"}"#,
    r#"{"question": "Capital of Italy?", "options": ["A. Paris", "B. Rome", "C. Madrid", "D. Berlin"], "correct": "B. Rome"}"#,
    r#"{"question": "Capital of Italy?", "options": ["A) Paris", "B) Rome", "C) Madrid", "D) Berlin"], "answer": "B)"}"#,
    r#"{"question": "Capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "answer_index": 1}"#,
    r#"{"question": "Capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "key": "b"}"#,
    r#"{"question": "Capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "solution": "B"}"#,
    r#"{"question": "Capital of Italy?", "choices": ["Paris", "Rome", "Madrid", "Berlin"], "answer": "B", "solution": "Rome has been the capital of Italy since 1871."}"#,
    r#"{"question": "Capital of Italy?", "options": {"A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin"}, "correct_option": "B"}"#,
    r#"{"question": "Capital of Italy?", "options": {"a": "Paris", "b": "Rome", "c": "Madrid", "d": "Berlin"}, "correctOption": "B"}"#,
    r#"{"prompt": "Capital of Italy?", "alternatives": ["Paris", "Rome", "Madrid", "Berlin"], "correctAnswer": "Rome"}"#,
    r#"{"text": "Capital of Italy?", "answers": [{"text": "Paris", "correct": false}, {"text": "Rome", "correct": true}, {"text": "Madrid", "correct": false}, {"text": "Berlin", "correct": false}]}"#,
    r#"{"question": "Capital of Italy?", "answers": ["Paris", "Rome", "Madrid", "Berlin"], "correct_answer": "Rome"}"#,
    r#"{"question": "Capital of Italy?", "choices": [{"answer": "Paris"}, {"answer": "Rome", "isCorrect": true}, {"answer": "Madrid"}, {"answer": "Berlin"}]}"#,
    r#"{"question": "Capital of Italy?", "options": [{"id": "a", "text": "Paris"}, {"id": "b", "text": "Rome"}, {"id": "c", "text": "Madrid"}, {"id": "d", "text": "Berlin"}], "correct_answer": "b"}"#,
    r#"{"question": "Capital of Italy?", "options": [{"value": "a", "label": "Paris"}, {"value": "b", "label": "Rome"}, {"value": "c", "label": "Madrid"}, {"value": "d", "label": "Berlin"}], "answer": "b"}"#,
    r#"{"question": "Capital of Italy?", "A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin", "answer": "B"}"#,
    r#"{"question": "Capital of Italy?", "a": "Paris", "b": "Rome", "c": "Madrid", "d": "Berlin", "correct": "b"}"#,
    r#"{"question": "Capital of Italy?", "option_a": "Paris", "option_b": "Rome", "option_c": "Madrid", "option_d": "Berlin", "correct_option": "option_b"}"#,
    r#"{"question": "Capital of Italy?", "optionA": "Paris", "optionB": "Rome", "optionC": "Madrid", "optionD": "Berlin", "correctAnswer": "B"}"#,
    r#"{"question": "Capital of Italy?", "option1": "Paris", "option2": "Rome", "option3": "Madrid", "option4": "Berlin", "answer": "Rome"}"#,
    r#"{"id": "x", "question": "Capital of Italy?", "opa": "Paris", "opb": "Rome", "opc": "Madrid", "opd": "Berlin", "cop": "B", "choice_type": "single", "exp": "Rome is.", "subject_name": "Geography", "topic_name": null}"#,
    r#"{"exp": "Rome is.", "opd": "Berlin", "opa": "Paris", "cop": "b", "opc": "Madrid", "question": "Capital of Italy?", "opb": "Rome"}"#,
    r#"{"question": {"stem": "Capital of Italy?", "choices": [{"label": "A", "text": "Paris"}, {"label": "B", "text": "Rome"}, {"label": "C", "text": "Madrid"}, {"label": "D", "text": "Berlin"}]}, "answerKey": "B"}"#,
    r#"{"question": "Capital of Italy?", "choices": {"label": ["A", "B", "C", "D"], "text": ["Paris", "Rome", "Madrid", "Berlin"]}, "answerKey": "B"}"#,
    r#"{"question": "Capital of Italy?", "answer": "Rome", "options": {"A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin"}, "answer_idx": "B", "meta_info": "step1"}"#,
    r#"{"frage": "Hauptstadt Italiens?", "antwortmöglichkeiten": ["Paris", "Rome", "Madrid", "Berlin"], "richtige_antwort": "B"}"#,
    r#"{"pregunta": "¿Capital de Italia?", "opciones": {"a": "Paris", "b": "Rome", "c": "Madrid", "d": "Berlin"}, "respuesta_correcta": "b"}"#,
    r#"{"énoncé": "Capitale de l'Italie ?", "choix": ["Paris", "Rome", "Madrid", "Berlin"], "bonne_réponse": "B"}"#,
    r#"{"вопрос": "Столица Италии?", "варианты": ["Paris", "Rome", "Madrid", "Berlin"], "правильный_ответ": "Rome"}"#,
    r#"{"题目": "意大利的首都？", "选项": {"A": "Paris", "B": "Rome", "C": "Madrid", "D": "Berlin"}, "答案": "B"}"#,
];

#[test]
fn every_form_of_an_item_is_read() {
    let expected = vec![(CITIES.map(str::to_owned).to_vec(), Some(1))];
    for form in FORMS {
        assert_eq!(
            profile_of(form.as_bytes(), Hint::Json).id().0,
            "mcq",
            "{form}"
        );
        assert_eq!(read(form), expected, "{form}");
    }
}

#[test]
fn no_form_is_an_error_and_each_is_written_back_as_it_came() {
    for form in FORMS {
        let inspected = inspect(form.as_bytes(), Hint::Json);
        let errors: Vec<_> = inspected
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| (finding.check.name, &finding.message))
            .collect();
        assert!(errors.is_empty(), "{form}: {errors:?}");
        let document = &inspected.document;
        assert_eq!(document.source().text(), *form);
        // Every option can be edited where it stands.
        for view in items(document) {
            for (index, expected) in CITIES.iter().enumerate() {
                let field = view.option_field(index).unwrap();
                let range = field.map.source_span();
                assert!(form[range.clone()].ends_with(expected), "{form}");
                let component = document.component_at(range.start);
                assert_eq!(component.id.0, "options", "{form}");
            }
        }
    }
}

#[test]
fn the_right_option_may_stand_apart_from_the_wrong_ones() {
    for (form, key) in [
        (
            r#"{"question": "Capital of Italy?", "distractor3": "Berlin", "distractor1": "Paris", "distractor2": "Madrid", "correct_answer": "Rome", "support": "Rome has been the capital since 1871."}"#,
            3,
        ),
        (
            r#"{"question": "Capital of Italy?", "correct_answer": "Rome", "incorrect_answers": ["Paris", "Madrid", "Berlin"]}"#,
            0,
        ),
        (
            r#"{"question": "Capital of Italy?", "correct_answer": "Rome", "distractors": ["Paris", "Madrid", "Berlin"]}"#,
            0,
        ),
        (
            r#"{"question": "Capital of Italy?", "answer": "Rome", "wrong_answer_1": "Paris", "wrong_answer_2": "Madrid"}"#,
            0,
        ),
    ] {
        let read = read(form);
        assert_eq!(read.len(), 1, "{form}");
        assert_eq!(read[0].1, Some(key), "{form}");
        assert_eq!(read[0].0[key], "Rome", "{form}");
        assert!(read[0].0.len() >= 3, "{form}");
    }
    // Distractors with flags are all options, as in seed 004.
    let flagged = r#"{"stem": "Capital of Italy?", "distractors": [{"text": "Paris", "isCorrect": false}, {"text": "Rome", "isCorrect": true}], "answerKey": "Roma"}"#;
    assert_eq!(
        read(flagged),
        [(vec!["Paris".to_owned(), "Rome".to_owned()], None)]
    );
}

#[test]
fn banks_are_found_wherever_generators_put_them() {
    let item = FORMS[0];
    for bank in [
        format!("[{item}, {item}]"),
        format!("{item}\n{item}\n"),
        format!(r#"{{"questions": [{item}, {item}]}}"#),
        format!(r#"{{"quiz": [{item}, {item}]}}"#),
        format!(r#"{{"items": [{item}, {item}]}}"#),
        format!(r#"{{"data": [{item}, {item}]}}"#),
        format!(r#"{{"quiz": {{"title": "Capitals", "questions": [{item}, {item}]}}}}"#),
        format!(
            r#"{{"title": "Capitals", "sections": [{{"name": "One", "questions": [{item}]}}, {{"name": "Two", "questions": [{item}]}}]}}"#
        ),
        format!(r#"{{"q1": {item}, "q2": {item}}}"#),
        format!("```json\n[{item}, {item}]\n```"),
        format!(r#"{{"fragen": [{item}, {item}]}}"#),
        format!(r#"{{"train": [{item}], "validation": [{item}]}}"#),
        format!(r#"{{"questions": [{item}], "ours": [{item}]}}"#),
    ] {
        assert_eq!(read(&bank).len(), 2, "{bank}");
        assert!(read(&bank).iter().all(|(_, key)| *key == Some(1)), "{bank}");
    }
}

#[test]
fn a_bank_settles_what_its_numbers_count_from() {
    let bank = |keys: &[i64]| {
        let items: Vec<String> = keys
            .iter()
            .map(|key| format!(r#"{{"question": "Capital of Italy?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "correct": {key}}}"#))
            .collect();
        let keys: Vec<Option<usize>> = read(&format!("[{}]", items.join(",")))
            .into_iter()
            .map(|item| item.1)
            .collect();
        keys
    };
    assert_eq!(bank(&[0, 1, 3]), [Some(0), Some(1), Some(3)]);
    assert_eq!(bank(&[1, 2, 4]), [Some(0), Some(1), Some(3)]);
    assert_eq!(bank(&[1, 2, 3]), [None, None, None]);
    assert_eq!(bank(&[0, 4]), [None, None]);
}

#[test]
fn a_line_that_breaks_off_is_reported_in_its_own_item() {
    let bank = format!(
        "{}\n{{\"question\": \"Capital of Spain?\", \"options\": [\"Paris\",\n{}\n",
        FORMS[0], FORMS[0]
    );
    let inspected = inspect(bank.as_bytes(), Hint::JsonLines);
    let found = inspected.findings.iter();
    let mut cut = found.filter(|finding| finding.check.name == "truncated-content");
    let cut = cut.next().unwrap();
    assert_eq!(
        bank[..cut.span.range().start].lines().count(),
        2,
        "{}",
        cut.message
    );
    assert!(cut.component.0.starts_with("item_2"), "{}", cut.component.0);
}

/// What looks a little like items and is none.
#[test]
fn other_data_is_not_taken_for_items() {
    for json in [
        // Accepted answers, not options.
        r#"{"question": "Who wrote Faust?", "answers": ["Goethe", "Johann Wolfgang von Goethe"]}"#,
        r#"{"context": "Goethe wrote Faust.", "question": "Who wrote Faust?", "answers": {"text": ["Goethe"], "answer_start": [0]}}"#,
        r#"{"prompt": "Write a poem", "responses": ["One", "Two"]}"#,
        r#"{"prompt": "Write a poem", "chosen": "One", "rejected": "Two"}"#,
        r#"{"question": "Who wrote Faust?", "answer": "Goethe"}"#,
        r#"{"name": "tool", "options": {"verbose": true}}"#,
        r#"{"a": 1, "b": 2}"#,
    ] {
        let raw = reading::read_with(
            Source::new(json.as_bytes().to_vec()),
            Hint::Json,
            &registry::shapes(),
        );
        let profile = registry::recognise(&raw).map(|profile| profile.id().0);
        assert_eq!(profile, None, "{json}");
    }
    // A lesson with a quiz is a lesson.
    let lesson = format!(
        r#"{{"title": "Capitals", "intro": "Where governments sit.", "sections": [{{"title": "Europe", "content": "Rome is the capital of Italy."}}], "quiz": [{}]}}"#,
        FORMS[0]
    );
    assert_eq!(profile_of(lesson.as_bytes(), Hint::Json).id().0, "lesson");
}

#[test]
fn a_vignette_or_a_clinical_field_makes_an_item_clinical() {
    let options = r#""options": ["Paris", "Rome"], "answer": "B""#;
    for (fields, expected) in [
        (r#""stem": "Which?""#, "mcq"),
        (
            r#""scenario": "A manager plans a project.", "stem": "Which?""#,
            "mcq",
        ),
        (r#""vignette": null, "stem": "Which?""#, "mcq"),
        (r#""stem": "Which?", "subject": "Geography""#, "mcq"),
        (
            r#""vignette": "A man coughs.", "stem": "Which?""#,
            "clinical-mcq",
        ),
        (
            r#""stem": "Which?", "metadata": {"slo_ids": ["SLO1"]}"#,
            "clinical-mcq",
        ),
        (
            r#""stem": "Which?", "subject_name": "Gynaecology & Obstetrics""#,
            "clinical-mcq",
        ),
    ] {
        let item = format!("{{{fields}, {options}}}");
        assert_eq!(
            profile_of(item.as_bytes(), Hint::Json).id().0,
            expected,
            "{item}"
        );
        // One clinical item makes a bank clinical.
        let bank = format!(r#"[{{"stem": "Which?", {options}}}, {item}]"#);
        assert_eq!(
            profile_of(bank.as_bytes(), Hint::Json).id().0,
            expected,
            "{bank}"
        );
    }
}

#[test]
fn a_key_is_read_in_every_form_or_reported_as_uncertain() {
    assert!(MORE.len() >= 50 && UNCERTAIN.len() >= 25);
    for (form, expected) in MORE {
        let read = read(form);
        let [(options, Some(key))] = &read[..] else {
            panic!("{form}: {read:?}");
        };
        assert_eq!(options[*key], *expected, "{form}");
        assert_eq!(errors(form), [""; 0], "{form}");
    }
    for form in UNCERTAIN {
        assert!(!errors(form).is_empty(), "{form}: {:?}", read(form));
    }
}

/// Keys that are numbers among options that are numbers: the bank settles them, or nothing.
#[test]
fn numbers_among_numbers_follow_the_bank() {
    let bank = |items: &[(&str, &str)]| -> Vec<Option<usize>> {
        let items: Vec<String> = items
            .iter()
            .map(|(options, key)| {
                format!(r#"{{"question": "How many?", "options": {options}, "answer": {key}}}"#)
            })
            .collect();
        let read = read(&format!("[{}]", items.join(",")));
        read.into_iter().map(|item| item.1).collect()
    };
    let (numbers, words) = ("[2, 3, 4, 5]", r#"["a", "b", "c", "d"]"#);
    assert_eq!(bank(&[(numbers, "4"), (numbers, "3")]), [None, None]);
    // 30 is no position, so that the field holds texts.
    assert_eq!(
        bank(&[(numbers, "4"), ("[10, 20, 30]", "30")]),
        [Some(2), Some(2)]
    );
    // 0 among words is a position, so that the field counts.
    assert_eq!(bank(&[(numbers, "3"), (words, "0")]), [Some(3), Some(0)]);
    assert_eq!(bank(&[(numbers, "3"), (words, "4")]), [Some(2), Some(3)]);
    assert_eq!(bank(&[(numbers, r#""4""#)]), [Some(2)]);
}

/// Numbers that are labels of options, in a bank that shows that they are positions.
#[test]
fn numbers_that_are_labels_are_not_believed_where_the_bank_counts_otherwise() {
    let bank = |options: &str, keys: &[i64]| -> Vec<Option<usize>> {
        let items = keys.iter().map(|key| {
            format!(r#"{{"question": "Capital?", "options": {options}, "correct": {key}}}"#)
        });
        let items: Vec<String> = items.collect();
        let read = read(&format!("[{}]", items.join(",")));
        read.into_iter().map(|item| item.1).collect()
    };
    for options in [
        r#"["1) Paris", "2) Rome", "3) Madrid", "4) Berlin"]"#,
        r#"{"1": "Paris", "2": "Rome", "3": "Madrid", "4": "Berlin"}"#,
        r#"[{"id": 1, "text": "Paris"}, {"id": 2, "text": "Rome"}, {"id": 3, "text": "Madrid"}, {"id": 4, "text": "Berlin"}]"#,
    ] {
        assert_eq!(bank(options, &[1, 3]), [Some(0), Some(2)], "{options}");
        assert_eq!(
            bank(options, &[0, 1, 3]),
            [Some(0), None, None],
            "{options}"
        );
    }
    let numbered = |keys: &[(i64, &str)]| -> Vec<Option<usize>> {
        let items = keys.iter().map(|(key, more)| {
            format!(r#"{{"question": "Capital?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "key": {key}{more}}}"#)
        });
        let items: Vec<String> = items.collect();
        let read = read(&format!("[{}]", items.join(",")));
        read.into_iter().map(|item| item.1).collect()
    };
    // `key` numbers the items.
    let alone = [(1, ""), (2, ""), (3, ""), (4, "")];
    assert_eq!(numbered(&alone), [None; 4]);
    let beside = [
        (1, r#", "answer": "C""#),
        (2, r#", "answer": "A""#),
        (3, r#", "answer": "B""#),
    ];
    assert_eq!(numbered(&beside), [Some(2), Some(0), Some(1)]);
}

#[test]
fn a_number_beside_an_index_counts_as_the_index_shows() {
    let item = |answer: i64, index: i64| {
        format!(
            r#"{{"question": "Capital?", "options": ["Paris", "Rome", "Madrid", "Berlin"], "answer": {answer}, "answer_index": {index}}}"#
        )
    };
    let bank = format!("[{}, {}]", item(2, 1), item(3, 2));
    let keys: Vec<Option<usize>> = read(&bank).into_iter().map(|item| item.1).collect();
    assert_eq!(keys, [Some(1), Some(2)]);
}

fn errors(json: &str) -> Vec<String> {
    let findings = inspect(json.as_bytes(), Hint::Json).findings;
    let errors = findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    errors
        .map(|finding| format!("{}: {}", finding.check.name, finding.message))
        .collect()
}

#[test]
fn keys_are_read_together_or_left_open() {
    for (bank, expected) in BANKS {
        let right: Vec<Option<String>> = read(bank)
            .into_iter()
            .filter(|(options, _)| options.len() > 1)
            .map(|(options, key)| options.get(key?).cloned())
            .collect();
        let right: Vec<Option<&str>> = right.iter().map(Option::as_deref).collect();
        assert_eq!(right, *expected, "{bank}");
    }
}

#[test]
fn a_number_in_a_table_is_a_text_or_a_position_only_if_other_rows_say_so() {
    const HEAD: &str = "question,option a,option b,option c,answer\n";
    let rows = |keys: [&str; 2]| {
        let [number, other] = keys;
        format!(
            "{HEAD}How many sides has a triangle?,4,3,2,{number}\nWhich planet is red?,Mars,Venus,Earth,{other}\n"
        )
    };
    for (bank, expected) in [
        (
            format!(
                "{HEAD}How many sides has a triangle?,4,3,2,3\nHow many has a square?,2,3,4,3\n"
            ),
            vec![None, None],
        ),
        (rows(["3", "Mars"]), vec![Some("3"), Some("Mars")]),
        (rows(["3", "A"]), vec![Some("3"), Some("Mars")]),
        (rows(["3", "0"]), vec![None, Some("Mars")]),
        (rows(["2", "3"]), vec![Some("3"), Some("Earth")]),
    ] {
        let inspected = inspect(
            bank.as_bytes(),
            Hint::Bank(redraft_banks::BankFormat::Table),
        );
        let right: Vec<Option<&str>> = items(&inspected.document)
            .map(|view| Some(view.option(view.correct()?)))
            .collect();
        assert_eq!(right, expected, "{bank}");
    }
}
