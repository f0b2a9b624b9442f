//! Recognises API keys that were written in the wrong place. No error repeats one:
//! errors get pasted and logged. It knows what keys look like, nothing of what the
//! file means.
//!
//! | a word | shown in an error? |
//! |---|---|
//! | starts like an API key (`sk-`, `AIza`, `gsk_`, …) | no |
//! | 20 letters and digits in a row, or hexadecimal like a UUID | no |
//! | 32 or more characters, upper case, lower case and digits mixed | no |
//! | anything else | yes |
//!
//! Hiding a harmless name costs little: the error still names the line.

/// Prefixes of the keys of well-known providers.
const PREFIXES: &[&str] = &[
    "sk-",
    "sk_",
    "AIza",
    "gsk_",
    "xai-",
    "hf_",
    "nvapi-",
    "pplx-",
    "r8_",
    "fw_",
    "csk-",
    "tgp_",
    "ghp_",
    "github_pat_",
    "AKIA",
    "eyJ",
];

/// What to write instead of an API key, which is not shown.
pub(super) fn advice(key: Option<&str>) -> String {
    let what = key.map_or_else(
        || "this".to_owned(),
        |key| format!("the value of \"{key}\""),
    );
    format!(
        "{what} looks like an API key and is not shown. Do not put keys in this file: store the key in an environment variable and name that with key-env = \"HOUSE_KEY\" under [providers.house], or in a separate file and name that with key-file = \"house.key\""
    )
}

/// Whether a word of this text may be a key.
pub(super) fn may_be_key(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .any(|word| starts_like_key(word, 4) || is_random(word))
}

/// Whether a value is certainly a key. Names of models contain numbers and hashes,
/// too, but do not start like this.
pub(super) fn is_key(value: &str) -> bool {
    value
        .split_whitespace()
        .any(|word| starts_like_key(word, 16) && word.bytes().any(|b| b.is_ascii_digit()))
}

/// Whether a segment of an address without its scheme is a key. Some addresses contain
/// ids, which are hexadecimal and look like keys: they are allowed only after a segment
/// that says what they are, and at the gateway that is known to have them.
pub(super) fn has_key_in_path(host: &str, address: &str) -> bool {
    const BEFORE_IDS: [&str; 8] = [
        "accounts",
        "deployments",
        "endpoints",
        "organizations",
        "projects",
        "subscriptions",
        "tenants",
        "workspaces",
    ];
    const WITH_IDS: &str = "gateway.ai.cloudflare.com";
    let mut before = "";
    for segment in address.split('/').skip(1) {
        let plain = percent_decoded(segment);
        let says_key = plain.contains('=');
        let is_id = is_hex(&plain) && (BEFORE_IDS.contains(&before) || host == WITH_IDS);
        if says_key || starts_like_key(&plain, 4) || (is_random(&plain) && !is_id) {
            return true;
        }
        before = segment;
    }
    false
}

/// A text in which `%73` is `s`; what is not ASCII stays as it is.
fn percent_decoded(text: &str) -> String {
    let mut decoded = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        decoded.push_str(before);
        let byte = after
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(u8::is_ascii) {
            Some(byte) => {
                decoded.push(char::from(byte));
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                decoded.push('%');
                rest = after;
            }
        }
    }
    decoded + rest
}

/// Whether a word starts with a prefix of keys and continues for `least` characters.
fn starts_like_key(word: &str, least: usize) -> bool {
    PREFIXES.iter().any(|prefix| {
        word.strip_prefix(prefix).is_some_and(|rest| {
            let continues = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
            rest.bytes().take_while(continues).count() >= least
        })
    })
}

/// Whether a word is too long and too random to be a name.
fn is_random(word: &str) -> bool {
    const LONG_RUN: usize = 20;
    const LONG: usize = 32;
    let count = |is: fn(&u8) -> bool| word.bytes().filter(is).count();
    let mixed_run = word.split(['-', '_']).any(|run| {
        run.len() >= LONG_RUN
            && run.bytes().any(|b| b.is_ascii_digit())
            && run.bytes().any(|b| b.is_ascii_alphabetic())
    });
    let is_mixed = word.len() >= LONG
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 4;
    mixed_run || is_hex(word) || is_mixed
}

/// Whether a word is a long hexadecimal number or a UUID.
fn is_hex(word: &str) -> bool {
    const DIGITS_OF_UUID: usize = 24;
    word.bytes().filter(u8::is_ascii_hexdigit).count() >= DIGITS_OF_UUID
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_from_names() {
        for (word, may, surely) in [
            ("sk-canary", true, false),
            ("sk-proj-Canary0000111122223333", true, true),
            ("AIzaSyCanary00001111222233334444", true, true),
            ("gsk_canary", true, false),
            ("a `sk-canary` in a sentence", true, false),
            ("providers.house.sk-canary", true, false),
            ("Bearer sk-ant-canary-000011112222", true, true),
            ("0123456789abcdef0123456789abcdef", true, false),
            ("550e8400-e29b-41d4-a716-446655440000", true, false),
            ("Ca-Na_Ry-Ab1_Cd2-Ef3_Gh4-Ij5_Kl6-Mn7", true, false),
            ("gpt-4.1-mini-2025-04-14", false, false),
            ("claude-sonnet-4-5-20250929", false, false),
            ("qwen/qwen3-235b-a22b-2507", false, false),
            ("deepseek/deepseek-r1-distill-qwen-7b", false, false),
            ("meta-llama/Llama-3.3-70B-Instruct", false, false),
            ("xai-org/grok-1", false, false),
            ("sk-SK", false, false),
            ("learning_objective_alignment", false, false),
            ("https://models.example.org:8000/v1", false, false),
            ("OPENAI_API_KEY", false, false),
            ("", false, false),
        ] {
            assert_eq!(may_be_key(word), may, "{word}");
            assert_eq!(is_key(word), surely, "{word}");
        }
        assert!(!may_be_key(&advice(None)));
    }
}
