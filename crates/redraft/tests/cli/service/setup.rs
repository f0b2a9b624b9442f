//! How a service is set up: options, environment, `[service]`, TLS to PostgreSQL, traces.

use std::fs;
use std::io::{BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;

use serde_json::{Value, json};

use super::{JUDGE, Service, lesson};
use crate::served;
use crate::temp_folder::repository;

#[test]
fn an_option_goes_over_a_variable_and_a_variable_over_the_file() {
    let mut service = Service::idle(None, JUDGE);
    let config = "[service]\nmax-body = 700\nrate = 1\n";
    fs::write(service.place.path("redraft.toml"), config).unwrap();
    let large = json!({"document": "Water boils at 100 °C. ".repeat(40), "goal": "check"});
    service.serve(&["--no-work"]);
    assert_eq!(service.post("/v1/runs", &large).status, 413, "the file");
    // Two at once and one a second, and the first is spent.
    let answers: Vec<u16> = (0..5).map(|_| service.get("/v1/runs").status).collect();
    assert!(answers.contains(&429), "{answers:?}");
    drop(service.server.take());
    service.environment = vec![("REDRAFT_MAX_BODY".to_owned(), "100000".to_owned())];
    service.serve(&["--no-work", "--rate", "10000"]);
    assert_eq!(service.post("/v1/runs", &large).status, 201, "the variable");
    drop(service.server.take());
    service.serve(&["--no-work", "--max-body", "650"]);
    assert_eq!(service.post("/v1/runs", &large).status, 413, "the option");
}

/// The examples name options and variables that exist, and the page has all of them.
#[test]
fn the_examples_and_the_page_name_what_there_is() {
    let service = Service::idle(None, JUDGE);
    let help = ["serve", "worker"].map(|command| {
        let output = service.command(command, &["--help"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    });
    let page = fs::read_to_string(repository("docs/operations.md")).unwrap();
    for file in ["redraft.service", "compose.yaml"] {
        let text = fs::read_to_string(repository(&format!("examples/service/{file}"))).unwrap();
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with('#'));
        for line in lines {
            let words =
                line.split(|char: char| !char.is_ascii_alphanumeric() && !"-_".contains(char));
            for word in words {
                let is_option = word.starts_with("--");
                assert!(!is_option || help[0].contains(word), "{file}: {word}");
                let is_variable = word.starts_with("REDRAFT_");
                assert!(!is_variable || page.contains(word), "{file}: {word}");
            }
        }
    }
    for option in help[0]
        .split_whitespace()
        .filter(|word| word.starts_with("--"))
    {
        let option = option.trim_end_matches([',', ']', '.']);
        let is_everywhere = ["--help", "--script", "--config", "--no-work"].contains(&option);
        assert!(
            is_everywhere || page.contains(&format!("`{option}`")),
            "{option}"
        );
    }
}

#[test]
fn mistakes_in_the_settings_name_the_place() {
    for (config, variable, words) in [
        (
            "[service]\nlisten = \"here\"\n",
            None,
            "redraft.toml:2: \"listen\" must be",
        ),
        (
            "[service]\nlease = 1\n",
            None,
            "redraft.toml:2: \"lease\" must be at least 2",
        ),
        (
            "[service]\ndatabase = \"postgres://u:geheim@h/d\"\n",
            None,
            "redraft.toml:2: \"database\" must not contain a password",
        ),
        ("[service]\nsolts = 3\n", None, "did you mean \"slots\"?"),
        (
            "[service]\nwebhook-hosts = [\"evil.example\"]\n",
            None,
            "you have not trusted this file",
        ),
        (
            "",
            Some(("REDRAFT_SLOTS", "many")),
            "REDRAFT_SLOTS: invalid value",
        ),
        (
            "",
            Some(("REDRAFT_LEASE", "1")),
            "REDRAFT_LEASE: expected at least 2",
        ),
        (
            "",
            Some(("REDRAFT_DATABASE", "postgres://u@h/d?sslmode=maybe")),
            "use disable, or verify-full for TLS",
        ),
        (
            "",
            Some(("REDRAFT_DATABASE", "mysql://u:geheim@h/d")),
            "`mysql://` is not supported",
        ),
    ] {
        let mut service = Service::idle(None, JUDGE);
        fs::write(service.place.path("redraft.toml"), config).unwrap();
        let pair = variable.map(|(name, value)| (name.to_owned(), value.to_owned()));
        service.environment = pair.into_iter().collect();
        let listen = ["--listen", "127.0.0.1:0", "--no-work"];
        let refused = service.command("serve", &listen).output().unwrap();
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains(words), "{config} {variable:?}: {error}");
        assert!(!error.contains("geheim"), "{error}");
        assert_eq!(refused.status.code(), Some(2), "{error}");
    }
}

#[test]
fn runs_and_asks_are_traced_without_their_text() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = format!("http://{}", listener.local_addr().unwrap());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            while let Ok(Some((first, body))) = served::request(&mut reader) {
                let _ = send.send((first, body));
                let _ = reader
                    .get_mut()
                    .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
            }
        }
    });
    let mut service = Service::idle(None, JUDGE);
    service.serve(&["--otlp", &collector]);
    let run = service.submit(&lesson());
    service.settled(&run);
    let mut spans: Vec<Value> = Vec::new();
    while !spans
        .iter()
        .any(|span| span["name"] == "invoke_workflow redraft")
    {
        let (first, body) = receive.recv().unwrap();
        assert!(first.starts_with("POST /v1/traces "), "{first}");
        assert!(!body.contains("chloroplast"), "no text of the lesson");
        let body: Value = serde_json::from_str(&body).unwrap();
        let all = &body["resourceSpans"][0]["scopeSpans"][0]["spans"];
        spans.extend(all.as_array().unwrap().iter().cloned());
    }
    let asks: Vec<&Value> = spans
        .iter()
        .filter(|span| span["name"].as_str().unwrap().starts_with("chat "))
        .collect();
    assert!(!asks.is_empty());
    for span in &asks {
        let value = |key: &str| {
            let attributes = span["attributes"].as_array().unwrap();
            let found = attributes.iter().find(|one| one["key"] == key);
            found.map(|one| one["value"].clone()).unwrap_or_default()
        };
        assert_eq!(value("gen_ai.operation.name")["stringValue"], "chat");
        assert_eq!(value("gen_ai.provider.name")["stringValue"], "scripted");
        assert!(
            value("gen_ai.usage.input_tokens")["intValue"].is_string(),
            "{span}"
        );
        assert_eq!(value("redraft.run")["stringValue"], run.as_str());
        assert_eq!(span["traceId"], spans[0]["traceId"], "one trace for a run");
        assert_eq!(span["traceId"].as_str().unwrap().len(), 32);
    }
}

/// `cargo xtask test` starts a PostgreSQL with TLS, and says where its authority is.
#[test]
fn postgres_is_reached_with_tls_and_its_certificate_is_checked() {
    let named = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (Some(url), Some(authority)) = (named("TEST_DATABASE_URL"), named("TEST_DATABASE_CA"))
    else {
        eprintln!("skipped: TEST_DATABASE_URL and TEST_DATABASE_CA are not set");
        return;
    };
    let service = Service::idle(None, JUDGE);
    let list = |url: String| {
        let output = service
            .command("admin", &["tenant", "list"])
            .env("REDRAFT_DATABASE", url)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let url = super::new_database(&url);
    let (code, error) = list(format!("{url}?sslmode=verify-full&sslrootcert={authority}"));
    assert_eq!(code, Some(0), "{error}");
    // The system does not know this authority.
    let (code, error) = list(format!("{url}?sslmode=require"));
    assert_ne!(code, Some(0));
    assert!(
        error.contains("certificate") || error.contains("UnknownIssuer"),
        "{error}"
    );
}
