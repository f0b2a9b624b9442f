//! The real client against a real, very small model on this machine. Tests only the plumbing and
//! never looks at what the model says.
//!
//! `cargo xtask test` starts the server, and names it in `REDRAFT_REAL_MODEL` and its process in
//! `REDRAFT_REAL_MODEL_PROCESS`. The last step of the test kills it.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use redraft_engine::model::Model as _;
use redraft_engine::model::connection::{Api, Connection, Structured};
use redraft_engine::model::providers::{Providers, Timeouts};
use redraft_gate::span::Version;
use redraft_run::ask::{
    Ask, AskId, CallFailure, FailureKind, Fingerprint, ModelSettings, Reply, Role, Schema, Tokens,
};
use redraft_run::prompt::Prompt;
use serde_json::{Value, json};

fn providers(url: &str, structured: Structured, deadline: Duration) -> Providers {
    let connection = Connection {
        name: "local".to_owned(),
        api: Api::OpenAi,
        base_url: url.to_owned(),
        key: None,
        in_flight: 1,
        structured,
    };
    let timeouts = Timeouts {
        deadline,
        stall: deadline,
        connect_retries: 0,
        ..Timeouts::default()
    };
    Providers::new(vec![connection], timeouts).unwrap()
}

const PATIENT: Duration = Duration::from_secs(300);

fn ask(name: &str, schema: Value, max_tokens: u32) -> Ask {
    Ask {
        id: AskId(name.to_owned()),
        role: Role::JudgeSecondary,
        model: ModelSettings {
            provider: "local".to_owned(),
            model: "smollm2".to_owned(),
            temperature_hundredths: 0,
            max_tokens,
            price_in: 0,
            price_out: 0,
            cache: None,
        },
        prompt: Arc::new(Prompt {
            system: "You answer in JSON.".to_owned(),
            user: "Does water boil in a kettle?".to_owned(),
        }),
        schema: Some(Arc::new(Schema::new(schema))),
        content: Version::of(b""),
        fingerprint: Fingerprint(name.to_owned()),
        reserved: Tokens::default(),
        not_before: None,
    }
}

fn short() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["answer", "grade"],
        "properties": {
            "answer": {"type": "string", "enum": ["yes", "no"]},
            "grade": {"type": "string", "enum": ["low", "medium", "high"]},
        },
    })
}

/// A question whose answer takes long.
fn long() -> Ask {
    let numbers = json!({"type": "array", "minItems": 600, "items": {"type": "string", "enum": ["one", "two"]}});
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["numbers"],
        "properties": {"numbers": numbers},
    });
    ask("long", schema, 1_500)
}

fn assert_answered(result: Result<Reply, CallFailure>) {
    let reply = result.unwrap();
    let value: Value = serde_json::from_str(&reply.text).unwrap();
    let fields = value.as_object().unwrap();
    assert!(
        fields.len() == 2 && fields.contains_key("answer") && fields.contains_key("grade"),
        "{}",
        reply.text
    );
    assert!(!reply.usage.estimated, "the server counts");
    assert!(
        reply.usage.tokens.input > 5 && reply.usage.tokens.output > 3,
        "{reply:?}"
    );
}

#[tokio::test]
#[ignore = "needs a real model, which `cargo xtask test` starts"]
async fn a_real_model_is_asked_in_every_way() {
    let Ok(url) = std::env::var("REDRAFT_REAL_MODEL") else {
        eprintln!("skipped: REDRAFT_REAL_MODEL names no server");
        return;
    };
    let patient = providers(&url, Structured::Native, PATIENT);

    // A structured reply that fits, with the server's own count of tokens.
    assert_answered(patient.ask(&ask("short", short(), 60)).await);
    assert_eq!(patient.spent().calls, 1);

    // The deadline holds, and what was streamed until then is counted.
    let mut deadline = Duration::from_millis(500);
    let late = loop {
        let hasty = providers(&url, Structured::Native, deadline);
        let late = hasty.ask(&long()).await.unwrap_err();
        assert_eq!(late.kind, FailureKind::Transient { retry_after: None });
        let words = ["no whole response within", "sent nothing for"];
        assert!(
            words.iter().any(|word| late.message.contains(word)),
            "{}",
            late.message
        );
        // A busy machine may need longer for the first token.
        if late.usage.unwrap().tokens.output > 0 {
            break late;
        }
        deadline *= 2;
    };
    assert!(late.usage.unwrap().estimated);

    // A cancelled call leaves the server free for the next one.
    let given_up = tokio::time::timeout(Duration::from_millis(700), patient.ask(&long())).await;
    assert!(given_up.is_err());
    assert_answered(patient.ask(&ask("after", short(), 60)).await);

    // A server that dies in the middle of an answer.
    let Ok(process) = std::env::var("REDRAFT_REAL_MODEL_PROCESS") else {
        return;
    };
    let dying = patient.ask(&long());
    let killed = async {
        tokio::time::sleep(Duration::from_millis(1_000)).await;
        let kill = Command::new("kill").args(["-9", &process]).status();
        assert!(kill.unwrap().success());
    };
    let (died, ()) = tokio::join!(dying, killed);
    let died = died.unwrap_err();
    assert_eq!(
        died.kind,
        FailureKind::Transient { retry_after: None },
        "{}",
        died.message
    );
    // Later calls cannot connect. The first one may still use an open connection and see it close.
    let mut gone = String::new();
    for number in 0..10 {
        let name = format!("gone-{number}");
        gone = patient
            .ask(&ask(&name, short(), 60))
            .await
            .unwrap_err()
            .message;
        if gone.contains("cannot connect to") {
            return;
        }
        assert!(gone.contains("the response broke off"), "{gone}");
    }
    panic!("after ten calls still: {gone}");
}
