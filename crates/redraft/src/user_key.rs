//! The key of the user, which what redraft keeps for later is authenticated with (ruling
//! 68): from the environment, as in CI, else from a file that only the user can read and
//! that is made on first use.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use redraft_engine::verdicts::UserKey;
use thiserror::Error;

/// The environment variable.
const VARIABLE: &str = "REDRAFT_KEY";

/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

/// Why there is no key.
#[derive(Debug, Error)]
pub(crate) enum KeyError {
    #[error("{VARIABLE} is shorter than {SHORTEST} characters; set it to a long random text")]
    Short,
    #[error(
        "your configuration folder was not found; set HOME, or {VARIABLE} to a long random text"
    )]
    NoFolder,
    #[error("other users can read {}; run `chmod 600` on it", .0.display())]
    Readable(PathBuf),
    #[error("{} is not a redraft key; delete it to have a new one created", .0.display())]
    Damaged(PathBuf),
    #[error("cannot read or create {}: {}; set {VARIABLE} to a long random text instead", .path.display(), .source)]
    Io { path: PathBuf, source: io::Error },
    #[error("no random numbers: {0}; set {VARIABLE} to a long random text instead")]
    Random(getrandom::Error),
}

/// The key of whoever runs the process.
///
/// # Errors
/// See [`KeyError`].
pub(crate) fn of_process() -> Result<UserKey, KeyError> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    if let Some(secret) = variable(VARIABLE) {
        return match secret.trim() {
            secret if secret.len() < SHORTEST => Err(KeyError::Short),
            secret => Ok(UserKey::new(secret.as_bytes())),
        };
    }
    of_file(&folder().ok_or(KeyError::NoFolder)?.join("key"))
}

/// The folder of the user's own configuration.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let folder = ["XDG_CONFIG_HOME", "APPDATA"]
        .into_iter()
        .find_map(variable)
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".config")))
        .filter(|folder| folder.is_absolute())?;
    Some(folder.join("redraft"))
}

/// The key in a file; one is made if there is none.
fn of_file(path: &Path) -> Result<UserKey, KeyError> {
    let io = |source| KeyError::Io {
        path: path.to_owned(),
        source,
    };
    match File::open(path) {
        Ok(file) => read(file, path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(path)?;
            // Another process may have been first: its key is everybody's.
            read(File::open(path).map_err(io)?, path)
        }
        Err(error) => Err(io(error)),
    }
}

fn read(file: File, path: &Path) -> Result<UserKey, KeyError> {
    let io = |source| KeyError::Io {
        path: path.to_owned(),
        source,
    };
    if is_readable_by_others(&file).map_err(io)? {
        return Err(KeyError::Readable(path.to_owned()));
    }
    let mut secret = String::new();
    let read = file.take(1_000).read_to_string(&mut secret);
    match (read, secret.trim()) {
        (Ok(_), secret) if secret.len() >= SHORTEST => Ok(UserKey::new(secret.as_bytes())),
        _ => Err(KeyError::Damaged(path.to_owned())),
    }
}

#[cfg(unix)]
fn is_readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_readable_by_others(_file: &File) -> io::Result<bool> {
    Ok(false)
}

/// Makes a key under another name and gives it its own only if nobody else has.
fn make(path: &Path) -> Result<(), KeyError> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(KeyError::Random)?;
    let words: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = path.parent().unwrap_or(path);
    let temporary = folder.join(format!(".key-{}.tmp", std::process::id()));
    let made = fs::create_dir_all(folder)
        .and_then(|()| new_file(&temporary))
        .and_then(|mut file| {
            file.write_all(format!("{words}\n").as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| match fs::hard_link(&temporary, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            // Some file systems have no links.
            Err(_) => fs::rename(&temporary, path),
            Ok(()) => Ok(()),
        });
    let _ = fs::remove_file(&temporary);
    made.map_err(|source| KeyError::Io {
        path: path.to_owned(),
        source,
    })
}

fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_for_the_user_alone_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("redraft/key");
        of_file(&path).unwrap();
        let first = fs::read(&path).unwrap();
        assert_eq!(first.len(), 65);
        of_file(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
        let files = fs::read_dir(folder.path().join("redraft")).unwrap().count();
        assert_eq!(files, 1, "no temporary file is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            assert!(matches!(of_file(&path), Err(KeyError::Readable(_))));
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
        for damaged in [
            &b""[..],
            b"short\n",
            b"\xff\xfe\xfd not a text of any kind at all",
        ] {
            fs::write(&path, damaged).unwrap();
            assert!(matches!(of_file(&path), Err(KeyError::Damaged(_))));
        }
    }
}
