//! Hexadecimal, hashes and random names.

use sha2::{Digest as _, Sha256};

#[must_use]
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[must_use]
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// The SHA-256 of bytes, in hexadecimal.
#[must_use]
pub(crate) fn sha256(bytes: &[u8]) -> String {
    encode(&Sha256::digest(bytes))
}

/// Random bytes, in hexadecimal.
///
/// # Errors
/// When the system has no random numbers.
pub(crate) fn random(bytes: usize) -> Result<String, getrandom::Error> {
    let mut buffer = vec![0; bytes];
    getrandom::fill(&mut buffer)?;
    Ok(encode(&buffer))
}
