//! The options of the commands that run models: `judge`, `refine` and `write`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use redraft_engine::model::batch::BatchSettings;
use redraft_engine::model::reuse::Freshness;
use redraft_run::policy::Mode;

use super::journals;
use super::model_source::ModelSource;
use super::options::{CommonOptions, FileOptions};
use super::output;
use super::trust;

/// The options of `judge` and `refine`.
#[derive(Clone, Debug, Default, Args)]
pub struct RunOptions {
    /// Files or folders; `-` for standard input
    #[arg(required_unless_present = "resume", value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub judging: JudgingOptions,
    /// Number of documents to process at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = 4, value_parser = at_least_one)]
    pub concurrency: usize,
    /// Use the providers' batch APIs: half the price, up to a day
    #[arg(long, conflicts_with_all = ["script", "play"])]
    pub batch: bool,
    /// Resume an interrupted run: its journal file or its name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["paths", "policy", "rubric", "mode"])]
    pub resume: Option<PathBuf>,
    /// Continue earlier runs of the same texts under the same settings
    #[arg(long = "continue")]
    pub go_on: bool,
    /// Report every document in full instead of a table
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub files: FileOptions,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}

impl RunOptions {
    /// Whether each of so many documents is reported in full.
    pub(super) fn shows_each(&self, documents: usize) -> bool {
        self.all || documents < 2
    }

    /// Everything that is read, which no output may replace.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let paths = self.paths.iter().map(PathBuf::as_path);
        paths
            .chain(self.common.companions())
            .chain(self.judging.inputs())
            .chain(self.resume.as_deref())
    }

    /// Fails where what is kept of a run would replace what is read.
    pub(super) fn spare_inputs(&self) -> anyhow::Result<()> {
        for output in self.judging.outputs() {
            output::spare(output, self.inputs())?;
        }
        Ok(())
    }

    /// The models that answer; `None` if none is configured.
    pub(super) fn models(&self) -> anyhow::Result<Option<ModelSource>> {
        if let Some(run) = &self.resume {
            journals::find(run, &self.judging.runs)?;
        }
        if journals::is_finished(self.resume.as_deref(), &self.judging.runs) {
            return ModelSource::none().map(Some);
        }
        if let Some(recording) = &self.judging.play {
            return ModelSource::playback(recording, &self.common).map(Some);
        }
        if self.judging.script.is_none() {
            trust::require(&self.common)?;
        }
        let runs = &self.judging.runs;
        let batches = self.batch.then(|| BatchSettings::beside(runs));
        let script = self.judging.script.as_ref();
        let source = ModelSource::from_options(script, &self.common, batches.as_ref())?;
        let freshness = if self.judging.fresh {
            Freshness::Fresh
        } else {
            Freshness::Stored
        };
        let source = source.map(|source| source.reusing(&self.judging.runs, freshness));
        match (source, &self.judging.record) {
            (Some(source), Some(path)) => source.recording_to(path).map(Some),
            (source, _) => Ok(source),
        }
    }
}

/// How a text is judged and repaired, and what is kept of its run.
#[derive(Clone, Debug, Default, Args)]
pub struct JudgingOptions {
    /// Answer from this script instead of a model (TOML)
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Add every request and answer to this recording
    #[arg(long, value_name = "FILE", conflicts_with = "play")]
    pub record: Option<PathBuf>,
    /// Answer from this recording; a request that is not in it fails
    #[arg(long, value_name = "FILE", conflicts_with = "script")]
    pub play: Option<PathBuf>,
    /// Who decides when the text is not accepted (lessons only)
    #[arg(long, value_enum)]
    pub mode: Option<ModeName>,
    /// Override the profile's decision thresholds (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Judge by this rubric instead of the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// Ask judges again, even if an earlier run has their verdict
    #[arg(long)]
    pub fresh: bool,
    /// Fail if fewer judges scored than the policy requires
    #[arg(long)]
    pub require_judged: bool,
    /// Language of feedback [default: the language of the text]
    #[arg(long, value_name = "TAG")]
    pub feedback_language: Option<String>,
    /// Folder for the journals of runs
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Write every event as a JSON line as it happens; `-` for stdout
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Also write seed-shaped results (critic_result.json, …) to a folder
    #[arg(long, value_name = "DIR")]
    pub seed_report: Option<PathBuf>,
}

impl JudgingOptions {
    /// The files that say how a text is judged.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.script, &self.play, &self.policy, &self.rubric];
        files.into_iter().flatten().map(PathBuf::as_path)
    }

    /// The files in which a run is kept.
    pub(super) fn outputs(&self) -> impl Iterator<Item = Option<&Path>> {
        [self.record.as_deref(), self.events.as_deref()].into_iter()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// A reviewer decides
    SemiAuto,
    /// The program decides and keeps the best version so far
    FullAuto,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::SemiAuto => Self::SemiAuto,
            ModeName::FullAuto => Self::FullAuto,
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a number from 1".to_owned()),
    }
}
