//! Drives runs: asks models, writes the journal, reads the clock.
//!
//! Deliberately absent: any decision (they are all in `redraft-gate` and
//! `redraft-run`), any profile, any command line, any HTTP server.

pub mod blobs;
pub mod clock;
pub mod driver;
pub mod journal;
pub mod model;
pub mod replay;
pub mod verdicts;
