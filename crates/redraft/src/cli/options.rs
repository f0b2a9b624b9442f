//! The options that commands share, and those of `check`.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use redraft_banks::{ColumnChoice, ColumnError};
use redraft_profiles::registry;

#[derive(Clone, Debug, Default, Args)]
pub struct CommonOptions {
    /// Read the content as this kind instead of detecting it
    #[arg(long, value_name = "PROFILE", value_parser = PossibleValuesParser::new(registry::names()))]
    pub profile: Option<String>,
    /// Read the content as a bank of this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = ["gift", "aiken", "moodle-xml", "qti", "csv", "tsv"])]
    pub format_in: Option<String>,
    /// Columns of a table: stem=NAME,options=FIRST..LAST,key=NAME
    #[arg(long, value_name = "COLUMNS", value_parser = valid_columns)]
    pub columns: Option<String>,
    /// Specification of the lesson (JSON)
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// Sources of the content (text, or JSON passages)
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// Scheme of work, or its entry for this lesson (JSON)
    #[arg(long, value_name = "FILE")]
    pub sow: Option<PathBuf>,
    /// The entry of the scheme of work that a command is about; `write` sets it.
    #[arg(skip)]
    pub sow_order: Option<i64>,
    /// Outcomes of the course (JSON)
    #[arg(long, value_name = "FILE")]
    pub outcomes: Option<PathBuf>,
    /// Expected language of the content, such as en or ru
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// Number of the first option in numeric answer keys: 0 or 1
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(0..=1))]
    pub index_base: Option<u8>,
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Print only the result
    #[arg(long, short)]
    pub quiet: bool,
    /// Disable colours
    #[arg(long)]
    pub no_color: bool,
}

/// A choice of columns as it is written, if it is one.
pub(super) fn valid_columns(written: &str) -> Result<String, ColumnError> {
    ColumnChoice::parse(written).map(|_| written.to_owned())
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with excerpts
    #[default]
    Human,
    /// One JSON object
    Json,
    /// One JSON object per document
    Jsonl,
    /// SARIF 2.1.0, for code scanning and editors
    Sarif,
    /// JUnit XML, for build servers
    Junit,
    /// A pull request comment
    Markdown,
}

impl CommonOptions {
    /// The files that are read besides the content.
    pub(super) fn companions(&self) -> impl Iterator<Item = &Path> {
        let companions = [
            &self.spec,
            &self.sources,
            &self.sow,
            &self.outcomes,
            &self.config,
        ];
        companions.into_iter().flatten().map(PathBuf::as_path)
    }
}

/// What happens to files that are not read.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct FileOptions {
    /// Report named files of other formats as not read instead of failing
    #[arg(long)]
    pub skip_unknown: bool,
    /// Succeed even if there was nothing to read
    #[arg(long)]
    pub allow_empty: bool,
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
    /// Show what the safe fixes would change, without changing anything
    #[arg(long)]
    pub diff: bool,
    /// With --fix or --diff: include unsafe (proposed) fixes; review them
    #[arg(long = "unsafe")]
    pub unsafe_fixes: bool,
    /// Apply only these fixes (CODE or CODE:LINE); BNK001 needs --unsafe
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub fix_only: Vec<String>,
    /// Check again whenever a file changes, until interrupted
    #[arg(long, conflicts_with_all = ["fix", "output", "write_baseline"])]
    pub watch: bool,
    /// Compare items with those of earlier banks (duplicates, answers)
    #[arg(long, value_name = "FILE")]
    pub against: Vec<PathBuf>,
    /// Replace a file even if that breaks its hard links
    #[arg(long)]
    pub break_links: bool,
    /// Run only these checks: codes, names, prefixes like TXT, or `all`
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Skip these checks
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Report only findings that are not in this baseline
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub baseline: Option<PathBuf>,
    /// Write all current findings to a baseline and succeed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "diff"])]
    pub write_baseline: Option<PathBuf>,
    /// Write the report (with --fix: the fixed text) here; `-` for stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show every finding, not only the first of each check in a file
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub files: FileOptions,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}
