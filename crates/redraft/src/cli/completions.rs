//! `redraft completions` and `redraft man`: both are made from the command line itself, so
//! that they cannot fall behind it.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::exit::Exit;
use super::output::shown;
use crate::files::{self, HardLinks};
use redraft_report::count::counted;

/// Options of `completions`.
#[derive(Clone, Copy, Debug, Args)]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Clone, Debug, Args)]
pub struct ManOptions {
    /// Write the pages of all commands to this folder
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

pub(super) fn print(options: &CompletionsOptions) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut super::command(), "redraft", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Clean)
}

pub(super) fn manual(options: &ManOptions) -> anyhow::Result<Exit> {
    let mut command = super::command();
    command.build();
    let Some(folder) = &options.output else {
        io::stdout().write_all(&page(&command)?)?;
        return Ok(Exit::Clean);
    };
    let pages = pages(&command)?;
    for (name, page) in &pages {
        files::put(&folder.join(name), page, HardLinks::Refuse)?;
    }
    writeln!(
        anstream::stdout(),
        "saved {} to {}",
        counted(pages.len(), "manual page"),
        shown(folder)
    )?;
    Ok(Exit::Clean)
}

/// The pages of the program and of all its commands, with their file names.
fn pages(command: &Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut pages = Vec::new();
    add(&mut pages, command, "redraft")?;
    Ok(pages)
}

fn add(pages: &mut Vec<(String, Vec<u8>)>, command: &Command, name: &str) -> io::Result<()> {
    let named = command.clone().display_name(name.to_owned());
    pages.push((format!("{name}.1"), page(&named)?));
    for one in commands_of(command) {
        add(pages, one, &format!("{name}-{}", one.get_name()))?;
    }
    Ok(())
}

fn commands_of(command: &Command) -> impl Iterator<Item = &Command> {
    let all = command.get_subcommands();
    all.filter(|one| one.get_name() != "help")
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;
    use crate::cli;

    #[test]
    fn every_command_and_option_has_its_place_in_the_manual() {
        let mut command = cli::command();
        command.build();
        let pages = pages(&command).unwrap();
        for one in commands_of(&command) {
            let file = format!("redraft-{}.1", one.get_name());
            let (_, page) = pages.iter().find(|(name, _)| *name == file).unwrap();
            let page = String::from_utf8_lossy(page).replace("\\-", "-");
            for option in one.get_arguments().filter_map(clap::Arg::get_long) {
                assert!(page.contains(&format!("--{option}")), "{file}: --{option}");
            }
        }
        let has_sarif = |command: &str| {
            let file = format!("redraft-{command}.1");
            let (_, page) = pages.iter().find(|(name, _)| *name == file).unwrap();
            String::from_utf8_lossy(page).contains("sarif")
        };
        assert!(has_sarif("check") && !has_sarif("plan"));
        let first = String::from_utf8_lossy(&pages[0].1).replace("\\-", "-");
        for one in command.get_subcommands() {
            assert!(first.contains(one.get_name()), "{}", one.get_name());
        }
    }

    #[test]
    fn every_shell_completes_every_command_and_option() {
        for shell in Shell::value_variants() {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut cli::command(), "redraft", &mut script);
            let script = String::from_utf8(script).unwrap();
            for one in cli::command().get_subcommands() {
                assert!(
                    script.contains(one.get_name()),
                    "{shell}: {}",
                    one.get_name()
                );
                for option in one.get_arguments().filter_map(clap::Arg::get_long) {
                    // Fish names options without their dashes.
                    let named = match shell {
                        Shell::Fish => format!("-l {option}"),
                        _ => format!("--{option}"),
                    };
                    assert!(script.contains(&named), "{shell}: {named}");
                }
            }
        }
    }
}
