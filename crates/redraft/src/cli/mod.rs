//! The command line: what can be asked, and with which exit code it ends.

mod bank;
mod check;
mod database;
mod exit;
mod explain;
mod init;
mod inputs;
mod jobs;
mod journals;
mod judge;
mod model_source;
mod models;
mod options;
mod plan;
mod record;
mod refine;
mod replay;
mod run_options;
mod session;
mod verify;
mod write;

use std::io::Write as _;
use std::panic;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use exit::Exit;
pub use init::InitOptions;
pub use judge::JudgeOptions;
pub use models::ModelsOptions;
pub use options::{CheckOptions, CommonOptions, Format};
pub use plan::PlanOptions;
pub use refine::RefineOptions;
pub use replay::ReplayOptions;
pub use verify::VerifyOptions;
pub use write::WriteOptions;

/// The exit code for a fault of ours.
const OUR_FAULT: u8 = 70;

/// The desk that machine-written teaching material passes before a learner sees it.
#[derive(Debug, Parser)]
#[command(name = "redraft", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0    clean, or accepted
  1    the gate failed: findings of severity error, or not good enough
  2    wrong usage or unreadable input
  3    handed over to a person
  4    nothing could be scored: the budget did not suffice
  5    nothing could be scored: no model, or trouble with it
  70   a fault of ours
  130  interrupted; the run can be resumed";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check lessons, cards and items without a model
    Check(Box<CheckOptions>),
    /// Have models judge lessons, cards and items by their rubric
    Judge(Box<JudgeOptions>),
    /// Repair what is weak, and prove that nothing else was changed
    Refine(Box<RefineOptions>),
    /// Tell what a run may come to, before anything is spent
    Plan(Box<PlanOptions>),
    /// Write a lesson, cards or an item from what was ordered; then judge and repair it
    Write(Box<WriteOptions>),
    /// Decide a recorded run again, without asking a model
    Replay(ReplayOptions),
    /// Show which model is asked for what, and where each setting came from
    Models(ModelsOptions),
    /// Write a commented redraft.toml to begin with
    Init(InitOptions),
    /// Check that a result differs from its original only where its receipts say
    Verify(VerifyOptions),
    /// Explain a check: what it finds, why it matters, an example
    Explain(explain::ExplainOptions),
}

/// Runs the command line.
#[must_use]
pub fn main() -> ExitCode {
    panic::set_hook(Box::new(|fault| {
        let _ = writeln!(
            anstream::stderr(),
            "redraft: a fault of ours, please report it: {fault}"
        );
    }));
    let run = || {
        let cli = match Cli::try_parse() {
            Ok(cli) => cli,
            Err(error) => {
                let code = if error.use_stderr() {
                    Exit::Usage.code()
                } else {
                    0
                };
                let _ = error.print();
                return code;
            }
        };
        match run(cli) {
            Ok(exit) => exit.code(),
            Err(error) if is_broken_pipe(&error) => 0,
            Err(error) => {
                let _ = writeln!(anstream::stderr(), "redraft: {error:#}");
                Exit::Usage.code()
            }
        }
    };
    ExitCode::from(panic::catch_unwind(run).unwrap_or(OUR_FAULT))
}

/// Somebody closed our output, as `head` does: nothing to complain about.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command {
        Command::Check(options) => check::run(&options),
        Command::Judge(options) => judge::run(&options),
        Command::Refine(options) => refine::run(&options),
        Command::Plan(options) => plan::run(&options),
        Command::Write(options) => write::run(&options),
        Command::Replay(options) => replay::run(&options),
        Command::Models(options) => models::run(&options),
        Command::Init(options) => init::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Explain(options) => explain::run(&options),
    }
}
