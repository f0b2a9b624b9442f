//! What a tenant sets holds for its runs, and nothing is set that no run could use.

use serde_json::{Value, json};

use super::http::{self, Answer};
use super::{JUDGE, Service, databases, faults, lesson};

fn put(service: &Service, settings: &Value) -> Answer {
    http::call(&service.address, "PUT", "/v1/settings", &[], Some(settings))
}

/// The status and the score of a run under these settings.
fn judged(service: &Service, settings: &Value) -> (Value, Value) {
    let set = put(service, settings);
    assert_eq!(set.status, 200, "{}", set.text);
    let run = service.submit(&lesson());
    let info = service.settled(&run);
    (info["status"].clone(), info["score"].clone())
}

#[test]
fn threshold_weights_and_budgets_hold_for_the_runs_of_a_tenant() {
    for database in databases() {
        let service = Service::start(database, JUDGE);
        let (status, score) = judged(&service, &json!({}));
        assert_eq!(status, "accepted");
        let strict = json!({"threshold": 0.999, "policy": {"good-enough": {"from": 0.999}}});
        assert_eq!(
            judged(&service, &strict),
            ("best_effort".into(), score.clone())
        );
        // The policy of the tenant goes over its threshold.
        let both = json!({"threshold": 0.999, "policy": {"accept": 0.5}});
        assert_eq!(judged(&service, &both).0, "accepted");
        let heavy = json!({"weights": {"clarity_readability": 1000}});
        assert_ne!(judged(&service, &heavy).1, score);
        let poor = json!({"budgets": {"tokens_per_run": 10}});
        let (status, score) = judged(&service, &poor);
        assert_eq!((status, score), ("best_effort".into(), Value::Null));
        let read = service.get("/v1/settings").json();
        assert_eq!(read["budgets"]["tokens_per_run"], 10);
    }
}

#[test]
fn a_tenant_chooses_among_the_models_of_the_operator() {
    let (address, asked) = faults::judges();
    let mut service = Service::idle(None, JUDGE);
    let config = faults::configuration(&address)
        + &format!(
            "[providers.third]\nbase-url = \"{address}/third/v1\"\nkey-env = \"HOUSE_KEY\"\n[models.other]\nprovider = \"third\"\nmodel = \"big\"\n"
        );
    std::fs::write(service.place.path("redraft.toml"), config).unwrap();
    service.models = vec!["--config".to_owned(), "redraft.toml".to_owned()];
    service.serve(&[]);
    for (settings, words) in [
        (
            json!({"models": {"judge_secondary": "gpt"}}),
            "the operator offers other",
        ),
        (
            json!({"models": {"judge_secundary": "other"}}),
            "did you mean \\\"judge_secondary\\\"?",
        ),
        (
            json!({"models": {"judge_secondary": {"base-url": "http://evil.example"}}}),
            "expected a string",
        ),
    ] {
        let answer = put(&service, &settings);
        assert_eq!(answer.status, 422, "{settings} {}", answer.text);
        assert!(answer.text.contains(words), "{settings} {}", answer.text);
    }
    let chosen = json!({"models": {"judge_secondary": "other"}});
    assert_eq!(judged(&service, &chosen).0, "accepted");
    let judges: Vec<String> = asked
        .lock()
        .unwrap()
        .keys()
        .map(|(_, judge)| judge.clone())
        .collect();
    assert_eq!(judges, ["judge_primary", "third"]);
}

#[test]
fn settings_that_no_run_could_use_are_rejected() {
    let service = Service::start(None, JUDGE);
    for (settings, words) in [
        (json!({"reviewers": 3}), "reviewers: expected 1 or 2"),
        (json!({"threshold": 1.5}), "threshold: expected"),
        (json!({"weights": {"clarty": 1}}), "unknown criterion"),
        (
            json!({"weights": {"clarity_readability": -1}}),
            "expected a number from 0 to 1000",
        ),
        (json!({"policy": {"acept": 0.5}}), "acept"),
        (json!({"budgets": {"tokens_per_run": 0}}), "at least 1"),
        (json!({"budgets": {"cost_per_run": -1}}), "expected dollars"),
        (
            json!({"models": {"judge_primary": "x"}}),
            "the operator offers none",
        ),
        (json!({"modells": {}}), "unknown field"),
    ] {
        for answer in [
            put(&service, &settings),
            service.post("/v1/settings/preview", &settings),
        ] {
            assert_eq!(answer.status, 422, "{settings} {}", answer.text);
            assert!(answer.text.contains(words), "{settings} {}", answer.text);
        }
    }
    assert_eq!(service.get("/v1/settings").json()["reviewers"], Value::Null);
}
