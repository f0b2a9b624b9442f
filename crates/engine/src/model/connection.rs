//! How to reach a provider: its address, its protocol, its key. The key is a
//! [`Secret`], which can neither be printed nor serialised.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// A key, which only the code that sends it can read.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    key: String,
    named: Option<String>,
}

impl Secret {
    /// White space around the key is removed.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self {
            key: key.trim().to_owned(),
            named: None,
        }
    }

    /// Sets the origin of the key for messages: `OPENAI_API_KEY`, `the file keys/openai`.
    #[must_use]
    pub fn named(mut self, origin: &str) -> Self {
        self.named = Some(origin.to_owned());
        self
    }

    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        self.named.as_deref()
    }

    /// The key itself, for the request's header only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.key
    }

    /// Removes the key from a text: the whole key or its beginning, literally, with characters
    /// escaped as `%2F` or `\u002f`, or in base64. A provider may repeat what it was sent.
    #[must_use]
    pub fn redact(&self, text: String) -> String {
        // The key of a local server may be a plain word.
        const SHORTEST: usize = 6;
        if self.key.len() < SHORTEST {
            return text;
        }
        self.without_base64(self.without_plain(text))
    }

    fn without_plain(&self, text: String) -> String {
        // A shorter beginning of a key gives nothing away.
        const TELLING: usize = 8;
        let whole = self.key.chars().count();
        let mut clean = String::new();
        // The text up to `copied` has been copied; the search continues at `at`.
        let (mut copied, mut at) = (0, 0);
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let (matched, length) = self.prefix_of(rest);
            if matched < whole.min(TELLING) {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
            clean.push_str(text.get(copied..at).unwrap_or_default());
            clean.push_str("[key]");
            let after = rest.get(length..).unwrap_or_default();
            let is_end = |c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c);
            let more = if matched == whole {
                0
            } else {
                after.find(is_end).unwrap_or(after.len())
            };
            at += length + more;
            copied = at;
        }
        if copied == 0 {
            return text;
        }
        clean.push_str(text.get(copied..).unwrap_or_default());
        clean
    }

    /// How many characters of the key a text begins with, and how many bytes they take.
    fn prefix_of(&self, text: &str) -> (usize, usize) {
        let (mut matched, mut length) = (0, 0);
        for c in self.key.chars() {
            let rest = text.get(length..).unwrap_or_default();
            let Some(bytes) = literal(rest, c).or_else(|| escaped(rest, c)) else {
                break;
            };
            matched += 1;
            length += bytes;
        }
        (matched, length)
    }

    fn without_base64(&self, mut text: String) -> String {
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || "+/-_=".contains(c);
        for form in self.base64_forms() {
            while let Some(at) = text.find(&form) {
                let start = text[..at].rfind(|c| !is_base64(c)).map_or(0, |before| {
                    before + text[before..].chars().next().map_or(1, char::len_utf8)
                });
                let end = text[at..]
                    .find(|c| !is_base64(c))
                    .map_or(text.len(), |length| at + length);
                text.replace_range(start..end, "[key]");
            }
        }
        text
    }

    /// The part of the key's base64 that does not depend on the bytes before and after it: one form
    /// for each offset in a group of three bytes, in both alphabets.
    fn base64_forms(&self) -> Vec<String> {
        let mut forms = Vec::new();
        for before in 0..3 {
            let bytes = [&b"\0\0"[..before], self.key.as_bytes()].concat();
            let whole = bytes.len() / 3 * 4;
            for encoded in [
                STANDARD_NO_PAD.encode(&bytes),
                URL_SAFE_NO_PAD.encode(&bytes),
            ] {
                let first = if before == 0 { 0 } else { 4 };
                forms.extend(encoded.get(first..whole).map(str::to_owned));
            }
        }
        // Shorter ones may occur in a text by chance.
        forms.retain(|form| form.len() >= 8);
        forms.sort();
        forms.dedup();
        forms
    }
}

/// The bytes of a character at the beginning of a text.
fn literal(text: &str, c: char) -> Option<usize> {
    text.starts_with(c).then(|| c.len_utf8())
}

/// The bytes of a character that is written as `%2f`, `\u002f` or, inside another
/// JSON string, `\\u002f`.
fn escaped(text: &str, c: char) -> Option<usize> {
    let is_hex_of = |digits: Option<&str>| {
        digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            == Some(u32::from(c))
    };
    if let Some(rest) = text.strip_prefix('%') {
        return (c.is_ascii() && is_hex_of(rest.get(..2))).then_some(3);
    }
    let unescaped = text.trim_start_matches('\\');
    let slashes = text.len() - unescaped.len();
    let digits = unescaped.strip_prefix('u').filter(|_| slashes > 0)?;
    is_hex_of(digits.get(..4)).then_some(slashes + 5)
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The protocol of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Chat completions, of OpenAI and compatible providers.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// `generateContent` of Gemini.
    Gemini,
}

/// How the schema of a reply is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structured {
    /// In the protocol's own field.
    Native,
    /// In the prompt only.
    Prompt,
}

/// A provider and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The name in the configuration and in `ModelSettings::provider`.
    pub name: String,
    pub api: Api,
    /// Without the path of calls: `https://api.openai.com/v1`. With the query `api-version=…` the
    /// provider is Azure OpenAI: the model is a deployment, which is part of the path, and the key
    /// is sent as `api-key`.
    pub base_url: String,
    pub key: Option<Secret>,
    /// How many calls may be open at once.
    pub in_flight: usize,
    pub structured: Structured,
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    use super::*;

    #[test]
    fn a_key_is_never_printed() {
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
        for (said, expected) in [
            ("Bearer sk-canary/9+7!", "Bearer [key]!"),
            ("?key=sk-canary%2F9%2B7&a", "?key=[key]&a"),
            ("?key=sk-canary%2f9%2b7&a", "?key=[key]&a"),
            ("cut: sk-canary", "cut: [key]"),
            ("“sk-canary/9+”", "“[key]”"),
            ("é sk-canary/9+7 sk-canary/9+7 é", "é [key] [key] é"),
            (r"sk-canary\u002f9\u002B7 x", "[key] x"),
            (
                r"\u0073\u006b\u002d\u0063\u0061\u006e\u0061\u0072\u0079\u002F\u0039\u002b\u0037",
                "[key]",
            ),
            (r"\\u0073k-canary/9+7", "[key]"),
            (
                r"\u0073\u006b\u002d\u0063anary and so on",
                "[key] and so on",
            ),
        ] {
            assert_eq!(key.redact(said.to_owned()), expected, "{said}");
        }
        for said in ["sk-can", r"\u0073", "%73", "sk-canar%79", "é\\", ""] {
            assert_eq!(
                key.redact(said.to_owned()).contains("[key]"),
                said.len() > 10
            );
        }
    }

    #[test]
    fn a_key_in_base64_is_redacted_whatever_is_around_it() {
        let key = Secret::new("sk-canary/9+7?~>8f3a");
        let exposed = key.expose().to_owned();
        for (before, after) in [
            ("", ""),
            ("u:", ""),
            ("Bearer ", "\n"),
            ("é", "xy"),
            ("abc", "d"),
        ] {
            let bytes = format!("{before}{exposed}{after}");
            for encoded in [
                STANDARD.encode(&bytes),
                STANDARD_NO_PAD.encode(&bytes),
                URL_SAFE.encode(&bytes),
                URL_SAFE_NO_PAD.encode(&bytes),
            ] {
                let redacted = key.redact(format!("You sent “{encoded}”, é."));
                assert_eq!(redacted, "You sent “[key]”, é.", "{bytes:?}");
            }
        }
        let other = STANDARD.encode("another key of the same length");
        assert_eq!(key.redact(other.clone()), other);
    }

    #[test]
    fn the_short_key_of_a_local_server_is_not_redacted() {
        assert_eq!(
            Secret::new("none").redact("there is none".to_owned()),
            "there is none"
        );
    }
}
