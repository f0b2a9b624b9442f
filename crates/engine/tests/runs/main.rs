//! Whole runs through the driver: faults, journals, kills, replays. Most of them
//! with a scripted model, and those in `http` with a provider on this machine.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod desk;
mod faults;
mod http;
mod journals;
mod loopback;
mod order;
mod writing;
