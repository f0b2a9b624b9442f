//! Question banks in the formats people have: the same items give the same findings in each,
//! repairs are written where the text stands, and broken files are told where.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::temp_folder::{Run, TempFolder, repository};

const ENDINGS: [&str; 8] = ["json", "jsonl", "gift", "xml", "qti", "csv", "tsv", "aiken"];

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|_| unreachable!("{}\n{}", run.stdout, run.stderr))
}

/// A question, an option that speaks of all others, and a long end of an option.
const WORDS: [(&str, &str, &str); 4] = [
    (
        "Which of these holds for the measured values in case",
        "All of the above",
        "because it was measured with great care by many people over many years",
    ),
    (
        "Welche dieser Aussagen gilt für die gemessenen Werte im Fall",
        "Alle genannten Antworten",
        "weil es von vielen Menschen über viele Jahre mit großer Sorgfalt gemessen wurde",
    ),
    (
        "Какое из этих утверждений верно для измеренных значений в случае",
        "Все перечисленные варианты",
        "потому что это много лет очень тщательно измеряли многие люди",
    ),
    (
        "下列哪一项对测量值成立，情况",
        "以上都是",
        "因为许多人多年来非常仔细地测量过它并且反复核对过每一个结果",
    ),
];

/// Items of several subjects and signs that the formats write in their own ways, some of
/// them flawed.
fn items(number: usize, language: usize) -> Vec<Value> {
    let (ask, all, because) = WORDS[language];
    (0..number)
        .map(|index| {
            let key = index * 7 % 4;
            let mut options = vec![
                format!("a force of {} N = F", index + 2),
                format!("about {} %, \"rounded\"", index + 3),
                format!("x < {} & y > 2", index + 4),
                format!("the set {{{index}}} ~ #1"),
            ];
            match index % 5 {
                1 => options[3] = options[1].clone(),
                2 => options[3] = all.to_owned(),
                3 => options[key] = format!("{} {because}", options[key]),
                _ => {}
            }
            serde_json::json!({
                "id": format!("q{index}"),
                "stem": format!("{ask} {index}: a/b = c, \"x\"?"),
                "options": options,
                "answer_index": key,
            })
        })
        .collect()
}

/// The findings of a bank by code and item, and its keys by position.
fn found(temp_folder: &TempFolder, name: &str) -> (BTreeSet<(String, String)>, Value) {
    let report = json(&temp_folder.run(&["check", name, "--format", "json"]));
    let document = &report["documents"][0];
    let findings = document["findings"].as_array().unwrap();
    let found = findings
        .iter()
        .map(|finding| {
            let component = finding["component"].as_str().unwrap();
            let item = component.split('/').next().unwrap();
            // Aiken has no ids, only an order.
            let item = item.replace("item_", "q");
            (finding["code"].as_str().unwrap().to_owned(), item)
        })
        .collect();
    (found, document["bank"]["key_positions"].clone())
}

#[test]
fn the_same_items_give_the_same_findings_in_every_format() {
    // In English all findings of two hundred items, in other languages of fewer.
    for (language, number) in [(0, 200), (1, 40), (2, 40), (3, 40)] {
        the_same_findings(language, number);
    }
}

fn the_same_findings(language: usize, number: usize) {
    let bank = serde_json::to_string_pretty(&items(number, language)).unwrap();
    let temp_folder = TempFolder::new(&[("bank.json", &bank)]);
    let (expected, positions) = found(&temp_folder, "bank.json");
    for code in ["MCQ007", "MCQ011", "MCQ012"] {
        assert!(
            expected.iter().any(|(found, _)| found == code),
            "{language}: {code} in {expected:?}"
        );
    }
    for ending in ENDINGS {
        let name = format!("again.{ending}");
        let run = temp_folder.run(&["convert", "bank.json", "-o", &name]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let (findings, again) = found(&temp_folder, &name);
        let findings: BTreeSet<(String, String)> = if ending == "aiken" {
            let renumbered = |item: &str| {
                item.strip_prefix('q')
                    .and_then(|number| number.parse::<usize>().ok())
                    .map_or(item.to_owned(), |number| format!("q{}", number - 1))
            };
            findings
                .iter()
                .map(|(code, item)| (code.clone(), renumbered(item)))
                .collect()
        } else {
            findings
        };
        let differing: Vec<_> = findings.symmetric_difference(&expected).collect();
        assert!(differing.is_empty(), "{language} {ending}: {differing:?}");
        assert_eq!(again, positions, "{language} {ending}");
    }
}

#[test]
fn a_repair_is_written_where_the_text_stands() {
    let example = |name: &str| fs::read_to_string(repository(&format!("examples/{name}"))).unwrap();
    let temp_folder = TempFolder::new(&[
        ("item.json", &example("refine-item.json")),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    for ending in ["gift", "xml", "qti", "csv", "tsv"] {
        let (name, out) = (format!("bank.{ending}"), format!("out.{ending}"));
        temp_folder.run(&["convert", "item.json", "-o", &name]);
        let before = temp_folder.read(&name).replace('\n', "\r\n");
        fs::write(temp_folder.path(&name), format!("\u{feff}{before}")).unwrap();
        let run = temp_folder.run(&[
            "refine",
            &name,
            "--profile",
            "clinical-mcq",
            "--script",
            "replies.toml",
            "-o",
            &out,
            "--format",
            "json",
        ]);
        assert_eq!(run.code, 0, "{ending}: {}\n{}", run.stdout, run.stderr);
        let expected = before.replacen("Vitamin C", "Doxazosin", 1).replacen(
            "It is not known to cause a cough.",
            "Its usual complaint is dizziness on standing.",
            1,
        );
        assert_eq!(
            temp_folder.read(&out),
            format!("\u{feff}{expected}"),
            "{ending}"
        );
        let told = run.stdout.replace("\": \"", "\":\"");
        for field in ["options[1].text", "options[1].feedback"] {
            // Of an item alone the field, of a bank the item and the field.
            let paths = ["", "item/"].map(|item| format!("\"path\":\"{item}{field}\""));
            assert!(
                paths.iter().any(|path| told.contains(path)),
                "{ending}: {field}: {told}"
            );
        }
        fs::write(temp_folder.path("report.json"), &run.stdout).unwrap();
        let verified = temp_folder.run(&["verify", "report.json", &name]);
        assert_eq!(
            verified.code, 0,
            "{ending}: {}\n{}",
            verified.stdout, verified.stderr
        );
    }
}

#[test]
fn broken_banks_are_told_where() {
    let cases = [
        (
            "open.gift",
            "Why? {=a ~b ~c\n\nNext? {=a ~b ~c}\n",
            "TXT039",
            "1:6",
        ),
        ("stray.gift", "Why }? {=a ~b ~c}\n", "TXT039", "1:5"),
        (
            "cut.xml",
            "<quiz><question type=\"multichoice\"><questiontext><text>Why?</text></questiontext>",
            "TXT039",
            "1:7",
        ),
        (
            "laughs.xml",
            "<!DOCTYPE quiz [<!ENTITY a \"aaaa\">]><quiz><question type=\"multichoice\"><questiontext><text>Why &a;?</text></questiontext><answer fraction=\"100\"><text>x</text></answer><answer fraction=\"0\"><text>y</text></answer><answer fraction=\"0\"><text>z</text></answer></question></quiz>",
            "TXT039",
            "1:1",
        ),
        (
            "tags.xml",
            "<quiz><question type=\"multichoice\"><questiontext><text>Why?</text></questiontext><answer fraction=\"100\"><text>x</text><answer fraction=\"0\"><text>y</text></answer></question></quiz>",
            "TXT039",
            "1:82",
        ),
        (
            "quote.csv",
            "question,a,b,c,key\nWhy?,\"x\" and,y,z,A\n",
            "TXT039",
            "2:10",
        ),
        (
            "open.csv",
            "question,a,b,c,key\nWhy?,\"x,y,z,A\nNext?,x,y,z,A\n",
            "TXT039",
            "2:6",
        ),
        (
            "noanswer.aiken",
            "Why?\nA. x\nB. y\nC. z\n\nNext?\nA. x\nB. y\nC. z\nANSWER: A\n",
            "TXT039",
            "1:1",
        ),
    ];
    for (name, text, code, place) in cases {
        let temp_folder = TempFolder::new(&[(name, text)]);
        let run = temp_folder.run(&["check", name]);
        assert_eq!(run.code, 1, "{name}: {}\n{}", run.stdout, run.stderr);
        assert!(
            run.stdout.contains(&format!("error[{code}")),
            "{name}: {}",
            run.stdout
        );
        assert!(
            run.stdout.contains(&format!("{name}:{place}")),
            "{name}: {}",
            run.stdout
        );
    }
}

#[test]
fn the_content_decides_what_a_bank_is() {
    let moodle = "<quiz><question type=\"multichoice\"><questiontext><text>Which gas do plants take in?</text></questiontext><answer fraction=\"100\"><text>Carbon dioxide</text></answer><answer fraction=\"50\"><text>Oxygen</text></answer><answer fraction=\"0\"><text>Helium</text></answer></question></quiz>";
    let gift = "Which gas do plants take in? {=Carbon dioxide ~%50%Oxygen ~Helium}\n";
    let table = "question,a,b,c,key\nWhich gas do plants take in?,Carbon dioxide,Oxygen,Helium,A\n";
    let aiken =
        "Which gas do plants take in?\nA. Carbon dioxide\nB. Oxygen\nC. Helium\nANSWER: A\n";
    let banks = [
        ("moodle-xml", moodle),
        ("gift", gift),
        ("table", table),
        ("aiken", aiken),
    ];
    for (format, bank) in banks {
        for ending in ["gift", "xml", "csv", "aiken", "txt"] {
            let name = format!("bank.{ending}");
            let temp_folder = TempFolder::new(&[(&name, bank)]);
            let run = temp_folder.run(&["convert", &name, "--preview"]);
            assert_eq!(run.code, 0, "{format} as {name}: {}", run.stderr);
            assert!(
                run.stdout.starts_with(&format!("{name}: {format}, 1 item")),
                "{format} as {name}: {}",
                run.stdout
            );
            assert!(
                run.stdout.contains("A right     Carbon dioxide"),
                "{}",
                run.stdout
            );
            assert!(!run.stdout.contains("B right"), "{}", run.stdout);
        }
    }
}

#[test]
fn xml_in_another_encoding_than_it_names_is_refused() {
    let temp_folder = TempFolder::new(&[]);
    let xml = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz><question type=\"multichoice\"><questiontext><text>W\xe4re es so?</text></questiontext></question></quiz>";
    fs::write(temp_folder.path("bank.xml"), xml).unwrap();
    let run = temp_folder.run(&["check", "bank.xml"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(
        run.stderr.contains("invalid UTF-8 at byte 95"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_a_conversion_would_lose_silently_is_kept() {
    let gift = "::gap:: Grant is {~buried =entombed ~%25%living} in Grant's tomb.\n";
    let table = "question,a,b,c,key\nWhich are metals?,iron,gold,wood,AB\n";
    let temp_folder = TempFolder::new(&[("bank.gift", gift), ("bank.csv", table)]);
    let run = temp_folder.run(&["convert", "bank.gift", "--to", "moodle-xml", "-o", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        "Grant is _____ in Grant's tomb.",
        "fraction=\"25\"",
        "<single>true</single>",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let run = temp_folder.run(&["convert", "bank.gift", "--to", "jsonl", "-o", "-"]);
    assert!(run.stderr.contains("lost: weights"), "{}", run.stderr);
    let run = temp_folder.run(&["convert", "bank.csv", "--to", "gift", "-o", "-"]);
    assert!(
        run.stdout.contains("~%50%iron\n~%50%gold\n~%-100%wood"),
        "{}",
        run.stdout
    );
}

#[test]
fn json_of_a_shape_of_ones_own_is_read_by_its_map() {
    let config = "[shapes.ours]\nfiles = [\"ours/*\"]\nitems = \"data.questions[]\"\nstem = \"q\"\noptions = \"wahl[]\"\nkey = \"loesung\"\n";
    let bank = r#"{"data": {"questions": [{"q": "Which gas do plants take in?", "wahl": ["Oxygen", "Carbon dioxide", "Oxygen", "Helium"], "loesung": "B"}]}}"#;
    let temp_folder = TempFolder::new(&[
        ("redraft.toml", config),
        ("ours/bank.json", bank),
        (
            "ours/other.json",
            "{\"data\": {\"questions\": [{\"frage\": 1}]}}",
        ),
    ]);
    let run = temp_folder.run(&["check", "ours/bank.json"]);
    assert_eq!(run.code, 1, "{}\n{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("MCQ007 duplicate-options"),
        "{}",
        run.stdout
    );
    let run = temp_folder.run(&["check", "ours/other.json"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(
        run.stderr
            .contains("has the shape `ours`, but it has nothing at `q`"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_a_conversion_loses_is_said() {
    let gift = "$CATEGORY: a\n\n::Q1:: Why? {=x #yes ~y ~z}\n\nTell. {}\n\n::Q2:: Two? {~%50%a ~%50%b ~%-100%c}\n";
    let temp_folder = TempFolder::new(&[("bank.gift", gift)]);
    let run = temp_folder.run(&["convert", "bank.gift", "-o", "bank.aiken"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for line in [
        "1 of 2 items written to bank.aiken",
        "lost: feedback of options",
        "left out: several right answers, which the format does not have: 1 item (Q2)",
        "left out: 1 question that is not multiple-choice",
        "lost: categories",
    ] {
        assert!(run.stderr.contains(line), "{line}\n{}", run.stderr);
    }
    let table = "Question,A,B,C,Points,Note\nWhy?,x,y,z,3,ask Ann\n";
    fs::write(temp_folder.path("bank.csv"), table).unwrap();
    let run = temp_folder.run(&["convert", "bank.csv", "-o", "again.gift"]);
    for line in [
        "left out: columns that are not read: Points, Note",
        "no key in the bank: 1 item",
    ] {
        assert!(run.stderr.contains(line), "{line}\n{}", run.stderr);
    }
    let run = temp_folder.run(&["convert", "bank.gift", "-o", "bank.docx"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("cannot tell the format from bank.docx; give --to FORMAT"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_repair_gives_a_text_the_quotes_it_needs() {
    let example = |name: &str| fs::read_to_string(repository(&format!("examples/{name}"))).unwrap();
    let old = "Its usual complaint is dizziness on standing.";
    let new = "Its usual complaint, \"dizziness\", = {comes} on standing.";
    let replies = example("refine-item-replies.toml").replace(old, new);
    let temp_folder = TempFolder::new(&[
        ("item.json", &example("refine-item.json")),
        ("replies.toml", &replies),
    ]);
    for (ending, written) in [
        (
            "csv",
            "\"Its usual complaint, \"\"dizziness\"\", = {comes} on standing.\"",
        ),
        (
            "tsv",
            "\"Its usual complaint, \"\"dizziness\"\", = {comes} on standing.\"",
        ),
        (
            "gift",
            "Its usual complaint, \"dizziness\", \\= \\{comes\\} on standing.",
        ),
    ] {
        let (name, out) = (format!("bank.{ending}"), format!("out.{ending}"));
        temp_folder.run(&["convert", "item.json", "-o", &name]);
        let run = temp_folder.run(&[
            "refine",
            &name,
            "--profile",
            "clinical-mcq",
            "--script",
            "replies.toml",
            "-o",
            &out,
        ]);
        assert_eq!(run.code, 0, "{ending}: {}\n{}", run.stdout, run.stderr);
        let expected = temp_folder
            .read(&name)
            .replacen("Vitamin C", "Doxazosin", 1)
            .replacen("It is not known to cause a cough.", written, 1);
        assert_eq!(temp_folder.read(&out), expected, "{ending}");
    }
}
