//! Keys as people write them.

use super::*;

fn key(json: &str, options: &[(Option<&str>, &str)]) -> Reading {
    let scanned = redraft_text::json::scan(json, 0..json.len());
    let options: Vec<Labelled<'_>> = options
        .iter()
        .map(|(label, text)| Labelled {
            label: *label,
            text,
            words: text,
            ..Labelled::default()
        })
        .collect();
    let (name, value) = scanned.root().unwrap().members().next().unwrap();
    let (role, _) = names::role(&name.text).unwrap();
    read(KeyField::new(value, role), &options)
}

#[test]
fn a_key_is_read_as_people_write_it_and_never_guessed() {
    let plain = [(None, "Aspirin"), (None, "Heparin"), (None, "Warfarin")];
    let labelled = [
        (Some("A"), "Aspirin"),
        (Some("C"), "Heparin"),
        (Some("E"), "Warfarin"),
    ];
    let numbers = [(None, "2"), (None, "4"), (None, "6"), (None, "8")];
    let backwards = [(None, "D"), (None, "C"), (None, "B")];
    let unordered = [(Some("C"), "Aspirin"), (Some("A"), "Heparin")];
    let cyrillic = [
        (Some("А"), "Аспирин"),
        (Some("Б"), "Гепарин"),
        (Some("В"), "Варфарин"),
    ];
    for (json, options, expected) in [
        (r#"{"answerKey": "B"}"#, &plain[..], Key::One(1)),
        (r#"{"answerKey": "b)"}"#, &plain, Key::One(1)),
        (r#"{"answer": "(C)"}"#, &plain, Key::One(2)),
        (r#"{"answer": "'C'"}"#, &plain, Key::One(2)),
        (r#"{"answer": "Option A"}"#, &plain, Key::One(0)),
        (r#"{"respuesta": "Opción B"}"#, &plain, Key::One(1)),
        (r#"{"answer": "heparin"}"#, &plain, Key::One(1)),
        (r#"{"answer": "B. Heparin"}"#, &plain, Key::One(1)),
        (r#"{"answer": "B. Aspirin"}"#, &plain, Key::Unknown),
        (r#"{"answer": "D"}"#, &plain, Key::Unknown),
        (r#"{"answer": "Morphine"}"#, &plain, Key::Unknown),
        (r#"{"answer": ""}"#, &plain, Key::Missing),
        (r#"{"answer": null}"#, &plain, Key::Missing),
        (r#"{"answer": 4}"#, &plain, Key::Unknown),
        (r#"{"answer": -1}"#, &plain, Key::Unknown),
        (r#"{"answer": "C"}"#, &labelled, Key::One(1)),
        (r#"{"answer": "B"}"#, &labelled, Key::Unknown),
        (r#"{"answer": ["A"]}"#, &plain, Key::One(0)),
        (r#"{"answer": {"label": "A"}}"#, &plain, Key::One(0)),
        (r#"{"answer": ["A", "B"]}"#, &plain, Key::Several),
        (r#"{"answer": "A, C"}"#, &plain, Key::Several),
        (r#"{"answer": "AC"}"#, &plain, Key::Several),
        (r#"{"answer": "A、C"}"#, &plain, Key::Several),
        (r#"{"answer": "CA"}"#, &plain, Key::Unknown),
        (r#"{"answer": "AZ"}"#, &plain, Key::Unknown),
        (r#"{"answer": []}"#, &plain, Key::Missing),
        (r#"{"answer": ["B", "B"]}"#, &plain, Key::One(1)),
        (r#"{"answer": ["B", "heparin"]}"#, &plain, Key::One(1)),
        (r#"{"answer": ["A", "Z"]}"#, &plain, Key::Unknown),
        (
            r#"{"answer": ["Aspirin", "Morphine"]}"#,
            &plain,
            Key::Unknown,
        ),
        (r#"{"answer": [0, 9]}"#, &plain, Key::Unknown),
        (r#"{"answer": "A and Q"}"#, &plain, Key::Unknown),
        (r#"{"answer": "B und C"}"#, &plain, Key::Several),
        (r#"{"answer": "A e C"}"#, &plain, Key::Several),
        (r#"{"answer": "A, E"}"#, &plain, Key::Unknown),
        (r#"{"respuesta": "a y b"}"#, &plain, Key::Several),
        (r#"{"resposta": "a e c"}"#, &plain, Key::Several),
        (r#"{"answer": "1 und 3"}"#, &plain, Key::Several),
        (r#"{"answer": "1 & 3"}"#, &plain, Key::Several),
        (r#"{"answer": "1, 3"}"#, &plain, Key::Several),
        (r#"{"answer": "1 and 9"}"#, &plain, Key::Unknown),
        (r#"{"answer": "1/2"}"#, &plain, Key::Unknown),
        (r#"{"answer": "1,3"}"#, &plain, Key::Unknown),
        (r#"{"answer": "1 or 3"}"#, &plain, Key::Unknown),
        (r#"{"gabarito": "Letra B"}"#, &plain, Key::One(1)),
        (r#"{"gabarito": "Alternativa C"}"#, &plain, Key::One(2)),
        (r#"{"answer": "Letter B"}"#, &plain, Key::One(1)),
        (r#"{"answer": "a, c"}"#, &plain, Key::Several),
        (r#"{"answer": {"reason": "x"}}"#, &plain, Key::Unknown),
        (
            r#"{"answer": {"correct": "Morphine"}}"#,
            &plain,
            Key::Unknown,
        ),
        (r#"{"answer": "**B**"}"#, &plain, Key::One(1)),
        (r#"{"answer": "option_b"}"#, &plain, Key::One(1)),
        (r#"{"answer": "B – Heparin"}"#, &plain, Key::One(1)),
        (r#"{"answer": "Ｂ"}"#, &plain, Key::One(1)),
        (r#"{"answer": "②"}"#, &plain, Key::One(1)),
        (r#"{"answer": "В"}"#, &plain, Key::Unknown),
        (r#"{"ответ": "Б"}"#, &cyrillic, Key::One(1)),
        (r#"{"ответ": "Вариант в)"}"#, &cyrillic, Key::One(2)),
        (r#"{"ответ": "B"}"#, &cyrillic, Key::Unknown),
        (r#"{"answer": 8}"#, &numbers, Key::One(3)),
        (r#"{"answer": "8"}"#, &numbers, Key::One(3)),
        (r#"{"answer": "B or C"}"#, &plain, Key::Unknown),
        (r#"{"answer": "A oder C"}"#, &plain, Key::Unknown),
        (r#"{"answer": "C"}"#, &backwards, Key::Ambiguous),
        (r#"{"answer": "D"}"#, &backwards, Key::One(0)),
        (r#"{"answer": [false, true, false]}"#, &plain, Key::One(1)),
        (r#"{"answer": [0, 0, 1]}"#, &plain, Key::One(2)),
        (r#"{"answer": [1, 0, 1]}"#, &plain, Key::Several),
        (r#"{"answer": [false, false, false]}"#, &plain, Key::Missing),
        (r#"{"answer_index": 1}"#, &unordered, Key::Ambiguous),
    ] {
        assert_eq!(key(json, options), Reading::Key(expected), "{json}");
    }
}

#[test]
fn a_row_of_digits_flags_the_options_or_is_no_key() {
    let plain = [(None, "Aspirin"), (None, "Heparin"), (None, "Warfarin")];
    let numbers = [(None, "2"), (None, "4"), (None, "6"), (None, "8")];
    for (json, options, expected) in [
        (r#"{"answer": "0 1 0"}"#, &plain[..], Key::One(1)),
        (r#"{"answer": "0, 0, 1, 0"}"#, &numbers, Key::One(2)),
        (r#"{"answer": "1 0 0 0"}"#, &plain, Key::Unknown),
        (r#"{"answer": "0 1 1"}"#, &plain, Key::Unknown),
        (r#"{"answer": "2 2 3"}"#, &plain, Key::Unknown),
    ] {
        assert_eq!(key(json, options), Reading::Key(expected), "{json}");
    }
}

#[test]
fn a_key_that_is_a_number_stays_one_until_the_bank_tells_its_base() {
    let plain = [(None, "Aspirin"), (None, "Heparin"), (None, "Warfarin")];
    let numbers = [(None, "2"), (None, "4"), (None, "6"), (None, "8")];
    for (json, number) in [
        (r#"{"answer": 0}"#, 0),
        (r#"{"answer": "1"}"#, 1),
        (r#"{"answer": 3}"#, 3),
        (r#"{"answer_index": 2}"#, 2),
    ] {
        assert_eq!(key(json, &plain), Reading::Number(number), "{json}");
    }
    assert_eq!(key(r#"{"answer_index": 2}"#, &numbers), Reading::Number(2));
    for json in [r#"{"answer": 4}"#, r#"{"answer": "4"}"#] {
        assert_eq!(key(json, &numbers), Reading::NumberOrText(4, 1), "{json}");
    }
}
