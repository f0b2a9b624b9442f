//! The checks that only clinical items have, one per file.

use crate::check_list::checks;

checks! {
    vignette_too_short
}
