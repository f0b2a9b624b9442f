//! Exchanges with models in a file, to be played back in later runs: tests and
//! demonstrations that ask nobody. It knows no protocol and no key; what it sees
//! of a call is the ask and what came of it.
//!
//! The file has a line for each exchange, in the order in which answers came. An
//! answer is looked up by the fingerprint of the ask:
//!
//! | recorded | then |
//! |---|---|
//! | the same question under the same name | its last answer |
//! | the same question under another name | the last answer that is none of a failure, else the last |
//! | another question under this name | a failure that shows what changed |
//! | nothing like it | a failure that says so |

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
use crate::clock::Boxed;

/// The version of the format.
const VERSION: u32 = 1;

/// One exchange.
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
    #[error("the recording {path} cannot be opened: {why}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// A line is no exchange.
    #[error("line {line} of the recording {path} is no exchange: {why}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// Why.
        why: String,
    },
}

/// A model whose exchanges are recorded, or that answers from a recording.
pub struct Recording {
    mode: Mode,
}

enum Mode {
    Record {
        inner: Arc<dyn Model>,
        tape: Arc<Tape>,
    },
    Play(Archive),
}

/// A file that is written to, and the first thing that went wrong with it.
struct Tape {
    file: Mutex<File>,
    trouble: Mutex<Option<String>>,
}

#[derive(Default)]
struct Archive {
    exchanges: Vec<Exchange>,
    by_question: HashMap<Fingerprint, Vec<usize>>,
    by_name: HashMap<(AskId, Role), Vec<usize>>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.mode {
            Mode::Record { .. } => f.write_str("Recording(record)"),
            Mode::Play(archive) => write!(f, "Recording(play {})", archive.exchanges.len()),
        }
    }
}

impl Recording {
    /// Asks `inner`, and adds every exchange to the file.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn record(path: &Path, inner: Arc<dyn Model>) -> Result<Self, RecordingError> {
        let opened = || -> io::Result<File> {
            let mut file = OpenOptions::new()
                .create(true)
                .read(true)
                .append(true)
                .open(path)?;
            // A line that a crash tore is left behind, and ends here.
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
                tape: Arc::new(Tape {
                    file: Mutex::new(file),
                    trouble: Mutex::default(),
                }),
            },
        })
    }

    /// Answers from the file and asks nobody.
    ///
    /// # Errors
    /// When it cannot be read, or holds something else. A torn last line is left
    /// out.
    pub fn play(path: &Path) -> Result<Self, RecordingError> {
        let text = std::fs::read_to_string(path).map_err(|why| RecordingError::File {
            path: path.to_owned(),
            why,
        })?;
        let mut archive = Archive::default();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str::<Exchange>(line) {
                Ok(exchange) if exchange.recording == VERSION => archive.add(exchange),
                Ok(exchange) => {
                    return Err(RecordingError::Line {
                        path: path.to_owned(),
                        line: index + 1,
                        why: format!("it is of version {}", exchange.recording),
                    });
                }
                // What a crash tore breaks off; what never was one does not.
                Err(error) if error.is_eof() => {}
                Err(error) => {
                    return Err(RecordingError::Line {
                        path: path.to_owned(),
                        line: index + 1,
                        why: error.to_string(),
                    });
                }
            }
        }
        Ok(Self {
            mode: Mode::Play(archive),
        })
    }

    /// The models that were asked in each role, in the order in which they were
    /// asked first; none where it records.
    #[must_use]
    pub fn models(&self) -> BTreeMap<Role, Vec<ModelSettings>> {
        let mut models: BTreeMap<Role, Vec<ModelSettings>> = BTreeMap::new();
        if let Mode::Play(archive) = &self.mode {
            for exchange in &archive.exchanges {
                let known = models.entry(exchange.role).or_default();
                if !known.contains(&exchange.model) {
                    known.push(exchange.model.clone());
                }
            }
        }
        models
    }

    /// What went wrong with writing, if anything: a call that was paid for is not
    /// failed over it.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        match &self.mode {
            Mode::Record { tape, .. } => tape
                .trouble
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            Mode::Play(_) => None,
        }
    }
}

impl Model for Recording {
    fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>> {
        match &self.mode {
            Mode::Record { inner, tape } => {
                let answer = inner.ask(ask);
                let (tape, ask) = (Arc::clone(tape), ask.clone());
                Box::pin(async move {
                    let result = answer.await;
                    tape.add(&Exchange {
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
            Mode::Play(archive) => {
                let result = archive.answer(ask);
                Box::pin(async move { result })
            }
        }
    }
}

impl Tape {
    fn has_trouble(&self) -> bool {
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.is_some()
    }

    fn add(&self, exchange: &Exchange) {
        let written = serde_json::to_string(exchange)
            .map_err(io::Error::from)
            .and_then(|line| {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                // Behind a line that was torn a new one begins.
                let before = if self.has_trouble() { "\n" } else { "" };
                file.write_all(format!("{before}{line}\n").as_bytes())
            });
        if let Err(error) = written {
            self.trouble
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert_with(|| error.to_string());
        }
    }
}

/// Over both parts of a prompt, as the beginning of a hash.
fn hash(prompt: &Prompt) -> String {
    let whole = format!("{}\0{}", prompt.system, prompt.user);
    redraft_gate::span::Version::of(whole.as_bytes()).to_string()
}

impl Archive {
    fn add(&mut self, exchange: Exchange) {
        let index = self.exchanges.len();
        self.by_question
            .entry(exchange.fingerprint.clone())
            .or_default()
            .push(index);
        self.by_name
            .entry((exchange.ask.clone(), exchange.role))
            .or_default()
            .push(index);
        self.exchanges.push(exchange);
    }

    fn at<'a>(
        &'a self,
        places: Option<&'a Vec<usize>>,
    ) -> impl DoubleEndedIterator<Item = &'a Exchange> {
        places
            .into_iter()
            .flatten()
            .filter_map(|index| self.exchanges.get(*index))
    }

    fn answer(&self, ask: &Ask) -> Result<Reply, CallFailure> {
        let same = || self.at(self.by_question.get(&ask.fingerprint)).rev();
        let found = same()
            .find(|exchange| exchange.ask == ask.id)
            .or_else(|| same().find(|exchange| exchange.result.is_ok()))
            .or_else(|| same().next());
        if let Some(exchange) = found {
            return exchange.result.clone();
        }
        // Several texts may have been judged under this name: the one that is most
        // like it is the one that was meant.
        let meant = self
            .at(self.by_name.get(&(ask.id.clone(), ask.role)))
            .max_by_key(|exchange| likeness(&exchange.prompt, &ask.prompt));
        let message = match meant {
            None => format!(
                "{}: the recording has no answer to {}; record it again",
                ask.model.name(),
                ask.id
            ),
            Some(exchange) if exchange.prompt == *ask.prompt => format!(
                "{}: the recording answers {} for other settings or another schema ({}, temperature {}, at most {} tokens) than these ({}, temperature {}, at most {} tokens); record it again",
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
                "{}: the prompt of {} is not the recorded one; record it again, or undo this:\n{}",
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

/// A temperature as the configuration writes it.
fn temperature(model: &ModelSettings) -> f64 {
    f64::from(model.temperature_hundredths) / 100.0
}

/// How many bytes two prompts have in common at their edges.
fn likeness(a: &Prompt, b: &Prompt) -> usize {
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

/// The lines that differ, the first few of them.
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
        lines.push(format!("… and {more} lines more"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use redraft_run::ask::{Finish, Tokens, Usage, Worded};

    use super::*;
    use crate::model::fixtures;

    struct Parrot;

    impl Model for Parrot {
        fn ask(&self, ask: &Ask) -> Boxed<Result<Reply, CallFailure>> {
            let reply = Reply {
                text: format!("answer to {} of {}", ask.prompt.user, ask.id),
                finish: Finish::Stop,
                usage: Usage {
                    tokens: Tokens::default(),
                    estimated: false,
                },
                took: 1,
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
        let worded = Worded::new(Arc::new(prompt), None);
        Ask {
            id: AskId(id.to_owned()),
            fingerprint: worded.fingerprint(Role::JudgePrimary, &model),
            model,
            prompt: worded.prompt,
            ..fixtures::ask("", "")
        }
    }

    fn of(model: &Recording, ask: &Ask) -> Result<String, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let result = runtime.block_on(model.ask(ask));
        result
            .map(|reply| reply.text)
            .map_err(|failure| failure.message)
    }

    #[test]
    fn what_was_recorded_is_played_and_what_changed_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        let record = Recording::record(&path, Arc::new(Parrot)).unwrap();
        of(&record, &ask("a", "one\ntwo\nthree", 9)).unwrap();
        of(&record, &ask("a", "quite another text", 9)).unwrap();
        assert_eq!(record.trouble(), None);
        // A crash tears the last line, and recording goes on.
        OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(b"{\"recording\":1,\"finger"))
            .unwrap();
        let again = Recording::record(&path, Arc::new(Parrot)).unwrap();
        of(&again, &ask("b", "more", 9)).unwrap();

        let play = Recording::play(&path).unwrap();
        assert_eq!(
            of(&play, &ask("a", "one\ntwo\nthree", 9)).unwrap(),
            "answer to one\ntwo\nthree of a"
        );
        assert_eq!(
            of(&play, &ask("z", "more", 9)).unwrap(),
            "answer to more of b"
        );
        let changed = of(&play, &ask("a", "one\n2\nthree", 9)).unwrap_err();
        assert!(
            changed.contains("the prompt of a is not the recorded one"),
            "{changed}"
        );
        assert!(changed.ends_with("- two\n+ 2"), "{changed}");
        let other = of(&play, &ask("b", "more", 10)).unwrap_err();
        for words in [
            "other settings",
            "(p/m, temperature 0.5, at most 9 tokens)",
            "at most 10 tokens)",
        ] {
            assert!(other.contains(words), "{other}");
        }
        let none = of(&play, &ask("c", "what?", 9)).unwrap_err();
        assert!(none.contains("no answer to c"), "{none}");
    }

    #[test]
    fn another_file_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        std::fs::write(&path, "\n{\"a\": 1}\n").unwrap();
        let error = Recording::play(&path).unwrap_err().to_string();
        assert!(error.starts_with("line 2 of the recording"), "{error}");
        assert!(Recording::play(&folder.path().join("none")).is_err());
    }
}
