//! One tiny call to each model: does it answer, how fast, in the form that was
//! asked for, and what did it cost. It asks through the engine's one trait and
//! knows no provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_engine::clock::Clock;
use redraft_engine::model::Model;
use redraft_gate::span::Version;
use redraft_run::ask::{Ask, AskId, ModelSettings, Reply, Role, Schema, Tokens, Worded};
use redraft_run::prompt::Prompt;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::resolve::Resolved;

/// The most that is answered. A model that thinks first needs some room.
const MOST: u32 = 256;

/// What a call to a model came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Which model: `provider/model`.
    pub model: String,
    /// In which roles it is asked, also as a fall-back.
    pub roles: Vec<Role>,
    /// What it answered, or why it did not.
    pub result: Result<Answered, String>,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// How long it took, in milliseconds.
    pub took: u64,
    /// Whether it has the form that was asked for.
    pub form: Form,
    /// What it used.
    pub tokens: Tokens,
    /// Whether we counted that, and not the provider.
    pub estimated: bool,
    /// What it cost, in millionths of a dollar; `None` where no price is known.
    pub cost: Option<u64>,
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The JSON that was asked for, and nothing else.
    Exact,
    /// That JSON, with words or a fence around it.
    Wrapped,
    /// Something else.
    Other,
}

impl Form {
    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Wrapped => "wrapped",
            Self::Other => "other",
        }
    }

    fn of(text: &str) -> Self {
        let is_wanted = |text: &str| {
            serde_json::from_str::<Value>(text)
                .is_ok_and(|value| value.get("ready").is_some_and(Value::is_boolean))
        };
        if is_wanted(text.trim()) {
            return Self::Exact;
        }
        let inner = text
            .find('{')
            .zip(text.rfind('}'))
            .and_then(|(start, end)| text.get(start..=end));
        if inner.is_some_and(is_wanted) {
            Self::Wrapped
        } else {
            Self::Other
        }
    }
}

/// Asks every model once, all at the same time, and lists them by name.
pub async fn run(
    resolved: &Resolved,
    model: &Arc<dyn Model>,
    clock: &Arc<dyn Clock>,
) -> Vec<Trial> {
    let mut calls = JoinSet::new();
    let mut trials = BTreeMap::new();
    for (name, (settings, roles, is_priced)) in models(resolved) {
        let ask = ask(
            &settings,
            roles.first().copied().unwrap_or(Role::SelfReviewer),
        );
        let answer = model.ask(&ask);
        let seconds = resolved.limits.seconds_per_call;
        let late = clock.sleep_until(clock.now().after(seconds.saturating_mul(1_000)));
        trials.insert(
            name.clone(),
            Trial {
                model: name.clone(),
                roles,
                result: Err("the call was given up".to_owned()),
            },
        );
        calls.spawn(async move {
            let result = tokio::select! {
                answer = answer => answer
                    .map(|reply| answered(&reply, &settings, is_priced))
                    .map_err(|failure| failure.message),
                () = late => Err(format!("no answer within {seconds} seconds")),
            };
            (name, result)
        });
    }
    while let Some(call) = calls.join_next().await {
        if let Ok((name, result)) = call
            && let Some(trial) = trials.get_mut(&name)
        {
            trial.result = result;
        }
    }
    trials.into_values().collect()
}

/// Every model that may be asked, once, with its roles and whether its price is
/// known.
fn models(resolved: &Resolved) -> BTreeMap<String, (ModelSettings, Vec<Role>, bool)> {
    let mut models: BTreeMap<String, (ModelSettings, Vec<Role>, bool)> = BTreeMap::new();
    for (role, seated) in &resolved.roles {
        for (settings, asked) in seated.seat.models.iter().zip(&seated.asked) {
            let entry = models.entry(settings.name()).or_insert_with(|| {
                let settings = ModelSettings {
                    max_tokens: settings.max_tokens.min(MOST),
                    ..settings.clone()
                };
                (settings, Vec::new(), asked.price.is_some())
            });
            entry.1.push(*role);
        }
    }
    models
}

fn ask(settings: &ModelSettings, role: Role) -> Ask {
    let prompt = Prompt {
        system: "You are being tested for whether you can be reached.".to_owned(),
        user: "Answer with this JSON object and nothing else: {\"ready\": true}".to_owned(),
    };
    let schema = Schema::new(json!({
        "type": "object",
        "properties": { "ready": { "type": "boolean" } },
        "required": ["ready"],
        "additionalProperties": false,
    }));
    let content = Version::of(prompt.user.as_bytes());
    let worded = Worded::new(Arc::new(prompt), Some(Arc::new(schema)));
    Ask {
        id: AskId(format!("test/{}/try1", settings.name())),
        role,
        fingerprint: worded.fingerprint(role, settings),
        content,
        reserved: Tokens {
            input: worded.tokens,
            output: u64::from(settings.max_tokens),
        },
        model: settings.clone(),
        prompt: worded.prompt,
        schema: worded.schema,
        not_before: None,
    }
}

fn answered(reply: &Reply, settings: &ModelSettings, is_priced: bool) -> Answered {
    Answered {
        took: reply.took,
        form: Form::of(&reply.text),
        tokens: reply.usage.tokens,
        estimated: reply.usage.estimated,
        cost: is_priced.then(|| reply.usage.tokens.cost(settings)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use redraft_engine::clock::SystemClock;
    use redraft_engine::model::scripted::ScriptedModel;

    use super::*;
    use crate::config::Config;
    use crate::models::{Surroundings, resolve};

    const FILE: &str = r#"
        [providers.house]
        base-url = "http://localhost:9/v1"
        [roles.default]
        provider = "house"
        model = "good"
        fall-backs = ["wordy", "silly"]
        [roles.judge]
        model = "locked"
        [roles.judge_tiebreaker]
        model = "asleep"
        [limits]
        seconds-per-call = 1
        [models.good]
        provider = "house"
        price-in = 1
        price-out = 2
    "#;

    const SCRIPT: &str = r#"
        [[reply]]
        model = "good"
        text = '{"ready": true}'
        tokens = [1000, 500]
        [[reply]]
        model = "wordy"
        text = 'Sure! ```{"ready": true}```'
        [[reply]]
        model = "silly"
        text = 'ready'
        [[reply]]
        model = "locked"
        fault = "unauthorised"
        [[reply]]
        model = "asleep"
        fault = "stall"
    "#;

    #[tokio::test(start_paused = true)]
    async fn every_model_is_asked_once_and_told_apart() {
        let config = Config::parse(FILE, Path::new("redraft.toml")).unwrap();
        let around = Surroundings {
            variables: BTreeMap::new(),
            read: &|_| Ok(String::new()),
            ollama: &|_| None,
        };
        let resolved = resolve(&config, &around, None).unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let model: Arc<dyn Model> =
            Arc::new(ScriptedModel::new(SCRIPT, Arc::clone(&clock)).unwrap());
        let trials = run(&resolved, &model, &clock).await;
        let names: Vec<&str> = trials.iter().map(|trial| trial.model.as_str()).collect();
        assert_eq!(
            names,
            [
                "house/asleep",
                "house/good",
                "house/locked",
                "house/silly",
                "house/wordy"
            ]
        );
        let [asleep, good, locked, silly, wordy] = &trials[..] else {
            panic!("{trials:?}");
        };
        assert_eq!(asleep.result, Err("no answer within 1 seconds".to_owned()));
        assert_eq!(locked.result, Err("401: not authorised".to_owned()));
        assert_eq!(locked.roles, [Role::JudgePrimary, Role::JudgeSecondary]);
        let answer = good.result.as_ref().unwrap();
        assert_eq!(answer.form, Form::Exact);
        assert_eq!(
            answer.cost,
            Some(2_000),
            "1,000 at $1 and 500 at $2 a million"
        );
        assert_eq!(silly.result.as_ref().unwrap().form, Form::Other);
        assert_eq!(wordy.result.as_ref().unwrap().form, Form::Wrapped);
    }
}
