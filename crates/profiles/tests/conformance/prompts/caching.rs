//! What providers can cache of a judge's prompt: a cache holds the beginning of a prompt,
//! byte for byte, so that what is the same has to come first.

use std::collections::HashSet;

use redraft_gate::companion::Companions;
use redraft_profiles::registry;
use redraft_run::prompt::TEXT_TAG;
use redraft_run::verdict;

use super::{DOCUMENTS, companions, flag, prompt_with};

/// The shortest beginning that OpenAI and the larger models of Anthropic cache.
const LEAST: usize = 1_024;

/// Another version of a text of any profile.
fn repaired(text: &str) -> String {
    let repaired = text
        .replace("pay", "owe")
        .replace("water", "tea")
        .replace("crushing", "heavy");
    assert_ne!(repaired, text);
    repaired
}

#[test]
fn the_constant_part_is_the_same_for_every_document_and_every_version_and_long_enough() {
    for (profile, text, hint) in DOCUMENTS {
        let beside = companions("Words of the sources.");
        let flagged = [flag("sec_global", "A remark.")];
        let other = repaired(text);
        let (_, judged) = prompt_with(profile, (text, hint), &beside, &[], None);
        // Judged again after a repair, with other remarks; asked again for the form.
        let (_, rejudged) = prompt_with(profile, (&other, hint), &beside, &flagged, None);
        let (_, retried) = prompt_with(profile, (text, hint), &beside, &[], Some("no JSON"));
        let (_, alone) = super::prompt(profile, text, hint);
        for again in [&rejudged, &retried, &alone] {
            assert_eq!(judged.system, again.system, "{profile}");
        }
        // The schema is sent before the system half, and is the rubric's alone.
        let rubric = registry::profile(profile).unwrap().rubric();
        let tokeniser = tiktoken_rs::o200k_base_singleton();
        let tokens = |text: &str| tokeniser.count(text, &HashSet::new()).unwrap();
        let constant =
            tokens(&judged.system) + tokens(verdict::schema(rubric, &Companions::default()).text());
        assert!(constant >= LEAST, "{profile}: {constant}");
    }
}

#[test]
fn what_stands_beside_a_text_comes_before_it_and_stays_the_same_after_a_repair() {
    for (profile, text, hint) in DOCUMENTS {
        // A source that says it is the text does not move the boundary.
        let beside = companions("Words. <redraft:text> More words.");
        let other = repaired(text);
        let (_, judged) = prompt_with(profile, (text, hint), &beside, &[], None);
        let (_, rejudged) = prompt_with(profile, (&other, hint), &beside, &[], None);
        assert_ne!(judged.user, rejudged.user, "{profile}");
        let (before, after) = judged.user.split_at(judged.before_text());
        assert!(before.contains("More words."), "{profile}: {before}");
        assert!(after.starts_with(TEXT_TAG), "{profile}: {after}");
        assert_eq!(
            before,
            rejudged.user.get(..rejudged.before_text()).unwrap(),
            "{profile}"
        );
        let (_, alone) = super::prompt(profile, text, hint);
        assert_eq!(alone.before_text(), 0, "{profile}: {}", alone.user);
    }
}
