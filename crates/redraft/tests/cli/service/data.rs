//! What is kept: no secrets, nothing that was erased; backups; webhooks.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::mpsc;

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{JUDGE, KETTLE, Service, databases, lesson};

/// Whether a file of a folder holds some bytes.
fn holds(folder: &Path, words: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        bytes
            .windows(words.len())
            .any(|window| window == words.as_bytes())
    })
}

#[test]
fn keys_are_not_stored_and_erased_text_is_gone() {
    const SENTENCE: &str = "The canary lives in this lesson only.";
    let mut service = Service::start(None, JUDGE);
    let mut order = lesson();
    order["document"] = format!("# Water\n\n{SENTENCE}\n").into();
    let run = service.submit(&order);
    assert_eq!(service.settled(&run)["state"], "done");
    let kept = service.submit(&lesson());
    assert_eq!(service.settled(&kept)["state"], "done");
    service.admin(&["backup", "copy.db"]);
    let twice = service.command("admin", &["backup", "copy.db"]).output();
    assert_eq!(twice.unwrap().status.code(), Some(2), "it exists");
    let key = service.key("default", "anna", "read");
    let secret = key.rsplit_once('_').unwrap().1;
    assert_eq!(service.server.take().unwrap().stop(), Some(0));
    let data = service.place.path(".redraft/service");
    assert!(holds(&data, SENTENCE));
    assert!(!holds(&data, secret), "only its hash is stored");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for file in ["redraft.db", "signing.key", "../../copy.db"] {
            let mode = fs::metadata(data.join(file)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{file}");
        }
    }
    let hash = Sha256::digest(order["document"].as_str().unwrap().as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let erased = service.admin(&["erase", "document", &hash[..16]]);
    assert_eq!(erased, "removed 1 run and 1 document");
    assert!(!holds(&data, SENTENCE));
    // The backup has it all.
    service.serve(&["--database", "copy.db"]);
    let runs = service.get("/v1/runs").json();
    assert_eq!(runs["runs"].as_array().unwrap().len(), 2);
    drop(service.server.take());
    service.serve(&[]);
    let runs = service.with_key(&key, "GET", "/v1/runs", None).json();
    assert_eq!(runs["runs"][0]["run"], kept.as_str());
}

#[test]
fn a_companion_is_erased_while_the_service_runs_and_its_log_forgets_it() {
    const SENTENCE: &str = "The second canary lives in the sources only.";
    let service = Service::start(None, JUDGE);
    let mut order = lesson();
    order["sources"] = SENTENCE.into();
    let run = service.submit(&order);
    assert_eq!(service.settled(&run)["state"], "done");
    let data = service.place.path(".redraft/service");
    assert!(holds(&data, SENTENCE));
    let hash = Sha256::digest(SENTENCE.as_bytes());
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let erased = service.admin(&["erase", "document", &hash[..12]]);
    assert_eq!(erased, "removed 1 run and 2 documents");
    assert!(!holds(&data, SENTENCE));
    let gone = service
        .command("runs", &["export", &run, "run.jsonl"])
        .output()
        .unwrap();
    assert_eq!(gone.status.code(), Some(2));
    assert!(!service.place.path("run.jsonl").exists());
}

#[test]
fn a_bank_is_pruned_as_a_whole() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        let gift = "::One:: Which planet is nearest to the sun? {=Mercury ~Venus ~Mars}\n\n::Two:: What do plants take up from the air? {=carbon dioxide ~helium ~neon}\n";
        let order = json!({"document": gift, "name": "bank.gift", "goal": "check"});
        let bank = service.post("/v1/banks", &order).json();
        let path = format!("/v1/banks/{}", bank["batch"].as_str().unwrap());
        let prune = |run: &serde_json::Value| {
            let run = run.as_str().unwrap();
            let cancelled = service.post(&format!("/v1/runs/{run}/cancel"), &json!({}));
            assert_eq!(cancelled.status, 200, "{}", cancelled.text);
            std::thread::sleep(std::time::Duration::from_millis(5));
            service.admin(&["prune", "--days", "0"])
        };
        assert_eq!(prune(&bank["runs"][0]), "removed no runs and no documents");
        assert_eq!(service.get(&path).status, 200);
        assert_eq!(prune(&bank["runs"][1]), "removed 2 runs and 3 documents");
        assert_eq!(service.get(&path).status, 404);
    }
}

#[test]
fn a_run_moves_between_the_service_and_the_command_line() {
    for database in databases() {
        let service = Service::start(database, KETTLE);
        let mut order = super::kettle();
        order["spec"] = json!({"title": "How a kettle boils water"});
        let run = service.submit(&order);
        assert_eq!(service.settled(&run)["status"], "accepted");
        let outcome = service.get(&format!("/v1/runs/{run}/outcome")).json();
        service.moves(&["export", &run, "runs/run.jsonl"]);
        let replayed = service
            .place
            .run(&["replay", "runs/run.jsonl", "--format", "json"]);
        assert_eq!(replayed.code, 0, "{}{}", replayed.stdout, replayed.stderr);
        assert!(
            replayed
                .stdout
                .contains(outcome["content"].as_str().unwrap())
        );
        // It cannot be there twice; elsewhere it is the same run.
        let twice = service
            .command("runs", &["import", "runs/run.jsonl"])
            .output()
            .unwrap();
        assert_eq!(twice.status.code(), Some(2));
        let mut other = Service::idle(None, KETTLE);
        let journal = service.place.path("runs/run.jsonl");
        other.moves(&["import", journal.to_str().unwrap()]);
        other.serve(&[]);
        assert_eq!(
            other.get(&format!("/v1/runs/{run}/outcome")).json(),
            outcome
        );
        // What another program did is not signed, and an outcome that was changed is refused.
        let signed = other.get(&format!("/v1/runs/{run}/attestation"));
        assert_eq!(signed.status, 409, "{}", signed.text);
        let forged = fs::read_to_string(&journal).unwrap();
        let forged = forged.replace(
            "{\"outcome\":{\"status\":\"accepted\"",
            "{\"outcome\":{\"status\":\"accepted_warning\"",
        );
        let third = Service::idle(None, KETTLE);
        let path = service.place.path("runs/forged.jsonl");
        fs::write(&path, forged).unwrap();
        let refused = third
            .command("runs", &["import", path.to_str().unwrap()])
            .output()
            .unwrap();
        let words = String::from_utf8(refused.stderr).unwrap();
        assert!(
            words.contains("does not follow from its journal"),
            "{words}"
        );
        // A run that was cut off goes on from its last reply.
        let text = fs::read_to_string(&journal).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let kept = lines
            .iter()
            .filter(|line| line.starts_with("{\"input\""))
            .take(3);
        let cut: Vec<&str> = lines[..1].iter().chain(kept).copied().collect();
        fs::write(&journal, cut.join("\n") + "\n").unwrap();
        let mut third = Service::idle(None, KETTLE);
        third.moves(&["import", journal.to_str().unwrap()]);
        third.serve(&[]);
        assert_eq!(third.settled(&run)["status"], "accepted");
        let again = third.get(&format!("/v1/runs/{run}/outcome")).json();
        assert_eq!(again["final_content"], outcome["final_content"]);
    }
}

#[test]
fn how_many_runs_of_a_tenant_are_driven_at_once_can_be_changed() {
    for database in databases() {
        let service = Service::idle(database, JUDGE);
        service.admin(&["tenant", "add", "school", "--concurrency", "2"]);
        let set = service.admin(&["tenant", "set", "school", "--concurrency", "5"]);
        assert_eq!(set, "tenant school: 5 runs at once");
        let list = service.admin(&["tenant", "list"]);
        assert!(list.contains("school  5 runs at once"), "{list}");
        let unknown = ["tenant", "set", "nobody", "--concurrency", "5"];
        let refused = service.command("admin", &unknown).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
    }
}

/// Whoever erases the tenant that had the keys must not open the service to everybody.
#[test]
fn a_service_that_had_keys_needs_one_also_when_they_were_erased() {
    for database in databases() {
        let service = Service::start(database, JUDGE);
        assert_eq!(service.get("/v1/runs").status, 200);
        service.admin(&["tenant", "add", "school"]);
        let key = service.key("school", "anna", "read");
        assert_eq!(service.get("/v1/runs").status, 401);
        service.admin(&["erase", "tenant", "school", "--yes"]);
        assert_eq!(service.get("/v1/runs").status, 401);
        assert_eq!(service.with_key(&key, "GET", "/v1/runs", None).status, 401);
        let key = service.key("default", "ben", "read");
        assert_eq!(service.with_key(&key, "GET", "/v1/runs", None).status, 200);
    }
}

#[test]
fn many_runs_are_erased_and_what_others_need_stays() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        let order = |number: usize, sources: &str| {
            let document = format!("# Water\n\nGlass {number} holds cold water.\n");
            json!({"document": document, "goal": "check", "sources": sources}).to_string()
        };
        let lines: Vec<String> = (0..450).map(|number| order(number, "Old.")).collect();
        let kept = [order(0, "New."), order(1000, "New.")];
        let batches = [lines, kept.to_vec()].map(|lines| {
            let kind = [("content-type", "application/x-ndjson")];
            let path = "/v1/runs/batch";
            super::http::send(&service.address, "POST", path, &kind, &lines.join("\n")).json()
        });
        let hash = Sha256::digest(b"Old.");
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        // The document of number 0 has another run.
        let erased = service.admin(&["erase", "document", &hash]);
        assert_eq!(erased, "removed 450 runs and 450 documents");
        for (batch, left) in batches.iter().zip([0, 2]) {
            let path = format!("/v1/runs?batch={}", batch["batch"].as_str().unwrap());
            let runs = service.get(&path).json();
            assert_eq!(runs["runs"].as_array().unwrap().len(), left);
        }
        for run in batches[1]["runs"].as_array().unwrap() {
            let path = format!("/v1/runs/{}/sections", run.as_str().unwrap());
            let sections = service.get(&path);
            assert_eq!(
                sections.status, 200,
                "its texts are there: {}",
                sections.text
            );
        }
    }
}

#[test]
fn old_runs_are_pruned_and_tenants_erased() {
    for database in databases() {
        let service = Service::start(database, JUDGE);
        let run = service.submit(&lesson());
        assert_eq!(service.settled(&run)["state"], "done");
        assert_eq!(
            service.admin(&["prune", "--days", "1"]),
            "removed no runs and no documents"
        );
        std::thread::sleep(std::time::Duration::from_millis(5));
        assert_eq!(
            service.admin(&["prune", "--days", "0"]),
            "removed 1 run and 1 document"
        );
        assert_eq!(service.get(&format!("/v1/runs/{run}")).status, 404);
        service.submit(&lesson());
        assert!(
            service
                .admin(&["erase", "tenant", "default", "--yes"])
                .starts_with("removed 1 run")
        );
        let refused = service
            .command("admin", &["erase", "document", "abc"])
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2));
    }
}

#[test]
fn webhooks_are_signed_and_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let mut stream = stream;
            let mut bytes = vec![0; 65_536];
            let mut text = String::new();
            while !text.contains("\r\n\r\n") || !text.trim_end().ends_with('}') {
                let read = stream.read(&mut bytes).unwrap();
                text.push_str(&String::from_utf8_lossy(&bytes[..read]));
            }
            let status = if number == 0 { "500 no" } else { "200 yes" };
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).unwrap();
            if send.send(text).is_err() {
                return;
            }
        }
    });
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--webhook-host", "127.0.0.1", "--lease", "2"]);
    let refused = service.post("/v1/webhooks", &json!({"url": "https://evil.example/"}));
    assert_eq!(refused.status, 422, "{}", refused.text);
    let hook = service.post("/v1/webhooks", &json!({"url": url})).json();
    let run = service.submit(&lesson());
    // The first answer was an error, so it comes again after some seconds.
    let (first, second) = (receive.recv().unwrap(), receive.recv().unwrap());
    let body = second.split_once("\r\n\r\n").unwrap().1;
    assert_eq!(first.split_once("\r\n\r\n").unwrap().1, body);
    let told: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(
        (&told["event"], &told["run"]),
        (&"run.completed".into(), &run.as_str().into())
    );
    assert_eq!(told["status"], "accepted");
    let signature = second
        .lines()
        .find_map(|line| line.strip_prefix("redraft-signature: t="))
        .unwrap();
    let (time, signature) = signature.split_once(",v1=").unwrap();
    let secret = hook["secret"].as_str().unwrap();
    assert_eq!(
        signature.trim(),
        hmac(secret.as_bytes(), format!("{time}.{body}").as_bytes())
    );
}

/// HMAC-SHA256 by its definition (RFC 2104), for a key of at most 64 bytes.
fn hmac(key: &[u8], message: &[u8]) -> String {
    let padded = |with: u8| -> Vec<u8> {
        let key = key.iter().copied().chain(std::iter::repeat(0));
        key.take(64).map(|byte| byte ^ with).collect()
    };
    let inner = Sha256::digest([&padded(0x36)[..], message].concat());
    let outer = Sha256::digest([&padded(0x5c)[..], &inner[..]].concat());
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}
