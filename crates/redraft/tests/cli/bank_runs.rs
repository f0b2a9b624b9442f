//! A whole bank through `judge` and `refine`, with a model behind an address: as many calls
//! as `plan` says, killed three times and continued, the same result as undisturbed.
//!
//! `cargo xtask acceptance bank` does it with 1,000 items (`REDRAFT_BANK_ITEMS`).

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::folder::Folder;

fn items() -> usize {
    let given = std::env::var("REDRAFT_BANK_ITEMS");
    given
        .ok()
        .and_then(|items| items.parse().ok())
        .unwrap_or(12)
}

/// Most that a process may have in memory, in kilobytes: below 300 MB.
const MOST_KILOBYTES: u64 = 300_000;

fn bank(distractor: &str) -> String {
    let mut bank = String::new();
    for number in 1..=items() {
        let item = json!({
            "id": format!("item-{number}"),
            "vignette": format!("Patient {number}, a man of 58 years, has had a dry cough for six weeks. It began a fortnight after a new tablet for his blood pressure."),
            "stem": format!("Which of these medicines is the most likely cause of the cough of patient {number}?"),
            "distractors": [
                {"text": format!("Ramipril {number}"), "isCorrect": true, "explanation": "It lets bradykinin build up in the airways."},
                {"text": format!("{distractor} {number}"), "isCorrect": false, "explanation": "It is not known to cause a cough."},
                {"text": format!("Amlodipine {number}"), "isCorrect": false, "explanation": "Its usual complaint is swollen ankles."},
                {"text": format!("Simvastatin {number}"), "isCorrect": false, "explanation": "Its usual complaint is aching muscles."},
            ],
            "answerKey": "A",
            "explanation": format!("A dry cough within weeks of a new tablet points to an ACE inhibitor in patient {number}."),
        });
        let _ = writeln!(bank, "{item}");
    }
    bank
}

/// A model that judges, repairs, verifies and solves as a good one would, and counts.
struct Server {
    address: String,
    calls: Arc<AtomicUsize>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counted = Arc::clone(&counted);
                std::thread::spawn(move || {
                    counted.fetch_add(1, Ordering::SeqCst);
                    answer(stream)
                });
            }
        });
        Self { address, calls }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn answer(stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    // A process that was killed breaks off before its question.
    let Ok(question) = serde_json::from_slice::<Value>(&body) else {
        return Ok(());
    };
    let words: Vec<&str> = question["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect();
    let said = reply(&words.join("\n"));
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 200}
    })
    .to_string();
    write!(
        reader.get_mut(),
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn reply(question: &str) -> String {
    let weak = question.find("Vitamin C ").map(|at| {
        let rest = &question[at + "Vitamin C ".len()..];
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        format!("Vitamin C {number}")
    });
    if question.contains("Judge the text in") {
        let id = question.split_once("text_id is ").unwrap().1;
        let id: String = id.chars().take_while(char::is_ascii_hexdigit).collect();
        return verdict(&id, weak.as_deref()).to_string();
    }
    if question.contains("Answer with a letter from A to") {
        let shown = question.split_once(". Ramipril").unwrap().0;
        let letter = shown.chars().next_back().unwrap();
        return json!({"reason": "An ACE inhibitor.", "answer": letter.to_string(), "confidence": "high"})
            .to_string();
    }
    if question.contains("You check whether a repair") {
        let ids = ["issue_1", "issue_2", "constraint_1"];
        let ids = ids.iter().filter(|id| question.contains(**id));
        let answers: Vec<Value> = ids
            .map(|id| json!({"id": id, "reason": "It does.", "answer": "yes"}))
            .collect();
        return json!({ "answers": answers }).to_string();
    }
    let weak = weak.unwrap();
    let better = weak.replace("Vitamin C", "Doxazosin");
    format!("<<<<<<< SEARCH\n{weak}\n=======\n{better}\n>>>>>>> REPLACE\n")
}

fn verdict(id: &str, weak: Option<&str>) -> Value {
    let (distractors, issues) = match weak {
        Some(weak) => (
            0.3,
            json!([{
                "criterion": "distractor_quality", "severity": "major", "location": "options",
                "quote": weak, "source": "",
                "description": "Nobody takes a vitamin for a drug against high blood pressure.",
                "suggested_fix": "Use another drug for blood pressure."
            }]),
        ),
        None => (0.9, json!([])),
    };
    json!({
        "text_id": id, "issues": issues, "strengths": ["A clear case."],
        "reasons": ["Sound.", "Clear.", "One filler.", "On its outcome.", "Application."],
        "scores": {"clinical_accuracy": 0.76, "pedagogical_alignment": 0.77,
            "distractor_quality": distractors, "slo_coverage": 0.76, "blooms_match": 0.75},
        "overall": 0.7, "confidence": "high"
    })
}

fn folder(server: &Server, distractor: &str) -> Folder {
    let folder = Folder::new("{}");
    folder.write("bank.jsonl", &bank(distractor));
    folder.write(
        "redraft.toml",
        &format!(
            "[providers.house]\nbase-url = \"{}/v1\"\n[roles.judge_secondary]\nprovider = \"house\"\nmodel = \"m\"\n[roles.refinement]\nprovider = \"house\"\nmodel = \"m\"\nedit-form = \"edits\"\n",
            server.address
        ),
    );
    folder
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command =
        folder.command(&[arguments, &["--config", "redraft.toml", "--quiet"]].concat());
    command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for a process to end well, and tells the most memory that it had.
fn end(mut child: Child) -> u64 {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let mut said = String::new();
            let mut errors = child.stderr.take().unwrap();
            let _ = errors.read_to_string(&mut said);
            assert_eq!(status.code(), Some(0), "{said}");
            return most;
        }
        let status = fs::read_to_string(&path).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().split(' ').next()?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        sleep(Duration::from_millis(5));
    }
}

/// The calls of the usual and of the worst case, where usual is what this server answers:
/// every item of a weak bank is edited once, and then good.
fn planned(folder: &Folder, goal: &str) -> (usize, usize) {
    let usual = "[decide.usual]\npanel = 0\npatch = 100\nexpand = 0\nverify = 100\nrejudge = 100\nconfirm = 0\n";
    fs::write(folder.path().join("usual.toml"), usual).unwrap();
    let output = folder.run(&[
        "plan",
        "bank.jsonl",
        "--goal",
        goal,
        "--config",
        "redraft.toml",
        "--policy",
        "usual.toml",
        "--format",
        "json",
    ]);
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    let plan: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| unreachable!("{shown}"));
    let documents = plan["documents"].as_array().map(Vec::len);
    assert_eq!(documents, Some(items()), "{shown}");
    let calls = |case: &str| {
        let calls = plan["total"][case]["calls"].as_u64().unwrap();
        usize::try_from(calls).unwrap()
    };
    (calls("typical"), calls("worst"))
}

fn is_as_planned(calls: usize, (typical, worst): (usize, usize), goal: &str) {
    println!("{goal}: {calls} calls, {typical} planned, {worst} at worst");
    assert!(calls <= worst, "{goal}: {calls} calls, {worst} at worst");
    let off = calls.abs_diff(typical);
    assert!(
        off * 10 <= typical,
        "{goal}: {calls} calls, {typical} planned"
    );
}

/// What a run left, without what differs from run to run.
fn results(folder: &Folder) -> (String, Vec<Value>) {
    let report: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("report.json")).unwrap())
            .unwrap();
    let documents = report["documents"].as_array().unwrap().iter();
    let told = documents.map(|one| {
        json!([
            one["path"],
            one["status"],
            one["score"]["overall"],
            one["content"],
            one["receipts"]
        ])
    });
    let bank = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    (bank, told.collect())
}

const REFINE: [&str; 8] = [
    "refine",
    "bank.jsonl",
    "-o",
    "out.jsonl",
    "--format",
    "json",
    "--report",
    "report.json",
];

#[test]
fn a_bank_costs_what_is_planned_and_survives_being_killed() {
    let server = Server::start();
    let whole = folder(&server, "Vitamin C");
    let plan = planned(&whole, "refine");
    let memory = end(start(&whole, &REFINE));
    is_as_planned(server.calls(), plan, "refine");
    let undisturbed = results(&whole);
    assert_eq!(undisturbed.0, bank("Doxazosin"));

    // Killed three times on the way, and continued.
    let server = Server::start();
    let killed = folder(&server, "Vitamin C");
    let go_on = [&REFINE[..], &["--continue"]].concat();
    for part in 1..=3 {
        let mut child = start(&killed, &go_on);
        while server.calls() < plan.0 * part / 4 && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let memory = memory.max(end(start(&killed, &go_on)));
    // What was answered is not paid for again; what was on its way is.
    let calls = server.calls();
    println!("killed: {calls} calls, {memory} kB");
    assert!(calls <= plan.1, "{calls} calls, {} at worst", plan.1);
    assert!(
        calls <= plan.0 + plan.0 / 10 + 3 * 8,
        "{calls} calls, {} planned",
        plan.0
    );
    assert_eq!(results(&killed), undisturbed);

    // The repaired bank is judged.
    let server = Server::start();
    let judged = folder(&server, "Doxazosin");
    let plan = planned(&judged, "judge");
    let of_judge = end(start(
        &judged,
        &["judge", "bank.jsonl", "--format", "jsonl"],
    ));
    is_as_planned(server.calls(), plan, "judge");
    let memory = memory.max(of_judge);
    println!("{} items: at most {memory} kB", items());
    assert!(memory < MOST_KILOBYTES, "{memory} kB");
}
