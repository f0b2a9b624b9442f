//! Measures the Mermaid module on diagrams that mermaid's own parser has
//! labelled: `$REDRAFT_DATA/mermaid/dev.jsonl`, or `../shared/data` beside the
//! repository. Without them it says so and passes. What repairs are worth in
//! mermaid's eyes is measured with the example `mermaid_rows`.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a measurement reads files and prints figures; the crate itself does neither"
)]

use std::path::PathBuf;

use redraft_mermaid::{Certainty, Repair, Verdict, examine};

#[test]
fn the_verdicts_agree_with_mermaid() {
    let folder = std::env::var_os("REDRAFT_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let Ok(rows) = std::fs::read_to_string(folder.join("mermaid/dev.jsonl")) else {
        println!("skipped: no reference data");
        return;
    };
    let (mut valid, mut invalid, mut alarms, mut hits, mut doubts) =
        (0usize, 0usize, 0usize, 0usize, 0usize);
    let (mut mendable, mut mended) = (0usize, 0usize);
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).expect("a row of JSON");
        let text = row["text"].as_str().expect("a text");
        let is_valid = row["valid"].as_bool().expect("a label");
        let examined = examine(text);
        let is_refused = matches!(examined.verdict, Verdict::Invalid(_));
        doubts += usize::from(matches!(examined.verdict, Verdict::Doubtful(_)));
        if is_valid {
            valid += 1;
            alarms += usize::from(is_refused);
            assert_eq!(
                examined.repair, None,
                "a valid diagram was changed: {}",
                row["id"]
            );
            continue;
        }
        invalid += 1;
        hits += usize::from(is_refused);
        let first = text.trim_start();
        if ["graph", "flowchart", "sequence", "class", "state"]
            .iter()
            .any(|word| first.starts_with(word))
        {
            mendable += 1;
            let is_certain = |repair: Repair| repair.certainty == Certainty::Certain;
            mended += usize::from(examined.repair.is_some_and(is_certain));
        }
    }
    let right = valid - alarms + hits;
    println!(
        "{} diagrams, {invalid} invalid: accuracy {right}/{}, recall {hits}/{invalid}, false alarms {alarms}/{valid}, doubtful {doubts}, repaired {mended}/{mendable}",
        valid + invalid,
        valid + invalid,
    );
    assert!(right * 1000 >= (valid + invalid) * 995);
    assert!(hits * 100 >= invalid * 98);
    assert!(alarms * 1000 <= valid * 2);
    // Only repairs that keep every node, edge and label are certain (ruling 47).
    assert!(mended * 10 >= mendable * 4);
}
