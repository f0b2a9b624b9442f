//! Reads the lines of a journal, and checks its seals.

use std::path::Path;

use super::{Damage, Header, JournalError, LineRead, Recorded, VERSION};
use crate::verdicts::{RunningCode, UserKey};

/// The content of a journal's bytes.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) header: Header,
    pub(super) recorded: Recorded,
    /// The length of the complete lines, and if seals were checked, of the sealed ones.
    pub(super) whole: usize,
    /// The authentication code over everything that is sealed, to be continued.
    pub(super) running: Option<RunningCode>,
}

/// Reads a journal. With a key, only sealed lines count: a journal without a valid seal is foreign,
/// and lines after the last valid seal count as torn.
pub(super) fn parse(
    path: &Path,
    bytes: &[u8],
    key: Option<&UserKey>,
) -> Result<Parsed, JournalError> {
    let unreadable = |line: usize, damage: Damage| JournalError::Unreadable {
        path: path.to_owned(),
        line,
        damage,
    };
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| unreadable(1, Damage::NotUtf8))?;
    let Some(first) = text.lines().next() else {
        return Err(unreadable(1, Damage::NoFirstLine));
    };
    check_version(path, first)?;
    let header: Header =
        serde_json::from_str(first).map_err(|error| unreadable(1, Damage::Json(error)))?;
    let mut lines = Lines::new(key, first);
    lines.recorded.was_torn = whole < bytes.len();
    let count = text.lines().count();
    for (index, line) in text.lines().enumerate().skip(1) {
        match serde_json::from_str(line) {
            Ok(read) => lines.add(path, line, read)?,
            // A crash of the machine may leave empty pages of the right length, whatever follows
            // them.
            Err(_) if index + 1 == count || line.contains('\0') => {
                lines.recorded.was_torn = true;
                break;
            }
            Err(error) => return Err(unreadable(index + 1, Damage::Json(error))),
        }
    }
    lines.finish(path, header)
}

fn check_version(path: &Path, first: &str) -> Result<(), JournalError> {
    let version = serde_json::from_str::<serde_json::Value>(first)
        .ok()
        .and_then(|header| header.get("journal")?.as_u64());
    let path = path.to_owned();
    match version {
        Some(found) if found > u64::from(VERSION) => Err(JournalError::Newer {
            path,
            found: u32::try_from(found).unwrap_or(u32::MAX),
        }),
        Some(found) if found < u64::from(VERSION) => Err(JournalError::Older {
            path,
            found: u32::try_from(found).unwrap_or_default(),
        }),
        Some(_) => Ok(()),
        None => Err(JournalError::Unreadable {
            path,
            line: 1,
            damage: Damage::NoHeader,
        }),
    }
}

/// The lines after the header that were read.
struct Lines {
    recorded: Recorded,
    read: usize,
    running: Option<RunningCode>,
    /// What had been read at the last valid seal.
    sealed: Option<Sealed>,
}

#[derive(Clone)]
struct Sealed {
    read: usize,
    inputs: usize,
    events: usize,
    is_finished: bool,
    running: RunningCode,
}

impl Lines {
    fn new(key: Option<&UserKey>, first: &str) -> Self {
        let mut lines = Self {
            recorded: Recorded::default(),
            read: 0,
            running: key.map(UserKey::running),
            sealed: None,
        };
        lines.count(first);
        lines
    }

    fn count(&mut self, line: &str) {
        self.read += line.len() + 1;
        if let Some(running) = &mut self.running {
            running.add(line.as_bytes());
            running.add(b"\n");
        }
    }

    fn add(&mut self, path: &Path, line: &str, read: LineRead) -> Result<(), JournalError> {
        match read {
            LineRead::Input(input) => self.recorded.inputs.push(input),
            LineRead::Event(event) => self.recorded.events.push(event),
            LineRead::Outcome(outcome) => self.recorded.outcome = Some(outcome),
            LineRead::Seal(code) => {
                self.read += line.len() + 1;
                return self.seal(path, &code);
            }
        }
        self.count(line);
        Ok(())
    }

    fn seal(&mut self, path: &Path, code: &str) -> Result<(), JournalError> {
        let Some(running) = &self.running else {
            return Ok(());
        };
        if !running.is(code) {
            return Err(JournalError::Foreign {
                path: path.to_owned(),
            });
        }
        self.sealed = Some(Sealed {
            read: self.read,
            inputs: self.recorded.inputs.len(),
            events: self.recorded.events.len(),
            is_finished: self.recorded.outcome.is_some(),
            running: running.clone(),
        });
        Ok(())
    }

    fn finish(self, path: &Path, header: Header) -> Result<Parsed, JournalError> {
        let mut recorded = self.recorded;
        if self.running.is_none() {
            return Ok(Parsed {
                header,
                recorded,
                whole: self.read,
                running: None,
            });
        }
        let Some(sealed) = self.sealed else {
            return Err(JournalError::Foreign {
                path: path.to_owned(),
            });
        };
        recorded.was_torn |= sealed.read < self.read;
        recorded.inputs.truncate(sealed.inputs);
        recorded.events.truncate(sealed.events);
        recorded.outcome = recorded.outcome.filter(|_| sealed.is_finished);
        Ok(Parsed {
            header,
            recorded,
            whole: sealed.read,
            running: Some(sealed.running),
        })
    }
}
