//! Multiple-choice items and banks of them: what every profile of items shares. Parsing,
//! the checks, the statistics of banks, and what no repair may touch.

pub mod bank;
pub mod checks;
pub mod counting;
pub mod model;
pub mod permute;
pub mod profile;
pub mod validation;

pub(crate) use blind::only_answer;
pub use recognise::{Fragment, fragment};

mod amounts;
mod articles;
mod blind;
mod claims;
mod forms;
mod guard;
mod inverted;
mod key;
mod labels;
mod letters;
mod lists;
mod meaning;
mod names;
mod option_words;
pub mod order;
mod parse;
mod protect;
mod read;
mod recognise;
mod same_answer;
mod stated_key;
mod swap;
mod swap_in_bank;
mod whole_list;
pub(crate) mod wording;
