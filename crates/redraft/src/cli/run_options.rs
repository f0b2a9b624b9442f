//! The options of commands that have texts judged: what is worked on, and under
//! which terms. What is done with them is not known here.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use redraft_run::policy::Mode;

use super::model_source::ModelSource;
use super::options::CommonOptions;

/// What is worked on, and how.
#[derive(Clone, Debug, Default, Args)]
pub struct RunOptions {
    /// Files or folders; `-` for standard input
    #[arg(required_unless_present = "resume", value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// How it is judged.
    #[command(flatten)]
    pub judging: JudgingOptions,
    /// How many documents are worked on at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = 4)]
    pub concurrency: usize,
    /// Go on with an interrupted run: its journal, or its name
    #[arg(long, value_name = "RUN", conflicts_with_all = ["paths", "policy", "rubric", "mode"])]
    pub resume: Option<PathBuf>,
    /// Take what earlier runs of the same texts under the same settings have
    /// answered from their journals, and go on where they stopped
    #[arg(long = "continue")]
    pub go_on: bool,
    /// Shared options.
    #[command(flatten)]
    pub common: CommonOptions,
}

impl RunOptions {
    /// The models that answer; `None` if none is configured.
    pub(super) fn models(&self) -> anyhow::Result<Option<ModelSource>> {
        if let Some(recording) = &self.judging.play {
            return ModelSource::playback(recording, &self.common).map(Some);
        }
        match (
            ModelSource::from_options(self.judging.script.as_ref(), &self.common)?,
            &self.judging.record,
        ) {
            (Some(source), Some(path)) => source.recording_to(path).map(Some),
            (source, _) => Ok(source),
        }
    }
}

/// Under which terms a text is judged and repaired, and what is kept of it.
#[derive(Clone, Debug, Default, Args)]
pub struct JudgingOptions {
    /// Answer from this script instead of a model (TOML); the result says so
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Add every question and answer to this recording
    #[arg(long, value_name = "FILE", conflicts_with = "play")]
    pub record: Option<PathBuf>,
    /// Answer from this recording, and ask nobody; a changed question is an error
    #[arg(long, value_name = "FILE", conflicts_with = "script")]
    pub play: Option<PathBuf>,
    /// Whether people are at hand (lessons only)
    #[arg(long, value_enum)]
    pub mode: Option<ModeName>,
    /// Figures of the decision to lay over the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
    /// Judge by this rubric instead of the profile's (TOML)
    #[arg(long, value_name = "FILE")]
    pub rubric: Option<PathBuf>,
    /// Refuse a result that too few judges stand behind
    #[arg(long)]
    pub require_judged: bool,
    /// Language of the remarks, where it is not the lesson's
    #[arg(long, value_name = "TAG")]
    pub feedback_language: Option<String>,
    /// Where the journals of runs are kept
    #[arg(long, value_name = "DIR", default_value = ".redraft/runs")]
    pub runs: PathBuf,
    /// Also write the result in the shapes of the seeds (critic_result.json, …); of
    /// cards one for each attempt
    #[arg(long, value_name = "DIR")]
    pub seed_report: Option<PathBuf>,
}

/// The modes, as the command line spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeName {
    /// What is not accepted goes to a person
    SemiAuto,
    /// Something always comes out
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
