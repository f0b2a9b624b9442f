//! The last step of everything that is printed: on a terminal nothing foreign is obeyed
//! (ruling 66), and what goes to a file is written whole.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::Path;
use std::sync::Mutex;

use anyhow::bail;
use indicatif::{MultiProgress, ProgressDrawTarget};
use redraft_gate::format;
use redraft_report::{plain, wrap};

use super::options::Format;
use crate::files::{self, HardLinks};
use crate::inspection;

/// The lines that are being drawn on the terminal, if any are.
static SCREEN: Mutex<Option<MultiProgress>> = Mutex::new(None);

/// From now on messages are printed above these lines.
pub(super) fn share_screen(lines: &MultiProgress) {
    if let Ok(mut screen) = SCREEN.lock() {
        *screen = Some(lines.clone());
    }
}

/// The lines are gone.
pub(super) fn leave_screen() {
    if let Ok(mut screen) = SCREEN.lock() {
        *screen = None;
    }
}

/// Leaves the lines as they are and goes below them: what a terminal shows of Ctrl-C has
/// moved them, so that they cannot be erased any more.
pub(super) fn freeze_screen() {
    if let Some(lines) = SCREEN.lock().ok().and_then(|mut screen| screen.take()) {
        lines.set_draw_target(ProgressDrawTarget::hidden());
    }
    if io::stderr().is_terminal() {
        let _ = anstream::stderr().write_all(b"\n");
    }
}

/// Prints something without tearing the lines that are being drawn.
pub(super) fn undisturbed<T>(print: impl FnOnce() -> T) -> T {
    let lines = SCREEN.lock().ok().and_then(|screen| screen.clone());
    match lines {
        Some(lines) => lines.suspend(print),
        None => print(),
    }
}

/// Takes the lines off the screen while somebody is asked. Nothing waits for the answer: the
/// other documents go on, and their lines come back afterwards.
pub(super) fn alone<T>(ask: impl FnOnce() -> T) -> T {
    let lines = SCREEN.lock().ok().and_then(|screen| screen.clone());
    if let Some(lines) = &lines {
        // What cannot be erased stays above the question.
        let _ = lines.clear();
        lines.set_draw_target(ProgressDrawTarget::hidden());
    }
    let answer = ask();
    if let Some(lines) = lines {
        lines.set_draw_target(ProgressDrawTarget::stderr());
    }
    answer
}

/// Prints a message to standard error, after the name of the program.
pub(super) fn complain(message: &str) {
    let message = format!("redraft: {}\n", plain::screen(message));
    let message = wrap::screen(&message, screen_width());
    // Where standard error is closed, nobody can be told.
    let _ = undisturbed(|| anstream::stderr().write_all(message.as_bytes()));
}

/// Prints a line about what is going on to standard error.
pub(super) fn tell(line: &str) {
    let line = wrap::screen(&format!("{line}\n"), screen_width());
    let _ = anstream::stderr().write_all(plain::screen(&line).as_bytes());
}

/// Prints a short text to standard output, at the width of the terminal.
pub(super) fn say(text: &str) -> io::Result<()> {
    print(Format::Human, text)
}

/// The columns of the terminal that a report is read on.
pub(super) fn report_width() -> Option<usize> {
    width(io::stdout())
}

/// The columns of the terminal that standard error goes to.
pub(super) fn screen_width() -> Option<usize> {
    width(io::stderr())
}

/// The columns of the terminal that a stream goes to; none if it goes elsewhere.
#[cfg(unix)]
fn width(stream: impl std::os::fd::AsFd) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0))
}

#[cfg(windows)]
fn width(stream: impl std::os::windows::io::AsHandle) -> Option<usize> {
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0))
}

/// Prints a report to standard output. Only the human format has colours to strip for a
/// pipe; stripping the others would remove control characters of the content.
pub(super) fn print(format: Format, report: &str) -> io::Result<()> {
    match format {
        Format::Human => {
            let report = wrap::screen(&plain::screen(report), width(io::stdout()));
            anstream::stdout().write_all(report.as_bytes())
        }
        _ => io::stdout().write_all(report.as_bytes()),
    }
}

/// Prints a report to standard error, where standard output carries a text.
pub(super) fn print_aside(format: Format, report: &str) -> io::Result<()> {
    match format {
        Format::Human => {
            let report = wrap::screen(&plain::screen(report), screen_width());
            anstream::stderr().write_all(report.as_bytes())
        }
        _ => io::stderr().write_all(report.as_bytes()),
    }
}

/// Writes a report to a file, or prints it: without a file, and for `-`.
pub(super) fn put(output: Option<&Path>, format: Format, report: &str) -> anyhow::Result<()> {
    let Some(path) = output.filter(|path| !is_stdout(path)) else {
        return Ok(print(format, report)?);
    };
    let text = match format {
        Format::Human => anstream::adapter::strip_str(&plain::screen(report)).to_string(),
        _ => report.to_owned(),
    };
    files::put(path, text.as_bytes(), HardLinks::Refuse)
}

/// Writes a report for programs to a file, or prints it, piece by piece: that of a large bank
/// is as long as the bank and never lies in memory as a whole.
pub(super) fn put_pieces(output: Option<&Path>, report: files::WriteTo<'_>) -> anyhow::Result<()> {
    match output.filter(|path| !is_stdout(path)) {
        Some(path) => files::put_with(path, report, HardLinks::Refuse),
        None => Ok(buffered(&mut io::stdout().lock(), report)?),
    }
}

/// Prints the same to standard error, where standard output carries a text.
pub(super) fn print_pieces_aside(report: files::WriteTo<'_>) -> io::Result<()> {
    buffered(&mut io::stderr().lock(), report)
}

fn buffered(to: &mut dyn io::Write, report: files::WriteTo<'_>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, to);
    report(&mut out)?;
    out.flush()
}

/// Writes a report to a file, or prints it: to standard error where `-` gives standard
/// output to something else.
pub(super) fn put_beside(
    taken: Option<&Path>,
    output: Option<&Path>,
    format: Format,
    report: &str,
) -> anyhow::Result<()> {
    let has_file = output.is_some_and(|path| !is_stdout(path));
    if !has_file && taken.is_some_and(is_stdout) {
        return Ok(print_aside(format, report)?);
    }
    put(output, format, report)
}

/// Fails where an output is a file that the command reads, or a text in a folder that it reads,
/// which would be lost.
pub(super) fn spare<'a>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> anyhow::Result<()> {
    let Some(output) = output.filter(|path| !is_stdout(path)) else {
        return Ok(());
    };
    let Ok(existing) = output.canonicalize() else {
        return Ok(());
    };
    let is_read = |input: &Path| {
        inspection::file_of(input).canonicalize().is_ok_and(|read| {
            read == existing || (existing.starts_with(&read) && is_content(&existing))
        })
    };
    if inputs.into_iter().any(is_read) {
        bail!(
            "{} is read by this command and would be overwritten; write to another file",
            shown(output)
        );
    }
    Ok(())
}

/// Whether a file is named like content, and neither like the reports of ours that a later one
/// may replace nor one of them.
fn is_content(path: &Path) -> bool {
    const REPORT: &[u8] = b"## redraft: ";
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_named_so = extension.is_some_and(|extension| {
        let extension = extension.to_lowercase();
        format::is_read_in_folders(&extension)
            && !["json", "jsonl", "xml"].contains(&extension.as_str())
    });
    let is_report = || {
        let mut head = [0; REPORT.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == REPORT
    };
    path.is_file() && is_named_so && !is_report()
}

/// Fails where two outputs are the same file, so that one would replace the other.
pub(super) fn distinct<'a>(
    outputs: impl IntoIterator<Item = Option<&'a Path>>,
) -> anyhow::Result<()> {
    let mut seen = Vec::new();
    for output in outputs.into_iter().flatten() {
        if is_stdout(output) {
            continue;
        }
        // A file that does not exist yet is known by its folder and its name.
        let folder = match output.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let name = output.file_name().unwrap_or_default();
        let file = folder
            .canonicalize()
            .map_or_else(|_| output.to_owned(), |folder| folder.join(name));
        if seen.contains(&file) {
            bail!(
                "{} is named for two outputs, and one would replace the other; name two files",
                shown(output)
            );
        }
        seen.push(file);
    }
    Ok(())
}

/// Whether an output is standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path in a message: quoted if it contains anything odd.
pub(super) fn shown(path: &Path) -> String {
    plain::path(&inspection::path_text(path)).into_owned()
}
