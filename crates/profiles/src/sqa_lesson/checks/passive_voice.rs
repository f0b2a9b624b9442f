//! `passive-voice`: passive voice in a plain explainer.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Parameter, Phase, Sink};
use redraft_gate::finding::Severity;

use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::{ACCESSIBILITY_BELOW, ACCESSIBILITY_MINOR};
use crate::sqa_lesson::card_texts::plain_texts;
use crate::sqa_lesson::easy_words;
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA052",
    name: "passive-voice",
    severity: Severity::Warning,
    phase: Phase::Acceptance,
    summary: "passive voice in a plain explainer",
    what: "Looks in `explainer_plain` for a form of “be” followed by a past participle, with adverbs allowed between them. Participles that are mostly adjectives (tired, interested, finished), and “is called” and “is left”, which beginners learn early, are not counted. Caps `accessibility` at .90, and below its threshold of .88 from three passives in one text (seed 000: “Divide £20 by 4”, not “£20 is divided”; passive voice overuse).",
    why: "The passive hides who does what. For readers at A2 to B1 an instruction that starts with the verb is clearer.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "The discount is calculated by dividing by 4."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "Calculate the discount. Divide by 4. The top number is called the numerator. You are tired? £5 is left."}]}"#,
        fixed: None,
    }],
    parameters: &[Parameter {
        name: "overuse",
        what: "passives in one text at which accessibility falls below its threshold",
    }],
    caps: &[ACCESSIBILITY_BELOW, ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in plain_texts(examination.document) {
        let plain = Plain::of(&text);
        let passives: Vec<Passive> = plain
            .sentences()
            .flat_map(|sentence| passives(&plain.words(sentence)))
            .collect();
        let cap = if passives.len() >= examination.count("overuse") {
            ACCESSIBILITY_BELOW
        } else {
            ACCESSIBILITY_MINOR
        };
        for passive in passives {
            let found = text.text().get(passive.range.clone()).unwrap_or_default();
            let message = format!(
                "{} uses the passive voice: “{found}”; rewrite it in the active voice: {}",
                text.label(),
                passive.instead
            );
            sink.in_text(text.field, passive.range, message).caps(&[cap]);
        }
    }
}

struct Passive {
    range: Range<usize>,
    instead: String,
}

fn passives(words: &[(Range<usize>, &str)]) -> Vec<Passive> {
    let mut found = Vec::new();
    for (index, (_, word)) in words.iter().enumerate() {
        if !is_be(word) {
            continue;
        }
        let participle = words
            .iter()
            .enumerate()
            .skip(index + 1)
            .take(3)
            .find(|(_, (_, word))| !is_between(word));
        let Some((at, (_, word))) = participle else { continue };
        // “is being divided”, “have been divided” have their own form of “be”.
        let Some(verb) = participle_of(word).filter(|_| !is_be(word)) else { continue };
        let start = if index <= SUBJECT { 0 } else { index };
        let range = words.get(start).zip(words.get(at)).map(|((from, _), (to, _))| from.start..to.end);
        let Some(range) = range else { continue };
        found.push(Passive {
            range,
            instead: instead(words.get(..index).unwrap_or_default(), verb.as_deref()),
        });
    }
    found
}

/// A longer subject is left out of the quotation.
const SUBJECT: usize = 5;

/// Advice on how to say the same in the active voice.
fn instead(subject: &[(Range<usize>, &str)], verb: Option<&str>) -> String {
    let Some(verb) = verb else {
        return "start with who does it, or with what to do".to_owned();
    };
    let capital = crate::sqa_lesson::phrases::in_case_of("A", verb);
    let starts = subject.first().is_some_and(|(_, word)| {
        ["the", "a", "an",   "each",  "all", "your"].contains(&word.to_lowercase().as_str())
    });
    // In “The answer can be written” the words before “be” include a modal verb.
    let has_modal = subject.iter().any(|(_, word)| MODALS.contains(word));
    if starts && !has_modal && subject.len() <= SUBJECT {
        let words: Vec<&str> = subject.iter().map(|(_, word)| *word).collect();
        let mut object = words.join(" ");
        if let Some(first) = object.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        return format!("“{capital} {object} …” or “We {verb} {object} …”");
    }
    format!("start with who does it, or with the verb: “{capital} …”")
}

const MODALS: &[&str] = &[
    "can", "could", "will", "would", "should", "must", "may", "might", "has", "have", "had", "to", "need", "needs", "not", "then", "also",
];

fn is_be(word: &str) -> bool {
    ["is", "are", "was", "were", "be", "been", "being", "it's", "that's"].contains(&word.to_lowercase().replace('’', "'").as_str())
}

/// Adverbs that may come between “be” and the participle.
pub(super) fn is_between(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.ends_with("ly")
        || ["not", "also", "often", "always", "never", "then", "now", "first", "being", "been", "just", "only"]
            .contains(&lower.as_str())
}

/// The verb of a participle, if its base form is known; `None` for a word that is
/// not a participle.
pub(super) fn participle_of(word: &str) -> Option<Option<String>> {
    // A name or a word of a heading is not a participle.
    if !word.chars().all(char::is_lowercase) {
        return None;
    }
    if let Some((_, verb)) = IRREGULAR.iter().find(|(participle, _)| participle == &word) {
        return Some(Some((*verb).to_owned()));
    }
    let is_regular = word.len() >= 5 && word.ends_with("ed") && !ADJECTIVES.contains(&word) && !word.ends_with("eed");
    if !is_regular {
        return None;
    }
    Some(easy_words::bases(word).find(|base| easy_words::is_listed(base)))
}

const ADJECTIVES: &[&str] = &[
    "tired", "interested", "worried", "bored", "excited", "married", "pleased", "surprised", "scared",
    "confused", "finished", "closed", "called", "named", "supposed", "located", "related", "crowded",
    "hundred", "sacred", "naked", "wicked", "limited", "advanced", "experienced", "detailed", "frightened",
    "embarrassed", "disappointed", "satisfied", "annoyed", "relaxed", "amazed", "shocked", "retired", "allowed",
    "mixed",
    "outdated", "fixed", "connected", "involved", "concerned", "delighted", "united", "allocated",
];

const IRREGULAR: &[(&str, &str)] = &[
    ("written", "write"), ("taken", "take"), ("given", "give"), ("made", "make"), ("seen", "see"),
    ("found", "find"), ("shown", "show"), ("paid", "pay"), ("sold", "sell"),
    ("bought", "buy"), ("built", "build"), ("kept", "keep"), ("held", "hold"), ("put", "put"),
    ("told", "tell"), ("sent", "send"), ("drawn", "draw"), ("eaten", "eat"), ("chosen", "choose"),
    ("spoken", "speak"), ("thrown", "throw"), ("taught", "teach"), ("brought", "bring"),
    ("caught", "catch"), ("driven", "drive"), ("forgotten", "forget"), ("hidden", "hide"),
    ("split", "split"), ("spent", "spend"), ("cut", "cut"), ("understood", "understand"), ("said", "say"), ("won", "win"),
];

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    fn found(plain: &str) -> Vec<String> {
        let template = format!(r#"{{"cards": [{{"id": "c1", "explainer_plain": "{plain}"}}]}}"#);
        findings(&super::CHECK, &template).into_iter().map(|said| said.at).collect()
    }

    #[test]
    fn passives_are_found_and_adjectives_are_not() {
        for (plain, expected) in [
            ("£20 is divided by 4.", &["£20 is divided"][..]),
            ("The list is written in words.", &["The list is written"]),
            ("The price was then quickly reduced.", &["The price was then quickly reduced"]),
            ("It has been paid.", &["It has been paid"]),
            ("Divide £20 by 4.", &[]),
            ("You are tired. The shop is closed. £5 is left.", &[]),
            ("The number is called the numerator.", &[]),
            ("It is a hundred. It is red. There is a need.", &[]),
            ("We divided it. She has walked. It is known as Pi.", &[]),
            ("This is United.", &[]),
        ] {
            assert_eq!(found(plain), expected, "{plain}");
        }
    }

    #[test]
    fn the_seeds_passive_is_found_with_the_active_words() {
        let found = findings(&super::CHECK, r#"{"cards": [{"id": "a", "explainer_plain": "The discount is calculated by dividing."}]}"#);
        assert_eq!(
            found[0].message,
            "card 1 explainer_plain uses the passive voice: “The discount is calculated”; rewrite it in the active voice: “Calculate the discount …” or “We calculate the discount …”"
        );
    }
}
