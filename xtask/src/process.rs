//! Where the repository is, and running programs in it. Knows no command.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// The repository that the commands work on.
#[derive(Debug)]
pub(crate) struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository of this program. Cargo names the folder when it starts us;
    /// the one that was compiled in may have moved since.
    pub(crate) fn find() -> Result<Self> {
        let own = env::var_os("CARGO_MANIFEST_DIR").context("start this as `cargo xtask`")?;
        let root = Path::new(&own)
            .parent()
            .context("xtask has no folder above it")?;
        Ok(Self {
            root: root.to_owned(),
        })
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Runs cargo; what it prints goes through.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Result<()> {
        run(self.command(cargo(), arguments))
    }

    /// The same, with some variables set.
    pub(crate) fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<()> {
        let mut command = self.command(cargo(), arguments);
        command.envs(variables.iter().copied());
        run(command)
    }

    /// Runs any program; what it prints goes through.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        run(self.command(program.into(), arguments))
    }

    /// Whether cargo knows a subcommand.
    pub(crate) fn has_cargo_command(&self, name: &str) -> bool {
        self.succeeds(cargo(), &[name, "--version"])
    }

    /// Whether a program can be started and ends well, silently.
    pub(crate) fn succeeds(&self, program: PathBuf, arguments: &[&str]) -> bool {
        self.command(program, arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn command(&self, program: PathBuf, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root);
        command
    }
}

/// The cargo that started us, so that every step uses the same toolchain.
pub(crate) fn cargo() -> PathBuf {
    env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// The folder that this program was built into, and with it everything else
/// that is built in the same profile.
pub(crate) fn build_folder() -> Result<PathBuf> {
    let own = env::current_exe().context("cannot tell where xtask is")?;
    let folder = own.parent().context("xtask lies in no folder")?;
    Ok(folder.to_owned())
}

fn run(mut command: Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let name = Path::new(&program)
        .file_name()
        .map_or(program.clone(), |name| name.to_string_lossy().into_owned());
    let arguments: Vec<String> = command
        .get_args()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let status = command
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    if !status.success() {
        bail!("`{name} {}` failed ({status})", arguments.join(" "));
    }
    Ok(())
}
