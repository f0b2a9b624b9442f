//! The reviewer at the terminal, who decides in semi-auto mode about a text that was not
//! accepted. What they see and are asked is worded in `redraft_report::review_case`.
//!
//! | key | decision |
//! |---|---|
//! | a | accept, unless nobody scored it or an error is open |
//! | e | the text as changed in the editor, which is judged again |
//! | i | another round of repair with an instruction |
//! | r | reject |
//! | c | undecided |
//! | q, Ctrl-C, end of input | none: all runs are left, and ask again when they are resumed |

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use redraft_engine::clock::BoxFuture;
use redraft_engine::driver::Human;
use redraft_report::review_case::{self, KEYS, QUESTION};
use redraft_report::{plain, sentences};
use redraft_run::run::{Decision, ReviewCase};
use tokio::sync::{Mutex, watch};

use super::output::{self, screen_width};
use super::run_options::{ModeName, RunOptions};
use crate::inspection::{file_of, path_text};

/// Whether the user at the terminal decides: in semi-auto mode, unless the terminal is where
/// the text comes from.
pub(super) fn is_asked(options: &RunOptions) -> bool {
    let is_input = options.paths.iter().any(|path| output::is_stdout(path));
    options.judging.mode == Some(ModeName::SemiAuto) && !is_input && is_there()
}

fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The user at the terminal, who is asked about one text at a time, however many are
/// worked on at once.
#[derive(Clone)]
pub(super) struct Reviewer {
    /// Held from showing a case to its answer.
    turn: Arc<Mutex<()>>,
    /// Stops all runs once the reviewer leaves.
    stop: watch::Sender<bool>,
}

impl Reviewer {
    pub(super) fn new(stop: watch::Sender<bool>) -> Self {
        Self {
            turn: Arc::default(),
            stop,
        }
    }

    /// Who decides about a text, if there is anybody.
    pub(super) fn of_text(&self, path: &Path) -> Option<Arc<dyn Human>> {
        is_there().then(|| {
            Arc::new(Terminal {
                path: path_text(path),
                reviewer: self.clone(),
            }) as Arc<dyn Human>
        })
    }
}

#[derive(Clone)]
struct Terminal {
    path: String,
    reviewer: Reviewer,
}

impl Human for Terminal {
    fn decide(&self, case: &ReviewCase) -> BoxFuture<Option<Decision>> {
        let (terminal, case) = (self.clone(), case.clone());
        Box::pin(async move {
            let turn = Arc::clone(&terminal.reviewer.turn).lock_owned().await;
            let stop = terminal.reviewer.stop.clone();
            // Whoever left is not asked about the next text.
            if *stop.borrow() {
                return None;
            }
            let asked = tokio::task::spawn_blocking(move || {
                // The turn ends with the answer, also where nobody waits for it any more.
                let _turn = turn;
                output::alone(|| terminal.ask(&case))
            });
            let decision = asked.await.ok().flatten();
            if decision.is_none() {
                stop.send_replace(true);
            }
            decision
        })
    }
}

impl Terminal {
    /// Asks until there is an answer; `None` if the reviewer leaves.
    fn ask(&self, case: &ReviewCase) -> Option<Decision> {
        let shown = review_case::human(&self.path, case);
        tell(&redraft_report::wrap::screen(&shown, screen_width()));
        loop {
            let key = answer(QUESTION)?.to_lowercase();
            let decision = match key.as_str() {
                "a" | "approve" => approve(case),
                "e" | "edit" => self.edit(case),
                "i" | "instruct" => instruct(case),
                "r" | "reject" => Some(Decision::Reject { by: name() }),
                "c" | "cannot decide" => Some(Decision::Undecided { by: name() }),
                "q" | "quit" => return None,
                "" | "?" | "h" | "help" => {
                    tell(KEYS);
                    None
                }
                other => {
                    tell(&format!("unknown key: {}\n{KEYS}", plain::words(other)));
                    None
                }
            };
            if decision.is_some() {
                return decision;
            }
        }
    }

    fn edit(&self, case: &ReviewCase) -> Option<Decision> {
        if let Some(reason) = case.cannot_change {
            tell(&format!(
                "it cannot be edited: {}\n",
                sentences::refused(reason)
            ));
            return None;
        }
        match edited(&self.path, &case.content) {
            Ok(content) if *content == *case.content => {
                tell("nothing was changed in the editor\n");
                None
            }
            Ok(content) => Some(Decision::Edit {
                by: name(),
                content,
            }),
            Err(error) => {
                tell(&format!("{error:#}\n"));
                None
            }
        }
    }
}

fn approve(case: &ReviewCase) -> Option<Decision> {
    let Some(reason) = case.cannot_accept else {
        return Some(Decision::Accept { by: name() });
    };
    tell(&format!(
        "it cannot be approved: {}; edit or reject it\n",
        sentences::refused(reason)
    ));
    None
}

fn instruct(case: &ReviewCase) -> Option<Decision> {
    if let Some(reason) = case.cannot_change {
        tell(&format!(
            "it cannot be repaired: {}\n",
            sentences::refused(reason)
        ));
        return None;
    }
    let instruction = answer("Instruction for the next attempt: ")?;
    (!instruction.is_empty()).then(|| Decision::Retry {
        by: name(),
        instruction,
    })
}

fn tell(text: &str) {
    // Where standard error is closed, nobody can be told.
    let _ = anstream::stderr().write_all(plain::screen(text).as_bytes());
}

/// A line of the reviewer; `None` when the input ends.
fn answer(question: &str) -> Option<String> {
    tell(question);
    let _ = io::stderr().flush();
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(read) if read > 0 => Some(line.trim().to_owned()),
        _ => {
            tell("\n");
            None
        }
    }
}

fn name() -> String {
    let name = ["USER", "USERNAME", "LOGNAME"]
        .into_iter()
        .find_map(|variable| std::env::var(variable).ok().filter(|name| !name.is_empty()));
    name.unwrap_or_else(|| "unknown user".to_owned())
}

/// The text as edited in the user's editor.
fn edited(path: &str, content: &str) -> anyhow::Result<String> {
    let editor = editor().context("no editor found; set EDITOR to the name of one")?;
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let file = file_of(Path::new(path));
    let extension = file.extension().and_then(|name| name.to_str());
    let file = folder
        .path()
        .join(format!("text.{}", extension.unwrap_or("md")));
    std::fs::write(&file, content).context("cannot write the text")?;
    let mut words = editor.split_whitespace();
    let program = words
        .next()
        .context("EDITOR is empty; set it to a program")?;
    let status = Command::new(program)
        .args(words)
        .arg(&file)
        .status()
        .with_context(|| format!("cannot start {program}; set EDITOR to another editor"))?;
    if !status.success() {
        bail!("{program} failed ({status}); nothing was changed");
    }
    std::fs::read_to_string(&file).context("cannot read the text back")
}

/// `VISUAL`, else `EDITOR`, else the first usual editor there is.
fn editor() -> Option<String> {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|variable| {
        std::env::var(variable)
            .ok()
            .filter(|name| !name.trim().is_empty())
    });
    let usual: &[&str] = if cfg!(windows) {
        &["notepad"]
    } else {
        &["nano", "vi"]
    };
    let folders: Vec<PathBuf> = std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default();
    let is_there =
        |name: &&&str| cfg!(windows) || folders.iter().any(|folder| folder.join(name).is_file());
    named.or_else(|| usual.iter().find(is_there).map(|name| (*name).to_owned()))
}
