//! Judges and repairs diagrams in bulk: JSON rows with a `text` on standard
//! input, the same rows with `verdict`, `line`, `message` and, where there is
//! one, the `repaired` or `proposed` text on standard output. The time per diagram goes to
//! standard error. With mermaid's own parser on both ends this measures the
//! module:
//!
//! `cargo run --release -p redraft-text --example mermaid_rows < rows.jsonl`

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "a measurement needs a clock and a terminal; the crate itself has none"
)]

use std::time::Instant;

use redraft_mermaid::{Certainty, Verdict, examine};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    for line in std::io::stdin().lines() {
        let mut row: Value = serde_json::from_str(&line?)?;
        let text = row["text"].as_str().unwrap_or_default().to_owned();
        let start = Instant::now();
        let examined = examine(&text);
        let is_valid = examined.verdict == Verdict::Valid;
        times.push((start.elapsed().as_micros(), is_valid));
        let (name, diagnosis) = match examined.verdict {
            Verdict::Valid => ("valid", None),
            Verdict::Invalid(diagnosis) => ("invalid", Some(diagnosis)),
            Verdict::Doubtful(diagnosis) => ("doubtful", Some(diagnosis)),
            Verdict::Unknown => ("unknown", None),
        };
        row["verdict"] = name.into();
        if let Some(diagnosis) = diagnosis {
            row["line"] = diagnosis.line.into();
            row["message"] = diagnosis.message.into();
        }
        if let Some(repair) = examined.repair {
            let name = match repair.certainty {
                Certainty::Certain => "repaired",
                Certainty::Guess => "proposed",
            };
            row[name] = repair.apply(&text).into();
        }
        println!("{row}");
    }
    for (name, wanted) in [("valid", true), ("other", false)] {
        let mut micros: Vec<u128> = times
            .iter()
            .filter(|time| time.1 == wanted)
            .map(|time| time.0)
            .collect();
        micros.sort_unstable();
        if let (Some(median), Some(most)) = (micros.get(micros.len() / 2), micros.last()) {
            let mean = micros.iter().sum::<u128>() / micros.len() as u128;
            eprintln!(
                "{name}: {} diagrams, median {median} µs, mean {mean} µs, most {most} µs",
                micros.len()
            );
        }
    }
    Ok(())
}
