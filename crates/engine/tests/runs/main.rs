//! Whole runs: faults, journals, kills, replays, judging, refinement. Most of them
//! with a scripted or made-up model, and those in `http` with a provider on this
//! machine.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cards;
mod desk;
mod faults;
mod http;
mod items;
mod journals;
mod judge_panel;
mod killed;
mod long_inputs;
mod loopback;
mod order;
mod play;
mod refine;
mod refine_properties;
mod shelf;
mod writing;
