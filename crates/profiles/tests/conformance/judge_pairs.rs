//! The pairs that test judges: each loads, is read as its profile in its language,
//! passes the free checks, and differs from its partner only in the named defect.

use std::collections::{BTreeMap, BTreeSet};

use redraft_gate::finding::Severity;
use redraft_gate::fix::Inspected;
use redraft_gate::reading::Hint;
use redraft_profiles::judge_pairs::{self, JudgePair, PairText};
use redraft_profiles::registry;

use crate::fixtures::{inspect, profile_of};

fn pairs() -> Vec<JudgePair> {
    registry::PROFILES
        .iter()
        .flat_map(|profile| judge_pairs::of_profile(profile.id().0).unwrap())
        .collect()
}

fn hint(text: &PairText) -> Hint {
    match text {
        PairText::Words(_) => Hint::Markdown,
        PairText::Json(_) => Hint::Json,
    }
}

#[test]
fn every_profile_has_eight_pairs_with_named_defects() {
    let mut ids = BTreeSet::new();
    for profile in registry::PROFILES {
        let name = profile.id().0;
        let pairs = judge_pairs::of_profile(name).unwrap();
        assert_eq!(pairs.len(), 8, "{name}");
        let kinds: BTreeSet<&str> = pairs
            .iter()
            .map(|pair| pair.defect.split_once(':').unwrap().0)
            .collect();
        assert!(kinds.len() >= 6, "{name}: {kinds:?}");
        for pair in &pairs {
            assert_eq!(pair.profile, name, "{}", pair.id);
            assert!(ids.insert(pair.id.clone()), "{} twice", pair.id);
        }
    }
    let languages: BTreeSet<String> = pairs().into_iter().map(|pair| pair.language).collect();
    assert!(languages.len() >= 5, "{languages:?}");
}

#[test]
fn every_text_of_a_pair_passes_the_free_checks() {
    for pair in pairs() {
        let codes = |text: &PairText| {
            let Inspected { document, findings } = inspect(&text.bytes(), hint(text));
            let profile = profile_of(&text.bytes(), hint(text));
            assert_eq!(profile.id().0, pair.profile, "{}", pair.id);
            let language = document.language().unwrap().to_string();
            assert_eq!(language, pair.language, "{}", pair.id);
            let mut codes = Vec::new();
            for finding in &findings {
                let code = finding.check.code;
                assert_eq!(finding.severity, Severity::Info, "{}: {code}", pair.id);
                codes.push(code);
            }
            codes
        };
        // What the checks say of one must not tell it from the other.
        assert_eq!(codes(&pair.good), codes(&pair.bad), "{}", pair.id);
    }
}

/// How often each word occurs; of Chinese, each character.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    let mut count = |word: &str| *words.entry(word.to_owned()).or_default() += 1;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        if word.is_ascii() || word.chars().count() < 2 || !word.contains(|c| c > '\u{2e80}') {
            count(word);
        } else {
            word.chars().for_each(|c| count(&c.to_string()));
        }
    }
    words
}

#[test]
fn the_texts_of_a_pair_differ_only_in_the_defect() {
    for pair in pairs() {
        let [good, bad] =
            [&pair.good, &pair.bad].map(|text| String::from_utf8(text.bytes()).unwrap());
        assert_ne!(good, bad, "{}", pair.id);
        let length = |text: &str| text.chars().count() as f64;
        let ratio = length(&bad) / length(&good);
        assert!((0.95..=1.05).contains(&ratio), "{}: {ratio}", pair.id);
        let (before, after) = (words(&good), words(&bad));
        let all: usize = after.values().sum();
        let new: usize = after
            .iter()
            .map(|(word, count)| count.saturating_sub(before.get(word).copied().unwrap_or(0)))
            .sum();
        assert!(
            new * 10 < all * 3,
            "{}: {new} of {all} words are new",
            pair.id
        );
    }
}

#[test]
fn a_line_that_is_no_pair_is_named() {
    let good = r#"{"id": "a", "profile": "lesson", "language": "en", "good": "A", "bad": "B", "defect": "wrong fact"}"#;
    assert_eq!(judge_pairs::read(&format!("\n{good}\n")).unwrap().len(), 1);
    for (bad, expected) in [
        ("{\"id\": 1}", "line 3: not a pair of texts"),
        ("[]", "line 3: not a pair of texts"),
        (
            &good.replace("defect", "defects"),
            "line 3: not a pair of texts: unknown field",
        ),
    ] {
        let error = judge_pairs::read(&format!("{good}\n\n{bad}")).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
