//! The hands of a run: asks models, keeps the journal, tells the time.
//!
//! Deliberately absent: any decision (they are all in `redraft-gate`, `redraft-run`), any
//! profile, any command line, any HTTP server. The driver only asks and tells.

pub mod clock;
pub mod driver;
pub mod journal;
pub mod model;
pub mod replay;
pub mod tokens;
