//! Records exchanges with models in a file and plays them back, for tests and demonstrations
//! without a model. Knows no protocol and no key; it only sees asks and their results.
//!
//! The file has one line per exchange, in the order of the replies. A reply is looked up by the
//! fingerprint of the ask:
//!
//! | recorded | result |
//! |---|---|
//! | the same fingerprint under the same ask id | its last reply |
//! | the same fingerprint under another id | the last reply that is not a failure, or else the last |
//! | another fingerprint under this id | a failure that shows what changed |
//! | neither | a failure that says so |

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redraft_run::ask::{
    Ask, AskId, CallFailure, FailureKind, Fingerprint, ModelSettings, Reply, Role,
};
use redraft_run::prompt::Prompt;
use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};
use thiserror::Error;

use super::Model;
use crate::clock::BoxFuture;

const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
struct Exchange {
    recording: u32,
    fingerprint: Fingerprint,
    ask: AskId,
    role: Role,
    model: ModelSettings,
    prompt_hash: String,
    prompt: Prompt,
    result: Result<Reply, CallFailure>,
}

/// Why a recording cannot be used.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// The file cannot be read or written.
    #[error("cannot open the recording {path}: {why}")]
    File { path: PathBuf, why: io::Error },
    /// The file to record to has another content.
    #[error(
        "{0} contains something other than a recording and was not overwritten; name another file"
    )]
    Foreign(PathBuf),
    /// A line is not an exchange. Lines count from 1.
    #[error("{path}:{line}: not a recorded exchange: {problem}")]
    Line {
        path: PathBuf,
        line: usize,
        problem: LineProblem,
    },
}

/// What is wrong with a line of a recording.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// Written by a later program.
    #[error("unknown version {0}")]
    Version(u32),
    /// Not JSON, or a field is missing.
    #[error(transparent)]
    Json(serde_json::Error),
}

/// Whether a file has a content that no recording begins with.
fn holds_something_else(path: &Path) -> bool {
    const BEGINNING: &[u8] = b"{\"recording\":";
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    let is_empty = file.metadata().is_ok_and(|file| file.len() == 0);
    let mut head = [0; BEGINNING.len()];
    !is_empty && (file.read_exact(&mut head).is_err() || head != BEGINNING)
}

/// A model whose exchanges are recorded, or that replies from a recording.
pub struct Recording {
    mode: Mode,
}

enum Mode {
    Record {
        inner: Arc<dyn Model>,
        writer: Arc<ExchangeWriter>,
    },
    Play(ExchangeIndex),
}

/// The file, and the first error in writing to it.
struct ExchangeWriter {
    file: Mutex<File>,
    error: Mutex<Option<Arc<io::Error>>>,
}

#[derive(Default)]
struct ExchangeIndex {
    list: Vec<Exchange>,
    by_question: HashMap<Fingerprint, Vec<usize>>,
    by_name: HashMap<(AskId, Role), Vec<usize>>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.mode {
            Mode::Record { .. } => f.write_str("Recording(record)"),
            Mode::Play(exchanges) => write!(f, "Recording(play {})", exchanges.list.len()),
        }
    }
}

impl Recording {
    /// Asks `inner` and appends every exchange to the file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn record(path: &Path, inner: Arc<dyn Model>) -> Result<Self, RecordingError> {
        if holds_something_else(path) {
            return Err(RecordingError::Foreign(path.to_owned()));
        }
        let opened = || -> io::Result<File> {
            let mut file = OpenOptions::new()
                .create(true)
                .read(true)
                .append(true)
                .open(path)?;
            // A line torn by a crash stays, and is terminated here.
            if file.seek(SeekFrom::End(0))? > 0 {
                file.seek(SeekFrom::End(-1))?;
                let mut last = [0];
                file.read_exact(&mut last)?;
                if last != [b'\n'] {
                    file.write_all(b"\n")?;
                }
            }
            Ok(file)
        };
        let file = opened().map_err(|why| RecordingError::File {
            path: path.to_owned(),
            why,
        })?;
        Ok(Self {
            mode: Mode::Record {
                inner,
                writer: Arc::new(ExchangeWriter {
                    file: Mutex::new(file),
                    error: Mutex::default(),
                }),
            },
        })
    }

    /// Replies from the file, without any other model. Lines torn by a crash are skipped.
    ///
    /// # Errors
    /// If the file cannot be read or is not a recording.
    pub fn play(path: &Path) -> Result<Self, RecordingError> {
        let text = std::fs::read_to_string(path).map_err(|why| RecordingError::File {
            path: path.to_owned(),
            why,
        })?;
        let mut exchanges = ExchangeIndex::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str::<Exchange>(line) {
                Ok(exchange) if exchange.recording == VERSION => exchanges.add(exchange),
                Ok(exchange) => {
                    return Err(RecordingError::Line {
                        path: path.to_owned(),
                        line: index + 1,
                        problem: LineProblem::Version(exchange.recording),
                    });
                }
                // A torn line ends too early; any other error means that it is not a recording.
                Err(error) if error.is_eof() => {}
                Err(error) => {
                    return Err(RecordingError::Line {
                        path: path.to_owned(),
                        line: index + 1,
                        problem: LineProblem::Json(error),
                    });
                }
            }
        }
        Ok(Self {
            mode: Mode::Play(exchanges),
        })
    }

    /// The recorded models of each role, in the order of their first ask; empty while
    /// recording.
    #[must_use]
    pub fn models(&self) -> BTreeMap<Role, Vec<ModelSettings>> {
        let mut models: BTreeMap<Role, Vec<ModelSettings>> = BTreeMap::new();
        if let Mode::Play(exchanges) = &self.mode {
            for exchange in &exchanges.list {
                let known = models.entry(exchange.role).or_default();
                if !known.contains(&exchange.model) {
                    known.push(exchange.model.clone());
                }
            }
        }
        models
    }

    /// The first error in writing the file. It does not fail the call, which was paid for.
    #[must_use]
    pub fn write_error(&self) -> Option<Arc<io::Error>> {
        match &self.mode {
            Mode::Record { writer, .. } => writer
                .error
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            Mode::Play(_) => None,
        }
    }
}

impl Model for Recording {
    fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
        match &self.mode {
            Mode::Record { inner, writer } => {
                let answer = inner.ask(ask);
                let (writer, ask) = (Arc::clone(writer), ask.clone());
                Box::pin(async move {
                    let result = answer.await;
                    writer.add(&Exchange {
                        recording: VERSION,
                        prompt_hash: hash(&ask.prompt),
                        fingerprint: ask.fingerprint,
                        ask: ask.id,
                        role: ask.role,
                        model: ask.model,
                        prompt: Arc::unwrap_or_clone(ask.prompt),
                        result: result.clone(),
                    });
                    result
                })
            }
            Mode::Play(exchanges) => {
                let result = exchanges.reply(ask);
                Box::pin(async move { result })
            }
        }
    }

    fn keep(&self, ask: &Ask, reply: &Reply) {
        if let Mode::Record { inner, .. } = &self.mode {
            inner.keep(ask, reply);
        }
    }
}

impl ExchangeWriter {
    fn failed(&self) -> bool {
        let error = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        error.is_some()
    }

    fn add(&self, exchange: &Exchange) {
        let written = serde_json::to_string(exchange)
            .map_err(io::Error::from)
            .and_then(|line| {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                // Start a new line after a torn one.
                let before = if self.failed() { "\n" } else { "" };
                file.write_all(format!("{before}{line}\n").as_bytes())
            });
        if let Err(error) = written {
            self.error
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert_with(|| Arc::new(error));
        }
    }
}

/// A prefix of the hash over the whole prompt.
fn hash(prompt: &Prompt) -> String {
    let whole = format!("{}\0{}", prompt.system, prompt.user);
    redraft_gate::span::Version::of(whole.as_bytes()).to_string()
}

impl ExchangeIndex {
    fn add(&mut self, exchange: Exchange) {
        let index = self.list.len();
        self.by_question
            .entry(exchange.fingerprint.clone())
            .or_default()
            .push(index);
        self.by_name
            .entry((exchange.ask.clone(), exchange.role))
            .or_default()
            .push(index);
        self.list.push(exchange);
    }

    fn at<'a>(
        &'a self,
        slots: Option<&'a Vec<usize>>,
    ) -> impl DoubleEndedIterator<Item = &'a Exchange> {
        slots
            .into_iter()
            .flatten()
            .filter_map(|index| self.list.get(*index))
    }

    fn reply(&self, ask: &Ask) -> Result<Reply, CallFailure> {
        let same = || self.at(self.by_question.get(&ask.fingerprint)).rev();
        let found = same()
            .find(|exchange| exchange.ask == ask.id)
            .or_else(|| same().find(|exchange| exchange.result.is_ok()))
            .or_else(|| same().next());
        if let Some(exchange) = found {
            return exchange.result.clone();
        }
        // Several texts may have been judged under this id. Compare with the most similar one.
        let closest = self
            .at(self.by_name.get(&(ask.id.clone(), ask.role)))
            .max_by_key(|exchange| common_bytes(&exchange.prompt, &ask.prompt));
        let message = match closest {
            None => format!(
                "{}: the recording has no reply to {}; record it again",
                ask.model.name(),
                ask.id
            ),
            Some(exchange) if exchange.prompt == *ask.prompt => format!(
                "{}: {} was recorded with other settings or another schema ({}, temperature {}, at most {} tokens; now {}, temperature {}, at most {} tokens); record it again",
                ask.model.name(),
                ask.id,
                exchange.model.name(),
                temperature(&exchange.model),
                exchange.model.max_tokens,
                ask.model.name(),
                temperature(&ask.model),
                ask.model.max_tokens
            ),
            Some(exchange) => format!(
                "{}: the prompt of {} differs from the recorded one; record it again, or undo this change:\n{}",
                ask.model.name(),
                ask.id,
                difference(&exchange.prompt, &ask.prompt)
            ),
        };
        Err(CallFailure {
            kind: FailureKind::Permanent,
            message,
            usage: None,
            context: None,
        })
    }
}

/// The temperature as in the configuration.
fn temperature(model: &ModelSettings) -> f64 {
    f64::from(model.temperature_hundredths) / 100.0
}

/// The number of bytes that two prompts share at the beginning and the end.
fn common_bytes(a: &Prompt, b: &Prompt) -> usize {
    let of = |a: &str, b: &str| {
        let same = |(x, y): &(u8, u8)| x == y;
        let front = a.bytes().zip(b.bytes()).take_while(same).count();
        let back = a
            .bytes()
            .rev()
            .zip(b.bytes().rev())
            .take_while(same)
            .count();
        front + back
    };
    of(&a.user, &b.user) + of(&a.system, &b.system)
}

/// The first lines that differ.
fn difference(recorded: &Prompt, present: &Prompt) -> String {
    const MOST_LINES: usize = 8;
    const LONGEST_LINE: usize = 160;
    let mut lines = Vec::new();
    for (old, new) in [
        (&recorded.system, &present.system),
        (&recorded.user, &present.user),
    ] {
        let diff = TextDiff::configure()
            .timeout(Duration::from_millis(500))
            .diff_lines(old.as_str(), new.as_str());
        for change in diff.iter_all_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => continue,
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let words: String = change
                .value()
                .trim_end()
                .chars()
                .take(LONGEST_LINE)
                .collect();
            lines.push(format!("{sign} {words}"));
        }
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    if more > 0 {
        lines.push(format!("… and {more} more lines"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::{Finish, PreparedPrompt, Tokens, Usage};

    use super::*;
    use crate::model::fixtures;

    struct Parrot;

    impl Model for Parrot {
        fn ask(&self, ask: &Ask) -> BoxFuture<Result<Reply, CallFailure>> {
            let reply = Reply {
                text: format!("answer to {} of {}", ask.prompt.user, ask.id),
                finish: Finish::Stop,
                usage: Usage {
                    tokens: Tokens::default(),
                    estimated: false,
                },
                took: 1,
                reused: false,
            };
            Box::pin(async { Ok(reply) })
        }
    }

    fn ask(id: &str, user: &str, max_tokens: u32) -> Ask {
        let prompt = Prompt {
            system: "You judge.\nBe fair.".to_owned(),
            user: user.to_owned(),
        };
        let model = ModelSettings {
            temperature_hundredths: 50,
            max_tokens,
            ..fixtures::model()
        };
        let prepared = PreparedPrompt::new(Arc::new(prompt), None);
        Ask {
            id: AskId(id.to_owned()),
            fingerprint: prepared.fingerprint(Role::JudgePrimary, &model),
            model,
            prompt: prepared.prompt,
            ..fixtures::ask("", "")
        }
    }

    fn reply(model: &Recording, ask: &Ask) -> Result<String, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let result = runtime.block_on(model.ask(ask));
        result
            .map(|reply| reply.text)
            .map_err(|failure| failure.message)
    }

    #[test]
    fn recorded_replies_are_played_back_and_changed_prompts_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        let record = Recording::record(&path, Arc::new(Parrot)).unwrap();
        reply(&record, &ask("a", "one\ntwo\nthree", 9)).unwrap();
        reply(&record, &ask("a", "quite another text", 9)).unwrap();
        assert!(record.write_error().is_none());
        // A crash tears the last line, and recording continues.
        OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(b"{\"recording\":1,\"finger"))
            .unwrap();
        let again = Recording::record(&path, Arc::new(Parrot)).unwrap();
        reply(&again, &ask("b", "more", 9)).unwrap();

        let play = Recording::play(&path).unwrap();
        assert_eq!(
            reply(&play, &ask("a", "one\ntwo\nthree", 9)).unwrap(),
            "answer to one\ntwo\nthree of a"
        );
        assert_eq!(
            reply(&play, &ask("z", "more", 9)).unwrap(),
            "answer to more of b"
        );
        let changed = reply(&play, &ask("a", "one\n2\nthree", 9)).unwrap_err();
        assert!(
            changed.contains("the prompt of a differs from the recorded one"),
            "{changed}"
        );
        assert!(changed.ends_with("- two\n+ 2"), "{changed}");
        let other = reply(&play, &ask("b", "more", 10)).unwrap_err();
        for words in [
            "other settings",
            "(p/m, temperature 0.5, at most 9 tokens;",
            "at most 10 tokens)",
        ] {
            assert!(other.contains(words), "{other}");
        }
        let none = reply(&play, &ask("c", "what?", 9)).unwrap_err();
        assert!(none.contains("no reply to c"), "{none}");
    }

    #[test]
    fn an_invalid_line_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        std::fs::write(&path, "\n{\"a\": 1}\n").unwrap();
        let error = Recording::play(&path).unwrap_err().to_string();
        assert!(
            error.contains("calls.jsonl:2: not a recorded exchange"),
            "{error}"
        );
        assert!(Recording::play(&folder.path().join("none")).is_err());
    }
}
