//! Commands to go on with, complete enough to be pasted: made of the command line that is
//! running, without what the next one must not repeat.

use std::path::Path;

use clap::CommandFactory as _;
use redraft_report::shell;

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

/// The running command again, for the texts of earlier runs.
pub(super) fn continued() -> String {
    let kept = words().into_iter().filter(|word| word != "--continue");
    let mut words: Vec<String> = kept.collect();
    words.push("--continue".to_owned());
    shell::command(words.iter().map(String::as_str))
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
    let command = words.get(1).and_then(|name| cli.find_subcommand(name));
    while let Some(word) = rest.next() {
        if word == "--" {
            break;
        }
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        let found = command
            .into_iter()
            .flat_map(clap::Command::get_arguments)
            .find(|arg| {
                let long = arg
                    .get_long()
                    .is_some_and(|long| name == format!("--{long}"));
                let short = arg.get_short().is_some_and(|short| {
                    !word.starts_with("--")
                        && word
                            .strip_prefix('-')
                            .is_some_and(|rest| rest.starts_with(short))
                });
                long || short
            });
        let Some(arg) = found else {
            // A path.
            continue;
        };
        let is_whole = word.contains('=') || !word.starts_with("--") && word.chars().count() > 2;
        let value = (arg.get_action().takes_values() && !is_whole)
            .then(|| rest.next())
            .flatten();
        if arg.get_long().is_none_or(|long| !without.contains(&long)) {
            kept.push(word.clone());
            kept.extend(value.cloned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(options_of(&words, IN_THE_JOURNAL).join(" "), expected);
        }
    }
}
