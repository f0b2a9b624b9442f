//! The checks of Scottish cards, one a file.

use redraft_core::check::Check;

use crate::check_list::checks;
use crate::examples::Beside;

checks! {
    numeric_answer_check
    plain_sentence_too_long
    passive_voice
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

/// What the documented examples of a check come with; `None` for checks of
/// another profile and for those that need nothing.
pub(crate) fn beside_examples(check: &Check) -> Option<Beside> {
    let _ = check;
    None
}
