//! Workers that are killed or paused, and a database that restarts: every run ends as if
//! nothing had happened, and nothing is paid for twice.
//!
//! `cargo xtask acceptance service-faults` runs it with `REDRAFT_FAULT_RUNS=200` on
//! PostgreSQL, and with `REDRAFT_FAULT_RESTART`, a command that restarts the database.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redraft_service::sql::{Database, Location};
use serde_json::{Value, json};

use super::{Process, Service, databases, http};
use crate::seeds::LESSONS;
use crate::served;

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// When each question was asked, by the text and the judge.
pub(super) type Asked = Arc<Mutex<BTreeMap<(String, String), Vec<u64>>>>;

/// Judges that take a moment to answer and keep count.
pub(super) fn judges() -> (String, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Asked::default();
    let count = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let count = Arc::clone(&count);
            std::thread::spawn(move || answer(stream, &count));
        }
    });
    (address, asked)
}

fn answer(stream: TcpStream, asked: &Asked) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some((first, question)) = served::request(&mut reader)? {
        let id = text_id(&question);
        let judge = first.split('/').nth(1).unwrap().to_owned();
        let mut all = asked.lock().unwrap();
        all.entry((id.clone(), judge)).or_default().push(now());
        drop(all);
        std::thread::sleep(Duration::from_millis(250));
        let body = verdict(&id);
        write!(
            reader.get_mut(),
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
    }
    Ok(())
}

/// The text that a question is about.
pub(super) fn text_id(question: &str) -> String {
    let (_, rest) = question.split_once("text_id is ").unwrap();
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

/// Two judges at this address.
pub(super) fn configuration(address: &str) -> String {
    ["judge_secondary", "judge_primary"]
        .iter()
        .map(|role| {
            format!(
                "[roles.{role}]\nprovider = \"{role}\"\nmodel = \"m\"\n[providers.{role}]\nbase-url = \"{address}/{role}/v1\"\nkey-env = \"HOUSE_KEY\"\n"
            )
        })
        .collect()
}

/// Near the threshold, so that a second judge is asked after the first.
pub(super) fn verdict(id: &str) -> String {
    let scores: serde_json::Map<String, Value> = LESSONS
        .iter()
        .zip([0.88, 0.84, 0.87, 0.85, 0.83, 0.86])
        .map(|(name, score)| ((*name).to_owned(), score.into()))
        .collect();
    let said = json!({
        "text_id": id, "issues": [], "strengths": [], "scores": scores, "confidence": "medium"
    });
    json!({
        "choices": [{"message": {"role": "assistant", "content": said.to_string()}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 300},
    })
    .to_string()
}

/// The same numbers on every run of the test.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[test]
fn killed_and_paused_workers_change_nothing_and_pay_nothing_twice() {
    let runs = variable("REDRAFT_FAULT_RUNS").map_or(12, |runs| runs.parse().unwrap());
    for database in databases() {
        if runs > 50 && database.is_none() {
            continue;
        }
        let (address, asked) = judges();
        let mut service = Service::idle(database, super::JUDGE);
        fs::write(service.place.path("redraft.toml"), configuration(&address)).unwrap();
        service.models = vec!["--config".to_owned(), "redraft.toml".to_owned()];
        service.serve(&["--no-work", "--rate", "10000"]);
        let lesson = super::lesson();
        let text = lesson["document"].as_str().unwrap();
        let order = |number: usize| {
            let document =
                text.replace("leaf", &format!("leaf {number}")) + &format!("\nNote {number}.\n");
            json!({"document": document, "name": format!("{number:03}.md"), "goal": "judge"})
        };
        let ids: Vec<String> = (0..runs)
            .map(|number| service.submit(&order(number)))
            .collect();
        let faults = disturb(&service, &ids);
        eprintln!("{faults:?}");
        assert!(faults.contains_key("killed") && faults.contains_key("paused"));
        let outcomes: Vec<Value> = ids
            .iter()
            .map(|run| service.get(&format!("/v1/runs/{run}/outcome")).json())
            .collect();
        assert_eq!(asked_late(&service, &asked), Vec::<String>::new());
        for (run, outcome) in ids.iter().zip(&outcomes) {
            let events = service.get(&format!("/v1/runs/{run}/events")).events();
            let numbers: Vec<i64> = events.iter().map(|(id, _)| *id).collect();
            assert!(
                numbers
                    .iter()
                    .copied()
                    .eq(1..=i64::try_from(numbers.len()).unwrap())
            );
            let verdicts = events
                .iter()
                .filter(|(_, event)| event["event"] == "verdict")
                .count();
            assert_eq!(verdicts, outcome["verdicts"].as_array().unwrap().len());
        }
        undisturbed(&service, &order, &outcomes);
    }
}

/// Kills and pauses workers until all runs are over; tells how often.
fn disturb(service: &Service, ids: &[String]) -> BTreeMap<&'static str, u32> {
    let mut dice = Dice(7);
    let mut faults: BTreeMap<&'static str, u32> = BTreeMap::new();
    // Few at once, so that there is something left to disturb.
    let slots = ["--slots", if ids.len() > 50 { "4" } else { "1" }];
    let mut workers: Vec<Process> = (0..3).map(|_| service.worker(&slots)).collect();
    let mut paused: Vec<(Process, u64)> = Vec::new();
    let restart = variable("REDRAFT_FAULT_RESTART").filter(|_| service.database.is_some());
    loop {
        let listed = service.get("/v1/runs?limit=500&state=done").json();
        if listed["runs"].as_array().unwrap().len() >= ids.len() {
            break;
        }
        std::thread::sleep(Duration::from_millis(250 + dice.roll(400)));
        let (late, rest): (Vec<_>, Vec<_>) =
            paused.drain(..).partition(|(_, until)| *until < now());
        for (worker, _) in late {
            // It comes back after its leases have run out.
            worker.signal("-CONT");
            workers.push(worker);
        }
        paused = rest;
        // Each kind once, then at random.
        let roll = match faults.values().sum::<u32>() {
            0 => 0,
            1 => 2,
            _ => dice.roll(6),
        };
        let fault = match roll {
            0 | 1 if workers.len() > 1 => {
                let at = usize::try_from(dice.roll(workers.len() as u64)).unwrap();
                workers.swap_remove(at).kill();
                workers.push(service.worker(&slots));
                "killed"
            }
            2 if workers.len() > 1 => {
                let at = usize::try_from(dice.roll(workers.len() as u64)).unwrap();
                let worker = workers.swap_remove(at);
                worker.signal("-STOP");
                paused.push((worker, now() + 3_500));
                "paused"
            }
            3 if dice.roll(2) == 0 => match &restart {
                Some(command) => {
                    let done = Command::new("sh").args(["-c", command]).status().unwrap();
                    assert!(done.success());
                    "restarted the database"
                }
                None => continue,
            },
            _ => continue,
        };
        *faults.entry(fault).or_default() += 1;
    }
    for (worker, _) in &paused {
        worker.signal("-CONT");
    }
    // Time to do what they must not do.
    std::thread::sleep(Duration::from_millis(700));
    faults
}

/// Questions that were asked after their reply had been recorded.
fn asked_late(service: &Service, asked: &Asked) -> Vec<String> {
    let location = match &service.database {
        Some(url) => Location::parse(url).unwrap(),
        None => Location::Sqlite(service.place.path(".redraft/service/redraft.db")),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let rows = runtime.block_on(async {
        let database = Database::open(&location).await.unwrap();
        let rows = database.read(|sql| {
            sql.rows(
                "SELECT inputs.body, header, ask FROM inputs JOIN runs ON runs.id = run WHERE ask IS NOT NULL",
                &[],
            )
        });
        rows.await.unwrap()
    });
    let asked = asked.lock().unwrap();
    let mut late = Vec::new();
    for row in rows {
        let input: Value = serde_json::from_str(&row.text(0).unwrap()).unwrap();
        let header: Value = serde_json::from_str(&row.text(1).unwrap()).unwrap();
        let ask = row.text(2).unwrap();
        let recorded = input["at"].as_u64().unwrap();
        let hash = header["setup"]["bytes"]["sha256"].as_str().unwrap();
        let judge = ask.split('/').nth(2).unwrap();
        for ((text, of), times) in &*asked {
            let is_its = hash.starts_with(text.as_str()) && of == judge;
            late.extend(
                times
                    .iter()
                    .filter(|time| is_its && **time > recorded)
                    .map(|time| {
                        format!("{ask} of {hash}: recorded at {recorded}, asked at {time}")
                    }),
            );
        }
    }
    late
}

/// The outcomes must be those of a process that nobody disturbed.
fn undisturbed(service: &Service, order: &dyn Fn(usize) -> Value, outcomes: &[Value]) {
    fs::create_dir_all(service.place.path("all")).unwrap();
    for number in 0..outcomes.len() {
        let document = order(number)["document"].as_str().unwrap().to_owned();
        fs::write(service.place.path(&format!("all/{number:03}.md")), document).unwrap();
    }
    let run = service.place.run_among(
        &[("HOUSE_KEY", "sk-canary")],
        &[
            "judge",
            "all",
            "--config",
            "redraft.toml",
            "--mode",
            "full-auto",
            "--format",
            "json",
            "--fresh",
            "-j",
            "16",
        ],
    );
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let documents = report["documents"].as_array().unwrap();
    assert_eq!(documents.len(), outcomes.len());
    for (document, outcome) in documents.iter().zip(outcomes) {
        let alone = document.get("outcome").unwrap_or(document);
        for field in ["status", "score", "content", "asked", "unresolved_issues"] {
            assert_eq!(alone[field], outcome[field], "{field}");
        }
    }
}

#[test]
fn a_worker_that_is_told_to_stop_hands_its_runs_over() {
    for database in databases() {
        let (address, _asked) = judges();
        let mut service = Service::idle(database, super::JUDGE);
        let config = format!(
            "[roles.judge]\nprovider = \"house\"\nmodel = \"m\"\n[providers.house]\nbase-url = \"{address}/house/v1\"\nkey-env = \"HOUSE_KEY\"\n"
        );
        fs::write(service.place.path("redraft.toml"), config).unwrap();
        service.models = vec!["--config".to_owned(), "redraft.toml".to_owned()];
        service.serve(&["--no-work"]);
        let ids: Vec<String> = (0..6).map(|_| service.submit(&super::lesson())).collect();
        let first = service.worker(&["--grace", "0"]);
        while service.get("/v1/runs?state=running").json()["runs"]
            .as_array()
            .unwrap()
            .is_empty()
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(first.stop(), Some(0));
        let left = service.get("/v1/runs?state=running").json();
        assert_eq!(
            left["runs"],
            json!([]),
            "put back, not left to their leases"
        );
        let _second = service.worker(&[]);
        for run in ids {
            assert_eq!(service.settled(&run)["state"], "done");
        }
        let metrics = http::call(&service.address, "GET", "/v1/metrics", &[], None);
        assert!(
            metrics.text.contains("redraft_runs{state=\"done\"} 6"),
            "{}",
            metrics.text
        );
    }
}
