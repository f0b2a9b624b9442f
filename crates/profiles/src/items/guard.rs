//! What a repair of an item must not do, beside what is protected: each would leave the key
//! as it is and make another answer right, or give it away.
//!
//! | the repair | rejected |
//! |---|---|
//! | makes the question negative, or takes a negation away | always: the key stays |
//! | puts the words of the right answer, as they were, into another option | always |
//! | makes two options the same | always |
//! | names the right answer in case or question, where it was not | always |
//! | tells there which option to choose | always |
//! | lists options in the question | always |

use redraft_gate::content::{Document, TextField};
use redraft_gate::policy::Parameters;
use redraft_text::phrases::{PhraseList, is_unspaced};

use super::checks::{is_negative, names_an_answer};
use super::claims;
use super::model::{ItemView, items};

/// What is wrong with items after a repair, one sentence each.
pub(super) fn objections(
    before: &Document,
    after: &Document,
    parameters: &Parameters,
) -> Vec<String> {
    let pairs = items(before).zip(items(after));
    pairs
        .flat_map(|(old, new)| of_item(old, new, parameters))
        .collect()
}

fn of_item(old: ItemView<'_>, new: ItemView<'_>, parameters: &Parameters) -> Vec<String> {
    let mut objections = Vec::new();
    let is_turned = |view| is_negative(view, parameters) || negates(view);
    if is_turned(old) != is_turned(new) {
        objections.push(
            "the question is turned round, and the key stays as it is; ask for the same as before"
                .to_owned(),
        );
    }
    objections.extend(options(old, new));
    objections.extend(given_away(old, new));
    objections
}

fn options(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    let texts = |view: ItemView<'_>| -> Vec<String> { view.option_texts().map(plain).collect() };
    let (was, is) = (texts(old), texts(new));
    another_right_answer(old, &was, &is).or_else(|| twins(&was, &is))
}

/// Whether another option says what the right one said.
fn another_right_answer(old: ItemView<'_>, was: &[String], is: &[String]) -> Option<String> {
    let key = old.correct()?;
    let right = was.get(key).filter(|text| !text.is_empty())?;
    let elsewhere = |texts: &[String]| {
        let mut others = texts.iter().enumerate().filter(|(at, _)| *at != key);
        others.any(|(_, text)| text == right)
    };
    (elsewhere(is) && !elsewhere(was)).then(|| {
        format!(
            "another option says what the right answer said, “{}”; leave it to the right answer",
            old.option(key)
        )
    })
}

/// Whether more options say the same than before, in items without a single key as well.
fn twins(was: &[String], is: &[String]) -> Option<String> {
    let count = |texts: &[String]| {
        let mut sorted: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        sorted.sort();
        sorted.windows(2).filter(|pair| pair[0] == pair[1]).count()
    };
    (count(is) > count(was)).then(|| "two options say the same; make each different".to_owned())
}

/// What case and question say about the answer, and did not before.
fn given_away(old: ItemView<'_>, new: ItemView<'_>) -> Option<String> {
    fn told(view: ItemView<'_>) -> impl Iterator<Item = &TextField> {
        view.vignette().iter().chain(view.stem())
    }
    let words = |view| -> String {
        let texts: Vec<&str> = told(view).map(|field| &*field.text).collect();
        plain(&texts.join("\n"))
    };
    let (was, is) = (words(old), words(new));
    if was == is {
        return None;
    }
    let key = new.correct()?;
    let names = |told: &str, at: usize| {
        let option = plain(new.option(at));
        // A short word may be there for another reason.
        option.chars().count() >= LEAST_LETTERS && says(told, &option)
    };
    if names(&is, key) && !names(&was, key) {
        return Some(format!(
            "the right answer, “{}”, is named before the options; do not give it away",
            new.option(key)
        ));
    }
    let chooses = |view| {
        let mut fields = told(view);
        fields.any(|field| claims::chosen(&field.text).is_some() || names_an_answer(&field.text))
    };
    if chooses(new) && !chooses(old) {
        return Some("case or question tell which option to choose; leave that out".to_owned());
    }
    let listed = |told: &str| {
        let all = 0..new.options().len();
        all.filter(|at| names(told, *at)).count()
    };
    (listed(&is) >= listed(&was) + 2)
        .then(|| "the options are listed in the question; leave them to their own field".to_owned())
}

const LEAST_LETTERS: usize = 4;

/// Whether a text has these words, as whole words.
fn says(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}

/// Letters and digits in lower case, with single spaces.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// Words that make a question negative, as data, in the languages that the check for
/// negative stems does not read.
static NEGATIONS: PhraseList = PhraseList::new("negations", &["words"]);

/// Whether the question is negative in another language than the check reads.
fn negates(view: ItemView<'_>) -> bool {
    view.lead_in().is_some_and(|field| is_negated(&field.text))
}

fn is_negated(question: &str) -> bool {
    let text = plain(question);
    let mut words = NEGATIONS
        .files()
        .iter()
        .flat_map(|file| file.words("words"));
    words.any(|word| match is_unspaced(word) {
        true => text.contains(word),
        false => says(&text, word),
    })
}

#[cfg(test)]
mod tests {
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use super::*;
    use crate::clinical_mcq::CLINICAL_MCQ;

    #[test]
    fn the_phrase_files_are_sound() {
        assert_eq!(NEGATIONS.faults(), [""; 0]);
        let wrong = NEGATIONS.wrong_examples("words", |_, text| is_negated(text));
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn options_that_become_the_same_are_rejected_also_without_a_single_key() {
        let item = |options: &str, key: &str| {
            let text = format!(r#"{{"stem": "Why?", "options": {options}, "answerKey": {key}}}"#);
            let raw = reading::read(Source::new(text.into_bytes()), Hint::Json);
            CLINICAL_MCQ.parse(raw, None)
        };
        for key in [r#""A""#, "null"] {
            let before = item(r#"["Aspirin", "Codeine", "Morphine"]"#, key);
            for (options, expected) in [
                (r#"["Aspirin", "Codeine", "Tramadol"]"#, 0),
                (r#"["Aspirin", "Codeine", "Codeine"]"#, 1),
            ] {
                let after = item(options, key);
                let found = objections(&before, &after, CLINICAL_MCQ.parameters());
                assert_eq!(found.len(), expected, "{key} {options} {found:?}");
            }
        }
    }
}
