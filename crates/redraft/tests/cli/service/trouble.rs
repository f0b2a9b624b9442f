//! A database that is locked or whose disk is full: clear errors, nothing lost.

use std::process::Command;
use std::sync::mpsc;

use redraft_service::sql::{Database, Location};
use serde_json::{Value, json};

use super::{JUDGE, Service};

fn water() -> Value {
    json!({"document": "# Water\n\nWater boils at 100 °C.\n", "goal": "check"})
}

#[test]
fn requests_wait_for_a_locked_database() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let path = service.place.path(".redraft/service/redraft.db");
    let (locked, is_locked) = mpsc::channel();
    let (release, may_release) = mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        let may_release = std::sync::Mutex::new(may_release);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let database = Database::open(&Location::Sqlite(path)).await.unwrap();
            let held = database.write(move |sql| {
                sql.run("UPDATE tenants SET created = created", &[])?;
                let _ = locked.send(());
                let _ = may_release.lock().unwrap().recv();
                Ok(())
            });
            held.await.unwrap();
        });
    });
    is_locked.recv().unwrap();
    let address = service.address.clone();
    let posted = std::thread::spawn(move || {
        super::http::call(&address, "POST", "/v1/runs", &[], Some(&water()))
    });
    // Readers are not held up.
    assert_eq!(service.get("/v1/runs").json()["runs"], json!([]));
    release.send(()).unwrap();
    holder.join().unwrap();
    let answer = posted.join().unwrap();
    assert_eq!(answer.status, 201, "{}", answer.text);
}

/// Has the files of a running process grow no further than this, or without an end. Unlike a
/// small file system it needs no rights; a quota looks the same to the database.
fn limit_files(service: &Service, bytes: &str) {
    let server = service.server.as_ref().unwrap();
    let limited = Command::new("prlimit")
        .arg(format!("--pid={}", server.0.id()))
        .arg(format!("--fsize={bytes}:unlimited"))
        .status()
        .unwrap();
    assert!(limited.success());
}

#[test]
fn a_full_disk_is_named_and_nothing_that_was_acknowledged_is_lost() {
    let mut service = Service::idle(None, JUDGE);
    // Else the signal that comes with the limit ends the process.
    service.ignored_signal = Some("XFSZ");
    service.serve(&["--no-work", "--rate", "100000"]);
    let mut taken = vec![service.submit(&water())];
    limit_files(&service, "1000000");
    let refused = loop {
        assert!(taken.len() < 5_000, "1 MB holds them all");
        let answer = service.post("/v1/runs", &water());
        match answer.status {
            201 => taken.push(answer.json()["run"].as_str().unwrap().to_owned()),
            _ => break answer,
        }
    };
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(
        refused
            .text
            .contains("the disk of the database is full; tell the operator"),
        "{}",
        refused.text
    );
    assert!(taken.len() > 3, "{}", taken.len());
    // Reading goes on.
    let last = taken.last().unwrap();
    assert_eq!(
        service.get(&format!("/v1/runs/{last}")).json()["state"],
        "queued"
    );
    // Drivers do not give runs up because of it.
    drop(service.server.take());
    service.serve(&["--slots", "2"]);
    limit_files(&service, "1000000");
    while !service.place.read("serve.log").contains("is full") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    limit_files(&service, "unlimited");
    for run in &taken {
        let info = service.settled(run);
        assert_eq!(info["state"], "done", "{info}");
    }
    assert_eq!(service.post("/v1/runs", &water()).status, 201);
}

#[test]
fn every_mistake_of_a_client_is_a_problem_that_names_it() {
    use std::io::{Read as _, Write as _};
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work", "--max-body", "100"]);
    let post = "POST /v1/runs HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let get = "HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n";
    let large = format!("{post}content-length: 101\r\n\r\n{}", " ".repeat(101));
    for (request, status, kind) in [
        (
            format!("{post}transfer-encoding: chunked\r\n\r\nzz\r\n"),
            400,
            "malformed",
        ),
        (large, 413, "too-large"),
        (
            format!("{post}content-length: 2\r\n\r\n\"\u{e9}"),
            400,
            "malformed",
        ),
        (format!("GET /v1/nothing {get}\r\n"), 404, "not-found"),
        (
            format!("GET /runs {get}accept: application/json\r\n\r\n"),
            404,
            "not-found",
        ),
        (
            format!("GET /runs {get}accept: */*\r\n\r\n"),
            404,
            "not-found",
        ),
        (format!("POST / {get}\r\n"), 404, "not-found"),
        (
            format!("PATCH /v1/runs {get}\r\n"),
            405,
            "method-not-allowed",
        ),
    ] {
        let mut stream = std::net::TcpStream::connect(&service.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request}{answer}"
        );
        assert!(
            answer.contains("application/problem+json"),
            "{request}{answer}"
        );
        assert!(
            answer.contains(&format!("urn:redraft:problem:{kind}\"")),
            "{request}{answer}"
        );
    }
    // A person with a browser gets the page, wherever it has led them.
    let html = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let page = super::http::send(&service.address, "GET", "/runs", &html, "");
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(
        page.header("content-type")
            .unwrap()
            .starts_with("text/html")
    );
}

/// A client that takes both gets the events as they happen.
#[test]
fn a_list_of_events_is_for_who_takes_no_stream() {
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--no-work"]);
    let run = service.submit(&water());
    service.post(&format!("/v1/runs/{run}/cancel"), &json!({}));
    for (accept, kind) in [
        ("application/json", "application/json"),
        ("text/event-stream, application/json", "text/event-stream"),
        ("*/*", "text/event-stream"),
    ] {
        let path = format!("/v1/runs/{run}/events");
        let answer = super::http::send(&service.address, "GET", &path, &[("accept", accept)], "");
        assert_eq!(answer.header("content-type"), Some(kind), "{accept}");
        assert!(answer.text.contains("run_cancelled"), "{}", answer.text);
    }
}
