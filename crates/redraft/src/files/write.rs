//! Writing a file: whole or not at all. The new content goes to a temporary file in the
//! same folder, which then takes the place of the old one, so that a full disk, a crash or
//! a limit leaves the old file as it was (ruling 69).
//!
//! | the target | |
//! |---|---|
//! | does not exist | created, with its folder |
//! | a file | replaced; mode and owner stay |
//! | a symbolic link | the file it leads to is replaced |
//! | a file with several hard links | refused: replacing would separate them |
//! | a file that may not be written | refused |
//! | a device or a pipe, such as `/dev/stdout` | written to |
//!
//! Temporary files are called `.redraft-PID-….tmp`. Their owner holds a lock on them; what
//! a killed program left behind, the next one removes.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context as _, anyhow, bail};
use redraft_report::plain;
use tempfile::NamedTempFile;

use super::packing;
use super::read::Limits;

/// What to do with a file that has several hard links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    #[default]
    Refuse,
    Break,
}

const PREFIX: &str = ".redraft-";
const SUFFIX: &str = ".tmp";

/// Writes a file, creating its folder if needed.
///
/// # Errors
/// When it cannot be written; an old file is then unchanged.
pub fn put(path: &Path, content: &[u8], links: HardLinks) -> anyhow::Result<()> {
    write(path, &|out| out.write_all(content), links, None)
}

/// Writes a file from a content that never lies in memory as a whole.
///
/// # Errors
/// When it cannot be written; an old file is then unchanged.
pub fn put_with(path: &Path, content: WriteTo<'_>, links: HardLinks) -> anyhow::Result<()> {
    write(path, content, links, None)
}

/// Writes a content to where it belongs.
pub type WriteTo<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Replaces a file, but only if its content is still what was read.
///
/// # Errors
/// When the file changed since it was read, or cannot be written.
pub fn replace(path: &Path, read: &[u8], content: &[u8], links: HardLinks) -> anyhow::Result<()> {
    let write_to: WriteTo<'_> = &|out| out.write_all(content);
    write(path, write_to, links, Some((read, content)))
}

/// `replaces` is what a file must still hold, and what it is replaced by.
fn write(
    path: &Path,
    content: WriteTo<'_>,
    links: HardLinks,
    replaces: Option<(&[u8], &[u8])>,
) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", shown(path));
    let target = target_of(path).with_context(cannot)?;
    let old = match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => bail!("{} is a folder; name a file", shown(path)),
        Ok(metadata) if !metadata.is_file() => {
            let device = File::options().write(true).open(&target);
            return device
                .and_then(|mut device| buffered(&mut device, content))
                .with_context(cannot);
        }
        Ok(metadata) => Some(metadata),
        Err(_) => None,
    };
    if let Some(old) = &old {
        may_be_replaced(path, old, links)?;
    }
    let packed = replaces
        .map(|(expected, content)| packed(path, &target, expected, content))
        .transpose()?;
    let before = packed.as_ref().map(|(before, _)| before);
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", shown(folder)))?;
    clean_up(folder);
    let file = match &packed {
        Some((_, content)) => temporary(folder, &|out| out.write_all(content), old.as_ref()),
        None => temporary(folder, content, old.as_ref()),
    };
    let file = file.with_context(cannot)?;
    if before.is_some_and(|before| fs::read(&target).is_ok_and(|now| now != *before)) {
        return Err(changed(path));
    }
    file.persist(&target)
        .map_err(|error| error.error)
        .with_context(cannot)?;
    // So that the new name survives a power cut; not every system can do it.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// The bytes of the old file and of the new one, if the old one still has the content that
/// was read.
fn packed(
    path: &Path,
    target: &Path,
    expected: &[u8],
    content: &[u8],
) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let now = fs::read(target).with_context(|| format!("cannot write {}", shown(path)))?;
    if now == expected {
        return Ok((now, content.to_vec()));
    }
    let unlimited = Limits {
        document: u64::MAX,
        bank: u64::MAX,
    };
    let is_same = packing::unpacked(path, &now, &unlimited)
        .is_ok_and(|inner| inner.is_some_and(|inner| inner == expected));
    if !is_same {
        return Err(changed(path));
    }
    let content = packing::packed(path, &now, content)?;
    Ok((now, content))
}

fn changed(path: &Path) -> anyhow::Error {
    anyhow!(
        "{} changed on disk while it was being checked; nothing was written, run the command again",
        shown(path)
    )
}

/// Where a path leads: what a symbolic link points at is written, not the link.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(_) if is_link => {
            let folder = path.parent().unwrap_or(Path::new("."));
            folder.join(fs::read_link(path)?)
        }
        Err(_) => path.to_owned(),
    };
    // The parent of a bare file name is the empty path.
    Ok(match target.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new(".").join(target),
        _ => target,
    })
}

fn may_be_replaced(path: &Path, old: &Metadata, links: HardLinks) -> anyhow::Result<()> {
    if old.permissions().readonly() {
        bail!("{} is read-only; nothing was written", shown(path));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if old.nlink() > 1 && links == HardLinks::Refuse {
            bail!(
                "{} has {} hard links, and replacing it would separate them; nothing was written. Use --break-links to write it anyway",
                shown(path),
                old.nlink()
            );
        }
    }
    #[cfg(not(unix))]
    let _ = links;
    Ok(())
}

/// The content in a temporary file with the mode and owner of the old one.
fn temporary(
    folder: &Path,
    content: WriteTo<'_>,
    old: Option<&Metadata>,
) -> anyhow::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!("{PREFIX}{}-", std::process::id());
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    if old.is_none() {
        // Readable like any new file, not only by its owner.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    // Without locks the name of the file still says whose it is.
    let _ = file.as_file().try_lock();
    buffered(&mut file, content)?;
    if let Some(old) = old {
        keep_owner(&file, old)?;
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes a content in few large pieces.
fn buffered(to: &mut dyn Write, content: WriteTo<'_>) -> io::Result<()> {
    const PIECE: usize = 1 << 16;
    let mut out = BufWriter::with_capacity(PIECE, to);
    content(&mut out)?;
    out.flush()
}

#[cfg(unix)]
fn keep_owner(file: &NamedTempFile, old: &Metadata) -> anyhow::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let new = file.as_file().metadata()?;
    let differing = |old: u32, new: u32| (old != new).then_some(old);
    let (user, group) = (
        differing(old.uid(), new.uid()),
        differing(old.gid(), new.gid()),
    );
    if user.is_some() || group.is_some() {
        fchown(file.as_file(), user, group)
            .context("cannot keep the owner of the file; nothing was written")?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_: &NamedTempFile, _: &Metadata) -> anyhow::Result<()> {
    Ok(())
}

/// Removes the temporary files of programs that have ended, once for each folder.
pub fn clean_up(folder: &Path) {
    // The parent of a bare file name is the empty path.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    static DONE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_first = DONE
        .lock()
        .is_ok_and(|mut done| done.insert(folder.to_owned()));
    if !is_first {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(owner) else {
            continue;
        };
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !is_running(owner) && is_unlocked(&entry.path()) {
            // Whoever may not remove it leaves it to the next one.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that made a temporary file, by the file's name.
fn owner(name: &str) -> Option<u32> {
    let inner = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    inner.split(['-', '.']).next()?.parse().ok()
}

fn is_running(process: u32) -> bool {
    process == std::process::id() || Path::new("/proc").join(process.to_string()).exists()
}

fn is_unlocked(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

fn shown(path: &Path) -> String {
    plain::path(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lesson.md");
        fs::write(&path, "somebody else's words").unwrap();
        let replace = |read: &[u8]| replace(&path, read, b"fixed", HardLinks::Refuse);
        let refused = replace(b"what was read");
        assert!(refused.unwrap_err().to_string().contains("changed on disk"));
        assert_eq!(fs::read(&path).unwrap(), b"somebody else's words");
        replace(b"somebody else's words").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"fixed");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }

    #[test]
    fn what_ended_programs_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!(".redraft-{}-abc.tmp", std::process::id());
        for name in [
            ".redraft-4294967294-abc.tmp",
            ".redraft-4294967294.tmp",
            ".redraft-notes.tmp",
            ".redraft-12.md",
            &own,
        ] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        clean_up(folder.path());
        let mut left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut expected = [
            ".redraft-12.md".to_owned(),
            own,
            ".redraft-notes.tmp".to_owned(),
        ];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[cfg(unix)]
    #[test]
    fn hard_links_are_separated_only_on_demand() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one.md"), folder.path().join("other.md"));
        fs::write(&one, "old").unwrap();
        fs::hard_link(&one, &other).unwrap();
        let refused = put(&one, b"new", HardLinks::Refuse).unwrap_err();
        assert!(refused.to_string().contains("--break-links"), "{refused}");
        assert_eq!(fs::read(&one).unwrap(), b"old");
        put(&one, b"new", HardLinks::Break).unwrap();
        assert_eq!(fs::read(&one).unwrap(), b"new");
        assert_eq!(fs::read(&other).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_and_a_folder_are_refused_and_a_device_is_written_to() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        for (path, expected) in [
            (path.as_path(), "read-only"),
            (folder.path(), "is a folder"),
            (Path::new("/dev/full"), "cannot write"),
        ] {
            let refused = put(path, b"new", HardLinks::Break).unwrap_err();
            assert!(refused.to_string().contains(expected), "{refused}");
        }
        put(Path::new("/dev/null"), b"new", HardLinks::Refuse).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}
