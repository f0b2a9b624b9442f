//! Ruling 24: judges prefer texts of their own model family.
//!
//! | writer and judge | both named, another family configured | otherwise |
//! |---|---|---|
//! | of different families | – | no self-preference |
//! | of the same family | error | self-preference possible |
//! | of an unknown family | – | self-preference possible |
//!
//! Named means: in the table of the role or of its group. A model from `default` or
//! from the environment was not chosen to judge its own text.

use std::collections::{BTreeMap, BTreeSet};

use redraft_run::ask::Role;

use super::assignment::AssignedModels;
use super::family::Family;
use crate::config::roles::{JUDGES, WRITERS};
use crate::config::{Config, ConfigError};

/// Whether a judge may prefer the writer's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfPreference {
    /// No judge shares a family with a writer.
    No,
    /// These two share a family, or the family of one is unknown.
    Possible {
        judge: Role,
        writer: Role,
        /// Their family, if it is known.
        family: Option<Family>,
    },
}

/// # Errors
/// If the file names a judge of the writer's family and has a choice.
pub(super) fn check(
    roles: &BTreeMap<Role, AssignedModels>,
    config: &Config,
) -> Result<Option<SelfPreference>, ConfigError> {
    let configured = families(roles, config);
    let mut seen = None;
    for judge in JUDGES {
        for writer in WRITERS {
            let (Some(judging), Some(writing)) = (roles.get(&judge), roles.get(&writer)) else {
                continue;
            };
            let relation = relation(judging, writing);
            let (Relation::Same(family), true) = (&relation, judging.is_named && writing.is_named)
            else {
                if seen.is_none() || seen == Some(SelfPreference::No) {
                    seen = Some(preference(relation, judge, writer));
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
                seen = Some(preference(relation, judge, writer));
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

fn preference(relation: Relation, judge: Role, writer: Role) -> SelfPreference {
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

/// Compares the families of the first model of each.
fn relation(judging: &AssignedModels, writing: &AssignedModels) -> Relation {
    let family = |models: &AssignedModels| models.info.first().and_then(|info| info.family.clone());
    match (family(judging), family(writing)) {
        (Some(judge), Some(writer)) if judge == writer => Relation::Same(judge),
        (Some(_), Some(_)) => Relation::Different,
        _ => Relation::Unknown,
    }
}

/// Every family in the configuration.
fn families(roles: &BTreeMap<Role, AssignedModels>, config: &Config) -> BTreeSet<Family> {
    let of_roles = roles
        .values()
        .flat_map(|models| &models.info)
        .filter_map(|info| info.family.clone());
    let of_models = config.file().models.iter().filter_map(|(name, entry)| {
        let told = entry.family.as_deref().map(|family| Family::named(family));
        told.or_else(|| Family::of_model(entry.model.as_deref().unwrap_or(name)))
    });
    of_roles.chain(of_models).collect()
}

fn first_model(models: &AssignedModels) -> &str {
    let model = models.seat.models.first();
    model.map_or("", |model| model.model.as_str())
}
