//! How many tokens a text takes at most, without asking a tokeniser.

/// An upper estimate of the tokens of a text. Tokenisers put some four letters of
/// English into a token, two of Cyrillic, and rarely more than two tokens into a
/// Chinese character; what is reserved must not be less than what is counted
/// afterwards, so each is taken a good deal smaller.
#[must_use]
pub fn estimated_tokens(text: &str) -> u64 {
    // By the first byte of each character, so that nothing is decoded; counted in
    // bytes, so that many are counted at once.
    let (mut plain, mut letters, mut wide) = (0u64, 0u64, 0u64);
    for some in text.as_bytes().chunks(usize::from(u8::MAX)) {
        let count = |is: fn(u8) -> bool| -> u64 {
            u64::from(some.iter().map(|byte| u8::from(is(*byte))).sum::<u8>())
        };
        plain += count(|byte| byte < 0x80);
        letters += count(|byte| (0xc2..0xe0).contains(&byte));
        wide += count(|byte| byte >= 0xe0);
    }
    plain.div_ceil(3) + letters.div_ceil(2) + wide * 2
}
