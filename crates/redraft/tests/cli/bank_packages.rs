//! Banks in packages, workbooks and other encodings: read as they are, repaired where the
//! text stands, everything else byte for byte; and what the user says about columns and
//! shapes.

use std::fs;

use serde_json::Value;

use crate::temp_folder::{Run, TempFolder, repository};

/// A zip archive of stored files, as plain as there is.
pub(crate) fn zipped(members: &[(&str, &str)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let mut crc = flate2::Crc::new();
        crc.update(content.as_bytes());
        let size = u32::try_from(content.len()).unwrap();
        let mut head = vec![20, 0, 0, 0, 0, 0, 1, 2, 3, 4];
        head.extend(crc.sum().to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(size.to_le_bytes());
        head.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        head.extend([0, 0]);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&head);
        directory.extend([0; 10]);
        directory.extend(u32::try_from(out.len()).unwrap().to_le_bytes());
        directory.extend(name.as_bytes());
        out.extend(b"PK\x03\x04");
        out.extend(&head);
        out.extend(name.as_bytes());
        out.extend(content.as_bytes());
    }
    let start = u32::try_from(out.len()).unwrap();
    let length = u32::try_from(directory.len()).unwrap();
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

pub(crate) const QTI_2: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" title="T">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>A</value></correctResponse></responseDeclaration>
<itemBody><p>A 58-year-old man has had a dry <b>cough</b> for six weeks. It began a fortnight after a new tablet for his blood pressure.</p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><prompt>Which of his medicines is the most likely cause of the cough?</prompt>
<simpleChoice identifier="A">Ramipril</simpleChoice><simpleChoice identifier="B"><p>Vitamin C</p></simpleChoice><simpleChoice identifier="C">Amlodipine</simpleChoice><simpleChoice identifier="D">Simvastatin</simpleChoice></choiceInteraction></itemBody></assessmentItem>
"#;

/// Writes a text in an encoding.
type Encode<'a> = &'a dyn Fn(&str) -> Vec<u8>;

fn example(name: &str) -> String {
    fs::read_to_string(repository(&format!("examples/{name}"))).unwrap()
}

/// The replies of the example, for banks without feedback of options.
pub(crate) fn replies_without_feedback() -> String {
    let replies = example("refine-item-replies.toml");
    let start = replies.find("<<<<<<< SEARCH\nIt is not").unwrap();
    let end = start + replies[start..].find("REPLACE\n").unwrap() + "REPLACE\n".len();
    format!("{}{}", &replies[..start], &replies[end..])
}

fn json(run: &Run) -> Value {
    serde_json::from_str(&run.stdout)
        .unwrap_or_else(|_| unreachable!("{}\n{}", run.stdout, run.stderr))
}

/// Repairs a file in place and returns the report.
fn refined(temp_folder: &TempFolder, name: &str, more: &[&str]) -> Value {
    let mut arguments = vec!["refine", name, "--profile", "clinical-mcq"];
    arguments.extend(["--script", "replies.toml", "--format", "json"]);
    arguments.extend(more);
    let run = temp_folder.run(&arguments);
    assert_eq!(run.code, 0, "{name}: {}\n{}", run.stdout, run.stderr);
    fs::write(temp_folder.path("report.json"), &run.stdout).unwrap();
    json(&run)
}

#[test]
fn a_repair_of_a_package_leaves_every_other_file_as_it_is() {
    let temp_folder = TempFolder::new(&[
        ("item.json", &example("refine-item.json")),
        ("replies.toml", &replies_without_feedback()),
    ]);
    temp_folder.run(&["convert", "item.json", "-o", "bank.qti"]);
    let old = temp_folder.read("bank.qti");
    for (name, qti) in [("quiz.zip", old.as_str()), ("course.imscc", QTI_2)] {
        let others = [
            ("imsmanifest.xml", "<manifest/>"),
            ("a/image.png", "not really"),
        ];
        let package = |qti: &str| zipped(&[others[0], ("a/q.xml", qti), others[1]]);
        let before = package(qti);
        fs::write(temp_folder.path(name), &before).unwrap();
        fs::write(temp_folder.path("before.zip"), &before).unwrap();
        let report = refined(&temp_folder, name, &["--write"]);
        let after = fs::read(temp_folder.path(name)).unwrap();
        let expected = package(&qti.replacen("Vitamin C", "Doxazosin", 1));
        assert!(after == expected, "{name}");
        // The receipts name the item and the field, and hold for the package.
        let edit = &report["banks"][0]["receipts"]["edits"][0];
        let path = edit["path"].as_str().unwrap();
        assert!(path.ends_with("options[1].text"), "{edit}");
        assert_eq!(
            (&edit["removed"], &edit["inserted"]),
            (&"Vitamin C".into(), &"Doxazosin".into())
        );
        let run = temp_folder.run(&["verify", "report.json", "before.zip"]);
        assert_eq!(run.code, 0, "{name}: {}{}", run.stdout, run.stderr);
        let run = temp_folder.run(&["verify", name, "before.zip", "--receipts", "report.json"]);
        assert_eq!(run.code, 0, "{name}: {}{}", run.stdout, run.stderr);
        let run = temp_folder.run(&["report", "report.json", "-o", "page.html"]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        assert!(temp_folder.read("page.html").contains("Doxazosin"));
    }
}

#[test]
fn a_repair_is_written_in_the_encoding_of_the_file() {
    let temp_folder = TempFolder::new(&[("item.json", &example("refine-item.json"))]);
    fs::write(
        temp_folder.path("replies.toml"),
        example("refine-item-replies.toml"),
    )
    .unwrap();
    temp_folder.run(&["convert", "item.json", "-o", "bank.csv"]);
    temp_folder.run(&["convert", "item.json", "-o", "bank.xml"]);
    let csv = temp_folder
        .read("bank.csv")
        .replace("dry cough", "dry “cough” – säh");
    let xml = temp_folder
        .read("bank.xml")
        .replace("UTF-8", "windows-1252")
        .replace("dry cough", "dry “cough” – säh");
    let utf16 = |text: &str| -> Vec<u8> {
        let marked = format!("\u{feff}{text}");
        marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    let latin = |text: &str| -> Vec<u8> {
        let byte = |c: char| match c {
            '“' => 0x93,
            '”' => 0x94,
            '–' => 0x96,
            c => u8::try_from(u32::from(c)).unwrap(),
        };
        text.chars().map(byte).collect()
    };
    let crlf = csv.replace('\n', "\r\n");
    let encodings: [(&str, &str, Encode<'_>); 4] = [
        ("utf16.csv", &crlf, &utf16),
        ("utf16.txt", &csv, &utf16),
        ("latin.csv", &crlf, &latin),
        ("latin.xml", &xml, &latin),
    ];
    for (name, text, encode) in encodings {
        fs::write(temp_folder.path(name), encode(text)).unwrap();
        refined(&temp_folder, name, &["--write"]);
        let expected = text.replacen("Vitamin C", "Doxazosin", 1).replacen(
            "It is not known to cause a cough.",
            "Its usual complaint is dizziness on standing.",
            1,
        );
        let after = fs::read(temp_folder.path(name)).unwrap();
        assert!(after == encode(&expected), "{name}");
    }
}

#[test]
fn a_safe_fix_is_written_into_each_form() {
    let gift = "::q1:: Which gas do plants take in from the air\\: \u{7}carbon dioxide or oxygen? {=Carbon dioxide ~Oxygen ~Helium}\n";
    let temp_folder = TempFolder::new(&[("bank.gift", gift)]);
    let run = temp_folder.run(&["check", "bank.gift", "--fix", "--format", "json"]);
    let fixed = temp_folder.read("bank.gift");
    assert_eq!(fixed, gift.replace('\u{7}', ""), "{}", run.stderr);
    let qti = QTI_2.replace("likely cause", "likely \u{7}cause");
    let before = zipped(&[("q.xml", &qti), ("x.txt", "\u{7f}")]);
    fs::write(temp_folder.path("quiz.zip"), before).unwrap();
    let run = temp_folder.run(&["check", "quiz.zip", "--fix", "-o", "out.zip"]);
    let after = fs::read(temp_folder.path("out.zip")).unwrap();
    let expected = zipped(&[("q.xml", QTI_2), ("x.txt", "\u{7f}")]);
    assert!(after == expected, "{}\n{}", run.stdout, run.stderr);
    let run = temp_folder.run(&["check", "quiz.zip", "--fix", "-o", "out.xml"]);
    assert!(
        run.stdout.contains("is a package") || run.stderr.contains("is a package"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_not_read_beside_the_questions_is_named() {
    let temp_folder = TempFolder::new(&[("x", "")]);
    let package = zipped(&[
        ("a/q.xml", QTI_2),
        ("more/bank.gift", "Why? {=a ~b ~c}\n"),
        ("inner.zip", "PK"),
        ("page.html", "<p>A page</p>"),
    ]);
    fs::write(temp_folder.path("quiz.zip"), package).unwrap();
    let run = temp_folder.run(&["check", "quiz.zip", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let report = json(&run);
    let findings = report["documents"][0]["findings"].as_array().unwrap();
    let unread: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["name"] == "unread-file")
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(unread.len(), 3, "{findings:?}");
    for (message, name) in unread
        .iter()
        .zip(["more/bank.gift", "inner.zip", "page.html"])
    {
        assert!(message.contains(name), "{message}");
    }
    // A conversion leaves them out, and says so.
    let run = temp_folder.run(&["convert", "quiz.zip", "-o", "quiz.gift"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("left out: more/bank.gift"),
        "{}",
        run.stderr
    );
}

#[test]
fn broken_archives_are_refused_with_the_reason() {
    let bomb = " ".repeat(300_000);
    let cases: [(&str, Vec<u8>, &str); 5] = [
        (
            "path.zip",
            zipped(&[("../q.xml", QTI_2)]),
            "`../q.xml` in the archive would be unpacked outside",
        ),
        (
            "twice.zip",
            zipped(&[("q.xml", QTI_2), ("q.xml", QTI_2)]),
            "two files named `q.xml`",
        ),
        (
            "inner.zip",
            zipped(&[("a.zip", "PK")]),
            "another archive `a.zip`",
        ),
        (
            "cut.zip",
            zipped(&[("q.xml", QTI_2)])[..900].to_vec(),
            "the archive is damaged",
        ),
        (
            "bomb.zip",
            zipped(&[("q.xml", &bomb)]),
            "unpacks to more than 200000 bytes",
        ),
    ];
    let temp_folder = TempFolder::new(&[(
        "redraft.toml",
        "[limits]\nmax-bank-bytes = 200000\nmax-input-bytes = 200000\n",
    )]);
    for (name, bytes, expected) in cases {
        // The limit of the file itself is not what stops a bomb.
        let bytes = if name == "bomb.zip" {
            deflated("q.xml", &bomb)
        } else {
            bytes
        };
        fs::write(temp_folder.path(name), bytes).unwrap();
        let run = temp_folder.run(&["check", name]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(run.stderr.contains(expected), "{name}: {}", run.stderr);
    }
}

/// An archive of one compressed file.
fn deflated(name: &str, content: &str) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    let marks = "x".repeat(packed.len());
    let mut zip = zipped(&[(name, &marks)]);
    let mut crc = flate2::Crc::new();
    crc.update(content.as_bytes());
    let size = u32::try_from(content.len()).unwrap();
    let record = zip
        .windows(4)
        .position(|part| part == b"PK\x01\x02")
        .unwrap();
    for (at, shift) in [(0, 0), (record, 2)] {
        zip[at + shift + 8] = 8;
        zip[at + shift + 14..at + shift + 18].copy_from_slice(&crc.sum().to_le_bytes());
        zip[at + shift + 22..at + shift + 26].copy_from_slice(&size.to_le_bytes());
    }
    let data = 30 + name.len();
    zip[data..data + packed.len()].copy_from_slice(&packed);
    zip
}

#[test]
fn columns_are_understood_shown_and_named() {
    let table = "Nr;Der Text;Erste;Zweite;Dritte;Stimmt;Notiz\n7;Welches Gas nehmen Pflanzen auf?;Sauerstoff;Kohlendioxid;Sauerstoff;B;alt\n";
    let temp_folder = TempFolder::new(&[
        ("bank.csv", table),
        (
            "known.csv",
            "Question,A,B,C,Answer,Tag\nWhy is the sky blue?,x,y,z,B,t\n",
        ),
    ]);
    let run = temp_folder.run(&["check", "bank.csv"]);
    assert_eq!(run.code, 2);
    // What to write is worked out for this very table.
    let choice = "stem=Der Text,options=Erste..Dritte,key=Stimmt";
    let expected = format!("--columns \"{choice}\"");
    assert!(
        run.stderr.contains("`Der Text`, `Erste`") && run.stderr.contains(&expected),
        "{}",
        run.stderr
    );
    let run = temp_folder.run(&["check", "bank.csv", "--columns", choice]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stdout.contains("MCQ007 duplicate-options"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("columns: id = Nr; question = Der Text; options = Erste, Zweite, Dritte; key = Stimmt; not read: Notiz\n"),
        "{}",
        run.stdout
    );
    let run = temp_folder.run(&["convert", "bank.csv", "--preview", "--columns", choice]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for line in ["bank.csv: table, 1 item", "  B right     Kohlendioxid"] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
    let run = temp_folder.run(&["check", "known.csv"]);
    assert!(
        run.stdout.contains(
            "columns: question = Question; options = A, B, C; key = Answer; not read: Tag"
        ),
        "{}",
        run.stdout
    );
    let run = temp_folder.run(&["check", "bank.csv", "--columns", "stem=Frage"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("no column `Frage`; the table has `Nr`"),
        "{}",
        run.stderr
    );
    let run = temp_folder.run(&["check", "bank.csv", "--columns", "titel=Frage"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("unknown kind of column `titel`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_map_is_proposed_for_json_of_an_unknown_shape() {
    let bank = r#"{"data": {"questions": [{"frage_de": "Welches Gas nehmen Pflanzen auf?", "wahl": ["Sauerstoff", "Kohlendioxid", "Sauerstoff"], "loesung": "B"}]}}"#;
    let temp_folder = TempFolder::new(&[
        ("banks/ours.json", bank),
        ("redraft.toml", "language = \"de\"\n"),
        ("empty.json", "{\"a\": [1]}"),
        (
            "known.json",
            r#"[{"stem": "Why?", "options": ["a", "b", "c"], "answer": "A"}]"#,
        ),
    ]);
    assert_eq!(temp_folder.run(&["check", "banks/ours.json"]).code, 2);
    let run = temp_folder.run(&["init", "--from", "banks/ours.json", "--print"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let section = "[shapes.ours]\nfiles = [\"banks/ours.json\"]\nitems = \"data.questions[]\"\nstem = \"frage_de\"\noptions = \"wahl[]\"\nkey = \"loesung\"\n";
    assert_eq!(run.stdout, section);
    assert_eq!(temp_folder.read("redraft.toml"), "language = \"de\"\n");
    let run = temp_folder.run(&["init", "--from", "banks/ours.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("is read as mcq (1 item, 1 with a key)"),
        "{}",
        run.stderr
    );
    assert_eq!(
        temp_folder.read("redraft.toml"),
        format!("language = \"de\"\n\n{section}")
    );
    let run = temp_folder.run(&["check", "banks/ours.json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("duplicate-options"), "{}", run.stdout);
    for (name, code, expected) in [
        ("banks/ours.json", 0, "needs no map"),
        ("known.json", 0, "needs no map: it is read as mcq"),
        ("empty.json", 2, "write the map yourself"),
        ("missing.json", 2, "cannot read missing.json"),
    ] {
        let run = temp_folder.run(&["init", "--from", name]);
        assert_eq!(run.code, code, "{name}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{name}: {}", run.stderr);
    }
}

/// Sixty items whose key is always the first option.
fn biased() -> String {
    let words = [
        "river", "stone", "cloud", "lamp", "tiger", "apple", "engine", "violin", "copper",
        "winter", "garden", "bridge", "mirror",
    ];
    let items: Vec<Value> = (0..60)
        .map(|index| {
            let word = |shift: usize| words[(index * 5 + shift * shift * 3 + 1) % words.len()];
            serde_json::json!({
                "id": format!("q{index}"),
                "stem": format!("Which word stands for case {index} of the list, \"as is\"?"),
                "options": [word(0), word(1), word(2), word(4)],
                "answer_index": 0,
                "explanation": format!("It was chosen in case {index}."),
            })
        })
        .collect();
    serde_json::to_string(&items).unwrap()
}

/// The right answer of each item and all its options, sorted.
fn answers(temp_folder: &TempFolder, name: &str) -> Vec<(String, Vec<String>)> {
    let run = temp_folder.run(&["convert", name, "-o", "-", "--to", "json"]);
    json(&run)
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            let options = item["options"].as_array().unwrap();
            let text = |option: &Value| option["text"].as_str().unwrap().to_owned();
            let right = options.iter().find(|option| option["is_correct"] == true);
            let mut all: Vec<String> = options.iter().map(text).collect();
            all.sort();
            (text(right.unwrap()), all)
        })
        .collect()
}

#[test]
fn keys_are_moved_in_every_format_with_their_answers() {
    let temp_folder = TempFolder::new(&[("bank.json", &biased())]);
    let expected = answers(&temp_folder, "bank.json");
    for ending in ["gift", "xml", "qti", "csv", "tsv", "aiken"] {
        let name = format!("bank.{ending}");
        temp_folder.run(&["convert", "bank.json", "-o", &name]);
        let run = temp_folder.run(&["check", &name, "--fix-only", "BNK001", "--unsafe"]);
        assert!(
            run.stdout.contains("moved"),
            "{ending}: {}{}",
            run.stdout,
            run.stderr
        );
        assert!(
            !run.stdout.contains("moved no keys"),
            "{ending}: {}",
            run.stdout
        );
        assert_eq!(answers(&temp_folder, &name), expected, "{ending}");
        let report = json(&temp_folder.run(&["check", &name, "--format", "json"]));
        let positions = report["documents"][0]["bank"]["key_positions"].to_string();
        assert!(!positions.contains("60"), "{ending}: {positions}");
    }
}
