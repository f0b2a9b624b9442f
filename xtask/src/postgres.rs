//! A PostgreSQL for the tests: Debian's, under a user that is not root, with a data
//! folder and a port of its own. The cluster of the system is never touched. Where
//! `TEST_DATABASE_URL` is set, that one is used; where there is none and it may not be
//! installed, the tests that need it are skipped, and say so.

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// A database server for the length of a step.
pub(crate) enum Postgres {
    /// One that is there already.
    Given(String),
    Started(Server),
    /// There is none, and this is why.
    Missing(String),
}

/// A server that ends with the step.
pub(crate) struct Server {
    programs: PathBuf,
    folder: PathBuf,
    /// Whom it runs as, if we are root.
    user: Option<&'static str>,
    port: u16,
}

impl Postgres {
    pub(crate) fn start() -> Result<Self> {
        if let Ok(url) = env::var("TEST_DATABASE_URL")
            && !url.is_empty()
        {
            return Ok(Self::Given(url));
        }
        let is_root = Command::new("id")
            .arg("-u")
            .output()
            .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        let found = programs().or_else(|| install(is_root).then(programs).flatten());
        let Some(programs) = found else {
            let why = "PostgreSQL is not installed and cannot be (not root, or no package); set TEST_DATABASE_URL";
            return Ok(Self::Missing(why.to_owned()));
        };
        let user = is_root.then_some("postgres");
        if user.is_some_and(|user| !succeeds(Command::new("id").arg(user))) {
            let why = "PostgreSQL does not run as root, and there is no user `postgres`";
            return Ok(Self::Missing(why.to_owned()));
        }
        Ok(Self::Started(Server::start(programs, user)?))
    }

    pub(crate) fn url(&self) -> Option<String> {
        match self {
            Self::Given(url) => Some(url.clone()),
            Self::Started(server) => Some(format!(
                "postgres://redraft@127.0.0.1:{}/postgres",
                server.port
            )),
            Self::Missing(_) => None,
        }
    }

    /// The authority that clients have to trust.
    pub(crate) fn authority(&self) -> Option<String> {
        match self {
            Self::Started(server) => {
                let file = server.authority()?;
                Some(file.to_string_lossy().into_owned())
            }
            Self::Given(_) | Self::Missing(_) => None,
        }
    }

    /// A command that restarts it, where we may.
    pub(crate) fn restart(&self) -> Option<String> {
        match self {
            Self::Started(server) => {
                let command = server.command("pg_ctl", &server.arguments("restart"));
                let words = std::iter::once(command.get_program()).chain(command.get_args());
                let words = words.map(|word| format!("'{}'", word.to_string_lossy()));
                Some(words.collect::<Vec<_>>().join(" ") + " > /dev/null")
            }
            Self::Given(_) | Self::Missing(_) => None,
        }
    }
}

impl Server {
    fn start(programs: PathBuf, user: Option<&'static str>) -> Result<Self> {
        let folder = env::temp_dir().join(format!("redraft-postgres-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Self {
            programs,
            folder,
            user,
            port,
        };
        if let Some(user) = user {
            let folder = server.folder.to_string_lossy().into_owned();
            if !succeeds(Command::new("chown").args([user, &folder])) {
                bail!("cannot give {folder} to {user}");
            }
        }
        let data = server.data();
        let made = server.command(
            "initdb",
            &[
                "-D",
                &data,
                "-U",
                "redraft",
                "--auth=trust",
                "-E",
                "UTF8",
                "--no-sync",
            ]
            .map(str::to_owned),
        );
        quiet(made).context("cannot make a PostgreSQL cluster")?;
        server.make_certificate();
        quiet(server.command("pg_ctl", &server.arguments("start")))
            .context("cannot start PostgreSQL")?;
        Ok(server)
    }

    /// Makes an authority and a certificate for TLS, where there is an `openssl`; without
    /// it, TLS is not tested.
    fn make_certificate(&self) {
        const NEW: &str = "req -x509 -newkey rsa:2048 -nodes -days 2";
        let authority = format!("{NEW} -subj /CN=authority -keyout ca.key -out ca.crt");
        let server = format!(
            "{NEW} -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE -CA ca.crt -CAkey ca.key -keyout server.key -out server.crt"
        );
        let is_made = [authority, server].iter().all(|words| {
            let mut command = match self.user {
                Some(user) => {
                    let mut command = Command::new("runuser");
                    command.args(["-u", user, "--", "openssl"]);
                    command
                }
                None => Command::new("openssl"),
            };
            succeeds(command.args(words.split(' ')).current_dir(self.data()))
        });
        if !is_made {
            eprintln!("   TLS to PostgreSQL is not tested: openssl made no certificate");
        }
    }

    /// The authority that clients have to trust, if there is one.
    fn authority(&self) -> Option<PathBuf> {
        let data = self.folder.join("data");
        let is_made = data.join("server.crt").is_file();
        is_made.then(|| data.join("ca.crt"))
    }

    fn data(&self) -> String {
        self.folder.join("data").to_string_lossy().into_owned()
    }

    fn arguments(&self, what: &str) -> Vec<String> {
        let folder = self.folder.display();
        let mut options = format!("-p {} -k {folder} -c listen_addresses=127.0.0.1", self.port);
        if self.authority().is_some() {
            options.push_str(" -c ssl=on");
        }
        let log = self.folder.join("log").to_string_lossy().into_owned();
        let data = self.data();
        let words = [
            "-D", &data, "-o", &options, "-l", &log, "-m", "fast", "-w", what,
        ];
        words.map(str::to_owned).to_vec()
    }

    fn command(&self, program: &str, arguments: &[String]) -> Command {
        let program = self.programs.join(program);
        let mut command = match self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(arguments).current_dir(env::temp_dir());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = quiet(self.command("pg_ctl", &self.arguments("stop")));
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The folder with PostgreSQL's programs; Debian keeps one for each version.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut folders: Vec<PathBuf> = versions
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").is_file())
        .collect();
    folders.sort();
    folders.pop().or_else(|| {
        let paths = env::var_os("PATH")?;
        env::split_paths(&paths).find(|folder| folder.join("initdb").is_file())
    })
}

/// Installs Debian's package without its cluster; tells whether that worked.
fn install(is_root: bool) -> bool {
    if !is_root || !Path::new("/usr/bin/apt-get").is_file() {
        return false;
    }
    eprintln!("   installing PostgreSQL");
    let settings = Path::new("/etc/postgresql-common/createcluster.conf");
    if !settings.exists() {
        let _ = fs::create_dir_all("/etc/postgresql-common");
        let _ = fs::write(settings, "create_main_cluster = false\n");
    }
    let words = [
        "install",
        "-y",
        "-q",
        "--no-install-recommends",
        "-o",
        "Dpkg::Options::=--force-confold",
        "postgresql",
    ];
    succeeds(
        Command::new("apt-get")
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

fn quiet(mut command: Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

fn succeeds(command: &mut Command) -> bool {
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
