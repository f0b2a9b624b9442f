//! The checks of items and banks, one a file.

use std::ops::Range;

use redraft_core::content::Document;

use crate::check_list::checks;
use crate::clinical_mcq::model::Bank;

checks! {
    vignette_too_short
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
    key_position_bias
    longest_key_bank
    duplicate_items
    bloom_spread
}

/// Where to point for a fault of a bank as a whole: at its opening; `None` for an
/// item on its own.
fn whole_bank(document: &Document) -> Option<Range<usize>> {
    let bank = document.model::<Bank>()?;
    let first = bank.items.first()?.range.start;
    bank.is_bank.then_some(first..first + 1)
}

/// A probability as it is written in a message.
fn p_value(p: f64) -> String {
    if p < 0.001 {
        "below 0.001".to_owned()
    } else {
        format!("= {p:.3}")
    }
}

#[cfg(test)]
mod testing {
    //! The one helper of the checks' tests: an item or a bank in, the number of
    //! findings out.

    use redraft_core::check::Check;
    use redraft_core::companion::Companions;
    use redraft_core::examine::{self, Settings};
    use redraft_core::profile::Profile as _;
    use redraft_core::reading::{self, Hint};
    use redraft_core::source::Source;

    use crate::clinical_mcq::ClinicalMcq;

    /// A sound item with some fields replaced.
    pub(super) fn item(fields: &str) -> String {
        format!(
            r#"{{"stem": "Which drug is given?", "options": ["Aspirin", "Warfarin", "Morphine"], "correct_answer": "A", "rationale": "It is.", {fields}}}"#
        )
    }

    pub(super) fn count(check: &'static Check, json: &str) -> usize {
        messages(check, json).len()
    }

    pub(super) fn messages(check: &'static Check, json: &str) -> Vec<String> {
        let raw = reading::read(Source::new(json.as_bytes().to_vec()), Hint::Json);
        let document = ClinicalMcq.parse(raw, None);
        let settings = Settings {
            parameters: ClinicalMcq.parameters().clone(),
            ..Settings::default()
        };
        examine::examine(&[check], &document, &Companions::default(), &settings)
            .findings
            .into_iter()
            .map(|finding| finding.message)
            .collect()
    }
}
