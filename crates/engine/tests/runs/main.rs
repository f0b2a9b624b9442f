//! Whole runs through the driver with a scripted model: faults, journals, kills,
//! replays. No model is asked and no time is waited for.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod desk;
mod faults;
mod journals;
mod order;
