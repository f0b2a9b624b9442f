//! Drives runs: asks models, writes the journal, reads the clock.
//!
//! This crate makes no decisions (they are all in `redraft-gate` and `redraft-run`), and has no
//! profile, no command line and no HTTP server.

pub mod blobs;
pub mod clock;
pub mod driver;
pub mod journal;
pub mod model;
pub mod replay;
pub mod verdicts;
