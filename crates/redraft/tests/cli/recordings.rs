//! `--record` and `--play` as a user meets them: with a server on this machine that
//! is asked once, and never again.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::seeds::LESSONS;
use crate::temp_folder::repository;

/// Prices, limits and a fall-back, as people have them.
fn configuration(address: &str) -> String {
    format!(
        "[providers.house]\nbase-url = \"http://{address}/v1\"\nkey-env = \"HOUSE_KEY\"\n\
         [providers.other]\nbase-url = \"https://models.example.org/v1\"\nkey-env = \"OTHER_KEY\"\n\
         [roles.default]\nprovider = \"house\"\nmodel = \"m1\"\nprice-in = 1\nprice-out = 2\n\
         [roles.writing]\nprovider = \"other\"\nmodel = \"m2\"\nprice-in = 1\nprice-out = 2\n\
         [limits]\ncost-per-run = 0.50\ncost-per-process = 5\n"
    )
}

fn script() -> String {
    let mut text = "[[reply]]\nconfidence = \"high\"\n[reply.scores]\n".to_owned();
    for name in LESSONS {
        text.push_str(&format!("{name} = 0.95\n"));
    }
    text
}

/// Answers every call with this text.
fn serve(listener: TcpListener, text: &str) {
    let answer = json!({
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 300},
    })
    .to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            read(&mut stream);
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let length = answer.len();
            let _ = write!(stream, "{head}content-length: {length}\r\n\r\n{answer}");
        }
    });
}

/// Reads a whole call, so that the line is not cut while it is still being sent.
fn read(stream: &mut TcpStream) {
    let mut seen = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let length = stream.read(&mut piece).unwrap();
        seen.extend_from_slice(&piece[..length]);
        let text = String::from_utf8_lossy(&seen).to_lowercase();
        let whole = text.find("\r\n\r\n").is_some_and(|head| {
            let (_, rest) = text.split_once("content-length:").unwrap();
            let body: usize = rest.lines().next().unwrap().trim().parse().unwrap();
            seen.len() >= head + 4 + body
        });
        if whole || length == 0 {
            return;
        }
    }
}

/// The verdict that the script's judge gives on the lesson.
fn verdict(folder: &Folder) -> String {
    folder.write("good.toml", &script());
    let arguments = ["judge", "lesson.md", "--script", "good.toml"];
    folder.judged(&[&arguments[..], &["--record", "made.jsonl"]].concat(), 0);
    let made = fs::read_to_string(folder.path().join("made.jsonl")).unwrap();
    let exchange: Value = serde_json::from_str(made.lines().next().unwrap()).unwrap();
    exchange["result"]["Ok"]["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_recording_is_played_without_the_keys_of_those_who_answered() {
    let folder = Folder::new("{}");
    let verdict = verdict(&folder);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    folder.write("redraft.toml", &configuration(&address));
    serve(listener, &verdict);
    for command in ["judge", "refine"] {
        let recording = format!("{command}.jsonl");
        let config = ["--config", "redraft.toml"];
        let arguments = [&[command, "lesson.md", "--format", "json"][..], &config].concat();
        let record = [&arguments[..], &["--record", &recording]].concat();
        let recorded = folder
            .command(&record)
            .env("HOUSE_KEY", "canary")
            .env_remove("OTHER_KEY")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&recorded.stderr);
        assert_eq!(recorded.status.code(), Some(0), "{stderr}");
        let play = [&arguments[..], &["--play", &recording]].concat();
        let played = folder
            .command(&play)
            .env_remove("HOUSE_KEY")
            .env_remove("OTHER_KEY")
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&played.stderr);
        assert_eq!(played.status.code(), Some(0), "{command}: {stderr}");
        let [before, after] = [recorded, played].map(|output| {
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            report["documents"][0].clone()
        });
        for key in ["status", "score", "spent"] {
            assert_eq!(before[key], after[key], "{command}: {key}");
        }
        assert_eq!(after["status"], "accepted");
    }
    // Who asks needs the key as before.
    let asked = folder
        .command(&["judge", "lesson.md"])
        .env_remove("HOUSE_KEY")
        .output()
        .unwrap();
    assert_eq!(asked.status.code(), Some(2));
}

#[test]
fn without_roles_in_a_file_a_recording_brings_its_own_models() {
    let folder = Folder::new("{}");
    verdict(&folder);
    // A key that happens to lie around finds models that nobody recorded.
    let played = folder
        .command(&["judge", "lesson.md", "--play", "made.jsonl"])
        .env("OPENAI_API_KEY", "canary")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&played.stderr);
    assert_eq!(played.status.code(), Some(0), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_cannot_be_written_is_told_of_at_the_end() {
    let folder = Folder::new("{}");
    folder.write("good.toml", &script());
    for command in ["judge", "refine"] {
        let arguments = [command, "lesson.md", "--script", "good.toml"];
        let output = folder.run(&[&arguments[..], &["--record", "/dev/full"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        for words in [
            "/dev/full: the recording is incomplete",
            "No space left",
            "results are valid",
        ] {
            assert!(stderr.contains(words), "{command}: {stderr}");
        }
        assert_eq!(stderr.matches("recording").count(), 1, "{stderr}");
    }
}

#[test]
fn what_was_written_is_recorded_and_played_too() {
    let folder = Folder::new("{}");
    let example = |name: &str| {
        repository(&format!("examples/{name}"))
            .display()
            .to_string()
    };
    let arguments = ["write", "--spec", &example("lesson-specification.json")];
    let script = example("write-replies.toml");
    let told = [
        "--script",
        &script,
        "--record",
        "written.jsonl",
        "-o",
        "a.md",
    ];
    let recorded = folder.run(&[&arguments[..], &told].concat());
    let played = folder.run(&[&arguments[..], &["--play", "written.jsonl", "-o", "b.md"]].concat());
    assert_eq!(recorded.status.code(), played.status.code());
    let [a, b] = ["a.md", "b.md"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert_eq!(a, b);
    #[cfg(target_os = "linux")]
    {
        let told = ["--script", &script, "--record", "/dev/full", "-o", "c.md"];
        let full = folder.run(&[&arguments[..], &told].concat());
        let stderr = String::from_utf8_lossy(&full.stderr);
        assert!(
            stderr.contains("/dev/full: the recording is incomplete"),
            "{stderr}"
        );
    }
}
