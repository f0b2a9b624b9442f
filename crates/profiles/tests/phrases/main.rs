//! The phrase checks from the outside, on texts that the phrase lists do not hold.
//! Of each file a hash of the text decides which half was used to write the
//! patterns; the other half measures them.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod chat;
mod placeholders;
mod refusals;

use std::path::Path;

use redraft_gate::companion::Companions;
use redraft_gate::examine::{self, Settings};
use redraft_gate::finding::Severity;
use redraft_gate::profile::GateProfile;
use redraft_gate::reading::{self, Hint};
use redraft_gate::source::Source;
use redraft_profiles::registry;

/// The severities of what one check finds.
fn severities(profile: &dyn GateProfile, text: &str, hint: Hint, check: &str) -> Vec<Severity> {
    let raw = reading::read(Source::new(text.as_bytes().to_vec()), hint);
    let companions = Companions::default();
    let document = profile.parse(raw, companions.expected_language().copied());
    let checks: Vec<_> = profile
        .checks()
        .iter()
        .copied()
        .filter(|known| known.name == check)
        .collect();
    let settings = Settings {
        parameters: profile.parameters().clone(),
        known_checks: registry::all_checks(),
        ..Settings::default()
    };
    examine::examine(&checks, &document, &companions, &settings)
        .findings
        .iter()
        .map(|finding| finding.severity)
        .collect()
}

/// The sections of a file, with their lines.
fn sections(file: &str) -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/phrases")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("== ") {
            Some(name) => sections.push((name.to_owned(), Vec::new())),
            None if line.is_empty() || line.starts_with("# ") => {}
            None => sections.last_mut().unwrap().1.push(line.to_owned()),
        }
    }
    sections
}

/// FNV-1a: which half a text is in must not depend on the version of a library.
fn is_held_out(text: &str) -> bool {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash >> 32) % 2 == 1
}

/// The share of texts that are found, with those that are not.
#[derive(Default)]
struct Recall {
    all: usize,
    missed: Vec<String>,
}

impl Recall {
    fn add(&mut self, text: &str, is_found: bool) {
        self.all += 1;
        if !is_found {
            self.missed.push(text.to_owned());
        }
    }

    fn share(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
        let share = (self.all - self.missed.len()) as f64 / self.all as f64;
        share
    }
}
