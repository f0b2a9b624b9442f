//! The checks for Scottish cards, one per file.

use redraft_gate::check::Check;

use crate::check_list::checks;
use crate::examples::Beside;

pub(super) use numeric_answer_check::proven_answer;

checks! {
    card_count
    cards_for_time
    redundant_card
    broken_i_we_you
    scaffolding_not_fading
    cfu_type_mismatch
    missing_rubric
    rubric_without_method_marks
    rubric_points_mismatch
    marks_out_of_range
    vague_criterion
    hint_count
    hints_not_progressive
    hints_in_independent_practice
    hint_gives_answer
    undescribed_visual
    generic_title
    timing_mismatch
    card_time_unrealistic
    no_scheme_entry
    missing_outcome
    unknown_outcome
    missing_assessment_standard
    calculator_policy
    engagement_tag_unused
    invalid_answer_index
    inconsistent_cfu_shape
    field_length
    misconception_shape
    numeric_answer_check
    plain_sentence_too_long
    passive_voice
    difficult_tense
    difficult_connective
    difficult_word
    long_paragraph
    several_instructions_in_a_line
    unnumbered_procedure
    emphasis_overuse
    latex_in_plain_text
    foreign_currency
    currency_after_amount
    unrealistic_price
    non_scottish_brand
    us_spelling
    cfe_terminology
    inconsistent_terminology
}

/// The companion files of a check's documented examples; `None` for checks of other
/// profiles and for those that need none.
pub(crate) fn beside_examples(check: &Check) -> Option<Beside> {
    let scheme = |scheme_of_work| {
        Some(Beside {
            scheme_of_work: Some(scheme_of_work),
            ..Beside::default()
        })
    };
    match check.name {
        "no-scheme-entry" => scheme(no_scheme_entry::SCHEME),
        "missing-outcome" => scheme(missing_outcome::SCHEME),
        "missing-assessment-standard" => scheme(missing_assessment_standard::SCHEME),
        "unknown-outcome" => Some(Beside {
            outcomes: Some(unknown_outcome::OUTCOMES),
            ..Beside::default()
        }),
        _ => None,
    }
}
