//! The options of the commands.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options that every command on content shares.
#[derive(Clone, Debug, Default, Args)]
pub struct CommonOptions {
    /// Read the content as this kind instead of detecting it
    #[arg(long, value_name = "PROFILE", value_parser = ["lesson", "sqa-lesson", "clinical-mcq"])]
    pub profile: Option<String>,
    /// The lesson's specification (JSON)
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// The sources it was written from (text, or JSON passages)
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// The scheme of work, or its entry for this lesson (JSON)
    #[arg(long, value_name = "FILE")]
    pub sow: Option<PathBuf>,
    /// The outcomes of the course (JSON)
    #[arg(long, value_name = "FILE")]
    pub outcomes: Option<PathBuf>,
    /// The language the content is to be in, such as en or ru
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// The configuration [default: redraft.toml here or above]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Print nothing but the result
    #[arg(long, short)]
    pub quiet: bool,
    /// Never use colours
    #[arg(long)]
    pub no_color: bool,
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with snippets
    #[default]
    Human,
    /// One JSON object
    Json,
    /// One JSON object a document
    Jsonl,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// JUnit XML, for build servers
    Junit,
    /// A comment for a pull request
    Markdown,
}

/// Options of `check`.
#[derive(Clone, Debug, Default, Args)]
pub struct CheckOptions {
    /// Files or folders; `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// Apply the safe fixes in place (or to -o)
    #[arg(long, conflicts_with = "diff")]
    pub fix: bool,
    /// Show what the safe fixes would change, and change nothing
    #[arg(long)]
    pub diff: bool,
    /// Only these checks: codes, names, prefixes such as TXT, or `all`
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Not these checks
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Do not report what this baseline lists
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub baseline: Option<PathBuf>,
    /// Write all present findings to a baseline and succeed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: Option<PathBuf>,
    /// Write the report (with --fix: the fixed content) to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show every finding, not just the first of each kind in a file
    #[arg(long)]
    pub all: bool,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}
