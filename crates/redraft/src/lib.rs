//! The program: command line and configuration. Everything that decides lives in
//! `redraft-gate`, `redraft-run` and `redraft-profiles`, every sentence about a result
//! in `redraft-report`; this crate reads files, connects models, and prints.

pub mod baseline;
pub mod cli;
pub mod config;
pub mod files;
pub mod inspection;
pub mod models;
pub mod pages;
pub mod seed_files;
pub mod store;
mod trust;
mod user_key;
