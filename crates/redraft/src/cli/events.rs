//! `--events FILE`: every event of every run as a line of JSON, flushed as it happens, so
//! that a program can follow. With `-` standard output carries the events alone.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use redraft_run::event::Event;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::output::{self, complain, shown};

/// Where the events go.
pub(super) struct EventStream {
    to: RefCell<Option<Box<dyn Write>>>,
}

/// How a line of events begins, and no other file of ours.
const EVENTS_BEGIN: &[u8; 8] = b"{\"run\":\"";

/// An event, with the run and the document that it belongs to.
#[derive(JsonSchema, Serialize)]
pub(crate) struct EventLine<'a> {
    /// The run.
    run: &'a str,
    /// The document, as it was named.
    path: &'a str,
    #[serde(flatten)]
    event: &'a Event,
}

impl EventLine<'_> {
    /// The line. `run_started` names its run itself, and no key comes twice.
    fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        let object: Map<String, Value> = serde_json::from_value(serde_json::to_value(self)?)?;
        let mut line = serde_json::to_vec(&object)?;
        line.push(b'\n');
        Ok(line)
    }
}

impl EventStream {
    /// # Errors
    /// When the file cannot be created, or holds a lesson, a journal or whatever else.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let to: Option<Box<dyn Write>> = match path {
            None => None,
            Some(path) if output::is_stdout(path) => Some(Box::new(io::stdout())),
            Some(path) => {
                if holds_something_else(path) {
                    bail!(
                        "{} contains something other than events and was not overwritten; name another file with --events",
                        shown(path)
                    );
                }
                let file = File::create(path)
                    .with_context(|| format!("cannot write the events to {}", shown(path)))?;
                Some(Box::new(file))
            }
        };
        Ok(Self {
            to: RefCell::new(to),
        })
    }

    pub(super) fn send(&self, run: &str, path: &str, event: &Event) {
        let mut to = self.to.borrow_mut();
        let Some(stream) = to.as_mut() else {
            return;
        };
        let written = EventLine { run, path, event }
            .bytes()
            .map_err(io::Error::from)
            .and_then(|line| {
                stream.write_all(&line)?;
                stream.flush()
            });
        if let Err(error) = written {
            // Whoever followed may have gone; the run goes on.
            *to = None;
            if error.kind() != io::ErrorKind::BrokenPipe {
                complain(&format!("cannot write further events: {error}"));
            }
        }
    }
}

/// Whether a file has a content that is not the events of an earlier command.
fn holds_something_else(path: &Path) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
    if !is_file {
        return false;
    }
    let mut head = [0; EVENTS_BEGIN.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_err() || head != *EVENTS_BEGIN
}

/// Whether the events take standard output, so that the report goes to standard error.
pub(super) fn take_stdout(events: Option<&Path>) -> bool {
    events.is_some_and(output::is_stdout)
}
