//! The program as a user meets it: commands, exit codes, files, output.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod bank_formats;
mod bank_packages;
mod bank_runs;
mod banks;
mod check;
mod companion_schemas;
mod companions;
mod configuration;
mod explain;
mod export;
mod fixing;
mod folder;
mod foreign_text;
mod formats;
mod ignore_comments;
mod init;
mod judge;
mod judge_tests;
mod judged_formats;
#[cfg(target_os = "linux")]
mod kills;
mod long_inputs;
mod loops;
mod mistakes;
mod models;
mod output;
mod own_files;
mod plan;
mod rebalancing;
mod recordings;
mod refine_examples;
mod refine_output;
mod report;
mod reuse;
mod saving;
mod seeds;
mod served;
mod service;
mod solving;
mod temp_folder;
#[cfg(target_os = "linux")]
mod terminal;
mod unread;
mod verify;
mod watching;
mod write;
