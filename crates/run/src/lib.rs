//! What models are asked about a document and what follows from their answers: verdicts, panel,
//! arbitration, repair, verification, decision, and the run that ties them together.
//!
//! This crate does no I/O: no files, clocks, randomness or network (enforced by clippy, see
//! `clippy.toml` beside it). It knows no profile (there is no `if clinical`), and it holds no
//! templates and no sentences for people. The modules are listed in the order in which a document
//! passes through them.

pub mod bytes_json;
pub mod memo;
pub mod token_estimate;
pub mod usual_calls;

pub mod policy;
pub mod rubric;

pub mod ask;
pub mod fit;
pub mod ledger;
pub mod prompt;
pub mod prospects;
mod reply;

pub mod self_review;
pub mod severity_scales;
pub mod unscored;
pub mod verdict;

pub mod planning_reasons;
pub mod reasons;

pub mod agreement;
pub mod arbitrate;
pub mod assess;
pub mod cascade;

pub mod route;

pub mod complaint;
pub mod repair;
pub mod restructure;
pub mod structure;
pub mod write;

pub mod request;
pub mod verify;

pub mod phrase;

pub mod decide;

pub mod event;
pub mod outcome;

pub mod profile;

pub mod forecast;
pub mod judge_test;
pub mod setup;
pub mod solve;

pub mod run;

#[cfg(test)]
mod fixtures;
