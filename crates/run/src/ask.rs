//! What a run asks of a model, and what may come back. It knows no provider: an
//! answer is text, or a failure with a reason.

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
    /// So many milliseconds later.
    #[must_use]
    pub const fn after(self, milliseconds: u64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }

    /// Milliseconds from an earlier moment to this one.
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

    /// Its name in configuration, events and reports.
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

    /// The budget that its calls are paid from (ruling 38).
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

    /// Whether it scores whole texts.
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

/// What tokens are spent on (ruling 38). Each has a limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Finding out how good a text is.
    Judging,
    Repair,
    /// Writing it again.
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

/// A model and how it is called. Part of an ask's fingerprint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSettings {
    /// Who runs it: `scripted`, `openai`, …
    pub provider: String,
    /// Its name there.
    pub model: String,
    /// How much chance is allowed, in hundredths.
    pub temperature_hundredths: u16,
    /// The most that it may answer, in tokens.
    pub max_tokens: u32,
    /// What a million tokens cost, in millionths of a dollar, sent and received.
    pub price_in: u64,
    /// See `price_in`.
    pub price_out: u64,
    /// What its provider's prompt cache takes, if it has one. What is sent and
    /// answered does not depend on it, so it is no part of a fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheTerms>,
}

/// What the prompt cache of a provider takes. Prices are as in [`ModelSettings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheTerms {
    /// A shorter beginning of a prompt is not cached, in tokens.
    pub least_tokens: u64,
    /// For tokens that are read from the cache.
    pub price_read: u64,
    /// For tokens that are written to it, instead of `price_in`.
    pub price_write: u64,
}

impl ModelSettings {
    /// What answers from a script: for nothing, with at most so many tokens.
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

    /// The most that a million tokens sent may cost: all of them written to the cache,
    /// where that has a price of its own.
    #[must_use]
    pub fn dearest_in(&self) -> u64 {
        let write = self.cache.map_or(0, |cache| cache.price_write);
        self.price_in.max(write)
    }

    /// Whether its replies come from a script and not from a model.
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
    /// The words. Judges of one text are asked the same.
    pub prompt: Arc<Prompt>,
    /// What the answer has to look like; `None` where it is plain text.
    pub schema: Option<Arc<Schema>>,
    /// The version of the text it is about.
    pub content: Version,
    /// Over role, model, words and schema.
    pub fingerprint: Fingerprint,
    pub reserved: Tokens,
    /// Not to be sent earlier: a provider asked for patience.
    pub not_before: Option<Time>,
}

/// A question put into words, with what is computed from them once: several judges
/// of one text are asked the same.
#[derive(Clone, Debug)]
pub struct PreparedPrompt {
    pub prompt: Arc<Prompt>,
    /// What the answer has to look like.
    pub schema: Option<Arc<Schema>>,
    /// An upper estimate of its tokens.
    pub tokens: u64,
    /// Those of the words alone, without what the answer has to look like.
    pub prompt_tokens: u64,
    /// The hash of words and schema, ready to be gone on with.
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

    /// The fingerprint of asking this of a model in a role.
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

/// Lengths keep the strings apart.
fn add(hash: &mut Sha256, part: &str) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part.as_bytes());
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub finish: Finish,
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Whether it is the reply to another run that asked the same, earlier or at the same
    /// time. It cost nothing this time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
}

impl Reply {
    /// A complete answer of these words, without counted usage.
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
    /// It reached the limit of its answer.
    Length,
    /// It, or a filter before it, declined.
    Refusal,
    /// The provider gave a reason that means none of these, such as `error`.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub tokens: Tokens,
    /// Whether the provider counted them, or we did.
    pub estimated: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFailure {
    /// What to do about it.
    pub kind: FailureKind,
    /// What happened, without any secret.
    pub message: String,
    /// What it used all the same, where that is known.
    pub usage: Option<Usage>,
    /// How many tokens the model takes in one call, where it was asked too much and
    /// the provider said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
}

/// What to do about a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// It may work another time.
    Transient {
        /// How long the provider asked to wait, in milliseconds.
        retry_after: Option<u64>,
    },
    Permanent,
    /// The prompt is too long for this model.
    TooLong,
    /// It was not sent: the process may not spend so much.
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
