//! The checks of items and banks, one a file.

use crate::check_list::checks;

checks! {}
