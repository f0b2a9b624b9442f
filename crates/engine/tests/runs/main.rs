//! Whole runs: faults, journals, kills, replays, judging, refinement. Most of them
//! with a scripted or made-up model, and those in `http` with a provider on this
//! machine.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cards;
mod fake_provider;
mod faults;
mod fixtures;
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
mod refine;
mod refine_properties;
mod repair_budget;
mod shipped_defaults;
mod writing;
