//! `kill -9` at random moments: the outcome is that of an undisturbed run, no answer that
//! was recorded is asked for again (counted at the server), no file is torn, and what was
//! left behind is removed by the next run.
//!
//! The models are a server on this machine. It answers what a script answered to the same
//! words before, at the same number of tokens, and marks each answer by how many of them
//! came from a cache, so that a journal shows which requests it holds. `REDRAFT_KILLS` is the number of kills (`cargo xtask acceptance
//! kills`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::temp_folder::{CHATTY, KEY, TempFolder, repository};

/// A command that is killed.
struct Scenario {
    name: &'static str,
    files: Vec<(String, String)>,
    arguments: Vec<&'static str>,
    /// The replies of its models.
    script: Option<String>,
    /// The files that it writes.
    written: Vec<&'static str>,
}

fn example(name: &str) -> String {
    fs::read_to_string(repository(&format!("examples/{name}"))).unwrap()
}

fn scenarios() -> Vec<Scenario> {
    let kettle = || ("lesson.md".to_owned(), example("refine-kettle/lesson.md"));
    let replies = || Some(example("refine-kettle/replies.toml"));
    let item = |number: usize| {
        let item = example("refine-item.json").replace('\n', " ");
        item.replace("58-year-old", &format!("{}-year-old", 40 + number))
    };
    let bank = || {
        (
            "bank.jsonl".to_owned(),
            format!("{}\n{}\n{}\n", item(1), item(2), item(3)),
        )
    };
    // The script has no replies of a model that solves the items.
    let unsolved = || {
        let policy = "[decide]\nsolve = false\n";
        ("unsolved.toml".to_owned(), policy.to_owned())
    };
    let items = || Some(example("refine-item-replies.toml"));
    let folder = |text: &dyn Fn(&str) -> String| {
        let name = |letter: &str| format!("all/{letter}.md");
        ["a", "b", "c"]
            .map(|letter| (name(letter), text(letter)))
            .to_vec()
    };
    let scenario =
        |name, files, arguments: &[&'static str], script, written: &[&'static str]| Scenario {
            name,
            files,
            arguments: arguments.to_vec(),
            script,
            written: written.to_vec(),
        };
    vec![
        scenario(
            "check --fix of a folder",
            folder(&|letter| CHATTY.replace("Steam", letter)),
            &["check", "--fix", "all"],
            None,
            &["all/a.md", "all/b.md", "all/c.md"],
        ),
        scenario(
            "judge",
            vec![kettle()],
            &["judge", "lesson.md"],
            replies(),
            &[],
        ),
        scenario(
            "refine -o",
            vec![kettle()],
            &["refine", "lesson.md", "-o", "out.md"],
            replies(),
            &["out.md"],
        ),
        scenario(
            "refine --write",
            vec![kettle()],
            &["refine", "lesson.md", "--write"],
            replies(),
            &["lesson.md"],
        ),
        scenario(
            "write",
            vec![("spec.json".to_owned(), example("lesson-specification.json"))],
            &["write", "--spec", "spec.json", "-o", "lever.md"],
            Some(example("write-replies.toml")),
            &["lever.md"],
        ),
        scenario(
            "judge a bank",
            vec![bank()],
            &["judge", "bank.jsonl"],
            items(),
            &[],
        ),
        scenario(
            "refine a bank --write",
            vec![bank(), unsolved()],
            &[
                "refine",
                "bank.jsonl",
                "--write",
                "--policy",
                "unsolved.toml",
            ],
            items(),
            &["bank.jsonl"],
        ),
        scenario(
            "refine a folder --write",
            folder(&|letter| {
                let lesson = example("refine-kettle/lesson.md");
                format!("{lesson}\nThis was page {letter} of the book.\n")
            }),
            &["refine", "all", "--write"],
            replies(),
            &["all/a.md", "all/b.md", "all/c.md"],
        ),
    ]
}

/// What a model says, and the tokens it takes.
#[derive(Clone)]
struct Reply {
    text: String,
    tokens: Value,
}

/// What the server knows and has seen.
#[derive(Default)]
struct Seen {
    /// The answers, by what was asked: see [`asked_of`].
    answers: BTreeMap<String, Reply>,
    /// What every answered request asked, by number.
    answered: Vec<String>,
    /// How often each thing is still to be asked: as often as without a kill (documents
    /// may share a section), less the answers that the journals hold.
    open: BTreeMap<String, usize>,
    repeated: Vec<String>,
    unknown: Vec<String>,
    /// How many connections are being answered.
    busy: usize,
}

/// Judges are asked with the same words, so that the role belongs to what is asked.
fn asked_of(role: &str, words: &str) -> String {
    format!("{role}: {words}")
}

fn serve(seen: &Arc<Mutex<Seen>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Arc::clone(seen);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&seen);
            seen.lock().unwrap().busy += 1;
            std::thread::spawn(move || {
                // Who asked may be dead by now.
                let _ = answer(stream, &seen);
                seen.lock().unwrap().busy -= 1;
            });
        }
    });
    address
}

/// Waits until the server is done with what a killed program asked: connections are taken in
/// their order, so that after one of ours nothing older is left.
fn settle(address: SocketAddr, seen: &Mutex<Seen>) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let _ = stream.read_to_end(&mut Vec::new());
    while seen.lock().unwrap().busy > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn answer(stream: TcpStream, seen: &Mutex<Seen>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked: Value = serde_json::from_slice(&body)?;
    let words = asked["messages"]
        .as_array()
        .and_then(|messages| messages.last()?["content"].as_str())
        .unwrap_or_default();
    let words = asked_of(asked["model"].as_str().unwrap_or_default(), words);
    std::thread::sleep(Duration::from_millis(2));
    let (status, reply) = {
        let mut seen = seen.lock().unwrap();
        match seen.open.get_mut(&words) {
            Some(left @ 1..) => *left -= 1,
            _ => seen.repeated.push(words.clone()),
        }
        match seen.answers.get(&words).cloned() {
            Some(Reply { text, tokens }) => {
                seen.answered.push(words);
                let marked = json!({"cached_tokens": seen.answered.len()});
                let choice = json!({"message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
                let usage = json!({"prompt_tokens": tokens["input"], "completion_tokens": tokens["output"], "prompt_tokens_details": marked});
                (
                    200,
                    json!({"choices": [choice], "usage": usage}).to_string(),
                )
            }
            None => {
                seen.unknown.push(words);
                (400, json!({"error": {"message": "unknown"}}).to_string())
            }
        }
    };
    write!(
        reader.get_mut(),
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{reply}",
        reply.len()
    )
}

/// The numbers of the requests whose answers the journals of a folder hold: what the last
/// seal covers.
fn recorded(folder: &TempFolder) -> Vec<usize> {
    let entries = fs::read_dir(folder.path(".redraft/runs"))
        .into_iter()
        .flatten()
        .flatten();
    let journals = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file());
    let mut numbers = Vec::new();
    for text in journals.filter_map(|path| fs::read_to_string(path).ok()) {
        let sealed = text.rfind("{\"seal\":").unwrap_or(0);
        for line in text[..sealed].lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            let usage = &line["input"]["reply"]["result"]["Ok"]["usage"];
            let mark = usage["tokens"]["cached_input"].as_u64();
            let mark = mark.and_then(|mark| usize::try_from(mark).ok());
            numbers.extend(mark.and_then(|mark| mark.checked_sub(1)));
        }
    }
    numbers
}

fn files_of(scenario: &Scenario, more: &[(&str, &str)]) -> TempFolder {
    let own = scenario.files.iter();
    let own = own.map(|(name, text)| (name.as_str(), text.as_str()));
    let files: Vec<(&str, &str)> = own.chain(more.iter().copied()).collect();
    TempFolder::new(&files)
}

fn command(folder: &TempFolder, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("redraft"));
    command
        .current_dir(folder.path("."))
        .env("REDRAFT_KEY", KEY)
        .env("REDRAFT_NO_PROBE", "1")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The answers of a script to everything that is asked in a scenario.
fn answers(scenario: &Scenario, script: &str) -> BTreeMap<String, Reply> {
    let folder = files_of(scenario, &[("replies.toml", script)]);
    let more = ["--script", "replies.toml", "--record", "made.jsonl"];
    let arguments = [&scenario.arguments[..], &more].concat();
    command(&folder, &arguments).status().unwrap();
    let exchange = |line: &str| {
        let made: Value = serde_json::from_str(line).unwrap();
        let words = asked_of(made["role"].as_str()?, made["prompt"]["user"].as_str()?);
        let said = &made["result"]["Ok"];
        let reply = Reply {
            text: said["text"].as_str()?.to_owned(),
            tokens: said["usage"]["tokens"].clone(),
        };
        Some((words, reply))
    };
    folder
        .read("made.jsonl")
        .lines()
        .filter_map(exchange)
        .collect()
}

fn configuration(script: &str, address: &str) -> String {
    let named = script
        .lines()
        .filter_map(|line| line.strip_prefix("role = "));
    let roles: BTreeSet<&str> = named.map(|role| role.trim_matches('"')).collect();
    let mut config = format!("[providers.house]\nbase-url = \"{address}\"\n");
    for role in roles {
        let form = if role == "patcher" {
            "edit-form = \"edits\"\n"
        } else {
            ""
        };
        config += &format!("[roles.{role}]\nprovider = \"house\"\nmodel = \"{role}\"\n{form}");
    }
    config
}

fn temporaries(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            temporaries(&entry.path(), found);
        } else if name.ends_with(".tmp") {
            found.push(name);
        }
    }
}

/// Numbers without a pattern, the same in every test.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// What a run leaves: its exit code and the files it wrote.
fn left(
    folder: &TempFolder,
    scenario: &Scenario,
    code: Option<i32>,
) -> (Option<i32>, Vec<Option<String>>) {
    let read = |name: &&str| fs::read_to_string(folder.path(name)).ok();
    (code, scenario.written.iter().map(read).collect())
}

fn survive(scenario: &Scenario, kills: usize, dice: &mut Dice) {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let address = serve(&seen);
    let mut config = String::new();
    if let Some(script) = &scenario.script {
        seen.lock().unwrap().answers = answers(scenario, script);
        config = configuration(script, &format!("http://{address}/v1"));
    }
    let place = || files_of(scenario, &[("redraft.toml", &config)]);
    let has_models = scenario.script.is_some();
    let arguments = |more: &[&'static str]| {
        let more = if has_models { more } else { &[] };
        [&scenario.arguments[..], more].concat()
    };
    let undisturbed = place();
    let status = command(&undisturbed, &arguments(&["--config", "redraft.toml"]))
        .status()
        .unwrap();
    let expected = left(&undisturbed, scenario, status.code());
    let unknown = seen.lock().unwrap().unknown.clone();
    assert!(
        unknown.is_empty(),
        "{}: {:?}",
        scenario.name,
        unknown.first()
    );
    let mut asked = BTreeMap::<String, usize>::new();
    {
        let mut seen = seen.lock().unwrap();
        for words in std::mem::take(&mut seen.answered) {
            *asked.entry(words).or_default() += 1;
        }
        seen.open = asked.clone();
        seen.repeated.clear();
    }
    let original = left(&place(), scenario, None).1;
    let mut done = 0;
    while done < kills {
        let folder = place();
        let mut again: &[&str] = &["--config", "redraft.toml"];
        // A run that ends before it is killed is looked at, and the next begins.
        let code = loop {
            let mut child = command(&folder, &arguments(again)).spawn().unwrap();
            if done < kills {
                std::thread::sleep(Duration::from_millis(dice.below(160)));
                if child.try_wait().unwrap().is_none() {
                    child.kill().unwrap();
                    done += 1;
                }
            }
            let status = child.wait().unwrap();
            settle(address, &seen);
            let now = left(&folder, scenario, None).1;
            for ((now, before), after) in now.iter().zip(&original).zip(&expected.1) {
                assert!(
                    now == before || now == after,
                    "{}: torn: {now:?}",
                    scenario.name
                );
            }
            let mut seen = seen.lock().unwrap();
            seen.open = asked.clone();
            for number in recorded(&folder) {
                let words = seen.answered[number].clone();
                *seen.open.get_mut(&words).unwrap() -= 1;
            }
            if let Some(code) = status.code() {
                break Some(code);
            }
            again = &["--config", "redraft.toml", "--continue"];
        };
        assert_eq!(left(&folder, scenario, code), expected, "{}", scenario.name);
        let mut rest = Vec::new();
        temporaries(&folder.path("."), &mut rest);
        assert!(rest.is_empty(), "{}: {rest:?}", scenario.name);
        let mut seen = seen.lock().unwrap();
        assert!(
            seen.repeated.is_empty(),
            "{}: {:?}",
            scenario.name,
            seen.repeated.first()
        );
        seen.answered.clear();
        seen.open = asked.clone();
    }
}

#[test]
fn nothing_is_lost_paid_twice_or_torn_by_kills() {
    let all = std::env::var("REDRAFT_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok());
    let scenarios = scenarios();
    let each = all.unwrap_or(2 * scenarios.len()).div_ceil(scenarios.len());
    let mut dice = Dice(9);
    for scenario in &scenarios {
        survive(scenario, each, &mut dice);
    }
}
