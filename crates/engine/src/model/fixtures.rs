//! Fixtures for the unit tests of models: an ask and its settings.

use std::sync::Arc;

use redraft_gate::span::Version;
use redraft_run::ask::{Ask, AskId, Fingerprint, ModelSettings, Role, Tokens};
use redraft_run::prompt::Prompt;

/// Settings of a free model.
pub(crate) fn model() -> ModelSettings {
    ModelSettings {
        provider: "p".to_owned(),
        model: "m".to_owned(),
        temperature_hundredths: 0,
        max_tokens: 9,
        price_in: 0,
        price_out: 0,
        cache: None,
    }
}

/// An ask without a schema, for [`model`].
pub(crate) fn ask(system: &str, user: &str) -> Ask {
    Ask {
        id: AskId("a".to_owned()),
        role: Role::JudgePrimary,
        model: model(),
        prompt: Arc::new(Prompt {
            system: system.to_owned(),
            user: user.to_owned(),
        }),
        schema: None,
        content: Version::of(b""),
        fingerprint: Fingerprint(String::new()),
        reserved: Tokens::default(),
        not_before: None,
    }
}
