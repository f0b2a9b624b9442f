//! How a provider is reached: its address, its protocol, its key. The key is a
//! [`Secret`], which neither prints nor serialises.

use std::fmt;

/// A key. It shows itself to nobody but the code that sends it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a key. Surrounding white space is no part of it.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key itself, for the request's header only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
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
