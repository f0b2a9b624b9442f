//! How many tokens a text takes at most, without asking a tokeniser.

/// An upper estimate of the tokens of a text. Tokenisers put some four letters of
/// English into a token, two of Cyrillic, and rarely more than two tokens into a
/// Chinese character; what is reserved must not be less than what is counted
/// afterwards, so each is taken a good deal smaller.
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    // By the first byte of each character, so that nothing is decoded.
    let (mut plain, mut letters, mut wide) = (0u64, 0u64, 0u64);
    for byte in text.bytes() {
        match byte {
            0x00..=0x7f => plain += 1,
            0xc2..=0xdf => letters += 1,
            0xe0.. => wide += 1,
            // The other bytes of a character.
            0x80..=0xc1 => {}
        }
    }
    plain.div_ceil(3) + letters.div_ceil(2) + wide * 2
}
