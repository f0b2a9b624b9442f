//! Who may do what: keys, scopes, tenants and limits. The tables go through the OpenAPI
//! document, so that a route without a row fails.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::http::{self, Answer};
use super::{KETTLE, Service, databases, unreachable_kettle};
use crate::temp_folder::repository;

/// What an operation needs of a key.
#[derive(Clone, Debug, PartialEq)]
enum Needs {
    Nothing,
    /// Any valid key.
    Key,
    Scope(String),
}

/// The operations of the OpenAPI document: method, path, what they need.
fn operations(service: &Service) -> Vec<(String, String, Needs)> {
    let document = service.get("/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let security = &operation["security"][0]["key"];
            let needs = match (security.as_array(), security[0].as_str()) {
                (None, _) => Needs::Nothing,
                (Some(_), None) => Needs::Key,
                (Some(_), Some(scope)) => Needs::Scope(scope.to_owned()),
            };
            all.push((method.to_uppercase(), path.clone(), needs));
        }
    }
    assert!(all.len() > 20);
    all
}

/// A request that each operation accepts.
fn body_of(method: &str, path: &str) -> Option<Value> {
    Some(match (method, path) {
        ("POST", "/v1/runs" | "/v1/check" | "/v1/views/check") => {
            json!({"document": "# Water\n\nWater boils.\n", "goal": "check"})
        }
        ("POST", "/v1/banks") => {
            let bank = fs::read_to_string(repository("examples/question-bank.json")).unwrap();
            json!({"document": bank, "goal": "check"})
        }
        ("POST", "/v1/nodes/review-router") => json!({"reviewHistory": []}),
        ("POST", node) if node.starts_with("/v1/nodes/") => {
            let item = fs::read_to_string(repository("examples/refine-item.json")).unwrap();
            json!({"question": serde_json::from_str::<Value>(&item).unwrap()})
        }
        ("POST", "/v1/reviews/{run}/decisions") => json!({"decision": "approve"}),
        ("PUT", "/v1/reviews/{run}/assignee") => json!({"assignee": "ben"}),
        ("POST", "/v1/runs/{run}/sections/{section}") => json!({"action": "lock"}),
        ("POST", "/v1/runs/{run}/comments") => json!({"start": 0, "end": 1, "text": "Why?"}),
        ("PUT", "/v1/settings") | ("POST", "/v1/settings/preview") => json!({}),
        ("POST", "/v1/models/test") => json!({"profile": "lesson"}),
        ("POST", "/v1/session") => json!({"key": "redraft_0_0"}),
        ("POST", "/v1/webhooks") => json!({"url": "http://127.0.0.1:9/hook"}),
        ("POST", "/v1/runs/{run}/preview") => json!({"content": "# Water\n"}),
        ("POST", _) => json!({}),
        _ => return None,
    })
}

fn request(
    service: &Service,
    key: Option<&str>,
    method: &str,
    path: &str,
    names: [&str; 3],
) -> Answer {
    let filled = path
        .replace("{run}", names[0])
        .replace("{webhook}", names[1])
        .replace("{batch}", names[2])
        .replace("{section}", "sec_1")
        .replace("{code}", "TXT003")
        .replace("{view}", "text");
    let bearer = key.map(|key| format!("Bearer {key}"));
    let mut headers: Vec<(&str, &str)> = Vec::new();
    if let Some(bearer) = &bearer {
        headers.push(("authorization", bearer));
    }
    // A stream would not end while the run waits.
    if path.ends_with("/events") {
        headers.push(("accept", "application/json"));
    }
    if path == "/v1/runs/batch" {
        headers.push(("content-type", "application/x-ndjson"));
        let line = json!({"document": "# Water\n\nWater boils.\n", "goal": "check"});
        return http::send(
            &service.address,
            method,
            &filled,
            &headers,
            &line.to_string(),
        );
    }
    http::call(
        &service.address,
        method,
        &filled,
        &headers,
        body_of(method, path).as_ref(),
    )
}

#[test]
fn tenants_never_see_each_other() {
    for database in databases() {
        let mut service = Service::idle(database, KETTLE);
        service.admin(&["tenant", "add", "school-a"]);
        service.admin(&["tenant", "add", "school-b"]);
        let all = "submit,read,review,admin,operate";
        let (a, b) = (
            service.key("school-a", "anna", all),
            service.key("school-b", "ben", all),
        );
        service.serve(&["--webhook-host", "127.0.0.1"]);
        // What belongs to the first tenant: a run that waits for a reviewer, a webhook,
        // settings.
        let mut order = unreachable_kettle();
        order["name"] = "secret-of-a.md".into();
        let submitted = service
            .with_key(&a, "POST", "/v1/runs", Some(&order))
            .json();
        let run = submitted["run"].as_str().unwrap().to_owned();
        let bearer = format!("Bearer {a}");
        assert_eq!(
            service.settled_with(&run, &[("authorization", &bearer)])["state"],
            "waiting"
        );
        let hook = json!({"url": "http://127.0.0.1:9/secret-of-a"});
        let hook = service
            .with_key(&a, "POST", "/v1/webhooks", Some(&hook))
            .json();
        let hook = hook["id"].as_str().unwrap();
        let settings = json!({"policy": {"accept": 0.987}});
        assert_eq!(
            service
                .with_key(&a, "PUT", "/v1/settings", Some(&settings))
                .status,
            200
        );

        let bank = body_of("POST", "/v1/banks");
        let bank = service.with_key(&a, "POST", "/v1/banks", bank.as_ref());
        let bank = bank.json()["batch"].as_str().unwrap().to_owned();

        for (method, path, needs) in operations(&service) {
            let answer = request(&service, Some(&b), &method, &path, [&run, hook, &bank]);
            let what = format!("{method} {path}: {} {}", answer.status, answer.text);
            let is_of_a = ["{run}", "{webhook}", "{batch}"]
                .iter()
                .any(|name| path.contains(name));
            if is_of_a {
                assert_eq!(answer.status, 404, "{what}");
                // As if it did not exist.
                let nothing = request(&service, Some(&b), &method, &path, ["r0", "h0", "b0"]);
                let told = answer.text.replace(&run, "r0").replace(hook, "h0");
                assert_eq!(told, nothing.text, "{what}");
            } else if needs != Needs::Nothing {
                assert!(answer.status < 300, "{what}");
            }
            for secret in [
                run.as_str(),
                hook,
                "secret-of-a",
                "school-a",
                "0.987",
                "anna",
            ] {
                let is_echo = path.contains("{run}") && secret == run;
                assert!(is_echo || !answer.text.contains(secret), "{what}");
            }
        }
        // The first tenant still has all of it.
        let reviews = service.with_key(&a, "GET", "/v1/reviews", None).json();
        assert_eq!(reviews["reviews"][0]["run"], run.as_str());
        assert_eq!(reviews["reviews"][0].get("assignee"), None);
        let hooks = service.with_key(&a, "GET", "/v1/webhooks", None).json();
        assert_eq!(hooks["webhooks"][0]["id"], hook);
        assert_eq!(hooks["webhooks"][0].get("secret"), None);
    }
}

#[test]
fn every_route_needs_its_scope() {
    let mut service = Service::idle(None, KETTLE);
    let without = service.key("default", "nobody", "operate");
    let names: BTreeSet<&str> = ["submit", "read", "review", "admin", "operate"].into();
    let keys: Vec<(&str, String)> = names
        .iter()
        .map(|name| (*name, service.key("default", &format!("only-{name}"), name)))
        .collect();
    service.serve(&["--webhook-host", "127.0.0.1"]);
    let open = [
        ("GET", "/v1/health", 200),
        ("GET", "/v1/ready", 200),
        ("GET", "/v1/openapi.json", 200),
        ("GET", "/v1/signing-key", 200),
        // The key is in the body.
        ("POST", "/v1/session", 401),
    ];
    for (method, path, needs) in operations(&service) {
        let call =
            |key: Option<&str>| request(&service, key, &method, &path, ["r0", "h0", "b0"]).status;
        if needs == Needs::Nothing {
            let known = open.iter().find(|row| (row.0, row.1) == (&method, &path));
            assert!(known.is_some(), "{method} {path} is open to everybody");
            assert_eq!(Some(call(None)), known.map(|row| row.2), "{path}");
            continue;
        }
        assert_eq!(call(None), 401, "{method} {path}");
        assert_eq!(call(Some("redraft_0_0")), 401, "{method} {path}");
        let (id, _) = without.rsplit_once('_').unwrap();
        assert_eq!(
            call(Some(&format!("{id}_{}", "0".repeat(64)))),
            401,
            "{method} {path}"
        );
        for (name, key) in &keys {
            let is_refused = matches!(call(Some(key)), 401 | 403);
            let is_enough = needs == Needs::Key || needs == Needs::Scope((*name).to_owned());
            assert_eq!(is_refused, !is_enough, "{method} {path} with {name}");
        }
    }
    // A revoked key is none.
    let (_, key) = &keys[0];
    let id = key.split('_').nth(1).unwrap();
    service.admin(&["key", "revoke", id]);
    assert_eq!(
        request(&service, Some(key), "GET", "/v1/settings", ["", "", ""]).status,
        401
    );
}

#[test]
fn without_keys_only_this_machine_is_served() {
    let service = Service::idle(None, KETTLE);
    let refused = service
        .command("serve", &["--listen", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(
        words.contains("without API keys; create one with `redraft admin key add"),
        "{words}"
    );

    let service = Service::start(None, KETTLE);
    let runs = |headers: &[(&str, &str)]| {
        http::send(&service.address, "GET", "/v1/runs", headers, "").status
    };
    assert_eq!(runs(&[]), 200);
    assert_eq!(
        runs(&[("host", "evil.example")]),
        403,
        "a name that was made to point here"
    );
    assert_eq!(
        runs(&[("origin", "https://evil.example")]),
        403,
        "a page in the browser"
    );
    // Once there is a key, everybody needs one.
    let key = service.key("default", "anna", "read");
    assert_eq!(runs(&[]), 401);
    assert_eq!(service.with_key(&key, "GET", "/v1/runs", None).status, 200);
}

#[test]
fn requests_have_limits_and_answers_have_headers() {
    let mut service = Service::idle(None, KETTLE);
    service.serve(&["--rate", "3", "--max-body", "1000", "--no-work"]);
    let large = json!({"document": "x".repeat(2_000)});
    let answer = service.post("/v1/runs", &large);
    assert_eq!(answer.status, 413, "{}", answer.text);
    for header in [
        "x-content-type-options: nosniff",
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
    ] {
        assert!(answer.head.contains(header), "{}", answer.head);
    }
    let answers: Vec<Answer> = (0..20).map(|_| service.get("/v1/runs")).collect();
    let refused: Vec<&Answer> = answers
        .iter()
        .filter(|answer| answer.status == 429)
        .collect();
    assert!(!refused.is_empty());
    assert!(
        refused
            .iter()
            .all(|answer| answer.head.contains("retry-after: 1"))
    );
    assert_eq!(service.get("/v1/nothing").status, 404);
    let put = http::call(&service.address, "PUT", "/v1/runs", &[], Some(&json!({})));
    assert_eq!(
        (put.status, put.json()["status"].clone()),
        (405, json!(405))
    );
}
