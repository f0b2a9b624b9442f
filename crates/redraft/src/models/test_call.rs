//! `redraft models --test`: one tiny call to each model shows whether it answers, how
//! fast, in the requested format, and at what cost. It knows no provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use redraft_engine::clock::Clock;
use redraft_engine::model::Model;
use redraft_gate::span::Version;
use redraft_run::ask::{Ask, AskId, ModelSettings, PreparedPrompt, Reply, Role, Schema, Tokens};
use redraft_run::prompt::Prompt;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::resolve::Resolved;

/// A model that reasons first needs some room.
const MAX_TOKENS: u32 = 256;

/// The result of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCall {
    /// As `provider/model`.
    pub model: String,
    /// The roles that use it, also as a fallback.
    pub roles: Vec<Role>,
    /// The error says why it did not answer.
    pub result: Result<Answered, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// In milliseconds.
    pub took: u64,
    pub form: Form,
    pub tokens: Tokens,
    /// Whether redraft counted the tokens because the provider did not.
    pub estimated: bool,
    /// In millionths of a dollar; `None` if no price is known.
    pub cost: Option<u64>,
}

/// How well an answer keeps to the requested JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The JSON and nothing else.
    Exact,
    /// The JSON with text or a fence around it.
    Wrapped,
    Other,
}

impl Form {
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

/// Calls every model once, all at the same time, and lists the results by name.
pub async fn run(
    resolved: &Resolved,
    model: &Arc<dyn Model>,
    clock: &Arc<dyn Clock>,
) -> Vec<TestCall> {
    let mut calls = JoinSet::new();
    let mut tests = BTreeMap::new();
    for (name, (settings, roles, is_priced)) in models(resolved) {
        let ask = ask(
            &settings,
            roles.first().copied().unwrap_or(Role::SelfReviewer),
        );
        let answer = model.ask(&ask);
        // The providers end a call at the limit of their kind; this is for a model that does not.
        let limits = &resolved.limits;
        let seconds = limits.seconds_per_call.max(limits.local_seconds_per_call);
        let late = clock.sleep_until(clock.now().after(seconds.saturating_mul(1_000)));
        tests.insert(
            name.clone(),
            TestCall {
                model: name.clone(),
                roles,
                result: Err("the call was cancelled".to_owned()),
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
            && let Some(test) = tests.get_mut(&name)
        {
            test.result = result;
        }
    }
    tests.into_values().collect()
}

/// Every assigned model once, with its roles and whether its price is known.
fn models(resolved: &Resolved) -> BTreeMap<String, (ModelSettings, Vec<Role>, bool)> {
    let mut models: BTreeMap<String, (ModelSettings, Vec<Role>, bool)> = BTreeMap::new();
    for (role, assigned) in &resolved.roles {
        for (settings, info) in assigned.seat.models.iter().zip(&assigned.info) {
            let entry = models.entry(settings.name()).or_insert_with(|| {
                let settings = ModelSettings {
                    max_tokens: settings.max_tokens.min(MAX_TOKENS),
                    ..settings.clone()
                };
                (settings, Vec::new(), info.price.is_some())
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
    let prepared = PreparedPrompt::new(Arc::new(prompt), Some(Arc::new(schema)));
    Ask {
        id: AskId(format!("test/{}/try1", settings.name())),
        role,
        fingerprint: prepared.fingerprint(role, settings),
        content,
        reserved: Tokens::new(prepared.tokens, u64::from(settings.max_tokens)),
        model: settings.clone(),
        prompt: prepared.prompt,
        schema: prepared.schema,
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
    use crate::models::{Environment, resolve};

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
    async fn every_model_is_called_once() {
        let config = Config::parse(FILE, Path::new("redraft.toml")).unwrap();
        let environment = Environment {
            variables: BTreeMap::new(),
            read: &|_| Ok(String::new()),
            ollama: &|_| None,
        };
        let resolved = resolve(&config, &environment, None).unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let model: Arc<dyn Model> =
            Arc::new(ScriptedModel::new(SCRIPT, Arc::clone(&clock)).unwrap());
        let tests = run(&resolved, &model, &clock).await;
        let names: Vec<&str> = tests.iter().map(|test| test.model.as_str()).collect();
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
        let [asleep, good, locked, silly, wordy] = &tests[..] else {
            panic!("{tests:?}");
        };
        assert_eq!(asleep.result, Err("no answer within 1 seconds".to_owned()));
        assert_eq!(locked.result, Err("401: not authorised".to_owned()));
        assert_eq!(
            locked.roles,
            [Role::JudgePrimary, Role::JudgeSecondary, Role::Solver]
        );
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
