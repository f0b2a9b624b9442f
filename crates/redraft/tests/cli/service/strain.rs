//! What a service under strain does: too many streams, clients that read nothing, workers
//! that lose track of a run, runs that kill their workers, tenants that want everything.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use redraft_service::sql::{Database, Location};
use serde_json::{Value, json};

use super::{JUDGE, Service, databases, faults, lesson, stepping_in};

/// A stream of events, once its answer has begun; with its first line.
fn stream(service: &Service, run: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let address = &service.address;
    let request = format!("GET /v1/runs/{run}/events HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n") && stream.read(&mut byte).unwrap() == 1 {
        head.push(byte[0]);
    }
    (stream, String::from_utf8(head).unwrap())
}

#[test]
fn a_tenant_has_a_quarter_of_the_streams_and_closed_ones_count_no_more() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work", "--streams", "8"]);
    let run = service.submit(&lesson());
    let mut open: Vec<TcpStream> = Vec::new();
    for _ in 0..2 {
        let (stream, head) = stream(&service, &run);
        assert!(head.contains(" 200 "), "{head}");
        open.push(stream);
    }
    let refused = service.get(&format!("/v1/runs/{run}/events"));
    assert_eq!(refused.status, 429, "{}", refused.text);
    assert_eq!(refused.header("retry-after"), Some("15"));
    // A list that keeps up is a stream, too.
    let headers = [("accept", "text/event-stream")];
    let live = super::http::call(&service.address, "GET", "/v1/live", &headers, None);
    assert_eq!(live.status, 429, "{}", live.text);
    let metrics = service.get("/v1/metrics").text;
    assert!(metrics.contains("redraft_event_streams 2\n"), "{metrics}");
    drop(open.pop());
    // The service notices that a client is gone.
    while !stream(&service, &run).1.contains(" 200 ") {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_client_that_reads_nothing_does_not_keep_the_service_from_stopping() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work", "--grace", "0", "--rate", "100000"]);
    let text = "# Water\n\n".to_owned() + &"Water boils at a hundred degrees.\n\n".repeat(3_000);
    let run = service.submit(&json!({"document": text, "goal": "check"}));
    let mut stream = TcpStream::connect(&service.address).unwrap();
    let request = format!(
        "GET /v1/runs/{run}/document?version=original HTTP/1.1\r\nhost: {}\r\n\r\n",
        service.address
    );
    // More than the buffers of a connection hold.
    stream.write_all(request.repeat(300).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(service.server.take().unwrap().stop(), Some(0));
}

/// Changes rows behind the back of the service.
fn change(service: &Service, sentence: String) {
    let location = match &service.database {
        Some(url) => Location::parse(url).unwrap(),
        None => Location::Sqlite(service.place.path(".redraft/service/redraft.db")),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let database = Database::open(&location).await.unwrap();
        let changed = database.write(move |sql| sql.run(&sentence, &[]));
        assert_eq!(changed.await.unwrap(), 1);
    });
}

#[test]
fn a_worker_gives_back_what_it_does_not_drive() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        let run = service.submit(&lesson());
        change(
            &service,
            "UPDATE runs SET wake_at = 9000000000000".to_owned(),
        );
        let _worker = service.worker(&[]);
        let name = loop {
            let log = service.place.read("worker.log");
            let started = log.lines().find(|line| line.contains("worker_started"));
            if let Some(line) = started.filter(|_| log.ends_with('\n')) {
                let line: Value = serde_json::from_str(line).unwrap();
                break line["worker"].as_str().unwrap().to_owned();
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // As if it had claimed the run and the answer had been lost.
        let claimed = format!(
            "UPDATE runs SET state = 'running', epoch = epoch + 1, worker = '{name}', wake_at = 0, lease_until = 9000000000000"
        );
        change(&service, claimed);
        assert_eq!(service.settled(&run)["status"], "accepted");
    }
}

#[test]
fn a_run_that_kills_its_workers_fails_in_the_end() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let deadly = service.submit(&lesson());
    // Its workers died, and nobody saw the end of its lease yet.
    change(
        &service,
        "UPDATE runs SET state = 'running', worker = 'w0', lease_until = 0, failures = 7"
            .to_owned(),
    );
    let _worker = service.worker(&[]);
    let info = service.settled(&deadly);
    assert_eq!(info["state"], "failed", "{info}");
    let error = info["error"].as_str().unwrap();
    assert!(
        error.contains("its worker died 8 times in a row"),
        "{error}"
    );
    let other = service.submit(&lesson());
    assert_eq!(service.settled(&other)["status"], "accepted");
}

#[test]
fn tenants_share_the_slots_of_a_worker() {
    let (address, _gate) = stepping_in::held_judges();
    let mut service = Service::idle(None, JUDGE);
    let config = faults::configuration(&address);
    std::fs::write(service.place.path("redraft.toml"), config).unwrap();
    service.models = vec!["--config".to_owned(), "redraft.toml".to_owned()];
    let keys = ["a", "b"].map(|tenant| {
        service.admin(&["tenant", "add", tenant]);
        service.key(tenant, "anna", "submit,read")
    });
    service.serve(&["--no-work"]);
    for key in &keys {
        for _ in 0..6 {
            let order = lesson();
            let answer = service.with_key(key, "POST", "/v1/runs", Some(&order));
            assert_eq!(answer.status, 201, "{}", answer.text);
        }
    }
    let _worker = service.worker(&["--slots", "4"]);
    let running = |key: &str| {
        let answer = service.with_key(key, "GET", "/v1/runs?state=running", None);
        answer.json()["runs"].as_array().unwrap().len()
    };
    while running(&keys[0]) + running(&keys[1]) < 4 {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((running(&keys[0]), running(&keys[1])), (2, 2));
}

#[test]
fn texts_that_no_database_stores_are_no_internal_errors() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        let key = service.key("default", "anna", "submit,read,review,admin");
        service.serve(&["--no-work", "--webhook-host", "127.0.0.1"]);
        let answer = service.post("/v1/session", &json!({"key": "redraft_\0_\0"}));
        assert_eq!(answer.status, 401, "{}", answer.text);
        let hook = json!({"url": "http://127.0.0.1:9/\0x"});
        let answer = service.with_key(&key, "POST", "/v1/webhooks", Some(&hook));
        assert_eq!(answer.json()["url"], "http://127.0.0.1:9/%00x");
        for path in ["/v1/runs/%ff", "/v1/runs?batch=%ff", "/v1/checks/%C3%28"] {
            let answer = service.with_key(&key, "GET", path, None);
            assert_eq!(answer.status, 400, "{path} {}", answer.text);
            assert_eq!(
                answer.header("content-type"),
                Some("application/problem+json")
            );
        }
    }
}

#[test]
fn who_submits_to_a_tenant_that_was_erased_is_told() {
    for database in databases() {
        let mut service = Service::idle(database, JUDGE);
        service.serve(&["--no-work"]);
        service.admin(&["erase", "tenant", "default", "--yes"]);
        let order = json!({"document": "# Water\n\nIt boils.\n", "goal": "check"});
        let answer = service.post("/v1/runs", &order);
        assert_eq!(answer.status, 409, "{}", answer.text);
        assert!(answer.text.contains("was erased"), "{}", answer.text);
    }
}
