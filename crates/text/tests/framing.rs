//! How many framing sentences are found that no pattern was written for, and how
//! many innocent ones are reported. The texts are in `framing/LANGUAGE.txt`,
//! collected before the patterns; a hash of the text decides which half was used
//! to write them. `framing_unseen` holds phrases of many writers that neither a pattern
//! was written for nor a weight learned from, and sentences that were written to look
//! like chat. Adding a language is adding a file.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the tests read their own corpora, print figures and stop at the first surprise"
)]

use std::fmt::Write as _;
use std::path::Path;

use redraft_text::framing::{
    Following, any_closing, any_opening, refusals, sounds_like_closing, sounds_like_opening,
    sounds_like_refusal,
};

/// Of the framing sentences of a language and kind of content.
const GOAL: f64 = 0.95;

/// Of the innocent sentences of a language.
const MOST_ALARMS: f64 = 0.002;

const BODY: &str = "# Loops\n\nA loop repeats its body until a condition is met.";

const KINDS: [&str; 3] = ["lesson", "cards", "item"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Tuned,
    HeldOut,
}

struct Corpus {
    language: String,
    sections: Vec<(String, Vec<String>)>,
}

impl Corpus {
    fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let mut sections: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines().map(str::trim) {
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                sections.push((name.to_owned(), Vec::new()));
            } else if !line.is_empty() && !line.starts_with('#') {
                sections.last_mut().unwrap().1.push(line.to_owned());
            }
        }
        Self {
            language: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            sections,
        }
    }

    fn section(&self, name: &str) -> &[String] {
        self.sections
            .iter()
            .find(|(section, _)| section == name)
            .map_or(&[], |(_, lines)| lines)
    }

    fn innocent(&self) -> Vec<String> {
        let frames = self.section("innocent frames").iter();
        let topics = self.section("topics");
        let composed =
            frames.flat_map(|frame| topics.iter().map(|topic| frame.replace("{topic}", topic)));
        let innocent = self.section("innocent").iter().cloned();
        innocent.chain(composed).collect()
    }
}

fn corpora(folder: &str) -> Vec<Corpus> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| Corpus::read(path)).collect()
}

/// FNV-1a: which half a text is in must not depend on the version of a library.
fn half(text: &str) -> Half {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    if (hash >> 32) % 2 == 0 {
        Half::Tuned
    } else {
        Half::HeldOut
    }
}

fn is_found(section: &str, text: &str) -> bool {
    if section.ends_with("openers") {
        let text = format!("{text}\n\n{BODY}\n");
        any_opening(&text).is_some() || sounds_like_opening(&text, Following::Anything).is_some()
    } else if section.ends_with("refusals") {
        !refusals(text).is_empty() || !sounds_like_refusal(text).is_empty()
    } else {
        let text = format!("{BODY}\n\n{text}\n");
        any_closing(&text).is_some() || sounds_like_closing(&text).is_some()
    }
}

/// The recall of a half by language and kind of content, with what was missed.
fn recall(folder: &str, wanted: Option<Half>) -> (String, bool) {
    let mut table = String::new();
    let mut is_met = true;
    for corpus in corpora(folder) {
        let mut of_language = (0, 0);
        for kind in KINDS {
            let mut missed = Vec::new();
            let mut all = 0;
            for section in [format!("{kind} openers"), format!("{kind} closers")] {
                for text in corpus.section(&section) {
                    if wanted.is_none_or(|wanted| half(text) == wanted) {
                        all += 1;
                        if !is_found(&section, text) {
                            missed.push(text);
                        }
                    }
                }
            }
            let found = all - missed.len();
            let share = share(found, all);
            // With two dozen texts a second miss is more than a twentieth.
            is_met &= share >= GOAL || missed.len() <= 1;
            of_language = (of_language.0 + found, of_language.1 + all);
            let _ = writeln!(
                table,
                "{} {kind}: {found} of {all} = {share:.3}",
                corpus.language
            );
            for text in missed {
                let _ = writeln!(table, "    {text}");
            }
        }
        let (found, all) = of_language;
        is_met &= share(found, all) >= GOAL;
    }
    (table, is_met)
}

fn share(found: usize, all: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let share = found as f64 / all as f64;
    share
}

#[test]
fn the_tuned_half_is_found() {
    let (table, is_met) = recall("tests/framing", Some(Half::Tuned));
    println!("{table}");
    assert!(is_met, "\n{table}");
}

#[test]
fn the_held_out_half_is_found() {
    let (table, is_met) = recall("tests/framing", Some(Half::HeldOut));
    println!("{table}");
    assert!(is_met, "\n{table}");
}

#[test]
fn phrases_that_were_collected_later_are_found() {
    let (table, is_met) = recall("tests/framing_later", None);
    println!("{table}");
    assert!(is_met, "\n{table}");
}

#[test]
fn innocent_sentences_are_left_alone() {
    let mut table = String::new();
    let mut is_met = true;
    for corpus in corpora("tests/framing") {
        let innocent = corpus.innocent();
        let mut alarms = Vec::new();
        for text in &innocent {
            let places = [
                any_opening(text),
                any_opening(&format!("{text}\n\n{BODY}")),
                any_opening(&format!("{text} {BODY}")),
                any_closing(text),
                any_closing(&format!("{BODY}\n\n{text}\n")),
            ];
            if places.iter().any(Option::is_some) {
                alarms.push(text);
            }
        }
        let share = share(alarms.len(), innocent.len());
        is_met &= share <= MOST_ALARMS && innocent.len() >= 290;
        let _ = writeln!(
            table,
            "{}: {} of {} = {share:.4}",
            corpus.language,
            alarms.len(),
            innocent.len()
        );
        for text in alarms {
            let _ = writeln!(table, "    {text}");
        }
    }
    println!("{table}");
    assert!(is_met, "\n{table}");
}

/// The least share of unseen phrases that is found in each language, and the most alarms in
/// sentences that were written to look like chat. The goals are above; these are floors.
const UNSEEN: [(&str, f64); 6] = [
    ("openers", 0.58),
    ("closers", 0.56),
    ("refusals", 0.48),
    ("innocent openers", 0.05),
    ("innocent closers", 0.07),
    ("innocent refusals", 0.20),
];

#[test]
fn phrases_that_nothing_was_learned_from_are_found() {
    let mut table = String::new();
    let mut is_met = true;
    for corpus in corpora("tests/framing_unseen") {
        for (kind, limit) in UNSEEN {
            let texts = corpus.section(kind);
            let found = texts.iter().filter(|text| is_found(kind, text)).count();
            let share = share(found, texts.len());
            is_met &= if kind.starts_with("innocent") {
                share <= limit
            } else {
                share >= limit
            };
            let _ = writeln!(
                table,
                "{} {kind}: {found} of {} = {share:.3}",
                corpus.language,
                texts.len()
            );
        }
    }
    println!("{table}");
    assert!(is_met, "\n{table}");
}
