//! A model that answers from a script, for tests and examples. Wherever its
//! replies were used, events and outcome say so.
//!
//! A script is TOML. Each `[[reply]]` says for whom it is and what is answered;
//! the first that fits an ask is taken, and the last one of a role serves all
//! later tries, too.
//!
//! ```toml
//! [[reply]]
//! role = "judge_secondary"
//! confidence = "high"
//! scores = { factual_accuracy = 0.92, completeness = 0.88 }
//! ```
//!
//! Before them may stand `context`, the tokens that fit into one call, as of a model
//! that takes no more. `model`, `try`, `round` and `section` narrow down what a reply is for; `text` is
//! an answer word for word.
//!
//! | fault | what happens |
//! |---|---|
//! | `rate-limit` | 429, with `retry_after_ms` |
//! | `server-error` | 500 |
//! | `reset` | the connection is closed |
//! | `unauthorised` | 401 |
//! | `too-long` | the prompt does not fit |
//! | `stall` | no answer, ever |
//! | `truncated-json` | the answer breaks off in the middle |
//! | `wrong-schema` | another object |
//! | `refusal`, `empty` | as they say |
//! | `prose-around-json` | a good answer in chat and a fence |
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
use crate::clock::{Boxed, Clock};

/// A script.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    /// How many tokens fit into one call, prompt and answer together.
    context: Option<u64>,
    reply: Vec<Scripted>,
}

/// One scripted reply.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scripted {
    /// The role it is for; any, if none is named.
    role: Option<Role>,
    /// The model it is for, where a seat has several.
    model: Option<String>,
    /// The try it is for, from 1.
    #[serde(rename = "try")]
    attempt: Option<u32>,
    /// The round of repair it is for; 0 before any.
    round: Option<u32>,
    /// The part it is for.
    section: Option<String>,
    /// Only for the text with this id.
    text_id: Option<String>,
    /// The answer, word for word; `{text_id}` stands for the id of the text.
    text: Option<String>,
    /// Or a verdict: its scores, …
    #[serde(default)]
    scores: BTreeMap<String, f64>,
    /// … the judge's own overall, …
    overall: Option<f64>,
    /// … issues, …
    #[serde(default)]
    issues: Vec<toml::Table>,
    /// … strengths, …
    #[serde(default)]
    strengths: Vec<String>,
    /// … and confidence.
    confidence: Option<String>,
    /// What goes wrong.
    fault: Option<Fault>,
    /// With `rate-limit`.
    retry_after_ms: Option<u64>,
    /// How long the answer takes.
    #[serde(default)]
    delay_ms: u64,
    /// What is used, where it is not to be counted.
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
#[error("this is no script of replies")]
pub struct ScriptError(#[from] toml::de::Error);

/// The model.
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
    /// When it is no TOML, or names something unknown.
    pub fn new(script: &str, clock: Arc<dyn Clock>) -> Result<Self, ScriptError> {
        let script: Script = toml::from_str(script)?;
        Ok(Self {
            script: Arc::new(script),
            clock,
        })
    }

    /// The settings under which its replies are asked for.
    #[must_use]
    pub fn settings(name: &str) -> ModelSettings {
        ModelSettings::scripted(name, 2_000)
    }

    /// How many tokens fit into one call, where the script says.
    #[must_use]
    pub fn context(&self) -> Option<u64> {
        self.script.context
    }

    /// The roles that the script answers for; a reply that names none is a
    /// judge's.
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
    fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>> {
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
    let good = verdict(scripted, ask, 1.0, &ask.content.to_string());
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
            verdict(scripted, ask, 100.0, &ask.content.to_string()),
            Finish::Stop,
        ),
        Some(Fault::AnotherLesson) => (
            verdict(scripted, ask, 1.0, "0123456789abcdef"),
            Finish::Stop,
        ),
        Some(Fault::Stall) | None => (good, Finish::Stop),
    };
    let counted = || Tokens {
        input: estimated_tokens(&ask.prompt.system) + estimated_tokens(&ask.prompt.user),
        output: estimated_tokens(&text),
    };
    let tokens = scripted
        .tokens
        .map_or_else(counted, |[input, output]| Tokens { input, output });
    Ok(Reply {
        usage: Usage {
            tokens,
            estimated: scripted.tokens.is_none(),
        },
        text,
        finish,
        took: now.since(start),
    })
}

/// The scripted words, or the scripted figures as a verdict.
fn verdict(scripted: &Scripted, ask: &Ask, times: f64, text_id: &str) -> String {
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
    if let Some(overall) = scripted.overall {
        verdict["overall"] = (overall * times).into();
    }
    let _ = ask;
    verdict.to_string()
}
