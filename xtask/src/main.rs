//! The project's own commands, run as `cargo xtask <command>`. Each command is a
//! file; this one only chooses. It knows nothing of lessons and checks.

mod bans;
mod cost_table;
mod data;
mod docs;
mod fuzz;
mod process;
mod real_model;
mod simulate;
mod steps;
mod supply_chain;
mod test;

use std::process::ExitCode;

use process::Repository;

const USAGE: &str = "usage: cargo xtask <command>

  test                     everything that must hold: format, lints, bans, pages, tests, dependencies
  docs [--check]           write the generated pages, or only compare them
  cost-table               what a repair takes, in tokens, against writing the whole again
  simulate [--seed N] [--lessons N] [--cards N] [--items N] [--rules N] [--rules-alone] [--json]
                           what becomes of texts whose true quality is known (docs/simulation.md)
  fuzz [target] [seconds]  run one fuzz target, or all, for so long each (60)";

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
        ["simulate", rest @ ..] => simulate::run(&repository, rest),
        ["fuzz", rest @ ..] if rest.len() <= 2 => match fuzz::Request::parse(rest) {
            Some(request) => fuzz::run(&repository, &request),
            None => return usage(),
        },
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
