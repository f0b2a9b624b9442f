//! What applies if `redraft.toml` says nothing: the known providers with their
//! default models, and the call settings of each role.
//!
//! Names of models go out of date. They are written in this one table, each can be
//! overridden in `redraft.toml`, and `redraft models --test` shows whether they
//! still exist. The models here accept a temperature and do not spend their answer
//! on reasoning, because the length of an answer is limited.

use redraft_engine::model::connection::Api;
use redraft_run::ask::Role;

/// A provider that needs no `base-url`.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub name: &'static str,
    pub api: Api,
    pub base_url: &'static str,
    /// The environment variable with its API key.
    pub key: Option<&'static str>,
    /// The environment variable that overrides its address.
    pub address: Option<&'static str>,
    /// Whether names of its models contain no slash.
    pub has_plain_names: bool,
    pub models: Models,
}

/// The default models of a provider.
#[derive(Clone, Copy, Debug)]
pub struct Models {
    /// Primary, secondary (cheap, may judge alone) and tiebreaker.
    pub judges: [&'static str; 3],
    /// For lessons and sections.
    pub writer: &'static str,
    /// For edits, reviews and verification.
    pub cheap: &'static str,
}

impl Models {
    #[must_use]
    pub fn of(&self, role: Role) -> &'static str {
        match role {
            Role::JudgePrimary | Role::Solver => self.judges[0],
            Role::JudgeSecondary => self.judges[1],
            Role::JudgeTiebreaker => self.judges[2],
            Role::SectionExpander | Role::Planner | Role::Expander | Role::Smoother => self.writer,
            Role::Author => self.writer,
            Role::SelfReviewer | Role::Arbiter | Role::Patcher | Role::DeltaJudge => self.cheap,
        }
    }
}

/// Providers are looked for in the environment in this order.
pub const KNOWN: &[Known] = &[
    Known {
        name: "openai",
        api: Api::OpenAi,
        base_url: "https://api.openai.com/v1",
        key: Some("OPENAI_API_KEY"),
        address: Some("OPENAI_BASE_URL"),
        has_plain_names: true,
        models: Models {
            judges: ["gpt-4.1", "gpt-4.1-mini", "gpt-4.1"],
            writer: "gpt-4.1",
            cheap: "gpt-4.1-mini",
        },
    },
    // OpenRouter has models of every family; these are the choice of seed 002.
    Known {
        name: "openrouter",
        api: Api::OpenAi,
        base_url: "https://openrouter.ai/api/v1",
        key: Some("OPENROUTER_API_KEY"),
        address: None,
        has_plain_names: false,
        models: Models {
            judges: [
                "qwen/qwen3-235b-a22b-2507",
                "moonshotai/kimi-k2",
                "minimax/minimax-m2",
            ],
            writer: "deepseek/deepseek-chat-v3.1",
            cheap: "deepseek/deepseek-chat-v3.1",
        },
    },
    Known {
        name: "anthropic",
        api: Api::Anthropic,
        base_url: "https://api.anthropic.com/v1",
        key: Some("ANTHROPIC_API_KEY"),
        address: None,
        has_plain_names: true,
        models: Models {
            judges: ["claude-sonnet-4-5", "claude-haiku-4-5", "claude-sonnet-4-5"],
            writer: "claude-sonnet-4-5",
            cheap: "claude-haiku-4-5",
        },
    },
    Known {
        name: "gemini",
        api: Api::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta",
        key: Some("GEMINI_API_KEY"),
        address: None,
        has_plain_names: true,
        models: Models {
            judges: ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-pro"],
            writer: "gemini-2.5-pro",
            cheap: "gemini-2.5-flash",
        },
    },
    // Ollama through the OpenAI protocol: its own would drop the schema. The server
    // lists its models itself; these names apply if it is not asked.
    Known {
        name: "ollama",
        api: Api::OpenAi,
        base_url: "http://127.0.0.1:11434/v1/",
        key: None,
        address: Some("OLLAMA_HOST"),
        has_plain_names: false,
        models: Models {
            judges: ["qwen3:8b", "qwen3:8b", "qwen3:8b"],
            writer: "qwen3:8b",
            cheap: "qwen3:8b",
        },
    },
];

#[must_use]
pub fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// The default temperature of a role, in hundredths, and the most tokens of its
/// answer. Judging and verifying use temperature 0. A judge's answer fits into the
/// 3,000 tokens that ruling 38 plans in addition to the document; a patch and a
/// section follow the sizes of seed 003 (7.2, 8.2) with room for long sections.
#[must_use]
pub fn call_settings(role: Role) -> (u16, u32) {
    match role {
        Role::SelfReviewer | Role::Arbiter => (0, 1_500),
        Role::JudgePrimary | Role::JudgeSecondary | Role::JudgeTiebreaker => (0, 2_000),
        Role::DeltaJudge | Role::Solver => (0, 800),
        Role::Patcher => (10, 1_500),
        Role::SectionExpander => (50, 3_000),
        Role::Planner => (30, 3_000),
        Role::Expander => (70, 4_000),
        Role::Smoother => (30, 4_000),
        Role::Author => (50, 8_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_provider_has_a_model_for_every_role() {
        for known in KNOWN {
            for role in Role::ALL {
                assert!(!known.models.of(role).is_empty());
            }
            assert!(known.key.is_some() || known.name == "ollama");
        }
    }
}
