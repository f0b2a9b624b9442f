//! The family of a model, recognised by its name. Judges prefer their own family
//! (ruling 24), so writer and judge should not share one. It knows no roles.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Family(String);

/// Families, and prefixes of words in the names of their models. The first word that
/// matches decides: `deepseek-r1-distill-qwen` was trained by deepseek.
const PREFIXES: &[(&str, &[&str])] = &[
    ("gpt", &["gpt", "chatgpt", "openai", "davinci"]),
    ("claude", &["claude", "anthropic"]),
    ("gemini", &["gemini", "gemma", "google", "palm"]),
    ("qwen", &["qwen", "qwq", "qvq"]),
    ("deepseek", &["deepseek"]),
    ("llama", &["llama", "codellama", "tinyllama"]),
    (
        "mistral",
        &[
            "mistral",
            "mixtral",
            "ministral",
            "magistral",
            "codestral",
            "devstral",
            "pixtral",
        ],
    ),
    ("kimi", &["kimi", "moonshot"]),
    ("minimax", &["minimax"]),
    ("glm", &["glm", "chatglm"]),
    ("mimo", &["mimo"]),
    ("grok", &["grok"]),
    ("phi", &["phi"]),
    ("command", &["command", "cohere", "aya"]),
    ("nova", &["nova"]),
    ("nemotron", &["nemotron"]),
    ("granite", &["granite"]),
    ("smollm", &["smollm"]),
    ("olmo", &["olmo"]),
    ("falcon", &["falcon"]),
    ("ernie", &["ernie"]),
    ("hunyuan", &["hunyuan"]),
    ("doubao", &["doubao"]),
    ("gigachat", &["gigachat"]),
    ("yandexgpt", &["yandexgpt"]),
];

impl Family {
    /// The family with a name of the user's. Known prefixes count, so that `openai` and
    /// `gpt` are the same family.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::of_model(name).unwrap_or_else(|| Self(name.trim().to_lowercase()))
    }

    /// The family of a model, if its name has a known prefix.
    #[must_use]
    pub fn of_model(model: &str) -> Option<Self> {
        let model = model.to_lowercase();
        let family = model
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .find_map(of_word)?;
        Some(Self(family.to_owned()))
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn of_word(word: &str) -> Option<&'static str> {
    // OpenAI's o1, o3, o4-mini.
    let is_o_series = word
        .strip_prefix('o')
        .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()));
    if is_o_series {
        return Some("gpt");
    }
    PREFIXES
        .iter()
        .find(|(_, words)| words.iter().any(|prefix| word.starts_with(prefix)))
        .map(|(family, _)| *family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_recognised_by_name() {
        for (model, family) in [
            ("gpt-4.1-mini", Some("gpt")),
            ("o4-mini", Some("gpt")),
            ("openai/gpt-oss-120b", Some("gpt")),
            ("claude-sonnet-4-5", Some("claude")),
            ("anthropic/claude-haiku-4.5", Some("claude")),
            ("gemini-2.5-flash", Some("gemini")),
            ("google/gemma-3-27b-it", Some("gemini")),
            ("qwen/qwen3-235b-a22b-2507", Some("qwen")),
            ("Qwen2.5-7B-Instruct", Some("qwen")),
            ("deepseek/deepseek-r1-distill-qwen-7b", Some("deepseek")),
            ("meta-llama/llama-3.3-70b-instruct", Some("llama")),
            ("mixtral:8x7b", Some("mistral")),
            ("moonshotai/kimi-k2", Some("kimi")),
            ("minimax/minimax-m2", Some("minimax")),
            ("z-ai/glm-4.6", Some("glm")),
            ("xiaomi/mimo-v2-flash:free", Some("mimo")),
            ("our-own-judge", None),
            ("o10-something", None),
            ("", None),
        ] {
            let told = Family::of_model(model).map(|family| family.to_string());
            assert_eq!(told.as_deref(), family, "{model}");
        }
        assert_eq!(Family::named("OpenAI"), Family::named("gpt"));
        assert_eq!(Family::named(" House ").to_string(), "house");
    }
}
