//! The checks of Scottish cards, one a file.

use crate::check_list::checks;

checks! {}
