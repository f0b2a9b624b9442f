//! Whole runs through the driver with a scripted model: faults, journals, kills,
//! replays. No model is asked and no time is waited for.

mod desk;
mod faults;
mod journals;
mod order;
