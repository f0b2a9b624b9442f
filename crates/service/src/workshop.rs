//! What the service needs of the program: setting runs up, checking documents, and the
//! models. The program implements it with its configuration; tests with less.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use redraft_engine::journal::Header;
use redraft_engine::model::Model;
use redraft_gate::fix::Inspected;
use redraft_run::ask::Time;
use redraft_run::run::Run;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::store::{Blob, Settings};

/// What is wanted of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderGoal {
    /// Checks, safe fixes and receipts, without a model.
    Check,
    Judge,
    #[default]
    Refine,
    /// Write a new text from the specification, then refine it.
    Write,
}

impl OrderGoal {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Judge => "judge",
            Self::Refine => "refine",
            Self::Write => "write",
        }
    }
}

/// Who decides when a text is not accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub enum OrderMode {
    /// The program; the best version is the result.
    #[default]
    #[serde(rename = "full-auto")]
    FullAuto,
    /// A reviewer; the run waits for them.
    #[serde(rename = "semi-auto")]
    SemiAuto,
}

/// An order: what `POST /v1/runs` takes.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Order {
    /// The document: Markdown, or the text of a JSON file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub document: String,
    /// The bytes of the document as base64, instead of `document`: for files that are no
    /// text in UTF-8, such as packages and workbooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_base64: Option<String>,
    /// Its name, such as `photosynthesis.md`; the extension tells its form.
    #[schemars(length(max = 200))]
    pub name: Option<String>,
    pub goal: OrderGoal,
    pub mode: OrderMode,
    /// `lesson`, `sqa-lesson` or `clinical-mcq`; detected if absent.
    pub profile: Option<String>,
    /// The expected language, such as `en`.
    pub language: Option<String>,
    /// Overrides of the decision policy, with the keys of `policy.toml`.
    pub policy: Option<Map<String, Value>>,
    /// The specification: JSON, or its text.
    pub spec: Option<Value>,
    /// The sources: JSON, or plain text.
    pub sources: Option<Value>,
    /// The scheme of work: JSON, or its text.
    pub sow: Option<Value>,
    /// The outcomes of the course: JSON, or its text.
    pub outcomes: Option<Value>,
    /// Higher ones are done first; from -100 to 100.
    #[schemars(range(min = -100, max = 100))]
    pub priority: i64,
    /// Which item of a bank it is; only [`Workshop::items`] says so.
    #[serde(skip)]
    pub item: Option<BankItem>,
}

impl Order {
    /// The bytes of the document.
    ///
    /// # Errors
    /// When they are not base64, or there are two documents.
    pub fn bytes(&self) -> Result<Vec<u8>, Rejection> {
        let Some(encoded) = &self.document_base64 else {
            return Ok(self.document.clone().into_bytes());
        };
        if !self.document.is_empty() {
            return Err(Rejection::Invalid(
                "document_base64: expected either `document` or this".to_owned(),
            ));
        }
        STANDARD.decode(encoded.trim()).map_err(|_| {
            Rejection::Invalid("document_base64: expected base64 with padding".to_owned())
        })
    }

    /// Whether it has no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let encoded = self.document_base64.as_deref().unwrap_or_default();
        self.document.is_empty() && encoded.trim().is_empty()
    }
}

/// An item of a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankItem {
    pub id: String,
    /// What keys that are numbers count from, which one item does not show.
    pub index_base: Option<u8>,
    /// The format of the bank, which one item may not show.
    pub format: Option<String>,
}

/// A run that was set up.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub profile: String,
    pub name: String,
    pub header: Header,
    pub document: Blob,
    pub companions: Vec<Blob>,
}

/// A document that was checked.
#[derive(Debug)]
pub struct Checked {
    pub name: String,
    pub profile: &'static str,
    pub inspected: Inspected,
    /// As `redraft check --format json` gives it.
    pub report: Value,
    /// How many items it has, if it is a bank.
    pub items: Option<usize>,
    /// Whether models are configured.
    pub can_judge: bool,
}

/// A section of a text, or another component of it.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Section {
    /// Its name, such as `sec_2`.
    pub id: String,
    /// What it is, such as `section` or `example`.
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The section that holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Its first byte.
    pub start: usize,
    /// After its last byte.
    pub end: usize,
}

/// Which results of items are put into their bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakenItems {
    #[default]
    All,
    /// Those of accepted items; the others stay as they were.
    Accepted,
}

/// The form of a row that holds cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowForm {
    /// Cards as they are, plus a compressed copy.
    #[default]
    Json,
    /// Cards as one compressed string, lists as JSON in strings.
    Appwrite,
}

/// A bank that was put together again.
#[derive(Clone, Debug)]
pub struct Assembled {
    pub content: Vec<u8>,
    /// How its items ended, and the receipts of the whole file.
    pub report: Value,
}

/// A model, and what it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct ModelInfo {
    /// As `provider/model`.
    pub model: String,
    pub roles: Vec<String>,
    /// How it did as a judge, by the kind of content.
    pub tests: Vec<JudgeTestInfo>,
}

/// How a judge ranked pairs of good and bad texts.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct JudgeTestInfo {
    pub model: String,
    pub profile: String,
    /// The pairs that it ranked correctly.
    pub right: u32,
    pub pairs: u32,
    /// How many it must rank correctly.
    pub needed: u32,
    pub passed: bool,
    /// Whether the prompts have changed since; then it proves nothing.
    pub stale: bool,
    /// Why it was not tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What the operator has set for a kind of content, which tenants may override.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ProfileDefaults {
    pub profile: String,
    pub mode: OrderMode,
    /// From here on a text is accepted.
    pub accept: f64,
    /// From here on it is good enough where nothing can be repaired.
    pub good_enough: Option<f64>,
    /// The most rounds of repair.
    pub rounds: u32,
    /// Criterion and its share of the whole, from 0 to 1, in the order of the rubric.
    pub weights: Vec<(String, f64)>,
}

/// Why an order cannot be done.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Rejection {
    /// Something about the order is wrong.
    #[error("{0}")]
    Invalid(String),
    /// The service is not set up for it.
    #[error("{0}")]
    NotConfigured(String),
}

/// What the program does for the service. All of it is quick, and none of it calls a
/// model.
pub trait Workshop: Send + Sync {
    /// Whether runs can use what a tenant wants to set.
    ///
    /// # Errors
    /// Which of it they cannot.
    fn check_settings(&self, settings: &Settings) -> Result<(), Rejection>;

    /// Sets a run up with what the tenant has set; the order's policy goes over it.
    ///
    /// # Errors
    /// When the order cannot be done.
    fn prepare(
        &self,
        order: &Order,
        settings: &Settings,
        run: &str,
        now: Time,
    ) -> Result<Prepared, Rejection>;

    /// Sets a stored run up once more under another id and time, with what it was recorded
    /// with; it may use no more than the operator and the tenant allow today.
    ///
    /// # Errors
    /// When this program cannot.
    fn prepare_again(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        settings: &Settings,
        new: (&str, Time),
    ) -> Result<Prepared, Rejection>;

    /// The items of a bank, as orders of their own.
    ///
    /// # Errors
    /// When the document is not a bank.
    fn items(&self, order: &Order) -> Result<Vec<Order>, Rejection>;

    /// Puts a bank together again from the names and outcomes of its items, in their
    /// order.
    ///
    /// # Errors
    /// When they do not belong to the bank.
    fn assemble(
        &self,
        name: &str,
        bank: Vec<u8>,
        outcomes: &[(String, String)],
        taken: TakenItems,
    ) -> Result<Assembled, Rejection>;

    /// A set of cards as a row of a store, in JSON.
    ///
    /// # Errors
    /// When these are not cards, or what the store needs is missing.
    fn template(&self, cards: &[u8], form: RowForm) -> Result<String, Rejection>;

    /// Sets a stored run up again.
    ///
    /// # Errors
    /// When this program cannot.
    fn machine(&self, header: &Header, blobs: &BTreeMap<String, Vec<u8>>)
    -> Result<Run, Rejection>;

    /// The sections of a text of a stored run.
    ///
    /// # Errors
    /// When this program cannot read it.
    fn sections(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        text: Vec<u8>,
    ) -> Result<Vec<Section>, Rejection>;

    /// The report of the free checks, as `redraft check --format json` gives it for a
    /// document.
    ///
    /// # Errors
    /// When the document cannot be read.
    fn check(&self, order: &Order) -> Result<Value, Rejection>;

    /// The free checks and what they read, to be shown.
    ///
    /// # Errors
    /// When the document cannot be read.
    fn checked(&self, order: &Order) -> Result<Checked, Rejection>;

    /// Sets a stored run up again under other settings of its tenant, which go over what it
    /// was recorded with.
    ///
    /// # Errors
    /// When this program cannot.
    fn machine_under(
        &self,
        header: &Header,
        blobs: &BTreeMap<String, Vec<u8>>,
        settings: &Settings,
    ) -> Result<Run, Rejection>;

    /// What holds where a tenant has set nothing, by kind of content and mode.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    fn defaults(&self) -> Result<Vec<ProfileDefaults>, Rejection>;

    /// The models of a tenant's runs and how they did in their tests, and the names that a
    /// tenant may choose from.
    ///
    /// # Errors
    /// When none is configured.
    fn models(&self, settings: &Settings) -> Result<(Vec<ModelInfo>, Vec<String>), Rejection>;

    /// Asks every judge about pairs of good and bad texts, and keeps the results. This
    /// calls models, and takes as long as they do.
    ///
    /// # Errors
    /// When none is configured, or the profile is unknown.
    fn test_judges(&self, profile: &str) -> Result<Vec<JudgeTestInfo>, Rejection>;

    /// The models.
    fn model(&self) -> Arc<dyn Model>;
}
