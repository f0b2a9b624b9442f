//! Cards, items and banks through `redraft refine`, as a user runs it, with
//! scripted replies.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use base64::Engine as _;
use redraft_gate::span::Version;
use serde_json::Value;

use crate::temp_folder::{KEY, Run, TempFolder, repository};

fn example(name: &str) -> String {
    fs::read_to_string(repository(&format!("examples/{name}"))).unwrap()
}

fn report(run: &Run, code: i32) -> Value {
    assert_eq!(run.code, code, "{}\n{}", run.stdout, run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The compressed cards of a row for a database.
pub(crate) fn unpacked(row: &Value) -> String {
    let packed = base64::engine::general_purpose::STANDARD
        .decode(row["cards_gzip"].as_str().unwrap())
        .unwrap();
    let mut cards = String::new();
    flate2::read::GzDecoder::new(packed.as_slice())
        .read_to_string(&mut cards)
        .unwrap();
    cards
}

/// An item whose second option is weak.
fn item(number: usize) -> String {
    example("refine-item.json")
        .replace("58-year-old", &format!("{}-year-old", 40 + number))
        .replace('\n', " ")
}

#[test]
fn the_cards_of_the_example_pass_and_are_ready_for_a_database() {
    let temp_folder = TempFolder::new(&[
        ("cards.json", &example("refine-cards.json")),
        ("replies.toml", &example("refine-cards-replies.toml")),
    ]);
    let arguments = [
        "refine",
        "cards.json",
        "--script",
        "replies.toml",
        "-o",
        "out.json",
        "--database",
        "row.json",
        "--format",
        "json",
    ];
    let report = report(&temp_folder.run(&arguments), 0);
    let document = &report["documents"][0];
    assert_eq!(document["status"], "accepted");
    assert_eq!(document["scripted"], true);
    let row: Value = serde_json::from_str(&temp_folder.read("row.json")).unwrap();
    let cards = unpacked(&row);
    let out = temp_folder.read("out.json");
    assert!(out.contains(&cards), "the very bytes of the plain cards");
    assert_eq!(serde_json::from_str::<Value>(&cards).unwrap(), row["cards"]);
    assert!(row["title"].is_string());
    // The first card passed and is as it was.
    let first = |text: &str| {
        text[text.find("card_001").unwrap()..text.find("card_002").unwrap()].to_owned()
    };
    assert_eq!(first(&out), first(&example("refine-cards.json")));
}

#[test]
fn cards_that_do_not_pass_are_not_written_for_a_database() {
    let replies = example("refine-cards-replies.toml").replace("round = 1\n", "round = 7\n");
    let temp_folder = TempFolder::new(&[
        ("cards.json", &example("refine-cards.json")),
        ("replies.toml", &replies),
    ]);
    let run = temp_folder.run(&[
        "refine",
        "cards.json",
        "--script",
        "replies.toml",
        "--database",
        "row.json",
    ]);
    assert_ne!(run.code, 0);
    assert!(
        run.stderr.contains("--database wrote nothing"),
        "{}",
        run.stderr
    );
    assert!(!temp_folder.path("row.json").exists());
}

#[test]
fn the_item_of_the_example_is_corrected_where_it_is_weakest() {
    let temp_folder = TempFolder::new(&[
        ("item.json", &example("refine-item.json")),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    let run = temp_folder.run(&[
        "refine",
        "item.json",
        "--script",
        "replies.toml",
        "--write",
        "--format",
        "json",
    ]);
    let document = report(&run, 0)["documents"][0].clone();
    assert_eq!(document["tasks"][0]["section_id"], "options");
    assert_eq!(document["tasks"].as_array().unwrap().len(), 1);
    let after = temp_folder.read("item.json");
    assert_eq!(
        after,
        example("refine-item.json")
            .replace("Vitamin C", "Doxazosin")
            .replace(
                "It is not known to cause a cough.",
                "Its usual complaint is dizziness on standing."
            )
    );
}

#[test]
fn an_institution_sets_threshold_and_weights_of_items() {
    let temp_folder = TempFolder::new(&[
        ("item.json", &example("refine-item.json")),
        ("replies.toml", &example("refine-item-replies.toml")),
        ("redraft.toml", ""),
    ]);
    let judged = |config: &str, code: i32| {
        fs::write(temp_folder.path("redraft.toml"), config).unwrap();
        let run = temp_folder.run(&[
            "judge",
            "item.json",
            "--script",
            "replies.toml",
            "--format",
            "json",
        ]);
        report(&run, code)["documents"][0]["score"]["overall"].clone()
    };
    assert_eq!(judged("", 3), 0.685);
    assert_eq!(judged("[institution]\nthreshold = 0.67\n", 0), 0.685);
    assert_eq!(
        judged("[institution.weights]\nclinical_accuracy = 2.3\n", 0),
        0.762
    );
    let run = {
        fs::write(
            temp_folder.path("redraft.toml"),
            "[institution]\nthreshold = 70\n",
        )
        .unwrap();
        temp_folder.run(&["judge", "item.json", "--script", "replies.toml"])
    };
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("redraft.toml:2: \"threshold\" must be"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_bank_is_refined_item_by_item_and_only_changed_items_change() {
    let good = item(3).replace("Vitamin C", "Losartan");
    let no_key = item(2)
        .replace("true", "false")
        .replace("\"answerKey\": \"A\",", "");
    let lines = format!("{}\n{}\n\n{}\n", item(1), no_key, good);
    let list = format!("[\n  {},\n  {},\n  {}\n]\n", item(1), no_key, good);
    for (name, bank) in [("bank.jsonl", lines), ("bank.json", list)] {
        let temp_folder = TempFolder::new(&[
            (name, &bank),
            ("replies.toml", &example("refine-item-replies.toml")),
        ]);
        let arguments = [
            "refine",
            name,
            "--script",
            "replies.toml",
            "--format",
            "json",
        ];
        let run = temp_folder.run(&[&arguments[..], &["-o", "out"]].concat());
        let first = report(&run, 3);
        let paths: Vec<&str> = first["documents"]
            .as_array()
            .unwrap()
            .iter()
            .map(|document| document["path"].as_str().unwrap())
            .collect();
        assert_eq!(
            paths,
            ["item_1", "item_2", "item_3"].map(|item| format!("{name}#{item}"))
        );
        // Nobody was paid for the item without a key.
        assert_eq!(first["documents"][1]["asked"], serde_json::json!({}));
        let summary = &first["banks"][0];
        assert_eq!(summary["items"], 3);
        assert_eq!(summary["corrected"], 1);
        let expected = bank.replacen("Vitamin C", "Doxazosin", 1).replacen(
            "It is not known to cause a cough.",
            "Its usual complaint is dizziness on standing.",
            1,
        );
        assert_eq!(temp_folder.read("out"), expected);
        // One receipt for the file.
        fs::write(temp_folder.path("report.json"), &run.stdout).unwrap();
        let verified = temp_folder.run(&["verify", "report.json", name]);
        assert_eq!(verified.code, 0, "{}", verified.stdout);
        assert!(
            verified.stdout.contains("changed: item_1"),
            "{}",
            verified.stdout
        );
        // Going on asks nobody again: the script has no replies any more.
        fs::write(
            temp_folder.path("replies.toml"),
            example("refine-item-replies.toml")
                .replace("[[reply]]\n", "[[reply]]\nfault = \"unauthorised\"\n"),
        )
        .unwrap();
        let again = report(
            &temp_folder.run(&[&arguments[..], &["--continue"]].concat()),
            3,
        );
        assert_eq!(again["banks"], first["banks"]);
        let journals = fs::read_dir(temp_folder.path(".redraft/runs")).unwrap();
        assert_eq!(journals.count(), 3);
    }
}

#[test]
fn what_is_no_item_of_a_bank_is_named_and_counted() {
    let bank = format!("{}\n\"a stray text\"\n17\n{}\n", item(1), item(3));
    let temp_folder = TempFolder::new(&[
        ("bank.jsonl", &bank),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    for command in ["judge", "refine"] {
        let run = temp_folder.run(&[
            command,
            "bank.jsonl",
            "--script",
            "replies.toml",
            "--format",
            "json",
        ]);
        let report = report(&run, 2);
        assert_eq!(report["documents"].as_array().unwrap().len(), 2);
        assert!(
            run.stderr
                .contains("bank.jsonl: 2 values are not items, on lines 2, 3"),
            "{}",
            run.stderr
        );
        if command == "refine" {
            assert_eq!(report["banks"][0]["items"], 2);
            assert_eq!(report["banks"][0]["not_items"], 2);
        }
    }
}

/// A reply for one text alone, before all others.
fn only_for(role: &str, item: &str, what: &str) -> String {
    let id = Version::of(item.as_bytes());
    format!("[[reply]]\nrole = \"{role}\"\ntext_id = \"{id}\"\n{what}\n\n")
}

#[test]
fn a_bank_that_is_killed_midway_goes_on_and_comes_to_the_same_bytes() {
    let items: Vec<String> = (1..=4).map(item).collect();
    let bank = items.join("\n") + "\n";
    let replies = example("refine-item-replies.toml");
    // Nobody answers the editor of the third item.
    let slow = only_for("patcher", &items[2], "delay_ms = 600000") + &replies;
    let killed = TempFolder::new(&[("bank.jsonl", &bank), ("replies.toml", &slow)]);
    let arguments = [
        "refine",
        "bank.jsonl",
        "--script",
        "replies.toml",
        "-j",
        "1",
        "-o",
        "out.jsonl",
    ];
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("redraft"))
        .env("REDRAFT_KEY", KEY)
        .current_dir(killed.path(""))
        .args(arguments)
        .args(["--format", "jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Two items are done, and of the third the judge's answer is on the disk.
    let done = BufReader::new(child.stdout.take().unwrap()).lines().take(2);
    let done: Vec<Value> = done
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect();
    assert_eq!(done[1]["path"], "bank.jsonl#item_2");
    let journals = |place: &TempFolder| -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = fs::read_dir(place.path(".redraft/runs"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                (
                    path.display().to_string(),
                    fs::read_to_string(path).unwrap(),
                )
            })
            .collect();
        all.sort();
        all
    };
    while !journals(&killed)
        .iter()
        .any(|(_, lines)| lines.contains("bank.jsonl#item_3") && lines.contains("\"reply\""))
    {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!killed.path("out.jsonl").exists());
    let before = journals(&killed);
    assert_eq!(before.len(), 3);
    // Whoever was asked about the first two items, or judged the third, would fail.
    let mut quick = String::new();
    for (role, of) in [("judge_secondary", &items[..3]), ("patcher", &items[..2])] {
        for item in of {
            quick += &only_for(role, item, "fault = \"unauthorised\"");
        }
    }
    fs::write(killed.path("replies.toml"), quick + &replies).unwrap();
    let told = ["--format", "json"];
    let again = report(
        &killed.run(&[&arguments[..], &told, &["--continue"]].concat()),
        0,
    );
    let after = journals(&killed);
    assert_eq!(after.len(), 4, "one run an item");
    for (path, lines) in &before {
        let is_done = !lines.contains("bank.jsonl#item_3");
        let now = &after.iter().find(|(known, _)| known == path).unwrap().1;
        assert!(now.starts_with(lines.as_str()), "{path} was written over");
        assert_eq!(now == lines, is_done, "{path}");
    }

    let whole = TempFolder::new(&[("bank.jsonl", &bank), ("replies.toml", &replies)]);
    let uninterrupted = report(&whole.run(&[&arguments[..], &told].concat()), 0);
    assert_eq!(killed.read("out.jsonl"), whole.read("out.jsonl"));
    assert_eq!(killed.read("out.jsonl").matches("Doxazosin").count(), 4);
    assert_eq!(again["banks"], uninterrupted["banks"]);
    for index in 0..4 {
        for name in [
            "path", "status", "asked", "score", "tasks", "receipts", "content",
        ] {
            assert_eq!(
                again["documents"][index][name],
                uninterrupted["documents"][index][name],
                "{name} of item {}",
                index + 1
            );
        }
    }
}

#[test]
fn a_bank_is_judged_item_by_item() {
    let bank = format!("{}\n{}\n", item(1), item(2));
    let temp_folder = TempFolder::new(&[
        ("bank.jsonl", &bank),
        ("replies.toml", &example("refine-item-replies.toml")),
    ]);
    let run = temp_folder.run(&[
        "judge",
        "bank.jsonl",
        "--script",
        "replies.toml",
        "--format",
        "json",
    ]);
    let report = report(&run, 3);
    assert_eq!(report["documents"].as_array().unwrap().len(), 2);
    assert_eq!(report["banks"], Value::Null);
    assert_eq!(temp_folder.read("bank.jsonl"), bank);
}
