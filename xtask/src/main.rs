//! The project's own commands, run as `cargo xtask <command>`. Each command is a
//! file; this one only chooses. It knows nothing of lessons and checks.

mod acceptance;
mod banks;
mod bans;
mod cost_table;
mod data;
mod decisions;
mod docs;
mod fuzz;
mod inspector;
mod modules;
mod postgres;
mod process;
mod real_model;
mod report_page;
mod service_api;
mod service_load;
mod simulate;
mod steps;
mod supply_chain;
mod test;

use std::process::ExitCode;

use process::Repository;

const USAGE: &str = "usage: cargo xtask <command>

  test                   everything that must hold: format, lints, modules, pages, tests, dependencies
  acceptance [suite]     a long suite (faults, fuzz, hostile, service-faults, …); without one, the list
  docs [--check]         write the generated pages, or only compare them
  modules                cycles among the modules of each crate
  cost-table             tokens of a repair against those of writing the whole again

REDRAFT_REQUIRE_ALL=1 turns everything that would be skipped into a failure.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let repository = match Repository::find() {
        Ok(repository) => repository,
        Err(error) => return failed(&error),
    };
    let result = match words.as_slice() {
        ["test"] => test::run(&repository),
        ["docs"] => docs::write(&repository),
        ["docs", "--check"] => docs::check(&repository),
        ["cost-table"] => cost_table::run(&repository),
        ["simulate", ..] | ["fuzz", ..] => acceptance::run(&repository, &words),
        ["acceptance", rest @ ..] => acceptance::run(&repository, rest),
        ["modules"] => modules::check(&repository).map(|outcome| steps::tell(&outcome)),
        _ => return usage(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("\nxtask: {error:#}");
    ExitCode::FAILURE
}
