//! `redraft models`: who is asked in which role, and where each setting came
//! from. With `--test` each model is asked once.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use redraft_engine::clock::{Clock, SystemClock};
use redraft_run::ask::Role;
use redraft_text::language::Language;

use super::exit::Exit;
use super::options::Format;
use crate::config::{Complaint, Config};
use crate::models::listing::{self as report, ModelsReport};
use crate::models::trial::{self, Trial};
use crate::models::{Resolved, Surroundings, connect, resolve};

/// Options of `models`.
#[derive(Clone, Debug, Default, Args)]
pub struct ModelsOptions {
    /// Ask each model once: does it answer, how fast, in the form asked for, at what cost
    #[arg(long)]
    pub test: bool,
    /// The language of the content, where models are chosen by it
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// The configuration [default: redraft.toml here or above]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How to print the result: human or json
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

pub(super) fn run(options: &ModelsOptions) -> anyhow::Result<Exit> {
    if !matches!(options.format, Format::Human | Format::Json) {
        bail!("`models` prints human or json");
    }
    let here = std::env::current_dir().unwrap_or_default();
    let path = Config::path(options.config.as_deref(), &here);
    let config = match &path {
        Some(path) => {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let root = path.parent().map(Path::to_owned).unwrap_or_default();
            Config::parse(&text, root).with_context(|| path.display().to_string())?
        }
        None => Config::default(),
    };
    let named = options.language.as_deref().or_else(|| config.language());
    let language = named
        .map(|tag| {
            Language::parse(tag).with_context(|| {
                format!("`{tag}` is no language; write a tag such as en, ru or zh-CN")
            })
        })
        .transpose()?;
    let around = Surroundings::of_this_process();
    let in_file = |complaint: Complaint| match &path {
        Some(path) => anyhow!(complaint).context(path.display().to_string()),
        None => anyhow!(complaint),
    };
    let resolved = resolve(&config, &around, language).map_err(in_file)?;
    let (trials, exit) = tested(options, &resolved)?;
    print(options, &resolved, path.as_deref(), trials.as_deref())?;
    // The table is of use all the same, so that the complaint comes behind it.
    resolved.require(&Role::ALL).map_err(in_file)?;
    Ok(exit)
}

/// What the models answered, if they are to be asked.
fn tested(
    options: &ModelsOptions,
    resolved: &Resolved,
) -> anyhow::Result<(Option<Vec<Trial>>, Exit)> {
    if !options.test || resolved.require(&Role::ALL).is_err() {
        return Ok((None, Exit::Clean));
    }
    if !resolved.has_models() {
        return Ok((None, Exit::ModelTrouble));
    }
    let model = match connect::providers(resolved) {
        Ok(model) => model,
        Err(error) => {
            writeln!(anstream::stderr(), "redraft: {error:#}")?;
            return Ok((None, Exit::ModelTrouble));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start")?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let trials = runtime.block_on(trial::run(resolved, &model, &clock));
    let exit = if trials.iter().all(|trial| trial.result.is_ok()) {
        Exit::Clean
    } else {
        Exit::ModelTrouble
    };
    Ok((Some(trials), exit))
}

fn print(
    options: &ModelsOptions,
    resolved: &Resolved,
    file: Option<&Path>,
    trials: Option<&[Trial]>,
) -> anyhow::Result<()> {
    let text = if options.format == Format::Json {
        let report = ModelsReport::new(resolved, file, trials);
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        report::human(resolved, file, trials)
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(())
}
