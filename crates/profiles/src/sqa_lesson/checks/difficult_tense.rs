//! `difficult-tense`: perfect or continuous tense in a plain explainer.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;

use super::passive_voice::{is_between, participle_of};
use crate::check_list::DEFAULTS;
use crate::sqa_lesson::caps::ACCESSIBILITY_MINOR;
use crate::sqa_lesson::card_texts::plain_texts;
use crate::sqa_lesson::plain_language::Plain;

pub(super) static CHECK: Check = Check {
    code: "SQA067",
    name: "difficult-tense",
    severity: Severity::Info,
    phase: Phase::Acceptance,
    summary: "perfect or continuous tense in a plain explainer",
    what: "Looks in `explainer_plain` for the perfect (“we have divided”) and the continuous (“we are dividing”) of a person or thing. “Have to”, “have got”, “is going to”, adjectives (“is interesting”) and a verb that names what something is (“Sharing is dividing.”) are not counted. Caps `accessibility` at .90 (seed 000: present tense, “We divide”; avoid perfect and continuous).",
    why: "Readers at A2 to B1 know the simple present best. “We divide” is shorter than “we have divided” and says the same.",
    examples: &[Example {
        form: ExampleForm::Json,
        fails: r#"{"cards": [{"id": "c1", "explainer_plain": "We have divided the bill. Now we are checking it."}]}"#,
        passes: r#"{"cards": [{"id": "c1", "explainer_plain": "We divide the bill. Now we check it. You have to show your working. Sharing is dividing."}]}"#,
        fixed: None,
    }],
    caps: &[ACCESSIBILITY_MINOR],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    for text in plain_texts(examination.document) {
        let plain = Plain::of(&text);
        for sentence in plain.sentences() {
            for (range, tense) in tenses(&plain.words(sentence)) {
                let found = text.text().get(range.clone()).unwrap_or_default();
                let message = format!(
                    "{} uses the {}: “{found}”; use the simple present or past",
                    text.label(),
                    tense.words()
                );
                sink.in_text(text.field, range, message).caps(CHECK.caps);
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tense {
    Perfect,
    Continuous,
}

impl Tense {
    fn words(self) -> &'static str {
        match self {
            Self::Perfect => "perfect tense",
            Self::Continuous => "continuous tense",
        }
    }
}

fn tenses(words: &[(Range<usize>, &str)]) -> Vec<(Range<usize>, Tense)> {
    let lower: Vec<String> = words
        .iter()
        .map(|(_, word)| word.to_lowercase().replace('’', "'"))
        .collect();
    let mut found = Vec::new();
    for (index, word) in lower.iter().enumerate() {
        let Some(tense) = auxiliary(word) else { continue };
        // “Have you paid?”: the person stands after the auxiliary.
        let asks = index == 0 && lower.get(1).is_some_and(|next| PERSONS.contains(&next.as_str()));
        let first = index + 1 + usize::from(asks);
        let next = (first..lower.len())
            .take(4)
            .find(|at| !is_between(&lower[*at]) && !MORE_BETWEEN.contains(&lower[*at].as_str()));
        let Some(at) = next else { continue };
        let verb = words[at].1;
        let is_tense = match tense {
            Tense::Perfect => {
                let is_participle = participle_of(verb).is_some() || MORE_PARTICIPLES.contains(&verb) || verb == "been";
                // “has been selling”
                let is_both = lower.get(at.wrapping_sub(1)).is_some_and(|before| before == "been") && is_continuous(verb);
                (is_participle && verb != "got" || is_both) && (asks || has_subject(&lower, index))
            }
            Tense::Continuous => {
                is_continuous(verb) && (asks || acts(&lower, index))
            }
        };
        if is_tense {
            let has_person = word.contains('\'') && !word.ends_with("n't");
            let start = index.saturating_sub(usize::from(!has_person));
            found.push((words[start].0.start..words[at].0.end, tense));
        }
    }
    found
}

/// The tense that a word opens.
fn auxiliary(word: &str) -> Option<Tense> {
    match word {
        "have" | "has" | "had" | "haven't" | "hasn't" | "hadn't" | "i've" | "we've" | "you've" | "they've" => Some(Tense::Perfect),
        "am" | "is" | "are" | "was" | "were" | "isn't" | "aren't" | "wasn't" | "weren't" | "i'm" | "we're" | "you're" | "they're" | "he's" | "she's" => {
            Some(Tense::Continuous)
        }
        _ => None,
    }
}

fn is_continuous(verb: &str) -> bool {
    verb.len() > 4 && verb.ends_with("ing") && verb != "going" && !ADJECTIVES.contains(&verb)
}

/// Whether something has a word before it that can have done something.
fn has_subject(words: &[String], index: usize) -> bool {
    let word = &words[index];
    word.ends_with("'ve") || index.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|before| !["to", "must", "should", "can"].contains(&before.as_str()))
}

/// Whether the subject does something: a person, or a thing with an article before it. What
/// a task, an answer or a verb is, is said with a noun that looks the same.
fn acts(words: &[String], index: usize) -> bool {
    const NO_SUBJECTS: [&str; 17] = [
        "it", "this", "that", "what", "there", "step", "task", "aim", "goal", "answer", "method",
        "idea", "way", "rule", "job", "skill", "here",
    ];
    let word = &words[index];
    if word.contains('\'') && !word.ends_with("n't") {
        return true;
    }
    let Some(subject) = index.checked_sub(1).and_then(|at| words.get(at)) else {
        return false;
    };
    if PERSONS.contains(&subject.as_str()) {
        return true;
    }
    let has_article = words.get(..index.saturating_sub(1)).unwrap_or_default().iter().rev().take(2).any(|word| {
        ["the", "a", "an", "your", "my", "our", "her", "his", "their"].contains(&word.as_str())
    });
    has_article && !subject.ends_with("ing") && !NO_SUBJECTS.contains(&subject.as_str())
}

const PERSONS: [&str; 6] = ["i", "we", "you", "they", "he", "she"];

/// Adverbs between an auxiliary and its verb, beside those of the passive.
const MORE_BETWEEN: [&str; 5] = ["yet", "already", "still", "ever", "all"];

/// Participles that are no passives, or not of a plain verb.
const MORE_PARTICIPLES: &[&str] = &[
    "finished", "learned", "learnt", "done", "gone", "become", "begun", "come", "known", "left", "lost", "met", "read", "run", "called", "named",
];

const ADJECTIVES: &[&str] = &[
    "interesting", "missing", "remaining", "following", "confusing", "amazing", "boring", "exciting",
    "existing", "surprising", "outstanding", "willing", "nothing", "something", "anything", "everything",
    "evening", "morning", "during", "string", "spring", "being", "shopping", "spending", "meaning",
];

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    fn found(plain: &str) -> Vec<String> {
        let template = format!(r#"{{"cards": [{{"id": "c1", "explainer_plain": "{plain}"}}]}}"#);
        findings(&super::CHECK, &template).into_iter().map(|said| said.at).collect()
    }

    #[test]
    fn perfect_and_continuous_are_found_and_their_likenesses_are_not() {
        for (plain, expected) in [
            ("We have divided the bill.", &["We have divided"][..]),
            ("She has finished the task.", &["She has finished"]),
            ("The price has been cut.", &["price has been cut"]),
            ("You've learned the rule.", &["You've learned"]),
            ("We are dividing £20 by 4.", &["We are dividing"]),
            ("The shop is selling coats.", &["shop is selling"]),
            ("They were then slowly walking.", &["They were then slowly walking"]),
            ("The shop has been selling coats.", &["shop has been selling"]),
            ("She's buying a coat. He's tall.", &["She's buying"]),
            ("Have you paid? Are you sharing?", &["Have you paid", "Are you sharing"]),
            ("Sam hasn't paid. We aren't sharing.", &["Sam hasn't paid", "We aren't sharing"]),
            ("We have not yet finished.", &["We have not yet finished"]),
            ("You will have paid £5.", &["will have paid"]),
            ("Have you £5? Are you tall? She's interesting. He hasn't a coat.", &[]),
            ("You have to divide. You have £5. We have a rule.", &[]),
            ("Sharing is dividing. The task is finding a third.", &[]),
            ("This is interesting. One part is missing. It is raining.", &[]),
            ("You are going to pay £5. He has got £5.", &[]),
            ("We divided it. We divide. Divide £20 by 4.", &[]),
            ("Which number is remaining? The remaining part is £5.", &[]),
        ] {
            assert_eq!(found(plain), expected, "{plain}");
        }
    }
}
