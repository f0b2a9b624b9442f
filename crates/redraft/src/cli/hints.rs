//! Commands to go on with, complete enough to be pasted: made of the command line that is
//! running, without what the next one must not repeat.

use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};
use redraft_report::shell;
use redraft_run::policy::Mode;

use super::Cli;

/// What a resumed run takes from its journal.
const IN_THE_JOURNAL: &[&str] = &[
    "policy",
    "rubric",
    "mode",
    "profile",
    "language",
    "spec",
    "sources",
    "sow",
    "outcomes",
    "feedback-language",
    "require-judged",
    "concurrency",
    "fresh",
    "resume",
    "continue",
    "skip-unknown",
    "allow-empty",
];

/// The running command again, for the texts of earlier runs, with these options more.
pub(super) fn continued(more: &[&str]) -> String {
    let words = again(words(), more);
    shell::command(words.iter().map(String::as_str))
}

fn again(words: Vec<String>, more: &[&str]) -> Vec<String> {
    let kept = words.into_iter().filter(|word| word != "--continue");
    let mut words: Vec<String> = kept.collect();
    // What follows `--` is a path.
    let end = words.iter().position(|word| word == "--");
    let end = end.unwrap_or(words.len());
    // A run that is resumed by name is found without it.
    let is_resumed = words.iter().any(|word| {
        let rest = word.strip_prefix("--resume");
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    });
    let go_on = ["--continue"].into_iter().filter(|_| !is_resumed);
    let added = go_on.chain(more.iter().copied()).map(str::to_owned);
    words.splice(end..end, added);
    words
}

/// The running command for the run in a journal, with these options more.
pub(super) fn resumed(journal: &Path, more: &[&str]) -> String {
    let mut without: Vec<&str> = more
        .iter()
        .filter_map(|word| word.strip_prefix("--"))
        .collect();
    // One place to write to takes the place of the other.
    match without.first() {
        Some(&"output") => without.extend(["write", "accept-best"]),
        Some(&"write") => without.push("output"),
        _ => {}
    }
    let journal = journal.to_string_lossy().into_owned();
    let mut words = options_of(&words(), &[IN_THE_JOURNAL, &without].concat());
    words.extend(["--resume".to_owned(), journal]);
    words.extend(more.iter().map(|word| (*word).to_owned()));
    shell::command(words.iter().map(String::as_str))
}

/// The running command for a text as it is now, instead of the run that it resumes. What the
/// journal knows of a policy and a rubric is their content, not their files.
pub(super) fn anew(path: &Path, mode: Mode) -> String {
    let mut words = options_of(&words(), &["resume", "continue", "mode"]);
    words.push(path.to_string_lossy().into_owned());
    if mode == Mode::SemiAuto {
        words.extend(["--mode", "semi-auto"].map(str::to_owned));
    }
    shell::command(words.iter().map(String::as_str))
}

/// The command line, with the plain name of the program.
fn words() -> Vec<String> {
    let own = std::env::args_os().skip(1);
    let own = own.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("redraft".to_owned()).chain(own).collect()
}

/// Program, command and those options that are not among these.
fn options_of(words: &[String], without: &[&str]) -> Vec<String> {
    let cli = Cli::command();
    let mut rest = words.iter().skip(2);
    let mut kept: Vec<String> = words.iter().take(2).cloned().collect();
    let Some(command) = words.get(1).and_then(|name| cli.find_subcommand(name)) else {
        return kept;
    };
    let is_kept = |arg: &Arg| arg.get_long().is_none_or(|long| !without.contains(&long));
    while let Some(word) = rest.next() {
        if word == "--" {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            let name = long.split_once('=').map_or(long, |(name, _)| name);
            let Some(arg) = argument(command, |arg| arg.get_long() == Some(name)) else {
                continue;
            };
            let has_value = arg.get_action().takes_values() && !long.contains('=');
            let value = has_value.then(|| rest.next()).flatten();
            if is_kept(arg) {
                kept.push(word.clone());
                kept.extend(value.cloned());
            }
            continue;
        }
        // A path has no letters.
        let mut letters = word.strip_prefix('-').unwrap_or_default();
        while let Some(letter) = letters.chars().next() {
            letters = letters.get(letter.len_utf8()..).unwrap_or_default();
            let Some(arg) = argument(command, |arg| arg.get_short() == Some(letter)) else {
                break;
            };
            // The first letter that takes a value takes the rest, or the next word.
            let mut own = vec![format!("-{letter}")];
            if arg.get_action().takes_values() {
                match std::mem::take(&mut letters) {
                    "" => own.extend(rest.next().cloned()),
                    joined => own = vec![format!("-{letter}{joined}")],
                }
            }
            if is_kept(arg) {
                kept.extend(own);
            }
        }
    }
    kept
}

fn argument(command: &Command, is_it: impl Fn(&Arg) -> bool) -> Option<&Arg> {
    command.get_arguments().find(|arg| is_it(arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_again_goes_on_with_earlier_runs() {
        for (line, more, expected) in [
            (
                "redraft refine a b --continue --runs r",
                &["--write"][..],
                "redraft refine a b --runs r --continue --write",
            ),
            (
                "redraft refine --write -- -a.md",
                &["--accept-best"],
                "redraft refine --write --continue --accept-best -- -a.md",
            ),
            (
                "redraft refine --resume r.jsonl",
                &["--write"],
                "redraft refine --resume r.jsonl --write",
            ),
            ("redraft judge a", &[], "redraft judge a --continue"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(again(words, more).join(" "), expected);
        }
    }

    #[test]
    fn a_resumed_run_keeps_its_options_and_drops_paths_and_what_its_journal_has() {
        for (line, expected) in [
            ("redraft judge a.md", "redraft judge"),
            (
                "redraft refine a.md --mode semi-auto -o out.md --runs r --policy=p.toml b.md",
                "redraft refine -o out.md --runs r",
            ),
            (
                "redraft refine -j 3 --write --script s.toml -q -- a.md",
                "redraft refine --write --script s.toml -q",
            ),
            (
                "redraft refine -oout.md --format=json a.md -",
                "redraft refine -oout.md --format=json",
            ),
            (
                "redraft write --spec s.json -o l.md --report r.txt",
                "redraft write -o l.md --report r.txt",
            ),
            ("redraft refine a.md -wj 2", "redraft refine -w"),
            ("redraft refine a.md -wj2 -q", "redraft refine -w -q"),
            ("redraft refine -qo z.md a.md", "redraft refine -q -o z.md"),
            ("redraft refine -qoz.md - a.md", "redraft refine -q -oz.md"),
            (
                "redraft refine -j=2 --runs=r a.md",
                "redraft refine --runs=r",
            ),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(options_of(&words, IN_THE_JOURNAL).join(" "), expected);
        }
    }
}
