//! The entry point: runs the command and turns its result into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    redraft::cli::main()
}
