//! Whole runs: faults, journals, kills, replays, judging, refinement. Most of them use a scripted
//! or fake model; those in `http` use a local provider.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod arbiter;
mod batches;
mod caching;
mod card_repairs;
mod cards;
mod failed_judges;
mod fake_provider;
mod faults;
mod fixtures;
mod hostile;
mod hostile_cards;
mod hostile_data;
mod hostile_items;
mod hostile_rewrites;
mod http;
mod in_memory;
mod items;
mod journals;
mod json_fixtures;
mod judge_panel;
mod kept_edits;
mod kill_and_resume;
mod long_inputs;
mod order;
mod plan_worst_case;
mod refine;
mod refine_properties;
mod repair_budget;
mod shipped_defaults;
mod solving;
mod time_limits;
mod writing;
