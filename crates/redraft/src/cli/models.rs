//! `redraft models`: the model of each role, and where each setting comes from. With
//! `--test` each model is called once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use redraft_engine::clock::{Clock, SystemClock};
use redraft_run::ask::Role;
use redraft_text::language::Language;

use super::exit::Exit;
use super::options::Format;
use super::output::{self, complain};
use crate::config::Config;
use crate::models::listing::{self, ModelsReport};
use crate::models::test_call::{self, TestCall};
use crate::models::{Environment, Resolved, connect, resolve};

#[derive(Clone, Debug, Default, Args)]
pub struct ModelsOptions {
    /// Call each model once: speed, format and cost of the answer
    #[arg(long)]
    pub test: bool,
    /// The language of the content, if models depend on it
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// The configuration [default: redraft.toml here or above]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The output format: human or json
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

pub(super) fn run(options: &ModelsOptions) -> anyhow::Result<Exit> {
    if !matches!(options.format, Format::Human | Format::Json) {
        bail!("unsupported format; use --format human or --format json");
    }
    let here = std::env::current_dir().unwrap_or_default();
    let path = Config::path(options.config.as_deref(), &here);
    let config = match &path {
        Some(path) => {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Config::parse(&text, path)?
        }
        None => Config::default(),
    };
    let named = options.language.as_deref().or_else(|| config.language());
    let language = named
        .map(|tag| {
            Language::parse(tag).with_context(|| {
                format!("unknown language \"{tag}\"; write a tag such as en, ru or zh-CN")
            })
        })
        .transpose()?;
    let environment = Environment::of_process();
    let resolved = resolve(&config, &environment, language)?;
    let (tests, exit) = tested(options, &resolved)?;
    print(options, &resolved, path.as_deref(), tests.as_deref())?;
    // The table helps to see what is missing, so the error comes after it.
    resolved.require(&Role::ALL)?;
    Ok(exit)
}

/// Calls each model, if `--test` is given.
fn tested(
    options: &ModelsOptions,
    resolved: &Resolved,
) -> anyhow::Result<(Option<Vec<TestCall>>, Exit)> {
    if !options.test || resolved.require(&Role::ALL).is_err() {
        return Ok((None, Exit::Clean));
    }
    if !resolved.has_models() {
        return Ok((None, Exit::ModelTrouble));
    }
    let model = match connect::providers(resolved) {
        Ok(model) => model,
        Err(error) => {
            complain(&format!("{error:#}"));
            return Ok((None, Exit::ModelTrouble));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let tests = runtime.block_on(test_call::run(resolved, &model, &clock));
    let exit = if tests.iter().all(|test| test.result.is_ok()) {
        Exit::Clean
    } else {
        Exit::ModelTrouble
    };
    Ok((Some(tests), exit))
}

fn print(
    options: &ModelsOptions,
    resolved: &Resolved,
    file: Option<&Path>,
    tests: Option<&[TestCall]>,
) -> anyhow::Result<()> {
    let text = if options.format == Format::Json {
        let report = ModelsReport::new(resolved, file, tests);
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        listing::human(resolved, file, tests)
    };
    output::print(options.format, &text)?;
    Ok(())
}
