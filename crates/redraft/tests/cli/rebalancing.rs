//! `check --fix-only`, `--against` and `--index-base` on question banks.

use serde_json::Value;

use crate::temp_folder::TempFolder;

/// A bank in which the key is always the second option.
fn bank(size: usize) -> String {
    const FRUIT: [[&str; 4]; 3] = [
        ["Mango", "Apple", "Papaya", "Cherry"],
        ["Lemon", "Banana", "Quince", "Apricot"],
        ["Melon", "Grape", "Plum", "Fig"],
    ];
    let items: Vec<String> = (0..size)
        .map(|number| {
            let [a, b, c, d] = FRUIT[number % 3];
            format!(
                r#"{{"id": "q{number}", "question": "Which fruit grows in the garden of house number {number}?", "options": ["{a}", "{b}", "{c}", "{d}"], "answer": "B", "explanation": "Option B is right."}}"#
            )
        })
        .collect();
    format!("[\n{}\n]\n", items.join(",\n"))
}

#[test]
fn key_positions_are_rebalanced_only_on_request_with_receipts_that_verify() {
    let original = bank(40);
    let folder = TempFolder::new(&[("bank.json", &original), ("original.json", &original)]);
    let plain = folder.run(&["check", "bank.json", "--fix"]);
    assert!(plain.stdout.contains("BNK001"), "{}", plain.stdout);
    assert_eq!(folder.read("bank.json"), original);
    let both = folder.run(&["check", "bank.json", "--fix", "--unsafe"]);
    assert_eq!(folder.read("bank.json"), original, "{}", both.stdout);
    let refused = folder.run(&["check", "bank.json", "--fix-only", "BNK001"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("add --unsafe"),
        "{}",
        refused.stderr
    );
    let diff = folder.run(&[
        "check",
        "bank.json",
        "--fix-only",
        "BNK001",
        "--unsafe",
        "--diff",
    ]);
    assert!(diff.stdout.contains("moved 30 keys"), "{}", diff.stdout);
    assert_eq!(folder.read("bank.json"), original);
    let run = folder.run(&[
        "check",
        "bank.json",
        "--fix-only",
        "BNK001",
        "--unsafe",
        "--format",
        "json",
    ]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let rebalanced = &report["documents"][0]["rebalanced"];
    assert_eq!(
        rebalanced["moved"].as_array().unwrap().len(),
        30,
        "{report}"
    );
    let first = &rebalanced["moved"][0];
    assert_eq!(first["from"], "B");
    let to = first["to"].as_str().unwrap();
    assert_eq!(first["letters"]["B"], to);
    assert_eq!(first["letters"][to], "B");
    let codes: Vec<&Value> = report["documents"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| &finding["code"])
        .collect();
    assert!(!codes.contains(&&Value::from("BNK001")), "{codes:?}");
    assert_ne!(folder.read("bank.json"), original);
    std::fs::write(folder.path("report.json"), &run.stdout).unwrap();
    let verified = folder.run(&[
        "verify",
        "bank.json",
        "original.json",
        "--receipts",
        "report.json",
    ]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    let again = folder.run(&["check", "bank.json", "--fix-only", "BNK001", "--unsafe"]);
    assert!(again.stdout.contains("nothing to move"), "{}", again.stdout);
}

#[test]
fn a_bank_that_is_not_utf_8_says_why_its_keys_stay() {
    let folder = TempFolder::new(&[]);
    let text = format!("\u{feff}{}", bank(40));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(folder.path("bank.json"), &utf16).unwrap();
    let wanted = ["--fix-only", "BNK001", "--unsafe", "--fix"];
    let run = folder.run(&[&["check", "bank.json"][..], &wanted].concat());
    assert_eq!(run.code, 2, "{}", run.stdout);
    let said = format!("{}{}", run.stdout, run.stderr);
    assert!(
        said.contains("not UTF-8; convert it first (TXT020)"),
        "{said}"
    );
    assert!(!said.contains("evenly enough"), "{said}");
    assert_eq!(std::fs::read(folder.path("bank.json")).unwrap(), utf16);
}

#[test]
fn one_check_s_fixes_can_be_applied_alone() {
    let text = "# Water\n\nWater boils at a hundred degrees<|im_end|>.\n\n## Heat\n\nHeat moves from warm to cold bodies <div onclick=\"x()\">now</div>.\n";
    let folder = TempFolder::new(&[("lesson.md", text)]);
    let unknown = folder.run(&["check", "lesson.md", "--fix-only", "BNK00"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.stderr.contains("unknown check"),
        "{}",
        unknown.stderr
    );
    let other = folder.run(&["check", "lesson.md", "--fix-only", "TXT001"]);
    assert_eq!(folder.read("lesson.md"), text, "{}", other.stdout);
}

#[test]
fn items_of_earlier_banks_are_found_again() {
    let earlier = r#"[{"id": "old1", "question": "Which hormone lowers the glucose level of the blood?", "options": ["Glucagon", "Insulin", "Cortisol"], "answer": "B"}]"#;
    let new = r#"[{"id": "n1", "question": "Which hormone lowers the glucose level of the blood?", "options": ["Insulin", "Cortisol", "Glucagon"], "answer": "A", "explanation": "It opens the way into the cells."}, {"id": "n2", "question": "Insulin is the hormone that lowers the glucose level of the blood. Where is it made?", "options": ["Liver", "Pancreas", "Kidney"], "answer": "B", "explanation": "In its islets."}]"#;
    let folder = TempFolder::new(&[
        ("earlier.json", earlier),
        ("new.json", new),
        ("notes.md", "# Notes\n\nWater boils.\n"),
    ]);
    let run = folder.run(&["check", "new.json", "--against", "earlier.json", "--all"]);
    for expected in [
        "this item is the same as old1 of earlier.json",
        "this gives away the answer of old1 of earlier.json",
    ] {
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(expected), "{}", run.stdout);
    }
    let none = folder.run(&["check", "new.json", "--against", "notes.md"]);
    assert_eq!(none.code, 2);
    assert!(
        none.stderr.contains("no multiple-choice items"),
        "{}",
        none.stderr
    );
}

#[test]
fn a_key_that_is_a_number_is_settled_by_the_option() {
    let item = r#"{"question": "Which planet is the largest?", "options": ["Mars", "Jupiter", "Venus", "Saturn"], "correct": 2, "explanation": "Jupiter has the most mass."}"#;
    let folder = TempFolder::new(&[("item.json", item)]);
    let open = folder.run(&["check", "item.json"]);
    assert_eq!(open.code, 1, "{}", open.stdout);
    assert!(open.stdout.contains("MCQ030"), "{}", open.stdout);
    let settled = folder.run(&["check", "item.json", "--index-base", "1"]);
    assert_eq!(settled.code, 0, "{}", settled.stdout);
    assert_eq!(
        folder
            .run(&["check", "item.json", "--index-base", "2"])
            .code,
        2
    );
}

#[test]
fn a_file_with_half_an_item_is_refused_with_what_was_understood() {
    let folder = TempFolder::new(&[
        (
            "question.json",
            r#"{"question": "Which planet is the largest?", "possibilities": ["Mars", "Jupiter"]}"#,
        ),
        (
            "options.json",
            r#"[{"riddle": "Which planet is the largest?", "options": ["Mars", "Jupiter"]}]"#,
        ),
    ]);
    for (file, expected) in [
        ("question.json", "a question in `question`, but no options"),
        ("options.json", "options in `options`, but no question"),
    ] {
        let run = folder.run(&["check", file]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}
