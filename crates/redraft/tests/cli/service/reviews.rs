//! People in the loop: waiting without memory, decisions, two reviewers.

use std::fs;

use serde_json::{Value, json};

use super::{KETTLE, Service, databases, unreachable_kettle};
use crate::temp_folder::repository;

#[test]
fn an_escalated_run_waits_for_a_decision_and_survives_restarts() {
    for database in databases() {
        let mut service = Service::start(database, KETTLE);
        let decisions = [
            (
                json!({"decision": "approve", "comment": "good enough for me"}),
                "accepted",
            ),
            (json!({"decision": "reject"}), "escalated"),
        ];
        for (decision, status) in decisions {
            let run = service.submit(&unreachable_kettle());
            assert_eq!(service.settled(&run)["state"], "waiting");
            // The process that asked is gone.
            assert_eq!(service.server.take().unwrap().stop(), Some(0));
            service.serve(&[]);
            let review = service.get(&format!("/v1/reviews/{run}")).json();
            assert_eq!(review["because"]["not_accepted"]["kind"], "overall_below");
            let text = review["content"].as_str().unwrap();
            assert!(text.contains("water boils at 100 °C"), "the repaired text");
            let listed = service.get("/v1/reviews").json();
            assert_eq!(listed["reviews"][0]["run"], run.as_str());
            let path = format!("/v1/reviews/{run}/decisions");
            let answer = service.post(&path, &decision);
            assert_eq!(
                answer.json(),
                json!({"result": "resumed"}),
                "{}",
                answer.text
            );
            let info = service.settled(&run);
            assert_eq!(
                (&info["state"], &info["status"]),
                (&"done".into(), &status.into())
            );
            let made = service.get(&format!("/v1/runs/{run}/decisions")).json();
            assert_eq!(made["decisions"][0]["by"], "local");
            assert!(made["decisions"][0]["at"].is_i64());
            // Nobody decides twice.
            assert_eq!(service.post(&path, &decision).status, 409);
        }
    }
}

#[test]
fn the_queue_goes_on_after_a_text_that_was_decided_about() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let runs = [0, 1].map(|_| service.submit(&unreachable_kettle()));
        for run in &runs {
            assert_eq!(service.settled(run)["state"], "waiting");
        }
        let page = service.get("/v1/reviews?limit=1").json();
        let first = page["reviews"][0]["run"].as_str().unwrap();
        let next = page["next"].as_str().unwrap();
        let path = format!("/v1/reviews/{first}/decisions");
        let answer = service.post(&path, &json!({"decision": "approve"}));
        assert_eq!(answer.status, 200, "{}", answer.text);
        let rest = service.get(&format!("/v1/reviews?cursor={next}")).json();
        let second = runs.iter().find(|run| *run != first).unwrap();
        assert_eq!(rest["reviews"][0]["run"], second.as_str(), "{rest}");
        for cursor in ["x", "1", "x.r1", "1.r%00"] {
            let answer = service.get(&format!("/v1/reviews?cursor={cursor}"));
            assert_eq!(answer.status, 400, "{cursor} {}", answer.text);
        }
    }
}

#[test]
fn edits_and_instructions_go_through_the_same_checks() {
    let service = Service::start(None, KETTLE);
    let run = service.submit(&unreachable_kettle());
    service.settled(&run);
    let path = format!("/v1/reviews/{run}/decisions");
    for (body, words) in [
        (
            json!({"decision": "approve_with_edits"}),
            "content: expected",
        ),
        (
            json!({"decision": "instruct", "instruction": " "}),
            "instruction: expected",
        ),
        (
            json!({"decision": "approve", "content": "x"}),
            "content belongs to",
        ),
        (json!({"decision": "perhaps"}), "unknown variant"),
    ] {
        let answer = service.post(&path, &body);
        assert_eq!(answer.status, 422, "{body} {}", answer.text);
        assert!(answer.text.contains(words), "{body} {}", answer.text);
    }
    let text = service.get(&format!("/v1/reviews/{run}")).json()["content"].clone();
    let edited = text.as_str().unwrap().replace("kettle", "pot");
    let edit = json!({"decision": "approve_with_edits", "content": edited});
    assert_eq!(
        service.post(&path, &edit).json(),
        json!({"result": "resumed"})
    );
    // Judged again by the same script, it does not reach the threshold either.
    assert_eq!(service.settled(&run)["state"], "waiting");
    let asked_again = service.get(&format!("/v1/reviews/{run}")).json();
    assert_eq!(asked_again["content"], edited);
    assert_eq!(
        service.post(&path, &json!({"decision": "approve"})).status,
        200
    );
    assert_eq!(service.settled(&run)["status"], "accepted");
    assert_eq!(
        service.get(&format!("/v1/runs/{run}/document")).text,
        edited
    );
    // The receipts hold for a person's edits, too.
    let signed = service.get(&format!("/v1/runs/{run}/attestation")).text;
    fs::write(service.place.path("signed.json"), signed).unwrap();
    let order = unreachable_kettle();
    fs::write(
        service.place.path("lesson.md"),
        order["document"].as_str().unwrap(),
    )
    .unwrap();
    let key = service.admin(&["signing-key"]);
    let verified = service
        .place
        .run(&["verify", "signed.json", "lesson.md", "--key", &key]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
}

#[test]
fn two_reviewers_have_to_agree() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let admin = service.key("default", "admin", "admin,submit,read");
        let [anna, ben, cleo] =
            ["anna", "ben", "cleo"].map(|name| service.key("default", name, "review"));
        let settings = json!({"reviewers": 2});
        assert_eq!(
            service
                .with_key(&admin, "PUT", "/v1/settings", Some(&settings))
                .status,
            200
        );
        let submitted = service.with_key(&admin, "POST", "/v1/runs", Some(&unreachable_kettle()));
        let run = submitted.json()["run"].as_str().unwrap().to_owned();
        let bearer = format!("Bearer {admin}");
        let state = || service.settled_with(&run, &[("authorization", &bearer)]);
        assert_eq!(state()["state"], "waiting");
        let decide = |key: &str, body: Value| {
            let path = format!("/v1/reviews/{run}/decisions");
            service.with_key(key, "POST", &path, Some(&body)).json()["result"].clone()
        };
        let assign = |name: Value| {
            let path = format!("/v1/reviews/{run}/assignee");
            let body = json!({"assignee": name});
            service.with_key(&anna, "PUT", &path, Some(&body)).status
        };
        assert_eq!(assign("ben".into()), 204);
        assert_eq!(assign("admin".into()), 422, "that key may not review");
        assert_eq!(assign("nobody".into()), 422);
        let queue = service.with_key(&ben, "GET", "/v1/reviews", None).json();
        assert_eq!(queue["reviews"][0]["assignee"], "ben");
        assert_eq!(assign(Value::Null), 204);
        assert_eq!(decide(&anna, json!({"decision": "approve"})), "recorded");
        // One person is not two.
        assert_eq!(decide(&anna, json!({"decision": "approve"})), "recorded");
        assert_eq!(
            decide(&cleo, json!({"decision": "cannot_decide"})),
            "recorded"
        );
        assert_eq!(decide(&ben, json!({"decision": "reject"})), "disputed");
        assert_eq!(state()["state"], "waiting");
        let review = service
            .with_key(&ben, "GET", &format!("/v1/reviews/{run}"), None)
            .json();
        assert_eq!(review["state"], "disputed");
        // Ben is convinced.
        assert_eq!(decide(&ben, json!({"decision": "approve"})), "resumed");
        let info = state();
        assert_eq!(
            (&info["state"], &info["status"]),
            (&"done".into(), &"accepted".into())
        );
        let made = service
            .with_key(&admin, "GET", &format!("/v1/runs/{run}/decisions"), None)
            .json();
        let by: Vec<&Value> = made["decisions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["by"])
            .collect();
        assert_eq!(by, ["anna", "anna", "cleo", "ben", "ben"]);
    }
}

/// What the terminal and the page do not offer the API must not do either: the run would end.
#[test]
fn what_cannot_be_approved_stays_in_the_queue() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let text = fs::read_to_string(repository("examples/kettle.md")).unwrap();
        let order = json!({"document": text, "name": "kettle.md", "mode": "semi-auto"});
        let run = service.submit(&order);
        assert_eq!(service.settled(&run)["state"], "waiting");
        let review = service.get(&format!("/v1/reviews/{run}")).json();
        assert_eq!(review["cannot_approve"], "no judge has scored this text");
        assert_eq!(review["cannot_change"], json!(null));
        let path = format!("/v1/reviews/{run}/decisions");
        let approved = service.post(&path, &json!({"decision": "approve"}));
        assert_eq!(approved.status, 409, "{}", approved.text);
        assert!(
            approved.text.contains("no judge has scored"),
            "{}",
            approved.text
        );
        assert_eq!(
            service.get(&format!("/v1/runs/{run}")).json()["state"],
            "waiting"
        );
        let made = service.get(&format!("/v1/runs/{run}/decisions")).json();
        assert_eq!(made["decisions"], json!([]));
        let rejected = service.post(&path, &json!({"decision": "reject"}));
        assert_eq!(rejected.json(), json!({"result": "resumed"}));
        assert_eq!(service.settled(&run)["status"], "escalated");
    }
}
