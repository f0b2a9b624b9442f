//! Models without `[roles]`: found by the usual variables, else on a local Ollama
//! server.
//!
//! | found | writes and edits | judges |
//! |---|---|---|
//! | one provider | it | its three judges |
//! | several | the first | the others, so that no model judges its own family |
//! | none, `OLLAMA_HOST` set | Ollama | Ollama |
//! | none at all | an Ollama server at the default address, if one answers | the same |
//!
//! A local model is used only if there is nothing else: small models judge badly.

use std::collections::BTreeMap;

use redraft_run::ask::Role;
use redraft_run::setup::Seat;

use super::super::assignment::{AssignedModels, Origin, Origins};
use super::super::environment::Environment;
use super::super::ollama;
use super::super::provider::is_loopback;
use super::roles::{CallSettings, InlineInfo, Resolver, contexts};
use crate::config::Config;
use crate::config::defaults::KNOWN;

pub(super) struct DetectedProviders {
    /// Names, and how each was found.
    providers: Vec<(&'static str, Origin)>,
    pub(super) note: Option<String>,
}

pub(super) fn detect(config: &Config, environment: &Environment<'_>) -> DetectedProviders {
    let mut providers = Vec::new();
    for known in KNOWN.iter().filter(|known| known.name != "ollama") {
        let is_set = |variable: &&str| environment.variable(variable).is_some();
        let origin = if let Some(section) = config.file().providers.get(known.name) {
            Origin::File(config.source().line(section))
        } else if let Some(key) = known.key.filter(is_set) {
            Origin::Variable(key.to_owned())
        } else if let Some(address) = known.address.filter(|variable| {
            // A server on this machine needs no key.
            environment.variable(variable).is_some_and(is_loopback)
        }) {
            Origin::Variable(address.to_owned())
        } else {
            continue;
        };
        providers.push((known.name, origin));
    }
    let mut note = None;
    if providers.is_empty() {
        (providers, note) = local(config, environment);
    }
    DetectedProviders { providers, note }
}

fn local(
    config: &Config,
    environment: &Environment<'_>,
) -> (Vec<(&'static str, Origin)>, Option<String>) {
    if let Some(section) = config.file().providers.get("ollama") {
        let line = config.source().line(section);
        return (vec![("ollama", Origin::File(line))], None);
    }
    if environment.variable("OLLAMA_HOST").is_some() {
        let origin = Origin::Variable("OLLAMA_HOST".to_owned());
        return (vec![("ollama", origin)], None);
    }
    if !environment.may_probe() {
        return (Vec::new(), None);
    }
    match (environment.ollama)(ollama::DEFAULT_HOST) {
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

/// Assigns the providers that were found to all roles.
pub(super) fn assign(
    found: &DetectedProviders,
    resolver: &mut Resolver<'_>,
) -> BTreeMap<Role, AssignedModels> {
    let mut roles = BTreeMap::new();
    for role in Role::ALL {
        let Some(((provider, origin), as_if)) = chosen(&found.providers, role) else {
            continue;
        };
        let Some(model) = resolver.default_model(provider, as_if) else {
            continue;
        };
        let candidate = resolver.candidate(provider, &model);
        let call = CallSettings::default_for(role);
        let (settings, info) = resolver.model(&candidate, &call, InlineInfo::default());
        let assigned = AssignedModels {
            seat: Seat {
                role,
                weight: 1_000,
                contexts: contexts(std::slice::from_ref(&settings), std::slice::from_ref(&info)),
                models: vec![settings],
            },
            info: vec![info],
            origins: Origins {
                provider: origin.clone(),
                model: Origin::Default,
                temperature: Origin::Default,
                max_tokens: Origin::Default,
                weight: Origin::Default,
            },
            is_named: false,
            has_own_table: false,
        };
        roles.insert(role, assigned);
    }
    roles
}

/// The provider for a role, and the role whose default model it uses.
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
