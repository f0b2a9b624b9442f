//! `cargo xtask acceptance NAME`: the suites that take long. `cargo xtask test` runs a
//! short form of each, named in the table.
//!
//! | suite | long | short form, in `test` |
//! |---|---|---|
//! | `api` | schemathesis over the OpenAPI document of the service, on SQLite and PostgreSQL | none |
//! | `bank` | a bank of 1,000 items judged and refined, killed three times | the same with a dozen items |
//! | `banks` | banks that other programs write, read and fixed, and read again by them | none: it needs their packages |
//! | `faults` | hostile replies, arrivals and kills, thousands of cases | the same properties, some dozen cases |
//! | `fuzz` | every fuzz target for a while, with libFuzzer | the examples of all checks, whole and damaged |
//! | `hostile` | hostile documents of full size | the same documents, a quarter as long |
//! | `inspector` | the inspector in Chromium, all screens light and dark, wide and narrow, with screenshots | the same paths; screens light and wide |
//! | `kills` | 300 times `kill -9` over all commands | sixteen times |
//! | `service-faults` | 200 runs on PostgreSQL, workers killed and paused, the database restarted | 8 runs on SQLite and PostgreSQL, workers killed and paused |
//! | `service-load` | figures: runs a second, latency, readers of events | none |
//! | `simulate` | thousands of documents through whole runs | a dozen documents |
//! | `real-model` | the client against a real, tiny model | the same |
//! | `report-page` | the HTML report in Chromium, light and dark, with screenshots | light, without them |

use anyhow::{Result, bail};

use crate::postgres::Postgres;
use crate::process::Repository;
use crate::report_page::{self, Length};
use crate::steps::Outcome;
use crate::{banks, fuzz, inspector, real_model, service_api, service_load, simulate, steps};

const SUITES: &str = "usage: cargo xtask acceptance <suite>

  api                      the service against its OpenAPI document, by schemathesis
  bank [items]             a bank through judge and refine, killed three times (1000 items)
  banks                    banks of other programs (text2qti, gift-pegjs …) through redraft
  faults [cases]           properties of whole runs under hostile replies (1000 cases each)
  fuzz [target] [seconds]  run one fuzz target, or all, for so long each (60)
  hostile                  hostile documents of full size through every check
  inspector                the inspector in a real browser, with screenshots
  kills [number]           kill -9 at random moments over all commands (300)
  service-faults [runs]    killed and paused workers, a restarted PostgreSQL (200 runs)
  service-load [runs]      runs a second and latency on SQLite and PostgreSQL (2000 runs)
  simulate [--seed N] [--pooled N] [--lessons N] [--cards N] [--items N] [--rules N] [--rules-alone] [--forecast] [--json]
                           texts of known quality through whole runs (docs/simulation.md)
  real-model               the client against a real, tiny model
  report-page              the HTML report in a real browser, with screenshots";

/// Runs one suite at full length.
pub(crate) fn run(repository: &Repository, words: &[&str]) -> Result<()> {
    match words {
        ["api"] => service_api::run(repository),
        ["bank"] => bank(repository, "1000"),
        ["bank", items] if items.parse::<u32>().is_ok() => bank(repository, items),
        ["banks"] => told(banks::check(repository)?),
        ["faults"] => faults(repository, "1000"),
        ["faults", cases] if cases.parse::<u32>().is_ok() => faults(repository, cases),
        ["fuzz", rest @ ..] => match fuzz::Request::parse(rest) {
            Some(request) => fuzz::run(repository, &request),
            None => bail!("{SUITES}"),
        },
        ["hostile"] => repository.cargo_with(
            &nextest("package(redraft-profiles) & test(hostile)"),
            &[("REDRAFT_ACCEPTANCE", "1")],
        ),
        ["inspector"] => told(inspector::check(repository, Length::Long)?),
        ["kills"] => kills(repository, "300"),
        ["kills", number] if number.parse::<u32>().is_ok() => kills(repository, number),
        ["service-faults"] => service_faults(repository, "200"),
        ["service-faults", runs] if runs.parse::<u32>().is_ok() => service_faults(repository, runs),
        ["service-load"] => service_load::run(repository, 2_000),
        ["service-load", runs] => match runs.parse() {
            Ok(runs) => service_load::run(repository, runs),
            Err(_) => bail!("{SUITES}"),
        },
        ["simulate", rest @ ..] => simulate::run(repository, rest),
        ["real-model"] => match steps::unless_skips_fail(real_model::check(repository)?)? {
            Outcome::Skipped(why) => bail!("skipped: {why}"),
            Outcome::Ran | Outcome::RanBut(_) => Ok(()),
        },
        ["report-page"] => told(report_page::check(repository, Length::Long)?),
        _ => bail!("{SUITES}"),
    }
}

/// A suite that was asked for by name must run.
fn told(outcome: Outcome) -> Result<()> {
    match steps::unless_skips_fail(outcome)? {
        Outcome::Skipped(why) => bail!("skipped: {why}"),
        outcome => {
            steps::tell(&outcome);
            Ok(())
        }
    }
}

/// Prints calls and memory as well.
fn bank(repository: &Repository, items: &str) -> Result<()> {
    let tests = nextest("package(redraft) & test(bank_runs)");
    let shown = ["--success-output", "immediate"];
    let words: Vec<&str> = tests.into_iter().chain(shown).collect();
    repository.cargo_with(&words, &[("REDRAFT_BANK_ITEMS", items)])
}

fn faults(repository: &Repository, cases: &str) -> Result<()> {
    let tests = "package(redraft-engine) & (test(properties) | test(order))";
    repository.cargo_with(&nextest(tests), &[("PROPTEST_CASES", cases)])
}

fn kills(repository: &Repository, number: &str) -> Result<()> {
    repository.cargo_with(
        &nextest("package(redraft) & test(kills)"),
        &[("REDRAFT_KILLS", number)],
    )
}

fn service_faults(repository: &Repository, runs: &str) -> Result<()> {
    let postgres = Postgres::start()?;
    if let Postgres::Missing(why) = &postgres {
        bail!("skipped: {why}");
    }
    let (url, restart) = (postgres.url(), postgres.restart());
    let variables = [
        ("REDRAFT_FAULT_RUNS", runs),
        ("TEST_DATABASE_URL", url.as_deref().unwrap_or_default()),
        (
            "REDRAFT_FAULT_RESTART",
            restart.as_deref().unwrap_or_default(),
        ),
    ];
    let mut words = nextest("package(redraft) & test(service::faults::killed)").to_vec();
    words.push("--no-capture");
    repository.cargo_with(&words, &variables)
}

/// Builds the whole workspace, so that nothing is compiled a second time with other
/// features, and runs some of the tests.
fn nextest(tests: &str) -> [&str; 6] {
    ["nextest", "run", "--workspace", "--locked", "-E", tests]
}
