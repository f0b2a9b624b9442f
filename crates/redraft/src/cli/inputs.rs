//! The inputs of a command besides its content: configuration, specification, sources,
//! scheme of work, outcomes. The same for every command on content.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use redraft_gate::companion::Companions;
use redraft_profiles::{companions, registry};
use redraft_text::language::Language;
use serde::{Deserialize, Serialize};

use super::options::CommonOptions;
use crate::config::Config;
use crate::inspection::Inspector;

/// The inputs as they were read, complete enough to inspect the same content in the same
/// way when a run is resumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// The path of the configuration file, and its text.
    pub(super) config: Option<(PathBuf, String)>,
    pub(super) select: Vec<String>,
    pub(super) ignore: Vec<String>,
    pub(super) profile: Option<String>,
    pub(super) language: Option<String>,
    pub(super) spec: Option<Companion>,
    pub(super) sources: Option<Companion>,
    pub(super) sow: Option<Companion>,
    pub(super) outcomes: Option<Companion>,
}

/// A specification, sources, a scheme of work or outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Companion {
    path: PathBuf,
    #[serde(with = "redraft_run::bytes_json")]
    bytes: Vec<u8>,
}

impl Inputs {
    pub(super) fn read(
        common: &CommonOptions,
        select: &[String],
        ignore: &[String],
    ) -> anyhow::Result<Self> {
        let here = std::env::current_dir().unwrap_or_default();
        let config = Config::path(common.config.as_deref(), &here)
            .map(|path| {
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                anyhow::Ok((path, text))
            })
            .transpose()?;
        let read = |path: &Option<PathBuf>| {
            path.as_ref()
                .map(|path| {
                    let bytes = fs::read(path)
                        .with_context(|| format!("cannot read {}", path.display()))?;
                    anyhow::Ok(Companion {
                        path: path.clone(),
                        bytes,
                    })
                })
                .transpose()
        };
        Ok(Self {
            config,
            select: select.to_vec(),
            ignore: ignore.to_vec(),
            profile: common.profile.clone(),
            language: common.language.clone(),
            spec: read(&common.spec)?,
            sources: read(&common.sources)?,
            sow: read(&common.sow)?,
            outcomes: read(&common.outcomes)?,
        })
    }

    /// The inspector.
    pub(super) fn inspector(&self) -> anyhow::Result<Inspector> {
        let mut config = match &self.config {
            Some((path, text)) => Config::parse(text, path)?,
            None => Config::default(),
        };
        config.choose(&self.select, &self.ignore)?;
        let language = self.language.as_deref().or_else(|| config.language());
        let language = language
            .map(|tag| {
                Language::parse(tag).with_context(|| {
                    format!("unknown language `{tag}`; use a tag such as en, ru or zh-CN")
                })
            })
            .transpose()?;
        let profile = self
            .profile
            .as_deref()
            .map(|name| {
                registry::profile(name).with_context(|| format!("unknown profile `{name}`"))
            })
            .transpose()?;
        let companions = Companions {
            specification: parsed(self.spec.as_ref(), companions::specification)?,
            sources: parsed(self.sources.as_ref(), companions::sources)?.unwrap_or_default(),
            scheme_of_work: parsed(self.sow.as_ref(), companions::scheme_of_work)?
                .unwrap_or_default(),
            outcomes: parsed(self.outcomes.as_ref(), companions::outcomes)?.unwrap_or_default(),
            language,
        };
        Ok(Inspector {
            companions: Arc::new(companions),
            config,
            profile,
        })
    }
}

fn parsed<T>(
    companion: Option<&Companion>,
    read: impl Fn(Vec<u8>) -> Result<T, companions::Unreadable>,
) -> anyhow::Result<Option<T>> {
    let Some(companion) = companion else {
        return Ok(None);
    };
    match read(companion.bytes.clone()) {
        Ok(parsed) => Ok(Some(parsed)),
        Err(companions::Unreadable(expected)) => {
            bail!("{}: expected {expected}", companion.path.display())
        }
    }
}
