//! Questions to a model and the possible outcomes. Knows no provider: an answer is text, or a
//! failure with a reason.

mod schema;
mod tokens;

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub use schema::{BOUNDS, Schema};
pub use tokens::Tokens;

use crate::prompt::Prompt;
use redraft_gate::span::Version;

/// A moment, in milliseconds since 1970. No clock is read here: the caller
/// says what time it is.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    JsonSchema,
    Serialize,
    Deserialize,
)]
#[serde(transparent)]
pub struct Time(pub u64);

impl Time {
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    /// Milliseconds since an earlier moment; 0 if that moment is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// What a model is called for.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reviews a text before a judge is paid.
    SelfReviewer,
    /// The first judge of a panel.
    JudgePrimary,
    /// The cheap judge, who judges alone where that suffices.
    JudgeSecondary,
    /// The judge who is asked when two disagree.
    JudgeTiebreaker,
    /// Answers items without seeing their key.
    Solver,
    /// Puts merged instructions into words.
    Arbiter,
    /// Edits passages of one component.
    Patcher,
    /// Writes one section again.
    SectionExpander,
    /// Says whether a repair did what it was to do.
    DeltaJudge,
    /// Plans a lesson.
    Planner,
    /// Writes the sections of a plan.
    Expander,
    /// Smooths the joins between sections.
    Smoother,
    /// Writes cards and items.
    Author,
}

impl Role {
    /// Every role, in the order in which a document meets them.
    pub const ALL: [Self; 13] = [
        Self::SelfReviewer,
        Self::JudgePrimary,
        Self::JudgeSecondary,
        Self::JudgeTiebreaker,
        Self::Solver,
        Self::Arbiter,
        Self::Patcher,
        Self::SectionExpander,
        Self::DeltaJudge,
        Self::Planner,
        Self::Expander,
        Self::Smoother,
        Self::Author,
    ];

    /// The name in configuration, events and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SelfReviewer => "self_reviewer",
            Self::JudgePrimary => "judge_primary",
            Self::JudgeSecondary => "judge_secondary",
            Self::JudgeTiebreaker => "judge_tiebreaker",
            Self::Solver => "solver",
            Self::Arbiter => "arbiter",
            Self::Patcher => "patcher",
            Self::SectionExpander => "section_expander",
            Self::DeltaJudge => "delta_judge",
            Self::Planner => "planner",
            Self::Expander => "expander",
            Self::Smoother => "smoother",
            Self::Author => "author",
        }
    }

    /// The budget that pays for its calls (ruling 38).
    #[must_use]
    pub const fn budget(self) -> Budget {
        match self {
            Self::SelfReviewer
            | Self::JudgePrimary
            | Self::JudgeSecondary
            | Self::JudgeTiebreaker
            | Self::Solver
            | Self::Arbiter => Budget::Judging,
            Self::Patcher | Self::SectionExpander | Self::DeltaJudge => Budget::Repair,
            Self::Planner | Self::Expander | Self::Smoother | Self::Author => Budget::Writing,
        }
    }

    /// Whether the role scores whole texts.
    #[must_use]
    pub const fn is_judge(self) -> bool {
        matches!(
            self,
            Self::JudgePrimary | Self::JudgeSecondary | Self::JudgeTiebreaker
        )
    }

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// What tokens are spent on (ruling 38). Each budget has its own limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Self-review, judges, solver and arbiter.
    Judging,
    Repair,
    /// Planning and writing whole texts.
    Writing,
}

impl Budget {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Judging => "judging",
            Self::Repair => "repair",
            Self::Writing => "writing",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A model and its call parameters. Part of an ask's fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// The provider: `scripted`, `openai`, …
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    pub temperature_hundredths: u16,
    /// The limit of its answers.
    pub max_tokens: u32,
    /// Price of a million input tokens, in millionths of a dollar.
    pub price_in: u64,
    /// Price of a million output tokens, in millionths of a dollar.
    pub price_out: u64,
    /// The terms of the provider's prompt cache, if it has one. Not part of the fingerprint,
    /// because caching changes neither question nor answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheTerms>,
}

/// The terms of a provider's prompt cache. Prices are in the unit of [`ModelSettings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheTerms {
    /// The shortest prefix of a prompt that is cached, in tokens.
    pub least_tokens: u64,
    /// Price of tokens read from the cache.
    pub price_read: u64,
    /// Price of tokens written to the cache, charged instead of `price_in`.
    pub price_write: u64,
}

impl ModelSettings {
    /// A scripted model: its answers cost nothing.
    #[must_use]
    pub fn scripted(name: &str, max_tokens: u32) -> Self {
        Self {
            provider: "scripted".to_owned(),
            model: name.to_owned(),
            temperature_hundredths: 0,
            max_tokens,
            price_in: 0,
            price_out: 0,
            cache: None,
        }
    }

    /// The highest possible price of a million input tokens: as if all were written to the cache,
    /// if that costs more.
    #[must_use]
    pub fn dearest_in(&self) -> u64 {
        let write = self.cache.map_or(0, |cache| cache.price_write);
        self.price_in.max(write)
    }

    /// Whether its replies come from a script instead of a model.
    #[must_use]
    pub fn is_scripted(&self) -> bool {
        self.provider == "scripted"
    }

    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }
}

/// The name of an ask: a path that says what it is for, such as
/// `i0/judge/judge_secondary/try1`. Unique in a run, the same in every replay.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct AskId(pub String);

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The beginning of a hash over role, prompt, schema and model settings: two asks
/// with the same one are the same question.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Fingerprint(pub String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub id: AskId,
    pub role: Role,
    pub model: ModelSettings,
    /// Shared: all judges of one text get the same prompt.
    pub prompt: Arc<Prompt>,
    /// The schema of the answer; `None` for plain text.
    pub schema: Option<Arc<Schema>>,
    /// The version of the text it is about.
    pub content: Version,
    /// Hash of role, model, prompt and schema.
    pub fingerprint: Fingerprint,
    pub reserved: Tokens,
    /// The earliest time to send it, if a provider asked us to wait.
    pub not_before: Option<Time>,
}

/// A prompt and what is computed from it once, because several judges of one text get the same
/// prompt.
#[derive(Clone, Debug)]
pub struct PreparedPrompt {
    pub prompt: Arc<Prompt>,
    /// The schema of the answer.
    pub schema: Option<Arc<Schema>>,
    /// Upper estimate of the tokens of prompt and schema.
    pub tokens: u64,
    /// Upper estimate of the tokens of the prompt alone.
    pub prompt_tokens: u64,
    /// The hash state after prompt and schema; role and model are added to it.
    hash: Sha256,
}

impl PreparedPrompt {
    #[must_use]
    pub fn new(prompt: Arc<Prompt>, schema: Option<Arc<Schema>>) -> Self {
        let form = schema.as_ref().map_or("", |schema| schema.text());
        let mut hash = Sha256::new();
        for part in [prompt.system.as_str(), &prompt.user, form] {
            add(&mut hash, part);
        }
        let prompt_tokens = prompt.tokens();
        let form_tokens = schema.as_ref().map_or(0, |schema| schema.tokens());
        Self {
            tokens: prompt_tokens + form_tokens,
            prompt_tokens,
            prompt,
            schema,
            hash,
        }
    }

    /// The fingerprint of asking `model` this question in `role`.
    #[must_use]
    pub fn fingerprint(&self, role: Role, model: &ModelSettings) -> Fingerprint {
        let mut hash = self.hash.clone();
        add(&mut hash, role.name());
        let model = ModelSettings {
            cache: None,
            ..model.clone()
        };
        add(
            &mut hash,
            &serde_json::to_string(&model).unwrap_or_default(),
        );
        let bytes = hash.finalize();
        let bytes = bytes.iter().take(16);
        Fingerprint(bytes.map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The length keeps adjacent strings apart.
fn add(hash: &mut Sha256, part: &str) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part.as_bytes());
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub finish: Finish,
    pub usage: Usage,
    /// Duration in milliseconds.
    pub took: u64,
    /// Whether it is the reply to another run that asked the same, earlier or at the same
    /// time. It cost nothing this time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
}

impl Reply {
    /// A complete answer without a count of its tokens.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            finish: Finish::Stop,
            usage: Usage {
                tokens: Tokens::default(),
                estimated: true,
            },
            took: 0,
            reused: false,
        }
    }

    /// The same reply for whom another run has paid it.
    #[must_use]
    pub fn paid_already(self) -> Self {
        Self {
            usage: Usage {
                tokens: Tokens::default(),
                estimated: false,
            },
            took: 0,
            reused: true,
            ..self
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    Stop,
    /// The answer reached its length limit.
    Length,
    /// The model, or a filter in front of it, declined.
    Refusal,
    /// The provider gave a different reason, such as `error`.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: Tokens,
    /// Whether they are our estimate, because the provider gave no count.
    pub estimated: bool,
}

/// Why a call produced no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFailure {
    /// What to do about it.
    pub kind: FailureKind,
    /// What happened, without secrets.
    pub message: String,
    /// Tokens used despite the failure, if known.
    pub usage: Option<Usage>,
    /// The model's context window, if the provider named it when it rejected a prompt that was too
    /// long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
}

/// What to do about a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// A retry may succeed.
    Transient {
        /// How long the provider asked us to wait, in milliseconds.
        retry_after: Option<u64>,
    },
    Permanent,
    /// The prompt is too long for this model.
    TooLong,
    /// Not sent: it would exceed the spending limit of the process.
    OverBudget,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::tokens::tests::{caching, model};

    #[test]
    fn the_same_question_has_the_same_fingerprint_and_any_other_has_not() {
        let prompt = |system: &str, user: &str| Prompt {
            system: system.to_owned(),
            user: user.to_owned(),
        };
        let schema = Arc::new(Schema::new(serde_json::json!({})));
        let of = |role, prompt: &Prompt, model: &ModelSettings| {
            let schema = Some(Arc::clone(&schema));
            PreparedPrompt::new(Arc::new(prompt.clone()), schema).fingerprint(role, model)
        };
        let plain = PreparedPrompt::new(Arc::new(prompt("a", "bc")), None);
        let first = of(Role::JudgePrimary, &prompt("a", "bc"), &model());
        assert_eq!(first, of(Role::JudgePrimary, &prompt("a", "bc"), &model()));
        let hotter = ModelSettings {
            temperature_hundredths: 70,
            ..model()
        };
        for other in [
            of(Role::JudgePrimary, &prompt("ab", "c"), &model()),
            of(Role::JudgeSecondary, &prompt("a", "bc"), &model()),
            of(Role::JudgePrimary, &prompt("a", "bc"), &hotter),
            plain.fingerprint(Role::JudgePrimary, &model()),
        ] {
            assert_ne!(first, other);
        }
    }

    #[test]
    fn what_a_cache_costs_is_no_part_of_a_question() {
        let prompt = Prompt {
            system: "a".to_owned(),
            user: "b".to_owned(),
        };
        let prepared = PreparedPrompt::new(Arc::new(prompt), None);
        assert_eq!(
            prepared.fingerprint(Role::JudgePrimary, &caching()),
            prepared.fingerprint(Role::JudgePrimary, &model())
        );
    }
}
