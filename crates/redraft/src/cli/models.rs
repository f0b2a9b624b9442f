//! `redraft models`: the model of each role, and where each setting comes from. With
//! `--test` each model is called once, and the judges are tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use redraft_engine::clock::{Clock, SystemClock};
use redraft_engine::model::Model;
use redraft_engine::model::recording::Recording;
use redraft_profiles::registry;
use redraft_run::ask::Role;
use redraft_run::setup::{Goal, Seat};
use serde_json::json;

use super::exit::Exit;
use super::judge_test::{Consent, JudgeTesting};
use super::model_source::ModelSource;
use super::options::{CommonOptions, Format};
use super::output::{self, complain};
use super::trust;
use crate::config::{Config, languages};
use crate::files;
use crate::models::judge_listing::{self, JudgeTestReport};
use crate::models::judge_test::TestedJudge;
use crate::models::listing::{self, ModelsReport};
use crate::models::test_call::{self, TestCall};
use crate::models::{Environment, Resolved, connect, resolve};

#[derive(Clone, Debug, Default, Args)]
pub struct ModelsOptions {
    /// Call each model once, and test the judges on good and bad texts
    #[arg(long)]
    pub test: bool,
    /// With --test: profile of the test texts [default: configured, or lesson]
    #[arg(long, value_name = "PROFILE", requires = "test", value_parser = PossibleValuesParser::new(registry::names()))]
    pub profile: Option<String>,
    /// With --test: read judge-test-pairs from this policy file (TOML)
    #[arg(long, value_name = "FILE", requires = "test")]
    pub policy: Option<PathBuf>,
    /// With --test: test the judges without confirming the cost first
    #[arg(long, requires = "test")]
    pub yes: bool,
    /// With --test: answer from this script instead of a model (TOML)
    #[arg(long, value_name = "FILE", requires = "test", conflicts_with = "play")]
    pub script: Option<PathBuf>,
    /// With --test: add every request and answer to this recording
    #[arg(long, value_name = "FILE", requires = "test", conflicts_with = "play")]
    pub record: Option<PathBuf>,
    /// With --test: answer from this recording
    #[arg(long, value_name = "FILE", requires = "test")]
    pub play: Option<PathBuf>,
    /// Folder for the journals of runs, and for the results of tests
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Language of the content, if models depend on it
    #[arg(long, value_name = "TAG")]
    pub language: Option<String>,
    /// Configuration [default: redraft.toml in this or a parent folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Output format
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
            let text = fs::read_to_string(path).with_context(|| files::cannot_read(path))?;
            Config::parse(&text, path)?
        }
        None => Config::default(),
    };
    if options.script.is_some() || options.play.is_some() {
        return replayed(options, &config);
    }
    let named = options.language.as_deref().or_else(|| config.language());
    let language = named
        .map(|tag| languages::language(tag).map_err(|why| anyhow!(why)))
        .transpose()?;
    if options.test {
        trust::require_for(options.config.as_deref())?;
    }
    let environment = Environment::of_process();
    let resolved = resolve(&config, &environment, language)?;
    let seats = resolved.judges();
    let testing = testing(options, &config, &seats);
    let (tests, exit) = tested(options, &resolved, &testing)?;
    let shown = Shown {
        judges: testing.kept()?,
        ..tests
    };
    print(options, &resolved, path.as_deref(), shown)?;
    // The table helps to see what is missing, so the error comes after it.
    resolved.require(&Role::ALL)?;
    Ok(exit)
}

/// What tests gave.
#[derive(Default)]
struct Shown {
    calls: Option<Vec<TestCall>>,
    tested: Option<Vec<TestedJudge>>,
    /// What is known of the judges, also from earlier tests.
    judges: Vec<JudgeTestReport>,
}

fn testing<'a>(
    options: &'a ModelsOptions,
    config: &'a Config,
    seats: &'a [Seat],
) -> JudgeTesting<'a> {
    JudgeTesting {
        config,
        profile: options.profile.as_deref(),
        policy: options.policy.as_deref(),
        runs: &options.runs,
        seats,
    }
}

/// The judge test with scripted or recorded answers, which costs nothing.
fn replayed(options: &ModelsOptions, config: &Config) -> anyhow::Result<Exit> {
    let common = CommonOptions {
        config: options.config.clone(),
        ..CommonOptions::default()
    };
    let source = match &options.play {
        Some(recording) => Some(ModelSource::playback(recording, &common)?),
        None => ModelSource::from_options(options.script.as_ref(), &common, None)?,
    };
    let Some(source) = source else {
        return Ok(Exit::ModelTrouble);
    };
    let seats = source.assigned(Goal::Judge, None)?.seats;
    let testing = testing(options, config, &seats);
    let model = recorded(options, &source.model)?;
    let tested = testing.run(&model, Consent::Given)?.unwrap_or_default();
    let judges = testing.kept()?;
    let text = if options.format == Format::Json {
        let report = json!({ "schema": redraft_report::SCHEMA, "judge_tests": judges });
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        judge_listing::human(&judges, Some(&tested))
    };
    output::print(options.format, &text)?;
    Ok(exit_of(testing.profile()?.id().0, &tested, &judges))
}

/// The same model, with every question and answer added to the recording, if there is
/// one.
fn recorded(options: &ModelsOptions, model: &Arc<dyn Model>) -> anyhow::Result<Arc<dyn Model>> {
    match &options.record {
        Some(path) => Ok(Arc::new(Recording::record(path, Arc::clone(model))?)),
        None => Ok(Arc::clone(model)),
    }
}

/// A judge that cannot judge fails the command; one that did not answer is model trouble.
fn exit_of(profile: &str, tested: &[TestedJudge], judges: &[JudgeTestReport]) -> Exit {
    let failed = |judge: &TestedJudge| {
        let is_its =
            |report: &&JudgeTestReport| report.model == judge.model && report.profile == profile;
        judge.result.is_ok() && judges.iter().filter(is_its).any(|report| !report.passed)
    };
    if tested.iter().any(|judge| judge.result.is_err()) {
        Exit::ModelTrouble
    } else if tested.iter().any(failed) {
        Exit::GateFailed
    } else {
        Exit::Clean
    }
}

/// Calls each model and tests the judges, if `--test` is given.
fn tested(
    options: &ModelsOptions,
    resolved: &Resolved,
    testing: &JudgeTesting<'_>,
) -> anyhow::Result<(Shown, Exit)> {
    if !options.test || resolved.require(&Role::ALL).is_err() {
        return Ok((Shown::default(), Exit::Clean));
    }
    if !resolved.has_models() {
        return Ok((Shown::default(), Exit::ModelTrouble));
    }
    let model = match connect::providers(resolved) {
        Ok(model) => model,
        Err(error) => {
            complain(&format!("{error:#}"));
            return Ok((Shown::default(), Exit::ModelTrouble));
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let calls = runtime.block_on(test_call::run(resolved, &model, &clock));
    drop(runtime);
    let failed: BTreeSet<&str> = calls
        .iter()
        .filter(|call| call.result.is_err())
        .map(|call| call.model.as_str())
        .collect();
    // Who cannot be reached cannot be tested.
    let mut seats = testing.seats.to_vec();
    for seat in &mut seats {
        seat.models
            .retain(|model| !failed.contains(model.name().as_str()));
    }
    let testing = JudgeTesting {
        seats: &seats,
        ..*testing
    };
    let consent = if options.yes {
        Consent::Given
    } else {
        Consent::Needed
    };
    let tested = testing.run(&recorded(options, &model)?, consent)?;
    let exit = if failed.is_empty() {
        let profile = testing.profile()?.id().0;
        exit_of(
            profile,
            tested.as_deref().unwrap_or_default(),
            &testing.kept()?,
        )
    } else {
        Exit::ModelTrouble
    };
    let shown = Shown {
        calls: Some(calls),
        tested,
        ..Shown::default()
    };
    Ok((shown, exit))
}

fn print(
    options: &ModelsOptions,
    resolved: &Resolved,
    file: Option<&Path>,
    shown: Shown,
) -> anyhow::Result<()> {
    let Shown {
        calls,
        tested,
        judges,
    } = shown;
    let text = if options.format == Format::Json {
        let report = ModelsReport::new(resolved, file, calls.as_deref(), judges);
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        let mut text = listing::human(resolved, file, calls.as_deref());
        let judges = judge_listing::human(&judges, tested.as_deref());
        if !judges.is_empty() {
            text.push('\n');
            text.push_str(&judges);
        }
        text
    };
    output::print(options.format, &text)?;
    Ok(())
}
