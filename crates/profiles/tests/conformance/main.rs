//! What must hold for every profile and every check, whatever its subject: the
//! documented examples, the fixes, reading and writing back, hostile input.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod acceptance;
mod answers;
mod bank_edits;
mod clinical;
mod examples;
mod fixes;
mod fixtures;
mod generator_forms;
mod generator_items;
mod good_cards;
mod hostile;
mod judge_pairs;
mod judging;
mod left_out;
mod panels;
mod places;
mod prompts;
mod reading;
mod rebalancing;
mod reference_data;
#[path = "../support/reference_folder.rs"]
mod reference_folder;
mod residue;
mod routing;
mod rubrics;
mod specifications;
mod task_prompts;
mod teachers_banks;
mod token_counts;
mod unharmed;
