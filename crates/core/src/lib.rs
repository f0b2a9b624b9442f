//! The rules of redraft, without I/O: what a document is, what a check finds in
//! it, how a fix is applied, and what the self-review makes of the findings.
//!
//! Deliberately absent: files, clocks, randomness, the network (clippy enforces
//! it, see `clippy.toml` beside this crate); any knowledge of a profile (no
//! `if clinical` anywhere); Mermaid; templates. The modules stand in the order in
//! which a document flows through them.

pub mod shared_text;
pub mod source;
pub mod span;
pub mod written;

pub mod reading;

pub mod content;
mod plain;
pub mod vocabulary;

pub mod companion;

pub mod check;
pub mod finding;
pub mod policy;
pub mod rubric;

pub mod edit;
pub mod examine;
pub mod fix;
pub mod inspect;
pub mod silence;

pub mod metrics;
pub mod review;
pub mod self_review;

mod answer;
pub mod ask;
pub mod fit;
pub mod ledger;
pub mod prompt;

pub mod agreement;
pub mod arbitrate;
pub mod assess;
pub mod cascade;
pub mod decide;
pub mod event;
pub mod outcome;
pub mod receipt;
pub mod remembered;
pub mod repair;
pub mod route;
pub mod run;
pub mod severity;
pub mod verdict;
pub mod verify;
pub mod write;

pub mod profile;

#[cfg(test)]
mod desk;
