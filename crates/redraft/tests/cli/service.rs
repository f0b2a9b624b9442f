//! The service: the real program, real HTTP, a real SQLite, and a real PostgreSQL where
//! `TEST_DATABASE_URL` names one. `cargo xtask test` starts one and sets it.

mod access;
mod clients;
mod data;
mod faults;
mod flows;
mod http;
mod items;
mod migrating;
mod repeated;
mod reviews;
mod sessions;
mod settings;
mod setup;
mod stepping_in;
mod strain;
mod trouble;
mod views;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use redraft_service::sql::{Database, Location};
use serde_json::{Value, json};

use crate::temp_folder::{TempFolder, repository};
use http::Answer;

/// The databases that a test is run on: SQLite, and PostgreSQL where there is one.
fn databases() -> Vec<Option<String>> {
    match std::env::var("TEST_DATABASE_URL") {
        Ok(url) if !url.is_empty() => vec![None, Some(new_database(&url))],
        _ => {
            eprintln!("PostgreSQL skipped: TEST_DATABASE_URL is not set");
            vec![None]
        }
    }
}

/// Creates an empty database beside the one of this URL.
fn new_database(url: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("redraft_test_{}_{number}", std::process::id());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let sentence = format!("CREATE DATABASE {name}");
    runtime.block_on(async {
        let database = Database::open(&Location::parse(url).unwrap())
            .await
            .unwrap();
        let created = database.read(move |sql| sql.script(&sentence));
        created.await.unwrap();
    });
    let (server, _) = url.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Ends it as the kernel would.
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Ends it as a service manager would; tells its exit code.
    fn stop(mut self) -> Option<i32> {
        self.signal("-TERM");
        self.0.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder, a database and the processes on it.
struct Service {
    place: TempFolder,
    database: Option<String>,
    script: PathBuf,
    /// Where answers come from, as options.
    models: Vec<String>,
    server: Option<Process>,
    address: String,
    /// Variables of its processes.
    environment: Vec<(String, String)>,
    /// A signal that they do not heed.
    ignored_signal: Option<&'static str>,
}

impl Service {
    /// Nothing runs yet.
    fn idle(database: Option<String>, script: &str) -> Self {
        let script = repository(script);
        Self {
            place: TempFolder::new(&[]),
            database,
            models: vec!["--script".to_owned(), script.to_str().unwrap().to_owned()],
            script,
            server: None,
            address: String::new(),
            environment: Vec::new(),
            ignored_signal: None,
        }
    }

    /// Serves and drives runs.
    fn start(database: Option<String>, script: &str) -> Self {
        let mut service = Self::idle(database, script);
        service.serve(&[]);
        service
    }

    fn models(&self) -> Vec<&str> {
        self.models.iter().map(String::as_str).collect()
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let program = env!("CARGO_BIN_EXE_redraft");
        let mut command = match self.ignored_signal {
            None => Command::new(program),
            Some(signal) => {
                let mut command = Command::new("sh");
                let ignoring = format!("trap '' {signal}; exec \"$0\" \"$@\"");
                command.args(["-c", &ignoring, program]);
                command
            }
        };
        command
            .arg(name)
            .args(arguments)
            .current_dir(self.place.path(""))
            .env("HOUSE_KEY", "sk-canary")
            .env_remove("REDRAFT_DATABASE");
        if let Some(url) = &self.database {
            command.env("REDRAFT_DATABASE", url);
        }
        command.envs(self.environment.iter().cloned());
        command
    }

    fn serve(&mut self, arguments: &[&str]) {
        let all = [&["--listen", "127.0.0.1:0"], &*self.models(), arguments].concat();
        let log = fs::File::create(self.place.path("serve.log")).unwrap();
        let mut child = self
            .command("serve", &all)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        self.server = Some(Process(child));
        let address = line.trim().strip_prefix("listening on http://");
        assert!(address.is_some(), "{}", self.place.read("serve.log"));
        self.address = address.unwrap().to_owned();
    }

    /// A worker of its own, with short leases.
    fn worker(&self, arguments: &[&str]) -> Process {
        let all = [&["--lease", "2"], &*self.models(), arguments].concat();
        let mut log = fs::OpenOptions::new();
        let log = log
            .append(true)
            .create(true)
            .open(self.place.path("worker.log"));
        let child = self
            .command("worker", &all)
            .stderr(log.unwrap())
            .spawn()
            .unwrap();
        Process(child)
    }

    /// What `redraft admin` prints.
    fn admin(&self, arguments: &[&str]) -> String {
        let output = self.command("admin", arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{text}{error}");
        text.trim().to_owned()
    }

    /// What `redraft runs` prints.
    fn moves(&self, arguments: &[&str]) -> String {
        let output = self.command("runs", arguments).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{text}{error}");
        text.trim().to_owned()
    }

    /// Makes a key.
    fn key(&self, tenant: &str, name: &str, scopes: &str) -> String {
        self.admin(&[
            "key", "add", "--tenant", tenant, "--name", name, "--scopes", scopes,
        ])
    }

    fn get(&self, path: &str) -> Answer {
        http::call(&self.address, "GET", path, &[], None)
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        http::call(&self.address, "POST", path, &[], Some(body))
    }

    /// The same with a key.
    fn with_key(&self, key: &str, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let bearer = format!("Bearer {key}");
        http::call(
            &self.address,
            method,
            path,
            &[("authorization", &bearer)],
            body,
        )
    }

    fn submit(&self, order: &Value) -> String {
        let answer = self.post("/v1/runs", order);
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["run"].as_str().unwrap().to_owned()
    }

    /// Follows a run until it is over or waits for a reviewer; tells its last state.
    fn settled(&self, run: &str) -> Value {
        self.settled_with(run, &[])
    }

    fn settled_with(&self, run: &str, headers: &[(&str, &str)]) -> Value {
        loop {
            let path = format!("/v1/runs/{run}");
            let info = http::call(&self.address, "GET", &path, headers, None).json();
            match info["state"].as_str().unwrap() {
                "queued" | "running" => {
                    std::thread::sleep(std::time::Duration::from_millis(30));
                }
                _ => return info,
            }
        }
    }
}

const JUDGE: &str = "examples/judge-replies.toml";
const KETTLE: &str = "examples/refine-kettle/replies.toml";

/// An order to judge a lesson; its script accepts it.
fn lesson() -> Value {
    let text = fs::read_to_string(repository("examples/photosynthesis.md")).unwrap();
    json!({"document": text, "name": "photosynthesis.md", "goal": "judge"})
}

/// An order to refine a lesson; its script repairs it in two rounds, and accepts it.
fn kettle() -> Value {
    let text = fs::read_to_string(repository("examples/refine-kettle/lesson.md")).unwrap();
    json!({"document": text, "name": "lesson.md", "mode": "semi-auto"})
}

/// The same with a threshold that it does not reach, so that a reviewer is asked.
fn unreachable_kettle() -> Value {
    let mut order = kettle();
    order["policy"] = json!({
        "accept": 0.90, "good-enough": {"from": 0.90}, "repair": {"iterations": 1},
    });
    order
}
