//! A folder of its own for each test, and the program run in it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// A lesson without a fault.
pub(crate) const GOOD: &str =
    "# Water\n\nWater boils at 100 °C.\n\n## Steam\n\nSteam is water in the air.\n";

/// A lesson with an error that nothing can fix, and nothing else.
pub(crate) const HOLLOW: &str =
    "# Water\n\n## Steam\n\n### Heat\n\n### Air\n\nSteam is water in the air.\n";

/// A lesson with two safe fixes and no error.
pub(crate) const CHATTY: &str =
    "Sure! Here is the lesson:\n\n# Water\n\nWater boils at 100 °C.\n\n-Steam\n-Ice\n";

/// What `--fix` makes of it.
pub(crate) const CHATTY_FIXED: &str = "# Water\n\nWater boils at 100 °C.\n\n- Steam\n- Ice\n";

/// The key of the user, so that no test makes one in the configuration of whoever runs it.
pub(crate) const KEY: &str = "a key for tests alone";

pub(crate) struct TempFolder {
    folder: tempfile::TempDir,
}

/// What a run gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl TempFolder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let temp_folder = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (name, content) in files {
            let path = temp_folder.path(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        temp_folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Runs with these variables and none that would give a model away.
    pub(crate) fn run_among(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let config = fs::read_to_string(self.path("redraft.toml")).unwrap_or_default();
        if config.contains("key-") || config.contains("base-url") {
            self.run_untrusted(&[], &["trust"]);
        }
        self.run_untrusted(variables, arguments)
    }

    /// The same, with a configuration that nobody has trusted.
    pub(crate) fn run_untrusted(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let mut command = Command::cargo_bin("redraft").unwrap();
        for name in [
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            "OPENROUTER_API_KEY",
            "ANTHROPIC_API_KEY",
            "GEMINI_API_KEY",
            "OLLAMA_HOST",
        ] {
            command.env_remove(name);
        }
        let output = command
            .env("REDRAFT_NO_PROBE", "1")
            // No test makes a key in the configuration of whoever runs it.
            .env("REDRAFT_KEY", KEY)
            .env("XDG_CONFIG_HOME", self.path(".own"))
            .envs(variables.iter().copied())
            .current_dir(self.folder.path())
            .args(arguments)
            .output()
            .unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let output = Command::cargo_bin("redraft")
            .unwrap()
            .env("REDRAFT_KEY", KEY)
            .current_dir(self.folder.path())
            .args(arguments)
            .write_stdin(input)
            .output()
            .unwrap();
        Run {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The text of an example.
pub(crate) fn example(name: &str) -> String {
    fs::read_to_string(repository(&format!("examples/{name}"))).unwrap()
}

/// A file of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
