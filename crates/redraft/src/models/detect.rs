//! Models without configuration: found by the usual variables, else by an Ollama
//! that answers.
//!
//! | found | writes and edits | judges |
//! |---|---|---|
//! | one provider | it | its three judges |
//! | several | the first | the others, so that nobody judges his own family |
//! | none, `OLLAMA_HOST` set | Ollama | Ollama |
//! | none at all | an Ollama at its usual address, if one answers | the same |
//!
//! A local model is taken only where there is nothing else: small ones judge
//! badly.

use std::collections::BTreeMap;

use redraft_run::ask::Role;
use redraft_run::setup::Seat;

use super::catalogue::{self, KNOWN};
use super::ollama;
use super::provider::is_loopback;
use super::resolve::{Figures, Manner, Origin, Origins, Resolving, Seated, contexts};
use super::surroundings::Surroundings;
use crate::config::Config;

/// The providers that were found.
pub(super) struct Found {
    /// Their names and what gave them away, the first one first.
    providers: Vec<(&'static str, Origin)>,
    /// What is worth knowing about it.
    pub(super) note: Option<String>,
}

/// Looks for providers.
pub(super) fn detect(config: &Config, around: &Surroundings<'_>) -> Found {
    let mut providers = Vec::new();
    for known in KNOWN.iter().filter(|known| known.name != "ollama") {
        let is_set = |variable: &&str| around.variable(variable).is_some();
        let origin = if let Some(section) = config.file().providers.get(known.name) {
            Origin::File(config.source().line(section))
        } else if let Some(key) = known.key.filter(is_set) {
            Origin::Variable(key.to_owned())
        } else if let Some(address) = known.address.filter(|variable| {
            // A server on this machine needs no key.
            around.variable(variable).is_some_and(is_loopback)
        }) {
            Origin::Variable(address.to_owned())
        } else {
            continue;
        };
        providers.push((known.name, origin));
    }
    let mut note = None;
    if providers.is_empty() {
        (providers, note) = local(config, around);
    }
    Found { providers, note }
}

fn local(
    config: &Config,
    around: &Surroundings<'_>,
) -> (Vec<(&'static str, Origin)>, Option<String>) {
    if let Some(section) = config.file().providers.get("ollama") {
        let line = config.source().line(section);
        return (vec![("ollama", Origin::File(line))], None);
    }
    if around.variable("OLLAMA_HOST").is_some() {
        let origin = Origin::Variable("OLLAMA_HOST".to_owned());
        return (vec![("ollama", origin)], None);
    }
    if !around.may_probe() {
        return (Vec::new(), None);
    }
    match (around.ollama)(ollama::DEFAULT_HOST) {
        Some(models) if models.is_empty() => {
            (Vec::new(), Some(ollama::has_no_model(ollama::DEFAULT_HOST)))
        }
        Some(_) => (
            vec![("ollama", Origin::Answer(ollama::DEFAULT_HOST.to_owned()))],
            None,
        ),
        None => (Vec::new(), None),
    }
}

/// Seats for all roles with the providers that were found.
pub(super) fn seats(found: &Found, desk: &mut Resolving<'_>) -> BTreeMap<Role, Seated> {
    let mut roles = BTreeMap::new();
    for role in Role::ALL {
        let Some(((provider, origin), as_if)) = chosen(&found.providers, role) else {
            continue;
        };
        let Some(model) = desk.usual_model(provider, as_if) else {
            continue;
        };
        let (temperature_hundredths, max_tokens) = catalogue::manner(role);
        let manner = Manner {
            temperature_hundredths,
            max_tokens,
        };
        let entry = desk.entry(provider, &model);
        let (settings, asked) = desk.settled(provider, &model, &manner, Figures::default(), entry);
        let seated = Seated {
            seat: Seat {
                role,
                weight: 1_000,
                contexts: contexts(
                    std::slice::from_ref(&settings),
                    std::slice::from_ref(&asked),
                ),
                models: vec![settings],
            },
            asked: vec![asked],
            origins: Origins {
                provider: origin.clone(),
                model: Origin::Default,
                temperature: Origin::Default,
                max_tokens: Origin::Default,
                weight: Origin::Default,
            },
            is_named: false,
        };
        roles.insert(role, seated);
    }
    roles
}

/// The provider for a role, and for which role its model is taken.
fn chosen<'f>(
    found: &'f [(&'static str, Origin)],
    role: Role,
) -> Option<(&'f (&'static str, Origin), Role)> {
    let (first, others) = found.split_first()?;
    let strong = Role::JudgePrimary;
    Some(match (role, others) {
        (_, []) => (first, role),
        (Role::JudgePrimary, [second, ..]) => (second, strong),
        (Role::JudgeSecondary, [.., second]) if others.len() == 1 => (second, role),
        (Role::JudgeSecondary, [_, third, ..]) => (third, role),
        (Role::JudgeTiebreaker, [_]) => (first, strong),
        (Role::JudgeTiebreaker, [_, third]) => (third, strong),
        (Role::JudgeTiebreaker, [_, _, fourth, ..]) => (fourth, strong),
        _ => (first, role),
    })
}
