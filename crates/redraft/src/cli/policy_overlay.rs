//! A `--policy` file: it overrides what it names and nothing else, at the top or under
//! `[decide]`; `[decide.semi-auto]` and `[decide.full-auto]` hold in their mode only.
//!
//! | in the file | then |
//! |---|---|
//! | a key of the policy | it replaces the profile's value |
//! | a table, complete or not | its keys replace those of the profile's table |
//! | another key | an error that names the nearest one |
//! | `[decide]`, and keys outside it | an error: nothing is ignored silently |

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use redraft_run::policy::{Mode, Policy};
use toml::Table;
use toml::de::{DeTable, DeValue};

use crate::config::suggest::suggestion;
use crate::files;

/// The tables of a mode, which hold in that mode only.
const MODES: [Mode; 2] = [Mode::SemiAuto, Mode::FullAuto];

/// Old names of keys that still work.
const RENAMED: [(&str, &str); 1] = [("edits-a-part", "edits-per-component")];

/// Lays a policy file over a policy.
pub(super) fn overlay(policy: &Policy, mode: Mode, path: &Path) -> anyhow::Result<Policy> {
    let text = std::fs::read_to_string(path).with_context(|| files::cannot_read(path))?;
    overlay_text(policy, mode, &path.display().to_string(), &text)
}

/// Lays the text of a policy file over a policy; `name` is what errors call it.
pub(super) fn overlay_text(
    policy: &Policy,
    mode: Mode,
    name: &str,
    text: &str,
) -> anyhow::Result<Policy> {
    overlaid(policy, mode, text).map_err(|mistake| anyhow!("{name}{}", mistake.told(text)))
}

/// What is wrong with the file, and where.
#[derive(Debug)]
struct Mistake {
    at: Option<Range<usize>>,
    message: String,
}

impl Mistake {
    fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at: Some(at),
            message: message.into(),
        }
    }

    /// `:3: unknown key …`, after the path of the file.
    fn told(&self, text: &str) -> String {
        match &self.at {
            Some(at) => {
                let before = text.get(..at.start).unwrap_or_default();
                format!(":{}: {}", before.matches('\n').count() + 1, self.message)
            }
            None => format!(": {}", self.message),
        }
    }
}

fn overlaid(policy: &Policy, mode: Mode, text: &str) -> Result<Policy, Mistake> {
    let invalid = |error: toml::de::Error| Mistake {
        at: error.span(),
        message: format!("invalid TOML: {}", error.message().replace('\n', "; ")),
    };
    let written = DeTable::parse(text).map_err(invalid)?;
    check_keys(written.get_ref())?;
    let mut table: Table = text.parse().map_err(invalid)?;
    if let Some(toml::Value::Table(decide)) = table.remove("decide") {
        table = decide;
    }
    let mut tables: Vec<Table> = Vec::new();
    for one in MODES {
        if let Some(toml::Value::Table(own)) = table.remove(one.name())
            && one == mode
        {
            tables.push(own);
        }
    }
    tables.insert(0, table);
    let mut figures = Table::try_from(policy).map_err(|error| Mistake {
        at: None,
        message: format!("internal error; please report it: {error}"),
    })?;
    for table in tables {
        merge(&mut figures, table);
    }
    figures.try_into().map_err(|error: toml::de::Error| {
        let key = error_key(&error);
        Mistake {
            at: key.and_then(|key| position(written.get_ref(), key)),
            message: error.to_string().trim().replace('\n', " "),
        }
    })
}

/// The key that a message of the TOML reader is about: ``… in `accept` ``.
fn error_key(error: &toml::de::Error) -> Option<&'static str> {
    let message = error.to_string();
    let (_, place) = message.rsplit_once("in `")?;
    let path = place.split('`').next()?;
    let last = path.rsplit('.').next()?;
    known().into_iter().find(|key| *key == last)
}

/// Where a key is written.
fn position(table: &DeTable<'_>, wanted: &str) -> Option<Range<usize>> {
    table.iter().find_map(|(key, value)| {
        if key.get_ref() == wanted {
            return Some(key.span());
        }
        match value.get_ref() {
            DeValue::Table(inner) => position(inner, wanted),
            _ => None,
        }
    })
}

/// Replaces what the other table names, also inside tables.
fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        let new_name = RENAMED.iter().find(|(old, _)| *old == key);
        let key = new_name.map_or(key, |(_, new)| (*new).to_owned());
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(known)), toml::Value::Table(more)) => merge(known, more),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Every key is one of the policy's.
fn check_keys(file: &DeTable<'_>) -> Result<(), Mistake> {
    let decide = file.iter().find(|(key, _)| key.get_ref() == "decide");
    let Some((_, decide)) = decide else {
        return check_table(file, Level::Decide);
    };
    if let Some((other, _)) = file.iter().find(|(key, _)| key.get_ref() != "decide") {
        let name = other.get_ref();
        let advice = match name.as_ref() {
            "checks" => "parameters of checks belong in redraft.toml",
            _ => "put it under [decide]",
        };
        return Err(Mistake::new(
            other.span(),
            format!("`{name}` is outside [decide]: {advice}"),
        ));
    }
    match decide.get_ref() {
        DeValue::Table(decide) => check_table(decide, Level::Decide),
        _ => Err(Mistake::new(
            decide.span(),
            "`decide` must be a table: write [decide]",
        )),
    }
}

/// Which keys a table may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Decide,
    Mode,
    Table(&'static str),
}

fn check_table(table: &DeTable<'_>, level: Level) -> Result<(), Mistake> {
    let known = match level {
        Level::Decide => {
            let modes = MODES.into_iter().map(Mode::name);
            Policy::keys().chain(modes).collect()
        }
        Level::Mode => Policy::keys().collect(),
        Level::Table(name) => Policy::keys_of(name),
    };
    for (key, value) in table {
        let name: &str = key.get_ref();
        let is_old = RENAMED
            .iter()
            .any(|(old, new)| *old == name && known.contains(new));
        let Some(found) = known.iter().copied().find(|one| *one == name) else {
            if is_old {
                continue;
            }
            let advice = suggestion(name, known.iter().copied());
            return Err(Mistake::new(
                key.span(),
                format!("unknown key \"{name}\"; {advice}"),
            ));
        };
        let inner = match level {
            Level::Decide if MODES.iter().any(|mode| mode.name() == found) => Level::Mode,
            _ => Level::Table(found),
        };
        let is_table = inner == Level::Mode || !Policy::keys_of(found).is_empty();
        match value.get_ref() {
            DeValue::Table(table) => check_table(table, inner)?,
            _ if is_table => {
                return Err(Mistake::new(
                    key.span(),
                    format!("\"{name}\" must be a table"),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// All keys there are.
fn known() -> Vec<&'static str> {
    let inner = Policy::keys().flat_map(Policy::keys_of);
    Policy::keys().chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use redraft_profiles::registry;

    use super::*;

    fn policies() -> Vec<(&'static str, Mode, Policy)> {
        let mut all = Vec::new();
        for profile in registry::PROFILES {
            for mode in MODES {
                all.push((profile.id().0, mode, profile.decision(mode).clone()));
            }
        }
        all
    }

    #[test]
    fn a_partial_table_overrides_only_what_it_names() {
        for (name, mode, policy) in policies() {
            let with = |text: &str| overlaid(&policy, mode, text);
            for text in [
                "[decide.repair]\niterations = 7\n",
                "[repair]\niterations = 7\n",
                "repair.iterations = 7\n",
                "decide.repair = { iterations = 7 }\n",
            ] {
                let mut expected = policy.clone();
                expected.repair.iterations = 7;
                assert_eq!(with(text).unwrap(), expected, "{name}: {text}");
            }
            let mut expected = policy.clone();
            expected.repair.edits_per_component = 5;
            let old = "[decide.repair]\nedits-a-part = 5\n";
            assert_eq!(with(old).unwrap(), expected, "{name}");
            assert_eq!(with("").unwrap(), policy, "{name}");
        }
    }

    #[test]
    fn the_table_of_a_mode_holds_in_that_mode_only() {
        let text = "[decide]\nseconds = 9\n[decide.semi-auto]\naccept = 0.99\nrepair.tokens = 1\n\
                    [decide.full-auto]\ngood-enough = { from = 0.5, warns = true }\n";
        for (name, mode, policy) in policies() {
            let now = overlaid(&policy, mode, text).unwrap();
            assert_eq!(now.seconds, 9);
            let is_semi = mode == Mode::SemiAuto;
            assert_eq!(now.accept.thousandths() == 990, is_semi, "{name}");
            assert_eq!(now.repair.tokens == 1, is_semi, "{name}");
            let from = now.good_enough.map(|enough| enough.from.thousandths());
            assert_eq!(from == Some(500), !is_semi, "{name}");
        }
    }

    #[test]
    fn a_part_of_an_inline_table_leaves_the_rest() {
        let is_lesson = |(name, ..): &(&str, Mode, Policy)| *name == "lesson";
        let (_, mode, policy) = policies().into_iter().find(is_lesson).unwrap();
        let now = overlaid(&policy, mode, "good-enough = { from = 0.8 }").unwrap();
        let (now, before) = (now.good_enough.unwrap(), policy.good_enough.unwrap());
        assert_eq!(now.from.thousandths(), 800);
        assert_eq!(now.warns, before.warns);
    }

    #[test]
    fn what_is_not_of_a_policy_is_an_error_with_the_line_and_the_nearest_name() {
        let (_, mode, policy) = policies().remove(0);
        for (text, expected) in [
            (
                "acept = 0.95\n",
                ":1: unknown key \"acept\"; did you mean \"accept\"?",
            ),
            (
                "[decide.repair]\ntokens = 9\niteration = 7\n",
                ":3: unknown key \"iteration\"; did you mean \"iterations\"?",
            ),
            (
                "[decide.semi-atuo]\naccept = 0.9\n",
                ":1: unknown key \"semi-atuo\"; did you mean \"semi-auto\"?",
            ),
            (
                "[decide.semi-auto]\nacept = 0.9\n",
                ":2: unknown key \"acept\"; did you mean \"accept\"?",
            ),
            (
                "[decide.full-auto.semi-auto]\naccept = 0.9\n",
                ":1: unknown key \"semi-auto\"",
            ),
            (
                "accept = 0.5\n\n[decide]\nseconds = 9\n",
                ":1: `accept` is outside [decide]: put it under [decide]",
            ),
            (
                "[decide]\nseconds = 9\n[checks.word-count]\nleast = 9\n",
                ":3: `checks` is outside [decide]: parameters of checks belong in redraft.toml",
            ),
            ("decide = 3\n", ":1: `decide` must be a table"),
            ("repair = 3\n", ":1: \"repair\" must be a table"),
            ("semi-auto = true\n", ":1: \"semi-auto\" must be a table"),
            ("seconds = 9\naccept = \n", ":2: invalid TOML"),
            ("seconds = 9\naccept = \"high\"\n", ":2: "),
            ("[decide.repair]\ntokens = -1\n", ":2: "),
            ("[decide.repair]\ntargets = \"best\"\n", ":2: "),
        ] {
            let mistake = overlaid(&policy, mode, text).unwrap_err();
            let told = mistake.told(text);
            assert!(told.starts_with(expected), "{text}: {told}");
        }
    }
}
