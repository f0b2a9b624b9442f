//! The program as a user meets it: commands, exit codes, files, output.

mod check;
mod configuration;
mod explain;
mod fixing;
mod output;
mod workplace;
