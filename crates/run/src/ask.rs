//! What a run asks of a model, and what may come back. It knows no provider: an
//! answer is text, or a failure with a reason.

use crate::token_estimate::estimated_tokens;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

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
    pub const ALL: [Self; 12] = [
        Self::SelfReviewer,
        Self::JudgePrimary,
        Self::JudgeSecondary,
        Self::JudgeTiebreaker,
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
    /// Writing it anew.
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

/// What an answer has to look like: a JSON Schema, with what is worked out of it
/// once for all who are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    value: serde_json::Value,
    text: String,
    tokens: u64,
    is_closed: bool,
}

impl Schema {
    #[must_use]
    pub fn new(value: serde_json::Value) -> Self {
        let text = value.to_string();
        Self {
            tokens: estimated_tokens(&text),
            is_closed: is_closed(&value),
            value,
            text,
        }
    }

    #[must_use]
    pub fn value(&self) -> &serde_json::Value {
        &self.value
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An upper estimate of its tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Without bounds of numbers and lists, for protocols that reject them; they are
    /// enforced where a reply is read.
    #[must_use]
    pub fn without_bounds(&self) -> Self {
        Self::new(unbounded(&self.value))
    }

    /// Whether every object is closed and has to have all that it may have: what
    /// providers ask for who promise to keep to a schema.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}

/// The keywords of a schema that some protocols reject.
pub const BOUNDS: [&str; 4] = ["minimum", "maximum", "minItems", "maxItems"];

fn unbounded(schema: &serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match schema {
        // A bound is a number; a property of that name is a schema.
        Value::Object(map) => map
            .iter()
            .filter(|(name, value)| !(BOUNDS.contains(&name.as_str()) && value.is_number()))
            .map(|(name, value)| (name.clone(), unbounded(value)))
            .collect(),
        Value::Array(items) => items.iter().map(unbounded).collect(),
        other => other.clone(),
    }
}

fn is_closed(schema: &serde_json::Value) -> bool {
    match schema {
        serde_json::Value::Object(map) => {
            let names = map.get("properties").and_then(|value| value.as_object());
            let required = map.get("required").and_then(|value| value.as_array());
            let is_required = |name: &String| {
                required.is_some_and(|required| required.iter().any(|other| other == name))
            };
            let closed = names.is_none_or(|names| {
                map.get("additionalProperties") == Some(&serde_json::Value::Bool(false))
                    && required.is_some()
                    && names.keys().all(is_required)
            });
            closed && map.values().all(is_closed)
        }
        serde_json::Value::Array(items) => items.iter().all(is_closed),
        _ => true,
    }
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

/// Tokens sent and received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Tokens {
    /// Sent, whether cached or not.
    pub input: u64,
    /// Received.
    pub output: u64,
    /// Of those sent: read from the provider's cache, as the provider reports it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input: u64,
    /// Of those sent: written to the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

impl Tokens {
    /// So many sent and received, none of them cached.
    #[must_use]
    pub const fn new(input: u64, output: u64) -> Self {
        Self {
            input,
            output,
            cached_input: 0,
            cache_write: 0,
        }
    }

    #[must_use]
    pub const fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            cache_write: self.cache_write.saturating_add(other.cache_write),
        }
    }

    /// So many times as much.
    #[must_use]
    pub const fn times(self, number: u64) -> Self {
        Self {
            input: self.input.saturating_mul(number),
            output: self.output.saturating_mul(number),
            cached_input: self.cached_input.saturating_mul(number),
            cache_write: self.cache_write.saturating_mul(number),
        }
    }

    /// What they cost with a model, in millionths of a dollar, rounded up. Where
    /// nothing is known about a model's cache, cached tokens cost the full price.
    #[must_use]
    pub fn cost(self, model: &ModelSettings) -> u64 {
        let (price_read, price_write) = model
            .cache
            .map_or((model.price_in, model.price_in), |cache| {
                (cache.price_read, cache.price_write)
            });
        // A provider that reports more cached tokens than it was sent makes no call
        // cheaper than all of them cached.
        let read = self.cached_input.min(self.input);
        let written = self.cache_write.min(self.input - read);
        micros([
            (self.input - read - written, model.price_in),
            (read, price_read),
            (written, price_write),
            (self.output, model.price_out),
        ])
    }

    /// The most that they may cost: nothing is read from a cache, and everything is
    /// written to it. Limits and reservations count with it.
    #[must_use]
    pub fn dearest(self, model: &ModelSettings) -> u64 {
        micros([
            (self.input, model.dearest_in()),
            (self.output, model.price_out),
        ])
    }
}

/// Tokens by their prices per million, in millionths of a dollar, rounded up.
fn micros<const N: usize>(priced: [(u64, u64); N]) -> u64 {
    let sum: u128 = priced
        .into_iter()
        .map(|(tokens, price)| u128::from(tokens) * u128::from(price))
        .fold(0, u128::saturating_add);
    u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    pub finish: Finish,
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Whether it is the reply of an earlier run to the same question. It cost nothing
    /// this time.
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

    fn model() -> ModelSettings {
        ModelSettings {
            provider: "scripted".to_owned(),
            model: "m".to_owned(),
            temperature_hundredths: 0,
            max_tokens: 100,
            price_in: 3_000_000,
            price_out: 15_000_000,
            cache: None,
        }
    }

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
    fn a_schema_is_closed_where_nothing_may_be_added_or_left_out() {
        let closed = serde_json::json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "string"}}});
        let mut open = closed.clone();
        open["properties"]["b"] = serde_json::json!({});
        let mut unsaid = closed.clone();
        unsaid.as_object_mut().unwrap().remove("required");
        let within = serde_json::json!({"items": open});
        for (schema, expected) in [
            (closed, true),
            (open, false),
            (unsaid, false),
            (within, false),
        ] {
            let schema = Schema::new(schema);
            assert_eq!(schema.is_closed(), expected, "{}", schema.text());
        }
    }

    #[test]
    fn costs_are_rounded_up() {
        let tokens = Tokens::new(1, 0);
        assert_eq!(tokens.cost(&model()), 3);
        let none = Tokens::default();
        assert_eq!(none.cost(&model()), 0);
        let cheap = ModelSettings {
            price_in: 1,
            ..model()
        };
        assert_eq!(tokens.cost(&cheap), 1);
    }

    /// Anthropic's list prices of a medium model: a tenth for reading, a quarter more
    /// for writing.
    fn caching() -> ModelSettings {
        ModelSettings {
            cache: Some(CacheTerms {
                least_tokens: 1_024,
                price_read: 300_000,
                price_write: 3_750_000,
            }),
            ..model()
        }
    }

    #[test]
    fn cached_tokens_have_prices_of_their_own_and_the_full_one_where_none_is_known() {
        let million = |cached_input, cache_write| Tokens {
            input: 1_000_000,
            output: 0,
            cached_input,
            cache_write,
        };
        for (tokens, known, unknown) in [
            (million(0, 0), 3_000_000, 3_000_000),
            (million(1_000_000, 0), 300_000, 3_000_000),
            (million(0, 1_000_000), 3_750_000, 3_000_000),
            (
                million(400_000, 100_000),
                120_000 + 375_000 + 1_500_000,
                3_000_000,
            ),
            // More than was sent is not believed.
            (million(u64::MAX, 0), 300_000, 3_000_000),
            (million(900_000, u64::MAX), 270_000 + 375_000, 3_000_000),
        ] {
            assert_eq!(tokens.cost(&caching()), known, "{tokens:?}");
            assert_eq!(tokens.cost(&model()), unknown, "{tokens:?}");
            assert_eq!(tokens.dearest(&caching()), 3_750_000, "{tokens:?}");
            assert_eq!(tokens.dearest(&model()), 3_000_000, "{tokens:?}");
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

    #[test]
    fn tokens_of_older_records_have_no_cached_ones_and_print_none() {
        let tokens: Tokens = serde_json::from_str(r#"{"input":3,"output":2}"#).unwrap();
        assert_eq!(tokens, Tokens::new(3, 2));
        assert_eq!(
            serde_json::to_string(&tokens).unwrap(),
            r#"{"input":3,"output":2}"#
        );
    }

    #[test]
    fn tokens_are_estimated_generously_in_every_script() {
        for (text, at_least) in [
            ("", 0),
            ("The plant needs light.", 6),
            ("Растению нужен свет.", 8),
            ("植物需要阳光。", 7),
        ] {
            assert!(estimated_tokens(text) >= at_least, "{text}");
        }
    }

    #[test]
    fn every_character_is_counted_however_many_there_are() {
        for (text, tokens) in [("a", 1), ("я", 2), ("光", 2), ("aя光", 4)] {
            let long = text.repeat(3_000);
            let estimated = estimated_tokens(&long);
            let expected = match text {
                "a" => 1_000,
                "я" => 1_500,
                "光" => 6_000,
                _ => 9_840,
            };
            assert_eq!(
                (estimated_tokens(text), estimated),
                (tokens, expected),
                "{text}"
            );
        }
    }
}
