//! A run on paper: everything that sets it up, as the journal keeps it, so that
//! it can be resumed and decided again without the files it came from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use redraft_engine::blobs::Blobs;
use redraft_engine::journal::{Hashes, Header, VERSION};
use redraft_gate::review;
use redraft_profiles::registry;
use redraft_run::ask::{Role, Time};
use redraft_run::bytes_json;
use redraft_run::policy::{Mode, Policy};
use redraft_run::profile::Profile;
use redraft_run::rubric::Rubric;
use redraft_run::setup::{Goal, KnownModels, Seat, Setup, SpendingLimits};
use redraft_text::language::Language;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::inputs::Inputs;
use crate::fix_choice::FixChoice;
use crate::inspection::{FileInspection, Inspector};

/// Everything that a run rests on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) path: PathBuf,
    #[serde(with = "redraft_run::bytes_json")]
    pub(super) bytes: Vec<u8>,
    pub(super) given: Inputs,
    pub(super) profile: String,
    #[serde(default)]
    pub(super) goal: Goal,
    pub(super) mode: Mode,
    pub(super) policy: Policy,
    pub(super) rubric: Rubric,
    pub(super) seats: Vec<Seat>,
    /// Roles whose model nobody named for them.
    #[serde(default)]
    pub(super) unnamed: BTreeSet<Role>,
    pub(super) limits: SpendingLimits,
    #[serde(default)]
    pub(super) require_judged: bool,
    #[serde(default)]
    pub(super) feedback_language: Option<String>,
    #[serde(default)]
    pub(super) self_preference: Option<String>,
    #[serde(default)]
    pub(super) models: KnownModels,
    /// Whether a reviewer at the terminal decides.
    #[serde(default)]
    pub(super) attended: bool,
    /// Where a tenant or an order of a service overrode something: what that was put upon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) layers: Option<Layers>,
}

/// What policy and rubric of a run were made from, so that other settings of its tenant can
/// be tried instead of those that it ran with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Layers {
    /// The operator's, before the tenant's settings.
    pub(super) policy: Policy,
    pub(super) rubric: Rubric,
    /// The overrides of the order, which go over the tenant's.
    pub(super) order: Option<Map<String, Value>>,
}

impl Record {
    /// The header of the run's journal, which lies at this path. Companions are
    /// stored beside it, once for all runs that share them.
    pub(super) fn header(
        &self,
        run: &str,
        started: Time,
        journal: &Path,
    ) -> anyhow::Result<Header> {
        let blobs = Blobs::of_journal(journal);
        self.header_with(run, started, &mut |bytes| Ok(blobs.store(bytes)?))
    }

    /// The header, with companions stored elsewhere, each under a name that is returned.
    pub(super) fn header_with(
        &self,
        run: &str,
        started: Time,
        store: &mut dyn FnMut(&[u8]) -> anyhow::Result<String>,
    ) -> anyhow::Result<Header> {
        let mut setup = serde_json::to_value(self)?;
        for bytes in companions(&mut setup) {
            let content = bytes_json::deserialize(&*bytes)?;
            *bytes = json!({ HASH: store(&content)? });
        }
        Ok(Header {
            journal: VERSION,
            run: run.to_owned(),
            program: concat!("redraft ", env!("CARGO_PKG_VERSION")).to_owned(),
            started,
            hashes: self.hashes()?,
            setup,
        })
    }

    fn hashes(&self) -> anyhow::Result<Hashes> {
        let configuration = serde_json::to_string(&(
            &self.given,
            &self.policy,
            &self.rubric,
            (&self.seats, &self.unnamed),
            (self.goal, self.mode, self.require_judged),
            (self.limits, &self.feedback_language, &self.models),
        ))?;
        Ok(Hashes {
            configuration: hash(configuration.as_bytes()),
            prompts: hash(self.profile()?.templates().as_bytes()),
            input: hash(&self.bytes),
        })
    }

    /// What a run rests on, in one word: two records with the same one ask the
    /// same questions.
    pub(super) fn key(&self) -> anyhow::Result<String> {
        let hashes = self.hashes()?;
        Ok(format!(
            "{}-{}-{}",
            hashes.configuration, hashes.prompts, hashes.input
        ))
    }

    /// The same without the text: what any text would be judged and repaired under.
    pub(super) fn settings_key(&self) -> anyhow::Result<String> {
        let hashes = self.hashes()?;
        Ok(format!("{}-{}", hashes.configuration, hashes.prompts))
    }

    fn profile(&self) -> anyhow::Result<&'static dyn Profile> {
        registry::profile(&self.profile)
            .with_context(|| format!("this program has no profile `{}`", self.profile))
    }

    /// The record in the header of the journal at this path.
    pub(super) fn of(header: &Header, journal: &Path) -> anyhow::Result<Self> {
        let blobs = Blobs::of_journal(journal);
        Self::with_blobs(header, &|hash| Ok(blobs.load(hash)?))
            .with_context(|| format!("cannot read the run {}", journal.display()))
    }

    /// The record in a header, with companions that are stored elsewhere.
    pub(super) fn with_blobs(
        header: &Header,
        load: &dyn Fn(&str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<Self> {
        let mut setup = header.setup.clone();
        for bytes in companions(&mut setup) {
            if let Some(hash) = bytes.get(HASH).and_then(Value::as_str) {
                let content = load(hash)?;
                *bytes = bytes_json::serialize(&content, serde_json::value::Serializer)?;
            }
        }
        serde_json::from_value(setup).context("the header has no valid setup")
    }

    /// The run as the machine wants it: the free stages are gone through again,
    /// which costs nothing.
    pub(super) fn setup(&self, run: &str) -> anyhow::Result<Setup> {
        let inspector = self.given.inspector()?;
        let inspection = inspector
            .inspect(&self.path, self.bytes.clone())
            .with_context(|| self.path.display().to_string())?;
        self.setup_of(run, &inspector, inspection)
    }

    /// The same, for a text that has just been inspected.
    pub(super) fn setup_of(
        &self,
        run: &str,
        inspector: &Inspector,
        inspection: FileInspection,
    ) -> anyhow::Result<Setup> {
        let profile = self.profile()?;
        let findings = inspection.inspected.findings.clone();
        let fixable = findings.iter().any(|finding| finding.safe_fix().is_some());
        let self_review = if fixable {
            let again = inspector.inspect(&self.path, self.bytes.clone())?;
            let fixed = again.fix(&FixChoice::default())?;
            review::review(&findings, &fixed.inspected.findings)
        } else {
            review::review(&findings, &findings)
        };
        Ok(Setup {
            id: run.to_owned(),
            goal: self.goal,
            profile,
            inspector: Arc::new(inspection.reader),
            inspected: Arc::new(inspection.inspected),
            companions: Arc::clone(&inspector.companions),
            self_review,
            rubric: self.rubric.clone(),
            policy: self.policy.clone(),
            mode: self.mode,
            feedback_language: self.feedback_language.as_deref().and_then(Language::parse),
            require_judged: self.require_judged,
            self_preference: self.self_preference.clone(),
            models: self.models.clone(),
            seats: self.seats.clone(),
            unnamed: self.unnamed.clone(),
            limits: self.limits,
        })
    }
}

/// Names the blob that holds a companion.
pub(super) const HASH: &str = "sha256";

/// The content of each companion in a setup.
fn companions(setup: &mut Value) -> impl Iterator<Item = &mut Value> {
    const COMPANIONS: [&str; 4] = ["spec", "sources", "sow", "outcomes"];
    setup
        .get_mut("given")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
        .filter(|(name, _)| COMPANIONS.contains(&name.as_str()))
        .filter_map(|(_, companion)| companion.get_mut("bytes"))
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
