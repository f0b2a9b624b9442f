//! What may be a key of a provider that somebody wrote into the wrong place. No
//! complaint repeats it: complaints are read aloud, pasted and logged. It knows how
//! keys look, nothing of what the file means.
//!
//! | a word | is it shown? |
//! |---|---|
//! | begins as a provider's keys do (`sk-`, `AIza`, `gsk_`, …) | no |
//! | 20 letters and digits in a row, or a number such as those of UUIDs | no |
//! | 32 characters and more of all sorts | no |
//! | anything else | yes |
//!
//! A name that is hidden without need costs little: the line is told all the same.

/// How keys begin that well-known providers hand out.
const BEGINNINGS: &[&str] = &[
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

/// What is said instead of the words that may be a key.
const ADVICE: &str = "this looks like a key of a provider and is not repeated here. A key does not belong into this file: put it into an environment variable and name that with key-env = \"HOUSE_KEY\" under [providers.house], or into a file of its own and name that with key-file = \"house.key\"";

/// A message as it may be shown, about the key at this path.
pub(super) fn shown(path: &str, message: String) -> String {
    if !may_be_key(&message) {
        return message;
    }
    advice(path)
}

/// What to do with a key that stands at this path.
pub(super) fn advice(path: &str) -> String {
    let path = path.trim_end_matches('.');
    if path.is_empty() || may_be_key(path) {
        ADVICE.to_owned()
    } else {
        format!("`{path}`: {ADVICE}")
    }
}

/// Whether a word of this text may be a key.
pub(super) fn may_be_key(text: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .any(|word| begins_like_one(word, 4) || is_jumble(word))
}

/// Whether a value is a key beyond doubt, so that it cannot be meant for anything
/// else: names of models have numbers and hashes, too, but do not begin like this.
pub(super) fn is_key(value: &str) -> bool {
    value
        .split_whitespace()
        .any(|word| begins_like_one(word, 16) && word.bytes().any(|b| b.is_ascii_digit()))
}

/// Whether a word begins as keys do, and goes on for at least so long.
fn begins_like_one(word: &str, least: usize) -> bool {
    BEGINNINGS.iter().any(|beginning| {
        word.strip_prefix(beginning).is_some_and(|rest| {
            let goes_on = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
            rest.bytes().take_while(goes_on).count() >= least
        })
    })
}

/// Whether a word is too long and too mixed for a name.
fn is_jumble(word: &str) -> bool {
    const LONG_RUN: usize = 20;
    const HEX_OF_UUID: usize = 24;
    const LONG: usize = 32;
    let count = |is: fn(&u8) -> bool| word.bytes().filter(is).count();
    let mixed_run = word.split(['-', '_']).any(|run| {
        run.len() >= LONG_RUN
            && run.bytes().any(|b| b.is_ascii_digit())
            && run.bytes().any(|b| b.is_ascii_alphabetic())
    });
    let is_number = count(u8::is_ascii_hexdigit) >= HEX_OF_UUID
        && count(u8::is_ascii_digit) > 0
        && word.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let of_all_sorts = word.len() >= LONG
        && count(u8::is_ascii_uppercase) >= 4
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_digit) >= 4;
    mixed_run || is_number || of_all_sorts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_names() {
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
        assert!(!may_be_key(ADVICE));
    }
}
