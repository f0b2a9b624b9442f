//! Reports: the same result for people and for programs.

pub mod diff;
pub mod human;
pub mod json;
