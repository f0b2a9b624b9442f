//! People who do more than decide: locked sections, remarks about passages, assignments.

use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

use super::{JUDGE, KETTLE, Service, databases, faults, kettle, lesson, unreachable_kettle};
use crate::served;

/// Where a section begins and ends in the latest text.
fn section<'a>(sections: &'a Value, id: &str) -> &'a Value {
    let all = sections["sections"].as_array().unwrap();
    all.iter().find(|one| one["id"] == id).unwrap()
}

fn words(service: &Service, run: &str, version: &str, id: &str) -> String {
    let path = format!("/v1/runs/{run}/sections?version={version}");
    let sections = service.get(&path).json();
    let found = section(&sections, id);
    let text = service.get(&format!("/v1/runs/{run}/document?version={version}"));
    let at = |name: &str| usize::try_from(found[name].as_u64().unwrap()).unwrap();
    text.text[at("start")..at("end")].to_owned()
}

#[test]
fn a_section_that_is_locked_before_a_run_starts_stays_as_it_is() {
    for database in databases() {
        let mut service = Service::idle(database, KETTLE);
        service.serve(&["--no-work"]);
        let run = service.submit(&kettle());
        let path = format!("/v1/runs/{run}/sections/sec_1");
        let locked = service.post(&path, &json!({"action": "lock", "comment": "mine"}));
        assert_eq!(locked.json(), json!({"state": "queued"}), "{}", locked.text);
        for (section, body, status) in [
            ("sec_99", json!({"action": "lock"}), 422),
            ("sec_1", json!({"action": "paint"}), 422),
            ("sec_1", json!({"action": "lock", "comment": "\0"}), 422),
        ] {
            let path = format!("/v1/runs/{run}/sections/{section}");
            let answer = service.post(&path, &body);
            assert_eq!(answer.status, status, "{}", answer.text);
        }
        let worker = service.worker(&[]);
        let info = service.settled(&run);
        drop(worker);
        assert_ne!(info["state"], "failed", "{info}");
        let (before, after) = ("original", "latest");
        assert_eq!(
            words(&service, &run, before, "sec_1"),
            words(&service, &run, after, "sec_1")
        );
        assert_ne!(
            words(&service, &run, before, "sec_2"),
            words(&service, &run, after, "sec_2"),
            "the others are repaired"
        );
        let made = service.get(&format!("/v1/runs/{run}/decisions")).json();
        let made = &made["decisions"][0];
        assert_eq!(
            (&made["decision"], &made["section"], &made["by"]),
            (&"lock".into(), &"sec_1".into(), &"local".into())
        );
        let headers = [("accept", "application/json")];
        let path = format!("/v1/runs/{run}/events");
        let events = super::http::call(&service.address, "GET", &path, &headers, None).json();
        let is_lock = |event: &&Value| event["event"] == "section_locked";
        let lock = events["events"].as_array().unwrap().iter().find(is_lock);
        assert_eq!(
            lock.unwrap()["reason"],
            json!({"kind": "by_reviewer", "by": "local"})
        );
    }
}

#[test]
fn a_section_can_be_locked_while_a_reviewer_is_waited_for_and_edits_stay_theirs() {
    let service = Service::start(None, KETTLE);
    let run = service.submit(&unreachable_kettle());
    assert_eq!(service.settled(&run)["state"], "waiting");
    let path = format!("/v1/runs/{run}/sections/sec_3");
    let locked = service.post(&path, &json!({"action": "lock"}));
    assert_eq!(locked.json(), json!({"state": "waiting"}));
    assert_eq!(
        service.settled(&run)["state"],
        "waiting",
        "it answers nothing"
    );
    let review = service.get(&format!("/v1/reviews/{run}")).json();
    let content = review["content"].as_str().unwrap();
    let edited = content.replace("Ask an adult to help you.", "Ask an adult.");
    assert_ne!(content, edited);
    let decide = |body: Value| {
        let path = format!("/v1/reviews/{run}/decisions");
        let answer = service.post(&path, &body);
        assert_eq!(answer.status, 200, "{}", answer.text);
        service.settled(&run)["state"].clone()
    };
    let edit = json!({"decision": "approve_with_edits", "content": edited});
    assert_eq!(decide(edit), "waiting");
    let sec_3 = words(&service, &run, "latest", "sec_3");
    decide(json!({"decision": "instruct", "instruction": "Mend what is left."}));
    decide(json!({"decision": "reject"}));
    assert_eq!(words(&service, &run, "latest", "sec_3"), sec_3);
    let text = service.get(&format!("/v1/runs/{run}/document")).text;
    assert!(text.contains("Ask an adult. Measure"), "{text}");
    let receipts = service.get(&format!("/v1/runs/{run}/receipts")).json();
    let edits = receipts["edits"].as_array().unwrap();
    let theirs = edits
        .iter()
        .filter(|edit| edit["tasks"] == json!(["by hand (local)"]));
    assert_eq!(theirs.count(), 1, "{edits:?}");
    // It is over.
    let late = service.post(&path, &json!({"action": "unlock"}));
    assert_eq!(late.status, 409, "{}", late.text);
}

/// Judges that answer once they may.
pub(super) fn held_judges() -> (String, Arc<(Mutex<bool>, Condvar)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let held = Arc::clone(&gate);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let held = Arc::clone(&held);
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream);
                while let Ok(Some((_, question))) = served::request(&mut reader) {
                    let may = held.1.wait_while(held.0.lock().unwrap(), |may| !*may);
                    drop(may.unwrap());
                    let body = faults::verdict(&faults::text_id(&question));
                    let length = body.len();
                    let _ = write!(
                        reader.get_mut(),
                        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}",
                    );
                }
            });
        }
    });
    (address, gate)
}

#[test]
fn a_run_is_told_while_it_runs_and_its_calls_go_on() {
    for database in databases() {
        let (address, gate) = held_judges();
        let mut service = Service::idle(database, JUDGE);
        std::fs::write(
            service.place.path("redraft.toml"),
            faults::configuration(&address),
        )
        .unwrap();
        service.models = vec!["--config".to_owned(), "redraft.toml".to_owned()];
        service.serve(&[]);
        let run = service.submit(&lesson());
        let told = |wanted: &str| {
            let path = format!("/v1/runs/{run}/events");
            let headers = [("accept", "application/json")];
            let events = super::http::call(&service.address, "GET", &path, &headers, None);
            let events = events.json();
            let mut events = events["events"].as_array().unwrap().iter();
            events.any(|event| event["event"] == wanted)
        };
        while !told("self_review") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let path = format!("/v1/runs/{run}/sections/sec_1");
        let locked = service.post(&path, &json!({"action": "lock"}));
        assert_eq!(
            locked.json(),
            json!({"state": "running"}),
            "{}",
            locked.text
        );
        while !told("section_locked") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        let info = service.settled(&run);
        assert_eq!(info["state"], "done", "{info}");
        let metrics = service.get("/v1/metrics").text;
        assert!(
            metrics.contains("redraft_model_asks_total 2\n"),
            "{metrics}"
        );
        // The record gives the same again.
        service.moves(&["export", &run, "run.jsonl"]);
        let replayed = service.place.run(&["replay", "run.jsonl"]);
        assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    }
}

#[test]
fn a_remark_is_about_a_passage_that_exists() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let run = service.submit(&unreachable_kettle());
        service.settled(&run);
        let path = format!("/v1/runs/{run}/comments");
        let text = service
            .get(&format!("/v1/runs/{run}/document?version=latest"))
            .text;
        let start = text.find("100 °C").unwrap();
        let end = start + "100 °C".len();
        let remark = json!({"start": start, "end": end, "text": "Is that so on a mountain?"});
        let made = service.post(&path, &remark);
        assert_eq!(made.status, 201, "{}", made.text);
        let listed = service.get(&path).json();
        let comment = &listed["comments"][0];
        assert_eq!(comment, &made.json());
        assert_eq!(
            (&comment["quote"], &comment["by"], &comment["number"]),
            (&"100 °C".into(), &"local".into(), &1.into())
        );
        assert!(comment["at"].is_i64());
        for wrong in [
            json!({"start": 0, "end": 1_000_000, "text": "x"}),
            json!({"start": 5, "end": 5, "text": "x"}),
            json!({"start": 9, "end": 5, "text": "x"}),
            // Within a character.
            json!({"start": start, "end": end - 2, "text": "x"}),
            json!({"start": 0, "end": 1, "text": " "}),
            json!({"start": 0, "end": 1, "text": "a\0b"}),
            json!({"start": -1, "end": 1, "text": "x"}),
        ] {
            let answer = service.post(&path, &wrong);
            assert_eq!(answer.status, 422, "{wrong} {}", answer.text);
        }
        let other = json!({"start": 0, "end": 1, "text": "x", "version": "77"});
        assert_eq!(service.post(&path, &other).status, 404);
    }
}
