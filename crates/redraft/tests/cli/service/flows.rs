//! Submitting, following, fetching, cancelling.

use std::fs;

use serde_json::{Value, json};

use super::{JUDGE, KETTLE, Service, databases, http, kettle, lesson, unreachable_kettle};
use crate::temp_folder::repository;

#[test]
fn a_document_is_submitted_followed_and_fetched() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let order = kettle();
        let run = service.submit(&order);
        let events = service.get(&format!("/v1/runs/{run}/events")).events();
        let numbers: Vec<i64> = events.iter().map(|(id, _)| *id).collect();
        let all: Vec<i64> = (1..=i64::try_from(events.len()).unwrap()).collect();
        assert_eq!(numbers, all, "no gap, no repetition");
        assert_eq!(events.last().unwrap().1["event"], "run_complete");
        // A client that lost its connection goes on where it was.
        let half = numbers.len() / 2;
        let path = format!("/v1/runs/{run}/events?after={half}");
        assert_eq!(service.get(&path).events(), events[half..]);
        let last = half.to_string();
        let resumed = http::call(
            &service.address,
            "GET",
            &format!("/v1/runs/{run}/events"),
            &[("last-event-id", &last)],
            None,
        );
        assert_eq!(resumed.events(), events[half..]);
        let path = format!("/v1/runs/{run}/events?after={}", numbers.len());
        assert_eq!(service.get(&path).status, 204, "an EventSource stops");
        let seed = service.get(&format!("/v1/runs/{run}/events?shape=seed"));
        assert!(
            seed.events()
                .iter()
                .any(|(_, event)| event["type"] == "patch_applied"
                    && event["sectionId"].is_string()
                    && event["diffSummary"].is_string())
        );
        fetch(&service, &run, &order);
    }
}

/// Fetches all that a run came to and compares it with the command line's.
fn fetch(service: &Service, run: &str, order: &Value) {
    let info = service.settled(run);
    assert_eq!(info["status"], "accepted", "{info}");
    let outcome = service.get(&format!("/v1/runs/{run}/outcome")).json();
    let original = order["document"].as_str().unwrap();
    fs::write(service.place.path("lesson.md"), original).unwrap();
    let script = service.script.to_str().unwrap();
    let local = service.place.run(&[
        "refine",
        "lesson.md",
        "--script",
        script,
        "--mode",
        "semi-auto",
        "--format",
        "json",
        "-o",
        "new.md",
        "--report",
        "report.json",
    ]);
    assert_eq!(local.code, 0, "{}", local.stderr);
    let report: Value = serde_json::from_str(&service.place.read("report.json")).unwrap();
    let text = report.to_string();
    assert!(
        text.contains(outcome["content"].as_str().unwrap()),
        "the same text"
    );
    let document = service.get(&format!("/v1/runs/{run}/document"));
    assert_eq!(document.text, service.place.read("new.md"));
    let before = service.get(&format!("/v1/runs/{run}/document?version=original"));
    assert_eq!(before.text, original);
    // The first round repairs what is wrong, the second the rest.
    let round = |number: u32| service.get(&format!("/v1/runs/{run}/document?version={number}"));
    assert!(round(1).text.contains("boils at 100 °C") && round(1).text != document.text);
    assert_eq!(round(2).text, document.text);
    assert_eq!(round(9).status, 404);
    assert_eq!(
        service
            .get(&format!("/v1/runs/{run}/document?version=x"))
            .status,
        400
    );
    let diff = service.get(&format!("/v1/runs/{run}/diff")).text;
    assert!(
        diff.contains("--- a/lesson.md\n+++ b/lesson.md\n@@"),
        "{diff}"
    );
    let receipts = service.get(&format!("/v1/runs/{run}/receipts")).json();
    assert_eq!(receipts, outcome["receipts"]);
    // The signature proves who made the receipts.
    let signed = service.get(&format!("/v1/runs/{run}/attestation")).text;
    fs::write(service.place.path("signed.json"), &signed).unwrap();
    let key = service.get("/v1/signing-key").json()["key"]
        .as_str()
        .unwrap()
        .to_owned();
    let verified = |file: &str, key: &str| {
        service
            .place
            .run(&["verify", file, "lesson.md", "--key", key])
    };
    assert_eq!(verified("signed.json", &key).code, 0);
    let other = key.replace(['1', '2', '3'], "4");
    let forged = verified("signed.json", &other);
    assert_eq!(forged.code, 1, "{}{}", forged.stdout, forged.stderr);
    assert!(forged.stdout.contains("NOT verified"), "{}", forged.stdout);
    let without = service.place.run(&["verify", "signed.json", "lesson.md"]);
    assert!(without.stderr.contains("with --key"), "{}", without.stderr);
}

/// A signature about a text that was not changed holds for that very text.
#[test]
fn the_outcome_of_a_run_that_changed_nothing_is_verified() {
    let service = Service::start(None, JUDGE);
    let run = service.submit(&lesson());
    assert_eq!(service.settled(&run)["status"], "accepted");
    let signed = service.get(&format!("/v1/runs/{run}/attestation")).text;
    let key = service.get("/v1/signing-key").json()["key"]
        .as_str()
        .unwrap()
        .to_owned();
    let text = lesson()["document"].as_str().unwrap().to_owned();
    for (name, text) in [
        ("signed.json", signed),
        ("lesson.md", text.clone()),
        ("other.md", text + "Another sentence.\n"),
    ] {
        fs::write(service.place.path(name), text).unwrap();
    }
    for (file, code) in [("lesson.md", 0), ("other.md", 1)] {
        let verified = service
            .place
            .run(&["verify", "signed.json", file, "--key", &key]);
        let told = format!("{}{}", verified.stdout, verified.stderr);
        assert_eq!(verified.code, code, "{file}: {told}");
    }
}

#[test]
fn an_order_that_comes_twice_is_done_once() {
    for database in databases() {
        let service = Service::start(database, JUDGE);
        let submit = |order: &Value, key: &str| {
            let headers = [("idempotency-key", key)];
            http::call(&service.address, "POST", "/v1/runs", &headers, Some(order))
        };
        let first = submit(&lesson(), "a");
        assert_eq!(first.status, 201);
        assert!(
            first.head.contains("\r\nlocation: /v1/runs/"),
            "{}",
            first.head
        );
        let again = submit(&lesson(), "a");
        assert_eq!((again.status, again.json()), (200, first.json()));
        let mut other = lesson();
        other["priority"] = 5.into();
        let conflict = submit(&other, "a");
        assert_eq!(conflict.status, 409, "{}", conflict.text);
        assert!(conflict.head.contains("application/problem+json"));
        assert_eq!(submit(&other, "b").status, 201);
        let runs = service.get("/v1/runs").json();
        assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn a_batch_is_submitted_as_a_whole_and_listed_in_pages() {
    for database in databases() {
        let service = Service::start(database, JUDGE);
        let submit = |lines: &str| {
            let headers = [("content-type", "application/x-ndjson")];
            http::send(&service.address, "POST", "/v1/runs/batch", &headers, lines)
        };
        let lines: String = (0..7).map(|_| lesson().to_string() + "\n").collect();
        let broken = submit(&format!("{lines}{{\"document\": 5}}\n"));
        assert_eq!(broken.status, 422);
        assert!(broken.text.contains("line 8: "), "{}", broken.text);
        assert_eq!(service.get("/v1/runs").json(), json!({"runs": []}));
        assert_eq!(submit("").status, 422);
        let batch = submit(&lines).json();
        let ids = batch["runs"].as_array().unwrap();
        assert_eq!(ids.len(), 7);
        for run in ids {
            assert_eq!(service.settled(run.as_str().unwrap())["status"], "accepted");
        }
        let base = format!(
            "/v1/runs?limit=3&state=done&profile=lesson&batch={}",
            batch["batch"].as_str().unwrap()
        );
        let (mut found, mut path) = (Vec::new(), base.clone());
        loop {
            let page = service.get(&path).json();
            let runs = page["runs"].as_array().unwrap();
            assert!(runs.len() <= 3);
            found.extend(runs.iter().map(|run| run["run"].clone()));
            match page["next"].as_str() {
                Some(next) => path = format!("{base}&cursor={next}"),
                None => break,
            }
        }
        found.reverse();
        assert_eq!(found, *ids, "every run once, the latest first");
    }
}

#[test]
fn a_run_can_be_cancelled_until_it_is_over() {
    for database in databases() {
        // Nothing drives it.
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        let run = service.submit(&lesson());
        let outcome = service.get(&format!("/v1/runs/{run}/outcome"));
        assert_eq!(outcome.status, 409, "{}", outcome.text);
        let cancel = format!("/v1/runs/{run}/cancel");
        assert_eq!(
            service.post(&cancel, &json!({})).json()["state"],
            "cancelled"
        );
        let events = service.get(&format!("/v1/runs/{run}/events")).events();
        assert_eq!(events.last().unwrap().1["event"], "run_cancelled");
        // It stays so, whoever works.
        let worker = service.worker(&[]);
        let other = service.submit(&lesson());
        assert_eq!(service.settled(&other)["state"], "done");
        assert_eq!(service.settled(&run)["state"], "cancelled");
        assert_eq!(
            service
                .post(&format!("/v1/runs/{other}/cancel"), &json!({}))
                .status,
            409
        );
        assert_eq!(worker.stop(), Some(0));
    }
}

#[test]
fn a_stopped_run_ends_with_what_there_is() {
    for database in databases() {
        let mut service = Service::idle(database, KETTLE);
        service.serve(&["--no-work"]);
        let waiting = service.submit(&unreachable_kettle());
        let worker = service.worker(&[]);
        assert_eq!(service.settled(&waiting)["state"], "waiting");
        assert_eq!(worker.stop(), Some(0));
        let queued = service.submit(&kettle());
        for run in [&waiting, &queued] {
            let stop = format!("/v1/runs/{run}/stop");
            assert_eq!(service.post(&stop, &json!({})).json()["state"], "queued");
        }
        assert_eq!(service.get("/v1/reviews").json()["reviews"], json!([]));
        let _worker = service.worker(&[]);
        for (run, has_text) in [(&waiting, true), (&queued, false)] {
            assert_eq!(service.settled(run)["state"], "done");
            let events = service.get(&format!("/v1/runs/{run}/events")).events();
            let decided = events
                .iter()
                .find(|(_, event)| event["event"] == "human_decision");
            assert_eq!(decided.unwrap().1["by"], "local");
            let outcome = service.get(&format!("/v1/runs/{run}/outcome")).json();
            assert_eq!(
                outcome.get("final_content").is_some(),
                has_text,
                "the best so far"
            );
            assert_ne!(outcome["status"], "accepted");
            assert_eq!(
                service
                    .post(&format!("/v1/runs/{run}/stop"), &json!({}))
                    .status,
                409
            );
        }
    }
}

#[test]
fn orders_that_cannot_be_done_say_why() {
    let service = Service::start(None, JUDGE);
    let cases = [
        (json!({}), 422, "document: missing or empty"),
        (
            json!({"document": "x", "profile": "novel"}),
            422,
            "profile: expected one of",
        ),
        (
            json!({"document": "x", "goal": "write"}),
            422,
            "spec: goal `write` needs a specification",
        ),
        (
            json!({"document": "x", "name": "../x.md"}),
            422,
            "name: expected a file name",
        ),
        (
            json!({"document": "x", "name": "bank.json#q1"}),
            422,
            "name: expected a file name",
        ),
        (
            json!({"document": "x", "priority": 101}),
            422,
            "priority: expected -100 to 100",
        ),
        (
            json!({"document": "x", "policy": {"acept": 0.9}}),
            422,
            "did you mean",
        ),
        (
            json!({"document": "x", "language": "klingon"}),
            422,
            "unknown language",
        ),
        (json!({"document": "%PDF-1.7 and so on"}), 422, "document: "),
        (json!([]), 422, "expected a JSON object"),
    ];
    for (order, status, words) in cases {
        let answer = service.post("/v1/runs", &order);
        assert_eq!(answer.status, status, "{order} {}", answer.text);
        assert!(answer.text.contains(words), "{order} {}", answer.text);
    }
    let plain = http::send(
        &service.address,
        "POST",
        "/v1/runs",
        &[("content-type", "text/plain")],
        "{}",
    );
    assert_eq!(plain.status, 415);
    let cut = http::send(
        &service.address,
        "POST",
        "/v1/runs",
        &[("content-type", "application/json")],
        "{\"document\": ",
    );
    assert_eq!((cut.status, cut.text.contains("invalid JSON")), (400, true));
    for path in [
        "/v1/runs?limit=x",
        "/v1/runs?limit=501",
        "/v1/runs?state=lost",
        "/v1/runs?colour=red",
        "/v1/runs/%00",
    ] {
        assert_eq!(service.get(path).status, 400, "{path}");
    }
    let checked = service
        .post("/v1/check", &json!({"document": "# Water\n\nTODO\n"}))
        .json();
    assert_eq!(checked["findings"][0]["name"], "placeholder-text");
    let page = service.get("/v1/checks/placeholder-text").json();
    assert_eq!(page["code"], "TXT003");
    assert_eq!(service.get("/v1/checks/nonsense").status, 404);
}

#[test]
fn a_bank_is_submitted_item_by_item() {
    let service = Service::start(None, JUDGE);
    let bank = fs::read_to_string(repository("examples/question-bank.json")).unwrap();
    let order = json!({"document": bank, "name": "bank.json", "goal": "check"});
    let submitted = service.post("/v1/banks", &order);
    assert_eq!(submitted.status, 201, "{}", submitted.text);
    let runs = submitted.json()["runs"].as_array().unwrap().clone();
    assert!(runs.len() > 1);
    for run in &runs {
        let info = service.settled(run.as_str().unwrap());
        assert_eq!(info["status"], "checked", "{info}");
        let name = info["name"].as_str().unwrap();
        assert!(name.starts_with("bank.json#"), "{name}");
    }
    // A bank is no single document, and a lesson is no bank.
    let whole = service.post(
        "/v1/runs",
        &json!({"document": bank, "name": "bank.json", "goal": "judge"}),
    );
    assert_eq!(whole.status, 422);
    assert!(
        whole.text.contains("submit it to /v1/banks"),
        "{}",
        whole.text
    );
    let lesson = service.post("/v1/banks", &lesson());
    assert!(
        lesson.text.contains("not a bank of items"),
        "{}",
        lesson.text
    );
}
