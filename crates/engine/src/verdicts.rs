//! Stored verdicts: judges' replies, kept beside the journals under the hash of the question, so
//! that no verdict is paid for twice. The same prompt, schema and model settings have the same
//! hash, regardless of run, role and price.
//!
//! A file has two lines: an authentication code (HMAC with SHA-256, made with the user's key), and
//! a reply with the hash of its question. Files with a wrong code, torn files and those for another
//! question are ignored and reported, and the judge is asked. Only replies that gave a credible
//! verdict are stored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use redraft_run::ask::{Ask, Reply};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::blobs;

/// The version that is written and read.
const VERSION: u32 = 1;

/// Longer than any verdict; a longer file is not read.
const LONGEST: u64 = 4 << 20;

/// A user's key, which authenticates journals and stored verdicts.
#[derive(Clone)]
pub struct UserKey([u8; 32]);

impl UserKey {
    /// Derives the key from a secret of any length: a file of random bytes, or the value of a
    /// variable.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        Self(Sha256::digest(secret).into())
    }

    /// The authentication code of a text.
    #[must_use]
    pub fn code(&self, text: &[u8]) -> String {
        let mut running = self.running();
        running.add(text);
        running.code()
    }

    /// Whether a code matches a text. Compares in constant time.
    #[must_use]
    pub fn is_code(&self, given: &str, text: &[u8]) -> bool {
        is_same(given, &self.code(text))
    }

    /// Starts an authentication code over a growing text.
    #[must_use]
    pub(crate) fn running(&self) -> RunningCode {
        RunningCode {
            inner: Sha256::new().chain_update(self.padded(0x36)),
            outer: Sha256::new().chain_update(self.padded(0x5c)),
        }
    }

    fn padded(&self, with: u8) -> [u8; 64] {
        let mut block = [with; 64];
        for (byte, key) in block.iter_mut().zip(&self.0) {
            *byte ^= key;
        }
        block
    }
}

/// HMAC with SHA-256 over everything added so far.
#[derive(Clone)]
pub(crate) struct RunningCode {
    inner: Sha256,
    outer: Sha256,
}

impl RunningCode {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.inner.update(bytes);
    }

    pub(crate) fn code(&self) -> String {
        let outer = self.outer.clone();
        hex(&outer.chain_update(self.inner.clone().finalize()).finalize())
    }

    pub(crate) fn is(&self, given: &str) -> bool {
        is_same(given, &self.code())
    }
}

impl std::fmt::Debug for RunningCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RunningCode")
    }
}

impl std::fmt::Debug for UserKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UserKey")
    }
}

/// The stored verdicts beside the journals of a folder.
#[derive(Debug)]
pub struct Verdicts {
    folder: PathBuf,
    key: UserKey,
    notes: Mutex<Vec<StoreNote>>,
}

/// Why a stored verdict was not used, or none was stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoreNote {
    /// The file was not signed with the user's key, or was changed.
    #[error(
        "ignored the stored verdict {}: it was not signed with your key, or was changed; the judge was asked", .0.display()
    )]
    Forged(PathBuf),
    /// The file is not a complete stored verdict.
    #[error("ignored the stored verdict {}: it is not whole; the judge was asked", .0.display())]
    Torn(PathBuf),
    /// The file could not be read or written.
    #[error("cannot keep or read the stored verdict {}: {}", .0.display(), .1)]
    Io(PathBuf, io::ErrorKind),
}

#[derive(Serialize, Deserialize)]
struct Entry {
    verdict: u32,
    /// The hash of the question.
    question: String,
    /// For people who read the file.
    model: String,
    reply: Reply,
}

impl Verdicts {
    /// The stored verdicts of a folder of journals. Creates nothing yet.
    #[must_use]
    pub fn beside_journals(runs: &Path, key: UserKey) -> Self {
        Self {
            folder: runs.join("verdicts"),
            key,
            notes: Mutex::default(),
        }
    }

    /// The notes so far, in order.
    #[must_use]
    pub fn notes(&self) -> Vec<StoreNote> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.clone()
    }

    fn note(&self, note: StoreNote) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// The reply of a judge that was asked the same question before, at no cost.
    #[must_use]
    pub fn load(&self, ask: &Ask) -> Option<Reply> {
        let question = question(ask);
        let path = self.path(&question);
        match self.read(&path, &question) {
            Ok(reply) => Some(reply.paid_already()),
            Err(note) => {
                if let Some(note) = note {
                    self.note(note);
                }
                None
            }
        }
    }

    /// `None` if there is no such file.
    fn read(&self, path: &Path, question: &str) -> Result<Reply, Option<StoreNote>> {
        let torn = || Some(StoreNote::Torn(path.to_owned()));
        let length = match fs::metadata(path) {
            Ok(file) if file.is_file() => file.len(),
            Ok(_) => return Err(torn()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(None),
            Err(error) => return Err(Some(StoreNote::Io(path.to_owned(), error.kind()))),
        };
        if length > LONGEST {
            return Err(torn());
        }
        let text = fs::read_to_string(path).map_err(|_| torn())?;
        let (code, body) = text.split_once('\n').ok_or_else(torn)?;
        let body = body.strip_suffix('\n').ok_or_else(torn)?;
        if !self.key.is_code(code, body.as_bytes()) {
            return Err(Some(StoreNote::Forged(path.to_owned())));
        }
        let entry: Entry = serde_json::from_str(body).map_err(|_| torn())?;
        // A renamed file is authentic, but belongs to another question.
        if entry.verdict != VERSION || entry.question != question {
            return Err(Some(StoreNote::Forged(path.to_owned())));
        }
        Ok(entry.reply)
    }

    /// Stores a reply that gave a verdict, replacing an earlier one.
    pub fn store(&self, ask: &Ask, reply: &Reply) {
        let question = question(ask);
        let path = self.path(&question);
        let entry = Entry {
            verdict: VERSION,
            question,
            model: ask.model.name(),
            reply: reply.clone(),
        };
        let written = serde_json::to_string(&entry)
            .map_err(io::Error::from)
            .and_then(|body| {
                let text = format!("{}\n{body}\n", self.key.code(body.as_bytes()));
                fs::create_dir_all(&self.folder)?;
                blobs::write_whole(&self.folder, &path, text.as_bytes())
            });
        if let Err(error) = written {
            self.note(StoreNote::Io(path, error.kind()));
        }
    }

    fn path(&self, question: &str) -> PathBuf {
        self.folder.join(format!("{question}.verdict"))
    }
}

/// The name of what is asked: over words, form of the answer and model, without prices,
/// role and run.
pub(crate) fn question(ask: &Ask) -> String {
    let mut hash = Sha256::new();
    let model = &ask.model;
    for part in [
        "redraft verdict 1",
        &model.provider,
        &model.model,
        &model.temperature_hundredths.to_string(),
        &model.max_tokens.to_string(),
        &ask.prompt.system,
        &ask.prompt.user,
        ask.schema.as_ref().map_or("", |schema| schema.text()),
    ] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares in constant time.
fn is_same(given: &str, expected: &str) -> bool {
    let differ = |(a, b): (u8, u8)| a ^ b;
    given.len() == expected.len()
        && given
            .bytes()
            .zip(expected.bytes())
            .map(differ)
            .fold(0, |all, byte| all | byte)
            == 0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use redraft_run::ask::{CacheTerms, Role, Schema, Tokens, Usage};

    use super::*;
    use crate::model::fixtures;

    fn verdicts(folder: &Path) -> Verdicts {
        Verdicts::beside_journals(folder, UserKey::new(b"the key of these tests"))
    }

    fn file(folder: &Path) -> PathBuf {
        let mut files = fs::read_dir(folder.join("verdicts")).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none(), "no temporary file is left");
        file
    }

    #[test]
    fn the_code_is_hmac_with_sha_256() {
        // RFC 4231, test case 2. Its key is padded with zeros like any shorter one.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        assert_eq!(
            UserKey(key).code(b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn the_same_question_has_its_reply_again_and_costs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let asked = fixtures::ask("Be fair.", "a text");
        let reply = Reply {
            usage: Usage {
                tokens: Tokens::new(900, 80),
                estimated: false,
            },
            took: 1_200,
            ..Reply::of("{\"a\":\"\\n\"}")
        };
        assert_eq!(verdicts(folder.path()).load(&asked), None);
        verdicts(folder.path()).store(&asked, &reply);
        let again = verdicts(folder.path());
        let mut same = asked.clone();
        same.role = Role::JudgeTiebreaker;
        same.id.0 = "another".to_owned();
        same.model.price_in = 7;
        same.model.cache = Some(CacheTerms {
            least_tokens: 1,
            price_read: 1,
            price_write: 1,
        });
        let found = again.load(&same).unwrap();
        assert_eq!(
            (found.text.as_str(), found.reused),
            ("{\"a\":\"\\n\"}", true)
        );
        assert_eq!(found.usage.tokens, Tokens::default());
        for change in [
            (|ask: &mut Ask| ask.model.model.push('x')) as fn(&mut Ask),
            |ask| ask.model.provider.push('x'),
            |ask| ask.model.temperature_hundredths += 1,
            |ask| ask.model.max_tokens += 1,
            |ask| ask.schema = Some(Arc::new(Schema::new(serde_json::json!({})))),
            |ask| *ask = fixtures::ask("Be fair!", "a text"),
            |ask| *ask = fixtures::ask("Be fair.", "a text "),
            |ask| *ask = fixtures::ask("Be fair.a", " text"),
        ] {
            let mut other = asked.clone();
            change(&mut other);
            assert_eq!(again.load(&other), None, "{other:?}");
        }
        assert_eq!(again.notes(), []);
    }

    #[test]
    fn what_was_not_signed_by_the_user_or_is_not_whole_is_ignored_and_noted() {
        let folder = tempfile::tempdir().unwrap();
        let asked = fixtures::ask("Be fair.", "a text");
        verdicts(folder.path()).store(&asked, &Reply::of("0.70"));
        let path = file(folder.path());
        let whole = fs::read_to_string(&path).unwrap();
        let forged = StoreNote::Forged(path.clone());
        let torn = StoreNote::Torn(path.clone());
        for (text, note) in [
            (whole.replace("0.70", "0.99"), &forged),
            (whole.replacen(|digit: char| digit != '0', "0", 1), &forged),
            (format!("\n{}", whole.split_once('\n').unwrap().1), &forged),
            (whole[..whole.len() - 1].to_owned(), &torn),
            (whole[..40].to_owned(), &torn),
            (String::new(), &torn),
        ] {
            fs::write(&path, &text).unwrap();
            let verdicts = verdicts(folder.path());
            assert_eq!(verdicts.load(&asked), None, "{text}");
            assert_eq!(verdicts.notes(), std::slice::from_ref(note), "{text}");
        }
        // Another user's file, and an authentic one under another name.
        fs::write(&path, &whole).unwrap();
        let stranger = Verdicts::beside_journals(folder.path(), UserKey::new(b"another key"));
        assert_eq!(stranger.load(&asked), None);
        assert_eq!(stranger.notes(), [forged]);
        let other = fixtures::ask("Be fair.", "another text");
        let verdicts = verdicts(folder.path());
        let renamed = verdicts.path(&question(&other));
        fs::rename(&path, &renamed).unwrap();
        assert_eq!(verdicts.load(&other), None);
        assert_eq!(verdicts.notes(), [StoreNote::Forged(renamed)]);
        // A new verdict replaces it.
        verdicts.store(&other, &Reply::of("0.50"));
        assert_eq!(verdicts.load(&other).unwrap().text, "0.50");
    }
}
