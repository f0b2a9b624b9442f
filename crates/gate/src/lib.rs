//! The free gate, without I/O: what a document is, what a check finds in it, how a
//! fix is applied, what the self-review makes of the findings, and receipts that
//! prove which bytes changed. Everything that `redraft check` needs.
//!
//! Deliberately absent: files, clocks, randomness, the network (clippy enforces it,
//! see `clippy.toml` beside this crate); models, judges and runs; any knowledge of a
//! profile (no `if clinical` anywhere). The modules are in the order in which a document
//! flows through them.

pub mod shared_text;
pub mod source;
pub mod span;

pub mod field_map;
mod foreign;
pub mod format;
pub mod reading;

pub mod content;
pub mod vocabulary;

pub mod companion;

pub mod check;
pub mod finding;
pub mod fingerprint;
pub mod policy;
pub mod score;

pub mod added;
pub mod edit;
pub mod examine;
pub mod fix;
pub mod inspect;
pub mod silence;

pub mod metrics;
pub mod review;

pub mod receipt;

pub mod profile;

#[doc(hidden)]
pub mod fixtures;
