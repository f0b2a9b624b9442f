//! The program as a user meets it: commands, exit codes, files, output.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod banks;
mod check;
mod companion_schemas;
mod companions;
mod configuration;
mod explain;
mod fixing;
mod folder;
mod foreign_text;
mod formats;
mod ignore_comments;
mod init;
mod judge;
mod judge_tests;
mod judged_formats;
mod long_inputs;
mod loops;
mod models;
mod output;
mod plan;
mod recordings;
mod refine_examples;
mod report;
mod reuse;
mod saving;
mod seeds;
mod served;
mod solving;
mod temp_folder;
mod unread;
mod verify;
mod watching;
mod write;
