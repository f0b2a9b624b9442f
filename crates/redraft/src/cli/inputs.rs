//! The inputs of a command besides its content: configuration, specification, sources,
//! scheme of work, outcomes. The same for every command on content.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use redraft_banks::{BankFormat, ColumnChoice};
use redraft_gate::companion::{Companions, SchemeEntry};
use redraft_gate::fix::Inspected;
use redraft_gate::silence::IgnoreComments;
use redraft_profiles::{companions, registry};
use redraft_report::plain;
use redraft_text::lines::LineIndex;
use serde::{Deserialize, Serialize};

use super::options::CommonOptions;
use super::output::{complain, shown};
use crate::baseline::Baseline;
use crate::config::{Config, languages};
use crate::files::{self, Limits};
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) format_in: Option<String>,
    /// What the user says about the columns of a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) columns: Option<String>,
    pub(super) language: Option<String>,
    /// What keys that are numbers count from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) index_base: Option<u8>,
    pub(super) spec: Option<Companion>,
    pub(super) sources: Option<Companion>,
    pub(super) sow: Option<Companion>,
    pub(super) outcomes: Option<Companion>,
    /// The path of the baseline, and its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<(PathBuf, String)>,
}

/// A specification, sources, a scheme of work or outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Companion {
    path: PathBuf,
    #[serde(with = "redraft_run::bytes_json")]
    bytes: Vec<u8>,
}

impl Companion {
    pub(super) fn new(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Self {
            path: path.into(),
            bytes,
        }
    }

    /// One entry of a scheme of work alone, where one is asked for.
    fn entry(self, order: Option<i64>) -> anyhow::Result<Self> {
        let Some(order) = order else { return Ok(self) };
        let path = self.path;
        let unreadable =
            |expected: companions::Unreadable| anyhow!("{}: expected {}", shown(&path), expected.0);
        match companions::entry_alone(self.bytes.clone(), order).map_err(unreadable)? {
            Some(bytes) => Ok(Self { path, bytes }),
            None => {
                let entries = companions::scheme_of_work(self.bytes).map_err(unreadable)?;
                bail!("{}", no_such_entry(&path, order, &entries))
            }
        }
    }
}

/// Says that a scheme of work has no entry of this order, and which are nearest.
fn no_such_entry(path: &Path, order: i64, entries: &[SchemeEntry]) -> String {
    const NEAREST: usize = 3;
    let mut numbered: Vec<(i64, &SchemeEntry)> = entries
        .iter()
        .filter_map(|entry| Some((entry.order?, entry)))
        .collect();
    numbered.sort_by_key(|(other, _)| (other.abs_diff(order), *other));
    let nearest: Vec<String> = numbered
        .iter()
        .take(NEAREST)
        .map(|(order, entry)| match &entry.label {
            Some(label) => format!("{order} (“{}”)", plain::words(label)),
            None => order.to_string(),
        })
        .collect();
    let shown = shown(path);
    match nearest.as_slice() {
        [] => format!("{shown}: its entries have no `order`; add one to each"),
        nearest => format!(
            "{shown} has no entry with order {order}; the nearest are {}",
            nearest.join(", ")
        ),
    }
}

/// Which findings of a file are known beforehand.
#[derive(Clone, Copy, Debug)]
pub(super) enum KnownFrom<'a> {
    /// From the baseline that the configuration names, if it does.
    Configuration,
    File(&'a Path),
    /// All findings are new.
    Nowhere,
}

/// The limits of the configuration that is named, or found.
pub(super) fn limits(named: Option<&Path>) -> anyhow::Result<Limits> {
    let common = CommonOptions {
        config: named.map(Path::to_owned),
        ..CommonOptions::default()
    };
    let choice = Choice {
        known: KnownFrom::Nowhere,
        ..Choice::default()
    };
    Ok(Inputs::read(&common, choice)?.inspector()?.config.limits())
}

/// What a command line adds to the configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice<'a> {
    pub(super) select: &'a [String],
    pub(super) ignore: &'a [String],
    pub(super) known: KnownFrom<'a>,
}

impl Default for Choice<'_> {
    fn default() -> Self {
        Self {
            select: &[],
            ignore: &[],
            known: KnownFrom::Configuration,
        }
    }
}

impl Inputs {
    pub(super) fn read(common: &CommonOptions, choice: Choice<'_>) -> anyhow::Result<Self> {
        let here = std::env::current_dir().unwrap_or_default();
        let path = Config::path(common.config.as_deref(), &here);
        let text = |path: &Path, limits: &Limits| {
            files::read_text(path, limits).with_context(|| files::cannot_read(path))
        };
        let config = path
            .map(|path| anyhow::Ok((path.clone(), text(&path, &Limits::default())?)))
            .transpose()?;
        let parsed = match &config {
            Some((path, text)) => Config::parse(text, path)?,
            None => Config::default(),
        };
        let limits = parsed.limits();
        let read = |path: &Option<PathBuf>| {
            path.as_ref()
                .map(|path| {
                    let bytes =
                        files::read(path, &limits).with_context(|| files::cannot_read(path))?;
                    anyhow::Ok(Companion::new(path, bytes))
                })
                .transpose()
        };
        let baseline = match choice.known {
            KnownFrom::Configuration => parsed.baseline(),
            KnownFrom::File(path) => Some(path.to_owned()),
            KnownFrom::Nowhere => None,
        };
        let baseline = baseline
            .map(|path| {
                let text = files::read_text(&path, &limits)
                    .with_context(|| format!("cannot read the baseline {}", shown(&path)))?;
                anyhow::Ok((path, text))
            })
            .transpose()?;
        let spec = read(&common.spec)?;
        if let Some(spec) = spec.as_ref().filter(|_| !common.quiet) {
            warn_of_what_is_not_read(spec);
        }
        Ok(Self {
            config,
            select: choice.select.to_vec(),
            ignore: choice.ignore.to_vec(),
            profile: common.profile.clone(),
            format_in: common.format_in.clone(),
            columns: common.columns.clone(),
            language: common.language.clone(),
            index_base: common.index_base,
            spec,
            sources: read(&common.sources)?,
            sow: read(&common.sow)?
                .map(|sow| sow.entry(common.sow_order))
                .transpose()?,
            outcomes: read(&common.outcomes)?,
            baseline,
        })
    }

    /// The files that were read here, and are therefore no content.
    pub(super) fn paths(&self) -> Vec<&Path> {
        let companions = [&self.spec, &self.sources, &self.sow, &self.outcomes];
        let companions = companions.into_iter().flatten();
        let baseline = self.baseline.iter().map(|(path, _)| path.as_path());
        companions
            .map(|companion| companion.path.as_path())
            .chain(baseline)
            .collect()
    }

    /// The companions in which something addresses a model (ruling 77), with what was
    /// found. They reach prompts as data; the reader should still know.
    pub(super) fn suspicious(&self, config: &Config) -> Vec<(PathBuf, Inspected)> {
        let Some(profile) = registry::profile("lesson") else {
            return Vec::new();
        };
        let companions = [&self.spec, &self.sources, &self.sow, &self.outcomes];
        companions
            .into_iter()
            .flatten()
            .filter_map(|companion| {
                let settings = config.settings_for(&companion.path, profile);
                let inspected = companions::inspect(companion.bytes.clone(), &settings)?;
                Some((companion.path.clone(), inspected))
            })
            .collect()
    }

    /// Tells on standard error what is suspicious in the companions of a run.
    pub(super) fn complain_of_companions(&self, config: &Config) {
        for (path, Inspected { document, findings }) in self.suspicious(config) {
            let lines = LineIndex::new(document.source().text());
            for finding in &findings {
                let at = document.source().text_range(finding.span).start;
                let (line, column) = lines.line_column(at);
                complain(&format!(
                    "{}:{line}:{column}: {} ({}): {}",
                    shown(&path),
                    finding.severity.name(),
                    finding.check.name,
                    finding.message
                ));
            }
        }
    }

    pub(super) fn inspector(&self) -> anyhow::Result<Inspector> {
        let mut config = match &self.config {
            Some((path, text)) => Config::parse(text, path)?,
            None => Config::default(),
        };
        config.choose(&self.select, &self.ignore)?;
        let language = self.language.as_deref().or_else(|| config.language());
        let language = language
            .map(|tag| languages::language(tag).map_err(|why| anyhow!(why)))
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
            earlier: Vec::new(),
            language,
        };
        let columns = self.columns.as_deref().map(ColumnChoice::parse);
        let columns = columns.transpose()?;
        let baseline = match &self.baseline {
            Some((path, text)) => Baseline::parse(text, path)?,
            None => Baseline::default(),
        };
        Ok(Inspector {
            companions: Arc::new(companions),
            config,
            profile,
            format_in: self.format_in.as_deref().and_then(BankFormat::named),
            columns: columns.map(Arc::new),
            baseline,
            ignore_comments: IgnoreComments::NotHonoured,
            index_base: self.index_base,
        })
    }
}

/// Names the keys and values of a specification that nothing reads (ruling 57).
fn warn_of_what_is_not_read(spec: &Companion) {
    let companions::NotRead { unknown, wrong } = companions::not_read(spec.bytes.clone());
    for value in wrong {
        complain(&format!(
            "warning: {}: `{}` is ignored; it should be {}",
            shown(&spec.path),
            value.path,
            value.expected
        ));
    }
    for key in unknown {
        let instead = match key.nearest {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", key.known.join(", ")),
        };
        complain(&format!(
            "warning: {}: unknown key `{}` is ignored; {instead}",
            shown(&spec.path),
            key.path
        ));
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
            bail!("{}: expected {expected}", shown(&companion.path))
        }
    }
}
