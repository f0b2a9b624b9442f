//! The program: command line, configuration, reports. Everything that decides
//! lives in `redraft-core` and `redraft-profiles`; this crate opens files, asks
//! them, and prints.

pub mod baseline;
pub mod cli;
pub mod config;
pub mod desk;
pub mod files;
pub mod models;
pub mod moment;
pub mod pages;
pub mod report;
