//! The command line: its commands, and running one of them.

mod bank;
mod board;
mod check;
mod check_file;
mod check_result;
mod completions;
mod convert;
mod convert_losses;
mod convert_preview;
mod database;
mod done;
mod ended;
mod events;
mod exit;
mod explain;
mod export;
mod hints;
mod init;
mod init_shape;
mod inputs;
mod jobs;
mod journals;
mod judge;
mod judge_test;
mod judged_formats;
mod model_source;
mod models;
mod options;
mod output;
mod plan;
mod policy_overlay;
mod rebalance;
mod record;
mod refine;
mod replay;
mod report;
mod report_input;
mod reviewer;
mod run_options;
mod runs;
mod saving;
mod service;
mod session;
mod signals;
mod solver;
mod trust;
mod unread;
mod verify;
mod watch;
mod write;
mod write_all;

pub(crate) use events::EventLine;
use std::io::Write as _;
use std::panic;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum as _};
use redraft_report::plain;

use output::complain;

pub use convert::ConvertOptions;
pub use exit::Exit;
pub use export::{ExportOptions, Store};
pub use init::InitOptions;
pub use judge::JudgeOptions;
pub use models::ModelsOptions;
pub use options::{CheckOptions, CommonOptions, FileOptions, Format};
pub use plan::PlanOptions;
pub use refine::RefineOptions;
pub use replay::ReplayOptions;
pub use report::ReportOptions;
pub use service::{AdminOptions, ServeOptions, WorkerOptions};
pub use verify::VerifyOptions;
pub use write::WriteOptions;

/// The exit code of an internal error.
const INTERNAL_ERROR: u8 = 70;

/// What a shell reports of a program that SIGPIPE ended.
const CLOSED_OUTPUT: u8 = 141;

/// Check, judge and repair machine-written teaching material
#[derive(Debug, Parser)]
#[command(name = "redraft", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "Exit codes:
  0    clean, or accepted; at least one document was read
  1    the gate failed: findings of severity error, or below the threshold
  2    wrong usage, unreadable input, or nothing to read
  3    escalated to a reviewer
  4    nothing was scored: budget exhausted
  5    nothing was scored: no model configured, or no usable answer
  70   internal error; please report it
  130  interrupted; the run can be resumed
  141  the output was closed before the report was written";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check lessons, cards and items without a model
    Check(Box<CheckOptions>),
    /// Judge lessons, cards and items by their rubric, using models
    Judge(Box<JudgeOptions>),
    /// Repair weak components and prove that nothing else changed
    Refine(Box<RefineOptions>),
    /// Estimate calls, tokens and cost of a run
    Plan(Box<PlanOptions>),
    /// Write a lesson, cards or an item, then judge and repair it
    Write(Box<WriteOptions>),
    /// Repeat the decisions of a recorded run without asking a model
    Replay(ReplayOptions),
    /// Show the model of each role, and where each setting comes from
    Models(ModelsOptions),
    /// Write a question bank in another format
    Convert(ConvertOptions),
    /// Write a commented redraft.toml to start from
    Init(InitOptions),
    /// Convert cards to a row of a lesson store, or a row to cards
    Export(ExportOptions),
    /// Verify that a result changed only what its receipts list
    Verify(VerifyOptions),
    /// Show results as one HTML page: text, changes, judges, cost, receipts
    Report(ReportOptions),
    /// List, adopt, export and import recorded runs
    Runs(runs::RunsOptions),
    /// Let the redraft.toml found here choose where keys are sent
    Trust(trust::TrustOptions),
    /// Explain a check: what it finds and why it matters, with examples
    Explain(explain::ExplainOptions),
    /// Print shell completions
    Completions(completions::CompletionsOptions),
    /// Print the manual page, or write those of all commands to a folder
    Man(completions::ManOptions),
    /// Serve the HTTP API and process submitted runs
    Serve(ServeOptions),
    /// Process the runs of a service, without its HTTP API
    Worker(WorkerOptions),
    /// Manage tenants, API keys and the data of a service
    Admin(AdminOptions),
}

#[must_use]
pub fn main() -> ExitCode {
    panic::set_hook(Box::new(|panic| {
        complain(&format!("internal error, please report it: {panic}"));
    }));
    signals::report_size_limits();
    let run = || {
        let cli = match parsed() {
            Ok(cli) => cli,
            Err(error) => {
                let code = if error.use_stderr() {
                    Exit::Usage.code()
                } else {
                    0
                };
                let text = error.render().ansi().to_string();
                let text = plain::screen(&text);
                // A closed output is not an error of ours.
                let _ = if error.use_stderr() {
                    anstream::stderr().write_all(text.as_bytes())
                } else {
                    anstream::stdout().write_all(text.as_bytes())
                };
                return code;
            }
        };
        match run(cli) {
            Ok(exit) => exit.code(),
            Err(error) if is_broken_pipe(&error) => CLOSED_OUTPUT,
            Err(error) if is_of_output(&error) => {
                complain(&format!("cannot write the output: {error}"));
                Exit::Usage.code()
            }
            Err(error) => {
                complain(&format!("{error:#}"));
                Exit::Usage.code()
            }
        }
    };
    ExitCode::from(panic::catch_unwind(run).unwrap_or(INTERNAL_ERROR))
}

/// The command line, with the help of each command.
fn parsed() -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command().try_get_matches()?)
}

/// The commands, each with the formats that it has.
#[must_use]
pub fn command() -> clap::Command {
    const RUNS: [&str; 3] = ["human", "json", "jsonl"];
    const SHORT: [&str; 2] = ["human", "json"];
    let only = |command: clap::Command, formats: &'static [&'static str]| {
        let chosen = PossibleValuesParser::new(formats)
            .map(|name| Format::from_str(&name, true).unwrap_or_default());
        command.mut_arg("format", |arg| arg.value_parser(chosen))
    };
    Cli::command()
        .mut_subcommand("plan", |command| only(command, &RUNS))
        .mut_subcommand("write", |command| only(command, &RUNS))
        .mut_subcommand("verify", |command| only(command, &RUNS))
        .mut_subcommand("replay", |command| only(command, &RUNS))
        .mut_subcommand("models", |command| only(command, &SHORT))
}

/// Whether the output could not be written: files are named where they are read and written,
/// only the output has no name.
fn is_of_output(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|io| io.to_string() == error.to_string())
}

/// The reader closed our output, as `head` does. That is no error to tell, but no success
/// either: nobody has seen the verdict.
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
        Command::Convert(options) => convert::run(&options),
        Command::Init(options) => init::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Runs(options) => runs::run(&options),
        Command::Trust(options) => trust::run(&options),
        Command::Explain(options) => explain::run(&options),
        Command::Completions(options) => completions::print(&options),
        Command::Man(options) => completions::manual(&options),
        Command::Serve(options) => service::serve(&options),
        Command::Worker(options) => service::worker(&options),
        Command::Admin(options) => service::admin(&options),
    }
}
