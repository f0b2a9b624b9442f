//! A folder with a small document of every kind, in which the program judges and
//! refines with scripted replies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::temp_folder::KEY;

/// `lesson.md`, without a fault that a program sees.
pub(crate) const LESSON: &str = "# Boiling water\n\nThis lesson is about what happens in a kettle.\n\n## Heat\n\nThe plate under the kettle gets hot, and the water takes the heat up until it boils.\n\n## Steam\n\nBubbles of steam rise from the bottom and burst at the surface.\n";

/// `item.json`, likewise.
pub(crate) const ITEM: &str = r#"{"vignette": "A 52-year-old man comes to the clinic with a swollen and painful big toe that began during the night.",
  "stem": "Which of these is his most likely diagnosis?",
  "distractors": [
    {"text": "Gout", "isCorrect": true, "explanation": "Sudden pain in the big toe."},
    {"text": "Sprain", "isCorrect": false, "explanation": "There was no injury."},
    {"text": "Cellulitis", "isCorrect": false, "explanation": "The skin is whole."},
    {"text": "Bunion", "isCorrect": false, "explanation": "It grows slowly."}],
  "answerKey": "A", "explanation": "Sudden pain in the big toe at night is typical of gout."}"#;

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new(cards: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("lesson.md", LESSON);
        folder.write("item.json", ITEM);
        folder.write("cards.json", cards);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("redraft"));
        command
            .env("REDRAFT_KEY", KEY)
            .current_dir(self.path())
            .args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The report on the one document of a command that ends with this code.
    pub(crate) fn judged(&self, arguments: &[&str], code: i32) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{shown}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["documents"][0].clone()
    }

    /// The journals of all runs, in the order of their names.
    pub(crate) fn journals(&self) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = fs::read_dir(self.path().join(".redraft/runs"))
            .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
            .unwrap_or_default();
        // Companions are stored beside the journals.
        found.retain(|path| path.is_file());
        found.sort();
        found
    }
}
