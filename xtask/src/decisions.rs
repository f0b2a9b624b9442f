//! `docs/decisions.md` says what each ruling decided and which file holds it. Tested here,
//! because nothing generates the page: a file that moved, or a ruling that a comment cites
//! and the page does not have, would lead a reader astray.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::process::Repository;
use crate::steps::Outcome;

const PAGE: &str = "docs/decisions.md";

/// Folders in which comments cite rulings.
const CITING: [&str; 3] = ["crates", "xtask", "bench"];

/// Fails if a file of the page is missing, or a cited ruling is not on it.
pub(crate) fn check(repository: &Repository) -> Result<Outcome> {
    let page =
        fs::read_to_string(repository.path(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let missing: Vec<&str> = homes(&page)
        .filter(|home| !repository.path("crates").join(home).exists())
        .collect();
    if !missing.is_empty() {
        bail!("{PAGE} names what is not there: {}", missing.join(", "));
    }
    let mut cited = BTreeSet::new();
    for folder in CITING {
        cited_below(&repository.path(folder), &mut cited)?;
    }
    let unlisted: Vec<String> = cited
        .difference(&listed(&page))
        .map(ToString::to_string)
        .collect();
    if !unlisted.is_empty() {
        bail!(
            "comments cite rulings that {PAGE} does not have: {}",
            unlisted.join(", ")
        );
    }
    Ok(Outcome::Ran)
}

/// The files in the last column of the page's tables.
fn homes(page: &str) -> impl Iterator<Item = &str> {
    page.lines()
        .filter(|line| line.starts_with("| "))
        .filter_map(|line| line.trim_end_matches(" |").rsplit(" | ").next())
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
}

/// The rulings of the page.
fn listed(page: &str) -> BTreeSet<u32> {
    page.lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok())
        .collect()
}

fn cited_below(folder: &Path, cited: &mut BTreeSet<u32>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            cited_below(&path, cited)?;
        } else if matches!(extension, Some("rs" | "toml" | "md")) {
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            cited.extend(citations(&text));
        }
    }
    Ok(())
}

/// The numbers after `ruling` and `rulings`: "ruling 9", "rulings 48 and 65".
fn citations(text: &str) -> Vec<u32> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (_, after) in lower
        .match_indices("ruling")
        .map(|(at, word)| lower.split_at(at + word.len()))
    {
        let after = after.strip_prefix('s').unwrap_or(after);
        let mut words = after
            .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '-'))
            .filter(|word| !matches!(*word, "" | "and" | "to" | "//!" | "///" | "//" | "#"));
        while let Some(number) = words
            .next()
            .and_then(leading_number)
            .filter(|number| *number > 0)
        {
            found.push(number);
        }
    }
    found
}

fn leading_number(word: &str) -> Option<u32> {
    let end = word
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(word.len());
    word.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_read_in_all_their_forms() {
        assert_eq!(citations("(ruling 9)"), [9]);
        assert_eq!(citations("Rulings 48 and 65: no"), [48, 65]);
        assert_eq!(citations("rulings 59-61, 70"), [59, 61, 70]);
        assert_eq!(citations("/// under ruling\n/// 12."), [12]);
        assert_eq!(citations("a ruling of the arbiter, 3 times"), []);
    }

    #[test]
    fn numbers_and_files_of_the_page_are_read() {
        let page = "| ruling | decision | where |\n|---|---|---|\n| 7 | A `word`. | `text/src/a.rs`, `gate/src` |\n";
        assert_eq!(listed(page), BTreeSet::from([7]));
        assert_eq!(
            homes(page).collect::<Vec<_>>(),
            ["text/src/a.rs", "gate/src"]
        );
    }
}
