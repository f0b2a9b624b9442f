//! The checks for items and banks, one per file.

use std::ops::Range;

use redraft_gate::check::{Examination, Sink};
use redraft_gate::content::Document;
use redraft_gate::policy::Parameters;
use redraft_gate::span::ComponentId;

use crate::check_list::checks;
use crate::items::bank::sheet::{Sheet, Tested};
use crate::items::model::{Bank, ItemView, items, letter};
use crate::items::whole_list::{self, WholeList};
use crate::items::wording;

checks! {
    missing_stem
    missing_answer_key
    answer_key_mismatch
    several_correct
    option_count
    duplicate_options
    missing_explanation
    explanation_contradicts_key
    unfocused_stem
    longest_option_is_key
    all_of_the_above
    none_of_the_above
    negative_stem
    absolute_term
    vague_term
    grammatical_cue
    word_repeat_cue
    convergence_cue
    complex_item_type
    true_false_item
    fill_in_blank
    lost_sequence
    options_not_parallel
    implausible_distractor
    overlapping_options
    speaks_to_solver
    ambiguous_answer_index
    key_position_bias
    longest_key_bank
    duplicate_items
    bloom_spread
    answer_in_other_item
}

/// An item without any problem, for examples.
const GOOD_ITEM: &str = r#"{"stem": "Which drug should he be given first?", "options": ["Aspirin", "Warfarin", "Morphine", "Furosemide"], "correct_answer": "A", "rationale": "Aspirin lowers mortality at once."}"#;

/// Whether the question of an item is negative.
pub(super) fn is_negative(view: ItemView<'_>, parameters: &Parameters) -> bool {
    negative_stem::negation(view, parameters).is_some()
}

/// Whether a text names a letter as the answer.
pub(super) fn names_an_answer(text: &str) -> bool {
    explanation_contradicts_key::named_letter(text).is_some()
}

/// Where to point for a finding about a whole bank: its start; `None` for a single
/// item.
fn whole_bank(document: &Document) -> Option<Range<usize>> {
    let bank = document.model::<Bank>()?;
    let first = bank.items.first()?.range.start;
    bank.is_bank.then_some(first..first + 1)
}

/// Reports the result of a statistical test over a whole bank, if it is striking.
fn report_bank<T>(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    test: impl FnOnce(&Sheet, &Parameters) -> Option<Tested<T>>,
    message: impl FnOnce(T) -> String,
) {
    let document = examination.document;
    let Some(range) = whole_bank(document) else {
        return;
    };
    let tested = test(&Sheet::tally(document), examination.parameters);
    if let Some(striking) = tested.and_then(Tested::striking) {
        sink.in_source(range, message(striking)).component = ComponentId::whole();
    }
}

/// Reports options that speak of all options or of none, consist of one of a check's `phrases`,
/// or of one of its `first` words and nothing but its `words` after it.
fn options_that_say(examination: &Examination<'_>, sink: &mut Sink<'_>, what: WholeList) {
    const LONGEST: usize = 100;
    let phrases = examination.texts("phrases");
    let (first, words) = (examination.texts("first"), examination.texts("words"));
    let is_one = |words: &[String], word: &str| words.iter().any(|known| known == word);
    let consists = |plain: &str| {
        let mut parts = wording::words(plain).peekable();
        parts.next().is_some_and(|word| is_one(first, word))
            && parts.peek().is_some()
            && parts.all(|word| is_one(words, word))
    };
    for view in items(examination.document) {
        for index in 0..view.options().len() {
            let text = view.option(index);
            if text.len() > LONGEST {
                continue;
            }
            let plain = wording::plain(text);
            if whole_list::spoken_of(text) == Some(what)
                || phrases.contains(&plain)
                || consists(&plain)
            {
                sink.in_source(
                    view.option_range(index),
                    format!(
                        "option {} is “{}”; replace it with a plausible option, or remove it",
                        letter(index),
                        wording::shortened(text)
                    ),
                );
            }
        }
    }
}

/// Reports options that contain one of a check's `terms`, unless `is_fine` says that
/// the term in this range of the option is no problem.
fn options_with_terms(
    examination: &Examination<'_>,
    sink: &mut Sink<'_>,
    comment: &str,
    is_fine: impl Fn(ItemView<'_>, usize, &Range<usize>) -> bool,
) {
    let terms = examination.texts("terms");
    for view in items(examination.document) {
        for (index, text) in view.option_texts().enumerate() {
            let Some(found) = wording::find_any(text, terms) else {
                continue;
            };
            if !is_fine(view, index, &found) {
                let term = text.get(found).unwrap_or_default();
                let message = format!("option {} says “{term}”, {comment}", letter(index));
                sink.in_source(view.option_range(index), message);
            }
        }
    }
}

/// A probability as messages write it.
fn p_value(p: f64) -> String {
    if p < 0.001 {
        "below 0.001".to_owned()
    } else {
        format!("= {p:.3}")
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! The helper of the checks' tests: takes an item or a bank, returns the number of
    //! findings.

    use redraft_gate::check::Check;
    use redraft_gate::companion::Companions;
    use redraft_gate::examine::{self, Settings};
    use redraft_gate::profile::GateProfile as _;
    use redraft_gate::reading::{self, Hint};
    use redraft_gate::source::Source;

    use crate::clinical_mcq::CLINICAL_MCQ;

    /// A good item with some fields replaced.
    pub(crate) fn item(fields: &str) -> String {
        format!(
            r#"{{"stem": "Which drug is given?", "options": ["Aspirin", "Warfarin", "Morphine"], "correct_answer": "A", "rationale": "It is.", {fields}}}"#
        )
    }

    /// Checks how often each option is reported as the last one of an item.
    pub(crate) fn counted_alone(check: &'static Check, cases: &[(&str, usize)]) {
        for (option, expected) in cases {
            let item = item(&format!(r#""options": ["x", "y", "{option}"]"#));
            assert_eq!(count(check, &item), *expected, "{option}");
        }
    }

    pub(crate) fn count(check: &'static Check, json: &str) -> usize {
        messages(check, json).len()
    }

    pub(crate) fn messages(check: &'static Check, json: &str) -> Vec<String> {
        let raw = reading::read(Source::new(json.as_bytes().to_vec()), Hint::Json);
        let document = CLINICAL_MCQ.parse(raw, None);
        let settings = Settings {
            parameters: CLINICAL_MCQ.parameters().clone(),
            ..Settings::default()
        };
        examine::examine(&[check], &document, &Companions::default(), &settings)
            .findings
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    }
}
