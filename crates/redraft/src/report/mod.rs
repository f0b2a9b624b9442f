//! Reports: the same result for people and for programs.

pub mod bank;
mod cost;
pub mod diff;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod models;
mod panel;
pub mod plan;
pub mod refined;
pub mod run;
pub mod sarif;
pub mod seated;
pub mod seeds;
pub mod verdict;
