//! How a provider is reached: its address, its protocol, its key. The key is a
//! [`Secret`], which neither prints nor serialises.

use std::fmt::{self, Write as _};

/// A key. It shows itself to nobody but the code that sends it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    key: String,
    named: Option<String>,
}

impl Secret {
    /// Keeps a key. Surrounding white space is no part of it.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self {
            key: key.trim().to_owned(),
            named: None,
        }
    }

    /// Remembers where the key came from, in words that a message can use:
    /// `OPENAI_API_KEY`, `the file keys/openai`.
    #[must_use]
    pub fn named(mut self, origin: &str) -> Self {
        self.named = Some(origin.to_owned());
        self
    }

    /// Where the key came from.
    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        self.named.as_deref()
    }

    /// The key itself, for the request's header only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.key
    }

    /// A text without the key, however it is written there: as it is, or escaped
    /// for an address. A provider may repeat what it was sent.
    #[must_use]
    pub fn redact(&self, text: String) -> String {
        // The key of a local server may be a plain word.
        const SHORTEST: usize = 6;
        // Fewer letters of a key tell nobody anything.
        const TELLING: usize = 8;
        if self.key.len() < SHORTEST {
            return text;
        }
        let escaped: String = self.key.bytes().fold(String::new(), |mut escaped, byte| {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                escaped.push(char::from(byte));
            } else {
                let _ = write!(escaped, "%{byte:02X}");
            }
            escaped
        });
        let mut text = text;
        for shape in [&self.key, &escaped] {
            if text.contains(shape.as_str()) {
                text = text.replace(shape.as_str(), "[key]");
            }
        }
        // Of a key that was cut off only its beginning is left.
        let beginning: String = self.key.chars().take(TELLING).collect();
        if self.key.len() > TELLING && text.contains(&beginning) {
            let mut parts = text.split(&beginning);
            let mut clean = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                clean.push_str("[key]");
                let is_end = |c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c);
                clean.push_str(
                    part.find(is_end)
                        .and_then(|end| part.get(end..))
                        .unwrap_or_default(),
                );
            }
            text = clean;
        }
        text
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The protocol a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Chat completions of OpenAI and everybody who copied them.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// `generateContent` of Gemini.
    Gemini,
}

/// How a provider is told what an answer has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structured {
    /// With the schema, in the protocol.
    Native,
    /// In the prompt alone.
    Prompt,
}

/// A provider that can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its name in the configuration and in `ModelSettings::provider`.
    pub name: String,
    /// Its protocol.
    pub api: Api,
    /// Its address, without the path of the call: `https://api.openai.com/v1`.
    pub base_url: String,
    /// Its key, where it needs one.
    pub key: Option<Secret>,
    /// How many calls may be out at once.
    pub in_flight: usize,
    /// How it is told what an answer has to look like.
    pub structured: Structured,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_to_nobody() {
        let key = Secret::new(" sk-canary/9+7 \n").named("OPENAI_API_KEY");
        let connection = Connection {
            name: "openai".to_owned(),
            api: Api::OpenAi,
            base_url: "https://example.org/v1".to_owned(),
            key: Some(key.clone()),
            in_flight: 4,
            structured: Structured::Native,
        };
        assert!(!format!("{connection:?} {key:#?}").contains("canary"));
        assert_eq!(key.expose(), "sk-canary/9+7");
        assert_eq!(key.origin(), Some("OPENAI_API_KEY"));
        for said in [
            "Bearer sk-canary/9+7!",
            "?key=sk-canary%2F9%2B7&a",
            "cut: sk-canary",
            "“sk-canary/9+”",
        ] {
            let redacted = key.redact(said.to_owned());
            assert!(!redacted.contains("canary"), "{redacted}");
            assert!(redacted.contains("[key]"));
        }
    }

    #[test]
    fn a_plain_word_of_a_local_server_is_left_alone() {
        assert_eq!(
            Secret::new("none").redact("there is none".to_owned()),
            "there is none"
        );
    }
}
