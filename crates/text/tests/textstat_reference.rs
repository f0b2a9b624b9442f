//! Measures the Flesch-Kincaid grade against textstat's own expectations:
//! `$REDRAFT_DATA/textstat`, or `../shared/data` beside the repository. Without
//! them it says so and passes.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a measurement reads files and prints figures; the crate itself does neither"
)]

use std::path::PathBuf;

use redraft_text::language::Language;
use redraft_text::markdown::analyse;
use redraft_text::readability::{EnglishWords, Figures, paragraphs};
use serde_json::Value;

/// Name of the text, and how many syllables we count more than textstat. Both
/// ask the CMU dictionary; for words that it does not know textstat hyphenates
/// and we count vowels. In the second case it reads `singersongwriter` and
/// `removepunctuation` as one word each and finds 72 syllables, while its own
/// count of syllables expects 74, as we do. All else agrees.
const CASES: [(&str, f64); 4] = [
    ("EASY_TEXT", 0.0),
    ("SHORT_TEXT", 0.0),
    ("PUNCT_TEXT", 2.0),
    ("LONG_TEXT", -1.0),
];

#[test]
fn the_grade_agrees_with_textstat() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("REDRAFT_DATA")
        .map_or(root, PathBuf::from)
        .join("textstat");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let (Some(texts), Some(cases)) = (read("resources.json"), read("cases.jsonl")) else {
        println!("skipped: no reference data");
        return;
    };
    let texts: Value = serde_json::from_str(&texts).expect("JSON");
    let mut wrong = Vec::new();
    for (name, more) in CASES {
        let expected = cases
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find(|case| {
                case["function"] == "flesch_kincaid_grade"
                    && case["args"]["text"]["resource"] == name
                    && case["args"]["lang"] == "en_US"
            })
            .and_then(|case| case["args"]["expected"].as_f64())
            .expect("an expected grade");
        let text = texts[name].as_str().expect("a text");
        let analysis = analyse(text);
        let prose = paragraphs(text, &analysis, Some(&Language::EN));
        let mut figures = Figures::default();
        figures.add(&prose);
        let mut english = EnglishWords::default();
        english.add(text, &analysis, &prose);
        let grade = figures.flesch_kincaid(english).expect("there are words");
        println!("{name}: {grade:.3}, textstat {expected}, {english:?}");
        #[expect(clippy::cast_precision_loss, reason = "no text has 2^52 words")]
        let of_syllables = 11.8 * more / english.words as f64;
        if (grade - of_syllables - expected).abs() > 0.001 {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
