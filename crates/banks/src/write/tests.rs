//! Banks that are written, read again, and what is said to be lost.

use super::*;
use crate::cut;

fn item() -> PlainItem {
    let option = |text: &str, is_right, feedback: &str| PlainOption {
        text: text.to_owned(),
        is_right,
        feedback: feedback.to_owned(),
        weight: None,
    };
    PlainItem {
        is_numbered: false,
        is_undecided: false,
        id: "q::1".to_owned(),
        vignette: String::new(),
        stem: "Is 2 < 3 = {true}, \"yes\"; & why?".to_owned(),
        options: vec![
            option("=A, # ~", false, ""),
            option("Yes <b>", true, "Right {so}."),
            option("@no", false, "]]> no"),
        ],
        explanation: "Since 2 & 3\nare so.".to_owned(),
    }
}

#[test]
fn what_is_written_is_read_back() {
    for format in BankFormat::ALL {
        let written = write(&[item()], Target::Bank(format));
        assert_eq!(written.items, 1);
        let bank = cut(&written.text, format).unwrap();
        assert!(
            bank.troubles.is_empty(),
            "{format:?} {:?}\n{}",
            bank.troubles,
            written.text
        );
        assert_eq!(bank.questions.len(), 1);
        let json = bank.read(&written.text, &bank.questions[0].range);
        let root = json.root().unwrap();
        assert_eq!(
            root.get("stem").unwrap().as_str(),
            Some(item().stem.as_str()),
            "{format:?}\n{}",
            written.text
        );
        let options: Vec<_> = root
            .get("options")
            .unwrap()
            .items()
            .map(|option| option.get("text").unwrap().as_str().unwrap())
            .collect();
        let expected = ["=A, # ~", "Yes <b>", "@no"];
        assert_eq!(options, expected, "{format:?}\n{}", written.text);
        if format == BankFormat::Table {
            assert!(written.text.contains(",'@no,"), "{}", written.text);
        }
        let feedback: Vec<&str> = root
            .get("options")
            .unwrap()
            .items()
            .filter_map(|option| option.get("feedback")?.as_str())
            .collect();
        if format != BankFormat::Aiken {
            assert_eq!(feedback.len(), 2, "{format:?}\n{}", written.text);
            let explanation = root.get("explanation").unwrap().as_str().unwrap();
            assert_eq!(explanation, item().explanation, "{format:?}");
        }
    }
}

#[test]
fn what_a_format_cannot_hold_is_named() {
    let lost = |target| -> Vec<Loss> {
        write(&[item()], target)
            .losses
            .iter()
            .map(|(_, loss)| *loss)
            .collect()
    };
    assert_eq!(
        lost(Target::Bank(BankFormat::Aiken)),
        [Loss::Id, Loss::Feedback, Loss::Explanation]
    );
    assert_eq!(lost(Target::Bank(BankFormat::Table)), []);
    assert_eq!(lost(Target::Bank(BankFormat::Gift)), []);
    let mut weighted = item();
    weighted.options[0].weight = Some(3_333_333);
    for (target, expected) in [
        (Target::Bank(BankFormat::Gift), "~%33.33333%\\=A"),
        (Target::Bank(BankFormat::MoodleXml), "fraction=\"33.33333\""),
    ] {
        let written = write(&[weighted.clone()], target);
        assert!(written.text.contains(expected), "{}", written.text);
        assert_eq!(written.losses, []);
    }
    assert_eq!(
        write(&[weighted], Target::JsonLines).losses[0].1,
        Loss::Weights
    );
    let mut several = item();
    several.options[0].is_right = true;
    assert_eq!(write(&[several], Target::Tsv).items, 0);
}

#[test]
fn what_a_format_would_read_otherwise_is_written_as_text_or_left_out() {
    let with = |stem: &str, option: &str| {
        let mut item = item();
        item.stem = stem.to_owned();
        item.options[0].text = option.to_owned();
        item
    };
    // Aiken has no sign that says that a line is a text.
    for (stem, option) in [
        ("A. Smith found which element?", "x"),
        ("ANSWER: B means what?", "x"),
        ("Why?", " "),
    ] {
        let written = write(&[with(stem, option)], Target::Bank(BankFormat::Aiken));
        assert_eq!(written.items, 0, "{}", written.text);
        assert!(
            written
                .losses
                .iter()
                .any(|(_, loss)| *loss == Loss::Ambiguous)
        );
    }
    // GIFT has none for an option without a text.
    let written = write(&[with("Why?", " ")], Target::Bank(BankFormat::Gift));
    assert_eq!(written.losses[0].1, Loss::Ambiguous);
    for (stem, option) in [
        ("[html]<p>x</p>?", "%50% of it"),
        ("// is what?", "[plain]x"),
        ("'=x", "''=x"),
        ("-inf", "\t=x"),
        ("::a:: {b}", "-> c"),
    ] {
        for format in [
            BankFormat::Gift,
            BankFormat::MoodleXml,
            BankFormat::Qti,
            BankFormat::Table,
        ] {
            let written = write(&[with(stem, option)], Target::Bank(format)).text;
            let bank = cut(&written, format).unwrap();
            assert_eq!(bank.troubles, [], "{written}");
            let json = bank.read(&written, &bank.questions[0].range);
            let root = json.root().unwrap();
            assert_eq!(root.get("stem").unwrap().as_str(), Some(stem), "{written}");
            let options = root.get("options").unwrap();
            let first = options.items().next().unwrap();
            let text = first.get("text").unwrap();
            assert_eq!(text.as_str(), Some(option.trim()), "{written}");
        }
    }
}

#[test]
fn a_table_of_many_options_is_read_with_all_of_them() {
    let mut item = item();
    item.options = (0..26)
        .map(|number| PlainOption {
            text: format!("option number {number}"),
            is_right: number == 25,
            ..PlainOption::default()
        })
        .collect();
    let written = write(&[item], Target::Tsv).text;
    let bank = cut(&written, BankFormat::Table).unwrap();
    let json = bank.read(&written, &bank.questions[0].range);
    let root = json.root().unwrap();
    assert_eq!(root.get("options").unwrap().items().count(), 26);
    assert_eq!(root.get("correct_answer").unwrap().as_str(), Some("Z"));
}

#[test]
fn an_item_of_which_nobody_knows_the_answer_is_left_out() {
    let mut undecided = item();
    undecided.options[0].is_right = true;
    undecided.is_undecided = true;
    for target in [
        Target::Json,
        Target::Tsv,
        Target::Bank(BankFormat::Gift),
        Target::Bank(BankFormat::Qti),
    ] {
        let written = write(&[undecided.clone()], target);
        assert_eq!(written.items, 0);
        let losses: Vec<Loss> = written.losses.iter().map(|(_, loss)| *loss).collect();
        assert_eq!(losses, [Loss::Undecided]);
    }
}

#[test]
fn the_key_of_a_table_names_a_column_where_a_letter_may_mean_an_option() {
    for (first, expected) in [
        ("B", ",option B,"),
        ("E. coli", ",option B,"),
        ("Be", ",B,"),
    ] {
        let mut item = item();
        item.options[0].text = first.to_owned();
        item.options[1].text = "Yes".to_owned();
        let written = write(&[item], Target::Bank(BankFormat::Table));
        assert!(written.text.contains(expected), "{}", written.text);
    }
}
