//! Requests that come again, because a client or a commit got no answer: done once, and
//! answered as the first time.

use serde_json::{Value, json};

use super::http::{self, Answer};
use super::{JUDGE, KETTLE, Service, databases, kettle, lesson, unreachable_kettle};

fn post(service: &Service, key: &str, path: &str, token: &str, body: &Value) -> Answer {
    let bearer = format!("Bearer {key}");
    let headers = [
        ("authorization", bearer.as_str()),
        ("idempotency-key", token),
    ];
    http::call(&service.address, "POST", path, &headers, Some(body))
}

#[test]
fn a_decision_that_comes_again_counts_once() {
    for database in databases() {
        let mut service = Service::idle(database, KETTLE);
        let all = "submit,read,review,admin";
        let (anna, ben) = (
            service.key("default", "anna", all),
            service.key("default", "ben", all),
        );
        service.serve(&[]);
        let two = json!({"reviewers": 2});
        assert_eq!(
            service
                .with_key(&anna, "PUT", "/v1/settings", Some(&two))
                .status,
            200
        );
        let run = post(&service, &anna, "/v1/runs", "r", &unreachable_kettle()).json();
        let run = run["run"].as_str().unwrap().to_owned();
        let bearer = format!("Bearer {anna}");
        let headers = [("authorization", bearer.as_str())];
        assert_eq!(service.settled_with(&run, &headers)["state"], "waiting");

        let listed = |what: &str| {
            let path = format!("/v1/runs/{run}/{what}");
            let listed = service.with_key(&anna, "GET", &path, None).json();
            listed[what].as_array().unwrap().len()
        };
        let path = format!("/v1/runs/{run}/sections/sec_3");
        let remarks = format!("/v1/runs/{run}/comments");
        for _ in 0..2 {
            let locked = post(&service, &anna, &path, "lock", &json!({"action": "lock"}));
            assert_eq!(locked.json(), json!({"state": "waiting"}));
            let remark = json!({"start": 0, "end": 1, "text": "Why?"});
            let made = post(&service, &anna, &remarks, "remark", &remark);
            assert_eq!((made.status, &made.json()["number"]), (201, &1.into()));
        }
        assert_eq!((listed("decisions"), listed("comments")), (1, 1));
        let other = post(&service, &anna, &path, "lock", &json!({"action": "unlock"}));
        assert_eq!(other.status, 409, "{}", other.text);
        let other = json!({"start": 0, "end": 1, "text": "How?"});
        assert_eq!(
            post(&service, &anna, &remarks, "remark", &other).status,
            409
        );

        let path = format!("/v1/reviews/{run}/decisions");
        let approve = json!({"decision": "approve"});
        let decided = |key: &str, expected: &str| {
            for _ in 0..2 {
                let answer = post(&service, key, &path, "mine", &approve);
                assert_eq!(
                    answer.json(),
                    json!({"result": expected}),
                    "{}",
                    answer.text
                );
            }
        };
        decided(&anna, "recorded");
        assert_eq!(listed("decisions"), 2);
        let other = post(
            &service,
            &anna,
            &path,
            "mine",
            &json!({"decision": "reject"}),
        );
        assert_eq!(other.status, 409, "{}", other.text);
        // The answer is the same, though the run does not wait any more.
        decided(&ben, "resumed");
        assert_eq!(listed("decisions"), 3);
        assert_eq!(service.settled_with(&run, &headers)["status"], "accepted");
    }
}

#[test]
fn a_dispute_ends_when_somebody_takes_their_word_back() {
    let mut service = Service::idle(None, KETTLE);
    let all = "submit,read,review,admin";
    let keys = ["anna", "ben"].map(|name| service.key("default", name, all));
    service.serve(&[]);
    let two = json!({"reviewers": 2});
    service.with_key(&keys[0], "PUT", "/v1/settings", Some(&two));
    let run = post(&service, &keys[0], "/v1/runs", "r", &unreachable_kettle()).json();
    let run = run["run"].as_str().unwrap().to_owned();
    let bearer = format!("Bearer {}", keys[0]);
    service.settled_with(&run, &[("authorization", &bearer)]);
    let path = format!("/v1/reviews/{run}");
    let state = || service.with_key(&keys[0], "GET", &path, None).json()["state"].clone();
    for (key, decision, result, then) in [
        (&keys[0], "approve", "recorded", "open"),
        (&keys[1], "reject", "disputed", "disputed"),
        (&keys[1], "cannot_decide", "recorded", "open"),
    ] {
        let body = json!({"decision": decision});
        let answer = service.with_key(key, "POST", &format!("{path}/decisions"), Some(&body));
        assert_eq!(answer.json(), json!({"result": result}));
        assert_eq!(state(), then, "{decision}");
    }
}

#[test]
fn a_key_belongs_to_a_whole_batch() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        let submit = |lines: usize| {
            let line = lesson().to_string() + "\n";
            let headers = [
                ("content-type", "application/x-ndjson"),
                ("idempotency-key", "monday"),
            ];
            let lines = line.repeat(lines);
            http::send(&service.address, "POST", "/v1/runs/batch", &headers, &lines)
        };
        let first = submit(3);
        assert_eq!(first.status, 201, "{}", first.text);
        let again = submit(3);
        assert_eq!((again.status, again.json()), (200, first.json()));
        for other in [2, 4] {
            assert_eq!(submit(other).status, 409, "{other} lines");
        }
        let runs = service.get("/v1/runs").json();
        assert_eq!(runs["runs"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn who_stops_a_run_twice_stops_it_once() {
    for database in databases() {
        let mut service = Service::idle(database, KETTLE);
        service.serve(&["--no-work"]);
        let run = service.submit(&kettle());
        for _ in 0..2 {
            let stopped = service.post(&format!("/v1/runs/{run}/stop"), &json!({}));
            assert_eq!(stopped.json()["state"], "queued", "{}", stopped.text);
        }
        let made = service.get(&format!("/v1/runs/{run}/decisions")).json();
        let made = made["decisions"].as_array().unwrap();
        assert_eq!(made.len(), 1, "{made:?}");
        assert_eq!(
            (&made[0]["decision"], &made[0]["by"]),
            (&"stop".into(), &"local".into())
        );
        let _worker = service.worker(&[]);
        assert_eq!(service.settled(&run)["state"], "done");
    }
}

#[test]
fn running_a_run_again_spends_no_more_than_today_allows() {
    let service = Service::start(None, JUDGE);
    let run = service.submit(&lesson());
    assert_eq!(service.settled(&run)["status"], "accepted");
    let again = |token: &str| {
        let headers = [("idempotency-key", token)];
        let path = format!("/v1/runs/{run}/again");
        http::call(&service.address, "POST", &path, &headers, Some(&json!({})))
    };
    let first = again("a");
    assert_eq!(first.status, 201, "{}", first.text);
    let repeated = again("a");
    assert_eq!((repeated.status, repeated.json()), (200, first.json()));
    let run_of = |answer: &Answer| answer.json()["run"].as_str().unwrap().to_owned();
    assert_eq!(service.settled(&run_of(&first))["status"], "accepted");
    let poor = json!({"budgets": {"tokens_per_run": 10}});
    let set = http::call(&service.address, "PUT", "/v1/settings", &[], Some(&poor));
    assert_eq!(set.status, 200, "{}", set.text);
    let info = service.settled(&run_of(&again("b")));
    assert_eq!(
        (&info["status"], info.get("score")),
        (&"best_effort".into(), None),
        "{info}"
    );
}

/// The keys of the lines of a batch, and of running again, are made from that of the request.
#[test]
fn no_key_of_a_client_is_that_of_a_line_or_of_running_again() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let order = json!({"document": "# Water\n\nWater is wet.\n", "goal": "check"});
    let with = |key: &str, path: &str, kind: &str, body: &str| {
        let headers = [("idempotency-key", key), ("content-type", kind)];
        http::send(&service.address, "POST", path, &headers, body)
    };
    let lines = "application/x-ndjson";
    let json = "application/json";
    let batch = with("k", "/v1/runs/batch", lines, &order.to_string());
    assert_eq!(batch.status, 201, "{}", batch.text);
    let first = batch.json()["runs"][0].as_str().unwrap().to_owned();
    let again = with("k", &format!("/v1/runs/{first}/again"), json, "{}");
    assert_eq!(again.status, 201, "{}", again.text);
    for key in ["k", "k 1", "again k"] {
        let single = with(key, "/v1/runs", json, &order.to_string());
        assert_eq!(single.status, 201, "{key}: {}", single.text);
    }
}
