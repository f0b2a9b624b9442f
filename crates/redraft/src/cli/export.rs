//! `redraft export`: a set of cards as the row of a store, or a row as cards again.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::inputs;
use super::output::{self, complain, shown};
use crate::files::{self, HardLinks};
use crate::inspection::path_text;
use crate::store::{self, RowDefaults};
use redraft_report::plain;

/// Options of `export`.
#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// Cards (JSON), or a row of a store; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Format of the row
    #[arg(long, value_enum)]
    pub store: Store,
    /// Course, if the cards do not name one
    #[arg(long, value_name = "ID")]
    pub course: Option<String>,
    /// Order in the scheme of work, if the cards do not give one
    #[arg(long, value_name = "N")]
    pub order: Option<i64>,
    /// Author, if the cards do not name one [default: redraft]
    #[arg(long, value_name = "NAME")]
    pub created_by: Option<String>,
    /// Status, if the cards do not have one [default: draft]
    #[arg(long, value_name = "STATUS", value_parser = ["draft", "review", "published"])]
    pub status: Option<String>,
    /// Write the row to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Where a row goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// Cards as one compressed string, lists as JSON in strings
    Appwrite,
    /// Cards as they are, plus a compressed copy
    Json,
}

pub(super) fn run(options: &ExportOptions) -> anyhow::Result<Exit> {
    let path = &options.file;
    output::spare(options.output.as_deref(), [path.as_path()])?;
    let limits = inputs::limits(None)?;
    let bytes = files::read(path, &limits).with_context(|| files::cannot_read(path))?;
    let template = match store::unpacked(&bytes, limits.document) {
        Ok(Some(template)) => template,
        Ok(None) => bytes,
        Err(error) => bail!("{}: {error}", shown(path)),
    };
    let defaults = RowDefaults {
        course: options.course.clone(),
        order: options.order,
        created_by: options.created_by.clone(),
        status: options.status.clone(),
    };
    let row = match options.store {
        Store::Appwrite => store::packed_row(&template, &defaults),
        Store::Json => store::plain_row(&template),
    };
    let row = row.map_err(|error| anyhow::anyhow!("{}: {error}", shown(path)))?;
    if options.store == Store::Appwrite {
        for name in store::ambiguous(&template) {
            complain(&format!(
                "note: `{}` is a string that holds JSON; reading the row gives a list or object instead",
                plain::words(&name)
            ));
        }
    }
    match &options.output {
        Some(to) if !output::is_stdout(to) => {
            files::put(to, row.as_bytes(), HardLinks::Refuse)?;
            complain(&format!("wrote {}", plain::path(&path_text(to))));
        }
        _ => {
            use std::io::Write as _;
            std::io::stdout().write_all(row.as_bytes())?;
        }
    }
    Ok(Exit::Clean)
}
