//! The checks of Scottish cards, one a file.

use redraft_core::check::Check;

use crate::check_list::checks;
use crate::examples::Beside;

checks! {
    numeric_answer_check
}

/// What the documented examples of a check come with; `None` for checks of
/// another profile and for those that need nothing.
pub(crate) fn beside_examples(check: &Check) -> Option<Beside> {
    let _ = check;
    None
}
