//! A model that replies from a script, for tests and examples. Events and outcome are marked as
//! scripted.
//!
//! A script is TOML. Each `[[reply]]` says which asks it matches and what the reply is. The first
//! match is used; the last one of a role also answers all later tries.
//!
//! ```toml
//! [[reply]]
//! role = "judge_secondary"
//! confidence = "high"
//! scores = { factual_accuracy = 0.92, completeness = 0.88 }
//! ```
//!
//! `context`, before the replies, sets the context window in tokens. `model`, `try`, `round` and
//! `section` restrict which asks a reply matches; `text` is the literal reply.
//!
//! | fault | effect |
//! |---|---|
//! | `rate-limit` | 429, with `retry_after_ms` |
//! | `server-error` | 500 |
//! | `reset` | the connection is closed |
//! | `unauthorised` | 401 |
//! | `too-long` | the prompt does not fit |
//! | `stall` | no reply, ever |
//! | `truncated-json` | the reply is cut off in the middle |
//! | `wrong-schema` | a different object |
//! | `refusal`, `empty` | as the name says |
//! | `prose-around-json` | a good reply inside prose and a code fence |
//! | `score-85` | percentages instead of scores |
//! | `another-lesson` | a good verdict, about another text |

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_run::ask::{
    Ask, CallFailure, FailureKind, Finish, ModelSettings, Reply, Role, Time, Tokens, Usage,
};
use redraft_run::token_estimate::estimated_tokens;
use serde::Deserialize;
use thiserror::Error;

use super::Model;
use crate::clock::{BoxFuture, Clock};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    /// The context window: tokens of prompt and reply together.
    context: Option<u64>,
    reply: Vec<Scripted>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scripted {
    /// Any role, if absent.
    role: Option<Role>,
    /// For roles with several models.
    model: Option<String>,
    /// Counted from 1.
    #[serde(rename = "try")]
    attempt: Option<u32>,
    /// The round of repair; 0 before the first.
    round: Option<u32>,
    /// The component.
    section: Option<String>,
    text_id: Option<String>,
    /// The literal reply; `{text_id}` is replaced by the id of the text.
    text: Option<String>,
    /// Or a verdict: its scores, …
    #[serde(default)]
    scores: BTreeMap<String, f64>,
    /// … the reasons for them, …
    #[serde(default)]
    reasons: BTreeMap<String, String>,
    /// … the judge's own overall score, …
    overall: Option<f64>,
    /// … issues, …
    #[serde(default)]
    issues: Vec<toml::Table>,
    /// … strengths, …
    #[serde(default)]
    strengths: Vec<String>,
    /// … and confidence.
    confidence: Option<String>,
    fault: Option<Fault>,
    /// With `rate-limit`.
    retry_after_ms: Option<u64>,
    /// How long the reply takes.
    #[serde(default)]
    delay_ms: u64,
    /// Input and output tokens; estimated if absent.
    tokens: Option<[u64; 2]>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    RateLimit,
    ServerError,
    Reset,
    Unauthorised,
    TooLong,
    Stall,
    TruncatedJson,
    WrongSchema,
    Refusal,
    Empty,
    ProseAroundJson,
    #[serde(rename = "score-85")]
    Score85,
    AnotherLesson,
}

/// Why a script cannot be used.
#[derive(Debug, Error)]
#[error("invalid script of replies")]
pub struct ScriptError(#[from] toml::de::Error);

pub struct ScriptedModel {
    script: Arc<Script>,
    clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptedModel")
            .field("replies", &self.script.reply.len())
            .finish_non_exhaustive()
    }
}

impl ScriptedModel {
    /// Reads a script.
    ///
    /// # Errors
    /// If it is not TOML or has an unknown key.
    pub fn new(script: &str, clock: Arc<dyn Clock>) -> Result<Self, ScriptError> {
        let script: Script = toml::from_str(script)?;
        Ok(Self {
            script: Arc::new(script),
            clock,
        })
    }

    /// Settings for asks to a scripted model.
    #[must_use]
    pub fn settings(name: &str) -> ModelSettings {
        ModelSettings::scripted(name, 2_000)
    }

    /// The context window, if the script sets one.
    #[must_use]
    pub fn context(&self) -> Option<u64> {
        self.script.context
    }

    /// The roles that the script has replies for. A reply without a role belongs to a judge.
    #[must_use]
    pub fn roles(&self) -> Vec<Role> {
        let named: std::collections::BTreeSet<Role> = self
            .script
            .reply
            .iter()
            .map(|reply| reply.role.unwrap_or(Role::JudgeSecondary))
            .collect();
        named.into_iter().collect()
    }

    fn choose(&self, ask: &Ask) -> Option<&Scripted> {
        let attempt = ask
            .id
            .0
            .rsplit("try")
            .next()
            .and_then(|number| number.parse::<u32>().ok());
        let parts: Vec<&str> = ask.id.0.split('/').collect();
        let round = parts
            .first()
            .and_then(|part| part.strip_prefix('i'))
            .and_then(|number| number.parse::<u32>().ok());
        let fits = |reply: &&Scripted| {
            reply.role.is_none_or(|role| role == ask.role)
                && reply.round.is_none_or(|wanted| Some(wanted) == round)
                && reply
                    .section
                    .as_ref()
                    .is_none_or(|section| ask.id.0.contains(&format!("/{section}/")))
                && reply
                    .model
                    .as_ref()
                    .is_none_or(|model| *model == ask.model.model)
                && reply
                    .text_id
                    .as_ref()
                    .is_none_or(|id| *id == ask.content.to_string())
        };
        let replies = || self.script.reply.iter().filter(fits);
        replies()
            .find(|reply| reply.attempt.is_none_or(|wanted| Some(wanted) == attempt))
            .or_else(|| replies().next_back())
    }
}

impl Model for ScriptedModel {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        let Some(scripted) = self.choose(ask).cloned() else {
            let message = format!("the script has no reply for {}", ask.id);
            return Box::pin(async move { Err(failure(FailureKind::Permanent, message)) });
        };
        let clock = Arc::clone(&self.clock);
        let ask = ask.clone();
        Box::pin(async move {
            let start = clock.now();
            if scripted.delay_ms > 0 {
                clock.sleep_until(start.after(scripted.delay_ms)).await;
            }
            if scripted.fault == Some(Fault::Stall) {
                std::future::pending::<()>().await;
            }
            answer(&scripted, &ask, start, clock.now())
        })
    }
}

fn failure(kind: FailureKind, message: impl Into<String>) -> CallFailure {
    CallFailure {
        kind,
        message: message.into(),
        usage: None,
        context: None,
    }
}

fn answer(scripted: &Scripted, ask: &Ask, start: Time, now: Time) -> Result<Reply, CallFailure> {
    let transient =
        |retry_after, message: &str| Err(failure(FailureKind::Transient { retry_after }, message));
    let good = verdict(scripted, 1.0, &ask.content.to_string());
    let (text, finish) = match scripted.fault {
        Some(Fault::RateLimit) => {
            return transient(scripted.retry_after_ms, "429: too many requests");
        }
        Some(Fault::ServerError) => return transient(None, "500: internal server error"),
        Some(Fault::Reset) => return transient(None, "the connection was reset"),
        Some(Fault::Unauthorised) => {
            return Err(failure(FailureKind::Permanent, "401: not authorised"));
        }
        Some(Fault::TooLong) => {
            return Err(failure(
                FailureKind::TooLong,
                "the prompt is too long for this model",
            ));
        }
        Some(Fault::TruncatedJson) => {
            let half = good.floor_char_boundary(good.len() / 2);
            (good[..half].to_owned(), Finish::Length)
        }
        Some(Fault::WrongSchema) => (
            r#"{"verdict": "good", "stars": 5}"#.to_owned(),
            Finish::Stop,
        ),
        Some(Fault::Refusal) => (
            "I'm sorry, but I can't help with that.".to_owned(),
            Finish::Refusal,
        ),
        Some(Fault::Empty) => (String::new(), Finish::Stop),
        Some(Fault::ProseAroundJson) => (
            format!("Sure! Here is my verdict:\n\n```json\n{good}\n```\n\nLet me know!"),
            Finish::Stop,
        ),
        Some(Fault::Score85) => (
            verdict(scripted, 100.0, &ask.content.to_string()),
            Finish::Stop,
        ),
        Some(Fault::AnotherLesson) => (verdict(scripted, 1.0, "0123456789abcdef"), Finish::Stop),
        Some(Fault::Stall) | None => (good, Finish::Stop),
    };
    let counted = || {
        Tokens::new(
            estimated_tokens(&ask.prompt.system) + estimated_tokens(&ask.prompt.user),
            estimated_tokens(&text),
        )
    };
    let tokens = scripted
        .tokens
        .map_or_else(counted, |[input, output]| Tokens::new(input, output));
    Ok(Reply {
        usage: Usage {
            tokens,
            estimated: scripted.tokens.is_none(),
        },
        text,
        finish,
        took: now.since(start),
        reused: false,
    })
}

/// The scripted text, or a verdict with the scripted scores.
fn verdict(scripted: &Scripted, times: f64, text_id: &str) -> String {
    if let Some(text) = &scripted.text {
        return text.replace("{text_id}", text_id);
    }
    let scores: serde_json::Map<String, serde_json::Value> = scripted
        .scores
        .iter()
        .map(|(name, score)| (name.clone(), (score * times).into()))
        .collect();
    let issues: Vec<serde_json::Value> = scripted
        .issues
        .iter()
        .filter_map(|issue| serde_json::to_value(issue).ok())
        .collect();
    let mut verdict = serde_json::json!({
        "text_id": text_id,
        "issues": issues,
        "strengths": scripted.strengths,
        "scores": scores,
        "confidence": scripted.confidence.as_deref().unwrap_or("high"),
    });
    if !scripted.reasons.is_empty() {
        verdict["reasons"] = serde_json::json!(scripted.reasons);
    }
    if let Some(overall) = scripted.overall {
        verdict["overall"] = (overall * times).into();
    }
    verdict.to_string()
}
