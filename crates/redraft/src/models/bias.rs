//! Ruling 24: a judge favours its own family.
//!
//! | writer and judge | both named, another family configured | otherwise |
//! |---|---|---|
//! | of different families | – | no |
//! | of the same family | refused | possible |
//! | of an unknown one | – | possible |
//!
//! Named means: in the table of the role or of its group. A model that merely
//! came by `default`, or was found, was not chosen for judging its own text.

use std::collections::{BTreeMap, BTreeSet};

use redraft_run::ask::Role;

use super::family::Family;
use super::names::{JUDGES, WRITERS};
use super::resolve::Seated;
use crate::config::{Config, ConfigError};

/// Whether a judge may favour the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfPreference {
    /// No judge is of a writer's family.
    No,
    /// This one is, or nobody knows.
    Possible {
        /// Who judges.
        judge: Role,
        /// Who writes.
        writer: Role,
        /// Their family, where it is known.
        family: Option<Family>,
    },
}

/// Looks at who writes and who judges.
pub(super) fn look(
    roles: &BTreeMap<Role, Seated>,
    config: &Config,
) -> Result<Option<SelfPreference>, ConfigError> {
    let configured = families(roles, config);
    let mut seen = None;
    for judge in JUDGES {
        for writer in WRITERS {
            let (Some(judging), Some(writing)) = (roles.get(&judge), roles.get(&writer)) else {
                continue;
            };
            let shared = shared(judging, writing);
            let (Relation::Same(family), true) = (&shared, judging.is_named && writing.is_named)
            else {
                if seen.is_none() || seen == Some(SelfPreference::No) {
                    seen = Some(verdict(shared, judge, writer));
                }
                continue;
            };
            let others: Vec<String> = configured
                .iter()
                .filter(|other| *other != family)
                .map(ToString::to_string)
                .collect();
            if !others.is_empty() {
                let message = format!(
                    "{judge} ({}) would judge what {writer} ({}) writes, and both are {family} models; judges prefer their own family. Name a model of another family for one of them; configured: {}",
                    first_model(judging),
                    first_model(writing),
                    others.join(", ")
                );
                return Err(config.source().error_on(judging.origins.line(), message));
            }
            if seen.is_none() || seen == Some(SelfPreference::No) {
                seen = Some(verdict(shared, judge, writer));
            }
        }
    }
    Ok(seen)
}

enum Relation {
    Different,
    Same(Family),
    Unknown,
}

fn verdict(relation: Relation, judge: Role, writer: Role) -> SelfPreference {
    let family = match relation {
        Relation::Different => return SelfPreference::No,
        Relation::Same(family) => Some(family),
        Relation::Unknown => None,
    };
    SelfPreference::Possible {
        judge,
        writer,
        family,
    }
}

/// What the first model of each has to do with the other.
fn shared(judging: &Seated, writing: &Seated) -> Relation {
    let family = |seated: &Seated| seated.asked.first().and_then(|asked| asked.family.clone());
    match (family(judging), family(writing)) {
        (Some(judge), Some(writer)) if judge == writer => Relation::Same(judge),
        (Some(_), Some(_)) => Relation::Different,
        _ => Relation::Unknown,
    }
}

/// Every family that the file knows of.
fn families(roles: &BTreeMap<Role, Seated>, config: &Config) -> BTreeSet<Family> {
    let of_roles = roles
        .values()
        .flat_map(|seated| &seated.asked)
        .filter_map(|asked| asked.family.clone());
    let of_models = config.file().models.iter().filter_map(|(name, entry)| {
        let told = entry.family.as_deref().map(|family| Family::named(family));
        told.or_else(|| Family::of_model(entry.model.as_deref().unwrap_or(name)))
    });
    of_roles.chain(of_models).collect()
}

fn first_model(seated: &Seated) -> &str {
    let model = seated.seat.models.first();
    model.map_or("", |model| model.model.as_str())
}
