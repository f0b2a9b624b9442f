//! `explanation-contradicts-key`: the explanation names a different answer
//! from the key.

use redraft_gate::check::{Check, Examination, Example, ExampleForm, Sink};
use redraft_gate::content::TextField;
use redraft_gate::finding::Severity;
use redraft_text::word_index::WordIndex;

use std::ops::Range;
use std::sync::LazyLock;

use crate::check_list::DEFAULTS;
use crate::items::claims;
use crate::items::model::{ItemView, items, letter};
use crate::items::wording;

pub(super) static CHECK: Check = Check {
    code: "MCQ009",
    name: "explanation-contradicts-key",
    severity: Severity::Error,
    summary: "the explanation names a different answer from the key",
    what: "Compares the letter that the explanation gives (“Ans: C”, “The correct answer is C”, “Option C is correct”) with the key, and looks for wrong options whose explanation begins by calling them correct (“Correct.”, “This is the right answer”), for a key whose explanation begins by calling it wrong, and for explanations that tell the reader to choose another option (“choose B”) or name its words as the answer (“The correct answer is warfarin”, a warning), in English, German, Spanish, French, Portuguese, Russian and Chinese. Anything less certain, such as an argument for another option, is left to a judge. The program never changes the key. Criterion: `clinical_accuracy`; field: `explanation`.",
    why: "Key and explanation cannot both be right, and learners are marked by one and taught by the other.",
    examples: &[
        Example {
            form: ExampleForm::Json,
            fails: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "The correct answer is B: warfarin prevents the next clot."}"#,
            passes: r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "The correct answer is A: aspirin lowers mortality."}"#,
            fixed: None,
        },
    ],
    run,
    ..DEFAULTS
};

fn run(examination: &Examination<'_>, sink: &mut Sink<'_>) {
    let document = examination.document;
    for view in items(document) {
        let Some(key) = view.correct() else { continue };
        for field in view.explanation() {
            let Some((named, range)) = named_letter(&field.text) else {
                if view.item.by_letters {
                    told_to_choose(sink, field, (key, view.options().len()));
                }
                names_another(sink, field, view, key);
                continue;
            };
            if named != key && named < view.options().len() && view.item.by_letters {
                sink.in_text(
                    field,
                    range,
                    format!(
                        "the explanation gives {} as the answer, but the key is {}; a person must decide which is right",
                        letter(named),
                        letter(key)
                    ),
                );
            }
        }
        for (index, option) in view.options().iter().enumerate() {
            let Some(field) = option.explanation.of(document) else {
                continue;
            };
            if view.item.by_letters {
                told_to_choose(sink, field, (key, view.options().len()));
            }
            // Where the exception is asked for, “True.” may speak of the statement.
            let is_certain =
                !super::is_negative(view, examination.parameters) || claims::speaks_of_the_answer(&field.text);
            let says = claims::verdict(&field.text).filter(|_| is_certain);
            let expected = index == key;
            if says.is_some_and(|says| says != expected) {
                let message = if expected {
                    format!("the explanation of option {} calls it incorrect, but it is the key", letter(index))
                } else {
                    format!("the explanation of option {} calls it correct, but the key is {}", letter(index), letter(key))
                };
                sink.in_text(field, 0..field.text.len(), message);
            }
        }
    }
}

/// Reports an explanation that names the words of another option as the answer. It may quote what
/// others believe, so that this is a warning.
fn names_another(sink: &mut Sink<'_>, field: &TextField, view: ItemView<'_>, key: usize) {
    let named = |at: &usize| claims::names_as_right(&field.text, view.option(*at));
    if named(&key) {
        return;
    }
    let Some(other) = (0..view.options().len()).find(named) else {
        return;
    };
    let message = format!(
        "the explanation gives “{}” as the answer, but the key is {}, “{}”; a person must decide which is right",
        view.option(other),
        letter(key),
        view.option(key)
    );
    sink.in_text(field, 0..field.text.len(), message)
        .severity(Severity::Warning);
}

/// Reports an explanation that tells the reader to choose another option than the key.
fn told_to_choose(sink: &mut Sink<'_>, field: &TextField, (key, options): (usize, usize)) {
    let Some((chosen, range)) = claims::chosen(&field.text) else {
        return;
    };
    if claims::look_alike(&field.text, range.end) == Some(key) {
        return;
    }
    if chosen != key && chosen < options {
        sink.in_text(
            field,
            range,
            format!(
                "the explanation tells the reader to choose {}, but the key is {}; a person must decide which is right",
                letter(chosen),
                letter(key)
            ),
        );
    }
}

/// The letter that a text names as the answer; `None` if it names several.
pub(super) fn named_letter(text: &str) -> Option<(usize, Range<usize>)> {
    static INDEX: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::new(OPENINGS.iter().copied()));
    let lower = text.to_ascii_lowercase();
    let mut said: Vec<usize> = INDEX.find(&lower).map(|found| found.word).collect();
    said.sort_unstable();
    said.dedup();
    let mut named = claims::called_right(text);
    for opening in said.into_iter().filter_map(|opening| OPENINGS.get(opening)) {
        let mut from = 0;
        while let Some(found) = text
            .get(from..)
            .and_then(|rest| wording::find_phrase(rest, opening))
        {
            let start = from + found.start;
            from += found.end;
            let Some((index, end)) = letter_at(text, from) else {
                continue;
            };
            match &named {
                Some((earlier, _)) if *earlier != index => return None,
                Some(_) => {}
                None => named = Some((index, start..end)),
            }
        }
    }
    named
}

/// Phrases that introduce the letter.
const OPENINGS: &[&str] = &["ans", "answer", "correct answer", "correct answer is", "correct option", "correct option is", "correct choice is", "right answer", "right option", "answer is option", "ans is"];

/// The letter at an offset, after punctuation only: `: (C)`, ` is 'c'`.
fn letter_at(text: &str, at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let signs = |rest: &str| {
        rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | '-' | '–' | '(' | '\'' | '"' | '‘' | '“' | '*' | '='))
            .len()
    };
    let mut rest_after = rest.get(rest.len() - signs(rest)..)?;
    if let Some(after) = rest_after.strip_prefix("is ") {
        rest_after = after.get(after.len() - signs(after)..)?;
    }
    let mut chars = rest_after.chars();
    let first = chars.next().filter(char::is_ascii_alphabetic)?;
    let index = u8::try_from(first.to_ascii_uppercase()).ok()?.checked_sub(b'A')?;
    // The letter must be a word of its own. “a” before a word is an article, so a
    // lower-case letter needs punctuation after it.
    let next = chars.next();
    let alone = match next {
        None => true,
        Some(')' | '\'' | '"' | '’' | '”' | '*') => true,
        Some('.' | ',' | ':' | ';') => chars.next().is_none_or(|c| !c.is_alphanumeric() || c.is_uppercase()),
        Some(c) => c.is_whitespace() && first.is_ascii_uppercase() && first != 'A' && first != 'I',
    };
    let end = text.len() - rest_after.len() + 1;
    // “Answer C is wrong” is about C; it does not name C as the answer.
    let is_about_it = rest_after
        .get(1..)
        .is_some_and(|after| after.starts_with(" is") || after.starts_with(" would"));
    (alone && !is_about_it).then_some((usize::from(index), end))
}

#[cfg(test)]
mod tests {
    use crate::items::checks::testing::{count, item};

    #[test]
    fn only_a_letter_that_is_called_the_answer_counts() {
        for (explanation, expected) in [
            ("Ans: A (Ref: a book)", 0),
            ("Ans: B (Ref: a book)", 1),
            ("Ans. is 'c' i.e., Morphine", 1),
            ("Answer is (B) Warfarin", 1),
            ("The correct answer is B.", 1),
            ("Option B is correct.", 1),
            ("B is correct because it acts at once.", 1),
            ("Option A is correct.", 0),
            ("Option B is correct for children, option A for adults.", 0),
            ("B ist richtig.", 1),
            ("The correct answer is A. Option B is wrong.", 0),
            ("The answer is a drug that thins the blood.", 0),
            ("The correct answer is B, not A. Ans: A", 0),
            ("Answer C is wrong because it is late.", 0),
            ("Vitamin B is given later.", 0),
            ("Ans: Z", 0),
            ("The correct answer is warfarin.", 1),
            ("The correct answer is aspirin, not warfarin.", 0),
            ("The answer is not warfarin.", 0),
        ] {
            let item = item(&format!(r#""rationale": "{explanation}""#));
            assert_eq!(count(&super::CHECK, &item), expected, "{explanation}");
        }
    }

    #[test]
    fn where_the_exception_is_asked_for_a_verdict_may_speak_of_the_statement() {
        for (stem, second, expected) in [
            ("Which is true of aspirin?", "Correct: it is a known effect.", 1),
            ("Which is NOT true of aspirin?", "True. It is a known effect.", 0),
            ("All are effects EXCEPT:", "Correct: it is a known effect.", 0),
            ("All are effects EXCEPT:", "This is the correct answer.", 1),
        ] {
            let json = format!(
                r#"{{"stem": "{stem}", "options": [{{"text": "a", "is_correct": true, "reasoning": "It is not."}}, {{"text": "b", "is_correct": false, "reasoning": "{second}"}}]}}"#
            );
            assert_eq!(count(&super::CHECK, &json), expected, "{stem} {second}");
        }
    }

    #[test]
    fn an_options_own_explanation_may_contradict_the_key() {
        for (first, second, expected) in [
            ("Correct. It thins the blood.", "Incorrect: too slow.", 0),
            ("Incorrect. It is dangerous.", "Wrong.", 1),
            ("It thins the blood.", "Correct! It helps.", 1),
            ("Correct dose matters.", "Correct positioning of the tube.", 0),
            ("This is wrong; choose B.", "Too slow.", 2),
            ("It thins the blood.", "This is the correct answer.", 1),
            ("Das ist falsch; wählen Sie B.", "Zu langsam.", 2),
            ("它能稀释血液。", "这是正确答案。", 1),
        ] {
            let json = format!(
                r#"{{"stem": "q", "options": [{{"text": "a", "is_correct": true, "reasoning": "{first}"}}, {{"text": "b", "is_correct": false, "reasoning": "{second}"}}]}}"#
            );
            assert_eq!(count(&super::CHECK, &json), expected, "{first} {second}");
        }
    }
}
