//! The journal of a run: one file of JSON lines. It is the only storage of the run apart from the
//! [blobs](crate::blobs) that its header names.
//!
//! The first line is the header: version, run, program, hashes, and everything needed to set up the
//! run again. Inputs and events follow in order, and the outcome is last. An input is written as
//! soon as it arrives, so a killed process loses nothing. It is flushed to disk before anything
//! acts on it, so a machine that stops loses nothing that matters. A line torn by a crash is cut
//! off when the journal is opened again. A journal of another version is rejected, because its
//! replies were recorded under different rules.
//!
//! A journal is sealed with its user's key (ruling 68): every write ends with an authentication
//! code over all lines so far. Only a journal with valid seals is resumed. A foreign one can be
//! read, replayed and [adopted](adopt).
//!
//! | version | what changed |
//! |---|---|
//! | 2 | the header names companions by hash |
//! | 3 | verdicts are read strictly and must be credible; budgets follow from the prompts |

mod reading;

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redraft_run::ask::{AskId, CallFailure, Fingerprint, Reply, Time};
use redraft_run::event::Event;
use redraft_run::outcome::Outcome;
use redraft_run::run::Decision;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::Semaphore;

use crate::blobs;
use crate::verdicts::{RunningCode, UserKey};
use reading::{Parsed, parse};

/// The version that is written and read.
pub const VERSION: u32 = 3;

/// The first line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub journal: u32,
    pub run: String,
    /// Name and version of the program.
    pub program: String,
    pub started: Time,
    pub hashes: Hashes,
    /// Everything that sets the run up again. The engine does not interpret it.
    pub setup: serde_json::Value,
}

/// Prefixes of the hashes of everything that a run depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashes {
    /// Policy, rubric, seats and settings.
    pub configuration: String,
    /// The templates of the prompts.
    pub prompts: String,
    /// The text.
    pub input: String,
}

/// An input of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    pub at: Time,
    #[serde(flatten)]
    pub what: InputKind,
}

/// The kinds of input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// A model replied, or the call failed.
    Reply {
        ask: AskId,
        fingerprint: Fingerprint,
        result: Result<Reply, CallFailure>,
    },
    Timeout,
    /// A reviewer's decision.
    Decision(Decision),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LineRead {
    Input(Input),
    Event(serde_json::Value),
    Outcome(serde_json::Value),
    Seal(String),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum LineWritten<'a> {
    Input(&'a Input),
    Event(&'a Event),
    Outcome(&'a Outcome),
    Seal(&'a str),
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The disk failed.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// Not a journal.
    #[error("{path} is not a valid journal: line {line}: {damage}")]
    Unreadable {
        path: PathBuf,
        line: usize,
        damage: Damage,
    },
    /// Written by a later program.
    #[error(
        "{path} has version {found}, but this program reads version {VERSION}; use the program that wrote it, or a later one"
    )]
    Newer { path: PathBuf, found: u32 },
    /// Written by an earlier program.
    #[error(
        "{path} has version {found}: it was recorded under older rules, and this program reads version {VERSION} only; run the command again, or use the program that wrote it"
    )]
    Older { path: PathBuf, found: u32 },
    /// Not sealed with the user's key, or changed since.
    #[error("{path} was not recorded with your key, or was changed since")]
    Foreign { path: PathBuf },
    /// Another process has the file open.
    #[error("{path} is being written by another process")]
    Busy { path: PathBuf },
    /// The journal is not a file, and writing to it failed.
    #[error(transparent)]
    Store(Box<dyn std::error::Error + Send + Sync>),
}

/// Where a driver records a run: a file or a database. Methods are called in the order of events.
pub trait Recorder: Send {
    /// Records an input.
    ///
    /// # Errors
    /// If it cannot be written.
    fn input(&mut self, input: &Input) -> Result<(), JournalError>;

    /// Records an event that follows from the inputs so far.
    ///
    /// # Errors
    /// If it cannot be written.
    fn event(&mut self, event: &Event) -> Result<(), JournalError>;

    /// Records the outcome; nothing follows it.
    ///
    /// # Errors
    /// If it cannot be written.
    fn outcome(&mut self, outcome: &Outcome) -> Result<(), JournalError>;

    /// Makes the inputs durable. Called before the run acts on them; their events come later.
    fn sync(&mut self) -> impl Future<Output = Result<(), JournalError>> + Send {
        std::future::ready(Ok(()))
    }

    /// Makes inputs and their events durable together. Called before anything is sent or awaited
    /// because of them, and after the outcome.
    fn commit(&mut self) -> impl Future<Output = Result<(), JournalError>> + Send {
        std::future::ready(Ok(()))
    }
}

/// What is wrong with a line of a journal.
#[derive(Debug, Error)]
pub enum Damage {
    /// The file is not text.
    #[error("not UTF-8")]
    NotUtf8,
    /// The file is empty or ends in its first line.
    #[error("missing or torn")]
    NoFirstLine,
    /// The first line is not a header.
    #[error("not a header")]
    NoHeader,
    /// The line is not JSON, or of an unknown kind.
    #[error(transparent)]
    Json(serde_json::Error),
}

/// The content of a journal after its header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorded {
    pub inputs: Vec<Input>,
    pub events: Vec<serde_json::Value>,
    /// `None` if the run did not finish.
    pub outcome: Option<serde_json::Value>,
    /// Whether the last line was torn by a crash.
    pub was_torn: bool,
}

/// Limits concurrent flushes: the disk handles one at a time, and more threads only cost time.
static FLUSHES: Semaphore = Semaphore::const_new(2);

/// A journal open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Arc<File>,
    /// Lines to be written with the next input. Events follow from earlier inputs, so losing them
    /// loses nothing.
    waiting: Vec<u8>,
    /// Whether an input was written but not flushed to the disk.
    is_unsynced: bool,
    /// The authentication code over everything so far, if the journal is sealed.
    running: Option<RunningCode>,
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Events of an interrupted run. If writing them fails, a replay produces them again.
        let _ = self.write();
        // A thread may still be flushing the file. Unlock it for the next process that opens it.
        let _ = self.file.unlock();
    }
}

impl Journal {
    /// Starts a journal. An existing file is never overwritten.
    ///
    /// # Errors
    /// If the file exists or cannot be created.
    pub fn create(path: &Path, header: &Header) -> Result<Self, JournalError> {
        Self::create_for(path, header, None)
    }

    /// Starts a journal, sealed if there is a key.
    ///
    /// # Errors
    /// If the file exists or cannot be created.
    pub fn create_for(
        path: &Path,
        header: &Header,
        key: Option<&UserKey>,
    ) -> Result<Self, JournalError> {
        let file = create_new(path).map_err(|source| io_error(path, source))?;
        let mut journal = Self {
            path: path.to_owned(),
            file: Arc::new(file),
            waiting: Vec::new(),
            is_unsynced: false,
            running: key.map(UserKey::running),
        };
        journal.lock()?;
        // The header is flushed with the first input; before that there is nothing to lose.
        journal.line(header)?;
        journal.write()?;
        Ok(journal)
    }

    /// Opens a journal to resume its run.
    ///
    /// # Errors
    /// If it cannot be read, has a newer version or is in use.
    pub fn resume(path: &Path) -> Result<(Self, Header, Recorded), JournalError> {
        Self::resume_for(path, None)
    }

    /// Opens a journal to resume its run. With a key, the journal must be sealed with it.
    ///
    /// # Errors
    /// If it cannot be read, has a newer version, is foreign or in use.
    pub fn resume_for(
        path: &Path,
        key: Option<&UserKey>,
    ) -> Result<(Self, Header, Recorded), JournalError> {
        let io = |source| io_error(path, source);
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(path)
            .map_err(io)?;
        let mut journal = Self {
            path: path.to_owned(),
            file: Arc::new(file),
            waiting: Vec::new(),
            is_unsynced: false,
            running: None,
        };
        // Before reading: another process may still be writing.
        journal.lock()?;
        let mut bytes = Vec::new();
        (&*journal.file).read_to_end(&mut bytes).map_err(io)?;
        let Parsed {
            header,
            recorded,
            whole,
            running,
        } = parse(path, &bytes, key)?;
        journal.running = running;
        if whole < bytes.len() {
            journal.file.set_len(whole as u64).map_err(io)?;
            (&*journal.file).seek(SeekFrom::End(0)).map_err(io)?;
            journal.file.sync_data().map_err(io)?;
        }
        Ok((journal, header, recorded))
    }

    /// Reads a journal without changing it.
    ///
    /// # Errors
    /// If it cannot be read or has a newer version.
    pub fn read(path: &Path) -> Result<(Header, Recorded), JournalError> {
        Self::read_for(path, None)
    }

    /// Reads a journal without changing it. With a key, the journal must be sealed with it.
    ///
    /// # Errors
    /// If it cannot be read, has a newer version or is foreign.
    pub fn read_for(
        path: &Path,
        key: Option<&UserKey>,
    ) -> Result<(Header, Recorded), JournalError> {
        let bytes = std::fs::read(path).map_err(|source| io_error(path, source))?;
        let Parsed {
            header, recorded, ..
        } = parse(path, &bytes, key)?;
        Ok((header, recorded))
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let before = self.waiting.len();
        if let Err(error) = serde_json::to_writer(&mut self.waiting, line) {
            self.waiting.truncate(before);
            return Err(io_error(&self.path, error.into()));
        }
        self.waiting.push(b'\n');
        Ok(())
    }

    /// Writes the waiting lines and their seal at once.
    fn write(&mut self) -> Result<(), JournalError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        if let Some(running) = &mut self.running {
            running.add(&self.waiting);
            let code = running.code();
            self.line(&LineWritten::Seal(&code))?;
        }
        let waiting = std::mem::take(&mut self.waiting);
        (&*self.file)
            .write_all(&waiting)
            .map_err(|source| io_error(&self.path, source))
    }

    fn lock(&self) -> Result<(), JournalError> {
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(std::fs::TryLockError::WouldBlock) => Err(JournalError::Busy {
                path: self.path.clone(),
            }),
            Err(std::fs::TryLockError::Error(source)) => Err(io_error(&self.path, source)),
        }
    }
}

impl Recorder for Journal {
    /// Writes an input immediately, so that a killed process does not lose it.
    fn input(&mut self, input: &Input) -> Result<(), JournalError> {
        self.line(&LineWritten::Input(input))?;
        self.is_unsynced = true;
        self.write()
    }

    /// Flushes the inputs to disk before anything acts on them. The flush runs on a thread of its
    /// own, so that other runs continue.
    async fn sync(&mut self) -> Result<(), JournalError> {
        if !std::mem::take(&mut self.is_unsynced) {
            return Ok(());
        }
        let file = Arc::clone(&self.file);
        // The semaphore is never closed; without a permit the flush still happens.
        let permit = FLUSHES.acquire().await.ok();
        let flushed = tokio::task::spawn_blocking(move || file.sync_data()).await;
        drop(permit);
        flushed
            .map_err(io::Error::other)
            .flatten()
            .map_err(|source| io_error(&self.path, source))
    }

    /// Queues an event, which is written with the next input or the outcome.
    fn event(&mut self, event: &Event) -> Result<(), JournalError> {
        self.line(&LineWritten::Event(event))
    }

    /// Writes the outcome.
    fn outcome(&mut self, outcome: &Outcome) -> Result<(), JournalError> {
        self.line(&LineWritten::Outcome(outcome))?;
        self.write()
    }
}

/// Creates a file, and its folder if needed.
fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true).create_new(true);
    match (options.open(path), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::NotFound => {
            std::fs::create_dir_all(folder)?;
            options.open(path)
        }
        (opened, _) => opened,
    }
}

/// Seals a journal with the key of a user who trusts it, and removes a torn end.
/// # Errors
/// If it cannot be read or written, has a newer version or is in use.
pub fn adopt(path: &Path, key: &UserKey) -> Result<Header, JournalError> {
    let (journal, header, _) = Journal::resume(path)?;
    let io = |source| io_error(path, source);
    let text = std::fs::read_to_string(path).map_err(io)?;
    let is_seal = |line: &&str| matches!(serde_json::from_str(line), Ok(LineRead::Seal(_)));
    let lines: String = text
        .split_inclusive('\n')
        .filter(|line| !is_seal(line))
        .collect();
    let seal = serde_json::json!({ "seal": key.code(lines.as_bytes()) });
    let folder = path.parent().unwrap_or(Path::new("."));
    blobs::write_whole(folder, path, format!("{lines}{seal}\n").as_bytes()).map_err(io)?;
    drop(journal);
    Ok(header)
}

fn io_error(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            journal: VERSION,
            run: "r".to_owned(),
            program: "p".to_owned(),
            started: Time(0),
            hashes: Hashes::default(),
            setup: serde_json::Value::Null,
        }
    }

    fn line(seq: u32) -> String {
        format!("{{\"event\":{{\"seq\":{seq}}}}}\n")
    }

    #[test]
    fn inputs_are_read_as_they_were_written() {
        let reply = |result| InputKind::Reply {
            ask: AskId("i0/judge".to_owned()),
            fingerprint: Fingerprint("f".to_owned()),
            result,
        };
        let failure = CallFailure {
            kind: redraft_run::ask::FailureKind::Transient {
                retry_after: Some(3),
            },
            message: "slow \"down\"".to_owned(),
            usage: None,
            context: None,
        };
        let by = "Ann".to_owned();
        for (what, begins) in [
            (
                reply(Ok(Reply::of("a\nb"))),
                r#"{"at":5,"reply":{"ask":"i0/judge","#,
            ),
            (reply(Err(failure)), r#"{"at":5,"reply":{"ask":"i0/judge","#),
            (InputKind::Timeout, r#"{"at":5,"timeout":null}"#),
            (
                InputKind::Decision(Decision::Accept { by }),
                r#"{"at":5,"decision":"#,
            ),
            (
                InputKind::Decision(Decision::Absent),
                r#"{"at":5,"decision":"#,
            ),
        ] {
            let input = Input { at: Time(5), what };
            let written = serde_json::to_string(&input).unwrap();
            assert!(written.starts_with(begins), "{written}");
            assert_eq!(serde_json::from_str::<Input>(&written).unwrap(), input);
        }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let header = Header {
            journal: VERSION,
            run: "r \"1\"".to_owned(),
            program: "p".to_owned(),
            started: Time(7),
            hashes: Hashes {
                configuration: "c".to_owned(),
                prompts: "q".to_owned(),
                input: "i".to_owned(),
            },
            setup: serde_json::json!({"text": "a\nb", "seats": [1, null, {"x": 0.5}]}),
        };
        let folder = tempfile::tempdir().unwrap();
        // Neither folder exists yet.
        let path = folder.path().join("a/b/run.jsonl");
        drop(Journal::create(&path, &header).unwrap());
        assert_eq!(Journal::read(&path).unwrap().0, header);
        let written = std::fs::read_to_string(&path).unwrap();
        assert_eq!(written, serde_json::to_string(&header).unwrap() + "\n");
        assert!(Journal::create(&path, &header).is_err(), "overwritten");
    }

    #[test]
    fn a_closed_journal_can_be_opened_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let header = header();
        let journal = Journal::create(&path, &header).unwrap();
        assert!(matches!(
            Journal::resume(&path),
            Err(JournalError::Busy { .. })
        ));
        // It is locked before it is read, because its content may be half written.
        std::fs::write(&path, "{\"jour").unwrap();
        assert!(matches!(
            Journal::resume(&path),
            Err(JournalError::Busy { .. })
        ));
        std::fs::write(&path, serde_json::to_string(&header).unwrap() + "\n").unwrap();
        // A thread that is flushing the journal still has it open.
        let flushing = Arc::clone(&journal.file);
        drop(journal);
        assert!(Journal::resume(&path).is_ok());
        drop(flushing);
    }

    #[cfg(unix)]
    #[test]
    fn a_disk_that_fails_is_an_error() {
        // A pipe cannot be flushed to disk.
        let (reader, _writer) = io::pipe().unwrap();
        let mut journal = Journal {
            path: PathBuf::from("run.jsonl"),
            file: Arc::new(File::from(std::os::fd::OwnedFd::from(reader))),
            waiting: Vec::new(),
            is_unsynced: true,
            running: None,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let result = runtime.block_on(journal.sync());
        assert!(matches!(result, Err(JournalError::Io { .. })), "{result:?}");
    }

    #[test]
    fn torn_lines_are_cut_off_and_invalid_lines_are_errors() {
        let header = header();
        let head = serde_json::to_string(&header).unwrap() + "\n";
        let nothing = "\0".repeat(9);
        // The lines after the header, and how many bytes of them are kept.
        let whole = line(1) + &line(2);
        let cases = [
            (whole.clone(), Some(whole.len())),
            (whole.clone() + "{\"ev", Some(whole.len())),
            (whole.clone() + "{\"ev\n", Some(whole.len())),
            (whole.clone() + &nothing + "\n", Some(whole.len())),
            // A page that never reached the disk, followed by one that did.
            (
                line(1) + "{\"ev" + &nothing + "}\n" + &line(3),
                Some(line(1).len()),
            ),
            (line(1) + "{\"ev\n" + &line(3), None),
        ];
        for (rest, kept) in cases {
            let bytes = head.clone() + &rest;
            let read = parse(Path::new("run.jsonl"), bytes.as_bytes(), None);
            let read = read.map(|read| (read.whole - head.len(), read.recorded.was_torn));
            let expected = kept.map(|kept| (kept, kept < rest.len()));
            assert_eq!(read.ok(), expected, "{rest:?}");
        }
    }

    #[test]
    fn only_what_the_user_sealed_is_believed_and_adoption_seals_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let (key, other) = (UserKey::new(b"one key"), UserKey::new(b"another key"));
        let input = |at| Input {
            at: Time(at),
            what: InputKind::Timeout,
        };
        let mut journal = Journal::create_for(&path, &header(), Some(&key)).unwrap();
        journal.input(&input(1)).unwrap();
        drop(journal);
        let (mut journal, _, recorded) = Journal::resume_for(&path, Some(&key)).unwrap();
        assert_eq!(recorded.inputs, [input(1)]);
        journal.input(&input(2)).unwrap();
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        let read = |text: &str, key: &UserKey| {
            std::fs::write(&path, text).unwrap();
            Journal::read_for(&path, Some(key)).map(|(_, recorded)| recorded.inputs.len())
        };
        assert_eq!(read(&whole, &key).unwrap(), 2);
        let foreign = [
            (whole.replace("\"at\":2", "\"at\":3"), &key),
            (whole.replace("\"run\":\"r\"", "\"run\":\"s\""), &key),
            (serde_json::to_string(&header()).unwrap() + "\n", &key),
            (whole.clone(), &other),
        ];
        for (text, key) in &foreign {
            let read = read(text, key);
            assert!(matches!(read, Err(JournalError::Foreign { .. })), "{text}");
        }
        // Lines added after the last seal, and a torn seal.
        let added = format!("{whole}{{\"input\":{{\"at\":9,\"timeout\":null}}}}\n");
        assert_eq!(read(&added, &key).unwrap(), 2);
        assert_eq!(read(&whole[..whole.len() - 5], &key).unwrap(), 1);
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(adopt(&path, &other).unwrap(), header());
        assert_eq!(
            Journal::read_for(&path, Some(&other)).unwrap().1.inputs,
            [input(1), input(2)]
        );
        assert!(Journal::read_for(&path, Some(&key)).is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
