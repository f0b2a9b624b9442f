//! `difficult-tense`: perfect or continuous tense in a plain explainer.

use std::ops::Range;

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Phase, Sink};
use redraft_gate::finding::Severity;
use redraft_text::phrases::PhraseList;

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
        let asks = index == 0 && lower.get(1).is_some_and(|next| LIST.has_word("persons", next));
        let first = index + 1 + usize::from(asks);
        let next = (first..lower.len())
            .take(4)
            .find(|at| !is_between(&lower[*at]) && !LIST.has_word("between", &lower[*at]));
        let Some(at) = next else { continue };
        let verb = words[at].1;
        let is_tense = match tense {
            Tense::Perfect => {
                let is_participle = participle_of(verb).is_some() || LIST.has_word("participles", verb) || verb == "been";
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

/// The words, as data.
static LIST: PhraseList = PhraseList::new(
    "tenses",
    &[
        "perfect", "continuous", "persons", "articles", "not subjects", "modals", "between", "participles",
        "adjectives",
    ],
);

/// The tense that a word opens.
fn auxiliary(word: &str) -> Option<Tense> {
    if LIST.has_word("perfect", word) {
        Some(Tense::Perfect)
    } else {
        LIST.has_word("continuous", word).then_some(Tense::Continuous)
    }
}

fn is_continuous(verb: &str) -> bool {
    verb.len() > 4 && verb.ends_with("ing") && verb != "going" && !LIST.has_word("adjectives", verb)
}

/// Whether something has a word before it that can have done something.
fn has_subject(words: &[String], index: usize) -> bool {
    let word = &words[index];
    word.ends_with("'ve") || index.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|before| !LIST.has_word("modals", before))
}

/// Whether the subject does something: a person, or a thing with an article before it. What
/// a task, an answer or a verb is, is said with a noun that looks the same.
fn acts(words: &[String], index: usize) -> bool {
    let word = &words[index];
    if word.contains('\'') && !word.ends_with("n't") {
        return true;
    }
    let Some(subject) = index.checked_sub(1).and_then(|at| words.get(at)) else {
        return false;
    };
    // “You will be using”, “They'll be using”; an order or a wish has no “will”.
    if word == "be" {
        return subject == "will" || subject.ends_with("'ll");
    }
    if LIST.has_word("persons", subject) {
        return true;
    }
    let before = words.get(..index.saturating_sub(1)).unwrap_or_default();
    let has_article = before.iter().rev().take(2).any(|word| LIST.has_word("articles", word));
    has_article && !subject.ends_with("ing") && !LIST.has_word("not subjects", subject)
}

#[cfg(test)]
mod tests {
    use crate::sqa_lesson::testing::findings;

    fn found(plain: &str) -> Vec<String> {
        let template = format!(r#"{{"cards": [{{"id": "c1", "explainer_plain": "{plain}"}}]}}"#);
        findings(&super::CHECK, &template).into_iter().map(|said| said.at).collect()
    }

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(super::LIST.faults(), [""; 0]);
        for section in ["perfect", "continuous"] {
            let wrong = super::LIST.wrong_examples(section, |_, text| !found(text).is_empty());
            assert_eq!(wrong, [""; 0]);
        }
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
            ("The total has risen.", &["total has risen"]),
            ("You will be using fractions. Next week they'll be saving.", &["will be using", "they'll be saving"]),
            ("It can be confusing. Try to be sharing. You will be happy.", &[]),
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
